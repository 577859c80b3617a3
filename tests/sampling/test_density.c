/* test_density: the check finds wrong gradients by their component, and leaves right ones alone */
#include "../test.h"

/* A normal with correlated coordinates and a mean, of which one component of the gradient can be spoilt. */
typedef struct density_case { size_t bad; double by; int calls, drifting; double edge; bln_status status; } density_case;

static bln_status density_normal(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    density_case *t = (density_case *)user;
    double sum = 0.0;
    for (size_t k = 0; k < 5; k++) sum += q[k];
    *value = -0.5*sum*sum + (t->drifting ? 1e-3*t->calls : 0.0);
    for (size_t k = 0; k < 5; k++) *value += -0.5*q[k]*q[k]/(1.0 + (double)k) + sin(q[k]);
    for (size_t k = 0; k < 5 && gradient; k++) gradient[k] = -sum - q[k]/(1.0 + (double)k) + cos(q[k]);
    if (gradient && t->bad < 5) gradient[t->bad] += t->by;
    if (q[0] > t->edge) *value = -HUGE_VAL;
    t->calls++;
    if (t->status != BLN_OK && report) strcpy(report->text, "by the user");
    return t->status;
}

static bln_density density_of(density_case *t)
{
    bln_density d = BLN_ZERO;
    memset(t, 0, sizeof *t);
    t->bad = 9;
    t->edge = 1e9;
    d.dim = 5;
    d.eval = density_normal;
    d.user = t;
    return d;
}

/* The error of the differences: h^4/30 of the fifth derivative (at most 1 here, of sin) with h = 1e-3 (1 + |q|), and rounding: some
 * eps |value|/h. */
TEST(density, right_gradients_pass)
{
    density_case t;
    bln_density d = density_of(&t);
    bln_report report;
    double worst = 1.0, q[5] = { 0.3, -2.0, 1.5, 20.0, -0.1 };
    CHECK_OK(bln_density_check(&d, NULL, &worst, &report));
    CHECK_LE(worst, 1e-10);
    CHECK(t.calls == 3*(16/2*5 + 3));
    CHECK_OK(bln_density_check(&d, q, &worst, &report));
    CHECK_LE(worst, 1e-6);
    CHECK_OK(bln_density_check(&d, q, NULL, NULL));
}

TEST(density, wrong_gradients_are_found)
{
    for (size_t bad = 0; bad < 5; bad++) {
        density_case t;
        bln_density d = density_of(&t);
        bln_report report;
        double worst = 0.0;
        t.bad = bad;
        t.by = bad % 2 ? 1e-3 : -1.0;
        CHECK_STATUS(bln_density_check(&d, NULL, &worst, &report), BLN_EDOMAIN);
        CHECK_SIZE(report.column, bad);
        CHECK_TEXT(report.text, bad % 2 ? "it says 1.001, differences say 1" : "it says 0, differences say 1");
        CHECK_LE(1e-4, worst);
    }
}

TEST(density, values_must_repeat)
{
    density_case t;
    bln_density d = density_of(&t);
    bln_report report;
    t.drifting = 1;
    CHECK_STATUS(bln_density_check(&d, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "different values");
}

/* At the edge of what is possible there is no difference to be had on one side; beyond it there is no density. */
TEST(density, impossible_points)
{
    density_case t;
    bln_density d = density_of(&t);
    bln_report report;
    t.edge = 1e-5;
    CHECK_OK(bln_density_check(&d, NULL, NULL, &report));
    t.edge = -1.0;
    CHECK_STATUS(bln_density_check(&d, NULL, NULL, &report), BLN_ENUMERIC);
    t.edge = 1e9;
    t.bad = 2;
    t.by = NAN;
    CHECK_STATUS(bln_density_check(&d, NULL, NULL, &report), BLN_ENUMERIC);
    t.bad = 9;
    t.status = BLN_ENOTPD;
    CHECK_STATUS(bln_density_check(&d, NULL, NULL, &report), BLN_ENUMERIC);
    t.status = BLN_EIO;
    CHECK_STATUS(bln_density_check(&d, NULL, NULL, &report), BLN_EIO);
    CHECK_TEXT(report.text, "by the user");
}

TEST(density, errors)
{
    density_case t;
    bln_density d = density_of(&t);
    bln_report report;
    double q[5] = { 0.0, 0.0, HUGE_VAL, 0.0, 0.0 };
    CHECK_STATUS(bln_density_check(&d, q, NULL, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 2);
    CHECK_STATUS(bln_density_check(NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK(bln_density_reason(&d) == NULL);
    d.n_out = 2;
    CHECK_TEXT(bln_density_reason(&d), "output");
    d.n_out = 0;
    d.release = free;
    CHECK_TEXT(bln_density_reason(&d), "together");
    d.release = NULL;
    d.eval = NULL;
    CHECK_TEXT(bln_density_reason(&d), "eval");
    d.dim = 0;
    CHECK_TEXT(bln_density_reason(&d), "dim");
}

SUITE_BEGIN(density)
SUITE_TEST(density, right_gradients_pass)
SUITE_TEST(density, wrong_gradients_are_found)
SUITE_TEST(density, values_must_repeat)
SUITE_TEST(density, impossible_points)
SUITE_TEST(density, errors)
SUITE_END(density)
