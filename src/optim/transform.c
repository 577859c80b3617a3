/* transform: the maps between a bounded parameter and a free one
 *
 * Both interval kinds are one logistic curve, over x or over log x. It is computed from the nearer end, s = sigma(-|t|), so that
 * neither the distance to a bound nor the slope is ever a difference of nearly equal numbers. */
#include "transform_private.h"
#include "../core/status_private.h"

#define BLNI_LOG_DBL_MIN (-708.3964185322641)
#define BLNI_LOG_DBL_MAX   709.782712893384

/* How near to a bound, as a part of the interval, a start may lie: sigma^-1(1e-9) = -20.7, where the slope is still 4e-9. */
#define BLNI_PARAM_EDGE 1e-9

BLNI_PRIV double blni_clip(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }      /* NaN is passed on */

/* log(a/b) for 0 < b <= a: the quotient is exact to half an ulp where log a - log b would cancel, but may overflow, and
 * then nothing cancels. */
BLNI_PRIV double blni_log_ratio(double a, double b)
{
    const double ratio = a/b;
    return ratio <= DBL_MAX ? log(ratio) : log(a) - log(b);
}

/* The width of the interval in the coordinate of the logistic curve. */
BLNI_PRIV double blni_param_width(const bln_param *p)
{
    return p->kind == BLN_PARAM_INTERVAL ? p->hi - p->lo : blni_log_ratio(p->hi, p->lo);
}

/* sigma(-|t|) for t = 4u/width. */
BLNI_PRIV double blni_param_near(double u, double width)
{
    const double e = exp(-fabs(4.0*(u/width)));
    return e/(1.0 + e);
}

BLNI_PRIV double blni_param_scale(const bln_param *p) { return p->scale > 0.0 ? p->scale : 1.0; }

BLN_API bln_status bln_param_check(const bln_param *param, bln_report *report)
{
    const char *reason = NULL;
    BLNI_TRY(blni_begin(report, param != NULL, "param: missing"));
    const double lo = param->lo, hi = param->hi, start = param->start;
    switch (param->kind) {
    case BLN_PARAM_REAL:
        if (!blni_finite(start)) reason = "param: start is not finite";
        else if (!(param->scale >= 0.0) || !blni_finite(param->scale)) reason = "param: scale must be 0 (for 1) or > 0, and finite";
        break;
    case BLN_PARAM_POSITIVE:
        if (!(start > 0.0) || !blni_finite(start)) reason = "param: start must be positive and finite";
        break;
    case BLN_PARAM_INTERVAL:
    case BLN_PARAM_LOG:
        if (!blni_finite(lo) || !blni_finite(hi) || hi - lo > DBL_MAX) reason = "param: bounds or their difference not finite";
        else if (!(lo < hi)) reason = "param: lower bound must be below the upper one";
        else if (param->kind == BLN_PARAM_LOG && !(lo >= DBL_MIN))
            reason = "param: lower bound of a logarithmic parameter must be > 0 (at least DBL_MIN)";
        else if (!(start > lo && start < hi)) reason = "param: start must lie between the bounds";
        break;
    default:
        reason = "param: unknown kind";
    }
    return reason ? blni_refuse(report, BLN_EINVAL, reason) : BLN_OK;
}

BLN_API double bln_param_free(const bln_param *param, double x)
{
    const double lo = param->lo, hi = param->hi;
    if (x != x) return x;
    switch (param->kind) {
    case BLN_PARAM_REAL:     return blni_clip(x/blni_param_scale(param), -DBL_MAX, DBL_MAX);
    case BLN_PARAM_POSITIVE: return log(blni_clip(x, DBL_MIN, DBL_MAX));
    case BLN_PARAM_INTERVAL:
    case BLN_PARAM_LOG:
        break;
    default:
        return BLNI_NAN;
    }
    /* below : above = the parts of the interval on either side of x; the inverse of the logistic curve is the log of their
     * ratio. */
    const double width = blni_param_width(param);
    double below, above;
    x = blni_clip(x, lo, hi);
    if (param->kind == BLN_PARAM_INTERVAL) {
        below = (x - lo)/width;
        above = (hi - x)/width;
    } else {
        below = blni_log_ratio(x, lo)/width;
        above = blni_log_ratio(hi, x)/width;
    }
    below = blni_clip(below, BLNI_PARAM_EDGE, 1.0 - BLNI_PARAM_EDGE);
    above = blni_clip(above, BLNI_PARAM_EDGE, 1.0 - BLNI_PARAM_EDGE);
    return 0.25*width*log(below/above);
}

BLN_API double bln_param_natural(const bln_param *param, double u)
{
    const double lo = param->lo, hi = param->hi;
    if (u != u) return u;
    if (param->kind == BLN_PARAM_REAL) return blni_clip(u*blni_param_scale(param), -DBL_MAX, DBL_MAX);
    if (param->kind == BLN_PARAM_POSITIVE)
        return blni_clip(exp(blni_clip(u, BLNI_LOG_DBL_MIN, BLNI_LOG_DBL_MAX)), DBL_MIN, DBL_MAX);
    if (param->kind != BLN_PARAM_INTERVAL && param->kind != BLN_PARAM_LOG) return BLNI_NAN;

    const double width = blni_param_width(param), away = width*blni_param_near(u, width);      /* distance from the nearer bound */
    if (param->kind == BLN_PARAM_INTERVAL) return blni_clip(u < 0.0 ? lo + away : hi - away, lo, hi);
    /* In two factors: width may be log(DBL_MAX/DBL_MIN), whose half still overflows. */
    const double half = exp(u < 0.0 ? 0.5*away : -0.5*away);
    return blni_clip((u < 0.0 ? lo : hi)*half*half, lo, hi);
}

BLNI_NOINLINE BLN_API double bln_param_slope(const bln_param *param, double u)
{
    if (u != u) return u;
    if (param->kind == BLN_PARAM_REAL) return blni_param_scale(param);
    if (param->kind == BLN_PARAM_POSITIVE) return u < BLNI_LOG_DBL_MIN || u > BLNI_LOG_DBL_MAX ? 0.0 : bln_param_natural(param, u);
    if (param->kind != BLN_PARAM_INTERVAL && param->kind != BLN_PARAM_LOG) return BLNI_NAN;

    const double s = blni_param_near(u, blni_param_width(param)), slope = 4.0*s*(1.0 - s);
    return param->kind == BLN_PARAM_INTERVAL ? slope : slope*bln_param_natural(param, u);
}

/* d/du of the logarithm of bln_param_slope. */
BLNI_PRIV double blni_param_bend(const bln_param *p, double u)
{
    if (p->kind == BLN_PARAM_REAL) return 0.0;
    if (p->kind == BLN_PARAM_POSITIVE) return 1.0;
    const double width = blni_param_width(p), s = blni_param_near(u, width);
    const double curve = (u < 0.0 ? 1.0 - 2.0*s : 2.0*s - 1.0)*4.0/width;
    return p->kind == BLN_PARAM_INTERVAL ? curve : curve + 4.0*s*(1.0 - s);
}

/* A parameter on a log scale from `start`, between lo and hi but at least a factor of 1000 to either side. */
BLNI_PRIV bln_param blni_log_param(double start, double lo, double hi)
{
    bln_param p = BLN_ZERO;
    p.kind = BLN_PARAM_LOG;
    p.start = start;
    p.lo = lo < 1e-3*start ? lo : 1e-3*start;
    p.hi = hi > 1e3*start ? hi : 1e3*start;
    return p;
}
