#ifndef BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#define BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H
#include "../likelihood/likelihood.h"
#include "posterior.h"
/* >>observe_likelihood - how y follows from f: by a likelihood p(y | f; eta_k)
 *
 * f is integrated out in closed form where there is one, else by quadrature: a log density in 20-50 us with errors of 1e-11,
 * moments in 1-10 us to 1e-9, a distribution function in 10-100 us to 1e-10 of the smaller tail (Student-t of few degrees of
 * freedom: 1 ms); a quantile takes 10 to 20 of these. */

/* l: borrowed, must outlive the value. */
BLN_API bln_observe bln_observe_likelihood(const bln_likelihood *l);

#endif /* BLN_POSTERIOR_OBSERVE_LIKELIHOOD_H */
