/* lbfgs: recursion and interpolation agree with golden values; minima are found on easy, ill-conditioned, noisy and
 * bounded-by-infinity problems; the objective is asked in the promised order, and whatever it returns the optimiser ends
 * well; every error is provoked. */
#include "../test.h"
#include "../golden/lbfgs_golden.h"

enum { LBFGS_MAX = 30 };

/* A problem, with everything that an objective may do to an optimiser. */
typedef struct lbfgs_problem {
    double (*f)(size_t n, const double *x, double *g);      /* value, and gradient if g is not NULL              */
    double shift, noise, sign;                              /* f + shift, relative noise, sign of the gradient   */
    size_t calls, fail_at;                                  /* calls so far; this one (0-based) returns ...      */
    bln_status fail_with;
    double asked[LBFGS_MAX];                                /* where the last value was asked for                */
    size_t values, gradients, disorder;                     /* counts; gradients asked for elsewhere             */
    size_t blind_from, blind_to;                            /* values with these numbers are +infinity           */
    double first_blind[LBFGS_MAX], first_seeing[LBFGS_MAX]; /* where the first of them, and the next after them  */
} lbfgs_problem;

static lbfgs_problem lbfgs_problem_of(double (*f)(size_t n, const double *x, double *g))
{
    lbfgs_problem p;
    memset(&p, 0, sizeof p);
    p.f = f;
    p.sign = 1.0;
    p.fail_at = (size_t)-1;
    return p;
}

/* From x to the minimum; x stays as it was if anything fails. */
static bln_status lbfgs_minimise(const blni_lbfgs_desc *desc, double *x, double *value, bln_report *report)
{
    blni_lbfgs *opt = NULL;
    bln_status status = blni_lbfgs_create(desc, &opt, report);
    if (status != BLN_OK) return status;
    status = blni_lbfgs_init(opt, x, report);
    while (status == BLN_OK && !blni_lbfgs_converged(opt, NULL)) status = blni_lbfgs_step(opt, report);
    if (status == BLN_OK) {
        memcpy(x, blni_lbfgs_x(opt), opt->desc.n*sizeof *x);
        if (value) *value = blni_lbfgs_value(opt);
    }
    blni_lbfgs_free(opt);
    return status;
}

static bln_status lbfgs_objective(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report)
{
    lbfgs_problem *p = (lbfgs_problem *)user;
    if (p->calls++ == p->fail_at) {
        if (report) strcpy(report->text, "the objective says no");
        return p->fail_with;
    }
    for (size_t i = 0; i < n; i++) if (x[i] - x[i] != 0.0) p->disorder++;                  /* x must be finite */
    if (!gradient) { p->values++; memcpy(p->asked, x, n*sizeof *x); }
    else { p->gradients++; if (memcmp(p->asked, x, n*sizeof *x)) p->disorder++; }
    *value = p->f(n, x, gradient) + p->shift;
    if (!gradient && p->values == p->blind_from) memcpy(p->first_blind, x, n*sizeof *x);
    if (!gradient && p->values == p->blind_to) memcpy(p->first_seeing, x, n*sizeof *x);
    if (!gradient && p->values >= p->blind_from && p->values < p->blind_to) *value = HUGE_VAL;
    if (p->noise > 0.0) {                                  /* a fixed function of the bits of x */
        uint64_t h = 0;
        for (size_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, &x[i], sizeof bits);
            h = (h ^ bits)*0x9E3779B97F4A7C15u;
            h ^= h >> 29;
        }
        *value *= 1.0 + p->noise*((double)(h >> 11)/4503599627370496.0 - 1.0);
    }
    if (gradient) for (size_t i = 0; i < n; i++) gradient[i] *= p->sign;
    return BLN_OK;
}

static blni_lbfgs_desc lbfgs_desc_of(size_t n, lbfgs_problem *p)
{
    blni_lbfgs_desc d;
    memset(&d, 0, sizeof d);
    d.n = n;
    d.objective = lbfgs_objective;
    d.user = p;
    return d;
}

/* ---- functions */

/* sum_i l_i (x_i - 1)^2 / 2, l from 1 to 1e6 in equal ratios */
static double lbfgs_quadratic(size_t n, const double *x, double *g)
{
    double f = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double l = n > 1 ? pow(1e6, (double)i/(double)(n - 1)) : 1.0;
        f += 0.5*l*(x[i] - 1.0)*(x[i] - 1.0);
        if (g) g[i] = l*(x[i] - 1.0);
    }
    return f;
}

static double lbfgs_rosenbrock(size_t n, const double *x, double *g)
{
    double f = 0.0;
    if (g) for (size_t i = 0; i < n; i++) g[i] = 0.0;
    for (size_t i = 0; i + 1 < n; i++) {
        const double a = x[i + 1] - x[i]*x[i], b = 1.0 - x[i];
        f += 100.0*a*a + b*b;
        if (g) { g[i] += -400.0*a*x[i] - 2.0*b; g[i + 1] += 200.0*a; }
    }
    return f;
}

/* sum_i c_i x_i - log x_i, minimum at 1/c_i, +infinity (or NaN) outside x > 0; c_i = 10^i */
static double lbfgs_barrier_value(size_t n, const double *x, double *g, double outside)
{
    double f = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double c = pow(10.0, (double)i);
        if (!(x[i] > 0.0)) return outside;
        f += c*x[i] - log(x[i]);
        if (g) g[i] = c - 1.0/x[i];
    }
    return f;
}
static double lbfgs_barrier(size_t n, const double *x, double *g) { return lbfgs_barrier_value(n, x, g, HUGE_VAL); }
static double lbfgs_barrier_nan(size_t n, const double *x, double *g) { return lbfgs_barrier_value(n, x, g, (double)NAN); }
static double lbfgs_barrier_minus(size_t n, const double *x, double *g) { return lbfgs_barrier_value(n, x, g, -HUGE_VAL); }

static double lbfgs_flat(size_t n, const double *x, double *g)                    /* depends on x_0 only */
{
    if (g) for (size_t i = 0; i < n; i++) g[i] = i ? 0.0 : 2.0*(x[0] - 1.0);
    return (x[0] - 1.0)*(x[0] - 1.0);
}
static double lbfgs_constant(size_t n, const double *x, double *g)
{
    if (g) for (size_t i = 0; i < n; i++) g[i] = 0.0;
    return x[0] > 1e300 ? 1.0 : 2.385;
}
static double lbfgs_slope(size_t n, const double *x, double *g)                   /* no minimum at all */
{
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : -1.0;
    return -x[0];
}
static double lbfgs_cosine(size_t n, const double *x, double *g)
{
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : -sin(x[0]);
    return cos(x[0]);
}
static double lbfgs_kink(size_t n, const double *x, double *g)
{
    double f = 0.0;
    for (size_t i = 0; i < n; i++) {
        f += fabs(x[i] - 0.3)*(double)(i + 1);
        if (g) g[i] = x[i] > 0.3 ? (double)(i + 1) : -(double)(i + 1);
    }
    return f;
}
static double lbfgs_huge(size_t n, const double *x, double *g)                    /* values near 1e300 */
{
    const double f = lbfgs_rosenbrock(n, x, g);
    for (size_t i = 0; g && i < n; i++) g[i] *= 1e280;
    return f*1e280;
}
static double lbfgs_bad_gradient(size_t n, const double *x, double *g)            /* finite values, NaN slopes beyond 2 */
{
    const double f = lbfgs_quadratic(n, x, g);
    if (g && x[0] > 2.0) g[0] = (double)NAN;
    return f;
}

static double lbfgs_blind_slope(size_t n, const double *x, double *g)             /* falls on into where slopes are NaN */
{
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : x[0] > 2.0 ? (double)NAN : 2.0*(x[0] - 5.0);
    return (x[0] - 5.0)*(x[0] - 5.0);
}
static double lbfgs_washboard(size_t n, const double *x, double *g)
{
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : 0.1 - sin(x[0]);
    return 0.1*x[0] + cos(x[0]);
}
static double lbfgs_cliff(size_t n, const double *x, double *g)                   /* slope -1, then very steep; minimum at 9.2 */
{
    const double e = exp(10.0*x[0] - 90.0);
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : 10.0*e - 1.0;
    return e - x[0];
}
static double lbfgs_quartic(size_t n, const double *x, double *g)
{
    const double z = x[0] - 1.0;
    for (size_t i = 0; g && i < n; i++) g[i] = i ? 0.0 : 4.0*z*z*z + 0.02*z;
    return z*z*z*z + 0.01*z*z;
}

/* Rosenbrock's start, with the pattern of the literature. */
static void lbfgs_start(size_t n, double *x) { for (size_t i = 0; i < n; i++) x[i] = i%2 ? 1.0 : -1.2; }

static double lbfgs_worst(size_t n, const double *x, double want)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) if (!(fabs(x[i] - want) <= worst)) worst = fabs(x[i] - want);
    return worst;
}

/* ---- parts against golden values */

/* The dense update and the recursion are the same H; rounding of some 100 operations on numbers of size 10: 1e-13 is ample
 * and far below the change that any slip in order, sign or gamma makes. */
TEST(lbfgs, two_loop_agrees_with_the_dense_update)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_quadratic);
    for (size_t memory = 3; memory <= 5; memory++) {
        blni_lbfgs_desc d = lbfgs_desc_of(4, &p);
        blni_lbfgs *opt;
        d.memory = memory;
        CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
        static const double zero[4] = { 0.0, 0.0, 0.0, 0.0 };
        static const double along[4] = { 1.0, 0.0, 0.0, 0.0 }, uphill[4] = { -1.0, 0.0, 0.0, 0.0 };
        static const double across[4] = { 1e-12, 1.0, 0.0, 0.0 };
        for (size_t k = 0; k < 4; k++) {                    /* the first goes round the ring and out when memory is 3 */
            if (k == 0 && memory > 3) continue;
            if (k == 0) blni_lbfgs_push(opt, zero, zero, golden_lbfgs_s[2], golden_lbfgs_s[2]);
            else blni_lbfgs_push(opt, zero, zero, golden_lbfgs_s[k - 1], golden_lbfgs_y[k - 1]);
        }
        CHECK_SIZE(opt->pairs, 3);
        double direction[4];
        blni_lbfgs_two_loop(opt, golden_lbfgs_g_and_d[0], direction);
        for (size_t i = 0; i < 4; i++) CHECK_NEAR(direction[i], golden_lbfgs_g_and_d[1][i], 1e-13);

        /* A pair without positive curvature is dropped; in a full ring it takes the oldest with it. */
        blni_lbfgs_push(opt, zero, zero, golden_lbfgs_s[0], zero);
        CHECK_SIZE(opt->pairs, memory == 3 ? 2 : 3);
        blni_lbfgs_push(opt, zero, zero, along, uphill);
        blni_lbfgs_push(opt, zero, zero, along, across);    /* and so is one of none beyond rounding */
        CHECK_SIZE(opt->pairs, memory == 3 ? 2 : 3);
        blni_lbfgs_free(opt);
    }
}

/* The last has its data 1e-3 apart and its minimum at 0.05: e is a difference that loses three digits, its root more: 1e-9. */
TEST(lbfgs, cubic_agrees_with_the_polynomial)
{
    for (size_t k = 0; k < 4; k++) {
        const double *c = golden_lbfgs_cubic[k], tolerance = k == 3 ? 1e-9 : 1e-14;
        CHECK_NEAR(blni_cubic(c[0], c[1], c[2], c[3], c[4], c[5]), c[6], tolerance);
        CHECK_NEAR(blni_cubic(c[3], c[4], c[5], c[0], c[1], c[2]), c[6], tolerance);     /* the ends may change places */
    }
    CHECK_NEAR(blni_cubic(0.0, 0.0, -1.0, 2.0, -2.8, -2.0), 1.0, 0.0);                   /* falls all the way: no minimum */
    CHECK_NEAR(blni_cubic(0.0, 0.0, -1.0, 1.0, 1e300, 1.0), 0.5, 0.0);                   /* overflow */
}

/* ---- minima */

/* |g|_inf <= 1e-6 sqrt(max(1, f)) at the end, so in the softest direction, l = 1, |x - 1| <= 1e-6. From starts where every
 * coordinate counts. */
TEST(lbfgs, ill_conditioned_quadratic_from_anywhere)
{
    test_random r = test_random_new(7);
    for (int rep = 0; rep < 10; rep++) {
        lbfgs_problem p = lbfgs_problem_of(lbfgs_quadratic);
        blni_lbfgs_desc d = lbfgs_desc_of(30, &p);
        bln_report report;
        double x[30], value;
        const double scale = rep < 5 ? 1.0 : 1e8;
        d.progress_tol = -1.0;
        for (size_t i = 0; i < 30; i++) x[i] = scale*(2.0*test_uniform(&r) - 1.0);
        CHECK_OK(lbfgs_minimise(&d, x, &value, &report));
        CHECK(report.stop == BLN_STOP_GRADIENT);
        CHECK_LE(lbfgs_worst(30, x, 1.0), 1.0001e-6);
        CHECK(report.iterations <= 200);
        CHECK_SIZE(p.disorder, 0);
        CHECK_SIZE(report.evaluations, p.values);
        CHECK_NEAR(report.objective, value, 0.0);
    }
}

TEST(lbfgs, rosenbrock)
{
    static const size_t sizes[] = { 2, 10 };
    static const double c2s[] = { 0.0, 0.9, 0.1 };
    for (size_t s = 0; s < 2; s++)
        for (size_t c = 0; c < 3; c++) {
            lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
            blni_lbfgs_desc d = lbfgs_desc_of(sizes[s], &p);
            bln_report report;
            double x[10], value;
            lbfgs_start(sizes[s], x);
            d.c2 = c2s[c];
            d.progress_tol = -1.0;
            d.gradient_tol = 1e-10;                        /* the Hessian's smallest eigenvalue is 0.4: x within 2.5e-10 */
            CHECK_OK(lbfgs_minimise(&d, x, &value, &report));
            CHECK(report.stop == BLN_STOP_GRADIENT);
            CHECK_LE(report.gradient_norm, 1e-10);
            CHECK_LE(lbfgs_worst(sizes[s], x, 1.0), 2.5e-9);
            CHECK(report.iterations < 150 && report.evaluations < 250);
            CHECK_SIZE(p.disorder, 0);
        }
}

/* Noise of 1e-9 in f hides everything closer than |x - 1| ~ 5e-5, |g| ~ 1e-4, from a test on values; the slopes lead on
 * [optimisation 26] (6e-9 measured). */
TEST(lbfgs, slopes_lead_below_the_rounding_floor)
{
    static const double c2s[] = { 0.0, 0.9, 0.1 };
    for (size_t c = 0; c < 3; c++) {
        lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
        blni_lbfgs_desc d = lbfgs_desc_of(10, &p);
        bln_report report;
        double x[10];
        lbfgs_start(10, x);
        p.shift = 1e3;
        p.noise = 1e-12;
        d.c2 = c2s[c];
        d.progress_tol = -1.0;
        d.gradient_tol = 1e-9/sqrt(1e3);
        CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
        CHECK_LE(report.gradient_norm, 1e-7);
        CHECK(report.stop == BLN_STOP_GRADIENT || report.stop == BLN_STOP_LINESEARCH);
        CHECK(report.evaluations < 500);
    }
}

/* Where values say nothing, a trial is accepted only if its slope is at most 1 - 2 delta = 0.8 of the first one, whatever c2 allows
 * [optimisation 26]: 1 + 1e-18 (x - 1)^2/2 has slopes and no values, and the first trial, at x = 1 + ratio, a slope of `ratio`. */
static double lbfgs_slopes_alone(size_t n, const double *x, double *g)
{
    if (g) g[n - 1] = 1e-18*(x[0] - 1.0);
    return 0.0;
}
TEST(lbfgs, slopes_alone_must_fall_by_a_fifth)
{
    static const double ratios[] = { 0.75, 0.79, 0.81, 0.85 };
    for (size_t k = 0; k < 4; k++) {
        lbfgs_problem p = lbfgs_problem_of(lbfgs_slopes_alone);
        blni_lbfgs_desc d = lbfgs_desc_of(1, &p);
        blni_lbfgs *opt = NULL;
        const double x = 0.0;
        p.shift = 1.0;
        d.c2 = 0.9;
        d.gradient_tol = 1e-30;
        d.first_step = 1.0 + ratios[k];
        CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
        CHECK_OK(blni_lbfgs_init(opt, &x, NULL));
        CHECK_OK(blni_lbfgs_step(opt, NULL));
        if (ratios[k] < 0.8) CHECK(blni_lbfgs_x(opt)[0] == 1.0 + ratios[k]);
        else CHECK_LE(fabs(blni_lbfgs_x(opt)[0] - 1.0), 0.8);
        blni_lbfgs_free(opt);
    }
}

/* A first step that is lost in the rounding of x grows, and the objective is not asked again where it has been asked. */
static size_t lbfgs_asked_at_start;
static double lbfgs_far_away(size_t n, const double *x, double *g)
{
    const double u = x[0]/1e16 - 10.0;
    (void)n;
    if (!g && x[0] == 1e16) lbfgs_asked_at_start++;
    if (g) g[0] = 2.0*u/1e16;
    return u*u;
}
TEST(lbfgs, steps_lost_in_rounding_ask_nothing)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_far_away);
    blni_lbfgs_desc d = lbfgs_desc_of(1, &p);
    double x = 1e16;
    lbfgs_asked_at_start = 0;
    d.first_step = 0.1;
    d.gradient_tol = 1e-25;
    CHECK_OK(lbfgs_minimise(&d, &x, NULL, NULL));
    CHECK_NEAR(x, 1e17, 1e9);
    CHECK_SIZE(lbfgs_asked_at_start, 1);
}

/* Large trial steps leave the domain: +infinity, NaN and -infinity all mean "step back". Minimum at 1/c_i; the second
 * derivative there is c_i^2 >= 1, and the largest coordinate of g is at most 1e-6 max(1, sqrt|f|) < 1e-5. */
TEST(lbfgs, barrier_of_values_that_are_not_finite)
{
    double (*const functions[3])(size_t n, const double *x, double *g) = { lbfgs_barrier, lbfgs_barrier_nan, lbfgs_barrier_minus };
    static const double starts[] = { 1e-6, 0.5, 100.0 };
    for (size_t k = 0; k < 3; k++)
        for (size_t s = 0; s < 3; s++)
            for (size_t long_step = 0; long_step < 2; long_step++) {
                lbfgs_problem p = lbfgs_problem_of(functions[k]);
                blni_lbfgs_desc d = lbfgs_desc_of(5, &p);
                bln_report report;
                double x[5];
                for (size_t i = 0; i < 5; i++) x[i] = starts[s];
                d.progress_tol = -1.0;
                d.first_step = long_step ? 1e3 : 0.0;
                CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
                CHECK(report.stop == BLN_STOP_GRADIENT);
                for (size_t i = 0; i < 5; i++) CHECK_NEAR(x[i], pow(10.0, -(double)i), 1e-5*pow(10.0, -2.0*(double)i));
                CHECK_SIZE(p.disorder, 0);
            }
}

/* A gradient that is not finite is a bad point, too. */
TEST(lbfgs, gradient_not_finite_on_the_way)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_bad_gradient);
    blni_lbfgs_desc d = lbfgs_desc_of(2, &p);
    double x[2] = { -20.0, 1.1 };
    bln_report report;
    d.first_step = 1e3;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK_LE(lbfgs_worst(2, x, 1.0), 1e-5);

    blni_lbfgs *opt;                                         /* the minimum itself is out of reach: the best finite point */
    p = lbfgs_problem_of(lbfgs_blind_slope);
    d = lbfgs_desc_of(1, &p);
    x[0] = -20.0;
    CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
    CHECK_OK(blni_lbfgs_init(opt, x, NULL));
    while (!blni_lbfgs_converged(opt, NULL)) {
        CHECK_OK(blni_lbfgs_step(opt, NULL));
        CHECK(opt->g[0] < 0.0 && blni_lbfgs_x(opt)[0] <= 2.0);
    }
    CHECK_NEAR(blni_lbfgs_x(opt)[0], 2.0, 1e-3);
    blni_lbfgs_free(opt);
}

TEST(lbfgs, extreme_scales)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_huge);         /* f to 1e284 and |g|^2 beyond the largest number */
    blni_lbfgs_desc d = lbfgs_desc_of(4, &p);
    double x[4];
    bln_report report;
    lbfgs_start(4, x);
    d.gradient_tol = 1e-10;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK_LE(lbfgs_worst(4, x, 1.0), 1e-3);
    CHECK(report.stop == BLN_STOP_GRADIENT && report.iterations < 100);
    p = lbfgs_problem_of(lbfgs_quadratic);                  /* one parameter, from far away, memory of one pair */
    d = lbfgs_desc_of(1, &p);
    d.memory = 1;
    x[0] = -1e12;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK_NEAR(x[0], 1.0, 1e-6);
    CHECK(report.iterations <= 25);

    p = lbfgs_problem_of(lbfgs_kink);                       /* no gradient at the minimum: ends, near it, without complaint */
    d = lbfgs_desc_of(3, &p);
    for (size_t i = 0; i < 3; i++) x[i] = 5.0*(double)(i + 1);
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK(report.stop != BLN_STOP_NONE);
    CHECK_LE(lbfgs_worst(3, x, 0.3), 1.0);
}

/* ---- geometry of the steps */

TEST(lbfgs, directions_that_do_not_matter_stay)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_flat);
    blni_lbfgs_desc d = lbfgs_desc_of(5, &p);
    double x[5] = { -7.0, 2.385, 1e9, -3.5, 0.0 };
    bln_report report;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK_NEAR(x[0], 1.0, 5.1e-7);
    CHECK(x[1] == 2.385 && x[2] == 1e9 && x[3] == -3.5 && x[4] == 0.0);
}

/* max_step bounds each coordinate of every trial; without a minimum the point runs at most that far each time and stays finite. */
TEST(lbfgs, steps_are_bounded)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_slope);
    blni_lbfgs_desc d = lbfgs_desc_of(2, &p);
    double x[2] = { 0.0, 7.0 };
    bln_report report;
    d.max_iterations = 5;
    d.max_step = 3.0;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK(report.stop == BLN_STOP_LIMIT);
    CHECK_NEAR(x[0], 15.0, 1e-14);
    CHECK(x[1] == 7.0);

    d.max_iterations = 0;
    d.max_step = 0.0;
    d.gradient_tol = 1e-300;                                /* f grows as x does, and the default is relative to its root */
    x[0] = 0.0;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK(x[0] > 1e290 && x[0] - x[0] == 0.0);
    CHECK(report.stop == BLN_STOP_LIMIT || report.stop == BLN_STOP_LINESEARCH);

    /* Uphill curvature: steps held below a quarter of the way give s'y < 0, which must not enter the memory. */
    blni_lbfgs *opt;
    p = lbfgs_problem_of(lbfgs_cosine);
    d = lbfgs_desc_of(1, &p);
    d.max_step = 0.3;
    x[0] = 0.2;
    CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
    CHECK_OK(blni_lbfgs_init(opt, x, NULL));
    for (int k = 0; k < 3; k++) {
        CHECK_OK(blni_lbfgs_step(opt, NULL));
        CHECK_SIZE(opt->pairs, 0);
    }
    CHECK_NEAR(blni_lbfgs_x(opt)[0], 1.1, 1e-14);
    while (!blni_lbfgs_converged(opt, NULL)) CHECK_OK(blni_lbfgs_step(opt, NULL));
    CHECK_NEAR(blni_lbfgs_x(opt)[0], 3.14159265358979, 1e-6);
    blni_lbfgs_free(opt);
}

/* The first trial is first_step long, or min(1, 1/|g|_1). */
TEST(lbfgs, first_trial_has_the_promised_length)
{
    for (int k = 0; k < 3; k++) {
        lbfgs_problem p = lbfgs_problem_of(k == 2 ? lbfgs_cosine : lbfgs_rosenbrock);
        blni_lbfgs_desc d = lbfgs_desc_of(2, &p);
        blni_lbfgs *opt;
        double x[2], g[2], want;
        lbfgs_start(2, x);
        if (k == 2) { x[0] = 1.5; x[1] = 0.0; }
        if (k == 0) d.first_step = 0.125;
        CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
        CHECK_OK(blni_lbfgs_init(opt, x, NULL));
        memcpy(g, opt->g, sizeof g);
        want = fabs(g[0]) + fabs(g[1]) > 1.0 ? 1.0/(fabs(g[0]) + fabs(g[1])) : 1.0;
        if (k == 0) want = 0.125;
        if (k == 2) CHECK(want == 1.0);
        p.fail_at = p.calls + 1;                            /* stop right after the first trial */
        p.fail_with = BLN_ESTOPPED;
        (void)blni_lbfgs_step(opt, NULL);
        CHECK_REL(hypot(p.asked[0] - x[0], p.asked[1] - x[1]), want, 1e-12);
        blni_lbfgs_free(opt);
    }
}

/* One step from any first trial, too short or too long by orders of magnitude, ends where both Wolfe conditions hold. */
TEST(lbfgs, line_search_meets_the_strong_wolfe_conditions)
{
    double (*const functions[6])(size_t n, const double *x, double *g) =
        { lbfgs_cosine, lbfgs_washboard, lbfgs_cliff, lbfgs_quartic, lbfgs_barrier, lbfgs_rosenbrock };
    static const double c2s[] = { 0.9, 0.1, 1e-3 }, starts[] = { 0.5, 2.0, -5.0, -3.0, 0.01, -1.2 };
    size_t evaluations = 0, most = 0;
    for (size_t f = 0; f < 6; f++)
        for (size_t c = 0; c < 3; c++)
            for (int k = -6; k <= 3; k++) {
                lbfgs_problem p = lbfgs_problem_of(functions[f]);
                const size_t n = f < 5 ? 1 : 2;
                blni_lbfgs_desc d = lbfgs_desc_of(n, &p);
                blni_lbfgs *opt;
                bln_report report;
                double x[2], slope = 0.0, after = 0.0;
                x[0] = starts[f];
                x[1] = 1.0;
                d.c2 = c2s[c];
                d.max_step = 1e6;
                d.first_step = pow(10.0, (double)k);
                CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
                CHECK_OK(blni_lbfgs_init(opt, x, NULL));
                const double value = blni_lbfgs_value(opt);
                double g[2] = { 0.0, 0.0 };
                memcpy(g, opt->g, n*sizeof *g);
                CHECK_OK(blni_lbfgs_step(opt, &report));
                CHECK_SIZE(report.iterations, 1);
                for (size_t i = 0; i < n; i++) {
                    slope += g[i]*(blni_lbfgs_x(opt)[i] - x[i]);
                    after += opt->g[i]*(blni_lbfgs_x(opt)[i] - x[i]);
                }
                CHECK(slope < 0.0);
                CHECK_LE(blni_lbfgs_value(opt), value + 1e-4*slope);
                CHECK_LE(fabs(after), c2s[c]*1.0000001*fabs(slope));
                evaluations += report.evaluations - 1;
                if (report.evaluations - 1 > most) most = report.evaluations - 1;
                blni_lbfgs_free(opt);
            }
    /* Measured: 1527 over the 180 searches, 25 at most. Doubling instead of extrapolating takes 2089, bisecting where
     * nothing but a value is known 1711, no bisection of slow brackets 1619. */
    CHECK(evaluations <= 1600 && most <= 30);
}

/* A search that fails though there are pairs is repeated down the gradient, no further than the last step; if that fails
 * too, the end. */
TEST(lbfgs, failed_search_is_repeated_down_the_gradient)
{
    int shorter = 0;
    for (int steps = 4; steps < 28; steps += 2) {
        const int forever = steps%4 == 2;
        lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
        blni_lbfgs_desc d = lbfgs_desc_of(2, &p);
        blni_lbfgs *opt;
        bln_stop stop;
        double x[2], before[2], g[2];
        lbfgs_start(2, x);
        CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
        CHECK_OK(blni_lbfgs_init(opt, x, NULL));
        for (int k = 0; k < steps; k++) { memcpy(x, blni_lbfgs_x(opt), sizeof x); CHECK_OK(blni_lbfgs_step(opt, NULL)); }
        memcpy(before, blni_lbfgs_x(opt), sizeof before);
        memcpy(g, opt->g, sizeof g);
        p.blind_from = p.values + 1;
        p.blind_to = forever ? (size_t)-1 : p.values + 32;                /* one trial of the bracket, thirty of the zoom */
        CHECK_OK(blni_lbfgs_step(opt, NULL));
        if (forever) {
            CHECK(blni_lbfgs_converged(opt, &stop) && stop == BLN_STOP_LINESEARCH);
            CHECK(!memcmp(before, blni_lbfgs_x(opt), sizeof before));
        } else {
            CHECK(!blni_lbfgs_converged(opt, NULL));
            CHECK(blni_lbfgs_value(opt) < lbfgs_rosenbrock(2, before, NULL));
            const double step[2] = { p.first_seeing[0] - before[0], p.first_seeing[1] - before[1] };
            const double last = hypot(before[0] - x[0], before[1] - x[1]), one = fabs(g[0]) + fabs(g[1]);
            const double rule = one > 1.0 ? 1.0/one : 1.0;
            CHECK_NEAR(step[0]*g[1] - step[1]*g[0], 0.0, 1e-12*hypot(g[0], g[1]));                     /* along the gradient */
            CHECK(step[0]*g[0] + step[1]*g[1] < 0.0);
            CHECK_REL(hypot(step[0], step[1]), last < rule ? last : rule, 1e-10);
            if (last < rule) shorter++;
        }
        blni_lbfgs_free(opt);
    }
    CHECK(shorter > 0 && shorter < 6);                      /* both rules have been seen at work */
}

/* No value above the lowest so far by more than the floor, at any step of a noisy run. */
TEST(lbfgs, never_climbs_beyond_the_floor)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
    blni_lbfgs_desc d = lbfgs_desc_of(10, &p);
    blni_lbfgs *opt;
    double x[10], lowest;
    lbfgs_start(10, x);
    p.shift = 1e3;
    p.noise = 1e-11;
    d.progress_tol = -1.0;
    d.gradient_tol = 1e-14;
    d.max_iterations = 300;
    CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
    CHECK_OK(blni_lbfgs_init(opt, x, NULL));
    lowest = blni_lbfgs_value(opt);
    while (!blni_lbfgs_converged(opt, NULL)) {
        CHECK_OK(blni_lbfgs_step(opt, NULL));
        CHECK_LE(blni_lbfgs_value(opt), lowest + 1.0001e-10*fabs(lowest));
        if (blni_lbfgs_value(opt) < lowest) lowest = blni_lbfgs_value(opt);
    }
    blni_lbfgs_free(opt);

    /* The first trial lands in the next valley, where the slope is 0 and f 0.15 higher, 1.5e-4 of its size: that is no rounding. */
    p = lbfgs_problem_of(lbfgs_washboard);
    p.shift = 1e3;
    d = lbfgs_desc_of(1, &p);
    const double valley = 3.14159265358979 - asin(0.1);
    x[0] = 2.0;
    d.first_step = valley + 6.28318530717959 - 2.0;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, NULL));
    CHECK_NEAR(x[0], valley, 1e-4);
}

/* ---- the ends */

TEST(lbfgs, every_stop_reason)
{
    bln_report report;
    bln_stop stop;
    double x[10], value;
    blni_lbfgs *opt;

    lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);   /* at the optimum from the start: one evaluation, nothing moves */
    blni_lbfgs_desc d = lbfgs_desc_of(2, &p);
    x[0] = x[1] = 1.0;
    CHECK_OK(lbfgs_minimise(&d, x, &value, &report));
    CHECK(report.stop == BLN_STOP_GRADIENT && report.iterations == 0 && report.evaluations == 1 && p.calls == 2);
    CHECK(x[0] == 1.0 && x[1] == 1.0 && value == 0.0 && report.gradient_norm == 0.0);

    p = lbfgs_problem_of(lbfgs_constant);                   /* flat everywhere */
    CHECK_OK(lbfgs_minimise(&d, x, &value, &report));
    CHECK(report.stop == BLN_STOP_GRADIENT && value == 2.385);

    p = lbfgs_problem_of(lbfgs_rosenbrock);                 /* a loose bound on progress */
    lbfgs_start(2, x);
    d.progress_tol = 0.5;
    d.gradient_tol = 1e-12;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK(report.stop == BLN_STOP_PROGRESS);

    lbfgs_start(2, x);
    d.progress_tol = -1.0;
    d.max_iterations = 3;
    CHECK_OK(lbfgs_minimise(&d, x, NULL, &report));
    CHECK(report.stop == BLN_STOP_LIMIT && report.iterations == 3);

    p.sign = -1.0;                                          /* a gradient that lies: no descent along it, and none pretended */
    lbfgs_start(2, x);
    d = lbfgs_desc_of(2, &p);
    CHECK_OK(lbfgs_minimise(&d, x, &value, &report));
    CHECK(report.stop == BLN_STOP_LINESEARCH && report.iterations == 0);
    CHECK(x[0] == -1.2 && x[1] == 1.0);
    CHECK_REL(value, 24.2, 1e-14);

    p.sign = 1.0;                                           /* while running, and after the end: nothing happens any more */
    CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
    CHECK(blni_lbfgs_converged(opt, &stop) == 1 && stop == BLN_STOP_NONE);
    CHECK_OK(blni_lbfgs_init(opt, x, &report));
    CHECK(blni_lbfgs_converged(opt, &stop) == 0 && stop == BLN_STOP_NONE);
    while (!blni_lbfgs_converged(opt, NULL)) CHECK_OK(blni_lbfgs_step(opt, NULL));
    const size_t calls = p.calls;
    CHECK_OK(blni_lbfgs_step(opt, &report));
    CHECK_SIZE(p.calls, calls);
    CHECK(blni_lbfgs_converged(opt, &stop) == 1 && stop == report.stop && stop != BLN_STOP_NONE);
    blni_lbfgs_free(opt);
}

/* The objective fails once, at call number k, for every k: the status and the words come through, the point is as before
 * the call, and going on ends with the same bits as if nothing had happened. */
TEST(lbfgs, a_failing_objective_changes_nothing)
{
    double want[4], x[4], before[4];
    lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
    blni_lbfgs_desc d = lbfgs_desc_of(4, &p);
    bln_report report;
    lbfgs_start(4, want);
    CHECK_OK(lbfgs_minimise(&d, want, NULL, NULL));
    const size_t calls = p.calls;
    CHECK(calls > 20);
    for (size_t k = 0; k < calls; k++) {
        blni_lbfgs *opt;
        bln_status status;
        size_t failures = 0;
        p = lbfgs_problem_of(lbfgs_rosenbrock);
        p.fail_at = k;
        p.fail_with = k%2 ? BLN_ESTOPPED : BLN_EIO;
        lbfgs_start(4, x);
        CHECK_OK(blni_lbfgs_create(&d, &opt, &report));
        while ((status = blni_lbfgs_init(opt, x, &report)) != BLN_OK) {
            CHECK_STATUS(status, p.fail_with);
            CHECK_TEXT(report.text, "says no");
            CHECK(blni_lbfgs_x(opt) == NULL && blni_lbfgs_value(opt) != blni_lbfgs_value(opt));
            failures++;
        }
        while (!blni_lbfgs_converged(opt, NULL)) {
            memcpy(before, blni_lbfgs_x(opt), sizeof before);
            const double value = blni_lbfgs_value(opt);
            status = blni_lbfgs_step(opt, &report);
            if (status == BLN_OK) continue;
            failures++;
            CHECK_STATUS(status, p.fail_with);
            CHECK_TEXT(report.text, "says no");
            CHECK(!memcmp(before, blni_lbfgs_x(opt), sizeof before) && value == blni_lbfgs_value(opt));
            CHECK(!blni_lbfgs_converged(opt, NULL));
        }
        CHECK_SIZE(failures, 1);
        CHECK(!memcmp(want, blni_lbfgs_x(opt), sizeof want));
        blni_lbfgs_free(opt);

        p = lbfgs_problem_of(lbfgs_rosenbrock);             /* _minimise gives up, and leaves x alone */
        p.fail_at = k;
        p.fail_with = BLN_EUNDEFINED;
        lbfgs_start(4, x);
        lbfgs_start(4, before);
        CHECK_STATUS(lbfgs_minimise(&d, x, NULL, &report), BLN_EUNDEFINED);
        CHECK(!memcmp(before, x, sizeof x));
    }
}

TEST(lbfgs, steps_are_the_whole_and_restarts_are_fresh)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_rosenbrock);
    blni_lbfgs_desc d = lbfgs_desc_of(10, &p);
    blni_lbfgs *opt;
    bln_report whole, report;
    double want[10], x[10], value;
    lbfgs_start(10, want);
    CHECK_OK(lbfgs_minimise(&d, want, &value, &whole));

    CHECK_OK(blni_lbfgs_create(&d, &opt, NULL));
    for (int rep = 0; rep < 3; rep++) {                     /* from nothing, after the end, and from the middle of another run */
        lbfgs_start(10, x);
        CHECK_OK(blni_lbfgs_init(opt, x, &report));
        CHECK(report.evaluations == 1 && report.iterations == 0 && report.stop == BLN_STOP_NONE);
        while (!blni_lbfgs_converged(opt, NULL)) CHECK_OK(blni_lbfgs_step(opt, &report));
        CHECK(!memcmp(want, blni_lbfgs_x(opt), sizeof want));
        CHECK(value == blni_lbfgs_value(opt));
        CHECK(report.iterations == whole.iterations && report.evaluations == whole.evaluations && report.stop == whole.stop);
        CHECK(report.objective == whole.objective && report.gradient_norm == whole.gradient_norm);
        if (rep == 0) continue;
        for (size_t i = 0; i < 10; i++) x[i] = 3.0 - 0.1*(double)i;
        CHECK_OK(blni_lbfgs_init(opt, x, NULL));
        for (int k = 0; k < 12; k++) CHECK_OK(blni_lbfgs_step(opt, NULL));
    }
    memcpy(x, blni_lbfgs_x(opt), sizeof x);                  /* the present point itself as a start */
    CHECK_OK(blni_lbfgs_init(opt, blni_lbfgs_x(opt), NULL));
    CHECK(!memcmp(x, blni_lbfgs_x(opt), sizeof x));
    CHECK_REL(blni_lbfgs_value(opt), lbfgs_rosenbrock(10, x, NULL), 1e-12);
    blni_lbfgs_free(opt);
}

/* ---- errors */

static void lbfgs_refuses(const blni_lbfgs_desc *d, const char *reason)
{
    blni_lbfgs *opt = NULL;
    bln_report report;
    const char *said = blni_lbfgs_check(d);
    CHECK(said != NULL);
    if (said) CHECK_TEXT(said, reason);
    CHECK_STATUS(blni_lbfgs_create(d, &opt, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, reason);
    CHECK(opt == NULL);
}

TEST(lbfgs, every_error)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_barrier);
    const blni_lbfgs_desc good = lbfgs_desc_of(2, &p);
    blni_lbfgs_desc d;
    blni_lbfgs *opt = NULL;
    bln_report report;
    test_heap heap;
    double x[2] = { 1.0, 0.0 };
    CHECK(blni_lbfgs_check(&good) == NULL);
    lbfgs_refuses(NULL, "no desc");
    d = good; d.n = 0;                      lbfgs_refuses(&d, "n must");
    d = good; d.objective = NULL;           lbfgs_refuses(&d, "objective");
    d = good; d.gradient_tol = -1.0;        lbfgs_refuses(&d, "gradient_tol");
    d = good; d.gradient_tol = HUGE_VAL;    lbfgs_refuses(&d, "gradient_tol");
    d = good; d.gradient_tol = (double)NAN; lbfgs_refuses(&d, "gradient_tol");
    d = good; d.progress_tol = (double)NAN; lbfgs_refuses(&d, "progress_tol");
    d = good; d.c2 = 1.0;                   lbfgs_refuses(&d, "c2");
    d = good; d.c2 = 1e-4;                  lbfgs_refuses(&d, "c2");
    d = good; d.c2 = (double)NAN;           lbfgs_refuses(&d, "c2");
    d = good; d.first_step = -1.0;          lbfgs_refuses(&d, "first_step");
    d = good; d.first_step = (double)NAN;   lbfgs_refuses(&d, "first_step");
    d = good; d.max_step = HUGE_VAL;        lbfgs_refuses(&d, "max_step");
    d = good; d.alloc.alloc = test_heap_alloc; lbfgs_refuses(&d, "allocator");
    CHECK_STATUS(blni_lbfgs_create(&good, NULL, &report), BLN_EINVAL);

    d = good;
    d.n = (size_t)-1/16;
    CHECK(blni_lbfgs_size(&d) == (size_t)-1);
    CHECK_STATUS(blni_lbfgs_create(&d, &opt, &report), BLN_EOVERFLOW);
    CHECK(opt == NULL);

    d = good;
    d.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(blni_lbfgs_create(&d, &opt, &report), BLN_ENOMEM);
    CHECK(opt == NULL);
    CHECK_STATUS(lbfgs_minimise(&d, x, NULL, NULL), BLN_ENOMEM);
    CHECK_SIZE(heap.live, 0);
    d.alloc = test_heap_allocator(&heap);
    CHECK_OK(blni_lbfgs_create(&d, &opt, &report));
    CHECK_SIZE(heap.calls, 1);
    CHECK_SIZE(heap.peak_bytes, blni_lbfgs_size(&d));

    CHECK_STATUS(blni_lbfgs_step(opt, &report), BLN_ESTATE);
    CHECK_STATUS(blni_lbfgs_step(NULL, &report), BLN_EINVAL);
    CHECK_STATUS(blni_lbfgs_init(opt, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(blni_lbfgs_init(NULL, x, &report), BLN_EINVAL);
    CHECK_STATUS(blni_lbfgs_init(opt, x, &report), BLN_ENUMERIC);          /* outside the domain */
    CHECK_TEXT(report.text, "value at the start");
    CHECK_STATUS(blni_lbfgs_step(opt, &report), BLN_ESTATE);
    x[1] = 2.0;
    CHECK_OK(blni_lbfgs_init(opt, x, &report));
    const double value = blni_lbfgs_value(opt);
    x[1] = (double)NAN;
    CHECK_STATUS(blni_lbfgs_init(opt, x, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 1);
    p.f = lbfgs_bad_gradient;
    x[0] = 5.0;
    x[1] = 1.0;
    CHECK_STATUS(blni_lbfgs_init(opt, x, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "gradient at the start");
    CHECK_SIZE(report.column, 0);
    CHECK(blni_lbfgs_value(opt) == value && blni_lbfgs_x(opt)[1] == 2.0);   /* the former start is still there */
    blni_lbfgs_free(opt);
    blni_lbfgs_free(NULL);
    CHECK_SIZE(heap.live, 0);
    CHECK_SIZE(heap.live_bytes, 0);
}

TEST(lbfgs, defaults)
{
    lbfgs_problem p = lbfgs_problem_of(lbfgs_barrier);
    blni_lbfgs_desc d = lbfgs_desc_of(3, &p);
    d = blni_lbfgs_defaults(&d);
    CHECK(d.memory == 100 && d.max_iterations == 1000 && d.gradient_tol == 1e-6 && d.progress_tol == 1e-9 && d.c2 == 0.5);
    d = lbfgs_desc_of(4000, &p);
    CHECK_SIZE(blni_lbfgs_defaults(&d).memory, 25);
    d.n = 1000000;
    CHECK_SIZE(blni_lbfgs_defaults(&d).memory, 10);
    CHECK(blni_lbfgs_size(&d) >= 27*8*d.n && blni_lbfgs_size(&d) < 27*8*d.n + 4096);
}

SUITE_BEGIN(lbfgs)
    SUITE_TEST(lbfgs, two_loop_agrees_with_the_dense_update)
    SUITE_TEST(lbfgs, cubic_agrees_with_the_polynomial)
    SUITE_TEST(lbfgs, ill_conditioned_quadratic_from_anywhere)
    SUITE_TEST(lbfgs, rosenbrock)
    SUITE_TEST(lbfgs, slopes_lead_below_the_rounding_floor)
    SUITE_TEST(lbfgs, slopes_alone_must_fall_by_a_fifth)
    SUITE_TEST(lbfgs, steps_lost_in_rounding_ask_nothing)
    SUITE_TEST(lbfgs, barrier_of_values_that_are_not_finite)
    SUITE_TEST(lbfgs, gradient_not_finite_on_the_way)
    SUITE_TEST(lbfgs, extreme_scales)
    SUITE_TEST(lbfgs, directions_that_do_not_matter_stay)
    SUITE_TEST(lbfgs, steps_are_bounded)
    SUITE_TEST(lbfgs, first_trial_has_the_promised_length)
    SUITE_TEST(lbfgs, line_search_meets_the_strong_wolfe_conditions)
    SUITE_TEST(lbfgs, failed_search_is_repeated_down_the_gradient)
    SUITE_TEST(lbfgs, never_climbs_beyond_the_floor)
    SUITE_TEST(lbfgs, every_stop_reason)
    SUITE_TEST(lbfgs, a_failing_objective_changes_nothing)
    SUITE_TEST(lbfgs, steps_are_the_whole_and_restarts_are_fresh)
    SUITE_TEST(lbfgs, every_error)
    SUITE_TEST(lbfgs, defaults)
SUITE_END(lbfgs)
