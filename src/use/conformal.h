#ifndef BLN_USE_CONFORMAL_H
#define BLN_USE_CONFORMAL_H
#include "../core/load.h"
/* >>conformal - prediction intervals whose width comes from left-out rows
 *
 * A 95 % interval mean -+ 1.96 sd holds 95 % of new targets if the noise is normal, with the variance that the model assumes. If it
 * is not (heavy tails, a scatter that differs from row to row), the rows themselves show which multiple of sd is right. Each row is
 * predicted from the others, z_i = (y_i - mean_-i)/sd_-i (>>loo computes this at the cost of a prediction). With weights w_i and
 * N = sum w_i, the interval of probability p is mean -+ q(p) sd, where
 *
 *     q(p) = the smallest |z_i| such that the weights of all |z_j| <= |z_i| sum to at least p (N + 1).
 *            [scores 24, 25; Barber, Candes, Ramdas & Tibshirani 2021, section 1: the jackknife; Rasmussen & Williams 2006, 5.4.2]
 *
 * The 1 counts the new row. If its z and the z_i are exchangeable, the interval holds its y with a probability between p and
 * p + 1/(N + 1) [Lei et al. 2018]. For left-out rows this holds nearly, if no single row moves the fit much: then the coverage
 * tends to p for any noise [Steinberger & Leeb 2023]. There are two limits. Variances and length scales are learnt from all rows,
 * the left-out one included, so the z_i are a little too small. And p holds on average over all rows: where the noise is larger
 * than sd, intervals stay too narrow, and elsewhere they are too wide. (The jackknife+ of the same paper also moves the mean, and
 * has the bound 2p - 1 without these conditions; but it keeps the rows, and takes N predictions for each new one.)
 *
 * q is a quantile of |z|. One quantile for each side would need twice as many rows (39 for 95 %, not 19) and vary more. But if the
 * scatter is skewed, the two sides of the interval miss unequal shares. For separate ends make two objects: q of max(z, 0) at
 * 1 - (1 - p)/2 gives the upper end, that of max(-z, 0) the lower.
 *
 * A row of weight k counts as k copies. If rows come in groups (patients, batches) and predictions are for new groups, leave out
 * whole groups and divide each weight by the sum of its group: the groups are exchangeable, and N is their number [Lee, Barber &
 * Willett 2023]. For other models z may be any measure of misfit, if the interval is { y : |z(y)| <= q }. */
typedef struct bln_conformal bln_conformal;

/* Keeps the |z| of n left-out rows, z n x P (stride ldz >= P), in any order; weight: n, or NULL for all 1. The z of a row of weight
 * 0 is not read: use it for rows that the others cannot predict.   O(P n log n); P n doubles of memory, twice that with weights
 * BLN_EINVAL: NULL, n = 0, P = 0, all weights 0, ldz < P.  BLN_EDATA: z or a weight is NaN or infinite.  BLN_EDOMAIN: a weight < 0.
 * The report names row and output.  BLN_ENUMERIC: the sum of the weights overflows.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_conformal_create(const bln_allocator *alloc, size_t n, size_t P, const double *z, size_t ldz,
                                        const double *weight, bln_conformal **out, bln_report *report);
BLN_API void       bln_conformal_free(bln_conformal *c);                                  /* NULL is fine */

/* N, the sum of the weights (NULL: NaN); and P (NULL: 0). */
BLN_API double bln_conformal_rows(const bln_conformal *c);
BLN_API size_t bln_conformal_outputs(const bln_conformal *c);

/* q(level) of an output, the factor of sd. If N >= level/(1 - level) it exists, and *enough is 1. With fewer rows *enough is 0, and
 * the result is the larger of the normal's multiple (1.96 for 0.95) and the largest |z|, so that no interval shrinks when the level
 * grows. enough may be NULL.   O(log n)   NaN: c is NULL, no such output, or level outside (0, 1). */
BLN_API double bln_conformal_multiple(const bln_conformal *c, size_t output, double level, int *enough);

/* lower, upper <- mean -+ q(level) sqrt(var) for n rows, each array n x P: mean and variance of y, as bln_slm_predict gives them. A
 * var that is not >= 0 gives NaN. lower and upper may be mean and var. */
BLN_API void bln_conformal_intervals(const bln_conformal *c, size_t n, const double *mean, const double *var, double level,
                                     double *lower, double *upper);

/* The content of a "CNFM" section of a model file (>>modelfile); the layout is in src/use/conformal.c.
 * BLN_EINVAL: NULL. load: BLN_EFORMAT: damaged; BLN_ENOMEM. Any status of the reader or writer. */
BLN_API bln_status bln_conformal_save(const bln_conformal *c, bln_writer *w);
BLN_API bln_status bln_conformal_load(const bln_allocator *alloc, bln_reader *r, bln_conformal **out);
BLN_API const bln_model_kind *bln_conformal_file_kind(void);                            /* for a list of kinds (>>load) */

#endif /* BLN_USE_CONFORMAL_H */
