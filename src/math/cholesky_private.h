#ifndef BLN_MATH_CHOLESKY_PRIVATE_H
#define BLN_MATH_CHOLESKY_PRIVATE_H
#include "cholesky.h"
#include "../core/config_private.h"
/* cholesky_private: factorisation with jitter, and a condition number */

/* bln_potrf for a matrix that is positive definite except for rounding: after a failure it retries with A + tau I, tau = 10^k n eps
 * max_i A_ii, k = 0..6 [linear 20]. The strict LOWER triangle of A and diag[n] keep the input, also at the end: both triangles are
 * overwritten.
 * *tau: what was added, 0 normally.   n^3/3 flops a try, eight tries at most
 * BLN_ENOTPD: not positive definite with the largest tau either (which *tau then is), or no diagonal entry > 0, or one infinite. */
BLNI_PRIV bln_status blni_potrf_jitter(size_t n, double *A, size_t lda, double *diag, double *tau);

BLNI_PRIV bln_status blni_potrf_jitter_of(double size, size_t n, double *A, size_t lda, double *diag, double *tau);

/* Estimate of the condition number of U'U in the 2-norm, from the diagonal: (max U_ii / min U_ii)^2, a lower bound; 1 if n = 0.
 * O(n), U_ii > 0 */
BLNI_PRIV double blni_condition_factor(size_t n, const double *U, size_t ldu);

#endif /* BLN_MATH_CHOLESKY_PRIVATE_H */
