#ifndef BLN_LIKELIHOOD_EXPECT_H
#define BLN_LIKELIHOOD_EXPECT_H
#include "likelihood.h"
/* >>expect - expectations of log p under a normal f                                                    [spec/glm.md G17-G24]
 *
 * For each row, with f ~ N(m, v):
 *     value = E log p(y | f)
 *     dm = d value/dm = E d1                       [Bonnet 1964]
 *     dv = d value/dv = E d2/2                     [Price 1958; Opper & Archambeau 2009]
 *     dtheta_k = d value/dtheta_k = E dlogp_k
 * dm, dv, dtheta may be NULL; dtheta: n_theta x n, row stride lddtheta >= n. v >= 0; 0 is the value at m. Where log p is -inf too
 * often (Poisson with m + v/2 above 709), value is -inf. NaN in m or v: NaN. Nothing is allocated, nothing can fail. */

/* To an accuracy: |error| <= `tolerance` max(1, |.|) about (0: 1e-10; of [1e-13, 1e-2]), each row by the cheapest way that has it,
 * with the `width` of the likelihood's feature (pi for the logit), and limits here for 1e-10:
 *     a closed form                       Gaussian, Laplace, Poisson with log link; counts > 0 with sure zeros
 *     Gauss-Hermite, 4, 8 or 16 nodes     sqrt v up to 0.16 width
 *     the trapezoid rule, 35 to 545       sqrt v up to 0.42 to 6.7 width
 *     panels, some 300 to 1000 nodes      beyond
 * Neighbouring rows share evaluations, but a row's result does not depend on them. A likelihood without `eval` is integrated by
 *     dm = E l z/sqrt v,   dv = E l (z^2 - 1)/(2v),   f = m + sqrt v z
 * which does not need log p to be smooth; where sqrt v < width/32, by its differences. */
BLN_API void bln_likelihood_expect(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                                   const double *v, double tolerance, double *value, double *dm, double *dv, double *dtheta,
                                   size_t lddtheta);

/* The same for any number of latents, independent f_j ~ N(m_j, v_j) at m[j*ld + i], dm and dv likewise. Of several by the function
 * of
 * the likelihood's table; without one value is NaN, and nothing else is written. */
BLN_API void bln_latents_expect(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                                const double *v, size_t ld, double tolerance, double *value, double *dm, double *dv,
                                double *dtheta, size_t lddtheta);

#endif /* BLN_LIKELIHOOD_EXPECT_H */
