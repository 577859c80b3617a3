/* test_minibatch - permutations that are computed: bijections, uniform, the same everywhere; rows put together */
#include "../test.h"
#include "../golden/minibatch_golden.h"
#include "../random/goodness.h"

static blni_minibatch minibatch_of(size_t n, size_t size, uint64_t seed, uint64_t epoch)
{
    blni_minibatch b;
    blni_minibatch_init(&b, n, size, seed);
    blni_minibatch_seek(&b, epoch*blni_minibatch_count(&b));
    return b;
}

/* The rows of batch number t, and how many they are. */
static size_t minibatch_take(blni_minibatch *b, uint64_t t, size_t *rows)
{
    blni_minibatch_seek(b, t);
    const size_t n = blni_min(b->size, b->n - b->at);
    blni_minibatch_rows(b, b->at, n, rows);
    return n;
}

TEST(minibatch, known_answers)
{
    for (size_t k = 0; k < sizeof golden_minibatch/sizeof *golden_minibatch; k++) {
        const uint64_t *want = golden_minibatch[k];
        size_t rows[10];
        const blni_minibatch b = minibatch_of((size_t)want[0], 3, want[1], want[2]);
        blni_minibatch_rows(&b, (size_t)want[3], 10, rows);
        for (size_t i = 0; i < 10; i++) CHECK_SIZE(rows[i], (size_t)want[4 + i]);
    }
}

/* Every row once in an epoch, for every n to 150, whatever the size of the batches. */
TEST(minibatch, bijection)
{
    enum { MOST = 150 };
    size_t rows[MOST], all[MOST];
    for (size_t n = 1; n <= MOST; n++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            const size_t size = 1 + (n*7 + (size_t)seed*5) % (n < 40 ? 2*n : 40);
            const uint64_t epoch = seed + n;
            blni_minibatch b = minibatch_of(n, size, seed, epoch);
            const uint64_t count = blni_minibatch_count(&b);
            int seen[MOST] = { 0 };
            size_t at = 0;
            blni_minibatch_rows(&b, 0, n, all);
            for (uint64_t k = 0; k < count; k++) {
                const size_t m = minibatch_take(&b, epoch*count + k, rows);
                CHECK(m == size || k + 1 == count);
                for (size_t i = 0; i < m && at < n; i++, at++) {
                    CHECK_SIZE(rows[i], all[at]);
                    CHECK(rows[i] < n && !seen[rows[i]]);
                    if (rows[i] < n) seen[rows[i]] = 1;
                }
            }
            CHECK_SIZE(at, n);
        }
}

/* Epochs and seeds differ; a single batch is in order. */
TEST(minibatch, position)
{
    blni_minibatch b = minibatch_of(103, 10, 5, 0);
    size_t rows[10], other[10], first[10];
    size_t same_epoch = 0, same_seed = 0;
    CHECK(blni_minibatch_count(&b) == 11);
    blni_minibatch_rows(&b, 0, 10, first);
    for (uint64_t t = 0; t < 40; t++) CHECK_SIZE(minibatch_take(&b, t, rows), t % 11 == 10 ? 3 : 10);
    const blni_minibatch later = minibatch_of(103, 10, 5, 1), seeded = minibatch_of(103, 10, 6, 0);
    blni_minibatch_rows(&later, 0, 10, rows);
    blni_minibatch_rows(&seeded, 0, 10, other);
    for (size_t i = 0; i < 10; i++) {
        same_epoch += rows[i] == first[i];
        same_seed += other[i] == first[i];
    }
    CHECK(same_epoch < 5 && same_seed < 5);          /* more have probability 1e-8 */

    blni_minibatch whole = minibatch_of(7, 9, 5, 3);
    CHECK_SIZE(minibatch_take(&whole, 3, rows), 7);
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
            const blni_minibatch b = minibatch_of(n, 1, 99, e);
            blni_minibatch_rows(&b, 0, n, rows);
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
            const blni_minibatch b = minibatch_of(n, 2, 3, e);
            blni_minibatch_rows(&b, 0, n, rows);
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
        const blni_minibatch b = minibatch_of(N, M, 11, e);
        blni_minibatch_rows(&b, 777, M, rows);
        for (size_t i = 0; i < M; i++) below += rows[i] < N/2;
        sum += below - half*M;
        square += (below - half*M)*(below - half*M);
        next += (rows[0] < N/2) == (rows[1] < N/2);
    }
    CHECK_NEAR(sum/runs, 0.0, 5.0*sqrt(var/runs));
    CHECK_NEAR(square/runs, var, 5.0*var*sqrt(2.0/runs));
    CHECK_NEAR(next/runs, 0.5*(double)(N - 2)/(double)(N - 1), 5.0*sqrt(0.25/runs));
}

/* [optimisation 1]: weighted by |B|/n, the estimates of the batches of an epoch average to the sum over all rows, weights and the
 * short batch included; and over many epochs every batch does so alone, the last too. Its variance is known: that of a sample
 * without replacement. */
TEST(minibatch, unbiased)
{
    enum { N = 11, M = 4, EPOCHS = 5000 };
    double term[N], all = 0.0, mean[3] = { 0.0, 0.0, 0.0 }, scatter = 0.0;
    test_random r = test_random_new(4);
    blni_minibatch b = minibatch_of(N, M, 1, 0);
    for (size_t i = 0; i < N; i++) {
        term[i] = test_normal(&r)*(1.0 + (double)(i % 3));                   /* weight times gradient of the row */
        all += term[i];
    }
    for (size_t i = 0; i < N; i++) scatter += (term[i] - all/N)*(term[i] - all/N);
    for (int e = 0; e < EPOCHS; e++) {
        double epoch = 0.0;
        for (int k = 0; k < 3; k++) {
            size_t rows[M];
            double g = 0.0;
            const size_t m = minibatch_take(&b, (uint64_t)(3*e + k), rows);
            const double scale = (double)N/(double)m;
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
        blni_arena a = blni_arena_over(NULL, 0);
        blni_minibatch_gather(&a, &data, 4, rows);
        double *work = test_doubles(blni_doubles(a.used));
        a = blni_arena_over(work, 0);
        block = blni_minibatch_gather(&a, &data, 4, rows);
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
    blni_arena a = blni_arena_over(NULL, 0);
    blni_minibatch_gather(&a, &data, (size_t)-1/8, rows);
    CHECK(a.used == (size_t)-1);
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
SUITE_END(minibatch)
