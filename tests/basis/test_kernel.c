/* test_kernel - kernels in closed form: golden values, special cases of each other, ends; matrices of them and
 * their chain rule */
#include "basis_tools.h"
#include "../golden/bases_golden.h"

enum { KERNEL_KINDS = BLNI_N_KERNELS };

static double kernel_value(bln_kernel kernel, double r) { return bln_kernel_at(kernel, 0.0, 1, &r); }

/* Triples shape, r, k. The trapezoidal rule of the Matern kernels adds 1e-14. */
static void kernel_shaped_golden(bln_kernel kernel, const double *triples, size_t n)
{
    for (size_t i = 0; i < n; i++, triples += 3)
        CHECK_REL(bln_kernel_at(kernel, triples[0], 1, triples + 1), triples[2],
                  1e-14 + (4 + 3*triples[1]*(1 + triples[1]))*DBL_EPSILON);
}

static void kernel_golden(bln_kernel kernel, const double *pairs, size_t n)
{
    /* exp of an argument a with error eps a: relative error a eps for a up to 700. */
    for (size_t i = 0; i < n; i++)
        CHECK_REL(kernel_value(kernel, pairs[2*i]), pairs[2*i + 1], (4 + 3*pairs[2*i]*(1 + pairs[2*i]))*DBL_EPSILON);
}

TEST(kernel, closed_forms)
{
    kernel_golden(BLN_KERNEL_RBF, golden_kernel_rbf, sizeof golden_kernel_rbf/16);
    kernel_golden(BLN_KERNEL_MATERN12, golden_kernel_matern12, sizeof golden_kernel_matern12/16);
    kernel_golden(BLN_KERNEL_MATERN32, golden_kernel_matern32, sizeof golden_kernel_matern32/16);
    kernel_golden(BLN_KERNEL_MATERN52, golden_kernel_matern52, sizeof golden_kernel_matern52/16);
    kernel_golden(BLN_KERNEL_CAUCHY, golden_kernel_cauchy, sizeof golden_kernel_cauchy/16);
    kernel_shaped_golden(BLN_KERNEL_MATERN, golden_kernel_matern, sizeof golden_kernel_matern/24);
    kernel_shaped_golden(BLN_KERNEL_RQ, golden_kernel_rq, sizeof golden_kernel_rq/24);
    for (int k = 0; k < KERNEL_KINDS; k++) {
        CHECK(kernel_value((bln_kernel)k, 0.0) == 1.0);
        CHECK(kernel_value((bln_kernel)k, -0.7) == kernel_value((bln_kernel)k, 0.7));
        CHECK(kernel_value((bln_kernel)k, HUGE_VAL) == 0.0);
        CHECK(kernel_value((bln_kernel)k, BLNI_NAN) != kernel_value((bln_kernel)k, BLNI_NAN));
    }
    CHECK(kernel_value((bln_kernel)KERNEL_KINDS, 1.0) != kernel_value((bln_kernel)KERNEL_KINDS, 1.0));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_MATERN32), "matern32"));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_CAUCHY_PRODUCT), "cauchy_product"));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_LAPLACE2), "matern12"));
    CHECK(!strcmp(bln_kernel_name((bln_kernel)KERNEL_KINDS), "unknown"));
}

/* The Matern kernel of any nu is the special ones at nu = 1/2, 3/2, 5/2 and near the squared exponential at 1e4: log k = -r^2/2 +
 * (r^4/4 - r^2)/(2 nu) + O((r^2 + r^6)/nu^2); and falls from 1 to 0 with r for every nu, without a gap between small and large. */
TEST(kernel, matern_of_any_nu)
{
    for (double r = 1e-9; r < 300.0; r *= 1.7) {
        const double tolerance = 1e-14 + (4 + 3*r)*DBL_EPSILON;
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 0.5, 1, &r), kernel_value(BLN_KERNEL_MATERN12, r), tolerance);
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 1.5, 1, &r), kernel_value(BLN_KERNEL_MATERN32, r), tolerance);
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 2.5, 1, &r), kernel_value(BLN_KERNEL_MATERN52, r), tolerance);
        if (r < 3.0) {
            const double r2 = r*r, got = log(bln_kernel_at(BLN_KERNEL_MATERN, 1e4, 1, &r));
            CHECK_NEAR(got, -r2/2 + (r2*r2/4 - r2)/2e4, 1e-14 + (r2 + 10*r2*r2)*1e-8);
        }
    }
    for (double nu = 0.1; nu <= 1e4; nu *= 3.0) {
        double before = 1.0;
        for (double r = 0.0; r < 20.0; r += 0.5) {
            const double k = bln_kernel_at(BLN_KERNEL_MATERN, nu, 1, &r);
            CHECK(k <= before && k >= 0.0 && (r < 8.0 ? k > 0.0 : 1));
            before = k;
        }
    }
    {
        const double r = 1.0;
        CHECK(bln_kernel_at(BLN_KERNEL_MATERN, 0.05, 1, &r) != bln_kernel_at(BLN_KERNEL_MATERN, 0.05, 1, &r));
        CHECK(bln_kernel_at(BLN_KERNEL_MATERN, 0.0, 1, &r) == bln_kernel_at(BLN_KERNEL_MATERN, 2.0, 1, &r));
    }
}

/* Radial kernels see the Euclidean length, the products each coordinate. */
TEST(kernel, several_inputs)
{
    static const double tau[] = { 3.0, -4.0 };
    CHECK_REL(bln_kernel_at(BLN_KERNEL_LAPLACE2, 0.0, 2, tau), exp(-5.0), 4*DBL_EPSILON);
    CHECK_REL(bln_kernel_at(BLN_KERNEL_LAPLACE1, 0.0, 2, tau), exp(-7.0), 4*DBL_EPSILON);
    CHECK_REL(bln_kernel_at(BLN_KERNEL_CAUCHY, 0.0, 2, tau), 1.0/26.0, 4*DBL_EPSILON);
    CHECK_REL(bln_kernel_at(BLN_KERNEL_CAUCHY_PRODUCT, 0.0, 2, tau), 1.0/170.0, 4*DBL_EPSILON);
}

/* ---- matrices ---- */

enum { KERNEL_D = 3, KERNEL_N = 5, KERNEL_M = 11 };

/* A kernel on three inputs; shapes that are no special case, `low`: with the Matern of nu < 1. */
static blni_kernel_desc kernel_desc(int kind, int low, const double *length_scale)
{
    blni_kernel_desc k;
    k.kernel = (bln_kernel)kind;
    k.shape = k.kernel == BLN_KERNEL_MATERN ? (low ? 0.7 : 2.3) : k.kernel == BLN_KERNEL_RQ ? 1.7 : 0.0;
    k.d = KERNEL_D;
    k.length_scale = length_scale;
    return k;
}

static double *kernel_work(const blni_kernel_desc *k, size_t m)
{
    double *work = test_doubles(blni_kernel_work(k, m));
    for (size_t i = 0; i < blni_kernel_work(k, m); i++) work[i] = BLNI_NAN;
    return work;
}

/* k of two points by the scalar function. */
static double kernel_pair(const blni_kernel_desc *k, const double *a, const double *b)
{
    double tau[KERNEL_D];
    for (int i = 0; i < KERNEL_D; i++) tau[i] = (a[i] - b[i])/k->length_scale[i];
    return bln_kernel_at(k->kernel, k->shape, KERNEL_D, tau);
}

/* Squares added at every level and length: each rounded before it is added, unless registers are wider, and nothing behind the
 * last. */
TEST(kernel, squares)
{
    enum { M = 37 };
    test_random r = test_random_new(9);
    double b[M], from[M], sum[M];
    test_fill_normal(&r, M, b);
    test_fill_normal(&r, M, from);
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        if (bln_cpu_level_force(level) != level) continue;
        for (size_t m = 0; m < M; m++) {
            memcpy(sum, from, sizeof sum);
            blni_kernel_squares(m, 0.3, 1.7, b, sum);
            for (size_t j = 0; j < M; j++) {
                const volatile double u = (0.3 - b[j])*1.7, square = u*u;
                CHECK_NEAR(sum[j], j < m ? from[j] + square : from[j], TEST_WIDER*(fabs(from[j]) + square));
            }
        }
    }
    bln_cpu_level_force(-1);
}

/* Padded matrices against the scalar function, whose own error is (4 + |log k|) eps beside that of tau, 2 eps; far from 0, where
 * |a|^2 + |b|^2 - 2 a'b would have no digit left; a few columns at a time give the same, but where a compiler was told to fuse
 * what it likes, which is other sums in the rest of a loop. */
TEST(kernel, matrices)
{
    static const double length_scale[KERNEL_D] = { 0.7, 2.9, 1.3 };
    for (int kind = 0; kind < KERNEL_KINDS; kind++) for (int far = 0; far < 2; far++) {
        const blni_kernel_desc k = kernel_desc(kind, far, length_scale);
        test_random r = test_random_new((uint64_t)kind + 1);
        double A[KERNEL_N*4], B[KERNEL_M*5], K[KERNEL_N*13], split[KERNEL_N*13], *work = kernel_work(&k, KERNEL_M);
        test_fill_normal(&r, KERNEL_N*4, A);
        test_fill_normal(&r, KERNEL_M*5, B);
        for (int i = 0; i < KERNEL_D; i++) B[2*5 + i] = A[4 + i];                       /* a pair at distance 0 */
        for (size_t i = 0; far && i < KERNEL_N*4; i++) A[i] = 67108864.0 + A[i];         /* 2^26: differences stay exact */
        for (size_t i = 0; far && i < KERNEL_M*5; i++) B[i] = 67108864.0 + B[i];
        for (size_t i = 0; i < KERNEL_N*13; i++) K[i] = split[i] = 2.385;
        blni_kernel_matrix(&k, KERNEL_N, A, 4, KERNEL_M, B, 5, K, 13, work);
        free(work);
        for (size_t i = 0; i < KERNEL_N; i++)
            for (size_t j = 0; j < 13; j++) {
                const double want = j < KERNEL_M ? kernel_pair(&k, A + i*4, B + j*5) : 2.385;
                CHECK_NEAR(K[i*13 + j], want, j < KERNEL_M ? want*(2e-14 + 2*(KERNEL_D + 8)*(1 - log(want))*DBL_EPSILON) : 0.0);
            }
        CHECK(K[13 + 2] == 1.0);
        for (size_t j = 0; j < KERNEL_M; j += 4) {
            const size_t m = j + 4 < KERNEL_M ? 4 : KERNEL_M - j;
            work = kernel_work(&k, m);
            blni_kernel_matrix(&k, KERNEL_N, A, 4, m, B + j*5, 5, split + j, 13, work);
            free(work);
        }
        for (size_t i = 0; i < KERNEL_N*13; i++)
            CHECK_NEAR(split[i], K[i], 2*K[i]*(KERNEL_D + 8)*(1 + fabs(log(K[i])))*DBL_EPSILON);
    }
}

/* d/dx of sum G o K by central differences with one Richardson step: error O(h^4) times a fifth derivative of a kernel of bounded
 * scale, and eps/h sum |G|. */
static double kernel_difference(const blni_kernel_desc *k, const double *A, const double *B, const double *G, double *x)
{
    const double x0 = *x;
    double D[2];
    for (int half = 0; half < 2; half++) {
        const double h = 2e-3/(1 + half);
        D[half] = 0.0;
        for (int sign = -1; sign <= 1; sign += 2) {
            *x = x0 + sign*h;
            for (size_t i = 0; i < KERNEL_N; i++)
                for (size_t j = 0; j < KERNEL_M; j++)
                    D[half] += sign*G[i*KERNEL_M + j]*kernel_pair(k, A + i*KERNEL_D, B + j*KERNEL_D)/(2*h);
        }
    }
    *x = x0;
    return (4*D[1] - D[0])/3;
}

TEST(kernel, pullback)
{
    double length_scale[KERNEL_D] = { 0.7, 2.9, 1.3 };
    for (int kind = 0; kind < KERNEL_KINDS + 1; kind++) {
        const blni_kernel_desc k = kernel_desc(kind < KERNEL_KINDS ? kind : BLN_KERNEL_MATERN, kind == KERNEL_KINDS, length_scale);
        test_random r = test_random_new((uint64_t)kind + 40);
        double A[KERNEL_N*KERNEL_D], B[KERNEL_M*KERNEL_D], G[KERNEL_N*KERNEL_M], dl[KERNEL_D], *work = kernel_work(&k, KERNEL_M);
        double dA[KERNEL_N*4], dB[KERNEL_M*5], one[KERNEL_N*4];
        test_fill_normal(&r, KERNEL_N*KERNEL_D, A);
        test_fill_normal(&r, KERNEL_M*KERNEL_D, B);
        test_fill_normal(&r, KERNEL_N*KERNEL_M, G);
        for (int i = 0; i < KERNEL_D; i++) dl[i] = 10.0;                                 /* added to what is there */
        for (size_t i = 0; i < KERNEL_N*4; i++) dA[i] = one[i] = 20.0;
        for (size_t i = 0; i < KERNEL_M*5; i++) dB[i] = 30.0;
        blni_kernel_pullback(&k, KERNEL_N, A, KERNEL_D, KERNEL_M, B, KERNEL_D, G, KERNEL_M, dl, dA, 4, dB, 5, work);
        free(work);
        for (int i = 0; i < KERNEL_D; i++)
            CHECK_NEAR(dl[i], 10.0 + kernel_difference(&k, A, B, G, length_scale + i), 1e-7);
        for (size_t i = 0; i < KERNEL_N; i++)
            for (size_t c = 0; c < 4; c++)
                CHECK_NEAR(dA[i*4 + c], 20.0 + (c < 3 ? kernel_difference(&k, A, B, G, A + i*KERNEL_D + c) : 0.0), 1e-7);
        for (size_t j = 0; j < KERNEL_M; j++)
            for (size_t c = 0; c < 5; c++)
                CHECK_NEAR(dB[j*5 + c], 30.0 + (c < 3 ? kernel_difference(&k, A, B, G, B + j*KERNEL_D + c) : 0.0), 1e-7);
        work = kernel_work(&k, KERNEL_M);                                                /* only what is wanted */
        blni_kernel_pullback(&k, KERNEL_N, A, KERNEL_D, KERNEL_M, B, KERNEL_D, G, KERNEL_M, NULL, one, 4, NULL, 0, work);
        free(work);
        CHECK(!memcmp(one, dA, sizeof dA));
        work = kernel_work(&k, KERNEL_M);                                                /* length scales alone: squares first */
        for (int i = 0; i < KERNEL_D; i++) dl[i] = 10.0;
        blni_kernel_pullback(&k, KERNEL_N, A, KERNEL_D, KERNEL_M, B, KERNEL_D, G, KERNEL_M, dl, NULL, 0, NULL, 0, work);
        free(work);
        for (int i = 0; i < KERNEL_D; i++)
            CHECK_NEAR(dl[i], 10.0 + kernel_difference(&k, A, B, G, length_scale + i), 1e-7);
    }
}

/* Slopes of the Matern kernel of any nu are those of nu = 1/2, 3/2, 5/2, and have no gap where their formula changes, at nu = 2;
 * nu = 1 has K_0. At distance 0 they are 0, and so are those of all others. */
TEST(kernel, matern_slopes)
{
    static const bln_kernel special[3] = { BLN_KERNEL_MATERN12, BLN_KERNEL_MATERN32, BLN_KERNEL_MATERN52 };
    static const double one[1] = { 1.0 }, zero[1] = { 0.0 };
    double work[64], slope[2];
    blni_kernel_desc k;
    k.d = 1;
    k.length_scale = one;
    for (double x = 1e-8; x < 40.0; x *= 3.7) {
        for (int s = 0; s < 4; s++) {
            for (int any = 0; any < 2; any++) {
                k.kernel = any || s == 3 ? BLN_KERNEL_MATERN : special[s];
                k.shape = s == 3 ? 2.0 + 1e-13*any : any ? 0.5 + s : 0.0;
                slope[any] = 0.0;
                blni_kernel_pullback(&k, 1, &x, 1, 1, zero, 1, one, 1, NULL, slope + any, 1, NULL, 0, work);
            }
            CHECK(slope[0] < 0.0);
            CHECK_REL(slope[1], slope[0], 1e-12);
        }
        k.kernel = BLN_KERNEL_MATERN;                        /* nu = 1: k' = -2 x K_0(sqrt2 x), between those of its neighbours */
        for (int side = 0; side < 2; side++) {
            k.shape = side ? 1.0 : 1.0 - 1e-9;
            slope[side] = 0.0;
            blni_kernel_pullback(&k, 1, &x, 1, 1, zero, 1, one, 1, NULL, slope + side, 1, NULL, 0, work);
        }
        CHECK_REL(slope[1], slope[0], 1e-6);
    }
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        k.kernel = (bln_kernel)kind;
        k.shape = 0.0;
        slope[0] = slope[1] = 0.0;
        blni_kernel_pullback(&k, 1, zero, 1, 1, zero, 1, one, 1, slope, slope + 1, 1, NULL, 0, work);
        CHECK(slope[0] == 0.0 && slope[1] == 0.0);
    }
}

/* Far apart is 0 and NaN is NaN; the pull-back stays finite where squares overflow. */
TEST(kernel, ends)
{
    static const double one[1] = { 1.0 }, a[3] = { 0.0, 1e200, BLNI_NAN };
    double work[64], K[3], slope, dl;
    blni_kernel_desc k;
    k.d = 1;
    k.shape = 0.0;
    k.length_scale = one;
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        k.kernel = (bln_kernel)kind;
        blni_kernel_matrix(&k, 3, a, 1, 1, a, 1, K, 1, work);
        CHECK(K[0] == 1.0 && K[1] == 0.0 && K[2] != K[2]);
        slope = dl = 0.0;
        blni_kernel_pullback(&k, 1, a + 1, 1, 1, a, 1, one, 1, &dl, &slope, 1, NULL, 0, work);
        CHECK(slope == 0.0 && dl == 0.0);
        blni_kernel_pullback(&k, 1, a + 1, 1, 1, a, 1, one, 1, &dl, NULL, 0, NULL, 0, work);
        CHECK(dl == 0.0);
        blni_kernel_pullback(&k, 1, a + 2, 1, 1, a, 1, one, 1, &dl, NULL, 0, NULL, 0, work);
        CHECK(dl != dl);
    }
    CHECK_SIZE(blni_kernel_work(&k, (size_t)-1), (size_t)-1);
}

#ifdef _OPENMP
/* Rows of the matrix shared out: the bits of one thread. */
TEST(kernel, threads_give_the_same_bits)
{
    enum { N = 211, M = 301, DIM = 3 };
    static double A[N*DIM], B[M*DIM], one[N*M], many[N*M];
    const double lengths[DIM] = { 0.7, 1.9, 1.0 };
    const int before = omp_get_max_threads();
    blni_kernel_desc desc;
    test_random r = test_random_new(4);
    memset(&desc, 0, sizeof desc);
    desc.kernel = BLN_KERNEL_MATERN32;
    desc.d = DIM;
    desc.length_scale = lengths;
    test_fill_normal(&r, N*DIM, A);
    test_fill_normal(&r, M*DIM, B);
    double *work = test_doubles(blni_kernel_work(&desc, M));
    omp_set_num_threads(1);
    blni_kernel_matrix(&desc, N, A, DIM, M, B, DIM, one, M, work);
    for (int threads = 2; threads <= 9; threads++) {
        omp_set_num_threads(threads);
        memset(many, 0, sizeof many);
        blni_kernel_matrix(&desc, N, A, DIM, M, B, DIM, many, M, work);
        CHECK(!memcmp(one, many, sizeof one));
    }
    omp_set_num_threads(before);
    free(work);
}
#endif

SUITE_BEGIN(kernel)
#ifdef _OPENMP
    SUITE_TEST(kernel, threads_give_the_same_bits)
#endif
    SUITE_TEST(kernel, closed_forms)
    SUITE_TEST(kernel, matern_of_any_nu)
    SUITE_TEST(kernel, several_inputs)
    SUITE_TEST(kernel, squares)
    SUITE_TEST(kernel, matrices)
    SUITE_TEST(kernel, pullback)
    SUITE_TEST(kernel, matern_slopes)
    SUITE_TEST(kernel, ends)
SUITE_END(kernel)
