#ifndef BLN_GLM_LAYOUT_PRIVATE_H
#define BLN_GLM_LAYOUT_PRIVATE_H
/* layout_private: weights, prior variances and parameters of the bases of all latents, one after the other
 *
 * Weights of a latent lie together, and so do the parameters of a basis, of which there is one, or one for each latent. A slice is
 * a run of weights with one prior variance; latents of classes that have one basis share these, so that the number of a slice and
 * that of its prior variance differ. */
#include "method.h"
#include "../likelihood/likelihood_private.h"

/* slice: its number in the basis of the latent, at: its first feature there. */
typedef struct blni_glm_slice { size_t latent, slice, at, first, end, prior; } blni_glm_slice;

BLNI_PRIV size_t blni_glm_latents(const bln_glm_desc *d);
BLNI_PRIV const bln_basis *blni_glm_basis_of(const bln_glm_desc *d, size_t j);
BLNI_PRIV size_t blni_glm_views(const bln_glm_desc *d);               /* bases: that of latent j is number min(j, views - 1) */
BLNI_PRIV size_t blni_glm_weights(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_squares(const bln_glm_desc *d);             /* sum_j D_j^2                                         */
BLNI_PRIV size_t blni_glm_thetas(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_priors(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_slices(const bln_glm_desc *d);
BLNI_PRIV blni_glm_slice blni_glm_slice_at(const bln_glm_desc *d, size_t t);
BLNI_PRIV int blni_glm_theta_usable(const bln_glm_desc *d, const double *theta);
BLNI_PRIV int blni_glm_shares_priors(const bln_glm_desc *d);

#endif /* BLN_GLM_LAYOUT_PRIVATE_H */
