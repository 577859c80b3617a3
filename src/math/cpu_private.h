#ifndef BLN_MATH_CPU_PRIVATE_H
#define BLN_MATH_CPU_PRIVATE_H
/* cpu: the choice of a level, and the vector operations of each
 *
 * A kernel for several levels is a macro over the level L, whose body uses BLNI_VEC##L, BLNI_LOAD##L ... and is expanded for each.
 * The operations are macros as well: a function with vector arguments would need the same target attribute to be inlined.
 * Intrinsics rather than a*b + c on vector types, because gcc does not fuse these under -std=c99. At level 0 a vector is one
 * double, and a loop of a fixed number of them is what compilers make vectors of.
 *
 * Bits are handled as unsigned 64-bit integers with the operations of AVX2, which has no arithmetic shift and no unsigned
 * comparison. So a choice between two values goes by a sign bit, and powers of two are made from a q that has an integer in its low
 * bits.
 *
 * To add an instruction set: that of another processor as its level 1 (as NEON is), a wider one of x86-64 as level 3.
 *   1. Here, BLNI_LEVELS where the compiler has it, and a block of its operations: all the names that level 1 has, in registers of
 *      2, 4 or 8 doubles (BLNI_LANES_MOST; the shorter rows of numbers everywhere are multiples of 8). Where it has no masks,
 *      BLNI_LANE_MASK is a number, as with NEON. BLNI_FMA may round twice; BLNI_MIN and _MAX of NaN may be anything.
 *   2. blni_level_best (cpu.c): does the machine have it?
 *   3. For a level 3, below: BLNI_LEVEL3, and its part of the four macros with BLNI_LEVEL2. All kernels follow from these.
 *   4. The shape of its tiles, at the end of blas_kernels, where BLNI_TILE_ROWS and _COLUMNS are the largest of all.
 *   5. What counts the levels: this room's declarations, BAYESLIN_MAX_LEVEL (above and in manual.h), README.md, TEST_TOP_LEVEL in
 *      tests/test.h. Where registers must be cleaned up behind it, tools/check_vzeroupper.sh.
 * `make test` then compares each kernel with its definition; .ci/run takes a step with an emulator (aarch64), or with the
 * intrinsics written out in C where the machine lacks them (tests/avx512). */
#include "cpu.h"
#include "../core/config_private.h"

#ifndef BAYESLIN_MAX_LEVEL
#define BAYESLIN_MAX_LEVEL 2
#endif

#if BAYESLIN_MAX_LEVEL > 0 && !defined(_MSC_VER) && !defined(__TINYC__) && !defined(BAYESLIN_REPRODUCIBLE) \
    && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 6))
#if defined(__x86_64__)
#define BLNI_LEVELS BAYESLIN_MAX_LEVEL
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define BLNI_LEVELS 1
#define BLNI_NEON
#endif
#endif
#ifndef BLNI_LEVELS
#define BLNI_LEVELS 0
#endif

#define BLNI_SIGN_BIT           UINT64_C(0x8000000000000000)

#if BLNI_LEVELS > 0 && defined(BLNI_NEON)
#include <arm_neon.h>

#define BLNI_TARGET1                                              /* every such machine has it */
#define BLNI_VEC1               float64x2_t
#define BLNI_LANES1             2
#define BLNI_LOAD1(p)           vld1q_f64(p)
#define BLNI_STORE1(p, v)       vst1q_f64(p, v)
#define BLNI_LANE_MASK1         size_t
#define BLNI_FIRST_LANES1(m)    (m)
#define BLNI_LOAD_MASKED1(p, m) ((m) == 2 ? vld1q_f64(p) : vcombine_f64(vld1_f64(p), vdup_n_f64(0.0)))
#define BLNI_STREAM1(p, v)      vst1q_f64(p, v)
#define BLNI_STREAM_FENCE1()
#define BLNI_STORE_MASKED1(p, m, v) ((m) == 2 ? vst1q_f64(p, v) : vst1q_lane_f64(p, v, 0))
#define BLNI_SPLAT1(x)          vdupq_n_f64(x)
#define BLNI_ADD1(a, b)         vaddq_f64(a, b)
#define BLNI_SUB1(a, b)         vsubq_f64(a, b)
#define BLNI_MUL1(a, b)         vmulq_f64(a, b)
#define BLNI_DIV1(a, b)         vdivq_f64(a, b)
#define BLNI_SQRT1(a)           vsqrtq_f64(a)
#define BLNI_MIN1(a, b)         vminq_f64(a, b)                   /* NaN, if either is */
#define BLNI_MAX1(a, b)         vmaxq_f64(a, b)
#define BLNI_FMA1(a, b, c)      vfmaq_f64(c, a, b)
#define BLNI_FNMA1(a, b, c)     vfmsq_f64(c, a, b)
#define BLNI_ROUNDED1(a)        (a)
#define BLNI_APART1(v)          __asm__("" : "+w"(v));
#define BLNI_INT1               uint64x2_t
#define BLNI_BITS1(v)           vreinterpretq_u64_f64(v)
#define BLNI_REAL1(i)           vreinterpretq_f64_u64(i)
#define BLNI_ILOAD1(p)          vld1q_u64(p)
#define BLNI_ISTORE1(p, i)      vst1q_u64(p, i)
#define BLNI_ISPLAT1(i)         vdupq_n_u64((uint64_t)(i))
#define BLNI_IADD1(a, b)        vaddq_u64(a, b)
#define BLNI_ISUB1(a, b)        vsubq_u64(a, b)
#define BLNI_IAND1(a, b)        vandq_u64(a, b)
#define BLNI_IOR1(a, b)         vorrq_u64(a, b)
#define BLNI_IXOR1(a, b)        veorq_u64(a, b)
#define BLNI_SHL1(i, n)         vshlq_n_u64(i, n)
#define BLNI_SHR1(i, n)         vshrq_n_u64(i, n)
#define BLNI_MASK1              uint64x2_t
#define BLNI_NEGATIVE1(i)       vcltzq_s64(vreinterpretq_s64_u64(i))
#define BLNI_ODD1(i)            BLNI_NEGATIVE1(BLNI_SHL1(i, 63))
#define BLNI_FLIP1(v, i)        BLNI_FLIP_BY_BITS(1, v, i)
#define BLNI_SELECT1(m, a, b)   vbslq_f64(m, a, b)
#define BLNI_ANY1(m)            (vmaxvq_u32(vreinterpretq_u32_u64(m)) != 0)
#define BLNI_SCALE1(y, p, q, k) BLNI_SCALE_BY_BITS(1, y, p, q)

#elif BLNI_LEVELS > 0
#include <immintrin.h>

#define BLNI_TARGET1            __attribute__((target("avx2,fma")))
#define BLNI_VEC1               __m256d
#define BLNI_LANES1             4
#define BLNI_LOAD1(p)           _mm256_loadu_pd(p)
#define BLNI_STORE1(p, v)       _mm256_storeu_pd(p, v)
#define BLNI_LANE_MASK1         __m256i                           /* the first m >= 1 lanes; others load 0 and are not stored */
#define BLNI_FIRST_LANES1(m)    _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(m)), _mm256_setr_epi64x(0, 1, 2, 3))
#define BLNI_LOAD_MASKED1(p, m) _mm256_maskload_pd(p, m)
#define BLNI_STREAM1(p, v)      _mm256_stream_pd(p, v)            /* streaming store: p aligned, a fence after the last */
#define BLNI_STREAM_FENCE1()    _mm_sfence();
#define BLNI_STORE_MASKED1(p, m, v) _mm256_maskstore_pd(p, m, v)
#define BLNI_SPLAT1(x)          _mm256_set1_pd(x)
#define BLNI_ADD1(a, b)         _mm256_add_pd(a, b)
#define BLNI_SUB1(a, b)         _mm256_sub_pd(a, b)
#define BLNI_MUL1(a, b)         _mm256_mul_pd(a, b)
#define BLNI_DIV1(a, b)         _mm256_div_pd(a, b)
#define BLNI_SQRT1(a)           _mm256_sqrt_pd(a)
#define BLNI_MIN1(a, b)         _mm256_min_pd(a, b)               /* b, if either is NaN */
#define BLNI_MAX1(a, b)         _mm256_max_pd(a, b)
#define BLNI_FMA1(a, b, c)      _mm256_fmadd_pd(a, b, c)          /* c + a b */
#define BLNI_FNMA1(a, b, c)     _mm256_fnmadd_pd(a, b, c)         /* c - a b */
#define BLNI_ROUNDED1(a)        (a)                               /* as a double: see level 0 */
#define BLNI_APART1(v)          __asm__("" : "+x"(v));            /* a product that no flag can fuse with a sum */
#define BLNI_INT1               __m256i
#define BLNI_BITS1(v)           _mm256_castpd_si256(v)
#define BLNI_REAL1(i)           _mm256_castsi256_pd(i)
#define BLNI_ILOAD1(p)          _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define BLNI_ISTORE1(p, i)      _mm256_storeu_si256((__m256i *)(void *)(p), i)
#define BLNI_ISPLAT1(i)         _mm256_set1_epi64x((long long)(i))
#define BLNI_IADD1(a, b)        _mm256_add_epi64(a, b)
#define BLNI_ISUB1(a, b)        _mm256_sub_epi64(a, b)
#define BLNI_IAND1(a, b)        _mm256_and_si256(a, b)
#define BLNI_IOR1(a, b)         _mm256_or_si256(a, b)
#define BLNI_IXOR1(a, b)        _mm256_xor_si256(a, b)
#define BLNI_SHL1(i, n)         _mm256_slli_epi64(i, n)
#define BLNI_SHR1(i, n)         _mm256_srli_epi64(i, n)
#define BLNI_MASK1              __m256d
#define BLNI_NEGATIVE1(i)       _mm256_castsi256_pd(i)            /* where bit 63 of i is set */
#define BLNI_ODD1(i)            BLNI_NEGATIVE1(BLNI_SHL1(i, 63))  /* where bit 0 is */
#define BLNI_FLIP1(v, i)        BLNI_FLIP_BY_BITS(1, v, i)        /* v, or -v where bit 63 of i is set */
#define BLNI_SELECT1(m, a, b)   _mm256_blendv_pd(b, a, m)         /* m ? a : b */
#define BLNI_ANY1(m)            (_mm256_movemask_pd(m) != 0)
#define BLNI_SCALE1(y, p, q, k) BLNI_SCALE_BY_BITS(1, y, p, q)    /* y = p 2^k, rounded once, |k| <= 1076 in the low bits of q */

/* All lanes. Some functions are used in their masked form, because g++ 12 warns of a variable in its own header that the plain ones
 * leave without a value; the instruction is the same. */
#define BLNI_ALL2               ((__mmask8)0xff)
#define BLNI_TARGET2            __attribute__((target("avx512f,fma")))
#define BLNI_VEC2               __m512d
#define BLNI_LANES2             8
#define BLNI_LOAD2(p)           _mm512_loadu_pd(p)
#define BLNI_STORE2(p, v)       _mm512_storeu_pd(p, v)
#define BLNI_LANE_MASK2         __mmask8
#define BLNI_FIRST_LANES2(m)    ((__mmask8)((1u << (m)) - 1u))
#define BLNI_LOAD_MASKED2(p, m) _mm512_maskz_loadu_pd(m, p)
#define BLNI_STREAM2(p, v)      _mm512_stream_pd(p, v)
#define BLNI_STREAM_FENCE2()    _mm_sfence();
#define BLNI_STORE_MASKED2(p, m, v) _mm512_mask_storeu_pd(p, m, v)
#define BLNI_SPLAT2(x)          _mm512_set1_pd(x)
#define BLNI_ADD2(a, b)         _mm512_add_pd(a, b)
#define BLNI_SUB2(a, b)         _mm512_sub_pd(a, b)
#define BLNI_MUL2(a, b)         _mm512_mul_pd(a, b)
#define BLNI_DIV2(a, b)         _mm512_div_pd(a, b)
#define BLNI_SQRT2(a)           _mm512_maskz_sqrt_pd(BLNI_ALL2, a)
#define BLNI_MIN2(a, b)         _mm512_maskz_min_pd(BLNI_ALL2, a, b)
#define BLNI_MAX2(a, b)         _mm512_maskz_max_pd(BLNI_ALL2, a, b)
#define BLNI_FMA2(a, b, c)      _mm512_fmadd_pd(a, b, c)
#define BLNI_FNMA2(a, b, c)     _mm512_fnmadd_pd(a, b, c)
#define BLNI_ROUNDED2(a)        (a)
#define BLNI_APART2(v)          __asm__("" : "+v"(v));
#define BLNI_INT2               __m512i
#define BLNI_BITS2(v)           _mm512_castpd_si512(v)
#define BLNI_REAL2(i)           _mm512_castsi512_pd(i)
#define BLNI_ILOAD2(p)          _mm512_loadu_si512((const void *)(p))
#define BLNI_ISTORE2(p, i)      _mm512_storeu_si512((void *)(p), i)
#define BLNI_ISPLAT2(i)         _mm512_set1_epi64((long long)(i))
#define BLNI_IADD2(a, b)        _mm512_add_epi64(a, b)
#define BLNI_ISUB2(a, b)        _mm512_sub_epi64(a, b)
#define BLNI_IAND2(a, b)        _mm512_and_si512(a, b)
#define BLNI_IOR2(a, b)         _mm512_or_si512(a, b)
#define BLNI_IXOR2(a, b)        _mm512_xor_si512(a, b)
#define BLNI_SHL2(i, n)         _mm512_maskz_slli_epi64(BLNI_ALL2, i, n)
#define BLNI_SHR2(i, n)         _mm512_maskz_srli_epi64(BLNI_ALL2, i, n)
#define BLNI_MASK2              __mmask8
#define BLNI_NEGATIVE2(i)       _mm512_test_epi64_mask(i, BLNI_ISPLAT2(BLNI_SIGN_BIT))
#define BLNI_ODD2(i)            _mm512_test_epi64_mask(i, BLNI_ISPLAT2(1))
#define BLNI_FLIP2(v, i)        BLNI_REAL2(_mm512_ternarylogic_epi64(BLNI_BITS2(v), i, BLNI_ISPLAT2(BLNI_SIGN_BIT), 0x78))
#define BLNI_SELECT2(m, a, b)   _mm512_mask_blend_pd(m, b, a)
#define BLNI_ANY2(m)            ((m) != 0)
#define BLNI_SCALE2(y, p, q, k) const __m512d y = _mm512_maskz_scalef_pd(BLNI_ALL2, p, k);

#endif

#if BLNI_LEVELS > 0
/* Marks the functions that functions of levels 1 and 2 call. Around a call to a function whose register use it knows (-fipa-ra) gcc
 * keeps wide registers alive and does not clear their upper halves (vzeroupper). Code that does not know of wide registers, in the
 * callee and after the return, then runs slowly. tools/check_vzeroupper.sh looks for such calls. */
#if !defined(__clang__) && __GNUC__ >= 8 && !defined(BLNI_AS_INLINE)
#define BLNI_CALLED             __attribute__((noipa))
#endif
#endif

#ifndef BLNI_CALLED
#define BLNI_CALLED
#endif

/* ---- all levels of a kernel
 *
 * These macros expand to code for each level, and to nothing for a level that is not compiled:
 *     BLNI_FOR_LEVELS(X)                       X(1) X(2), the functions above level 0
 *     BLNI_FOR_LEVELS_OF(X, ...)               X(1, ...) X(2, ...)
 *     BLNI_LEVEL_NAMES(NAME)                   NAME0, NAME1, NAME2: a table
 *     BLNI_ABOVE0(level, DO, NAME, ARGS)       DO NAME1 ARGS; or DO NAME2 ARGS; at level 0 nothing (DO: `return`, `i =` or empty)
 *     BLNI_AT_LEVEL(level, DO, NAME, ARGS)     the same with NAME0 */
#if BLNI_LEVELS > 0
#define BLNI_LEVEL1(...)        __VA_ARGS__
#else
#define BLNI_LEVEL1(...)
#endif
#if BLNI_LEVELS > 1
#define BLNI_LEVEL2(...)        __VA_ARGS__
#else
#define BLNI_LEVEL2(...)
#endif
#define BLNI_FOR_LEVELS(X)          BLNI_LEVEL1(X(1)) BLNI_LEVEL2(X(2))
#define BLNI_FOR_LEVELS_OF(X, ...)  BLNI_LEVEL1(X(1, __VA_ARGS__)) BLNI_LEVEL2(X(2, __VA_ARGS__))
#define BLNI_LEVEL_NAMES(NAME)      NAME##0 BLNI_LEVEL1(, NAME##1) BLNI_LEVEL2(, NAME##2)
#define BLNI_CASE(n, DO, CALL)      if (blni_level == n) { DO CALL; } else
#define BLNI_ABOVE0_OR(level, DO, NAME, ARGS, OR) { \
    const int blni_level = (level); \
    (void)blni_level; \
    BLNI_LEVEL1(BLNI_CASE(1, DO, NAME##1 ARGS)) BLNI_LEVEL2(BLNI_CASE(2, DO, NAME##2 ARGS)) { OR } }
#define BLNI_ABOVE0(level, DO, NAME, ARGS)      BLNI_ABOVE0_OR(level, DO, NAME, ARGS, )
#define BLNI_AT_LEVEL(level, DO, NAME, ARGS)    BLNI_ABOVE0_OR(level, DO, NAME, ARGS, DO NAME##0 ARGS;)

/* Loops over the whole vectors among n numbers; afterwards i is the first number that is left. */
#define BLNI_FOR_VECTORS(L, i, n)   size_t i = 0; for (; i + BLNI_LANES##L <= n; i += BLNI_LANES##L)

/* The number of doubles in a vector of a level, and the most of any level. */
#define BLNI_LANES0             1
enum { BLNI_LANES_MOST = 8 };
BLNI_INLINE size_t blni_level_lanes(int level)
{
    static const size_t lanes[] = { BLNI_LEVEL_NAMES(BLNI_LANES) };
    return lanes[level];
}

/* ---- level 0
 *
 * BLNI_EXACT keeps compilers from fusing products with sums. clang under -ffp-contract=fast ignores it: there BLNI_APART hides a
 * product, by setting those of its bits that are set in a 0 whose value the compiler cannot know. The functions here do so under
 * BAYESLIN_REPRODUCIBLE. Functions that use it begin with BLNI_APART_BODY or BLNI_PRODUCT0_BODY. */
BLNI_EXACT BLNI_INLINE uint64_t blni_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

BLNI_EXACT BLNI_INLINE double blni_real(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* All ones where a < b, else 0. By bits (a - b is negative and no NaN), because gcc turns comparisons into branches, not
 * vectors. */
BLNI_EXACT BLNI_INLINE uint64_t blni_less(double a, double b)
{
    const uint64_t bits = blni_bits(a - b), size = bits & UINT64_C(0x7fffffffffffffff);
    return 0 - ((bits & (size - UINT64_C(0x7ff0000000000001))) >> 63);
}

#if defined(__clang__)
#define BLNI_APART(p)           blni_real(blni_bits(p) | blni_zero)
#define BLNI_APART_BODY         volatile uint64_t blni_hidden = 0; const uint64_t blni_zero = blni_hidden; (void)blni_zero;
#else
#define BLNI_APART(p)           (p)
#define BLNI_APART_BODY
#endif

#ifdef BAYESLIN_REPRODUCIBLE
#define BLNI_PRODUCT0(p)        BLNI_APART(p)
#define BLNI_PRODUCT0_BODY      BLNI_APART_BODY
#else
#define BLNI_PRODUCT0(p)        (p)
#define BLNI_PRODUCT0_BODY
#endif

/* Where expressions are kept in wider registers (x87), a sum that must be rounded to a double now has to go through memory. */
#ifdef BLNI_WIDE_DOUBLES
BLNI_INLINE double blni_rounded(double x)
{
    volatile double t = x;
    return t;
}
#define BLNI_ROUNDED0(a)        blni_rounded(a)
#else
#define BLNI_ROUNDED0(a)        (a)
#endif

#define BLNI_TARGET0
#define BLNI_VEC0               double
#define BLNI_SPLAT0(x)          (x)
#define BLNI_ADD0(a, b)         ((a) + (b))
#define BLNI_SUB0(a, b)         ((a) - (b))
#define BLNI_MUL0(a, b)         BLNI_PRODUCT0((a)*(b))
#define BLNI_DIV0(a, b)         ((a)/(b))
#define BLNI_MIN0(a, b)         BLNI_SELECT0(blni_less(a, b), a, b)
#define BLNI_MAX0(a, b)         BLNI_SELECT0(blni_less(b, a), a, b)
#define BLNI_SQRT0(a)           sqrt(a)
#define BLNI_FMA0(a, b, c)      ((c) + BLNI_MUL0(a, b))
#define BLNI_FNMA0(a, b, c)     ((c) - BLNI_MUL0(a, b))
#define BLNI_APART0(v)          v = BLNI_APART(v);
#define BLNI_INT0               uint64_t
#define BLNI_BITS0(v)           blni_bits(v)
#define BLNI_REAL0(i)           blni_real(i)
#define BLNI_ILOAD0(p)          (*(p))
#define BLNI_ISTORE0(p, i)      (*(p) = (i))
#define BLNI_ISPLAT0(i)         (i)
#define BLNI_IADD0(a, b)        ((a) + (b))
#define BLNI_ISUB0(a, b)        ((a) - (b))
#define BLNI_IAND0(a, b)        ((a) & (b))
#define BLNI_IOR0(a, b)         ((a) | (b))
#define BLNI_IXOR0(a, b)        ((a) ^ (b))
#define BLNI_SHL0(i, n)         ((i) << (n))
#define BLNI_SHR0(i, n)         ((i) >> (n))
#define BLNI_MASK0              uint64_t
#define BLNI_NEGATIVE0(i)       (0 - ((i) >> 63))
#define BLNI_ODD0(i)            (0 - ((i) & 1))
#define BLNI_FLIP0(v, i)        BLNI_FLIP_BY_BITS(0, v, i)
#define BLNI_SELECT0(m, a, b)   blni_real(blni_bits(b) ^ ((blni_bits(a) ^ blni_bits(b)) & (m)))
#define BLNI_SCALE0(y, p, q, k) BLNI_SCALE_BY_BITS(0, y, p, q)

#define BLNI_FLIP_BY_BITS(L, v, i) BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(v), BLNI_IAND##L(i, BLNI_ISPLAT##L(BLNI_SIGN_BIT))))

/* p 2^k in two steps, the first exact, as 2^k may be out of range. n = k + 2048 > 0, k = (h - 1024) + (n - h - 1024), h = n/2. */
#define BLNI_SCALE_HALF(L, n)   BLNI_REAL##L(BLNI_SHL##L(BLNI_ISUB##L(n, BLNI_ISPLAT##L(1)), 52))
#define BLNI_SCALE_BY_BITS(L, y, p, q) \
    const BLNI_INT##L y##_n = BLNI_IAND##L(BLNI_IADD##L(BLNI_BITS##L(q), BLNI_ISPLAT##L(2048)), BLNI_ISPLAT##L(4095)); \
    const BLNI_INT##L y##_h = BLNI_SHR##L(y##_n, 1); \
    const BLNI_VEC##L y = BLNI_MUL##L(BLNI_MUL##L(p, BLNI_SCALE_HALF(L, y##_h)), BLNI_SCALE_HALF(L, BLNI_ISUB##L(y##_n, y##_h)));

#endif /* BLN_MATH_CPU_PRIVATE_H */
