#ifndef BLN_RANDOM_MULTIVARIATE_H
#define BLN_RANDOM_MULTIVARIATE_H
#include "rng.h"
#include "../core/status.h"
/* >>multivariate - samplers of vectors
 *
 * n draws become the rows of X, n x D with row stride ldx >= D; the padding stays as it was. Row i is what the i-th of n calls
 * for one draw would give, but for rounding. Nothing is allocated. A call that fails draws and writes nothing. No overlap. */

/* Normal vectors x ~ N(mean, Sigma), from the factor of the covariance, Sigma = U'U (bln_potrf), or of the precision,
 * Sigma^-1 = U'U; no matrix is inverted:   (spec/samplers.md R16)
 *
 *     bln_rng_mvnormal               x = mean + U' eps          n D^2 flops
 *     bln_rng_mvnormal_precision     x = mean + U^-1 eps        n D^2 flops
 *
 * mean: D entries; NULL for 0. U: D x D, upper triangle, stride ldu >= D; that of a covariance may have zeros on its diagonal,
 * which give draws in a subspace.
 * BLN_EINVAL: ldu or ldx below D.  BLN_ENOTPD: a diagonal entry of U is NaN or infinite or, of a precision, 0. */
BLN_API bln_status bln_rng_mvnormal(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                    double *X, size_t ldx);
BLN_API bln_status bln_rng_mvnormal_precision(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                              double *X, size_t ldx);

/* Student-t vectors: mean + sqrt(nu/chi2_nu) z with z as above for mean 0, one chi-square for the whole vector; the scale matrix S
 * is U'U or S^-1 is. The covariance is nu/(nu - 2) S where nu > 2; (x - mean)'S^-1 (x - mean)/D is F(D, nu).   (R16)
 * nu = inf: normal. Draws beyond the range of doubles, which nu below 0.05 brings, are infinite or, where U is singular, NaN.
 * BLN_EINVAL, BLN_ENOTPD: as above.  BLN_EDOMAIN: nu not > 0. */
BLN_API bln_status bln_rng_mvt(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                               double *X, size_t ldx);
BLN_API bln_status bln_rng_mvt_precision(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U,
                                         size_t ldu, double *X, size_t ldx);

/* Dirichlet vectors, density proportional to prod_k x_k^{alpha_k - 1} on sum_k x_k = 1: normalised gammas, in logs.   (R8)
 * alpha: D entries >= 0, not all 0; alpha_k = 0 gives x_k = 0; positive ones below 1e-300 count as 1e-300. D = 1 gives 1. The
 * second form writes log x_k, which small alpha do not make underflow; it takes the same random bits as the first.
 * BLN_EINVAL: ldx below D.  BLN_EDOMAIN: D = 0, or alpha_k negative, infinite or NaN, or all 0. */
BLN_API bln_status bln_rng_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx);
BLN_API bln_status bln_rng_log_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx);

#endif /* BLN_RANDOM_MULTIVARIATE_H */
