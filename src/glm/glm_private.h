#ifndef BLN_GLM_GLM_PRIVATE_H
#define BLN_GLM_GLM_PRIVATE_H
/* glm_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "glm.h"
#include "fit_private.h"

/* glm */
BLNI_PRIV void blni_glm_show(const bln_glm *glm, const blni_store *store, bln_posterior *q);
BLNI_PRIV void blni_glm_complete(const bln_glm *glm, blni_glm_result *r);
BLNI_PRIV void blni_glm_keep(bln_glm *glm, const blni_glm_result *r);
BLNI_PRIV bln_glm_method blni_glm_method_of(const bln_glm_desc *d);
BLNI_PRIV int blni_glm_curves(const bln_likelihood *l);
BLNI_PRIV bln_status blni_glm_make(const bln_glm_desc *desc, bln_glm **out, bln_report *report);
BLNI_PRIV void blni_glm_common_defaults(bln_glm_desc *d, blni_glm_form form);
BLNI_PRIV int blni_glm_stages(const bln_glm_desc *desc, blni_glm_stage *first, blni_glm_stage *second);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_glm_kind;
#endif

#endif /* BLN_GLM_GLM_PRIVATE_H */
