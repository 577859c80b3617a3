#ifndef BLN_BASIS_RADIAL_PRIVATE_H
#define BLN_BASIS_RADIAL_PRIVATE_H
/* radial_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "radial.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_radial_ops;
#endif

#endif /* BLN_BASIS_RADIAL_PRIVATE_H */
