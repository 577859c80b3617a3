#ifndef BLN_POSTERIOR_WEIGHTS_H
#define BLN_POSTERIOR_WEIGHTS_H
#include "posterior.h"
/* >>weights - what a posterior says of the weights themselves: n_w of them, those of a latent together
 *
 * BLN_EINVAL: NULL q, p NULL and n_p > 0, a stride below n_w.  The status of q, if that is not BLN_OK.  BLN_EDOMAIN: a probability
 * outside [0, 1].  BLN_EUNDEFINED: thetas differ between groups, so that the weights belong to different features; no covariance of
 * t's with dof <= 2.  BLN_ENOMEM, BLN_EOVERFLOW: only without work.
 * work: bln_posterior_weights_work(q) doubles, or NULL to allocate. */

/* Doubles of workspace for either; SIZE_MAX on overflow, 0 for NULL and where q->status is not BLN_OK. Some 2 D^2 + n_w K.
 * Coefficients without work allocate less: some D where the Gaussian has no factor of side D (fewer rows than features). */
BLN_API size_t bln_posterior_weights_work(const bln_posterior *q);

/* The coefficient table: mean and sd of each weight, and its quantiles at n_p probabilities p of [0, 1]; n_w each, quantile n_w x
 * n_p. Any output may be NULL. Of t's mean and sd as in bln_posterior_predict.   D^3/3 flops a Gaussian by factor, D^3 a t */
BLN_API bln_status bln_posterior_coefficients(const bln_posterior *q, double *mean, double *sd, size_t n_p, const double *p,
                                              double *quantile, double *work, bln_report *report);

/* Upper triangle of the covariance of all weights, n_w x n_w, stride ldc (0: n_w): sum_k weight_k (C_k + (m_k - m)(m_k - m)').
 *   About D^3 flops for each Gaussian or t, and n_w^2 for each component */
BLN_API bln_status bln_posterior_covariance(const bln_posterior *q, double *C, size_t ldc, double *work, bln_report *report);

#endif /* BLN_POSTERIOR_WEIGHTS_H */
