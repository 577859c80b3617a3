#ifndef BLN_OPTIM_MINIBATCH_PRIVATE_H
#define BLN_OPTIM_MINIBATCH_PRIVATE_H
#include "../core/data.h"
#include "../core/memory_private.h"
/* minibatch_private: the rows of a data set in random order, a few at a time                             [optimisation 1, 2]
 *
 * An epoch is a permutation of the n rows, made of (seed, epoch) alone; its batches are consecutive slices of `size` rows, the last
 * one short where size does not divide n. With J = sum_n J_n + J_0, the gradient is estimated without bias by
 *
 *     g = n/|B| sum over the batch of grad J_n + grad J_0,      |B| the rows of this batch.                 [optimisation 1]
 *
 * A row of weight w has J_n = w times that of one row: weights go into the sum over the batch, as into the sum over all rows, and
 * not into the scale, which counts rows. (The sum of all weights over the sum of the batch's would be biased.)
 *
 * The permutation is not stored but computed: swap or not (Hoang, Morris & Rogaway 2012), a bijection of 0..n-1, has 32 rounds,
 * each of which leaves a row in its place or exchanges it with a partner, by the toss of a coin. It needs no memory, works for any
 * n, and any place of any epoch can be computed directly, so that threads, processes and resumed runs see the same order. It costs
 * 0.1 us a row, four times as much as Fisher & Yates (with 8 n bytes), and not all permutations are proved to be equally probable.
 * Given ideal coins, each place of an epoch gets each row with probability 1/n to within 2^-32 in total, which makes g unbiased;
 * that pairs, and whole orders of a few rows, are uniform as well is tested, not proved. */

enum { BLNI_MINIBATCH_ROUNDS = 32 };

typedef struct blni_minibatch {
    size_t   n, size;                           /* rows; rows of a batch, <= n              */
    uint64_t seed;
    size_t   at;                                /* first place of the batch in its epoch    */
    uint64_t sum[BLNI_MINIBATCH_ROUNDS];        /* of two partners, modulo n, in each round */
    uint64_t key[BLNI_MINIBATCH_ROUNDS];        /* of the hash that tosses the coins        */
} blni_minibatch;

/* Starts at the first batch of epoch 0. n, size > 0; size > n counts as n. Epochs of a single batch keep the rows in order. */
BLNI_PRIV void blni_minibatch_init(blni_minibatch *b, size_t n, size_t size, uint64_t seed);

/* The number of batches of an epoch, ceil(n/size). */
BLNI_PRIV uint64_t blni_minibatch_count(const blni_minibatch *b);

/* Goes to batch number `batch`, counted from 0 through all epochs. */
BLNI_PRIV void blni_minibatch_seek(blni_minibatch *b, uint64_t batch);

/* rows[i] = the row at place first + i of the present epoch, i < n, first + n <= b->n. */
BLNI_PRIV void blni_minibatch_rows(const blni_minibatch *b, size_t first, size_t n, size_t *rows);

/* Copies n rows of data, with all its columns, into the arena: row i of the view it returns is row rows[i], and rows may repeat.
 * While the arena only counts, the view has no columns. */
BLNI_PRIV bln_data blni_minibatch_gather(blni_arena *a, const bln_data *data, size_t n, const size_t *rows);

#endif /* BLN_OPTIM_MINIBATCH_PRIVATE_H */
