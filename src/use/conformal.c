/* conformal: absolute standardised residuals in ascending order, and sums of their weights
 *
 * Content of a "CNFM" section of a model file, version 1:
 *     u64       P, outputs >= 1
 *     u64       n, rows >= 1
 *     u32       1: rows have weights; 0: all weights are 1
 *     f64 x n   |z| of the first output, ascending
 *     f64 x n   weights > 0 in the same order, if there are any
 *     ...       the same of the other outputs */
#include "conformal_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../math/special.h"

struct bln_conformal {
    size_t        n, P;
    double       *z;            /* P x n: |z|, each output's ascending                 */
    double       *weight;       /* P x n: in the same order; NULL: all are 1           */
    double       *sum;          /* P x n: of the weights up to here; NULL: i + 1       */
    size_t        bytes;        /* of the block, for free                              */
    bln_allocator alloc;
};

/* One block: the struct, then its arrays. */
BLNI_PRIV bln_status blni_conformal_new(const bln_allocator *alloc, size_t n, size_t P, int weighted, bln_conformal **out,
                                        bln_report *report)
{
    if (alloc && !blni_allocator_ok(alloc)) return blni_refuse(report, BLN_EINVAL, "conformal: half an allocator");
    const size_t all = blni_mul(n, P), head = blni_doubles(sizeof(bln_conformal));
    const size_t bytes = blni_add(head*sizeof(double), blni_mul(all, (weighted ? 3 : 1)*sizeof(double)));
    if (bytes == (size_t)-1) return blni_refuse(report, BLN_EOVERFLOW, "conformal: too many rows for this machine");
    bln_conformal *c = (bln_conformal *)blni_alloc(alloc, bytes);
    if (!c) return blni_refuse(report, BLN_ENOMEM, "conformal: out of memory");
    memset(c, 0, sizeof *c);
    c->n = n;
    c->P = P;
    c->z = (double *)(void *)c + head;
    c->weight = weighted ? c->z + all : NULL;
    c->sum = weighted ? c->weight + all : NULL;
    if (alloc) c->alloc = *alloc;
    c->bytes = bytes;
    *out = c;
    return BLN_OK;
}

BLN_API void bln_conformal_free(bln_conformal *c) { if (c) blni_release(&c->alloc, c, c->bytes); }

BLNI_PRIV void blni_conformal_add_up(bln_conformal *c)
{
    for (size_t k = 0; k < c->P && c->weight; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < c->n; i++) c->sum[k*c->n + i] = sum += c->weight[k*c->n + i];
    }
}

/* *count: rows of positive weight. */
BLNI_PRIV bln_status blni_conformal_check(size_t n, size_t P, const double *z, size_t ldz, const double *weight, size_t *count,
                                          bln_report *report)
{
    double total = 0.0;
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        const double w = weight ? weight[i] : 1.0;
        if (!blni_finite(w)) return blni_fail(report, BLN_EDATA, i, BLN_NONE, "conformal: a weight is NaN or infinite");
        if (w < 0.0) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "conformal: a weight must be >= 0");
        for (size_t k = 0; k < P && w > 0.0; k++)
            if (!blni_finite(z[i*ldz + k])) return blni_fail(report, BLN_EDATA, i, k, "conformal: a residual is NaN or infinite");
        *count += w > 0.0;
        total += w;
    }
    if (*count == 0) return blni_refuse(report, BLN_EINVAL, n ? "conformal: all weights are 0" : "conformal: no rows");
    if (!blni_finite(total)) return blni_refuse(report, BLN_ENUMERIC, "conformal: the sum of weights overflows");
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_conformal_create(const bln_allocator *alloc, size_t n, size_t P, const double *z, size_t ldz,
                                                  const double *weight, bln_conformal **out, bln_report *report)
{
    bln_conformal *c = NULL;
    size_t count = 0;
    BLNI_TRY(blni_begin(report, z && out, "conformal: NULL argument"));
    if (P == 0 || ldz < P) return blni_refuse(report, BLN_EINVAL, "conformal: no outputs, or ldz below P");
    /* No array has so many bytes: such an n would be found out by reading beyond z. */
    if (blni_mul(blni_add(blni_mul(n ? n - 1 : 0, ldz), P), sizeof(double)) > (size_t)-1/2)
        return blni_refuse(report, BLN_EOVERFLOW, "conformal: too many rows for this machine");
    BLNI_TRY(blni_conformal_check(n, P, z, ldz, weight, &count, report));
    BLNI_TRY(blni_conformal_new(alloc, count, P, weight != NULL, &c, report));
    for (size_t k = 0; k < P; k++) {
        double *size = c->z + k*count, *with = c->weight ? c->weight + k*count : NULL;
        size_t at = 0;
        for (size_t i = 0; i < n; i++) {
            if (weight && !(weight[i] > 0.0)) continue;
            if (with) with[at] = weight[i];
            size[at++] = fabs(z[i*ldz + k]);
        }
        blni_sort(count, size, with);
    }
    blni_conformal_add_up(c);
    *out = c;
    return BLN_OK;
}

/* The sum of the weights of row 0 .. i of output k. */
BLNI_PRIV double blni_conformal_sum(const bln_conformal *c, size_t k, size_t i)
{
    return c->sum ? c->sum[k*c->n + i] : (double)i + 1.0;
}

BLN_API double bln_conformal_rows(const bln_conformal *c) { return c ? blni_conformal_sum(c, 0, c->n - 1) : BLNI_NAN; }
BLN_API size_t bln_conformal_outputs(const bln_conformal *c) { return c ? c->P : 0; }

BLN_API double bln_conformal_multiple(const bln_conformal *c, size_t output, double level, int *enough)
{
    if (enough) *enough = 0;
    if (!c || output >= c->P || !(level > 0.0 && level < 1.0)) return BLNI_NAN;
    const size_t n = c->n;
    const double *z = c->z + output*n;
    /* level (N + 1) of whole numbers may be one, and weights of 1/3 may sum to one, but for rounding: n of a sum, 4 of the rest. */
    const double wanted = level*(blni_conformal_sum(c, output, n - 1) + 1.0)*(1.0 - (double)(n + 4)*DBL_EPSILON);
    size_t below = 0, end = n;                       /* sums before `below` are less than wanted, those from `end` are not */
    while (below < end) {
        const size_t middle = below + (end - below)/2;
        if (blni_conformal_sum(c, output, middle) < wanted) below = middle + 1; else end = middle;
    }
    if (end < n) {
        if (enough) *enough = 1;
        return z[end];
    }
    const double normal = -bln_norm_quantile(0.5*(1.0 - level));
    return normal > z[n - 1] ? normal : z[n - 1];
}

BLN_API void bln_conformal_intervals(const bln_conformal *c, size_t n, const double *mean, const double *var, double level,
                                     double *lower, double *upper)
{
    const size_t P = bln_conformal_outputs(c);
    for (size_t k = 0; k < P; k++) {
        const double q = bln_conformal_multiple(c, k, level, NULL);
        for (size_t i = k; i < n*P; i += P) {
            const double m = mean[i], h = var[i] >= 0.0 ? q*sqrt(var[i]) : BLNI_NAN;
            lower[i] = m - h;
            upper[i] = m + h;
        }
    }
}

BLNI_ONCE BLN_API bln_status bln_conformal_save(const bln_conformal *c, bln_writer *w)
{
    if (!c || !w) return blni_writer_fail(w, BLN_EINVAL);
    bln_put_u64(w, c->P);
    bln_put_u64(w, c->n);
    bln_put_u32(w, c->weight ? 1 : 0);
    for (size_t k = 0; k < c->P; k++) {
        bln_put_doubles(w, c->n, c->z + k*c->n);
        if (c->weight) bln_put_doubles(w, c->n, c->weight + k*c->n);
    }
    return w->status;
}

/* What the search relies on. */
BLNI_PRIV const char *blni_conformal_flaw(const bln_conformal *c)
{
    for (size_t k = 0; k < c->P; k++) {
        double before = 0.0;
        for (size_t i = k*c->n; i < (k + 1)*c->n; before = c->z[i++])
            if (!(c->z[i] >= before) || !blni_finite(c->z[i])) return "conformal: residuals out of order, or none";
        for (size_t i = k*c->n; i < (k + 1)*c->n && c->weight; i++)
            if (!(c->weight[i] > 0.0) || !blni_finite(c->sum[i])) return "conformal: weights that are none";
    }
    return NULL;
}

BLNI_ONCE BLN_API bln_status bln_conformal_load(const bln_allocator *alloc, bln_reader *r, bln_conformal **out)
{
    bln_conformal *c = NULL;
    if (!r || !out) return BLN_EINVAL;
    const size_t P = bln_get_count(r, sizeof(double), (size_t)-1);
    const size_t n = bln_get_count(r, blni_mul(P, sizeof(double)), (size_t)-1);
    const uint32_t weighted = bln_get_u32(r);
    if (r->status == BLN_OK && (P == 0 || n == 0 || weighted > 1))
        bln_reader_fail(r, BLN_EFORMAT, "conformal: no rows, or no outputs");
    if (r->status != BLN_OK) return r->status;
    const bln_status status = blni_conformal_new(alloc, n, P, (int)weighted, &c, NULL);
    if (status != BLN_OK) return bln_reader_fail(r, status, "conformal: out of memory");
    for (size_t k = 0; k < P; k++) {
        bln_get_doubles(r, n, c->z + k*n);
        if (weighted) bln_get_doubles(r, n, c->weight + k*n);
    }
    if (r->status == BLN_OK) blni_conformal_add_up(c);
    const char *flaw = r->status == BLN_OK ? blni_conformal_flaw(c) : NULL;
    if (flaw) bln_reader_fail(r, BLN_EFORMAT, flaw);
    if (r->status != BLN_OK) { bln_conformal_free(c); return r->status; }
    *out = c;
    return BLN_OK;
}

BLNI_MODEL_KIND(conformal, "CNFM", 1, 1, load ? &load->alloc : NULL)
BLN_API const bln_model_kind *bln_conformal_file_kind(void) { return &blni_conformal_kind; }
