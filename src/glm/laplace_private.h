#ifndef BLN_GLM_LAPLACE_PRIVATE_H
#define BLN_GLM_LAPLACE_PRIVATE_H
/* laplace_private: the gradient of Laplace's evidence where a row has several latents */
#include "laplace.h"
#include "mode_private.h"

/* laplace_latents. After _covariance, which makes e->C: _block adds to -2 times e->a, the gradient of log evidence in w through
 * log|B|, and, unless NULL, to d_eta; _features gives slopes in features, _diagonal the variances of all weights. _shift_of, after
 * e->u: what a block of n rows adds to sum_n k_n sum_j (phi_j'u_j)^2/c_jj, c_jj the variance of f_j. */
BLNI_PRIV void blni_latents_covariance(blni_mode *e);
BLNI_PRIV void blni_latents_block(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *d_eta);
BLNI_PRIV void blni_latents_features(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t);
BLNI_PRIV void blni_latents_diagonal(const blni_mode *e, double *var);
BLNI_PRIV double blni_latents_shift_of(const blni_mode *e, size_t n);

#endif /* BLN_GLM_LAPLACE_PRIVATE_H */
