#ifndef BLN_GLM_GLM_LOO_PRIVATE_H
#define BLN_GLM_GLM_LOO_PRIVATE_H
/* glm_loo_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "glm_loo.h"
#include "../posterior/psis_private.h"
#include "glm_private.h"

/* Estimated relative error of 1 - h above which a row counts as lost: that of >>slm_loo. */
#define BLNI_GLM_LOO_LOST 1e-5
typedef struct blni_glm_loo {
    const bln_glm       *glm;
    bln_glm_loo_desc     d;                 /* resolved                                                       */
    bln_glm_loo_outputs  out;
    const bln_basis     *at;                /* bound to theta                                                 */
    blni_glm_pieces      p;
    double *g, *W, *measure;                /* block each: slopes, curvatures, influence                      */
    double *density, *full, *spare;         /* block each: log p without the row, and with it                 */
    double *f, *v, *l, *weight, *room;      /* draws: S, S, S, S, 2 S                                         */
    blni_elpd sum;
    size_t    undefined;                    /* first row that is lost, or BLN_NONE                            */
} blni_glm_loo;

/* glm_loo */
BLNI_PRIV int blni_glm_loo_psis(const blni_glm_loo *o);
BLNI_PRIV void blni_glm_loo_answer(const blni_glm_loo *o, size_t first, size_t at, size_t n, const bln_targets *block,
                                   const bln_latent *f);
BLNI_PRIV void blni_glm_loo_slopes(blni_glm_loo *o, size_t n, const bln_targets *t, const bln_latent *f);
BLNI_PRIV bln_status blni_glm_loo_begin(blni_glm_loo *o, const bln_glm *glm, const bln_data *data, const bln_glm_loo_desc *desc,
                                        const bln_glm_loo_outputs *out, bln_report *report);
BLNI_PRIV bln_status blni_glm_loo_room(blni_glm_loo *o, const bln_data *data, void **block, size_t *bytes, bln_report *report);
BLNI_PRIV bln_status blni_glm_loo_end(const blni_glm_loo *o, bln_report *report);

#endif /* BLN_GLM_GLM_LOO_PRIVATE_H */
