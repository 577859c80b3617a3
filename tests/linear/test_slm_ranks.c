/* test_slm_ranks - the linear model over the rows of several processes: the model of all rows in one, the same bits in each, and
 * nobody left waiting when one fails. The processes are run one after the other: see ranks_tools.h. */
#include "../test.h"
#include "../core/ranks_tools.h"
#include "slm_tools.h"
#include "posterior_of.h"

enum { SLM_RANKS = 3, SLM_RANKS_WEIGHTS = 40 };

/* What each rank does, and what it ended with. */
typedef struct slm_ranks_world {
    bln_slm_desc desc;             /* of all; allreduce is filled in                                     */
    bln_data     data;             /* of all                                                             */
    size_t       begin[SLM_RANKS + 1];
    bln_slm_desc other;            /* of the odd rank, if odd < SLM_RANKS                                 */
    size_t       odd;
    size_t       fail_at;          /* the odd rank's allocation that fails; BLN_NONE: none               */
    size_t       leave_after;      /* steps after which the odd rank abandons; BLN_NONE: it does not     */
    bln_status   status[SLM_RANKS];
    bln_report   report[SLM_RANKS];
    double       evidence[SLM_RANKS], noise[SLM_RANKS], rows[SLM_RANKS], m[SLM_RANKS][SLM_RANKS_WEIGHTS];
    double       theta[SLM_RANKS][8], prior[SLM_RANKS][8];
    size_t       leaks, calls;     /* calls: of the odd rank's allocator                                 */
} slm_ranks_world;

static slm_ranks_world slm_ranks_new(bln_slm_desc desc, bln_data data, size_t first, size_t second)
{
    slm_ranks_world w;
    memset(&w, 0, sizeof w);
    w.desc = w.other = desc;
    w.data = data;
    w.begin[1] = first;
    w.begin[2] = second;
    w.begin[3] = data.n;
    w.odd = SLM_RANKS;
    w.fail_at = w.leave_after = BLN_NONE;
    return w;
}

static void slm_ranks_keep(slm_ranks_world *w, size_t rank, const bln_slm *slm)
{
    const bln_basis *b = bln_slm_basis(slm);
    w->evidence[rank] = bln_slm_evidence(slm);
    w->noise[rank] = bln_slm_noise_cov(slm)[0];
    w->rows[rank] = bln_slm_rows(slm);
    for (size_t j = 0; j < b->D && j < SLM_RANKS_WEIGHTS; j++) w->m[rank][j] = gaussians_of(bln_slm_posterior(slm))->m[j];
    for (size_t k = 0; k < b->n_theta && k < 8; k++) w->theta[rank][k] = bln_slm_theta(slm)[k];
    for (size_t s = 0; s < b->n_slices && s < 8; s++) w->prior[rank][s] = bln_slm_prior_var(slm)[s];
}

/* One rank: create and fit, or step by step and abandon. */
static void slm_ranks_one(void *user, size_t rank, ranks_fake *fake)
{
    slm_ranks_world *w = (slm_ranks_world *)user;
    const int odd = rank == w->odd;
    const bln_data rows = bln_data_rows(&w->data, w->begin[rank], w->begin[rank + 1] - w->begin[rank]);
    bln_slm_desc desc = odd ? w->other : w->desc;
    bln_slm *slm = NULL;
    test_heap heap;
    desc.alloc = test_heap_allocator(&heap);
    desc.allreduce = ranks_sum;
    desc.allreduce_user = fake;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    heap.calls = 0;
    if (odd) heap.fail_at = w->fail_at;
    bln_report_clear(&w->report[rank]);
    if (odd && w->leave_after != BLN_NONE) {
        w->status[rank] = bln_slm_init(slm, &rows, &w->report[rank]);
        for (size_t k = 0; k < w->leave_after && w->status[rank] == BLN_OK; k++)
            w->status[rank] = bln_slm_step(slm, &w->report[rank]);
        bln_slm_abandon(slm);
    } else w->status[rank] = bln_slm_fit(slm, &rows, &w->report[rank]);
    if (odd) w->calls = heap.calls;
    if (w->status[rank] == BLN_OK && gaussians_of(bln_slm_posterior(slm))) slm_ranks_keep(w, rank, slm);
    bln_slm_free(slm);
    w->leaks += heap.live;
}

/* All ranks got there, with the same bits, and near the model of one process. path: relative difference that the search may leave;
 * weights follow the hyper-parameters in proportion to the largest of them. */
static void slm_ranks_check(slm_ranks_world *w, double path)
{
    CHECK(ranks_run(SLM_RANKS, slm_ranks_one, w) != BLN_NONE);
    bln_slm *one = slm_fit(&w->desc, &w->data);
    const bln_basis *b = w->desc.basis;
    for (size_t r = 0; r < SLM_RANKS; r++) {
        CHECK_OK(w->status[r]);
        if (w->status[r] != BLN_OK) printf("    %s\n", w->report[r].text);
        CHECK(w->evidence[r] == w->evidence[0] && w->noise[r] == w->noise[0] && !memcmp(w->m[r], w->m[0], sizeof w->m[0])
              && !memcmp(w->theta[r], w->theta[0], sizeof w->theta[0]) && w->report[r].iterations == w->report[0].iterations);
    }
    CHECK_NEAR(w->rows[0], bln_slm_rows(one), 0.0);
    CHECK_REL(w->evidence[0], bln_slm_evidence(one), 1e-10);
    CHECK_REL(w->noise[0], bln_slm_noise_cov(one)[0], path);
    for (size_t k = 0; k < b->n_theta; k++) CHECK_REL(w->theta[0][k], bln_slm_theta(one)[k], path);
    for (size_t s = 0; s < b->n_slices; s++) CHECK_REL(w->prior[0][s], bln_slm_prior_var(one)[s], path);
    const double *const m = gaussians_of(bln_slm_posterior(one))->m;
    double largest = 1.0;
    for (size_t j = 0; j < b->D; j++) largest = fmax(largest, fabs(m[j]));
    for (size_t j = 0; j < b->D; j++) CHECK_NEAR(w->m[0][j], m[j], 10.0*path*largest);
    CHECK_SIZE(w->leaks, 0);
    bln_slm_free(one);
}

/* Length scales, noise and prior variances learnt; weights, noise variances, offsets; a rank without rows. The statistics differ by
 * the rounding of sums in another order, 1e-16 relative; a search of some steps and the condition of B, some 1e4, leave 1e-9. */
TEST(slm_ranks, learning_everything)
{
    bln_data data = slm_make(60, 2, 21, 1);
    bln_basis *b = slm_parse("rbf:n=4,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.max_iterations = 3;
    slm_ranks_world w = slm_ranks_new(desc, data, 25, 25);
    slm_ranks_check(&w, 1e-9);
    /* Several starts, and fewer rows in a rank than features. */
    desc.starts = 2;
    desc.max_iterations = 1;
    slm_ranks_world few = slm_ranks_new(desc, bln_data_rows(&data, 0, 24), 8, 17);
    slm_ranks_check(&few, 1e-8);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Inducing points: what they leave out of each row's prior variance is a sum over rows as well, and its gradient by the length
 * scales. */
TEST(slm_ranks, inducing_points)
{
    bln_data data = slm_make(60, 2, 26, 1);
    bln_basis *b = slm_parse("inducing:m=5,ard+bias", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.max_iterations = 3;
    slm_ranks_world w = slm_ranks_new(desc, data, 25, 25);
    slm_ranks_check(&w, 1e-9);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Without parameters to learn: exact arithmetic. The sums over ranks lose nothing, so that the statistics are equal to 1e-45, and
 * so the results to their last digits: features of condition 1e12, inputs around 1e3. */
TEST(slm_ranks, exact_arithmetic)
{
    bln_data data = slm_make(30, 1, 22, 1);
    double *X = (double *)data.X;
    for (size_t i = 0; i < data.n; i++) X[i] = 1e3 + X[i];
    bln_basis *b = slm_parse("polynomial:degree=3", 1, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    double flat = HUGE_VAL;
    desc.prior_var = &flat;
    slm_ranks_world w = slm_ranks_new(desc, data, 11, 20);
    CHECK(ranks_run(SLM_RANKS, slm_ranks_one, &w) != BLN_NONE);
    bln_slm *one = slm_fit(&desc, &data);
    const double tolerance = blni_exact_available() ? 4*DBL_EPSILON : 1.0;
    for (size_t r = 0; r < SLM_RANKS; r++) CHECK_OK(w.status[r]);
    CHECK_REL(w.evidence[1], bln_slm_evidence(one), tolerance);
    CHECK_REL(w.noise[2], bln_slm_noise_cov(one)[0], tolerance);
    for (size_t j = 0; j < b->D && blni_exact_available(); j++) CHECK_REL(w.m[0][j],
        gaussians_of(bln_slm_posterior(one))->m[j], tolerance);
    bln_slm_free(one);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Residuals that the rows must be asked for again (a nearly perfect fit in double), and several outputs with a full Sigma. */
TEST(slm_ranks, residual_pass_and_outputs)
{
    bln_data data = slm_make(40, 2, 23, 0);
    double *y = (double *)data.y;
    for (size_t i = 0; i < data.n; i++) y[i] = 1.0 + data.X[2*i] - 3.0*data.X[2*i + 1] + 1e-5*y[i];
    bln_basis *b = slm_parse("linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.arithmetic = BLN_SLM_DOUBLE;
    desc.max_iterations = 4;
    slm_ranks_world w = slm_ranks_new(desc, data, 10, 30);
    slm_ranks_check(&w, 1e-7);
    slm_free_data(&data);

    data = slm_make(80, 2, 24, 0);
    data.n = 40;
    data.p = 2;                                         /* 80 targets in pairs */
    desc.n_outputs = 2;
    desc.sigma = BLN_SLM_CORRELATED;
    slm_ranks_world two = slm_ranks_new(desc, data, 10, 30);
    slm_ranks_check(&two, 1e-9);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* ---- when one fails */

/* All but the odd rank end with BLN_EPEER, and that one with this status. */
static void slm_ranks_fails(slm_ranks_world *w, bln_status own, const char *why)
{
    CHECK(ranks_run(SLM_RANKS, slm_ranks_one, w) != BLN_NONE);
    for (size_t r = 0; r < SLM_RANKS; r++) {
        CHECK_STATUS(w->status[r], r == w->odd ? own : BLN_EPEER);
        CHECK_TEXT(w->report[r].text, r == w->odd ? why : own == BLN_EPEER ? "out of step" : "another process failed");
    }
    CHECK_SIZE(w->leaks, 0);
}

TEST(slm_ranks, one_that_fails_leaves_nobody_waiting)
{
    bln_data data = slm_make(30, 2, 25, 0);
    double *X = (double *)data.X;
    bln_basis *b = slm_parse("rbf:n=3,ard+linear", 2, 1), *other = slm_parse("rbf:n=3,ard+linear", 2, 2);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.max_iterations = 1;
    slm_ranks_world w = slm_ranks_new(desc, data, 10, 20);
    w.odd = 1;

    const double keep = X[2*14 + 1];                    /* bad data: the row is counted in the rank */
    X[2*14 + 1] = (double)NAN;
    slm_ranks_fails(&w, BLN_EDATA, "row 4, column 1");
    X[2*14 + 1] = keep;

    w.other.theta_sd = 0.5;                             /* another objective: found out when points begin to differ */
    w.desc.max_iterations = w.other.max_iterations = 3;
    slm_ranks_fails(&w, BLN_EPEER, "out of step");
    w.other = w.desc;
    w.other.basis = other;                              /* of another seed */
    slm_ranks_fails(&w, BLN_EPEER, "out of step");
    w.other = w.desc;
    w.other.n_outputs = 2;
    slm_ranks_fails(&w, BLN_ESHAPE, "number of outputs");
    w.other = w.desc;

    for (w.leave_after = 0; w.leave_after < 2; w.leave_after++) {      /* one that does not go on */
        CHECK(ranks_run(SLM_RANKS, slm_ranks_one, &w) != BLN_NONE);
        CHECK(w.status[0] == BLN_EPEER && w.status[1] == BLN_OK && w.status[2] == BLN_EPEER);
    }
    w.leave_after = BLN_NONE;

    size_t at = 0;                                      /* each of its allocations */
    w.desc.max_iterations = w.other.max_iterations = 1;
    for (w.fail_at = 0; at == w.fail_at; w.fail_at++) {
        CHECK(ranks_run(SLM_RANKS, slm_ranks_one, &w) != BLN_NONE);
        if (w.calls <= w.fail_at) break;
        CHECK(w.status[0] == BLN_EPEER && w.status[1] == BLN_ENOMEM && w.status[2] == BLN_EPEER);
        at++;
    }
    CHECK(at >= 5 && w.status[0] == BLN_OK && w.status[1] == BLN_OK && w.status[2] == BLN_OK);
    CHECK_SIZE(w.leaks, 0);
    bln_basis_free(b);
    bln_basis_free(other);
    slm_free_data(&data);
}

/* A monitor that stops or fails on one rank; the others have one that does not mind, or none. */
static bln_status slm_ranks_monitor(void *user, const bln_slm_progress *p)
{
    return p->iteration >= 2 ? *(bln_status *)user : BLN_OK;
}

TEST(slm_ranks, monitors)
{
    bln_data data = slm_make(30, 2, 26, 0);
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.max_iterations = 5;
    slm_ranks_world w = slm_ranks_new(desc, data, 10, 20);
    bln_status what = BLN_ESTOPPED;
    w.odd = 2;
    w.other.monitor = slm_ranks_monitor;
    w.other.monitor_user = &what;
    CHECK(ranks_run(SLM_RANKS, slm_ranks_one, &w) != BLN_NONE);
    for (size_t r = 0; r < SLM_RANKS; r++) {
        CHECK_OK(w.status[r]);
        CHECK(w.report[r].stop == BLN_STOP_MONITOR && w.report[r].iterations == 2 && w.evidence[r] == w.evidence[0]);
    }
    what = BLN_EIO;
    slm_ranks_fails(&w, BLN_EIO, "the monitor returned an error");
    bln_basis_free(b);
    slm_free_data(&data);
}

/* ---- the evidence at a point, and statistics */

typedef struct slm_ranks_point {
    const bln_basis *basis;
    bln_data         data;
    double           evidence[SLM_RANKS], gradient[SLM_RANKS][8];
    bln_status       status[SLM_RANKS];
    int              exact;
    bln_statistics  *t[SLM_RANKS];
} slm_ranks_point;

static const double slm_ranks_theta[2] = { 1.1, 0.8 }, slm_ranks_prior[2] = { 0.5, 0.3 };

static void slm_ranks_at(void *user, size_t rank, ranks_fake *fake)
{
    slm_ranks_point *p = (slm_ranks_point *)user;
    bln_slm_desc desc = slm_desc(p->basis, BLN_SLM_AUTO);
    const bln_data rows = bln_data_rows(&p->data, 12*rank, 12);
    double *g = p->gradient[rank];
    desc.allreduce = ranks_sum;
    desc.allreduce_user = fake;
    bln_slm *slm = slm_new(&desc);
    p->status[rank] = bln_slm_evidence_at(slm, &rows, rank == 1 && p->exact ? -1.0 : 0.2, slm_ranks_prior, slm_ranks_theta,
                                          &p->evidence[rank], g, g + 1, g + 3, NULL);
    bln_slm_free(slm);
}

TEST(slm_ranks, evidence_at_a_point)
{
    slm_ranks_point p;
    bln_data data = slm_make(36, 2, 27, 1);
    bln_basis *b = slm_parse("rbf:n=4,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_slm *one = slm_new(&desc);
    double evidence, g[5];
    memset(&p, 0, sizeof p);
    p.basis = b;
    p.data = data;
    CHECK(ranks_run(SLM_RANKS, slm_ranks_at, &p) != BLN_NONE);
    CHECK_OK(bln_slm_evidence_at(one, &data, 0.2, slm_ranks_prior, slm_ranks_theta, &evidence, g, g + 1, g + 3, NULL));
    for (size_t r = 0; r < SLM_RANKS; r++) {
        CHECK_OK(p.status[r]);
        CHECK_REL(p.evidence[r], evidence, 1e-12);
        for (int k = 0; k < 5; k++) CHECK_NEAR(p.gradient[r][k], g[k], 1e-11*fabs(evidence));
    }
    p.exact = 1;                                        /* one asks for a point that is none */
    CHECK(ranks_run(SLM_RANKS, slm_ranks_at, &p) != BLN_NONE);
    CHECK(p.status[0] == BLN_EPEER && p.status[1] == BLN_EDOMAIN && p.status[2] == BLN_EPEER);
    bln_slm_free(one);
    bln_basis_free(b);
    slm_free_data(&data);
}

static void slm_ranks_statistics(void *user, size_t rank, ranks_fake *fake)
{
    slm_ranks_point *p = (slm_ranks_point *)user;
    bln_statistics_desc desc;
    const bln_data rows = bln_data_rows(&p->data, 12*rank, 12);
    memset(&desc, 0, sizeof desc);
    desc.basis = p->basis;
    desc.exact = p->exact;
    bln_statistics_free(p->t[rank]);
    p->t[rank] = NULL;
    CHECK_OK(bln_statistics_create(&desc, &p->t[rank], NULL));
    CHECK_OK(bln_statistics_add(p->t[rank], &rows, NULL));
    blni_processes ranks = blni_processes_of(ranks_sum, fake);
    p->status[rank] = blni_gram_allreduce(&p->t[rank]->gram, &ranks, NULL);
}

/* Exact ones to the last digit, whichever the order; with sums that cancel, and entries of very different size. */
TEST(slm_ranks, statistics)
{
    bln_data data = slm_make(36, 2, 28, 1);
    double *X = (double *)data.X, *y = (double *)data.y;
    bln_basis *b = slm_parse("polynomial:degree=2", 2, 1);
    for (size_t i = 0; i < data.n; i++) {
        X[2*i + 1] = (i % 2 ? -1e9 : 1e9)*(1.0 + 1e-8*X[2*i + 1]);
        y[i] *= i % 5 ? 1.0 : 1e-9;
    }
    for (int exact = 0; exact < 2; exact++) {
        slm_ranks_point p;
        bln_statistics_desc desc;
        bln_statistics *all = NULL;
        memset(&p, 0, sizeof p);
        memset(&desc, 0, sizeof desc);
        p.basis = desc.basis = b;
        p.data = data;
        p.exact = desc.exact = exact && blni_exact_available();
        CHECK(ranks_run(SLM_RANKS, slm_ranks_statistics, &p) != BLN_NONE);
        CHECK_OK(bln_statistics_create(&desc, &all, NULL));
        CHECK_OK(bln_statistics_add(all, &data, NULL));
        const size_t D1 = b->D + 1, ld = blni_stride(D1);
        for (size_t r = 0; r < SLM_RANKS; r++) {
            const blni_gram *g = &p.t[r]->gram, *want = &all->gram;
            CHECK_OK(p.status[r]);
            CHECK_NEAR(g->N, want->N, 0.0);
            CHECK_REL(g->ld, want->ld, 1e-14);
            CHECK_REL(g->omega, want->omega, 1e-14);
            CHECK_NEAR(slm_exact_difference(g->y, want->y), 0.0, 1e-40);
            for (size_t i = 0; i < D1; i++)
                for (size_t j = i; j < D1; j++) {
                    const double size = sqrt(blni_gram_square(want, i)*blni_gram_square(want, j));      /* sum |terms| <= */
                    if (!p.exact) CHECK_NEAR(g->G[i*ld + j], want->G[i*ld + j], 40*DBL_EPSILON*size);
                    else CHECK_LE(fabs(slm_exact_difference(g->G3 + i*D1 + j, want->G3 + i*D1 + j)), ldexp(size, -140));
                }
            bln_statistics_free(p.t[r]);
        }
        bln_statistics_free(all);
    }
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Warm starts: nothing is lost against the whole search, and less is asked for. The prior of theta stays where it was, so that both
 * climb the same hill: to the tolerance 1e-6 of either in the evidence. */
TEST(slm_ranks, warm_start)
{
    bln_data data = slm_make(120, 2, 29, 0);
    bln_basis *b = slm_parse("rbf:n=8,ard+linear", 2, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_report cold, warm;
    bln_slm *slm = slm_new(&desc);
    desc.warm_start = 1;
    CHECK_TEXT(bln_slm_check(&desc), "warm_start needs");
    const bln_data part = bln_data_rows(&data, 0, 60);
    CHECK_OK(bln_slm_fit(slm, &part, NULL));
    double prior[2], theta[2];
    memcpy(prior, bln_slm_prior_var(slm), sizeof prior);
    memcpy(theta, bln_slm_theta(slm), sizeof theta);
    desc.noise_var = bln_slm_noise_var(slm);
    desc.prior_var = prior;
    desc.theta = theta;
    bln_slm *again = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, &cold));
    CHECK_OK(bln_slm_fit(again, &data, &warm));
    CHECK(warm.evaluations < cold.evaluations/2);
    CHECK_NEAR(warm.objective, cold.objective, 2e-6*fabs(cold.objective));
    bln_slm_free(slm);
    bln_slm_free(again);
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_ranks)
    SUITE_TEST(slm_ranks, learning_everything)
    SUITE_TEST(slm_ranks, inducing_points)
    SUITE_TEST(slm_ranks, exact_arithmetic)
    SUITE_TEST(slm_ranks, residual_pass_and_outputs)
    SUITE_TEST(slm_ranks, one_that_fails_leaves_nobody_waiting)
    SUITE_TEST(slm_ranks, monitors)
    SUITE_TEST(slm_ranks, evidence_at_a_point)
    SUITE_TEST(slm_ranks, statistics)
    SUITE_TEST(slm_ranks, warm_start)
SUITE_END(slm_ranks)
