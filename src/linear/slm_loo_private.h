#ifndef BLN_LINEAR_SLM_LOO_PRIVATE_H
#define BLN_LINEAR_SLM_LOO_PRIVATE_H
/* slm_loo_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "slm_loo.h"
#include "../core/config_private.h"

/* slm_loo */
BLNI_PRIV bln_status blni_group_sort(size_t n, const size_t *group, size_t n_groups, size_t *order, size_t *start,
                                     bln_report *report);

#endif /* BLN_LINEAR_SLM_LOO_PRIVATE_H */
