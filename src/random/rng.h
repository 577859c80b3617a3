#ifndef BLN_RANDOM_RNG_H
#define BLN_RANDOM_RNG_H
#include "../core/config.h"
/* >>rng - random bits, uniforms and normals
 *
 * xoshiro256++ (Blackman & Vigna 2021), streams by SplitMix64 [samplers 1-3]. The bit streams below will never change;
 * samplers built on them may, with a note in the history. A generator is a value: copy it to fork it; each thread needs its own. */

typedef struct bln_rng { uint64_t s[4]; } bln_rng;

/* Stream `stream` of seed `seed`: distinct streams of one seed never share a start.  [samplers 3] */
BLN_API void bln_rng_seed(bln_rng *rng, uint64_t seed, uint64_t stream);

/* The next 64 random bits. */
BLN_API uint64_t bln_rng_next(bln_rng *rng);

/* Advances by 2^128 steps: provably disjoint sequences. */
BLN_API void bln_rng_jump(bln_rng *rng);

/* Uniform on the open interval (0,1): (k + 1/2) 2^-52, never 0 or 1.  [samplers 2] */
BLN_API double bln_rng_uniform(bln_rng *rng);

/* Uniform integer in 0..n-1 without bias (Lemire 2019); n = 0 gives 0 and draws nothing. */
BLN_API uint64_t bln_rng_below(bln_rng *rng, uint64_t n);

/* Standard normal and standard exponential, by 256-layer ziggurats; never 0. 98 of 100 draws take one 64-bit word.  [samplers 5, 6]
 * For single draws inside other samplers; a fill would make the numbers depend on how many are asked for at a time. */
BLN_API double bln_rng_normal(bln_rng *rng);
BLN_API double bln_rng_exponential(bln_rng *rng);

/* Fills. The uniforms are those of n calls of bln_rng_uniform. The normals come by Box-Muller in 8 interleaved lanes seeded from
 * the next 32 words of rng, with + - * / sqrt and integer operations only, so that every IEEE machine, compiler flag and level of
 * >>cpu draws the same bits (except with x87 registers, FLT_EVAL_METHOD 2); they differ from those of bln_rng_normal and reach to
 * 8.49 sigma (beyond which lie 2e-17 of the distribution). A fill of n is the beginning of a fill of more from the same state, and
 * rng advances by those 32 words whatever n is: a fill of a few costs as much as one of 20 or so. A normal of a long fill takes
 * 1.4, 0.8 and 0.55 times as long as bln_rng_normal at the levels 0, 1 and 2. */
BLN_API void bln_rng_uniforms(bln_rng *rng, size_t n, double *out);
BLN_API void bln_rng_normals(bln_rng *rng, size_t n, double *out);

/* A random permutation of 0..n-1 into out (Fisher-Yates): O(n), out is written only.          [optimisation 2] */
BLN_API void bln_rng_permutation(bln_rng *rng, size_t n, size_t *out);

#endif /* BLN_RANDOM_RNG_H */
