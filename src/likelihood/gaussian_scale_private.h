#ifndef BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
#define BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
/* gaussian_scale_private: the table of this likelihood, which lists name, and functions that >>heteroscedastic uses too */
#include "gaussian_scale.h"
#include "likelihood_private.h"

/* For y given z ~ N(centre + along z, left + e^(2 (log_sd + spread z))) and a standard normal z: the log of the density of y (what
 * 0), of P(Y <= y) (what 1) or of P(Y > y) (what -1). */
BLNI_PRIV double blni_gaussian_scale_mixture(double y, double centre, double along, double left, double log_sd, double spread,
                                             int what);
BLNI_PRIV void blni_gaussian_scale_start(BLNI_TARGETS, double *f, size_t ld);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gaussian_scale_ops;
#endif

#endif /* BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H */
