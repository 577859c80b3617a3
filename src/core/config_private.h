#ifndef BLN_CORE_CONFIG_PRIVATE_H
#define BLN_CORE_CONFIG_PRIVATE_H
/* config: what every implementation room stands on.
 *
 * Each .c of src/ is a piece of one translation unit, joined in the order of the floors; the headers that it includes are the
 * rooms that it uses. Private names start with blni_ and are visible to the rooms above. */
#include "config.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef BAYESLIN_NO_STDIO
#include <stdio.h>
#endif

/* Infinities, NaN tests and the order of additions are part of the algorithms: flags that let the compiler assume them away make
 * wrong answers without a warning. */
#if !defined(BAYESLIN_ALLOW_FAST_MATH) \
    && (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__))
#error "bayeslin: -ffast-math or a part of it breaks the arithmetic relied on here; drop it, or define BAYESLIN_ALLOW_FAST_MATH"
#endif

/* Doubles are, or may be, kept in wider registers (x87). FLT_EVAL_METHOD 1 widens floats only, 16 only shorter types. */
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0)
#define BLNI_WIDE_DOUBLES
#endif

/* BAYESLIN_REPRODUCIBLE: each operation of the source is rounded to a double, once. So there are no wider registers and no fused
 * multiply-adds, which gcc forms by itself in GNU mode and clang within an expression. The pragmas hold to the end of the
 * implementation (config_end). clang's -ffp-contract=fast overrides them, and the preprocessor cannot see it. special_elementary
 * replaces functions of <math.h>. */
#ifdef BAYESLIN_REPRODUCIBLE
#if defined(BLNI_WIDE_DOUBLES) || (defined(__TINYC__) && defined(__i386__))
#error "bayeslin: BAYESLIN_REPRODUCIBLE needs doubles that are not kept in x87 registers: compile with -msse2 -mfpmath=sse"
#endif
#if defined(BAYESLIN_ALLOW_FAST_MATH) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#error "bayeslin: BAYESLIN_REPRODUCIBLE and fast arithmetic exclude each other"
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(push)                                      /* not before version 11, nor on all machines */
#pragma clang diagnostic pop
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif
#endif

/* Private functions. With BLNI_SEPARATE each .c of src/ is an object file of its own: private functions are then visible to the
 * linker, each file includes what it uses, and every BAYESLIN_WITH part is present. BLNI_INLINE: small functions that are defined
 * in a private header. BLNI_TABLE: constant tables. */
#ifdef BLNI_SEPARATE
#define BLNI_PRIV
#define BLNI_TABLE
#define BLNI_LINEAR 1
#define BLNI_GLM    1
#define BLNI_SCORES 1
#define BLNI_FILES  1
#define BLNI_SAMPLING 1
#define BLNI_AUGMENTED 1
#define BLNI_PROGRAM 1
#else
#define BLNI_PRIV  BLNI_STATIC
#define BLNI_TABLE static BLNI_UNUSED
#endif
#define BLNI_INLINE BLNI_STATIC
#if (defined(__GNUC__) || defined(__clang__)) && !defined(BLNI_AS_INLINE)
#define BLNI_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define BLNI_ALWAYS_INLINE BLNI_STATIC
#endif

/* Functions of one table have the same parameters, and each uses the ones that it needs. Holds to config_end. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable: 4100)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_RESTRICT __restrict__
#elif defined(_MSC_VER)
#define BLNI_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define BLNI_RESTRICT restrict
#else
#define BLNI_RESTRICT
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_PREFETCH(p) __builtin_prefetch(p)
#else
#define BLNI_PREFETCH(p) ((void)0)
#endif

/* NOINLINE: a function whose variables must not enlarge its callers' stack frames, or that has many callers and dwarfs a call.
 * COLD: one called on failure or for a text; branches to it count as unlikely. ONCE: one that runs once for a fit, a step, a file
 * or a block of rows or of a matrix, or seldom, and leaves the loops over rows to others. Compilers make COLD and ONCE small, not
 * fast, and gcc also those that only these call, or that always call one. HOT keeps one fast: slow ones do not inline it. */
#if defined(BLNI_AS_INLINE)
#define BLNI_NOINLINE
#define BLNI_COLD
#define BLNI_ONCE
#define BLNI_HOT
#elif defined(__GNUC__) || defined(__clang__)
#define BLNI_NOINLINE __attribute__((noinline))
#define BLNI_COLD     __attribute__((noinline, cold))
#define BLNI_ONCE     __attribute__((cold))
#define BLNI_HOT      __attribute__((noinline, hot))
#elif defined(_MSC_VER)
#define BLNI_NOINLINE __declspec(noinline)
#define BLNI_COLD     __declspec(noinline)
#define BLNI_ONCE
#define BLNI_HOT      __declspec(noinline)
#else
#define BLNI_NOINLINE
#define BLNI_COLD
#define BLNI_ONCE
#define BLNI_HOT
#endif

/* Functions marked BLNI_EXACT, with BLNI_EXACT_BODY as their first statement, are not contracted: a fused multiply-add rounds once
 * where their algorithms count on two roundings. gcc ignores the pragma and clang does not know the attribute, so both are here;
 * MSVC's pragma is for whole files, and holds to the end of the implementation (config_end). no-math-errno makes sqrt a single
 * instruction. */
#if defined(__clang__)
#define BLNI_EXACT
#define BLNI_EXACT_BODY _Pragma("STDC FP_CONTRACT OFF")
#elif defined(__GNUC__) && !defined(__TINYC__)
#define BLNI_EXACT __attribute__((optimize("fp-contract=off", "no-math-errno")))
#define BLNI_EXACT_BODY
#else
#define BLNI_EXACT
#define BLNI_EXACT_BODY
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

#define BLNI_PI        3.14159265358979323846
#define BLNI_LOG_2PI   1.83787706640934548356     /* log(2 pi)    */
#define BLNI_SQRT1_2   0.70710678118654752440     /* 1 / sqrt(2)  */
#define BLNI_NAN       ((double)NAN)

/* A condition that a proof beside it excludes, or ensures: what stands behind it is for whoever breaks the proof, and counts as no
 * branch (tools/coverage.py). Where BLNI_PROOFS is defined, as in the tests, a proof that fails ends the program. */
#ifdef BLNI_PROOFS
#define BLNI_NEVER(x)  ((x) ? (abort(), 1) : 0)
#define BLNI_ALWAYS(x) ((x) ? 1 : (abort(), 0))
#else
#define BLNI_NEVER(x)  (x)
#define BLNI_ALWAYS(x) (x)
#endif

/* isfinite as a function of a double: the macros of <math.h> warn under -Wconversion or -Wdouble-promotion on some C libraries. */
BLNI_INLINE int blni_finite(double x) { return x - x == 0.0; }

/* The bits of a double, and the double of bits. Nonnegative doubles a < b have bits in the same order. */
BLNI_INLINE uint64_t blni_double_bits(double x) { uint64_t b; memcpy(&b, &x, sizeof b); return b; }
BLNI_INLINE double blni_double_of_bits(uint64_t b) { double x; memcpy(&x, &b, sizeof x); return x; }

BLNI_INLINE size_t blni_min(size_t a, size_t b) { return a < b ? a : b; }
BLNI_INLINE size_t blni_max(size_t a, size_t b) { return a > b ? a : b; }

#endif /* BLN_CORE_CONFIG_PRIVATE_H */
