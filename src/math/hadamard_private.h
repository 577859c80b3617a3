#ifndef BLN_MATH_HADAMARD_PRIVATE_H
#define BLN_MATH_HADAMARD_PRIVATE_H
#include "../core/config_private.h"
/* hadamard_private: the fast Walsh-Hadamard transform */

/* V = H V in place, H_jk = (-1)^(ones of j & k in binary): Sylvester's n x n Hadamard matrix in natural order, not normalised. H is
 * symmetric and H H = n I, so that the transform is its own inverse up to the factor n, and |H v|^2 = n |v|^2.  [bases 26]
 *
 *   V    n x m    in, out: each column is a vector of its own
 *
 * n: a power of 2. n m log2(n) additions and nothing else. The error of an entry is at most gamma_{log2 n} times the sum of the
 * magnitudes in its column. Fast where m is a multiple of 8. Nothing is allocated. */
BLNI_PRIV void blni_hadamard(size_t n, size_t m, double *V);

BLNI_PRIV size_t blni_power_of_two(size_t n);

#endif /* BLN_MATH_HADAMARD_PRIVATE_H */
