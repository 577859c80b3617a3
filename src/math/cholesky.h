#ifndef BLN_MATH_CHOLESKY_H
#define BLN_MATH_CHOLESKY_H
#include "blas.h"
#include "../core/status.h"
/* >>cholesky - factorisation of symmetric positive definite matrices, and what follows from it
 *
 * The factor is upper: A = U'U, in the upper triangle; what lies below the diagonal is neither read nor written. Conventions of
 * >>blas; nothing is allocated; stack: BAYESLIN_STACK bytes at most, or what bln_gemm uses. Solves multiply by 1/U_ii, which must
 * not overflow (in a factor it cannot). The residuals obey the bounds of Higham 2002, chapters 8, 10 and 14: a few n eps times
 * |U'||U|, |U||X|, |U||V|. */

/* A = U'U in place.   n^3/3 flops.
 * BLN_ENOTPD: pivot *bad (0-based) is not > 0, or not finite; the triangle is then unspecified. bad may be NULL. */
BLN_API bln_status bln_potrf(size_t n, double *A, size_t lda, size_t *bad);

/* Solve op(U) X = B in place; B: n x m -> X.  op = BLN_NOTRANS: U X = B;  BLN_TRANS: U'X = B.   n^2 m flops
 * A zero on the diagonal makes infinities and NaN. */
BLN_API void bln_trsm(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb);

/* bln_trsm for one vector.   n^2 flops */
BLN_API void bln_trsv(bln_trans op, size_t n, const double *U, size_t ldu, double *x);

/* x <- (U'U)^-1 x.   2 n^2 flops */
BLN_API void bln_potrs(size_t n, const double *U, size_t ldu, double *x);

/* U <- U^-1 in place (upper triangular).   n^3/3 flops, exploiting the triangle. A zero on the diagonal: as bln_trsm */
BLN_API void bln_trtri(size_t n, double *U, size_t ldu);

/* C = V V' for upper triangular V (V = U^-1 gives C = (U'U)^-1); upper triangle of C. C may be V itself.   n^3/3 flops */
BLN_API void bln_lauum(size_t n, const double *V, size_t ldv, double *C, size_t ldc);

/* log det(U'U) = 2 sum_i log U_ii, 0 if n = 0; NaN for a diagonal entry below 0.   O(n) */
BLN_API double bln_logdet_factor(size_t n, const double *U, size_t ldu);

#endif /* BLN_MATH_CHOLESKY_H */
