/* Coordinate ascent with several latents: fixed points beside golden values, slopes by differences, the tight bound. */
#include "glm_tools.h"
#include "../golden/gibbs_golden.h"
#include "../golden/cavi_golden.h"

enum { CAVI_LATENTS = sizeof golden_cavi_latents/sizeof *golden_cavi_latents };

static bln_likelihood cavi_several(size_t k)
{
    if (k < 2) return k ? bln_likelihood_heteroscedastic_t() : bln_likelihood_heteroscedastic();
    return bln_likelihood_logistic_softmax(3, (bln_softmax)(k - 2));
}

/* The six rows: two weights w_j = mu_j + L_j v of each latent, v ~ N(0, I), so that latent j has two columns and an offset. The
 * golden log precision is the negative of the library's second latent; of the bijective form class 0 is the golden last one. */
typedef struct cavi_several_rows {
    double X[36], offset[18], y[6], L[3][3], eta[2];
    size_t J;
    bln_likelihood likelihood;
    bln_basis *bases[3];
    bln_data data;
} cavi_several_rows;

static void cavi_several_make(cavi_several_rows *t, size_t k)
{
    static const char *const specs[] = { "linear:ones=0,cols=0;1", "linear:ones=0,cols=2;3", "linear:ones=0,cols=4;5" };
    memset(t, 0, sizeof *t);
    t->likelihood = cavi_several(k);
    t->J = t->likelihood.n_latent;
    t->eta[0] = k < 2 ? golden_cavi_noise : golden_cavi_scales[0];
    t->eta[1] = k < 2 ? 4.0 : golden_cavi_scales[1];
    for (size_t j = 0; j < t->J; j++) {
        const double *const lambda = golden_cavi_lambda[j], sign = k < 2 && j ? -1.0 : 1.0;
        t->L[j][0] = sqrt(lambda[0]);
        t->L[j][1] = lambda[2]/t->L[j][0];
        t->L[j][2] = sqrt(lambda[3] - t->L[j][1]*t->L[j][1]);
        t->bases[j] = slm_parse(specs[j], 2*t->J, 3);
        for (size_t i = 0; i < 6; i++) {
            const double *const phi = golden_gibbs_phi + 2*i;
            t->X[2*(t->J*i + j)] = sign*(t->L[j][0]*phi[0] + t->L[j][1]*phi[1]);
            t->X[2*(t->J*i + j) + 1] = sign*t->L[j][2]*phi[1];
            t->offset[t->J*i + j] = sign*(phi[0]*golden_cavi_mu[j][0] + phi[1]*golden_cavi_mu[j][1]);
        }
    }
    for (size_t i = 0; i < 6; i++) t->y[i] = golden_cavi_classes[i];
    for (size_t i = 0; i < 6 && k == 2 + BLN_SOFTMAX_BIJECTIVE; i++) t->y[i] = t->y[i] > 1.0 ? 0.0 : t->y[i] + 1.0;
    t->data.n = 6;
    t->data.d = 2*t->J;
    t->data.X = t->X;
    t->data.y = k < 2 ? golden_gibbs[augmented_row("student_t")].y : t->y;
    t->data.offset = t->offset;
    t->data.n_offset = t->J;
}

/* Mean and covariance of w_j from those of v; C: D x D, upper triangle. */
static void cavi_several_near(const cavi_several_rows *t, const double *m, const double *C, size_t D, size_t k)
{
    for (size_t j = 0; j < t->J; j++) {
        const double *const L = t->L[j], full[4] = { L[0], 0.0, L[1], L[2] };
        const double c[4] = { C[2*j*(D + 1)], C[2*j*(D + 1) + 1], C[2*j*(D + 1) + 1], C[(2*j + 1)*(D + 1)] };
        for (size_t a = 0; a < 2; a++) {
            const double mean = golden_cavi_mu[j][a] + full[2*a]*m[2*j] + full[2*a + 1]*m[2*j + 1];
            CHECK_NEAR(mean, golden_cavi_latents[k].mean[j][a], 1e-9);
            for (size_t b = 0; b < 2; b++) {
                double sum = 0.0;
                for (size_t e = 0; e < 4; e++) sum += full[2*a + e/2]*c[e]*full[2*b + e % 2];
                CHECK_NEAR(sum, golden_cavi_latents[k].cov[j][2*a + b], 1e-9);
            }
        }
    }
}

/* Fixed points, by plain and by accelerated sweeps, by the fit and at given hyper-parameters. */
TEST(glm_cavi_latents, golden)
{
    static const double ones[3] = { 1.0, 1.0, 1.0 };
    for (size_t k = 0; k < CAVI_LATENTS; k++)
        for (int plain = 0; plain < 2; plain++) {
            cavi_several_rows t;
            double m[6], C[36] = { 0.0 }, bound;
            bln_glm_cavi_desc own = BLN_ZERO;
            cavi_several_make(&t, k);
            own.bound = BLN_CAVI_COLLAPSED;
            own.sweeps = plain ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED;
            bln_glm_desc desc = glm_desc(NULL, t.likelihood);
            desc.bases = (const bln_basis *const *)t.bases;
            desc.method = bln_glm_cavi(&own);
            desc.prior_var = ones;
            desc.likelihood_theta = t.eta;
            desc.fix_prior_var = desc.fix_likelihood = 1;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &t.data, NULL);
            CHECK_GOLD(bln_glm_objective(glm), golden_cavi_latents[k].bound, 1e-9);
            CHECK(bln_glm_posterior(glm)->sites == BLN_SITES_NONE);
            CHECK_OK(bln_glm_objective_at(glm, desc.method, &t.data, ones, t.eta, NULL, &bound, m, C, NULL, NULL, NULL, NULL));
            CHECK_GOLD(bound, golden_cavi_latents[k].bound, 1e-9);
            cavi_several_near(&t, m, C, 2*t.J, k);
            bln_glm_free(glm);
            for (size_t j = 0; j < t.J; j++) bln_basis_free(t.bases[j]);
        }
}

/* ---- slopes */

/* The bound at point: logs of up to four prior variances (two for each latent of noise that changes, two for all classes), of up
 * to two parameters, of a length scale. */
typedef struct cavi_several_problem { const bln_glm *glm; const bln_data *data; bln_glm_cavi_desc own; } cavi_several_problem;

static double cavi_several_at(const cavi_several_problem *p, const double *point, double *gradient)
{
    double at[7], bound = 0.0, d[7] = { 0.0 };
    for (size_t i = 0; i < 7; i++) at[i] = exp(point[i]);
    CHECK_OK(bln_glm_objective_at(p->glm, bln_glm_cavi(&p->own), p->data, at, at + 4, at + 6, &bound, NULL, NULL,
                                  gradient ? d : NULL, gradient ? d + 4 : NULL, gradient ? d + 6 : NULL, NULL));
    for (size_t i = 0; i < 7 && gradient; i++) gradient[i] = i < 4 ? d[i] : d[i]*at[i];
    return bound;
}
static double cavi_several_value(const void *problem, const double *point)
{
    return cavi_several_at((const cavi_several_problem *)problem, point, NULL);
}

/* n rows with weights, of two inputs, for the noise that changes or for three classes. */
static bln_data cavi_several_data(size_t k, size_t n, uint64_t salt)
{
    bln_data data = glm_make("gaussian", n, salt);
    double *const y = (double *)data.y;
    for (size_t i = 0; i < n && k >= 2; i++) y[i] = y[i] > 0.5 ? 2.0 : y[i] > -0.5;
    return data;
}

/* Slopes of the collapsed bound at its fixed points in all hyper-parameters, against central differences as in test_cavi, with what
 * the second basis misses. */
TEST(glm_cavi_latents, gradients)
{
    static const char *const specs[] = { "bias + rbf:n=4", "bias + inducing:m=3" };
    for (size_t s = 0; s < 2; s++) {
        bln_basis *b = slm_parse(specs[s], 2, 3);
        for (size_t k = 0; k < CAVI_LATENTS; k++) {
            double g[7], point[7] = { -0.5, -0.2, -0.9, -1.2, -0.3, 0.9, 0.2 };
            bln_data data = cavi_several_data(k, 30, 21 + k);
            bln_glm_desc desc = glm_desc(b, cavi_several(k));
            cavi_several_problem problem = BLN_ZERO;
            desc.block = 13;
            bln_glm *glm = glm_new(&desc);
            problem.glm = glm;
            problem.data = &data;
            problem.own.bound = BLN_CAVI_COLLAPSED;
            cavi_several_at(&problem, point, g);
            glm_check_gradient(cavi_several_value, &problem, 4 + desc.likelihood.n_theta, point, g, k < 2 ? 4 : 2, 4, 2e-7);
            glm_check_gradient(cavi_several_value, &problem, 7, point, g, 0, 6, 2e-7);
            bln_glm_free(glm);
            glm_free_data(&data);
        }
        bln_basis_free(b);
    }
}

/* ---- beside `full` */

/* The tight bound's top is that of `full`; the collapsed bound's is below it. */
TEST(glm_cavi_latents, tight_is_full)
{
    static const double prior_var[] = { 0.5, 0.3, 0.2, 0.4 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for (size_t k = 0; k < CAVI_LATENTS; k++) {
        static const double eta[2] = { 0.6, 3.0 };
        double bound[3];
        bln_data data = cavi_several_data(k, 30, 51 + k);
        bln_glm_cavi_desc own = BLN_ZERO;
        bln_glm_desc desc = glm_desc(b, cavi_several(k));
        own.bound = BLN_CAVI_COLLAPSED;
        desc.prior_var = prior_var;
        desc.likelihood_theta = eta;
        desc.fix_prior_var = desc.fix_likelihood = 1;
        desc.tolerance = 1e-13;
        for (int way = 0; way < 3; way++) {
            desc.method = way == 2 ? bln_glm_full(NULL) : bln_glm_cavi(way ? &own : NULL);
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, NULL);
            bound[way] = bln_glm_objective(glm);
            bln_glm_free(glm);
        }
        CHECK_NEAR(bound[0], bound[2], 1e-6);
        CHECK_LE(bound[1], bound[2]);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

SUITE_BEGIN(glm_cavi_latents)
SUITE_TEST(glm_cavi_latents, golden)
SUITE_TEST(glm_cavi_latents, gradients)
SUITE_TEST(glm_cavi_latents, tight_is_full)
SUITE_END(glm_cavi_latents)
