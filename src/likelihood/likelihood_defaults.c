/* likelihood_defaults: what a table leaves out: derivatives by differences, sums and integrals over y, quantiles by search
 *                                                                                                                  [likelihoods 39]
 * Differences: with 9 points h apart the truncation errors are h^8 l^(9)/630 and the like, the rounding errors some eps |l|/h^k;
 * h = width/32 balances them for functions that are analytic up to `width` from the real axis. */
#include "likelihood_private.h"
#include "../core/data_private.h"
#include "../math/special.h"
#include "../math/quadrature_private.h"
#include "../optim/transform_private.h"

/* Weights of l(x + jh) - l(x - jh), or of their sum, j = 1..4, for the first, second and third derivative [Fornberg 1988]. */
static const double blni_stencil[3][4] = {
    { 4.0/5.0, -1.0/5.0, 4.0/105.0, -1.0/280.0 },
    { 8.0/5.0, -1.0/5.0, 8.0/315.0, -1.0/560.0 },
    { -488.0/240.0, 338.0/240.0, -72.0/240.0, 7.0/240.0 }
};

BLNI_PRIV void blni_default_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double h[BLN_LIKELIHOOD_BLOCK], x[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, at[BLN_LIKELIHOOD_BLOCK], up[BLN_LIKELIHOOD_BLOCK],
           down[BLN_LIKELIHOOD_BLOCK];
    double *const out[3] = { d1, d2, d3 };
    blni_singularity(l, theta, n, t, x, h);
    for (size_t i = 0; i < n; i++) h[i] *= 1.0/32.0;
    blni_logp(l, theta, n, t, f, at);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n && out[k]; i++) out[k][i] = 0.0;
    for (int j = 1; j <= 4; j++) {
        for (size_t i = 0; i < n; i++) x[i] = f[i] + j*h[i];
        blni_logp(l, theta, n, t, x, up);
        for (size_t i = 0; i < n; i++) x[i] = f[i] - j*h[i];
        blni_logp(l, theta, n, t, x, down);
        for (size_t i = 0; i < n; i++) {
            if (d1) d1[i] += blni_stencil[0][j - 1]*(up[i] - down[i])/h[i];
            if (d2) d2[i] += blni_stencil[1][j - 1]*((up[i] - at[i]) + (down[i] - at[i]))/(h[i]*h[i]);
            if (d3) d3[i] += blni_stencil[2][j - 1]*(up[i] - down[i])/(h[i]*h[i]*h[i]);
        }
    }
    if (logp) memcpy(logp, at, n*sizeof *at);
}

/* How far theta_k may be moved, 1/64 of which is the step: its own size, the distance to the nearer bound, or its scale. */
BLNI_PRIV double blni_param_room(const bln_likelihood *l, size_t k, double x)
{
    bln_param p;
    bln_likelihood_param(l, k, 0.0, 1.0, &p);
    if (p.kind == BLN_PARAM_REAL) return blni_param_scale(&p);
    if (p.kind == BLN_PARAM_INTERVAL) return x - p.lo < p.hi - x ? x - p.lo : p.hi - x;
    return x;
}

BLNI_PRIV void blni_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    if (l->ops->eval_param) { l->ops->eval_param(l, theta, k, n, t, f, dlogp, dd1, dd2); return; }
    double moved[BLN_LIKELIHOOD_THETA], value[3][BLN_LIKELIHOOD_BLOCK], room[BLNI_CONSTANTS_ROOM];
    double *const out[3] = { dlogp, dd1, dd2 };
    bln_targets own = *t;
    const double h = blni_param_room(l, k, theta[k])/64.0;
    if (l->ops->of_theta) own.constants = NULL;
    memcpy(moved, theta, l->n_theta*sizeof *theta);
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < n && out[j]; i++) out[j][i] = 0.0;
    for (int step = -4; step <= 4; step++) {
        if (step == 0) continue;
        moved[k] = theta[k] + step*h;
        const double weight = (step < 0 ? -1.0 : 1.0)*blni_stencil[0][(step < 0 ? -step : step) - 1]/h;
        const bln_targets b = blni_targets_block(l, moved, &own, 0, n, room);
        blni_eval(l, moved, n, &b, f, value[0], dd1 ? value[1] : NULL, dd2 ? value[2] : NULL, NULL);
        for (size_t j = 0; j < 3; j++)
            for (size_t i = 0; i < n && out[j]; i++) out[j][i] += weight*value[j][i];
    }
}

/* ---- one row at many values of y */

typedef struct blni_one_row {
    const bln_likelihood *l;
    const double         *theta;
    double f[BLN_LIKELIHOOD_BLOCK], trials[BLN_LIKELIHOOD_BLOCK], noise_var[BLN_LIKELIHOOD_BLOCK];
    double low, high;             /* support           */
    double centre, top;           /* of integrals over y */
} blni_one_row;

BLNI_PRIV void blni_one_row_of(blni_one_row *r, const bln_likelihood *l, const double *theta, const bln_targets *t, size_t i,
                               double f)
{
    r->l = l;
    r->theta = theta;
    r->centre = r->top = 0.0;
    for (size_t j = 0; j < BLN_LIKELIHOOD_BLOCK; j++) {
        r->f[j] = f;
        r->trials[j] = blni_trials(t, i);
        r->noise_var[j] = blni_noise_var(t, i);
    }
    blni_support(l, blni_trials(t, i), &r->low, &r->high);
}

BLNI_PRIV bln_targets blni_one_row_targets(const blni_one_row *r, const double *y)
{
    const bln_targets t = { y, r->trials, r->noise_var, NULL, 0 };
    return t;
}

/* log p(y_j | f) of the row. n <= a block. */
BLNI_PRIV void blni_one_row_logp(const blni_one_row *r, size_t n, const double *y, double *logp)
{
    const bln_targets t = blni_one_row_targets(r, y);
    bln_likelihood_logp(r->l, r->theta, n, &t, r->f, logp);
}

/* ---- sums over a discrete y */

enum { BLNI_COUNTS_MOST = 1 << 22 };

/* Total, mean and scatter of the probabilities of y = from, from + 1, ... up to `to`, or until what is left does not matter;
 * `falling`: they do nothing but fall. */
BLNI_PRIV blni_running blni_sum_counts(const blni_one_row *r, double from, double to, int falling)
{
    blni_running sum = { 0.0, 0.0, 0.0 };
    double y[BLN_LIKELIHOOD_BLOCK], p[BLN_LIKELIHOOD_BLOCK];
    for (size_t count = 0; count < BLNI_COUNTS_MOST && from <= to; count += BLN_LIKELIHOOD_BLOCK) {
        size_t n = 0;
        for (; n < BLN_LIKELIHOOD_BLOCK && from + (double)n <= to; n++) y[n] = from + (double)n;
        blni_one_row_logp(r, n, y, p);
        for (size_t j = 0; j < n; j++) { p[j] = exp(p[j]); blni_running_add(&sum, p[j], y[j]); }
        from += (double)n;
        /* The rest is at most geometric; with the squares of distances from the mean it is so up to the cube of 1 - ratio. */
        const double ratio = n > 1 && p[n - 2] > 0.0 ? p[n - 1]/p[n - 2] : 0.0, left = 1.0 - ratio;
        const double away = 1.0 + (from - sum.mean)*(from - sum.mean);
        if (sum.weight > 0.0 && left > 0.0 && p[n - 1]*away < 1e-17*left*left*left*(sum.weight + sum.scatter)
            && (p[n - 1] > 0.0 || sum.weight > 0.5)) break;
        if (falling && p[n - 1] == 0.0) break;
    }
    return sum;
}

/* ---- integrals over a continuous y, as a function of u: y = sinh u, or low + e^u, high - e^-u, low + (high - low) sigma(u) */

BLNI_PRIV double blni_y_of(const blni_one_row *r, double u)
{
    if (blni_finite(r->low) && blni_finite(r->high)) return r->low + (r->high - r->low)*bln_sigmoid(u);
    if (blni_finite(r->low)) return r->low + exp(u);
    return blni_finite(r->high) ? r->high - exp(-u) : sinh(u);
}

BLNI_PRIV double blni_u_of(const blni_one_row *r, double y)
{
    if (blni_finite(r->low) && blni_finite(r->high)) return bln_logit((y - r->low)/(r->high - r->low));
    if (blni_finite(r->low)) return log(y - r->low);
    return blni_finite(r->high) ? -log(r->high - y) : asinh(y);
}

/* log(dy/du) */
BLNI_PRIV double blni_log_dy(const blni_one_row *r, double u)
{
    if (blni_finite(r->low) && blni_finite(r->high)) return log(r->high - r->low) - bln_log1pexp(u) - bln_log1pexp(-u);
    if (blni_finite(r->low)) return u;
    return blni_finite(r->high) ? -u : fabs(u) + log1p(exp(-2.0*fabs(u))) - BLNI_LOG_2;
}

BLNI_PRIV void blni_density_log(void *user, size_t n, const double *u, double *values)
{
    const blni_one_row *r = (const blni_one_row *)user;
    double y[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    for (size_t i = 0; i < n; i++) y[i] = blni_y_of(r, u[i]);
    blni_one_row_logp(r, n, y, values);
    for (size_t i = 0; i < n; i++) values[i] += blni_log_dy(r, u[i]);
}

/* p dy/du, and that times y - centre and its square. */
BLNI_PRIV void blni_density_moments(void *user, size_t n, const double *u, double *values)
{
    const blni_one_row *r = (const blni_one_row *)user;
    blni_density_log(user, n, u, values);
    for (size_t i = 0; i < n; i++) {
        const double d = blni_y_of(r, u[i]) - r->centre, p = exp(values[i] - r->top);
        values[i] = p;
        values[n + i] = p > 0.0 ? p*d : 0.0;
        values[2*n + i] = p > 0.0 ? p*d*d : 0.0;
    }
}

BLNI_PRIV void blni_density_plain(void *user, size_t n, const double *u, double *values)
{
    blni_density_log(user, n, u, values);
    for (size_t i = 0; i < n; i++) values[i] = exp(values[i] - ((const blni_one_row *)user)->top);
}

BLNI_PRIV size_t blni_density_breaks(blni_one_row *r, double *breaks)
{
    const double start = 0.0, scale = 1.0;
    const size_t n = blni_bump_breaks(blni_density_log, r, 1, &start, &scale, -300.0, 300.0, 1, breaks, &r->top);
    if (n) r->centre = blni_y_of(r, breaks[n/2]);
    return n;
}

/* ---- scale mixtures of normals                                                                           [augmentation 15, 29] */

/* v: NULL for 0. The square is positive, so that omega = 1/sqrt(square) is finite. */
BLNI_PRIV void blni_mixture_at(BLNI_TARGETS, const double *m, const double *v, double *centre, double *tilt, double *square)
{
    for (size_t i = 0; i < n && !l->ops->mixture->centre; i++) { centre[i] = t->y[i]; tilt[i] = 0.0; }
    if (l->ops->mixture->centre) l->ops->mixture->centre(l, theta, n, t, centre, tilt);
    for (size_t i = 0; i < n; i++) {
        const double r = m[i] - centre[i];
        square[i] = fmax(r*r + (v ? v[i] : 0.0), DBL_MIN);
    }
}

/* The collapsed bound under f ~ N(m, v), which is log p where v = 0, and its site, if asked for. */
BLNI_PRIV void blni_mixture_bound(BLNI_TARGETS, const double *m, const double *v, double *ell, double *h, double *omega)
{
    double centre[BLN_LIKELIHOOD_BLOCK], tilt[BLN_LIKELIHOOD_BLOCK], square[BLN_LIKELIHOOD_BLOCK], own[BLN_LIKELIHOOD_BLOCK];
    if (!omega) omega = own;
    blni_mixture_at(l, theta, n, t, m, v, centre, tilt, square);
    l->ops->mixture->phi(l, theta, n, t, square, ell, omega);
    for (size_t i = 0; i < n; i++) {
        ell[i] = omega[i] >= 0.0 ? ell[i] + tilt[i]*(m[i] - centre[i]) : BLNI_NAN;
        if (h) h[i] = tilt[i] + omega[i]*centre[i];
    }
}

/* NULL, or what is wrong with the mixture of a row: for squares a < b a convex log phi with the slope -omega/2 has
 * omega_b (b - a) <= 2 log phi(a) - 2 log phi(b) <= omega_a (b - a). Rounding: 1e-9. */
BLNI_PRIV const char *blni_mixture_reason(const bln_likelihood *l, const bln_targets *row)
{
    enum { N = 13 };
    double theta[BLN_LIKELIHOOD_THETA], y[2*N], f[2*N], centre[2*N], tilt[2*N], square[2*N], phi[2*N], omega[2*N], logp[2*N];
    double room[BLNI_CONSTANTS_ROOM];
    blni_one_row r;
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p;
        bln_likelihood_param(l, k, 0.0, 1.0, &p);
        theta[k] = p.start;
    }
    blni_one_row_of(&r, l, theta, row, 0, 0.0);
    for (size_t j = 0; j < 2*N; j++) y[j] = row->y[0];
    bln_targets t = blni_one_row_targets(&r, y);
    t = blni_targets_block(l, theta, &t, 0, 2*N, room);
    blni_mixture_at(l, theta, 1, &t, r.f, NULL, centre, tilt, square);
    if (!blni_finite(centre[0]) || !blni_finite(tilt[0])) return "likelihood: centre or tilt of the mixture is not finite";
    for (int j = 0; j < 2*N; j++) f[j] = centre[0] + (j < N ? 1.0 : -1.0)*ldexp(1.0, j % N - 6);
    blni_mixture_at(l, theta, 2*N, &t, f, NULL, centre, tilt, square);
    l->ops->mixture->phi(l, theta, 2*N, &t, square, phi, omega);
    blni_logp(l, theta, 2*N, &t, f, logp);
    for (size_t j = 0; j < 2*N; j++) {
        const double whole = phi[j] + tilt[j]*(f[j] - centre[j]), slack = 1e-9*(1.0 + fabs(phi[j]) + fabs(whole));
        if (!blni_finite(phi[j])) return "likelihood: log phi is not finite";
        if (!(omega[j] >= 0.0 && blni_finite(omega[j]))) return "likelihood: omega is negative or not finite";
        if (!(fabs(whole - logp[j]) <= slack)) return "likelihood: logp is not tilt (f - centre) + log phi";
        if (j % N == 0) continue;
        const double gap = square[j] - square[j - 1], fall = 2.0*(phi[j - 1] - phi[j]);
        if (!(fall >= omega[j]*gap - slack && fall <= omega[j - 1]*gap + slack))
            return "likelihood: phi is no mixture: log phi is not convex, or omega is not -2 d log phi/d square";
    }
    return NULL;
}

/* ---- moments, cdf */

BLNI_PRIV void blni_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    if (l->ops->moments) { l->ops->moments(l, theta, n, t, f, mean, var); return; }
    for (size_t i = 0; i < n; i++) {
        blni_one_row r;
        double m, v, breaks[BLNI_INTEGRATE_BREAKS], sum[3];
        blni_one_row_of(&r, l, theta, t, i, f[i]);
        if (l->ops->discrete) {
            const blni_running all = blni_sum_counts(&r, r.low, r.high, 0);
            m = all.mean;
            v = blni_running_variance(&all);
        } else {
            const size_t k = blni_density_breaks(&r, breaks);
            blni_integrate(blni_density_moments, &r, 3, k, breaks, 1e-12, sum);
            m = r.centre + sum[1]/sum[0];
            v = sum[2]/sum[0] - (sum[1]/sum[0])*(sum[1]/sum[0]);
        }
        if (mean) mean[i] = m;
        if (var) var[i] = v;
    }
}

/* The part of a density's mass on either side of y: the breaks below it, y, and the breaks above. */
BLNI_PRIV void blni_density_cdf(blni_one_row *r, double y, double *lower, double *upper)
{
    double breaks[BLNI_INTEGRATE_BREAKS], part[BLNI_INTEGRATE_BREAKS + 1];
    *lower = y >= r->high ? 1.0 : 0.0;
    *upper = y >= r->high ? 0.0 : 1.0;
    if (y >= r->high || y <= r->low) return;
    const size_t n = blni_density_breaks(r, breaks);
    const double u = blni_u_of(r, y);
    size_t k = 0;
    for (; k < n && breaks[k] < u; k++) part[k] = breaks[k];
    part[k] = u;
    blni_integrate(blni_density_plain, r, 1, k ? k + 1 : 0, part, 1e-12, lower);
    part[0] = u;
    memcpy(part + 1, breaks + k, (n - k)*sizeof *part);
    blni_integrate(blni_density_plain, r, 1, k < n ? n - k + 1 : 0, part, 1e-12, upper);
    const double all = *lower + *upper;
    *lower /= all;
    *upper /= all;
}

BLNI_PRIV void blni_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    if (l->ops->cdf) { l->ops->cdf(l, theta, n, t, f, lower, upper); return; }
    for (size_t i = 0; i < n; i++) {
        blni_one_row r;
        double low, high;
        blni_one_row_of(&r, l, theta, t, i, f[i]);
        if (l->ops->discrete) {
            const double y = floor(t->y[i]);
            low = y < r.low ? 0.0 : y >= r.high ? 1.0 : blni_sum_counts(&r, r.low, y, 0).weight;
            high = low < 0.5 ? 1.0 - low : y >= r.high ? 0.0 : blni_sum_counts(&r, y + 1.0, r.high, 1).weight;
        } else blni_density_cdf(&r, t->y[i], &low, &high);
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
}

/* log sum_{k >= 0} p(y + k step), step = +-1, from a y in the tail, where the terms fall: relative to the first. */
BLNI_PRIV double blni_log_tail(const blni_one_row *r, double y, double step)
{
    double at[BLN_LIKELIHOOD_BLOCK], p[BLN_LIKELIHOOD_BLOCK], sum = 0.0, first = 0.0;
    for (size_t count = 0; count < BLNI_COUNTS_MOST; count += BLN_LIKELIHOOD_BLOCK) {
        size_t n = 0;
        for (; n < BLN_LIKELIHOOD_BLOCK && y >= r->low && y <= r->high; n++, y += step) at[n] = y;
        if (n == 0) break;
        blni_one_row_logp(r, n, at, p);
        if (count == 0) first = p[0];
        if (!blni_finite(first)) return first;
        for (size_t j = 0; j < n; j++) sum += p[j] = exp(p[j] - first);
        if (n < BLN_LIKELIHOOD_BLOCK || p[n - 1] == 0.0 || p[n - 1] < 1e-17*sum*(1.0 - p[n - 1]/p[n - 2])) break;
    }
    return sum > 0.0 ? first + log(sum) : -BLNI_INFINITY;
}

BLNI_PRIV double blni_log_or_tail(double p, const bln_likelihood *l, const double *theta, const bln_targets *t, size_t i, double f,
                                  double y, double step)
{
    blni_one_row r;
    if (p > 1e-290 || !l->ops->discrete) return p == 0.0 ? -BLNI_INFINITY : log(p);
    blni_one_row_of(&r, l, theta, t, i, f);
    return blni_log_tail(&r, y, step);
}

/* Of the two the smaller one is worked with. */
BLNI_PRIV void blni_logcdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    if (l->ops->logcdf) { l->ops->logcdf(l, theta, n, t, f, lower, upper); return; }
    double low[BLN_LIKELIHOOD_BLOCK], high[BLN_LIKELIHOOD_BLOCK];
    blni_cdf(l, theta, n, t, f, low, high);
    for (size_t i = 0; i < n; i++) {
        const double y = floor(t->y[i]);
        if (lower) lower[i] = low[i] > 0.5 ? log1p(-high[i]) : blni_log_or_tail(low[i], l, theta, t, i, f[i], y, -1.0);
        if (upper) upper[i] = high[i] > 0.5 ? log1p(-low[i]) : blni_log_or_tail(high[i], l, theta, t, i, f[i], y + 1.0, 1.0);
    }
}

typedef struct blni_search { blni_tails_fn tails; void *user; double p, q; } blni_search;

/* Above this, 2^53, consecutive integers are not representable, and log p of such counts is rounding. */
#define BLNI_COUNT_MOST 9007199254740992.0

/* log(lower/p) if p <= q, else -log(upper/q): rises with y, and is < 0 below the quantile. */
BLNI_PRIV double blni_log_excess(double p, double q, double lower, double upper)
{
    const double ratio = p <= q ? lower/p : upper/q, far = ratio > 0.0 ? log(ratio) : ratio == 0.0 ? -BLNI_INFINITY : BLNI_NAN;
    return p <= q ? far : -far;
}

BLNI_PRIV double blni_search_at(const blni_search *s, double y)
{
    double lower, upper;
    s->tails(s->user, y, &lower, &upper);
    return blni_log_excess(s->p, s->q, lower, upper);
}

BLNI_PRIV double blni_search_discrete(const blni_search *s, double low, double high, double y0, double y1)
{
    const double most = high < BLNI_COUNT_MOST ? high : BLNI_COUNT_MOST;
    double below = floor(blni_clip(y0 == y0 ? y0 : y1, low, most)), step = floor(fabs(y1 - y0)), above;
    if (below != below) below = low;
    if (!(step >= 1.0 && step < most)) step = 1.0;
    if (blni_search_at(s, below) < 0.0) {
        for (above = below + step; above < most && blni_search_at(s, above) < 0.0; step *= 2.0, above = below + step) below = above;
        if (above > most) above = most;
        if (above == most && most < high && blni_search_at(s, above) < 0.0) return high;
    } else {
        for (above = below; ; step *= 2.0) {
            below = above - step;
            if (below < low) { below = low - 1.0; break; }
            if (blni_search_at(s, below) < 0.0) break;
            above = below;
        }
    }
    while (above - below > 1.0) {                                        /* lower(below) < p <= lower(above) */
        const double middle = floor(below + 0.5*(above - below));
        if (blni_search_at(s, middle) < 0.0) below = middle;
        else above = middle;
    }
    return above;
}

/* Bracketed, then by the secant of the log tails with Illinois's halving (Dowell & Jarratt 1971); every third step halves. */
BLNI_PRIV double blni_search_continuous(const blni_search *s, double low, double high, double y0, double y1)
{
    double step = fabs(y1 - y0), a = blni_clip(y0, low, high), ga, b, gb;
    if (!blni_finite(a)) a = 0.0;
    if (!(step > 0.0) || !blni_finite(step)) step = 1.0;
    ga = blni_search_at(s, a);
    if (ga != ga) return ga;
    for (b = a, gb = ga; (ga < 0.0) == (gb < 0.0); step *= 2.0) {
        if (fabs(b) > 1e300) return ga < 0.0 ? high : low;
        a = b;
        ga = gb;
        b = blni_clip(ga < 0.0 ? a + step : a - step, low, high);
        if (b == a) return b;
        gb = blni_search_at(s, b);
    }
    for (int i = 0; i < 200 && fabs(b - a) > 4.0*DBL_EPSILON*(fabs(a) + fabs(b)); i++) {
        double y = blni_finite(ga) && blni_finite(gb) ? b - gb*((b - a)/(gb - ga)) : a;                  /* a: halves */
        if (i % 3 == 2 || !(y > (a < b ? a : b)) || !(y < (a < b ? b : a))) y = a + 0.5*(b - a);
        const double g = blni_search_at(s, y);
        if (fabs(g) <= 2.0*DBL_EPSILON) return y;
        if ((g < 0.0) == (gb < 0.0)) ga *= 0.5;                          /* a stays: let it weigh less */
        else { a = b; ga = gb; }
        b = y;
        gb = g;
    }
    return b;
}

BLNI_PRIV double blni_search_quantile(blni_tails_fn tails, void *user, double p, double q, int discrete, double low, double high,
                                      double y0, double y1)
{
    const blni_search s = { tails, user, p, q };
    if (!(p >= 0.0 && q >= 0.0)) return BLNI_NAN;
    if (p == 0.0) return low;
    if (q == 0.0) return high;
    return discrete ? blni_search_discrete(&s, low, high, y0, y1) : blni_search_continuous(&s, low, high, y0, y1);
}

BLNI_PRIV void blni_one_row_tails(void *user, double y, double *lower, double *upper)
{
    const blni_one_row *r = (const blni_one_row *)user;
    const bln_targets t = blni_one_row_targets(r, &y);
    bln_likelihood_cdf(r->l, r->theta, 1, &t, r->f, lower, upper);
}

/* The ends of the support for p = 0 and 1 are the same for all. */
BLNI_PRIV void blni_quantile(BLNI_TARGETS, const double *f, const double *p, double *y)
{
    double mean[BLN_LIKELIHOOD_BLOCK], var[BLN_LIKELIHOOD_BLOCK];
    if (l->ops->quantile) l->ops->quantile(l, theta, n, t, f, p, y);
    else blni_moments(l, theta, n, t, f, mean, var);
    for (size_t i = 0; i < n; i++) {
        blni_one_row r;
        if (p[i] > 0.0 && p[i] < 1.0 && l->ops->quantile) continue;
        blni_one_row_of(&r, l, theta, t, i, f[i]);
        y[i] = p[i] == 0.0 ? r.low : p[i] == 1.0 ? r.high : BLNI_NAN;
        if (!(p[i] > 0.0 && p[i] < 1.0)) continue;
        const double sd = sqrt(var[i]), z = bln_norm_quantile(p[i]);
        y[i] = blni_search_quantile(blni_one_row_tails, &r, p[i], 1.0 - p[i], l->ops->discrete, r.low, r.high, mean[i] + z*sd,
                                    mean[i] + z*sd + 0.1*sd);
    }
}
