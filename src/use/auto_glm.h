#ifndef BLN_USE_AUTO_GLM_H
#define BLN_USE_AUTO_GLM_H
#include "../glm/method.h"
#include "auto_basis.h"
/* >>auto_glm - a basis that the rows choose, for >>glm */

/* Chooses a basis for a generalised linear model, whose own basis, method and hyper are ignored. Scores are Laplace's evidence, or
 * the bound of a full Gaussian (>>auto_basis). Several latents get one basis. All else as bln_auto_basis_slm.
 * BLN_EINVAL: data, out or model NULL, no likelihood; a budget that is not >= 0; fields of the model that belong to its basis
 * (bases, theta, prior_var, per_weight, fix_theta, fix_prior_var).  Else as bln_auto_basis_slm. */
BLN_API bln_status bln_auto_basis_glm(const bln_glm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report);

#endif /* BLN_USE_AUTO_GLM_H */
