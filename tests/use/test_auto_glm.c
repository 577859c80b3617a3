/* auto_glm: choices where the answer is clear, by Laplace's evidence and by the bound, and every error */
#include "auto_tools.h"

static bln_auto_basis auto_glm_of(bln_likelihood likelihood, const bln_auto_basis_desc *desc, const bln_data *data)
{
    bln_auto_basis found;
    bln_glm_desc model;
    bln_report report;
    memset(&model, 0, sizeof model);
    memset(&found, 0, sizeof found);
    model.likelihood = likelihood;
    CHECK_OK(bln_auto_basis_glm(&model, desc, data, &found, &report));
    CHECK(!report.text[0]);
    auto_check_table(&found, data->n);
    return found;
}

TEST(auto_glm, a_line_between_classes)
{
    const bln_data data = auto_rows(80, 2, AUTO_LINE, -1.0, 41);
    const bln_auto_basis found = auto_glm_of(bln_likelihood_binomial(BLN_LINK_LOGIT), NULL, &data);
    CHECK(!strcmp(found.text, "linear"));
    auto_free(&data);
}

TEST(auto_glm, a_ring_between_classes)
{
    const bln_data data = auto_rows(80, 2, AUTO_RING, -1.0, 43);
    const bln_auto_basis found = auto_glm_of(bln_likelihood_binomial(BLN_LINK_LOGIT), NULL, &data);
    CHECK(auto_has(&found, "gp:"));
    auto_free(&data);
}

/* With a budget for few rows of the process: features, by rows left out. */
TEST(auto_glm, many_rows)
{
    bln_auto_basis_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.budget = 2e10;
    const bln_data data = auto_rows(600, 2, AUTO_RING, -1.0, 47);
    const bln_auto_basis found = auto_glm_of(bln_likelihood_binomial(BLN_LINK_LOGIT), &desc, &data);
    CHECK(!auto_has(&found, "gp:") && (auto_has(&found, ":n=") || auto_has(&found, "m=")));
    CHECK_SIZE(found.tried[found.best].left_out, 200);
    auto_free(&data);
}

/* The scores are those of fits by hand: Laplace's evidence, and the full Gaussian's bound where log p has no curvature. */
TEST(auto_glm, the_table_is_that_of_fits_by_hand)
{
    for (int k = 0; k < 2; k++) {
        const bln_data data = auto_rows(40, 1, k ? AUTO_LINE : AUTO_RING, k ? 0.3 : -1.0, 53);
        const bln_likelihood l = k ? bln_likelihood_laplace() : bln_likelihood_binomial(BLN_LINK_LOGIT);
        const bln_auto_basis found = auto_glm_of(l, NULL, &data);
        for (size_t i = 0; i < found.n; i += 5) {
            bln_glm_desc model;
            bln_glm *glm = NULL;
            bln_basis *b = auto_parse(found.tried[i].text, 0, &data);
            memset(&model, 0, sizeof model);
            model.basis = b;
            model.likelihood = l;
            model.method = k ? bln_glm_full(NULL) : bln_glm_laplace();
            CHECK_OK(bln_glm_create(&model, &glm, NULL));
            CHECK_OK(bln_glm_fit(glm, &data, NULL));
            CHECK_NEAR(found.tried[i].score, bln_glm_objective(glm), 0.0);
            bln_glm_free(glm);
            bln_basis_free(b);
        }
        auto_free(&data);
    }
}

/* With rows left out the fit is the default's, and its score that of these rows and, of one latent, of its own, each left out by
 * itself. */
TEST(auto_glm, scores_of_rows_left_out)
{
    const bln_data all = auto_rows(90, 2, AUTO_RING, -1.0, 43);
    bln_data rows = all, others = all;
    bln_glm_desc desc = BLN_ZERO;
    bln_loo_outputs out = BLN_ZERO;
    bln_elpd total;
    blni_auto_model m = BLN_ZERO;
    bln_report report;
    double logp[30], score = 0.0, sum = 0.0;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *b = NULL;
    bln_glm *glm = NULL;
    spec.text = "rbf:n=20+bias";
    spec.d = 2;
    CHECK_OK(bln_basis_parse(&spec, &b, NULL));
    rows.n = 60;
    others.n = 30;
    others.X = all.X + 60*2;
    others.y = all.y + 60;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.basis = b;
    CHECK_OK(bln_glm_create(&desc, &glm, NULL));
    CHECK_OK(bln_glm_fit(glm, &rows, NULL));
    out.total = &total;
    CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &rows, NULL, &out, NULL));
    CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &others, logp, NULL, NULL));
    for (size_t i = 0; i < 30; i++) sum += logp[i];
    desc.method = bln_glm_laplace();
    m.desc = &desc;
    m.latents = 1;
    CHECK_OK(blni_auto_glm_fit(&m, b, &rows, &others, &score, NULL, &report));
    CHECK_REL(score, sum + total.elpd, 1e-12);
    bln_glm_free(glm);
    desc.likelihood = bln_likelihood_categorical(2);
    memset(&desc.method, 0, sizeof desc.method);
    CHECK_OK(bln_glm_create(&desc, &glm, NULL));
    CHECK_OK(bln_glm_fit(glm, &rows, NULL));
    CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), &others, logp, NULL, NULL));
    sum = 0.0;
    for (size_t i = 0; i < 30; i++) sum += logp[i];
    m.latents = 2;
    CHECK_OK(blni_auto_glm_fit(&m, b, &rows, &others, &score, NULL, &report));
    CHECK_REL(score, sum, 1e-12);
    bln_glm_free(glm);
    bln_basis_free(b);
    auto_free(&all);
}

/* Counts with exposures, in strides of their own among the rows that are drawn; and three classes. */
TEST(auto_glm, other_targets)
{
    enum { N = 40 };
    bln_data data = auto_rows(N, 1, AUTO_LINE, 0.0, 59);
    double *y = test_doubles(N), *trials = test_doubles(N);
    const double *f = data.y;
    for (size_t i = 0; i < N; i++) {
        trials[i] = i % 2 ? 1.0 : 20.0;
        y[i] = floor(trials[i]*exp(f[i]) + 0.5);
    }
    data.y = y;
    data.trials = trials;
    const bln_auto_basis counts = auto_glm_of(bln_likelihood_poisson(BLN_LINK_LOG), NULL, &data);
    CHECK(!strcmp(counts.text, "linear"));
    data.trials = NULL;
    for (size_t i = 0; i < N; i++) y[i] = f[i] < -1.0 ? 0.0 : f[i] < 1.0 ? 1.0 : 2.0;
    const bln_auto_basis classes = auto_glm_of(bln_likelihood_categorical(3), NULL, &data);
    CHECK(classes.text[0]);
    const bln_auto_basis order = auto_glm_of(bln_likelihood_ordinal(3), NULL, &data);
    CHECK(!strcmp(order.text, "linear"));
    data.y = f;
    free(y);
    free(trials);
    auto_free(&data);
}

TEST(auto_glm, errors)
{
    bln_auto_basis found;
    bln_auto_basis_desc desc;
    bln_glm_desc model;
    bln_report report;
    double theta = 1.0;
    const bln_basis *bases[1] = { NULL };
    memset(&found, 7, sizeof found);
    const bln_auto_basis before = found;
    const bln_data data = auto_rows(30, 2, AUTO_LINE, 0.5, 61);
    memset(&model, 0, sizeof model);
    CHECK_STATUS(bln_auto_basis_glm(NULL, NULL, &data, &found, &report), BLN_EINVAL);
    CHECK_STATUS(bln_auto_basis_glm(&model, NULL, &data, &found, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "likelihood");
    model.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    CHECK_STATUS(bln_auto_basis_glm(&model, NULL, NULL, &found, &report), BLN_EINVAL);
    CHECK_STATUS(bln_auto_basis_glm(&model, NULL, &data, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_auto_basis_glm(&model, NULL, &data, &found, &report), BLN_EDOMAIN);                /* y is neither 0 nor 1 */
    CHECK_SIZE(report.row, 0);
    model.likelihood = bln_likelihood_student_t();
    memset(&desc, 0, sizeof desc);
    desc.budget = HUGE_VAL;
    CHECK_STATUS(bln_auto_basis_glm(&model, &desc, &data, &found, &report), BLN_EINVAL);
    for (int k = 0; k < 6; k++) {
        bln_glm_desc d = model;
        if (k == 0) d.theta = &theta;
        if (k == 1) d.prior_var = &theta;
        if (k == 2) d.per_weight = 1;
        if (k == 3) d.fix_theta = 1;
        if (k == 4) d.fix_prior_var = 1;
        if (k == 5) d.bases = bases;
        CHECK_STATUS(bln_auto_basis_glm(&d, NULL, &data, &found, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "basis");
    }
    model.tolerance = -1.0;
    CHECK_STATUS(bln_auto_basis_glm(&model, NULL, &data, &found, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "tolerance must be");
    CHECK(!memcmp(&found, &before, sizeof found));
    auto_free(&data);
}

SUITE_BEGIN(auto_glm)
    SUITE_TEST(auto_glm, a_line_between_classes)
    SUITE_TEST(auto_glm, a_ring_between_classes)
    SUITE_TEST(auto_glm, many_rows)
    SUITE_TEST(auto_glm, the_table_is_that_of_fits_by_hand)
    SUITE_TEST(auto_glm, scores_of_rows_left_out)
    SUITE_TEST(auto_glm, other_targets)
    SUITE_TEST(auto_glm, errors)
SUITE_END(auto_glm)
