#ifndef BLN_POSTERIOR_OBSERVE_NOISE_PRIVATE_H
#define BLN_POSTERIOR_OBSERVE_NOISE_PRIVATE_H
/* observe_noise_private: the functions of normal noise that the questions call; for their meaning see bln_observe_ops */
#include "observe_noise.h"
#include "posterior_private.h"

BLNI_PRIV void blni_noise_logdensity(BLNI_OBSERVED, double *out, double *work);
BLNI_PRIV void blni_noise_cdf(BLNI_OBSERVED, double *lower, double *upper, double *work);
BLNI_PRIV void blni_noise_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work);
BLNI_PRIV bln_status blni_noise_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed, int noise,
                                     uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y, double *work);
BLNI_PRIV bln_status blni_noise_factors(size_t P, const double *sigma, double *U, double *C);
BLNI_PRIV size_t blni_noise_logp_work(const bln_observe *o, size_t n);
BLNI_PRIV void blni_noise_sites(BLNI_OBSERVED, bln_sites rule, double *slope, double *W, double *work);
BLNI_PRIV void blni_noise_together(BLNI_OBSERVED, double *out, double *work);   /* log p of all outputs of a row, as logp */
BLNI_PRIV void blni_noise_logp(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest, size_t S,
                               const double *f, double *out, double *work);

#ifdef BLNI_SEPARATE
extern const struct bln_observe_ops blni_noise_ops;
#endif

#endif /* BLN_POSTERIOR_OBSERVE_NOISE_PRIVATE_H */
