#ifndef BLN_MATH_VECMATH_H
#define BLN_MATH_VECMATH_H
#include "../core/config.h"
/* >>vecmath - elementary functions over arrays
 *
 * At each level of >>cpu. Largest errors in ulp (units in the last place): the promise, subnormal results included, and in brackets
 * what was seen at over a million random points in each of several ranges. Nanoseconds an element on one core with AVX-512 (AMD Zen
 * 5), where exp, log and the sine with the cosine of the C library took 3.1, 2.3 and 10:
 *
 *                   ulp, level 0    ulp, levels 1, 2    ns, level 0       1       2
 *     sin and cos   1.5   (1.44)    1.3       (1.20)            2.8    0.76    0.37
 *     exp           1.1   (1.02)    1.1       (1.05)            4.2    0.74    0.30
 *     log           0.9   (0.83)    0.9       (0.83)            2.4    0.81    0.40
 *     log1pexp      1.9   (1.64)    1.9       (1.68)            8.3    2.20    1.05
 *     lgamma        4.5   (3.62)    4.5       (3.72)           18      4.81    2.65
 *
 * Level 0 gives the same bits with every compiler on every machine whose doubles are plain (FLT_EVAL_METHOD neither 2 nor
 * negative), and asks nothing of the C library but fmod, which is exact; under BAYESLIN_REPRODUCIBLE whatever the flags. The
 * scalar functions of >>special are more accurate.
 *
 * n = 0 does nothing. y may be x itself, else there is no overlap. NaN gives NaN, infinities the limit. Nothing can fail. */

/* y_i = e^x_i; log x_i, -inf at both zeros, NaN below; log(1 + e^x_i); i < n. The errors are relative, also where log1pexp is small
 * and where the logarithm is near its root 1. */
BLN_API void bln_vec_exp(size_t n, const double *x, double *y);
BLN_API void bln_vec_log(size_t n, const double *x, double *y);
BLN_API void bln_vec_log1pexp(size_t n, const double *x, double *y);

/* y_i = log Gamma(x_i), x_i >= 0: +inf at both zeros, NaN below; relative next to its roots 1 and 2 too, where it is 0. */
BLN_API void bln_vec_lgamma(size_t n, const double *x, double *y);

/* s_i = sin(pi/2 z_i), c_i = cos(pi/2 z_i): the angle comes in quarter turns, so that its reduction is exact for every size; the
 * caller puts the factor 2/pi into what makes the angle. Exact at whole quarter turns; |s_i|, |c_i| <= 1; infinities give NaN. s or
 * c may be z itself, else no overlap. */
BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c);

#endif /* BLN_MATH_VECMATH_H */
