#ifndef BLN_GLM_LAPLACE_PRIVATE_H
#define BLN_GLM_LAPLACE_PRIVATE_H
/* laplace_private: the gradient where a row has several latents */
#include "laplace.h"
#include "mode_private.h"

/* laplace_latents: a and u, with d_eta unless NULL, and e->C; then d_theta; the variances of all weights; what a block adds to the
 * sum of squared shifts over variances of its f. */
BLNI_PRIV bln_status blni_latents_movement(blni_mode *e, const blni_glm_hyper *h, double *d_eta, bln_report *report);
BLNI_PRIV bln_status blni_latents_pullback(blni_mode *e, const blni_glm_hyper *h, double *d_theta, bln_report *report);
BLNI_PRIV void blni_latents_diagonal(const blni_mode *e, double *var);
BLNI_PRIV double blni_latents_shift_of(const blni_mode *e, size_t n);

#endif /* BLN_GLM_LAPLACE_PRIVATE_H */
