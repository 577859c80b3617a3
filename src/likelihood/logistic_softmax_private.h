#ifndef BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_PRIVATE_H
#define BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_PRIVATE_H
/* logistic_softmax_private: the tables of this likelihood, which lists name, in the order of bln_softmax */
#include "logistic_softmax.h"
#include "../core/config_private.h"

/* logistic_softmax: s_j of latent j, and E */
BLNI_PRIV double blni_logistic_scale(const bln_likelihood *l, const double *theta, size_t j);
BLNI_PRIV double blni_logistic_rest(const bln_likelihood *l);

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_logistic_softmax_ops[3];
#endif

#endif /* BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_PRIVATE_H */
