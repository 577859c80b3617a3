#ifndef BLN_USE_SCALER_PRIVATE_H
#define BLN_USE_SCALER_PRIVATE_H
/* scaler_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "scaler.h"
#include "../core/config_private.h"

/* scaler */
BLNI_PRIV uint32_t blni_scaler_file_version(const bln_scaler *s);

#endif /* BLN_USE_SCALER_PRIVATE_H */
