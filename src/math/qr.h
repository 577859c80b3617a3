#ifndef BLN_MATH_QR_H
#define BLN_MATH_QR_H
#include "cholesky.h"
/* >>qr - orthogonal factorisation, least squares, triangular factors that rows are added to and taken from
 *
 *     A = Q R,  Q'Q = I,  R upper triangular with a diagonal >= 0:  the factor of A'A = R'R without A'A, whose condition is the
 *     square of A's
 *
 * Conventions of >>blas; nothing is allocated, workspace is the caller's and starts as anything. No square overflows or underflows:
 * columns of any size, 1e-300 or 1e300, keep their digits as long as their norm is a double. NaN and infinities spread.
 *
 * Errors: the computed R (m x n, by k reflections) is the exact one of A + E with |E_j| <= gamma |A_j| for each column j by
 * itself, gamma = c k m eps, c a small number; in practice a few sqrt(k) eps. So neither the units of a column nor those of the
 * whole matter. Applying Q or Q' to a column b is exact for b + e, |e| <= gamma |b|. Adding n x n and k x n rows is the case m =
 * n + k.   [Higham 2002, Lemmas 19.2, 19.3, Theorem 19.4, section 19.6 for rotations] */

/* A (m x n) = Q R in place. R: upper triangle, or trapezoid if m < n. Below it, and in tau (min(m, n) of them), Q in the form
 *     Q = H_0 H_1 ... H_{k-1} D,  k = min(m, n),  H_j = I - |tau_j| v_j v_j',  v_j = (0, .., 0, 1, column j of A below the
 *     diagonal),  D_jj = -1 where tau_j < 0, else 1
 * work: bln_geqrf_work(m, n) doubles.   2 m n^2 - 2 n^3/3 flops for m >= n */
BLN_API void   bln_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work);
BLN_API size_t bln_geqrf_work(size_t m, size_t n);

/* C <- Q C (BLN_NOTRANS) or Q'C (BLN_TRANS), C: m x p; Q as bln_geqrf left its first k columns in A (m x k, k <= m) and tau. The
 * first k columns of Q itself are Q times those of the identity.
 * work: bln_ormqr_work(m, p, k) doubles.   4 m p k - 2 p k^2 flops */
BLN_API void   bln_ormqr(bln_trans op, size_t m, size_t p, size_t k, const double *A, size_t lda, const double *tau, double *C,
                         size_t ldc, double *work);
BLN_API size_t bln_ormqr_work(size_t m, size_t p, size_t k);

/* Least squares: the X (n x p) with the smallest |B_c - A X_c| for each column c of B (m x p), m >= n. A becomes its
 * factorisation, tau as above (n); the first n rows of B become X. residual[c] = |B_c - A X_c|; NULL to skip it.
 * X is exact for an A + E as above, B + e (Theorem 20.3): the condition of A counts, its square only times the residual.
 * work: bln_gels_work(m, n, p) doubles.   2 m n^2 - 2 n^3/3 + (4 m n - n^2) p flops
 * BLN_ESHAPE: m < n, nothing is written.  BLN_EUNDEFINED: column *bad of A depends on those before it, R_jj <= m eps |A_j| (or is
 * NaN); A is factorised and B holds Q'B then. bad may be NULL. */
BLN_API bln_status bln_gels(size_t m, size_t n, size_t p, double *A, size_t lda, double *tau, double *B, size_t ldb,
                            double *residual, double *work, size_t *bad);
BLN_API size_t     bln_gels_work(size_t m, size_t n, size_t p);

/* R (n x n, upper) <- the R of [R; A], A: k x n, which is overwritten: so that R'R grows by A'A. The zeros of R stay out of it.
 * work: bln_tpqrt_work(n, k) doubles.   2 k n^2 flops */
BLN_API void   bln_tpqrt(size_t n, size_t k, double *R, size_t ldr, double *A, size_t lda, double *work);
BLN_API size_t bln_tpqrt_work(size_t n, size_t k);

/* R (n x n, upper) <- the R of [R; T], T: n x n upper triangular, another matrix than R; what lies below its diagonal is not
 * read. With T the R of other rows, this merges two factors [Demmel et al. 2012].
 * work: bln_ttqrt_work(n) doubles.   2 n^3/3 flops and a little */
BLN_API void   bln_ttqrt(size_t n, double *R, size_t ldr, const double *T, size_t ldt, double *work);
BLN_API size_t bln_ttqrt_work(size_t n);

/* R'R <- R'R + x x' by n rotations; R: n x n upper, with m >= 0 more columns to its right (R: n x (n + m)) that are rotated along.
 *   x   n + m, is overwritten; its last m entries are what is left of it below R: with the targets as one more column, z, and
 *       rho the norm of the residual, hypot(rho, x[n]) is the new one.       [Golub & Van Loan 2013, 6.5.4; LINPACK dchud]
 * 3 n^2 flops */
BLN_API void bln_chud(size_t n, size_t m, double *R, size_t ldr, double *x);

/* R'R <- R'R - x x', where x' is a row that was added before: the rotations that turn (p, sqrt(1 - p'p)), p = R^-T x, into e_n
 * [Stewart 1979; LINPACK dchdd]. R, m and x as above: sqrt(rho^2 - x[n]^2) is the new norm.
 *   *left   1 - p'p, one less the leverage of the row: what remains of R'R in the direction that loses most. Relative errors of
 *           R'R grow up to 1/left times there. May be NULL.
 * work: 2 n doubles.   4 n^2 flops
 * BLN_ENOTPD: not left > least (which is >= 0): no such row is in R, or nothing would remain that rounding has not spoiled. R is
 * as it was then, x is not. */
BLN_API bln_status bln_chdd(size_t n, size_t m, double *R, size_t ldr, double *x, double least, double *left, double *work);

#endif /* BLN_MATH_QR_H */
