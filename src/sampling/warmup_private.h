#ifndef BLN_SAMPLING_WARMUP_PRIVATE_H
#define BLN_SAMPLING_WARMUP_PRIVATE_H
/* warmup_private: how a sampler learns its step and its metric; comments stand at the definitions */
#include "../core/config_private.h"

/* Dual averaging of log step [samplers 33]: mu attracts log step, lag is the averaged lack of acceptance, log_mean the averaged log
 * step, wanted the target acceptance; t transitions so far. */
typedef struct blni_averaging { double mu, lag, log_mean, wanted; size_t t; } blni_averaging;

/* The metric is learnt from transitions `first` to `last` - 1 of the warm-up, in windows that double; this one has `size`, up to
 * transition `end` - 1. */
typedef struct blni_windows { size_t first, last, size, end; } blni_windows;

/* Mean and scatter of n positions: D numbers each, or, if dense, scatter D x D, upper triangle; d: workspace. */
typedef struct blni_spread { size_t D, n; int dense; double *mean, *scatter, *d; } blni_spread;

/* warmup */
BLNI_PRIV void blni_averaging_start(blni_averaging *a, double step, double wanted);
BLNI_PRIV double blni_averaging_next(blni_averaging *a, double accept);
BLNI_PRIV double blni_averaging_end(const blni_averaging *a);
BLNI_PRIV blni_windows blni_windows_of(size_t warmup);
BLNI_PRIV int blni_windows_end(blni_windows *w, size_t t);
BLNI_PRIV void blni_spread_clear(blni_spread *s);
BLNI_PRIV void blni_spread_add(blni_spread *s, const double *q);
BLNI_PRIV int blni_spread_strange(const blni_spread *s, const double *scale, const double *U);
BLNI_PRIV int blni_spread_metric(const blni_spread *s, double *scale, double *U);

#endif /* BLN_SAMPLING_WARMUP_PRIVATE_H */
