#ifndef BLN_MATH_BLAS_H
#define BLN_MATH_BLAS_H
#include "../core/threads.h"
/* >>blas - dense kernels
 *
 * Under BAYESLIN_USE_CBLAS gemv, gemm, syrk, trsm and trsv call a BLAS library; what follows then holds only as far as that does.
 *
 * Matrices are row-major (pointer, row stride ld >= columns). Symmetric matrices live in their UPPER triangle; the rest is neither
 * read nor written. Sizes may be 0. Outputs must not overlap inputs. With beta = 0 the output is not read and may hold anything,
 * NaN included; with alpha = 0 or an inner size of 0 the result is beta C and neither A nor B is read. Nothing is allocated,
 * nothing can fail. gemm and syrk pack blocks on the stack, in up to 67 KiB, or 35 KiB where BAYESLIN_STACK is below 73728;
 * products of more than a million multiplications use BAYESLIN_STACK bytes, if that is more. Only the order of summation (and fused
 * multiply-adds, see >>cpu) makes the rounding differ from the definition's: |error| <= gamma_{k+3} (|alpha| |A| |B| + |beta C|)
 * for inner size k [Higham 2002, (3.5)]. An entry of a product is the same sum in the same order whatever the other sizes are. */

typedef enum bln_trans { BLN_NOTRANS = 0, BLN_TRANS = 1 } bln_trans;

/* x'y (0 if n = 0);  y += alpha x;  x *= alpha.   2 n flops; n for the last */
BLN_API double bln_dot(size_t n, const double *x, const double *y);
BLN_API void   bln_axpy(size_t n, double alpha, const double *x, double *y);
BLN_API void   bln_scal(size_t n, double alpha, double *x);

/* y = alpha op(A) x + beta y.   A: m x n.  op = BLN_NOTRANS: x n, y m;  BLN_TRANS (A'): x m, y n.   2 m n flops */
BLN_API void bln_gemv(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                      double beta, double *y);

/* C = alpha op(A) op(B) + beta C.   C: m x n, inner size k; A is m x k, or k x m if opa = BLN_TRANS; B is k x n, or n x k.
 * 2 m n k flops */
BLN_API void bln_gemm(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      const double *B, size_t ldb, double beta, double *C, size_t ldc);

/* Upper triangle of C = alpha A A' + beta C (BLN_NOTRANS, A: n x k)  or  alpha A'A + beta C (BLN_TRANS, A: k x n).   n^2 k flops */
BLN_API void bln_syrk(bln_trans op, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      double beta, double *C, size_t ldc);

/* Copies the upper triangle of an n x n matrix, lda >= n, onto the lower one. O(n^2) */
BLN_API void bln_symmetrise(size_t n, double *A, size_t lda);

#endif /* BLN_MATH_BLAS_H */
