#ifndef BLN_POSTERIOR_PRIOR_PRIVATE_H
#define BLN_POSTERIOR_PRIOR_PRIVATE_H
/* prior_private: the prior variances of the weights; comments stand at the definitions */
#include "../core/config_private.h"
#include "../basis/basis.h"

BLNI_PRIV size_t blni_priors(const bln_basis *b, int per_weight);
BLNI_PRIV size_t blni_prior_first(const bln_basis *b, int per_weight, size_t s);
BLNI_PRIV size_t blni_prior_active(const bln_basis *b, int per_weight, size_t s);
BLNI_PRIV int blni_flat(double prior_var);
BLNI_PRIV size_t blni_flat_weights(const bln_basis *b, int per_weight, const double *prior_var, size_t *flat);
BLNI_PRIV size_t blni_prior_scales(const bln_basis *b, int per_weight, const double *prior_var, double *s, double *penalty);
BLNI_PRIV int blni_flat_misses(const bln_basis *b, const double *prior_var, int per_weight);
BLNI_PRIV double blni_gram_noise(double N);
BLNI_PRIV size_t blni_flat_dependent(size_t n, const double *U, size_t ldu, const double *penalty, double noise, double *v,
                                     double *diagonal);

#endif /* BLN_POSTERIOR_PRIOR_PRIVATE_H */
