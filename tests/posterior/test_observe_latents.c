/* observe_latents: classes under points, products and joint Gaussians against softmax, its formulas and dense sums; draws of
 * classes and of latents; a mean and a scale: quantiles, PIT; offsets, files, what is refused */
#include "ask_tools.h"
#include "../linear/file_tools.h"
#include "../random/goodness.h"

enum { LATENTS_N = 23, LATENTS_D = 3, LATENTS_K = 3, LATENTS_WIDE = 12 };      /* rows; features; components; weights at most */

/* K components of J latents over a constant and two inputs, each with an eta of its own. */
typedef struct latents_world {
    bln_basis     *basis;
    const bln_basis *view[1];
    bln_likelihood l;
    size_t         J, n_w;
    double         X[LATENTS_N*2], y[LATENTS_N], weight[LATENTS_K], eta[LATENTS_K];
    double         m[LATENTS_K*LATENTS_WIDE], s[LATENTS_K*LATENTS_WIDE], U[LATENTS_K*LATENTS_WIDE*LATENTS_D];
    bln_points     points;
    bln_products   product;
    bln_gaussians  gaussian;
    bln_group      g;
    bln_posterior  q;
    bln_data       data;
} latents_world;

typedef enum latents_kind { LATENTS_POINTS, LATENTS_PRODUCTS, LATENTS_JOINT, LATENTS_SHARED } latents_kind;

static void latents_kinds(latents_world *w, latents_kind kind, size_t K)
{
    static const double T[4] = { 1.0, 0.3, 0.3, 2.0 };
    test_random r = test_random_new(971);
    test_fill_normal(&r, K*w->n_w, w->m);
    for (size_t i = 0; i < K*w->n_w; i++) w->s[i] = 0.4 + 0.3*test_uniform(&r);
    for (size_t i = 0; i < K*w->n_w*LATENTS_D; i++) {
        const size_t a = i/LATENTS_D % LATENTS_D, b = i % LATENTS_D;
        w->U[i] = a == b ? 1.0 + test_uniform(&r) : a < b ? 0.5 : 0.0;
    }
    w->points.w = w->product.m = w->m;
    w->product.s = w->s;
    w->product.U = w->U;
    const int shared = kind == LATENTS_SHARED;
    const size_t n = shared ? LATENTS_D : w->n_w;
    w->gaussian = posterior_gaussians(BLN_GAUSSIAN_FACTOR, K, w->n_w, n, n, 972);
    if (shared) w->gaussian.T = T;
    const struct bln_component_ops *const joint = bln_kind_gaussian();
    const struct bln_component_ops *const ops[4] = { bln_kind_point(), bln_kind_product(), joint, joint };
    const void *const view[4] = { &w->points, &w->product, &w->gaussian, &w->gaussian };
    w->g = posterior_group(ops[kind], view[kind], K, w->l.n_theta ? w->eta : NULL);
}

static void latents_make(latents_world *w, bln_likelihood l, latents_kind kind, size_t K)
{
    test_random r = test_random_new(970);
    memset(w, 0, sizeof *w);
    CHECK_OK(bln_linear_create(NULL, 2, 1, &w->basis));
    w->view[0] = w->basis;
    w->l = l;
    w->J = bln_likelihood_latents(&l);
    w->n_w = w->J*LATENTS_D;
    latents_kinds(w, kind, K);
    for (size_t k = 0; k < K; k++) {
        w->weight[k] = k ? 0.25 : 1.0 - 0.25*(double)(K - 1);
        w->eta[k] = 0.5 + 0.3*(double)k;
    }
    w->g.weight = w->weight;
    w->g.ldeta = w->l.n_theta;
    w->q = posterior_of(w->view, 1, w->J, bln_observe_latents(&w->l), &w->g, 1);
    w->q.block = 7;
    test_fill_normal(&r, LATENTS_N*2, w->X);
    for (size_t i = 0; i < LATENTS_N; i++) {
        const size_t classes = bln_likelihood_classes(&l);
        w->y[i] = classes ? (double)(i % classes) : 3.0*test_normal(&r);
    }
    w->data.n = LATENTS_N;
    w->data.d = 2;
    w->data.X = w->X;
    w->data.y = w->y;
    CHECK_OK(bln_posterior_check(&w->q, NULL));
}
static void latents_free(latents_world *w)
{
    posterior_gaussians_free(&w->gaussian);
    bln_basis_free(w->basis);
}

/* Means of f of row i under component k, and their covariance, from single components asked for f and for weights. */
static void latents_moments(latents_world *w, size_t i, size_t k, double *mean, double *cov)
{
    const double phi[LATENTS_D] = { 1.0, w->X[2*i], w->X[2*i + 1] };
    double C[LATENTS_WIDE*LATENTS_WIDE], features[LATENTS_D];
    double *work = test_doubles(bln_basis_work(w->basis, 1) + 8);
    bln_gaussians gaussian = w->gaussian;
    bln_products product = w->product;
    bln_points points = w->points;
    bln_group g = w->g;
    bln_posterior one = w->q;
    bln_basis_features(w->basis, NULL, 1, w->X + 2*i, 2, features, LATENTS_D, work);
    CHECK(features[0] == phi[0] || features[2] == phi[0]);
    free(work);
    gaussian.m += k*w->n_w;
    gaussian.s += k*gaussian.n;
    gaussian.R += k*gaussian.n*gaussian.n;
    product.m += k*w->n_w;
    product.s += k*w->n_w;
    product.U += k*w->n_w*LATENTS_D;
    points.w += k*w->n_w;
    g.view = g.ops == bln_kind_point() ? (const void *)&points : g.ops == bln_kind_product() ? (const void *)&product : &gaussian;
    g.K = 1;
    g.weight = NULL;
    one.groups = &g;
    CHECK_OK(bln_posterior_covariance(&one, C, 0, NULL, NULL));
    const double *m = g.ops == bln_kind_point() ? points.w : g.ops == bln_kind_product() ? product.m : gaussian.m;
    for (size_t j = 0; j < w->J; j++) {
        mean[j] = bln_dot(LATENTS_D, features, m + j*LATENTS_D);
        for (size_t l = j; l < w->J; l++) {
            double sum = 0.0;
            for (size_t a = 0; a < LATENTS_D*LATENTS_D; a++) {
                const size_t x = j*LATENTS_D + a/LATENTS_D, y = l*LATENTS_D + a % LATENTS_D;
                sum += features[a/LATENTS_D]*features[a % LATENTS_D]*C[x <= y ? x*w->n_w + y : y*w->n_w + x];
            }
            cov[j*w->J + l] = cov[l*w->J + j] = sum;
        }
    }
}

/* E p_k and E p_k^2 of softmax for f ~ N(mean, cov), by a grid of 61^J points over f = mean + L z, |z| <= 7.5, of which f moves by
 * less than a unit each: the trapezoid rule has errors below 1e-8 (poles at pi). One point where f is known. */
static void latents_dense(const bln_likelihood *l, const double *mean, const double *cov, double *p, double *p2)
{
    enum { SIDE = 61 };
    const size_t J = l->n_latent, K = bln_likelihood_classes(l);
    double L[16] = { 0.0 }, total = 0.0, z[4], f[4], at[5];
    size_t points = 1;
    bln_targets t = BLN_ZERO;
    for (size_t j = 0; j < J && cov[0] > 0.0; j++) points *= SIDE;
    for (size_t j = 0; j < J; j++)
        for (size_t c = 0; c <= j; c++) {
            double sum = cov[j*J + c];
            for (size_t a = 0; a < c; a++) sum -= L[j*J + a]*L[c*J + a];
            L[j*J + c] = j == c ? sqrt(fmax(sum, 0.0)) : L[c*J + c] > 0.0 ? sum/L[c*J + c] : 0.0;
        }
    for (size_t k = 0; k < K; k++) p[k] = p2[k] = 0.0;
    for (size_t i = 0; i < points; i++) {
        double share = 0.0;
        size_t rest = i;
        for (size_t j = 0; j < J; j++, rest /= SIDE) {
            z[j] = points > 1 ? 0.25*((double)(rest % SIDE) - 30.0) : 0.0;
            share -= 0.5*z[j]*z[j];
            f[j] = mean[j];
            for (size_t c = 0; c <= j; c++) f[j] += L[j*J + c]*z[c];
        }
        share = exp(share);
        total += share;
        l->ops->latents->moments(l, NULL, 1, &t, f, 1, at, NULL);
        for (size_t k = 0; k < K; k++) {
            p[k] += share*at[k];
            p2[k] += share*at[k]*at[k];
        }
    }
    for (size_t k = 0; k < K; k++) { p[k] /= total; p2[k] /= total; }
}

/* What is said of classes: means are mixtures of E p_k, var_model what p_k varies, var_noise E p_k (1 - p_k), which add up to p (1
 * - p); log densities are logs of the mean of the row's class. Exactly so of points, to 1e-8 of products (1e-10, and this file's
 * grid), to what 1024 points have of covariances: 1e-3. */
static void latents_check_classes(bln_likelihood l, latents_kind kind, size_t K, double tolerance)
{
    latents_world w;
    const size_t classes = bln_likelihood_classes(&l);
    latents_make(&w, l, kind, K);
    double mean[LATENTS_N*5], model[LATENTS_N*5], noise[LATENTS_N*5], logp[LATENTS_N];
    CHECK_SIZE(w.q.observe.n_moments, classes);
    CHECK_OK(bln_posterior_predict(&w.q, &w.data, mean, model, noise, NULL, NULL));
    CHECK_OK(bln_posterior_logdensities(&w.q, &w.data, logp, NULL, NULL));
    for (size_t i = 0; i < LATENTS_N; i += classes > 2 ? 11 : 4) {
        double want[5] = { 0.0 }, square[5] = { 0.0 }, p[5], p2[5], m[4], C[16], sum = 0.0;
        for (size_t k = 0; k < K; k++) {
            latents_moments(&w, i, k, m, C);
            latents_dense(&l, m, C, p, p2);
            for (size_t c = 0; c < classes; c++) {
                want[c] += w.weight[k]*p[c];
                square[c] += w.weight[k]*p2[c];
            }
        }
        for (size_t c = 0; c < classes; c++) {
            const double got = mean[i*classes + c], both = model[i*classes + c] + noise[i*classes + c];
            CHECK_NEAR(got, want[c], tolerance);
            CHECK_NEAR(noise[i*classes + c], want[c] - square[c], tolerance);
            CHECK_NEAR(model[i*classes + c], square[c] - want[c]*want[c], 2.0*tolerance);
            CHECK_NEAR(both, got*(1.0 - got), kind == LATENTS_POINTS ? 1e-15 : 1e-9);
            sum += got;
        }
        CHECK_NEAR(sum, 1.0, 1e-9);
        CHECK_NEAR(exp(logp[i]), mean[i*classes + (size_t)w.y[i]], 2e-10);
    }
    latents_free(&w);
}

TEST(observe_latents, points)
{
    latents_check_classes(bln_likelihood_categorical(2), LATENTS_POINTS, 3, 1e-14);
    latents_check_classes(bln_likelihood_categorical(3), LATENTS_POINTS, 3, 1e-14);
    latents_check_classes(bln_likelihood_categorical_reference(4), LATENTS_POINTS, 3, 1e-14);
    latents_check_classes(bln_likelihood_categorical_reference(2), LATENTS_POINTS, 1, 1e-14);
}

TEST(observe_latents, products)
{
    latents_check_classes(bln_likelihood_categorical(2), LATENTS_PRODUCTS, 3, 1e-8);
    latents_check_classes(bln_likelihood_categorical(3), LATENTS_PRODUCTS, 1, 1e-8);
    latents_check_classes(bln_likelihood_categorical_reference(3), LATENTS_PRODUCTS, 3, 1e-8);
    latents_check_classes(bln_likelihood_categorical_reference(2), LATENTS_PRODUCTS, 3, 1e-8);
}

TEST(observe_latents, covariances)
{
    latents_check_classes(bln_likelihood_categorical(2), LATENTS_JOINT, 3, 1e-3);
    latents_check_classes(bln_likelihood_categorical(2), LATENTS_SHARED, 3, 1e-3);
    latents_check_classes(bln_likelihood_categorical(3), LATENTS_JOINT, 1, 1e-3);
    latents_check_classes(bln_likelihood_categorical_reference(3), LATENTS_JOINT, 3, 1e-3);
}

/* Two classes whose latents depend on each other: sigma of their difference, of variance v0 + v1 - 2c, as the binomial has it. */
TEST(observe_latents, two_classes)
{
    const bln_likelihood l = bln_likelihood_categorical(2), b = bln_likelihood_binomial(BLN_LINK_LOGIT);
    latents_world w;
    double mean[LATENTS_N*2], model[LATENTS_N*2];
    latents_make(&w, l, LATENTS_JOINT, 1);
    CHECK_OK(bln_posterior_predict(&w.q, &w.data, mean, model, NULL, NULL, NULL));
    for (size_t i = 0; i < LATENTS_N; i++) {
        double m[2], C[4], at, v, p, between, noise;
        bln_targets t = BLN_ZERO;
        bln_latent f = BLN_ZERO;
        latents_moments(&w, i, 0, m, C);
        at = m[1] - m[0];
        v = C[0] + C[3] - 2.0*C[1];
        f.mean = &at;
        f.var = &v;
        blni_predictive_moments(&b, 1, &t, &f, &p, &between, &noise);
        CHECK_NEAR(mean[2*i + 1], p, 1e-3);
        CHECK_NEAR(mean[2*i], 1.0 - p, 1e-3);
        CHECK_NEAR(model[2*i], between, 1e-3);
    }
    latents_free(&w);
}

/* Groups of all kinds together, with equal weights, are the mean of what each says. */
TEST(observe_latents, groups)
{
    latents_world w;
    bln_group all[3];
    double part[LATENTS_N*3], mean[LATENTS_N*3], sum[LATENTS_N*3] = { 0.0 };
    latents_make(&w, bln_likelihood_categorical(3), LATENTS_JOINT, 2);
    all[0] = posterior_group(bln_kind_point(), &w.points, 2, NULL);
    all[1] = posterior_group(bln_kind_gaussian(), &w.gaussian, 2, NULL);
    all[2] = posterior_group(bln_kind_product(), &w.product, 2, NULL);
    w.q.groups = all;
    for (size_t g = 0; g < 3; g++) {
        bln_posterior one = w.q;
        one.groups = all + g;
        one.n_groups = 1;
        CHECK_OK(bln_posterior_predict(&one, &w.data, part, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < LATENTS_N*3; i++) sum[i] += part[i]/3.0;
    }
    w.q.n_groups = 3;
    CHECK_OK(bln_posterior_predict(&w.q, &w.data, mean, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < LATENTS_N*3; i++) CHECK_NEAR(mean[i], sum[i], 1e-13);
    latents_free(&w);
}

/* Classes have no order; f has. */
TEST(observe_latents, no_order)
{
    latents_world w;
    double out[LATENTS_N*6], up[LATENTS_N*6];
    bln_report report;
    latents_make(&w, bln_likelihood_categorical(3), LATENTS_PRODUCTS, 2);
    bln_status status[4];
    status[0] = bln_posterior_quantiles(&w.q, &w.data, BLN_OF_Y, ASK_P, ask_p, out, NULL, &report);
    CHECK_TEXT(report.text, "classes have no order");
    status[1] = bln_posterior_intervals(&w.q, &w.data, BLN_OF_Y, 0.9, out, up, NULL, &report);
    CHECK_TEXT(report.text, "classes have no order");
    status[2] = bln_posterior_cdfs(&w.q, &w.data, out, up, NULL, &report);
    CHECK_TEXT(report.text, "classes have no order");
    status[3] = bln_posterior_pits(&w.q, &w.data, 1, out, NULL, &report);
    CHECK_TEXT(report.text, "classes have no order");
    for (size_t c = 0; c < 4; c++) CHECK_STATUS(status[c], BLN_EUNDEFINED);
    CHECK_OK(bln_posterior_quantiles(&w.q, &w.data, BLN_OF_F, ASK_P, ask_p, out, NULL, &report));
    CHECK_OK(bln_posterior_intervals(&w.q, &w.data, BLN_OF_F, 0.9, out, up, NULL, &report));
    for (size_t i = 0; i < LATENTS_N*3; i++) CHECK(out[i] < up[i]);
    latents_free(&w);
}

/* ---- draws */

/* Frequencies of classes at each row, over many draws, are the predicted probabilities (chi-square, 5 sigma; of points and
 * products, whose predictions are exact). Blocks do not change a draw; f has a column for each latent, y one. */
TEST(observe_latents, draws)
{
    enum { DRAWS = 4000, J = 3 };
    latents_world w;
    double *y = test_doubles(DRAWS*LATENTS_N*(2 + J)), *again = y + DRAWS*LATENTS_N, *f = again + DRAWS*LATENTS_N;
    double mean[LATENTS_N*J], centre[LATENTS_N*J], var[LATENTS_N*J];
    for (int kind = 0; kind < 2; kind++) {
        bln_draw_desc d = BLN_ZERO;
        latents_make(&w, bln_likelihood_categorical(J), kind ? LATENTS_PRODUCTS : LATENTS_POINTS, 2);
        d.n = DRAWS;
        d.seed = 3;
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, f, NULL, 0, NULL, NULL));
        d.noise = 1;
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, y, NULL, 0, NULL, NULL));
        w.q.block = 5;
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, again, NULL, 0, NULL, NULL));
        CHECK(!memcmp(y, again, DRAWS*LATENTS_N*sizeof *y));
        d.residual = BLN_RESIDUAL_JOINT;                                          /* features miss nothing: the same draws */
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, again, NULL, 0, NULL, NULL));
        CHECK(!memcmp(y, again, DRAWS*LATENTS_N*sizeof *y));
        CHECK_OK(bln_posterior_predict(&w.q, &w.data, mean, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_latent(&w.q, &w.data, centre, var, NULL, NULL));
        for (size_t i = 0; i < LATENTS_N; i++) {
            double count[J] = { 0.0 };
            for (size_t r = 0; r < DRAWS; r++) count[(size_t)y[r*LATENTS_N + i] % J] += 1.0;
            goodness_chi2(J, count, mean + i*J, DRAWS, "row", (double)i, (double)kind);
            for (size_t j = 0; j < J; j++) {
                double sum = 0.0;
                for (size_t r = 0; r < DRAWS; r++) sum += f[(r*LATENTS_N + i)*J + j];
                CHECK_NEAR(sum/DRAWS, centre[i*J + j], 5.0*sqrt(var[i*J + j]/DRAWS));
            }
        }
        latents_free(&w);
    }
    free(y);
}

/* What features miss is part of predictions and of draws, by rows or jointly: variances of f, and frequencies of y. */
TEST(observe_latents, residuals)
{
    enum { DRAWS = 6000, J = 2, N = 5, SIDE = ASK_M + 1 };
    static const double lambda[2*J] = { 0.0, 2.0, 0.0, 0.7 };
    ask_world world;
    ask_world_new(&world);
    const bln_likelihood l = bln_likelihood_categorical(J);
    bln_gaussians unused = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, J*SIDE, J*SIDE, J*SIDE, 980);
    bln_points points;
    points.w = unused.m;
    points.ld = 0;
    bln_group g = posterior_group(bln_kind_point(), &points, 1, NULL);
    g.theta = world.theta;
    g.residual = lambda;
    const bln_posterior q = posterior_of(world.view, 1, J, bln_observe_latents(&l), &g, 1);
    double *f = test_doubles(DRAWS*N*(J + 1)), *y = f + DRAWS*N*J, X[2*N], p[N*J], mean[N*J], var[N*J];
    test_random r = test_random_new(981);
    bln_data data = BLN_ZERO;
    test_fill_normal(&r, 2*N, X);
    for (size_t i = 0; i < 2*N; i++) X[i] *= 2.0;                                 /* far from the inducing points */
    data.n = N;
    data.d = 2;
    data.X = X;
    CHECK_OK(bln_posterior_check(&q, NULL));
    CHECK_OK(bln_posterior_predict(&q, &data, p, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_latent(&q, &data, mean, var, NULL, NULL));
    for (int joint = 0; joint < 2; joint++) {
        bln_draw_desc d = BLN_ZERO;
        d.n = DRAWS;
        d.seed = 7;
        d.residual = joint ? BLN_RESIDUAL_JOINT : BLN_RESIDUAL_ROWS;
        CHECK_OK(bln_posterior_draws(&q, &data, &d, f, NULL, 0, NULL, NULL));
        d.noise = 1;
        CHECK_OK(bln_posterior_draws(&q, &data, &d, y, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < N; i++) {
            double count[J] = { 0.0 };
            for (size_t a = 0; a < DRAWS; a++) count[(size_t)y[a*N + i] % J] += 1.0;
            goodness_chi2(J, count, p + i*J, DRAWS, "row", (double)i, (double)joint);
            for (size_t j = 0; j < J; j++) {
                double square = 0.0;
                for (size_t a = 0; a < DRAWS; a++) square += pow(f[(a*N + i)*J + j] - mean[i*J + j], 2.0);
                CHECK(var[i*J + j] > 0.01);
                CHECK_NEAR(square/DRAWS, var[i*J + j], 5.0*sqrt(2.0/DRAWS)*var[i*J + j]);
            }
        }
    }
    free(f);
    posterior_gaussians_free(&unused);
    ask_world_free(&world);
}

/* ---- offsets */

TEST(observe_latents, offsets)
{
    enum { J = 3 };
    latents_world w;
    double offset[LATENTS_N*4], base[LATENTS_N*J], moved[LATENTS_N*J], out[LATENTS_N*J];
    test_random r = test_random_new(982);
    bln_report report;
    bln_draw_desc d = BLN_ZERO;
    test_fill_normal(&r, LATENTS_N*4, offset);
    latents_make(&w, bln_likelihood_categorical(J), LATENTS_POINTS, 1);
    CHECK_OK(bln_posterior_latent(&w.q, &w.data, base, NULL, NULL, NULL));
    w.data.offset = offset;
    for (size_t n_offset = 0; n_offset <= 4; n_offset++) {
        const size_t columns = n_offset ? n_offset : 1;
        w.data.n_offset = n_offset;
        if (columns == 2 || columns == 4) {
            CHECK_STATUS(bln_posterior_latent(&w.q, &w.data, moved, NULL, NULL, &report), BLN_ESHAPE);
            CHECK_TEXT(report.text, "offsets");
            CHECK_STATUS(bln_posterior_draws(&w.q, &w.data, &d, out, NULL, 0, NULL, &report), BLN_ESHAPE);
            CHECK_STATUS(bln_posterior_logdensities(&w.q, &w.data, out, NULL, &report), BLN_ESHAPE);
            continue;
        }
        CHECK_OK(bln_posterior_latent(&w.q, &w.data, moved, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, out, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < LATENTS_N*J; i++) {
            const double want = base[i] + (i % J < columns ? offset[i/J*columns + i % J] : 0.0);
            CHECK_NEAR(moved[i], want, 1e-14);
            CHECK_NEAR(out[i], want, 1e-14);
        }
        CHECK_OK(bln_posterior_predict(&w.q, &w.data, out, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < LATENTS_N; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < J; j++) sum += exp(moved[i*J + j]);
            for (size_t j = 0; j < J; j++) CHECK_NEAR(out[i*J + j], exp(moved[i*J + j])/sum, 1e-14);
        }
    }
    latents_free(&w);
}

/* ---- a mean and a scale */

/* Quantiles invert distribution functions to 1e-9; intervals are quantiles; variances are those of the formula, and of points what
 * a component says of itself. noise_var counts. */
TEST(observe_latents, scale)
{
    enum { LATENTS_FEW = 6 };
    static const double p[6] = { 1e-6, 0.05, 0.5, 0.8, 0.975, 1.0 };
    for (int kind = 0; kind < 3; kind++) {
        latents_world w;
        double v[LATENTS_FEW], quantile[LATENTS_FEW*6], lower[LATENTS_FEW], upper[LATENTS_FEW], low[LATENTS_FEW], high[LATENTS_FEW];
        double mean[LATENTS_FEW], model[LATENTS_FEW], noise[LATENTS_FEW];
        latents_make(&w, bln_likelihood_gaussian_scale(), (latents_kind)kind, 3);
        for (size_t i = 0; i < LATENTS_FEW; i++) v[i] = 0.5 + (double)(i % 4);
        w.data.n = LATENTS_FEW;
        w.data.noise_var = v;
        CHECK_OK(bln_posterior_quantiles(&w.q, &w.data, BLN_OF_Y, 6, p, quantile, NULL, NULL));
        CHECK_OK(bln_posterior_intervals(&w.q, &w.data, BLN_OF_Y, 0.9, low, high, NULL, NULL));
        CHECK_OK(bln_posterior_predict(&w.q, &w.data, mean, model, noise, NULL, NULL));
        for (size_t k = 0; k < 5; k++) {
            for (size_t i = 0; i < LATENTS_FEW; i++) w.y[i] = quantile[i*6 + k];
            CHECK_OK(bln_posterior_cdfs(&w.q, &w.data, lower, upper, NULL, NULL));
            for (size_t i = 0; i < LATENTS_FEW; i++) {
                CHECK_NEAR(lower[i], p[k], 1e-9*p[k] + (k ? 1e-10 : 0.0));
                CHECK_NEAR(upper[i], 1.0 - p[k], 1e-9);
                if (k == 1) CHECK_NEAR(w.y[i], low[i], 1e-9*(1.0 + fabs(low[i])));
            }
        }
        for (size_t i = 0; i < LATENTS_FEW; i++) {
            double m[2], C[4], first = 0.0, second = 0.0, within = 0.0;
            CHECK(quantile[i*6 + 5] == HUGE_VAL);
            for (size_t k = 0; k < 3; k++) {
                latents_moments(&w, i, k, m, C);
                first += w.weight[k]*m[0];
                second += w.weight[k]*(C[0] + m[0]*m[0]);
                within += w.weight[k]*w.eta[k]*w.eta[k]*v[i]*exp(2.0*m[1] + 2.0*C[3]);
            }
            CHECK_NEAR(mean[i], first, 1e-13*(1.0 + fabs(first)));
            CHECK_NEAR(model[i], second - first*first, 1e-12*(1.0 + second));
            CHECK_NEAR(noise[i], within, 1e-12*(1.0 + within));
        }
        latents_free(&w);
    }
}

/* Draws of y at one place have a uniform PIT: Kolmogorov and Smirnov's distance, 5 sigma. Density and distribution function belong
 * together: differences of P(Y <= y), with errors of 1e-10/h and h^4. */
TEST(observe_latents, pits_and_densities)
{
    enum { DRAWS = 800 };
    for (int kind = 0; kind < 3; kind++) {
        latents_world w;
        double *y = test_doubles(2*DRAWS), *pit = y + DRAWS, worst = 0.0, cdf[2][LATENTS_N], logp[LATENTS_N];
        bln_draw_desc d = BLN_ZERO;
        latents_make(&w, bln_likelihood_gaussian_scale(), (latents_kind)kind, 3);
        d.n = DRAWS;
        d.seed = 21;
        d.noise = 1;
        w.data.n = 1;
        CHECK_OK(bln_posterior_draws(&w.q, &w.data, &d, y, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < DRAWS; i++) {
            w.data.y = y + i;
            CHECK_OK(bln_posterior_pits(&w.q, &w.data, 1, pit + i, NULL, NULL));
        }
        qsort(pit, DRAWS, sizeof *pit, goodness_compare);
        for (size_t i = 0; i < DRAWS; i++) worst = fmax(worst, fabs(pit[i] - ((double)i + 0.5)/DRAWS) + 0.5/DRAWS);
        CHECK_LE(worst*sqrt(DRAWS), 2.6);
        w.data.n = LATENTS_N;
        w.data.y = w.y;
        CHECK_OK(bln_posterior_logdensities(&w.q, &w.data, logp, NULL, NULL));
        for (int up = 0; up < 2; up++) {
            for (size_t i = 0; i < LATENTS_N; i++) w.y[i] += up ? 2e-4 : -1e-4;
            CHECK_OK(bln_posterior_cdfs(&w.q, &w.data, cdf[up], NULL, NULL, NULL));
        }
        for (size_t i = 0; i < LATENTS_N; i++) CHECK_NEAR((cdf[1][i] - cdf[0][i])/2e-4, exp(logp[i]), 1e-5*(1.0 + exp(logp[i])));
        CHECK_OK(bln_posterior_pits(&w.q, &w.data, 1, cdf[0], NULL, NULL));              /* of all rows at once: P(Y <= y) */
        for (size_t i = 0; i < LATENTS_N; i++) CHECK_NEAR(cdf[0][i], cdf[1][i], 1e-15);
        free(y);
        latents_free(&w);
    }
}

/* Counts of two latents, which are numbers in order: y ~ Poisson of mean e^(f_0 + f_1). */
static void latents_count_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                              size_t ld, double *lower, double *upper)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) blni_poisson_tails(t->y[i], exp(f[i] + f[ld + i]), lower + i, upper + i);
}

/* Of a count the transform is P(Y < y) + u P(Y = y); f is known here. */
TEST(observe_latents, pits_of_counts)
{
    const double mean[4] = { 0.4, 0.9, -0.3, 0.1 }, y[2] = { 3.0, 0.0 }, u[2] = { 0.3, 0.8 };
    bln_likelihood l = bln_likelihood_gaussian_scale();
    bln_likelihood_ops ops = *l.ops;
    bln_latents_ops latents = *l.ops->latents;
    bln_latent f = BLN_ZERO;
    bln_data rows = BLN_ZERO;
    double out[2], low, high, below;
    ops.discrete = 1;
    ops.latents = &latents;
    latents.cdf = latents_count_cdf;
    l.ops = &ops;
    const bln_observe o = bln_observe_latents(&l);
    f.K = 1;
    f.J = 2;
    f.mean = mean;
    rows.n = 2;
    rows.y = y;
    double *work = test_doubles(o.ops->work(&o, 2));
    o.ops->pit(&o, &rows, &f, u, out, work);
    for (size_t i = 0; i < 2; i++) {
        blni_poisson_tails(y[i], exp(mean[2*i] + mean[2*i + 1]), &low, &high);
        blni_poisson_tails(y[i] - 1.0, exp(mean[2*i] + mean[2*i + 1]), &below, &high);
        CHECK_NEAR(out[i], below + u[i]*(low - below), 1e-15);
    }
    free(work);
}

/* A likelihood of the user's own without formulas is asked at 1024 points: errors of some 1e-4 of the spread of what is averaged,
 * here bounded by 1e-3. The spread of e^(2 f_1) is several times its mean, and from its tail: 0.1. Densities: 1e-2. */
TEST(observe_latents, by_points)
{
    for (int kind = LATENTS_PRODUCTS; kind <= LATENTS_JOINT; kind++) {
        latents_world w;
        double out[2][6][LATENTS_N], quantile[2][LATENTS_N*ASK_P];
        bln_latents_ops plain;
        bln_likelihood_ops ops;
        latents_make(&w, bln_likelihood_gaussian_scale(), (latents_kind)kind, 3);
        w.data.n = 6;
        for (size_t i = 0; i < 12; i++) w.X[i] *= 0.2;                           /* near 0 variances of f are moderate */
        ops = *w.l.ops;
        plain = *ops.latents;
        plain.normal_logp = NULL;
        plain.normal_moments = NULL;
        plain.normal_cdf = NULL;
        ops.latents = &plain;
        for (size_t c = 0; c < 2; c++) {
            if (c) w.l.ops = &ops;
            CHECK_OK(bln_posterior_check(&w.q, NULL));
            CHECK_OK(bln_posterior_predict(&w.q, &w.data, out[c][0], out[c][1], out[c][2], NULL, NULL));
            CHECK_OK(bln_posterior_logdensities(&w.q, &w.data, out[c][3], NULL, NULL));
            CHECK_OK(bln_posterior_cdfs(&w.q, &w.data, out[c][4], out[c][5], NULL, NULL));
            CHECK_OK(bln_posterior_quantiles(&w.q, &w.data, BLN_OF_Y, ASK_P, ask_p, quantile[c], NULL, NULL));
        }
        for (size_t i = 0; i < w.data.n; i++) {
            const double model = out[0][1][i], noise = out[0][2][i], sd = sqrt(model + noise);
            CHECK_NEAR(out[1][0][i], out[0][0][i], 1e-3*sd);
            CHECK_NEAR(out[1][1][i], model, 1e-2*model);
            CHECK_NEAR(out[1][2][i], noise, 0.1*noise);
            CHECK_NEAR(exp(out[1][3][i]), exp(out[0][3][i]), 1e-2);
            for (size_t o = 4; o < 6; o++) CHECK_NEAR(out[1][o][i], out[0][o][i], 1e-3);
            for (size_t k = 0; k < ASK_P; k++) CHECK_NEAR(quantile[1][i*ASK_P + k], quantile[0][i*ASK_P + k], 1e-2*sd);
        }
        latents_free(&w);
    }
}

/* A workspace of the size that is said, no memory then, and the same bits. */
TEST(observe_latents, workspace)
{
    for (int kind = 0; kind < 3; kind++) {
        latents_world w;
        latents_make(&w, bln_likelihood_gaussian_scale(), (latents_kind)kind, 3);
        w.data.n = 2;
        ask_check_work(&w.q, &w.data, 1);
        latents_free(&w);
    }
}

/* ---- files */

static bln_status latents_load(const unsigned char *bytes, size_t size, bln_posterior **q, bln_report *report)
{
    bln_memory_stream m;
    bln_reader r = bln_memory_reader(&m, bytes, size, report);
    *q = NULL;
    return bln_posterior_load(test_all(), &r, q);
}

/* What was read says the same, to the bit; a likelihood that belongs to other sizes is damage. */
TEST(observe_latents, record)
{
    enum { ROOM = 1 << 13 };
    static unsigned char bytes[ROOM], again[ROOM];
    const bln_likelihood all[3] = { bln_likelihood_categorical(4), bln_likelihood_categorical_reference(3),
                                    bln_likelihood_gaussian_scale() };
    for (size_t c = 0; c < 9; c++) {
        latents_world w;
        bln_memory_stream m;
        bln_posterior *q;
        double out[2][3][LATENTS_N*4];
        latents_make(&w, all[c % 3], (latents_kind)(c/3), 2);
        const size_t width = LATENTS_N*w.q.observe.n_moments;
        bln_writer writer = bln_memory_writer(&m, bytes, ROOM);
        CHECK_OK(bln_posterior_save(&w.q, &writer));
        const size_t size = m.at;
        CHECK_OK(latents_load(bytes, size, &q, NULL));
        if (!q) return;
        q->block = w.q.block;
        for (size_t k = 0; k < 2; k++)
            CHECK_OK(bln_posterior_predict(k ? q : &w.q, &w.data, out[k][0], out[k][1], out[k][2], NULL, NULL));
        for (size_t o = 0; o < 3; o++) CHECK(!memcmp(out[0][o], out[1][o], width*sizeof(double)));
        writer = bln_memory_writer(&m, again, ROOM);
        CHECK_OK(bln_posterior_save(q, &writer));
        CHECK(m.at == size && !memcmp(bytes, again, size));
        bln_posterior_free(q);
        w.data.n = 1;
        for (size_t i = 0; i < size; i++) {                                       /* any changed bit is refused or can be asked */
            bytes[i] ^= (unsigned char)(1u << i % 8);
            if (latents_load(bytes, size, &q, NULL) == BLN_OK && q->J <= 4 && q->bases[0]->d == 2) {
                CHECK_OK(bln_posterior_check(q, NULL));
                const bln_status status = bln_posterior_predict(q, &w.data, out[0][0], out[0][1], out[0][2], NULL, NULL);
                CHECK(status == BLN_OK || status == BLN_ENUMERIC);
            }
            bln_posterior_free(q);
            bytes[i] ^= (unsigned char)(1u << i % 8);
        }
        latents_free(&w);
    }
}

/* A likelihood with data of the user's own has no name in files; parameters outside their domain are not read. */
TEST(observe_latents, not_in_files)
{
    enum { ROOM = 1 << 13 };
    static unsigned char bytes[ROOM];
    bln_memory_stream m;
    bln_posterior *q;
    bln_report report;
    latents_world w;
    latents_make(&w, bln_likelihood_gaussian_scale(), LATENTS_PRODUCTS, 2);
    w.l.user = &w;
    bln_writer writer = bln_memory_writer(&m, bytes, ROOM);
    CHECK_STATUS(bln_posterior_save(&w.q, &writer), BLN_EUNKNOWN);
    w.l.user = NULL;
    w.eta[1] = -1.0;
    writer = bln_memory_writer(&m, bytes, ROOM);
    if (bln_posterior_save(&w.q, &writer) == BLN_OK) CHECK_STATUS(latents_load(bytes, m.at, &q, &report), BLN_EFORMAT);
    else CHECK(m.at <= ROOM);
    latents_free(&w);
}

/* ---- what is refused */

TEST(observe_latents, check)
{
    const bln_likelihood one = bln_likelihood_poisson(BLN_LINK_LOG), other = bln_likelihood_categorical(4),
                         none = bln_likelihood_categorical(1);
    latents_world w;
    bln_report report;
    latents_make(&w, bln_likelihood_categorical(3), LATENTS_PRODUCTS, 2);
    const bln_observe good = w.q.observe;
    static const char *const text[7] = { "NULL", "no table", "of one latent", "another number of latents", "made for another one",
                                         "made for another one", "must be normal" };
    for (size_t c = 0; c < 7; c++) {
        w.q.observe = c == 0 ? bln_observe_latents(NULL) : c == 1 ? bln_observe_latents(&none) : c == 2 ? bln_observe_latents(&one)
                    : c == 3 ? bln_observe_latents(&other) : good;
        if (c == 4) w.q.observe.n_moments = 1;
        if (c == 5) w.q.observe.n_eta = 1;
        w.q.dof = c == 6 ? 4.0 : 0.0;
        const bln_status status = bln_posterior_check(&w.q, &report);
        CHECK_STATUS(status, BLN_EINVAL);
        if (c < 6) CHECK_TEXT(report.text, text[c]);
    }
    CHECK_TEXT(blni_latents_ops.check(&good, 3, 4.0), text[6]);
    w.q.dof = 0.0;
    w.q.observe = bln_observe_likelihood(&w.l);
    CHECK_STATUS(bln_posterior_check(&w.q, &report), BLN_EINVAL);
    latents_free(&w);
}

/* Rows with trials, or classes that do not exist, or several outputs. */
TEST(observe_latents, rows)
{
    latents_world w;
    double out[LATENTS_N*3];
    bln_report report;
    latents_make(&w, bln_likelihood_categorical(3), LATENTS_POINTS, 2);
    w.data.trials = w.X;
    w.data.n = 0;
    CHECK_STATUS(bln_posterior_predict(&w.q, &w.data, out, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no trials");
    w.data.trials = NULL;
    w.data.n = LATENTS_N;
    w.y[5] = 3.0;
    CHECK_STATUS(bln_posterior_logdensities(&w.q, &w.data, out, NULL, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 5);
    CHECK_OK(bln_posterior_predict(&w.q, &w.data, out, NULL, NULL, NULL, &report));
    w.data.y = NULL;
    CHECK_OK(bln_posterior_predict(&w.q, &w.data, out, NULL, NULL, NULL, &report));
    CHECK_STATUS(bln_posterior_logdensities(&w.q, &w.data, out, NULL, &report), BLN_EINVAL);
    w.X[4] = NAN;
    CHECK_STATUS(bln_posterior_predict(&w.q, &w.data, out, NULL, NULL, NULL, &report), BLN_EDATA);
    latents_free(&w);
}

/* Rows are not left out, by whichever way the components would have one: those of one latent (two classes against a reference),
 * too. */
TEST(observe_latents, not_left_out)
{
    static const latents_kind kinds[4] = { LATENTS_POINTS, LATENTS_PRODUCTS, LATENTS_JOINT, LATENTS_SHARED };
    for (size_t c = 0; c < 12; c++) {
        latents_world w;
        double out[3*LATENTS_N], log_group[1];
        size_t group[LATENTS_N] = { 0 };
        bln_loo_outputs o = BLN_ZERO;
        bln_elpd total;
        bln_report report[4];
        const bln_likelihood l = c < 4 ? bln_likelihood_categorical_reference(2) : bln_likelihood_categorical(2);
        if (c < 4 && kinds[c % 4] == LATENTS_SHARED) continue;                    /* latents of one are not shared */
        latents_make(&w, l, kinds[c % 4], 3);
        w.q.sites = c < 8 ? BLN_SITES_MODE : BLN_SITES_NONE;
        o.logdensity = out;
        CHECK_STATUS(bln_posterior_loo(&w.q, &w.data, NULL, &o, report), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loo_groups(&w.q, &w.data, group, 1, NULL, &o, log_group, report + 1), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loglikelihoods(&w.q, &w.data, 3, 1, out, LATENTS_N, report + 2), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_waic(&w.q, &w.data, 3, 1, NULL, NULL, &total, report + 3), BLN_EINVAL);
        for (size_t k = 0; k < 4; k++) CHECK_TEXT(report[k].text, "several latents");
        latents_free(&w);
    }
}

SUITE_BEGIN(observe_latents)
SUITE_TEST(observe_latents, points)
SUITE_TEST(observe_latents, products)
SUITE_TEST(observe_latents, covariances)
SUITE_TEST(observe_latents, two_classes)
SUITE_TEST(observe_latents, groups)
SUITE_TEST(observe_latents, no_order)
SUITE_TEST(observe_latents, draws)
SUITE_TEST(observe_latents, residuals)
SUITE_TEST(observe_latents, offsets)
SUITE_TEST(observe_latents, scale)
SUITE_TEST(observe_latents, pits_and_densities)
SUITE_TEST(observe_latents, pits_of_counts)
SUITE_TEST(observe_latents, by_points)
SUITE_TEST(observe_latents, workspace)
SUITE_TEST(observe_latents, record)
SUITE_TEST(observe_latents, not_in_files)
SUITE_TEST(observe_latents, check)
SUITE_TEST(observe_latents, rows)
SUITE_TEST(observe_latents, not_left_out)
SUITE_END(observe_latents)
