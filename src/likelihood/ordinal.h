#ifndef BLN_LIKELIHOOD_ORDINAL_H
#define BLN_LIKELIHOOD_ORDINAL_H
#include "likelihood.h"
/* >>ordinal - ordered categories: the cumulative logit                                          [McCullagh 1980; likelihoods 42]
 *
 * y is one of 0, 1, ..., C - 1 and P(Y <= j | f) = sigma(b_j - f) with cuts b_0 < b_1 < ... < b_{C-2}: a logistic variable around f
 * falls between two cuts. theta: b_0, then the gaps b_1 - b_0, b_2 - b_1, ... > 0. Only the difference of b_0 and a constant in f
 * matters: omit the constant, or rely on the priors. With S = sigma, b_{-1} = -infinity and b_{C-1} = infinity,
 *     p(y) = S(b_y - f) - S(b_{y-1} - f) = S(b_y - f) S(f - b_{y-1}) (1 - e^{-(b_y - b_{y-1})})
 * whose second form has no cancellation and shows that log p is concave. With u = S(f - b_y) and w = S(b_{y-1} - f) (0 at the ends)
 *     d1 = w - u,   d2 = -u(1 - u) - w(1 - w),   d3 = -u(1 - u)(1 - 2u) + w(1 - w)(1 - 2w)
 *     d log p/db_y = u + 1/(e^gap - 1),   d log p/db_{y-1} = -w - 1/(e^gap - 1)
 *     Var y = sum_k s_k (1 - s_k + 2 sum_{j<k} (1 - s_j)),   s_k = P(Y > k) = S(f - b_k)
 * If few rows fall into a middle category, gaps and prior variances can grow together without bound by Laplace's evidence, and its
 * Gaussian reaches across the cuts: use bln_glm_full for ordered categories.
 * C is 2 to 65; another C gives a likelihood without functions, which bln_likelihood_check refuses. C = 2 is the logit of
 * >>binomial with f - b_0 in place of f. */
BLN_API bln_likelihood bln_likelihood_ordinal(size_t categories);

#endif /* BLN_LIKELIHOOD_ORDINAL_H */
