#ifndef BLN_MATH_SPECIAL_PRIVATE_H
#define BLN_MATH_SPECIAL_PRIVATE_H
/* special_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "special.h"
#include "../core/config_private.h"

/* The unevaluated sum hi + lo of two doubles (special_pair.c). */
typedef struct blni_pair { double hi, lo; } blni_pair;

/* special_pair */
BLNI_PRIV blni_pair blni_pair_make(double hi, double lo);
BLNI_PRIV blni_pair blni_pair_const(const double *c);
BLNI_PRIV blni_pair blni_pair_quick(double a, double b);
BLNI_PRIV blni_pair blni_pair_sum(double a, double b);
BLNI_PRIV blni_pair blni_pair_add(blni_pair a, blni_pair b);
BLNI_PRIV blni_pair blni_pair_plus(blni_pair a, double b);
BLNI_PRIV blni_pair blni_pair_negate(blni_pair a);
BLNI_PRIV blni_pair blni_pair_sub(blni_pair a, blni_pair b);
BLNI_PRIV blni_pair blni_pair_scale(blni_pair a, double scale);
BLNI_PRIV blni_pair blni_pair_product(double a, double b);
BLNI_PRIV blni_pair blni_pair_times(blni_pair a, double b);
BLNI_PRIV blni_pair blni_pair_mul(blni_pair a, blni_pair b);
BLNI_PRIV blni_pair blni_pair_div(blni_pair a, blni_pair b);
BLNI_PRIV blni_pair blni_pair_sqrt(blni_pair a);
BLNI_PRIV double blni_horner(size_t n, const double *c, double x);
BLNI_PRIV blni_pair blni_pair_polynomial(size_t n, const double *c, double t);
BLNI_PRIV double blni_times_2(double x, int k);
BLNI_PRIV blni_pair blni_pair_exp(blni_pair a, int *k);
BLNI_PRIV double blni_pair_round(blni_pair m, int k);
BLNI_PRIV blni_pair blni_pair_log(blni_pair a);
BLNI_PRIV blni_pair blni_pair_log1p(blni_pair a);

/* special_erf */
BLNI_PRIV blni_pair blni_erf_centre(blni_pair x);
BLNI_PRIV blni_pair blni_erfcx_right(blni_pair x);

/* The error function, 2/sqrt(pi) int_0^x e^(-t^2) dt, to 0.65 ulp.   [Cody 1969]   60-150 ns */
BLNI_PRIV double blni_erf(double x);

/* special_gamma */
BLNI_PRIV double blni_stirling(double x);
BLNI_PRIV blni_pair blni_lgamma_unit(blni_pair u);
BLNI_PRIV blni_pair blni_lgamma_pair(blni_pair x);
BLNI_PRIV blni_pair blni_log_rising(blni_pair a, double x);

/* log Gamma(x + 1/2) - log Gamma(x), x >= 0, -inf at 0; log Gamma(a + x) - log Gamma(a), a > 0, x >= 0, with relative accuracy for
 * small x too. Errors as those of bln_log_choose. */
BLNI_PRIV double blni_lgamma_half_diff(double x);
BLNI_PRIV double blni_log_rising_double(double a, double x);

#endif /* BLN_MATH_SPECIAL_PRIVATE_H */
