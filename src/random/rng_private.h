#ifndef BLN_RANDOM_RNG_PRIVATE_H
#define BLN_RANDOM_RNG_PRIVATE_H
/* rng_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "rng.h"
#include "../core/config_private.h"

/* rng */
BLNI_PRIV uint64_t blni_mix64(uint64_t z);
BLNI_PRIV bln_rng blni_rng_of(uint64_t seed, uint64_t stream);
BLNI_PRIV double blni_open_unit(uint64_t word);
BLNI_PRIV uint64_t blni_mul128(uint64_t a, uint64_t b, uint64_t *low);

#endif /* BLN_RANDOM_RNG_PRIVATE_H */
