#ifndef BLN_BASIS_KERNEL_H
#define BLN_BASIS_KERNEL_H
#include "basis.h"
/* >>kernel - stationary kernels                                                                         [bases 15, 16, 32]
 *
 * k(x, x') as a function of tau_i = (x_i - x'_i)/l_i, r = |tau|; k(x, x) = 1. All but the two products over the inputs depend on r
 * alone; Laplace L2 and Laplace L1 agree for one input only. */
typedef enum bln_kernel {
    BLN_KERNEL_RBF,             /* exp(-r^2/2)                                                                */
    BLN_KERNEL_MATERN12,        /* exp(-r), also known as exponential and as Laplace L2                       */
    BLN_KERNEL_MATERN32,        /* (1 + sqrt3 r) exp(-sqrt3 r)                                                */
    BLN_KERNEL_MATERN52,        /* (1 + sqrt5 r + 5 r^2/3) exp(-sqrt5 r)                                      */
    BLN_KERNEL_MATERN,          /* 2^(1-nu)/Gamma(nu) (sqrt(2 nu) r)^nu K_nu(sqrt(2 nu) r),  nu = shape       */
    BLN_KERNEL_RQ,              /* rational quadratic, (1 + r^2/(2 alpha))^-alpha,  alpha = shape             */
    BLN_KERNEL_CAUCHY,          /* 1/(1 + r^2)                                                                */
    BLN_KERNEL_LAPLACE1,        /* Laplace L1, exp(-sum_i |tau_i|), a product                                 */
    BLN_KERNEL_CAUCHY_PRODUCT,  /* prod_i 1/(1 + tau_i^2)                                                     */
    BLN_KERNEL_LAPLACE2 = BLN_KERNEL_MATERN12
} bln_kernel;

/* "rbf", "matern12", "matern32", "matern52", "matern", "rq", "cauchy", "laplace1", "cauchy_product"; "unknown" for a number that is
 * none. The kernel at tau (d entries) in closed form, with its shape (nu or alpha; 0: 2). NaN for a NaN or a kernel or shape that
 * is none. Relative accuracy about (4 + |log k|) eps, and 1e-14 more for the Matern kernel of any nu, whose K_nu is an integral by
 * the trapezoidal rule. */
BLN_API const char *bln_kernel_name(bln_kernel kernel);
BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau);

#endif /* BLN_BASIS_KERNEL_H */
