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
 * The last has its tau-quantile at f, so that f is what quantile regression fits: log p is minus the loss of that
 * [Koenker & Bassett 1978; Yu & Moyeed 2001]. tau of (0, 1) stays as it is given; tau = 1/2 with the scale b is Laplace with 2 b.
 * As a model of y it is crude: take from it the quantile, f, and its uncertainty, not y's intervals.
 * Gaussian and both Laplaces have all closed forms under f ~ N(m, v); Student-t has sums of some 40 terms for the density and the
 * distribution function of y [Andrews & Mallows 1974]. Student-t is not log-concave (d2 > 0 in the tails); its mean is
 * NaN for nu <= 1, its variance infinite for nu <= 2, nu of [0.1, 1e6]. Laplaces have d2 = d3 = 0 and no Laplace approximation:
 * their curvature sits in the kink, and only expectations see it. tau outside (0, 1) gives a likelihood without functions, which
 * bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_gaussian(void);
BLN_API bln_likelihood bln_likelihood_student_t(void);
BLN_API bln_likelihood bln_likelihood_laplace(void);
BLN_API bln_likelihood bln_likelihood_asymmetric_laplace(double tau);

#endif /* BLN_LIKELIHOOD_LOCATION_H */
