/* check: statistics of data and of replicates, and where those of the data lie among those of the replicates */
#include "check.h"
#include "../core/data_private.h"
#include "../core/status_private.h"

/* ---- figures */

BLNI_PRIV double blni_check_mean(void *user, size_t n, const double *y)
{
    blni_running r = { 0.0, 0.0, 0.0 };
    for (size_t i = 0; i < n; i++) blni_running_add(&r, 1.0, y[i]);
    return r.mean;
}

/* The central moments 2 and 3. */
BLNI_PRIV void blni_check_moments(size_t n, const double *y, double *second, double *third)
{
    const double mean = blni_check_mean(NULL, n, y);
    *second = *third = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = y[i] - mean;
        *second += d*d/(double)n;
        *third += d*d*d/(double)n;
    }
}
BLNI_PRIV double blni_check_sd(void *user, size_t n, const double *y)
{
    double second, third;
    blni_check_moments(n, y, &second, &third);
    return sqrt(second*(double)n/((double)n - 1.0));
}
BLNI_PRIV double blni_check_skewness(void *user, size_t n, const double *y)
{
    double second, third;
    blni_check_moments(n, y, &second, &third);
    return second > 0.0 ? third/(second*sqrt(second)) : BLNI_NAN;
}
BLNI_PRIV double blni_check_min(void *user, size_t n, const double *y)
{
    double least = y[0];
    for (size_t i = 1; i < n; i++) if (y[i] < least) least = y[i];
    return least;
}
BLNI_PRIV double blni_check_max(void *user, size_t n, const double *y)
{
    double most = y[0];
    for (size_t i = 1; i < n; i++) if (y[i] > most) most = y[i];
    return most;
}
BLNI_PRIV double blni_check_zeros(void *user, size_t n, const double *y)
{
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++) zeros += y[i] == 0.0;
    return (double)zeros/(double)n;
}

BLN_API const bln_check *bln_checks(void)
{
    static const bln_check checks[BLN_CHECKS] = {
        { "mean", blni_check_mean, NULL }, { "sd", blni_check_sd, NULL }, { "skewness", blni_check_skewness, NULL },
        { "min", blni_check_min, NULL }, { "max", blni_check_max, NULL }, { "zeros", blni_check_zeros, NULL }
    };
    return checks;
}

/* ---- comparison */

/* value: S figures, which are sorted. */
BLNI_PRIV void blni_check_compare(size_t S, double *value, bln_check_result *out)
{
    blni_running r = { 0.0, 0.0, 0.0 };
    double above = 0.0;
    size_t K = 0;
    for (size_t s = 0; s < S; s++) {
        if (value[s] != value[s]) continue;
        above += value[s] > out->observed ? 1.0 : value[s] == out->observed ? 0.5 : 0.0;
        blni_running_add(&r, 1.0, value[s]);
        value[K++] = value[s];
    }
    out->undefined = S - K;
    out->mean = out->sd = out->q05 = out->median = out->q95 = out->p = BLNI_NAN;
    if (K == 0) return;
    blni_sort(K, value, NULL);
    out->mean = r.mean;
    out->sd = K > 1 ? sqrt(r.scatter/(double)(K - 1)) : BLNI_NAN;
    out->q05 = blni_sorted_quantile(K, value, 0.05);
    out->median = blni_sorted_quantile(K, value, 0.5);
    out->q95 = blni_sorted_quantile(K, value, 0.95);
    if (out->observed == out->observed) out->p = above/(double)K;
}

BLN_API bln_status bln_check_replicates(size_t n, const double *y, size_t S, const double *replicates, size_t ld, size_t n_checks,
                                        const bln_check *checks, bln_check_result *out, double *work, bln_report *report)
{
    BLNI_TRY(blni_begin(report, y && replicates && checks && out && work, "checks: a NULL"));
    if (ld == 0) ld = n;
    if (n == 0 || S == 0 || ld < n)
        return blni_refuse(report, BLN_EINVAL, "checks: no targets, no replicates, or a stride below n");
    for (size_t c = 0; c < n_checks; c++)
        if (!checks[c].of) return blni_fail(report, BLN_EINVAL, BLN_NONE, c, "checks: one has no function");
    for (size_t i = 0; i < n; i++)
        if (!blni_finite(y[i])) return blni_fail(report, BLN_EDATA, i, BLN_NONE, "checks: a target is not finite");
    for (size_t c = 0; c < n_checks; c++) {
        out[c].observed = checks[c].of(checks[c].user, n, y);
        for (size_t s = 0; s < S; s++) work[s] = checks[c].of(checks[c].user, n, replicates + s*ld);
        blni_check_compare(S, work, &out[c]);
    }
    return BLN_OK;
}
