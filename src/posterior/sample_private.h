#ifndef BLN_POSTERIOR_SAMPLE_PRIVATE_H
#define BLN_POSTERIOR_SAMPLE_PRIVATE_H
/* sample_private: what rooms above it share and no user sees; comments stand at the definitions */
#include "sample.h"
#include "../core/config_private.h"

BLNI_PRIV bln_draw_desc blni_draws_defaults(const bln_draw_desc *draws);
BLNI_PRIV uint64_t blni_draw_key(uint64_t seed, size_t j);
BLNI_PRIV uint64_t blni_draw_behind(uint64_t seed, uint64_t stream, int missed);

#endif /* BLN_POSTERIOR_SAMPLE_PRIVATE_H */
