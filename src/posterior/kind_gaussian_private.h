#ifndef BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H
#define BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H
#include "kind_gaussian.h"
#include "posterior_private.h"
#include "gaussian_private.h"

/* Component k; with n_w weights of all latents. Do the latents have a covariance of their own? U with U'U = T, J x J; a latent
 * without variance has a row and a column of zeros. */
BLNI_PRIV blni_gaussian blni_gaussians_at(const bln_gaussians *v, size_t n_w, size_t k);
BLNI_PRIV int blni_gaussians_joint(const bln_posterior *q, const bln_gaussians *v);
BLNI_PRIV bln_status blni_gaussians_mixing(size_t J, const double *T, double *U);

/* Rows left out of component k, exactly given its sites: first leave_variances, then each by itself (leave) or together, with what
 * the first step has left in work. Those of latents that share a factor have one leverage: noise and T must be multiples of each
 * other. leaves: can it be done? BLN_EINVAL: a row is not in its place. work: leave_work(q, g, n, together) doubles. */
BLNI_PRIV int blni_gaussians_leaves(BLNI_GROUP);
BLNI_PRIV size_t blni_gaussians_leave_work(BLNI_GROUP, size_t n, int together);
BLNI_PRIV void blni_gaussians_leave_variances(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                              double *work);
BLNI_PRIV bln_status blni_gaussians_leave(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l, double *work);
BLNI_PRIV bln_status blni_gaussians_leave_rows(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                               double *work);

/* The Gaussian of a posterior that is a single one (K = 1), for the kernels of >>gaussian: of all weights, or of those of latent
 * j where latents share a factor, whose covariance is then *scale = T_jj times that of *out. A view, as long as q is one. scale
 * may be NULL.   BLN_EINVAL: NULL; q is another list of components; j >= J.  The status of q, if that is not BLN_OK. */
BLNI_PRIV bln_status blni_posterior_gaussian(const bln_posterior *q, size_t j, blni_gaussian *out, double *scale);

#ifdef BLNI_SEPARATE
extern const struct bln_component_ops blni_gaussians_ops;
extern const blni_slope_ops blni_gaussians_slopes;
extern const blni_weight_ops blni_gaussians_weights;
extern const blni_draw_ops blni_gaussians_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H */
