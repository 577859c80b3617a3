/* discrete: counts have the moments and the distribution function of their families, on both sides of each change of method and
 * up to 2^53 and beyond; the log probabilities behind them are good to rounding; categories and tables have the probabilities
 * of their weights, and none has a category of weight 0; limits and arguments outside the domain. */
#include "../test.h"
#include "../golden/discrete_golden.h"
#include "goodness.h"

static double discrete_poisson(bln_rng *r, double mu, double q) { (void)q; return bln_rng_poisson(r, mu); }
static double discrete_geometric(bln_rng *r, double p, double q) { (void)q; return bln_rng_geometric(r, p); }

TEST(discrete, poisson) { GOODNESS_TABLE(golden_discrete_poisson, discrete_poisson, 60000); }
TEST(discrete, binomial) { GOODNESS_TABLE(golden_discrete_binomial, bln_rng_binomial, 60000); }
TEST(discrete, negative_binomial) { GOODNESS_TABLE(golden_discrete_negative_binomial, bln_rng_negative_binomial, 60000); }
TEST(discrete, geometric) { GOODNESS_TABLE(golden_discrete_geometric, discrete_geometric, 60000); }

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

/* Log-weights of n categories with zeros among them, spread over a factor of 1e4 about 1e5; and the weights, of sum 1. */
static void discrete_weights(test_random *random, size_t n, double *log_weight, double *weight)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double u = test_uniform(random);
        log_weight[i] = u < 0.2 && n > 3 ? -HUGE_VAL : 1e5 + 9.2*test_uniform(random);
        sum += weight[i] = exp(log_weight[i] - 1e5);
    }
    for (size_t i = 0; i < n; i++) weight[i] /= sum;
}

TEST(discrete, categorical)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 30 };
    test_random random = test_random_new(40);
    bln_rng r;
    bln_rng_seed(&r, 41, 0);
    for (size_t s = 0; s < 5; s++) {
        const size_t K = sizes[s], n = 60000;
        double log_weight[30], weight[30], count[30] = { 0.0 };
        discrete_weights(&random, K, log_weight, weight);
        for (size_t i = 0; i < n; i++) {
            const size_t k = bln_rng_categorical(&r, K, log_weight);
            CHECK(k < K);
            if (k < K) count[k] += 1.0;
        }
        goodness_chi2(K, count, weight, (double)n, "categorical", (double)K, 0.0);
    }
}

/* At both ends of the uniform: no category of weight 0, whatever the total rounds to. A state of xoshiro256++ with s0 = 0 gives s3
 * rotated by 23. */
TEST(discrete, categorical_at_the_ends)
{
    for (int end = 0; end < 2; end++)
        for (size_t K = 2; K < 40; K++) {
            double log_weight[40];
            bln_rng r;
            r.s[0] = 0;
            r.s[1] = r.s[2] = 1;
            r.s[3] = end ? ~(uint64_t)0 : 0;
            for (size_t i = 0; i < K; i++) log_weight[i] = i == 0 || i + 1 == K ? -HUGE_VAL : -0.37*(double)(i*i%7);
            if (K == 2) log_weight[1] = 3.0;
            CHECK_SIZE(bln_rng_categorical(&r, K, log_weight), end && K > 2 ? K - 2 : 1);
        }
}

/* The table adds up to the weights: cell i gives keep[i] to i, the rest to other[i]. */
TEST(discrete, alias_table_holds_the_weights)
{
    static const size_t sizes[] = { 1, 2, 3, 4, 5, 8, 17, 100, 1000, 4096 };
    enum { MOST = 4096 };
    double *log_weight = test_doubles(MOST), *weight = test_doubles(MOST), *keep = test_doubles(MOST), *total = test_doubles(MOST);
    size_t *other = (size_t *)malloc(MOST*sizeof *other);
    test_random random = test_random_new(42);
    for (size_t s = 0; other && s < 30; s++) {
        const size_t K = sizes[s%10];
        bln_report report;
        discrete_weights(&random, K, log_weight, weight);
        if (s >= 20)                                                  /* a few heavy ones at the ends, or all alike */
            for (size_t i = 0; i < K; i++) {
                log_weight[i] = s%2 ? 0.0 : i == 0 || i + 1 == K ? 3.0 : -HUGE_VAL;
                weight[i] = s%2 ? 1.0/(double)K : i == 0 || i + 1 == K ? (K == 1 ? 1.0 : 0.5) : 0.0;
            }
        bln_report_clear(&report);
        CHECK_OK(bln_alias_build(K, log_weight, keep, other, &report));
        CHECK(report.text[0] == '\0');
        memset(total, 0, K*sizeof *total);
        for (size_t i = 0; i < K; i++) {
            CHECK(other[i] < K && keep[i] >= 0.0);
            if (other[i] >= K) continue;
            const double own = keep[i] < 1.0 ? keep[i] : 1.0;
            total[i] += own;
            total[other[i]] += 1.0 - own;
        }
        for (size_t i = 0; i < K; i++) {
            CHECK_NEAR(total[i]/(double)K, weight[i], (double)K*DBL_EPSILON);
            if (weight[i] == 0.0) CHECK(total[i] == 0.0);
        }
    }
    free(log_weight);
    free(weight);
    free(keep);
    free(total);
    free(other);
}

TEST(discrete, alias_draws)
{
    static const size_t sizes[] = { 1, 2, 5, 30 };
    test_random random = test_random_new(43);
    bln_rng r;
    bln_rng_seed(&r, 44, 0);
    for (size_t s = 0; s < 4; s++) {
        const size_t K = sizes[s], n = 200000;
        double log_weight[30], weight[30], keep[30], count[30] = { 0.0 };
        size_t other[30];
        discrete_weights(&random, K, log_weight, weight);
        CHECK_OK(bln_alias_build(K, log_weight, keep, other, NULL));
        for (size_t i = 0; i < n; i++) {
            const size_t k = bln_rng_alias(&r, K, keep, other);
            if (k < K) count[k] += 1.0; else CHECK(k < K);
        }
        goodness_chi2(K, count, weight, (double)n, "alias", (double)K, 0.0);
    }
}

/* Each count is binomial; two of them have covariance -n p_i p_j; they add up. Trials of 1e9 take the large branch. */
TEST(discrete, multinomial)
{
    static const double weights[6] = { 0.0, 3.0, 0.5, 1e-3, 6.499, 0.0 }, trials[3] = { 7.0, 1000.0, 1e9 };
    const double N = 20000.0;
    bln_rng r;
    bln_rng_seed(&r, 45, 0);
    for (size_t t = 0; t < 3; t++) {
        const double n = trials[t];
        double mean[6] = { 0.0 }, cross[6][6] = { { 0.0 } };
        for (size_t i = 0; i < 20000; i++) {
            double count[6] = { 0.0 }, sum = 0.0;
            const bln_status status = bln_rng_multinomial(&r, n, 6, weights, count, NULL);
            for (size_t k = 0; k < 6; k++) sum += count[k];
            CHECK(status == BLN_OK && sum == n && count[0] == 0.0 && count[5] == 0.0);
            for (size_t k = 0; k < 6; k++) count[k] -= n*weights[k]/10.0;
            for (size_t k = 0; k < 6; k++) mean[k] += count[k]/N;
            for (size_t k = 0; k < 6; k++) for (size_t j = 0; j < 6; j++) cross[k][j] += count[k]*count[j]/N;
        }
        for (size_t k = 0; k < 6; k++) {
            const double p = weights[k]/10.0, var = n*p*(1.0 - p), fourth = var*(1.0 + 3.0*(n - 2.0)*p*(1.0 - p));
            CHECK_NEAR(mean[k], 0.0, 5.0*sqrt(var/N));
            CHECK_NEAR(cross[k][k], var, 5.0*sqrt((fourth - var*var)/N));
        }
        /* var(x_1 x_4) <= E x_1^2 x_4^2, at most three times the product of the variances here */
        const double p = 0.3, q = 0.6499, scale = n*sqrt(p*(1.0 - p)*q*(1.0 - q));
        CHECK_NEAR(cross[1][4], -n*p*q, 5.0*scale*sqrt(3.0/N));
    }
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
    CHECK(bln_rng_negative_binomial(&r, 0.0, 0.3) == 0.0);
    CHECK(bln_rng_negative_binomial(&r, 3.0, 0.0) == 0.0);
    CHECK(bln_rng_geometric(&r, 0.0) == 0.0);
    CHECK(!memcmp(&r, &before, sizeof r));                            /* nothing to draw */
    for (int i = 0; i < 500; i++) {
        CHECK(bln_rng_poisson(&r, 1e-320) == 0.0);
        CHECK_REL(bln_rng_poisson(&r, 1e300), 1e300, 1e-15);
        CHECK(bln_rng_binomial(&r, 9007199254740992.0, 1e-320) == 0.0);
        CHECK(bln_rng_binomial(&r, 3.0, 1.0 - 0.5*DBL_EPSILON) == 3.0);
        CHECK(bln_rng_negative_binomial(&r, 1e-300, 0.9) == 0.0);
        CHECK(bln_rng_geometric(&r, 1e-300) == 0.0);
        CHECK(bln_rng_geometric(&r, 1.0 - 0.5*DBL_EPSILON) > 1e10);
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
        const double k = bln_rng_binomial(&r, 5.0, bad_p[i]), l = bln_rng_negative_binomial(&r, 5.0, bad_p[i]);
        const double m = bln_rng_geometric(&r, bad_p[i]);
        CHECK(k != k && l != l && m != m);
    }
    const double a = bln_rng_negative_binomial(&r, 5.0, 1.0), b = bln_rng_negative_binomial(&r, -1.0, 0.5);
    const double c = bln_rng_negative_binomial(&r, HUGE_VAL, 0.5), d = bln_rng_negative_binomial(&r, nan, 0.5);
    const double e = bln_rng_geometric(&r, 1.0);
    CHECK(a != a && b != b && c != c && d != d && e != e);
    CHECK(!memcmp(&r, &before, sizeof r));                            /* and draw nothing */
}

TEST(discrete, categories_that_cannot_be_drawn)
{
    double w[3] = { 0.0, 0.0, 0.0 }, keep[3], counts[3];
    size_t other[3];
    bln_rng r, before;
    bln_report report;
    bln_rng_seed(&r, 48, 0);
    before = r;
    bln_report_clear(&report);
    CHECK_SIZE(bln_rng_categorical(&r, 0, w), BLN_NONE);
    CHECK_STATUS(bln_alias_build(0, w, keep, other, &report), BLN_EINVAL);
    for (size_t i = 0; i < 3; i++) w[i] = -HUGE_VAL;
    CHECK_SIZE(bln_rng_categorical(&r, 3, w), BLN_NONE);
    CHECK_STATUS(bln_alias_build(3, w, keep, other, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "zero");
    for (int k = 0; k < 2; k++) {
        w[1] = k ? HUGE_VAL : (double)NAN;
        CHECK_SIZE(bln_rng_categorical(&r, 3, w), BLN_NONE);
        CHECK_STATUS(bln_alias_build(3, w, keep, other, &report), BLN_EDATA);
        CHECK_SIZE(report.row, 1);
    }
    w[0] = 1.0; w[1] = -1.0; w[2] = 2.0;
    CHECK_STATUS(bln_rng_multinomial(&r, 5.0, 3, w, counts, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 1);
    w[1] = (double)NAN;
    CHECK_STATUS(bln_rng_multinomial(&r, 5.0, 3, w, counts, NULL), BLN_EDOMAIN);
    w[1] = HUGE_VAL;
    CHECK_STATUS(bln_rng_multinomial(&r, 5.0, 3, w, counts, NULL), BLN_EDOMAIN);
    w[1] = 1.0;
    CHECK_STATUS(bln_rng_multinomial(&r, 5.5, 3, w, counts, NULL), BLN_EDOMAIN);
    CHECK_STATUS(bln_rng_multinomial(&r, 5.0, 0, w, counts, NULL), BLN_EDOMAIN);
    CHECK_OK(bln_rng_multinomial(&r, 0.0, 0, w, counts, NULL));
    w[0] = w[1] = w[2] = 0.0;
    CHECK_STATUS(bln_rng_multinomial(&r, 5.0, 3, w, counts, NULL), BLN_EDOMAIN);
    CHECK_OK(bln_rng_multinomial(&r, 0.0, 3, w, counts, NULL));
    CHECK(counts[0] == 0.0 && counts[1] == 0.0 && counts[2] == 0.0);
    CHECK(!memcmp(&r, &before, sizeof r));
}

SUITE_BEGIN(discrete)
    SUITE_TEST(discrete, poisson)
    SUITE_TEST(discrete, binomial)
    SUITE_TEST(discrete, negative_binomial)
    SUITE_TEST(discrete, geometric)
    SUITE_TEST(discrete, rejection_samplers_sharply)
    SUITE_TEST(discrete, log_probabilities)
    SUITE_TEST(discrete, hats_cover_their_histograms)
    SUITE_TEST(discrete, poisson_beyond_1e15)
    SUITE_TEST(discrete, categorical)
    SUITE_TEST(discrete, categorical_at_the_ends)
    SUITE_TEST(discrete, alias_table_holds_the_weights)
    SUITE_TEST(discrete, alias_draws)
    SUITE_TEST(discrete, multinomial)
    SUITE_TEST(discrete, limits_of_counts)
    SUITE_TEST(discrete, outside_the_domain)
    SUITE_TEST(discrete, categories_that_cannot_be_drawn)
SUITE_END(discrete)
