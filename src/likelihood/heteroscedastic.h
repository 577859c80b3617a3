#ifndef BLN_LIKELIHOOD_HETEROSCEDASTIC_H
#define BLN_LIKELIHOOD_HETEROSCEDASTIC_H
#include "likelihood.h"
/* >>heteroscedastic - a mean, and noise above a least one, both functions of the row: for >>glm_gibbs, _laplace, _full and _map
 *
 *     y ~ N(f_0, s^2 v (1 + e^f_1))        or Student's t with this squared scale
 *
 * with v the row's noise_var (1 without that column) and theta: s, the least standard deviation (scale) of the noise, and the
 * degrees of freedom of t. Two latents, "mean" and "log excess", the log of the noise variance above the least one over that: the
 * precision of the noise is logistic in f_1, so that random numbers make it Gaussian in f_0 and f_1, each given the other
 * [Lazaro-Gredilla & Titsias 2011; augmentation 18; likelihoods 44]. >>gaussian_scale has no least noise, and none of
 * these. With w = 1/(s^2 v (1 + e^f_1)), z^2 = r^2 w, p = 1/(1 + e^-f_1) and a = (nu + 1)/(nu + z^2) (1 of the normal)
 *     d1 = (a r w, p (a z^2 - 1)/2),   W = diag(w (nu + 1)/(nu + 3), p^2/2 nu/(nu + 3)), Fisher's information
 * Expectations of log p under independent normals are by rules over f_1 of what is known given f_1, checked to 1e-8; slopes in v_1
 * to 1e-6. Predictions of the normal are integrals over f_1, those of t, f not known, averages of 1024 points. */
BLN_API bln_likelihood bln_likelihood_heteroscedastic(void);
BLN_API bln_likelihood bln_likelihood_heteroscedastic_t(void);

#endif /* BLN_LIKELIHOOD_HETEROSCEDASTIC_H */
