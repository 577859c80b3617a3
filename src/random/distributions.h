#ifndef BLN_RANDOM_DISTRIBUTIONS_H
#define BLN_RANDOM_DISTRIBUTIONS_H
#include "rng.h"
/* >>distributions - samplers of continuous variables on top of >>rng
 *
 * Every sampler is exact but for the rounding of doubles and the grain of 2^-52 of a uniform: none draws from an approximation
 * of its distribution. Standard forms: for another location m and scale s take m + s x. An argument outside its domain gives
 * NaN and draws nothing; so does NaN. */

/* Gamma(shape, rate 1), shape > 0: Marsaglia & Tsang (2000); shapes below 1 by Gamma(shape + 1) U^{1/shape} in logs, so that
 * the log form never underflows (spec/samplers.md R7). shape = inf gives inf, shape not > 0 NaN. */
BLN_API double bln_rng_gamma(bln_rng *rng, double shape);
BLN_API double bln_rng_log_gamma(bln_rng *rng, double shape);

/* chi-square with nu > 0 degrees of freedom: 2 Gamma(nu/2). nu = inf gives inf, nu not > 0 NaN. */
BLN_API double bln_rng_chi2(bln_rng *rng, double nu);

/* Inverse gamma, density b^a/Gamma(a) x^{-a-1} e^{-b/x}, as scale/Gamma(shape).   (R7)
 * 0 < shape < inf, 0 <= scale < inf. scale = 0 gives 0. Shapes below 0.05 bring draws beyond the largest double: +inf. */
BLN_API double bln_rng_inverse_gamma(bln_rng *rng, double shape, double scale);

/* Beta(a, b), density x^{a-1} (1-x)^{b-1}/B(a, b), as G/(G + H) from two gammas, in logs unless both shapes are >= 1.   (R8)
 * 0 <= a, b < inf, not both 0. a = 0 gives 0, b = 0 gives 1; positive shapes below 1e-300 count as 1e-300.
 * Small shapes put mass nearer to 0 and 1 than doubles can be: these are returned then. The log form, *log_x = log x and *log_1mx =
 * log(1 - x) of one draw, keeps it; it takes the same random bits as the plain one. Outside the domain both are NaN. */
BLN_API double bln_rng_beta(bln_rng *rng, double a, double b);
BLN_API void bln_rng_log_beta(bln_rng *rng, double a, double b, double *log_x, double *log_1mx);

/* Student-t with nu > 0 degrees of freedom, N/sqrt(Gamma(nu/2)/(nu/2)).   (R9)
 * nu = inf: normal. Draws beyond the largest double, which nu below 0.05 brings, are infinite. */
BLN_API double bln_rng_student_t(bln_rng *rng, double nu);

/* Cauchy, density 1/(pi (1 + x^2)); its absolute value; Laplace, density e^{-|x|}/2.   (R9)
 * The first two come from one uniform: they reach to 3e15 and 6e15, beyond which lie 2e-16 and 1e-16 of the distribution. */
BLN_API double bln_rng_cauchy(bln_rng *rng);
BLN_API double bln_rng_half_cauchy(bln_rng *rng);
BLN_API double bln_rng_laplace(bln_rng *rng);

/* Inverse Gaussian, density sqrt(lambda/(2 pi x^3)) e^{-lambda (x - mu)^2/(2 mu^2 x)}: mean mu, variance mu^3/lambda; by Michael,
 * Schucany & Haas (1976), without cancellation at any mu/lambda.   (R-IG)
 * mu, lambda >= 0. mu = 0 or lambda = 0 gives 0, lambda = inf gives mu; mu = inf gives the Levy distribution lambda/N^2. */
BLN_API double bln_rng_inverse_gaussian(bln_rng *rng, double mu, double lambda);

/* The standard normal given a <= x <= b, from any part of it: Robert (1995); 0.49 or more of the proposals are accepted.   (R15)
 * Either bound may be infinite; the draw lies in [a, b]; a = b gives it. a > b: NaN. For N(m, s^2) take m + s x with the bounds
 * (a - m)/s and (b - m)/s; the rounding of that may lead past a bound by an ulp. */
BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b);

#endif /* BLN_RANDOM_DISTRIBUTIONS_H */
