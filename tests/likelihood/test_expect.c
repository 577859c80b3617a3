/* expect: expectations against high precision, at the accuracy asked for, by every way of getting them; by given nodes, and that
 * these give exact gradients; rows, limits; a user's log p alone. */
#include "likelihood_tools.h"
#include "../golden/expect_golden.h"
#include "../golden/glm_nodes_golden.h"

/* The measure of the reference: tol max(1, |want|). Where log p grows the terms of the sum are larger than the sum: they are
 * bounded by that of |l| <= |want| + (y + 1)(|m| + 9 s), of which rounding takes a few eps. */
static void expect_check(const golden_expect_row *g, const double *got, double tolerance, double terms)
{
    static const char *const names[3] = { "E log p", "E d1", "E d2" };
    const bln_likelihood l = likelihood_named(g->family);
    for (size_t j = 0; j < 3; j++) {
        const double want = likelihood_golden(g->value[j + 1]), size = fabs(want) > 1.0 ? fabs(want) : 1.0;
        if (want <= -1e308) { CHECK(got[j] == -HUGE_VAL); continue; }                  /* E e^f is beyond the doubles */
        likelihood_near(got[j], want, tolerance*size + (j ? 0.0 : terms), names[j], g->family, g->y, g->m);
    }
    for (size_t k = 0; k < l.n_theta; k++) {
        const double want = g->theta_k[k], size = fabs(want) > 1.0 ? fabs(want) : 1.0;
        likelihood_near(got[3 + k], want, tolerance*size, "E d/dtheta", g->family, g->y, g->m);
    }
}

static void expect_golden_at(double tolerance, double allowed)
{
    for (size_t i = 0; i < sizeof golden_expect_rows/sizeof *golden_expect_rows; i++) {
        const golden_expect_row *g = golden_expect_rows + i;
        const bln_likelihood l = likelihood_named(g->family);
        const double v = g->value[0];
        likelihood_row r;
        double got[6];
        const size_t before = test_failures;
        likelihood_row_set(&r, &l, g->y, g->other);
        blni_likelihood_expect(&l, g->theta, 1, &r.t, &g->m, &v, tolerance, got, got + 1, got + 2, got + 3, 1);
        got[2] *= 2.0;
        expect_check(g, got, allowed, 8.0*DBL_EPSILON*(g->y + g->other)*(fabs(g->m) + 9.0*sqrt(v)));
        if (test_failures != before) printf("    v = %g\n", v);
    }
}

TEST(expect, golden) { expect_golden_at(0.0, 1e-10); }
TEST(expect, golden_tighter) { expect_golden_at(1e-13, 2e-13); }
TEST(expect, golden_looser) { expect_golden_at(1e-5, 1e-5); }

/* ---- given nodes */

/* The reference's models: 6 rows, two components, by 20 Gauss-Hermite nodes, 35 of the trapezoid rule and 4 draws a row. h = 2 dv
 * is sum w d1 z/s of terms |d1| up to 60, of which rounding takes a few eps: 1e-12. */
TEST(expect, given_nodes)
{
    for (size_t i = 0; i < sizeof golden_nodes_sums/sizeof *golden_nodes_sums; i++) {
        const golden_nodes_row *g = golden_nodes_sums + i;
        double theta[2], trials, y[12], o[12], z[48], w[64], value[12], dm[12], dv[12];
        const bln_likelihood l = likelihood_of_model(g->likelihood, theta, &trials);
        const double *ys = !l.ops->discrete ? golden_nodes_y_real : strncmp(g->likelihood, "bernoulli", 9) ? golden_nodes_y_count
                                                                                                      : golden_nodes_y_binary;
        bln_targets t = BLN_ZERO;
        size_t Q = 20, ldz = 0;
        for (size_t j = 0; j < 12; j++) { y[j] = ys[j/2]; o[j] = trials; }
        t.y = y;
        if (l.ops->discrete) t.trials = o;
        if (!strcmp(g->rule, "gh20")) CHECK_OK(blni_gauss_hermite(20, z, w));
        else if (!strcmp(g->rule, "trap0.5")) Q = blni_normal_trapezoid(0.5, 0, 35, z, w);
        else {
            Q = 4;
            ldz = 12;
            for (size_t j = 0; j < 48; j++) z[j] = golden_nodes_eps[(j % 12)*4 + j/12];
            for (size_t q = 0; q < 4; q++) w[q] = 0.25;
        }
        blni_likelihood_expect_nodes(&l, theta, 12, &t, golden_nodes_mu, golden_nodes_v, Q, z, ldz, w, value, dm, dv, NULL, 0);
        for (size_t j = 0; j < 12; j++) {
            likelihood_near(value[j], g->value[0][j], 1e-13*(1.0 + fabs(g->value[0][j])), g->rule, g->likelihood, y[j], (double)j);
            likelihood_near(dm[j], g->value[1][j], 1e-13*(1.0 + fabs(g->value[1][j])), g->rule, g->likelihood, y[j], (double)j);
            likelihood_near(2.0*dv[j], g->value[2][j], 1e-12*(1.0 + fabs(g->value[2][j])), g->rule, g->likelihood, y[j], (double)j);
        }
    }
}

static void expect_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp)
{
    const bln_likelihood_ops *behind = (const bln_likelihood_ops *)l->user;
    behind->eval(l, theta, n, t, f, logp, NULL, NULL, NULL);
}

/* dm, dv and dtheta are the derivatives of value as it stands, however coarse the rule: central differences of relative step 1e-5,
 * whose errors are some (1e-5)^2 of a third derivative and 1e-16/1e-5: 1e-8. */
TEST(expect, gradients_of_the_sum)
{
    const double z[3] = { -1.3, 0.2, 1.7 }, w[3] = { 0.3, 0.4, 0.3 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        likelihood_row r;
        double x[5], got[6], up, down;
        likelihood_row_set(&r, &l, 2.0, strcmp(k->name, "ordinal") ? 3.0 : 1.0);
        x[0] = 0.4;
        x[1] = 0.9;
        memcpy(x + 2, k->theta, 3*sizeof *x);
        blni_likelihood_expect_nodes(&l, x + 2, 1, &r.t, x, x + 1, 3, z, 0, w, got, got + 1, got + 2, got + 3, 1);
        for (size_t j = 0; j < 2 + l.n_theta; j++) {
            const double h = 1e-5*fabs(x[j]), at = x[j];
            x[j] = at + h;
            blni_likelihood_expect_nodes(&l, x + 2, 1, &r.t, x, x + 1, 3, z, 0, w, &up, NULL, NULL, NULL, 0);
            x[j] = at - h;
            blni_likelihood_expect_nodes(&l, x + 2, 1, &r.t, x, x + 1, 3, z, 0, w, &down, NULL, NULL, NULL, 0);
            x[j] = at;
            likelihood_near((up - down)/(2.0*h), got[1 + j], 1e-8*(1.0 + fabs(got[1 + j])), "gradient", k->name, 2.0, (double)j);
        }
    }
}

/* An output that is not wanted changes none of the others, which are computed in another way at most: narrow, wider and very wide
 * normals, with derivatives and from log p alone; by nodes that are given. */
TEST(expect, outputs)
{
    static const char *const names[3] = { "student_t", "negative_binomial", "binomial_logit" };
    const double m[4] = { 0.4, -0.3, 0.1, 0.2 }, v[4] = { 0.01, 0.3, 900.0, 0.0 }, y[4] = { 1.0, 0.0, 1.0, 1.0 };
    const double z[3] = { -1.3, 0.2, 1.7 }, w[3] = { 0.3, 0.4, 0.3 };
    for (size_t c = 0; c < 6; c++) {
        const likelihood_case *k = likelihood_case_of(names[c % 3]);
        bln_likelihood l = likelihood_named(names[c % 3]);
        bln_likelihood_ops ops = *l.ops;
        bln_targets t = BLN_ZERO;
        double all[20], some[20];
        t.y = y;
        if (c >= 3) ops.eval = NULL;
        if (c >= 3) ops.logp = expect_logp;
        l.user = l.ops;
        l.ops = &ops;
        for (int set = 15; set >= 0; set--) {
            double *x = set == 15 ? all : some;
            for (size_t i = 0; i < 20; i++) x[i] = -77.5;
            double *const dm = set & 1 ? x + 4 : NULL, *const dv = set & 2 ? x + 8 : NULL, *const dt = set & 4 ? x + 12 : NULL;
            if (set & 8) blni_likelihood_expect(&l, k->theta, 4, &t, m, v, 1e-9, x, dm, dv, dt, 4);
            else blni_likelihood_expect_nodes(&l, k->theta, 4, &t, m, v, 3, z, 0, w, x, dm, dv, dt, 4);
            if (set == 15 || set == 7) memcpy(all, x, sizeof all);
            for (size_t i = 0; i < 12 + 4*l.n_theta; i++) {
                const int wanted = i < 4 || set & 1 << (i/4 - 1 < 2 ? i/4 - 1 : 2);
                likelihood_near(x[i], wanted ? all[i] : -77.5, 1e-13*(1.0 + fabs(all[i])), "output", names[c % 3], (double)set,
                                (double)i);
            }
        }
    }
}

/* The breaks of panels ascend, also where one around the singularity stands on one of the others. */
TEST(expect, breaks)
{
    static const double centres[4] = { 0.0, 2.0, -9.0, 40.0 };
    for (size_t i = 0; i < 4; i++) {
        double breaks[BLNI_INTEGRATE_BREAKS];
        const size_t n = blni_panel_breaks(centres[i], 1.0, breaks);
        CHECK(n >= 9 && breaks[0] == -9.0 && breaks[n - 1] == 9.0);
        for (size_t k = 1; k < n; k++) CHECK(breaks[k] > breaks[k - 1]);
    }
}

/* ---- blocks, limits */

/* Rows are cut into blocks and sorted by their rule, and a row of its own gives the same bits; outputs that are not wanted change
 * nothing; constants brought or not. */
TEST(expect, rows_do_not_depend_on_their_neighbours)
{
    enum { N = 300 };
    double y[N], o[N], m[N], v[N], value[N], dm[N], dv[N], dtheta[3*N], one[6], constants[2*N];
    test_random random = test_random_new(2);
    for (size_t i = 0; i < N; i++) {
        y[i] = floor(4.0*test_uniform(&random));
        o[i] = 3.0;
        m[i] = 2.0*test_normal(&random);
        v[i] = i % 50 == 0 ? 0.0 : exp(3.0*test_normal(&random));
    }
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        bln_targets t = BLN_ZERO;
        t.y = y;
        if (!l.ops->discrete) t.noise_var = o;
        else if (strcmp(k->name, "ordinal")) t.trials = o;
        likelihood_constants(&l, k->theta, N, &t, constants, N);
        t.constants = constants;
        t.ldc = N;
        blni_likelihood_expect(&l, k->theta, N, &t, m, v, 1e-6, value, dm, dv, dtheta, N);
        for (size_t i = 0; i < N; i += 25) {
            bln_targets at = blni_targets_from(&t, i);
            if (i % 2) at.constants = NULL;
            blni_likelihood_expect(&l, k->theta, 1, &at, m + i, v + i, 1e-6, one, one + 1, one + 2, one + 3, 1);
            CHECK(one[0] == value[i] && one[1] == dm[i] && one[2] == dv[i]);
            for (size_t j = 0; j < l.n_theta; j++) CHECK(one[3 + j] == dtheta[j*N + i]);
            blni_likelihood_expect(&l, k->theta, 1, &at, m + i, v + i, 1e-6, one, NULL, NULL, NULL, 0);
            CHECK_NEAR(one[0], value[i], 4.0*DBL_EPSILON*fabs(value[i]));
        }
    }
}

/* log p of many trials is many times larger than that of one, and cancels: a rule fine enough for one is not for them. By mpmath's
 * quadrature to 40 digits. */
TEST(expect, many_trials)
{
    static const struct { bln_link link; double trials, y, m, v, value; } row[] = {
        { BLN_LINK_PROBIT,  1e9, 999023054.0, 3.0966266, 0.0039633, -22227.067678203245 },
        { BLN_LINK_PROBIT,  1e6, 498.0,      -3.29138,   0.0045106, -18.357052124793616 },
        { BLN_LINK_PROBIT,  1e4, 7691.0,      0.735779,  0.0051545, -18.09807814870027 },
        { BLN_LINK_PROBIT,  1e9, 12.0,       -5.5836,    0.004459,  -3.0669572016372553 },
        { BLN_LINK_CLOGLOG, 1e8, 1e8,         3.053287,  7.114e-4,  -0.073220774504094972 },
        { BLN_LINK_LOGIT,   1e6, 616564.0,    0.47531,   0.005162,  -616.92466005232639 }
    };
    for (size_t i = 0; i < sizeof row/sizeof *row; i++) {
        const bln_likelihood l = bln_likelihood_binomial(row[i].link);
        double value, dm, dv, fine, fine_dm, fine_dv;
        bln_targets t;
        memset(&t, 0, sizeof t);
        t.y = &row[i].y;
        t.trials = &row[i].trials;
        blni_likelihood_expect(&l, NULL, 1, &t, &row[i].m, &row[i].v, 0.0, &value, &dm, &dv, NULL, 1);
        CHECK_REL(value, row[i].value, 1e-10*fmax(1.0, 1.0/fabs(row[i].value)));
        blni_likelihood_expect(&l, NULL, 1, &t, &row[i].m, &row[i].v, 1e-13, &fine, &fine_dm, &fine_dv, NULL, 1);
        CHECK_REL(dm, fine_dm, 1e-10);
        CHECK_REL(dv, fine_dv, 1e-10);
    }
}

/* v = 0 is the point m; NaN stays NaN; a likelihood that falls off like e^f is -inf where it must be. */
TEST(expect, limits)
{
    const double zero = 0.0, m = 0.7, nan = NAN, one = 1.0, huge = 2000.0;
    const bln_likelihood poisson = bln_likelihood_poisson(BLN_LINK_LOG);
    double got[3];
    likelihood_row r;
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++) {
        const likelihood_case *k = likelihood_cases + c;
        const bln_likelihood l = likelihood_named(k->name);
        double want[3];
        likelihood_row_set(&r, &l, 2.0, strcmp(k->name, "ordinal") ? 3.0 : 1.0);
        bln_likelihood_eval(&l, k->theta, 1, &r.t, &m, want, want + 1, want + 2, NULL);
        blni_likelihood_expect(&l, k->theta, 1, &r.t, &m, &zero, 0.0, got, got + 1, got + 2, NULL, 0);
        for (size_t j = 0; j < 3; j++) CHECK_NEAR(got[j], j < 2 ? want[j] : 0.5*want[j], 1e-14*(1.0 + fabs(want[j])));
        blni_likelihood_expect(&l, k->theta, 1, &r.t, &nan, &one, 0.0, got, got + 1, got + 2, NULL, 0);
        CHECK(got[0] != got[0] && got[1] != got[1]);
        blni_likelihood_expect(&l, k->theta, 1, &r.t, &m, &nan, 0.0, got, got + 1, got + 2, NULL, 0);
        CHECK(got[0] != got[0]);
    }
    likelihood_row_set(&r, &poisson, 2.0, 1.0);
    blni_likelihood_expect(&poisson, NULL, 1, &r.t, &m, &huge, 0.0, got, got + 1, got + 2, NULL, 0);
    CHECK(got[0] == -HUGE_VAL && got[1] == -HUGE_VAL && got[2] == -HUGE_VAL);
}

/* Far out and wide, for every likelihood: no NaN. The value is at most 0 of what is discrete, and -infinity where the mean of e^f
 * is infinite, or where log p is below the doubles. */
TEST(expect, extremes)
{
    static const double ms[] = { -800.0, -30.0, 0.0, 30.0, 800.0 }, vs[] = { 1e-9, 1.0, 300.0, 1e5 }, ys[] = { 0.0, 1.0, 3.0 };
    for (size_t c = 0; c < LIKELIHOOD_CASES; c++)
        for (size_t i = 0; i < 60; i++) {
            const likelihood_case *k = likelihood_cases + c;
            const bln_likelihood l = likelihood_named(k->name);
            double got[3], dtheta[3];
            likelihood_row r;
            likelihood_row_set(&r, &l, ys[i % 3], strcmp(k->name, "ordinal") ? 3.0 : 1.0);
            blni_likelihood_expect(&l, k->theta, 1, &r.t, ms + i/12, vs + i/3%4, 0.0, got, got + 1, got + 2, dtheta, 1);
            for (size_t j = 0; j < 3; j++) likelihood_near(got[j] == got[j], 1.0, 0.0, "a number", k->name, r.y, ms[i/12]);
            for (size_t j = 0; j < l.n_theta; j++)
                likelihood_near(dtheta[j] == dtheta[j], 1.0, 0.0, "a number", k->name, r.y, ms[i/12]);
            CHECK(!l.ops->discrete || got[0] <= DBL_EPSILON);
        }
}

/* ---- a user's likelihood of log p alone */

static void expect_behind(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                          double *logp)
{
    bln_likelihood_logp((const bln_likelihood *)l->user, theta, n, t, f, logp);
}

static void expect_singularity(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre,
                               double *width)
{
    const bln_likelihood *behind = (const bln_likelihood *)l->user;
    behind->ops->singularity(behind, theta, n, t, centre, width);
}

/* By the identities of Bonnet and Price, from narrow normals, where they are differences, to wide ones. Rounding of log p of size L
 * comes through as eps L/s and eps L/s^2 with s >= width/32: 2e-12 L; a smooth log p has the tolerance of 1e-10. */
TEST(expect, log_p_alone)
{
    static const double vs[] = { 1e-8, 1e-3, 0.5, 4.0, 60.0, 3000.0 };
    static const char *const smooth[] = { "binomial_logit", "poisson_softplus", "negative_binomial", "student_t", "ordinal" };
    for (size_t c = 0; c < 5; c++) {
        const bln_likelihood l = likelihood_named(smooth[c]);
        const double theta[3] = { strcmp(smooth[c], "ordinal") ? 0.8 : -1.0, 3.5, 2.5 };
        bln_likelihood_ops ops;
        bln_likelihood user = BLN_ZERO;
        memset(&ops, 0, sizeof ops);
        ops.name = "user";
        ops.discrete = l.ops->discrete;
        ops.logp = expect_behind;
        ops.singularity = expect_singularity;
        user.ops = &ops;
        user.n_theta = 0;
        user.user = &l;
        for (size_t i = 0; i < sizeof vs/sizeof *vs; i++) {
            const double m = -0.6;
            likelihood_row r;
            double a[3], b[3];
            likelihood_row_set(&r, &l, 2.0, c == 4 ? 1.0 : 3.0);
            blni_likelihood_expect(&l, theta, 1, &r.t, &m, vs + i, 0.0, a, a + 1, a + 2, NULL, 0);
            blni_likelihood_expect(&user, theta, 1, &r.t, &m, vs + i, 0.0, b, b + 1, b + 2, NULL, 0);
            for (size_t j = 0; j < 3; j++)
                likelihood_near(b[j], a[j], (j == 2 && vs[i] < 1e-2 ? 1e-9 : 3e-10)*(1.0 + fabs(a[0])), "identity", smooth[c], 2.0,
                                vs[i]);
        }
    }
}

/* A kink: log p of Laplace without its closed form. Rules for smooth functions miss by some percent of s/b; panels find it. */
TEST(expect, log_p_alone_with_a_kink)
{
    const bln_likelihood l = bln_likelihood_laplace();
    const double theta = 0.05, m = 0.3, v = 4.0;
    bln_likelihood_ops ops;
    bln_likelihood user = BLN_ZERO;
    likelihood_row r;
    double a[3], b[3];
    memset(&ops, 0, sizeof ops);
    ops.name = "user";
    ops.logp = expect_behind;
    ops.singularity = expect_singularity;
    user.ops = &ops;
    user.n_theta = 0;
    user.user = &l;
    likelihood_row_set(&r, &l, 1.1, 1.0);
    blni_likelihood_expect(&l, &theta, 1, &r.t, &m, &v, 0.0, a, a + 1, a + 2, NULL, 0);
    blni_likelihood_expect(&user, &theta, 1, &r.t, &m, &v, 0.0, b, b + 1, b + 2, NULL, 0);
    for (size_t j = 0; j < 3; j++) CHECK_NEAR(b[j], a[j], 1e-9*(1.0 + fabs(a[0])));
}

SUITE_BEGIN(expect)
SUITE_TEST(expect, golden)
SUITE_TEST(expect, many_trials)
SUITE_TEST(expect, golden_tighter)
SUITE_TEST(expect, golden_looser)
SUITE_TEST(expect, given_nodes)
SUITE_TEST(expect, gradients_of_the_sum)
SUITE_TEST(expect, rows_do_not_depend_on_their_neighbours)
SUITE_TEST(expect, limits)
SUITE_TEST(expect, extremes)
SUITE_TEST(expect, log_p_alone)
SUITE_TEST(expect, log_p_alone_with_a_kink)
SUITE_TEST(expect, outputs)
SUITE_TEST(expect, breaks)
SUITE_END(expect)
