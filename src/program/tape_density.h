#ifndef BLN_PROGRAM_TAPE_DENSITY_H
#define BLN_PROGRAM_TAPE_DENSITY_H
#include "tape.h"
/* >>tape_density - log densities that are added to the target, with their slopes
 *
 * bln_lp_x(t, x, parameters) adds sum_i log p(x_i | parameters_i), all normalising constants included. Each argument is a variable
 * or a constant, an array or a scalar that serves all elements. Discrete x are constants (bln_c_x). A call is one node, whatever
 * the number of elements; slopes are computed along with the value.
 *
 * BLN_ESHAPE: arrays of different size. BLN_EDOMAIN: a scale that is not > 0, x outside of where the density is, and the like: at a
 * variable the point is impossible, and samplers reject it; at a constant the program cannot be created, and the report's row is
 * the element.                                                                                      [programs 17] */

/* x real, z = (x - m)/s with m the mean or location, s > 0 the standard deviation or scale, and nu > 0 degrees of freedom:
 *     normal       -z^2/2 - log(2 pi)/2 - log s               std_normal: m = 0, s = 1
 *     student_t    log Gamma((nu + 1)/2) - log Gamma(nu/2) - log(pi nu)/2 - log s - (nu + 1)/2 log(1 + z^2/nu)
 *     cauchy       -log pi - log(1 + z^2) - log s
 *     laplace      -log 2 - |z| - log s
 *     logistic     -z - 2 log(1 + e^-z) - log s */
BLN_API void bln_lp_normal(bln_tape *t, bln_var x, bln_var mean, bln_var sd);
BLN_API void bln_lp_std_normal(bln_tape *t, bln_var x);
BLN_API void bln_lp_student_t(bln_tape *t, bln_var x, bln_var dof, bln_var location, bln_var scale);
BLN_API void bln_lp_cauchy(bln_tape *t, bln_var x, bln_var location, bln_var scale);
BLN_API void bln_lp_laplace(bln_tape *t, bln_var x, bln_var location, bln_var scale);
BLN_API void bln_lp_logistic(bln_tape *t, bln_var x, bln_var location, bln_var scale);

/* x >= 0:
 *     half_*       log 2 + that of the same name above at m = 0
 *     exponential  log r - r x                                                            r > 0: the rate
 *   x > 0:
 *     gamma        a log b - log Gamma(a) + (a - 1) log x - b x                           a, b > 0: shape, rate
 *     inv_gamma    a log b - log Gamma(a) - (a + 1) log x - b/x                           a, b > 0: shape, scale
 *     lognormal    -(log x - m)^2/(2 s^2) - log(2 pi)/2 - log s - log x                   m, s: mean and sd of log x */
BLN_API void bln_lp_half_normal(bln_tape *t, bln_var x, bln_var sd);
BLN_API void bln_lp_half_student_t(bln_tape *t, bln_var x, bln_var dof, bln_var scale);
BLN_API void bln_lp_half_cauchy(bln_tape *t, bln_var x, bln_var scale);
BLN_API void bln_lp_exponential(bln_tape *t, bln_var x, bln_var rate);
BLN_API void bln_lp_gamma(bln_tape *t, bln_var x, bln_var shape, bln_var rate);
BLN_API void bln_lp_inv_gamma(bln_tape *t, bln_var x, bln_var shape, bln_var scale);
BLN_API void bln_lp_lognormal(bln_tape *t, bln_var x, bln_var mean, bln_var sd);

/*     beta         log Gamma(a + b) - log Gamma(a) - log Gamma(b) + (a - 1) log x + (b - 1) log(1 - x), x in (0, 1), a, b > 0
 *     uniform      -log(high - low), low <= x <= high; elsewhere the density is 0 */
BLN_API void bln_lp_beta(bln_tape *t, bln_var x, bln_var a, bln_var b);
BLN_API void bln_lp_uniform(bln_tape *t, bln_var x, bln_var low, bln_var high);

/* p = 1/(1 + e^-f), mu = e^f:
 *     bernoulli    y log p + (1 - y) log(1 - p)                                           y = 0 or 1
 *     binomial     log C(n, y) + y log p + (n - y) log(1 - p)                             y = 0..n of n trials
 *     poisson      y f - mu - log y!                                                      y = 0, 1, ...
 *     neg_binomial log Gamma(y + k) - log Gamma(k) - log y! + k log(k/(mu + k)) + y log(mu/(mu + k))
 *                                                     mean mu, variance mu + mu^2/k       k > 0: size */
BLN_API void bln_lp_bernoulli_logit(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_binomial_logit(bln_tape *t, bln_var y, bln_var trials, bln_var f);
BLN_API void bln_lp_poisson_log(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_neg_binomial_log(bln_tape *t, bln_var y, bln_var f, bln_var size);

/*     categorical  f_iy - log sum_k e^f_ik, class y_i of 0..K-1, f_i: row i of f (n x K), or f itself (K numbers) for all
 *     dirichlet    log Gamma(sum_k alpha_k) + sum_k ((alpha_k - 1) log x_k - log Gamma(alpha_k)), x: K numbers > 0 whose sum
 *                  the program sees to (BLN_CONSTRAINT_SIMPLEX), alpha_k > 0 */
BLN_API void bln_lp_categorical_logit(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_dirichlet(bln_tape *t, bln_var x, bln_var alpha);

/* The elements log p(x_i | ...) as an array; nothing is added to the target. Mixtures are made of them. f: one of the functions
 * above with 1, 2 or 3 arguments, but neither categorical nor dirichlet. */
BLN_API bln_var bln_v_lpdf1(bln_tape *t, void (*f)(bln_tape *, bln_var), bln_var x);
BLN_API bln_var bln_v_lpdf2(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var), bln_var x, bln_var a);
BLN_API bln_var bln_v_lpdf3(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var, bln_var), bln_var x, bln_var a, bln_var b);

#endif /* BLN_PROGRAM_TAPE_DENSITY_H */
