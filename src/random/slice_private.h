#ifndef BLN_RANDOM_SLICE_PRIVATE_H
#define BLN_RANDOM_SLICE_PRIVATE_H
/* slice_private: a move that leaves a density on a line invariant; comments stand at the definitions */
#include "rng.h"
#include "../core/config_private.h"

enum { BLNI_SLICE_OUT = 20 };            /* one more than the widths by which an interval is extended at most */

/* A log density up to a constant; -infinity or NaN where there is none. */
typedef double (*blni_line_fn)(void *user, double x);

/* slice */
BLNI_PRIV double blni_slice(bln_rng *rng, double x, double *value, double width, size_t out, blni_line_fn f, void *user);

#endif /* BLN_RANDOM_SLICE_PRIVATE_H */
