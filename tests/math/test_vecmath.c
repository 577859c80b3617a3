/* test_vecmath - functions over arrays, at every level: error in ulp, special values, ends of the range, edges of the blocks, and
 * the same bits from every compiler at level 0 */
#include "../test.h"
#include "../golden/vecmath_golden.h"

typedef void (*vecmath_fn)(size_t n, const double *x, double *y);

/* The sine and the cosine as functions with one result each. */
static void vecmath_sin(size_t n, const double *z, double *s)
{
    double c[256];
    bln_sincos_quarter(n, z, s, c);
}

static void vecmath_cos(size_t n, const double *z, double *c)
{
    double s[256];
    bln_sincos_quarter(n, z, s, c);
}

/* The functions, the promises of the header for level 0 and above it, and where the golden values are: rows of `step` numbers, x
 * first, the value in the columns `at` and at + 1. */
static const struct { const char *name; vecmath_fn f; double ulp0, ulp; const double *golden; size_t size, step, at; } vecmath[] = {
    { "sin", vecmath_sin, 1.5, 1.3, golden_sincos, sizeof golden_sincos, 5, 1 },
    { "cos", vecmath_cos, 1.5, 1.3, golden_sincos, sizeof golden_sincos, 5, 3 },
    { "exp", bln_vec_exp, 1.1, 1.1, golden_exp, sizeof golden_exp, 3, 1 },
    { "log", bln_vec_log, 0.9, 0.9, golden_log, sizeof golden_log, 3, 1 },
    { "log1pexp", bln_vec_log1pexp, 1.9, 1.9, golden_log1pexp, sizeof golden_log1pexp, 3, 1 },
    { "lgamma", bln_vec_lgamma, 4.5, 4.5, golden_lgamma, sizeof golden_lgamma, 3, 1 }
};
enum { VECMATH_N = sizeof vecmath/sizeof *vecmath };

/* The error in units of the last place of the true value hi + lo, of which subnormal numbers have fewer. */
static double vecmath_ulp(double got, double hi, double lo)
{
    int e;
    frexp(hi, &e);
    return fabs((got - hi) - lo)/ldexp(1.0, hi == 0.0 || e < -1021 ? -1074 : e - 53);
}

TEST(vecmath, errors_in_ulp)
{
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        for (size_t k = 0; k < VECMATH_N; k++) {
            const size_t step = vecmath[k].step, n = vecmath[k].size/sizeof(double)/step;
            double worst = 0.0;
            for (size_t i = 0; i < n; i++) {
                const double *g = vecmath[k].golden + i*step, hi = g[vecmath[k].at], lo = g[vecmath[k].at + 1];
                double y;
                vecmath[k].f(1, g, &y);
                /* Where the truth is 0 it must be 0: whole quarter turns, logarithms of 1, log Gamma at 1 and 2. */
                if (hi == 0.0 && lo == 0.0 && k != 2) { CHECK(y == 0.0); continue; }
                const double ulp = vecmath_ulp(y, hi, lo);
                if (!(ulp <= worst)) worst = ulp;
                if (!(ulp <= (level ? vecmath[k].ulp : vecmath[k].ulp0)))
                    printf("    %s(%.17g), level %d: %.17g, %.3f ulp off\n", vecmath[k].name, g[0], level, y, ulp);
            }
            CHECK_LE(worst, level ? vecmath[k].ulp : vecmath[k].ulp0);
            CHECK_LE(0.45, worst);         /* the measure does measure something: rounding alone comes close to 1/2 */
        }
    }
    bln_cpu_level_force(-1);
}

/* f(x) = y, as bits but for NaN. */
static void vecmath_exactly(size_t k, double x, double y)
{
    double got;
    vecmath[k].f(1, &x, &got);
    const int same = y != y ? got != got : got == y && !memcmp(&got, &y, sizeof y);
    CHECK(same);
    if (!same) printf("    %s(%g), level %d: %.17g, not %.17g\n", vecmath[k].name, x, bln_cpu_level(), got, y);
}

TEST(vecmath, special_values)
{
    enum { SIN, COS, EXP, LOG, LOG1PEXP, LGAMMA };
    const double inf = HUGE_VAL, nan = BLNI_NAN, tiny = 4.9406564584124654e-324;
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        for (size_t k = 0; k < VECMATH_N; k++) {
            vecmath_exactly(k, nan, nan);
            vecmath_exactly(k, -nan, nan);
        }
        vecmath_exactly(SIN, inf, nan);         vecmath_exactly(SIN, -inf, nan);
        vecmath_exactly(COS, inf, nan);         vecmath_exactly(COS, -inf, nan);
        vecmath_exactly(SIN, -0.0, -0.0);       vecmath_exactly(SIN, 0.0, 0.0);         vecmath_exactly(COS, -0.0, 1.0);
        vecmath_exactly(EXP, inf, inf);         vecmath_exactly(EXP, -inf, 0.0);        vecmath_exactly(EXP, -0.0, 1.0);
        vecmath_exactly(EXP, 709.7827128933841, inf);                                   /* log of the largest number, rounded up */
        vecmath_exactly(EXP, 1e300, inf);       vecmath_exactly(EXP, -1e300, 0.0);      vecmath_exactly(EXP, -745.14, 0.0);
        vecmath_exactly(EXP, -745.13, tiny);    vecmath_exactly(EXP, tiny, 1.0);
        vecmath_exactly(LOG, 0.0, -inf);        vecmath_exactly(LOG, -0.0, -inf);       vecmath_exactly(LOG, inf, inf);
        vecmath_exactly(LOG, -inf, nan);        vecmath_exactly(LOG, -tiny, nan);       vecmath_exactly(LOG, -1.0, nan);
        vecmath_exactly(LOG, 1.0, 0.0);
        vecmath_exactly(LOG1PEXP, inf, inf);    vecmath_exactly(LOG1PEXP, -inf, 0.0);   vecmath_exactly(LOG1PEXP, -745.13, tiny);
        vecmath_exactly(LOG1PEXP, 1e300, 1e300);
        vecmath_exactly(LGAMMA, 0.0, inf);      vecmath_exactly(LGAMMA, -0.0, inf);     vecmath_exactly(LGAMMA, inf, inf);
        vecmath_exactly(LGAMMA, -inf, nan);     vecmath_exactly(LGAMMA, -1.5, nan);     vecmath_exactly(LGAMMA, -tiny, nan);
        vecmath_exactly(LGAMMA, 1.0, 0.0);      vecmath_exactly(LGAMMA, 2.0, 0.0);      vecmath_exactly(LGAMMA, 2.6e305, inf);
    }
    bln_cpu_level_force(-1);
}

/* Any length, in place or not, at any alignment: the same bits as one at a time (x87: the same to its wider rounding), and nothing
 * beyond the end is touched. Among the numbers are some that go other ways than their neighbours in a block. */
TEST(vecmath, blocks)
{
    static const double odd[] = { 0.0, -1.0, 1e-310, 1e200, 800.0, -800.0, 3e15 };
    const double guard = 2.5;
    double x[102], y[102], single[102];
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        for (size_t k = 0; k < VECMATH_N; k++) {
            test_random r = test_random_new(2);
            for (size_t i = 0; i < 102; i++) x[i] = i%9 == 4 ? odd[i/9%7] : fabs(10.0*test_normal(&r));
            for (size_t i = 0; i < 102; i++) vecmath[k].f(1, x + i, single + i);
            for (size_t n = 0; n <= 100; n++) {
                int same = 1;
                for (size_t i = 0; i < 102; i++) y[i] = guard;
                vecmath[k].f(n, x + 1, y + 1);
                for (size_t i = 1; i <= n; i++) same = same && (single[i] != single[i] ? y[i] != y[i] : y[i] == single[i]);
                CHECK(same && y[0] == guard && y[n + 1] == guard);
                memcpy(y, x, sizeof y);
                vecmath[k].f(n, y + 1, y + 1);
                for (size_t i = 1; i <= n; i++) same = same && (single[i] != single[i] ? y[i] != y[i] : y[i] == single[i]);
                CHECK(same && y[0] == x[0] && y[n + 1] == x[n + 1]);
            }
        }
    }
    bln_cpu_level_force(-1);
}

/* Sine or cosine over the angles. */
TEST(vecmath, sincos_in_place)
{
    test_random r = test_random_new(3);
    double z[75], s[75], c[75], t[75];
    for (size_t i = 0; i < 75; i++) z[i] = 10.0*test_normal(&r);
    z[40] = 1e200;
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        bln_sincos_quarter(75, z, s, c);
        memcpy(t, z, sizeof t);
        bln_sincos_quarter(75, t, t, s);
        CHECK(!memcmp(s, c, sizeof c));
        memcpy(s, z, sizeof s);
        bln_sincos_quarter(75, s, c, s);
        CHECK(!memcmp(t, c, sizeof c));
    }
    bln_cpu_level_force(-1);
}

/* sin^2 + cos^2 = 1: an ulp is at most eps relative, so errors of 1.5 ulp move the sum by at most 2 1.5 eps (s^2 + c^2) = 3 eps,
 * and the test's own three roundings by 1 eps. Neither exceeds 1. */
TEST(vecmath, sincos_on_the_circle)
{
    test_random r = test_random_new(1);
    double z[1000], s[1000], c[1000];
    for (size_t i = 0; i < 1000; i++) z[i] = test_normal(&r)*pow(10.0, 20.0*test_uniform(&r) - 3.0);
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        bln_sincos_quarter(1000, z, s, c);
        for (size_t i = 0; i < 1000; i++) {
            CHECK_NEAR(s[i]*s[i] + c[i]*c[i], 1.0, 4.0*DBL_EPSILON);
            CHECK_LE(fabs(s[i]), 1.0);
            CHECK_LE(fabs(c[i]), 1.0);
        }
    }
    bln_cpu_level_force(-1);
}

/* A whole turn is 4: of angles from 2^50 on it is taken off exactly, whatever their size. */
TEST(vecmath, sincos_of_huge_angles)
{
    test_random r = test_random_new(7);
    double z[64], turned[64], s[64], c[64], s0[64], c0[64];
    for (size_t i = 0; i < 64; i++) {
        z[i] = ldexp((i & 1 ? -1.0 : 1.0)*(1.0 + test_uniform(&r)), 50 + (int)(i/2)%14);
        turned[i] = fmod(z[i], 4.0);
    }
    for (int level = bln_cpu_level_force(-1); level >= 0; level--) {
        bln_cpu_level_force(level);
        bln_sincos_quarter(64, z, s, c);
        bln_sincos_quarter(64, turned, s0, c0);
        for (size_t i = 0; i < 64; i++) CHECK(s[i] == s0[i] && c[i] == c0[i]);
    }
    bln_cpu_level_force(-1);
}

/* FNV-1a over the bits of all functions at level 0, at random points: the same for every compiler, option and machine with plain
 * doubles (under BAYESLIN_REPRODUCIBLE even with -ffp-contract=fast). */
TEST(vecmath, level_0_has_the_same_bits_everywhere)
{
    static const double from[] = { -30.0, -30.0, -720.0, 0.0, -60.0, 0.0 };
    static const double width[] = { 60.0, 60.0, 1440.0, 10.0, 120.0, 20.0 };
    double x[250], y[250];
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    bln_cpu_level_force(0);
    for (size_t k = 0; k < VECMATH_N; k++)
        for (int repeat = 0; repeat < 20; repeat++) {
            bln_rng_uniforms(&rng, 250, x);
            for (size_t i = 0; i < 250; i++) {
                volatile double scaled = width[k]*x[i];          /* rounded before it is added to */
                x[i] = from[k] + scaled;
            }
            vecmath[k].f(250, x, y);
            for (size_t i = 0; i < 250; i++) h = (h ^ blni_bits(y[i]))*UINT64_C(0x00000100000001b3);
        }
    bln_cpu_level_force(-1);
#ifdef BLNI_WIDE_DOUBLES
    const int plain = 0;
#elif defined(BAYESLIN_REPRODUCIBLE)
    const int plain = 1;
#else
    const int plain = !test_is_fused();
#endif
    CHECK(!plain || h == UINT64_C(0x1c65bb8c1d283265));
}

/* The logit of rows at every level, with outputs, trials and constants or without them: what is asked for does not depend on what
 * else is; level 0 is the definition. */
TEST(vecmath, logit_outputs)
{
    enum { N = 21 };
    double y[N], trials[N], constants[N], f[N], all[4][N], some[4][N], none = 7.0;
    for (size_t i = 0; i < N; i++) {
        f[i] = 3.0*sin(1.7*(double)i);
        trials[i] = (double)(1 + i % 3);
        y[i] = (double)(i % 2);
        constants[i] = 0.25*(double)i;
    }
    for (int level = 0; level <= TEST_TOP_LEVEL; level++)
        for (int with = 0; with < 4; with++) {
            const double *const t = with & 1 ? trials : NULL, *const c = with & 2 ? constants : NULL;
            bln_cpu_level_force(level);
            blni_vec_logit(N, y, t, c, f, all[0], all[1], all[2], all[3]);
            for (size_t i = 0; i < N; i++) {
                const double n = t ? t[i] : 1.0, p = 1.0/(1.0 + exp(-f[i]));
                CHECK_NEAR(all[0][i], (c ? c[i] : 0.0) + y[i]*log(p) + (n - y[i])*log(1.0 - p), 1e-13);
                CHECK_NEAR(all[1][i], y[i] - n*p, 1e-14*n);
            }
            for (int set = 0; set < 16; set++) {
                memset(some, 0, sizeof some);
                blni_vec_logit(N, y, t, c, f, set & 1 ? some[0] : NULL, set & 2 ? some[1] : NULL, set & 4 ? some[2] : NULL,
                               set & 8 ? some[3] : NULL);
                for (size_t k = 0; k < 4; k++)
                    for (size_t i = 0; i < N; i++) CHECK(some[k][i] == (set >> k & 1 ? all[k][i] : 0.0));
            }
        }
    bln_cpu_level_force(-1);
    blni_logit_both(0, f, &none, &none);
    CHECK(none == 7.0);
}

/* Products of every length and at every level, also in place: the bits of a loop, unless registers are wider. */
TEST(vecmath, products)
{
    enum { N = 37 };
    double x[N], y[N], out[N + 1], in_place[N];
    test_random r = test_random_new(11);
    test_fill_normal(&r, N, x);
    test_fill_normal(&r, N, y);
    for (int level = 0; level <= TEST_TOP_LEVEL; level++)
        for (size_t n = 0; n <= N; n++) {
            bln_cpu_level_force(level);
            out[n] = 5.0;
            memcpy(in_place, y, sizeof y);
            blni_vec_product(n, 1.7, x, y, out);
            blni_vec_product(n, 1.7, x, in_place, in_place);
            for (size_t i = 0; i < N; i++) {
                const volatile double scaled = 1.7*x[i], want = scaled*y[i];
                if (i < n) CHECK_NEAR(out[i], want, TEST_WIDER*fabs(want));
                CHECK(in_place[i] == (i < n ? out[i] : y[i]));
            }
            CHECK(out[n] == 5.0);
        }
    bln_cpu_level_force(-1);
}

SUITE_BEGIN(vecmath)
    SUITE_TEST(vecmath, errors_in_ulp)
    SUITE_TEST(vecmath, special_values)
    SUITE_TEST(vecmath, blocks)
    SUITE_TEST(vecmath, sincos_in_place)
    SUITE_TEST(vecmath, sincos_on_the_circle)
SUITE_TEST(vecmath, sincos_of_huge_angles)
    SUITE_TEST(vecmath, level_0_has_the_same_bits_everywhere)
SUITE_TEST(vecmath, logit_outputs)
    SUITE_TEST(vecmath, products)
SUITE_END(vecmath)
