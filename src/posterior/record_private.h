#ifndef BLN_POSTERIOR_RECORD_PRIVATE_H
#define BLN_POSTERIOR_RECORD_PRIVATE_H
/* record_private: how models save and load their posteriors */
#include "record.h"
#include "store_private.h"

enum { BLNI_RECORD_VERSION = 3,             /* version of the content of sections that begin with a posterior */
       BLNI_GLM_VERSION = 4 };              /* that of the section "GLM ", which may end in draws         */

/* *out <- the caller's context (or an empty one), with the kinds and observations that a model's posterior can have. */
BLNI_PRIV void blni_load_of(const bln_load *context, const struct bln_component_ops *const *kinds, size_t n_kinds,
                            const struct bln_observe_ops *const *observes, size_t n_observes, bln_load *out);

/* As bln_posterior_load. */
BLNI_PRIV bln_status blni_record_load(const bln_load *context, bln_reader *r, blni_store **out);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_posterior_kind;
#endif

#endif /* BLN_POSTERIOR_RECORD_PRIVATE_H */
