/* binomial: three links against high precision, in both tails; sums of probabilities; draws, quantiles and cdf belong together;
 * links that there are not. */
#include "likelihood_tools.h"

TEST(binomial, golden)
{
    likelihood_check_golden("binomial_logit");
    likelihood_check_golden("binomial_probit");
    likelihood_check_golden("binomial_cloglog");
}

TEST(binomial, distributions)
{
    static const double f[] = { -2.0, 0.4, 1.2 };
    likelihood_check_family("binomial_logit", 40.0, f, 3, 40);
    likelihood_check_family("binomial_probit", 40.0, f, 3, 50);
    likelihood_check_family("binomial_cloglog", 40.0, f, 3, 60);
}

TEST(binomial, sums)
{
    static const bln_link links[] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG };
    for (size_t k = 0; k < 3; k++) {
        const bln_likelihood l = bln_likelihood_binomial(links[k]);
        for (double f = -6.0; f <= 2.5; f += 2.1) {
            likelihood_check_sums(&l, NULL, 1.0, f, 1.0);
            likelihood_check_sums(&l, NULL, 23.0, f, 23.0);
        }
    }
}

/* Yes and no change places with the sign of f, bit for bit, under the symmetric links. */
TEST(binomial, symmetry)
{
    static const bln_link links[] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT };
    for (size_t k = 0; k < 2; k++) {
        const bln_likelihood l = bln_likelihood_binomial(links[k]);
        for (double f = -45.0; f <= 45.0; f += 1.7) {
            const double minus = -f;
            likelihood_row r, s;
            double a[4], b[4];
            likelihood_row_set(&r, &l, 3.0, 10.0);
            likelihood_row_set(&s, &l, 7.0, 10.0);
            bln_likelihood_eval(&l, NULL, 1, &r.t, &f, a, a + 1, a + 2, a + 3);
            bln_likelihood_eval(&l, NULL, 1, &s.t, &minus, b, b + 1, b + 2, b + 3);
            for (int j = 0; j < 4; j++) CHECK_NEAR(a[j], j % 2 ? -b[j] : b[j], 4.0*DBL_EPSILON*(fabs(a[j]) + 10.0));
        }
    }
}

/* The logit at every level: within a few ulp of level 0, and a row by itself to the bit what it is among others, wherever it is. */
TEST(binomial, levels)
{
    enum { N = 43 };
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    double y[N], trials[N], f[N], want[4][N], got[4][N], one[4];
    for (size_t i = 0; i < N; i++) {
        f[i] = i == 7 ? 0.0 : 38.0*sin(0.9*(double)i)*sin(0.9*(double)i)*cos(3.0*(double)i);
        trials[i] = (double)(i % 5);
        y[i] = trials[i] > 0.0 ? (double)(i % 3 == 0) : 0.0;
    }
    f[11] = -744.0;
    f[12] = 760.0;
    for (int level = 0; level <= TEST_TOP_LEVEL; level++)
        for (int with = 0; with < 2; with++) {
            bln_targets t;
            memset(&t, 0, sizeof t);
            t.y = y;
            t.trials = with ? trials : NULL;
            bln_cpu_level_force(0);
            bln_likelihood_eval(&l, NULL, N, &t, f, want[0], want[1], want[2], want[3]);
            bln_cpu_level_force(level);
            bln_likelihood_eval(&l, NULL, N, &t, f, got[0], got[1], got[2], got[3]);
            for (size_t i = 0; i < N; i++) {
                const double size = (with ? trials[i] : 1.0)*fmin(1.0, 4.0*exp(-fabs(f[i])));
                for (int j = 0; j < 4; j++)                 /* logp, d1 = y Q - (n - y) P, d2, d3 */
                    CHECK_NEAR(got[j][i], want[j][i], 8.0*DBL_EPSILON*(j < 2 ? fabs(want[j][i]) + size : size));
                const bln_targets row = blni_targets_from(&t, i);
                bln_likelihood_eval(&l, NULL, 1, &row, f + i, one, one + 1, one + 2, one + 3);
                for (int j = 0; j < 4; j++) CHECK(one[j] == got[j][i]);
            }
        }
    bln_cpu_level_force(-1);
}

/* What no trial can change, and trials that are fewer than none. */
TEST(binomial, ends_of_the_support)
{
    static const bln_link links[] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG };
    for (size_t k = 0; k < 3; k++) {
        const bln_likelihood l = bln_likelihood_binomial(links[k]);
        const double f = 0.4, v = 0.3;
        double slope, lower, upper;
        likelihood_row r;
        likelihood_row_set(&r, &l, 5.0, 5.0);
        r.t.constants = &f;                                                     /* log p is not asked for */
        l.ops->cdf_slope(&l, NULL, 1, &r.t, &f, &slope);
        CHECK(slope == -HUGE_VAL);                                              /* P(Y <= 5) is 1 at every f */
        CHECK_TEXT(l.ops->domain(&l, 0.0, -1.0), "trials must be a whole number >= 0");
        if (!l.ops->normal_cdf) continue;
        likelihood_row_set(&r, &l, 1.0, 1.0);
        l.ops->normal_cdf(&l, NULL, 1, &r.t, &f, &v, &lower, &upper);
        CHECK(lower == 1.0 && upper == 0.0);
    }
}

TEST(binomial, no_such_link)
{
    const bln_likelihood c = bln_likelihood_binomial(BLN_LINK_LOG), d = bln_likelihood_binomial((bln_link)99);
    CHECK_TEXT(bln_likelihood_check(&c), "no table");
    CHECK_TEXT(bln_likelihood_check(&d), "no table");
    const bln_likelihood a = bln_likelihood_binomial(BLN_LINK_SOFTPLUS), b = bln_likelihood_poisson(BLN_LINK_PROBIT);
    CHECK_TEXT(bln_likelihood_check(&a), "no table");
    CHECK_TEXT(bln_likelihood_check(&b), "no table");
}

SUITE_BEGIN(binomial)
SUITE_TEST(binomial, golden)
SUITE_TEST(binomial, distributions)
SUITE_TEST(binomial, sums)
SUITE_TEST(binomial, symmetry)
SUITE_TEST(binomial, levels)
SUITE_TEST(binomial, ends_of_the_support)
SUITE_TEST(binomial, no_such_link)
SUITE_END(binomial)
