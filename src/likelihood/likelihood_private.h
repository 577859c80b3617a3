#ifndef BLN_LIKELIHOOD_LIKELIHOOD_PRIVATE_H
#define BLN_LIKELIHOOD_LIKELIHOOD_PRIVATE_H
/* likelihood_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "likelihood.h"
#include "../core/config_private.h"

#define BLNI_INFINITY ((double)INFINITY)
#define BLNI_LOG_2    0.69314718055994530942

/* The first parameters of functions of a table: n rows at the likelihood's parameters theta, targets t; _K: for theta_k alone. */
#define BLNI_TARGETS   const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t
#define BLNI_TARGETS_K const bln_likelihood *l, const double *theta, size_t k, size_t n, const bln_targets *t

/* The last parameters of expectations under normals: E log p and its slopes in m, v and theta (n_theta x n, stride lddtheta). */
#define BLNI_EXPECTED double *value, double *dm, double *dv, double *dtheta, size_t lddtheta

enum { BLNI_CONSTANTS_ROOM = BLN_LIKELIHOOD_CONSTANTS*BLN_LIKELIHOOD_BLOCK };

/* likelihood */
BLNI_PRIV void blni_likelihood_told(const bln_likelihood *l, char *text);
BLNI_PRIV bln_likelihood blni_likelihood_of(const bln_likelihood_ops *ops, size_t n_theta);
BLNI_PRIV void blni_param_log(double low, double start, double high, bln_param *out);
BLNI_PRIV double blni_trials(const bln_targets *t, size_t i);
BLNI_PRIV double blni_noise_var(const bln_targets *t, size_t i);
BLNI_PRIV bln_targets blni_targets_from(const bln_targets *t, size_t first);
BLNI_PRIV bln_targets blni_targets_block(const bln_likelihood *l, const double *theta, const bln_targets *t, size_t first, size_t n,
                                         double *room);
BLNI_PRIV double *blni_shift(double *p, size_t i);

/* Runs CALL for blocks of `rows` of n rows, from row i on, with the targets b: those of t, or with the constants of l at theta. */
#define BLNI_BY_TARGETS(TARGETS, CALL) \
    for (size_t i = 0; i < n; i += BLN_LIKELIHOOD_BLOCK) { \
        const size_t rows = blni_min(n - i, BLN_LIKELIHOOD_BLOCK); \
        const bln_targets b = TARGETS; \
        CALL; \
    }
#define BLNI_BY_BLOCKS(CALL) BLNI_BY_TARGETS(blni_targets_from(t, i), CALL)
#define BLNI_BY_CONSTANTS(CALL) \
    { double room[BLNI_CONSTANTS_ROOM]; BLNI_BY_TARGETS(blni_targets_block(l, theta, t, i, rows, room), CALL) }

BLNI_PRIV void blni_support(const bln_likelihood *l, double trials, double *low, double *high);
BLNI_PRIV int blni_whole(double y);
BLNI_PRIV bln_status blni_likelihood_check_from(const bln_likelihood *l, const bln_data *data, size_t first, bln_report *report);
BLNI_PRIV void blni_logp(BLNI_TARGETS, const double *f, double *logp);
BLNI_PRIV void blni_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3);
BLNI_PRIV void blni_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2);
BLNI_PRIV void blni_likelihood_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2);
BLNI_PRIV void blni_likelihood_start(BLNI_TARGETS, double *f);
BLNI_PRIV void blni_moments(BLNI_TARGETS, const double *f, double *mean, double *var);
BLNI_PRIV void blni_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper);
BLNI_PRIV void blni_logcdf(BLNI_TARGETS, const double *f, double *lower, double *upper);
BLNI_PRIV void blni_quantile(BLNI_TARGETS, const double *f, const double *p, double *y);
BLNI_PRIV void blni_start(BLNI_TARGETS, double *f);
BLNI_PRIV void blni_singularity(BLNI_TARGETS, double *centre, double *width);

/* likelihood_latents */
BLNI_PRIV size_t blni_likelihood_columns(const bln_likelihood *l);
BLNI_PRIV const char *blni_latents_reason(const bln_likelihood *l);
BLNI_PRIV void blni_latents_logp_of_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp);

/* The column of the pair j <= k, where pairs of J latents are stored as columns; the number of pairs. */
BLNI_INLINE size_t blni_latent_pair(size_t J, size_t j, size_t k) { return j*(2*J - j - 1)/2 + k; }
BLNI_INLINE size_t blni_latent_pairs(size_t J) { return J*(J + 1)/2; }

/* ---- quantiles of any distribution function that is given as two tails: the least y with lower(y) >= p, found from q = 1 - p if
 * that is smaller. y0, y1: guesses. */
typedef void (*blni_tails_fn)(void *user, double y, double *lower, double *upper);

/* likelihood_defaults */
BLNI_PRIV void blni_mixture_at(BLNI_TARGETS, const double *m, const double *v, double *centre, double *tilt, double *square);
BLNI_PRIV void blni_mixture_bound(BLNI_TARGETS, const double *m, const double *v, double *ell, double *h, double *omega);
BLNI_PRIV const char *blni_mixture_reason(const bln_likelihood *l, const bln_targets *row);
BLNI_PRIV void blni_default_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3);
BLNI_PRIV double blni_log_excess(double p, double q, double lower, double upper);
BLNI_PRIV double blni_search_quantile(blni_tails_fn tails, void *user, double p, double q, int discrete, double low, double high,
                                      double y0, double y1);
BLNI_PRIV int blni_eta_usable(const bln_likelihood *l, const double *eta);

#endif /* BLN_LIKELIHOOD_LIKELIHOOD_PRIVATE_H */
