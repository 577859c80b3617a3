#ifndef BLN_USE_AUTO_SLM_H
#define BLN_USE_AUTO_SLM_H
#include "../linear/slm.h"
#include "auto_basis.h"
/* >>auto_slm - a basis that the rows choose, for >>slm */

/* For a model of this desc (NULL: all defaults), whose basis is not looked at; all that is not about a basis counts in the fits:
 * outputs, theta_sd, the monitor, and so on. Inputs should be about standardised, as for SPEC. desc: NULL for all defaults.
 * O(n) memory beside that of the fits, which is 48 n^2 bytes for the rows of the first round. *out is written on success only.
 * BLN_EINVAL: data or out NULL; a budget that is not >= 0; a model that says something of its basis (theta, prior_var, per_weight,
 * fix_theta, fix_prior_var, warm_start), or that only some bases can have (form, arithmetic but double, optimiser, residual,
 * allreduce).  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: what the fit of such data says.  BLN_ENUMERIC, BLN_EUNDEFINED, BLN_ENOTPD: no
 * basis could be fitted, and this is what the first one said (as of targets that are all the same).  BLN_ESTOPPED: the monitor
 * stopped a fit.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_auto_basis_slm(const bln_slm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report);

#endif /* BLN_USE_AUTO_SLM_H */
