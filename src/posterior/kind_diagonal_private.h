#ifndef BLN_POSTERIOR_KIND_DIAGONAL_PRIVATE_H
#define BLN_POSTERIOR_KIND_DIAGONAL_PRIVATE_H
#include "kind_diagonal.h"
#include "posterior_private.h"
#include "mixture_private.h"

/* The mixture over the weights of latent j, which begin at `offset`. */
BLNI_PRIV blni_mixture blni_diagonals_of(BLNI_OF_GROUP, size_t j, size_t offset);

#ifdef BLNI_SEPARATE
/* the tables of this kind, which each question lists */
extern const struct bln_component_ops blni_diagonals_ops;
extern const blni_slope_ops blni_diagonals_slopes;
extern const blni_weight_ops blni_diagonals_weights;
extern const blni_draw_ops blni_diagonals_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_DIAGONAL_PRIVATE_H */
