/* program_rows: the rows of an evaluation: a whole view, a source block by block, or a minibatch; and sums over the rows of several
 * processes
 *
 * An epoch has `count` batches, and the sum over each is multiplied by `count`: whatever their sizes, the mean of these over an
 * epoch is the sum over all rows. (The usual factor n/|B| would count the rows of a short last batch more than others.) Rows in
 * memory are shuffled anew in each epoch, and batches of one epoch differ by one row at most; a source gives them in its own order.
 *                                                                                                                [programs 5] */
#include "program_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../random/rng_private.h"

BLNI_PRIV int blni_program_has_gaps(const bln_data *d)
{
    return (d->ldx && d->ldx != d->d) || blni_ldy(d) != blni_outputs(d) || (d->offset && blni_ldoffset(d) != blni_offsets(d));
}

BLNI_PRIV const char *blni_program_rows_reason(const bln_program_desc *d)
{
    if (d->data && d->source) return "program: data and source exclude each other";
    if (d->data && d->data->n == 0) return "program: data without rows";
    if (d->data && blni_program_has_gaps(d->data)) return "program: data must be without gaps: ldx is d or 0";
    if (d->source && (!d->source->reset || !d->source->next)) return "program: a source without reset or next";
    if (d->source && d->n_rows) return "program: leaving rows out (n_rows) needs rows in memory";
    return NULL;
}

/* BLN_EDOMAIN and its like tell a sampler that a point is impossible, and it goes on. From a source they are errors, and become
 * BLN_EDATA. */
BLNI_PRIV bln_status blni_program_rows_fatal(bln_status status)
{
    return blni_density_impossible(status) ? BLN_EDATA : status;
}

BLNI_PRIV bln_status blni_program_rows_reset(blni_program_rows *r, bln_report *report)
{
    return blni_program_rows_fatal(r->source->reset(r->source->user, report));
}

/* The next block of the source; n = 0 at the end. */
BLNI_PRIV bln_status blni_program_rows_next(blni_program_rows *r, size_t most, bln_report *report)
{
    memset(&r->now, 0, sizeof r->now);
    r->now.d = r->source->d;
    BLNI_TRY(blni_program_rows_fatal(r->source->next(r->source->user, most, &r->now, report)));
    if (r->now.n > most) return blni_refuse(report, BLN_EINVAL, "program: the source gave more rows than asked for");
    if (r->now.n && r->now.d != r->source->d)
        return blni_refuse(report, BLN_ESHAPE, "program: the source's rows have another number of columns than it said");
    if (r->now.n && blni_program_has_gaps(&r->now))
        return blni_refuse(report, BLN_EINVAL, "program: the source's rows must be without gaps: ldx is d or 0");
    return BLN_OK;
}

/* Rows and blocks of a pass with blocks of at most `most` rows. */
BLNI_PRIV bln_status blni_program_rows_count(blni_program_rows *r, size_t most, size_t *rows, size_t *blocks, bln_report *report)
{
    *rows = *blocks = 0;
    r->at = BLN_NONE;
    BLNI_TRY(blni_program_rows_reset(r, report));
    for (;;) {
        BLNI_TRY(blni_program_rows_next(r, most, report));
        if (!r->now.n) break;
        *rows += r->now.n;
        ++*blocks;
    }
    return *rows ? BLN_OK : blni_refuse(report, BLN_EDATA, "program: the source has no rows");
}

BLNI_PRIV bln_status blni_program_rows_open(blni_program_rows *r, const bln_program_desc *d, bln_report *report)
{
    size_t blocks;
    r->alloc = d->alloc;
    r->seed = d->seed;
    r->source = d->source;
    r->block = d->block ? d->block : 1000;
    r->at = BLN_NONE;
    r->step = UINT64_MAX;
    if (d->data) r->all = *d->data;
    r->n = r->all.n;
    return r->source ? blni_program_rows_count(r, r->block, &r->n, &blocks, report) : BLN_OK;
}

BLNI_PRIV void blni_program_rows_close(blni_program_rows *r) { blni_release(&r->alloc, r->index, r->bytes); }

/* now <- the rows of part 0, 1, ... of an evaluation, if there is such a part. A minibatch is there already. */
BLNI_PRIV bln_status blni_program_rows_take(blni_program_rows *r, size_t part, int *there, bln_report *report)
{
    *there = part == 0;
    if (r->size) return BLN_OK;
    if (!r->source) { r->now = r->all; return BLN_OK; }
    bln_report_clear(report);
    r->at = BLN_NONE;
    r->step = UINT64_MAX;
    bln_status status = part ? BLN_OK : blni_program_rows_reset(r, report);
    if (status == BLN_OK) status = blni_program_rows_next(r, r->block, report);
    *there = r->now.n > 0;
    if (status == BLN_OK && part == 0 && !*there) return blni_refuse(report, BLN_EDATA, "program: the source has no rows");
    return status;
}

/* A number that another process, with other rows, hardly has too: of the first rows' inputs and targets, and how many there are. */
BLNI_PRIV bln_status blni_program_rows_mark(blni_program_rows *r, uint64_t *mark, bln_report *report)
{
    int there;
    BLNI_TRY(blni_program_rows_take(r, 0, &there, report));
    const size_t n = blni_min(r->now.n, r->block);
    *mark = blni_mix64((uint64_t)r->n);
    for (int k = 0; k < 2; k++) {
        const double *x = k ? r->now.y : r->now.X;
        const size_t numbers = x ? n*(k ? blni_outputs(&r->now) : r->now.d) : 0;
        for (size_t i = 0; i < numbers; i++) *mark = blni_mix64(*mark ^ blni_double_bits(x[i]));
    }
    return BLN_OK;
}

/* Room for batches of `size` rows of the view. */
BLNI_PRIV bln_status blni_program_rows_room(blni_program_rows *r, size_t size, bln_report *report)
{
    const double column = 0.0;
    blni_arena a = blni_arena_over(NULL, 0);
    bln_data shape = r->all;
    void *block;
    if (size <= r->sized) return BLN_OK;
    if (shape.X) shape.X = &column;
    blni_carve(&a, size, sizeof(size_t));
    blni_minibatch_gather(&a, &shape, size, NULL);
    BLNI_TRY(blni_take(&r->alloc, a.used, "program", &block, report));
    blni_release(&r->alloc, r->index, r->bytes);
    r->index = (size_t *)block;
    r->bytes = a.used;
    r->sized = size;
    return BLN_OK;
}

/* How many batches of about `size` rows an epoch has, and room for one. After a failure all is as it was. */
BLNI_PRIV bln_status blni_program_rows_divide(blni_program_rows *r, size_t size, bln_report *report)
{
    size_t n = r->n, count;
    if (r->source) BLNI_TRY(blni_program_rows_count(r, size, &n, &count, report));
    else {
        const size_t most = blni_min(size, n);
        BLNI_TRY(blni_program_rows_room(r, most, report));
        blni_minibatch_init(&r->order, n, most, r->seed);
        count = (size_t)blni_minibatch_count(&r->order);
    }
    r->n = n;
    r->count = count;
    r->counted = size;
    return BLN_OK;
}

/* now <- batch `place` of an epoch of the source. What it delivers must end where it ended when the batches were counted: another
 * number of batches would leave rows out, or count them twice. */
BLNI_PRIV bln_status blni_program_rows_read(blni_program_rows *r, size_t size, size_t place, bln_report *report)
{
    const int begin = place == 0 || r->at != place;              /* to the beginning, and over what comes before */
    r->at = BLN_NONE;
    if (begin) BLNI_TRY(blni_program_rows_reset(r, report));
    for (size_t k = begin ? 0 : place; k <= place; k++) {
        BLNI_TRY(blni_program_rows_next(r, size, report));
        if (r->now.n == 0) return blni_refuse(report, BLN_EDATA, "program: the source has fewer rows, or larger blocks, "
                                                                      "than before");
    }
    r->at = place + 1;
    return BLN_OK;
}

/* now <- the minibatch of a step, of about `size` rows; 0: all rows from now on, as after a failure. What it takes of memory is
 * taken at the first call with such a size. */
BLNI_PRIV bln_status blni_program_rows_batch(blni_program_rows *r, size_t size, uint64_t step, bln_report *report)
{
    if (size && size == r->size && step == r->step) return BLN_OK;
    r->size = 0;
    r->step = UINT64_MAX;
    if (size == 0) return BLN_OK;
    if (size != r->counted) BLNI_TRY(blni_program_rows_divide(r, size, report));
    const size_t place = (size_t)(step % r->count);
    if (r->source && place == 0 && r->at == r->count) {          /* an epoch ends: so must the source */
        BLNI_TRY(blni_program_rows_next(r, size, report));
        if (r->now.n) return blni_refuse(report, BLN_EDATA, "program: the source has more rows, or smaller blocks, than before");
    }
    if (r->source) BLNI_TRY(blni_program_rows_read(r, size, place, report));
    else {
        const size_t part = r->n/r->count, longer = r->n % r->count;          /* so many batches have one row more */
        const size_t first = place*part + blni_min(place, longer), n = part + (place < longer);
        blni_arena a = blni_arena_over(r->index, r->bytes);
        blni_carve(&a, r->sized, sizeof(size_t));
        blni_minibatch_seek(&r->order, step);
        blni_minibatch_rows(&r->order, first, n, r->index);
        r->now = blni_minibatch_gather(&a, &r->all, n, r->index);
    }
    r->size = size;
    r->step = step;
    return BLN_OK;
}

/* Value and gradient of this process become those of all. A point that is impossible in one of them is so in all: its value is
 * -infinity. What the tape failed with becomes, if it is no such point, the failure of all. */
BLNI_PRIV bln_status blni_program_reduce(bln_program *p, const double *q, double *value, double *gradient)
{
    bln_tape *t = &p->tape;
    double sum[1 + BLNI_TERMS];
    const int ended = t->status != BLN_OK && !blni_density_impossible(t->status);
    const int impossible = !blni_finite(*value) && !t->constant_fault && !ended;
    if (impossible) {
        t->status = BLN_OK;
        for (size_t i = 0; i < p->dim && gradient; i++) gradient[i] = 0.0;
    }
    sum[0] = impossible ? -HUGE_VAL : *value;
    memcpy(sum + 1, p->term, sizeof p->term);
    t->status = blni_processes_agree(&p->processes, t->status, gradient != NULL, p->dim, q, &t->report);
    if (t->status == BLN_OK) t->status = blni_processes_sum(&p->processes, 1 + BLNI_TERMS, sum, &t->report);
    if (t->status == BLN_OK && gradient) t->status = blni_processes_sum(&p->processes, p->dim, gradient, &t->report);
    *value = sum[0];
    memcpy(p->term, sum + 1, sizeof p->term);
    return t->status;
}
