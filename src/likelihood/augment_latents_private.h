#ifndef BLN_LIKELIHOOD_AUGMENT_LATENTS_PRIVATE_H
#define BLN_LIKELIHOOD_AUGMENT_LATENTS_PRIVATE_H
/* augment_latents_private: the sites of likelihoods of several latents, which augment.c lists */
#include "likelihood_private.h"

/* c = sqrt(m^2 + v); logs of the lower bounds of E sigma(f) and E sigma(-f): +-m/2 - c/2 - log(1 + e^-c) [augmentation 13]. */
typedef struct blni_augment_rate { double c, above, below; } blni_augment_rate;

/* augment_latents */
BLNI_PRIV blni_augment_rate blni_augment_rate_of(double m, double v);
BLNI_PRIV void blni_augment_heteroscedastic(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t,
                                            const double *weight, const double *m, const double *v, size_t ld, bln_rng *rng,
                                            double *ell, double *h, double *precision, double *deta, size_t ldeta);
BLNI_PRIV void blni_augment_softmax(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t,
                                    const double *weight, const double *m, const double *v, size_t ld, bln_rng *rng, double *ell,
                                    double *h, double *precision, double *deta, size_t ldeta);

#endif /* BLN_LIKELIHOOD_AUGMENT_LATENTS_PRIVATE_H */
