/* The generalised linear model by Laplace's method: golden values, gradients, and maximum likelihood as R has it. */
#include "glm_tools.h"
#include "../linear/posterior_of.h"
#include "../golden/gp_golden.h"

static const char *const glm_laplace_names[] = { "gaussian", "student_t", "bernoulli_logit", "bernoulli_probit", "binomial",
                                                 "poisson_exp", "poisson_softplus", "negative_binomial" };
enum { GLM_LAPLACE_NAMES = sizeof glm_laplace_names/sizeof *glm_laplace_names };

/* Evidence, mode, gradients, and C by fitting with everything fixed. The mode is exact to a few eps times the condition of C (below
 * 10); everything else is smooth in it: 1e-12 and, for differences of such, 1e-11. */
TEST(glm_laplace, golden)
{
    bln_basis_ops ops;
    const bln_basis b = glm_table(&ops);
    for (size_t i = 0; i < sizeof golden_glm_laplace/sizeof *golden_glm_laplace; i++) {
        const golden_glm_laplace_row *g = golden_glm_laplace + i;
        double eta[2] = { 1, 1 }, evidence, mode[3], d_prior[2], d_eta[2] = { 0, 0 }, F[18], C[9], work[9];
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(&b, glm_named(g->likelihood, eta, &y, &trials));
        const bln_data data = glm_golden_data(y, trials);
        desc.prior_var = golden_glm_lambda_slice;
        desc.likelihood_theta = eta;
        desc.theta = golden_glm_Phi;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        desc.method = bln_glm_laplace();
        for (desc.block = 0; desc.block < 5; desc.block += 4) {
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_laplace(), &data, desc.prior_var, eta, golden_glm_Phi, &evidence,
                                          mode, NULL, d_prior, d_eta, F, NULL));
            CHECK_GOLD(evidence, g->log_z, 1e-12);
            for (size_t j = 0; j < 3; j++) CHECK_GOLD(mode[j], g->w[j], 1e-12);
            for (size_t j = 0; j < 2; j++) CHECK_GOLD(d_prior[j], g->d_log_lambda[j], 1e-11);
            if (desc.likelihood.n_theta) CHECK_GOLD(d_eta[0]*eta[0], g->d_log_eta, 1e-11);
            for (size_t j = 0; j < 18; j++) CHECK_GOLD(F[j], g->F[j], 1e-11);
            CHECK_FIT(glm, &data, NULL);
            CHECK_GOLD(bln_glm_objective(glm), g->log_z, 1e-12);
            blni_gaussian_covariance(gaussian_of(glm), C, 3, work);
            for (size_t j = 0; j < 3; j++)
                for (size_t k = j; k < 3; k++) CHECK_GOLD(C[j*3 + k], g->C[j*3 + k], 1e-12);
            bln_glm_free(glm);
        }
    }
}

/* log Z at point[0..4]: two log lambda, up to two log eta, one log length scale. */
static double glm_laplace_at(const bln_glm *glm, const bln_data *data, const double *point, double *gradient)
{
    double lambda[2], eta[2], theta, evidence = 0.0, d_prior[2], d_eta[2] = { 0, 0 }, d_theta = 0.0;
    for (size_t i = 0; i < 2; i++) { lambda[i] = exp(point[i]); eta[i] = exp(point[2 + i]); }
    theta = exp(point[4]);
    CHECK_OK(bln_glm_objective_at(glm, bln_glm_laplace(), data, lambda, eta, &theta, &evidence, NULL, NULL,
                                  gradient ? d_prior : NULL, gradient ? d_eta : NULL, gradient ? &d_theta : NULL, NULL));
    for (size_t i = 0; i < 2 && gradient; i++) { gradient[i] = d_prior[i]; gradient[2 + i] = d_eta[i]*eta[i]; }
    if (gradient) gradient[4] = d_theta*theta;
    return evidence;
}

typedef struct glm_laplace_problem { const bln_glm *glm; const bln_data *data; } glm_laplace_problem;
static double glm_laplace_value(const void *problem, const double *point)
{
    const glm_laplace_problem *p = (const glm_laplace_problem *)problem;
    return glm_laplace_at(p->glm, p->data, point, NULL);
}

/* Against central differences with one Richardson extrapolation, h = 1e-3: error h^4/4 of the fifth derivative, some 1e-10 of
 * values and slopes of size 100, and rounding 100 eps 2/h = 1e-10. */
TEST(glm_laplace, gradients)
{
    bln_basis *b = slm_parse("bias + rbf:n=4", 2, 3);
    CHECK_SIZE(b->n_slices, 2);
    CHECK_SIZE(b->n_theta, 1);
    for (size_t i = 0; i < GLM_LAPLACE_NAMES; i++) {
        double eta[2] = { 1, 1 }, g[5];
        const double *y, *trials;
        const bln_glm_desc desc = glm_desc(b, glm_named(glm_laplace_names[i], eta, &y, &trials));
        bln_data data = glm_make(glm_laplace_names[i], 40, 11 + i);
        bln_glm *glm = glm_new(&desc);
        double point[5];
        point[0] = 0.3; point[1] = 0.7; point[2] = log(eta[0]); point[3] = log(eta[1]); point[4] = 0.2;
        glm_laplace_at(glm, &data, point, g);
        const glm_laplace_problem problem = { glm, &data };
        glm_check_gradient(glm_laplace_value, &problem, 5, point, g, 2 + desc.likelihood.n_theta, 4, 2e-8);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Fits one of R's data sets with flat priors. data: n x columns, features first. */
static void glm_laplace_fit(const golden_glm_fit_row *g, bln_likelihood l, size_t n, size_t columns, const double *table,
                            size_t features, size_t y, size_t trials, size_t exposure, int standard_errors)
{
    bln_basis *b = NULL;
    bln_report report;
    bln_data data;
    double prior = HUGE_VAL, w[9], sd[9], *Y = test_doubles(n), *T = test_doubles(n), *O = test_doubles(n);
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < n; i++) {
        Y[i] = table[i*columns + y];
        T[i] = trials < columns ? table[i*columns + trials] : 1.0;
        O[i] = exposure < columns ? log(table[i*columns + exposure]) : 0.0;
    }
    data.n = n;
    data.d = features;
    data.X = table;
    data.ldx = columns;
    data.y = Y;
    data.trials = trials < columns ? T : NULL;
    data.offset = O;
    CHECK_OK(bln_linear_create(NULL, features, 1, &b));
    CHECK_SIZE(b->n_slices, 1);
    bln_glm_desc desc = glm_desc(b, l);
    desc.prior_var = &prior;
    desc.block = 5;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, &report);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, NULL));
    CHECK_SIZE(b->D, g->n);
    for (size_t j = 0; j < g->n; j++) {
        CHECK_NEAR(w[j], g->w[j], 1e-8*(fabs(g->w[j]) + g->sd[j]));
        if (standard_errors) CHECK_REL(sd[j], g->sd[j], 1e-7);
    }
    bln_glm_free(glm);
    bln_basis_free(b);
    free(Y); free(T); free(O);
}

/* R stops when the deviance changes by less than 1e-14 of itself, so that its coefficients are right to some 1e-7 standard errors,
 * as Newton's method converges quadratically: far less in fact. */
TEST(glm_laplace, maximum_likelihood)
{
    const bln_link links[] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG };
    for (size_t i = 0; i < 3; i++)
        glm_laplace_fit(golden_glm_fits + i, bln_likelihood_binomial(links[i]), 8, 3, golden_glm_beetle, 1, 2, 1, 9, i == 0);
    glm_laplace_fit(golden_glm_fits + 4, bln_likelihood_poisson(BLN_LINK_LOG), 72, 6, golden_glm_insects, 5, 5, 9, 9, 1);
    glm_laplace_fit(golden_glm_fits + 5, bln_likelihood_poisson(BLN_LINK_LOG), 34, 10, golden_glm_ships, 8, 9, 99, 8, 1);
    double challenger[23*3];
    for (size_t i = 0; i < 23; i++) {                                        /* R's fit is without the pressure */
        challenger[i*3] = golden_glm_challenger[i*4];
        challenger[i*3 + 1] = golden_glm_challenger[i*4 + 2];
        challenger[i*3 + 2] = golden_glm_challenger[i*4 + 3];
    }
    glm_laplace_fit(golden_glm_fits + 3, bln_likelihood_binomial(BLN_LINK_LOGIT), 23, 3, challenger, 1, 2, 1, 9, 1);
    for (size_t i = 0; i < 23; i++) challenger[i*3 + 2] = challenger[i*3 + 2] > 0.0;       /* any of the rings */
    glm_laplace_fit(golden_glm_fits + 6, bln_likelihood_binomial(BLN_LINK_LOGIT), 23, 3, challenger, 1, 2, 9, 9, 1);
    double coal[112*2];                                                      /* before and from 1892 on */
    for (size_t i = 0; i < 112; i++) {
        coal[i*2] = golden_glm_coal[i*2] >= 1892.0;
        coal[i*2 + 1] = golden_glm_coal[i*2 + 1];
    }
    glm_laplace_fit(golden_glm_fits + 7, bln_likelihood_poisson(BLN_LINK_LOG), 112, 2, coal, 1, 1, 9, 9, 1);
}

/* Classes that x separates, also where only some do, and counts that are all zero: no maximum. With a prior all is well. */
TEST(glm_laplace, no_maximum)
{
    const double x[] = { -2, -1, -0.5, 0.5, 1, 2, 3, 3 }, split[] = { 0, 0, 0, 1, 1, 1, 1, 1 }, zero[] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    const double touching[] = { 0, 0, 0, 0, 0, 0, 1, 0 }, flat = HUGE_VAL, wide = 100.0;
    const bln_link links[] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG };
    bln_basis *b = NULL;
    bln_data data;
    bln_report report;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    memset(&data, 0, sizeof data);
    data.n = 8;
    data.d = 1;
    data.X = x;
    for (size_t i = 0; i < 8; i++) {
        bln_glm_desc desc = glm_desc(b, i < 6 ? bln_likelihood_binomial(links[i % 3])
                                              : bln_likelihood_poisson(i < 7 ? BLN_LINK_LOG : BLN_LINK_SOFTPLUS));
        data.y = i < 3 ? split : i < 6 ? touching : zero;
        desc.prior_var = &flat;
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EUNDEFINED);
        CHECK_TEXT(report.text, "no maximum");
        CHECK(gaussian_of(glm) == NULL);
        bln_glm_free(glm);
        desc.prior_var = &wide;
        desc.fix_prior_var = 1;
        glm = glm_new(&desc);
        CHECK_FIT(glm, &data, &report);
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* A constant with a flat prior and the first cut say the same: wherever the cut starts, there it stays, the constant makes up for
 * it, and nothing else changes: the evidence's slope in the cut is 0 but for rounding. Searches end at a relative progress of
 * 1e-10, which leaves gaps right to its root. */
TEST(glm_laplace, constant_and_first_cut)
{
    const double x[] = { -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2 }, y[] = { 0, 1, 1, 0, 2, 2, 1, 2, 2 }, flat = HUGE_VAL;
    const double starts[2][2] = { { -0.7, 1.4 }, { 2.3, 1.4 } };
    double w[2][2], sd[2][2], density[2][9];
    bln_basis *b = NULL;
    bln_data data;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &b));
    memset(&data, 0, sizeof data);
    data.n = 9;
    data.d = 1;
    data.X = x;
    data.y = y;
    for (int k = 0; k < 2; k++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_ordinal(3));
        desc.prior_var = &flat;
        desc.likelihood_theta = starts[k];
        desc.tolerance = 1e-10;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        CHECK_NEAR(bln_glm_likelihood_theta(glm)[0], starts[k][0], 1e-9);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), w[k], sd[k], 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &data, density[k], NULL, NULL));
        bln_glm_free(glm);
    }
    CHECK_NEAR(w[1][0] - w[0][0], 3.0, 1e-4);
    CHECK_NEAR(w[1][1], w[0][1], 1e-4);
    for (size_t j = 0; j < 2; j++) CHECK_NEAR(sd[1][j], sd[0][j], 1e-4);
    for (size_t i = 0; i < 9; i++) CHECK_NEAR(density[1][i], density[0][i], 1e-4);
    bln_basis_free(b);
}

/* The Gaussian likelihood: Laplace's method is exact, so that the linear model finds the same hyper-parameters and evidence. Both
 * searches stop at a relative progress of 1e-9: the evidences agree to 1e-6, parameters to the root of that. */
TEST(glm_laplace, gaussian_is_slm)
{
    bln_basis *b = slm_parse("bias + rbf:n=5", 2, 5);
    bln_data data = slm_make(60, 2, 3, 1);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    bln_slm_desc linear = slm_desc(b, BLN_SLM_PRIMAL);
    double mean[60], model[60], noise[60], lm[60], lv[60], lt[60];
    desc.method = bln_glm_laplace();
    desc.no_hyper_prior = 1;
    desc.tolerance = linear.tolerance = 1e-9;
    bln_glm *glm = glm_new(&desc);
    bln_slm *slm = slm_fit(&linear, &data);
    CHECK_FIT(glm, &data, NULL);
    CHECK_NEAR(bln_glm_objective(glm), bln_slm_evidence(slm), 1e-5);
    CHECK_REL(bln_glm_likelihood_theta(glm)[0], bln_slm_noise_var(slm), 1e-2);
    CHECK_OK(bln_glm_predict(glm, &data, mean, model, noise, NULL, NULL));
    CHECK_OK(total_of(bln_slm_posterior(slm), &data, lm, lv, lt, NULL, NULL));
    for (size_t i = 0; i < 60; i++) {
        CHECK_NEAR(mean[i], lm[i], 1e-2);
        CHECK_REL(model[i] + noise[i], lt[i], 1e-2);
    }
    CHECK_NEAR(bln_glm_rows(glm), bln_slm_rows(slm), 0.0);
    bln_glm_free(glm);
    bln_slm_free(slm);
    slm_free_data(&data);
    bln_basis_free(b);
}

/* The exact Gaussian process of classes, as scikit-learn has it: its search for the mode ends at a gain of 1e-10. Laplace's value
 * falls short of the evidence here; the bound of a full Gaussian, which cannot exceed it, is nearer. */
TEST(glm_laplace, gp_equals_scikit_learn)
{
    enum { N = 40, D = 3 };
    static const char *const texts[2][2] = { { "gp", "gp:ard" }, { "gp:kernel=matern32", "gp:kernel=matern32,ard" } };
    static const double *const evidence[2][2] = {
        { golden_gp_rbf_isotropic_class_evidence, golden_gp_rbf_ard_class_evidence },
        { golden_gp_matern32_isotropic_class_evidence, golden_gp_matern32_ard_class_evidence } };
    double y[N];
    for (size_t i = 0; i < N; i++) y[i] = golden_gp_y[i] > 0.4;
    const bln_data data = slm_view(N, D, golden_gp_X, y);
    for (int kernel = 0; kernel < 2; kernel++)
        for (int ard = 0; ard < 2; ard++) {
            bln_spec_desc spec;
            bln_glm_desc desc;
            bln_basis *b = NULL;
            double laplace = 0.0, full = 0.0;
            const double *theta = ard ? golden_gp_length_ard : golden_gp_length_isotropic;
            memset(&spec, 0, sizeof spec);
            spec.text = texts[kernel][ard];
            spec.d = D;
            spec.rows = &data;
            CHECK_OK(bln_basis_parse(&spec, &b, NULL));
            memset(&desc, 0, sizeof desc);
            desc.basis = b;
            desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_laplace(), &data, golden_gp_variance, NULL, theta, &laplace, NULL, NULL,
                                          NULL, NULL, NULL, NULL));
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), &data, golden_gp_variance, NULL, theta, &full, NULL, NULL,
                                          NULL, NULL, NULL, NULL));
            CHECK_REL(laplace, *evidence[kernel][ard], 1e-10);
            CHECK(full > laplace && full < laplace + 0.5);
            bln_glm_free(glm);
            bln_basis_free(b);
        }
}

/* ---- where Newton's method does not lead */

/* log p = steep f + more, lower by `fall` at each call, which says of itself that its slope is 1. */
typedef struct glm_slide { double steep, curvature, more, fall; size_t calls; } glm_slide;
static void glm_slide_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                           double *logp, double *d1, double *d2, double *d3)
{
    glm_slide *s = (glm_slide *)(uintptr_t)l->user;
    (void)theta; (void)t;
    s->calls++;
    for (size_t i = 0; i < n; i++) {
        if (logp) logp[i] = s->steep*f[i] + s->more - s->fall*(double)s->calls;
        if (d1) d1[i] = 1.0;
        if (d2) d2[i] = -s->curvature;
        if (d3) d3[i] = 0.0;
    }
}
static void glm_slide_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                           double *logp)
{
    glm_slide_eval(l, theta, n, t, f, logp, NULL, NULL, NULL);
}

/* One row and one weight, whose log p rises without end or falls from call to call; the prior is flat or of variance lambda.
 *
 *     steep, curvature, more, fall    lambda
 *     1, 1e-308, 0, 0                 flat        steps of 1e308 until there is no longer one
 *     4, 1e-308, 0, 0                 flat        the same; log p overflows before
 *     1, 1, 0, 0                      1e12        two hundred steps of 1, in a million millions
 *     1, 1e3, 0, 1                    1           no step rises, which does not come from rounding
 *     1, 1e3, 1e9, 1e2                1           here it may: the decrement, 1e-3, is below 1e-6 of log p
 *     1, infinite, 0, 0               flat, 1     curvature overflows */
TEST(glm_laplace, slides)
{
    static const struct { double steep, curvature, more, fall, lambda; bln_status status; const char *text; } slides[] = {
        { 1.0, 1e-308, 0.0, 0.0, 0.0, BLN_EUNDEFINED, "has no maximum" },
        { 4.0, 1e-308, 0.0, 0.0, 0.0, BLN_EUNDEFINED, "has no maximum" },
        { 1.0, 1.0, 0.0, 0.0, 1e12, BLN_ENUMERIC, "no mode found" }, { 1.0, 1e3, 0.0, 1.0, 1.0, BLN_ENUMERIC, "no mode found" },
        { 1.0, 1e3, 1e9, 1e2, 1.0, BLN_OK, "" }, { 1.0, -1.0, 0.0, 0.0, 0.0, BLN_ENUMERIC, "overflow" },
        { 1.0, -1.0, 0.0, 0.0, 1.0, BLN_ENUMERIC, "overflow" }
    };
    const double y[1] = { 1.0 }, flat = HUGE_VAL;
    bln_basis *b = NULL;
    CHECK_OK(bln_bias_create(NULL, &b));
    const bln_data data = slm_view(1, 0, NULL, y);
    for (size_t k = 0; k < sizeof slides/sizeof *slides; k++) {
        glm_slide s = { 0.0, 0.0, 0.0, 0.0, 0 };
        bln_likelihood_ops ops = BLN_ZERO;
        bln_report report;
        ops.name = "my_slide";
        ops.eval = glm_slide_eval;
        ops.logp = glm_slide_logp;
        s.steep = slides[k].steep;
        s.curvature = slides[k].curvature < 0.0 ? HUGE_VAL : slides[k].curvature;
        s.more = slides[k].more;
        s.fall = slides[k].fall;
        bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
        desc.likelihood.ops = &ops;
        desc.likelihood.n_theta = 0;
        desc.likelihood.user = &s;
        desc.method = bln_glm_laplace();
        desc.prior_var = slides[k].lambda > 0.0 ? &slides[k].lambda : &flat;
        desc.fix_prior_var = 1;
        bln_glm *glm = glm_new(&desc);
        const bln_status status = bln_glm_fit(glm, &data, &report);
        CHECK_STATUS(status, slides[k].status);
        if (status != BLN_OK) CHECK_TEXT(report.text, slides[k].text);
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* Two outliers of a Student-t, as far to one side as to the other: between them the gradient is 0, and all W_n are negative. With a
 * flat prior there is nothing to go by. With a prior a separable line has a mode, approached as slowly as if there were none. */
TEST(glm_laplace, saddles_and_wide_priors)
{
    const double y[2] = { -30.0, 30.0 }, eta[2] = { 1.0, 2.0 }, flat = HUGE_VAL, wide = 1e30;
    const double x[4] = { -2.0, -1.0, 1.0, 2.0 }, split[4] = { 0.0, 0.0, 1.0, 1.0 };
    bln_basis *b = NULL, *line = slm_parse("linear:ones=0", 1, 0);
    bln_report report;
    double w;
    CHECK_OK(bln_bias_create(NULL, &b));
    bln_data data = slm_view(2, 0, NULL, y);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_student_t());
    desc.likelihood_theta = eta;
    desc.fix_likelihood = 1;
    desc.prior_var = &flat;
    bln_glm *glm = glm_new(&desc);
    const bln_status status = bln_glm_fit(glm, &data, &report);
    if (status == BLN_OK) {                                  /* an outlier, and not the point between them */
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), &w, NULL, 0, NULL, NULL, NULL, NULL));
        CHECK_NEAR(fabs(w), 30.0, 1.0);
    } else CHECK_STATUS(status, BLN_EUNDEFINED);
    bln_glm_free(glm);
    data = slm_view(4, 1, x, split);
    desc = glm_desc(line, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.method = bln_glm_laplace();
    desc.prior_var = &wide;
    desc.fix_prior_var = 1;
    glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), &w, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_LE(2.0*log1p(exp(-w)) + 2.0*log1p(exp(-2.0*w)) + 0.5*w*w/wide, 1e-11);        /* a search ends at gains of 1e-12 */
    bln_glm_free(glm);
    bln_basis_free(b);
    bln_basis_free(line);
}

/* A flat feature that is twice another one but for 1e-12 of it: their factor exists, and says nothing. */
TEST(glm_laplace, features_all_but_dependent)
{
    double X[16], y[8];
    const double flat = HUGE_VAL;
    bln_basis *b = NULL;
    bln_report report;
    for (size_t i = 0; i < 8; i++) {
        X[2*i] = sin(1.0 + (double)i);
        X[2*i + 1] = 2.0*X[2*i] + 1e-8*cos((double)(i*i));
        y[i] = i % 3 == 0;
    }
    CHECK_OK(bln_linear_create(NULL, 2, 1, &b));
    const bln_data data = slm_view(8, 2, X, y);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.prior_var = &flat;
    bln_glm *glm = glm_new(&desc);
    for (int k = 0; k < 40; k++) {                           /* which rounding comes through as a factor is chance */
        for (size_t i = 0; i < 8; i++) X[2*i + 1] = 2.0*X[2*i] + 1e-8*cos((double)(i*i + 7*(size_t)k));
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_ENOTPD);
        CHECK_TEXT(report.text, "depends on those before it");
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

static bln_status glm_laplace_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows");
}

/* A matrix with negative W that is not positive definite: rows that fail as they are passed over again without these. */
TEST(glm_laplace, no_rows_for_a_direction)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("student_t", 20, 5);
    const double eta[2] = { 1.0, 3.0 }, lambda[2] = { 1.0, 1.0 };
    bln_glm_desc desc = glm_desc(b, bln_likelihood_student_t());
    bln_glm *glm = glm_new(&desc);
    blni_glm_fit *f = NULL;
    blni_glm_own own = BLN_ZERO;
    bln_report report;
    double decrement;
    desc = glm->desc;
    desc.method = bln_glm_laplace();
    CHECK_OK(blni_glm_open(&glm->alloc, &desc, &own, NULL, NULL, &data, 1, &f, NULL));
    CHECK_OK(blni_glm_point(f, lambda, eta, NULL, NULL));
    blni_mode *e = (blni_mode *)f->state;
    CHECK_OK(blni_mode_enter(e, &f->hyper, NULL));
    CHECK_OK(blni_mode_begin(e, &f->hyper, NULL));
    for (size_t i = 0; i < 9; i++) e->B[i] = i % 4 ? 0.0 : -1e6;
    f->source.reset = glm_laplace_no_rows;
    CHECK_STATUS(blni_mode_direction(e, &f->hyper, &decrement, &report), BLN_EIO);
    CHECK_TEXT(report.text, "no rows");
    blni_glm_close(&glm->alloc, f);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_laplace)
SUITE_TEST(glm_laplace, golden)
SUITE_TEST(glm_laplace, gp_equals_scikit_learn)
SUITE_TEST(glm_laplace, gradients)
SUITE_TEST(glm_laplace, maximum_likelihood)
SUITE_TEST(glm_laplace, no_maximum)
SUITE_TEST(glm_laplace, constant_and_first_cut)
SUITE_TEST(glm_laplace, gaussian_is_slm)
SUITE_TEST(glm_laplace, slides)
SUITE_TEST(glm_laplace, saddles_and_wide_priors)
SUITE_TEST(glm_laplace, features_all_but_dependent)
SUITE_TEST(glm_laplace, no_rows_for_a_direction)
SUITE_END(glm_laplace)
