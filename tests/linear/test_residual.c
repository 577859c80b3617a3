/* test_residual - prior variance of f that features miss (inducing points), in what is not bln_posterior_predict: rows and
 * groups left out, draws, rows one by one; against dense Gaussians of explicit copies of the rows */
#include "slm_tools.h"
#include "posterior_of.h"

enum { MISS_D = 2, MISS_POINTS = 12, MISS_MOST = 80 };

static const double miss_l[MISS_D] = { 1.1, 1.7 }, miss_prior[2] = { 1.4, 0.5 }, miss_noise = 0.06;

/* m points of a Matern 3/2 kernel of the columns in turned order, and a line: slices 0 and 1. */
static bln_basis *miss_basis(size_t m, double *points)
{
    static const size_t turned[MISS_D] = { 1, 0 };
    bln_inducing_desc desc;
    bln_basis *parts[2] = { NULL, NULL }, *sum = NULL;
    test_random r = test_random_new(77);
    memset(&desc, 0, sizeof desc);
    for (size_t i = 0; i < m*MISS_D; i++) points[i] = 1.2*test_normal(&r);
    desc.d = MISS_D;
    desc.n = m;
    desc.points = points;
    desc.kernel = BLN_KERNEL_MATERN32;
    desc.ard = 1;
    CHECK_OK(bln_inducing_create(&desc, &parts[1], NULL));
    CHECK_OK(bln_basis_columns(NULL, MISS_D, MISS_D, turned, parts[1], &parts[0], NULL));
    CHECK_OK(bln_linear_create(NULL, MISS_D, 1, &parts[1]));
    CHECK_OK(bln_basis_sum(NULL, 2, parts, &sum, NULL));
    if (!sum) exit(2);
    return sum;
}

/* k of two rows of the table; a point has its columns in turned order already. */
static double miss_kernel(const double *a, const double *b)
{
    const double u = (a[1] - b[1])/miss_l[0], v = (a[0] - b[0])/miss_l[1], r = sqrt(3.0*(u*u + v*v));
    return (1.0 + r)*exp(-r);
}

/* The dense model: points (columns as in the table) and the inverse of their kernel matrix. */
typedef struct miss_model { size_t m; double Z[MISS_POINTS*MISS_D], Ki[MISS_POINTS*MISS_POINTS]; } miss_model;

static miss_model miss_dense(size_t m, const double *points)
{
    miss_model d;
    d.m = m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < MISS_D; j++) d.Z[i*MISS_D + j] = points[i*MISS_D + 1 - j];
    for (size_t i = 0; i < m*m; i++) d.Ki[i] = miss_kernel(d.Z + i/m*MISS_D, d.Z + i%m*MISS_D);
    slm_invert(m, d.Ki);
    return d;
}

/* Prior covariance of the features' part of f, and what they miss. */
static double miss_features(const miss_model *d, const double *a, const double *b, double *rest)
{
    double q = 0.0;
    for (size_t i = 0; i < d->m; i++)
        for (size_t j = 0; j < d->m; j++)
            q += miss_kernel(a, d->Z + i*MISS_D)*d->Ki[i*d->m + j]*miss_kernel(d->Z + j*MISS_D, b);
    if (rest) *rest = miss_prior[0]*(miss_kernel(a, b) - q);
    return miss_prior[0]*q + miss_prior[1]*(1.0 + a[0]*b[0] + a[1]*b[1]);
}

/* Rows of a table as single copies: which row each is of. in: NULL, or 1 for rows to take. */
static size_t miss_copies(const bln_data *data, const char *in, char wanted, size_t *copy)
{
    size_t n = 0;
    for (size_t i = 0; i < data->n; i++)
        for (double k = 0.0; (!in || in[i] == wanted) && k < (data->weight ? data->weight[i] : 1.0); k += 1.0) copy[n++] = i;
    CHECK(n <= MISS_MOST);
    return n;
}

static double miss_v(const bln_data *data, size_t i) { return data->noise_var ? data->noise_var[i] : 1.0; }
static double miss_y(const bln_data *data, size_t i, size_t p)
{
    const size_t P = data->p ? data->p : 1;
    return data->y[i*P + p] - (data->offset ? data->offset[i*P + p] : 0.0);
}

/* f of the rows `at`, given n copies `from` and with noise miss_noise: means (n_at x P) and covariance, of P outputs alike. */
static void miss_predict(const miss_model *d, const bln_data *data, size_t n, const size_t *from, size_t n_at, const size_t *at,
                         double *mean, double *cov)
{
    const size_t P = data->p ? data->p : 1;
    double *A = test_doubles(n*n), *g = test_doubles(n_at*n), rest;
    for (size_t i = 0; i < n*n; i++)
        A[i] = miss_features(d, data->X + from[i/n]*MISS_D, data->X + from[i%n]*MISS_D, NULL)
             + (i/n == i%n)*miss_noise*miss_v(data, from[i/n]);
    slm_invert(n, A);
    for (size_t i = 0; i < n_at*n; i++) g[i] = miss_features(d, data->X + at[i/n]*MISS_D, data->X + from[i%n]*MISS_D, NULL);
    for (size_t a = 0; a < n_at; a++) {
        for (size_t p = 0; p < P; p++) mean[a*P + p] = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t p = 0; p < P; p++) mean[a*P + p] += g[a*n + i]*A[i*n + j]*miss_y(data, from[j], p);
        for (size_t b = 0; b < n_at; b++) {
            cov[a*n_at + b] = miss_features(d, data->X + at[a]*MISS_D, data->X + at[b]*MISS_D, &rest) + rest;
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++) cov[a*n_at + b] -= g[a*n + i]*A[i*n + j]*g[b*n + j];
        }
    }
    free(A); free(g);
}

/* log density of the copies `at` given the copies `from`. apart: what features miss is independent from row to row. */
static double miss_logp(const miss_model *d, const bln_data *data, size_t n, const size_t *from, size_t n_at, const size_t *at,
                        int apart)
{
    const size_t P = data->p ? data->p : 1;
    double *mean = test_doubles(n_at*P), *C = test_doubles(n_at*n_at), value = 0.0;
    miss_predict(d, data, n, from, n_at, at, mean, C);
    for (size_t i = 0; i < n_at; i++) C[i*n_at + i] += miss_noise*miss_v(data, at[i]);
    for (size_t i = 0; i < n_at*n_at && apart; i++) {
        double rest;
        miss_features(d, data->X + at[i/n_at]*MISS_D, data->X + at[i%n_at]*MISS_D, &rest);
        if (at[i/n_at] != at[i%n_at]) C[i] -= rest;
    }
    const double logdet = slm_invert(n_at, C);
    for (size_t p = 0; p < P; p++) {
        value -= 0.5*(logdet + (double)n_at*log(2*BLNI_PI));
        for (size_t i = 0; i < n_at; i++)
            for (size_t j = 0; j < n_at; j++)
                value -= 0.5*(miss_y(data, at[i], p) - mean[i*P + p])*C[i*n_at + j]*(miss_y(data, at[j], p) - mean[j*P + p]);
    }
    free(mean); free(C);
    return value;
}

static bln_slm_desc miss_desc(const bln_basis *b, bln_slm_form form)
{
    return slm_fixed(b, form, miss_noise, miss_prior, miss_l);
}

/* ---- groups ---- */

/* Two outputs alike: y and offset next to others. */
static void miss_second(bln_data *data)
{
    double *y = test_doubles(2*data->n), *o = test_doubles(2*data->n);
    for (size_t i = 0; i < data->n; i++) {
        y[2*i] = data->y[i];
        y[2*i + 1] = 0.5 - data->y[(i + 3) % data->n];
        o[2*i] = data->offset[i];
        o[2*i + 1] = -0.5*data->offset[i];
    }
    free((void *)data->y);
    free((void *)data->offset);
    data->y = y;
    data->offset = o;
    data->p = 2;
}

/* Condition of the dense matrices: the largest eigenvalue, below 80 (1.4 + 0.5 (1 + |x|^2)) = 1e3, over miss_noise x 0.3, times
 * that of Ki, about 1e3 at most: 6e7 eps = 1e-8 is the bound of all comparisons; tau = 1e-13 m adds 1e-9. */
#define MISS_NEAR(got, want) CHECK_NEAR(got, want, 2e-8*(1 + fabs(want)))

static void miss_check_group(const miss_model *d, const bln_slm *slm, const bln_data *data, size_t m, const size_t *rows)
{
    const size_t P = data->p ? data->p : 1;
    size_t from[MISS_MOST], at[MISS_MOST], group[MISS_MOST];
    char in[MISS_MOST] = { 0 };
    double *want_cov = test_doubles(m*m), want[2*MISS_MOST], logp[2], *means = test_doubles(data->n*P),
           *vars = test_doubles(data->n*P);
    for (size_t i = 0; i < m; i++) in[rows[i]] = 1;
    const size_t n_from = miss_copies(data, in, 0, from), n_at = miss_copies(data, in, 1, at);
    miss_predict(d, data, n_from, from, m, rows, want, want_cov);
    for (size_t i = 0; i < data->n; i++) group[i] = in[i] ? 1 : 0;
    CHECK_OK(groups_of(bln_slm_posterior(slm), data, group, 2, means, vars, logp, NULL));
    MISS_NEAR(logp[1], miss_logp(d, data, n_from, from, n_at, at, 0));
    for (int alone = 0; alone < 2; alone++) {
        if (alone && m > 1) break;
        if (alone) CHECK_OK(loo_of(bln_slm_posterior(slm), data, means, vars, NULL, NULL, NULL));
        for (size_t i = 0; i < m; i++)
            for (size_t p = 0; p < P; p++) {
                MISS_NEAR(means[rows[i]*P + p], want[i*P + p] + data->offset[rows[i]*P + p]);
                MISS_NEAR(vars[rows[i]*P + p], want_cov[i*m + i] + miss_noise*miss_v(data, rows[i]));
            }
    }
    free(want_cov); free(means); free(vars);
}

/* In factor form by both routes (more rows than half the features: large), and in low-rank form; with weights, of which some are 0,
 * noise variances and offsets; one and two outputs. */
TEST(residual, groups)
{
    static const size_t one[] = { 4 }, some[] = { 9, 2, 3 }, many[] = { 0, 1, 2, 4, 5, 6, 7, 8, 10, 11 }, few[] = { 5, 0, 2 };
    for (int outputs = 1; outputs < 3; outputs++) for (int lowrank = 0; lowrank < 2; lowrank++) {
        const size_t m = lowrank ? MISS_POINTS : 6;
        double points[MISS_POINTS*MISS_D];
        bln_data data = slm_make(lowrank ? 10 : 24, MISS_D, 21, 1);
        bln_basis *b = miss_basis(m, points);
        const miss_model dense = miss_dense(m, points);
        bln_slm_desc desc = miss_desc(b, lowrank ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        if (outputs == 2) miss_second(&data);
        desc.n_outputs = (size_t)outputs;
        desc.sigma = BLN_SLM_SHARED;
        bln_slm *slm = slm_fit(&desc, &data);
        CHECK((gaussians_of(bln_slm_posterior(slm))->form == BLN_GAUSSIAN_LOWRANK) == lowrank);
        miss_check_group(&dense, slm, &data, 1, one);
        if (lowrank) miss_check_group(&dense, slm, &data, 3, few);
        else {
            miss_check_group(&dense, slm, &data, 3, some);
            miss_check_group(&dense, slm, &data, 10, many);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* ---- draws ---- */

/* Sample means and covariances of n draws of k numbers within five of their standard deviations. */
static void miss_moments(size_t n, size_t k, const double *F, const double *mean, const double *cov)
{
    for (size_t i = 0; i < k; i++) {
        double sum = 0.0;
        for (size_t r = 0; r < n; r++) sum += F[r*k + i] - mean[i];
        CHECK_NEAR(sum/(double)n, 0.0, 5*sqrt(cov[i*k + i]/(double)n));
        for (size_t j = 0; j <= i; j++) {
            sum = 0.0;
            for (size_t r = 0; r < n; r++) sum += (F[r*k + i] - mean[i])*(F[r*k + j] - mean[j]);
            CHECK_NEAR(sum/(double)n, cov[i*k + j],
                       5*sqrt((cov[i*k + i]*cov[j*k + j] + cov[i*k + j]*cov[i*k + j])/(double)n));
        }
    }
}

/* The first AT rows are where f is drawn; two of them lie close to each other, far from all points. The weights' draws alone miss
 * the variance there by 1.4. Of two outputs with a full Sigma all covariances are those of one times Sigma_pq. */
TEST(residual, draws)
{
    enum { AT = 4, DRAWS = 4000 };
    static const double Sigma[4] = { 0.06, 0.05, 0.05, 0.2 };
    double points[MISS_POINTS*MISS_D], mean[2*AT], cov[AT*AT], want[2*AT], big[4*AT*AT], offset[2*AT];
    static const size_t rows[AT] = { 0, 1, 2, 3 };
    bln_basis *b = miss_basis(6, points);
    const miss_model dense = miss_dense(6, points);
    double *F = test_doubles(DRAWS*2*AT), *G = test_doubles(DRAWS*2*AT), *prior = test_doubles(DRAWS*AT), *H = test_doubles(2*AT),
        *same = test_doubles(DRAWS*AT);
    for (size_t P = 1; P < 3; P++) {
        bln_data data = slm_make(24, MISS_D, 22, 1);
        double *X = (double *)data.X, *ratio = test_doubles(2);
        size_t from[MISS_MOST];
        X[0] = X[2] = 6.0; X[1] = -7.0; X[3] = -6.7;
        if (P == 2) miss_second(&data);
        bln_slm_desc desc = miss_desc(b, BLN_SLM_PRIMAL);
        for (int s = 0; s < 2; s++) ratio[s] = miss_prior[s]/miss_noise;
        if (P == 2) {
            desc.n_outputs = 2;
            desc.sigma = BLN_SLM_CORRELATED;
            desc.noise_var = 0.0;
            desc.noise_cov = Sigma;
            desc.prior_var = ratio;
        }
        bln_slm *slm = slm_fit(&desc, &data);
        bln_data at = bln_data_rows(&data, 0, AT);
        bln_draw_desc draws;
        memset(&draws, 0, sizeof draws);
        draws.n = DRAWS;
        draws.seed = 5;
        const bln_posterior *q = bln_slm_posterior(slm);
        draws.residual = BLN_RESIDUAL_NONE;
        CHECK_OK(bln_posterior_draws(q, &at, &draws, G, P == 1 ? prior : NULL, 0, NULL, NULL));
        draws.residual = BLN_RESIDUAL_JOINT;
        CHECK_OK(bln_posterior_draws(q, &at, &draws, F, P == 1 ? same : NULL, 0, NULL, NULL));
        miss_predict(&dense, &data, miss_copies(&data, NULL, 0, from), from, AT, rows, mean, cov);
        for (size_t i = 0; i < AT*P; i++) {
            want[i] = mean[i] + data.offset[i];
            for (size_t j = 0; j < AT*P; j++) big[i*AT*P + j] = cov[i/P*AT + j/P]*(P == 1 ? 1.0 : Sigma[i%P*2 + j%P]/miss_noise);
        }
        CHECK(cov[0] > 1.4 && cov[1] > 1.0);
        miss_moments(DRAWS, AT*P, F, want, big);

        /* The same key, the same r, in parts too; it belongs to the prior paths as well, which have none of it and whose covariance
         * with it is that of the kernel itself. */
        draws.n = 1;
        draws.stream = 3;
        CHECK_OK(bln_posterior_draws(q, &at, &draws, H, P == 1 ? H + AT : NULL, 0, NULL, NULL));
        for (size_t i = 0; i < AT*P; i++) CHECK_NEAR(H[i], F[3*AT*P + i], 1e-13);
        if (P == 1) {
            for (size_t i = 0; i < DRAWS*AT; i++) {
                CHECK_NEAR(same[i], prior[i], 0.0);
                prior[i] += F[i] - G[i];
            }
            for (size_t i = 0; i < AT; i++) {
                offset[i] = data.offset[i];
                for (size_t j = 0; j < AT; j++) {
                    double rest;
                    big[i*AT + j] = miss_features(&dense, X + 2*i, X + 2*j, &rest);
                    big[i*AT + j] += rest;
                }
            }
            miss_moments(DRAWS, AT, prior, offset, big);
        }
        bln_slm_free(slm);
        slm_free_data(&data);
        free(ratio);
    }
    bln_basis_free(b);
    free(F); free(G); free(H); free(prior); free(same);
}

/* ---- rows one by one ---- */

static bln_sequential *miss_sequential(const bln_basis *b, bln_slm_residual residual)
{
    bln_sequential_desc desc;
    bln_sequential *t = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.noise_var = miss_noise;
    desc.prior_var = miss_prior;
    desc.theta = miss_l;
    desc.residual = residual;
    desc.block = 5;
    CHECK_OK(bln_sequential_create(&desc, &t, NULL));
    if (!t) exit(2);
    return t;
}

static double miss_evidence(const bln_basis *b, const bln_data *data, bln_slm_residual residual)
{
    bln_slm_desc desc = miss_desc(b, BLN_SLM_PRIMAL);
    desc.residual = residual;
    bln_slm *slm = slm_fit(&desc, data);
    const double value = bln_slm_evidence(slm);
    bln_slm_free(slm);
    return value;
}

/* Forecasts are those of the dense Gaussian of the rows before, whose densities of f itself count what is missed; and, before a
 * row is added, of bln_sequential_predict. */
TEST(residual, forecasts)
{
    double points[MISS_POINTS*MISS_D], mean[24], var[24], logp[24], predicted, total;
    bln_data data = slm_make(24, MISS_D, 23, 1);
    bln_basis *b = miss_basis(6, points);
    const miss_model dense = miss_dense(6, points);
    bln_sequential *t = miss_sequential(b, BLN_SLM_VARIATIONAL), *u = miss_sequential(b, BLN_SLM_VARIATIONAL);
    CHECK_OK(bln_sequential_add(t, &data, mean, var, logp, NULL));
    for (size_t i = 0; i < data.n; i++) {
        size_t from[MISS_MOST], at[8], k = 0;
        double want, cov;
        const bln_data before = bln_data_rows(&data, 0, i), row = bln_data_rows(&data, i, 1);
        const size_t n = miss_copies(&before, NULL, 0, from);
        while ((double)k < data.weight[i]) at[k++] = i;
        miss_predict(&dense, &data, n, from, 1, &i, &want, &cov);
        MISS_NEAR(mean[i], want + data.offset[i]);
        MISS_NEAR(var[i], cov + miss_noise*data.noise_var[i]);
        MISS_NEAR(logp[i], k ? miss_logp(&dense, &data, n, from, k, at, 0) : 0.0);
        CHECK_OK(total_of(bln_sequential_posterior(u), &row, &predicted, NULL, &total, NULL, NULL));
        CHECK_NEAR(predicted, mean[i], 1e-9);
        CHECK_NEAR(total, var[i], 1e-9);
        CHECK_OK(bln_sequential_add(u, &row, NULL, NULL, NULL, NULL));
    }
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* The evidence is the model's, with what is left out or without it: of rows added in blocks and one by one, taken out again,
 * merged, forgotten, read back; and of a model made from a fitted one. 1e-9: rounding of log p, some 100, in two ways. */
TEST(residual, evidence_of_rows)
{
    double points[MISS_POINTS*MISS_D], logp[24];
    bln_data data = slm_make(24, MISS_D, 24, 1);
    bln_basis *b = miss_basis(6, points);
    const bln_data head = bln_data_rows(&data, 0, 15), tail = bln_data_rows(&data, 15, 9);
    for (int which = 0; which < 2; which++) {
        const bln_slm_residual kind = which ? BLN_SLM_IGNORED : BLN_SLM_VARIATIONAL;
        const double all = miss_evidence(b, &data, kind), some = miss_evidence(b, &head, kind);
        bln_sequential *t = miss_sequential(b, kind), *u = miss_sequential(b, kind), *v = NULL;
        unsigned char bytes[4096];
        bln_memory_stream memory;
        CHECK(which == 0 || fabs(all - miss_evidence(b, &data, BLN_SLM_VARIATIONAL)) > 1.0);
        CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
        CHECK_NEAR(bln_sequential_evidence(t), all, 1e-9*(1 + fabs(all)));
        CHECK_OK(bln_sequential_add(u, &head, logp, NULL, NULL, NULL));
        CHECK_NEAR(bln_sequential_evidence(u), some, 1e-9*(1 + fabs(some)));
        CHECK_OK(bln_sequential_remove(t, &tail, NULL));
        CHECK_NEAR(bln_sequential_evidence(t), some, 1e-9*(1 + fabs(some)));
        CHECK_OK(bln_sequential_remove(t, &head, NULL));
        CHECK_NEAR(bln_sequential_evidence(t), 0.0, 1e-12);
        CHECK_OK(bln_sequential_add(t, &tail, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_sequential_merge(t, u, NULL));
        CHECK_NEAR(bln_sequential_evidence(t), all, 1e-9*(1 + fabs(all)));

        bln_writer w = bln_memory_writer(&memory, bytes, sizeof bytes);
        bln_sequential_save(t, &w);
        bln_reader r = bln_memory_reader(&memory, bytes, (size_t)w.count, NULL);
        bln_sequential_clear(u);
        CHECK_OK(bln_sequential_load(u, &r));
        CHECK_NEAR(bln_sequential_evidence(u), bln_sequential_evidence(t), 1e-12);

        bln_slm_desc desc = miss_desc(b, BLN_SLM_PRIMAL);
        desc.residual = kind;
        bln_slm *slm = slm_fit(&desc, &data);
        CHECK_OK(bln_sequential_create_from(slm, &v, NULL));
        CHECK_OK(bln_sequential_add(v, &data, NULL, NULL, NULL, NULL));
        CHECK_NEAR(bln_sequential_evidence(v), all, 1e-9*(1 + fabs(all)));
        bln_slm_free(slm);

        for (size_t i = 0; i < data.n; i++) ((double *)data.weight)[i] *= 0.5;
        const double half = miss_evidence(b, &data, kind);
        CHECK_OK(bln_sequential_forget(t, 0.5, NULL));
        CHECK_NEAR(bln_sequential_evidence(t), half, 1e-9*(1 + fabs(half)));
        for (size_t i = 0; i < data.n; i++) ((double *)data.weight)[i] *= 2.0;
        bln_sequential_free(t);
        bln_sequential_free(u);
        bln_sequential_free(v);
    }
    bln_basis_free(b);
    slm_free_data(&data);
}

/* ---- noise and ratios integrated out ---- */

static bln_slm_integrated *miss_integrated(const bln_basis *b, const double *ratio, bln_slm_arithmetic arithmetic,
                                           const bln_data *data)
{
    bln_slm_integrated_desc desc;
    bln_slm_integrated *m = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.theta = miss_l;
    desc.ratio = ratio;
    desc.arithmetic = arithmetic;
    CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
    if (!m) exit(2);
    CHECK_OK(bln_slm_integrated_fit(m, data, NULL));
    return m;
}

/* At ratios lambda/sigma^2 that are fixed: the evidence is log int N(y | 0, sigma^2 K) p(sigma^2) d log sigma^2, K the dense matrix
 * over miss_noise, less the bound's term; q/nu times the dense variances are the squared scales: in double, in three and by QR.
 * With one ratio integrated, its evidence is the integral of those by trapezoids over log tau (1e-12 here), and its variance of f
 * far out the mean of theirs. */
TEST(residual, integrated)
{
    enum { NODES = 241 };
    const double fixed[2] = { miss_prior[0]/miss_noise, miss_prior[1]/miss_noise };
    double points[MISS_POINTS*MISS_D], sum = 0.0, top = -HUGE_VAL, level[NODES], var[NODES];
    bln_data data = slm_make(24, MISS_D, 27, 1), at = bln_data_rows(&data, 0, 4);
    bln_basis *b = miss_basis(6, points);
    const miss_model dense = miss_dense(6, points);
    size_t from[MISS_MOST], rows[4] = { 0, 1, 2, 3 };
    ((double *)data.X)[0] = 9.0;
    const size_t n = miss_copies(&data, NULL, 0, from);
    double *K = test_doubles(n*n), q = 0.0, bound = 0.0, mean[4], cov[16], got[4], total[4];
    for (size_t i = 0; i < n*n; i++)
        K[i] = (miss_features(&dense, data.X + from[i/n]*MISS_D, data.X + from[i%n]*MISS_D, NULL)
               + (i/n == i%n)*miss_noise*miss_v(&data, from[i/n]))/miss_noise;
    const double logdet = slm_invert(n, K), N = (double)n;
    for (size_t i = 0; i < n; i++) {
        double rest;
        for (size_t j = 0; j < n; j++) q += miss_y(&data, from[i], 0)*K[i*n + j]*miss_y(&data, from[j], 0);
        miss_features(&dense, data.X + from[i]*MISS_D, data.X + from[i]*MISS_D, &rest);
        bound += 0.5*rest/(miss_noise*miss_v(&data, from[i]));
    }
    const double want = -0.5*(N*log(2*BLNI_PI) + logdet) + lgamma(0.5*N) - 0.5*N*log(0.5*q) - bound;
    miss_predict(&dense, &data, n, from, 4, rows, mean, cov);
    for (int a = BLN_SLM_DOUBLE; a <= BLN_SLM_QR; a++) {
        bln_slm_integrated *m = miss_integrated(b, fixed, (bln_slm_arithmetic)a, &data);
        of_outputs out;
        memset(&out, 0, sizeof out);
        out.mean = got;
        out.var_latent = total;
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &at, &out, NULL, NULL));
        MISS_NEAR(bln_slm_integrated_evidence(m), want);
        for (size_t i = 0; i < 4; i++) {
            MISS_NEAR(got[i], mean[i] + data.offset[i]);
            MISS_NEAR(total[i], q/N*cov[i*4 + i]/miss_noise*N/(N - 2.0));
        }
        bln_slm_integrated_free(m);
    }
    double ratio[2] = { 0.0, fixed[1] }, mixed = 0.0, far;
    bln_slm_integrated *m = miss_integrated(b, ratio, BLN_SLM_DOUBLE, &data), *other = miss_integrated(b, ratio, BLN_SLM_QR, &data);
    const double unit = bln_slm_integrated_unit(m, 0), step = 0.15;
    const bln_data one = bln_data_rows(&data, 0, 1);
    of_outputs out;
    memset(&out, 0, sizeof out);
    for (int k = 0; k < NODES; k++) {
        const double tau = exp(step*(double)(k - NODES/2));
        ratio[0] = tau/unit*(tau/unit);
        bln_slm_integrated *at_tau = miss_integrated(b, ratio, BLN_SLM_DOUBLE, &data);
        out.var_latent = var + k;
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(at_tau), &one, &out, NULL, NULL));
        level[k] = bln_slm_integrated_evidence(at_tau) + log(2.0/(BLNI_PI*10.0)) - log1p(tau*tau/100.0) + log(tau*step);
        if (level[k] > top) top = level[k];
        bln_slm_integrated_free(at_tau);
    }
    for (int k = 0; k < NODES; k++) sum += exp(level[k] - top);
    for (int k = 0; k < NODES; k++) mixed += exp(level[k] - top)/sum*var[k];
    MISS_NEAR(bln_slm_integrated_evidence(m), top + log(sum));
    MISS_NEAR(bln_slm_integrated_evidence(other), top + log(sum));
    out.var_latent = &far;
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &one, &out, NULL, NULL));
    CHECK(far > mixed*(1 - 1e-6) && far < 1.5*mixed);                     /* and what the means differ by */
    bln_slm_integrated_free(m);
    bln_slm_integrated_free(other);
    free(K);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* ---- what is refused, and a basis that does not tell its kernel ---- */

TEST(residual, errors)
{
    double points[MISS_POINTS*MISS_D], F[6*2], flat[2] = { HUGE_VAL, 1.0 };
    bln_data data = slm_make(24, MISS_D, 25, 1);
    bln_basis *b = miss_basis(6, points);
    bln_slm_desc desc = miss_desc(b, BLN_SLM_PRIMAL);
    bln_sequential_desc rows;
    test_heap heap;
    memset(&rows, 0, sizeof rows);
    rows.basis = b;
    rows.noise_var = 1.0;
    rows.prior_var = desc.prior_var = flat;
    CHECK_TEXT(bln_slm_check(&desc), "need a prior that is not flat");
    CHECK_TEXT(bln_sequential_check(&rows), "need a prior that is not flat");
    bln_slm_integrated_desc integrated;
    memset(&integrated, 0, sizeof integrated);
    integrated.basis = b;
    integrated.ratio = flat;
    CHECK_TEXT(bln_slm_integrated_check(&integrated), "need a prior that is not flat");
    flat[0] = 1.0;
    flat[1] = HUGE_VAL;                                           /* the line may have one */
    CHECK(bln_slm_check(&desc) == NULL && bln_sequential_check(&rows) == NULL);
    rows.residual = (bln_slm_residual)2;
    CHECK_TEXT(bln_sequential_check(&rows), "residual");

    desc.prior_var = miss_prior;
    desc.alloc = test_heap_allocator(&heap);
    bln_draw_desc draws;
    memset(&draws, 0, sizeof draws);
    draws.n = 2;
    bln_data at = bln_data_rows(&data, 0, 6);
    bln_slm *slm = slm_new(&desc);
    const bln_posterior *q = bln_slm_posterior(slm);
    draws.residual = BLN_RESIDUAL_JOINT;
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, F, NULL, 0, NULL, NULL), BLN_ESTATE);
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, NULL, NULL, 0, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(NULL, &at, &draws, F, NULL, 0, NULL, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, F, NULL, 5, NULL, NULL), BLN_EINVAL);
    heap.calls = heap.fail_at = 0;
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, F, NULL, 0, NULL, NULL), BLN_ENOMEM);
    heap.fail_at = 1000;
    at.d = 3;
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, F, NULL, 0, NULL, NULL), BLN_ESHAPE);
    at.d = 2;
    ((double *)data.X)[4] = BLNI_NAN;
    CHECK_STATUS(bln_posterior_draws(q, &at, &draws, F, NULL, 0, NULL, NULL), BLN_EDATA);
    bln_slm_free(slm);
    CHECK_SIZE(heap.live, 0);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Without the kernel what features miss counts as independent from row to row: the diagonal of R alone. */
TEST(residual, kernel_unknown)
{
    double points[MISS_POINTS*MISS_D], logp[2], alone[2], line[3], work[4000];
    size_t from[MISS_MOST], at[MISS_MOST], group[24];
    char in[MISS_MOST] = { 0 };
    bln_data data = slm_make(24, MISS_D, 26, 0);
    bln_basis *b = miss_basis(6, points);
    const miss_model dense = miss_dense(6, points);
    const bln_slm_desc desc = miss_desc(b, BLN_SLM_PRIMAL);
    bln_slm *slm = slm_fit(&desc, &data);
    for (size_t i = 0; i < 24; i++) in[i] = (group[i] = i % 2) == 1;
    const size_t n_from = miss_copies(&data, in, 0, from), n_at = miss_copies(&data, in, 1, at);
    CHECK_OK(groups_of(bln_slm_posterior(slm), &data, group, 2, NULL, NULL, logp, NULL));
    CHECK(bln_basis_work(b, 3) < 3990);
    double *aligned = (double *)(((uintptr_t)work + 63)/64*64);
    CHECK(blni_basis_kernel(b, 0, miss_l, data.X, 3, data.X, MISS_D, line, aligned) == 1);
    for (size_t j = 0; j < 3; j++) CHECK_NEAR(line[j], miss_kernel(data.X, data.X + MISS_D*j), 1e-14);
    CHECK(blni_basis_kernel(b, 1, miss_l, data.X, 3, data.X, MISS_D, line, aligned) == 0);
    CHECK(blni_basis_kernel(b, 2, miss_l, data.X, 3, data.X, MISS_D, line, aligned) == 0);
    bln_basis_ops silent = *b->ops;
    silent.kernel = NULL;
    const bln_basis_ops *const spoken = b->ops;
    b->ops = &silent;
    CHECK_OK(groups_of(bln_slm_posterior(slm), &data, group, 2, NULL, NULL, alone, NULL));
    b->ops = spoken;
    const double want = miss_logp(&dense, &data, n_from, from, n_at, at, 0);
    const double apart = miss_logp(&dense, &data, n_from, from, n_at, at, 1);
    CHECK_NEAR(logp[1], want, 1e-9);
    CHECK_NEAR(alone[1], apart, 1e-9);
    CHECK_LE(1.0, fabs(want - apart));
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(residual)
    SUITE_TEST(residual, groups)
    SUITE_TEST(residual, draws)
    SUITE_TEST(residual, forecasts)
    SUITE_TEST(residual, evidence_of_rows)
    SUITE_TEST(residual, integrated)
    SUITE_TEST(residual, errors)
    SUITE_TEST(residual, kernel_unknown)
SUITE_END(residual)
