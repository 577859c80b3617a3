#ifndef BLN_RANDOM_QMC_H
#define BLN_RANDOM_QMC_H
#include "../core/status.h"
/* >>qmc - quasi-random points: more even than independent ones                             [Niederreiter 1992; Joe & Kuo 2008]
 *
 * Points first, first + 1, ..., first + n - 1 of a sequence in (0,1)^d, one a row of U (n x d, stride ldu >= d), randomised by the
 * seed: each single point is uniform, so that a mean over any number of them is unbiased, and another seed is an independent
 * repetition. Coordinate j depends on the seed and j only, point i on i only: more points or more coordinates continue fewer.
 *
 *   sobol    the sequence of Sobol' (1967) with the direction numbers of Joe & Kuo (2008), in Gray code order (Antonov & Saleev
 *            1979), under a random linear scramble (Matousek 1998) and a digital shift. Of each aligned run of 2^m points exactly
 *            one lies in each of the 2^m equal intervals of every coordinate; take a power of 2 of them. d <= BLN_SOBOL_DIMENSIONS,
 *            first + n <= 2^52. About d (n + 2000) operations.
 *   halton   radical inverses in the first d primes (Halton 1960), shifted at random modulo 1 (Cranley & Patterson 1976). Any n,
 *            any d in principle; but from 20 coordinates or so on some thousands of points are needed to beat independent ones.
 *            About d n log(first + n) operations, and as many as it takes to find d primes.
 *
 * Multiples of 2^-53 in the open interval (sobol), doubles within 2^-50 of the exact point (halton).
 * BLN_EOVERFLOW: too many coordinates, or points beyond the last (halton: 2^64).  BLN_ESHAPE: ldu < d.  Nothing is written then. */
enum { BLN_SOBOL_DIMENSIONS = 65 };

BLN_API bln_status bln_qmc_sobol(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu);
BLN_API bln_status bln_qmc_halton(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu);

#endif /* BLN_RANDOM_QMC_H */
