#ifndef BLN_BASIS_POLYNOMIAL_H
#define BLN_BASIS_POLYNOMIAL_H
#include "basis.h"
/* >>polynomial - bias, linear, polynomial and Legendre bases
 *
 * No parameters; one slice. All take an allocator (NULL: malloc) and can fail with BLN_ENOMEM, and BLN_EINVAL for an out of
 * NULL. */

/* phi = [1].  [bases 2]   It reads no inputs: d = 0. */
BLN_API bln_status bln_bias_create(const bln_allocator *alloc, bln_basis **out);
BLN_API const bln_basis_ops *bln_bias_ops(void);                                        /* for a list of bases (>>load) */

/* phi = [1, x] with ones != 0, else [x].   D = d (+ 1).  [bases 3]   BLN_EINVAL: D = 0 */
BLN_API bln_status bln_linear_create(const bln_allocator *alloc, size_t d, int ones, bln_basis **out);
BLN_API const bln_basis_ops *bln_linear_ops(void);

/* Powers up to `degree` >= 1 of each input, input-major, without products:
 *     phi = [1,] x_1, x_1^2, ..., x_1^P, x_2, ...                      D = d P (+ 1)                   [bases 4]
 * or, with interactions != 0, all monomials of total degree <= P (>= 1 without the ones), graded, D = C(d+P, P) (- 1).
 * Beyond P of about 8 powers are too nearly dependent [bases 5], except in exact arithmetic; standardise the inputs.
 * BLN_EINVAL: degree = 0 or d = 0.  BLN_EOVERFLOW. */
BLN_API bln_status bln_polynomial_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, int interactions,
                                         bln_basis **out);
BLN_API const bln_basis_ops *bln_polynomial_ops(void);

/* Legendre polynomials of each input mapped from [lo, hi] to [-1, 1], orthonormal for inputs uniform there:              [bases 5]
 *     phi = [1,] p_1(t_1), ..., p_P(t_1), p_1(t_2), ...    D = d P (+ 1),    t_i = ((x_i - lo_i) - (hi_i - x_i))/(hi_i - lo_i),
 *     p_k = sqrt(2k+1) P_k,   P_0 = 1, P_1 = t, (k+1) P_{k+1} = (2k+1) t P_k - k P_{k-1};    |p_k| <= sqrt(2k+1) for |t| <= 1.
 * As well conditioned at degree 50 as at 2. Outside [lo, hi] the polynomials extrapolate: p_k grows like (2|t|)^k. For |t| <= 1 the
 * absolute error is about k sqrt(2k+1) eps, besides that of t.
 * lo, hi: d each, copied; NULL: -1 and 1.
 * BLN_EINVAL: degree = 0 or d = 0, only one of lo and hi.  BLN_EDOMAIN: lo < hi does not hold, or they or hi - lo are not finite.
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_legendre_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, const double *lo,
                                       const double *hi, bln_basis **out);
BLN_API const bln_basis_ops *bln_legendre_ops(void);

#endif /* BLN_BASIS_POLYNOMIAL_H */
