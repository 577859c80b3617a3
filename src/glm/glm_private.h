#ifndef BLN_GLM_GLM_PRIVATE_H
#define BLN_GLM_GLM_PRIVATE_H
/* glm_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "glm.h"
#include "fit_private.h"

/* glm */
BLNI_PRIV bln_status blni_glm_result_create(const bln_allocator *alloc, const bln_glm_desc *d, const blni_glm_shape *shape,
                                            blni_glm_result *r, bln_report *report);
BLNI_PRIV void blni_glm_result_free(const bln_allocator *alloc, blni_glm_result *r);
BLNI_PRIV int blni_glm_fitted(const bln_glm *glm);
BLNI_PRIV int blni_glm_gaussian(const bln_glm *glm);
BLNI_PRIV bln_glm_method blni_glm_method_of(const bln_glm_desc *d);
BLNI_PRIV bln_status blni_glm_make(const bln_glm_desc *desc, bln_glm **out, bln_report *report);
BLNI_PRIV void blni_glm_common_defaults(bln_glm_desc *d, blni_glm_form form);
BLNI_PRIV void blni_glm_resolve(const bln_glm_desc *desc, bln_glm_desc *d, blni_glm_own *own);
BLNI_PRIV int blni_glm_stages(const bln_glm_desc *desc, blni_glm_stage *first, blni_glm_stage *second);

typedef enum blni_glm_question {
    BLNI_GLM_LATENT, BLNI_GLM_MOMENTS, BLNI_GLM_DENSITY, BLNI_GLM_CDF, BLNI_GLM_PIT, BLNI_GLM_QUANTILE, BLNI_GLM_INTERVAL
} blni_glm_question;

typedef struct blni_glm_ask {
    blni_glm_question what;
    double            p;                 /* probability or level     */
    double           *out[3];            /* n each, or NULL          */
} blni_glm_ask;

/* For a block of rows: features; moments of phi'w under each component, component by component; variance that features leave out;
 * moments of f, row by row; targets; room. */
typedef struct blni_glm_pieces { double *Phi, *mu, *v, *rest, *mean, *var, *y, *project, *basis, *room; } blni_glm_pieces;

/* glm_predict */
BLNI_PRIV blni_glm_pieces blni_glm_predict_carve(blni_arena *a, const bln_glm *glm);
BLNI_PRIV bln_latent blni_glm_latent_of(const bln_glm *glm, const bln_data *rows, const blni_glm_pieces *p);
BLNI_PRIV bln_targets blni_glm_targets(const bln_data *rows, double *y);
BLNI_PRIV bln_status blni_glm_check_rows(const bln_glm *glm, const blni_glm_ask *ask, const bln_data *data, bln_report *report);
BLNI_PRIV bln_status blni_glm_no_output(bln_report *report);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_glm_kind;
#endif

#endif /* BLN_GLM_GLM_PRIVATE_H */
