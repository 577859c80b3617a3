/* discrete: counts by transformed rejection
 *
 * Hoermann's samplers need the logarithm of a probability, k log mu - mu - log k! or the like. Its terms are of size k log k and
 * cancel: at k = 1e15 nothing would be left of the difference. Here they are joined first, after Loader (2000), "Fast and accurate
 * computation of binomial probabilities": with Stirling's formula for log k! and its remainder r(k),
 *     log Poisson(k; mu) = -log(2 pi k)/2 - r(k) - D(k, mu),     D(k, mu) = k log(k/mu) + mu - k >= 0,
 * and D to full relative accuracy. Good to 1e-15 absolute plus a few eps |D|, for every k. */
#include "discrete.h"
#include "../core/config_private.h"

#define BLNI_2_POW_53 9007199254740992.0

/* r(k) = log k! - log(2 pi k)/2 - k log k + k for a whole number k >= 1: a table, from 16 on Stirling's series [samplers 14], whose
 * first term left out is below 2e-16. */
BLNI_PRIV double blni_log_factorial_rest(double k)
{
    static const double small[16] = {
        0.0,                   0.081061466795327261,  0.041340695955409297,  0.027677925684998338,
        0.020790672103765093,  0.016644691189821193,  0.013876128823070748,  0.01189670994589177,
        0.010411265261972096,  0.0092554621827127329, 0.0083305634333628708, 0.0075736754879518406,
        0.0069428401072095299, 0.0064089941880042071, 0.0059513701127588475, 0.0055547335519628011 };
    if (k < 16.0) return small[(int)k];
    const double z = 1.0/(k*k);
    return (1.0/12.0 - (1.0/360.0 - (1.0/1260.0 - (1.0/1680.0 - 1.0/1188.0*z)*z)*z)*z)/k;
}

/* D(k, mu) = k log(k/mu) + mu - k, k >= 1, mu > 0. Near k = mu, where it is quadratic: with v = (k - mu)/(k + mu),
 * log(k/mu) = 2 atanh v, so that D = (k - mu) v + 2 k (v^3/3 + v^5/5 + ...). */
BLNI_PRIV double blni_deviance_half(double k, double mu)
{
    const double v = (k - mu)/(k + mu), square = v*v;
    if (fabs(v) >= 0.1) return k*log(k/mu) + mu - k;
    double power = 2.0*k*v, sum = (k - mu)*v;
    for (double odd = 3.0;; odd += 2.0) {
        const double before = sum;
        power *= square;
        sum += power/odd;
        if (sum == before) return sum;
    }
}

/* log P(k) of Poisson(mu) and of Binomial(n, p) with q = 1 - p, 0 < p <= 1/2, for whole k in the domain. */
BLNI_PRIV double blni_poisson_logpmf(double k, double mu)
{
    return k == 0.0 ? -mu : -0.5*(BLNI_LOG_2PI + log(k)) - blni_log_factorial_rest(k) - blni_deviance_half(k, mu);
}

BLNI_PRIV double blni_binomial_logpmf(double k, double n, double p, double q)
{
    const double left = n - k;
    if (k == 0.0) return n*log1p(-p);
    if (left == 0.0) return n*log(p);
    return -0.5*(BLNI_LOG_2PI + log(k) + log(left/n)) + blni_log_factorial_rest(n) - blni_log_factorial_rest(k)
           - blni_log_factorial_rest(left) - blni_deviance_half(k, n*p) - blni_deviance_half(left, n*q);
}

/* ---- counts
 *
 * PTRS and BTRS: W. Hoermann (1993), "The transformed rejection method for generating Poisson random variables", Insurance:
 * Mathematics and Economics 12, and "The generation of binomial random variates", J. Stat. Comput. Simul. 46. The inverse of the
 * distribution function is followed by (2 a/us + b) u + c with us = 1/2 - |u|, whose derivative is a/us^2 + b; so k is accepted
 * with probability P(k) (a/us^2 + b)/scale, which must not exceed 1. Where us >= 0.07 it is at least v_r: no logarithm is needed
 * below that. Both bounds are tested cell by cell. The constants for Poisson as published miss them, by up to 0.6 % each
 * (mu = 14.05 and 26.0); the factors 1.006 and 0.987 make up for it. */

typedef struct blni_hat { double a, b, c, scale, v_r; } blni_hat;

BLNI_PRIV blni_hat blni_poisson_hat(double mu)
{
    blni_hat h;
    h.b = 0.931 + 2.53*sqrt(mu);
    h.a = -0.059 + 0.02483*h.b;
    h.c = mu + 0.43;
    h.scale = 1.006*(1.1239 + 1.1328/(h.b - 3.4));
    h.v_r = 0.987*(0.9277 - 3.6224/(h.b - 2.0));
    return h;
}

/* In units of the largest probability. */
BLNI_PRIV blni_hat blni_binomial_hat(double n, double p)
{
    blni_hat h;
    const double s = sqrt(n*p*(1.0 - p));
    h.b = 1.15 + 2.53*s;
    h.a = -0.0873 + 0.0248*h.b + 0.01*p;
    h.c = n*p + 0.5;
    h.scale = (2.83 + 5.1/h.b)*s;
    h.v_r = 0.92 - 4.2/h.b;
    return h;
}

BLNI_PRIV double blni_poisson_small(bln_rng *rng, double mu)        /* mu < 10 */
{
    const double bound = exp(-mu);
    double product = bln_rng_uniform(rng), k = 0.0;
    while (product >= bound) { product *= bln_rng_uniform(rng); k += 1.0; }
    return k;
}

BLNI_PRIV double blni_poisson_large(bln_rng *rng, double mu)        /* 10 <= mu <= 1e15 */
{
    const blni_hat h = blni_poisson_hat(mu);
    for (;;) {
        const double u = bln_rng_uniform(rng) - 0.5, v = bln_rng_uniform(rng), us = 0.5 - fabs(u);
        const double k = floor((2.0*h.a/us + h.b)*u + h.c);
        if (us >= 0.07 && v <= h.v_r) return k;
        if (k < 0.0 || (us < 0.013 && v > us)) continue;            /* the probability is below us out there */
        if (log(v*h.scale/(h.a/(us*us) + h.b)) <= blni_poisson_logpmf(k, mu)) return k;
    }
}

/* Cornish & Fisher (1937) to the term of the skewness, with the correction for steps of 1. The next term is of order 1/sqrt(mu),
 * and a change of x by that moves the distribution function by 0.4/mu. */
BLNI_PRIV double blni_poisson_of_normal(double mu, double z)         /* mu > 1e15 */
{
    return floor(mu + (sqrt(mu)*z + ((z*z - 1.0)/6.0 + 0.5)));
}

BLN_API double bln_rng_poisson(bln_rng *rng, double mu)
{
    if (!(mu >= 0.0)) return BLNI_NAN;
    if (mu == 0.0 || !blni_finite(mu)) return mu;
    if (mu > 1e15) return blni_poisson_of_normal(mu, bln_rng_normal(rng));
    return mu < 10.0 ? blni_poisson_small(rng, mu) : blni_poisson_large(rng, mu);
}

/* Trials up to and including the next success are 1 + floor(E/-log(1 - p)). The successes in n trials are as many as such
 * waiting times fit in. n p < 10, 0 < p <= 1/2. */
BLNI_PRIV double blni_binomial_waiting(bln_rng *rng, double n, double p)
{
    const double rate = -log1p(-p);
    double trials = 0.0, successes = -1.0;
    do {
        trials += floor(bln_rng_exponential(rng)/rate) + 1.0;
        successes += 1.0;
    } while (trials <= n);
    return successes;
}

BLNI_PRIV double blni_binomial_large(bln_rng *rng, double n, double p)          /* n p >= 10, p <= 1/2 */
{
    const blni_hat h = blni_binomial_hat(n, p);
    const double q = 1.0 - p, most = blni_binomial_logpmf(floor((n + 1.0)*p), n, p, q);
    for (;;) {
        const double u = bln_rng_uniform(rng) - 0.5, v = bln_rng_uniform(rng), us = 0.5 - fabs(u);
        const double k = floor((2.0*h.a/us + h.b)*u + h.c);
        if (us >= 0.07 && v <= h.v_r) return k;
        if (k < 0.0 || k > n) continue;
        if (log(v*h.scale/(h.a/(us*us) + h.b)) <= blni_binomial_logpmf(k, n, p, q) - most) return k;
    }
}

BLNI_PRIV int blni_is_count(double n) { return n >= 0.0 && n <= BLNI_2_POW_53 && floor(n) == n; }

BLN_API double bln_rng_binomial(bln_rng *rng, double n, double p)
{
    if (!blni_is_count(n) || !(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (n == 0.0 || p == 0.0) return 0.0;
    if (p > 0.5) return n - bln_rng_binomial(rng, n, 1.0 - p);       /* exact: 1 - p for p >= 1/2 */
    return n*p < 10.0 ? blni_binomial_waiting(rng, n, p) : blni_binomial_large(rng, n, p);
}
