/* The generalised linear model by mixtures of Gaussians, and its predictions. */
#include "../linear/posterior_of.h"
#include "glm_tools.h"

static const char *const glm_names[] = { "gaussian", "student_t", "bernoulli_logit", "bernoulli_probit", "binomial",
                                         "poisson_exp", "poisson_softplus", "negative_binomial" };
enum { GLM_NAMES = sizeof glm_names/sizeof *glm_names };

static blni_mixture glm_mixture(size_t K, size_t D, const double *m, const double *psi)
{
    blni_mixture q;
    memset(&q, 0, sizeof q);
    q.K = K;
    q.D = D;
    q.m = m;
    q.psi = psi;
    return q;
}

/* The golden bound has the factor N/M = 2.5 before its rows: weights of 2.5. */
TEST(glm_mixture, golden_bound)
{
    const double weight[] = { 2.5, 2.5, 2.5, 2.5, 2.5, 2.5 };
    bln_basis_ops ops;
    const bln_basis b = glm_table(&ops);
    const blni_mixture q = glm_mixture(2, 3, golden_glm_m, golden_glm_psi);
    for (size_t i = 0; i < sizeof golden_glm_bound/sizeof *golden_glm_bound; i++) {
        const golden_glm_bound_row *g = golden_glm_bound + i;
        for (int kind = 0; kind < 2; kind++) {
            double eta[2] = { 1, 1 }, dm[6], dpsi[6], d_prior[2], d_eta[2] = { 0, 0 }, F[18];
            const double *y, *trials;
            bln_glm_desc desc = glm_desc(&b, glm_named(g->likelihood, eta, &y, &trials));
            bln_data data = glm_golden_data(y, trials);
            data.weight = weight;
            bln_glm_mixture_desc own = BLN_ZERO;
            own.components = 2;
            own.entropy = kind ? BLN_ENTROPY_PAIRS : BLN_ENTROPY_JENSEN;
            own.nodes = 20;
            desc.block = 4;
            bln_glm *glm = glm_new(&desc);
            const double bound = glm_bound(glm, bln_glm_mixture(&own), &data, &q, golden_glm_lambda_slice, eta, golden_glm_Phi,
                                           dm, dpsi, d_prior, d_eta, F);
            CHECK_GOLD(bound, g->bound[kind], 1e-12);
            for (size_t j = 0; j < 6; j++) {
                CHECK_GOLD(dm[j], g->dm[kind][j], 1e-12);
                CHECK_GOLD(dpsi[j]*golden_glm_psi[j], g->d_log_psi[kind][j], 1e-12);
            }
            for (size_t j = 0; j < 2; j++) CHECK_GOLD(d_prior[j], golden_glm_d_log_lambda[j], 1e-12);
            for (size_t j = 0; j < desc.likelihood.n_theta; j++) CHECK_GOLD(d_eta[j]*eta[j], g->d_log_eta[j], 1e-12);
            for (size_t j = 0; j < 18; j++) CHECK_GOLD(F[j], g->F[j], 1e-12);
            bln_glm_free(glm);
        }
    }
}

/* The bound at point: 2 x D means, 2 x D log variances, log lambda and eta, log length scale. */
typedef struct glm_point { const bln_glm *glm; const bln_data *data; size_t D; bln_glm_mixture_desc own; } glm_point;
static double glm_bound_at(const glm_point *p, const double *point, double *gradient)
{
    const size_t KD = 2*p->D;
    const double *hyper = point + 2*KD;
    double *psi = test_doubles(KD), *dm = test_doubles(KD), *dpsi = test_doubles(KD);
    double lambda[2], eta[2], theta = exp(hyper[4]), d_prior[2], d_eta[2] = { 0, 0 }, d_theta = 0.0;
    for (size_t i = 0; i < KD; i++) psi[i] = exp(point[KD + i]);
    for (size_t i = 0; i < 2; i++) { lambda[i] = exp(hyper[i]); eta[i] = exp(hyper[2 + i]); }
    const blni_mixture q = glm_mixture(2, p->D, point, psi);
    const double bound = glm_bound(p->glm, bln_glm_mixture(&p->own), p->data, &q, lambda, eta, &theta, dm, dpsi, d_prior, d_eta,
                                   &d_theta);
    for (size_t i = 0; i < KD && gradient; i++) { gradient[i] = dm[i]; gradient[KD + i] = dpsi[i]*psi[i]; }
    for (size_t i = 0; i < 2 && gradient; i++) { gradient[2*KD + i] = d_prior[i]; gradient[2*KD + 2 + i] = d_eta[i]*eta[i]; }
    if (gradient) gradient[2*KD + 4] = d_theta*theta;
    free(psi); free(dm); free(dpsi);
    return bound;
}

static double glm_bound_value(const void *problem, const double *point)
{
    return glm_bound_at((const glm_point *)problem, point, NULL);
}

/* Against differences as in test_glm_laplace, with 8 nodes, so that only the gradient of the discretised bound can pass; the second
 * basis misses prior variance, which is in the bound. */
static void glm_gradients_of(const char *text, size_t nodes)
{
    bln_basis *b = slm_parse(text, 2, 3);
    for (size_t i = 0; i < GLM_NAMES; i++) {
        double eta[2] = { 1, 1 }, g[64], point[64];
        const double *y, *trials;
        test_random r = test_random_new(i);
        bln_glm_desc desc = glm_desc(b, glm_named(glm_names[i], eta, &y, &trials));
        bln_data data = glm_make(glm_names[i], 13, 21 + i);
        glm_point p = BLN_ZERO;
        p.own.components = 2;
        p.own.nodes = nodes;
        p.glm = glm_new(&desc);
        p.data = &data;
        p.D = b->D;
        const size_t n = 4*p.D + 5;
        for (size_t k = 0; k < n; k++) point[k] = 0.5*test_normal(&r) - (k >= 2*p.D && k < 4*p.D ? 1.0 : 0.0);
        for (size_t k = 0; k < 2; k++) point[4*p.D + 2 + k] = log(eta[k]);
        glm_bound_at(&p, point, g);
        glm_check_gradient(glm_bound_value, &p, n, point, g, n, n, 2e-8);
        bln_glm_free((bln_glm *)p.glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}
TEST(glm_mixture, gradients) { glm_gradients_of("bias + rbf:n=2", 8); }
TEST(glm_mixture, gradients_residual) { glm_gradients_of("bias + inducing:m=3", 8); }

/* [variational 50]: m the exact posterior mean, psi_i = 1/(C^-1)_ii, and log p(y) - L = 1/2 [sum log (C^-1)_ii - log|C^-1|]. */
TEST(glm_mixture, gaussian_optimum)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = slm_make(60, 2, 3, 1);
    const double lambda[] = { 2.0, 0.7 }, eta = 0.4;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
    bln_slm_desc linear = slm_fixed(b, BLN_SLM_PRIMAL, eta, lambda, NULL);
    double C[9], work[9], gap = 0.0;
    bln_glm_mixture_desc own = BLN_ZERO;
    desc.method = bln_glm_mixture(&own);
    desc.prior_var = lambda;
    desc.likelihood_theta = &eta;
    desc.fix_prior_var = desc.fix_likelihood = 1;
    desc.tolerance = 1e-13;
    bln_slm *slm = slm_fit(&linear, &data);
    blni_gaussian_covariance(gaussians_of(bln_slm_posterior(slm)), C, 3, work);
    CHECK_OK(bln_potrf(3, C, 3, NULL));
    gap += 0.5*bln_logdet_factor(3, C, 3);
    bln_trtri(3, C, 3);
    bln_lauum(3, C, 3, C, 3);
    for (size_t i = 0; i < 3; i++) gap += 0.5*log(C[i*3 + i]);
    for (own.nodes = 0; own.nodes < 6; own.nodes += 5) {
        bln_report report;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, &report);
        const blni_mixture *q = mixture_of(glm);
        /* A bound of size 100 flat to eps: parameters to sqrt(100 eps) = 1.5e-7 of their sd, gap to 1e-11. */
        for (size_t i = 0; i < 3 && q; i++) {
            CHECK_NEAR(q->m[i], gaussians_of(bln_slm_posterior(slm))->m[i], 2e-6*sqrt(q->psi[i]));
            CHECK_REL(q->psi[i], 1.0/C[i*3 + i], 2e-6);
        }
        CHECK_NEAR(bln_slm_evidence(slm) - bln_glm_objective(glm), gap, 1e-9);
        CHECK(report.stop == BLN_STOP_GRADIENT || report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_LINESEARCH);
        bln_glm_free(glm);
    }
    bln_slm_free(slm);
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Everything is learnt: at the end the gradient is nearly 0 in every coordinate, by the public function; three components bound the
 * evidence better than one, and no bound is above Laplace's evidence by more than that errs (a nat here). */
TEST(glm_mixture, learns)
{
    bln_basis *b = slm_parse("bias + rbf:n=3", 2, 3);
    for (size_t i = 0; i < GLM_NAMES; i += 2) {
        double bounds[2];
        double eta[2] = { 1, 1 };
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(b, glm_named(glm_names[i], eta, &y, &trials));
        bln_data data = glm_make(glm_names[i], 60, 31 + i);
        bln_glm_mixture_desc own = BLN_ZERO;
        desc.method = bln_glm_mixture(&own);
        own.nodes = 16;
        desc.tolerance = 1e-11;
        desc.theta_sd = HUGE_VAL;
        for (size_t K = 1; K < 4; K += 2) {
            double g_m[32], g_psi[32], g_prior[2], g_eta[2], g_theta;
            bln_report report;
            own.components = K;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, &report);
            const blni_mixture *q = mixture_of(glm);
            if (!q) { puts(report.text); bln_glm_free(glm); continue; }
            const double bound = glm_bound(glm, desc.method, &data, q, bln_glm_prior_var(glm), bln_glm_likelihood_theta(glm),
                                           bln_glm_theta(glm), g_m, g_psi, g_prior, g_eta, &g_theta);
            CHECK_NEAR(bound, bln_glm_objective(glm), 1e-9*fabs(bound));
            bounds[K > 1] = bound;
            for (size_t j = 0; j < K*b->D; j++) {
                CHECK_LE(fabs(g_m[j])*sqrt(q->psi[j]), 2e-3);
                CHECK_LE(fabs(g_psi[j])*q->psi[j], 2e-3);
            }
            bln_glm_free(glm);
        }
        CHECK_LE(bounds[0], bounds[1] + 1e-6);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Of several starts that with the greatest bound goes on: no start that is asked for alone, which is each of them in turn by the
 * seeds' own streams, has a greater one; and from random starts the search for the one top of a concave problem ends where it does
 * from the mode. */
TEST(glm_mixture, starts)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 60, 9);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    const double lambda[] = { 1.5, 0.8 };
    double m[2][3], s[2][3], bounds[5], best = 0.0;
    size_t others = 0;
    bln_glm_mixture_desc own = BLN_ZERO;
    desc.method = bln_glm_mixture(&own);
    desc.prior_var = lambda;
    desc.fix_prior_var = 1;
    for (int start = 0; start < 2; start++) {
        own.start = (bln_glm_start)start;
        own.components = 3;
        own.starts = 5;
        desc.seed = 4;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        blni_glm_mixture *state = glm_mixture_state(glm);
        blni_glm_fit *f = glm->fit;
        blni_glm_search *search = &f->search;
        const double first = -blni_lbfgs_value(search->lbfgs);
        for (size_t k = 0; k < 5; k++) {
            memcpy(search->x, search->x0, search->n*sizeof *search->x);
            blni_glm_mixture_candidate(f, state, k);
            blni_glm_search_natural(f, search->x);
            CHECK_OK(blni_glm_mixture_value(f, state, search->x, bounds + k, NULL));
            CHECK(k == 0 || bounds[k] != bounds[k - 1]);
            others += k && bounds[k] > best;
            best = !k || bounds[k] > best ? bounds[k] : best;
        }
        CHECK_NEAR(first, best, 0.0);
        CHECK(others > 0);                                   /* so that the first was not the best */
        bln_glm_free(glm);
        own.components = 1;
        desc.tolerance = 1e-13;
        glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), m[start], s[start], 0, NULL, NULL, NULL, NULL));
        bln_glm_free(glm);
    }
    /* a bound of size 40, flat to its rounding: as gaussian_optimum */
    for (size_t j = 0; j < 3; j++) {
        CHECK_NEAR(m[1][j], m[0][j], 1e-5*s[0][j]);
        CHECK_REL(s[1][j], s[0][j], 1e-5);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Predictions of the golden mixture: put into a model as its result. Errors as predictive states them, relative to sizes here. */
TEST(glm_mixture, golden_predictions)
{
    static const double row[] = { 0, 1 };
    double theta[18] = { 0 };
    bln_basis_ops ops;
    const bln_basis b = glm_table(&ops);
    memcpy(theta, golden_glm_Phi_star, 6*sizeof *theta);
    for (size_t i = 0; i < sizeof golden_glm_predict/sizeof *golden_glm_predict; i++) {
        const golden_glm_predict_row *g = golden_glm_predict + i;
        const double p[] = { 0.025, 0.5, 0.975 }, nine[] = { 9, 9 };
        double eta[2] = { 1, 1 }, mean, model, noise, out, lower, upper;
        const double *y, *trials;
        bln_glm_desc desc = glm_desc(&b, glm_named(g->likelihood, eta, &y, &trials));
        bln_data data = glm_golden_data(y, trials), star;
        bln_glm_mixture_desc own = BLN_ZERO;
        own.components = 2;
        desc.method = bln_glm_mixture(&own);
        desc.prior_var = golden_glm_lambda_slice;
        desc.likelihood_theta = eta;
        desc.theta = theta;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        desc.max_iterations = 1;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        memcpy((double *)(uintptr_t)((const bln_diagonals *)glm->posterior.groups->view)->m, golden_glm_m, 6*sizeof(double));
        memcpy((double *)(uintptr_t)((const bln_diagonals *)glm->posterior.groups->view)->psi, golden_glm_psi, 6*sizeof(double));
        memset(&star, 0, sizeof star);
        star.n = 1;
        star.d = 1;
        star.X = row + g->row;
        star.y = &g->y;
        star.trials = trials ? nine : NULL;
        CHECK_OK(bln_glm_predict(glm, &star, &mean, &model, &noise, NULL, NULL));
        CHECK_GOLD(mean, g->mean, 1e-9);
        CHECK_GOLD(model, g->var_model, 1e-8);
        CHECK_GOLD(model + noise, g->var_total, 1e-8);
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &star, &out, NULL, NULL));
        CHECK_GOLD(out, g->logdensity, 1e-9);
        CHECK_OK(bln_posterior_cdfs(bln_glm_posterior(glm), &star, &lower, &upper, NULL, NULL));
        CHECK_NEAR(lower, g->cdf, 1e-9);
        CHECK_NEAR(lower + upper, 1.0, 1e-9);
        for (size_t j = 0; j < 3; j++) {
            CHECK_OK(bln_posterior_quantiles(bln_glm_posterior(glm), &star, BLN_OF_Y, 1, &p[j], &out, NULL, NULL));
            if (g->quantile[j] < 1e308) CHECK_GOLD(out, g->quantile[j], 1e-8);
        }
        CHECK_OK(bln_posterior_intervals(bln_glm_posterior(glm), &star, BLN_OF_Y, 0.95, &lower, &upper, NULL, NULL));
        if (g->quantile[0] < 1e308) { CHECK_GOLD(lower, g->quantile[0], 1e-8); CHECK_GOLD(upper, g->quantile[2], 1e-8); }
        bln_glm_free(glm);
    }
}

SUITE_BEGIN(glm_mixture)
SUITE_TEST(glm_mixture, golden_bound)
SUITE_TEST(glm_mixture, gradients)
SUITE_TEST(glm_mixture, gradients_residual)
SUITE_TEST(glm_mixture, gaussian_optimum)
SUITE_TEST(glm_mixture, learns)
SUITE_TEST(glm_mixture, starts)
SUITE_TEST(glm_mixture, golden_predictions)
SUITE_END(glm_mixture)
