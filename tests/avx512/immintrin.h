/* AVX-512 where there is none: the intrinsics of level 2, computed with AVX2 and FMA
 *
 * With this folder first among the include paths (gcc, a machine with AVX2, CFLAGS="-O1 -Wno-psabi -Itests/avx512") the library
 * includes this file instead of the compiler's, takes the machine for one with AVX-512F, and the tests run at level 2 too. This
 * shows whether the kernels of level 2 are right, not how fast they are. With -DTEST_LEVEL=2 the tests check that level 2 was
 * found.
 *
 * The definitions are those of Intel's intrinsics guide, in GNU C's vectors of 64 bytes. Only intrinsics that round differently
 * from one operation of C, or select lanes by a mask, need a function. */
#ifndef BLN_TESTS_AVX512_IMMINTRIN_H
#define BLN_TESTS_AVX512_IMMINTRIN_H
#pragma GCC system_header                /* like the file it replaces; else the compiler warns of vectors and the next line  */
#include_next <immintrin.h>
#include <math.h>

#define target(features)                target("avx2,fma")
#define __builtin_cpu_supports(feature) 1
#define __asm__(...)                    /* fences around vectors that no register of AVX2 holds; -std=c99 fuses nothing */

typedef double    emulated_reals __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long emulated_words __attribute__((vector_size(64), aligned(8), may_alias));
typedef unsigned long long emulated_bits __attribute__((vector_size(64), may_alias));

#define EMULATED __attribute__((target("avx2,fma"), always_inline, unused)) static inline

#define _mm512_loadu_pd(p)          ((__m512d)*(const emulated_reals *)(const void *)(p))
#define _mm512_storeu_pd(p, v)      ((void)(*(emulated_reals *)(void *)(p) = (emulated_reals)(v)))
#define _mm512_stream_pd(p, v)      ((uintptr_t)(p) % 64 ? __builtin_trap() : _mm512_storeu_pd(p, v))
#define _mm512_loadu_si512(p)       ((__m512i)*(const emulated_words *)(const void *)(p))
#define _mm512_storeu_si512(p, v)   ((void)(*(emulated_words *)(void *)(p) = (emulated_words)(v)))
#define _mm512_set1_pd(x)           emulated_set1_pd(x)
#define _mm512_set1_epi64(x)        emulated_set1_epi64(x)
#define _mm512_add_pd(a, b)         ((a) + (b))
#define _mm512_sub_pd(a, b)         ((a) - (b))
#define _mm512_mul_pd(a, b)         ((a)*(b))
#define _mm512_div_pd(a, b)         ((a)/(b))
#define _mm512_fmadd_pd(a, b, c)    emulated_fma(a, b, c)
#define _mm512_fnmadd_pd(a, b, c)   emulated_fma(-(a), b, c)
#define _mm512_castpd_si512(v)      ((__m512i)(v))
#define _mm512_castsi512_pd(i)      ((__m512d)(i))
#define _mm512_add_epi64(a, b)      ((__m512i)((emulated_bits)(a) + (emulated_bits)(b)))
#define _mm512_sub_epi64(a, b)      ((__m512i)((emulated_bits)(a) - (emulated_bits)(b)))
#define _mm512_and_si512(a, b)      ((a) & (b))
#define _mm512_or_si512(a, b)       ((a) | (b))
#define _mm512_xor_si512(a, b)      ((a) ^ (b))
#define _mm512_ternarylogic_epi64(a, b, c, table)   ((void)sizeof(char[(table) == 0x78 ? 1 : -1]), (a) ^ ((b) & (c)))
#define _mm512_maskz_loadu_pd(m, p)         emulated_load_cut(m, p)
#define _mm512_mask_storeu_pd(p, m, v)      emulated_store_cut(p, m, v)
#define _mm512_mask_blend_pd(m, a, b)       emulated_blend(m, a, b)
#define _mm512_test_epi64_mask(a, b)        emulated_test(a, b)
#define _mm512_maskz_sqrt_pd(m, a)          emulated_blend(m, _mm512_set1_pd(0.0), emulated_sqrt(a))
#define _mm512_maskz_min_pd(m, a, b)        emulated_blend(m, _mm512_set1_pd(0.0), emulated_min(a, b))
#define _mm512_maskz_max_pd(m, a, b)        emulated_blend(m, _mm512_set1_pd(0.0), emulated_max(a, b))
#define _mm512_maskz_scalef_pd(m, a, b)     emulated_blend(m, _mm512_set1_pd(0.0), emulated_scale(a, b))
#define _mm512_maskz_slli_epi64(m, i, n)    emulated_blend_words(m, (__m512i)((emulated_bits)(i) << (n)))
#define _mm512_maskz_srli_epi64(m, i, n)    emulated_blend_words(m, (__m512i)((emulated_bits)(i) >> (n)))

/* ---- one lane after the other */

EMULATED __m512d emulated_set1_pd(double x)
{
    __m512d v = { x, x, x, x, x, x, x, x };
    return v;
}

EMULATED __m512i emulated_set1_epi64(long long x)
{
    __m512i v = { x, x, x, x, x, x, x, x };
    return v;
}

EMULATED __m512d emulated_fma(__m512d a, __m512d b, __m512d c)
{
    for (int i = 0; i < 8; i++) c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
}

EMULATED __m512d emulated_sqrt(__m512d a)
{
    for (int i = 0; i < 8; i++) a[i] = sqrt(a[i]);
    return a;
}

/* b where either is NaN, or where both are zeros. */
EMULATED __m512d emulated_min(__m512d a, __m512d b)
{
    for (int i = 0; i < 8; i++) a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

EMULATED __m512d emulated_max(__m512d a, __m512d b)
{
    for (int i = 0; i < 8; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

/* a 2^floor(b), rounded once; NaN if either is. */
EMULATED __m512d emulated_scale(__m512d a, __m512d b)
{
    for (int i = 0; i < 8; i++) {
        const double k = b[i] < -5000.0 ? -5000.0 : b[i] < 5000.0 ? floor(b[i]) : 5000.0;
        a[i] = b[i] == b[i] ? ldexp(a[i], (int)k) : b[i];
    }
    return a;
}

EMULATED __m512d emulated_blend(__mmask8 m, __m512d a, __m512d b)
{
    for (int i = 0; i < 8; i++) a[i] = m >> i & 1 ? b[i] : a[i];
    return a;
}

EMULATED __m512i emulated_blend_words(__mmask8 m, __m512i b)
{
    for (int i = 0; i < 8; i++) b[i] = m >> i & 1 ? b[i] : 0;
    return b;
}

EMULATED __m512d emulated_load_cut(__mmask8 m, const double *p)
{
    __m512d v = emulated_set1_pd(0.0);
    for (int i = 0; i < 8; i++) if (m >> i & 1) v[i] = p[i];
    return v;
}

EMULATED void emulated_store_cut(double *p, __mmask8 m, __m512d v)
{
    for (int i = 0; i < 8; i++) if (m >> i & 1) p[i] = v[i];
}

EMULATED __mmask8 emulated_test(__m512i a, __m512i b)
{
    unsigned m = 0;
    for (int i = 0; i < 8; i++) m |= (unsigned)((a[i] & b[i]) != 0) << i;
    return (__mmask8)m;
}

#endif /* BLN_TESTS_AVX512_IMMINTRIN_H */
