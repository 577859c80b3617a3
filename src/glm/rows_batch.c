/* rows_batch: minibatches as sources of rows, for stochastic fits. Code that passes over all rows passes over a batch B as well;
 * each row then has n/|B| times its weight, which makes sums unbiased                                          [variational 4] */
#include "rows_private.h"

/* Room for blocks of a data set with whatever columns. */
BLNI_PRIV void blni_glm_batches_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, blni_glm_batches *b)
{
    const double column = 0.0;
    blni_arena room = blni_arena_over(NULL, 0);
    bln_data all = BLN_ZERO;
    all.d = n_inputs;
    all.X = all.y = all.offset = all.weight = all.noise_var = all.trials = &column;
    b->block = d->block;
    b->rows  = (size_t *)blni_carve(a, b->block, sizeof(size_t));
    blni_minibatch_gather(&room, &all, b->block, NULL);
    b->room  = blni_carve(a, 1, room.used);
}

BLNI_PRIV bln_status blni_glm_batch_reset(void *user, bln_report *report)
{
    ((blni_glm_batches *)user)->at = 0;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_glm_batch_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    blni_glm_batches *b = (blni_glm_batches *)user;
    const size_t n = blni_min(blni_min(max_rows, b->block), b->n - b->at);
    blni_arena room = blni_arena_over(b->room, 0);
    memset(block, 0, sizeof *block);
    if (!n) return BLN_OK;
    blni_minibatch_rows(&b->order, b->first + b->at, n, b->rows);
    *block = blni_minibatch_gather(&room, b->data, n, b->rows);
    b->at += n;
    return BLN_OK;
}

BLNI_PRIV void blni_glm_batches_open(blni_glm_batches *b, const bln_glm_desc *d, const bln_data *data, size_t batch)
{
    b->data = data;
    blni_minibatch_init(&b->order, data->n, batch, d->seed);
    b->source.d = data->d;
    b->source.reset = blni_glm_batch_reset;
    b->source.next = blni_glm_batch_next;
    b->source.user = b;
}

/* Batch number t, counted through all epochs, becomes what r passes over. */
BLNI_PRIV void blni_glm_batch_take(blni_glm_batches *b, uint64_t t, blni_glm_rows *r)
{
    blni_minibatch_seek(&b->order, t);
    b->first = b->order.at;
    b->n = blni_min(b->order.size, b->order.n - b->first);
    b->at = 0;
    b->all = r->source;
    r->source = &b->source;
    r->n = b->n;
    r->scale = (double)b->order.n/(double)b->n;
}

/* Back from a batch to all rows. */
BLNI_PRIV void blni_glm_batch_done(const blni_glm_batches *b, blni_glm_rows *r)
{
    r->source = b->all;
    r->n = b->order.n;
    r->scale = 1.0;
}
