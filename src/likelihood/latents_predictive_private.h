#ifndef BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H
#define BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H
#include "likelihood_private.h"
#include "latent.h"
/* latents_predictive_private: the distribution of y, where f of several latents is a mixture of normals
 *
 * For n rows with targets t, whose y only densities and distribution functions read. f->cov holds the covariance C of the latents
 * under each component; NULL: they are independent. The functions of the likelihood's table are used; where they return NaN,
 * averages over BLNI_LATENT_POINTS points f = m + L z and m - L z, LL' = C, with z from a scrambled Sobol' sequence, whose errors
 * are about 1e-4 of the spread of what is averaged. work: blni_latents_work(l) doubles. */
enum { BLNI_LATENT_POINTS = 1024 };

BLNI_PRIV size_t blni_latents_work(const bln_likelihood *l);

/* _moments: E y, Var E[y | f], E Var[y | f], n x columns each. _logdensity: log p(y). _cdf: P(Y <= y) and P(Y > y). Any of several
 * outputs may be NULL. */
BLNI_PRIV void blni_latents_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                    double *model, double *noise, double *work);
BLNI_PRIV void blni_latents_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *out,
                                       double *work);
BLNI_PRIV void blni_latents_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                double *upper, double *work);

/* The quantile of row i: the least y with P(Y <= y) >= p; q = 1 - p. */
BLNI_PRIV double blni_latents_quantile(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double p,
                                       double q, double *work);

#endif /* BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H */
