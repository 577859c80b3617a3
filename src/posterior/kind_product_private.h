#ifndef BLN_POSTERIOR_KIND_PRODUCT_PRIVATE_H
#define BLN_POSTERIOR_KIND_PRODUCT_PRIVATE_H
#include "kind_product.h"
#include "posterior_private.h"
#include "gaussian_private.h"

/* The number of doubles of all factors of a component, sum_j D_j^2. */
BLNI_PRIV size_t blni_latentwise_factors(const bln_posterior *q);

#ifdef BLNI_SEPARATE
/* the tables of this kind, which each question lists */
extern const struct bln_component_ops blni_latentwise_ops;
extern const blni_slope_ops blni_latentwise_slopes;
extern const blni_weight_ops blni_latentwise_weights;
extern const blni_draw_ops blni_latentwise_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_PRODUCT_PRIVATE_H */
