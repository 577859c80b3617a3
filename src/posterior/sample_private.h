#ifndef BLN_POSTERIOR_SAMPLE_PRIVATE_H
#define BLN_POSTERIOR_SAMPLE_PRIVATE_H
#include "sample.h"
#include "gaussian_private.h"
#include "../random/rng.h"
/* sample_private: exact draws of the weights from a Gaussian posterior, alone or together with their prior paths
 *
 * A draw of w is a draw of the whole function f(x) = phi(x)'w, which can be evaluated anywhere, and later too. There are two ways:
 *
 *     plain       w = m + S U^-1 e,  e ~ N(0, I)                          factor form only                      [linear 37]
 *     pathwise    w0 = S e ~ N(0, S^2), a draw from the prior, and w = w0 + a correction by the data            [linear 38]
 *                 Cov(w0, w) = C: the pair shows what was learnt, and the same prior path can be followed through several data
 *                 sets or sizes. In the low-rank form every draw is made so.
 *
 * Pathwise draws need Q, a k x k upper triangular factor (k rows of R), made once:
 *     Q'Q = I - V V'   (low-rank form)      or      Q'Q = I - (U U')^-1   (factor form).                           [linear 37, 38]
 *
 * s holds prior standard deviations: for a flat prior there is no prior path to draw. */

/* Q for pathwise draws; k x k, row-major without gaps, zeros below the diagonal. diag: k doubles of workspace. *tau (may be NULL):
 * what had to be added to the diagonal because of rounding [linear 20]. It is the relative error of the draws' variances, beside
 * those of w (factor form) or of w0 (low-rank); relative errors of draws, in standard deviations, are its root. It is k eps, or ten
 * or a hundred times that, instead of 0 where Q'Q is singular: if the data say nothing about some direction of w (factor form), or
 * determine one to rounding (low-rank).
 *     k^2 D + k^3/3 flops (low-rank), D^3 (factor)
 * BLN_ENOTPD: the posterior is not one (NaN or infinity in R). */
BLNI_PRIV bln_status blni_gaussian_path_factor(const blni_gaussian *g, double *Q, double *diag, double *tau);

/* n draws into the rows of W (n x D, stride ldw >= D). Q: NULL for plain draws (factor form only), else as made above.
 * prior: n x D, stride ldw, gets the prior paths w0 of the same draws; NULL to skip it; needs Q.
 * work: blni_gaussian_sample_work(g) doubles (SIZE_MAX: overflow).
 *     D^2 flops a plain draw, 4 D k + 2 k^2 (low-rank) or 4 D^2 (factor) a pathwise one */
BLNI_PRIV void blni_gaussian_sample(const blni_gaussian *g, const double *Q, size_t n, uint64_t seed, uint64_t stream, double *W,
                                 double *prior, size_t ldw, double *work);
BLNI_PRIV size_t blni_gaussian_sample_work(const blni_gaussian *g);

/* draws: the desc with defaults; the seed of output j of a seed; the stream of the noise, or of what features miss, of a draw. */
BLNI_PRIV bln_draw_desc blni_draws_defaults(const bln_draw_desc *draws);
BLNI_PRIV uint64_t blni_draw_key(uint64_t seed, size_t j);
BLNI_PRIV uint64_t blni_draw_behind(uint64_t seed, uint64_t stream, int missed);

#endif /* BLN_POSTERIOR_SAMPLE_PRIVATE_H */
