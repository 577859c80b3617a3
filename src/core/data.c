/* data: views, their checks, and a view as a source of blocks */
#include "data_private.h"
#include "status_private.h"

BLNI_PRIV size_t blni_ldx(const bln_data *data) { return data->ldx ? data->ldx : data->d; }
BLNI_PRIV size_t blni_outputs(const bln_data *data) { return data->p ? data->p : 1; }
BLNI_PRIV size_t blni_ldy(const bln_data *data) { return data->ldy ? data->ldy : blni_outputs(data); }
BLNI_PRIV size_t blni_offsets(const bln_data *data) { return data->n_offset ? data->n_offset : blni_outputs(data); }
BLNI_PRIV size_t blni_ldoffset(const bln_data *data) { return data->ldoffset ? data->ldoffset : blni_offsets(data); }

/* Output k of row i; the offset of an output or a latent. */
BLNI_PRIV double blni_y(const bln_data *data, size_t i, size_t k) { return data->y[i*blni_ldy(data) + k]; }
BLNI_PRIV double blni_offset(const bln_data *data, size_t i, size_t k)
{
    return data->offset && k < blni_offsets(data) ? data->offset[i*blni_ldoffset(data) + k] : 0.0;
}

BLN_API bln_data bln_data_rows(const bln_data *data, size_t first, size_t n)
{
    bln_data rows = *data;
    rows.n = n;
    if (rows.X)         rows.X         += first*blni_ldx(data);
    if (rows.y)         rows.y         += first*blni_ldy(data);
    if (rows.weight)    rows.weight    += first;
    if (rows.noise_var) rows.noise_var += first;
    if (rows.offset)    rows.offset    += first*blni_ldoffset(data);
    if (rows.trials)    rows.trials    += first;
    return rows;
}

BLNI_ONCE BLNI_PRIV bln_status blni_data_check_shape(const bln_data *data, int need_y, bln_report *report)
{
    if (data->n && data->d && !data->X) return blni_refuse(report, BLN_EINVAL, "data: X is NULL");
    if (data->ldx && data->ldx < data->d) return blni_refuse(report, BLN_EINVAL, "data: row stride of X below d");
    if (data->n && need_y && !data->y) return blni_refuse(report, BLN_EINVAL, "data: y is NULL");
    if (blni_ldy(data) < blni_outputs(data) || blni_ldoffset(data) < blni_offsets(data))
        return blni_refuse(report, BLN_EINVAL, "data: row stride of y or of offset below p");
    return BLN_OK;
}

/* Does the data set have `latents` columns of offset, or one where one_will_do? */
BLNI_PRIV bln_status blni_data_check_offsets(const bln_data *data, size_t latents, int one_will_do, bln_report *report)
{
    const size_t there = data->offset ? blni_offsets(data) : latents;
    if (there == latents || (one_will_do && there == 1)) return BLN_OK;
    return blni_refuse(report, BLN_ESHAPE, "data: another number of offsets (n_offset, p) than the model takes");
}

BLNI_PRIV bln_status blni_data_check_normal(const bln_data *data, bln_report *report)
{
    return data->trials ? blni_refuse(report, BLN_EINVAL, "data: there are no trials with normal noise") : BLN_OK;
}

/* `first` is the number of rows that came before this block, so that the report counts rows of the whole data set. */
BLNI_PRIV bln_status blni_data_check_from(const bln_data *data, int need_y, size_t first, bln_report *report)
{
    const size_t p = blni_outputs(data), offsets = blni_offsets(data);
    BLNI_TRY(blni_data_check_shape(data, need_y, report));
    for (size_t i = 0; i < data->n; i++) {
        const double *x = data->d ? data->X + i*blni_ldx(data) : NULL;      /* no arithmetic on an X that may be NULL */
        for (size_t j = 0; j < data->d; j++)
            if (!blni_finite(x[j])) return blni_fail(report, BLN_EDATA, first + i, j, "X is NaN or infinite");
        for (size_t k = 0; k < p && need_y; k++)
            if (!blni_finite(blni_y(data, i, k)))
                return blni_fail(report, BLN_EDATA, first + i, data->d + k, "y is NaN or infinite");
        if (data->weight && !(data->weight[i] >= 0.0 && blni_finite(data->weight[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "weight must be finite and >= 0");
        if (data->noise_var && !(data->noise_var[i] > 0.0 && blni_finite(data->noise_var[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "noise variance must be finite and > 0");
        for (size_t k = 0; k < offsets; k++)
            if (!blni_finite(blni_offset(data, i, k)))
                return blni_fail(report, BLN_EDATA, first + i, offsets > 1 ? data->d + k : BLN_NONE, "offset is NaN or infinite");
        if (data->trials && !(data->trials[i] >= 0.0 && blni_finite(data->trials[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "number of trials must be finite and >= 0");
    }
    return BLN_OK;
}

BLN_API bln_status bln_data_check(const bln_data *data, int need_y, bln_report *report)
{
    BLNI_TRY(blni_begin(report, data != NULL, "data: NULL"));
    return blni_data_check_from(data, need_y, 0, report);
}

BLNI_PRIV void blni_running_add(blni_running *r, double w, double x)
{
    if (!(w > 0.0)) return;
    const double delta = x - r->mean;
    r->weight += w;
    r->mean += delta*(w/r->weight);
    r->scatter += w*delta*(x - r->mean);
}

/* Population form: divided by the total weight; 0 without rows. */
BLNI_PRIV double blni_running_variance(const blni_running *r) { return r->weight > 0.0 ? r->scatter/r->weight : 0.0; }

/* Moves x[at], and with[at], down the heap of n entries until no child is larger. */
BLNI_PRIV void blni_sift(size_t n, double *x, double *with, size_t at)
{
    const double moved = x[at], along = with ? with[at] : 0.0;
    for (size_t child; (child = 2*at + 1) < n; at = child) {
        if (child + 1 < n && x[child + 1] > x[child]) child++;
        if (x[child] <= moved) break;
        x[at] = x[child];
        if (with) with[at] = with[child];
    }
    x[at] = moved;
    if (with) with[at] = along;
}

/* The `most` largest of x, ascending, to its end, each with its entry of `with`, unless that is NULL; the others in any order.
 * Heapsort (Williams 1964), stopped there: in place, n + most log n always. qsort may allocate. */
BLNI_PRIV void blni_sort_largest(size_t n, size_t most, double *x, double *with)
{
    for (size_t at = n/2; at-- > 0;) blni_sift(n, x, with, at);
    for (size_t end = n; end-- > 1 && most-- > 0;) {
        const double largest = x[0], along = with ? with[0] : 0.0;
        x[0] = x[end];
        x[end] = largest;
        if (with) { with[0] = with[end]; with[end] = along; }
        blni_sift(end, x, with, 0);
    }
}

/* All of x, ascending. */
BLNI_PRIV void blni_sort(size_t n, double *x, double *with) { blni_sort_largest(n, n, x, with); }

/* The p-quantile of n >= 1 numbers in ascending order, of type 7 [Hyndman & Fan 1996]. */
BLNI_PRIV double blni_sorted_quantile(size_t n, const double *sorted, double p)
{
    const double at = (double)(n - 1)*p, below = floor(at), h = at - below;
    const size_t i = (size_t)below;
    return i + 1 < n && h > 0.0 && sorted[i + 1] != sorted[i] ? (1.0 - h)*sorted[i] + h*sorted[i + 1] : sorted[i];
}

BLNI_PRIV bln_status blni_data_reset(void *user, bln_report *report)
{
    ((bln_data_reader *)user)->at = 0;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_data_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    bln_data_reader *reader = (bln_data_reader *)user;
    *block = bln_data_rows(&reader->data, reader->at, blni_min(max_rows, reader->data.n - reader->at));
    reader->at += block->n;
    return BLN_OK;
}

BLN_API bln_source bln_source_of(const bln_data *data, bln_data_reader *state)
{
    const bln_source source = { data->d, blni_data_reset, blni_data_next, state };
    state->data = *data;
    state->at = 0;
    return source;
}

BLNI_PRIV int blni_all_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) if (!blni_finite(x[i])) return 0;
    return 1;
}

/* Rows by group: those of group s are order[start[s]] .. order[start[s + 1] - 1], in their order.   start: n_groups + 1 */
BLNI_PRIV bln_status blni_group_sort(size_t n, const size_t *group, size_t n_groups, size_t *order, size_t *start,
                                     bln_report *report)
{
    for (size_t s = 0; s <= n_groups; s++) start[s] = 0;
    for (size_t i = 0; i < n; i++) {
        if (group[i] >= n_groups) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "leave-out: a group number beyond n_groups");
        start[group[i]]++;
    }
    size_t sum = 0;
    for (size_t s = 0; s <= n_groups; s++) { const size_t count = start[s]; start[s] = sum; sum += count; }
    for (size_t i = 0; i < n; i++) order[start[group[i]]++] = i;
    for (size_t s = n_groups; s > 0; s--) start[s] = start[s - 1];      /* each has moved to its end */
    start[0] = 0;
    return BLN_OK;
}
