/* test_minibatch - permutations that are computed: bijections, uniform, the same everywhere; scales; rows put together */
#include "../test.h"
#include "../golden/minibatch_golden.h"
#include "../random/goodness.h"

static bln_minibatch minibatch_of(size_t n, size_t size, uint64_t seed, uint64_t epoch)
{
    bln_minibatch b;
    memset(&b, 0, sizeof b);
    CHECK_OK(bln_minibatch_init(&b, n, size, seed));
    bln_minibatch_seek(&b, epoch*bln_minibatch_count(&b));
    return b;
}

TEST(minibatch, known_answers)
{
    for (size_t k = 0; k < sizeof golden_minibatch/sizeof *golden_minibatch; k++) {
        const uint64_t *want = golden_minibatch[k];
        size_t rows[10];
        const bln_minibatch b = minibatch_of((size_t)want[0], 3, want[1], want[2]);
        bln_minibatch_rows(&b, (size_t)want[3], 10, rows);
        for (size_t i = 0; i < 10; i++) CHECK_SIZE(rows[i], (size_t)want[4 + i]);
    }
}

/* Every row once in an epoch, for every n to 150, whatever the size of the batches; and what _next gives is what _rows gives. */
TEST(minibatch, bijection)
{
    enum { MOST = 150 };
    size_t rows[MOST], all[MOST];
    for (size_t n = 1; n <= MOST; n++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            const size_t size = 1 + (n*7 + (size_t)seed*5) % (n < 40 ? 2*n : 40);
            bln_minibatch b = minibatch_of(n, size, seed, seed + n);
            const uint64_t epoch = b.epoch;
            int seen[MOST] = { 0 };
            size_t at = 0;
            bln_minibatch_rows(&b, 0, n, all);
            for (uint64_t k = bln_minibatch_count(&b); k-- > 0;) {
                double scale = 0.0;
                CHECK(b.epoch == epoch && b.at == at);
                const size_t m = bln_minibatch_next(&b, rows, &scale);
                CHECK(m == size || k == 0);
                CHECK_NEAR(scale, (double)n/(double)m, 0.0);
                for (size_t i = 0; i < m && at < n; i++, at++) {
                    CHECK_SIZE(rows[i], all[at]);
                    CHECK(rows[i] < n && !seen[rows[i]]);
                    if (rows[i] < n) seen[rows[i]] = 1;
                }
            }
            CHECK_SIZE(at, n);
            CHECK(b.epoch == epoch + 1 && b.at == 0);
        }
}

/* Epochs and seeds differ; a copy, and one that jumped there, go on in the same way; a single batch is in order. */
TEST(minibatch, position)
{
    bln_minibatch b = minibatch_of(103, 10, 5, 0), there;
    size_t rows[10], other[10], first[10];
    size_t same_epoch = 0, same_seed = 0;
    CHECK(bln_minibatch_count(&b) == 11);
    bln_minibatch_rows(&b, 0, 10, first);
    for (uint64_t t = 0; t < 40; t++) {
        there = minibatch_of(103, 10, 5, 0);
        bln_minibatch_seek(&there, t);
        const size_t m = bln_minibatch_next(&b, rows, NULL);
        CHECK_SIZE(bln_minibatch_next(&there, other, NULL), m);
        for (size_t i = 0; i < m; i++) CHECK_SIZE(other[i], rows[i]);
        CHECK_SIZE(m, t % 11 == 10 ? 3 : 10);
    }
    const bln_minibatch later = minibatch_of(103, 10, 5, 1), seeded = minibatch_of(103, 10, 6, 0);
    bln_minibatch_rows(&later, 0, 10, rows);
    bln_minibatch_rows(&seeded, 0, 10, other);
    for (size_t i = 0; i < 10; i++) {
        same_epoch += rows[i] == first[i];
        same_seed += other[i] == first[i];
    }
    CHECK(same_epoch < 5 && same_seed < 5);          /* more have probability 1e-8 */

    bln_minibatch whole = minibatch_of(7, 9, 5, 3);
    double scale = 0.0;
    CHECK_SIZE(whole.size, 7);
    CHECK_SIZE(bln_minibatch_next(&whole, rows, &scale), 7);
    CHECK_NEAR(scale, 1.0, 0.0);
    for (size_t i = 0; i < 7; i++) CHECK_SIZE(rows[i], i);
}

/* Which row at which place: of n x n counts whose rows and columns are all equal, chi-square times (n-1)/n has (n-1)^2 degrees of
 * freedom. Ordered pairs of rows at the first two places, and at the first and the last: n (n-1) cells. */
TEST(minibatch, places_and_pairs)
{
    enum { N = 10, EPOCHS = 8000 };
    static const size_t sizes[] = { 2, 7, 8, 9, N };
    for (size_t s = 0; s < 5; s++) {
        const size_t n = sizes[s];
        double place[N*N] = { 0.0 }, near[N*N] = { 0.0 }, far[N*N] = { 0.0 }, sum = 0.0, pairs[2] = { 0.0, 0.0 };
        const double cells = (double)(n*(n - 1)), free_places = (double)((n - 1)*(n - 1));
        for (uint64_t e = 0; e < EPOCHS; e++) {
            size_t rows[N];
            const bln_minibatch b = minibatch_of(n, 1, 99, e);
            bln_minibatch_rows(&b, 0, n, rows);
            for (size_t i = 0; i < n; i++) place[i*n + rows[i]] += 1.0;
            near[rows[0]*n + rows[1]] += 1.0;
            far[rows[0]*n + rows[n - 1]] += 1.0;
        }
        for (size_t i = 0; i < n*n; i++) {
            const double want = (double)EPOCHS/(double)n, pair = (double)EPOCHS/cells;
            sum += (place[i] - want)*(place[i] - want)/want;
            if (i % (n + 1) == 0) { CHECK(near[i] == 0.0 && far[i] == 0.0); continue; }
            pairs[0] += (near[i] - pair)*(near[i] - pair)/pair;
            pairs[1] += (far[i] - pair)*(far[i] - pair)/pair;
        }
        CHECK_LE(sum*(double)(n - 1)/(double)n, goodness_chi2_bound(free_places));
        CHECK_LE(pairs[0], goodness_chi2_bound(cells - 1.0));
        CHECK_LE(pairs[1], goodness_chi2_bound(cells - 1.0));
    }
}

/* All 120 orders of five rows, and all 24 of four. */
TEST(minibatch, whole_orders)
{
    for (size_t n = 4; n <= 5; n++) {
        const size_t orders = n == 4 ? 24 : 120, epochs = 12000;
        double count[120] = { 0.0 }, probability[120];
        for (uint64_t e = 0; e < epochs; e++) {
            size_t rows[5], code = 0;
            const bln_minibatch b = minibatch_of(n, 2, 3, e);
            bln_minibatch_rows(&b, 0, n, rows);
            for (size_t i = 0; i < n; i++) {                                  /* Lehmer's code */
                size_t smaller = 0;
                for (size_t j = i + 1; j < n; j++) smaller += rows[j] < rows[i];
                code = code*(n - i) + smaller;
            }
            count[code] += 1.0;
        }
        for (size_t i = 0; i < orders; i++) probability[i] = 1.0/(double)orders;
        goodness_chi2(orders, count, probability, (double)epochs, "orders", (double)n, 0.0);
    }
}

/* Many rows, a batch of 64: how many of them are below n/2, and whether two neighbours are, has the hypergeometric mean and
 * variance. */
TEST(minibatch, large)
{
    enum { N = 100000, M = 64, EPOCHS = 2000 };
    const double half = 0.5, var = (double)M*0.25*(double)(N - M)/(double)(N - 1), runs = (double)EPOCHS;
    double sum = 0.0, square = 0.0, next = 0.0;
    for (uint64_t e = 0; e < EPOCHS; e++) {
        size_t rows[M];
        double below = 0.0;
        const bln_minibatch b = minibatch_of(N, M, 11, e);
        bln_minibatch_rows(&b, 777, M, rows);
        for (size_t i = 0; i < M; i++) below += rows[i] < N/2;
        sum += below - half*M;
        square += (below - half*M)*(below - half*M);
        next += (rows[0] < N/2) == (rows[1] < N/2);
    }
    CHECK_NEAR(sum/runs, 0.0, 5.0*sqrt(var/runs));
    CHECK_NEAR(square/runs, var, 5.0*var*sqrt(2.0/runs));
    CHECK_NEAR(next/runs, 0.5*(double)(N - 2)/(double)(N - 1), 5.0*sqrt(0.25/runs));
}

/* (O1): weighted by |B|/n, the estimates of the batches of an epoch average to the sum over all rows, weights and the short batch
 * included; and over many epochs every batch does so alone, the last too. Its variance is known: that of a sample without
 * replacement. */
TEST(minibatch, unbiased)
{
    enum { N = 11, M = 4, EPOCHS = 5000 };
    double term[N], all = 0.0, mean[3] = { 0.0, 0.0, 0.0 }, scatter = 0.0;
    test_random r = test_random_new(4);
    bln_minibatch b = minibatch_of(N, M, 1, 0);
    for (size_t i = 0; i < N; i++) {
        term[i] = test_normal(&r)*(1.0 + (double)(i % 3));                   /* weight times gradient of the row */
        all += term[i];
    }
    for (size_t i = 0; i < N; i++) scatter += (term[i] - all/N)*(term[i] - all/N);
    for (int e = 0; e < EPOCHS; e++) {
        double epoch = 0.0;
        for (int k = 0; k < 3; k++) {
            size_t rows[M];
            double scale, g = 0.0;
            const size_t m = bln_minibatch_next(&b, rows, &scale);
            for (size_t i = 0; i < m; i++) g += term[rows[i]];
            epoch += g*scale*(double)m/N;
            mean[k] += g*scale/EPOCHS;
        }
        CHECK_NEAR(epoch, all, 100*DBL_EPSILON*N);
    }
    for (int k = 0; k < 3; k++) {
        const double m = k < 2 ? M : N - 2*M;
        CHECK_NEAR(mean[k], all, 5.0*sqrt(N*N/m*(scatter/(N - 1))*(N - m)/N/EPOCHS));
    }
}

TEST(minibatch, gather)
{
    enum { N = 9, D = 3, P = 2 };
    const size_t rows[4] = { 8, 0, 3, 3 };
    double X[N*(D + 1)], y[N*(P + 1)], offset[N*P], w[N], v[N], trials[N];
    test_random r = test_random_new(5);
    bln_data data = BLN_ZERO, block = BLN_ZERO;
    test_fill_normal(&r, N*(D + 1), X);
    test_fill_normal(&r, N*(P + 1), y);
    test_fill_normal(&r, N*P, offset);
    test_fill_normal(&r, N, w);
    test_fill_normal(&r, N, v);
    test_fill_normal(&r, N, trials);
    data.n = N;
    data.d = D;
    data.X = X;
    data.ldx = D + 1;
    data.y = y;
    data.p = P;
    data.ldy = P + 1;
    for (int full = 0; full < 2; full++) {
        if (full) {
            data.offset = offset;
            data.weight = w;
            data.noise_var = v;
            data.trials = trials;
        }
        const size_t size = bln_minibatch_gather_work(&data, 4);
        double *work = test_doubles(size);
        bln_minibatch_gather(&data, 4, rows, work, &block);
        CHECK(block.n == 4 && block.d == D && block.p == P && !block.offset == !full && !block.weight == !full);
        CHECK(!block.noise_var == !full && !block.trials == !full);
        for (size_t i = 0; i < 4; i++) {
            const size_t k = rows[i];
            for (size_t j = 0; j < D; j++) CHECK(block.X[i*blni_ldx(&block) + j] == X[k*(D + 1) + j]);
            for (size_t j = 0; j < P; j++) CHECK(blni_y(&block, i, j) == y[k*(P + 1) + j]);
            for (size_t j = 0; j < P; j++) CHECK(blni_offset(&block, i, j) == (full ? offset[k*P + j] : 0.0));
            if (full) CHECK(block.weight[i] == w[k] && block.noise_var[i] == v[k] && block.trials[i] == trials[k]);
        }
        free(work);
    }
    CHECK(bln_minibatch_gather_work(&data, (size_t)-1/8) == (size_t)-1);
}

TEST(minibatch, refuses)
{
    bln_minibatch b;
    CHECK_STATUS(bln_minibatch_init(NULL, 1, 1, 0), BLN_EINVAL);
    CHECK_STATUS(bln_minibatch_init(&b, 0, 1, 0), BLN_EINVAL);
    CHECK_STATUS(bln_minibatch_init(&b, 1, 0, 0), BLN_EINVAL);
}

SUITE_BEGIN(minibatch)
SUITE_TEST(minibatch, known_answers)
SUITE_TEST(minibatch, bijection)
SUITE_TEST(minibatch, position)
SUITE_TEST(minibatch, places_and_pairs)
SUITE_TEST(minibatch, whole_orders)
SUITE_TEST(minibatch, large)
SUITE_TEST(minibatch, unbiased)
SUITE_TEST(minibatch, gather)
SUITE_TEST(minibatch, refuses)
SUITE_END(minibatch)
