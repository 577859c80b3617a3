#ifndef BLN_BASIS_SPECTRAL_PRIVATE_H
#define BLN_BASIS_SPECTRAL_PRIVATE_H
/* spectral_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "spectral.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_spectral_ops;
#endif

#endif /* BLN_BASIS_SPECTRAL_PRIVATE_H */
