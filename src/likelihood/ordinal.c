/* ordinal: the cumulative logit. The cuts are sums of theta, computed once a block; a row lies between a lower and an upper cut. */
#include "ordinal_private.h"
#include "../math/special.h"
#include "../math/vecmath_private.h"
#include "likelihood_private.h"

/* b_0 .. b_{C-2} */
BLNI_PRIV void blni_ordinal_cuts(const bln_likelihood *l, const double *theta, double *cuts)
{
    cuts[0] = theta[0];
    for (size_t k = 1; k < l->n_theta; k++) cuts[k] = cuts[k - 1] + theta[k];
}

/* Category of a row, 0 .. C-1. */
BLNI_PRIV size_t blni_category(const bln_likelihood *l, double y)
{
    return y > 0.0 ? y < (double)l->n_theta ? (size_t)y : l->n_theta : 0;
}

BLNI_PRIV const char *blni_ordinal_domain(const bln_likelihood *l, double y, double trials)
{
    if (trials != 1.0) return "an ordinal y has no trials";
    if (!blni_whole(y) || y < 0.0) return "y must be a whole number >= 0";
    return y <= (double)l->n_theta ? NULL : "y is not below the number of categories";
}

BLNI_PRIV void blni_ordinal_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    *low = 0.0;
    *high = (double)l->n_theta;
}

/* Starts that make all categories as frequent at f = 0: b_j = logit((j + 1)/C). */
BLNI_PRIV void blni_ordinal_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    const double C = (double)l->n_theta + 1.0, cut = bln_logit(((double)k + 1.0)/C);
    if (k > 0) { blni_param_log(1e-6, cut - bln_logit((double)k/C), 1e3, out); return; }
    out->kind = BLN_PARAM_REAL;
    out->start = cut;
    out->scale = 1.0;
}

BLNI_PRIV const char *blni_ordinal_param_name(const bln_likelihood *l, size_t k) { return k ? "gap" : "first cut"; }

/* log(1 - e^-gap), and 1/(e^gap - 1), its derivative; 0 for the first and the last category. */
BLNI_PRIV void blni_ordinal_constants(BLNI_TARGETS, double *constants)
{
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category(l, t->y[i]);
        const int inside = y > 0 && y < l->n_theta;
        constants[i] = inside ? bln_log1mexp(theta[y]) : 0.0;
        constants[n + i] = inside ? 1.0/expm1(theta[y]) : 0.0;
    }
}

/* f - b_y and b_{y-1} - f, -infinity at the ends. */
BLNI_PRIV void blni_ordinal_distances(BLNI_TARGETS, const double *f, double *over, double *under)
{
    double cuts[BLN_LIKELIHOOD_THETA];
    blni_ordinal_cuts(l, theta, cuts);
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category(l, t->y[i]);
        over[i] = y < l->n_theta ? f[i] - cuts[y] : -BLNI_INFINITY;
        under[i] = y > 0 ? cuts[y - 1] - f[i] : -BLNI_INFINITY;
    }
}

/* u = sigma(f - b_y), w = sigma(b_{y-1} - f), and 1 - u, 1 - w. */
typedef struct blni_ordinal_parts {
    double u[BLN_LIKELIHOOD_BLOCK], u1[BLN_LIKELIHOOD_BLOCK], w[BLN_LIKELIHOOD_BLOCK], w1[BLN_LIKELIHOOD_BLOCK];
} blni_ordinal_parts;

BLNI_PRIV void blni_ordinal_sigmoids(size_t n, const double *over, const double *under, blni_ordinal_parts *s)
{
    blni_logit_both(n, over, s->u, s->u1);
    blni_logit_both(n, under, s->w, s->w1);
}

BLNI_PRIV void blni_ordinal_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double over[BLN_LIKELIHOOD_BLOCK], under[BLN_LIKELIHOOD_BLOCK];
    blni_ordinal_parts s;
    blni_ordinal_distances(l, theta, n, t, f, over, under);
    if (d1 || d2 || d3) blni_ordinal_sigmoids(n, over, under, &s);
    if (logp) {
        bln_vec_log1pexp(n, over, over);
        bln_vec_log1pexp(n, under, under);
        for (size_t i = 0; i < n; i++) logp[i] = t->constants[i] - over[i] - under[i];
    }
    if (!d1 && !d2 && !d3) return;
    for (size_t i = 0; i < n; i++) {
        const double u = s.u[i]*s.u1[i], w = s.w[i]*s.w1[i];
        if (d1) d1[i] = s.w[i] - s.u[i];
        if (d2) d2[i] = -u - w;
        if (d3) d3[i] = w*(s.w1[i] - s.w[i]) - u*(s.u1[i] - s.u[i]);
    }
}

/* theta_k moves all cuts from b_k on. */
BLNI_PRIV void blni_ordinal_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    double over[BLN_LIKELIHOOD_BLOCK], under[BLN_LIKELIHOOD_BLOCK];
    blni_ordinal_parts s;
    blni_ordinal_distances(l, theta, n, t, f, over, under);
    blni_ordinal_sigmoids(n, over, under, &s);
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category(l, t->y[i]);
        const double up = k <= y ? 1.0 : 0.0, low = k + 1 <= y ? 1.0 : 0.0, u = up*s.u[i]*s.u1[i], w = low*s.w[i]*s.w1[i];
        if (dlogp) dlogp[i] = up*s.u[i] - low*s.w[i] + (k == y ? t->constants[t->ldc + i] : 0.0);
        if (dd1) dd1[i] = u + w;
        if (dd2) dd2[i] = u*(s.u1[i] - s.u[i]) - w*(s.w1[i] - s.w[i]);
    }
}

BLNI_PRIV void blni_ordinal_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double cuts[BLN_LIKELIHOOD_THETA], x[BLN_LIKELIHOOD_THETA], s[BLN_LIKELIHOOD_THETA] = { 0.0 }, rest[BLN_LIKELIHOOD_THETA];
    blni_ordinal_cuts(l, theta, cuts);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0, spread = 0.0, below = 0.0;
        for (size_t k = 0; k < l->n_theta; k++) x[k] = f[i] - cuts[k];
        blni_logit_both(l->n_theta, x, s, rest);
        for (size_t k = 0; k < l->n_theta; k++) {
            sum += s[k];
            spread += s[k]*(rest[k] + 2.0*below);
            below += rest[k];
        }
        if (mean) mean[i] = sum;
        if (var) var[i] = spread;
    }
}

/* f - b_y for any y. */
BLNI_PRIV double blni_ordinal_over(const bln_likelihood *l, const double *cuts, double y, double f)
{
    if (y < 0.0) return BLNI_INFINITY;
    return y < (double)l->n_theta ? f - cuts[(size_t)y] : -BLNI_INFINITY;
}

BLNI_PRIV void blni_ordinal_tails(BLNI_TARGETS, const double *f, double *lower, double *upper, int logs)
{
    double cuts[BLN_LIKELIHOOD_THETA];
    blni_ordinal_cuts(l, theta, cuts);
    for (size_t i = 0; i < n; i++) {
        const double x = blni_ordinal_over(l, cuts, floor(t->y[i]), f[i]);
        if (lower) lower[i] = logs ? -bln_log1pexp(x) : bln_sigmoid(-x);
        if (upper) upper[i] = logs ? -bln_log1pexp(-x) : bln_sigmoid(x);
    }
}
BLNI_PRIV void blni_ordinal_cdf(BLNI_TARGETS, const double *f, double *lower,
                                double *upper) { blni_ordinal_tails(l, theta, n, t, f, lower, upper, 0); }
BLNI_PRIV void blni_ordinal_logcdf(BLNI_TARGETS, const double *f, double *lower,
                                   double *upper) { blni_ordinal_tails(l, theta, n, t, f, lower, upper, 1); }

/* The least j with u <= sigma(b_j - f): logit u <= b_j - f. */
BLNI_PRIV void blni_ordinal_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double cuts[BLN_LIKELIHOOD_THETA];
    blni_ordinal_cuts(l, theta, cuts);
    for (size_t i = 0; i < n; i++) {
        const double x = bln_logit(bln_rng_uniform(rng)) + f[i];
        size_t j = 0;
        while (j < l->n_theta && x > cuts[j]) j++;
        y[i] = (double)j;
    }
}

/* In the middle between its cuts, or one beyond the last. */
BLNI_PRIV void blni_ordinal_start(BLNI_TARGETS, double *f)
{
    double cuts[BLN_LIKELIHOOD_THETA];
    blni_ordinal_cuts(l, theta, cuts);
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category(l, t->y[i]);
        f[i] = y == 0 ? cuts[0] - 1.0 : y == l->n_theta ? cuts[y - 1] + 1.0 : 0.5*(cuts[y - 1] + cuts[y]);
    }
}

BLNI_PRIV void blni_ordinal_singularity(BLNI_TARGETS, double *centre, double *width)
{
    blni_ordinal_start(l, theta, n, t, centre);
    for (size_t i = 0; i < n; i++) width[i] = BLNI_PI;
}

/* sigma(x) sigma(-x), x = f - b_y. */
BLNI_PRIV void blni_ordinal_slope(BLNI_TARGETS, const double *f, double *slope)
{
    double under[BLN_LIKELIHOOD_BLOCK];
    blni_ordinal_distances(l, theta, n, t, f, slope, under);
    for (size_t i = 0; i < n; i++)
        slope[i] = slope[i] == -BLNI_INFINITY ? slope[i] : -bln_log1pexp(slope[i]) - bln_log1pexp(-slope[i]);
}

BLNI_TABLE const bln_likelihood_ops blni_ordinal_ops = {
    "ordinal", 1, 2, 1, blni_ordinal_domain, blni_ordinal_support, blni_ordinal_param, blni_ordinal_param_name,
    blni_ordinal_constants, NULL, blni_ordinal_eval, blni_ordinal_eval_param, blni_ordinal_moments, blni_ordinal_cdf,
    blni_ordinal_logcdf, NULL, blni_ordinal_draw, blni_ordinal_start, blni_ordinal_singularity, blni_ordinal_slope,
    NULL, NULL, NULL, NULL, 1, NULL, NULL
};

BLN_API bln_likelihood bln_likelihood_ordinal(size_t categories)
{
    if (categories < 2 || categories - 1 > BLN_LIKELIHOOD_THETA) return blni_likelihood_of(NULL, 0);
    return blni_likelihood_of(&blni_ordinal_ops, categories - 1);
}
