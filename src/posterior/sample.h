#ifndef BLN_POSTERIOR_SAMPLE_H
#define BLN_POSTERIOR_SAMPLE_H
#include "../core/config.h"
/* >>sample - what draws are asked for
 *
 * The normals of draw i are those of stream `stream` + i of the seed, so that draws can be split over calls, threads and ranks; how
 * they are grouped changes rounding only. */

/* How the part of f that features miss (>>inducing) is drawn: for each row by itself, jointly over the rows of a call, or not at
 * all: >>draws. */
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

#endif /* BLN_POSTERIOR_SAMPLE_H */
