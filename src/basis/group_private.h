#ifndef BLN_BASIS_GROUP_PRIVATE_H
#define BLN_BASIS_GROUP_PRIVATE_H
/* group_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "group.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_group_ops;
#endif

#endif /* BLN_BASIS_GROUP_PRIVATE_H */
