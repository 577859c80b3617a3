#ifndef BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H
#define BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H
/* observe_likelihood_private: the table of this observation, which lists name, and functions that >>observe_latents uses too */
#include "observe_likelihood.h"
#include "posterior_private.h"

#ifdef BLNI_SEPARATE
extern const struct bln_observe_ops blni_observed_ops;
#endif

/* observe_likelihood */
BLNI_PRIV int blni_observed_told(const bln_observe *o, char *text);
BLNI_PRIV bln_status blni_observed_find(const struct bln_load *context, const char *name, size_t n_eta, size_t J, void *out);
BLNI_PRIV int blni_observed_usable(const bln_observe *o, const double *eta);
BLNI_PRIV bln_status blni_observed_rows(const bln_observe *o, const bln_data *data, int need, bln_report *report);
BLNI_PRIV bln_targets blni_observed_targets(const bln_data *rows, double *y);
BLNI_PRIV bln_status blni_observed_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed,
                                        int noise, uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y,
                                        double *work);

#endif /* BLN_POSTERIOR_OBSERVE_LIKELIHOOD_PRIVATE_H */
