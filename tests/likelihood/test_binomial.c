/* binomial: three links against high precision, in both tails; sums of probabilities; draws, quantiles and cdf belong together; links
 * that there are not. */
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

TEST(binomial, no_such_link)
{
    const bln_likelihood a = bln_likelihood_binomial(BLN_LINK_SOFTPLUS), b = bln_likelihood_poisson(BLN_LINK_PROBIT);
    CHECK_TEXT(bln_likelihood_check(&a), "no table");
    CHECK_TEXT(bln_likelihood_check(&b), "no table");
}

SUITE_BEGIN(binomial)
SUITE_TEST(binomial, golden)
SUITE_TEST(binomial, distributions)
SUITE_TEST(binomial, sums)
SUITE_TEST(binomial, symmetry)
SUITE_TEST(binomial, no_such_link)
SUITE_END(binomial)
