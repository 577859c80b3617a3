#ifndef BLN_LIKELIHOOD_HETEROSCEDASTIC_PRIVATE_H
#define BLN_LIKELIHOOD_HETEROSCEDASTIC_PRIVATE_H
/* heteroscedastic_private: the tables of this likelihood, which lists name: with normal noise, and with Student-t noise */
#include "heteroscedastic.h"
#include "../core/config_private.h"

#ifdef BLNI_SEPARATE
extern const bln_likelihood_ops blni_heteroscedastic_ops[2];
#endif

#endif /* BLN_LIKELIHOOD_HETEROSCEDASTIC_PRIVATE_H */
