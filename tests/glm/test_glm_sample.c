/* Joint draws of the generalised linear model: of the weights from each form of posterior, functions of them, and targets. */
#include "glm_tools.h"
#include "../likelihood/likelihood_tools.h"

enum { GLMS_DRAWS = 3000 };

static bln_draw_desc glms_draws(size_t n, uint64_t seed, int noise)
{
    bln_draw_desc d;
    memset(&d, 0, sizeof d);
    d.n = n;
    d.seed = seed;
    d.noise = noise;
    return d;
}

static bln_glm *glms_fit(const bln_basis *b, bln_likelihood l, glm_way way, size_t components, const bln_data *data)
{
    bln_glm_desc desc = glm_desc(b, l);
    glm_options options = glm_no_options();
    options.components = components;
    options.nodes = strstr(l.ops->name, "laplace") ? 0 : 16;
    desc.method = glm_by(way, &options);
    desc.max_iterations = 10;
    desc.block = 7;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, data, NULL);
    return glm;
}

/* Uniform by this distribution function (5 sigma: goodness.h). */
static void glms_uniform(size_t n, double *u, const char *what)
{
    goodness_near(goodness_kolmogorov(n, u, likelihood_identity, 0.0, 0.0), 0.0, 2.6, "distance", what, (double)n, 0.0);
}

/* Mean and covariance of a Gaussian; each weight of a mixture by its distribution function; the point of MAP. */
TEST(glm_sample, weights)
{
    static const struct { glm_way way; size_t K; } ways[] = {
        { GLM_LAPLACE, 1 }, { GLM_FULL, 1 }, { GLM_MIXTURE, 3 }, { GLM_NPV, 1 }, { GLM_MAP, 1 } };
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const bln_draw_desc draws = glms_draws(GLMS_DRAWS, 3, 0);
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    double *W = test_doubles(GLMS_DRAWS*5), u[GLMS_DRAWS], C[25], room[25];
    for (size_t i = 0; i < sizeof ways/sizeof *ways; i++) {
        bln_glm *glm = glms_fit(b, l, ways[i].way, ways[i].K, &data);
        const blni_gaussian *g = gaussian_of(glm);
        const blni_mixture *q = mixture_of(glm);
        double mean[5];
        CHECK_OK(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, W, NULL, 0, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), mean, NULL, 0, NULL, NULL, NULL, NULL));
        if (g) {
            blni_gaussian_covariance(g, C, 5, room);
            for (size_t j = 0; j < 25; j++) if (j/5 > j%5) C[j] = C[j%5*5 + j/5];
            slm_check_moments(GLMS_DRAWS, 5, W, g->m, C);
        }
        for (size_t j = 0; j < 5 && !g; j++) {
            for (size_t r = 0; r < GLMS_DRAWS && !q; r++) CHECK(W[r*5 + j] == mean[j]);
            for (size_t r = 0; r < GLMS_DRAWS && q; r++) {
                u[r] = 0.0;
                for (size_t k = 0; k < q->K; k++)
                    u[r] += bln_norm_cdf((W[r*5 + j] - q->m[k*5 + j])/sqrt(q->psi[k*5 + j]))/(double)q->K;
            }
            if (q) glms_uniform(GLMS_DRAWS, u, "a weight of a mixture");
        }
        bln_glm_free(glm);
    }
    free(W);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A draw of f is offset + phi'w of the same draw of w; rows and draws in parts are those of one call, of y too. The sums of parts
 * may differ by rounding: 5 products of size 3 or so. */
TEST(glm_sample, functions)
{
    enum { N = 30, S = 9 };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", N, 5);
    bln_glm *glm = glms_fit(b, bln_likelihood_binomial(BLN_LINK_LOGIT), GLM_LAPLACE, 1, &data);
    double W[S*6], Phi[N*5], f[S*N], y[S*N], part[N], *room = test_doubles(bln_basis_work(b, N) + 8), *work = room;
    bln_draw_desc draws = glms_draws(S, 11, 0);
    while ((uintptr_t)work % 64) work++;
    bln_basis_features(b, bln_glm_theta(glm), N, data.X, 2, Phi, 5, work);
    CHECK_OK(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, W, NULL, 6, NULL, NULL));
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, f, NULL, 0, NULL, NULL));
    draws.noise = 1;
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, y, NULL, N, NULL, NULL));
    for (size_t i = 0; i < S*N; i++) {
        CHECK_NEAR(f[i], data.offset[i%N] + bln_dot(5, Phi + i%N*5, W + i/N*6), 1e-14);
        CHECK(y[i] >= 0.0 && y[i] <= 5.0 && y[i] == floor(y[i]));
    }
    draws.n = 0;                                                         /* one */
    draws.stream = 4;
    draws.first_row = 10;
    const bln_data rows = bln_data_rows(&data, 10, 13);
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &rows, &draws, part, NULL, 0, NULL, NULL));
    for (size_t i = 0; i < 13; i++) CHECK_NEAR(part[i], y[4*N + 10 + i], 0.0);
    draws.noise = 0;
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &rows, &draws, part, NULL, 0, NULL, NULL));
    for (size_t i = 0; i < 13; i++) CHECK_NEAR(part[i], f[4*N + 10 + i], 1e-14);
    free(room);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Targets of one row: uniform by the distribution function of predictions, for every likelihood, also where features miss prior
 * variance. */
static void glms_targets(const likelihood_case *c, glm_way way)
{
    enum { S = 250 };
    const bln_likelihood l = likelihood_named(c->name);
    const double x[] = { -2, -1, -0.5, 0.5, 1, 2, 3, 0 }, y[] = { 0, 1, 0, 1, 0, 1, 1, 1 }, many[8] = { 3, 3, 3, 3, 3, 3, 3, 3 };
    double both[2*S], t[S], u[S], where[S], ones[S];
    bln_data data = BLN_ZERO;
    data.n = 8;
    data.d = 1;
    data.X = x;
    data.y = y;
    bln_basis *b = NULL;
    bln_spec_desc spec = BLN_ZERO;
    spec.text = "linear + inducing:m=2";
    spec.d = 1;
    spec.rows = &data;
    CHECK_OK(bln_basis_parse(&spec, &b, NULL));
    bln_glm *glm = glms_fit(b, l, way, 1, &data);
    const bln_draw_desc draws = glms_draws(S, 17, 1);
    const double twice[2] = { 1.5, 1.5 };
    data.n = 2;
    data.X = twice;
    if (!l.ops->discrete) data.noise_var = many;
    else if (strcmp(c->name, "ordinal")) data.trials = many;
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, both, NULL, 0, NULL, NULL));
    for (size_t r = 0; r < S; r++) {
        t[r] = both[2*r];
        where[r] = 1.5;
        ones[r] = 3.0;
    }
    data.n = S;
    data.X = where;
    data.y = t;
    if (data.trials) data.trials = ones;
    if (data.noise_var) data.noise_var = ones;
    CHECK_OK(bln_posterior_pits(bln_glm_posterior(glm), &data, 7, u, NULL, NULL));
    glms_uniform(S, u, c->name);
    bln_glm_free(glm);
    bln_basis_free(b);
}

TEST(glm_sample, targets)
{
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        glms_targets(likelihood_cases + c, strstr(likelihood_cases[c].name, "laplace") ? GLM_FULL : GLM_LAPLACE);
    glms_targets(likelihood_case_of("binomial_cloglog"), GLM_MIXTURE);
}

/* The joint law beside inducing points: at two rows of the same input and one near them the covariances of f are those of the
 * features, and what these miss, here most of the variance, is in the variances alone. Moments of S draws have standard
 * errors sqrt((v_i v_j + c^2)/S), of normals: 5 of them. MAP: none of it. */
TEST(glm_sample, residual_by_row)
{
    enum { S = 4000 };
    static const glm_way ways[] = { GLM_LAPLACE, GLM_FULL, GLM_MIXTURE, GLM_MAP };
    const double x[] = { -2, -1, -0.5, 0.5, 1, 2, 3, 0 }, y[] = { 0, 1, 0, 1, 0, 1, 1, 1 }, rows[3] = { 8.0, 8.0, 8.1 };
    double *f = test_doubles(3*S), m[3], v[3];
    bln_data data = BLN_ZERO;
    bln_basis *b = NULL;
    bln_spec_desc spec = BLN_ZERO;
    data.n = 8;
    data.d = 1;
    data.X = x;
    data.y = y;
    spec.text = "bias + inducing:m=2";
    spec.d = 1;
    spec.rows = &data;
    CHECK_OK(bln_basis_parse(&spec, &b, NULL));
    for (size_t k = 0; k < 4; k++) {
        bln_glm *glm = glms_fit(b, bln_likelihood_binomial(BLN_LINK_LOGIT), ways[k], 1, &data);
        const bln_draw_desc draws = glms_draws(S, 5, 0);
        bln_data at = BLN_ZERO;
        at.n = 3;
        at.d = 1;
        at.X = rows;
        double *Phi = test_doubles(3*b->D), *work = test_doubles(bln_basis_work(b, 3)), *C = test_doubles(b->D*b->D),
               *room = test_doubles(b->D*b->D);
        CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &at, &draws, f, NULL, 0, NULL, NULL));
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &at, m, v, NULL, NULL));
        bln_basis_features(b, bln_glm_theta(glm), 3, rows, 1, Phi, b->D, work);
        for (size_t i = 0; i < b->D*b->D; i++) C[i] = 0.0;
        if (gaussian_of(glm)) blni_gaussian_covariance(gaussian_of(glm), C, b->D, room);
        for (size_t i = 0; i < b->D && ways[k] == GLM_MIXTURE; i++) C[i*b->D + i] = mixture_of(glm)->psi[i];
        for (size_t i = 0; i < 3; i++)
            for (size_t j = i; j < 3; j++) {
                double got = 0.0, features = 0.0;
                for (size_t s = 0; s < S; s++) got += (f[3*s + i] - m[i])*(f[3*s + j] - m[j])/S;
                for (size_t p = 0; p < b->D; p++)
                    for (size_t q = 0; q < b->D; q++)
                        features += Phi[i*b->D + p]*C[p < q ? p*b->D + q : q*b->D + p]*Phi[j*b->D + q];
                if (i == j && ways[k] != GLM_MAP) CHECK_LE(2.0*features, v[i]);
                CHECK_NEAR(got, i == j ? v[i] : features, 5.0*sqrt((v[i]*v[j] + features*features)/S) + 1e-12);
            }
        free(Phi); free(work); free(C); free(room);
        bln_glm_free(glm);
    }
    free(f);
    bln_basis_free(b);
}

TEST(glm_sample, errors_and_memory)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("poisson_exp", 12, 5);
    bln_draw_desc draws = glms_draws(2, 0, 1);
    double out[24];
    bln_report r;
    test_heap heap;
    bln_glm_desc desc = glm_desc(b, l);
    desc.alloc = test_heap_allocator(&heap);
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, out, NULL, 0, NULL, &r), BLN_ESTATE);
    CHECK_STATUS(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, out, NULL, 0, NULL, &r), BLN_ESTATE);
    CHECK_FIT(glm, &data, NULL);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(NULL), &data, &draws, out, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, NULL, out, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), NULL, &draws, out, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, NULL, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, out, NULL, 11, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, NULL, NULL, 0, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, out, NULL, 4, NULL, &r), BLN_EINVAL);
    bln_data bad = data;
    bad.d = 1;
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &bad, &draws, out, NULL, 0, NULL, &r), BLN_ESHAPE);
    bad = data;
    ((double *)data.X)[5] = NAN;
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &bad, &draws, out, NULL, 0, NULL, &r), BLN_EDATA);
    CHECK(r.row == 2 && r.column == 1);
    ((double *)data.X)[5] = 0.5;
    draws.n = (size_t)-1/4;
    CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, out, NULL, 0, NULL, &r), BLN_EOVERFLOW);
    draws.n = 2;
    const size_t live = heap.live;
    for (size_t i = 0; i < 2; i++) {
        heap.calls = 0;
        heap.fail_at = i;
        CHECK_STATUS(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, out, NULL, 0, NULL, &r), i ? BLN_OK : BLN_ENOMEM);
        heap.calls = 0;
        CHECK_STATUS(bln_posterior_draw_weights(bln_glm_posterior(glm), &draws, out, NULL, 0, NULL, &r), i ? BLN_OK : BLN_ENOMEM);
        CHECK_SIZE(heap.live, live);
    }
    heap.fail_at = (size_t)-1;
    data.n = 0;
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, NULL, NULL, 0, NULL, &r));
    data.n = 12;
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_sample)
SUITE_TEST(glm_sample, weights)
SUITE_TEST(glm_sample, functions)
SUITE_TEST(glm_sample, targets)
SUITE_TEST(glm_sample, residual_by_row)
SUITE_TEST(glm_sample, errors_and_memory)
SUITE_END(glm_sample)
