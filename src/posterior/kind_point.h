#ifndef BLN_POSTERIOR_KIND_POINT_H
#define BLN_POSTERIOR_KIND_POINT_H
#include "posterior.h"
/* >>kind_point - components that are points: draws of the weights, or a single best guess */

/* The view of a group: rows of a table whose columns from w on are the n_w weights of all latents, those of a latent together. */
typedef struct bln_points {
    const double *w;           /* K x n_w, row stride ld            */
    size_t        ld;          /* (0 means n_w)                     */
} bln_points;

/* The table of this kind. Cost of a row: 2 K n_w flops. */
BLN_API const struct bln_component_ops *bln_kind_point(void);

#endif /* BLN_POSTERIOR_KIND_POINT_H */
