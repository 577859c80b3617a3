/* test_tape_matrix: products, factors, kernels and the normal distribution against their definitions in scalars, identities and
 * differences */
#include "../test.h"
#include "tape_tools.h"

enum { MATRIX_MOST = 17 };
static const size_t matrix_sizes[] = { 1, 2, 5, MATRIX_MOST };

/* which: the model; n its size; q: n x n numbers and n more, or what it says there. */
typedef struct matrix_case { int which; size_t n; const double *data; } matrix_case;

/* B'B + n I of the n x n numbers B. */
static bln_var matrix_spd(bln_tape *t, bln_var B, size_t n)
{
    return bln_v_add_diagonal(t, bln_v_gemm(t, BLN_TRANS, B, BLN_NOTRANS, B), bln_c_num(t, (double)n));
}

static bln_var matrix_weighted(bln_tape *t, const double *w, bln_var x)
{
    return bln_v_sum(t, bln_v_mul(t, bln_c_vec(t, w, bln_v_size(t, x)), bln_v_reshape(t, x, bln_v_size(t, x), 1)));
}

static bln_status matrix_model(bln_tape *t, const bln_var *p, void *user)
{
    const matrix_case *c = (const matrix_case *)user;
    const size_t n = c->n;
    const bln_var B = bln_v_reshape(t, bln_v_slice(t, p[0], 0, n*n), n, n), x = bln_v_slice(t, p[0], n*n, n);
    const bln_var D = bln_c_mat(t, c->data, n, n);
    bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, p[0])));
    switch (c->which) {
    case 0: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemv(t, B, x))); break;
    case 1: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemv(t, D, bln_v_square(t, x)))); break;
    case 2: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_NOTRANS, B, BLN_NOTRANS, B))); break;
    case 3: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_TRANS, B, BLN_NOTRANS, D))); break;
    case 4: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_NOTRANS, D, BLN_TRANS, B))); break;
    case 5: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_TRANS, B, BLN_TRANS, B))); break;
    case 6: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_add_diagonal(t, B, bln_v_exp(t, x)))); break;
    case 7: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_cholesky(t, matrix_spd(t, B, n)))); break;
    case 8: bln_lp_add(t, bln_v_logdet_factor(t, bln_v_cholesky(t, matrix_spd(t, B, n)))); break;
    case 9: bln_lp_add(t,
                       matrix_weighted(t, c->data, bln_v_solve_factor(t, BLN_NOTRANS, bln_v_cholesky(t, matrix_spd(t, B, n)), x)));
        break;
    case 10: bln_lp_add(t,
                        matrix_weighted(t, c->data, bln_v_solve_factor(t, BLN_TRANS, bln_v_cholesky(t, matrix_spd(t, B, n)), B)));
        break;
    case 11: bln_lp_multi_normal(t, x, bln_v_sin(t, x), matrix_spd(t, B, n)); break;
    case 12: bln_lp_multi_normal_factor(t, x, bln_c_vec(t, c->data, n), bln_v_cholesky(t, matrix_spd(t, B, n))); break;
    case 13: bln_lp_multi_normal(t, B, x, matrix_spd(t, B, n)); break;               /* n rows */
    case 14: bln_lp_multi_normal_factor(t, B, bln_v_elem(t, x, 0), bln_v_cholesky(t, matrix_spd(t, B, n))); break;
    case 24: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_affine(t, B, B, x))); break;
    case 25: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_affine(t, D, B, bln_c_vec(t, c->data, n)))); break;
    case 26: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_affine(t, B, bln_v_reshape(t, x, n, 1), bln_v_elem(t, x, 0)))); break;
    case 27: bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_NOTRANS, B, BLN_TRANS, B))); break;
    case 28: bln_lp_add(t,
                        matrix_weighted(t, c->data, bln_v_solve_factor(t, BLN_NOTRANS, bln_v_cholesky(t, matrix_spd(t, B, n)), B)));
        break;
    default: {
        const bln_var length = bln_v_shift(t, bln_v_square(t, bln_v_slice(t, x, 0, n > 1 ? 2 : 1)), 0.7);
        const bln_var K = bln_v_kernel(t, (bln_kernel)(c->which - 15), 0.0, c->data, n, n > 1 ? 2 : 1,
                                       bln_v_exp(t, bln_v_elem(t, x, 0)), n == 5 ? bln_v_elem(t, length, 1) : length);
        bln_lp_multi_normal(t, x, bln_c_num(t, 0.3), bln_v_add_diagonal(t, K, bln_c_num(t, 0.4)));
        break;
    } }
    return BLN_OK;
}

static double matrix_data[MATRIX_MOST*MATRIX_MOST];

/* Differences of fourth order: some 1e-12 of derivatives, and rounding of values of 100 or so through h = 1e-4, 1e-10. */
TEST(tape_matrix, gradients)
{
    test_random r = test_random_new(1);
    test_fill_normal(&r, MATRIX_MOST*MATRIX_MOST, matrix_data);
    for (int which = 0; which < 15 + 9 + 5; which++)
        for (size_t s = 0; s < sizeof matrix_sizes/sizeof *matrix_sizes; s++) {
            matrix_case c;
            double q[MATRIX_MOST*(MATRIX_MOST + 1)];
            c.which = which;
            c.n = matrix_sizes[s];
            c.data = matrix_data;
            if (c.n == MATRIX_MOST && which == 15 + BLN_KERNEL_MATERN) continue;     /* 2 us each */
            test_fill_normal(&r, c.n*(c.n + 1), q);
            CHECK_LE(tape_worst(matrix_model, &c, c.n*(c.n + 1), q), 1e-7);
        }
}

/* ---- values, by the definition */

static double matrix_log_normal(size_t n, const double *x, const double *mean, const double *K)
{
    double A[MATRIX_MOST*MATRIX_MOST], z[MATRIX_MOST], lp = 0.0;         /* elimination of [K, x - mean] */
    memcpy(A, K, n*n*sizeof *A);
    for (size_t i = 0; i < n; i++) z[i] = x[i] - mean[i];
    for (size_t k = 0; k < n; k++) {
        lp -= 0.5*(z[k]*z[k]/A[k*n + k] + log(2.0*3.14159265358979323846*A[k*n + k]));
        for (size_t i = k + 1; i < n; i++) {
            const double f = A[i*n + k]/A[k*n + k];
            for (size_t j = k; j < n; j++) A[i*n + j] -= f*A[k*n + j];
            z[i] -= f*z[k];
        }
    }
    return lp;
}

TEST(tape_matrix, values)
{
    static const size_t n = 5;
    double q[5*6], K[25], mean[5], value, gradient[30], want;
    test_random r = test_random_new(2);
    matrix_case c;
    c.n = n;
    c.data = matrix_data;
    test_fill_normal(&r, 25, matrix_data);
    test_fill_normal(&r, 30, q);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            K[i*n + j] = i == j ? 5.0 : 0.0;
            for (size_t k = 0; k < n; k++) K[i*n + j] += q[k*n + i]*q[k*n + j];
        }
    double prior = 0.0;
    for (size_t i = 0; i < 30; i++) prior -= 0.5*q[i]*q[i];
    for (c.which = 11; c.which < 15; c.which++) {
        want = prior;
        for (size_t row = 0; row < (c.which < 13 ? 1 : n); row++) {
            for (size_t i = 0; i < n; i++)
                mean[i] = c.which == 11 ? sin(q[25 + i]) : c.which == 12 ? matrix_data[i] : c.which == 13 ? q[25 + i] : q[25];
            want += matrix_log_normal(n, c.which < 13 ? q + 25 : q + row*n, mean, K);
        }
        CHECK_OK(tape_eval(matrix_model, &c, 30, q, &value, gradient));
        CHECK_REL(value, want, 1e-13);
    }
    c.which = 15 + BLN_KERNEL_MATERN32;                          /* length is one number for both inputs */
    const double length = q[26]*q[26] + 0.7;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double a = (matrix_data[2*i] - matrix_data[2*j])/length, b = (matrix_data[2*i + 1] - matrix_data[2*j + 1])/length;
            const double s = sqrt(3.0*(a*a + b*b));
            K[i*n + j] = exp(2.0*q[25])*(1.0 + s)*exp(-s) + (i == j ? 0.4 : 0.0);
            mean[j] = 0.3;
        }
    CHECK_OK(tape_eval(matrix_model, &c, 30, q, &value, gradient));
    CHECK_REL(value, prior + matrix_log_normal(n, q + 25, mean, K), 1e-13);
}

/* U'U = A and log det: what goes through a factor and back has the gradient of A itself. w: symmetric weights, as only the upper
 * triangle of A is read. */
static bln_status matrix_identity(bln_tape *t, const bln_var *p, void *user)
{
    const matrix_case *c = (const matrix_case *)user;
    const size_t n = c->n;
    const bln_var A = matrix_spd(t, bln_v_reshape(t, p[0], n, n), n);
    bln_lp_std_normal(t, p[0]);
    if (c->which == 0) bln_lp_add(t, matrix_weighted(t, c->data, A));
    else {
        const bln_var U = bln_v_cholesky(t, A);
        bln_lp_add(t, matrix_weighted(t, c->data, bln_v_gemm(t, BLN_TRANS, U, BLN_NOTRANS, U)));
    }
    return BLN_OK;
}

TEST(tape_matrix, factor_identity)
{
    for (size_t s = 0; s < sizeof matrix_sizes/sizeof *matrix_sizes; s++) {
        const size_t n = matrix_sizes[s];
        double q[MATRIX_MOST*MATRIX_MOST], value[2], gradient[2][MATRIX_MOST*MATRIX_MOST];
        test_random r = test_random_new(s);
        matrix_case c;
        c.n = n;
        c.data = matrix_data;
        test_fill_normal(&r, n*n, q);
        for (size_t i = 0; i < n; i++) for (size_t j = i; j < n; j++) matrix_data[i*n + j] = matrix_data[j*n + i] = test_normal(&r);
        for (c.which = 0; c.which < 2; c.which++)
            CHECK_OK(tape_eval(matrix_identity, &c, n*n, q, value + c.which, gradient[c.which]));
        CHECK_GOLD(value[1], value[0], 1e-12);
        for (size_t i = 0; i < n*n; i++) CHECK_GOLD(gradient[1][i], gradient[0][i], 1e-12*(double)n);
    }
}

/* An affine map is the product plus the same row n times: the values of 3 x 2 by 2 x 4, by the definition. */
static bln_status matrix_affine(bln_tape *t, const bln_var *p, void *user)
{
    const double *in = (const double *)user;
    const bln_var y = bln_v_affine(t, bln_c_mat(t, in, 3, 2), bln_c_mat(t, in + 6, 2, 4), bln_c_vec(t, in + 14, 4));
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++)
            CHECK_NEAR(bln_v_value(t, bln_v_elem(t, y, 4*i + j)), in[2*i]*in[6 + j] + in[2*i + 1]*in[10 + j] + in[14 + j], 1e-15);
    bln_lp_std_normal(t, p[0]);
    return BLN_OK;
}
TEST(tape_matrix, affine)
{
    double in[18], q = 0.0, value;
    test_random r = test_random_new(3);
    test_fill_normal(&r, 18, in);
    for (size_t i = 0; i < 18; i++) in[i] = floor(8.0*in[i])/8.0;              /* products are exact */
    CHECK_OK(tape_eval(matrix_affine, in, 1, &q, &value, NULL));
}

/* ---- errors */

static bln_status matrix_wrong(bln_tape *t, const bln_var *p, void *user)
{
    static const double X[6] = { 1.0, 2.0, 2.0, 1.0, 0.0, 1.0 };
    const int which = *(const int *)user;
    const bln_var A = bln_c_mat(t, X, 2, 2), B = bln_c_mat(t, X, 3, 2), x = p[0], one = bln_c_num(t, 1.0);
    if (which == 0) bln_lp_add(t, bln_v_gemv(t, B, x));
    if (which == 1) bln_lp_add(t, bln_v_gemm(t, BLN_NOTRANS, A, BLN_NOTRANS, B));
    if (which == 2) bln_lp_add(t, bln_v_cholesky(t, B));
    if (which == 3) bln_lp_add(t, bln_v_cholesky(t, A));
    if (which == 4) bln_lp_multi_normal(t, x, one, A);
    if (which == 5) bln_lp_add(t, bln_v_solve_factor(t, BLN_TRANS, A, x));
    if (which == 6) bln_lp_add(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, X, 3, 2, one, x));
    if (which == 7) bln_lp_add(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, X, 3, 2, one, bln_c_num(t, 0.0)));
    if (which == 8) bln_lp_add(t, bln_v_kernel(t, (bln_kernel)99, 0.0, X, 3, 2, one, one));
    if (which == 9) bln_lp_add(t, bln_v_add_diagonal(t, A, x));
    if (which == 10) bln_lp_add(t, bln_v_affine(t, A, B, x));
    if (which == 11) bln_lp_add(t, bln_v_affine(t, B, A, x));
    if (which == 12) bln_lp_add(t, bln_v_add_diagonal(t, B, x));
    if (which == 13) bln_lp_add(t, bln_v_solve_factor(t, BLN_NOTRANS, B, x));
    if (which == 14) bln_lp_add(t, bln_v_logdet_factor(t, B));
    if (which == 15) bln_lp_add(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, NULL, 3, 2, one, one));
    if (which == 16) bln_lp_add(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, X, 3, 0, one, one));
    if (which == 17) bln_lp_add(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0.0, X, 3, 2, x, one));
    if (which == 18) bln_lp_multi_normal(t, x, one, B);
    if (which == 19) bln_lp_multi_normal_factor(t, x, one, A);
    if (which == 20) bln_lp_multi_normal(t, bln_v_slice(t, x, 0, 2), x, A);
    if (which == 21) bln_lp_multi_normal_factor(t, bln_v_slice(t, x, 0, 2), x, A);
    if (which == 22) bln_lp_multi_normal(t, bln_v_slice(t, x, 0, 2), one, A);
    return BLN_OK;
}

TEST(tape_matrix, errors)
{
    static const struct { bln_status status; const char *text; } want[] = {
        { BLN_ESHAPE, "bln_v_gemv (call 4): A is 3 x 2, x is 3 x 1" }, { BLN_ESHAPE, "A is 2 x 2, B is 3 x 2" },
        { BLN_ESHAPE, "A must be square: it is 3 x 2" },
        { BLN_ENOTPD, "bln_v_cholesky (call 4): the matrix is not positive definite, pivot 1" },
        { BLN_ESHAPE, "x is 3 x 1, K is 2 x 2" }, { BLN_ESHAPE, "U is 2 x 2, B is 3 x 1" },
        { BLN_ESHAPE, "length is neither" }, { BLN_EDOMAIN, "length must be > 0" }, { BLN_EINVAL, "bln_v_kernel" },
        { BLN_ESHAPE, "A is 2 x 2, x is 3 x 1" }, { BLN_ESHAPE, "X is 2 x 2, W is 3 x 2" },
        { BLN_ESHAPE, "W is 2 x 2, b is 3 x 1" },
        { BLN_ESHAPE, "bln_v_add_diagonal (call 4): A must be square: it is 3 x 2" },
        { BLN_ESHAPE, "U must be square: it is 3 x 2" },
        { BLN_ESHAPE, "bln_v_logdet_factor (call 4): U must be square" }, { BLN_EINVAL, "X is NULL, or has no columns" },
        { BLN_EINVAL, "X is NULL, or has no columns" }, { BLN_ESHAPE, "sd is no scalar" },
        { BLN_ESHAPE, "K must be square: it is 3 x 2" }, { BLN_ESHAPE, "x is 3 x 1, U is 2 x 2" },
        { BLN_ESHAPE, "mean is 3 x 1, K is 2 x 2" }, { BLN_ESHAPE, "mean is 3 x 1, U is 2 x 2" },
        { BLN_ENOTPD, "bln_lp_multi_normal (call 5): the matrix is not positive definite, pivot 1" }
    };
    for (int i = 0; i < (int)(sizeof want/sizeof *want); i++) {
        bln_report report;
        CHECK_STATUS(tape_refused(matrix_wrong, &i, 3, NULL, &report), want[i].status);
        CHECK_TEXT(report.text, want[i].text);
    }
}

/* Matrices without numbers have no determinant but 1, and nothing goes back to what they were made of. A kernel of standard
 * deviation 0 is 0, and rises with its square: both slopes are 0. */
TEST(tape_matrix, nothing)
{
    static const double X[3] = { 0.2, 1.3, -0.4 };
    bln_tape t;
    memset(&t, 0, sizeof t);
    blni_tape_reset(&t, 1);
    CHECK(blni_tape_room(&t, 6, 0, 0));
    const uint32_t at = blni_tape_take(&t, 6);
    for (uint32_t i = 0; i < 6; i++) t.val[at + i] = i == 4 ? 0.0 : 1.0 + i;
    const bln_var U = bln_v_reshape(&t, blni_var(at, 4), 2, 2), sd = blni_var(at + 4, 1), length = blni_var(at + 5, 1);
    const bln_var none = bln_c_mat(&t, NULL, 0, 0), of_u = bln_v_reshape(&t, bln_v_slice(&t, blni_var(at, 4), 4, 0), 2, 0);
    const bln_var factor = bln_v_cholesky(&t, bln_v_add_diagonal(&t, none, length));
    CHECK(bln_v_size(&t, factor) == 0);
    CHECK(bln_v_value(&t, bln_v_logdet_factor(&t, factor)) == 0.0);
    const bln_var solved = bln_v_solve_factor(&t, BLN_NOTRANS, U, of_u);
    CHECK(bln_v_size(&t, solved) == 0 && blni_rows(&t, solved) == 2);
    bln_lp_add(&t, solved);
    const bln_var K = bln_v_kernel(&t, BLN_KERNEL_RBF, 0.0, X, 3, 1, sd, length);
    for (int i = 0; i < 9 && t.status == BLN_OK; i++) CHECK(bln_v_values(&t, K)[i] == 0.0);
    bln_lp_add(&t, K);
    CHECK_OK(t.status);
    blni_tape_sweep(&t, 0, 0, NULL);
    for (uint32_t i = 0; i < 6; i++) CHECK(t.adj[at + i] == 0.0);
    blni_tape_release(&t);
}

SUITE_BEGIN(tape_matrix)
SUITE_TEST(tape_matrix, nothing)
SUITE_TEST(tape_matrix, gradients)
SUITE_TEST(tape_matrix, values)
SUITE_TEST(tape_matrix, factor_identity)
SUITE_TEST(tape_matrix, affine)
SUITE_TEST(tape_matrix, errors)
SUITE_END(tape_matrix)
