/* scaler: the definition of mean and standard deviation, weights as copies, stability under shifts, ways there and back, every
 * failure */
#include "../test.h"

enum { SCALER_N = 600, SCALER_D = 3, SCALER_LD = 5 };      /* more rows than the 256 of a block, and padding */

typedef struct scaler_set { double X[SCALER_N*SCALER_LD], y[SCALER_N], weight[SCALER_N]; } scaler_set;

/* Multiples of 1/1024 (so that a shift by 1e9 is exact), column 1 constant at 0.1, padding NaN; weights 0..4. */
static bln_data scaler_data(scaler_set *s)
{
    test_random random = test_random_new(11);
    bln_data data;
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < SCALER_N; i++) {
        for (size_t j = 0; j < SCALER_LD; j++)
            s->X[i*SCALER_LD + j] = j >= SCALER_D ? (double)NAN : j == 1 ? 0.1
                                  : floor((1.0 + 20.0*(double)j)*1024.0*test_normal(&random))/1024.0;
        s->y[i] = floor(1024.0*(3.0 + 0.5*test_normal(&random)))/1024.0;
        s->weight[i] = floor(5.0*test_uniform(&random));
    }
    data.n = SCALER_N;
    data.d = SCALER_D;
    data.X = s->X;
    data.ldx = SCALER_LD;
    data.y = s->y;
    return data;
}

/* The definition, in two passes. */
static void scaler_define(const bln_data *data, size_t column, double *mean, double *sd)
{
    double total = 0.0, sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        total = sum = 0.0;
        for (size_t i = 0; i < data->n; i++) {
            const double x = column < data->d ? data->X[i*data->ldx + column] : data->y[i],
                w = data->weight ? data->weight[i] : 1.0;
            total += w;
            sum += pass == 0 ? w*x : w*(x - *mean)*(x - *mean);
        }
        if (pass == 0) *mean = sum/total;
    }
    *sd = sqrt(sum/total);
}

/* Chan, Golub & LeVeque (1983): Welford's relative error is at most of order n kappa u with kappa = sqrt(1 + (mean/sd)^2); the
 * textbook formula's is n kappa^2 u. */
static double scaler_tolerance(double mean, double sd) { return (double)SCALER_N*sqrt(1.0 + mean*mean/(sd*sd))*DBL_EPSILON; }

static void scaler_agrees(const bln_data *data)
{
    bln_scaler *s = NULL;
    CHECK_OK(bln_scaler_create(NULL, data, &s, NULL));
    if (!s) return;
    CHECK_SIZE(bln_scaler_columns(s), SCALER_D);
    for (size_t j = 0; j <= SCALER_D; j++) {
        double mean = 0.0, sd = 0.0;
        scaler_define(data, j, &mean, &sd);
        if (j == 1) sd = 1.0;
        const double tolerance = scaler_tolerance(mean, sd);
        CHECK_NEAR(bln_scaler_mean(s, j), mean, tolerance*sd);
        CHECK_REL(bln_scaler_sd(s, j), sd, tolerance);
        CHECK(bln_scaler_constant(s, j) == (j == 1));
    }
    bln_scaler_free(s);
}

TEST(scaler, agrees_with_the_definition)
{
    static scaler_set set;
    bln_data data = scaler_data(&set);
    scaler_agrees(&data);
    data.weight = set.weight;
    scaler_agrees(&data);
}

/* The spread of data around 1e9 is that of the same data around 0; sums of squares would keep no digit of it (kappa^2 u = 100). */
TEST(scaler, a_shift_by_1e9_keeps_the_spread)
{
    static scaler_set set;
    bln_scaler *a = NULL, *b = NULL;
    const bln_data data = scaler_data(&set);
    CHECK_OK(bln_scaler_create(NULL, &data, &a, NULL));
    for (size_t i = 0; i < SCALER_N; i++) {
        set.X[i*SCALER_LD] += 1e9;
        set.y[i] -= 1e9;
    }
    CHECK_OK(bln_scaler_create(NULL, &data, &b, NULL));
    if (a && b) {
        CHECK_REL(bln_scaler_sd(b, 0), bln_scaler_sd(a, 0), scaler_tolerance(1e9, bln_scaler_sd(a, 0)));
        CHECK_REL(bln_scaler_sd(b, 3), bln_scaler_sd(a, 3), scaler_tolerance(1e9, bln_scaler_sd(a, 3)));
        CHECK_NEAR(bln_scaler_mean(b, 0) - 1e9, bln_scaler_mean(a, 0), (double)SCALER_N*1e9*DBL_EPSILON);
        CHECK_NEAR(bln_scaler_mean(b, 3) + 1e9, bln_scaler_mean(a, 3), (double)SCALER_N*1e9*DBL_EPSILON);
    }
    bln_scaler_free(a);
    bln_scaler_free(b);
}

TEST(scaler, weights_are_copies)
{
    static scaler_set set;
    static double X[5*SCALER_N*SCALER_D], y[5*SCALER_N];
    bln_scaler *a = NULL, *b = NULL;
    bln_data data = scaler_data(&set), copies;
    memset(&copies, 0, sizeof copies);
    for (size_t i = 0; i < SCALER_N; i++)
        for (double k = 0.0; k < set.weight[i]; k += 1.0) {
            memcpy(X + copies.n*SCALER_D, set.X + i*SCALER_LD, SCALER_D*sizeof *X);
            y[copies.n++] = set.y[i];
        }
    copies.d = SCALER_D;
    copies.X = X;
    copies.y = y;
    data.weight = set.weight;
    CHECK_OK(bln_scaler_create(NULL, &data, &a, NULL));
    CHECK_OK(bln_scaler_create(NULL, &copies, &b, NULL));
    for (size_t j = 0; a && b && j <= SCALER_D; j++) {
        const double mean = bln_scaler_mean(a, j), sd = bln_scaler_sd(a, j), tolerance = 5.0*scaler_tolerance(mean, sd);
        CHECK_NEAR(bln_scaler_mean(b, j), mean, tolerance*sd);
        CHECK_REL(bln_scaler_sd(b, j), sd, tolerance);
    }
    bln_scaler_free(a);
    bln_scaler_free(b);
}

/* A source that hands out a view in blocks of its own size, and can be told to fail or to change its shape at some block. */
typedef struct scaler_feed {
    bln_data data;
    size_t at, block, calls, fail_at, other_d_at, no_y_at, resets;
    bln_status status;
} scaler_feed;
static bln_status scaler_feed_reset(void *user, bln_report *report)
{
    scaler_feed *f = (scaler_feed *)user;
    (void)report;
    f->at = 0;
    f->resets++;
    return BLN_OK;
}
static bln_status scaler_feed_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    scaler_feed *f = (scaler_feed *)user;
    const size_t call = f->calls++;
    if (call == f->fail_at) return blni_fail(report, f->status, BLN_NONE, BLN_NONE, "the feed broke");
    *block = bln_data_rows(&f->data, f->at, blni_min(blni_min(max_rows, f->block), f->data.n - f->at));
    if (call == f->other_d_at) block->d--;
    if (call == f->no_y_at) block->y = NULL;
    f->at += block->n;
    return BLN_OK;
}
static bln_source scaler_feed_source(scaler_feed *f, const bln_data *data, size_t block)
{
    bln_source s;
    memset(f, 0, sizeof *f);
    f->data = *data;
    f->block = block;
    f->fail_at = f->other_d_at = f->no_y_at = (size_t)-1;
    s.d = data->d;
    s.reset = scaler_feed_reset;
    s.next = scaler_feed_next;
    s.user = f;
    return s;
}

TEST(scaler, blocks_of_any_size_give_the_same_bits)
{
    static scaler_set set;
    static const size_t blocks[] = { 1, 7, 256, 600, 1000 };
    bln_data data = scaler_data(&set);
    data.weight = set.weight;
    bln_scaler *whole = NULL;
    CHECK_OK(bln_scaler_create(NULL, &data, &whole, NULL));
    for (size_t k = 0; k < sizeof blocks/sizeof *blocks; k++) {
        scaler_feed feed;
        const bln_source source = scaler_feed_source(&feed, &data, blocks[k]);
        bln_scaler *s = NULL;
        CHECK_OK(bln_scaler_create_source(NULL, &source, &s, NULL));
        CHECK_SIZE(feed.resets, 1);
        for (size_t j = 0; s && whole && j <= SCALER_D; j++) {
            CHECK_NEAR(bln_scaler_mean(s, j), bln_scaler_mean(whole, j), 0.0);
            CHECK_NEAR(bln_scaler_sd(s, j), bln_scaler_sd(whole, j), 0.0);
            CHECK(bln_scaler_constant(s, j) == (j == 1));
        }
        bln_scaler_free(s);
    }
    bln_scaler_free(whole);
}

/* After scaling: mean 0 and variance 1; a constant column is 0 exactly; back again within two roundings of the larger of x and
 * mean. */
TEST(scaler, there_and_back)
{
    static scaler_set set;
    static double Z[SCALER_N*SCALER_D], z[SCALER_N], in_place[SCALER_N*SCALER_LD], back[SCALER_N];
    bln_scaler *s = NULL;
    bln_data data = scaler_data(&set), scaled;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (!s) return;
    bln_scaler_inputs(s, SCALER_N, data.X, data.ldx, Z, 0);
    bln_scaler_targets(s, SCALER_N, data.y, z);
    memset(&scaled, 0, sizeof scaled);
    scaled.n = SCALER_N;
    scaled.d = scaled.ldx = SCALER_D;
    scaled.X = Z;
    scaled.y = z;
    for (size_t j = 0; j <= SCALER_D; j++) {
        double mean = 1.0, sd = 0.0;
        scaler_define(&scaled, j, &mean, &sd);
        CHECK_NEAR(mean, 0.0, (double)SCALER_N*DBL_EPSILON*(1.0 + fabs(bln_scaler_mean(s, j))/bln_scaler_sd(s, j)));
        CHECK_NEAR(sd, j == 1 ? 0.0 : 1.0, j == 1 ? 0.0 : (double)SCALER_N*DBL_EPSILON);
    }
    for (size_t i = 0; i < SCALER_N; i++) CHECK(Z[i*SCALER_D + 1] == 0.0);

    memcpy(in_place, set.X, sizeof in_place);
    bln_scaler_inputs(s, SCALER_N, in_place, SCALER_LD, in_place, SCALER_LD);
    for (size_t i = 0; i < SCALER_N; i++) {
        for (size_t j = 0; j < SCALER_D; j++) CHECK(in_place[i*SCALER_LD + j] == Z[i*SCALER_D + j]);
        CHECK(in_place[i*SCALER_LD + SCALER_D] != in_place[i*SCALER_LD + SCALER_D]);      /* the padding is still NaN */
    }
    memcpy(back, z, sizeof back);
    bln_scaler_means_back(s, SCALER_N, back, back);
    const double centre = bln_scaler_mean(s, SCALER_D);
    for (size_t i = 0; i < SCALER_N; i++) CHECK_NEAR(back[i], set.y[i], 2.0*DBL_EPSILON*(fabs(set.y[i]) + fabs(centre)));
    memcpy(back, set.y, sizeof back);
    bln_scaler_targets(s, SCALER_N, back, back);
    CHECK(memcmp(back, z, sizeof z) == 0);
    bln_scaler_free(s);
}

/* p(y) dy = p(z) dz with z = (y - mean)/sd: the log density in the units of the data, worked out directly. */
TEST(scaler, variances_and_densities_come_back)
{
    const double y[2] = { 10.0, 30.0 };                   /* mean 20, sd 10 */
    const double zv[2] = { 0.25, 4.0 };
    double v[2];
    bln_data data;
    bln_scaler *s = NULL;
    memset(&data, 0, sizeof data);
    data.n = 2;
    data.y = y;                                           /* no inputs at all */
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (!s) return;
    CHECK_SIZE(bln_scaler_columns(s), 0);
    CHECK_NEAR(bln_scaler_mean(s, 0), 20.0, 0.0);
    CHECK_NEAR(bln_scaler_sd(s, 0), 10.0, 1e-14);
    bln_scaler_vars_back(s, 2, zv, v);
    CHECK_REL(v[0], 25.0, 1e-15);
    CHECK_REL(v[1], 400.0, 1e-15);
    bln_scaler_inputs(s, 2, NULL, 0, NULL, 0);            /* nothing to do */
    const double z = (y[1] - 20.0)/10.0;                  /* N(z | 0, 0.25) and N(30 | 20, 25) */
    const double logp_z = -0.5*(1.8378770664093454836 + log(0.25) + z*z/0.25),
        logp_y = -0.5*(1.8378770664093454836 + log(25.0) + 100.0/25.0);
    CHECK_REL(bln_scaler_logp_back(s, 1.0, logp_z), logp_y, 1e-15);
    CHECK_REL(bln_scaler_logp_back(s, 3.0, 3.0*logp_z), 3.0*logp_y, 1e-15);
    bln_scaler_free(s);
}

TEST(scaler, constant_columns_of_every_size)
{
    const double values[6] = { 0.0, 0.1, -1e300, 1e-300, 12345.678, 1.0/3.0 };
    for (size_t k = 0; k < 6; k++) {
        double X[100], weight[100], z[100];
        bln_scaler *s = NULL;
        bln_data data;
        test_random random = test_random_new(12);
        for (size_t i = 0; i < 100; i++) { X[i] = values[k]; weight[i] = test_uniform(&random); }
        memset(&data, 0, sizeof data);
        data.n = 100;
        data.d = 1;
        data.X = X;
        data.y = X;
        data.weight = weight;
        CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
        if (!s) return;
        for (size_t j = 0; j < 2; j++) {
            CHECK(bln_scaler_constant(s, j));
            CHECK_NEAR(bln_scaler_mean(s, j), values[k], 0.0);
            CHECK_NEAR(bln_scaler_sd(s, j), 1.0, 0.0);
        }
        bln_scaler_inputs(s, 100, X, 1, z, 1);
        CHECK(z[0] == 0.0 && z[99] == 0.0);
        bln_scaler_means_back(s, 100, z, z);
        CHECK_NEAR(z[50], values[k], 0.0);
        bln_scaler_free(s);
    }
}

/* Rows that count nothing must not make a constant column vary, nor be the first row. */
TEST(scaler, rows_of_weight_zero_do_not_count)
{
    const double X[4] = { 100.0, 2.0, 2.0, 50.0 }, weight[4] = { 0.0, 1.0, 0.5, 0.0 };
    bln_scaler *s = NULL;
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 4;
    data.d = 1;
    data.X = X;
    data.weight = weight;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (!s) return;
    CHECK(bln_scaler_constant(s, 0));
    CHECK_NEAR(bln_scaler_mean(s, 0), 2.0, 0.0);
    bln_scaler_free(s);
}

/* Numbers whose squares leave the range of doubles are as good as others, whichever comes first; means and deviations are exact
 * to the rounding of four operations. Deviations beyond the range of doubles do not exist: two numbers have at most DBL_MAX. */
TEST(scaler, extreme_units)
{
    const double tiny[2] = { 1e-200, 3e-200 }, mixed[2] = { 1e-200, 1e10 }, huge[2] = { 1e200, -1e200 };
    const double weight[2] = { 1.7e308, 1.7e308 }, one[2] = { 1.0, 2.0 };
    bln_scaler *s = NULL;
    bln_report r;
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 2;
    data.d = 1;
    data.X = tiny;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (s) CHECK(!bln_scaler_constant(s, 0));
    CHECK_REL(bln_scaler_mean(s, 0), 2e-200, 4*DBL_EPSILON);
    CHECK_REL(bln_scaler_sd(s, 0), 1e-200, 4*DBL_EPSILON);
    bln_scaler_free(s);
    s = NULL;
    data.X = huge;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, &r));
    CHECK_REL(bln_scaler_sd(s, 0), 1e200, 4*DBL_EPSILON);
    bln_scaler_free(s);
    s = NULL;
    data.X = mixed;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, &r));
    CHECK_REL(bln_scaler_mean(s, 0), 5e9, 4*DBL_EPSILON);
    CHECK_REL(bln_scaler_sd(s, 0), 5e9, 4*DBL_EPSILON);
    bln_scaler_free(s);
    s = NULL;
    data.X = one;
    data.weight = weight;
    CHECK_STATUS(bln_scaler_create(NULL, &data, &s, &r), BLN_ENUMERIC);
    CHECK(s == NULL);
    for (int e = -40; e <= 40; e += 80) {                 /* 1e-12 and 1e12 scale exactly */
        double x[3];
        for (size_t i = 0; i < 3; i++) x[i] = ldexp(1.0 + (double)(i*i), e);
        data.n = 3;
        data.X = x;
        data.weight = NULL;
        CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
        if (s) CHECK_REL(bln_scaler_sd(s, 0), ldexp(1.6996731711975948647, e), 1e-15);      /* sqrt(26/9) of 1, 2, 5 */
        bln_scaler_free(s);
        s = NULL;
    }
}

TEST(scaler, without_targets_they_stay_as_they_are)
{
    static scaler_set set;
    double v[2] = { 3.0, -4.5 };
    bln_scaler *s = NULL;
    bln_data data = scaler_data(&set);
    data.y = NULL;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (!s) return;
    CHECK(bln_scaler_mean(s, SCALER_D) == 0.0 && bln_scaler_sd(s, SCALER_D) == 1.0 && !bln_scaler_constant(s, SCALER_D));
    bln_scaler_targets(s, 2, v, v);
    CHECK(v[0] == 3.0 && v[1] == -4.5);
    CHECK_NEAR(bln_scaler_logp_back(s, 10.0, -2.5), -2.5, 0.0);
    bln_scaler_free(s);
}

TEST(scaler, identity_changes_nothing)
{
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    double x[4] = { 0.1, -2.0, 1e300, 3.0 };
    bln_scaler *s = NULL;
    CHECK_OK(bln_scaler_identity(&alloc, 2, 0, &s));
    if (!s) return;
    bln_scaler_inputs(s, 2, x, 2, x, 2);
    bln_scaler_targets(s, 1, x, x);
    bln_scaler_means_back(s, 1, x, x);
    bln_scaler_vars_back(s, 1, x, x);
    CHECK(x[0] == 0.1 && x[1] == -2.0 && x[2] == 1e300 && x[3] == 3.0);
    CHECK_NEAR(bln_scaler_mean(s, 3), (double)NAN, 0.0);
    CHECK_NEAR(bln_scaler_sd(s, 3), (double)NAN, 0.0);
    CHECK(!bln_scaler_constant(s, 3));
    bln_scaler_free(s);
    CHECK_SIZE(heap.live, 0);
    bln_scaler_free(NULL);
    CHECK_STATUS(bln_scaler_identity(NULL, 2, 1, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_identity(NULL, (size_t)-1, 1, &s), BLN_EOVERFLOW);
    CHECK_STATUS(bln_scaler_identity(NULL, (size_t)-1/8, 1, &s), BLN_EOVERFLOW);
    heap.fail_at = heap.calls;
    CHECK_STATUS(bln_scaler_identity(&alloc, 2, 1, &s), BLN_ENOMEM);
}

/* ---- several outputs ---- */

/* Each output as if it were alone: means, scales, ways there and back, densities, to the bit. Strided; from blocks too. */
TEST(scaler, several_outputs)
{
    enum { P = 3, LDY = 4, ROWS = 300 };
    static scaler_set set;
    static double Y[ROWS*LDY], y[ROWS*P], z[ROWS*P], one[ROWS];
    test_random random = test_random_new(14);
    bln_scaler *s = NULL, *by_source = NULL, *alone = NULL;
    bln_data_reader reader;
    bln_data data = scaler_data(&set);
    data.n = ROWS;
    data.weight = set.weight;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < LDY; k++)
            Y[i*LDY + k] = k == 1 ? 7.5 : k == 3 ? (double)NAN : 100.0*(double)k + test_normal(&random);
    data.y = Y;
    data.p = P;
    data.ldy = LDY;
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    const bln_source source = bln_source_of(&data, &reader);
    CHECK_OK(bln_scaler_create_source(NULL, &source, &by_source, NULL));
    if (!s || !by_source) { CHECK(0); return; }
    CHECK_SIZE(bln_scaler_outputs(s), P);
    CHECK_SIZE(bln_scaler_columns(s), SCALER_D);
    for (size_t i = 0; i < ROWS; i++) for (size_t k = 0; k < P; k++) y[i*P + k] = Y[i*LDY + k];
    bln_scaler_targets(s, ROWS, y, z);
    double logs = -1.5;
    for (size_t k = 0; k < P; k++) {
        bln_data of_one = data;
        of_one.p = 1;
        of_one.ldy = 1;
        of_one.y = one;
        for (size_t i = 0; i < ROWS; i++) one[i] = y[i*P + k];
        CHECK_OK(bln_scaler_create(NULL, &of_one, &alone, NULL));
        for (size_t j = 0; j <= SCALER_D; j++) {
            const size_t column = j + (j == SCALER_D ? k : 0);
            CHECK(bln_scaler_mean(s, column) == bln_scaler_mean(alone, j));
            CHECK(bln_scaler_sd(s, column) == bln_scaler_sd(alone, j));
            CHECK(bln_scaler_mean(by_source, column) == bln_scaler_mean(alone, j));
            CHECK(bln_scaler_sd(by_source, column) == bln_scaler_sd(alone, j));
            CHECK(bln_scaler_constant(s, column) == bln_scaler_constant(alone, j));
        }
        bln_scaler_targets(alone, ROWS, one, one);
        for (size_t i = 0; i < ROWS; i++) CHECK(one[i] == z[i*P + k]);
        logs -= 4.0*log(bln_scaler_sd(alone, SCALER_D));
        bln_scaler_free(alone);
    }
    CHECK(bln_scaler_constant(s, SCALER_D + 1) && bln_scaler_mean(s, SCALER_D + P) != bln_scaler_mean(s, SCALER_D + P));
    CHECK_NEAR(bln_scaler_logp_back(s, 4.0, -1.5), logs, 1e-13);
    bln_scaler_means_back(s, ROWS, z, z);
    for (size_t i = 0; i < ROWS*P; i++) CHECK_NEAR(z[i], y[i], 4.0*DBL_EPSILON*(fabs(y[i]) + 200.0));
    for (size_t i = 0; i < P; i++) z[i] = 2.0;
    bln_scaler_vars_back(s, 1, z, z);
    for (size_t k = 0; k < P; k++) CHECK_REL(z[k], 2.0*pow(bln_scaler_sd(s, SCALER_D + k), 2.0), 1e-15);
    bln_scaler_free(s);
    bln_scaler_free(by_source);
    CHECK_OK(bln_scaler_identity(NULL, 2, P, &s));
    for (size_t i = 0; i < P; i++) z[i] = 2.5;
    bln_scaler_targets(s, 1, z, z);
    CHECK(bln_scaler_outputs(s) == P && z[0] == 2.5 && z[P - 1] == 2.5);
    bln_scaler_free(s);
}

/* A second block with fewer outputs than the first. */
static bln_status scaler_fewer_reset(void *user, bln_report *report) { (void)report; *(size_t *)user = 0; return BLN_OK; }
static bln_status scaler_fewer_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    static const double y[2] = { 1.0, 2.0 };
    size_t *at = (size_t *)user;
    (void)max_rows; (void)report;
    block->n = 1;
    block->y = y;
    block->p = 2 - *at;
    ++*at;
    return BLN_OK;
}

TEST(scaler, outputs_on_disk_and_refused)
{
    static const double y[4] = { 1.0, 20.0, 3.0, 60.0 };
    unsigned char bytes[200];
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_memory_stream m;
    bln_scaler *s = NULL, *t = NULL;
    bln_report report;
    bln_source source;
    bln_data data;
    size_t at;
    memset(&data, 0, sizeof data);
    data.n = data.p = 2;
    data.y = y;
    CHECK_OK(bln_scaler_create(&alloc, &data, &s, NULL));
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_scaler_save(s, &w);
    const size_t size = m.at;
    CHECK_SIZE(size, 16 + 17*2);
    CHECK(bytes[0] == 2 && bytes[7] == 0x80 && bytes[8] == 0 && bytes[15] == 0);              /* 2^63 + 2, and d = 0 */
    bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    CHECK_OK(bln_scaler_load(&alloc, &r, &t));
    CHECK(t && r.count == size && bln_scaler_outputs(t) == 2 && bln_scaler_mean(t, 1) == 40.0 && bln_scaler_sd(t, 1) == 20.0);
    bln_scaler_free(t);
    void *by_kind = NULL;                                          /* a kind of file may be read without a context */
    r = bln_memory_reader(&m, bytes, size, NULL);
    CHECK_OK(blni_scaler_kind.load(NULL, &r, &by_kind));
    blni_scaler_kind.release(by_kind);
    t = NULL;
    for (size_t cut = 0; cut < size; cut++) {
        r = bln_memory_reader(&m, bytes, cut, NULL);
        CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), BLN_EFORMAT);
    }
    static const struct { size_t at; unsigned char value; } damage[] = { { 0, 1 }, { 0, 0 }, { 6, 1 }, { 8, 1 }, { 14, 1 } };
    for (size_t k = 0; k < sizeof damage/sizeof *damage; k++) {
        const unsigned char keep = bytes[damage[k].at];
        bytes[damage[k].at] = damage[k].value;
        r = bln_memory_reader(&m, bytes, size, NULL);
        CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), BLN_EFORMAT);
        bytes[damage[k].at] = keep;
    }
    CHECK(t == NULL);
    bln_scaler_free(s);
    heap.fail_at = heap.calls + 1;                                  /* the one that is made for two outputs */
    CHECK_STATUS(bln_scaler_create(&alloc, &data, &t, NULL), BLN_ENOMEM);
    heap.fail_at = (size_t)-1;
    memset(&source, 0, sizeof source);
    source.reset = scaler_fewer_reset;
    source.next = scaler_fewer_next;
    source.user = &at;
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &t, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "outputs");
    CHECK_SIZE(report.row, 1);
    CHECK(t == NULL);
    CHECK_SIZE(heap.live, 0);
}

/* ---- failures: nothing is left behind, and *out is as it was ---- */

static void scaler_refused(const bln_data *data, bln_status want, size_t row, size_t column, const char *text)
{
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_report r;
    bln_scaler *out = NULL;
    CHECK_STATUS(bln_scaler_create(&alloc, data, &out, &r), want);
    CHECK(out == NULL);
    CHECK_SIZE(r.row, row);
    CHECK_SIZE(r.column, column);
    CHECK_TEXT(r.text, text);
    CHECK_SIZE(heap.live, 0);
    CHECK_STATUS(bln_scaler_create(NULL, data, &out, NULL), want);
}

TEST(scaler, bad_data_are_refused_by_row_and_column)
{
    static scaler_set set;
    bln_data data = scaler_data(&set);
    set.X[300*SCALER_LD + 2] = (double)NAN;               /* in the second block: rows are counted from the first row of all */
    scaler_refused(&data, BLN_EDATA, 300, 2, "row 300, column 2");
    data = scaler_data(&set);
    set.y[599] = (double)INFINITY;
    scaler_refused(&data, BLN_EDATA, 599, SCALER_D, "y is NaN or infinite");
    data = scaler_data(&set);
    data.weight = set.weight;
    set.weight[257] = -1.0;
    scaler_refused(&data, BLN_EDOMAIN, 257, BLN_NONE, "weight");
    for (size_t i = 0; i < SCALER_N; i++) set.weight[i] = 0.0;
    scaler_refused(&data, BLN_EINVAL, BLN_NONE, BLN_NONE, "all weights are 0");
    data = scaler_data(&set);
    data.n = 0;
    scaler_refused(&data, BLN_EINVAL, BLN_NONE, BLN_NONE, "no rows");
    data = scaler_data(&set);
    data.X = NULL;
    scaler_refused(&data, BLN_EINVAL, BLN_NONE, BLN_NONE, "X is NULL");
    data = scaler_data(&set);
    data.ldx = 2;
    scaler_refused(&data, BLN_EINVAL, BLN_NONE, BLN_NONE, "stride");
    scaler_refused(NULL, BLN_EINVAL, BLN_NONE, BLN_NONE, "NULL");
}

TEST(scaler, arguments_and_memory)
{
    static scaler_set set;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap);
    bln_scaler *out = NULL;
    bln_report r;
    const bln_data data = scaler_data(&set);
    CHECK_STATUS(bln_scaler_create(&alloc, &data, NULL, &r), BLN_EINVAL);
    CHECK_STATUS(bln_scaler_create_source(&alloc, NULL, &out, &r), BLN_EINVAL);
    heap.fail_at = 0;
    CHECK_STATUS(bln_scaler_create(&alloc, &data, &out, &r), BLN_ENOMEM);
    CHECK_TEXT(r.text, "out of memory");
    heap.fail_at = (size_t)-1;
    CHECK_OK(bln_scaler_create(&alloc, &data, &out, &r));
    CHECK(r.text[0] == '\0');
    bln_scaler_free(out);
    out = NULL;
    CHECK_SIZE(heap.live, 0);
    CHECK_SIZE(heap.live_bytes, 0);
    alloc.release = NULL;
    CHECK_STATUS(bln_scaler_create(&alloc, &data, &out, &r), BLN_EINVAL);
    CHECK(out == NULL);
}

static bln_status scaler_no_rows(void *user, bln_report *report)
{
    (void)user;
    return blni_refuse(report, BLN_EIO, "no rows to begin with");
}

TEST(scaler, failures_of_a_source)
{
    static scaler_set set;
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_scaler *out = NULL;
    bln_report r;
    scaler_feed feed;
    const bln_data data = scaler_data(&set);
    bln_source source = scaler_feed_source(&feed, &data, 100);
    feed.fail_at = 3;
    feed.status = BLN_ESTOPPED;                           /* passed on as it is, with its reason */
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &out, &r), BLN_ESTOPPED);
    CHECK_TEXT(r.text, "the feed broke");
    source = scaler_feed_source(&feed, &data, 100);
    feed.other_d_at = 2;
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &out, &r), BLN_ESHAPE);
    CHECK_SIZE(r.row, 200);
    source = scaler_feed_source(&feed, &data, 100);
    feed.no_y_at = 4;
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &out, &r), BLN_ESHAPE);
    CHECK_TEXT(r.text, "targets");
    source.next = NULL;
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &out, &r), BLN_EINVAL);
    source = scaler_feed_source(&feed, &data, 100);
    source.reset = scaler_no_rows;
    CHECK_STATUS(bln_scaler_create_source(&alloc, &source, &out, &r), BLN_EIO);
    CHECK_TEXT(r.text, "no rows to begin with");
    CHECK(out == NULL);
    CHECK_SIZE(heap.live, 0);
}

/* ---- as bytes ---- */

TEST(scaler, saves_and_loads_the_same_bits)
{
    static scaler_set set;
    unsigned char bytes[200];
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    bln_memory_stream m;
    bln_scaler *s = NULL, *t = NULL;
    const bln_data data = scaler_data(&set);
    CHECK_OK(bln_scaler_create(NULL, &data, &s, NULL));
    if (!s) return;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_scaler_save(s, &w);
    CHECK_OK(w.status);
    CHECK_SIZE((size_t)w.count, 8 + 17*(SCALER_D + 1));
    bln_reader r = bln_memory_reader(&m, bytes, (size_t)w.count, NULL);
    CHECK_OK(bln_scaler_load(&alloc, &r, &t));
    CHECK(t && r.count == w.count);
    for (size_t j = 0; t && j <= SCALER_D; j++) {
        CHECK_NEAR(bln_scaler_mean(t, j), bln_scaler_mean(s, j), 0.0);
        CHECK_NEAR(bln_scaler_sd(t, j), bln_scaler_sd(s, j), 0.0);
        CHECK(bln_scaler_constant(t, j) == bln_scaler_constant(s, j));
    }
    bln_scaler_free(t);
    t = NULL;
    for (size_t size = 0; size < (size_t)w.count; size++) {
        r = bln_memory_reader(&m, bytes, size, NULL);
        CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), BLN_EFORMAT);
        CHECK(t == NULL && heap.live == 0);
    }
    heap.fail_at = heap.calls;
    r = bln_memory_reader(&m, bytes, (size_t)w.count, NULL);
    CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), BLN_ENOMEM);
    bln_scaler_free(s);
}

TEST(scaler, impossible_contents_are_refused)
{
    /* d = 1: means, standard deviations, marks; each case changes one thing */
    const double inf = (double)INFINITY, nan = (double)NAN;
    const double cases[9][4] = {
        { 1, 2, 3, 4 }, { nan, 2, 3, 4 }, { 1, inf, 3, 4 }, { 1, 2, 0, 4 }, { 1, 2, 3, -4 }, { 1, 2, nan, 4 }, { 1, 2, 3, inf },
        { 1, 2, 3, 4 }, { 1, 2, 3, 4 }
    };
    test_heap heap;
    const bln_allocator alloc = test_heap_allocator(&heap);
    for (size_t k = 0; k < 9; k++) {
        unsigned char bytes[8 + 34], marks[2] = { 0, 0 };
        bln_memory_stream m;
        bln_report report;
        bln_scaler *t = NULL;
        bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
        if (k == 7) marks[1] = 2;
        if (k == 8) marks[0] = 1;                          /* constant, but with sd = 3 */
        bln_put_u64(&w, 1);
        bln_put_doubles(&w, 4, cases[k]);
        bln_put_bytes(&w, marks, 2);
        bln_reader r = bln_memory_reader(&m, bytes, sizeof bytes, &report);
        bln_report_clear(&report);
        CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), k == 0 ? BLN_OK : BLN_EFORMAT);
        CHECK((t != NULL) == (k == 0));
        if (k) CHECK_TEXT(report.text, "scaler: ");
        bln_scaler_free(t);
        memset(bytes, 0xff, 8);                            /* 2^64 - 1 columns */
        t = NULL;
        r = bln_memory_reader(&m, bytes, sizeof bytes, &report);
        CHECK_STATUS(bln_scaler_load(&alloc, &r, &t), BLN_EFORMAT);
        CHECK_SIZE(heap.live, 0);
    }
}

/* Deviations at the ends of the range of doubles. Of the largest numbers they are at most the largest number, but for rounding:
 * then they are refused. Below half of the least number there is none. Variances come back where the square of the unit has no
 * number. */
TEST(scaler, ends_of_the_range)
{
    static const double weights[] = { 1.0, 2.0, 3.0, 0.5, 0.1, 0.7 };
    const double least[4] = { 0.0, 0.0, 0.0, DBL_MIN*DBL_EPSILON };
    test_random random = test_random_new(3);
    bln_scaler *s = NULL;
    bln_report r;
    bln_data data = BLN_ZERO;
    for (int k = 0; k < 300; k++) {
        double x[8], w[8], sum = 0.0;
        for (size_t i = 0; i < 8; i++) {
            x[i] = test_uniform(&random) < 0.5 ? DBL_MAX : -DBL_MAX;
            w[i] = weights[(size_t)(6.0*test_uniform(&random))];
            if (i < 7) sum += x[i] > 0.0 ? w[i] : -w[i];
        }
        if (sum == 0.0) continue;
        x[7] = sum > 0.0 ? -DBL_MAX : DBL_MAX;
        w[7] = fabs(sum);
        data.n = 8;
        data.d = 1;
        data.X = x;
        data.weight = w;
        const bln_status status = bln_scaler_create(NULL, &data, &s, &r);
        if (status == BLN_OK) CHECK_REL(bln_scaler_sd(s, 0), DBL_MAX, 1e-14);
        else CHECK_STATUS(status, BLN_ENUMERIC);
        if (status != BLN_OK) CHECK_TEXT(r.text, "overflows");
        bln_scaler_free(s);
        s = NULL;
    }
    data.n = 4;
    data.X = least;
    data.weight = NULL;
    CHECK_STATUS(bln_scaler_create(NULL, &data, &s, &r), BLN_ENUMERIC);
    CHECK_TEXT(r.text, "underflows");
    for (int e = -200; e <= 200; e += 200) {
        const double unit = pow(10.0, e), x[2] = { 0.0, 1.0 }, y[2] = { -unit, unit }, var = pow(10.0, -1.5*e);
        double out;
        data.n = 2;
        data.X = x;
        data.y = y;
        CHECK_OK(bln_scaler_create(NULL, &data, &s, &r));
        bln_scaler_vars_back(s, 1, &var, &out);
        CHECK_REL(out, pow(10.0, 0.5*e), 1e-12);
        bln_scaler_free(s);
        s = NULL;
    }
}

SUITE_BEGIN(scaler)
    SUITE_TEST(scaler, agrees_with_the_definition)
    SUITE_TEST(scaler, a_shift_by_1e9_keeps_the_spread)
    SUITE_TEST(scaler, weights_are_copies)
    SUITE_TEST(scaler, blocks_of_any_size_give_the_same_bits)
    SUITE_TEST(scaler, there_and_back)
    SUITE_TEST(scaler, variances_and_densities_come_back)
    SUITE_TEST(scaler, constant_columns_of_every_size)
    SUITE_TEST(scaler, rows_of_weight_zero_do_not_count)
    SUITE_TEST(scaler, extreme_units)
    SUITE_TEST(scaler, without_targets_they_stay_as_they_are)
    SUITE_TEST(scaler, identity_changes_nothing)
    SUITE_TEST(scaler, several_outputs)
    SUITE_TEST(scaler, outputs_on_disk_and_refused)
    SUITE_TEST(scaler, bad_data_are_refused_by_row_and_column)
    SUITE_TEST(scaler, arguments_and_memory)
    SUITE_TEST(scaler, failures_of_a_source)
    SUITE_TEST(scaler, saves_and_loads_the_same_bits)
    SUITE_TEST(scaler, impossible_contents_are_refused)
    SUITE_TEST(scaler, ends_of_the_range)
SUITE_END(scaler)
