#ifndef BLN_MATH_CPU_H
#define BLN_MATH_CPU_H
#include "../core/config.h"
/* >>cpu - which instruction set the kernels use
 *
 * The kernels of >>blas, the functions of >>vecmath, >>hadamard and the normals of >>rng exist at up to three levels: 0 portable
 * C99; 1 AVX2 and FMA, or NEON on 64-bit ARM; 2 AVX-512F. Levels 1 and 2 are compiled on x86-64 and little-endian AArch64 by
 * compilers that understand GNU attributes, whatever their -m flags, unless BAYESLIN_MAX_LEVEL forbids them (default 2), and used
 * when the machine has them. Results differ between levels by the order of summation and by fused rounding only; the normals not
 * at all. */

/* The level in use: 0, 1 or 2. The first call asks the machine. */
BLN_API int bln_cpu_level(void);

/* Uses `level`, or the highest below it that was compiled and that the machine has; a negative level goes back to the machine's
 * best. Returns the level now in use. For tests and comparisons: it holds for the whole program (for one file under
 * BAYESLIN_STATIC), so that no other thread should be computing. */
BLN_API int bln_cpu_level_force(int level);

#endif /* BLN_MATH_CPU_H */
