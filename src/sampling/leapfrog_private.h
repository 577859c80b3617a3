#ifndef BLN_SAMPLING_LEAPFROG_PRIVATE_H
#define BLN_SAMPLING_LEAPFROG_PRIVATE_H
/* leapfrog_private: a density as a mechanical system, whose trajectories samplers follow
 *
 *     H(q, p) = -log p(q) + p'M^-1 p/2,      M^-1 = L L',   r = L'p,   so that   H = -log p(q) + r'r/2
 *
 * Momenta are kept as r, which is N(0, I) whatever the metric M is: p_a'M^-1 p_b is r_a'r_b. The gradient g of log p comes in as
 * h = L'g. L is diag(scale), or U' of an upper factor U. */
#include "density_private.h"
#include "../core/memory_private.h"
#include "../random/rng.h"

/* A point in phase space: position q, momentum r, slope h (D each); lp = log p(q). A draw keeps h and lp, so that the next
 * transition need not compute them again. */
typedef struct blni_phase { double *q, *r, *h, lp; } blni_phase;

typedef struct blni_system {
    const bln_density *density;
    void              *user;
    size_t             D;
    double            *scale;          /* D numbers                        (NULL: all 1)                    */
    double            *U;              /* D x D, upper, M^-1 = U'U         (NULL: by scale)                 */
    double            *g;              /* D numbers of workspace                                            */
    uint64_t           evaluations, rejected;      /* calls of the density; points where log p is not finite     */
    bln_report        *report;
} blni_system;

/* What a transition reports. */
typedef struct blni_transition {
    double energy;                     /* H of the draw                                                     */
    double accept;                     /* mean acceptance along the trajectory                              */
    size_t leapfrogs, depth;
    int    divergent;
} blni_transition;

/* If H is off by more than this, the integrator has lost the trajectory. */
#define BLNI_DIVERGENCE 1000.0

/* leapfrog */
BLNI_PRIV bln_status blni_system_eval(blni_system *s, blni_phase *z);
BLNI_PRIV bln_status blni_leapfrog(blni_system *s, blni_phase *z, double e);
BLNI_PRIV double blni_system_energy(const blni_system *s, const blni_phase *z);
BLNI_PRIV void blni_phase_carve(blni_arena *a, size_t D, blni_phase *z);
BLNI_PRIV void blni_phase_copy(size_t D, const blni_phase *from, blni_phase *to);
BLNI_PRIV bln_status blni_step_search(blni_system *s, bln_rng *rng, const blni_phase *at, blni_phase *z, double *step);
BLNI_PRIV bln_status blni_static_transition(blni_system *s, bln_rng *rng, double step, double jitter, size_t leapfrogs,
                                            const blni_phase *at, blni_phase *next, blni_transition *out);

#endif /* BLN_SAMPLING_LEAPFROG_PRIVATE_H */
