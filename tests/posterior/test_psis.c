/* psis: what other software makes of the same ratios, a straight re-implementation of whole scores, the closed form of Gaussian
 * rows left out, shapes that are known, edges, and every way it can fail */
#include "../test.h"
#include "../golden/psis_golden.h"

/* Ratios are given with 9 digits, as R had them; some 10^3 roundings of order eps, which the slopes of the fit (of l in b: M) make
 * 1e-13 of k_hat. The golden weights have 15 digits. */
TEST(psis, golden)
{
    for (size_t c = 0; c < sizeof golden_psis_cases/sizeof *golden_psis_cases; c++) {
        const golden_psis_case *g = golden_psis_cases + c;
        double *l = test_doubles(g->n), *work = test_doubles(bln_psis_work(g->n)), k, squares = 0.0;
        memcpy(l, g->ratio, g->n*sizeof *l);
        CHECK_OK(bln_psis(g->n, l, 0.0, &k, work, NULL));
        CHECK_NEAR(k, g->k_hat, 1e-11);
        for (size_t s = 0; s < g->n; s++) squares += exp(2.0*l[s]);
        CHECK_REL(1.0/squares, g->n_eff, 1e-11);
        CHECK_NEAR(bln_logsumexp(g->n, l), 0.0, 1e-13);
        blni_sort(g->n, l, NULL);
        for (size_t i = 0; i < 3; i++) CHECK_NEAR(l[g->n - 1 - i], g->largest[i], 1e-11);
        free(l);
        free(work);
    }
}

/* The table of tools/golden_psis.py: S draws of a logistic variable, n rows, with stride ld. */
enum { PSIS_S = 300, PSIS_N = 7, PSIS_LD = 9 };
static void psis_table(double *table)
{
    test_random r;
    r.state = 7;
    for (size_t s = 0; s < PSIS_S; s++) {
        const double u = test_uniform(&r), w = log(u/(1.0 - u));
        for (size_t i = 0; i < PSIS_LD; i++) {
            const double d = 0.5*(double)i - w;
            table[s*PSIS_LD + i] = i < PSIS_N ? -0.05*d*d : NAN;
        }
    }
}

static void psis_check_total(const bln_elpd *got, const double *want)
{
    CHECK_REL(got->elpd, want[0], 1e-11);
    CHECK_REL(got->se, want[1], 1e-11);
    CHECK_REL(got->parameters, want[2], 1e-11);
    CHECK_NEAR(got->rows, want[3], 0.0);
}

TEST(psis, scores_of_a_table)
{
    static const double weight[PSIS_N] = { 1, 2, 0, 1, 0.5, 1, 3 };
    double *table = test_doubles(PSIS_S*PSIS_LD), *work = test_doubles(bln_psis_loo_work(PSIS_S)), elpd[PSIS_N], k[PSIS_N];
    bln_elpd total;
    bln_report report;
    psis_table(table);
    for (int weighted = 0; weighted < 2; weighted++) {
        const double *want_elpd = weighted ? golden_psis_weighted_elpd : golden_psis_plain_elpd;
        const double *want_k = weighted ? golden_psis_weighted_k_hat : golden_psis_plain_k_hat;
        CHECK_OK(bln_psis_loo(PSIS_S, PSIS_N, table, PSIS_LD, weighted ? weight : NULL, weighted ? 0.4 : 0.0, elpd, k, &total, work,
                              &report));
        for (size_t i = 0; i < PSIS_N; i++) {
            CHECK_NEAR(elpd[i], want_elpd[i], 1e-11);
            if (want_k[i] > -1e308) CHECK_NEAR(k[i], want_k[i], 1e-11);
            else CHECK(k[i] == -HUGE_VAL);
        }
        psis_check_total(&total, weighted ? golden_psis_weighted_total : golden_psis_plain_total);
        /* above limit(300) = 0.596: rows 0 and 1, weighted rows 0, 1 and 6 */
        CHECK_SIZE(total.bad, weighted ? 3 : 2);
        CHECK_SIZE(total.worst, weighted ? 6 : 1);
        CHECK_NEAR(total.worst_k, k[total.worst], 0.0);
    }
    CHECK_OK(bln_waic(PSIS_S, PSIS_N, table, PSIS_LD, NULL, elpd, k, &total, work, &report));
    for (size_t i = 0; i < PSIS_N; i++) CHECK_NEAR(elpd[i], golden_psis_waic_elpd[i], 1e-12);
    psis_check_total(&total, golden_psis_waic_total);
    CHECK_SIZE(total.bad, 0);
    CHECK_SIZE(total.worst, PSIS_N - 1);
    CHECK_OK(bln_psis_loo(PSIS_S, PSIS_N, table, PSIS_LD, NULL, 0.0, NULL, NULL, &total, work, NULL));
    CHECK_OK(bln_waic(PSIS_S, PSIS_N, table, PSIS_LD, NULL, NULL, NULL, &total, work, NULL));
    free(table);
    free(work);
}

/* y_i ~ N(w, 1), w ~ N(0, 4): the posterior is N(m, C), and without y_i that of the others, both closed. Draws of the first give
 * the density of y_i under the second with a standard error of sqrt(sum_s W_s^2 (p_s/p - 1)^2) relative, W the smoothed weights; 5
 * of them, and for the bias of smoothing one more. WAIC differs from the truth by terms of third order in C (a tenth). */
TEST(psis, gaussian_rows_left_out)
{
    enum { S = 4000, N = 12 };
    double *table = test_doubles(S*N), *work = test_doubles(bln_psis_loo_work(S)), *l = test_doubles(S);
    double y[N], elpd[N], k[N], sum = 0.0;
    bln_elpd total;
    test_random r = test_random_new(1);
    double truth = 0.0;
    for (size_t i = 0; i < N; i++) sum += y[i] = 0.7 + test_normal(&r);
    const double precision = 0.25 + N, m = sum/precision;
    for (size_t s = 0; s < S; s++) {
        const double w = m + test_normal(&r)/sqrt(precision);
        for (size_t i = 0; i < N; i++) table[s*N + i] = bln_norm_logpdf(y[i] - w);
    }
    CHECK_OK(bln_psis_loo(S, N, table, N, NULL, 0.0, elpd, k, &total, work, NULL));
    for (size_t i = 0; i < N; i++) {
        const double rest = precision - 1.0, sd = sqrt(1.0 + 1.0/rest);
        const double want = bln_norm_logpdf((y[i] - (sum - y[i])/rest)/sd) - log(sd);
        double error = 0.0;
        for (size_t s = 0; s < S; s++) l[s] = -table[s*N + i];
        CHECK_OK(bln_psis(S, l, 0.0, NULL, work, NULL));
        for (size_t s = 0; s < S; s++) {
            const double e = exp(l[s])*(exp(table[s*N + i] - elpd[i]) - 1.0);
            error += e*e;
        }
        CHECK_NEAR(elpd[i], want, 6.0*sqrt(error));
        CHECK_LE(sqrt(error), 0.01);
        truth += want;
    }
    CHECK_SIZE(total.bad, 0);
    CHECK_NEAR(total.elpd, truth, 0.1);
    CHECK_NEAR(total.parameters, 1.0, 0.5);
    CHECK_OK(bln_waic(S, N, table, N, NULL, NULL, NULL, &total, work, NULL));
    CHECK_NEAR(total.elpd, truth, 0.1);
    free(table);
    free(work);
    free(l);
}

/* Ratios ((1 - u)^{-k} - 1)/k have the shape k. That of M exceedances has a standard deviation of (1 + k)/sqrt M, and is drawn
 * towards 1/2 by 10/(M + 10); what goes up with u goes up in the order of the weights. */
TEST(psis, known_shapes)
{
    static const double shape[] = { -0.4, 0.2, 0.6, 1.3 };
    enum { S = 3000, M = 165 };
    double *l = test_doubles(S), *u = test_doubles(S), *work = test_doubles(bln_psis_work(S)), k;
    test_random r = test_random_new(2);
    for (size_t c = 0; c < sizeof shape/sizeof *shape; c++) {
        for (size_t s = 0; s < S; s++) {
            u[s] = test_uniform(&r);
            l[s] = 7.0 + log(expm1(-shape[c]*log1p(-u[s]))/shape[c]);
        }
        CHECK_OK(bln_psis(S, l, 1.0, &k, work, NULL));
        CHECK_NEAR(k, (shape[c]*M + 5.0)/(M + 10.0), 5.0*(1.0 + fabs(shape[c]))/sqrt((double)M));
        blni_sort(S, u, l);
        for (size_t s = 1; s < S; s++) CHECK_LE(l[s - 1], l[s]);
    }
    free(l);
    free(u);
    free(work);
}

/* A shift changes nothing, and order nothing but the order; equal ratios are as they are; a tail of few, and infinite ratios, are
 * told; draws that come twice count twice. */
TEST(psis, edges)
{
    enum { S = 200 };
    double l[S], m[S], work[2*S], k, k2;
    test_random r = test_random_new(3);
    for (size_t s = 0; s < S; s++) l[s] = test_normal(&r);
    for (size_t s = 0; s < S; s++) m[s] = l[S - 1 - s] + 700.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK_OK(bln_psis(S, m, 0.0, &k2, work, NULL));
    CHECK_NEAR(k2, k, 1e-10);                                   /* the shift costs 3 digits of 16 */
    for (size_t s = 0; s < S; s++) CHECK_NEAR(m[s], l[S - 1 - s], 1e-10);
    for (size_t s = 0; s < S; s++) l[s] = -3.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(k == -HUGE_VAL);
    CHECK_NEAR(l[7], -log((double)S), 1e-14);
    for (size_t s = 0; s < S; s++) l[s] = s < 4 ? 1.0 + (double)s : 0.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(k == HUGE_VAL);
    for (size_t s = 0; s < S; s++) l[s] = s == 11 ? HUGE_VAL : 0.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(k == HUGE_VAL && l[11] == 0.0 && l[12] == -HUGE_VAL);
    for (size_t s = 0; s < S; s++) l[s] = s < 150 ? -HUGE_VAL : (double)s/10.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(k < HUGE_VAL && l[0] == -HUGE_VAL);
    for (size_t s = 0; s < S; s++) l[s] = -1e6*(double)s;       /* all but one underflow */
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(k == HUGE_VAL && l[0] == 0.0);
    l[0] = 5.0;
    CHECK_OK(bln_psis(1, l, 0.0, &k, work, NULL));
    CHECK(k == HUGE_VAL && l[0] == 0.0);
    for (size_t s = 0; s < S; s++) l[s] = (double)(s/2 % 50)/10.0;
    CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
    CHECK(blni_finite(k) && l[0] == l[1] && l[20] == l[21]);
}

/* Exceedances near the end of the doubles: of some points of the profile the density is no number, or of all, and then the tail has
 * no shape. A shape of 0 is the exponential distribution. */
TEST(psis, ratios_that_nearly_underflow)
{
    enum { S = 200, M = 40 };
    static const double logs[3] = { -713.8, -742.0, -744.4 };
    for (size_t i = 0; i < 3; i++) {
        double l[S], work[2*S], k, sum = 0.0;
        for (size_t s = 0; s < S; s++) l[s] = s < S - M ? -HUGE_VAL : s < S - 1 ? logs[i] : 0.0;
        CHECK_OK(bln_psis(S, l, 0.0, &k, work, NULL));
        for (size_t s = 0; s < S; s++) sum += exp(l[s]);
        CHECK_NEAR(sum, 1.0, 1e-12);
        CHECK(i ? k == HUGE_VAL : k > 0.7);
    }
    for (double p = 0.05; p < 1.0; p += 0.1) {
        const double u = -3.0, sigma = 0.3, l = log(exp(u) - sigma*log1p(-p));
        CHECK_NEAR(blni_pareto_quantile(p, u, 0.0, sigma), l < 0.0 ? l : 0.0, 1e-15);
        CHECK_NEAR(blni_pareto_quantile(p, u, 1e-9, sigma), l < 0.0 ? l : 0.0, 1e-8);
    }
}

TEST(psis, limits)
{
    CHECK_NEAR(bln_psis_limit(100), 0.5, 1e-15);
    CHECK_NEAR(bln_psis_limit(1000000), 0.7, 0.0);
    CHECK_NEAR(bln_psis_limit(3), 0.0, 0.0);
    CHECK_SIZE(bln_psis_work((size_t)-1/3), (size_t)-1/3*2);
    CHECK_SIZE(bln_psis_loo_work((size_t)-1/3), (size_t)-1);
}

/* A draw in which a row is impossible: told in the row's figures. One row has no standard error. */
TEST(psis, impossible)
{
    enum { S = 50 };
    double table[2*S], elpd[2], k[2], work[4*S];
    bln_elpd total;
    for (size_t s = 0; s < S; s++) { table[2*s] = -1.0 - (double)s/50.0; table[2*s + 1] = s == 3 ? -HUGE_VAL : -1.0; }
    CHECK_OK(bln_psis_loo(S, 2, table, 2, NULL, 0.0, elpd, k, &total, work, NULL));
    CHECK(elpd[1] == -HUGE_VAL && k[1] == HUGE_VAL && blni_finite(elpd[0]));
    CHECK(total.elpd == -HUGE_VAL && total.bad >= 1 && total.worst == 1);
    CHECK_OK(bln_waic(S, 2, table, 2, NULL, elpd, k, &total, work, NULL));
    CHECK(elpd[1] == -HUGE_VAL && k[1] == HUGE_VAL && total.worst == 1);
    CHECK_OK(bln_psis_loo(S, 1, table, 2, NULL, 0.0, elpd, k, &total, work, NULL));
    CHECK(total.se != total.se && total.elpd == elpd[0]);
}

TEST(psis, errors)
{
    double table[40], weight[2] = { 1.0, 1.0 }, work[80], k, nan = NAN, none = -HUGE_VAL;
    bln_elpd total;
    bln_report r;
    for (size_t i = 0; i < 40; i++) table[i] = -0.1*(double)i;
    CHECK_STATUS(bln_psis(0, table, 0.0, &k, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(20, NULL, 0.0, &k, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(20, table, 0.0, &k, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(20, table, -1.0, &k, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(20, table, NAN, &k, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(20, table, HUGE_VAL, &k, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis(1, &nan, 0.0, &k, work, &r), BLN_EDATA);
    CHECK_SIZE(r.row, 0);
    CHECK_STATUS(bln_psis(1, &none, 0.0, &k, work, &r), BLN_EUNDEFINED);
    CHECK_STATUS(bln_psis_loo(0, 2, table, 2, NULL, 0.0, NULL, NULL, &total, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 0, table, 2, NULL, 0.0, NULL, NULL, &total, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 2, table, 1, NULL, 0.0, NULL, NULL, &total, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, NULL, HUGE_VAL, NULL, NULL, &total, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, NULL, 0.0, NULL, NULL, NULL, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, NULL, 0.0, NULL, NULL, &total, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, NULL, -1.0, NULL, NULL, &total, work, &r), BLN_EINVAL);
    CHECK_STATUS(bln_waic(1, 2, table, 2, NULL, NULL, NULL, &total, work, &r), BLN_EINVAL);
    weight[1] = -1.0;
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, weight, 0.0, NULL, NULL, &total, work, &r), BLN_EDOMAIN);
    CHECK_SIZE(r.row, 1);
    weight[1] = HUGE_VAL;
    CHECK_STATUS(bln_waic(20, 2, table, 2, weight, NULL, NULL, &total, work, &r), BLN_EDATA);
    table[2*7 + 1] = HUGE_VAL;
    CHECK_STATUS(bln_psis_loo(20, 2, table, 2, NULL, 0.0, NULL, NULL, &total, work, &r), BLN_EDATA);
    CHECK_SIZE(r.row, 1);
    CHECK_SIZE(r.column, 7);
}

SUITE_BEGIN(psis)
SUITE_TEST(psis, golden)
SUITE_TEST(psis, scores_of_a_table)
SUITE_TEST(psis, gaussian_rows_left_out)
SUITE_TEST(psis, known_shapes)
SUITE_TEST(psis, edges)
SUITE_TEST(psis, ratios_that_nearly_underflow)
SUITE_TEST(psis, limits)
SUITE_TEST(psis, impossible)
SUITE_TEST(psis, errors)
SUITE_END(psis)
