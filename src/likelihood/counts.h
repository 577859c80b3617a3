#ifndef BLN_LIKELIHOOD_COUNTS_H
#define BLN_LIKELIHOOD_COUNTS_H
#include "likelihood.h"
/* >>counts - Poisson, negative binomial, zero-inflated Poisson                   [likelihoods 20-23, 33-36, 47, 48]
 *
 * With t the row's exposure (its `trials`, > 0; 1 without that column), mu = t e^f the mean of a log link:
 *     Poisson, BLN_LINK_LOG (the default)  log p = y log mu - mu - log y!
 *     Poisson, BLN_LINK_SOFTPLUS           the same with mu = t log(1 + e^f): a rate that grows no faster than f
 *     Poisson, BLN_LINK_LOGIT              the same with mu = t lambda/(1 + e^-f): a rate below lambda; theta: lambda
 *     negative binomial, theta: kappa      log p = log G(y+kappa)/(G(kappa) y!) + y log(mu/(mu+kappa))
 *                                                  + kappa log(kappa/(mu+kappa))
 *                                          mean mu, variance mu + mu^2/kappa; kappa -> infinity: Poisson
 *     zero-inflated Poisson, theta: pi     p(0) = pi + (1 - pi) e^-mu,   p(y) = (1 - pi) times Poisson               [Lambert 1992]
 * A zero-inflated count is a sure zero with probability pi, else Poisson. With w = (1 - pi) e^-mu/p(0), the probability that a
 * zero is one of the Poisson's, the derivatives at y = 0 are
 *     d1 = -mu w,   d2 = -mu w + mu^2 w (1 - w),   d3 = -mu w + 3 mu^2 w (1 - w) - mu^3 w (1 - w)(1 - 2w)
 *     d/dpi: log p: (1 - e^-mu)/p(0);   d1: mu c,   d2: (mu - mu^2 (1 - 2w)) c,   c = w (1 - w)/(pi (1 - pi))
 * so that log p is not concave there, nor is it with the logistic link where y < mu (1 - e^-f). The others are concave in f. With
 * a log link the moments under f ~ N(m, v) have closed forms, and so has E log p of the Poisson, and of zero inflation where y > 0.
 * log p of a count is a difference of terms of the size y (|log y| + |f|), and has their rounding error. */
BLN_API bln_likelihood bln_likelihood_poisson(bln_link link);            /* an unknown link: as in >>binomial */
BLN_API bln_likelihood bln_likelihood_negative_binomial(void);
BLN_API bln_likelihood bln_likelihood_zero_inflated_poisson(void);

#endif /* BLN_LIKELIHOOD_COUNTS_H */
