#ifndef BLN_POSTERIOR_LOO_H
#define BLN_POSTERIOR_LOO_H
#include "psis.h"
#include "posterior.h"
/* >>loo - predictions without a row, or without a group of rows, and without fitting again
 *
 * The rows are removed from the posterior of the weights; hyper-parameters stay as they were learnt. There are two ways:
 *
 *     cavity   for Gaussian components (>>kind_gaussian: of one latent, or of outputs with T a multiple of the noise covariance)
 *              if q->sites is set. g_i is the slope and W_i minus the curvature of log p(y_i | f_i), at the mode or in expectation
 *              (q->sites), both times the row's weight. v_i is the variance of f_i by the weights, h_i = W_i v_i the leverage:
 *                  v' = v_i/(1 - h_i),   m' = phi_i'm + offset - v' g_i        [scores 19; linear 39; Vehtari et al. 2016, 3.4]
 *              Exact for normal noise; else one step of Newton's method towards the fit without the row. If there are several
 *              components (nodes of hyper-parameters), their weights become weight_k/p_k(y_i | others), normalised, where p_k is
 *              the density that component k predicts; for likelihoods and rows of weight other than 1 it is Laplace's.
 *     draws    for any other posterior of one latent: draws of f_i are reweighted by >>psis [scores 20]. Points are such draws.
 *
 * A row of weight k is left out with all its copies, and the results are those of ONE copy. A row of weight 0 gets its ordinary
 * prediction. The data must be those of the fit, all rows with their weights; for a low-rank form also in the same order. Other
 * forms may leave out rows one by one in blocks of the data: set rows = 0 in a copy of q, and call it for each block.
 * A single row of a low-rank form (a Gaussian process with little noise) is left out without subtraction and keeps all digits. For
 * groups 1 - h is a difference, with an error of eps times the ratio of prior and noise variance.
 * v' includes the residual prior variance (>>inducing), as all predictions do. In draws of a posterior found by a bound (a
 * likelihood without sites at the mode) the ratios are exp(-E log p), the expectation over that variance.
 *
 * Errors: those of >>predict with y.  BLN_EINVAL: a required pointer is NULL, level outside (0, 1), the rows are not those of the
 * fit (the sum of their weights is not q->rows, unless that is 0, or their order differs), groups without a cavity, draws of
 * several latents, a single point.  BLN_ESHAPE: a low-rank form of rank k, and not k rows.  BLN_EUNDEFINED: almost only the removed
 * rows determine some direction of the weights, and more than 1e-5 of 1 - h is lost in rounding. The results of these rows are NaN,
 * and the total leaves them out; all others are valid. The report has the first such row.  BLN_ENUMERIC: overflow, or no noise.
 * BLN_ENOMEM, BLN_EOVERFLOW. After errors other than BLN_EUNDEFINED the outputs are unspecified. Memory is from q->alloc. */

typedef struct bln_loo_desc {
    int      psis;             /* use draws even if there is a cavity                              (0: cavity if there is one)   */
    size_t   draws;            /* draws of f for each row; points: as many as they are             (0: 2000)                     */
    uint64_t seed;             /* of the draws; row i has stream i                                 (0: seed 0)                   */
    double   level;            /* probability of the intervals                                     (0: 0.95)                     */
} bln_loo_desc;

/* The results for each row, predicted without it; NULL for what is not wanted. n_moments and n_y: see bln_observe. */
typedef struct bln_loo_outputs {
    double *logdensity;        /* n: log p(y_i | others) in nats, of all outputs of the row together                             */
    double *influence;         /* n: h_i, or k_hat of draws; near 1, hardly another row determines f_i. Groups: 1 - v_i/v_i'      */
    double *mean, *var_model, *var_noise;          /* n x n_moments: E y, Var E[y | f], E Var[y | f]                             */
    double *lower, *upper;     /* n x n_y: central interval of y                                                                 */
    double *latent_mean, *latent_var;              /* n x J: mean and variance of f, offset included                             */
    bln_elpd *total;           /* sum of logdensity; bad rows: influence above 0.7, of draws above bln_psis_limit                 */
} bln_loo_outputs;

/* Leaves out each row by itself. desc: NULL for all defaults.
 *     Cavity: D^2 flops for each row and component (low rank k: 3 D k + k^2, memory k (2 D + 2 k)), and the cost of >>predict.
 *     Draws: about 1 ms a row. */
BLN_API bln_status bln_posterior_loo(const bln_posterior *q, const bln_data *data, const bln_loo_desc *desc,
                                     const bln_loo_outputs *out, bln_report *report);

/* Predicts each row without its whole group G, group[i] < n_groups, by the cavity only:
 *     C'^-1 = C^-1 - Phi_G'W Phi_G,   m' = m - C'Phi_G'g
 * The outputs are those of each row by itself. logp: n_groups, or NULL: the joint log density of all copies of the rows of a group
 * given the others, 0 for an empty group. Exact for normal noise, residual prior variance included; else by Laplace's formula.
 *     Of a group of m rows 2 m D^2 + m^2 D + m^3 flops, or D^3/3 if m > D/2; memory for the largest m (2 D + d), and m^2 or 2 D^2
 * BLN_EDOMAIN: group[i] >= n_groups (row i). BLN_EUNDEFINED: all rows of such a group are NaN. */
BLN_API bln_status bln_posterior_loo_groups(const bln_posterior *q, const bln_data *data, const size_t *group, size_t n_groups,
                                            const bln_loo_desc *desc, const bln_loo_outputs *out, double *logp, bln_report *report);

/* The table for >>psis: out[s*ld + i] <- log p(y_i | f_is), S x n, ld >= n, where f_is is draw s of f at row i, independent of
 * other rows. For points S must be their number, and draw s is component s.   BLN_EINVAL: S = 0 or another number, ld < n */
BLN_API bln_status bln_posterior_loglikelihoods(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *out,
                                                size_t ld, bln_report *report);

/* bln_waic of the same draws, with its outputs, without keeping the table.   BLN_EINVAL: S < 2, total is NULL */
BLN_API bln_status bln_posterior_waic(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *elpd,
                                      double *v, bln_elpd *total, bln_report *report);

#endif /* BLN_POSTERIOR_LOO_H */
