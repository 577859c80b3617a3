#ifndef BLN_PROGRAM_TAPE_MATRIX_H
#define BLN_PROGRAM_TAPE_MATRIX_H
#include "../basis/kernel.h"
#include "../math/blas.h"
#include "tape.h"
/* >>tape_matrix - matrices on a tape: products, factors, kernels, the normal distribution of several variables
 *
 * They use >>blas and >>cholesky; each call is one node. A vector is a matrix of one column. Of symmetric matrices the upper
 * triangle is read, and only it has a gradient: an entry off the diagonal stands for both. Factors are upper, A = U'U.
 * BLN_ESHAPE: sizes that do not fit, which the report has. BLN_ENOTPD: the point is impossible. */

/* A x; op(A) op(B); A + diag(x), where x is a vector or one number; X W + 1 b', X: n x k, W: k x m, b: m. The last one is a dense
 * layer, or, for m = 1, the linear predictor of a regression with its intercept b. */
BLN_API bln_var bln_v_gemv(bln_tape *t, bln_var A, bln_var x);
BLN_API bln_var bln_v_gemm(bln_tape *t, bln_trans opa, bln_var A, bln_trans opb, bln_var B);
BLN_API bln_var bln_v_add_diagonal(bln_tape *t, bln_var A, bln_var x);
BLN_API bln_var bln_v_affine(bln_tape *t, bln_var X, bln_var W, bln_var b);

/* U with U'U = A, zeros below; op(U)^-1 B; log det(U'U). The gradient of a factor costs three times as much as the factor; for the
 * covariance of a normal distribution bln_lp_multi_normal needs none.                                       [Murray 2016] */
BLN_API bln_var bln_v_cholesky(bln_tape *t, bln_var A);
BLN_API bln_var bln_v_solve_factor(bln_tape *t, bln_trans op, bln_var U, bln_var B);
BLN_API bln_var bln_v_logdet_factor(bln_tape *t, bln_var U);

/* sd^2 k((x_i - x_j)/length), n x n, of n rows of d inputs X, which must stay; length: d numbers, or one for all; shape as in
 * >>kernel.
 * BLN_EDOMAIN: a length that is not > 0. BLN_EINVAL: NULL, no such kernel or shape. */
BLN_API bln_var bln_v_kernel(bln_tape *t, bln_kernel kernel, double shape, const double *X, size_t n, size_t d, bln_var sd,
                             bln_var length);

/* log N(x | mean, K): x one vector, or rows of a matrix that are independent; mean a vector, or one number. By the covariance or by
 * its factor U, K = U'U.   n^3 flops in all, by the factor n^2 for each row */
BLN_API void bln_lp_multi_normal(bln_tape *t, bln_var x, bln_var mean, bln_var K);
BLN_API void bln_lp_multi_normal_factor(bln_tape *t, bln_var x, bln_var mean, bln_var U);

#endif /* BLN_PROGRAM_TAPE_MATRIX_H */
