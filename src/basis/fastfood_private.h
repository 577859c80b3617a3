#ifndef BLN_BASIS_FASTFOOD_PRIVATE_H
#define BLN_BASIS_FASTFOOD_PRIVATE_H
/* fastfood_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "fastfood.h"
#include "../core/config_private.h"

/* fastfood */
BLNI_PRIV bln_status blni_fastfood_load(const bln_load *context, bln_reader *r, bln_basis **out);

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_fastfood_ops;
#endif
BLNI_PRIV const char *blni_fastfood_check(const bln_fourier_desc *desc);

#endif /* BLN_BASIS_FASTFOOD_PRIVATE_H */
