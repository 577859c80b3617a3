#ifndef BLN_MATH_DECIMAL_PRIVATE_H
#define BLN_MATH_DECIMAL_PRIVATE_H
/* decimal_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "decimal.h"
#include "../core/config_private.h"

/* decimal */
BLNI_PRIV double blni_double_of_bits(uint64_t b);

#endif /* BLN_MATH_DECIMAL_PRIVATE_H */
