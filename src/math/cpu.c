/* cpu: the choice of a level, and the vector operations of levels 1 and 2
 *
 * A kernel for both levels is a macro over the level L, whose body uses BLNI_VEC##L, BLNI_LOAD##L ... and is expanded twice. The
 * operations are macros as well: a function with vector arguments would need the same target attribute to be inlined. Intrinsics
 * rather than a*b + c on vector types, because gcc does not fuse these under -std=c99. */
#include "cpu.h"

#ifndef BAYESLIN_MAX_LEVEL
#define BAYESLIN_MAX_LEVEL 2
#endif

#if BAYESLIN_MAX_LEVEL > 0 && defined(__x86_64__) && !defined(_MSC_VER) && !defined(__TINYC__) && !defined(BAYESLIN_REPRODUCIBLE) \
    && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 6))
#define BLNI_LEVELS BAYESLIN_MAX_LEVEL
#else
#define BLNI_LEVELS 0
#endif

#if BLNI_LEVELS > 0
#include <immintrin.h>

#define BLNI_TARGET1            __attribute__((target("avx2,fma")))
#define BLNI_VEC1               __m256d
#define BLNI_LANES1             4
#define BLNI_LOAD1(p)           _mm256_loadu_pd(p)
#define BLNI_STORE1(p, v)       _mm256_storeu_pd(p, v)
#define BLNI_SPLAT1(x)          _mm256_set1_pd(x)
#define BLNI_MUL1(a, b)         _mm256_mul_pd(a, b)
#define BLNI_ADD1(a, b)         _mm256_add_pd(a, b)
#define BLNI_FMA1(a, b, c)      _mm256_fmadd_pd(a, b, c)          /* c + a b */
#define BLNI_FNMA1(a, b, c)     _mm256_fnmadd_pd(a, b, c)         /* c - a b */

#define BLNI_TARGET2            __attribute__((target("avx512f,fma")))
#define BLNI_VEC2               __m512d
#define BLNI_LANES2             8
#define BLNI_LOAD2(p)           _mm512_loadu_pd(p)
#define BLNI_STORE2(p, v)       _mm512_storeu_pd(p, v)
#define BLNI_SPLAT2(x)          _mm512_set1_pd(x)
#define BLNI_MUL2(a, b)         _mm512_mul_pd(a, b)
#define BLNI_ADD2(a, b)         _mm512_add_pd(a, b)
#define BLNI_FMA2(a, b, c)      _mm512_fmadd_pd(a, b, c)
#define BLNI_FNMA2(a, b, c)     _mm512_fnmadd_pd(a, b, c)

/* The only global state of the library: -1 until the machine was asked. Atomic, so that threads may ask at the same time (they find
 * the same). */
static int blni_level_now = -1;

/* __builtin_cpu_supports also asks whether the operating system saves the wide registers. */
BLNI_PRIV int blni_level_best(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    return BLNI_LEVELS > 1 && __builtin_cpu_supports("avx512f") ? 2 : 1;
}

BLN_API int bln_cpu_level_force(int level)
{
    const int best = blni_level_best();
    if (level < 0 || level > best) level = best;
    __atomic_store_n(&blni_level_now, level, __ATOMIC_RELAXED);
    return level;
}

BLN_API int bln_cpu_level(void)
{
    const int level = __atomic_load_n(&blni_level_now, __ATOMIC_RELAXED);
    return level < 0 ? bln_cpu_level_force(-1) : level;
}

#else

BLN_API int bln_cpu_level_force(int level) { (void)level; return 0; }
BLN_API int bln_cpu_level(void) { return 0; }

#endif
