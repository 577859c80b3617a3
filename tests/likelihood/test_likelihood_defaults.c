/* likelihood_defaults: a user's density on an interval and on half-lines against its closed forms; sums that have no end, tails far
 * below the range of doubles; searches for quantiles of crafted distribution functions */
#include "likelihood_tools.h"

/* ---- densities that f does not change, at x = distance from an end: 6 x (1 - x) between 2 and 5, e^-x above 2, and below 5 */

static size_t defaults_ends;                                             /* 1: low, 2: high, 3: both */

static void defaults_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    (void)l; (void)trials;
    *low = defaults_ends & 1 ? 2.0 : -HUGE_VAL;
    *high = defaults_ends & 2 ? 5.0 : HUGE_VAL;
}

static void defaults_density(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                             double *logp)
{
    (void)l; (void)theta; (void)f;
    for (size_t i = 0; i < n; i++) {
        const double x = (t->y[i] - 2.0)/3.0;
        logp[i] = defaults_ends == 3 ? log(6.0*x*(1.0 - x)/3.0) : defaults_ends == 1 ? 2.0 - t->y[i] : t->y[i] - 5.0;
    }
}

static double defaults_cdf(double y)
{
    const double x = (y - 2.0)/3.0;
    return defaults_ends == 3 ? x*x*(3.0 - 2.0*x) : defaults_ends == 1 ? -expm1(2.0 - y) : exp(y - 5.0);
}

static bln_likelihood defaults_user(bln_likelihood_ops *ops)
{
    bln_likelihood l = BLN_ZERO;
    memset(ops, 0, sizeof *ops);
    ops->name = "user";
    l.ops = ops;
    return l;
}

/* Errors of 1e-10, as stated; at the ends of the support, and beyond, the distribution function is exact. */
TEST(likelihood_defaults, bounded_supports)
{
    static const double means[4] = { 0.0, 3.0, 4.0, 3.5 }, variances[4] = { 0.0, 1.0, 1.0, 9.0/20.0 }, ps[3] = { 0.02, 0.5, 0.9 };
    const double f = 0.3;
    for (defaults_ends = 1; defaults_ends < 4; defaults_ends++) {
        bln_likelihood_ops ops;
        const bln_likelihood l = defaults_user(&ops);
        const double low = defaults_ends & 1 ? 2.0 : -1e300, high = defaults_ends & 2 ? 5.0 : 1e300;
        double mean, var, lower, upper;
        likelihood_row r;
        ops.logp = defaults_density;
        ops.support = defaults_support;
        CHECK(bln_likelihood_check(&l) == NULL);
        likelihood_row_set(&r, &l, 2.7, 1.0);
        bln_likelihood_moments(&l, NULL, 1, &r.t, &f, &mean, &var);
        CHECK_REL(mean, means[defaults_ends], 1e-10);
        CHECK_REL(var, variances[defaults_ends], 1e-9);
        for (r.y = 2.2; r.y < 5.0; r.y += 0.4) {
            bln_likelihood_cdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
            CHECK_NEAR(lower, defaults_cdf(r.y), 1e-10);
            CHECK_NEAR(upper, 1.0 - defaults_cdf(r.y), 1e-10);
        }
        for (int beyond = 0; beyond < 2; beyond++) {
            r.y = low - beyond;
            bln_likelihood_cdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
            CHECK(lower == 0.0 && upper == 1.0);
            r.y = high + beyond;
            bln_likelihood_cdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
            CHECK(lower == 1.0 && upper == 0.0);
        }
        for (size_t i = 0; i < 3; i++) {
            bln_likelihood_quantile(&l, NULL, 1, &r.t, &f, ps + i, &r.y);
            CHECK_NEAR(defaults_cdf(r.y), ps[i], 1e-9);
        }
    }
}

static double defaults_everywhere;
static void defaults_constant(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                              double *logp)
{
    (void)l; (void)theta; (void)t; (void)f;
    for (size_t i = 0; i < n; i++) logp[i] = defaults_everywhere;
}

/* A density that is nowhere has no moments. */
TEST(likelihood_defaults, no_density)
{
    const double f = 0.3;
    bln_likelihood_ops ops;
    const bln_likelihood l = defaults_user(&ops);
    double mean, var, lower, upper;
    likelihood_row r;
    ops.logp = defaults_constant;
    defaults_everywhere = -HUGE_VAL;
    likelihood_row_set(&r, &l, 1.0, 1.0);
    bln_likelihood_moments(&l, NULL, 1, &r.t, &f, &mean, &var);
    bln_likelihood_cdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
    CHECK(mean != mean && var != var && lower != lower && upper != upper);
}

/* Probabilities below the doubles that never fall: sums give up after 2^22 terms. The tail from y = 1e7 down has as many. */
TEST(likelihood_defaults, sums_without_an_end)
{
    const double f = 0.3;
    bln_likelihood_ops ops;
    const bln_likelihood l = defaults_user(&ops);
    double lower, upper;
    likelihood_row r;
    ops.discrete = 1;
    ops.logp = defaults_constant;
    defaults_everywhere = -800.0;
    likelihood_row_set(&r, &l, 1e7, 1.0);
    bln_likelihood_logcdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
    CHECK_NEAR(lower, -800.0 + 22.0*log(2.0), 1e-12);
    CHECK(upper == 0.0);
}

static void defaults_die(const bln_likelihood *l, double trials, double *low, double *high)
{
    (void)l;
    *low = 1.0;
    *high = trials;
}

/* A die of six sides, whose six is the last: nothing is left above. */
TEST(likelihood_defaults, the_last_of_a_count)
{
    const double f = 0.0;
    bln_likelihood_ops ops;
    const bln_likelihood l = defaults_user(&ops);
    double lower, upper;
    likelihood_row r;
    ops.discrete = 1;
    ops.logp = defaults_constant;
    ops.support = defaults_die;
    defaults_everywhere = -log(6.0);
    for (double y = 0.0; y < 8.0; y += 1.0) {
        const double want = y < 6.0 ? y/6.0 : 1.0;
        likelihood_row_set(&r, &l, y, 6.0);
        bln_likelihood_cdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
        CHECK_NEAR(lower, want, 8.0*DBL_EPSILON);
        CHECK_NEAR(upper, 1.0 - want, 8.0*DBL_EPSILON);
        CHECK(y < 6.0 || (lower == 1.0 && upper == 0.0));
    }
}

/* 40 sd below a mean of 1e6 terms fall by 4 % each: several blocks of them. The sum by its definition, over 4000 terms. */
TEST(likelihood_defaults, long_tails)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    const double f = log(1e6);
    double lower, upper, first = 0.0, sum = 0.0;
    likelihood_row r;
    likelihood_row_set(&r, &l, 960000.0, 1.0);
    bln_likelihood_logcdf(&l, NULL, 1, &r.t, &f, &lower, &upper);
    for (size_t k = 0; k < 4000; k++, r.y -= 1.0) {
        double logp;
        bln_likelihood_logp(&l, NULL, 1, &r.t, &f, &logp);
        if (k == 0) first = logp;
        sum += exp(logp - first);
    }
    CHECK_NEAR(lower, first + log(sum), 1e-8);               /* log p is a difference of terms of 1e7, with an ulp of 2e-9 */
    CHECK(lower < -700.0 && upper == 0.0);
}

/* A continuous y without logs of its tails: the logs of them, and -infinity where they are 0. */
TEST(likelihood_defaults, logs_of_tails)
{
    const bln_likelihood l = bln_likelihood_student_t();
    const double theta[2] = { 1.0, 1e6 }, f = 0.0, ys[3] = { -3.0, -36.8, -400.0 };
    for (size_t i = 0; i < 3; i++) {
        double low[2], up[2];
        likelihood_row r;
        likelihood_row_set(&r, &l, ys[i], 1.0);
        bln_likelihood_cdf(&l, theta, 1, &r.t, &f, low, up);
        bln_likelihood_logcdf(&l, theta, 1, &r.t, &f, low + 1, up + 1);
        CHECK(low[1] == (low[0] > 0.0 ? log(low[0]) : -HUGE_VAL));
        CHECK_NEAR(up[1], -low[0], 1e-5);
        if (i == 1) CHECK(low[0] > 0.0 && low[0] < 1e-290);
        if (i == 2) CHECK(low[0] == 0.0);
    }
}

/* ---- searches. P(Y <= y) is `under` below the jump and `over` from there on, or is that of a normal. */

typedef struct defaults_jump { double at, under, over; int normal; } defaults_jump;

static void defaults_tails(void *user, double y, double *lower, double *upper)
{
    const defaults_jump *j = (const defaults_jump *)user;
    *lower = j->normal ? bln_norm_cdf(y) : y < j->at ? j->under : j->over;
    *upper = j->normal ? bln_norm_sf(y) : 1.0 - *lower;
}

static int defaults_none(double x) { return x != x; }

static double defaults_search(const defaults_jump *j, double p, int discrete, double low, double high, double y0, double y1)
{
    defaults_jump copy = *j;
    return blni_search_quantile(defaults_tails, &copy, p, 1.0 - p, discrete, low, high, y0, y1);
}

TEST(likelihood_defaults, searches)
{
    const double inf = HUGE_VAL, nan = NAN, most = 9007199254740992.0;
    const defaults_jump normal = { 0.0, 0.0, 0.0, 1 }, zero = { 0.0, 0.2, 0.8, 0 }, sure = { 3.0, 0.0, 1.0, 0 };
    const defaults_jump never = { inf, 0.4, 0.4, 0 }, always = { -inf, 0.6, 0.6, 0 }, none = { 0.0, nan, nan, 0 };
    const defaults_jump large = { 8.5e15, 0.0, 1.0, 0 }, last = { most, 0.0, 1.0, 0 };
    const double median = bln_norm_quantile(0.3);
    defaults_jump copy = normal;
    /* guesses that are none, or far off */
    CHECK_NEAR(defaults_search(&normal, 0.3, 0, -inf, inf, nan, 1.0), median, 1e-14);
    CHECK_NEAR(defaults_search(&normal, 0.3, 0, -inf, inf, inf, 1.0), median, 1e-14);
    CHECK_NEAR(defaults_search(&normal, 0.3, 0, -inf, inf, 0.0, inf), median, 1e-14);
    CHECK(defaults_none(defaults_search(&none, 0.3, 0, -inf, inf, 0.0, 1.0)));
    /* a jump at 0, which 200 steps, every third of which halves, bring near; one from 0 to 1, whose logs are infinite */
    CHECK_NEAR(defaults_search(&zero, 0.5, 0, -inf, inf, -1.0, 2.0), 0.0, 3.0*ldexp(1.0, -66));
    CHECK_NEAR(defaults_search(&sure, 0.3, 0, -inf, inf, 0.0, 1.0), 3.0, 1e-14);
    CHECK_NEAR(defaults_search(&sure, 0.7, 0, -inf, inf, 0.0, 1.0), 3.0, 1e-14);
    /* no y reaches p, or every y does: the end of the support, or infinity */
    CHECK(defaults_search(&never, 0.5, 0, -inf, inf, 0.0, 1.0) == inf);
    CHECK(defaults_search(&always, 0.5, 0, -inf, inf, 0.0, 1.0) == -inf);
    CHECK(defaults_search(&never, 0.5, 0, -1.0, 7.0, 0.0, 1.0) == 7.0);
    CHECK(defaults_search(&always, 0.5, 0, -1.0, 7.0, 0.0, 1.0) == -1.0);
    /* counts up to 2^53; beyond, the end of the support */
    CHECK(defaults_search(&large, 0.5, 1, 0.0, inf, 5e15, 6e15) == 8.5e15);
    CHECK(defaults_search(&last, 0.5, 1, 0.0, inf, 5e15, 6e15) == most);
    CHECK(defaults_search(&never, 0.5, 1, 0.0, inf, 5e15, 6e15) == inf);
    /* p and q that are none, and the ends */
    CHECK(defaults_none(blni_search_quantile(defaults_tails, &copy, -0.1, 1.1, 0, -5.0, 5.0, 0.0, 1.0)));
    CHECK(defaults_none(blni_search_quantile(defaults_tails, &copy, 1.1, -0.1, 0, -5.0, 5.0, 0.0, 1.0)));
    CHECK(blni_search_quantile(defaults_tails, &copy, 0.0, 1.0, 0, -5.0, 5.0, 0.0, 1.0) == -5.0);
    CHECK(blni_search_quantile(defaults_tails, &copy, 1.0, 0.0, 0, -5.0, 5.0, 0.0, 1.0) == 5.0);
}

SUITE_BEGIN(likelihood_defaults)
SUITE_TEST(likelihood_defaults, bounded_supports)
SUITE_TEST(likelihood_defaults, no_density)
SUITE_TEST(likelihood_defaults, sums_without_an_end)
SUITE_TEST(likelihood_defaults, the_last_of_a_count)
SUITE_TEST(likelihood_defaults, long_tails)
SUITE_TEST(likelihood_defaults, logs_of_tails)
SUITE_TEST(likelihood_defaults, searches)
SUITE_END(likelihood_defaults)
