/* test_exact - three-double arithmetic against exact integers, identities that hold to 2^-150, and the Hilbert matrix */
#include "../test.h"

/* |a - b| relative to |b|, with the difference taken in three doubles. */
static double exact_error(bln_exact a, bln_exact b) { return fabs(bln_exact_double(bln_exact_sub(a, b))/bln_exact_double(b)); }

static bln_exact exact_random(test_random *r)
{
    const double a = test_normal(r);
    return bln_exact_add(bln_exact_add(bln_exact_of(a), bln_exact_of(a*1e-16*test_normal(r))),
                         bln_exact_of(a*1e-32*test_normal(r)));
}

/* Integers below 2^150 are exact: (2^60 + 1)(2^60 - 1) = 2^120 - 1, and 3^90 by repeated products, recovered by division. */
TEST(exact, integers)
{
    if (!bln_exact_available()) { CHECK(1); return; }
    const bln_exact a = bln_exact_add(bln_exact_of(ldexp(1.0, 60)), bln_exact_of(1.0));
    const bln_exact b = bln_exact_add(bln_exact_of(ldexp(1.0, 60)), bln_exact_of(-1.0));
    bln_exact p = bln_exact_sub(bln_exact_mul(a, b), bln_exact_of(ldexp(1.0, 120)));
    CHECK_NEAR(bln_exact_double(p), -1.0, 0.0);
    p = bln_exact_of(1.0);
    for (int i = 0; i < 90; i++) p = bln_exact_mul(p, bln_exact_of(3.0));
    for (int i = 0; i < 90; i++) p = bln_exact_div(p, bln_exact_of(3.0));
    p = bln_exact_sub(p, bln_exact_of(1.0));
    CHECK_NEAR(bln_exact_double(p), 0.0, 90*ldexp(1.0, -150));
}

/* One operation is good to about 2^-155; four of them to 2^-150. */
TEST(exact, identities)
{
    if (!bln_exact_available()) { CHECK(1); return; }
    test_random r = test_random_new(1);
    const double tolerance = ldexp(1.0, -150);
    for (int i = 0; i < 2000; i++) {
        const bln_exact a = exact_random(&r), b = exact_random(&r), c = exact_random(&r);
        CHECK_LE(exact_error(bln_exact_mul(bln_exact_div(a, b), b), a), tolerance);
        const bln_exact square = bln_exact_mul(a, a), root = bln_exact_sqrt(square);
        CHECK_LE(exact_error(bln_exact_mul(root, root), square), tolerance);
        const bln_exact left = bln_exact_mul(a, bln_exact_add(b, c)), right = bln_exact_add(bln_exact_mul(a, b),
                                                                                            bln_exact_mul(a, c));
        const double size = fabs(a.v[0])*(fabs(b.v[0]) + fabs(c.v[0]));
        CHECK_LE(fabs(bln_exact_double(bln_exact_sub(left, right))), tolerance*size);
        CHECK_NEAR(bln_exact_double(bln_exact_sub(bln_exact_add(a, b), b)), bln_exact_double(a), 0.0);
    }
}

/* Sums whose plain double value has no digit: the products are exact, so is their cancellation. */
TEST(exact, add_product)
{
    if (!bln_exact_available()) { CHECK(1); return; }
    test_random r = test_random_new(2);
    for (int i = 0; i < 500; i++) {
        bln_exact s = bln_exact_of(0.0);
        double x[20], y[20];
        for (int k = 0; k < 20; k++) {
            x[k] = test_normal(&r)*ldexp(1.0, k);
            y[k] = test_normal(&r);
            s = bln_exact_add_product(s, 1.0, x[k], 0.0, y[k], 0.0);
        }
        s = bln_exact_add(s, bln_exact_of(0.5));
        for (int k = 0; k < 20; k++) s = bln_exact_add_product(s, -1.0, x[k], 0.0, y[k], 0.0);
        CHECK_NEAR(bln_exact_double(s), 0.5, 0.0);
    }
    /* (1 + 2^-60)(1 - 2^-60) - 1 = -2^-120, from high and low words. */
    const bln_exact s = bln_exact_add_product(bln_exact_of(-1.0), 1.0, 1.0, ldexp(1.0, -60), 1.0, -ldexp(1.0, -60));
    CHECK_NEAR(bln_exact_double(s), -ldexp(1.0, -120), ldexp(1.0, -170));
}

/* H_ij = 1/(i+j+1), n = 12: condition 1.7e16, so that double loses all digits; the inverse is an integer matrix:
 * (H^-1)_11 = n^2, (H^-1)_nn = (2n-1) C(2n-2, n-1)^2. */
TEST(exact, hilbert)
{
    enum { N = 12 };
    if (!bln_exact_available()) { CHECK(1); return; }
    bln_exact A[N*N], x[N];
    const bln_exact one = bln_exact_of(1.0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i; j < N; j++) A[i*N + j] = bln_exact_div(one, bln_exact_of((double)(i + j + 1)));
    CHECK_SIZE(bln_exact_potrf(N, A, N, 0.0), N);
    for (size_t i = 0; i < N; i++) x[i] = bln_exact_of(i == 0);
    bln_exact_trsv(1, N, A, N, x);
    bln_exact_trsv(0, N, A, N, x);
    CHECK_NEAR(bln_exact_double(x[0]), 144.0, 1e-13);
    bln_exact_trtri(N, A, N);
    const double corner = bln_exact_double(bln_exact_mul(A[N*N - 1], A[N*N - 1]));
    CHECK_REL(corner, 23.0*705432.0*705432.0, DBL_EPSILON);
    bln_exact s = bln_exact_of(0.0);
    for (size_t j = 0; j < N; j++) s = bln_exact_add(s, bln_exact_mul(A[j], A[j]));
    CHECK_REL(bln_exact_double(s), 144.0, DBL_EPSILON);
}

TEST(exact, edges)
{
    if (!bln_exact_available()) { CHECK(1); return; }
    CHECK(bln_exact_double(bln_exact_div(bln_exact_of(1.0), bln_exact_of(0.0))) == HUGE_VAL);
    CHECK_NEAR(bln_exact_double(bln_exact_div(bln_exact_of(0.0), bln_exact_of(3.0))), 0.0, 0.0);
    CHECK_NEAR(bln_exact_double(bln_exact_sqrt(bln_exact_of(0.0))), 0.0, 0.0);
    const double nan = bln_exact_double(bln_exact_sqrt(bln_exact_of(-1.0)));
    CHECK(nan != nan);
    bln_exact A[4];
    A[0] = bln_exact_of(4.0);
    A[1] = bln_exact_of(2.0);
    A[3] = bln_exact_of(1.0);
    CHECK_SIZE(bln_exact_potrf(2, A, 2, 1e-30), 1);             /* singular: the second pivot is 0 */
}

SUITE_BEGIN(exact)
SUITE_TEST(exact, integers)
SUITE_TEST(exact, identities)
SUITE_TEST(exact, add_product)
SUITE_TEST(exact, hilbert)
SUITE_TEST(exact, edges)
SUITE_END(exact)
