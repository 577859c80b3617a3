/* test_hadamard - the fast Walsh-Hadamard transform: golden values, the definition at all sizes, its square and its norm, the same
 * bits at every level */
#include "../test.h"
#include "../golden/bases_golden.h"

enum { HADAMARD_MOST = 128 };

/* log2 n. */
static double hadamard_depth(size_t n) { return n > 1 ? 1.0 + hadamard_depth(n/2) : 0.0; }

/* Four additions deep: the error is at most gamma_4 = 4 eps/2 / (1 - 4 eps/2) times the sum of the sizes of the inputs; the golden
 * values are rounded once more. */
TEST(hadamard, golden)
{
    double v[16], sum = 0.0;
    for (size_t i = 0; i < 16; i++) { v[i] = golden_bases_fwht_in[i]; sum += fabs(v[i]); }
    blni_hadamard(16, 1, v);
    for (size_t i = 0; i < 16; i++) CHECK_NEAR(v[i], golden_bases_fwht_out[i], 3*DBL_EPSILON*sum);
}

/* The entries by their own definition: H_1 = [1], H_2n = [H_n H_n; H_n -H_n]. */
static double hadamard_entry(size_t n, size_t j, size_t k)
{
    if (n == 1) return 1.0;
    return (j >= n/2 && k >= n/2 ? -1.0 : 1.0)*hadamard_entry(n/2, j % (n/2), k % (n/2));
}

/* H_jk */
static double hadamard_sign(size_t j, size_t k)
{
    double sign = 1.0;
    for (size_t both = j & k; both; both &= both - 1) sign = -sign;
    return sign;
}

TEST(hadamard, definition_is_sylvesters)
{
    for (size_t n = 1; n <= 32; n *= 2)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) CHECK(hadamard_sign(j, k) == hadamard_entry(n, j, k));
}

/* Every size around the step of four and the vectors. The definition adds n terms one after another: gamma_n, the transform
 * gamma_{log2 n}. */
TEST(hadamard, agrees_with_definition)
{
    static const size_t widths[] = { 0, 1, 2, 3, 4, 7, 8, 9, 16, 21, 24 };
    test_random r = test_random_new(1);
    const int best = bln_cpu_level_force(-1);
    for (int level = 0; level <= best; level++) {
        bln_cpu_level_force(level);
        for (size_t n = 1; n <= HADAMARD_MOST; n *= 2)
            for (size_t w = 0; w < sizeof widths/sizeof *widths; w++) {
                const size_t m = widths[w];
                double *V = test_doubles(n*m), *W = test_doubles(n*m), *R = test_doubles(n*m);
                test_fill_normal(&r, n*m, V);
                memcpy(W, V, n*m*sizeof *V);
                for (size_t j = 0; j < n; j++)
                    for (size_t l = 0; l < m; l++) {
                        R[j*m + l] = 0.0;
                        for (size_t k = 0; k < n; k++) R[j*m + l] += hadamard_sign(j, k)*V[k*m + l];
                    }
                blni_hadamard(n, m, W);
                for (size_t l = 0; l < m; l++) {
                    double sum = 0.0;
                    for (size_t i = 0; i < n; i++) sum += fabs(V[i*m + l]);
                    for (size_t i = 0; i < n; i++)
                        CHECK_NEAR(W[i*m + l], R[i*m + l], ((double)n + hadamard_depth(n))*DBL_EPSILON/2*sum);
                }
                free(V); free(W); free(R);
            }
    }
    bln_cpu_level_force(-1);
}

/* H H = n I, and |H v|^2 = n |v|^2 (Parseval). Errors: gamma_{log2 n} of a sum of sizes, at most sqrt(n) |v|, in each of n entries,
 * is sqrt(n) of the norm sqrt(n) |v|: relative to the norm log2(n) sqrt(n) eps/2 each time, and twice that for a square. */
TEST(hadamard, involution_and_parseval)
{
    test_random r = test_random_new(2);
    for (size_t n = 1; n <= 4096; n *= 2) {
        double *V = test_doubles(n), *W = test_doubles(n), before = 0.0, after = 0.0;
        const double bound = (hadamard_depth(n) + 2.0)*sqrt((double)n)*DBL_EPSILON;
        test_fill_normal(&r, n, V);
        memcpy(W, V, n*sizeof *V);
        blni_hadamard(n, 1, W);
        for (size_t i = 0; i < n; i++) { before += V[i]*V[i]; after += W[i]*W[i]; }
        CHECK_REL(after, (double)n*before, bound);
        blni_hadamard(n, 1, W);
        for (size_t i = 0; i < n; i++) CHECK_NEAR(W[i]/(double)n, V[i], bound*sqrt(before));
        free(V); free(W);
    }
}

/* Additions in the same order: not a bit differs between levels, or a column alone and among others. */
TEST(hadamard, same_bits)
{
    enum { N = 64, M = 13 };
    test_random r = test_random_new(3);
    const int best = bln_cpu_level_force(-1);
    double V[N*M], first[N*M], W[N*M], one[N];
    test_fill_normal(&r, N*M, V);
    for (int level = 0; level <= best; level++) {
        bln_cpu_level_force(level);
        memcpy(W, V, sizeof V);
        blni_hadamard(N, M, W);
        if (level == 0) memcpy(first, W, sizeof W);
        CHECK(!memcmp(first, W, sizeof W));
        for (size_t i = 0; i < N; i++) one[i] = V[i*M + 9];
        blni_hadamard(N, 1, one);
        for (size_t i = 0; i < N; i++) CHECK(one[i] == first[i*M + 9]);
    }
    bln_cpu_level_force(-1);
}

TEST(hadamard, edges)
{
    double v[2] = { 2.385, -1.5 };
    blni_hadamard(1, 2, v);
    CHECK(v[0] == 2.385 && v[1] == -1.5);
    CHECK_SIZE(blni_power_of_two(0), 1);
    CHECK_SIZE(blni_power_of_two(1), 1);
    CHECK_SIZE(blni_power_of_two(5), 8);
    CHECK_SIZE(blni_power_of_two(8), 8);
    CHECK_SIZE(blni_power_of_two((size_t)-1/2 + 1), (size_t)-1/2 + 1);
    CHECK_SIZE(blni_power_of_two((size_t)-1/2 + 2), (size_t)-1);
}

SUITE_BEGIN(hadamard)
    SUITE_TEST(hadamard, golden)
    SUITE_TEST(hadamard, definition_is_sylvesters)
    SUITE_TEST(hadamard, agrees_with_definition)
    SUITE_TEST(hadamard, involution_and_parseval)
    SUITE_TEST(hadamard, same_bits)
    SUITE_TEST(hadamard, edges)
SUITE_END(hadamard)
