#ifndef BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H
#define BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H
#include "observe_latents.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
/* the table of this observation, which lists of observations name */
extern const struct bln_observe_ops blni_latents_ops;
#endif

#endif /* BLN_POSTERIOR_OBSERVE_LATENTS_PRIVATE_H */
