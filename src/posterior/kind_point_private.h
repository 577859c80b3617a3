#ifndef BLN_POSTERIOR_KIND_POINT_PRIVATE_H
#define BLN_POSTERIOR_KIND_POINT_PRIVATE_H
#include "kind_point.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
/* the tables of this kind, which each question lists */
extern const struct bln_component_ops blni_points_ops;
extern const blni_slope_ops blni_points_slopes;
extern const blni_weight_ops blni_points_weights;
extern const blni_draw_ops blni_points_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_POINT_PRIVATE_H */
