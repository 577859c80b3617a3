/* predictive_parts: a user's tables that lack what those of the house have, and steps of the searches that whole questions seldom
 * take */
#include "likelihood_tools.h"

static bln_latent predictive_parts_of(size_t K, const double *m, const double *v, const double *eta)
{
    bln_latent f = BLN_ZERO;
    f.K = K;
    f.mean = m;
    f.var = v;
    f.eta = eta;
    return f;
}

/* A table of the house that is a user's: without normal_cdf, and as said without the slope, or without the cdf itself. */
typedef struct predictive_parts_table { bln_likelihood_ops ops; bln_likelihood l; } predictive_parts_table;

static void predictive_parts_without(predictive_parts_table *u, const bln_likelihood *l, int slope, int cdf)
{
    u->ops = *l->ops;
    u->ops.normal_cdf = NULL;
    if (!slope) u->ops.cdf_slope = NULL;
    if (!cdf) { u->ops.cdf = NULL; u->ops.logcdf = NULL; }
    u->l = *l;
    u->l.ops = &u->ops;
}

/* Of a continuous y the closed form of the house, or its integral over the precision, is what a table without it must come to, by
 * the hill of the slope, by the smaller tail or by nodes: to 1e-10 of the smaller tail, and rounding of the larger one. */
TEST(predictive_parts, tables_without_a_closed_form)
{
    static const struct { const char *name; double theta[2], m, v, y; } row[] = {
        { "gaussian", { 1.0, 0.0 }, 0.3, 0.04, 0.5 },      { "gaussian", { 1.0, 0.0 }, 0.3, 0.04, 6.0 },
        { "gaussian", { 0.01, 0.0 }, 0.3, 4.0, 0.5 },      { "gaussian", { 0.01, 0.0 }, 0.3, 4.0, -11.0 },
        { "gaussian", { 0.01, 0.0 }, 0.3, 4.0, 9.0 },      { "student_t", { 1.0, 4.0 }, 2.0, 9.0, 3.0 },
        { "student_t", { 1.0, 4.0 }, 2.0, 9.0, -30.0 },    { "student_t", { 1.0, 0.3 }, 0.0, 100.0, 66552.6 },
        { "student_t", { 1.0, 0.3 }, 0.0, 100.0, -66552.6 }, { "student_t", { 0.01, 0.2 }, 0.0, 25.0, 7.0 },
        { "asymmetric_laplace", { 1.0, 0.0 }, 0.0, 100.0, 1.5 }, { "asymmetric_laplace", { 1.0, 0.0 }, 0.0, 100.0, -20.0 },
        { "laplace", { 0.5, 0.0 }, 0.0, 1.0, 0.3 } };
    for (size_t i = 0; i < sizeof row/sizeof *row; i++)
        for (int slope = 0; slope < 2; slope++) {
            const bln_likelihood l = likelihood_named(row[i].name);
            const bln_latent f = predictive_parts_of(1, &row[i].m, &row[i].v, row[i].theta);
            predictive_parts_table u;
            likelihood_row r;
            double low[2], up[2];
            predictive_parts_without(&u, &l, slope, 1);
            likelihood_row_set(&r, &l, row[i].y, 1.0);
            blni_predictive_cdf(&l, 1, &r.t, &f, low, up);
            blni_predictive_cdf(&u.l, 1, &r.t, &f, low + 1, up + 1);
            const double least = fmin(low[0], up[0]);
            likelihood_near(fmin(low[1], up[1]), least, 1e-10*least, "smaller tail", row[i].name, row[i].y, row[i].m);
            likelihood_near(low[1], low[0], 1e-10*least + 4.0*DBL_EPSILON, "P(Y <= y)", row[i].name, row[i].y, row[i].m);
            likelihood_near(up[1], up[0], 1e-10*least + 4.0*DBL_EPSILON, "P(Y > y)", row[i].name, row[i].y, row[i].m);
        }
}

/* Without a cdf the distribution of y comes from its density. Where the slope falls off too slowly for its hill to hold all of it,
 * the cdf is integrated over f itself: 1e-11 absolute, but here 1e-9, as of the density's own integral. */
TEST(predictive_parts, density_alone)
{
    const double theta[2] = { 1.0, 0.3 }, m = 0.0, v = 100.0;
    const bln_likelihood l = bln_likelihood_student_t();
    const bln_latent f = predictive_parts_of(1, &m, &v, theta);
    predictive_parts_table u;
    likelihood_row r;
    double low, up;
    predictive_parts_without(&u, &l, 1, 0);
    likelihood_row_set(&r, &l, 66552.6, 1.0);
    blni_predictive_cdf(&u.l, 1, &r.t, &f, &low, &up);
    CHECK_NEAR(up, 0.0124881634089755833, 1e-9);                         /* student_tails of test_predictive.c */
    CHECK_NEAR(low, 1.0 - 0.0124881634089755833, 1e-9);
}

/* A count without a slope, under a normal far wider than log p: panels over f give what the table of the house does by its
 * slope. */
TEST(predictive_parts, counts_without_a_slope)
{
    static const char *const names[2] = { "poisson_log", "poisson_softplus" };
    const double m = 1.0, v = 2500.0;
    for (size_t c = 0; c < 2; c++) {
        const bln_likelihood l = likelihood_named(names[c]);
        const bln_latent f = predictive_parts_of(1, &m, &v, NULL);
        predictive_parts_table u;
        likelihood_row r;
        double low[2], up[2];
        predictive_parts_without(&u, &l, 0, 1);
        likelihood_row_set(&r, &l, 7.0, 1.0);
        blni_predictive_cdf(&l, 1, &r.t, &f, low, up);
        blni_predictive_cdf(&u.l, 1, &r.t, &f, low + 1, up + 1);
        CHECK_NEAR(low[1], low[0], 1e-10);
        CHECK_NEAR(up[1], up[0], 1e-10);
    }
}

/* A y that f does not change: its slope is 0 at every f, and its distribution is what it is. */
static void predictive_parts_flat(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                  double *slope)
{
    (void)l; (void)theta; (void)t; (void)f;
    for (size_t i = 0; i < n; i++) slope[i] = -HUGE_VAL;
}

static void predictive_parts_flat_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                      double *lower, double *upper)
{
    (void)l; (void)theta; (void)f;
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i] < 0.0 ? 0.0 : t->y[i] > 1.0 ? 1.0 : t->y[i];
        if (lower) lower[i] = y;
        if (upper) upper[i] = 1.0 - y;
    }
}

TEST(predictive_parts, a_y_without_f)
{
    const bln_likelihood l = bln_likelihood_gaussian();
    const double m = 0.3, v = 1e6, theta = 0.01;
    const bln_latent f = predictive_parts_of(1, &m, &v, &theta);
    predictive_parts_table u;
    likelihood_row r;
    double low, up;
    predictive_parts_without(&u, &l, 1, 1);
    u.ops.cdf = predictive_parts_flat_cdf;
    u.ops.cdf_slope = predictive_parts_flat;
    likelihood_row_set(&r, &l, 0.25, 1.0);
    blni_predictive_cdf(&u.l, 1, &r.t, &f, &low, &up);
    CHECK(low == 0.25 && up == 0.75);
}

/* Zeros that are sure, of so small a probability that the tail is deep: it is that probability, and nothing is left of the rest. */
TEST(predictive_parts, sure_zeros_deep_in_the_tail)
{
    const bln_likelihood l = bln_likelihood_zero_inflated_poisson();
    const double m = 7.0, v = 0.25, theta = 1e-10;
    const bln_latent f = predictive_parts_of(1, &m, &v, &theta);
    likelihood_row r;
    double low, up;
    likelihood_row_set(&r, &l, 0.0, 1.0);
    blni_predictive_cdf(&l, 1, &r.t, &f, &low, &up);
    CHECK_REL(low, 1e-10, 1e-5);              /* E e^-mu, mu = e^f, at 6 sd below: e^-55; f = 5.2 sd below has e^-80 */
    CHECK(low >= 1e-10);
    CHECK_NEAR(up, 1.0, 1e-9);
}

/* Variances that are none give NaN in every question, also beside a component that has one. */
TEST(predictive_parts, variances_that_are_none)
{
    static const char *const names[3] = { "poisson_softplus", "student_t", "ordinal" };
    const double bad[3] = { NAN, HUGE_VAL, -1.0 }, m[2] = { 0.5, 0.4 }, none = NAN;
    for (size_t c = 0; c < 3; c++)
        for (size_t j = 0; j < 3; j++) {
            const likelihood_case *k = likelihood_case_of(names[c]);
            const bln_likelihood l = likelihood_named(names[c]);
            double v[2], x[8];
            const bln_latent f = predictive_parts_of(2, m, v, k->theta);
            likelihood_row r;
            v[0] = 0.3;
            v[1] = bad[j];
            likelihood_row_set(&r, &l, 1.0, 1.0);
            blni_predictive_logdensity(&l, 1, &r.t, &f, x);
            blni_predictive_cdf(&l, 1, &r.t, &f, x + 1, x + 2);
            CHECK(x[0] != x[0] && x[1] != x[1] && x[2] != x[2]);
            if (j == 0) {
                blni_predictive_moments(&l, 1, &r.t, &f, x, x + 1, NULL);
                CHECK(x[1] != x[1] && (c == 1 || x[0] != x[0]));         /* a location family's mean is that of f */
            }
        }
    const bln_likelihood l = bln_likelihood_gaussian();
    const double v = 1.0, theta = 1.0;
    const bln_latent f = predictive_parts_of(1, m, &v, &theta);
    likelihood_row r;
    double low, up;
    likelihood_row_set(&r, &l, none, 1.0);
    blni_predictive_cdf(&l, 1, &r.t, &f, &low, &up);
    CHECK(low != low && up != up);                                       /* nor has a y that is none a place */
}

/* What is not asked for is not given, and the rest is the same; a component without weight does not count, whatever it is. */
TEST(predictive_parts, outputs_and_weights)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    const double m[2] = { 0.4, 900.0 }, v[2] = { 0.3, 1.0 }, w[2] = { 1.0, 0.0 };
    bln_latent f = predictive_parts_of(2, m, v, NULL);
    const bln_latent one = predictive_parts_of(1, m, v, NULL);
    likelihood_row r;
    double x[10];
    f.weight = w;
    likelihood_row_set(&r, &l, 2.0, 1.0);
    blni_predictive_moments(&l, 1, &r.t, &one, x, x + 1, x + 2);
    blni_predictive_moments(&l, 1, &r.t, &f, x + 3, x + 4, x + 5);
    blni_predictive_moments(&l, 1, &r.t, &one, NULL, NULL, x + 6);
    CHECK(x[0] == x[3] && x[1] == x[4] && x[2] == x[5] && x[2] == x[6]);
    blni_predictive_cdf(&l, 1, &r.t, &one, x, x + 1);
    blni_predictive_cdf(&l, 1, &r.t, &one, NULL, x + 2);
    CHECK(x[1] == x[2]);
}

/* The means of a user's table may leave the support by rounding; its singularity gets a y of the support all the same. */
static double predictive_parts_mean;
static void predictive_parts_moments(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                     double *mean, double *var)
{
    (void)l; (void)theta; (void)t; (void)f;
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = predictive_parts_mean;
        if (var) var[i] = 0.25;
    }
}

static void predictive_parts_inside(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre,
                                    double *width)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) {
        CHECK(t->y[i] >= 0.0 && t->y[i] <= 1.0);
        centre[i] = 0.0;
        width[i] = 1.0;
    }
}

TEST(predictive_parts, means_outside_of_the_support)
{
    const double means[2] = { -1e-12, 2.0 }, m = 0.0, v = 0.5;
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const bln_latent f = predictive_parts_of(1, &m, &v, NULL);
    const bln_targets none = BLN_ZERO;
    predictive_parts_table u;
    double mean, model, noise;
    predictive_parts_without(&u, &l, 1, 1);
    u.ops.moments = predictive_parts_moments;
    u.ops.singularity = predictive_parts_inside;
    for (size_t i = 0; i < 2; i++) {
        predictive_parts_mean = means[i];
        blni_predictive_moments(&u.l, 1, &none, &f, &mean, &model, &noise);
        CHECK_NEAR(mean, means[i], 1e-15);
        CHECK(model == 0.0);
        CHECK_NEAR(noise, 0.25, 1e-10);                                  /* the weights of the rule sum to 1 */
    }
}

/* ---- quantiles */

/* p and q are both given: 0 and 1 are the ends, 0 and something else is no pair. */
TEST(predictive_parts, ends)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    const double m = 0.4, v = 0.3, none[3][2] = { { 0.0, 0.5 }, { 1.0, -0.5 }, { NAN, 0.5 } };
    const bln_latent f = predictive_parts_of(1, &m, &v, NULL);
    const bln_targets t = BLN_ZERO;
    CHECK(blni_predict_quantile(&l, &t, &f, 0, 0.0, 1.0) == 0.0);
    CHECK(blni_predict_quantile(&l, &t, &f, 0, 1.0, 0.0) == HUGE_VAL);
    for (size_t i = 0; i < 3; i++) {
        const double y = blni_predict_quantile(&l, &t, &f, 0, none[i][0], none[i][1]);
        CHECK(y != y);
    }
}

/* From a crafted place each way that the secants end: at the quantile of N(0, 1 + v), within what a search leaves. */
TEST(predictive_parts, secants)
{
    static const struct { double p, y, g, slope, scale, low, high; } row[] = {
        { 0.5, 1.0, 1.0, 1.0, 1.0, -1e9, 1e9 },             /* the step leads to the median itself: the excess there is 0 */
        { 0.3, -0.7, 1e-3, 1e-3, 1.0, -1e9, 1e9 },          /* so long a step that it does not come nearer                */
        { 0.3, -0.7, 1e-3, 1e-3, 1.0, -1.0, 1e9 },          /* a step beyond the lower end of the support                 */
        { 0.3, -0.7, -1e-3, 1e-3, 1.0, -1e9, 0.1 } };       /* and beyond the upper one                                   */
    const bln_likelihood l = bln_likelihood_gaussian();
    const double m = 0.0, v = 1.0, theta = 1.0;
    const bln_latent f = predictive_parts_of(1, &m, &v, &theta);
    const bln_targets t = BLN_ZERO;
    blni_predict_search s;
    blni_predict_row_of(&s.row, &l, &theta, &t, 0, 0);
    s.f = &f;
    s.i = 0;
    for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
        s.row.low = row[i].low;
        s.row.high = row[i].high;
        const double y = blni_predict_secants(&s, row[i].p, 1.0 - row[i].p, row[i].y, row[i].g, row[i].slope, row[i].scale);
        CHECK_NEAR(y, sqrt(2.0)*bln_norm_quantile(row[i].p), 1e-12);
    }
    s.row.low = -HUGE_VAL;
    s.row.high = HUGE_VAL;                                               /* a step that rounding nearly swallows is the last */
    CHECK(blni_predict_secants(&s, 0.3, 0.7, 1e6, 1e-10, 1.0, 1e-6) == 1e6 - 1e-10);
}

enum { PREDICTIVE_PARTS_K = 64 };

/* Of 64 components 16 are searched first, numbers 2, 6, ..., 62: fills a column with a value for these and one for the others. */
static void predictive_parts_fill(double *x, double some, double rest)
{
    for (size_t k = 0; k < PREDICTIVE_PARTS_K; k++) x[k] = k % 4 == 2 ? some : rest;
}

/* Gaussian noise of sd sqrt(theta) about points f. Where the 16 say nothing of use, all are searched. */
TEST(predictive_parts, some_that_say_nothing)
{
    static const struct { double p, at[2], theta, weight[2], want; } row[] = {
        { 0.3, { 1.0, 5.0 },       1.0,   { 0.0, 1.0/48.0 },      5.0 },      /* the 16 have no weight                     */
        { 0.3, { 1000.0, 5000.0 }, 1.0,   { 5e-324, 1.0/48.0 },   5000.0 },   /* where theirs is all have no probability   */
        { 0.7, { 0.0, 5.0 },       1e-12, { 1.0/64.0, 1.0/64.0 }, 5.0 } };    /* they all stand at one point               */
    const bln_likelihood l = bln_likelihood_gaussian();
    const bln_targets t = BLN_ZERO;
    for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
        double m[PREDICTIVE_PARTS_K], w[PREDICTIVE_PARTS_K], lower, upper;
        bln_latent f = predictive_parts_of(PREDICTIVE_PARTS_K, m, NULL, &row[i].theta);
        likelihood_row r;
        predictive_parts_fill(m, row[i].at[0], row[i].at[1]);
        predictive_parts_fill(w, row[i].weight[0], row[i].weight[1]);
        f.weight = w;
        likelihood_row_set(&r, &l, blni_predict_quantile(&l, &t, &f, 0, row[i].p, 1.0 - row[i].p), 1.0);
        CHECK_NEAR(r.y, row[i].want, 2.0*sqrt(row[i].theta));
        blni_predictive_cdf(&l, 1, &r.t, &f, &lower, &upper);
        CHECK_NEAR(lower, row[i].p, 1e-9);
    }
}

/* Two clusters far apart: at p = 1/2 the cdf of the 16 is flat, and any y between is a quantile. */
TEST(predictive_parts, a_flat_middle)
{
    const bln_likelihood l = bln_likelihood_gaussian();
    const bln_targets t = BLN_ZERO;
    const double theta = 1.0;
    double m[PREDICTIVE_PARTS_K], lower, upper;
    const bln_latent f = predictive_parts_of(PREDICTIVE_PARTS_K, m, NULL, &theta);
    likelihood_row r;
    for (size_t k = 0; k < PREDICTIVE_PARTS_K; k++) m[k] = k < PREDICTIVE_PARTS_K/2 ? -1000.0 : 1000.0;
    likelihood_row_set(&r, &l, blni_predict_quantile(&l, &t, &f, 0, 0.5, 0.5), 1.0);
    CHECK(r.y > -990.0 && r.y < 990.0);
    blni_predictive_cdf(&l, 1, &r.t, &f, &lower, &upper);
    CHECK_NEAR(lower, 0.5, 1e-12);
}

/* Parameters that are NaN in some components, and counts beyond all doubles. */
TEST(predictive_parts, no_quantile_of_some)
{
    const bln_likelihood gaussian = bln_likelihood_gaussian(), poisson = bln_likelihood_poisson(BLN_LINK_LOG),
                         binomial = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const bln_targets t = BLN_ZERO;
    double m[PREDICTIVE_PARTS_K], eta[PREDICTIVE_PARTS_K], y;
    bln_latent f = predictive_parts_of(PREDICTIVE_PARTS_K, m, NULL, eta);
    predictive_parts_fill(m, 0.0, 1.0);
    predictive_parts_fill(eta, NAN, 1.0);
    eta[PREDICTIVE_PARTS_K/2] = 1.0;
    f.ldeta = 1;
    y = blni_predict_quantile(&gaussian, &t, &f, 0, 0.5, 0.5);
    CHECK(y != y);
    f.eta = NULL;
    f.ldeta = 0;
    CHECK(blni_predict_quantile(&binomial, &t, &f, 0, 0.2, 0.8) == 0.0);        /* P(0) is 1/2, or 0.27 */
    CHECK(blni_predict_quantile(&binomial, &t, &f, 0, 0.9, 0.1) == 1.0);
    predictive_parts_fill(m, 800.0, 800.0);
    CHECK(blni_predict_quantile(&poisson, &t, &f, 0, 0.5, 0.5) == HUGE_VAL);
}

SUITE_BEGIN(predictive_parts)
SUITE_TEST(predictive_parts, tables_without_a_closed_form)
SUITE_TEST(predictive_parts, density_alone)
SUITE_TEST(predictive_parts, counts_without_a_slope)
SUITE_TEST(predictive_parts, a_y_without_f)
SUITE_TEST(predictive_parts, sure_zeros_deep_in_the_tail)
SUITE_TEST(predictive_parts, variances_that_are_none)
SUITE_TEST(predictive_parts, outputs_and_weights)
SUITE_TEST(predictive_parts, means_outside_of_the_support)
SUITE_TEST(predictive_parts, ends)
SUITE_TEST(predictive_parts, secants)
SUITE_TEST(predictive_parts, some_that_say_nothing)
SUITE_TEST(predictive_parts, a_flat_middle)
SUITE_TEST(predictive_parts, no_quantile_of_some)
SUITE_END(predictive_parts)
