/* Draws by data augmentation as a method. Each step and their order: a chain that starts at an exact draw of weights,
 * hyper-parameters and targets stays one [Gandy & Scott 2020; samplers 44]. Then the posterior that is left beside exact ones
 * and beside the no-U-turn sampler, weights of rows, threads and blocks, stops and refusals. */
#include "gibbs_tools.h"
#include "../golden/gibbs_golden.h"

/* What of the library can be augmented, these tests know. */
TEST(glm_gibbs, all_likelihoods)
{
    const bln_load all = bln_builtin();
    for (size_t i = 0; i < all.n_likelihoods; i++) {
        const char *const name = all.likelihoods[i].ops->name;
        if (!blni_augmentation_of(all.likelihoods + i, NULL)) continue;
        CHECK(augmented_row(name) < AUGMENTED);
        if (augmented_row(name) == AUGMENTED) printf("    %s: add it to `augmented` of tests/glm/glm_tools.h\n", name);
    }
    for (size_t k = 0; k + 1 < AUGMENTED; k++) CHECK(!strcmp(augmented_named(augmented[k].name).ops->name, augmented[k].name));
}

TEST(glm_gibbs, keeps_the_joint)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(1, 7))
        for (int dual = 0; dual < 2; dual++)
            for (int sampled = 0; sampled < 2; sampled++) {
                gibbs_case t;
                gibbs_make(&t, augmented[l].name, dual, sampled, 0);
                gibbs_narrow(&t);
                const double worst = gibbs_stays(&t, 1000 + l, 0, 0);
                CHECK_LE(worst, 5.0);
                gibbs_drop(&t);
            }
}

/* The same by moves without auxiliary variables alone, with these, and with a prior variance for each weight; the first of these
 * also with hyper-parameters held. */
TEST(glm_gibbs, keeps_the_joint_by_single_weights)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(2, 12))
        for (int dual = 0; dual < 2; dual++)
            for (int way = 0; way < 4; way++) {
                gibbs_case t;
                gibbs_make(&t, augmented[l].name, dual, way < 3, way == 2);
                gibbs_narrow(&t);
                const double worst = gibbs_stays(&t, 2000 + l, way == 2 ? 0 : 3, way == 0 || way == 3);
                CHECK_LE(worst, 5.0);
                gibbs_drop(&t);
            }
}

/* The same with a length scale that is drawn. Latents that share a basis and are not drawn at once are refused. */
TEST(glm_gibbs, keeps_the_joint_with_theta)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(2, 10))
        for (int dual = 0; dual < 2 && strcmp(augmented[l].name, "heteroscedastic"); dual++) {
            gibbs_case t;
            gibbs_make(&t, augmented[l].name, dual, 2, 0);
            gibbs_narrow(&t);
            CHECK(t.state->theta_at + 1 == t.state->n);
            const double worst = gibbs_stays(&t, 3000 + l, 0, 0);
            CHECK_LE(worst, 5.0);
            gibbs_drop(&t);
        }
}

/* ---- the posterior that is left */

static bln_glm *gibbs_fit(const bln_glm_desc *desc, const bln_glm_gibbs_desc *own, const bln_data *data, bln_report *report)
{
    bln_glm_desc d = *desc;
    bln_glm *glm = NULL;
    d.method = bln_glm_gibbs(own);
    bln_status status = bln_glm_create(&d, &glm, report);
    if (status == BLN_OK) status = bln_glm_fit(glm, data, report);
    if (status != BLN_OK) printf("    %s\n", report->text);
    CHECK_OK(status);
    return glm;
}

/* The mean over draws of a + b'w, or of (a + b'w)(c + d'w), and its standard error. */
static double gibbs_mean(const bln_chains *c, double a, const double *b, const double *second, double *error)
{
    static double x[8000], work[8000*6];
    const size_t S = bln_chains_count(c)*bln_chains_draws(c), columns = bln_chains_columns(c);
    bln_series s = BLN_ZERO;
    bln_summary out = BLN_ZERO;
    CHECK(S <= 8000);
    for (size_t i = 0; i < S; i++) {
        const double *w = bln_chains_table(c) + i*columns;
        x[i] = a + bln_dot(2, b, w);
        if (second) x[i] *= second[0] + bln_dot(2, second + 1, w);
    }
    s.x = x;
    s.chains = bln_chains_count(c);
    s.draws = bln_chains_draws(c);
    s.ld = s.chains;
    s.ldchain = 1;
    CHECK_OK(bln_series_summary(&s, &out, work, NULL));
    *error = out.mcse_mean;
    return out.mean;
}

static void gibbs_copy_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                size_t ldphi, double *work)
{
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) memcpy(Phi + i*ldphi, X + i*ldx, b->D*sizeof *Phi);
}

/* Exact moments by quadrature, under a prior with a mean and a correlation: w = mu + L v of v with the prior N(0, I). */
TEST(glm_gibbs, golden)
{
    static const double one = 1.0, *const L = golden_gibbs_lambda0, *const mu = golden_gibbs_mu0;
    const double l00 = sqrt(L[0]), l10 = L[2]/l00, l11 = sqrt(L[3] - l10*l10);
    bln_basis_ops ops;
    bln_basis basis = glm_table(&ops);
    ops.features = gibbs_copy_features;
    ops.slice = NULL;
    basis.d = basis.D = 2;
    basis.n_theta = 0;
    basis.n_slices = 1;
    for (size_t k = 0; k < sizeof golden_gibbs/sizeof *golden_gibbs; k++) {
        double X[12], offset[6], eta[2] = { 0.0, 4.0 }, error;
        bln_data data = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_report report;
        const char *const name = golden_gibbs[k].name;
        eta[0] = augmented_golden_eta(name);
        for (size_t i = 0; i < 6; i++) {
            const double *phi = golden_gibbs_phi + 2*i;
            X[2*i] = l00*phi[0] + l10*phi[1];
            X[2*i + 1] = l11*phi[1];
            offset[i] = phi[0]*mu[0] + phi[1]*mu[1] + augmented_golden_offset(name);
        }
        data.n = 6;
        data.d = 2;
        data.X = X;
        data.y = golden_gibbs[k].y;
        data.offset = offset;
        data.trials = golden_gibbs[k].trials ? golden_gibbs_trials : NULL;
        desc.basis = &basis;
        desc.likelihood = augmented_named(name);
        desc.prior_var = &one;
        desc.likelihood_theta = eta;
        desc.fix_prior_var = desc.fix_likelihood = 1;
        own.draws = 2000;
        bln_glm *glm = gibbs_fit(&desc, &own, &data, &report);
        const bln_chains *all = bln_glm_chains(glm);
        const double to[2][3] = { { mu[0], l00, 0.0 }, { mu[1], l10, l11 } };
        for (size_t i = 0; i < 2; i++) {
            const double mean = gibbs_mean(all, to[i][0], to[i] + 1, NULL, &error);
            CHECK_NEAR(mean, golden_gibbs[k].mean[i], 5.0*error);
            for (size_t j = 0; j <= i; j++) {
                const double square = gibbs_mean(all, to[i][0], to[i] + 1, to[j], &error);
                CHECK_NEAR(square, golden_gibbs[k].cov[2*i + j] + golden_gibbs[k].mean[i]*golden_gibbs[k].mean[j], 5.0*error);
            }
        }
        bln_glm_free(glm);
    }
}

/* Means of all parameters of two tables of draws are the same, but for 5 standard errors. */
static void gibbs_beside(const bln_chains *a, const bln_chains *b, size_t from, size_t end)
{
    for (size_t k = from; k < end; k++) {
        bln_summary x, y;
        CHECK_OK(bln_chains_summary(a, k, &x, NULL));
        CHECK_OK(bln_chains_summary(b, k, &y, NULL));
        CHECK(!strcmp(bln_chains_name(a, k), bln_chains_name(b, k)));
        CHECK_NEAR(x.mean, y.mean, 5.0*hypot(x.mcse_mean, y.mcse_mean));
        CHECK_NEAR(x.sd, y.sd, 5.0*hypot(x.mcse_sd, y.mcse_sd));
    }
}

/* A row of weight 2 is two rows, one of weight 0 is none. */
TEST(glm_gibbs, weights)
{
    for (size_t l = 0; l < AUGMENTED; l += TEST_MANY(1, 5)) {
        gibbs_case t;
        double X[4*GIBBS_N], y[2*GIBBS_N], offset[2*GIBBS_N], other[2*GIBBS_N], weight[GIBBS_N];
        bln_data copies;
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_report report;
        size_t n = 0;
        gibbs_make(&t, augmented[l].name, 0, 0, 0);
        for (size_t i = 0; i < GIBBS_N; i++) {
            weight[i] = (double)(i % 3);
            for (size_t c = 0; c < i % 3; c++, n++) {
                memcpy(X + 2*n, t.X + 2*i, 2*sizeof *X);
                y[n] = t.y[i];
                offset[n] = t.offset[i];
                other[n] = t.data.trials ? t.trials[i] : t.noise_var[i];
            }
        }
        copies = t.data;
        copies.n = n;
        copies.X = X;
        copies.y = y;
        copies.offset = offset;
        if (copies.trials)    copies.trials = other;
        if (copies.noise_var) copies.noise_var = other;
        own.warmup = 80;
        own.draws = 500;
        t.data.weight = weight;
        t.desc.fix_likelihood = 0;
        bln_glm *weighted = gibbs_fit(&t.desc, &own, &t.data, &report), *copied = gibbs_fit(&t.desc, &own, &copies, &report);
        /* With the first of eta. */
        gibbs_beside(bln_glm_chains(weighted), bln_glm_chains(copied), 0, t.basis->D + (t.desc.likelihood.n_theta > 0));
        bln_glm_free(weighted);
        bln_glm_free(copied);
        weight[1] = 0.5;
        if (!strcmp(augmented[l].name, "binomial_probit")) {               /* which counts its auxiliary variables */
            bln_glm *glm = NULL;
            t.desc.method = bln_glm_gibbs(NULL);
            CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
            CHECK_STATUS(bln_glm_fit(glm, &t.data, &report), BLN_EDOMAIN);
            CHECK_SIZE(report.row, 1);
            bln_glm_free(glm);
        }
        gibbs_drop(&t);
    }
}

/* Normal noise, hyper-parameters held: the exact posterior is a normal, which Laplace's method has; in both spaces. */
TEST(glm_gibbs, beside_the_exact_posterior)
{
    for (int dual = 0; dual < 2; dual++) {
        gibbs_case t;
        double weight[GIBBS_N], mean[GIBBS_D], sd[GIBBS_D];
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_glm *exact = NULL;
        bln_report report;
        gibbs_make(&t, "gaussian", dual, 0, 0);
        for (size_t i = 0; i < GIBBS_N; i++) weight[i] = 0.3 + 0.2*(double)i;
        t.data.weight = weight;
        own.warmup = 10;
        bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
        CHECK(report.text[0] == '\0');
        t.desc.method = bln_glm_laplace();
        CHECK_OK(bln_glm_create(&t.desc, &exact, &report));
        CHECK_FIT(exact, &t.data, &report);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(exact), mean, sd, 0, NULL, NULL, NULL, NULL));
        for (size_t k = 0; k < t.basis->D; k++) {
            bln_summary s;
            CHECK_OK(bln_chains_summary(bln_glm_chains(glm), k, &s, NULL));
            CHECK_NEAR(s.mean, mean[k], 5.0*s.mcse_mean);
            CHECK_NEAR(s.sd, sd[k], 5.0*s.mcse_sd);
        }
        CHECK_NEAR(bln_glm_objective(glm), bln_glm_objective(exact), 1e-6*fabs(bln_glm_objective(exact)));
        bln_glm_free(glm);
        bln_glm_free(exact);
        gibbs_drop(&t);
    }
}

/* With all that is learnt, beside the no-U-turn sampler; names of columns too. */
TEST(glm_gibbs, beside_nuts)
{
    static const char *const names[] = { "binomial_logit", "student_t" };
    for (size_t l = 0; l < 2; l++)
        for (int per_weight = l > 0; per_weight < 2; per_weight++) {
            gibbs_case t;
            bln_glm_gibbs_desc own = BLN_ZERO;
            bln_glm_nuts_desc nuts = BLN_ZERO;
            bln_glm *glm = NULL;
            bln_report report;
            gibbs_make(&t, names[l], 0, 1, per_weight);
            bln_glm *gibbs = gibbs_fit(&t.desc, &own, &t.data, &report);
            nuts.warmup = nuts.draws = 200;
            nuts.accept = 0.9;
            t.desc.method = bln_glm_nuts(&nuts);
            CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
            CHECK_FIT(glm, &t.data, &report);
            gibbs_beside(bln_glm_chains(gibbs), bln_glm_chains(glm), 0, t.basis->D);
            CHECK_SIZE(bln_chains_parameters(bln_glm_chains(gibbs)), bln_chains_parameters(bln_glm_chains(glm)));
            bln_glm_free(gibbs);
            bln_glm_free(glm);
            gibbs_drop(&t);
        }
}

/* A length scale that 40 rows of a wave know well (its logarithm to some 0.2, of 1 before them), beside the no-U-turn sampler; and
 * what is kept predicts at theta of its own. */
TEST(glm_gibbs, length_scale_beside_nuts)
{
    enum { N = 40 };
    double X[N], y[N], mean[N], again[N];
    test_random r = test_random_new(3);
    bln_data data = BLN_ZERO;
    bln_basis *b = slm_parse("bias+rbf:n=4", 1, 3);
    for (size_t i = 0; i < N; i++) {
        X[i] = 4.0*(double)i/N - 2.0;
        y[i] = sin(2.0*X[i]) + 0.3*test_normal(&r);
    }
    data.n = N;
    data.d = 1;
    data.X = X;
    data.y = y;
    for (int heavy = TEST_MANY(0, 1); heavy < 2; heavy++) {
        const bln_likelihood l = heavy ? bln_likelihood_student_t() : bln_likelihood_gaussian();
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_glm_nuts_desc nuts = BLN_ZERO;
        bln_glm *drawn = NULL;
        bln_report report;
        bln_summary s;
        bln_glm_desc desc = glm_desc(b, l);
        own.draw_theta = 1;
        nuts.accept = 0.95;
        nuts.draws = 500;
        bln_glm *gibbs = gibbs_fit(&desc, &own, &data, &report);
        desc.method = bln_glm_nuts(&nuts);
        CHECK_OK(bln_glm_create(&desc, &drawn, &report));
        CHECK_FIT(drawn, &data, &report);
        const bln_chains *all = bln_glm_chains(gibbs);
        const size_t theta = bln_chains_find(all, "theta[1]");
        gibbs_beside(all, bln_glm_chains(drawn), 0, b->D);
        gibbs_beside(all, bln_glm_chains(drawn), b->D + 2, theta + 1);                       /* eta and theta */
        CHECK_OK(bln_chains_summary(all, theta, &s, NULL));
        CHECK(s.sd < 0.4*s.mean);
        CHECK_SIZE(bln_glm_posterior(gibbs)->n_groups, 256);
        CHECK_OK(bln_glm_predict(gibbs, &data, mean, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_glm_predict(drawn, &data, again, NULL, NULL, NULL, NULL));
        /* f has an sd of some 0.3 sqrt(8/40) = 0.13: five standard errors of the difference of two means of 256 draws. */
        for (size_t i = 0; i < N; i++) CHECK_NEAR(mean[i], again[i], 5.0*0.13*sqrt(2.0/256));
        bln_glm_free(gibbs);
        bln_glm_free(drawn);
    }
    bln_basis_free(b);
}

/* Chain 1 is the same alone and beside others. */
TEST(glm_gibbs, chains_apart)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    gibbs_make(&t, "negative_binomial", 0, 1, 0);
    t.desc.seed = 5;
    own.warmup = 100;
    own.draws = 40;
    own.chains = 1;
    bln_glm *of_one = gibbs_fit(&t.desc, &own, &t.data, &report);
    own.chains = 3;
    bln_glm *of_three = gibbs_fit(&t.desc, &own, &t.data, &report);
    const bln_chains *one = bln_glm_chains(of_one), *two = bln_glm_chains(of_three);
    const size_t columns = bln_chains_columns(one);
    for (size_t i = 0; i < 40; i++)
        CHECK(!memcmp(bln_chains_table(one) + i*columns, bln_chains_table(two) + 3*i*columns, columns*sizeof(double)));
    CHECK(bln_chains_find(one, "prior_var[2]") != BLN_NONE && bln_chains_find(one, "lp__") == columns - 1);
    bln_glm_free(of_one);
    bln_glm_free(of_three);
    gibbs_drop(&t);
}

/* Chains that end at a target have it, stop well before the most that they may make, and are the beginning of longer ones; a target
 * that is not reached is said. gibbs looks after 100 draws, 150 or 160 (it goes on by tens), 230 or so. */
TEST(glm_gibbs, target_ess)
{
    gibbs_case t;
    bln_report report;
    bln_diagnosis found;
    bln_glm_gibbs_desc own = BLN_ZERO;
    gibbs_make(&t, "negative_binomial", 0, 1, 0);
    own.warmup = 100;
    own.target_ess = 500.0;
    bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    const bln_chains *some = bln_glm_chains(glm);
    const size_t draws = bln_chains_draws(some), bytes = 4*draws*bln_chains_columns(some)*sizeof(double);
    CHECK_OK(bln_chains_diagnose(some, NULL, &found, &report));
    CHECK(found.ess_bulk >= 500.0 && found.ess_tail >= 500.0 && found.rhat <= 1.01);
    CHECK(draws > 100 && draws < 4000);
    CHECK(bln_glm_posterior(glm)->groups->K == 4*(draws < 250 ? draws : 250));
    own.target_ess = 0.0;
    own.draws = draws + 7;
    bln_glm *longer = gibbs_fit(&t.desc, &own, &t.data, &report);
    CHECK(!memcmp(bln_chains_table(some), bln_chains_table(bln_glm_chains(longer)), bytes));
    bln_glm_free(longer);
    bln_glm_free(glm);
    own.draws = 110;
    own.target_ess = 5000.0;
    glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    CHECK_SIZE(bln_chains_draws(bln_glm_chains(glm)), 110);
    CHECK_TEXT(report.text, "5000");
    bln_glm_free(glm);
    t.desc.method = bln_glm_gibbs(&own);
    own.target_ess = -1.0;
    CHECK_TEXT(bln_glm_check(&t.desc), "target_ess");
    own.target_ess = NAN;
    CHECK_TEXT(bln_glm_check(&t.desc), "target_ess");
    gibbs_drop(&t);
}

/* Two classes all but apart: the warm-up finds slow weights, which then mix several times as well. */
TEST(glm_gibbs, slow_weights)
{
    enum { N = 60 };
    double X[N], y[N], ess[2];
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_spec_desc s = BLN_ZERO;
    static const double prior_var[2] = { 100.0, 100.0 };
    bln_report report;
    bln_basis *basis = NULL;
    for (size_t i = 0; i < N; i++) {
        X[i] = ((double)i - 29.5)/17.3;
        y[i] = i == 29 || i > 30;
    }
    data.n = N;
    data.d = 1;
    data.X = X;
    data.y = y;
    s.text = "bias+linear";
    s.d = 1;
    CHECK_OK(bln_basis_parse(&s, &basis, &report));
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.prior_var = prior_var;
    desc.fix_prior_var = 1;
    for (int way = 0; way < 2; way++) {
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_summary of;
        own.slice_moves = way ? 0 : BLN_NONE;
        bln_glm *glm = gibbs_fit(&desc, &own, &data, &report);
        CHECK_OK(bln_chains_summary(bln_glm_chains(glm), basis->D - 1, &of, NULL));
        ess[way] = of.ess_bulk;
        bln_glm_free(glm);
    }
    CHECK(ess[0] < 600.0 && ess[1] > 2.0*ess[0]);
    bln_basis_free(basis);
}

/* Predictions average over the draws, each with its own eta; leaving out, and the way through a file. */
TEST(glm_gibbs, questions)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_glm *back = NULL;
    double mean[GIBBS_N], again[GIBBS_N], loo[GIBBS_N], sum = 0.0;
    bln_loo_outputs left = BLN_ZERO;
    static unsigned char bytes[100000];
    gibbs_make(&t, "student_t", 0, 1, 0);
    own.draws = 200;
    own.keep = 100;
    bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    const bln_posterior *q = bln_glm_posterior(glm);
    CHECK_OK(bln_posterior_check(q, &report));
    CHECK(q->n_groups == 1 && q->groups->K == 100 && q->groups->ldeta == 2);
    CHECK_OK(bln_posterior_latent(q, &t.data, mean, NULL, NULL, &report));
    for (size_t k = 0; k < 100; k++) {
        double phi[GIBBS_D];
        bln_basis_features(t.basis, NULL, 1, t.X, 2, phi, GIBBS_D, NULL);
        sum += (t.offset[0] + bln_dot(t.basis->D, phi, ((const bln_points *)q->groups->view)->w + t.basis->D*k))/100.0;
    }
    CHECK_REL(mean[0], sum, 1e-12);
    left.logdensity = loo;
    CHECK_OK(bln_posterior_loo(q, &t.data, NULL, &left, &report));
    CHECK(blni_all_finite(GIBBS_N, loo));
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_OK(bln_glm_save(glm, &w));
    bln_reader r = bln_memory_reader(&m, bytes, sizeof bytes, &report);
    const bln_load all = bln_builtin();
    CHECK_OK(bln_glm_load(&all, &r, &back));
    CHECK_OK(bln_posterior_latent(bln_glm_posterior(back), &t.data, again, NULL, NULL, &report));
    CHECK(!memcmp(mean, again, sizeof mean) && !strcmp(bln_glm_method_name(back), "gibbs"));
    bln_glm_free(back);
    bln_glm_free(glm);
    gibbs_drop(&t);
}

static bln_status gibbs_stop(void *user, const bln_glm_progress *p)
{
    const size_t *at = (const size_t *)user;
    return p->phase == BLN_GLM_SAMPLE && p->iteration >= *at ? BLN_ESTOPPED : BLN_OK;
}

/* Ends the chains by a rule of its own, from the draws so far. */
typedef struct gibbs_seen { size_t warming, draws; double ess; } gibbs_seen;
static bln_status gibbs_enough(void *user, const bln_glm_progress *p)
{
    gibbs_seen *w = (gibbs_seen *)user;
    bln_diagnosis d;
    if (!p->chains) { w->warming += p->phase == BLN_GLM_SAMPLE; return BLN_OK; }
    w->draws = bln_chains_draws(p->chains);
    if (w->draws != p->iteration - 100) return BLN_EINVAL;
    const bln_status status = bln_chains_diagnose(p->chains, NULL, &d, NULL);
    w->ess = d.ess_bulk;
    return status == BLN_OK && d.ess_bulk >= 150.0 ? BLN_ESTOPPED : status;
}

/* The monitor sees all draws so far, of which the model is made where it ends them. */
TEST(glm_gibbs, monitor_sees_the_draws)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    gibbs_seen w = { 0, 0, 0.0 };
    bln_diagnosis d;
    own.warmup = 100;
    own.draws = 2000;
    gibbs_make(&t, "binomial_logit", 0, 1, 0);
    t.desc.monitor = gibbs_enough;
    t.desc.monitor_user = &w;
    bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    const bln_chains *kept = bln_glm_chains(glm);
    CHECK(report.stop == BLN_STOP_MONITOR && w.warming == 10 && w.draws < 2000 && bln_chains_draws(kept) == w.draws);
    CHECK_OK(bln_chains_diagnose(kept, NULL, &d, &report));
    CHECK(d.ess_bulk == w.ess && w.ess >= 150.0);
    bln_glm_free(glm);
    gibbs_drop(&t);
}

/* Stops, hyper-parameters chosen by another method, a row that overflows, and what is refused. */
TEST(glm_gibbs, bad_cases)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    size_t at = 25;
    own.warmup = own.draws = 100;
    gibbs_make(&t, "binomial_logit", 0, 1, 0);
    for (size_t i = 0; i < GIBBS_N; i++) t.y[i] = t.X[2*i] > 0.0 ? t.trials[i] : 0.0;        /* a line separates them */
    bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    glm->desc.monitor = gibbs_stop;
    glm->desc.monitor_user = &at;
    CHECK_STATUS(bln_glm_fit(glm, &t.data, &report), BLN_ESTOPPED);
    CHECK(bln_glm_posterior(glm)->groups->K == 400);
    at = 150;
    CHECK_FIT(glm, &t.data, &report);
    CHECK(report.stop == BLN_STOP_MONITOR && bln_glm_posterior(glm)->groups->K == 200);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&t.data, &reader);
    CHECK_STATUS(bln_glm_fit_source(glm, &source, &report), BLN_EINVAL);
    CHECK(strstr(report.text, "gibbs"));
    t.X[3] = 1e300;
    CHECK(bln_glm_fit(glm, &t.data, &report) != BLN_OK && report.text[0]);
    t.X[3] = 0.1;
    bln_glm_free(glm);

    t.desc.hyper = bln_glm_laplace();
    glm = gibbs_fit(&t.desc, &own, &t.data, &report);
    CHECK(bln_glm_posterior(glm)->groups->K == 400);
    bln_glm_free(glm);
    memset(&t.desc.hyper, 0, sizeof t.desc.hyper);

    static const double flat[2] = { HUGE_VAL, 1.0 };
    t.desc.method = bln_glm_gibbs(&own);
    t.desc.prior_var = flat;
    CHECK(strstr(bln_glm_check(&t.desc), "a flat prior has no proper posterior to draw from"));
    t.desc.prior_var = NULL;
    t.desc.no_hyper_prior = 1;
    CHECK(strstr(bln_glm_check(&t.desc), "priors"));
    t.desc.no_hyper_prior = 0;
    bln_basis *rbf = slm_parse("rbf:n=2", 2, 3);
    bln_glm_desc latents = glm_desc(rbf, bln_likelihood_heteroscedastic());
    const bln_basis *own_bases[2] = { rbf, t.basis };
    own.draw_theta = 1;
    latents.method = bln_glm_gibbs(&own);
    CHECK(strstr(bln_glm_check(&latents), "a basis of its own"));
    latents.bases = own_bases;
    CHECK(bln_glm_check(&latents) == NULL);
    latents.theta_sd = HUGE_VAL;
    CHECK(strstr(bln_glm_check(&latents), "theta_sd"));
    own.draw_theta = 0;
    bln_basis_free(rbf);
    own.keep = 3;
    CHECK(strstr(bln_glm_check(&t.desc), "keep"));
    own.keep = 0;
    own.slice_moves = 17;
    CHECK(strstr(bln_glm_check(&t.desc), "slice_moves"));
    own.slice_moves = 0;
    t.desc.likelihood = bln_likelihood_poisson(BLN_LINK_LOG);
    CHECK(strstr(bln_glm_check(&t.desc), "auxiliary"));
    t.desc.likelihood = bln_likelihood_categorical(3);
    CHECK(strstr(bln_glm_check(&t.desc), "auxiliary"));
    gibbs_drop(&t);
}

/* Each allocation fails once: nothing is left, and the model is what it was. */
TEST(glm_gibbs, memory)
{
    gibbs_case t;
    test_heap heap;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_status status = BLN_ENOMEM;
    gibbs_make(&t, "binomial_logit", 1, 1, 0);
    own.warmup = own.draws = 20;
    t.desc.method = bln_glm_gibbs(&own);
    for (size_t fail = 0; status == BLN_ENOMEM && fail < 100; fail++) {
        bln_glm *glm = NULL;
        t.desc.alloc = test_heap_allocator(&heap);
        heap.fail_at = fail;
        status = bln_glm_create(&t.desc, &glm, &report);
        if (status == BLN_OK) status = bln_glm_fit(glm, &t.data, &report);
        bln_glm_free(glm);
        CHECK_SIZE(heap.live, 0);
        CHECK(status == BLN_OK ? fail > 4 : status == BLN_ENOMEM);
    }
    CHECK_OK(status);

    /* Chains that cannot be looked at go on to the end, and no draw is lost. */
    bln_glm *glm = NULL;
    t.desc.alloc = test_heap_allocator(&heap);
    own.draws = 150;
    own.target_ess = 20.0;
    CHECK_OK(bln_glm_create(&t.desc, &glm, &report));
    CHECK_OK(bln_glm_init(glm, &t.data, &report));
    heap.fail_at = heap.calls;
    for (int k = 0; k < 1000 && !bln_glm_converged(glm); k++) CHECK_OK(bln_glm_step(glm, &report));
    CHECK(heap.calls > heap.fail_at);
    heap.fail_at = (size_t)-1;
    CHECK_OK(bln_glm_finish(glm, &report));
    CHECK_SIZE(bln_chains_draws(bln_glm_chains(glm)), 150);
    bln_glm_free(glm);
    CHECK_SIZE(heap.live, 0);
    gibbs_drop(&t);
}

/* Theta that is held, or is not there, is not drawn. Probit draws a number for each trial of each whole copy of a row. */
TEST(glm_gibbs, more_bad_cases)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    double weight[GIBBS_N];
    own.draw_theta = 1;
    own.chains = 2;
    own.warmup = own.draws = 20;
    gibbs_make(&t, "binomial_probit", 0, 1, 0);
    for (int held = 0; held < 2; held++) {
        t.desc.fix_theta = held;                                       /* of a basis that has none */
        bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
        CHECK_SIZE(bln_glm_posterior(glm)->n_groups, 1);
        CHECK(bln_chains_find(bln_glm_chains(glm), "theta[1]") == BLN_NONE);
        bln_glm_free(glm);
    }
    t.desc.method = bln_glm_gibbs(&own);
    for (int way = 0; way < 2; way++) {
        bln_glm *glm = glm_new(&t.desc);
        for (size_t i = 0; i < GIBBS_N; i++) weight[i] = 1.0;
        weight[4] = way ? 2e6 : 1.5;
        t.data.weight = weight;
        CHECK_STATUS(bln_glm_fit(glm, &t.data, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, way ? "more than a million" : "whole weights only");
        CHECK_SIZE(report.row, 4);
        bln_glm_free(glm);
    }
    gibbs_drop(&t);
}

/* One y far off: nu goes to where t has no mean, in some draws at least. With nu = 1.5 there is a mean, and no variance. Quantiles
 * are there always. */
TEST(glm_gibbs, no_mean)
{
    gibbs_case t;
    bln_report report;
    bln_glm_gibbs_desc own = BLN_ZERO;
    const double eta[2] = { 1.0, 1.5 };
    double mean[GIBBS_N], model[GIBBS_N], noise[GIBBS_N], low[GIBBS_N], high[GIBBS_N];
    own.warmup = own.draws = 50;
    gibbs_make(&t, "heteroscedastic_t", 0, 1, 0);
    t.data.noise_var = NULL;
    for (size_t i = 0; i < GIBBS_N; i++) t.y[i] = i == 4 ? 1e3 : 0.3*(double)(i % 5);
    for (int known = 0; known < 2; known++) {
        double least = HUGE_VAL;
        t.desc.fix_likelihood = known;
        t.desc.likelihood_theta = known ? eta : NULL;
        bln_glm *glm = gibbs_fit(&t.desc, &own, &t.data, &report);
        const bln_group *g = bln_glm_posterior(glm)->groups;
        for (size_t k = 0; k < g->K; k++) least = fmin(least, g->eta[k*g->ldeta + 1]);
        CHECK(known ? least == 1.5 : least <= 1.0);
        CHECK_OK(bln_glm_predict(glm, &t.data, mean, model, noise, NULL, &report));
        CHECK_OK(bln_posterior_intervals(bln_glm_posterior(glm), &t.data, BLN_OF_Y, 0.9, low, high, NULL, &report));
        for (size_t i = 0; i < GIBBS_N; i++) {
            if (known) CHECK(fabs(mean[i]) < HUGE_VAL && model[i] >= 0.0 && model[i] < HUGE_VAL && noise[i] == HUGE_VAL);
            else       CHECK(mean[i] != mean[i] && model[i] != model[i]);
            CHECK(low[i] < high[i] && high[i] - low[i] < HUGE_VAL);
        }
        bln_glm_free(glm);
    }
    gibbs_drop(&t);
}

SUITE_BEGIN(glm_gibbs)
SUITE_TEST(glm_gibbs, all_likelihoods)
SUITE_TEST(glm_gibbs, keeps_the_joint)
SUITE_TEST(glm_gibbs, keeps_the_joint_by_single_weights)
SUITE_TEST(glm_gibbs, keeps_the_joint_with_theta)
SUITE_TEST(glm_gibbs, golden)
SUITE_TEST(glm_gibbs, weights)
SUITE_TEST(glm_gibbs, beside_the_exact_posterior)
SUITE_TEST(glm_gibbs, beside_nuts)
SUITE_TEST(glm_gibbs, length_scale_beside_nuts)
SUITE_TEST(glm_gibbs, chains_apart)
SUITE_TEST(glm_gibbs, target_ess)
SUITE_TEST(glm_gibbs, slow_weights)
SUITE_TEST(glm_gibbs, questions)
SUITE_TEST(glm_gibbs, monitor_sees_the_draws)
SUITE_TEST(glm_gibbs, bad_cases)
SUITE_TEST(glm_gibbs, memory)
SUITE_TEST(glm_gibbs, more_bad_cases)
SUITE_TEST(glm_gibbs, no_mean)
SUITE_END(glm_gibbs)
