#ifndef BLN_PROGRAM_TAPE_JOINT_H
#define BLN_PROGRAM_TAPE_JOINT_H
#include "tape.h"
/* >>tape_joint - log densities of a whole matrix, and of a sequence with hidden states
 *
 * All normalising constants are there. Of a symmetric matrix the upper triangle is read, and only it has a gradient, as in
 * >>tape_matrix. Each call counts as one row of the data where rows are asked for (LOO), but for the matrix normal's.
 * BLN_ESHAPE: sizes that do not fit, which the report has. BLN_EDOMAIN: eta or dof is too small. BLN_ENOTPD: a matrix is not
 * positive definite. At a variable the point is impossible then; at a constant the program cannot be created. */

/* A correlation matrix U'U by its factor U, K x K (BLN_CONSTRAINT_CORRELATION_FACTOR), eta > 0 a scalar:
 *     sum_(k=2..K) (K - k + 2 eta - 2) log U_kk - log Z(eta)
 * so that U'U has a density proportional to |U'U|^(eta - 1): uniform for eta = 1; correlations are drawn to 0 by eta > 1, and have
 * standard deviation 1/sqrt(2 eta + K - 1) each.          [programs 36] (Lewandowski, Kurowicka & Joe 2009) */
BLN_API void bln_lp_lkj_factor(bln_tape *t, bln_var U, bln_var eta);

/* A covariance matrix W, K x K (BLN_CONSTRAINT_COVARIANCE), with dof > K - 1 degrees of freedom and the scale S, K x K:
 *     wishart      (dof - K - 1)/2 log|W| - tr(S^-1 W)/2 - dof/2 log|S| - c         mean dof S
 *     inv_wishart  dof/2 log|S| - (dof + K + 1)/2 log|W| - tr(S W^-1)/2 - c         mean S/(dof - K - 1)
 * c = dof K/2 log 2 + K (K - 1)/4 log pi + sum_(j<K) log Gamma((dof - j)/2). O(K^3).                           [programs 37] */
BLN_API void bln_lp_wishart(bln_tape *t, bln_var W, bln_var dof, bln_var S);
BLN_API void bln_lp_inv_wishart(bln_tape *t, bln_var W, bln_var dof, bln_var S);

/* X, n x m, normal with mean M (n x m, or a scalar), whose rows have the covariance U'U among each other (n x n) and whose columns
 * V'V (m x m), as Cov(X_ij, X_kl) = (U'U)_ik (V'V)_jl; U and V are upper factors. O(n^2 m + n m^2). BLN_EINVAL: rows are asked for,
 * which depend on each other here. */
BLN_API void bln_lp_matrix_normal_factor(bln_tape *t, bln_var X, bln_var M, bln_var U, bln_var V);

/* log sum over all paths of K hidden states through n times of
 *     exp(log_start_(z_1) + sum_(i=2..n) log_move_(z_(i-1) z_i) + sum_i log_p_(z_i i))
 * log_start: K, log_move: K x K, from the state of the row to that of the column; log_p: K x n, row k is the log density of each
 * observation in state k, as bln_v_lpdf3 makes it. Exact, by the forward recursion in logarithms; slopes are the probabilities of
 * states and moves given all observations, by the backward one. Neither start nor moves need be normalised. O(n K^2), n K numbers
 * are kept.                                                  [programs 38] (Baum, Petrie, Soules & Weiss 1970) */
BLN_API void bln_lp_hidden_markov(bln_tape *t, bln_var log_start, bln_var log_move, bln_var log_p);

#endif /* BLN_PROGRAM_TAPE_JOINT_H */
