/* auto_basis: the order and the rules of the choice, with fits that only say what they are told to */
#include "auto_tools.h"

/* Fit number k has score[k], or fails with status[k]. Its squared errors of rows left out are base[k] + spread[k] for one row and
 * base[k] - spread[k] for the next; without base nobody asks for them. */
typedef struct auto_script {
    const double     *score, *base, *spread;
    const bln_status *status;
    size_t            n, at;
} auto_script;
static auto_script auto_told;

static bln_status auto_say(const blni_auto_model *m, const bln_basis *basis, const bln_data *rows, const bln_data *left_out,
                           double *score, double *errors, bln_report *report)
{
    const size_t k = auto_told.at++;
    (void)m; (void)basis;
    CHECK(!errors == (!auto_told.base || left_out));
    for (size_t i = 0; errors && i < rows->n; i++)
        errors[i] = k < auto_told.n ? auto_told.base[k] + (i % 2 ? -1.0 : 1.0)*auto_told.spread[k] : 9.0;
    report->evaluations = 10;
    *score = k < auto_told.n && auto_told.score ? auto_told.score[k] : -1000.0;
    return k < auto_told.n && auto_told.status ? auto_told.status[k] : BLN_OK;
}

static double auto_features(const blni_auto_model *m, double n, double D) { (void)m; return n*D*D; }
static double auto_exact(const blni_auto_model *m, double n) { (void)m; return n*n*n; }

static double auto_unit = 1.0;                                         /* of the inputs */
static int auto_reports = 1;

static bln_status auto_choose(size_t n, size_t d, size_t latents, double budget, const double *score, const bln_status *status,
                              size_t told, bln_auto_basis *found)
{
    blni_auto_model m;
    bln_auto_basis_desc desc;
    bln_report report;
    bln_data data = auto_rows(n, d ? d : 1, AUTO_LINE, 1.0, 3);
    memset(&m, 0, sizeof m);
    memset(&desc, 0, sizeof desc);
    desc.budget = budget;
    m.latents = latents;
    m.errors = auto_told.base != NULL;
    m.fit = auto_say;
    m.features = auto_features;
    m.exact = auto_exact;
    data.d = d;
    for (size_t i = 0; i < n*(d ? d : 1); i++) ((double *)data.X)[i] *= auto_unit;
    auto_told.score = score;
    auto_told.status = status;
    auto_told.n = told;
    auto_told.at = 0;
    const bln_status got = blni_auto_choose(&m, &desc, &data, found, auto_reports ? &report : NULL);
    auto_free(&data);
    return got;
}

static void auto_check_texts(const bln_auto_basis *found, size_t n, const char *const *texts)
{
    CHECK_SIZE(found->n, n);
    for (size_t k = 0; k < n && k < found->n; k++) {
        CHECK(!strcmp(found->tried[k].text, texts[k]));
        if (strcmp(found->tried[k].text, texts[k])) printf("    %s, not %s\n", found->tried[k].text, texts[k]);
    }
}

TEST(auto_basis, what_is_tried)
{
    static const char *const three[] = { "linear", "gp:kernel=rbf,ard+linear", "gp:kernel=matern32,ard+linear",
        "gp:kernel=matern52,ard+linear", "gp:kernel=cauchy,ard+linear", "gp:kernel=laplace1,ard+linear",
        "gp:kernel=matern52+linear", "gp:kernel=matern52,ard+bias" };
    static const char *const one[] = { "linear", "gp:kernel=rbf+linear", "gp:kernel=rbf,length=1e-1+linear",
        "gp:kernel=matern32+linear", "gp:kernel=matern32,length=1e-1+linear", "gp:kernel=matern52+linear",
        "gp:kernel=matern52,length=1e-1+linear", "gp:kernel=cauchy+linear",
        "gp:kernel=cauchy,length=1e-1+linear", "gp:kernel=laplace1+linear",
        "gp:kernel=laplace1,length=1e-1+linear", "gp:kernel=rbf,length=1e-1+bias" };
    static const char *const latents[] = { "linear", "gp:kernel=rbf,ard+linear", "gp:kernel=matern32,ard+linear",
        "gp:kernel=rbf+linear", "gp:kernel=rbf,ard+bias" };
    static const double third[] = { -90.0, -80.0, -80.0, -70.0 }, brief[] = { -90.0, -80.0, -70.0 }, first[] = { -90.0, -80.0 };
    bln_auto_basis found;
    CHECK_OK(auto_choose(30, 3, 1, 0.0, third, NULL, 4, &found));
    auto_check_texts(&found, 8, three);
    CHECK_SIZE(found.best, 3);
    CHECK(!strcmp(found.text, three[3]));
    CHECK_OK(auto_choose(30, 1, 1, 0.0, brief, NULL, 3, &found));
    auto_check_texts(&found, 12, one);
    CHECK_SIZE(found.best, 2);
    CHECK_OK(auto_choose(30, 3, 4, 0.0, first, NULL, 2, &found));
    auto_check_texts(&found, 5, latents);
    CHECK_SIZE(found.best, 1);
}

/* Above 32 inputs a length scale for each is the change, and not the rule. */
TEST(auto_basis, many_inputs)
{
    static const double ard[] = { -90.0, -80.0, -90.0, -90.0, -90.0, -90.0, -47.9 };
    bln_auto_basis found;
    CHECK_OK(auto_choose(60, 33, 1, 0.0, ard, NULL, 7, &found));
    CHECK(!strcmp(found.tried[1].text, "gp:kernel=rbf+linear") && !strcmp(found.tried[6].text, "gp:kernel=rbf,ard+linear"));
    CHECK(!strcmp(found.text, "gp:kernel=rbf,ard+linear"));
}

/* A kernel has to gain a nat for its variance and one for each length scale, here of three inputs; of equals the first wins. */
TEST(auto_basis, what_is_gained_by_chance)
{
    static const struct { double score[8]; size_t best; } cases[] = {
        { { -50, -45.99, -45.99, -45.99, -45.99, -45.99, -60, -60 }, 1 },
        { { -50, -46.0, -46.0, -46.0, -46.0, -46.0, -60, -60 }, 0 },
        { { -50, -40, -40, -40, -40, -40, -42, -40 }, 1 },
        { { -50, -40, -40, -40, -40, -40, -41.99, -60 }, 6 },
        { { -50, -40, -39, -38, -37, -36, -60, -60 }, 5 },
        { { -50, -40, -39, -38, -37, -36, -37.5, -37.4 }, 7 }
    };
    bln_auto_basis found;
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        CHECK_OK(auto_choose(30, 3, 1, 0.0, cases[k].score, NULL, 8, &found));
        CHECK_SIZE(found.best, cases[k].best);
        CHECK(!strcmp(found.text, found.tried[cases[k].best].text));
    }
    CHECK(!strcmp(found.tried[7].text, "gp:kernel=laplace1+bias"));       /* a change of the change before, which was kept */
}

/* With 30 rows, errors that are larger by 1 with a spread of s are larger by 30/sqrt(30 (1 + s^2)) standard errors: 2 is at s^2
 * = 6.5. One that is out makes room for the next by evidence, and not for that with the least errors. Only what learns no more
 * can rule one out: no process the line, and none with a length scale for each input (1 to 5 and 7) the one without (6). Errors
 * that are not known say nothing. A fit that failed says nothing either. */
TEST(auto_basis, errors_of_rows_left_out)
{
    static const double score[8] = { -90, -40, -50, -60, -90, -90, -90, -90 };
    const double nan = (double)NAN;
    const struct { double base[8], spread[8]; bln_status status[8]; size_t best; } cases[] = {
        { { 9, 9, 9, 9, 9, 9, 9, 9 }, { 0 }, { BLN_OK }, 1 },
        { { 9, 9, 9, 8, 9, 9, 9, 9 }, { 1, 2.54, 2.56, 0, 0, 0, 0, 0 }, { BLN_OK }, 2 },
        { { 9, 9, 9, 8, 9, 9, 9, 9 }, { 1, 2.56, 2.54, 0, 0, 0, 0, 0 }, { BLN_OK }, 1 },
        { { 9, 9, 9, 8, 9, 9, 9, 9 }, { 0 }, { BLN_OK }, 3 },
        { { 9, 9, 9, 9, 9, 9, 9, 8 }, { 0 }, { BLN_OK }, 0 },
        { { 9, 9, 9, 9, 9, 9, 8, 9 }, { 0 }, { BLN_OK }, 0 },
        { { 9, 9, 9, 9, 9, 9, 9, nan }, { 0 }, { BLN_OK }, 1 },
        { { 9, nan, 9, 8, 9, 9, 9, 9 }, { 0 }, { BLN_OK }, 1 },
        { { 9, 9, 9, 8, 9, 9, 9, 9 }, { 0 }, { BLN_OK, BLN_OK, BLN_OK, BLN_ENOTPD }, 1 },
        { { 7, 9, 9, 9, 9, 9, 9, 9 }, { 0 }, { BLN_OK }, 0 }
    };
    bln_auto_basis found;
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        auto_told.base = cases[k].base;
        auto_told.spread = cases[k].spread;
        CHECK_OK(auto_choose(30, 3, 1, 0.0, score, cases[k].status, 8, &found));
        CHECK_SIZE(found.best, cases[k].best);
        CHECK(!strcmp(found.text, found.tried[cases[k].best].text));
        for (size_t i = 0; i < found.n && k == 1; i++)
            CHECK_REL(found.tried[i].excess, i % 3 ? sqrt(30.0/(1.0 + cases[k].spread[i]*cases[k].spread[i])) : 0.0, 1e-14);
    }
    CHECK_OK(auto_choose(4, 3, 1, 0.0, score, cases[3].status, 8, &found));      /* few rows: at most the root of their number */
    CHECK_SIZE(found.best, 1);
    CHECK_NEAR(found.tried[1].excess, 2.0, 0.0);
    /* The second round goes on with the kernel that was not out, or with the best by evidence if the line rules out all. */
    static const double line[8] = { -40, -45, -50, -50, -90, -90, -90, -90 };
    auto_told.base = cases[3].base;
    CHECK_OK(auto_choose(900, 3, 1, 2e9, line, NULL, 8, &found));
    CHECK(!strncmp(found.tried[9].text, "matern52:n=", 11) && found.tried[9].left_out == 300);
    CHECK(found.tried[8].excess == 0.0 && found.tried[9].excess == 0.0);
    auto_told.base = cases[9].base;
    CHECK_OK(auto_choose(900, 3, 1, 2e9, score, NULL, 8, &found));
    CHECK(!strncmp(found.tried[9].text, "rbf:n=", 6) && found.tried[9].left_out == 300 && found.tried[1].excess > 2.0);
    auto_told.base = auto_told.spread = NULL;
}

/* A basis that cannot be fitted is a row without a score; only when none can is it an error, the first one. */
TEST(auto_basis, fits_that_fail)
{
    static const double score[8] = { -50, -40 };
    bln_status status[8] = { BLN_ENUMERIC, BLN_OK, BLN_ENOTPD, BLN_EUNDEFINED, BLN_ENUMERIC, BLN_ENUMERIC, BLN_ENUMERIC,
                             BLN_ENUMERIC };
    bln_auto_basis found;
    CHECK_OK(auto_choose(30, 3, 1, 0.0, score, status, 8, &found));
    CHECK_SIZE(found.best, 1);
    CHECK_STATUS(found.tried[2].status, BLN_ENOTPD);
    CHECK(found.tried[2].score != found.tried[2].score);
    status[1] = BLN_EUNDEFINED;
    CHECK_STATUS(auto_choose(30, 3, 1, 0.0, score, status, 8, &found), BLN_ENUMERIC);
    status[3] = BLN_ENOMEM;
    CHECK_STATUS(auto_choose(30, 3, 1, 0.0, score, status, 8, &found), BLN_ENOMEM);
    CHECK_SIZE(auto_told.at, 4);
}

/* A budget for 1000 rows in the first round, or for 1250 if these are all. Of more rows 1000 choose the kernel, whose process is
 * then taken of all; if the line wins, rows left out decide between these two. By the formula of this file the process may have
 * 2400 rows. */
TEST(auto_basis, more_rows_than_the_first_round)
{
    static const double process[] = { -50, -40 }, line[] = { -40, -50, -51, -52, -53, -54, -55, -56, -20, -10 };
    const double budget = 7.0*50.0/0.3*1000.5*1000.5*1000.5;
    bln_auto_basis found;
    CHECK_OK(auto_choose(1250, 3, 1, budget, process, NULL, 2, &found));
    CHECK_SIZE(found.tried[0].rows, 1250);
    CHECK_OK(auto_choose(1500, 3, 1, budget, process, NULL, 2, &found));
    CHECK_SIZE(found.tried[0].rows, 1000);
    CHECK_SIZE(found.n, 8);
    CHECK(!strcmp(found.text, "gp:kernel=rbf,ard+linear"));
    CHECK_OK(auto_choose(1500, 3, 1, budget, line, NULL, 10, &found));
    CHECK_SIZE(found.n, 10);
    CHECK(found.tried[8].left_out == 500 && found.tried[9].left_out == 500);
    CHECK(!strcmp(found.tried[8].text, "linear") && !strcmp(found.tried[9].text, "gp:kernel=rbf,ard+linear"));
    CHECK_SIZE(found.best, 9);
}

/* Too many for the process: features of the best kernel, of rbf, and points; their number is what three fifths of the budget pay
 * for, rounded down. */
TEST(auto_basis, more_rows_than_the_process)
{
    static const double score[] = { -50, -45, -40, -60, -60, -60, -60, -60, -9, -5, -4, -6 };
    const double budget = 50.0/0.6*1502.0*(2.0*80.0 + 4.0)*(2.0*80.0 + 4.0);
    bln_auto_basis found;
    CHECK_OK(auto_choose(1502, 3, 1, budget, score, NULL, 12, &found));
    CHECK_SIZE(found.n, 12);
    CHECK(!strncmp(found.tried[9].text, "matern32:n=", 11) && !strncmp(found.tried[10].text, "rbf:n=", 6));
    CHECK(!strncmp(found.tried[11].text, "inducing:m=", 11) && strstr(found.tried[11].text, ",kernel=matern32,ard+linear"));
    CHECK_SIZE(found.best, 10);
    CHECK(!strcmp(found.text, "rbf:n=80,ard+linear"));
}

/* Short length scales go with the unit of the inputs; where their variance has no number they are 1. */
TEST(auto_basis, units_of_inputs)
{
    static const struct { double unit; const char *text; } units[] = {
        { 1.0, "gp:kernel=rbf,length=1e-1+linear" }, { 1e4, "gp:kernel=rbf,length=1e3+linear" },
        { 1e-4, "gp:kernel=rbf,length=1e-5+linear" }, { 1e200, "gp:kernel=rbf,length=1e0+linear" }
    };
    bln_auto_basis found;
    for (size_t k = 0; k < sizeof units/sizeof *units; k++) {
        auto_unit = units[k].unit;
        CHECK_OK(auto_choose(30, 1, 1, 0.0, NULL, NULL, 0, &found));
        CHECK(!strcmp(found.tried[2].text, units[k].text));
        if (strcmp(found.tried[2].text, units[k].text)) printf("    %s\n", found.tried[2].text);
    }
    auto_unit = 1.0;
}

/* Scores that are no numbers are those of fits that failed. In the second round a failure that another basis would have too ends
 * the choice, at any of its fits; if all others fail there is nothing to choose, with a report or without. */
TEST(auto_basis, second_rounds_that_fail)
{
    static const double score[12] = { -50, -45, -40, -60, -60, -60, -60, -60, -9, -5, -4, -6 };
    const double budget = 50.0/0.6*1502.0*(2.0*80.0 + 4.0)*(2.0*80.0 + 4.0);
    double odd[8] = { -50, -40, 0, 0, -60, -60, -60, -60 };
    bln_status status[12];
    bln_auto_basis found;
    odd[2] = BLNI_NAN;
    odd[3] = HUGE_VAL;
    CHECK_OK(auto_choose(30, 3, 1, 0.0, odd, NULL, 8, &found));
    CHECK_SIZE(found.best, 1);
    for (size_t k = 2; k < 4; k++) {
        CHECK_STATUS(found.tried[k].status, BLN_ENUMERIC);
        CHECK(found.tried[k].score != found.tried[k].score);
    }
    for (size_t at = 8; at < 12; at++) {
        for (size_t k = 0; k < 12; k++) status[k] = k == at ? BLN_ENOMEM : BLN_OK;
        CHECK_STATUS(auto_choose(1502, 3, 1, budget, score, status, 12, &found), BLN_ENOMEM);
        CHECK_SIZE(auto_told.at, at + 1);
    }
    for (auto_reports = 0; auto_reports < 2; auto_reports++) {
        for (size_t k = 0; k < 12; k++) status[k] = k < 8 ? BLN_OK : BLN_ENUMERIC;
        CHECK_STATUS(auto_choose(1502, 3, 1, budget, score, status, 12, &found), BLN_ENUMERIC);
        CHECK_SIZE(auto_told.at, 12);
    }
    auto_reports = 1;
}

/* More rows than a process takes, and a budget for more than 200 frequencies, whose number is then rounded to 50. */
TEST(auto_basis, many_rows)
{
    static const double score[16] = { -50, -45, -40, -60, -60, -60, -60, -60, -60, -60, -60, -60, -9, -4, -5, -6 };
    bln_auto_basis found;
    CHECK_OK(auto_choose(5100, 1, 1, 30.0/0.6*5100.0*(2.0*270.0 + 2.0)*(2.0*270.0 + 2.0), score, NULL, 16, &found));
    CHECK(!strcmp(found.text, "rbf:n=250,length=1e-1+linear") || !strncmp(found.text, "rbf:n=250", 9));
    if (strncmp(found.text, "rbf:n=250", 9)) printf("    %s\n", found.text);
}

TEST(auto_basis, half_an_allocator)
{
    bln_auto_basis_desc desc = BLN_ZERO;
    bln_auto_basis found;
    bln_report report;
    const bln_data data = auto_rows(10, 1, AUTO_LINE, 0.1, 3);
    desc.alloc.alloc = test_heap_alloc;
    CHECK_STATUS(bln_auto_basis_slm(NULL, &desc, &data, &found, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "both alloc and release");
    auto_free(&data);
}

SUITE_BEGIN(auto_basis)
    SUITE_TEST(auto_basis, what_is_tried)
    SUITE_TEST(auto_basis, many_inputs)
    SUITE_TEST(auto_basis, what_is_gained_by_chance)
    SUITE_TEST(auto_basis, errors_of_rows_left_out)
    SUITE_TEST(auto_basis, fits_that_fail)
    SUITE_TEST(auto_basis, more_rows_than_the_first_round)
    SUITE_TEST(auto_basis, more_rows_than_the_process)
    SUITE_TEST(auto_basis, units_of_inputs)
    SUITE_TEST(auto_basis, second_rounds_that_fail)
    SUITE_TEST(auto_basis, many_rows)
    SUITE_TEST(auto_basis, half_an_allocator)
SUITE_END(auto_basis)
