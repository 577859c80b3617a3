/* point: draws of one latent and of several, by one basis and by two, against the definition; the check */
#include "posterior_tools.h"

TEST(kind_point, agrees_with_definition)
{
    static const struct { size_t J, n_bases, K, ld; } cases[] = {
        { 1, 1, 1, 0 }, { 1, 1, 7, 20 }, { 2, 1, 3, 0 }, { 2, 2, 2, 13 }, { 3, 1, 1, 15 }
    };
    posterior_bases b = posterior_bases_new();
    const double eta[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
    double zero[15*15] = { 0.0 };
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++) {
        const size_t J = cases[c].J, K = cases[c].K, n_w = cases[c].n_bases > 1 ? 8 : 5*J, ld = cases[c].ld ? cases[c].ld : n_w;
        double w[7*20];
        test_random r = test_random_new(80 + c);
        bln_points v;
        test_fill_normal(&r, K*ld, w);
        v.w = w;
        v.ld = cases[c].ld;
        const bln_group g = posterior_group(bln_kind_point(), &v, K, eta);
        bln_posterior q = posterior_of(b.view, cases[c].n_bases, J, bln_observe_noise(J), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_SIZE(posterior_numbers(&q, &g), K*n_w);
        posterior_check_kind(&q, &g, 1, K + 2, w, ld, zero, 0, 32.0*DBL_EPSILON);
    }
    posterior_bases_free(&b);
}

/* Rows of weights with gaps between them say what rows without them say, in coefficients and slopes. */
TEST(kind_point, strides)
{
    posterior_bases b = posterior_bases_new();
    const double eta = 1.0;
    double w[15], gaps[21], X[6], x[2][5], slope[2][6];
    test_random r = test_random_new(88);
    test_fill_normal(&r, 15, w);
    test_fill_normal(&r, 21, gaps);
    for (size_t i = 0; i < 15; i++) gaps[i/5*7 + i%5] = w[i];
    posterior_inputs(89, 3, X);
    const bln_data data = slm_view(3, 2, X, NULL);
    for (int c = 0; c < 2; c++) {
        bln_points v;
        v.w = c ? gaps : w;
        v.ld = c ? 7 : 0;
        const bln_group g = posterior_group(bln_kind_point(), &v, 3, &eta);
        const bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
        CHECK_OK(bln_posterior_coefficients(&q, x[c], NULL, 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_slopes(&q, &data, slope[c], NULL, 0, NULL, NULL));
    }
    CHECK(!memcmp(x[0], x[1], sizeof x[0]) && !memcmp(slope[0], slope[1], sizeof slope[0]));
    posterior_bases_free(&b);
}

TEST(kind_point, refuses)
{
    posterior_bases b = posterior_bases_new();
    const double x[5] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
    bln_report report;
    bln_points v;
    const bln_group g = posterior_group(bln_kind_point(), &v, 1, x);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    for (int c = 0; c < 3; c++) {
        v.w = c == 0 ? NULL : x;
        v.ld = c == 1 ? 4 : 0;
        q.dof = c == 2 ? 4.0 : 0.0;
        CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "point: ");
    }
    posterior_bases_free(&b);
}

SUITE_BEGIN(kind_point)
SUITE_TEST(kind_point, agrees_with_definition)
SUITE_TEST(kind_point, strides)
SUITE_TEST(kind_point, refuses)
SUITE_END(kind_point)
