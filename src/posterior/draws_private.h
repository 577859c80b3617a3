#ifndef BLN_POSTERIOR_DRAWS_PRIVATE_H
#define BLN_POSTERIOR_DRAWS_PRIVATE_H
/* draws_private: what rooms above it share and no user sees; comments stand at the definitions */
#include "draws.h"
#include "../core/config_private.h"

/* draws */
BLNI_PRIV size_t blni_draws_by_weight(const bln_posterior *q, double u);

#endif /* BLN_POSTERIOR_DRAWS_PRIVATE_H */
