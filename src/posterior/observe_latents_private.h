#ifndef BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H
#define BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H
/* observe_latents_private: the table of this observation, which lists of observations name */
#include "observe_latents.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
extern const struct bln_observe_ops blni_latents_ops;
#endif

#endif /* BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H */
