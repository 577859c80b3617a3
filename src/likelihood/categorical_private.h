#ifndef BLN_LIKELIHOOD_CATEGORICAL_PRIVATE_H
#define BLN_LIKELIHOOD_CATEGORICAL_PRIVATE_H
/* categorical_private: private declarations, for this room and other likelihoods of classes; comments stand at the definitions */
#include "categorical.h"
#include "likelihood_private.h"

/* The first class with a latent: 0, or 1 where class 0 has none and its f is 0. The class of a target y, clipped to 0..K-1. */
BLNI_INLINE size_t blni_categorical_first(const bln_likelihood *l) { return l->ops->latents->classes(l) - l->n_latent; }
BLNI_INLINE size_t blni_category_of(const bln_likelihood *l, double y)
{
    const size_t last = l->ops->latents->classes(l) - 1;
    return y > 0.0 ? y < (double)last ? (size_t)y : last : 0;
}

/* categorical */
BLNI_PRIV const char *blni_categorical_domain(const bln_likelihood *l, double y, double trials);
BLNI_PRIV void blni_categorical_support(const bln_likelihood *l, double trials, double *low, double *high);
BLNI_PRIV size_t blni_categorical_classes(const bln_likelihood *l);
BLNI_PRIV size_t blni_categorical_classes_but_one(const bln_likelihood *l);

/* categorical_expect */
BLNI_PRIV void blni_categorical_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance, BLNI_EXPECTED);
BLNI_PRIV void blni_categorical_normal_logp(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                            double *logp);
BLNI_PRIV void blni_categorical_normal_moments(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                               double *mean, double *model, double *noise);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_categorical_ops;
extern const bln_likelihood_ops blni_categorical_reference_ops;
#endif

#endif /* BLN_LIKELIHOOD_CATEGORICAL_PRIVATE_H */
