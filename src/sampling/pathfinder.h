#ifndef BLN_SAMPLING_PATHFINDER_H
#define BLN_SAMPLING_PATHFINDER_H
#include "density.h"
#include "approximation.h"
/* >>pathfinder - Gaussians on the way to a mode: an approximation in some hundred gradients, and where chains may start
 *
 *     if (bln_pathfinder_fit(&desc, &found, &report)) ...
 *     const bln_approximation *q = bln_pathfinder_result(found);
 *     hmc.start = q->starts;  hmc.n_starts = q->n_starts;  hmc.inverse_metric = q->variance;  hmc.warmup = 300;
 *
 * L-BFGS climbs log p from places at random. What it knows of the curvature at a point x on its way is a covariance S, diagonal
 * plus low rank, and with it N(x + S grad log p(x), S); of all points of a path the one with the highest ELBO, by ten draws, is
 * the approximation of the path. The draws of all paths are those of a mixture of their Gaussians, in equal parts, which is the q
 * of their weights; bln_chains_resample takes the best of them.
 *                                         [Zhang, Carpenter, Gelman & Vehtari 2022; programs 27-29]
 * The Gaussian of a mode is often narrower than the density: evidence is then too low, by more than its error says.
 * What is found depends on desc and seed alone. A path and its draws do not depend on how many paths there are; weights do. */
typedef struct bln_pathfinder_desc {
    bln_density   density;         /*                                                                     (required)           */
    size_t        paths;           /*                                                                     (0: 4)               */
    size_t        draws;           /* of each path                                                        (0: 250)             */
    size_t        memory;          /* pairs of steps and gradients that S is made of                      (0: 6)               */
    size_t        max_iterations;  /* of L-BFGS on each path                                              (0: 1000)            */
    const double *start;           /* dim numbers, or n_starts rows of them                               (NULL: random)       */
    size_t        n_starts;        /* path c begins at row c modulo n_starts                              (0: 1)               */
    double        radius;          /* random starts are uniform within this of 0, in each coordinate      (0: 2)               */
    uint64_t      seed;            /*                                                                     (0: 0)               */
    bln_allocator alloc;           /*                                                                     (zero: malloc)       */
} bln_pathfinder_desc;

typedef struct bln_pathfinder bln_pathfinder;

BLN_API bln_pathfinder_desc bln_pathfinder_defaults(const bln_pathfinder_desc *desc);
BLN_API const char         *bln_pathfinder_check(const bln_pathfinder_desc *desc);

/* All paths and their draws, in some 80 D numbers and 14 D for each path, beside the draws. A path that finds nothing (no start,
 * ELBO never finite) is left out, with -infinity in path_elbo, unless all are.
 * BLN_EINVAL: what _check says, a start that is not finite, a name of more than 255 bytes or with a line end.  BLN_ENUMERIC: no
 * path found anything; the text has the density's own words.  BLN_EUNDEFINED: p is 0 at all draws.  BLN_ENOMEM,
 * BLN_EOVERFLOW. What eval returned; the report's row is the path. */
BLN_API bln_status bln_pathfinder_fit(const bln_pathfinder_desc *desc, bln_pathfinder **out, bln_report *report);
BLN_API void       bln_pathfinder_free(bln_pathfinder *found);             /* NULL is fine */

/* NULL for NULL. mean, scale and variance are those of the best path. */
BLN_API const bln_approximation *bln_pathfinder_result(const bln_pathfinder *found);

#endif /* BLN_SAMPLING_PATHFINDER_H */
