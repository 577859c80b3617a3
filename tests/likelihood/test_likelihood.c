/* likelihood: the interface - every family at |f| = 800 and beyond; derivatives against differences; what a user's likelihood of
 * log p alone gets by default, against the families' own; constants, blocks; which data are refused, and where. */
#include "likelihood_tools.h"

/* ---- nothing is NaN */

TEST(likelihood, extreme_f)
{
    static const double fs[] = { -1e6, -800.0, -745.2, -709.9, -100.0, 0.0, 100.0, 709.7, 709.9, 745.2, 800.0, 1e6 };
    static const double ys[] = { 0.0, 1.0, 2.0, 3.0 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        for (size_t i = 0; i < sizeof fs/sizeof *fs; i++)
            for (size_t j = 0; j < 4; j++) {
                likelihood_row r;
                double v[12], p[3];
                likelihood_row_set(&r, &l, ys[j], strcmp(k->name, "ordinal") ? 3.0 : 1.0);
                bln_likelihood_eval(&l, k->theta, 1, &r.t, fs + i, v, v + 1, v + 2, v + 3);
                bln_likelihood_moments(&l, k->theta, 1, &r.t, fs + i, v + 4, v + 5);
                bln_likelihood_cdf(&l, k->theta, 1, &r.t, fs + i, v + 6, v + 7);
                bln_likelihood_logcdf(&l, k->theta, 1, &r.t, fs + i, v + 8, v + 9);
                blni_likelihood_start(&l, k->theta, 1, &r.t, v + 10);
                likelihood_constants(&l, k->theta, 1, &r.t, p, 1);
                v[11] = 0.0;
                for (int m = 0; m < 12; m++) likelihood_near(v[m] - v[m] == 0.0 || fabs(v[m]) > DBL_MAX, 1.0, 0.0, "a number",
                                                             k->name, r.y, fs[i]);
                CHECK(v[0] < 1.0 && v[4] >= (l.ops->discrete ? 0.0 : -1e7) && v[5] >= 0.0 && fabs(v[6] + v[7] - 1.0) < 1e-12);
                CHECK(v[8] <= 0.0 && v[9] <= 0.0 && fabs(v[10]) < 100.0);
                for (size_t q = 0; q < l.n_theta; q++) {
                    blni_likelihood_eval_param(&l, k->theta, q, 1, &r.t, fs + i, p, p + 1, p + 2);
                    for (int m = 0; m < 3; m++) likelihood_near(p[m] == p[m], 1.0, 0.0, "a number", k->name, r.y, fs[i]);
                }
            }
    }
}

/* Quantiles there hold what they say, where the doubles still have whole numbers, and draws are values of y. */
TEST(likelihood, extreme_f_of_y)
{
    static const double fs[] = { -1e6, -800.0, -40.0, 40.0, 800.0, 1e6 }, ps[] = { 1e-9, 0.3, 0.9 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_rng rng;
        bln_rng_seed(&rng, 9, c);
        for (size_t i = 0; i < sizeof fs/sizeof *fs; i++) {
            const double one = 1.0;
            likelihood_row r;
            double low, high, from, to, y[4];
            likelihood_row_set(&r, &l, 0.0, strcmp(k->name, "ordinal") ? 3.0 : 1.0);
            blni_support(&l, r.other, &from, &to);
            for (size_t q = 0; q < 3; q++) {
                bln_likelihood_quantile(&l, k->theta, 1, &r.t, fs + i, ps + q, &r.y);
                bln_likelihood_cdf(&l, k->theta, 1, &r.t, fs + i, &low, &high);
                likelihood_near(r.y >= from && r.y <= to, 1.0, 0.0, "a value of y", k->name, r.y, fs[i]);
                if (l.ops->discrete) {
                    likelihood_near(low >= ps[q], 1.0, 0.0, "P(Y <= quantile) >= p", k->name, r.y, fs[i]);
                    r.y = r.y < 9007199254740992.0 ? r.y - 1.0 : from - 1.0;
                    bln_likelihood_cdf(&l, k->theta, 1, &r.t, fs + i, &low, &high);
                    likelihood_near(low < ps[q], 1.0, 0.0, "P(Y < quantile) < p", k->name, r.y, fs[i]);
                } else
                    likelihood_near(low, ps[q], 1e-9 + 2.0*DBL_EPSILON*fabs(fs[i]), "cdf of quantile", k->name, r.y, fs[i]);
            }
            bln_likelihood_quantile(&l, k->theta, 1, &r.t, fs + i, &one, &r.y);
            CHECK(r.y == to);
            for (size_t q = 0; q < 4; q++) {
                bln_likelihood_draw(&l, k->theta, 1, &r.t, fs + i, &rng, y + q);
                const int is = y[q] >= from && y[q] <= to && (!l.ops->discrete || y[q] == floor(y[q]));
                likelihood_near(is, 1.0, 0.0, "a draw", k->name, y[q], fs[i]);
            }
        }
    }
}

/* The distribution functions at the ends of f, where predictions ask for them. */
TEST(likelihood, infinite_f)
{
    const double ends[2] = { -HUGE_VAL, HUGE_VAL };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        likelihood_row r;
        double low, high;
        likelihood_row_set(&r, &l, 1.0, strcmp(k->name, "ordinal") ? 3.0 : 1.0);
        for (size_t i = 0; i < 2; i++) {
            const double rest = !i ? 0.0 : !strcmp(k->name, "zero_inflated_poisson") ? 0.3
                                : !strcmp(k->name, "poisson_logistic") ? 22.0*exp(-21.0) : 0.0;           /* of mean 3*7 */
            bln_likelihood_cdf(&l, k->theta, 1, &r.t, ends + i, &low, &high);
            likelihood_near(low, i ? rest : 1.0, 1e-15, "P(Y <= y)", k->name, 1.0, ends[i]);
            likelihood_near(high, i ? 1.0 - rest : 0.0, 1e-15, "P(Y > y)", k->name, 1.0, ends[i]);
        }
    }
}

/* ---- a likelihood of log p alone, behind which a family of the house stands */

static const bln_likelihood *likelihood_behind(const bln_likelihood *l) { return (const bln_likelihood *)l->user; }

static void likelihood_user_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                                 double *logp)
{
    bln_likelihood_logp(likelihood_behind(l), theta, n, t, f, logp);
}

static void likelihood_user_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    bln_likelihood_param(likelihood_behind(l), k, mean, sd, out);
}

static const char *likelihood_user_domain(const bln_likelihood *l, double y, double trials)
{
    return likelihood_behind(l)->ops->domain(likelihood_behind(l), y, trials);
}

static void likelihood_user_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    blni_support(likelihood_behind(l), trials, low, high);
}

static bln_likelihood likelihood_user(const bln_likelihood *behind, bln_likelihood_ops *ops)
{
    bln_likelihood l = BLN_ZERO;
    memset(ops, 0, sizeof *ops);
    ops->name = "user";
    ops->discrete = behind->ops->discrete;
    ops->logp = likelihood_user_logp;
    ops->param = likelihood_user_param;
    ops->domain = likelihood_user_domain;
    ops->support = likelihood_user_support;
    l.ops = ops;
    l.n_theta = behind->n_theta;
    l.user = behind;
    return l;
}

/* Differences over 9 points h = 1/32 apart. The truncation of the first derivative is h^8 |l^(9)|/630, with |l^(9)| <= 9!/width^9
 * |l| at most of what is analytic with width 1.26 or more here (Student-t: 0.8 sqrt 3.5 sqrt 2.25; others pi/2 and more): 1e-12/630
 * 9!/8 = 1e-10; in the second and third h^8 l^(10)/3150 and 41 h^6 l^(9)/6048 dominate: 1e-9 and 1e-6. Rounding: 2 eps |l|/h, 12
 * eps |l|/h^2, 50 eps |l|/h^3. The Laplaces are left out, which have a kink. */
TEST(likelihood, differences)
{
    static const double fs[] = { -3.0, -0.7, 0.4, 1.9 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_likelihood_ops ops;
        const bln_likelihood user = likelihood_user(&l, &ops);
        CHECK(bln_likelihood_check(&user) == NULL);
        if (strstr(k->name, "laplace")) continue;
        for (size_t i = 0; i < 4; i++)
            for (double y = 0.0; y < 4.0; y += 1.0) {
                likelihood_row r;
                double a[4], b[4];
                likelihood_row_set(&r, &l, y, !l.ops->discrete ? 2.25 : strcmp(k->name, "ordinal") ? 3.0 : 1.0);
                bln_likelihood_eval(&l, k->theta, 1, &r.t, fs + i, a, a + 1, a + 2, a + 3);
                bln_likelihood_eval(&user, k->theta, 1, &r.t, fs + i, b, b + 1, b + 2, b + 3);
                const double size = fabs(a[0]) + 1.0;
                CHECK(a[0] == b[0]);
                likelihood_near(b[1], a[1], 1e-10*size, "difference d1", k->name, y, fs[i]);
                likelihood_near(b[2], a[2], 1e-9*size, "difference d2", k->name, y, fs[i]);
                likelihood_near(b[3], a[3], 1e-6*size, "difference d3", k->name, y, fs[i]);
                for (size_t q = 0; q < l.n_theta; q++) {
                    const double scale = (fabs(a[0]) + fabs(a[1]) + fabs(a[2]) + 1.0)*(1.0 + 1.0/k->theta[q]*k->theta[q]);
                    blni_likelihood_eval_param(&l, k->theta, q, 1, &r.t, fs + i, a, a + 1, a + 2);
                    blni_likelihood_eval_param(&user, k->theta, q, 1, &r.t, fs + i, b, b + 1, b + 2);
                    likelihood_near(b[0], a[0], 1e-10*scale, "difference in theta", k->name, y, fs[i]);
                    likelihood_near(b[1], a[1], 1e-8*scale, "difference of d1 in theta", k->name, y, fs[i]);
                    likelihood_near(b[2], a[2], 1e-6*scale, "difference of d2 in theta", k->name, y, fs[i]);
                }
            }
    }
}

/* Sums over y and integrals over y, as stated to 1e-10; quantiles, which are found by them. At f = 7.5 counts are about 7232, and
 * the probabilities of the first block of counts are 0. */
TEST(likelihood, default_distribution)
{
    static const double fs[] = { -2.0, 1.1, 5.0, 7.5 };
    const double p[2] = { 0.1, 0.97 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_likelihood_ops ops;
        const bln_likelihood user = likelihood_user(&l, &ops);
        for (size_t i = 0; i < 4; i++) {
            likelihood_row r;
            double a[6], b[6];
            likelihood_row_set(&r, &l, 2.0, strcmp(k->name, "ordinal") ? 4.0 : 1.0);
            for (int own = 0; own < 2; own++) {
                const bln_likelihood *which = own ? &l : &user;
                double *v = own ? a : b;
                bln_likelihood_moments(which, k->theta, 1, &r.t, fs + i, v, v + 1);
                bln_likelihood_cdf(which, k->theta, 1, &r.t, fs + i, v + 2, v + 3);
                bln_likelihood_quantile(which, k->theta, 1, &r.t, fs + i, p, v + 4);
                bln_likelihood_quantile(which, k->theta, 1, &r.t, fs + i, p + 1, v + 5);
            }
            /* The variance of Student's t with 3.5 degrees of freedom needs y up to 10^7 for 1e-10 of it; a variance
             * that is small against the squared mean is one of roundings. */
            for (int j = 0; j < 6; j++)
                likelihood_near(b[j], a[j], (strcmp(k->name, "student_t") || j != 1 ? 1e-10 : 1e-7)*(fabs(a[j]) + (j > 3)) + (j == 1
                        ? 1e-15*a[0]*a[0] : 0.0),
                                j < 2 ? "moment" : j < 4 ? "cdf" : "quantile", k->name, r.y, fs[i]);
        }
    }
}

/* The draws of a user's likelihood come from its quantiles. */
TEST(likelihood, default_draws)
{
    const bln_likelihood l = bln_likelihood_poisson(BLN_LINK_LOG);
    bln_likelihood_ops ops;
    const bln_likelihood user = likelihood_user(&l, &ops);
    likelihood_check_draws(&user, NULL, 1.0, 0.4, 120);
    likelihood_check_quantiles(&user, NULL, 1.0, 1.4);
}

/* ---- constants and blocks */

/* Constants made once or in each call, all rows at once or one by one: the same bits. Padding is left alone. */
TEST(likelihood, constants_and_blocks)
{
    enum { N = 300, PAD = 7 };
    double y[N], other[N], f[N], constants[2*(N + PAD)], a[4*N], b[4*N], one[4];
    test_random random = test_random_new(1);
    for (size_t i = 0; i < N; i++) {
        y[i] = floor(4.0*test_uniform(&random));
        other[i] = 3.0;
        f[i] = 3.0*test_normal(&random);
    }
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_targets t = BLN_ZERO;
        t.y = y;
        if (!l.ops->discrete) t.noise_var = other;
        else if (strcmp(k->name, "ordinal")) t.trials = other;
        bln_likelihood_eval(&l, k->theta, N, &t, f, a, a + N, a + 2*N, a + 3*N);
        for (size_t i = 0; i < 2*(N + PAD); i++) constants[i] = 77.0;
        likelihood_constants(&l, k->theta, N, &t, constants, N + PAD);
        CHECK(constants[N] == 77.0 && constants[2*N + 2*PAD - 1] == 77.0);
        t.constants = constants;
        t.ldc = N + PAD;
        bln_likelihood_eval(&l, k->theta, N, &t, f, b, b + N, b + 2*N, b + 3*N);
        CHECK(!memcmp(a, b, sizeof a));
        for (size_t i = 0; i < N; i += 37) {
            const bln_targets at = blni_targets_from(&t, i);
            bln_likelihood_eval(&l, k->theta, 1, &at, f + i, one, one + 1, one + 2, one + 3);
            for (size_t j = 0; j < 4; j++) CHECK(one[j] == a[j*N + i]);
            for (size_t q = 0; q < l.n_theta; q++) {
                double with[3], without[3];
                bln_targets plain = at;
                plain.constants = NULL;
                blni_likelihood_eval_param(&l, k->theta, q, 1, &at, f + i, with, with + 1, with + 2);
                blni_likelihood_eval_param(&l, k->theta, q, 1, &plain, f + i, without, without + 1, without + 2);
                CHECK(!memcmp(with, without, sizeof with));
            }
        }
    }
}

/* ---- parameters */

/* Every parameter has a domain that its start is inside of, whatever the moments, and a name. */
TEST(likelihood, parameters)
{
    static const double means[] = { 0.0, -1e10, 3.5, 1e-8, NAN }, sds[] = { 0.0, 1e-300, 1e-8, 2.0, 1e200, HUGE_VAL };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const bln_likelihood l = likelihood_named(likelihood_cases[c].name);
        for (size_t k = 0; k < l.n_theta; k++)
            for (size_t i = 0; i < 5; i++)
                for (size_t j = 0; j < 6; j++) {
                    bln_param p;
                    bln_likelihood_param(&l, k, means[i], sds[j], &p);
                    CHECK_OK(bln_param_check(&p, NULL));
                    CHECK(bln_likelihood_param_name(&l, k)[0] != '\0');
                }
    }
    bln_likelihood_ops ops;
    const bln_likelihood g = bln_likelihood_gaussian(), user = likelihood_user(&g, &ops);
    CHECK_TEXT(bln_likelihood_param_name(&user, 0), "theta0");
    CHECK_TEXT(bln_likelihood_param_name(&user, 7), "theta7");
    CHECK(!strcmp(bln_likelihood_param_name(&user, 8), "theta"));
    CHECK(!strcmp(bln_likelihood_latent_name(&user, 0), "f0"));
}

/* ---- data */

static void likelihood_refuses(const bln_likelihood *l, const bln_data *data, bln_status status, size_t row, const char *text)
{
    bln_report report;
    CHECK_STATUS(bln_likelihood_check_data(l, data, &report), status);
    CHECK_SIZE(report.row, row);
    CHECK_TEXT(report.text, text);
}

TEST(likelihood, data)
{
    const bln_likelihood logit = bln_likelihood_binomial(BLN_LINK_LOGIT), poisson = bln_likelihood_poisson(BLN_LINK_LOG),
                         gauss = bln_likelihood_gaussian(), ordinal = bln_likelihood_ordinal(3);
    double X[4] = { 1.0, 2.0, 3.0, 4.0 }, y[4] = { 0.0, 1.0, 2.0, 0.0 }, trials[4] = { 1.0, 2.0, 2.0, 0.0 }, v[4] = { 1.0, 1.0, 2.0,
            1.0 };
    bln_data data = BLN_ZERO, plain;
    bln_report report;
    data.n = 4;
    data.d = 1;
    data.X = X;
    data.y = y;
    plain = data;
    CHECK_OK(bln_likelihood_check_data(&poisson, &data, &report));
    CHECK_OK(bln_likelihood_check_data(&ordinal, &data, &report));
    CHECK_OK(bln_likelihood_check_data(&gauss, &data, &report));
    likelihood_refuses(&logit, &data, BLN_EDOMAIN, 2, "larger than the number of trials");
    data.trials = trials;
    CHECK_OK(bln_likelihood_check_data(&logit, &data, &report));
    likelihood_refuses(&poisson, &data, BLN_EDOMAIN, 3, "exposure");
    likelihood_refuses(&gauss, &data, BLN_EINVAL, BLN_NONE, "no trials");
    likelihood_refuses(&ordinal, &data, BLN_EDOMAIN, 1, "no trials");
    trials[1] = 2.5;
    likelihood_refuses(&logit, &data, BLN_EDOMAIN, 1, "trials must be a whole number");
    data = plain;
    y[3] = 3.0;
    likelihood_refuses(&ordinal, &data, BLN_EDOMAIN, 3, "number of categories");
    y[1] = 0.5;
    likelihood_refuses(&poisson, &data, BLN_EDOMAIN, 1, "whole number");
    likelihood_refuses(&ordinal, &data, BLN_EDOMAIN, 1, "whole number");
    y[1] = -1.0;
    likelihood_refuses(&poisson, &data, BLN_EDOMAIN, 1, ">= 0");
    likelihood_refuses(&logit, &data, BLN_EDOMAIN, 1, ">= 0");
    CHECK(bln_likelihood_check_data(&poisson, &data, &report) == BLN_EDOMAIN && report.column == 1);
    y[1] = 1e16;
    likelihood_refuses(&poisson, &data, BLN_EDOMAIN, 1, "whole number");                /* no double counts exactly there */
    y[1] = 1.0;
    data.noise_var = v;
    CHECK_OK(bln_likelihood_check_data(&gauss, &data, &report));
    likelihood_refuses(&poisson, &data, BLN_EINVAL, BLN_NONE, "no noise variance");
    data = plain;
    y[2] = NAN;
    likelihood_refuses(&gauss, &data, BLN_EDATA, 2, "y is NaN");
    data.p = 2;
    data.n = 2;
    y[2] = 1.0;
    likelihood_refuses(&gauss, &data, BLN_EINVAL, BLN_NONE, "one output");
    likelihood_refuses(NULL, &plain, BLN_EINVAL, BLN_NONE, "NULL");
    likelihood_refuses(&gauss, NULL, BLN_EINVAL, BLN_NONE, "NULL");
}

/* A mark of rows in the column `trials`. */
static const char *likelihood_marked(const bln_likelihood *l, double y, double trials)
{
    (void)l; (void)y;
    return trials == 1.0 || trials == 2.0 ? NULL : "trials must be 1 or 2";
}

static void likelihood_ten(const bln_likelihood *l, double trials, double *low, double *high)
{
    (void)l; (void)trials;
    *low = 0.0;
    *high = 10.0;
}

/* A user's likelihood without a domain takes what its support has. */
TEST(likelihood, data_of_a_user)
{
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    bln_likelihood_ops ops;
    const bln_likelihood user = likelihood_user(&poisson, &ops);
    double y[2] = { 0.0, 1.0 }, trials[2] = { 1.0, 1.0 };
    bln_data data = BLN_ZERO;
    bln_report report;
    data.n = 2;
    data.y = y;
    ops.domain = NULL;
    CHECK_OK(bln_likelihood_check_data(&user, &data, &report));
    y[1] = 1.5;
    likelihood_refuses(&user, &data, BLN_EDOMAIN, 1, "whole number");
    y[1] = -1.0;
    likelihood_refuses(&user, &data, BLN_EDOMAIN, 1, "support");
    ops.support = likelihood_ten;
    y[1] = 11.0;
    likelihood_refuses(&user, &data, BLN_EDOMAIN, 1, "support");
    CHECK_STATUS(bln_likelihood_check_data(&user, &data, NULL), BLN_EDOMAIN);
    CHECK_STATUS(bln_likelihood_check_data(&user, &data, &report), BLN_EDOMAIN);
    CHECK(!strcmp(report.text, "y is outside the support of the likelihood, row 1") && report.column == data.d);
    y[1] = 1.0;
    data.trials = trials;
    likelihood_refuses(&user, &data, BLN_EINVAL, BLN_NONE, "no trials");
    ops.domain = likelihood_marked;                              /* which decides, also of a real y */
    ops.discrete = 0;
    trials[1] = 2.0;
    y[1] = -1.5;
    CHECK_OK(bln_likelihood_check_data(&user, &data, &report));
    trials[0] = 3.0;
    likelihood_refuses(&user, &data, BLN_EDOMAIN, 0, "1 or 2");
}

/* ---- tables that cannot be used */

static void likelihood_bad_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    (void)l; (void)trials;
    *low = -HUGE_VAL;
    *high = 0.0;
}

static void likelihood_bad_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    (void)l; (void)k; (void)mean; (void)sd;
    out->kind = BLN_PARAM_POSITIVE;
}

TEST(likelihood, tables)
{
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    bln_likelihood_ops ops;
    bln_likelihood user = likelihood_user(&poisson, &ops), none = BLN_ZERO;
    CHECK(bln_likelihood_check(&user) == NULL);
    CHECK_TEXT(bln_likelihood_check(NULL), "NULL");
    CHECK_TEXT(bln_likelihood_check(&none), "no table");
    ops.name = "Not a name";
    CHECK_TEXT(bln_likelihood_check(&user), "name");
    ops.name = "user";
    ops.logp = NULL;
    CHECK_TEXT(bln_likelihood_check(&user), "neither");
    ops.logp = likelihood_user_logp;
    ops.n_constants = 3;
    CHECK_TEXT(bln_likelihood_check(&user), "too many constants");
    ops.n_constants = 1;
    CHECK_TEXT(bln_likelihood_check(&user), "do not match");
    ops.n_constants = 0;
    for (size_t k = 0; k < 3; k++) {
        const double levels[3] = { -0.1, 1.0, NAN };
        user.level = levels[k];
        CHECK_TEXT(bln_likelihood_check(&user), "level");
    }
    user.level = 0.0;
    ops.support = likelihood_bad_support;
    CHECK_TEXT(bln_likelihood_check(&user), "lower end");
    ops.support = NULL;
    user.n_theta = 1;
    ops.param = likelihood_bad_param;
    CHECK_TEXT(bln_likelihood_check(&user), "start outside");
    ops.param = NULL;
    CHECK_TEXT(bln_likelihood_check(&user), "no function param");
    user.n_theta = BLN_LIKELIHOOD_THETA + 1;
    CHECK_TEXT(bln_likelihood_check(&user), "too many parameters");
}

/* Parameters in the domain of their kind; the ends that searches keep to do not count, those of an interval do. */
static bln_param likelihood_kinds_param;
static void likelihood_kinds(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    (void)l; (void)k; (void)mean; (void)sd;
    *out = likelihood_kinds_param;
}

TEST(likelihood, usable_parameters)
{
    const struct { bln_param_kind kind; double eta; int good; } cases[] = {
        { BLN_PARAM_REAL, -3.0, 1 },    { BLN_PARAM_REAL, NAN, 0 },       { BLN_PARAM_REAL, HUGE_VAL, 0 },
        { BLN_PARAM_POSITIVE, 9.0, 1 }, { BLN_PARAM_POSITIVE, 0.0, 0 },   { BLN_PARAM_LOG, 9.0, 1 },    { BLN_PARAM_LOG, -1.0, 0 },
        { BLN_PARAM_INTERVAL, 0.5, 1 }, { BLN_PARAM_INTERVAL, 0.25, 0 },  { BLN_PARAM_INTERVAL, 2.0, 0 } };
    const bln_likelihood gauss = bln_likelihood_gaussian();
    bln_likelihood_ops ops;
    const bln_likelihood user = likelihood_user(&gauss, &ops);
    ops.param = likelihood_kinds;
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        memset(&likelihood_kinds_param, 0, sizeof likelihood_kinds_param);
        likelihood_kinds_param.kind = cases[i].kind;
        likelihood_kinds_param.lo = 0.25;
        likelihood_kinds_param.hi = 2.0;
        likelihood_kinds_param.start = 1.0;
        CHECK(blni_eta_usable(&user, &cases[i].eta) == cases[i].good);
    }
}

/* The first of its name in a list, with its number of parameters and no other; a sized table takes any. */
TEST(likelihood, found_by_name)
{
    bln_likelihood list[4], l = BLN_ZERO;
    list[0] = bln_likelihood_gaussian();
    list[1] = bln_likelihood_binomial(BLN_LINK_LOG);                /* there is none: skipped */
    list[2] = bln_likelihood_ordinal(3);
    list[3] = list[0];
    list[3].n_theta = 0;
    CHECK_OK(bln_likelihood_find(list, 4, "gaussian", 1, 1, &l));
    CHECK(l.ops == list[0].ops && l.n_theta == 1);
    CHECK_STATUS(bln_likelihood_find(list, 4, "gaussian", 0, 1, &l), BLN_ESHAPE);
    CHECK_OK(bln_likelihood_find(list, 4, "ordinal", 6, 1, &l));
    CHECK_SIZE(l.n_theta, 6);
    CHECK_OK(bln_likelihood_find(list, 4, "ordinal", BLN_LIKELIHOOD_THETA, 1, &l));
    CHECK(bln_likelihood_check(&l) == NULL);
    CHECK_STATUS(bln_likelihood_find(list, 4, "ordinal", 0, 1, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 4, "ordinal", BLN_LIKELIHOOD_THETA + 1, 1, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 4, "ordinal", (size_t)-1, 1, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find(list, 2, "ordinal", 2, 1, &l), BLN_EUNKNOWN);
    CHECK_STATUS(bln_likelihood_find(NULL, 0, "gaussian", 1, 1, &l), BLN_EUNKNOWN);
    CHECK_STATUS(bln_likelihood_find(NULL, 1, "gaussian", 1, 1, &l), BLN_EINVAL);
    CHECK_STATUS(bln_likelihood_find(list, 4, NULL, 1, 1, &l), BLN_EINVAL);
    CHECK_STATUS(bln_likelihood_find(list, 4, "gaussian", 1, 1, NULL), BLN_EINVAL);
}

/* Of a discrete y, log(-dP(Y <= y)/df) beside differences of the smaller tail, of the fourth order: their error is h^4/30 of the
 * fifth derivative, which is below bend^4 of the first (a derivative of a product of powers of rates adds a factor below y + 5 and
 * a rate), and that of tails that are right to 1e-13, 1.5/h of these. */
TEST(likelihood, slope_of_the_cdf)
{
    static const double at[] = { -2.0, -1.0, 1.0, 2.0 }, share[] = { 1.0/12.0, -8.0/12.0, 8.0/12.0, -1.0/12.0 };
    const double h = 5e-4;
    size_t slopes = 0;
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        if (!l.ops->discrete || !l.ops->cdf_slope) continue;
        for (double other = 1.0; other < (strcmp(k->name, "ordinal") ? 4.0 : 2.0); other += 2.0)
            for (double y = 0.0; y < (strncmp(k->name, "binomial", 8) ? 3.0 : other); y += 1.0)
                for (double f = -1.7; f < 2.0; f += 1.1) {
                    likelihood_row r;
                    double slope, low, high, sum = 0.0, tail = 0.0, room[BLNI_CONSTANTS_ROOM];
                    const double bend = h*(5.0 + y + other*(4.0 + exp(f)));
                    likelihood_row_set(&r, &l, y, other);
                    bln_likelihood_cdf(&l, k->theta, 1, &r.t, &f, &low, &high);
                    const int upper = high < low;
                    for (size_t i = 0; i < 4; i++) {
                        const double near = f + at[i]*h;
                        bln_likelihood_cdf(&l, k->theta, 1, &r.t, &near, &low, &high);
                        tail = upper ? high : low;
                        sum -= share[i]*(upper ? -tail : tail);
                    }
                    const bln_targets t = blni_targets_block(&l, k->theta, &r.t, 0, 1, room);
                    l.ops->cdf_slope(&l, k->theta, 1, &t, &f, &slope);
                    likelihood_near(exp(slope)*h, sum, exp(slope)*h*pow(bend, 4.0)/30.0 + 1.5e-13*tail, "slope of the cdf", k->name,
                                    y, f);
                    slopes++;
                }
    }
    CHECK(slopes > 100);
}

SUITE_BEGIN(likelihood)
SUITE_TEST(likelihood, extreme_f)
SUITE_TEST(likelihood, found_by_name)
SUITE_TEST(likelihood, extreme_f_of_y)
SUITE_TEST(likelihood, infinite_f)
SUITE_TEST(likelihood, slope_of_the_cdf)
SUITE_TEST(likelihood, differences)
SUITE_TEST(likelihood, default_distribution)
SUITE_TEST(likelihood, default_draws)
SUITE_TEST(likelihood, constants_and_blocks)
SUITE_TEST(likelihood, parameters)
SUITE_TEST(likelihood, data)
SUITE_TEST(likelihood, data_of_a_user)
SUITE_TEST(likelihood, tables)
SUITE_TEST(likelihood, usable_parameters)
SUITE_END(likelihood)
