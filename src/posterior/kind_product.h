#ifndef BLN_POSTERIOR_KIND_PRODUCT_H
#define BLN_POSTERIOR_KIND_PRODUCT_H
#include "posterior.h"
/* >>kind_product - components whose latents are independent, each with a Gaussian over its own weights
 *
 *     w_j ~ N(m_kj, C_kj),   C_kj = S_kj (U'U)^-1 S_kj,   U: D_j x D_j upper,   j < J
 *
 * as variational inference of several latents fits them. For latents that depend on each other: >>kind_gaussian. */

/* The view of a group. n_w = sum_j D_j: weights of all latents, those of a latent together. */
typedef struct bln_products {
    const double *m;           /* K x n_w: means                                                    */
    const double *s;           /* K x n_w: prior standard deviations                                */
    const double *U;           /* K x sum_j D_j^2: the factors of a component one after the other   */
} bln_products;

/* The table of this kind. Cost of a row for each component: sum_j D_j^2 flops. */
BLN_API const struct bln_component_ops *bln_kind_product(void);

#endif /* BLN_POSTERIOR_KIND_PRODUCT_H */
