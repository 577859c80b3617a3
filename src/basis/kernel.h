#ifndef BLN_BASIS_KERNEL_H
#define BLN_BASIS_KERNEL_H
#include "basis.h"
/* >>kernel - stationary kernels: values, matrices, chain rule                                  [spec/bases.md B15, B16, B32]
 *
 * k(x, x') as a function of tau_i = (x_i - x'_i)/l_i, r = |tau|; k(x, x) = 1. All but the last two depend on r alone; Laplace (L2)
 * and Laplace (L1) agree for one input only. */
typedef enum bln_kernel {
    BLN_KERNEL_RBF,             /* exp(-r^2/2)                                                                */
    BLN_KERNEL_MATERN12,        /* exp(-r), also known as exponential and as Laplace (L2)                     */
    BLN_KERNEL_MATERN32,        /* (1 + sqrt3 r) exp(-sqrt3 r)                                                */
    BLN_KERNEL_MATERN52,        /* (1 + sqrt5 r + 5 r^2/3) exp(-sqrt5 r)                                      */
    BLN_KERNEL_MATERN,          /* 2^(1-nu)/Gamma(nu) (sqrt(2 nu) r)^nu K_nu(sqrt(2 nu) r),  nu = shape       */
    BLN_KERNEL_RQ,              /* rational quadratic, (1 + r^2/(2 alpha))^-alpha,  alpha = shape             */
    BLN_KERNEL_CAUCHY,          /* 1/(1 + r^2)                                                                */
    BLN_KERNEL_LAPLACE1,        /* Laplace (L1), exp(-sum_i |tau_i|)                                          */
    BLN_KERNEL_CAUCHY_PRODUCT,  /* prod_i 1/(1 + tau_i^2)                                                     */
    BLN_KERNEL_LAPLACE2 = BLN_KERNEL_MATERN12
} bln_kernel;

/* "rbf", "matern12", "matern32", "matern52", "matern", "rq", "cauchy", "laplace1", "cauchy_product"; "unknown" for a number that is
 * none. The kernel at tau (d entries) in closed form, with the shape of the desc; and at distance r for the default shape, which is
 * also the value of the products at a distance r along an axis. NaN for a NaN or a kernel or shape that is none. Relative accuracy
 * about (4 + |log k|) eps, and 1e-14 more for the Matern kernel of any nu, whose K_nu is an integral by the trapezoidal rule. */
BLN_API const char *bln_kernel_name(bln_kernel kernel);
BLN_API double bln_kernel_value(bln_kernel kernel, double r);
BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau);

/* A kernel with its length scales. */
typedef struct bln_kernel_desc {
    bln_kernel    kernel;
    double        shape;            /* nu or alpha                                            (0: 2)     */
    size_t        d;                /* inputs                                                 (>= 1)     */
    const double *length_scale;     /* d length scales > 0, in units of x                     (required) */
} bln_kernel_desc;

/* K_ij = k((a_i - b_j)/l) for the rows of A (n x d, stride lda) and B (m x d, stride ldb); K: n x m, stride ldk. Fast where m is
 * large: give it the longer side.
 * Differences are taken first, so that nothing cancels however far from 0 the inputs or however close to each other they are:
 * relative error (d + 8)(1 + |log k|) eps, and 1e-14 more for the Matern kernel of any nu. Columns do not depend on each other: any
 * split of B into blocks gives the same K. Far apart is 0; rows with NaN are NaN.
 * work: bln_kernel_work(desc, m) doubles.   n m (3 d flops and a kernel): a few ns, the Matern kernel of any nu about 2 us */
BLN_API void bln_kernel_matrix(const bln_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                               size_t ldb, double *K, size_t ldk, double *work);

/* The chain rule: given G = dL/dK (n x m, stride ldg),
 *     dl_i  += sum_rj G_rj dK_rj/dl_i     (d entries)            dA, dB += the same by the rows of A and of B (strides ldda, lddb)
 * Each of the three may be NULL: not wanted. Kernels with a kink (Matern of nu <= 1/2, Laplace) have slope 0 at it.   (B32)
 * work: bln_kernel_work(desc, m) doubles. Allocates nothing, cannot fail.   About twice the time of the matrix */
BLN_API void bln_kernel_pullback(const bln_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                 size_t ldb, const double *G, size_t ldg, double *dl, double *dA, size_t ldda, double *dB,
                                 size_t lddb, double *work);

/* Doubles of workspace; SIZE_MAX on overflow. */
BLN_API size_t bln_kernel_work(const bln_kernel_desc *desc, size_t m);

#endif /* BLN_BASIS_KERNEL_H */
