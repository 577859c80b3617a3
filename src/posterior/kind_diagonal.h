#ifndef BLN_POSTERIOR_KIND_DIAGONAL_H
#define BLN_POSTERIOR_KIND_DIAGONAL_H
#include "posterior.h"
/* >>kind_diagonal - components that are Gaussians with independent weights, as variational inference fits them
 *
 *     w ~ N(m_k, diag psi_k) */

/* The view of a group. n_w: weights of all latents, those of a latent together. */
typedef struct bln_diagonals {
    const double *m;           /* K x n_w means, row stride ld      */
    const double *psi;         /* K x n_w variances >= 0            */
    size_t        ld;          /* (0 means n_w)                     */
} bln_diagonals;

/* The table of this kind. Cost of a row: 4 K n_w flops. */
BLN_API const struct bln_component_ops *bln_kind_diagonal(void);

#endif /* BLN_POSTERIOR_KIND_DIAGONAL_H */
