#ifndef BLN_MATH_SPECIAL_H
#define BLN_MATH_SPECIAL_H
#include "../core/config.h"
/* >>special - scalar special functions
 *
 * Errors are given in ulp (units in the last place) or relative, as the largest seen against 50 digits at random arguments over
 * the whole range, rounded up; "0.6 ulp" means: correctly rounded but for close calls. Results below 2.2e-308 are good to their
 * last bit or two. All functions are pure: no state, no errno that matters, no allocation, safe in threads. NaN gives NaN; so
 * does an argument outside the domain that is stated. Infinite arguments give the limit. The C library is asked for exp, expm1,
 * log, log1p, sqrt and ldexp only; its rounding enters the first five functions and the incomplete ones.
 * Times: of a 3 GHz core */

/* log(1 + e^x), log(1 - e^-a) for a >= 0, 1/(1 + e^-x), log(p/(1 - p)) for p of [0, 1] (-inf and +inf at the ends): 2 ulp, also
 * at their roots, where the C library's exp, expm1, log, log1p are good to 1.     [spec/likelihoods.md L2-L4; Maechler 2012]
 * 10 ns */
BLN_API double bln_log1pexp(double x);
BLN_API double bln_log1mexp(double a);
BLN_API double bln_sigmoid(double x);
BLN_API double bln_logit(double p);

/* log sum_i e^{x_i}, shifted by the maximum, which is taken out of the sum. n = 0 or all -inf: -inf; any +inf: +inf; NaN is
 * passed on. Error at most 2 eps (|max| + |result - max|) + n eps, eps = 2^-52. */
BLN_API double bln_logsumexp(size_t n, const double *x);

/* The error function: erf x = 2/sqrt(pi) int_0^x e^(-t^2) dt; erfc = 1 - erf; erfcx = e^(x^2) erfc x; and the inverses:
 * erf(erfinv y) = y for y of [-1, 1], erfc(erfcinv y) = y for y of [0, 2], infinite at the ends.   0.6 ulp, tails included
 * [Cody 1969; Wichura 1988]   60-150 ns */
BLN_API double bln_erf(double x);
BLN_API double bln_erfc(double x);
BLN_API double bln_erfcx(double x);
BLN_API double bln_erfinv(double y);
BLN_API double bln_erfcinv(double y);

/* Standard normal distribution: density N(x), its logarithm, P(Z <= x), P(Z > x), log P(Z <= x), the inverse Mills ratio
 * N(x)/P(Z <= x) (about -x to the left, where both underflow), and the quantile x with P(Z <= x) = p, which is -inf at 0, +inf
 * at 1 and NaN outside [0, 1].   0.6 ulp, tails included   [spec/likelihoods.md L5; Wichura 1988]   40-200 ns */
BLN_API double bln_norm_pdf(double x);
BLN_API double bln_norm_logpdf(double x);
BLN_API double bln_norm_cdf(double x);
BLN_API double bln_norm_sf(double x);
BLN_API double bln_norm_logcdf(double x);
BLN_API double bln_norm_mills(double x);
BLN_API double bln_norm_quantile(double p);

/* log Gamma(x), its first and its second derivative, x >= 0: +inf, -inf, +inf at 0. 0.6 ulp (log Gamma at its roots 1 and 2
 * too); digamma or 4e-19, whichever is more: it matters within 0.01 of the root 1.4616.           [DLMF 5.5, 5.11, 5.15]
 * 70-250 ns */
BLN_API double bln_lgamma(double x);
BLN_API double bln_digamma(double x);
BLN_API double bln_trigamma(double x);

/* log Gamma(x + 1/2) - log Gamma(x), x >= 0, -inf at 0; log Gamma(a + x) - log Gamma(a), a > 0, x >= 0, relative for small x too;
 * log n!/(k! (n - k)!) for real 0 <= k <= n <= 1e300, factorials as Gamma functions. 1 ulp, or 4e-19 (times x or k where that is
 * less than 1), whichever is more: the latter near roots inside the range.                    [spec/likelihoods.md L6, L7]
 * 300-500 ns */
BLN_API double bln_lgamma_half_diff(double x);
BLN_API double bln_log_rising(double a, double x);
BLN_API double bln_log_choose(double n, double k);

/* Incomplete gamma functions, the distribution function of a gamma variable of shape a > 0 (finite) and scale 1, x >= 0:
 *     P = 1/Gamma(a) int_0^x t^(a-1) e^-t dt,   Q = 1 - P
 * and the x of a given P or Q of [0, 1]. Relative error 4e-15 for both P and Q, however small. The inverses x: as if p was off
 * by 4e-15 of itself (p > 1/2: of 1 - p), and 2 ulp more; below 1e-307: 0.
 * 0.1-0.6 us; up to 2 us around x = a = 500.  [DLMF 8.7-8.12; Temme 1979; inverses: Newton on log P against log x, 5
 * evaluations] */
BLN_API double bln_gamma_p(double a, double x);
BLN_API double bln_gamma_q(double a, double x);
BLN_API double bln_gamma_p_inv(double a, double p);
BLN_API double bln_gamma_q_inv(double a, double q);

/* Incomplete beta functions, the distribution function of a beta variable, a, b > 0 (finite), x of [0, 1]:
 *     P = I_x(a, b) = 1/B(a, b) int_0^x t^(a-1) (1 - t)^(b-1) dt,   Q = 1 - P = I_{1-x}(b, a)
 * and the x of a given P or Q. Relative error 4e-15 for both, a, b <= 1e4; beyond, about 1e-17 sqrt(max(a, b)) more. The
 * inverses as those of gamma; where x is closer to 1 than 1e-16 ask for 1 - x by exchanging a and b, P and Q.
 * 0.4-1 us; around the mean sqrt(min(a, b)) steps of 5 ns.             [DiDonato & Morris 1992; DLMF 8.17] */
BLN_API double bln_beta_p(double a, double b, double x);
BLN_API double bln_beta_q(double a, double b, double x);
BLN_API double bln_beta_p_inv(double a, double b, double p);
BLN_API double bln_beta_q_inv(double a, double b, double q);

/* Student's distribution with any dof > 0, infinite included (the normal one): density
 *     Gamma((dof + 1)/2)/(Gamma(dof/2) sqrt(pi dof)) (1 + t^2/dof)^(-(dof + 1)/2),
 * its logarithm, P(T <= t) and the quantile; P(T > t) is the cdf at -t. pdf and logpdf 0.6 ulp (the logarithm: or 1e-18); cdf
 * 4e-15, relative, for t < 0 however small; the quantile as the inverse functions above (it takes the smaller tail).  0.4-0.7
 * us, quantile 5 us */
BLN_API double bln_student_pdf(double dof, double t);
BLN_API double bln_student_logpdf(double dof, double t);
BLN_API double bln_student_cdf(double dof, double t);
BLN_API double bln_student_quantile(double dof, double p);

#endif /* BLN_MATH_SPECIAL_H */
