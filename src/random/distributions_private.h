#ifndef BLN_RANDOM_DISTRIBUTIONS_PRIVATE_H
#define BLN_RANDOM_DISTRIBUTIONS_PRIVATE_H
/* distributions_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "distributions.h"
#include "../core/config_private.h"

/* distributions */
BLNI_PRIV double blni_log_gamma_share(bln_rng *rng, double shape);
BLNI_PRIV double blni_student_factor(bln_rng *rng, double nu);

#endif /* BLN_RANDOM_DISTRIBUTIONS_PRIVATE_H */
