/* test_special - the special functions against values of 60 digits, in the tails and where branches meet; limits and NaN
 *
 * A value is good to a few units in the last place wherever the C library's exp, log1p, erfc are good to one or two: what is added
 * by this library is said at each test. eps = 2^-52. */
#include "../test.h"
#include "../golden/special_golden.h"

#define SPECIAL_ROWS(table) (sizeof (table)/sizeof *(table))
#define SPECIAL_INF ((double)INFINITY)
#define SPECIAL_NAN ((double)NAN)

/* exp, log1p and one addition: 4 eps, relative, everywhere (spec L2 asks for 3 eps beside the library's own error). */
TEST(special, log1pexp)
{
    for (size_t i = 0; i < SPECIAL_ROWS(special_golden_log1pexp); i++)
        CHECK_REL(bln_log1pexp(special_golden_log1pexp[i][0]), special_golden_log1pexp[i][1], 4.0*DBL_EPSILON);
    CHECK_NEAR(bln_log1pexp(-SPECIAL_INF), 0.0, 0.0);
    CHECK_NEAR(bln_log1pexp(SPECIAL_INF), SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_log1pexp(SPECIAL_NAN), SPECIAL_NAN, 0.0);
}

/* Three exp of relative error eps in a sum >= 0, log1p, one addition: 4 eps (|max| + |log1p|), which is 4 eps |result| when both
 * have one sign. */
TEST(special, logsumexp)
{
    for (size_t i = 0; i < SPECIAL_ROWS(special_golden_logsumexp); i++)
        CHECK_REL(bln_logsumexp(4, special_golden_logsumexp[i]), special_golden_logsumexp[i][4], 4.0*DBL_EPSILON);
    const double a = -3.7, low[3] = { -SPECIAL_INF, -SPECIAL_INF, -SPECIAL_INF };
    double x[3] = { -SPECIAL_INF, 2.385, -SPECIAL_INF };
    CHECK_NEAR(bln_logsumexp(0, NULL), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_logsumexp(1, &a), a, 0.0);
    CHECK_NEAR(bln_logsumexp(3, low), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_logsumexp(3, x), 2.385, 0.0);
    x[2] = SPECIAL_INF;
    CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_INF, 0.0);
    x[0] = SPECIAL_NAN;                                                          /* NaN wins, wherever it stands */
    CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_NAN, 0.0);
    x[0] = 0.0;
    x[1] = SPECIAL_NAN;
    CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_NAN, 0.0);
    x[1] = 2.385;
    x[2] = SPECIAL_NAN;
    CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_NAN, 0.0);
}

/* exp(-h^2/2) is exact but for exp itself; the second exponent is at most 2.5 with relative error 2 eps; three products: 10 eps.
 * Not the x^2 eps/2 = 750 eps at x = 38 of the plain formula. The last value, 1e-314, has only its subnormal digits. */
TEST(special, normal_density)
{
    for (size_t i = 0; i < SPECIAL_ROWS(special_golden_pdf); i++) {
        const double x = special_golden_pdf[i][0], want = special_golden_pdf[i][1];
        CHECK_NEAR(bln_norm_pdf(x), want, 10.0*DBL_EPSILON*want + 1e-323);
        CHECK_NEAR(bln_norm_pdf(-x), bln_norm_pdf(x), 10.0*DBL_EPSILON*want + 1e-323);
        /* The logarithm: -x^2/2 with two roundings, the constant with one, the difference with one; against log of the value while
         * it is normal. */
        if (want > 1e-300) CHECK_NEAR(bln_norm_logpdf(x), log(want), 3.0*DBL_EPSILON*(fabs(log(want)) + 1.0));
    }
    CHECK_NEAR(bln_norm_pdf(39.5), 0.0, 0.0);
    CHECK_NEAR(bln_norm_pdf(1e300), 0.0, 0.0);
    CHECK_NEAR(bln_norm_pdf(-SPECIAL_INF), 0.0, 0.0);
    CHECK_NEAR(bln_norm_pdf(SPECIAL_NAN), SPECIAL_NAN, 0.0);
    CHECK_REL(bln_norm_logpdf(1e100), -5e199, 2.0*DBL_EPSILON);
    CHECK_NEAR(bln_norm_logpdf(SPECIAL_INF), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_norm_logpdf(SPECIAL_NAN), SPECIAL_NAN, 0.0);
}

/* erfc of the C library (a few eps in its tail), times 1/2 exact, less a correction that is itself good to 1e-14: 8 eps, relative,
 * down to x = -37.5. */
TEST(special, normal_cdf_keeps_its_tail)
{
    for (size_t i = 0; i < SPECIAL_ROWS(special_golden_cdf); i++) {
        CHECK_REL(bln_norm_cdf(special_golden_cdf[i][0]), special_golden_cdf[i][1], 8.0*DBL_EPSILON);
        CHECK_REL(bln_norm_sf(-special_golden_cdf[i][0]), special_golden_cdf[i][1], 8.0*DBL_EPSILON);
    }
    CHECK_NEAR(bln_norm_cdf(-SPECIAL_INF), 0.0, 0.0);
    CHECK_NEAR(bln_norm_cdf(SPECIAL_INF), 1.0, 0.0);
    CHECK_NEAR(bln_norm_sf(1e308), 0.0, 0.0);
    CHECK_NEAR(bln_norm_sf(-1e308), 1.0, 0.0);
    CHECK_NEAR(bln_norm_cdf(SPECIAL_NAN), SPECIAL_NAN, 0.0);
}

/* AS241 promises 1e-16 before its polynomials are rounded (about 4 eps). Polished tails have the rounding of x (eps/2 and a quarter
 * for the step) and the 8 eps of the distribution function, which x^2 divides. */
TEST(special, normal_quantile)
{
    for (size_t i = 0; i < SPECIAL_ROWS(special_golden_quantile); i++) {
        const double p = special_golden_quantile[i][0], x = special_golden_quantile[i][1];
        const int polished = fabs(p - 0.5) > 0.425 && p >= 1e-300;
        CHECK_REL(bln_norm_quantile(p), x, (polished ? 0.75 + 8.0/(x*x) : 4.0)*DBL_EPSILON);
    }
    CHECK_NEAR(bln_norm_quantile(0.0), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_norm_quantile(-0.0), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_norm_quantile(1.0), SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_norm_quantile(0.5), 0.0, 0.0);
    CHECK_NEAR(bln_norm_quantile(-1e-300), SPECIAL_NAN, 0.0);
    CHECK_NEAR(bln_norm_quantile(1.0000000000000002), SPECIAL_NAN, 0.0);
    CHECK_NEAR(bln_norm_quantile(SPECIAL_NAN), SPECIAL_NAN, 0.0);
}

/* P(Z <= quantile(p)) = p: a relative error e of x moves p by |x| N(x)/p e ~ x^2 e, and x itself is rounded; beside it the errors
 * of both functions as above. Antisymmetry is exact where 1 - p is. */
TEST(special, normal_quantile_inverts_cdf)
{
    test_random r = test_random_new(11);
    for (int i = 0; i < 2000; i++) {
        const double p = i % 2 ? exp(-690.0*test_uniform(&r)) : 0.5*test_uniform(&r), x = bln_norm_quantile(p);
        CHECK_REL(bln_norm_cdf(x), p, (4.0*(x*x + 1.0) + 8.0)*DBL_EPSILON);
        const double q = 0.5 + 0.5*test_uniform(&r);
        CHECK_NEAR(bln_norm_quantile(q), -bln_norm_quantile(1.0 - q), 0.0);
    }
    /* Increasing through the places where the branches meet. */
    for (double p = 0.0749; p < 0.0751; p += 1e-6) CHECK(bln_norm_quantile(p) < bln_norm_quantile(p + 1e-6));
    const double edge = exp(-25.0);
    for (int i = -20; i < 20; i++) CHECK(bln_norm_quantile(edge*(1.0 + i*1e-6)) < bln_norm_quantile(edge*(1.0 + (i + 1)*1e-6)));
}

SUITE_BEGIN(special)
    SUITE_TEST(special, log1pexp)
    SUITE_TEST(special, logsumexp)
    SUITE_TEST(special, normal_density)
    SUITE_TEST(special, normal_cdf_keeps_its_tail)
    SUITE_TEST(special, normal_quantile)
    SUITE_TEST(special, normal_quantile_inverts_cdf)
SUITE_END(special)
