/* test_program_latent: local variables, points and scopes where everything is known: probabilistic principal components as a linear
 * auto-encoder [Tipping & Bishop 1999], and linear regression */
#include "../test.h"

enum { PCA_N = 60, PCA_D = 4, PCA_K = 2, PCA_DIM = 2*PCA_D*PCA_K + 2*PCA_K + PCA_D + 1, PCA_DRAWS = 20000 };

/* The encoder: mean x'We + be, standard deviations e^l; the decoder: x ~ N(z'W + mu, e^s). All are points. */
static const bln_program_parameter pca_parameters[] = {
    { "We", PCA_D, PCA_K, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 },
    { "be", PCA_K, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 },
    { "l", PCA_K, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 }, { "W", PCA_K, PCA_D, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 },
    { "mu", PCA_D, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 }, { "s", 1, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 } };
enum { PCA_WE, PCA_BE = PCA_D*PCA_K, PCA_L = PCA_BE + PCA_K, PCA_W = PCA_L + PCA_K, PCA_MU = PCA_W + PCA_D*PCA_K,
       PCA_S = PCA_MU + PCA_D };

typedef struct pca_world {
    double   X[PCA_N*PCA_D], best[PCA_DIM], log_likelihood;      /* best: at the optimum                         */
    int      by_rows;                                            /* the weights of rows, or the bound?           */
    bln_data data;
} pca_world;

/* Row after row of b. */
static bln_var pca_rows(bln_tape *t, bln_var b, size_t n, size_t k)
{
    static const double zero[PCA_DRAWS*PCA_D];
    return bln_v_affine(t, bln_c_mat(t, zero, n, 1), bln_c_mat(t, zero, 1, k), b);
}

static bln_status pca_model(bln_tape *t, const bln_var *p, void *user)
{
    static double ones[PCA_DRAWS];
    const pca_world *w = (const pca_world *)user;
    const bln_data *rows = bln_batch(t);
    const bln_var x = bln_c_mat(t, rows->X, rows->n, PCA_D), m = bln_v_affine(t, x, p[0], p[1]);
    const bln_var log_sd = pca_rows(t, p[2], rows->n, PCA_K), sd = bln_v_exp(t, log_sd), e = bln_c_noise(t, rows->n, PCA_K);
    const bln_var z = bln_v_fma(t, sd, e, m), f = bln_v_affine(t, z, p[3], p[4]), s = bln_v_exp(t, p[5]);
    for (size_t i = 0; i < PCA_DRAWS; i++) ones[i] = 1.0;
    bln_data_term(t);
    if (w->by_rows) {
        const bln_var of_x = bln_v_lpdf3(t, bln_lp_normal, x, f, s);
        const bln_var of_z = bln_v_axpy(t, 0.5, bln_v_sub(t, bln_v_square(t, e), bln_v_square(t, z)), log_sd);
        bln_lp_add(t, bln_v_add(t, bln_v_gemv(t, of_x, bln_c_vec(t, ones, PCA_D)), bln_v_gemv(t, of_z, bln_c_vec(t, ones, PCA_K))));
        return BLN_OK;
    }
    bln_lp_normal(t, x, f, s);
    bln_scope(t, 2);
    const bln_var squares = bln_v_add(t, bln_v_square(t, m), bln_v_square(t, sd));
    bln_lp_add(t, bln_v_axpy(t, -0.5, bln_v_shift(t, squares, -1.0), log_sd));
    return BLN_OK;
}

/* The largest eigenvalue of S, its vector to u; S loses it. The gap is wide: 500 steps of the power method are enough. */
static double pca_top(double *S, double *u)
{
    double v[PCA_D], length = 0.0;
    for (int i = 0; i < PCA_D; i++) u[i] = 1.0 + 0.1*i;
    for (int step = 0; step < 500; step++) {
        bln_gemv(BLN_NOTRANS, PCA_D, PCA_D, 1.0, S, PCA_D, u, 0.0, v);
        length = sqrt(bln_dot(PCA_D, v, v));
        for (int i = 0; i < PCA_D; i++) u[i] = v[i]/length;
    }
    for (int i = 0; i < PCA_D; i++) for (int j = 0; j < PCA_D; j++) S[i*PCA_D + j] -= length*u[i]*u[j];
    return length;
}

/* Rows of 2 variables and noise, and the optimum: s^2 the mean of the eigenvalues left out, column j of W
 * sqrt(lambda_j - s^2) u_j, the posterior of z_j N(u_j'(x - mu) sqrt(lambda_j - s^2)/lambda_j, s^2/lambda_j)
 *                                                                                        [Tipping & Bishop 1999, (7), (8)] */
static void pca_make(pca_world *w)
{
    static const double loading[PCA_K][PCA_D] = { { 2.0, -1.0, 1.0, 0.5 }, { 0.3, 1.0, 0.8, -1.0 } };
    double S[PCA_D*PCA_D] = { 0 }, u[PCA_K][PCA_D], lambda[PCA_K], rest = 0.0, log_det = 0.0;
    double *q = w->best, *mu = w->best + PCA_MU;
    test_random r = test_random_new(5);
    memset(w, 0, sizeof *w);
    for (int i = 0; i < PCA_N; i++) {
        double z[PCA_K], *x = w->X + i*PCA_D;
        test_fill_normal(&r, PCA_K, z);
        test_fill_normal(&r, PCA_D, x);
        for (int j = 0; j < PCA_D; j++) x[j] = 1.0 + 0.5*x[j] + z[0]*loading[0][j] + z[1]*loading[1][j];
        for (int j = 0; j < PCA_D; j++) mu[j] += x[j]/PCA_N;
    }
    for (int i = 0; i < PCA_N*PCA_D; i++)
        for (int j = 0; j < PCA_D; j++) S[i%PCA_D*PCA_D + j] += (w->X[i] - mu[i%PCA_D])*(w->X[i - i%PCA_D + j] - mu[j])/PCA_N;
    for (int k = 0; k < PCA_K; k++) { lambda[k] = pca_top(S, u[k]); log_det += log(lambda[k]); }
    for (int j = 0; j < PCA_D; j++) rest += S[j*PCA_D + j]/(PCA_D - PCA_K);
    log_det += (PCA_D - PCA_K)*log(rest);
    for (int k = 0; k < PCA_K; k++)
        for (int j = 0; j < PCA_D; j++) {
            q[PCA_W + k*PCA_D + j] = sqrt(lambda[k] - rest)*u[k][j];
            q[PCA_WE + j*PCA_K + k] = q[PCA_W + k*PCA_D + j]/lambda[k];
            q[PCA_BE + k] -= q[PCA_WE + j*PCA_K + k]*mu[j];
            q[PCA_L + k] = 0.5*log(rest/lambda[k]);
        }
    q[PCA_S] = 0.5*log(rest);
    w->log_likelihood = -0.5*PCA_N*(PCA_D*log(2.0*3.14159265358979323846) + log_det + PCA_D);
    w->data.n = PCA_N;
    w->data.d = PCA_D;
    w->data.X = w->X;
}

static bln_program *pca_program(pca_world *w, const bln_data *data, const double *power)
{
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    desc.model = pca_model;
    desc.user = w;
    desc.parameters = pca_parameters;
    desc.n_parameters = 6;
    desc.data = data;
    desc.n_rows = w->by_rows ? data->n : 0;
    desc.power = power;
    const bln_status status = bln_program_create(&desc, &program, &report);
    if (status != BLN_OK) printf("    %s\n", report.text);
    CHECK_OK(status);
    return program;
}

/* log p(x) of a row by the decoder in q, and the mean log weight, which is KL(q(z) || p(z | x)) less; both in closed form. With
 * A = W W'/s^2 + I the posterior has the precision A and the mean A^-1 W (x - mu)/s^2. */
static double pca_exact(const double *q, const double *x, double *bound)
{
    double A[PCA_K*PCA_K], h[PCA_K], m[PCA_K], r[PCA_D], quad, off[PCA_K], kl = 0.0;
    const double v = exp(2.0*q[PCA_S]), *W = q + PCA_W;
    for (int j = 0; j < PCA_D; j++) r[j] = x[j] - q[PCA_MU + j];
    bln_gemm(BLN_NOTRANS, BLN_TRANS, PCA_K, PCA_K, PCA_D, 1.0/v, W, PCA_D, W, PCA_D, 0.0, A, PCA_K);
    A[0] += 1.0;
    A[3] += 1.0;
    const double det = A[0]*A[3] - A[1]*A[1];
    bln_gemv(BLN_NOTRANS, PCA_K, PCA_D, 1.0/v, W, PCA_D, r, 0.0, h);
    m[0] = (A[3]*h[0] - A[1]*h[1])/det;
    m[1] = (A[0]*h[1] - A[1]*h[0])/det;
    quad = bln_dot(PCA_D, r, r)/v - bln_dot(PCA_K, h, m);
    for (int k = 0; k < PCA_K; k++) {
        double mean = q[PCA_BE + k];
        for (int j = 0; j < PCA_D; j++) mean += x[j]*q[PCA_WE + j*PCA_K + k];
        off[k] = mean - m[k];
        kl += 0.5*A[k*PCA_K + k]*exp(2.0*q[PCA_L + k]) - q[PCA_L + k] - 0.5;
    }
    kl += 0.5*(A[0]*off[0]*off[0] + 2.0*A[1]*off[0]*off[1] + A[3]*off[1]*off[1]) - 0.5*log(det);
    const double lp = -0.5*(PCA_D*log(2.0*3.14159265358979323846*v) + log(det) + quad);
    *bound = lp - kl;
    return lp;
}

/* At the optimum q(z) is the posterior: each draw's weight is log p(x), and the rows' sum the largest likelihood; the bound, with
 * its divergences in closed form, has noise, but its mean over 4000 draws is that sum too. */
TEST(program_latent, weights_are_the_likelihood_at_the_optimum)
{
    static pca_world w;
    double log_w[PCA_N], bound, sum = 0.0, square = 0.0, value, worst = 1.0;
    pca_make(&w);
    w.by_rows = 1;
    bln_program *program = pca_program(&w, &w.data, NULL);
    CHECK_OK(bln_program_pointwise(program, w.best, log_w, NULL));
    for (int i = 0; i < PCA_N; i++) {
        CHECK_GOLD(log_w[i], pca_exact(w.best, w.X + i*PCA_D, &bound), 1e-12);
        CHECK_GOLD(bound, log_w[i], 1e-12);
        sum += log_w[i];
    }
    CHECK_GOLD(sum, w.log_likelihood, 1e-12);
    bln_program_free(program);
    w.by_rows = 0;
    program = pca_program(&w, &w.data, NULL);
    const bln_density d = bln_program_density(program);
    CHECK_OK(bln_density_check(&d, w.best, &worst, NULL));
    CHECK_LE(worst, 1e-9);
    sum = 0.0;
    for (int s = 1; s <= 4000; s++) {
        CHECK_OK(d.parts->batch(d.user, 0, 0, (uint64_t)s, NULL));
        CHECK_OK(d.eval(d.user, w.best, &value, NULL, NULL));
        sum += value - w.log_likelihood;
        square += (value - w.log_likelihood)*(value - w.log_likelihood);
    }
    CHECK_LE(fabs(sum/4000.0), 5.0*sqrt(square/4000.0/4000.0));
    bln_program_free(program);
}

/* With another encoder the mean log weight is below log p(x) by the divergence, and the importance-weighted bound reaches log p(x):
 * both within 5 standard errors.                                                                             [programs 33] */
TEST(program_latent, importance_weighted_bound)
{
    static pca_world w;
    static double many[PCA_DRAWS*PCA_D], log_w[PCA_DRAWS];
    double bound, sum = 0.0, square = 0.0, mean = 0.0, scatter = 0.0;
    bln_data data = BLN_ZERO;
    pca_make(&w);
    for (int k = 0; k < PCA_K; k++) { w.best[PCA_L + k] += 0.2; w.best[PCA_BE + k] += 0.1; }
    const double exact = pca_exact(w.best, w.X, &bound);
    for (int i = 0; i < PCA_DRAWS; i++) memcpy(many + i*PCA_D, w.X, PCA_D*sizeof(double));
    data.n = PCA_DRAWS;
    data.d = PCA_D;
    data.X = many;
    w.by_rows = 1;
    bln_program *program = pca_program(&w, &data, NULL);
    CHECK_OK(bln_program_pointwise(program, w.best, log_w, NULL));
    for (int i = 0; i < PCA_DRAWS; i++) {
        const double ratio = exp(log_w[i] - exact);
        sum += log_w[i]/PCA_DRAWS;
        square += (log_w[i] - bound)*(log_w[i] - bound)/PCA_DRAWS;
        mean += ratio/PCA_DRAWS;
        scatter += (ratio - 1.0)*(ratio - 1.0)/PCA_DRAWS;
    }
    CHECK(exact - bound > 0.05);
    CHECK_LE(fabs(sum - bound), 5.0*sqrt(square/PCA_DRAWS));
    CHECK_LE(fabs(mean - 1.0), 5.0*sqrt(scatter/PCA_DRAWS));
    CHECK_GOLD(bln_logsumexp(PCA_DRAWS, log_w) - log((double)PCA_DRAWS), exact + log(mean), 1e-12);
    bln_program_free(program);
}

/* Stochastic steps over minibatches from a random start: the bound of what they find is the largest likelihood but for 2 % of
 * PCA_DIM/2 nats, which is what is lost where each parameter is off by a seventh of its standard error. Scope 2 is the sum of the
 * divergences, which has no noise. */
TEST(program_latent, stochastic_fit_finds_the_components)
{
    static pca_world w;
    pca_make(&w);
    for (int method = 0; method < 2; method++) {
        bln_advi_desc desc = BLN_ZERO;
        bln_advi *advi = NULL;
        bln_report report;
        double total = 0.0, likelihood = 0.0, kl = 0.0;
        bln_program *program = pca_program(&w, &w.data, NULL);
        desc.density = bln_program_density(program);
        desc.batch = method ? 20 : 60;
        desc.max_iterations = 8000;
        desc.rate = 0.02;
        CHECK_OK(bln_advi_fit(&desc, &advi, &report));
        const bln_approximation *q = bln_advi_result(advi);
        for (int i = 0; i < PCA_N; i++) {
            double bound;
            likelihood += pca_exact(q->mean, w.X + i*PCA_D, &bound);
            total += bound;
            for (int k = 0; k < PCA_K; k++) {
                double m = q->mean[PCA_BE + k];
                for (int j = 0; j < PCA_D; j++) m += w.X[i*PCA_D + j]*q->mean[PCA_WE + j*PCA_K + k];
                kl += 0.5*(m*m + exp(2.0*q->mean[PCA_L + k]) - 1.0) - q->mean[PCA_L + k];
            }
        }
        CHECK_LE(likelihood, w.log_likelihood + 1e-9);
        CHECK_LE(total, likelihood + 1e-9);
        CHECK_LE(w.log_likelihood - total, 0.02*PCA_DIM/2.0);
        CHECK_GOLD(q->scopes[2].kl, kl, 1e-12);
        CHECK_NEAR(q->scopes[2].entropy, 0.0, 0.0);
        CHECK_GOLD(q->scopes[0].log_p + q->scopes[2].log_p, q->importance.elbo, 1e-12);
        CHECK(q->scale[0] == 0.0 && q->draws && bln_chains_draws(q->draws) == 1);
        bln_advi_free(advi);
        bln_program_free(program);
    }
}

/* ---- linear regression: y ~ N(x'w, s), w_1, w_2 ~ N(0, 2) in scope 2, w_3 ~ N(0, 1) in scope 3 */

enum { REG_N = 64, REG_D = 3 };
typedef struct reg_world { double X[REG_N*REG_D], y[REG_N]; bln_data data; } reg_world;

static bln_status reg_model(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *rows = bln_batch(t);
    bln_var w[2];
    (void)user;
    w[0] = p[1];
    w[1] = p[2];
    bln_scope(t, 2);
    bln_lp_normal(t, p[1], bln_c_num(t, 0.0), bln_c_num(t, 2.0));
    bln_scope(t, 3);
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, rows->y, rows->n),
                  bln_v_gemv(t, bln_c_mat(t, rows->X, rows->n, REG_D), bln_v_concat(t, w, 2)), p[0]);
    return BLN_OK;
}

/* Columns of X are orthogonal, with squares of 64: the posterior has independent coordinates, mean
 * 64 h/(64 + s^2/prior variance). */
static void reg_make(reg_world *w)
{
    test_random r = test_random_new(11);
    memset(w, 0, sizeof *w);
    test_fill_normal(&r, REG_N, w->y);
    for (int i = 0; i < REG_N; i++) {
        for (int k = 0; k < REG_D; k++) w->X[i*REG_D + k] = i >> k & 1 ? 1.0 : -1.0;
        w->y[i] = 0.7*w->y[i] + 0.5*w->X[i*REG_D] - 0.3*w->X[i*REG_D + 2];
    }
    w->data.n = REG_N;
    w->data.d = REG_D;
    w->data.X = w->X;
    w->data.y = w->y;
}

static double reg_posterior(const reg_world *w, double s, double *mean, double *sd)
{
    static const double prior[REG_D] = { 2.0, 2.0, 1.0 };
    double evidence = 0.0, quad = bln_dot(REG_N, w->y, w->y);
    for (int k = 0; k < REG_D; k++) {
        double h = 0.0;
        for (int i = 0; i < REG_N; i++) h += w->X[i*REG_D + k]*w->y[i];
        const double precision = REG_N/(s*s) + 1.0/(prior[k]*prior[k]);
        mean[k] = h/(s*s)/precision;
        sd[k] = 1.0/sqrt(precision);
        quad -= h*mean[k];
        evidence -= log(prior[k]/sd[k]);
    }
    return evidence - 0.5*quad/(s*s) - REG_N*(log(s) + 0.5*log(2.0*3.14159265358979323846));
}

/* The noise, a point, is where the evidence is largest, as the mean field is exact; divergences of both scopes in closed form.
 * Fixed noise is exact to what L-BFGS leaves; minibatches of 16 rows to some hundredth of a posterior standard deviation. */
TEST(program_latent, point_and_scopes_of_a_regression)
{
    static const bln_program_parameter parameters[] = {
        { "s", 1, 1, BLN_CONSTRAINT_POSITIVE, 0.0, 0.0, NULL, 0, 1 }, { "w", 2, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 2, 0 },
        { "v", 1, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 3, 0 } };
    static reg_world w;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    double mean[REG_D], sd[REG_D], low = log(0.3), high = log(2.0), kl[2];
    reg_make(&w);
    for (int k = 0; k < 100; k++) {                              /* the evidence with the log-Jacobian */
        const double a = low + (high - low)*0.382, b = low + (high - low)*0.618;
        if (reg_posterior(&w, exp(a), mean, sd) + a > reg_posterior(&w, exp(b), mean, sd) + b) high = b;
        else low = a;
    }
    const double best = reg_posterior(&w, exp(low), mean, sd);
    kl[0] = kl[1] = 0.0;
    for (int k = 0; k < REG_D; k++) {
        const double prior = k < 2 ? 2.0 : 1.0;
        kl[k == 2] += log(prior/sd[k]) + 0.5*(sd[k]*sd[k] + mean[k]*mean[k])/(prior*prior) - 0.5;
    }
    desc.model = reg_model;
    desc.parameters = parameters;
    desc.n_parameters = 3;
    desc.data = &w.data;
    CHECK_OK(bln_program_create(&desc, &program, NULL));
    for (int batches = 0; batches < 2; batches++) {
        bln_advi_desc a = BLN_ZERO;
        bln_advi *advi = NULL;
        double sum = 0.0;
        a.density = bln_program_density(program);
        a.batch = batches ? 16 : 0;
        a.draws = 4000;
        CHECK_OK(bln_advi_fit(&a, &advi, NULL));
        const bln_approximation *q = bln_advi_result(advi);
        for (int k = 0; k < REG_D; k++) {
            CHECK_NEAR(q->mean[1 + k], mean[k], batches ? 0.1*sd[k] : 1e-6);
            CHECK_NEAR(log(q->scale[1 + k]), log(sd[k]), batches ? 0.1 : 1e-6);
        }
        CHECK_NEAR(q->mean[0], low, batches ? 0.02 : 1e-5);
        CHECK_NEAR(q->scale[0], 0.0, 0.0);
        bln_hmc_desc hmc = BLN_ZERO;                             /* which is no width of p */
        bln_chains *draws = NULL;
        bln_report report;
        hmc.density = a.density;
        hmc.inverse_metric = q->variance;
        CHECK_STATUS(bln_hmc_sample(&hmc, &draws, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "a variance not > 0");
        CHECK_NEAR(q->importance.elbo, best + low, 5.0*q->importance.elbo_se + (batches ? 0.05 : 1e-6));
        for (int m = 0; m < 2; m++)
            CHECK_NEAR(q->scopes[2 + m].kl, kl[m], 5.0*q->scopes[2 + m].log_p_se + (batches ? 0.1 : 1e-6));
        CHECK_NEAR(q->scopes[1].kl, -q->mean[0], 1e-12);         /* of the point: minus its log-Jacobian */
        for (int m = 0; m <= BLN_SCOPES; m++) sum += q->scopes[m].log_p + q->scopes[m].entropy;
        CHECK_NEAR(sum, q->importance.elbo, 5.0*sqrt(0.5*REG_D/4000.0));       /* E log q is the draws' there, and exact here */
        bln_advi_free(advi);
    }
    bln_program_free(program);
}

/* Wrong uses, by name. */
TEST(program_latent, refusals)
{
    static pca_world w;
    bln_advi_desc desc = BLN_ZERO;
    pca_make(&w);
    bln_program *program = pca_program(&w, &w.data, NULL);
    desc.density = bln_program_density(program);
    desc.family = BLN_ADVI_FULL;
    CHECK_TEXT(bln_advi_check(&desc), "points are for MEAN_FIELD");
    desc.family = BLN_ADVI_MEAN_FIELD;
    desc.batch = 10;
    desc.method = BLN_ADVI_FIXED_NOISE;
    CHECK_TEXT(bln_advi_check(&desc), "STOCHASTIC");
    desc.method = BLN_ADVI_AUTO;
    CHECK(!bln_advi_check(&desc));
    desc.density.parts = NULL;
    CHECK_TEXT(bln_advi_check(&desc), "a program with data or source");
    bln_program_free(program);
}

SUITE_BEGIN(program_latent)
    SUITE_TEST(program_latent, weights_are_the_likelihood_at_the_optimum)
    SUITE_TEST(program_latent, importance_weighted_bound)
    SUITE_TEST(program_latent, stochastic_fit_finds_the_components)
    SUITE_TEST(program_latent, point_and_scopes_of_a_regression)
    SUITE_TEST(program_latent, refusals)
SUITE_END(program_latent)
