/* test_draws - draws from posteriors are functions of the weights of their keys, those of generalised models the models' own; draws
 * of mixtures have the distribution of predictions; keys, workspace, errors */
#include "ask_tools.h"
#include "model_views.h"

enum { DRAWS_N = 7, DRAWS_ROWS = 300, DRAWS_MANY = 20000 };

static bln_draw_desc draws_desc(size_t n, uint64_t seed, int noise, bln_residual residual)
{
    bln_draw_desc d;
    memset(&d, 0, sizeof d);
    d.n = n;
    d.seed = seed;
    d.noise = noise;
    d.residual = residual;
    return d;
}

static void draws_same(size_t n, const double *got, const double *want, double tolerance)
{
    for (size_t i = 0; i < n; i++) CHECK_NEAR(got[i], want[i], tolerance*(1.0 + fabs(want[i])));
}

/* Of a linear model, for streams and row numbers of any beginning: f and its prior paths are offset + Phi w for the weights of the
 * same key; residuals and noise are added, each from a key of its own, so that y is f and the noise that y without residuals has.
 * To rounding of sums of D terms. The moments are checked in test_slm_draws and test_residual, the bits in test_reproducible. */
static void draws_check_paths(const bln_slm *slm, const bln_data *rows, int paths)
{
    const bln_posterior *q = bln_slm_posterior(slm);
    const bln_basis *b = bln_slm_basis(slm);
    const size_t P = bln_slm_outputs(slm), D = b->D, n_w = P*D, width = rows->n*P, ld = width + 1, all = DRAWS_N*ld;
    double *x = test_doubles(6*all), *x0 = test_doubles(all), *W = test_doubles(2*DRAWS_N*n_w), *W0 = W + DRAWS_N*n_w;
    double *Phi = test_doubles(rows->n*D), *work = test_doubles(bln_basis_work(b, rows->n) + 8), apart = 0.0;
    bln_draw_desc d = draws_desc(DRAWS_N, 11, 0, BLN_RESIDUAL_ROWS);
    d.stream = 5;
    d.first_row = 100;
    bln_basis_features(b, bln_slm_theta(slm), rows->n, rows->X, blni_ldx(rows), Phi, D, work);
    CHECK_OK(bln_posterior_draw_weights(q, &d, W, paths ? W0 : NULL, 0, NULL, NULL));
    for (size_t i = 0; i < 6*all; i++) x[i] = 2.385;
    for (int c = 0; c < 6; c++) {
        d.noise = c/3;
        d.residual = (bln_residual)(c % 3);
        CHECK_OK(bln_posterior_draws(q, rows, &d, x + (size_t)c*all, paths ? x0 : NULL, ld, NULL, NULL));
        for (size_t i = 0; i < all && paths; i++) {
            const size_t r = i/ld, row = i % ld/P, p = i % ld % P;
            if (i % ld == width) continue;
            CHECK_GOLD(x0[i], blni_offset(rows, row, p) + bln_dot(D, Phi + row*D, W0 + r*n_w + p*D), 1e-12);
        }
    }
    const double *const none = x + BLN_RESIDUAL_NONE*all, *const noisy = none + 3*all;
    for (size_t i = 0; i < all; i++) {
        const size_t r = i/ld, row = i % ld/P, p = i % ld % P;
        if (i % ld == width) {
            for (size_t c = 0; c < 6; c++) CHECK(x[c*all + i] == 2.385);
            continue;
        }
        CHECK_GOLD(none[i], blni_offset(rows, row, p) + bln_dot(D, Phi + row*D, W + r*n_w + p*D), 1e-12);
        CHECK(noisy[i] != none[i]);
        for (size_t c = 0; c < BLN_RESIDUAL_NONE; c++) {
            apart += fabs(x[c*all + i] - none[i]);
            CHECK_NEAR(x[(c + 3)*all + i] - x[c*all + i], noisy[i] - none[i], 1e-12*(1.0 + fabs(none[i]) + fabs(noisy[i])));
        }
    }
    CHECK((apart > 0.0) == (q->groups->residual != NULL));
    free(x);
    free(x0);
    free(W);
    free(Phi);
    free(work);
}

TEST(draws, linear_model)
{
    bln_data data = slm_make(25, 2, 300, 1), rows = slm_make(DRAWS_ROWS, 2, 301, 1);
    bln_data several = outputs_make(30, 2, MODEL_P, 302, 1), at = outputs_make(DRAWS_ROWS, 2, MODEL_P, 303, 1);
    for (size_t c = 0; c < 7; c++) {              /* flat, primal, dual, inducing points; three outputs: primal, dual, inducing */
        static const double flat[3] = { HUGE_VAL, 1.0, 1.0 };
        const int inducing = c == 3 || c == 6;
        bln_basis *b = inducing ? model_inducing(c == 3 ? &data : &several)
                     : slm_parse(c == 0 ? "linear" : c == 1 ? "rbf:n=6,ard+linear" : "bias+rbf:n=20", 2, 3);
        const bln_slm_form form = c == 2 || c == 5 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL;
        bln_slm_desc desc = c < 4 ? slm_desc(b, form) : outputs_desc(b, form, MODEL_P, BLN_SLM_CORRELATED);
        if (c == 0) desc.prior_var = flat;
        desc.max_iterations = 20;
        bln_slm *slm = slm_fit(&desc, c < 4 ? &data : &several);
        draws_check_paths(slm, c < 4 ? &rows : &at, 0);
        if (c > 0) draws_check_paths(slm, c < 4 ? &rows : &at, 1);
        else {                                                                      /* no paths of a flat prior */
            bln_report report;
            const bln_draw_desc d = draws_desc(1, 0, 0, BLN_RESIDUAL_ROWS);
            double W[3], W0[3];
            CHECK_STATUS(bln_posterior_draw_weights(bln_slm_posterior(slm), &d, W, W0, 0, NULL, &report), BLN_EUNDEFINED);
            CHECK_SIZE(report.column, 0);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&rows);
    slm_free_data(&several);
    slm_free_data(&at);
}

/* Distribution functions of predictions at n draws of each row are uniform: their mean and mean square within 5 standard errors,
 * and the largest distance of the empirical distribution below 2.7/sqrt(n) (probability 1e-6). Column j of the rows. */
static int draws_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void draws_check_uniform(size_t n, double *u)
{
    double sum = 0.0, square = 0.0, apart = 0.0;
    qsort(u, n, sizeof *u, draws_ascending);
    for (size_t i = 0; i < n; i++) {
        sum += u[i];
        square += u[i]*u[i];
        apart = fmax(apart, fmax(fabs(u[i] - (double)i/(double)n), fabs(u[i] - (double)(i + 1)/(double)n)));
    }
    CHECK_NEAR(sum/(double)n, 0.5, 5.0*sqrt(1.0/(12.0*(double)n)));
    CHECK_NEAR(square/(double)n, 1.0/3.0, 5.0*sqrt(4.0/(45.0*(double)n)));
    CHECK_LE(apart, 2.7/sqrt((double)n));
}

/* y, or f where the noise of all components is 0, at `rows`: each row by itself has the distribution of predictions. */
static void draws_check_fit(const bln_posterior *q, const bln_data *rows, bln_residual residual)
{
    const size_t n_y = q->observe.n_y, width = rows->n*n_y;
    double *Y = test_doubles(DRAWS_MANY*width), *u = test_doubles(DRAWS_MANY), *cdf = test_doubles(n_y);
    const bln_draw_desc d = draws_desc(DRAWS_MANY, 77, 1, residual);
    CHECK_OK(bln_posterior_draws(q, rows, &d, Y, NULL, 0, NULL, NULL));
    for (size_t c = 0; c < width; c++) {
        for (size_t r = 0; r < DRAWS_MANY; r++) {
            bln_data at = bln_data_rows(rows, c/n_y, 1);
            at.y = Y + r*width + c/n_y*n_y;
            at.ldy = 0;
            CHECK_OK(bln_posterior_cdfs(q, &at, cdf, NULL, NULL, NULL));
            u[r] = cdf[c % n_y];
        }
        draws_check_uniform(DRAWS_MANY, u);
    }
    free(Y);
    free(u);
    free(cdf);
}

TEST(draws, mixture_of_all_kinds)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    if (!w) exit(2);
    ask_world_new(w);
    w->data.n = 2;
    draws_check_fit(&w->q, &w->data, BLN_RESIDUAL_ROWS);
    draws_check_fit(&w->q, &w->data, BLN_RESIDUAL_JOINT);
    ask_world_free(w);
    free(w);
}

/* Two t's with flat weights: f and y of a row, and the t's of weights. */
TEST(draws, students)
{
    enum { K = 2, D = 5, NF = 2, P = 3 };
    static const size_t flat[NF] = { 1, 3 }, other[P] = { 0, 2, 4 };
    static const double eta[K] = { 0.4, 0.9 }, weight[K] = { 0.3, 0.7 };
    posterior_bases b = posterior_bases_new();
    test_random r = test_random_new(330);
    double Uf[NF*NF] = { 1.4, 0.3, 0.0, 0.8 }, zf[NF], W[NF*P], scale[K*P], R[K*P*P], t[K*P], X[2*2];
    bln_students v;
    test_fill_normal(&r, NF, zf);
    test_fill_normal(&r, NF*P, W);
    test_fill_normal(&r, K*P*P, R);
    test_fill_normal(&r, K*P, t);
    for (size_t i = 0; i < K*P; i++) scale[i] = 0.5 + test_uniform(&r);
    for (size_t i = 0; i < K*P; i++) R[i/P*P*P + i%P*(P + 1)] = 1.0 + test_uniform(&r);
    memset(&v, 0, sizeof v);
    v.n_flat = NF;
    v.n_free = P;
    v.flat = flat;
    v.other = other;
    v.Uf = Uf;
    v.zf = zf;
    v.W = W;
    v.scale = scale;
    v.R = R;
    v.t = t;
    bln_group g = posterior_group(bln_kind_student(), &v, K, eta);
    g.weight = weight;
    g.ldeta = 1;
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    q.dof = 3.5;
    CHECK_OK(bln_posterior_check(&q, NULL));
    posterior_inputs(331, 2, X);
    const bln_data rows = slm_view(2, 2, X, NULL);
    draws_check_fit(&q, &rows, BLN_RESIDUAL_ROWS);
    double *w = test_doubles(D*DRAWS_MANY), mean[D], quantile[D];
    static const double p[1] = { 0.8 };
    const bln_draw_desc d = draws_desc(DRAWS_MANY, 5, 0, BLN_RESIDUAL_ROWS);
    CHECK_OK(bln_posterior_draw_weights(&q, &d, w, NULL, 0, NULL, NULL));
    CHECK_OK(bln_posterior_coefficients(&q, mean, NULL, 1, p, quantile, NULL, NULL));
    for (size_t j = 0; j < D; j++) {
        double below = 0.0;
        for (size_t i = 0; i < DRAWS_MANY; i++) below += w[i*D + j] <= quantile[j];
        CHECK_NEAR(below/DRAWS_MANY, 0.8, 5.0*sqrt(0.16/DRAWS_MANY));
    }
    free(w);
    posterior_bases_free(&b);
}

/* A t whose features miss something: the rest, as the noise, is as wide as the t's own draw is. */
TEST(draws, residuals_of_students)
{
    enum { D = ASK_M + 1 };
    static const size_t flat[D] = { 0, 1, 2, 3, 4 };
    static const double zf[D] = { 0.4, -0.3, 0.2, 0.5, -0.1 }, eta = 0.4;
    double U[D*D] = { 0.0 };
    bln_students v = BLN_ZERO;
    ask_world *w = (ask_world *)malloc(sizeof *w);
    if (!w) exit(2);
    ask_world_new(w);
    for (size_t i = 0; i < D; i++) U[i*(D + 1)] = 2.0 + 0.1*(double)i;
    v.n_flat = D;
    v.flat = flat;
    v.Uf = U;
    v.zf = v.W = v.scale = v.R = v.t = zf;
    bln_group g = posterior_group(bln_kind_student(), &v, 1, &eta);
    g.theta = w->theta;
    g.residual = w->residual;
    w->q.groups = &g;
    w->q.n_groups = 1;
    w->q.dof = 5.0;
    w->data.n = 2;
    CHECK_OK(bln_posterior_check(&w->q, NULL));
    draws_check_fit(&w->q, &w->data, BLN_RESIDUAL_ROWS);
    ask_world_free(w);
    free(w);
}

/* Two latents, with a basis each or one for both, and prior variances of their own: f of a row has the variance that predictions
 * say, whether residuals are drawn by rows or jointly, to 5 standard errors; and what is asked for jointly is the same again where
 * the second of two components has other prior variances. A slice that misses nothing adds nothing. */
TEST(draws, residuals_of_latents)
{
    static const double theta[2] = { 1.1, 0.8 }, sigma[4] = { 0.3, 0.1, 0.1, 0.8 };
    static const double residual[3][8] = { { 0.0, 0.7, 0.0, 0.4, 0.3, 0.9, 0.2, 0.5 }, { 0.2, 0.0, 0.3, 0.0, 0.1, 0.0, 0.4, 0.0 },
                                           { 0.0, 0.7, 0.0, 1.4, 0.0, 0.7, 0.0, 0.7 } };
    static const double at[2][8] = { { 0.1, -0.2, 1.3, 0.4, -0.9, 0.8, 0.5, -1.1 }, { 0.3, 0.2, -1.3, 0.9, 0.9, -0.8, 0.0, 1.1 } };
    bln_basis *b[2], *parts[2];
    const bln_basis *view[2];
    double X[4], m[20], psi[20], mean[4], var[4], *f = test_doubles(4*DRAWS_MANY);
    test_random r = test_random_new(212);
    bln_diagonals v = BLN_ZERO;
    for (size_t j = 0; j < 2; j++) {
        bln_inducing_desc desc = BLN_ZERO;
        desc.d = 2;
        desc.n = 4;
        desc.points = at[j];
        CHECK_OK(bln_inducing_create(&desc, &parts[1], NULL));
        CHECK_OK(bln_bias_create(NULL, &parts[0]));
        CHECK_OK(bln_basis_sum(NULL, 2, parts, &b[j], NULL));
        view[j] = b[j];
    }
    posterior_inputs(213, 2, X);
    const bln_data data = slm_view(2, 2, X, NULL);
    test_fill_normal(&r, 20, m);
    for (size_t i = 0; i < 20; i++) psi[i] = 0.2 + test_uniform(&r);
    v.m = m;
    v.psi = psi;
    for (size_t c = 0; c < 6; c++) {
        bln_group g = posterior_group(bln_kind_diagonal(), &v, 2, sigma);
        g.theta = theta;
        g.residual = residual[c/2];
        g.ldresidual = 4;
        const bln_posterior q = posterior_of(view, c % 2 ? 1 : 2, 2, bln_observe_noise(2), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_OK(bln_posterior_latent(&q, &data, mean, var, NULL, NULL));
        for (int joint = 0; joint < 2; joint++) {
            const bln_draw_desc d = draws_desc(DRAWS_MANY, 8, 0, joint ? BLN_RESIDUAL_JOINT : BLN_RESIDUAL_ROWS);
            CHECK_OK(bln_posterior_draws(&q, &data, &d, f, NULL, 0, NULL, NULL));
            for (size_t i = 0; i < 4; i++) {
                double sum = 0.0, square = 0.0;
                for (size_t k = 0; k < DRAWS_MANY; k++) {
                    sum += f[4*k + i] - mean[i];
                    square += (f[4*k + i] - mean[i])*(f[4*k + i] - mean[i]);
                }
                CHECK_NEAR(sum/DRAWS_MANY, 0.0, 5.0*sqrt(var[i]/DRAWS_MANY));
                CHECK_NEAR(square/DRAWS_MANY, var[i], 5.0*var[i]*sqrt(2.0/DRAWS_MANY));
            }
        }
    }
    posterior_bases none = posterior_bases_new();                        /* of no parameters, and of kernels that are not known */
    bln_group g = posterior_group(bln_kind_diagonal(), &v, 1, sigma);
    const bln_posterior q = posterior_of(none.view, 2, 2, bln_observe_noise(2), &g, 1);
    bln_draw_desc d = draws_desc(7, 8, 0, BLN_RESIDUAL_NONE);
    CHECK_OK(bln_posterior_draws(&q, &data, &d, f, NULL, 0, NULL, NULL));
    g.residual = residual[0] + 4;
    d.residual = BLN_RESIDUAL_JOINT;
    CHECK_OK(bln_posterior_draws(&q, &data, &d, f + 28, NULL, 0, NULL, NULL));
    CHECK(!memcmp(f, f + 28, 28*sizeof *f));
    posterior_bases_free(&none);
    free(f);
    for (size_t j = 0; j < 2; j++) bln_basis_free(b[j]);
}

/* Which prior variances are multiples of which, of a basis of three slices. */
TEST(draws, multiples)
{
    static const struct { double of[3], lambda[3]; int is; double by; } cases[] = {
        { { 1.0, 0.0, 2.0 }, { 3.0, 0.0, 6.0 }, 1, 3.0 }, { { 1.0, 0.0, 2.0 }, { 0.0, 0.0, 0.0 }, 1, 0.0 },
        { { 0.0, 1.0, 2.0 }, { 0.0, 3.0, 5.0 }, 0, 3.0 }, { { 1.0, 0.0, 2.0 }, { 3.0, 1.0, 6.0 }, 0, 3.0 },
        { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, 0, -1.0 } };
    bln_basis *b = slm_parse("bias+linear+rbf:n=2", 2, 1);
    CHECK_SIZE(b->n_slices, 3);
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        double by;
        CHECK(blni_draws_multiple(b, cases[i].of, cases[i].lambda, &by) == cases[i].is);
        CHECK(by == cases[i].by);
    }
    bln_basis_free(b);
}

/* Several latents with noise: jointly over two bases, by one factor, and diagonal: joint moments of y and f at two rows. */
TEST(draws, several_outputs)
{
    static const double T[4] = { 1.5, 0.4, 0.4, 0.7 }, sigma[4] = { 0.3, 0.1, 0.1, 0.8 };
    posterior_bases b = posterior_bases_new();
    double X[4], C[100], m[10], *W = test_doubles(10*DRAWS_MANY), *Y = test_doubles(4*DRAWS_MANY), mean[4], var[4];
    posterior_inputs(340, 2, X);
    const bln_data data = slm_view(2, 2, X, NULL);
    for (int c = 0; c < 3; c++) {
        const size_t n_bases = c == 0 ? 2 : 1, n_w = n_bases > 1 ? 8 : 10, n = c == 1 ? 5 : n_w;
        const bln_gaussian_form form = c == 2 ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
        bln_gaussians v = posterior_gaussians(form, 1, n_w, n, form == BLN_GAUSSIAN_FACTOR ? n : 2, 341);
        bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, sigma);
        bln_draw_desc d = draws_desc(DRAWS_MANY, 6, 0, BLN_RESIDUAL_ROWS);
        if (n == 5) v.T = T;
        const bln_posterior q = posterior_of(b.view, n_bases, 2, bln_observe_noise(2), &g, 1);
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_OK(bln_posterior_draw_weights(&q, &d, W, NULL, 0, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(&q, m, NULL, 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_covariance(&q, C, 0, NULL, NULL));
        bln_symmetrise(n_w, C, n_w);
        slm_check_moments(DRAWS_MANY, n_w, W, m, C);
        CHECK_OK(bln_posterior_predict(&q, &data, mean, var, NULL, NULL, NULL));
        for (d.noise = 0; d.noise < 2; d.noise++) {
            CHECK_OK(bln_posterior_draws(&q, &data, &d, Y, NULL, 0, NULL, NULL));
            for (size_t i = 0; i < 4; i++) {
                double sum = 0.0, square = 0.0;
                const double want = var[i] + d.noise*sigma[i % 2*3];
                for (size_t r = 0; r < DRAWS_MANY; r++) sum += Y[r*4 + i] - mean[i];
                for (size_t r = 0; r < DRAWS_MANY; r++) square += (Y[r*4 + i] - mean[i])*(Y[r*4 + i] - mean[i]);
                CHECK_NEAR(sum/DRAWS_MANY, 0.0, 5.0*sqrt(want/DRAWS_MANY));
                CHECK_NEAR(square/DRAWS_MANY, want, 5.0*want*sqrt(2.0/DRAWS_MANY));
            }
        }
        posterior_gaussians_free(&v);
    }
    free(W);
    free(Y);
    posterior_bases_free(&b);
}

/* Points tell their components: in turn from 64 on, by chance below and by weight, the same however the draws are split. */
TEST(draws, components)
{
    enum { K = 70 };
    posterior_bases b = posterior_bases_new();
    double w[K*5], weight[K], *W = test_doubles(5*DRAWS_MANY);
    const double eta = 0.0;
    bln_points v;
    bln_group g[2];
    for (size_t i = 0; i < K*5; i++) w[i] = (double)(i/5);
    v.w = w;
    v.ld = 0;
    for (int c = 0; c < 3; c++) {                                             /* all; 7 of equal weight; by weight, in two groups */
        const size_t count = c == 1 ? 7 : K;
        double seen[K] = BLN_ZERO, total = 0.0;
        bln_points rest = v;
        rest.w = w + 5*30;
        for (size_t k = 0; k < K; k++) total += weight[k] = k == 40 ? 0.0 : 1.0 + (double)(k % 3);
        for (size_t k = 0; k < K; k++) weight[k] /= total;
        g[0] = posterior_group(bln_kind_point(), &v, c == 2 ? 30 : count, &eta);
        g[1] = posterior_group(bln_kind_point(), &rest, K - 30, &eta);
        if (c == 2) { g[0].weight = weight; g[1].weight = weight + 30; }
        const bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), g, c == 2 ? 2 : 1);
        bln_draw_desc d = draws_desc(DRAWS_MANY, 8, 0, BLN_RESIDUAL_ROWS);
        double one[5];
        d.stream = 1000;
        CHECK_OK(bln_posterior_draw_weights(&q, &d, W, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < DRAWS_MANY; i++) {
            const size_t k = (size_t)W[i*5];
            if (c == 0) CHECK_SIZE(k, (1000 + i) % K);
            if (k < count) seen[k] += 1.0; else CHECK(0);
        }
        for (size_t k = 0; k < count && c > 0; k++) {
            const double p = c == 1 ? 1.0/7.0 : weight[k];
            CHECK_NEAR(seen[k]/DRAWS_MANY, p, 5.0*sqrt(p*(1.0 - p)/DRAWS_MANY));
        }
        d.n = 0;
        for (size_t i = 0; i < 100; i++) {
            d.stream = 1000 + i;
            CHECK_OK(bln_posterior_draw_weights(&q, &d, one, NULL, 0, NULL, NULL));
            CHECK(one[0] == W[i*5]);
        }
    }
    free(W);
    posterior_bases_free(&b);
}

/* Rows in parts, by first_row; blocks; a workspace of the size that is said and no memory; nothing left behind without. */
TEST(draws, rows_and_workspace)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    test_heap heap;
    enum { N = 9 };
    double x[N*ASK_N], y[N*ASK_N];
    if (!w) exit(2);
    ask_world_new(w);
    for (int c = 0; c < 3; c++) {
        bln_draw_desc d = draws_desc(N, 4, 1, (bln_residual)c);
        w->q.alloc = test_heap_allocator(&heap);
        CHECK_OK(bln_posterior_draws(&w->q, &w->data, &d, x, NULL, 0, NULL, NULL));
        CHECK_SIZE(heap.live, 0);
        CHECK(heap.calls > 0);
        const size_t doubles = bln_posterior_draws_work(&w->q, &d, ASK_N, 0);
        double *work = test_doubles(doubles + 1);
        work[doubles] = 2.385;
        heap.calls = heap.fail_at = 0;
        CHECK_OK(bln_posterior_draws(&w->q, &w->data, &d, y, NULL, 0, work, NULL));
        CHECK_SIZE(heap.calls, 0);
        CHECK(work[doubles] == 2.385);
        draws_same(N*ASK_N, y, x, 0.0);
        CHECK_STATUS(bln_posterior_draws(&w->q, &w->data, &d, y, NULL, 0, NULL, NULL), BLN_ENOMEM);
        memset(&w->q.alloc, 0, sizeof w->q.alloc);
        free(work);
        w->q.block = 5;
        CHECK_OK(bln_posterior_draws(&w->q, &w->data, &d, y, NULL, 0, NULL, NULL));
        draws_same(N*ASK_N, y, x, 1e-13);
        w->q.block = 0;
        for (size_t i = 0; i < 2 && c != BLN_RESIDUAL_JOINT; i++) {
            const bln_data part = bln_data_rows(&w->data, i ? 20 : 0, i ? ASK_N - 20 : 20);
            d.first_row = i*20;
            CHECK_OK(bln_posterior_draws(&w->q, &part, &d, y + i*20, NULL, ASK_N, NULL, NULL));
        }
        draws_same(N*ASK_N, y, x, 1e-13);
    }
    ask_world_free(w);
    free(w);
}

/* Errors of joint draws: a kernel that is no number, noise that has no covariance, with residuals and without. */
TEST(draws, joint_errors)
{
    static const double bad[4] = { 1.0, 2.0, 2.0, 1.0 }, good[4] = { 1.0, 0.0, 0.0, 1.0 };
    ask_world *w = (ask_world *)malloc(sizeof *w);
    double Y[4*ASK_N], m[2*(ASK_M + 1)] = { 0.0 }, residual[4] = { 0.3, 0.5, 0.1, 0.7 };
    bln_points v = BLN_ZERO;
    bln_report report;
    if (!w) exit(2);
    ask_world_new(w);
    bln_draw_desc d = draws_desc(2, 0, 1, BLN_RESIDUAL_JOINT);
    v.w = m;
    bln_group g = posterior_group(bln_kind_point(), &v, 1, bad);
    g.theta = w->theta;
    bln_posterior q = posterior_of(w->view, 1, 2, bln_observe_noise(2), &g, 1);
    const double *const offset = w->data.offset;
    w->data.offset = NULL;
    CHECK_STATUS(bln_posterior_draws(&q, &w->data, &d, Y, NULL, 0, NULL, &report), BLN_ENOTPD);
    CHECK_TEXT(report.text, "noise covariance");
    g.residual = residual;
    CHECK_STATUS(bln_posterior_draws(&q, &w->data, &d, Y, NULL, 0, NULL, &report), BLN_ENOTPD);
    CHECK_TEXT(report.text, "noise covariance");
    g.eta = good;
    CHECK_OK(bln_posterior_draws(&q, &w->data, &d, Y, NULL, 0, NULL, &report));
    residual[1] = HUGE_VAL;
    CHECK_STATUS(bln_posterior_draws(&q, &w->data, &d, Y, NULL, 0, NULL, &report), BLN_ENOTPD);
    CHECK_TEXT(report.text, "what features miss");
    w->data.offset = offset;
    ask_world_free(w);
    free(w);
}

/* Draws whose prior paths alone overflow: of the weights, of f, and of f where y are counts, which have no place for them. The
 * weights of components may sum to a little less than 1, and the last one has what is left. */
TEST(draws, prior_paths_that_overflow)
{
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    const double x[2] = { 1.0, 1e10 }, eta = 1.0;
    double m = 0.0, s = 1e308, R = 1e9, out[40], prior[40];
    bln_basis *b;
    const bln_basis *view[1];
    bln_gaussians v = BLN_ZERO;
    bln_draw_desc d = draws_desc(20, 3, 0, BLN_RESIDUAL_NONE);
    bln_report report;
    CHECK_OK(bln_linear_create(NULL, 1, 0, &b));
    view[0] = b;
    v.form = BLN_GAUSSIAN_FACTOR;
    v.n = v.k = 1;
    v.m = &m;
    v.s = &s;
    v.R = &R;
    bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, &eta);
    bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
    const bln_data data = slm_view(2, 1, x, NULL);
    CHECK_OK(bln_posterior_draw_weights(&q, &d, out, NULL, 0, NULL, &report));
    CHECK_STATUS(bln_posterior_draw_weights(&q, &d, out, prior, 0, NULL, &report), BLN_ENUMERIC);
    s = 1e299;
    CHECK_OK(bln_posterior_draws(&q, &data, &d, out, NULL, 0, NULL, &report));
    CHECK_STATUS(bln_posterior_draws(&q, &data, &d, out, prior, 0, NULL, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, 1);
    q.observe = bln_observe_likelihood(&poisson);
    d.noise = 1;
    CHECK_STATUS(bln_posterior_draws(&q, &data, &d, out, prior, 0, NULL, &report), BLN_ENUMERIC);
    const double weight = 1.0 - 5e-7;
    g.weight = &weight;
    CHECK_OK(bln_posterior_check(&q, NULL));
    CHECK_SIZE(blni_draws_by_weight(&q, 1.0 - 1e-7), 0);
    CHECK_SIZE(bln_posterior_draws_work(&q, NULL, 1, 0), 0);
    bln_basis_free(b);
}

/* With y of one column from two latents rows of prior paths are wider than those of y. */
TEST(draws, strides_of_prior_paths)
{
    const bln_likelihood scale = bln_likelihood_gaussian_scale();
    const double eta = 0.5;
    posterior_bases b = posterior_bases_new();
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 6, 6, 6, 360);
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, &eta);
    const bln_posterior q = posterior_of(b.view + 1, 1, 2, bln_observe_latents(&scale), &g, 1);
    double X[6], y[2*6], prior[2*6];
    bln_draw_desc d = draws_desc(2, 3, 1, BLN_RESIDUAL_NONE);
    bln_report report;
    posterior_inputs(361, 3, X);
    const bln_data data = slm_view(3, 2, X, NULL);
    CHECK_STATUS(bln_posterior_draws(&q, &data, &d, y, prior, 5, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "stride");
    CHECK_OK(bln_posterior_draws(&q, &data, &d, y, NULL, 5, NULL, &report));
    CHECK_OK(bln_posterior_draws(&q, &data, &d, y, prior, 6, NULL, &report));
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
}

TEST(draws, errors)
{
    ask_world *w = (ask_world *)malloc(sizeof *w);
    double x[2*ASK_N], y[2*ASK_N];
    bln_draw_desc d = draws_desc(2, 0, 1, BLN_RESIDUAL_ROWS);
    bln_report report;
    if (!w) exit(2);
    ask_world_new(w);
    bln_posterior *q = &w->q;
    CHECK_STATUS(bln_posterior_draws(NULL, &w->data, &d, x, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(q, NULL, &d, x, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(q, &w->data, NULL, x, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, NULL, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, ASK_N - 1, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(NULL, &d, x, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(q, NULL, x, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(q, &d, NULL, NULL, 0, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(q, &d, x, NULL, 0, NULL, &report), BLN_EUNDEFINED);          /* thetas differ */
    CHECK_SIZE(bln_posterior_draws_work(NULL, &d, 0, 0), 0);
    d.n = (size_t)-1/8;
    CHECK(bln_posterior_draws_work(q, &d, 0, 0) == (size_t)-1);
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, 0, NULL, &report), BLN_EOVERFLOW);
    d.n = 2;
    q->status = BLN_ESTATE;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, 0, NULL, &report), BLN_ESTATE);
    CHECK_STATUS(bln_posterior_draw_weights(q, &d, x, NULL, 0, NULL, &report), BLN_ESTATE);
    CHECK_SIZE(bln_posterior_draws_work(q, &d, 0, 0), 0);
    q->status = BLN_OK;
    w->data.d = 3;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, 0, NULL, &report), BLN_ESHAPE);
    w->data.d = 2;
    for (size_t g = 0; g < 4; g++) w->g[g].weight = NULL;
    q->n_groups = 1;
    CHECK_STATUS(bln_posterior_draw_weights(q, &d, x, NULL, ASK_M, NULL, &report), BLN_EINVAL);
    CHECK_OK(bln_posterior_draws(q, &w->data, &d, x, y, 0, NULL, &report));
    double *m = (double *)w->gaussians.m;
    for (size_t k = 0; k < 2; k++) m[k*(ASK_M + 1)] = 1e308;
    ((double *)w->data.offset)[3] = 1.5e308;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, 0, NULL, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, 3);
    m[0] = m[ASK_M + 1] = HUGE_VAL;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, NULL, 0, NULL, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, BLN_NONE);
    ((double *)w->gaussians.R)[0] = BLNI_NAN;
    ((double *)w->gaussians.R)[(ASK_M + 1)*(ASK_M + 1)] = BLNI_NAN;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, y, 0, NULL, &report), BLN_ENOTPD);
    q->groups = w->g + 2;
    CHECK_STATUS(bln_posterior_draws(q, &w->data, &d, x, y, 0, NULL, &report), BLN_EUNDEFINED);
    CHECK(strstr(report.text, "prior paths") != NULL);
    ask_world_free(w);
    free(w);
}

/* Noise, and latents with a factor in common, that have no covariance. */
TEST(draws, no_covariance)
{
    static const double bad[4] = { 1.0, 2.0, 2.0, 1.0 }, good[4] = { 1.0, 0.5, 0.5, 1.0 };
    posterior_bases b = posterior_bases_new();
    double X[4], Y[8];
    posterior_inputs(350, 2, X);
    const bln_data data = slm_view(2, 2, X, NULL);
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 10, 5, 5, 351);
    bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, bad);
    const bln_posterior q = posterior_of(b.view, 1, 2, bln_observe_noise(2), &g, 1);
    const bln_draw_desc d = draws_desc(2, 0, 1, BLN_RESIDUAL_ROWS);
    v.T = good;
    CHECK_STATUS(bln_posterior_draws(&q, &data, &d, Y, NULL, 0, NULL, NULL), BLN_ENOTPD);
    v.T = bad;
    g.eta = good;
    CHECK_STATUS(bln_posterior_draws(&q, &data, &d, Y, NULL, 0, NULL, NULL), BLN_ENOTPD);
    v.T = good;
    CHECK_OK(bln_posterior_draws(&q, &data, &d, Y, NULL, 0, NULL, NULL));
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
}

SUITE_BEGIN(draws)
SUITE_TEST(draws, linear_model)
SUITE_TEST(draws, mixture_of_all_kinds)
SUITE_TEST(draws, students)
SUITE_TEST(draws, several_outputs)
SUITE_TEST(draws, residuals_of_students)
SUITE_TEST(draws, residuals_of_latents)
SUITE_TEST(draws, multiples)
SUITE_TEST(draws, joint_errors)
SUITE_TEST(draws, prior_paths_that_overflow)
SUITE_TEST(draws, strides_of_prior_paths)
SUITE_TEST(draws, components)
SUITE_TEST(draws, rows_and_workspace)
SUITE_TEST(draws, errors)
SUITE_TEST(draws, no_covariance)
SUITE_END(draws)
