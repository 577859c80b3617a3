#ifndef BLN_BASIS_KERNEL_PRIVATE_H
#define BLN_BASIS_KERNEL_PRIVATE_H
/* kernel_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "kernel.h"
#include "../core/config_private.h"

/* Facts about a kernel: name; is it a product over the inputs? has it a shape parameter? nu of a Matern kernel with a fixed one. */
typedef struct blni_kernel_facts { const char *name; int product, shaped; double nu; } blni_kernel_facts;

/* A kernel with its length scales. */
typedef struct blni_kernel_desc {
    bln_kernel    kernel;
    double        shape;            /* nu or alpha                                            (0: 2)     */
    size_t        d;                /* inputs                                                 (>= 1)     */
    const double *length_scale;     /* d length scales > 0, in units of x                     (required) */
} blni_kernel_desc;

/* kernel */
BLNI_PRIV void blni_kernel_matrix(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                  size_t ldb, double *K, size_t ldk, double *work);
BLNI_PRIV void blni_kernel_pullback(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, size_t m, const double *B,
                                    size_t ldb, const double *G, size_t ldg, double *dl, double *dA, size_t ldda, double *dB,
                                    size_t lddb, double *work);
BLNI_PRIV void blni_kernel_pairs(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, double *K, size_t ldk,
                                 double *work);
BLNI_PRIV void blni_kernel_pairs_pullback(const blni_kernel_desc *desc, size_t n, const double *A, size_t lda, const double *G,
                                          size_t ldg, double *dl, double *work);
BLNI_PRIV size_t blni_kernel_work(const blni_kernel_desc *desc, size_t m);
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel);
BLNI_PRIV bln_kernel blni_load_kernel(bln_reader *r);
BLNI_PRIV double blni_kernel_shape(double shape);
BLNI_PRIV double blni_kernel_shape_of(bln_kernel kernel, double shape);
BLNI_PRIV const char *blni_kernel_check(bln_kernel kernel, double shape, double length_scale);

#endif /* BLN_BASIS_KERNEL_PRIVATE_H */
