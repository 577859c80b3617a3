/* one_null: one argument at a time is missing or of another object, all others are right: each is refused, and nothing is written.
 * (use/null passes NULL for all of them.) */
#include "../test.h"
#include "../glm/glm_tools.h"
#include "../posterior/posterior_tools.h"

static bln_status one_null_model(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_num(t, 0.3), bln_v_elem(t, p[0], 0), bln_c_num(t, 1.0));
    bln_lp_normal(t, bln_c_num(t, 0.9), bln_v_elem(t, p[0], 1), bln_c_num(t, 1.0));
    return BLN_OK;
}

static bln_chains *one_null_chains(size_t columns, const char *const *names, size_t draws)
{
    static const double rows[4] = { 0.1, 0.2, 0.3, 0.4 };
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *chains = NULL;
    desc.draws = 30;
    desc.columns = columns;
    desc.names = names;
    CHECK_OK(bln_chains_create(&desc, &chains, NULL));
    for (size_t i = 0; i < draws; i++) CHECK_OK(bln_chains_add(chains, rows, NULL));
    return chains;
}

TEST(one_null, program)
{
    static const char *const names[2] = { "x[1]", "x[2]" }, *const others[2] = { "x[1]", "y" };
    const double q[2] = { 0.2, -0.4 }, far[2] = { 1e200, 0.0 };
    double out[8], scopes[BLN_SCOPES + 1];
    bln_program_parameter x = BLN_PARAMETER("x", 2, 1, FREE);
    bln_program_desc desc = BLN_ZERO;
    bln_program *with = NULL, *without = NULL;
    bln_report report;
    bln_elpd total;
    desc.model = one_null_model;
    desc.parameters = &x;
    desc.n_parameters = 1;
    CHECK_STATUS(bln_program_create(&desc, NULL, &report), BLN_EINVAL);
    CHECK_OK(bln_program_create(&desc, &without, &report));
    desc.n_rows = 2;
    CHECK_OK(bln_program_create(&desc, &with, &report));
    CHECK_STATUS(bln_program_unconstrain(with, NULL, out, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_unconstrain(with, q, NULL, &report), BLN_EINVAL);
    CHECK_OK(bln_program_unconstrain(with, q, out, &report));
    CHECK_STATUS(bln_program_scopes(with, NULL, scopes, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_scopes(with, q, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_scopes(with, far, scopes, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_program_pointwise(with, NULL, out, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_pointwise(with, q, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_pointwise(without, q, out, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "n_rows is 0");
    bln_chains *good = one_null_chains(2, names, 20), *other = one_null_chains(2, others, 20);
    bln_chains *thin = one_null_chains(1, names, 20), *none = one_null_chains(2, names, 0);
    CHECK_STATUS(bln_program_loo(with, NULL, NULL, NULL, &total, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_loo(with, good, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_program_loo(without, good, NULL, NULL, &total, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "n_rows is 0");
    CHECK_STATUS(bln_program_loo(with, thin, NULL, NULL, &total, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_program_loo(with, none, NULL, NULL, &total, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_program_loo(with, other, NULL, NULL, &total, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "another program");
    CHECK_OK(bln_program_loo(with, good, NULL, NULL, &total, &report));
    bln_chains_free(good);
    bln_chains_free(other);
    bln_chains_free(thin);
    bln_chains_free(none);
    bln_program_free(with);
    bln_program_free(without);
}

TEST(one_null, slm_integrated)
{
    bln_basis *b = slm_parse("bias + linear", 2, 3);
    bln_data data = slm_make(12, 2, 5, 0);
    bln_slm_integrated_desc desc = BLN_ZERO;
    bln_slm_integrated *m = NULL;
    double weight, noise, ratio[2];
    desc.basis = b;
    desc.nodes = 8;
    CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
    for (int fitted = 0; fitted < 2; fitted++) {
        const double rows = bln_slm_integrated_rows(m), dof = bln_slm_integrated_dof(m), evidence = bln_slm_integrated_evidence(m);
        const double unit = bln_slm_integrated_unit(m, 1), beyond = bln_slm_integrated_unit(m, 2);
        CHECK((bln_slm_integrated_theta(m) != NULL) == fitted && (bln_slm_integrated_nodes(m) > 0) == fitted);
        CHECK((rows == 12.0) == fitted && (dof == dof) == fitted && (evidence == evidence) == fitted && (unit == unit) == fitted);
        CHECK(beyond != beyond);
        CHECK_STATUS(bln_slm_integrated_node(m, 0, NULL, ratio, &noise), BLN_EINVAL);
        CHECK_STATUS(bln_slm_integrated_node(m, 0, &weight, ratio, NULL), BLN_EINVAL);
        CHECK_STATUS(bln_slm_integrated_node(m, 0, &weight, ratio, &noise), fitted ? BLN_OK : BLN_ESTATE);
        CHECK_STATUS(bln_slm_integrated_node(m, 100000, &weight, ratio, &noise), fitted ? BLN_EINVAL : BLN_ESTATE);
        if (!fitted) CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    }
    bln_slm_integrated_free(m);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* The objective of a method at a point: numbers that are no such point. */
TEST(one_null, objective_at)
{
    const double prior[2] = { 1.0, 2.0 }, zero[2] = { 1.0, 0.0 }, flat[2] = { HUGE_VAL, 2.0 }, eta = 2.3, theta = 1.1, below = -1.0;
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("negative_binomial", 12, 5);
    const bln_glm_desc desc = glm_desc(b, bln_likelihood_negative_binomial());
    bln_glm *glm = glm_new(&desc);
    bln_report report;
    double value = 7.0, slope[2];
    const bln_glm_method laplace = bln_glm_laplace(), full = bln_glm_full(NULL), none = BLN_ZERO;
#define AT(method, p, e, t) bln_glm_objective_at(glm, method, &data, p, e, t, &value, NULL, NULL, slope, NULL, NULL, &report)
    CHECK_STATUS(AT(laplace, zero, &eta, &theta), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "must be > 0");
    CHECK_STATUS(AT(full, flat, &eta, &theta), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "not flat");
    CHECK_STATUS(AT(full, zero, &eta, &theta), BLN_EDOMAIN);
    CHECK_STATUS(AT(laplace, prior, NULL, &theta), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "likelihood_theta");
    CHECK_STATUS(AT(laplace, prior, &below, &theta), BLN_EDOMAIN);
    CHECK_STATUS(AT(laplace, prior, &eta, NULL), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "theta");
    CHECK_STATUS(AT(laplace, prior, &eta, &below), BLN_EDOMAIN);
    CHECK_STATUS(AT(bln_glm_nuts(NULL), prior, &eta, &theta), BLN_EINVAL);
    CHECK_TEXT(report.text, "no objective");
    CHECK(value == 7.0);
    CHECK_OK(AT(none, prior, &eta, &theta));
    CHECK(value < 0.0);
#undef AT
    bln_glm_free(glm);
    bln_basis_free(b);
    glm_free_data(&data);
}

/* Views of components that lack an array. */
TEST(one_null, components)
{
    const double some[64] = { 1.0, 1.0, 1.0 };
    const size_t flat[1] = { 0 }, other[1] = { 1 };
    posterior_bases b = posterior_bases_new();
    bln_students v;
    bln_gaussians g;
    bln_group group = posterior_group(bln_kind_student(), &v, 1, some), normals = posterior_group(bln_kind_gaussian(), &g, 1, some);
    bln_posterior q = posterior_of(b.view + 1, 1, 1, bln_observe_noise(1), &group, 1);
    memset(&v, 0, sizeof v);
    v.n_flat = 1;
    v.n_free = 2;
    for (int k = 0; k < 11; k++) {
        bln_observe noise = bln_observe_noise(1);
        v.flat = flat;
        v.other = other;
        v.Uf = v.zf = v.W = v.scale = v.R = v.t = some;
        q.dof = 5.0;
        switch (k) {
        case 0: v.flat = NULL; break;
        case 1: v.Uf = NULL; break;
        case 2: v.zf = NULL; break;
        case 3: v.W = NULL; break;
        case 4: v.other = NULL; break;
        case 5: v.scale = NULL; break;
        case 6: v.R = NULL; break;
        case 7: v.t = NULL; break;
        case 8: noise.n_eta = 2; break;
        case 9: q.dof = BLNI_NAN; break;
        default: break;
        }
        q.observe = noise;
        CHECK((blni_students_check(&q, &group) == NULL) == (k == 10));
    }
    memset(&g, 0, sizeof g);
    q.dof = 0.0;
    for (int k = 0; k < 9; k++) {
        g.form = BLN_GAUSSIAN_FACTOR;
        g.m = g.s = g.R = some;
        g.n = g.k = 3;
        g.ldr = k == 0 ? 2 : 0;
        g.n_flat = k == 1;
        g.flat = NULL;
        if (k == 2) g.m = NULL;
        if (k == 3) g.s = NULL;
        if (k == 4) g.R = NULL;
        if (k == 5) g.form = (bln_gaussian_form)9;
        if (k == 6) g.k = 2;
        if (k == 7) g.n = 2;
        CHECK((blni_gaussians_check(&q, &normals) == NULL) == (k == 8));
    }
    posterior_bases_free(&b);
}

static bln_status one_null_sum(void *user, double *buf, size_t n) { (void)user; (void)buf; (void)n; return BLN_OK; }

/* Models of which there is no density, and no model of one row at a time. */
TEST(one_null, other_models)
{
    const double flat[2] = { 1.0, HUGE_VAL }, prior[2] = { 1.0, 1.0 };
    double y[24];
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = slm_make(12, 2, 5, 0), two = data, binary = glm_make("bernoulli_logit", 12, 5);
    bln_slm_density *sd = NULL;
    bln_glm_density *gd = NULL;
    bln_sequential *t = NULL;
    bln_statistics_desc sums = BLN_ZERO;
    bln_statistics *s = NULL;
    bln_report report;
    for (size_t i = 0; i < 24; i++) y[i] = data.y[i/2] + 0.2*(double)(i % 3);
    two.y = y;
    two.p = 2;
    for (int k = 0; k < 6; k++) {
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        if (k == 0) desc.n_outputs = 2;
        if (k == 1) desc.relative_prior = 1;
        if (k == 2) desc.allreduce = one_null_sum;
        if (k == 3) desc.theta_sd = HUGE_VAL;
        if (k == 4) {
            desc.fix_theta = desc.fix_noise_var = desc.fix_prior_var = 1;
            desc.noise_var = 0.3;
            desc.prior_var = prior;
        }
        bln_slm *slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_density_create(slm, k == 0 ? &two : &data, &sd, &report), k < 5 ? BLN_EINVAL : BLN_OK);
        CHECK_TEXT(report.text, k < 5 ? "slm_density: " : "");
        if (k == 0) {
            CHECK_OK(bln_slm_fit(slm, &two, NULL));
            CHECK_STATUS(bln_sequential_create_from(slm, &t, &report), BLN_EINVAL);
            CHECK_TEXT(report.text, "several outputs");
        }
        if (k == 5) {
            CHECK_OK(bln_slm_fit(slm, &data, NULL));
            CHECK_OK(bln_sequential_create_from(slm, &t, &report));
            CHECK_STATUS(bln_sequential_add(t, &two, NULL, NULL, NULL, &report), BLN_ESHAPE);
            CHECK_TEXT(report.text, "one output at a time");
            bln_sequential_free(t);
        }
        bln_slm_density_free(sd);
        sd = NULL;
        bln_slm_free(slm);
    }
    for (int k = 0; k < 3; k++) {
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        if (k == 0) { desc.prior_var = flat; desc.method = bln_glm_laplace(); }
        if (k == 1) desc.no_hyper_prior = 1;
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_density_create(glm, &binary, &gd, &report), k < 2 ? BLN_EINVAL : BLN_OK);
        CHECK_TEXT(report.text, k == 0 ? "flat prior" : k == 1 ? "without priors" : "");
        bln_glm_density_free(gd);
        gd = NULL;
        bln_glm_free(glm);
    }
    CHECK(bln_glm_density_of(NULL).eval == NULL);
    sums.basis = b;
    CHECK_OK(bln_statistics_create(&sums, &s, NULL));
    CHECK_STATUS(bln_statistics_add(s, &two, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_statistics_load(s, NULL), BLN_EINVAL);
    two = data;
    for (size_t i = 0; i < 12; i++) y[i] = 2.0;
    two.trials = y;
    CHECK_STATUS(bln_statistics_add(s, &two, &report), BLN_EINVAL);
    CHECK(bln_statistics_rows(s) == 0.0);
    bln_statistics_free(s);
    bln_basis_free(b);
    glm_free_data(&binary);
    slm_free_data(&data);
}

TEST(one_null, names_without_room)
{
    bln_basis *b = slm_parse("rbf:n=2", 2, 3);
    char text[4] = "abc";
    bln_basis_feature_name(b, 0, NULL, text, 0);
    bln_basis_param_name(b, 0, NULL, text, 0);
    bln_basis_slice_name(b, 0, NULL, text, 0);
    bln_input_name(NULL, 0, text, 0);
    CHECK(!strcmp(text, "abc"));
    bln_input_name(NULL, 3, text, sizeof text);
    CHECK(!strcmp(text, "x3"));
    bln_basis_free(b);
}

SUITE_BEGIN(one_null)
    SUITE_TEST(one_null, program)
    SUITE_TEST(one_null, slm_integrated)
    SUITE_TEST(one_null, objective_at)
    SUITE_TEST(one_null, components)
    SUITE_TEST(one_null, other_models)
    SUITE_TEST(one_null, names_without_room)
SUITE_END(one_null)
