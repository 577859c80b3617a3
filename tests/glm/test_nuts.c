/* Draws by the no-U-turn sampler as a method: the density in its coordinates, draws beside exact posteriors and dense rules,
 * calibration by simulation, what is asked of the posterior that is left, stops and refusals. */
#include "glm_tools.h"

enum { DRAWN_N = 30 };
typedef struct drawn_case {
    double X[2*DRAWN_N], y[DRAWN_N];
    bln_data data;
    bln_basis *basis;
    bln_glm_desc desc;
} drawn_case;

static void drawn_make(drawn_case *t, bln_likelihood l, const char *spec)
{
    bln_spec_desc s = BLN_ZERO;
    bln_report report;
    test_random r = test_random_new(7);
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < DRAWN_N; i++) {
        t->X[2*i] = test_normal(&r);
        t->X[2*i + 1] = test_normal(&r);
        const double f = 0.4 + sin(1.5*t->X[2*i]) + 0.5*t->X[2*i + 1];
        t->y[i] = !l.ops->discrete ? f + 0.5*test_normal(&r)
                : !strncmp(l.ops->name, "binomial", 8) ? test_uniform(&r) < 1.0/(1.0 + exp(-f))
                : floor(2.0*exp(f)*test_uniform(&r));
    }
    t->data.n = DRAWN_N;
    t->data.d = 2;
    t->data.X = t->X;
    t->data.y = t->y;
    s.text = spec;
    s.d = 2;
    CHECK_OK(bln_basis_parse(&s, &t->basis, &report));
    t->desc.basis = t->basis;
    t->desc.likelihood = l;
}

static bln_glm *drawn_fit(const drawn_case *t, const bln_glm_nuts_desc *own, bln_report *report)
{
    bln_glm_desc d = t->desc;
    bln_glm *glm = NULL;
    d.method = bln_glm_nuts(own);
    bln_status status = bln_glm_create(&d, &glm, report);
    if (status == BLN_OK) status = bln_glm_fit(glm, &t->data, report);
    if (status != BLN_OK) printf("    %s\n", report->text);
    CHECK_OK(status);
    return glm;
}

/* An allocation that fails ends a fit with nothing kept. */
TEST(glm_nuts, every_allocation_may_fail)
{
    bln_glm_nuts_desc own = BLN_ZERO;
    bln_status status = BLN_ENOMEM;
    bln_glm *glm = NULL;
    bln_report report;
    test_heap heap;
    drawn_case t;
    drawn_make(&t, bln_likelihood_student_t(), "linear");
    own.chains = 1;
    own.warmup = 20;
    own.draws = 4;
    t.desc.method = bln_glm_nuts(&own);
    t.desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    const size_t before = heap.live;
    for (size_t k = 0; status == BLN_ENOMEM; k++) {
        heap.calls = 0;
        heap.fail_at = k;
        status = bln_glm_fit(glm, &t.data, &report);
        if (status != BLN_OK) CHECK(report.text[0] && heap.live == before);
    }
    CHECK(status == BLN_OK && heap.calls > 5);
    bln_glm_free(glm);
    CHECK(heap.live == 0);
    bln_basis_free(t.basis);
}

/* In the coordinates of the sampler the density has the gradient that it says, whatever is learnt and whatever shares lambda. */
TEST(glm_nuts, gradients)
{
    static const char *const spec[] = { "linear", "bias+rbf:n=4", "linear+matern32:n=3,ard" };
    bln_likelihood l[5];
    l[0] = bln_likelihood_gaussian();
    l[1] = bln_likelihood_student_t();
    l[2] = bln_likelihood_laplace();
    l[3] = bln_likelihood_binomial(BLN_LINK_LOGIT);
    l[4] = bln_likelihood_negative_binomial();
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 6; k++) {
            drawn_case t;
            bln_glm *glm = NULL;
            bln_report report;
            double z[64], worst = 1.0;
            test_random r = test_random_new(3);
            drawn_make(&t, l[i], spec[k/2]);
            t.desc.per_weight = k % 2;
            t.desc.method = bln_glm_nuts(NULL);
            CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
            CHECK_OK(bln_glm_init(glm, &t.data, &report));
            blni_drawn *state = (blni_drawn *)glm->fit->state;
            while (!state->keep.sampling) CHECK_OK(bln_glm_step(glm, &report));
            const bln_density d = blni_drift_density(state->drift);
            for (size_t j = 0; j < d.dim; j++) z[j] = 0.5*test_normal(&r);
            const bln_status status = bln_density_check(&d, z, &worst, &report);
            if (status != BLN_OK) printf("    %s, %s: %s\n", l[i].ops->name, spec[k/2], report.text);
            CHECK_OK(status);
            CHECK_LE(worst, 1e-6);
            bln_glm_free(glm);
            bln_basis_free(t.basis);
        }
}

/* The volume of the coordinates: log |dq/dz| by a determinant of differences. */
TEST(glm_nuts, volume)
{
    enum { DIM = 11 };
    drawn_case t;
    bln_glm *glm = NULL;
    bln_report report;
    double z[DIM], J[DIM*DIM], up[DIM], R[DIM*DIM], value[2];
    test_random r = test_random_new(4);
    drawn_make(&t, bln_likelihood_student_t(), "bias+rbf:n=3");
    t.desc.fix_theta = 1;
    t.desc.method = bln_glm_nuts(NULL);
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    CHECK_OK(bln_glm_init(glm, &t.data, &report));
    blni_drawn *state = (blni_drawn *)glm->fit->state;
    while (!state->keep.sampling) CHECK_OK(bln_glm_step(glm, &report));
    CHECK_SIZE(state->dim, DIM);
    for (int point = 0; point < 2; point++) {
        const double h = 1e-5;
        for (size_t j = 0; j < DIM; j++) z[j] = 0.7*test_normal(&r);
        for (size_t j = 0; j < DIM; j++) {
            const double at = z[j];
            z[j] = at + h;
            blni_drift_move(state->drift, z);
            memcpy(up, state->drift->q, sizeof up);
            z[j] = at - h;
            blni_drift_move(state->drift, z);
            for (size_t i = 0; i < DIM; i++) J[i*DIM + j] = (up[i] - state->drift->q[i])/(2.0*h);
            z[j] = at;
        }
        bln_syrk(BLN_TRANS, DIM, DIM, 1.0, J, DIM, 0.0, R, DIM);
        CHECK_OK(bln_potrf(DIM, R, DIM, NULL));
        value[point] = blni_drift_move(state->drift, z) - 0.5*bln_logdet_factor(DIM, R, DIM);
    }
    CHECK_NEAR(value[0], value[1], 1e-6);                        /* up to a constant: R alone */
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

/* Means and second moments of all weights are within 5 standard errors of those of another posterior, which may itself be off by
 * `share` of an sd. */
static void drawn_beside(const bln_chains *c, size_t D, const double *mean, const double *sd, double share)
{
    double square[4000], work[4000*6];
    for (size_t k = 0; k < D; k++) {
        bln_summary s = BLN_ZERO;
        bln_series of = bln_chains_series(c, k);
        const size_t S = of.chains*of.draws, columns = bln_chains_columns(c);
        CHECK_OK(bln_series_summary(&of, &s, work, NULL));
        CHECK(of.ldchain == columns);
        CHECK_NEAR(s.mean, mean[k], 5.0*s.mcse_mean + share*sd[k]);
        for (size_t i = 0; i < S; i++) square[i] = of.x[i*columns]*of.x[i*columns];      /* draws of the chains by turns */
        of.x = square;
        of.ld = of.chains;
        of.ldchain = 1;
        CHECK_OK(bln_series_summary(&of, &s, work, NULL));
        CHECK_NEAR(s.mean, mean[k]*mean[k] + sd[k]*sd[k], 5.0*s.mcse_mean + 2.0*share*sd[k]*(sd[k] + fabs(mean[k])));
    }
}

/* With hyper-parameters held and normal noise the posterior is a normal, which Laplace's method has exactly. */
TEST(glm_nuts, beside_the_exact_posterior)
{
    static const double prior_var[2] = { 0.7, 0.4 };
    drawn_case t;
    bln_glm_nuts_desc own = BLN_ZERO;
    bln_glm *exact = NULL;
    bln_report report;
    double mean[16], sd[16], kept[16];
    drawn_make(&t, bln_likelihood_gaussian(), "bias+rbf:n=4");
    t.desc.prior_var = prior_var;
    t.desc.fix_prior_var = t.desc.fix_likelihood = t.desc.fix_theta = 1;
    own.draws = 500;
    own.keep = 4000;
    bln_glm *glm = drawn_fit(&t, &own, &report);
    const bln_chains *all = bln_glm_chains(glm);
    CHECK(report.text[0] == '\0');
    t.desc.method = bln_glm_laplace();
    CHECK_OK(bln_glm_create(&t.desc, &exact, &report));
    CHECK_FIT(exact, &t.data, &report);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(exact), mean, sd, 0, NULL, NULL, NULL, NULL));
    drawn_beside(all, t.basis->D, mean, sd, 0.0);
    /* All draws are kept, so that moments of the posterior are theirs. */
    CHECK_SIZE(bln_glm_posterior(glm)->groups->K, 2000);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), kept, sd, 0, NULL, NULL, NULL, NULL));
    for (size_t k = 0; k < t.basis->D; k++) {
        bln_summary s;
        CHECK_OK(bln_chains_summary(all, k, &s, NULL));
        CHECK_NEAR(kept[k], s.mean, 1e-12*(1.0 + fabs(s.mean)));
        CHECK_REL(sd[k], s.sd*sqrt(1999.0/2000.0), 1e-10);
    }
    CHECK_NEAR(bln_glm_objective(glm), bln_glm_objective(exact), 1e-6*fabs(bln_glm_objective(exact)));
    bln_glm_free(glm);
    bln_glm_free(exact);
    bln_basis_free(t.basis);
}

/* With what is learnt: beside a lattice over one or two hyper-parameters, exact at each for normal noise, but for weight that it
 * leaves out; with classes a Gaussian stands for each posterior there. */
TEST(glm_nuts, beside_integrated)
{
    for (int way = 0; way < 3; way++) {
        drawn_case t;
        bln_glm_nuts_desc own = BLN_ZERO;
        bln_glm *lattice = NULL;
        bln_report report;
        double mean[16], sd[16];
        drawn_make(&t, way == 2 ? bln_likelihood_binomial(BLN_LINK_PROBIT) : bln_likelihood_gaussian(), way ? "linear" : "rbf:n=4");
        t.desc.fix_theta = 1;
        if (way == 0) {
            static const double noise = 0.3;
            t.desc.likelihood_theta = &noise;
            t.desc.fix_likelihood = 1;
        }
        own.draws = 500;
        bln_glm *glm = drawn_fit(&t, &own, &report);
        t.desc.method = bln_glm_integrated(NULL);
        CHECK_OK(bln_glm_create(&t.desc, &lattice, &report));
        CHECK_FIT(lattice, &t.data, &report);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(lattice), mean, sd, 0, NULL, NULL, NULL, NULL));
        drawn_beside(bln_glm_chains(glm), t.basis->D, mean, sd, way == 2 ? 0.05 : 0.02);
        bln_glm_free(glm);
        bln_glm_free(lattice);
        bln_basis_free(t.basis);
    }
}

/* Hyper-parameters from their priors, weights and targets from the model: in the draws that follow from these the truth has a rank
 * that is uniform [Talts et al. 2018]. Ten ranks; chi^2 of 9 degrees of freedom exceeds 45 with probability 1e-6. */
static void drawn_calibrated(bln_likelihood likelihood)
{
    enum { SETS = TEST_MANY(80, 8), BINS = 10, WATCHED = 3 };
    size_t counts[WATCHED][BINS] = { { 0 } };
    drawn_case t;
    bln_rng rng;
    bln_report report;
    double squares = 0.0;
    drawn_make(&t, likelihood, "linear");
    for (size_t i = 0; i < 2*DRAWN_N; i++) squares += t.X[i]*t.X[i]/DRAWN_N;
    const double scale = 2.5/sqrt((squares + 1.0)/3.0);          /* of the sd of a weight, by the mean square of 1, x1, x2 */
    bln_rng_seed(&rng, 11, 0);
    for (int set = 0; set < SETS; set++) {
        bln_glm_nuts_desc own = BLN_ZERO;
        double truth[4], chi = 0.0;
        for (size_t k = 0; k < 4; k++) chi += pow(bln_rng_normal(&rng), 2.0)*(k > 0);
        const double sd = scale*fabs(bln_rng_normal(&rng))/sqrt(chi/3.0);
        for (size_t k = 0; k < 3; k++) truth[k] = sd*bln_rng_normal(&rng);
        truth[3] = sd*sd;
        for (size_t i = 0; i < DRAWN_N; i++) {
            double phi[3];
            bln_basis_features(t.basis, NULL, 1, t.X + 2*i, 2, phi, 3, NULL);
            const double f = bln_dot(3, phi, truth);
            t.y[i] = likelihood.ops == bln_likelihood_binomial(BLN_LINK_LOGIT).ops ? bln_rng_uniform(&rng) < 1.0/(1.0 + exp(-f))
                                                                                   : bln_rng_poisson(&rng, log1p(exp(f)));
        }
        own.chains = 1;
        own.warmup = 100;
        own.draws = 99*3;
        own.accept = 0.9;
        t.desc.seed = (uint64_t)set;
        bln_glm *glm = drawn_fit(&t, &own, &report);
        const bln_chains *all = bln_glm_chains(glm);
        for (size_t k = 0; k < WATCHED; k++) {
            size_t below = 0;
            for (size_t i = 0; i < 99; i++)
                below += bln_chains_table(all)[(3*i + 2)*bln_chains_columns(all) + k + 1] < truth[k + 1];
            counts[k][below*BINS/100]++;
        }
        bln_glm_free(glm);
    }
    for (size_t k = 0; k < WATCHED; k++) {
        double chi = 0.0;
        for (size_t b = 0; b < BINS; b++) chi += pow((double)counts[k][b] - SETS/(double)BINS, 2.0)/(SETS/(double)BINS);
        CHECK_LE(chi, 45.0);
    }
    bln_basis_free(t.basis);
}
TEST(glm_nuts, calibrated) { drawn_calibrated(bln_likelihood_binomial(BLN_LINK_LOGIT)); }
TEST(glm_nuts, calibrated_counts) { drawn_calibrated(bln_likelihood_poisson(BLN_LINK_SOFTPLUS)); }

/* Chain 1 is the same alone and beside others, and steps of any size make the same draws: chains share nothing. */
TEST(glm_nuts, chains_apart)
{
    drawn_case t;
    bln_report report;
    bln_glm_nuts_desc own = BLN_ZERO;
    drawn_make(&t, bln_likelihood_poisson(BLN_LINK_LOG), "linear+rbf:n=3");
    t.desc.seed = 5;
    own.warmup = own.draws = 40;
    own.chains = 1;
    bln_glm *alone = drawn_fit(&t, &own, &report);
    own.chains = 3;
    bln_glm *beside = drawn_fit(&t, &own, &report);
    const bln_chains *one = bln_glm_chains(alone), *two = bln_glm_chains(beside);
    const size_t columns = bln_chains_columns(one);
    for (size_t i = 0; i < 40; i++)
        CHECK(!memcmp(bln_chains_table(one) + i*columns, bln_chains_table(two) + 3*i*columns, columns*sizeof(double)));
    CHECK(bln_chains_find(one, "prior_var[2]") != BLN_NONE && bln_chains_find(one, "theta[1]") != BLN_NONE);
    CHECK(bln_chains_find(one, "divergent__") != BLN_NONE);
    bln_glm_free(alone);
    bln_glm_free(beside);
    bln_basis_free(t.basis);
}

/* The posterior: means and variances of y are those over the draws, each with its own eta and theta; what features miss is added;
 * quantiles, leaving out, and the way through a file. */
TEST(glm_nuts, questions)
{
    static const char *const spec[] = { "linear", "bias+rbf:n=3", "inducing:m=4" };
    for (int way = 0; way < 3; way++) {
        drawn_case t;
        bln_report report;
        bln_glm_nuts_desc own = BLN_ZERO;
        bln_glm *back = NULL;
        double mean[DRAWN_N], var[DRAWN_N], again[DRAWN_N], lower[DRAWN_N], upper[DRAWN_N], loo[DRAWN_N], sum = 0.0;
        bln_loo_outputs left = BLN_ZERO;
        bln_elpd total = BLN_ZERO;
        drawn_make(&t, bln_likelihood_gaussian(), "linear");
        if (way) {
            bln_spec_desc s = BLN_ZERO;
            bln_basis_free(t.basis);
            s.text = spec[way];
            s.d = 2;
            if (way == 2) {
                bln_inducing_desc d = BLN_ZERO;
                d.d = 2;
                d.n = 4;
                d.points = t.X;
                CHECK_OK(bln_inducing_create(&d, &t.basis, &report));
            } else CHECK_OK(bln_basis_parse(&s, &t.basis, &report));
            t.desc.basis = t.basis;
        }
        own.warmup = own.draws = 200;
        own.keep = 100;
        bln_glm *glm = drawn_fit(&t, &own, &report);
        const bln_posterior *q = bln_glm_posterior(glm);
        CHECK_OK(bln_posterior_check(q, &report));
        CHECK_SIZE(q->n_groups*(q->groups->K), 100);
        CHECK(way == 2 ? q->groups->residual != NULL : q->groups->residual == NULL);
        CHECK_OK(bln_posterior_latent(q, &t.data, mean, var, NULL, &report));
        for (size_t g = 0, D = t.basis->D; g < q->n_groups; g++)     /* f at the first row, by hand */
            for (size_t k = 0; k < q->groups[g].K; k++) {
                double phi[16], work[4096];
                bln_basis_features(t.basis, q->groups[g].theta, 1, t.X, 2, phi, D, work);
                sum += bln_dot(D, phi, ((const bln_points *)q->groups[g].view)->w + k*D)/100.0;
            }
        CHECK_REL(mean[0], sum, 1e-12);
        CHECK_OK(bln_posterior_intervals(q, &t.data, BLN_OF_Y, 0.9, lower, upper, NULL, &report));
        for (size_t i = 0; i < DRAWN_N; i++) CHECK(lower[i] < mean[i] && mean[i] < upper[i]);
        left.logdensity = loo;
        left.total = &total;
        CHECK_OK(bln_posterior_loo(q, &t.data, NULL, &left, &report));
        CHECK(blni_all_finite(DRAWN_N, loo) && total.elpd < 0.0 && total.parameters > 0.5 && total.parameters < 12.0);
        CHECK(bln_glm_prior_var(glm)[0] > 0.0 && bln_glm_likelihood_theta(glm)[0] > 0.0);
        static unsigned char bytes[400000];
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        CHECK_OK(bln_glm_save(glm, &w));
        bln_reader r = bln_memory_reader(&m, bytes, sizeof bytes, &report);
        const bln_load all = bln_builtin();
        CHECK_OK(bln_glm_load(&all, &r, &back));
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(back), &t.data, again, NULL, NULL, &report));
        CHECK(!memcmp(mean, again, sizeof mean) && !strcmp(bln_glm_method_name(back), "nuts"));
        /* All draws are there, and components are some of them. */
        const bln_chains *drawn = bln_glm_chains(glm), *kept = bln_glm_chains(back);
        const size_t columns = bln_chains_columns(kept);
        CHECK(bln_chains_count(kept) == 4 && bln_chains_draws(kept) == 200 && columns == bln_chains_columns(drawn));
        CHECK(!memcmp(bln_chains_table(kept), bln_chains_table(drawn), 800*columns*sizeof(double)));
        for (size_t k = 0; k < columns; k++) CHECK(!strcmp(bln_chains_name(kept, k), bln_chains_name(drawn, k)));
        const bln_group *end = q->groups + q->n_groups - 1;
        const double *last = ((const bln_points *)end->view)->w + (end->K - 1)*t.basis->D;
        CHECK(!memcmp(last, bln_chains_table(kept) + 799*columns, t.basis->D*sizeof(double)));
        bln_glm_free(back);
        back = NULL;
        r = bln_memory_reader(&m, bytes, (size_t)w.count - 1, &report);
        CHECK_STATUS(bln_glm_load(&all, &r, &back), BLN_EFORMAT);
        CHECK(back == NULL);
        bln_glm_free(glm);
        bln_basis_free(t.basis);
    }
}

static bln_status drawn_stop(void *user, const bln_glm_progress *p)
{
    const size_t *at = (const size_t *)user;
    const size_t draws = p->iteration > 100 ? p->iteration - 100 : 0;
    if (p->phase != BLN_GLM_SAMPLE) return BLN_OK;
    if (bln_chains_draws(p->chains) != draws) return BLN_EINVAL;
    return p->iteration >= *at ? BLN_ESTOPPED : BLN_OK;
}

/* Classes that a plane separates, no rows, a likelihood that is NaN, stops, and what is refused. */
static bln_status drawn_broken(blni_glm_fit *f, void *state, bln_report *report)
{
    (void)f;
    (void)state;
    return blni_refuse(report, BLN_ENUMERIC, "broken");
}

/* After a step of draws that failed there is no model of the draws before it, and later steps do not mend it. */
TEST(glm_nuts, a_step_that_fails)
{
    drawn_case t;
    bln_report report;
    bln_glm_nuts_desc own = BLN_ZERO;
    bln_glm *glm = NULL;
    own.warmup = own.draws = 50;
    drawn_make(&t, bln_likelihood_gaussian(), "linear");
    t.desc.method = bln_glm_nuts(&own);
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    CHECK_OK(bln_glm_init(glm, &t.data, &report));
    while (bln_chains_draws(((blni_drawn *)glm->fit->state)->hmc->chains) < 10) CHECK_OK(bln_glm_step(glm, &report));
    const bln_glm_method_ops *whole = glm->fit->method;
    bln_glm_method_ops broken = *whole;
    broken.step = drawn_broken;
    glm->fit->method = &broken;
    CHECK_STATUS(bln_glm_step(glm, &report), BLN_ENUMERIC);
    glm->fit->method = whole;
    CHECK_STATUS(bln_glm_step(glm, &report), BLN_ENUMERIC);
    CHECK(strstr(report.text, "an earlier step failed"));
    CHECK_STATUS(bln_glm_finish(glm, &report), BLN_ENUMERIC);
    CHECK(strstr(report.text, "an earlier step failed"));
    CHECK_STATUS(bln_posterior_predict(bln_glm_posterior(glm), &t.data, t.y, t.y, t.y, NULL, &report), BLN_ESTATE);
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

TEST(glm_nuts, bad_cases)
{
    drawn_case t;
    bln_report report;
    bln_glm_nuts_desc own = BLN_ZERO;
    bln_glm *glm = NULL;
    double mean[4], sd[4];
    size_t at = 25;
    own.warmup = own.draws = 100;
    drawn_make(&t, bln_likelihood_binomial(BLN_LINK_LOGIT), "linear");
    for (size_t i = 0; i < DRAWN_N; i++) t.y[i] = t.X[2*i] > 0.0;
    glm = drawn_fit(&t, &own, &report);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, NULL));
    CHECK(mean[1] > 2.0 && sd[1] < 1e3);

    glm->desc.monitor = drawn_stop;
    glm->desc.monitor_user = &at;
    CHECK_STATUS(bln_glm_fit(glm, &t.data, &report), BLN_ESTOPPED);      /* in the warm-up */
    CHECK(bln_glm_posterior(glm)->groups->K == 400);                    /* the model is what it was */
    at = 150;
    CHECK_FIT(glm, &t.data, &report);
    CHECK(report.stop == BLN_STOP_MONITOR && bln_glm_posterior(glm)->groups->K == 200);
    bln_data none = t.data;
    none.n = 0;
    CHECK_STATUS(bln_glm_fit(glm, &none, &report), BLN_EINVAL);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&t.data, &reader);
    CHECK_STATUS(bln_glm_fit_source(glm, &source, &report), BLN_EINVAL);
    CHECK(strstr(report.text, "nuts"));
    bln_glm_free(glm);

    own.target_ess = 150.0;
    own.draws = 0;
    glm = drawn_fit(&t, &own, &report);
    bln_diagnosis found;
    CHECK_OK(bln_chains_diagnose(bln_glm_chains(glm), NULL, &found, &report));
    CHECK(found.ess_bulk >= 150.0 && found.ess_tail >= 150.0 && found.draws < 4*8000 && found.draws >= 4*100);
    bln_glm_free(glm);
    own.target_ess = 0.0;
    own.draws = 100;
    t.desc.hyper = bln_glm_laplace();                            /* which chooses lambda: what is left to draw is w */
    glm = drawn_fit(&t, &own, &report);
    CHECK(bln_glm_posterior(glm)->groups->K == 400 && !strcmp(bln_glm_method_name(glm), "nuts"));
    bln_glm_free(glm);
    t.desc.hyper = bln_glm_nuts(&own);
    t.desc.method = bln_glm_map(NULL);
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    CHECK_FIT(glm, &t.data, &report);
    bln_glm_free(glm);
    memset(&t.desc.hyper, 0, sizeof t.desc.hyper);

    static const double flat[1] = { HUGE_VAL };
    t.desc.method = bln_glm_nuts(&own);
    t.desc.prior_var = flat;
    CHECK(strstr(bln_glm_check(&t.desc), "flat"));
    t.desc.prior_var = NULL;
    t.desc.no_hyper_prior = 1;
    CHECK(strstr(bln_glm_check(&t.desc), "priors"));
    t.desc.no_hyper_prior = 0;
    own.target_ess = -1.0;
    CHECK(strstr(bln_glm_check(&t.desc), "target_ess"));
    own.target_ess = 0.0;
    own.keep = 3;
    CHECK(strstr(bln_glm_check(&t.desc), "keep"));
    own.keep = 0;
    own.accept = 1.0;
    CHECK(strstr(bln_glm_check(&t.desc), "accept"));
    own.accept = 0.0;
    t.desc.likelihood = bln_likelihood_categorical(3);
    CHECK(strstr(bln_glm_check(&t.desc), "one latent"));
    t.desc.likelihood = bln_likelihood_gaussian();
    bln_basis_ops ops;
    const bln_basis table = glm_table(&ops);
    t.desc.basis = &table;
    CHECK(strstr(bln_glm_check(&t.desc), "fix_theta"));
    bln_basis_free(t.basis);
}

/* ---- where the density is not */

static int drawn_how;
static void drawn_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp,
                       double *d1, double *d2, double *d3)
{
    bln_likelihood_student_t().ops->eval(l, theta, n, t, f, logp, d1, d2, d3);
    for (size_t i = 0; i < n && drawn_how; i++) {
        if (logp && drawn_how == 1) logp[i] = BLNI_NAN;
        if (d1 && drawn_how == 2) d1[i] = BLNI_NAN;
    }
}
static void drawn_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    bln_likelihood_student_t().ops->param(l, k, mean, sd, out);
    out->y_power = 1;
}
static bln_status drawn_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows");
}

/* A model whose chains are about to move. */
static blni_drawn *drawn_arrived(drawn_case *t, bln_glm **glm)
{
    bln_report report;
    t->desc.method = bln_glm_nuts(NULL);
    CHECK_OK(bln_glm_create(&t->desc, glm, &report));
    CHECK_OK(bln_glm_init(*glm, &t->data, &report));
    blni_drawn *state = (blni_drawn *)(*glm)->fit->state;
    while (!state->keep.sampling) CHECK_OK(bln_glm_step(*glm, &report));
    return state;
}

/* Coordinates without numbers, or whose weights have none, have the density 0. A start at which there is none, or without a slope,
 * is moved until its hyper-parameters are all but those of the search. Of two parameters in units of y the first is the noise. */
TEST(glm_nuts, impossible_starts)
{
    drawn_case t;
    bln_glm *glm = NULL;
    bln_likelihood_ops ops = *bln_likelihood_student_t().ops;
    double z[64], value;
    ops.eval = drawn_eval;
    ops.param = drawn_param;
    drawn_how = 0;
    drawn_make(&t, bln_likelihood_student_t(), "bias+rbf:n=3");
    t.desc.likelihood.ops = &ops;
    blni_drawn *state = drawn_arrived(&t, &glm);
    CHECK_SIZE(state->noise, 2);                                 /* after two prior variances */
    for (int way = 0; way < 3; way++) {
        for (size_t i = 0; i < state->dim; i++) z[i] = 0.1;
        if (way == 1) z[state->D] = BLNI_NAN;
        for (size_t i = 0; i < state->D && way == 2; i++) z[i] = i % 2 ? 1e308 : -1e308;
        CHECK_OK(blni_drift_eval(state->drift, z, &value, NULL, NULL));
        CHECK(way ? value == -HUGE_VAL : blni_finite(value));
    }
    for (drawn_how = 0; drawn_how < 3; drawn_how++) {
        const double *start = state->start;
        double most = 0.0;
        state->drift->joint->f->search.evaluated = 0;              /* which was elsewhere, or is of another likelihood */
        CHECK_OK(blni_drawn_start(state, 0, NULL));
        for (size_t k = state->D; k < state->dim; k++) most = fmax(most, fabs(start[k]));
        CHECK(drawn_how ? most < 1e-4 : most > 1e-2);
    }
    drawn_how = 0;
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

/* Rows that fail as the chains begin, with a report and without. */
TEST(glm_nuts, no_rows_at_the_start)
{
    for (int reports = 0; reports < 2; reports++) {
        drawn_case t;
        bln_glm *glm = NULL;
        bln_report report;
        bln_status status = BLN_OK;
        drawn_make(&t, bln_likelihood_gaussian(), "linear");
        t.desc.method = bln_glm_nuts(NULL);
        CHECK_OK(bln_glm_create(&t.desc, &glm, NULL));
        CHECK_OK(bln_glm_init(glm, &t.data, NULL));
        const blni_drawn *state = (const blni_drawn *)glm->fit->state;
        state->drift->joint->f->source.reset = drawn_no_rows;
        state->drift->joint->f->search.first = 1;
        while (status == BLN_OK && !state->keep.sampling) status = bln_glm_step(glm, reports ? &report : NULL);
        CHECK_STATUS(status, BLN_EIO);
        if (reports) CHECK_TEXT(report.text, "no rows");
        if (reports) CHECK(report.row == BLN_NONE);
        bln_glm_free(glm);
        bln_basis_free(t.basis);
    }
}

/* Nor is there a model of draws whose first step has failed. */
TEST(glm_nuts, a_first_step_that_fails)
{
    drawn_case t;
    bln_glm *glm = NULL;
    bln_report report;
    drawn_make(&t, bln_likelihood_gaussian(), "linear");
    blni_drawn *state = drawn_arrived(&t, &glm);
    for (size_t c = 0; c < state->own.chains; c++) {
        const blni_drift *to = (const blni_drift *)state->hmc->chain[c].system.user;
        to->joint->f->source.reset = drawn_no_rows;
        to->joint->f->search.first = 1;
    }
    CHECK_STATUS(bln_glm_step(glm, NULL), BLN_EIO);
    CHECK_STATUS(bln_glm_step(glm, &report), BLN_EIO);
    CHECK_STATUS(bln_glm_finish(glm, &report), BLN_EIO);
    CHECK_TEXT(report.text, "an earlier step failed");
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

/* Rows all but parallel are not orthogonal after six sweeps. Whatever the sweeps make is a rotation: lengths and Q'Q = I stay. */
TEST(glm_nuts, turns)
{
    enum { N = 60 };
    static double T[N*N], Q[N*N], P[N*N];
    test_random r = test_random_new(5);
    double before = 0.0, worst = 0.0;
    for (size_t i = 0; i < N*N; i++) {
        T[i] = pow(0.7, (double)(i % N))*test_normal(&r);
        Q[i] = i % (N + 1) == 0;
    }
    before = bln_dot(N*N, T, T);
    blni_drawn_turn(N, T, Q, N);
    CHECK_REL(bln_dot(N*N, T, T), before, 1e-12);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, N, N, N, 1.0, Q, N, Q, N, 0.0, P, N);
    for (size_t i = 0; i < N*N; i++) CHECK_NEAR(P[i], i % (N + 1) == 0, 1e-12);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            worst = fmax(worst, fabs(bln_dot(N, T + N*i, T + N*j))/sqrt(bln_dot(N, T + N*i, T + N*i)*bln_dot(N, T + N*j, T + N*j)));
    CHECK(worst > BLNI_DRAWN_ANGLE);
}

/* A slice of more than 512 weights is not turned, one of fewer is. A Gaussian without a factor is refused. */
TEST(glm_nuts, wide_slices)
{
    enum { WIDE = 520 };
    for (int wide = 0; wide < 2; wide++) {
        drawn_case t;
        bln_glm *glm = NULL;
        bln_report report;
        double *X = test_doubles(3*WIDE);
        size_t off = 0;
        drawn_make(&t, bln_likelihood_binomial(BLN_LINK_LOGIT), "linear");
        bln_basis_free(t.basis);
        t.basis = NULL;
        CHECK_OK(bln_linear_create(NULL, wide ? WIDE : 20, 1, &t.basis));
        t.desc.basis = t.basis;
        test_random r = test_random_new(5);
        for (size_t i = 0; i < 3*WIDE; i++) X[i] = test_normal(&r);
        t.data.n = 3;
        t.data.d = wide ? WIDE : 20;
        t.data.X = X;
        t.desc.max_iterations = 2;
        blni_drawn *state = drawn_arrived(&t, &glm);
        for (size_t i = 0; i < state->D; i++)
            for (size_t j = 0; j < state->D; j++) off += i != j && state->Q[i*state->D + j] != 0.0;
        CHECK((off == 0) == (wide == 1));
        memset(state->room, 0, state->D*state->D*sizeof *state->room);
        CHECK_STATUS(blni_drawn_directions(glm->fit, state, state->slope, &report), BLN_ENUMERIC);
        CHECK_TEXT(report.text, "not positive definite");
        bln_glm_free(glm);
        bln_basis_free(t.basis);
        free(X);
    }
}

/* One draw: there is nothing to compare it with. Before the first there is no model. */
TEST(glm_nuts, one_draw)
{
    drawn_case t;
    bln_report report;
    bln_glm_nuts_desc own = BLN_ZERO;
    bln_glm *glm = NULL;
    own.chains = 1;
    own.warmup = 10;
    own.draws = 1;
    drawn_make(&t, bln_likelihood_gaussian(), "linear");
    t.desc.method = bln_glm_nuts(&own);
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    CHECK_OK(bln_glm_init(glm, &t.data, &report));
    CHECK_STATUS(bln_glm_finish(glm, &report), BLN_ESTOPPED);
    CHECK_TEXT(report.text, "before the first draw");
    const bln_status status = bln_glm_fit(glm, &t.data, &report);
    CHECK(status == BLN_OK ? bln_glm_posterior(glm)->groups->K == 1 : report.text[0]);
    CHECK_OK(status);
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

/* What may be asked for. */
TEST(glm_nuts, limits)
{
    static const struct { size_t chains, draws, keep; double target, accept; const char *why; } limits[] = {
        { (size_t)1 << 20, 1, 0, 0.0, 0.0, "too many chains or draws" }, { 4, (size_t)-1, 0, 0.0, 0.0, "too many chains or draws" },
        { 4, 1000, 300, 0.0, 0.0, "at most 256 draws" }, { 4, 1000, 256, 0.0, -0.5, "accept must be in (0, 1)" }
    };
    const double one[2] = { 1.0, 1.0 };
    drawn_case t;
    drawn_make(&t, bln_likelihood_gaussian(), "rbf:n=2");
    for (size_t k = 0; k < sizeof limits/sizeof *limits; k++) {
        bln_glm_nuts_desc own = BLN_ZERO;
        own.chains = limits[k].chains;
        own.draws = limits[k].draws;
        own.keep = limits[k].keep;
        own.target_ess = limits[k].target;
        own.accept = limits[k].accept;
        t.desc.method = bln_glm_nuts(&own);
        CHECK_TEXT(bln_glm_check(&t.desc), limits[k].why);
        own.accept = 0.0;
        own.target_ess = HUGE_VAL;
        if (k == 3) CHECK_TEXT(bln_glm_check(&t.desc), "target_ess must be a number");
    }
    t.desc.method = bln_glm_nuts(NULL);
    t.desc.no_hyper_prior = 1;
    t.desc.prior_var = t.desc.likelihood_theta = one;
    t.desc.fix_prior_var = 1;
    CHECK_TEXT(bln_glm_check(&t.desc), "without their priors");
    t.desc.fix_likelihood = 1;
    CHECK(bln_glm_check(&t.desc) == NULL);
    bln_basis_free(t.basis);
}

SUITE_BEGIN(glm_nuts)
SUITE_TEST(glm_nuts, gradients)
SUITE_TEST(glm_nuts, every_allocation_may_fail)
SUITE_TEST(glm_nuts, volume)
SUITE_TEST(glm_nuts, beside_the_exact_posterior)
SUITE_TEST(glm_nuts, beside_integrated)
SUITE_TEST(glm_nuts, calibrated)
SUITE_TEST(glm_nuts, calibrated_counts)
SUITE_TEST(glm_nuts, chains_apart)
SUITE_TEST(glm_nuts, questions)
SUITE_TEST(glm_nuts, a_step_that_fails)
SUITE_TEST(glm_nuts, bad_cases)
SUITE_TEST(glm_nuts, impossible_starts)
SUITE_TEST(glm_nuts, no_rows_at_the_start)
SUITE_TEST(glm_nuts, a_first_step_that_fails)
SUITE_TEST(glm_nuts, turns)
SUITE_TEST(glm_nuts, wide_slices)
SUITE_TEST(glm_nuts, one_draw)
SUITE_TEST(glm_nuts, limits)
SUITE_END(glm_nuts)
