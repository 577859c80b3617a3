/* The generalised linear model without a row: the linear model's closed forms, fits that do leave the row out, draws by the room
 * that takes tables of them, and every way it can fail. */
#include "glm_tools.h"
#include "../linear/posterior_of.h"

static bln_loo_outputs glm_loo_nothing(void)
{
    bln_loo_outputs out;
    memset(&out, 0, sizeof out);
    return out;
}

/* A model with everything fixed, fitted. */
static bln_glm *glm_loo_fit(const bln_basis *b, bln_likelihood l, glm_way way, size_t components,
                            const double *lambda, const double *eta, const double *theta, const bln_data *data)
{
    bln_glm_desc desc = glm_desc(b, l);
    glm_options options = glm_no_options();
    options.components = components;
    desc.method = glm_by(way, &options);
    desc.prior_var = lambda;
    desc.likelihood_theta = eta;
    desc.theta = theta;
    desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, data, NULL);
    return glm;
}

enum { GLM_LOO_N = 60 };

/* A Gaussian likelihood: what the linear model says, of both Gaussian posteriors, with weights, offsets and noise variances, and
 * where features miss variance. The full one is found to 1e-8 of its standard deviations. */
TEST(glm_loo, gaussian_is_slm)
{
    static const char *const bases[] = { "bias + rbf:n=5", "bias + inducing:m=6" };
    const double lambda[] = { 2.0, 0.7 }, eta = 0.4, theta = 1.1;
    bln_data data = slm_make(GLM_LOO_N, 2, 3, 1);
    for (size_t c = 0; c < 2; c++)
        for (int full = 0; full < 2; full++) {
            bln_basis *b = slm_parse(bases[c], 2, 5);
            const bln_slm_desc linear = slm_fixed(b, BLN_SLM_PRIMAL, eta, lambda, &theta);
            bln_slm *slm = slm_fit(&linear, &data);
            bln_glm *glm = glm_loo_fit(b, bln_likelihood_gaussian(), full ? GLM_FULL : GLM_LAPLACE, 1, lambda, &eta, &theta,
                                       &data);
            const double tolerance = full ? 1e-7 : 1e-10;
            double mean[GLM_LOO_N], var[GLM_LOO_N], h[GLM_LOO_N], f[GLM_LOO_N], v[GLM_LOO_N], score, within = 0.0;
            double got[7][GLM_LOO_N];
            bln_elpd total;
            bln_loo_outputs out = glm_loo_nothing();
            out.mean = got[0];
            out.var_model = got[1];
            out.var_noise = got[2];
            out.influence = got[3];
            out.logdensity = got[4];
            out.lower = got[5];
            out.upper = got[6];
            out.total = &total;
            CHECK_OK(loo_of(bln_slm_posterior(slm), &data, mean, var, h, &score, NULL));
            CHECK_OK(total_of(bln_slm_posterior(slm), &data, f, NULL, v, NULL, NULL));
            CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, NULL));
            for (size_t i = 0; i < GLM_LOO_N; i++) {
                const double sd = sqrt(var[i]);
                within += data.weight[i]*(bln_norm_logpdf((data.y[i] - f[i])/sqrt(v[i])) - 0.5*log(v[i]));
                CHECK_NEAR(got[0][i], mean[i], tolerance*(1.0 + fabs(mean[i])));
                CHECK_REL(got[1][i] + got[2][i], var[i], tolerance);
                CHECK_NEAR(got[3][i], h[i], tolerance);
                CHECK_NEAR(got[4][i], bln_norm_logpdf((data.y[i] - mean[i])/sd) - log(sd), 1e2*tolerance);
                CHECK_NEAR(got[5][i], mean[i] - 1.959963984540054*sd, 10.0*tolerance*(1.0 + fabs(mean[i]) + sd));
                CHECK_NEAR(got[6][i], mean[i] + 1.959963984540054*sd, 10.0*tolerance*(1.0 + fabs(mean[i]) + sd));
            }
            CHECK_NEAR(total.elpd, score, 1e3*tolerance);
            CHECK_NEAR(total.rows, bln_slm_rows(slm), 0.0);
            CHECK_NEAR(total.parameters, within - score, 1e3*tolerance);
            CHECK(total.se > 0.0);
            bln_glm_free(glm);
            bln_slm_free(slm);
            bln_basis_free(b);
        }
    slm_free_data(&data);
}

static const char *const glm_loo_names[] = { "bernoulli_logit", "bernoulli_probit", "binomial", "poisson_exp", "poisson_softplus",
                                             "negative_binomial" };
enum { GLM_LOO_NAMES = sizeof glm_loo_names/sizeof *glm_loo_names };

/* Fits in which the rows of a group have t times their weights, and then 0: differences of what the cavity says of the first and
 * the second shows, of means of f and of log densities; and of log densities with the rows in. Sums of absolute values, over the
 * rows of every step-th group: row i is in group i mod groups, and as many groups as rows are the rows by themselves. */
typedef struct glm_loo_errors { double mean, density, within; } glm_loo_errors;
typedef struct glm_loo_model {
    const bln_basis *b;
    bln_likelihood   l;
    const double    *lambda, *eta, *theta;
} glm_loo_model;

static glm_loo_errors glm_loo_differences(const glm_loo_model *m, glm_way way, bln_data data, size_t groups,
                                          size_t step, double t)
{
    double weight[GLM_LOO_N], density[3][GLM_LOO_N], mean[2][GLM_LOO_N];
    size_t group[GLM_LOO_N];
    const double *all = data.weight;
    glm_loo_errors e = { 0.0, 0.0, 0.0 };
    for (size_t i = 0; i < data.n; i++) group[i] = i % groups;
    for (size_t s = 0; s < groups; s += step) {
        bln_loo_outputs out = glm_loo_nothing();
        for (size_t i = 0; i < data.n; i++) weight[i] = group[i] == s ? t*all[i] : all[i];
        data.weight = weight;
        bln_glm *glm = glm_loo_fit(m->b, m->l, way, 1, m->lambda, m->eta, m->theta, &data);
        out.logdensity = density[0];
        out.latent_mean = mean[0];
        const bln_posterior *q = bln_glm_posterior(glm);
        if (groups < data.n) CHECK_OK(bln_posterior_loo_groups(q, &data, group, groups, NULL, &out, NULL, NULL));
        else                 CHECK_OK(bln_posterior_loo(q, &data, NULL, &out, NULL));
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &data, density[1], NULL, NULL));
        bln_glm_free(glm);
        for (size_t i = 0; i < data.n; i++) if (group[i] == s) weight[i] = 0.0;
        glm = glm_loo_fit(m->b, m->l, way, 1, m->lambda, m->eta, m->theta, &data);
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &data, density[2], NULL, NULL));
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, mean[1], NULL, NULL, NULL));
        bln_glm_free(glm);
        for (size_t i = s; i < data.n; i += groups) {
            e.mean += fabs(mean[0][i] - mean[1][i]);
            e.density += fabs(density[0][i] - density[2][i]);
            e.within += fabs(density[1][i] - density[2][i]);
        }
    }
    return e;
}

/* t: a weight that is small, and a quarter of it after that; most: of what leaving rows out changes. */
static void glm_loo_against_fits(size_t groups, size_t step, double t, double most)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    const double lambda[] = { 2.0, 0.7 }, theta = 1.3;
    for (size_t c = 0; c < GLM_LOO_NAMES; c++) {
        double eta[2] = { 1, 1 };
        const double *y, *trials;
        const glm_loo_model m = { b, glm_named(glm_loo_names[c], eta, &y, &trials), lambda, eta, &theta };
        bln_data data = glm_make(glm_loo_names[c], 30, 21 + c);
        const glm_loo_errors far = glm_loo_differences(&m, GLM_LAPLACE, data, groups, step, t);
        const glm_loo_errors near = glm_loo_differences(&m, GLM_LAPLACE, data, groups, step, 0.25*t);
        CHECK_LE(10.0*near.mean, far.mean);
        CHECK_LE(far.mean, 25.0*near.mean);
        for (int full = 0; full < (c % 2 ? 1 : 2); full++) {
            const glm_loo_errors whole = glm_loo_differences(&m, full ? GLM_FULL : GLM_LAPLACE, data, groups, step, 1.0);
            CHECK_LE(whole.density, most*whole.within);
        }
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* The mean of f, by Laplace's method, is a step of Newton's: its error is of the order t^2 for a row of weight t, 16 times less for
 * a quarter of it, here 10 to 25 times, as terms of third order are a few tenths of t. A term that is missing, or wrong by a
 * factor, leaves an error of the order t, 4 times less. Variances, and means by the full bound, also miss that the other rows'
 * curvatures change with f, in the order t times the third derivative: of a whole row, all this must be little against what leaving
 * it out changes. */
TEST(glm_loo, fits_without_the_row) { glm_loo_against_fits(30, 6, 0.2, 0.06); }

/* Draws of a normal f with exact ratios: elpd = -log mean 1/p, whose relative variance is closed; 6 standard errors, of smoothing
 * too. One weight, of which a mixture of one component is exact; so are the Gaussian posteriors, with several weights. Features
 * that miss variance: the same ratios up to a factor, and a smoother density. */
TEST(glm_loo, draws_of_a_gaussian)
{
    static const struct { const char *basis; glm_way way; } cases[] = {
        { "bias", GLM_MIXTURE }, { "bias + rbf:n=5", GLM_LAPLACE }, { "bias + inducing:m=6", GLM_FULL } };
    const double lambda[] = { 2.0, 0.7 }, eta = 0.9, theta = 1.1;
    bln_data data = slm_make(GLM_LOO_N, 2, 3, 0);
    for (size_t c = 0; c < 3; c++) {
        bln_basis *b = slm_parse(cases[c].basis, 2, 5);
        const bln_slm_desc linear = slm_fixed(b, BLN_SLM_PRIMAL, eta, lambda, &theta);
        bln_slm *slm = slm_fit(&linear, &data);
        bln_glm *glm = glm_loo_fit(b, bln_likelihood_gaussian(), cases[c].way, 1, lambda, &eta, &theta, &data);
        bln_loo_desc desc = BLN_ZERO;
        bln_loo_outputs out = glm_loo_nothing();
        double mean[GLM_LOO_N], var[GLM_LOO_N], h[GLM_LOO_N], density[GLM_LOO_N], m[GLM_LOO_N], v[GLM_LOO_N], f[GLM_LOO_N];
        desc.psis = 1;
        desc.draws = 4000;
        out.logdensity = density;
        out.latent_mean = m;
        out.latent_var = v;
        CHECK_OK(loo_of(bln_slm_posterior(slm), &data, mean, var, h, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, f, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, &desc, &out, NULL));
        for (size_t i = 0; i < GLM_LOO_N; i++) {
            const double sd = sqrt(var[i]), r = data.y[i] - f[i];
            const double second = exp(r*r/eta*(1.0/(1.0 - 2.0*h[i]) - 1.0/(1.0 - h[i])))*(1.0 - h[i])/sqrt(1.0 - 2.0*h[i]);
            const double error = 6.0*sqrt((second - 1.0)/(double)desc.draws);
            if (!(h[i] < 0.3)) continue;
            CHECK_NEAR(density[i], bln_norm_logpdf((data.y[i] - mean[i])/sd) - log(sd), error);
            /* means by weights of this spread, in standard deviations; variances twice as much */
            CHECK_NEAR(m[i], mean[i], (error + 6.0/sqrt((double)desc.draws))*sqrt(v[i]));
            CHECK_NEAR(v[i], var[i] - eta, 2.0*(error + 6.0/sqrt((double)desc.draws))*v[i]);
        }
        bln_glm_free(glm);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

/* The same draws as in the table, and the same figures as of that: to rounding, of WAIC, whose log p are the same numbers, to the
 * bit. Blocks do not matter. */
TEST(glm_loo, draws_are_the_table)
{
    enum { S = 300, N = 30 };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    const double lambda[] = { 2.0, 0.7 }, theta = 1.3;
    bln_data data = glm_make("binomial", N, 5);
    bln_glm *glm = glm_loo_fit(b, bln_likelihood_binomial(BLN_LINK_LOGIT), GLM_MIXTURE, 2, lambda, NULL, &theta, &data);
    double *table = test_doubles(S*(N + 1)), *work = test_doubles(bln_psis_loo_work(S)), elpd[2][N], k[2][N];
    bln_elpd total[2];
    bln_loo_desc desc = BLN_ZERO;
    bln_loo_outputs out = glm_loo_nothing();
    desc.draws = S;
    desc.seed = 9;
    out.logdensity = elpd[0];
    out.influence = k[0];
    out.total = total;
    CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, &desc, &out, NULL));
    CHECK_OK(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, S, 9, table, N + 1, NULL));
    CHECK_OK(bln_psis_loo(S, N, table, N + 1, data.weight, 0.0, elpd[1], k[1], total + 1, work, NULL));
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(elpd[0][i], elpd[1][i], 1e-11);
        if (data.weight[i] > 0.0) CHECK_NEAR(k[0][i], k[1][i], 1e-10);
    }
    CHECK_NEAR(total[0].elpd, total[1].elpd, 1e-9);
    CHECK_NEAR(total[0].se, total[1].se, 1e-9);
    CHECK_SIZE(total[0].bad, total[1].bad);
    CHECK_SIZE(total[0].worst, total[1].worst);
    CHECK_OK(bln_psis_loo(S, N, table, N + 1, NULL, 0.0, NULL, NULL, total, work, NULL));
    CHECK_OK(bln_waic(S, N, table, N + 1, NULL, NULL, NULL, total + 1, work, NULL));
    CHECK_NEAR(total[1].elpd, total[0].elpd, 0.5);                      /* they differ where single rows matter */
    CHECK_OK(bln_waic(S, N, table, N + 1, data.weight, elpd[1], k[1], total + 1, work, NULL));
    CHECK_OK(bln_posterior_waic(bln_glm_posterior(glm), &data, S, 9, elpd[0], k[0], total, NULL));
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(elpd[0][i], elpd[1][i], 0.0);
        CHECK_NEAR(k[0][i], k[1][i], 0.0);
    }
    CHECK_NEAR(total[0].elpd, total[1].elpd, 0.0);
    CHECK_NEAR(total[0].se, total[1].se, 0.0);
    CHECK_NEAR(total[0].parameters, total[1].parameters, 0.0);
    CHECK_NEAR(total[0].rows, bln_glm_rows(glm), 1e-12*total[0].rows);
    CHECK_SIZE(total[0].bad, total[1].bad);
    CHECK_SIZE(total[0].worst, total[1].worst);
    free(table);
    free(work);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A row of weight 0 was never in: its ordinary prediction. What is asked for belongs together; blocks do not matter; a mixture's
 * interval holds what it should. */
TEST(glm_loo, outputs)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("poisson_exp", GLM_LOO_N, 5);
    for (int kind = 0; kind < 3; kind++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG));
        bln_loo_desc loo = BLN_ZERO;
        double got[2][7][GLM_LOO_N], plain[3][GLM_LOO_N];
        desc.method = glm_by((glm_way)kind, NULL);
        loo.level = 0.8;
        loo.draws = 500;
        for (int blocks = 0; blocks < 2; blocks++) {
            bln_loo_outputs out = glm_loo_nothing();
            desc.block = blocks ? 7 : 0;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, NULL);
            out.logdensity = got[blocks][0];
            out.mean = got[blocks][1];
            out.lower = got[blocks][2];
            out.upper = got[blocks][3];
            out.latent_mean = got[blocks][4];
            out.latent_var = got[blocks][5];
            out.var_model = got[blocks][6];
            CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, &loo, &out, NULL));
            CHECK_OK(bln_glm_predict(glm, &data, plain[0], plain[1], NULL, NULL, NULL));
            CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &data, plain[2], NULL, NULL));
            bln_glm_free(glm);
        }
        for (size_t i = 0; i < GLM_LOO_N; i++) {
            const double spread = kind == GLM_MIXTURE ? 6.0/sqrt(500.0) : 1e-9;
            for (size_t j = 0; j < 7; j++)           /* fits with other blocks agree to the tolerance of the search, 1e-6 */
                CHECK_NEAR(got[1][j][i], got[0][j][i], 1e-3*(1.0 + fabs(got[0][j][i])));
            CHECK(got[0][2][i] == floor(got[0][2][i]) && got[0][2][i] <= got[0][1][i] + 1.0 && got[0][3][i] >= got[0][1][i] - 1.0);
            if (data.weight[i] > 0.0) continue;
            CHECK_NEAR(got[1][1][i], plain[0][i], spread*(sqrt(plain[1][i]) + plain[0][i]*1e-3));
            CHECK_NEAR(got[1][0][i], plain[2][i], spread);
        }
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Weights that one row alone determines: with flat priors its prediction is not there, and it is named; the others have theirs.
 * With a proper prior it has leverage near 1 and a figure. */
TEST(glm_loo, undefined)
{
    enum { N = 9 };
    double X[2*N], y[N] = { 3, 1, 4, 1, 5, 9, 2, 6, 5 }, flat = HUGE_VAL, wide = 1e6, density[N], h[N];
    bln_basis *b = NULL;
    bln_data data = BLN_ZERO;
    bln_report r;
    bln_elpd total;
    bln_loo_outputs out = glm_loo_nothing();
    for (size_t i = 0; i < N; i++) { X[2*i] = 1.0; X[2*i + 1] = i == 5; }
    CHECK_OK(bln_linear_create(NULL, 2, 0, &b));
    data.n = N;
    data.d = 2;
    data.X = X;
    data.y = y;
    out.logdensity = density;
    out.influence = h;
    out.total = &total;
    bln_glm *glm = glm_loo_fit(b, bln_likelihood_poisson(BLN_LINK_LOG), GLM_LAPLACE, 1, &flat, NULL, NULL, &data);
    CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &r), BLN_EUNDEFINED);
    CHECK_SIZE(r.row, 5);
    CHECK(density[5] != density[5] && h[5] != h[5] && blni_finite(density[4]) && blni_finite(total.elpd));
    CHECK_NEAR(total.rows, N - 1, 0.0);
    /* the others have one rate: of mean 27/8, leverage 1/8, all the same */
    for (size_t i = 0; i < N; i++) if (i != 5) CHECK_NEAR(h[i], 0.125, 1e-9);
    bln_glm_free(glm);
    glm = glm_loo_fit(b, bln_likelihood_poisson(BLN_LINK_LOG), GLM_LAPLACE, 1, &wide, NULL, NULL, &data);
    CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &r));
    CHECK(h[5] > 0.99999 && h[5] < 1.0 && blni_finite(density[5]) && density[5] < -5.0);
    CHECK_SIZE(total.worst, 5);
    CHECK_SIZE(total.bad, 1);
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* ---- groups */

/* A Gaussian likelihood: what the linear model says, of both posteriors and with all columns; groups of one row: what the call for
 * rows says. In blocks or not. */
TEST(glm_loo, groups_are_exact_where_rows_are)
{
    const double lambda[] = { 2.0, 0.7 }, theta = 1.1, eta = 0.9;
    double mean[GLM_LOO_N], var[GLM_LOO_N], got[9][GLM_LOO_N], want[9][GLM_LOO_N];
    size_t group[GLM_LOO_N];
    bln_elpd total[2];
    bln_data data = slm_make(GLM_LOO_N, 2, 3, 1);
    bln_basis *b = slm_parse("bias + rbf:n=5", 2, 5);
    const bln_slm_desc linear = slm_fixed(b, BLN_SLM_PRIMAL, eta, lambda, &theta);
    bln_slm *slm = slm_fit(&linear, &data);
    for (size_t i = 0; i < GLM_LOO_N; i++) group[i] = i < 23 ? 0 : 1 + i*i%6;           /* some are empty */
    CHECK_OK(groups_of(bln_slm_posterior(slm), &data, group, 8, mean, var, NULL, NULL));
    for (int full = 0; full < 2; full++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
        bln_loo_outputs out = glm_loo_nothing();
        desc.method = glm_by(full ? GLM_FULL : GLM_LAPLACE, NULL);
        desc.prior_var = lambda;
        desc.likelihood_theta = &eta;
        desc.theta = &theta;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        desc.block = full ? 7 : 0;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        out.mean = got[0];
        out.var_model = got[1];
        out.var_noise = got[2];
        CHECK_OK(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 8, NULL, &out, NULL, NULL));
        for (size_t i = 0; i < GLM_LOO_N; i++) {
            CHECK_NEAR(got[0][i], mean[i], (full ? 1e-7 : 1e-9)*(1.0 + fabs(mean[i])));
            CHECK_REL(got[1][i] + got[2][i], var[i], full ? 1e-7 : 1e-9);
        }
        bln_glm_free(glm);
    }
    bln_slm_free(slm);
    slm_free_data(&data);
    data = glm_make("student_t", GLM_LOO_N, 7);                              /* curvatures of both signs */
    for (size_t i = 0; i < GLM_LOO_N; i++) group[i] = GLM_LOO_N - 1 - i;
    for (int full = 0; full < 2; full++) {
        const double scale[2] = { 0.6, 3.0 };
        bln_glm *glm = glm_loo_fit(b, bln_likelihood_student_t(), full ? GLM_FULL : GLM_LAPLACE, 1, lambda, scale, &theta,
                                   &data);
        for (int groups = 0; groups < 2; groups++) {
            double (*v)[GLM_LOO_N] = groups ? got : want;
            bln_loo_outputs out = glm_loo_nothing();
            double **const field[] = { &out.logdensity, &out.mean, &out.var_model, &out.var_noise, &out.lower, &out.upper,
                                       &out.latent_mean, &out.latent_var, &out.influence };
            for (size_t k = 0; k < 9; k++) *field[k] = v[k];
            out.total = total + groups;
            if (groups) CHECK_OK(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, GLM_LOO_N, NULL, &out, NULL, NULL));
            else        CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, NULL));
        }
        for (size_t k = 0; k < 9; k++)
            for (size_t i = 0; i < GLM_LOO_N; i++) CHECK_NEAR(got[k][i], want[k][i], 1e-9*(1.0 + fabs(want[k][i])));
        CHECK_NEAR(total[1].elpd, total[0].elpd, 1e-8);
        CHECK_NEAR(total[1].se, total[0].se, 1e-8);
        CHECK_NEAR(total[1].parameters, total[0].parameters, 1e-8);
        CHECK(total[1].bad == total[0].bad && total[1].worst == total[0].worst && total[1].rows == total[0].rows);
        bln_glm_free(glm);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* As for rows: the error of the mean is of the order t^2 for rows of t of their weights, and that of densities little beside what
 * leaving the whole group out changes. */
TEST(glm_loo, fits_without_the_group) { glm_loo_against_fits(3, 1, 0.1, 0.3); }

TEST(glm_loo, groups_that_are_lost_and_errors)
{
    enum { N = 9 };
    double X[2*N], y[N] = { 3, 1, 4, 1, 5, 9, 2, 6, 5 }, flat = HUGE_VAL, density[N], lambda[] = { 1.0 };
    size_t group[N] = { 0, 1, 2, 0, 1, 3, 3, 0, 1 };
    bln_basis *b = NULL;
    bln_data data = BLN_ZERO;
    bln_report r;
    bln_elpd total;
    test_heap heap;
    bln_loo_outputs out = glm_loo_nothing();
    bln_loo_desc psis = BLN_ZERO;
    for (size_t i = 0; i < N; i++) { X[2*i] = 1.0; X[2*i + 1] = i == 5 || i == 6; }       /* of group 3 alone */
    CHECK_OK(bln_linear_create(NULL, 2, 0, &b));
    data.n = N;
    data.d = 2;
    data.X = X;
    data.y = y;
    out.logdensity = density;
    out.total = &total;
    bln_glm *glm = glm_loo_fit(b, bln_likelihood_poisson(BLN_LINK_LOG), GLM_LAPLACE, 1, &flat, NULL, NULL, &data);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, NULL, &out, NULL, &r), BLN_EUNDEFINED);
    CHECK_SIZE(r.row, 5);
    for (size_t i = 0; i < N; i++) CHECK((density[i] == density[i]) == (i != 5 && i != 6));
    CHECK_NEAR(total.rows, N - 2, 0.0);
    bln_glm_free(glm);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG));
    desc.prior_var = lambda;
    desc.fix_prior_var = 1;
    desc.alloc = test_heap_allocator(&heap);
    glm = glm_new(&desc);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, NULL, &out, NULL, &r), BLN_ESTATE);
    CHECK_FIT(glm, &data, NULL);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, NULL, 4, NULL, &out, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, NULL, NULL, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 3, NULL, &out, NULL, &r), BLN_EDOMAIN);
    CHECK_SIZE(r.row, 5);
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, (size_t)-1, NULL, &out, NULL, &r), BLN_EOVERFLOW);
    psis.psis = 1;
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, &psis, &out, NULL, &r), BLN_EINVAL);
    data.n = 8;
    CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, NULL, &out, NULL, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "total weight");
    data.n = N;
    const size_t live = heap.live;
    for (size_t i = 0; i < 3; i++) {
        heap.calls = 0;
        heap.fail_at = i;
        CHECK_STATUS(bln_posterior_loo_groups(bln_glm_posterior(glm), &data, group, 4, NULL, &out, NULL, &r),
                     i < 2 ? BLN_ENOMEM : BLN_OK);
        CHECK_SIZE(heap.live, live);
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

TEST(glm_loo, errors)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5), d = data;
    double density[30], y[30], table[60];
    bln_elpd total;
    bln_report r;
    for (int mixture = 0; mixture < 2; mixture++) {
        test_heap heap;
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        bln_loo_desc loo = BLN_ZERO;
        bln_loo_outputs out = glm_loo_nothing();
        desc.method = glm_by(mixture ? GLM_MIXTURE : GLM_LAPLACE, NULL);
        desc.alloc = test_heap_allocator(&heap);
        out.logdensity = density;
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &r), BLN_ESTATE);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 2, 0, table, 30, &r), BLN_ESTATE);
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &data, 2, 0, NULL, NULL, &total, &r), BLN_ESTATE);
        CHECK_FIT(glm, &data, NULL);
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(NULL), &data, NULL, &out, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), NULL, NULL, &out, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, NULL, &r), BLN_EINVAL);
        loo.level = 1.0;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, &loo, &out, &r), BLN_EINVAL);
        loo.level = NAN;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, &loo, &out, &r), BLN_EINVAL);
        loo.level = 0.0;
        CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &data, &loo, &out, &r));
        d = data;
        d.weight = NULL;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &d, NULL, &out, &r), BLN_EINVAL);
        CHECK_TEXT(r.text, "total weight");
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &d, 2, 0, NULL, NULL, &total, &r), BLN_EINVAL);
        CHECK_TEXT(r.text, "total weight");
        d = data;
        d.d = 1;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &d, NULL, &out, &r), BLN_ESHAPE);
        memcpy(y, data.y, sizeof y);
        y[7] = 2.5;
        d = data;
        d.y = y;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &d, NULL, &out, &r), BLN_EDOMAIN);
        CHECK_SIZE(r.row, 7);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &d, 2, 0, table, 30, &r), BLN_EDOMAIN);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 0, 0, table, 30, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 2, 0, table, 29, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 2, 0, NULL, 30, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, (size_t)-1/8, 0, table, 30, &r), BLN_EOVERFLOW);
        CHECK_OK(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 2, 0, table, 30, &r));
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &d, 2, 0, NULL, NULL, &total, &r), BLN_EDOMAIN);
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &data, 1, 0, NULL, NULL, &total, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &data, 2, 0, NULL, NULL, NULL, &r), BLN_EINVAL);
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), NULL, 2, 0, NULL, NULL, &total, &r), BLN_EINVAL);
        CHECK_OK(bln_posterior_waic(bln_glm_posterior(glm), &data, 2, 0, NULL, NULL, &total, &r));
        const size_t live = heap.live;
        heap.calls = 0;
        heap.fail_at = 0;
        CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &r), BLN_ENOMEM);
        CHECK_STATUS(bln_posterior_loglikelihoods(bln_glm_posterior(glm), &data, 2, 0, table, 30, &r), BLN_ENOMEM);
        CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(glm), &data, 2, 0, NULL, NULL, &total, &r), BLN_ENOMEM);
        CHECK_SIZE(heap.live, live);
        bln_glm_free(glm);
        CHECK_SIZE(heap.live, 0);
    }
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    bln_loo_outputs out = glm_loo_nothing();
    desc.method = glm_by(GLM_MAP, NULL);
    out.logdensity = density;
    bln_glm *point = glm_new(&desc);
    CHECK_FIT(point, &data, NULL);
    CHECK_STATUS(bln_posterior_loo(bln_glm_posterior(point), &data, NULL, &out, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "point");
    CHECK_STATUS(bln_posterior_waic(bln_glm_posterior(point), &data, 2, 0, NULL, NULL, &total, &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "point");
    bln_glm_free(point);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_loo)
SUITE_TEST(glm_loo, gaussian_is_slm)
SUITE_TEST(glm_loo, fits_without_the_row)
SUITE_TEST(glm_loo, draws_of_a_gaussian)
SUITE_TEST(glm_loo, draws_are_the_table)
SUITE_TEST(glm_loo, outputs)
SUITE_TEST(glm_loo, undefined)
SUITE_TEST(glm_loo, groups_are_exact_where_rows_are)
SUITE_TEST(glm_loo, fits_without_the_group)
SUITE_TEST(glm_loo, groups_that_are_lost_and_errors)
SUITE_TEST(glm_loo, errors)
SUITE_END(glm_loo)
