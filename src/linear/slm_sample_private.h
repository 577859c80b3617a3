#ifndef BLN_LINEAR_SLM_SAMPLE_PRIVATE_H
#define BLN_LINEAR_SLM_SAMPLE_PRIVATE_H
/* slm_sample_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "slm_sample.h"
#include "../core/config_private.h"

/* slm_sample */
BLNI_PRIV bln_slm_draws blni_draws_defaults(const bln_slm_draws *draws);

#endif /* BLN_LINEAR_SLM_SAMPLE_PRIVATE_H */
