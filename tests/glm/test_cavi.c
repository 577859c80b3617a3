/* Coordinate ascent by data augmentation as a method: fixed points and sweeps beside golden values, its slopes by differences, the
 * linear model, rows in their own space, weights of rows, what the tight bound makes of it, batches, stops and refusals. */
#include "glm_tools.h"
#include "../golden/gibbs_golden.h"
#include "../golden/cavi_golden.h"

/* The first row of `augmented` from k on whose likelihood has one latent; AUGMENTED if there is none. */
static size_t cavi_row(size_t k)
{
    while (k < AUGMENTED && augmented_named(augmented[k].name).ops->latents) k++;
    return k;
}
#define CAVI_LOGIT augmented_row("binomial_logit")
#define CAVI_ALL(k) (size_t k = cavi_row(0); k < AUGMENTED; k = cavi_row(k + 1))

/* n rows with targets, weights and offsets that suit a likelihood. */
static bln_data cavi_data(size_t k, size_t n, uint64_t salt)
{
    const char *const name = augmented[k].name;
    const int discrete = augmented_named(name).ops->discrete;
    return glm_make(!discrete ? "gaussian" : strncmp(name, "binomial", 8) ? "negative_binomial" : "binomial", n, salt);
}

/* Hyper-parameters held. */
static bln_glm_desc cavi_desc(const bln_basis *b, size_t k, const bln_glm_cavi_desc *own, const double *prior_var)
{
    bln_glm_desc desc = glm_desc(b, augmented_named(augmented[k].name));
    desc.method = bln_glm_cavi(own);
    desc.prior_var = prior_var;
    desc.likelihood_theta = augmented[k].eta;
    desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
    return desc;
}

/* The bound of q at the point where it stands, tight or collapsed. */
static double cavi_bound_here(blni_cavi *s, const blni_glm_hyper *h, int collapsed)
{
    s->q.expected.collapsed = collapsed ? s->augmentation : NULL;
    CHECK_OK(blni_full_try(&s->q, h, 1.0, NULL, 0, NULL));
    s->q.expected.collapsed = s->augmentation;
    return s->q.trial_bound;
}

/* ---- golden: w ~ N(mu, L L') are two weights of prior variance 1, an offset and inputs times L */

typedef struct cavi_golden {
    double X[12], offset[6], L[4];
    bln_data data;
    bln_likelihood likelihood;
    double eta[2];
} cavi_golden;

static void cavi_golden_make(cavi_golden *t, size_t k)
{
    const double *L = golden_gibbs_lambda0, *mu = golden_gibbs_mu0;
    const char *const name = golden_gibbs[k].name;
    memset(t, 0, sizeof *t);
    t->likelihood = augmented_named(name);
    t->eta[0] = augmented_golden_eta(name);
    t->eta[1] = 4.0;
    t->L[0] = sqrt(L[0]);
    t->L[2] = L[2]/t->L[0];
    t->L[3] = sqrt(L[3] - t->L[2]*t->L[2]);
    for (size_t i = 0; i < 6; i++) {
        const double *phi = golden_gibbs_phi + 2*i;
        t->X[2*i] = t->L[0]*phi[0] + t->L[2]*phi[1];
        t->X[2*i + 1] = t->L[3]*phi[1];
        t->offset[i] = phi[0]*mu[0] + phi[1]*mu[1] + augmented_golden_offset(name);
    }
    t->data.n = 6;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = golden_gibbs[k].y;
    t->data.offset = t->offset;
    t->data.trials = golden_gibbs[k].trials ? golden_gibbs_trials : NULL;
}

/* Mean and covariance of w from those of L^-1 (w - mu); C: upper triangle. */
static void cavi_golden_near(const cavi_golden *t, const double *m, const double *C, const double *mean, const double *cov)
{
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(golden_gibbs_mu0[i] + t->L[2*i]*m[0] + t->L[2*i + 1]*m[1], mean[i], 1e-9);
        for (size_t j = 0; j < 2; j++) {
            double sum = 0.0;
            for (size_t a = 0; a < 2; a++)
                for (size_t b = 0; b < 2; b++) sum += t->L[2*i + a]*C[a <= b ? 2*a + b : 2*b + a]*t->L[2*j + b];
            CHECK_NEAR(sum, cov[2*i + j], 1e-9);
        }
    }
}

/* Fixed points, by plain and by accelerated sweeps; the bound after each of six sweeps from the prior. */
TEST(glm_cavi, golden)
{
    static const double one = 1.0;
    bln_basis *b = slm_parse("linear:ones=0", 2, 3);
    for (size_t k = 0; k < sizeof golden_gibbs/sizeof *golden_gibbs; k++)
        for (int plain = 0; plain < 2; plain++) {
            cavi_golden t;
            double m[2], C[4], work[4], bound;
            bln_glm_cavi_desc own = BLN_ZERO;
            cavi_golden_make(&t, k);
            own.bound = BLN_CAVI_COLLAPSED;
            own.sweeps = plain ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED;
            bln_glm_desc desc = glm_desc(b, t.likelihood);
            desc.method = bln_glm_cavi(&own);
            desc.prior_var = &one;
            desc.likelihood_theta = t.eta;
            desc.fix_prior_var = desc.fix_likelihood = 1;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_objective_at(glm, desc.method, &t.data, &one, t.eta, NULL, &bound, m, C, NULL, NULL, NULL, NULL));
            CHECK_GOLD(bound, golden_cavi[k].bound, 1e-9);
            cavi_golden_near(&t, m, C, golden_cavi[k].mean, golden_cavi[k].cov);
            CHECK_OK(bln_glm_init(glm, &t.data, NULL));
            blni_cavi *s = (blni_cavi *)glm->fit->state;
            memset(s->q.A, 0, 4*sizeof(double));
            memset(s->q.b, 0, 2*sizeof(double));
            CHECK_OK(blni_full_try(&s->q, &glm->fit->hyper, 1.0, NULL, 0, NULL));
            blni_full_accept(&s->q, 1.0, NULL, 0);
            for (size_t i = 0; i < 6 && plain; i++) {
                CHECK_OK(blni_full_plain(&s->q, &glm->fit->hyper, NULL));
                CHECK_GOLD(s->q.bound, golden_cavi[k].sweep[i], 1e-11);
            }
            while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
            CHECK_OK(bln_glm_finish(glm, NULL));
            CHECK_GOLD(bln_glm_objective(glm), golden_cavi[k].bound, 1e-9);
            blni_gaussian_covariance(gaussian_of(glm), C, 2, work);
            cavi_golden_near(&t, gaussian_of(glm)->m, C, golden_cavi[k].mean, golden_cavi[k].cov);
            bln_glm_free(glm);
        }
    bln_basis_free(b);
}

/* The rate of the Poisson likelihood at its best, without its prior: the search ends at a gradient of 1e-7. */
TEST(glm_cavi, golden_rate)
{
    static const double one = 1.0;
    const size_t k = sizeof golden_gibbs/sizeof *golden_gibbs;                         /* after the others */
    bln_basis *b = slm_parse("linear:ones=0", 2, 3);
    cavi_golden t;
    bln_glm_cavi_desc own = BLN_ZERO;
    cavi_golden_make(&t, k - 1);
    own.bound = BLN_CAVI_COLLAPSED;
    bln_glm_desc desc = glm_desc(b, t.likelihood);
    desc.method = bln_glm_cavi(&own);
    desc.prior_var = &one;
    desc.likelihood_theta = t.eta;
    desc.fix_prior_var = desc.no_hyper_prior = 1;
    desc.tolerance = 1e-14;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &t.data, NULL);
    CHECK_GOLD(bln_glm_objective(glm), golden_cavi[k].bound, 1e-9);
    CHECK_REL(bln_glm_likelihood_theta(glm)[0], golden_cavi_rate, 1e-5);
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* f ~ N(0, K) by five rows of a Cholesky factor: no more rows than weights. */
TEST(glm_cavi, golden_process)
{
    static const double one = 1.0;
    double U[25], X[25], mean[5], cov[25], C[25], work[25], half[25];
    bln_basis *b = slm_parse("linear:ones=0", 5, 3);
    bln_data data = BLN_ZERO;
    bln_glm_cavi_desc own = BLN_ZERO;
    memcpy(U, golden_cavi_K, sizeof U);
    CHECK_OK(bln_potrf(5, U, 5, NULL));
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) X[i*5 + j] = j <= i ? U[j*5 + i] : 0.0;
    data.n = data.d = 5;
    data.X = X;
    data.y = golden_cavi_y;
    own.bound = BLN_CAVI_COLLAPSED;
    bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, &one);
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    CHECK_GOLD(bln_glm_objective(glm), golden_cavi_gp.bound, 1e-9);
    blni_gaussian_covariance(gaussian_of(glm), C, 5, work);
    bln_symmetrise(5, C, 5);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, 5, 5, 5, 1.0, X, 5, C, 5, 0.0, half, 5);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, 5, 5, 5, 1.0, half, 5, X, 5, 0.0, cov, 5);
    bln_gemv(BLN_NOTRANS, 5, 5, 1.0, X, 5, gaussian_of(glm)->m, 0.0, mean);
    for (size_t i = 0; i < 5; i++) CHECK_GOLD(mean[i], golden_cavi_gp.mean[i], 1e-9);
    for (size_t i = 0; i < 25; i++) CHECK_GOLD(cov[i], golden_cavi_gp.cov[i], 1e-9);
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* ---- the bound */

/* No sweep lowers it by more than 1e-10 of itself, none is above the tight bound there, and at the end the sites at the moments
 * give the q that they come from: [augmentation 5], in units of C's diagonal, to the root of the rate at the end, and slowness. */
TEST(glm_cavi, sweeps)
{
    static const double prior_var[] = { 4.0, 2.0 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for CAVI_ALL(k)
        for (int plain = 0; plain < 2; plain++) {
            bln_data data = cavi_data(k, 40, 11 + k);
            bln_glm_cavi_desc own = BLN_ZERO;
            own.bound = BLN_CAVI_COLLAPSED;
            own.sweeps = plain ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED;
            const bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_init(glm, &data, NULL));
            blni_cavi *s = (blni_cavi *)glm->fit->state;
            for (double before = s->q.bound; s->sweeping && blni_full_more(&s->q); before = s->q.bound) {
                CHECK_OK(bln_glm_step(glm, NULL));
                if (!s->sweeping) break;
                CHECK_LE(before - s->q.bound, 1e-10*fabs(before));
                const double tight = cavi_bound_here(s, &glm->fit->hyper, 0), own_bound = cavi_bound_here(s, &glm->fit->hyper, 1);
                CHECK_NEAR(own_bound, s->q.bound, 1e-10*fabs(own_bound));
                CHECK_LE(own_bound, tight + 1e-8*fabs(tight));
            }
            cavi_bound_here(s, &glm->fit->hyper, 1);
            for (size_t i = 0; i < 3; i++)
                for (size_t j = i; j < 3; j++)
                    CHECK_NEAR(s->q.next[3*i + j], s->q.A[3*i + j], 1e-6*sqrt(s->q.A[4*i]*s->q.A[4*j]) + 1e-9);
            bln_glm_free(glm);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* Rows that two classes part all but in one, under a wide prior: plain sweeps crawl, combined ones do not, and none falls. */
TEST(glm_cavi, acceleration)
{
    enum { N = 60 };
    static const double prior_var[] = { 25.0, 100.0 };
    double X[N], y[N];
    size_t passes[2];
    double bound[2];
    bln_basis *b = slm_parse("bias + linear:ones=0", 1, 3);
    bln_data data = BLN_ZERO;
    for (size_t i = 0; i < N; i++) {
        X[i] = ((double)i - 29.5)/30.0;
        y[i] = i >= N/2;
    }
    y[33] = 0.0;
    data.n = N;
    data.d = 1;
    data.X = X;
    data.y = y;
    for (int plain = 0; plain < 2; plain++) {
        bln_glm_cavi_desc own = BLN_ZERO;
        own.bound = BLN_CAVI_COLLAPSED;
        own.sweeps = plain ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED;
        const bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, prior_var);
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        blni_cavi *s = (blni_cavi *)glm->fit->state;
        s->q.least = 1e-9;
        s->q.enough = 1e-9;
        while (s->sweeping) {
            const double before = s->q.bound;
            CHECK_OK(bln_glm_step(glm, NULL));
            CHECK_LE(before - s->q.bound, 1e-10*fabs(before));
        }
        passes[plain] = s->q.passes;
        CHECK_OK(bln_glm_finish(glm, NULL));
        bound[plain] = bln_glm_objective(glm);
        bln_glm_free(glm);
    }
    CHECK_NEAR(bound[0], bound[1], 1e-7);
    CHECK_LE((double)passes[0], 20.0);
    CHECK_LE(5.0*(double)passes[0], (double)passes[1]);
    bln_basis_free(b);
}

/* A combination that would lower the bound, here of points that are none, is taken back, and a plain sweep follows. */
TEST(glm_cavi, taken_back)
{
    static const double prior_var[] = { 25.0, 100.0 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = cavi_data(CAVI_LOGIT, 40, 5);
    bln_glm_cavi_desc own = BLN_ZERO;
    own.bound = BLN_CAVI_COLLAPSED;
    const bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, prior_var);
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    blni_full *q = (blni_full *)glm->fit->state;
    for (int k = 0; k < 2; k++) CHECK_OK(bln_glm_step(glm, NULL));
    for (size_t i = 0; i < 3; i++) q->aim[1].t[i] += 1000.0;
    const double before = q->bound;
    const size_t passes = q->passes;
    CHECK_OK(bln_glm_step(glm, NULL));
    CHECK_LE(before, q->bound);
    CHECK_SIZE(q->passes, passes + 2);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* The bound at point[0..4]: two log lambda, up to two log eta, one log length scale. */
typedef struct cavi_problem { const bln_glm *glm; const bln_data *data; bln_glm_cavi_desc own; } cavi_problem;
static double cavi_at(const cavi_problem *p, const double *point, double *gradient)
{
    double lambda[2], eta[2], theta, bound = 0.0, d_prior[2], d_eta[2] = { 0, 0 }, d_theta = 0.0;
    for (size_t i = 0; i < 2; i++) { lambda[i] = exp(point[i]); eta[i] = exp(point[2 + i]); }
    theta = exp(point[4]);
    CHECK_OK(bln_glm_objective_at(p->glm, bln_glm_cavi(&p->own), p->data, lambda, eta, &theta, &bound, NULL, NULL,
                                  gradient ? d_prior : NULL, gradient ? d_eta : NULL, gradient ? &d_theta : NULL, NULL));
    for (size_t i = 0; i < 2 && gradient; i++) { gradient[i] = d_prior[i]; gradient[2 + i] = d_eta[i]*eta[i]; }
    if (gradient) gradient[4] = d_theta*theta;
    return bound;
}
static double cavi_value(const void *problem, const double *point) { return cavi_at((const cavi_problem *)problem, point, NULL); }

/* Slopes of the collapsed bound at its fixed points in all hyper-parameters, against central differences as in test_full, with what
 * the second basis misses. */
TEST(glm_cavi, gradients)
{
    static const char *const specs[] = { "bias + rbf:n=4", "bias + inducing:m=3" };
    for (size_t t = 0; t < 2; t++) {
        bln_basis *b = slm_parse(specs[t], 2, 3);
        for CAVI_ALL(k) {
            double g[5], point[5] = { 0.3, 0.7, 0.0, 0.0, 0.2 };
            bln_data data = cavi_data(k, 30, 21 + k);
            bln_glm_desc desc = glm_desc(b, augmented_named(augmented[k].name));
            cavi_problem problem = BLN_ZERO;
            desc.block = 13;
            bln_glm *glm = glm_new(&desc);
            for (size_t j = 0; j < 2; j++) point[2 + j] = log(augmented[k].eta[j]);
            problem.glm = glm;
            problem.data = &data;
            problem.own.bound = BLN_CAVI_COLLAPSED;
            cavi_at(&problem, point, g);
            glm_check_gradient(cavi_value, &problem, 5, point, g, 2 + desc.likelihood.n_theta, 4, 2e-7);
            bln_glm_free(glm);
            glm_free_data(&data);
        }
        bln_basis_free(b);
    }
}

/* ---- beside others */

/* Gaussian noise: the bound is the evidence, and q the posterior of the linear model, after a sweep. */
TEST(glm_cavi, gaussian_is_slm)
{
    bln_basis *b = slm_parse("bias + rbf:n=5", 2, 5);
    bln_data data = slm_make(60, 2, 3, 1);
    const double lambda[] = { 2.0, 0.7 }, theta = 1.1;
    bln_glm_cavi_desc own = BLN_ZERO;
    own.bound = BLN_CAVI_COLLAPSED;
    bln_glm_desc desc = cavi_desc(b, augmented_row("gaussian"), &own, lambda);
    const bln_slm_desc linear = slm_fixed(b, BLN_SLM_PRIMAL, desc.likelihood_theta[0], lambda, &theta);
    double mean[60], var[60], lm[60], lv[60];
    desc.theta = &theta;
    bln_glm *glm = glm_new(&desc);
    bln_slm *slm = slm_fit(&linear, &data);
    CHECK_FIT(glm, &data, NULL);
    CHECK_REL(bln_glm_objective(glm), bln_slm_evidence(slm), 1e-12);
    CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, mean, var, NULL, NULL));
    CHECK_OK(bln_posterior_latent(bln_slm_posterior(slm), &data, lm, lv, NULL, NULL));
    for (size_t i = 0; i < 60; i++) {
        CHECK_NEAR(mean[i], lm[i], 1e-12*(1.0 + fabs(lm[i])));
        CHECK_REL(var[i], lv[i], 1e-11);                     /* of a difference from the prior's, ten times as large */
    }
    bln_glm_free(glm);
    bln_slm_free(slm);
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Few rows in their own space beside the weights' (objective_at does not reduce). */
TEST(glm_cavi, rows_beside_weights)
{
    static const double prior_var[] = { 2.0, 1.5 }, theta = 0.8;
    bln_basis *b = slm_parse("bias + rbf:n=6", 2, 5);
    for CAVI_ALL(k) {
        bln_data data = cavi_data(k, 9, 31 + k);
        double m[13], C[169], fitted[169], work[169], bound;
        bln_glm_cavi_desc own = BLN_ZERO;
        own.bound = BLN_CAVI_COLLAPSED;
        bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
        desc.theta = &theta;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, prior_var, augmented[k].eta, &theta, &bound, m, C, NULL, NULL, NULL,
                                      NULL));
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        CHECK_SIZE(((blni_cavi *)glm->fit->state)->q.e.D, 9);
        while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
        CHECK_OK(bln_glm_finish(glm, NULL));
        CHECK_REL(bln_glm_objective(glm), bound, 1e-11);
        blni_gaussian_covariance(gaussian_of(glm), fitted, 13, work);
        for (size_t i = 0; i < 13; i++) {
            CHECK_NEAR(gaussian_of(glm)->m[i], m[i], 2e-8);          /* where both searches end, as in test_full */
            for (size_t j = i; j < 13; j++) CHECK_NEAR(fitted[i*13 + j], C[i*13 + j], 2e-8);
        }
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Weight 3 is three copies of a row, and a row of weight 0 none; blocks of rows change rounding alone. */
TEST(glm_cavi, weights_and_blocks)
{
    enum { N = 20 };
    static const double prior_var[] = { 2.0, 1.5 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    for CAVI_ALL(k) {
        bln_data data = cavi_data(k, N, 41 + k), copies = cavi_data(k, 3*N, 1);
        double weight[N];
        size_t n = 0;
        for (size_t i = 0; i < N; i++) {
            weight[i] = i % 4 == 0 ? 3.0 : i % 4 == 3 ? 0.0 : 1.0;
            for (size_t c = 0; (double)c < weight[i]; c++, n++) {
                memcpy((double *)copies.X + 2*n, data.X + 2*i, 2*sizeof(double));
                ((double *)copies.y)[n] = data.y[i];
                ((double *)copies.offset)[n] = data.offset[i];
                ((double *)copies.weight)[n] = 1.0;
                if (data.trials) ((double *)copies.trials)[n] = data.trials[i];
            }
        }
        const double *const weights = data.weight;
        data.weight = weight;
        copies.n = n;
        double bound[2], m[2][3], C[2][9];
        bln_glm_cavi_desc own = BLN_ZERO;
        own.bound = BLN_CAVI_COLLAPSED;
        for (int way = 0; way < 2; way++) {
            bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
            desc.block = way ? 7 : 0;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_objective_at(glm, desc.method, way ? &copies : &data, prior_var, augmented[k].eta, NULL, bound + way,
                                          m[way], C[way], NULL, NULL, NULL, NULL));
            bln_glm_free(glm);
        }
        CHECK_REL(bound[0], bound[1], 1e-12);
        for (size_t i = 0; i < 3; i++) CHECK_NEAR(m[0][i], m[1][i], 2e-8);
        for (size_t i = 0; i < 3; i++)                                               /* the upper triangle */
            for (size_t j = i; j < 3; j++) CHECK_NEAR(C[0][3*i + j], C[1][3*i + j], 2e-8);
        data.weight = weights;
        glm_free_data(&data);
        glm_free_data(&copies);
    }
    bln_basis_free(b);
}

/* The tight bound's top is that of `full`, held or learnt: both searches go on to where the bound shows no more. */
TEST(glm_cavi, tight_is_full)
{
    static const double prior_var[] = { 2.0, 1.5 };
    bln_basis *b = slm_parse("bias + rbf:n=3", 2, 3);
    for CAVI_ALL(k)
        for (int learn = 0; learn < 2; learn++) {
            bln_data data = cavi_data(k, 60, 51 + k);
            bln_glm_desc desc = cavi_desc(b, k, NULL, prior_var);
            desc.tolerance = 1e-13;
            if (learn) desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 0;
            bln_glm *glm = glm_new(&desc);
            desc.method = bln_glm_full(NULL);
            bln_glm *full = glm_new(&desc);
            CHECK_FIT(glm, &data, NULL);
            CHECK_FIT(full, &data, NULL);
            CHECK_NEAR(bln_glm_objective(glm), bln_glm_objective(full), 1e-6);
            for (size_t i = 0; i < 2 && !learn; i++) CHECK_NEAR(gaussian_of(glm)->m[i], gaussian_of(full)->m[i], 1e-6);
            CHECK(!strcmp(bln_glm_method_name(glm), "cavi"));
            CHECK(bln_glm_posterior(glm)->sites == BLN_SITES_MEAN);
            bln_glm_free(glm);
            bln_glm_free(full);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* Hyper-parameters by another method, and then the sweeps alone. */
TEST(glm_cavi, after_full)
{
    bln_basis *b = slm_parse("bias + rbf:n=3", 2, 3);
    bln_data data = cavi_data(CAVI_LOGIT, 60, 5);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    bln_glm_cavi_desc own = BLN_ZERO;
    double bound;
    own.bound = BLN_CAVI_COLLAPSED;
    desc.method = bln_glm_full(NULL);
    bln_glm *full = glm_new(&desc);
    desc.method = bln_glm_cavi(&own);
    desc.hyper = bln_glm_full(NULL);
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(full, &data, NULL);
    CHECK_FIT(glm, &data, NULL);
    CHECK(memcmp(bln_glm_prior_var(glm), bln_glm_prior_var(full), 2*sizeof(double)) == 0);
    CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, bln_glm_prior_var(full), NULL, bln_glm_theta(full), &bound, NULL, NULL,
                                  NULL, NULL, NULL, NULL));
    CHECK_REL(bln_glm_objective(glm), bound, 1e-11);
    CHECK_LE(bound, bln_glm_objective(full));
    CHECK(bln_glm_posterior(glm)->sites == BLN_SITES_NONE);
    bln_glm_free(full);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* ---- by batches */

/* All rows, and the first size 1: the step is a sweep. Then the sizes are those of the schedule. */
TEST(glm_cavi, batch_of_all_rows_is_a_sweep)
{
    static const double prior_var[] = { 2.0, 1.5 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    for CAVI_ALL(k) {
        bln_data data = cavi_data(k, 40, 61 + k);
        bln_glm_cavi_desc own = BLN_ZERO;
        own.bound = BLN_CAVI_COLLAPSED;
        own.sweeps = BLN_CAVI_PLAIN;
        bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
        bln_glm *sweeps = glm_new(&desc);
        own.steps.batch = 40;
        bln_glm *batch = glm_new(&desc);
        CHECK_OK(bln_glm_init(sweeps, &data, NULL));
        CHECK_OK(bln_glm_init(batch, &data, NULL));
        const blni_full *p = (blni_full *)sweeps->fit->state, *q = (blni_full *)batch->fit->state;
        CHECK_OK(bln_glm_step(sweeps, NULL));
        CHECK_OK(blni_glm_search_epoch(batch->fit, NULL));
        for (size_t i = 0; i < 3; i++) {
            CHECK_NEAR(q->b[i], p->b[i], 1e-12*(1.0 + fabs(p->b[i])));
            for (size_t j = i; j < 3; j++) CHECK_NEAR(q->A[3*i + j], p->A[3*i + j], 1e-12*p->A[4*i]);
        }
        for (int t = 1; t < 3; t++) {
            double A[9];
            const double r = pow(1.0 + t, -0.7);
            memcpy(A, q->A, sizeof A);
            CHECK_OK(blni_glm_search_epoch(batch->fit, NULL));
            for (size_t i = 0; i < 3; i++)
                CHECK_NEAR(q->A[4*i], (1.0 - r)*A[4*i] + r*q->aim[0].T[4*i], 1e-12*(A[4*i] + q->aim[0].T[4*i]));
        }
        bln_glm_free(sweeps);
        bln_glm_free(batch);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Against the top by all rows, by batches of 12 of 120 rows: the n numbers of q, each off by 0.16 standard deviations, as those of
 * test_full, lower the bound by less than 0.013 n. */
TEST(glm_cavi, batches_converge)
{
    static const double prior_var[] = { 2.0, 1.5 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for CAVI_ALL(k)
        for (int bound = 0; bound < 2; bound++) {
            bln_data data = cavi_data(k, 120, 7 + k);
            bln_glm_cavi_desc own = BLN_ZERO;
            own.bound = (bln_glm_cavi_bound)bound;
            bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
            bln_glm *exact = glm_new(&desc);
            own.steps.batch = 12;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(exact, &data, NULL);
            CHECK_FIT(glm, &data, NULL);
            CHECK_LE(-1e-5, bln_glm_objective(exact) - bln_glm_objective(glm));
            CHECK_LE(bln_glm_objective(exact) - bln_glm_objective(glm), 0.013*9.0);
            bln_glm_free(exact);
            bln_glm_free(glm);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* ---- stops and refusals */

static bln_status cavi_stop(void *user, const bln_glm_progress *p)
{
    *(double *)user = p->objective;
    return BLN_ESTOPPED;
}

/* Among the sweeps q stays as it stands. */
TEST(glm_cavi, stops)
{
    static const double prior_var[] = { 25.0, 100.0 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = cavi_data(CAVI_LOGIT, 40, 5);
    double seen = 0.0, top = 0.0;
    bln_report report;
    for (int bound = 0; bound < 2; bound++) {
        bln_glm_cavi_desc own = BLN_ZERO;
        own.bound = (bln_glm_cavi_bound)bound;
        own.sweeps = BLN_CAVI_PLAIN;
        bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, prior_var);
        desc.monitor_user = &seen;
        for (int stop = 0; stop < 2; stop++) {
            desc.monitor = stop ? cavi_stop : NULL;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, &report);
            CHECK(gaussian_of(glm) != NULL);
            if (stop) {
                CHECK(report.stop == BLN_STOP_MONITOR);
                CHECK_REL(bln_glm_objective(glm), seen, 1e-12);
                CHECK_LE(seen, top - (bound ? 1e-3 : 0.0));
            }
            top = bln_glm_objective(glm);
            bln_glm_free(glm);
        }
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* The same where rows have a space of their own: mean and covariance are of one q, m = C Phi'h with h = y - trials/2 wherever the
 * sweeps stand (no offset). */
TEST(glm_cavi, stops_in_the_space_of_the_rows)
{
    static const double prior_var[] = { 25.0, 100.0 }, theta = 0.8;
    bln_basis *b = slm_parse("bias + rbf:n=6", 2, 5);
    bln_data data = cavi_data(CAVI_LOGIT, 9, 31);
    const double *const offset = data.offset, *const weight = data.weight;
    double Phi[9*13], C[169], work[169], seen, *room = test_doubles(bln_basis_work(b, 9) + 8);
    bln_glm_cavi_desc own = BLN_ZERO;
    own.bound = BLN_CAVI_COLLAPSED;
    own.sweeps = BLN_CAVI_PLAIN;
    data.offset = data.weight = NULL;
    bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, prior_var);
    desc.theta = &theta;
    desc.monitor = cavi_stop;
    desc.monitor_user = &seen;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    bln_basis_features(b, &theta, 9, data.X, 2, Phi, 13, room);
    blni_gaussian_covariance(gaussian_of(glm), C, 13, work);
    for (size_t i = 0; i < 13; i++) {
        double want = 0.0;
        for (size_t j = 0; j < 13; j++)
            for (size_t k = 0; k < 9; k++)
                want += C[i < j ? i*13 + j : j*13 + i]*Phi[k*13 + j]*(data.y[k] - 0.5*(data.trials ? data.trials[k] : 1.0));
        CHECK_NEAR(gaussian_of(glm)->m[i], want, 1e-10);
    }
    bln_glm_free(glm);
    data.offset = offset;
    data.weight = weight;
    glm_free_data(&data);
    bln_basis_free(b);
    free(room);
}

TEST(glm_cavi, bad_cases)
{
    bln_basis *b = slm_parse("linear", 2, 3);
    bln_glm *glm = NULL;
    bln_report report;
    for (int k = 0; k < 4; k++) {
        bln_glm_cavi_desc own = BLN_ZERO;
        bln_glm_desc desc = glm_desc(b, k ? bln_likelihood_binomial(BLN_LINK_LOGIT) : bln_likelihood_poisson(BLN_LINK_LOG));
        desc.method = bln_glm_cavi(&own);
        if (k == 1) own.bound = (bln_glm_cavi_bound)2;
        if (k == 2) own.sweeps = (bln_glm_cavi_sweeps)-1;
        if (k == 3) own.steps.natural = 0.5;                 /* without a batch */
        CHECK(bln_glm_check(&desc) != NULL);
        CHECK_STATUS(bln_glm_create(&desc, &glm, &report), BLN_EINVAL);
        CHECK(report.text[0] && !glm);
    }
    bln_basis_free(b);
}

/* Targets and features beyond any scale: a status, or numbers. */
TEST(glm_cavi, extremes)
{
    static const double prior_var[] = { 1e6, 1e6 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for CAVI_ALL(k)
        for (int way = 0; way < 4; way++) {
            bln_data data = cavi_data(k, 12, 5);
            const int discrete = augmented_named(augmented[k].name).ops->discrete;
            for (size_t i = 0; i < 12; i++) {
                if (way == 0) ((double *)data.offset)[i] = i % 2 ? 700.0 : -700.0;
                if (way == 1) ((double *)data.X)[2*i] *= 1e150;
                if (way == 2) ((double *)data.weight)[i] = i % 2 ? 1e300 : 1e-300;
                if (way == 3) ((double *)data.y)[i] = discrete ? 0.0 : 1e15*data.y[i];
            }
            bln_glm_desc desc = cavi_desc(b, k, NULL, prior_var);
            bln_report report;
            bln_glm *glm = glm_new(&desc);
            const bln_status status = bln_glm_fit(glm, &data, &report);
            CHECK(status == BLN_OK ? blni_finite(bln_glm_objective(glm)) && blni_all_finite(3, gaussian_of(glm)->m)
                                   : report.text[0] != '\0');
            bln_glm_free(glm);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* ---- where sweeps do not lead, or have nowhere to go */

static bln_status cavi_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows");
}

/* At hyper-parameters that are given the tight bound begins with sweeps, and is that of full: both end where q is right to 1e-8 of
 * its standard deviations. What the sweeps cannot begin with, full cannot either; and rows that fail do so in the first sweep. */
TEST(glm_cavi, objective_at)
{
    static const double prior_var[] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = cavi_data(CAVI_LOGIT, 40, 5);
    bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, NULL, prior_var);
    bln_glm *glm = glm_new(&desc);
    blni_glm_fit *f = NULL;
    blni_glm_own own;
    bln_report report;
    double bound[2], mean[2][3], value;
    for (int full = 0; full < 2; full++)
        CHECK_OK(bln_glm_objective_at(glm, full ? bln_glm_full(NULL) : desc.method, &data, prior_var, NULL, NULL, bound + full,
                                      mean[full], NULL, NULL, NULL, NULL, NULL));
    CHECK_REL(bound[0], bound[1], 1e-10);
    for (size_t j = 0; j < 3; j++) CHECK_NEAR(mean[0][j], mean[1][j], 1e-7);
    blni_glm_own_of(glm->desc.method, &own);
    CHECK_OK(blni_glm_open(&glm->alloc, &glm->desc, &own, NULL, NULL, &data, 1, &f, &report));
    CHECK_OK(blni_glm_point(f, prior_var, NULL, NULL, &report));
    f->source.reset = cavi_no_rows;
    CHECK_STATUS(f->method->value(f, f->state, NULL, &value, &report), BLN_EIO);
    CHECK_TEXT(report.text, "no rows");
    blni_glm_close(&glm->alloc, f);
    for (size_t i = 0; i < 80; i++) ((double *)data.X)[i] *= 1e200;
    CHECK_STATUS(bln_glm_objective_at(glm, desc.method, &data, prior_var, NULL, NULL, bound, NULL, NULL, NULL, NULL, NULL, &report),
                 BLN_ENUMERIC);
    CHECK_TEXT(report.text, "scale the data");
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* The limit of iterations ends sweeps too: those of the collapsed bound are the fit, those before the tight one make place for its
 * search. Sweeps of which none rises are no fit, but a start. */
TEST(glm_cavi, sweeps_that_end_early)
{
    static const double prior_var[] = { 25.0, 100.0 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = cavi_data(CAVI_LOGIT, 40, 5);
    for (int bound = 0; bound < 2; bound++) {
        bln_glm_cavi_desc own = BLN_ZERO;
        bln_report report;
        own.bound = (bln_glm_cavi_bound)bound;
        own.sweeps = BLN_CAVI_PLAIN;
        bln_glm_desc desc = cavi_desc(b, CAVI_LOGIT, &own, prior_var);
        bln_glm *whole = glm_new(&desc);
        CHECK_FIT(whole, &data, NULL);
        desc.max_iterations = 1;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, &report);
        CHECK(bound ? report.stop == BLN_STOP_LIMIT : report.stop != BLN_STOP_LIMIT);
        if (bound) CHECK_LE(bln_glm_objective(glm), bln_glm_objective(whole) - 1e-3);
        else CHECK_REL(bln_glm_objective(glm), bln_glm_objective(whole), 1e-10);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        ((blni_cavi *)glm->fit->state)->q.found = 0;
        CHECK_STATUS(bln_glm_step(glm, &report), bound ? BLN_ENUMERIC : BLN_OK);
        if (bound) {
            CHECK_TEXT(report.text, "top was not found");
            CHECK_OK(bln_glm_init(glm, &data, NULL));
            glm->fit->source.reset = cavi_no_rows;
            CHECK_STATUS(bln_glm_step(glm, &report), BLN_EIO);
            CHECK_TEXT(report.text, "no rows");
            CHECK_STATUS(bln_glm_step(glm, &report), BLN_EIO);
            CHECK_TEXT(report.text, "an earlier step failed");
        }
        while (!bound && !bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
        if (!bound) {
            CHECK_OK(bln_glm_finish(glm, NULL));
            CHECK_REL(bln_glm_objective(glm), bln_glm_objective(whole), 1e-10);
            CHECK_OK(bln_glm_init(glm, &data, NULL));
            ((blni_cavi *)glm->fit->state)->q.enough = 0.0;               /* as where sweeps take longer */
            CHECK_OK(bln_glm_step(glm, NULL));
            CHECK(!((blni_cavi *)glm->fit->state)->sweeping);
            CHECK_OK(bln_glm_finish(glm, NULL));
            CHECK_REL(bln_glm_objective(glm), bln_glm_objective(whole), 1e-10);
        }
        bln_glm_free(glm);
        bln_glm_free(whole);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Finished among the sweeps in the space of the rows, which needs another sweep: with Gaussian noise the first point is the top and
 * there is none; a sweep that leads nowhere leaves q, and rows that fail fail it. */
TEST(glm_cavi, finished_in_the_space_of_the_rows)
{
    static const double prior_var[] = { 25.0, 100.0 }, theta = 0.8;
    bln_basis *b = slm_parse("bias + rbf:n=6", 2, 5);
    for (int way = 0; way < 3; way++) {
        const size_t k = way ? CAVI_LOGIT : augmented_row("gaussian");
        bln_data data = cavi_data(k, 9, 31);
        bln_glm_cavi_desc own = BLN_ZERO;
        double exact, sd[13];
        bln_report report;
        own.bound = BLN_CAVI_COLLAPSED;
        bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
        desc.theta = &theta;
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        blni_cavi *s = (blni_cavi *)glm->fit->state;
        CHECK(blni_full_more(&s->q) == (way > 0));
        const double bound = s->q.bound;
        if (way == 1) s->q.aim[0].T[0] = BLNI_NAN;
        if (way == 2) glm->fit->source.reset = cavi_no_rows;
        CHECK_STATUS(bln_glm_finish(glm, &report), way == 2 ? BLN_EIO : BLN_OK);
        if (way == 2) CHECK_TEXT(report.text, "no rows");
        if (way == 1) CHECK_REL(bln_glm_objective(glm), bound, 1e-12);
        if (way < 2) CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), NULL, sd, 0, NULL, NULL, NULL, NULL));
        for (size_t j = 0; j < 13 && way < 2; j++) CHECK(sd[j] > 0.0 && sd[j] <= (j ? 10.0 : 5.0));
        if (way == 0) {
            CHECK_OK(bln_glm_objective_at(glm, bln_glm_laplace(), &data, prior_var, desc.likelihood_theta, &theta, &exact, NULL,
                                          NULL, NULL, NULL, NULL, NULL));
            CHECK_REL(bln_glm_objective(glm), exact, 1e-10);
        }
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* By batches with a rate of their own the steps are those of full: of size 1 with all rows and Gaussian noise, exact. */
TEST(glm_cavi, natural_rate)
{
    static const double prior_var[] = { 2.0, 0.7 };
    const size_t k = augmented_row("gaussian");
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = cavi_data(k, 40, 5);
    bln_glm_cavi_desc own = BLN_ZERO;
    double bound;
    own.steps.batch = 40;
    own.steps.natural = 1.0;
    bln_glm_desc desc = cavi_desc(b, k, &own, prior_var);
    desc.max_iterations = 2;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    CHECK_OK(bln_glm_objective_at(glm, bln_glm_laplace(), &data, prior_var, desc.likelihood_theta, NULL, &bound, NULL, NULL, NULL,
                                  NULL, NULL, NULL));
    CHECK_REL(bln_glm_objective(glm), bound, 1e-10);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_cavi)
SUITE_TEST(glm_cavi, golden)
SUITE_TEST(glm_cavi, golden_rate)
SUITE_TEST(glm_cavi, golden_process)
SUITE_TEST(glm_cavi, sweeps)
SUITE_TEST(glm_cavi, acceleration)
SUITE_TEST(glm_cavi, taken_back)
SUITE_TEST(glm_cavi, gradients)
SUITE_TEST(glm_cavi, gaussian_is_slm)
SUITE_TEST(glm_cavi, rows_beside_weights)
SUITE_TEST(glm_cavi, weights_and_blocks)
SUITE_TEST(glm_cavi, tight_is_full)
SUITE_TEST(glm_cavi, after_full)
SUITE_TEST(glm_cavi, batch_of_all_rows_is_a_sweep)
SUITE_TEST(glm_cavi, batches_converge)
SUITE_TEST(glm_cavi, stops)
SUITE_TEST(glm_cavi, stops_in_the_space_of_the_rows)
SUITE_TEST(glm_cavi, bad_cases)
SUITE_TEST(glm_cavi, extremes)
SUITE_TEST(glm_cavi, objective_at)
SUITE_TEST(glm_cavi, sweeps_that_end_early)
SUITE_TEST(glm_cavi, finished_in_the_space_of_the_rows)
SUITE_TEST(glm_cavi, natural_rate)
SUITE_END(glm_cavi)
