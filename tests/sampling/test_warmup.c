/* test_warmup: the schedule, the step that dual averaging ends with, the metric of some positions */
#include "../test.h"

TEST(warmup, windows)
{
    static const struct { size_t warmup, ends[8]; } want[] = {
        { 1000, { 100, 150, 250, 450, 950 } }, { 150, { 100 } }, { 200, { 100, 150 } }, { 300, { 100, 150, 250 } },
        { 149, { 135 } }, { 100, { 90 } }, { 20, { 18 } },
        { 19, { 0 } }, { 0, { 0 } }, { 10000, { 100, 150, 250, 450, 850, 1650, 3250, 9950 } }
    };
    for (size_t i = 0; i < sizeof want/sizeof *want; i++) {
        blni_windows w = blni_windows_of(want[i].warmup);
        size_t n = 0;
        for (size_t t = 0; t < want[i].warmup; t++) {
            if (!blni_windows_end(&w, t)) continue;
            CHECK(n < 8 && t + 1 == want[i].ends[n]);
            n++;
        }
        CHECK(n == 8 || want[i].ends[n] == 0);
    }
    const blni_windows w = blni_windows_of(100), all = blni_windows_of(1000);
    CHECK(w.first == 15 && w.last == 90 && all.first == 75 && all.last == 950);
}

/* Of acceptances e^(-3 step) with noise, the step with the wanted mean is -log(wanted)/3. The average forgets its start as t^-0.75;
 * noise of 0.2 leaves about 0.2 wanted'/sqrt(t) of it. */
TEST(warmup, averaging_finds_the_step)
{
    static const double wanted[] = { 0.8, 0.65, 0.95 };
    for (int i = 0; i < 3; i++)
        for (int far = -1; far <= 1; far++) {
            blni_averaging a;
            test_random r = test_random_new(5);
            double step = pow(100.0, (double)far);
            blni_averaging_start(&a, step, wanted[i]);
            for (int t = 0; t < 2000; t++) {
                step = blni_averaging_next(&a, exp(-3.0*step) + 0.2*(test_uniform(&r) - 0.5));
            }
            CHECK_NEAR(log(blni_averaging_end(&a)/(-log(wanted[i])/3.0)), 0.0, 0.15);
        }
}

/* The first two steps by the formulas [samplers 33], done by hand. */
TEST(warmup, averaging_by_hand)
{
    blni_averaging a;
    blni_averaging_start(&a, 0.1, 0.8);
    const double H1 = (0.8 - 0.5)/11.0, x1 = log(1.0) - 1.0/0.05*H1;
    CHECK_NEAR(blni_averaging_next(&a, 0.5), exp(x1), 1e-14);
    CHECK_NEAR(blni_averaging_end(&a), exp(x1), 1e-14);
    const double H2 = (1.0 - 1.0/12.0)*H1 + (0.8 - 0.9)/12.0, x2 = -sqrt(2.0)/0.05*H2, w = pow(2.0, -0.75);
    CHECK_NEAR(blni_averaging_next(&a, 0.9), exp(x2), 1e-14);
    CHECK_NEAR(blni_averaging_end(&a), exp(w*x2 + (1.0 - w)*x1), 1e-14);
}

/* Against two passes; means far from 0 lose no digits beyond those of the data. */
TEST(warmup, metric_of_positions)
{
    enum { D = 4, N = 37 };
    double q[N*D], mean[D] = { 0 }, cov[D*D] = { 0 }, scale[D], U[D*D] = { 0 }, room[2*D + D*D];
    test_random r = test_random_new(6);
    const double n = N, shrink = n/(n + 5.0), unit = 1e-3*5.0/(n + 5.0);
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < D; i++)
            mean[i] += (q[k*D + i] = 1000.0*(double)i + test_normal(&r) + (i ? 0.7*(q[k*D + i - 1] - 1e3*(double)(i - 1)) : 0.0))/n;
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < D; j++) cov[i*D + j] += (q[k*D + i] - mean[i])*(q[k*D + j] - mean[j])/(n - 1.0);
    for (int dense = 0; dense < 2; dense++) {
        blni_spread s = { D, 0, dense, room, room + 2*D, room + D };
        blni_spread_clear(&s);
        CHECK(!blni_spread_metric(&s, scale, U));
        for (size_t k = 0; k < N; k++) blni_spread_add(&s, q + k*D);
        CHECK(blni_spread_metric(&s, scale, U));
        for (size_t i = 0; i < D; i++) {
            if (!dense) CHECK_REL(scale[i]*scale[i], shrink*cov[i*D + i] + unit, 1e-11);
            for (size_t j = i; j < D && dense; j++) {
                double sum = 0.0;
                for (size_t l = 0; l <= i; l++) sum += U[l*D + i]*U[l*D + j];
                CHECK_NEAR(sum, i == j ? shrink*cov[i*D + j] + unit : shrink*cov[i*D + j]*n/(n + 0.2*D), 1e-11);
            }
        }
    }
    /* Positions that are no numbers teach nothing. */
    blni_spread s = { D, 0, 0, room, room + 2*D, room + D };
    blni_spread_clear(&s);
    q[2] = 1e200;
    q[D + 2] = -1e200;
    for (size_t k = 0; k < 2; k++) blni_spread_add(&s, q + k*D);
    scale[0] = 7.0;
    CHECK(!blni_spread_metric(&s, scale, U) && scale[0] == 7.0);
}

/* Fewer draws than coordinates: the metric of 25 draws of 100 independent normals is not far from I in any direction. */
TEST(warmup, few_draws_of_many)
{
    enum { D = 100, N = 25 };
    static double room[2*D + D*D], U[D*D], q[D];
    double least = 1e9, v[D];
    test_random r = test_random_new(8);
    blni_spread s = { D, 0, 1, room, room + 2*D, room + D };
    blni_spread_clear(&s);
    for (size_t k = 0; k < N; k++) {
        for (size_t i = 0; i < D; i++) q[i] = test_normal(&r);
        blni_spread_add(&s, q);
    }
    CHECK(blni_spread_metric(&s, NULL, U));
    for (size_t i = 0; i < D; i++) v[i] = test_normal(&r);
    for (int sweep = 0; sweep < 60; sweep++) {                   /* v'M v/v'v by inverse iteration, M = U'U */
        bln_trsv(BLN_TRANS, D, U, D, v);
        bln_trsv(BLN_NOTRANS, D, U, D, v);
        const double norm = sqrt(bln_dot(D, v, v));
        least = 1.0/norm;
        bln_scal(D, 1.0/norm, v);
    }
    CHECK(least > 0.1 && least < 1.0);      /* some 0.44 25/30 of the least of 100 variances, 0.4; else 1.7e-4 */
}

SUITE_BEGIN(warmup)
SUITE_TEST(warmup, windows)
SUITE_TEST(warmup, averaging_finds_the_step)
SUITE_TEST(warmup, averaging_by_hand)
SUITE_TEST(warmup, metric_of_positions)
SUITE_TEST(warmup, few_draws_of_many)
SUITE_END(warmup)
