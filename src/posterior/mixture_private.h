#ifndef BLN_POSTERIOR_MIXTURE_PRIVATE_H
#define BLN_POSTERIOR_MIXTURE_PRIVATE_H
/* mixture_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "mixture.h"
#include "../core/memory_private.h"

enum { BLNI_MIXTURE_ROWS = 64,         /* rows of Phi at a time                                                  */
       BLNI_MIXTURE_STRIP = 512,       /* features for which two components stay in the cache, beside two rows   */
       BLNI_MIXTURE_PACK = 64,         /* features of components that are moved together, ...                    */
       BLNI_MIXTURE_GROUP = 16 };      /* ... of so many components                                              */

/* mixture_rows */
BLNI_PRIV size_t blni_mixture_ld(const bln_mixture *q);
BLNI_PRIV size_t blni_mixture_doubles(const blni_arena *a);

#endif /* BLN_POSTERIOR_MIXTURE_PRIVATE_H */
