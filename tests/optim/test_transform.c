/* transform: the maps are inverse to each other, their slopes are their derivatives, the extremes stay finite and inside, and every
 * way to misuse a parameter is refused in words. */
#include "../test.h"

static bln_param transform_param(bln_param_kind kind, double lo, double hi, double start)
{
    bln_param p;
    p.kind = kind;
    p.lo = lo;
    p.hi = hi;
    p.start = start;
    p.scale = 0.0;
    return p;
}

enum { TRANSFORM_CASES = 11 };
static bln_param transform_case(int i)
{
    switch (i) {
    case 0:  return transform_param(BLN_PARAM_REAL, 0.0, 0.0, 2.385);
    case 1:  return transform_param(BLN_PARAM_POSITIVE, 0.0, 0.0, 2.385);
    case 2:  return transform_param(BLN_PARAM_INTERVAL, -1.0, 3.0, 2.385);
    case 3:  return transform_param(BLN_PARAM_INTERVAL, 1e6, 1e6 + 1.0, 1e6 + 0.385);
    case 4:  return transform_param(BLN_PARAM_INTERVAL, 0.0, 1.0, 1e-3);
    case 5:  return transform_param(BLN_PARAM_INTERVAL, -1e300, 0.7e300, 0.1e300);
    case 6:  return transform_param(BLN_PARAM_LOG, 1e-3, 1e3, 2.385);
    case 7:  return transform_param(BLN_PARAM_LOG, 1e-12, 1e12, 1e-7);
    case 8:  return transform_param(BLN_PARAM_LOG, 2.0, 2.001, 2.0003);
    case 9:  return transform_param(BLN_PARAM_LOG, DBL_MIN, DBL_MAX, 1.0);          /* hi/lo overflows */
    default: return transform_param(BLN_PARAM_LOG, DBL_MIN, 1.0, 1e-200);
    }
}
/* A kind that is none; by its bytes, since C++ has no such value. */
static bln_param transform_unknown(void)
{
    bln_param p = transform_param(BLN_PARAM_REAL, 0.0, 1.0, 0.5);
    memset(&p.kind, 17, sizeof p.kind);
    return p;
}
static double transform_width(const bln_param *p)
{
    return p->kind == BLN_PARAM_INTERVAL ? p->hi - p->lo : p->kind == BLN_PARAM_LOG ? log(p->hi) - log(p->lo) : 8.0;
}

/* natural(free(x)) = x. The logistic maps work in parts of the interval, so the error is that of a distance to the nearer
 * bound: a few eps of the width, and eps of x; for the logarithmic kinds the width (at most 1419) is relative to x. Below:
 * 8 eps of that. */
TEST(transform, natural_undoes_free)
{
    test_random r = test_random_new(1);
    for (int c = 0; c < TRANSFORM_CASES; c++) {
        const bln_param p = transform_case(c);
        CHECK_OK(bln_param_check(&p, NULL));
        for (int k = 0; k < 200; k++) {
            double x, part = test_uniform(&r), scale;
            if (k < 40) part = pow(10.0, -0.2*k);                                     /* near the lower bound, to 1e-8 ... */
            else if (k < 80) part = 1.0 - pow(10.0, -0.2*(k - 40));                   /* and near the upper one           */
            if (k == 80) x = p.start;
            else if (p.kind == BLN_PARAM_REAL) x = 20.0*(part - 0.5);
            else if (p.kind == BLN_PARAM_POSITIVE) x = exp(1400.0*(part - 0.5));
            else if (p.kind == BLN_PARAM_INTERVAL) x = p.lo + (p.hi - p.lo)*part;
            else x = exp(log(p.lo) + part*(log(p.hi) - log(p.lo)));
            if (!(part > 2e-9 && part < 1.0 - 2e-9)) continue;                        /* part 0: the edge has its own test */
            scale = fabs(x);
            if (p.kind == BLN_PARAM_INTERVAL) scale += p.hi - p.lo;
            if (p.kind == BLN_PARAM_LOG) scale *= 1.0 + fabs(log(x)) + transform_width(&p);
            if (p.kind == BLN_PARAM_POSITIVE) scale *= 1.0 + fabs(log(x));
            CHECK_NEAR(bln_param_natural(&p, bln_param_free(&p, x)), x, 8.0*DBL_EPSILON*scale + 1e-323);
        }
    }
}

/* free(natural(u)) = u: the same errors in x, divided by the slope. */
TEST(transform, free_undoes_natural)
{
    for (int c = 0; c < TRANSFORM_CASES; c++) {
        const bln_param p = transform_case(c);
        const double width = transform_width(&p);
        for (int k = -20; k <= 20; k++) {
            const double u = 0.25*k/5.0*(width < 100.0 ? width : 100.0);
            const double x = bln_param_natural(&p, u), slope = bln_param_slope(&p, u);
            double scale = fabs(x);
            if (p.kind == BLN_PARAM_INTERVAL) scale += p.hi - p.lo;
            if (p.kind == BLN_PARAM_LOG) scale *= 1.0 + fabs(log(x)) + width;
            CHECK_NEAR(bln_param_free(&p, x), u, 16.0*DBL_EPSILON*(scale/slope + fabs(u)));
        }
    }
}

/* Central differences with step h: error h^2/6 |x'''| + eps |x|/h. In units of the width w of the curve, x''' <= 32 x'/w^2
 * for the logistic maps and (1 + 6/w + 32/w^2) x' for the logarithmic ones; h = 1e-5 min(w, 1) leaves 1e-8 of the slope and
 * 1e-11 (|x| + w)/min(w,1). */
TEST(transform, slope_is_the_derivative)
{
    for (int c = 0; c < TRANSFORM_CASES; c++) {
        const bln_param p = transform_case(c);
        const double width = transform_width(&p), unit = width < 1.0 || p.kind == BLN_PARAM_INTERVAL ? width : 1.0, h = 1e-5*unit;
        for (int k = -12; k <= 12; k++) {
            const double u = 0.25*k/6.0*(width < 100.0 || p.kind == BLN_PARAM_INTERVAL ? width : 100.0);
            const double up = bln_param_natural(&p, u + h), down = bln_param_natural(&p, u - h), x = bln_param_natural(&p, u);
            double size = fabs(x);
            if (p.kind == BLN_PARAM_INTERVAL) size += width;
            if (p.kind == BLN_PARAM_LOG) size *= 1.0 + fabs(log(x)) + width;
            CHECK_NEAR(bln_param_slope(&p, u), (up - down)/(2.0*h), 1e-8*bln_param_slope(&p, u) + 4.0*DBL_EPSILON*size/h);
        }
    }
}

/* Of the log of the slope, at the same points: its own third derivative is at most 128/w^3 beside the slope in log x, so that
 * h = 1e-4 min(w, 1) leaves 1e-6/w and 1e-12/min(w, 1) of rounding. */
TEST(transform, bend_is_the_slope_of_its_logarithm)
{
    for (int c = 0; c < TRANSFORM_CASES; c++) {
        const bln_param p = transform_case(c);
        const double width = transform_width(&p), unit = width < 1.0 || p.kind == BLN_PARAM_INTERVAL ? width : 1.0, h = 1e-4*unit;
        for (int k = -12; k <= 12; k++) {
            const double u = 0.25*k/6.0*(width < 100.0 || p.kind == BLN_PARAM_INTERVAL ? width : 100.0);
            const double up = log(bln_param_slope(&p, u + h)), down = log(bln_param_slope(&p, u - h));
            CHECK_NEAR(blni_param_bend(&p, u), (up - down)/(2.0*h), 1e-6/unit + 1e-11*(1.0 + fabs(up))/unit);
        }
    }
}

/* The slope is 1 in the middle of an interval, where u = 0 (in log x for the logarithmic kind). */
TEST(transform, middle_has_slope_one)
{
    const bln_param p = transform_case(2), q = transform_case(6);
    CHECK_NEAR(bln_param_natural(&p, 0.0), 1.0, 0.0);
    CHECK_NEAR(bln_param_slope(&p, 0.0), 1.0, 0.0);
    CHECK_NEAR(bln_param_free(&p, 1.0), 0.0, 0.0);
    CHECK_REL(bln_param_natural(&q, 0.0), 1.0, 1e-14);
    CHECK_REL(bln_param_slope(&q, 0.0), 1.0, 1e-14);
}

/* A real parameter in units of its scale: so a step means the same whatever the units of x. Where x has no place, the ends. */
TEST(transform, real_has_a_scale)
{
    bln_param p = transform_param(BLN_PARAM_REAL, 0.0, 0.0, 2.385);
    p.scale = 1e-3;
    CHECK_OK(bln_param_check(&p, NULL));
    CHECK_REL(bln_param_free(&p, 2.385), 2385.0, 4*DBL_EPSILON);
    CHECK_REL(bln_param_natural(&p, -2385.0), -2.385, 4*DBL_EPSILON);
    CHECK_NEAR(bln_param_slope(&p, 17.0), 1e-3, 0.0);
    CHECK_NEAR(bln_param_free(&p, DBL_MAX), DBL_MAX, 0.0);
    p.scale = 1e3;
    CHECK_NEAR(bln_param_natural(&p, -DBL_MAX), -DBL_MAX, 0.0);
}

/* A closed form by hand: lo = 0, hi = 4: t = u, x = 4/(1 + e^-u), slope 4 x (4-x)/16. */
TEST(transform, agrees_with_its_formulas)
{
    const bln_param p = transform_param(BLN_PARAM_INTERVAL, 0.0, 4.0, 1.0), q = transform_param(BLN_PARAM_LOG, 1.0, exp(4.0), 2.0);
    CHECK_REL(bln_param_natural(&p, 1.0), 4.0/(1.0 + exp(-1.0)), 1e-15);
    CHECK_REL(bln_param_slope(&p, -2.0), 4.0*exp(-2.0)/((1.0 + exp(-2.0))*(1.0 + exp(-2.0))), 1e-14);
    CHECK_REL(bln_param_natural(&q, 1.0), exp(4.0/(1.0 + exp(-1.0))), 1e-14);
    CHECK_REL(bln_param_free(&q, exp(1.0)), log(1.0/3.0), 1e-14);
    const bln_param e = transform_case(1);
    CHECK_REL(bln_param_natural(&e, 2.385), exp(2.385), 1e-15);
    CHECK_REL(bln_param_free(&e, 2.385), log(2.385), 1e-15);
    CHECK_NEAR(bln_param_slope(&e, 2.385), bln_param_natural(&e, 2.385), 0.0);
}

/* Whatever is thrown at them: results are finite, x never leaves the bounds, free is monotone, NaN goes through. */
TEST(transform, extremes_stay_finite_and_inside)
{
    const double throws[] = { -HUGE_VAL, -DBL_MAX, -1e300, -1e6, -710.0, -50.0, -1.0, -5e-324, 0.0, 5e-324, 1.0, 50.0, 710.0,
                                     1e6, 1e300, DBL_MAX, HUGE_VAL };
    for (int c = 0; c < TRANSFORM_CASES; c++) {
        const bln_param p = transform_case(c);
        double before_u = -HUGE_VAL, before_x = -HUGE_VAL;
        for (size_t k = 0; k < sizeof throws/sizeof *throws; k++) {
            const double x = bln_param_natural(&p, throws[k]), u = bln_param_free(&p, throws[k]);
            const double slope = bln_param_slope(&p, throws[k]);
            CHECK(x - x == 0.0);
            CHECK(u - u == 0.0);
            CHECK(slope >= 0.0 && slope - slope == 0.0);
            CHECK(x >= before_x && u >= before_u);
            before_x = x;
            before_u = u;
            if (p.kind == BLN_PARAM_POSITIVE) CHECK(x >= DBL_MIN);
            if (p.kind >= BLN_PARAM_INTERVAL) CHECK(x >= p.lo && x <= p.hi);
        }
        CHECK(bln_param_natural(&p, (double)NAN) != bln_param_natural(&p, (double)NAN));
        CHECK(bln_param_free(&p, (double)NAN) != bln_param_free(&p, (double)NAN));
        if (p.kind != BLN_PARAM_REAL) CHECK(bln_param_slope(&p, (double)NAN) != bln_param_slope(&p, (double)NAN));
        if (p.kind >= BLN_PARAM_INTERVAL) {                  /* the edge: log(1e9 - 1) quarter widths out; the slope lives there */
            const double far = 0.25*transform_width(&p)*log(1e9 - 1.0);
            CHECK_REL(bln_param_free(&p, p.hi), far, 1e-9);
            CHECK_REL(bln_param_free(&p, p.lo), -far, 1e-9);
            CHECK(bln_param_slope(&p, bln_param_free(&p, p.hi)) > 0.0);
            CHECK(bln_param_slope(&p, bln_param_free(&p, p.lo)) > 0.0);
        }
    }
}

/* Where u of e^u is clipped, x no longer moves, and the slope says so. */
TEST(transform, clipped_exponential_has_slope_zero)
{
    const bln_param p = transform_case(1);
    CHECK_NEAR(bln_param_natural(&p, 710.0), bln_param_natural(&p, 1e300), 0.0);
    CHECK_NEAR(bln_param_slope(&p, 710.0), 0.0, 0.0);
    CHECK_NEAR(bln_param_slope(&p, -709.0), 0.0, 0.0);
    CHECK(bln_param_slope(&p, 709.0) > 1e307);
}

static void transform_refuses_param(const bln_param *p, const char *reason)
{
    bln_report report;
    bln_report_clear(&report);
    CHECK_STATUS(bln_param_check(p, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, reason);
    CHECK_STATUS(bln_param_check(p, NULL), BLN_EINVAL);
}
static void transform_refuses(bln_param_kind kind, double lo, double hi, double start, const char *reason)
{
    const bln_param p = transform_param(kind, lo, hi, start);
    transform_refuses_param(&p, reason);
}

TEST(transform, check_refuses_with_a_reason)
{
    const double nan = (double)NAN, inf = HUGE_VAL;
    bln_report report;
    CHECK_STATUS(bln_param_check(NULL, &report), BLN_EINVAL);
    const bln_param unknown = transform_unknown();
    transform_refuses_param(&unknown, "unknown kind");
    transform_refuses(BLN_PARAM_REAL, 0.0, 0.0, nan, "start");
    transform_refuses(BLN_PARAM_REAL, 0.0, 0.0, inf, "start");
    for (int k = 0; k < 3; k++) {
        bln_param p = transform_param(BLN_PARAM_REAL, 0.0, 0.0, 1.0);
        p.scale = k == 0 ? nan : k == 1 ? inf : -1.0;
        transform_refuses_param(&p, "scale");
    }
    transform_refuses(BLN_PARAM_POSITIVE, 0.0, 0.0, 0.0, "start");
    transform_refuses(BLN_PARAM_POSITIVE, 0.0, 0.0, -1.0, "start");
    transform_refuses(BLN_PARAM_POSITIVE, 0.0, 0.0, inf, "start");
    transform_refuses(BLN_PARAM_POSITIVE, 0.0, 0.0, nan, "start");
    for (int k = 0; k < 2; k++) {
        const bln_param_kind kind = k ? BLN_PARAM_LOG : BLN_PARAM_INTERVAL;
        transform_refuses(kind, nan, 1.0, 0.5, "bounds");
        transform_refuses(kind, 0.1, inf, 0.5, "bounds");
        transform_refuses(kind, 1.0, 1.0, 1.0, "below");
        transform_refuses(kind, 2.0, 1.0, 1.5, "below");
        transform_refuses(kind, 0.1, 1.0, 0.1, "between");
        transform_refuses(kind, 0.1, 1.0, 1.0, "between");
        transform_refuses(kind, 0.1, 1.0, 7.0, "between");
        transform_refuses(kind, 0.1, 1.0, nan, "between");
    }
    transform_refuses(BLN_PARAM_INTERVAL, -DBL_MAX, DBL_MAX, 0.0, "difference");
    transform_refuses(BLN_PARAM_LOG, 0.0, 1.0, 0.5, "> 0");
    transform_refuses(BLN_PARAM_LOG, 5e-324, 1.0, 0.5, "DBL_MIN");
    CHECK(bln_param_free(&unknown, 0.5) != bln_param_free(&unknown, 0.5));
    CHECK(bln_param_natural(&unknown, 0.5) != bln_param_natural(&unknown, 0.5));
    CHECK(bln_param_slope(&unknown, 0.5) != bln_param_slope(&unknown, 0.5));
}

SUITE_BEGIN(transform)
    SUITE_TEST(transform, natural_undoes_free)
    SUITE_TEST(transform, free_undoes_natural)
    SUITE_TEST(transform, slope_is_the_derivative)
    SUITE_TEST(transform, bend_is_the_slope_of_its_logarithm)
SUITE_TEST(transform, middle_has_slope_one)
    SUITE_TEST(transform, real_has_a_scale)
    SUITE_TEST(transform, agrees_with_its_formulas)
    SUITE_TEST(transform, extremes_stay_finite_and_inside)
    SUITE_TEST(transform, clipped_exponential_has_slope_zero)
    SUITE_TEST(transform, check_refuses_with_a_reason)
SUITE_END(transform)
