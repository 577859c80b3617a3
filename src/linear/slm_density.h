#ifndef BLN_LINEAR_SLM_DENSITY_H
#define BLN_LINEAR_SLM_DENSITY_H
#include "slm.h"
#include "../sampling/density.h"
/* >>slm_density - the density of a linear model's hyper-parameters, weights integrated out, for samplers (>>hmc)
 *
 *     log p(y | sigma^2, lambda, theta) + log p(sigma^2, lambda, theta),      w | y, sigma^2, lambda, theta ~ N(m, C)
 *
 * The first term is the evidence of >>slm; it and its gradient are exact. A chain moves only in the hyper-parameters, however many
 * weights there are, and so mixes well. The coordinates are [sigma^2 | lambda_s | theta], those of them that the model's desc
 * learns, as free coordinates (>>transform), with their Jacobians. Each draw is kept as w, drawn exactly from N(m, C), and the
 * learnt sigma^2, lambda and theta in natural units. With normal noise >>glm_nuts draws from the same posterior. The priors of
 * sigma^2 and lambda are those of >>glm, that of theta is that of >>slm. Elements of theta without a prior (places, frequencies)
 * have a flat one. Weights may have flat priors. */
typedef struct bln_slm_density bln_slm_density;

/* The density of a model of one output, fitted or not, and of its rows. Each evaluation reads both: they must stay unchanged until
 * the density is freed. It is computed in the primal form and in double, whatever the model's form and arithmetic.
 * BLN_EINVAL: NULL, several outputs, prior variances that are ratios, several processes, nothing to learn, or theta to learn
 * without its prior (theta_sd HUGE_VAL). Else as bln_slm_init.
 * Memory: as a fit. Flops of an evaluation: 3 n D^2 + D^3, or D^3 if theta is fixed; of a draw D^3/3 more. */
BLN_API bln_status bln_slm_density_create(const bln_slm *slm, const bln_data *data, bln_slm_density **out, bln_report *report);
BLN_API void       bln_slm_density_free(bln_slm_density *density);         /* NULL is fine */

/* The density for a sampler, valid until _free. It has `clone`, so that chains can run side by side. All zero for NULL. */
BLN_API bln_density bln_slm_density_of(bln_slm_density *density);

/* The start for chains, dim numbers: what a fitted model has learnt, else where a fit would begin. NULL for NULL. */
BLN_API const double *bln_slm_density_start(const bln_slm_density *density);

#endif /* BLN_LINEAR_SLM_DENSITY_H */
