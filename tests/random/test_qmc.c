/* test_qmc - quasi-random points: the direction numbers by the theory they must satisfy and against other software, nets that stay
 * nets under the scramble, uniform single points, Halton points by their definition, continuation, errors */
#include "../test.h"
#include "../golden/qmc_golden.h"

/* Unscrambled point i of a coordinate, in Gray code order. */
static uint64_t qmc_plain(const uint64_t *v, uint64_t i)
{
    uint64_t x = 0;
    const uint64_t code = i ^ i >> 1;
    for (size_t k = 0; k < 32; k++) if (code >> k & 1) x ^= v[k];
    return x;
}

/* Two points of all coordinates, bit for bit. */
TEST(qmc, sobol_golden)
{
    for (size_t p = 0; p < 2; p++)
        for (size_t j = 0; j < BLN_SOBOL_DIMENSIONS; j++) {
            uint64_t v[32];
            blni_sobol_directions(j, 32, v);
            CHECK(qmc_plain(v, golden_qmc_index[p]) >> 34 == golden_qmc_sobol[p][j]);
        }
}

/* x^e modulo a polynomial over GF(2) of degree s. */
static unsigned qmc_power(unsigned polynomial, unsigned s, unsigned long e)
{
    unsigned result = 1, base = s == 1 ? 1u : 2u;                     /* x; modulo x + 1 that is 1 */
    for (; e; e >>= 1) {
        unsigned a = result, square = 0, product = 0;
        for (unsigned pass = 0; pass < 2; pass++) {
            unsigned left = pass ? base : a, right = base, sum = 0;
            for (; right; right >>= 1) {
                if (right & 1) sum ^= left;
                left <<= 1;
                if (left >> s & 1) left ^= polynomial;
            }
            if (pass) square = sum; else product = sum;
        }
        if (e & 1) result = product;
        base = square;
    }
    return result;
}

/* The polynomials are all primitive (x has the full order 2^s - 1: tried are its divisors (2^s - 1)/q for the primes q), no two are
 * the same, degrees do not fall; m_k is odd and below 2^k. */
TEST(qmc, direction_numbers)
{
    static const unsigned primes[] = { 2, 3, 5, 7, 17, 31, 73, 127 };
    for (size_t j = 0; j + 1 < BLN_SOBOL_DIMENSIONS; j++) {
        const unsigned polynomial = blni_sobol_starts[j].polynomial;
        unsigned s = 0;
        while (polynomial >> (s + 1)) s++;
        const unsigned long order = (1ul << s) - 1;
        CHECK(qmc_power(polynomial, s, order) == 1);
        for (size_t q = 0; q < 8; q++)
            if (order % primes[q] == 0 && order > 1) CHECK(qmc_power(polynomial, s, order/primes[q]) != 1);
        CHECK(j == 0 || polynomial > blni_sobol_starts[j - 1].polynomial);
        for (unsigned k = 0; k < BLNI_SOBOL_DEGREE; k++) {
            const unsigned m = blni_sobol_starts[j].m[k];
            CHECK(k < s ? (m & 1) == 1 && m < 2u << k : m == 0);
        }
    }
}

/* Sobol's property A, for each number of coordinates up to the last: 2^d successive points fall into all 2^d halves of halves. The
 * d first digits of the first d direction numbers are then a regular matrix over GF(2) [Sobol' 1976]. */
TEST(qmc, property_a)
{
    enum { D = BLN_SOBOL_DIMENSIONS };
    unsigned char A[D][D];
    for (size_t j = 0; j < D; j++) {
        uint64_t v[D];
        blni_sobol_directions(j, D, v);
        for (size_t k = 0; k < D; k++) A[j][k] = (unsigned char)(v[k] >> 63);
    }
    for (size_t d = 0; d < D; d++) {
        unsigned char B[D][D];
        size_t rank = 0;
        memcpy(B, A, sizeof B);
        for (size_t c = 0; c <= d; c++) {
            size_t pivot = rank;
            while (pivot <= d && !B[pivot][c]) pivot++;
            if (pivot > d) continue;
            for (size_t k = 0; k <= d; k++) { const unsigned char t = B[pivot][k]; B[pivot][k] = B[rank][k]; B[rank][k] = t; }
            for (size_t r = rank + 1; r <= d; r++)
                if (B[r][c]) for (size_t k = 0; k <= d; k++) B[r][k] = (unsigned char)(B[r][k] ^ B[rank][k]);
            rank++;
        }
        CHECK_SIZE(rank, d + 1);
    }
}

/* Scrambled, every aligned run of 2^m points still has one point in each of the 2^m intervals of every coordinate. */
TEST(qmc, one_point_in_each_interval)
{
    enum { M = 256 };
    double *U = test_doubles(3*M*BLN_SOBOL_DIMENSIONS);
    for (uint64_t seed = 0; seed < 3; seed++) {
        CHECK_OK(bln_qmc_sobol(BLN_SOBOL_DIMENSIONS, seed, 5*M, 3*M, U, BLN_SOBOL_DIMENSIONS));
        for (size_t j = 0; j < BLN_SOBOL_DIMENSIONS; j++)
            for (size_t length = 2; length <= M; length *= 2)
                for (size_t run = 0; run < 3*M; run += length) {
                    unsigned char seen[M];
                    size_t n = 0;
                    memset(seen, 0, sizeof seen);
                    for (size_t i = run; i < run + length; i++) {
                        const double u = U[i*BLN_SOBOL_DIMENSIONS + j];
                        if (u > 0.0 && u < 1.0 && !seen[(size_t)(u*(double)length)]++) n++;
                    }
                    CHECK_SIZE(n, length);
                }
    }
    free(U);
}

/* The first two coordinates are a (0,2)-sequence: 2^m points, one in each box of 2^-a by 2^(a-m), for every a. */
TEST(qmc, boxes)
{
    enum { M = 10, N = 1 << M };
    double *U = test_doubles(2*N);
    for (uint64_t seed = 0; seed < 4; seed++) {
        CHECK_OK(bln_qmc_sobol(2, seed, N*seed, N, U, 2));
        for (unsigned a = 0; a <= M; a++) {
            unsigned char seen[N];
            size_t n = 0;
            memset(seen, 0, sizeof seen);
            for (size_t i = 0; i < N; i++) {
                const size_t x = (size_t)(U[2*i]*(1u << a)), y = (size_t)(U[2*i + 1]*(1u << (M - a)));
                if (!seen[x << (M - a) | y]++) n++;
            }
            CHECK_SIZE(n, N);
        }
    }
    free(U);
}

/* Over seeds, single points and pairs of coordinates are uniform: means 1/2, mean squares 1/3, mean products 1/4, with variances
 * 1/12, 4/45 and 7/144 of one term. 5 sigma. */
static void qmc_uniform(bln_status (*points)(size_t, uint64_t, uint64_t, size_t, double *, size_t), size_t d)
{
    enum { N = 4000, MOST = 12 };
    double mean[MOST], square[MOST], product[MOST], U[2*MOST];
    for (size_t j = 0; j < d; j++) mean[j] = square[j] = product[j] = 0.0;
    for (uint64_t seed = 0; seed < N; seed++) {
        CHECK_OK(points(d, seed, 17, 2, U, d));
        for (size_t j = 0; j < d; j++) {
            mean[j] += U[j];
            square[j] += U[j]*U[j];
            product[j] += U[j]*U[(j + 1)%d];
        }
    }
    for (size_t j = 0; j < d; j++) {
        CHECK_NEAR(mean[j]/N, 0.5, 5*sqrt(1.0/12/N));
        CHECK_NEAR(square[j]/N, 1.0/3, 5*sqrt(4.0/45/N));
        CHECK_NEAR(product[j]/N, 0.25, 5*sqrt(7.0/144/N));
    }
}

TEST(qmc, single_points_are_uniform)
{
    qmc_uniform(bln_qmc_sobol, 12);
    qmc_uniform(bln_qmc_halton, 12);
}

/* A linear scramble is more than a shift: whether points 0 and 1 stand next to each other (|u_0 - u_1| < 1/4 in the second
 * coordinate) depends on the seed. With a shift alone v_1 is the same for all. */
TEST(qmc, the_scramble_scrambles)
{
    enum { N = 1000 };
    double sum = 0.0, U[12];
    for (uint64_t seed = 0; seed < N; seed++) {
        CHECK_OK(bln_qmc_sobol(3, seed, 0, 4, U, 3));
        const uint64_t a = (uint64_t)(U[1]*4), b = (uint64_t)(U[3 + 1]*4);
        sum += (double)((a ^ b) & 1);                                  /* the second digit of v_1: a fair coin */
    }
    CHECK_NEAR(sum/N, 0.5, 5*sqrt(0.25/N));
}

/* Error of the mean of a smooth function of d = 4 coordinates: falls nearly as 1/n (Sobol', (log n)^d/n at worst, less for a
 * function like this one), with independent points as 1/sqrt(n): 0.02 here. Root mean square over seeds at n = 1024, against 1/8 of
 * that. */
TEST(qmc, integrates)
{
    enum { N = 1024, D = 4, SEEDS = 50 };
    double *U = test_doubles(N*D);
    for (int kind = 0; kind < 2; kind++) {
        double squares = 0.0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            double sum = 0.0;
            CHECK_OK((kind ? bln_qmc_halton : bln_qmc_sobol)(D, seed, 0, N, U, D));
            for (size_t i = 0; i < N; i++) {
                double f = 1.0;                                        /* mean 1, variance (13/12)^4 - 1 = 0.377 */
                for (size_t j = 0; j < D; j++) f *= 0.5 + U[i*D + j];
                sum += f;
            }
            squares += (sum/N - 1.0)*(sum/N - 1.0);
        }
        CHECK_LE(sqrt(squares/SEEDS), sqrt(0.377/N)/8);
    }
    free(U);
}

/* The radical inverse from its definition in exact arithmetic: digits mirrored as an integer below p^k < 2^53. */
TEST(qmc, halton_by_definition)
{
    static const uint64_t primes[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71 };
    double U[20], V[20];
    uint64_t p = 0;
    for (size_t j = 0; j < 20; j++) CHECK((p = blni_next_prime(p)) == primes[j]);
    for (size_t j = 20; j < 1000; j++) p = blni_next_prime(p);
    CHECK(p == 7919);                                                  /* the thousandth */
    for (size_t j = 0; j < 20; j++)
        for (uint64_t i = 0; i < 3000; i++) {
            uint64_t mirrored = 0, size = 1, rest = i;
            for (; rest; rest /= primes[j]) { mirrored = mirrored*primes[j] + rest%primes[j]; size *= primes[j]; }
            CHECK_NEAR(blni_radical_inverse(i, primes[j]), (double)mirrored/(double)size, 3*DBL_EPSILON);
        }
    /* The shift is the same for all points. */
    CHECK_OK(bln_qmc_halton(20, 9, 0, 1, U, 20));
    for (uint64_t i = 1; i < 100; i++) {
        CHECK_OK(bln_qmc_halton(20, 9, i, 1, V, 20));
        for (size_t j = 0; j < 20; j++) {
            const double want = blni_radical_inverse(i, primes[j]) + U[j];
            CHECK_NEAR(V[j], want >= 1.0 ? want - 1.0 : want, 8*DBL_EPSILON);
        }
    }
}

/* Point i, coordinate j do not depend on how many others are asked for; padding is left alone; seeds differ. */
TEST(qmc, continuation)
{
    double whole[40*7], part[13*9], other[7];
    for (int kind = 0; kind < 2; kind++) {
        bln_status (*points)(size_t, uint64_t, uint64_t, size_t, double *, size_t) = kind ? bln_qmc_halton : bln_qmc_sobol;
        CHECK_OK(points(7, 3, 100, 40, whole, 7));
        for (uint64_t first = 0; first + 13 <= 40; first += 9) {
            for (size_t i = 0; i < 13*9; i++) part[i] = -1.0;
            CHECK_OK(points(5, 3, 100 + first, 13, part, 9));
            for (size_t i = 0; i < 13; i++) {
                for (size_t j = 0; j < 5; j++) CHECK(part[i*9 + j] == whole[(i + first)*7 + j]);
                for (size_t j = 5; j < 9; j++) CHECK(part[i*9 + j] == -1.0);
            }
        }
        CHECK_OK(points(7, 4, 100, 1, other, 7));
        for (size_t j = 0; j < 7; j++) CHECK(other[j] != whole[j]);
        CHECK_OK(points(7, 4, 100, 0, NULL, 7));
        CHECK_OK(points(0, 4, 100, 5, NULL, 0));
    }
}

TEST(qmc, ends_and_errors)
{
    const uint64_t last = UINT64_C(1) << 52;
    double u[66];
    u[0] = -1.0;
    CHECK_STATUS(bln_qmc_sobol(66, 0, 0, 1, u, 66), BLN_EOVERFLOW);
    CHECK_STATUS(bln_qmc_sobol(1, 0, last, 1, u, 1), BLN_EOVERFLOW);
    CHECK_STATUS(bln_qmc_sobol(1, 0, last - 1, 2, u, 1), BLN_EOVERFLOW);
    CHECK_STATUS(bln_qmc_sobol(1, 0, UINT64_MAX, 2, u, 1), BLN_EOVERFLOW);
    CHECK_STATUS(bln_qmc_sobol(3, 0, 0, 1, u, 2), BLN_ESHAPE);
    CHECK_STATUS(bln_qmc_halton(3, 0, 0, 1, u, 2), BLN_ESHAPE);
    CHECK_STATUS(bln_qmc_halton(1, 0, UINT64_MAX, 2, u, 1), BLN_EOVERFLOW);
    CHECK(u[0] == -1.0);
    CHECK_OK(bln_qmc_sobol(2, 0, last - 1, 1, u, 2));
    CHECK(u[0] > 0.0 && u[0] < 1.0);
    CHECK_OK(bln_qmc_halton(2, 0, UINT64_MAX - 1, 1, u, 2));
    CHECK(u[0] > 0.0 && u[0] < 1.0);
}

SUITE_BEGIN(qmc)
    SUITE_TEST(qmc, sobol_golden)
    SUITE_TEST(qmc, direction_numbers)
    SUITE_TEST(qmc, property_a)
    SUITE_TEST(qmc, one_point_in_each_interval)
    SUITE_TEST(qmc, boxes)
    SUITE_TEST(qmc, single_points_are_uniform)
    SUITE_TEST(qmc, the_scramble_scrambles)
    SUITE_TEST(qmc, integrates)
    SUITE_TEST(qmc, halton_by_definition)
    SUITE_TEST(qmc, continuation)
    SUITE_TEST(qmc, ends_and_errors)
SUITE_END(qmc)
