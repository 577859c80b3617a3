#ifndef BLN_USE_BUILTIN_H
#define BLN_USE_BUILTIN_H
#include "../core/load.h"
/* >>builtin - all bases, likelihoods and kinds of models, for loaders */

/* Lists of everything in this file that a loader may meet, with malloc: whoever calls this links all of it. Set alloc for another
 * allocator; to add your own, copy the lists. They are in static memory. */
BLN_API bln_load bln_builtin(void);

#endif /* BLN_USE_BUILTIN_H */
