#ifndef BLN_OPTIM_TRANSFORM_PRIVATE_H
#define BLN_OPTIM_TRANSFORM_PRIVATE_H
/* transform_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "transform.h"
#include "../core/config_private.h"

/* transform */
BLNI_PRIV double blni_clip(double x, double lo, double hi);
BLNI_PRIV double blni_param_scale(const bln_param *p);
BLNI_PRIV double blni_param_bend(const bln_param *p, double u);
BLNI_PRIV bln_param blni_log_param(double start, double lo, double hi);

#endif /* BLN_OPTIM_TRANSFORM_PRIVATE_H */
