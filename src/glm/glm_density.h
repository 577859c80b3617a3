#ifndef BLN_GLM_GLM_DENSITY_H
#define BLN_GLM_GLM_DENSITY_H
#include "glm.h"
#include "../sampling/density.h"
/* >>glm_density - the joint density of weights and hyper-parameters of a generalised linear model, for samplers (>>hmc)
 *
 *     log p(y | w, eta, theta) + log N(v | 0, I) + log p(lambda, eta, theta),      w_i = sqrt(lambda_s) v_i
 *
 * The coordinates are [v | lambda_s | eta | theta]. They have v in place of w so that small prior variances lambda_s make no funnel
 * (the non-centred form). Of lambda, eta and theta they have those that the model's desc learns, as free coordinates (>>transform),
 * with the priors of >>glm and the Jacobians. Parameters without a prior (a REAL theta or eta) have a flat one. Each draw is kept
 * as w, lambda, eta and theta in natural units. One latent; no flat priors of weights. [Papaspiliopoulos, Roberts & Skold 2007] */
typedef struct bln_glm_density bln_glm_density;

/* The density of a model, fitted or not, and of its rows. Each evaluation reads both: they must stay unchanged until the density is
 * freed. Where the model's method learns no hyper-parameters (MAP), they are fixed here too.
 * BLN_EINVAL: NULL, several latents, a flat prior variance, or no_hyper_prior while hyper-parameters are learnt. Else as
 * bln_glm_init. Memory: a block of rows and features. An evaluation: two passes over the rows, one if eta and theta are fixed. */
BLN_API bln_status bln_glm_density_create(const bln_glm *glm, const bln_data *data, bln_glm_density **out, bln_report *report);
BLN_API void       bln_glm_density_free(bln_glm_density *density);         /* NULL is fine */

/* The density for a sampler, valid until _free. It has `clone`, so that chains can run side by side. All zero for NULL. */
BLN_API bln_density bln_glm_density_of(bln_glm_density *density);

/* The start for chains, dim numbers: the posterior mean of a fitted model at what it has learnt, else v = 0 where a fit would
 * begin. Do not start at random around 0, which may be far from the posterior in these coordinates. NULL for NULL. */
BLN_API const double *bln_glm_density_start(const bln_glm_density *density);

#endif /* BLN_GLM_GLM_DENSITY_H */
