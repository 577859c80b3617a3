/* test_allreduce - agreements and sums among ranks: who learns what when one fails or is out of step, and what is summed */
#include "../test.h"
#include "ranks_tools.h"

/* Two agreements of three ranks, in which `failing` comes to number `when` with BLN_EDATA; or at another point, or for another
 * step. */
typedef struct allreduce_world {
    size_t     failing;
    int        when, how;
    bln_status status[RANKS_MOST];
    bln_report report[RANKS_MOST];
} allreduce_world;

static void allreduce_agree(void *user, size_t rank, ranks_fake *fake)
{
    allreduce_world *w = (allreduce_world *)user;
    blni_processes r = blni_processes_of(ranks_sum, fake);
    bln_status status = BLN_OK;
    bln_report_clear(&w->report[rank]);
    for (int k = 0; k < 2 && status == BLN_OK; k++) {
        double x[2] = { 1.25, 3.0 + k };
        const int odd = rank == w->failing && k == w->when;
        bln_status own = BLN_OK;
        if (odd && w->how == 0) own = blni_fail(&w->report[rank], BLN_EDATA, 7, BLN_NONE, "bad");
        if (odd && w->how == 1) x[1] = nextafter(x[1], 9.0);
        status = blni_processes_agree(&r, own, odd && w->how == 2 ? 'b' : 'a', 2, x, &w->report[rank]);
    }
    if (status != BLN_OK) {
        CHECK_STATUS(blni_processes_agree(&r, BLN_OK, 'a', 0, NULL, NULL), BLN_EPEER);     /* asks nobody any more */
        blni_processes_leave(&r);
    }
    w->status[rank] = status;
}

TEST(allreduce, agreements)
{
    allreduce_world w;
    memset(&w, 0, sizeof w);
    for (w.failing = 0; w.failing < 4; w.failing++)                       /* 3: none */
        for (w.when = 0; w.when < 2; w.when++)
            for (w.how = 0; w.how < 3; w.how++) {
                CHECK_SIZE(ranks_run(3, allreduce_agree, &w), w.failing < 3 ? (size_t)w.when + 1 : 2);
                for (size_t r = 0; r < 3; r++) {
                    const int good = w.failing == 3, culprit = w.failing == r && w.how == 0;
                    CHECK_STATUS(w.status[r], good ? BLN_OK : culprit ? BLN_EDATA : BLN_EPEER);
                    CHECK_TEXT(w.report[r].text,
                               good ? "" : culprit ? "bad, row 7" : w.how ? "out of step" : "another process failed");
                }
            }
}

/* A callback that fails, at each of its calls. */
static bln_status allreduce_broken(void *user, double *buf, size_t n)
{
    (void)buf; (void)n;
    return --*(int *)user < 0 ? BLN_EIO : BLN_OK;
}

TEST(allreduce, a_callback_that_fails)
{
    bln_report report;
    double x[3] = { 1.0, 2.0, 3.0 };
    blni_running column = { 1.0, 2.0, 3.0 };
    for (int calls = 0; calls < 5; calls++) {
        int left = calls;
        blni_processes r = blni_processes_of(allreduce_broken, &left);
        bln_report_clear(&report);
        bln_status status = blni_processes_agree(&r, BLN_OK, 'a', 0, NULL, &report);
        if (status == BLN_OK) status = blni_processes_sum(&r, 3, x, &report);
        if (status == BLN_OK) status = blni_processes_running(&r, 1, &column, &report);
        CHECK_STATUS(status, BLN_EIO);
        CHECK_TEXT(report.text, "the callback failed");
        CHECK(r.over);
    }
    int left = 0;
    blni_processes alone = blni_processes_of(NULL, &left);
    CHECK_OK(blni_processes_agree(&alone, BLN_OK, 'a', 0, NULL, NULL));
    CHECK_STATUS(blni_processes_agree(&alone, BLN_EDATA, 'a', 0, NULL, NULL), BLN_EDATA);
    CHECK_OK(blni_processes_sum(&alone, 3, x, NULL));
    CHECK_NEAR(x[2], 3.0, 0.0);
    CHECK_OK(blni_processes_running(&alone, 1, &column, NULL));
    CHECK(column.weight == 1.0 && column.mean == 2.0 && column.scatter == 3.0);
    blni_processes_leave(&alone);
}

/* Sums as they would be of three processes: hashes whose mean is that of this one, and others that are no sums at all. */
static bln_status allreduce_bent(void *user, double *buf, size_t n)
{
    const double h = buf[2];
    CHECK_SIZE(n, 4);
    buf[1] = *(int *)user == 1 ? BLNI_NAN : *(int *)user == 2 ? 0.0 : 3.0;
    buf[2] = buf[1]*h;
    buf[3] = buf[1]*h*h + (*(int *)user == 0 ? 2.0 : 0.0);
    return BLN_OK;
}

TEST(allreduce, sums_that_do_not_fit)
{
    const double x = 2.5;
    for (int how = 0; how < 4; how++) {
        bln_report report;
        blni_processes r = blni_processes_of(allreduce_bent, &how);
        bln_report_clear(&report);
        CHECK_STATUS(blni_processes_agree(&r, BLN_OK, 'a', 1, &x, &report), how < 3 ? BLN_EPEER : BLN_OK);
        CHECK_TEXT(report.text, how < 3 ? "out of step" : "");
    }
}

/* A column that no process has a row of. */
static bln_status allreduce_nothing(void *user, double *buf, size_t n)
{
    (void)user;
    for (size_t i = 0; i < n; i++) buf[i] *= 3.0;
    return BLN_OK;
}

TEST(allreduce, no_rows_anywhere)
{
    blni_running none = { 0.0, 5.0, 0.0 };
    blni_processes r = blni_processes_of(allreduce_nothing, NULL);
    CHECK_OK(blni_processes_running(&r, 1, &none, NULL));
    CHECK(none.weight == 0.0 && none.mean == 0.0 && none.scatter == 0.0);
}

/* Long buffers go in pieces. */
static bln_status allreduce_double(void *user, double *buf, size_t n)
{
    size_t *most = (size_t *)user;
    if (n > *most) *most = n;
    for (size_t i = 0; i < n; i++) buf[i] *= 2.0;
    return BLN_OK;
}

TEST(allreduce, pieces)
{
    const size_t n = (1 << 20) + 5;
    size_t most = 0;
    double *x = test_doubles(n);
    blni_processes r = blni_processes_of(allreduce_double, &most);
    for (size_t i = 0; i < n; i++) x[i] = (double)i;
    CHECK_OK(blni_processes_sum(&r, n, x, NULL));
    CHECK_SIZE(most, 1 << 20);
    int good = 1;
    for (size_t i = 0; i < n; i++) good = good && x[i] == 2.0*(double)i;
    CHECK(good);
    free(x);
}

/* Means and scatters of the rows of three ranks, one of which has none, against those of all rows. */
typedef struct allreduce_columns { double X[30][3], w[30]; blni_running out[RANKS_MOST][3]; } allreduce_columns;

static void allreduce_running(void *user, size_t rank, ranks_fake *fake)
{
    static const size_t begin[4] = { 0, 13, 13, 30 };
    allreduce_columns *c = (allreduce_columns *)user;
    blni_processes r = blni_processes_of(ranks_sum, fake);
    memset(c->out[rank], 0, sizeof c->out[rank]);
    for (size_t i = begin[rank]; i < begin[rank + 1]; i++)
        for (size_t j = 0; j < 3; j++) blni_running_add(&c->out[rank][j], c->w[i], c->X[i][j]);
    blni_processes_running(&r, 3, c->out[rank], NULL);
}

TEST(allreduce, means_and_scatters)
{
    allreduce_columns c;
    blni_running all[3];
    test_random r = test_random_new(5);
    memset(all, 0, sizeof all);
    for (size_t i = 0; i < 30; i++) {
        c.X[i][0] = test_normal(&r);
        c.X[i][1] = 1e8 + test_normal(&r);
        c.X[i][2] = 0.1;
        c.w[i] = floor(4.0*test_uniform(&r));
        for (size_t j = 0; j < 3; j++) blni_running_add(&all[j], c.w[i], c.X[i][j]);
    }
    ranks_run(3, allreduce_running, &c);
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 3; j++) {
            CHECK_NEAR(c.out[k][j].weight, all[j].weight, 0.0);
            CHECK_NEAR(c.out[k][j].mean, all[j].mean, 30*DBL_EPSILON*(fabs(all[j].mean) + 1.0));
            /* At 1e8 each x - mean is off by about eps 1e8 = 2e-8, of about 1. */
            CHECK_NEAR(c.out[k][j].scatter, all[j].scatter, (j == 1 ? 1e-6 : 1e-13)*all[j].scatter);
        }
    CHECK_NEAR(c.out[0][2].mean, 0.1, 0.0);             /* what is the same everywhere stays so, to the bit */
    CHECK_NEAR(c.out[0][2].scatter, 0.0, 0.0);
}

SUITE_BEGIN(allreduce)
    SUITE_TEST(allreduce, agreements)
    SUITE_TEST(allreduce, a_callback_that_fails)
    SUITE_TEST(allreduce, sums_that_do_not_fit)
    SUITE_TEST(allreduce, no_rows_anywhere)
    SUITE_TEST(allreduce, pieces)
    SUITE_TEST(allreduce, means_and_scatters)
SUITE_END(allreduce)
