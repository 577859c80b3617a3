/* scaler: means and standard deviations in one pass, and the maps to standard units and back
 *
 * Content of a "SCAL" section of a model file, version 2:
 *     u64              d
 *     f64 x (d + 1)    means, the target's last
 *     f64 x (d + 1)    standard deviations, > 0
 *     u8  x (d + 1)    1 where the column was constant (its standard deviation is then 1), else 0
 *
 * Several outputs: u64 2^63 + P, then the same with d + P for d + 1. Version 1 is that of one output. */
#include "scaler_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"

struct bln_scaler {
    size_t         d, P;            /* inputs, and targets >= 1          */
    double        *mean, *sd;       /* d + P each                        */
    unsigned char *constant;        /* d + P                             */
    size_t         bytes;           /* of the block, for free            */
    bln_allocator  alloc;
};

#define BLNI_SCALER_SEVERAL ((uint64_t)1 << 63)

/* One block: the struct, then its arrays. */
BLNI_PRIV bln_status blni_scaler_new(const bln_allocator *alloc, size_t d, size_t P, bln_scaler **out, bln_report *report)
{
    if (alloc && !blni_allocator_ok(alloc)) return blni_refuse(report, BLN_EINVAL, "scaler: half an allocator");
    const size_t columns = blni_add(d, P), head = blni_doubles(sizeof(bln_scaler));
    const size_t bytes = blni_add(head*sizeof(double), blni_mul(columns, 2*sizeof(double) + 1));
    if (bytes == (size_t)-1) return blni_refuse(report, BLN_EOVERFLOW, "scaler: too many columns for this machine");
    bln_scaler *s = (bln_scaler *)blni_alloc(alloc, bytes);
    if (!s) return blni_refuse(report, BLN_ENOMEM, "scaler: out of memory");
    memset(s, 0, sizeof *s);
    s->d = d;
    s->P = P;
    s->mean = (double *)(void *)s + head;
    s->sd = s->mean + columns;
    s->constant = (unsigned char *)(s->sd + columns);
    if (alloc) s->alloc = *alloc;
    s->bytes = bytes;
    for (size_t j = 0; j < d + P; j++) {
        s->mean[j] = 0.0;
        s->sd[j] = 1.0;
        s->constant[j] = 0;
    }
    *out = s;
    return BLN_OK;
}

BLN_API bln_status bln_scaler_identity(const bln_allocator *alloc, size_t d, size_t P, bln_scaler **out)
{
    return out ? blni_scaler_new(alloc, d, P ? P : 1, out, NULL) : BLN_EINVAL;
}

BLN_API void bln_scaler_free(bln_scaler *scaler) { if (scaler) blni_release(&scaler->alloc, scaler, scaler->bytes); }

/* Squares of numbers beyond 2^+-512 leave the range of doubles. While a column is learnt its numbers are in a unit, a power of two:
 * 2^-600 while all are below 2^-400 in size, 2^600 from the first above 2^400 on, else 1, which changes no bit. `constant` says
 * which: it only grows, and a column of zeros has none. */
enum { BLNI_SCALER_ZEROS, BLNI_SCALER_TINY, BLNI_SCALER_PLAIN, BLNI_SCALER_HUGE };

/* 1 over the unit. */
BLNI_PRIV double blni_scaler_per_unit(int unit)
{
    return unit == BLNI_SCALER_TINY ? ldexp(1.0, 600) : unit == BLNI_SCALER_HUGE ? ldexp(1.0, -600) : 1.0;
}

/* The unit of column j once it holds x: *per_unit. What a mean and a scatter lose when the unit grows is nothing beside x. */
BLNI_PRIV void blni_scaler_choose_unit(bln_scaler *s, size_t j, double x, double *per_unit)
{
    const double size = fabs(x);
    const int old = s->constant[j], is = !(size > 0.0) ? BLNI_SCALER_ZEROS : size < ldexp(1.0, -400) ? BLNI_SCALER_TINY
                                       : size <= ldexp(1.0, 400) ? BLNI_SCALER_PLAIN : BLNI_SCALER_HUGE;
    *per_unit = blni_scaler_per_unit(is > old ? is : old);
    if (is <= old) return;
    if (old != BLNI_SCALER_ZEROS) {
        const double ratio = *per_unit/blni_scaler_per_unit(old);
        s->mean[j] *= ratio;
        s->sd[j] = s->sd[j]*ratio*ratio;
    }
    s->constant[j] = (unsigned char)is;
}

/* sd holds the scatter sum w (x - mean)^2 until the end. A column that does not change never leaves its first value: its mean is
 * exact, and its scatter 0. */
BLNI_PRIV void blni_scaler_block(bln_scaler *s, const bln_data *block, double *total)
{
    const size_t ldx = blni_ldx(block);
    for (size_t i = 0; i < block->n; i++) {
        const double w = block->weight ? block->weight[i] : 1.0;
        for (size_t j = 0; j < s->d + (block->y ? s->P : 0); j++) {
            const double x = j < s->d ? block->X[i*ldx + j] : blni_y(block, i, j - s->d);
            blni_running column;
            double per_unit;
            if (!(w > 0.0)) continue;
            blni_scaler_choose_unit(s, j, x, &per_unit);
            column.weight = *total;
            column.mean = s->mean[j];
            column.scatter = s->sd[j];
            blni_running_add(&column, w, x*per_unit);
            s->mean[j] = column.mean;
            s->sd[j] = column.scatter;
        }
        *total += w;
    }
}

/* The first block says how many targets there are: *s made anew if more than one. */
BLNI_PRIV bln_status blni_scaler_begin(const bln_allocator *alloc, const bln_data *block, bln_scaler **s, bln_report *report)
{
    const size_t d = (*s)->d;
    if (block->y && blni_outputs(block) > 1) {
        bln_scaler_free(*s);
        *s = NULL;
        BLNI_TRY(blni_scaler_new(alloc, d, blni_outputs(block), s, report));
    }
    for (size_t j = 0; j < d + (*s)->P; j++) (*s)->sd[j] = 0.0;
    return BLN_OK;
}

/* One pass over the source; *of comes in as new, for one target, and is NULL after some failures. */
BLNI_PRIV bln_status blni_scaler_learn(const bln_allocator *alloc, bln_scaler **of, const bln_source *source, bln_report *report)
{
    bln_scaler *s = *of;
    size_t rows = 0;
    int target = 0;
    double total = 0.0;
    bln_data block;
    bln_status status = source->reset(source->user, report);
    for (;;) {
        memset(&block, 0, sizeof block);
        if (status == BLN_OK) status = source->next(source->user, 256, &block, report);
        if (status != BLN_OK) return status;
        if (block.n == 0) break;
        if (block.d != s->d)
            return blni_fail(report, BLN_ESHAPE, rows, BLN_NONE, "scaler: a block has another number of columns than its source");
        if (rows == 0) {
            target = block.y != NULL;
            BLNI_TRY(blni_scaler_begin(alloc, &block, of, report));
            s = *of;
        }
        if (target != (block.y != NULL))
            return blni_fail(report, BLN_ESHAPE, rows, BLN_NONE, "scaler: only some blocks have targets");
        if (target && blni_outputs(&block) != s->P)
            return blni_fail(report, BLN_ESHAPE, rows, BLN_NONE, "scaler: a block has another number of outputs");
        BLNI_TRY(blni_data_check_from(&block, target, rows, report));
        blni_scaler_block(s, &block, &total);
        rows += block.n;
    }
    if (!(total > 0.0)) return blni_refuse(report, BLN_EINVAL, rows ? "scaler: all weights are 0" : "scaler: no rows");
    if (!blni_finite(total)) return blni_refuse(report, BLN_ENUMERIC, "scaler: the sum of weights overflows");

    for (size_t j = 0; j < s->d + s->P; j++) {
        const double per_unit = blni_scaler_per_unit(s->constant[j]), scatter = s->sd[j], sd = sqrt(scatter/total)/per_unit;
        s->mean[j] /= per_unit;
        if (!(blni_finite(sd) & blni_finite(s->mean[j])))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, j, "scaler: the standard deviation overflows: scale the data");
        if (scatter > 0.0 && !(sd > 0.0))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, j, "scaler: the standard deviation underflows: scale the data");
        s->constant[j] = !(scatter > 0.0) && (j < s->d || target);
        s->sd[j] = scatter > 0.0 ? sd : 1.0;
    }
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_scaler_create_source(const bln_allocator *alloc, const bln_source *source, bln_scaler **out,
                                                      bln_report *report)
{
    BLNI_TRY(blni_begin(report, source && source->reset && source->next && out, "scaler: NULL argument"));
    bln_scaler *s = NULL;
    BLNI_TRY(blni_scaler_new(alloc, source->d, 1, &s, report));
    bln_status status = blni_scaler_learn(alloc, &s, source, report);
    if (status != BLN_OK) { bln_scaler_free(s); return status; }
    *out = s;
    return BLN_OK;
}

BLN_API bln_status bln_scaler_create(const bln_allocator *alloc, const bln_data *data, bln_scaler **out, bln_report *report)
{
    bln_data_reader state;
    BLNI_TRY(blni_begin(report, data != NULL, "scaler: NULL argument"));
    const bln_source source = bln_source_of(data, &state);
    return bln_scaler_create_source(alloc, &source, out, report);
}

BLNI_PRIV int blni_scaler_has(const bln_scaler *s, size_t j) { return s && j < s->d + s->P; }

BLN_API size_t bln_scaler_columns (const bln_scaler *scaler)           { return scaler ? scaler->d : 0; }
BLN_API size_t bln_scaler_outputs (const bln_scaler *scaler)           { return scaler ? scaler->P : 0; }
BLN_API double bln_scaler_mean    (const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) ? s->mean[j] : BLNI_NAN; }
BLN_API double bln_scaler_sd      (const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) ? s->sd[j] : BLNI_NAN; }
BLN_API int    bln_scaler_constant(const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) && s->constant[j]; }

BLN_API void bln_scaler_inputs(const bln_scaler *scaler, size_t n, const double *X, size_t ldx, double *X_out, size_t ldout)
{
    if (ldx == 0) ldx = scaler->d;
    if (ldout == 0) ldout = scaler->d;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < scaler->d; j++) X_out[i*ldout + j] = (X[i*ldx + j] - scaler->mean[j])/scaler->sd[j];
}

BLN_API void bln_scaler_targets(const bln_scaler *scaler, size_t n, const double *y, double *y_out)
{
    const double *mean = scaler->mean + scaler->d, *sd = scaler->sd + scaler->d;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0, at = i*scaler->P; k < scaler->P; k++, at++) y_out[at] = (y[at] - mean[k])/sd[k];
}

BLN_API void bln_scaler_means_back(const bln_scaler *scaler, size_t n, const double *mean, double *out)
{
    const double *centre = scaler->mean + scaler->d, *sd = scaler->sd + scaler->d;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0, at = i*scaler->P; k < scaler->P; k++, at++) out[at] = centre[k] + sd[k]*mean[at];
}

BLN_API void bln_scaler_vars_back(const bln_scaler *scaler, size_t n, const double *var, double *out)
{
    const double *sd = scaler->sd + scaler->d;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0, at = i*scaler->P; k < scaler->P; k++, at++) {
            const double square = sd[k]*sd[k];                /* where it is no double, the variance may still be one */
            out[at] = square >= DBL_MIN && square <= DBL_MAX ? square*var[at] : sd[k]*(sd[k]*var[at]);
        }
}

/* p(y) = p(z) |dz/dy| = p(z)/sd for each of the n targets. */
BLN_API double bln_scaler_logp_back(const bln_scaler *scaler, double n, double logp)
{
    if (!scaler) return BLNI_NAN;
    for (size_t k = 0; k < scaler->P; k++) logp -= n*log(scaler->sd[scaler->d + k]);
    return logp;
}

BLNI_ONCE BLN_API bln_status bln_scaler_save(const bln_scaler *scaler, bln_writer *w)
{
    if (!scaler || !w) return blni_writer_fail(w, BLN_EINVAL);
    const size_t columns = scaler->d + scaler->P;
    if (scaler->P > 1) bln_put_u64(w, BLNI_SCALER_SEVERAL + scaler->P);
    bln_put_u64(w, scaler->d);
    bln_put_doubles(w, columns, scaler->mean);
    bln_put_doubles(w, columns, scaler->sd);
    bln_put_bytes(w, scaler->constant, columns);
    return w->status;
}

/* What every later division and logarithm relies on. */
BLNI_PRIV const char *blni_scaler_flaw(const bln_scaler *s)
{
    for (size_t j = 0; j < s->d + s->P; j++) {
        if (!blni_finite(s->mean[j])) return "scaler: a mean is NaN or infinite";
        if (!(s->sd[j] > 0.0 && blni_finite(s->sd[j]))) return "scaler: a standard deviation is not a number > 0";
        if (s->constant[j] > 1 || (s->constant[j] && s->sd[j] != 1.0)) return "scaler: a wrong mark of a constant column";
    }
    return NULL;
}

/* d and P; each column takes 17 bytes, of which so many must be left. */
BLNI_PRIV bln_status blni_scaler_read_sizes(bln_reader *r, size_t *d, size_t *P)
{
    uint64_t first = bln_get_u64(r), outputs = 1;
    if (first & BLNI_SCALER_SEVERAL) {
        outputs = first - BLNI_SCALER_SEVERAL;
        first = bln_get_u64(r);
        if (r->status == BLN_OK && outputs < 2) bln_reader_fail(r, BLN_EFORMAT, "scaler: one output in the form of several");
    }
    const uint64_t left = blni_reader_left(r)/(2*sizeof(double) + 1), fits = (size_t)-1/(4*sizeof(double));
    const uint64_t most = left < fits ? left : fits;
    if (r->status == BLN_OK && (outputs > most || first > most - outputs))
        bln_reader_fail(r, BLN_EFORMAT, "scaler: more columns than can follow");
    *d = (size_t)first;
    *P = (size_t)outputs;
    return r->status;
}

BLNI_ONCE BLN_API bln_status bln_scaler_load(const bln_allocator *alloc, bln_reader *r, bln_scaler **out)
{
    bln_scaler *s = NULL;
    if (!r || !out) return BLN_EINVAL;
    size_t d, P;
    if (blni_scaler_read_sizes(r, &d, &P) != BLN_OK) return r->status;
    bln_status status = blni_scaler_new(alloc, d, P, &s, NULL);
    if (status != BLN_OK) return bln_reader_fail(r, status, "scaler: out of memory");
    bln_get_doubles(r, d + P, s->mean);
    bln_get_doubles(r, d + P, s->sd);
    bln_get_bytes(r, s->constant, d + P);
    const char *flaw = r->status == BLN_OK ? blni_scaler_flaw(s) : NULL;
    if (flaw) bln_reader_fail(r, BLN_EFORMAT, flaw);
    if (r->status != BLN_OK) { bln_scaler_free(s); return r->status; }
    *out = s;
    return BLN_OK;
}

BLNI_MODEL_KIND(scaler, "SCAL", 1, 2, load ? &load->alloc : NULL)
BLN_API const bln_model_kind *bln_scaler_file_kind(void) { return &blni_scaler_kind; }
