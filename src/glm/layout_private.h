#ifndef BLN_GLM_LAYOUT_PRIVATE_H
#define BLN_GLM_LAYOUT_PRIVATE_H
/* layout_private: where the weights, prior variances and basis parameters of all latents are
 *
 * Weights stand latent after latent. There is one basis for all latents, or one for each; parameters stand basis after basis. A
 * slice is a run of weights with one prior variance. Latents of classes with one basis share prior variances, so a slice and its
 * prior variance have different numbers. */
#include "method.h"
#include "../likelihood/likelihood_private.h"

/* Number `slice` in its latent's basis, where its features begin at `at`; weights first .. end - 1; index of its prior variance. */
typedef struct blni_glm_slice { size_t latent, slice, at, first, end, prior; } blni_glm_slice;

BLNI_PRIV size_t blni_glm_latents(const bln_glm_desc *d);
BLNI_PRIV const bln_basis *blni_glm_basis_of(const bln_glm_desc *d, size_t j);
BLNI_PRIV size_t blni_glm_views(const bln_glm_desc *d);               /* different bases: 1, or one for each latent           */
BLNI_PRIV size_t blni_glm_weights(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_squares(const bln_glm_desc *d);             /* sum_j D_j^2                                         */
BLNI_PRIV size_t blni_glm_thetas(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_priors(const bln_glm_desc *d);
BLNI_PRIV size_t blni_glm_slices(const bln_glm_desc *d);
BLNI_PRIV blni_glm_slice blni_glm_slice_at(const bln_glm_desc *d, size_t t);
BLNI_PRIV int blni_glm_theta_usable(const bln_glm_desc *d, const double *theta);
BLNI_PRIV int blni_glm_shares_priors(const bln_glm_desc *d);

#endif /* BLN_GLM_LAYOUT_PRIVATE_H */
