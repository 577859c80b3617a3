#ifndef BLN_GLM_FULL_PRIVATE_H
#define BLN_GLM_FULL_PRIVATE_H
/* full_private: the full Gaussian for a method that runs it at hyper-parameters of its own choice */
#include "full.h"
#include "mode_private.h"

/* full: as the functions of a method; from _exactly on bounds are found to their last digits, whatever the search begins at. */
BLNI_PRIV void *blni_full_carve(blni_arena *a, blni_glm_fit *f, const void *own);
BLNI_PRIV bln_status blni_full_open(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_full_bound(blni_glm_fit *f, void *state, const double *x, double *value, bln_report *report);
BLNI_PRIV bln_status blni_full_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report);
BLNI_PRIV size_t blni_full_gap_room(const blni_glm_rows *r);
BLNI_PRIV bln_status blni_full_gap(blni_glm_fit *f, void *state, double *room, double *gap, bln_report *report);
BLNI_PRIV void blni_full_exactly(void *state);

#endif /* BLN_GLM_FULL_PRIVATE_H */
