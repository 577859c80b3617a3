#ifndef BLN_USE_SCALER_H
#define BLN_USE_SCALER_H
#include "../core/data.h"
#include "../core/load.h"
/* >>scaler - standardising columns: x -> (x - mean) / sd
 *
 * Means and standard deviations (divisor N, the sum of the weights) are updated row by row [West 1979], for numbers of any size.
 * Columns 0 .. d - 1 are the inputs, columns d .. d + P - 1 the P targets; each is scaled by itself. A constant column gets sd = 1:
 * it becomes 0 and comes back exactly. Models never scale their data; their callers do, with this. */
typedef struct bln_scaler bln_scaler;

/* Learns from the rows of a view or of a source, in one pass. Without y the one target keeps mean 0 and sd 1.
 * BLN_EINVAL: NULL, no rows, every row of weight 0, an allocator without alloc or release.  BLN_EDATA, BLN_EDOMAIN: as
 * bln_data_check.  BLN_ESHAPE: blocks that differ in d or P, or only some with y.  BLN_ENUMERIC: a standard deviation or the sum of
 * the weights overflows or underflows.  BLN_ENOMEM, BLN_EOVERFLOW.  Any status of the source.   O(n (d + P)) time, O(d + P) memory
 */
BLN_API bln_status bln_scaler_create(const bln_allocator *alloc, const bln_data *data, bln_scaler **out, bln_report *report);
BLN_API bln_status bln_scaler_create_source(const bln_allocator *alloc, const bln_source *source, bln_scaler **out,
                                            bln_report *report);
/* d columns and P targets (0: one) that stay as they are.   BLN_EINVAL: out is NULL.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_scaler_identity(const bln_allocator *alloc, size_t d, size_t P, bln_scaler **out);
BLN_API void       bln_scaler_free(bln_scaler *scaler);                            /* NULL is fine              */

/* What was learnt. A column beyond the targets, or NULL, has mean and sd NaN, and is not constant. */
BLN_API size_t bln_scaler_columns(const bln_scaler *scaler);                       /* d                         */
BLN_API size_t bln_scaler_outputs(const bln_scaler *scaler);                       /* P; 1 if there was no y    */
BLN_API double bln_scaler_mean(const bln_scaler *scaler, size_t column);           /* column d + k: target k    */
BLN_API double bln_scaler_sd  (const bln_scaler *scaler, size_t column);
BLN_API int    bln_scaler_constant(const bln_scaler *scaler, size_t column);       /* was it constant?          */

/* (x - mean)/sd of each column, for n rows X (n x d; a stride of 0 means d) or targets y (n x P). In place if X_out == X with the
 * same stride, or y_out == y; no other overlap. */
BLN_API void bln_scaler_inputs (const bln_scaler *scaler, size_t n, const double *X, size_t ldx, double *X_out, size_t ldout);
BLN_API void bln_scaler_targets(const bln_scaler *scaler, size_t n, const double *y, double *y_out);

/* Back to the units of the data: means or bounds of y, variances (n x P each; out may be the input), and the log density or
 * evidence of n targets of all outputs together, logp - n sum_k log sd_k. */
BLN_API void   bln_scaler_means_back(const bln_scaler *scaler, size_t n, const double *mean, double *out);
BLN_API void   bln_scaler_vars_back (const bln_scaler *scaler, size_t n, const double *var, double *out);
BLN_API double bln_scaler_logp_back (const bln_scaler *scaler, double n, double logp);

/* Writes and reads the content of a "SCAL" section of a model file (>>modelfile); the layout is in src/use/scaler.c.
 * BLN_EINVAL: NULL. load: BLN_EFORMAT: damaged; BLN_ENOMEM. Any status of the reader or writer. */
BLN_API bln_status bln_scaler_save(const bln_scaler *scaler, bln_writer *w);
BLN_API bln_status bln_scaler_load(const bln_allocator *alloc, bln_reader *r, bln_scaler **out);
BLN_API const bln_model_kind *bln_scaler_file_kind(void);                               /* for a list of kinds (>>load) */

#endif /* BLN_USE_SCALER_H */
