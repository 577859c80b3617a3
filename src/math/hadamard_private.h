#ifndef BLN_MATH_HADAMARD_PRIVATE_H
#define BLN_MATH_HADAMARD_PRIVATE_H
/* hadamard_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "hadamard.h"
#include "../core/config_private.h"

/* hadamard */
BLNI_PRIV size_t blni_power_of_two(size_t n);
BLNI_PRIV double blni_hadamard_entry(size_t j, size_t k);

#endif /* BLN_MATH_HADAMARD_PRIVATE_H */
