#ifndef BLN_LIKELIHOOD_LOCATION_PRIVATE_H
#define BLN_LIKELIHOOD_LOCATION_PRIVATE_H
/* location_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "location.h"
#include "../core/config_private.h"

/* A Laplace density of one row: lengths of its tails below and above f; -log p = slope |r| + tilt r + ...; P(Y < f), P(Y > f). */
typedef struct blni_two_sides { double below, above, slope, tilt, left, right; } blni_two_sides;
BLNI_PRIV blni_two_sides blni_two_sides_of(const bln_likelihood *l, const double *theta, const bln_targets *t, size_t i);
BLNI_PRIV double blni_student_psi(double x);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gauss_ops;
extern const bln_likelihood_ops blni_student_ops;
extern const bln_likelihood_ops blni_laplace_ops[2];
#endif

#endif /* BLN_LIKELIHOOD_LOCATION_PRIVATE_H */
