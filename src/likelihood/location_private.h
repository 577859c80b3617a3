#ifndef BLN_LIKELIHOOD_LOCATION_PRIVATE_H
#define BLN_LIKELIHOOD_LOCATION_PRIVATE_H
/* location_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "location.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gauss_ops;
extern const bln_likelihood_ops blni_student_ops;
extern const bln_likelihood_ops blni_laplace_ops;
#endif

#endif /* BLN_LIKELIHOOD_LOCATION_PRIVATE_H */
