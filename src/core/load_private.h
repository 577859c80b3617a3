#ifndef BLN_CORE_LOAD_PRIVATE_H
#define BLN_CORE_LOAD_PRIVATE_H
/* load_private: tables that load, save and free models through void pointers */
#include "load.h"
#include "config_private.h"

/* Defines the bln_model_kind of bln_x from bln_x_load, bln_x_save and bln_x_free; `context` is the argument of bln_x_load. */
#define BLNI_MODEL_KIND(x, tag, oldest, newest, context) \
    BLNI_PRIV bln_status blni_##x##_kind_load(const bln_load *load, bln_reader *r, void **out) \
    { \
        bln_##x *model = NULL; \
        const bln_status status = bln_##x##_load(context, r, &model); \
        *out = model; \
        return status; \
    } \
    BLNI_PRIV bln_status blni_##x##_kind_save(const void *model, bln_writer *w) \
    { \
        return bln_##x##_save((const bln_##x *)model, w); \
    } \
    BLNI_PRIV void blni_##x##_kind_free(void *model) { bln_##x##_free((bln_##x *)model); } \
    BLNI_TABLE const bln_model_kind blni_##x##_kind = { \
        tag, oldest, newest, blni_##x##_kind_load, blni_##x##_kind_save, blni_##x##_kind_free \
    };

#endif /* BLN_CORE_LOAD_PRIVATE_H */
