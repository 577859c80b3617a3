#ifndef BLN_LIKELIHOOD_HETEROSCEDASTIC_H
#define BLN_LIKELIHOOD_HETEROSCEDASTIC_H
#include "likelihood.h"
/* >>heteroscedastic - a mean, and noise above a least one, both functions of the row: for >>glm_gibbs, _laplace, _full and _map
 *
 *     y ~ N(f_0, s^2 v (1 + e^f_1))        or Student's t with this squared scale
 *
 * with v the row's noise_var (1 without that column) and theta: s, the least standard deviation (scale) of the noise, and for t its
 * degrees of freedom nu. Two latents, "mean" and "log excess"; e^f_1 is the noise variance above the least one, divided by that.
 * The precision of the noise is logistic in f_1, so auxiliary variables make the likelihood Gaussian in f_0 given f_1, and in f_1
 * given f_0 [Lazaro-Gredilla & Titsias 2011; augmentation 18; likelihoods 44]; >>gaussian_scale, without a least noise, has none.
 * With r = y - f_0, w = 1/(s^2 v (1 + e^f_1)), z^2 = r^2 w, p = 1/(1 + e^-f_1), a = (nu + 1)/(nu + z^2) (normal: a = 1)
 *     d1 = (a r w, p (a z^2 - 1)/2),   W = diag(w (nu + 1)/(nu + 3), p^2/2 nu/(nu + 3)), Fisher's information
 * E log p under independent normals is a quadrature over f_1 of the expectation given f_1, checked to 1e-8; slopes in v_1 to 1e-6.
 * Predictions are integrals over f_1, of t to 1e-8; averages over 1024 points where the variance of f_1 is above 1400. The mean of
 * y is NaN for nu <= 1, its variance infinite for nu <= 2: one draw with nu <= 1 makes the mean and the model variance NaN. */
BLN_API bln_likelihood bln_likelihood_heteroscedastic(void);
BLN_API bln_likelihood bln_likelihood_heteroscedastic_t(void);

#endif /* BLN_LIKELIHOOD_HETEROSCEDASTIC_H */
