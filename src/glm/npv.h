#ifndef BLN_GLM_NPV_H
#define BLN_GLM_NPV_H
#include "mixture.h"
/* >>glm_npv - nonparametric variational inference: a mixture by an objective of second order
 *
 * 1/K sum_k N(m_k, diag psi_k) as >>glm_mixture, by an objective whose rows are log p(y_n | mu_kn) + 1/2 d2_n v_kn in place of
 * expectations: one evaluation of the likelihood for each row. No bound of the evidence: where v is wider than log p is quadratic
 * it may lie anywhere, and prefers such mu where d2 is small. Where rows say little of f (one class, counts that are all 0, no
 * curvature, log p not concave) it may have no top, or one of variances as wide as the prior's, more than 0.1 nats a row above the
 * bound, which is worked out once, at the end: BLN_EUNDEFINED. Else as the mixture: for comparison.
 *                                                                [variational 32, 33; Gershman, Hoffman & Blei 2012] */

/* The method (own: NULL for all defaults; `nodes` are those of the bound at the end, and there are no draws), and its card. */
BLN_API bln_glm_method bln_glm_npv(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_npv_card(void);

#endif /* BLN_GLM_NPV_H */
