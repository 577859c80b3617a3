/* test_slm_edges - where the linear model's ways part: parameters of every kind and ends of their ranges, points without a value,
 * bases that give their kernel, models without rows to ask again, and sizes that few fits have */
#include "slm_tools.h"
#include "posterior_of.h"
#include "sine_tools.h"

enum { EDGES_N = 40 };
typedef struct slm_edges_data { double X[2*EDGES_N], y[2*EDGES_N]; bln_data rows; } slm_edges_data;
static void slm_edges_make(slm_edges_data *e, double noise)          /* y = 2 sin(3 x) and noise, x in (-1, 1) */
{
    test_random r = test_random_new(11);
    for (size_t i = 0; i < EDGES_N; i++) {
        e->X[i] = 2.0*test_uniform(&r) - 1.0;
        e->y[i] = 2.0*sin(3.0*e->X[i]) + noise*test_normal(&r);
    }
    e->rows = slm_view(EDGES_N, 1, e->X, e->y);
}

/* The truth is theta = 3. A range that has it: the fit finds it, on every scale, with less precision where a prior pulls. A range
 * that ends before it: the fit says at which end it is, by name. A range that is none is refused. */
TEST(slm_edges, parameters_of_every_kind)
{
    static const struct { bln_param_kind kind; double lo, hi, start; const char *text; } c[] = {
        { BLN_PARAM_REAL, 0.0, 0.0, 2.5, "" }, { BLN_PARAM_POSITIVE, 0.0, 0.0, 2.5, "" }, { BLN_PARAM_INTERVAL, 1.0, 5.0, 2.5, "" },
        { BLN_PARAM_LOG, 1.0, 5.0, 2.5, "" }, { BLN_PARAM_INTERVAL, 1.0, 2.0, 1.5, "theta0 ended at the upper end" },
        { BLN_PARAM_INTERVAL, 3.5, 4.5, 4.0, "theta0 ended at the lower end" },
        { BLN_PARAM_LOG, 1.0, 2.0, 1.5, "theta0 ended at the upper end" },
        { BLN_PARAM_LOG, 3.5, 4.5, 4.0, "theta0 ended at the lower end" } };
    const bln_basis_ops ops = edges_ops();
    slm_edges_data e;
    bln_report report;
    slm_edges_make(&e, 0.1);
    for (size_t k = 0; k < sizeof c/sizeof *c; k++) {
        edges_sine s = edges_of(&ops, c[k].kind, c[k].lo, c[k].hi, c[k].start);
        bln_slm_desc desc = slm_desc(&s.base, BLN_SLM_PRIMAL);
        desc.tolerance = 1e-12;
        desc.theta_sd = HUGE_VAL;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &e.rows, &report));
        if (c[k].text[0]) CHECK_TEXT(report.text, c[k].text);
        else CHECK(report.text[0] == '\0' && fabs(bln_slm_theta(slm)[0] - 3.0) < 0.2);
        CHECK((report.stop == BLN_STOP_BOUND) == (c[k].text[0] != '\0'));
        bln_slm_free(slm);
    }
    edges_sine none = edges_of(&ops, BLN_PARAM_INTERVAL, 1.0, 5.0, 2.5);
    none.bad = 1;
    const bln_slm_desc desc = slm_desc(&none.base, BLN_SLM_PRIMAL);
    bln_slm *slm = slm_new(&desc);
    CHECK_STATUS(bln_slm_fit(slm, &e.rows, &report), BLN_EINVAL);
    CHECK(report.text[0] != '\0');
    bln_slm_free(slm);
}

/* Further starts at which nothing can be computed are passed over: the fit is that of the first. */
TEST(slm_edges, starts_that_are_none)
{
    const bln_basis_ops ops = edges_ops();
    double evidence[2];
    slm_edges_data e;
    slm_edges_make(&e, 0.1);
    for (size_t more = 0; more < 2; more++) {
        edges_sine s = edges_of(&ops, BLN_PARAM_LOG, 1.0, 5.0, 3.0);
        bln_report report;
        s.only = 1;
        bln_slm_desc desc = slm_desc(&s.base, BLN_SLM_PRIMAL);
        desc.starts = 1 + more;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &e.rows, &report));
        evidence[more] = bln_slm_evidence(slm);
        bln_slm_free(slm);
    }
    CHECK(evidence[1] == evidence[0] && evidence[0] > 0.0);
}

/* A warm start where B overflows: no optimiser gets on from there, and each says so. */
TEST(slm_edges, warm_starts_without_a_value)
{
    static const bln_slm_optimiser by[] = { BLN_SLM_LBFGS, BLN_SLM_MACKAY, BLN_SLM_EM, BLN_SLM_LBFGS };
    const bln_basis_ops ops = edges_ops();
    const double prior[1] = { 1e300 }, theta[1] = { 2.5 };
    double X[EDGES_N];
    slm_edges_data e;
    slm_edges_make(&e, 0.1);
    for (size_t i = 0; i < EDGES_N; i++) X[i] = 1e10*e.X[i];
    bln_basis *line = slm_parse("linear:ones=0", 1, 1);
    edges_sine s = edges_of(&ops, BLN_PARAM_LOG, 1.0, 5.0, 2.5);
    for (size_t k = 0; k < 4; k++) {
        bln_slm_desc desc = slm_desc(k < 3 ? line : &s.base, BLN_SLM_PRIMAL);
        bln_report report;
        bln_data rows = e.rows;
        if (k < 3) rows.X = X;
        desc.arithmetic = BLN_SLM_DOUBLE;
        desc.optimiser = by[k];
        desc.warm_start = 1;
        desc.noise_var = k < 3 ? 0.01 : 1e-10;
        desc.prior_var = prior;
        desc.theta = k < 3 ? NULL : theta;
        bln_slm *slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_fit(slm, &rows, &report), BLN_ENUMERIC);
        CHECK(report.text[0] != '\0');
        bln_slm_free(slm);
    }
    bln_basis_free(line);
}

/* Ranges that are narrowed between _init and the steps, so that the optimum lies beyond them: the end at which a variance stopped
 * is named, of a slice, of a weight, and of the noise. And a first stage that has gone on for 100 steps goes over to the search. */
TEST(slm_edges, ends_of_variances)
{
    slm_edges_data e;
    slm_edges_make(&e, 0.3);
    for (int what = 0; what < 4; what++) {
        bln_basis *b = slm_parse("polynomial:degree=3", 1, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        bln_report report;
        desc.per_weight = what == 2;
        desc.noise_var = 0.09;
        desc.fix_noise_var = what == 1 || what == 2;             /* else all is noise */
        desc.relevance = BLN_SLM_RELEVANCE_NONE;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_init(slm, &e.rows, &report));
        blni_slm_fit *f = slm->fit;
        if (what == 0) f->param[0].hi = 0.02;                    /* the noise variance is 0.09 */
        if (what == 1 || what == 2) for (size_t k = 0; k < f->n_free; k++) f->param[k].hi = 1e-2;
        if (what == 3) {
            CHECK_OK(bln_slm_step(slm, &report));
            CHECK(f->fixed_point);                               /* it goes on */
            CHECK_OK(bln_slm_init(slm, &e.rows, &report));
            f = slm->fit;
            f->fixed_steps = 99;
            CHECK_OK(bln_slm_step(slm, &report));
            CHECK(!f->fixed_point);
        }
        while (!bln_slm_converged(slm)) CHECK_OK(bln_slm_step(slm, &report));
        CHECK_OK(bln_slm_finish(slm, &report));
        if (what == 0) CHECK_TEXT(report.text, "the noise variance ended at the upper end");
        if (what == 1) CHECK_TEXT(report.text, "and the weights after it ended at the upper end");
        if (what == 2) CHECK_TEXT(report.text, "ended at the upper end of its range: nothing holds them");
        CHECK((report.stop == BLN_STOP_BOUND) == (what < 3));
        bln_slm_free(slm);
        bln_basis_free(b);
    }
}

/* Flat weights that fit 0 exactly: infinite evidence in exact arithmetic, undecided in double. Twins with a huge prior variance: B
 * has no factor, in any arithmetic, and nothing is left to learn. A feature that is 0 has no flat prior. */
TEST(slm_edges, perfect_and_singular)
{
    static const double X[8] = { 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 5.0, 5.0 }, nothing[4] = { 0.0 }, y[4] = { 1.0, 0.5, 3.0, 2.0 };
    static const double zero[8] = { 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 5.0, 0.0 };
    const double flat[2] = { HUGE_VAL, HUGE_VAL }, huge[1] = { 1e30 };
    bln_basis *line = slm_parse("linear", 1, 1), *twins = slm_parse("linear:ones=0", 2, 1);
    bln_data none = slm_view(4, 1, zero, nothing), rows = slm_view(4, 2, X, y), dead = slm_view(4, 2, zero, y);
    bln_report report;
    none.ldx = 2;
    for (int arithmetic = BLN_SLM_DOUBLE; arithmetic <= BLN_SLM_QR; arithmetic++) {
        bln_slm_desc desc = slm_desc(line, BLN_SLM_PRIMAL);
        const int exact = arithmetic == BLN_SLM_EXACT && blni_exact_available();
        desc.arithmetic = (bln_slm_arithmetic)arithmetic;
        desc.prior_var = flat;
        bln_slm *slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_fit(slm, &none, &report), exact ? BLN_OK : BLN_EUNDEFINED);
        if (exact) CHECK(bln_slm_evidence(slm) == HUGE_VAL);
        else CHECK_TEXT(report.text, "perfect fit as far as doubles can see");
        bln_slm_free(slm);
        desc.basis = twins;
        slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_fit(slm, &dead, &report), BLN_ENOTPD);
        CHECK_SIZE(report.column, 1);
        bln_slm_free(slm);
        if (!exact) continue;
        desc.prior_var = huge;
        desc.noise_var = 1e-10;
        desc.fix_noise_var = desc.fix_prior_var = 1;
        slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_fit(slm, &rows, &report), BLN_ENOTPD);
        CHECK_TEXT(report.text, "the posterior overflows at these hyper-parameters");
        CHECK_STATUS(bln_slm_fit(slm, &rows, NULL), BLN_ENOTPD);
        bln_slm_free(slm);
    }
    /* Twins with a flat prior beside a feature whose prior is learnt: named before the search begins. */
    bln_basis *beside = slm_parse("bias+linear:ones=0", 2, 1);
    const double some[2] = { 0.0, HUGE_VAL };
    bln_slm_desc learns = slm_desc(beside, BLN_SLM_PRIMAL);
    learns.prior_var = some;
    bln_slm *of_twins = slm_new(&learns);
    CHECK_STATUS(bln_slm_fit(of_twins, &rows, &report), BLN_ENOTPD);
    CHECK_SIZE(report.column, 2);
    bln_slm_free(of_twins);
    bln_basis_free(beside);
    /* One factor of B is infinite, and none of it NaN: QR refuses it too. */
    const double large[1] = { 1e145 }, one[1] = { 1.0 }, most[1] = { 1.7e308 };
    const bln_data single = slm_view(1, 1, large, one);
    bln_basis *column = slm_parse("linear:ones=0", 1, 1);
    bln_slm_desc desc = slm_desc(column, BLN_SLM_PRIMAL);
    double value;
    desc.arithmetic = BLN_SLM_QR;
    bln_slm *slm = slm_new(&desc);
    CHECK_STATUS(bln_slm_evidence_at(slm, &single, 1e-30, most, NULL, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    bln_slm_free(slm);
    bln_basis_free(column);
    bln_basis_free(line);
    bln_basis_free(twins);
}

/* ---- bases that know their kernel at their points: e_i of row i, as features and as a kernel matrix */
typedef struct slm_edges_points { bln_basis base; int wrong; } slm_edges_points;
static void edges_unit(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi, size_t ldphi,
                       double *work)
{
    const slm_edges_points *p = (const slm_edges_points *)(const void *)b;
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->D; j++)
            Phi[i*ldphi + j] = p->wrong == 1 ? BLNI_NAN : p->wrong == 2 ? 1e12 : X[i*ldx] == (double)j;
}
static double slm_edges_one(const bln_basis *b, size_t s) { (void)b; (void)s; return 1.0; }
static int slm_edges_gram(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *K, size_t ldk,
                      double *work)
{
    (void)b; (void)theta; (void)X; (void)ldx; (void)work;
    for (size_t i = 0; i < n && K; i++)
        for (size_t j = i; j < n; j++) K[i*ldk + j] = i == j;
    return 1;
}
static void slm_edges_gram_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *G,
                                size_t ldg, double *dtheta, double *work)
{
    (void)b; (void)theta; (void)n; (void)X; (void)ldx; (void)G; (void)ldg; (void)dtheta; (void)work;
}
static void edges_unit_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                                size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work)
{
    (void)b; (void)theta; (void)n; (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)F; (void)ldf; (void)dtheta; (void)dX;
    (void)lddx; (void)work;
}

/* A kernel without parameters beside features with one: values and slopes are those without the kernel matrix. Features that are
 * not what the kernel says are found when the posterior asks for them: NaN has no factor, and a matrix of one number needs
 * jitter. */
TEST(slm_edges, kernels_without_parameters)
{
    enum { N = 6 };
    const double X[N] = { 0.0, 1.0, 2.0, 3.0, 4.0, 5.0 }, y[N] = { 0.4, -1.0, 0.3, 1.7, -0.2, 0.9 }, prior[2] = { 0.8, 1.7 };
    const double theta[1] = { 1.4 };
    double value[2], noise[2], of_prior[2][2], of_theta[2][1], alone[2];
    bln_basis_ops ops;
    slm_edges_points points;
    const bln_data rows = slm_view(N, 1, X, y);
    bln_report report;
    memset(&ops, 0, sizeof ops);
    memset(&points, 0, sizeof points);
    ops.name = "slm_edges_points";
    ops.features = edges_unit;
    ops.pullback = edges_unit_pullback;
    points.base.ops = &ops;
    points.base.d = 1;
    points.base.D = N;
    points.base.n_slices = 1;
    for (int gram = 0; gram < 2; gram++) {
        bln_basis *part[2], *both = NULL;
        ops.gram = gram ? slm_edges_gram : NULL;
        ops.gram_pullback = gram ? slm_edges_gram_pullback : NULL;
        part[0] = &points.base;
        part[1] = slm_parse("rbf:n=3", 1, 1);
        CHECK_OK(bln_basis_sum(NULL, 2, part, &both, NULL));
        const bln_slm_desc desc = slm_desc(both, BLN_SLM_DUAL);
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &rows, 0.3, prior, theta, value + gram, noise + gram, of_prior[gram], of_theta[gram],
                                     &report));
        CHECK_OK(bln_slm_evidence_at(slm, &rows, 0.3, prior, theta, NULL, NULL, alone, NULL, &report));
        for (int k = 0; k < 2; k++) CHECK_REL(alone[k], of_prior[gram][k], 1e-13);
        bln_slm_free(slm);
        bln_basis_free(both);
    }
    CHECK_REL(value[1], value[0], 1e-13);
    CHECK_REL(noise[1], noise[0], 1e-12);
    CHECK_REL(of_theta[1][0], of_theta[0][0], 1e-11);
    for (int k = 0; k < 2; k++) CHECK_REL(of_prior[1][k], of_prior[0][k], 1e-12);
    for (points.wrong = 0; points.wrong < 3; points.wrong++) {
        const bln_slm_desc desc = slm_fixed(&points.base, BLN_SLM_DUAL, 0.3, prior, NULL);
        bln_slm *slm = slm_new(&desc);
        CHECK_STATUS(bln_slm_fit(slm, &rows, &report), points.wrong == 1 ? BLN_ENOTPD : BLN_OK);
        CHECK((report.jitter > 0.0) == (points.wrong == 2));
        bln_slm_free(slm);
    }
    /* The same of a Gaussian process whose length scale is held: slopes of the variances alone. */
    bln_inducing_desc gp = BLN_ZERO;
    bln_basis *b = NULL;
    gp.d = 1;
    gp.n = N;
    gp.points = X;
    CHECK_OK(bln_inducing_create(&gp, &b, NULL));
    const bln_slm_desc desc = slm_desc(b, BLN_SLM_DUAL);
    bln_slm *slm = slm_new(&desc);
    for (int with = 0; with < 2; with++)
        CHECK_OK(bln_slm_evidence_at(slm, &rows, 0.3, prior, theta, value + with, noise + with, of_prior[with],
                                     with ? of_theta[0] : NULL, &report));
    CHECK_REL(value[0], value[1], 1e-14);
    CHECK_REL(noise[0], noise[1], 1e-12);
    CHECK_REL(of_prior[0][0], of_prior[1][0], 1e-12);
    bln_slm_free(slm);
    /* A posterior whose prior variance overflows in K_s. */
    const double most[1] = { 1e308 };
    const bln_slm_desc large = slm_fixed(b, BLN_SLM_DUAL, 1e-10, most, theta);
    slm = slm_new(&large);
    CHECK_STATUS(bln_slm_fit(slm, &rows, &report), BLN_ENOTPD);
    CHECK_TEXT(report.text, "the posterior overflows");
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Fewer rows than outputs, and no inputs at all: dual and primal form agree, to rounding of sums of a few terms. */
TEST(slm_edges, smallest_sizes)
{
    const double X[1] = { 0.7 }, y[2] = { 1.3, -0.4 }, cov[4] = { 0.5, 0.2, 0.2, 0.9 }, prior[1] = { 1.6 }, theta[1] = { 0.9 };
    bln_inducing_desc one = BLN_ZERO;
    bln_basis *b = NULL, *bias = NULL;
    double value[2];
    bln_data rows = slm_view(1, 1, X, y), nothing = slm_view(1, 0, NULL, y);
    one.d = one.n = 1;
    one.points = X;
    CHECK_OK(bln_inducing_create(&one, &b, NULL));
    CHECK_OK(bln_bias_create(NULL, &bias));
    rows.p = 2;
    for (int dual = 0; dual < 2; dual++) {
        bln_slm_desc desc = slm_desc(b, dual ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        desc.n_outputs = 2;
        desc.sigma = BLN_SLM_CORRELATED;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_outputs(slm, &rows, cov, prior, theta, value + dual, NULL, NULL, NULL, NULL, NULL));
        bln_slm_free(slm);
    }
    CHECK_REL(value[1], value[0], 1e-13);
    for (int dual = 0; dual < 2; dual++) {
        const bln_slm_desc desc = slm_desc(bias, dual ? BLN_SLM_DUAL : BLN_SLM_PRIMAL);
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &nothing, 0.5, prior, NULL, value + dual, NULL, NULL, NULL, NULL));
        bln_slm_free(slm);
    }
    CHECK_REL(value[0], -0.5*(log(2.0*3.14159265358979323846*2.1) + 1.69/2.1), 1e-14);
    CHECK_REL(value[1], value[0], 1e-14);
    /* Features that miss nothing, and a flat prior, of which nothing is missed: as if it were ignored. */
    bln_basis_ops ops;
    slm_edges_points unit;
    memset(&ops, 0, sizeof ops);
    memset(&unit, 0, sizeof unit);
    ops.name = "slm_edges_points";
    ops.features = edges_unit;
    ops.variance = slm_edges_one;
    unit.base.ops = &ops;
    unit.base.d = 1;
    unit.base.D = 3;
    unit.base.n_slices = 1;
    for (int flat = 0; flat < 2; flat++) {
        const double of[1] = { flat ? HUGE_VAL : 1.6 };
        const double x3[3] = { 0.0, 1.0, 2.0 }, y3[3] = { 1.3, -0.4, 0.2 };
        const bln_data two = slm_view(3, 1, x3, y3);
        for (int ignored = 0; ignored < 2; ignored++) {
            bln_slm_desc desc = slm_desc(flat ? b : &unit.base, BLN_SLM_PRIMAL);
            desc.residual = ignored ? BLN_SLM_IGNORED : BLN_SLM_VARIATIONAL;
            bln_slm *slm = slm_new(&desc);
            CHECK_OK(bln_slm_evidence_at(slm, &two, 0.5, of, theta, value + ignored, NULL, NULL, NULL, NULL));
            bln_slm_free(slm);
        }
        CHECK(value[0] == value[1]);
    }
    bln_basis_free(b);
    bln_basis_free(bias);
}

/* ---- statistics, whose rows cannot be asked, and several outputs */

TEST(slm_edges, statistics_that_say_nothing)
{
    static const double X[4] = { 1.0, 2.0, 3.0, 4.0 }, y[4] = { 0.4, 1.7, 2.2, 4.1 }, tiny[4] = { 1e-300, 1e-300, 1e-300, 1e-300 };
    static const double large[4] = { 1e300, 1e300, 1e300, 1e300 }, many[4] = { 1e308, 1e308, 1e308, 1e308 },
        wide[4] = { 1e10, 1e10, 1e10, 1e10 };
    const double prior[1] = { 1e300 };
    bln_basis *b = slm_parse("linear", 1, 1);
    bln_statistics_desc sd = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_data rows = slm_view(4, 1, X, y);
    bln_report report;
    bln_slm *slm = slm_new(&desc);
    sd.basis = b;
    CHECK_OK(bln_statistics_create(&sd, &t, NULL));
    rows.weight = tiny;
    rows.noise_var = large;                                      /* weight/variance is 0 in double */
    CHECK_OK(bln_statistics_add(t, &rows, &report));
    CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), BLN_EUNDEFINED);
    bln_statistics_free(t);
    rows.weight = many;                                          /* their sum overflows, and that of weight/variance does not */
    rows.noise_var = wide;
    CHECK_STATUS(bln_slm_fit(slm, &rows, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "the sum of weights or of 1/noise_var overflows");
    bln_slm_free(slm);
    rows.weight = rows.noise_var = NULL;
    CHECK_OK(bln_statistics_create(&sd, &t, NULL));
    CHECK_OK(bln_statistics_add(t, &rows, &report));
    desc.arithmetic = BLN_SLM_DOUBLE;
    desc.noise_var = 1e-300;
    desc.fix_noise_var = 1;
    desc.prior_var = prior;                                      /* a start, from which B overflows at every scale */
    slm = slm_new(&desc);
    CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "the evidence overflows; scale the data");
    bln_slm_free(slm);
    bln_statistics_free(t);
    /* A feature that is not 0 in rows of weight 0 alone is one that is 0. */
    static const double x0[3] = { 1.0, 0.0, 0.0 }, w0[3] = { 0.0, 1.0, 1.0 };
    bln_basis *plain = slm_parse("linear:ones=0", 1, 1);
    desc = slm_desc(plain, BLN_SLM_PRIMAL);
    slm = slm_new(&desc);
    rows = slm_view(3, 1, x0, y);
    rows.weight = w0;
    CHECK_OK(bln_slm_fit(slm, &rows, &report));
    bln_slm_free(slm);
    bln_basis_free(plain);
    bln_basis_free(b);
}

/* Outputs that follow from each other, or are fitted perfectly, in double; one that is 0; a given covariance that is all but
 * singular; fewer rows, by their weights, than flat priors. */
TEST(slm_edges, outputs)
{
    slm_edges_data e;
    test_random r = test_random_new(3);
    bln_basis *b = slm_parse("linear", 1, 1);
    double y[2*EDGES_N], w[EDGES_N];
    const double flat[1] = { HUGE_VAL }, close[4] = { 1.0, 1.0 - 1e-15, 1.0 - 1e-15, 1.0 }, unit[4] = { 1.0, 0.0, 0.0, 1.0 };
    bln_report report;
    slm_edges_make(&e, 0.3);
    bln_data rows = e.rows;
    rows.y = y;
    rows.p = 2;
    for (int what = 0; what < 6; what++)
        for (int salt = 0; salt < (what == 0 ? 6 : 1); salt++) {     /* whether rounding makes a pivot 0 or less is chance */
            bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
            desc.n_outputs = 2;
            desc.arithmetic = BLN_SLM_DOUBLE;
            desc.sigma = what == 3 ? BLN_SLM_DIAGONAL : BLN_SLM_CORRELATED;
            for (size_t i = 0; i < EDGES_N; i++) {
                y[2*i] = what == 2 ? 1.0 + 2.0*e.X[i] : e.y[i] + test_normal(&r);
                y[2*i + 1] = what < 2 ? y[2*i] + (what ? 3e-4*test_normal(&r) : 0.0) : what == 3 ? 0.0 : test_normal(&r);
                w[i] = 0.01;
            }
            rows.weight = what == 5 ? w : NULL;
            if (what == 5) desc.prior_var = flat;
            if (what == 3 || what == 4) { desc.noise_cov = what == 4 ? close : unit; desc.fix_noise_var = 1; }
            bln_slm *slm = slm_new(&desc);
            const bln_status status = bln_slm_fit(slm, &rows, &report);
            CHECK_STATUS(status, what == 1 || what == 3 ? BLN_OK : what == 4 ? BLN_EDOMAIN : BLN_EUNDEFINED);
            if (what == 0) CHECK(report.column == 2 && strstr(report.text, "follows from those before it") != NULL);
            if (what == 4) CHECK_TEXT(report.text, "noise_cov must be positive definite");
            if (what == 5) CHECK_TEXT(report.text, "no more rows than weights with flat priors");
            bln_slm_free(slm);
        }
    /* One variance for all outputs is the noise variance. */
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.n_outputs = 2;
    desc.sigma = BLN_SLM_SHARED;
    bln_slm *slm = slm_new(&desc);
    rows.weight = NULL;
    CHECK_OK(bln_slm_fit(slm, &rows, &report));
    CHECK(bln_slm_noise_var(slm) == bln_slm_noise_cov(slm)[0] && bln_slm_noise_var(slm) > 0.0);
    bln_slm_free(slm);
    bln_basis_free(b);
    /* A search is lost only near a Sigma that is not defined. */
    blni_slm_fit f = BLN_ZERO;
    f.e.sigma.profile = f.walled = 1;
    f.e.sigma.kind = BLN_SLM_CORRELATED;
    f.e.sigma.P = 2;
    f.e.sigma.margin = 999.0;
    CHECK(blni_fit_lost(&f));
    f.e.sigma.margin = 1001.0;
    CHECK(!blni_fit_lost(&f));
}

/* ---- sizes, warm starts without theta, the prior of relevance, and what of it is not learnt */
TEST(slm_edges, sizes_and_relevance)
{
    const double prior[2] = { 1.0, 1.0 }, some[3] = { HUGE_VAL, 0.0, 0.0 };
    slm_edges_data e;
    test_heap heap;
    bln_report report;
    bln_basis *b = slm_parse("linear", 1, 1), *rbf = slm_parse("rbf:n=4,ard", 1, 1);
    bln_basis *square = slm_parse("polynomial:degree=2", 1, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_DUAL), primal = slm_desc(b, BLN_SLM_PRIMAL);
    slm_edges_make(&e, 0.3);
    CHECK_SIZE(bln_slm_size(&desc, BLN_NONE), bln_slm_size(&primal, 10));      /* rows without number have the primal form */
    primal.warm_start = 1;
    primal.noise_var = 0.1;
    primal.prior_var = prior;
    CHECK(bln_slm_check(&primal) == NULL);                       /* without parameters there is no theta to begin with */
    for (int k = 0; k < 2; k++) {
        desc = k ? slm_desc(b, BLN_SLM_PRIMAL) : slm_fixed(b, BLN_SLM_PRIMAL, 0.1, prior, NULL);
        if (k) desc.optimiser = BLN_SLM_EM;
        desc.alloc = test_heap_allocator(&heap);
        const size_t promised = bln_slm_fit_size(&desc, EDGES_N);
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &e.rows, &report));
        CHECK_LE((double)heap.peak_bytes, (double)promised);
        CHECK_LE((double)promised, 1.5*(double)heap.peak_bytes);
        bln_slm_free(slm);
    }
    desc = slm_desc(rbf, BLN_SLM_PRIMAL);                        /* the first stage keeps a tolerance that is larger than its own */
    desc.tolerance = 1e-2;
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &e.rows, &report));
    bln_slm_free(slm);
    for (int held = 0; held < 2; held++) {
        desc = slm_desc(square, BLN_SLM_PRIMAL);
        desc.per_weight = 1;
        desc.relevance = BLN_SLM_RELEVANCE_HALF_CAUCHY;
        desc.prior_var = some;
        desc.fix_prior_var = held;
        desc.noise_var = 0.1;
        const double ones[3] = { 1.0, 1.0, 1.0 };
        if (held) desc.prior_var = ones;
        slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &e.rows, &report));
        if (held) CHECK_NEAR(report.objective, bln_slm_evidence(slm), 0.0);       /* nothing is learnt that has the prior */
        else CHECK(report.objective < bln_slm_evidence(slm) && bln_slm_prior_var(slm)[0] == HUGE_VAL);
        bln_slm_free(slm);
    }
    /* What a feature is worth cannot be said where the numbers of the posterior are beyond doubles. */
    double gamma[2], loss[2];
    desc = slm_fixed(b, BLN_SLM_PRIMAL, 0.1, prior, NULL);
    slm = slm_fit(&desc, &e.rows);
    CHECK_OK(bln_slm_relevance(slm, gamma, loss, &report));
    blni_store_own(((const bln_gaussians *)slm->posterior.groups->view)->m)[1] = 1e200;
    CHECK_STATUS(bln_slm_relevance(slm, gamma, loss, &report), BLN_ENUMERIC);
    CHECK_SIZE(report.column, 1);
    bln_slm_free(slm);
    bln_basis_free(b);
    bln_basis_free(rbf);
    bln_basis_free(square);
}

SUITE_BEGIN(slm_edges)
SUITE_TEST(slm_edges, parameters_of_every_kind)
SUITE_TEST(slm_edges, starts_that_are_none)
SUITE_TEST(slm_edges, warm_starts_without_a_value)
SUITE_TEST(slm_edges, ends_of_variances)
SUITE_TEST(slm_edges, perfect_and_singular)
SUITE_TEST(slm_edges, kernels_without_parameters)
SUITE_TEST(slm_edges, smallest_sizes)
SUITE_TEST(slm_edges, statistics_that_say_nothing)
SUITE_TEST(slm_edges, outputs)
SUITE_TEST(slm_edges, sizes_and_relevance)
SUITE_END(slm_edges)
