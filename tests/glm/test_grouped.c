/* Effects of groups in models: two data sets beside integrals and draws of other software, the methods beside each other, maximum
 * restricted likelihood beside lme4, groups that were not seen, levels without rows, files. */
#include "glm_tools.h"
#include "../golden/groups_golden.h"

typedef struct grouped { double X[180*4], y[180], trials[180]; bln_data data; bln_basis *basis; size_t D; } grouped;

/* sleepstudy: days, subject, with (1 + days || subject); cbpp: three indicators of periods, herd, with (1 | herd). */
static void grouped_make(grouped *t, int sleep)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_report report = BLN_ZERO;
    memset(t, 0, sizeof *t);
    t->data.n = sleep ? 180 : 56;
    t->data.d = sleep ? 2 : 4;
    for (size_t i = 0; i < t->data.n; i++) {
        double *x = t->X + i*t->data.d;
        if (sleep) {
            x[0] = (double)(i % 10);
            x[1] = golden_sleepstudy_subject[i/10];
            t->y[i] = golden_sleepstudy_y[i];
        } else {
            for (int k = 0; k < 3; k++) x[k] = golden_cbpp[4*i + 1] == (double)(k + 2);
            x[3] = golden_cbpp[4*i];
            t->y[i] = golden_cbpp[4*i + 2];
            t->trials[i] = golden_cbpp[4*i + 3];
        }
    }
    t->data.X = t->X;
    t->data.y = t->y;
    if (!sleep) t->data.trials = t->trials;
    spec.text = sleep ? "linear+group:by=1,cols=0" : "linear+group:by=3";
    spec.d = t->data.d;
    spec.rows = &t->data;
    CHECK_OK(bln_basis_parse(&spec, &t->basis, &report));
    if (!t->basis) { puts(report.text); exit(2); }
    t->D = t->basis->D;
}

static bln_glm *grouped_fit(const grouped *t, bln_glm_method method, double tolerance)
{
    bln_glm_desc d;
    bln_glm *glm = NULL;
    bln_report report;
    memset(&d, 0, sizeof d);
    d.basis = t->basis;
    d.likelihood = t->data.trials ? bln_likelihood_binomial(BLN_LINK_LOGIT) : bln_likelihood_gaussian();
    d.method = method;
    d.tolerance = tolerance;
    bln_status status = bln_glm_create(&d, &glm, &report);
    if (status == BLN_OK) status = bln_glm_fit(glm, &t->data, &report);
    CHECK_OK(status);
    if (status != BLN_OK) { puts(report.text); exit(2); }
    return glm;
}

/* Where weight j of the basis stands in the golden table, whose effects go subject by subject; BLN_NONE: that of a new group. */
static size_t grouped_place(const grouped *t, size_t j)
{
    const size_t levels = t->data.trials ? 15 : 18, first = t->data.trials ? 4 : 2, from = t->data.trials ? 4 : 6;
    if (j < first) return j;
    const size_t slice = (j - first)/(levels + 1), level = (j - first) % (levels + 1);
    if (level == levels) return BLN_NONE;
    return t->data.trials ? from + level : from + 2*level + slice;
}

static const double *grouped_mean(const grouped *t) { return t->data.trials ? golden_cbpp_mean : golden_sleepstudy_mean; }
static const double *grouped_sd(const grouped *t) { return t->data.trials ? golden_cbpp_sd : golden_sleepstudy_sd; }

/* A column of draws, or half the logarithm of it, in one row. */
static bln_summary grouped_summary(const bln_chains *c, size_t column, int half_log)
{
    const bln_series s = bln_chains_series(c, column);
    double *x = test_doubles(s.chains*s.draws), *work = NULL;
    bln_series copy = BLN_ZERO;
    bln_summary out;
    for (size_t k = 0; k < s.chains; k++)
        for (size_t i = 0; i < s.draws; i++) {
            const double v = s.x[k*s.ldchain + i*s.ld];
            x[k*s.draws + i] = half_log ? 0.5*log(v) : v;
        }
    copy.x = x;
    copy.chains = s.chains;
    copy.draws = s.draws;
    work = test_doubles(bln_series_work(&copy));
    CHECK_OK(bln_series_summary(&copy, &out, work, NULL));
    free(work);
    free(x);
    return out;
}

/* NUTS and Gibbs within 4 standard errors of the truth, of each other and of `integrated`, weights and standard deviations of
 * groups; `integrated` within 0.05 sd and 3 % of the truth. */
TEST(grouped, methods_agree)
{
    for (int sleep = TEST_MANY(0, 1); sleep < 2; sleep++) {
        grouped t;
        double mean[64], sd[64];
        bln_summary nuts, gibbs;
        grouped_make(&t, sleep);
        bln_glm *q = grouped_fit(&t, bln_glm_integrated(NULL), 0.0), *a = grouped_fit(&t, bln_glm_nuts(NULL), 0.0);
        bln_glm *b = grouped_fit(&t, bln_glm_gibbs(NULL), 0.0);
        const bln_chains *ca = bln_glm_chains(a), *cb = bln_glm_chains(b);
        const double *gold = grouped_mean(&t), *wide = grouped_sd(&t);
        CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(q), mean, sd, 0, NULL, NULL, NULL, NULL));
        for (size_t j = 0; j < t.D; j++) {
            const size_t k = grouped_place(&t, j);
            nuts = grouped_summary(ca, j, 0);
            gibbs = grouped_summary(cb, j, 0);
            CHECK_LE(fabs(nuts.mean - gibbs.mean), 4.0*hypot(nuts.mcse_mean, gibbs.mcse_mean));
            CHECK_LE(fabs(nuts.mean - mean[j]), 4.0*nuts.mcse_mean);
            CHECK_LE(fabs(gibbs.mean - mean[j]), 4.0*gibbs.mcse_mean);
            CHECK_LE(fabs(nuts.sd - sd[j]), 4.0*nuts.mcse_sd);
            CHECK_LE(fabs(gibbs.sd - sd[j]), 4.0*gibbs.mcse_sd);
            if (k == BLN_NONE) {                                    /* symmetric, and independent of the rows but for lambda */
                CHECK_NEAR(mean[j], 0.0, 1e-12);
                continue;
            }
            CHECK_LE(fabs(mean[j] - gold[k]), 0.05*wide[k]);
            CHECK_LE(fabs(sd[j]/wide[k] - 1.0), 0.03);
            CHECK_LE(fabs(nuts.mean - gold[k]), 4.0*nuts.mcse_mean);
            CHECK_LE(fabs(gibbs.mean - gold[k]), 4.0*gibbs.mcse_mean);
        }
        for (size_t s = 0; s < t.basis->n_slices; s++) {
            const size_t k = sleep ? 3 + s : 19 + s;
            nuts = grouped_summary(ca, t.D + s, 1);
            gibbs = grouped_summary(cb, t.D + s, 1);
            CHECK_LE(fabs(nuts.mean - gold[k]), 4.0*nuts.mcse_mean);
            CHECK_LE(fabs(gibbs.mean - gold[k]), 4.0*gibbs.mcse_mean);
            CHECK_LE(fabs(nuts.sd - wide[k]), 4.0*nuts.mcse_sd);
            CHECK_LE(fabs(gibbs.sd - wide[k]), 4.0*gibbs.mcse_sd);
        }
        bln_glm_free(q);
        bln_glm_free(a);
        bln_glm_free(b);
        bln_basis_free(t.basis);
    }
}

/* Flat fixed effects and learnt groups: the maximum of the restricted likelihood. lme4 1.1-31, lmer(Reaction ~ Days + (Days ||
 * Subject), sleepstudy), R 4.2.2: its optimiser leaves the standard deviations right to about 1e-6. */
TEST(grouped, restricted_likelihood)
{
    static const double flat[] = { HUGE_VAL, 0.0, 0.0 };
    grouped t;
    bln_slm_desc d = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_report report;
    double mean[64];
    grouped_make(&t, 1);
    d.basis = t.basis;
    d.prior_var = flat;
    d.tolerance = 1e-12;
    CHECK_OK(bln_slm_create(&d, &slm, &report));
    CHECK_OK(bln_slm_fit(slm, &t.data, &report));
    CHECK_REL(sqrt(bln_slm_noise_cov(slm)[0]), 25.56527920, 1e-5);
    CHECK_REL(sqrt(bln_slm_prior_var(slm)[1]), 25.05132832, 1e-5);
    CHECK_REL(sqrt(bln_slm_prior_var(slm)[2]), 5.98818667, 1e-5);
    CHECK_REL(bln_slm_evidence(slm), -871.8346, 1e-7);
    CHECK_OK(bln_posterior_coefficients(bln_slm_posterior(slm), mean, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_REL(mean[0], 251.40510485, 1e-7);
    CHECK_REL(mean[1], 10.46728596, 1e-7);
    bln_slm_free(slm);
    bln_basis_free(t.basis);
}

/* At given prior variances a group that was not seen adds lambda_1 + x^2 lambda_2 to the variance of the population's curve, and
 * nothing to its mean; and the weight of the new group has its prior for ever. */
TEST(grouped, new_group)
{
    grouped t;
    bln_report report;
    double f[3], var[3], mean[64], sd[64];
    static const double X[] = { 3.0, 999.0,   3.0, BLN_GROUP_NONE,   3.0, 308.0 };
    bln_data query = BLN_ZERO;
    grouped_make(&t, 1);
    bln_glm *glm = grouped_fit(&t, bln_glm_laplace(), 0.0);
    const double *lambda = bln_glm_prior_var(glm);
    query.n = 3;
    query.d = 2;
    query.X = X;
    CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &query, f, var, NULL, &report));
    CHECK_NEAR(f[0], f[1], 1e-12*fabs(f[1]));
    CHECK_REL(var[0] - var[1], lambda[1] + 9.0*lambda[2], 1e-10);
    CHECK(fabs(f[2] - f[1]) > 1.0 && var[2] < var[0]);
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, NULL));
    for (size_t s = 1; s < 3; s++) {
        const size_t j = bln_basis_slice(t.basis, s + 1) - 1;
        CHECK_NEAR(mean[j], 0.0, 1e-12);
        CHECK_REL(sd[j], sqrt(lambda[s]), 1e-12);
    }
    bln_glm_free(glm);
    bln_basis_free(t.basis);
}

/* Levels without rows change nothing: not what is learnt, nor its priors, of `glm` and of slm_integrated, although there are more
 * features. */
TEST(grouped, empty_levels)
{
    grouped t;
    double learnt[2][3], evidence[2], few[2], f[2][2];
    grouped_make(&t, 1);
    for (int more = 0; more < 2; more++) {
        bln_group_desc desc = BLN_ZERO;
        bln_slm_integrated_desc d = BLN_ZERO;
        bln_slm_integrated *model = NULL;
        bln_report report;
        double levels[40];
        static const size_t order[] = { 1, 0 }, first = 0;
        bln_basis *parts[2], *part = NULL;
        const size_t n = more ? 40 : 18;
        for (size_t k = 0; k < n; k++) levels[k] = k < 18 ? golden_sleepstudy_subject[k] : 1000.0 + (double)k;
        desc.d = 2;
        desc.n = n;
        desc.levels = levels;
        bln_basis_free(t.basis);
        CHECK_OK(bln_linear_create(NULL, 1, 1, &part));
        CHECK_OK(bln_basis_columns(NULL, 2, 1, &first, part, &parts[0], &report));
        CHECK_OK(bln_group_create(&desc, &part, &report));
        CHECK_OK(bln_basis_columns(NULL, 2, 2, order, part, &parts[1], &report));
        CHECK_OK(bln_basis_sum(NULL, 2, parts, &t.basis, &report));
        bln_glm *glm = grouped_fit(&t, bln_glm_laplace(), 1e-10);
        for (size_t s = 0; s < 3; s++) learnt[more][s] = bln_glm_prior_var(glm)[s];
        evidence[more] = bln_glm_objective(glm);
        d.basis = t.basis;
        d.nodes = 12;                                                  /* the same nodes, be they few */
        CHECK_OK(bln_slm_integrated_create(&d, &model, &report));
        CHECK_OK(bln_slm_integrated_fit(model, &t.data, &report));
        few[more] = bln_slm_integrated_evidence(model);
        bln_data query = t.data;
        query.n = 2;
        CHECK_OK(bln_slm_integrated_predict(model, &query, f[more], NULL, NULL, NULL, &report));
        bln_slm_integrated_free(model);
        bln_glm_free(glm);
    }
    for (size_t s = 0; s < 3; s++) CHECK_REL(learnt[1][s], learnt[0][s], 1e-4);
    CHECK_REL(evidence[1], evidence[0], 1e-9);
    CHECK_REL(few[1], few[0], 1e-9);
    for (size_t i = 0; i < 2; i++) CHECK_REL(f[1][i], f[0][i], 1e-9);
    bln_basis_free(t.basis);
}

/* A model file keeps levels, and predicts to the bit, a herd that was not seen among them. */
TEST(grouped, files)
{
    enum { SIZE = 1 << 17 };
    grouped t;
    unsigned char *bytes = (unsigned char *)malloc(SIZE);
    double *before = test_doubles(3*56), *after = test_doubles(3*56);
    bln_glm *loaded = NULL;
    bln_report report;
    bln_memory_stream m;
    grouped_make(&t, 0);
    bln_glm *glm = grouped_fit(&t, bln_glm_full(NULL), 0.0);
    bln_writer w = bln_memory_writer(&m, bytes, SIZE);
    CHECK_OK(bln_glm_save(glm, &w));
    bln_reader r = bln_memory_reader(&m, bytes, m.at, &report);
    const bln_load context = bln_builtin();
    CHECK_OK(bln_glm_load(&context, &r, &loaded));
    t.X[3] = 77.0;
    CHECK_OK(bln_glm_predict(glm, &t.data, before, before + 56, before + 112, NULL, &report));
    if (loaded) {
        CHECK_OK(bln_glm_predict(loaded, &t.data, after, after + 56, after + 112, NULL, &report));
        CHECK(!memcmp(before, after, 3*56*sizeof *before));
    }
    bln_glm_free(loaded);
    bln_glm_free(glm);
    bln_basis_free(t.basis);
    free(before); free(after); free(bytes);
}

/* A whole group left out is a group that was not seen: the cavity beside a fit to the other rows at the same hyper-parameters. */
TEST(grouped, group_left_out)
{
    static const double lambda[] = { 2e4, 600.0, 35.0 };
    grouped t;
    bln_report report;
    double mean[180], var[180], f[10], v[10];
    size_t group[180];
    bln_loo_outputs out = BLN_ZERO;
    grouped_make(&t, 1);
    out.latent_mean = mean;
    out.latent_var = var;
    for (size_t i = 0; i < 180; i++) group[i] = i/10;
    for (int without = 0; without < 2; without++) {
        bln_slm_desc d = BLN_ZERO;
        bln_slm *slm = NULL;
        bln_data data = t.data, query = t.data;
        d.basis = t.basis;
        d.prior_var = lambda;
        d.noise_var = 650.0;
        d.fix_prior_var = d.fix_noise_var = 1;
        CHECK_OK(bln_slm_create(&d, &slm, &report));
        if (without) { data.X += 20; data.y += 10; data.n -= 10; }
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        query.n = 10;
        if (without) {
            for (size_t i = 0; i < 10; i++) t.X[2*i + 1] = 999.0;
            CHECK_OK(bln_posterior_latent(bln_slm_posterior(slm), &query, f, v, NULL, &report));
        } else CHECK_OK(bln_posterior_loo_groups(bln_slm_posterior(slm), &data, group, 18, NULL, &out, NULL, &report));
        bln_slm_free(slm);
    }
    for (size_t i = 0; i < 10; i++) {
        CHECK_REL(mean[i], f[i], 1e-9);
        CHECK_REL(var[i], v[i], 1e-9);
    }
    bln_basis_free(t.basis);
}

SUITE_BEGIN(grouped)
    SUITE_TEST(grouped, methods_agree)
    SUITE_TEST(grouped, restricted_likelihood)
    SUITE_TEST(grouped, new_group)
    SUITE_TEST(grouped, empty_levels)
    SUITE_TEST(grouped, files)
    SUITE_TEST(grouped, group_left_out)
SUITE_END(grouped)
