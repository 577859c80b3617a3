/* test_vecmath - sine and cosine of quarter turns: error in ulp, exact values, huge angles, edges of the blocks */
#include "../test.h"
#include "../golden/vecmath_golden.h"

/* The error in units of the last place of the true value hi + lo. */
static double vecmath_ulp(double got, double hi, double lo)
{
    int e;
    frexp(hi, &e);
    return fabs((got - hi) - lo)/ldexp(1.0, e < -1020 ? -1073 : e - 53);
}

TEST(vecmath, sincos_ulp)
{
    const size_t n = sizeof golden_sincos/sizeof *golden_sincos/5;
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double *g = golden_sincos + 5*i;
        double s, c;
        bln_sincos_quarter(1, g, &s, &c);
        /* The promise of the header. Where the truth is 0 it must be 0: whole quarter turns are exact. */
        if (g[1] == 0.0) CHECK(s == 0.0); else CHECK_LE(vecmath_ulp(s, g[1], g[2]), 1.5);
        if (g[3] == 0.0) CHECK(c == 0.0); else CHECK_LE(vecmath_ulp(c, g[3], g[4]), 1.5);
        if (g[1] != 0.0) worst = fmax(worst, vecmath_ulp(s, g[1], g[2]));
    }
    CHECK_LE(0.5, worst);      /* the measure does measure something */
}

/* sin^2 + cos^2 = 1: an ulp is at most eps relative, so errors of 1.5 ulp move the sum by at most 2 1.5 eps (s^2 + c^2) = 3 eps,
 * and the test's own three roundings by 1 eps. Neither exceeds 1. */
TEST(vecmath, sincos_on_the_circle)
{
    test_random r = test_random_new(1);
    double z[1000], s[1000], c[1000];
    for (size_t i = 0; i < 1000; i++) z[i] = test_normal(&r)*pow(10.0, 20.0*test_uniform(&r) - 3.0);
    bln_sincos_quarter(1000, z, s, c);
    for (size_t i = 0; i < 1000; i++) {
        CHECK_NEAR(s[i]*s[i] + c[i]*c[i], 1.0, 4*DBL_EPSILON);
        CHECK_LE(fabs(s[i]), 1.0);
        CHECK_LE(fabs(c[i]), 1.0);
    }
}

/* Any length, in place or not, at any alignment: the same bits as one at a time, and nothing beyond the end is touched. */
TEST(vecmath, sincos_blocks)
{
    test_random r = test_random_new(2);
    const double guard = 2.5;
    double z[102], s[102], c[102], in[102], s1, c1;
    for (size_t n = 0; n <= 100; n++) {
        for (size_t i = 0; i < 102; i++) { in[i] = z[i] = 10.0*test_normal(&r); s[i] = c[i] = guard; }
        if (n > 40) in[40] = z[40] = 1e200;                        /* one huge angle in the block */
        bln_sincos_quarter(n, z + 1, s + 1, c + 1);
        CHECK(s[0] == guard && c[0] == guard && s[n + 1] == guard && c[n + 1] == guard);
        bln_sincos_quarter(n, in + 1, in + 1, z + 1);              /* the sine over the angles */
        for (size_t i = 1; i <= n; i++) CHECK(in[i] == s[i] && z[i] == c[i]);
    }
    for (size_t i = 0; i < 102; i++) in[i] = z[i] = 10.0*test_normal(&r);
    bln_sincos_quarter(102, z, s, z);                              /* the cosine over the angles */
    for (size_t i = 0; i < 102; i++) {
        bln_sincos_quarter(1, in + i, &s1, &c1);
        CHECK(s[i] == s1 && z[i] == c1);
    }
}

TEST(vecmath, sincos_not_finite)
{
    double z[5], s[5], c[5];
    z[0] = 0.5; z[1] = HUGE_VAL; z[2] = -HUGE_VAL; z[3] = BLNI_NAN; z[4] = -0.0;
    bln_sincos_quarter(5, z, s, c);
    for (size_t i = 1; i < 4; i++) CHECK(s[i] != s[i] && c[i] != c[i]);
    CHECK_NEAR(s[0], sqrt(0.5), 2*DBL_EPSILON);
    CHECK(s[4] == 0.0 && 1.0/s[4] < 0.0);                          /* the sine keeps the sign of zero */
    CHECK(c[4] == 1.0);
}

SUITE_BEGIN(vecmath)
    SUITE_TEST(vecmath, sincos_ulp)
    SUITE_TEST(vecmath, sincos_on_the_circle)
    SUITE_TEST(vecmath, sincos_blocks)
    SUITE_TEST(vecmath, sincos_not_finite)
SUITE_END(vecmath)
