#ifndef BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
#define BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
/* gaussian_scale_private: its table, for the list of all */
#include "gaussian_scale.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gaussian_scale_ops;
#endif

#endif /* BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H */
