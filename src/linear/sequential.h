#ifndef BLN_LINEAR_SEQUENTIAL_H
#define BLN_LINEAR_SEQUENTIAL_H
#include "../math/cholesky.h"
#include "slm.h"
/* >>sequential - the linear model one row at a time: exact posterior and one-step-ahead score after each
 *
 * The model of >>slm at given sigma^2, prior variances and theta, which are known or were learnt by bln_slm. It is kept as an upper
 * triangular matrix of (D+1) x (D+1):
 *
 *     [U z; 0 rho]'[U z; 0 rho] = [I 0; 0 0] + [Phi S  y]' Omega [Phi S  y]/sigma^2,    S = diag(sqrt(lambda_i)),
 *
 * so that B = U'U, m = S U^-1 z, C = S B^-1 S, q = rho^2 [linear 3-6]; for a flat weight S has 1, and I has 0. Orthogonal rotations
 * add a row, so the condition number of Phi is never squared. Sums of squares (>>statistics in double) do square it: with
 * c/(sigma^2 q) = 5e10 [linear 18] they keep 4 digits of q, and the triangle keeps 11. Rows can be added, taken out and discounted,
 * and the triangles of several sets of rows merged.           [linear 19, 25, 26, 28, 29; Golub & Van Loan 2013, 6.5.4]
 *
 * Each row is predicted before it is added, y_n ~ N(phi_n'm + offset_n, sigma^2 v_n + phi_n'C phi_n + r_n), with m and C given the
 * rows before it. The logs of these densities sum to the evidence [linear 26], which is thus a score of one-step-ahead forecasts
 * without a test set [Dawid 1984].
 *
 * r_n = sum_s lambda_s (k_s(x_n, x_n) - |phi_s(x_n)|^2) is the residual prior variance of f, which the features of >>inducing miss;
 * it is 0 for other bases. With r_n > 0 the sum is still a score of forecasts, but not the evidence: that is the variational bound,
 * log p(y) of the features minus sum_n omega_n r_n/(2 sigma^2), as with bln_slm_residual.
 *
 * A row of weight k counts as k copies. noise_var v makes its noise variance sigma^2 v, and offset is subtracted from y (bln_data).
 * Flat priors (HUGE_VAL) are as in >>slm. Until the rows determine all flat weights there is no posterior and no forecast: of each
 * feature with a flat prior, the part not explained by the features before it must exceed 1e-13 of it.
 * Memory: about 2 (D+1)^2 + block (D+1) doubles; nothing is allocated after _create. */
typedef struct bln_sequential bln_sequential;

typedef struct bln_sequential_desc {
    const bln_basis *basis;        /* borrowed; must outlive the model                                       (required)       */
    double           noise_var;    /* sigma^2, in [y]^2                                                      (> 0, required)  */
    const double    *prior_var;    /* n_slices (or D) prior variances >= 0, or HUGE_VAL: flat; copied        (required)       */
    int              per_weight;   /* prior_var has one for each weight                                      (0: each slice)  */
    bln_slm_residual residual;     /* in the evidence: prior variance that features miss; not with per_weight
                                                                                                    (0: variational)         */
    const double    *theta;        /* n_theta basis parameters, copied                             (NULL: the basis's starts) */
    size_t           block;        /* rows of a block                                                        (0: 64)          */
    bln_allocator    alloc;        /*                                                                        (zero: malloc)   */
} bln_sequential_desc;

BLN_API bln_sequential_desc bln_sequential_defaults(const bln_sequential_desc *desc);
BLN_API const char         *bln_sequential_check(const bln_sequential_desc *desc);

/* Bytes that a model holds, for any number n of rows. SIZE_MAX: overflow, or no basis. */
BLN_API size_t bln_sequential_size(const bln_sequential_desc *desc, size_t n);

/* A model that has seen no rows.   BLN_EINVAL: see _check (among others: a flat prior of features that miss variance).
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_sequential_create(const bln_sequential_desc *desc, bln_sequential **out, bln_report *report);

/* A model that has seen no rows, with basis (borrowed), noise variance, prior variances, residual, theta, block and allocator of a
 * fitted model. slm does not keep its rows: add them if they are to count.   BLN_EINVAL: NULL; slm has several outputs.
 * BLN_ESTATE: slm is not fitted.  BLN_EUNDEFINED: its noise variance is 0 (a perfect fit).  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_sequential_create_from(const bln_slm *slm, bln_sequential **out, bln_report *report);
BLN_API void       bln_sequential_free(bln_sequential *t);                       /* NULL is fine */

/* Back to no rows. */
BLN_API void bln_sequential_clear(bln_sequential *t);

/* Adds n rows, and gives for each the forecast from all rows before it, those of this call included. n numbers each, or NULL:
 *     mean, var   of y (of one copy): phi'm + offset and sigma^2 v + phi'C phi + r_n, as _predict gives them
 *     logp        log density, in nats, of all k copies of the row at the observed y: for k = 1 log N(y | mean, var), else
 *                 -1/2 [k log(2 pi sigma^2 v) + log(1 + k h) + k e^2/(sigma^2 v (1 + k h))],  h = (phi'C phi + r_n)/(sigma^2 v),
 *                 e = y - mean; if r_n = 0 their sum is the change of the evidence
 * While the rows do not determine all flat weights, mean and logp are NaN and var is infinite. 5 D^2 flops a row and D^2 a call.
 * Eight or more rows in a call without forecasts are added in blocks by 2 D^2 faster flops a row; results then differ by rounding.
 * BLN_EINVAL, BLN_ESHAPE: NULL, data.d is not basis.d. BLN_EDATA, BLN_EDOMAIN: see bln_data_check. BLN_ENUMERIC: squares of the
 * scaled features or of y overflow (the report's row). Nothing changes on failure. */
BLN_API bln_status bln_sequential_add(bln_sequential *t, const bln_data *data, double *mean, double *var, double *logp,
                                      bln_report *report);

/* Takes out rows that were added before, with the same weight, noise_var, offset and y [linear 28]. If their weights sum to that of
 * all rows, this is exactly _clear.
 *     Digits: with leverage l = k phi'C phi/(sigma^2 v) < 1 (C before the removal) relative errors grow 1/(1 - l) times at most, q
 *     keeps an absolute error of about 16 eps times its value before.   6 D^2 flops a row and 2 D^2 a call
 * BLN_EUNDEFINED: more than 8 digits would be lost (1 - l <= 1e-8, or an error of q above 1e-8 of the larger of 1 and q); the
 * report names the row. Then build a new model from the rows that stay. Most rows that were never added are refused so too, but not
 * all. Also with undetermined flat weights. BLN_EDOMAIN: more weight than there is. Else as _add. Nothing changes on failure. */
BLN_API bln_status bln_sequential_remove(bln_sequential *t, const bln_data *data, bln_report *report);

/* t <- the posterior given the rows of both, with the prior counted once: the QR of both triangles [Demmel et al. 2012], from which
 * one prior is subtracted. That costs no digits, as at least half remains (1 - p'p >= 1/2). 4 D^3 flops BLN_EINVAL: NULL.
 * BLN_ESHAPE: another basis (by a hash of what it saves), theta, noise variance or prior. BLN_EUNDEFINED: both together do not
 * determine the flat weights. Nothing changes on failure. */
BLN_API bln_status bln_sequential_merge(bln_sequential *t, const bln_sequential *other, bln_report *report);

/* Multiplies the weights of all earlier rows by kappa in (0, 1]; the prior is not discounted [linear 29]. Called before each new
 * row, it keeps an effective memory of 1/(1 - kappa) rows. A row that is taken out later has kappa times its weight. The evidence
 * is that of the tempered likelihood; forecasts stay valid, but their log densities no longer sum to it. D^3 flops BLN_EINVAL:
 * NULL. BLN_EDOMAIN: kappa outside (0, 1]. */
BLN_API bln_status bln_sequential_forget(bln_sequential *t, double kappa, bln_report *report);

/* The posterior, the argument of everything else (>>predict), valid until the next change; before any row it is the prior. Its
 * status is BLN_EUNDEFINED while flat weights are not determined. NULL for NULL. */
BLN_API const bln_posterior *bln_sequential_posterior(const bln_sequential *t);

/* What it was made with; NULL and NaN for NULL. theta: n_theta. prior_var: n_slices, or D if per_weight. */
BLN_API const bln_basis *bln_sequential_basis(const bln_sequential *t);
BLN_API const double    *bln_sequential_theta(const bln_sequential *t);
BLN_API const double    *bln_sequential_prior_var(const bln_sequential *t);
BLN_API double           bln_sequential_noise_var(const bln_sequential *t);

/* log p(y | sigma^2, lambda, theta) of the rows [linear 7], with flat priors as in >>slm, and the bound if `residual` asks for it:
 * the same as bln_slm_evidence_at here. NaN with undetermined flat weights. _rows: N, the sum of the weights. O(D) */
BLN_API double bln_sequential_evidence(const bln_sequential *t);
BLN_API double bln_sequential_rows(const bln_sequential *t);

/* Predictions at the rows of data, without adding them: bln_posterior_predict of its posterior.
 * work: bln_posterior_work(bln_sequential_posterior(t)) doubles, or NULL to allocate. */
BLN_API bln_status bln_sequential_predict(const bln_sequential *t, const bln_data *data, double *mean, double *var_model,
                                          double *var_noise, double *work, bln_report *report);

/* As bytes, to send or to store. The basis is not written: load replaces t by what was saved, and t must have an equal basis and
 * the same theta, noise variance and prior. load: BLN_EINVAL: NULL. BLN_ESHAPE: one of these differs. BLN_EFORMAT: numbers that no
 * model has. Any status of the reader or writer. Nothing changes on failure. */
BLN_API bln_status bln_sequential_save(const bln_sequential *t, bln_writer *w);
BLN_API bln_status bln_sequential_load(bln_sequential *t, bln_reader *r);

#endif /* BLN_LINEAR_SEQUENTIAL_H */
