#ifndef BLN_BASIS_POLYNOMIAL_PRIVATE_H
#define BLN_BASIS_POLYNOMIAL_PRIVATE_H
/* polynomial_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "polynomial.h"
#include "../core/config_private.h"

/* polynomial */
BLNI_PRIV bln_status blni_legendre_within(const bln_allocator *alloc, size_t d, size_t degree, int ones, double range,
                                          bln_basis **out);

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_bias_ops;
extern const bln_basis_ops blni_linear_ops;
extern const bln_basis_ops blni_poly_ops;
extern const bln_basis_ops blni_legendre_ops;
#endif

#endif /* BLN_BASIS_POLYNOMIAL_PRIVATE_H */
