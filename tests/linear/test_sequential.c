/* test_sequential - the linear model one row at a time: against high-precision references, against the whole data at once, against
 * itself before rows came and went; forecasts that sum to the evidence; what it refuses, and that it then stays as it was */
#include "../test.h"
#include "../golden/slm_golden.h"
#include "../golden/nist_golden.h"
#include "slm_tools.h"
#include "posterior_of.h"

static bln_sequential_desc seq_desc(const bln_basis *b, double noise_var, const double *prior_var, const double *theta)
{
    bln_sequential_desc d;
    memset(&d, 0, sizeof d);
    d.basis = b;
    d.noise_var = noise_var;
    d.prior_var = prior_var;
    d.theta = theta;
    d.block = 16;
    return d;
}

static bln_sequential *seq_new(const bln_sequential_desc *desc)
{
    bln_sequential *t = NULL;
    CHECK_OK(bln_sequential_create(desc, &t, NULL));
    if (!t) exit(1);
    return t;
}

/* The five columns of the golden file, each with the prior variance of its slice. */
static bln_sequential *seq_golden(bln_basis **b, bln_data *data, double *v)
{
    double lambda[5];
    *b = slm_columns(5);
    memset(data, 0, sizeof *data);
    for (size_t j = 0; j < 5; j++) lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
    for (size_t i = 0; i < 12; i++) v[i] = 1.0/golden_slm_in_omega[i];
    data->n = 12;
    data->d = 5;
    data->X = golden_slm_in_Phi;
    data->y = golden_slm_in_y;
    data->noise_var = v;
    const bln_sequential_desc desc = seq_desc(*b, golden_slm_in_sigma2[0], lambda, NULL);
    return seq_new(&desc);
}

/* The largest difference of means, in posterior standard deviations of b, and of log standard deviations. */
static double seq_difference(const blni_gaussian *a, const blni_gaussian *b)
{
    const size_t D = a->D;
    double *va = test_doubles(D), *vb = test_doubles(D), *work = test_doubles(D*D), most = 0.0;
    blni_gaussian_variances(a, va, work);
    blni_gaussian_variances(b, vb, work);
    for (size_t j = 0; j < D; j++) {
        if (va[j] == 0.0 && vb[j] == 0.0 && a->m[j] == 0.0 && b->m[j] == 0.0) continue;
        most = fmax(most, fmax(fabs(a->m[j] - b->m[j])/sqrt(vb[j]), fabs(0.5*log(va[j]/vb[j]))));
    }
    free(va); free(vb); free(work);
    return most;
}

/* All of a model's state. */
typedef struct seq_bytes { unsigned char at[1 << 15]; size_t n; } seq_bytes;
static void seq_save(const bln_sequential *t, seq_bytes *b)
{
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, b->at, sizeof b->at);
    bln_sequential_save(t, &w);
    CHECK_OK(w.status);
    b->n = (size_t)w.count;
}
static int seq_unchanged(const bln_sequential *t, const seq_bytes *before)
{
    seq_bytes now;
    seq_save(t, &now);
    return now.n == before->n && !memcmp(now.at, before->at, now.n);
}

/* Forecast of each row before it is seen [linear 26], evidence and posterior after the last; row by row, all at once with and
 * without forecasts. */
TEST(sequential, golden)
{
    double v[12], mean[12], var[12], logp[12], C[25], work[25];
    bln_basis *b;
    bln_data data;
    bln_sequential *t = seq_golden(&b, &data, v);
    for (int how = 0; how < 3; how++) {
        double sum = 0.0;
        bln_sequential_clear(t);
        if (how == 0)
            for (size_t i = 0; i < 12; i++) {
                const bln_data row = bln_data_rows(&data, i, 1);
                CHECK_OK(bln_sequential_add(t, &row, mean + i, var + i, logp + i, NULL));
            }
        else CHECK_OK(bln_sequential_add(t, &data, how == 1 ? mean : NULL, how == 1 ? var : NULL, how == 1 ? logp : NULL, NULL));
        for (size_t i = 0; i < 12; i++) {
            CHECK_GOLD(mean[i], golden_slm_preq_mean[i], 1e-11);
            CHECK_GOLD(var[i], golden_slm_preq_var[i], 1e-11);
            CHECK_GOLD(logp[i], golden_slm_preq_logpdf[i], 1e-11);
            sum += logp[i];
        }
        CHECK_GOLD(sum, golden_slm_logml[0], 1e-11);
        CHECK_GOLD(bln_sequential_evidence(t), golden_slm_logml[0], 1e-11);
        CHECK_NEAR(bln_sequential_rows(t), 12.0, 0.0);
        blni_gaussian_covariance(gaussians_of(bln_sequential_posterior(t)), C, 5, work);
        for (size_t i = 0; i < 5; i++) {
            CHECK_GOLD(gaussians_of(bln_sequential_posterior(t))->m[i], golden_slm_m[i], 1e-11);
            for (size_t j = i; j < 5; j++) CHECK_GOLD(C[i*5 + j], golden_slm_C[i*5 + j], 1e-11);
        }
    }
    bln_sequential_free(t);

    double lambda[5];                                       /* feature 3 switched off */
    for (size_t j = 0; j < 5; j++) lambda[j] = j == 3 ? 0.0 : golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
    const bln_sequential_desc desc = seq_desc(b, golden_slm_in_sigma2[0], lambda, NULL);
    t = seq_new(&desc);
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    CHECK_GOLD(bln_sequential_evidence(t), golden_slm_zero_lambda3_logml[0], 1e-11);
    for (size_t j = 0; j < 5; j++) CHECK_GOLD(gaussians_of(bln_sequential_posterior(t))->m[j], golden_slm_zero_lambda3_m[j], 1e-11);
    bln_sequential_free(t);
    bln_basis_free(b);
}

/* Everything so far decays by kappa = 0.9 before each of 12 rows [linear 29]. And no wind-up: features that are not excited for
 * long keep to their prior and no more, while naive forgetting would let their variance grow without end. */
TEST(sequential, forgetting)
{
    double v[12];
    bln_basis *b;
    bln_data data;
    bln_sequential *t = seq_golden(&b, &data, v);
    for (size_t i = 0; i < 12; i++) {
        const bln_data row = bln_data_rows(&data, i, 1);
        CHECK_OK(bln_sequential_forget(t, golden_slm_forget_kappa[0], NULL));
        CHECK_OK(bln_sequential_add(t, &row, NULL, NULL, NULL, NULL));
    }
    CHECK_GOLD(bln_sequential_rows(t), golden_slm_forget_N[0], 1e-11);
    CHECK_GOLD(bln_sequential_evidence(t), golden_slm_forget_logml[0], 1e-11);
    for (size_t j = 0; j < 5; j++) CHECK_GOLD(gaussians_of(bln_sequential_posterior(t))->m[j], golden_slm_forget_m[j], 1e-11);

    double var[5], work[25];
    const bln_data same = bln_data_rows(&data, 0, 1);
    for (size_t k = 0; k < 2000; k++) {
        CHECK_OK(bln_sequential_forget(t, 0.9, NULL));
        CHECK_OK(bln_sequential_add(t, &same, NULL, NULL, NULL, NULL));
    }
    blni_gaussian_variances(gaussians_of(bln_sequential_posterior(t)), var, work);
    for (size_t j = 0; j < 5; j++) CHECK_LE(var[j], golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]]*(1.0 + 1e-12));
    CHECK_REL(bln_sequential_rows(t), 10.0, 1e-12);
    CHECK_OK(bln_sequential_forget(t, 1.0, NULL));
    CHECK_REL(bln_sequential_rows(t), 10.0, 1e-12);
    bln_sequential_free(t);
    bln_basis_free(b);
}

/* Over bases and data with weights (0 among them), row variances and offsets: evidence as bln_slm_evidence_at, posterior as a fit
 * with everything fixed, forecasts that sum to the evidence, each forecast that of a model fitted to the rows before; one by one,
 * all at once, in blocks. Problems of condition below 1e3 (1e2 for the triangle): 1e-12, 1e-11 in standard deviations. */
TEST(sequential, equals_the_rows)
{
    static const char *const specs[3] = { "rbf:n=12,ard+linear", "bias+matern32:n=5,cols=0;2", "polynomial:degree=3" };
    enum { N = 41 };
    for (size_t s = 0; s < 3; s++) {
        bln_data data = slm_make(N, 3, 100*s, s != 2);
        bln_basis *b = slm_parse(specs[s], 3, s);
        double theta[8], prior[4] = { 0.7, 1.9, 0.2, 2.385 }, value = 0.0, mean[N], var[N], logp[N], mean1[N], sum = 0.0;
        for (size_t k = 0; k < b->n_theta; k++) theta[k] = 0.8 + 0.4*(double)k;
        const bln_slm_desc fixed = slm_fixed(b, BLN_SLM_PRIMAL, 0.13, prior, b->n_theta ? theta : NULL);
        const bln_sequential_desc desc = seq_desc(b, 0.13, prior, b->n_theta ? theta : NULL);
        bln_slm *slm = slm_fit(&fixed, &data);
        bln_sequential *t = seq_new(&desc), *blocks = seq_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, 0.13, prior, theta, &value, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_sequential_add(t, &data, mean, var, logp, NULL));
        CHECK_OK(bln_sequential_add(blocks, &data, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < N; i++) {
            sum += logp[i];
            if (data.weight && data.weight[i] == 0.0) CHECK_NEAR(logp[i], 0.0, 0.0);
        }
        CHECK_REL(sum, value, 1e-12);
        CHECK_REL(bln_sequential_evidence(t), value, 1e-12);
        CHECK_REL(bln_sequential_evidence(blocks), value, 1e-12);
        CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_slm_posterior(slm))), 1e-11);
        CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(blocks)), gaussians_of(bln_slm_posterior(slm))), 1e-11);
        CHECK_NEAR(bln_sequential_rows(t), bln_slm_rows(slm), 0.0);

        double latent[N], total[N], latent1[N], total1[N];            /* the same predictor */
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean1, latent1, total1, NULL, NULL));
        double *work = test_doubles(bln_posterior_work(bln_sequential_posterior(t)) + 8);
        double mean2[N];
        CHECK_OK(total_of(bln_sequential_posterior(t), &data, mean2, latent, total, s ? work : NULL, NULL));
        for (size_t i = 0; i < N; i++) {
            CHECK_NEAR(mean2[i], mean1[i], 1e-11*(1.0 + fabs(mean1[i])));
            CHECK_REL(latent[i], latent1[i], 1e-11);
            CHECK_REL(total[i], total1[i], 1e-11);
        }
        free(work);

        for (size_t i = 1; i < N; i += 8) {                                      /* forecasts */
            const bln_data before = bln_data_rows(&data, 0, i), row = bln_data_rows(&data, i, 1);
            bln_slm *past = slm_fit(&fixed, &before);
            CHECK_OK(total_of(bln_slm_posterior(past), &row, mean1, NULL, total1, NULL, NULL));
            CHECK_NEAR(mean[i], mean1[0], 1e-11*(1.0 + fabs(mean1[0])));
            CHECK_REL(var[i], total1[0], 1e-11);
            if (!data.weight || data.weight[i] == 1.0) {
                double density;
                CHECK_OK(bln_posterior_logdensities(bln_slm_posterior(past), &row, &density, NULL, NULL));
                CHECK_NEAR(logp[i], density, 1e-10);
            }
            bln_slm_free(past);
        }
        bln_slm_free(slm);
        bln_sequential_free(t);
        bln_sequential_free(blocks);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* A row of weight k is k rows: the forecast of all copies at once is the sum of those one after the other. */
TEST(sequential, weights_are_copies)
{
    const double prior[1] = { 1.7 };
    double x[3] = { 0.7, -1.1, 0.4 }, y = 1.9, v = 0.6, w = 3.0, three = 0.0, once;
    bln_basis *b = slm_parse("linear", 3, 0);
    const bln_sequential_desc desc = seq_desc(b, 0.2, prior, NULL);
    bln_sequential *t = seq_new(&desc), *u = seq_new(&desc);
    bln_data row;
    memset(&row, 0, sizeof row);
    row.n = 1;
    row.d = 3;
    row.X = x;
    row.y = &y;
    row.noise_var = &v;
    for (int k = 0; k < 3; k++) {
        double logp;
        CHECK_OK(bln_sequential_add(t, &row, NULL, NULL, &logp, NULL));
        three += logp;
    }
    row.weight = &w;
    CHECK_OK(bln_sequential_add(u, &row, NULL, NULL, &once, NULL));
    CHECK_NEAR(once, three, 1e-13);
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_sequential_posterior(u))), 1e-13);
    CHECK_NEAR(bln_sequential_evidence(t), bln_sequential_evidence(u), 1e-13);
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_basis_free(b);
}

/* [linear 18]: 200 rows of 1000 + 3 x - 7/4 x^2 + 1/2 x^3 - 1/8 x^4 and noise near 2^-9, x = i/64, sigma^2 = 2^-16, lambda =
 * 2^20, all exact in binary; truth by 80-digit arithmetic (mpmath). c/(sigma^2 q) = 1.9e11: from sums q has an error of eps
 * times that and more, 1e-4, the evidence half of q's. Here rho^2 = q = 68 is what is left of a column of norm |y|/sigma =
 * 3.6e6, an error of about eps 3.6e6 in rho = 8.2, that is 1e-10 relative, and three times as much is allowed: 3e-10 of 34 in
 * 817 is 1.2e-11. Means are known to eps |y|/sigma = 8e-10 standard deviations, times the root of the five columns and a few:
 * ten times that is allowed. */
TEST(sequential, keeps_the_digits)
{
    enum { N = 200, D = 5 };
    static const double truth[D] = { 999.9994502705467245405, 3.002447538595031034809, -1.753270229010026779942,
                                     0.5016038147503245615953, -0.1252598378563476946387 };
    static const double sd[D] = { 0.001340651352215295497352, 0.006006192217703360392442, 0.00788357942185539950464,
                                  0.003814018117960377116904, 0.0006084531296739480551883 };
    const double prior[1] = { 1048576.0 }, noise = 1.0/65536.0, evidence = 817.422945690898547856961;
    double *X = test_doubles(N*D), y[N], logp[N], var[D], work[D*D], sum = 0.0;
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = D;
    data.X = X;
    data.y = y;
    for (int i = 0; i < N; i++) {
        const double x = i/64.0;
        double power = 1.0;
        for (int j = 0; j < D; j++, power *= x) X[i*D + j] = power;
        y[i] = 1000.0 + 3.0*x - 1.75*x*x + 0.5*x*x*x - 0.125*x*x*x*x + (i*37 % 64 - 32)/8192.0;
    }
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, D, 0, &b));
    const bln_sequential_desc desc = seq_desc(b, noise, prior, NULL);
    for (int how = 0; how < 3; how++) {
        bln_sequential *t = seq_new(&desc), *shard = seq_new(&desc);
        const bln_data half = bln_data_rows(&data, 0, N/2), rest = bln_data_rows(&data, N/2, N/2);
        if (how == 0) CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, logp, NULL));
        if (how == 1) CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
        if (how == 2) {
            CHECK_OK(bln_sequential_add(t, &rest, NULL, NULL, NULL, NULL));
            CHECK_OK(bln_sequential_add(shard, &half, NULL, NULL, NULL, NULL));
            CHECK_OK(bln_sequential_merge(t, shard, NULL));
        }
        CHECK_REL(bln_sequential_evidence(t), evidence, 1.2e-11);
        blni_gaussian_variances(gaussians_of(bln_sequential_posterior(t)), var, work);
        for (size_t j = 0; j < D; j++) {
            CHECK_NEAR(gaussians_of(bln_sequential_posterior(t))->m[j], truth[j], 10*8e-10*sd[j]);
            CHECK_REL(sqrt(var[j]), sd[j], 1e-11);
        }
        bln_sequential_free(t);
        bln_sequential_free(shard);
    }
    for (size_t i = 0; i < N; i++) sum += logp[i];
    CHECK_REL(sum, evidence, 1.2e-11);

    bln_statistics_desc sums;                                /* that the problem is one: the Gram matrix in double */
    bln_statistics *s = NULL;
    bln_slm *slm = NULL;
    memset(&sums, 0, sizeof sums);
    sums.basis = b;
    CHECK_OK(bln_statistics_create(&sums, &s, NULL));
    CHECK_OK(bln_statistics_add(s, &data, NULL));
    const bln_slm_desc fixed = slm_fixed(b, BLN_SLM_PRIMAL, noise, prior, NULL);
    CHECK_OK(bln_slm_create(&fixed, &slm, NULL));
    CHECK_OK(bln_slm_fit_statistics(slm, s, NULL));
    CHECK_LE(1e-9, fabs(bln_slm_evidence(slm)/evidence - 1.0));
    bln_slm_free(slm);
    bln_statistics_free(s);
    bln_basis_free(b);
    free(X);
}

/* NIST's sets with flat priors are least squares, with the error of QR in the norm in which each weight is scaled by its
 * column: eps times the condition of the scaled columns, 5e9 for Filip and 4e4 at most for the others; but for Wampler5, whose
 * residuals are large, times the square of its condition of 2e3 and the ratio of residual and fit [Higham 2002, Theorem 20.1],
 * 2e-8. */
TEST(sequential, nist)
{
    const double flat[1] = { HUGE_VAL };
    for (size_t k = 0; k < sizeof golden_nist/sizeof *golden_nist; k++) {
        const golden_nist_set *s = golden_nist + k;
        double *y = test_doubles(s->n), *X = test_doubles(s->n*s->p);
        for (size_t i = 0; i < s->n; i++) {
            const double *row = s->data + i*(s->d + 1);
            double power = s->degree && s->p == s->degree ? row[0] : 1.0;
            y[i] = row[s->d];
            for (size_t j = 0; j < s->p; j++) {
                X[i*s->p + j] = s->degree ? power : j ? row[j - 1] : 1.0;
                power *= row[0];
            }
        }
        bln_basis *b = NULL;
        bln_data data;
        memset(&data, 0, sizeof data);
        data.n = s->n;
        data.d = s->p;
        data.X = X;
        data.y = y;
        CHECK_OK(bln_linear_create(NULL, s->p, 0, &b));
        const bln_sequential_desc desc = seq_desc(b, 1.0, flat, NULL);
        bln_sequential *t = seq_new(&desc);
        CHECK(gaussians_of(bln_sequential_posterior(t)) == NULL);
        for (size_t i = 0; i < s->n; i++) {
            const bln_data row = bln_data_rows(&data, i, 1);
            CHECK_OK(bln_sequential_add(t, &row, NULL, NULL, NULL, NULL));
        }
        CHECK(gaussians_of(bln_sequential_posterior(t)) != NULL);
        double error = 0.0, size = 0.0;
        for (size_t j = 0; j < s->p && gaussians_of(bln_sequential_posterior(t)); j++) {
            double norm = 0.0;
            for (size_t i = 0; i < s->n; i++) norm = hypot(norm, X[i*s->p + j]);
            size = hypot(size, norm*s->exact_given[j]);
            error = hypot(error, norm*(gaussians_of(bln_sequential_posterior(t))->m[j] - s->exact_given[j]));
        }
        CHECK_LE(error/size, s->p == 11 ? 1.2e-6 : 2e-8);
        bln_sequential_free(t);
        bln_basis_free(b);
        free(X);
        free(y);
    }
}

/* Rows that come and go leave what was before: to rounding over what their leverage leaves, which is at most 0.9 here. A window of
 * 30 rows that slides over 600 is the model of the last 30: errors of 570 rows taken out add up to 1e-11 at most. */
TEST(sequential, rows_taken_out)
{
    enum { N = 600, W = 30 };
    bln_data data = slm_make(N, 2, 5, 1);
    bln_basis *b = slm_parse("rbf:n=6,ard+linear", 2, 3);
    const double prior[2] = { 0.8, 1.3 }, theta[2] = { 1.1, 0.9 };
    const bln_sequential_desc desc = seq_desc(b, 0.1, prior, theta);
    bln_sequential *t = seq_new(&desc), *u = seq_new(&desc);
    bln_data kept = bln_data_rows(&data, 0, 60), extra = bln_data_rows(&data, 60, 40), one;
    CHECK_OK(bln_sequential_add(t, &kept, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_add(u, &extra, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_add(u, &kept, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_remove(u, &extra, NULL));
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(u)), gaussians_of(bln_sequential_posterior(t))), 1e-11);
    CHECK_REL(bln_sequential_evidence(u), bln_sequential_evidence(t), 1e-11);
    CHECK_NEAR(bln_sequential_rows(u), bln_sequential_rows(t), 0.0);

    bln_sequential_clear(t);
    for (size_t i = 0; i < N; i++) {
        one = bln_data_rows(&data, i, 1);
        CHECK_OK(bln_sequential_add(t, &one, NULL, NULL, NULL, NULL));
        if (i < W) continue;
        one = bln_data_rows(&data, i - W, 1);
        CHECK_OK(bln_sequential_remove(t, &one, NULL));
    }
    bln_sequential_clear(u);
    kept = bln_data_rows(&data, N - W, W);
    CHECK_OK(bln_sequential_add(u, &kept, NULL, NULL, NULL, NULL));
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_sequential_posterior(u))), 1e-11);
    CHECK_REL(bln_sequential_evidence(t), bln_sequential_evidence(u), 1e-11);

    seq_bytes empty, now;                                    /* all taken out: exactly as new */
    CHECK_OK(bln_sequential_remove(t, &kept, NULL));
    bln_sequential_clear(u);
    seq_save(u, &empty);
    seq_save(t, &now);
    CHECK(now.n == empty.n && !memcmp(now.at, empty.at, now.n));
    CHECK_NEAR(bln_sequential_evidence(t), 0.0, 0.0);
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* What would leave fewer than 8 digits is refused, by name of the row, and nothing changes: a row without which a direction is
 * left to a prior 1e10 times wider; an outlier whose residual is nearly all of q; a row that was never there; more weight than
 * there is. */
TEST(sequential, refuses_to_lose_digits)
{
    const double prior[1] = { 1.0 };
    double X[6] = { 1, 0, 1, 0, 3e5, 1e5 }, y[3] = { 1.0, 1.5, 2.0 };
    bln_basis *b = NULL;
    bln_data data, row;
    bln_report report;
    seq_bytes before;
    CHECK_OK(bln_linear_create(NULL, 2, 0, &b));
    const bln_sequential_desc desc = seq_desc(b, 1.0, prior, NULL);
    bln_sequential *t = seq_new(&desc);
    memset(&data, 0, sizeof data);
    data.n = 3;
    data.d = 2;
    data.X = X;
    data.y = y;
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    seq_save(t, &before);
    row = bln_data_rows(&data, 1, 2);
    CHECK_STATUS(bln_sequential_remove(t, &row, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.row, 1);
    CHECK(seq_unchanged(t, &before));

    X[4] = X[5] = 0.0;                                       /* not a row of it any more */
    y[2] = 5.0;
    row = bln_data_rows(&data, 2, 1);
    CHECK_STATUS(bln_sequential_remove(t, &row, &report), BLN_EUNDEFINED);
    CHECK(seq_unchanged(t, &before));

    bln_sequential_clear(t);
    y[2] = 3e4;                                              /* nothing but an outlier: q = 9e8, of which 1 or 2 is to stay */
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    seq_save(t, &before);
    CHECK_STATUS(bln_sequential_remove(t, &row, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.row, 0);
    CHECK(seq_unchanged(t, &before));
    y[2] = 1e3;                                              /* a smaller one goes, and q keeps 1e-9 */
    bln_sequential_clear(t);
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_remove(t, &row, &report));
    bln_sequential *u = seq_new(&desc);
    row = bln_data_rows(&data, 0, 2);
    CHECK_OK(bln_sequential_add(u, &row, NULL, NULL, NULL, NULL));
    CHECK_NEAR(bln_sequential_evidence(t), bln_sequential_evidence(u), 16*DBL_EPSILON*1e6);
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_sequential_posterior(u))), 1e-14);

    seq_save(t, &before);
    CHECK_STATUS(bln_sequential_remove(t, &data, &report), BLN_EDOMAIN);
    CHECK(seq_unchanged(t, &before));
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_basis_free(b);
}

/* Three shards merged in two orders, an empty one among them, are the model of all rows; merging with itself doubles the weights; D
 * above and below the rows of a block. */
TEST(sequential, merging)
{
    static const char *const specs[2] = { "rbf:n=12,ard+linear", "linear" };
    for (size_t s = 0; s < 2; s++) {
        bln_data data = slm_make(50, 2, 8, 1);
        bln_basis *b = slm_parse(specs[s], 2, 3);
        double prior[2] = { 0.8, 1.3 }, theta[2] = { 1.1, 0.9 }, *w = test_doubles(50);
        const bln_sequential_desc desc = seq_desc(b, 0.1, prior, b->n_theta ? theta : NULL);
        bln_sequential *all = seq_new(&desc);
        CHECK_OK(bln_sequential_add(all, &data, NULL, NULL, NULL, NULL));
        for (size_t order = 0; order < 2; order++) {
            bln_sequential *shard[4];
            for (size_t h = 0; h < 4; h++) {
                const bln_data rows = bln_data_rows(&data, h*(h + 1)*4, h == 3 ? 2 : 8*(h + 1));      /* 8, 16, 24, 2 */
                shard[h] = seq_new(&desc);
                CHECK_OK(bln_sequential_add(shard[h], &rows, NULL, NULL, NULL, NULL));
            }
            bln_sequential *t = seq_new(&desc), *none = seq_new(&desc);
            for (size_t h = 0; h < 4; h++) CHECK_OK(bln_sequential_merge(t, shard[order ? 3 - h : h], NULL));
            CHECK_OK(bln_sequential_merge(t, none, NULL));
            CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_sequential_posterior(all))), 1e-11);
            CHECK_REL(bln_sequential_evidence(t), bln_sequential_evidence(all), 1e-11);
            CHECK_NEAR(bln_sequential_rows(t), bln_sequential_rows(all), 0.0);
            for (size_t h = 0; h < 4; h++) bln_sequential_free(shard[h]);
            bln_sequential_free(t);
            bln_sequential_free(none);
        }
        CHECK_OK(bln_sequential_merge(all, all, NULL));
        for (size_t i = 0; i < 50; i++) w[i] = 2.0*data.weight[i];
        bln_data twice = data;
        twice.weight = w;
        bln_sequential *t = seq_new(&desc);
        CHECK_OK(bln_sequential_add(t, &twice, NULL, NULL, NULL, NULL));
        CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(all)), gaussians_of(bln_sequential_posterior(t))), 1e-11);
        CHECK_REL(bln_sequential_evidence(all), bln_sequential_evidence(t), 1e-11);
        bln_sequential_free(t);
        bln_sequential_free(all);
        free(w);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* A flat intercept and a flat slope beside a proper third feature: no posterior and no forecast before two different rows; then the
 * evidence of >>slm, of which each further forecast tells the change; forgetting, merging, taking out and bytes go with it. */
TEST(sequential, flat_priors)
{
    enum { N = 20 };
    double X[3*N], y[N], mean[N], var[N], logp[N], value, first = 0.0, sum = 0.0;
    const double prior[3] = { HUGE_VAL, HUGE_VAL, 0.6 };
    test_random r = test_random_new(12);
    bln_basis *b = slm_columns(3);
    bln_data data, rows;
    bln_report report;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = 3;
    data.X = X;
    data.y = y;
    for (size_t i = 0; i < N; i++) {
        X[3*i] = 1.0;
        X[3*i + 1] = i < 3 ? 2.385 : test_normal(&r);                            /* three rows alike do not determine a slope */
        X[3*i + 2] = i < 3 ? 0.0 : test_normal(&r);
        y[i] = 7.0 - X[3*i + 1] + 0.5*X[3*i + 2] + 0.3*test_normal(&r);
    }
    const bln_sequential_desc desc = seq_desc(b, 0.1, prior, NULL);
    bln_sequential *t = seq_new(&desc), *u = seq_new(&desc), *v = seq_new(&desc);
    CHECK(bln_sequential_evidence(t) != bln_sequential_evidence(t));
    for (size_t i = 0; i < N; i++) {
        rows = bln_data_rows(&data, i, 1);
        CHECK_OK(bln_sequential_add(t, &rows, mean + i, var + i, logp + i, NULL));
        CHECK((i >= 3) == (gaussians_of(bln_sequential_posterior(t)) != NULL));
        if (i < 3) CHECK_STATUS(total_of(bln_sequential_posterior(t), &rows, &value, NULL, NULL, NULL, &report), BLN_EUNDEFINED);
        if (i < 4) CHECK(mean[i] != mean[i] && var[i] == HUGE_VAL && logp[i] != logp[i]);
        else       sum += logp[i];
        if (i == 3) first = bln_sequential_evidence(t);
        if (i == 1) CHECK_STATUS(bln_sequential_remove(t, &rows, &report), BLN_EUNDEFINED);
    }
    const bln_slm_desc fixed = slm_fixed(b, BLN_SLM_PRIMAL, 0.1, prior, NULL);
    bln_slm *slm = slm_fit(&fixed, &data);
    CHECK_REL(bln_sequential_evidence(t), bln_slm_evidence(slm), 1e-11);
    CHECK_NEAR(first + sum, bln_slm_evidence(slm), 1e-11*fabs(bln_slm_evidence(slm)));
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_slm_posterior(slm))), 1e-11);
    bln_slm_free(slm);

    CHECK_OK(bln_sequential_add(u, &data, mean, var, logp, NULL));                     /* in one call: the same */
    CHECK(logp[2] != logp[2] && logp[3] != logp[3] && logp[4] == logp[4]);
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(u)), gaussians_of(bln_sequential_posterior(t))), 1e-12);
    bln_sequential_clear(u);
    rows = bln_data_rows(&data, 0, 2);
    CHECK_OK(bln_sequential_add(u, &rows, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_merge(u, v, &report));                                   /* with none: nothing to determine */
    rows = bln_data_rows(&data, 2, 1);
    CHECK_OK(bln_sequential_add(v, &rows, NULL, NULL, NULL, NULL));
    CHECK_STATUS(bln_sequential_merge(u, v, &report), BLN_EUNDEFINED);
    rows = bln_data_rows(&data, 3, N - 3);
    bln_sequential_clear(v);
    CHECK_OK(bln_sequential_add(v, &rows, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_merge(v, u, &report));
    rows = bln_data_rows(&data, 2, 1);
    CHECK_OK(bln_sequential_add(v, &rows, NULL, NULL, NULL, NULL));
    CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(v)), gaussians_of(bln_sequential_posterior(t))), 1e-11);
    CHECK_REL(bln_sequential_evidence(v), bln_sequential_evidence(t), 1e-11);
    CHECK_OK(bln_sequential_remove(v, &rows, &report));
    CHECK_OK(bln_sequential_add(v, &rows, NULL, NULL, NULL, NULL));
    CHECK_REL(bln_sequential_evidence(v), bln_sequential_evidence(t), 1e-11);
    CHECK_OK(bln_sequential_forget(v, 0.5, NULL));
    CHECK_OK(bln_sequential_merge(v, v, NULL));                                    /* half as much twice */
    CHECK_REL(bln_sequential_evidence(v), bln_sequential_evidence(t), 1e-11);
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_sequential_free(v);
    bln_basis_free(b);
}

/* From a fitted model: its hyper-parameters; with its rows added its evidence and predictions. */
TEST(sequential, from_a_fitted_model)
{
    bln_data data = slm_make(60, 2, 21, 1);
    bln_basis *b = slm_parse("rbf:n=6,ard+linear", 2, 3);
    for (int per_weight = 0; per_weight < 2; per_weight++) {
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        bln_slm *slm = NULL;
        bln_sequential *t = NULL;
        bln_report report;
        desc.per_weight = per_weight;
        CHECK_OK(bln_slm_create(&desc, &slm, NULL));
        CHECK_STATUS(bln_sequential_create_from(slm, &t, &report), BLN_ESTATE);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        CHECK_OK(bln_sequential_create_from(slm, &t, &report));
        CHECK_NEAR(bln_sequential_evidence(t), 0.0, 0.0);
        CHECK(bln_sequential_basis(t) == b);
        CHECK(bln_sequential_noise_var(t) == bln_slm_noise_var(slm));
        for (size_t k = 0; k < b->n_theta; k++) CHECK(bln_sequential_theta(t)[k] == bln_slm_theta(slm)[k]);
        for (size_t k = 0; k < bln_slm_priors(slm); k++) CHECK(bln_sequential_prior_var(t)[k] == bln_slm_prior_var(slm)[k]);
        CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
        CHECK_REL(bln_sequential_evidence(t), bln_slm_evidence(slm), 1e-11);
        CHECK_LE(seq_difference(gaussians_of(bln_sequential_posterior(t)), gaussians_of(bln_slm_posterior(slm))), 1e-10);
        bln_sequential_free(t);
        bln_slm_free(slm);
    }
    CHECK_STATUS(bln_sequential_create_from(NULL, NULL, NULL), BLN_EINVAL);
    bln_basis_free(b);
    slm_free_data(&data);

    const double flat[1] = { HUGE_VAL }, x[3] = { 1, 2, 3 }, y[3] = { 2, 4, 6 };      /* a perfect fit has no noise */
    if (blni_exact_available()) {
        bln_sequential *t = NULL;
        CHECK_OK(bln_linear_create(NULL, 1, 0, &b));
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        memset(&data, 0, sizeof data);
        data.n = 3;
        data.d = 1;
        data.X = x;
        data.y = y;
        desc.prior_var = flat;
        bln_slm *slm = slm_fit(&desc, &data);
        CHECK_NEAR(bln_slm_noise_var(slm), 0.0, 0.0);
        CHECK_STATUS(bln_sequential_create_from(slm, &t, NULL), BLN_EUNDEFINED);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
}

/* Saved and loaded: the same bits; cut short, of another model, or with a number that no model has: refused, nothing changed. */
TEST(sequential, bytes)
{
    bln_data data = slm_make(20, 2, 2, 1);
    bln_basis *b = slm_parse("rbf:n=2,ard+linear", 2, 3), *narrow = slm_parse("linear", 2, 0);
    bln_basis *reseeded = slm_parse("rbf:n=2,ard+linear", 2, 4);                     /* the same sizes */
    double prior[2] = { 0.8, HUGE_VAL }, theta[2] = { 1.1, 0.9 };
    bln_sequential_desc desc = seq_desc(b, 0.1, prior, theta);
    bln_sequential *t = seq_new(&desc), *back = seq_new(&desc), *other[5];
    seq_bytes bytes, changed;
    bln_memory_stream stream;
    bln_report report;
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    seq_save(t, &bytes);
    bln_reader r = bln_memory_reader(&stream, bytes.at, bytes.n, &report);
    CHECK_OK(bln_sequential_load(back, &r));
    CHECK(seq_unchanged(back, &bytes));
    CHECK_NEAR(bln_sequential_evidence(back), bln_sequential_evidence(t), 0.0);
    CHECK_NEAR(seq_difference(gaussians_of(bln_sequential_posterior(back)), gaussians_of(bln_sequential_posterior(t))), 0.0, 0.0);
    for (size_t cut = 0; cut < bytes.n; cut++) {
        r = bln_memory_reader(&stream, bytes.at, cut, &report);
        CHECK_STATUS(bln_sequential_load(back, &r), BLN_EFORMAT);
    }
    for (size_t at = bytes.n - 8; at > bytes.n - 8*36; at -= 8) {             /* each number of the triangle and some before it */
        changed = bytes;
        changed.at[at + 7] = 0x7f;                                            /* its exponent: infinite or NaN, or 1e300 */
        changed.at[at + 6] |= 0xf0;
        r = bln_memory_reader(&stream, changed.at, changed.n, &report);
        CHECK_STATUS(bln_sequential_load(back, &r), BLN_EFORMAT);
    }
    changed = bytes;
    changed.at[bytes.n - 1] |= 0x80;                                          /* rho < 0 */
    r = bln_memory_reader(&stream, changed.at, changed.n, &report);
    CHECK_STATUS(bln_sequential_load(back, &r), BLN_EFORMAT);
    CHECK(seq_unchanged(back, &bytes));

    desc.noise_var = 0.2;
    other[0] = seq_new(&desc);
    desc.noise_var = 0.1;
    prior[0] = 0.9;
    other[1] = seq_new(&desc);
    prior[0] = 0.8;
    theta[1] = 1.0;
    other[2] = seq_new(&desc);
    theta[1] = 0.9;
    desc.basis = reseeded;
    other[4] = seq_new(&desc);
    desc.basis = narrow;
    desc.theta = NULL;
    other[3] = seq_new(&desc);
    for (size_t k = 0; k < 5; k++) {
        r = bln_memory_reader(&stream, bytes.at, bytes.n, &report);
        CHECK_STATUS(bln_sequential_load(other[k], &r), BLN_ESHAPE);
        CHECK_STATUS(bln_sequential_merge(other[k], t, &report), BLN_ESHAPE);
        bln_sequential_free(other[k]);
    }
    CHECK_STATUS(bln_sequential_load(NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_load(t, NULL), BLN_EINVAL);
    bln_sequential_free(t);
    bln_sequential_free(back);
    bln_basis_free(b);
    bln_basis_free(narrow);
    bln_basis_free(reseeded);
    slm_free_data(&data);
}

/* One allocation at _create, of the size told; none after, but for predictions without workspace. */
TEST(sequential, memory)
{
    bln_data data = slm_make(40, 2, 3, 0);
    bln_basis *b = slm_parse("linear", 2, 0);
    const double prior[1] = { 1.0 };
    double mean[40];
    test_heap heap;
    bln_report report;
    bln_sequential *t = NULL, *u = NULL;
    bln_sequential_desc desc = seq_desc(b, 0.1, prior, NULL);
    desc.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_sequential_create(&desc, &t, &report), BLN_ENOMEM);
    CHECK(t == NULL);
    heap.calls = 0;
    heap.fail_at = 2;
    CHECK_OK(bln_sequential_create(&desc, &t, &report));
    CHECK_SIZE(heap.live_bytes, bln_sequential_size(&desc, 0));
    CHECK_OK(bln_sequential_create(&desc, &u, &report));
    const bln_data half = bln_data_rows(&data, 0, 20);
    CHECK_OK(bln_sequential_add(t, &data, mean, NULL, NULL, &report));
    CHECK_OK(bln_sequential_add(u, &half, NULL, NULL, NULL, &report));
    CHECK_OK(bln_sequential_remove(t, &half, &report));
    CHECK_OK(bln_sequential_forget(t, 0.9, &report));
    CHECK_OK(bln_sequential_merge(t, u, &report));
    double *work = test_doubles(bln_posterior_work(bln_sequential_posterior(t)));
    CHECK_OK(total_of(bln_sequential_posterior(t), &data, mean, NULL, NULL, work, &report));
    CHECK_SIZE(heap.calls, 2);
    CHECK_STATUS(total_of(bln_sequential_posterior(t), &data, mean, NULL, NULL, NULL, &report), BLN_ENOMEM);
    free(work);
    bln_sequential_free(t);
    bln_sequential_free(u);
    bln_sequential_free(NULL);
    CHECK_SIZE(heap.live, 0);
    desc.block = (size_t)-1/64;
    CHECK_SIZE(bln_sequential_size(&desc, 0), (size_t)-1);
    CHECK_STATUS(bln_sequential_create(&desc, &t, &report), BLN_EOVERFLOW);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Every error, with its row, also in a later block; the model stays as it was. */
TEST(sequential, errors)
{
    bln_data data = slm_make(40, 2, 3, 1), bad;
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 0);
    double prior[2] = { 1.0, 1.0 }, theta[1] = { 1.0 }, out;
    bln_report report;
    bln_sequential *t = NULL;
    seq_bytes before;
    bln_sequential_desc desc = seq_desc(b, 0.1, prior, theta);
    CHECK_STATUS(bln_sequential_create(NULL, &t, &report), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_create(&desc, NULL, &report), BLN_EINVAL);
    desc.basis = NULL;
    CHECK_TEXT(bln_sequential_check(&desc), "basis");
    desc.basis = b;
    desc.noise_var = 0.0;
    CHECK_TEXT(bln_sequential_check(&desc), "noise_var");
    desc.noise_var = (double)NAN;
    CHECK_TEXT(bln_sequential_check(&desc), "noise_var");
    desc.noise_var = 0.1;
    desc.prior_var = NULL;
    CHECK_TEXT(bln_sequential_check(&desc), "prior_var");
    desc.prior_var = prior;
    prior[1] = -1.0;
    CHECK_TEXT(bln_sequential_check(&desc), "prior variances");
    prior[1] = 1.0;
    theta[0] = 0.0;
    CHECK_TEXT(bln_sequential_check(&desc), "theta");
    theta[0] = 1.0;
    desc.alloc.alloc = test_heap_alloc;
    CHECK_TEXT(bln_sequential_check(&desc), "allocator");
    CHECK_STATUS(bln_sequential_create(&desc, &t, &report), BLN_EINVAL);
    desc.alloc.alloc = NULL;
    CHECK(bln_sequential_check(&desc) == NULL);
    t = seq_new(&desc);
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, &report));
    seq_save(t, &before);

    CHECK_STATUS(bln_sequential_add(t, NULL, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_remove(NULL, &data, &report), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_merge(t, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_forget(NULL, 0.5, &report), BLN_EINVAL);
    CHECK_STATUS(bln_sequential_forget(t, 0.0, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_sequential_forget(t, 1.1, &report), BLN_EDOMAIN);
    CHECK_STATUS(total_of(bln_sequential_posterior(t), NULL, &out, NULL, NULL, NULL, &report), BLN_EINVAL);
    bad = data;
    bad.d = 1;
    CHECK_STATUS(bln_sequential_add(t, &bad, NULL, NULL, NULL, &report), BLN_ESHAPE);
    CHECK_STATUS(total_of(bln_sequential_posterior(t), &bad, &out, NULL, NULL, NULL, &report), BLN_ESHAPE);
    bad = data;
    bad.y = NULL;
    CHECK_STATUS(bln_sequential_add(t, &bad, NULL, NULL, NULL, &report), BLN_EINVAL);
    double *X = (double *)data.X, *y = (double *)data.y, *w = (double *)data.weight, keep = X[75];
    X[75] = (double)NAN;
    CHECK_STATUS(bln_sequential_add(t, &data, NULL, NULL, NULL, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 37);
    CHECK_SIZE(report.column, 1);
    CHECK_STATUS(total_of(bln_sequential_posterior(t), &data, NULL, NULL, NULL, NULL, &report), BLN_EDATA);
    X[75] = 1e200;
    for (int removing = 0; removing < 2; removing++) {
        CHECK_STATUS(removing ? bln_sequential_remove(t, &data, &report)
                     : bln_sequential_add(t, &data, NULL, NULL, NULL, &report), BLN_ENUMERIC);
        CHECK_SIZE(report.row, 37);
        w[0] -= 1.0;                                         /* so that not simply all is taken out */
    }
    w[0] += 2.0;
    X[75] = 1e300;
    CHECK_STATUS(total_of(bln_sequential_posterior(t), &data, NULL, y, NULL, NULL, &report), BLN_ENUMERIC);
    X[75] = keep;
    w[5] = -1.0;
    CHECK_STATUS(bln_sequential_add(t, &data, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 5);
    CHECK(seq_unchanged(t, &before));
    bad = bln_data_rows(&data, 0, 0);
    CHECK_OK(bln_sequential_add(t, &bad, NULL, NULL, NULL, &report));
    CHECK_OK(bln_sequential_remove(t, &bad, &report));
    CHECK(seq_unchanged(t, &before));
    bln_sequential_free(t);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(sequential)
SUITE_TEST(sequential, golden)
SUITE_TEST(sequential, forgetting)
SUITE_TEST(sequential, equals_the_rows)
SUITE_TEST(sequential, weights_are_copies)
SUITE_TEST(sequential, keeps_the_digits)
SUITE_TEST(sequential, nist)
SUITE_TEST(sequential, rows_taken_out)
SUITE_TEST(sequential, refuses_to_lose_digits)
SUITE_TEST(sequential, merging)
SUITE_TEST(sequential, flat_priors)
SUITE_TEST(sequential, from_a_fitted_model)
SUITE_TEST(sequential, bytes)
SUITE_TEST(sequential, memory)
SUITE_TEST(sequential, errors)
SUITE_END(sequential)
