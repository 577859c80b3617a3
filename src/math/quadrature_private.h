#ifndef BLN_MATH_QUADRATURE_PRIVATE_H
#define BLN_MATH_QUADRATURE_PRIVATE_H
#include "../core/status.h"
#include "../core/config_private.h"

/* Rules for integrals in one dimension. */

/* Gauss-Hermite rule of n nodes for the standard normal: E g(Z) ~ sum_i w_i g(z_i), exact for polynomials of degree up to 2n - 1.
 * z: n nodes, rising and symmetric; w: n weights > 0. The nodes of the weight e^{-x^2} are z/sqrt 2, their weights w sqrt(pi).
 * Errors below 1 ulp. Roots by bisection with Sturm's count, then Newton's method in twice double precision; weights by the
 * formula of Christoffel and Darboux, w = 1/sum_j p_j(z)^2 with orthonormal p_j.       [Golub & Welsch 1969; variational 17]
 * Some 500 n^2 operations.   BLN_EINVAL: n = 0, or above 256. */
BLNI_PRIV bln_status blni_gauss_hermite(size_t n, double *z, double *w);

/* A function with several outputs: values[j n + i] = output j at x_i, i < n. */
typedef void (*blni_integrand)(void *user, size_t n, const double *x, double *values);
enum { BLNI_INTEGRATE_OUTPUTS = 3,       /* most outputs                                         */
       BLNI_INTEGRATE_BREAKS = 64,       /* most break points                                    */
       BLNI_INTEGRATE_NODES = 126 };     /* most nodes of a call: n above                        */

/* result[j] = the integral of output j from breaks[0] to breaks[n_breaks - 1] by Gauss-Kronrod rules of 21 nodes. The first panels
 * are the intervals between the breaks, which ascend and should stand where the integrand changes fast. Panels are halved until the
 * estimated error of each output is below `tolerance` times the integral of its absolute value, or there are 160. Returns the
 * largest estimated error relative to that integral; the estimate is cautious, also at kinks. Allocates nothing (24 KiB of stack).
 * NaN values of the function give NaN. Fewer than 2 breaks give 0; those beyond BLNI_INTEGRATE_BREAKS are not used.
 *                                                                                 [Kronrod 1965; Piessens et al. 1983] */
BLNI_PRIV double blni_integrate(blni_integrand f, void *user, size_t outputs, size_t n_breaks, const double *breaks,
                                double tolerance, double *result);

/* quadrature */
BLNI_PRIV void blni_hermite_rule(size_t n, double *z, double *w);
BLNI_PRIV size_t blni_bump_breaks(blni_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                  double low, double high, int sharp, double *breaks, double *top);
BLNI_PRIV double blni_bump_log_integral(blni_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                        double low, double high, int sharp, double tolerance);

/* Trapezoid rule for the standard normal: z_j = j h, w_j = h N(j h), |j| <= J = ceil(8.5/h). Returns the number of nodes 2J + 1;
 * fills z and w, of n, with those from number `first` on. The error is about 2 exp(-2 pi^2/h^2) for entire functions and
 * 20 exp(-2 pi a/h) for a pole at a from the real axis.                       [Trefethen & Weideman 2014; variational 20]
 * h: of [1/64, 1]; clipped to it, NaN counts as 1. */
BLNI_PRIV size_t blni_normal_trapezoid(double h, size_t first, size_t n, double *z, double *w);

#endif /* BLN_MATH_QUADRATURE_PRIVATE_H */
