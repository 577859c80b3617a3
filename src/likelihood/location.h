#ifndef BLN_LIKELIHOOD_LOCATION_H
#define BLN_LIKELIHOOD_LOCATION_H
#include "likelihood.h"
/* >>location - likelihoods of real targets around f: Gaussian, Student-t, two Laplaces        [likelihoods 10-13, 24-32, 49, 50]
 *
 * With r = y - f, v the row's noise_var (1 without that column), and theta in natural units:
 *     Gaussian    log p = -log(2 pi sigma^2 v)/2 - r^2/(2 sigma^2 v)                           theta: sigma^2
 *     Student-t   log p = log G((nu+1)/2) - log G(nu/2) - log(pi nu s^2 v)/2 - (nu+1)/2 log(1 + r^2/(nu s^2 v))    theta: s, nu
 *     Laplace     log p = -log(2 b sqrt v) - |r|/(b sqrt v)                                    theta: b
 *     asymmetric  log p = log(tau (1 - tau)/(b sqrt v)) - r (tau - [r < 0])/(b sqrt v)         theta: b
 * The asymmetric Laplace has its tau-quantile at f: log p is minus the loss of quantile regression [Koenker & Bassett 1978; Yu &
 * Moyeed 2001], up to a constant. tau is not learnt; tau = 1/2 with the scale b is Laplace with 2 b. As a model of y it is crude:
 * use the quantile f and its uncertainty, not the intervals of y.
 * Under f ~ N(m, v) the Gaussian and both Laplaces have closed forms for everything; Student-t has sums of about 40 terms for the
 * density and the distribution function of y [Andrews & Mallows 1974]. Student-t is not log-concave (d2 > 0 in the tails). nu lies
 * in [0.1, 1e6]. The variance of y is infinite for nu <= 2; for nu <= 1 there is no mean of y given f (NaN), and that of a
 * prediction is the mean of f, about which y is symmetric. The Laplaces have d2 = d3 = 0 and so no Laplace approximation: only
 * expectations see the curvature of the kink at r = 0. tau outside (0, 1) gives a likelihood that bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_gaussian(void);
BLN_API bln_likelihood bln_likelihood_student_t(void);
BLN_API bln_likelihood bln_likelihood_laplace(void);
BLN_API bln_likelihood bln_likelihood_asymmetric_laplace(double tau);

#endif /* BLN_LIKELIHOOD_LOCATION_H */
