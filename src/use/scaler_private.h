#ifndef BLN_USE_SCALER_PRIVATE_H
#define BLN_USE_SCALER_PRIVATE_H
/* scaler_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "scaler.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_scaler_kind;
#endif

#endif /* BLN_USE_SCALER_PRIVATE_H */
