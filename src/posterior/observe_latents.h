#ifndef BLN_POSTERIOR_OBSERVE_LATENTS_H
#define BLN_POSTERIOR_OBSERVE_LATENTS_H
#include "../likelihood/likelihood.h"
#include "posterior.h"
/* >>observe_latents - how y follows from several latents f_1, ..., f_J of a row: by a likelihood p(y | f; eta_k)
 *
 * Of classes the mean of y is the probability of each, n_moments = K columns, and its two variances are those of the indicator of
 * each: var_model = Var p_k, var_noise = E p_k(1 - p_k). Classes have no order, and so neither distribution functions nor
 * quantiles. The offset of the data is that of the first latent, or of each (n_offset).
 *
 * f is integrated out by the formulas of the likelihood where it has some, and else by 1024 points, whose errors are some 1e-4 of
 * the spread of what is averaged: so where latents depend on each other, as Laplace's method has them, for probabilities of
 * classes. In 5 to 100 us a row and component. */

/* l: borrowed, must outlive the value. */
BLN_API bln_observe bln_observe_latents(const bln_likelihood *l);

#endif /* BLN_POSTERIOR_OBSERVE_LATENTS_H */
