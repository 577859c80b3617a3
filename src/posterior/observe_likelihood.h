#ifndef BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#define BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#include "../likelihood/likelihood.h"
#include "posterior.h"
/* >>observe_likelihood - how y follows from f: by a likelihood p(y | f; eta_k)
 *
 * f is integrated out in closed form where there is one, else by quadrature, to 1e-11 of a log density, 1e-9 of a moment and 1e-10
 * of the smaller tail. */

/* l: borrowed, must outlive the value. */
BLN_API bln_observe bln_observe_likelihood(const bln_likelihood *l);

#endif /* BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H */
