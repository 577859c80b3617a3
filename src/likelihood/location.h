#ifndef BLN_LIKELIHOOD_LOCATION_H
#define BLN_LIKELIHOOD_LOCATION_H
#include "likelihood.h"
/* >>location - likelihoods of real targets around f: Gaussian, Student-t, Laplace      [spec/likelihoods.md L10-L13, L24-L32]
 *
 * With r = y - f, v the row's noise_var (1 without that column), and theta in natural units:
 *     Gaussian    log p = -log(2 pi sigma^2 v)/2 - r^2/(2 sigma^2 v)                           theta: sigma^2
 *     Student-t   log p = log G((nu+1)/2) - log G(nu/2) - log(pi nu s^2 v)/2 - (nu+1)/2 log(1 + r^2/(nu s^2 v))    theta: s, nu
 *     Laplace     log p = -log(2 b sqrt v) - |r|/(b sqrt v)                                    theta: b
 * Gaussian and Laplace have all closed forms under f ~ N(m, v); Student-t has sums of some 40 terms for the density and the
 * distribution function of y [Andrews & Mallows 1974]. Student-t is not log-concave (d2 > 0 in the tails); its mean is
 * NaN for nu <= 1, its variance infinite for nu <= 2, nu of [0.1, 1e6]. Laplace has d2 = d3 = 0 and no Laplace approximation: its
 * curvature sits in the kink, and only expectations see it. */
BLN_API bln_likelihood bln_likelihood_gaussian(void);
BLN_API bln_likelihood bln_likelihood_student_t(void);
BLN_API bln_likelihood bln_likelihood_laplace(void);

#endif /* BLN_LIKELIHOOD_LOCATION_H */
