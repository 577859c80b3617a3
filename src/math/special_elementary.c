/* special_elementary: exp, log, cosine ... for builds in which the C library's would make the last bits differ
 *
 * C libraries round these functions in different ways. Under BAYESLIN_REPRODUCIBLE the implementation has its own, made of + - * /,
 * sqrt and operations on bits and integers, all of which IEEE 754 defines; floor, ceil, fabs, fmin, fmax, fmod, frexp, ldexp and
 * copysign remain the C library's, since they are exact. From here to the end of the implementation (config_end) macros with
 * arguments replace the names of <math.h>, so that formulas look as usual; without the option there are none.
 *
 * Largest errors seen, in ulp, against 60 digits at 120 000 points each, and 200 000 more where they are largest: 0.51, but sinh
 * 0.54, expm1 0.54, cos 0.79, tan 2.2. For cos and tan these are errors at an argument that is off by up to 3e-23 of itself, which
 * matters above about 1e6. NaN and arguments outside the domain give NaN, infinite ones the limit; errno is not set. */
#include "special_private.h"
#include "special_tables_private.h"

#ifdef BAYESLIN_REPRODUCIBLE

BLNI_PRIV double blni_exp(double x)
{
    int k;
    const blni_pair m = blni_pair_exp(blni_pair_make(x, 0.0), &k);
    return blni_pair_round(m, k);
}

/* e^x - 1. Below 1/32 the series, without x^11/11! < 2^-75 x. */
BLNI_PRIV double blni_expm1(double x)
{
    static const double c[9] = { 0.5, 1.0/6.0, 1.0/24.0, 1.0/120.0, 1.0/720.0, 1.0/5040.0, 1.0/40320.0, 1.0/362880.0,
                                 1.0/3628800.0 };
    int k;
    if (fabs(x) < 1e-17) return x;
    if (!(fabs(x) >= 0.03125)) return x + x*x*blni_horner(9, c, x);
    const blni_pair m = blni_pair_exp(blni_pair_make(x, 0.0), &k);
    if (k > 100) return blni_pair_round(m, k);
    return k < -100 ? -1.0 : blni_pair_plus(blni_pair_scale(m, blni_times_2(1.0, k)), -1.0).hi;
}

BLNI_PRIV double blni_log(double x) { return blni_pair_log(blni_pair_make(x, 0.0)).hi; }

BLNI_PRIV double blni_log1p(double x)
{
    if (fabs(x) < 1e-17) return x;
    return !(x < (double)INFINITY) || x <= -1.0 ? blni_log(1.0 + x) : blni_pair_log1p(blni_pair_make(x, 0.0)).hi;
}

BLNI_PRIV double blni_log10(double x)
{
    static const double inverse[2] = { 0.4342944819032518, 1.098319650216765e-17 };        /* 1/log(10) */
    const blni_pair l = blni_pair_log(blni_pair_make(x, 0.0));
    return blni_finite(l.hi) ? blni_pair_mul(l, blni_pair_const(inverse)).hi : l.hi;
}

/* e^x and e^-x for 0 <= x < 40, as pairs. */
BLNI_PRIV blni_pair blni_exp_both(double x, blni_pair *inverse)
{
    int k;
    const blni_pair m = blni_pair_exp(blni_pair_make(x, 0.0), &k), e = blni_pair_scale(m, blni_times_2(1.0, k));
    *inverse = blni_pair_div(blni_pair_make(1.0, 0.0), e);
    return e;
}

/* e^x/2 for x >= 40, which is sinh and cosh, without an overflow on the way. */
BLNI_PRIV double blni_half_exp(double x)
{
    int k;
    const blni_pair m = blni_pair_exp(blni_pair_make(x, 0.0), &k);
    return blni_pair_round(m, k - 1);
}

/* Below 1/4 the series, without x^15/15! < 2^-68 x. */
BLNI_PRIV double blni_sinh(double x)
{
    static const double c[6] = { 1.0/6.0, 1.0/120.0, 1.0/5040.0, 1.0/362880.0, 1.0/39916800.0, 1.0/6227020800.0 };
    const double size = fabs(x);
    blni_pair inverse;
    if (!(size >= 0.25)) return x + x*(x*x)*blni_horner(6, c, x*x);
    if (size >= 40.0) return copysign(blni_half_exp(size), x);
    const blni_pair e = blni_exp_both(size, &inverse), twice = blni_pair_sub(e, inverse);
    return copysign(0.5*twice.hi, x);
}

BLNI_PRIV double blni_cosh(double x)
{
    const double size = fabs(x);
    blni_pair inverse;
    if (!(size < 40.0)) return blni_half_exp(size);
    const blni_pair e = blni_exp_both(size, &inverse);
    return 0.5*blni_pair_add(e, inverse).hi;
}

/* log(x + sqrt(1 + x^2)) = log(1 + (x + x^2/(1 + sqrt(1 + x^2)))), x >= 0 */
BLNI_PRIV double blni_asinh(double x)
{
    const double size = fabs(x);
    const blni_pair one = blni_pair_make(1.0, 0.0), X = blni_pair_make(size, 0.0);
    blni_pair value;
    if (!(size >= 1e-9 && size < (double)INFINITY)) return x;
    if (size > 1e9) value = blni_pair_add(blni_pair_log(X), blni_pair_const(blni_ln2));
    else {
        const blni_pair square = blni_pair_product(size, size), root = blni_pair_sqrt(blni_pair_add(one, square));
        value = blni_pair_log1p(blni_pair_add(blni_pair_div(square, blni_pair_add(root, one)), X));
    }
    return copysign(value.hi, x);
}

/* sqrt(x^2 + y^2), in units of a power of 2 near the larger. */
BLNI_PRIV double blni_hypot(double x, double y)
{
    const double a = fabs(x), b = fabs(y);
    int e;
    if (!(a < (double)INFINITY && b < (double)INFINITY))
        return a == (double)INFINITY || b == (double)INFINITY ? (double)INFINITY : BLNI_NAN;
    if (!(a > 0.0 || b > 0.0)) return 0.0;
    frexp(a > b ? a : b, &e);
    const double c = ldexp(a, -e), d = ldexp(b, -e);
    const blni_pair square = blni_pair_add(blni_pair_product(c, c), blni_pair_product(d, d));
    return ldexp(blni_pair_sqrt(square).hi, e);
}

/* The angle of the point (x, y). With t = smaller/larger of the two, j/8 next to t and u = (t - j/8)/(1 + t j/8):
 * atan t = atan(j/8) + atan u, |u| <= 1/16, and the series of atan u is without u^17/17 < 2^-68 u. */
BLNI_PRIV double blni_atan2(double y, double x)
{
    static const double c[7] = { -1.0/3.0, 1.0/5.0, -1.0/7.0, 1.0/9.0, -1.0/11.0, 1.0/13.0, -1.0/15.0 };
    static const double pi[2] = { 3.141592653589793, 1.2246467991473532e-16 };
    static const double table[18] = {
        0.0, 0.0, 0.12435499454676144, -3.1253241424539383e-18, 0.24497866312686414, 1.0698755618734451e-17,
        0.35877067027057225, -2.4623815582638635e-17, 0.4636476090008061, 2.2698777452961687e-17,
        0.5585993153435624, -5.4556305485916264e-18, 0.6435011087932844, 1.5834785051444286e-17,
        0.7188299996216245, -2.1478388444456983e-17, 0.7853981633974483, 3.061616997868383e-17
    };
    const double a = fabs(y), b = fabs(x), larger = a > b ? a : b, smaller = a > b ? b : a;
    blni_pair t = blni_pair_make(larger == smaller && larger > 0.0 ? 1.0 : 0.0, 0.0);
    if (x != x || y != y) return BLNI_NAN;
    if (smaller < larger && larger < (double)INFINITY) {
        int e;
        frexp(larger, &e);
        t = blni_pair_div(blni_pair_make(ldexp(smaller, -e), 0.0), blni_pair_make(ldexp(larger, -e), 0.0));
    }
    const int j = (int)(8.0*t.hi + 0.5);
    const double centre = 0.125*j;
    const blni_pair u = blni_pair_div(blni_pair_plus(t, -centre), blni_pair_plus(blni_pair_times(t, centre), 1.0));
    const double square = u.hi*u.hi;
    blni_pair angle = blni_pair_quick(u.hi, u.lo + u.hi*square*blni_horner(7, c, square));
    angle = blni_pair_add(blni_pair_const(table + 2*j), angle);
    if (a > b) angle = blni_pair_sub(blni_pair_scale(blni_pair_const(pi), 0.5), angle);
    if (x < 0.0) angle = blni_pair_sub(blni_pair_const(pi), angle);
    return copysign(angle.hi, y);
}

/* The sine and cosine of r, x = (4 n + quarter) pi/2 + r, |r| <= pi/4; returns the quarter. Taylor's series, without r^18/18!
 * < 2^-58. */
BLNI_PRIV int blni_sincos_of(double x, double *sine, double *cosine)
{
    static const double s[8] = { -1.0/6.0, 1.0/120.0, -1.0/5040.0, 1.0/362880.0, -1.0/39916800.0, 1.0/6227020800.0,
                                 -1.0/1307674368000.0, 1.0/355687428096000.0 };
    static const double c[7] = { 1.0/24.0, -1.0/720.0, 1.0/40320.0, -1.0/3628800.0, 1.0/479001600.0, -1.0/87178291200.0,
                                 1.0/20922789888000.0 };
    static const double two_over_pi[2] = { 0.6366197723675814, -3.935735335036497e-17 };
    static const double half_pi[2] = { 1.5707963267948966, 6.123233995736766e-17 };
    blni_pair r = blni_pair_make(x, 0.0);
    int quarter = 0;
    if (!blni_finite(x)) { *sine = *cosine = BLNI_NAN; return 0; }
    if (fabs(x) > 0.785) {
        const blni_pair v = blni_pair_times(blni_pair_const(two_over_pi), x);
        const blni_pair turned = blni_pair_sum(fmod(v.hi, 4.0), fmod(v.lo, 4.0));           /* exact */
        const double whole = floor(turned.hi + 0.5);
        quarter = (int)(whole + 8.0) & 3;
        r = blni_pair_mul(blni_pair_plus(turned, -whole), blni_pair_const(half_pi));
    }
    const double square = r.hi*r.hi, half = 0.5*square, w = 1.0 - half;
    *sine = r.hi + (r.lo*w + r.hi*square*blni_horner(8, s, square));
    *cosine = w + (((1.0 - w) - half) + (square*square*blni_horner(7, c, square) - r.hi*r.lo));
    return quarter;
}

BLNI_PRIV double blni_cos(double x)
{
    double s, c;
    const int quarter = blni_sincos_of(x, &s, &c);
    const double size = quarter & 1 ? s : c;
    return quarter == 1 || quarter == 2 ? -size : size;
}

BLNI_PRIV double blni_tan(double x)
{
    double s, c;
    const int quarter = blni_sincos_of(x, &s, &c);
    return fabs(x) < 1e-9 ? x : quarter & 1 ? -c/s : s/c;
}

/* Kept for the end, where whatever they may have been (<tgmath.h>) comes back. */
#pragma push_macro("exp")
#pragma push_macro("expm1")
#pragma push_macro("log")
#pragma push_macro("log1p")
#pragma push_macro("log10")
#pragma push_macro("cos")
#pragma push_macro("tan")
#pragma push_macro("sinh")
#pragma push_macro("cosh")
#pragma push_macro("asinh")
#pragma push_macro("atan2")
#pragma push_macro("hypot")
#undef exp
#undef expm1
#undef log
#undef log1p
#undef log10
#undef cos
#undef tan
#undef sinh
#undef cosh
#undef asinh
#undef atan2
#undef hypot
#define exp(x)      blni_exp(x)
#define expm1(x)    blni_expm1(x)
#define log(x)      blni_log(x)
#define log1p(x)    blni_log1p(x)
#define log10(x)    blni_log10(x)
#define cos(x)      blni_cos(x)
#define tan(x)      blni_tan(x)
#define sinh(x)     blni_sinh(x)
#define cosh(x)     blni_cosh(x)
#define asinh(x)    blni_asinh(x)
#define atan2(y, x) blni_atan2(y, x)
#define hypot(x, y) blni_hypot(x, y)

#endif
