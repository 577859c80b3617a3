/* minibatch: a permutation that is computed, not stored
 *
 * Swap or not (Hoang, Morris & Rogaway 2012). A round has a secret sum s of 0..n-1 and a coin for each pair of partners {x, x'},
 * x + x' = s modulo n: x becomes x' or stays, and x' then does the same, so that a round is a bijection for every n. The coin is a
 * hash of the larger partner.
 *
 * If sum and coins are ideal, a round leaves x where it is with probability 1/2, and else puts it anywhere with equal probability.
 * So after r rounds x is uniform unless it never moved, which has probability 2^-r: its distribution is within 2^-r of the uniform
 * one. */
#include "minibatch_private.h"
#include "../core/data_private.h"
#include "../random/rng_private.h"

BLNI_PRIV uint64_t blni_minibatch_count(const blni_minibatch *b) { return (uint64_t)(b->n/b->size) + (b->n % b->size != 0); }

/* Sums and keys are drawn by seed and epoch. The salt keeps them apart from others that draw with the same seed and stream. */
BLNI_PRIV void blni_minibatch_seek(blni_minibatch *b, uint64_t batch)
{
    const uint64_t count = blni_minibatch_count(b);
    b->at = (size_t)(batch % count)*b->size;
    bln_rng rng = blni_rng_of(b->seed ^ UINT64_C(0x6d696e6962617463), batch/count);
    for (int i = 0; i < BLNI_MINIBATCH_ROUNDS; i++) {
        b->sum[i] = bln_rng_below(&rng, b->n);
        b->key[i] = bln_rng_next(&rng);
    }
}

BLNI_PRIV void blni_minibatch_init(blni_minibatch *b, size_t n, size_t size, uint64_t seed)
{
    b->n = n;
    b->size = blni_min(size, n);
    b->seed = seed;
    blni_minibatch_seek(b, 0);
}

/* Round by round over all places: the chains of different rows do not wait for each other. s - x modulo n without overflow, as
 * both are below n. */
BLNI_PRIV void blni_minibatch_rows(const blni_minibatch *b, size_t first, size_t n, size_t *rows)
{
    for (size_t j = 0; j < n; j++) rows[j] = first + j;
    if (b->size >= b->n) return;
    for (int i = 0; i < BLNI_MINIBATCH_ROUNDS; i++) {
        const size_t sum = (size_t)b->sum[i];
        const uint64_t key = b->key[i];
        for (size_t j = 0; j < n; j++) {
            const size_t x = rows[j], partner = sum >= x ? sum - x : sum + (b->n - x), larger = x > partner ? x : partner;
            const size_t coin = (size_t)0 - (size_t)(blni_mix64((uint64_t)larger + key) >> 63);
            rows[j] = x ^ ((x ^ partner) & coin);
        }
    }
}

/* A column that there is, or several side by side. */
BLNI_PRIV const double *blni_minibatch_columns(blni_arena *a, const double *from, size_t stride, size_t width, size_t n,
                                               const size_t *rows)
{
    double *to = from ? blni_carve_doubles(a, blni_mul(n, width)) : NULL;
    for (size_t i = 0; i < n && to; i++) memcpy(to + i*width, from + rows[i]*stride, width*sizeof *to);
    return to;
}

BLNI_PRIV bln_data blni_minibatch_gather(blni_arena *a, const bln_data *data, size_t n, const size_t *rows)
{
    const size_t p = blni_outputs(data);
    bln_data block = *data;
    block.n = n;
    block.ldx = block.ldy = block.ldoffset = 0;
    block.X         = blni_minibatch_columns(a, data->X, blni_ldx(data), data->d, n, rows);
    block.y         = blni_minibatch_columns(a, data->y, blni_ldy(data), p, n, rows);
    block.offset    = blni_minibatch_columns(a, data->offset, blni_ldoffset(data), blni_offsets(data), n, rows);
    block.weight    = blni_minibatch_columns(a, data->weight, 1, 1, n, rows);
    block.noise_var = blni_minibatch_columns(a, data->noise_var, 1, 1, n, rows);
    block.trials    = blni_minibatch_columns(a, data->trials, 1, 1, n, rows);
    return block;
}
