/* The generalised linear model with fewer rows than features, fitted in the space of the rows: it is the same model. A fit from a
 * source, which never is in that space, stands beside each. */
#include "glm_tools.h"

static const char *const glm_reduce_names[] = { "gaussian", "student_t", "bernoulli_logit", "bernoulli_probit", "binomial",
                                                "poisson_exp", "poisson_softplus", "negative_binomial" };
enum { GLM_REDUCE_NAMES = sizeof glm_reduce_names/sizeof *glm_reduce_names, GLM_REDUCE_D = 64 };

static bln_glm *glm_reduce_fit(const bln_glm_desc *desc, const bln_data *data, int as_source)
{
    bln_data_reader reader;
    const bln_source source = bln_source_of(data, &reader);
    bln_glm *glm = glm_new(desc);
    if (as_source) CHECK_OK(bln_glm_fit_source(glm, &source, NULL));
    else           CHECK_FIT(glm, data, NULL);
    return glm;
}

/* Objective, mean and covariance of both within `tolerance` standard deviations, of which the prior's are taken, the largest. */
static void glm_reduce_same(const bln_glm *a, const bln_glm *b, double tolerance)
{
    static double C[2][GLM_REDUCE_D*GLM_REDUCE_D], work[GLM_REDUCE_D*GLM_REDUCE_D];
    const blni_gaussian *p = gaussian_of(a), *q = gaussian_of(b);
    CHECK_NEAR(bln_glm_objective(a), bln_glm_objective(b), tolerance*(1.0 + fabs(bln_glm_objective(b))));
    CHECK(p != NULL && q != NULL && p->D <= GLM_REDUCE_D);
    if (!p || !q || p->D > GLM_REDUCE_D) return;
    blni_gaussian_covariance(p, C[0], p->D, work);
    blni_gaussian_covariance(q, C[1], p->D, work);
    for (size_t i = 0; i < p->D; i++) {
        CHECK_NEAR(p->s[i], q->s[i], tolerance*q->s[i]);
        CHECK_NEAR(p->m[i], q->m[i], tolerance*q->s[i]);
        for (size_t j = i; j < p->D; j++) CHECK_NEAR(C[0][i*p->D + j], C[1][i*p->D + j], tolerance*q->s[i]*q->s[j]);
    }
}

/* At the same hyper-parameters. The rows have weights, of which two are 0, offsets, exposures; a row stands twice, so that Phi S
 * has not the full rank; blocks do not divide them. Searches end at Delta <= 1e-17, or with a Newton step below 1e-6 squared: 1e-8
 * and better of the standard deviations, by ten steps of rounding either way. */
static void glm_reduce_at(const char *spec, int per_weight, glm_way way)
{
    glm_options options = glm_no_options();
    options.nodes = 20;
    bln_basis *b = slm_parse(spec, 2, 3);
    double lambda[GLM_REDUCE_D];
    for (size_t i = 0; i < GLM_REDUCE_D; i++) lambda[i] = 0.3 + 0.4*(double)(i % 3);
    for (size_t i = 0; i < GLM_REDUCE_NAMES; i++) {
        double eta[2] = { 1, 1 };
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(glm_reduce_names[i], eta, &y, &trials));
        bln_data data = glm_make(glm_reduce_names[i], 15, 11 + i);
        memcpy((double *)data.X + 8, data.X, 2*sizeof(double));
        ((double *)data.weight)[2] = ((double *)data.weight)[9] = 0.0;
        CHECK(data.n < b->D && b->D <= GLM_REDUCE_D);
        desc.method = glm_by(way, &options);
        desc.per_weight = per_weight;
        desc.prior_var = lambda;
        desc.likelihood_theta = eta;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        desc.block = 4;
        bln_glm *rows = glm_reduce_fit(&desc, &data, 0), *features = glm_reduce_fit(&desc, &data, 1);
        glm_reduce_same(rows, features, 1e-7);
        bln_glm_free(rows);
        bln_glm_free(features);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}
TEST(glm_reduce, laplace) { glm_reduce_at("bias + rbf:n=12", 0, GLM_LAPLACE); }
TEST(glm_reduce, laplace_per_weight) { glm_reduce_at("bias + rbf:n=12", 1, GLM_LAPLACE); }
TEST(glm_reduce, full) { glm_reduce_at("bias + rbf:n=12", 0, GLM_FULL); }
TEST(glm_reduce, full_residual) { glm_reduce_at("inducing:m=5 + rbf:n=12", 0, GLM_FULL); }

/* A step of both searches from the same start ends at the same point: the same gradient, of which the end is a function. Such a
 * tolerance makes the bound's own search an exact one. */
TEST(glm_reduce, first_step)
{
    bln_basis *b = slm_parse("inducing:m=5 + rbf:n=12,ard", 2, 3);
    for (size_t i = 0; i < GLM_REDUCE_NAMES; i++)
        for (int kind = 0; kind < 2; kind++) {
            double eta[2] = { 1, 1 };
            const double *y, *trials, tolerance = 1e-6;
            bln_glm_desc desc = glm_desc(b, glm_named(glm_reduce_names[i], eta, &y, &trials));
            bln_data data = glm_make(glm_reduce_names[i], 15, 11 + i);
            bln_data_reader reader;
            const bln_source source = bln_source_of(&data, &reader);
            bln_report report[2];
            glm_options options = glm_no_options();
            options.nodes = 20;
            desc.method = glm_by(kind ? GLM_FULL : GLM_LAPLACE, &options);
            desc.likelihood_theta = eta;
            desc.tolerance = 1e-13;
            bln_glm *rows = glm_new(&desc), *features = glm_new(&desc);
            CHECK_OK(bln_glm_init(rows, &data, NULL));
            CHECK_OK(bln_glm_init_source(features, &source, NULL));
            CHECK_OK(bln_glm_step(rows, &report[0]));
            CHECK_OK(bln_glm_step(features, &report[1]));
            CHECK_NEAR(report[0].objective, report[1].objective, 0.1*tolerance*fabs(report[1].objective));
            CHECK_NEAR(report[0].gradient_norm, report[1].gradient_norm, tolerance*report[1].gradient_norm);
            bln_glm_free(rows);
            bln_glm_free(features);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* Learnt hyper-parameters are a top of the objective by the functions at a point, which work in the space of the weights: their
 * gradient there is nearly 0, so that the gradient of the search was theirs. */
static void glm_reduce_learns(const char *spec, const char *name, glm_way way)
{
    bln_basis *b = slm_parse(spec, 2, 3);
    double eta[2] = { 1, 1 }, value = 0.0, prior[GLM_REDUCE_D], g_eta[2] = { 0, 0 }, g_theta[8] = { 0 };
    const double *y, *trials;
    bln_glm_desc desc = glm_desc(b, glm_named(name, eta, &y, &trials));
    bln_data data = glm_make(name, 20, 5);
    glm_options options = glm_no_options();
    options.nodes = 20;
    desc.method = glm_by(way, &options);
    desc.tolerance = 1e-12;
    desc.theta_sd = HUGE_VAL;
    desc.no_hyper_prior = 1;
    bln_glm *glm = glm_reduce_fit(&desc, &data, 0);
    const double *at_prior = bln_glm_prior_var(glm), *at_eta = bln_glm_likelihood_theta(glm), *at_theta = bln_glm_theta(glm);
    CHECK(data.n < b->D && b->n_theta <= 8);
    CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, at_prior, at_eta, at_theta, &value, NULL, NULL, prior, g_eta, g_theta,
                                  NULL));
    CHECK_NEAR(bln_glm_objective(glm), value, 1e-8*(1.0 + fabs(value)));
    for (size_t s = 0; s < b->n_slices; s++) CHECK_LE(fabs(prior[s]), 1e-4);
    for (size_t k = 0; k < desc.likelihood.n_theta; k++) CHECK_LE(fabs(g_eta[k])*at_eta[k], 1e-4);
    for (size_t k = 0; k < b->n_theta; k++) CHECK_LE(fabs(g_theta[k])*fabs(at_theta[k]), 1e-4);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}
TEST(glm_reduce, learns)
{
    for (int kind = 0; kind < 2; kind++) {
        const glm_way way = kind ? GLM_FULL : GLM_LAPLACE;
        glm_reduce_learns("bias + rbf:n=15,ard", "bernoulli_logit", way);
        glm_reduce_learns("bias + rbf:n=15", "negative_binomial", way);
    }
    glm_reduce_learns("rbf:n=12 + matern32:n=10", "gaussian", GLM_FULL);
}

/* What the rows said last may leave no posterior of the weights: W far below 0. */
TEST(glm_reduce, no_posterior)
{
    bln_basis *b = slm_parse("bias + rbf:n=12", 2, 3);
    bln_data data = glm_make("student_t", 15, 7);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_student_t());
    double mean[15], m[25], s[25], R[625];
    bln_report report;
    desc.method = bln_glm_full(NULL);
    bln_glm *glm = glm_new(&desc);
    for (int way = 0; way < 2; way++) {
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        blni_glm_fit *f = glm->fit;
        memcpy(mean, ((blni_full *)f->state)->e.w, sizeof mean);
        for (size_t i = 0; i < 15; i++) f->rows.reduced.W[i] = way ? -1e6 : 1.0;
        CHECK_STATUS(blni_reduced_result(&f->rows, &f->hyper, mean, 0, m, s, R, &report), way ? BLN_ENUMERIC : BLN_OK);
        if (way) CHECK_TEXT(report.text, "scale the data");
    }
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_reduce)
SUITE_TEST(glm_reduce, laplace)
SUITE_TEST(glm_reduce, laplace_per_weight)
SUITE_TEST(glm_reduce, full)
SUITE_TEST(glm_reduce, full_residual)
SUITE_TEST(glm_reduce, first_step)
SUITE_TEST(glm_reduce, learns)
SUITE_TEST(glm_reduce, no_posterior)
SUITE_END(glm_reduce)
