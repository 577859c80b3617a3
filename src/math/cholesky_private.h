#ifndef BLN_MATH_CHOLESKY_PRIVATE_H
#define BLN_MATH_CHOLESKY_PRIVATE_H
#include "cholesky.h"
#include "../core/config_private.h"
/* cholesky_private: what a factorisation in the models has beside */

/* bln_potrf for a matrix that is positive definite but for rounding: on failure retries with A + tau I, tau = 10^k n eps max_i
 * A_ii, k = 0..6 [linear 20]. A keeps the input in its strict LOWER triangle and diagonal in diag[n] between the tries, so
 * both triangles are overwritten (the strict lower one then holds the input still, and diag its diagonal).
 * *tau: what was added, 0 normally.   n^3/3 flops a try, of eight at most
 * BLN_ENOTPD: not positive definite with the largest tau either (which is *tau), or no diagonal entry > 0, or one infinite. */
BLNI_PRIV bln_status blni_potrf_jitter(size_t n, double *A, size_t lda, double *diag, double *tau);

/* Estimate of the condition number of U'U in the 2-norm, from the diagonal: (max U_ii / min U_ii)^2, a lower bound; 1 if n = 0.
 * O(n), U_ii > 0 */
BLNI_PRIV bln_status blni_potrf_jitter_of(double size, size_t n, double *A, size_t lda, double *diag, double *tau);
BLNI_PRIV double blni_condition_factor(size_t n, const double *U, size_t ldu);

#endif /* BLN_MATH_CHOLESKY_PRIVATE_H */
