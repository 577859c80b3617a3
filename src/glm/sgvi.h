#ifndef BLN_GLM_SGVI_H
#define BLN_GLM_SGVI_H
#include "mixture.h"
/* >>glm_sgvi - a Gaussian without correlations, by doubly stochastic steps
 *
 * N(m, diag psi), or a mixture of `components` such Gaussians. Each step is the gradient of the bound of >>glm_mixture, estimated
 * from one draw of the weights and a batch of rows; E_q log p(w) is exact, and H(q) as there. It learns lambda, eta and theta too.
 * Of the likelihood it needs only log p and its slope. For teaching: >>glm_mixture with a batch finds the same with less noise.
 *                                                                     [variational 39; Titsias & Lazaro-Gredilla 2014] */

/* The method (own: NULL for all defaults; batch 0 is 10 rows, and `expectation` always BLN_GLM_EXPECT_WEIGHTS), and its card. */
BLN_API bln_glm_method bln_glm_sgvi(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_sgvi_card(void);

#endif /* BLN_GLM_SGVI_H */
