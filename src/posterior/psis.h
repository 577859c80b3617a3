#ifndef BLN_POSTERIOR_PSIS_H
#define BLN_POSTERIOR_PSIS_H
#include "../core/data.h"
/* >>psis - leaving out rows by reweighting draws: Pareto-smoothed importance sampling, WAIC
 *
 * Draws w_s of the posterior of all rows, from any sampler, become draws of the posterior without row i by the weights
 *     r_s = 1/p(y_i | w_s),
 * ratios of which a few may exceed all others by far. The M = min(S/5, 3 sqrt(S/r_eff)) largest are replaced by expected
 * order statistics of a generalised Pareto distribution fitted to them [Zhang & Stephens 2009], none larger than the largest was,
 * which takes out most of the noise. Its shape k_hat says whether the rest can be trusted: up to
 *     limit(S) = min(1 - 1/log10 S, 0.7)
 * yes; above it the mean of the ratios hangs on draws that are not there, and row i says so much that the model should be fitted
 * without it.                        [Vehtari, Gelman & Gabry 2017; Vehtari, Simpson, Gelman, Yao & Gabry 2024; scores 21]
 *
 * k_hat: -infinity where the largest ratios are all the same (nothing to smooth); infinity where fewer than 5 stand out, so that
 * nothing is known, or where a ratio is infinite. */

/* What a log score of rows left out adds up to. */
typedef struct bln_elpd {
    double elpd;            /* sum of weight x elpd_i, elpd_i = log p(y_i | the other rows), in nats: higher is better          */
    double se;              /* its standard error as a sum over rows that might have been others: sqrt(N V), V the variance of
                               elpd_i with N - 1; NaN unless N > 1                                                             */
    double parameters;      /* sum of weight x (log p(y_i | all rows) - elpd_i): how many the model makes use of               */
    double rows;            /* N: sum of the weights                                                                           */
    size_t bad;             /* rows whose elpd_i is not to be trusted, see there                                               */
    size_t worst;           /* row where it is least so; BLN_NONE: no rows with a weight                                       */
    double worst_k;         /* by this measure                                                                                 */
} bln_elpd;

/* limit(S); 0 for S < 10. */
BLN_API double bln_psis_limit(size_t draws);

/* Smooths log ratios and normalises them: log_ratio, S, any common shift, becomes log weights whose exponentials sum to 1. *k_hat,
 * NULL to skip it. r_eff: effective draws per draw of a Markov chain (0: 1).
 * work: bln_psis_work(S) doubles (SIZE_MAX: overflow). S + M log S, and 3 M sqrt M logarithms: 0.2 ms for 2000 draws
 * BLN_EINVAL: S = 0, a NULL, r_eff not >= 0 or infinite.  BLN_EDATA: NaN (row: which draw).  BLN_EUNDEFINED: all are -infinity. */
BLN_API bln_status bln_psis(size_t S, double *log_ratio, double r_eff, double *k_hat, double *work, bln_report *report);
BLN_API size_t     bln_psis_work(size_t S);

/* From log p(y_i | w_s), S x n with stride ld >= n: row s of the table is one draw.
 *     elpd     n: log sum_s (smoothed weight) p(y_i | w_s); NULL to skip it
 *     k_hat    n; NULL to skip it
 *     total    bad: rows with k_hat above limit(S)                                                              (required)
 * weight: n row weights, NULL: all 1. A row of weight k is k copies, which are left out together; elpd_i is that of one of them. A
 * row of weight 0 was never in: its elpd is log p(y_i | all rows). r_eff as above, for all rows.
 * work: bln_psis_loo_work(S) doubles.   n times the above; the table is read once, by columns
 * BLN_EINVAL: no draws or rows, a NULL, ld < n, r_eff.  BLN_EDATA: NaN or +infinity in the table, a weight that is NaN or infinite;
 * BLN_EDOMAIN: a weight < 0. The report has row i, and the draw as its column. log p = -infinity in some draw gives elpd_i =
 * -infinity. */
BLN_API bln_status bln_psis_loo(size_t S, size_t n, const double *log_p, size_t ld, const double *weight, double r_eff,
                                double *elpd, double *k_hat, bln_elpd *total, double *work, bln_report *report);
BLN_API size_t     bln_psis_loo_work(size_t S);

/* The widely applicable information criterion of the same table: elpd_i = log mean_s p(y_i | w_s) - v_i, v_i the variance of log
 * p(y_i | w_s) over the draws (S - 1).                                                           [scores 23; Watanabe 2010]
 *     elpd, v      n each, NULL to skip; total: bad counts v_i > 0.4, where elpd_i may be far off            (required)
 * Cheaper than bln_psis_loo and never better. Copies of a row count one by one, each given the others. Needs S >= 2, else
 * BLN_EINVAL; work: S doubles; otherwise as above. */
BLN_API bln_status bln_waic(size_t S, size_t n, const double *log_p, size_t ld, const double *weight, double *elpd, double *v,
                            bln_elpd *total, double *work, bln_report *report);

#endif /* BLN_POSTERIOR_PSIS_H */
