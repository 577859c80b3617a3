/* location: Gaussian, Student-t, Laplace and asymmetric Laplace. They depend on a row only through its residual and its
 * scale sqrt(noise_var). */
#include "location_private.h"
#include "../math/special_private.h"
#include "../math/vecmath.h"
#include "../random/distributions.h"
#include "../optim/transform_private.h"
#include "likelihood_private.h"

/* The row's scale without theta. */
BLNI_PRIV double blni_row_scale(const bln_targets *t, size_t i) { return t->noise_var ? sqrt(t->noise_var[i]) : 1.0; }

/* -log(v)/2 + constant */
BLNI_PRIV void blni_scale_constants(size_t n, const bln_targets *t, double constant, double *out)
{
    if (t->noise_var) bln_vec_log(n, t->noise_var, out);
    else for (size_t i = 0; i < n; i++) out[i] = 0.0;
    for (size_t i = 0; i < n; i++) out[i] = constant - 0.5*out[i];
}

BLNI_PRIV void blni_start_at_y(BLNI_TARGETS, double *f) { memcpy(f, t->y, n*sizeof *f); }

/* ---- Gaussian [likelihoods 10-13] */

/* From 1e-10 to 100 times the variance of y, as in >>slm; scales of the others accordingly. */
BLNI_PRIV void blni_gauss_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    sd = blni_clip(sd, 1e-140, 1e140);
    blni_param_log(1e-10*sd*sd, 0.1*sd*sd, 100.0*sd*sd, out);
    out->y_power = 2;
}

BLNI_PRIV const char *blni_gauss_param_name(const bln_likelihood *l, size_t k) { return "noise variance"; }

BLNI_PRIV void blni_gauss_constants(BLNI_TARGETS, double *constants) { blni_scale_constants(n, t, -0.5*BLNI_LOG_2PI, constants); }

BLNI_PRIV void blni_gauss_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    const double half_log = 0.5*log(theta[0]);
    for (size_t i = 0; i < n; i++) {
        const double r = t->y[i] - f[i], w = 1.0/(theta[0]*blni_noise_var(t, i));
        if (logp) logp[i] = t->constants[i] - half_log - 0.5*(r*w)*r;
        if (d1) d1[i] = r*w;
        if (d2) d2[i] = -w;
        if (d3) d3[i] = 0.0;
    }
}

BLNI_PRIV void blni_gauss_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    for (size_t i = 0; i < n; i++) {
        const double r = t->y[i] - f[i], w = 1.0/(theta[0]*blni_noise_var(t, i));
        if (dlogp) dlogp[i] = 0.5*((r*w)*r - 1.0)/theta[0];
        if (dd1) dd1[i] = -r*w/theta[0];
        if (dd2) dd2[i] = w/theta[0];
    }
}

BLNI_PRIV void blni_gauss_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = f[i];
        if (var) var[i] = theta[0]*blni_noise_var(t, i);
    }
}

BLNI_PRIV void blni_gauss_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - f[i])/sqrt(theta[0]*blni_noise_var(t, i));
        if (lower) lower[i] = bln_norm_cdf(z);
        if (upper) upper[i] = bln_norm_sf(z);
    }
}

BLNI_PRIV void blni_gauss_logcdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - f[i])/sqrt(theta[0]*blni_noise_var(t, i));
        if (lower) lower[i] = bln_norm_logcdf(z);
        if (upper) upper[i] = bln_norm_logcdf(-z);
    }
}

BLNI_PRIV void blni_gauss_quantile(BLNI_TARGETS, const double *f, const double *p, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = f[i] + sqrt(theta[0]*blni_noise_var(t, i))*bln_norm_quantile(p[i]);
}

BLNI_PRIV void blni_gauss_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = f[i] + sqrt(theta[0]*blni_noise_var(t, i))*bln_rng_normal(rng);
}

/* Polynomials have no singularity at all: any rule is exact. */
BLNI_PRIV void blni_gauss_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) {
        centre[i] = t->y[i];
        width[i] = 10.0*sqrt(theta[0]*blni_noise_var(t, i));
    }
}

BLNI_PRIV void blni_gauss_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    const double half_log = 0.5*log(theta[0]);
    for (size_t i = 0; i < n; i++) {
        const double r = t->y[i] - m[i], w = 1.0/(theta[0]*blni_noise_var(t, i)), square = (r*w)*r + v[i]*w;
        value[i] = t->constants[i] - half_log - 0.5*square;
        if (dm) dm[i] = r*w;
        if (dv) dv[i] = -0.5*w;
        if (dtheta) dtheta[i] = 0.5*(square - 1.0)/theta[0];
    }
}

BLNI_PRIV void blni_gauss_normal_logp(BLNI_TARGETS, const double *m, const double *v, double *logp)
{
    for (size_t i = 0; i < n; i++) {
        const double r = t->y[i] - m[i], total = theta[0]*blni_noise_var(t, i) + v[i];
        logp[i] = -0.5*(BLNI_LOG_2PI + log(total) + r/total*r);
    }
}

BLNI_PRIV void blni_gauss_normal_cdf(BLNI_TARGETS, const double *m, const double *v, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - m[i])/sqrt(theta[0]*blni_noise_var(t, i) + v[i]);
        lower[i] = bln_norm_cdf(z);
        upper[i] = bln_norm_sf(z);
    }
}

/* -dP(Y <= y)/df of a location family is the density; the constants are there. */
BLNI_PRIV void blni_location_slope(BLNI_TARGETS, const double *f, double *slope) { blni_logp(l, theta, n, t, f, slope); }

/* y varies as f does, and around it. A mean that does not exist is not NaN here, which would ask for an integral. */
BLNI_PRIV void blni_location_normal_moments(BLNI_TARGETS, const double *m, const double *v, double *mean, double *model,
                                            double *noise)
{
    blni_moments(l, theta, n, t, m, NULL, noise);
    memcpy(mean, m, n*sizeof *m);
    memcpy(model, v, n*sizeof *v);
}

BLNI_TABLE const bln_likelihood_ops blni_gauss_ops = {
    "gaussian", 0, 1, 0, NULL, NULL, blni_gauss_param, blni_gauss_param_name, blni_gauss_constants, NULL,
    blni_gauss_eval, blni_gauss_eval_param, blni_gauss_moments, blni_gauss_cdf, blni_gauss_logcdf, blni_gauss_quantile,
    blni_gauss_draw, blni_start_at_y, blni_gauss_singularity, blni_location_slope, blni_gauss_expect, blni_gauss_normal_logp,
    blni_location_normal_moments, blni_gauss_normal_cdf, 0, NULL, NULL
};

BLN_API bln_likelihood bln_likelihood_gaussian(void) { return blni_likelihood_of(&blni_gauss_ops, 1); }

/* ---- Student-t [likelihoods 24-28]
 *
 * In terms of q = |r|/sqrt(a), a = nu s^2 v, c = 1/(1 + q^2) and u = q^2 c = 1 - c, none of which can overflow where q is cut
 * off at 1e150 (where c is 1e-300, as good as 0). */
typedef struct blni_student_at { double a, root, sign, far, q, c, u; } blni_student_at;

BLNI_PRIV blni_student_at blni_student_terms(const double *theta, const bln_targets *t, size_t i, double f)
{
    blni_student_at s;
    const double r = t->y[i] - f;
    s.root = sqrt(theta[1]*blni_noise_var(t, i))*theta[0];
    s.a = s.root*s.root;
    s.far = fabs(r)/s.root;
    s.q = blni_clip(s.far, 0.0, 1e150);
    s.sign = r < 0.0 ? -1.0 : 1.0;
    s.c = 1.0/(1.0 + s.q*s.q);
    s.u = s.q*s.q*s.c;
    return s;
}

/* log(1 + q^2) of n rows: log w + (x - (w - 1))/w with x = q^2 and w = 1 + x as rounded, whose error the second term makes good
 * (w - 1 is exact); w goes through memory, so that it is a double. */
BLNI_PRIV void blni_student_logs(const double *theta, size_t n, const bln_targets *t, const double *f, double *out)
{
    double w[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, x[BLN_LIKELIHOOD_BLOCK];
    for (size_t i = 0; i < n; i++) {
        const blni_student_at s = blni_student_terms(theta, t, i, f[i]);
        x[i] = s.q*s.q;
        w[i] = 1.0 + x[i];
    }
    bln_vec_log(n, w, out);
    for (size_t i = 0; i < n; i++) {
        out[i] += (x[i] - (w[i] - 1.0))/w[i];
        if (x[i] >= 1e299) out[i] = 2.0*log(blni_student_terms(theta, t, i, f[i]).far);
    }
}

/* Laplace has the first of them only. */
BLNI_PRIV void blni_student_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    sd = blni_clip(sd, 1e-280, 1e280);
    if (k == 0) blni_param_log(1e-5*sd, 0.3*sd, 10.0*sd, out);
    else blni_param_log(0.1, 4.0, 1e6, out);
    out->y_power = k == 0;
}

BLNI_PRIV const char *blni_student_param_name(const bln_likelihood *l, size_t k) { return k ? "degrees of freedom" : "scale"; }

BLNI_PRIV void blni_student_constants(BLNI_TARGETS, double *constants) { blni_scale_constants(n, t, 0.0, constants); }

BLNI_PRIV void blni_student_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    const double nu = theta[1], N = nu + 1.0;
    const double constant = logp ? blni_lgamma_half_diff(0.5*nu) - 0.5*log(BLNI_PI*nu) - log(theta[0]) : 0.0;
    if (logp) blni_student_logs(theta, n, t, f, logp);
    for (size_t i = 0; i < n; i++) {
        const blni_student_at s = blni_student_terms(theta, t, i, f[i]);
        if (logp) logp[i] = t->constants[i] + constant - 0.5*N*logp[i];
        if (d1) d1[i] = s.sign*N*s.q*s.c/s.root;
        if (d2) d2[i] = N*(s.u - s.c)*s.c/s.a;
        if (d3) d3[i] = s.sign*2.0*N*s.q*s.c*(s.c*(s.u - 3.0*s.c))/s.a/s.root;
    }
}

/* psi(x + 1/2) - psi(x) - 1/(2x): the derivative of [likelihoods 6] from x = 20 on, where the digamma functions would cancel. */
BLNI_PRIV double blni_student_psi(double x)
{
    const double i2 = 1.0/(x*x);
    if (x < 20.0) return bln_digamma(x + 0.5) - bln_digamma(x) - 0.5/x;
    return i2*(1.0/8.0 + i2*(-1.0/64.0 + i2*(1.0/128.0 + i2*(-17.0/2048.0 + i2*(31.0/2048.0)))));
}

/* [likelihoods 26, 27], which are derivatives in log s and log nu, divided by s and nu. */
BLNI_PRIV void blni_student_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    const double nu = theta[1], N = nu + 1.0, psi = k ? blni_student_psi(0.5*nu) : 0.0;
    if (k && dlogp) blni_student_logs(theta, n, t, f, dlogp);
    for (size_t i = 0; i < n; i++) {
        const blni_student_at s = blni_student_terms(theta, t, i, f[i]);
        if (k == 0) {
            if (dlogp) dlogp[i] = (N*s.u - 1.0)/theta[0];
            if (dd1) dd1[i] = -2.0*s.sign*N*s.q*s.c*s.c/s.root/theta[0];
            if (dd2) dd2[i] = 2.0*N*s.c*(s.c*(s.c - 3.0*s.u))/s.a/theta[0];
        } else {
            if (dlogp) dlogp[i] = 0.5*(psi - dlogp[i]) + 0.5*N*s.u/nu;
            if (dd1) dd1[i] = s.sign*s.q*s.c*(nu*s.u - s.c)/s.root/nu;
            if (dd2) dd2[i] = (nu*(s.u - s.c)*s.c + N*s.c*(s.c*(s.c - 3.0*s.u)))/s.a/nu;
        }
    }
}

BLNI_PRIV void blni_student_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    const double s = theta[0], nu = theta[1], factor = nu > 2.0 ? nu/(nu - 2.0) : BLNI_INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = nu > 1.0 ? f[i] : BLNI_NAN;
        if (var) var[i] = s*s*blni_noise_var(t, i)*factor;
    }
}

BLNI_PRIV void blni_student_likelihood_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - f[i])/(theta[0]*blni_row_scale(t, i));
        if (lower) lower[i] = bln_student_cdf(theta[1], z);
        if (upper) upper[i] = bln_student_cdf(theta[1], -z);
    }
}

BLNI_PRIV void blni_student_likelihood_quantile(BLNI_TARGETS, const double *f, const double *p, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = f[i] + theta[0]*blni_row_scale(t, i)*bln_student_quantile(theta[1], p[i]);
}

BLNI_PRIV void blni_student_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = f[i] + theta[0]*blni_row_scale(t, i)*bln_rng_student_t(rng, theta[1]);
}

/* Poles at y +- i sqrt(a). */
BLNI_PRIV void blni_student_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) {
        centre[i] = t->y[i];
        width[i] = theta[0]*sqrt(theta[1])*blni_row_scale(t, i);
    }
}

/* log [ x^x e^(-x) sqrt(2 pi / x)/Gamma(x) ] */
BLNI_PRIV double blni_student_stirling(double x)
{
    return x >= 8.0 ? -blni_stirling(x) : (x - 0.5)*log(x) - x + 0.5*BLNI_LOG_2PI - bln_lgamma(x);
}

/* A Student-t variable is a normal one whose precision has a factor g ~ Gamma(nu/2, nu/2), so that with f ~ N(m, v)
 *     E p(y | f) = int p(u) N(r | 0, V(u)) du,   E P(Y beyond y | f) = int p(u) Phi(-|r|/sqrt(V(u))) du,   u = log g,
 * r = y - m, V = v + a e^-u, a = scale^2 [Andrews & Mallows 1974]. In units of the scale (a = 1, `far` = r^2, v). Both integrands
 * are positive and analytic, so that equal steps are good to all digits [Trefethen & Weideman 2014]: they begin below `lowest`, the
 * least u where the integrand bends, and end where p(u) does. As p falls off like e^(nu u/2), for few degrees of freedom
 * u = lowest + t - e^-t has a shorter way down. Errors of 1e-10 of the tail; in log p mostly 1e-12, 1e-9 where v is 1e8 scales
 * squared. 30 to 300 nodes; returns 0 where it would take thousands. */
BLNI_PRIV int blni_student_normal(double nu, double far, double v, double *log_p, double *tail)
{
    const double half = 0.5*nu, lowest = -log1p(far/nu + (nu < 30.0 ? v : 0.0));
    const int few = nu < 30.0;
    const double h = few ? 0.22*(nu > 4.0 ? sqrt(4.0/nu) : 1.0) : 0.6*sqrt(2.0/nu);
    double t = few ? -log(84.0/nu) : -sqrt(168.0/nu) - 63.0/nu, top = -BLNI_INFINITY, p = 0.0, beyond = 0.0;
    if (!(((few ? 3.0 : 20.0/sqrt(nu)) - lowest)/h < 4000.0)) return 0;
    for (int k = 0; k < 2; k++) {                              /* the density may have two hills; what follows is over the higher */
        const double u = k ? lowest : 0.0, V = v + exp(-u);
        top = fmax(top, half*(u - expm1(u)) - 0.5*(far/V + log(V)));
    }
    for (;; t += h) {
        const double short_cut = few ? exp(-t) : 0.0, u = lowest + t - short_cut, log_g = half*(u - expm1(u));
        if (u > 0.0 && log_g < -42.0) break;
        const double V = v + exp(-u);
        if (log_p) p += (1.0 + short_cut)*exp(log_g - 0.5*(far/V + log(V)) - top);
        if (tail) beyond += (1.0 + short_cut)*exp(log_g)*bln_norm_cdf(-sqrt(far/V));
    }
    const double constant = blni_student_stirling(half) + 0.5*log(half) - 0.5*BLNI_LOG_2PI + log(h);
    if (log_p) *log_p = log(p) + top + constant - 0.5*BLNI_LOG_2PI;
    if (tail) *tail = beyond*exp(constant);
    return 1;
}

BLNI_PRIV void blni_student_normal_logp(BLNI_TARGETS, const double *m, const double *v, double *logp)
{
    for (size_t i = 0; i < n; i++) {
        const double s = theta[0]*blni_row_scale(t, i), r = (t->y[i] - m[i])/s;
        if (blni_student_normal(theta[1], r*r, v[i]/s/s, logp + i, NULL)) logp[i] -= log(s);
        else logp[i] = BLNI_NAN;
    }
}

BLNI_PRIV void blni_student_normal_cdf(BLNI_TARGETS, const double *m, const double *v, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double s = theta[0]*blni_row_scale(t, i), r = (t->y[i] - m[i])/s;
        double tail = BLNI_NAN;
        blni_student_normal(theta[1], r*r, v[i]/s/s, NULL, &tail);
        lower[i] = r < 0.0 ? tail : 1.0 - tail;
        upper[i] = r < 0.0 ? 1.0 - tail : tail;
    }
}

BLNI_TABLE const bln_likelihood_ops blni_student_ops = {
    "student_t", 0, 1, 0, NULL, NULL, blni_student_param, blni_student_param_name, blni_student_constants, NULL,
    blni_student_eval, blni_student_eval_param, blni_student_moments, blni_student_likelihood_cdf, NULL,
    blni_student_likelihood_quantile, blni_student_draw, blni_start_at_y, blni_student_singularity, blni_location_slope, NULL,
    blni_student_normal_logp, blni_location_normal_moments, blni_student_normal_cdf, 0, NULL, NULL
};

BLN_API bln_likelihood bln_likelihood_student_t(void) { return blni_likelihood_of(&blni_student_ops, 2); }

/* ---- Laplace [likelihoods 29-32], and asymmetric Laplace [likelihoods 49]
 *
 * Exponential on both sides of f, with lengths a below and c above: p = e^{r/a} or e^{-r/c} over a + c, and P(Y < f) = a/(a + c).
 * Laplace: a = c = b; the other, of quantile tau: a = b/(1 - tau), c = b/tau; times sqrt(noise_var). */

/* Their lengths; the slope and the tilt of -log p = slope |r| + tilt r + ...; P(Y < f) and P(Y > f). */
BLNI_PRIV blni_two_sides blni_two_sides_of(const bln_likelihood *l, const double *theta, const bln_targets *t, size_t i)
{
    const double b = theta[0]*blni_row_scale(t, i), tau = l->level;
    blni_two_sides s;
    s.below = tau > 0.0 ? b/(1.0 - tau) : b;
    s.above = tau > 0.0 ? b/tau : b;
    s.slope = tau > 0.0 ? 0.5/b : 1.0/b;
    s.tilt = tau > 0.0 ? (tau - 0.5)/b : 0.0;
    s.left = tau > 0.0 ? tau : 0.5;
    s.right = tau > 0.0 ? 1.0 - tau : 0.5;
    return s;
}

/* The same seen from the other side. */
BLNI_PRIV blni_two_sides blni_two_sides_turned(const blni_two_sides *s)
{
    const blni_two_sides o = { s->above, s->below, s->slope, -s->tilt, s->right, s->left };
    return o;
}

BLNI_PRIV void blni_laplace_constants(BLNI_TARGETS, double *constants)
{
    blni_scale_constants(n, t, l->level > 0.0 ? log(l->level*(1.0 - l->level)) : -BLNI_LOG_2, constants);
}

BLNI_PRIV void blni_laplace_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    const double log_b = log(theta[0]);
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i);
        const double r = t->y[i] - f[i];
        if (logp) logp[i] = t->constants[i] - log_b - (r < 0.0 ? -r/s.below : r/s.above);
        if (d1) d1[i] = r < 0.0 ? -1.0/s.below : r > 0.0 ? 1.0/s.above : r;        /* 0 or NaN */
        if (d2) d2[i] = 0.0;
        if (d3) d3[i] = 0.0;
    }
}

BLNI_PRIV void blni_laplace_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i);
        const double r = t->y[i] - f[i];
        if (dlogp) dlogp[i] = ((r < 0.0 ? -r/s.below : r/s.above) - 1.0)/theta[0];
        if (dd1) dd1[i] = (r < 0.0 ? 1.0/s.below : r > 0.0 ? -1.0/s.above : r)/theta[0];
        if (dd2) dd2[i] = 0.0;
    }
}

/* Y - f is a difference of exponential variables. */
BLNI_PRIV void blni_laplace_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i);
        if (mean) mean[i] = f[i] + (s.above - s.below);
        if (var) var[i] = s.above*s.above + s.below*s.below;
    }
}

/* log P(Y - f <= r), and its exponential. */
BLNI_PRIV double blni_laplace_log(const blni_two_sides *s, double r)
{
    return r < 0.0 ? r/s->below + log(s->left) : log1p(-s->right*exp(-r/s->above));
}
BLNI_PRIV double blni_laplace_tail(const blni_two_sides *s, double r)
{
    return r < 0.0 ? s->left*exp(r/s->below) : 1.0 - s->right*exp(-r/s->above);
}

BLNI_PRIV void blni_laplace_tails(BLNI_TARGETS, const double *f, double *lower, double *upper,
                                  double (*tail)(const blni_two_sides *s, double r))
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i), o = blni_two_sides_turned(&s);
        if (lower) lower[i] = tail(&s, t->y[i] - f[i]);
        if (upper) upper[i] = tail(&o, f[i] - t->y[i]);
    }
}
BLNI_PRIV void blni_laplace_cdf(BLNI_TARGETS, const double *f, double *lower,
                                double *upper) { blni_laplace_tails(l, theta, n, t, f, lower, upper, blni_laplace_tail); }
BLNI_PRIV void blni_laplace_logcdf(BLNI_TARGETS, const double *f, double *lower,
                                   double *upper) { blni_laplace_tails(l, theta, n, t, f, lower, upper, blni_laplace_log); }

BLNI_PRIV void blni_laplace_quantile(BLNI_TARGETS, const double *f, const double *p, double *y)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i);
        y[i] = f[i] + (p[i] < s.left ? s.below*log(p[i]/s.left) : -s.above*log((1.0 - p[i])/s.right));
    }
}

BLNI_PRIV void blni_laplace_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides s = blni_two_sides_of(l, theta, t, i);
        if (!(l->level > 0.0)) y[i] = f[i] + s.above*bln_rng_laplace(rng);
        else {
            const int below = bln_rng_uniform(rng) < s.left;
            y[i] = f[i] + (below ? -s.below : s.above)*bln_rng_exponential(rng);
        }
    }
}

/* A kink: no rule for smooth functions will do, but none is needed. */
BLNI_PRIV void blni_laplace_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) {
        centre[i] = t->y[i];
        width[i] = theta[0]*blni_row_scale(t, i);
    }
}

/* [likelihoods 31]: E|r| = 2 s N(z) + d erf(z/sqrt 2), d = y - m, s = sqrt v, z = d/s. v = 0 is the limit, with dv = 0 at y = m. */
BLNI_PRIV void blni_laplace_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    const double log_b = log(theta[0]);
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides side = blni_two_sides_of(l, theta, t, i);
        const double d = t->y[i] - m[i], s = sqrt(v[i]);
        const double z = s > 0.0 ? d/s : d == 0.0 ? 0.0 : d < 0.0 ? -BLNI_INFINITY : BLNI_INFINITY, e = blni_erf(z*BLNI_SQRT1_2);
        const double pdf = bln_norm_pdf(z), cost = (2.0*s*pdf + d*e)*side.slope + d*side.tilt;
        value[i] = t->constants[i] - log_b - cost;
        if (dm) dm[i] = e*side.slope + side.tilt;
        if (dv) dv[i] = s > 0.0 ? -pdf/s*side.slope : 0.0;
        if (dtheta) dtheta[i] = (cost - 1.0)/theta[0];
    }
}

/* [likelihoods 32] in units of the length of one side, w = s/c and x = (y - m)/c: the two halves of the convolution are
 * e^{w^2/2 -+ x} P(Z > w -+ x/w), worked out as the logarithms of e^{w^2/2 - x} Phi(x/w - w) (what lies below y) and, of the other
 * side with a and -x, its like. For large w, Phi is about e^{-(w - x/w)^2/2}, and the exponents nearly cancel:
 * w^2/2 - x - (w - x/w)^2/2 = -(x/w)^2/2, by the ratio of Mills. */
BLNI_PRIV double blni_laplace_half(double w, double x)
{
    const double z = x/w - w;
    return z > -4.0 ? 0.5*w*w - x + bln_norm_logcdf(z) : bln_norm_logpdf(x/w) - log(bln_norm_mills(z));
}

BLNI_PRIV void blni_laplace_normal_logp(BLNI_TARGETS, const double *m, const double *v, double *logp)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides side = blni_two_sides_of(l, theta, t, i);
        const double s = sqrt(v[i]), d = t->y[i] - m[i];
        double part[2];
        part[0] = blni_laplace_half(s/side.above, d/side.above);
        part[1] = blni_laplace_half(s/side.below, -d/side.below);
        logp[i] = bln_logsumexp(2, part) - log(side.below + side.above);
    }
}

/* As y does of f, but for a shift. */
BLNI_PRIV void blni_laplace_normal_moments(BLNI_TARGETS, const double *m, const double *v, double *mean, double *model,
                                           double *noise)
{
    blni_moments(l, theta, n, t, m, mean, noise);
    memcpy(model, v, n*sizeof *v);
}

/* P(Y <= y) = Phi(d/s) - right e^{half(above)} + left e^{half(below)}. With R = N/Phi, which falls, e^{half(x)} = N(x/w)/R(x/w - w)
 * is below N(x/w)/R(x/w) = Phi(x/w): in the lower tail the first difference is at least left Phi. */
BLNI_PRIV double blni_laplace_normal_tail(const blni_two_sides *side, double s, double d)
{
    if (d > 0.0) {
        const blni_two_sides other = blni_two_sides_turned(side);
        return 1.0 - blni_laplace_normal_tail(&other, s, -d);
    }
    return bln_norm_cdf(d/s) - side->right*exp(blni_laplace_half(s/side->above, d/side->above))
           + side->left*exp(blni_laplace_half(s/side->below, -d/side->below));
}

BLNI_PRIV void blni_laplace_normal_cdf(BLNI_TARGETS, const double *m, const double *v, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const blni_two_sides side = blni_two_sides_of(l, theta, t, i), other = blni_two_sides_turned(&side);
        const double s = sqrt(v[i]), d = t->y[i] - m[i];
        lower[i] = blni_laplace_normal_tail(&side, s, d);
        upper[i] = blni_laplace_normal_tail(&other, s, -d);
    }
}

BLNI_TABLE const bln_likelihood_ops blni_laplace_ops[2] = {
    { "laplace", 0, 1, 0, NULL, NULL, blni_student_param, blni_student_param_name, blni_laplace_constants, NULL,
      blni_laplace_eval, blni_laplace_eval_param, blni_laplace_moments, blni_laplace_cdf, blni_laplace_logcdf,
      blni_laplace_quantile, blni_laplace_draw, blni_start_at_y, blni_laplace_singularity, blni_location_slope, blni_laplace_expect,
      blni_laplace_normal_logp, blni_laplace_normal_moments, blni_laplace_normal_cdf, 0, NULL, NULL },
    { "asymmetric_laplace", 0, 1, 0, NULL, NULL, blni_student_param, blni_student_param_name, blni_laplace_constants,
      NULL, blni_laplace_eval, blni_laplace_eval_param, blni_laplace_moments, blni_laplace_cdf, blni_laplace_logcdf,
      blni_laplace_quantile, blni_laplace_draw, blni_start_at_y, blni_laplace_singularity, blni_location_slope, blni_laplace_expect,
      blni_laplace_normal_logp, blni_laplace_normal_moments, blni_laplace_normal_cdf, 0, NULL, NULL }
};

BLN_API bln_likelihood bln_likelihood_laplace(void) { return blni_likelihood_of(blni_laplace_ops, 1); }

BLN_API bln_likelihood bln_likelihood_asymmetric_laplace(double tau)
{
    bln_likelihood l = blni_likelihood_of(tau > 0.0 && tau < 1.0 ? blni_laplace_ops + 1 : NULL, 1);
    l.level = tau;
    return l;
}
