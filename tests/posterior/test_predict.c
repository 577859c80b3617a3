/* test_predict - every question of posteriors made by hand against >>latent and predictive at moments by definition; blocks,
 * panels, groups, thetas, residuals; the single Gaussian in place; no allocation; every error. What fitted models say of themselves
 * is in test_predict_models. */
#include "ask_tools.h"
#include "../likelihood/latent_tools.h"
#include "../linear/slm_outputs_tools.h"

static void ask_near(const ask_answers *a, const ask_answers *b, double tolerance)
{
    for (size_t o = 0; o < ASK_OUTPUTS; o++)
        for (size_t i = 0; i < a->each; i++) CHECK_NEAR(a->x[o][i], b->x[o][i], tolerance*(1.0 + fabs(b->x[o][i])));
}

/* f of all rows, every component by the covariance of its weights: moments, then >>latent or predictive as they stand. */
static void ask_check_latent(const bln_posterior *q, const bln_data *data, const bln_latent *f, int with_y, double tolerance)
{
    const size_t J = q->J ? q->J : 1, n = data->n;
    double *one = test_doubles(8*n), *v = one, *y = one + n, *got[6];
    ask_answers a = ask_all(q, data, with_y, NULL);
    for (size_t i = 0; i < 6; i++) got[i] = one + (2 + i)*n;
    for (size_t j = 0; j < J; j++) {
        for (size_t i = 0; i < n; i++) {
            v[i] = data->noise_var ? data->noise_var[i] : 1.0;
            y[i] = with_y ? blni_y(data, i, j) : 0.0;
        }
        latent_moments(f, n, j, NULL, got[0], got[1]);
        for (size_t i = 0; i < n; i++) {
            CHECK_NEAR(a.x[3][i*J + j], got[0][i], tolerance*(1.0 + fabs(got[0][i])));
            CHECK_NEAR(a.x[4][i*J + j], got[1][i], tolerance*(1.0 + got[1][i]));
        }
        for (size_t k = 0; k < ASK_P; k++) {
            latent_quantiles(f, n, j, NULL, 1, ask_p + k, got[0]);
            for (size_t i = 0; i < n; i++) CHECK_NEAR(a.x[10][(i*J + j)*ASK_P + k], got[0][i], tolerance*(1.0 + fabs(got[0][i])));
        }
        if (!q->observe.ops->identity) continue;
        latent_moments(f, n, j, v, got[0], got[1]);
        latent_logdensities(f, n, j, v, y, got[2]);
        latent_cdfs(f, n, j, v, y, got[3], got[4]);
        for (size_t i = 0; i < n; i++) {
            CHECK_NEAR(a.x[0][i*J + j], got[0][i], tolerance*(1.0 + fabs(got[0][i])));
            CHECK_NEAR(a.x[1][i*J + j] + a.x[2][i*J + j], got[1][i], tolerance*(1.0 + got[1][i]));
            if (!with_y) continue;
            CHECK_NEAR(a.x[5][i*J + j], got[2][i], tolerance*(1.0 + fabs(got[2][i])));
            CHECK_NEAR(a.x[6][i*J + j], got[3][i], tolerance);
            CHECK_NEAR(a.x[7][i*J + j], got[4][i], tolerance);
            CHECK(a.x[8][i*J + j] == a.x[6][i*J + j]);
        }
        static const double ends[2] = { 0.05, 0.95 };
        for (size_t k = 0; k < 2; k++) {
            latent_quantiles(f, n, j, v, 1, ends + k, got[0]);
            for (size_t i = 0; i < n; i++) CHECK_NEAR(a.x[11 + k][i*J + j], got[0][i], tolerance*(1.0 + fabs(got[0][i])));
            latent_quantiles(f, n, j, NULL, 1, ends + k, got[0]);
            for (size_t i = 0; i < n; i++) CHECK_NEAR(a.x[13 + k][i*J + j], got[0][i], tolerance*(1.0 + fabs(got[0][i])));
        }
    }
    ask_free(&a);
    free(one);
}

/* Groups of all kinds in blocks of any size. The moments by definition: features at each theta, dense sums, residuals lambda
 * (1 - |phi|^2). */
static void ask_world_define(const ask_world *w, double *mean, double *var)
{
    const size_t D = ASK_M + 1;
    double Phi[ASK_N*(ASK_M + 1)], *work = test_doubles(bln_basis_work(w->basis, ASK_N) + 8), C[2][25], scratch[25];
    for (size_t k = 0; k < 2; k++) {
        const blni_gaussian g = blni_gaussians_at(&w->gaussians, D, k);
        blni_gaussian_covariance(&g, C[k], D, scratch);
    }
    for (size_t g = 0, k = 0; g < 4; g++) {
        bln_basis_features(w->basis, w->g[g].theta, ASK_N, w->data.X, 2, Phi, D, work);
        for (size_t c = 0; c < w->g[g].K; c++, k++)
            for (size_t i = 0; i < ASK_N; i++) {
                const double *phi = Phi + i*D, *m = g == 0 ? w->gaussians.m : g == 1 ? w->diagonals.m : w->points.w;
                double *to = mean + i*ASK_K + k, *v = var + i*ASK_K + k, left = 1.0;
                *to = w->data.offset[i];
                *v = 0.0;
                for (size_t a = 0; a < D; a++) {
                    *to += phi[a]*m[c*D + a];
                    if (g == 1) *v += phi[a]*phi[a]*w->diagonals.psi[c*D + a];
                    for (size_t b = 0; b < D && g == 0; b++) *v += phi[a]*C[c][a < b ? a*D + b : b*D + a]*phi[b];
                    if (a) left -= phi[a]*phi[a];
                }
                if (w->g[g].residual) *v += w->residual[2*k + 1]*(left > 0.0 ? left : 0.0);
            }
    }
    free(work);
}

TEST(predict, mixture_of_all_kinds)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    double *mean = test_doubles(2*ASK_N*ASK_K), *var = mean + ASK_N*ASK_K;
    bln_latent f = BLN_ZERO;
    if (!w) exit(2);
    ask_world_new(w);
    CHECK_OK(bln_posterior_check(&w->q, NULL));
    ask_world_define(w, mean, var);
    f.K = ASK_K;
    f.weight = w->weight;
    f.mean = mean;
    f.var = var;
    f.eta = w->eta;
    f.ldeta = 1;
    for (size_t block = 0; block < 60; block += 7) {
        w->q.block = block;
        ask_check_latent(&w->q, &w->data, &f, 1, 1e-12);
    }
    w->q.block = 3;                                   /* panels of 48 rows in blocks of 3 */
    ask_check_work(&w->q, &w->data, 1);
    ask_world_free(w);
    free(mean);
    free(w);
}

/* A group of K, equal weights, is K groups of 1, whether they share theta by pointer or have copies of it. */
TEST(predict, groups_of_one)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    if (!w) exit(2);
    ask_world_new(w);
    for (int kind = 0; kind < 3; kind++) {
        const size_t D = ASK_M + 1;
        double theta[4] = { 1.1, 1.1, 1.1, 1.1 };
        bln_gaussians one[2];
        bln_diagonals two[2];
        bln_points three[3];
        bln_group all = w->g[kind], parts[3];
        const size_t K = all.K;
        all.weight = NULL;
        all.theta = theta;
        all.residual = w->residual;
        all.ldresidual = 0;
        for (size_t k = 0; k < K; k++) {
            parts[k] = all;
            parts[k].K = 0;
            parts[k].eta = all.eta + k;
            parts[k].ldeta = 0;
            if (kind == 0) {
                one[k] = w->gaussians;
                one[k].m += k*D;
                one[k].s += k*D;
                one[k].R += k*D*D;
                parts[k].view = one + k;
            } else if (kind == 1) {
                two[k] = w->diagonals;
                two[k].m += k*D;
                two[k].psi += k*D;
                parts[k].view = two + k;
            } else {
                three[k] = w->points;
                three[k].w += k*D;
                parts[k].view = three + k;
            }
        }
        bln_posterior q = w->q;
        q.groups = &all;
        q.n_groups = 1;
        ask_answers a = ask_all(&q, &w->data, 1, NULL);
        for (int copies = 0; copies < 2; copies++) {
            for (size_t k = 0; k < K && copies; k++) parts[k].theta = theta + k;
            q.groups = parts;
            q.n_groups = K;
            ask_answers b = ask_all(&q, &w->data, 1, NULL);
            ask_near(&a, &b, 1e-13);
            ask_free(&b);
        }
        ask_free(&a);
    }
    ask_world_free(w);
    free(w);
}

/* Latents with a joint covariance by bases of their own, and outputs that share a factor, by definition. */
TEST(predict, several_latents)
{
    static const double T[4] = { 1.5, 0.4, 0.4, 0.7 }, sigma[4] = { 0.3, 0.1, 0.1, 0.8 };
    posterior_bases b = posterior_bases_new();
    bln_data data = outputs_make(ASK_N, 2, 2, 130, 1);
    for (int c = 0; c < 3; c++) {                     /* two bases; one basis, joint; one basis, T */
        const size_t n_bases = c == 0 ? 2 : 1, n_w = c == 0 ? 8 : 10, n = c == 2 ? 5 : n_w;
        bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, n_w, n, n, 131);
        const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, sigma);
        bln_posterior q = posterior_of(b.view, n_bases, 2, bln_observe_noise(2), &g, 1);
        double small[100], C[100], scratch[100], Phi[ASK_N*16], mean[ASK_N*2], var[ASK_N*2], cov[4];
        bln_latent f = BLN_ZERO;
        if (c == 2) v.T = T;
        const blni_gaussian one = blni_gaussians_at(&v, n_w, 0);
        blni_gaussian_covariance(&one, small, n, scratch);
        for (size_t i = 0; i < n_w; i++)
            for (size_t j = 0; j < n_w; j++) {
                const size_t p = i%n, r = j%n;
                C[i*n_w + j] = small[p < r ? p*n + r : r*n + p]*(c == 2 ? T[i/n*2 + j/n] : 1.0);
            }
        posterior_features(b.view, n_bases, ASK_N, data.X, Phi, 16);
        for (size_t i = 0; i < ASK_N; i++) {
            posterior_define(&q, Phi + 16*i, v.m, C, mean + 2*i, cov);
            for (size_t j = 0; j < 2; j++) {
                mean[2*i + j] += blni_offset(&data, i, j);
                var[2*i + j] = cov[3*j];
            }
        }
        f.J = 2;
        f.mean = mean;
        f.var = var;
        f.eta = sigma;
        q.block = 10;
        ask_check_latent(&q, &data, &f, 1, 1e-12);
        ask_check_work(&q, &data, 1);
        posterior_gaussians_free(&v);
    }
    posterior_bases_free(&b);
    slm_free_data(&data);
}

/* Residuals of latents with bases of their own: each has the slices of its basis, lambda (1 - |phi_j|^2) more variance. */
TEST(predict, residuals_of_latents)
{
    static const double lambda[4] = { 0.7, 1.9, 0.4, 0.0 }, sigma[4] = { 0.3, 0.0, 0.0, 0.3 }, theta[2] = { 0.9, 1.4 };
    bln_data data = slm_make(ASK_N, 2, 135, 0);
    bln_basis *b[2];
    const bln_basis *view[2];
    double w[2*7] = { 0.0 }, var[ASK_N*2], phi[8];
    bln_points v;
    for (size_t j = 0; j < 2; j++) {
        bln_inducing_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.d = 2;
        desc.n = j ? 4 : 3;
        desc.points = data.X + 2*j;
        CHECK_OK(bln_inducing_create(&desc, &b[j], NULL));
        view[j] = b[j];
    }
    v.w = w;
    v.ld = 0;
    for (size_t K = 1; K < 3; K++) {
        bln_group g = posterior_group(bln_kind_point(), &v, K, sigma);
        g.theta = theta;
        g.residual = lambda;
        g.ldresidual = 2;
        const bln_posterior q = posterior_of(view, 2, 2, bln_observe_noise(2), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_OK(bln_posterior_latent(&q, &data, NULL, var, NULL, NULL));
        for (size_t i = 0; i < ASK_N; i++)
            for (size_t j = 0; j < 2; j++) {
                double *room = test_doubles(bln_basis_work(b[j], 1) + 8), left = 1.0;
                bln_basis_features(b[j], theta + j, 1, data.X + 2*i, 2, phi, 8, room);
                for (size_t a = 0; a < b[j]->D; a++) left -= phi[a]*phi[a];
                CHECK_NEAR(var[2*i + j], (K == 1 ? lambda[j] : 0.5*(lambda[j] + lambda[2 + j]))*(left > 0.0 ? left : 0.0), 1e-14);
                free(room);
            }
    }
    for (size_t j = 0; j < 2; j++) bln_basis_free(b[j]);
    slm_free_data(&data);
}

/* One Gaussian is projected where it is wanted; an observation of which that is not known (identity = 0) has it copied: the same
 * bits. */
TEST(predict, in_place)
{
    posterior_bases b = posterior_bases_new();
    bln_data data = slm_make(ASK_N, 2, 140, 1);
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 5, 5, 5, 141);
    const double sigma = 0.4;
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 0, &sigma);
    bln_posterior q = posterior_of(b.view, 1, 0, bln_observe_noise(1), &g, 1);
    struct bln_observe_ops copied = *q.observe.ops;
    double x[6][ASK_N];
    q.block = 10;
    CHECK_OK(bln_posterior_predict(&q, &data, x[0], x[1], x[2], NULL, NULL));
    copied.identity = 0;
    q.observe.ops = &copied;
    CHECK_OK(bln_posterior_predict(&q, &data, x[3], x[4], x[5], NULL, NULL));
    for (size_t i = 0; i < ASK_N; i++) {
        for (size_t j = 0; j < 3; j++) CHECK(x[j][i] == x[3 + j][i]);
        CHECK(x[2][i] == sigma*data.noise_var[i]);
    }
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
    slm_free_data(&data);
}

/* Draws: more of them than a block's worth of numbers, so that a panel is smaller; with a likelihood, parameters of their own. */
TEST(predict, thousands_of_draws)
{
    enum { K = 3000, N = 37 };
    posterior_bases b = posterior_bases_new();
    const bln_likelihood l = bln_likelihood_negative_binomial();
    double *w = test_doubles(K*7), *mean = test_doubles(2*N*K), y[N], want[3][N], got[3][N], X[2*N];
    test_random r = test_random_new(150);
    bln_points v;
    bln_data data = slm_view(N, 2, X, y);
    bln_latent f = BLN_ZERO;
    bln_targets t = BLN_ZERO;
    test_fill_normal(&r, 2*N, X);
    for (size_t i = 0; i < 7*K; i++) w[i] = i % 7 < 5 ? 0.3*test_normal(&r) : 1.0 + test_uniform(&r);
    for (size_t i = 0; i < N; i++) y[i] = (double)(i % 4);
    v.w = w;
    v.ld = 7;
    bln_group g = posterior_group(bln_kind_point(), &v, K, w + 5);
    g.ldeta = 7;
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_likelihood(&l), &g, 1);
    CHECK_OK(bln_posterior_check(&q, NULL));
    CHECK_LE((double)bln_posterior_work(&q), 2.2*(1 << 18));
    double Phi[N*16];
    posterior_features(b.view, 1, N, X, Phi, 16);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < K; k++) {
            mean[i*K + k] = 0.0;
            for (size_t a = 0; a < 5; a++) mean[i*K + k] += Phi[16*i + a]*w[7*k + a];
        }
    f.K = K;
    f.mean = mean;
    f.eta = w + 5;
    f.ldeta = 7;
    t.y = y;
    blni_predictive_moments(&l, N, &t, &f, want[0], want[1], want[2]);
    CHECK_OK(bln_posterior_predict(&q, &data, got[0], got[1], got[2], NULL, NULL));
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < N; i++) CHECK_NEAR(got[j][i], want[j][i], 1e-12*(1.0 + want[j][i]));
    blni_predictive_logdensity(&l, N, &t, &f, want[0]);
    CHECK_OK(bln_posterior_logdensities(&q, &data, got[0], NULL, NULL));
    latent_quantiles(&f, N, 0, NULL, 1, ask_p, want[1]);
    CHECK_OK(bln_posterior_quantiles(&q, &data, BLN_OF_F, 1, ask_p, got[1], NULL, NULL));
    for (size_t j = 0; j < 2; j++)
        for (size_t i = 0; i < N; i++) CHECK_NEAR(got[j][i], want[j][i], 1e-12*(1.0 + fabs(want[j][i])));
    posterior_bases_free(&b);
    free(w);
    free(mean);
}

/* ---- errors */

/* A user's basis of no inputs, half of whose variance its feature misses, the same at all rows. */
static void ask_constant_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                  size_t ldphi, double *work)
{
    (void)b, (void)theta, (void)X, (void)ldx, (void)work;
    for (size_t i = 0; i < n; i++) Phi[i*ldphi] = sqrt(0.5);
}

static double ask_constant_variance(const bln_basis *b, size_t s) { (void)b; return s == 0 ? 1.0 : 0.0; }

static int ask_constant_kernel(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X,
                               size_t ldx, double *k, double *work)
{
    (void)b, (void)s, (void)theta, (void)ldx, (void)work;
    CHECK(x == NULL && X == NULL);
    for (size_t j = 0; j < n; j++) k[j] = 1.0;
    return 1;
}

TEST(predict, residuals_without_inputs)
{
    const double phi[3] = { sqrt(0.5), sqrt(0.5), sqrt(0.5) };
    double R[9] = { 0.0 }, line[3], diag[3], lambda = 2.0;
    bln_basis_ops ops = BLN_ZERO;
    bln_basis own = BLN_ZERO;
    bln_data rows = BLN_ZERO;
    ops.name = "own";
    ops.features = ask_constant_features;
    ops.variance = ask_constant_variance;
    ops.kernel = ask_constant_kernel;
    own.ops = &ops;
    own.D = own.n_slices = 1;
    rows.n = 3;
    blni_ask_residual_joint(&own, NULL, &lambda, &rows, phi, 1, R, 3, line, diag, NULL);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = i; j < 3; j++) CHECK_NEAR(R[3*i + j], 1.0, 4.0*DBL_EPSILON);       /* 2 (1 - 1/2) */
}

TEST(predict, errors)
{
    posterior_bases b = posterior_bases_new();
    bln_data data = slm_make(ASK_N, 2, 160, 1);
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 5, 5, 5, 161);
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    const double sigma = 0.4, p[2] = { 0.5, 1.5 }, negative = -0.5;
    double x[2*ASK_N], z[2*ASK_N], *X = (double *)data.X;
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 0, &sigma);
    bln_posterior q = posterior_of(b.view, 1, 0, bln_observe_noise(1), &g, 1);
    bln_report r;
    CHECK_STATUS(bln_posterior_predict(NULL, &data, x, NULL, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_predict(&q, NULL, x, NULL, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_pits(&q, NULL, 0, x, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_pits(NULL, &data, 0, x, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_logdensities(&q, &data, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_pits(&q, &data, 0, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 1, p, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 1, NULL, x, NULL, &r), BLN_EINVAL);
    CHECK_OK(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 0, NULL, x, NULL, &r));
    CHECK_STATUS(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 2, p, x, NULL, &r), BLN_EDOMAIN);
    CHECK_STATUS(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 1, &negative, x, NULL, &r), BLN_EDOMAIN);
    CHECK_STATUS(bln_posterior_intervals(&q, &data, BLN_OF_F, 0.5, x, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_intervals(&q, &data, BLN_OF_F, 1.0, x, z, NULL, &r), BLN_EDOMAIN);
    CHECK_STATUS(bln_posterior_intervals(&q, &data, BLN_OF_F, (double)NAN, x, z, NULL, &r), BLN_EDOMAIN);
    q.status = BLN_ESTATE;
    CHECK_STATUS(bln_posterior_predict(&q, &data, x, NULL, NULL, NULL, &r), BLN_ESTATE);
    CHECK_TEXT(r.text, "not fitted");
    CHECK_SIZE(bln_posterior_work(&q), 0);
    CHECK_SIZE(bln_posterior_work(NULL), 0);
    q.status = BLN_EUNDEFINED;
    CHECK_STATUS(bln_posterior_latent(&q, &data, x, NULL, NULL, &r), BLN_EUNDEFINED);
    q.status = BLN_OK;
    bln_data bad = data;
    bad.d = 1;
    CHECK_STATUS(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r), BLN_ESHAPE);
    bad = data;
    bad.p = 2;
    CHECK_STATUS(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r), BLN_ESHAPE);
    CHECK_TEXT(r.text, "offsets");
    bad.offset = NULL;
    CHECK_OK(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r));
    CHECK_STATUS(bln_posterior_cdfs(&q, &bad, x, NULL, NULL, &r), BLN_ESHAPE);
    bad = data;
    bad.y = NULL;
    CHECK_STATUS(bln_posterior_logdensities(&q, &bad, x, NULL, &r), BLN_EINVAL);
    bad.trials = data.weight;
    CHECK_STATUS(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r), BLN_EINVAL);
    bad = data;
    bad.X = NULL;
    CHECK_STATUS(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r), BLN_EINVAL);
    q.observe = bln_observe_likelihood(&poisson);
    bad = data;
    bad.noise_var = NULL;
    CHECK_STATUS(bln_posterior_logdensities(&q, &bad, x, NULL, &r), BLN_EDOMAIN);       /* y are no counts */
    CHECK_SIZE(r.row, 0);
    CHECK_OK(bln_posterior_predict(&q, &bad, x, NULL, NULL, NULL, &r));
    q.observe = bln_observe_noise(1);
    const double keep = X[2*17 + 1];
    X[2*17 + 1] = NAN;
    CHECK_STATUS(bln_posterior_predict(&q, &data, x, NULL, NULL, NULL, &r), BLN_EDATA);
    CHECK(r.row == 17 && r.column == 1);
    /* A row that overflows is named; the blocks before it are answered. */
    X[2*17 + 1] = keep;
    q.block = 8;
    CHECK_OK(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 1, p, z, NULL, &r));
    X[2*17 + 1] = 1e200;
    CHECK_STATUS(bln_posterior_quantiles(&q, &data, BLN_OF_Y, 1, p, x, NULL, &r), BLN_ENUMERIC);
    CHECK_SIZE(r.row, 17);
    CHECK(!memcmp(x, z, 16*sizeof *x));
    CHECK_STATUS(bln_posterior_predict(&q, &data, x, z, NULL, NULL, &r), BLN_ENUMERIC);
    CHECK_SIZE(r.row, 17);
    X[2*17 + 1] = keep;
    /* Sizes beyond the machine; no rows. */
    q.block = (size_t)-1/4;
    bln_group many = g;
    bln_points w;
    w.w = v.m;
    w.ld = 0;
    many.ops = bln_kind_point();
    many.view = &w;
    many.K = (size_t)-1/4;
    q.groups = &many;
    CHECK(bln_posterior_work(&q) == (size_t)-1);
    CHECK_STATUS(bln_posterior_predict(&q, &data, x, NULL, NULL, NULL, &r), BLN_EOVERFLOW);
    q.groups = &g;
    q.block = 0;
    bad = data;
    bad.n = 0;
    CHECK_OK(bln_posterior_predict(&q, &bad, NULL, NULL, NULL, NULL, &r));
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
    slm_free_data(&data);
}

SUITE_BEGIN(predict)
SUITE_TEST(predict, mixture_of_all_kinds)
SUITE_TEST(predict, groups_of_one)
SUITE_TEST(predict, several_latents)
SUITE_TEST(predict, residuals_of_latents)
SUITE_TEST(predict, in_place)
SUITE_TEST(predict, thousands_of_draws)
SUITE_TEST(predict, residuals_without_inputs)
SUITE_TEST(predict, errors)
SUITE_END(predict)
