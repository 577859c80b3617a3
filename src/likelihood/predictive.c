/* predictive: the distribution of a new y when f is a mixture of normals                                 [variational 41-49]
 *
 *     p(y) = sum_k weight_k int N(f; m_k, v_k) p(y | f; eta_k) df
 *
 * with f as >>latent describes it, for one latent (J = 1) and normals (dof = 0). eta_k are the n_theta parameters of the likelihood
 * (not read if there are none). Integrals over f have closed forms for the Gaussian, Laplace, moments of counts with log link, and
 * probit with one trial. Others are by quadrature that first finds the maximum of its integrand, so that a narrow likelihood under
 * a wide normal, or a normal far from y, costs no digits. Nothing is allocated, nothing can fail; NaN in a mean or variance gives
 * NaN.
 *
 * Rows are computed one at a time, components in blocks. The row's targets are repeated as often as one call of the likelihood
 * takes rows, so that its loops run over components and nodes. */
#include "predictive_private.h"
#include "../core/data_private.h"
#include "../math/special.h"
#include "../math/quadrature_private.h"
#include "../optim/transform_private.h"
#include "latent_private.h"

/* Means and variances of components [first, first + n) of row i. */
BLNI_PRIV void blni_latent_take(const bln_latent *f, size_t i, size_t first, size_t n, double *m, double *v)
{
    const size_t J = blni_latent_J(f), at = i*blni_latent_ld(f) + first*J;
    for (size_t k = 0; k < n; k++) { m[k] = f->mean[at + k*J]; v[k] = f->var ? f->var[at + k*J] : 0.0; }
}

/* How many components from `first` on, at most a block, have the same parameters. */
BLNI_PRIV size_t blni_latent_run(const bln_likelihood *l, const bln_latent *f, size_t first)
{
    const size_t most = blni_min(blni_latent_K(f) - first, BLN_LIKELIHOOD_BLOCK);
    const double *eta = blni_latent_eta(f, first);
    size_t n = 1;
    if (!f->ldeta || !l->n_theta) return most;
    while (n < most && !memcmp(eta, blni_latent_eta(f, first + n), l->n_theta*sizeof *eta)) n++;
    return n;
}

/* y: NULL for functions that do not read it; constants are worked out for this y if with_constants. */
BLNI_PRIV void blni_predict_row_of(blni_predict_row *r, const bln_likelihood *l, const double *theta, const bln_targets *t,
                                   size_t i, int with_y)
{
    bln_targets one = blni_targets_from(t, i), block;
    double room[BLNI_CONSTANTS_ROOM];
    r->l = l;
    r->theta = theta;
    r->tail = 0;
    r->origin = 0.0;
    if (!with_y) one.y = NULL;
    block = with_y ? blni_targets_block(l, theta, &one, 0, 1, room) : one;
    if (!with_y) block.constants = NULL;
    blni_row_set_of(&r->g, l, &block, 0);
    blni_support(l, blni_trials(&one, 0), &r->low, &r->high);
}

/* The same row with other parameters and another y, in its own place: rows are too large for a second one on the stack. */
BLNI_PRIV void blni_predict_row_at(blni_predict_row *r, const double *theta, double y)
{
    bln_targets one = r->g.t;
    one.y = &y;
    one.constants = NULL;
    blni_predict_row_of(r, r->l, theta, &one, 0, 1);
}

/* The hill of the likelihood: around its start, as wide as the curvature there says, but no wider than its singularities are away.
 * */
BLNI_PRIV void blni_predict_hill(blni_predict_row *r)
{
    double logp, d1, d2, centre, width;
    blni_start(r->l, r->theta, 1, &r->g.t, &r->centre);
    blni_singularity(r->l, r->theta, 1, &r->g.t, &centre, &width);
    blni_eval(r->l, r->theta, 1, &r->g.t, &r->centre, &logp, &d1, &d2, NULL);
    r->scale = d2 < 0.0 ? 1.0/sqrt(-d2) : width;
    if (!(r->scale < width)) r->scale = width;
}

/* ---- densities */

/* log p(y | f) - z^2/2; where a tail of y is wanted (tail = 1 the lower one, -1 the upper one), of a continuous y its log given f
 * in place of log p, of a discrete one log(-dP(Y <= y)/df) with the log of a tail of f. */
BLNI_PRIV void blni_predict_log(void *user, size_t n, const double *u, double *values)
{
    const blni_predict_row *r = (const blni_predict_row *)user;
    double f[BLNI_INTEGRATE_NODES];                            /* at most, see blni_bump_breaks */
    for (size_t i = 0; i < n; i++) f[i] = r->origin + u[i];
    const int slope = r->tail && r->l->ops->discrete;
    if (slope) r->l->ops->cdf_slope(r->l, r->theta, n, &r->g.t, f, values);
    else if (r->tail) blni_logcdf(r->l, r->theta, n, &r->g.t, f, r->tail > 0 ? values : NULL, r->tail < 0 ? values : NULL);
    else blni_logp(r->l, r->theta, n, &r->g.t, f, values);
    for (size_t i = 0; i < n; i++) {
        const double z = (u[i] - (r->m - r->origin))/r->s;
        values[i] += slope ? bln_norm_logcdf(r->tail*z) : -0.5*z*z;
    }
}

/* A normal that is narrower than the other hill is at the origin: doubles near m may stand as far apart as it is wide. */
BLNI_PRIV double blni_predict_integral(blni_predict_row *r)
{
    double starts[2], scales[2];
    r->origin = r->s < r->scale ? r->m : 0.0;
    starts[0] = r->m - r->origin;
    scales[0] = r->s;
    starts[1] = r->centre - r->origin;
    scales[1] = r->scale;
    return blni_bump_log_integral(blni_predict_log, r, 2, starts, scales, -BLNI_INFINITY, BLNI_INFINITY, !r->l->ops->eval,
                                  1e-12);
}

/* log E p(y | f) of n components. */
BLNI_PRIV void blni_predict_logp(blni_predict_row *r, size_t n, const double *m, const double *v, double *logp)
{
    size_t points = 0;
    for (size_t k = 0; k < n; k++) points += v[k] == 0.0;
    if (points == n) { blni_logp(r->l, r->theta, n, &r->g.t, m, logp); return; }
    if (r->l->ops->normal_logp) r->l->ops->normal_logp(r->l, r->theta, n, &r->g.t, m, v, logp);
    else for (size_t k = 0; k < n; k++) logp[k] = BLNI_NAN;
    blni_predict_hill(r);
    for (size_t k = 0; k < n; k++) {
        if (v[k] == 0.0) { blni_logp(r->l, r->theta, 1, &r->g.t, m + k, logp + k); continue; }
        if (logp[k] == logp[k] || !blni_finite(m[k]) || !(v[k] > 0.0 && blni_finite(v[k]))) continue;
        r->m = m[k];
        r->s = sqrt(v[k]);
        logp[k] = blni_predict_integral(r) - 0.5*BLNI_LOG_2PI - log(r->s);
    }
}

/* log p(y): the log of the mean density, never the mean of the logs.  Errors of 1e-11, and those of log p(y | f); of a discrete y
 * never above 0.   20-50 us */
BLNI_PRIV void blni_predictive_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *out)
{
    const size_t K = blni_latent_K(f);
    for (size_t i = 0; i < n; i++) {
        blni_predict_row r;
        double m[BLN_LIKELIHOOD_BLOCK], v[BLN_LIKELIHOOD_BLOCK], logp[BLN_LIKELIHOOD_BLOCK], both[2];
        both[0] = -BLNI_INFINITY;
        for (size_t k = 0, some; k < K; k += some) {
            some = blni_latent_run(l, f, k);
            if (k == 0 || f->ldeta) blni_predict_row_of(&r, l, blni_latent_eta(f, k), t, i, 1);
            blni_latent_take(f, i, k, some, m, v);
            blni_predict_logp(&r, some, m, v, logp);
            for (size_t j = 0; j < some && (f->weight || K > 1); j++) logp[j] += log(blni_latent_weight(f, k + j));
            both[1] = bln_logsumexp(some, logp);
            both[0] = bln_logsumexp(2, both);
        }
        out[i] = l->ops->discrete && both[0] > 0.0 ? 0.0 : both[0];
    }
}

/* ---- moments */

/* N(z) times d = E[y|f] - reference, d^2 and Var[y|f]. */
BLNI_PRIV void blni_moment_values(void *user, size_t n, const double *z, double *values)
{
    const blni_predict_row *r = (const blni_predict_row *)user;
    double f[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, mean[BLN_LIKELIHOOD_BLOCK], var[BLN_LIKELIHOOD_BLOCK];
    for (size_t i = 0; i < n; i++) f[i] = r->m + r->s*z[i];
    blni_moments(r->l, r->theta, n, &r->g.t, f, mean, var);
    for (size_t i = 0; i < n; i++) {
        const double w = bln_norm_pdf(z[i]), d = mean[i] - r->reference;
        values[i] = w*d;
        values[n + i] = w*d*d;
        values[2*n + i] = w*var[i];
    }
}

/* Sums of the same over the components of a block whose rule it is, all at a node at a time. */
BLNI_PRIV void blni_moment_class(const blni_predict_row *r, size_t n, const double *m, const double *v, const double *reference,
                                 const int *rule, int which, double (*sums)[3])
{
    double z, w, f[BLN_LIKELIHOOD_BLOCK], mean[BLN_LIKELIHOOD_BLOCK], var[BLN_LIKELIHOOD_BLOCK];
    size_t index[BLN_LIKELIHOOD_BLOCK], some = 0;
    for (size_t k = 0; k < n; k++)
        if (rule[k] == which) index[some++] = k;
    if (some == 0) return;
    const size_t Q = blni_rule_size(which);
    for (size_t q = 0; q < Q; q++) {
        blni_rule_part(which, q, 1, &z, &w);
        for (size_t j = 0; j < some; j++) f[j] = m[index[j]] + sqrt(v[index[j]])*z;
        blni_moments(r->l, r->theta, some, &r->g.t, f, mean, var);
        for (size_t j = 0; j < some; j++) {
            double *s = sums[index[j]];
            const double d = mean[j] - reference[index[j]];
            s[0] += w*d;
            s[1] += w*d*d;
            s[2] += w*var[j];
        }
    }
}

/* The singularity where there is no y: at the mean of y given f, or another y of the support if that is infinite or none. */
BLNI_PRIV void blni_moment_singularity(const blni_predict_row *r, double mean, double *centre, double *width)
{
    const double at = r->l->ops->discrete ? floor(mean) : mean;
    const double y = blni_finite(at) && at >= r->low && at <= r->high ? at : blni_clip(0.0, r->low, r->high);
    bln_targets one = r->g.t;
    one.y = &y;
    blni_singularity(r->l, r->theta, 1, &one, centre, width);
}

/* E y, Var E[y | f], E Var[y | f] of n components. Var by the squares about E[y | f = m], which is never far off. */
BLNI_PRIV void blni_predict_moments(blni_predict_row *r, size_t n, const double *m, const double *v, double *mean, double *model,
                                    double *noise)
{
    double centre, width, sums[BLN_LIKELIHOOD_BLOCK][3];
    int rule[BLN_LIKELIHOOD_BLOCK];
    blni_rule_limits limits = blni_rule_limits_of(1e-11);
    size_t open = 0;
    if (r->l->ops->normal_moments) r->l->ops->normal_moments(r->l, r->theta, n, &r->g.t, m, v, mean, model, noise);
    else for (size_t k = 0; k < n; k++) mean[k] = BLNI_NAN;
    for (size_t k = 0; k < n; k++) open += mean[k] != mean[k];
    if (open == 0) return;
    blni_moments(r->l, r->theta, n, &r->g.t, m, mean, NULL);
    blni_moment_singularity(r, mean[0], &centre, &width);
    memset(sums, 0, sizeof sums);
    for (size_t k = 0; k < n; k++) {
        rule[k] = v[k] >= 0.0 ? blni_rule_of(width, v[k], &limits) : BLNI_RULE_POINT;
        if (rule[k] != BLNI_RULE_PANELS) continue;
        double breaks[BLNI_INTEGRATE_BREAKS];
        r->m = m[k];
        r->s = sqrt(v[k]);
        r->reference = mean[k];
        const size_t n_breaks = blni_panel_breaks((centre - r->m)/r->s, width/r->s, breaks);
        blni_integrate(blni_moment_values, r, 3, n_breaks, breaks, 1e-12, sums[k]);
    }
    for (int which = 0; which < BLNI_RULE_PANELS; which++) blni_moment_class(r, n, m, v, mean, rule, which, sums);
    for (size_t k = 0; k < n; k++) {
        const double var = sums[k][1] - sums[k][0]*sums[k][0];
        mean[k] += sums[k][0];
        model[k] = var > 0.0 ? var : var <= 0.0 ? 0.0 : var;
        noise[k] = sums[k][2];
    }
}

/* E y; and the two parts of Var y: model = Var E[y | f], what more data would remove, and noise = E Var[y | f], what they would
 * not. Any may be NULL. Errors of 1e-9 of E y, of the variance, or of 1e-17 of the largest y that there is, if that is more (where
 * y is certain but for so much); the targets' y is not read. Infinity where they are beyond doubles, or infinite (Student-t of 2
 * degrees of freedom or fewer: noise).   1-10 us */
BLNI_PRIV void blni_predictive_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                       double *model, double *noise)
{
    const size_t K = blni_latent_K(f);
    for (size_t i = 0; i < n; i++) {
        blni_predict_row r;
        blni_running all = { 0.0, 0.0, 0.0 };
        double m[BLN_LIKELIHOOD_BLOCK], v[BLN_LIKELIHOOD_BLOCK];
        double mk[BLN_LIKELIHOOD_BLOCK], model_k[BLN_LIKELIHOOD_BLOCK], noise_k[BLN_LIKELIHOOD_BLOCK];
        double within = 0.0, rest = 0.0;
        int infinite = 0;                                              /* a rate beyond the range of doubles */
        for (size_t k = 0, some; k < K; k += some) {
            some = blni_latent_run(l, f, k);
            if (k == 0 || f->ldeta) blni_predict_row_of(&r, l, blni_latent_eta(f, k), t, i, 0);
            blni_latent_take(f, i, k, some, m, v);
            blni_predict_moments(&r, some, m, v, mk, model_k, noise_k);
            for (size_t j = 0; j < some; j++) {
                const double w = blni_latent_weight(f, k + j);
                if (!(w > 0.0)) continue;
                if (mk[j] == BLNI_INFINITY) infinite = 1;
                else blni_running_add(&all, w, mk[j]);
                within += w*model_k[j];
                rest += w*noise_k[j];
            }
        }
        if (mean) mean[i] = infinite ? BLNI_INFINITY : all.mean;
        if (model) model[i] = within + (infinite && K > 1 ? BLNI_INFINITY : blni_running_variance(&all));
        if (noise) noise[i] = rest;
    }
}

/* ---- distribution functions */

/* By nodes: for normals that are narrow against the hill, and where there is no slope. */
BLNI_PRIV void blni_predict_cdf_nodes(const blni_predict_row *r, int rule, double *lower, double *upper)
{
    double f[BLN_LIKELIHOOD_BLOCK], w[BLN_LIKELIHOOD_BLOCK], low[BLN_LIKELIHOOD_BLOCK], high[BLN_LIKELIHOOD_BLOCK];
    const size_t Q = blni_rule_size(rule);
    *lower = *upper = 0.0;
    for (size_t q = 0; q < Q; q += BLN_LIKELIHOOD_BLOCK) {
        const size_t n = blni_min(Q - q, BLN_LIKELIHOOD_BLOCK);
        blni_rule_part(rule, q, n, f, w);
        for (size_t i = 0; i < n; i++) f[i] = r->m + r->s*f[i];
        blni_cdf(r->l, r->theta, n, &r->g.t, f, low, high);
        for (size_t i = 0; i < n; i++) { *lower += w[i]*low[i]; *upper += w[i]*high[i]; }
    }
}

BLNI_PRIV void blni_predict_cdf_values(void *user, size_t n, const double *z, double *values)
{
    const blni_predict_row *r = (const blni_predict_row *)user;
    double f[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    for (size_t i = 0; i < n; i++) f[i] = r->m + r->s*z[i];
    blni_cdf(r->l, r->theta, n, &r->g.t, f, values, values + n);
    for (size_t i = 0; i < n; i++) {
        const double w = bln_norm_pdf(z[i]);
        values[i] *= w;
        values[n + i] *= w;
    }
}

/* By parts: E P(Y > y | f) = int (-dP(Y <= y)/df) P(F > f) df, and the same with P(F < f) plus what is left at f = infinity. The
 * slope is a hill, whose top is r->reference here; its whole mass is 1 less what is left, so that the two parts are known but for a
 * factor, and the rounding of log p of large counts does not matter. */
BLNI_PRIV void blni_predict_slope_values(void *user, size_t n, const double *f, double *values)
{
    const blni_predict_row *r = (const blni_predict_row *)user;
    r->l->ops->cdf_slope(r->l, r->theta, n, &r->g.t, f, values);
    for (size_t i = 0; i < n; i++) {
        const double z = (f[i] - r->m)/r->s, w = exp(values[i] - r->reference);
        values[i] = w*bln_norm_cdf(z);
        values[n + i] = w*bln_norm_sf(z);
    }
}

BLNI_PRIV void blni_predict_slope_log(void *user, size_t n, const double *f, double *values)
{
    const blni_predict_row *r = (const blni_predict_row *)user;
    r->l->ops->cdf_slope(r->l, r->theta, n, &r->g.t, f, values);
}

/* Sorted in, if inside. There is room: blni_bump_breaks leaves half of it for a second start. */
BLNI_PRIV size_t blni_break_add(size_t n, double *breaks, double x)
{
    size_t j = n;
    if (!(x > breaks[0] && x < breaks[n - 1])) return n;
    for (; breaks[j - 1] > x; j--) breaks[j] = breaks[j - 1];
    breaks[j] = x;
    return n + 1;
}

/* What is left of P(Y <= y | f) at f = infinity. */
BLNI_PRIV double blni_predict_rest(const blni_predict_row *r)
{
    const double everywhere = BLNI_INFINITY;
    double rest, none;
    blni_cdf(r->l, r->theta, 1, &r->g.t, &everywhere, &rest, &none);
    return rest;
}

/* Returns 0 if too much of the hill is left outside of where it was summed up, as of densities that fall off slowly. */
BLNI_PRIV int blni_predict_cdf_slope(blni_predict_row *r, double *lower, double *upper)
{
    static const double around[] = { -8.0, -3.0, -1.0, 1.0, 3.0, 8.0 };
    const double rest = blni_predict_rest(r);
    double breaks[BLNI_INTEGRATE_BREAKS], sum[2], left, right, none;
    size_t n = blni_bump_breaks(blni_predict_slope_log, r, 1, &r->centre, &r->scale, -BLNI_INFINITY, BLNI_INFINITY, 0, breaks,
                                &r->reference);
    *lower = rest;
    *upper = 1.0 - rest;
    if (n == 0) return 1;                                                /* y does not depend on f */
    for (size_t k = 0; k < sizeof around/sizeof *around; k++) n = blni_break_add(n, breaks, r->m + around[k]*r->s);
    blni_integrate(blni_predict_slope_values, r, 2, n, breaks, 1e-12, sum);
    *lower += (1.0 - rest)*(sum[0]/(sum[0] + sum[1]));
    *upper *= sum[1]/(sum[0] + sum[1]);
    if (r->l->ops->discrete) return 1;
    blni_cdf(r->l, r->theta, 1, &r->g.t, breaks, &none, &left);
    blni_cdf(r->l, r->theta, 1, &r->g.t, breaks + n - 1, &right, &none);
    return left + right <= 1e-12*fmin(*lower, *upper);
}

/* A tail by a hill of its own: 1 the lower one, -1 the upper one. */
BLNI_PRIV double blni_predict_tail(blni_predict_row *r, int tail)
{
    r->tail = tail;
    const double log_tail = blni_predict_integral(r);
    r->tail = 0;
    return r->l->ops->discrete ? exp(log_tail) : exp(log_tail - 0.5*BLNI_LOG_2PI - log(r->s));
}

/* Is there nothing of a tail, as doubles go, on either side and in the middle of all that f can be? A tail is monotone in f. */
BLNI_PRIV int blni_predict_no_tail(const blni_predict_row *r, int tail)
{
    double f[3], lower[3], upper[3], sum = 0.0;
    for (int i = 0; i < 3; i++) f[i] = r->m + 40.0*(i - 1)*r->s;
    blni_cdf(r->l, r->theta, 3, &r->g.t, f, lower, upper);
    for (int i = 0; i < 3; i++) sum += tail > 0 ? lower[i] : upper[i];
    return sum == 0.0;
}

/* Of a continuous y, whose density may fall off so slowly in f that it has no end, but whose tails the normal bounds: the smaller
 * one, which is mostly that at f = m. Twenty times the time of the slope, but where there is nothing to find. */
BLNI_PRIV void blni_predict_cdf_tails(blni_predict_row *r, double *lower, double *upper)
{
    double low, high;
    blni_cdf(r->l, r->theta, 1, &r->g.t, &r->m, &low, &high);
    int tail = low < high ? 1 : -1;
    double smaller = blni_predict_no_tail(r, tail) ? 0.0 : blni_predict_tail(r, tail);
    if (smaller > 0.5) { tail = -tail; smaller = blni_predict_tail(r, tail); }
    *lower = tail > 0 ? smaller : 1.0 - smaller;
    *upper = tail > 0 ? 1.0 - smaller : smaller;
}

/* How finely P(Y <= y | f) varies where f is: as e^{log p} does, whose width is that of log p or 2.8 (the probit's) times the scale
 * that its curvature gives. */
BLNI_PRIV double blni_predict_width(const blni_predict_row *r)
{
    double f[3], logp[3], d1[3], d2[3], centre, width;
    blni_singularity(r->l, r->theta, 1, &r->g.t, &centre, &width);
    if (2.8*r->scale < width) width = 2.8*r->scale;
    for (int i = 0; i < 3; i++) f[i] = r->m + 3.0*(i - 1)*r->s;
    blni_eval(r->l, r->theta, 3, &r->g.t, f, logp, d1, d2, NULL);
    for (int i = 0; i < 3; i++)
        if (-d2[i]*width*width > 2.8*2.8) width = 2.8/sqrt(-d2[i]);
    return width;
}

/* P(Y <= y) and P(Y > y) for a component with v > 0. So far from 0 that doubles do not resolve the slope's hill, the distribution
 * function is smooth where f is. */
BLNI_PRIV void blni_predict_cdf_component(blni_predict_row *r, double *lower, double *upper)
{
    double breaks[BLNI_INTEGRATE_BREAKS], sum[2];
    const double width = blni_predict_width(r);
    blni_rule_limits limits = blni_rule_limits_of(1e-12);
    const int rule = blni_rule_of(width, r->s*r->s, &limits);
    const int slope = r->l->ops->cdf_slope != NULL && DBL_EPSILON*fabs(r->centre) <= 1e-6*r->scale;
    const int tails = !r->l->ops->discrete && r->l->ops->cdf;
    if (rule <= (slope || tails ? BLNI_RULE_STEP2 : BLNI_RULE_STEP32)) {
        blni_predict_cdf_nodes(r, rule, lower, upper);
        if (tails && (*lower < 1e-2 || *upper < 1e-2)) blni_predict_cdf_tails(r, lower, upper);
    } else if (!slope || !blni_predict_cdf_slope(r, lower, upper)) {
        if (tails) blni_predict_cdf_tails(r, lower, upper);
        else {
            const size_t n = blni_panel_breaks((r->centre - r->m)/r->s, width/r->s, breaks);
            blni_integrate(blni_predict_cdf_values, r, 2, n, breaks, 1e-12, sum);
            *lower = sum[0];
            *upper = sum[1];
        }
    }
    if (!slope || !r->l->ops->discrete) return;
    /* Deep in a tail the hill is another one, and nodes around m miss it. */
    if (*lower < 1e-9 && blni_predict_rest(r) == 0.0) *lower = blni_predict_tail(r, 1);
    if (*upper < 1e-9) *upper = blni_predict_tail(r, -1);
}

BLNI_PRIV void blni_predict_cdf(blni_predict_row *r, size_t n, const double *m, const double *v, double *lower, double *upper)
{
    size_t points = 0;
    for (size_t k = 0; k < n; k++) points += v[k] == 0.0;
    if (points == n) { blni_cdf(r->l, r->theta, n, &r->g.t, m, lower, upper); return; }
    if (r->l->ops->normal_cdf) r->l->ops->normal_cdf(r->l, r->theta, n, &r->g.t, m, v, lower, upper);
    else for (size_t k = 0; k < n; k++) lower[k] = upper[k] = BLNI_NAN;
    blni_predict_hill(r);
    for (size_t k = 0; k < n; k++) {
        if (v[k] == 0.0) { blni_cdf(r->l, r->theta, 1, &r->g.t, m + k, lower + k, upper + k); continue; }
        if (lower[k] == lower[k]) continue;
        upper[k] = BLNI_NAN;
        if (!blni_finite(m[k]) || !(v[k] > 0.0 && blni_finite(v[k]))) continue;
        r->m = m[k];
        r->s = sqrt(v[k]);
        blni_predict_cdf_component(r, lower + k, upper + k);
    }
}

/* Of row i of the mixture, for the y in r, which has the parameters of the first component, and those of another one afterwards. */
BLNI_PRIV void blni_predict_tails(blni_predict_row *r, const bln_latent *f, size_t i, double *lower, double *upper)
{
    double m[BLN_LIKELIHOOD_BLOCK], v[BLN_LIKELIHOOD_BLOCK], low[BLN_LIKELIHOOD_BLOCK], high[BLN_LIKELIHOOD_BLOCK];
    const double y = r->g.y[0];
    *lower = y < r->low ? 0.0 : y == y ? 1.0 : BLNI_NAN;
    *upper = 1.0 - *lower;
    if (!(y >= r->low && y < r->high)) return;
    *lower = *upper = 0.0;
    for (size_t k = 0, some; k < blni_latent_K(f); k += some) {
        some = blni_latent_run(r->l, f, k);
        if (k && f->ldeta) blni_predict_row_at(r, blni_latent_eta(f, k), y);
        blni_latent_take(f, i, k, some, m, v);
        blni_predict_cdf(r, some, m, v, low, high);
        for (size_t j = 0; j < some; j++) {
            *lower += blni_latent_weight(f, k + j)*low[j];
            *upper += blni_latent_weight(f, k + j)*high[j];
        }
    }
}

/* At y, for row i. */
BLNI_PRIV void blni_predict_cdf_at(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double y,
                                   double *lower, double *upper)
{
    blni_predict_row r;
    blni_predict_row_of(&r, l, f->eta, t, i, 0);
    blni_predict_row_at(&r, f->eta, y);
    blni_predict_tails(&r, f, i, lower, upper);
}

/* lower = P(Y <= y), upper = P(Y > y); either may be NULL. Where the likelihood has cdf_slope, or cdf if y is not discrete (all of
 * the house), errors of 1e-10 of the smaller one, below 1e-9 also those of log p; else 1e-11 absolute.
 *   1-100 us; where densities of a user's likelihood fall off slowly, 1 ms */
BLNI_PRIV void blni_predictive_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                   double *upper)
{
    for (size_t i = 0; i < n; i++) {
        double low, high;
        blni_predict_cdf_at(l, t, f, i, l->ops->discrete ? floor(t->y[i]) : t->y[i], &low, &high);
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
}

/* P(Y <= y), whose distribution is uniform if y comes from p; of a discrete y, which has steps, P(Y < y) + u P(Y = y) for a uniform
 * u of each row [Brockwell 2007; Czado, Gneiting & Held 2009]. u: n, NULL: all 1/2, which is not random, and not uniform either.
 * Not read where y is continuous. out may be u. As the cdf, twice if y is discrete. */
BLNI_PRIV void blni_predictive_pit(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, const double *u,
                                   double *out)
{
    const int discrete = l->ops->discrete;
    for (size_t i = 0; i < n; i++) {
        const double y = discrete ? floor(t->y[i]) : t->y[i], part = u ? u[i] : 0.5;
        double below = 0.0, upper;
        if (discrete) blni_predict_cdf_at(l, t, f, i, y - 1.0, &below, &upper);
        blni_predict_cdf_at(l, t, f, i, y, out + i, &upper);
        if (discrete) out[i] = below + part*(out[i] - below);
    }
}

/* ---- quantiles */

typedef struct blni_predict_search { blni_predict_row row; const bln_latent *f; size_t i; } blni_predict_search;

BLNI_PRIV void blni_predict_search_tails(void *user, double y, double *lower, double *upper)
{
    blni_predict_search *s = (blni_predict_search *)user;
    blni_predict_row_at(&s->row, s->f->eta, y);
    blni_predict_tails(&s->row, s->f, s->i, lower, upper);
}

/* Guesses: as y grows with f, the quantile lies between the conditional median at the mean of f and the conditional quantile at the
 * quantile of f. The parameters are those of the component in the middle. Returns 0 if there are none, as f is not finite. */
BLNI_PRIV int blni_predict_guess(const blni_predict_search *s, double p, double q, double *y0, double *y1)
{
    const bln_latent *f = s->f;
    const size_t K = blni_latent_K(f);
    blni_running all = { 0.0, 0.0, 0.0 };
    double within = 0.0, m, v, at[2], level[2], y[2];
    for (size_t k = 0; k < K; k++) {
        blni_latent_take(f, s->i, k, 1, &m, &v);
        blni_running_add(&all, blni_latent_weight(f, k), m);
        within += blni_latent_weight(f, k)*v;
    }
    at[0] = all.mean;
    at[1] = all.mean + (p <= q ? bln_norm_quantile(p) : -bln_norm_quantile(q))*sqrt(within + blni_running_variance(&all));
    if (!blni_finite(at[1])) return 0;
    level[0] = 0.5;
    level[1] = p;
    blni_quantile(s->row.l, blni_latent_eta(f, K/2), 2, &s->row.g.t, at, level, y);
    *y0 = y[0] + 0.75*(y[1] - y[0]);
    *y1 = y[1];
    return 1;
}

BLNI_PRIV double blni_predict_find(blni_predict_search *s, double p, double q, double y0, double y1)
{
    return blni_search_quantile(blni_predict_search_tails, s, p, q, s->row.l->ops->discrete, s->row.low, s->row.high, y0, y1);
}

/* The log of the tail over what it should be, as >>likelihood's searches take it: rises with y. */
BLNI_PRIV double blni_predict_excess(blni_predict_search *s, double p, double q, double y)
{
    double lower, upper;
    blni_predict_search_tails(s, y, &lower, &upper);
    return blni_log_excess(p, q, lower, upper);
}

/* Of a continuous y: from y, where the excess is g, by secants to the quantile; `slope` is that of g there, about. Where a secant
 * does not come nearer by a factor of 2, as it does at the latest where rounding is all that is left, by the search. */
BLNI_PRIV double blni_predict_secants(blni_predict_search *s, double p, double q, double y, double g, double slope, double scale)
{
    double step = -g/slope;
    for (;;) {
        const double next = y + step;
        if (!(next > s->row.low && next < s->row.high)) break;
        if (fabs(step) <= 1e-9*scale || fabs(step) <= 4.0*DBL_EPSILON*fabs(next)) return next;
        const double there = blni_predict_excess(s, p, q, next);
        if (!(fabs(there) <= 0.5*fabs(g))) break;
        step *= there/(g - there);
        y = next;
        g = there;
    }
    return blni_predict_find(s, p, q, y, y + step);
}

/* Of many components: first that of some of them, taken evenly, whose search costs little; from there on with all. */
BLNI_PRIV double blni_predict_from_some(blni_predict_search *s, double p, double q, double y0, double y1)
{
    const bln_latent *all = s->f;
    const size_t J = blni_latent_J(all), step = blni_latent_K(all)/BLNI_LATENT_SOME, first = step/2;
    double weight[BLNI_LATENT_SOME], sum = 0.0, scale;
    bln_latent some = *all;
    some.K = BLNI_LATENT_SOME;
    some.J = J*step;
    some.ld = blni_latent_ld(all);
    some.mean += first*J;
    if (some.var) some.var += first*J;
    if (some.eta) some.eta += first*all->ldeta;
    some.ldeta = step*all->ldeta;
    some.weight = weight;
    for (size_t k = 0; k < some.K; k++) sum += weight[k] = blni_latent_weight(all, first + k*step);
    if (!(sum > 0.0)) return blni_predict_find(s, p, q, y0, y1);
    for (size_t k = 0; k < some.K; k++) weight[k] /= sum;
    s->f = &some;
    const double y = blni_predict_find(s, p, q, y0, y1);
    scale = fabs(y1 - y0);
    if (!(scale > 1e-3*fabs(y))) scale = 1e-3*fabs(y);
    if (s->row.l->ops->discrete) {                                       /* it is this y or one near it */
        s->f = all;
        return blni_finite(y) ? blni_predict_find(s, p, q, y, y + 0.02*scale) : blni_predict_find(s, p, q, y0, y1);
    }
    const double apart = 1e-3*scale;
    const double slope = (blni_predict_excess(s, p, q, y + apart) - blni_predict_excess(s, p, q, y - apart))/(2.0*apart);
    s->f = all;
    const double g = blni_predict_excess(s, p, q, y);
    if (!blni_finite(y) || !blni_finite(g) || !(slope > 0.0) || !blni_finite(slope)) return blni_predict_find(s, p, q, y0, y1);
    return blni_predict_secants(s, p, q, y, g, slope, scale);
}

/* The quantile of row i for the tails p below, q above: the least y with P(Y <= y) >= p, a whole number if y is discrete, infinity
 * if that is a count beyond 2^53; p = 0 and 1 give the ends of the support, p outside [0, 1] NaN. By the cdf: some 10 to 20 of it,
 * or 5 to 8 where many components (64 or more) are searched by 16 of them first. */
BLNI_PRIV double blni_predict_quantile(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double p,
                                       double q)
{
    blni_predict_search s;
    double y0, y1;
    if (!(p > 0.0 && q > 0.0)) p = p == 0.0 && q == 1.0 ? 0.0 : p == 1.0 && q == 0.0 ? 1.0 : BLNI_NAN;
    blni_predict_row_of(&s.row, l, f->eta, t, i, 0);
    s.f = f;
    s.i = i;
    if (!(p > 0.0 && q > 0.0)) return p == 0.0 ? s.row.low : p == 1.0 ? s.row.high : BLNI_NAN;
    if (!blni_predict_guess(&s, p, q, &y0, &y1)) return BLNI_NAN;
    return blni_latent_K(f) < BLNI_LATENT_MANY ? blni_predict_find(&s, p, q, y0, y1) : blni_predict_from_some(&s, p, q, y0, y1);
}
