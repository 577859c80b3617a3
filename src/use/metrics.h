#ifndef BLN_USE_METRICS_H
#define BLN_USE_METRICS_H
#include "../math/special.h"
#include "../core/status.h"
/* >>metrics - scores for predictions                                                                           [scores 1-15]
 *
 * y: truth; mean, var: predictive mean and variance, noise included. Weights play no part. All are one or a few passes, O(n), and
 * return BLN_EINVAL for n = 0 or a NULL array, BLN_EDATA for NaN or infinity, BLN_ENUMERIC if the score overflows, and leave *out
 * alone on failure, except that BLN_EUNDEFINED sets it to NaN. The report (cleared first) names the row. */
BLN_API bln_status bln_mse (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */
BLN_API bln_status bln_rmse(size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */
BLN_API bln_status bln_mae (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */

/* MSE over the variance of the test targets; BLN_EUNDEFINED if these are all equal.                             [scores 2]  */
BLN_API bln_status bln_smse(size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* 1 - SMSE; equal targets: 1 if the MSE is 0, else BLN_EUNDEFINED.                                              [scores 3]  */
BLN_API bln_status bln_r2  (size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* Mean NEGATIVE log density, lower is better; BLN_EDOMAIN: a variance not > 0.                                  [scores 4]  */
BLN_API bln_status bln_mll (size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report);

/* MLL minus that of N(train_mean, train_var): 0 is trivial, negative is good; BLN_EDOMAIN: train_var not > 0.        [scores 5]  */
BLN_API bln_status bln_msll(size_t n, const double *y, const double *mean, const double *var, double train_mean, double train_var,
                            double *out, bln_report *report);

/* Mean continuous ranked probability score of N(mean, var), in [y], lower is better; var = 0 gives |y - mean|.
 * BLN_EDOMAIN: a variance < 0.                                                                                  [scores 11] */
BLN_API bln_status bln_crps(size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report);

/* Share of lower <= y <= upper; mean width; interval score at the level 1 - a of the interval, in [y], lower is better. One of
 * width and score may be NULL. BLN_EDOMAIN: lower > upper, or a outside (0, 1).                                 [scores 15] */
BLN_API bln_status bln_coverage(size_t n, const double *y, const double *lower, const double *upper, double *out,
                                bln_report *report);
BLN_API bln_status bln_interval_score(size_t n, const double *y, const double *lower, const double *upper, double a, double *width,
                                      double *score, bln_report *report);

/* Classes 0 .. K-1, and p[i*K + k] the probability of class k: log loss -log p_y (p clipped to [1e-15, 1 - 1e-15]), share of rows
 * whose most probable class (of equal ones the first) is not y, and Brier score sum_k (p_k - [y = k])^2, of [0, 2]. K = 1: y is 0
 * or 1, p the probability of 1, of which more than 1/2 predicts 1; the Brier score is (p - y)^2, half of that of K = 2.
 * Cost O(n K).  BLN_EINVAL: K = 0.  BLN_EDOMAIN: y is no class, p is outside [0, 1], or a row of K > 1 adds up to something other
 * than 1 (by 1e-6).                                                                                       [scores 7-10] */
BLN_API bln_status bln_log_loss  (size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_error_rate(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_brier     (size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);

/* table[a*C + b] = how many rows of class a have b for their most probable class; C = K, or 2 where K = 1. Errors as above. */
BLN_API bln_status bln_confusion (size_t n, size_t K, const double *y, const double *p, size_t *table, bln_report *report);

#endif /* BLN_USE_METRICS_H */
