#ifndef BLN_BASIS_INDUCING_PRIVATE_H
#define BLN_BASIS_INDUCING_PRIVATE_H
/* inducing_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "inducing.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_inducing_ops;
#endif

#endif /* BLN_BASIS_INDUCING_PRIVATE_H */
