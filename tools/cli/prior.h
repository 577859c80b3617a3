#ifndef BAYESLIN_CLI_PRIOR_H
#define BAYESLIN_CLI_PRIOR_H
#include "columns.h"
/* prior - which weights have a flat prior (--prior flat), and what to say when the data do not determine them
 *
 * Flat are the slices whose features depend on no parameter: constants, lines, powers. Random features keep a prior, which is
 * learnt: hundreds of them without one would fit anything. */
typedef struct prior {
    double *var;              /* of each prior variance: HUGE_VAL is flat, 0 to be learnt, else given; NULL: all to be learnt */
    size_t  features;         /* number of flat ones                                                                          */
} prior;

/* What is not learnt: nothing; all features without parameters, which are flat; the constant, which is the last slice, flat or
 * WIDE. A learnt variance would be 0 for a constant, as the mean of the targets is 0 in the model's units, and with it the
 * uncertainty of the mean, sigma^2/n. So its prior is given: an sd of ten
 * times that of the targets. The posterior sd of the mean of n rows is then less than under a flat prior by one part in 200 n at
 * most. A flat prior would need the primal form, which is slow for processes.
 * CLI_USAGE: flat is wanted, but all features are random.
 *
 * n: of prior variances, the basis's slices or its features. relative: are they ratios to the noise variance? The wide one then
 * has an sd of 1000 of the noise's. */
typedef enum prior_kind { PRIOR_LEARN, PRIOR_FLAT, PRIOR_LAST_FLAT, PRIOR_LAST_WIDE } prior_kind;
int  prior_choose(prior_kind kind, const bln_basis *basis, size_t n, int relative, prior *out, cli_why *why);
void prior_free(prior *p);

/* CLI_USAGE if --prior each is asked for and the basis has groups. */
int  prior_check_each(int each, const bln_basis *basis, cli_why *why);

/* Fails with the reason if --integrate cannot do these: more than three variances to integrate, or features that would take hours
 * or gigabytes. */
int prior_can_integrate(const prior *p, const bln_basis *basis, cli_why *why);

/* The arithmetic that was asked for; of auto: exact if all weights are flat, as long as it costs seconds at most. */
bln_slm_arithmetic prior_arithmetic(const prior *p, const bln_basis *basis, size_t n, uint32_t asked);

/* Fails as prior_explain does if the fit of these data will be by sums of squares in double, and a flat feature is a combination of
 * those before it to seven digits: the square of what is left would be rounding. Other arithmetics notice dependent features by
 * themselves. O(n p^2) time and n p doubles for p flat features. */
int prior_check(const prior *p, const bln_basis *basis, const cli_columns *c, const bln_data *data, uint32_t asked, cli_why *why);

/* dependent[j], j < D: is the flat feature j a combination of those before it, in raw rows? As prior_check, but says nothing. */
void prior_dependent(const prior *p, const bln_basis *basis, const bln_data *data, char *dependent);

/* Fails with the names of the features which make up feature `bad`, or with the number of rows if there are too few. data: what the
 * fit was given. */
int prior_explain(const prior *p, const bln_basis *basis, const cli_columns *c, const bln_data *data, size_t bad, cli_why *why);

#endif /* BAYESLIN_CLI_PRIOR_H */
