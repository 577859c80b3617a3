/* diagonal: groups of one latent and of several, by one basis and by two, against the dense definition; groups of one; the check */
#include "posterior_tools.h"

enum { DIAGONAL_LD = 17 };

static void diagonal_fill(double *m, double *psi, size_t K)
{
    test_random r = test_random_new(71);
    test_fill_normal(&r, K*DIAGONAL_LD, m);
    for (size_t i = 0; i < K*DIAGONAL_LD; i++) psi[i] = i % 5 == 2 ? 0.0 : test_uniform(&r);
}

TEST(kind_diagonal, agrees_with_definition)
{
    static const struct { size_t J, n_bases, K; } cases[] = { { 1, 1, 1 }, { 1, 1, 5 }, { 2, 1, 3 }, { 2, 2, 2 }, { 3, 1, 1 } };
    posterior_bases b = posterior_bases_new();
    const double eta[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++) {
        const size_t J = cases[c].J, K = cases[c].K, n_w = cases[c].n_bases > 1 ? 8 : 5*J;
        double m[5*DIAGONAL_LD], psi[5*DIAGONAL_LD], *C = test_doubles(K*n_w*n_w);
        bln_diagonals v;
        diagonal_fill(m, psi, K);
        v.m = m;
        v.psi = psi;
        v.ld = DIAGONAL_LD;
        for (size_t i = 0; i < K*n_w*n_w; i++) C[i] = 0.0;
        for (size_t i = 0; i < K*n_w; i++) C[i/n_w*n_w*n_w + i%n_w*(n_w + 1)] = psi[i/n_w*DIAGONAL_LD + i%n_w];
        const bln_group g = posterior_group(bln_kind_diagonal(), &v, K, eta);
        bln_posterior q = posterior_of(b.view, cases[c].n_bases, J, bln_observe_noise(J), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_SIZE(posterior_numbers(&q, &g), 2*K*n_w);
        posterior_check_kind(&q, &g, 2, K + 3, m, DIAGONAL_LD, C, n_w*n_w, 64.0*DBL_EPSILON);
        free(C);
    }
    posterior_bases_free(&b);
}

/* Sums along the features do not depend on how many components are beside each other, but for the order of additions. */
TEST(kind_diagonal, groups_of_one)
{
    posterior_bases b = posterior_bases_new();
    double X[POSTERIOR_N*POSTERIOR_D], Phi[POSTERIOR_N*16], m[3*DIAGONAL_LD], psi[3*DIAGONAL_LD];
    const double eta = 1.0;
    posterior_out *out = (posterior_out *)malloc(2*sizeof *out);
    bln_diagonals v;
    if (!out) exit(2);
    posterior_inputs(31, POSTERIOR_N, X);
    posterior_features(b.view, 1, POSTERIOR_N, X, Phi, 16);
    diagonal_fill(m, psi, 3);
    out[0].cov = out[1].cov = NULL;
    v.m = m;
    v.psi = psi;
    v.ld = DIAGONAL_LD;
    const bln_group all = posterior_group(bln_kind_diagonal(), &v, 3, &eta);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &all, 1);
    posterior_project(&q, &all, Phi, 16, 3, 0, out);
    for (size_t k = 0; k < 3; k++) {
        bln_diagonals one;
        one.m = m + k*DIAGONAL_LD;
        one.psi = psi + k*DIAGONAL_LD;
        one.ld = 0;
        const bln_group g = posterior_group(bln_kind_diagonal(), &one, 0, &eta);
        posterior_project(&q, &g, Phi, 16, 3, k, out + 1);
        for (size_t i = 0; i < POSTERIOR_N; i++) {
            CHECK_NEAR(out[0].mean[i*POSTERIOR_LD + k], out[1].mean[i*POSTERIOR_LD + k], 1e-14);
            CHECK_NEAR(out[0].var[i*POSTERIOR_LD + k], out[1].var[i*POSTERIOR_LD + k], 1e-14);
        }
    }
    posterior_bases_free(&b);
    free(out);
}

TEST(kind_diagonal, refuses)
{
    posterior_bases b = posterior_bases_new();
    const double x[5] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
    bln_report report;
    bln_diagonals v;
    const bln_group g = posterior_group(bln_kind_diagonal(), &v, 1, x);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    for (int c = 0; c < 4; c++) {
        v.m = c == 0 ? NULL : x;
        v.psi = c == 1 ? NULL : x;
        v.ld = c == 2 ? 4 : 0;
        q.dof = c == 3 ? 4.0 : 0.0;
        CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "diagonal: ");
    }
    posterior_bases_free(&b);
}

SUITE_BEGIN(kind_diagonal)
SUITE_TEST(kind_diagonal, agrees_with_definition)
SUITE_TEST(kind_diagonal, groups_of_one)
SUITE_TEST(kind_diagonal, refuses)
SUITE_END(kind_diagonal)
