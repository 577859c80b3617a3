#ifndef BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
#define BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
/* gaussian_scale_private: its table, for the list of all, and what others need */
#include "gaussian_scale.h"
#include "likelihood_private.h"

/* y given z is N(centre + along z, left + e^(2 (log_sd + spread z))), z a standard normal. what = 0: the log of the density of y;
 * 1: of P(Y <= y); -1: of P(Y > y). */
BLNI_PRIV double blni_gaussian_scale_mixture(double y, double centre, double along, double left, double log_sd, double spread,
                                             int what);
BLNI_PRIV void blni_gaussian_scale_start(BLNI_TARGETS, double *f, size_t ld);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gaussian_scale_ops;
#endif

#endif /* BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H */
