#ifndef BLN_MATH_QUADRATURE_PRIVATE_H
#define BLN_MATH_QUADRATURE_PRIVATE_H
/* quadrature_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "quadrature.h"
#include "../core/config_private.h"

/* quadrature */
BLNI_PRIV void blni_hermite_rule(size_t n, double *z, double *w);
BLNI_PRIV size_t blni_bump_breaks(bln_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                  double low, double high, int sharp, double *breaks, double *top);
BLNI_PRIV double blni_bump_log_integral(bln_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                        double low, double high, int sharp, double tolerance);

/* Trapezoid rule for the standard normal: z_j = j h, w_j = h N(j h), |j| <= J = ceil(8.5/h). Returns the number of nodes 2J + 1; z
 * and w, of that size, may both be NULL. The error is about 2 exp(-2 pi^2/h^2) for entire functions and 20 exp(-2 pi a/h) for a
 * pole at a from the real axis.                                               [Trefethen & Weideman 2014; spec/glm.md G20]
 * h: of [1/64, 1]; clipped to it, NaN counts as 1. */
BLNI_PRIV size_t blni_normal_trapezoid(double h, double *z, double *w);

#endif /* BLN_MATH_QUADRATURE_PRIVATE_H */
