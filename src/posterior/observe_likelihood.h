#ifndef BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#define BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#include "../likelihood/predictive.h"
#include "posterior.h"
/* >>observe_likelihood - how y follows from f: by a likelihood p(y | f; eta_k), over which >>predictive integrates f */

/* l: borrowed, must outlive the value. */
BLN_API bln_observe bln_observe_likelihood(const bln_likelihood *l);

#endif /* BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H */
