#ifndef BLN_POSTERIOR_KIND_STUDENT_PRIVATE_H
#define BLN_POSTERIOR_KIND_STUDENT_PRIVATE_H
#include "kind_student.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
/* the tables of this kind, which each question lists */
extern const struct bln_component_ops blni_students_ops;
extern const blni_slope_ops blni_students_slopes;
extern const blni_weight_ops blni_students_weights;
extern const blni_draw_ops blni_students_draws;
#endif

#endif /* BLN_POSTERIOR_KIND_STUDENT_PRIVATE_H */
