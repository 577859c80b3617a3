#ifndef BLN_CORE_DATA_H
#define BLN_CORE_DATA_H
#include "status.h"
/* >>data - a data set as a view, and data that come in blocks */

/* A view of n rows; nothing is owned or copied. All zero is an empty data set. */
typedef struct bln_data {
    size_t        n, d;        /* rows, input columns                                                            */
    const double *X;           /* n x d inputs, row-major                              (required unless d = 0)   */
    size_t        ldx;         /* row stride of X, in doubles                          (0 means d)               */
    const double *y;           /* n targets, or n x p of several outputs               (required to fit or score) */
    const double *weight;      /* n row weights >= 0; weight k counts as k copies of the row         (NULL: all 1) */
    const double *noise_var;   /* n factors v > 0: the row's noise variance is sigma^2 v             (NULL: all 1) */
    const double *offset;      /* n known terms added to f, or n x p                                 (NULL: all 0) */
    const double *trials;      /* n numbers of trials of a binomial, or exposures of a count          (NULL: all 1) */
    size_t        p;           /* columns of y and of offset: outputs                  (0 means 1)               */
    size_t        ldy, ldoffset;   /* row strides of y and of offset, in doubles       (0: as wide as they are)  */
    size_t        n_offset;    /* columns of offset for J latents: J, or 1, of latent 0    (0 means p)         */
} bln_data;

/* The rows [first, first + n) of a view, with whatever columns it has; first + n <= data->n, else undefined. */
BLN_API bln_data bln_data_rows(const bln_data *data, size_t first, size_t n);

/* Checks a view: pointers and strides; X, and y if need_y, finite; weight >= 0; noise_var > 0; offset finite; trials >= 0.
 * BLN_EINVAL: a missing pointer, or a stride below d, p or n_offset.  BLN_EDATA: NaN or infinity.  BLN_EDOMAIN: a weight, variance
 * or number of trials outside its range. The report names row and column: below d a column of X, d + k output k of y (or one of
 * several offsets), BLN_NONE a column that stands alone. O(n (d + p)). */
BLN_API bln_status bln_data_check(const bln_data *data, int need_y, bln_report *report);

/* Data that come in blocks, as often as asked: a file, a generator, a view. Every pass must deliver the rows in the same order.
 *   reset  goes back to the first row
 *   next   fills *block with the next 1..max_rows rows (block->d = d), or sets block->n = 0 at the end; what the block
 *          points to stays valid until the next call
 * A status other than BLN_OK ends the pass and is returned to the caller of the fit; report (may be NULL) takes the reason. */
typedef struct bln_source {
    size_t d;                                                        /* input columns                      */
    bln_status (*reset)(void *user, bln_report *report);
    bln_status (*next)(void *user, size_t max_rows, bln_data *block, bln_report *report);
    void *user;
} bln_source;

/* A view as a source that never fails. The state must live as long as the source, and so must the arrays; two sources over one
 * view need two states. */
typedef struct bln_data_reader { bln_data data; size_t at; } bln_data_reader;
BLN_API bln_source bln_source_of(const bln_data *data, bln_data_reader *state);

#endif /* BLN_CORE_DATA_H */
