/* The generalised linear model as an object: options, errors, steps, sources, memory. */
#include "glm_tools.h"

/* The methods, and those by batches. */
enum { GLM_STOCHASTIC = GLM_NUTS, GLM_MAP_BATCH, GLM_FULL_BATCH, GLM_KINDS };

static bln_glm_desc glm_object_desc(const bln_basis *b, int kind)
{
    bln_glm_desc d = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    const glm_way way = kind == GLM_STOCHASTIC ? GLM_MIXTURE : kind == GLM_MAP_BATCH ? GLM_MAP
                      : kind == GLM_FULL_BATCH ? GLM_FULL : (glm_way)kind;
    glm_options options = glm_no_options();
    options.components = 2;
    options.steps.batch = kind >= GLM_STOCHASTIC ? 7 : 0;
    options.nodes = 8;
    d.method = glm_by(way, &options);
    return d;
}

TEST(glm, options)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    const bln_glm_desc good = glm_object_desc(b, 1);
    const double bad[] = { -1.0, 1.0 }, flat[] = { HUGE_VAL, 1.0 }, zero = 0.0;
    bln_glm_desc d;
    bln_glm *glm = NULL;
    CHECK(bln_glm_check(&good) == NULL);
    CHECK_TEXT(bln_glm_check(NULL), "NULL");
    CHECK_SIZE(bln_glm_defaults(NULL).block, 256);
#define GLM_REFUSES(CHANGE, TEXT) do { d = good; CHANGE; CHECK_TEXT(bln_glm_check(&d) ? bln_glm_check(&d) : "fine", TEXT); \
        CHECK_STATUS(bln_glm_create(&d, &glm, NULL), BLN_EINVAL); CHECK(glm == NULL); \
        CHECK_SIZE(bln_glm_size(&d, 0), (size_t)-1); } while (0)
#define GLM_REFUSES_OF(WAY, CHANGE, TEXT) do { glm_options o = glm_no_options(); \
        GLM_REFUSES((CHANGE, d.method = glm_by(WAY, &o)), TEXT); } while (0)
    GLM_REFUSES(d.basis = NULL, "basis");
    GLM_REFUSES(d.likelihood.ops = NULL, "likelihood");
    GLM_REFUSES(d.fix_prior_var = 1, "fix_prior_var");
    GLM_REFUSES(d.prior_var = bad, ">= 0");
    for (int k = 1; k < GLM_NUTS; k++) {
        const glm_way way = (glm_way)k;
        if (way != GLM_MAP) GLM_REFUSES_OF(way, d.prior_var = flat, "flat");
        if (way == GLM_INTEGRATED) continue;
        GLM_REFUSES_OF(way, o.steps.method = (bln_sgd_method)77, "method");
        GLM_REFUSES_OF(way, o.steps.rate = -1.0, "rate");
        GLM_REFUSES_OF(way, o.steps.rate = HUGE_VAL, "rate");
        if (way != GLM_SGVI) GLM_REFUSES_OF(way, o.steps.natural = 0.5, "natural");
        GLM_REFUSES_OF(way, (o.steps.natural = 1.5, o.steps.batch = 5), "natural");
        GLM_REFUSES_OF(way, (o.steps.natural = BLNI_NAN, o.steps.batch = 5), "natural");
    }
    GLM_REFUSES_OF(GLM_MAP, (o.steps.natural = 0.5, o.steps.batch = 5), "point");
    GLM_REFUSES_OF(GLM_MAP, (o.steps.batch = 5, d.prior_var = flat), "flat");
    GLM_REFUSES_OF(GLM_MIXTURE, o.entropy = (bln_entropy_kind)7, "entropy");
    GLM_REFUSES_OF(GLM_NPV, o.entropy = (bln_entropy_kind)7, "entropy");
    GLM_REFUSES_OF(GLM_MIXTURE, o.nodes = 257, "256");
    GLM_REFUSES_OF(GLM_FULL, o.nodes = 257, "256");
    GLM_REFUSES_OF(GLM_SGVI, o.nodes = 257, "256");
    GLM_REFUSES_OF(GLM_MIXTURE, o.expectation = BLN_GLM_EXPECT_LOCAL, "by batches");
    GLM_REFUSES_OF(GLM_MIXTURE, (o.expectation = (bln_glm_expectation)3, o.steps.batch = 5), "expectation");
    GLM_REFUSES_OF(GLM_NPV, (o.expectation = BLN_GLM_EXPECT_LOCAL, o.steps.batch = 5), "no draws");
    GLM_REFUSES_OF(GLM_MIXTURE, o.start = (bln_glm_start)2, "start");
    GLM_REFUSES_OF(GLM_NPV, o.start = (bln_glm_start)2, "start");
    GLM_REFUSES_OF(GLM_SGVI, o.start = (bln_glm_start)2, "start");
    GLM_REFUSES(d.theta = bad, "theta");
    GLM_REFUSES((d.likelihood = bln_likelihood_gaussian(), d.likelihood_theta = &zero), "likelihood_theta");
    GLM_REFUSES(d.theta_sd = -1.0, "theta_sd");
    GLM_REFUSES(d.tolerance = -1.0, "tolerance");
    GLM_REFUSES(d.alloc.alloc = test_heap_alloc, "allocator");
    CHECK_STATUS(bln_glm_create(&good, NULL, NULL), BLN_EINVAL);
    bln_basis_free(b);
}

TEST(glm, errors)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    for (int kind = 0; kind < GLM_KINDS; kind++) {
        const bln_glm_desc desc = glm_object_desc(b, kind);
        bln_data data = glm_make("binomial", 20, 5), d;
        bln_glm *glm = glm_new(&desc);
        bln_report r;
        double y[20], none[20] = { 0 }, out[20];
        CHECK_STATUS(bln_glm_fit(NULL, &data, &r), BLN_EINVAL);
        CHECK_STATUS(bln_glm_fit(glm, NULL, &r), BLN_EINVAL);
        CHECK_STATUS(bln_glm_step(glm, &r), BLN_ESTATE);
        CHECK_STATUS(bln_glm_finish(glm, &r), BLN_ESTATE);
        CHECK_STATUS(bln_glm_predict(glm, &data, out, NULL, NULL, NULL, &r), BLN_ESTATE);
        CHECK_STATUS(bln_posterior_coefficients(bln_glm_posterior(glm), out, out, 0, NULL, NULL, NULL, NULL), BLN_ESTATE);
        CHECK(bln_glm_objective(glm) != bln_glm_objective(glm));
        d = data; d.n = 0;
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_EINVAL);
        d = data; d.d = 1; d.ldx = 2;
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_ESHAPE);
        d = data; d.weight = none;
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_EINVAL);
        memcpy(y, data.y, sizeof y);
        y[7] = 2.5;
        d = data; d.y = y;
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_EDOMAIN);
        CHECK_SIZE(r.row, 7);
        y[7] = BLNI_NAN;
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_EDATA);
        CHECK_FIT(glm, &data, &r);
        const double objective = bln_glm_objective(glm);
        CHECK_STATUS(bln_glm_fit(glm, &d, &r), BLN_EDATA);
        CHECK_NEAR(bln_glm_objective(glm), objective, 0.0);
        CHECK_STATUS(bln_posterior_logdensities(bln_glm_posterior(glm), &d, out, NULL, &r), BLN_EDATA);
        CHECK_STATUS(bln_posterior_logdensities(bln_glm_posterior(glm), &data, NULL, NULL, &r), BLN_EINVAL);
        bln_glm_free(glm);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Flat weights of dependent features; a likelihood without curvature. */
TEST(glm, undetermined)
{
    const double X[] = { 1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12 }, y[] = { 0, 1, 0, 1, 1, 0 }, flat = HUGE_VAL;
    bln_basis *b = NULL;
    bln_data data;
    bln_report r;
    CHECK_OK(bln_linear_create(NULL, 2, 1, &b));
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    memset(&data, 0, sizeof data);
    data.n = 6;
    data.d = 2;
    data.X = X;
    data.y = y;
    desc.prior_var = &flat;
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &r), BLN_ENOTPD);
    CHECK_SIZE(r.column, 2);
    bln_glm_free(glm);
    desc = glm_desc(b, bln_likelihood_laplace());
    desc.method = bln_glm_laplace();
    glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &r), BLN_EUNDEFINED);
    CHECK_TEXT(r.text, "curvature");
    bln_glm_free(glm);
    for (int kind = GLM_MIXTURE; kind < GLM_STOCHASTIC; kind++) {
        if (kind == GLM_MAP) continue;
        desc.method = glm_by((glm_way)kind, NULL);
        const int second_order = kind == GLM_NPV;
        glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit(glm, &data, &r), second_order ? BLN_EUNDEFINED : BLN_OK);
        CHECK((gaussian_of(glm) == NULL) == (kind != GLM_FULL));
        CHECK((mixture_of(glm) == NULL) == (kind == GLM_FULL || kind == GLM_INTEGRATED || second_order));
        bln_glm_free(glm);
    }
    bln_basis_free(b);
}

/* Steps, a fit, a source, and rows written out instead of weights give the same; the second and third to the bit, the last but for
 * the order of sums, whose roundings the search does not enlarge beyond its tolerance. */
TEST(glm, same_fit)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    size_t copy = 0, rows[90];
    for (size_t i = 0; i < 30; i++)
        for (size_t k = 0; k < (size_t)data.weight[i]; k++) rows[copy++] = i;
    blni_arena room = blni_arena_over(NULL, 0);
    blni_minibatch_gather(&room, &data, copy, rows);
    double *work = test_doubles(blni_doubles(room.used));
    for (int kind = 0; kind < GLM_STOCHASTIC; kind++) {
        if (kind == GLM_SGVI) continue;                   /* by batches, which sources have not */
        bln_glm_desc desc = glm_object_desc(b, kind);
        bln_data_reader reader;
        room = blni_arena_over(work, 0);
        bln_data written = blni_minibatch_gather(&room, &data, copy, rows);
        desc.tolerance = 1e-10;
        bln_source source = bln_source_of(&data, &reader);
        bln_glm *glm[4];
        for (size_t i = 0; i < 4; i++) glm[i] = glm_new(&desc);
        CHECK_FIT(glm[0], &data, NULL);
        CHECK_OK(bln_glm_fit_source(glm[1], &source, NULL));
        CHECK_OK(bln_glm_init(glm[2], &data, NULL));
        while (!bln_glm_converged(glm[2])) CHECK_OK(bln_glm_step(glm[2], NULL));
        CHECK_OK(bln_glm_finish(glm[2], NULL));
        written.weight = NULL;
        CHECK_FIT(glm[3], &written, NULL);
        for (size_t i = 1; i < 3; i++) CHECK_NEAR(bln_glm_objective(glm[i]), bln_glm_objective(glm[0]), 0.0);
        CHECK_NEAR(bln_glm_objective(glm[3]), bln_glm_objective(glm[0]), 1e-6*fabs(bln_glm_objective(glm[0])));
        CHECK_NEAR(bln_glm_rows(glm[3]), bln_glm_rows(glm[0]), 0.0);
        for (size_t i = 0; i < 4; i++) bln_glm_free(glm[i]);
    }
    free(work);
    glm_free_data(&data);
    bln_basis_free(b);
}

static bln_status glm_object_monitor(void *user, const bln_glm_progress *p)
{
    size_t *left = (size_t *)user;
    CHECK(p->iteration > 0 && p->evaluations >= p->iteration);
    return --*left == 0 ? BLN_ESTOPPED : *left > 100 ? BLN_EIO : BLN_OK;
}

TEST(glm, monitor)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    for (int kind = 0; kind < GLM_KINDS; kind++) {
        bln_glm_desc desc = glm_object_desc(b, kind);
        bln_report r;
        for (size_t left = 1; left < 4; left++) {
            size_t count = left;
            desc.monitor = glm_object_monitor;
            desc.monitor_user = &count;
            bln_glm *glm = glm_new(&desc);
            CHECK_FIT(glm, &data, &r);
            CHECK(r.stop == BLN_STOP_MONITOR);
            CHECK_SIZE(r.iterations, left);
            CHECK(blni_finite(bln_glm_objective(glm)));
            count = 1000;
            CHECK_STATUS(bln_glm_fit(glm, &data, &r), BLN_EIO);
            CHECK(blni_finite(bln_glm_objective(glm)));
            bln_glm_free(glm);
        }
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A fit of another method before, which chooses prior variances and theta: to the bit what two fits by hand are, also where it is
 * that of a full Gaussian, or works in the space of the rows. */
TEST(glm, hyper_is_two_fits)
{
    for (int rows = 20; rows < 60; rows += 30)
        for (int k = 0; k < 2*GLM_KINDS; k++) {
            bln_basis *b = slm_parse("bias + rbf:n=12", 2, 3);
            bln_data data = glm_make("negative_binomial", (size_t)rows, 5);
            bln_glm_desc desc = glm_object_desc(b, k % GLM_KINDS), first;
            bln_report report[3];
            double mean[2][25], sd[2][25];
            desc.likelihood = bln_likelihood_negative_binomial();
            desc.max_iterations = 6;
            first = desc;
            first.method = glm_by(k < GLM_KINDS ? GLM_LAPLACE : GLM_FULL, NULL);
            desc.hyper = first.method;
            bln_glm *before = glm_new(&first), *one = glm_new(&desc);
            CHECK_FIT(before, &data, &report[2]);
            memset(&desc.hyper, 0, sizeof desc.hyper);
            desc.prior_var = bln_glm_prior_var(before);
            desc.theta = bln_glm_theta(before);
            desc.likelihood_theta = bln_glm_likelihood_theta(before);
            desc.fix_prior_var = desc.fix_theta = 1;
            bln_glm *two = glm_new(&desc);
            CHECK_FIT(two, &data, &report[0]);
            CHECK_OK(bln_glm_init(one, &data, NULL));
            while (!bln_glm_converged(one)) CHECK_OK(bln_glm_step(one, NULL));
            CHECK_OK(bln_glm_finish(one, &report[1]));
            CHECK(report[1].stop == report[report[0].stop == BLN_STOP_NONE ? 2 : 0].stop);
            CHECK_SIZE(report[1].iterations, report[0].iterations + report[2].iterations);
            CHECK_NEAR(bln_glm_objective(one), bln_glm_objective(two), 0.0);
            CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(one), mean[0], sd[0], 0, NULL, NULL, NULL, NULL));
            CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(two), mean[1], sd[1], 0, NULL, NULL, NULL, NULL));
            CHECK(memcmp(mean[0], mean[1], b->D*sizeof(double)) == 0 && memcmp(sd[0], sd[1], b->D*sizeof(double)) == 0);
            CHECK(memcmp(bln_glm_prior_var(one), bln_glm_prior_var(before), 2*sizeof(double)) == 0);
            bln_glm_free(before); bln_glm_free(one); bln_glm_free(two);
            glm_free_data(&data);
            bln_basis_free(b);
        }
}

/* A monitor that stops in the first phase ends at the start of the second. */
static bln_status glm_hyper_monitor(void *user, const bln_glm_progress *p)
{
    *(int *)user = (int)p->phase;
    return p->phase == BLN_GLM_BEFORE && p->iteration == 2 ? BLN_ESTOPPED : BLN_OK;
}
TEST(glm, hyper_stops_and_refuses)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    bln_glm_desc desc = glm_object_desc(b, GLM_FULL);
    bln_report report;
    int phase = -1;
    desc.hyper = bln_glm_laplace();
    desc.monitor = glm_hyper_monitor;
    desc.monitor_user = &phase;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, &report);
    CHECK(report.stop == BLN_STOP_MONITOR && phase == BLN_GLM_BEFORE && blni_finite(bln_glm_objective(glm)));
    bln_glm_free(glm);
    desc.monitor = NULL;
    desc.method = bln_glm_laplace();
    desc.max_iterations = 1;
    for (int by_steps = 0; by_steps < 2; by_steps++) {      /* a first stage that ends before its search has begun */
        desc.hyper = bln_glm_mixture(NULL);
        glm = glm_new(&desc);
        if (by_steps) {
            CHECK_OK(bln_glm_init(glm, &data, &report));
            CHECK_OK(bln_glm_step(glm, &report));
            CHECK_OK(bln_glm_finish(glm, &report));
        } else CHECK_OK(bln_glm_fit(glm, &data, &report));
        CHECK(blni_finite(bln_glm_objective(glm)) && bln_glm_prior_var(glm)[0] > 0.0);
        bln_glm_free(glm);
    }
    desc.hyper = bln_glm_map(NULL);
    CHECK_TEXT(bln_glm_check(&desc), "hyper");
    bln_basis_free(b);
    glm_free_data(&data);
}

/* A source that fails at each of its passes in turn: the fit may be given up, or finished where there is a point to finish at. */
typedef struct glm_failing { bln_source inner; size_t left; } glm_failing;
static bln_status glm_failing_reset(void *user, bln_report *report)
{
    glm_failing *f = (glm_failing *)user;
    return f->left-- ? f->inner.reset(f->inner.user, report) : BLN_EIO;
}
static bln_status glm_failing_next(void *user, size_t most, bln_data *rows, bln_report *report)
{
    glm_failing *f = (glm_failing *)user;
    return f->inner.next(f->inner.user, most, rows, report);
}
TEST(glm, sources_that_fail)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    for (int kind = 0; kind < 2*GLM_NUTS; kind++) {
        bln_glm_desc desc = glm_object_desc(b, kind % GLM_NUTS);
        if (kind % GLM_NUTS == GLM_SGVI) continue;                  /* by batches, which sources have not */
        if (kind >= GLM_NUTS) desc.hyper = bln_glm_laplace();
        desc.max_iterations = 3;
        int whole = 0;
        for (size_t left = 0; !whole && left < 2000; left++) {
            bln_data_reader reader;
            glm_failing failing;
            failing.inner = bln_source_of(&data, &reader);
            failing.left = left;
            bln_source source = failing.inner;
            source.user = &failing;
            source.reset = glm_failing_reset;
            source.next = glm_failing_next;
            bln_glm *glm = glm_new(&desc);
            bln_status status = bln_glm_init_source(glm, &source, NULL);
            while (status == BLN_OK && !bln_glm_converged(glm)) status = bln_glm_step(glm, NULL);
            CHECK(status == BLN_OK || status == BLN_EIO);
            failing.left = left % 2 ? (size_t)-1 : 0;               /* now it goes on, or does not */
            const bln_status end = bln_glm_finish(glm, NULL);
            CHECK(end == BLN_OK || end == BLN_EIO || end == BLN_ESTATE);
            CHECK(!glm->fit);
            whole = status == BLN_OK && end == BLN_OK && failing.left > 0;
            bln_glm_free(glm);
        }
        CHECK(whole);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Each allocation fails once: nothing leaks, the former fit stays; and no more is taken than the sizes say. */
TEST(glm, memory)
{
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_data data = glm_make("binomial", 30, 5);
    for (int kind = 0; kind < 2*GLM_KINDS; kind++) {
        test_heap heap;
        bln_glm_desc desc = glm_object_desc(b, kind % GLM_KINDS);
        bln_glm *glm = NULL;
        if (kind >= GLM_KINDS) desc.hyper = bln_glm_laplace();
        double mean[30], sd[8];
        size_t calls;
        desc.alloc = test_heap_allocator(&heap);
        desc.max_iterations = 8;
        heap.fail_at = 0;
        CHECK_STATUS(bln_glm_create(&desc, &glm, NULL), BLN_ENOMEM);
        heap.fail_at = (size_t)-1;
        CHECK_OK(bln_glm_create(&desc, &glm, NULL));
        CHECK_FIT(glm, &data, NULL);
        CHECK_LE((double)heap.live_bytes, (double)bln_glm_size(&desc, 0));
        CHECK_LE((double)heap.peak_bytes, (double)bln_glm_fit_size(&desc, data.n));
        const int nodes = kind % GLM_KINDS == GLM_INTEGRATED;             /* how many it keeps is known afterwards */
        if (!nodes) CHECK_LE((double)bln_glm_fit_size(&desc, data.n), 1.2*(double)heap.peak_bytes + 8192.0);
        const double objective = bln_glm_objective(glm);
        const size_t live = heap.live;
        heap.calls = 1;
        CHECK_FIT(glm, &data, NULL);
        CHECK(bln_glm_objective(glm) == objective);                       /* whatever was in the memory: each call has the other */
        heap.calls = 0;
        CHECK_FIT(glm, &data, NULL);
        CHECK(bln_glm_objective(glm) == objective);                       /* whatever was in the memory */
        calls = heap.calls;
        CHECK(calls >= 2);
        for (size_t i = 0; i < calls; i++) {
            heap.calls = 0;
            heap.fail_at = i;
            CHECK_STATUS(bln_glm_fit(glm, &data, NULL), BLN_ENOMEM);
            CHECK_SIZE(heap.live, live);
            CHECK_NEAR(bln_glm_objective(glm), objective, 0.0);
        }
        heap.fail_at = (size_t)-1;
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        heap.calls = 0;
        while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, NULL));
        CHECK_SIZE(heap.calls, 0);
        bln_glm_abandon(glm);
        CHECK_SIZE(heap.live, live);
        heap.calls = 0;
        heap.fail_at = 0;
        CHECK_STATUS(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, NULL), BLN_ENOMEM);
        CHECK_STATUS(bln_posterior_coefficients(bln_glm_posterior(glm), NULL, sd, 0, NULL, NULL, NULL, NULL),
                     nodes && kind < GLM_KINDS ? BLN_EUNDEFINED : BLN_ENOMEM);
        double *work = test_doubles(bln_posterior_work(bln_glm_posterior(glm)));
        CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, work, NULL));
        free(work);
        bln_glm_free(glm);
        CHECK_SIZE(heap.live, 0);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* The largest rate is one of a unit of exposure: in other units its start, bounds and prior are those of other units too. */
TEST(glm, exposure_in_other_units)
{
    enum { N = 40 };
    double X[N], y[N], trials[N], bound[3], rate[3];
    bln_rng rng;
    bln_rng_seed(&rng, 4, 0);
    for (size_t i = 0; i < N; i++) {
        X[i] = 4.0*(double)i/N - 2.0;
        y[i] = bln_rng_poisson(&rng, 20.0/(1.0 + exp(-2.0*X[i])));
    }
    for (int unit = 0; unit < 3; unit++) {
        const double scale = unit == 0 ? 1.0 : unit == 1 ? 1048576.0 : 1.0/1048576.0;
        bln_data data = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_basis *line = NULL;
        bln_glm *glm = NULL;
        for (size_t i = 0; i < N; i++) trials[i] = scale;
        data.n = N;
        data.d = 1;
        data.X = X;
        data.y = y;
        data.trials = trials;
        CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
        desc.basis = line;
        desc.likelihood = bln_likelihood_poisson(BLN_LINK_LOGIT);
        desc.method = bln_glm_full(NULL);
        CHECK_OK(bln_glm_create(&desc, &glm, NULL));
        CHECK_FIT(glm, &data, NULL);
        bound[unit] = bln_glm_objective(glm);
        rate[unit] = *bln_glm_likelihood_theta(glm)*scale;
        bln_glm_free(glm);
        bln_basis_free(line);
    }
    for (int unit = 1; unit < 3; unit++) {
        CHECK_REL(bound[unit], bound[0], 1e-9);
        CHECK_REL(rate[unit], rate[0], 1e-4);                    /* the search stops at a relative progress of 1e-6 */
    }
    CHECK(rate[0] > 15.0 && rate[0] < 30.0);
}

/* ---- calls out of their order, and what a fit cannot begin with */

/* Defaults of a desc that is not whole; options fit into the copy that the model keeps. */
TEST(glm, defaults_of_parts)
{
    const double one[2] = { 1.0, 1.0 };
    bln_basis *b = slm_parse("bias + rbf:n=2", 2, 3);
    bln_glm_desc d = BLN_ZERO;
    d.fix_prior_var = 1;
    CHECK(bln_glm_defaults(&d).hyper.ops == NULL);                       /* no basis: nothing to learn is known */
    d.basis = b;
    CHECK(bln_glm_defaults(&d).hyper.ops == NULL);                       /* no likelihood */
    d.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    d.prior_var = one;
    CHECK(bln_glm_defaults(&d).hyper.ops == bln_glm_laplace().ops);      /* theta is learnt */
    d.fix_theta = 1;
    CHECK(bln_glm_defaults(&d).hyper.ops == NULL);
    for (int k = 0; k < GLM_WAYS; k++) CHECK(glm_by((glm_way)k, NULL).ops->own_size <= sizeof(blni_glm_own));
    bln_basis_free(b);
}

/* A method that cannot be is refused and changes nothing; a step after the last does nothing; what is fitted has converged. */
TEST(glm, calls_out_of_order)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("binomial", 20, 5);
    bln_glm_desc desc = glm_object_desc(b, GLM_LAPLACE);
    bln_glm *glm = glm_new(&desc);
    const bln_glm_full_desc wrong = { 257, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
    bln_report r;
    CHECK(bln_glm_converged(glm) && bln_glm_converged(NULL));
    CHECK_STATUS(bln_glm_set_method(glm, bln_glm_full(&wrong), &r), BLN_EINVAL);
    CHECK_TEXT(r.text, "256 nodes");
    CHECK(!strcmp(bln_glm_method_name(glm), "laplace"));
    CHECK_OK(bln_glm_init(glm, &data, NULL));
    while (!bln_glm_converged(glm)) CHECK_OK(bln_glm_step(glm, &r));
    const size_t iterations = r.iterations;
    CHECK_OK(bln_glm_step(glm, &r));
    CHECK_SIZE(r.iterations, iterations);
    CHECK_OK(bln_glm_finish(glm, &r));
    CHECK(bln_glm_converged(glm));
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* What is no failure of arithmetic is not tried again where the default has two stages: the monitor is asked once. */
static bln_status glm_failing_monitor(void *user, const bln_glm_progress *p)
{
    (void)p;
    ++*(size_t *)user;
    return BLN_EIO;
}

TEST(glm, monitor_that_fails_by_default)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("binomial", 20, 5);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    bln_report r;
    size_t asked = 0;
    desc.monitor = glm_failing_monitor;
    desc.monitor_user = &asked;
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &r), BLN_EIO);
    CHECK_SIZE(asked, 1);
    CHECK_TEXT(r.text, "the monitor returned an error");
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Of a method before that has nothing to learn the second begins where it would without it. */
TEST(glm, hyper_with_nothing_to_learn)
{
    const double prior_var[2] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("binomial", 20, 5);
    bln_glm_desc desc = glm_object_desc(b, GLM_FULL);
    double bound[2];
    desc.prior_var = prior_var;
    desc.fix_prior_var = 1;
    for (int k = 0; k < 2; k++) {
        if (k) desc.hyper = bln_glm_laplace();
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        bound[k] = bln_glm_objective(glm);
        bln_glm_free(glm);
    }
    CHECK(bound[0] == bound[1]);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Sources without functions; a first method that takes one and a second that does not; other columns. */
TEST(glm, sources_that_are_none)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("binomial", 20, 5);
    bln_data_reader reader;
    bln_report r;
    for (int k = 0; k < 4; k++) {
        bln_glm_desc desc = glm_object_desc(b, k == 2 ? GLM_NUTS : GLM_LAPLACE);
        bln_source source = bln_source_of(&data, &reader);
        if (k == 0) source.reset = NULL;
        if (k == 1) source.next = NULL;
        if (k == 2) desc.hyper = bln_glm_laplace();
        if (k == 3) source.d = 3;
        bln_glm *glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit_source(glm, &source, &r), k < 3 ? BLN_EINVAL : BLN_ESHAPE);
        CHECK_TEXT(r.text, k < 2 ? "reset or next is NULL" : k == 2 ? "need a data set" : "3");
        bln_glm_free(glm);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* Numbers beyond any scale are refused with what to scale, by every method that learns; a column of zeros is not. */
TEST(glm, numbers_beyond_scale)
{
    bln_basis *b = slm_parse("bias + linear:ones=0 + rbf:n=1", 2, 3);
    for (int k = 0; k < GLM_NUTS; k++)
        for (int way = 0; way < 4; way++) {
            bln_data data = slm_make(12, 2, 5, 0);
            bln_glm_desc desc = glm_desc(b, bln_likelihood_gaussian());
            bln_report r;
            desc.method = glm_by((glm_way)k, NULL);
            desc.max_iterations = 3;
            for (size_t i = 0; i < 12; i++) {
                if (way < 2) ((double *)data.y)[i] *= way ? 1e200 : 1e160;
                if (way == 2) ((double *)data.X)[2*i] *= 1e200;
                if (way == 3) ((double *)data.X)[2*i] = ((double *)data.X)[2*i + 1] = 0.0;
            }
            bln_glm *glm = glm_new(&desc);
            const bln_status status = bln_glm_fit(glm, &data, &r);
            const double objective = bln_glm_objective(glm);
            CHECK(status == BLN_OK ? blni_finite(objective) : r.text[0] && objective != objective);
            CHECK(way < 3 || status == BLN_OK);
            CHECK(status == BLN_OK || status == BLN_ENUMERIC || status == BLN_EDATA);
            if (status != BLN_OK && status != BLN_ENUMERIC) printf("%d %d %s %s\n", k, way, bln_status_name(status), r.text);
            bln_glm_free(glm);
            slm_free_data(&data);
        }
    bln_basis_free(b);
}

/* Bases and likelihoods of one's own whose parameters have no domain; a basis with a parameter and no inputs is fine: all its
 * features are theta. */
static void glm_object_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    (void)b;
    out->kind = BLN_PARAM_INTERVAL;
    out->lo = -3.0;
    out->hi = 3.0;
    out->start = k == 0 && inputs && inputs->moments && inputs->moments->sd[0] > 5.0 ? BLNI_NAN : 0.5;
}
static void glm_object_eta(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    bln_likelihood_gaussian().ops->param(l, k, mean, sd, out);
    if (mean > 50.0) out->start = BLNI_NAN;
}
TEST(glm, parameters_without_a_domain)
{
    double X[6] = { 0, 1, 2, 3, 4, 5 }, y[6] = { 0.3, 1.1, -0.4, 0.7, 0.9, -0.8 };
    bln_basis_ops ops;
    bln_basis b = glm_table(&ops);
    bln_likelihood_ops l = *bln_likelihood_gaussian().ops;
    bln_data data = slm_view(6, 1, X, y);
    bln_report r;
    ops.param = glm_object_param;
    l.param = glm_object_eta;
    bln_glm_desc desc = glm_desc(&b, bln_likelihood_gaussian());
    desc.likelihood.ops = &l;
    desc.method = bln_glm_laplace();
    desc.max_iterations = 2;
    for (int way = 0; way < 3; way++) {
        bln_glm *glm = glm_new(&desc);
        for (size_t i = 0; i < 6; i++) y[i] += way == 1 ? 100.0 : way == 2 ? -100.0 : 0.0;
        if (way == 2) X[5] = 50.0;
        const bln_status status = bln_glm_fit(glm, &data, &r);
        CHECK_STATUS(status, way ? BLN_EINVAL : BLN_OK);
        if (way) CHECK_TEXT(r.text, way == 1 ? "not finite" : "start");
        bln_glm_free(glm);
    }
}
static void glm_object_constant(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                size_t ldphi, double *work)
{
    (void)X; (void)ldx; (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->D; j++) Phi[i*ldphi + j] = theta[j];
}
static void glm_object_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                                size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work)
{
    (void)theta; (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)dX; (void)lddx; (void)work;
    for (size_t i = 0; i < n && dtheta; i++)
        for (size_t j = 0; j < b->D; j++) dtheta[j] += F[i*ldf + j];
}
TEST(glm, parameters_without_inputs)
{
    double y[6] = { 1.3, 1.1, 1.4, 0.7, 0.9, 0.8 }, X[2] = { 1e200, -1e200 };
    bln_basis_ops ops;
    bln_basis b = glm_table(&ops);
    bln_data data = slm_view(6, 0, NULL, y);
    bln_report r;
    double mean[6];
    ops.features = glm_object_constant;
    ops.pullback = glm_object_pullback;
    ops.param = glm_object_param;
    b.d = 0;
    b.n_theta = 3;
    bln_glm_desc desc = glm_desc(&b, bln_likelihood_gaussian());
    for (int fixed = 0; fixed < 2; fixed++) {
        desc.fix_theta = fixed;
        bln_glm *glm = glm_new(&desc);
        CHECK_FIT(glm, &data, &r);
        CHECK_OK(bln_glm_predict(glm, &data, mean, NULL, NULL, NULL, NULL));
        for (size_t i = 0; i < 6; i++) CHECK_NEAR(mean[i], 6.2/6.0, 0.2);          /* six y are known better than the prior */
        bln_glm_free(glm);
    }
    desc.fix_theta = 0;
    data = slm_view(2, 1, X, y);                                         /* inputs whose standard deviation has no number */
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &r), BLN_ENUMERIC);
    CHECK(r.text[0] != '\0');
    bln_glm_free(glm);
}

/* The objective at a point: any of its answers alone is that of all together; errors, and memory that fails, leave no value. */
TEST(glm, objective_at_in_parts)
{
    const double prior_var[2] = { 2.0, 0.7 }, size = 2.0, theta = 1.1;
    bln_basis *b = slm_parse("bias + rbf:n=1", 2, 3);
    bln_data data = glm_make("negative_binomial", 20, 5), other;
    test_heap heap;
    bln_report r;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_negative_binomial());
    desc.alloc = test_heap_allocator(&heap);
    bln_glm *glm = glm_new(&desc);
    double value, all, mean[3], C[9], alone[9], d_prior[2], d_eta, d_theta, one;
#define GLM_AT(DATA, MEAN, C, PRIOR, ETA, THETA, TO) \
        bln_glm_objective_at(glm, bln_glm_full(NULL), DATA, prior_var, &size, &theta, TO, MEAN, C, PRIOR, ETA, THETA, &r)
    CHECK_OK(GLM_AT(&data, mean, C, d_prior, &d_eta, &d_theta, &all));
    CHECK_OK(GLM_AT(&data, NULL, alone, NULL, NULL, NULL, &value));
    for (size_t i = 0; i < 3; i++)
        for (size_t j = i; j < 3; j++) CHECK(alone[3*i + j] == C[3*i + j]);
    CHECK(value == all);
    CHECK_OK(GLM_AT(&data, NULL, NULL, NULL, &one, NULL, &value));
    CHECK(one == d_eta);
    CHECK_OK(GLM_AT(&data, NULL, NULL, NULL, NULL, &one, &value));
    CHECK(one == d_theta);
    CHECK_OK(GLM_AT(&data, alone, NULL, NULL, NULL, NULL, &value));
    CHECK(memcmp(alone, mean, sizeof mean) == 0);
    other = data;
    other.n = 0;
    value = 2.385;
    CHECK_STATUS(GLM_AT(&other, NULL, NULL, NULL, NULL, NULL, &value), BLN_EINVAL);
    CHECK_STATUS(GLM_AT(&data, NULL, NULL, NULL, NULL, NULL, NULL), BLN_EINVAL);
    const size_t live = heap.live;
    heap.calls = 0;
    CHECK_OK(GLM_AT(&data, mean, C, NULL, NULL, NULL, &all));
    const size_t calls = heap.calls;
    CHECK(calls >= 3);
    for (size_t i = 0; i < calls; i++) {
        heap.calls = 0;
        heap.fail_at = i;
        CHECK_STATUS(GLM_AT(&data, mean, C, NULL, NULL, NULL, &value), BLN_ENOMEM);
        CHECK(heap.live == live && r.text[0] && value == 2.385);
    }
    heap.fail_at = (size_t)-1;
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A method whose table leaves out what it may: a point at 0, of a value of its own. */
static bln_status glm_trial_step(blni_glm_fit *f, void *state, bln_report *report)
{
    (void)state; (void)report;
    f->progress.iteration++;
    f->done = 1;
    return BLN_OK;
}
static bln_status glm_trial_value(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report)
{
    (void)state; (void)q; (void)report;
    *value = -1.5*(double)f->rows.n_w;
    return BLN_OK;
}
static bln_status glm_trial_component(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report)
{
    (void)state; (void)report;
    memset(out->m, 0, f->rows.n_w*sizeof *out->m);
    out->objective = -f->search.value;
    return BLN_OK;
}
TEST(glm, a_method_of_few_functions)
{
    const double prior_var[2] = { 2.0, 0.7 };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3);
    bln_data data = glm_make("binomial", 20, 5);
    bln_glm_desc desc = glm_object_desc(b, GLM_MAP);
    bln_glm_method_ops ops = BLN_ZERO;
    double w[3];
    ops.name = "trial";
    ops.steps_at = BLN_NONE;
    ops.form = ops.of_several = BLNI_GLM_POINT;
    ops.sites = BLN_SITES_NONE;
    ops.iterations = 1;
    ops.tolerance = 1.0;
    ops.step = glm_trial_step;
    ops.value = glm_trial_value;
    ops.component = glm_trial_component;
    desc.method.ops = &ops;
    desc.method.own = NULL;
    desc.prior_var = prior_var;
    CHECK(bln_glm_check(&desc) == NULL);
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, &data, NULL);
    CHECK(bln_glm_objective(glm) == -4.5 && !strcmp(bln_glm_method_name(glm), "trial"));
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), w, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK(w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0);
    bln_glm_free(glm);
    ops.own_size = sizeof(blni_glm_own) + 1;
    CHECK_TEXT(bln_glm_check(&desc), "the options of the method are too many");
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm)
SUITE_TEST(glm, options)
SUITE_TEST(glm, errors)
SUITE_TEST(glm, undetermined)
SUITE_TEST(glm, same_fit)
SUITE_TEST(glm, monitor)
SUITE_TEST(glm, hyper_is_two_fits)
SUITE_TEST(glm, hyper_stops_and_refuses)
SUITE_TEST(glm, sources_that_fail)
SUITE_TEST(glm, monitor_that_fails_by_default)
SUITE_TEST(glm, exposure_in_other_units)
SUITE_TEST(glm, memory)
SUITE_TEST(glm, defaults_of_parts)
SUITE_TEST(glm, calls_out_of_order)
SUITE_TEST(glm, hyper_with_nothing_to_learn)
SUITE_TEST(glm, sources_that_are_none)
SUITE_TEST(glm, numbers_beyond_scale)
SUITE_TEST(glm, parameters_without_a_domain)
SUITE_TEST(glm, parameters_without_inputs)
SUITE_TEST(glm, objective_at_in_parts)
SUITE_TEST(glm, a_method_of_few_functions)
SUITE_END(glm)
