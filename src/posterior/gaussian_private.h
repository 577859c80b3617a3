#ifndef BLN_POSTERIOR_GAUSSIAN_PRIVATE_H
#define BLN_POSTERIOR_GAUSSIAN_PRIVATE_H
/* gaussian_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "gaussian.h"
#include "../core/config_private.h"

/* gaussian */
BLNI_PRIV void blni_whiten_factor(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work);
BLNI_PRIV double *blni_lowrank_product(const bln_gaussian *g, size_t n, double *work);
BLNI_PRIV void blni_whiten_lowrank(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work);

#endif /* BLN_POSTERIOR_GAUSSIAN_PRIVATE_H */
