#ifndef BLN_RANDOM_DISCRETE_H
#define BLN_RANDOM_DISCRETE_H
#include "rng.h"
#include "../core/status.h"
/* >>discrete - samplers of counts and of categories
 *
 * Counts are whole numbers in doubles, as targets y are; beyond 2^53 they are rounded to doubles. Samplers are exact but for
 * rounding and the grain of 2^-52 of a uniform. An argument outside its domain gives NaN (instead of a category: BLN_NONE) and
 * draws nothing; so does NaN. Times are of one core of an x86 server. */

/* Poisson(mu): products of uniforms below 10, PTRS (Hoermann 1993) up to 1e15, beyond it a normal with one term of Cornish & Fisher
 * (1937), whose error in the distribution function is below 1e-15.   (R10)   3 to 50 ns
 * mu >= 0. mu = 0 gives 0, mu = inf gives inf. */
BLN_API double bln_rng_poisson(bln_rng *rng, double mu);

/* Binomial(n, p), the successes in n trials: by waiting times where the rarer outcome is expected less than 10 times, elsewhere by
 * BTRS (Hoermann 1993).   (R11)   10 to 100 ns
 * n: a whole number in 0..2^53; 0 <= p <= 1. n = 0 or p = 0 gives 0, p = 1 gives n. */
BLN_API double bln_rng_binomial(bln_rng *rng, double n, double p);

/* Negative binomial, P(k) = Gamma(k + r)/(k! Gamma(r)) p^k (1 - p)^r: mean r p/(1 - p), variance r p/(1 - p)^2, as
 * Poisson(Gamma(r) p/(1 - p)). p is the probability of what is counted (many libraries call it 1 - p), r need not be whole.   (R12)
 * 0 <= r < inf, 0 <= p < 1. r = 0 or p = 0 gives 0. */
BLN_API double bln_rng_negative_binomial(bln_rng *rng, double r, double p);

/* Geometric, P(k) = (1 - p) p^k: the negative binomial of r = 1, from one exponential. 0 <= p < 1; p = 0 gives 0.   (R12) */
BLN_API double bln_rng_geometric(bln_rng *rng, double p);

/* Category i of 0..K-1 with probability e^{log_weights[i]}/sum. -inf is weight 0; a common shift cancels.   (R14)
 * BLN_NONE: K = 0, a weight of NaN or +inf, or all -inf. O(K), 2 exps a category: for many draws take the table below. */
BLN_API size_t bln_rng_categorical(bln_rng *rng, size_t K, const double *log_weights);

/* A table for many draws from the same weights, in O(K), and a draw in O(1): cell i of K, all alike, gives i with probability
 * keep[i] and category other[i] else (Walker 1977, Vose 1991). keep, other: K each, written by _build, read by bln_rng_alias. The
 * probabilities of the table are those of the weights within K eps; weight 0 stays 0.   (R14)   5 ns a draw
 * BLN_EINVAL: K = 0, an array of NULL.  BLN_EDATA: a weight of NaN or +inf (its index as row).  BLN_EDOMAIN: all weights are
 * -inf. */
BLN_API bln_status bln_alias_build(size_t K, const double *log_weights, double *keep, size_t *other, bln_report *report);
BLN_API size_t bln_rng_alias(bln_rng *rng, size_t K, const double *keep, const size_t *other);

/* Multinomial: counts[i] of n trials fall on category i of 0..K-1, which has probability weights[i]/sum; by binomials.   (R13)
 * n: a whole number in 0..2^53. weights: K entries >= 0. counts: K; no overlap.
 * BLN_EDOMAIN: n outside its domain; a weight negative or NaN (its index as row); their sum infinite or, unless n = 0, zero.
 * Nothing is drawn then, and counts is unspecified.  BLN_EINVAL: NULL. */
BLN_API bln_status bln_rng_multinomial(bln_rng *rng, double n, size_t K, const double *weights, double *counts, bln_report *report);

#endif /* BLN_RANDOM_DISCRETE_H */
