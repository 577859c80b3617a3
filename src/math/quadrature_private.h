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

#endif /* BLN_MATH_QUADRATURE_PRIVATE_H */
