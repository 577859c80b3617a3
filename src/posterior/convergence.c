/* convergence: R-hat, effective sample sizes and what follows from them                                        [samplers 37-42]
 *
 * Everything works on m sequences of n numbers without gaps: the chains, or their halves. Autocovariances are computed lag by lag,
 * as sums of products, as far as they are needed: chains that mix need few, and then this is cheaper than a Fourier transform. */
#include "convergence.h"
#include "../core/data_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/blas.h"
#include "../math/special.h"

enum { BLNI_ESS_LEAST = 3 };

/* The workspace, S numbers each: all draws, chain after chain; the sequences that are looked at; draws in ascending order and where
 * they come from; normal scores of the ranks; autocorrelations. */
typedef struct blni_convergence {
    size_t  chains, draws, S, m, n;                     /* m sequences of n: halves of chains                  */
    double *x, *z, *sorted, *place, *score, *rho;
} blni_convergence;

BLN_API size_t bln_series_work(const bln_series *s) { return s ? blni_mul(6, blni_mul(s->chains, s->draws)) : 0; }

BLNI_PRIV bln_status blni_series_check(const bln_series *s, const void *out, bln_report *report)
{
    BLNI_TRY(blni_begin(report, s && s->x && out, "convergence: a NULL"));
    if (s->chains == 0 || s->draws == 0) return blni_refuse(report, BLN_EINVAL, "convergence: no draws");
    return BLN_OK;
}

BLNI_PRIV double blni_series_at(const bln_series *s, size_t c, size_t i)
{
    const size_t ld = s->ld ? s->ld : 1;
    return s->x[c*(s->ldchain ? s->ldchain : ld*s->draws) + i*ld];
}

BLNI_PRIV blni_convergence blni_convergence_of(const bln_series *s, double *work)
{
    blni_convergence v;
    v.chains = s->chains;
    v.draws = s->draws;
    v.S = s->chains*s->draws;
    v.m = 2*s->chains;
    v.n = s->draws/2;
    v.x = work;
    v.z = work + v.S;
    v.sorted = work + 2*v.S;
    v.place = work + 3*v.S;
    v.score = work + 4*v.S;
    v.rho = work + 5*v.S;
    for (size_t c = 0; c < s->chains; c++)
        for (size_t i = 0; i < s->draws; i++) v.x[c*s->draws + i] = blni_series_at(s, c, i);
    return v;
}

/* z <- the halves of the chains, of an odd number of draws without the one in the middle. */
BLNI_PRIV void blni_convergence_split(const blni_convergence *v)
{
    for (size_t c = 0; c < v->chains; c++) {
        memcpy(v->z + 2*c*v->n, v->x + c*v->draws, v->n*sizeof *v->z);
        memcpy(v->z + (2*c + 1)*v->n, v->x + (c + 1)*v->draws - v->n, v->n*sizeof *v->z);
    }
}

/* sorted <- n numbers of x in ascending order, place: where they were. */
BLNI_PRIV void blni_convergence_sort(const blni_convergence *v, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) { v->sorted[i] = x[i]; v->place[i] = (double)i; }
    blni_sort(n, v->sorted, v->place);
}

/* Phi^-1((r - 3/8)/(S + 1/4)), the normal score of rank r of S [Blom 1958]. */
BLNI_PRIV double blni_normal_score(double r, size_t S) { return bln_norm_quantile((r - 0.375)/((double)S + 0.25)); }

BLNI_PRIV void blni_convergence_scores(const blni_convergence *v)
{
    const size_t S = v->m*v->n;
    for (size_t r = 0; r < (S + 1)/2; r++) {
        v->score[r] = blni_normal_score((double)r + 1.0, S);
        v->score[S - 1 - r] = -v->score[r];
    }
}

/* z <- the normal scores of its ranks among all; equal ones share the mean of their ranks. */
BLNI_PRIV void blni_convergence_ranks(const blni_convergence *v)
{
    const size_t S = v->m*v->n;
    blni_convergence_sort(v, S, v->z);
    for (size_t first = 0, last; first < S; first = last) {
        for (last = first + 1; last < S && v->sorted[last] == v->sorted[first];) last++;
        const double score = last == first + 1 ? v->score[first] : blni_normal_score(0.5*(double)(first + 1 + last), S);
        for (size_t i = first; i < last; i++) v->z[(size_t)v->place[i]] = score;
    }
}

/* ---- sequences */

/* Mean variance within m sequences of n (with n - 1), and the variance of their means (with m - 1; 0 of one); centres them. */
typedef struct blni_within { double within, between; } blni_within;
BLNI_PRIV blni_within blni_sequences_centre(size_t m, size_t n, double *z)
{
    blni_running means = { 0.0, 0.0, 0.0 };
    blni_within v = { 0.0, 0.0 };
    for (size_t j = 0; j < m; j++) {
        double *x = z + j*n;
        blni_running draws = { 0.0, 0.0, 0.0 };
        for (size_t i = 0; i < n; i++) blni_running_add(&draws, 1.0, x[i]);
        for (size_t i = 0; i < n; i++) x[i] -= draws.mean;
        v.within += bln_dot(n, x, x)/((double)n - 1.0)/(double)m;
        blni_running_add(&means, 1.0, draws.mean);
    }
    if (m > 1) v.between = means.scatter/((double)m - 1.0);
    return v;
}

/* The mean autocovariance of centred sequences at lag t, with n for all of them. */
BLNI_PRIV double blni_sequences_lag(size_t m, size_t n, const double *z, size_t t)
{
    double sum = 0.0;
    for (size_t j = 0; j < m; j++) sum += bln_dot(n - t, z + j*n, z + j*n + t);
    return sum/((double)n*(double)m);
}

BLNI_PRIV double blni_rhat(const blni_within *v, size_t n)
{
    return sqrt((v->between/v->within*(double)n + (double)n - 1.0)/(double)n);
}

/* Autocorrelations come in pairs whose sums are positive and fall, if the chain is reversible: the sequence ends where a sum is not
 * positive, and a sum that rises is that of the pair before [Geyer 1992]. The last even one counts once, which helps chains whose
 * draws alternate. Never more than S log10 S. rho: n numbers. */
BLNI_PRIV double blni_ess(size_t m, size_t n, const double *z, const blni_within *v, double *rho)
{
    const double S = (double)m*(double)n, all = v->within*((double)n - 1.0)/(double)n + v->between;
    double even = 1.0, odd, sum = 0.0;
    size_t t = 0;
    if (n < BLNI_ESS_LEAST || !(all > 0.0 && blni_finite(all))) return BLNI_NAN;
    odd = 1.0 - (v->within - blni_sequences_lag(m, n, z, 1))/all;
    rho[0] = even;
    rho[1] = odd;
    while (t + 5 < n && even + odd > 0.0) {
        t += 2;
        even = 1.0 - (v->within - blni_sequences_lag(m, n, z, t))/all;
        odd = 1.0 - (v->within - blni_sequences_lag(m, n, z, t + 1))/all;
        rho[t] = even + odd >= 0.0 ? even : 0.0;
        rho[t + 1] = even + odd >= 0.0 ? odd : 0.0;
    }
    if (even > 0.0) rho[t] = even;
    for (size_t k = 2; k + 2 <= t; k += 2)
        if (rho[k] + rho[k + 1] > rho[k - 2] + rho[k - 1]) rho[k] = rho[k + 1] = 0.5*(rho[k - 2] + rho[k - 1]);
    for (size_t k = 0; k < (t ? t : 1); k++) sum += rho[k];
    const double tau = -1.0 + 2.0*sum + (t ? rho[t] : 1.0), least = 1.0/log10(S);
    return S/(tau > least ? tau : least);
}

/* Of z, whose sequences are centred by it. */
BLNI_PRIV double blni_convergence_ess(const blni_convergence *v)
{
    const blni_within w = blni_sequences_centre(v->m, v->n, v->z);
    return blni_ess(v->m, v->n, v->z, &w, v->rho);
}

/* ESS of x <= q. */
BLNI_PRIV double blni_convergence_below(const blni_convergence *v, double q)
{
    blni_convergence_split(v);
    for (size_t i = 0; i < v->m*v->n; i++) v->z[i] = v->z[i] <= q;
    return blni_convergence_ess(v);
}

/* Ranks of z as normals: R-hat, and ESS if it is not NULL. */
BLNI_PRIV double blni_convergence_rhat(const blni_convergence *v, double *ess)
{
    blni_convergence_ranks(v);
    const blni_within w = blni_sequences_centre(v->m, v->n, v->z);
    if (ess) *ess = blni_ess(v->m, v->n, v->z, &w, v->rho);
    return blni_rhat(&w, v->n);
}

/* Mean, sd, quantiles and their standard errors. `sorted` keeps all draws. */
BLNI_PRIV void blni_convergence_moments(const blni_convergence *v, bln_summary *out)
{
    blni_running all = { 0.0, 0.0, 0.0 };
    double fourth = 0.0;
    for (size_t i = 0; i < v->S; i++) blni_running_add(&all, 1.0, v->x[i]);
    out->mean = all.mean;
    out->sd = v->S > 1 ? sqrt(all.scatter/((double)v->S - 1.0)) : BLNI_NAN;
    blni_convergence_split(v);
    out->ess_mean = blni_convergence_ess(v);
    out->mcse_mean = out->sd/sqrt(out->ess_mean);
    for (size_t i = 0; i < v->S; i++) {
        const double c = v->x[i] - all.mean;
        fourth += c*c*c*c/(double)v->S;
    }
    /* The variance of the mean of squares c^2, and half of it over the variance for the root of that mean. */
    const double var = all.scatter/(double)v->S;
    blni_convergence_split(v);
    for (size_t i = 0; i < v->m*v->n; i++) v->z[i] = (v->z[i] - all.mean)*(v->z[i] - all.mean);
    out->mcse_sd = sqrt((fourth - var*var)/(4.0*var*blni_convergence_ess(v)));
    blni_convergence_sort(v, v->S, v->x);
    out->q05 = blni_sorted_quantile(v->S, v->sorted, 0.05);
    out->median = blni_sorted_quantile(v->S, v->sorted, 0.5);
    out->q95 = blni_sorted_quantile(v->S, v->sorted, 0.95);
}

BLNI_ONCE BLN_API bln_status bln_series_summary(const bln_series *s, bln_summary *out, double *work, bln_report *report)
{
    BLNI_TRY(blni_series_check(s, work ? (const void *)out : NULL, report));
    const blni_convergence v = blni_convergence_of(s, work);
    blni_convergence_moments(&v, out);
    const int constant = v.sorted[0] == v.sorted[v.S - 1];
    out->rhat = out->ess_bulk = out->ess_tail = BLNI_NAN;
    if (constant || v.n < BLNI_ESS_LEAST || !blni_all_finite(v.S, v.x)) {
        out->ess_mean = out->mcse_mean = out->mcse_sd = BLNI_NAN;
        return BLN_OK;
    }
    const double low = blni_convergence_below(&v, out->q05), high = blni_convergence_below(&v, out->q95);
    out->ess_tail = low < high || high != high ? low : high;
    blni_convergence_scores(&v);
    blni_convergence_split(&v);
    const double ranks = blni_convergence_rhat(&v, &out->ess_bulk);
    blni_convergence_split(&v);
    for (size_t i = 0; i < v.m*v.n; i++) v.z[i] = fabs(v.z[i] - out->median);
    const double folded = blni_convergence_rhat(&v, NULL);
    out->rhat = folded > ranks ? folded : ranks;
    return BLN_OK;
}

/* The p-quantile of S draws lies where a beta variable with the parameters p ESS + 1 and (1 - p) ESS + 1 says; half the distance of
 * the draws at that variable's quantiles of one standard deviation. */
BLN_API bln_status bln_series_quantile(const bln_series *s, double p, double *quantile, double *ess, double *mcse, double *work,
                                       bln_report *report)
{
    BLNI_TRY(blni_series_check(s, work, report));
    if (!(p > 0.0 && p < 1.0)) return blni_refuse(report, BLN_EINVAL, "convergence: p must be in (0, 1)");
    const blni_convergence v = blni_convergence_of(s, work);
    const int finite = blni_all_finite(v.S, v.x);
    blni_convergence_sort(&v, v.S, v.x);
    const double q = finite ? blni_sorted_quantile(v.S, v.sorted, p) : BLNI_NAN;
    const double worth = finite ? blni_convergence_below(&v, q) : BLNI_NAN, S = (double)v.S;
    double error = BLNI_NAN;
    if (worth == worth) {
        const double a = p*worth + 1.0, b = (1.0 - p)*worth + 1.0, sigma = bln_norm_cdf(-1.0);
        const double low = floor(bln_beta_p_inv(a, b, sigma)*S), high = ceil(bln_beta_q_inv(a, b, sigma)*S);
        error = 0.5*(v.sorted[high < S ? (size_t)high - 1 : v.S - 1] - v.sorted[low > 1.0 ? (size_t)low - 1 : 0]);
    }
    if (quantile) *quantile = q;
    if (ess) *ess = worth;
    if (mcse) *mcse = error;
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_series_autocorrelation(const bln_series *s, size_t lags, double *out, double *work,
                                                        bln_report *report)
{
    BLNI_TRY(blni_series_check(s, work ? out : NULL, report));
    if (lags > s->draws) return blni_refuse(report, BLN_EINVAL, "convergence: more lags than draws");
    const blni_convergence v = blni_convergence_of(s, work);
    blni_sequences_centre(v.chains, v.draws, v.x);
    for (size_t t = 0; t < lags; t++) {
        out[t] = 0.0;
        for (size_t c = 0; c < v.chains; c++) {
            const double *x = v.x + c*v.draws;
            out[t] += bln_dot(v.draws - t, x, x + t)/bln_dot(v.draws, x, x)/(double)v.chains;
        }
    }
    return BLN_OK;
}

BLN_API bln_status bln_series_ebfmi(const bln_series *energy, double *out, bln_report *report)
{
    BLNI_TRY(blni_series_check(energy, out, report));
    for (size_t c = 0; c < energy->chains; c++) {
        blni_running all = { 0.0, 0.0, 0.0 };
        double steps = 0.0;
        for (size_t i = 0; i < energy->draws; i++) {
            const double e = blni_series_at(energy, c, i), d = i ? e - blni_series_at(energy, c, i - 1) : 0.0;
            blni_running_add(&all, 1.0, e);
            steps += d*d;
        }
        out[c] = all.scatter > 0.0 ? steps/all.scatter : BLNI_NAN;
    }
    return BLN_OK;
}
