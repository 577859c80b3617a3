/* test_slm_qr - the linear model by QR: what sums of squares give where these are good, and what three doubles give where they are
 * not */
#include "slm_outputs_tools.h"
#include "../golden/slm_golden.h"
#include "posterior_of.h"

static const double *qr_m(const bln_slm *slm, size_t p) { return gaussians_of(bln_slm_posterior(slm))[p].m; }

/* The values of golden/slm_golden.h, with the measure that they state; each column with the prior variance of its slice. */
TEST(slm_qr, golden)
{
    double v[12], lambda[5], evidence, d_noise, d_prior[5], sd[5], d_slice[3] = { 0, 0, 0 };
    bln_basis *b = slm_columns(5);
    bln_data data = BLN_ZERO;
    for (size_t i = 0; i < 12; i++) v[i] = 1.0/golden_slm_in_omega[i];
    for (size_t j = 0; j < 5; j++) lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
    data.n = 12;
    data.d = 5;
    data.X = golden_slm_in_Phi;
    data.y = golden_slm_in_y;
    data.noise_var = v;
    bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, golden_slm_in_sigma2[0], lambda, NULL);
    desc.arithmetic = BLN_SLM_QR;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK_GOLD(bln_slm_evidence(slm), golden_slm_logml[0], 1e-11);
    CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
    for (size_t j = 0; j < 5; j++) {
        CHECK_GOLD(qr_m(slm, 0)[j], golden_slm_m[j], 1e-11);
        CHECK_GOLD(sd[j], sqrt(golden_slm_C[j*5 + j]), 1e-11);
    }
    CHECK_OK(bln_slm_evidence_at(slm, &data, golden_slm_in_sigma2[0], lambda, NULL, &evidence, &d_noise, d_prior, NULL, NULL));
    CHECK_GOLD(evidence, golden_slm_logml[0], 1e-11);
    CHECK_GOLD(d_noise, golden_slm_grad_log_sigma2[0], 1e-11);
    for (size_t j = 0; j < 5; j++) d_slice[(size_t)golden_slm_in_slice[j]] += d_prior[j];
    for (size_t s = 0; s < 3; s++) CHECK_GOLD(d_slice[s], golden_slm_grad_log_lambda[s], 1e-11);
    lambda[3] = 0.0;
    CHECK_OK(bln_slm_evidence_at(slm, &data, golden_slm_in_sigma2[0], lambda, NULL, &evidence, NULL, NULL, NULL, NULL));
    CHECK_GOLD(evidence, golden_slm_zero_lambda3_logml[0], 1e-11);
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Three doubles and QR at the same point: weights, row variances, offsets; one output and three, of every kind of Sigma, given and
 * best; a prior for each slice or weight, flat ones too. kappa of the scaled columns is below 30, so that a few eps kappa times the
 * root of 40 rows stay below 1e-12. */
TEST(slm_qr, agrees_with_three_doubles)
{
    static const bln_slm_sigma kinds[3] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED, BLN_SLM_SHARED };
    const double tolerance = 1e-12;
    bln_basis *b = slm_parse("bias+polynomial:degree=2,ones=0,interactions", 2, 1);
    if (!blni_exact_available()) { CHECK(1); bln_basis_free(b); return; }
    for (size_t P = 1; P <= 3; P += 2)
        for (int k = 0; k < 3; k++)
            for (int prior = 0; prior < 3; prior++) {
                bln_data data = outputs_make(40, 2, P, 20 + P, 1);
                double ratio[8] = { 0.8, 0.3, 1.2, 0.7, 2.0, 0.4, 1.0, 0.1 }, cov[9];
                double value[2], d_cov[2][9], d_prior[2][8], sd[2][24];
                bln_slm *slm[2];
                bln_slm_desc desc = outputs_desc(b, BLN_SLM_PRIMAL, P, kinds[k]);
                outputs_sigma(P, k != 1, cov);
                if (prior == 1) ratio[0] = HUGE_VAL;
                desc.prior_var = ratio;
                desc.per_weight = prior == 2;
                desc.fix_prior_var = 1;
                for (int a = 0; a < 2; a++) {
                    desc.arithmetic = a ? BLN_SLM_QR : BLN_SLM_EXACT;
                    slm[a] = slm_fit(&desc, &data);
                    CHECK_OK(sd_of(bln_slm_posterior(slm[a]), sd[a]));
                    CHECK_OK(bln_slm_evidence_outputs(slm[a], &data, k == 2 ? NULL : cov, ratio, NULL, value + a, NULL, d_cov[a],
                                                      d_prior[a], NULL, NULL));
                }
                CHECK_REL(bln_slm_evidence(slm[1]), bln_slm_evidence(slm[0]), tolerance);
                CHECK_REL(value[1], value[0], tolerance);
                for (size_t p = 0; p < P*P; p++) {
                    CHECK_GOLD(bln_slm_noise_cov(slm[1])[p], bln_slm_noise_cov(slm[0])[p], tolerance);
                    CHECK_NEAR(d_cov[1][p], d_cov[0][p], tolerance*1e3);                      /* of terms N/Sigma_pp, 1e2 or so */
                }
                for (size_t j = 0; j < b->D*P; j++) {
                    CHECK_GOLD(qr_m(slm[1], j/b->D)[j%b->D], qr_m(slm[0], j/b->D)[j%b->D], tolerance);
                    CHECK_REL(sd[1][j], sd[0][j], tolerance);
                }
                for (size_t s = 0; s < (prior == 2 ? b->D : b->n_slices); s++)
                    CHECK_NEAR(d_prior[1][s], d_prior[0][s], tolerance*40.0);                 /* of terms P gamma */
                bln_slm_free(slm[0]);
                bln_slm_free(slm[1]);
                slm_free_data(&data);
            }
    bln_basis_free(b);
}

/* Gradients by all hyper-parameters, theta too, as in test_slm: differences with h = 1e-5 keep 1e-6 of the gradient's size. The
 * second pass is that of sums of squares, so that these agree to rounding. */
TEST(slm_qr, gradient_finite_differences)
{
    static const char *const specs[2] = { "rbf:n=12,ard+linear", "bias+matern32:n=6,ard" };
    for (size_t s = 0; s < 2; s++) {
        bln_data data = slm_make(30, 3, 7 + s, 1);
        bln_basis *b = slm_parse(specs[s], 3, 5);
        double at[6] = { 0.2, 0.7, 1.9, 0.8, 1.1, 1.4 }, d[2][6], value, up, down, size = 0.0;       /* sigma^2, lambda, theta */
        if (s) at[1] = HUGE_VAL;
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        bln_slm *sums = slm_new(&desc);
        desc.arithmetic = BLN_SLM_QR;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, at[0], at + 1, at + 3, &value, d[0], d[0] + 1, d[0] + 3, NULL));
        CHECK_OK(bln_slm_evidence_at(sums, &data, at[0], at + 1, at + 3, NULL, d[1], d[1] + 1, d[1] + 3, NULL));
        for (size_t k = 0; k < 6; k++) {
            if (k > 2) { d[0][k] *= at[k]; d[1][k] *= at[k]; }
            size = fmax(size, fabs(d[0][k]));
        }
        for (size_t k = 0; k < 6; k++) {
            const double keep = at[k], h = 1e-5;
            CHECK_NEAR(d[0][k], d[1][k], 1e-10*size);
            if (keep > DBL_MAX) { CHECK_NEAR(d[0][k], 0.0, 0.0); continue; }
            at[k] = keep*exp(h);
            CHECK_OK(bln_slm_evidence_at(slm, &data, at[0], at + 1, at + 3, &up, NULL, NULL, NULL, NULL));
            at[k] = keep*exp(-h);
            CHECK_OK(bln_slm_evidence_at(slm, &data, at[0], at + 1, at + 3, &down, NULL, NULL, NULL, NULL));
            at[k] = keep;
            CHECK_NEAR(d[0][k], (up - down)/(2.0*h), 1e-6*size);
        }
        bln_slm_free(slm);
        bln_slm_free(sums);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* Powers 0 .. 9 of x in 1 .. 2 with weak priors: the columns of A have norms up to sqrt(1e9/1e-6) 1.3e3 = 4e10, pivots go down to
 * the prior's 1. QR has errors of eps times that, 9e-6, in the smallest pivot: 3e-5 is allowed of the evidence, its gradient, and,
 * in units of themselves, of standard deviations. Sums of squares would need eps 1.6e21 < 1. */
TEST(slm_qr, ill_conditioned)
{
    enum { N = 60, D = 10 };
    double X[N*D], y[N], prior[D], sd[2][D], d_noise[2], d_prior[2][D], value[3];
    test_random r = test_random_new(3);
    bln_basis *b = slm_columns(D);
    bln_data data = BLN_ZERO;
    bln_report report;
    if (!blni_exact_available()) { CHECK(1); bln_basis_free(b); return; }
    for (size_t i = 0; i < N; i++) {
        const double x = 1.0 + ((double)i + 0.5)/N;
        for (size_t j = 0; j < D; j++) X[i*D + j] = j ? X[i*D + j - 1]*x : 1.0;
        y[i] = exp(x)*sin(7.0*x) + 1e-3*test_normal(&r);
    }
    for (size_t j = 0; j < D; j++) prior[j] = 1e9;
    data.n = N;
    data.d = D;
    data.X = X;
    data.y = y;
    bln_slm *slm[2];
    for (int a = 0; a < 3; a++) {
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 1e-6, prior, NULL);
        desc.arithmetic = a == 0 ? BLN_SLM_EXACT : a == 1 ? BLN_SLM_QR : BLN_SLM_DOUBLE;
        bln_slm *one = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(one, &data, 1e-6, prior, NULL, value + a, a < 2 ? d_noise + a : NULL,
                                     a < 2 ? d_prior[a] : NULL, NULL, NULL));
        CHECK_OK(bln_slm_fit(one, &data, &report));
        if (a < 2) CHECK_OK(sd_of(bln_slm_posterior(one), sd[a]));
        if (a == 1) CHECK_LE(1e10, report.condition);
        if (a < 2) slm[a] = one;
        else bln_slm_free(one);
    }
    CHECK_NEAR(value[1], value[0], 3e-5);
    CHECK_LE(0.1, fabs(value[2] - value[0]));
    CHECK_NEAR(d_noise[1], d_noise[0], 3e-5);
    for (size_t j = 0; j < D; j++) {
        CHECK_NEAR(qr_m(slm[1], 0)[j], qr_m(slm[0], 0)[j], 3e-5*sd[0][j]);
        CHECK_REL(sd[1][j], sd[0][j], 3e-5);
        CHECK_NEAR(d_prior[1][j], d_prior[0][j], 3e-5);
    }
    bln_slm_free(slm[0]);
    bln_slm_free(slm[1]);
    bln_basis_free(b);
}

/* Weights on their way out, between strong ones and over more than one block of columns: gamma_i ~ lambda |phi_i|^2/sigma^2 =
 * 1e-18, of which 1 - (B^-1)_ii would leave nothing, and w_i of 1e-9, which differences of the size of y would leave 7 digits of. A
 * lambda of 1e-300 has a gradient of its size. */
TEST(slm_qr, digits_of_small_gamma)
{
    enum { D = 40, N = 60 };
    double prior[D], d_noise[2], d_prior[2][D], X[N*D], y[N];
    test_random r = test_random_new(6);
    bln_basis *b = NULL;
    bln_data data = BLN_ZERO;
    if (!blni_exact_available()) { CHECK(1); return; }
    test_fill_normal(&r, N*D, X);
    for (size_t i = 0; i < N; i++) y[i] = X[i*D + 1] - X[i*D + D - 1] + test_normal(&r);
    for (size_t j = 0; j < D; j++) prior[j] = j % 3 == 1 ? 2.0 : 1e-20;
    prior[D/2] = 1e-300;
    data.n = N;
    data.d = D;
    data.X = X;
    data.y = y;
    CHECK_OK(bln_linear_create(NULL, D, 0, &b));
    for (int a = 0; a < 2; a++) {
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        desc.per_weight = 1;
        desc.arithmetic = a ? BLN_SLM_QR : BLN_SLM_EXACT;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, 0.3, prior, NULL, NULL, d_noise + a, d_prior[a], NULL, NULL));
        bln_slm_free(slm);
    }
    CHECK_NEAR(d_noise[1], d_noise[0], 1e-11*N);
    for (size_t j = 0; j < D; j++)                                       /* of terms w^2 and gamma, which may nearly cancel */
        if (j != D/2) CHECK_NEAR(d_prior[1][j], d_prior[0][j], 1e-10*fmax(fabs(d_prior[0][j]), j % 3 == 1 ? 1.0 : 1e-18));
    CHECK(fabs(d_prior[1][D/2]) < 1e-290 && d_prior[1][D/2] != 0.0);
    bln_basis_free(b);
}

/* y = 100 + 3 x -+ 2^-13 as in test_slm, where c/(sigma^2 q) is 8e12: the triangle of statistics, which has no rows to ask again,
 * keeps its root, eps sqrt(8e12) = 6e-10 some times; sums keep eps 8e12, three digits. */
TEST(slm_qr, small_residual_without_rows)
{
    double X[8], y[8];
    const double prior[1] = { 16384.0 }, want = 29.986381707464389787;
    bln_basis *b = slm_parse("linear", 1, 0);
    bln_data data = BLN_ZERO;
    data.n = 8;
    data.d = 1;
    data.X = X;
    data.y = y;
    for (size_t i = 0; i < 8; i++) {
        X[i] = (double)i;
        y[i] = 100.0 + 3.0*X[i] + (i % 2 ? 1.0 : -1.0)/8192.0;
    }
    for (int qr = 0; qr < 2; qr++) {
        const bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, 1.0/67108864.0, prior, NULL);
        bln_statistics_desc sd = BLN_ZERO;
        bln_statistics *t = NULL;
        bln_slm *slm = slm_new(&desc);
        sd.basis = b;
        sd.qr = qr;
        CHECK_OK(bln_statistics_create(&sd, &t, NULL));
        CHECK_OK(bln_statistics_add(t, &data, NULL));
        CHECK_OK(bln_slm_fit_statistics(slm, t, NULL));
        if (qr) CHECK_REL(bln_slm_evidence(slm), want, 1e-8);
        else    CHECK_LE(1e-6*want, fabs(bln_slm_evidence(slm) - want));
        bln_slm_free(slm);
        bln_statistics_free(t);
    }
    bln_basis_free(b);
}

/* Fewer rows than features, which QR takes in primal form: the dual form's numbers. */
TEST(slm_qr, fewer_rows_than_features)
{
    bln_data data = slm_make(9, 2, 4, 0), query = slm_make(5, 2, 8, 0);
    bln_basis *b = slm_parse("rbf:n=10+linear", 2, 3);
    double prior[2] = { 0.9, 0.4 }, theta[1] = { 1.3 }, mean[2][5], var[2][5];
    bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.1, prior, theta);
    bln_slm *dual = slm_fit(&desc, &data);
    desc.arithmetic = BLN_SLM_QR;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK(gaussians_of(bln_slm_posterior(slm))->form == BLN_GAUSSIAN_FACTOR &&
        gaussians_of(bln_slm_posterior(dual))->form == BLN_GAUSSIAN_LOWRANK);
    CHECK_REL(bln_slm_evidence(slm), bln_slm_evidence(dual), 1e-12);
    CHECK_OK(total_of(bln_slm_posterior(slm), &query, mean[0], var[0], NULL, NULL, NULL));
    CHECK_OK(total_of(bln_slm_posterior(dual), &query, mean[1], var[1], NULL, NULL, NULL));
    for (size_t i = 0; i < 5; i++) {
        CHECK_GOLD(mean[0][i], mean[1][i], 1e-12);
        CHECK_GOLD(var[0][i], var[1][i], 1e-12);
    }
    bln_slm_free(slm);
    bln_slm_free(dual);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&query);
}

/* A whole fit, theta learnt too: the same steps but for rounding, and so the same optimum to the root of what the search stops at.
 * A file keeps the model as any other; a loaded one predicts the same bits. */
TEST(slm_qr, learns_and_is_kept)
{
    bln_data data = slm_make(60, 2, 12, 1), query = slm_make(5, 2, 13, 0);
    bln_basis *b = slm_parse("rbf:n=10,ard+linear", 2, 2);
    unsigned char bytes[8192];
    bln_memory_stream stream;
    double mean[2][5], var[2][5];
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.tolerance = 1e-11;
    bln_slm *sums = slm_fit(&desc, &data), *back = NULL;
    desc.arithmetic = BLN_SLM_QR;
    bln_slm *slm = slm_fit(&desc, &data);
    CHECK_REL(bln_slm_evidence(slm), bln_slm_evidence(sums), 1e-7);
    CHECK_REL(bln_slm_noise_var(slm), bln_slm_noise_var(sums), 1e-3);
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_OK(bln_slm_save(slm, &w));
    bln_reader r = bln_memory_reader(&stream, bytes, (size_t)w.count, NULL);
    CHECK_OK(bln_slm_load(test_all(), &r, &back));
    CHECK_OK(total_of(bln_slm_posterior(slm), &query, mean[0], NULL, var[0], NULL, NULL));
    CHECK_OK(total_of(bln_slm_posterior(back), &query, mean[1], NULL, var[1], NULL, NULL));
    for (size_t i = 0; i < 5; i++) CHECK(mean[0][i] == mean[1][i] && var[0][i] == var[1][i]);
    bln_slm_free(back);
    bln_slm_free(slm);
    bln_slm_free(sums);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&query);
}

/* Memory as promised, each allocation made to fail, and what is refused. */
TEST(slm_qr, object)
{
    test_heap heap;
    bln_data data = slm_make(40, 2, 71, 0);
    bln_basis *b = slm_parse("rbf:n=30,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    bln_report report;
    desc.arithmetic = BLN_SLM_QR;
    desc.max_iterations = 2;
    desc.alloc = test_heap_allocator(&heap);
    for (size_t at = 0;; at++) {
        bln_slm *slm = NULL;
        heap.calls = 0;
        heap.fail_at = at;
        bln_status status = bln_slm_create(&desc, &slm, &report);
        if (status == BLN_OK) status = bln_slm_fit(slm, &data, &report);
        CHECK(status == BLN_OK || (status == BLN_ENOMEM && report.text[0]));
        if (status == BLN_OK) CHECK_SIZE(heap.live_bytes, bln_slm_size(&desc, 40));
        bln_slm_free(slm);
        CHECK_SIZE(heap.live, 0);
        if (status == BLN_OK) { CHECK(at > 3); break; }
    }
    CHECK_LE((double)heap.peak_bytes, (double)bln_slm_fit_size(&desc, 40));
    CHECK_LE(0.9*(double)bln_slm_fit_size(&desc, 40), (double)heap.peak_bytes);
    desc.form = BLN_SLM_DUAL;
    CHECK_TEXT(bln_slm_check(&desc), "primal");
    desc.form = BLN_SLM_AUTO;
    desc.arithmetic = (bln_slm_arithmetic)7;
    CHECK_TEXT(bln_slm_check(&desc), "arithmetic");

    /* Features whose squares overflow: named, as with sums. */
    double *X = (double *)data.X;
    bln_basis *line = slm_parse("linear", 2, 0);
    desc = slm_desc(line, BLN_SLM_AUTO);
    desc.arithmetic = BLN_SLM_QR;
    X[11] = 1e200;
    bln_slm *slm = slm_new(&desc);
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.row, 5);
    CHECK_SIZE(report.column, 1);
    bln_slm_free(slm);
    bln_basis_free(line);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_qr)
SUITE_TEST(slm_qr, golden)
SUITE_TEST(slm_qr, agrees_with_three_doubles)
SUITE_TEST(slm_qr, gradient_finite_differences)
SUITE_TEST(slm_qr, ill_conditioned)
SUITE_TEST(slm_qr, digits_of_small_gamma)
SUITE_TEST(slm_qr, small_residual_without_rows)
SUITE_TEST(slm_qr, fewer_rows_than_features)
SUITE_TEST(slm_qr, learns_and_is_kept)
SUITE_TEST(slm_qr, object)
SUITE_END(slm_qr)
