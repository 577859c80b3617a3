#ifndef BLN_MATH_EXACT_PRIVATE_H
#define BLN_MATH_EXACT_PRIVATE_H
/* exact_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "exact.h"
#include "../core/config_private.h"

/* exact */
BLNI_PRIV void blni_exact_product(double a, double b, double *p);
BLNI_PRIV bln_exact blni_exact_less(bln_exact a, bln_exact b, bln_exact c);

#endif /* BLN_MATH_EXACT_PRIVATE_H */
