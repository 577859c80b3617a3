#ifndef BLN_OPTIM_MINIBATCH_H
#define BLN_OPTIM_MINIBATCH_H
#include "../core/data.h"
/* >>minibatch - the rows of a data set in random order, a few at a time                          [spec/optimisers.md O1, O2]
 *
 * An epoch is a permutation of the n rows, made of (seed, epoch) alone; its batches are consecutive slices of `size` rows, the last
 * one short where size does not divide n. With J = sum_n J_n + J_0, the gradient is estimated without bias by
 *
 *     g = scale sum over the batch of grad J_n + grad J_0,      scale = n/|B|,  |B| the rows of this batch.              (O1)
 *
 * A row of weight w has J_n = w times that of one row: weights go into the sum over the batch, as into the sum over all rows, and
 * not into the scale, which counts rows. (The sum of all weights over the sum of the batch's would be biased.)
 *
 * The permutation is not stored: it is a bijection of 0..n-1 that is computed where it is asked for (swap or not, Hoang, Morris &
 * Rogaway 2012), 32 rounds of which each leaves a row in its place or exchanges it with a partner, by the toss of a coin. What that
 * brings: nothing grows with n; any place of any epoch can be asked for at once, so that threads, ranks and resumed runs see the
 * same order; n may be anything. What it costs: 0.1 us a row, four times what Fisher & Yates take (with 8 n bytes), and a proof
 * for all permutations. Given ideal coins, each place of an epoch gets each row with probability 1/n to within 2^-32 in total,
 * which is what makes g unbiased; that pairs, and whole orders of a few rows, are uniform as well is tested, not proved.
 *
 * Ranks that hold shards of the data make one of their own each, of their own rows; the sum of their g over the ranks is unbiased
 * too, with grad J_0 added once. */

enum { BLN_MINIBATCH_ROUNDS = 32 };

/* A value: copy it to have two of the same. Fields are for reading; bln_minibatch_init and _seek set them. */
typedef struct bln_minibatch {
    size_t   n, size;                          /* rows; rows of a batch, <= n               */
    uint64_t seed;
    uint64_t epoch;                            /* of the next batch, from 0                 */
    size_t   at;                               /* rows of this epoch that have been given   */
    uint64_t sum[BLN_MINIBATCH_ROUNDS];        /* of partners, modulo n                     */
    uint64_t key[BLN_MINIBATCH_ROUNDS];        /* of the coins                              */
} bln_minibatch;

/* To the first batch of epoch 0. size > n counts as n. Epochs of a single batch keep the rows in order.
 * BLN_EINVAL: b NULL, n = 0 or size = 0. */
BLN_API bln_status bln_minibatch_init(bln_minibatch *b, size_t n, size_t size, uint64_t seed);

/* Batches of an epoch, ceil(n/size). */
BLN_API uint64_t bln_minibatch_count(const bln_minibatch *b);

/* To batch number `batch`, counted from 0 through all epochs: a run that took t batches goes on at t. */
BLN_API void bln_minibatch_seek(bln_minibatch *b, uint64_t batch);

/* The indices of the next batch, and its scale n/|B| (may be NULL). Returns |B|, from 1 to size. After the last batch of an epoch
 * comes the first of the next.   rows: room for size */
BLN_API size_t bln_minibatch_next(bln_minibatch *b, size_t *rows, double *scale);

/* rows[i] = the row at place first + i of the present epoch, i < n, first + n <= b->n. */
BLN_API void bln_minibatch_rows(const bln_minibatch *b, size_t first, size_t n, size_t *rows);

/* Rows of a data set as a data set of their own, which *block becomes a view of: block row i is row rows[i] of data, whatever
 * columns there are; rows may repeat. work: bln_minibatch_gather_work(data, n) doubles (SIZE_MAX: overflow), which the view needs
 * as long as it lives. */
BLN_API void   bln_minibatch_gather(const bln_data *data, size_t n, const size_t *rows, double *work, bln_data *block);
BLN_API size_t bln_minibatch_gather_work(const bln_data *data, size_t n);

#endif /* BLN_OPTIM_MINIBATCH_H */
