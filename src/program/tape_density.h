#ifndef BLN_PROGRAM_TAPE_DENSITY_H
#define BLN_PROGRAM_TAPE_DENSITY_H
#include "tape.h"
/* >>tape_density - log densities that are added to the target, with their slopes
 *
 * bln_lp_x(t, x, parameters) adds sum_i log p(x_i | parameters_i), all normalising constants included. Each argument is a variable
 * or a constant, an array or a scalar that serves all elements. Discrete x are constants (bln_c_x). One node, whatever the number
 * of elements: its slopes are found along with its value.
 *
 * BLN_ESHAPE: arrays of different size. BLN_EDOMAIN: a scale that is not > 0, x outside of where the density is, and the like: at a
 * variable the point is impossible, which samplers pass over; at a constant the program cannot be created, and the report has the
 * element as its row.                                                                                 [spec/advi.md V17] */

/* x real; mean or location, standard deviation or scale.
 *     normal       -(z^2 + log 2 pi)/2 - log scale, z = (x - location)/scale
 *     student_t    dof before location and scale
 *     cauchy       -log pi - log1p(z^2) - log scale
 *     laplace      -log 2 - |z| - log scale
 *     logistic     -z - 2 log(1 + e^-z) - log scale */
BLN_API void bln_lp_normal(bln_tape *t, bln_var x, bln_var mean, bln_var sd);
BLN_API void bln_lp_std_normal(bln_tape *t, bln_var x);
BLN_API void bln_lp_student_t(bln_tape *t, bln_var x, bln_var dof, bln_var location, bln_var scale);
BLN_API void bln_lp_cauchy(bln_tape *t, bln_var x, bln_var location, bln_var scale);
BLN_API void bln_lp_laplace(bln_tape *t, bln_var x, bln_var location, bln_var scale);
BLN_API void bln_lp_logistic(bln_tape *t, bln_var x, bln_var location, bln_var scale);

/* x >= 0: the halves of these about 0.   x > 0: exponential with its rate; gamma, b^a x^(a-1) e^(-b x)/Gamma(a), shape a and rate
 * b; the inverse of such a variable; e to the power of a normal variable. */
BLN_API void bln_lp_half_normal(bln_tape *t, bln_var x, bln_var sd);
BLN_API void bln_lp_half_student_t(bln_tape *t, bln_var x, bln_var dof, bln_var scale);
BLN_API void bln_lp_half_cauchy(bln_tape *t, bln_var x, bln_var scale);
BLN_API void bln_lp_exponential(bln_tape *t, bln_var x, bln_var rate);
BLN_API void bln_lp_gamma(bln_tape *t, bln_var x, bln_var shape, bln_var rate);
BLN_API void bln_lp_inv_gamma(bln_tape *t, bln_var x, bln_var shape, bln_var scale);
BLN_API void bln_lp_lognormal(bln_tape *t, bln_var x, bln_var mean, bln_var sd);

/* x in (0, 1), shapes a and b; low <= x <= high. */
BLN_API void bln_lp_beta(bln_tape *t, bln_var x, bln_var a, bln_var b);
BLN_API void bln_lp_uniform(bln_tape *t, bln_var x, bln_var low, bln_var high);

/* y = 0 or 1 with log odds f; successes of trials; counts of mean e^f; counts of mean e^f and variance e^f + e^2f/size. */
BLN_API void bln_lp_bernoulli_logit(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_binomial_logit(bln_tape *t, bln_var y, bln_var trials, bln_var f);
BLN_API void bln_lp_poisson_log(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_neg_binomial_log(bln_tape *t, bln_var y, bln_var f, bln_var size);

/* Class y_i of 0..K-1 with log odds f_i, a row of f (n x K), or f (K numbers) for all; x of K numbers > 0 with sum 1, shapes alpha.
 * */
BLN_API void bln_lp_categorical_logit(bln_tape *t, bln_var y, bln_var f);
BLN_API void bln_lp_dirichlet(bln_tape *t, bln_var x, bln_var alpha);

/* The elements log p(x_i | ...) as an array instead of their sum, and not added: what mixtures are made of. f: one of the functions
 * above but the last two, with 1, 2, 3 arguments. */
BLN_API bln_var bln_v_lpdf1(bln_tape *t, void (*f)(bln_tape *, bln_var), bln_var x);
BLN_API bln_var bln_v_lpdf2(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var), bln_var x, bln_var a);
BLN_API bln_var bln_v_lpdf3(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var, bln_var), bln_var x, bln_var a, bln_var b);

#endif /* BLN_PROGRAM_TAPE_DENSITY_H */
