#ifndef BLN_RANDOM_DISCRETE_H
#define BLN_RANDOM_DISCRETE_H
#include "rng.h"
/* >>discrete - samplers of counts
 *
 * Counts are whole numbers in doubles, as targets y are; beyond 2^53 they are rounded to doubles. Samplers are exact except for
 * rounding and the spacing 2^-52 of uniforms. An argument that is NaN or outside its domain gives NaN and draws nothing.
 * Times were measured on one core of an x86 server. */

/* Poisson(mu): products of uniforms below 10, PTRS (Hoermann 1993) up to 1e15, beyond it a normal with one term of Cornish & Fisher
 * (1937), whose error in the distribution function is below 1e-15.  [samplers 10]   3 to 50 ns
 * mu >= 0. mu = 0 gives 0, mu = inf gives inf. */
BLN_API double bln_rng_poisson(bln_rng *rng, double mu);

/* Binomial(n, p), the successes in n trials: by waiting times where the rarer outcome is expected less than 10 times, elsewhere by
 * BTRS (Hoermann 1993).  [samplers 11]   10 to 100 ns
 * n: a whole number in 0..2^53; 0 <= p <= 1. n = 0 or p = 0 gives 0, p = 1 gives n. */
BLN_API double bln_rng_binomial(bln_rng *rng, double n, double p);

#endif /* BLN_RANDOM_DISCRETE_H */
