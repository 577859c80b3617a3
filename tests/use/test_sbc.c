/* test_sbc: a conjugate posterior passes, and each way to be wrong is found and named; p by exhaustion, and uniform */
#include "../test.h"

/* theta ~ N(0, 1), n y_i ~ N(theta, 1): theta | y ~ N(S/(n + 1), 1/(n + 1)), S = sum y. Ranked: theta, and log p(y | theta) but for
 * what does not depend on theta: theta S - n theta^2/2. */
typedef enum sbc_wrong { SBC_RIGHT, SBC_NARROW, SBC_WIDE, SBC_SHIFTED, SBC_SLOW, SBC_FORGETS, SBC_FAILS, SBC_INFINITE } sbc_wrong;
typedef struct sbc_world { sbc_wrong wrong; size_t Q; double sum; size_t calls; } sbc_world;
enum { SBC_ROWS = 5 };

static void sbc_quantities(const sbc_world *w, double theta, double *out)
{
    out[0] = theta;
    if (w->Q > 1) out[1] = theta*w->sum - 0.5*SBC_ROWS*theta*theta;
}
static bln_status sbc_simulate(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    sbc_world *w = (sbc_world *)user;
    const double theta = bln_rng_normal(rng);
    (void)report;
    w->sum = 0.0;
    for (int i = 0; i < SBC_ROWS; i++) w->sum += theta + bln_rng_normal(rng);
    sbc_quantities(w, theta, truth);
    if (w->wrong == SBC_INFINITE && w->calls == 3) truth[1] = HUGE_VAL;
    return BLN_OK;
}
static bln_status sbc_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    sbc_world *w = (sbc_world *)user;
    double mean = w->sum/(SBC_ROWS + 1.0), sd = 1.0/sqrt(SBC_ROWS + 1.0), z = bln_rng_normal(rng);
    if (w->calls++ == 3 && w->wrong == SBC_FAILS) {
        if (report) strcpy(report->text, "singular");
        return BLN_ENOTPD;
    }
    if (w->wrong == SBC_NARROW) sd *= 0.8;
    if (w->wrong == SBC_WIDE) sd *= 1.25;
    if (w->wrong == SBC_SHIFTED) mean += 0.3*sd;
    if (w->wrong == SBC_FORGETS) { mean = 0.0; sd = 1.0; }
    for (size_t i = 0; i < n; i++) {
        z = w->wrong == SBC_SLOW ? 0.9*z + sqrt(0.19)*bln_rng_normal(rng) : bln_rng_normal(rng);
        sbc_quantities(w, mean + sd*z, draws + w->Q*i);
    }
    return BLN_OK;
}
static bln_sbc_desc sbc_desc(sbc_world *w, sbc_wrong wrong, size_t Q)
{
    static const char *const names[2] = { "theta", "log p" };
    bln_sbc_desc d = BLN_ZERO;
    memset(w, 0, sizeof *w);
    w->wrong = wrong;
    w->Q = d.quantities = Q;
    d.simulate = sbc_simulate;
    d.infer = sbc_infer;
    d.user = w;
    d.names = names;
    return d;
}

TEST(sbc, what_is_wrong_is_said)
{
    static const struct { sbc_wrong wrong; size_t Q, thin; int uniform; const char *says[2]; } want[] = {
        { SBC_RIGHT, 2, 1, 1, { "as uniform as those of a right inference", "" } },
        { SBC_NARROW, 1, 1, 0, { "not uniform", "theta. Its draws are too narrow." } },
        { SBC_WIDE, 1, 1, 0, { "not uniform", "theta. Its draws are too wide." } },
        { SBC_SHIFTED, 1, 1, 0, { "not uniform", "theta. Its draws lie too high." } },
        { SBC_SLOW, 1, 1, 0, { "theta. Its draws are too narrow.", "correlated, 0.8" } },
        { SBC_SLOW, 1, 40, 1, { "as uniform", "" } },
        { SBC_FORGETS, 2, 1, 0, { "log p. Its draws", "" } }
    };
    for (size_t i = 0; i < sizeof want/sizeof *want; i++) {
        sbc_world w;
        bln_sbc_desc d = sbc_desc(&w, want[i].wrong, want[i].Q);
        bln_sbc s;
        bln_sbc_rank of[2];
        d.thin = want[i].thin;
        CHECK_OK(bln_sbc_run(&d, &s, of, NULL, NULL));
        CHECK(s.uniform == want[i].uniform && w.calls == 1000);
        for (size_t k = 0; k < 2; k++) CHECK_TEXT(s.text, want[i].says[k]);
        CHECK_NEAR(s.p, fmin((double)want[i].Q*of[s.worst].p, 1.0), 0.0);
        CHECK((strstr(s.text, "correlated") != NULL) == (want[i].wrong == SBC_SLOW && want[i].thin == 1));
        if (want[i].wrong == SBC_FORGETS) CHECK(of[0].p > 0.001);            /* theta alone does not see it */
        if (want[i].uniform) {                                               /* 1000 x 63 pairs: sd 1/sqrt(63000) = 0.004 */
            CHECK_NEAR(of[0].correlation, want[i].thin > 1 ? pow(0.9, 40.0) : 0.0, 5.0*0.004 + 0.001);
            CHECK(fabs(of[0].shift) < 5.0 && fabs(of[0].spread) < 5.0);
        }
    }
}

/* All ways to put 5 ranks on 0..2: the chance of counts whose smallest tail is no larger than that of these. */
TEST(sbc, p_by_exhaustion)
{
    enum { R = 5, K = 3 };
    double lf[R + 1], tail[2][R + 1], room[3][R + 1], gamma[R + 1][R + 1], chance[R + 1][R + 1];
    for (size_t i = 0; i <= R; i++) lf[i] = bln_lgamma((double)i + 1.0);
    for (size_t k = 1; k < K; k++) blni_sbc_tails(lf, R, (double)k/K, tail[k - 1]);
    CHECK_NEAR(tail[0][0], 2.0*pow(2.0/3.0, 5.0), 1e-14);                    /* P(X = 0) */
    CHECK_NEAR(tail[1][4], 2.0*(pow(2.0/3.0, 5.0) + 5.0*pow(2.0/3.0, 4.0)/3.0), 1e-14);
    for (size_t a = 0; a <= R; a++)
        for (size_t b = 0; a + b <= R; b++) {
            gamma[a][b] = fmin(1.0, fmin(tail[0][a], tail[1][a + b]));
            chance[a][b] = exp(lf[R] - lf[a] - lf[b] - lf[R - a - b])*pow(3.0, -(double)R);
        }
    for (size_t a = 0; a <= R; a++)
        for (size_t b = 0; a + b <= R; b++) {
            double want = 0.0;
            const double count[K] = { (double)a, (double)b, (double)(R - a - b) };
            for (size_t x = 0; x <= R; x++)
                for (size_t y = 0; x + y <= R; y++) want += gamma[x][y] <= gamma[a][b]*(1.0 + 1e-9) ? chance[x][y] : 0.0;
            CHECK_NEAR(blni_sbc_p(R, K, count, lf, room[0], room[1], room[2]), want, 1e-12);
        }
}

/* Of uniform ranks p is at most u in a share u of all, nearly: the statistic is discrete. The shapes are N(0, 1). */
TEST(sbc, p_is_uniform)
{
    enum { TIMES = 300, R = 200, K = 16 };
    double room[4][R + 1], below[3] = { 0.0 }, squares[2] = { 0.0 };
    static const double level[3] = { 0.05, 0.3, 0.8 };
    bln_rng rng;
    bln_rng_seed(&rng, 4, 0);
    for (size_t t = 0; t < TIMES; t++) {
        double count[K] = { 0.0 };
        bln_sbc_rank shape;
        for (size_t r = 0; r < R; r++) count[bln_rng_below(&rng, K)] += 1.0;
        const double p = blni_sbc_p(R, K, count, room[0], room[1], room[2], room[3]);
        for (size_t k = 0; k < 3; k++) below[k] += (p <= level[k])/(double)TIMES;
        blni_sbc_shape(R, K, count, &shape);
        squares[0] += shape.shift*shape.shift/TIMES;
        squares[1] += shape.spread*shape.spread/TIMES;
    }
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(below[k], level[k], 5.0*sqrt(level[k]*(1.0 - level[k])/TIMES) + 0.02);
    for (size_t k = 0; k < 2; k++) CHECK_NEAR(squares[k], 1.0, 5.0*sqrt(2.0/TIMES));
}

/* Ranks are kept, and counts may be ranked: y ~ Poisson(3) is drawn again, so that most draws tie with some. */
static bln_status sbc_poisson(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    (void)user; (void)report;
    truth[0] = bln_rng_poisson(rng, 3.0);
    return BLN_OK;
}
static bln_status sbc_poissons(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    (void)user; (void)report;
    for (size_t i = 0; i < n; i++) draws[i] = bln_rng_poisson(rng, 3.0);
    return BLN_OK;
}
TEST(sbc, ties_and_ranks)
{
    enum { R = 500 };
    size_t ranks[R], sum = 0;
    bln_sbc_desc d = BLN_ZERO;
    bln_sbc s;
    d.quantities = 1;
    d.replicates = R;
    d.draws = 19;
    d.simulate = sbc_poisson;
    d.infer = sbc_poissons;
    CHECK_OK(bln_sbc_run(&d, &s, NULL, ranks, NULL));
    CHECK(s.uniform);
    CHECK_TEXT(s.text, "of q[1].");
    for (size_t r = 0; r < R; r++) { CHECK(ranks[r] <= 19); sum += ranks[r]; }
    CHECK_NEAR((double)sum/R, 9.5, 5.0*sqrt((400.0 - 1.0)/12.0/R));
}

TEST(sbc, errors)
{
    sbc_world w;
    bln_sbc s;
    bln_report report;
    test_heap heap;
    bln_sbc_desc d = sbc_desc(&w, SBC_FAILS, 2);
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_ENOTPD);
    CHECK(report.row == 3 && !strcmp(report.text, "singular"));
    d = sbc_desc(&w, SBC_INFINITE, 2);
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EDATA);
    CHECK(report.row == 3 && report.column == 1);
    CHECK_TEXT(report.text, "a truth is not finite");
    d.level = 1.0;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EINVAL);
    d.level = 0.0;
    d.draws = (size_t)-1;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EOVERFLOW);
    d.draws = 0;
    d.infer = NULL;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EINVAL);
    d = sbc_desc(&w, SBC_RIGHT, 2);
    d.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_ENOMEM);
    CHECK(w.calls == 0 && heap.live == 0);
}

/* What is said of each shape of ranks, and of names; of two ranks there is no spread. */
TEST(sbc, words)
{
    static const struct { double shift, spread; int uniform; const char *says; } want[] = {
        { 4.0, 1.0, 0, "draws lie too low" }, { -4.0, 1.0, 0, "draws lie too high" }, { 2.5, 1.0, 0, "Look at their histogram" },
        { 1.0, 4.0, 0, "draws are too narrow" }, { 1.0, -4.0, 0, "draws are too wide" }, { 3.0, 2.9, 0, "Look at their histogram" },
        { 4.0, 1.0, 1, "of q[2].\n" }, { 1.0, 4.0, 1, "of q[2].\n" }
    };
    bln_sbc_desc d = BLN_ZERO;
    for (size_t k = 0; k < sizeof want/sizeof *want; k++) {
        bln_sbc s = BLN_ZERO;
        bln_sbc_rank w = BLN_ZERO;
        s.worst = 1;
        s.uniform = want[k].uniform;
        w.shift = want[k].shift;
        w.spread = want[k].spread;
        blni_sbc_words(&d, &w, &s);
        CHECK_TEXT(s.text, want[k].says);
        CHECK(!want[k].uniform || !strstr(s.text, "raws"));
    }
    const double count[2] = { 3.0, 5.0 };
    bln_sbc_rank two;
    blni_sbc_shape(8, 2, count, &two);
    CHECK(two.spread == 0.0);
    CHECK_NEAR(two.shift, 0.25*(5.0 - 3.0)/8.0/sqrt(1.0/16.0/8.0), 1e-14);
}

/* Draws that never differ have no correlation. */
static bln_status sbc_coin(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    (void)report;
    truth[0] = bln_rng_uniform(rng) < 0.5 ? -1.0 : 1.0;
    return user ? BLN_EIO : BLN_OK;
}
static bln_status sbc_zero(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    (void)user; (void)rng; (void)report;
    for (size_t i = 0; i < n; i++) draws[i] = 0.0;
    return BLN_OK;
}
static bln_status sbc_nothing(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    (void)user; (void)rng; (void)report;
    for (size_t i = 0; i < n; i++) draws[i] = i + 1 < n ? 0.0 : HUGE_VAL;
    return BLN_OK;
}
TEST(sbc, draws_that_stand_still)
{
    bln_sbc_desc d = BLN_ZERO;
    bln_sbc s;
    bln_sbc_rank of;
    d.quantities = 1;
    d.replicates = 200;
    d.draws = 3;
    d.simulate = sbc_coin;
    d.infer = sbc_zero;
    CHECK_OK(bln_sbc_run(&d, &s, &of, NULL, NULL));
    CHECK(of.correlation != of.correlation && !s.uniform);
}

/* A function without words of its own, with a report and without; a draw that is no number; what is asked for wrongly. */
TEST(sbc, more_errors)
{
    static const char *const names[2] = { "a", NULL };
    bln_sbc_desc d = BLN_ZERO;
    bln_sbc s;
    bln_report report;
    sbc_world w;
    d.quantities = 1;
    d.draws = 3;
    d.simulate = sbc_coin;
    d.infer = sbc_nothing;
    d.user = &w;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EIO);
    CHECK_TEXT(report.text, "a function of yours failed");
    CHECK_SIZE(report.row, 0);
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, NULL), BLN_EIO);
    d.user = NULL;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EDATA);
    CHECK_TEXT(report.text, "a draw is not finite");
    d.level = -0.1;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EINVAL);
    d.level = 0.0;
    d.alloc.alloc = test_heap_alloc;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "half an allocator");
    d.alloc.alloc = NULL;
    d.quantities = 2;
    d.names = names;
    CHECK_STATUS(bln_sbc_run(&d, &s, NULL, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "a name is NULL");
    CHECK_SIZE(report.column, 1);
}

SUITE_BEGIN(sbc)
SUITE_TEST(sbc, what_is_wrong_is_said)
SUITE_TEST(sbc, p_by_exhaustion)
SUITE_TEST(sbc, p_is_uniform)
SUITE_TEST(sbc, ties_and_ranks)
SUITE_TEST(sbc, errors)
SUITE_TEST(sbc, words)
SUITE_TEST(sbc, draws_that_stand_still)
SUITE_TEST(sbc, more_errors)
SUITE_END(sbc)
