/* test_hmc: moments that are known, by both methods and all metrics; what must diverge does; the same bits however the steps are
 * taken; ranks of simulated truths are uniform; failures leave the draws as they were */
#include "../test.h"
#include "densities.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static bln_chains *hmc_draws(const bln_hmc_desc *desc)
{
    bln_chains *c = NULL;
    bln_report report;
    const bln_status status = bln_hmc_sample(desc, &c, &report);
    if (status != BLN_OK) printf("    %s\n", report.text);
    CHECK_OK(status);
    return c;
}

static bln_summary hmc_summary(const bln_chains *c, const char *name)
{
    bln_summary s;
    memset(&s, 0, sizeof s);
    CHECK_OK(bln_chains_summary(c, bln_chains_find(c, name), &s, NULL));
    return s;
}

/* Mean and sd within 5 of their Monte Carlo errors, and these small. */
static void hmc_moments(const bln_chains *c, const char *name, double mean, double sd, double precision)
{
    const bln_summary s = hmc_summary(c, name);
    CHECK_NEAR(s.mean, mean, 5.0*s.mcse_mean);
    CHECK_NEAR(s.sd, sd, 5.0*s.mcse_sd);
    CHECK_LE(s.mcse_mean, precision*sd);
    CHECK_LE(s.rhat, 1.02);
}

TEST(hmc, normals)
{
    size_t dims[] = { 1, 2, 20, 100 };
    for (size_t k = 0; k < 4; k++)
        for (int metric = 0; metric < 3; metric++) {
            /* In 100 dimensions the first dense metrics, of 25 positions, make steps small. */
            if (dims[k] == 100 && metric != BLN_METRIC_DIAGONAL) continue;
            bln_hmc_desc desc = BLN_ZERO;
            char name[32];
            desc.density = density_made(dims[k], density_normals);
            desc.density.user = dims + k;
            desc.metric = (bln_metric)metric;
            desc.seed = 3;
            if (dims[k] == 100) desc.warmup = desc.draws = 500;
            bln_chains *c = hmc_draws(&desc);
            for (size_t i = 0; i < dims[k]; i += 9) {
                sprintf(name, "q[%d]", (int)i + 1);
                hmc_moments(c, name, 0.0, 1.0 + (double)(i % 10), 0.05);
            }
            bln_chains_free(c);
        }
}

/* The variance of a square of a normal is 2, and the error of the second moment that of a mean. Trajectories of nearly one length
 * come back close to where they began for some steps that the warm-up finds, of one seed in thirty: so the step varies widely. */
TEST(hmc, fixed_length)
{
    for (int metric = 0; metric < 3; metric++) {
        bln_hmc_desc desc = BLN_ZERO;
        desc.density = density_made(3, density_banana);
        desc.method = BLN_HMC_STATIC;
        desc.leapfrogs = 6;
        desc.jitter = 0.35;
        desc.metric = (bln_metric)metric;
        desc.draws = 4000;
        bln_chains *c = hmc_draws(&desc);
        hmc_moments(c, "q[1]", 0.0, 1.0, 0.05);
        hmc_moments(c, "q[2]", 0.5, sqrt(0.75), 0.08);                              /* (q0^2 - 1)/2 has variance 1/2 */
        hmc_moments(c, "q[3]", 0.0, 3.14159265358979/sqrt(3.0), 0.05);
        CHECK(bln_chains_table(c)[bln_chains_find(c, "n_leapfrog__")] == 6.0);
        bln_chains_free(c);
    }
}

/* tau ~ half-Cauchy(1), in log tau: moments it has none, quantiles tan(pi p/2). */
static bln_status hmc_half_cauchy(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)user; (void)report;
    *value = q[0] - bln_log1pexp(2.0*q[0]);
    if (gradient) gradient[0] = 1.0 - 2.0*bln_sigmoid(2.0*q[0]);
    return BLN_OK;
}
static void hmc_exponential(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    (void)user; (void)seed;
    out[0] = exp(q[0]);
    out[1] = (double)draw;
}
static void hmc_name(void *user, size_t k, char *text, size_t size)
{
    (void)user;
    CHECK(size >= 32);
    strcpy(text, k ? "number" : "tau");
}

TEST(hmc, quantiles_of_a_half_cauchy)
{
    static const double p[] = { 0.05, 0.25, 0.5, 0.9, 0.99 };
    bln_hmc_desc desc = BLN_ZERO;
    desc.density = density_made(1, hmc_half_cauchy);
    desc.density.n_out = 2;
    desc.density.output = hmc_exponential;
    desc.density.name = hmc_name;
    desc.draws = 4000;
    bln_chains *c = hmc_draws(&desc);
    const bln_series s = bln_chains_series(c, bln_chains_find(c, "tau"));
    double *work = test_doubles(bln_series_work(&s)), q = 0.0, mcse = 0.0;
    for (size_t i = 0; i < 5; i++) {
        const double truth = tan(0.5*3.14159265358979*p[i]);
        CHECK_OK(bln_series_quantile(&s, p[i], &q, NULL, &mcse, work, NULL));
        CHECK_NEAR(q, truth, 5.0*mcse);
        CHECK_LE(mcse, 0.25*truth);
    }
    CHECK(!strcmp(bln_chains_name(c, 1), "number") && bln_chains_parameters(c) == 2);
    CHECK(bln_chains_table(c)[(7*4 + 3)*bln_chains_columns(c) + 1] == 3.0*4294967296.0 + 7.0);
    free(work);
    bln_chains_free(c);
}

TEST(hmc, eight_schools)
{
    for (int metric = 0; metric < 2; metric++) {
        bln_hmc_desc desc = BLN_ZERO;
        desc.density = density_made(10, density_schools);
        desc.metric = (bln_metric)metric;
        desc.draws = 5000;
        desc.accept = 0.9;
        desc.seed = 8;
        CHECK_OK(bln_density_check(&desc.density, NULL, NULL, NULL));
        bln_chains *c = hmc_draws(&desc);
        const bln_series s = bln_chains_series(c, 1);
        double *tau = test_doubles(4*5000), *work = test_doubles(bln_series_work(&s));
        bln_series t = BLN_ZERO;
        bln_summary o;
        hmc_moments(c, "q[1]", 4.396821, 3.317704, 0.015);
        CHECK_NEAR(hmc_summary(c, "q[2]").mean, 0.802139, 5.0*hmc_summary(c, "q[2]").mcse_mean);
        t.x = tau;
        t.chains = 4;
        t.draws = 5000;
        for (size_t i = 0; i < 4*5000; i++) tau[(i % 4)*5000 + i/4] = exp(s.x[i*bln_chains_columns(c)]);
        CHECK_OK(bln_series_summary(&t, &o, work, NULL));
        CHECK_NEAR(o.mean, 3.597705, 4.0*o.mcse_mean);
        CHECK_NEAR(o.sd, 3.219958, 4.0*o.mcse_sd);
        CHECK_LE(o.mcse_mean, 0.06);
        free(tau);
        free(work);
        bln_chains_free(c);
    }
}

/* The funnel is not to be entered with one step for all; normals of correlation 0.95 are no trouble. */
TEST(hmc, divergences)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_diagnosis d;
    desc.density = density_made(2, density_correlated);
    bln_chains *c = hmc_draws(&desc);
    CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
    CHECK(d.divergent == 0 && d.text[0] == '\0');
    hmc_moments(c, "q[1]", 0.0, 1.0, 0.05);
    bln_chains_free(c);
    desc.density = density_made(2, density_funnel);
    c = hmc_draws(&desc);
    CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
    CHECK(d.divergent > 50);
    CHECK_TEXT(d.text, "diverged");
    CHECK_TEXT(d.text, "Raise accept");
    bln_chains_free(c);
}

static void hmc_same(const bln_chains *a, const bln_chains *b)
{
    const size_t n = bln_chains_draws(a)*bln_chains_count(a)*bln_chains_columns(a);
    CHECK_SIZE(bln_chains_draws(b), bln_chains_draws(a));
    CHECK(a && b && !memcmp(bln_chains_table(a), bln_chains_table(b), n*sizeof(double)));
}

/* A density with a state, which must not be used by two threads at once. */
typedef struct hmc_state { int busy, clones, released, fail_at, calls; struct hmc_state *origin; } hmc_state;
static bln_status hmc_stateful(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    hmc_state *s = (hmc_state *)user;
    if (s->busy) return BLN_EPEER;
    s->busy = 1;
    const bln_status status = density_schools(NULL, q, value, gradient, report);
    s->busy = 0;
    if (s->fail_at && ++s->calls == s->fail_at) {
        if (report) strcpy(report->text, "the disk is full");
        return BLN_EIO;
    }
    return status;
}
static bln_status hmc_clone(void *user, const bln_allocator *alloc, void **out)
{
    hmc_state *s = (hmc_state *)user, *copy;
    (void)alloc;
    if (s->fail_at < 0 && s->clones == -s->fail_at) return BLN_ENOMEM;
    copy = (hmc_state *)malloc(sizeof *copy);
    if (!copy) return BLN_ENOMEM;
    memset(copy, 0, sizeof *copy);
    copy->origin = s;
    s->clones++;
    *out = copy;
    return BLN_OK;
}
static void hmc_release(void *user)
{
    ((hmc_state *)user)->origin->released++;
    free(user);
}

/* Whatever the block of a step, the threads, and the clones; a chain does not depend on how many there are. */
TEST(hmc, the_same_bits)
{
    static const size_t blocks[] = { 1, 7, 1000 };
    bln_hmc_desc desc = BLN_ZERO;
    hmc_state state;
    memset(&state, 0, sizeof state);
    desc.density = density_made(10, density_schools);
    desc.warmup = 160;
    desc.draws = 60;
    desc.thin = 2;
    desc.seed = 42;
    bln_chains *first = hmc_draws(&desc);
    for (size_t k = 0; k < 3; k++) {
        desc.block = blocks[k];
        bln_chains *c = hmc_draws(&desc);
        hmc_same(first, c);
        bln_chains_free(c);
    }
    desc.density.parallel = 1;
    for (int threads = 1; threads < 4; threads++) {
#ifdef _OPENMP
        const int before = omp_get_max_threads();
        omp_set_num_threads(threads);
#endif
        bln_chains *c = hmc_draws(&desc);
        hmc_same(first, c);
        bln_chains_free(c);
#ifdef _OPENMP
        omp_set_num_threads(before);
#endif
    }
    desc.density = density_made(10, hmc_stateful);
    desc.density.user = &state;
    desc.density.clone = hmc_clone;
    desc.density.release = hmc_release;
    bln_chains *c = hmc_draws(&desc);
    hmc_same(first, c);
    bln_chains_free(c);
    CHECK(state.clones == 3 && state.released == 3);
    desc.chains = 1;
    c = hmc_draws(&desc);
    const size_t columns = bln_chains_columns(c);
    for (size_t i = 0; i < 60; i++)
        CHECK(!memcmp(bln_chains_table(c) + i*columns, bln_chains_table(first) + 4*i*columns, columns*sizeof(double)));
    bln_chains_free(c);
    desc.seed = 43;
    c = hmc_draws(&desc);
    CHECK(bln_chains_table(c)[0] != bln_chains_table(first)[0]);
    bln_chains_free(c);
    bln_chains_free(first);
}

/* In steps, with a density that fails on the way: the draws before stay, and what follows is what would have been. Wherever it
 * fails: in a trajectory, or where the step is searched for after a window. */
TEST(hmc, failures_are_got_over)
{
    bln_hmc_desc desc = BLN_ZERO;
    hmc_state state;
    memset(&state, 0, sizeof state);
    desc.density = density_made(10, hmc_stateful);
    desc.density.user = &state;
    desc.warmup = 150;
    desc.draws = 20;
    desc.chains = 2;
    bln_chains *want = hmc_draws(&desc);
    for (int at = 3; at < 6000; at += at < 100 ? 31 : 97) {
        bln_hmc *hmc = NULL;
        bln_report report;
        size_t failures = 0;
        state.fail_at = at;
        state.calls = 0;
        CHECK_OK(bln_hmc_create(&desc, &hmc, &report));
        const bln_status status = bln_hmc_init(hmc, &report);
        if (status != BLN_OK) {                                                     /* from the start, then */
            CHECK_STATUS(status, BLN_EIO);
            CHECK_STATUS(bln_hmc_step(hmc, &report), BLN_ESTATE);
            CHECK_OK(bln_hmc_init(hmc, &report));
        }
        while (!bln_hmc_converged(hmc)) {
            const bln_status step = bln_hmc_step(hmc, &report);
            if (step == BLN_OK) continue;
            CHECK_STATUS(step, BLN_EIO);
            CHECK_TEXT(report.text, "the disk is full");
            CHECK(report.row < 2);
            if (++failures > 1) break;
        }
        hmc_same(want, bln_hmc_chains(hmc));
        bln_hmc_free(hmc);
    }
    bln_chains_free(want);
}

typedef struct hmc_watch { size_t calls, stop_at; bln_status with; bln_hmc_progress last; } hmc_watch;
static bln_status hmc_monitor(void *user, const bln_hmc_progress *p)
{
    hmc_watch *w = (hmc_watch *)user;
    w->last = *p;
    return ++w->calls == w->stop_at ? w->with : BLN_OK;
}

TEST(hmc, monitor)
{
    bln_hmc_desc desc = BLN_ZERO;
    hmc_watch w = BLN_ZERO;
    bln_report report;
    size_t dim = 2;
    bln_chains *c = NULL;
    desc.density = density_made(2, density_normals);
    desc.density.user = &dim;
    desc.warmup = 100;
    desc.draws = 300;
    desc.block = 40;
    desc.monitor = hmc_monitor;
    desc.monitor_user = &w;
    c = hmc_draws(&desc);
    CHECK(w.calls == 10 && w.last.transition == 400 && w.last.warmup == 100 && w.last.transitions == 400);
    CHECK(w.last.evaluations > 4*400 && bln_chains_draws(c) == 300);
    bln_chains_free(c);
    w.calls = 0;
    w.stop_at = 6;
    w.with = BLN_ESTOPPED;
    CHECK_OK(bln_hmc_sample(&desc, &c, &report));
    CHECK(report.stop == BLN_STOP_MONITOR && bln_chains_draws(c) == 140 && report.iterations == 4*240);
    CHECK_OK(bln_chains_diagnose(c, NULL, &(bln_diagnosis){ 0 }, &report));
    bln_chains_free(c);
    w.calls = 0;
    w.with = BLN_EIO;
    CHECK_STATUS(bln_hmc_sample(&desc, &c, &report), BLN_EIO);
    CHECK_TEXT(report.text, "monitor");
}

/* What is given stays; what is learnt is near what it should be. */
TEST(hmc, starts_steps_and_metrics)
{
    static const double start[4] = { 1.0, 2.0, 3.0, 4.0 }, diagonal[2] = { 1.0, 4.0 }, dense[4] = { 1.0, 0.5, -7.0, 2.0 };
    bln_hmc_desc desc = BLN_ZERO;
    bln_hmc *hmc = NULL;
    bln_hmc_chain state;
    size_t dim = 2;
    desc.density = density_made(2, density_normals);
    desc.density.user = &dim;
    desc.fixed = 1;
    desc.step = 1e-9;
    desc.max_depth = 1;
    desc.start = start;
    desc.n_starts = 2;
    desc.draws = 1;
    desc.inverse_metric = diagonal;
    CHECK_OK(bln_hmc_create(&desc, &hmc, NULL));
    CHECK_OK(bln_hmc_run(hmc, NULL));
    for (size_t c = 0; c < 4; c++) {
        CHECK_OK(bln_hmc_chain_state(hmc, c, &state));
        CHECK(state.step == 1e-9 && state.saturated == 1 && state.evaluations == 3 && !state.factor);
        CHECK(state.scale[0] == 1.0 && state.scale[1] == 2.0);
        for (size_t i = 0; i < 2; i++) CHECK_NEAR(bln_chains_table(bln_hmc_chains(hmc))[c*9 + i], start[(c % 2)*2 + i], 1e-7);
    }
    CHECK_STATUS(bln_hmc_chain_state(hmc, 4, &state), BLN_EINVAL);
    bln_hmc_free(hmc);
    desc.metric = BLN_METRIC_DENSE;
    desc.inverse_metric = dense;
    CHECK_OK(bln_hmc_create(&desc, &hmc, NULL));
    CHECK_OK(bln_hmc_run(hmc, NULL));
    CHECK_OK(bln_hmc_chain_state(hmc, 1, &state));
    CHECK(!state.scale && state.factor[0] == 1.0 && state.factor[1] == 0.5 && state.factor[2] == 0.0);
    CHECK_NEAR(state.factor[3], sqrt(1.75), 1e-15);
    bln_hmc_free(hmc);
    memset(&desc, 0, sizeof desc);
    desc.density = density_made(2, density_normals);
    desc.density.user = &dim;
    CHECK_OK(bln_hmc_create(&desc, &hmc, NULL));
    CHECK_OK(bln_hmc_run(hmc, NULL));
    for (size_t c = 0; c < 4; c++) {
        CHECK_OK(bln_hmc_chain_state(hmc, c, &state));
        CHECK_NEAR(log(state.scale[1]/state.scale[0]/2.0), 0.0, 0.35);
        CHECK(state.accept > 0.7 && state.accept < 0.98 && state.step > 0.3 && state.step < 2.0);
        CHECK(state.divergent == 0 && state.saturated == 0 && state.rejected == 0);
    }
    /* E e^-H is the same for the draws of energy: E (H - min) = D for D normals and their momenta. */
    const bln_series energy = bln_chains_series(bln_hmc_chains(hmc), bln_chains_find(bln_hmc_chains(hmc), "energy__"));
    double mean = 0.0;
    for (size_t i = 0; i < 4000; i++) mean += energy.x[i*9]/4000.0;
    CHECK_NEAR(mean, 2.0, 0.15);
    bln_hmc_free(hmc);
}

/* After each window the chain takes up the new metric before it goes on: one more evaluation where it stands, a search for the
 * step, and dual averaging from there. */
TEST(hmc, windows_begin_anew)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_hmc *hmc = NULL;
    size_t dim = 3, windows = 0;
    desc.density = density_made(3, density_normals);
    desc.density.user = &dim;
    desc.chains = 1;
    desc.warmup = 300;
    desc.block = 1;
    CHECK_OK(bln_hmc_create(&desc, &hmc, NULL));
    CHECK_OK(bln_hmc_init(hmc, NULL));
    const blni_hmc_chain *k = hmc->chain;
    for (size_t t = 1; t <= 300; t++) {
        const double scale = k->system.scale[1];
        CHECK_OK(bln_hmc_step(hmc, NULL));
        CHECK_SIZE(k->t, t);
        const int new_metric = k->system.scale[1] != scale;
        CHECK(new_metric == (t == 100 || t == 150 || t == 250));
        CHECK(k->unsettled == new_metric && (windows == 0 || k->averaging.t == t - windows || new_metric));
        if (new_metric) windows = t;
        CHECK_SIZE(k->spread.n, t < 75 || t >= 250 ? 0 : t - (t < 100 ? 75 : t < 150 ? 100 : 150));
        if (!new_metric)
            for (size_t i = 0; i < 3; i++)
                CHECK_REL(k->now.h[i], -k->system.scale[i]*k->now.q[i]/pow(1.0 + (double)i, 2.0), 1e-14);
    }
    CHECK_NEAR(log(k->system.scale[2]/3.0), 0.0, 0.6);
    bln_hmc_free(hmc);
}

/* SIMULATION-BASED CALIBRATION [samplers 46]: mu ~ N(0, 1), log sigma ~ N(0, 1/4), y_i ~ N(mu, sigma), 6 rows. */
typedef struct hmc_data { double y[6]; } hmc_data;
static bln_status hmc_normal_rows(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const hmc_data *d = (const hmc_data *)user;
    const double w = exp(-2.0*q[1]);
    double g[2] = { -q[0], -4.0*q[1] };
    (void)report;
    *value = -0.5*q[0]*q[0] - 2.0*q[1]*q[1];
    for (size_t i = 0; i < 6; i++) {
        const double e = d->y[i] - q[0];
        *value -= 0.5*w*e*e + q[1];
        g[0] += w*e;
        g[1] += w*e*e - 1.0;
    }
    if (gradient) memcpy(gradient, g, sizeof g);
    return BLN_OK;
}

static bln_status hmc_simulate(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    hmc_data *d = (hmc_data *)user;
    (void)report;
    truth[0] = bln_rng_normal(rng);
    truth[1] = 0.5*bln_rng_normal(rng);
    for (size_t i = 0; i < 6; i++) d->y[i] = truth[0] + exp(truth[1])*bln_rng_normal(rng);
    return BLN_OK;
}
static bln_status hmc_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    bln_hmc_desc desc = BLN_ZERO;
    (void)report;
    desc.density = density_made(2, hmc_normal_rows);
    desc.density.user = user;
    desc.chains = 1;
    desc.warmup = 200;
    desc.draws = n;
    desc.seed = bln_rng_next(rng);
    bln_chains *c = hmc_draws(&desc);
    for (size_t i = 0; i < 2*n; i++) draws[i] = bln_chains_table(c)[i/2*9 + i % 2];
    bln_chains_free(c);
    return BLN_OK;
}

TEST(hmc, calibration)
{
    bln_sbc_desc desc = BLN_ZERO;
    bln_sbc sbc;
    bln_sbc_rank of[2];
    hmc_data data;
    desc.quantities = 2;
    desc.draws = 31;
    desc.thin = 4;
    desc.replicates = TEST_MANY(0, 60);
    desc.simulate = hmc_simulate;
    desc.infer = hmc_infer;
    desc.user = &data;
    CHECK_OK(bln_sbc_run(&desc, &sbc, of, NULL, NULL));
    CHECK(sbc.uniform && fabs(of[0].correlation) < 0.1 && fabs(of[1].correlation) < 0.1);
}

/* ---- what is refused */

static bln_status hmc_nowhere(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)q; (void)gradient;
    *value = -HUGE_VAL;
    if (*(int *)user && report) strcpy(report->text, "tau is negative");
    return *(int *)user ? BLN_EDOMAIN : BLN_OK;
}

TEST(hmc, impossible_starts)
{
    static const double far[1] = { 1e200 };
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report;
    int says = 0;
    size_t dim = 1;
    desc.density = density_made(1, hmc_nowhere);
    desc.density.user = &says;
    CHECK_STATUS(bln_hmc_sample(&desc, &c, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "100 random starts");
    CHECK_SIZE(report.row, 0);
    says = 1;
    CHECK_STATUS(bln_hmc_sample(&desc, &c, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "tau is negative");
    desc.density = density_made(1, density_normals);
    desc.density.user = &dim;
    desc.start = far;
    CHECK_STATUS(bln_hmc_sample(&desc, &c, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "at the start");
    CHECK(c == NULL);
}

/* Of two coordinates: 0 no bound of both, 1 of one, 2 growing with one, 3 only a point is possible, 4 NaN slopes beyond a line,
 * 5 wide tails, 6 scales of 1 and 1e6. */
static bln_status hmc_strange(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const int kind = *(int *)user;
    double g[2] = { 0.0, 0.0 };
    (void)report;
    *value = 0.0;
    if (kind == 1 || kind == 2 || kind == 4) { *value = -0.5*q[1]*q[1]; g[1] = -q[1]; }
    if (kind == 2) { *value += q[0]; g[0] = 1.0; }
    if (kind == 3 && !(q[0] == 0.5 && q[1] == 0.5)) *value = -HUGE_VAL;
    if (kind == 4) { *value -= 0.5*q[0]*q[0]; g[0] = q[0] > 1.0 ? sqrt(-q[0]) : -q[0]; }
    for (size_t i = 0; i < 2 && kind == 5; i++) { *value -= log1p(q[i]*q[i]); g[i] = -2.0*q[i]/(1.0 + q[i]*q[i]); }
    for (size_t i = 0; i < 2 && kind == 6; i++) { const double w = i ? 1e-12 : 1.0; *value -= 0.5*w*q[i]*q[i]; g[i] = -w*q[i]; }
    if (gradient) memcpy(gradient, g, sizeof g);
    return BLN_OK;
}

/* No integral, and nowhere to go: refused in the warm-up, with any metric and however many transitions a step has. Slopes that are
 * NaN turn transitions back, which is said; tails and scales are no trouble. */
TEST(hmc, densities_that_are_none)
{
    static const double start[2] = { 0.5, 0.5 };
    for (int kind = 0; kind < 7; kind++)
        for (int way = 0; way < 3; way++) {
            bln_hmc_desc desc = BLN_ZERO;
            bln_chains *c = NULL;
            bln_report report;
            bln_diagnosis d;
            if (way && kind != 1 && kind != 3) continue;
            desc.density = density_made(2, hmc_strange);
            desc.density.user = &kind;
            desc.metric = way == 1 ? BLN_METRIC_DENSE : BLN_METRIC_DIAGONAL;
            desc.block = way == 2 ? 5000 : 0;
            desc.chains = 2;
            desc.warmup = kind < 4 ? 0 : TEST_MANY(0, 150);
            desc.draws = kind < 4 ? 10 : TEST_MANY(1000, 200);
            if (kind == 3) desc.start = start;
            const bln_status status = bln_hmc_sample(&desc, &c, &report);
            CHECK_STATUS(status, kind < 4 ? BLN_EUNDEFINED : BLN_OK);
            if (kind < 4) CHECK_TEXT(report.text, kind == 3 ? "no chain has moved" : "without bound");
            if (status != BLN_OK) continue;
            CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
            CHECK(kind != 4 || d.divergent > 50);
            bln_chains_free(c);
        }
}

TEST(hmc, memory_runs_out)
{
    test_heap heap;
    bln_hmc_desc desc = BLN_ZERO;
    hmc_state state;
    memset(&state, 0, sizeof state);
    desc.density = density_made(10, hmc_stateful);
    desc.density.user = &state;
    desc.metric = BLN_METRIC_DENSE;
    desc.warmup = desc.draws = 25;
    desc.alloc = test_heap_allocator(&heap);
    for (size_t n = 0; n < 2; n++) {
        bln_hmc *hmc = NULL;
        heap.calls = 0;
        heap.fail_at = n;
        CHECK_STATUS(bln_hmc_create(&desc, &hmc, NULL), BLN_ENOMEM);
        CHECK(hmc == NULL && heap.live == 0);
    }
    heap.fail_at = (size_t)-1;
    heap.peak_bytes = heap.calls = 0;
    bln_hmc *hmc = NULL;
    CHECK_OK(bln_hmc_create(&desc, &hmc, NULL));
    CHECK_SIZE(heap.peak_bytes, bln_hmc_size(&desc));
    CHECK_OK(bln_hmc_run(hmc, NULL));
    CHECK_OK(bln_hmc_run(hmc, NULL));
    CHECK_SIZE(heap.calls, 2);
    bln_hmc_free(hmc);
    CHECK_SIZE(heap.live, 0);
    desc.density.clone = hmc_clone;
    desc.density.release = hmc_release;
    state.fail_at = -2;
    CHECK_STATUS(bln_hmc_create(&desc, &hmc, NULL), BLN_ENOMEM);
    CHECK(heap.live == 0 && state.clones == 2 && state.released == 2);
    desc.density.dim = (size_t)-1/4;
    CHECK(bln_hmc_size(&desc) == (size_t)-1);
}

static void hmc_bad_name(void *user, size_t k, char *text, size_t size)
{
    (void)user; (void)size;
    strcpy(text, k ? "b\n" : "a");
}

TEST(hmc, errors)
{
    static const double zero[2] = { 1.0, 0.0 }, indefinite[4] = { 1.0, 2.0, 0.0, 1.0 }, bad[2] = { 0.0, NAN };
    bln_hmc_desc good = BLN_ZERO;
    bln_hmc *hmc = NULL;
    bln_report report;
    size_t dim = 2;
    good.density = density_made(2, density_normals);
    good.density.user = &dim;
    CHECK(bln_hmc_check(&good) == NULL);
    CHECK_TEXT(bln_hmc_check(NULL), "no desc");
#define HMC_WRONG(change, status, why) do { \
        bln_hmc_desc d = good; \
        change; \
        CHECK_STATUS(bln_hmc_create(&d, &hmc, &report), status); \
        CHECK_TEXT(report.text, why); \
        CHECK(hmc == NULL); \
    } while (0)
    HMC_WRONG(d.density.eval = NULL, BLN_EINVAL, "eval");
    HMC_WRONG(d.method = (bln_hmc_method)9, BLN_EINVAL, "method");
    HMC_WRONG(d.metric = (bln_metric)9, BLN_EINVAL, "metric");
    HMC_WRONG(d.accept = 1.0, BLN_EINVAL, "accept");
    HMC_WRONG(d.accept = NAN, BLN_EINVAL, "accept");
    HMC_WRONG(d.max_depth = 31, BLN_EINVAL, "max_depth");
    HMC_WRONG(d.jitter = 1.0, BLN_EINVAL, "jitter");
    HMC_WRONG(d.step = -1.0, BLN_EINVAL, "step");
    HMC_WRONG(d.radius = HUGE_VAL, BLN_EINVAL, "radius");
    HMC_WRONG(d.chains = (size_t)1 << 21, BLN_EINVAL, "chains");
    HMC_WRONG(d.alloc.alloc = test_heap_alloc, BLN_EINVAL, "allocator");
    HMC_WRONG((d.metric = BLN_METRIC_UNIT, d.inverse_metric = zero), BLN_EINVAL, "unit");
    HMC_WRONG(d.inverse_metric = zero, BLN_EINVAL, "not > 0, column 1");
    HMC_WRONG((d.metric = BLN_METRIC_DENSE, d.inverse_metric = indefinite), BLN_ENOTPD, "positive definite");
    HMC_WRONG(d.start = bad, BLN_EINVAL, "row 0, column 1");
    HMC_WRONG(d.density.name = hmc_bad_name, BLN_EINVAL, "line end, column 1");
#undef HMC_WRONG
    CHECK_STATUS(bln_hmc_step(NULL, &report), BLN_EINVAL);
    CHECK_OK(bln_hmc_create(&good, &hmc, &report));
    CHECK_STATUS(bln_hmc_step(hmc, &report), BLN_ESTATE);
    CHECK(bln_hmc_converged(hmc));
    bln_hmc_free(hmc);
}

SUITE_BEGIN(hmc)
SUITE_TEST(hmc, normals)
SUITE_TEST(hmc, fixed_length)
SUITE_TEST(hmc, quantiles_of_a_half_cauchy)
SUITE_TEST(hmc, eight_schools)
SUITE_TEST(hmc, divergences)
SUITE_TEST(hmc, the_same_bits)
SUITE_TEST(hmc, failures_are_got_over)
SUITE_TEST(hmc, monitor)
SUITE_TEST(hmc, starts_steps_and_metrics)
SUITE_TEST(hmc, windows_begin_anew)
SUITE_TEST(hmc, calibration)
SUITE_TEST(hmc, impossible_starts)
SUITE_TEST(hmc, densities_that_are_none)
SUITE_TEST(hmc, memory_runs_out)
SUITE_TEST(hmc, errors)
SUITE_END(hmc)
