/* test_glm_ranks - generalised linear models over the rows of several processes: the model of all rows in one, the same bits in
 * each, and nobody left waiting when one fails. The processes are run one after the other: see ranks_tools.h. */
#include "../test.h"
#include "../core/ranks_tools.h"
#include "glm_tools.h"

enum { GLM_RANKS = 3, GLM_RANKS_NUMBERS = 24, GLM_RANKS_ROWS = 14 };

static const double glm_ranks_prior[] = { 2.0, 0.7, 1.5, 0.4 };

/* What each rank does, and what it ended with: the numbers of the model. */
typedef struct glm_ranks_world {
    bln_glm_desc desc;             /* of all; allreduce is filled in                                     */
    bln_data     data;             /* of all                                                             */
    size_t       ranks, begin[GLM_RANKS + 1];
    bln_glm_desc other;            /* of the odd rank, if odd < ranks                                    */
    size_t       odd;
    size_t       fail_at;          /* the odd rank's allocation that fails; BLN_NONE: none               */
    size_t       leave_after;      /* steps after which the odd rank abandons; BLN_NONE: it does not     */
    int          point;            /* the objective at a point, in place of a fit; 2: NULL for no rows   */
    const double *theta;           /* of that point                                                      */
    bln_status   status[GLM_RANKS];
    bln_report   report[GLM_RANKS];
    double       number[GLM_RANKS][GLM_RANKS_NUMBERS];
    size_t       leaks, calls;     /* calls: of the odd rank's allocator                                 */
} glm_ranks_world;

static glm_ranks_world glm_ranks_new(bln_glm_desc desc, bln_data data, size_t first, size_t second)
{
    glm_ranks_world w;
    memset(&w, 0, sizeof w);
    w.desc = w.other = desc;
    w.data = data;
    w.ranks = second < data.n ? 3 : 2;
    w.begin[1] = first;
    w.begin[2] = second;
    w.begin[3] = data.n;
    w.odd = GLM_RANKS;
    w.fail_at = w.leave_after = BLN_NONE;
    return w;
}

/* Objective, rows, prior variances, eta, theta and means of weights. */
static void glm_ranks_keep(const bln_glm *glm, double *to)
{
    double m[GLM_RANKS_NUMBERS];
    const bln_glm_desc *d = &glm->desc;
    const size_t W = blni_glm_weights(d);
    const double *const x[] = { bln_glm_prior_var(glm), bln_glm_likelihood_theta(glm), bln_glm_theta(glm), m };
    const size_t n[] = { blni_glm_priors(d), d->likelihood.n_theta, blni_glm_thetas(d), W };
    CHECK_OK(bln_posterior_coefficients(bln_glm_posterior(glm), m, NULL, 0, NULL, NULL, NULL, NULL));
    *to++ = bln_glm_objective(glm);
    *to++ = bln_glm_rows(glm);
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < n[k]; i++) *to++ = x[k][i];
}

static bln_status glm_ranks_fit(const glm_ranks_world *w, bln_glm *glm, const bln_data *rows, size_t leave_after, double *to,
                                bln_report *report)
{
    if (w->point)
        return bln_glm_objective_at(glm, w->desc.method, w->point > 1 && !rows->n ? NULL : rows, glm_ranks_prior,
                                    w->desc.likelihood_theta, w->theta, to, to + 1, NULL, to + 13, to + 16, NULL, report);
    if (leave_after == BLN_NONE) return bln_glm_fit(glm, rows, report);
    bln_status status = bln_glm_init(glm, rows, report);
    for (size_t k = 0; k < leave_after && status == BLN_OK; k++) status = bln_glm_step(glm, report);
    bln_glm_abandon(glm);
    return status;
}

/* One rank: create, and fit. */
static void glm_ranks_one(void *user, size_t rank, ranks_fake *fake)
{
    glm_ranks_world *w = (glm_ranks_world *)user;
    const int odd = rank == w->odd;
    const bln_data rows = bln_data_rows(&w->data, w->begin[rank], w->begin[rank + 1] - w->begin[rank]);
    bln_glm_desc desc = odd ? w->other : w->desc;
    test_heap heap;
    desc.alloc = test_heap_allocator(&heap);
    desc.allreduce = ranks_sum;
    desc.allreduce_user = fake;
    bln_glm *glm = glm_new(&desc);
    heap.calls = 0;
    if (odd) heap.fail_at = w->fail_at;
    bln_report_clear(&w->report[rank]);
    w->status[rank] = glm_ranks_fit(w, glm, &rows, odd ? w->leave_after : BLN_NONE, w->number[rank], &w->report[rank]);
    if (odd) w->calls = heap.calls;
    heap.fail_at = BLN_NONE;
    if (w->status[rank] == BLN_OK && bln_glm_posterior(glm)->status == BLN_OK) glm_ranks_keep(glm, w->number[rank]);
    bln_glm_free(glm);
    w->leaks += heap.live;
}

/* All ranks got there, with the same bits, and within `path` of the numbers of one process. */
static void glm_ranks_check(glm_ranks_world *w, double path)
{
    double one[GLM_RANKS_NUMBERS] = { 0.0 };
    bln_report report;
    CHECK(ranks_run(w->ranks, glm_ranks_one, w) != BLN_NONE);
    bln_glm *glm = glm_new(&w->desc);
    CHECK_OK(glm_ranks_fit(w, glm, &w->data, BLN_NONE, one, &report));
    if (!w->point) glm_ranks_keep(glm, one);
    for (size_t r = 0; r < w->ranks; r++) {
        CHECK_OK(w->status[r]);
        if (w->status[r] != BLN_OK) printf("    %s\n", w->report[r].text);
        CHECK(!memcmp(w->number[r], w->number[0], sizeof one) && w->report[r].iterations == w->report[0].iterations);
    }
    for (size_t i = 0; i < GLM_RANKS_NUMBERS; i++) CHECK_NEAR(w->number[0][i], one[i], path*(1.0 + fabs(one[i])));
    CHECK_SIZE(w->leaks, 0);
    bln_glm_free(glm);
}

/* ---- at hyper-parameters that are held */

typedef struct glm_ranks_case { const char *name; double eta[2]; } glm_ranks_case;
static const glm_ranks_case glm_ranks_cases[] = { { "bernoulli_logit", { 1.0, 1.0 } }, { "poisson_exp", { 1.0, 1.0 } },
                                                  { "student_t", { 0.8, 3.5 } }, { "heteroscedastic", { 0.1, 0.1 } } };
enum { GLM_RANKS_CASES = sizeof glm_ranks_cases/sizeof *glm_ranks_cases };
static bln_data glm_ranks_make(const bln_basis *b, size_t k, bln_glm_desc *desc)
{
    const glm_ranks_case *c = glm_ranks_cases + k;
    double eta[2];
    const double *y, *trials;
    const int two = !strcmp(c->name, "heteroscedastic");
    *desc = glm_desc(b, two ? bln_likelihood_heteroscedastic() : glm_named(c->name, eta, &y, &trials));
    desc->prior_var = glm_ranks_prior;
    if (desc->likelihood.n_theta) desc->likelihood_theta = c->eta;
    desc->fix_prior_var = desc->fix_likelihood = 1;
    return glm_make(two ? "student_t" : c->name, GLM_RANKS_ROWS, 31 + k);
}

/* Three ranks, the second without rows, and two. The steps are those of one process, from sums that differ by 1e-16 or so; matrices
 * have conditions below 100. So even the weights, which full finds to 1e-8 of their sd, differ by rounding only. */
TEST(glm_ranks, methods)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    for (size_t k = 0; k < GLM_RANKS_CASES; k++)
        for (int way = 0; way < 5; way++) {
            static const glm_way ways[] = { GLM_FULL, GLM_CAVI, GLM_CAVI, GLM_LAPLACE, GLM_MAP };
            bln_glm_cavi_desc collapsed = { BLN_CAVI_COLLAPSED, BLN_CAVI_ACCELERATED, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
            bln_glm_desc desc;
            bln_data data = glm_ranks_make(b, k, &desc);
            desc.method = way == 2 ? bln_glm_cavi(&collapsed) : glm_by(ways[way], NULL);
            if (bln_glm_check(&desc) == NULL) {
                const int two = ((size_t)way + k) % 2 != 0;
                glm_ranks_world w = glm_ranks_new(desc, data, two ? 5 : 9, two ? data.n : 9);
                glm_ranks_check(&w, 1e-12);
            } else CHECK(k == 1);                               /* no auxiliary variables */
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* The objective at a point and its slopes: those in prior variances are sums of terms up to 100 times as large. */
TEST(glm_ranks, objective_at_a_point)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    for (size_t k = 0; k < GLM_RANKS_CASES; k++)
        for (int full = 0; full < 2; full++) {
            bln_glm_desc desc;
            bln_data data = glm_ranks_make(b, k, &desc);
            desc.method = full ? bln_glm_full(NULL) : bln_glm_laplace();
            glm_ranks_world w = glm_ranks_new(desc, data, 5, 9);
            w.point = 1;
            glm_ranks_check(&w, 1e-10);
            glm_free_data(&data);
        }
    bln_basis_free(b);
}

/* ---- learning */

/* Laplace's evidence first and then full, with inducing points: what they miss of each row's prior variance, and what is deferred
 * of slopes in length scales, are sums over rows as well. A search of some steps and the condition of B, some 1e4, leave 1e-9. */
TEST(glm_ranks, learning_everything)
{
    bln_data data = glm_make("poisson_exp", 20, 41);
    bln_basis *b = slm_parse("inducing:m=4,ard + bias", 2, 1);
    for (int two = 0; two < 2; two++) {
        bln_glm_desc desc = glm_desc(b, two ? bln_likelihood_heteroscedastic() : bln_likelihood_negative_binomial());
        desc.max_iterations = 2;
        if (two) desc.method = bln_glm_laplace();
        const double *const trials = data.trials;
        if (two) data.trials = NULL;
        glm_ranks_world w = glm_ranks_new(desc, data, 8, 14);
        glm_ranks_check(&w, 1e-9);
        data.trials = trials;
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* ---- when one fails, or stops */

/* All but the odd rank end with BLN_EPEER, and that one with this status. */
static void glm_ranks_fails(glm_ranks_world *w, bln_status own, const char *why)
{
    CHECK(ranks_run(w->ranks, glm_ranks_one, w) != BLN_NONE);
    for (size_t r = 0; r < w->ranks; r++) {
        CHECK_STATUS(w->status[r], r == w->odd ? own : BLN_EPEER);
        CHECK_TEXT(w->report[r].text, r == w->odd ? why : own == BLN_EPEER ? "out of step" : "another process failed");
    }
    CHECK_SIZE(w->leaks, 0);
}

TEST(glm_ranks, one_that_fails_leaves_nobody_waiting)
{
    bln_basis *b = slm_parse("rbf:n=1,ard + linear", 2, 1), *other = slm_parse("rbf:n=1,ard + linear", 2, 2);
    bln_data data = glm_make("bernoulli_logit", 18, 42);
    double *X = (double *)data.X;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.max_iterations = 1;
    glm_ranks_world w = glm_ranks_new(desc, data, 6, 12);
    w.odd = 1;

    const double keep = X[2*10 + 1];                    /* bad data: the row is counted in the rank */
    X[2*10 + 1] = (double)NAN;
    glm_ranks_fails(&w, BLN_EDATA, "row 4, column 1");
    X[2*10 + 1] = keep;
    w.other.theta_sd = 0.5;                             /* another objective: found out when points begin to differ */
    w.desc.max_iterations = w.other.max_iterations = 3;
    glm_ranks_fails(&w, BLN_EPEER, "out of step");
    w.other = w.desc;
    w.other.basis = other;                              /* of another seed */
    glm_ranks_fails(&w, BLN_EPEER, "out of step");

    w.desc.max_iterations = 1;
    w.other = w.desc;
    for (w.leave_after = 0; w.leave_after < 2; w.leave_after++) {      /* one that does not go on */
        CHECK(ranks_run(w.ranks, glm_ranks_one, &w) != BLN_NONE);
        CHECK(w.status[0] == BLN_EPEER && w.status[1] == BLN_OK && w.status[2] == BLN_EPEER);
    }
    w.leave_after = BLN_NONE;

    const double theta[] = { 1.0, 1.0 };                /* each of its allocations, at a point and of a fit */
    w.theta = theta;
    w.desc.method = w.other.method = bln_glm_laplace();
    for (w.point = 1; w.point >= 0; w.point--) {
        size_t at = 0;
        for (w.fail_at = 0; at == w.fail_at; w.fail_at++) {
            CHECK(ranks_run(w.ranks, glm_ranks_one, &w) != BLN_NONE);
            if (w.calls <= w.fail_at) break;
            CHECK(w.status[0] == BLN_EPEER && w.status[1] == BLN_ENOMEM && w.status[2] == BLN_EPEER);
            at++;
        }
        CHECK(at >= 1 && w.status[0] == BLN_OK && w.status[1] == BLN_OK && w.status[2] == BLN_OK);
    }
    w.point = 2;                                        /* misuse by one */
    w.begin[2] = w.begin[1];
    w.fail_at = BLN_NONE;
    glm_ranks_fails(&w, BLN_EINVAL, "NULL argument");
    w.point = 1;
    w.desc.method = bln_glm_map(NULL);                   /* by all */
    CHECK(ranks_run(w.ranks, glm_ranks_one, &w) != BLN_NONE);
    for (size_t r = 0; r < w.ranks; r++) CHECK_STATUS(w.status[r], BLN_EINVAL);
    glm_free_data(&data);
    bln_basis_free(b);
    bln_basis_free(other);
}

/* A monitor that stops or fails on one rank; the others have none. */
static bln_status glm_ranks_monitor(void *user, const bln_glm_progress *p)
{
    return p->iteration >= 2 ? *(bln_status *)user : BLN_OK;
}

TEST(glm_ranks, monitors)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = glm_make("poisson_exp", 18, 43);
    bln_glm_desc desc = glm_desc(b, bln_likelihood_poisson(BLN_LINK_LOG));
    desc.method = bln_glm_laplace();
    desc.max_iterations = 5;
    glm_ranks_world w = glm_ranks_new(desc, data, 6, 12);
    bln_status what = BLN_ESTOPPED;
    w.odd = 2;
    w.other.monitor = glm_ranks_monitor;
    w.other.monitor_user = &what;
    CHECK(ranks_run(w.ranks, glm_ranks_one, &w) != BLN_NONE);
    for (size_t r = 0; r < w.ranks; r++) {
        CHECK_OK(w.status[r]);
        CHECK(w.report[r].stop == BLN_STOP_MONITOR && w.report[r].iterations == 2 && w.number[r][0] == w.number[0][0]);
    }
    what = BLN_EIO;
    glm_ranks_fails(&w, BLN_EIO, "the monitor returned an error");
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A callback of one process, which adds nothing, and fails at one of its calls by a status that arithmetic has too. */
typedef struct glm_ranks_alone { size_t calls, fail_at; } glm_ranks_alone;
static bln_status glm_ranks_alone_sum(void *user, double *buf, size_t n)
{
    glm_ranks_alone *a = (glm_ranks_alone *)user;
    CHECK(buf != NULL && n > 0);
    return a->calls++ == a->fail_at ? BLN_ENUMERIC : BLN_OK;
}

/* At each of them: the status and what is said come back, no method tries again, and nobody is called afterwards. The rows are
 * fewer than the features: without a callback the search is in the space of the rows, with the same top. A search settled to 1e-9
 * has the objective, which is flat there, to some 1e-9 times the number of weights; 1e-6 is far above. */
TEST(glm_ranks, a_callback_that_fails)
{
    bln_basis *b = slm_parse("rbf:n=5", 2, 1);
    bln_data data = glm_make("bernoulli_logit", 8, 46);
    bln_glm_cavi_desc collapsed = { BLN_CAVI_COLLAPSED, BLN_CAVI_ACCELERATED, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
    for (int k = 0; k < 6; k++) {
        const int way = k % 3, point = k >= 3;
        glm_ranks_alone alone = { 0, 0 };
        bln_status status = BLN_ENUMERIC;
        bln_report report;
        double objective[2], theta = 1.1;
        bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
        desc.method = way == 0 ? bln_glm_full(NULL) : bln_glm_cavi(way == 1 ? NULL : &collapsed);
        desc.fix_theta = 1;
        desc.max_iterations = 3;
        desc.allreduce = glm_ranks_alone_sum;
        desc.allreduce_user = &alone;
        for (; status != BLN_OK && alone.fail_at < 10000; alone.fail_at++) {
            alone.calls = 0;
            bln_glm *glm = glm_new(&desc);
            status = !point ? bln_glm_fit(glm, &data, &report)
                            : bln_glm_objective_at(glm, desc.method, &data, glm_ranks_prior, NULL, &theta, objective, NULL, NULL,
                                                   NULL, NULL, NULL, &report);
            bln_glm_free(glm);
            if (alone.calls <= alone.fail_at) break;
            CHECK_STATUS(status, BLN_ENUMERIC);
            CHECK_TEXT(report.text, "the callback failed");
            CHECK_SIZE(alone.calls, alone.fail_at + 1);
        }
        CHECK_OK(status);
        alone.fail_at = BLN_NONE;
        desc.max_iterations = 0;
        desc.tolerance = 1e-9;
        for (int rows = 0; rows < 2; rows++) {
            if (rows) desc.allreduce = NULL;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_fit(glm, &data, NULL));
            objective[rows] = bln_glm_objective(glm);
            bln_glm_free(glm);
        }
        CHECK_NEAR(objective[0], objective[1], 1e-6);
    }
    glm_free_data(&data);
    bln_basis_free(b);
}

/* What cannot be added up is refused before there is a model. */
TEST(glm_ranks, refusals)
{
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 5);
    bln_data data = glm_make("bernoulli_logit", 18, 45);
    bln_auto_basis_desc how = BLN_ZERO;
    bln_auto_basis found;
    bln_report report;
    bln_glm_density *density = NULL;
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.allreduce = ranks_sum;
    for (int way = 0; way < GLM_WAYS; way++)
        for (int batch = 0; batch < 2; batch++) {
            glm_options options = glm_no_options();
            options.steps.batch = batch ? 8 : 0;
            desc.method = glm_by((glm_way)way, &options);
            const int can = way == GLM_LAPLACE || (!batch && (way == GLM_FULL || way == GLM_CAVI || way == GLM_MAP));
            if (can) CHECK(bln_glm_check(&desc) == NULL);
            else CHECK_TEXT(bln_glm_check(&desc), "of several processes only laplace, full, cavi and map");
        }
    desc.method = bln_glm_laplace();
    bln_glm *glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_density_create(glm, &data, &density, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "several processes");
    bln_glm_free(glm);
    desc.basis = NULL;
    CHECK_STATUS(bln_auto_basis_glm(&desc, &how, &data, &found, &report), BLN_EINVAL);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_ranks)
    SUITE_TEST(glm_ranks, methods)
    SUITE_TEST(glm_ranks, objective_at_a_point)
    SUITE_TEST(glm_ranks, learning_everything)
    SUITE_TEST(glm_ranks, one_that_fails_leaves_nobody_waiting)
    SUITE_TEST(glm_ranks, monitors)
    SUITE_TEST(glm_ranks, a_callback_that_fails)
    SUITE_TEST(glm_ranks, refusals)
SUITE_END(glm_ranks)
