#ifndef BLN_GLM_GLM_LOO_H
#define BLN_GLM_GLM_LOO_H
#include "../posterior/psis.h"
#include "glm.h"
/* >>glm_loo - the generalised linear model without a row, and without fitting again
 *
 * Hyper-parameters stay as they were learnt; the posterior of the weights forgets the row, in one of two ways:
 *
 *     BLN_GLM_LOO_CAVITY   Gaussian posteriors, of Laplace and of the full bound. With g_i and W_i the slope and minus the
 *                          curvature of log p(y_i | f) at the mode, or of its expectation (g = dE/dm, W = -2 dE/dv), both times the
 *                          row's weight, these have C^-1 = Lambda^-1 + sum_i W_i phi_i phi_i' and Lambda^-1 m = sum_i g_i phi_i.
 *                          Without row i, the other terms as they are: f_i ~ N(m', v'), h_i = W_i v_i its leverage,
 *                              v' = v_i/(1 - h_i),   m' = phi_i'm - v' g_i,   p(y_i | others) = E p(y_i | f_i)
 *                                                                                               [Vehtari et al. 2016, 3.4]
 *                          that is one step of Newton's method on the way to the fit without the row; of a Gaussian likelihood the
 *                          whole way, >>slm_loo. No noise, one pass over the rows. Against fits that really leave the row out (40
 *                          to 100 rows, 3 to 12 weights, logit and Poisson) log densities were off by 0.001 to 0.01 (root mean
 *                          square); with fewer than two rows for each weight by up to 0.13 where h_i was below 0.9, by 1 above.
 *     BLN_GLM_LOO_PSIS     any posterior, and all there is for mixtures: draws of f_i, reweighted (>>psis). On the same data off by
 *                          0.006 to 0.12, and by more than 1 where rows are few.
 *
 * Take the first where it is to be had. What a posterior by a mixture leaves out (correlations), its rows left out do not know.
 *
 * Rows of weight k are left out with all their copies, and figures are those of ONE of them; a row of weight 0 was never in, and
 * gets its ordinary prediction. The data must be those of the fit, with their weights. Prior variance that features leave out
 * (inducing points) is added to v', as in all predictions; of PSIS of a bound, whose part of it no row has changed, draws are
 * reweighted by exp(-E log p) over that variance. */
typedef enum bln_glm_loo_method { BLN_GLM_LOO_DEFAULT, BLN_GLM_LOO_CAVITY, BLN_GLM_LOO_PSIS } bln_glm_loo_method;

typedef struct bln_glm_loo_desc {
    bln_glm_loo_method method;         /*                                      (0: cavity; of mixtures, PSIS) */
    size_t             draws;          /* of f for each row, for PSIS          (0: 2000)                      */
    uint64_t           seed;           /* of these; row i has stream i         (0: seed 0)                    */
    double             level;          /* probability of the intervals         (0: 0.95)                      */
} bln_glm_loo_desc;

/* What is asked of each row without itself, n each, NULL for what is not wanted. */
typedef struct bln_glm_loo_outputs {
    double *log_density;               /* log p(y | others), of the row's own y                               */
    double *mean, *model, *noise;      /* E y, Var E[y | f], E Var[y | f]                                     */
    double *lower, *upper;             /* central interval of y of probability `level`                        */
    double *latent_mean, *latent_var;  /* of f, offset included                                               */
    double *influence;                 /* h, or k_hat of PSIS: near 1, the row stands nearly alone            */
    bln_elpd *total;                   /* of log_density; bad: rows whose influence is above 0.7, or above
                                          bln_psis_limit(draws)                                               */
} bln_glm_loo_outputs;

/* Leave-one-out. desc: NULL for all defaults.
 * Cavity: 2 D^2 flops a row and 50 us of quadrature, the same again for `total`; PSIS: 1 ms a row with 2000 draws, intervals 2 ms
 * more. Memory O(block D + draws) from the model's allocator.
 * BLN_EINVAL: NULL, other rows than those of the fit (their total weight differs), cavity of a mixture, MAP, level not in (0, 1).
 * BLN_ESTATE: not fitted.  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for fit.  BLN_EUNDEFINED: next to nothing but the row determines a
 * direction of the weights (1 - h lost in rounding, or not > 0): all figures of such rows are NaN, they count for nothing in total,
 * all others have their values; the report names the first.  BLN_ENOMEM, BLN_EOVERFLOW. After other errors the outputs are
 * unspecified. */
BLN_API bln_status bln_glm_loo(const bln_glm *glm, const bln_data *data, const bln_glm_loo_desc *desc,
                               const bln_glm_loo_outputs *out, bln_report *report);

/* The same for groups of rows, by the cavity, so of Gaussian posteriors alone: group[i] < n_groups is row i's group, and each row
 * is predicted without its whole group. With the rows G of one, g and W theirs (times their weights),
 *     C'^-1 = C^-1 - Phi_G'W Phi_G,   m' = m - C'Phi_G'g,   f_i ~ N(phi_i'm', phi_i'C'phi_i)                 [Vehtari et al. 2016]
 * the same step of Newton's method: of a Gaussian likelihood the whole way, as bln_slm_leave_groups_out. Figures are those of each
 * row by itself: log_density is log p(y_i | the other groups), total their sum; influence is 1 - v_i/v_i', the share of what is
 * known of f_i that its group brought, h where the row is alone. A row of weight 0 forgets its group too. The more rows leave, the
 * longer the step: of 60 rows and 3 weights, logit and Poisson, log densities were off by 0.004 to 0.01 (root mean square) without
 * groups of 6, by 0.01 to 0.02 without thirds of the rows, by 0.03 to 0.05 without halves; leaving them out changed them by 0.09
 * to 0.16, 0.14 to 0.17, and 0.18 to 0.29.
 * 4 D^2 flops a row and D^3/3 a group; memory O(D^2 + block (D + d)) and n + n_groups indices, however large a group is.
 * Errors as above; BLN_EINVAL: group is NULL, or a posterior or method by draws; BLN_EDOMAIN: group[i] >= n_groups (row i). A group
 * that is lost has NaN in all its rows. */
BLN_API bln_status bln_glm_leave_groups_out(const bln_glm *glm, const bln_data *data, const size_t *group, size_t n_groups,
                                            const bln_glm_loo_desc *desc, const bln_glm_loo_outputs *out, bln_report *report);

/* The table that >>psis takes: out[s*ld + i] = log p(y_i | f_is), S x n, ld >= n; f_is: draw s of f at row i under the posterior of
 * all rows, as in bln_glm_latent. Row i draws from stream i of the seed: each column has the right distribution, but a row of the
 * table is no draw of the weights. For leave-one-out of your own.
 * Errors as above, but for BLN_EUNDEFINED and the total weight; BLN_EINVAL: S = 0, ld < n. */
BLN_API bln_status bln_glm_log_likelihoods(const bln_glm *glm, const bln_data *data, size_t S, uint64_t seed, double *out,
                                           size_t ld, bln_report *report);

/* bln_waic of these draws, which has its outputs and what they mean, row by row, with the rows' weights: without the table.
 *     0.1 ms a row with 2000 draws; memory O(block D + S) from the model's allocator
 * Errors as bln_glm_loo, but for BLN_EUNDEFINED; BLN_EINVAL: S < 2, total is NULL. */
BLN_API bln_status bln_glm_waic(const bln_glm *glm, const bln_data *data, size_t S, uint64_t seed, double *elpd, double *v,
                                bln_elpd *total, bln_report *report);

#endif /* BLN_GLM_GLM_LOO_H */
