/* test_diagnosis: each thing that can be wrong is found and said, with what to do; nothing is said of draws that are right */
#include "../test.h"

enum { DIAGNOSIS_C = 4, DIAGNOSIS_N = 500, DIAGNOSIS_K = 6 };
static const char *const diagnosis_names[DIAGNOSIS_K] = { "mu", "tau", "lp__", "energy__", "divergent__", "treedepth__" };

/* Independent draws, in which some things are wrong. */
typedef enum diagnosis_wrong {
    FINE, APART, SLOW, DIVERGES, CUT_OFF, ENERGY, CONSTANT, CONSTANTS, INFINITE, LP
} diagnosis_wrong;
static bln_chains *diagnosis_make(diagnosis_wrong wrong)
{
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    test_random r = test_random_new(1);
    double row[DIAGNOSIS_C*DIAGNOSIS_K], slow[DIAGNOSIS_C] = { 0 }, walk = 0.0;
    desc.chains = DIAGNOSIS_C;
    desc.draws = DIAGNOSIS_N;
    desc.columns = DIAGNOSIS_K;
    desc.names = diagnosis_names;
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    for (size_t i = 0; i < DIAGNOSIS_N; i++) {
        for (size_t k = 0; k < DIAGNOSIS_C; k++) {
            double *x = row + k*DIAGNOSIS_K;
            for (size_t j = 0; j < 4; j++) x[j] = test_normal(&r);
            slow[k] = 0.9*slow[k] + test_normal(&r);
            walk = 0.98*walk + test_normal(&r);
            x[4] = 0.0;
            x[5] = 3.0;
            if (wrong == APART && k == 2) x[1] += 1.0;
            if (wrong == SLOW) x[1] = slow[k];
            if (wrong == LP) x[2] = slow[k];
            if (wrong == DIVERGES && i < 3) x[4] = 1.0;
            if (wrong == CUT_OFF && i == 9) x[5] = 10.0;
            if (wrong == ENERGY && k == 1) x[3] = walk;
            if (wrong == CONSTANT || wrong == CONSTANTS) x[0] = 2.0;
            if (wrong == CONSTANTS) x[1] = x[3] = 2.0;
            if (wrong == INFINITE && i == 7) x[1] = HUGE_VAL;
        }
        CHECK_OK(bln_chains_add(c, row, NULL));
    }
    return c;
}

TEST(diagnosis, what_is_wrong_is_said)
{
    static const struct { diagnosis_wrong wrong; const char *says[3]; } want[] = {
        { APART, { "R-hat of tau is 1.", "should be at most 1.01", "Draw more, with more warm-up" } },
        { SLOW, { "The bulk ESS of tau is ", "(should be at least 400): means", "Draw more." } },
        { LP, { "The bulk ESS of lp__ is ", "", "" } },
        { DIVERGES, { "12 of 2000 transitions diverged", "Raise accept", "non-centred" } },
        { CUT_OFF, { "4 of 2000 transitions were cut off", "max_depth", "" } },
        { ENERGY, { "E-BFMI of chain 2 is 0.", "(should be at least 0.3)", "Change the parameters" } },
        { CONSTANT, { "1 parameter does not move.", "", "" } },
        { CONSTANTS, { "2 parameters do not move.", "", "" } },
        { INFINITE, { "Nothing can be said of 1 parameter:", "", "" } }
    };
    for (size_t i = 0; i < sizeof want/sizeof *want; i++) {
        bln_chains *c = diagnosis_make(want[i].wrong);
        bln_diagnosis d;
        CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
        for (size_t k = 0; k < 3; k++) CHECK_TEXT(d.text, want[i].says[k]);
        CHECK(d.text[strlen(d.text) - 1] == '\n');
        const int doubtful = want[i].wrong < CUT_OFF || want[i].wrong == ENERGY || want[i].wrong > CONSTANTS;
        CHECK(d.draws == 2000 && (d.doubts > 0) == doubtful);
        CHECK((d.ebfmi == d.ebfmi) == (want[i].wrong != CONSTANTS));         /* energies that do not move tell nothing */
        bln_chains_free(c);
    }
}

/* A factor has 0 below its diagonal, a correlation matrix 1 on it: no words about those, but about a scalar that is 1. */
TEST(diagnosis, numbers_of_a_factor)
{
    static const double fixed[] = { 0.0, 1.0, 0.5, 1.0 };
    for (size_t k = 0; k < 4; k++) {
        bln_chains *c = diagnosis_make(FINE);
        bln_diagnosis d;
        c->name[0] = k < 3 ? "U[2,1]" : "tau";
        for (size_t i = 0; i < c->draws*c->chains; i++) c->table[i*c->columns] = fixed[k];
        CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
        CHECK_SIZE(d.constant, k >= 2);
        CHECK_SIZE(d.unknown, 0);
        CHECK((d.text[0] == '\0') == (k < 2));
        bln_chains_free(c);
    }
}

TEST(diagnosis, nothing_wrong)
{
    bln_chains *c = diagnosis_make(FINE);
    bln_diagnosis d;
    bln_summary s;
    bln_diagnosis_desc limit = BLN_ZERO;
    CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
    CHECK(d.text[0] == '\0' && d.doubts == 0 && d.divergent == 0 && d.saturated == 0 && d.constant == 0 && d.unknown == 0);
    CHECK(d.rhat < 1.01 && d.rhat > 0.99 && d.rhat_column < 3 && d.ess_bulk > 1000.0 && d.ess_tail > 1000.0);
    CHECK(d.ebfmi > 1.5 && d.ebfmi_chain < 4);
    CHECK_OK(bln_chains_summary(c, d.rhat_column, &s, NULL));
    CHECK_NEAR(s.rhat, d.rhat, 0.0);
    limit.ess = 1000.0;                                          /* the limits of the caller */
    limit.max_depth = 3;
    limit.rhat = 1.2;
    limit.ebfmi = 5.0;
    CHECK_OK(bln_chains_diagnose(c, &limit, &d, NULL));
    CHECK(d.saturated == 2000);
    CHECK_TEXT(d.text, "should be at least 4000");
    CHECK_TEXT(d.text, "(should be at least 5)");
    CHECK(strstr(d.text, "R-hat") == NULL);
    bln_chains_free(c);
}

/* All that can be said at once fits. */
TEST(diagnosis, everything_wrong)
{
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_diagnosis d;
    char longest[256];
    const char *names[7] = { longest, "b", "lp__", "energy__", "divergent__", "treedepth__", "same" };
    test_random r = test_random_new(2);
    double row[14], walk = 0.0;
    memset(longest, 'x', 255);
    longest[255] = '\0';
    desc.chains = 2;
    desc.draws = 100;
    desc.columns = 7;
    desc.names = names;
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    for (size_t i = 0; i < 100; i++) {
        for (size_t k = 0; k < 2; k++) {
            walk = 0.99*walk + test_normal(&r);
            const double x[7] = { 10.0*(double)k + walk, walk, walk, walk, 1.0, 10.0, 4.0 };
            memcpy(row + 7*k, x, sizeof x);
        }
        CHECK_OK(bln_chains_add(c, row, NULL));
    }
    CHECK_OK(bln_chains_diagnose(c, NULL, &d, NULL));
    CHECK(d.divergent == 200 && d.saturated == 200 && d.constant == 1 && d.doubts == 5);
    CHECK_LE((double)strlen(d.text), (double)sizeof d.text - 1.0);
    CHECK_TEXT(d.text, "R-hat");
    bln_chains_free(c);
}

TEST(diagnosis, errors)
{
    bln_chains_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_diagnosis d;
    bln_diagnosis_desc limit = BLN_ZERO;
    bln_summary s;
    bln_report report;
    test_heap heap;
    const double row[2] = { 1.0, 2.0 };
    desc.draws = desc.columns = 2;
    desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_chains_create(&desc, &c, NULL));
    CHECK_STATUS(bln_chains_diagnose(c, NULL, &d, &report), BLN_EINVAL);
    CHECK_STATUS(bln_chains_summary(c, 0, &s, &report), BLN_EINVAL);
    CHECK_OK(bln_chains_add(c, row, NULL));
    CHECK_OK(bln_chains_diagnose(c, NULL, &d, &report));         /* a single draw: nothing is known */
    CHECK(d.rhat != d.rhat && d.rhat_column == BLN_NONE && d.unknown == 2 && d.doubts == 1);
    CHECK_STATUS(bln_chains_summary(c, 2, &s, &report), BLN_EINVAL);
    limit.ess = -1.0;
    CHECK_STATUS(bln_chains_diagnose(c, &limit, &d, &report), BLN_EINVAL);
    limit.ess = 0.0;
    limit.rhat = -1.0;
    CHECK_STATUS(bln_chains_diagnose(c, &limit, &d, &report), BLN_EINVAL);
    limit.rhat = 0.0;
    limit.ebfmi = NAN;
    CHECK_STATUS(bln_chains_diagnose(c, &limit, &d, &report), BLN_EINVAL);
    heap.fail_at = 0;
    CHECK_STATUS(bln_chains_diagnose(c, NULL, &d, &report), BLN_ENOMEM);
    CHECK_STATUS(bln_chains_summary(c, 1, &s, &report), BLN_ENOMEM);
    heap.fail_at = (size_t)-1;
    bln_chains_free(c);
    CHECK(bln_chains_series(NULL, 0).x == NULL && heap.live == 0);
}

SUITE_BEGIN(diagnosis)
SUITE_TEST(diagnosis, what_is_wrong_is_said)
SUITE_TEST(diagnosis, numbers_of_a_factor)
SUITE_TEST(diagnosis, nothing_wrong)
SUITE_TEST(diagnosis, everything_wrong)
SUITE_TEST(diagnosis, errors)
SUITE_END(diagnosis)
