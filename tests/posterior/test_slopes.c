/* test_slopes - slopes of mixtures of all kinds against differences of the moments; of the linear model to its own bits; blocks,
 * workspace, errors */
#include "ask_tools.h"
#include "../linear/slm_outputs_tools.h"
#include "../linear/posterior_of.h"

/* Central differences of bln_posterior_latent in each input, h = 1e-3 with one Richardson extrapolation: errors of h^4 times fifth
 * derivatives, some 1e-11, and of eps/h, 1e-12, times the size of the moments. */
static void slopes_check(bln_posterior *q, const bln_data *data, double tolerance)
{
    const size_t J = q->J ? q->J : 1, n = data->n, d = data->d, ld = J*d + 1;
    double *X = test_doubles(n*d), *dmean = test_doubles(2*n*ld), *dvar = dmean + n*ld, *m = test_doubles(8*n*J);
    const size_t doubles = bln_posterior_slopes_work(q);
    double *work = test_doubles(doubles + 1);
    test_heap heap;
    bln_data moved = *data;
    moved.X = X;
    moved.ldx = d;
    for (size_t i = 0; i < 2*n*ld; i++) dmean[i] = 2.385;
    q->alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    work[doubles] = 2.385;
    CHECK_OK(bln_posterior_slopes(q, data, dmean, dvar, ld, work, NULL));
    CHECK_SIZE(heap.calls, 0);
    CHECK(work[doubles] == 2.385);
    CHECK_STATUS(bln_posterior_slopes(q, data, dmean, dvar, ld, NULL, NULL), BLN_ENOMEM);
    memset(&q->alloc, 0, sizeof q->alloc);
    for (size_t l = 0; l < d; l++) {
        for (size_t c = 0; c < 4; c++) {
            const double h = (c < 2 ? 1e-3 : 2e-3)*(c % 2 ? -1.0 : 1.0);
            for (size_t i = 0; i < n*d; i++) X[i] = data->X[i] + (i % d == l ? h : 0.0);
            CHECK_OK(bln_posterior_latent(q, &moved, m + 2*c*n*J, m + (2*c + 1)*n*J, NULL, NULL));
        }
        for (size_t i = 0; i < n*J; i++)
            for (size_t v = 0; v < 2; v++) {
                const double *x = m + v*n*J + i, near = (x[0] - x[2*n*J])/2e-3, far = (x[4*n*J] - x[6*n*J])/4e-3;
                const double want = near + (near - far)/3.0, got = (v ? dvar : dmean)[i/J*ld + i%J*d + l];
                CHECK_NEAR(got, want, tolerance*(1.0 + fabs(want)));
            }
    }
    for (size_t i = 0; i < n; i++) CHECK(dmean[i*ld + J*d] == 2.385 && dvar[i*ld + J*d] == 2.385);
    free(X);
    free(dmean);
    free(m);
    free(work);
}

/* Gaussians, diagonal ones and points at two thetas, with residuals; each group alone; blocks of any size. */
TEST(slopes, mixture_of_all_kinds)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    if (!w) exit(2);
    ask_world_new(w);
    w->data.n = 11;                                  /* where nothing is missed, at a point, is a kink; no row is one */
    slopes_check(&w->q, &w->data, 1e-8);
    w->q.block = 4;
    slopes_check(&w->q, &w->data, 1e-8);
    for (size_t g = 0; g < 4; g++) {
        bln_group one = w->g[g];
        bln_posterior q = w->q;
        one.weight = NULL;
        q.groups = &one;
        q.n_groups = 1;
        slopes_check(&q, &w->data, 1e-8);
    }
    ask_world_free(w);
    free(w);
}

/* Latents: jointly by two bases or one, by one factor, diagonal, points. */
TEST(slopes, several_latents)
{
    static const double T[4] = { 1.5, 0.4, 0.4, 0.7 }, sigma[4] = { 0.3, 0.1, 0.1, 0.8 };
    posterior_bases b = posterior_bases_new();
    double X[2*9];
    posterior_inputs(210, 9, X);
    const bln_data data = slm_view(9, 2, X, NULL);
    for (int c = 0; c < 8; c++) {
        const size_t n_bases = c == 0 || c > 5 ? 2 : 1, n_w = n_bases > 1 ? 8 : 10, n = c == 2 || c == 4 ? 5 : n_w;
        const bln_gaussian_form form = c == 3 || c == 4 ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
        bln_gaussians v = posterior_gaussians(form, 2, n_w, n, form == BLN_GAUSSIAN_FACTOR ? n : 2, 211);
        double psi[20];
        bln_diagonals diag;
        bln_points points;
        if (n < n_w) v.T = T;
        for (size_t i = 0; i < 20; i++) psi[i] = 0.1*(double)(i + 1);
        diag.m = points.w = v.m;
        diag.psi = psi;
        diag.ld = points.ld = 0;
        bln_group g = posterior_group(bln_kind_gaussian(), &v, 2, sigma);
        if (c == 5 || c == 6) { g.ops = bln_kind_diagonal(); g.view = &diag; }
        if (c == 7) { g.ops = bln_kind_point(); g.view = &points; }
        bln_posterior q = posterior_of(b.view, n_bases, 2, bln_observe_noise(2), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        slopes_check(&q, &data, 1e-9);
        g.K = 1;
        slopes_check(&q, &data, 1e-9);
        posterior_gaussians_free(&v);
    }
    posterior_bases_free(&b);
}

/* Two latents whose features miss something, each with a basis, a theta and prior variances of its own; one slice misses nothing
 * that counts. */
TEST(slopes, residuals_of_latents)
{
    static const double theta[4] = { 1.1, 0.6, 0.8, 0.8 }, sigma[4] = { 0.3, 0.1, 0.1, 0.8 };
    static const double residual[8] = { 0.0, 0.7, 0.0, 0.4, 0.0, 0.0, 0.0, 0.9 };
    static const double at[2][8] = { { 0.1, -0.2, 1.3, 0.4, -0.9, 0.8, 0.5, -1.1 }, { 0.3, 0.2, -1.3, 0.9, 0.9, -0.8, 0.0, 1.1 } };
    bln_basis *b[2], *parts[2];
    const bln_basis *view[2];
    double X[2*9], m[2*10], psi[20];
    test_random r = test_random_new(212);
    bln_diagonals v = BLN_ZERO;
    for (size_t j = 0; j < 2; j++) {
        bln_inducing_desc desc = BLN_ZERO;
        desc.d = 2;
        desc.n = 4;
        desc.ard = 1;
        desc.points = at[j];
        CHECK_OK(bln_inducing_create(&desc, &parts[1], NULL));
        CHECK_OK(bln_bias_create(NULL, &parts[0]));
        CHECK_OK(bln_basis_sum(NULL, 2, parts, &b[j], NULL));
        CHECK_SIZE(b[j]->n_theta, 2);
        view[j] = b[j];
    }
    posterior_inputs(213, 9, X);
    const bln_data data = slm_view(9, 2, X, NULL);
    test_fill_normal(&r, 20, m);
    for (size_t i = 0; i < 20; i++) psi[i] = 0.2 + test_uniform(&r);
    v.m = m;
    v.psi = psi;
    bln_group g = posterior_group(bln_kind_diagonal(), &v, 2, sigma);
    g.theta = theta;
    g.residual = residual;
    g.ldresidual = 4;
    bln_posterior q = posterior_of(view, 2, 2, bln_observe_noise(2), &g, 1);
    CHECK_OK(bln_posterior_check(&q, NULL));
    slopes_check(&q, &data, 1e-8);
    g.K = 1;
    g.residual = residual + 4;                                           /* of the first latent nothing is missed at all */
    slopes_check(&q, &data, 1e-8);
    for (size_t j = 0; j < 2; j++) bln_basis_free(b[j]);
}

/* t's with flat weights and without; variances that do not exist have no slopes. */
TEST(slopes, students)
{
    static const double Uf[25] = { 1.3, 0.4, 0.0, 0.9, 0.0, 0.0, 1.1 }, zf[5] = { 0.7, -0.3 }, eta[2] = { 0.6, 1.1 };
    static const double whole[25] = { 1.3, 0.4, 0.2, 0.0, 0.1, 0.0, 0.9, 0.0, 0.3, 0.0, 0.0, 0.0, 1.1, 0.2, 0.2, 0.0, 0.0, 0.0, 0.8,
                                      0.4, 0.0, 0.0, 0.0, 0.0, 1.5 };
    static const double weight[2] = { 0.3, 0.7 };
    static const size_t flat[5] = { 3, 0, 1, 2, 4 }, other[2][5] = { { 0, 1, 2, 3, 4 }, { 4, 1, 2 } };
    posterior_bases b = posterior_bases_new();
    double X[2*9], W[10], x[18];
    test_random r = test_random_new(220);
    posterior_inputs(221, 9, X);
    const bln_data data = slm_view(9, 2, X, NULL);
    test_fill_normal(&r, 10, W);
    for (size_t nf = 0; nf < 6; nf += nf ? 3 : 2) {
        const size_t p = 5 - nf;
        bln_gaussians arrays = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 2, p, p, p, 222);
        bln_students v;
        v.n_flat = nf;
        v.n_free = p;
        v.flat = flat;
        v.other = nf < 5 ? other[nf/2] : NULL;
        v.Uf = nf < 5 ? Uf : whole;
        v.zf = zf;
        v.W = W;
        v.scale = arrays.s;
        v.R = arrays.R;
        v.t = arrays.m;
        bln_group g = posterior_group(bln_kind_student(), &v, 2, eta);
        g.ldeta = 1;
        g.weight = weight;
        bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
        q.dof = 4.5;
        slopes_check(&q, &data, 1e-9);
        q.dof = 2.0;
        CHECK_OK(bln_posterior_slopes(&q, &data, NULL, x, 0, NULL, NULL));
        CHECK(x[0] != x[0]);
        CHECK_OK(bln_posterior_slopes(&q, &data, x, NULL, 0, NULL, NULL));
        CHECK(x[0] == x[0]);
        q.dof = 1.0;                                                     /* nor has a mean that does not exist */
        CHECK_OK(bln_posterior_slopes(&q, &data, x, NULL, 0, NULL, NULL));
        CHECK(x[0] != x[0]);
        q.dof = 4.5;
        g.K = 1;                                                         /* a single t: its variance alone */
        g.weight = NULL;
        slopes_check(&q, &data, 1e-9);
        posterior_gaussians_free(&arrays);
    }
    posterior_bases_free(&b);
}

/* One output to the bit. */
TEST(slopes, linear_model)
{
    bln_data data = slm_make(25, 2, 230, 1), rows = slm_make(9, 2, 231, 1);
    for (int form = 0; form < 2; form++) {
        bln_basis *b = slm_parse("rbf:n=20,ard+linear", 2, 3);
        bln_slm_desc desc = slm_desc(b, form ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        const bln_basis *view[1];
        double x[4][18];
        view[0] = b;
        desc.max_iterations = 30;
        bln_slm *slm = slm_fit(&desc, &data);
        const blni_gaussian *p = gaussians_of(bln_slm_posterior(slm));
        bln_gaussians v;
        memset(&v, 0, sizeof v);
        v.form = p->form;
        v.n = p->D;
        v.k = p->k;
        v.m = p->m;
        v.s = p->s;
        v.R = p->R;
        bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, bln_slm_noise_cov(slm));
        g.theta = bln_slm_theta(slm);
        const bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
        CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &rows, x[0], x[1], 0, NULL, NULL));
        CHECK_OK(bln_posterior_slopes(&q, &rows, x[2], x[3], 0, NULL, NULL));
        for (size_t i = 0; i < 18; i++) CHECK(x[2][i] == x[0][i] && x[3][i] == x[1][i]);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&rows);
}

static void slopes_no_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                               size_t ldphi, double *work)
{
    (void)b, (void)theta, (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = X[i*ldx];
}

TEST(slopes, errors)
{
    posterior_bases b = posterior_bases_new();
    const double w[5] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
    double X[2*9], x[18];
    bln_report r;
    bln_basis_ops ops;
    bln_basis own;
    const bln_basis *view[1];
    bln_points v;
    posterior_inputs(240, 9, X);
    bln_data data = slm_view(9, 2, X, NULL);
    v.w = w;
    v.ld = 0;
    const bln_group g = posterior_group(bln_kind_point(), &v, 1, w);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_STATUS(bln_posterior_slopes(NULL, &data, x, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_slopes(&q, NULL, x, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_slopes(&q, &data, x, NULL, 1, NULL, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "stride");
    X[7] = 1e308;
    q.block = 4;                                                     /* later blocks are not looked at */
    CHECK_STATUS(bln_posterior_slopes(&q, &data, x, NULL, 0, NULL, &r), BLN_ENUMERIC);
    CHECK_SIZE(r.row, 3);
    q.status = BLN_ESTATE;
    CHECK_STATUS(bln_posterior_slopes(&q, &data, x, NULL, 0, NULL, &r), BLN_ESTATE);
    CHECK_SIZE(bln_posterior_slopes_work(&q), 0);
    CHECK_SIZE(bln_posterior_slopes_work(NULL), 0);
    q.status = BLN_OK;
    memset(&ops, 0, sizeof ops);
    memset(&own, 0, sizeof own);
    ops.name = "own";
    ops.features = slopes_no_pullback;
    own.ops = &ops;
    own.d = 2;
    own.D = own.n_slices = 1;
    view[0] = &own;
    q.bases = view;
    CHECK_OK(bln_posterior_check(&q, &r));
    CHECK_STATUS(bln_posterior_slopes(&q, &data, x, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "pullback");
    posterior_bases_free(&b);
}

SUITE_BEGIN(slopes)
SUITE_TEST(slopes, mixture_of_all_kinds)
SUITE_TEST(slopes, several_latents)
SUITE_TEST(slopes, residuals_of_latents)
SUITE_TEST(slopes, students)
SUITE_TEST(slopes, linear_model)
SUITE_TEST(slopes, errors)
SUITE_END(slopes)
