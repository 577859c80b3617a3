#ifndef BLN_MATH_SPECIAL_H
#define BLN_MATH_SPECIAL_H
#include "../core/config.h"
/* >>special - scalar special functions
 *
 * Errors are given in ulp (units in the last place) or relative. They are the largest seen, rounded up, against 50 digits at 10^4
 * or more points of the whole range, at its ends, and on both sides of every place where the formula changes; with gcc, clang and
 * tcc, with and without fused multiply-add, and on x87. 0.65 ulp means correctly rounded except where two doubles are nearly
 * equally near. Results below 2.2e-308 have an error of at most one unit of their last bit. All functions are pure: no state, no
 * use of errno, no allocation, safe in threads. NaN gives NaN; so does an argument outside the stated domain. Infinite arguments
 * give the limit. Of the C library only exp, expm1, log, log1p, sqrt and ldexp are called; their rounding enters the first five
 * functions and the incomplete ones. Under BAYESLIN_REPRODUCIBLE bayeslin's own versions of the first four, with errors up to 0.54
 * ulp, are used. Times are of a 3 GHz core. A function that takes more than 0.4 us runs a loop, whose length is given. */

/* log(1 + e^x), log(1 - e^-a) for a >= 0 (-inf at 0), log(p/(1 - p)) for p in [0, 1] (-inf and +inf at the ends): 1.6 ulp if exp,
 * expm1, log and log1p of the C library have errors up to 0.52 ulp, 2 ulp if up to 1; at their roots too. 1/(1 + e^-x): 0.55 ulp.
 * [likelihoods 2-4; Maechler 2012]   10-30 ns */
BLN_API double bln_log1pexp(double x);
BLN_API double bln_log1mexp(double a);
BLN_API double bln_sigmoid(double x);
BLN_API double bln_logit(double p);

/* log sum_i e^{x_i}, with the maximum taken out of the sum. n = 0 or all -inf: -inf; any +inf: +inf; NaN gives NaN. Error at most
 * 2 eps (|max| + |result - max|) + n eps, eps = 2^-52. */
BLN_API double bln_logsumexp(size_t n, const double *x);

/* Standard normal distribution: density N(x), its logarithm, P(Z <= x), P(Z > x), log P(Z <= x), the inverse Mills ratio
 * N(x)/P(Z <= x) (about -x to the left, where both underflow), and the quantile x with P(Z <= x) = p, which is -inf at 0, +inf
 * at 1 and NaN outside [0, 1].   0.65 ulp, tails included            [likelihoods 5; Wichura 1988]   40-200 ns */
BLN_API double bln_norm_pdf(double x);
BLN_API double bln_norm_logpdf(double x);
BLN_API double bln_norm_cdf(double x);
BLN_API double bln_norm_sf(double x);
BLN_API double bln_norm_logcdf(double x);
BLN_API double bln_norm_mills(double x);
BLN_API double bln_norm_quantile(double p);

/* log Gamma(x), its first and its second derivative, x >= 0: +inf, -inf, +inf at 0. 0.65 ulp, at log Gamma's roots 1 and 2 too, but
 * 1 ulp for log Gamma above 2.55e305; digamma: 0.65 ulp or 1e-18, whichever is more (1e-18 within 0.01 of its root 1.4616).
 * [DLMF 5.5, 5.11, 5.15]   70-250 ns */
BLN_API double bln_lgamma(double x);
BLN_API double bln_digamma(double x);
BLN_API double bln_trigamma(double x);

/* log n!/(k! (n - k)!) for real 0 <= k <= n <= 1e300, factorials as Gamma functions. 1 ulp, or 1e-18 (times k, n - k where one of
 * them is less than 1), whichever is more: the latter near roots inside the range.                      [likelihoods 6, 7]
 * 300-500 ns */
BLN_API double bln_log_choose(double n, double k);

/* Incomplete gamma functions, the distribution function of a gamma variable of shape a in [1e-290, 1e290] and scale 1, x >= 0:
 *     P = 1/Gamma(a) int_0^x t^(a-1) e^-t dt,   Q = 1 - P
 * and the inverses, x for a given P or Q in [0, 1], 0 and infinite at the ends. Relative error 4e-15 of both P and Q, however small
 * (2.3e-15 seen at a <= 500, 1e-15 beyond). An inverse has an error of 2 ulp, plus the effect of a relative error of 4e-15 in the
 * smaller of p and 1 - p (1.2e-15 seen, down to p = 1e-300); a result too small for a double is 0.
 * 0.1-0.6 us: up to 150 terms, at x = a = 500. The inverses solve: 5 evaluations, 1-3 us; never more than 200.
 * [DLMF 8.7-8.12; Temme 1979; inverses: Newton on log P against log x] */
BLN_API double bln_gamma_p(double a, double x);
BLN_API double bln_gamma_q(double a, double x);
BLN_API double bln_gamma_p_inv(double a, double p);
BLN_API double bln_gamma_q_inv(double a, double q);

/* Incomplete beta functions, the distribution function of a beta variable, a, b in [1e-290, 1e290], x in [0, 1]:
 *     P = I_x(a, b) = 1/B(a, b) int_0^x t^(a-1) (1 - t)^(b-1) dt,   Q = 1 - P = I_{1-x}(b, a)
 * and x for a given P or Q in [0, 1]. Relative error of both 4e-15 (1.4e-15 seen for a, b <= 1e6), or 1e-14 where both a and b are
 * above 1e6; plus 1e-22 sqrt(min(a, b)), because the distance of x from the mean has 78 bits. Inverses have the errors of those of
 * gamma; where x is closer to 1 than 1e-16, exchange a and b, P and Q, to get 1 - x.
 * 0.4-1.5 us: near the mean some 6 sqrt(min(a, b)) steps of 10 ns, at most 0.4 million, because from 3e9 on the normal limit is
 * used; twice that where each tail needs a fraction of its own. The inverses solve: 5 evaluations, never more than 200.
 * [DiDonato & Morris 1992; DLMF 8.17, 8.18] */
BLN_API double bln_beta_p(double a, double b, double x);
BLN_API double bln_beta_q(double a, double b, double x);
BLN_API double bln_beta_p_inv(double a, double b, double p);
BLN_API double bln_beta_q_inv(double a, double b, double q);

/* Student's distribution with any dof >= 1e-290, infinite included (the normal one): density
 *     Gamma((dof + 1)/2)/(Gamma(dof/2) sqrt(pi dof)) (1 + t^2/dof)^(-(dof + 1)/2),
 * its logarithm, P(T <= t) and the quantile; P(T > t) is the cdf at -t. Errors: pdf 0.65 ulp, logpdf 0.65 ulp or 1e-18; cdf 4e-15
 * relative (1e-15 seen), for t < 0 however small it is; the quantile as the inverses above (it uses the smaller tail).
 * 0.4-1 us; the quantile solves: 5 evaluations, 5 us */
BLN_API double bln_student_pdf(double dof, double t);
BLN_API double bln_student_logpdf(double dof, double t);
BLN_API double bln_student_cdf(double dof, double t);
BLN_API double bln_student_quantile(double dof, double p);

#endif /* BLN_MATH_SPECIAL_H */
