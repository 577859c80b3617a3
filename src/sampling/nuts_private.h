#ifndef BLN_SAMPLING_NUTS_PRIVATE_H
#define BLN_SAMPLING_NUTS_PRIVATE_H
/* nuts_private: a transition of the no-U-turn sampler; comments stand at the definitions */
#include "leapfrog_private.h"

enum { BLNI_NUTS_DEEPEST = 30 };       /* most doublings: a trajectory of 2^30 steps */

/* At a point of the trajectory: its momentum, and the sums of momenta up to it and before it; D numbers each. */
typedef struct blni_passed { double *r, *sum, *before; } blni_passed;

typedef struct blni_nuts {
    blni_phase  left, right, chosen;   /* the ends of the trajectory; the draw of the newest subtree           */
    double     *all, *sum, *before, *near;   /* D each: sum of momenta of the trajectory; of the subtree, with and without its
                                                newest point; momentum where the subtree began                  */
    blni_passed first[BLNI_NUTS_DEEPEST + 1], last[BLNI_NUTS_DEEPEST + 1];   /* kept points of each level (nuts.c)  */
} blni_nuts;

/* nuts */
BLNI_PRIV void blni_nuts_carve(blni_arena *a, size_t D, size_t max_depth, blni_nuts *w);
BLNI_PRIV bln_status blni_nuts_transition(blni_system *s, bln_rng *rng, double step, size_t max_depth, blni_nuts *w,
                                          const blni_phase *at, blni_phase *next, blni_transition *out);

#endif /* BLN_SAMPLING_NUTS_PRIVATE_H */
