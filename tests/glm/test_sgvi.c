/* Stochastic fits that draw f or weights instead of taking expectations, and doubly stochastic variational inference
 * (glm/mixture_draws). */
#include "glm_tools.h"

static bln_glm_desc glm_sgvi_by(const bln_basis *b, bln_likelihood l, bln_glm_expectation expectation, size_t draws,
                                bln_glm_mixture_desc *own)
{
    bln_glm_desc d = glm_desc(b, l);
    memset(own, 0, sizeof *own);
    own->components = 2;
    own->expectation = expectation;
    own->draws = draws;
    own->steps.batch = 7;
    d.method = bln_glm_mixture(own);
    d.block = 4;
    return d;
}

typedef struct glm_sgvi_problem { blni_glm_fit *fit; uint64_t batch; } glm_sgvi_problem;
static double glm_sgvi_value(const void *problem, const double *x)
{
    const glm_sgvi_problem *p = (const glm_sgvi_problem *)problem;
    double value = 0.0;
    CHECK_OK(blni_glm_search_estimate(p->fit, p->batch, x, &value, NULL));
    return value;
}

/* A fit at the point where its steps begin, moved a little. */
static blni_glm_fit *glm_sgvi_begin(bln_glm *glm, const bln_data *data, double *x)
{
    CHECK_OK(bln_glm_init(glm, data, NULL));
    glm_mixture_state(glm);
    for (size_t k = 0; k < glm->fit->search.n; k++) x[k] = glm->fit->search.x0[k] + 0.2*sin(1.0 + (double)k);
    return glm->fit;
}

/* The estimate of one batch with its draws is one function of the coordinates: its gradient against differences as in glm_tools.
 * Every other basis misses prior variance. */
TEST(glm_sgvi, gradients)
{
    static const char *const names[] = { "gaussian", "student_t", "bernoulli_logit", "binomial", "poisson_softplus",
                                         "negative_binomial" };
    for (size_t i = 0; i < 2*sizeof names/sizeof *names; i++) {
        const char *name = names[i/2];
        bln_basis *b = slm_parse(i % 4 < 2 ? "bias + rbf:n=2" : "bias + inducing:m=3", 2, 3);
        double eta[2] = { 1, 1 }, x[64], g[64];
        const double *y, *trials;
        bln_glm_mixture_desc own;
        const bln_glm_desc desc = glm_sgvi_by(b, glm_named(name, eta, &y, &trials),
                                              i % 2 ? BLN_GLM_EXPECT_LOCAL : BLN_GLM_EXPECT_WEIGHTS, 3, &own);
        bln_data data = glm_make(name, 23, 21 + i);
        bln_glm *glm = glm_new(&desc);
        glm_sgvi_problem problem;
        problem.fit = glm_sgvi_begin(glm, &data, x);
        problem.batch = 3;
        glm_sgvi_value(&problem, x);
        memcpy(g, problem.fit->search.gradient, problem.fit->search.n*sizeof *g);
        const size_t n = problem.fit->search.n;
        glm_check_gradient(glm_sgvi_value, &problem, n, x, g, n, n, 4e-8);
        bln_glm_free(glm);
        glm_free_data(&data);
        bln_basis_free(b);
    }
}

/* Means of some hundred epochs of estimates, by batches of 7 of 21 rows, against value and gradient by all rows and quadrature, to
 * 5 standard errors; and their variance: that of draws of w is larger than that of draws of f, which is larger than that of
 * expectations, in the coordinates of means and, by more than a factor of 2, of variances, as the first adds covariances of rows
 * [variational 25]. Batches are the same for all three. */
TEST(glm_sgvi, unbiased)
{
    enum { EPOCHS = 150, BATCHES = 3*EPOCHS };
    bln_basis *b = slm_parse("bias + inducing:m=3", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 21, 5);
    double spread[3][2];
    for (int kind = 0; kind < 3; kind++) {
        bln_glm_mixture_desc own;
        const bln_glm_desc desc = glm_sgvi_by(b, bln_likelihood_binomial(BLN_LINK_LOGIT), (bln_glm_expectation)kind, 1, &own);
        bln_glm *glm = glm_new(&desc);
        double x[64], all[65], sum[65] = { 0 }, square[65] = { 0 };
        glm_sgvi_problem problem;
        blni_glm_fit *f = problem.fit = glm_sgvi_begin(glm, &data, x);
        const size_t n = f->search.n, KD = f->search.n_q/2;
        f->search.evaluated = 0;
        CHECK_OK(blni_glm_search_objective(f, n, x, all + n, all, NULL));
        for (problem.batch = 0; problem.batch < BATCHES; problem.batch++) {
            const double value = glm_sgvi_value(&problem, x);
            for (size_t k = 0; k <= n; k++) {
                const double delta = (k < n ? f->search.gradient[k] : value) - all[k];
                sum[k] += delta/BATCHES;
                square[k] += delta*delta/BATCHES;
            }
        }
        spread[kind][0] = spread[kind][1] = 0.0;
        for (size_t k = 0; k <= n; k++) {
            /* of single estimates, with the part that the epochs cancel; never 0, as the sums round */
            CHECK_LE(fabs(sum[k]), 5.0*sqrt(square[k]/BATCHES) + 1e-10);
            if (k < 2*KD) spread[kind][k >= KD] += square[k];
        }
        bln_glm_free(glm);
    }
    for (int kind = 0; kind < 2; kind++)
        for (int part = 0; part < 2; part++) CHECK_LE((part ? 2.0 : 1.0)*spread[kind][part], spread[kind + 1][part]);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Against the search by L-BFGS for the same bound. Noise of one draw for a step: the last point of the search is an average of 100
 * epochs of 12 steps with gradients whose standard deviation is some 5 times that of expectations in coordinates of one posterior
 * standard deviation, so that of the average is 5 sqrt(10/1200) = 0.5 at most before the rate falls; n = 8 numbers then lower the
 * bound by 8 0.5^2/2 = 1 nat at most. It is a bound: not above the greatest. */
TEST(glm_sgvi, converges)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 120, 7);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    bln_glm_mixture_desc own;
    bln_report report;
    double best[3], sd[3], m[3], s[3];
    desc.method = bln_glm_mixture(NULL);
    bln_glm *exact = glm_new(&desc);
    desc.method = bln_glm_sgvi(NULL);
    bln_glm *glm = glm_new(&desc);
    memcpy(&own, &glm->own, sizeof own);
    CHECK_SIZE(own.steps.batch, 10);
    CHECK_FIT(exact, &data, NULL);
    CHECK_FIT(glm, &data, &report);
    CHECK(!strcmp(bln_glm_method_name(glm), "sgvi") && mixture_of(glm) && !gaussian_of(glm));
    CHECK_LE(bln_glm_objective(glm), bln_glm_objective(exact) + 1e-6);
    CHECK_LE(bln_glm_objective(exact) - 1.0, bln_glm_objective(glm));
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(exact), best, sd, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), m, s, 0, NULL, NULL, NULL, NULL));
    for (size_t j = 0; j < 3; j++) {
        CHECK_NEAR(m[j], best[j], 2.5*sd[j]);
        CHECK_LE(fabs(log(s[j]/sd[j])), 0.7);
    }
    bln_glm_free(exact);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_sgvi)
SUITE_TEST(glm_sgvi, gradients)
SUITE_TEST(glm_sgvi, unbiased)
SUITE_TEST(glm_sgvi, converges)
SUITE_END(glm_sgvi)
