#ifndef BLN_LIKELIHOOD_BINOMIAL_PRIVATE_H
#define BLN_LIKELIHOOD_BINOMIAL_PRIVATE_H
/* binomial_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "binomial.h"
#include "../core/config_private.h"

/* binomial */

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_binomial_ops[3];
#endif

#endif /* BLN_LIKELIHOOD_BINOMIAL_PRIVATE_H */
