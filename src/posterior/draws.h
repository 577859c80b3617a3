#ifndef BLN_POSTERIOR_DRAWS_H
#define BLN_POSTERIOR_DRAWS_H
#include "sample.h"
#include "posterior.h"
/* >>draws - joint draws from a posterior: of the weights, of f at any rows, of y                [linear 37, 38; variational 41]
 *
 *     k ~ weight,   w ~ p_k,   f = offset + Phi(theta_k) w + r,   y | f; eta_k
 *
 * All rows of a draw share its component and its weights: a draw of f is one function, a draw of y one data set. Use draws for
 * questions about several rows at once; for single rows >>predict has moments and quantiles without Monte Carlo error.
 *
 * r is what the features of >>inducing miss, of prior variance lambda_ks (k_s(x, x) - |phi_s|^2). desc->residual says how:
 *     BLN_RESIDUAL_ROWS    each row independently: f and y of a row have the distribution of >>predict, but the dependence between
 *                          rows is only that of the features
 *     BLN_RESIDUAL_JOINT   the rows of the call together,
 *                              Cov(r_i, r_j) = sum_s lambda_s (k_s(x_i, x_j) - phi_s(x_i)'phi_s(x_j)),
 *                          if the basis knows its kernel: n^2 D + n^3/3 flops for each different lambda and each theta, and n^2 for
 *                          each draw. Another call draws other functions; first_row is ignored.       [Titsias 2009; bases 35]
 *     BLN_RESIDUAL_NONE    r = 0
 * The residuals of several outputs have the correlation of their noise.
 *
 * Draw i uses stream `stream` + i of the seed, and random numbers of a row also its number, counted from first_row: draws and rows
 * can be split over calls, and results differ only by rounding. The component comes from a stream of its own: it is drawn by
 * weight, or, with at least 64 components of equal weights (NULL), component (stream + i) mod K.
 *
 * prior: NULL, or receives the prior paths of the draws: their weights, or f without r. The draws are then made by Matheron's rule:
 * a draw from the prior plus a correction by the data. With the same seed and stream, draws with and without prior paths differ,
 * except in low-rank form. work: bln_posterior_draws_work doubles, or NULL to allocate.
 *
 * BLN_EINVAL: NULL, a stride below its width.  The status of q, if that is not BLN_OK.  BLN_EUNDEFINED: prior paths where a prior
 * is flat (the report's column is the weight) or where the kind of a component has none (all but >>kind_gaussian); weights over
 * different thetas.  BLN_ENOTPD: noise, latents or residuals have no covariance.  BLN_ENUMERIC: a draw overflows; the report has
 * its row, if it is f at a row. A count beyond the range of doubles is infinite.  BLN_ENOMEM, BLN_EOVERFLOW: only without work.
 * Errors of the data as in >>predict; their y is not read. The report's jitter is the largest that a factor needed. After an error
 * outputs are unspecified. */

/* desc->n draws of all n_w weights into the rows of W, stride ldw (0: n_w), and prior likewise. noise, first_row and residual are
 * not used.   D^2 flops for a draw of a Gaussian by factor; other kinds O(D) or O(D^2) */
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
