/* test_kernel - kernels in closed form: golden values, special cases of each other, ends */
#include "basis_tools.h"
#include "../golden/bases_golden.h"

enum { KERNEL_KINDS = 9 };

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
        CHECK_REL(bln_kernel_value(kernel, pairs[2*i]), pairs[2*i + 1], (4 + 3*pairs[2*i]*(1 + pairs[2*i]))*DBL_EPSILON);
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
        CHECK(bln_kernel_value((bln_kernel)k, 0.0) == 1.0);
        CHECK(bln_kernel_value((bln_kernel)k, -0.7) == bln_kernel_value((bln_kernel)k, 0.7));
        CHECK(bln_kernel_value((bln_kernel)k, HUGE_VAL) == 0.0);
        CHECK(bln_kernel_value((bln_kernel)k, BLNI_NAN) != bln_kernel_value((bln_kernel)k, BLNI_NAN));
    }
    CHECK(bln_kernel_value((bln_kernel)9, 1.0) != bln_kernel_value((bln_kernel)9, 1.0));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_MATERN32), "matern32"));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_CAUCHY_PRODUCT), "cauchy_product"));
    CHECK(!strcmp(bln_kernel_name(BLN_KERNEL_LAPLACE2), "matern12"));
    CHECK(!strcmp(bln_kernel_name((bln_kernel)9), "unknown"));
}

/* The Matern kernel of any nu is the special ones at nu = 1/2, 3/2, 5/2 and near the squared exponential at 1e4: log k = -r^2/2 +
 * (r^4/4 - r^2)/(2 nu) + O((r^2 + r^6)/nu^2); and falls from 1 to 0 with r for every nu, without a gap between small and large. */
TEST(kernel, matern_of_any_nu)
{
    for (double r = 1e-9; r < 300.0; r *= 1.7) {
        const double tolerance = 1e-14 + (4 + 3*r)*DBL_EPSILON;
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 0.5, 1, &r), bln_kernel_value(BLN_KERNEL_MATERN12, r), tolerance);
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 1.5, 1, &r), bln_kernel_value(BLN_KERNEL_MATERN32, r), tolerance);
        CHECK_REL(bln_kernel_at(BLN_KERNEL_MATERN, 2.5, 1, &r), bln_kernel_value(BLN_KERNEL_MATERN52, r), tolerance);
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

SUITE_BEGIN(kernel)
    SUITE_TEST(kernel, closed_forms)
    SUITE_TEST(kernel, matern_of_any_nu)
    SUITE_TEST(kernel, several_inputs)
SUITE_END(kernel)
