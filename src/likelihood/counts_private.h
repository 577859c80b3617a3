#ifndef BLN_LIKELIHOOD_COUNTS_PRIVATE_H
#define BLN_LIKELIHOOD_COUNTS_PRIVATE_H
/* counts_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "counts.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_poisson_ops;
extern const bln_likelihood_ops blni_softplus_ops;
extern const bln_likelihood_ops blni_saturating_ops;
extern const bln_likelihood_ops blni_nb_ops;
extern const bln_likelihood_ops blni_zip_ops;
#endif

#endif /* BLN_LIKELIHOOD_COUNTS_PRIVATE_H */
