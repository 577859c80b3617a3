/* binomial: three links. Each supplies log P and log(1 - P) with three derivatives; log p of a row is y log P + (n - y) log(1 - P)
 * plus a constant. The logit has code of its own, over arrays. */
#include "binomial_private.h"
#include "../math/special.h"
#include "../math/vecmath_private.h"
#include "../random/discrete.h"
#include "likelihood_private.h"
#include "expect_private.h"

BLNI_PRIV const char *blni_binomial_domain(const bln_likelihood *l, double y, double trials)
{
    if (!(trials >= 0.0) || !blni_whole(trials)) return "trials must be a whole number >= 0";
    if (!blni_whole(y) || y < 0.0) return "y must be a whole number >= 0";
    return y <= trials ? NULL : "y is larger than the number of trials (1 where there is no such column)";
}

BLNI_PRIV void blni_binomial_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    *low = 0.0;
    *high = trials;
}

BLNI_PRIV void blni_binomial_constants(BLNI_TARGETS, double *constants)
{
    for (size_t i = 0; i < n; i++) {
        const double trials = blni_trials(t, i);
        constants[i] = trials > 1.0 ? bln_log_choose(trials, t->y[i]) : 0.0;
    }
}

/* ---- logit */

BLNI_PRIV void blni_logit_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    blni_vec_logit(n, t->y, t->trials, t->constants, f, logp, d1, d2, d3);
}

/* ---- the other links: log P with three derivatives at z; that of 1 - P is the mirror image (probit) or another function */

typedef struct blni_log_part { double log, d1, d2, d3; } blni_log_part;

/* log Phi(z), R = N(z)/Phi(z), -R (z + R), R ((z + R)(z + 2R) - 1). Left of -5 by a continued fraction whose parts are K = z + R, J
 * and I, so that nothing cancels [likelihoods 5, 15]. */
BLNI_PRIV blni_log_part blni_log_phi(double z)
{
    if (z > -5.0) {
        const double rest = z > 0.0 ? bln_norm_sf(z) : 0.0;
        const double R = z > 0.0 ? bln_norm_pdf(z)/(1.0 - rest) : bln_norm_mills(z), k = z + R;
        const blni_log_part r = { z > 0.0 ? log1p(-rest) : bln_norm_logpdf(z) - log(R), R, -R*k, R*(k*(k + R) - 1.0) };
        return r;
    }
    const double x = -z;
    double tail = x;
    for (int level = 60; level >= 4; level--) tail = x + level/tail;
    const double H = 1.0/tail, J = 1.0/(x + 3.0*H), K = 1.0/(x + 2.0*J), R = x + K;
    const blni_log_part r = { bln_norm_logpdf(z) - log(R), R, -R*K, 2.0*R*K*K*J*(3.0*H - 2.0*J) };
    return r;
}

/* log(1 - exp(-h)), h = e^f: derivatives in f are s = h/(e^h - 1), s w, s (w (w - s) - h) with w = 1 - h - s = -h/2 - h^2/12 + ...
 * [Bernoulli numbers, DLMF 24.2.1]. */
BLNI_PRIV blni_log_part blni_log_cloglog(double f)
{
    static const double c[6] = { -1.0/12.0, 1.0/720.0, -1.0/30240.0, 1.0/1209600.0, -1.0/47900160.0, 691.0/1307674368000.0 };
    blni_log_part r = { 0.0, 0.0, 0.0, 0.0 };
    if (f > 6.5) return r;                                    /* e^-665, and e^h is a double below */
    const double h = exp(f), s = h > 0.0 ? h/expm1(h) : 1.0;
    double w = 1.0 - h - s;
    if (h < 0.5) {
        const double x = h*h;
        w = -0.5*h + x*(c[0] + x*(c[1] + x*(c[2] + x*(c[3] + x*(c[4] + x*c[5])))));
    }
    r.log = f < -30.0 ? f - 0.5*h : bln_log1mexp(h);
    r.d1 = s;
    r.d2 = s*w;
    r.d3 = s*(w*(w - s) - h);
    return r;
}

/* log exp(-h), h = e^f, at most 1e300, whose products with counts do not overflow. */
BLNI_PRIV blni_log_part blni_minus_exp(double f)
{
    const double h = f >= 690.0 ? 1e300 : exp(f);
    const blni_log_part r = { -h, -h, -h, -h };
    return r;
}

BLNI_PRIV void blni_link_row(double k, const blni_log_part *part, double sign, size_t i, double *logp, double *d1, double *d2,
                             double *d3)
{
    if (logp) logp[i] += k*part->log;
    if (d1) d1[i] += sign*k*part->d1;
    if (d2) d2[i] += k*part->d2;
    if (d3) d3[i] += sign*k*part->d3;
}

BLNI_PRIV void blni_link_eval(int probit, size_t n, const bln_targets *t, const double *f, double *logp, double *d1, double *d2,
                              double *d3)
{
    double *const out[4] = { logp, d1, d2, d3 };
    for (size_t j = 0; j < 4; j++)
        for (size_t i = 0; i < n && out[j]; i++) out[j][i] = j ? 0.0 : t->constants[i];
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], failures = blni_trials(t, i) - y;
        if (y > 0.0) {
            const blni_log_part part = probit ? blni_log_phi(f[i]) : blni_log_cloglog(f[i]);
            blni_link_row(y, &part, 1.0, i, logp, d1, d2, d3);
        }
        if (failures > 0.0) {
            const blni_log_part part = probit ? blni_log_phi(-f[i]) : blni_minus_exp(f[i]);
            blni_link_row(failures, &part, probit ? -1.0 : 1.0, i, logp, d1, d2, d3);
        }
    }
}

BLNI_PRIV void blni_probit_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    blni_link_eval(1, n, t, f, logp, d1, d2, d3);
}

BLNI_PRIV void blni_cloglog_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    blni_link_eval(0, n, t, f, logp, d1, d2, d3);
}

/* The link of a table, whatever it is called: each has an eval of its own. */
BLNI_PRIV bln_link blni_binomial_link(const bln_likelihood *l)
{
    return l->ops->eval == blni_logit_eval ? BLN_LINK_LOGIT : l->ops->eval == blni_probit_eval ? BLN_LINK_PROBIT : BLN_LINK_CLOGLOG;
}

/* ---- the distribution of y: all by P and 1 - P */

BLNI_PRIV void blni_binomial_both(const bln_likelihood *l, size_t n, const double *f, double *p, double *q)
{
    const int probit = blni_binomial_link(l) == BLN_LINK_PROBIT;
    if (blni_binomial_link(l) == BLN_LINK_LOGIT) { blni_logit_both(n, f, p, q); return; }
    for (size_t i = 0; i < n; i++) {
        const double h = probit ? 0.0 : exp(f[i]);
        p[i] = probit ? bln_norm_cdf(f[i]) : -expm1(-h);
        q[i] = probit ? bln_norm_sf(f[i]) : exp(-h);
    }
}

BLNI_PRIV void blni_binomial_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    blni_binomial_both(l, n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double trials = blni_trials(t, i);
        if (mean) mean[i] = trials*p[i];
        if (var) var[i] = trials*p[i]*q[i];
    }
}

/* [likelihoods 19], by the smaller of P and 1 - P. */
BLNI_PRIV void blni_binomial_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    blni_binomial_both(l, n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double trials = blni_trials(t, i), y = floor(t->y[i]);
        double low = y < 0.0 ? 0.0 : 1.0, high = 1.0 - low;
        if (trials == 1.0 && y == 0.0) { low = q[i]; high = p[i]; }
        else if (y >= 0.0 && y < trials) {
            low  = p[i] <= 0.5 ? bln_beta_q(y + 1.0, trials - y, p[i]) : bln_beta_p(trials - y, y + 1.0, q[i]);
            high = p[i] <= 0.5 ? bln_beta_p(y + 1.0, trials - y, p[i]) : bln_beta_q(trials - y, y + 1.0, q[i]);
        }
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
}

BLNI_PRIV void blni_binomial_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double p[BLN_LIKELIHOOD_BLOCK], q[BLN_LIKELIHOOD_BLOCK];
    blni_binomial_both(l, n, f, p, q);
    for (size_t i = 0; i < n; i++) {
        const double trials = blni_trials(t, i);
        y[i] = p[i] <= 0.5 ? bln_rng_binomial(rng, trials, p[i]) : trials - bln_rng_binomial(rng, trials, q[i]);
    }
}

/* The link of (y + 1/2)/(n + 1), which is never 0 or 1. */
BLNI_PRIV void blni_binomial_start(BLNI_TARGETS, double *f)
{
    const bln_link link = blni_binomial_link(l);
    for (size_t i = 0; i < n; i++) {
        const double trials = blni_trials(t, i), successes = t->y[i] + 0.5, failures = trials - t->y[i] + 0.5;
        if (link == BLN_LINK_LOGIT)        f[i] = log(successes/failures);
        else if (link == BLN_LINK_CLOGLOG) f[i] = log(-log1p(-successes/(trials + 1.0)));
        else if (successes < failures)     f[i] = bln_norm_quantile(successes/(trials + 1.0));
        else                               f[i] = -bln_norm_quantile(failures/(trials + 1.0));
    }
}

/* dP(Y <= y)/dP = -(n - y)/(1 - P) p(y): times dP/df/(1 - P), which is P for the logit, N/Phi(-f) for the probit, e^f. */
BLNI_PRIV void blni_binomial_slope(BLNI_TARGETS, const double *f, double *slope)
{
    const bln_link link = blni_binomial_link(l);
    blni_logp(l, theta, n, t, f, slope);
    for (size_t i = 0; i < n; i++) {
        const double left = blni_trials(t, i) - t->y[i];
        if (!(left > 0.0)) { slope[i] = -BLNI_INFINITY; continue; }
        slope[i] += log(left);
        if (link == BLN_LINK_LOGIT)       slope[i] -= bln_log1pexp(-f[i]);
        else if (link == BLN_LINK_PROBIT) slope[i] += log(bln_norm_mills(-f[i]));
        else                              slope[i] += f[i];
    }
}

/* ---- features and closed forms */

/* Phi has its zeros nearest to the real axis at 1.92 +- 2.82 i. log(1 - exp(-e^f)) is singular where e^f = 2 pi i k; nearer than
 * that exp(e^f) grows. */
BLNI_PRIV void blni_binomial_singularity(BLNI_TARGETS, double *centre, double *width)
{
    const bln_link link = blni_binomial_link(l);
    const double own = link == BLN_LINK_LOGIT ? BLNI_PI : link == BLN_LINK_PROBIT ? 2.8 : 0.5*BLNI_PI;
    for (size_t i = 0; i < n; i++) { centre[i] = 0.0; width[i] = own; }
}

/* E Phi(f) = Phi(m/sqrt(1 + v)): one trial [variational 47]. */
BLNI_PRIV void blni_probit_normal_logp(BLNI_TARGETS, const double *m, const double *v, double *logp)
{
    for (size_t i = 0; i < n; i++) {
        const double z = m[i]/sqrt(1.0 + v[i]);
        logp[i] = blni_trials(t, i) == 1.0 ? bln_norm_logcdf(t->y[i] > 0.5 ? z : -z) : BLNI_NAN;
    }
}

BLNI_PRIV void blni_probit_normal_cdf(BLNI_TARGETS, const double *m, const double *v, double *lower, double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const double z = m[i]/sqrt(1.0 + v[i]), y = floor(t->y[i]);
        lower[i] = blni_trials(t, i) != 1.0 ? BLNI_NAN : y < 1.0 ? bln_norm_sf(z) : 1.0;
        upper[i] = y < 1.0 ? bln_norm_cdf(z) : 0.0;
    }
}

/* log p = a constant, y log(1 - exp(-e^f)), which is integrated as that of y trials without a failure, and -(n - y) e^f, whose
 * expectation is -(n - y) e^{m + v/2}. */
BLNI_PRIV void blni_cloglog_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], failures = blni_trials(t, i) - y, rate = failures > 0.0 ? failures*exp(m[i] + 0.5*v[i]) : 0.0;
        if (y > 0.0 && failures > 0.0) {
            bln_targets all = BLN_ZERO;
            all.y = all.trials = &y;
            blni_likelihood_expect(l, theta, 1, &all, m + i, v + i, tolerance, value + i, blni_shift(dm, i), blni_shift(dv, i),
                                   NULL, lddtheta);
        } else {
            value[i] = y > 0.0 ? BLNI_NAN : 0.0;
            if (dm) dm[i] = 0.0;
            if (dv) dv[i] = 0.0;
        }
        value[i] += t->constants[i] - rate;
        if (dm) dm[i] -= rate;
        if (dv) dv[i] -= 0.5*rate;
    }
}

BLNI_TABLE const bln_likelihood_ops blni_binomial_ops[3] = {
    { "binomial_logit", 1, 1, 0, blni_binomial_domain, blni_binomial_support, NULL, NULL, blni_binomial_constants, NULL,
      blni_logit_eval, NULL, blni_binomial_moments, blni_binomial_cdf, NULL, NULL, blni_binomial_draw, blni_binomial_start,
      blni_binomial_singularity, blni_binomial_slope, NULL, NULL, NULL, NULL, 0, NULL, NULL },
    { "binomial_probit", 1, 1, 0, blni_binomial_domain, blni_binomial_support, NULL, NULL, blni_binomial_constants, NULL,
      blni_probit_eval, NULL, blni_binomial_moments, blni_binomial_cdf, NULL, NULL, blni_binomial_draw, blni_binomial_start,
      blni_binomial_singularity, blni_binomial_slope, NULL, blni_probit_normal_logp, NULL, blni_probit_normal_cdf, 0, NULL, NULL },
    { "binomial_cloglog", 1, 1, 0, blni_binomial_domain, blni_binomial_support, NULL, NULL, blni_binomial_constants, NULL,
      blni_cloglog_eval, NULL, blni_binomial_moments, blni_binomial_cdf, NULL, NULL, blni_binomial_draw, blni_binomial_start,
      blni_binomial_singularity, blni_binomial_slope, blni_cloglog_expect, NULL, NULL, NULL, 0, NULL, NULL }
};

BLN_API bln_likelihood bln_likelihood_binomial(bln_link link)
{
    switch (link) {
    case BLN_LINK_DEFAULT:
    case BLN_LINK_LOGIT:   return blni_likelihood_of(blni_binomial_ops, 0);
    case BLN_LINK_PROBIT:  return blni_likelihood_of(blni_binomial_ops + 1, 0);
    case BLN_LINK_CLOGLOG: return blni_likelihood_of(blni_binomial_ops + 2, 0);
    case BLN_LINK_LOG:
    case BLN_LINK_SOFTPLUS: break;
    }
    return blni_likelihood_of(NULL, 0);
}
