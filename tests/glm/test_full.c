/* The generalised linear model by a full Gaussian with the greatest bound: golden values, gradients, and what it is for a Gaussian
 * likelihood. */
#include "glm_tools.h"
#include "../golden/glm_full_golden.h"
#include "../linear/posterior_of.h"

static const char *const glm_full_names[] = { "gaussian", "student_t", "bernoulli_logit", "bernoulli_probit", "binomial",
                                              "poisson_exp", "poisson_softplus", "negative_binomial" };
enum { GLM_FULL_NAMES = sizeof glm_full_names/sizeof *glm_full_names };

/* The search ends where Delta <= 1e-17: m and C are then right to sqrt(2e-17)/(1 - 0.6) = 1e-8 of the standard deviations, here
 * below 1; slopes, linear in that error with factors of a few, to 1e-7 at worst; the bound to the accuracy of six expectations,
 * 6e-10. */
TEST(glm_full, golden)
{
    bln_basis_ops ops;
    const bln_basis b = glm_table(&ops);
    for (size_t i = 0; i < sizeof golden_glm_full/sizeof *golden_glm_full; i++) {
        const golden_glm_full_row *g = golden_glm_full + i;
        double eta[2] = { 1, 1 }, bound, m[3], C[9], d_prior[2], d_eta[2] = { 0, 0 }, F[18], work[9], fitted[9];
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(&b, glm_named(g->likelihood, eta, &y, &trials));
        const bln_data data = glm_golden_data(y, trials);
        desc.method = bln_glm_full(NULL);
        desc.prior_var = golden_glm_lambda_slice;
        desc.likelihood_theta = eta;
        desc.theta = golden_glm_Phi;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        for (desc.block = 0; desc.block < 5; desc.block += 4) {
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, desc.prior_var, eta, golden_glm_Phi, &bound, m, C, d_prior,
                                          d_eta, F, NULL));
            CHECK_GOLD(bound, g->bound, 1e-9);
            for (size_t j = 0; j < 2; j++) CHECK_NEAR(d_prior[j], g->d_log_lambda[j], 1e-7);
            for (size_t j = 0; j < desc.likelihood.n_theta; j++) CHECK_NEAR(d_eta[j]*eta[j], g->d_log_eta[j], 1e-7);
            for (size_t j = 0; j < 3; j++) CHECK_NEAR(F[9 + j], g->F[j], 1e-7);
            CHECK_FIT(glm, &data, NULL);
            CHECK_GOLD(bln_glm_objective(glm), g->bound, 1e-9);
            const blni_gaussian *q = gaussian_of(glm);
            if (!q) { CHECK(q != NULL); bln_glm_free(glm); continue; }
            blni_gaussian_covariance(q, fitted, 3, work);
            for (size_t j = 0; j < 3; j++) {
                CHECK_NEAR(m[j], g->m[j], 2e-8);
                CHECK_NEAR(q->m[j], g->m[j], 2e-8);
                for (size_t k = j; k < 3; k++) {
                    CHECK_NEAR(C[j*3 + k], g->C[j*3 + k], 2e-8);
                    CHECK_NEAR(fitted[j*3 + k], g->C[j*3 + k], 2e-8);
                }
            }
            bln_glm_free(glm);
        }
    }
}

/* The bound at point[0..4]: two log lambda, up to two log eta, one log length scale. */
typedef struct glm_full_problem { const bln_glm *glm; const bln_data *data; bln_glm_full_desc own; } glm_full_problem;
static double glm_full_at(const glm_full_problem *p, const double *point, double *gradient)
{
    double lambda[2], eta[2], theta, bound = 0.0, d_prior[2], d_eta[2] = { 0, 0 }, d_theta = 0.0;
    for (size_t i = 0; i < 2; i++) { lambda[i] = exp(point[i]); eta[i] = exp(point[2 + i]); }
    theta = exp(point[4]);
    CHECK_OK(bln_glm_objective_at(p->glm, bln_glm_full(&p->own), p->data, lambda, eta, &theta, &bound, NULL, NULL,
                                  gradient ? d_prior : NULL, gradient ? d_eta : NULL, gradient ? &d_theta : NULL, NULL));
    for (size_t i = 0; i < 2 && gradient; i++) { gradient[i] = d_prior[i]; gradient[2 + i] = d_eta[i]*eta[i]; }
    if (gradient) gradient[4] = d_theta*theta;
    return bound;
}

static double glm_full_value(const void *problem, const double *point)
{
    return glm_full_at((const glm_full_problem *)problem, point, NULL);
}

/* Against central differences with one Richardson extrapolation as in test_laplace, and the 1e-7 from above. 8 nodes: only the
 * gradient of the discretised bound can pass. The second basis misses prior variance, which is in the bound. */
static void glm_full_gradients_of(const char *text, size_t nodes)
{
    bln_basis *b = slm_parse(text, 2, 3);
    CHECK_SIZE(b->n_slices, 2);
    CHECK_SIZE(b->n_theta, 1);
    for (size_t i = 0; i < GLM_FULL_NAMES; i++) {
        double eta[2] = { 1, 1 }, g[5], point[5];
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(glm_full_names[i], eta, &y, &trials));
        bln_data data = glm_make(glm_full_names[i], 30, 11 + i);
        desc.block = 13;
        bln_glm *glm = glm_new(&desc);
        glm_full_problem problem = BLN_ZERO;
        problem.glm = glm;
        problem.data = &data;
        problem.own.nodes = nodes;
        point[0] = 0.3; point[1] = 0.7; point[2] = log(eta[0]); point[3] = log(eta[1]); point[4] = 0.2;
        glm_full_at(&problem, point, g);
        glm_check_gradient(glm_full_value, &problem, 5, point, g, 2 + desc.likelihood.n_theta, 4, 2e-7);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}
TEST(glm_full, gradients) { glm_full_gradients_of("bias + rbf:n=4", 8); }
TEST(glm_full, gradients_residual) { glm_full_gradients_of("bias + inducing:m=3", 8); }

/* With a Gaussian likelihood the bound is the evidence and q the posterior of bln_slm: at given hyper-parameters to rounding (1e-8
 * with the adaptive rule's closed form, too), and learnt, where both searches end at a gradient of 1e-7: hyper-parameters to 1e-7
 * over the curvature, of order 1, the evidence to the square. */
TEST(glm_full, gaussian_is_slm)
{
    bln_basis *b = slm_parse("bias + rbf:n=5", 2, 5);
    bln_data data = slm_make(60, 2, 3, 1);
    const double lambda[] = { 2.0, 0.7 }, eta = 0.4, theta = 1.1;
    for (int learn = 0; learn < 2; learn++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
        bln_slm_desc linear = learn ? slm_desc(b, BLN_SLM_PRIMAL) : slm_fixed(b, BLN_SLM_PRIMAL, eta, lambda, &theta);
        const double tolerance = learn ? 1e-5 : 1e-8;
        double mean[60], var[60], lm[60], lv[60];
        desc.method = bln_glm_full(NULL);
        desc.no_hyper_prior = 1;
        desc.tolerance = linear.tolerance = 1e-12;
        if (!learn) {
            desc.prior_var = lambda;
            desc.likelihood_theta = &eta;
            desc.theta = &theta;
            desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        }
        bln_glm *glm = glm_new(&desc);
        bln_slm *slm = slm_fit(&linear, &data);
        CHECK_FIT(glm, &data, NULL);
        CHECK_NEAR(bln_glm_objective(glm), bln_slm_evidence(slm), 1e-8);
        CHECK_REL(bln_glm_likelihood_theta(glm)[0], bln_slm_noise_var(slm), tolerance);
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, mean, var, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, lm, lv, NULL, NULL, NULL));
        for (size_t i = 0; i < 60; i++) {
            CHECK_NEAR(mean[i], lm[i], tolerance*(1.0 + fabs(lm[i])));
            CHECK_REL(var[i], lv[i], tolerance);
        }
        bln_glm_free(glm);
        bln_slm_free(slm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Learnt hyper-parameters are a top: the gradient there is nearly 0, by the public function. The bound is above that of the best
 * diagonal q at the same hyper-parameters, of which it is the greater family. Where log p has no curvature (Laplace) too. */
TEST(glm_full, learns)
{
    bln_basis *b = slm_parse("bias + rbf:n=3", 2, 3);
    for (size_t i = 1; i <= GLM_FULL_NAMES + 1; i += 2) {
        const char *name = i < GLM_FULL_NAMES ? glm_full_names[i] : "gaussian";
        double eta[2] = { 1, 1 }, bound, g_prior[2], g_eta[2] = { 0, 0 }, g_theta;
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(name, eta, &y, &trials));
        bln_data data = glm_make(name, 60, 31 + i);
        bln_report report;
        if (i > GLM_FULL_NAMES) desc.likelihood = bln_likelihood_laplace();
        bln_glm_full_desc own = BLN_ZERO;
        own.nodes = i < GLM_FULL_NAMES ? 16 : 0;
        desc.method = bln_glm_full(&own);
        desc.no_hyper_prior = 1;
        desc.tolerance = 1e-11;
        desc.theta_sd = HUGE_VAL;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, &report);
        CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, bln_glm_prior_var(glm), bln_glm_likelihood_theta(glm),
                                      bln_glm_theta(glm), &bound, NULL, NULL, g_prior, g_eta, &g_theta, NULL));
        CHECK_NEAR(bound, bln_glm_objective(glm), 1e-8*fabs(bound));
        for (size_t s = 0; s < 2; s++) CHECK_LE(fabs(g_prior[s]), 1e-4 + (bln_glm_prior_var(glm)[s] < 1e-4 ? 1e-2 : 0.0));
        for (size_t j = 0; j < desc.likelihood.n_theta; j++)
            CHECK_LE(fabs(g_eta[j])*bln_glm_likelihood_theta(glm)[j], 1e-3);
        CHECK_LE(fabs(g_theta)*bln_glm_theta(glm)[0], 1e-3);
        bln_glm_mixture_desc diagonal_own = BLN_ZERO;
        diagonal_own.nodes = own.nodes;
        desc.method = bln_glm_mixture(&diagonal_own);
        desc.prior_var = bln_glm_prior_var(glm);
        desc.likelihood_theta = bln_glm_likelihood_theta(glm);
        desc.theta = bln_glm_theta(glm);
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        bln_glm *diagonal = glm_new(&desc);
        CHECK_FIT(diagonal, &data, NULL);
        CHECK_LE(bln_glm_objective(diagonal), bln_glm_objective(glm) + 1e-8*fabs(bound));
        bln_glm_free(diagonal);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* A source that counts its passes. */
typedef struct glm_full_counted { bln_source inner; size_t passes; } glm_full_counted;
static bln_status glm_full_reset(void *user, bln_report *report)
{
    glm_full_counted *c = (glm_full_counted *)user;
    c->passes++;
    return c->inner.reset(c->inner.user, report);
}
static bln_status glm_full_next(void *user, size_t most, bln_data *rows, bln_report *report)
{
    glm_full_counted *c = (glm_full_counted *)user;
    return c->inner.next(c->inner.user, most, rows, report);
}

/* A fit asks of its last bound what its own tolerance needs, Delta <= 1e-4 tolerance, which is twice what is missing, near the top:
 * that bound is the one of _full_at, to that and to the accuracy of 40 expectations, 1e-10 each, in both. On the way it asks for
 * 1e-4 of what it came from. So 1e-11 in place of 1e-4 is 7 digits of Delta more, once: at least a pass for each, and as q comes
 * nearer by a factor of 0.6 a step or better, Delta by its square, at most 2.3 steps of two passes. 1e-13 makes every bound an
 * exact one, of at least four on three steps, which together are a quarter more than all passes before. */
TEST(glm_full, tolerance)
{
    static const double tolerance[3] = { 1e-4, 1e-11, 1e-13 };
    bln_basis *b = slm_parse("bias + rbf:n=8", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 40, 7);
    size_t passes[3] = { 0, 0, 0 };
    for (int k = 0; k < 3; k++) {
        double bound;
        bln_data_reader reader;
        glm_full_counted counted;
        bln_source source;
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.method = bln_glm_full(NULL);
        desc.tolerance = tolerance[k];
        desc.max_iterations = 3;
        counted.inner = bln_source_of(&data, &reader);
        counted.passes = 0;
        source = counted.inner;
        source.user = &counted;
        source.reset = glm_full_reset;
        source.next = glm_full_next;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_fit_source(glm, &source, NULL));
        CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), &data, bln_glm_prior_var(glm), NULL, bln_glm_theta(glm), &bound,
                                      NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK_NEAR(bln_glm_objective(glm), bound, 1e-4*desc.tolerance + 2.0*40.0*1e-10);
        passes[k] = counted.passes;
        bln_glm_free(glm);
    }
    CHECK_LE((double)passes[0] + 7.0, (double)passes[1]);
    CHECK_LE((double)passes[1], (double)passes[0] + 7.0*2.0*2.3);
    CHECK_LE(1.25*(double)passes[1], (double)passes[2]);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* ---- by batches */

/* b of the point whose mean is in e.w. */
static void glm_full_place(blni_full *q)
{
    const size_t D = q->e.D;
    for (size_t i = 0; i < D; i++) {
        q->b[i] = q->e.precision[i]*q->e.w[i];
        for (size_t j = 0; j < D; j++) q->b[i] += (i <= j ? q->A[i*D + j] : q->A[j*D + i])*q->e.w[j];
    }
}

/* A model, a fit of it by batches, and a point where it stands, away from where it begins. */
static blni_full *glm_full_stand(bln_glm *glm, const bln_data *data)
{
    CHECK_OK(bln_glm_init(glm, data, NULL));
    blni_full *q = (blni_full *)glm->fit->state;
    for (size_t i = 0; i < q->e.D; i++) {
        q->e.w[i] += 0.2*cos((double)i);
        q->A[i*q->e.D + i] *= 1.5;
    }
    glm_full_place(q);
    return q;
}

/* Gaussian noise, all rows in one batch: a step of size 1 is exact from anywhere, one of size r a part of the way for A. The end is
 * exact after either, for its last step is of size 1. Rounding is that of matrices whose condition is below 100. */
TEST(glm_full, batch_step_in_closed_form)
{
    const double lambda[] = { 2.0, 0.7 }, eta = 0.4;
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = slm_make(40, 2, 3, 1);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    double mean[3], C[9], bound, A[9];
    bln_glm_full_desc own = BLN_ZERO;
    desc.method = bln_glm_full(&own);
    desc.prior_var = lambda;
    desc.likelihood_theta = &eta;
    desc.fix_prior_var = desc.fix_likelihood = 1;
    own.steps.batch = 40;
    for (int k = 0; k < 2; k++) {
        own.steps.natural = k ? 0.25 : 1.0;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, lambda, &eta, NULL, &bound, mean, C, NULL, NULL, NULL, NULL));
        blni_full *q = glm_full_stand(glm, &data);
        memcpy(A, q->A, sizeof A);
        CHECK_OK(blni_glm_search_epoch(glm->fit, NULL));
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = i; j < 3; j++)
                CHECK_NEAR(q->A[i*3 + j], (k ? 0.75 : 0.0)*A[i*3 + j] + own.steps.natural*q->aim[0].T[i*3 + j],
                           1e-12*fabs(q->aim[0].T[i*3 + i]));
        }
        CHECK_OK(bln_glm_finish(glm, NULL));
        for (size_t i = 0; i < 3; i++) CHECK_NEAR(gaussian_of(glm)->m[i], mean[i], 1e-12*fabs(mean[i]) + 1e-13);
        CHECK_NEAR(bln_glm_objective(glm), bound, 1e-10*fabs(bound));
        bln_glm_free(glm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

typedef struct glm_full_batch_problem { blni_glm_fit *fit; double m[16], P[256]; } glm_full_batch_problem;
static double glm_full_batch_value(const void *problem, const double *x)
{
    const glm_full_batch_problem *p = (const glm_full_batch_problem *)problem;
    blni_full *q = (blni_full *)p->fit->state;
    const size_t D = q->e.D;
    double value = 0.0;
    memcpy(q->e.w, p->m, D*sizeof(double));
    memcpy(q->A, p->P, D*D*sizeof(double));
    blni_glm_search_natural(p->fit, x);
    blni_mode_prior(&q->e, &p->fit->hyper);
    for (size_t i = 0; i < D; i++) q->A[i*D + i] -= q->e.precision[i];
    glm_full_place(q);
    CHECK_OK(blni_glm_search_estimate(p->fit, 1, x, &value, NULL));
    return value;
}

/* Slopes in the hyper-parameters at a fixed q, C^-1 = P, by one batch, against differences as in glm_tools; expectations by 8
 * nodes. */
TEST(glm_full, batch_gradients)
{
    static const char *const names[] = { "student_t", "bernoulli_logit", "negative_binomial" };
    for (size_t i = 0; i < 3; i++) {
        bln_basis *b = slm_parse(i == 1 ? "bias + inducing:m=3" : "bias + rbf:n=2", 2, 3);
        double eta[2] = { 1, 1 }, x[8], g[8];
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(names[i], eta, &y, &trials));
        bln_data data = glm_make(names[i], 23, 21 + i);
        glm_full_batch_problem problem;
        bln_glm_full_desc own = BLN_ZERO;
        desc.method = bln_glm_full(&own);
        own.nodes = 8;
        own.steps.batch = 7;
        bln_glm *glm = glm_new(&desc);
        const blni_full *q = glm_full_stand(glm, &data);
        blni_glm_fit *f = problem.fit = glm->fit;
        memcpy(problem.m, q->e.w, b->D*sizeof(double));
        memcpy(problem.P, q->A, b->D*b->D*sizeof(double));
        for (size_t k = 0; k < b->D; k++) problem.P[k*b->D + k] += q->e.precision[k];
        for (size_t k = 0; k < f->search.n; k++) x[k] = f->search.x0[k] + 0.1*sin(1.0 + (double)k);
        glm_full_batch_value(&problem, x);
        memcpy(g, f->search.gradient, f->search.n*sizeof *g);
        glm_check_gradient(glm_full_batch_value, &problem, f->search.n, x, g, f->search.n, f->search.n, 4e-8);
        bln_glm_free(glm);
        glm_free_data(&data);
        bln_basis_free(b);
    }
}

/* Against the search by all rows, everything learnt: by batches of 12 of 120 rows m is off by half a posterior standard deviation
 * while r is held, and by a tenth of that where it has fallen to a hundredth. The last step, by all rows, leaves of this what comes
 * from the model's own numbers. The n numbers of q and of the model lower the bound by less than n 0.16^2/2 = 0.013 n, as those of
 * mixtures in test_search. */
TEST(glm_full, batches_converge)
{
    static const char *const names[] = { "bernoulli_logit", "negative_binomial", "student_t" };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for (size_t i = 0; i < 3; i++) {
        double eta[2] = { 1, 1 }, best[3], sd[3], m[3], s[3];
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(names[i], eta, &y, &trials));
        bln_data data = glm_make(names[i], 120, 7 + i);
        bln_report report;
        bln_glm_full_desc own = BLN_ZERO;
        desc.method = bln_glm_full(&own);
        desc.no_hyper_prior = 1;                           /* objectives are without priors, and are compared */
        bln_glm *exact = glm_new(&desc);
        own.steps.batch = 12;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(exact, &data, NULL);
        CHECK_FIT(glm, &data, &report);
        CHECK(report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_LIMIT);
        const double n = (double)(9 + 2 + desc.likelihood.n_theta), deficit = bln_glm_objective(exact) - bln_glm_objective(glm);
        CHECK_LE(-1e-5, deficit);
        CHECK_LE(deficit, 0.013*n);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(exact), best, sd, 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), m, s, 0, NULL, NULL, NULL, NULL));
        for (size_t j = 0; j < 3; j++) {
            CHECK_NEAR(m[j], best[j], 5.0*0.16*sd[j]);
            CHECK_LE(fabs(log(s[j]/sd[j])), 0.3);
        }
        bln_glm_free(exact);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Noise a millionth of the residuals, held there: the bound is below -1e12, and the rows of a batch move m by 1000 of its standard
 * deviations and more. The end is the top all the same, by full and by both sizes of steps of cavi: the bound to the
 * rounding of a sum of 40 squares, m to that of matrices whose condition is below 100. Where a step by all rows cannot repair it,
 * as where log p has a kink, an end far below the start is refused. */
TEST(glm_full, batches_with_hardly_any_noise)
{
    const double lambda[] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = slm_make(40, 2, 3, 0);
    bln_report report;
    for (int k = 0; k < 4; k++) {
        const double eta = k == 3 ? 1e-6 : 1e-12;              /* a scale; a variance */
        bln_glm_desc desc = glm_desc(b, k == 3 ? bln_likelihood_laplace() : bln_likelihood_gaussian());
        double mean[3], bound;
        bln_glm_full_desc full = BLN_ZERO;
        bln_glm_cavi_desc cavi = BLN_ZERO;
        full.steps.batch = cavi.steps.batch = 8;
        cavi.steps.natural = k == 2 ? 0.5 : 0.0;
        desc.method = k % 3 ? bln_glm_cavi(&cavi) : bln_glm_full(&full);
        desc.prior_var = lambda;
        desc.likelihood_theta = &eta;
        desc.fix_prior_var = desc.fix_likelihood = 1;
        bln_glm *glm = glm_new(&desc);
        if (k == 3) {
            CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_ENUMERIC);
            CHECK_TEXT(report.text, "ended far below where they began");
        } else {
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_full(NULL), &data, lambda, &eta, NULL, &bound, mean, NULL, NULL, NULL, NULL,
                                          NULL));
            CHECK_LE(bound, -1e12);
            CHECK_OK(bln_glm_fit(glm, &data, &report));
            CHECK_REL(bln_glm_objective(glm), bound, 40*DBL_EPSILON);
            for (size_t i = 0; i < 3; i++) CHECK_NEAR(gaussian_of(glm)->m[i], mean[i], 1e-12*fabs(mean[i]) + 1e-13);
        }
        bln_glm_free(glm);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Steps of size 1 by few counts can end where exp f of other rows overflows. That is refused: one step from another start would be
 * an answer that has nothing to do with the batches. */
TEST(glm_full, batches_that_lead_out_of_range)
{
    const double lambda[] = { 2.0, 2.0 };
    double X[160], y[80];
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG));
    bln_glm_full_desc own = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_report report;
    bln_rng rng;
    bln_rng_seed(&rng, 2, 0);
    for (size_t i = 0; i < 80; i++) {
        for (size_t j = 0; j < 2; j++) X[2*i + j] = 4.0*bln_rng_uniform(&rng) - 2.0;
        if (bln_rng_uniform(&rng) < 0.03) X[2*i] *= 5.0;
        y[i] = floor(100.0*bln_rng_uniform(&rng)*exp(1.5*(sin(X[2*i]) + 0.3*X[2*i + 1])));
    }
    data.n = 80;
    data.d = 2;
    data.X = X;
    data.y = y;
    own.steps.batch = 8;
    own.steps.natural = 1.0;
    desc.method = bln_glm_full(&own);
    desc.prior_var = lambda;
    desc.fix_prior_var = 1;
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "the objective is not finite");
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* ---- steps that lead nowhere */

static bln_status glm_full_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows");
}

/* A fit whose next step goes nowhere: T has no numbers. The point stays where it was, unless the rows are gone. */
TEST(glm_full, a_point_that_stays)
{
    const double lambda[] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = glm_make("bernoulli_logit", 40, 3);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.prior_var = lambda;
    desc.fix_prior_var = 1;
    desc.method = bln_glm_full(NULL);
    for (int plain = 0; plain < 2; plain++)
        for (int rows = 0; rows < 2; rows++) {
            blni_glm_fit *f = NULL;
            blni_glm_own own;
            bln_report report;
            double w[3];
            int found = 1;
            bln_glm *glm = glm_new(&desc);
            blni_glm_own_of(glm->desc.method, &own);
            CHECK_OK(blni_glm_open(&glm->alloc, &glm->desc, &own, NULL, NULL, &data, 1, &f, NULL));
            CHECK_OK(blni_glm_point(f, lambda, NULL, NULL, NULL));
            blni_full *q = (blni_full *)f->state;
            CHECK_OK(blni_full_enter(q, &f->hyper, NULL));
            const double bound = q->bound, rate = q->rate;
            memcpy(w, q->e.w, sizeof w);
            q->aim[0].T[0] = BLNI_NAN;
            if (!rows) f->source.reset = glm_full_no_rows;
            const bln_status status = plain ? blni_full_plain(q, &f->hyper, &report)
                                            : blni_full_step(q, &f->hyper, &found, &report);
            CHECK_STATUS(status, rows ? BLN_OK : BLN_EIO);
            CHECK(!(plain ? q->found : found));
            if (rows) CHECK_REL(q->bound, bound, 1e-13);
            if (rows) CHECK_REL(q->rate, rate, 1e-10);
            for (size_t j = 0; j < 3; j++) CHECK_NEAR(q->e.w[j], w[j], 1e-14);
            blni_glm_close(&glm->alloc, f);
            bln_glm_free(glm);
        }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* By batches, at a point without C: A goes towards 0 until there is one, if there is. Where T has no numbers, no step is made. A
 * point without a bound is passed on as one that has none. */
TEST(glm_full, batches_without_a_point)
{
    const double lambda[] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = glm_make("bernoulli_logit", 40, 3);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    bln_glm_full_desc own = BLN_ZERO;
    bln_report report;
    double A[9], value;
    own.steps.batch = 40;
    desc.prior_var = lambda;
    desc.fix_prior_var = 1;
    desc.method = bln_glm_full(&own);
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    blni_glm_fit *f = glm->fit;
    blni_full *q = (blni_full *)f->state;
    for (int way = 0; way < 2; way++) {
        for (size_t i = 0; i < 9; i++) q->A[i] = i % 4 ? 0.0 : way ? -1e300 : -10.0;
        value = 0.0;
        const bln_status status = blni_glm_search_estimate(f, 0, f->search.x0, &value, &report);
        CHECK_STATUS(status, way ? BLN_ENUMERIC : BLN_OK);
        if (way) CHECK_TEXT(report.text, "scale the data");
        else CHECK(blni_finite(value));
    }
    memset(q->A, 0, sizeof A);
    memset(q->b, 0, 3*sizeof *q->b);
    CHECK_OK(blni_glm_search_estimate(f, 0, f->search.x0, &value, &report));
    memcpy(A, q->A, sizeof A);
    for (size_t i = 0; i < 9; i++) q->next[i] = BLNI_NAN;
    blni_full_natural(q, 1.0);
    CHECK(memcmp(A, q->A, sizeof A) == 0);
    for (size_t i = 0; i < 3; i++) q->b[i] = 1e300;
    CHECK_OK(blni_glm_search_estimate(f, 0, f->search.x0, &value, &report));
    CHECK(!blni_finite(value) && memcmp(A, q->A, sizeof A) == 0);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Classes whose latents have bases of their own, equal ones: as with one basis for all and a prior variance for each latent. */
TEST(glm_full, equal_bases)
{
    enum { N = 30 };
    static const double lambda[6] = { 2.0, 0.7, 1.5, 0.4, 1.0, 3.0 };
    bln_basis *b[3];
    const bln_basis *bases[3];
    bln_data data = slm_make(N, 2, 3, 0);
    double y[N], bound[2], mean[2][9];
    for (size_t i = 0; i < N; i++) y[i] = (double)((data.X[2*i] > 0.0) + (data.y[i] > 0.5));
    free((void *)data.y);
    data.y = y;
    for (size_t j = 0; j < 3; j++) bases[j] = b[j] = slm_parse("bias + linear:ones=0", 2, 3);
    for (int own = 0; own < 2; own++) {
        bln_glm_desc desc = glm_desc(b[0], bln_likelihood_categorical(3));
        desc.method = bln_glm_full(NULL);
        desc.prior_var = lambda;
        desc.fix_prior_var = 1;
        desc.per_latent = !own;
        if (own) desc.bases = bases;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        bound[own] = bln_glm_objective(glm);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), mean[own], NULL, 0, NULL, NULL, NULL, NULL));
        bln_glm_free(glm);
    }
    CHECK_REL(bound[1], bound[0], 1e-9);
    for (size_t j = 0; j < 9; j++) CHECK_NEAR(mean[1][j], mean[0][j], 1e-6);
    for (size_t j = 0; j < 3; j++) bln_basis_free(b[j]);
    data.y = NULL;
    slm_free_data(&data);
}

/* ---- the bound of differences, where its matrices are none */

static blni_differences glm_full_differences(double **room)
{
    blni_differences z;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_differences_carve(&a, 3, 2, &z);
    *room = test_doubles(a.used/sizeof(double) + 16);
    a = blni_arena_over((void *)(((uintptr_t)*room + 63)/64*64), a.used);
    blni_differences_carve(&a, 3, 2, &z);
    for (size_t i = 0; i < 12; i++) z.B[i] = z.C[i] = z.N[i] = i % 4 == 0 || i % 4 == 3;
    return z;
}

/* A C_j stays where the others' sum has no inverse, and where no step is positive definite. Three of I: the first goes half of the
 * way from I to 1 - 1/2. */
TEST(glm_full, differences_that_stay)
{
    double *room, before[12];
    blni_differences z = glm_full_differences(&room);
    CHECK(blni_differences_move(&z, 0, 0.5) == 1);
    CHECK_NEAR(z.C[0], 0.75, 1e-15);
    CHECK_NEAR(z.C[3], 0.75, 1e-15);
    memcpy(before, z.C, sizeof before);
    z.B[8] = -3.0;
    CHECK(blni_differences_move(&z, 0, 1.0) == 0);
    CHECK(memcmp(before, z.C, sizeof before) == 0);
    z.B[8] = 1.0;
    for (size_t i = 0; i < 12; i++) z.B[i] *= 1e-9;
    CHECK(blni_differences_move(&z, 0, 1.0) == 0);
    CHECK(memcmp(before, z.C, sizeof before) == 0);
    for (size_t i = 0; i < 12; i++) z.C[i] = -z.C[i];              /* whose B stay too */
    memcpy(before, z.B, sizeof before);
    blni_differences_climb(&z);
    CHECK(memcmp(before, z.B, sizeof before) == 0);
    free(room);
}

/* Without P, or with an N that has no inverse, there is no bound. */
TEST(glm_full, differences_without_a_bound)
{
    double *room, zero[12] = { 0 }, one[6] = { 1, 1, 1, 1, 1, 1 }, U[12], T[12], t[6] = { 0 };
    blni_mode e;
    blni_differences z = glm_full_differences(&room);
    memset(&e, 0, sizeof e);
    e.B = U;
    e.s = e.precision = e.diag = one;
    for (int way = 0; way < 3; way++) {
        for (size_t i = 0; i < 12; i++) { U[i] = i % 4 == 0 || i % 4 == 3; T[i] = way == 2 && i % 4 == 0 ? -2.0 : 0.0; }
        if (way == 1) U[4] = BLNI_NAN;
        const double more = blni_differences_bound(&z, &e, zero, T, t);
        CHECK(way ? more != more : blni_finite(more));
    }
    free(room);
}

SUITE_BEGIN(glm_full)
SUITE_TEST(glm_full, batch_step_in_closed_form)
SUITE_TEST(glm_full, batch_gradients)
SUITE_TEST(glm_full, batches_converge)
SUITE_TEST(glm_full, batches_with_hardly_any_noise)
SUITE_TEST(glm_full, batches_that_lead_out_of_range)
SUITE_TEST(glm_full, golden)
SUITE_TEST(glm_full, gradients)
SUITE_TEST(glm_full, gradients_residual)
SUITE_TEST(glm_full, gaussian_is_slm)
SUITE_TEST(glm_full, learns)
SUITE_TEST(glm_full, tolerance)
SUITE_TEST(glm_full, a_point_that_stays)
SUITE_TEST(glm_full, batches_without_a_point)
SUITE_TEST(glm_full, equal_bases)
SUITE_TEST(glm_full, differences_that_stay)
SUITE_TEST(glm_full, differences_without_a_bound)
SUITE_END(glm_full)
