#ifndef BLN_POSTERIOR_SLOPES_H
#define BLN_POSTERIOR_SLOPES_H
#include "../core/data.h"
#include "posterior.h"
/* >>slopes - how the mean and the variance of f change with the inputs
 *
 *     dmean_ijl = d E f_ij/dx_il,   dvar_ijl = d Var f_ij/dx_il,   of the whole mixture: with weights w_k and m = sum w_k m_k
 *     dm = sum_k w_k dm_k,   dv = sum_k w_k (dv_k + 2 (m_k - m) dm_k)
 *
 * by the pullbacks of the bases: no n x D x d array is formed. Where a variance is cut off at 0, dvar is the slope of the variance
 * before the cut. Offsets and the noise of the data count as constants. */

/* dmean, dvar: n x J d each (d = data->d), the slopes of a latent after those of the one before, stride lddx (0: J d); either may
 * be NULL. Of t's where mean and variance exist, else NaN.
 * work: bln_posterior_slopes_work(q) doubles, or NULL to allocate.
 * Cost of a row: 4 D^2 flops for a Gaussian by factor, 8 D k of low rank, for each latent; 2 J pullbacks for each theta; with
 * several components also their moments. Where thetas differ, bases are bound anew for each block.
 * BLN_EINVAL: a basis, or a part of it, has features of its inputs but no pullback; lddx below J d. Else as >>predict has it.
 * BLN_ENUMERIC: a slope is not finite; the report has its row. */
BLN_API bln_status bln_posterior_slopes(const bln_posterior *q, const bln_data *data, double *dmean, double *dvar, size_t lddx,
                                        double *work, bln_report *report);
/* Doubles of workspace; SIZE_MAX on overflow, 0 for NULL and where q->status is not BLN_OK. */
BLN_API size_t bln_posterior_slopes_work(const bln_posterior *q);

#endif /* BLN_POSTERIOR_SLOPES_H */
