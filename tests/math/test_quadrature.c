/* quadrature: nodes and weights against high precision; exactness for polynomials; the trapezoid rule at its stated error; panels
 * against integrals known in closed form, with peaks, kinks, several outputs and their estimates of error. */
#include "../test.h"
#include "../golden/quadrature_golden.h"

static double quadrature_ulp(double x)
{
    int e;
    frexp(x, &e);
    return ldexp(1.0, e - 53);
}

/* z/sqrt 2 adds a rounding and a half (sqrt 2 as a double, the quotient): 2 ulp of x in all, and 1 of the weight. */
TEST(quadrature, hermite_golden)
{
    double z[64], w[64];
    size_t n = 0, i = 0;
    for (size_t row = 0; row < sizeof golden_gauss_hermite/sizeof *golden_gauss_hermite; row++, i++) {
        const double *g = golden_gauss_hermite[row];
        if ((size_t)g[0] != n || i == n) {
            n = (size_t)g[0];
            i = 0;
            CHECK_OK(blni_gauss_hermite(n, z, w));
        }
        CHECK_NEAR(z[i]/sqrt(2.0), g[1], 2.0*quadrature_ulp(g[1]));
        CHECK_NEAR(w[i], g[2], 1.0*quadrature_ulp(g[2]));
    }
}

/* E Z^{2k} = 1 3 5 .. (2k - 1), degree up to 2n - 1; the terms are all positive and each is good to 2k ulp of a node. */
TEST(quadrature, hermite_exactness)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 16, 33, 64, 129, 256 };
    double z[256], w[256];
    for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++) {
        const size_t n = sizes[s];
        double want = 1.0;
        CHECK_OK(blni_gauss_hermite(n, z, w));
        for (size_t k = 0; 2*k < 2*n && k < 90; k++) {
            double sum = 0.0;
            if (k) want *= 2.0*(double)k - 1.0;
            for (size_t i = n; i-- > 0;) sum += w[i]*pow(z[i]*z[i], (double)k);
            CHECK_REL(sum, want, (4.0 + 3.0*(double)k)*DBL_EPSILON);
        }
        for (size_t i = 0; i < n; i++) CHECK(z[i] == -z[n - 1 - i] && w[i] > 0.0 && (i == 0 || z[i] > z[i - 1]));
    }
    CHECK_STATUS(blni_gauss_hermite(0, z, w), BLN_EINVAL);
    CHECK_STATUS(blni_gauss_hermite(257, z, w), BLN_EINVAL);
}

/* The tables are the same rules. */
TEST(quadrature, tables)
{
    double z[16], w[16], tz[16], tw[16];
    for (size_t n = 4; n <= 16; n *= 2) {
        CHECK_OK(blni_gauss_hermite(n, z, w));
        blni_hermite_rule(n, tz, tw);
        for (size_t i = 0; i < n; i++) {
            CHECK_NEAR(tz[i], z[i], quadrature_ulp(z[i]));
            CHECK_NEAR(tw[i], w[i], quadrature_ulp(w[i]));
        }
    }
}

/* E cos(3 Z) = e^{-9/2}: aliased by cos(3 (z + 2 pi k/h)), an error below 2 exp(-(2 pi/h - 3)^2/2), and the tails beyond 8.5. */
TEST(quadrature, trapezoid)
{
    double z[2*544 + 1], w[2*544 + 1];
    for (double h = 1.0; h >= 1.0/64.0; h /= 2.0) {
        const size_t n = blni_normal_trapezoid(h, 0, 3, z, w);
        const double away = 2.0*BLNI_PI/h - 3.0;
        double sum = 0.0;
        CHECK_SIZE(n, 2*(size_t)ceil(8.5/h) + 1);
        blni_normal_trapezoid(h, 3, n - 3, z + 3, w + 3);
        for (size_t i = 0; i < n; i++) sum += w[i]*cos(3.0*z[i]);
        CHECK_NEAR(sum, exp(-4.5), 2.0*exp(-0.5*away*away) + 1e-16 + 8*DBL_EPSILON);
        if (h == 1.0) CHECK(fabs(sum - exp(-4.5)) > 1e-4);                   /* the bound is no empty one */
    }
    CHECK_SIZE(blni_normal_trapezoid(1e-9, 0, 0, NULL, NULL), 2*544 + 1);
    CHECK_SIZE(blni_normal_trapezoid(NAN, 0, 0, NULL, NULL), 2*9 + 1);
}

/* ---- panels */

static size_t quadrature_nodes;

static void quadrature_several(void *user, size_t n, const double *x, double *values)
{
    const double *shift = (const double *)user;
    quadrature_nodes += n;
    for (size_t i = 0; i < n; i++) {
        const double d = (x[i] - *shift)/1e-2;
        values[i] = exp(x[i]);
        values[n + i] = sqrt(fabs(x[i] - 0.3));
        values[2*n + i] = exp(-0.5*d*d);
    }
}

static void quadrature_odd(void *user, size_t n, const double *x, double *values)
{
    (void)user;
    for (size_t i = 0; i < n; i++) values[i] = x[i] - 0.5;
}

TEST(quadrature, panels)
{
    const double breaks[] = { 0.0, 0.3, 1.0 };
    double shift = 0.77, got[3];
    quadrature_nodes = 0;
    const double error = blni_integrate(quadrature_several, &shift, 3, 3, breaks, 1e-12, got);
    CHECK_LE(error, 1e-12);
    CHECK_NEAR(got[0], exp(1.0) - 1.0, 1e-14);
    CHECK_NEAR(got[1], (pow(0.3, 1.5) + pow(0.7, 1.5))/1.5, 1e-12);                /* a square root at an end of a panel */
    CHECK_REL(got[2], 1e-2*sqrt(2.0*BLNI_PI), 2e-12);                             /* a narrow peak that no break tells of */
    CHECK_LE((double)quadrature_nodes, 160*21*2.0);

    blni_integrate(quadrature_odd, NULL, 1, 3, breaks, 1e-12, got);
    CHECK_NEAR(got[0], 0.0, 1e-15);

    /* A polynomial of degree 31 and less is exact at once. */
    quadrature_nodes = 0;
    CHECK_LE(blni_integrate(quadrature_several, &shift, 1, 3, breaks, 1e-10, got), 1e-10);
    CHECK_SIZE(quadrature_nodes, 42);
    CHECK_NEAR(got[0], exp(1.0) - 1.0, 8*DBL_EPSILON);
}

static void quadrature_awkward(void *user, size_t n, const double *x, double *values)
{
    const int what = *(const int *)user;
    for (size_t i = 0; i < n; i++)
        values[i] = what == 0 ? 0.0 : what == 1 ? (x[i] > 0.1 ? NAN : 1.0) : what == 2 ? 1.0/fabs(x[i] - 1.0/3.0) : fabs(x[i]
                - 0.1234);
}

TEST(quadrature, panels_that_cannot_be_done)
{
    const double breaks[] = { 0.0, 1.0 };
    double got = 7.0;
    int what = 0;
    CHECK_NEAR(blni_integrate(quadrature_awkward, &what, 1, 2, breaks, 1e-12, &got), 0.0, 0.0);
    CHECK_NEAR(got, 0.0, 0.0);
    what = 1;
    blni_integrate(quadrature_awkward, &what, 1, 2, breaks, 1e-12, &got);
    CHECK(got != got);
    what = 2;                                                  /* no such integral: it ends, and says so */
    CHECK(blni_integrate(quadrature_awkward, &what, 1, 2, breaks, 1e-12, &got) > 1e-3);
    what = 3;                                                  /* a kink somewhere: halved until it does not matter */
    CHECK_LE(blni_integrate(quadrature_awkward, &what, 1, 2, breaks, 1e-12, &got), 1e-12);
    CHECK_NEAR(got, 0.5*(0.1234*0.1234 + 0.8766*0.8766), 1e-13);
    CHECK_NEAR(blni_integrate(quadrature_awkward, &what, 1, 1, breaks, 1e-12, &got), 0.0, 0.0);
    CHECK_NEAR(got, 0.0, 0.0);
}

/* Nodes below 0 itself, a node where there is one; no arrays; more breaks than are used. */
TEST(quadrature, edges)
{
    double z[4], w[4], breaks[70], got;
    int what = 3;
    for (size_t n = 1; n < 9; n++) CHECK_SIZE(blni_hermite_below(n, 0.0), n/2);
    CHECK_STATUS(blni_gauss_hermite(4, NULL, w), BLN_EINVAL);
    CHECK_STATUS(blni_gauss_hermite(4, z, NULL), BLN_EINVAL);
    for (size_t i = 0; i < 70; i++) breaks[i] = (double)i/63.0;              /* the 64th is at 1 */
    blni_integrate(quadrature_awkward, &what, 1, 70, breaks, 1e-12, &got);
    CHECK_REL(got, 0.5*(0.1234*0.1234 + 0.8766*0.8766), 2e-12);
}

/* Logs of functions: a normal that is no number beyond 3, one that rises without end, nothing at all. */
static void quadrature_hill(void *user, size_t n, const double *x, double *values)
{
    const int what = *(const int *)user;
    for (size_t i = 0; i < n; i++)
        values[i] = what == 0 ? (x[i] > 3.0 ? NAN : -0.5*x[i]*x[i]) : what == 1 ? x[i] : -HUGE_VAL;
}

TEST(quadrature, hills)
{
    const double starts[2] = { -90.0, 90.0 }, scales[2] = { 1.0, 1.0 };
    double breaks[BLNI_INTEGRATE_BREAKS], top;
    int what = 0;
    CHECK_NEAR(blni_bump_log_integral(quadrature_hill, &what, 2, starts, scales, -20.0, 3.0, 0, 1e-12),
               0.5*BLNI_LOG_2PI + log(bln_norm_cdf(3.0)), 1e-10);            /* starts outside are moved to the ends */
    CHECK(blni_bump_breaks(quadrature_hill, &what, 1, starts + 1, scales, -HUGE_VAL, HUGE_VAL, 0, breaks, &top) > 3);
    CHECK_NEAR(top, 0.0, 0.02);                                              /* from where there is no number, too */
    what = 1;
    CHECK(blni_bump_breaks(quadrature_hill, &what, 1, starts, scales, -HUGE_VAL, HUGE_VAL, 0, breaks, &top) > 1);
    CHECK(top > 1e13 && blni_finite(top));                                   /* it climbs 60 steps and goes on from there */
    what = 2;
    CHECK(blni_bump_log_integral(quadrature_hill, &what, 2, starts, scales, -20.0, 3.0, 0, 1e-12) == -HUGE_VAL);
}

SUITE_BEGIN(quadrature)
SUITE_TEST(quadrature, hermite_golden)
SUITE_TEST(quadrature, hermite_exactness)
SUITE_TEST(quadrature, tables)
SUITE_TEST(quadrature, trapezoid)
SUITE_TEST(quadrature, panels)
SUITE_TEST(quadrature, panels_that_cannot_be_done)
SUITE_TEST(quadrature, edges)
SUITE_TEST(quadrature, hills)
SUITE_END(quadrature)
