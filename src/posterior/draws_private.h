#ifndef BLN_POSTERIOR_DRAWS_PRIVATE_H
#define BLN_POSTERIOR_DRAWS_PRIVATE_H
/* draws_private: private declarations, for rooms above it; comments stand at the definitions */
#include "draws.h"
#include "../core/config_private.h"

/* draws */
BLNI_PRIV size_t blni_draws_by_weight(const bln_posterior *q, double u);

#endif /* BLN_POSTERIOR_DRAWS_PRIVATE_H */
