/* psis: the fit to the tail of the ratios, and sums over rows
 *
 * Ratios are divided by the largest. Exceedances are x = e^l - e^u, where u is the largest log ratio outside the M largest. Only x
 * > 0 count: ties with u, which a chain that does not move has many of, and ratios that underflow are not of the tail. Shape and
 * scale of P(X > x) = (1 + k x/sigma)^{-1/k} follow from the quasi-Bayesian mean of b = -k/sigma over m = 30 + sqrt M points around
 * a prior guess [scores 22; Zhang & Stephens 2009, (6) to (9)]:
 *     b_j = 1/x_M + (1 - sqrt(m/(j - 1/2)))/(3 x*),  x* the first quartile of the x,   k(b) = mean log(1 - b x),
 *     profile l(b) = M (log(-b/k) - k - 1),   b^ = sum_j b_j e^l_j/sum e^l,   k_hat = (M k(b^) + 5)/(M + 10)
 * The last formula is a weak prior of k around 1/2 [Vehtari, Simpson, Gelman, Yao & Gabry 2024, appendix]. */
#include "psis_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/special.h"

enum { BLNI_PSIS_LEAST = 5, BLNI_PSIS_PROFILE = 30 };

BLN_API double bln_psis_limit(size_t draws)
{
    const double limit = draws < 10 ? 0.0 : 1.0 - 1.0/log10((double)draws);
    return limit < 0.7 ? limit : 0.7;
}

BLNI_PRIV double blni_pareto_shape(size_t M, const double *x, double b)
{
    double sum = 0.0;
    for (size_t i = 0; i < M; i++) sum += log1p(-b*x[i]);
    return sum/(double)M;
}

/* k and sigma for x ascending, > 0. */
BLNI_PRIV void blni_pareto_fit(size_t M, const double *x, double *k, double *sigma)
{
    const size_t m = BLNI_PSIS_PROFILE + (size_t)sqrt((double)M);
    const double quartile = x[(M + 2)/4 - 1], largest = x[M - 1];
    double top = -HUGE_VAL, sum = 0.0, b = 0.0;
    for (size_t j = 0; j < m; j++) {
        const double b_j = 1.0/largest + (1.0 - sqrt((double)m/((double)j + 0.5)))/(3.0*quartile);
        const double k_j = blni_pareto_shape(M, x, b_j), l = (double)M*(log(-b_j/k_j) - k_j - 1.0);
        if (!(l > -HUGE_VAL)) continue;                          /* b_j = 0, and what a subnormal quartile makes overflow */
        if (l > top) {                                                /* sums in units of the largest term so far */
            sum *= exp(top - l);
            b *= exp(top - l);
            top = l;
        }
        sum += exp(l - top);
        b += exp(l - top)*b_j;
    }
    b /= sum;
    *k = blni_pareto_shape(M, x, b);
    *sigma = -*k/b;
    *k = (*k*(double)M + 5.0)/((double)M + 10.0);
}

/* log of ratio number j of M in the tail beyond u, at most 0. */
BLNI_PRIV double blni_pareto_quantile(double p, double u, double k, double sigma)
{
    const double tail = -log1p(-p), x = sigma*(k != 0.0 ? expm1(k*tail)/k : tail), l = log(exp(u) + x);
    return l < 0.0 ? l : 0.0;
}

/* The largest M of l, S log ratios whose maximum is 0, by their smoothed selves; returns k_hat. sorted, place: S each. */
BLNI_PRIV double blni_psis_smooth(size_t S, size_t M, double *l, double *sorted, double *place)
{
    double k, sigma;
    size_t tail = M;
    if (M + 1 > S) return HUGE_VAL;
    for (size_t s = 0; s < S; s++) { sorted[s] = l[s]; place[s] = (double)s; }
    blni_sort_largest(S, M + 1, sorted, place);
    const double u = sorted[S - M - 1];
    double *x = sorted + S - M;
    for (size_t i = 0; i < M; i++) x[i] = exp(x[i]) - exp(u);
    for (; tail > 0 && !(*x > 0.0); x++) tail--;
    if (tail == 0) return -HUGE_VAL;
    if (tail < BLNI_PSIS_LEAST) return HUGE_VAL;
    blni_pareto_fit(tail, x, &k, &sigma);
    if (!(sigma > 0.0)) return HUGE_VAL;                             /* NaN, and then so is k */
    for (size_t i = 0; i < tail; i++)
        l[(size_t)place[S - tail + i]] = blni_pareto_quantile(((double)i + 0.5)/(double)tail, u, k, sigma);
    return k;
}

BLN_API size_t bln_psis_work(size_t S) { return blni_mul(2, S); }

/* As bln_psis, for ratios that are no NaN. Infinite ones share all the weight. */
BLNI_PRIV void blni_psis(size_t S, double *l, double r_eff, double *k_hat, double *work)
{
    const double fifth = ceil(0.2*(double)S), root = ceil(3.0*sqrt((double)S/(r_eff > 0.0 ? r_eff : 1.0)));
    double top = -HUGE_VAL, k = HUGE_VAL;
    for (size_t s = 0; s < S; s++) if (l[s] > top) top = l[s];
    for (size_t s = 0; s < S; s++) l[s] = l[s] == top ? 0.0 : l[s] - top;
    if (top < HUGE_VAL) k = blni_psis_smooth(S, (size_t)(fifth < root ? fifth : root), l, work, work + S);
    const double sum = bln_logsumexp(S, l);
    for (size_t s = 0; s < S; s++) l[s] -= sum;
    if (k_hat) *k_hat = k;
}

BLN_API bln_status bln_psis(size_t S, double *log_ratio, double r_eff, double *k_hat, double *work, bln_report *report)
{
    size_t none = 0;
    BLNI_TRY(blni_begin(report, S > 0 && log_ratio && work, "psis: no draws, or NULL"));
    if (!(r_eff >= 0.0 && blni_finite(r_eff))) return blni_refuse(report, BLN_EINVAL, "psis: r_eff must be >= 0 and finite");
    for (size_t s = 0; s < S; s++) {
        if (log_ratio[s] != log_ratio[s]) return blni_fail(report, BLN_EDATA, s, BLN_NONE, "psis: a log ratio is NaN");
        none += log_ratio[s] == -HUGE_VAL;
    }
    if (none == S) return blni_refuse(report, BLN_EUNDEFINED, "psis: all ratios are 0");
    blni_psis(S, log_ratio, r_eff, k_hat, work);
    return BLN_OK;
}

/* ---- sums over rows */

BLNI_PRIV blni_elpd blni_elpd_start(void)
{
    blni_elpd e = BLN_ZERO;
    e.total.worst = BLN_NONE;
    e.total.worst_k = BLNI_NAN;
    return e;
}

/* Row i, unless its weight is 0: elpd, log density given all rows, and the measure that says how far it may be trusted. */
BLNI_PRIV void blni_elpd_add(blni_elpd *e, size_t i, double weight, double elpd, double full, double measure, double limit)
{
    if (!(weight > 0.0)) return;
    blni_running_add(&e->rows, weight, elpd);
    e->total.elpd += weight*elpd;
    e->total.parameters += weight*(full - elpd);
    e->total.bad += measure > limit;
    if (e->total.worst == BLN_NONE || measure > e->total.worst_k) {
        e->total.worst = i;
        e->total.worst_k = measure;
    }
}

BLNI_PRIV bln_elpd blni_elpd_end(const blni_elpd *e)
{
    bln_elpd total = e->total;
    const double N = e->rows.weight;
    total.rows = N;
    total.se = N > 1.0 ? sqrt(e->rows.scatter*(N/(N - 1.0))) : BLNI_NAN;
    return total;
}

/* ---- tables */

/* Column i of the table into l. */
BLNI_PRIV bln_status blni_psis_column(size_t S, size_t i, const double *log_p, size_t ld, const double *weight, double *l,
                                      bln_report *report)
{
    if (weight && !blni_finite(weight[i])) return blni_fail(report, BLN_EDATA, i, BLN_NONE, "psis: a weight is NaN or infinite");
    if (weight && weight[i] < 0.0) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "psis: a weight is negative");
    for (size_t s = 0; s < S; s++) {
        l[s] = log_p[s*ld + i];
        if (!(l[s] < HUGE_VAL)) return blni_fail(report, BLN_EDATA, i, s, "psis: a log density is NaN or +infinity");
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_psis_begin(size_t S, size_t least, size_t n, const double *log_p, size_t ld, double r_eff,
                                     const bln_elpd *total, const double *work, bln_report *report)
{
    bln_report_clear(report);
    if (S < least || n == 0) return blni_refuse(report, BLN_EINVAL, "psis: too few draws, or no rows");
    if (!log_p || !total || !work || ld < n)
        return blni_refuse(report, BLN_EINVAL, "psis: a NULL, or a stride below the number of rows");
    if (!(r_eff >= 0.0 && blni_finite(r_eff))) return blni_refuse(report, BLN_EINVAL, "psis: r_eff must be >= 0 and finite");
    return BLN_OK;
}

BLN_API size_t bln_psis_loo_work(size_t S) { return blni_mul(4, S); }

BLN_API bln_status bln_psis_loo(size_t S, size_t n, const double *log_p, size_t ld, const double *weight, double r_eff,
                                double *elpd, double *k_hat, bln_elpd *total, double *work, bln_report *report)
{
    blni_elpd e = blni_elpd_start();
    BLNI_TRY(blni_psis_begin(S, 1, n, log_p, ld, r_eff, total, work, report));
    double *l = work, *ratio = work + S, *room = work + 2*S;
    for (size_t i = 0; i < n; i++) {
        const double k = weight ? weight[i] : 1.0;
        double shape;
        BLNI_TRY(blni_psis_column(S, i, log_p, ld, weight, l, report));
        for (size_t s = 0; s < S; s++) ratio[s] = k > 0.0 ? -k*l[s] : 0.0;
        blni_psis(S, ratio, r_eff, &shape, room);
        for (size_t s = 0; s < S; s++) room[s] = ratio[s] + l[s];      /* both may be -infinity */
        const double value = bln_logsumexp(S, room);
        if (elpd) elpd[i] = value;
        if (k_hat) k_hat[i] = shape;
        blni_elpd_add(&e, i, k, value, bln_logsumexp(S, l) - log((double)S), shape, bln_psis_limit(S));
    }
    *total = blni_elpd_end(&e);
    return BLN_OK;
}

/* log mean_s p and the variance of log p over the S draws in l, infinite where some log p is -infinity. */
BLNI_PRIV void blni_waic_row(size_t S, const double *l, double *full, double *var)
{
    blni_running draws = { 0.0, 0.0, 0.0 };
    for (size_t s = 0; s < S; s++) blni_running_add(&draws, 1.0, l[s]);
    const double scatter = draws.scatter/((double)S - 1.0);
    *full = bln_logsumexp(S, l) - log((double)S);
    *var = scatter == scatter ? scatter : HUGE_VAL;
}

BLN_API bln_status bln_waic(size_t S, size_t n, const double *log_p, size_t ld, const double *weight, double *elpd, double *v,
                            bln_elpd *total, double *work, bln_report *report)
{
    blni_elpd e = blni_elpd_start();
    BLNI_TRY(blni_psis_begin(S, 2, n, log_p, ld, 0.0, total, work, report));
    for (size_t i = 0; i < n; i++) {
        double full, var;
        BLNI_TRY(blni_psis_column(S, i, log_p, ld, weight, work, report));
        blni_waic_row(S, work, &full, &var);
        if (elpd) elpd[i] = full - var;
        if (v) v[i] = var;
        blni_elpd_add(&e, i, weight ? weight[i] : 1.0, full - var, full, var, 0.4);
    }
    *total = blni_elpd_end(&e);
    return BLN_OK;
}
