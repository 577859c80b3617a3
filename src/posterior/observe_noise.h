#ifndef BLN_POSTERIOR_OBSERVE_NOISE_H
#define BLN_POSTERIOR_OBSERVE_NOISE_H
#include "posterior.h"
/* >>observe_noise - how y follows from f: y = f + e, with normal noise, or t's of the posterior's degrees of freedom
 *
 *     Cov e_i = v_i Sigma_k   for P outputs, one for each latent; v: noise_var of the data, Sigma_k: eta of component k
 *
 * What is said of y is said of each output by itself. Needs no likelihood, and no quadrature. */

/* For P >= 1 outputs. */
BLN_API bln_observe bln_observe_noise(size_t P);

#endif /* BLN_POSTERIOR_OBSERVE_NOISE_H */
