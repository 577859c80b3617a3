#ifndef BLN_RANDOM_DISTRIBUTIONS_H
#define BLN_RANDOM_DISTRIBUTIONS_H
#include "rng.h"
/* >>distributions - samplers of continuous variables on top of >>rng
 *
 * Every sampler is exact except for the rounding of doubles and the spacing 2^-52 of uniforms: none draws from an approximation of
 * its distribution. Samplers are of the standard form: for location m and scale s take m + s x. An argument that is NaN or outside
 * its domain gives NaN and draws nothing. */

/* Gamma(shape, rate 1), shape > 0: Marsaglia & Tsang (2000); shapes below 1 by Gamma(shape + 1) U^{1/shape} in logs, so that
 * the log form never underflows [samplers 7]. shape = inf gives inf, shape not > 0 NaN. */
BLN_API double bln_rng_gamma(bln_rng *rng, double shape);
BLN_API double bln_rng_log_gamma(bln_rng *rng, double shape);

/* chi-square with nu > 0 degrees of freedom: 2 Gamma(nu/2). nu = inf gives inf, nu not > 0 NaN. */
BLN_API double bln_rng_chi2(bln_rng *rng, double nu);

/* Student-t with nu > 0 degrees of freedom, N/sqrt(Gamma(nu/2)/(nu/2)).  [samplers 9]
 * nu = inf: normal. Draws beyond the largest double, which nu below 0.05 brings, are infinite. */
BLN_API double bln_rng_student_t(bln_rng *rng, double nu);

/* Laplace, density e^{-|x|}/2.  [samplers 9] */
BLN_API double bln_rng_laplace(bln_rng *rng);

/* Inverse Gaussian, density sqrt(lambda/(2 pi x^3)) e^{-lambda (x - mu)^2/(2 mu^2 x)}: mean mu, variance mu^3/lambda; by Michael,
 * Schucany & Haas (1976), without cancellation at any mu/lambda.   [samplers 24]
 * mu, lambda >= 0. mu = 0 or lambda = 0 gives 0, lambda = inf gives mu; mu = inf gives the Levy distribution lambda/N^2. */
BLN_API double bln_rng_inverse_gaussian(bln_rng *rng, double mu, double lambda);

/* The standard normal given a <= x <= b, however far in a tail: Robert (1995) [samplers 15]; at least 0.49 of all proposals are
 * accepted. Either bound may be infinite; the draw lies in [a, b]; a = b gives a. a > b: NaN. For N(m, s^2) take m + s x with the
 * bounds (a - m)/s and (b - m)/s, whose rounding may lead past a bound by an ulp. */
BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b);

#endif /* BLN_RANDOM_DISTRIBUTIONS_H */
