/* distributions: draws have the moments and the distribution function of their families, on both sides of each change of
 * method, far in the tails and near the limits; gammas also the moments of the logarithm, for shapes from 1e-3 to 1e3; small
 * shapes do not underflow in logs; limits are what they should be, arguments outside the domain give NaN.
 *
 * Seeds are fixed; bounds as in goodness.h. */
#include "../test.h"
#include "../golden/distributions_golden.h"
#include "goodness.h"

enum { DISTRIBUTIONS_N = 60000, DISTRIBUTIONS_SHAPES = 11 };

/* P(a, e^y): the series below a + 1, Legendre's continued fraction (modified Lentz) above (Abramowitz & Stegun 6.5.29, 6.5.31). The
 * factor is formed in logs, so that y may be -1e6. */
static double distributions_cdf(double a, double y)
{
    const double x = exp(y), factor = exp(a*y - x - lgamma(a + 1.0));
    if (x < a + 1.0) {
        double term = 1.0, sum = 1.0;
        for (int k = 1; k < 2000 && term > 1e-17*sum; k++) sum += term *= x/(a + k);
        return factor*sum;
    }
    double b = x + 1.0 - a, c = 1e300, d = 1.0/b, h = d;
    for (int k = 1; k < 2000; k++) {
        const double an = -(double)k*((double)k - a);
        b += 2.0;
        d = 1.0/(an*d + b);
        c = b + an/c;
        h *= d*c;
        if (fabs(d*c - 1.0) < 1e-15) break;
    }
    return 1.0 - factor*a*h;
}

/* The judge is judged first. exp(a y - x - ...) with terms of size 7000 at a = 1000: relative 1e-12. */
TEST(distributions, reference_function_of_this_test)
{
    for (size_t k = 0; k < 10; k++) {
        const double *g = golden_distributions_P[k];
        CHECK_NEAR(distributions_cdf(g[0], log(g[1])), g[2], 4e-12);
    }
    CHECK_NEAR(distributions_cdf(1.0, log(0.7)), -expm1(-0.7), 1e-14);
    CHECK_NEAR(distributions_cdf(0.5, log(2.0)), erf(sqrt(2.0)), 1e-14);
}

static double distributions_log_gamma_cdf(double y, double shape, double unused)
{
    (void)unused;
    return distributions_cdf(shape, y);
}

/* Gamma(a): mean a, variance a, fourth central moment 3 a^2 + 6 a; log: digamma, trigamma; its fourth central moment is at
 * most 9 times the squared variance (equality as a -> 0, where -a log g is exponential), hence the 8 below. */
static void distributions_check_gamma(size_t n, const double *g, double *y, const double *golden)
{
    const double a = golden[0], N = (double)n;
    double mean = 0.0, square = 0.0, log_mean = 0.0, log_square = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += g[i] - a;
        square += (g[i] - a)*(g[i] - a);
        log_mean += y[i] - golden[1];
        log_square += (y[i] - golden[1])*(y[i] - golden[1]);
    }
    CHECK_NEAR(mean/N, 0.0, 5.0*sqrt(a/N));
    CHECK_NEAR(square/N, a, 5.0*sqrt((2.0*a*a + 6.0*a)/N));
    CHECK_NEAR(log_mean/N, 0.0, 5.0*sqrt(golden[2]/N));
    CHECK_NEAR(log_square/N, golden[2], 5.0*golden[2]*sqrt(8.0/N));
    CHECK_LE(goodness_kolmogorov(n, y, distributions_log_gamma_cdf, a, 0.0), 2.6);
}

TEST(distributions, gamma_in_logs)
{
    double *g = test_doubles(DISTRIBUTIONS_N), *y = test_doubles(DISTRIBUTIONS_N);
    bln_rng r;
    bln_rng_seed(&r, 21, 0);
    for (size_t s = 0; s < DISTRIBUTIONS_SHAPES; s++) {
        for (size_t i = 0; i < DISTRIBUTIONS_N; i++) {
            y[i] = bln_rng_log_gamma(&r, golden_distributions_log_gamma[s][0]);
            g[i] = exp(y[i]);
        }
        distributions_check_gamma(DISTRIBUTIONS_N, g, y, golden_distributions_log_gamma[s]);
    }
    free(g);
    free(y);
}

/* The plain form is the exponential of the other, from the same words. (Where it underflows, 0: the logs of these are not
 * compared.) */
TEST(distributions, gamma_is_the_exponential_of_its_log)
{
    bln_rng r, copy;
    bln_rng_seed(&r, 22, 0);
    copy = r;
    size_t zeros = 0;
    for (size_t s = 0; s < DISTRIBUTIONS_SHAPES; s++)
        for (size_t i = 0; i < 2000; i++) {
            const double a = golden_distributions_log_gamma[s][0], g = bln_rng_gamma(&r, a), y = bln_rng_log_gamma(&copy, a);
            CHECK(y - y == 0.0);
            if (y < -740.0) { zeros++; CHECK_NEAR(g, 0.0, 1e-321); }
            else CHECK_REL(g, exp(y), 4.0*DBL_EPSILON*(1.0 + fabs(y)));
        }
    /* For shape 0.001: P(log g < -740) = e^{-0.74} but for 1e-3: half of the draws underflow. */
    CHECK_NEAR((double)zeros, 2000.0*exp(-0.740), 5.0*sqrt(2000.0*0.25) + 4.0);
}

/* Enough draws to see a shape wrong by 0.003, or an acceptance test that is slightly off: where it matters most, at small
 * shapes. */
TEST(distributions, gamma_moments_sharply)
{
    bln_rng r;
    bln_rng_seed(&r, 25, 0);
    for (size_t s = 5; s < 8; s++) {
        const double a = golden_distributions_log_gamma[s][0], n = 3e6;
        double mean = 0.0, square = 0.0, cube = 0.0;
        for (size_t i = 0; i < 3000000; i++) {
            const double g = bln_rng_gamma(&r, a);
            mean += g;
            square += g*g;
            cube += g*g*g;
        }
        const double m2 = a*(a + 1.0), m3 = m2*(a + 2.0), m4 = m3*(a + 3.0), m6 = m4*(a + 4.0)*(a + 5.0);
        CHECK_NEAR(mean/n, a, 5.0*sqrt(a/n));
        CHECK_NEAR(square/n, m2, 5.0*sqrt((m4 - m2*m2)/n));
        CHECK_NEAR(cube/n, m3, 5.0*sqrt((m6 - m3*m3)/n));
    }
}

TEST(distributions, chi2_has_its_moments)
{
    static const double degrees[] = { 0.1, 1.0, 2.0, 5.5, 200.0 };
    double *y = test_doubles(DISTRIBUTIONS_N);
    bln_rng r;
    bln_rng_seed(&r, 23, 0);
    for (size_t s = 0; s < 5; s++) {
        const double nu = degrees[s], n = DISTRIBUTIONS_N;
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < DISTRIBUTIONS_N; i++) {
            const double x = bln_rng_chi2(&r, nu);
            mean += x - nu;
            square += (x - nu)*(x - nu);
            y[i] = log(0.5*x > DBL_MIN ? 0.5*x : DBL_MIN);
        }
        CHECK_NEAR(mean/n, 0.0, 5.0*sqrt(2.0*nu/n));
        CHECK_NEAR(square/n, 2.0*nu, 5.0*sqrt((8.0*nu*nu + 48.0*nu)/n));        /* fourth central moment 12 nu^2 + 48 nu */
        CHECK_LE(goodness_kolmogorov(DISTRIBUTIONS_N, y, distributions_log_gamma_cdf, 0.5*nu, 0.0), 2.6);
    }
    free(y);
}

/* ---- what is made of gammas, and the others: golden tables */

static double distributions_t(bln_rng *r, double nu, double q) { (void)q; return bln_rng_student_t(r, nu); }
static double distributions_laplace(bln_rng *r, double p, double q) { (void)p; (void)q; return bln_rng_laplace(r); }

TEST(distributions, student_t) { GOODNESS_TABLE(golden_distributions_student_t, distributions_t, DISTRIBUTIONS_N); }

TEST(distributions, inverse_gaussian)
{
    GOODNESS_TABLE(golden_distributions_inverse_gaussian, bln_rng_inverse_gaussian, DISTRIBUTIONS_N);
}

TEST(distributions, truncated_normal)
{
    GOODNESS_TABLE(golden_distributions_truncated_normal, bln_rng_truncated_normal, DISTRIBUTIONS_N);
}

TEST(distributions, laplace)
{
    GOODNESS_TABLE(golden_distributions_laplace, distributions_laplace, DISTRIBUTIONS_N);
}

/* Fast samplers can afford draws enough to see a moment wrong by 0.5 %: Laplace, and proposals from the uniform around 0. */
TEST(distributions, laplace_and_truncated_normal_sharply)
{
    goodness_check(golden_distributions_laplace[0], 27, distributions_laplace, "laplace sharply", 1500000, 50);
    goodness_check(golden_distributions_truncated_normal[9], 27, bln_rng_truncated_normal, "truncated normal sharply", 1000000, 51);
}

/* ---- closed distribution functions, finer than the tables' cuts */

static double distributions_cauchy_cdf(double x, double p, double q) { (void)p; (void)q; return 0.5 + atan(x)/BLNI_PI; }
static double distributions_laplace_cdf(double x, double p, double q)
{
    (void)p; (void)q;
    return x < 0.0 ? 0.5*exp(x) : 1.0 - 0.5*exp(-x);
}
static double distributions_t2_cdf(double x, double p, double q) { (void)p; (void)q; return 0.5 + 0.5*x/sqrt(2.0 + x*x); }
static double distributions_normal_tail(double x) { return 0.5*erfc(x*sqrt(0.5)); }
static double distributions_wald_cdf(double x, double mu, double lambda)
{
    const double s = sqrt(lambda/x);
    return distributions_normal_tail(s*(1.0 - x/mu)) + exp(2.0*lambda/mu)*distributions_normal_tail(s*(1.0 + x/mu));
}
static double distributions_truncated_cdf(double x, double a, double b)
{
    const double whole = distributions_normal_tail(a) - distributions_normal_tail(b);
    return (distributions_normal_tail(a) - distributions_normal_tail(x))/whole;
}

TEST(distributions, closed_distribution_functions)
{
    enum { N = 100000 };
    const struct { goodness_draw draw; double (*cdf)(double x, double p, double q); double p, q; } cases[] = {
        { distributions_laplace, distributions_laplace_cdf, 0.0, 0.0 },
        { distributions_t, distributions_cauchy_cdf, 1.0, 0.0 },
        { distributions_t, distributions_t2_cdf, 2.0, 0.0 },
        { bln_rng_inverse_gaussian, distributions_wald_cdf, 1.0, 3.0 },
        { bln_rng_inverse_gaussian, distributions_wald_cdf, 3.0, 0.5 },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 0.44, HUGE_VAL },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 0.46, HUGE_VAL },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 5.0, HUGE_VAL },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 1.0, 1.5 },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 1.0, 2.5 },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 0.05, 1.5 },
        { bln_rng_truncated_normal, distributions_truncated_cdf, 0.0, HUGE_VAL },
        { bln_rng_truncated_normal, distributions_truncated_cdf, -1.2, 1.2 },
        { bln_rng_truncated_normal, distributions_truncated_cdf, -1.0, 0.0 } };
    double *x = test_doubles(N);
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++) {
        bln_rng r;
        bln_rng_seed(&r, 32, c);
        for (size_t i = 0; i < N; i++) x[i] = cases[c].draw(&r, cases[c].p, cases[c].q);
        CHECK_LE(goodness_kolmogorov(N, x, cases[c].cdf, cases[c].p, cases[c].q), 2.6);
    }
    free(x);
}

/* lambda (x - mu)^2/(mu^2 x) is chi-square with one degree of freedom, whatever mu and lambda: sharper than moments of x. */
TEST(distributions, inverse_gaussian_sharply)
{
    static const double parameters[3][2] = { { 1.0, 3.0 }, { 0.01, 2.0 }, { 5.0, 0.3 } };
    bln_rng r;
    bln_rng_seed(&r, 37, 0);
    for (size_t s = 0; s < 3; s++) {
        const double mu = parameters[s][0], lambda = parameters[s][1], n = 800000.0;
        double sum = 0.0;
        for (int i = 0; i < 800000; i++) {
            const double x = bln_rng_inverse_gaussian(&r, mu, lambda), d = (x - mu)/mu;
            sum += lambda*d*d/x;
        }
        CHECK_NEAR(sum/n, 1.0, 5.0*sqrt(2.0/n));
    }
}

/* Far out a truncated normal is a + E/a but for O(1/a^2); it stays within its bounds to the last bit. */
TEST(distributions, truncated_normal_far_out)
{
    static const double from[] = { 50.0, 1e5, 1e8, 1e160, 1.7e308 };
    bln_rng r;
    bln_rng_seed(&r, 34, 0);
    for (size_t k = 0; k < 5; k++) {
        const double a = from[k], next = a*(1.0 + DBL_EPSILON), n = 20000.0;
        double mean = 0.0;
        for (int i = 0; i < 20000; i++) {
            const double x = bln_rng_truncated_normal(&r, a, HUGE_VAL), y = bln_rng_truncated_normal(&r, -HUGE_VAL, -a);
            const double z = bln_rng_truncated_normal(&r, a, next);
            CHECK(x >= a && y <= -a && x - x == 0.0 && z >= a && z <= next);
            mean += a*(x - a)/n;
        }
        if (a < 1e6) CHECK_NEAR(mean, 1.0, 5.0/sqrt(n) + 1.0/(a*a));      /* 1 - 1/a^2; a ulp of 1e5 is 1e-6 of the spread */
    }
}

TEST(distributions, limits)
{
    bln_rng r, copy;
    double x;
    bln_rng_seed(&r, 35, 0);
    copy = r;
    CHECK(bln_rng_inverse_gaussian(&copy, 0.0, 1.0) == 0.0 && bln_rng_inverse_gaussian(&copy, 1.0, 0.0) == 0.0);
    CHECK(bln_rng_inverse_gaussian(&copy, 3.0, HUGE_VAL) == 3.0);
    CHECK(bln_rng_truncated_normal(&copy, 2.0, 2.0) == 2.0 && bln_rng_truncated_normal(&copy, HUGE_VAL, HUGE_VAL) == HUGE_VAL);
    copy = r;
    for (int i = 0; i < 2000; i++) {
        CHECK(bln_rng_student_t(&r, HUGE_VAL) == bln_rng_normal(&copy));   /* the normal itself */
        CHECK(!memcmp(&r, &copy, sizeof r));
        CHECK_NEAR(bln_rng_inverse_gaussian(&r, 1.0, 1e300), 1.0, 1e-148);
        x = bln_rng_inverse_gaussian(&r, 1e300, 1e-300);
        CHECK(x > 0.0 && x < HUGE_VAL);
        x = bln_rng_inverse_gaussian(&r, 1e-300, 1e300);
        CHECK_REL(x, 1e-300, 1e-15);
        x = bln_rng_student_t(&r, 1e-300);
        CHECK(x == HUGE_VAL || x == -HUGE_VAL);
        copy = r;
    }
}

TEST(distributions, arguments_outside_the_domain)
{
    const double nan = (double)NAN;
    const double bad[][2] = { { -1.0, 1.0 }, { 1.0, -1.0 }, { nan, 1.0 }, { 1.0, nan } };
    bln_rng r, before;
    bln_rng_seed(&r, 36, 0);
    before = r;
    for (size_t k = 0; k < 4; k++) {
        const double w = bln_rng_inverse_gaussian(&r, bad[k][0], bad[k][1]);
        CHECK(w != w);
    }
    const double a[] = { bln_rng_student_t(&r, 0.0), bln_rng_student_t(&r, -1.0),
                         bln_rng_student_t(&r, nan), bln_rng_truncated_normal(&r, 1.0, 0.0), bln_rng_truncated_normal(&r, nan, 0.0),
                         bln_rng_truncated_normal(&r, 0.0, nan) };
    for (size_t k = 0; k < sizeof a/sizeof *a; k++) CHECK(a[k] != a[k]);
    CHECK(!memcmp(&r, &before, sizeof r));
}

TEST(distributions, edges_of_the_domain)
{
    const double bad[] = { 0.0, -1.0, -HUGE_VAL };
    bln_rng r, before;
    bln_rng_seed(&r, 24, 0);
    before = r;
    for (size_t k = 0; k < 4; k++) {
        const double a = k < 3 ? bad[k] : (double)NAN;
        CHECK(bln_rng_gamma(&r, a) != bln_rng_gamma(&r, a));
        CHECK(bln_rng_log_gamma(&r, a) != bln_rng_log_gamma(&r, a));
        CHECK(bln_rng_chi2(&r, a) != bln_rng_chi2(&r, a));
    }
    CHECK(!memcmp(&r, &before, sizeof r));                  /* and draw nothing */
    for (int i = 0; i < 1000; i++) {
        CHECK(bln_rng_gamma(&r, 1e-300) == 0.0);
        CHECK(bln_rng_log_gamma(&r, 1e-300) < -1e290);
        CHECK_REL(bln_rng_gamma(&r, 1e300), 1e300, 1e-14);
        CHECK(bln_rng_gamma(&r, 1e-3) >= 0.0);
    }
}

SUITE_BEGIN(distributions)
    SUITE_TEST(distributions, reference_function_of_this_test)
    SUITE_TEST(distributions, gamma_in_logs)
    SUITE_TEST(distributions, gamma_is_the_exponential_of_its_log)
    SUITE_TEST(distributions, gamma_moments_sharply)
    SUITE_TEST(distributions, chi2_has_its_moments)
    SUITE_TEST(distributions, student_t)
    SUITE_TEST(distributions, inverse_gaussian)
    SUITE_TEST(distributions, truncated_normal)
    SUITE_TEST(distributions, laplace)
    SUITE_TEST(distributions, laplace_and_truncated_normal_sharply)
    SUITE_TEST(distributions, closed_distribution_functions)
    SUITE_TEST(distributions, inverse_gaussian_sharply)
    SUITE_TEST(distributions, truncated_normal_far_out)
    SUITE_TEST(distributions, limits)
    SUITE_TEST(distributions, arguments_outside_the_domain)
    SUITE_TEST(distributions, edges_of_the_domain)
SUITE_END(distributions)
