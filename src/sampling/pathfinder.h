#ifndef BLN_SAMPLING_PATHFINDER_H
#define BLN_SAMPLING_PATHFINDER_H
#include "density.h"
#include "approximation.h"
/* >>pathfinder - Gaussians on the way to a mode: an approximation from a few hundred gradients, and starts for chains
 *
 *     if (bln_pathfinder_fit(&desc, &found, &report)) ...
 *     const bln_approximation *q = bln_pathfinder_result(found);
 *     hmc.start = q->starts;  hmc.n_starts = q->n_starts;  hmc.inverse_metric = q->variance;  hmc.warmup = 300;
 *
 * L-BFGS climbs log p from random points. Its estimate of the curvature at a point x of a path gives a covariance S, diagonal plus
 * low rank, and the Gaussian N(x + S grad log p(x), S). The approximation of a path is the Gaussian with the highest ELBO
 * (>>approximation) of all its points, each ELBO estimated from ten draws. The q of the weights is the mixture of the Gaussians of
 * all paths in equal parts; bln_chains_resample draws by the weights.
 *                                         [Zhang, Carpenter, Gelman & Vehtari 2022; programs 27-29]
 * The Gaussian near a mode is often narrower than the density. The log evidence is then too low by more than its error says.
 * Results depend only on the desc. A path and its draws do not depend on the number of paths; the weights do. */
typedef struct bln_pathfinder_desc {
    bln_density   density;         /*                                                                     (required)           */
    size_t        paths;           /*                                                                     (0: 4)               */
    size_t        draws;           /* draws of each path                                                  (0: 250)             */
    size_t        memory;          /* last steps of L-BFGS that S is made from, at most 1000              (0: 6)               */
    size_t        max_iterations;  /* steps of L-BFGS on each path                                        (0: 1000)            */
    const double *start;           /* n_starts x dim                                                      (NULL: random)       */
    size_t        n_starts;        /* path c begins at row c modulo n_starts                              (0: 1)               */
    double        radius;          /* random starts are uniform in [-radius, radius], each coordinate     (0: 2)               */
    uint64_t      seed;            /*                                                                     (0: seed 0)          */
    bln_allocator alloc;           /*                                                                     (zero: malloc)       */
} bln_pathfinder_desc;

typedef struct bln_pathfinder bln_pathfinder;

BLN_API bln_pathfinder_desc bln_pathfinder_defaults(const bln_pathfinder_desc *desc);
BLN_API const char         *bln_pathfinder_check(const bln_pathfinder_desc *desc);

/* Runs all paths and draws from them. Memory: about 80 D doubles, 14 D for each path, and the draws. A path without a start of
 * density > 0, or whose ELBO is never finite, is dropped: it has no draws, and path_elbo is -infinity.
 * BLN_EINVAL: _check refuses the desc, a start that is not finite, a name of more than 255 bytes or with a line end.
 * BLN_ENUMERIC: all paths were dropped; the text is that of the density.  BLN_EUNDEFINED: p is 0 at all draws.  BLN_ENOMEM,
 * BLN_EOVERFLOW. Any other status of eval; the report's row is the path. */
BLN_API bln_status bln_pathfinder_fit(const bln_pathfinder_desc *desc, bln_pathfinder **out, bln_report *report);
BLN_API void       bln_pathfinder_free(bln_pathfinder *found);             /* NULL is fine */

/* The result, valid until _free; mean, scale and variance are those of the path with the highest ELBO. NULL for NULL. */
BLN_API const bln_approximation *bln_pathfinder_result(const bln_pathfinder *found);

#endif /* BLN_SAMPLING_PATHFINDER_H */
