#ifndef BLN_LINEAR_SLM_SAMPLE_H
#define BLN_LINEAR_SLM_SAMPLE_H
#include "slm.h"
#include "../posterior/sample.h"
/* >>slm_sample - joint draws from the linear model
 *
 * Draws are exact: of the weights, of f jointly over any number of points and outputs, of y. All points of a draw share its
 * weights, so a draw of f is one function; a call for other points with the same seed and stream goes on with the same function.
 * What features leave out of f (>>inducing) is not in Phi w, and draws then vary less than predictions say, unless
 * bln_slm_sample_left_out adds it.
 *     f = offset + Phi w,   w ~ N(m, C);   y = f + sigma sqrt(v) e                                       [spec/slm.md S37, S38] */

/* Draws of the weights into the rows of W: draws->n x D, or x P D, the weights of one output after those of the other, stride ldw
 * (0 means P D). noise and first_row are not looked at.
 * prior: NULL, or the same shape: the draws are then made by Matheron's rule, and prior gets the prior paths that belong to them
 * (S38, see >>sample). For the same key, draws with and without prior paths differ, but in low-rank form.
 * work: bln_slm_sample_work(slm, draws, with or without prior) doubles, or NULL to allocate.
 * BLN_EINVAL: NULL, or ldw < P D.  BLN_ESTATE: not fitted.  BLN_EUNDEFINED: prior paths of a flat prior (the report's column is
 * the feature).  BLN_ENOTPD, BLN_ENUMERIC: the posterior overflows.  BLN_ENOMEM,
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_sample_weights(const bln_slm *slm, const bln_draw_desc *draws, double *W, double *prior, size_t ldw,
                                          double *work, bln_report *report);

/* Draws of f, or of y, at the rows of data (its y is not read): out is draws->n x data->n P, stride ldo (0 means data->n P);
 * row r is one draw over all points, the P outputs of a point together. prior: as above, the prior paths of f, offset included, at
 * the same points.
 *     D^2 flops a draw (see >>sample), 2 D flops a draw and point; features are made in blocks of rows
 * Errors as above, and BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for bln_slm_predict. */
BLN_API bln_status bln_slm_sample(const bln_slm *slm, const bln_draw_desc *draws, const bln_data *data, double *out, double *prior,
                                  size_t ldo, double *work, bln_report *report);
/* Doubles of workspace for both: draws->n P D (twice with prior), and O(D^2 + block D). SIZE_MAX on overflow; 0 when not fitted. */
BLN_API size_t     bln_slm_sample_work(const bln_slm *slm, const bln_draw_desc *draws, int with_prior);

/* Adds to draws of f or y at the rows of data, out as above, what features leave out of f, so that they have the distribution of
 * predictions, jointly over the points:
 *     out += r,   Cov(r_ip, r_jq) = Sigma_pq/sigma^2 sum_s lambda_s (k_s(x_i, x_j) - phi_s(x_i)'phi_s(x_j))     [Titsias 2009; B35]
 * in units where lambda_s and sigma^2 belong together; between points only where the basis knows its kernel (bln_basis_kernel). The
 * data say nothing about r: it is that of the prior paths too (another call with them, and the same draws). r is drawn from
 * `stream` + i, apart from weights and noise, for the points of this call together: those of another call are other functions, and
 * first_row counts for nothing. Nothing is added where nothing is left out.
 * n D + n^2 doubles from the model's allocator; n^2 D + n^3/3 flops, and n^2 P a draw, for n = data->n points. The report's jitter:
 * what the diagonal needed against rounding, as in bln_potrf_jitter.
 * Errors as bln_slm_sample;  BLN_ENOTPD: the covariance is not one: a kernel of a user's that is none, or overflow. out is then as
 * before. */
BLN_API bln_status bln_slm_sample_left_out(const bln_slm *slm, const bln_draw_desc *draws, const bln_data *data, double *out,
                                           size_t ldo, bln_report *report);

#endif /* BLN_LINEAR_SLM_SAMPLE_H */
