/* test_slm_failures - a source, another process or the memory that fails at any call, in fits of all kinds: the status comes out,
 * and nothing is left; what cannot be evaluated is said in words */
#include "slm_tools.h"
#include "posterior_of.h"
#include "../core/ranks_tools.h"

/* A source whose call number `fail` of _reset and _next, from 0, returns `status`. */
typedef struct failures_line { bln_data_reader reader; bln_source inner; size_t calls, fail; bln_status status; } failures_line;
static bln_status failures_reset(void *user, bln_report *report)
{
    failures_line *l = (failures_line *)user;
    return l->calls++ == l->fail ? l->status : l->inner.reset(l->inner.user, report);
}
static bln_status failures_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    failures_line *l = (failures_line *)user;
    return l->calls++ == l->fail ? l->status : l->inner.next(l->inner.user, most, block, report);
}
static bln_source failures_source(failures_line *l, const bln_data *data)
{
    bln_source s;
    l->inner = bln_source_of(data, &l->reader);
    l->calls = 0;
    s.d = data->d;
    s.reset = failures_reset;
    s.next = failures_next;
    s.user = l;
    return s;
}

/* A sum over one process, whose call number `fail` fails. */
typedef struct failures_sum { size_t calls, fail; } failures_sum;
static bln_status failures_allreduce(void *user, double *buf, size_t n)
{
    failures_sum *s = (failures_sum *)user;
    (void)buf;
    (void)n;
    return s->calls++ == s->fail ? BLN_EIO : BLN_OK;
}

/* Fits of all kinds to a few rows, by steps down to the last digit. A residual that is lost in sums asks for the rows at every
 * step; squares of features that overflow or underflow are looked for in the rows. */
typedef struct failures_case {
    const char        *spec;
    size_t             d, n;
    bln_slm_form       form;
    bln_slm_arithmetic arithmetic;
    bln_slm_optimiser  optimiser;
    double             noise, unit;        /* of y = 100 + x (of two slices: 100); of the inputs */
    bln_status         end;                /* of the fit that nothing fails  */
} failures_case;
static const failures_case failures_cases[] = {
    { "linear", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_LBFGS, 1e-5, 1.0, BLN_OK },
    { "linear", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_MACKAY, 1e-5, 1.0, BLN_OK },
    { "bias+linear:ones=0", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_EM, 1e-3, 1.0, BLN_OK },
    { "linear", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_MM, 1e-5, 1.0, BLN_OK },
    { "linear", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_EXACT, BLN_SLM_LBFGS, 0.1, 1.0, BLN_OK },
    { "linear", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_QR, BLN_SLM_LBFGS, 0.1, 1.0, BLN_OK },
    { "rbf:n=2,ard", 2, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_LBFGS, 0.1, 1.0, BLN_OK },
    { "rbf:n=6", 1, 7, BLN_SLM_DUAL, BLN_SLM_DOUBLE, BLN_SLM_LBFGS, 0.1, 1.0, BLN_OK },
    { "polynomial:degree=3", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_LBFGS, 0.1, 1e80, BLN_ENUMERIC },
    { "linear:ones=0", 1, 9, BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, BLN_SLM_LBFGS, 0.1, 1e-170, BLN_ENUMERIC }
};
enum { FAILURES_CASES = sizeof failures_cases/sizeof *failures_cases, FAILURES_N = 9 };

static bln_slm_desc failures_desc(const failures_case *c, const bln_basis *b)
{
    bln_slm_desc desc = slm_desc(b, c->form);
    desc.arithmetic = c->arithmetic;
    desc.optimiser = c->optimiser;
    desc.starts = 2;
    desc.max_iterations = 24;
    if (c->optimiser != BLN_SLM_LBFGS) desc.tolerance = 1e-16;
    desc.block = 4;
    return desc;
}

static bln_data failures_rows(const failures_case *c, double *X, double *y)
{
    test_random r = test_random_new(1);
    for (size_t i = 0; i < c->n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < c->d; j++) {
            const double x = test_normal(&r);
            X[i*c->d + j] = c->unit*x;
            if (c->optimiser != BLN_SLM_EM) sum += x;
        }
        y[i] = 100.0 + sum + c->noise*test_normal(&r);
    }
    return slm_view(c->n, c->d, X, y);
}

TEST(slm_failures, sources)
{
    static const bln_status statuses[] = { BLN_EIO, BLN_ENUMERIC, BLN_ENOTPD };
    for (size_t k = 0; k < FAILURES_CASES; k++)
        for (size_t s = 0; s < 3; s++) {
            const failures_case *c = failures_cases + k;
            double X[2*FAILURES_N], y[FAILURES_N];
            const bln_data data = failures_rows(c, X, y);
            bln_basis *b = slm_parse(c->spec, c->d, 1);
            const bln_slm_desc desc = failures_desc(c, b);
            bln_slm *slm = slm_new(&desc);
            failures_line l;
            memset(&l, 0, sizeof l);
            l.status = statuses[s];
            for (l.fail = 0;; l.fail += l.fail < 40 ? 1 : 7) {
                bln_report report;
                const bln_source source = failures_source(&l, &data);
                const size_t before = test_failures;
                const bln_status status = bln_slm_fit_source(slm, &source, l.fail % 5 ? &report : NULL);
                const int failed = l.calls > l.fail;
                CHECK_STATUS(status, failed ? l.status : c->end);
                CHECK(slm->fit == NULL);
                if (test_failures != before) printf("    %s, call %lu\n", c->spec, (unsigned long)l.fail);
                if (!failed || test_failures != before) break;
            }
            bln_slm_free(slm);
            bln_basis_free(b);
        }
}

/* Sums over processes, of a fit and of the evidence at a point. A feature that is 0 in all rows of this process may not be in
 * others: it is no failure. */
TEST(slm_failures, processes)
{
    static const double theta[2] = { 1.0, 1.3 };
    const double prior[2] = { 2.0, 1.0 }, zero[2] = { 0.0, 0.0 }, two[2] = { 1.0, 2.0 };
    for (size_t k = 0; k < FAILURES_CASES; k++) {
        const failures_case *c = failures_cases + k;
        double X[2*FAILURES_N], y[FAILURES_N], value;
        const bln_data data = failures_rows(c, X, y);
        bln_basis *b = slm_parse(c->spec, c->d, 1);
        bln_slm_desc desc = failures_desc(c, b);
        failures_sum sum;
        if (c->form == BLN_SLM_DUAL || c->arithmetic == BLN_SLM_QR || c->end != BLN_OK) { bln_basis_free(b); continue; }
        desc.allreduce = failures_allreduce;
        desc.allreduce_user = &sum;
        bln_slm *slm = slm_new(&desc);
        for (int at = 0; at < 2; at++)
            for (sum.fail = 0;; sum.fail++) {
                bln_report report;
                sum.calls = 0;
                const bln_status status = at ? bln_slm_evidence_at(slm, &data, 0.1, prior, theta, &value, NULL, NULL, NULL, &report)
                                             : bln_slm_fit(slm, &data, &report);
                CHECK_STATUS(status, sum.calls > sum.fail ? BLN_EIO : BLN_OK);
                if (sum.calls <= sum.fail || status == BLN_OK) break;
            }
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    failures_sum sum = { 0, (size_t)-1 };
    bln_basis *b = slm_parse("linear:ones=0", 1, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    const bln_data data = slm_view(2, 1, zero, two);
    desc.allreduce = failures_allreduce;
    desc.allreduce_user = &sum;
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* A fit that failed, or is at its end, takes no more steps. */
TEST(slm_failures, steps_after_the_end)
{
    double X[2*FAILURES_N], y[FAILURES_N];
    const bln_data data = failures_rows(failures_cases, X, y);
    bln_basis *b = slm_parse(failures_cases->spec, 1, 1);
    const bln_slm_desc desc = failures_desc(failures_cases, b);
    bln_slm *slm = slm_new(&desc);
    bln_slm_desc among = desc;
    bln_report report;
    failures_line l;
    failures_sum sum = { 0, (size_t)-1 };
    memset(&l, 0, sizeof l);
    l.status = BLN_EIO;
    l.fail = (size_t)-1;
    among.allreduce = failures_allreduce;
    among.allreduce_user = &sum;
    bln_slm *one = slm_new(&among);
    CHECK(bln_slm_converged(one) && bln_slm_converged(NULL));
    CHECK_OK(bln_slm_init(one, &data, &report));
    CHECK(!bln_slm_converged(one));
    sum.fail = sum.calls;
    CHECK_STATUS(bln_slm_step(one, NULL), BLN_EIO);
    CHECK_STATUS(bln_slm_step(one, &report), BLN_EPEER);
    CHECK_TEXT(report.text, "abandon it");
    CHECK_STATUS(bln_slm_finish(one, &report), BLN_EPEER);
    CHECK_TEXT(report.text, "abandon it");
    bln_slm_free(one);
    bln_source source = failures_source(&l, &data);
    CHECK_OK(bln_slm_init_source(slm, &source, &report));
    while (!bln_slm_converged(slm)) CHECK_OK(bln_slm_step(slm, &report));
    const size_t calls = l.calls;
    const double objective = report.objective;
    CHECK_OK(bln_slm_step(slm, &report));
    CHECK(l.calls == calls && report.objective == objective);
    CHECK_OK(bln_slm_finish(slm, &report));
    source.d = 3;
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "3 instead of 1");
    source.next = NULL;
    CHECK_STATUS(bln_slm_fit_source(slm, &source, &report), BLN_EINVAL);
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Every allocation of a fit to statistics, and of a model made from a fitted one, fails in turn. */
TEST(slm_failures, memory)
{
    double X[2*FAILURES_N], y[FAILURES_N];
    const bln_data data = failures_rows(failures_cases + 4, X, y);
    bln_basis *b = slm_parse("linear", 1, 1);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_statistics_desc sd = BLN_ZERO;
    bln_statistics *t = NULL;
    test_heap heap;
    const double one[1] = { 1.0 };
    double value;
    sd.basis = b;
    CHECK_OK(bln_statistics_create(&sd, &t, NULL));
    CHECK_OK(bln_statistics_add(t, &data, NULL));
    desc.alloc = test_heap_allocator(&heap);
    bln_slm *slm = slm_new(&desc);
    for (int what = 0; what < 3; what++)
        for (size_t fail = 0;; fail++) {
            bln_sequential *q = NULL;
            bln_report report;
            const size_t live = heap.live;
            heap.calls = 0;
            heap.fail_at = fail;
            const bln_status status = what == 0 ? bln_slm_fit_statistics(slm, t, &report)
                : what == 1 ? bln_sequential_create_from(slm, &q, &report)
                            : bln_slm_evidence_at(slm, &data, 1.0, one, NULL, &value, NULL, NULL, NULL, &report);
            heap.fail_at = (size_t)-1;
            if (status == BLN_OK) { CHECK(fail > (what ? 1u : 3u)); bln_sequential_free(q); break; }
            CHECK_STATUS(status, BLN_ENOMEM);
            CHECK_TEXT(report.text, "out of memory");
            CHECK_SIZE(heap.live, live);
        }
    bln_statistics_free(t);
    bln_slm_free(slm);
    CHECK_SIZE(heap.live, 0);
    bln_basis_free(b);
}

/* What evidence at a point is refused for, and points where it has no value. */
TEST(slm_failures, points)
{
    double X[2*FAILURES_N], y[2*FAILURES_N], big[FAILURES_N], value, d[2];
    const double one[3] = { 1.0, 1.0, 1.0 }, below[1] = { -1.0 }, huge[1] = { 1e308 }, cov[4] = { 1.0, 0.0, 0.0, 0.0 };
    const bln_data data = failures_rows(failures_cases + 6, X, y);
    bln_data other = data, two = data;
    bln_basis *rbf = slm_parse("rbf:n=8", 2, 1), *line = slm_parse("linear", 2, 1), *power = slm_parse("polynomial:degree=8", 1, 1);
    const bln_slm_desc of_rbf = slm_desc(rbf, BLN_SLM_AUTO), of_line = slm_desc(line, BLN_SLM_PRIMAL);
    bln_slm *slm = slm_new(&of_rbf), *plain = slm_new(&of_line);
    bln_report report;
    other.d = 1;
    CHECK_STATUS(bln_slm_evidence_at(slm, NULL, 1.0, one, one, &value, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, one, NULL, &value, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, one, below, &value, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "theta outside its domain");
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, HUGE_VAL, one, one, &value, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "noise_var must be finite");
    CHECK_STATUS(bln_slm_evidence_at(slm, &other, 1.0, one, one, &value, NULL, NULL, NULL, &report), BLN_ESHAPE);
    CHECK_OK(bln_slm_evidence_at(plain, &data, 1.0, one, NULL, &value, NULL, NULL, d, &report));       /* nothing to write to d */
    bln_basis_ops ops = *rbf->ops;
    const bln_basis_ops *const whole = rbf->ops;
    ops.pullback = NULL;
    rbf->ops = &ops;
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1.0, one, one, &value, NULL, NULL, d, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no pullback");
    rbf->ops = whole;
    /* Overflows: of the squares in K_s and in B, and of a residual over sigma^2. */
    CHECK_STATUS(bln_slm_evidence_at(slm, &data, 1e-300, huge, one, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "scale");
    CHECK_STATUS(bln_slm_evidence_at(plain, &data, 1e-300, huge, NULL, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    CHECK_STATUS(bln_slm_evidence_at(plain, &data, 1e-310, one, NULL, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    bln_slm_desc of_power = slm_desc(power, BLN_SLM_DUAL);
    bln_slm *high = slm_new(&of_power);
    for (size_t i = 0; i < FAILURES_N; i++) big[i] = 1e30*(1.0 + (double)i);
    const bln_data far = slm_view(4, 1, big, y);
    CHECK_STATUS(bln_slm_evidence_at(high, &far, 1.0, one, NULL, &value, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "squares of a feature overflow");
    bln_slm_free(high);
    /* Sigma of two outputs. */
    bln_slm_desc of_two = slm_desc(line, BLN_SLM_PRIMAL);
    of_two.n_outputs = 2;
    of_two.sigma = BLN_SLM_CORRELATED;
    high = slm_new(&of_two);
    two.p = 2;
    two.n = 4;
    CHECK_STATUS(bln_slm_evidence_outputs(high, &two, cov, one, NULL, &value, NULL, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "noise_cov must be positive definite");
    bln_slm_free(high);
    bln_slm_free(slm);
    bln_slm_free(plain);
    bln_basis_free(rbf);
    bln_basis_free(line);
    bln_basis_free(power);
}

SUITE_BEGIN(slm_failures)
SUITE_TEST(slm_failures, sources)
SUITE_TEST(slm_failures, processes)
SUITE_TEST(slm_failures, steps_after_the_end)
SUITE_TEST(slm_failures, memory)
SUITE_TEST(slm_failures, points)
SUITE_END(slm_failures)
