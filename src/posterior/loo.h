#ifndef BLN_POSTERIOR_LOO_H
#define BLN_POSTERIOR_LOO_H
#include "psis.h"
#include "posterior.h"
/* >>loo - a posterior without a row, or a group of rows, and without fitting again
 *
 * Parameters stay as they were learnt; the weights forget the rows, in one of two ways:
 *
 *     cavity   components that can (>>kind_gaussian, of one latent or with T a multiple of the noise) and whose sites are known.
 *              With g_i and W_i slope and minus curvature of log p(y_i | f) at the mode, or of its expectation (q->sites), both
 *              times the row's weight, h_i = W_i v_i the row's leverage, v_i the variance that the weights give f_i:
 *                  v' = v_i/(1 - h_i),   m' = phi_i'm + offset - v' g_i        [scores 19; linear 39; Vehtari et al. 2016, 3.4]
 *              With normal noise this is exact, and else one step of Newton's method on the way to the fit without the row. Of
 *              several components (nodes of hyper-parameters) each has a new weight, weight_k/p_k(y_i | others), which is exact
 *              given the p_k; of a row of weight other than 1 with a likelihood p_k is Laplace's.
 *     draws    any other posterior of one latent: values of f_i, reweighted (>>psis) [scores 20]; points are draws themselves.
 *
 * Rows of weight k are left out with all their copies, and figures are those of ONE of them; a row of weight 0 was never in, and
 * gets its ordinary prediction. The data must be those of the fit, all rows with their weights; groups of a low-rank form in its
 * order. Rows left out one by one may also come in blocks, but not of a low-rank form: ask a copy of q whose rows is 0 about each.
 * By itself a row of a low-rank form (a Gaussian process with next to no noise) is left out without a difference, and so keeps the
 * digits that K + noise has; in groups 1 - h loses eps times prior over noise variance.
 * What features miss (>>inducing) is added to v', as in all predictions; in draws of a posterior by a bound (likelihood, no sites
 * at a mode) ratios are exp(-E log p) over it.
 *
 * Errors: those of >>predict with y;  BLN_EINVAL: a required pointer is NULL, level not in (0, 1), other rows than those of the fit
 * (their total weight differs from q->rows, if that is not 0, or their order), groups or draws where they cannot be had, a single
 * point.  BLN_ESHAPE: other than k rows for a low-rank form of rank k.  BLN_EUNDEFINED: next to nothing but what is left out
 * determines a direction of the weights, so that more than 1e-5 of 1 - h is lost in rounding: all figures of such rows are NaN,
 * they count for nothing in the total, all others have their values; the report has the first.  BLN_ENUMERIC: a result overflows,
 * or there is no noise.  BLN_ENOMEM, BLN_EOVERFLOW. After errors other than BLN_EUNDEFINED the outputs are unspecified. All room is
 * from q->alloc. */

typedef struct bln_loo_desc {
    int      psis;             /* by draws, even where there is a cavity                           (0: cavity if there is one)   */
    size_t   draws;            /* of f for each row                                                (0: 2000)                     */
    uint64_t seed;             /* of these; row i has stream i                                     (0: seed 0)                   */
    double   level;            /* probability of the intervals                                     (0: 0.95)                     */
} bln_loo_desc;

/* What is asked of each row without itself, NULL for what is not wanted. */
typedef struct bln_loo_outputs {
    double *logdensity;        /* n: log p(y_i | others), of all outputs of the row together                                     */
    double *influence;         /* n: h, or k_hat of draws: near 1, the row stands nearly alone. Of groups 1 - v_i/v_i'            */
    double *mean, *var_model, *var_noise;          /* n x n_moments: E y, Var E[y | f], E Var[y | f]                             */
    double *lower, *upper;     /* n x n_y: central interval of y                                                                 */
    double *latent_mean, *latent_var;              /* n x J: of f, offset included                                               */
    bln_elpd *total;           /* of logdensity; bad: influence above 0.7, of draws above bln_psis_limit                          */
} bln_loo_outputs;

/* Each row by itself. desc: NULL for all defaults.
 *     cavity: D^2 flops a row and component (3 D k and k^2 of low rank, memory k (2 D + 2 k)), and what >>predict takes for the
 *     answers; draws: 1 ms a row */
BLN_API bln_status bln_posterior_loo(const bln_posterior *q, const bln_data *data, const bln_loo_desc *desc,
                                     const bln_loo_outputs *out, bln_report *report);

/* Each row without its whole group, group[i] < n_groups, by the cavity alone:
 *     C'^-1 = C^-1 - Phi_G'W Phi_G,   m' = m - C'Phi_G'g
 * Figures are those of each row by itself. logp: n_groups, or NULL: log density of all copies of the rows of a group together
 * given the others, 0 for an empty one; with a likelihood by Laplace's formula, with noise exactly, what features miss included.
 *     2 m D^2 flops and m^2 D + m^3, or D^3/3 for m > D/2, for a group of m rows; memory m (2 D + d), m^2 or 2 D^2, for the largest
 * BLN_EDOMAIN: group[i] >= n_groups (row i). A group that is lost has NaN in all its rows. */
BLN_API bln_status bln_posterior_loo_groups(const bln_posterior *q, const bln_data *data, const size_t *group, size_t n_groups,
                                            const bln_loo_desc *desc, const bln_loo_outputs *out, double *logp, bln_report *report);

/* One group, rows[0..m-1], all different, with noise: mean of y (m x n_y), covariance of one copy of each row (m x m, stride ldc,
 * 0: m, both triangles; of the first output), and logp as above. Each may be NULL. m = 0: logp = 0.
 * BLN_EINVAL: m > n, an index beyond the data or twice (the report's row is its place), a likelihood. */
BLN_API bln_status bln_posterior_loo_rows(const bln_posterior *q, const bln_data *data, size_t m, const size_t *rows, double *mean,
                                          double *cov, size_t ldc, double *logp, bln_report *report);

/* The table that >>psis takes: out[s*ld + i] = log p(y_i | f_is), S x n, ld >= n; f_is: draw s of f at row i by itself. Of points S
 * must be their number, and draw s is component s.   BLN_EINVAL: S = 0 or another number, ld < n */
BLN_API bln_status bln_posterior_loglikelihoods(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *out,
                                                size_t ld, bln_report *report);

/* bln_waic of these draws, with its outputs, row by row.   BLN_EINVAL: S < 2, total is NULL */
BLN_API bln_status bln_posterior_waic(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *elpd,
                                      double *v, bln_elpd *total, bln_report *report);

#endif /* BLN_POSTERIOR_LOO_H */
