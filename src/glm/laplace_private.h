#ifndef BLN_GLM_LAPLACE_PRIVATE_H
#define BLN_GLM_LAPLACE_PRIVATE_H
/* laplace_private: the gradient of Laplace's evidence where a row has several latents */
#include "laplace.h"
#include "mode_private.h"

/* laplace_latents */
BLNI_PRIV void blni_latents_covariance(blni_mode *e);
BLNI_PRIV void blni_latents_block(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *d_eta);
BLNI_PRIV void blni_latents_features(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t);
BLNI_PRIV void blni_latents_diagonal(const blni_mode *e, double *var);
BLNI_PRIV double blni_latents_shift_of(const blni_mode *e, size_t n);

#endif /* BLN_GLM_LAPLACE_PRIVATE_H */
