#ifndef BLN_POSTERIOR_PREDICT_H
#define BLN_POSTERIOR_PREDICT_H
#include "posterior.h"
#include "../basis/basis.h"
#include "../math/special.h"
/* >>predict - from a posterior over weights to predictions
 *
 *     f* ~ N(phi*'m + offset, v_f),   v_f = phi*'C phi* + sum_s lambda_s (k_s(x*, x*) - |phi_s*|^2),
 *     y* adds the noise: v_y = v_f + sigma^2 v*                                              [spec/slm.md S35, S36; bases.md B35]
 *
 * The second term is the prior variance that features leave out (bln_basis_variance): 0 for all but inducing points, or where the
 * weights of a slice have no common prior variance lambda_s. */

/* Mean and latent variance of f at the n rows of X, in blocks of at most `block` rows (0: 256).
 * mean, var: n each, either may be NULL. work: bln_predict_work(basis, g, block) doubles.   2 n D^2 flops at most */
BLN_API void bln_predict_latent(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                size_t ldx, size_t block, double *mean, double *var, double *work);
/* Doubles of workspace; SIZE_MAX on overflow. */
BLN_API size_t bln_predict_work(const bln_basis *basis, const bln_gaussian *g, size_t block);

/* Slopes of the mean and of the latent variance (and so of the total one) with respect to the inputs, at the n rows of X:
 *     dmean_ij = d(phi_i'm)/dx_ij,   dvar_ij = d v_f(x_i)/dx_ij
 * by the basis's pullback of F = m' and of F = 2 phi'C (less 2 lambda_s phi_s' where features leave variance out); no n x D x d
 * array is formed. dmean, dvar: n x d (d = basis->d), stride lddx >= d; either may be NULL. In blocks of at most `block` rows
 * (0: 256).
 * work: bln_predict_gradient_work(basis, g, block) doubles.
 * Where a variance is cut off at 0, dvar is still the slope of what is cut off.
 * 2 n D^2 flops (4 n D k) and two pullbacks.
 * BLN_EINVAL: the basis, or a part of it, has features of its inputs but no pullback; nothing is written. */
BLN_API bln_status bln_predict_gradient(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n,
                                        const double *X, size_t ldx, size_t block, double *dmean, double *dvar, size_t lddx,
                                        double *work);
/* Doubles of workspace; SIZE_MAX on overflow. */
BLN_API size_t bln_predict_gradient_work(const bln_basis *basis, const bln_gaussian *g, size_t block);

/* Of N(mean, var), var > 0, elementwise over n: the central interval of probability `level`; log density; cdf; quantile.
 * level or p outside (0,1), or var not > 0: NaN; but intervals and
 * quantiles of var = 0 are the mean. Outputs may be the inputs. */
BLN_API void bln_normal_intervals(size_t n, const double *mean, const double *var, double level, double *lower, double *upper);
BLN_API void bln_normal_logdensities(size_t n, const double *mean, const double *var, const double *y, double *out);
BLN_API void bln_normal_cdfs(size_t n, const double *mean, const double *var, const double *y, double *out);
BLN_API void bln_normal_quantiles(size_t n, const double *mean, const double *var, double p, double *out);

#endif /* BLN_POSTERIOR_PREDICT_H */
