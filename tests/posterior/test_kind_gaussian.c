/* gaussian: groups by factor and of low rank, of one latent, of outputs that share a factor, and of latents with a joint
 * covariance, against the dense definition; a group of K as K groups of 1; the check */
#include "posterior_tools.h"

/* The dense covariance of all n_w weights under component k. */
static void gaussian_dense(const bln_gaussians *v, size_t n_w, size_t J, size_t k, double *C)
{
    double small[15*15], work[15*15];
    const blni_gaussian g = blni_gaussians_at(v, n_w, k);
    blni_gaussian_covariance(&g, small, v->n, work);
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < i; j++) small[i*v->n + j] = small[j*v->n + i];
    if (!v->T) {
        memcpy(C, small, n_w*n_w*sizeof *C);
        return;
    }
    for (size_t a = 0; a < n_w; a++)
        for (size_t b = 0; b < n_w; b++) C[a*n_w + b] = v->T[a/v->n*J + b/v->n]*small[a%v->n*v->n + b%v->n];
}

static const double gaussian_T[9] = { 1.0, 0.3, -0.2, 0.3, 2.0, 0.5, -0.2, 0.5, 1.4 };

TEST(kind_gaussian, agrees_with_definition)
{
    static const struct { size_t J, n_bases, K; int shared; } cases[] = {
        { 1, 1, 1, 0 }, { 1, 1, 3, 0 }, { 3, 1, 2, 1 }, { 2, 1, 2, 0 }, { 2, 2, 2, 0 }, { 3, 1, 1, 0 }
    };
    posterior_bases b = posterior_bases_new();
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++)
        for (int form = 0; form < 2; form++) {
            const size_t J = cases[c].J, K = cases[c].K, n_w = cases[c].n_bases > 1 ? 8 : 5*J, n = cases[c].shared ? 5 : n_w;
            bln_gaussians v = posterior_gaussians(form ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR, K, n_w, n, form ? 2 : n,
                                                  40 + c);
            const bln_group g = posterior_group(bln_kind_gaussian(), &v, K, gaussian_T);
            bln_posterior q = posterior_of(b.view, cases[c].n_bases, J, bln_observe_noise(J), &g, 1);
            double C[3*15*15];
            if (cases[c].shared) v.T = gaussian_T;
            CHECK_OK(bln_posterior_check(&q, NULL));
            CHECK_SIZE(posterior_numbers(&q, &g), K*(n_w + n + v.k*n) + (v.T ? J*J : 0));
            for (size_t k = 0; k < K; k++) gaussian_dense(&v, n_w, J, k, C + k*n_w*n_w);
            posterior_check_kind(&q, &g, 1, K + 2, v.m, n_w, C, n_w*n_w, 64.0*DBL_EPSILON);
            posterior_gaussians_free(&v);
        }
    posterior_bases_free(&b);
}

/* Groups of one at their places are the group, to the bit. */
TEST(kind_gaussian, groups_of_one)
{
    posterior_bases b = posterior_bases_new();
    double X[POSTERIOR_N*POSTERIOR_D], Phi[POSTERIOR_N*16];
    posterior_out *out = (posterior_out *)malloc(2*sizeof *out);
    if (!out) exit(2);
    posterior_inputs(31, POSTERIOR_N, X);
    posterior_features(b.view, 1, POSTERIOR_N, X, Phi, 16);
    out[0].cov = out[1].cov = NULL;
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 3, 5, 5, 5, 60);
    const bln_group all = posterior_group(bln_kind_gaussian(), &v, 3, gaussian_T);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &all, 1);
    posterior_project(&q, &all, Phi, 16, 3, 0, out);
    for (size_t k = 0; k < 3; k++) {
        bln_gaussians one = v;
        one.m += 5*k;
        one.s += 5*k;
        one.R += 25*k;
        const bln_group g = posterior_group(bln_kind_gaussian(), &one, 0, gaussian_T);
        posterior_project(&q, &g, Phi, 16, 3, k, out + 1);
        for (size_t i = 0; i < POSTERIOR_N; i++) {
            CHECK(out[0].mean[i*POSTERIOR_LD + k] == out[1].mean[i*POSTERIOR_LD + k]);
            CHECK(out[0].var[i*POSTERIOR_LD + k] == out[1].var[i*POSTERIOR_LD + k]);
        }
    }
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
    free(out);
}

/* Where the data say nothing, I - (UU')^-1 is 0, and its factor needs the least that rounding can be. */
TEST(kind_gaussian, prior_paths_without_data)
{
    posterior_bases b = posterior_bases_new();
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 5, 5, 5, 62);
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, gaussian_T);
    const bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    double R[25] = { 0.0 }, W[5], W0[5];
    bln_draw_desc d = BLN_ZERO;
    bln_report report;
    for (size_t i = 0; i < 5; i++) R[6*i] = 1.0;
    v.R = R;
    CHECK_OK(bln_posterior_draw_weights(&q, &d, W, W0, 0, NULL, &report));
    CHECK(report.jitter > 0.0 && report.jitter <= 100.0*DBL_EPSILON);
    for (size_t i = 0; i < 5; i++) CHECK_NEAR(W[i] - v.m[i], W0[i], 1e-6);            /* of jitter the root: 5 eps is 3e-8 */
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
}

TEST(kind_gaussian, refuses)
{
    posterior_bases b = posterior_bases_new();
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 5, 5, 5, 61), bad;
    bln_report report;
    const bln_group g = posterior_group(bln_kind_gaussian(), &bad, 1, gaussian_T);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    for (int c = 0; c < 7; c++) {
        bad = v;
        q.dof = 0.0;
        if (c == 0) bad.m = NULL;
        if (c == 1) bad.R = NULL;
        if (c == 2) bad.n = 4;
        if (c == 3) bad.k = 4;
        if (c == 4) bad.form = (bln_gaussian_form)2;
        if (c == 5) q.dof = 3.0;
        if (c == 6) bad.s = NULL;
        CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "gaussian: ");
        CHECK_SIZE(report.row, 0);
    }
    bad = v;
    bad.T = gaussian_T;
    q = posterior_of(b.view, 2, 2, bln_observe_noise(2), &g, 1);
    CHECK_STATUS(bln_posterior_check(&q, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "one basis for all");
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
}

SUITE_BEGIN(kind_gaussian)
SUITE_TEST(kind_gaussian, agrees_with_definition)
SUITE_TEST(kind_gaussian, groups_of_one)
SUITE_TEST(kind_gaussian, prior_paths_without_data)
SUITE_TEST(kind_gaussian, refuses)
SUITE_END(kind_gaussian)
