#ifndef BLN_GLM_SGVI_H
#define BLN_GLM_SGVI_H
#include "mixture.h"
/* >>glm_sgvi - a Gaussian without correlations, by doubly stochastic steps
 *
 * N(m, diag psi): each step is a gradient at one draw of the weights, by a batch of rows, of the bound of >>glm_mixture, K = 1 by
 * default, with E_q log p(w) and H(q) exact. It learns lambda, eta and theta too, needs no more of a likelihood than log p and its
 * slope, and is a dozen lines of code: for teaching. The mixture by batches finds the same with less noise.
 *                                                                     [variational 39; Titsias & Lazaro-Gredilla 2014] */

/* The method (own: NULL for all defaults; a batch is of 10 rows by default, and the expectation by weights in any case), and its
 * card. */
BLN_API bln_glm_method bln_glm_sgvi(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_sgvi_card(void);

#endif /* BLN_GLM_SGVI_H */
