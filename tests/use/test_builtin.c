/* builtin: the lists name everything once, and loaders know what their lists name, and no more. Each likelihood of one latent is in
 * the lists of the tests, has golden rows, and stands what every likelihood must. */
#include "../likelihood/likelihood_tools.h"
#include "../golden/expect_golden.h"
#include "../golden/predictive_golden.h"
#include "../linear/posterior_of.h"

static int builtin_twice(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) if (!strcmp(names[i], names[k])) return 1;
    return 0;
}

TEST(builtin, bases)
{
    const bln_load all = bln_builtin();
    const char *names[32];
    CHECK_SIZE(all.n_bases, 13);
    for (size_t i = 0; i < all.n_bases; i++) {
        names[i] = all.bases[i]->name;
        CHECK(all.bases[i]->save && all.bases[i]->load);
    }
    CHECK(!builtin_twice(names, all.n_bases));
    const bln_basis_ops *const own[] = {
        bln_bias_ops(), bln_linear_ops(), bln_polynomial_ops(), bln_legendre_ops(), bln_radial_ops(), bln_group_ops(),
        bln_fourier_ops(), bln_fourier2_ops(), bln_fastfood_ops(), bln_spectral_ops(), bln_inducing_ops(),
        bln_sum_ops(), bln_columns_ops()
    };
    for (size_t i = 0; i < all.n_bases && i < sizeof own/sizeof *own; i++) CHECK(own[i] == all.bases[i]);
}

TEST(builtin, likelihoods)
{
    const bln_load all = bln_builtin();
    bln_likelihood want[21];
    size_t n = 0;
    want[n++] = bln_likelihood_gaussian();
    want[n++] = bln_likelihood_student_t();
    want[n++] = bln_likelihood_laplace();
    want[n++] = bln_likelihood_asymmetric_laplace(0.5);
    want[n++] = bln_likelihood_binomial(BLN_LINK_LOGIT);
    want[n++] = bln_likelihood_binomial(BLN_LINK_PROBIT);
    want[n++] = bln_likelihood_binomial(BLN_LINK_CLOGLOG);
    want[n++] = bln_likelihood_poisson(BLN_LINK_LOG);
    want[n++] = bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    want[n++] = bln_likelihood_poisson(BLN_LINK_LOGIT);
    want[n++] = bln_likelihood_negative_binomial();
    want[n++] = bln_likelihood_zero_inflated_poisson();
    want[n++] = bln_likelihood_ordinal(2);
    want[n++] = bln_likelihood_categorical(2);
    want[n++] = bln_likelihood_categorical_reference(2);
    want[n++] = bln_likelihood_gaussian_scale();
    want[n++] = bln_likelihood_heteroscedastic();
    want[n++] = bln_likelihood_heteroscedastic_t();
    for (int form = 0; form < 3; form++) want[n++] = bln_likelihood_logistic_softmax(2, (bln_softmax)form);
    const char *names[32];
    CHECK_SIZE(n, sizeof want/sizeof *want);
    CHECK_SIZE(all.n_likelihoods, n);
    for (size_t i = 0; i < all.n_likelihoods && i < n; i++) {
        bln_likelihood l = BLN_ZERO;
        names[i] = want[i].ops->name;
        CHECK(bln_likelihood_check(&all.likelihoods[i]) == NULL);
        CHECK_OK(bln_likelihood_find(all.likelihoods, all.n_likelihoods, names[i], want[i].n_theta, want[i].n_latent, &l));
        CHECK(l.ops == want[i].ops && l.n_theta == want[i].n_theta && l.n_latent == want[i].n_latent && !l.user);
    }
    CHECK(!builtin_twice(names, all.n_likelihoods < n ? all.n_likelihoods : n));
    /* One with a level has it behind its name. */
    static const char *const bad[] = { "asymmetric_laplace:", "asymmetric_laplace:0", "asymmetric_laplace:1", "laplace:0.5",
                                       "asymmetric_laplace:0.5x", "asymmetric_laplace:nan" };
    bln_likelihood l = BLN_ZERO;
    CHECK_OK(bln_likelihood_find(all.likelihoods, all.n_likelihoods, "asymmetric_laplace:0.9", 1, 1, &l));
    CHECK(l.level == 0.9 && l.n_theta == 1 && bln_likelihood_check(&l) == NULL);
    CHECK_OK(bln_likelihood_find(all.likelihoods, all.n_likelihoods, "logistic_softmax_scaled", 2, 3, &l));
    CHECK_STATUS(bln_likelihood_find(all.likelihoods, all.n_likelihoods, "logistic_softmax_scaled", 3, 3, &l), BLN_ESHAPE);
    for (size_t i = 0; i < sizeof bad/sizeof *bad; i++)
        CHECK_STATUS(bln_likelihood_find(all.likelihoods, all.n_likelihoods, bad[i], 1, 1, &l), BLN_ESHAPE);
}

/* Rows of three golden tables. */
static void builtin_golden(const char *name, size_t rows[3])
{
    rows[0] = rows[1] = rows[2] = 0;
    for (size_t i = 0; i < sizeof golden_likelihood_rows/sizeof *golden_likelihood_rows; i++)
        rows[0] += !strcmp(golden_likelihood_rows[i].family, name);
    for (size_t i = 0; i < sizeof golden_expect_rows/sizeof *golden_expect_rows; i++)
        rows[1] += !strcmp(golden_expect_rows[i].family, name);
    for (size_t i = 0; i < sizeof golden_predictive_rows/sizeof *golden_predictive_rows; i++)
        rows[2] += !strcmp(golden_predictive_rows[i].family, name);
}

TEST(builtin, likelihoods_are_tested)
{
    static const double f[3] = { -2.0, 0.3, 2.5 };
    /* Without golden rows: in their rooms' tests they are compared with their definitions. */
    static const char *const defined[] = { "asymmetric_laplace", "poisson_logistic" };
    const bln_load all = bln_builtin();
    for (size_t i = 0; i < all.n_likelihoods; i++) {
        const char *const name = all.likelihoods[i].ops->name;
        size_t rows[3];
        if (all.likelihoods[i].ops->latents) continue;
        CHECK(likelihood_case_of(name) != NULL);
        if (!likelihood_case_of(name)) { printf("    %s: add it to likelihood_cases\n", name); continue; }
        CHECK(likelihood_named(name).ops == all.likelihoods[i].ops);
        likelihood_check_family(name, all.likelihoods[i].ops->discrete ? 3.0 : 2.25, f, 3, 200 + 10*i);
        if (!strcmp(name, defined[0]) || !strcmp(name, defined[1])) continue;
        builtin_golden(name, rows);
        CHECK(rows[0] && rows[1] && rows[2]);
        if (rows[0] && rows[1] && rows[2]) likelihood_check_golden(name);
        else printf("    %s: golden rows of log p %lu, of expectations %lu, of predictions %lu\n", name, (unsigned long)rows[0],
                    (unsigned long)rows[1], (unsigned long)rows[2]);
    }
}

TEST(builtin, kinds)
{
    const bln_load all = bln_builtin();
    const bln_model_kind *const want[] = {
        bln_slm_file_kind(), bln_slm_integrated_file_kind(), bln_glm_file_kind(), bln_posterior_file_kind(), bln_scaler_file_kind(),
        bln_conformal_file_kind()
    };
    CHECK_SIZE(all.n_kinds, sizeof want/sizeof *want);
    CHECK(all.n_components == 5 && all.n_observes == 3);
    for (size_t i = 0; i < all.n_kinds && i < sizeof want/sizeof *want; i++) CHECK(all.kinds[i] == want[i] && !want[i]->tag[4]);
}

/* A file of a line: it takes the linear basis and the kind of its model, to write and to read, and no more. */
TEST(builtin, a_file_of_a_line)
{
    static const double X[4] = { 0.0, 1.0, 2.0, 3.0 }, y[4] = { 0.1, 0.9, 2.2, 2.9 };
    static unsigned char bytes[1000];
    bln_data data = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_basis *line = NULL;
    bln_slm *slm = NULL;
    bln_memory_stream m;
    bln_report report;
    bln_modelfile file = BLN_ZERO, back = BLN_ZERO;
    const bln_basis_ops *bases[1];
    const bln_model_kind *kinds[1];
    bln_load load = BLN_ZERO;
    double mean[2][4];
    data.n = 4;   data.d = 1;   data.X = X;   data.y = y;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
    desc.basis = line;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    bases[0] = bln_linear_ops();
    kinds[0] = bln_glm_file_kind();
    load.kinds = kinds;
    load.bases = bases;
    file.slm = slm;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_STATUS(bln_modelfile_write(w.write, w.user, NULL, &file, &report), BLN_EUNKNOWN);
    load.n_kinds = 1;
    CHECK_STATUS(bln_modelfile_write(w.write, w.user, &load, &file, &report), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "\"SLM \"");
    CHECK_SIZE(m.at, 0);
    kinds[0] = bln_slm_file_kind();
    CHECK_OK(bln_modelfile_write(w.write, w.user, &load, &file, &report));

    const size_t size = m.at;
    for (size_t n_bases = 0; n_bases < 2; n_bases++)
        for (size_t n_kinds = 0; n_kinds < 2; n_kinds++) {
            const bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
            load.n_bases = n_bases;
            load.n_kinds = n_kinds;
            const bln_status status = bln_modelfile_read(r.read, r.user, size, n_bases + n_kinds ? &load : NULL, &back, &report);
            CHECK_STATUS(status, n_bases && n_kinds ? BLN_OK : BLN_EUNKNOWN);
            if (status != BLN_OK) CHECK_TEXT(report.text, n_kinds ? ": \"linear\"" : "section \"SLM \"");
        }
    CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean[0], NULL, NULL, NULL, NULL));
    CHECK_OK(total_of(bln_slm_posterior(back.slm), &data, mean[1], NULL, NULL, NULL, NULL));
    CHECK(!memcmp(mean[0], mean[1], sizeof mean[0]));
    CHECK(back.kinds[0] == bln_slm_file_kind() && !back.kinds[1]);
    bln_modelfile_free(&back);

    /* A scaler in the file must be asked for: the model means nothing without it. */
    CHECK_OK(bln_scaler_create(NULL, &data, &file.scaler, NULL));
    w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &file, &report));
    const bln_reader r = bln_memory_reader(&m, bytes, m.at, NULL);
    CHECK_STATUS(bln_modelfile_read(r.read, r.user, m.size, &load, &back, &report), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "section \"SCAL\"");
    bln_scaler_free(file.scaler);
    bln_slm_free(slm);
    bln_basis_free(line);
}

/* A sum of a bias and a polynomial of one column. */
static bln_basis *builtin_sum(void)
{
    static const size_t column[] = { 1 };
    bln_basis *parts[2] = { NULL, NULL }, *inner = NULL, *sum = NULL;
    CHECK_OK(bln_bias_create(NULL, &parts[0]));
    CHECK_OK(bln_polynomial_create(NULL, 1, 3, 0, 0, &inner));
    CHECK_OK(bln_basis_columns(NULL, 2, 1, column, inner, &parts[1], NULL));
    CHECK_OK(bln_basis_sum(NULL, 2, parts, &sum, NULL));
    return sum;
}

/* Sums and selections must be listed like what they are made of. The first table of a name counts. */
TEST(builtin, a_loader_knows_its_list)
{
    unsigned char bytes[400];
    bln_memory_stream m;
    bln_basis *sum = builtin_sum(), *back = NULL;
    bln_report report;
    static const char *const missing[] = { ": \"sum\"", ": \"bias\"", ": \"columns\"", ": \"polynomial\"" };
    const bln_basis_ops *list[5];
    bln_basis_ops other = *bln_bias_ops();
    bln_load load = BLN_ZERO;
    list[0] = bln_sum_ops();
    list[1] = bln_bias_ops();
    list[2] = bln_columns_ops();
    list[3] = bln_polynomial_ops();
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_basis_save(sum, &w);
    CHECK_OK(w.status);
    const size_t size = m.at;
    for (size_t n = 0; n < 5; n++) {
        bln_reader r = bln_memory_reader(&m, bytes, size, &report);
        bln_report_clear(&report);
        load.bases = list;
        load.n_bases = n;
        const bln_status status = bln_basis_load_any(n ? &load : NULL, &r, &back);
        CHECK_STATUS(status, n == 4 ? BLN_OK : BLN_EUNKNOWN);
        if (n == 4) {
            CHECK(blni_basis_fingerprint(back) == blni_basis_fingerprint(sum));
            bln_basis_free(back);
        } else CHECK_TEXT(report.text, missing[n]);
        back = NULL;
    }
    other.load = NULL;                                   /* one that cannot be loaded is none */
    list[1] = &other;
    list[4] = bln_bias_ops();
    load.n_bases = 5;
    bln_reader r = bln_memory_reader(&m, bytes, size, &report);
    CHECK_OK(bln_basis_load_any(&load, &r, &back));
    bln_basis_free(back);
    bln_basis_free(sum);
}

SUITE_BEGIN(builtin)
    SUITE_TEST(builtin, bases)
    SUITE_TEST(builtin, likelihoods)
    SUITE_TEST(builtin, likelihoods_are_tested)
    SUITE_TEST(builtin, kinds)
    SUITE_TEST(builtin, a_file_of_a_line)
    SUITE_TEST(builtin, a_loader_knows_its_list)
SUITE_END(builtin)
