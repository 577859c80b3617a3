#ifndef BLN_POSTERIOR_RECORD_PRIVATE_H
#define BLN_POSTERIOR_RECORD_PRIVATE_H
/* record_private: what the files of models stand on */
#include "record.h"
#include "store_private.h"

enum { BLNI_RECORD_VERSION = 3,             /* of the content of sections that begin with a posterior     */
       BLNI_GLM_VERSION = 4 };              /* and of one that may end in draws                           */

/* A model's context: the caller's (or none), and the kinds and observations that its posterior can have. */
BLNI_PRIV void blni_load_of(const bln_load *context, const struct bln_component_ops *const *kinds, size_t n_kinds,
                            const struct bln_observe_ops *const *observes, size_t n_observes, bln_load *out);

/* As bln_posterior_load. */
BLNI_PRIV bln_status blni_record_load(const bln_load *context, bln_reader *r, blni_store **out);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_posterior_kind;
#endif

#endif /* BLN_POSTERIOR_RECORD_PRIVATE_H */
