/* test_sgd - each method against its trajectory, schedules and averages against their formulas, noise against theory */
#include "../test.h"
#include "../golden/sgd_golden.h"

enum { SGD_METHODS = BLN_SGD_NESTEROV + 1 };

static blni_sgd_desc sgd_desc(size_t n, bln_sgd_method method, double rate)
{
    blni_sgd_desc d;
    memset(&d, 0, sizeof d);
    d.n = n;
    d.method = method;
    d.rate = rate;
    d.schedule = BLNI_SCHEDULE_CONSTANT;
    d.patience = -1;
    return d;
}

static blni_sgd *sgd_start(const blni_sgd_desc *d, const double *x)
{
    blni_sgd *o = NULL;
    CHECK_OK(blni_sgd_create(d, &o, NULL));
    CHECK_OK(blni_sgd_init(o, x, NULL));
    return o;
}

/* A step, which is expected to succeed, in a loop that must end all the same. */
static int sgd_fails(blni_sgd *o, const double *g, double objective)
{
    const uint64_t before = o->t;
    CHECK_OK(blni_sgd_step(o, g, objective, NULL));
    CHECK(o->t == before + 1);
    return o->t != before + 1;
}

/* ---- one step after the other */

static void sgd_slope(int rosenbrock, const double *x, double *g)
{
    if (rosenbrock) {
        g[0] = -400.0*x[0]*(x[1] - x[0]*x[0]) - 2.0*(1.0 - x[0]);
        g[1] = 200.0*(x[1] - x[0]*x[0]);
    } else {
        g[0] = 3.0*x[0] + 0.5*x[1] - 1.0;
        g[1] = 0.5*x[0] + x[1] + 2.0;
    }
}

/* 1e-13 a step, as the reference files suggest. Adaptive methods divide by the root of what they have seen; the quotients are of
 * order 1 here, the gradients of Rosenbrock's function up to 200, whose rounding enters the plain methods times a rate of 0.001. */
TEST(sgd, trajectories)
{
    static const double rates[2][SGD_METHODS] = { { 0.1, 0.1, 0.01, 0.5, 1.0, 0.1, 0.1, 0.1 },
                                                  { 0.1, 0.1, 0.01, 0.5, 1.0, 0.001, 0.001, 0.001 } };
    for (int f = 0; f < 2; f++)
        for (int m = 0; m < SGD_METHODS; m++) {
            const double (*want)[2] = f ? golden_sgd_rosenbrock[m] : golden_sgd_quadratic[m];
            blni_sgd_desc d = sgd_desc(2, (bln_sgd_method)m, rates[f][m]);
            blni_sgd *o = sgd_start(&d, want[0]);
            for (size_t t = 1; t <= 20; t++) {
                double g[2];
                sgd_slope(f, blni_sgd_x(o), g);
                CHECK_OK(blni_sgd_step(o, g, BLNI_NAN, NULL));
                for (int i = 0; i < 2; i++) CHECK_GOLD(blni_sgd_x(o)[i], want[t][i], 1e-13*(double)t);
            }
            CHECK(o->t == 20);
            blni_sgd_free(o);
        }
}

/* The first parameters by plain steps, the others by the method: as two objects, to the bit. */
TEST(sgd, plain_ones_first)
{
    const double start[4] = { 0.3, -1.2, 0.7, 2.1 };
    for (int m = 0; m < SGD_METHODS; m++) {
        const blni_sgd_desc first = sgd_desc(2, BLN_SGD_PLAIN, 0.01), second = sgd_desc(2, (bln_sgd_method)m, 0.01);
        blni_sgd_desc both = sgd_desc(4, (bln_sgd_method)m, 0.01);
        both.plain = 5;
        CHECK_TEXT(blni_sgd_check(&both), "plain");
        both.plain = 2;
        blni_sgd *o = sgd_start(&both, start), *a = sgd_start(&first, start), *b = sgd_start(&second, start + 2);
        for (size_t t = 0; t < 20; t++) {
            double g[4];
            for (size_t i = 0; i < 4; i++) g[i] = 3.0*blni_sgd_x(o)[i] + sin((double)(t + i));
            if (sgd_fails(o, g, 0.0) || sgd_fails(a, g, 0.0) || sgd_fails(b, g + 2, 0.0)) break;
            CHECK(!memcmp(blni_sgd_x(o), blni_sgd_x(a), 2*sizeof *g) && !memcmp(blni_sgd_x(o) + 2, blni_sgd_x(b), 2*sizeof *g));
        }
        blni_sgd_free(o);
        blni_sgd_free(a);
        blni_sgd_free(b);
    }
}

/* What the defaults are, and that defaults of defaults are the same. */
TEST(sgd, defaults)
{
    static const double rates[SGD_METHODS] = { 0.01, 0.01, 0.001, 0.1, 1.0, 0.01, 0.01, 0.01 };
    for (int m = 0; m < SGD_METHODS; m++) {
        blni_sgd_desc d;
        memset(&d, 0, sizeof d);
        d.n = 3;
        d.method = (bln_sgd_method)m;
        const blni_sgd_desc r = blni_sgd_defaults(&d), again = blni_sgd_defaults(&r);
        CHECK(r.rate == rates[m] && r.momentum == 0.9 && r.max_steps == 10000 && r.average_start == 5000 && r.window == 100);
        CHECK(r.decay == (m == BLN_SGD_RMSPROP ? 0.9 : m == BLN_SGD_ADADELTA ? 0.95 : 0.999));
        CHECK(r.epsilon == (m == BLN_SGD_ADADELTA ? 1e-6 : 1e-8) && r.rate_floor == 0.01);
        CHECK(r.patience == 3 && r.significance == 1.0);
        CHECK(again.rate == r.rate && again.decay == r.decay);
        d.momentum = d.decay = d.rate_floor = d.significance = -1.0;
        const blni_sgd_desc none = blni_sgd_defaults(&d), none_again = blni_sgd_defaults(&none);
        CHECK(none_again.momentum < 0.0 && none_again.decay < 0.0 && none_again.rate_floor < 0.0 && none_again.significance < 0.0);
        CHECK(blni_sgd_check(&none) == NULL && blni_sgd_check(&r) == NULL);
    }
    CHECK(blni_sgd_defaults(NULL).max_steps == 10000);
    CHECK_TEXT(blni_sgd_check(NULL), "no desc");
}

/* Adam and the average of the tail take the same steps at every level: what differs is the rounding of some ten operations a step,
 * and fused ones. Sizes around whole vectors. */
TEST(sgd, levels)
{
    enum { MOST = 37, STEPS = 20 };
    double x[MOST], g[MOST], want[2][MOST];
    for (size_t n = 1; n <= MOST; n += n < 20 ? 1 : 17)
        for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
            blni_sgd_desc d = sgd_desc(n, BLN_SGD_ADAM, 0.05);
            bln_cpu_level_force(level);
            d.average = 1;
            d.average_start = 5;
            for (size_t i = 0; i < n; i++) x[i] = cos((double)i);
            blni_sgd *o = sgd_start(&d, x);
            for (int t = 0; t < STEPS; t++) {
                for (size_t i = 0; i < n; i++) g[i] = sin(1.7*(double)i + 0.3*(double)t)*pow(10.0, (double)(i % 7) - 3.0);
                CHECK_OK(blni_sgd_step(o, g, 0.0, NULL));
            }
            for (size_t i = 0; i < n; i++) {
                if (level == 0) { want[0][i] = blni_sgd_x(o)[i]; want[1][i] = blni_sgd_average(o)[i]; }
                CHECK_NEAR(blni_sgd_x(o)[i], want[0][i], 20.0*STEPS*DBL_EPSILON);
                CHECK_NEAR(blni_sgd_average(o)[i], want[1][i], 20.0*STEPS*DBL_EPSILON);
            }
            blni_sgd_free(o);
        }
    bln_cpu_level_force(-1);
}

/* Without momentum and decay Adam is the sign of the gradient (e = 1e-8 of 1), momentum is plain. */
TEST(sgd, none_is_none)
{
    const double x[2] = { 1.0, -2.0 }, g[2] = { 0.5, -3.0 };
    blni_sgd_desc d = sgd_desc(2, BLN_SGD_ADAM, 0.125);
    d.momentum = d.decay = -1.0;
    blni_sgd *o = sgd_start(&d, x);
    for (int t = 1; t <= 3; t++) {
        CHECK_OK(blni_sgd_step(o, g, 0.0, NULL));
        CHECK_NEAR(blni_sgd_x(o)[0], 1.0 - 0.125*t, 1e-8);
        CHECK_NEAR(blni_sgd_x(o)[1], -2.0 + 0.125*t, 1e-8);
    }
    blni_sgd_free(o);
    d.method = BLN_SGD_MOMENTUM;
    o = sgd_start(&d, x);
    for (int t = 1; t <= 3; t++) CHECK_OK(blni_sgd_step(o, g, 0.0, NULL));
    CHECK_NEAR(blni_sgd_x(o)[0], 1.0 - 3*0.125*0.5, 1e-15);
    blni_sgd_free(o);
}

/* [optimisation 12] at each step, by the formula. */
TEST(sgd, schedules)
{
    const double x = 0.0, g = 0.0, pi = 3.14159265358979323846;
    for (int s = BLNI_SCHEDULE_HOLD; s <= BLNI_SCHEDULE_CONSTANT; s++) {
        blni_sgd_desc d = sgd_desc(1, BLN_SGD_PLAIN, 0.3);
        d.schedule = (blni_sgd_schedule)s;
        d.max_steps = 50;
        d.rate_floor = 0.1;
        blni_sgd *o = sgd_start(&d, &x);
        for (int t = 1; t <= 50; t++) {
            const double down = s == BLNI_SCHEDULE_HOLD && t > 30 ? 0.1 + 0.45*(1.0 + cos(pi*(t - 30)/20.0)) : 1.0;
            CHECK_NEAR(blni_sgd_rate(o), 0.3*down, 1e-15);
            CHECK(!blni_sgd_converged(o, NULL));
            CHECK_OK(blni_sgd_step(o, &g, BLNI_NAN, NULL));
        }
        bln_stop stop;
        CHECK(blni_sgd_converged(o, &stop) && stop == BLN_STOP_LIMIT);
        CHECK_OK(blni_sgd_step(o, &g, BLNI_NAN, NULL));
        CHECK(o->t == 50);
        blni_sgd_free(o);
    }
}

/* The report's norm is that of the gradient as it was given: what is not used at all is in it. */
TEST(sgd, gradient_norm)
{
    const double x[2] = { 0.0, 0.0 }, g[2] = { 30.0, -40.0 }, bad[2] = { BLNI_NAN, -5.0 };
    blni_sgd_desc d = sgd_desc(2, BLN_SGD_PLAIN, 1.0);
    bln_report report;
    d.max_steps = 1;
    blni_sgd *o = sgd_start(&d, x);
    CHECK_OK(blni_sgd_init(o, x, &report));
    CHECK(report.gradient_norm != report.gradient_norm);
    CHECK_OK(blni_sgd_step(o, bad, 0.0, &report));
    CHECK(report.gradient_norm == 5.0 && report.iterations == 0);
    CHECK_OK(blni_sgd_step(o, g, 0.0, &report));
    CHECK(report.gradient_norm == 40.0 && report.iterations == 1);
    CHECK(blni_sgd_x(o)[0] == -30.0 && blni_sgd_x(o)[1] == 40.0);
    CHECK_OK(blni_sgd_step(o, g, 0.0, &report));
    CHECK(report.gradient_norm != report.gradient_norm && report.iterations == 1);
    blni_sgd_free(o);
}

/* Gradients that are not finite are passed over, and counted; the next good one goes on as if they had not been. */
TEST(sgd, passes_over_bad_gradients)
{
    const double x[2] = { 1.0, 2.0 }, g[2] = { 0.5, -0.25 };
    const double bad[4][2] = { { 0.0, HUGE_VAL }, { -HUGE_VAL, 1.0 }, { 1e200, 1.0 }, { BLNI_NAN, 0.0 } };
    const blni_sgd_desc d = sgd_desc(2, BLN_SGD_ADAM, 0.1);
    blni_sgd *o = sgd_start(&d, x), *clean = sgd_start(&d, x);
    bln_report report;
    for (int k = 0; k < 8; k++) {
        CHECK_OK(blni_sgd_step(clean, g, 1.0, NULL));
        CHECK_OK(blni_sgd_step(o, bad[k % 4], 1.0, &report));
        CHECK(report.iterations == (size_t)k && report.evaluations == (size_t)(2*k + 1));
        CHECK_OK(blni_sgd_step(o, g, 1.0, &report));
        CHECK(report.iterations == (size_t)k + 1 && report.evaluations == (size_t)(2*k + 2));
        CHECK(blni_sgd_x(o)[0] == blni_sgd_x(clean)[0] && blni_sgd_x(o)[1] == blni_sgd_x(clean)[1]);
    }
    CHECK(o->t == 8);
    for (int k = 1; k < 100; k++) CHECK_OK(blni_sgd_step(o, bad[3], 1.0, NULL));
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(blni_sgd_step(o, bad[3], 1.0, &report), BLN_ENUMERIC);
        CHECK_TEXT(report.text, "in a row");
        CHECK(!blni_sgd_converged(o, NULL) && blni_sgd_x(o)[0] == blni_sgd_x(clean)[0]);
    }
    CHECK_OK(blni_sgd_step(o, g, 1.0, NULL));
    blni_sgd_free(o);
    blni_sgd_free(clean);
}

/* ---- where it ends */

/* f = sum c_i/2 (x_i - z_i)^2, without noise: every method ends at z. Rates fall to 0 along a cosine, and with them the steps of
 * the adaptive methods, whose length is the rate: what is left of 1 is below 1e-3. AdaDelta, which starts with steps of 1e-3, and
 * AdaGrad, whose steps fall by themselves, get more. */
TEST(sgd, convex)
{
    enum { N = 6 };
    static const double rates[SGD_METHODS] = { 0.05, 0.05, 0.05, 0.5, 1.0, 0.2, 0.05, 0.05 };
    for (int m = 0; m < SGD_METHODS; m++) {
        double x[N], g[N];
        blni_sgd_desc d = sgd_desc(N, (bln_sgd_method)m, rates[m]);
        d.schedule = BLNI_SCHEDULE_HOLD;
        d.rate_floor = -1.0;
        d.max_steps = m == BLN_SGD_ADADELTA ? 6000 : 2000;
        for (size_t i = 0; i < N; i++) x[i] = 0.1;
        blni_sgd *o = sgd_start(&d, x);
        while (!blni_sgd_converged(o, NULL)) {
            for (size_t i = 0; i < N; i++) g[i] = 0.5*(double)(i + 1)*(blni_sgd_x(o)[i] - (i % 2 ? 0.7 : -0.4));
            if (sgd_fails(o, g, 0.0)) break;
        }
        for (size_t i = 0; i < N; i++) CHECK_NEAR(blni_sgd_x(o)[i], i % 2 ? 0.7 : -0.4, 1e-3);
        blni_sgd_free(o);
    }
}

/* ---- noise: f = h/2 x^2 with gradients h x + s e, in many independent coordinates at once */

enum { SGD_CHAINS = 4000 };

/* Sum of squares over the chains, over their number: of variance v it is within 5 v sqrt(2/chains). */
static void sgd_check_variance(const double *x, double v)
{
    double sum = 0.0;
    for (size_t i = 0; i < SGD_CHAINS; i++) sum += x[i]*x[i];
    CHECK_NEAR(sum/SGD_CHAINS, v, 5.0*v*sqrt(2.0/SGD_CHAINS));
}

static void sgd_run_noise(blni_sgd *o, double h, double s, int steps, bln_rng *rng)
{
    double *g = test_doubles(SGD_CHAINS);
    for (int t = 0; t < steps; t++) {
        bln_rng_normals(rng, SGD_CHAINS, g);
        for (size_t i = 0; i < SGD_CHAINS; i++) g[i] = h*blni_sgd_x(o)[i] + s*g[i];
        CHECK_OK(blni_sgd_step(o, g, BLNI_NAN, NULL));
    }
    free(g);
}

/* x_{t+1} = p1 x_t + p2 x_{t-1} + r s e: variance r^2 s^2 (1 - p2)/((1 + p2) ((1 - p2)^2 - p1^2))  [Box & Jenkins, AR(2)]. Plain:
 * p1 = 1 - r h, p2 = 0: r s^2/(h (2 - r h)). Momentum b: p1 = 1 + b - r h, p2 = -b. 60 steps from 0: what is missing of the
 * variance is below (1 - r h)^120 = 4e-6, and b^60 = 1e-13. */
TEST(sgd, noise_ball)
{
    const double h = 2.0, s = 0.7, r = 0.05, b = 0.6;
    double *x = test_doubles(SGD_CHAINS);
    bln_rng rng;
    bln_rng_seed(&rng, 8, 0);
    for (size_t i = 0; i < SGD_CHAINS; i++) x[i] = 0.0;
    for (int momentum = 0; momentum < 2; momentum++) {
        blni_sgd_desc d = sgd_desc(SGD_CHAINS, momentum ? BLN_SGD_MOMENTUM : BLN_SGD_PLAIN, r);
        d.momentum = b;
        blni_sgd *o = sgd_start(&d, x);
        const double p1 = momentum ? 1.0 + b - r*h : 1.0 - r*h, p2 = momentum ? -b : 0.0;
        sgd_run_noise(o, h, s, 60, &rng);
        sgd_check_variance(blni_sgd_x(o), r*r*s*s*(1.0 - p2)/((1.0 + p2)*((1.0 - p2)*(1.0 - p2) - p1*p1)));
        blni_sgd_free(o);
    }
    free(x);
}

/* The average of the plain chain x_t = p x_{t-1} + r s e_t from 0: with weights w_t, sum w_t x_t = r s sum_u e_u sum_{t >= u} w_t
 * p^(t-u), whose variance is summed here as it stands. The tail of m comes near to s^2/(h^2 m), the best possible [Polyak &
 * Juditsky 1992], while a single point has r s^2/(h (2 - r h)), 20 times as much. */
TEST(sgd, average_of_noise)
{
    enum { T = 80, START = 20 };
    const double h = 2.0, s = 0.7, r = 0.25, p = 1.0 - r*h;
    double *x = test_doubles(SGD_CHAINS), variance = 0.0, reach = 0.0;
    blni_sgd_desc d = sgd_desc(SGD_CHAINS, BLN_SGD_PLAIN, r);
    bln_rng rng;
    bln_rng_seed(&rng, 9, 0);
    for (size_t i = 0; i < SGD_CHAINS; i++) x[i] = 0.0;
    d.average = 1;
    d.average_start = START;
    for (int u = T; u > 0; u--) {
        reach = (u > START ? 1.0/(T - START) : 0.0) + p*reach;
        variance += r*r*s*s*reach*reach;
    }
    CHECK_NEAR(variance, s*s/(h*h*(T - START)), 0.05*variance);
    CHECK_LE(20.0*variance, r*s*s/(h*(2.0 - r*h)));
    blni_sgd *o = sgd_start(&d, x);
    sgd_run_noise(o, h, s, T, &rng);
    sgd_check_variance(blni_sgd_average(o), variance);
    blni_sgd_free(o);
    free(x);
}

/* The average against its definition, on one path; before there is one, the point itself. */
TEST(sgd, average)
{
    enum { T = 30, START = 12 };
    const double start = 3.0;
    for (int tail = 0; tail < 2; tail++) {
        double sum = 0.0;
        blni_sgd_desc d = sgd_desc(1, BLN_SGD_PLAIN, 0.1);
        d.average = tail;
        d.average_start = START;
        blni_sgd *o = sgd_start(&d, &start);
        CHECK(*blni_sgd_average(o) == start);
        for (int t = 1; t <= T; t++) {
            const double g = sin((double)t);
            CHECK_OK(blni_sgd_step(o, &g, 0.0, NULL));
            if (t > START) sum += *blni_sgd_x(o);
            const double want = tail && t > START ? sum/(t - START) : *blni_sgd_x(o);
            CHECK_NEAR(*blni_sgd_average(o), want, 100*DBL_EPSILON*start);
        }
        CHECK((blni_sgd_average(o) == blni_sgd_x(o)) == !tail);
        blni_sgd_free(o);
    }
}

/* ---- the stopping rule */

/* Steps until the end, the objective being slope t + noise; also its stop and the last report. */
static uint64_t sgd_run_rule(const blni_sgd_desc *desc, double slope, double noise, uint64_t stream, bln_stop *stop,
                             bln_report *report)
{
    const double x = 0.0, g = 0.0;
    bln_rng rng;
    blni_sgd *o = sgd_start(desc, &x);
    bln_rng_seed(&rng, 77, stream);
    for (int t = 0; !blni_sgd_converged(o, stop) && t < 10000; t++)
        CHECK_OK(blni_sgd_step(o, &g, 5.0 + slope*t + (noise > 0.0 ? noise*bln_rng_normal(&rng) : 0.0), report));
    const uint64_t steps = o->t;
    blni_sgd_free(o);
    return steps;
}

TEST(sgd, stopping_rule)
{
    blni_sgd_desc d = sgd_desc(1, BLN_SGD_PLAIN, 0.1);
    bln_stop stop;
    bln_report report;
    d.max_steps = 3000;
    d.window = 20;
    d.patience = 3;
    /* Constant: window 1 to compare with, then three without progress. */
    CHECK(sgd_run_rule(&d, 0.0, 0.0, 0, &stop, &report) == 80 && stop == BLN_STOP_PROGRESS);
    CHECK(report.stop == BLN_STOP_PROGRESS && report.iterations == 80 && report.objective == 5.0);
    /* Under HOLD the way down follows: 2/3 as many steps, or what max_steps leaves. */
    d.schedule = BLNI_SCHEDULE_HOLD;
    CHECK(sgd_run_rule(&d, 0.0, 0.0, 0, &stop, &report) == 80 + 2*(80/3) + 1 && stop == BLN_STOP_PROGRESS);
    d.max_steps = 140;
    CHECK(sgd_run_rule(&d, 0.0, 0.0, 0, &stop, &report) == 80 + 2*(80/3) + 1 && stop == BLN_STOP_PROGRESS);
    d.max_steps = 110;                                  /* the way down has begun at 66, before the rule speaks */
    CHECK(sgd_run_rule(&d, 0.0, 0.0, 0, &stop, &report) == 110 && stop == BLN_STOP_LIMIT);
    d.schedule = BLNI_SCHEDULE_CONSTANT;
    d.max_steps = 3000;
    /* Falling, however slowly, without noise: never. Rising: at once. The mean of the last window of 20 is that of its middle. */
    CHECK(sgd_run_rule(&d, -1e-6, 0.0, 0, &stop, &report) == 3000 && stop == BLN_STOP_LIMIT);
    CHECK_NEAR(report.objective, 5.0 - 1e-6*(3000.0 - 10.5), 1e-13);
    CHECK(sgd_run_rule(&d, 1e-6, 0.0, 0, &stop, &report) == 80);
    /* In a row: of windows that fall and stay in turn, two are never without progress one after the other. */
    const double x = 0.0, g = 0.0;
    blni_sgd *o = NULL;
    d.patience = 2;
    CHECK_OK(blni_sgd_create(&d, &o, NULL));
    CHECK_OK(blni_sgd_init(o, &x, NULL));
    for (int t = 0; t < 400; t++) CHECK_OK(blni_sgd_step(o, &g, -(double)(t/40), NULL));
    CHECK(!blni_sgd_converged(o, NULL));
    CHECK_OK(blni_sgd_init(o, &x, &report));                   /* a new run knows nothing of the old one */
    CHECK(report.objective != report.objective && blni_sgd_objective(o) != blni_sgd_objective(o));
    blni_sgd_free(o);
    /* Patience below 0, and objectives that are not known: never. */
    d.patience = -1;
    CHECK(sgd_run_rule(&d, 1.0, 0.0, 0, &stop, &report) == 3000);
    d.patience = 1;
    CHECK(sgd_run_rule(&d, BLNI_NAN, 0.0, 0, &stop, &report) == 3000 && report.objective != report.objective);
}

/* With noise, patience 1: the run ends after the second window if the difference of the means, over its standard error, exceeds -1.
 * It does with probability 0.8413 where there is no trend, 0.0228 where the trend of a window is 3 standard errors down. 2000 runs,
 * 5 sigma, and 0.003 because the standard error is itself estimated (Student's t with 98 degrees of freedom). */
TEST(sgd, stopping_rule_in_noise)
{
    enum { RUNS = 2000, W = 50 };
    blni_sgd_desc d = sgd_desc(1, BLN_SGD_PLAIN, 0.1);
    d.window = W;
    d.patience = 1;
    d.max_steps = 2*W + 1;
    for (int trend = 0; trend < 2; trend++) {
        const double p = trend ? 0.02275 : 0.84134;
        const double slope = trend ? -3.0*sqrt(2.0/W)/W : 0.0;
        bln_stop stop;
        double stopped = 0.0;
        for (int k = 0; k < RUNS; k++) stopped += sgd_run_rule(&d, slope, 1.0, (uint64_t)k, &stop, NULL) == 2*W;
        CHECK_NEAR(stopped/RUNS, p, 5.0*sqrt(p*(1.0 - p)/RUNS) + 0.003);
    }
}

/* ---- the object */

TEST(sgd, memory)
{
    const double x[4] = { 0, 0, 0, 0 };
    for (int m = 0; m < SGD_METHODS; m++)
        for (int more = 0; more < 2; more++) {
            test_heap heap;
            blni_sgd *o = NULL;
            blni_sgd_desc d = sgd_desc(4, (bln_sgd_method)m, 0.0);
            d.alloc = test_heap_allocator(&heap);
            if (more) d.average = 1;
            CHECK_OK(blni_sgd_create(&d, &o, NULL));
            CHECK_SIZE(heap.live_bytes, blni_sgd_size(&d));
            CHECK_OK(blni_sgd_init(o, x, NULL));
            CHECK_OK(blni_sgd_step(o, x, 0.0, NULL));
            CHECK_SIZE(heap.calls, 1);
            blni_sgd_free(o);
            CHECK_SIZE(heap.live, 0);
            heap.calls = 0;
            heap.fail_at = 0;
            o = NULL;
            CHECK_STATUS(blni_sgd_create(&d, &o, NULL), BLN_ENOMEM);
            CHECK(!o);
        }
    blni_sgd_desc d = sgd_desc((size_t)-1/16, BLN_SGD_AMSGRAD, 0.0);
    blni_sgd *o = NULL;
    CHECK(blni_sgd_size(&d) == (size_t)-1);
    CHECK_STATUS(blni_sgd_create(&d, &o, NULL), BLN_EOVERFLOW);
}

TEST(sgd, refuses)
{
    const double x[2] = { 0.0, BLNI_NAN }, good[2] = { 0.0, 2.0 };
    bln_report report;
    for (int k = 0; k < 11; k++) {
        blni_sgd_desc d = sgd_desc(2, BLN_SGD_ADAM, 0.1);
        blni_sgd *o = NULL;
        switch (k) {
        case 0: d.n = 0; break;
        case 1: d.method = (bln_sgd_method)99; break;
        case 2: d.schedule = (blni_sgd_schedule)99; break;
        case 3: d.rate = -1.0; break;
        case 4: d.momentum = 1.0; break;
        case 5: d.decay = BLNI_NAN; break;
        case 6: d.epsilon = HUGE_VAL; break;
        case 7: d.rate_floor = 2.0; break;
        case 8: d.significance = HUGE_VAL; break;
        case 9: d.alloc.alloc = test_heap_alloc; break;
        default: d.window = 1;
        }
        CHECK_STATUS(blni_sgd_create(&d, &o, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "sgd: ");
        CHECK(!o && blni_sgd_check(&d) != NULL);
    }
    blni_sgd_desc d = sgd_desc(2, BLN_SGD_ADAM, 0.1);
    blni_sgd *o = NULL;
    d.window = 2;                                                            /* the least that has a spread */
    CHECK_STATUS(blni_sgd_create(&d, NULL, NULL), BLN_EINVAL);
    CHECK_OK(blni_sgd_create(&d, &o, NULL));
    CHECK_STATUS(blni_sgd_step(o, good, 0.0, NULL), BLN_ESTATE);
    CHECK_STATUS(blni_sgd_init(o, x, &report), BLN_EINVAL);
    CHECK_SIZE(report.column, 1);
    CHECK(!blni_sgd_x(o) && !blni_sgd_average(o) && blni_sgd_converged(o, NULL) && blni_sgd_rate(o) != blni_sgd_rate(o));
    CHECK_STATUS(blni_sgd_init(o, NULL, NULL), BLN_EINVAL);
    CHECK_OK(blni_sgd_init(o, good, NULL));
    CHECK_OK(blni_sgd_step(o, good, 0.0, NULL));
    CHECK_STATUS(blni_sgd_step(o, NULL, 0.0, NULL), BLN_EINVAL);
    const double before = blni_sgd_x(o)[1];
    CHECK_OK(blni_sgd_init(o, blni_sgd_x(o), NULL));
    CHECK(blni_sgd_x(o)[1] == before && o->t == 0);
    blni_sgd_free(o);
}

/* A run that stalls goes down from its plateau in two thirds of the steps it has made, or in what is left if that is less. */
TEST(sgd, stall)
{
    const double x[1] = { 0.0 };
    static const uint64_t at[3] = { 30, 60, 90 }, end[3] = { 51, 100, 100 };
    for (int k = 0; k < 3; k++) {
        blni_sgd_desc d = sgd_desc(1, BLN_SGD_ADAM, 0.1);
        blni_sgd *o = NULL;
        d.schedule = BLNI_SCHEDULE_HOLD;
        d.max_steps = 100;
        CHECK_OK(blni_sgd_create(&d, &o, NULL));
        CHECK_OK(blni_sgd_init(o, x, NULL));
        o->t = at[k];
        blni_sgd_stall(o);
        CHECK(o->stalled && o->hold == at[k] && o->end == end[k]);
        blni_sgd_free(o);
    }
}

SUITE_BEGIN(sgd)
SUITE_TEST(sgd, stall)
SUITE_TEST(sgd, trajectories)
SUITE_TEST(sgd, plain_ones_first)
SUITE_TEST(sgd, defaults)
SUITE_TEST(sgd, levels)
SUITE_TEST(sgd, none_is_none)
SUITE_TEST(sgd, schedules)
SUITE_TEST(sgd, gradient_norm)
SUITE_TEST(sgd, passes_over_bad_gradients)
SUITE_TEST(sgd, convex)
SUITE_TEST(sgd, noise_ball)
SUITE_TEST(sgd, average_of_noise)
SUITE_TEST(sgd, average)
SUITE_TEST(sgd, stopping_rule)
SUITE_TEST(sgd, stopping_rule_in_noise)
SUITE_TEST(sgd, memory)
SUITE_TEST(sgd, refuses)
SUITE_END(sgd)
