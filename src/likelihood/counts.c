/* counts: Poisson with three links, negative binomial, zero-inflated Poisson; the exposure multiplies the mean */
#include "counts_private.h"
#include "../math/special_private.h"
#include "../math/vecmath_private.h"
#include "../random/distributions.h"
#include "../random/discrete.h"
#include "../optim/transform_private.h"
#include "likelihood_private.h"

BLNI_PRIV const char *blni_count_domain(const bln_likelihood *l, double y, double trials)
{
    if (!(trials > 0.0)) return "exposure (trials) must be > 0";
    return blni_whole(y) && y >= 0.0 ? NULL : "y must be a whole number >= 0";
}

/* -log y!; and y log t on top where the exposure is a factor of the mean. */
BLNI_PRIV void blni_count_constants(size_t n, const bln_targets *t, double *constants)
{
    for (size_t i = 0; i < n; i++) constants[i] = t->y[i] + 1.0;
    bln_vec_lgamma(n, constants, constants);
    for (size_t i = 0; i < n; i++) constants[i] = -constants[i];
}

BLNI_PRIV void blni_exposed_constants(BLNI_TARGETS, double *constants)
{
    blni_count_constants(n, t, constants);
    for (size_t i = 0; i < n && t->trials; i++) constants[i] += t->y[i]*log(t->trials[i]);
}

/* Beyond e^709.6 infinite, without an overflow that a program may have asked to be stopped at. */
BLNI_PRIV void blni_rate_log(size_t n, const bln_targets *t, const double *f, double *mu)
{
    for (size_t i = 0; i < n; i++) mu[i] = f[i] > 709.7 ? 709.7 : f[i];
    bln_vec_exp(n, mu, mu);
    for (size_t i = 0; i < n; i++) if (mu[i] > 1.6e308) mu[i] = BLNI_INFINITY;
    for (size_t i = 0; i < n && t->trials; i++) mu[i] *= t->trials[i];
}

/* P(Y <= y) and P(Y > y) of a Poisson [likelihoods 22]. */
BLNI_PRIV void blni_poisson_tails(double y, double mu, double *lower, double *upper)
{
    y = floor(y);
    *lower = y < 0.0 ? 0.0 : y < BLNI_INFINITY ? bln_gamma_q(y + 1.0, mu) : 1.0;
    *upper = y < 0.0 ? 1.0 : y < BLNI_INFINITY ? bln_gamma_p(y + 1.0, mu) : 0.0;
}

/* log of a rate that y could come from, per unit of exposure. */
BLNI_PRIV void blni_start_log(BLNI_TARGETS, double *f)
{
    for (size_t i = 0; i < n; i++) f[i] = log((t->y[i] + 0.5)/blni_trials(t, i));
}

/* ---- Poisson, log link [likelihoods 20, 23] */

BLNI_PRIV void blni_poisson_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        if (logp) logp[i] = t->y[i]*f[i] + t->constants[i] - mu[i];
        if (d1) d1[i] = t->y[i] - mu[i];
        if (d2) d2[i] = -mu[i];
        if (d3) d3[i] = -mu[i];
    }
}

BLNI_PRIV void blni_poisson_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    if (mean) memcpy(mean, mu, n*sizeof *mu);
    if (var) memcpy(var, mu, n*sizeof *mu);
}

BLNI_PRIV void blni_poisson_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    double mu[BLN_LIKELIHOOD_BLOCK], low, high;
    blni_moments(l, theta, n, t, f, mu, NULL);
    for (size_t i = 0; i < n; i++) {
        blni_poisson_tails(t->y[i], mu[i], &low, &high);
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
}

BLNI_PRIV void blni_poisson_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_moments(l, theta, n, t, f, mu, NULL);
    for (size_t i = 0; i < n; i++) y[i] = bln_rng_poisson(rng, mu[i]);
}

/* Entire in f, but e^f grows beyond a quarter turn off the axis. */
BLNI_PRIV void blni_poisson_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) { centre[i] = -log(blni_trials(t, i)); width[i] = 0.5*BLNI_PI; }
}

/* dP(Y <= y)/dmu = -p(y): times mu' = mu. */
BLNI_PRIV void blni_poisson_slope(BLNI_TARGETS, const double *f, double *slope)
{
    blni_logp(l, theta, n, t, f, slope);
    for (size_t i = 0; i < n; i++) slope[i] += f[i] + (t->trials ? log(t->trials[i]) : 0.0);
}

/* E mu and its log-normal relatives: mean A = E mu, and Var mu = A^2 (e^v - 1). */
BLNI_PRIV void blni_lognormal(size_t n, const bln_targets *t, const double *m, const double *v, double *mean)
{
    for (size_t i = 0; i < n; i++) mean[i] = m[i] + 0.5*v[i];
    blni_rate_log(n, t, mean, mean);
}

BLNI_PRIV void blni_poisson_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    double mean[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    blni_lognormal(n, t, m, v, mean);
    for (size_t i = 0; i < n; i++) {
        value[i] = t->y[i]*m[i] + t->constants[i] - mean[i];
        if (dm) dm[i] = t->y[i] - mean[i];
        if (dv) dv[i] = -0.5*mean[i];
    }
}

BLNI_PRIV double blni_lognormal_var(double mean, double v)
{
    const double sd = mean*sqrt(expm1(v));
    return mean > 0.0 && v > 0.0 ? sd*sd : 0.0;
}

BLNI_PRIV void blni_poisson_normal_moments(BLNI_TARGETS, const double *m, const double *v, double *mean, double *model,
                                           double *noise)
{
    blni_lognormal(n, t, m, v, mean);
    for (size_t i = 0; i < n; i++) { model[i] = blni_lognormal_var(mean[i], v[i]); noise[i] = mean[i]; }
}

BLNI_TABLE const bln_likelihood_ops blni_poisson_ops = {
    "poisson_log", 1, 1, 0, blni_count_domain, NULL, NULL, NULL, blni_exposed_constants, NULL,
    blni_poisson_eval, NULL, blni_poisson_moments, blni_poisson_cdf, NULL, NULL, blni_poisson_draw, blni_start_log,
    blni_poisson_singularity, blni_poisson_slope, blni_poisson_expect, NULL, blni_poisson_normal_moments, NULL, 0, NULL, NULL
};

/* ---- Poisson, softplus link [likelihoods 21]: g = log(1 + e^f), p = sigma(f) = g', rho = p/g, log g about f where g is small */

/* 1 - p - rho and the bracket of l''' are small for small g: by series below 1e-3, whose next terms are g^5. q = 1 - p. */
BLNI_PRIV void blni_softplus_terms(double g, double p, double q, double *rho, double *second, double *third)
{
    *rho = g > 0.0 ? p/g : 1.0;
    if (g < 1e-3) {
        *second = g*(-0.5 + g*(1.0/3.0 + g*(-1.0/8.0 + g*(1.0/30.0))));
        *third  = g*(-0.5 + g*(7.0/6.0 + g*(-9.0/8.0 + g*(7.0/10.0))));
    } else {
        *second = q - *rho;
        *third = q*(q - p) - 3.0*q**rho + 2.0**rho**rho;
    }
}

BLNI_PRIV void blni_softplus_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double g[BLN_LIKELIHOOD_BLOCK], p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    bln_vec_log1pexp(n, f, g);
    if (logp) {
        bln_vec_log(n, g, p);
        for (size_t i = 0; i < n; i++) {
            const double log_g = f[i] < -20.0 ? f[i] - 0.5*g[i] : p[i];
            logp[i] = t->y[i]*log_g + t->constants[i] - blni_trials(t, i)*g[i];
        }
    }
    if (!d1 && !d2 && !d3) return;
    blni_logit_both(n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], exposure = blni_trials(t, i);
        double rho, second, third;
        blni_softplus_terms(g[i], p[i], q[i], &rho, &second, &third);
        if (d1) d1[i] = y*rho - exposure*p[i];
        if (d2) d2[i] = y*rho*second - exposure*p[i]*q[i];
        if (d3) d3[i] = y*rho*third - exposure*p[i]*q[i]*(q[i] - p[i]);
    }
}

BLNI_PRIV void blni_softplus_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    bln_vec_log1pexp(n, f, mu);
    for (size_t i = 0; i < n && t->trials; i++) mu[i] *= t->trials[i];
    if (mean) memcpy(mean, mu, n*sizeof *mu);
    if (var) memcpy(var, mu, n*sizeof *mu);
}

/* g = x at f = x + log(1 - e^-x). */
BLNI_PRIV void blni_softplus_start(BLNI_TARGETS, double *f)
{
    for (size_t i = 0; i < n; i++) {
        const double x = (t->y[i] + 0.5)/blni_trials(t, i);
        f[i] = x + bln_log1mexp(x);
    }
}

BLNI_PRIV void blni_softplus_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) { centre[i] = 0.0; width[i] = BLNI_PI; }
}

BLNI_PRIV void blni_softplus_slope(BLNI_TARGETS, const double *f, double *slope)
{
    blni_logp(l, theta, n, t, f, slope);
    for (size_t i = 0; i < n; i++) slope[i] += (t->trials ? log(t->trials[i]) : 0.0) - bln_log1pexp(-f[i]);
}

BLNI_TABLE const bln_likelihood_ops blni_softplus_ops = {
    "poisson_softplus", 1, 1, 0, blni_count_domain, NULL, NULL, NULL, blni_exposed_constants, NULL,
    blni_softplus_eval, NULL, blni_softplus_moments, blni_poisson_cdf, NULL, NULL, blni_poisson_draw, blni_softplus_start,
    blni_softplus_singularity, blni_softplus_slope, NULL, NULL, NULL, NULL, 0, NULL, NULL
};

/* ---- Poisson, logistic link: mu = lambda t p, p = sigma(f), q = 1 - p, mu' = mu q */

/* Above what has been seen: mean + 3 sd. f and lambda share the size of counts that are all far below it. */
BLNI_PRIV void blni_saturating_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    const double start = blni_clip(mean + 3.0*sd, 1.0, 1e12);
    blni_param_log(1e-3*start, start, 1e4*start, out);
    out->per_trial = 1;
}

BLNI_PRIV const char *blni_saturating_param_name(const bln_likelihood *l, size_t k) { return "largest rate"; }

BLNI_PRIV void blni_saturating_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK], rest[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    const double log_lambda = log(theta[0]);
    blni_logit_both(n, f, p, q);
    if (logp) blni_logit_rest(n, f, rest);
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], mu = theta[0]*blni_trials(t, i)*p[i], bend = mu*q[i] + (y - mu)*p[i];
        if (logp) logp[i] = t->constants[i] + y*(log_lambda + (f[i] < 0.0 ? f[i] : 0.0) - rest[i]) - mu;
        if (d1) d1[i] = (y - mu)*q[i];
        if (d2) d2[i] = -q[i]*bend;
        if (d3) d3[i] = q[i]*(p[i]*bend - mu*q[i]*q[i] + 2.0*mu*p[i]*q[i] - (y - mu)*p[i]*q[i]);
    }
}

BLNI_PRIV void blni_saturating_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    blni_logit_both(n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double share = blni_trials(t, i)*p[i];
        if (dlogp) dlogp[i] = t->y[i]/theta[0] - share;
        if (dd1) dd1[i] = -share*q[i];
        if (dd2) dd2[i] = share*q[i]*(p[i] - q[i]);
    }
}

BLNI_PRIV void blni_saturating_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    blni_logit_both(n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double mu = theta[0]*blni_trials(t, i)*p[i];
        if (mean) mean[i] = mu;
        if (var) var[i] = mu;
    }
}

BLNI_PRIV void blni_saturating_start(BLNI_TARGETS, double *f)
{
    for (size_t i = 0; i < n; i++) f[i] = bln_logit(blni_clip((t->y[i] + 0.5)/(theta[0]*blni_trials(t, i)), 1e-6, 0.9));
}

/* dP(Y <= y)/dmu = -p(y): times mu' = mu q. */
BLNI_PRIV void blni_saturating_slope(BLNI_TARGETS, const double *f, double *slope)
{
    blni_logp(l, theta, n, t, f, slope);
    for (size_t i = 0; i < n; i++) slope[i] += log(theta[0]*blni_trials(t, i)) - bln_log1pexp(-f[i]) - bln_log1pexp(f[i]);
}

BLNI_TABLE const bln_likelihood_ops blni_saturating_ops = {
    "poisson_logistic", 1, 1, 0, blni_count_domain, NULL, blni_saturating_param, blni_saturating_param_name, blni_exposed_constants,
    NULL, blni_saturating_eval, blni_saturating_eval_param, blni_saturating_moments, blni_poisson_cdf, NULL, NULL,
    blni_poisson_draw, blni_saturating_start, blni_softplus_singularity, blni_saturating_slope, NULL, NULL, NULL, NULL, 0, NULL,
    NULL
};

BLN_API bln_likelihood bln_likelihood_poisson(bln_link link)
{
    if (link == BLN_LINK_LOGIT) return blni_likelihood_of(&blni_saturating_ops, 1);
    const int log_link = link == BLN_LINK_DEFAULT || link == BLN_LINK_LOG;
    return blni_likelihood_of(log_link ? &blni_poisson_ops : link == BLN_LINK_SOFTPLUS ? &blni_softplus_ops : NULL, 0);
}

/* ---- negative binomial [likelihoods 33-36], u = log(mu/kappa), p = sigma(u) */

BLNI_PRIV void blni_nb_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    /* mu^2/kappa is what the variance has over the mean. */
    const double over = sd*sd - mean, start = over > 0.0 && mean > 0.0 ? mean*mean/over : 1.0;
    blni_param_log(1e-4, blni_clip(start, 0.01, 1e4), 1e8, out);
    out->centre = 10.0;                /* the start takes all of the spread for overdispersion, the inputs' part too */
}

BLNI_PRIV const char *blni_nb_param_name(const bln_likelihood *l, size_t k) { return "size"; }

/* psi(y + kappa) - psi(kappa): a sum for few y; else by the asymptotic series of both, term by term, so that it is relative when
 * kappa is much larger than y; or, for small kappa, as it stands [likelihoods 8, 35]. */
BLNI_PRIV double blni_nb_psi(double kappa, double y)
{
    double sum = 0.0;
    if (y <= 16.0) {
        for (double i = y - 1.0; i >= 0.0; i -= 1.0) sum += 1.0/(kappa + i);
        return sum;
    }
    if (kappa < 20.0) return bln_digamma(y + kappa) - bln_digamma(kappa);
    static const double c[5] = { -1.0/12.0, 1.0/120.0, -1.0/252.0, 1.0/240.0, -1.0/132.0 };
    const double a = 1.0/kappa, b = 1.0/(kappa + y), a2 = a*a, b2 = b*b;
    double pa = a2, pb = b2;
    for (int k = 0; k < 5; k++, pa *= a2, pb *= b2) sum += c[k]*(pb - pa);
    return log1p(y/kappa) + 0.5*y*a*b + sum;
}

/* log G(y + kappa)/(G(kappa) y!), and its derivative in kappa. */
BLNI_PRIV void blni_nb_constants(BLNI_TARGETS, double *constants)
{
    blni_count_constants(n, t, constants);
    for (size_t i = 0; i < n; i++) {
        constants[i] += blni_log_rising_double(theta[0], t->y[i]);
        constants[n + i] = blni_nb_psi(theta[0], t->y[i]);
    }
}

BLNI_PRIV void blni_nb_log_odds(const double *theta, size_t n, const bln_targets *t, const double *f, double *u)
{
    const double log_kappa = log(theta[0]);
    if (t->trials) bln_vec_log(n, t->trials, u);
    else for (size_t i = 0; i < n; i++) u[i] = 0.0;
    for (size_t i = 0; i < n; i++) u[i] += f[i] - log_kappa;
}

BLNI_PRIV void blni_nb_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    double u[BLN_LIKELIHOOD_BLOCK], p[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, q[BLN_LIKELIHOOD_BLOCK];
    const double kappa = theta[0];
    blni_nb_log_odds(theta, n, t, f, u);
    if (logp) {
        blni_logit_rest(n, u, p);
        for (size_t i = 0; i < n; i++) logp[i] = t->constants[i] - blni_logit_cost(t->y[i], kappa, u[i], p[i]);
    }
    if (!d1 && !d2 && !d3) return;
    blni_logit_both(n, u, p, q);
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], curve = (y + kappa)*p[i]*q[i];
        if (d1) d1[i] = y*q[i] - kappa*p[i];
        if (d2) d2[i] = -curve;
        if (d3) d3[i] = curve*(p[i] - q[i]);
    }
}

/* [likelihoods 35], which are derivatives in log kappa, divided by kappa. */
BLNI_PRIV void blni_nb_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    double u[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK], cost[BLN_LIKELIHOOD_BLOCK];
    const double kappa = theta[0];
    blni_nb_log_odds(theta, n, t, f, u);
    blni_logit_both(n, u, p, q);
    if (dlogp) bln_vec_log1pexp(n, u, cost);
    for (size_t i = 0; i < n; i++) {
        const double ratio = t->y[i]/kappa;
        if (dlogp) dlogp[i] = t->constants[t->ldc + i] - cost[i] - (ratio*q[i] - p[i]);
        if (dd1) dd1[i] = p[i]*(ratio*q[i] - p[i]);
        if (dd2) dd2[i] = p[i]*q[i]*(ratio*(q[i] - p[i]) - 2.0*p[i]);
    }
}

BLNI_PRIV void blni_nb_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = mu[i];
        if (var) var[i] = mu[i] + mu[i]*(mu[i]/theta[0]);
    }
}

BLNI_PRIV void blni_nb_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    double u[BLN_LIKELIHOOD_BLOCK], p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    const double kappa = theta[0];
    blni_nb_log_odds(theta, n, t, f, u);
    blni_logit_both(n, u, p, q);
    for (size_t i = 0; i < n; i++) {
        const double y = floor(t->y[i]);
        double low = y < 0.0 ? 0.0 : 1.0, high = 1.0 - low;
        if (y >= 0.0 && y < 1e290) {
            low  = p[i] <= 0.5 ? bln_beta_q(y + 1.0, kappa, p[i]) : bln_beta_p(kappa, y + 1.0, q[i]);
            high = p[i] <= 0.5 ? bln_beta_p(y + 1.0, kappa, p[i]) : bln_beta_q(kappa, y + 1.0, q[i]);
        }
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
}

/* Poisson of a gamma variable with mean mu. One of a small size is often below every double, where mu/size may be above: the
 * product of the two is made of logarithms. */
BLNI_PRIV void blni_nb_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    const double size = theta[0];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        const double share = size < 1.0 ? bln_rng_log_gamma(rng, size) : 0.0, exposure = blni_trials(t, i);
        double rate = 0.0;
        if (size >= 1.0 && mu[i] > 0.0) rate = bln_rng_gamma(rng, size)*(mu[i]/size);
        if (size < 1.0 && share > -HUGE_VAL && exposure > 0.0) rate = exp(share + (f[i] + log(exposure) - log(size)));
        y[i] = bln_rng_poisson(rng, rate);
    }
}

BLNI_PRIV void blni_nb_singularity(BLNI_TARGETS, double *centre, double *width)
{
    for (size_t i = 0; i < n; i++) { centre[i] = log(theta[0]/blni_trials(t, i)); width[i] = BLNI_PI; }
}

/* dP(Y <= y)/dp = -p(y) (y + kappa)/(1 - p), dp/df = p (1 - p). */
BLNI_PRIV void blni_nb_slope(BLNI_TARGETS, const double *f, double *slope)
{
    double u[BLN_LIKELIHOOD_BLOCK];
    blni_nb_log_odds(theta, n, t, f, u);
    blni_logp(l, theta, n, t, f, slope);
    for (size_t i = 0; i < n; i++) slope[i] += log(t->y[i] + theta[0]) - bln_log1pexp(-u[i]);
}

BLNI_PRIV void blni_nb_normal_moments(BLNI_TARGETS, const double *m, const double *v, double *mean, double *model, double *noise)
{
    blni_lognormal(n, t, m, v, mean);
    for (size_t i = 0; i < n; i++) {
        model[i] = blni_lognormal_var(mean[i], v[i]);
        noise[i] = mean[i] + (model[i] + mean[i]*mean[i])/theta[0];
    }
}

BLNI_TABLE const bln_likelihood_ops blni_nb_ops = {
    "negative_binomial", 1, 2, 1, blni_count_domain, NULL, blni_nb_param, blni_nb_param_name, blni_nb_constants, NULL,
    blni_nb_eval, blni_nb_eval_param, blni_nb_moments, blni_nb_cdf, NULL, NULL, blni_nb_draw, blni_start_log,
    blni_nb_singularity, blni_nb_slope, NULL, NULL, blni_nb_normal_moments, NULL, 0, NULL, NULL
};

BLN_API bln_likelihood bln_likelihood_negative_binomial(void) { return blni_likelihood_of(&blni_nb_ops, 1); }

/* ---- zero-inflated Poisson */

BLNI_PRIV void blni_zip_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    /* The variance has pi/(1 - pi) times the squared mean over the mean. */
    const double over = mean > 0.0 ? (sd*sd - mean)/(mean*mean) : 0.0;
    out->kind = BLN_PARAM_INTERVAL;
    out->lo = 1e-9;
    out->hi = 1.0 - 1e-9;
    out->start = blni_clip(over > 0.0 ? 1.0 - 1.0/(1.0 + over) : 0.0, 0.05, 0.9);
}

BLNI_PRIV const char *blni_zip_param_name(const bln_likelihood *l, size_t k) { return "zero inflation"; }

/* For a zero: its probability p0 and log, and w, the part in it of the Poisson, with 1 - w; mu w is 0 when mu is out of range. */
typedef struct blni_zip_zero { double p0, log_p0, w, rest; } blni_zip_zero;

BLNI_PRIV blni_zip_zero blni_zip_at_zero(double pi, double mu)
{
    const double part = (1.0 - pi)*exp(-mu), p0 = pi + part;
    const double log_p0 = part > pi ? log1p(-pi) - mu + log1p(pi/part) : log(pi) + log1p(part/pi);
    const blni_zip_zero z = { p0, log_p0, part/p0, pi/p0 };
    return z;
}

BLNI_PRIV void blni_zip_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    const double pi = theta[0], log_rest = log1p(-pi);
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_poisson_eval(l, theta, n, t, f, logp, d1, d2, d3);
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        if (t->y[i] > 0.0) {
            if (logp) logp[i] += log_rest;
            continue;
        }
        const double x = mu[i] < 1000.0 ? mu[i] : 1000.0;               /* e^-1000 is 0: so is all that it multiplies */
        const blni_zip_zero z = blni_zip_at_zero(pi, x);
        const double a = x*z.w, b = x*(a*z.rest);
        if (logp) logp[i] = z.log_p0;
        if (d1) d1[i] = -a;
        if (d2) d2[i] = b - a;
        if (d3) d3[i] = 3.0*b - a - x*b*(z.rest - z.w);
    }
}

BLNI_PRIV void blni_zip_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    const double pi = theta[0];
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        const double x = mu[i] < 1000.0 ? mu[i] : 1000.0;
        const blni_zip_zero z = blni_zip_at_zero(pi, x);
        const double c = x*z.w*z.rest/(pi*(1.0 - pi));
        const int zero = !(t->y[i] > 0.0);
        if (dlogp) dlogp[i] = zero ? -expm1(-x)/z.p0 : -1.0/(1.0 - pi);
        if (dd1) dd1[i] = zero ? c : 0.0;
        if (dd2) dd2[i] = zero ? c*(1.0 - x*(z.rest - z.w)) : 0.0;
    }
}

BLNI_PRIV void blni_zip_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    const double pi = theta[0];
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = (1.0 - pi)*mu[i];
        if (var) var[i] = (1.0 - pi)*(mu[i] + pi*mu[i]*mu[i]);
    }
}

BLNI_PRIV void blni_zip_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    const double pi = theta[0];
    double mu[BLN_LIKELIHOOD_BLOCK], low, high;
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) {
        blni_poisson_tails(t->y[i], mu[i], &low, &high);
        if (lower) lower[i] = t->y[i] < 0.0 ? 0.0 : pi + (1.0 - pi)*low;
        if (upper) upper[i] = t->y[i] < 0.0 ? 1.0 : (1.0 - pi)*high;
    }
}

BLNI_PRIV void blni_zip_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double mu[BLN_LIKELIHOOD_BLOCK];
    blni_rate_log(n, t, f, mu);
    for (size_t i = 0; i < n; i++) y[i] = bln_rng_uniform(rng) < theta[0] ? 0.0 : bln_rng_poisson(rng, mu[i]);
}

/* log p(0) is singular where mu = log((1 - pi)/pi) + i pi (the number): f is the log of that. */
BLNI_PRIV void blni_zip_singularity(BLNI_TARGETS, double *centre, double *width)
{
    const double x = bln_logit(1.0 - theta[0]);
    for (size_t i = 0; i < n; i++) {
        centre[i] = 0.5*log(x*x + BLNI_PI*BLNI_PI) - log(blni_trials(t, i));
        width[i] = atan2(BLNI_PI, x);
    }
}

/* The Poisson's, times 1 - pi. For y = 0 its log p is not this likelihood's. */
BLNI_PRIV void blni_zip_slope(BLNI_TARGETS, const double *f, double *slope)
{
    blni_poisson_eval(l, theta, n, t, f, slope, NULL, NULL, NULL);
    for (size_t i = 0; i < n; i++) slope[i] += f[i] + log1p(-theta[0]) + (t->trials ? log(t->trials[i]) : 0.0);
}

BLNI_PRIV void blni_zip_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    blni_poisson_expect(l, theta, n, t, m, v, tolerance, value, dm, dv, dtheta, lddtheta);
    for (size_t i = 0; i < n; i++) {
        value[i] = t->y[i] > 0.0 ? value[i] + log1p(-theta[0]) : BLNI_NAN;
        if (dtheta) dtheta[i] = -1.0/(1.0 - theta[0]);
    }
}

BLNI_PRIV void blni_zip_normal_moments(BLNI_TARGETS, const double *m, const double *v, double *mean, double *model, double *noise)
{
    const double pi = theta[0], rest = 1.0 - pi;
    blni_lognormal(n, t, m, v, mean);
    for (size_t i = 0; i < n; i++) {
        const double var = blni_lognormal_var(mean[i], v[i]);
        noise[i] = rest*(mean[i] + pi*(var + mean[i]*mean[i]));
        model[i] = rest*rest*var;
        mean[i] *= rest;
    }
}

BLNI_TABLE const bln_likelihood_ops blni_zip_ops = {
    "zero_inflated_poisson", 1, 1, 0, blni_count_domain, NULL, blni_zip_param, blni_zip_param_name, blni_exposed_constants, NULL,
    blni_zip_eval, blni_zip_eval_param, blni_zip_moments, blni_zip_cdf, NULL, NULL, blni_zip_draw, blni_start_log,
    blni_zip_singularity, blni_zip_slope, blni_zip_expect, NULL, blni_zip_normal_moments, NULL, 0, NULL, NULL
};

BLN_API bln_likelihood bln_likelihood_zero_inflated_poisson(void) { return blni_likelihood_of(&blni_zip_ops, 1); }
