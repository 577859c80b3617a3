#ifndef BLN_MATH_QR_PRIVATE_H
#define BLN_MATH_QR_PRIVATE_H
#include "cholesky.h"
#include "../core/config_private.h"
/* qr_private: orthogonal factorisation, and triangular factors to which rows are added and from which they are removed
 *
 *     A = Q R,  Q'Q = I,  R upper triangular with a diagonal >= 0:  the factor of A'A = R'R, found without A'A, whose condition is
 *     the square of A's
 *
 * Conventions of >>blas; nothing is allocated, workspace is the caller's and need not be set. No square overflows or underflows:
 * columns of any size, 1e-300 or 1e300, keep their digits as long as their norm is a double. NaN and infinities spread.
 *
 * Errors: the computed R (m x n, by k reflections) is the exact R of A + E with |E_j| <= gamma |A_j| for each column j, gamma = c k
 * m eps, c a small number; in practice a few sqrt(k) eps. So the units of columns do not matter. Applying
 * Q or Q' to a column b is exact for b + e, |e| <= gamma |b|. Adding n x n and k x n rows is the case m =
 * n + k.   [Higham 2002, Lemmas 19.2, 19.3, Theorem 19.4, section 19.6 for rotations] */

/* A (m x n) = Q R in place. R: upper triangle, or trapezoid if m < n. Below it, and in tau (min(m, n) of them), Q in the form
 *     Q = H_0 H_1 ... H_{k-1} D,  k = min(m, n),  H_j = I - |tau_j| v_j v_j',  v_j = (0, .., 0, 1, column j of A below the
 *     diagonal),  D_jj = -1 where tau_j < 0, else 1
 * work: blni_geqrf_work(m, n) doubles.   2 m n^2 - 2 n^3/3 flops for m >= n */
BLNI_PRIV void   blni_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work);
BLNI_PRIV size_t blni_geqrf_work(size_t m, size_t n);

/* C <- Q C (BLN_NOTRANS) or Q'C (BLN_TRANS), C: m x p; Q as blni_geqrf left its first k columns in A (m x k, k <= m) and tau. The
 * first k columns of Q itself are Q times those of the identity.
 * work: blni_ormqr_work(m, p, k) doubles.   4 m p k - 2 p k^2 flops */
BLNI_PRIV void   blni_ormqr(bln_trans op, size_t m, size_t p, size_t k, const double *A, size_t lda, const double *tau, double *C,
                            size_t ldc, double *work);
BLNI_PRIV size_t blni_ormqr_work(size_t m, size_t p, size_t k);

/* R (n x n, upper) <- the R of [R; A], A: k x n, which is overwritten: so that R'R grows by A'A. The zeros of R cost nothing.
 * work: blni_tpqrt_work(n, k) doubles.   2 k n^2 flops */
BLNI_PRIV void   blni_tpqrt(size_t n, size_t k, double *R, size_t ldr, double *A, size_t lda, double *work);
BLNI_PRIV size_t blni_tpqrt_work(size_t n, size_t k);

/* R (n x n, upper) <- the R of [R; T], T: n x n upper triangular, another matrix than R; what lies below its diagonal is not
 * read. With T the R of other rows, this merges two factors [Demmel et al. 2012].
 * work: blni_ttqrt_work(n) doubles.   2 n^3/3 flops and a little */
BLNI_PRIV void   blni_ttqrt(size_t n, double *R, size_t ldr, const double *T, size_t ldt, double *work);
BLNI_PRIV size_t blni_ttqrt_work(size_t n);

/* R'R <- R'R + x x' by n rotations; R: n x n upper, with m >= 0 more columns to its right (R: n x (n + m)) that are rotated too.
 *   x   n + m numbers, overwritten; the last m become the remainder below R: if the targets are one more column z and rho is the
 *       norm of the residual, hypot(rho, x[n]) is the new norm.              [Golub & Van Loan 2013, 6.5.4; LINPACK dchud]
 * 3 n^2 flops */
BLNI_PRIV void blni_chud(size_t n, size_t m, double *R, size_t ldr, double *x);

/* R'R <- R'R - x x', where x' is a row that was added before: the rotations that turn (p, sqrt(1 - p'p)), p = R^-T x, into e_n
 * [Stewart 1979; LINPACK dchdd]. R, m and x as above: sqrt(rho^2 - x[n]^2) is the new norm.
 *   *left   1 - p'p, one less the leverage of the row: the part of R'R that remains in the direction that loses most. There
 *           relative errors of R'R grow up to 1/left times. May be NULL.
 * work: 2 n doubles.   4 n^2 flops
 * BLN_ENOTPD: not left > least (which is >= 0): no such row is in R, or only rounding errors would remain. R is then unchanged, x
 * is not. */
BLNI_PRIV bln_status blni_chdd(size_t n, size_t m, double *R, size_t ldr, double *x, double least, double *left, double *work);

/* |x| of x[0], x[step], ..., without overflow or underflow of the squares. */
BLNI_PRIV double blni_qr_norm(size_t n, const double *x, size_t step);

#endif /* BLN_MATH_QR_PRIVATE_H */
