#ifndef BLN_POSTERIOR_PREDICT_H
#define BLN_POSTERIOR_PREDICT_H
#include "../core/data.h"
#include "posterior.h"
/* >>predict - what a posterior says of f and y at new rows                                    [linear 35, 36; variational 41-49]
 *
 * Under component k the latent values of a row are normal (or t's), f_j ~ N(phi_j'm_kj + offset, phi_j'C_kj phi_j + what features
 * miss); the posterior is the mixture of its components, and y follows from f as `observe` says.
 *
 * All questions have the same errors:
 * BLN_EUNDEFINED: a distribution function, quantile or interval of a y that is a class.
 * BLN_EINVAL: NULL q or data, or an output that is required; data without X or with strides below widths; a column of trials
 * where the observation has none.  The status of q, if that is not BLN_OK.  BLN_ESHAPE: data.d is not that of a basis with
 * inputs; columns of offset that are not J, of y that are not n_y.  BLN_EDATA: NaN or infinity.  BLN_EDOMAIN: see
 * bln_data_check; a y that the likelihood cannot have (densities); a probability outside [0, 1] or a level outside (0, 1).
 * BLN_ENUMERIC: f overflows at the report's row; the rows of the blocks before have their answers, others may.
 * BLN_ENOMEM, BLN_EOVERFLOW: only without work.
 *
 * work: bln_posterior_work(q) doubles, or NULL to allocate; with it nothing is allocated. Outputs may not overlap inputs.
 * Cost: features once for each theta, what >>kind_gaussian, >>kind_diagonal, >>kind_point and >>kind_student say of projections,
 * and for each row of a likelihood what >>observe_likelihood says. Memory: a block of features (block x D) and the moments of a
 * panel of rows: a block, or where thetas differ 16 of them, but at most 2^18 numbers if that is 16 rows or more. */

/* Doubles of workspace for any of them; SIZE_MAX on overflow, 0 for NULL and where q->status is not BLN_OK. */
BLN_API size_t bln_posterior_work(const bln_posterior *q);

/* Mean of y, and the two parts of its variance: var_model = Var E[y | f], what more data would remove, var_noise = E Var[y | f],
 * what they would not. n x n_moments each; any may be NULL. Of t's: mean NaN unless dof > 1, variances infinite for 1 < dof <= 2,
 * NaN below. */
BLN_API bln_status bln_posterior_predict(const bln_posterior *q, const bln_data *data, double *mean, double *var_model,
                                         double *var_noise, double *work, bln_report *report);

/* Mean and variance of f: n x J each; either may be NULL. */
BLN_API bln_status bln_posterior_latent(const bln_posterior *q, const bln_data *data, double *mean, double *var, double *work,
                                        bln_report *report);

/* log p(y) of the rows' own y, n x n_y, each output by itself: the log of the mean density, in nats. */
BLN_API bln_status bln_posterior_logdensities(const bln_posterior *q, const bln_data *data, double *out, double *work,
                                              bln_report *report);

/* lower = P(Y <= y), upper = P(Y > y) at the rows' own y: n x n_y each; either may be NULL. */
BLN_API bln_status bln_posterior_cdfs(const bln_posterior *q, const bln_data *data, double *lower, double *upper, double *work,
                                      bln_report *report);

/* The probability integral transform, uniform over rows if the posterior is right: P(Y <= y), and of a discrete y, which has
 * steps, P(Y < y) + u P(Y = y) with the uniform u of stream i of the seed for row i. What is not uniform over many rows shows how
 * predictions are wrong: heaped at 0 and 1, too sure; in the middle, too timid; on one side, off. n x n_y.
 *                                                                    [scores 16; Brockwell 2007; Czado, Gneiting & Held 2009] */
BLN_API bln_status bln_posterior_pits(const bln_posterior *q, const bln_data *data, uint64_t seed, double *out, double *work,
                                      bln_report *report);

/* Of what a quantile is asked: of y, n_y a row, or of f, J a row. f is on the scale of the link: for the rate of a log link take
 * exp of the ends of an interval, times the exposure. */
typedef enum bln_of { BLN_OF_Y, BLN_OF_F } bln_of;

/* The least value with P(. <= value) >= p, for n_p probabilities p of [0, 1]: n x n_y x n_p, or n x J x n_p. 0 and 1 give the ends
 * of the support. BLN_EINVAL also: p NULL and n_p > 0. */
BLN_API bln_status bln_posterior_quantiles(const bln_posterior *q, const bln_data *data, bln_of of, size_t n_p, const double *p,
                                           double *out, double *work, bln_report *report);

/* The central interval of probability `level`: quantiles of (1 - level)/2 on either side, n x n_y or n x J each. */
BLN_API bln_status bln_posterior_intervals(const bln_posterior *q, const bln_data *data, bln_of of, double level, double *lower,
                                           double *upper, double *work, bln_report *report);

#endif /* BLN_POSTERIOR_PREDICT_H */
