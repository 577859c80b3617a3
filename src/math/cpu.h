#ifndef BLN_MATH_CPU_H
#define BLN_MATH_CPU_H
#include "../core/config.h"
/* >>cpu - which instruction set the kernels use
 *
 * The kernels of >>blas, the functions of >>vecmath, Hadamard transforms, the normals of >>rng and the inner loops that use them
 * exist at up to three levels: 0 portable C99; 1 AVX2 and FMA, or NEON on 64-bit ARM; 2 AVX-512F. gcc (version 6 or later) and
 * clang compile levels 1 and 2 on x86-64 and little-endian AArch64, whatever their -m flags, unless BAYESLIN_MAX_LEVEL (default 2)
 * or BAYESLIN_REPRODUCIBLE forbids it; they are used when the machine has them. Results differ between levels only by the order of
 * summation and by fused rounding; normals and Hadamard transforms do not differ. (To add a level: src/math/cpu_private.h.) */

/* The level in use: 0, 1 or 2. The first call asks the machine; any threads may make it. */
BLN_API int bln_cpu_level(void);

/* Uses `level`, or the highest below it that was compiled and that the machine has; a negative level goes back to the machine's
 * best. Returns the level now in use. For tests and comparisons: it holds for the whole program (for one file under
 * BAYESLIN_STATIC), so that no other thread should be computing. */
BLN_API int bln_cpu_level_force(int level);

#endif /* BLN_MATH_CPU_H */
