#ifndef BLN_USE_CHECK_H
#define BLN_USE_CHECK_H
#include "../core/data.h"
/* >>check - does a model make data like those it was fitted to? Posterior predictive checks
 *
 * Replicates of the n targets are drawn from the posterior, by bln_posterior_draws with desc.noise at the rows of the data, or by
 * any other sampler. A figure T of the data is compared with those of the replicates:
 *
 *     p = P(T(y_rep) > T(y)) + P(T(y_rep) = T(y))/2                                          [Gelman, Meng & Stern 1996]
 *
 * If p is near 0, T of the data is larger than the model generates; near 1, smaller. The rows serve the fit and the check, so p is
 * nearer to 1/2 than a uniform number would be: the check may miss faults, but rarely reports false ones. A figure that the fit
 * reproduces has p near 1/2 in any case: the mean if there is a constant, the sd if the noise is learnt. Choose figures that no
 * parameter fits: the sd or the zeros of a Poisson, the largest value, the skewness, the correlation of neighbours in time. */

/* of(user, n, y) is a figure of n targets, in the order of the rows; NaN: it has none. */
typedef struct bln_check {
    const char *name;
    double    (*of)(void *user, size_t n, const double *y);
    void       *user;
} bln_check;

/* The usual ones: mean, sd (with n - 1), skewness (m_3/m_2^(3/2)), min, max, and zeros, the share of targets that are 0. */
enum { BLN_CHECKS = 6 };
BLN_API const bln_check *bln_checks(void);

typedef struct bln_check_result {
    double observed;                   /* T(y)                                                                        */
    double mean, sd, q05, median, q95; /* of T(y_rep), without NaN; quantiles of type 7 [Hyndman & Fan 1996]          */
    double p;                          /* standard error sqrt(p (1 - p)/S); NaN if T(y) or all T(y_rep) are NaN       */
    size_t undefined;                  /* replicates whose T is NaN                                                   */
} bln_check_result;

/* out[c] <- check c of y against the S rows of `replicates`, S x n with stride ld (0: n). work: S doubles. With several outputs
 * call it for each. Cost: S + 1 calls of each figure, and S log S to sort.
 * BLN_EINVAL: NULL, a check without a function, n = 0, S = 0, ld < n.  BLN_EDATA: y is not finite; the report names the row. */
BLN_API bln_status bln_check_replicates(size_t n, const double *y, size_t S, const double *replicates, size_t ld, size_t n_checks,
                                        const bln_check *checks, bln_check_result *out, double *work, bln_report *report);

#endif /* BLN_USE_CHECK_H */
