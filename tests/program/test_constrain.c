/* test_constrain: log-Jacobians against determinants of differences, the way back, gradients, far coordinates */
#include "../test.h"
#include "tape_tools.h"

#define CASE(constraint, rows, cols, lo, hi) { BLN_CONSTRAINT_##constraint, rows, cols, lo, hi }
static const struct { bln_constraint constraint; size_t rows, cols; double lo, hi; } space_cases[] = {
    CASE(FREE, 3, 1, 0, 0), CASE(FREE, 2, 3, 0, 0), CASE(POSITIVE, 1, 1, 0, 0), CASE(POSITIVE, 2, 2, 0, 0),
    CASE(LOWER, 3, 1, 1.5, 0), CASE(UPPER, 3, 1, 0, -2.385), CASE(INTERVAL, 3, 1, -1.3, 2.385), CASE(ORDERED, 1, 1, 0, 0),
    CASE(ORDERED, 4, 1, 0, 0), CASE(POSITIVE_ORDERED, 4, 1, 0, 0), CASE(SIMPLEX, 2, 1, 0, 0), CASE(SIMPLEX, 5, 1, 0, 0),
    CASE(UNIT_VECTOR, 3, 1, 0, 0), CASE(CORRELATION_FACTOR, 2, 2, 0, 0), CASE(CORRELATION_FACTOR, 4, 4, 0, 0),
    CASE(CORRELATION, 2, 2, 0, 0), CASE(CORRELATION, 4, 4, 0, 0), CASE(COVARIANCE_FACTOR, 1, 1, 0, 0),
    CASE(COVARIANCE_FACTOR, 4, 4, 0, 0), CASE(COVARIANCE, 1, 1, 0, 0), CASE(COVARIANCE, 4, 4, 0, 0)
};
enum { SPACE_CASES = sizeof space_cases/sizeof *space_cases, SPACE_MOST = 16 };

static blni_space space_of(size_t i)
{
    blni_space s;
    s.constraint = space_cases[i].constraint;
    s.rows = space_cases[i].rows;
    s.cols = space_cases[i].cols;
    s.lo = space_cases[i].lo;
    s.hi = space_cases[i].hi;
    return s;
}

/* Which number of the parameter is the k-th of those that determine it: of matrices those of a triangle. */
static size_t space_pick(const blni_space *s, size_t k)
{
    const int strict = s->constraint == BLN_CONSTRAINT_CORRELATION || s->constraint == BLN_CONSTRAINT_CORRELATION_FACTOR;
    if (s->constraint < BLN_CONSTRAINT_CORRELATION_FACTOR) return k;
    for (size_t i = 0; i < s->rows; i++)
        for (size_t j = i + (strict ? 1u : 0u); j < s->rows; j++)
            if (k-- == 0) return i*s->rows + j;
    return 0;
}

/* log |det A| by elimination. */
static double space_logdet(size_t n, double *A)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k; i < n; i++) if (fabs(A[i*n + k]) > fabs(A[p*n + k])) p = i;
        for (size_t j = 0; j < n; j++) { const double x = A[k*n + j]; A[k*n + j] = A[p*n + j]; A[p*n + j] = x; }
        sum += log(fabs(A[k*n + k]));
        for (size_t i = k + 1; i < n; i++) {
            const double f = A[i*n + k]/A[k*n + k];
            for (size_t j = k; j < n; j++) A[i*n + j] -= f*A[k*n + j];
        }
    }
    return sum;
}

/* Differences of sixth order with h = 0.01 of functions whose seventh derivatives are some 1 to 100: 1e-11 or so. */
TEST(constrain, jacobians)
{
    for (size_t c = 0; c < SPACE_CASES; c++) {
        const blni_space s = space_of(c);
        const size_t n = blni_space_free(&s), size = blni_space_size(&s);
        double z[SPACE_MOST], x[SPACE_MOST], y[2][SPACE_MOST], work[SPACE_MOST], J[SPACE_MOST*SPACE_MOST] = { 0.0 },
            back[SPACE_MOST];
        static const double w[3] = { 45.0, -9.0, 1.0 };
        test_random r = test_random_new(c);
        CHECK(blni_space_reason(&s) == NULL);
        CHECK(blni_space_work(&s) <= SPACE_MOST && size <= SPACE_MOST);
        for (int round = 0; round < 3; round++) {
            test_fill_normal(&r, n, z);
            const double log_jacobian = blni_space_forward(&s, z, x, work);
            memset(J, 0, sizeof J);
            for (size_t k = 0; k < n; k++)
                for (int step = 1; step <= 3; step++)
                    for (int side = 0; side < 2; side++) {
                        const double at = z[k], h = 0.01*step*(side ? -1.0 : 1.0);
                        z[k] = at + h;
                        blni_space_forward(&s, z, y[side], work);
                        z[k] = at;
                        for (size_t i = 0; i < n; i++)
                            J[i*n + k] += w[step - 1]/(60.0*0.01)*(side ? -1.0 : 1.0)*y[side][space_pick(&s, i)];
                    }
            if (s.constraint != BLN_CONSTRAINT_UNIT_VECTOR) CHECK_NEAR(log_jacobian, space_logdet(n, J), 1e-8);
            CHECK(blni_space_back(&s, x, back, work));
            if (s.constraint != BLN_CONSTRAINT_UNIT_VECTOR) for (size_t k = 0; k < n; k++) CHECK_GOLD(back[k], z[k], 1e-10);
        }
    }
}

static bln_status space_model(bln_tape *t, const bln_var *p, void *user)
{
    static const double w[SPACE_MOST] = { 0.3, -1.2, 0.7, 1.9, -0.4, 0.385, 0.2, -0.9, 1.1, 0.6, -0.3, 0.8, -1.4, 0.5, 0.1, 0.9 };
    (void)user;
    bln_lp_add(t, bln_v_mul(t, p[0], bln_c_vec(t, w, bln_v_size(t, p[0]))));
    return BLN_OK;
}

TEST(constrain, gradients)
{
    for (size_t c = 0; c < SPACE_CASES; c++) {
        bln_program_desc desc = BLN_ZERO;
        bln_program_parameter p = BLN_PARAMETER_IN("x", 0, 0, FREE, 0.0, 0.0);
        bln_program *program = NULL;
        bln_report report;
        double worst = 1.0, z[SPACE_MOST];
        p.constraint = space_cases[c].constraint;
        p.rows = space_cases[c].rows;
        p.cols = space_cases[c].cols;
        p.lo = space_cases[c].lo;
        p.hi = space_cases[c].hi;
        desc.model = space_model;
        desc.parameters = &p;
        desc.n_parameters = 1;
        CHECK_OK(bln_program_create(&desc, &program, &report));
        const bln_density d = bln_program_density(program);
        test_random r = test_random_new(c);
        test_fill_normal(&r, d.dim, z);
        CHECK_OK(bln_density_check(&d, z, &worst, &report));
        CHECK_LE(worst, 1e-7);
        for (size_t k = 0; k < d.dim; k++) z[k] = k % 2 ? 30.0 : -30.0;              /* no overflow, no NaN */
        double value, gradient[SPACE_MOST];
        CHECK_OK(d.eval(d.user, z, &value, gradient, &report));
        CHECK(value - value == 0.0);
        for (size_t k = 0; k < d.dim; k++) CHECK(gradient[k] - gradient[k] == 0.0);
        bln_program_free(program);
    }
}

TEST(constrain, outside)
{
    static const struct { size_t c; double x[4]; } bad[] = {
        { 2, { 0.0 } }, { 2, { -1.0 } }, { 4, { 2.0, 1.5, 3.0 } }, { 5, { -3.0, -3.0, 0.0 } }, { 6, { 0.0, 2.385, 1.0 } },
        { 8, { 1.0, 2.0, 2.0, 3.0 } }, { 9, { 0.0, 1.0, 2.0, 3.0 } }, { 10, { 0.4, 0.5 } }, { 10, { 1.0, 0.0 } },
        { 12, { 1.0, 1.0, 0.0 } }, { 13, { 1.0, 0.5, 0.0, 0.8 } }, { 15, { 1.0, 1.5, 1.5, 1.0 } }, { 17, { -1.0 } },
            { 19, { 0.0 } },
        { 0, { 0.0, HUGE_VAL, 0.0 } }, { 6, { 1.0, -1.3, 0.0 } }, { 15, { 2.0, 0.5, 0.5, 2.0 } }
    };
    for (size_t i = 0; i < sizeof bad/sizeof *bad; i++) {
        const blni_space s = space_of(bad[i].c);
        double z[SPACE_MOST], work[SPACE_MOST];
        CHECK(!blni_space_back(&s, bad[i].x, z, work));
    }
}

SUITE_BEGIN(constrain)
SUITE_TEST(constrain, jacobians)
SUITE_TEST(constrain, gradients)
SUITE_TEST(constrain, outside)
SUITE_END(constrain)
