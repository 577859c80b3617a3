/* ordinal: against high precision, which differentiates the differences of probabilities that the formulas avoid; sums, draws and
 * quantiles; two categories are the binomial's logit; how many there may be. */
#include "likelihood_tools.h"

TEST(ordinal, golden) { likelihood_check_golden("ordinal"); }

TEST(ordinal, distributions)
{
    static const double f[] = { -2.0, 0.4, 3.0 };
    likelihood_check_family("ordinal", 1.0, f, 3, 110);
}

TEST(ordinal, sums)
{
    const bln_likelihood l = bln_likelihood_ordinal(4);
    const double theta[] = { -1.0, 0.7, 2.5 };
    for (double f = -5.0; f < 6.0; f += 1.3) likelihood_check_sums(&l, theta, 1.0, f, 3.0);
}

TEST(ordinal, two_categories)
{
    const bln_likelihood o = bln_likelihood_ordinal(2), b = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const double cut = 0.25;
    for (double f = -30.0; f < 30.0; f += 2.5)
        for (double y = 0.0; y < 2.0; y += 1.0) {
            const double moved = f - cut;
            likelihood_row r;
            double p[4], q[4];
            likelihood_row_set(&r, &o, y, 1.0);
            bln_likelihood_eval(&o, &cut, 1, &r.t, &f, p, p + 1, p + 2, p + 3);
            bln_likelihood_eval(&b, NULL, 1, &r.t, &moved, q, q + 1, q + 2, q + 3);
            for (int j = 0; j < 4; j++) CHECK_NEAR(p[j], q[j], 4.0*DBL_EPSILON*(fabs(q[j]) + 1.0));
        }
}

/* Starts make all categories equally frequent at f = 0. */
TEST(ordinal, starts_and_sizes)
{
    static const size_t good[] = { 2, 3, 7, 65 }, bad[] = { 0, 1, 66 };
    for (size_t k = 0; k < 4; k++) {
        const size_t C = good[k];
        const bln_likelihood l = bln_likelihood_ordinal(C);
        double theta[BLN_LIKELIHOOD_THETA], f = 0.0, logp;
        CHECK(bln_likelihood_check(&l) == NULL);
        CHECK_SIZE(l.n_theta, C - 1);
        for (size_t j = 0; j + 1 < C; j++) {
            bln_param p;
            bln_likelihood_param(&l, j, 0.0, 1.0, &p);
            theta[j] = p.start;
        }
        for (double y = 0.0; y < (double)C; y += 1.0) {
            likelihood_row r;
            likelihood_row_set(&r, &l, y, 1.0);
            bln_likelihood_logp(&l, theta, 1, &r.t, &f, &logp);
            CHECK_REL(exp(logp), 1.0/(double)C, 1e-12);
        }
    }
    for (size_t k = 0; k < 3; k++) {
        const bln_likelihood l = bln_likelihood_ordinal(bad[k]);
        CHECK(bln_likelihood_check(&l) != NULL);
    }
}

/* The last category is sure to be the highest; below the first there is none. */
TEST(ordinal, ends_of_the_support)
{
    const bln_likelihood l = bln_likelihood_ordinal(4);
    const double theta[] = { -1.0, 0.7, 2.5 }, f = 0.3;
    double slope, low, up, step = 1e-4, at[2];
    likelihood_row r;
    CHECK_TEXT(l.ops->domain(&l, -1.0, 1.0), "y must be a whole number >= 0");
    for (double y = 0.0; y < 4.0; y += 1.0) {                            /* log(-dP(Y <= y)/df), by a difference to 1e-8 */
        likelihood_row_set(&r, &l, y, 1.0);
        l.ops->cdf_slope(&l, theta, 1, &r.t, &f, &slope);
        at[0] = f - step;
        at[1] = f + step;
        bln_likelihood_cdf(&l, theta, 1, &r.t, at, &low, NULL);
        bln_likelihood_cdf(&l, theta, 1, &r.t, at + 1, &up, NULL);
        if (y < 3.0) CHECK_REL(exp(slope), (low - up)/(2.0*step), 1e-8);
        else CHECK(slope == -HUGE_VAL && low == 1.0 && up == 1.0);
    }
}

SUITE_BEGIN(ordinal)
SUITE_TEST(ordinal, golden)
SUITE_TEST(ordinal, distributions)
SUITE_TEST(ordinal, sums)
SUITE_TEST(ordinal, two_categories)
SUITE_TEST(ordinal, starts_and_sizes)
SUITE_TEST(ordinal, ends_of_the_support)
SUITE_END(ordinal)
