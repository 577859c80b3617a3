#ifndef BAYESLIN_CLI_PRIOR_H
#define BAYESLIN_CLI_PRIOR_H
#include "columns.h"
/* prior - which weights have a flat prior (--prior flat), and the error if the data do not determine them
 *
 * Slices whose features depend on no parameter (constants, lines, powers) get the flat prior. Random features keep a prior, which
 * is learnt: hundreds of them without a prior would fit anything. */
typedef struct prior {
    double *var;              /* the prior variances: HUGE_VAL is flat, 0 is learnt, others are given; NULL: all are learnt   */
    size_t  features;         /* number of features with a flat prior                                                         */
} prior;

/* Which prior variances are not learnt. LEARN: none. FLAT: those of all features without parameters, which are flat. LAST_FLAT and
 * LAST_WIDE: that of the constant, the last slice. A learnt variance of the constant would be 0, as the mean of the targets is 0 in
 * the model's units, and the uncertainty of the mean, sigma^2/n, would be 0 too. So the wide prior has an sd of ten times that of
 * the targets: the posterior sd of the mean of n rows is then smaller than under a flat prior by at most one part in 200 n. A flat
 * prior would need the primal form, which is slow for Gaussian processes. CLI_USAGE: flat is wanted, but all features are random.
 *
 * n: the number of prior variances, one for each slice or each feature. relative: are they ratios to the noise variance? The wide
 * prior then has an sd of 1000 times the noise's. */
typedef enum prior_kind { PRIOR_LEARN, PRIOR_FLAT, PRIOR_LAST_FLAT, PRIOR_LAST_WIDE } prior_kind;
int  prior_choose(prior_kind kind, const bln_basis *basis, size_t n, int relative, prior *out, cli_why *why);
void prior_free(prior *p);

/* CLI_USAGE if --prior each is asked for and the basis has groups. */
int  prior_check_each(int each, const bln_basis *basis, cli_why *why);

/* Fails with the reason if --integrate cannot handle the prior: more than three variances to integrate, or features that would take
 * hours or gigabytes. */
int prior_can_integrate(const prior *p, const bln_basis *basis, cli_why *why);

/* The arithmetic that was asked for; for auto: exact if all weights are flat and it takes seconds at most. */
bln_slm_arithmetic prior_arithmetic(const prior *p, const bln_basis *basis, size_t n, uint32_t asked);

/* Fails as prior_explain does if the fit will use sums of squares in double and a flat feature is, to seven digits, a combination
 * of those before it: the square of the remainder would be rounding error. Other arithmetics detect dependent features themselves.
 * O(n p^2) time and n p doubles for p flat features. */
int prior_check(const prior *p, const bln_basis *basis, const cli_columns *c, const bln_data *data, uint32_t asked, cli_why *why);

/* dependent[j], j < D: is the flat feature j a combination of those before it, in raw rows? Like prior_check, without a message. */
void prior_dependent(const prior *p, const bln_basis *basis, const bln_data *data, char *dependent);

/* Fails with the names of the features of which feature `bad` is a combination, or with the number of rows if there are too few.
 * data: the rows of the fit. */
int prior_explain(const prior *p, const bln_basis *basis, const cli_columns *c, const bln_data *data, size_t bad, cli_why *why);

#endif /* BAYESLIN_CLI_PRIOR_H */
