#ifndef BLN_PROGRAM_TAPE_ARRAY_H
#define BLN_PROGRAM_TAPE_ARRAY_H
#include "tape.h"
/* >>tape_array - arithmetic, functions and sums of scalars and arrays on a tape
 *
 * Elementwise, all of them: operands have the same number of elements, or one. The result has the shape of the first operand that
 * is no scalar. BLN_ESHAPE otherwise. One call for n numbers costs far less than n calls: 5 to 8 ns for each scalar operation, the
 * gradient included, and about a nanosecond for each element of an array. */

/* x + y, x - y, x y, x/y, x y + z;   and with a number c: x + c, c x, c x + y. */
BLN_API bln_var bln_v_add(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_sub(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_mul(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_div(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_fma(bln_tape *t, bln_var x, bln_var y, bln_var z);
BLN_API bln_var bln_v_shift(bln_tape *t, bln_var x, double c);
BLN_API bln_var bln_v_scale(bln_tape *t, double c, bln_var x);
BLN_API bln_var bln_v_axpy(bln_tape *t, double c, bln_var x, bln_var y);

/* Functions as in >>special and <math.h>; square: x^2, inv: 1/x, softplus: log(1 + e^x), sigmoid: 1/(1 + e^-x). The slope of abs at
 * 0 is 0. Outside of its domain a function gives NaN, and the point is impossible. */
BLN_API bln_var bln_v_exp(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_log(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_expm1(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_log1p(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_sqrt(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_square(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_inv(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_sin(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_cos(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_tanh(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_abs(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_sigmoid(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_logit(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_softplus(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_lgamma(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_digamma(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_norm_cdf(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_norm_logcdf(bln_tape *t, bln_var x);

/* x^y (x > 0, or a constant y and any x for which it is defined), the larger one, the smaller one (where they are equal, x has the
 * slope), log(e^x + e^y), which makes mixtures. */
BLN_API bln_var bln_v_pow(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_max(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_min(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_log_add_exp(bln_tape *t, bln_var x, bln_var y);

/* Sum of all elements (of none: 0), sum_i x_i y_i, log sum_i e^x_i (of none: -infinity); x_1 + ... + x_i for each i. */
BLN_API bln_var bln_v_sum(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_dot(bln_tape *t, bln_var x, bln_var y);
BLN_API bln_var bln_v_logsumexp(bln_tape *t, bln_var x);
BLN_API bln_var bln_v_cumsum(bln_tape *t, bln_var x);

/* Parts of x, whose elements are counted from 0 row by row; they cost nothing, as they share x's memory. Element i; n elements from
 * i on; row i of a matrix; x as a rows x cols matrix.   BLN_ESHAPE: x has no such part, or not rows*cols elements. */
BLN_API bln_var bln_v_elem(bln_tape *t, bln_var x, size_t i);
BLN_API bln_var bln_v_slice(bln_tape *t, bln_var x, size_t i, size_t n);
BLN_API bln_var bln_v_row(bln_tape *t, bln_var x, size_t i);
BLN_API bln_var bln_v_reshape(bln_tape *t, bln_var x, size_t rows, size_t cols);

/* x[index_i], i < n; the n arrays x joined into one.   BLN_ESHAPE: an index that is not below the size of x. index must stay until
 * the evaluation ends. */
BLN_API bln_var bln_v_gather(bln_tape *t, bln_var x, const uint32_t *index, size_t n);
BLN_API bln_var bln_v_concat(bln_tape *t, const bln_var *x, size_t n);

/* Adds the sum of x to the target: a log density, or the log |df/dx| that a density on a function f of parameters x needs. */
BLN_API void bln_lp_add(bln_tape *t, bln_var x);

#endif /* BLN_PROGRAM_TAPE_ARRAY_H */
