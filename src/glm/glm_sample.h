#ifndef BLN_GLM_GLM_SAMPLE_H
#define BLN_GLM_GLM_SAMPLE_H
#include "glm.h"
#include "../posterior/sample.h"
/* >>glm_sample - joint draws from the generalised linear model
 *
 *     w ~ posterior,   f = offset + Phi w,   y ~ p(y | f; eta)                                              [spec/glm.md G41]
 *
 * Exact draws from the posterior as it was fitted: a normal, a mixture of them, or w^ itself (MAP). All points of a draw share its
 * weights: a draw of f is one function, one of y a data set that the model holds possible. They answer what is asked of several
 * rows at once (a sum, the largest, which of two is larger), and show whether the model makes data like those there are; for a
 * single row, >>glm has means, quantiles and probabilities without noise.
 *
 * What features leave out of f (>>inducing), of prior variance t_i at row i as in all predictions (of MAP none), is drawn for
 * each row by itself, e_i ~ N(0, 1) independent of w and of each other, beside close and equal inputs too: with m and C the moments
 * of w,
 *     f_i = offset_i + phi_i'w + sqrt(t_i) e_i,   E f_i = offset_i + phi_i'm,   Cov(f_i, f_j) = phi_i'C phi_j + t_i if i = j.
 * So f and y of a row have the distribution of predictions, and the dependence between rows is that of the features alone: where
 * these leave something out, a draw is rougher than the kernel's functions, and a sum over rows close to each other varies less.
 * (Joint draws of the rest, as bln_slm_sample_left_out has them, take an n x n matrix.) */

/* Draws of the weights into the rows of W: draws->n x D, stride ldw (0 means D). noise and first_row are not looked at.
 *     D^2 flops a draw, of a mixture D; memory O(D) from the model's allocator
 * BLN_EINVAL: NULL, or ldw < D.  BLN_ESTATE: not fitted.  BLN_ENUMERIC: the posterior overflows.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_glm_sample_weights(const bln_glm *glm, const bln_draw_desc *draws, double *W, size_t ldw,
                                          bln_report *report);

/* Draws of f, or, with draws->noise, of y, at the rows of data (offset, trials, noise_var are used; y is not read): out is
 * draws->n x data->n, stride ldo (0 means data->n); row r is one draw over all points. Keyed as those of >>slm_sample: by seed,
 * stream and number of the row, so that draws and rows can be split over calls. A count beyond the range of doubles is infinite.
 *     2 D flops a draw and point, and some 0.1 us with noise; memory O((draws + block) D) from the model's allocator
 * Errors as above, and BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for bln_glm_predict;  BLN_EINVAL: ldo < data->n.  out is unspecified
 * after BLN_ENUMERIC. */
BLN_API bln_status bln_glm_sample(const bln_glm *glm, const bln_draw_desc *draws, const bln_data *data, double *out, size_t ldo,
                                  bln_report *report);

#endif /* BLN_GLM_GLM_SAMPLE_H */
