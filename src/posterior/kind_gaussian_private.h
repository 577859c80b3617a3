#ifndef BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H
#define BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H
#include "kind_gaussian.h"
#include "posterior_private.h"
#include "gaussian_private.h"

/* _at: component k; n_w is the number of weights of all latents. _joint: is the covariance that of all weights jointly, without T?
 * _mixing: U with U'U = T, J x J; a latent without variance has a row and a column of zeros. */
BLNI_PRIV blni_gaussian blni_gaussians_at(const bln_gaussians *v, size_t n_w, size_t k);
BLNI_PRIV int blni_gaussians_joint(const bln_posterior *q, const bln_gaussians *v);
BLNI_PRIV bln_status blni_gaussians_mixing(size_t J, const double *T, double *U);

/* Leaves rows out of component k, exactly given its sites (blni_leave): first leave_variances, then leave, each row by itself, or
 * leave_rows, all together, with the work that the first step has filled. Where latents share a factor, noise and T must be
 * multiples of each other, so that a row has one leverage for all. leaves: can it be done? work: leave_work(q, g, n, together)
 * doubles.   BLN_EINVAL: the place of a row is wrong. */
BLNI_PRIV int blni_gaussians_leaves(BLNI_OF_GROUP);
BLNI_PRIV size_t blni_gaussians_leave_work(BLNI_OF_GROUP, size_t n, int together);
BLNI_PRIV void blni_gaussians_leave_variances(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                              double *work);
BLNI_PRIV bln_status blni_gaussians_leave(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l, double *work);
BLNI_PRIV bln_status blni_gaussians_leave_rows(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                               double *work);

#ifdef BLNI_SEPARATE
extern const struct bln_component_ops blni_gaussians_ops;
extern const blni_slope_ops blni_gaussians_slopes;
extern const blni_weight_ops blni_gaussians_weights;
extern const blni_draw_ops blni_gaussians_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_GAUSSIAN_PRIVATE_H */
