#ifndef BLN_USE_SCALER_H
#define BLN_USE_SCALER_H
#include "../core/data.h"
#include "../core/load.h"
/* >>scaler - standardising columns: x -> (x - mean) / sd
 *
 * Means and standard deviations (divided by N) by Welford's update, weights included, of numbers of any size; a constant column
 * gets sd = 1, so that it becomes 0 and comes back exactly. Column d is the target, when the data have one; of several outputs each
 * is scaled by itself, as columns d .. d + P - 1. Models never scale by themselves; this is for their callers. */
typedef struct bln_scaler bln_scaler;

/* Learns from the rows of a view or of a source, in one pass. If there is no y, the target stays as it is (mean 0, sd 1).
 * BLN_EINVAL: no rows, or all of weight 0.  BLN_EDATA, BLN_EDOMAIN: as bln_data_check.  BLN_ESHAPE: blocks that differ in d
 * or P, or only some with y.  BLN_ENUMERIC: a standard deviation overflows or underflows.  BLN_ENOMEM, BLN_EOVERFLOW.  What the
 * source returned.
 * O(n (d + P)) time, O(d + P) memory */
BLN_API bln_status bln_scaler_create(const bln_allocator *alloc, const bln_data *data, bln_scaler **out, bln_report *report);
BLN_API bln_status bln_scaler_create_source(const bln_allocator *alloc, const bln_source *source, bln_scaler **out,
                                            bln_report *report);
/* d columns and P targets (0: one) that stay as they are.   BLN_EINVAL: out is NULL.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_scaler_identity(const bln_allocator *alloc, size_t d, size_t P, bln_scaler **out);
BLN_API void       bln_scaler_free(bln_scaler *scaler);                            /* NULL is fine              */

/* NaN, and not constant, for a column beyond the targets. */
BLN_API size_t bln_scaler_columns(const bln_scaler *scaler);                       /* d, targets not counted    */
BLN_API size_t bln_scaler_outputs(const bln_scaler *scaler);                       /* P, 1 without targets too  */
BLN_API double bln_scaler_mean(const bln_scaler *scaler, size_t column);           /* column d + k: target k    */
BLN_API double bln_scaler_sd  (const bln_scaler *scaler, size_t column);
BLN_API int    bln_scaler_constant(const bln_scaler *scaler, size_t column);       /* was it constant?          */

/* Out-of-place or in place (X_out == X with the same stride; y_out == y). A stride of 0 means d. Constant columns become
 * what they differ from their constant by: 0, in the data that were learnt from. y: n x P. */
BLN_API void bln_scaler_inputs (const bln_scaler *scaler, size_t n, const double *X, size_t ldx, double *X_out, size_t ldout);
BLN_API void bln_scaler_targets(const bln_scaler *scaler, size_t n, const double *y, double *y_out);

/* Back to the units of the data: a mean or bound, a variance (n x P each), and a log density or evidence of n targets, of all
 * outputs together (minus n times the sum of log sd). */
BLN_API void   bln_scaler_means_back(const bln_scaler *scaler, size_t n, const double *mean, double *out);
BLN_API void   bln_scaler_vars_back (const bln_scaler *scaler, size_t n, const double *var, double *out);
BLN_API double bln_scaler_logp_back (const bln_scaler *scaler, double n, double logp);

/* The content of a "SCAL" section; the layout is in src/use/scaler.c. load: what the reader says; BLN_EFORMAT; BLN_ENOMEM. */
BLN_API bln_status bln_scaler_save(const bln_scaler *scaler, bln_writer *w);
BLN_API bln_status bln_scaler_load(const bln_allocator *alloc, bln_reader *r, bln_scaler **out);
BLN_API const bln_model_kind *bln_scaler_file_kind(void);                               /* for a list of kinds (>>load) */

#endif /* BLN_USE_SCALER_H */
