#ifndef BLN_BASIS_KERNEL_PRIVATE_H
#define BLN_BASIS_KERNEL_PRIVATE_H
/* kernel_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "kernel.h"
#include "../core/config_private.h"

/* What a kernel is, beside its formula. nu of the Matern kernels that have one of their own. */
typedef struct blni_kernel_facts { const char *name; int product, shaped; double nu; } blni_kernel_facts;

/* kernel */
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel);
BLNI_PRIV bln_kernel blni_load_kernel(bln_reader *r);
BLNI_PRIV double blni_kernel_shape(double shape);
BLNI_PRIV double blni_kernel_shape_of(bln_kernel kernel, double shape);
BLNI_PRIV const char *blni_kernel_check(bln_kernel kernel, double shape, double length_scale);

#endif /* BLN_BASIS_KERNEL_PRIVATE_H */
