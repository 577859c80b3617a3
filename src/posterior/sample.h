#ifndef BLN_POSTERIOR_SAMPLE_H
#define BLN_POSTERIOR_SAMPLE_H
#include "gaussian.h"
#include "../random/rng.h"
/* >>sample - exact draws of the weights from a Gaussian posterior, alone or together with their prior paths
 *
 * A draw of w is a draw of the whole function f(x) = phi(x)'w: evaluated anywhere, later too, it is one function. Two ways:
 *
 *     plain       w = m + S U^-1 e,  e ~ N(0, I)                          factor form only                            (S37)
 *     pathwise    w0 = S e ~ N(0, S^2), a draw from the prior, and w = w0 + what the data change about it             (S38)
 *                 Cov(w0, w) = C: the pair shows what was learnt, and the same prior path can be followed through several data
 *                 sets or sizes. In the low-rank form every draw is made so.
 *
 * Pathwise draws need Q, a k x k upper triangular factor (k rows of R), made once:
 *     Q'Q = I - V V'   (low-rank form)      or      Q'Q = I - (U U')^-1   (factor form).                    [spec/slm.md S37, S38]
 *
 * The normals of draw i are those of stream `stream` + i of the seed, so that draws can be split over calls, threads and ranks; how
 * they are grouped changes rounding only. s holds prior standard deviations: for a flat prior there is no prior path to draw. */

/* What features miss of f (>>inducing) is drawn by each row itself, or jointly over the rows of a call, or not at all: >>draws. */
typedef enum bln_residual { BLN_RESIDUAL_ROWS, BLN_RESIDUAL_JOINT, BLN_RESIDUAL_NONE } bln_residual;

/* How many draws, and which. */
typedef struct bln_draw_desc {
    size_t   n;            /* draws                                                                             (0: 1)      */
    uint64_t seed;         /*                                                                                   (0: seed 0) */
    uint64_t stream;       /* draw i has the streams of `stream` + i, so that draws can be split over calls     (0)         */
    int      noise;        /* draws of y rather than of f                                                       (0: f)      */
    size_t   first_row;    /* number of the first row of the data, to which the noise is keyed, for points that
                              come in parts                                                                     (0)         */
    bln_residual residual; /* looked at by >>draws alone                                                        (0: ROWS)   */
} bln_draw_desc;

/* Q for pathwise draws; k x k, row-major without gaps, zeros below the diagonal. diag: k doubles of workspace. *tau: what had to be
 * added to the diagonal against rounding (S20), NULL to skip it: an error of the draws' variances relative to those of w (factor
 * form) or of w0 (low-rank), and of their values, relative to the standard deviations, by its root. Not 0 but k eps, or ten or a
 * hundred times that, where Q'Q is singular: if the data say nothing about some direction of w (factor form), or pin one down to
 * rounding (low-rank).
 *     k^2 D + k^3/3 flops (low-rank), D^3 (factor)
 * BLN_ENOTPD: the posterior is not one (NaN or infinity in R). */
BLN_API bln_status bln_gaussian_path_factor(const bln_gaussian *g, double *Q, double *diag, double *tau);

/* n draws into the rows of W (n x D, stride ldw >= D). Q: NULL for plain draws (factor form only), else as made above.
 * prior: n x D, stride ldw, gets the prior paths w0 of the same draws; NULL to skip it; needs Q.
 * work: bln_gaussian_sample_work(g) doubles (SIZE_MAX: overflow).
 *     D^2 flops a plain draw, 4 D k + 2 k^2 (low-rank) or 4 D^2 (factor) a pathwise one */
BLN_API void bln_gaussian_sample(const bln_gaussian *g, const double *Q, size_t n, uint64_t seed, uint64_t stream, double *W,
                                 double *prior, size_t ldw, double *work);
BLN_API size_t bln_gaussian_sample_work(const bln_gaussian *g);

#endif /* BLN_POSTERIOR_SAMPLE_H */
