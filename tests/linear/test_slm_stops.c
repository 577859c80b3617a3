/* test_slm_stops - what a fit says about its end: the limit of steps counts all stages of a start, a monitor sees each step as it
 * was, and the reason of the end is that of the start the result comes from */
#include "slm_tools.h"

enum { STOPS_MOST = 1200, STOPS_CASES = 6 };

typedef struct stops_log { size_t n; bln_slm_progress seen[STOPS_MOST]; size_t stop_after; } stops_log;

static bln_status stops_watch(void *user, const bln_slm_progress *progress)
{
    stops_log *log = (stops_log *)user;
    if (log->n < STOPS_MOST) log->seen[log->n] = *progress;
    log->n++;
    return log->stop_after && log->n >= log->stop_after ? BLN_ESTOPPED : BLN_OK;
}

/* A search with ties (length scales), one without, one of fixed-point steps before it, and each of fixed-point steps alone. */
static const char *const stops_specs[3] = { "rbf:n=12,ard+linear", "rbf:n=12+linear", "linear+polynomial:degree=2,ones=0" };

static bln_slm_desc stops_desc(const bln_basis *b, size_t k)
{
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    desc.optimiser = (bln_slm_optimiser)(k < 3 ? BLN_SLM_LBFGS : k - 2);
    return desc;
}

/* No start takes more steps than max_iterations, whatever the stages; one that is cut off says so. */
TEST(slm_stops, limit_counts_all_stages)
{
    static const size_t limits[] = { 1, 2, 3, 5, 8, 13, 40 };
    bln_data data = slm_make(60, 2, 3, 0);
    for (size_t k = 0; k < STOPS_CASES; k++)
        for (size_t l = 0; l < sizeof limits/sizeof *limits; l++)
            for (size_t starts = 1; starts <= 3; starts += 2) {
                bln_basis *b = slm_parse(stops_specs[k < 3 ? k : 2], 2, 1);
                bln_slm_desc desc = stops_desc(b, k);
                bln_report report;
                static stops_log log;
                size_t of_start[3] = { 0, 0, 0 };
                memset(&log, 0, sizeof log);
                desc.starts = starts;
                desc.max_iterations = limits[l];
                desc.monitor = stops_watch;
                desc.monitor_user = &log;
                bln_slm *slm = slm_new(&desc);
                CHECK_OK(bln_slm_fit(slm, &data, &report));
                CHECK_SIZE(log.n, report.iterations);
                for (size_t i = 0; i < log.n; i++) of_start[log.seen[i].start]++;
                for (size_t s = 0; s < starts; s++) CHECK(of_start[s] >= 1 && of_start[s] <= limits[l]);
                if (limits[l] <= 2) CHECK(report.stop == BLN_STOP_LIMIT);
                CHECK(report.stop != BLN_STOP_NONE && (report.stop != BLN_STOP_LIMIT || log.n >= limits[l]));
                CHECK(report.text[0] == '\0');
                bln_slm_free(slm);
                bln_basis_free(b);
            }
    slm_free_data(&data);
}

/* The monitor's view is that of the step: its start, and the objective and gradient there; the first grows within a start (to the
 * rounding floor of the search, 1e-10 of it). The best objective is the report's, with its gradient, which is small when that is
 * why the start ended. */
TEST(slm_stops, monitor_sees_the_step)
{
    bln_data data = slm_make(60, 2, 5, 1);
    for (size_t k = 0; k < STOPS_CASES; k++) {
        bln_basis *b = slm_parse(stops_specs[k < 3 ? k : 2], 2, 1);
        bln_slm_desc desc = stops_desc(b, k);
        bln_report report;
        static stops_log log;
        size_t winner = 0;
        double best = -HUGE_VAL;
        memset(&log, 0, sizeof log);
        desc.starts = 4;
        desc.monitor = stops_watch;
        desc.monitor_user = &log;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        CHECK(log.n == report.iterations && log.n <= STOPS_MOST);
        for (size_t i = 0; i < log.n; i++) {
            const bln_slm_progress *p = log.seen + i, *q = i ? p - 1 : NULL;
            CHECK(p->iteration == i + 1 && p->starts == 4 && p->best >= p->objective && p->best >= best);
            if (q && q->start == p->start) CHECK_LE(q->objective - 1e-9*fabs(q->objective), p->objective);
            else CHECK(p->start == (q ? q->start + 1 : 0));
            if (p->objective >= best) { best = p->objective; winner = i; }
            CHECK(p->best == best && !(p->gradient_norm < 0.0));
        }
        CHECK_REL(report.objective, best, 1e-9);
        CHECK_NEAR(report.gradient_norm, log.seen[winner].gradient_norm, 0.0);
        if (report.stop == BLN_STOP_GRADIENT) CHECK_LE(report.gradient_norm, 1e-6*fmax(1.0, sqrt(fabs(best) + 1e3)));
        CHECK(report.stop == BLN_STOP_GRADIENT || report.stop == BLN_STOP_PROGRESS || report.stop == BLN_STOP_LINESEARCH);
        /* Cut off, or stopped, anywhere: the report says which of the two it was, and the result is the best so far. */
        for (size_t cut = 1; cut < log.n; cut += k < 3 ? 7 : 61) {
            static stops_log again;
            memset(&again, 0, sizeof again);
            again.stop_after = cut;
            bln_slm_desc stopped = desc;
            stopped.monitor_user = &again;
            bln_slm *short_fit = slm_new(&stopped);
            CHECK_OK(bln_slm_fit(short_fit, &data, &report));
            CHECK(report.stop == BLN_STOP_MONITOR);
            CHECK_SIZE(report.iterations, cut);
            CHECK_REL(report.objective, log.seen[cut - 1].best, 1e-9);
            bln_slm_free(short_fit);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

/* The reason is that of the winning start, with a limit that it does not need and others exceed. */
TEST(slm_stops, reason_is_the_winners)
{
    size_t free_winners = 0;
    for (uint64_t salt = 1; salt <= 12; salt++) {
        bln_data data = slm_make(40, 2, salt, 0);
        bln_basis *b = slm_parse(stops_specs[0], 2, salt);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        bln_report report;
        static stops_log log;
        size_t steps[4] = { 0, 0, 0, 0 }, winner = 0;
        double best = -HUGE_VAL;
        memset(&log, 0, sizeof log);
        desc.starts = 4;
        desc.max_iterations = 12 + (size_t)salt;
        desc.monitor = stops_watch;
        desc.monitor_user = &log;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        for (size_t i = 0; i < log.n; i++) {
            steps[log.seen[i].start]++;
            if (log.seen[i].objective >= best) { best = log.seen[i].objective; winner = log.seen[i].start; }
        }
        CHECK(report.stop != BLN_STOP_LIMIT || steps[winner] == desc.max_iterations);
        CHECK(report.stop != BLN_STOP_NONE);
        for (size_t s = 0; s < 4; s++) {
            free_winners += steps[winner] < desc.max_iterations && steps[s] == desc.max_iterations;
        }
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
    }
    CHECK(free_winners > 0);                 /* it was put to the test */
}

/* A clean polynomial is the limit of length scales and prior variance that grow together, where the evidence by sums of squares is
 * rounding. The stage with ties ends before that: by orthogonal arithmetic the evidence there is the same to a tenth of a nat, and
 * the search without ties gets on from there. */
TEST(slm_stops, before_the_evidence_is_rounding)
{
    enum { N = 400 };
    bln_data rows = slm_make(N, 2, 1, 0), data = rows;
    double y[N];
    data.y = y;
    for (uint64_t seed = 0; seed < 4; seed++) {
        bln_basis *b = slm_parse("rbf:n=20,ard+linear", 2, seed);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        test_random r = test_random_new(seed);
        bln_report report;
        double exact = 0.0;
        for (size_t i = 0; i < N; i++) {
            const double u = data.X[2*i], v = data.X[2*i + 1];
            y[i] = u*u + 0.5*u*v + 1e-3*test_normal(&r);
        }
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_init(slm, &data, &report));
        blni_slm_fit *f = slm->fit;
        while (f->tied) CHECK_OK(bln_slm_step(slm, &report));
        const double tied = f->best;
        blni_fit_natural(f, f->best_x);
        desc.arithmetic = BLN_SLM_QR;
        bln_slm *by_qr = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(by_qr, &data, f->hyper.noise_var, f->hyper.prior_var, f->hyper.theta, &exact, NULL, NULL, NULL,
                                     &report));
        CHECK_LE(fabs(exact - blni_fit_penalty(f, f->best_x, NULL) - tied), 0.1);
        while (!bln_slm_converged(slm)) CHECK_OK(bln_slm_step(slm, &report));
        CHECK(f->best > tied + 1.0);
        bln_slm_free(slm);
        bln_slm_free(by_qr);
        bln_basis_free(b);
    }
    slm_free_data(&rows);
}

/* The stage that ties length scales only finds the neighbourhood: it ends with the second step in a row that gains less than 1e-4
 * of the evidence (in units of sd(y)), however small the tolerance, and not before, unless after 30 steps or where the gradient
 * is 0. */
TEST(slm_stops, tied_stage_ends_early)
{
    bln_data data = slm_make(120, 3, 1, 0);
    size_t by_progress = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        bln_basis *b = slm_parse("rbf:n=15,ard+linear", 3, seed);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
        size_t steps = 0, slow = 0;
        desc.tolerance = 1e-10;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_init(slm, &data, NULL));
        blni_slm_fit *f = slm->fit;
        CHECK(f->tied);
        while (f->tied) {
            const double before = blni_lbfgs_value(f->opt_tied);
            CHECK(slow < 2 && steps < 30);
            CHECK_OK(bln_slm_step(slm, NULL));
            const double after = blni_lbfgs_value(f->opt_tied);
            const double size = fabs(before) > fabs(after) ? fabs(before) : fabs(after);
            slow = before - after <= 1e-4*(size > 1.0 ? size : 1.0) ? slow + 1 : 0;
            steps++;
        }
        by_progress += slow == 2;
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    CHECK(by_progress >= 4);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_stops)
SUITE_TEST(slm_stops, tied_stage_ends_early)
SUITE_TEST(slm_stops, limit_counts_all_stages)
SUITE_TEST(slm_stops, monitor_sees_the_step)
SUITE_TEST(slm_stops, reason_is_the_winners)
SUITE_TEST(slm_stops, before_the_evidence_is_rounding)
SUITE_END(slm_stops)
