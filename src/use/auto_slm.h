#ifndef BLN_USE_AUTO_SLM_H
#define BLN_USE_AUTO_SLM_H
#include "../linear/slm.h"
#include "auto_basis.h"
/* >>auto_slm - a basis that the rows choose, for >>slm */

/* Chooses a basis for the model `model` (NULL: all defaults), whose own basis is ignored; its other fields hold for the fits, such
 * as n_outputs, theta_sd and the monitor. Inputs should be about standardised, as for SPEC. desc: NULL for all defaults. Memory:
 * O(n), and that of the fits, 100 n^2 bytes for n rows of round 1. *out is written on success only.
 * BLN_EINVAL: data or out NULL; a budget that is not >= 0; fields of the model that belong to its basis (theta, prior_var,
 * per_weight, fix_theta, fix_prior_var, warm_start) or suit only some bases (form, arithmetic except double, optimiser, residual,
 * allreduce).  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit.  BLN_ENUMERIC, BLN_EUNDEFINED, BLN_ENOTPD: no basis could be
 * fitted; the status is that of the first one (for example if all targets are equal).  BLN_ESTOPPED: the monitor stopped a fit.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_auto_basis_slm(const bln_slm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report);

#endif /* BLN_USE_AUTO_SLM_H */
