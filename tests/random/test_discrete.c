/* discrete: counts have the moments and the distribution function of their families, on both sides of each change of method and
 * up to 2^53 and beyond; the log probabilities behind them are good to rounding; categories and tables have the probabilities
 * of their weights, and none has a category of weight 0; limits and arguments outside the domain. */
#include "../test.h"
#include "../golden/discrete_golden.h"
#include "goodness.h"

static double discrete_poisson(bln_rng *r, double mu, double q) { (void)q; return bln_rng_poisson(r, mu); }

TEST(discrete, poisson) { GOODNESS_TABLE(golden_discrete_poisson, discrete_poisson, 60000); }
TEST(discrete, binomial) { GOODNESS_TABLE(golden_discrete_binomial, bln_rng_binomial, 60000); }

/* Where the box of immediate acceptance is largest against the histogram: enough draws to see a histogram wrong by 1 %. */
TEST(discrete, rejection_samplers_sharply)
{
    goodness_check(golden_discrete_poisson[4], (sizeof *golden_discrete_poisson/sizeof **golden_discrete_poisson - 7)/2,
                   discrete_poisson, "poisson sharply", 1500000, 50);
    goodness_check(golden_discrete_binomial[2], (sizeof *golden_discrete_binomial/sizeof **golden_discrete_binomial - 7)/2,
                   bln_rng_binomial, "binomial sharply", 1000000, 51);
}

/* Absolute: a few roundings of log k (7 at k = 1e15: 1e-15 each); relative to the value: those of D, which is most of it where
 * it is large, and of k - mu and mu themselves. */
TEST(discrete, log_probabilities)
{
    for (size_t i = 0; i < sizeof golden_discrete_rest/sizeof *golden_discrete_rest; i++) {
        const double *g = golden_discrete_rest[i];
        CHECK_NEAR(blni_log_factorial_rest(g[0]), g[1], 3e-16);
    }
    for (size_t i = 0; i < sizeof golden_discrete_log_poisson/sizeof *golden_discrete_log_poisson; i++) {
        const double *g = golden_discrete_log_poisson[i];
        CHECK_NEAR(blni_poisson_logpmf(g[0], g[1]), g[2], 1e-14 + 16.0*DBL_EPSILON*fabs(g[2]));
    }
    /* n q is rounded here: by eps n q/2, which moves D(n - k, n q) by (k - n p) eps/2. */
    for (size_t i = 0; i < sizeof golden_discrete_log_binomial/sizeof *golden_discrete_log_binomial; i++) {
        const double *g = golden_discrete_log_binomial[i];
        CHECK_NEAR(blni_binomial_logpmf(g[0], g[1], g[2], 1.0 - g[2]), g[3],
                   2e-14 + 16.0*DBL_EPSILON*fabs(g[3]) + 2.0*DBL_EPSILON*fabs(g[0] - g[1]*g[2]));
    }
}

/* log P(k) of Poisson(n) (p = 0), or of Binomial(n, p) against its largest. */
static double discrete_log_p(double k, double n, double p)
{
    if (p == 0.0) return blni_poisson_logpmf(k, n);
    return blni_binomial_logpmf(k, n, p, 1.0 - p) - blni_binomial_logpmf(floor((n + 1.0)*p), n, p, 1.0 - p);
}

/* The cell of k is bounded by the u at which (2 a/us + b) u + c = j, j = k and k + 1: with t = |j - c| the positive root of
 * b us^2 + (t + 2 a - b/2) us - a = 0. a/us^2 + b grows with |u|, so its outer end is where the hat must cover the cell, and its
 * inner end, or us = 0.07, where the box must lie under it. */
static void discrete_check_hat(const blni_hat *h, double n, double p, double from, double to)
{
    double highest = 0.0, lowest = HUGE_VAL, outside = 0.0;
    for (double k = from; k <= to; k += 1.0) {
        const double most = exp(discrete_log_p(k, n, p))/h->scale;
        for (int end = 0; end < 2; end++) {
            const double t = fabs(k + end - h->c), half = 0.5*(t + 2.0*h->a - 0.5*h->b);
            const double us = (sqrt(half*half + h->a*h->b) - half)/h->b, accept = most*(h->a/(us*us) + h->b);
            if (accept > highest) highest = accept;
            if (us >= 0.07 && accept < lowest) lowest = accept;
            if (us < 0.013 && accept/us > outside) outside = accept/us;
        }
    }
    for (int side = -1; side < 2; side += 2) {
        const double k = floor((2.0*h->a/0.07 + h->b)*0.43*side + h->c);
        const double accept = exp(discrete_log_p(k, n, p))*(h->a/0.0049 + h->b)/h->scale;
        if (accept < lowest) lowest = accept;
    }
    goodness_near(highest > 1.0 ? highest : 1.0, 1.0, 0.0, "highest acceptance", "hat", n, p);
    goodness_near(lowest > h->v_r ? h->v_r : lowest, h->v_r, 0.0, "box", "hat", n, p);
    if (p == 0.0) goodness_near(outside > 1.0 ? outside : 1.0, 1.0, 0.0, "early rejection", "hat", n, p);
}

/* Transformed rejection is exact if and only if its hat covers the histogram and its box lies under it: no sample would show an
 * excess of 0.5 % in one corner of a cell. */
TEST(discrete, hats_cover_their_histograms)
{
    for (double mu = 10.0; mu < 1e6; mu += mu < 60.0 ? 0.013 : 0.13*mu) {
        const blni_hat h = blni_poisson_hat(mu);
        discrete_check_hat(&h, mu, 0.0, floor(mu > 64.0 ? mu - 8.0*sqrt(mu) : 0.0), mu + 9.0*sqrt(mu) + 12.0);
    }
    for (double p = 0.0005; p <= 0.5; p = p < 0.02 ? 1.7*p : p + 0.024)
        for (double mean = 10.0; mean < 1e4; mean += mean < 30.0 ? 0.3 : 0.3*mean) {
            const double n = ceil(mean/p), s = 9.0*sqrt(mean);
            const blni_hat h = blni_binomial_hat(n, p);
            discrete_check_hat(&h, n, p, n*p > s ? floor(n*p - s) : 0.0, n*p + s + 12.0 < n ? n*p + s + 12.0 : n);
        }
}

/* The golden distribution function at a cut k belongs to the quantile z that lies between k and k + 1 in the formula: a little
 * less gives k, a little more k + 1. A draw is the formula of a normal. */
TEST(discrete, poisson_beyond_1e15)
{
    const double *row = golden_discrete_poisson[13], mu = row[0];
    bln_rng r, copy;
    bln_rng_seed(&r, 49, 0);
    CHECK(mu > 1e15 && mu < 3e15);                                    /* doubles are 1/4 apart there */
    for (size_t i = 0; i < 27 && row[7 + 2*i] < 1e300; i++) {
        const double k = row[7 + 2*i], z = bln_norm_quantile(row[8 + 2*i]), step = 0.7/sqrt(mu);
        CHECK_NEAR(blni_poisson_of_normal(mu, z - step), k, 0.0);
        CHECK_NEAR(blni_poisson_of_normal(mu, z + step), k + 1.0, 0.0);
    }
    copy = r;
    CHECK(bln_rng_poisson(&r, mu) == blni_poisson_of_normal(mu, bln_rng_normal(&copy)));
}

TEST(discrete, limits_of_counts)
{
    bln_rng r, before;
    bln_rng_seed(&r, 46, 0);
    before = r;
    CHECK(bln_rng_poisson(&r, 0.0) == 0.0);
    CHECK(bln_rng_poisson(&r, HUGE_VAL) == HUGE_VAL);
    CHECK(bln_rng_binomial(&r, 0.0, 0.3) == 0.0);
    CHECK(bln_rng_binomial(&r, 17.0, 0.0) == 0.0);
    CHECK(bln_rng_binomial(&r, 17.0, 1.0) == 17.0);
    CHECK(!memcmp(&r, &before, sizeof r));                            /* nothing to draw */
    for (int i = 0; i < 500; i++) {
        CHECK(bln_rng_poisson(&r, 1e-320) == 0.0);
        CHECK_REL(bln_rng_poisson(&r, 1e300), 1e300, 1e-15);
        CHECK(bln_rng_binomial(&r, 9007199254740992.0, 1e-320) == 0.0);
        CHECK(bln_rng_binomial(&r, 3.0, 1.0 - 0.5*DBL_EPSILON) == 3.0);
        const double k = bln_rng_binomial(&r, 9007199254740992.0, 0.5);
        CHECK(k >= 0.0 && floor(k) == k);
    }
}

TEST(discrete, outside_the_domain)
{
    const double nan = (double)NAN, bad_p[3] = { -0.1, 1.5, nan };
    bln_rng r, before;
    bln_rng_seed(&r, 47, 0);
    before = r;
    CHECK(bln_rng_poisson(&r, -1.0) != bln_rng_poisson(&r, -1.0));
    CHECK(bln_rng_poisson(&r, nan) != bln_rng_poisson(&r, nan));
    const double bad_n[5] = { -1.0, 0.5, 9007199254740994.0, HUGE_VAL, nan };
    for (size_t i = 0; i < 5; i++) {
        const double k = bln_rng_binomial(&r, bad_n[i], 0.3);
        CHECK(k != k);
    }
    for (size_t i = 0; i < 3; i++) {
        const double k = bln_rng_binomial(&r, 5.0, bad_p[i]);
        CHECK(k != k);
    }
    CHECK(!memcmp(&r, &before, sizeof r));                            /* and draw nothing */
}

SUITE_BEGIN(discrete)
    SUITE_TEST(discrete, poisson)
    SUITE_TEST(discrete, binomial)
    SUITE_TEST(discrete, rejection_samplers_sharply)
    SUITE_TEST(discrete, log_probabilities)
    SUITE_TEST(discrete, hats_cover_their_histograms)
    SUITE_TEST(discrete, poisson_beyond_1e15)
    SUITE_TEST(discrete, limits_of_counts)
    SUITE_TEST(discrete, outside_the_domain)
SUITE_END(discrete)
