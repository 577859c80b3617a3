/* descs: every rule of every desc is broken alone, in a desc that is fine but for that: its _check says so, in words of the field.
 * A number has four ways of being wrong: too small, infinite either way, and none. */
#include "../test.h"
#include "../glm/glm_tools.h"

static bln_allocator descs_half(void) { bln_allocator a = BLN_ZERO; a.alloc = test_heap_alloc; return a; }

/* The change must make a good desc `d`, whose check is `asked`, a bad one, and `words` must be in the reason. */
#define BROKEN(good, asked, change, words) do { \
        d = (good); CHECK(!(asked)); change; CHECK((asked) != NULL); CHECK_TEXT((asked), words); } while (0)
/* low: the first number that is too small. */
#define BROKEN_NUMBER(good, asked, field, low, words) do { \
        BROKEN(good, asked, d.field = (low), words); BROKEN(good, asked, d.field = -HUGE_VAL, words); \
        BROKEN(good, asked, d.field = HUGE_VAL, words); BROKEN(good, asked, d.field = BLNI_NAN, words); } while (0)

static bln_status descs_sum(void *user, double *buf, size_t n) { (void)user; (void)buf; (void)n; return BLN_OK; }

TEST(descs, slm)
{
    const double prior[2] = { 2.0, 0.5 }, below[2] = { 2.0, -1.0 }, none[2] = { NAN, 1.0 };
    const double flat[2] = { 1.0, HUGE_VAL };
    static const double theta[1] = { 1.5 }, outside[1] = { -1.0 }, cov[4] = { 1.0, 0.2, 0.2, 1.0 };
    double bad[4];
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_basis_ops ops;
    bln_basis bare = glm_table(&ops);
    bln_basis wrong = *b;
    bln_slm_desc d, good = slm_desc(b, BLN_SLM_AUTO), two;
    ops.pullback = NULL;
    wrong.D = 0;
    BROKEN(good, bln_slm_check(&d), d.basis = NULL, "basis is NULL");
    BROKEN(good, bln_slm_check(&d), d.basis = &wrong, "basis");
    BROKEN_NUMBER(good, bln_slm_check(&d), noise_var, -1.0, "noise_var");
    BROKEN(good, bln_slm_check(&d), d.theta_sd = -1.0, "theta_sd");
    BROKEN(good, bln_slm_check(&d), d.theta_sd = BLNI_NAN, "theta_sd");
    BROKEN(good, bln_slm_check(&d), d.tolerance = -1.0, "tolerance");
    BROKEN(good, bln_slm_check(&d), d.tolerance = BLNI_NAN, "tolerance");
    BROKEN(good, bln_slm_check(&d), d.alloc = descs_half(), "allocator");
    BROKEN(good, bln_slm_check(&d), d.basis = &bare, "pullback");
    BROKEN(good, bln_slm_check(&d), d.prior_var = below, "prior variances");
    BROKEN(good, bln_slm_check(&d), d.prior_var = none, "prior variances");
    BROKEN(good, bln_slm_check(&d), d.theta = outside, "theta outside");
    BROKEN(good, bln_slm_check(&d), d.form = (bln_slm_form)9, "form");
    BROKEN(good, bln_slm_check(&d), d.sigma = (bln_slm_sigma)9, "sigma");
    BROKEN(good, bln_slm_check(&d), d.arithmetic = (bln_slm_arithmetic)9, "arithmetic");
    BROKEN(good, bln_slm_check(&d), d.relevance = (bln_slm_relevance_prior)9, "relevance");
    BROKEN(good, bln_slm_check(&d), d.residual = (bln_slm_residual)9, "residual");
    BROKEN(good, bln_slm_check(&d), d.optimiser = (bln_slm_optimiser)9, "optimiser");
    BROKEN(good, bln_slm_check(&d), d.optimiser = BLN_SLM_EM, "set fix_theta");
    BROKEN(good, bln_slm_check(&d), d.fix_prior_var = 1, "need prior_var");
    BROKEN(good, bln_slm_check(&d), d.fix_given_var = 1, "need prior_var");
    BROKEN(good, bln_slm_check(&d), d.fix_noise_var = 1, "fix_noise_var");
    BROKEN(good, bln_slm_check(&d), d.relevance = BLN_SLM_RELEVANCE_HALF_CAUCHY, "half-Cauchy");
    BROKEN(good, bln_slm_check(&d), (d.form = BLN_SLM_DUAL, d.prior_var = flat), "flat");
    BROKEN(good, bln_slm_check(&d), (d.form = BLN_SLM_DUAL, d.arithmetic = BLN_SLM_QR), "primal");
    BROKEN(good, bln_slm_check(&d), (d.form = BLN_SLM_DUAL, d.arithmetic = BLN_SLM_EXACT), "primal");
    BROKEN(good, bln_slm_check(&d), (d.form = BLN_SLM_DUAL, d.allreduce = descs_sum), "primal");
    BROKEN(good, bln_slm_check(&d), (d.arithmetic = BLN_SLM_QR, d.allreduce = descs_sum), "QR");
    good = slm_desc(b, BLN_SLM_AUTO);
    good.warm_start = 1;
    good.noise_var = 0.3;
    good.prior_var = prior;
    good.theta = theta;
    BROKEN(good, bln_slm_check(&d), d.noise_var = 0.0, "warm_start");
    BROKEN(good, bln_slm_check(&d), d.prior_var = NULL, "warm_start");
    BROKEN(good, bln_slm_check(&d), d.theta = NULL, "warm_start");
    two = slm_desc(b, BLN_SLM_AUTO);
    two.n_outputs = 2;
    two.sigma = BLN_SLM_CORRELATED;
    two.relative_prior = 1;
    two.fix_noise_var = 1;
    two.noise_cov = bad;
    memcpy(bad, cov, sizeof bad);
    BROKEN(two, bln_slm_check(&d), d.fix_noise_var = 0, "fix_noise_var");
    for (size_t k = 0; k < 3; k++) {
        const double values[3] = { HUGE_VAL, -1.0, NAN };
        memcpy(bad, cov, sizeof bad);
        d = two;
        bad[3] = values[k];
        CHECK_TEXT(bln_slm_check(&d), "noise_cov");
        memcpy(bad, cov, sizeof bad);
        bad[1] = values[k];
        if (k != 1) CHECK_TEXT(bln_slm_check(&d), "noise_cov");
    }
    bln_basis_free(b);
}

TEST(descs, slm_integrated)
{
    const double below[2] = { 2.0, -1.0 }, theta[1] = { HUGE_VAL };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3), *many = slm_parse("bias + linear + rbf:n=2 + rbf:n=3", 2, 3);
    bln_basis wrong = *b;
    bln_slm_integrated_desc d, good = BLN_ZERO;
    good.basis = b;
    wrong.D = 0;
    BROKEN(good, bln_slm_integrated_check(&d), d.basis = NULL, "basis is NULL");
    BROKEN(good, bln_slm_integrated_check(&d), d.basis = &wrong, "basis");
    BROKEN(good, bln_slm_integrated_check(&d), d.basis = many, "three ratios");
    BROKEN(good, bln_slm_integrated_check(&d), d.ratio = below, "ratios");
    BROKEN(good, bln_slm_integrated_check(&d), d.theta = theta, "theta");
    BROKEN_NUMBER(good, bln_slm_integrated_check(&d), prior_scale, -1.0, "prior_scale");
    BROKEN_NUMBER(good, bln_slm_integrated_check(&d), noise_a, -1.0, "noise_a");
    BROKEN_NUMBER(good, bln_slm_integrated_check(&d), noise_b, -1.0, "noise_b");
    BROKEN(good, bln_slm_integrated_check(&d), d.nodes = 7, "8 nodes");
    BROKEN(good, bln_slm_integrated_check(&d), d.arithmetic = (bln_slm_arithmetic)9, "arithmetic");
    BROKEN(good, bln_slm_integrated_check(&d), d.alloc = descs_half(), "allocator");
    good.arithmetic = BLN_SLM_QR;
    CHECK(!bln_slm_integrated_check(&good));
    bln_basis_free(b);
    bln_basis_free(many);
}

TEST(descs, sequential)
{
    static const double prior[2] = { 2.0, 0.5 }, below[2] = { 2.0, -1.0 }, outside[1] = { -1.0 };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_basis wrong = *b;
    bln_sequential_desc d, good = BLN_ZERO;
    wrong.D = 0;
    good.basis = b;
    good.noise_var = 0.3;
    good.prior_var = prior;
    CHECK_SIZE(bln_sequential_defaults(NULL).block, bln_sequential_defaults(&good).block);
    BROKEN(good, bln_sequential_check(&d), d.basis = NULL, "basis is NULL");
    BROKEN(good, bln_sequential_check(&d), d.basis = &wrong, "basis");
    BROKEN_NUMBER(good, bln_sequential_check(&d), noise_var, 0.0, "noise_var");
    BROKEN(good, bln_sequential_check(&d), d.prior_var = NULL, "prior_var");
    BROKEN(good, bln_sequential_check(&d), d.prior_var = below, "prior variances");
    BROKEN(good, bln_sequential_check(&d), d.residual = (bln_slm_residual)9, "residual");
    BROKEN(good, bln_sequential_check(&d), d.theta = outside, "theta");
    BROKEN(good, bln_sequential_check(&d), d.alloc = descs_half(), "allocator");
    d = good;
    d.basis = NULL;
    CHECK(bln_sequential_size(NULL, 5) == (size_t)-1 && bln_sequential_size(&d, 5) == (size_t)-1);
    bln_basis_free(b);
}

static const char *descs_statistics(const bln_statistics_desc *desc)
{
    static bln_report report;
    bln_statistics *t = NULL;
    const bln_status status = bln_statistics_create(desc, &t, &report);
    bln_statistics_free(t);
    CHECK(status == BLN_OK || status == BLN_EINVAL);
    return status == BLN_OK ? NULL : report.text;
}

TEST(descs, statistics)
{
    const double theta[1] = { NAN };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_statistics_desc d, good = BLN_ZERO;
    good.basis = b;
    BROKEN(good, descs_statistics(&d), d.basis = NULL, "basis is NULL");
    BROKEN(good, descs_statistics(&d), d.theta = theta, "theta");
    BROKEN(good, descs_statistics(&d), (d.exact = 1, d.qr = 1), "exact or qr");
    BROKEN(good, descs_statistics(&d), d.alloc = descs_half(), "allocator");
    bln_basis_free(b);
}

TEST(descs, glm)
{
    const double below[2] = { 2.0, -1.0 }, zero[2] = { 1.0, 0.0 }, flat[2] = { 1.0, HUGE_VAL }, outside[1] = { -1.0 };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_basis_ops ops;
    bln_basis bare = glm_table(&ops);
    const bln_basis *list[2];
    bln_glm_desc d, good = glm_desc(b, bln_likelihood_negative_binomial());
    ops.pullback = NULL;
    list[0] = list[1] = b;
    BROKEN(good, bln_glm_check(&d), d.basis = NULL, "basis is NULL");
    BROKEN(good, bln_glm_check(&d), memset(&d.likelihood, 0, sizeof d.likelihood), "likelihood");
    BROKEN(good, bln_glm_check(&d), d.bases = list, "several latents");
    BROKEN(good, bln_glm_check(&d), d.basis = &bare, "pullback");
    BROKEN(good, bln_glm_check(&d), d.fix_prior_var = 1, "fix_prior_var");
    BROKEN(good, bln_glm_check(&d), d.prior_var = below, "prior variances");
    BROKEN(good, bln_glm_check(&d), (d.prior_var = zero, d.fix_prior_var = 1), "must be > 0");
    BROKEN(good, bln_glm_check(&d), (d.prior_var = flat, d.method = bln_glm_full(NULL)), "flat");
    BROKEN(good, bln_glm_check(&d), d.theta = outside, "theta");
    BROKEN(good, bln_glm_check(&d), d.likelihood_theta = outside, "likelihood_theta");
    BROKEN(good, bln_glm_check(&d), d.theta_sd = -1.0, "theta_sd");
    BROKEN(good, bln_glm_check(&d), d.theta_sd = BLNI_NAN, "theta_sd");
    BROKEN(good, bln_glm_check(&d), d.tolerance = -1.0, "tolerance");
    BROKEN(good, bln_glm_check(&d), d.tolerance = BLNI_NAN, "tolerance");
    BROKEN(good, bln_glm_check(&d), d.alloc = descs_half(), "allocator");
    good = glm_desc(b, bln_likelihood_categorical(2));
    list[1] = NULL;
    BROKEN(good, bln_glm_check(&d), (d.basis = NULL, d.bases = list), "basis is NULL");
    BROKEN(good, bln_glm_check(&d), d.method = bln_glm_mixture(NULL), "one latent only");
    bln_basis_free(b);
}

static bln_status descs_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)user; (void)report;
    *value = -0.5*q[0]*q[0];
    gradient[0] = -q[0];
    return BLN_OK;
}
static bln_status descs_clone(void *user, const bln_allocator *alloc, void **out) { (void)alloc; *out = user; return BLN_OK; }

static bln_density descs_density(void)
{
    bln_density density = BLN_ZERO;
    density.dim = 1;
    density.eval = descs_eval;
    return density;
}

TEST(descs, samplers)
{
    static const double metric[1] = { 1.0 };
    {
        bln_hmc_desc d, good = BLN_ZERO;
        good.density = descs_density();
        BROKEN(good, bln_hmc_check(&d), d.density.dim = 0, "dim");
        BROKEN(good, bln_hmc_check(&d), d.density.eval = NULL, "eval");
        BROKEN(good, bln_hmc_check(&d), d.density.n_out = 1, "n_out");
        BROKEN(good, bln_hmc_check(&d), d.density.clone = descs_clone, "clone");
        BROKEN(good, bln_hmc_check(&d), d.method = (bln_hmc_method)9, "method");
        BROKEN(good, bln_hmc_check(&d), d.metric = (bln_metric)9, "metric");
        BROKEN_NUMBER(good, bln_hmc_check(&d), accept, -1.0, "accept");
        BROKEN_NUMBER(good, bln_hmc_check(&d), step, -1.0, "step");
        BROKEN_NUMBER(good, bln_hmc_check(&d), radius, -1.0, "radius");
        BROKEN(good, bln_hmc_check(&d), d.jitter = 1.0, "jitter");
        BROKEN(good, bln_hmc_check(&d), d.jitter = BLNI_NAN, "jitter");
        BROKEN(good, bln_hmc_check(&d), d.max_depth = 31, "max_depth");
        BROKEN(good, bln_hmc_check(&d), d.chains = (size_t)1 << 20, "chains");
        BROKEN(good, bln_hmc_check(&d), (d.metric = BLN_METRIC_UNIT, d.inverse_metric = metric), "unit metric");
        BROKEN(good, bln_hmc_check(&d), d.alloc = descs_half(), "allocator");
        good.jitter = -1.0;
        CHECK(bln_hmc_defaults(&good).jitter == 0.0 && !bln_hmc_check(&good));
    }
    {
        bln_pathfinder_desc d, good = BLN_ZERO;
        good.density = descs_density();
        BROKEN(good, bln_pathfinder_check(&d), d.density.dim = 0, "dim");
        BROKEN(good, bln_pathfinder_check(&d), d.paths = (size_t)1 << 20, "paths");
        BROKEN(good, bln_pathfinder_check(&d), d.memory = 1001, "memory");
        BROKEN_NUMBER(good, bln_pathfinder_check(&d), radius, -1.0, "radius");
        BROKEN(good, bln_pathfinder_check(&d), d.alloc = descs_half(), "allocator");
    }
    {
        bln_advi_desc d, good = BLN_ZERO;
        good.density = descs_density();
        BROKEN(good, bln_advi_check(&d), d.density.dim = 0, "dim");
        BROKEN(good, bln_advi_check(&d), d.family = (bln_advi_family)9, "family");
        BROKEN(good, bln_advi_check(&d), d.method = (bln_advi_method)9, "method");
        BROKEN(good, bln_advi_check(&d), d.rank = 1, "rank");
        BROKEN(good, bln_advi_check(&d), (d.family = BLN_ADVI_LOW_RANK, d.rank = 2), "rank");
        BROKEN(good, bln_advi_check(&d), (d.method = BLN_ADVI_FIXED_NOISE, d.noise = 3), "even");
        BROKEN(good, bln_advi_check(&d), d.batch = 4, "batch");
        BROKEN(good, bln_advi_check(&d), d.steps = (bln_sgd_method)99, "steps");
        BROKEN_NUMBER(good, bln_advi_check(&d), rate, -1.0, "rate");
        BROKEN_NUMBER(good, bln_advi_check(&d), scale, -1.0, "scale");
        BROKEN(good, bln_advi_check(&d), d.alloc = descs_half(), "allocator");
    }
}

static bln_status descs_model(bln_tape *t, const bln_var *p, void *user) { (void)user; bln_lp_std_normal(t, p[0]); return BLN_OK; }
static void descs_generate(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng; (void)user;
    out[0] = p[0][0];
}

TEST(descs, program)
{
    const double powers[3][BLN_SCOPES] = { { -1.0 }, { HUGE_VAL }, { 1.0, NAN } };
    static const char *const unnamed[1] = { NULL }, *const empty[1] = { "" }, *const line[1] = { "a\rb" };
    char long_name[202];
    const double X[4] = { 1.0, 2.0, 3.0, 4.0 };
    bln_data rows = slm_view(2, 2, X, X), data;
    bln_data_reader reader;
    const bln_source whole = bln_source_of(&rows, &reader);
    bln_source source;
    bln_program_parameter two[2] = { BLN_PARAMETER("x", 2, 1, FREE), BLN_PARAMETER("y", 1, 1, FREE) }, p[2];
    bln_program_desc d, good = BLN_ZERO;
    memset(long_name, 'a', sizeof long_name);
    long_name[201] = '\0';
    good.model = descs_model;
    good.parameters = p;
    good.n_parameters = 2;
#define PARAMETER(change, words) do { memcpy(p, two, sizeof p); BROKEN(good, bln_program_check(&d), change, words); } while (0)
    PARAMETER(d.model = NULL, "model");
    PARAMETER(d.parameters = NULL, "no parameters");
    PARAMETER(d.n_parameters = 0, "no parameters");
    PARAMETER(d.n_generate = 1, "generate");
    PARAMETER(d.generate = descs_generate, "generate");
    PARAMETER(d.alloc = descs_half(), "allocator");
    PARAMETER(p[1].name = NULL, "name");
    PARAMETER(p[1].name = "", "name");
    PARAMETER(p[1].name = "a\nb", "name");
    PARAMETER(p[1].name = long_name, "name");
    PARAMETER(p[1].name = "x", "same name");
    PARAMETER(p[1].scope = BLN_SCOPES + 1, "scopes");
    PARAMETER(p[1].constraint = (bln_constraint)99, "constraint");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_LOWER, p[1].lo = -HUGE_VAL), "lo is not finite");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_UPPER, p[1].hi = HUGE_VAL), "hi is not finite");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_INTERVAL, p[1].lo = BLNI_NAN, p[1].hi = 1.0), "lo is not finite");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_INTERVAL, p[1].lo = 0.0, p[1].hi = BLNI_NAN), "hi is not finite");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_INTERVAL, p[1].lo = 2.0, p[1].hi = 2.0), "below hi");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_INTERVAL, p[1].lo = -1e308, p[1].hi = 1.7e308), "below hi");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_SIMPLEX, p[1].rows = 2, p[1].cols = 2), "vector");
    PARAMETER((p[1].constraint = BLN_CONSTRAINT_COVARIANCE, p[1].rows = 2, p[1].cols = 3), "square");
    PARAMETER((p[1].rows = (size_t)1 << 20, p[1].cols = (size_t)1 << 20), "too large");
    for (size_t k = 0; k < 3; k++) PARAMETER(d.power = powers[k], "powers");
    good.generate = descs_generate;
    good.n_generate = 1;
    PARAMETER(d.generate_names = unnamed, "generated");
    PARAMETER(d.generate_names = empty, "generated");
    PARAMETER(d.generate_names = line, "generated");
    PARAMETER((d.data = &rows, d.source = &whole), "exclude");
    PARAMETER((data = rows, data.n = 0, d.data = &data), "without rows");
    PARAMETER((data = rows, data.ldx = 3, d.data = &data), "gaps");
    PARAMETER((data = rows, data.ldy = 2, d.data = &data), "gaps");
    PARAMETER((data = rows, data.offset = X, data.ldoffset = 2, d.data = &data), "gaps");
    PARAMETER((source = whole, source.reset = NULL, d.source = &source), "reset");
    PARAMETER((source = whole, source.next = NULL, d.source = &source), "next");
    PARAMETER((d.source = &whole, d.n_rows = 2), "n_rows");
    data = rows;
    data.ldx = 2;
    data.offset = X;
    good.data = &data;
    CHECK(!bln_program_check(&good));
    blni_space nothing = { BLN_CONSTRAINT_FREE, 0, 1, 0.0, 0.0 };
    CHECK_TEXT(blni_space_reason(&nothing), "no elements");
    nothing.rows = 1;
    nothing.cols = 0;
    CHECK_TEXT(blni_space_reason(&nothing), "no elements");
#undef PARAMETER
}

SUITE_BEGIN(descs)
    SUITE_TEST(descs, slm)
    SUITE_TEST(descs, slm_integrated)
    SUITE_TEST(descs, sequential)
    SUITE_TEST(descs, statistics)
    SUITE_TEST(descs, glm)
    SUITE_TEST(descs, samplers)
    SUITE_TEST(descs, program)
SUITE_END(descs)
