/* The objective of nonparametric variational inference, and fits by it. */
#include "glm_tools.h"

static const char *const glm_npv_names[] = { "gaussian", "student_t", "bernoulli_logit", "bernoulli_probit", "binomial",
                                             "poisson_exp", "poisson_softplus", "negative_binomial" };
enum { GLM_NPV_NAMES = sizeof glm_npv_names/sizeof *glm_npv_names };

static bln_glm_desc glm_npv_by(const bln_basis *b, bln_likelihood l, size_t K, bln_glm_mixture_desc *own)
{
    bln_glm_desc d = glm_desc(b, l);
    memset(own, 0, sizeof *own);
    own->components = K;
    d.method = bln_glm_npv(own);
    return d;
}

/* Sums of six rows; the derivatives of log p are exact to a few eps. */
TEST(glm_npv, golden)
{
    bln_basis_ops ops;
    const bln_basis b = glm_table(&ops);
    const blni_mixture q = { 2, 3, golden_glm_m, golden_glm_psi, 3 };
    for (size_t i = 0; i < sizeof golden_glm_npv/sizeof *golden_glm_npv; i++) {
        const golden_glm_npv_row *g = golden_glm_npv + i;
        double eta[2] = { 1, 1 }, dm[6], dpsi[6], d_eta[2] = { 0, 0 };
        const double *y, *trials;
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_npv_by(&b, glm_named(g->likelihood, eta, &y, &trials), 2, &own);
        const bln_data data = glm_golden_data(y, trials);
        own.entropy = BLN_ENTROPY_JENSEN;
        desc.block = 4;
        bln_glm *glm = glm_new(&desc);
        const double value = glm_bound(glm, desc.method, &data, &q, golden_glm_lambda_slice, eta, golden_glm_Phi, dm, dpsi, NULL,
                                       d_eta, NULL);
        CHECK_GOLD(value, g->value, 1e-12);
        for (size_t j = 0; j < 6; j++) {
            CHECK_GOLD(dm[j], g->dm[j], 1e-12);
            CHECK_GOLD(dpsi[j]*golden_glm_psi[j], g->d_log_psi[j], 1e-12);
        }
        for (size_t j = 0; j < desc.likelihood.n_theta; j++) CHECK_GOLD(d_eta[j]*eta[j], g->d_log_eta[j], 1e-12);
        bln_glm_free(glm);
    }
}

typedef struct glm_npv_problem { blni_glm_fit *fit; int batches; } glm_npv_problem;
static double glm_npv_value(const void *problem, const double *x)
{
    const glm_npv_problem *p = (const glm_npv_problem *)problem;
    double value = 0.0;
    p->fit->search.evaluated = 0;
    if (p->batches) CHECK_OK(blni_glm_search_estimate(p->fit, 1, x, &value, NULL));
    else CHECK_OK(blni_glm_search_objective(p->fit, p->fit->search.n, x, &value, p->fit->search.gradient, NULL));
    return value;
}

/* What the search minimises, in all its coordinates, against differences as in glm_tools; the second basis misses prior
 * variance. */
TEST(glm_npv, gradients)
{
    for (size_t i = 0; i < GLM_NPV_NAMES; i++) {
        bln_basis *b = slm_parse(i % 2 ? "bias + rbf:n=2" : "bias + inducing:m=3", 2, 3);
        double eta[2] = { 1, 1 }, x[64], g[64];
        const double *y, *trials;
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_npv_by(b, glm_named(glm_npv_names[i], eta, &y, &trials), 2, &own);
        bln_data data = glm_make(glm_npv_names[i], 23, 21 + i);
        glm_npv_problem problem;
        own.steps.batch = i % 4 > 1 ? 7 : 0;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        glm_mixture_state(glm);
        problem.fit = glm->fit;
        problem.batches = own.steps.batch > 0;
        const size_t n = glm->fit->search.n;
        for (size_t k = 0; k < n; k++) x[k] = glm->fit->search.x0[k] + 0.2*sin(1.0 + (double)k);
        glm_npv_value(&problem, x);
        memcpy(g, glm->fit->search.gradient, n*sizeof *g);
        glm_check_gradient(glm_npv_value, &problem, n, x, g, n, n, 4e-8);
        bln_glm_free(glm);
        glm_free_data(&data);
        bln_basis_free(b);
    }
}

/* Exact for Gaussian noise, so that the fit is that of the bound; elsewhere near it where the posterior is narrow. log p(y) of 200
 * counts: fourth-order terms are v^2/8 times a fourth derivative of size e^f, below 200 0.02^2/8 5 = 0.05. */
TEST(glm_npv, beside_the_bound)
{
    static const char *const names[] = { "gaussian", "poisson_exp" };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    for (size_t i = 0; i < 2; i++) {
        double eta[2] = { 1, 1 }, mean[2][3], sd[2][3];
        const double *y, *trials;
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_npv_by(b, glm_named(names[i], eta, &y, &trials), 2, &own);
        bln_data data = glm_make(names[i], 200, 9);
        bln_glm *npv = glm_new(&desc);
        bln_glm_mixture_desc mixture = BLN_ZERO;
        mixture.components = 2;
        desc.method = bln_glm_mixture(&mixture);
        bln_glm *bound = glm_new(&desc);
        bln_report report;
        CHECK_FIT(npv, &data, &report);
        CHECK_FIT(bound, &data, NULL);
        CHECK(!strcmp(bln_glm_method_name(npv), "npv") && mixture_of(npv) && !gaussian_of(npv));
        CHECK_NEAR(bln_glm_objective(npv), bln_glm_objective(bound), i ? 0.05 : 1e-5);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(npv), mean[0], sd[0], 0, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(bound), mean[1], sd[1], 0, NULL, NULL, NULL, NULL));
        for (size_t j = 0; j < 3; j++) CHECK_NEAR(mean[0][j], mean[1][j], (i ? 0.1 : 0.01)*sd[1][j]);
        bln_glm_free(npv);
        bln_glm_free(bound);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Student's t with targets that none of the features reach: d2 > 0 in nearly every row at the start, and the variances have no end.
 * */
TEST(glm_npv, no_top)
{
    const double theta[] = { 0.1, 3.0 }, lambda = 0.1;
    bln_basis *b = slm_parse("bias", 0, 3);
    bln_glm_mixture_desc own;
    bln_glm_desc desc = glm_npv_by(b, bln_likelihood_student_t(), 1, &own);
    double y[20];
    bln_data data;
    bln_report report;
    memset(&data, 0, sizeof data);
    data.n = 20;
    data.y = y;
    for (size_t i = 0; i < 20; i++) y[i] = i % 2 ? 5.0 + (double)i : -5.0 - (double)i;
    desc.likelihood_theta = theta;
    desc.prior_var = &lambda;
    desc.fix_likelihood = 1;
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EUNDEFINED);
    CHECK_TEXT(report.text, "no top");
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* Counts that are all 0, f = w ~ N(0, lambda), are -n e^m (1 + v/2) of the objective, which is next to nothing from
 * m = -2 log lambda on, however wide v is: what remains, of the prior, is best at v = lambda, and the better the greater lambda is.
 * So if that is learnt there is no top; if it is 100, v is near 100, where E e^f is e^{m + v/2} > e^40, and the bound 10 e^40
 * lower. At the top of the bound itself, where dL/dm = -n E e^f - m/lambda is 0, E e^f is -m/(n lambda), below 1. */
TEST(glm_npv, nothing_but_zeros)
{
    const double zeros[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, wide = 100.0;
    bln_basis *b = slm_parse("bias", 0, 3);
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 10;
    data.y = zeros;
    for (int held = 0; held < 2; held++) {
        bln_glm_mixture_desc own;
        bln_glm_desc desc = glm_npv_by(b, bln_likelihood_poisson(BLN_LINK_LOG), 1, &own);
        bln_report report;
        double mean;
        desc.no_hyper_prior = 1;
        if (held) { desc.prior_var = &wide; desc.fix_prior_var = 1; }
        for (own.steps.batch = 0; own.steps.batch < 8; own.steps.batch += 4) {
            bln_glm *glm = glm_new(&desc);
            CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EUNDEFINED);
            CHECK_TEXT(report.text, held || own.steps.batch ? "too wide for NPV" : "no top");
            CHECK(mixture_of(glm) == NULL);
            bln_glm_free(glm);
        }
        desc.method = bln_glm_mixture(NULL);
        bln_glm *bound = glm_new(&desc);
        CHECK_FIT(bound, &data, &report);
        data.n = 1;
        CHECK_OK(bln_glm_predict(bound, &data, &mean, NULL, NULL, NULL, NULL));
        CHECK_LE(mean, 1.0);
        data.n = 10;
        bln_glm_free(bound);
    }
    bln_basis_free(b);
}

SUITE_BEGIN(glm_npv)
SUITE_TEST(glm_npv, golden)
SUITE_TEST(glm_npv, gradients)
SUITE_TEST(glm_npv, beside_the_bound)
SUITE_TEST(glm_npv, no_top)
SUITE_TEST(glm_npv, nothing_but_zeros)
SUITE_END(glm_npv)
