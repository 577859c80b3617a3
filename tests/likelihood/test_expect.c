/* expect: expectations against high precision, at the accuracy asked for, by every way of getting them */
#include "likelihood_tools.h"
#include "../golden/expect_golden.h"

/* The measure of the reference: tol max(1, |want|). Where log p grows the terms of the sum are larger than the sum: they are bounded
 * by that of |l| <= |want| + (y + 1)(|m| + 9 s), of which rounding takes a few eps. */
static void expect_check(const golden_expect_row *g, const double *got, double tolerance, double terms)
{
    static const char *const names[3] = { "E log p", "E d1", "E d2" };
    const bln_likelihood l = likelihood_named(g->family);
    for (size_t j = 0; j < 3; j++) {
        const double want = likelihood_golden(g->value[j + 1]), size = fabs(want) > 1.0 ? fabs(want) : 1.0;
        likelihood_near(got[j], want, tolerance*size + (j ? 0.0 : terms), names[j], g->family, g->y, g->m);
    }
    for (size_t k = 0; k < l.n_theta; k++) {
        const double want = g->theta_k[k], size = fabs(want) > 1.0 ? fabs(want) : 1.0;
        likelihood_near(got[3 + k], want, tolerance*size, "E d/dtheta", g->family, g->y, g->m);
    }
}

static void expect_golden_at(double tolerance, double allowed)
{
    for (size_t i = 0; i < sizeof golden_expect_rows/sizeof *golden_expect_rows; i++) {
        const golden_expect_row *g = golden_expect_rows + i;
        const bln_likelihood l = likelihood_named(g->family);
        const double v = g->value[0];
        likelihood_row r;
        double got[6];
        const size_t before = test_failures;
        likelihood_row_set(&r, &l, g->y, g->other);
        bln_likelihood_expect(&l, g->theta, 1, &r.t, &g->m, &v, tolerance, got, got + 1, got + 2, got + 3, 1);
        got[2] *= 2.0;
        expect_check(g, got, allowed, 8.0*DBL_EPSILON*(g->y + g->other)*(fabs(g->m) + 9.0*sqrt(v)));
        if (test_failures != before) printf("    v = %g\n", v);
    }
}

TEST(expect, golden) { expect_golden_at(0.0, 1e-10); }
TEST(expect, golden_tighter) { expect_golden_at(1e-13, 2e-13); }
TEST(expect, golden_looser) { expect_golden_at(1e-5, 1e-5); }

SUITE_BEGIN(expect)
SUITE_TEST(expect, golden)
SUITE_TEST(expect, golden_tighter)
SUITE_TEST(expect, golden_looser)
SUITE_END(expect)
