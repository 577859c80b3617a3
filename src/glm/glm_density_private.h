#ifndef BLN_GLM_GLM_DENSITY_PRIVATE_H
#define BLN_GLM_GLM_DENSITY_PRIVATE_H
/* glm_density_private: makes the joint density for a method that samples it; comments stand at the definitions */
#include "glm_density.h"
#include "../core/config_private.h"

/* glm_density */
BLNI_PRIV bln_status blni_joint_make(const bln_allocator *alloc, const bln_glm_desc *desc, const bln_data *data,
                                     bln_glm_density **out, bln_report *report);
BLNI_PRIV bln_status blni_joint_eval(void *user, const double *q, double *value, double *gradient, bln_report *report);
BLNI_PRIV void blni_joint_output(void *user, const double *q, uint64_t seed, uint64_t draw, double *out);

#endif /* BLN_GLM_GLM_DENSITY_PRIVATE_H */
