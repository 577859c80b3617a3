#ifndef BLN_POSTERIOR_KIND_DIAGONAL_H
#define BLN_POSTERIOR_KIND_DIAGONAL_H
#include "mixture.h"
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

/* The mixture of a posterior whose components are one group of this kind with equal weights, for the kernels of >>mixture: of the
 * weights of latent j. A view, as long as q is one.
 * BLN_EINVAL: NULL; q is another list of components; j >= J.  The status of q, if that is not BLN_OK. */
BLN_API bln_status bln_posterior_mixture(const bln_posterior *q, size_t j, bln_mixture *out);

#endif /* BLN_POSTERIOR_KIND_DIAGONAL_H */
