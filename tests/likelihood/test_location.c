/* location: Gaussian, Student-t and Laplace against high precision; draws, quantiles and cdf belong together; far out nothing is
 * lost; the limits that they have in common. The asymmetric Laplace against its definition, sums, and Laplace. */
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
    likelihood_check_family("asymmetric_laplace", 2.25, location_f, 3, 40);
}

/* Student-t tends to the Gaussian: log p differs by O((z^4 + 1)/nu), here < 1e-5 at nu = 1e6 and |z| <= 2; a huge residual gives
 * finite values, and zero derivatives rather than NaN. */
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

/* ---- asymmetric Laplace */

/* log tau (1 - tau)/b - r (tau - [r < 0])/b: its definition; f is the tau-quantile; the moments of exponentials. */
TEST(location, asymmetric_laplace_by_its_definition)
{
    static const double taus[] = { 0.05, 0.3, 0.5, 0.9 };
    const double b = 0.7, f = 0.4, v = 2.25, scale = b*1.5;
    for (size_t k = 0; k < 4; k++) {
        const double tau = taus[k];
        const bln_likelihood l = bln_likelihood_asymmetric_laplace(tau);
        likelihood_row r;
        double a[4], low, high, p, mean, var;
        for (double y = -6.0; y < 7.0; y += 0.7) {
            const double d = y - f, loss = d*(tau - (d < 0.0 ? 1.0 : 0.0));
            likelihood_row_set(&r, &l, y, v);
            bln_likelihood_eval(&l, &b, 1, &r.t, &f, a, a + 1, a + 2, a + 3);
            CHECK_NEAR(a[0], log(tau*(1.0 - tau)/scale) - loss/scale, 1e-13);
            CHECK_NEAR(a[1], (tau - (d < 0.0 ? 1.0 : 0.0))/scale, 1e-15);
            CHECK(a[2] == 0.0 && a[3] == 0.0);
            bln_likelihood_cdf(&l, &b, 1, &r.t, &f, &low, &high);
            CHECK_NEAR(low, d < 0.0 ? tau*exp((1.0 - tau)*d/scale) : 1.0 - (1.0 - tau)*exp(-tau*d/scale), 1e-15);
            CHECK_NEAR(low + high, 1.0, 1e-15);
        }
        r.y = f;
        bln_likelihood_cdf(&l, &b, 1, &r.t, &f, &low, &high);
        CHECK_REL(low, tau, 1e-15);
        bln_likelihood_quantile(&l, &b, 1, &r.t, &f, &tau, &p);
        CHECK_NEAR(p, f, 1e-15);
        bln_likelihood_moments(&l, &b, 1, &r.t, &f, &mean, &var);
        CHECK_NEAR(mean, f + scale*(1.0 - 2.0*tau)/(tau*(1.0 - tau)), 1e-13);
        CHECK_REL(var, scale*scale*(1.0 - 2.0*tau + 2.0*tau*tau)/(tau*tau*(1.0 - tau)*(1.0 - tau)), 1e-14);
    }
    const bln_likelihood none = bln_likelihood_asymmetric_laplace(1.0), nan = bln_likelihood_asymmetric_laplace((double)NAN);
    CHECK(bln_likelihood_check(&none) && bln_likelihood_check(&nan));
}

/* Under f ~ N(m, v): what is in closed form against midpoint sums with a step of 1e-3 sd over 9 sd, whose error is h^2/8 of the
 * jump of a slope (here below 4), h/2 of that of a value. */
TEST(location, asymmetric_laplace_under_a_normal)
{
    static const double ys[] = { -3.0, 0.3, 0.9, 6.0 };
    const bln_likelihood l = bln_likelihood_asymmetric_laplace(0.2);
    const double b = 0.6, m = 0.5, v = 1.7, s = sqrt(v), h = 1e-3;
    for (size_t k = 0; k < 4; k++) {
        likelihood_row r;
        double value, dm, dv, dtheta, logp, low, high, sum[6] = { 0.0 }, e, d1, db, cdf, rest;
        bln_targets t;
        double room[BLNI_CONSTANTS_ROOM];
        likelihood_row_set(&r, &l, ys[k], 1.0);
        t = blni_targets_block(&l, &b, &r.t, 0, 1, room);
        l.ops->normal_expect(&l, &b, 1, &t, &m, &v, 0.0, &value, &dm, &dv, &dtheta, 1);
        l.ops->normal_logp(&l, &b, 1, &t, &m, &v, &logp);
        l.ops->normal_cdf(&l, &b, 1, &t, &m, &v, &low, &high);
        for (double z = -9.0 + 0.5*h; z < 9.0; z += h) {
            const double f = m + s*z, w = h*bln_norm_pdf(z);
            l.ops->eval(&l, &b, 1, &t, &f, &e, &d1, NULL, NULL);
            l.ops->eval_param(&l, &b, 0, 1, &t, &f, &db, NULL, NULL);
            l.ops->cdf(&l, &b, 1, &t, &f, &cdf, &rest);
            sum[0] += w*e;
            sum[1] += w*d1;
            sum[2] += w*d1*z/(2.0*s);
            sum[3] += w*db;
            sum[4] += w*exp(e);
            sum[5] += w*cdf;
        }
        CHECK_NEAR(value, sum[0], 1e-6);
        CHECK_NEAR(dm, sum[1], 1e-3);                    /* sums over a step of d1: h N(z)/b */
        CHECK_NEAR(dv, sum[2], 1e-3);
        CHECK_NEAR(dtheta, sum[3], 1e-6);
        CHECK_NEAR(exp(logp), sum[4], 1e-6);
        CHECK_NEAR(low, sum[5], 1e-6);
        CHECK_NEAR(low + high, 1.0, 1e-14);
    }
}

/* tau = 1/2 and the scale b are Laplace with 2 b. */
TEST(location, asymmetric_laplace_in_the_middle)
{
    const bln_likelihood l = bln_likelihood_laplace(), a = bln_likelihood_asymmetric_laplace(0.5);
    const double b = 0.4, twice = 0.8, m = 0.3, v = 1.9;
    for (double y = -4.0; y < 5.0; y += 0.9) {
        likelihood_row r;
        double x[4], z[4], room[BLNI_CONSTANTS_ROOM], space[BLNI_CONSTANTS_ROOM];
        likelihood_row_set(&r, &l, y, 2.25);
        const bln_targets t = blni_targets_block(&l, &twice, &r.t, 0, 1, room), u = blni_targets_block(&a, &b, &r.t, 0, 1, space);
        l.ops->normal_expect(&l, &twice, 1, &t, &m, &v, 0.0, x, x + 1, x + 2, x + 3, 1);
        a.ops->normal_expect(&a, &b, 1, &u, &m, &v, 0.0, z, z + 1, z + 2, z + 3, 1);
        for (int k = 0; k < 4; k++) CHECK_NEAR(z[k], k == 3 ? 2.0*x[k] : x[k], 1e-14*fmax(1.0, fabs(z[k])));
        l.ops->normal_logp(&l, &twice, 1, &t, &m, &v, x);
        a.ops->normal_logp(&a, &b, 1, &u, &m, &v, z);
        CHECK_NEAR(z[0], x[0], 1e-14*fmax(1.0, fabs(x[0])));
        l.ops->normal_cdf(&l, &twice, 1, &t, &m, &v, x, x + 1);
        a.ops->normal_cdf(&a, &b, 1, &u, &m, &v, z, z + 1);
        CHECK_NEAR(z[0], x[0], 1e-15);
        CHECK_NEAR(z[1], x[1], 1e-15);
    }
}

/* A known f at y itself: log p of the Laplace density there, whose slopes are 0 as the mean of those on either side. */
TEST(location, laplace_at_y)
{
    const bln_likelihood l = bln_likelihood_laplace();
    const double b = 0.8, f = 1.3, v = 0.0;
    double value, dm, dv, db;
    likelihood_row r;
    likelihood_row_set(&r, &l, f, 1.0);
    blni_likelihood_expect(&l, &b, 1, &r.t, &f, &v, 0.0, &value, &dm, &dv, &db, 1);
    CHECK_NEAR(value, -log(2.0*b), 1e-15);
    CHECK(dm == 0.0 && dv == 0.0);
    CHECK_REL(db, -1.0/b, 1e-15);
}

SUITE_BEGIN(location)
SUITE_TEST(location, golden)
SUITE_TEST(location, distributions)
SUITE_TEST(location, student_limits)
SUITE_TEST(location, log_tails)
SUITE_TEST(location, asymmetric_laplace_by_its_definition)
SUITE_TEST(location, asymmetric_laplace_under_a_normal)
SUITE_TEST(location, asymmetric_laplace_in_the_middle)
SUITE_TEST(location, laplace_at_y)
SUITE_END(location)
