#ifndef BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H
#define BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H
/* observe_likelihood_private: what lists of all observations name */
#include "observe_likelihood.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
extern const struct bln_observe_ops blni_observed_ops;
#endif

#endif /* BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H */
