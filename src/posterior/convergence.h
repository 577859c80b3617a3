#ifndef BLN_POSTERIOR_CONVERGENCE_H
#define BLN_POSTERIOR_CONVERGENCE_H
#include "../core/status.h"
/* >>convergence - have chains arrived, and how many independent draws are theirs worth?
 *
 *     R-hat       sqrt of the variance of all draws over that within chains: 1 where chains agree. Of the ranks of the draws,
 *                 turned into normals, and of the ranks of |x - median|; the larger of the two. Each chain is cut into halves, so
 *                 that one that drifts disagrees with itself. Above 1.01 the chains have not arrived.
 *     ESS         effective sample size: S/tau, tau = 1 + 2 sum of autocorrelations, cut by Geyer's initial monotone sequence.
 *                 bulk: of the ranks as normals; tail: the smaller one of those of x <= q05 and x <= q95; mean: of x itself.
 *                 At least 100 for each chain, or neither R-hat nor the errors below can be believed.
 *     MCSE        Monte Carlo standard error: how far an estimate from these draws is off.
 *     E-BFMI      sum (E_t - E_{t-1})^2/sum (E_t - mean)^2 of the energies of a Hamiltonian sampler. Below 0.3 its momenta move it
 *                 too little from one level of energy to the next, as where tails are heavy or scales vary.
 *
 *     [Vehtari, Gelman, Simpson, Carpenter & Buerkner 2021; Geyer 1992; Betancourt 2016; samplers 37-42]
 *
 * The numbers are those of R's package posterior. None of these allocate. Sizes are those of one scalar. */

/* Draws of one scalar by several chains: draw i of chain c is x[c*ldchain + i*ld]. */
typedef struct bln_series {
    const double *x;               /*                                                                            (required)      */
    size_t chains, draws;          /* draws of each                                                              (required, >= 1) */
    size_t ld, ldchain;            /* from draw to draw, from chain to chain                                     (0: 1; draws*ld) */
} bln_series;

/* Quantiles are of type 7 [Hyndman & Fan 1996], sd is that with n - 1. R-hat and all ESS are NaN if all draws are equal, one is not
 * finite, or a chain has fewer than 6; a tail whose x <= q is always true or never is left out of ess_tail. */
typedef struct bln_summary {
    double mean, sd, q05, median, q95;
    double rhat, ess_bulk, ess_tail, ess_mean;
    double mcse_mean, mcse_sd;
} bln_summary;

/* All of it. work: bln_series_work(s) doubles (SIZE_MAX: overflow), 6 for each draw.
 * S log S for the ranks, and a pass over the draws for each lag until autocorrelations vanish: 1 ms for 4000 draws that mix well
 * BLN_EINVAL: NULL, no chains, no draws. */
BLN_API bln_status bln_series_summary(const bln_series *s, bln_summary *out, double *work, bln_report *report);
BLN_API size_t     bln_series_work(const bln_series *s);

/* The quantile of p in (0, 1), the effective sample size of x <= it, and its standard error; each may be NULL. Errors as above. */
BLN_API bln_status bln_series_quantile(const bln_series *s, double p, double *quantile, double *ess, double *mcse, double *work,
                                       bln_report *report);

/* out[t] <- the autocorrelation at lag t, averaged over the chains, t < lags <= draws; NaN of constant chains. Errors as above, and
 * BLN_EINVAL: lags. */
BLN_API bln_status bln_series_autocorrelation(const bln_series *s, size_t lags, double *out, double *work, bln_report *report);

/* out[c] <- E-BFMI of chain c; NaN if the chain is constant or has fewer than 2 draws. Errors as above. */
BLN_API bln_status bln_series_ebfmi(const bln_series *energy, double *out, bln_report *report);

#endif /* BLN_POSTERIOR_CONVERGENCE_H */
