#ifndef BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
#define BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H
/* gaussian_scale_private: the table of this likelihood, which lists name, and functions that >>heteroscedastic uses too */
#include "gaussian_scale.h"
#include "likelihood_private.h"

BLNI_PRIV void blni_gaussian_scale_start(BLNI_TARGETS, double *f, size_t ld);
BLNI_PRIV double blni_gaussian_scale_along(const double *v, const double *cov, size_t ld, size_t i);
BLNI_PRIV void blni_gaussian_scale_normal_logp(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                               double *logp);
BLNI_PRIV void blni_gaussian_scale_normal_cdf(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                              double *lower, double *upper);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_gaussian_scale_ops;
#endif

#endif /* BLN_LIKELIHOOD_GAUSSIAN_SCALE_PRIVATE_H */
