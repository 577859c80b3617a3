/* group: indicators of levels, and these times inputs
 *
 * Features stand slice after slice: n + 1 for each, one for each level and a last one for groups that are none of the levels. A row
 * has at most one feature that is not 0 in each slice. */
#include "group_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"
#include "../core/data_private.h"
#include "../math/decimal.h"
#include "basis_private.h"

typedef struct blni_group { blni_owned own; size_t n; int ones; double *levels; char *names; } blni_group;

/* The place of a level: n where it is none; BLN_NONE for no group. */
BLNI_PRIV size_t blni_group_find(const blni_group *g, double x)
{
    size_t lo = 0, hi = g->n;
    if (x == BLN_GROUP_NONE) return BLN_NONE;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo)/2;
        if (g->levels[mid] < x) lo = mid + 1; else hi = mid;
    }
    return lo < g->n && g->levels[lo] == x ? lo : g->n;
}

BLNI_PRIV void blni_group_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_group *g = (const blni_group *)b;
    for (size_t r = 0; r < n; r++) {
        const double *x = X + r*ldx;
        double *phi = Phi + r*ldphi;
        size_t at = blni_group_find(g, x[0]);
        for (size_t j = 0; j < b->D; j++) phi[j] = 0.0;
        for (size_t i = g->ones ? 0 : 1; i < b->d && at != BLN_NONE; i++, at += g->n + 1) phi[at] = i ? x[i] : 1.0;
    }
}

/* The group itself has no slope. */
BLNI_PRIV void blni_group_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_group *g = (const blni_group *)b;
    for (size_t r = 0; r < n; r++) {
        size_t at = blni_group_find(g, X[r*ldx]);
        if (at != BLN_NONE && g->ones) at += g->n + 1;
        for (size_t i = 1; i < b->d && at != BLN_NONE; i++, at += g->n + 1) dX[r*lddx + i] += F[r*ldf + at];
    }
}

BLNI_PRIV size_t blni_group_slice(const bln_basis *b, size_t s) { return s*(((const blni_group *)b)->n + 1); }
BLNI_PRIV size_t blni_group_active(const bln_basis *b, size_t s) { return 1; }
BLNI_PRIV size_t blni_group_preferred(const bln_basis *b) { return 1; }

/* "x|", then the group; of intercepts `constant` in the place of "x|". */
BLNI_PRIV void blni_group_of(const bln_basis *b, size_t s, const char *constant, const bln_inputs *inputs, char *out, size_t size)
{
    const size_t i = s + (((const blni_group *)b)->ones ? 0 : 1);
    if (i) bln_input_name(inputs, i, out, size);
    blni_cat(out, size, i ? "|" : constant);
    const size_t at = strlen(out);
    bln_input_name(inputs, 0, out + at, size - at);
}

/* "subject=308", "days|subject=308" */
BLNI_ONCE BLNI_PRIV void blni_group_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_group *g = (const blni_group *)b;
    const size_t level = j%(g->n + 1);
    char number[BLN_DECIMAL_TEXT];
    blni_group_of(b, j/(g->n + 1), "", inputs, out, size);
    blni_cat(out, size, "=");
    if (level == g->n) blni_cat(out, size, "(new)");
    else if (g->names) blni_cat(out, size, g->names + level*BLNI_BASIS_NAME);
    else { bln_decimal_write(g->levels[level], 0, number); blni_cat(out, size, number); }
}

/* "1|subject", "days|subject" */
BLNI_ONCE BLNI_PRIV void blni_group_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    blni_group_of(b, s, "1|", inputs, out, size);
}

BLNI_PRIV double blni_group_bound(BLNI_INPUTS, double *work) { return blni_largest_input(n, b->d - 1, X + 1, ldx); }

BLNI_ONCE BLNI_PRIV void blni_group_save(const bln_basis *b, bln_writer *w)
{
    const blni_group *g = (const blni_group *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, g->n);
    bln_put_u32(w, !g->ones);
    bln_put_u32(w, g->names != NULL);
    bln_put_doubles(w, g->n, g->levels);
    for (size_t j = 0; j < g->n && g->names; j++) bln_put_string(w, g->names + j*BLNI_BASIS_NAME);
}

BLNI_PRIV bln_status blni_group_load(const bln_load *context, bln_reader *r, bln_basis **out);

BLNI_TABLE const bln_basis_ops blni_group_ops = {
    "group", blni_group_features, blni_group_pullback, NULL, NULL, blni_group_slice,
    blni_group_feature_name, NULL, blni_group_slice_name, blni_group_save, blni_group_load, blni_basis_release, blni_no_low,
    NULL, NULL, NULL, NULL, NULL, blni_group_preferred, blni_group_bound, NULL, NULL, blni_group_active
};

/* ---- making them ---- */

BLNI_ONCE BLNI_PRIV const char *blni_group_check(const bln_group_desc *desc)
{
    if (!desc) return "group: desc is NULL";
    if (desc->d == 0) return "group: d (inputs) is 0";
    if (desc->d == 1 && desc->slopes_only) return "group: neither intercepts nor slopes";
    if (desc->d > BLNI_BASIS_PARTS) return "group: more than 4096 inputs";
    if (desc->n < 2) return "group: fewer than two levels";
    return blni_allocator_ok(&desc->alloc) ? NULL : "group: half an allocator";
}

/* named: with room for names. Levels and names as zeros. */
BLNI_PRIV bln_status blni_group_new(const bln_group_desc *desc, int named, blni_group **out, bln_report *report)
{
    blni_owned *own = NULL;
    const size_t n = desc->n, slices = desc->d - (desc->slopes_only ? 1 : 0);
    const size_t extra = blni_mul(n, sizeof(double) + (named ? (size_t)BLNI_BASIS_NAME : 0));
    BLNI_TRY(blni_basis_new(&desc->alloc, &blni_group_ops, desc->d, blni_mul(slices, blni_add(n, 1)), 0,
                            sizeof(blni_group), extra, &own, report));
    blni_group *g = (blni_group *)own;
    memset(own->tail, 0, extra);
    own->base.n_slices = slices;
    g->n = n;
    g->ones = !desc->slopes_only;
    g->levels = (double *)own->tail;
    if (named) g->names = (char *)(g->levels + n);
    *out = g;
    return BLN_OK;
}

/* The first level that is not finite, reserved, or not above the one before; n if there is none. */
BLNI_PRIV size_t blni_group_wrong(size_t n, const double *levels)
{
    size_t i = 0;
    while (i < n && blni_finite(levels[i]) && levels[i] != BLN_GROUP_NONE && (i == 0 || levels[i] > levels[i - 1])) i++;
    return i;
}

BLN_API bln_status bln_group_create(const bln_group_desc *desc, bln_basis **out, bln_report *report)
{
    const char *why = out ? blni_group_check(desc) : "group: out is NULL";
    blni_group *g = NULL;
    BLNI_TRY(blni_begin(report, !why, why));
    const size_t n = desc->n, wrong = desc->levels ? blni_group_wrong(n, desc->levels) : n;
    if (wrong < n) return blni_fail(report, BLN_EDATA, wrong, BLN_NONE, "group: levels must be finite, ascending, and not -1");
    for (size_t j = 0; j < n && desc->names; j++)
        if (!desc->names[j]) return blni_refuse(report, BLN_EINVAL, "group: a name is NULL");
    BLNI_TRY(blni_group_new(desc, desc->names != NULL, &g, report));
    for (size_t j = 0; j < n; j++) {
        g->levels[j] = desc->levels ? desc->levels[j] : (double)j;
        if (desc->names) blni_cat(g->names + j*BLNI_BASIS_NAME, BLNI_BASIS_NAME, desc->names[j]);
    }
    *out = &g->own.base;
    return BLN_OK;
}

BLN_API bln_status bln_group_levels(const bln_data *data, size_t column, double *levels, size_t *n, bln_report *report)
{
    size_t count = 0, different = 0;
    BLNI_TRY(blni_begin(report, data && data->X && levels && n, "group: data, levels or n is NULL"));
    if (data->n == 0 || column >= data->d) return blni_refuse(report, BLN_EINVAL, "group: no rows, or no such column");
    for (size_t i = 0; i < data->n; i++) {
        const double x = data->X[i*blni_ldx(data) + column];
        if (!(fabs(x) <= 9007199254740992.0) || floor(x) != x)
            return blni_fail(report, BLN_EDATA, i, column, "group: a level must be a whole number of up to 2^53");
        if (x != BLN_GROUP_NONE) levels[count++] = x;
    }
    blni_sort(count, levels, NULL);
    for (size_t i = 0; i < count; i++)
        if (different == 0 || levels[i] != levels[different - 1]) levels[different++] = levels[i];
    *n = different;
    return different > 1 ? BLN_OK : blni_fail(report, BLN_EINVAL, BLN_NONE, column, "group: fewer than two levels");
}

/* The levels are read before anything of their number is allocated. */
BLNI_ONCE BLNI_PRIV bln_status blni_group_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    bln_group_desc desc = BLN_ZERO;
    blni_group *g = NULL;
    double *levels = NULL;
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1/sizeof(double));
    desc.n = bln_get_count(r, sizeof(double), (size_t)-1/sizeof(double) - 1);
    desc.slopes_only = blni_load_flag(r);
    const int named = blni_load_flag(r);
    if (blni_load_checked(&context->alloc, r, blni_group_check(&desc), desc.n, "a level of a group is not finite",
                          &levels) != BLN_OK) return r->status;
    bln_status status = blni_group_wrong(desc.n, levels) < desc.n
                      ? bln_reader_fail(r, BLN_EFORMAT, "levels of a group out of order")
                      : blni_load_fail(r, blni_group_new(&desc, named, &g, NULL));
    if (status == BLN_OK) {
        memcpy(g->levels, levels, desc.n*sizeof *levels);
        for (size_t j = 0; j < desc.n && named; j++) bln_get_string(r, g->names + j*BLNI_BASIS_NAME, BLNI_BASIS_NAME);
        status = r->status;
        if (status != BLN_OK) blni_basis_release(&g->own.base);
        else *out = &g->own.base;
    }
    blni_release(&context->alloc, levels, desc.n*sizeof *levels);
    return status;
}

BLN_API const bln_basis_ops *bln_group_ops(void) { return &blni_group_ops; }
