#ifndef BLN_MATH_VECMATH_PRIVATE_H
#define BLN_MATH_VECMATH_PRIVATE_H
/* vecmath_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "vecmath.h"
#include "cpu_private.h"

#define BLNI_ROUND_MAGIC        6755399441055744.0
#define BLNI_LOG2_HIGH          0.69314718048553914          /* 33 bits */
#define BLNI_LOG2_LOW           7.4406171100123968e-11
/* p <- p z + a constant: a step of Horner's scheme; b z + c: two terms at once, for a step in z^2. The chain of dependent
 * operations is half as long by z^2; the steps that weigh most in the rounding error, the last of sines, cosines and logarithms, go
 * by z. */
#define BLNI_STEP(L, p, z, c)   p = BLNI_FMA##L(p, z, BLNI_SPLAT##L(c));
#define BLNI_PAIR(L, z, b, c)   BLNI_FMA##L(BLNI_SPLAT##L(b), z, BLNI_SPLAT##L(c))
/* x = k log 2 + r with |r| <= log(2)/2, q having k in its low bits; m = e^r - 1 = r + r^2 P(r), relative error 2^-57.9 (of e^r) */
#define BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L q = BLNI_ROUNDED##L(BLNI_FMA##L(x, BLNI_SPLAT##L(1.4426950408889634), BLNI_SPLAT##L(BLNI_ROUND_MAGIC))); \
    const BLNI_VEC##L k = BLNI_SUB##L(q, BLNI_SPLAT##L(BLNI_ROUND_MAGIC)); \
    const BLNI_VEC##L r = BLNI_FNMA##L(k, BLNI_SPLAT##L(BLNI_LOG2_LOW), BLNI_FNMA##L(k, BLNI_SPLAT##L(BLNI_LOG2_HIGH), x)); \
    const BLNI_VEC##L r2 = BLNI_MUL##L(r, r); \
    BLNI_VEC##L m = BLNI_PAIR(L, r, 2.5000220505169073e-08, 2.763038071786555e-07); \
    m = BLNI_FMA##L(m, r2, BLNI_PAIR(L, r, 2.755758652073998e-06, 2.480149275707748e-05)); \
    m = BLNI_FMA##L(m, r2, BLNI_PAIR(L, r, 0.00019841269505693093, 0.0013888888943928044)); \
    m = BLNI_FMA##L(m, r2, BLNI_PAIR(L, r, 0.008333333333495202, 0.04166666666652917)); \
    m = BLNI_FMA##L(m, r2, BLNI_PAIR(L, r, 0.1666666666666641, 0.5000000000000011)); \
    m = BLNI_FMA##L(r2, m, r);
/* w = e^-|v| */
#define BLNI_EXP_MINUS_ABS(L, v, w) \
    const BLNI_VEC##L minus = BLNI_REAL##L(BLNI_IOR##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(BLNI_SIGN_BIT))); \
    const BLNI_VEC##L x = BLNI_MAX##L(BLNI_SPLAT##L(-746.0), minus); \
    BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L e = BLNI_ADD##L(BLNI_SPLAT##L(1.0), m); \
    BLNI_SCALE##L(w, e, q, k)
/* rest = log((1 + f) 2^k) - k log2_high, 1 + f in [sqrt(1/2), sqrt(2)]. With s = f/(2 + f), z = s^2:
 *     log(1 + f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + 2 z P(z))),      P(z) ~ 1/3 + z/5 + z^2/7 + ...
 * relative error 2^-59.5; f is exact, so that this is relative at f = 0 as well. */
#define BLNI_LOG1P_PARTS(L, f, k, rest) \
    const BLNI_VEC##L s = BLNI_DIV##L(f, BLNI_ADD##L(f, BLNI_SPLAT##L(2.0))), z = BLNI_MUL##L(s, s); \
    const BLNI_VEC##L half = BLNI_MUL##L(BLNI_MUL##L(BLNI_SPLAT##L(0.5), f), f); \
    const BLNI_VEC##L z2 = BLNI_MUL##L(z, z); \
    BLNI_VEC##L p = BLNI_PAIR(L, z, 0.07399303805531227, 0.07656901454960065); \
    p = BLNI_FMA##L(p, z2, BLNI_PAIR(L, z, 0.0909178663335544, 0.1111109920808102)); \
    p = BLNI_FMA##L(p, z2, BLNI_PAIR(L, z, 0.1428571437188115, 0.19999999999704623)); \
    BLNI_STEP(L, p, z, 0.33333333333333676) \
    const BLNI_VEC##L more = BLNI_FMA##L(BLNI_ADD##L(z, z), p, half); \
    const BLNI_VEC##L tail = BLNI_FMA##L(s, more, BLNI_MUL##L(k, BLNI_SPLAT##L(BLNI_LOG2_LOW))); \
    const BLNI_VEC##L rest = BLNI_SUB##L(f, BLNI_SUB##L(half, tail));
/* w = log(1 + t), 0 <= t <= 1. Beyond sqrt(2) - 1, 1 + t = 2 (1 + f) with f = (t - 1)/2. */
#define BLNI_LOG1P_UNIT(L, t, w) \
    const BLNI_MASK##L w##_large = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(BLNI_SPLAT##L(0.41421356237309503), t))); \
    const BLNI_VEC##L w##_half = BLNI_MUL##L(BLNI_SPLAT##L(0.5), BLNI_SUB##L(t, BLNI_SPLAT##L(1.0))); \
    const BLNI_VEC##L w##_f = BLNI_SELECT##L(w##_large, w##_half, t); \
    const BLNI_VEC##L w##_exp2 = BLNI_SELECT##L(w##_large, BLNI_SPLAT##L(1.0), BLNI_SPLAT##L(0.0)); \
    BLNI_LOG1P_PARTS(L, w##_f, w##_exp2, w##_rest) \
    const BLNI_VEC##L w = BLNI_FMA##L(w##_exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), w##_rest);
enum { BLNI_LOGIT_BLOCK = 128 };                 /* the most rows of blni_vec_logit */

/* vecmath */
BLNI_PRIV void blni_sincos_by(size_t n, double a, const double *z, double *s, double *c);
BLNI_PRIV void blni_logit_both(size_t n, const double *f, double *p, double *q);
BLNI_PRIV void blni_logit_rest(size_t n, const double *f, double *rest);
BLNI_PRIV double blni_logit_cost(double y, double k, double f, double rest);
BLNI_PRIV void blni_vec_logit(size_t n, const double *y, const double *trials, const double *constants, const double *f,
                              double *logp, double *d1, double *d2, double *d3);
BLNI_PRIV void blni_vec_roots(size_t n, const double *x, double *y);
BLNI_PRIV void blni_vec_product(size_t n, double a, const double *x, const double *y, double *z);
BLNI_PRIV int blni_vec_range(size_t n, const double *x, double *low, double *high);
BLNI_PRIV double blni_max_abs(size_t n, const double *x);

#endif /* BLN_MATH_VECMATH_PRIVATE_H */
