#ifndef BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H
#define BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H
/* slm_integrated_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "slm_integrated.h"
#include "../posterior/store_private.h"

struct bln_slm_integrated {
    bln_slm_integrated_desc desc;              /* resolved; theta and ratio point into this block */
    bln_allocator alloc;
    void         *block;                       /* holds this struct and its arrays                */
    size_t        bytes;
    bln_basis    *owned;                       /* the basis of a model from a file, else NULL     */
    double       *unit;                        /* n_slices: h_s of the last fit, as is `evidence` */
    double        evidence;
    blni_store   *store;                       /* the posterior; NULL: not fitted                 */
    bln_posterior posterior;                   /* the view that users get                         */
};

/* slm_integrated */
BLNI_PRIV void blni_integrated_show(bln_slm_integrated *m);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_slm_integrated_kind;
#endif

#endif /* BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H */
