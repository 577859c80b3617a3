/* test_special_elementary - what BAYESLIN_REPRODUCIBLE has in the place of <math.h>: errors in ulp against 60 digits, limits, and
 * that the code behind the header has the C library's again
 *
 *     make test ROOM=math/special_elementary CFLAGS="-O2 -DBAYESLIN_REPRODUCIBLE"
 *
 * Without the option there is nothing else to test. */
#include "../test.h"

#define ELEMENTARY_TEXT_OF(x) #x
#define ELEMENTARY_TEXT(x)    ELEMENTARY_TEXT_OF(x)

TEST(special_elementary, names_are_given_back)
{
    static const char *const calls[] = {
        ELEMENTARY_TEXT(exp(x)), ELEMENTARY_TEXT(expm1(x)), ELEMENTARY_TEXT(log(x)), ELEMENTARY_TEXT(log1p(x)),
        ELEMENTARY_TEXT(log10(x)), ELEMENTARY_TEXT(cos(x)), ELEMENTARY_TEXT(tan(x)),
        ELEMENTARY_TEXT(sinh(x)), ELEMENTARY_TEXT(cosh(x)), ELEMENTARY_TEXT(asinh(x)), ELEMENTARY_TEXT(atan2(y, x)),
        ELEMENTARY_TEXT(hypot(x, y))
    };
    for (size_t i = 0; i < sizeof calls/sizeof *calls; i++) CHECK(strstr(calls[i], "blni_") == NULL);
}

#ifdef BAYESLIN_REPRODUCIBLE
#include "../golden/special_elementary_golden.h"

#define ELEMENTARY_ONE(f) static double elementary_##f(double x, double y) { (void)y; return blni_##f(x); }
ELEMENTARY_ONE(exp) ELEMENTARY_ONE(expm1) ELEMENTARY_ONE(log) ELEMENTARY_ONE(log1p) ELEMENTARY_ONE(log10) ELEMENTARY_ONE(cos)
ELEMENTARY_ONE(tan) ELEMENTARY_ONE(sinh) ELEMENTARY_ONE(cosh) ELEMENTARY_ONE(asinh)

/* The promises of src/math/special_elementary.c. */
#define ELEMENTARY(name, f, ulp) \
    { #name, f, golden_elementary_##name, sizeof golden_elementary_##name/sizeof *golden_elementary_##name, ulp }
static const struct elementary_case {
    const char *name;
    double (*f)(double x, double y);
    const double (*golden)[4];
    size_t n;
    double ulp;
} elementary[] = {
    ELEMENTARY(exp, elementary_exp, 0.51), ELEMENTARY(expm1, elementary_expm1, 0.54), ELEMENTARY(log, elementary_log, 0.51),
    ELEMENTARY(log1p, elementary_log1p, 0.51), ELEMENTARY(log10, elementary_log10, 0.51), ELEMENTARY(cos, elementary_cos, 0.79),
    ELEMENTARY(tan, elementary_tan, 2.2), ELEMENTARY(sinh, elementary_sinh, 0.54), ELEMENTARY(cosh, elementary_cosh, 0.51),
    ELEMENTARY(asinh, elementary_asinh, 0.51), ELEMENTARY(hypot, blni_hypot, 0.51),
    ELEMENTARY(atan2, blni_atan2, 0.51)
};

/* Where the value is subnormal it is rounded twice: to a double of 53 bits, and to what is there. cos and tan may take an argument
 * that is off by 3e-23 of itself. */
TEST(special_elementary, errors_in_ulp)
{
    for (size_t k = 0; k < sizeof elementary/sizeof *elementary; k++)
        for (size_t i = 0; i < elementary[k].n; i++) {
            const double *g = elementary[k].golden[i], got = elementary[k].f(g[0], g[1]);
            const size_t before = test_failures;
            int e;
            frexp(g[2], &e);
            const double ulp = ldexp(1.0, e < -1021 ? -1074 : e - 53);
            double allowed = elementary[k].ulp*ulp + (e < -1021 ? 0.5*ulp : 0.0);
            if (!strcmp(elementary[k].name, "cos")) allowed += 3e-23*fabs(g[0]);
            if (!strcmp(elementary[k].name, "tan")) allowed += 3e-23*fabs(g[0])*(1.0 + g[2]*g[2]);
            CHECK_LE(fabs((got - g[2]) - g[3]), allowed);
            if (test_failures != before)
                printf("    %s(%.17g, %.17g) = %.17g, want %.17g: %.3f ulp\n", elementary[k].name, g[0], g[1], got, g[2],
                       fabs((got - g[2]) - g[3])/ulp);
        }
}

TEST(special_elementary, limits)
{
    const double inf = HUGE_VAL, nan = blni_log(-1.0), zero = 0.0;
    for (size_t k = 0; k < sizeof elementary/sizeof *elementary; k++) {
        const double got = elementary[k].f(nan, 2.5);
        CHECK(got != got);
    }
    CHECK(nan != nan && blni_hypot(2.0, nan) != blni_hypot(2.0, nan) && blni_atan2(1.0, nan) != blni_atan2(1.0, nan));
    CHECK(blni_log1p(-1.5) != blni_log1p(-1.5));
    CHECK(blni_cos(inf) != blni_cos(inf) && blni_tan(-inf) != blni_tan(-inf) && blni_log10(-1.0) != blni_log10(-1.0));
    CHECK(blni_exp(inf) == inf && blni_exp(-inf) == 0.0 && blni_exp(709.79) == inf && blni_exp(-746.0) == 0.0);
    CHECK(blni_exp(zero) == 1.0);
    CHECK(blni_expm1(inf) == inf && blni_expm1(-inf) == -1.0 && blni_expm1(-745.0) == -1.0 && blni_expm1(zero) == 0.0);
    CHECK(blni_log(zero) == -inf && blni_log(-zero) == -inf && blni_log(inf) == inf && blni_log(1.0) == 0.0);
    CHECK(blni_log1p(-1.0) == -inf && blni_log1p(inf) == inf && blni_log1p(zero) == 0.0);
    CHECK(blni_log10(zero) == -inf && blni_log10(inf) == inf && blni_log10(1.0) == 0.0 && blni_log10(1000.0) == 3.0);
    CHECK(blni_cos(zero) == 1.0 && blni_tan(zero) == 0.0);
    CHECK(blni_sinh(inf) == inf && blni_sinh(-inf) == -inf && blni_sinh(zero) == 0.0 && blni_sinh(711.0) == inf);
    CHECK(blni_cosh(inf) == inf && blni_cosh(-inf) == inf && blni_cosh(zero) == 1.0 && blni_cosh(-711.0) == inf);
    CHECK(blni_asinh(inf) == inf && blni_asinh(-inf) == -inf && blni_asinh(zero) == 0.0);
    CHECK(blni_hypot(inf, nan) == inf && blni_hypot(nan, -inf) == inf && blni_hypot(zero, zero) == 0.0);
    CHECK(blni_hypot(-3.0, 4.0) == 5.0 && blni_hypot(1.7e308, 1.7e308) == inf);
    CHECK(blni_atan2(zero, 1.0) == 0.0 && blni_atan2(1.0, inf) == 0.0 && blni_atan2(zero, zero) == 0.0);
    CHECK(blni_atan2(inf, 1.0) == 1.5707963267948966 && blni_atan2(-1.0, zero) == -1.5707963267948966);
    CHECK(blni_atan2(1.0, -inf) == 3.141592653589793 && blni_atan2(inf, inf) == 0.78539816339744828);
}
#endif

SUITE_BEGIN(special_elementary)
    SUITE_TEST(special_elementary, names_are_given_back)
#ifdef BAYESLIN_REPRODUCIBLE
    SUITE_TEST(special_elementary, errors_in_ulp)
    SUITE_TEST(special_elementary, limits)
#endif
SUITE_END(special_elementary)
