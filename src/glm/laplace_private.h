#ifndef BLN_GLM_LAPLACE_PRIVATE_H
#define BLN_GLM_LAPLACE_PRIVATE_H
/* laplace_private: the gradient of Laplace's evidence where a row has several latents */
#include "laplace.h"
#include "mode_private.h"

/* laplace_latents. _movement: e->C, the gradient e->a of log evidence in w through log|B|, the shift e->u = C a and, unless NULL,
 * d_eta. After it: _pullback gives d_theta, _diagonal the variances of all weights, and _shift_of what a block of n rows adds to
 * sum_n k_n sum_j (phi_j'u_j)^2/c_jj, c_jj the variance of f_j. */
BLNI_PRIV bln_status blni_latents_movement(blni_mode *e, const blni_glm_hyper *h, double *d_eta, bln_report *report);
BLNI_PRIV bln_status blni_latents_pullback(blni_mode *e, const blni_glm_hyper *h, double *d_theta, bln_report *report);
BLNI_PRIV void blni_latents_diagonal(const blni_mode *e, double *var);
BLNI_PRIV double blni_latents_shift_of(const blni_mode *e, size_t n);

#endif /* BLN_GLM_LAPLACE_PRIVATE_H */
