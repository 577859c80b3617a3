#ifndef BLN_GLM_LAPLACE_H
#define BLN_GLM_LAPLACE_H
#include "method.h"
/* >>glm_laplace - Laplace's method: the Gaussian around the mode
 *
 *     N(w^, C): the mode w^ by Newton's method, C^-1 = Lambda^-1 + Phi'W Phi, W = diag(-d2), negative d2 only.
 *
 * lambda, eta and theta maximise Laplace's approximation of the evidence,
 *     log Z = sum_n log p(y_n | f^_n) - 1/2 w^'Lambda^-1 w^ - 1/2 log|I + S Phi'W Phi S|,  S^2 = Lambda,
 * times the priors of >>glm, with exact gradients: those of the mode included. 5 to 10 passes over the rows for each point of the
 * search, n D^2 flops each; memory O(D^2 + block D). A data set of n <= D rows: in the space of the rows, n^3 flops each, 6 n^2 D
 * in addition for each point, memory O(n D).        [laplace 34-37, 40; Rasmussen & Williams 2006, 3.4, 5.5.1; MacKay 1992]
 *
 * The mean of the weights lies C a from the mode, to first order, a = 1/2 sum_n d3_n v_n phi_n, v_n the variance of f_n [Tierney &
 * Kadane 1986; laplace 39]. A fit reports the root mean square over the rows of what that moves f_n by, in standard deviations of
 * f_n (mean_shift of the report). Up to 0.2 or so the method is as good as any; above 0.3 it misleads, and >>glm_full does not.
 *
 * A flat prior (prior_var HUGE_VAL) for all weights makes w^ the maximum-likelihood estimate and C the inverse observed
 * information: coefficients and standard errors of classical programs, at this eta. eta maximises log Z, in which flat weights are
 * integrated out, their density being 1, and not the likelihood, and C takes it as known: of likelihoods with eta the figures
 * differ from those programs'. Where there is no maximum (classes that a plane separates, counts that are all zero) the fit says
 * so: BLN_EUNDEFINED. The first cut of an ordinal likelihood and a constant whose prior is flat say the same: the cut then stays at
 * its start, and the constant is what it would be beside that cut; predictions do not depend on it. Flat weights of dependent
 * features are BLN_ENOTPD; the report's column is the feature. */

/* The method, which has no options of its own, and its card. */
BLN_API bln_glm_method bln_glm_laplace(void);
BLN_API const bln_glm_card *bln_glm_laplace_card(void);

#endif /* BLN_GLM_LAPLACE_H */
