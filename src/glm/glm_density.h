#ifndef BLN_GLM_GLM_DENSITY_H
#define BLN_GLM_GLM_DENSITY_H
#include "glm.h"
#include "../sampling/density.h"
/* >>glm_density - the joint density of weights and hyper-parameters of a generalised linear model, for samplers (>>hmc)
 *
 *     log p(y | w, eta, theta) + log N(v | 0, I) + log p(lambda, eta, theta),      w_i = sqrt(lambda_s) v_i
 *
 * Weights stand as v, not as w, so that small prior variances lambda_s make no funnel (non-centred). Coordinates:
 * [v | lambda_s | eta | theta], the latter three free (>>transform) and as far as the model's desc learns them, with the priors of
 * >>glm and the Jacobians of these coordinates. What is kept of a draw is natural: w, lambda, eta, theta. Parameters of which the
 * model has no prior (a REAL theta or eta) have a flat one. One latent; no flat priors of weights. */
typedef struct bln_glm_density bln_glm_density;

/* For a model, fitted or not, and its rows, which are read in each evaluation; both must stay. A model whose method learns no
 * hyper-parameters (MAP) has them fixed here too.
 * BLN_EINVAL: NULL, several latents, a flat prior variance, or no_hyper_prior where hyper-parameters are learnt. Else as
 * bln_glm_init.   Memory: a block of rows with their features. Time of an evaluation: two passes over the rows, or one where eta
 * and theta are fixed. */
BLN_API bln_status bln_glm_density_create(const bln_glm *glm, const bln_data *data, bln_glm_density **out, bln_report *report);
BLN_API void       bln_glm_density_free(bln_glm_density *density);         /* NULL is fine */

/* The density, which refers to the object; with `clone`, so that chains run side by side. All zero for NULL. */
BLN_API bln_density bln_glm_density_of(bln_glm_density *density);

/* dim numbers: where to start. The posterior mean of a model that is fitted, at what it has learnt; else v = 0 where a fit would
 * begin. Random starts are of no use: 0 is not the middle of these coordinates. NULL for NULL. */
BLN_API const double *bln_glm_density_start(const bln_glm_density *density);

#endif /* BLN_GLM_GLM_DENSITY_H */
