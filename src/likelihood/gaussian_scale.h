#ifndef BLN_LIKELIHOOD_GAUSSIAN_SCALE_H
#define BLN_LIKELIHOOD_GAUSSIAN_SCALE_H
#include "likelihood.h"
/* >>gaussian_scale - a mean and the size of the noise about it, both functions of the row                          [likelihoods 43]
 *
 *     y ~ N(f_0, s^2 v e^(2 f_1)),    log p = -log(2 pi s^2 v)/2 - f_1 - r^2 w/2,   r = y - f_0,   w = e^(-2 f_1)/(s^2 v)
 *
 * with v the row's noise_var (1 without that column) and theta: s, the standard deviation of the noise where f_1 = 0; f_1 has no
 * unit. Two latents, "mean" and "log sd":
 *     d1 = (r w, r^2 w - 1),   d2 = (-w, -2 r w, -2 r^2 w)
 * log p is not concave; W = diag(w, 2) is Fisher's information. Under independent f_j ~ N(m_j, v_j), g = e^(2 v_1 - 2 m_1)/(s^2 v)
 *     E log p = -log(2 pi s^2 v)/2 - m_1 - ((y - m_0)^2 + v_0) g/2
 *     E y = m_0,   Var E[y | f] = v_0,   E Var[y | f] = s^2 v e^(2 m_1 + 2 v_1); these also hold if the latents are correlated.
 * Densities and distribution functions are integrals over f_1, about 50 us each. Give f_1 a basis of few features: otherwise f_0
 * can pass exactly through rows that are few or close together while f_1 goes to minus infinity. Then, and if all rows lie exactly
 * on a mean of the basis, there is no posterior, and a fit returns BLN_EUNDEFINED: >>heteroscedastic has one. */
BLN_API bln_likelihood bln_likelihood_gaussian_scale(void);

#endif /* BLN_LIKELIHOOD_GAUSSIAN_SCALE_H */
