#ifndef BLN_RANDOM_POLYA_GAMMA_PRIVATE_H
#define BLN_RANDOM_POLYA_GAMMA_PRIVATE_H
/* polya_gamma_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "polya_gamma.h"
#include "../core/config_private.h"

/* polya_gamma */
BLNI_PRIV double blni_polya_gamma_mean(double b, double c);
BLNI_PRIV int blni_polya_gamma_below(double v, double b, double x);
BLNI_PRIV int blni_polya_gamma_theta(double v, double q);
BLNI_PRIV void blni_polya_gamma_rest(double c, double e, size_t K, double *power);

#endif /* BLN_RANDOM_POLYA_GAMMA_PRIVATE_H */
