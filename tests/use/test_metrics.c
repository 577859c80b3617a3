/* metrics: golden values from 50-digit arithmetic, the invariances of each score, its edges, and every way it can fail */
#include "../test.h"
#include "../golden/metrics_golden.h"

enum { METRICS_N = METRICS_GOLD_N };

/* Sums of 15 terms of order 1: an error of 15 + a few roundings, 4e-15. */
#define METRICS_TOL 1e-13

TEST(metrics, golden_point_scores)
{
    const double *y = metrics_gold_y, *m = metrics_gold_mean;
    double v = 0.0;
    CHECK_OK(bln_mse(METRICS_N, y, m, &v, NULL));          CHECK_GOLD(v, metrics_gold_mse, METRICS_TOL);
    CHECK_OK(bln_rmse(METRICS_N, y, m, &v, NULL));         CHECK_GOLD(v, metrics_gold_rmse, METRICS_TOL);
    CHECK_OK(bln_mae(METRICS_N, y, m, &v, NULL));          CHECK_GOLD(v, metrics_gold_mae, METRICS_TOL);
    CHECK_OK(bln_smse(METRICS_N, y, m, &v, NULL));         CHECK_GOLD(v, metrics_gold_smse, METRICS_TOL);
    CHECK_OK(bln_r2(METRICS_N, y, m, &v, NULL));           CHECK_GOLD(v, metrics_gold_r2, METRICS_TOL);
}

TEST(metrics, golden_distribution_scores)
{
    const double *y = metrics_gold_y, *m = metrics_gold_mean, *var = metrics_gold_var;
    double v = 0.0;
    CHECK_OK(bln_mll(METRICS_N, y, m, var, &v, NULL));     CHECK_GOLD(v, metrics_gold_mll, METRICS_TOL);
    CHECK_OK(bln_msll(METRICS_N, y, m, var, metrics_gold_train_mean, metrics_gold_train_var, &v, NULL));
    CHECK_GOLD(v, metrics_gold_msll, METRICS_TOL);
}

TEST(metrics, golden_coverage)
{
    double v = 0.0;
    CHECK_OK(bln_coverage(METRICS_N, metrics_gold_y, metrics_gold_lower, metrics_gold_upper, &v, NULL));
    CHECK_GOLD(v, metrics_gold_coverage, METRICS_TOL);
}

TEST(metrics, golden_class_scores)
{
    double v = 0.0;
    const double *y = metrics_gold_label, *p = metrics_gold_p;
    CHECK_OK(bln_log_loss(METRICS_N, 1, y, p, &v, NULL));     CHECK_GOLD(v, metrics_gold_log_loss, METRICS_TOL);
    CHECK_OK(bln_error_rate(METRICS_N, 1, y, p, &v, NULL));   CHECK_GOLD(v, metrics_gold_error_rate, METRICS_TOL);
    CHECK_OK(bln_brier(METRICS_N, 1, y, p, &v, NULL));        CHECK_GOLD(v, metrics_gold_brier, METRICS_TOL);
}

/* Multiples of 1/1024 below 8, so that a shift by 1e9 and scaling by powers of two are exact in double, and scores must not change
 * at all. */
static void metrics_grid(double *y, double *m)
{
    for (size_t i = 0; i < METRICS_N; i++) {
        y[i] = floor(metrics_gold_y[i]*1024.0)/1024.0;
        m[i] = floor(metrics_gold_mean[i]*1024.0)/1024.0;
    }
}

typedef bln_status (*metrics_point)(size_t n, const double *y, const double *mean, double *out, bln_report *report);

TEST(metrics, shifts_change_nothing)
{
    static const metrics_point scores[] = { bln_mse, bln_rmse, bln_mae, bln_smse, bln_r2 };
    double y[METRICS_N], m[METRICS_N], ys[METRICS_N], ms[METRICS_N];
    metrics_grid(y, m);
    for (size_t i = 0; i < METRICS_N; i++) { ys[i] = y[i] + 1e9; ms[i] = m[i] + 1e9; }
    for (size_t k = 0; k < sizeof scores/sizeof *scores; k++) {
        double a = 0.0, b = 0.0;
        CHECK_OK(scores[k](METRICS_N, y, m, &a, NULL));
        CHECK_OK(scores[k](METRICS_N, ys, ms, &b, NULL));
        CHECK_NEAR(b, a, 0.0);
    }
    double a = 0.0, b = 0.0;
    CHECK_OK(bln_mll(METRICS_N, y, m, metrics_gold_var, &a, NULL));
    CHECK_OK(bln_mll(METRICS_N, ys, ms, metrics_gold_var, &b, NULL));
    CHECK_NEAR(b, a, 0.0);
}

/* Ratios do not depend on the unit of y, up to the ends of the exponent range; the others scale with it. */
TEST(metrics, units_change_only_scores_with_units)
{
    static const metrics_point ratios[] = { bln_smse, bln_r2 };
    static const int exponents[] = { -1000, -600, -40, 40, 600, 1000 };
    double y[METRICS_N], m[METRICS_N], ys[METRICS_N], ms[METRICS_N], a = 0.0, b = 0.0;
    metrics_grid(y, m);
    for (size_t e = 0; e < sizeof exponents/sizeof *exponents; e++) {
        for (size_t i = 0; i < METRICS_N; i++) { ys[i] = ldexp(y[i], exponents[e]); ms[i] = ldexp(m[i], exponents[e]); }
        for (size_t k = 0; k < sizeof ratios/sizeof *ratios; k++) {
            CHECK_OK(ratios[k](METRICS_N, y, m, &a, NULL));
            CHECK_OK(ratios[k](METRICS_N, ys, ms, &b, NULL));
            CHECK_NEAR(b, a, 0.0);
        }
        CHECK_OK(bln_mae(METRICS_N, y, m, &a, NULL));
        CHECK_OK(bln_mae(METRICS_N, ys, ms, &b, NULL));
        CHECK_NEAR(b, ldexp(a, exponents[e]), 0.0);
    }
}

TEST(metrics, overflow_is_an_error_and_not_an_infinity)
{
    const double y[2] = { 1e200, -1e200 }, m[2] = { -1e200, 1e200 }, tiny[2] = { 1e-300, 1e-300 };
    const double far[2] = { 1.7e308, -1.7e308 }, back[2] = { -1.7e308, 1.7e308 };
    double v = 7.0;
    bln_report r;
    CHECK_STATUS(bln_mse(2, y, m, &v, &r), BLN_ENUMERIC);
    CHECK_TEXT(r.text, "overflow");
    CHECK_STATUS(bln_rmse(2, far, back, &v, NULL), BLN_ENUMERIC);
    CHECK_STATUS(bln_mll(2, y, m, tiny, &v, NULL), BLN_ENUMERIC);
    CHECK_STATUS(bln_mae(2, far, back, &v, NULL), BLN_ENUMERIC);
    CHECK_STATUS(bln_smse(2, far, back, &v, NULL), BLN_ENUMERIC);
    CHECK_NEAR(v, 7.0, 0.0);
    CHECK_OK(bln_rmse(2, y, m, &v, NULL));                       /* squares overflow, and vanish, but not the error */
    CHECK_REL(v, 2e200, 1e-15);
    CHECK_OK(bln_rmse(2, tiny, m, &v, NULL));
    CHECK_REL(v, 1e200, 1e-15);
    {
        const double small[2] = { 3e-200, 4e-200 }, zero[2] = { 0.0, 0.0 };
        CHECK_OK(bln_rmse(2, small, zero, &v, NULL));
        CHECK_REL(v, sqrt(12.5)*1e-200, 1e-15);
        CHECK_OK(bln_rmse(2, zero, zero, &v, NULL));
        CHECK(v == 0.0);
    }
}

/* ---- closed forms and edges ---- */

TEST(metrics, perfect_and_trivial_predictions)
{
    const double y[4] = { 1.0, 2.0, 3.0, 6.0 }, flat[4] = { 3.0, 3.0, 3.0, 3.0 };
    const double var[4] = { 3.5, 3.5, 3.5, 3.5 };                   /* the variance of y: (4 + 1 + 0 + 9)/4 */
    double v = 0.0;
    CHECK_OK(bln_mse(4, y, y, &v, NULL));          CHECK_NEAR(v, 0.0, 0.0);
    CHECK_OK(bln_r2(4, y, y, &v, NULL));           CHECK_NEAR(v, 1.0, 0.0);
    CHECK_OK(bln_smse(4, y, flat, &v, NULL));      CHECK_NEAR(v, 1.0, 4*DBL_EPSILON);
    CHECK_OK(bln_r2(4, y, flat, &v, NULL));        CHECK_NEAR(v, 0.0, 4*DBL_EPSILON);
    CHECK_OK(bln_msll(4, y, flat, var, 3.0, 3.5, &v, NULL)); CHECK_NEAR(v, 0.0, 0.0);       /* the trivial model */
    /* 1/(2 pi) */
    const double unit[4] = { 0.15915494309189533577, 0.15915494309189533577, 0.15915494309189533577, 0.15915494309189533577 };
    CHECK_OK(bln_mll(4, y, y, unit, &v, NULL));    CHECK_NEAR(v, 0.0, 4*DBL_EPSILON);
}

/* log(2 pi v) and the standardised residual at variances whose squares are out of range. */
TEST(metrics, log_density_survives_extreme_variances)
{
    static const double sds[] = { 1e-153, 1e-100, 1.0, 1e100, 1e153 };
    for (size_t k = 0; k < sizeof sds/sizeof *sds; k++) {
        const double s = sds[k], y = 41.0*s, mean = 1.0*s, var = s*s;
        double v = 0.0;
        CHECK_OK(bln_mll(1, &y, &mean, &var, &v, NULL));
        CHECK_REL(v, 0.5*1.8378770664093454836 + log(s) + 800.0, 1e-13);     /* -log N = log(2 pi)/2 + log s + z^2/2, z = 40 */
    }
}

TEST(metrics, equal_targets)
{
    const double y[3] = { 0.1, 0.1, 0.1 }, near[3] = { 0.1, 0.1, 0.1000000001 }, other[3] = { 0.2, 0.2, 0.2 };
    double v = 7.0;
    bln_report r;
    CHECK_STATUS(bln_smse(3, y, near, &v, &r), BLN_EUNDEFINED);
    CHECK(v != v);
    CHECK_TEXT(r.text, "all targets are equal");
    CHECK_STATUS(bln_smse(3, y, y, &v, NULL), BLN_EUNDEFINED);
    v = 7.0;
    CHECK_STATUS(bln_r2(3, y, near, &v, &r), BLN_EUNDEFINED);
    CHECK(v != v);
    CHECK_TEXT(r.text, "all targets are equal");
    CHECK_OK(bln_r2(3, y, y, &v, &r));
    CHECK_NEAR(v, 1.0, 0.0);
    CHECK(r.text[0] == '\0');
    CHECK_STATUS(bln_smse(1, y, other, &v, NULL), BLN_EUNDEFINED);
}

TEST(metrics, intervals_are_closed)
{
    const double y[4] = { 1.0, 2.0, 3.0, 4.0 }, lower[4] = { 1.0, 1.0, 3.5, 4.0 }, upper[4] = { 2.0, 2.0, 4.0, 4.0 };
    double v = 0.0;
    CHECK_OK(bln_coverage(4, y, lower, upper, &v, NULL));
    CHECK_NEAR(v, 0.75, 0.0);
}

static int metrics_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(metrics, sorts)
{
    double a[70], b[70];
    test_random random = test_random_new(3);
    for (size_t n = 0; n <= 70; n++)
        for (int kind = 0; kind < 4; kind++) {
            for (size_t i = 0; i < n; i++)
                a[i] = kind == 0 ? test_normal(&random) : kind == 1 ? floor(4.0*test_uniform(&random))
                     : kind == 2 ? (double)i : -(double)i;
            memcpy(b, a, sizeof a);
            blni_sort(n, a, NULL);
            qsort(b, n, sizeof *b, metrics_compare);
            CHECK(n == 0 || memcmp(a, b, n*sizeof *a) == 0);
        }
}

TEST(metrics, certain_classes)
{
    const double y[2] = { 1.0, 0.0 }, right[2] = { 1.0, 0.0 }, wrong[2] = { 0.0, 1.0 }, half[2] = { 0.5, 0.5 };
    double v = 0.0;
    CHECK_OK(bln_log_loss(2, 1, y, right, &v, NULL));     CHECK_NEAR(v, 0.0, 2e-15);
    /* Clipped to 1e-15 and to 1 - 1e-15, which is only known to half an ulp, 5.6e-17: 0.06 of the complement. */
    CHECK_OK(bln_log_loss(2, 1, y, wrong, &v, NULL));     CHECK_NEAR(v, 34.538776394910684, 0.06);
    CHECK_OK(bln_log_loss(2, 1, y, half, &v, NULL));      CHECK_NEAR(v, 0.69314718055994530942, 1e-15);
    CHECK_OK(bln_brier(2, 1, y, right, &v, NULL));        CHECK_NEAR(v, 0.0, 0.0);
    CHECK_OK(bln_brier(2, 1, y, wrong, &v, NULL));        CHECK_NEAR(v, 1.0, 0.0);
    CHECK_OK(bln_error_rate(2, 1, y, right, &v, NULL));   CHECK_NEAR(v, 0.0, 0.0);
    CHECK_OK(bln_error_rate(2, 1, y, wrong, &v, NULL));   CHECK_NEAR(v, 1.0, 0.0);
    /* p = 1/2 predicts 0, which is wrong for the first */
    CHECK_OK(bln_error_rate(1, 1, y, half, &v, NULL));    CHECK_NEAR(v, 1.0, 0.0);
    CHECK_OK(bln_error_rate(1, 1, y + 1, half, &v, NULL)); CHECK_NEAR(v, 0.0, 0.0);
}

/* Of two classes they are those of one probability, the Brier score twice; of three, by hand. Of equal probabilities the first
 * counts. */
TEST(metrics, several_classes)
{
    const double y[4] = { 0.0, 2.0, 1.0, 2.0 }, binary[4] = { 0.0, 1.0, 1.0, 0.0 }, one[4] = { 0.25, 0.5, 0.875, 0.75 };
    const double p[12] = { 0.5, 0.25, 0.25,  0.125, 0.125, 0.75,  0.5, 0.5, 0.0,  0.0, 1.0, 0.0 };
    double two[8], a = 0.0, b = 0.0, losses = 0.0;
    size_t table[9];
    for (size_t i = 0; i < 4; i++) {
        two[2*i] = 1.0 - one[i];
        two[2*i + 1] = one[i];
        losses -= log(i == 3 ? 1e-15 : p[3*i + (size_t)y[i]])/4.0;
    }
    CHECK_OK(bln_log_loss(4, 1, binary, one, &a, NULL));    CHECK_OK(bln_log_loss(4, 2, binary, two, &b, NULL));
    CHECK_NEAR(a, b, 1e-15);
    CHECK_OK(bln_error_rate(4, 1, binary, one, &a, NULL));  CHECK_OK(bln_error_rate(4, 2, binary, two, &b, NULL));
    CHECK_NEAR(a, b, 0.0);
    CHECK_OK(bln_brier(4, 1, binary, one, &a, NULL));       CHECK_OK(bln_brier(4, 2, binary, two, &b, NULL));
    CHECK_NEAR(2.0*a, b, 1e-15);
    CHECK_OK(bln_log_loss(4, 3, y, p, &a, NULL));           CHECK_NEAR(a, losses, 1e-14);
    CHECK_OK(bln_error_rate(4, 3, y, p, &a, NULL));         CHECK_NEAR(a, 0.5, 0.0);
    CHECK_OK(bln_brier(4, 3, y, p, &a, NULL));              CHECK_NEAR(a, (0.375 + 0.09375 + 0.5 + 2.0)/4.0, 0.0);
    CHECK_OK(bln_confusion(4, 3, y, p, table, NULL));
    for (size_t k = 0; k < 9; k++) CHECK_SIZE(table[k], k == 0 || k == 3 || k == 7 || k == 8);
    CHECK_OK(bln_confusion(4, 1, binary, one, table, NULL));
    for (size_t k = 0; k < 4; k++) CHECK_SIZE(table[k], 1);
}

/* ---- failures ---- */

/* A NULL that the compiler does not know of: it would warn of what the library then refuses. */
static const double *volatile metrics_none = NULL;

static void metrics_expect(bln_status got, bln_status want, const double *v, const bln_report *r, size_t row, const char *text)
{
    CHECK_STATUS(got, want);
    CHECK_NEAR(*v, 7.0, 0.0);                            /* out is left alone */
    CHECK_SIZE(r->row, row);
    CHECK_TEXT(r->text, text);
}

static bln_status metrics_log_loss(size_t n, const double *y, const double *p, double *out, bln_report *r)
{
    return bln_log_loss(n, 1, y, p, out, r);
}
static bln_status metrics_error_rate(size_t n, const double *y, const double *p, double *out, bln_report *r)
{
    return bln_error_rate(n, 1, y, p, out, r);
}
static bln_status metrics_brier(size_t n, const double *y, const double *p, double *out, bln_report *r)
{
    return bln_brier(n, 1, y, p, out, r);
}

TEST(metrics, point_and_class_scores_refuse_bad_input)
{
    static const metrics_point scores[] = { bln_mse, bln_rmse, bln_mae, bln_smse, bln_r2, metrics_log_loss,
                                            metrics_error_rate, metrics_brier };
    const double not_finite[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t k = 0; k < sizeof scores/sizeof *scores; k++) {
        double y[4] = { 0, 1, 1, 0 }, m[4] = { 0.5, 0.25, 1, 0 }, v = 7.0;
        bln_report r;
        metrics_expect(scores[k](0, y, m, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "no rows");
        metrics_expect(scores[k](4, metrics_none, m, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        metrics_expect(scores[k](4, y, metrics_none, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        metrics_expect(scores[k](4, y, m, NULL, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        for (size_t b = 0; b < 3; b++) {
            m[3] = not_finite[b];
            metrics_expect(scores[k](4, y, m, &v, &r), BLN_EDATA, &v, &r, 3, "prediction is NaN or infinite, row 3");
            y[2] = not_finite[b];
            metrics_expect(scores[k](4, y, m, &v, &r), BLN_EDATA, &v, &r, 2, "y is NaN or infinite, row 2");
            CHECK_STATUS(scores[k](4, y, m, &v, NULL), BLN_EDATA);
            y[2] = 1.0;
            m[3] = 0.0;
        }
    }
}

TEST(metrics, class_scores_refuse_what_is_no_class_or_probability)
{
    static const metrics_point scores[] = { metrics_log_loss, metrics_error_rate, metrics_brier };
    for (size_t k = 0; k < 3; k++) {
        double y[3] = { 0, 1, 2 }, p[3] = { 0.5, 0.5, 0.5 }, v = 7.0;
        bln_report r;
        metrics_expect(scores[k](3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 2, "0 or 1");
        y[2] = -1.0;
        metrics_expect(scores[k](3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 2, "0 or 1");
        y[2] = 1.0;
        p[1] = 1.0 + DBL_EPSILON;
        metrics_expect(scores[k](3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 1, "[0, 1]");
        p[1] = -DBL_MIN;
        metrics_expect(scores[k](3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 1, "[0, 1]");
    }
}

/* The two scores of a normal distribution behind one signature. */
static bln_status metrics_normal(int which, size_t n, const double *y, const double *m, const double *var, double *out,
                                 bln_report *r)
{
    return which ? bln_msll(n, y, m, var, 0.0, 1.0, out, r) : bln_mll(n, y, m, var, out, r);
}

TEST(metrics, scores_of_several_classes_refuse_what_is_none)
{
    double y[2] = { 0.0, 2.0 }, p[6] = { 0.5, 0.25, 0.25, 0.0, 0.0, 1.0 }, v = 7.0;
    size_t table[9] = { 7 };
    bln_report r;
    CHECK_STATUS(bln_brier(2, 0, y, p, &v, &r), BLN_EINVAL);
    CHECK_STATUS(bln_confusion(2, 3, y, p, NULL, &r), BLN_EINVAL);
    y[1] = 3.0;
    metrics_expect(bln_log_loss(2, 3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 1, "a class");
    y[1] = 0.5;
    metrics_expect(bln_error_rate(2, 3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 1, "a class");
    CHECK_STATUS(bln_confusion(2, 3, y, p, table, &r), BLN_EDOMAIN);
    CHECK_SIZE(table[0], 7);
    y[1] = 2.0;
    p[5] = 0.99;
    metrics_expect(bln_brier(2, 3, y, p, &v, &r), BLN_EDOMAIN, &v, &r, 1, "add up to 1");
    p[4] = (double)NAN;
    metrics_expect(bln_brier(2, 3, y, p, &v, &r), BLN_EDATA, &v, &r, 1, "NaN");
    CHECK_SIZE(r.column, 1);
}

TEST(metrics, distribution_scores_refuse_bad_input)
{
    for (int k = 0; k < 2; k++) {
        double y[3] = { 0, 1, 2 }, m[3] = { 0, 1, 1 }, var[3] = { 1, 2, 3 }, v = 7.0;
        bln_report r;
        metrics_expect(metrics_normal(k, 0, y, m, var, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "no rows");
        metrics_expect(metrics_normal(k, 3, metrics_none, m, var, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        metrics_expect(metrics_normal(k, 3, y, metrics_none, var, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        metrics_expect(metrics_normal(k, 3, y, m, metrics_none, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        metrics_expect(metrics_normal(k, 3, y, m, var, NULL, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
        var[1] = -1.0;
        metrics_expect(metrics_normal(k, 3, y, m, var, &v, &r), BLN_EDOMAIN, &v, &r, 1, "variance must be");
        var[1] = 0.0;
        metrics_expect(metrics_normal(k, 3, y, m, var, &v, &r), BLN_EDOMAIN, &v, &r, 1, "variance must be > 0");
        var[1] = (double)INFINITY;
        metrics_expect(metrics_normal(k, 3, y, m, var, &v, &r), BLN_EDATA, &v, &r, 1, "variance is NaN or infinite");
        y[0] = (double)NAN;
        metrics_expect(metrics_normal(k, 3, y, m, var, &v, &r), BLN_EDATA, &v, &r, 0, "y is NaN or infinite");
        y[0] = 0.0;
        m[2] = (double)NAN;
        metrics_expect(metrics_normal(k, 3, y, m, var, &v, &r), BLN_EDATA, &v, &r, 2, "prediction is NaN");
    }
}

TEST(metrics, training_statistics_are_checked)
{
    const double y[1] = { 1.0 }, var[1] = { 1.0 };
    double v = 7.0;
    bln_report r;
    metrics_expect(bln_msll(1, y, y, var, 0.0, 0.0, &v, &r), BLN_EDOMAIN, &v, &r, BLN_NONE, "must be > 0");
    metrics_expect(bln_msll(1, y, y, var, (double)NAN, 1.0, &v, &r), BLN_EDATA, &v, &r, BLN_NONE, "NaN or infinite");
    metrics_expect(bln_msll(1, y, y, var, 0.0, (double)INFINITY, &v, &r), BLN_EDATA, &v, &r, BLN_NONE, "NaN or infinite");
}

TEST(metrics, coverage_refuses_bad_input)
{
    double y[2] = { 1.0, 2.0 }, lower[2] = { 0.0, 0.0 }, upper[2] = { 3.0, 3.0 }, v = 7.0;
    bln_report r;
    metrics_expect(bln_coverage(0, y, lower, upper, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "no rows");
    metrics_expect(bln_coverage(2, metrics_none, lower, upper, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
    metrics_expect(bln_coverage(2, y, metrics_none, upper, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
    metrics_expect(bln_coverage(2, y, lower, metrics_none, &v, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
    metrics_expect(bln_coverage(2, y, lower, upper, NULL, &r), BLN_EINVAL, &v, &r, BLN_NONE, "NULL");
    lower[1] = 3.5;
    metrics_expect(bln_coverage(2, y, lower, upper, &v, &r), BLN_EDOMAIN, &v, &r, 1, "above upper");
    lower[1] = (double)NAN;
    metrics_expect(bln_coverage(2, y, lower, upper, &v, &r), BLN_EDATA, &v, &r, 1, "lower bound");
    lower[1] = 0.0;
    upper[0] = (double)INFINITY;
    metrics_expect(bln_coverage(2, y, lower, upper, &v, &r), BLN_EDATA, &v, &r, 0, "upper bound");
    y[1] = (double)NAN;
    metrics_expect(bln_coverage(2, y, lower, upper, &v, &r), BLN_EDATA, &v, &r, 1, "y is NaN");
}

SUITE_BEGIN(metrics)
    SUITE_TEST(metrics, golden_point_scores)
    SUITE_TEST(metrics, golden_distribution_scores)
    SUITE_TEST(metrics, golden_coverage)
    SUITE_TEST(metrics, golden_class_scores)
    SUITE_TEST(metrics, shifts_change_nothing)
    SUITE_TEST(metrics, units_change_only_scores_with_units)
    SUITE_TEST(metrics, overflow_is_an_error_and_not_an_infinity)
    SUITE_TEST(metrics, perfect_and_trivial_predictions)
    SUITE_TEST(metrics, log_density_survives_extreme_variances)
    SUITE_TEST(metrics, equal_targets)
    SUITE_TEST(metrics, intervals_are_closed)
    SUITE_TEST(metrics, sorts)
    SUITE_TEST(metrics, certain_classes)
    SUITE_TEST(metrics, point_and_class_scores_refuse_bad_input)
    SUITE_TEST(metrics, several_classes)
    SUITE_TEST(metrics, scores_of_several_classes_refuse_what_is_none)
    SUITE_TEST(metrics, class_scores_refuse_what_is_no_class_or_probability)
    SUITE_TEST(metrics, distribution_scores_refuse_bad_input)
    SUITE_TEST(metrics, training_statistics_are_checked)
    SUITE_TEST(metrics, coverage_refuses_bad_input)
SUITE_END(metrics)
