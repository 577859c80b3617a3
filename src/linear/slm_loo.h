#ifndef BLN_LINEAR_SLM_LOO_H
#define BLN_LINEAR_SLM_LOO_H
#include "slm.h"
/* >>slm_loo - the linear model without a row, a group of rows, or a feature: exact, and without fitting again
 *
 * Hyper-parameters stay as they were learnt. With residuals r = y - offset - Phi m of the fit, W = Omega_I^1/2 Phi_I and
 * H = W C W'/sigma^2 for the rows I that are left out:                            [spec/slm.md S39, S40; Rasmussen & Williams 5.12]
 *
 *     one row     h = omega v_f/sigma^2 (its leverage),  mean of y = f - r h/(1 - h),  variance of y = sigma^2 v + v_f/(1 - h)
 *     a group     mean of f = f_I - P Omega^1/2 (I - H)^-1 Omega^1/2 r_I/sigma^2,   P = Phi_I C Phi_I'
 *                 covariance of f = P + P Omega^1/2 (I - H)^-1 Omega^1/2 P/sigma^2
 *
 * Rows of weight k count as k copies, and leaving out such a row leaves out all its copies (a row of weight 0 was never in: what
 * comes out is its ordinary prediction). Means and variances are those of ONE copy of each row: one new measurement there, of
 * noise variance sigma^2 v.
 *
 * The data must be those of the fit, with their weights: all rows, since their total weight is compared with that of the fit, and,
 * if the posterior is in low-rank form, in the order of the fit, since V knows the rows by their place.
 *
 * Several outputs: a row is left out with all of them, and h is the same for all. The covariance of outputs p and q, of y at one
 * row or of a group, is Sigma_pq/Sigma_pp times that of output p.
 *
 * Prior variance that features leave out (>>inducing): what is predicted is f itself, as in >>predict, and so
 *     R = sum_s lambda_s (k_s(X_I, X_I) - Phi_s Phi_s'),  Phi_s the features of slice s                       [Titsias 2009; B35]
 * is added to the covariance of f (between rows only where the basis knows its kernel, bln_basis_kernel), and densities are of the
 * sum. In the posterior of the weights, and so in H and in means, it has no part, as it has none in the fit.
 *
 * Leverage 1: where next to nothing but the rows left out determines a direction of the weights (an indicator that only they have,
 * under a wide prior), their prediction is lost in rounding: of 1 - h, which is a difference in factor form, about eps/(1 - h); in
 * low-rank form, where it is a sum of squares, eps omega phi'Lambda phi/sigma^2 whatever h is. When more than 1e-5 would be lost
 * (by this estimate), the row or group gets NaN in every output, all others their values, and the call ends with BLN_EUNDEFINED;
 * the report names the first such row.
 *
 * Errors of all calls:  BLN_EINVAL: NULL; other data than those of the fit (total weight, or order in low-rank form).
 * BLN_ESTATE: not fitted.  BLN_ESHAPE: data.d is not basis.d; other than k rows for a posterior in low-rank form of rank k.
 * BLN_EDATA, BLN_EDOMAIN: see bln_data_check.  BLN_EUNDEFINED: see above.  BLN_ENUMERIC: a result overflows (the report names its
 * row), or the fit is perfect, with no noise.  BLN_ENOMEM, BLN_EOVERFLOW. After an error other than BLN_EUNDEFINED the outputs are
 * unspecified. */

/* Leave-one-out: for each of the n rows the mean and variance of y without it (n each, or n x P), and its leverage h (n); each or
 * NULL. *score: sum over rows of weight x log N(y | mean, var), every copy scored by itself, outputs together (with their
 * covariance); divided by bln_slm_rows it is a mean log score. NULL to skip it.
 * work: bln_slm_loo_work(slm) doubles, or NULL to allocate.   D^2 flops a row (2 D k in low-rank form), one pass over the rows
 * in blocks */
BLN_API bln_status bln_slm_loo(const bln_slm *slm, const bln_data *data, double *mean, double *var, double *leverage, double *score,
                               double *work, bln_report *report);

/* The same from a source. The outputs have room for `room` rows each: more is BLN_ESHAPE, unless all three are NULL. What the
 * source returned is handed on. */
BLN_API bln_status bln_slm_loo_source(const bln_slm *slm, const bln_source *source, size_t room, double *mean, double *var,
                                      double *leverage, double *score, double *work, bln_report *report);
/* Doubles of workspace for both; SIZE_MAX on overflow, 0 for an unfitted model. */
BLN_API size_t     bln_slm_loo_work(const bln_slm *slm);

/* Leave-group-out, one group: the m rows rows[0..m-1] (indices into data, all different, in any order, which the outputs follow).
 *     mean     m, or m x P: means of y
 *     cov      m x m (stride ldc, 0 means m), both triangles: covariance of y, one copy of each row; with several outputs of the
 *              first one
 *     *logp    log density of all copies of all rows of the group together, given the other rows, in nats: the difference
 *              log p(y) - log p(y without the group)
 *                  = -1/2 [N_I log(2 pi sigma^2) - ld_I - log|I - H| + r'Omega^1/2 (I - H)^-1 Omega^1/2 r/sigma^2],
 *              N_I and ld_I the sums of weight and of weight log(1/v). Where features leave variance out, with K = (I - H)^-1 +
 *              Omega^1/2 R Omega^1/2/sigma^2 and the errors e of the means above:
 *                  = -1/2 [N_I log(2 pi sigma^2) - ld_I + log|K| + e'Omega^1/2 K^-1 Omega^1/2 e/sigma^2]
 * Each may be NULL. m = 0: logp = 0.
 * m D^2 + m^2 D + 2 m^3 flops (2 m D k for the first term in low-rank form) and m (2 D + 2 k) + 3 m^2 doubles from the model's
 * allocator; without cov, in factor form, and unless features leave variance out, at most 4 m D^2 + D^3 flops and 2 D^2 + 2 block D
 * doubles, however large m is.
 * Besides the errors above, BLN_EINVAL: an index >= n, or one that stands twice (the report's row is its place in rows). */
BLN_API bln_status bln_slm_leave_out(const bln_slm *slm, const bln_data *data, size_t m, const size_t *rows, double *mean,
                                     double *cov, size_t ldc, double *logp, bln_report *report);

/* All groups, each left out by itself (exact cross-validation at fixed hyper-parameters): group[i] < n_groups is row i's group.
 *     mean, var     n, or n x P: of y_i without its group
 *     logp          n_groups: as above, one for each group (0 for one without rows)
 * Each may be NULL. Costs of bln_slm_leave_out without cov, summed over the groups; memory that of the largest one, and
 * n + n_groups indices. A group that is undefined has NaN for its logp too.
 * Besides the errors above, BLN_EDOMAIN: group[i] >= n_groups (the report names row i). */
BLN_API bln_status bln_slm_leave_groups_out(const bln_slm *slm, const bln_data *data, const size_t *group, size_t n_groups,
                                            double *mean, double *var, double *logp, bln_report *report);

/* Relevance of the features, D entries each; either may be NULL:
 *     gamma[i] = 1 - C_ii/lambda_i, in [0, 1]: how far the data determine w_i; 0 leaves it at its prior                 (S8)
 *     loss[i]  = log p(y) - log p(y | lambda_i = 0) = 1/2 [log(1 - gamma_i) + (m_i^2/lambda_i)/(1 - gamma_i)]            (S33, S34)
 *                (of several outputs P log(1 - gamma_i), and m_i Sigma^-1 m_i'/r_i; Sigma stays)
 *                the evidence lost, in nats, when feature i is removed and all else stays; below 0 the model is better without it
 * A feature with a flat prior has gamma = 1, and as evidence that of its density 1 (>>slm), in the units of w_i:
 *     loss[i]  = 1/2 [log(2 pi C_ii) + m_i^2/C_ii]
 * Of the features' own evidence: prior variance that they leave out (inducing points) counts for nothing here.
 * From the posterior alone. gamma to about D eps absolute (in low-rank form to full relative accuracy). 0 and 0 for a
 * feature with lambda_i = 0. Second formula: S33 with s_i, q_i written out, where 1 + lambda_i s_i = 1/(1 - gamma_i).
 *     D^3/3 flops, or D k
 * BLN_EINVAL: slm is NULL.  BLN_ESTATE: not fitted.  BLN_ENUMERIC: 1 - gamma_i is lost in rounding, or a loss overflows (the
 * report's column is i).  BLN_ENOMEM. */
BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report);

#endif /* BLN_LINEAR_SLM_LOO_H */
