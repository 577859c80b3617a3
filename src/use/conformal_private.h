#ifndef BLN_USE_CONFORMAL_PRIVATE_H
#define BLN_USE_CONFORMAL_PRIVATE_H
/* conformal_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "conformal.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_conformal_kind;
#endif

#endif /* BLN_USE_CONFORMAL_PRIVATE_H */
