#ifndef BLN_SAMPLING_NUTS_PRIVATE_H
#define BLN_SAMPLING_NUTS_PRIVATE_H
/* nuts_private: a transition of the no-U-turn sampler; comments stand at the definitions */
#include "leapfrog_private.h"

enum { BLNI_NUTS_DEEPEST = 30 };       /* a trajectory of 2^30 steps */

/* A momentum along the way, the sum of all up to it, and of all before it. */
typedef struct blni_passed { double *r, *sum, *before; } blni_passed;

typedef struct blni_nuts {
    blni_phase  left, right, chosen;   /* the ends of the trajectory; the draw of the newest subtree           */
    double     *all, *sum, *before, *near;   /* sums: of the trajectory, and of the subtree; where it began     */
    blni_passed first[BLNI_NUTS_DEEPEST + 1], last[BLNI_NUTS_DEEPEST + 1];
} blni_nuts;

/* nuts */
BLNI_PRIV void blni_nuts_carve(blni_arena *a, size_t D, size_t max_depth, blni_nuts *w);
BLNI_PRIV bln_status blni_nuts_transition(blni_system *s, bln_rng *rng, double step, size_t max_depth, blni_nuts *w,
                                          const blni_phase *at, blni_phase *next, blni_transition *out);

#endif /* BLN_SAMPLING_NUTS_PRIVATE_H */
