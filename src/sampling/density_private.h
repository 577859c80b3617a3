#ifndef BLN_SAMPLING_DENSITY_PRIVATE_H
#define BLN_SAMPLING_DENSITY_PRIVATE_H
/* density_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "density.h"
#include "../core/config_private.h"

/* density */
BLNI_PRIV bln_status blni_density_eval(const bln_density *d, void *user, const double *q, double *value, double *gradient,
                                       bln_report *report);

#endif /* BLN_SAMPLING_DENSITY_PRIVATE_H */
