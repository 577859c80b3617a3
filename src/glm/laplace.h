#ifndef BLN_GLM_LAPLACE_H
#define BLN_GLM_LAPLACE_H
#include "method.h"
/* >>glm_laplace - Laplace's method: the Gaussian around the mode
 *
 *     N(w^, C): the mode w^ of p(w | y) by Newton's method, C^-1 = Lambda^-1 + Phi'W Phi, W_n = max(-d2_n, 0),
 *     d2_n and d3_n the second and third derivative of log p(y_n | f) at f^_n = offset_n + phi_n'w^.
 *
 * lambda, eta and theta maximise Laplace's approximation of the evidence,
 *     log Z = sum_n log p(y_n | f^_n) - 1/2 w^'Lambda^-1 w^ - 1/2 log|I + S Phi'W Phi S|,  S^2 = Lambda,
 * times the priors of >>glm. The gradients are exact; they include the movement of the mode. Each point of the search takes 5 to 10
 * passes over the rows, of n D^2 flops each; memory is O(D^2 + block D). For a data set of n <= D rows a pass takes n^3 flops, each
 * point 6 n^2 D more, and memory is O(n D).    [laplace 34-37, 40; Rasmussen & Williams 2006, 3.4, 5.5.1; MacKay 1992]
 *
 * To first order, the posterior mean of the weights is w^ + C a, a = 1/2 sum_n d3_n v_n phi_n, where v_n is the variance of f_n
 * [Tierney & Kadane 1986; laplace 39]. This moves each f_n; a fit reports the root mean square of the moves over the rows, each in
 * standard deviations of f_n (mean_shift of the report; 0 by other methods: not known). Up to 0.2 the method is as good as any;
 * above 0.3 use >>glm_full.
 *
 * With a flat prior (prior_var HUGE_VAL) for all weights, w^ is the maximum-likelihood estimate and C the inverse observed
 * information: the coefficients and standard errors of classical programs, at this eta. eta itself differs from theirs, as it
 * maximises log Z, in which flat weights are integrated out with density 1, and not the likelihood; C takes eta as known. Where
 * there is no maximum (classes separated by a plane, counts that are all zero) the fit returns BLN_EUNDEFINED. If flat weights
 * belong to linearly dependent features it returns BLN_ENOTPD; the report's column is the feature. An ordinal likelihood whose
 * constant has a flat prior determines only the difference of the constant and the first cut: the cut stays at its start, and
 * predictions do not depend on it. */

/* The method, which has no options of its own, and its card. */
BLN_API bln_glm_method bln_glm_laplace(void);
BLN_API const bln_glm_card *bln_glm_laplace_card(void);

#endif /* BLN_GLM_LAPLACE_H */
