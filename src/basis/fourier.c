/* fourier: random Fourier features
 *
 * Length scales and 2/pi are multiplied into the frequencies once a call, or once for a bound basis: W_ij = 2 z_ij / (pi l_i). Then
 * X W is the phase in quarter turns, whose sine and cosine need no reduction by multiples of pi (>>vecmath).
 *
 * Frequencies are drawn from generators g, stream 0 of the seed, and h, stream 1: frequency j = 0, 1, ... takes d normals from g by
 * one bln_rng_normals, then its scale s_j from h, and z_j = sqrt(s_j) times the normals (product kernels: d uniforms from g).
 * Quasi-random frequency j is point j of the sequence, whose last coordinate gives the scale. So a larger basis begins with the
 * frequencies of a smaller one.
 *
 * Orthogonal draws [bases 21] take the same normals in blocks of d vectors and replace the directions of a block by its
 * Gram-Schmidt basis, which is Haar-distributed. The norms |g_j|, chi with d degrees of freedom, stay: they are independent of the
 * directions. */
#include "fourier_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/threads_private.h"
#include "../math/vecmath_private.h"
#include "../math/blas.h"
#include "../random/qmc.h"
#include "kernel_private.h"

typedef struct blni_fourier {
    blni_waves    waves;
    double       *z;               /* d x J                   */
    double        largest;         /* of |z|                  */
    const double *W;               /* bound: 2 z_ij/(pi l_i)  */
} blni_fourier;

/* ---- features and their chain rule ---- */

/* W = z times one number a row: scale / l_i. */
BLNI_PRIV void blni_fourier_scale(const blni_fourier *f, const double *theta, double scale, double *W, size_t ldw)
{
    const bln_basis *b = &f->waves.own.base;
    const size_t J = f->waves.J;
    for (size_t i = 0; i < b->d; i++) {
        const double a = scale/blni_length(b, theta, i);
        for (size_t j = 0; j < J; j++) W[i*ldw + j] = a*f->z[i*J + j];
    }
}

/* The phases are written where the cosines will be. */
BLNI_PRIV void blni_fourier_features_rows(const void *job, size_t k)
{
    const blni_waves_rows *r = (const blni_waves_rows *)job;
    const size_t J = r->v->J, begin = blni_piece_begin(r->n, 8, k, r->pieces), end = blni_piece_begin(r->n, 8, k + 1, r->pieces);
    const double norm = 1.0/sqrt((double)J);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, end - begin, J, r->v->own.base.d, 1.0, r->X + begin*r->ldx, r->ldx, r->by, blni_stride(J),
             0.0, r->Phi + begin*r->ldphi, r->ldphi);
    for (size_t i = begin; i < end; i++) {
        double *phi = r->Phi + i*r->ldphi;
        blni_sincos_by(J, norm, phi, phi + J, phi);
    }
}

/* [bases 13]; a phase with its sine and cosine counts as 2 d + 40 operations. */
BLNI_PRIV void blni_fourier_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_fourier *f = (const blni_fourier *)b;
    const size_t pieces = blni_pieces((double)n*(double)f->waves.J*(2.0*(double)b->d + 40.0), n/16);
    const blni_waves_rows r = { &f->waves, n, pieces, f->W ? f->W : work, X, ldx, Phi, ldphi, NULL };
    if (!f->W) blni_fourier_scale(f, theta, 2.0/BLNI_PI, work, blni_stride(f->waves.J));
    blni_run_pieces(pieces, blni_fourier_features_rows, &r);
}

/* [bases 14] with T = F^s o Phi^c - F^c o Phi^s = dL/dZ (n x J), Z = X W, W_ij = z_ij / l_i:
 *     dL/dl_i = -l_i^{-2} sum_j z_ij (X'T)_ij  (one length scale: summed over i),     dL/dX = T W'.
 * work: T, then d x J for X'T and for W in turn. */
BLNI_PRIV void blni_fourier_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_fourier *f = (const blni_fourier *)b;
    const size_t d = b->d, J = f->waves.J, step = f->waves.own.lengths > 1 ? 1 : 0;
    double *T = work, *W = work + blni_pad(n*J);
    for (size_t i = 0; i < n; i++) {
        const double *phi = Phi + i*ldphi, *g = F + i*ldf;
        for (size_t j = 0; j < J; j++) T[i*J + j] = g[J + j]*phi[j] - g[j]*phi[J + j];
    }
    if (dtheta) {
        bln_gemm(BLN_TRANS, BLN_NOTRANS, d, J, n, 1.0, X, ldx, T, J, 0.0, W, J);
        for (size_t i = 0; i < d; i++) {
            const double l = theta[i*step];
            dtheta[i*step] -= bln_dot(J, f->z + i*J, W + i*J)/l/l;
        }
    }
    if (dX) {
        blni_fourier_scale(f, theta, 1.0, W, J);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, n, d, J, 1.0, T, J, W, J, 1.0, dX, lddx);
    }
}

BLNI_PRIV size_t blni_fourier_work(const bln_basis *b, size_t n)
{
    const blni_fourier *f = (const blni_fourier *)b;
    return blni_add(blni_pad(blni_mul(n, f->waves.J)), blni_mul(b->d, blni_stride(f->waves.J)));
}

/* Bound: the struct again, and W. */
BLNI_PRIV size_t blni_fourier_room(const bln_basis *b)
{
    const size_t W = blni_mul(b->d, blni_stride(((const blni_waves *)b)->J));
    return blni_add(blni_pad(blni_doubles(sizeof(blni_fourier))), W);
}

BLNI_PRIV const bln_basis *blni_fourier_bind(const bln_basis *b, const double *theta, double *room)
{
    blni_fourier *f = (blni_fourier *)(void *)room;
    double *W = room + blni_pad(blni_doubles(sizeof *f));
    *f = *(const blni_fourier *)b;
    blni_fourier_scale(f, theta, 2.0/BLNI_PI, W, blni_stride(f->waves.J));
    f->W = W;
    return &f->waves.own.base;
}

/* So few rows stay in the cache. */
BLNI_PRIV size_t blni_fourier_preferred(const bln_basis *b) { return 32; }

/* 1/sqrt(J), when no phase overflows. */
BLNI_PRIV double blni_fourier_bound(BLNI_INPUTS, double *work)
{
    const blni_fourier *f = (const blni_fourier *)b;
    return blni_lengths_away(b, theta, n, X, ldx)*f->largest < 1e300 ? 1.0/sqrt((double)f->waves.J) : HUGE_VAL;
}

/* ---- names, files ---- */

BLNI_PRIV void blni_waves_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    blni_cat(out, size, bln_kernel_name(((const blni_waves *)b)->kernel));
}

/* Feature j of J frequencies: cosines, then sines. */
BLNI_PRIV void blni_waves_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const size_t J = ((const blni_waves *)b)->J;
    blni_waves_slice_name(b, 0, inputs, out, size);
    blni_cat(out, size, j < J ? " cos " : " sin ");
    blni_cat_size(out, size, j < J ? j : j - J);
}

/* What the desc has of a basis, but for its draws; shaped: with a shape? */
BLNI_PRIV void blni_waves_save(const blni_waves *v, int shaped, bln_writer *w)
{
    bln_put_u64(w, v->own.base.d);
    bln_put_u64(w, v->J);
    bln_put_u32(w, (uint32_t)v->kernel);
    bln_put_u32(w, v->own.lengths == v->own.base.d);
    bln_put_double(w, v->own.length_scale);
    if (shaped) bln_put_double(w, v->shape);
}

BLNI_PRIV bln_fourier_desc blni_waves_read(const bln_load *context, bln_reader *r, int shaped)
{
    bln_fourier_desc desc = BLN_ZERO;
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    desc.kernel = blni_load_kernel(r);
    desc.ard = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    if (shaped) desc.shape = bln_get_double(r);
    return desc;
}

/* Kernels up to Matern 5/2 are saved as version 0.1.0 did; others have a name of their own, so that it says what it misses. */
BLNI_PRIV int blni_fourier_is_second(bln_kernel kernel) { return kernel > BLN_KERNEL_MATERN52; }

BLNI_PRIV void blni_fourier_save(const bln_basis *b, bln_writer *w)
{
    const blni_fourier *f = (const blni_fourier *)b;
    blni_waves_save(&f->waves, blni_fourier_is_second(f->waves.kernel), w);
    bln_put_doubles(w, b->d*f->waves.J, f->z);
}

BLNI_TABLE const bln_basis_ops blni_fourier_ops = {
    "fourier", blni_fourier_features, blni_fourier_pullback, blni_fourier_work, blni_length_param, NULL,
    blni_waves_feature_name, blni_length_name, blni_waves_slice_name, blni_fourier_save, blni_fourier_load,
    blni_basis_release, NULL,
    blni_fourier_room, blni_fourier_bind, NULL, NULL, NULL, blni_fourier_preferred, blni_fourier_bound, NULL, NULL, NULL
};

BLNI_TABLE const bln_basis_ops blni_fourier2_ops = {
    "fourier2", blni_fourier_features, blni_fourier_pullback, blni_fourier_work, blni_length_param, NULL,
    blni_waves_feature_name, blni_length_name, blni_waves_slice_name, blni_fourier_save, blni_fourier2_load,
    blni_basis_release, NULL,
    blni_fourier_room, blni_fourier_bind, NULL, NULL, NULL, blni_fourier_preferred, blni_fourier_bound, NULL, NULL, NULL
};

/* ---- making them ---- */

/* Of a desc whose kernel is known; NULL gives the defaults. */
BLNI_PRIV bln_fourier_desc blni_fourier_defaults(const bln_fourier_desc *desc)
{
    bln_fourier_desc full = BLN_ZERO;
    if (desc) full = *desc;
    if (full.draws == BLN_DRAWS_DEFAULT)
        full.draws = blni_kernel_find(full.kernel)->product ? BLN_DRAWS_INDEPENDENT : BLN_DRAWS_ORTHOGONAL;
    full.shape = blni_kernel_shape_of(full.kernel, full.shape);
    return full;      /* every other zero is the default as it stands; the length scales' comes from the data */
}

BLNI_PRIV const char *blni_fourier_check(const bln_fourier_desc *desc)
{
    if (!desc) return "fourier: desc is NULL";
    if (desc->d == 0) return "fourier: d (inputs) is 0";
    if (desc->n == 0) return "fourier: n (frequencies) is 0";
    const char *why = blni_kernel_check(desc->kernel, desc->shape, desc->length_scale);
    if (why) return why;
    if (desc->draws == BLN_DRAWS_FASTFOOD) return "fourier: Fastfood draws make another basis, by bln_fastfood_create";
    if ((unsigned)desc->draws > (unsigned)BLN_DRAWS_HALTON) return "fourier: unknown kind of draws";
    if (desc->draws == BLN_DRAWS_ORTHOGONAL && blni_kernel_find(desc->kernel)->product)
        return "fourier: orthogonal draws need a radial kernel, not a product";
    if (desc->draws == BLN_DRAWS_SOBOL && blni_draws_stride(desc) > BLN_SOBOL_DIMENSIONS)
        return "fourier: Sobol draws have 65 coordinates at most: the inputs, and one more for a kernel with a scale";
    return blni_allocator_ok(&desc->alloc) ? NULL : "fourier: half an allocator";
}

/* A basis of 2 n features by desc, with what blni_basis_new makes beside it. */
BLNI_PRIV bln_status blni_waves_new(const bln_fourier_desc *desc, const bln_basis_ops *ops, size_t head, size_t extra,
                                    blni_waves **out, bln_report *report)
{
    blni_owned *own = NULL;
    BLNI_TRY(blni_basis_new(&desc->alloc, ops, desc->d, blni_mul(2, desc->n), desc->ard ? desc->d : 1, head, extra, &own, report));
    blni_waves *v = (blni_waves *)own;
    blni_lengths_set(own, desc->ard, desc->length_scale);
    v->J = desc->n;
    v->kernel = desc->kernel;
    v->shape = desc->shape;
    *out = v;
    return BLN_OK;
}

/* The basis without its frequencies. */
BLNI_PRIV bln_status blni_fourier_new(const bln_fourier_desc *desc, blni_fourier **out, bln_report *report)
{
    blni_waves *v = NULL;
    const size_t bytes = blni_mul(blni_mul(desc->d, desc->n), sizeof(double));
    const bln_basis_ops *ops = blni_fourier_is_second(desc->kernel) ? &blni_fourier2_ops : &blni_fourier_ops;
    BLNI_TRY(blni_waves_new(desc, ops, sizeof(blni_fourier), bytes, &v, report));
    *out = (blni_fourier *)v;
    (*out)->z = (double *)v->own.tail;
    return BLN_OK;
}

/* When z is there. */
BLNI_PRIV void blni_fourier_seal(blni_fourier *f)
{
    const size_t n = f->waves.own.base.d*f->waves.J;
    for (size_t k = 0; k < n; k++) f->largest = fabs(f->z[k]) > f->largest ? fabs(f->z[k]) : f->largest;
}

/* Orthogonal draws come in blocks of d; Sobol' points are scrambled anew for each block, so that these are larger. */
enum { BLNI_QUASI_BLOCK = 1024 };

BLNI_ONCE BLN_API bln_status bln_fourier_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report)
{
    blni_fourier *f = NULL;
    const char *why = out ? blni_fourier_check(desc) : "fourier: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const bln_fourier_desc full = blni_fourier_defaults(desc);
    BLNI_TRY(blni_fourier_new(&full, &f, report));
    blni_draws draws = blni_draws_begun(&full);
    const size_t d = full.d, J = full.n, block = blni_min(draws.quasi ? (size_t)BLNI_QUASI_BLOCK : d, J);
    const size_t bytes = blni_mul(blni_mul(draws.stride, block), sizeof(double));
    double *G = (double *)blni_alloc(&full.alloc, bytes);
    if (!G) { bln_basis_free(&f->waves.own.base); return blni_basis_fail(report, BLN_ENOMEM); }
    for (size_t first = 0; first < J; first += block) {
        const size_t n = blni_min(block, J - first);
        blni_draws_next(&draws, n, G);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < d; i++) f->z[i*J + first + j] = G[j*draws.stride + i];
    }
    blni_fourier_seal(f);
    blni_release(&full.alloc, G, bytes);
    *out = &f->waves.own.base;
    return BLN_OK;
}

BLN_API const double *bln_fourier_frequencies(const bln_basis *basis)
{
    if (!basis || (basis->ops != &blni_fourier_ops && basis->ops != &blni_fourier2_ops)) return NULL;
    return ((const blni_fourier *)basis)->z;
}

BLNI_PRIV bln_status blni_fourier_read(const bln_load *context, bln_reader *r, int second, bln_basis **out)
{
    const bln_fourier_desc desc = blni_waves_read(context, r, second);
    blni_fourier *f = NULL;
    double *z = NULL;
    const size_t n = blni_mul(desc.d, desc.n);
    if (blni_fourier_is_second(desc.kernel) != second) bln_reader_fail(r, BLN_EFORMAT, "unknown kernel of a Fourier basis");
    BLNI_TRY(blni_load_checked(&context->alloc, r, blni_fourier_check(&desc), n, "a frequency of a Fourier basis is not finite",
                               &z));
    const bln_status status = blni_fourier_new(&desc, &f, NULL);
    if (status == BLN_OK) { memcpy(f->z, z, n*sizeof *z); blni_fourier_seal(f); }
    blni_release(&context->alloc, z, n*sizeof *z);
    if (status == BLN_OK) *out = &f->waves.own.base;
    return blni_load_fail(r, status);
}

BLNI_PRIV bln_status blni_fourier_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    return blni_fourier_read(context, r, 0, out);
}

BLNI_PRIV bln_status blni_fourier2_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    return blni_fourier_read(context, r, 1, out);
}

BLN_API const bln_basis_ops *bln_fourier_ops(void)  { return &blni_fourier_ops; }
BLN_API const bln_basis_ops *bln_fourier2_ops(void) { return &blni_fourier2_ops; }
