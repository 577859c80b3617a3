#ifndef BLN_POSTERIOR_DRAWS_H
#define BLN_POSTERIOR_DRAWS_H
#include "sample.h"
#include "posterior.h"
/* >>draws - joint draws from a posterior: of the weights, of f at any rows, of y                [linear 37, 38; variational 41]
 *
 *     k ~ weight,   w ~ p_k,   f = offset + Phi(theta_k) w + r,   y | f; eta_k
 *
 * All rows of a draw share its component and its weights: a draw of f is one function, one of y a data set that the model holds
 * possible. They answer what is asked of several rows at once; for a single row >>predict has moments and quantiles without noise.
 *
 * r is what features miss (>>inducing), of prior variance lambda_ks (k_s(x, x) - |phi_s|^2); desc->residual says how it is drawn:
 *     BLN_RESIDUAL_ROWS    each row by itself, so that f and y of a row have the distribution of predictions, while the dependence
 *                          between rows is that of the features alone
 *     BLN_RESIDUAL_JOINT   the rows of the call together,
 *                              Cov(r_i, r_j) = sum_s lambda_s (k_s(x_i, x_j) - phi_s(x_i)'phi_s(x_j)),
 *                          between rows where the basis knows its kernel: n^2 D + n^3/3 flops for each pattern of lambda and each
 *                          theta, n^2 a draw. Those of another call are other functions; first_row counts for nothing.
 *                                                                                                          [Titsias 2009; bases 35]
 *     BLN_RESIDUAL_NONE    r = 0
 * The residuals of several outputs have the correlation of their noise.
 *
 * Draw i has the stream `stream` + i of the seed, and what belongs to a row also its number, from first_row on: draws and rows can
 * be split over calls, and blocks change nothing but rounding. The component is chosen in a stream of its own: by chance, or, of 64
 * components or more with equal weights (NULL), in turn: (stream + i) mod K.
 *
 * prior: NULL to skip it, or receives the prior paths of the draws: their weights, or f without r. The draws are then made by
 * Matheron's rule (>>sample). For the same key, draws with and without prior paths differ, except in low-rank form.
 * work: bln_posterior_draws_work doubles, or NULL to allocate.
 *
 * BLN_EINVAL: NULL, a stride below its width.  The status of q, if that is not BLN_OK.  BLN_EUNDEFINED: prior paths where a prior
 * is flat (the report's column is the weight) or where the kind of a component has none (all but >>kind_gaussian); weights over
 * different thetas.  BLN_ENOTPD: noise, latents or residuals have no covariance.  BLN_ENUMERIC: a draw overflows; the report has
 * its row, if it is f at a row. A count beyond the range of doubles is infinite.  BLN_ENOMEM, BLN_EOVERFLOW: only without work.
 * The data as >>predict has it; their y is not read. The report's jitter: the largest that a factor needed. After an error outputs
 * are unspecified. */

/* desc->n draws of all n_w weights into the rows of W, stride ldw (0: n_w), and prior likewise. noise, first_row and residual are
 * not looked at.   D^2 flops a draw of a Gaussian by factor, see >>sample; others O(D) or O(D^2) */
BLN_API bln_status bln_posterior_draw_weights(const bln_posterior *q, const bln_draw_desc *desc, double *W, double *prior,
                                              size_t ldw, double *work, bln_report *report);

/* desc->n draws of f, n x J, or with desc->noise of y, n x n_y, at the n rows of data: one draw in each row of out, stride ldo (0:
 * the width), and prior likewise, n x J.   2 D flops a draw and row more; features once for each theta */
BLN_API bln_status bln_posterior_draws(const bln_posterior *q, const bln_data *data, const bln_draw_desc *desc, double *out,
                                       double *prior, size_t ldo, double *work, bln_report *report);

/* Doubles of workspace for either: the weights of all draws (and of prior paths), O(D^2 + block D), and with BLN_RESIDUAL_JOINT n D
 * and n^2 for n = rows, which else may be 0. SIZE_MAX on overflow, 0 for NULL and where q->status is not BLN_OK. */
BLN_API size_t bln_posterior_draws_work(const bln_posterior *q, const bln_draw_desc *desc, size_t rows, int prior);

#endif /* BLN_POSTERIOR_DRAWS_H */
