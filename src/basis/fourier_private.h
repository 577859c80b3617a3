#ifndef BLN_BASIS_FOURIER_PRIVATE_H
#define BLN_BASIS_FOURIER_PRIVATE_H
/* fourier_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "fourier.h"
#include "../core/config_private.h"
#include "../random/rng.h"
#include "basis_private.h"

/* The state from which frequencies are drawn: one generator of normals (for product kernels of coordinates) and one of scales; or,
 * for quasi-random points, the seed and the number of the next point. */
typedef struct blni_draws {
    bln_kernel kernel;
    bln_draws  draws;
    double     shape;                     /* of the gamma variate that makes the scale */
    size_t     d, stride;                 /* inputs; numbers drawn for a frequency, d or d + 1 */
    int        quasi;
    uint64_t   seed, next;
    bln_rng    normals, scales;
} blni_draws;

/* fourier_kernels */
BLNI_PRIV size_t blni_draws_stride(const bln_fourier_desc *desc);
BLNI_PRIV blni_draws blni_draws_begun(const bln_fourier_desc *desc);
BLNI_PRIV double blni_scale_draw(blni_draws *w);
BLNI_PRIV void blni_draws_next(blni_draws *w, size_t n, double *G);

/* The first member of every basis of cosines and sines. */
typedef struct blni_waves {
    blni_owned own;
    size_t     J;
    bln_kernel kernel;
    double     shape;          /* 0 if the kernel has none */
} blni_waves;

/* The features of n rows of a block, in pieces. by: W of dense frequencies; of Fastfood theta, and work has three tiles a piece. */
typedef struct blni_waves_rows {
    const blni_waves *v;
    size_t n, pieces;
    const double *by, *X;
    size_t ldx;
    double *Phi;
    size_t ldphi;
    double *work;
} blni_waves_rows;

/* fourier */
BLNI_PRIV bln_status blni_waves_new(const bln_fourier_desc *desc, const bln_basis_ops *ops, size_t head, size_t extra,
                                    blni_waves **out, bln_report *report);
BLNI_PRIV void blni_waves_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size);
BLNI_PRIV void blni_waves_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size);
BLNI_PRIV void blni_waves_save(const blni_waves *v, int shaped, bln_writer *w);
BLNI_PRIV bln_fourier_desc blni_waves_read(const bln_load *context, bln_reader *r, int shaped);
BLNI_PRIV bln_status blni_fourier_load(const bln_load *context, bln_reader *r, bln_basis **out);
BLNI_PRIV bln_status blni_fourier2_load(const bln_load *context, bln_reader *r, bln_basis **out);

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_fourier_ops;
extern const bln_basis_ops blni_fourier2_ops;
#endif

/* _defaults: the desc with defaults. _check: NULL, or why the desc cannot be used. */
BLNI_PRIV bln_fourier_desc blni_fourier_defaults(const bln_fourier_desc *desc);
BLNI_PRIV const char *blni_fourier_check(const bln_fourier_desc *desc);

#endif /* BLN_BASIS_FOURIER_PRIVATE_H */
