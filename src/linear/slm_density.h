#ifndef BLN_LINEAR_SLM_DENSITY_H
#define BLN_LINEAR_SLM_DENSITY_H
#include "slm.h"
#include "../sampling/density.h"
/* >>slm_density - the density of a linear model's hyper-parameters, weights integrated out, for samplers (>>hmc)
 *
 *     log p(y | sigma^2, lambda, theta) + log p(sigma^2, lambda, theta),      w | y, sigma^2, lambda, theta ~ N(m, C)
 *
 * The first term is the evidence of >>slm, exact as are its slopes, so that a chain moves in as many dimensions as there are
 * hyper-parameters, however many weights there are, and mixes well. What is kept of a draw: w, drawn exactly given the others, and
 * what is learnt of sigma^2, lambda and theta, natural. With normal noise these are draws from the posterior that >>glm_nuts draws
 * from. Priors are those of >>glm; that of theta is as in >>slm. Parameters without a prior (places, frequencies) have a flat one;
 * weights may. The coordinates are those of the search: [sigma^2 | lambda_s | theta], free (>>transform), with their Jacobians. */
typedef struct bln_slm_density bln_slm_density;

/* For a model, fitted or not, of one output, and its rows, which are read in each evaluation; both must stay. In the primal form
 * and in double, whatever the model's are.
 * BLN_EINVAL: NULL, several outputs, prior variances that are ratios, several processes, or nothing to learn. Else as bln_slm_init.
 * Memory: as a fit.   Time of an evaluation: 3 n D^2 + D^3 flops, without theta to learn D^3 alone; of a draw D^3/3 more. */
BLN_API bln_status bln_slm_density_create(const bln_slm *slm, const bln_data *data, bln_slm_density **out, bln_report *report);
BLN_API void       bln_slm_density_free(bln_slm_density *density);         /* NULL is fine */

/* The density, which refers to the object; with `clone`, so that chains run side by side. All zero for NULL. */
BLN_API bln_density bln_slm_density_of(bln_slm_density *density);

/* dim numbers: where to start. What a fitted model has learnt, else where a fit would begin. NULL for NULL. */
BLN_API const double *bln_slm_density_start(const bln_slm_density *density);

#endif /* BLN_LINEAR_SLM_DENSITY_H */
