/* test_sampling_edges - densities that fail at any call, that are possible almost nowhere, or change on the way: what samplers and
 * approximations say of them */
#include "../test.h"
#include "densities.h"

/* A standard normal of `dim` coordinates, whose call number `fail` returns `status`; impossible beyond `reach` in any coordinate;
 * with values times `steep`. parts: one scope for all coordinates, and what _batch does. */
typedef struct edges_world {
    size_t dim, calls, fail, batches, fail_batch;
    bln_status status;
    double reach, steep, term[2], power[1];
    unsigned char scope[8], point[8];
    blni_density_parts parts;
} edges_world;

static bln_status edges_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    edges_world *w = (edges_world *)user;
    (void)report;
    if (w->calls++ == w->fail) return w->status;
    *value = 0.0;
    for (size_t i = 0; i < w->dim; i++) {
        *value -= fabs(q[i]) > w->reach ? HUGE_VAL : 0.5*w->steep*q[i]*q[i];
        if (gradient) gradient[i] = -w->steep*q[i];
    }
    w->term[1] = *value;
    return BLN_OK;
}
static bln_status edges_batch(void *user, size_t size, uint64_t step, uint64_t draw, bln_report *report)
{
    edges_world *w = (edges_world *)user;
    (void)size; (void)step; (void)draw; (void)report;
    return w->batches++ == w->fail_batch ? BLN_EIO : BLN_OK;
}
static edges_world edges_new(size_t dim)
{
    edges_world w = BLN_ZERO;
    w.dim = dim;
    w.fail = w.fail_batch = (size_t)-1;
    w.status = BLN_EIO;
    w.reach = HUGE_VAL;
    w.steep = w.power[0] = 1.0;
    for (size_t i = 0; i < dim; i++) w.scope[i] = 1;
    return w;
}
static bln_density edges_density(edges_world *w, int parts)
{
    bln_density d = density_made(w->dim, edges_eval);
    d.user = w;
    w->parts.scope = w->scope;
    w->parts.point = w->point;
    w->parts.n_terms = 2;
    w->parts.term = w->term;
    w->parts.power = w->power;
    w->parts.batch = edges_batch;
    if (parts) d.parts = &w->parts;
    return d;
}

static bln_status edges_run(int way, const bln_density *d, bln_report *report)
{
    bln_hmc_desc hmc = BLN_ZERO;
    bln_advi_desc advi = BLN_ZERO;
    bln_pathfinder_desc path = BLN_ZERO;
    bln_chains *chains = NULL;
    bln_advi *v = NULL;
    bln_pathfinder *p = NULL;
    bln_status status = BLN_OK;
    hmc.density = advi.density = path.density = *d;
    hmc.chains = 2;
    hmc.warmup = 40;
    hmc.draws = 4;
    hmc.metric = way == 1 ? BLN_METRIC_DENSE : BLN_METRIC_DIAGONAL;
    hmc.method = way == 2 ? BLN_HMC_STATIC : BLN_HMC_NUTS;
    hmc.leapfrogs = 3;
    advi.noise = way == 3 ? 8 : 2;
    advi.method = way == 3 ? BLN_ADVI_FIXED_NOISE : BLN_ADVI_STOCHASTIC;
    advi.max_iterations = way == 3 ? 3 : 40;
    advi.draws = path.draws = 20;
    path.paths = 2;
    if (way < 3) status = bln_hmc_sample(&hmc, &chains, report);
    else if (way < 5) status = bln_advi_fit(&advi, &v, report);
    else if (way == 5) status = bln_pathfinder_fit(&path, &p, report);
    else status = bln_density_check(d, NULL, NULL, report);
    bln_chains_free(chains);
    bln_advi_free(v);
    bln_pathfinder_free(p);
    return status;
}

/* The status of the call that fails comes out, with a report and without one. A status that means an impossible point does not. */
TEST(sampling_edges, every_call_may_fail)
{
    for (int way = 0; way < 7; way++)
        for (size_t fail = 0;; fail += fail < 120 ? 1 : 37) {
            edges_world w = edges_new(2);
            const bln_density d = edges_density(&w, 0);
            bln_report report;
            w.fail = fail;
            const bln_status status = edges_run(way, &d, fail % 3 ? &report : NULL);
            const int failed = w.calls > fail, last = way > 2 && way < 6 && status == BLN_OK;       /* far from the mean, and so */
            if (failed && !last) CHECK_STATUS(status, BLN_EIO);                                      /* of no importance          */
            else CHECK_OK(status);
            if (failed && last) CHECK(w.calls <= fail + 5);
            if (!failed || status == BLN_OK) break;
        }
    edges_world w = edges_new(2);
    const bln_density d = edges_density(&w, 0);
    bln_hmc_desc hmc = BLN_ZERO;
    bln_chains *chains = NULL;
    w.fail = 0;
    w.status = BLN_ENUMERIC;                                     /* the first random start is passed over */
    hmc.density = d;
    hmc.draws = hmc.warmup = 20;
    CHECK_OK(bln_hmc_sample(&hmc, &chains, NULL));
    bln_chains_free(chains);
    CHECK(bln_hmc_create(&hmc, NULL, NULL) == BLN_EINVAL && bln_hmc_sample(&hmc, NULL, NULL) == BLN_EINVAL);
    bln_advi_desc advi = BLN_ZERO;
    bln_pathfinder_desc path = BLN_ZERO;
    bln_report report;
    advi.density = path.density = d;
    CHECK_STATUS(bln_advi_create(&advi, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "advi: out is NULL");
    CHECK_STATUS(bln_pathfinder_fit(&path, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "pathfinder: out is NULL");
    CHECK_STATUS(bln_hmc_create(&hmc, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "hmc: out is NULL");
}

/* ---- possible almost nowhere */

/* Starts that are impossible, in words only where there are some; Gaussians of whose draws none, or not all, are possible. */
TEST(sampling_edges, small_supports)
{
    const double far[1] = { 5.0 };
    bln_report report;
    for (int way = 0; way < 4; way++) {
        edges_world w = edges_new(1);
        bln_advi_desc advi = BLN_ZERO;
        bln_advi *v = NULL;
        w.reach = way == 0 ? 1.0 : way == 3 ? 0.6 : 1e-6;
        advi.density = edges_density(&w, 1);
        advi.method = BLN_ADVI_STOCHASTIC;
        advi.max_iterations = way == 2 ? 1000 : 5;
        advi.noise = 2;
        advi.draws = 50;
        if (way == 0) advi.start = far;
        const bln_status status = bln_advi_fit(&advi, &v, way == 1 ? NULL : &report);
        CHECK_STATUS(status, way == 0 ? BLN_ENUMERIC : way == 1 ? BLN_EUNDEFINED : way == 2 ? BLN_ENUMERIC : BLN_OK);
        if (way == 0) CHECK(!strcmp(report.text, "the density or its gradient is not finite at the start"));
        if (way == 2) CHECK_TEXT(report.text, "100 steps in a row were none");
        if (way == 3) CHECK(bln_advi_result(v)->importance.impossible > 0 && bln_advi_result(v)->scopes[1].log_p > -2.0);
        bln_advi_free(v);
        if (way == 0) CHECK_STATUS(bln_advi_fit(&advi, &v, NULL), BLN_ENUMERIC);
        if (way != 1) continue;
        CHECK_STATUS(bln_advi_fit(&advi, &v, &report), BLN_EUNDEFINED);
        CHECK_TEXT(report.text, "the density is 0 at all draws");
    }
    for (int way = 0; way < 2; way++) {
        edges_world w = edges_new(1);
        bln_pathfinder_desc path = BLN_ZERO;
        bln_pathfinder *p = NULL;
        const double near_by[1] = { way ? 0.5 : 1e-3 };
        w.reach = way ? 2.0 : 1e-2;
        path.density = edges_density(&w, 0);
        path.start = near_by;
        path.paths = 8;
        const bln_status status = bln_pathfinder_fit(&path, &p, &report);
        CHECK_STATUS(status, way ? BLN_OK : BLN_ENUMERIC);
        if (way == 0) CHECK_TEXT(report.text, "no Gaussian has draws with a density that is > 0");
        else CHECK(bln_pathfinder_result(p)->draws != NULL);
        bln_pathfinder_free(p);
    }
}

/* ---- gradients and values that are not what they should be */

/* kind 0: value -+1e308 by the sign of q; 1: another value without a gradient; 2: an infinite slope; 3: a slope of 1e200 q. */
static bln_status edges_odd(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const int kind = *(const int *)user;
    (void)report;
    *value = kind == 0 ? (q[0] > 0.0 ? 1e308 : -1e308) : kind == 3 ? -0.5e200*q[0]*q[0] : -0.5*q[0]*q[0] + (kind == 1 && !gradient);
    if (gradient) gradient[0] = kind == 0 ? 0.0 : kind == 2 ? HUGE_VAL : kind == 3 ? -1e200*q[0] : -q[0];
    return BLN_OK;
}

TEST(sampling_edges, odd_densities)
{
    bln_density d = density_made(1, edges_odd);
    const double zero[1] = { 0.0 };
    int kind = 0;
    double worst = -1.0;
    bln_report report;
    d.user = &kind;
    CHECK_OK(bln_density_check(&d, zero, &worst, &report));      /* an edge: differences say nothing there */
    CHECK(worst == 0.0);
    test_fault.calls = test_fault.at = 0;
    CHECK_STATUS(bln_density_check(&d, zero, &worst, &report), BLN_ENOMEM);
    test_fault.at = (size_t)-1;
    kind = 1;
    CHECK_STATUS(bln_density_check(&d, zero, &worst, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "the value without a gradient is another one");
    kind = 2;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_chains *chains = NULL;
    hmc.density = d;
    CHECK_STATUS(bln_hmc_sample(&hmc, &chains, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "not finite at 100 random starts");
    kind = 3;                                                    /* squares of such slopes overflow: no step can be taken */
    bln_advi_desc advi = BLN_ZERO;
    bln_advi *v = NULL;
    advi.density = d;
    advi.method = BLN_ADVI_STOCHASTIC;
    CHECK_STATUS(bln_advi_fit(&advi, &v, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "infinite slopes");
}

/* ---- advi: parts, points, ranks, powers, and where it has no way back */

TEST(sampling_edges, parts_of_densities)
{
    bln_report report;
    edges_world w = edges_new(2);
    bln_advi_desc advi = BLN_ZERO;
    bln_advi *v = NULL;
    advi.density = edges_density(&w, 1);
    advi.batch = 2;
    CHECK_TEXT(bln_advi_check(&advi), "batch is for STOCHASTIC steps and a program with data or source");
    advi.batch = 0;
    /* All coordinates are points: the mode, and no noise at all. */
    w.point[0] = w.point[1] = 1;
    advi.method = BLN_ADVI_FIXED_NOISE;
    const double start[2] = { 1.0, -2.0 };
    advi.start = start;
    CHECK_OK(bln_advi_fit(&advi, &v, &report));
    CHECK_NEAR(bln_advi_result(v)->mean[0], 0.0, 1e-5);
    CHECK_NEAR(bln_advi_result(v)->mean[1], 0.0, 1e-5);
    bln_advi_free(v);
    w.point[0] = w.point[1] = 0;
    /* Rows of a step, or of the beginning, that fail. */
    advi.method = BLN_ADVI_STOCHASTIC;
    advi.max_iterations = 50;
    for (w.fail_batch = 0; w.fail_batch < 6; w.fail_batch++) {
        w.batches = 0;
        v = NULL;
        const bln_status status = bln_advi_create(&advi, &v, &report);
        CHECK_OK(status);                                        /* which only goes back to all rows */
        CHECK_STATUS(bln_advi_run(v, &report), w.fail_batch ? BLN_EIO : BLN_OK);
        bln_advi_free(v);
    }
    w.fail_batch = (size_t)-1;
    /* The entropy of the scope of a low rank: that of both coordinates, 1 + log 2 pi at the standard normal. */
    advi.family = BLN_ADVI_LOW_RANK;
    advi.rank = 1;
    advi.max_iterations = 3000;
    CHECK_OK(bln_advi_fit(&advi, &v, &report));
    CHECK_NEAR(bln_advi_result(v)->scopes[1].entropy, 1.0 + log(2.0*3.14159265358979323846), 0.1);
    bln_advi_free(v);
    /* With fixed noise, where only draws near the start are possible. */
    w.reach = 0.05;
    advi.start = NULL;
    advi.method = BLN_ADVI_FIXED_NOISE;
    advi.max_iterations = 5;
    CHECK_OK(bln_advi_create(&advi, &v, &report));
    CHECK_OK(bln_advi_init(v, &report));
    CHECK(v->x[2] < -2.0 && fabs(v->x[4]) < 0.05);               /* narrower than it began, in its factor too */
    bln_advi_free(v);
    w.reach = HUGE_VAL;
    /* Powers that change. */
    advi.family = BLN_ADVI_MEAN_FIELD;
    advi.rank = 0;
    advi.block = 1;
    for (int stochastic = 0; stochastic < 2; stochastic++) {
        advi.method = stochastic ? BLN_ADVI_STOCHASTIC : BLN_ADVI_FIXED_NOISE;
        CHECK_OK(bln_advi_create(&advi, &v, &report));
        CHECK_OK(bln_advi_init(v, &report));
        CHECK_OK(bln_advi_step(v, &report));
        w.power[0] = 0.5;
        CHECK_STATUS(bln_advi_step(v, &report), stochastic ? BLN_OK : BLN_ESTATE);
        if (!stochastic) CHECK_TEXT(report.text, "powers that change are for STOCHASTIC steps");
        w.power[0] = 1.0;
        bln_advi_free(v);
    }
    w.parts.power = NULL;
    CHECK_OK(bln_advi_fit(&advi, &v, &report));
    bln_advi_free(v);
}

/* Places that a search should never get to, put there by hand: the approximation is none of a Gaussian, far away, or a point. */
TEST(sampling_edges, approximations_that_are_lost)
{
    static const struct { size_t at; double x; bln_advi_family family; bln_status status; const char *text; } c[] = {
        { 2, -60.0, BLN_ADVI_LOW_RANK, BLN_OK, "" }, { 0, 1e22, BLN_ADVI_MEAN_FIELD, BLN_EUNDEFINED, "grows without bound" },
        { 2, -60.0, BLN_ADVI_MEAN_FIELD, BLN_EUNDEFINED, "shrinks to a point" } };
    bln_report report;
    for (size_t k = 0; k < 3; k++) {
        edges_world w = edges_new(2);
        bln_advi_desc advi = BLN_ZERO;
        bln_advi *v = NULL;
        w.steep = 1e-40;
        advi.density = edges_density(&w, 0);
        advi.method = BLN_ADVI_STOCHASTIC;
        advi.family = c[k].family;
        advi.rank = k == 0;
        advi.block = 1;
        CHECK_OK(bln_advi_create(&advi, &v, &report));
        CHECK_OK(bln_advi_init(v, &report));
        ((double *)(uintptr_t)blni_sgd_x(v->sgd))[c[k].at] = c[k].x;
        CHECK_STATUS(bln_advi_step(v, &report), c[k].status);
        CHECK_TEXT(report.text, c[k].text);
        if (k == 0) {                                            /* the step was passed over; what is left at the end is no q */
            CHECK_SIZE(v->passed_over, 1);
            v->done = 1;
            CHECK_STATUS(bln_advi_step(v, &report), BLN_EUNDEFINED);
            CHECK_TEXT(report.text, "the approximation has left the numbers");
        }
        bln_advi_free(v);
    }
    /* The noise that a fit begins with may be so much that there is no more: then it ends where fresh draws are impossible. */
    size_t limits = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        edges_world w = edges_new(1);
        bln_advi_desc advi = BLN_ZERO;
        bln_advi *v = NULL;
        w.reach = 3.0;
        advi.density = edges_density(&w, 0);
        advi.noise = 2000;
        advi.seed = seed;
        advi.method = BLN_ADVI_FIXED_NOISE;
        CHECK_OK(bln_advi_fit(&advi, &v, &report));
        limits += report.stop == BLN_STOP_LIMIT;
        bln_advi_free(v);
    }
    CHECK(limits > 0);
}

/* ---- weights */

static bln_chains *edges_table(size_t columns, const char *const *names, size_t n, const double *rows)
{
    bln_chains_desc d = BLN_ZERO;
    bln_chains *c = NULL;
    d.draws = n;
    d.columns = columns;
    d.names = names;
    CHECK_OK(bln_chains_create(&d, &c, NULL));
    for (size_t i = 0; i < n; i++) CHECK_OK(bln_chains_add(c, rows + i*columns, NULL));
    return c;
}

/* Twenty draws of equal weight are few, but all that there are. Of three log weights of 10^15, which are known to 1/8, each has
 * e^-9/8 of the sum: 0.026 are left over for the last one. */
TEST(sampling_edges, weights)
{
    static const char *const two[] = { "lp__", "lp_approx__" }, *const named[] = { "x", "log_weight__" };
    double rows[40], heavy[6] = { 0.0, 1e15, 1.0, 1e15, 2.0, 1e15 };
    size_t times[3] = { 0, 0, 0 };
    bln_importance o;
    bln_report report;
    bln_chains *made = NULL;
    for (size_t i = 0; i < 20; i++) { rows[2*i] = -1.0 - (double)i; rows[2*i + 1] = rows[2*i] + 0.5; }
    bln_chains *c = edges_table(2, two, 20, rows);
    CHECK_OK(bln_chains_importance(c, &o, &report));
    CHECK(o.good && fabs(o.ess - 20.0) < 1e-9);
    bln_chains_free(c);
    c = edges_table(2, named, 3, heavy);
    CHECK_OK(bln_chains_resample(c, 1000, 1, 1, &made, &report));
    for (size_t i = 0; i < 1000; i++) times[(size_t)bln_chains_table(made)[2*i]]++;
    for (int k = 0; k < 3; k++) CHECK_NEAR((double)times[k], k < 2 ? 1000.0*exp(-1.125) : 1000.0*(1.0 - 2.0*exp(-1.125)), 1.0);
    bln_chains_free(made);
    bln_chains_free(c);
}

/* ---- samplers' own */

static bln_status edges_clone(void *user, const bln_allocator *alloc, void **out)
{
    edges_world *w = (edges_world *)user;
    (void)alloc;
    if (w->batches++ == w->fail_batch) return BLN_ENOMEM;
    *out = user;
    return BLN_OK;
}
static void edges_release(void *user) { ((edges_world *)user)->batches--; }
static bln_status edges_stop(void *user, const bln_hmc_progress *p) { (void)user; (void)p; return BLN_ESTOPPED; }

TEST(sampling_edges, chains)
{
    const double metric[2] = { 1.0, NAN }, skew[4] = { 1.0, 5.0, 5.0, 1.0 };
    edges_world w = edges_new(2);
    bln_hmc_desc hmc = BLN_ZERO;
    bln_hmc *h = NULL;
    bln_hmc_chain state;
    bln_chains *chains = NULL;
    bln_report report;
    hmc.density = edges_density(&w, 0);
    hmc.warmup = hmc.draws = 20;
    hmc.inverse_metric = metric;
    CHECK_STATUS(bln_hmc_create(&hmc, &h, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 1);
    hmc.inverse_metric = NULL;
    CHECK_OK(bln_hmc_create(&hmc, &h, &report));
    CHECK_OK(bln_hmc_init(h, &report));
    CHECK_OK(bln_hmc_chain_state(h, 0, &state));
    CHECK(state.accept != state.accept && state.divergent == 0);                     /* of no draws yet */
    CHECK_STATUS(bln_hmc_chain_state(h, 0, NULL), BLN_EINVAL);
    bln_hmc_free(h);
    hmc.monitor = edges_stop;
    CHECK_OK(bln_hmc_sample(&hmc, &chains, NULL));
    bln_chains_free(chains);
    hmc.monitor = NULL;
    hmc.density.clone = edges_clone;
    hmc.density.release = edges_release;
    w.fail_batch = 1;                                            /* of the third chain of four */
    CHECK_STATUS(bln_hmc_create(&hmc, &h, &report), BLN_ENOMEM);
    CHECK_TEXT(report.text, "the density cannot be cloned");
    CHECK_SIZE(w.batches, 1);                                    /* what was made is released; the call that failed counts */
    /* A spread that is that of no positions leaves the metric as it was. */
    double mean[2], scatter[4], d[2], U[4] = { 1.0, 0.0, 0.0, 1.0 };
    blni_spread s = { 2, 100, 1, mean, scatter, d };
    memcpy(scatter, skew, sizeof skew);
    for (int i = 0; i < 4; i++) scatter[i] *= 100.0;
    CHECK(!blni_spread_metric(&s, NULL, U));
    CHECK(U[0] == 1.0 && U[1] == 0.0 && U[3] == 1.0);
}

/* A pair by which -log p curves downwards teaches nothing; a covariance that is no number is none of a path. */
TEST(sampling_edges, paths)
{
    edges_world w = edges_new(2);
    bln_pathfinder_desc desc = BLN_ZERO;
    bln_pathfinder *p = NULL;
    bln_report report;
    const double s[2] = { 1.0, 0.5 }, z[2] = { -1.0, -0.5 };
    desc.density = edges_density(&w, 0);
    CHECK_OK(bln_pathfinder_fit(&desc, &p, &report));
    const size_t m = p->w.m;
    const double alpha = p->w.alpha[0], elbo = p->path[0].elbo;
    blni_path_learn(&p->w, 2, p->desc.memory, s, z);
    CHECK(p->w.m == m && p->w.alpha[0] == alpha);
    CHECK(m > 0);
    p->w.alpha[0] = NAN;
    CHECK_OK(blni_pathfinder_look(p, 0, 0, &report));
    CHECK(p->path[0].elbo == elbo);
    bln_pathfinder_free(p);
}

SUITE_BEGIN(sampling_edges)
SUITE_TEST(sampling_edges, odd_densities)
SUITE_TEST(sampling_edges, parts_of_densities)
SUITE_TEST(sampling_edges, approximations_that_are_lost)
SUITE_TEST(sampling_edges, weights)
SUITE_TEST(sampling_edges, chains)
SUITE_TEST(sampling_edges, paths)
SUITE_TEST(sampling_edges, every_call_may_fail)
SUITE_TEST(sampling_edges, small_supports)
SUITE_END(sampling_edges)
