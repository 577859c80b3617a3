/* fastfood: random Fourier features by Hadamard transforms
 *
 * Eight rows at a time are transposed, so that a tile has one line of eight numbers for each input: the transforms, signs, factors
 * and the permutation then work on whole lines. Length scales and 2/pi are multiplied in while transposing, as in >>fourier.
 *
 * Each block draws from streams of the seed: d2 normals G from stream 0 by one bln_rng_normals; for each frequency the scale s from
 * stream 1 and chi^2 with d2 degrees of freedom from stream 2; from stream 3 d2 words, whose top bits are the signs, and the
 * permutation. So a larger basis begins with the frequencies of a smaller one. */
#include "fastfood_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/threads_private.h"
#include "../math/vecmath_private.h"
#include "../math/hadamard_private.h"
#include "../random/distributions.h"
#include "../random/rng_private.h"
#include "basis_private.h"
#include "kernel_private.h"
#include "fourier_private.h"

enum { BLNI_FASTFOOD_LANES = 8 };

/* n rows can be done in so many pieces, side by side. */
BLNI_PRIV size_t blni_fastfood_pieces(size_t n) { return blni_min(n/(2*BLNI_FASTFOOD_LANES), BLNI_PIECES_APART); }

typedef struct blni_fastfood {
    blni_waves  waves;
    size_t      d2, blocks;
    double     *sign;              /* B: blocks x d2, +-1                                                       */
    double     *g;                 /* G / (|G| sqrt(d2)): blocks x d2, each block of norm 1/sqrt(d2)            */
    double     *norm;              /* rho: J                                                                    */
    size_t     *order;             /* P: blocks x d2; row k of P A is row order[k] of A                         */
} blni_fastfood;

/* ---- one tile ---- */

/* T (d lines) = up to eight rows of X, each input times scale / l_i; lanes without a row are 0. */
BLNI_PRIV void blni_fastfood_turn(const blni_fastfood *f, const double *theta, double scale, size_t n, const double *X, size_t ldx,
                                  double *T)
{
    const bln_basis *b = &f->waves.own.base;
    for (size_t i = 0; i < b->d; i++, T += BLNI_FASTFOOD_LANES) {
        const double a = scale/blni_length(b, theta, i);
        for (size_t l = 0; l < BLNI_FASTFOOD_LANES; l++) T[l] = l < n ? a*X[l*ldx + i] : 0.0;
    }
}

/* A line times a number. */
BLNI_PRIV void blni_fastfood_line(double a, const double *BLNI_RESTRICT from, double *BLNI_RESTRICT to)
{
    for (size_t l = 0; l < BLNI_FASTFOOD_LANES; l++) to[l] = a*from[l];
}

/* W = H G P H B T of the block that begins at `first`; V: d2 lines of scratch. */
BLNI_PRIV void blni_fastfood_forward(const blni_fastfood *f, size_t first, const double *T, double *V, double *W)
{
    const size_t d = f->waves.own.base.d, d2 = f->d2, L = BLNI_FASTFOOD_LANES;
    const double *sign = f->sign + first, *g = f->g + first;
    const size_t *order = f->order + first;
    for (size_t i = 0; i < d; i++) blni_fastfood_line(sign[i], T + i*L, V + i*L);
    for (size_t i = d*L; i < d2*L; i++) V[i] = 0.0;
    blni_hadamard(d2, L, V);
    for (size_t k = 0; k < d2; k++) blni_fastfood_line(g[k], V + order[k]*L, W + k*L);
    blni_hadamard(d2, L, W);
}

/* A += B H P' G H W (the first d lines), the adjoint. W is lost, V scratch.  [bases 27] */
BLNI_PRIV void blni_fastfood_adjoint(const blni_fastfood *f, size_t first, double *W, double *V, double *A)
{
    const size_t d = f->waves.own.base.d, d2 = f->d2, L = BLNI_FASTFOOD_LANES;
    const double *sign = f->sign + first, *g = f->g + first;
    const size_t *order = f->order + first;
    blni_hadamard(d2, L, W);
    for (size_t k = 0; k < d2; k++) blni_fastfood_line(g[k], W + k*L, V + order[k]*L);
    blni_hadamard(d2, L, V);
    for (size_t i = 0; i < d; i++)
        for (size_t l = 0; l < L; l++) A[i*L + l] += sign[i]*V[i*L + l];
}

/* ---- features and their chain rule ---- */

/* As in >>fourier, the phases are written in quarter turns where the cosines will be. */
BLNI_PRIV void blni_fastfood_features_rows(const void *job, size_t k)
{
    const blni_waves_rows *r = (const blni_waves_rows *)job;
    const blni_fastfood *f = (const blni_fastfood *)r->v;
    const size_t J = f->waves.J, d2 = f->d2, L = BLNI_FASTFOOD_LANES, ldphi = r->ldphi;
    const size_t end = blni_piece_begin(r->n, L, k + 1, r->pieces);
    const double norm = 1.0/sqrt((double)J);
    double *T = r->work + 3*k*d2*L, *V = T + d2*L, *W = V + d2*L, *Phi = r->Phi;
    for (size_t row = blni_piece_begin(r->n, L, k, r->pieces); row < end; row += L) {
        const size_t rows = blni_min(end - row, L);
        blni_fastfood_turn(f, r->by, 2.0/BLNI_PI, rows, r->X + row*r->ldx, r->ldx, T);
        for (size_t first = 0; first < J; first += d2) {
            const size_t m = blni_min(J - first, d2);
            blni_fastfood_forward(f, first, T, V, W);
            for (size_t l = 0; l < rows; l++) {
                double *phi = Phi + (row + l)*ldphi + first;
                for (size_t j = 0; j < m; j++) phi[j] = f->norm[first + j]*W[j*L + l];
            }
        }
        for (size_t l = 0; l < rows; l++) {
            double *phi = Phi + (row + l)*ldphi;
            blni_sincos_by(J, norm, phi, phi + J, phi);
        }
    }
}

/* A phase with its sine and cosine counts as 2 log2 d2 + 40 operations, or so. */
BLNI_PRIV void blni_fastfood_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t pieces = blni_pieces(60.0*(double)n*(double)f->waves.J, blni_fastfood_pieces(n));
    const blni_waves_rows r = { &f->waves, n, pieces, theta, X, ldx, Phi, ldphi, work };
    blni_run_pieces(pieces, blni_fastfood_features_rows, &r);
}

/* Tiles have eight rows. */
BLNI_PRIV size_t blni_fastfood_preferred(const bln_basis *b) { return BLNI_FASTFOOD_LANES; }

/* 1/sqrt(J), when no phase overflows, nor anything on the way to it: of all that, |x/l|_1 times d2 and the largest norm is a
 * bound. */
BLNI_PRIV double blni_fastfood_bound(BLNI_INPUTS, double *work)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    double norm = 0.0;
    for (size_t j = 0; j < f->waves.J; j++) norm = f->norm[j] <= norm ? norm : f->norm[j];
    const double phase = blni_lengths_away(b, theta, n, X, ldx)*(double)f->d2*(1.0 + norm);
    return phase < 1e300 ? 1.0/sqrt((double)f->waves.J) : HUGE_VAL;
}

/* W (d2 lines) = S T, T = F^s o Phi^c - F^c o Phi^s = dL/dZ of a block of up to eight rows. */
BLNI_PRIV void blni_fastfood_slopes(const blni_fastfood *f, size_t first, size_t rows, const double *Phi, size_t ldphi,
                                    const double *F, size_t ldf, double *W)
{
    const size_t J = f->waves.J, m = blni_min(J - first, f->d2), L = BLNI_FASTFOOD_LANES;
    for (size_t i = 0; i < f->d2*L; i++) W[i] = 0.0;
    for (size_t l = 0; l < rows; l++) {
        const double *phi = Phi + l*ldphi + first, *t = F + l*ldf + first;
        for (size_t j = 0; j < m; j++) W[j*L + l] = f->norm[first + j]*(t[J + j]*phi[j] - t[j]*phi[J + j]);
    }
}

/* With A = V'T, one number for each row and input, from one adjoint pass over the blocks:
 *     dL/dl_i = -l_i^{-2} sum_n x_ni A_ni  (one length scale: summed over i),     dL/dx_ni = A_ni / l_i.  [bases 27] */
BLNI_PRIV void blni_fastfood_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t d = b->d, d2 = f->d2, L = BLNI_FASTFOOD_LANES, step = f->waves.own.lengths > 1 ? 1 : 0;
    double *A = work, *V = A + d2*L, *W = V + d2*L;
    for (size_t row = 0; row < n; row += L) {
        const size_t rows = blni_min(n - row, L);
        for (size_t i = 0; i < d*L; i++) A[i] = 0.0;
        for (size_t first = 0; first < f->waves.J; first += d2) {
            blni_fastfood_slopes(f, first, rows, Phi + row*ldphi, ldphi, F + row*ldf, ldf, W);
            blni_fastfood_adjoint(f, first, W, V, A);
        }
        for (size_t i = 0; i < d; i++) {
            const double length = theta[i*step];
            double sum = 0.0;
            for (size_t l = 0; l < rows; l++) {
                sum += X[(row + l)*ldx + i]*A[i*L + l];
                if (dX) dX[(row + l)*lddx + i] += A[i*L + l]/length;
            }
            if (dtheta) dtheta[i*step] -= sum/length/length;
        }
    }
}

/* Three tiles for each piece. */
BLNI_PRIV size_t blni_fastfood_work(const bln_basis *b, size_t n)
{
    return blni_mul(blni_mul(3*BLNI_FASTFOOD_LANES, blni_max(blni_fastfood_pieces(n), 1)), ((const blni_fastfood *)b)->d2);
}

/* ---- files ---- */

BLNI_PRIV void blni_fastfood_save(const bln_basis *b, bln_writer *w)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t m = f->blocks*f->d2;
    blni_waves_save(&f->waves, 1, w);
    bln_put_doubles(w, m, f->sign);
    bln_put_doubles(w, m, f->g);
    bln_put_doubles(w, f->waves.J, f->norm);
    for (size_t k = 0; k < m; k++) bln_put_u64(w, f->order[k]);
}

BLNI_TABLE const bln_basis_ops blni_fastfood_ops = {
    "fastfood", blni_fastfood_features, blni_fastfood_pullback, blni_fastfood_work, blni_length_param, NULL,
    blni_waves_feature_name, blni_length_name, blni_waves_slice_name, blni_fastfood_save, blni_fastfood_load,
    blni_basis_release, NULL,
    NULL, NULL, NULL, NULL, NULL, blni_fastfood_preferred, blni_fastfood_bound, NULL, NULL, NULL
};

/* ---- making them ---- */

BLNI_PRIV const char *blni_fastfood_check(const bln_fourier_desc *desc)
{
    bln_fourier_desc plain;
    if (!desc) return "fastfood: desc is NULL";
    if (desc->draws != BLN_DRAWS_DEFAULT && desc->draws != BLN_DRAWS_FASTFOOD)
        return "fastfood: draws must be 0 or Fastfood, it has no others";
    plain = *desc;
    plain.draws = BLN_DRAWS_DEFAULT;
    const char *why = blni_fourier_check(&plain);
    if (!why && blni_kernel_find(desc->kernel)->product)
        return "fastfood: needs a radial kernel; the frequencies of a product over the inputs prefer the axes, Fastfood's do not";
    return why;
}

/* The basis without its pieces. */
BLNI_PRIV bln_status blni_fastfood_new(const bln_fourier_desc *desc, blni_fastfood **out, bln_report *report)
{
    blni_waves *v = NULL;
    const size_t J = desc->n, d2 = blni_power_of_two(desc->d), blocks = J/d2 + (J % d2 != 0);
    const size_t m = blni_mul(blocks, d2);
    const size_t extra = blni_add(blni_mul(m, 2*sizeof(double) + sizeof(size_t)), blni_mul(J, sizeof(double)));
    if (blni_mul(3*BLNI_FASTFOOD_LANES*sizeof(double), d2) == (size_t)-1) return blni_basis_fail(report, BLN_EOVERFLOW);
    BLNI_TRY(blni_waves_new(desc, &blni_fastfood_ops, sizeof(blni_fastfood), extra, &v, report));
    blni_fastfood *f = (blni_fastfood *)v;
    f->d2 = d2;
    f->blocks = blocks;
    f->sign = (double *)v->own.tail;
    f->g = f->sign + m;
    f->norm = f->g + m;
    f->order = (size_t *)(void *)(f->norm + J);
    *out = f;
    return BLN_OK;
}

BLN_API bln_status bln_fastfood_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report)
{
    blni_fastfood *f = NULL;
    const char *why = out ? blni_fastfood_check(desc) : "fastfood: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    bln_fourier_desc full = *desc;
    full.draws = BLN_DRAWS_INDEPENDENT;
    full = blni_fourier_defaults(&full);
    BLNI_TRY(blni_fastfood_new(&full, &f, report));
    blni_draws draws = blni_draws_begun(&full);
    bln_rng norms = blni_rng_of(full.seed, 2), signs = blni_rng_of(full.seed, 3);
    const size_t d2 = f->d2;
    for (size_t first = 0; first < f->waves.J; first += d2) {
        double *g = f->g + first, square = 0.0;
        bln_rng_normals(&draws.normals, d2, g);
        for (size_t k = 0; k < d2; k++) square += g[k]*g[k];
        for (size_t k = 0; k < d2; k++) g[k] /= sqrt(square)*sqrt((double)d2);
        for (size_t k = 0; k < d2; k++) f->sign[first + k] = bln_rng_next(&signs) >> 63 ? -1.0 : 1.0;
        bln_rng_permutation(&signs, d2, f->order + first);
        for (size_t j = first; j < f->waves.J && j < first + d2; j++)
            f->norm[j] = sqrt(blni_scale_draw(&draws))*sqrt(bln_rng_chi2(&norms, (double)d2));
    }
    *out = &f->waves.own.base;
    return BLN_OK;
}

/* Signs are signs, and each block's order is a permutation: words[k] loses its top bit, which serves as the mark of row k. */
BLNI_PRIV const char *blni_fastfood_fill(blni_fastfood *f, const double *values, uint64_t *words)
{
    const size_t m = f->blocks*f->d2;
    const uint64_t mark = UINT64_C(1) << 63;
    memcpy(f->sign, values, m*sizeof *values);
    memcpy(f->g, values + m, m*sizeof *values);
    memcpy(f->norm, values + 2*m, f->waves.J*sizeof *values);
    for (size_t k = 0; k < m; k++)
        if (fabs(f->sign[k]) != 1.0) return "a sign of a Fastfood basis that is none";
    for (size_t k = 0; k < m; k++) {
        uint64_t *block = words + k/f->d2*f->d2;
        const uint64_t row = words[k] & ~mark;
        if (row >= f->d2 || (block[row] & mark)) return "the order of a Fastfood basis is no permutation";
        block[row] |= mark;
        f->order[k] = (size_t)row;
    }
    return NULL;
}

BLNI_PRIV bln_status blni_fastfood_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    const bln_fourier_desc desc = blni_waves_read(context, r, 1);
    blni_fastfood *f = NULL;
    double *values = NULL;
    const char *why = blni_fastfood_check(&desc);
    if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    if (r->status != BLN_OK) return r->status;
    const size_t d2 = blni_power_of_two(desc.d), m = blni_mul(desc.n/d2 + (desc.n % d2 != 0), d2);
    const size_t n = blni_add(blni_mul(2, m), desc.n);
    BLNI_TRY(blni_load_checked(&context->alloc, r, NULL, n, "a number of a Fastfood basis is not finite", &values));
    uint64_t *words = blni_load_words(&context->alloc, r, m);
    bln_status status = words ? blni_fastfood_new(&desc, &f, NULL) : r->status;
    if (words && status != BLN_OK) status = blni_load_fail(r, status);
    if (status == BLN_OK && (why = blni_fastfood_fill(f, values, words)) != NULL) {
        status = bln_reader_fail(r, BLN_EFORMAT, why);
        bln_basis_free(&f->waves.own.base);
    }
    blni_release(&context->alloc, values, n*sizeof *values);
    blni_release(&context->alloc, words, m*sizeof *words);
    if (status == BLN_OK) *out = &f->waves.own.base;
    return status;
}

BLN_API const bln_basis_ops *bln_fastfood_ops(void) { return &blni_fastfood_ops; }
