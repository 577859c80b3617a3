/* conformal: multiples by counting, coverage of new rows by simulation, what must change nothing, and every error */
#include "../test.h"
#include "../linear/posterior_of.h"

enum { CONFORMAL_N = 40 };

static bln_conformal *conformal_of(size_t n, size_t P, const double *z, const double *weight)
{
    bln_conformal *c = NULL;
    CHECK_OK(bln_conformal_create(NULL, n, P, z, P, weight, &c, NULL));
    return c;
}

/* ---- what it is ---- */

/* z = +-1, +-2, ..., in a shuffled order: q is the ceil(p (N + 1))-th. */
TEST(conformal, counts_rows)
{
    static const struct { size_t n; double level; double want; int enough; } cases[] = {
        { 19, 0.95, 19, 1 }, { 20, 0.95, 20, 1 }, { 38, 0.95, 38, 1 }, { 39, 0.95, 38, 1 }, { 40, 0.95, 39, 1 },
        { 9, 0.9, 9, 1 }, { 10, 0.9, 10, 1 }, { 19, 0.9, 18, 1 }, { 4, 0.8, 4, 1 }, { 1, 0.5, 1, 1 }, { 3, 0.5, 2, 1 },
        { 4, 0.5, 3, 1 }, { 7, 1e-9, 1, 1 }, { 18, 0.95, 18, 0 }, { 8, 0.9, 8, 0 }, { 1, 0.51, 1, 0 }
    };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        double z[CONFORMAL_N];
        int enough = 7;
        const size_t n = cases[k].n;
        for (size_t i = 0; i < n; i++) z[i] = (i % 2 ? -1.0 : 1.0)*(double)((i*11) % n + 1);       /* 11 divides no n above */
        bln_conformal *c = conformal_of(n, 1, z, NULL);
        CHECK_NEAR(bln_conformal_multiple(c, 0, cases[k].level, &enough), cases[k].want, 0.0);
        CHECK(enough == cases[k].enough);
        CHECK_NEAR(bln_conformal_multiple(c, 0, cases[k].level, NULL), cases[k].want, 0.0);
        CHECK_NEAR(bln_conformal_rows(c), (double)n, 0.0);
        CHECK_SIZE(bln_conformal_outputs(c), 1);
        bln_conformal_free(c);
    }
}

/* Every level that is a whole number of rows, k/(N + 1), is met by the k-th row, however it was rounded; one a little above it by
 * the next. */
TEST(conformal, whole_numbers_survive_rounding)
{
    double z[300];
    for (size_t i = 0; i < 300; i++) z[i] = (double)i + 1.0;
    for (size_t n = 1; n <= 300; n += n < 40 ? 1 : 13) {
        bln_conformal *c = conformal_of(n, 1, z, NULL);
        size_t wrong = 0;
        for (size_t k = 1; k <= n; k++) {
            const double level = (double)k/((double)n + 1.0), other = 1.0 - ((double)n + 1.0 - (double)k)/((double)n + 1.0);
            wrong += bln_conformal_multiple(c, 0, level, NULL) != (double)k;
            wrong += other < 1.0 && bln_conformal_multiple(c, 0, other, NULL) != (double)k;
            wrong += k < n && bln_conformal_multiple(c, 0, level*(1.0 + 1e-9), NULL) != (double)(k + 1);
        }
        CHECK_SIZE(wrong, 0);
        bln_conformal_free(c);
    }
}

/* With too few rows: the normal's, unless a row was further out; never less for a higher level. */
TEST(conformal, too_few_rows)
{
    static const double mild[5] = { 0.3, -1.1, 0.2, 0.9, -0.5 }, wild[5] = { 0.3, -3.5, 0.2, 0.9, -0.5 };
    int enough = 7;
    bln_conformal *c = conformal_of(5, 1, mild, NULL);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 5.0/6.0, &enough), 1.1, 0.0);
    CHECK(enough == 1);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.95, &enough), 1.9599639845400542355, 1e-15);
    CHECK(enough == 0);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.99, NULL), 2.5758293035489004, 1e-14);
    bln_conformal_free(c);
    c = conformal_of(5, 1, wild, NULL);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.95, &enough), 3.5, 0.0);
    CHECK(enough == 0);
    double before = 0.0;
    for (int k = 1; k < 10000; k++) {
        const double q = bln_conformal_multiple(c, 0, k/10000.0, NULL);
        CHECK_LE(before, q);
        before = q;
    }
    bln_conformal_free(c);
}

/* By the definition: all |z|, all sums. Weights are multiples of 1/64, so that sums are exact. */
static double conformal_by_definition(size_t n, const double *z, const double *weight, double level)
{
    double total = 0.0, best = HUGE_VAL;
    for (size_t i = 0; i < n; i++) total += weight[i];
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        if (!(weight[i] > 0.0)) continue;
        for (size_t j = 0; j < n; j++) if (fabs(z[j]) <= fabs(z[i])) sum += weight[j];
        if (sum >= level*(total + 1.0) && fabs(z[i]) < best) best = fabs(z[i]);
    }
    return best;
}

TEST(conformal, weights)
{
    double z[CONFORMAL_N], weight[CONFORMAL_N], copies[5*CONFORMAL_N];
    test_random r = test_random_new(2);
    for (int round = 0; round < 20; round++) {
        size_t n = 0;
        int enough;
        test_fill_normal(&r, CONFORMAL_N, z);
        z[7] = z[3];                                              /* a tie */
        for (size_t i = 0; i < CONFORMAL_N; i++) {
            weight[i] = floor(5.0*test_uniform(&r));
            for (double k = 0.0; k < weight[i]; k += 1.0) copies[n++] = z[i];
        }
        bln_conformal *a = conformal_of(CONFORMAL_N, 1, z, weight), *b = conformal_of(n, 1, copies, NULL);
        CHECK_NEAR(bln_conformal_rows(a), (double)n, 0.0);
        for (double level = 0.003; level < 1.0; level += 0.0071)
            CHECK_NEAR(bln_conformal_multiple(a, 0, level, NULL), bln_conformal_multiple(b, 0, level, NULL), 0.0);
        bln_conformal_free(a);
        bln_conformal_free(b);

        for (size_t i = 0; i < CONFORMAL_N; i++) weight[i] = floor(100.0*test_uniform(&r))/64.0;
        a = conformal_of(CONFORMAL_N, 1, z, weight);
        for (double level = 0.003; level < 1.0; level += 0.0071) {         /* never a whole number of 1/64: no ties with sums */
            const double want = conformal_by_definition(CONFORMAL_N, z, weight, level);
            const double got = bln_conformal_multiple(a, 0, level, &enough);
            CHECK(enough == (want < HUGE_VAL));
            if (enough) CHECK_NEAR(got, want, 0.0);
        }
        bln_conformal_free(a);
    }
}

/* Seven groups of 1 to 7 rows, each row with its share of its group: N = 7, and 7/8 of 8 is all of them although the shares do not
 * sum to 7 in double; 6/8 needs six groups' worth. */
TEST(conformal, groups_count_as_one_row_each)
{
    double z[28], weight[28];
    size_t n = 0;
    int enough = 7;
    for (size_t g = 1; g <= 7; g++)
        for (size_t i = 0; i < g; i++, n++) {
            z[n] = (double)g + 0.01*(double)i;                    /* the groups one after the other */
            weight[n] = 1.0/(double)g;
        }
    bln_conformal *c = conformal_of(n, 1, z, weight);
    CHECK_NEAR(bln_conformal_rows(c), 7.0, 1e-14);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.875, &enough), 7.06, 0.0);
    CHECK(enough == 1);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.75, NULL), 6.05, 0.0);
    CHECK_NEAR(bln_conformal_multiple(c, 0, 0.625, NULL), 5.04, 0.0);
    bln_conformal_multiple(c, 0, 0.88, &enough);
    CHECK(enough == 0);
    bln_conformal_free(c);
}

/* Order and sign mean nothing, a factor is a factor, rows of weight 0 are not there, and outputs know nothing of each other. */
TEST(conformal, what_changes_nothing)
{
    double z[CONFORMAL_N], weight[CONFORMAL_N], turned[CONFORMAL_N + 1], w[CONFORMAL_N + 1], three[4*CONFORMAL_N];
    test_random r = test_random_new(3);
    test_fill_normal(&r, CONFORMAL_N, z);
    for (size_t i = 0; i < CONFORMAL_N; i++) weight[i] = 0.5 + floor(8.0*test_uniform(&r))/4.0;
    for (size_t i = 0; i < CONFORMAL_N; i++) {
        turned[i] = -z[CONFORMAL_N - 1 - i]*1024.0;
        w[i] = weight[CONFORMAL_N - 1 - i];
        three[4*i] = z[i];
        three[4*i + 1] = -7.0*z[i];
        three[4*i + 2] = (double)i;
        three[4*i + 3] = NAN;                                     /* beyond P, in the stride */
    }
    turned[CONFORMAL_N] = NAN;
    w[CONFORMAL_N] = 0.0;
    bln_conformal *a = conformal_of(CONFORMAL_N, 1, z, weight), *b = conformal_of(CONFORMAL_N + 1, 1, turned, w), *c = NULL;
    CHECK_OK(bln_conformal_create(NULL, CONFORMAL_N, 3, three, 4, weight, &c, NULL));
    CHECK_SIZE(bln_conformal_outputs(c), 3);
    for (double level = 0.01; level < 1.0; level += 0.013) {
        const double q = bln_conformal_multiple(a, 0, level, NULL);
        int enough;
        CHECK_NEAR(bln_conformal_multiple(c, 0, level, &enough), q, 0.0);
        if (!enough) break;
        CHECK_NEAR(bln_conformal_multiple(b, 0, level, NULL), 1024.0*q, 0.0);
        CHECK_NEAR(bln_conformal_multiple(c, 1, level, NULL), 7.0*q, 0.0);
    }
    CHECK(bln_conformal_multiple(c, 2, 0.9, NULL) >= 20.0);                /* of 0 .. 39 */
    bln_conformal_free(a);
    bln_conformal_free(b);
    bln_conformal_free(c);
}

TEST(conformal, intervals)
{
    static const double z[8] = { 1, 10, 2, 20, 3, 30, 4, 40 };              /* P = 2; q(0.8) = 4 and 40 */
    double mean[6] = { 0, 1, 2, 3, 4, 5 }, var[6] = { 4, 0.25, 0, -1, NAN, 1 }, upper[6];
    bln_conformal *c = conformal_of(4, 2, z, NULL);
    bln_conformal_intervals(c, 3, mean, var, 0.8, mean, upper);
    CHECK(mean[0] == -8.0 && upper[0] == 8.0 && mean[1] == -19.0 && upper[1] == 21.0);
    CHECK(mean[2] == 2.0 && upper[2] == 2.0);                               /* no doubt, no width */
    CHECK(mean[3] != mean[3] && upper[3] != upper[3] && mean[4] != mean[4] && mean[5] == -35.0 && upper[5] == 45.0);
    bln_conformal_free(c);
    bln_conformal_intervals(NULL, 3, mean, var, 0.8, mean, upper);          /* none: nothing is written */
}

/* ---- coverage ---- */

/* The coverage of new rows by q is F(q), F the distribution of |z|; for uniform z, q itself: an order statistic, of mean k/(N + 1)
 * and variance k (N + 1 - k)/((N + 1)^2 (N + 2)). */
TEST(conformal, covers_by_the_rank)
{
    static const struct { size_t n, k; double level; } cases[] = { { 19, 19, 0.95 }, { 29, 24, 0.8 }, { 30, 29, 0.93 } };
    enum { ROUNDS = 1000 };
    test_random r = test_random_new(4);
    for (size_t c = 0; c < sizeof cases/sizeof *cases; c++) {
        const double n = (double)cases[c].n, k = (double)cases[c].k;
        double sum = 0.0, z[30];
        for (int round = 0; round < ROUNDS; round++) {
            for (size_t i = 0; i < cases[c].n; i++) z[i] = test_uniform(&r);
            bln_conformal *one = conformal_of(cases[c].n, 1, z, NULL);
            sum += bln_conformal_multiple(one, 0, cases[c].level, NULL);
            bln_conformal_free(one);
        }
        CHECK_NEAR(sum/ROUNDS, k/(n + 1.0), 5.0*sqrt(k*(n + 1.0 - k)/((n + 1.0)*(n + 1.0)*(n + 2.0)*ROUNDS)));
    }
}

/* Student's t with 3 degrees of freedom. */
static double conformal_t3(test_random *r)
{
    double chi2 = 0.0;
    for (int i = 0; i < 3; i++) { const double u = test_normal(r); chi2 += u*u; }
    return test_normal(r)/sqrt(chi2/3.0);
}

/* n rows of y = 1 + 2 x + e: tails of t_3, a spread that grows with |x| as the model does not know, and with v as it does. */
static void conformal_rows_of(test_random *r, size_t n, double *x, double *v, double *y)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = 2.0*test_uniform(r) - 1.0;
        v[i] = test_uniform(r) < 0.5 ? 0.1 : 10.0;
        y[i] = 1.0 + 2.0*x[i] + (0.2 + x[i]*x[i])*sqrt(v[i])*conformal_t3(r);
    }
}

/* A straight line by least squares: left-out residuals of n rows. */
static bln_slm *conformal_fit_line(const bln_basis *line, const bln_data *data, double *z)
{
    static const double flat[1] = { HUGE_VAL };
    bln_slm_desc desc;
    bln_slm *slm = NULL;
    double mean[200], var[200];
    memset(&desc, 0, sizeof desc);
    desc.basis = line;
    desc.prior_var = flat;
    desc.arithmetic = BLN_SLM_DOUBLE;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(bln_slm_fit(slm, data, NULL));
    CHECK_OK(loo_of(bln_slm_posterior(slm), data, mean, var, NULL, NULL, NULL));
    for (size_t i = 0; i < data->n; i++) z[i] = (data->y[i] - mean[i])/sqrt(var[i]);
    return slm;
}

/* Noise that is neither normal nor of one variance. By the rank p = 0.8 (80 of 100) and 0.95 (95 of 100). Of a round, the coverage
 * of all rows to come varies by p (1 - p)/(N + 2), that of M of them by p (1 - p)/M more; leaving out is not exactly exchangeable,
 * which counts O(1/N^2) here: 2 features of 99 rows. Both kinds of rows are covered alike, since v says which they are; by the
 * normal's multiples they are not: 80 % intervals hold much more. */
TEST(conformal, left_out_rows_of_a_wrong_model)
{
    enum { N = 99, M = 50, ROUNDS = 250 };
    static const double level[2] = { 0.8, 0.95 };
    double x[N], v[N], y[N], z[N], mean[M], var[M], lower[M], upper[M], inside[2][2] = { { 0, 0 }, { 0, 0 } }, seen[2] = { 0, 0 };
    double normal = 0.0;
    test_random r = test_random_new(5);
    bln_basis *line = NULL;
    bln_data data, query;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = 1;
    data.X = x;
    data.y = y;
    data.noise_var = v;
    CHECK_OK(bln_linear_create(NULL, 1, 1, &line));
    for (int round = 0; round < ROUNDS; round++) {
        conformal_rows_of(&r, N, x, v, y);
        bln_slm *slm = conformal_fit_line(line, &data, z);
        bln_conformal *c = conformal_of(N, 1, z, NULL);
        conformal_rows_of(&r, M, x, v, y);
        query = data;
        query.n = M;
        CHECK_OK(total_of(bln_slm_posterior(slm), &query, mean, NULL, var, NULL, NULL));
        for (int k = 0; k < 2; k++) {
            bln_conformal_intervals(c, M, mean, var, level[k], lower, upper);
            for (size_t i = 0; i < M; i++) inside[k][v[i] > 1.0] += lower[i] <= y[i] && y[i] <= upper[i];
        }
        CHECK_OK(bln_posterior_intervals(bln_slm_posterior(slm), &query, BLN_OF_Y, 0.8, lower, upper, NULL, NULL));
        for (size_t i = 0; i < M; i++) {
            seen[v[i] > 1.0] += 1.0;
            normal += lower[i] <= y[i] && y[i] <= upper[i];
        }
        bln_conformal_free(c);
        bln_slm_free(slm);
    }
    for (int k = 0; k < 2; k++) {
        const double p = level[k], of_round = p*(1.0 - p)/(N + 2.0);
        CHECK_NEAR((inside[k][0] + inside[k][1])/(M*ROUNDS), p, 5.0*sqrt((of_round + p*(1.0 - p)/M)/ROUNDS));
        for (int kind = 0; kind < 2; kind++)
            CHECK_NEAR(inside[k][kind]/seen[kind], p, 5.0*sqrt((of_round + 2.0*p*(1.0 - p)/M)/ROUNDS));
    }
    CHECK_LE(0.8 + 5.0*sqrt(0.16*(1.0/(N + 2.0) + 1.0/M)/ROUNDS), normal/(M*ROUNDS));
    bln_basis_free(line);
}

/* Rows of K groups, each with an effect of its own that an indicator follows; of a new group its rows say nothing. */
enum { CONFORMAL_K = 39, CONFORMAL_EACH = 4, CONFORMAL_NEW = 20, CONFORMAL_ROWS = CONFORMAL_K*CONFORMAL_EACH,
       CONFORMAL_D = CONFORMAL_K + CONFORMAL_NEW };

static void conformal_group_row(test_random *r, size_t g, double effect, double *x, double *y)
{
    for (size_t j = 0; j < CONFORMAL_D; j++) x[j] = j == g;
    *y = effect + 0.2*test_normal(r);
}

/* inside[how] += new rows in the interval; how 0: calibrated by rows left out one by one, 1: by whole groups, each of weight 1. */
static void conformal_group_round(test_random *r, const bln_slm *slm, const bln_data *data, const size_t *group, double level,
                                  double *inside)
{
    double mean[CONFORMAL_ROWS], var[CONFORMAL_ROWS], z[CONFORMAL_ROWS], share[CONFORMAL_ROWS], x[CONFORMAL_D], y;
    bln_data query;
    memset(&query, 0, sizeof query);
    query.n = 1;
    query.d = CONFORMAL_D;
    query.X = x;
    for (int how = 0; how < 2; how++) {
        if (how == 0) CHECK_OK(loo_of(bln_slm_posterior(slm), data, mean, var, NULL, NULL, NULL));
        else CHECK_OK(groups_of(bln_slm_posterior(slm), data, group, CONFORMAL_K, mean, var, NULL, NULL));
        for (size_t i = 0; i < CONFORMAL_ROWS; i++) {
            z[i] = (data->y[i] - mean[i])/sqrt(var[i]);
            share[i] = how ? 1.0/CONFORMAL_EACH : 1.0;
        }
        bln_conformal *c = conformal_of(CONFORMAL_ROWS, 1, z, share);
        for (size_t g = CONFORMAL_K; g < CONFORMAL_D; g++) {
            conformal_group_row(r, g, 3.0*conformal_t3(r), x, &y);
            CHECK_OK(total_of(bln_slm_posterior(slm), &query, mean, NULL, var, NULL, NULL));
            bln_conformal_intervals(c, 1, mean, var, level, mean, var);
            inside[how] += mean[0] <= y && y <= var[0];
        }
        bln_conformal_free(c);
    }
}

/* The model takes effects for normal of variance 1, which are 3 t_3: its own intervals are too narrow, and so are those from rows
 * that are known from their group. By groups p = 0.8 to 0.8 + 1/(K + 1) [Lee, Barber & Willett 2023, theorem 1]; variances as
 * above with K for N. */
TEST(conformal, groups_left_out)
{
    enum { ROUNDS = 100 };
    static const double prior_var[1] = { 1.0 };
    static double X[CONFORMAL_ROWS*CONFORMAL_D];
    double y[CONFORMAL_ROWS], inside[2] = { 0.0, 0.0 };
    const double p = 0.8, shown = CONFORMAL_NEW*ROUNDS;
    const double five = 5.0*sqrt(p*(1.0 - p)*(1.0/(CONFORMAL_K + 2.0) + 1.0/CONFORMAL_NEW)/ROUNDS);
    size_t group[CONFORMAL_ROWS];
    test_random r = test_random_new(6);
    bln_basis *indicators = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    bln_data data;
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    CHECK_OK(bln_linear_create(NULL, CONFORMAL_D, 0, &indicators));
    desc.basis = indicators;
    desc.noise_var = 0.04;
    desc.prior_var = prior_var;
    desc.fix_noise_var = desc.fix_prior_var = 1;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    data.n = CONFORMAL_ROWS;
    data.d = CONFORMAL_D;
    data.X = X;
    data.y = y;
    for (int round = 0; round < ROUNDS; round++) {
        double effect = 0.0;
        for (size_t i = 0; i < CONFORMAL_ROWS; i++) {
            group[i] = i/CONFORMAL_EACH;
            if (i % CONFORMAL_EACH == 0) effect = 3.0*conformal_t3(&r);
            conformal_group_row(&r, group[i], effect, X + i*CONFORMAL_D, &y[i]);
        }
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        conformal_group_round(&r, slm, &data, group, p, inside);
    }
    CHECK_LE(p - five, inside[1]/shown);
    CHECK_LE(inside[1]/shown, p + 1.0/(CONFORMAL_K + 1.0) + five);
    CHECK_LE(inside[0]/shown, p - five);
    bln_slm_free(slm);
    bln_basis_free(indicators);
}

/* ---- refused ---- */

TEST(conformal, arguments)
{
    static const double z[4] = { 1.0, NAN, 2.0, 3.0 }, nothing[2] = { 0.0, 0.0 }, below[2] = { 1.0, -1.0 }, nan[2] = { NAN, 1.0 };
    static const double huge[2] = { 1.7e308, 1.7e308 };
    bln_allocator half;
    bln_conformal *c = NULL;
    bln_report report;
    memset(&half, 0, sizeof half);
    half.alloc = test_heap_alloc;
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, NULL, 1, NULL, &c, &report), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, z, 1, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_create(NULL, 0, 1, z, 1, NULL, &c, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no rows");
    CHECK_STATUS(bln_conformal_create(NULL, 1, 0, z, 1, NULL, &c, &report), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_create(NULL, 1, 2, z, 1, NULL, &c, &report), BLN_EINVAL);
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, z, 1, nothing, &c, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "all weights are 0");
    CHECK_STATUS(bln_conformal_create(NULL, 2, 2, z, 2, NULL, &c, &report), BLN_EDATA);
    CHECK(report.row == 0 && report.column == 1);
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, z, 2, nan, &c, &report), BLN_EDATA);
    CHECK(report.row == 0 && report.column == BLN_NONE);
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, z, 2, below, &c, &report), BLN_EDOMAIN);
    CHECK_SIZE(report.row, 1);
    CHECK_STATUS(bln_conformal_create(NULL, 2, 1, z, 2, huge, &c, &report), BLN_ENUMERIC);
    /* Said before a row is read. */
    CHECK_STATUS(bln_conformal_create(NULL, (size_t)-1/4, 1, z, 1, NULL, &c, &report), BLN_EOVERFLOW);
    CHECK_STATUS(bln_conformal_create(NULL, 3, 1, z, (size_t)-1/2, NULL, &c, &report), BLN_EOVERFLOW);
    CHECK_STATUS(bln_conformal_create(&half, 2, 1, z, 2, NULL, &c, &report), BLN_EINVAL);
    CHECK_STATUS(blni_conformal_new(NULL, (size_t)-1/8, 3, 1, &c, &report), BLN_EOVERFLOW);
    CHECK_TEXT(report.text, "too many rows");
    CHECK(c == NULL);
    c = conformal_of(1, 1, z, NULL);
    CHECK(bln_conformal_multiple(c, 1, 0.5, NULL) != bln_conformal_multiple(c, 1, 0.5, NULL));
    CHECK(bln_conformal_multiple(NULL, 0, 0.5, NULL) != bln_conformal_multiple(NULL, 0, 0.5, NULL));
    for (int k = 0; k < 3; k++) {
        const double level = k == 0 ? 0.0 : k == 1 ? 1.0 : NAN, q = bln_conformal_multiple(c, 0, level, NULL);
        CHECK(q != q);
    }
    bln_conformal_free(c);
}

TEST(conformal, memory)
{
    static const double z[6] = { 1, 2, 3, 4, 5, 6 }, weight[3] = { 1, 2, 3 };
    unsigned char bytes[300];
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_memory_stream m;
    bln_conformal *c = NULL, *loaded = NULL;
    CHECK_OK(bln_conformal_create(&alloc, 3, 2, z, 2, weight, &c, NULL));
    CHECK_SIZE(heap.live, 1);
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_conformal_save(c, &w);
    const size_t size = m.at;
    heap.fail_at = heap.calls;
    CHECK_STATUS(bln_conformal_create(&alloc, 3, 2, z, 2, weight, &loaded, NULL), BLN_ENOMEM);
    bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    CHECK_STATUS(bln_conformal_load(&alloc, &r, &loaded), BLN_ENOMEM);
    CHECK(loaded == NULL);
    bln_conformal_free(c);
    CHECK_SIZE(heap.live, 0);
    CHECK_SIZE(heap.live_bytes, 0);
}

/* ---- on disk ---- */

/* Section version 1, by hand from the layout; never to be changed. P = 1, n = 2, weighted; |z| 0.5, 2; weights 3, 1. */
static const unsigned char conformal_v1[] = {
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f,   0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x40,   0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x3f
};
enum { CONFORMAL_V1 = sizeof conformal_v1 };

static bln_status conformal_load(const unsigned char *bytes, size_t size, bln_conformal **out, bln_report *report)
{
    bln_memory_stream m;
    bln_reader r = bln_memory_reader(&m, bytes, size, report);
    *out = NULL;
    return bln_conformal_load(NULL, &r, out);
}

TEST(conformal, content_of_its_section)
{
    unsigned char bytes[CONFORMAL_V1 + 8];
    bln_memory_stream m;
    bln_report report;
    bln_conformal *c = NULL;
    CHECK_OK(conformal_load(conformal_v1, CONFORMAL_V1, &c, NULL));
    if (!c) return;
    CHECK(bln_conformal_rows(c) == 4.0 && bln_conformal_outputs(c) == 1);
    CHECK(bln_conformal_multiple(c, 0, 0.6, NULL) == 0.5 && bln_conformal_multiple(c, 0, 0.61, NULL) == 2.0);
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_conformal_save(c, &w);
    CHECK(w.status == BLN_OK && m.at == CONFORMAL_V1 && memcmp(bytes, conformal_v1, CONFORMAL_V1) == 0);
    bln_conformal_free(c);
    for (size_t cut = 0; cut < CONFORMAL_V1; cut++) {
        CHECK_STATUS(conformal_load(conformal_v1, cut, &c, NULL), BLN_EFORMAT);
        CHECK(c == NULL);
    }
    static const struct { size_t at; unsigned char value; const char *text; } damage[] = {
        { 0, 0x00, "no outputs" }, { 8, 0x00, "no rows" }, { 16, 0x02, "no rows" }, { 7, 0x7f, "count" }, { 15, 0x7f, "count" },
        { 27, 0xbf, "out of order" }, { 35, 0x3f, "out of order" }, { 35, 0x7f, "out of order" }, { 43, 0xc0, "weights" },
        { 43, 0x7f, "weights" }
    };
    for (size_t k = 0; k < sizeof damage/sizeof *damage; k++) {
        memcpy(bytes, conformal_v1, CONFORMAL_V1);
        bytes[damage[k].at] = damage[k].value;
        if (damage[k].value == 0x7f) bytes[damage[k].at - 1] = 0xf0;        /* infinity, or a count beyond all */
        CHECK_STATUS(conformal_load(bytes, CONFORMAL_V1, &c, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, damage[k].text);
        CHECK(c == NULL);
    }
    memcpy(bytes, conformal_v1, CONFORMAL_V1);
    bytes[42] = bytes[43] = 0x00;                                            /* a weight of 0 */
    CHECK_STATUS(conformal_load(bytes, CONFORMAL_V1, &c, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "weights");
}

/* Whatever went in comes back to the bit, in a file with a model, of which it is a part; a file has one at most. */
TEST(conformal, in_a_model_file)
{
    static const double y[3] = { 1.0, 2.0, 4.0 }, weight[3] = { 0.3, 0.7, 2.2 };
    double z[6];
    unsigned char bytes[1000];
    test_random r = test_random_new(7);
    bln_basis *bias = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    bln_data data;
    bln_modelfile file, back;
    bln_report report;
    bln_memory_stream m;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    CHECK_OK(bln_bias_create(NULL, &bias));
    desc.basis = bias;
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    test_fill_normal(&r, 6, z);
    for (int weighted = 0; weighted < 2; weighted++) {
        memset(&file, 0, sizeof file);
        memset(&back, 0, sizeof back);
        file.slm = slm;
        file.conformal = conformal_of(3, 2, z, weighted ? weight : NULL);
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &file, &report));
        const size_t size = m.at;
        bln_reader from = bln_memory_reader(&m, bytes, size, NULL);
        CHECK_OK(bln_modelfile_read(from.read, from.user, size, test_all(), &back, &report));
        if (!back.conformal) { CHECK(0); return; }
        for (size_t k = 0; k < 2; k++)
            for (double level = 0.01; level < 1.0; level += 0.01)
                CHECK_NEAR(bln_conformal_multiple(back.conformal, k, level, NULL),
                           bln_conformal_multiple(file.conformal, k, level, NULL), 0.0);
        CHECK_NEAR(bln_conformal_rows(back.conformal), bln_conformal_rows(file.conformal), 0.0);
        bln_modelfile_free(&back);
        CHECK(back.conformal == NULL);
        size_t at = 0;                                             /* the section's version, behind its tag */
        while (at + 8 < size && memcmp(bytes + at, "CNFM\1", 5)) at++;
        memcpy(bytes + size, bytes + at, size - at);
        bytes[12] = 3;
        from = bln_memory_reader(&m, bytes, 2*size - at, NULL);
        CHECK_STATUS(bln_modelfile_read(from.read, from.user, 2*size - at, test_all(), &back, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, "a second one");
        bytes[12] = 2;
        bytes[at + 4] = 2;
        from = bln_memory_reader(&m, bytes, size, NULL);
        CHECK_STATUS(bln_modelfile_read(from.read, from.user, size, test_all(), &back, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, "CNFM");
        bln_conformal_free(file.conformal);
    }
    bln_slm_free(slm);
    bln_basis_free(bias);
}

SUITE_BEGIN(conformal)
SUITE_TEST(conformal, counts_rows)
SUITE_TEST(conformal, whole_numbers_survive_rounding)
SUITE_TEST(conformal, too_few_rows)
SUITE_TEST(conformal, weights)
SUITE_TEST(conformal, groups_count_as_one_row_each)
SUITE_TEST(conformal, what_changes_nothing)
SUITE_TEST(conformal, intervals)
SUITE_TEST(conformal, covers_by_the_rank)
SUITE_TEST(conformal, left_out_rows_of_a_wrong_model)
SUITE_TEST(conformal, groups_left_out)
SUITE_TEST(conformal, arguments)
SUITE_TEST(conformal, memory)
SUITE_TEST(conformal, content_of_its_section)
SUITE_TEST(conformal, in_a_model_file)
SUITE_END(conformal)
