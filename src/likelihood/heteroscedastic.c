/* heteroscedastic: latent 0 is the mean of y, and the noise variance is 1 + e^f_1 times its least value. Given f_1, y has a
 * likelihood of >>location with the noise_var v (1 + e^f_1), which computes what needs no slopes in f_1. Pairs of latents are
 * (0,0), (0,1), (1,1). With b = 1/nu (0 for the normal) and z^2 = r^2 w
 *     a = (1 + b)/(1 + b z^2),   d(a z^2)/d(z^2) = a c,   c = 1/(1 + b z^2),   dz^2/df_0 = -2 r w,   dz^2/df_1 = -p z^2. */
#include "heteroscedastic_private.h"
#include "expect_private.h"
#include "gaussian_scale_private.h"
#include "location_private.h"
#include "../math/quadrature_private.h"
#include "../math/special.h"
#include "../optim/transform_private.h"

/* n rows as of one latent, of which the base knows all. */
typedef struct blni_given_noise {
    bln_likelihood base;
    double theta[2], noise_var[BLN_LIKELIHOOD_BLOCK];
    bln_targets t;
} blni_given_noise;

BLNI_PRIV int blni_heteroscedastic_t(const bln_likelihood *l) { return l->n_theta > 1; }

/* f1: NULL for 0. noise_var stays finite. */
BLNI_PRIV void blni_given_noise_of(BLNI_TARGETS, const double *f1, blni_given_noise *g)
{
    const int student = blni_heteroscedastic_t(l);
    g->base = student ? bln_likelihood_student_t() : bln_likelihood_gaussian();
    g->theta[0] = student ? theta[0] : theta[0]*theta[0];
    g->theta[1] = student ? theta[1] : 0.0;
    for (size_t i = 0; i < n; i++) g->noise_var[i] = blni_noise_var(t, i)*(1.0 + exp(fmin(f1 ? f1[i] : 0.0, 600.0)));
    g->t = *t;
    g->t.noise_var = g->noise_var;
}

BLNI_PRIV void blni_heteroscedastic_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    const bln_likelihood student = bln_likelihood_student_t();
    bln_likelihood_param(&student, k, mean, sd, out);
}

BLNI_PRIV const char *blni_heteroscedastic_param_name(const bln_likelihood *l, size_t k)
{
    return k ? "degrees of freedom" : blni_heteroscedastic_t(l) ? "least scale" : "least noise sd";
}

BLNI_PRIV const char *blni_heteroscedastic_latent(const bln_likelihood *l, size_t j) { return j ? "log excess" : "mean"; }

BLNI_PRIV void blni_heteroscedastic_logp(BLNI_TARGETS, const double *f, size_t ld, double *logp)
{
    blni_given_noise g;
    blni_given_noise_of(l, theta, n, t, f + ld, &g);
    bln_likelihood_logp(&g.base, g.theta, n, &g.t, f, logp);
}

/* What slopes of row i are made of: x = r sqrt w, az2 = a z^2, none of which is NaN. */
typedef struct blni_hetero_at { double root, x, z2, a, az2, c, p, q, b; } blni_hetero_at;

BLNI_PRIV blni_hetero_at blni_hetero_terms(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *f,
                                           size_t ld, size_t i)
{
    blni_hetero_at s;
    s.p = bln_sigmoid(f[ld + i]);
    s.q = bln_sigmoid(-f[ld + i]);
    s.b = blni_heteroscedastic_t(l) ? 1.0/theta[1] : 0.0;
    s.root = sqrt(s.q/blni_noise_var(t, i))/theta[0];
    s.x = blni_clip((t->y[i] - f[i])*s.root, -1e150, 1e150);
    s.z2 = s.x*s.x;
    s.c = 1.0/(1.0 + s.b*s.z2);
    s.a = (1.0 + s.b)*s.c;
    s.az2 = s.a*s.z2;
    return s;
}

BLNI_PRIV void blni_heteroscedastic_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp, double *d1, double *d2)
{
    if (logp) blni_heteroscedastic_logp(l, theta, n, t, f, ld, logp);
    for (size_t i = 0; i < n && (d1 || d2); i++) {
        const blni_hetero_at s = blni_hetero_terms(l, theta, t, f, ld, i);
        if (d1) { d1[i] = s.a*s.x*s.root; d1[ld + i] = 0.5*s.p*(s.az2 - 1.0); }
        if (d2) {
            d2[i] = -s.a*s.root*s.root*(1.0 - 2.0*s.b*s.z2*s.c);
            d2[ld + i] = -s.a*s.x*s.root*s.p*s.c;
            d2[2*ld + i] = 0.5*s.p*(s.q*(s.az2 - 1.0) - s.p*s.az2*s.c);
        }
    }
}

BLNI_PRIV void blni_heteroscedastic_information(BLNI_TARGETS, const double *f, size_t ld, double *W)
{
    for (size_t i = 0; i < n; i++) {
        const blni_hetero_at s = blni_hetero_terms(l, theta, t, f, ld, i);
        W[i] = s.root*s.root*(1.0 + s.b)/(1.0 + 3.0*s.b);
        W[ld + i] = 0.0;
        W[2*ld + i] = 0.5*s.p*s.p/(1.0 + 3.0*s.b);
    }
}

/* W depends on f_1 alone: dw = -p w, d(p^2) = 2 p^2 q. */
BLNI_PRIV void blni_heteroscedastic_curve(BLNI_TARGETS, const double *f, size_t ld, const double *C, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const blni_hetero_at s = blni_hetero_terms(l, theta, t, f, ld, i);
        out[i] = 0.0;
        out[ld + i] = (C[2*ld + i]*s.p*s.p*s.q - C[i]*s.root*s.root*(1.0 + s.b)*s.p)/(1.0 + 3.0*s.b);
    }
}

/* log s does what f_1 does, at p = 2; and da/dnu = (z^2 - 1)/(nu + z^2)^2. */
BLNI_PRIV void blni_heteroscedastic_eval_param(BLNI_TARGETS_K, const double *f, size_t ld, double *dlogp, double *dd1, double *dW)
{
    if (k && dlogp) {
        blni_given_noise g;
        blni_given_noise_of(l, theta, n, t, f + ld, &g);
        blni_likelihood_eval_param(&g.base, g.theta, 1, n, &g.t, f, dlogp, NULL, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        const blni_hetero_at s = blni_hetero_terms(l, theta, t, f, ld, i);
        const double w = s.root*s.root, da = k ? s.b*s.b*(s.z2 - 1.0)*s.c*s.c : 0.0, share = 1.0/(1.0 + 3.0*s.b);
        if (!k && dlogp) dlogp[i] = (s.az2 - 1.0)/theta[0];
        if (dd1) {
            dd1[i] = k ? s.x*s.root*da : -2.0*s.a*s.x*s.root*s.c/theta[0];
            dd1[ld + i] = k ? 0.5*s.p*(s.z2 > 1.0 ? s.b*s.b*(1.0 - 1.0/s.z2)*(s.z2*s.c)*(s.z2*s.c) : s.z2*da)
                            : -s.p*s.az2*s.c/theta[0];
        }
        if (dW) {
            dW[i] = k ? 2.0*w*s.b*s.b*share*share : -2.0*w*(1.0 + s.b)*share/theta[0];
            dW[ld + i] = 0.0;
            dW[2*ld + i] = k ? 1.5*s.p*s.p*s.b*s.b*share*share : 0.0;
        }
    }
}

/* ---- integrals over f_1 = m_1 + spread z by equal steps h in z: many nodes at a time, each a row of the base with f_0 of its own,
 * N(m_0 + along z, var) */
typedef struct blni_noise_nodes {
    size_t nodes;                       /* in all */
    double z[BLN_LIKELIHOOD_BLOCK], w[BLN_LIKELIHOOD_BLOCK], f1[BLN_LIKELIHOOD_BLOCK], y[BLN_LIKELIHOOD_BLOCK],
           noise_var[BLN_LIKELIHOOD_BLOCK], mean[BLN_LIKELIHOOD_BLOCK], var[BLN_LIKELIHOOD_BLOCK];
    blni_given_noise g;
} blni_noise_nodes;

/* Of row i the nodes from `first` on; returns how many these are. */
BLNI_PRIV size_t blni_noise_nodes_of(blni_noise_nodes *s, const bln_likelihood *l, const double *theta, const bln_targets *t,
                                     size_t i, double h, size_t first, double m0, double along, double var, double m1,
                                     double spread)
{
    bln_targets all = BLN_ZERO;
    s->nodes = blni_normal_trapezoid(h, first, BLN_LIKELIHOOD_BLOCK, s->z, s->w);
    const size_t n = blni_min(s->nodes - first, BLN_LIKELIHOOD_BLOCK);
    all.y = s->y;
    all.noise_var = s->noise_var;
    for (size_t q = 0; q < n; q++) {
        s->f1[q] = m1 + spread*s->z[q];
        s->y[q] = t->y[i];
        s->noise_var[q] = blni_noise_var(t, i);
        s->mean[q] = m0 + along*s->z[q];
        s->var[q] = var;
    }
    blni_given_noise_of(l, theta, n, &all, s->f1, &s->g);
    return n;
}

/* Expectations: e(f_1) = E log p over f_0 and its slopes come from the base. E e' is the slope in m_1, E e' z/(2 sqrt v_1) that in
 * v_1. For v_1 below 1e-6 the nodes are those of 1e-6, and the value goes back along its slope. */
BLNI_PRIV void blni_heteroscedastic_row(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *m,
                                        const double *v, size_t ld, size_t i, double tolerance, double *sum)
{
    const double spread = sqrt(fmax(v[ld + i], 1e-6));
    const double h = fmin(0.8, 0.7/spread);                      /* 20 exp(-2 pi^2/(h sqrt v_1)) is 1e-11 */
    double e[5][BLN_LIKELIHOOD_BLOCK];
    blni_noise_nodes s;
    s.nodes = 1;
    for (size_t k = 0; k < 7; k++) sum[k] = 0.0;
    for (size_t first = 0; first < s.nodes; first += BLN_LIKELIHOOD_BLOCK) {
        const size_t n = blni_noise_nodes_of(&s, l, theta, t, i, h, first, m[i], 0.0, v[i], m[ld + i], spread);
        blni_likelihood_expect(&s.g.base, s.g.theta, n, &s.g.t, s.mean, s.var, tolerance, e[0], e[1], e[2], e[3],
                               BLN_LIKELIHOOD_BLOCK);
        for (size_t q = 0; q < n; q++) {
            const double in_log_s = e[3][q]*(blni_heteroscedastic_t(l) ? theta[0] : 2.0*s.g.theta[0]);
            const double slope = 0.5*bln_sigmoid(s.f1[q])*in_log_s;
            sum[0] += s.w[q]*e[0][q];
            sum[1] += s.w[q]*e[1][q];
            sum[2] += s.w[q]*e[2][q];
            sum[3] += s.w[q]*slope;
            sum[4] += s.w[q]*slope*s.z[q]*(0.5/spread);
            sum[5] += s.w[q]*in_log_s/theta[0];
            if (l->n_theta > 1) sum[6] += s.w[q]*e[4][q];
        }
    }
    sum[0] -= sum[4]*(spread*spread - v[ld + i]);
}

BLNI_PRIV void blni_heteroscedastic_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance,
                                           BLNI_EXPECTED)
{
    for (size_t i = 0; i < n; i++) {
        double sum[7];
        blni_heteroscedastic_row(l, theta, t, m, v, ld, i, tolerance, sum);
        value[i] = sum[0];
        if (dm) { dm[i] = sum[1]; dm[ld + i] = sum[3]; }
        if (dv) { dv[i] = sum[2]; dv[ld + i] = sum[4]; }
        for (size_t k = 0; k < l->n_theta && dtheta; k++) dtheta[k*lddtheta + i] = sum[5 + k];
    }
}

/* ---- the distribution of y */

BLNI_PRIV void blni_heteroscedastic_moments(BLNI_TARGETS, const double *f, size_t ld, double *mean, double *var)
{
    blni_given_noise g;
    blni_given_noise_of(l, theta, n, t, f + ld, &g);
    bln_likelihood_moments(&g.base, g.theta, n, &g.t, f, mean, var);
}

BLNI_PRIV void blni_heteroscedastic_cdf(BLNI_TARGETS, const double *f, size_t ld, double *lower, double *upper)
{
    blni_given_noise g;
    blni_given_noise_of(l, theta, n, t, f + ld, &g);
    bln_likelihood_cdf(&g.base, g.theta, n, &g.t, f, lower, upper);
}

BLNI_PRIV void blni_heteroscedastic_draw(BLNI_TARGETS, const double *f, size_t ld, bln_rng *rng, double *y)
{
    blni_given_noise g;
    blni_given_noise_of(l, theta, n, t, f + ld, &g);
    bln_likelihood_draw(&g.base, g.theta, n, &g.t, f, rng, y);
}

/* E Var[y | f] = E var(f_1 = 0)/2 (1 + E e^f_1), where that is finite. */
BLNI_PRIV void blni_heteroscedastic_normal_moments(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                                   double *mean, double *model, double *noise)
{
    blni_given_noise g;
    blni_given_noise_of(l, theta, n, t, NULL, &g);
    bln_likelihood_moments(&g.base, g.theta, n, &g.t, m, mean, noise);
    for (size_t i = 0; i < n; i++) {
        model[i] = v[i];
        noise[i] *= 0.5*(1.0 + exp(m[ld + i] + 0.5*v[ld + i]));
    }
}

/* Of t, whose distribution given z is that of a Student-t around a normal f_0, which the base knows. In a step the mean moves by at
 * most 0.6 times the least width of y. log density, or lower and upper tail, of row i; NaN where that takes too many steps, or the
 * base has no answer. */
BLNI_PRIV void blni_heteroscedastic_t_row(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *m,
                                          const double *v, const double *cov, size_t ld, size_t i, double *logp, double *lower,
                                          double *upper)
{
    const double spread = sqrt(v[ld + i]), along = blni_gaussian_scale_along(v, cov, ld, i);
    const double left = fmax(v[i] - along*along, 0.0), width = sqrt(left + theta[0]*theta[0]*blni_noise_var(t, i));
    const double h = fmin(fmin(0.8, 0.6/spread), 0.6*width/fabs(along));
    double a[BLN_LIKELIHOOD_BLOCK], b[BLN_LIKELIHOOD_BLOCK], both[2] = { -BLNI_INFINITY, 0.0 };
    blni_noise_nodes s;
    if (lower) *lower = *upper = 0.0;
    s.nodes = 1;
    for (size_t first = 0; first < s.nodes && h >= 1.0/64.0; first += BLN_LIKELIHOOD_BLOCK) {
        const size_t n = blni_noise_nodes_of(&s, l, theta, t, i, h, first, m[i], along, left, m[ld + i], spread);
        if (logp) s.g.base.ops->normal_logp(&s.g.base, s.g.theta, n, &s.g.t, s.mean, s.var, a);
        else      s.g.base.ops->normal_cdf(&s.g.base, s.g.theta, n, &s.g.t, s.mean, s.var, a, b);
        for (size_t q = 0; q < n; q++) {
            if (logp) a[q] += log(s.w[q]);
            else { *lower += s.w[q]*a[q]; *upper += s.w[q]*b[q]; }
        }
        if (logp) { both[1] = bln_logsumexp(n, a); both[0] = bln_logsumexp(2, both); }
    }
    if (logp) *logp = h >= 1.0/64.0 ? both[0] : BLNI_NAN;
    else if (!(h >= 1.0/64.0)) *lower = *upper = BLNI_NAN;
}

BLNI_PRIV void blni_heteroscedastic_t_logp(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                           double *logp)
{
    for (size_t i = 0; i < n; i++) blni_heteroscedastic_t_row(l, theta, t, m, v, cov, ld, i, logp + i, NULL, NULL);
}

BLNI_PRIV void blni_heteroscedastic_t_cdf(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                          double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) blni_heteroscedastic_t_row(l, theta, t, m, v, cov, ld, i, NULL, lower + i, upper + i);
}

#define BLNI_HETERO_LATENTS(LOGP, CDF) { \
    NULL, blni_heteroscedastic_latent, 0, blni_heteroscedastic_logp, blni_heteroscedastic_eval, blni_heteroscedastic_information, \
    blni_heteroscedastic_curve, blni_heteroscedastic_eval_param, blni_gaussian_scale_start, blni_heteroscedastic_expect, \
    blni_heteroscedastic_moments, blni_heteroscedastic_cdf, blni_heteroscedastic_draw, LOGP, \
    blni_heteroscedastic_normal_moments, CDF }

BLNI_TABLE const bln_latents_ops blni_heteroscedastic_latents[2] = {
    BLNI_HETERO_LATENTS(blni_gaussian_scale_normal_logp, blni_gaussian_scale_normal_cdf),
    BLNI_HETERO_LATENTS(blni_heteroscedastic_t_logp, blni_heteroscedastic_t_cdf)
};

#define BLNI_HETERO_OPS(NAME, K) { \
    NAME, 0, 0, 0, NULL, NULL, blni_heteroscedastic_param, blni_heteroscedastic_param_name, NULL, NULL, \
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, blni_heteroscedastic_latents + K, NULL }

BLNI_TABLE const bln_likelihood_ops blni_heteroscedastic_ops[2] = {
    BLNI_HETERO_OPS("heteroscedastic", 0), BLNI_HETERO_OPS("heteroscedastic_t", 1)
};

BLNI_PRIV bln_likelihood blni_heteroscedastic_of(size_t k)
{
    bln_likelihood l = blni_likelihood_of(blni_heteroscedastic_ops + k, 1 + k);
    l.n_latent = 2;
    return l;
}

BLN_API bln_likelihood bln_likelihood_heteroscedastic(void) { return blni_heteroscedastic_of(0); }
BLN_API bln_likelihood bln_likelihood_heteroscedastic_t(void) { return blni_heteroscedastic_of(1); }
