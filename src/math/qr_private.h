#ifndef BLN_MATH_QR_PRIVATE_H
#define BLN_MATH_QR_PRIVATE_H
/* qr_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "qr.h"
#include "../core/config_private.h"

/* qr */
BLNI_PRIV double blni_qr_norm(size_t n, const double *x, size_t step);

#endif /* BLN_MATH_QR_PRIVATE_H */
