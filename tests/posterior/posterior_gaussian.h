/* posterior_gaussian.h - the Gaussian of a posterior that is a single one (K = 1), for the kernels of >>gaussian
 *
 * That of all weights; or, where latents share a factor, that of latent j, whose covariance is *scale = T_jj times that of *out
 * (scale may be NULL). *out is a view of q. BLN_EINVAL: q is another list of components. The status of q, if that is not BLN_OK. */
#ifndef BLN_TESTS_POSTERIOR_GAUSSIAN_H
#define BLN_TESTS_POSTERIOR_GAUSSIAN_H
#include "../test.h"

static TEST_UNUSED bln_status posterior_gaussian(const bln_posterior *q, size_t j, blni_gaussian *out, double *scale)
{
    if (q->status != BLN_OK) return q->status;
    const bln_gaussians *v = (const bln_gaussians *)q->groups->view;
    if (q->n_groups != 1 || q->groups->ops != &blni_gaussians_ops || blni_group_K(q->groups) != 1) return BLN_EINVAL;
    *out = blni_gaussians_at(v, blni_posterior_weights(q), 0);
    out->m += j*v->n;
    if (scale) *scale = v->T ? v->T[j*(blni_posterior_J(q) + 1)] : 1.0;
    return BLN_OK;
}

#endif /* BLN_TESTS_POSTERIOR_GAUSSIAN_H */
