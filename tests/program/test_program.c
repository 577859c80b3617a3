/* test_program: tables of parameters, names, starts, generated numbers, rows, clones; eight schools against quadrature */
#include "../test.h"
#include "tape_tools.h"

static const double schools_y[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, schools_sd[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };

static bln_status schools_model(bln_tape *t, const bln_var *p, void *user)
{
    const bln_var theta = bln_v_fma(t, p[1], p[2], p[0]);
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0.0), bln_c_num(t, 5.0));
    bln_lp_half_cauchy(t, p[1], bln_c_num(t, 5.0));
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, schools_y, 8), theta, bln_c_vec(t, schools_sd, 8));
    return BLN_OK;
}

static void schools_theta(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)user;
    for (int j = 0; j < 8; j++) out[j] = p[0][0] + p[1][0]*p[2][j];
    out[8] = bln_rng_normal(rng);
}

static const bln_program_parameter schools_parameters[] = {
    BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 0, 0, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE)
};

static bln_program_desc schools_desc(void)
{
    bln_program_desc d = BLN_ZERO;
    d.model = schools_model;
    d.parameters = schools_parameters;
    d.n_parameters = 3;
    d.n_rows = 8;
    d.parallel = 1;
    return d;
}

/* log p by hand at q = (mu, log tau, eta). */
static double schools_by_hand(const double *q)
{
    const double tau = exp(q[1]), log_2pi = log(2.0*3.14159265358979323846);
    double lp = -0.5*(q[0]*q[0]/25.0 + log_2pi) - log(5.0) + log(2.0/(3.14159265358979323846*5.0)) - log1p(tau*tau/25.0) + q[1];
    for (int j = 0; j < 8; j++) {
        const double z = (schools_y[j] - q[0] - tau*q[2 + j])/schools_sd[j];
        lp -= 0.5*(q[2 + j]*q[2 + j] + log_2pi + z*z + log_2pi) + log(schools_sd[j]);
    }
    return lp;
}

TEST(program, value_and_names)
{
    bln_program_desc desc = schools_desc();
    bln_program *program = NULL;
    bln_report report;
    double q[10], value, alone, gradient[10], worst, out[10], back[10], rows[8], sum = 0.0;
    char name[64];
    static const char *const names[] = { "mu", "tau", "eta[1]" };
    test_random r = test_random_new(1);
    CHECK_OK(bln_program_create(&desc, &program, &report));
    CHECK_TEXT(report.text, "");
    const bln_density d = bln_program_density(program);
    CHECK_SIZE(d.dim, 10);
    CHECK_SIZE(d.n_out, 10);
    test_fill_normal(&r, 10, q);
    CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
    CHECK_OK(d.eval(d.user, q, &alone, NULL, &report));
    CHECK_REL(value, schools_by_hand(q), 1e-14);
    CHECK(value == alone);
    CHECK_OK(bln_density_check(&d, q, &worst, &report));
    CHECK_LE(worst, 1e-9);
    for (size_t k = 0; k < 3; k++) { d.name(d.user, k, name, sizeof name); CHECK(!strcmp(name, names[k])); }
    d.output(d.user, q, 0, 0, out);
    CHECK(out[0] == q[0] && out[9] == q[9]);
    CHECK_REL(out[1], exp(q[1]), 1e-15);
    CHECK_OK(bln_program_unconstrain(program, out, back, &report));
    for (size_t k = 0; k < 10; k++) CHECK_GOLD(back[k], q[k], 1e-15);
    CHECK_OK(bln_program_pointwise(program, out, rows, &report));
    for (int j = 0; j < 8; j++) {
        const double z = (schools_y[j] - out[0] - out[1]*out[2 + j])/schools_sd[j];
        CHECK_GOLD(rows[j], bln_norm_logpdf(z) - log(schools_sd[j]), 1e-14);
        sum += rows[j];
    }
    CHECK_OK(d.eval(d.user, q, &value, NULL, &report));
    CHECK_GOLD(program->tape.target[BLNI_TERM_ROWS], sum, 1e-14);
    out[1] = -1.0;
    CHECK_STATUS(bln_program_unconstrain(program, out, back, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "tau is outside of its domain");
    CHECK_SIZE(report.column, 1);
    bln_program_free(program);
}

/* Exact: quadrature over log tau, mu and eta in closed form [programs 34]. 4 chains of 10000: within 5 standard errors. A
 * clone draws what the original draws: chains side by side and one after the other give the same bits. */
TEST(program, eight_schools)
{
    bln_program_desc desc = schools_desc();
    bln_chains *draws[2] = { NULL, NULL };
    bln_program *program = NULL;
    bln_report report;
    bln_summary s;
    desc.generate = schools_theta;
    desc.n_generate = 9;
    for (int parallel = 0; parallel < 2; parallel++) {
        bln_hmc_desc hmc = BLN_ZERO;
        desc.parallel = parallel;
        CHECK_OK(bln_program_create(&desc, &program, &report));
        hmc.density = bln_program_density(program);
        hmc.accept = 0.95;
        hmc.draws = parallel ? 10000 : 100;
        hmc.seed = 3;
        CHECK(!hmc.density.clone == !parallel);
        CHECK_OK(bln_hmc_sample(&hmc, draws + parallel, &report));
        if (!parallel) bln_program_free(program);
    }
    for (size_t k = 0; k < 4*100*bln_chains_columns(draws[0]); k++)
        CHECK(bln_chains_table(draws[0])[k] == bln_chains_table(draws[1])[k]);
    CHECK_OK(bln_chains_summary(draws[1], 0, &s, &report));
    CHECK_NEAR(s.mean, 4.396821, 5.0*s.mcse_mean);
    CHECK_NEAR(s.sd, 3.317704, 5.0*s.mcse_sd);
    CHECK_OK(bln_chains_summary(draws[1], 1, &s, &report));
    CHECK_NEAR(s.mean, 3.597705, 5.0*s.mcse_mean);
    CHECK_NEAR(s.sd, 3.219958, 5.0*s.mcse_sd);
    double log_tau = 0.0;
    const size_t columns = bln_chains_columns(draws[1]);
    for (size_t i = 0; i < 40000; i++) log_tau += log(bln_chains_table(draws[1])[i*columns + 1])/40000.0;
    CHECK_NEAR(log_tau, 0.802139, 5.0*1.2/sqrt(s.ess_bulk));
    CHECK(!strcmp(bln_chains_name(draws[1], 10), "generated[1]"));
    CHECK_OK(bln_chains_summary(draws[1], 18, &s, &report));     /* normals of generate's own */
    CHECK_NEAR(s.mean, 0.0, 5.0/200.0);
    CHECK_NEAR(s.sd, 1.0, 5.0/280.0);
    for (size_t i = 0; i < 40000; i += 997) {
        const double *row = bln_chains_table(draws[1]) + i*columns;
        CHECK(row[13] == row[0] + row[1]*row[5]);
    }
    /* Rows left out: against importance weights from the definition, unsmoothed where that makes no difference. */
    bln_elpd total;
    double elpd[8], k_hat[8];
    CHECK_OK(bln_program_loo(program, draws[1], elpd, k_hat, &total, &report));
    for (int j = 0; j < 8; j++) {
        double mean = 0.0;
        for (size_t i = 0; i < 40000; i++) {
            const double *row = bln_chains_table(draws[1]) + i*columns;
            const double z = (schools_y[j] - row[0] - row[1]*row[2 + j])/schools_sd[j];
            mean += schools_sd[j]/bln_norm_pdf(z)/40000.0;
        }
        CHECK_NEAR(elpd[j], -log(mean), 0.02);
        CHECK_LE(k_hat[j], 0.7 + 5.0*1.7/sqrt(600.0));           /* it is fitted to 600 ratios: standard error (1 + k)/sqrt(600) */
    }
    bln_chains_free(draws[0]);
    bln_chains_free(draws[1]);
    bln_program_free(program);
}

/* ---- a table of many domains, and starts */

static bln_status program_many(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    for (int k = 0; k < 4; k++) bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, p[k])));
    return BLN_OK;
}

/* A program keeps all constants, so that the evidence is that by quadrature. */
TEST(program, gaussian_in_its_place)
{
    bln_program_desc desc = schools_desc();
    bln_program *program = NULL;
    bln_advi_desc advi = BLN_ZERO;
    bln_pathfinder_desc path = BLN_ZERO;
    bln_advi *v = NULL;
    bln_pathfinder *f = NULL;
    desc.generate = schools_theta;
    desc.n_generate = 9;
    CHECK_OK(bln_program_create(&desc, &program, NULL));
    advi.density = path.density = bln_program_density(program);
    advi.draws = 20000;
    CHECK_OK(bln_advi_fit(&advi, &v, NULL));
    const bln_approximation *q = bln_advi_result(v);
    const size_t columns = bln_chains_columns(q->draws);
    const double *t = bln_chains_table(q->draws);
    CHECK_LE(-31.62 - 2.0*q->importance.elbo_se, q->importance.elbo);
    CHECK_NEAR(q->importance.log_evidence, -31.311347, 5.0*q->importance.log_evidence_se);
    CHECK_LE(q->importance.log_evidence_se, 0.015);
    CHECK(columns == 10 + 9 + 3 && !strcmp(bln_chains_name(q->draws, 1), "tau"));
    for (size_t i = 0; i < 20000; i++, t += columns)
        CHECK_NEAR(t[12], t[0] + t[1]*t[4], 1e-12*(1.0 + fabs(t[12])));            /* theta[3] */
    bln_advi_free(v);
    CHECK_OK(bln_pathfinder_fit(&path, &f, NULL));
    q = bln_pathfinder_result(f);
    CHECK(fabs(q->importance.log_evidence + 31.311347) < 3.0 && !q->importance.good);   /* too narrow a Gaussian, and it says so */
    CHECK_SIZE(bln_chains_columns(q->draws), columns);
    bln_pathfinder_free(f);
    bln_program_free(program);
}

TEST(program, starts_and_matrices)
{
    static const double half[2] = { 0.25, 0.75 }, omega[4] = { 1.0, 0.5, 0.5, 1.0 }, v[2] = { 1.0, 2.0 };
    bln_program_parameter table[4] = { BLN_PARAMETER_IN("a", 2, 1, INTERVAL, 0.0, 1.0), BLN_PARAMETER("Omega", 2, 2, CORRELATION),
                               BLN_PARAMETER("w", 2, 0, SIMPLEX), BLN_PARAMETER("v", 1, 2, FREE) };
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    double out[10];
    char name[64];
    table[0].start = half;
    table[1].start = omega;
    table[2].start = half;
    table[3].start = v;
    desc.model = program_many;
    desc.parameters = table;
    desc.n_parameters = 4;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    const bln_density d = bln_program_density(program);
    CHECK_SIZE(d.dim, 2 + 1 + 1 + 2);
    CHECK_SIZE(d.n_out, 2 + 4 + 2 + 2);
    d.output(d.user, bln_program_start(program), 0, 0, out);
    for (int k = 0; k < 2; k++) { CHECK_GOLD(out[k], half[k], 1e-15); CHECK_GOLD(out[6 + k], half[k],
                                                                                 1e-15); CHECK(out[8 + k] == v[k]); }
    for (int k = 0; k < 4; k++) CHECK_GOLD(out[2 + k], omega[k], 1e-15);
    d.name(d.user, 3, name, sizeof name);
    CHECK(!strcmp(name, "Omega[1,2]"));
    d.name(d.user, 9, name, sizeof name);
    CHECK(!strcmp(name, "v[1,2]"));
    double worst;
    CHECK_OK(bln_density_check(&d, bln_program_start(program), &worst, &report));
    CHECK_LE(worst, 1e-9);
    bln_program_free(program);
    program = NULL;
    table[2].start = v;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "w: its start is outside of its domain");
    CHECK(program == NULL);
}

/* ---- errors */

static int program_calls;
static bln_status program_unclean(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_std_normal(t, bln_v_shift(t, p[0], 0.001*program_calls++));
    return BLN_OK;
}
static bln_status program_choosy(bln_tape *t, const bln_var *p, void *user)         /* of a small part of its space only */
{
    (void)user;
    if (fabs(bln_v_value(t, p[0])) > 0.05) return BLN_EDOMAIN;
    bln_lp_std_normal(t, p[0]);
    return BLN_OK;
}

TEST(program, errors)
{
    bln_program_desc desc = schools_desc(), empty = BLN_ZERO;
    bln_program_parameter p[3];
    bln_program *program = NULL;
    bln_report report;
    double rows[8], q = 0.0, value;
    CHECK_TEXT(bln_program_check(NULL), "no desc");
    CHECK_TEXT(bln_program_check(&empty), "model");
    empty.model = schools_model;
    CHECK_TEXT(bln_program_check(&empty), "no parameters");
    memcpy(p, schools_parameters, sizeof p);
    desc.parameters = p;
    desc.n_generate = 3;
    CHECK_TEXT(bln_program_check(&desc), "generate");
    desc.n_generate = 0;
    p[1].name = "";
    CHECK_TEXT(bln_program_check(&desc), "name");
    p[1].name = "tau";
    p[1].constraint = BLN_CONSTRAINT_INTERVAL;
    p[1].lo = p[1].hi = 2.0;
    CHECK_TEXT(bln_program_check(&desc), "lo must be below hi");
    p[1].constraint = BLN_CONSTRAINT_SIMPLEX;
    p[1].cols = 2;
    CHECK_TEXT(bln_program_check(&desc), "vector");
    p[1].constraint = BLN_CONSTRAINT_COVARIANCE;
    p[1].cols = 2;
    p[1].rows = 3;
    CHECK_TEXT(bln_program_check(&desc), "square");
    p[1] = schools_parameters[1];
    p[2].rows = 7;                                               /* theta has 7, y has 8 */
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "bln_lp_normal (call 10): x has 8 elements, mean has 7");
    p[2].rows = 8;
    desc.n_rows = 7;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    double at[10] = { 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
    CHECK_STATUS(bln_program_pointwise(program, at, rows, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "more log densities of rows than n_rows");
    bln_program_free(program);
    desc.n_rows = 9;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    CHECK_STATUS(bln_program_pointwise(program, at, rows, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "fewer log densities");
    bln_program_free(program);
    program = NULL;
    CHECK_STATUS(tape_refused(program_unclean, NULL, 1, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "two evaluations at one point differ");
    program = tape_program(program_choosy, NULL, 1, &q, &report);
    CHECK(program != NULL);
    const bln_density d = bln_program_density(program);
    q = 1.0;
    CHECK_STATUS(d.eval(d.user, &q, &value, NULL, &report), BLN_EDOMAIN);            /* impossible, for samplers */
    CHECK_TEXT(report.text, "it returned BLN_EDOMAIN");
    CHECK_STATUS(bln_program_pointwise(program, &q, rows, &report), BLN_EINVAL);
    bln_program_free(program);
}

static void edge_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp)
{
    (void)l;
    (void)theta;
    for (size_t i = 0; i < n; i++) logp[i] = -0.5*(t->y[i] - f[i])*(t->y[i] - f[i])/0.7 - 0.5*log(2.0*3.14159265358979323846*0.7);
}
static void edge_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp,
                      double *d1, double *d2, double *d3)
{
    (void)l;
    (void)theta;
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - f[i])/sqrt(0.7);
        if (logp) logp[i] = -0.5*(z*z + log(2.0*3.14159265358979323846)) - log(sqrt(0.7));
        if (d1) d1[i] = z/sqrt(0.7);
        if (d2) d2[i] = -1.0/0.7;
        if (d3) d3[i] = 0.0;
    }
}
static void edge_moments(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                         double *mean, double *var)
{
    (void)l;
    (void)theta;
    (void)t;
    for (size_t i = 0; i < n; i++) { mean[i] = f[i]; var[i] = 0.7; }
}
static const double edge_far[2] = { 1e160, -1e160 }, edge_nan[1] = { BLNI_NAN }, edge_three[3] = { 0.5, -1.0, 2.0 };

/* One edge each; a standard normal of p[0] stands behind all. */
static bln_status edge_model(bln_tape *t, const bln_var *p, void *user)
{
    static bln_likelihood_ops ops;
    const bln_var zero = bln_c_num(t, 0.0), one = bln_c_num(t, 1.0), none = bln_c_vec(t, NULL, 0);
    bln_var forgotten = BLN_ZERO;
    bln_likelihood own = BLN_ZERO;
    bln_targets y = BLN_ZERO;
    bln_lp_std_normal(t, p[0]);
    switch (*(const int *)user) {
    case 0: bln_lp_dirichlet(t, none, bln_v_exp(t, p[0])); bln_lp_dirichlet(t, none, bln_v_slice(t, p[0], 0, 0)); break;
    case 1:                                                      /* two impossible ways, and one that is not */
        bln_v_log_add_exp(t, bln_v_logsumexp(t, bln_c_vec(t, edge_three, 3)), p[0]);
        break;
    case 2: bln_lp_normal(t, bln_c_vec(t, edge_far, 2), p[0], bln_c_num(t, 1e160)); break;
    case 3:
        ops.name = "edge";
        ops.logp = edge_logp;
        ops.eval = edge_eval;
        ops.moments = edge_moments;
        own.ops = &ops;
        y.y = edge_three;
        bln_lp_likelihood(t, &own, none, &y, bln_v_mul(t, bln_c_vec(t, edge_three, 3), p[0]));
        break;
    case 4: bln_lp_normal(t, p[0], zero, forgotten); break;
    case 5: bln_lp_multi_normal(t, p[0], zero, bln_c_mat(t, edge_nan, 1, 1)); break;
    case 6: bln_lp_multi_normal(t, bln_c_vec(t, edge_three, 3), p[0], one); break;
    default: bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, edge_nan, 1, 1, one, one);
    }
    return BLN_OK;
}

TEST(program, edges)
{
    static const double at[1] = { 0.3 };
    static const struct { bln_status status; const char *text; } refused[] = {
        { BLN_EINVAL, "bln_lp_normal" }, { BLN_EDATA, "bln_c_mat" }, { BLN_OK, "" }, { BLN_EDATA, "bln_v_kernel" }
    };
    bln_report report;
    for (int k = 0; k < 4; k++) CHECK_LE(tape_worst(edge_model, &k, 1, at), 1e-7);
    for (int k = 4; k < 8; k++) {
        if (refused[k - 4].status == BLN_OK) { CHECK_LE(tape_worst(edge_model, &k, 1, at), 1e-7); continue; }
        CHECK_STATUS(tape_refused(edge_model, &k, 1, at, &report), refused[k - 4].status);
        CHECK_TEXT(report.text, refused[k - 4].text);
    }
}

/* Names that cannot be, starts that are another matrix, draws of another program. */
TEST(program, mistaken_identities)
{
    static const char *const missing[2] = { "a", NULL };
    static const double lower[4] = { 2.0, 0.0, 1.0, 3.0 }, skew[4] = { 1.0, 0.5, -0.5, 1.0 };
    bln_program_desc desc = schools_desc();
    bln_program_parameter p[3], U = BLN_PARAMETER("U", 2, 0, COVARIANCE_FACTOR);
    bln_program *program = NULL;
    bln_chains_desc c = BLN_ZERO;
    bln_chains *draws = NULL;
    bln_report report;
    bln_elpd total;
    char name[10][16];
    const char *names[10];
    memcpy(p, schools_parameters, sizeof p);
    desc.parameters = p;
    desc.generate = schools_theta;
    desc.n_generate = 2;
    desc.generate_names = missing;
    CHECK_TEXT(bln_program_check(&desc), "generated number's name");
    desc = schools_desc();
    desc.parameters = p;
    p[2].name = "tau";
    CHECK_TEXT(bln_program_check(&desc), "same name");
    p[2].name = "eta";
    CHECK_OK(bln_program_create(&desc, &program, &report));
    for (size_t k = 0; k < 10; k++) {
        sprintf(name[k], "x%lu", (unsigned long)k);
        names[k] = name[k];
    }
    c.chains = 1;
    c.draws = 4;
    c.columns = 10;
    c.names = names;
    CHECK_OK(bln_chains_create(&c, &draws, &report));
    CHECK_STATUS(bln_program_loo(program, draws, NULL, NULL, &total, &report), BLN_ESHAPE);
    bln_chains_free(draws);
    bln_program_free(program);
    program = NULL;
    desc.parameters = &U;
    desc.n_parameters = 1;
    U.start = lower;
    CHECK(bln_program_create(&desc, &program, &report) != BLN_OK && !program);
    U.constraint = BLN_CONSTRAINT_COVARIANCE;
    U.start = skew;
    CHECK(bln_program_create(&desc, &program, &report) != BLN_OK && !program);
}

/* ---- models that change, and memory that ends */

/* Which evaluation is wrong, and how: 0 the value without a gradient, 1 all values after the first, 2 a gradient alone (at 0). */
typedef struct fickle { int how, calls; } fickle;
static bln_status program_fickle(bln_tape *t, const bln_var *p, void *user)
{
    fickle *f = (fickle *)user;
    const int call = f->calls++;
    bln_lp_std_normal(t, p[0]);
    if (f->how == 0 && call == 3) bln_lp_add(t, bln_c_num(t, 0.5));
    if (f->how == 1 && call > 0) bln_lp_add(t, bln_c_num(t, -HUGE_VAL));
    if (f->how == 2 && call == 2) bln_lp_add(t, p[0]);
    return BLN_OK;
}
static bln_status program_root(bln_tape *t, const bln_var *p, void *user)            /* |x|, as a root: at 0 it has no slope */
{
    (void)user;
    bln_lp_std_normal(t, p[0]);
    bln_lp_add(t, bln_v_sqrt(t, bln_v_square(t, p[0])));
    return BLN_OK;
}
static bln_status program_fails(bln_tape *t, const bln_var *p, void *user)           /* where the tape has failed already */
{
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0.0), bln_c_num(t, -1.0));
    return BLN_EIO;
}

TEST(program, not_the_same_twice)
{
    const double start = 0.0, one = 1.0;
    double value, gradient, scopes[1 + BLN_SCOPES];
    bln_report report;
    fickle f;
    for (f.how = 0; f.how < 3; f.how++) {
        f.calls = 0;
        CHECK_STATUS(tape_refused(program_fickle, &f, 1, &start, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "two evaluations at one point differ");
    }
    CHECK_STATUS(tape_refused(program_fails, NULL, 1, &start, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "sd must be > 0");                   /* the first failure, not BLN_EIO */
    bln_program *program = tape_program(program_root, NULL, 1, &one, &report);
    const bln_density d = bln_program_density(program);
    CHECK_OK(d.eval(d.user, &one, &value, &gradient, &report));
    CHECK_REL(value, 0.5 - 0.5*log(2.0*3.14159265358979323846), 1e-14);
    CHECK_OK(d.eval(d.user, &start, &value, &gradient, &report));
    CHECK(value != value);                                       /* samplers step back from there */
    CHECK_OK(d.eval(d.user, &start, &value, NULL, &report));
    CHECK_REL(value, -0.5*log(2.0*3.14159265358979323846), 1e-14);
    CHECK_OK(bln_program_scopes(program, &start, scopes, &report));
    CHECK_STATUS(bln_program_unconstrain(program, edge_nan, scopes, NULL), BLN_EDOMAIN);
    bln_program_free(program);
    const bln_density none = bln_program_density(NULL);
    CHECK(none.dim == 0 && none.eval == NULL);
}

/* More classes of rows than n_rows are refused at the first too many, and nothing is written behind; empty terms are no rows. */
static bln_status program_classes(bln_tape *t, const bln_var *p, void *user)
{
    static const double y[4] = { 0.0, 1.0, 1.0, 0.0 };
    (void)user;
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    bln_lp_add(t, bln_v_slice(t, p[0], 0, 0));
    bln_lp_categorical_logit(t, bln_c_vec(t, y, 4), p[0]);
    return BLN_OK;
}
TEST(program, rows_of_classes)
{
    static const double q[2] = { 0.4, -0.3 };
    double rows[5] = { 9.0, 9.0, 9.0, 9.0, 9.0 };
    bln_report report;
    bln_program *program = tape_program(program_classes, NULL, 2, q, &report);
    program->desc.n_rows = 2;
    CHECK_STATUS(bln_program_pointwise(program, q, rows, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "more log densities of rows than n_rows");
    CHECK(rows[2] == 9.0 && rows[3] == 9.0);
    program->desc.n_rows = 4;
    CHECK_OK(bln_program_pointwise(program, q, rows, &report));
    for (int i = 0; i < 4; i++) CHECK_REL(rows[i], (i % 3 ? -0.3 : 0.4) - log(exp(0.4) + exp(-0.3)), 1e-14);
    CHECK(rows[4] == 9.0);
    bln_program_free(program);
}

/* A simplex of one number has nothing that is free. */
TEST(program, names_and_no_coordinates)
{
    static const char *const names[2] = { "first", "second" };
    bln_program_parameter s = BLN_PARAMETER("s", 1, 1, SIMPLEX);
    bln_program_desc desc = schools_desc();
    bln_program *program = NULL;
    bln_report report;
    char name[16];
    desc.generate = schools_theta;
    desc.n_generate = 2;
    desc.generate_names = names;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    const bln_density d = bln_program_density(program);
    for (size_t k = 0; k < 2; k++) {
        d.name(d.user, 10 + k, name, sizeof name);
        CHECK(!strcmp(name, names[k]));
    }
    bln_program_free(program);
    program = NULL;
    desc.parameters = &s;
    desc.n_parameters = 1;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no free coordinates");
    CHECK(program == NULL);
}

/* A vector on a domain of its own, whose memory comes first, and a matrix. */
static bln_status program_domains(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_add(t, bln_v_scale(t, -1.0, p[0]));
    bln_lp_std_normal(t, p[1]);
    bln_data_term(t);
    bln_lp_std_normal(t, bln_v_elem(t, p[0], 0));
    return BLN_OK;
}

/* Every allocation of a program, of its clone, and of what is asked of it fails in turn. */
TEST(program, memory)
{
    static const double p[130] = { 1.0 };
    const bln_program_parameter table[2] = { BLN_PARAMETER("x", 100, 1, POSITIVE), BLN_PARAMETER("M", 5, 6, FREE) };
    bln_program_desc desc = BLN_ZERO;
    bln_chains_desc c = BLN_ZERO;
    bln_chains *draws = NULL;
    test_heap h;
    char name[130][BLNI_CHAINS_NAME];
    const char *names[130];
    double log_p;
    desc.model = program_domains;
    desc.parameters = table;
    desc.n_parameters = 2;
    desc.n_rows = 1;
    desc.parallel = 1;
    desc.alloc = test_heap_allocator(&h);
    for (int what = 0; what < 4; what++)
        for (size_t fail = 0, more = 1; more; fail++) {
            bln_program *program = NULL;
            bln_report report;
            bln_status status = BLN_OK;
            bln_elpd total;
            void *copy = NULL;
            h.fail_at = what == 0 ? fail : (size_t)-1;
            h.calls = 0;
            const bln_status created = bln_program_create(&desc, &program, &report);
            if (created == BLN_OK) {
                const bln_density d = bln_program_density(program);
                for (size_t k = 0; k < 130 && !draws; k++) {
                    d.name(d.user, k, name[k], sizeof name[k]);
                    names[k] = name[k];
                }
                if (!draws) {
                    c.chains = 1;
                    c.draws = 2;
                    c.columns = 130;
                    c.names = names;
                    CHECK_OK(bln_chains_create(&c, &draws, &report));
                    for (int k = 0; k < 2; k++) CHECK_OK(bln_chains_add(draws, p, &report));
                }
                if (what >= 2) {                                  /* as a tape that has not grown yet */
                    blni_tape_release(&program->tape);
                    program->tape.val = NULL;
                    program->tape.val_room = program->tape.adj_room = program->tape.aux_room = program->tape.cell_room = 0;
                    program->tape.outside_room = program->tape.shape_room = 0;
                    program->tape.adj = program->tape.aux = NULL;
                    program->tape.cell = NULL;
                    program->tape.outside = NULL;
                    program->tape.shape = NULL;
                }
                h.calls = 0;
                h.fail_at = what ? fail : (size_t)-1;
                if (what == 1) status = d.clone(d.user, NULL, &copy);
                if (what == 2) status = bln_program_pointwise(program, p, &log_p, &report);
                if (what == 3) status = bln_program_loo(program, draws, NULL, NULL, &total, &report);
                h.fail_at = (size_t)-1;
                if (what == 1 && status == BLN_OK) d.release(copy);
            } else status = created;
            CHECK(status == BLN_OK || status == BLN_ENOMEM);
            more = status != BLN_OK;
            bln_program_free(program);
            CHECK_SIZE(h.live, 0);
            if (!more) CHECK(fail > (what == 3 ? 3u : 2u));
        }
    bln_chains_free(draws);
}

/* b is read by way `user` alone: 0, not at all; 1, by a cell of scalars; 2, by the third operand of one; 3, by a node; 4, by rows;
 * 5, by rows of which one fails; 6, by a term that has bounds; 7, by rows of which one fails
 * and makes a mistake before, which is what is said. */
static bln_status program_square(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    if (i == 7 && user && *(const int *)user == 7) bln_v_elem(t, in[0], 1);
    if (i == 7 && user) return BLN_EDATA;
    bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, in[0])));
    return BLN_OK;
}
static bln_status program_reads(bln_tape *t, const bln_var *p, void *user)
{
    const int way = *(const int *)user;
    bln_lp_std_normal(t, p[0]);
    if (way == 1) bln_lp_add(t, bln_v_sub(t, bln_c_num(t, 1.0), p[1]));
    if (way == 2) bln_lp_add(t, bln_v_fma(t, p[0], p[0], p[1]));
    if (way == 3) bln_lp_std_normal(t, bln_v_concat(t, p, 2));
    if (way == 6) bln_lp_add(t, bln_v_sigmoid(t, p[1]));
    if (way == 4 || way == 5 || way == 7) bln_lp_rows(t, 9, program_square, p + 1, 1, way > 4 ? user : NULL);
    return BLN_OK;
}
TEST(program, what_no_term_reads)
{
    static const bln_constraint of[] = { BLN_CONSTRAINT_FREE, BLN_CONSTRAINT_POSITIVE, BLN_CONSTRAINT_UPPER,
                                         BLN_CONSTRAINT_INTERVAL };
    bln_program_parameter p[2] = { BLN_PARAMETER("a", 1, 1, FREE), BLN_PARAMETER_IN("b", 1, 1, FREE, 0.0, 1.0) };
    for (int way = 0; way < 8; way++)
        for (size_t k = 0; k < sizeof of/sizeof *of; k++) {
            bln_program_desc desc = schools_desc();
            bln_program *program = NULL;
            bln_report report;
            desc.model = program_reads;
            desc.user = &way;
            desc.parameters = p;
            desc.n_parameters = 2;
            p[1].constraint = of[k];
            const bln_status status = bln_program_create(&desc, &program, &report);
            CHECK_STATUS(status, way == 5 ? BLN_EDATA : way == 7 ? BLN_ESHAPE : way == 0 && k < 3 ? BLN_EINVAL : BLN_OK);
            if (way == 5) CHECK(report.row == 7 && strstr(report.text, "BLN_EDATA of row 7"));
            if (status == BLN_EINVAL) {
                CHECK_TEXT(report.text, "program: b: no term of the density depends on it");
                CHECK(report.column == 1);
            }
            bln_program_free(program);
        }
}

/* A density has one value at a place, with its gradient and without; it is 0 where a parameter is beyond the doubles. */
TEST(program, parameters_that_overflow)
{
    static const bln_program_parameter p[2] = { BLN_PARAMETER("a", 1, 1, FREE), BLN_PARAMETER("b", 1, 1, POSITIVE) };
    bln_program_desc desc = schools_desc();
    bln_program *program = NULL;
    bln_report report;
    int way = 6;
    desc.model = program_reads;
    desc.user = &way;
    desc.parameters = p;
    desc.n_parameters = 2;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    const bln_density d = bln_program_density(program);
    for (int k = 0; k < 3; k++) {
        const double q[2] = { 0.5, k == 0 ? 3.0 : k == 1 ? 709.0 : 710.0 };
        double value, alone, gradient[2];
        CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
        CHECK_OK(d.eval(d.user, q, &alone, NULL, &report));
        CHECK(value == alone);
        CHECK(k < 2 ? value > -HUGE_VAL : value == -HUGE_VAL);
    }
    bln_program_free(program);
}

/* Reports say which parameter; names in __ are those of samplers' columns. */
TEST(program, which_parameter)
{
    bln_program_parameter p[3];
    bln_program_desc desc = schools_desc();
    bln_program *program = NULL;
    bln_report report;
    memcpy(p, schools_parameters, sizeof p);
    desc.parameters = p;
    p[2].constraint = BLN_CONSTRAINT_INTERVAL;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "program: eta: lo must be below hi");
    CHECK(report.column == 2);
    memcpy(p, schools_parameters, sizeof p);
    p[1].name = "lp__";
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "ends in __");
    desc.parameters = NULL;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no parameters");
    desc.parameters = p;
    p[1].name = "_";
    CHECK(bln_program_check(&desc) == NULL);
    p[1].name = "lp_";
    CHECK(bln_program_check(&desc) == NULL);
    p[1].name = "a_b";
    CHECK(bln_program_check(&desc) == NULL);
}

SUITE_BEGIN(program)
SUITE_TEST(program, what_no_term_reads)
SUITE_TEST(program, parameters_that_overflow)
SUITE_TEST(program, which_parameter)
SUITE_TEST(program, not_the_same_twice)
SUITE_TEST(program, rows_of_classes)
SUITE_TEST(program, names_and_no_coordinates)
SUITE_TEST(program, memory)
SUITE_TEST(program, value_and_names)
SUITE_TEST(program, eight_schools)
SUITE_TEST(program, gaussian_in_its_place)
SUITE_TEST(program, starts_and_matrices)
SUITE_TEST(program, errors)
SUITE_TEST(program, edges)
SUITE_TEST(program, mistaken_identities)
SUITE_END(program)
