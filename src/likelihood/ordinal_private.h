#ifndef BLN_LIKELIHOOD_ORDINAL_PRIVATE_H
#define BLN_LIKELIHOOD_ORDINAL_PRIVATE_H
/* ordinal_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "ordinal.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_ordinal_ops;
#endif

#endif /* BLN_LIKELIHOOD_ORDINAL_PRIVATE_H */
