/* test_weights - coefficients and covariances of mixtures of all kinds against dense sums; what fitted models say of their
 * coefficients; blocks of weights; no allocation; errors */
#include "posterior_tools.h"
#include "../likelihood/latent_tools.h"
#include "../linear/slm_outputs_tools.h"

enum { WEIGHTS_MOST = 15, WEIGHTS_K = 9 };

/* Component k of a list has the mean m[k] and the covariance C[k], dense: the table and the covariance by definition. Normals. */
static void weights_check(bln_posterior *q, size_t K, size_t n, const double *weight, const double *m, const double *C,
                          double tolerance)
{
    static const double p[3] = { 0.025, 0.5, 0.9 };
    double mean[WEIGHTS_MOST], sd[WEIGHTS_MOST], quantile[3*WEIGHTS_MOST], cov[WEIGHTS_MOST*20], want[WEIGHTS_MOST];
    double at[WEIGHTS_K], var[WEIGHTS_K];
    test_heap heap;
    double *work = test_doubles(bln_posterior_weights_work(q));
    CHECK_OK(bln_posterior_check(q, NULL));
    q->alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    for (size_t i = 0; i < WEIGHTS_MOST*20; i++) cov[i] = 2.385;
    CHECK_OK(bln_posterior_coefficients(q, mean, sd, 3, p, quantile, work, NULL));
    CHECK_OK(bln_posterior_covariance(q, cov, 20, work, NULL));
    CHECK_SIZE(heap.calls, 0);
    CHECK_STATUS(bln_posterior_coefficients(q, mean, NULL, 0, NULL, NULL, NULL, NULL), BLN_ENOMEM);
    CHECK_STATUS(bln_posterior_covariance(q, cov, 20, NULL, NULL), BLN_ENOMEM);
    heap.fail_at = (size_t)-1;
    CHECK_OK(bln_posterior_coefficients(q, mean, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_SIZE(heap.live, 0);
    memset(&q->alloc, 0, sizeof q->alloc);
    for (size_t i = 0; i < n; i++) {
        want[i] = 0.0;
        for (size_t k = 0; k < K; k++) want[i] += weight[k]*m[k*n + i];
        CHECK_NEAR(mean[i], want[i], tolerance);
    }
    for (size_t i = 0; i < n; i++) {
        bln_latent f = BLN_ZERO;
        double q3[3];
        for (size_t k = 0; k < K; k++) {
            at[k] = m[k*n + i];
            var[k] = C[(k*n + i)*n + i];
        }
        f.K = K;
        f.weight = weight;
        f.mean = at;
        f.var = var;
        latent_quantiles(&f, 1, 0, NULL, 3, p, q3);
        for (size_t j = 0; j < 3; j++) CHECK_NEAR(quantile[3*i + j], q3[j], tolerance);
        for (size_t j = 0; j < n; j++) {
            double c = 0.0;
            for (size_t k = 0; k < K; k++) c += weight[k]*(C[(k*n + i)*n + j] + (m[k*n + i] - want[i])*(m[k*n + j] - want[j]));
            CHECK_NEAR(cov[i*20 + j], j < i ? 2.385 : c, tolerance);
            if (i == j) CHECK_NEAR(sd[i]*sd[i], c, tolerance);
        }
        for (size_t j = n; j < 20; j++) CHECK(cov[i*20 + j] == 2.385);
    }
    free(work);
}

/* Three groups: two Gaussians, of either form, then diagonal ones, then points. One latent; two latents that share a factor, or
 * have a joint one. */
TEST(weights, mixtures)
{
    static const double T[4] = { 1.5, 0.4, 0.4, 0.7 }, sigma[4] = { 0.3, 0.0, 0.0, 0.3 };
    posterior_bases b = posterior_bases_new();
    for (int c = 0; c < 6; c++) {
        const size_t J = c < 2 ? 1 : 2, n_w = 5*J, n = c == 2 || c == 3 ? 5 : n_w, D = 5;
        bln_gaussians v = posterior_gaussians(c & 1 ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR, 2, n_w, n, c & 1 ? 2 : n, 200);
        double weight[7], m[7*10], *C = test_doubles(7*100), psi[20], small[100], scratch[100];
        test_random r = test_random_new(201);
        bln_diagonals diag;
        bln_points points;
        bln_group g[3];
        if (n < n_w) v.T = T;
        for (size_t k = 0; k < 7; k++) weight[k] = k ? 0.125 : 0.25;
        test_fill_normal(&r, 7*10, m);
        memcpy(m, v.m, 2*n_w*sizeof *m);
        for (size_t i = 0; i < 20; i++) psi[i] = test_uniform(&r);
        for (size_t i = 0; i < 7*n_w*n_w; i++) C[i] = 0.0;
        for (size_t k = 0; k < 2; k++) {
            const blni_gaussian one = blni_gaussians_at(&v, n_w, k);
            blni_gaussian_covariance(&one, small, n, scratch);
            for (size_t i = 0; i < n_w; i++)
                for (size_t j = 0; j < n_w; j++) {
                    const size_t a = i%n, e = j%n;
                    C[(k*n_w + i)*n_w + j] = small[a < e ? a*n + e : e*n + a]*(v.T ? T[i/D*2 + j/D] : 1.0);
                }
            for (size_t i = 0; i < n_w; i++) C[((2 + k)*n_w + i)*n_w + i] = psi[k*n_w + i];
        }
        diag.m = m + 2*n_w;
        diag.psi = psi;
        points.w = m + 4*n_w;
        diag.ld = points.ld = 0;
        g[0] = posterior_group(bln_kind_gaussian(), &v, 2, sigma);
        g[1] = posterior_group(bln_kind_diagonal(), &diag, 2, sigma);
        g[2] = posterior_group(bln_kind_point(), &points, 3, sigma);
        for (size_t i = 0; i < 3; i++) g[i].weight = weight + 2*i;
        bln_posterior q = posterior_of(b.view, 1, J, bln_observe_noise(J), g, 3);
        weights_check(&q, 7, n_w, weight, m, C, 1e-13);
        q.n_groups = 1;
        g[0].weight = NULL;
        weight[0] = weight[1] = 0.5;
        weights_check(&q, 2, n_w, weight, m, C, 1e-13);
        free(C);
        posterior_gaussians_free(&v);
    }
    posterior_bases_free(&b);
}

/* sd of more digits than R has goes before R. */
TEST(weights, given_deviations)
{
    static const double sd[5] = { 1.0, 2.0, 3.0, 4.0, 5.0 }, sigma = 1.0;
    posterior_bases b = posterior_bases_new();
    bln_gaussians v = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 1, 5, 5, 5, 202);
    double got[5], C[25];
    v.sd = sd;
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, &sigma);
    const bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_OK(bln_posterior_coefficients(&q, NULL, got, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_covariance(&q, C, 0, NULL, NULL));
    for (size_t i = 0; i < 5; i++) CHECK(got[i] == sd[i] && C[6*i] == sd[i]*sd[i]);
    posterior_gaussians_free(&v);
    posterior_bases_free(&b);
}

/* More weights times components than a block has. */
TEST(weights, blocks)
{
    enum { D = 40, K = 9000 };
    bln_basis *b = NULL;
    const bln_basis *view[1];
    const double sigma = 1.0;
    double *w = test_doubles(K*D), mean[D], sd[D];
    test_random r = test_random_new(203);
    bln_points v;
    CHECK_OK(bln_linear_create(NULL, D, 0, &b));
    test_fill_normal(&r, K*D, w);
    view[0] = b;
    v.w = w;
    v.ld = 0;
    const bln_group g = posterior_group(bln_kind_point(), &v, K, &sigma);
    const bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_OK(bln_posterior_coefficients(&q, mean, sd, 0, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < D; i++) {
        double m = 0.0, s = 0.0;
        for (size_t k = 0; k < K; k++) m += w[k*D + i]/K;
        for (size_t k = 0; k < K; k++) s += (w[k*D + i] - m)*(w[k*D + i] - m)/K;
        CHECK_NEAR(mean[i], m, 1e-13);
        CHECK_REL(sd[i], sqrt(s), 1e-12);
    }
    free(w);
    bln_basis_free(b);
}

/* The t's of the integrated model, with a flat weight; the covariance gives the variance of any phi'w. */
TEST(weights, integrated_model)
{
    static const double ratio[2] = { HUGE_VAL, 0.0 };
    bln_data data = slm_make(25, 2, 204, 1);
    bln_basis *b = slm_parse("bias+rbf:n=4", 2, 3);
    bln_slm_integrated_desc desc;
    bln_slm_integrated *m = NULL;
    double sd[9], C[81];
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.ratio = ratio;
    desc.nodes = 16;
    CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    bln_posterior q = *bln_slm_integrated_posterior(m);
    const size_t D = b->D;
    CHECK_OK(bln_posterior_coefficients(&q, NULL, sd, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_covariance(&q, C, 0, NULL, NULL));
    for (size_t i = 0; i < D; i++) CHECK_REL(C[i*(D + 1)], sd[i]*sd[i], 1e-12);
    /* phi'C phi is the variance of f */
    double var[25], Phi[9], *work = test_doubles(bln_basis_work(b, 1) + 8);
    CHECK_OK(bln_posterior_latent(&q, &data, NULL, var, NULL, NULL));
    for (size_t i = 0; i < 25; i++) {
        double want = 0.0, terms = 0.0;
        bln_basis_features(b, bln_slm_integrated_theta(m), 1, data.X + 2*i, 2, Phi, D, work);
        for (size_t a = 0; a < D; a++)
            for (size_t e = 0; e < D; e++) {
                const double term = Phi[a]*C[a < e ? a*D + e : e*D + a]*Phi[e];
                want += term;
                terms += fabs(term);
            }
        CHECK_NEAR(var[i], want, 1e-13*terms);
    }
    q.dof = 2.0;
    CHECK_STATUS(bln_posterior_covariance(&q, C, 0, NULL, NULL), BLN_EUNDEFINED);
    free(work);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Three rows, 1500 inputs: a table of coefficients takes vectors, where the square of D would be 18 MB. */
TEST(weights, few_rows_take_no_square)
{
    enum { D = 1500 };
    bln_data data = slm_make(3, D, 206, 1);
    bln_basis *b = slm_parse("linear:ones=0", D, 1);
    bln_slm_desc desc;
    bln_slm *m = NULL;
    test_heap heap;
    double *sd = test_doubles(D), *direct = test_doubles(D), *work;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    CHECK_OK(bln_slm_create(&desc, &m, NULL));
    CHECK_OK(bln_slm_fit(m, &data, NULL));
    bln_posterior q = *bln_slm_posterior(m);
    q.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_posterior_coefficients(&q, NULL, sd, 0, NULL, NULL, NULL, NULL));
    CHECK(heap.peak_bytes < 100*D*sizeof(double));
    work = test_doubles(bln_posterior_weights_work(&q));
    CHECK_OK(bln_posterior_coefficients(&q, NULL, direct, 0, NULL, NULL, work, NULL));
    CHECK(!memcmp(sd, direct, D*sizeof *sd));
    free(work);
    free(sd);
    free(direct);
    bln_slm_free(m);
    bln_basis_free(b);
    slm_free_data(&data);
}

TEST(weights, errors)
{
    bln_basis *b = slm_parse("bias+rbf:n=1", 2, 3);
    const bln_basis *view[1];
    const double w[9] = { 1.0 }, sigma = 1.0, theta[3] = { 0.5, 0.5, 0.6 }, bad = 1.5;
    double x[9];
    bln_points v;
    bln_report r;
    bln_group g[2];
    view[0] = b;
    v.w = w;
    v.ld = 0;
    for (size_t i = 0; i < 2; i++) {
        g[i] = posterior_group(bln_kind_point(), &v, 1, &sigma);
        g[i].theta = theta + i;
    }
    bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), g, 2);
    CHECK_OK(bln_posterior_coefficients(&q, x, NULL, 0, NULL, NULL, NULL, &r));      /* the same theta in another place */
    CHECK_STATUS(bln_posterior_coefficients(&q, x, NULL, 1, NULL, x, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_coefficients(&q, x, NULL, 1, &bad, x, NULL, &r), BLN_EDOMAIN);
    const double negative = -0.1;
    CHECK_STATUS(bln_posterior_coefficients(&q, x, NULL, 1, &negative, x, NULL, &r), BLN_EDOMAIN);
    CHECK_OK(bln_posterior_coefficients(&q, x, NULL, 0, NULL, x + 4, NULL, &r));      /* of no levels there are no quantiles */
    CHECK_OK(bln_posterior_coefficients(&q, x + 4, NULL, 1, &bad, NULL, NULL, &r));   /* and levels that nobody asks about */
    CHECK(x[0] == x[4] && x[1] == x[5]);
    g[1].theta = theta;                                                              /* the same theta in the same place */
    CHECK_OK(bln_posterior_coefficients(&q, x, NULL, 0, NULL, NULL, NULL, &r));
    CHECK_STATUS(bln_posterior_covariance(&q, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_covariance(&q, x, 2, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_covariance(NULL, x, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_coefficients(NULL, x, NULL, 0, NULL, NULL, NULL, &r), BLN_EINVAL);
    g[1].theta = theta + 2;
    CHECK_STATUS(bln_posterior_coefficients(&q, x, NULL, 0, NULL, NULL, NULL, &r), BLN_EUNDEFINED);
    CHECK_TEXT(r.text, "theta");
    CHECK_STATUS(bln_posterior_covariance(&q, x, 0, NULL, &r), BLN_EUNDEFINED);
    q.status = BLN_ESTATE;
    CHECK_STATUS(bln_posterior_covariance(&q, x, 0, NULL, &r), BLN_ESTATE);
    CHECK_SIZE(bln_posterior_weights_work(&q), 0);
    CHECK_SIZE(bln_posterior_weights_work(NULL), 0);
    bln_basis_free(b);
}

SUITE_BEGIN(weights)
SUITE_TEST(weights, mixtures)
SUITE_TEST(weights, given_deviations)
SUITE_TEST(weights, blocks)
SUITE_TEST(weights, integrated_model)
SUITE_TEST(weights, few_rows_take_no_square)
SUITE_TEST(weights, errors)
SUITE_END(weights)
