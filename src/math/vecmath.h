#ifndef BLN_MATH_VECMATH_H
#define BLN_MATH_VECMATH_H
#include "../core/config.h"
/* >>vecmath - elementary functions over arrays
 *
 * y[i] = f(x[i]), i < n; y may be x itself, else no overlap. n = 0 does nothing. NaN gives NaN, infinities the limit. */

BLN_API void bln_vec_exp(size_t n, const double *x, double *y);
BLN_API void bln_vec_log(size_t n, const double *x, double *y);
BLN_API void bln_vec_tanh(size_t n, const double *x, double *y);
BLN_API void bln_vec_sigmoid(size_t n, const double *x, double *y);
BLN_API void bln_vec_log1pexp(size_t n, const double *x, double *y);
BLN_API void bln_vec_lgamma(size_t n, const double *x, double *y);

/* s[i] = sin(pi/2 z[i]), c[i] = cos(pi/2 z[i]): the angle comes in quarter turns, so that its reduction is exact for every size.
 * Fold 2/pi into what makes the angle. At most 1.5 ulp; exact at whole quarter turns; |s|, |c| <= 1; NaN and infinity give NaN.
 * s or c may be z itself, else no overlap.   About 2-3 ns an element in portable C */
BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c);

#endif /* BLN_MATH_VECMATH_H */
