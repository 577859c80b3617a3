/* counts: Poisson, negative binomial and zero-inflated Poisson against high precision; sums of probabilities; draws, quantiles and
 * cdf belong together; exposure is a factor of the mean; limits. */
#include "likelihood_tools.h"

TEST(counts, golden)
{
    likelihood_check_golden("poisson_log");
    likelihood_check_golden("poisson_softplus");
    likelihood_check_golden("negative_binomial");
    likelihood_check_golden("zero_inflated_poisson");
}

TEST(counts, distributions)
{
    static const double f[] = { -2.0, 1.3, 6.0 };
    likelihood_check_family("poisson_log", 2.5, f, 3, 70);
    likelihood_check_family("poisson_softplus", 2.5, f, 3, 80);
    likelihood_check_family("poisson_logistic", 2.5, f, 3, 80);
    likelihood_check_family("negative_binomial", 2.5, f, 3, 90);
    likelihood_check_family("zero_inflated_poisson", 2.5, f, 3, 100);
}

TEST(counts, sums)
{
    const double size = 2.3, pi = 0.3;
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_DEFAULT), softplus = bln_likelihood_poisson(BLN_LINK_SOFTPLUS),
                         nb = bln_likelihood_negative_binomial(), zip = bln_likelihood_zero_inflated_poisson();
    for (double f = -4.0; f <= 3.0; f += 1.7) {
        likelihood_check_sums(&poisson, NULL, 1.5, f, 120.0);
        likelihood_check_sums(&softplus, NULL, 1.5, f, 60.0);
        likelihood_check_sums(&nb, &size, 1.5, f, 1500.0);
        likelihood_check_sums(&zip, &pi, 1.5, f, 120.0);
    }
}

/* An exposure t of a log link is log t on top of f. Both ways round log t at most once. */
TEST(counts, exposure)
{
    static const char *const names[] = { "poisson_log", "negative_binomial", "zero_inflated_poisson" };
    const double theta = 0.3, f = 0.7, moved = f + log(12.5), t = 12.5;
    for (size_t k = 0; k < 3; k++)
        for (double y = 0.0; y < 40.0; y += 13.0) {
            const bln_likelihood l = likelihood_named(names[k]);
            likelihood_row r, s;
            double a[4], b[4];
            likelihood_row_set(&r, &l, y, t);
            likelihood_row_set(&s, &l, y, 1.0);
            bln_likelihood_eval(&l, &theta, 1, &r.t, &f, a, a + 1, a + 2, a + 3);
            bln_likelihood_eval(&l, &theta, 1, &s.t, &moved, b, b + 1, b + 2, b + 3);
            for (int j = 0; j < 4; j++) CHECK_NEAR(a[j], b[j], 64.0*DBL_EPSILON*(fabs(a[j]) + y + 30.0));
        }
}

/* A negative binomial of a large size is a Poisson: log p differs by ((y - mu)^2 - y)/(2 kappa), and
 * a next term below (y + mu)^3/kappa^2. */
TEST(counts, negative_binomial_limit)
{
    const bln_likelihood nb = bln_likelihood_negative_binomial(), poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    const double kappa = 1e7, f = 1.9, mu = exp(f);
    for (double y = 0.0; y < 20.0; y += 3.0) {
        likelihood_row r;
        double a, b;
        likelihood_row_set(&r, &nb, y, 1.0);
        bln_likelihood_logp(&nb, &kappa, 1, &r.t, &f, &a);
        bln_likelihood_logp(&poisson, NULL, 1, &r.t, &f, &b);
        CHECK_NEAR(a - b, ((y - mu)*(y - mu) - y)/(2.0*kappa), 1e-13 + pow(y + mu, 3.0)/(kappa*kappa));
    }
}

/* Small sizes: most gamma variables are below all doubles and the rest are far above their mean. Draws follow the cdf, and where
 * the mean is beyond all doubles they are whole numbers or infinite. */
TEST(counts, negative_binomial_of_small_sizes)
{
    static const double sizes[] = { 1e-3, 1e-200, 1e-310 }, fs[] = { -800.0, 2.0, 700.0, 800.0, HUGE_VAL, HUGE_VAL },
                        exposures[] = { 1.0, 2.5, 1.0, 1.0, 1.0, 0.0 };
    const bln_likelihood nb = bln_likelihood_negative_binomial();
    const double size = 0.05;
    likelihood_check_draws(&nb, &size, 1.0, 3.0, 110);
    likelihood_check_draws(&nb, &size, 2.5, -1.0, 111);
    for (size_t s = 0; s < 3; s++)
        for (size_t i = 0; i < 6; i++) {
            bln_rng rng;
            likelihood_row r;
            double y;
            likelihood_row_set(&r, &nb, 0.0, exposures[i]);
            bln_rng_seed(&rng, 9, 6*s + i);
            for (size_t draw = 0; draw < 100; draw++) {
                bln_likelihood_draw(&nb, sizes + s, 1, &r.t, fs + i, &rng, &y);
                likelihood_near(y >= 0.0 && y == floor(y), 1.0, 0.0, "a draw", nb.ops->name, y, fs[i]);
            }
        }
}

/* Where the upper tail is below all doubles, its logarithm is there: sum_{k > 60} of Poisson(e^-8), its first term and the ratio of
 * the second, by mpmath: log(gammainc(61, 0, exp(-8), regularized=True)). */
TEST(counts, log_tails)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    const double f = -8.0;
    likelihood_row r;
    double low, high;
    likelihood_row_set(&r, &l, 60.0, 1.0);
    bln_likelihood_logcdf(&l, NULL, 1, &r.t, &f, &low, &high);
    CHECK_REL(high, -680.7393773397711, 1e-14);
    CHECK_NEAR(low, 0.0, 1e-290);
    const double g = 7.5;                                         /* mean 1808, y = 2 */
    likelihood_row_set(&r, &l, 2.0, 1.0);
    bln_likelihood_logcdf(&l, NULL, 1, &r.t, &g, &low, &high);
    CHECK_REL(low, -1793.7344554681083, 1e-14);
}

/* Poisson of mean t lambda sigma(f), and far out. */
TEST(counts, logistic_link)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOGIT), p = bln_likelihood_poisson(BLN_LINK_LOG);
    const double lambda = 7.0;
    for (double y = 0.0; y < 12.0; y += 3.0)
        for (double f = -30.0; f < 30.0; f += 2.3) {
            const double log_rate = log(lambda) - bln_log1pexp(-f);
            likelihood_row r;
            double a, b, mean, var, low[2], high[2];
            likelihood_row_set(&r, &l, y, 1.7);
            bln_likelihood_logp(&l, &lambda, 1, &r.t, &f, &a);
            bln_likelihood_logp(&p, NULL, 1, &r.t, &log_rate, &b);
            CHECK_NEAR(a, b, 1e-13*fmax(1.0, fabs(b)));
            bln_likelihood_moments(&l, &lambda, 1, &r.t, &f, &mean, &var);
            CHECK_REL(mean, 1.7*exp(log_rate), 1e-14);
            CHECK(var == mean);
            bln_likelihood_cdf(&l, &lambda, 1, &r.t, &f, low, high);
            bln_likelihood_cdf(&p, NULL, 1, &r.t, &log_rate, low + 1, high + 1);
            CHECK_REL(low[0], low[1], 1e-13);
            CHECK_REL(high[0], high[1], 1e-13);
        }
    const double far[2] = { -700.0, 700.0 };
    for (int k = 0; k < 2; k++) {
        likelihood_row r;
        double e, d1, d2, d3;
        likelihood_row_set(&r, &l, 3.0, 1.0);
        bln_likelihood_eval(&l, &lambda, 1, &r.t, far + k, &e, &d1, &d2, &d3);
        CHECK_NEAR(e, 3.0*log(lambda) - log(6.0) + (k ? -lambda : -2100.0), 1e-12*fabs(e));
        CHECK_NEAR(d1, k ? 0.0 : 3.0, 1e-300);
        CHECK(d2 == d2 && d3 == d3);
    }
}

SUITE_BEGIN(counts)
SUITE_TEST(counts, golden)
SUITE_TEST(counts, distributions)
SUITE_TEST(counts, sums)
SUITE_TEST(counts, exposure)
SUITE_TEST(counts, negative_binomial_limit)
SUITE_TEST(counts, negative_binomial_of_small_sizes)
SUITE_TEST(counts, log_tails)
SUITE_TEST(counts, logistic_link)
SUITE_END(counts)
