/* test_slm_gp - the exact Gaussian process, a point on every row (`gp`): against scikit-learn, differences, and the same basis by
 * its features, which the primal form takes */
#include "slm_tools.h"
#include "posterior_of.h"
#include "../golden/gp_golden.h"

enum { GP_N = 40, GP_D = 3, GP_AT = 7, GP_THETA = 8 };

static bln_basis *gp_parse(const char *text, const bln_data *rows)
{
    bln_spec_desc desc;
    bln_basis *b = NULL;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    desc.d = rows->d;
    desc.rows = rows;
    bln_report_clear(&report);
    CHECK_OK(bln_basis_parse(&desc, &b, &report));
    if (!b) { printf("    %s: %s\n", text, report.text); exit(1); }
    return b;
}

/* Errors of either side are some n eps times the condition of the covariance, below 1e4: 1e-10. The features of the points, by
 * which a fit predicts, have k(Z, Z) + tau I, tau = 1e-13 n: they change the noise variance by lambda tau/sigma^2 < 1e-10. */
TEST(slm_gp, equals_scikit_learn)
{
    static const char *const texts[2][2] = { { "gp", "gp:ard" }, { "gp:kernel=matern32", "gp:kernel=matern32,ard" } };
    static const double *const evidence[2][2] = {
        { golden_gp_rbf_isotropic_evidence, golden_gp_rbf_ard_evidence },
        { golden_gp_matern32_isotropic_evidence, golden_gp_matern32_ard_evidence } };
    static const double *const slopes[2][2] = {
        { golden_gp_rbf_isotropic_slopes, golden_gp_rbf_ard_slopes },
        { golden_gp_matern32_isotropic_slopes, golden_gp_matern32_ard_slopes } };
    static const double *const means[2][2] = {
        { golden_gp_rbf_isotropic_mean, golden_gp_rbf_ard_mean },
        { golden_gp_matern32_isotropic_mean, golden_gp_matern32_ard_mean } };
    static const double *const sds[2][2] = {
        { golden_gp_rbf_isotropic_sd, golden_gp_rbf_ard_sd }, { golden_gp_matern32_isotropic_sd, golden_gp_matern32_ard_sd } };
    const bln_data data = slm_view(GP_N, GP_D, golden_gp_X, golden_gp_y), at = slm_view(GP_AT, GP_D, golden_gp_new, NULL);
    for (int kernel = 0; kernel < 2; kernel++)
        for (int ard = 0; ard < 2; ard++) {
            bln_basis *b = gp_parse(texts[kernel][ard], &data);
            const double *theta = ard ? golden_gp_length_ard : golden_gp_length_isotropic, *want = slopes[kernel][ard];
            const bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, golden_gp_noise[0], golden_gp_variance, theta);
            bln_slm *slm = slm_fit(&desc, &data);
            double value, d_noise, d_prior, d_theta[GP_D], mean[GP_AT], model[GP_AT];
            CHECK_OK(bln_slm_evidence_at(slm, &data, golden_gp_noise[0], golden_gp_variance, theta, &value, &d_noise, &d_prior,
                                         d_theta, NULL));
            CHECK_REL(value, *evidence[kernel][ard], 1e-10);
            CHECK_REL(bln_slm_evidence(slm), *evidence[kernel][ard], 1e-10);
            CHECK_GOLD(d_prior, want[0], 1e-10);
            for (size_t i = 0; i < b->n_theta; i++) CHECK_GOLD(d_theta[i]*theta[i], want[1 + i], 1e-10);
            CHECK_GOLD(d_noise, want[1 + b->n_theta], 1e-10);
            CHECK_OK(bln_slm_predict(slm, &at, mean, model, NULL, NULL, NULL));
            for (size_t i = 0; i < GP_AT; i++) {
                CHECK_GOLD(mean[i], means[kernel][ard][i], 1e-9);
                CHECK_REL(sqrt(model[i]), sds[kernel][ard][i], 1e-9);
            }
            bln_slm_free(slm);
            bln_basis_free(b);
        }
}

/* Kernels of some columns beside each other and beside features, of which inducing points miss variance; rows with weights, some
 * of them 0, noise variances and offsets; with P outputs the profile over a full Sigma. Value and slopes are those of the features,
 * which have k(Z, Z) + tau I: the evidence sees it as lambda tau/sigma^2 a row, below 1e-9. Differences of step 1e-5 leave 1e-6. */
TEST(slm_gp, kernels_beside_features)
{
    static const char text[] = "gp:ard,cols=2;0+linear+gp:kernel=matern52+inducing:m=5,kernel=matern32,cols=1+bias";
    enum { SLICES = 5, P = 2 };
    bln_data data = slm_make(GP_N, GP_D, 4, 1);
    double Y[GP_N*P], O[GP_N*P], prior[SLICES] = { 0.8, 0.3, 1.1, 0.6, 0.2 }, theta[4] = { 0.9, 1.7, 1.2, 0.8 }, noise = 0.2;
    bln_basis *b = gp_parse(text, &data);
    for (size_t i = 0; i < GP_N; i++)
        for (size_t p = 0; p < P; p++) {
            Y[i*P + p] = p ? cos(data.X[i*GP_D]) + 0.5*data.y[i] : data.y[i];
            O[i*P + p] = 0.1*(double)p*data.X[i*GP_D + 1];
        }
    CHECK(b->n_slices == SLICES && b->n_theta == 4);
    for (size_t outputs = 1; outputs <= P; outputs++) {
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO), other = slm_desc(b, BLN_SLM_PRIMAL);
        double value[2] = { 0, 0 }, d_noise[2] = { 0, 0 }, d_prior[2][SLICES], d_theta[2][4];
        desc.n_outputs = other.n_outputs = data.p = outputs;
        desc.sigma = other.sigma = BLN_SLM_CORRELATED;
        if (outputs > 1) { free((void *)data.y); free((void *)data.offset); data.y = Y; data.offset = O; }
        bln_slm *slm[2];
        slm[0] = slm_new(&desc);
        slm[1] = slm_new(&other);
        for (int k = 0; k < 2; k++) {
            if (outputs > 1)
                CHECK_OK(bln_slm_evidence_outputs(slm[k], &data, NULL, prior, theta, &value[k], NULL, NULL, d_prior[k], d_theta[k],
                                                  NULL));
            else
                CHECK_OK(bln_slm_evidence_at(slm[k], &data, noise, prior, theta, &value[k], &d_noise[k], d_prior[k], d_theta[k],
                                             NULL));
        }
        CHECK_REL(value[0], value[1], 1e-9);
        CHECK_NEAR(d_noise[0], d_noise[1], 1e-7);
        for (size_t s = 0; s < SLICES; s++) CHECK_NEAR(d_prior[0][s], d_prior[1][s], 1e-7);
        for (size_t t = 0; t < 4; t++) CHECK_NEAR(d_theta[0][t], d_theta[1][t], 1e-7);
        if (outputs == 1) {
            CHECK_NEAR(slm_slope(slm[0], &data, &noise, prior, theta, &noise), d_noise[0], 1e-6);
            for (size_t s = 0; s < SLICES; s++)
                CHECK_NEAR(slm_slope(slm[0], &data, &noise, prior, theta, prior + s), d_prior[0][s], 1e-6);
            for (size_t t = 0; t < 4; t++)
                CHECK_NEAR(slm_slope(slm[0], &data, &noise, prior, theta, theta + t), d_theta[0][t]*theta[t], 1e-6);
        }
        bln_slm_free(slm[0]);
        bln_slm_free(slm[1]);
    }
    bln_basis_free(b);
    data.y = data.offset = NULL;
    slm_free_data(&data);
}

/* Learnt by kernels and by features it is the same, with a wide posterior too (low rank, linear beside it); written and read it
 * predicts the same bits. Every row twice: points that coincide. Room is what is announced. */
TEST(slm_gp, fits)
{
    static const char *const texts[3] = { "gp:kernel=matern52,ard", "gp+linear", "gp:kernel=rq,alpha=1.5,cols=1;0" };
    bln_data at = slm_make(20, GP_D, 6, 0);
    for (int which = 0; which < 3; which++) {
        bln_data data = slm_make(60, GP_D, 5, 0);
        double *X = (double *)(uintptr_t)data.X, mean[3][20], var[3][20], best[2];
        for (size_t i = 30; i < 60; i++) memcpy(X + i*GP_D, X + (i - 30)*GP_D, GP_D*sizeof *X);
        bln_basis *b = gp_parse(texts[which], &data);
        for (int primal = 0; primal < 2; primal++) {
            test_heap heap;
            bln_slm_desc desc = slm_desc(b, primal ? BLN_SLM_PRIMAL : BLN_SLM_AUTO);
            desc.tolerance = 1e-10;
            desc.alloc = test_heap_allocator(&heap);
            bln_slm *slm = slm_new(&desc), *loaded = NULL;
            CHECK_OK(bln_slm_fit(slm, &data, NULL));
            CHECK_LE((double)heap.peak_bytes, (double)bln_slm_fit_size(&desc, 60));
            CHECK_LE(0.9*(double)bln_slm_fit_size(&desc, 60), (double)heap.peak_bytes);
            CHECK_SIZE(heap.live_bytes, bln_slm_size(&desc, 60));
            best[primal] = bln_slm_evidence(slm);
            CHECK_OK(bln_slm_predict(slm, &at, mean[primal], var[primal], NULL, NULL, NULL));
            if (!primal) {
                bln_writer counter = bln_writer_over(NULL, NULL);
                CHECK_OK(bln_slm_save(slm, &counter));
                const size_t bytes = (size_t)counter.count;
                unsigned char *file = (unsigned char *)malloc(bytes);
                bln_memory_stream m;
                bln_writer w = bln_memory_writer(&m, file, bytes);
                CHECK_OK(bln_slm_save(slm, &w));
                bln_reader r = bln_memory_reader(&m, file, bytes, NULL);
                CHECK_OK(bln_slm_load(test_all(), &r, &loaded));
                if (loaded) CHECK_OK(bln_slm_predict(loaded, &at, mean[2], var[2], NULL, NULL, NULL));
                CHECK(!memcmp(mean[0], mean[2], sizeof mean[0]) && !memcmp(var[0], var[2], sizeof var[0]));
                bln_slm_free(loaded);
                free(file);
            }
            bln_slm_free(slm);
            CHECK_SIZE(heap.live, 0);
        }
        /* The searches end within 1e-10 of |evidence|, some 100, of the maximum: hyper-parameters within the root of that. */
        CHECK_NEAR(best[0], best[1], 1e-7);
        for (size_t i = 0; i < 20; i++) {
            CHECK_NEAR(mean[0][i], mean[1][i], 1e-3);
            CHECK_REL(var[0][i], var[1][i], 1e-2);
        }
        bln_basis_free(b);
        slm_free_data(&data);
    }
    slm_free_data(&at);
}

/* Rows that are not the points, not in their order, or seen by a model with a variance for each weight: features, as ever. */
TEST(slm_gp, other_rows)
{
    bln_data data = slm_make(GP_N, GP_D, 7, 0), turned = slm_make(GP_N, GP_D, 7, 0), other = slm_make(GP_N, GP_D, 8, 0);
    double *X = (double *)(uintptr_t)turned.X, *y = (double *)(uintptr_t)turned.y, prior = 1.3, theta = 1.1, value[2];
    bln_basis *b = gp_parse("gp", &data);
    for (size_t i = 0; i < GP_N; i++) {
        memcpy(X + i*GP_D, data.X + (GP_N - 1 - i)*GP_D, GP_D*sizeof *X);
        y[i] = data.y[GP_N - 1 - i];
    }
    bln_slm_desc dual = slm_desc(b, BLN_SLM_AUTO), primal = slm_desc(b, BLN_SLM_PRIMAL);
    bln_slm *a = slm_new(&dual), *c = slm_new(&primal);
    CHECK_OK(bln_slm_evidence_at(a, &data, 0.1, &prior, &theta, &value[0], NULL, NULL, NULL, NULL));
    CHECK_OK(bln_slm_evidence_at(a, &turned, 0.1, &prior, &theta, &value[1], NULL, NULL, NULL, NULL));
    CHECK_REL(value[0], value[1], 1e-9);
    CHECK_OK(bln_slm_evidence_at(a, &other, 0.1, &prior, &theta, &value[0], NULL, NULL, NULL, NULL));
    CHECK_OK(bln_slm_evidence_at(c, &other, 0.1, &prior, &theta, &value[1], NULL, NULL, NULL, NULL));
    CHECK_REL(value[0], value[1], 1e-9);
    bln_slm_free(a);
    bln_slm_free(c);
    dual.per_weight = 1;
    a = slm_new(&dual);
    CHECK_OK(bln_slm_fit(a, &data, NULL));
    bln_slm_free(a);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&turned);
    slm_free_data(&other);
}

/* Draws at the rows themselves, where nothing is missed but rounding, and every row stands twice: the distribution of predictions
 * (5 standard errors). What the rest needs to have a factor is reported, and is small beside the prior variance. */
TEST(slm_gp, draws_at_the_points)
{
    enum { N = 40, S = 400 };
    bln_data data = slm_make(N, 2, 9, 0);
    double *X = (double *)(uintptr_t)data.X, mean[N], var[N], theta = 1.5;
    const double prior = 2.0;
    for (size_t i = N/2; i < N; i++) memcpy(X + i*2, X + (i - N/2)*2, 2*sizeof *X);
    bln_basis *b = gp_parse("gp", &data);
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.1, &prior, &theta);
    bln_slm *slm = slm_fit(&desc, &data);
    double *F = test_doubles(S*N);
    bln_draw_desc draws;
    bln_report report;
    memset(&draws, 0, sizeof draws);
    draws.n = S;
    draws.residual = BLN_RESIDUAL_JOINT;
    bln_report_clear(&report);
    CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &data, &draws, F, NULL, 0, NULL, &report));
    CHECK_LE(report.jitter, 1e-9*prior);
    CHECK_OK(bln_slm_predict(slm, &data, mean, var, NULL, NULL, NULL));
    for (size_t i = 0; i < N; i++) {
        double sum = 0.0;
        for (size_t r = 0; r < S; r++) sum += F[r*N + i]/S;
        CHECK_NEAR(sum, mean[i], 5.0*sqrt(var[i]/S));
    }
    free(F);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Next to no noise: sigma^2 = 2^-40, so that |a|^2 = 1e12 and 1 - h = 6e-12 .. 5e-10; k = (1 + r) exp(-r), r = 3^1/2 |x - x'|/2,
 * y = 1/(2 + x), all x exact in double. K_s^-1 keeps digits as K does, whose smallest eigenvalue is 1e-3: 2e-13; and tau = 9e-13 of
 * the features adds 9e-10. Truth by 60-digit arithmetic (mpmath) from the kernel itself. */
TEST(slm_gp, left_out_without_noise)
{
    enum { N = 9 };
    static const double x[N] = { 0.0, 0.625, 1.5, 2.0, 2.125, 2.5, 3.125, 4.0, 4.5 };
    static const double want[N][2] = {
        { 0.356489233416504537, 0.152690963298545967 },   { 0.425338495446548805, 0.069964900415639129 },
        { 0.278675389777351742, 0.0336727886394583537 },  { 0.250305677535044999, 0.0022454311967673997 },
        { 0.242235605209402484, 0.0019212168147911469 },  { 0.222065490191049717, 0.0153024782233026996 },
        { 0.192966889961738616, 0.0536701594474312334 },  { 0.1689300189888645, 0.0535021548492877044 },
        { 0.141554379499600414, 0.10284918113983136 } };
    const double prior = 1.0, theta = 2.0;
    double y[N], mean[2][N], var[2][N], h[N];
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = 1;
    data.X = x;
    data.y = y;
    for (size_t i = 0; i < N; i++) y[i] = 1.0/(2.0 + x[i]);
    bln_basis *b = gp_parse("gp:kernel=matern32", &data);
    for (int k = 10; k <= 50; k += 2) {
        /* The factor has a difference for 1 - h: it says no, or is right to a few of the 1e-5 that it may lose. */
        const bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, ldexp(1.0, -k), &prior, &theta);
        const bln_slm_desc other = slm_fixed(b, BLN_SLM_PRIMAL, ldexp(1.0, -k), &prior, &theta);
        bln_slm *slm = slm_fit(&desc, &data), *factor = slm_fit(&other, &data);
        CHECK_OK(loo_of(bln_slm_posterior(slm), &data, mean[0], var[0], h, NULL, NULL));
        for (size_t i = 0; i < N && k == 40; i++) {
            CHECK_NEAR(mean[0][i], want[i][0], 1e-8*sqrt(want[i][1]));
            CHECK_REL(var[0][i], want[i][1], 1e-8);
            CHECK_NEAR(h[i], 1.0, 1e-9);
        }
        const bln_status status = loo_of(bln_slm_posterior(factor), &data, mean[1], var[1], NULL, NULL, NULL);
        CHECK(k < 36 || status == BLN_EUNDEFINED);
        CHECK(k > 24 || status == BLN_OK);
        for (size_t i = 0; i < N; i++) {
            if (mean[1][i] != mean[1][i]) continue;
            CHECK_NEAR(mean[1][i], mean[0][i], 5e-5*sqrt(var[0][i]));
            CHECK_REL(var[1][i], var[0][i], 5e-5);
        }
        bln_slm_free(slm);
        bln_slm_free(factor);
    }
    bln_basis_free(b);
}

SUITE_BEGIN(slm_gp)
    SUITE_TEST(slm_gp, equals_scikit_learn)
    SUITE_TEST(slm_gp, kernels_beside_features)
    SUITE_TEST(slm_gp, fits)
    SUITE_TEST(slm_gp, other_rows)
    SUITE_TEST(slm_gp, draws_at_the_points)
    SUITE_TEST(slm_gp, left_out_without_noise)
SUITE_END(slm_gp)
