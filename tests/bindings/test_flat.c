/* Tests of bindings/bayeslin_flat.h: the same bits as the model through bayeslin.h; the units of the data; bad input */
#include "../test.h"
#include "../../bindings/bayeslin_flat.c"

enum { BIND_N = 60, BIND_M = 7, BIND_SAY = 300 };

static double flat_X[2*BIND_N], flat_y[BIND_N], flat_Z[2*BIND_M];

/* Two inputs of different sizes; a real y, and new rows, some of them far away. */
static void flat_rows(void)
{
    bln_rng rng;
    bln_rng_seed(&rng, test_seed, 0);
    for (size_t i = 0; i < BIND_N; i++) {
        const double a = bln_rng_uniform(&rng), b = bln_rng_uniform(&rng);
        flat_X[2*i] = 10.0*a - 3.0;
        flat_X[2*i + 1] = 0.2*b + 40.0;
        flat_y[i] = 500.0 + 30.0*sin(flat_X[2*i]) + 200.0*(flat_X[2*i + 1] - 40.0) + 4.0*bln_rng_normal(&rng);
    }
    for (size_t i = 0; i < BIND_M; i++) {
        flat_Z[2*i] = -3.3 + 2.9*(double)i;
        flat_Z[2*i + 1] = 40.0 + 0.03*(double)i;
    }
}

static bayeslin_model *flat_made(size_t n, const double *y, const double *offset, const double *trials, const char *spec,
                                 const char *options)
{
    char say[BIND_SAY];
    bayeslin_model *model = NULL;
    const int status = bayeslin_fit(n, 2, flat_X, y, NULL, offset, trials, spec, options, &model, say, sizeof say);
    CHECK(status == 0 && model);
    if (status) printf("    %s %s: %s\n", spec ? spec : "auto", options, say);
    return model;
}

/* ---- the same bits ---- */

static void flat_same(size_t n, const double *a, const double *b) { for (size_t i = 0; i < n; i++) CHECK(a[i] == b[i]); }

/* Scaled by hand, fitted by hand, taken back by hand. */
TEST(flat, linear_model_to_the_bit)
{
    double X[2*BIND_N], y[BIND_N], Z[2*BIND_M], mean[BIND_M], var[BIND_M], noise[BIND_M], got[3][BIND_M], low[BIND_M], up[BIND_M];
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_scaler *scaler = NULL;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    flat_rows();
    data.n = BIND_N;
    data.d = 2;
    data.X = flat_X;
    data.y = flat_y;
    CHECK(bln_scaler_create(NULL, &data, &scaler, NULL) == BLN_OK);
    bln_scaler_inputs(scaler, BIND_N, flat_X, 2, X, 2);
    bln_scaler_targets(scaler, BIND_N, flat_y, y);
    bln_scaler_inputs(scaler, BIND_M, flat_Z, 2, Z, 2);
    data.X = X;
    data.y = y;
    query.n = BIND_M;
    query.d = 2;
    query.X = Z;
    static const double wide_constant[3] = { 0.0, 0.0, 1e2 };
    spec.text = "rbf:n=20,ard+linear:ones=0+bias";
    spec.d = 2;
    spec.seed = 3;
    spec.rows = &data;
    CHECK(bln_basis_parse(&spec, &basis, NULL) == BLN_OK);
    desc.basis = basis;
    desc.prior_var = wide_constant;
    desc.fix_given_var = 1;
    desc.seed = 3;
    CHECK(bln_slm_create(&desc, &slm, NULL) == BLN_OK && bln_slm_fit(slm, &data, NULL) == BLN_OK);
    CHECK(bln_slm_predict(slm, &query, mean, var, noise, NULL, NULL) == BLN_OK);
    CHECK(bln_posterior_intervals(bln_slm_posterior(slm), &query, BLN_OF_Y, 0.9, low, up, NULL, NULL) == BLN_OK);
    bln_scaler_means_back(scaler, BIND_M, mean, mean);
    bln_scaler_means_back(scaler, BIND_M, low, low);
    for (size_t i = 0; i < BIND_M; i++) {
        noise[i] += var[i];                                               /* rounded on its own, on every machine */
        noise[i] = sqrt(noise[i])*bln_scaler_sd(scaler, 2);
        var[i] = sqrt(var[i])*bln_scaler_sd(scaler, 2);
    }
    bayeslin_model *model = flat_made(BIND_N, flat_y, NULL, NULL, "rbf:n=20,ard+linear", "seed=3");
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, got[0], got[1], got[2], NULL, 0) == 0);
    flat_same(BIND_M, got[0], mean);
    flat_same(BIND_M, got[1], var);
    flat_same(BIND_M, got[2], noise);
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, NULL, NULL, got[0], NULL, 0) == 0);
    flat_same(BIND_M, got[0], noise);
    CHECK(bayeslin_intervals(model, BIND_M, 2, flat_Z, NULL, NULL, 0.9, 0, got[0], got[1], NULL, 0) == 0);
    flat_same(BIND_M, got[0], low);
    bayeslin_free(model);
    bln_slm_free(slm);
    bln_basis_free(basis);
    bln_scaler_free(scaler);
}

/* Counts with exposures and offsets, which go to f; a likelihood of several words. */
TEST(flat, counts_to_the_bit)
{
    double X[2*BIND_N], y[BIND_N], trials[BIND_N], offset[BIND_N], Z[2*BIND_M], want[3][BIND_M], got[3][BIND_M];
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_glm_mixture_desc own = BLN_ZERO;
    bln_scaler *scaler = NULL;
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    flat_rows();
    for (size_t i = 0; i < BIND_N; i++) {
        trials[i] = 1.0 + (double)(i % 4);
        offset[i] = 0.1*(double)(i % 3);
        y[i] = floor(trials[i]*exp(offset[i] + 0.3*flat_X[2*i] - 0.5) + 0.5);
    }
    data.n = BIND_N;
    data.d = 2;
    data.X = flat_X;
    CHECK(bln_scaler_create(NULL, &data, &scaler, NULL) == BLN_OK);
    bln_scaler_inputs(scaler, BIND_N, flat_X, 2, X, 2);
    bln_scaler_inputs(scaler, BIND_M, flat_Z, 2, Z, 2);
    data.X = X;
    data.y = y;
    data.offset = offset;
    data.trials = trials;
    query.n = BIND_M;
    query.d = 2;
    query.X = Z;
    query.trials = trials;
    query.offset = offset;
    CHECK(bln_linear_create(NULL, 2, 1, &basis) == BLN_OK);
    own.components = 2;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_negative_binomial();
    desc.method = bln_glm_mixture(&own);
    desc.seed = 12;
    CHECK(bln_glm_create(&desc, &glm, NULL) == BLN_OK && bln_glm_fit(glm, &data, NULL) == BLN_OK);
    CHECK(bln_glm_predict(glm, &query, want[0], want[1], want[2], NULL, NULL) == BLN_OK);
    for (size_t i = 0; i < BIND_M; i++) {
        want[2][i] += want[1][i];
        want[2][i] = sqrt(want[2][i]);
        want[1][i] = sqrt(want[1][i]);
    }
    bayeslin_model *model = flat_made(BIND_N, y, offset, trials, "linear",
                                      " likelihood = negative_binomial, inference=mixture, components=2, seed=12");
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, offset, trials, got[0], got[1], got[2], NULL, 0) == 0);
    for (size_t k = 0; k < 3; k++) flat_same(BIND_M, got[k], want[k]);
    bayeslin_free(model);
    bln_glm_free(glm);
    bln_basis_free(basis);
    bln_scaler_free(scaler);
}

/* ---- closed forms ---- */

/* y = 3 + 2 a - 4 b without noise: least squares gives it back, whatever was standardised; so do slopes, of every fit. */
TEST(flat, coefficients_of_a_plane)
{
    double y[BIND_N], mean[3], sd[3], cov[9], slopes[2*BIND_M];
    char name[20];
    size_t inputs, columns, latents, weights;
    flat_rows();
    for (size_t i = 0; i < BIND_N; i++) y[i] = 3.0 + 2.0*flat_X[2*i] - 4.0*flat_X[2*i + 1] + (i % 2 ? 1e-3 : -1e-3);
    bayeslin_model *model = flat_made(BIND_N, y, NULL, NULL, "linear", "prior=flat, names= price ; size");
    CHECK(bayeslin_shape(model, &inputs, &columns, &latents, &weights) == 0);
    CHECK(inputs == 2 && columns == 1 && latents == 1 && weights == 3);
    CHECK(bayeslin_coefficients(model, mean, sd, cov, NULL, 0) == 0);
    CHECK_NEAR(mean[1], 2.0, 2e-3);
    CHECK_NEAR(mean[2], -4.0, 0.02);
    CHECK_NEAR(mean[0], 3.0, 0.8);
    for (size_t j = 0; j < 3; j++) {
        CHECK_NEAR(cov[4*j], sd[j]*sd[j], 1e-9*cov[4*j]);
        for (size_t k = 0; k < 3; k++) CHECK(cov[3*j + k] == cov[3*k + j]);
    }
    CHECK(bayeslin_name(model, 1, name, sizeof name) == 5 && !strcmp(name, "price"));
    CHECK(bayeslin_name(model, 1, name, 3) == 5 && !strcmp(name, "pr"));
    CHECK(bayeslin_slopes(model, BIND_M, 2, flat_Z, slopes, NULL, 0) == 0);
    for (size_t i = 0; i < BIND_M; i++) CHECK(slopes[2*i] == mean[1] && slopes[2*i + 1] == mean[2]);
    bayeslin_free(model);
    model = flat_made(BIND_N, y, NULL, NULL, "linear", "");
    CHECK(bayeslin_slopes(model, BIND_M, 2, flat_Z, slopes, NULL, 0) == 0);
    CHECK_NEAR(slopes[0], 2.0, 2e-3);
    CHECK_NEAR(slopes[1], -4.0, 0.02);
    bayeslin_free(model);
}

/* Eight rows by a line: the t intervals of the textbook, whether the intercept is apart or all priors are flat. */
TEST(flat, few_rows_have_t_intervals)
{
    enum { N = 8 };
    static const double x[N] = { 0, 1, 2, 3, 4, 5, 6, 7 }, y[N] = { 0.3, 0.9, 2.4, 2.8, 4.3, 4.9, 6.2, 6.9 };
    const double at = 10.0, t = 2.4469118511449692;                       /* t of 6 degrees of freedom, 97.5 % */
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, rss = 0.0, lower, upper;
    bayeslin_model *model = NULL;
    for (size_t i = 0; i < N; i++) { sx += x[i]/N; sy += y[i]/N; }
    for (size_t i = 0; i < N; i++) { sxx += (x[i] - sx)*(x[i] - sx); sxy += (x[i] - sx)*(y[i] - sy); }
    const double slope = sxy/sxx;
    for (size_t i = 0; i < N; i++) rss += pow(y[i] - sy - slope*(x[i] - sx), 2.0);
    const double mean = sy + slope*(at - sx), half = t*sqrt(rss/6.0*(1.0 + 1.0/N + (at - sx)*(at - sx)/sxx));
    CHECK(bayeslin_fit(N, 1, x, y, NULL, NULL, NULL, "linear", "prior=flat,integrate=yes", &model, NULL, 0) == 0);
    CHECK(bayeslin_intervals(model, 1, 1, &at, NULL, NULL, 0.95, 0, &lower, &upper, NULL, 0) == 0);
    CHECK_NEAR(lower, mean - half, 1e-9);
    CHECK_NEAR(upper, mean + half, 1e-9);
    bayeslin_free(model);
    CHECK(bayeslin_fit(N, 1, x, y, NULL, NULL, NULL, "linear", "", &model, NULL, 0) == 0);          /* by itself, below 30 rows */
    CHECK(bayeslin_intervals(model, 1, 1, &at, NULL, NULL, 0.95, 0, &lower, &upper, NULL, 0) == 0);
    CHECK_NEAR(upper - lower, 2.0*half, 0.02*half);                       /* the prior of the slope is all but flat here */
    bayeslin_free(model);
}

/* ---- covariances and draws ---- */

/* Its diagonal is what predictions say; off it, draws agree. */
static void flat_check_covariance(const bayeslin_model *model, const char *what)
{
    enum { DRAWS = 4000 };
    static double draws[DRAWS*BIND_M];
    double C[BIND_M*BIND_M], half[BIND_M*BIND_M], mean[BIND_M], sd[BIND_M];
    CHECK(bayeslin_covariance(model, BIND_M, 2, flat_Z, 1, C, NULL, 0) == 0);
    CHECK(bayeslin_covariance(model, BIND_M, 2, flat_Z, 0, half, NULL, 0) == 0);
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, mean, sd, NULL, NULL, 0) == 0);
    CHECK(bayeslin_draws(model, BIND_M, 2, flat_Z, NULL, NULL, DRAWS, 0, 5, draws, NULL, 0) == 0);
    for (size_t i = 0; i < BIND_M; i++) {
        CHECK_NEAR(C[i*BIND_M + i], sd[i]*sd[i], 1e-8*C[i*BIND_M + i]);
        for (size_t j = 0; j < BIND_M; j++) {
            const double ii = C[i*BIND_M + i], jj = C[j*BIND_M + j], ij = C[i*BIND_M + j];
            double sum = 0.0;
            CHECK(ij == C[j*BIND_M + i] && half[i*BIND_M + j] == (j < i ? 0.0 : ij));
            for (size_t r = 0; r < DRAWS; r++) sum += (draws[r*BIND_M + i] - mean[i])*(draws[r*BIND_M + j] - mean[j])/DRAWS;
            /* 5 standard errors of a covariance of normals; t's of 50 degrees of freedom have some more. */
            CHECK_NEAR(sum, ij, 5.5*sqrt((ii*jj + ij*ij)/DRAWS));
            if (!(fabs(sum - ij) <= 5.5*sqrt((ii*jj + ij*ij)/DRAWS))) printf("    %s: rows %d, %d\n", what, (int)i, (int)j);
        }
    }
}

TEST(flat, covariance_is_that_of_draws)
{
    static const char *const specs[] = { "linear", "rbf:n=15+linear", "inducing:m=9,kernel=matern32", "gp:kernel=matern52+bias" };
    double y[BIND_N];
    flat_rows();
    for (size_t k = 0; k < 4; k++) {
        bayeslin_model *model = flat_made(BIND_N, flat_y, NULL, NULL, specs[k], "");
        flat_check_covariance(model, specs[k]);
        bayeslin_free(model);
    }
    bayeslin_model *model = flat_made(BIND_N, flat_y, NULL, NULL, "inducing:m=9", "integrate=yes");
    flat_check_covariance(model, "integrated");
    bayeslin_free(model);
    for (size_t i = 0; i < BIND_N; i++) y[i] = flat_X[2*i] > 2.0 + sin((double)i);
    model = flat_made(BIND_N, y, NULL, NULL, "linear", "likelihood=bernoulli,inference=full");
    double C[4], one[1], p[1];
    CHECK(bayeslin_covariance(model, 2, 2, flat_Z, 1, C, NULL, 0) == 0 && C[1] == C[2]);
    CHECK(bayeslin_intervals(model, 1, 2, flat_Z, NULL, NULL, 0.5, 1, one, p, NULL, 0) == 0);
    CHECK_NEAR(p[0] - one[0], 2.0*0.67448975019608171*sqrt(C[0]), 1e-6*sqrt(C[0]));
    bayeslin_free(model);
}

/* Ten counts that are all 0: averaged over hyper-parameters the mean has no bound where zeros have a probability of their own. The
 * best ones are taken, unless the average is asked for. */
TEST(flat, a_mean_without_bound)
{
    enum { N = 10 };
    double x[N], y[N] = { 0 }, mean[N], total = 0.0;
    char say[BIND_SAY] = "";
    bayeslin_model *model = NULL;
    for (int i = 0; i < N; i++) x[i] = i;
    CHECK(bayeslin_fit(N, 1, x, y, NULL, NULL, NULL, "linear", "likelihood=zero_inflated_poisson", &model, say, sizeof say) == 0);
    CHECK(strstr(say, "no bound here: the best ones are taken (integrate=no)") != NULL);
    CHECK(bayeslin_predict(model, N, 1, x, NULL, NULL, mean, NULL, NULL, NULL, 0) == 0);
    for (int i = 0; i < N; i++) total += mean[i];
    CHECK(total > 0.0 && total < 2.0);
    bayeslin_free(model);
    CHECK(bayeslin_fit(N, 1, x, y, NULL, NULL, NULL, "linear", "likelihood=zero_inflated_poisson,inference=integrated", &model,
                       say, sizeof say) == 0);
    CHECK(bayeslin_predict(model, N, 1, x, NULL, NULL, mean, NULL, NULL, NULL, 0) == 0 && mean[0] > 1e50);
    CHECK(strstr(say, "no bound") == NULL);
    bayeslin_free(model);
}

TEST(flat, draws_of_y_have_the_noise)
{
    enum { DRAWS = 4000 };
    static double draws[DRAWS], again[DRAWS];
    double mean, sd, sum = 0.0, square = 0.0, offset = 7.0;
    flat_rows();
    bayeslin_model *model = flat_made(BIND_N, flat_y, NULL, NULL, "linear", "integrate=no");
    CHECK(bayeslin_predict(model, 1, 2, flat_Z, &offset, NULL, &mean, NULL, &sd, NULL, 0) == 0);
    CHECK(bayeslin_draws(model, 1, 2, flat_Z, &offset, NULL, DRAWS, 1, 11, draws, NULL, 0) == 0);
    CHECK(bayeslin_draws(model, 1, 2, flat_Z, &offset, NULL, DRAWS, 1, 11, again, NULL, 0) == 0);
    flat_same(DRAWS, draws, again);
    CHECK(bayeslin_draws(model, 1, 2, flat_Z, &offset, NULL, 1, 1, 12, again, NULL, 0) == 0 && again[0] != draws[0]);
    for (size_t i = 0; i < DRAWS; i++) {
        sum += (draws[i] - mean)/DRAWS;
        square += (draws[i] - mean)*(draws[i] - mean)/DRAWS;
    }
    CHECK_NEAR(sum, 0.0, 5.0*sd/sqrt((double)DRAWS));
    CHECK_NEAR(square, sd*sd, 5.0*sd*sd*sqrt(2.0/DRAWS));
    bayeslin_free(model);
}

/* ---- units, classes, files ---- */

/* The same model in other units: kelvin for degrees, cents for dollars. */
TEST(flat, other_units_same_answers)
{
    static const char *const specs[] = { "linear", "rbf:n=20+linear", NULL };
    double X[2*BIND_N], Z[2*BIND_M], y[BIND_N], a[3][BIND_M], b[3][BIND_M];
    flat_rows();
    for (size_t i = 0; i < 2*BIND_N; i++) X[i] = i % 2 ? 8.0*flat_X[i] : flat_X[i] + 273.0;
    for (size_t i = 0; i < 2*BIND_M; i++) Z[i] = i % 2 ? 8.0*flat_Z[i] : flat_Z[i] + 273.0;
    for (size_t i = 0; i < BIND_N; i++) y[i] = 100.0*flat_y[i] + 5.0;
    for (size_t k = 0; k < 3; k++) {
        bayeslin_model *one = flat_made(BIND_N, flat_y, NULL, NULL, specs[k], "tolerance=1e-10"), *other = NULL;
        CHECK(bayeslin_fit(BIND_N, 2, X, y, NULL, NULL, NULL, specs[k], "tolerance=1e-10", &other, NULL, 0) == 0);
        CHECK(bayeslin_predict(one, BIND_M, 2, flat_Z, NULL, NULL, a[0], a[1], a[2], NULL, 0) == 0);
        CHECK(bayeslin_predict(other, BIND_M, 2, Z, NULL, NULL, b[0], b[1], b[2], NULL, 0) == 0);
        for (size_t i = 0; i < BIND_M; i++) {
            CHECK_NEAR(b[0][i], 100.0*a[0][i] + 5.0, 1e-3*100.0*a[2][i]);
            CHECK_NEAR(b[2][i], 100.0*a[2][i], 1e-3*100.0*a[2][i]);
        }
        bayeslin_free(one);
        bayeslin_free(other);
    }
}

/* A known part of y comes off before the fit and back after it: whole numbers, so that no digit is lost. */
TEST(flat, offsets_of_real_targets)
{
    double y[BIND_N], with[BIND_N], offset[BIND_N], a[BIND_M], b[BIND_M], low[BIND_M], up[BIND_M], draws[2*BIND_M];
    flat_rows();
    for (size_t i = 0; i < BIND_N; i++) {
        offset[i] = 100.0*(double)(i % 5);
        y[i] = floor(flat_y[i]);
        with[i] = y[i] + offset[i];
    }
    bayeslin_model *one = flat_made(BIND_N, y, NULL, NULL, "linear", "");
    bayeslin_model *other = flat_made(BIND_N, with, offset, NULL, "linear", "");
    CHECK(bayeslin_predict(one, BIND_M, 2, flat_Z, NULL, NULL, a, NULL, NULL, NULL, 0) == 0);
    CHECK(bayeslin_predict(other, BIND_M, 2, flat_Z, NULL, NULL, b, NULL, NULL, NULL, 0) == 0);
    flat_same(BIND_M, a, b);
    CHECK(bayeslin_predict(other, BIND_M, 2, flat_Z, offset, NULL, b, NULL, NULL, NULL, 0) == 0);
    CHECK(bayeslin_intervals(other, BIND_M, 2, flat_Z, offset, NULL, 0.5, 1, low, up, NULL, 0) == 0);
    CHECK(bayeslin_draws(other, BIND_M, 2, flat_Z, offset, NULL, 2, 0, 1, draws, NULL, 0) == 0);
    for (size_t i = 0; i < BIND_M; i++) {
        CHECK_NEAR(b[i], a[i] + offset[i], 1e-12*fabs(b[i]));
        CHECK_NEAR(0.5*(low[i] + up[i]), b[i], 1e-9*fabs(b[i]));
        CHECK_NEAR(draws[BIND_M + i], b[i], 15.0);                          /* sds of the curve are some 2 */
    }
    bayeslin_free(one);
    bayeslin_free(other);
}

/* The value behind "key=" in a description. */
static double flat_value(const bayeslin_model *model, const char *key)
{
    char text[2000], line[64];
    CHECK(bayeslin_describe(model, text, sizeof text) < sizeof text);
    sprintf(line, "%s=", key);
    const char *at = strstr(text, line);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(line), NULL) : NAN;
}

/* Known noise; and noise, evidence, length scale in their units. */
TEST(flat, description_in_units)
{
    double y[BIND_N];
    flat_rows();
    bayeslin_model *a = flat_made(BIND_N, flat_y, NULL, NULL, "gp:ard+linear", "tolerance=1e-9");
    for (size_t i = 0; i < BIND_N; i++) y[i] = 1000.0*flat_y[i];
    bayeslin_model *b = flat_made(BIND_N, y, NULL, NULL, "gp:ard+linear", "tolerance=1e-9");
    CHECK_NEAR(flat_value(b, "noise_sd"), 1000.0*flat_value(a, "noise_sd"), 1e-3*flat_value(b, "noise_sd"));
    CHECK_NEAR(flat_value(b, "log_evidence"), flat_value(a, "log_evidence") - BIND_N*log(1000.0), 1e-4);
    bayeslin_free(b);
    bayeslin_free(a);
    a = flat_made(BIND_N, flat_y, NULL, NULL, "linear", "prior=flat,scale=yes");    /* a density of what three weights leave */
    b = flat_made(BIND_N, y, NULL, NULL, "linear", "prior=flat");
    CHECK_NEAR(flat_value(b, "noise_sd"), 1000.0*flat_value(a, "noise_sd"), 1e-6*flat_value(b, "noise_sd"));
    bayeslin_free(b);
    b = flat_made(BIND_N, y, NULL, NULL, "linear", "prior=flat,scale=yes");
    CHECK_NEAR(flat_value(b, "log_evidence"), flat_value(a, "log_evidence") - (BIND_N - 3)*log(1000.0), 1e-6);
    bayeslin_free(b);
    bayeslin_free(a);
    a = flat_made(BIND_N, flat_y, NULL, NULL, "linear", "likelihood=student_t,inference=full");
    b = flat_made(BIND_N, y, NULL, NULL, "linear", "likelihood=student_t,inference=full");
    CHECK_NEAR(flat_value(b, "scale"), 1000.0*flat_value(a, "scale"), 1e-3*flat_value(b, "scale"));
    CHECK_NEAR(flat_value(b, "degrees of freedom"), flat_value(a, "degrees of freedom"), 0.01*flat_value(a, "degrees of freedom"));
    bayeslin_free(b);
    b = flat_made(BIND_N, flat_y, NULL, NULL, "gp:ard+linear", "noise_sd=5.5");
    CHECK_NEAR(flat_value(b, "noise_sd"), 5.5, 1e-12);
    bayeslin_free(b);
    for (size_t i = 0; i < BIND_N; i++) y[i] = 7.0;                         /* the same everywhere, which known noise allows */
    b = flat_made(BIND_N, y, NULL, NULL, "linear", "noise_sd=0.5");
    double mean = 0.0;
    CHECK(bayeslin_predict(b, 1, 2, flat_X, NULL, NULL, &mean, NULL, NULL, NULL, 0) == 0);
    CHECK_NEAR(mean, 7.0, 0.2);
    bayeslin_free(b);
    double x[BIND_N];
    for (size_t i = 0; i < BIND_N; i++) x[i] = 1e3*flat_X[2*i];
    b = NULL;
    CHECK(bayeslin_fit(BIND_N, 1, x, flat_y, NULL, NULL, NULL, "gp", "", &b, NULL, 0) == 0);
    CHECK(flat_value(b, "length scale") > 200.0 && flat_value(b, "length scale") < 5000.0);
    char text[40];
    CHECK(bayeslin_describe(b, text, sizeof text) > sizeof text && strlen(text) == sizeof text - 1);
    bayeslin_free(b);
    bayeslin_free(a);
}

TEST(flat, classes_and_categories)
{
    double y[BIND_N], p[3*BIND_M], sd[3*BIND_M], f[3*BIND_M];
    size_t columns, latents;
    char say[BIND_SAY];
    flat_rows();
    for (size_t i = 0; i < BIND_N; i++) y[i] = flat_X[2*i] < 0.0 ? 0.0 : flat_X[2*i] < 4.0 ? 1.0 : 2.0;
    bayeslin_model *model = flat_made(BIND_N, y, NULL, NULL, "linear", "likelihood=categorical");
    CHECK(bayeslin_shape(model, NULL, &columns, &latents, NULL) == 0 && columns == 3 && latents == 3);
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, p, sd, NULL, NULL, 0) == 0);
    for (size_t i = 0; i < BIND_M; i++) CHECK_NEAR(p[3*i] + p[3*i + 1] + p[3*i + 2], 1.0, 1e-6);
    CHECK(p[0] > 0.5);
    CHECK(bayeslin_draws(model, BIND_M, 2, flat_Z, NULL, NULL, 1, 0, 1, f, NULL, 0) == 0);
    CHECK(bayeslin_intervals(model, BIND_M, 2, flat_Z, NULL, NULL, 0.9, 0, p, sd, say, sizeof say) == (int)BLN_EUNDEFINED);
    CHECK(say[0] != 0);
    CHECK(bayeslin_covariance(model, BIND_M, 2, flat_Z, 1, p, NULL, 0) == (int)BLN_EINVAL);
    CHECK(bayeslin_slopes(model, BIND_M, 2, flat_Z, p, NULL, 0) == (int)BLN_EINVAL);
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, y, NULL, p, sd, NULL, NULL, 0) == (int)BLN_EINVAL);
    bayeslin_free(model);
    model = flat_made(BIND_N, y, NULL, NULL, "linear:ones=0", "likelihood=ordinal,categories=4,integrate=no");
    CHECK(bayeslin_intervals(model, BIND_M, 2, flat_Z, NULL, NULL, 0.9, 0, p, sd, NULL, 0) == 0);
    bayeslin_free(model);
    /* A quantile: nine in ten lie below it. */
    model = flat_made(BIND_N, flat_y, NULL, NULL, "linear", "likelihood=asymmetric_laplace:0.9");
    CHECK(bayeslin_predict(model, BIND_N, 2, flat_X, NULL, NULL, y, NULL, NULL, NULL, 0) == 0);
    size_t below = 0;
    for (size_t i = 0; i < BIND_N; i++) below += flat_y[i] < y[i];
    CHECK(below >= 47 && below < BIND_N);                                 /* 54 of 60, less 3 standard deviations */
    bayeslin_free(model);
}

/* Groups keep their numbers, which standardising would change. */
TEST(flat, groups_are_not_scaled)
{
    enum { N = 90 };
    static double X[2*N], y[N];
    double Z[4] = { 7.0, 0.0, 12.0, 0.0 }, mean[2], sd[2];
    bln_rng rng;
    bayeslin_model *model = NULL;
    bln_rng_seed(&rng, 4, 0);
    for (size_t i = 0; i < N; i++) {
        X[2*i] = (double)(i % 9) + 1.0;
        X[2*i + 1] = bln_rng_uniform(&rng);
        y[i] = 10.0 + (i % 9 == 6 ? 8.0 : 0.0) + X[2*i + 1] + 0.1*bln_rng_normal(&rng);
    }
    CHECK(bayeslin_fit(N, 2, X, y, NULL, NULL, NULL, "linear+group: by = g", "names=g;x", &model, NULL, 0) == 0);
    CHECK(bayeslin_predict(model, 2, 2, Z, NULL, NULL, mean, sd, NULL, NULL, 0) == 0);
    CHECK_NEAR(mean[0], 18.0, 0.2);
    CHECK(sd[1] > 5.0*sd[0]);                                             /* 12 was not seen */
    bayeslin_free(model);
}

TEST(flat, files_give_the_same_model)
{
    static const char path[] = "build/test_flat.bln";
    static const char *const options[] = { "names=a;b,integrate=no", "integrate=yes",
                                           "likelihood=student_t,inference=nuts,draws=50,warmup=50,chains=2,keep=20" };
    double a[BIND_M], b[BIND_M];
    char one[2000], other[2000], say[BIND_SAY];
    flat_rows();
    for (size_t k = 0; k < 3; k++) {
        bayeslin_model *model = flat_made(BIND_N, flat_y, NULL, NULL, "linear", options[k]), *loaded = NULL;
        CHECK(bayeslin_save(model, path, say, sizeof say) == 0);
        CHECK(bayeslin_load(path, &loaded, say, sizeof say) == 0);
        CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, a, NULL, NULL, NULL, 0) == 0);
        CHECK(bayeslin_predict(loaded, BIND_M, 2, flat_Z, NULL, NULL, b, NULL, NULL, NULL, 0) == 0);
        flat_same(BIND_M, a, b);
        bayeslin_describe(model, one, sizeof one);
        bayeslin_describe(loaded, other, sizeof other);
        CHECK(!strcmp(one, other));
        bayeslin_name(model, 1, one, sizeof one);                         /* the constant is the last one of a linear model */
        bayeslin_name(loaded, 1, other, sizeof other);
        CHECK(!strcmp(one, other) && !strcmp(one, "b") == (k == 0));
        bayeslin_free(model);
        bayeslin_free(loaded);
    }
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL);
    if (file) {
        fseek(file, 60, SEEK_SET);
        fputc(0x5a, file);
        fclose(file);
    }
    bayeslin_model *loaded = NULL;
    CHECK(bayeslin_load(path, &loaded, say, sizeof say) == (int)BLN_EFORMAT && say[0] && !loaded);
    remove(path);
    CHECK(bayeslin_load(path, &loaded, say, sizeof say) == (int)BLN_EIO && strstr(say, path));
}

/* ---- bad input ---- */

/* Fails with this status, and says this. */
static void flat_refused(const char *spec, const char *options, bln_status want, const char *says)
{
    char say[800] = "";
    bayeslin_model *model = (bayeslin_model *)(void *)say;
    const int got = bayeslin_fit(BIND_N, 2, flat_X, flat_y, NULL, NULL, NULL, spec, options, &model, say, sizeof say);
    CHECK(got == (int)want && !model && strstr(say, says));
    if (got != (int)want || !strstr(say, says)) printf("    %s; %s: %d, %s\n", spec, options, got, say);
}

TEST(flat, bad_options)
{
    flat_rows();
    flat_refused("linear", "lieklihood=poisson", BLN_EINVAL, "known are likelihood, categories");
    flat_refused("linear", "likelihood=poissson", BLN_EUNKNOWN, "there are gaussian");
    flat_refused("linear", "likelihood=asymmetric_laplace:1.5", BLN_EUNKNOWN, "no likelihood");
    flat_refused("linear", "likelihood=poisson", BLN_EDOMAIN, "row 0");
    flat_refused("linear", "seed", BLN_EINVAL, "\"seed\" is no key=value");
    flat_refused("linear", "seed=-1", BLN_EINVAL, "a whole number from 0, not \"-1\"");
    flat_refused("linear", "seed=1, seed=2", BLN_EINVAL, "seed is given twice");
    flat_refused("linear", "chains=2, chains=2", BLN_EINVAL, "chains is given twice");
    flat_refused("linear", "starts=0", BLN_EINVAL, "a whole number from 1");
    flat_refused("linear", "tolerance=nan", BLN_EINVAL, "a number above 0");
    flat_refused("linear", "noise_sd=0", BLN_EINVAL, "a number above 0");
    flat_refused("linear", "prior=broad", BLN_EINVAL, "learn, flat, each, not \"broad\"");
    flat_refused("linear", "names=a", BLN_ESHAPE, "1 of them for 2 columns");
    flat_refused("linear", "names=a;", BLN_EINVAL, "column 1 has none");
    flat_refused("linear", "names=", BLN_EINVAL, "names wants something");
    flat_refused("linear", "inference=magic", BLN_EINVAL, "laplace, full");
    flat_refused("linear", "inference=laplace, chains=2", BLN_EINVAL, "has no option chains");
    flat_refused("linear", "inference=nuts, chains=two", BLN_EINVAL, "chains wants a whole number from 1, not \"two\"");
    flat_refused("linear", "inference=laplace, starts=3", BLN_EINVAL, "begins at one place");
    flat_refused("linear", "inference=laplace, noise_sd=3", BLN_EINVAL, "noise_sd is for the linear model");
    flat_refused("linear", "inference=laplace, integrate=yes", BLN_EINVAL, "inference=integrated");
    flat_refused("linear", "integrate=yes, prior=each", BLN_EINVAL, "neither with prior=each");
    flat_refused("rbf:n=900", "integrate=yes", BLN_EINVAL, "few features");
    flat_refused("rbf:n=5", "prior=flat", BLN_EINVAL, "random features");
    flat_refused("auto", "prior=flat", BLN_EINVAL, "need a basis");
    flat_refused("linear", "categories=3", BLN_EINVAL, "categories is for");
    flat_refused("cubic", "", BLN_EUNKNOWN, "cubic");
    flat_refused("linear:cols=c", "names=a;b", BLN_EUNKNOWN, "\"c\"");
    flat_refused("auto:budget=much", "", BLN_EUNKNOWN, "auto");
    flat_refused("linear+linear:degree=", "", BLN_EUNKNOWN, "degree");
}

TEST(flat, bad_rows)
{
    char say[BIND_SAY];
    double bad[BIND_N], out[3*BIND_M];
    bayeslin_model *model = NULL;
    flat_rows();
    flat_X[2*5 + 1] = NAN;
    flat_refused("linear", "", BLN_EDATA, "row 5, column 1");
    flat_rows();
    flat_y[7] = HUGE_VAL;
    flat_refused("linear", "", BLN_EDATA, "row 7");
    flat_rows();
    for (size_t i = 0; i < BIND_N; i++) bad[i] = i == 9 ? -1.0 : 1.0;
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, flat_y, bad, NULL, NULL, "linear", NULL, &model, say, sizeof say) == (int)BLN_EDOMAIN);
    CHECK(strstr(say, "row 9") && !model);
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, flat_y, NULL, NULL, bad, "linear", NULL, &model, say, sizeof say) == (int)BLN_EDOMAIN);
    bad[9] = 1.0;
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, flat_y, NULL, NULL, bad, "linear", NULL, &model, say, sizeof say) == (int)BLN_EINVAL);
    CHECK(strstr(say, "trials"));
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, bad, NULL, NULL, NULL, "linear", NULL, &model, say, sizeof say) == (int)BLN_EUNDEFINED);
    CHECK(strstr(say, "nothing to learn"));
    bad[3] = 99.0;
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, bad, NULL, NULL, NULL, "linear", "likelihood=categorical", &model, say, sizeof say)
          == (int)BLN_EDOMAIN);

    model = flat_made(BIND_N, flat_y, NULL, NULL, "linear", "");
    CHECK(bayeslin_predict(model, 1, 3, flat_Z, NULL, NULL, out, NULL, NULL, say, sizeof say) == (int)BLN_ESHAPE);
    CHECK(!strcmp(say, "X has 3 columns, the model 2"));
    CHECK(bayeslin_predict(model, 1, 3, flat_Z, NULL, NULL, out, NULL, NULL, say, 8) == (int)BLN_ESHAPE && !strcmp(say, "X has 3"));
    flat_Z[3] = NAN;
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, NULL, out, NULL, NULL, say, sizeof say) == (int)BLN_EDATA);
    CHECK(strstr(say, "row 1, column 1"));
    flat_rows();
    CHECK(bayeslin_intervals(model, BIND_M, 2, flat_Z, NULL, NULL, 1.0, 0, out, out + BIND_M, NULL, 0) == (int)BLN_EDOMAIN);
    CHECK(bayeslin_predict(model, BIND_M, 2, flat_Z, NULL, flat_y, out, NULL, NULL, NULL, 0) == (int)BLN_EINVAL);
    CHECK(bayeslin_predict(model, (size_t)-1/2, 2, flat_Z, NULL, NULL, out, NULL, NULL, NULL, 0) == (int)BLN_ENOMEM);
    CHECK(bayeslin_predict(model, 0, 2, NULL, NULL, NULL, out, NULL, NULL, NULL, 0) == 0);
    bayeslin_free(model);
}

TEST(flat, null_pointers)
{
    double out[BIND_M];
    char say[BIND_SAY];
    bayeslin_model *model = NULL, *none = NULL;
    flat_rows();
    CHECK(bayeslin_fit(BIND_N, 2, NULL, flat_y, NULL, NULL, NULL, NULL, NULL, &none, say, sizeof say) == 1);
    CHECK_TEXT(say, "X is NULL");
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, NULL, NULL, NULL, NULL, NULL, NULL, &none, say, sizeof say) == 1);
    CHECK_TEXT(say, "y is NULL");
    CHECK(bayeslin_fit(BIND_N, 2, flat_X, flat_y, NULL, NULL, NULL, NULL, NULL, NULL, say, sizeof say) == 1);
    CHECK_TEXT(say, "out is NULL");
    CHECK(bayeslin_fit(0, 2, flat_X, flat_y, NULL, NULL, NULL, NULL, NULL, &none, NULL, 0) == 1 && !none);
    CHECK(bayeslin_fit(BIND_N, 0, flat_X, flat_y, NULL, NULL, NULL, NULL, NULL, &none, NULL, 99) == 1 && !none);
    model = flat_made(BIND_N, flat_y, NULL, NULL, "bias", "integrate=no");
    bayeslin_free(NULL);
    CHECK(bayeslin_shape(NULL, NULL, NULL, NULL, NULL) == 1 && bayeslin_shape(model, NULL, NULL, NULL, NULL) == 0);
    CHECK(bayeslin_predict(NULL, 1, 2, flat_Z, NULL, NULL, out, NULL, NULL, NULL, 0) == 1);
    CHECK(bayeslin_predict(model, 1, 2, NULL, NULL, NULL, out, NULL, NULL, NULL, 0) == 1);
    CHECK(bayeslin_predict(model, 1, 2, flat_Z, NULL, NULL, NULL, NULL, NULL, NULL, 0) == 0);
    CHECK(bayeslin_intervals(NULL, 1, 2, flat_Z, NULL, NULL, 0.9, 0, out, out + 1, NULL, 0) == 1);
    CHECK(bayeslin_intervals(model, 1, 2, flat_Z, NULL, NULL, 0.9, 0, NULL, out, NULL, 0) == 1);
    CHECK(bayeslin_intervals(model, 1, 2, flat_Z, NULL, NULL, 0.9, 0, out, NULL, NULL, 0) == 1);
    CHECK(bayeslin_covariance(NULL, 1, 2, flat_Z, 0, out, NULL, 0) == 1);
    CHECK(bayeslin_covariance(model, 1, 2, flat_Z, 0, NULL, NULL, 0) == 1);
    CHECK(bayeslin_covariance(model, 1, 2, flat_Z, 0, out, NULL, 0) == 0 && out[0] > 0.0);
    CHECK(bayeslin_draws(NULL, 1, 2, flat_Z, NULL, NULL, 1, 0, 0, out, NULL, 0) == 1);
    CHECK(bayeslin_draws(model, 1, 2, flat_Z, NULL, NULL, 1, 0, 0, NULL, NULL, 0) == 1);
    CHECK(bayeslin_draws(model, 1, 2, flat_Z, NULL, NULL, 0, 0, 0, out, NULL, 0) == 1);
    CHECK(bayeslin_coefficients(NULL, out, NULL, NULL, NULL, 0) == 1);
    CHECK(bayeslin_coefficients(model, NULL, NULL, NULL, NULL, 0) == 0);
    CHECK(bayeslin_slopes(NULL, 1, 2, flat_Z, out, NULL, 0) == 1 && bayeslin_slopes(model, 1, 2, flat_Z, NULL, NULL, 0) == 1);
    CHECK(bayeslin_slopes(model, 1, 2, flat_Z, out, NULL, 0) == 0 && out[0] == 0.0 && out[1] == 0.0);
    CHECK(bayeslin_name(NULL, 0, say, sizeof say) == 0 && bayeslin_name(model, 0, NULL, 0) > 0);
    CHECK(bayeslin_describe(NULL, say, sizeof say) == 0 && bayeslin_describe(model, NULL, 0) > 0);
    CHECK(bayeslin_save(NULL, "build/x", NULL, 0) == 1 && bayeslin_save(model, NULL, NULL, 0) == 1);
    CHECK(bayeslin_load(NULL, &none, NULL, 0) == 1 && bayeslin_load("build/x", NULL, NULL, 0) == 1);
    bayeslin_free(model);
}

SUITE_BEGIN(flat)
    SUITE_TEST(flat, linear_model_to_the_bit)
    SUITE_TEST(flat, counts_to_the_bit)
    SUITE_TEST(flat, coefficients_of_a_plane)
    SUITE_TEST(flat, few_rows_have_t_intervals)
    SUITE_TEST(flat, covariance_is_that_of_draws)
    SUITE_TEST(flat, a_mean_without_bound)
    SUITE_TEST(flat, draws_of_y_have_the_noise)
    SUITE_TEST(flat, other_units_same_answers)
    SUITE_TEST(flat, offsets_of_real_targets)
    SUITE_TEST(flat, description_in_units)
    SUITE_TEST(flat, classes_and_categories)
    SUITE_TEST(flat, groups_are_not_scaled)
    SUITE_TEST(flat, files_give_the_same_model)
    SUITE_TEST(flat, bad_options)
    SUITE_TEST(flat, bad_rows)
    SUITE_TEST(flat, null_pointers)
SUITE_END(flat)
