/* metrics: scores for predictions
 *
 * Every score first checks its arguments, then sums over the rows. Sums of squares are centred on the first target, so that a shift
 * of y by 1e9 loses no digits. In ratios of them deviations are divided by the largest, so that no unit of y overflows or
 * underflows. */
#include "metrics.h"
#include "../core/status_private.h"
#include "../core/config_private.h"

BLNI_PRIV bln_status blni_score_begin(size_t n, int complete, bln_report *report)
{
    BLNI_TRY(blni_begin(report, n > 0, "metrics: no rows"));
    return complete ? BLN_OK : blni_refuse(report, BLN_EINVAL, "metrics: a required array or output is NULL");
}

BLNI_PRIV bln_status blni_score_finite(size_t n, const double *x, const char *reason, bln_report *report)
{
    for (size_t i = 0; i < n; i++) if (!blni_finite(x[i])) return blni_fail(report, BLN_EDATA, i, BLN_NONE, reason);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_point(size_t n, const double *y, const double *mean, const double *out, bln_report *report)
{
    BLNI_TRY(blni_score_begin(n, y && mean && out, report));
    BLNI_TRY(blni_score_finite(n, y, "y is NaN or infinite", report));
    return blni_score_finite(n, mean, "prediction is NaN or infinite", report);
}

BLNI_PRIV bln_status blni_score_normal(size_t n, const double *y, const double *mean, const double *var, const double *out,
                                       bln_report *report)
{
    BLNI_TRY(blni_score_begin(n, y && mean && var && out, report));
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    BLNI_TRY(blni_score_finite(n, var, "predictive variance is NaN or infinite", report));
    for (size_t i = 0; i < n; i++)
        if (!(var[i] > 0.0)) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "predictive variance must be > 0");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_done(double value, double *out, bln_report *report)
{
    if (!blni_finite(value)) return blni_refuse(report, BLN_ENUMERIC, "the score overflows: scale the data");
    *out = value;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_undefined(double *out, const char *reason, bln_report *report)
{
    *out = BLNI_NAN;
    return blni_refuse(report, BLN_EUNDEFINED, reason);
}

/* ---- point predictions ---- */

BLN_API bln_status bln_mse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    for (size_t i = 0; i < n; i++) sum += (y[i] - mean[i])*(y[i] - mean[i]);
    return blni_score_done(sum/(double)n, out, report);
}

/* In units of the largest error, whose square might be none. */
BLN_API bln_status bln_rmse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    double largest = 0.0, sum = 0.0;
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[i] - mean[i]));
    for (size_t i = 0; i < n && largest > 0.0 && blni_finite(largest); i++) {
        const double e = (y[i] - mean[i])/largest;
        sum += e*e;
    }
    return blni_score_done(largest*sqrt(sum/(double)n), out, report);
}

BLN_API bln_status bln_mae(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    for (size_t i = 0; i < n; i++) sum += fabs(y[i] - mean[i]);
    return blni_score_done(sum/(double)n, out, report);
}

/* MSE / Var_pop(y) [scores 2]. *equal: the targets do not differ, and 0 is returned. */
BLNI_PRIV double blni_smse(size_t n, const double *y, const double *mean, int *equal)
{
    double centre = 0.0, scale = 0.0, above = 0.0, below = 0.0;
    *equal = 1;
    for (size_t i = 0; i < n; i++) centre += y[i] - y[0];
    centre /= (double)n;
    for (size_t i = 0; i < n; i++) {
        const double deviation = fabs((y[i] - y[0]) - centre);
        if (y[i] != y[0]) *equal = 0;
        if (deviation > scale) scale = deviation;
    }
    if (*equal) return 0.0;
    for (size_t i = 0; i < n; i++) {
        const double residual = (y[i] - mean[i])/scale, deviation = ((y[i] - y[0]) - centre)/scale;
        above += residual*residual;
        below += deviation*deviation;
    }
    return above/below;
}

BLN_API bln_status bln_smse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    int equal;
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    const double value = blni_smse(n, y, mean, &equal);
    if (equal) return blni_score_undefined(out, "SMSE is undefined: all targets are equal", report);
    return blni_score_done(value, out, report);
}

BLN_API bln_status bln_r2(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    int equal;
    BLNI_TRY(blni_score_point(n, y, mean, out, report));
    const double value = blni_smse(n, y, mean, &equal);
    if (!equal) return blni_score_done(1.0 - value, out, report);
    for (size_t i = 0; i < n; i++)      /* not by the MSE: squares may underflow */
        if (y[i] != mean[i]) return blni_score_undefined(out, "R^2 is undefined: all targets are equal", report);
    *out = 1.0;
    return BLN_OK;
}

/* ---- normal predictive distributions ---- */

/* -log N(y | mean, var), through the standardised residual: its square cannot underflow before the division. */
BLNI_PRIV double blni_nlp(double y, double mean, double var)
{
    const double z = (y - mean)/sqrt(var);
    return 0.5*(BLNI_LOG_2PI + log(var) + z*z);
}

BLN_API bln_status bln_mll(size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_score_normal(n, y, mean, var, out, report));
    for (size_t i = 0; i < n; i++) sum += blni_nlp(y[i], mean[i], var[i]);
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_msll(size_t n, const double *y, const double *mean, const double *var, double train_mean, double train_var,
                            double *out, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_score_normal(n, y, mean, var, out, report));
    if (!blni_finite(train_mean) || !blni_finite(train_var))
        return blni_refuse(report, BLN_EDATA, "mean or variance of the training targets is NaN or infinite");
    if (!(train_var > 0.0)) return blni_refuse(report, BLN_EDOMAIN, "variance of the training targets must be > 0");
    for (size_t i = 0; i < n; i++) sum += blni_nlp(y[i], mean[i], var[i]) - blni_nlp(y[i], train_mean, train_var);
    return blni_score_done(sum/(double)n, out, report);
}

/* ---- intervals ---- */

BLN_API bln_status bln_coverage(size_t n, const double *y, const double *lower, const double *upper, double *out,
                                bln_report *report)
{
    size_t inside = 0;
    BLNI_TRY(blni_score_begin(n, y && lower && upper && out, report));
    BLNI_TRY(blni_score_finite(n, y, "y is NaN or infinite", report));
    BLNI_TRY(blni_score_finite(n, lower, "lower bound is NaN or infinite", report));
    BLNI_TRY(blni_score_finite(n, upper, "upper bound is NaN or infinite", report));
    for (size_t i = 0; i < n; i++) {
        if (lower[i] > upper[i]) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "lower bound above upper bound");
        inside += lower[i] <= y[i] && y[i] <= upper[i];
    }
    *out = (double)inside/(double)n;
    return BLN_OK;
}

/* ---- classes ---- */

/* Row i: is y one of the classes, and are these probabilities? */
BLNI_PRIV bln_status blni_score_class(size_t i, size_t K, double y, const double *p, bln_report *report)
{
    const double last = K > 1 ? (double)(K - 1) : 1.0;
    double sum = 0.0;
    if (!(y >= 0.0 && y <= last && y == floor(y)))
        return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, K > 1 ? "y must be a class, 0, 1, ..., K - 1" : "y must be 0 or 1");
    for (size_t k = 0; k < K; k++) {
        const size_t column = K > 1 ? k : BLN_NONE;
        if (!blni_finite(p[k])) return blni_fail(report, BLN_EDATA, i, column, "prediction is NaN or infinite");
        if (!(p[k] >= 0.0 && p[k] <= 1.0)) return blni_fail(report, BLN_EDOMAIN, i, column, "probability must be in [0, 1]");
        sum += p[k];
    }
    if (K > 1 && fabs(sum - 1.0) > 1e-6) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "probabilities must add up to 1");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_classes(size_t n, size_t K, const double *y, const double *p, const void *out, bln_report *report)
{
    bln_status s = blni_score_begin(n, y && p && out, report);
    if (s == BLN_OK && K == 0) s = blni_refuse(report, BLN_EINVAL, "metrics: no classes");
    if (s == BLN_OK) s = blni_score_finite(n, y, "y is NaN or infinite", report);
    for (size_t i = 0; s == BLN_OK && i < n; i++) s = blni_score_class(i, K, y[i], p + i*K, report);
    return s;
}

/* The most probable class of a row. */
BLNI_PRIV size_t blni_score_guess(size_t K, const double *p)
{
    size_t best = 0;
    if (K == 1) return p[0] > 0.5;
    for (size_t k = 1; k < K; k++) if (p[k] > p[best]) best = k;
    return best;
}

BLN_API bln_status bln_log_loss(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report)
{
    static const double clip = 1e-15;      /* so that one certain mistake does not make the whole score infinite [scores 7] */
    double sum = 0.0;
    BLNI_TRY(blni_score_classes(n, K, y, p, out, report));
    for (size_t i = 0; i < n; i++) {
        const double raw = K > 1 ? p[i*K + (size_t)y[i]] : p[i], q = raw < clip ? clip : raw > 1.0 - clip ? 1.0 - clip : raw;
        sum -= K > 1 || y[i] != 0.0 ? log(q) : log1p(-q);
    }
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_error_rate(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report)
{
    size_t wrong = 0;
    BLNI_TRY(blni_score_classes(n, K, y, p, out, report));
    for (size_t i = 0; i < n; i++) wrong += blni_score_guess(K, p + i*K) != (size_t)y[i];
    *out = (double)wrong/(double)n;
    return BLN_OK;
}

BLN_API bln_status bln_brier(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_score_classes(n, K, y, p, out, report));
    for (size_t i = 0; i < n*K; i++) {
        const double truth = K > 1 ? (double)((size_t)y[i/K] == i % K) : y[i];
        sum += (p[i] - truth)*(p[i] - truth);
    }
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_confusion(size_t n, size_t K, const double *y, const double *p, size_t *table, bln_report *report)
{
    const size_t C = K > 1 ? K : 2;
    BLNI_TRY(blni_score_classes(n, K, y, p, table, report));
    for (size_t k = 0; k < C*C; k++) table[k] = 0;
    for (size_t i = 0; i < n; i++) table[(size_t)y[i]*C + blni_score_guess(K, p + i*K)]++;
    return BLN_OK;
}
