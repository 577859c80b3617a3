/* lbfgs_parts: pieces of the optimiser at numbers that whole runs seldom meet: norms and pairs at the ends of the number range, a
 * gradient without a norm, a trial whose slope alone says that it falls, steps that rise within rounding. */
#include "../test.h"

TEST(lbfgs_parts, norms)
{
    const double huge[4] = { 3e307, -3e307, 3e307, -3e307 }, tiny[2] = { 3e-310, -4e-310 };
    double x[3] = { 3.0, -4.0, 0.0 };
    CHECK(blni_norm(0, x) == 0.0 && blni_norm(1, x + 2) == 0.0 && blni_norm(3, x) == 5.0);
    CHECK_REL(blni_norm(4, huge), 6e307, 4.0*DBL_EPSILON);
    CHECK_NEAR(blni_norm(2, tiny), 5e-310, 4.0*4.94e-324);
    x[1] = -HUGE_VAL;
    CHECK(blni_norm(3, x) == HUGE_VAL);
    x[2] = BLNI_NAN;
    CHECK(blni_norm(3, x) != blni_norm(3, x));
}

typedef struct lbfgs_parts_line { double value, slope, again; } lbfgs_parts_line;

/* Of any x the same value and slope; with the slope the value may be `again` off. */
static bln_status lbfgs_parts_same(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report)
{
    const lbfgs_parts_line *line = (const lbfgs_parts_line *)user;
    (void)x; (void)report;
    *value = line->value + (gradient ? line->again : 0.0);
    for (size_t i = 0; i < n && gradient; i++) gradient[i] = line->slope;
    return BLN_OK;
}

static blni_lbfgs *lbfgs_parts_new(size_t n, lbfgs_parts_line *line, double c2)
{
    const double x[2] = { 0.0, 0.0 };
    blni_lbfgs_desc d = BLN_ZERO;
    blni_lbfgs *o = NULL;
    d.n = n;
    d.memory = 3;
    d.objective = lbfgs_parts_same;
    d.user = line;
    d.c2 = c2;
    d.progress_tol = -1e-300;
    CHECK_OK(blni_lbfgs_create(&d, &o, NULL));
    if (!o) exit(2);
    CHECK_OK(blni_lbfgs_init(o, x, NULL));
    return o;
}

/* 1/s'y and s'y/y'y must be numbers. */
TEST(lbfgs_parts, pairs_at_the_ends_of_the_range)
{
    static const struct { double s, y; size_t pairs; } cases[] = {
        { 2.0, 3.0, 1 }, { 2.0, -3.0, 0 }, { 1e-155, 1e-155, 0 }, { 1e-200, 1e300, 0 }, { 1e200, 1e-200, 0 },
        { 1e-100, 1e100, 1 } };
    const double zero = 0.0;
    lbfgs_parts_line line = { 1.0, 1.0, 0.0 };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        blni_lbfgs *o = lbfgs_parts_new(1, &line, 0.5);
        blni_lbfgs_push(o, &zero, &zero, &cases[k].s, &cases[k].y);
        CHECK_SIZE(o->pairs, cases[k].pairs);
        if (o->pairs) CHECK_REL(o->gamma, cases[k].s/cases[k].y, 4.0*DBL_EPSILON);
        blni_lbfgs_free(o);
    }
}

/* Pairs that lead uphill are dropped, and the direction is down the gradient. */
TEST(lbfgs_parts, pairs_that_give_no_descent)
{
    lbfgs_parts_line line = { 1.0, 3.0, 0.0 };
    const double zero[2] = { 0.0, 0.0 }, s[2] = { 1.0, 0.0 };
    for (int how = 0; how < 2; how++) {
        blni_lbfgs *o = lbfgs_parts_new(2, &line, 0.5);
        double slope, a;
        blni_lbfgs_push(o, zero, zero, s, s);
        CHECK_SIZE(o->pairs, 1);
        if (how) o->gamma = -5.0;
        CHECK(blni_lbfgs_direction(o, &slope, &a));
        CHECK_SIZE(o->pairs, how ? 0 : 1);
        for (size_t i = 0; i < 2; i++) CHECK_NEAR(o->d[i], how ? -sqrt(0.5) : -3.0, 4.0*DBL_EPSILON);
        blni_lbfgs_free(o);
    }
}

/* Each slope is a number, their norm is not: there is no direction, and the run ends where it began. */
TEST(lbfgs_parts, a_gradient_without_a_norm)
{
    lbfgs_parts_line line = { 1.0, 1.5e308, 0.0 };
    blni_lbfgs *o = lbfgs_parts_new(2, &line, 0.5);
    bln_report report;
    CHECK_OK(blni_lbfgs_step(o, &report));
    CHECK(report.stop == BLN_STOP_LINESEARCH && report.iterations == 0 && o->x[0] == 0.0 && o->x[1] == 0.0);
    blni_lbfgs_free(o);
}

/* Where values stand still within rounding, only slopes say whether a trial falls; one that is steep still is no end of the
 * search, though c2 would allow it. The slope at the start is -1. */
TEST(lbfgs_parts, slopes_that_are_still_steep)
{
    static const struct { double slope; blni_verdict verdict; } cases[] = {
        { -0.95, BLNI_LOW }, { -0.85, BLNI_LOW }, { -0.7, BLNI_ACCEPT }, { 0.7, BLNI_ACCEPT }, { 0.85, BLNI_HIGH } };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        lbfgs_parts_line line = { 1.0, -1.0, 0.0 };
        blni_lbfgs *o = lbfgs_parts_new(1, &line, 0.9);
        blni_probe start = { 0.0, 1.0, -1.0, 1 }, low = start, trial;
        blni_verdict verdict = BLNI_STUCK;
        o->d[0] = 1.0;
        line.slope = cases[k].slope;
        CHECK_OK(blni_lbfgs_try(o, &start, &low, 1e-3, &trial, &verdict, NULL));
        CHECK(verdict == cases[k].verdict && trial.value == 1.0 && trial.slope == cases[k].slope);
        line.again = BLNI_NAN;                                    /* with its slope the value is none: as a trial too far out */
        CHECK_OK(blni_lbfgs_try(o, &start, &low, 1e-3, &trial, &verdict, NULL));
        CHECK(verdict == BLNI_HIGH && trial.value == HUGE_VAL && !trial.sloped);
        blni_lbfgs_free(o);
    }
}

/* A step may rise within rounding. It counts as slow, but not where a negative tolerance says that none is. */
TEST(lbfgs_parts, steps_that_rise)
{
    for (int how = 0; how < 2; how++) {
        lbfgs_parts_line line = { 1.0, 1.0, 0.0 };
        blni_lbfgs *o = lbfgs_parts_new(1, &line, 0.5);
        blni_probe p = { 1.0, 1.0 + 1e-11, 0.5, 1 };
        if (how) o->desc.progress_tol = 1e-9;
        o->d[0] = -1.0;
        o->xt[0] = 1.0;
        o->gt[0] = 0.5;
        blni_lbfgs_advance(o, &p);
        CHECK(o->slow == how && o->iterations == 1 && o->value == p.value && o->lowest == 1.0);
        blni_lbfgs_free(o);
    }
}

TEST(lbfgs_parts, lengths_of_steps)
{
    const double bad[] = { HUGE_VAL, -1.0, NAN };
    for (size_t k = 0; k < 6; k++) {
        blni_lbfgs_desc d = BLN_ZERO;
        d.n = 1;
        d.objective = lbfgs_parts_same;
        CHECK(blni_lbfgs_check(&d) == NULL);
        *(k % 2 ? &d.first_step : &d.max_step) = bad[k/2];
        CHECK_TEXT(blni_lbfgs_check(&d), k % 2 ? "first_step" : "max_step");
    }
}

SUITE_BEGIN(lbfgs_parts)
    SUITE_TEST(lbfgs_parts, lengths_of_steps)
    SUITE_TEST(lbfgs_parts, norms)
    SUITE_TEST(lbfgs_parts, pairs_at_the_ends_of_the_range)
    SUITE_TEST(lbfgs_parts, pairs_that_give_no_descent)
    SUITE_TEST(lbfgs_parts, a_gradient_without_a_norm)
    SUITE_TEST(lbfgs_parts, slopes_that_are_still_steep)
    SUITE_TEST(lbfgs_parts, steps_that_rise)
SUITE_END(lbfgs_parts)
