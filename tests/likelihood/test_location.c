/* location: Gaussian, Student-t and Laplace against high precision; draws, quantiles and cdf belong together; far out nothing is lost;
 * the limits that they have in common. */
#include "likelihood_tools.h"

static const double location_f[] = { -2.0, 0.3, 40.0 };

TEST(location, golden)
{
    likelihood_check_golden("gaussian");
    likelihood_check_golden("student_t");
    likelihood_check_golden("laplace");
}

TEST(location, distributions)
{
    likelihood_check_family("gaussian", 2.25, location_f, 3, 10);
    likelihood_check_family("student_t", 2.25, location_f, 3, 20);
    likelihood_check_family("laplace", 2.25, location_f, 3, 30);
}

/* Student-t tends to the Gaussian: log p differs by O((z^4 + 1)/nu), here < 1e-5 at nu = 1e6 and |z| <= 2; a huge residual gives finite
 * values, and zero derivatives rather than NaN. */
TEST(location, student_limits)
{
    const bln_likelihood s = bln_likelihood_student_t(), g = bln_likelihood_gaussian();
    const double theta[2] = { 0.7, 1e6 }, variance = 0.49, far[] = { -1e200, 1e300, 1e155 };
    likelihood_row r;
    double a[4], b[4];
    for (double f = -1.4; f <= 1.4; f += 0.35) {
        likelihood_row_set(&r, &s, 0.0, 1.0);
        bln_likelihood_eval(&s, theta, 1, &r.t, &f, a, a + 1, a + 2, NULL);
        bln_likelihood_eval(&g, &variance, 1, &r.t, &f, b, b + 1, b + 2, NULL);
        for (int j = 0; j < 3; j++) CHECK_NEAR(a[j], b[j], 5e-5);
    }
    for (size_t i = 0; i < 3; i++) {
        const double f = 0.5, nu4[2] = { 0.7, 4.0 };
        likelihood_row_set(&r, &s, far[i], 1.0);
        bln_likelihood_eval(&s, nu4, 1, &r.t, &f, a, a + 1, a + 2, a + 3);
        CHECK_REL(a[0], bln_lgamma(2.5) - 0.5*log(BLNI_PI*4.0*0.49) + 2.5*log(4.0*0.49) - 5.0*log(fabs(far[i])), 1e-14);
        CHECK_NEAR(a[1], 0.0, 1e-140);
        CHECK_NEAR(a[2], 0.0, 1e-280);
        CHECK_NEAR(a[3], 0.0, 1e-280);
    }
}

/* log tails where the tails themselves are 0: the first terms of Laplace's and the normal's are known. */
TEST(location, log_tails)
{
    const bln_likelihood g = bln_likelihood_gaussian(), l = bln_likelihood_laplace();
    const double one = 1.0, f = 0.0;
    likelihood_row r;
    double low, high;
    likelihood_row_set(&r, &g, -60.0, 1.0);
    bln_likelihood_logcdf(&g, &one, 1, &r.t, &f, &low, &high);
    CHECK_REL(low, -1805.0135606805671, 1e-14);                                /* mpmath: log(ncdf(-60)) */
    CHECK_NEAR(high, 0.0, 0.0);
    likelihood_row_set(&r, &l, 2000.0, 4.0);
    bln_likelihood_logcdf(&l, &one, 1, &r.t, &f, &low, &high);
    CHECK_REL(high, -1000.0 - log(2.0), 1e-15);
    CHECK_NEAR(low, 0.0, 0.0);
}

SUITE_BEGIN(location)
SUITE_TEST(location, golden)
SUITE_TEST(location, distributions)
SUITE_TEST(location, student_limits)
SUITE_TEST(location, log_tails)
SUITE_END(location)
