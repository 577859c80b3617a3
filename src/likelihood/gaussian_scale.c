/* gaussian_scale: latent 0 is the mean of y, latent 1 the log of its standard deviation divided by s sqrt v. Pairs of latents are
 * (0,0), (0,1), (1,1). */
#include "gaussian_scale_private.h"
#include "../math/quadrature_private.h"
#include "../math/special.h"
#include "../optim/transform_private.h"
#include "likelihood_private.h"

/* From 1e-5 to 10 times the standard deviation of y: the square roots of what >>location has. */
BLNI_PRIV void blni_gaussian_scale_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    sd = blni_clip(sd, 1e-140, 1e140);
    blni_param_log(1e-5*sd, sqrt(0.1)*sd, 10.0*sd, out);
    out->y_power = 1;
}

BLNI_PRIV const char *blni_gaussian_scale_param_name(const bln_likelihood *l, size_t k) { return "noise sd"; }

BLNI_PRIV const char *blni_gaussian_scale_latent(const bln_likelihood *l, size_t j) { return j ? "log sd" : "mean"; }

/* log of s sqrt v of row i. */
BLNI_PRIV double blni_gaussian_scale_log(const double *theta, const bln_targets *t, size_t i)
{
    return log(theta[0]) + 0.5*(t->noise_var ? log(t->noise_var[i]) : 0.0);
}

/* 1 over the standard deviation of the noise, whose square stays finite: 0 times infinity would be NaN. */
BLNI_PRIV double blni_gaussian_scale_inverse(const double *theta, const bln_targets *t, const double *f, size_t ld, size_t i)
{
    return exp(fmin(-blni_gaussian_scale_log(theta, t, i) - f[ld + i], 300.0));
}

BLNI_PRIV void blni_gaussian_scale_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp, double *d1, double *d2)
{
    for (size_t i = 0; i < n; i++) {
        const double log_sd = blni_gaussian_scale_log(theta, t, i) + f[ld + i];
        const double inverse = blni_gaussian_scale_inverse(theta, t, f, ld, i), x = (t->y[i] - f[i])*inverse;
        if (logp) logp[i] = -0.5*BLNI_LOG_2PI - log_sd - 0.5*x*x;
        if (d1) { d1[i] = x*inverse; d1[ld + i] = x*x - 1.0; }
        if (d2) {
            d2[i] = -inverse*inverse;
            d2[ld + i] = -2.0*x*inverse;
            d2[2*ld + i] = -2.0*x*x;
        }
    }
}

BLNI_PRIV void blni_gaussian_scale_information(BLNI_TARGETS, const double *f, size_t ld, double *W)
{
    for (size_t i = 0; i < n; i++) {
        const double inverse = blni_gaussian_scale_inverse(theta, t, f, ld, i);
        W[i] = inverse*inverse;
        W[ld + i] = 0.0;
        W[2*ld + i] = 2.0;
    }
}

/* W_00 alone depends on f, by the factor e^(-2 f_1). */
BLNI_PRIV void blni_gaussian_scale_curve(BLNI_TARGETS, const double *f, size_t ld, const double *C, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double inverse = blni_gaussian_scale_inverse(theta, t, f, ld, i);
        out[i] = 0.0;
        out[ld + i] = -2.0*C[i]*(inverse*inverse);
    }
}

/* log s adds to f_1. */
BLNI_PRIV void blni_gaussian_scale_eval_param(BLNI_TARGETS_K, const double *f, size_t ld, double *dlogp, double *dd1, double *dW)
{
    for (size_t i = 0; i < n; i++) {
        const double inverse = blni_gaussian_scale_inverse(theta, t, f, ld, i), x = (t->y[i] - f[i])*inverse;
        if (dlogp) dlogp[i] = (x*x - 1.0)/theta[0];
        if (dd1) { dd1[i] = -2.0*x*inverse/theta[0]; dd1[ld + i] = -2.0*x*x/theta[0]; }
        if (dW) { dW[i] = -2.0*inverse*inverse/theta[0]; dW[ld + i] = dW[2*ld + i] = 0.0; }
    }
}

BLNI_PRIV void blni_gaussian_scale_start(BLNI_TARGETS, double *f, size_t ld)
{
    for (size_t i = 0; i < n; i++) { f[i] = t->y[i]; f[ld + i] = 0.0; }
}

BLNI_PRIV void blni_gaussian_scale_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance,
                                          BLNI_EXPECTED)
{
    for (size_t i = 0; i < n; i++) {
        const double r = t->y[i] - m[i], log_scale = blni_gaussian_scale_log(theta, t, i);
        const double g = exp(fmin(-2.0*(log_scale + m[ld + i] - v[ld + i]), 700.0)), square = (r*r + v[i])*g;
        value[i] = -0.5*BLNI_LOG_2PI - log_scale - m[ld + i] - 0.5*square;
        if (dm) { dm[i] = r*g; dm[ld + i] = square - 1.0; }
        if (dv) { dv[i] = -0.5*g; dv[ld + i] = -square; }
        if (dtheta) dtheta[i] = (square - 1.0)/theta[0];
    }
}

/* ---- the distribution of y */

BLNI_PRIV void blni_gaussian_scale_moments(BLNI_TARGETS, const double *f, size_t ld, double *mean, double *var)
{
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = f[i];
        if (var) var[i] = exp(2.0*(blni_gaussian_scale_log(theta, t, i) + f[ld + i]));
    }
}

BLNI_PRIV void blni_gaussian_scale_cdf(BLNI_TARGETS, const double *f, size_t ld, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double x = (t->y[i] - f[i])*blni_gaussian_scale_inverse(theta, t, f, ld, i);
        if (lower) lower[i] = bln_norm_cdf(x);
        if (upper) upper[i] = bln_norm_cdf(-x);
    }
}

BLNI_PRIV void blni_gaussian_scale_draw(BLNI_TARGETS, const double *f, size_t ld, bln_rng *rng, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] = f[i] + exp(blni_gaussian_scale_log(theta, t, i) + f[ld + i])*bln_rng_normal(rng);
}

BLNI_PRIV void blni_gaussian_scale_normal_moments(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                                  double *mean, double *model, double *noise)
{
    for (size_t i = 0; i < n; i++) {
        mean[i] = m[i];
        model[i] = v[i];
        noise[i] = exp(2.0*(blni_gaussian_scale_log(theta, t, i) + m[ld + i] + v[ld + i]));
    }
}

/* What is integrated over z, f_1 = m_1 + sqrt v_1 z: given z, y is N(centre + along z, left + e^(2 (log_sd + spread z))). */
typedef struct blni_gaussian_scale_row {
    double y, centre, along, left, log_sd, spread;
    int    what;                        /* 0: log density; 1: log of P(Y <= y); -1: log of P(Y > y)     */
} blni_gaussian_scale_row;

BLNI_PRIV void blni_gaussian_scale_at(void *user, size_t n, const double *z, double *value)
{
    const blni_gaussian_scale_row *r = (const blni_gaussian_scale_row *)user;
    for (size_t i = 0; i < n; i++) {
        const double var = fmax(r->left + exp(fmin(2.0*(r->log_sd + r->spread*z[i]), 690.0)), 1e-280);
        const double x = (r->y - r->centre - r->along*z[i])/sqrt(var);
        value[i] = -0.5*z[i]*z[i] - 0.5*BLNI_LOG_2PI;
        value[i] += r->what ? bln_norm_logcdf((double)r->what*x) : -0.5*(BLNI_LOG_2PI + log(var) + x*x);
    }
}

/* By how much f_0 moves with a standard deviation of f_1: at most by its own, also where v_1 loses digits that cov keeps. Where v_1
 * is too small for a double f_1 does not move. */
BLNI_PRIV double blni_gaussian_scale_along(const double *v, const double *cov, size_t ld, size_t i)
{
    const double most = sqrt(v[i]);
    return cov && v[ld + i] > 0.0 ? fmin(fmax(cov[ld + i]/sqrt(v[ld + i]), -most), most) : 0.0;
}

/* log of the integral of N(z) times that, for row i. There is a hill at z = 0, and one about where e^f_1 is the distance of y. The
 * variance of >>heteroscedastic's normal is s^2 v more than this one has with half of f_1. */
BLNI_PRIV double blni_gaussian_scale_integral(const bln_likelihood *l, const double *theta, const bln_targets *t, const double *m,
                                              const double *v, const double *cov, size_t ld, size_t i, int what)
{
    const int own = l->ops->latents->latent_name == blni_gaussian_scale_latent;
    const double along = blni_gaussian_scale_along(v, cov, ld, i), part = own ? 1.0 : 0.5;
    const double least = own ? 0.0 : theta[0]*theta[0]*blni_noise_var(t, i);
    blni_gaussian_scale_row r = { t->y[i], m[i], along, fmax(v[i] - along*along, 0.0) + least,
                                  blni_gaussian_scale_log(theta, t, i) + part*m[ld + i], part*sqrt(v[ld + i]), what };
    double starts[2] = { 0.0, 0.0 }, scales[2] = { 1.0, 1.0 }, at;
    if (r.spread == 0.0) { blni_gaussian_scale_at(&r, 1, starts, &at); return at + 0.5*BLNI_LOG_2PI; }
    starts[1] = (log(fabs(r.y - r.centre) + 1e-300) - r.log_sd)/r.spread;
    starts[1] = starts[1] > 0.0 ? 0.5*fmin(starts[1], 1e3) : 0.0;
    return blni_bump_log_integral(blni_gaussian_scale_at, &r, starts[1] > 1.0 ? 2 : 1, starts, scales, -1e4, 1e4, 0, 1e-12);
}

BLNI_PRIV void blni_gaussian_scale_normal_logp(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                               double *logp)
{
    for (size_t i = 0; i < n; i++) logp[i] = blni_gaussian_scale_integral(l, theta, t, m, v, cov, ld, i, 0);
}

BLNI_PRIV void blni_gaussian_scale_normal_cdf(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                              double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        lower[i] = exp(blni_gaussian_scale_integral(l, theta, t, m, v, cov, ld, i, 1));
        upper[i] = exp(blni_gaussian_scale_integral(l, theta, t, m, v, cov, ld, i, -1));
    }
}

BLNI_TABLE const bln_latents_ops blni_gaussian_scale_latents = {
    NULL, blni_gaussian_scale_latent, 0, blni_latents_logp_of_eval, blni_gaussian_scale_eval, blni_gaussian_scale_information,
    blni_gaussian_scale_curve, blni_gaussian_scale_eval_param, blni_gaussian_scale_start, blni_gaussian_scale_expect,
    blni_gaussian_scale_moments, blni_gaussian_scale_cdf, blni_gaussian_scale_draw, blni_gaussian_scale_normal_logp,
    blni_gaussian_scale_normal_moments, blni_gaussian_scale_normal_cdf
};

BLNI_TABLE const bln_likelihood_ops blni_gaussian_scale_ops = {
    "gaussian_scale", 0, 0, 0, NULL, NULL, blni_gaussian_scale_param, blni_gaussian_scale_param_name, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, &blni_gaussian_scale_latents, NULL
};

BLN_API bln_likelihood bln_likelihood_gaussian_scale(void)
{
    bln_likelihood l = blni_likelihood_of(&blni_gaussian_scale_ops, 1);
    l.n_latent = 2;
    return l;
}
