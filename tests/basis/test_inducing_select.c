/* test_inducing_select - inducing points from rows: pivoted Cholesky by its definition, k-means++ by its distribution, random rows
 */
#include "basis_tools.h"
#include "../random/goodness.h"

static bln_data select_data(size_t n, size_t d, const double *X)
{
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = n;
    data.d = d;
    data.X = X;
    return data;
}

static bln_inducing_select_desc select_desc(bln_inducing_choice choice, size_t n)
{
    bln_inducing_select_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.choice = choice;
    desc.n = n;
    return desc;
}

/* ---- pivoted Cholesky ---- */

/* Rows 0, 1, 2, 10 with length scale 1: row 0 first (all leave 1 out), then the one farthest away, then by what is left of the two
 * others, 1 - e^-1 of x = 1 and 1 - e^-4 of x = 2; with the 2 x 2 matrix of x = 0, 2, x = 1 then leaves 1 - 2 e^-1/(1 + e^-2). */
TEST(inducing_select, pivoted_by_hand)
{
    static const double X[] = { 0.0, 1.0, 2.0, 10.0 }, length_scale = 1.0;
    const bln_data data = select_data(4, 1, X);
    bln_inducing_select_desc desc = select_desc(BLN_INDUCING_PIVOTED, 9);
    double points[9], left[9];
    size_t rows[9], n = 0;
    desc.length_scale = &length_scale;
    CHECK_OK(bln_inducing_select(&desc, &data, points, rows, left, &n, NULL));
    CHECK_SIZE(n, 4);
    CHECK(rows[0] == 0 && rows[1] == 3 && rows[2] == 2 && rows[3] == 1);
    CHECK(points[0] == 0.0 && points[1] == 10.0 && points[2] == 2.0 && points[3] == 1.0);
    CHECK_NEAR(left[0], (1 - exp(-1.0) + 1 - exp(-4.0) + 1)/4, 1e-15);
    CHECK_NEAR(left[2], (1 - 2*exp(-1.0)/(1 + exp(-2.0)))/4, 1e-15);
    CHECK_NEAR(left[3], 0.0, 1e-15);
}

/* What is left out is what the basis with these points leaves out, falls with each point, and the points of a smaller number are
 * the first of a larger one; a tolerance stops where it is reached. */
TEST(inducing_select, pivoted_leaves)
{
    enum { N = 60, D = 2, M = 25 };
    test_random r = test_random_new(11);
    double X[N*(D + 1)], points[M*D], few[M*D], left[M], length_scale[D] = { 0.8, 1.9 };
    size_t rows[M], n = 0, n_few = 0;
    test_fill_normal(&r, N*(D + 1), X);
    bln_data data = select_data(N, D, X);
    data.ldx = D + 1;
    for (int kernel = 0; kernel < BLNI_N_KERNELS; kernel++) {
        bln_inducing_select_desc desc = select_desc(BLN_INDUCING_PIVOTED, M);
        desc.kernel = (bln_kernel)kernel;
        desc.length_scale = length_scale;
        CHECK_OK(bln_inducing_select(&desc, &data, points, rows, left, &n, NULL));
        CHECK_SIZE(n, M);
        for (size_t k = 0; k < n; k++) {
            CHECK(points[k*D] == X[rows[k]*(D + 1)] && points[k*D + 1] == X[rows[k]*(D + 1) + 1]);
            for (size_t l = 0; l < k; l++) CHECK(rows[k] != rows[l]);
            if (k) CHECK(left[k] < left[k - 1]);
        }
        for (size_t m = 1; m <= M; m += 8) {
            bln_inducing_desc at;
            bln_basis *b = NULL;
            double *Phi = test_doubles(N*m), sum = 0.0;
            memset(&at, 0, sizeof at);
            at.d = D;
            at.n = m;
            at.points = points;
            at.kernel = desc.kernel;
            at.ard = 1;
            CHECK_OK(bln_inducing_create(&at, &b, NULL));
            basis_tools_features(b, length_scale, N, X, D + 1, Phi, m);
            for (size_t i = 0; i < N; i++) sum += 1.0 - bln_dot(m, Phi + i*m, Phi + i*m);
            CHECK_NEAR(left[m - 1], sum/N, 1e-9);            /* tau, and eps over the smallest pivot, which is above 1e-6 */
            free(Phi);
            bln_basis_free(b);
        }
        desc.n = 7;
        CHECK_OK(bln_inducing_select(&desc, &data, few, NULL, NULL, &n_few, NULL));
        CHECK(n_few == 7 && !memcmp(few, points, 7*D*sizeof *few));
        desc.n = M;
        desc.tolerance = 0.999*left[4];
        CHECK_OK(bln_inducing_select(&desc, &data, few, NULL, left, &n_few, NULL));
        CHECK(n_few == 6 && left[5] <= desc.tolerance && left[4] > desc.tolerance);
    }
}

/* ---- k-means++ ---- */

/* The law of the seeds [Arthur & Vassilvitskii 2007]: the first uniform, the second with probability D^2/sum D^2 from it. Rows 0,
 * 1, 3, 3: all sixteen pairs by a chi-square of 20,000 draws; equal rows are never both taken. */
TEST(inducing_select, kmeans_seeds)
{
    enum { DRAWS = 20000 };
    static const double X[] = { 0.0, 1.0, 3.0, 3.0 }, length_scale = 2.0;
    const bln_data data = select_data(4, 1, X);
    bln_inducing_select_desc desc = select_desc(BLN_INDUCING_KMEANS, 2);
    double count[16] = { 0.0 }, probability[16], points[2];
    size_t rows[2], n = 0;
    desc.length_scale = &length_scale;
    desc.candidates = 1;
    desc.seeds_only = 1;
    for (size_t i = 0; i < 4; i++) {
        double total = 0.0;
        for (size_t j = 0; j < 4; j++) total += (X[i] - X[j])*(X[i] - X[j]);
        for (size_t j = 0; j < 4; j++) probability[4*i + j] = 0.25*(X[i] - X[j])*(X[i] - X[j])/total;
    }
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        desc.seed = seed;
        CHECK_OK(bln_inducing_select(&desc, &data, points, rows, NULL, &n, NULL));
        CHECK(n == 2 && points[0] == X[rows[0]] && points[1] == X[rows[1]]);
        count[4*rows[0] + rows[1]] += 1.0;
    }
    goodness_chi2(16, count, probability, DRAWS, "kmeans++", 0.0, 0.0);
}

/* Sum of squared distances to the nearest of n points, in units of the length scales. */
static double select_potential(size_t rows, size_t d, const double *X, const double *l, size_t n, const double *points)
{
    double total = 0.0;
    for (size_t i = 0; i < rows; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++) {
            double r2 = 0.0;
            for (size_t k = 0; k < d; k++) r2 += pow((X[i*d + k] - points[j*d + k])/l[k], 2.0);
            if (r2 < least) least = r2;
        }
        total += least;
    }
    return total;
}

/* Clusters far apart get a centre each, at their means, whatever the units; more candidates are no worse on average, and Lloyd's
 * steps only lower the potential. */
TEST(inducing_select, kmeans_clusters)
{
    enum { N = 400, M = 4 };
    static const double centre[M][2] = { { 0, 0 }, { 50, 3000 }, { -70, 1000 }, { 20, -4000 } };
    double X[N*2], points[M*2], mean[M][2] = { { 0 } }, one[2] = { 1.0, 1.0 };
    test_random r = test_random_new(5);
    size_t n = 0, rows[M];
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 2; k++) {
            X[i*2 + k] = centre[i % M][k] + (k ? 100.0 : 1.0)*test_normal(&r);
            mean[i % M][k] += X[i*2 + k]/(N/M);
        }
    const bln_data data = select_data(N, 2, X);
    bln_inducing_select_desc desc = select_desc(BLN_INDUCING_KMEANS, M);
    CHECK_OK(bln_inducing_select(&desc, &data, points, rows, NULL, &n, NULL));
    CHECK_SIZE(n, M);
    for (size_t j = 0; j < M; j++) {
        size_t found = 0;
        for (size_t c = 0; c < M; c++)
            found += fabs(points[j*2] - mean[c][0]) < 1e-9 && fabs(points[j*2 + 1] - mean[c][1]) < 1e-9;
        CHECK(found == 1 && rows[j] == BLN_NONE);
    }
    {
        enum { MANY = 25, TIMES = 20 };
        double Y[N*2], p[MANY*2], potential[3] = { 0.0, 0.0, 0.0 };
        test_fill_normal(&r, N*2, Y);
        const bln_data cloud = select_data(N, 2, Y);
        desc = select_desc(BLN_INDUCING_KMEANS, MANY);
        desc.length_scale = one;
        for (uint64_t seed = 0; seed < TIMES; seed++) {
            double last = 0.0;
            desc.seed = seed;
            for (int way = 0; way < 3; way++) {
                desc.candidates = way ? 0 : 1;
                desc.seeds_only = way < 2;
                CHECK_OK(bln_inducing_select(&desc, &cloud, p, NULL, NULL, &n, NULL));
                CHECK_SIZE(n, MANY);
                const double now = select_potential(N, 2, Y, one, n, p);
                if (way == 2) CHECK(now < last);
                potential[way] += last = now;
            }
        }
        CHECK(potential[1] < potential[0]);
    }
}

/* ---- random rows, and all ways ---- */

/* Two of five rows: all twenty ordered pairs alike. */
TEST(inducing_select, random_rows)
{
    enum { DRAWS = 20000 };
    static const double X[] = { 0.0, 1.0, 2.0, 3.0, 4.0 };
    const bln_data data = select_data(5, 1, X);
    bln_inducing_select_desc desc = select_desc(BLN_INDUCING_RANDOM, 2);
    double count[25] = { 0.0 }, probability[25], points[2];
    size_t rows[2], n = 0;
    for (size_t k = 0; k < 25; k++) probability[k] = k/5 == k%5 ? 0.0 : 1.0/20;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        desc.seed = seed;
        CHECK_OK(bln_inducing_select(&desc, &data, points, rows, NULL, &n, NULL));
        CHECK(n == 2 && points[0] == X[rows[0]] && points[1] == X[rows[1]]);
        count[5*rows[0] + rows[1]] += 1.0;
    }
    goodness_chi2(25, count, probability, DRAWS, "random rows", 0.0, 0.0);
}

/* Rows that are three different ones: pivoted and k-means++ give three; a constant input does not count. */
TEST(inducing_select, equal_rows)
{
    double X[30*2], points[10*2], left[10];
    for (size_t i = 0; i < 30; i++) { X[2*i] = (double)(i % 3); X[2*i + 1] = 7.0; }
    const bln_data data = select_data(30, 2, X);
    for (int choice = 0; choice < 3; choice++) {
        bln_inducing_select_desc desc = select_desc((bln_inducing_choice)choice, 10);
        size_t n = 0;
        CHECK_OK(bln_inducing_select(&desc, &data, points, NULL, left, &n, NULL));
        CHECK_SIZE(n, choice == BLN_INDUCING_RANDOM ? 10 : 3);
        for (size_t k = 0; k < n; k++) {
            CHECK(points[2*k + 1] == 7.0);
            CHECK_NEAR(points[2*k], floor(points[2*k] + 0.5), 1e-12);
            for (size_t l = 0; l < k && choice != BLN_INDUCING_RANDOM; l++) CHECK(fabs(points[2*k] - points[2*l]) > 0.5);
        }
    }
    for (size_t i = 0; i < 60; i++) X[i] = 7.0;
    for (int choice = 0; choice < 2; choice++) {
        bln_inducing_select_desc desc = select_desc((bln_inducing_choice)choice, 10);
        size_t n = 0;
        CHECK_OK(bln_inducing_select(&desc, &data, points, NULL, left, &n, NULL));
        CHECK(n == 1 && points[0] == 7.0 && points[1] == 7.0);
    }
}

TEST(inducing_select, errors)
{
    static const double zero = 0.0;
    double X[8] = { 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5 }, points[16];
    bln_data data = select_data(4, 2, X);
    bln_inducing_select_desc desc = select_desc(BLN_INDUCING_KMEANS, 3), bad;
    bln_report report;
    test_heap heap;
    size_t n = 99, m = 0;
    bln_report_clear(&report);
    CHECK_STATUS(bln_inducing_select(NULL, &data, points, NULL, NULL, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_inducing_select(&desc, NULL, points, NULL, NULL, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_inducing_select(&desc, &data, NULL, NULL, NULL, &n, &report), BLN_EINVAL);
    CHECK_STATUS(bln_inducing_select(&desc, &data, points, NULL, NULL, NULL, &report), BLN_EINVAL);
#define SELECT_BAD(what, words) \
    bad = desc; what; CHECK_STATUS(bln_inducing_select(&bad, &data, points, NULL, NULL, &n, &report), BLN_EINVAL); \
    CHECK_TEXT(report.text, words)
    SELECT_BAD(bad.n = 0, "points");
    SELECT_BAD(bad.choice = (bln_inducing_choice)3, "choice");
    SELECT_BAD(bad.kernel = (bln_kernel)BLNI_N_KERNELS, "kernel");
    SELECT_BAD(bad.shape = 1.0, "shape");
    SELECT_BAD(bad.tolerance = -1.0, "tolerance");
    SELECT_BAD(bad.tolerance = BLNI_NAN, "tolerance");
    SELECT_BAD(bad.length_scale = &zero, "length scales");
    SELECT_BAD(bad.alloc.alloc = test_heap_alloc, "allocator");
    SELECT_BAD(data.n = 0, "rows");
    data.n = 4;
    SELECT_BAD(data.d = 0, "inputs");
    data.d = 2;
#undef SELECT_BAD
    X[5] = BLNI_NAN;
    CHECK_STATUS(bln_inducing_select(&desc, &data, points, NULL, NULL, &n, &report), BLN_EDATA);
    CHECK(report.row == 2 && report.column == 1);
    X[5] = 1e200;
    bad = desc; bad.length_scale = X + 1; X[2] = 1.0;
    CHECK_STATUS(bln_inducing_select(&bad, &data, points, NULL, NULL, &n, &report), BLN_ENUMERIC);
    CHECK(report.row == 2 && n == 99);
    X[5] = 5.0;
    for (int choice = 0; choice < 3; choice++) {
        desc.choice = (bln_inducing_choice)choice;
        desc.alloc = test_heap_allocator(&heap);
        heap.fail_at = 0;
        CHECK_STATUS(bln_inducing_select(&desc, &data, points, NULL, NULL, &n, &report), BLN_ENOMEM);
        desc.alloc = test_heap_allocator(&heap);
        CHECK_OK(bln_inducing_select(&desc, &data, points, NULL, NULL, &m, &report));
        CHECK(m == 3 && heap.live == 0 && heap.calls == 1);
    }
}

SUITE_BEGIN(inducing_select)
    SUITE_TEST(inducing_select, pivoted_by_hand)
    SUITE_TEST(inducing_select, pivoted_leaves)
    SUITE_TEST(inducing_select, kmeans_seeds)
    SUITE_TEST(inducing_select, kmeans_clusters)
    SUITE_TEST(inducing_select, random_rows)
    SUITE_TEST(inducing_select, equal_rows)
    SUITE_TEST(inducing_select, errors)
SUITE_END(inducing_select)
