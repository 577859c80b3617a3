#ifndef BLN_POSTERIOR_WEIGHTS_PRIVATE_H
#define BLN_POSTERIOR_WEIGHTS_PRIVATE_H
/* weights_private: private declarations, for rooms above it; comments stand at the definitions */
#include "weights.h"
#include "../core/config_private.h"

/* weights */
BLNI_PRIV bln_status blni_weights_check(const bln_posterior *q, bln_report *report);

#endif /* BLN_POSTERIOR_WEIGHTS_PRIVATE_H */
