#ifndef BLN_OPTIM_LBFGS_PRIVATE_H
#define BLN_OPTIM_LBFGS_PRIVATE_H
/* lbfgs_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "lbfgs.h"
#include "../core/config_private.h"

/* lbfgs */
BLNI_PRIV double blni_max_abs(size_t n, const double *x);

#endif /* BLN_OPTIM_LBFGS_PRIVATE_H */
