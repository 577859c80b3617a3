/* minibatch: a permutation that is computed, not stored
 *
 * Swap or not (Hoang, Morris & Rogaway 2012). A round has a secret sum s of 0..n-1 and a coin for each pair of partners {x, x'},
 * x + x' = s modulo n: x becomes x' or stays, and x' then does the same, so that a round is a bijection for every n. The coin is a
 * hash of the larger partner.
 *
 * If sum and coins are ideal, a round leaves x where it is with probability 1/2, and else puts it anywhere with equal probability.
 * So after r rounds x is uniform but with probability 2^-r, in which it never moved: the distance of its distribution from the
 * uniform one is at most 2^-r. */
#include "minibatch.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../random/rng_private.h"

/* Sums and keys of an epoch. The salt keeps them apart from others that draw with the same seed and stream. */
BLNI_PRIV void blni_minibatch_key(bln_minibatch *b)
{
    bln_rng rng;
    bln_rng_seed(&rng, b->seed ^ UINT64_C(0x6d696e6962617463), b->epoch);
    for (int i = 0; i < BLN_MINIBATCH_ROUNDS; i++) {
        b->sum[i] = bln_rng_below(&rng, b->n);
        b->key[i] = bln_rng_next(&rng);
    }
}

BLN_API uint64_t bln_minibatch_count(const bln_minibatch *b)
{
    return (uint64_t)(b->n/b->size) + (b->n % b->size != 0);
}

BLN_API void bln_minibatch_seek(bln_minibatch *b, uint64_t batch)
{
    const uint64_t count = bln_minibatch_count(b);
    b->epoch = batch/count;
    b->at = (size_t)(batch % count)*b->size;
    blni_minibatch_key(b);
}

BLN_API bln_status bln_minibatch_init(bln_minibatch *b, size_t n, size_t size, uint64_t seed)
{
    if (!b || n == 0 || size == 0) return BLN_EINVAL;
    b->n = n;
    b->size = blni_min(size, n);
    b->seed = seed;
    bln_minibatch_seek(b, 0);
    return BLN_OK;
}

/* Round by round over all places: the chains of different rows do not wait for each other. s - x modulo n without overflow, as
 * both are below n. */
BLN_API void bln_minibatch_rows(const bln_minibatch *b, size_t first, size_t n, size_t *rows)
{
    for (size_t j = 0; j < n; j++) rows[j] = first + j;
    if (b->size >= b->n) return;
    for (int i = 0; i < BLN_MINIBATCH_ROUNDS; i++) {
        const size_t sum = (size_t)b->sum[i];
        const uint64_t key = b->key[i];
        for (size_t j = 0; j < n; j++) {
            const size_t x = rows[j], partner = sum >= x ? sum - x : sum + (b->n - x), larger = x > partner ? x : partner;
            const size_t coin = (size_t)0 - (size_t)(blni_mix64((uint64_t)larger + key) >> 63);
            rows[j] = x ^ ((x ^ partner) & coin);
        }
    }
}

BLN_API size_t bln_minibatch_next(bln_minibatch *b, size_t *rows, double *scale)
{
    const size_t count = blni_min(b->size, b->n - b->at);
    bln_minibatch_rows(b, b->at, count, rows);
    if (scale) *scale = (double)b->n/(double)count;
    b->at += count;
    if (b->at == b->n) {
        b->epoch++;
        b->at = 0;
        blni_minibatch_key(b);
    }
    return count;
}

/* ---- the rows themselves */

/* Carves room for n rows of each column that data has; the view's pointers are NULL while only counting. */
BLNI_PRIV bln_data blni_gather_carve(blni_arena *a, const bln_data *data, size_t n, double *to[6])
{
    bln_data block = *data;
    const size_t d = data->d, p = blni_outputs(data);
    block.n = n;
    block.ldx = block.ldy = block.ldoffset = 0;
    block.X         = to[0] = data->X         ? blni_carve_doubles(a, blni_mul(n, d)) : NULL;
    block.y         = to[1] = data->y         ? blni_carve_doubles(a, blni_mul(n, p)) : NULL;
    block.offset    = to[2] = data->offset    ? blni_carve_doubles(a, blni_mul(n, p)) : NULL;
    block.weight    = to[3] = data->weight    ? blni_carve_doubles(a, n) : NULL;
    block.noise_var = to[4] = data->noise_var ? blni_carve_doubles(a, n) : NULL;
    block.trials    = to[5] = data->trials    ? blni_carve_doubles(a, n) : NULL;
    return block;
}

BLN_API size_t bln_minibatch_gather_work(const bln_data *data, size_t n)
{
    blni_arena a = blni_arena_over(NULL, 0);
    double *to[6];
    blni_gather_carve(&a, data, n, to);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

BLN_API void bln_minibatch_gather(const bln_data *data, size_t n, const size_t *rows, double *work, bln_data *block)
{
    blni_arena a = blni_arena_over(work, 0);
    double *to[6];
    const bln_data view = blni_gather_carve(&a, data, n, to);
    const size_t d = data->d, p = blni_outputs(data);
    for (size_t i = 0; i < n; i++) {
        const size_t r = rows[i];
        if (to[0]) memcpy(to[0] + i*d, data->X + r*blni_ldx(data), d*sizeof(double));
        if (to[1]) memcpy(to[1] + i*p, data->y + r*blni_ldy(data), p*sizeof(double));
        if (to[2]) memcpy(to[2] + i*p, data->offset + r*blni_ldoffset(data), p*sizeof(double));
        if (to[3]) to[3][i] = data->weight[r];
        if (to[4]) to[4][i] = data->noise_var[r];
        if (to[5]) to[5][i] = data->trials[r];
    }
    *block = view;
}
