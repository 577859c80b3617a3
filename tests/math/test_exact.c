/* test_exact - three-double arithmetic against exact integers, identities that hold to 2^-150, and the Hilbert matrix */
#include "../test.h"

/* Operations with a value of their own. */
#define EXACT_VALUE(name) \
    static blni_exact exact_##name(blni_exact a, blni_exact b) { blni_exact_##name(&a, &b); return a; }
EXACT_VALUE(add)
EXACT_VALUE(sub)
EXACT_VALUE(mul)
EXACT_VALUE(div)
static blni_exact exact_sqrt(blni_exact a) { blni_exact_sqrt(&a); return a; }
static double exact_double(blni_exact a) { return blni_exact_double(&a); }

/* |a - b| relative to |b|, with the difference taken in three doubles. */
static double exact_error(blni_exact a, blni_exact b) { return fabs(exact_double(exact_sub(a, b))/exact_double(b)); }

static blni_exact exact_random(test_random *r)
{
    const double a = test_normal(r);
    return exact_add(exact_add(blni_exact_of(a), blni_exact_of(a*1e-16*test_normal(r))),
                         blni_exact_of(a*1e-32*test_normal(r)));
}

/* Integers below 2^150 are exact: (2^60 + 1)(2^60 - 1) = 2^120 - 1, and 3^90 by repeated products, recovered by division. */
TEST(exact, integers)
{
    if (!blni_exact_available()) { CHECK(1); return; }
    const blni_exact a = exact_add(blni_exact_of(ldexp(1.0, 60)), blni_exact_of(1.0));
    const blni_exact b = exact_add(blni_exact_of(ldexp(1.0, 60)), blni_exact_of(-1.0));
    blni_exact p = exact_sub(exact_mul(a, b), blni_exact_of(ldexp(1.0, 120)));
    CHECK_NEAR(exact_double(p), -1.0, 0.0);
    p = blni_exact_of(1.0);
    for (int i = 0; i < 90; i++) p = exact_mul(p, blni_exact_of(3.0));
    for (int i = 0; i < 90; i++) p = exact_div(p, blni_exact_of(3.0));
    p = exact_sub(p, blni_exact_of(1.0));
    CHECK_NEAR(exact_double(p), 0.0, 90*ldexp(1.0, -150));
}

/* One operation is good to about 2^-155; four of them to 2^-150. */
TEST(exact, identities)
{
    if (!blni_exact_available()) { CHECK(1); return; }
    test_random r = test_random_new(1);
    const double tolerance = ldexp(1.0, -150);
    for (int i = 0; i < 2000; i++) {
        const blni_exact a = exact_random(&r), b = exact_random(&r), c = exact_random(&r);
        CHECK_LE(exact_error(exact_mul(exact_div(a, b), b), a), tolerance);
        const blni_exact square = exact_mul(a, a), root = exact_sqrt(square);
        CHECK_LE(exact_error(exact_mul(root, root), square), tolerance);
        const blni_exact left = exact_mul(a, exact_add(b, c)), right = exact_add(exact_mul(a, b),
                                                                                            exact_mul(a, c));
        const double size = fabs(a.v[0])*(fabs(b.v[0]) + fabs(c.v[0]));
        CHECK_LE(fabs(exact_double(exact_sub(left, right))), tolerance*size);
        CHECK_NEAR(exact_double(exact_sub(exact_add(a, b), b)), exact_double(a), 0.0);
        blni_exact same = a, plus = a, times = a;
        blni_exact_mul(&same, &same);
        CHECK_NEAR(exact_double(exact_sub(same, square)), 0.0, 0.0);
        blni_exact_div(&same, &same);
        CHECK_NEAR(exact_double(exact_sub(same, blni_exact_of(1.0))), 0.0, tolerance);
        blni_exact_add(&same, &same);
        CHECK_NEAR(exact_double(exact_sub(same, blni_exact_of(2.0))), 0.0, 2*tolerance);
        blni_exact_sub(&same, &same);
        CHECK_NEAR(exact_double(same), 0.0, 0.0);
        blni_exact_plus(&plus, b.v[0]);
        blni_exact_scale(&times, b.v[0]);
        CHECK_NEAR(exact_double(exact_sub(plus, exact_add(a, blni_exact_of(b.v[0])))), 0.0, 0.0);
        CHECK_NEAR(exact_double(exact_sub(times, exact_mul(a, blni_exact_of(b.v[0])))), 0.0, 0.0);
    }
}

/* Sums whose plain double value has no digit: the products are exact, so is their cancellation. */
TEST(exact, add_product)
{
    if (!blni_exact_available()) { CHECK(1); return; }
    test_random r = test_random_new(2);
    for (int i = 0; i < 500; i++) {
        blni_exact s = blni_exact_of(0.0);
        double x[20], y[20];
        for (int k = 0; k < 20; k++) {
            x[k] = test_normal(&r)*ldexp(1.0, k);
            y[k] = test_normal(&r);
            blni_exact_add_product(&s, 1.0, x[k], 0.0, y[k], 0.0);
        }
        s = exact_add(s, blni_exact_of(0.5));
        for (int k = 0; k < 20; k++) blni_exact_add_product(&s, -1.0, x[k], 0.0, y[k], 0.0);
        CHECK_NEAR(exact_double(s), 0.5, 0.0);
    }
    /* (1 + 2^-60)(1 - 2^-60) - 1 = -2^-120, from high and low words. */
    blni_exact s = blni_exact_of(-1.0);
    blni_exact_add_product(&s, 1.0, 1.0, ldexp(1.0, -60), 1.0, -ldexp(1.0, -60));
    CHECK_NEAR(exact_double(s), -ldexp(1.0, -120), ldexp(1.0, -170));
}

/* H_ij = 1/(i+j+1), n = 12: condition 1.7e16, so that double loses all digits; the inverse is an integer matrix:
 * (H^-1)_11 = n^2, (H^-1)_nn = (2n-1) C(2n-2, n-1)^2. */
TEST(exact, hilbert)
{
    enum { N = 12 };
    if (!blni_exact_available()) { CHECK(1); return; }
    blni_exact A[N*N], x[N];
    const blni_exact one = blni_exact_of(1.0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i; j < N; j++) A[i*N + j] = exact_div(one, blni_exact_of((double)(i + j + 1)));
    CHECK_SIZE(blni_exact_potrf(N, A, N, 0.0), N);
    for (size_t i = 0; i < N; i++) x[i] = blni_exact_of(i == 0);
    blni_exact_trsv(1, N, A, N, x);
    blni_exact_trsv(0, N, A, N, x);
    CHECK_NEAR(exact_double(x[0]), 144.0, 1e-13);
    blni_exact_trtri(N, A, N);
    const double corner = exact_double(exact_mul(A[N*N - 1], A[N*N - 1]));
    CHECK_REL(corner, 23.0*705432.0*705432.0, DBL_EPSILON);
    blni_exact s = blni_exact_of(0.0);
    for (size_t j = 0; j < N; j++) s = exact_add(s, exact_mul(A[j], A[j]));
    CHECK_REL(exact_double(s), 144.0, DBL_EPSILON);
}

TEST(exact, edges)
{
    if (!blni_exact_available()) { CHECK(1); return; }
    CHECK(exact_double(exact_div(blni_exact_of(1.0), blni_exact_of(0.0))) == HUGE_VAL);
    CHECK_NEAR(exact_double(exact_div(blni_exact_of(0.0), blni_exact_of(3.0))), 0.0, 0.0);
    CHECK_NEAR(exact_double(exact_sqrt(blni_exact_of(0.0))), 0.0, 0.0);
    const double nan = exact_double(exact_sqrt(blni_exact_of(-1.0)));
    CHECK(nan != nan);
    blni_exact A[4];
    A[0] = blni_exact_of(4.0);
    A[1] = blni_exact_of(2.0);
    A[3] = blni_exact_of(1.0);
    CHECK_SIZE(blni_exact_potrf(2, A, 2, 1e-30), 1);             /* singular: the second pivot is 0 */
}

/* What is infinite has an infinite root, and no factor. */
TEST(exact, infinite)
{
    blni_exact A[4];
    for (size_t i = 0; i < 4; i++) A[i] = blni_exact_of(i == 3 ? HUGE_VAL : i % 3 ? 0.0 : 4.0);
    CHECK(exact_sqrt(A[3]).v[0] == HUGE_VAL);
    CHECK_SIZE(blni_exact_potrf(2, A, 2, 0.0), 1);
    CHECK(A[0].v[0] == 2.0);
}

SUITE_BEGIN(exact)
SUITE_TEST(exact, integers)
SUITE_TEST(exact, identities)
SUITE_TEST(exact, add_product)
SUITE_TEST(exact, hilbert)
SUITE_TEST(exact, edges)
SUITE_TEST(exact, infinite)
SUITE_END(exact)
