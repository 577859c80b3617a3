#ifndef BLN_GLM_NPV_H
#define BLN_GLM_NPV_H
#include "mixture.h"
/* >>glm_npv - nonparametric variational inference: a mixture by an objective of second order
 *
 * The mixture 1/K sum_k N(m_k, diag psi_k) of >>glm_mixture. Its objective replaces the expectation of each row by
 * log p(y_n | mu_kn) + 1/2 d2_n v_kn, d2_n the second derivative at mu_kn: one evaluation of the likelihood for each row. It is
 * no bound of the evidence: where log p is far from quadratic over the width of v it may be too large, and it favours a mu where d2
 * is small. Where rows say little of f (one class, counts that are all 0, log p not concave) it may have no maximum, or one with
 * variances as wide as the prior's. A fit computes the bound of >>glm_mixture once, at the end. It returns BLN_EUNDEFINED if the
 * objective exceeds that bound by more than 0.1 nats a row, or if variances grow without end. For comparison.
 *                                                                [variational 32, 33; Gershman, Hoffman & Blei 2012] */

/* The method (own: NULL for all defaults; its `nodes` serve the bound at the end, and `expectation` must be 0), and its card. */
BLN_API bln_glm_method bln_glm_npv(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_npv_card(void);

#endif /* BLN_GLM_NPV_H */
