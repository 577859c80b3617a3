#ifndef BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H
#define BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H
#include "likelihood_private.h"
#include "latent.h"
/* latents_predictive_private: the distribution of y, where f of several latents is a mixture of normals
 *
 * For n rows with targets t (y only read by what asks for it). C of a component: f->cov, or NULL: independent latents. By the
 * functions of the likelihood's table, and where these say NaN by BLNI_LATENT_POINTS points of f: the halves f = m + L z and
 * m - L z of a scrambled Sobol' sequence, CC' = C. Errors are then some 1e-4 of the spread of what is averaged.
 * work: blni_latents_work(l) doubles. */
enum { BLNI_LATENT_POINTS = 1024 };

BLNI_PRIV size_t blni_latents_work(const bln_likelihood *l);

/* E y, Var E[y | f], E Var[y | f], n x columns each, any may be NULL; log p(y); P(Y <= y) and P(Y > y), any may be NULL. */
BLNI_PRIV void blni_latents_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                    double *model, double *noise, double *work);
BLNI_PRIV void blni_latents_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *out,
                                       double *work);
BLNI_PRIV void blni_latents_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                double *upper, double *work);

/* Of row i, for the tails p below and q above: the least y with P(Y <= y) >= p. */
BLNI_PRIV double blni_latents_quantile(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double p,
                                       double q, double *work);

#endif /* BLN_LIKELIHOOD_LATENTS_PREDICTIVE_PRIVATE_H */
