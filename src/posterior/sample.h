#ifndef BLN_POSTERIOR_SAMPLE_H
#define BLN_POSTERIOR_SAMPLE_H
#include "../core/config.h"
/* >>sample - which draws are asked for
 *
 * The normals of draw i are those of stream `stream` + i of the seed. So draws can be split over calls, threads and processes; the
 * split changes results only by rounding. */

/* How the part of f that features miss (>>inducing) is drawn, see >>draws: each row independently, all rows jointly, not at all. */
typedef enum bln_residual { BLN_RESIDUAL_ROWS, BLN_RESIDUAL_JOINT, BLN_RESIDUAL_NONE } bln_residual;

/* How many draws, and which. */
typedef struct bln_draw_desc {
    size_t   n;            /* draws                                                                             (0: 1)      */
    uint64_t seed;         /*                                                                                   (0: seed 0) */
    uint64_t stream;       /* draw i uses stream `stream` + i of the seed                                       (0)         */
    int      noise;        /* draws of y, not of f                                                              (0: f)      */
    size_t   first_row;    /* number of the first row of the data, when rows come in several calls: noise and
                              residuals of a row are drawn by its number                                        (0)         */
    bln_residual residual; /* used only by bln_posterior_draws                                                  (0: ROWS)   */
} bln_draw_desc;

#endif /* BLN_POSTERIOR_SAMPLE_H */
