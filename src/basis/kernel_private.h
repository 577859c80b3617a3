#ifndef BLN_BASIS_KERNEL_PRIVATE_H
#define BLN_BASIS_KERNEL_PRIVATE_H
/* kernel_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "kernel.h"
#include "../core/config_private.h"

enum { BLNI_N_KERNELS = BLN_KERNEL_CAUCHY_PRODUCT + 1 };          /* the last one */

/* What a kernel is a function of: sum u^2; or, of the products, sum |u|, product of 1 + u^2. */
typedef enum blni_kernel_product { BLNI_KERNEL_RADIAL, BLNI_KERNEL_ABSOLUTES, BLNI_KERNEL_FACTORS } blni_kernel_product;

typedef struct blni_kernel_facts {
    const char *name;
    blni_kernel_product product;      /* 0: none                                             */
    int         shaped;               /* has it a shape?                                     */
    double      nu;                   /* of the Matern kernels that have one of their own, 0 */
    double (*value)(double shape, double a);             /* at distance a = |u|; at sum |u|; at product of 1/(1 + u^2) */
    void (*line)(double shape, size_t m, double *BLNI_RESTRICT sum, double *BLNI_RESTRICT out);
    void (*slopes)(double shape, size_t m, double *BLNI_RESTRICT sum, double *BLNI_RESTRICT out);
} blni_kernel_facts;

/* kernel */
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel);
BLNI_PRIV bln_kernel blni_load_kernel(bln_reader *r);
BLNI_PRIV double blni_kernel_shape(double shape);
BLNI_PRIV double blni_kernel_shape_of(bln_kernel kernel, double shape);
BLNI_PRIV const char *blni_kernel_check(bln_kernel kernel, double shape, double length_scale);

#endif /* BLN_BASIS_KERNEL_PRIVATE_H */
