#ifndef BLN_USE_METRICS_H
#define BLN_USE_METRICS_H
#include "../core/status.h"
/* >>metrics - scores for predictions                                                                     [scores 1-5, 7-10, 15]
 *
 * y: n true values; mean, var: predictive means and variances of y, noise included. Rows have no weights. Cost O(n).
 * BLN_EINVAL: n = 0 or NULL.  BLN_EDATA: NaN or infinity.  BLN_ENUMERIC: the score overflows. The report names the row. *out does
 * not change on failure, but BLN_EUNDEFINED sets it to NaN.
 *
 * bln_mse: mean of (y - mean)^2; bln_rmse: its root; bln_mae: mean of |y - mean|. */
BLN_API bln_status bln_mse (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */
BLN_API bln_status bln_rmse(size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */
BLN_API bln_status bln_mae (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* [scores 1] */

/* MSE divided by the variance of y; BLN_EUNDEFINED if all y are equal.                                          [scores 2]  */
BLN_API bln_status bln_smse(size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* 1 - SMSE; if all y are equal: 1 if the MSE is 0, else BLN_EUNDEFINED.                                         [scores 3]  */
BLN_API bln_status bln_r2  (size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* Mean of -log N(y | mean, var): lower is better; BLN_EDOMAIN: a variance not > 0.                              [scores 4]  */
BLN_API bln_status bln_mll (size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report);

/* MLL minus the MLL of N(train_mean, train_var) at the same y: below 0 is better than that; BLN_EDOMAIN: train_var not > 0, or as
 * bln_mll.                                                                                                      [scores 5]  */
BLN_API bln_status bln_msll(size_t n, const double *y, const double *mean, const double *var, double train_mean, double train_var,
                            double *out, bln_report *report);

/* The share of rows with lower <= y <= upper.   BLN_EDOMAIN: lower > upper                                       [scores 15] */
BLN_API bln_status bln_coverage(size_t n, const double *y, const double *lower, const double *upper, double *out,
                                bln_report *report);

/* Scores of classes y = 0 .. K-1, where p[i*K + k] is the probability of class k in row i, each a mean over the rows: log loss
 * -log p_y, with p clipped to [1e-15, 1 - 1e-15]; error rate, 1 if the most probable class (the first of equal ones) is not y;
 * Brier score sum_k (p_k - [y = k])^2, in [0, 2]. K = 1: y is 0 or 1, p the probability of 1; p > 1/2 predicts 1, and the Brier
 * score is (p - y)^2, half of that of K = 2.   O(n K)
 * BLN_EINVAL: K = 0.  BLN_EDOMAIN: y is no class, p outside [0, 1], or the sum of a row of K > 1 is not 1 to 1e-6. [scores 7-10] */
BLN_API bln_status bln_log_loss  (size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_error_rate(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_brier     (size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);

/* table[a*C + b] <- the number of rows of class a whose most probable class is b; C = K, or 2 if K = 1. Errors as above. */
BLN_API bln_status bln_confusion (size_t n, size_t K, const double *y, const double *p, size_t *table, bln_report *report);

#endif /* BLN_USE_METRICS_H */
