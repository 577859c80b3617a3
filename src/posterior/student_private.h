#ifndef BLN_POSTERIOR_STUDENT_PRIVATE_H
#define BLN_POSTERIOR_STUDENT_PRIVATE_H
/* student_private: what the questions find by the kind */
#include "student.h"
#include "views_private.h"

#ifdef BLNI_SEPARATE
extern const blni_slope_ops blni_students_slopes;
extern const blni_weight_ops blni_students_weights;
extern const blni_draw_ops blni_students_draws;
#endif

#endif /* BLN_POSTERIOR_STUDENT_PRIVATE_H */
