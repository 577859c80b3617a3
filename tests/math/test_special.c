/* test_special - the special functions where there is nothing to approximate: NaN, infinities, zeros of both signs, the ends of
 * their domains and what lies beyond, numbers that over- and underflow, parameters of any size; and logsumexp. Their accuracy is
 * in test_special_accuracy, what they owe each other in test_special_identities, an independent table in
 * test_special_reference. */
#include "../test.h"

#define SPECIAL_INF ((double)INFINITY)
#define SPECIAL_NAN ((double)NAN)

/* Functions of one argument: value at x, to the bit. (Tables of these are not static: INFINITY is no constant to tcc.) */
typedef struct special_edge { double (*f)(double x); double x, want; } special_edge;

/* Equal, signs of zeros not compared; or both NaN. */
static void special_edges(size_t n, const special_edge *e)
{
    for (size_t i = 0; i < n; i++) {
        const double got = e[i].f(e[i].x);
        const size_t before = test_failures;
        CHECK(got == e[i].want || (got != got && e[i].want != e[i].want));
        if (test_failures != before)
            printf("    row %lu: f(%.17g) = %.17g, want %.17g\n", (unsigned long)i, e[i].x, got, e[i].want);
    }
}

TEST(special, edges_of_exponentials)
{
    const special_edge edges[] = {
        { bln_log1pexp, -SPECIAL_INF, 0.0 }, { bln_log1pexp, SPECIAL_INF, SPECIAL_INF }, { bln_log1pexp, 1e308, 1e308 },
        { bln_log1pexp, -1e308, 0.0 }, { bln_log1pexp, SPECIAL_NAN, SPECIAL_NAN }, { bln_log1pexp, -745.2, 0.0 },
        { bln_log1mexp, 0.0, -SPECIAL_INF }, { bln_log1mexp, -0.0, -SPECIAL_INF }, { bln_log1mexp, SPECIAL_INF, 0.0 },
        { bln_log1mexp, -1e-300, SPECIAL_NAN }, { bln_log1mexp, SPECIAL_NAN, SPECIAL_NAN },
        { bln_log1mexp, -SPECIAL_INF, SPECIAL_NAN }, { bln_sigmoid, 0.0, 0.5 }, { bln_sigmoid, SPECIAL_INF, 1.0 },
        { bln_sigmoid, -SPECIAL_INF, 0.0 }, { bln_sigmoid, 1e308, 1.0 }, { bln_sigmoid, -1e308, 0.0 },
        { bln_sigmoid, -745.2, 0.0 }, { bln_sigmoid, SPECIAL_NAN, SPECIAL_NAN }, { bln_logit, 0.0, -SPECIAL_INF },
        { bln_logit, -0.0, -SPECIAL_INF }, { bln_logit, 1.0, SPECIAL_INF }, { bln_logit, 0.5, 0.0 },
        { bln_logit, -1e-300, SPECIAL_NAN }, { bln_logit, 1.0 + DBL_EPSILON, SPECIAL_NAN },
        { bln_logit, SPECIAL_NAN, SPECIAL_NAN }
    };
    special_edges(sizeof edges/sizeof *edges, edges);
}

TEST(special, edges_of_normal)
{
    const special_edge edges[] = {
        { blni_erf, 0.0, 0.0 }, { blni_erf, SPECIAL_INF, 1.0 }, { blni_erf, -SPECIAL_INF, -1.0 }, { blni_erf, 1e308, 1.0 },
        { blni_erf, SPECIAL_NAN, SPECIAL_NAN }, { bln_norm_pdf, SPECIAL_INF, 0.0 }, { bln_norm_pdf, -SPECIAL_INF, 0.0 },
        { bln_norm_pdf, 38.6, 0.0 }, { bln_norm_pdf, 1e300, 0.0 }, { bln_norm_pdf, SPECIAL_NAN, SPECIAL_NAN },
        { bln_norm_logpdf, SPECIAL_INF, -SPECIAL_INF }, { bln_norm_logpdf, -SPECIAL_INF, -SPECIAL_INF },
        { bln_norm_logpdf, 1e200, -SPECIAL_INF }, { bln_norm_logpdf, SPECIAL_NAN, SPECIAL_NAN }, { bln_norm_cdf, 0.0, 0.5 },
        { bln_norm_cdf, SPECIAL_INF, 1.0 }, { bln_norm_cdf, -SPECIAL_INF, 0.0 }, { bln_norm_cdf, 1e308, 1.0 },
        { bln_norm_cdf, -38.6, 0.0 }, { bln_norm_cdf, SPECIAL_NAN, SPECIAL_NAN }, { bln_norm_sf, 0.0, 0.5 },
        { bln_norm_sf, SPECIAL_INF, 0.0 }, { bln_norm_sf, -SPECIAL_INF, 1.0 }, { bln_norm_sf, SPECIAL_NAN, SPECIAL_NAN },
        { bln_norm_logcdf, SPECIAL_INF, 0.0 }, { bln_norm_logcdf, -SPECIAL_INF, -SPECIAL_INF },
        { bln_norm_logcdf, -1e200, -SPECIAL_INF }, { bln_norm_logcdf, 38.6, 0.0 },
        { bln_norm_logcdf, SPECIAL_NAN, SPECIAL_NAN }, { bln_norm_mills, SPECIAL_INF, 0.0 },
        { bln_norm_mills, -SPECIAL_INF, SPECIAL_INF }, { bln_norm_mills, -1e300, 1e300 }, { bln_norm_mills, 38.6, 0.0 },
        { bln_norm_mills, SPECIAL_NAN, SPECIAL_NAN }, { bln_norm_quantile, 0.0, -SPECIAL_INF },
        { bln_norm_quantile, -0.0, -SPECIAL_INF }, { bln_norm_quantile, 1.0, SPECIAL_INF }, { bln_norm_quantile, 0.5, 0.0 },
        { bln_norm_quantile, -1e-300, SPECIAL_NAN }, { bln_norm_quantile, 1.0 + DBL_EPSILON, SPECIAL_NAN },
        { bln_norm_quantile, SPECIAL_NAN, SPECIAL_NAN }
    };
    special_edges(sizeof edges/sizeof *edges, edges);
    CHECK(bln_norm_pdf(38.4) > 0.0 && bln_norm_cdf(-38.4) > 0.0 && bln_norm_logcdf(38.4) < 0.0);
    CHECK(blni_erf(5e-324) > 0.0 && bln_norm_quantile(5e-324) > -38.5);
}

TEST(special, edges_of_gamma)
{
    const special_edge edges[] = {
        { bln_lgamma, 0.0, SPECIAL_INF }, { bln_lgamma, -0.0, SPECIAL_INF }, { bln_lgamma, 1.0, 0.0 }, { bln_lgamma, 2.0, 0.0 },
        { bln_lgamma, SPECIAL_INF, SPECIAL_INF }, { bln_lgamma, 2.6e305, SPECIAL_INF }, { bln_lgamma, -0.5, SPECIAL_NAN },
        { bln_lgamma, SPECIAL_NAN, SPECIAL_NAN }, { bln_digamma, 0.0, -SPECIAL_INF }, { bln_digamma, SPECIAL_INF, SPECIAL_INF },
        { bln_digamma, -1.5, SPECIAL_NAN }, { bln_digamma, SPECIAL_NAN, SPECIAL_NAN }, { bln_digamma, 1e-309, -SPECIAL_INF },
        { bln_trigamma, 0.0, SPECIAL_INF }, { bln_trigamma, 1e-160, SPECIAL_INF }, { bln_trigamma, SPECIAL_INF, 0.0 },
        { bln_trigamma, -1.5, SPECIAL_NAN }, { bln_trigamma, SPECIAL_NAN, SPECIAL_NAN },
        { blni_lgamma_half_diff, 0.0, -SPECIAL_INF }, { blni_lgamma_half_diff, SPECIAL_INF, SPECIAL_INF },
        { blni_lgamma_half_diff, -1.0, SPECIAL_NAN }, { blni_lgamma_half_diff, SPECIAL_NAN, SPECIAL_NAN }
    };
    /* a, x, log_rising; n, k, log_choose */
    const double differences[][3] = {
        { 0.0, 1.0, SPECIAL_NAN }, { -1.0, 1.0, SPECIAL_NAN }, { 1.0, -1.0, SPECIAL_NAN }, { SPECIAL_NAN, 1.0, SPECIAL_NAN },
        { 1.0, SPECIAL_NAN, SPECIAL_NAN }, { 3.7, 0.0, 0.0 }, { 5e-324, 0.0, 0.0 }, { 3.7, SPECIAL_INF, SPECIAL_INF },
        { 1.0, 1.0, 0.0 }, { 1.0, 1e306, SPECIAL_INF }, { 1e306, 1e306, SPECIAL_INF }
    };
    const double chosen[][3] = {
        { 5.5, 0.0, 0.0 }, { 5.5, 5.5, 0.0 }, { 0.0, 0.0, 0.0 }, { 1e300, 0.0, 0.0 }, { 5.0, 5.5, SPECIAL_NAN },
        { 5.0, -1.0, SPECIAL_NAN }, { -5.0, -6.0, SPECIAL_NAN }, { 2e300, 1.0, SPECIAL_NAN }, { SPECIAL_NAN, 1.0, SPECIAL_NAN },
        { 5.0, SPECIAL_NAN, SPECIAL_NAN }, { SPECIAL_INF, 1.0, SPECIAL_NAN }
    };
    special_edges(sizeof edges/sizeof *edges, edges);
    for (size_t i = 0; i < sizeof differences/sizeof *differences; i++)
        CHECK_NEAR(blni_log_rising_double(differences[i][0], differences[i][1]), differences[i][2], 0.0);
    for (size_t i = 0; i < sizeof chosen/sizeof *chosen; i++)
        CHECK_NEAR(bln_log_choose(chosen[i][0], chosen[i][1]), chosen[i][2], 0.0);
    CHECK_NEAR(blni_log_rising_double(SPECIAL_INF, 1.0), SPECIAL_INF, 0.0);
}

/* Values at the ends of the domain, and NaN beyond: parameters are of [1e-290, 1e290]. */
TEST(special, edges_of_incomplete)
{
    const double outside[] = { 0.0, -0.0, -1.0, 1e-300, 1e300, SPECIAL_INF, -SPECIAL_INF, SPECIAL_NAN };
    const double not_p[] = { -1e-300, 1.0 + DBL_EPSILON, -SPECIAL_INF, SPECIAL_INF, SPECIAL_NAN };
    for (size_t i = 0; i < sizeof outside/sizeof *outside; i++) {
        const double a = outside[i];
        CHECK_NEAR(bln_gamma_p(a, 1.0), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_gamma_q(a, 1.0), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_gamma_p_inv(a, 0.3), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_gamma_q_inv(a, 0.3), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_p(a, 2.0, 0.3), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_q(2.0, a, 0.3), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_p_inv(a, 2.0, 0.3), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_q_inv(2.0, a, 0.3), SPECIAL_NAN, 0.0);
        if (a >= 1e300) continue;                                /* large and infinite dof are the normal distribution */
        CHECK_NEAR(bln_student_pdf(a, 1.0), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_logpdf(a, 1.0), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_cdf(a, 1.0), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_quantile(a, 0.3), SPECIAL_NAN, 0.0);
    }
    for (size_t i = 0; i < sizeof not_p/sizeof *not_p; i++) {
        const double p = not_p[i];
        CHECK_NEAR(bln_gamma_p_inv(2.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_gamma_q_inv(2.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_p(2.0, 3.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_q(2.0, 3.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_p_inv(2.0, 3.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_beta_q_inv(2.0, 3.0, p), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_quantile(2.0, p), SPECIAL_NAN, 0.0);
    }
    CHECK_NEAR(bln_gamma_p(2.0, -1e-300), SPECIAL_NAN, 0.0);
    CHECK_NEAR(bln_gamma_q(2.0, SPECIAL_NAN), SPECIAL_NAN, 0.0);
    CHECK(bln_gamma_p(2.0, 0.0) == 0.0 && bln_gamma_q(2.0, 0.0) == 1.0);
    CHECK(bln_gamma_p(2.0, SPECIAL_INF) == 1.0 && bln_gamma_q(2.0, SPECIAL_INF) == 0.0);
    CHECK(bln_gamma_p_inv(2.0, 0.0) == 0.0 && bln_gamma_p_inv(2.0, 1.0) == SPECIAL_INF);
    CHECK(bln_gamma_q_inv(2.0, 0.0) == SPECIAL_INF && bln_gamma_q_inv(2.0, 1.0) == 0.0);
    CHECK(bln_gamma_p_inv(1e-3, 0.1) == 0.0);                    /* 10^-1000 */
    CHECK(bln_beta_p(2.0, 3.0, 0.0) == 0.0 && bln_beta_q(2.0, 3.0, 0.0) == 1.0);
    CHECK(bln_beta_p(2.0, 3.0, 1.0) == 1.0 && bln_beta_q(2.0, 3.0, 1.0) == 0.0);
    CHECK(bln_beta_p_inv(2.0, 3.0, 0.0) == 0.0 && bln_beta_p_inv(2.0, 3.0, 1.0) == 1.0);
    CHECK(bln_beta_q_inv(2.0, 3.0, 0.0) == 1.0 && bln_beta_q_inv(2.0, 3.0, 1.0) == 0.0);
    CHECK(bln_beta_p_inv(1e-3, 2.0, 0.1) == 0.0 && bln_beta_p_inv(2.0, 1e-3, 0.9) == 1.0);
}

/* By mpmath, as the root of the integral of the density. Shapes so large that all quantiles are within some doubles of them. */
TEST(special, quantiles_of_large_shapes)
{
    CHECK_REL(bln_gamma_p_inv(1e9, 0.3), 999983416.7580718889, 4e-16);
    CHECK_REL(bln_gamma_p_inv(1e9, 0.999), 1000097724.57571740653, 4e-16);
    CHECK_REL(bln_gamma_q_inv(1e9, 0.001), 1000097724.57571740653, 4e-16);
    CHECK_REL(bln_gamma_p_inv(3.7e9, 1e-12), 3699572125.214859112203, 4e-16);
    for (double a = 1e9; a < 1e290; a *= 7.3)
        for (double p = 0.05; p < 1.0; p += 0.05) {
            const double x = bln_gamma_p_inv(a, p), sd = sqrt(a), z = bln_norm_quantile(p);
            CHECK_NEAR((x - a)/sd - (z*z - 1.0)/(3.0*sd), z, 3e-10 + 4e-16*sd);        /* (z^3 - 7z)/(36 a) is the next term */
            CHECK_REL(bln_gamma_q_inv(a, 1.0 - p), x, 4e-16 + 1e-15/sd);
        }
}

TEST(special, edges_of_student)
{
    const double dofs[] = { 1e-290, 0.3, 1.0, 7.5, 1e6, 1e25, 1e300, SPECIAL_INF };
    for (size_t i = 0; i < sizeof dofs/sizeof *dofs; i++) {
        const double dof = dofs[i];
        CHECK(bln_student_pdf(dof, SPECIAL_INF) == 0.0 && bln_student_pdf(dof, -SPECIAL_INF) == 0.0);
        CHECK(bln_student_logpdf(dof, SPECIAL_INF) == -SPECIAL_INF && bln_student_logpdf(dof, -SPECIAL_INF) == -SPECIAL_INF);
        CHECK(bln_student_cdf(dof, SPECIAL_INF) == 1.0 && bln_student_cdf(dof, -SPECIAL_INF) == 0.0);
        CHECK(bln_student_cdf(dof, 0.0) == 0.5 && bln_student_quantile(dof, 0.5) == 0.0);
        CHECK(bln_student_quantile(dof, 0.0) == -SPECIAL_INF && bln_student_quantile(dof, 1.0) == SPECIAL_INF);
        CHECK_NEAR(bln_student_pdf(dof, SPECIAL_NAN), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_logpdf(dof, SPECIAL_NAN), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_cdf(dof, SPECIAL_NAN), SPECIAL_NAN, 0.0);
        CHECK_NEAR(bln_student_quantile(dof, SPECIAL_NAN), SPECIAL_NAN, 0.0);
    }
    CHECK(bln_student_quantile(1e-3, 1e-3) == -SPECIAL_INF);     /* -10^2699 or so */
    /* Half of the mass of a tiny dof lies beyond any number; and a huge one has its own power law far out. */
    CHECK_NEAR(bln_student_cdf(1e-10, -1e200), 0.5, 1e-7);
    CHECK_REL(bln_student_logpdf(1e300, 1e150), -0.5e300*log(2.0), 4*DBL_EPSILON);
    CHECK(bln_student_logpdf(1.7e308, 1e300) == -SPECIAL_INF);
    CHECK_REL(bln_student_logpdf(1e295, 1e150), -0.5e295*log1p(1e5), 4*DBL_EPSILON);
}

/* Parameters and arguments of any size: probabilities are probabilities, both tails together are 1 (to 2 + 2 ulp), and inverses end
 * inside of the domain. */
TEST(special, any_parameters)
{
    test_random r = test_random_new(31);
    for (int i = 0; i < 1500; i++) {
        const double span = i % 3 == 0 ? 289.9 : i % 3 == 1 ? 25.0 : 4.0;
        const double a = pow(10.0, span*(2.0*test_uniform(&r) - 1.0)), b = pow(10.0, span*(2.0*test_uniform(&r) - 1.0));
        const double near_a = i % 2 ? a*(0.5 + test_uniform(&r)) : pow(10.0, 300.0*(2.0*test_uniform(&r) - 1.0));
        const double u = test_uniform(&r), x = i % 2 ? u : i % 4 ? a/(a + b) : pow(10.0, -300.0*u);
        const double p = i % 5 ? u : pow(10.0, -300.0*u);
        const double gp = bln_gamma_p(a, near_a), gq = bln_gamma_q(a, near_a), bp = bln_beta_p(a, b, x), bq = bln_beta_q(a, b, x);
        const double tp = bln_student_cdf(a, near_a), tq = bln_student_cdf(a, -near_a);
        CHECK(gp >= 0.0 && gp <= 1.0 && gq >= 0.0 && gq <= 1.0 && bp >= 0.0 && bp <= 1.0 && bq >= 0.0 && bq <= 1.0);
        CHECK(tp >= 0.5 && tp <= 1.0 && tq >= 0.0 && tq <= 0.5);
        CHECK_NEAR(gp + gq, 1.0, 4e-15);
        CHECK_NEAR(bp + bq, 1.0, 4e-15);
        CHECK_NEAR(tp + tq, 1.0, 4e-15);
        CHECK(bln_gamma_p_inv(a, p) >= 0.0 && bln_gamma_q_inv(a, p) >= 0.0);
        CHECK(bln_beta_p_inv(a, b, p) >= 0.0 && bln_beta_p_inv(a, b, p) <= 1.0 && bln_beta_q_inv(a, b, p) <= 1.0);
        CHECK((bln_student_quantile(a, p) < 0.0) == (p < 0.5) && bln_student_pdf(a, near_a) >= 0.0);
        CHECK(bln_student_logpdf(a, near_a) < 1e3 && blni_log_rising_double(a, near_a) > -1e3);
        CHECK(bln_log_choose(a, a*u) >= -1e-18*fmin(1.0, a));
    }
}

/* Three exp of relative error eps in a sum >= 0, log1p, one addition: 4 eps (|max| + |log1p|), which is 4 eps |result| when both
 * have one sign. Values of mpmath with 60 digits. */
TEST(special, logsumexp)
{
    static const double golden[][5] = {
        { 0.0, 0.0, 0.0, 0.0, 1.3862943611198906 },
        { 1.0, 2.0, 3.0, 4.0, 4.440189698561196 },
        { 1000.0, 1000.5, -1000.0, 0.0, 1000.9740769841801 },
        { -1000.0, -1001.0, -1002.0, -1000000.0, -999.5923940355556 },
        { -745.0, -750.0, -800.0, -1e+300, -744.9932846515109 },
        { 1e+300, -1e+300, 0.0, 1.0, 1e+300 },
        { -0.5, -1e-10, 3e-10, 1e-300, 1.2827462742182962 },
        { -1e-17, -50.0, -60.0, -70.0, -9.999807116258297e-18 },
        { -41.5, -1e-18, -800.0, -42.0, 5.228881917798315e-19 }
    };
    for (size_t i = 0; i < sizeof golden/sizeof *golden; i++) CHECK_REL(bln_logsumexp(4, golden[i]), golden[i][4], 4.0*DBL_EPSILON);
    const double a = -3.7, low[3] = { -SPECIAL_INF, -SPECIAL_INF, -SPECIAL_INF };
    double x[3] = { -SPECIAL_INF, 2.385, -SPECIAL_INF };
    CHECK_NEAR(bln_logsumexp(0, NULL), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_logsumexp(1, &a), a, 0.0);
    CHECK_NEAR(bln_logsumexp(3, low), -SPECIAL_INF, 0.0);
    CHECK_NEAR(bln_logsumexp(3, x), 2.385, 0.0);
    x[2] = SPECIAL_INF;
    CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_INF, 0.0);
    for (int i = 0; i < 3; i++) {                                                /* NaN wins, wherever it stands */
        const double kept = x[i];
        x[i] = SPECIAL_NAN;
        CHECK_NEAR(bln_logsumexp(3, x), SPECIAL_NAN, 0.0);
        x[i] = kept;
    }
}

static double special_gap_value, special_gap_step;
static double special_gap(const blni_tail_problem *problem, blni_pair w, double *step)
{
    (void)problem; (void)w;
    *step = special_gap_step;
    return special_gap_value;
}

/* Parts of the incomplete functions where doubles end: tails that rounding has made more than 1, steps that are none, and
 * exponentials and logarithms of what has none. */
TEST(special, ends_of_the_range)
{
    const blni_tails t = blni_tails_make(1.0 + DBL_EPSILON, 1.5), u = blni_tails_make(0.3, NAN);
    const blni_pair start = blni_pair_make(2.0, 0.0);
    blni_tail_problem problem = { 1.0, 1.0, 0.5, 0 };
    blni_pair gap;
    int k;
    CHECK(t.p == 1.0 && t.q == 1.0 && u.p == 0.3 && u.q != u.q);
    special_gap_value = 0.0;
    special_gap_step = HUGE_VAL;
    CHECK(blni_solve_tail(special_gap, &problem, start, 0.0, 1.0).hi == 2.0);       /* at the root, without a step */
    special_gap_value = 1.0;                             /* a gap that is never closed: one to the left at a time, 200 of them */
    CHECK(blni_solve_tail(special_gap, &problem, start, -HUGE_VAL, 1.0).hi == -198.0);
    const blni_unit small_y = blni_unit_make(blni_pair_make(1.0, -1e-310), blni_pair_make(1e-310, 0.0));
    CHECK(blni_beta_distance(10.0, 10.0, small_y, &gap).hi == HUGE_VAL);
    CHECK(blni_pair_exp(blni_pair_make(25000.0, 0.0), &k).hi == 1.0 && k == 30000);
    CHECK(blni_pair_exp(blni_pair_make(-25000.0, 0.0), &k).hi == 1.0 && k == -30000);
    const double nan = blni_pair_exp(blni_pair_make(NAN, 0.0), &k).hi, of_negative = blni_pair_log(blni_pair_make(-1.0, 0.0)).hi;
    CHECK(nan != nan && of_negative != of_negative);
    CHECK(blni_pair_log(blni_pair_make(HUGE_VAL, 0.0)).hi == HUGE_VAL && blni_pair_log(blni_pair_make(0.0, 0.0)).hi == -HUGE_VAL);
}

SUITE_BEGIN(special)
    SUITE_TEST(special, edges_of_exponentials)
    SUITE_TEST(special, edges_of_normal)
    SUITE_TEST(special, edges_of_gamma)
    SUITE_TEST(special, edges_of_incomplete)
    SUITE_TEST(special, edges_of_student)
    SUITE_TEST(special, any_parameters)
    SUITE_TEST(special, quantiles_of_large_shapes)
    SUITE_TEST(special, logsumexp)
SUITE_TEST(special, ends_of_the_range)
SUITE_END(special)
