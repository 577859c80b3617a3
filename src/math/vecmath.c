/* vecmath: elementary functions over arrays
 *
 * Each function is written once, as a macro over the level L (>>cpu) from a vector v to a vector w, without branches. Arguments are
 * reduced by splitting off an integer: adding 1.5 2^52 rounds to the nearest one, which is then in the low bits of the sum. A
 * minimax polynomial (tools/golden_vecmath_tables.py) of the remainder follows. Constants like log 2 have two parts, the first
 * short enough that its product with the integer is exact, so that the reduction needs no fused multiply-add. Arguments that the
 * vector code does not cover (log of a subnormal, angles beyond 2^50) are rare: they are found by their bits and computed one by
 * one. */
#include "vecmath_private.h"

/* Level 0 runs over this many numbers at a time. */
enum { BLNI_VEC_CHUNK = 32 };

/* ---- the bodies */

/* s = sin(pi/2 v), c = cos(pi/2 v), |v| <= 2^50. v = k + r is exact in floating point (r is a multiple of v's last bit and not
 * larger than v), so there is no table of pi's digits and no loss for large angles. On |r| <= 1/2
 *     sin(pi/2 r) = r P(r^2), relative error 3e-18;     cos(pi/2 r) = 1 + r^2 Q(r^2), absolute error 1e-19
 * (Chebyshev fits). P_0 = pi/2 is split as 1 + 0.57..: r itself is exact, and what is rounded is a third of the result. Odd
 * quarters swap the two; bit 1 of k, and of k + 1, is the sign of the sine, and of the cosine. */
#define BLNI_SINCOS_BODY(L, v, a, s, c) \
    const BLNI_VEC##L q = BLNI_ROUNDED##L(BLNI_ADD##L(v, BLNI_SPLAT##L(BLNI_ROUND_MAGIC))); \
    const BLNI_VEC##L r = BLNI_SUB##L(v, BLNI_SUB##L(q, BLNI_SPLAT##L(BLNI_ROUND_MAGIC))); \
    const BLNI_VEC##L r2 = BLNI_MUL##L(r, r), r4 = BLNI_MUL##L(r2, r2); \
    BLNI_VEC##L sp = BLNI_PAIR(L, r2, 5.633933781537854e-08, -3.59864335298231e-06); \
    BLNI_VEC##L cp = BLNI_PAIR(L, r2, -6.329396344967424e-09, 4.710678405505227e-07); \
    sp = BLNI_FMA##L(sp, r4, BLNI_PAIR(L, r2, 0.0001604411507421909, -0.004681754132340976)); \
    cp = BLNI_FMA##L(cp, r4, BLNI_PAIR(L, r2, -2.5202039028029178e-05, 0.0009192602745468447)); \
    sp = BLNI_FMA##L(sp, r4, BLNI_PAIR(L, r2, 0.07969262624604301, -0.6459640975062443)); \
    cp = BLNI_FMA##L(cp, r4, BLNI_PAIR(L, r2, -0.020863480763340773, 0.2536695079010478)); \
    BLNI_STEP(L, sp, r2, 0.5707963267948966)      BLNI_STEP(L, cp, r2, -1.2337005501361697) \
    sp = BLNI_FMA##L(r, sp, r);                  BLNI_STEP(L, cp, r2, 1.0) \
    const BLNI_INT##L k = BLNI_BITS##L(q), next = BLNI_IADD##L(k, BLNI_ISPLAT##L(1)); \
    const BLNI_MASK##L odd = BLNI_ODD##L(k); \
    const BLNI_VEC##L s = BLNI_MUL##L(BLNI_FLIP##L(a, BLNI_SHL##L(k, 62)), BLNI_SELECT##L(odd, cp, sp)); \
    const BLNI_VEC##L c = BLNI_MUL##L(BLNI_FLIP##L(a, BLNI_SHL##L(next, 62)), BLNI_SELECT##L(odd, sp, cp));

/* w = e^v. Beyond the bounds nothing changes any more; NaN passes MIN and MAX, and every product. */
#define BLNI_EXP_BODY(L, v, w) \
    const BLNI_VEC##L below = BLNI_MIN##L(BLNI_SPLAT##L(710.0), v), x = BLNI_MAX##L(BLNI_SPLAT##L(-746.0), below); \
    BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L e = BLNI_ADD##L(BLNI_SPLAT##L(1.0), m); \
    BLNI_SCALE##L(w, e, q, k)

/* The same for a normal v > 0; k and f by integer operations on the bits of v. */
#define BLNI_LOG_PARTS(L, v, k, rest) \
    const BLNI_INT##L up = BLNI_IADD##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000) - BLNI_HALF_ROOT)); \
    const BLNI_INT##L exponent = BLNI_IOR##L(BLNI_SHR##L(up, 52), BLNI_ISPLAT##L(UINT64_C(0x4330000000000000))); /* 2^52 + .. */ \
    const BLNI_INT##L fraction = BLNI_IAND##L(up, BLNI_ISPLAT##L(UINT64_C(0xfffffffffffff))); \
    const BLNI_VEC##L k = BLNI_SUB##L(BLNI_REAL##L(exponent), BLNI_SPLAT##L(4503599627370496.0 + 1023.0)); \
    const BLNI_VEC##L mantissa = BLNI_REAL##L(BLNI_IADD##L(fraction, BLNI_ISPLAT##L(BLNI_HALF_ROOT))); \
    const BLNI_VEC##L f = BLNI_SUB##L(mantissa, BLNI_SPLAT##L(1.0)); \
    BLNI_LOG1P_PARTS(L, f, k, rest)
#define BLNI_HALF_ROOT UINT64_C(0x3fe6a09e667f3bcd)          /* the bits of sqrt(1/2) */

#define BLNI_LOG_BODY(L, v, w) \
    BLNI_LOG_PARTS(L, v, exp2, rest) \
    const BLNI_VEC##L w = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), rest);

/* w = log(1 + e^v) = max(v, 0) + log(1 + e^-|v|) */
#define BLNI_LOG1PEXP_BODY(L, v, w) \
    BLNI_EXP_MINUS_ABS(L, v, t) \
    BLNI_LOG1P_UNIT(L, t, log_t) \
    const BLNI_VEC##L w = BLNI_ADD##L(BLNI_MAX##L(BLNI_SPLAT##L(0.0), v), log_t);

/* One step of the recurrence Gamma(y + 1) = y Gamma(y), where y > 9/4. */
#define BLNI_LGAMMA_DOWN(L, y, product) { \
    const BLNI_VEC##L less = BLNI_SUB##L(y, BLNI_SPLAT##L(1.0)), times = BLNI_MUL##L(product, less); \
    const BLNI_MASK##L above = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(BLNI_SPLAT##L(2.25), y))); \
    y = BLNI_SELECT##L(above, less, y); \
    product = BLNI_SELECT##L(above, times, product); }

/* (a, b) <- (a, b) u + two constants: two halves of a polynomial, of even and of odd powers, so that they run side by side. */
#define BLNI_STEP2(L, a, b, u, c, d) BLNI_STEP(L, a, u, c) BLNI_STEP(L, b, u, d)

/* w = log Gamma(v), v >= 2^-1022, from one logarithm and two polynomials; three ranges:
 *     v < 3/4     -log v + base(v);     3/4 <= v < 8      log((v-1)(v-2)...(v-j)) + base(v-j-1), v - j in [3/4, 9/4]
 *     8 <= v      (v - 1/2)(log v - 1) + (log(2 pi) - 1)/2 + S(1/v^2)/v, Stirling's series, absolute error 2^-58
 *     base(a) = log Gamma(1 + a) = a (a - 1) q(a - 1/2), relative error 2^-59, its roots 0 and 1 exact factors */
#define BLNI_LGAMMA_BODY(L, v, w) \
    const BLNI_VEC##L one = BLNI_SPLAT##L(1.0), unit_half = BLNI_SPLAT##L(0.5); \
    const BLNI_MASK##L small = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(v, BLNI_SPLAT##L(0.75)))); \
    const BLNI_MASK##L middle = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(v, BLNI_SPLAT##L(8.0)))); \
    BLNI_VEC##L y = v, product = one; \
    BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) \
    BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) \
    const BLNI_VEC##L within = BLNI_SELECT##L(middle, product, v), of = BLNI_SELECT##L(small, v, within); \
    BLNI_LOG_PARTS(L, of, exp2, rest) \
    const BLNI_VEC##L a = BLNI_SELECT##L(small, v, BLNI_SUB##L(y, one)), t = BLNI_SUB##L(a, unit_half), u = BLNI_MUL##L(t, t); \
    BLNI_VEC##L even = BLNI_SPLAT##L(1.372773564681003e-06), odd = BLNI_SPLAT##L(-1.977234736579266e-06); \
    BLNI_STEP2(L, even, odd, u, -2.5404504628397986e-06, 3.34927359085541e-06) \
    BLNI_STEP2(L, even, odd, u, 5.07034493448849e-06, -6.8472827117562684e-06) \
    BLNI_STEP2(L, even, odd, u, -4.6611797516601354e-07, -3.7098684804139775e-07) \
    BLNI_STEP2(L, even, odd, u, 8.552644517360042e-06, -1.268677724757062e-05) \
    BLNI_STEP2(L, even, odd, u, 1.6031872349408607e-05, -2.5649479364130097e-05) \
    BLNI_STEP2(L, even, odd, u, 4.197035797420478e-05, -6.650623740826446e-05) \
    BLNI_STEP2(L, even, odd, u, 0.00010558536238322223, -0.0001688595391824081) \
    BLNI_STEP2(L, even, odd, u, 0.0002712824245751751, -0.00043799945384508636) \
    BLNI_STEP2(L, even, odd, u, 0.0007115217520287457, -0.0011644141148642528) \
    BLNI_STEP2(L, even, odd, u, 0.0019229161715982907, -0.0032120740958515217) \
    BLNI_STEP2(L, even, odd, u, 0.005446457843386599, -0.009425622447922336) \
    BLNI_STEP2(L, even, odd, u, 0.016797098631209508, -0.03130848750101849) \
    BLNI_STEP2(L, even, odd, u, 0.06291140107456476, -0.14595989591430605) \
    BLNI_STEP(L, even, u, 0.4831289505409809) \
    const BLNI_VEC##L factors = BLNI_MUL##L(a, BLNI_SUB##L(a, one)), base = BLNI_MUL##L(factors, BLNI_FMA##L(odd, t, even)); \
    const BLNI_VEC##L log_of = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), rest); \
    const BLNI_VEC##L below = BLNI_SUB##L(base, log_of), about = BLNI_ADD##L(base, log_of); \
    const BLNI_VEC##L less = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), BLNI_SPLAT##L(-1.0)); /* exact */ \
    const BLNI_VEC##L i1 = BLNI_DIV##L(one, v), i2 = BLNI_MUL##L(i1, i1); \
    BLNI_VEC##L series = BLNI_SPLAT##L(-0.0016369622976022537); \
    BLNI_STEP(L, series, i2, 0.0008366180476507803)   BLNI_STEP(L, series, i2, -0.0005951923449258548) \
    BLNI_STEP(L, series, i2, 0.0007936505964348492)   BLNI_STEP(L, series, i2, -0.0027777777774227242) \
    BLNI_STEP(L, series, i2, 0.08333333333333316) \
    const BLNI_VEC##L constant = BLNI_FMA##L(i1, series, BLNI_SPLAT##L(0.41893853320467274)); \
    const BLNI_VEC##L stirling = BLNI_FMA##L(BLNI_SUB##L(v, unit_half), BLNI_ADD##L(less, rest), constant); \
    const BLNI_VEC##L w = BLNI_SELECT##L(small, below, BLNI_SELECT##L(middle, about, stirling));

/* ---- from bodies to functions
 *
 * A function of a level does n numbers, a multiple of what it does at a time; to may be from. */
typedef void (*blni_vec_fn)(size_t n, const double *from, double *to);

#define BLNI_VEC_FN0(NAME, BODY) \
BLNI_EXACT BLNI_PRIV void NAME##0(size_t n, const double *from, double *to) \
{ \
    BLNI_EXACT_BODY \
    BLNI_PRODUCT0_BODY \
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) { \
        double in[BLNI_VEC_CHUNK], out[BLNI_VEC_CHUNK]; \
        memcpy(in, from + i, sizeof in); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) { const double v = in[j]; BODY(0, v, w) out[j] = w; } \
        memcpy(to + i, out, sizeof out); \
    } \
}

#define BLNI_VEC_FN(L, NAME, BODY) \
BLNI_TARGET##L BLNI_PRIV void NAME##L(size_t n, const double *from, double *to) \
{ \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        const BLNI_VEC##L v = BLNI_LOAD##L(from + i); \
        BODY(L, v, w) \
        BLNI_STORE##L(to + i, w); \
    } \
}

/* The same where the body covers normal positive numbers only: RARE(n, from, to) does the others among the n. In terms of bits b,
 * with 2^-1022 and the largest number as a and c, one of b, b - a and c - b is negative for these. (RARE is BLNI_CALLED.) */
#define BLNI_RARE_BITS(L, v) \
    BLNI_IOR##L(BLNI_BITS##L(v), BLNI_IOR##L(BLNI_ISUB##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(UINT64_C(0x0010000000000000))), \
                                             BLNI_ISUB##L(BLNI_ISPLAT##L(UINT64_C(0x7fefffffffffffff)), BLNI_BITS##L(v))))

#define BLNI_VEC_FN0_RARE(NAME, BODY, RARE) \
BLNI_EXACT BLNI_PRIV void NAME##0(size_t n, const double *from, double *to) \
{ \
    BLNI_EXACT_BODY \
    BLNI_PRODUCT0_BODY \
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) { \
        double in[BLNI_VEC_CHUNK], out[BLNI_VEC_CHUNK]; \
        uint64_t rare = 0; \
        memcpy(in, from + i, sizeof in); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) rare |= BLNI_RARE_BITS(0, in[j]); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) { const double v = in[j]; BODY(0, v, w) out[j] = w; } \
        if (rare >> 63) RARE(BLNI_VEC_CHUNK, in, out); \
        memcpy(to + i, out, sizeof out); \
    } \
}

#define BLNI_VEC_FN_RARE(L, NAME, BODY, RARE) \
BLNI_TARGET##L BLNI_PRIV void NAME##L(size_t n, const double *from, double *to) \
{ \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        const BLNI_VEC##L v = BLNI_LOAD##L(from + i); \
        const BLNI_MASK##L rare = BLNI_NEGATIVE##L(BLNI_RARE_BITS(L, v)); \
        BODY(L, v, w) \
        if (BLNI_ANY##L(rare)) { \
            double in[BLNI_LANES##L], out[BLNI_LANES##L]; \
            BLNI_STORE##L(in, v); \
            BLNI_STORE##L(out, w); \
            RARE(BLNI_LANES##L, in, out); \
            memcpy(to + i, out, sizeof out); \
        } else BLNI_STORE##L(to + i, w); \
    } \
}

/* All levels of a function, and the table of them. */
#define BLNI_VEC_LEVELS(NAME, BODY) \
    BLNI_VEC_FN0(NAME, BODY) BLNI_FOR_LEVELS_OF(BLNI_VEC_FN, NAME, BODY) \
    static const blni_vec_fn NAME[] = { BLNI_LEVEL_NAMES(NAME) };
#define BLNI_VEC_LEVELS_RARE(NAME, BODY, RARE) \
    BLNI_VEC_FN0_RARE(NAME, BODY, RARE) BLNI_FOR_LEVELS_OF(BLNI_VEC_FN_RARE, NAME, BODY, RARE) \
    static const blni_vec_fn NAME[] = { BLNI_LEVEL_NAMES(NAME) };

/* What functions of level `level` do at a time. */
BLNI_PRIV size_t blni_vec_width(int level) { return level ? blni_level_lanes(level) : (size_t)BLNI_VEC_CHUNK; }

/* y = f(x) with the function of the level in use; what is left over at the end is filled up with ones. */
BLNI_PRIV void blni_vec_map(const blni_vec_fn *f, size_t n, const double *x, double *y)
{
    const int level = bln_cpu_level();
    const size_t width = blni_vec_width(level), rest = n % width;
    f[level](n - rest, x, y);
    if (rest) {
        double t[BLNI_VEC_CHUNK];
        memcpy(t, x + (n - rest), rest*sizeof *t);
        for (size_t i = rest; i < width; i++) t[i] = 1.0;
        f[level](width, t, t);
        memcpy(y + (n - rest), t, rest*sizeof *t);
    }
}

/* ---- the functions */

BLNI_VEC_LEVELS(blni_vec_exp, BLNI_EXP_BODY)
BLNI_VEC_LEVELS(blni_vec_log1pexp, BLNI_LOG1PEXP_BODY)
#define BLNI_ROOT_BODY(L, v, w) const BLNI_VEC##L w = BLNI_MIN##L(BLNI_SPLAT##L(1000.0), BLNI_SQRT##L(v));
BLNI_VEC_LEVELS(blni_vec_root, BLNI_ROOT_BODY)

/* log where x is no normal positive number; a subnormal one is made normal by 2^54. */
BLNI_EXACT BLNI_PRIV double blni_log_rare(double x)
{
    BLNI_EXACT_BODY
    BLNI_PRODUCT0_BODY
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    if (!blni_finite(x)) return x;
    const double v = x*18014398509481984.0;
    BLNI_LOG_PARTS(0, v, exp2, rest)
    return (exp2 - 54.0)*BLNI_LOG2_HIGH + (rest - 54.0*BLNI_LOG2_LOW);
}

BLNI_PRIV int blni_is_rare(double x) { return (int)(BLNI_RARE_BITS(0, x) >> 63); }

BLNI_CALLED BLNI_PRIV void blni_vec_log_rare(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) if (blni_is_rare(x[i])) y[i] = blni_log_rare(x[i]);
}

/* log Gamma(x) = -log x + O(x), and infinite where log is. */
BLNI_CALLED BLNI_PRIV void blni_vec_lgamma_rare(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) if (blni_is_rare(x[i])) y[i] = fabs(blni_log_rare(x[i]));
}

BLNI_VEC_LEVELS_RARE(blni_vec_log, BLNI_LOG_BODY, blni_vec_log_rare)
BLNI_VEC_LEVELS_RARE(blni_vec_lgamma, BLNI_LGAMMA_BODY, blni_vec_lgamma_rare)

BLN_API void bln_vec_exp(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_exp, n, x, y); }
BLN_API void bln_vec_log(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_log, n, x, y); }
BLN_API void bln_vec_log1pexp(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_log1pexp, n, x, y); }
BLN_API void bln_vec_lgamma(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_lgamma, n, x, y); }
/* sqrt(x), at most 1000; NaN stays. */
BLNI_PRIV void blni_vec_roots(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_root, n, x, y); }

/* ---- sine and cosine: two results, and angles that must be made smaller first */

/* A huge angle is taken modulo a whole turn, which is exact: from 2^54 on all are whole turns. What is not finite has no angle. Of
 * bits b without the sign, 2^50 - b is negative for these. */
#define BLNI_HUGE_BITS(L, v) \
    BLNI_ISUB##L(BLNI_ISPLAT##L(UINT64_C(0x4310000000000000)), BLNI_IAND##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(~BLNI_SIGN_BIT)))

BLNI_CALLED BLNI_PRIV void blni_sincos_huge(size_t n, double *z)
{
    for (size_t i = 0; i < n; i++)
        if (BLNI_HUGE_BITS(0, z[i]) >> 63)
            z[i] = !blni_finite(z[i]) ? BLNI_NAN
                 : fabs(z[i]) < 18014398509481984.0 ? z[i] - 4.0*(double)(int64_t)(0.25*z[i]) : 0.0*z[i];
}

/* s and c times a. */
typedef void (*blni_sincos_fn)(size_t n, double a, const double *z, double *s, double *c);

BLNI_EXACT BLNI_PRIV void blni_sincos0(size_t n, double a, const double *z, double *s, double *c)
{
    BLNI_EXACT_BODY
    BLNI_PRODUCT0_BODY
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) {
        double in[BLNI_VEC_CHUNK], sines[BLNI_VEC_CHUNK], cosines[BLNI_VEC_CHUNK];
        uint64_t huge = 0;
        memcpy(in, z + i, sizeof in);
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) huge |= BLNI_HUGE_BITS(0, in[j]);
        if (huge >> 63) blni_sincos_huge(BLNI_VEC_CHUNK, in);
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) {
            const double v = in[j];
            BLNI_SINCOS_BODY(0, v, a, sine, cosine)
            sines[j] = sine;
            cosines[j] = cosine;
        }
        memcpy(s + i, sines, sizeof sines);
        memcpy(c + i, cosines, sizeof cosines);
    }
}

#define BLNI_SINCOS_FN(L) \
BLNI_TARGET##L BLNI_PRIV void blni_sincos##L(size_t n, double a, const double *z, double *s, double *c) \
{ \
    const BLNI_VEC##L by = BLNI_SPLAT##L(a); \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        BLNI_VEC##L v = BLNI_LOAD##L(z + i); \
        const BLNI_MASK##L huge = BLNI_NEGATIVE##L(BLNI_HUGE_BITS(L, v)); \
        if (BLNI_ANY##L(huge)) { \
            double in[BLNI_LANES##L]; \
            BLNI_STORE##L(in, v); \
            blni_sincos_huge(BLNI_LANES##L, in); \
            v = BLNI_LOAD##L(in); \
        } \
        BLNI_SINCOS_BODY(L, v, by, sine, cosine) \
        BLNI_STORE##L(s + i, sine); \
        BLNI_STORE##L(c + i, cosine); \
    } \
}
BLNI_FOR_LEVELS(BLNI_SINCOS_FN)

/* s_i = a sin(pi/2 z_i), c_i = a cos(pi/2 z_i), with the rounding of a product more. */
BLNI_PRIV void blni_sincos_by(size_t n, double a, const double *z, double *s, double *c)
{
    static const blni_sincos_fn f[] = { BLNI_LEVEL_NAMES(blni_sincos) };
    const int level = bln_cpu_level();
    const size_t width = blni_vec_width(level), rest = n % width, done = n - rest;
    double t[BLNI_VEC_CHUNK], u[BLNI_VEC_CHUNK];
    f[level](done, a, z, s, c);
    if (!rest) return;
    memcpy(t, z + done, rest*sizeof *t);
    for (size_t i = rest; i < width; i++) t[i] = 0.0;
    f[level](width, a, t, t, u);
    memcpy(s + done, t, rest*sizeof *t);
    memcpy(c + done, u, rest*sizeof *u);
}

BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c) { blni_sincos_by(n, 1.0, z, s, c); }

/* ---- the logit link [likelihoods 14, 17, 18]: with e = e^-|f|, log(1 + e^-f) = max(-f, 0) + log(1 + e) */

/* P, 1 - P; no overlap. */
BLNI_PRIV void blni_logit_both(size_t n, const double *f, double *p, double *q)
{
    if (n == 0) return;
    for (size_t i = 0; i < n; i++) p[i] = -fabs(f[i]);
    bln_vec_exp(n, p, p);
    for (size_t i = 0; i < n; i++) {
        const double large = 1.0/(1.0 + p[i]), small = p[i]*large;
        p[i] = f[i] < 0.0 ? small : large;
        q[i] = f[i] < 0.0 ? large : small;
    }
}

/* log(1 + e^-|f|) */
BLNI_PRIV void blni_logit_rest(size_t n, const double *f, double *rest)
{
    for (size_t i = 0; i < n; i++) rest[i] = -fabs(f[i]);
    bln_vec_log1pexp(n, rest, rest);
}

/* y log(1 + e^-f) + k log(1 + e^f) by the rest above. */
BLNI_PRIV double blni_logit_cost(double y, double k, double f, double rest)
{
    return f < 0.0 ? y*(rest - f) + k*rest : y*rest + k*(rest + f);
}

/* The definition. NULL: trials are 1, constants 0, a result is not asked for. */
BLNI_PRIV void blni_logit_rows0(size_t n, const double *y, const double *trials, const double *constants, const double *f,
                                double *logp, double *d1, double *d2, double *d3)
{
    double p[BLNI_LOGIT_BLOCK] = { 0.0 }, q[BLNI_LOGIT_BLOCK];
    if (logp) {
        blni_logit_rest(n, f, p);
        for (size_t i = 0; i < n; i++)
            logp[i] = (constants ? constants[i] : 0.0) - blni_logit_cost(y[i], (trials ? trials[i] : 1.0) - y[i], f[i], p[i]);
    }
    if (!d1 && !d2 && !d3) return;
    blni_logit_both(n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double all = trials ? trials[i] : 1.0, curve = all*p[i]*q[i];
        if (d1) d1[i] = y[i]*q[i] - (all - y[i])*p[i];
        if (d2) d2[i] = -curve;
        if (d3) d3[i] = curve*(p[i] - q[i]);
    }
}

/* The same by one exponential: t = e^-|f|, the larger of P and 1 - P is 1/(1 + t). y log(1 + e^-f) + k log(1 + e^f) is
 * trials log(1 + t) plus y |f| where f < 0, k |f| where f > 0. n is a multiple of the lanes. */
#define BLNI_LOGIT_FN(L) \
BLNI_TARGET##L BLNI_PRIV void blni_logit_rows##L(size_t n, const double *y, const double *trials, const double *constants, \
                                                 const double *f, double *logp, double *d1, double *d2, double *d3) \
{ \
    const BLNI_VEC##L one = BLNI_SPLAT##L(1.0), zero = BLNI_SPLAT##L(0.0); \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        const BLNI_VEC##L v = BLNI_LOAD##L(f + i), yes = BLNI_LOAD##L(y + i), all = trials ? BLNI_LOAD##L(trials + i) : one; \
        const BLNI_VEC##L no = BLNI_SUB##L(all, yes); \
        const BLNI_MASK##L left = BLNI_NEGATIVE##L(BLNI_BITS##L(v)); \
        BLNI_EXP_MINUS_ABS(L, v, t) \
        if (logp) { \
            const BLNI_VEC##L away = BLNI_REAL##L(BLNI_IAND##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(~BLNI_SIGN_BIT))); \
            BLNI_LOG1P_UNIT(L, t, rest) \
            const BLNI_VEC##L cost = BLNI_FMA##L(all, rest, BLNI_MUL##L(BLNI_SELECT##L(left, yes, no), away)); \
            BLNI_STORE##L(logp + i, BLNI_SUB##L(constants ? BLNI_LOAD##L(constants + i) : zero, cost)); \
        } \
        const BLNI_VEC##L large = BLNI_DIV##L(one, BLNI_ADD##L(one, t)), small = BLNI_MUL##L(t, large); \
        const BLNI_VEC##L P = BLNI_SELECT##L(left, small, large), Q = BLNI_SELECT##L(left, large, small); \
        const BLNI_VEC##L curve = BLNI_MUL##L(BLNI_MUL##L(all, P), Q); \
        if (d1) BLNI_STORE##L(d1 + i, BLNI_SUB##L(BLNI_MUL##L(yes, Q), BLNI_MUL##L(no, P))); \
        if (d2) BLNI_STORE##L(d2 + i, BLNI_SUB##L(zero, curve)); \
        if (d3) BLNI_STORE##L(d3 + i, BLNI_MUL##L(curve, BLNI_SUB##L(P, Q))); \
    } \
}
BLNI_FOR_LEVELS(BLNI_LOGIT_FN)

/* By the level in use; n is a multiple of its width. */
BLNI_PRIV void blni_logit_rows(int level, size_t n, const double *y, const double *trials, const double *constants,
                               const double *f, double *logp, double *d1, double *d2, double *d3)
{
    BLNI_AT_LEVEL(level, , blni_logit_rows, (n, y, trials, constants, f, logp, d1, d2, d3))
}

/* log p = c + y log P + (trials - y) log(1 - P), P = 1/(1 + e^-f), and its derivatives in f; of n <= BLNI_LOGIT_BLOCK rows. NULL:
 * trials are 1, constants 0, a result is not asked for. What is left over at the end goes through the same function as the rest, so
 * that a row is the same wherever it is. */
BLNI_PRIV void blni_vec_logit(size_t n, const double *y, const double *trials, const double *constants, const double *f,
                              double *logp, double *d1, double *d2, double *d3)
{
    const int level = bln_cpu_level();
    const size_t width = blni_level_lanes(level), rest = n % width, whole = n - rest;
    double *const out[4] = { logp, d1, d2, d3 };
    const double *const from[4] = { y, trials, constants, f };
    double in[4][BLNI_LANES_MOST] = { { 0.0 } }, last[4][BLNI_LANES_MOST];
    if (whole) blni_logit_rows(level, whole, y, trials, constants, f, logp, d1, d2, d3);
    if (!rest) return;
    for (size_t k = 0; k < 4; k++) if (from[k]) memcpy(in[k], from[k] + whole, rest*sizeof(double));
    blni_logit_rows(level, width, in[0], trials ? in[1] : NULL, constants ? in[2] : NULL, in[3], logp ? last[0] : NULL,
                    d1 ? last[1] : NULL, d2 ? last[2] : NULL, d3 ? last[3] : NULL);
    for (size_t k = 0; k < 4; k++) if (out[k]) memcpy(out[k] + whole, last[k], rest*sizeof(double));
}

/* ---- products and ranges */

#define BLNI_PRODUCTS(L) \
BLNI_TARGET##L BLNI_PRIV size_t blni_products##L(size_t n, double a, const double *x, const double *y, double *z) \
{ \
    const BLNI_VEC##L f = BLNI_SPLAT##L(a); \
    BLNI_FOR_VECTORS(L, i, n) BLNI_STORE##L(z + i, BLNI_MUL##L(BLNI_MUL##L(f, BLNI_LOAD##L(x + i)), BLNI_LOAD##L(y + i))); \
    return i; \
}
BLNI_FOR_LEVELS(BLNI_PRODUCTS)

/* z_i = a x_i y_i; z may be x or y. The same bits at each level. */
BLNI_PRIV void blni_vec_product(size_t n, double a, const double *x, const double *y, double *z)
{
    size_t i = 0;
    BLNI_ABOVE0(bln_cpu_level(), i =, blni_products, (n, a, x, y, z))
    for (; i < n; i++) z[i] = a*x[i]*y[i];
}

/* Are all numbers finite? Then the least and the largest of them; of none, infinities. 0 x is 0 where x is finite, else NaN. */
BLNI_PRIV int blni_vec_range(size_t n, const double *x, double *low, double *high)
{
    double least = (double)INFINITY, most = -(double)INFINITY, nothing = 0.0;
    for (size_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
        nothing += 0.0*x[i];
    }
    *low = least;
    *high = most;
    return nothing == 0.0;
}

/* The largest |x_i|, but for NaN; 0 of none. */
BLNI_PRIV double blni_max_abs(size_t n, const double *x)
{
    double largest = 0.0, low, high;
    if (blni_vec_range(n, x, &low, &high)) return n == 0 ? 0.0 : fabs(high > -low ? high : low);
    for (size_t i = 0; i < n; i++) if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}
