/* test_cholesky - factorisation, solves and inverse against residual bounds, exact integer cases, closed forms
 *
 * At every level, at all sizes around the edges of tiles (4, 8, 24), leaves (32, 64) and halves, with odd strides and unaligned
 * starts; the lower triangles and the padding are NaN and keep their bits.
 *
 * Bounds [Higham 2002], all with n + 4 roundings instead of n for the stored reciprocals and the blocks, and doubled for a residual
 * that is itself rounded: |A - U'U| <= gamma |U'||U| (Theorem 10.3);  |op(U) x - b| <= gamma |op(U)||x| (8.5);  |U V - I| <= gamma
 * |U||V| (the row-wise method, section 14.2, whose blocks obey it one by one);  |C - V V'| <= gamma |V||V'| (3.13). Exact: with
 * small integers and powers of two on the diagonal no operation rounds, so that the known factor or solution must come back bit by
 * bit. */
#include "../test.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include "blas_matrix.h"

/* Sizes: all up to 42, then around the leaves and their multiples, then one that is halved often. */
static size_t cholesky_next(size_t n)
{
    static const size_t then[] = { 47, 48, 49, 63, 64, 65, 71, 72, 73, 100, 127, 128, 129, 135, 200, 257, 0 };
    if (n < 42) return n + 1;
    for (size_t i = 0;; i++) if (then[i] > n || then[i] == 0) return then[i];
}
#define CHOLESKY_SIZES(n) for (size_t n = 1; n; n = cholesky_next(n))

/* Upper triangle only; the rest stays NaN. Off the diagonal N(0,1)/sqrt(n), on it 1 to 2: well conditioned, so that X and V stay
 * near 1. */
static blas_matrix cholesky_upper(test_random *r, size_t n, size_t pad)
{
    blas_matrix U = blas_new(n, n, pad);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) U.at[i*U.ld + j] = test_normal(r)/sqrt((double)n);
        U.at[i*U.ld + i] = 1.0 + test_uniform(r);
    }
    return U;
}

/* Integers -2..2 above a diagonal of 1, 2 and 4. */
static blas_matrix cholesky_upper_integers(test_random *r, size_t n, size_t pad)
{
    blas_matrix U = blas_new(n, n, pad);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) U.at[i*U.ld + j] = floor(5.0*test_uniform(r)) - 2.0;
        U.at[i*U.ld + i] = pow(2.0, floor(3.0*test_uniform(r)));
    }
    return U;
}

static double cholesky_u(const blas_matrix *U, size_t i, size_t j) { return i <= j ? U->at[i*U->ld + j] : 0.0; }

/* Upper triangle of U'U in A, which else stays as it is. */
static void cholesky_product(const blas_matrix *U, blas_matrix *A)
{
    for (size_t i = 0; i < U->rows; i++)
        for (size_t j = i; j < U->rows; j++) {
            long double sum = 0.0L;
            for (size_t p = 0; p <= i; p++) sum += (long double)cholesky_u(U, p, i)*cholesky_u(U, p, j);
            A->at[i*A->ld + j] = (double)sum;
        }
}

/* The largest |residual|/bound; a residual without a bound must be 0. */
static void cholesky_worse(double *worst, double residual, double bound)
{
    const double ratio = bound > 0.0 ? fabs(residual)/bound : residual == 0.0 ? 0.0 : 2.0;
    if (!(ratio <= *worst)) *worst = ratio;
}

TEST(cholesky, potrf_residual)
{
    test_random r = test_random_new(1);
    CHOLESKY_SIZES(n) {
        blas_matrix G = blas_random(&r, n, n, 0), A0 = blas_new(n, n, 3);
        for (size_t i = 0; i < n; i++)                                           /* G'G + I/4 */
            for (size_t j = i; j < n; j++) {
                double sum = i == j ? 0.25 : 0.0;
                for (size_t p = 0; p < n; p++) sum += G.at[p*n + i]*G.at[p*n + j];
                A0.at[i*A0.ld + j] = sum;
            }
        BLAS_LEVELS(level) {
            blas_matrix U = blas_copy(&A0);
            size_t bad = 12345;
            double worst = 0.0;
            CHECK_OK(bln_potrf(n, U.at, U.ld, &bad));
            CHECK_SIZE(bad, 12345);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) {
                    long double sum = 0.0L, bound = 0.0L;
                    for (size_t p = 0; p <= i; p++) {
                        sum += (long double)cholesky_u(&U, p, i)*cholesky_u(&U, p, j);
                        bound += fabs(cholesky_u(&U, p, i)*cholesky_u(&U, p, j));
                    }
                    cholesky_worse(&worst, (double)(sum - A0.at[i*A0.ld + j]), BLAS_GAMMA(n)*(double)bound);
                }
            CHECK_LE(worst, 1.0);
            CHECK(blas_rest_kept(&U, &A0, 1));
            free(U.block);
        }
        free(G.block);
        free(A0.block);
    }
    bln_cpu_level_force(-1);
}

TEST(cholesky, potrf_is_exact_on_integers)
{
    test_random r = test_random_new(2);
    CHOLESKY_SIZES(n) {
        blas_matrix U = cholesky_upper_integers(&r, n, 2), A0 = blas_new(n, n, 2);
        cholesky_product(&U, &A0);
        BLAS_LEVELS(level) {
            blas_matrix A = blas_copy(&A0);
            CHECK_OK(bln_potrf(n, A.at, A.ld, NULL));
            CHECK(!memcmp(A.block, U.block, A.size*sizeof(double)));
            free(A.block);
        }
        free(U.block);
        free(A0.block);
    }
    bln_cpu_level_force(-1);
}

/* On integers pivot k is exactly U_kk^2: taken away from A_kk it is 0, and that pivot is named; so it is when it is -1, NaN or
 * infinite, and when an entry above it is NaN. */
TEST(cholesky, potrf_names_the_failing_pivot)
{
    static const size_t sizes[] = { 1, 2, 5, 8, 9, 23, 33, 70, 137 };
    test_random r = test_random_new(3);
    for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++) {
        const size_t n = sizes[s];
        blas_matrix U = cholesky_upper_integers(&r, n, 2), A0 = blas_new(n, n, 2);
        cholesky_product(&U, &A0);
        for (size_t k = 0; k < n; k++) {
            const int levels = TEST_TOP_LEVEL + 1, level = (int)k % levels, how = (int)k/levels % 5;
            blas_matrix A = blas_copy(&A0);
            double *pivot = A.at + k*A.ld + k;
            size_t bad = BLN_NONE;
            bln_cpu_level_force(level);
            if (how == 0) *pivot -= U.at[k*U.ld + k]*U.at[k*U.ld + k];
            if (how == 1) *pivot -= U.at[k*U.ld + k]*U.at[k*U.ld + k] + 1.0;
            if (how == 2) *pivot = BLAS_NAN;
            if (how == 3) *pivot = (double)INFINITY;
            if (how == 4) A.at[k/2*A.ld + k] = BLAS_NAN;
            CHECK_STATUS(bln_potrf(n, A.at, A.ld, &bad), BLN_ENOTPD);
            CHECK_SIZE(bad, k);
            CHECK(blas_rest_kept(&A, &A0, 1));
            if (k == 0) CHECK_STATUS(bln_potrf(n, A.at, A.ld, NULL), BLN_ENOTPD);
            free(A.block);
        }
        free(U.block);
        free(A0.block);
    }
    CHECK_OK(bln_potrf(0, NULL, 0, NULL));
    bln_cpu_level_force(-1);
}

static void cholesky_one_trsm(test_random *r, bln_trans op, size_t n, size_t m, int integers)
{
    blas_matrix U = integers ? cholesky_upper_integers(r, n, 1) : cholesky_upper(r, n, 1), B0 = blas_new(n, m, 3);
    blas_matrix X0 = integers ? blas_integers(r, n, m, 3) : blas_random(r, n, m, 3);
    for (size_t i = 0; i < n; i++)                                               /* B = op(U) X0: exact for integers */
        for (size_t j = 0; j < m; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < n; p++) {
                const double u = op == BLN_NOTRANS ? cholesky_u(&U, i, p) : cholesky_u(&U, p, i);
                if (u != 0.0) sum += u*X0.at[p*X0.ld + j];
            }
            B0.at[i*B0.ld + j] = sum;
        }
    BLAS_LEVELS(level) {
        blas_matrix X = blas_copy(&B0);
        double worst = 0.0;
        bln_trsm(op, n, m, U.at, U.ld, X.at, X.ld);
        if (integers) { CHECK(!memcmp(X.block, X0.block, X.size*sizeof(double))); free(X.block); continue; }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++) {
                long double sum = 0.0L, bound = 0.0L;
                for (size_t p = 0; p < n; p++) {
                    const double u = op == BLN_NOTRANS ? cholesky_u(&U, i, p) : cholesky_u(&U, p, i);
                    sum += (long double)u*X.at[p*X.ld + j];
                    bound += fabs(u*X.at[p*X.ld + j]);
                }
                cholesky_worse(&worst, (double)(sum - B0.at[i*B0.ld + j]), BLAS_GAMMA(n)*(double)bound);
            }
        CHECK_LE(worst, 1.0);
        CHECK(blas_rest_kept(&X, &B0, 0));
        free(X.block);
    }
    free(U.block);
    free(B0.block);
    free(X0.block);
}

TEST(cholesky, trsm_residual)
{
    static const size_t widths[] = { 1, 3, 7, 8, 9, 23, 24, 25, 31, 49 };
    test_random r = test_random_new(4);
    size_t turn = 0;
    for (size_t n = 1; n <= 42; n++)
        for (size_t w = 0; w < sizeof widths/sizeof *widths; w++)
            cholesky_one_trsm(&r, turn++ & 1 ? BLN_TRANS : BLN_NOTRANS, n, widths[w], 0);
    for (size_t m = 0; m <= 42; m++)
        for (int op = 0; op < 2; op++) cholesky_one_trsm(&r, op ? BLN_TRANS : BLN_NOTRANS, 21, m, 0);
    CHOLESKY_SIZES(n)
        for (int op = 0; op < 2; op++) cholesky_one_trsm(&r, op ? BLN_TRANS : BLN_NOTRANS, n, n > 130 ? 19 : 37, 0);
    bln_trsm(BLN_TRANS, 0, 5, NULL, 0, NULL, 5);
    bln_cpu_level_force(-1);
}

TEST(cholesky, trsm_is_exact_on_integers)
{
    test_random r = test_random_new(5);
    CHOLESKY_SIZES(n)
        for (int op = 0; op < 2; op++) cholesky_one_trsm(&r, op ? BLN_TRANS : BLN_NOTRANS, n, 29, 1);
    for (int op = 0; op < 2; op++) cholesky_one_trsm(&r, op ? BLN_TRANS : BLN_NOTRANS, 70, 1500, 1);
    bln_cpu_level_force(-1);
}

TEST(cholesky, trsv_and_potrs_residual)
{
    test_random r = test_random_new(6);
    CHOLESKY_SIZES(n) {
        blas_matrix U = cholesky_upper(&r, n, 1), b = blas_random(&r, n, 1, 0), A = blas_new(n, n, 0);
        cholesky_product(&U, &A);
        BLAS_LEVELS(level) {
            double worst = 0.0, scale = 0.0, off = 0.0;
            for (int op = 0; op < 2; op++) {
                blas_matrix x = blas_copy(&b);
                bln_trsv(op ? BLN_TRANS : BLN_NOTRANS, n, U.at, U.ld, x.at);
                for (size_t i = 0; i < n; i++) {
                    long double sum = 0.0L, bound = 0.0L;
                    for (size_t p = 0; p < n; p++) {
                        const double u = op ? cholesky_u(&U, p, i) : cholesky_u(&U, i, p);
                        sum += (long double)u*x.at[p];
                        bound += fabs(u*x.at[p]);
                    }
                    cholesky_worse(&worst, (double)(sum - b.at[i]), BLAS_GAMMA(n)*(double)bound);
                }
                CHECK(blas_rest_kept(&x, &b, 0));
                free(x.block);
            }
            CHECK_LE(worst, 1.0);
            /* U'U x = b: |b - A x| <= gamma_{3n+1} |U'||U||x| (Theorem 10.4), with the largest row sum of |U'||U| and the largest
             * x. */
            blas_matrix x = blas_copy(&b);
            bln_potrs(n, U.at, U.ld, x.at);
            for (size_t i = 0; i < n; i++) {
                long double sum = 0.0L;
                double row = 0.0;
                for (size_t p = 0; p < n; p++) {
                    sum += (long double)A.at[(i < p ? i : p)*n + (i < p ? p : i)]*x.at[p];
                    for (size_t q = 0; q <= (i < p ? i : p); q++) row += fabs(cholesky_u(&U, q, i)*cholesky_u(&U, q, p)*x.at[p]);
                }
                if (!(fabs((double)(sum - b.at[i])) <= off)) off = fabs((double)(sum - b.at[i]));
                if (row > scale) scale = row;
            }
            CHECK_LE(off, BLAS_GAMMA(3*n)*scale);
            free(x.block);
        }
        free(U.block);
        free(b.block);
        free(A.block);
    }
    bln_cpu_level_force(-1);
}

TEST(cholesky, trtri_and_lauum_residual)
{
    test_random r = test_random_new(7);
    CHOLESKY_SIZES(n) {
        blas_matrix U = cholesky_upper(&r, n, 3), C0 = blas_new(n, n, 2);
        BLAS_LEVELS(level) {
            blas_matrix V = blas_copy(&U), C = blas_copy(&C0), W = blas_copy(&U);
            double inverse = 0.0, product = 0.0, same = 0.0;
            bln_trtri(n, V.at, V.ld);
            bln_lauum(n, V.at, V.ld, C.at, C.ld);
            memcpy(W.block, V.block, V.size*sizeof(double));
            bln_lauum(n, W.at, W.ld, W.at, W.ld);                                /* in place */
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) {
                    long double uv = i == j ? -1.0L : 0.0L, bound_uv = 0.0L, vv = 0.0L, bound_vv = 0.0L;
                    for (size_t p = i; p <= j; p++) {
                        uv += (long double)cholesky_u(&U, i, p)*cholesky_u(&V, p, j);
                        bound_uv += fabs(cholesky_u(&U, i, p)*cholesky_u(&V, p, j));
                    }
                    for (size_t p = j; p < n; p++) {
                        vv += (long double)cholesky_u(&V, i, p)*cholesky_u(&V, j, p);
                        bound_vv += fabs(cholesky_u(&V, i, p)*cholesky_u(&V, j, p));
                    }
                    cholesky_worse(&inverse, (double)uv, BLAS_GAMMA(n)*(double)bound_uv);
                    cholesky_worse(&product, (double)(C.at[i*C.ld + j] - vv), BLAS_GAMMA(n)*(double)bound_vv);
                    cholesky_worse(&same, W.at[i*W.ld + j] - C.at[i*C.ld + j], 0.0);
                }
            CHECK_LE(inverse, 1.0);
            CHECK_LE(product, 1.0);
            CHECK_LE(same, 0.0);
            CHECK(blas_rest_kept(&V, &U, 1) && blas_rest_kept(&C, &C0, 1) && blas_rest_kept(&W, &U, 1));
            free(V.block);
            free(C.block);
            free(W.block);
        }
        free(U.block);
        free(C0.block);
    }
    bln_trtri(0, NULL, 0);
    bln_lauum(0, NULL, 0, NULL, 0);
    bln_cpu_level_force(-1);
}

/* The inverse of 1 on the diagonal and -1 right above it is 1 in the whole upper triangle, and that times its transpose counts:
 * C_ij = n - j. */
TEST(cholesky, inverse_of_the_difference_matrix)
{
    CHOLESKY_SIZES(n)
        BLAS_LEVELS(level) {
            blas_matrix U = blas_new(n, n, 1);
            size_t wrong = 0;
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) U.at[i*U.ld + j] = i == j ? 1.0 : j == i + 1 ? -1.0 : 0.0;
            bln_trtri(n, U.at, U.ld);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) wrong += U.at[i*U.ld + j] != 1.0;
            CHECK_SIZE(wrong, 0);
            bln_lauum(n, U.at, U.ld, U.at, U.ld);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) wrong += U.at[i*U.ld + j] != (double)(n - j);
            CHECK_SIZE(wrong, 0);
            free(U.block);
        }
    bln_cpu_level_force(-1);
}

/* The definitions that leaves end in give the exact integers too. */
TEST(cholesky, definitions_are_exact_on_integers)
{
    test_random r = test_random_new(8);
    for (size_t n = 1; n <= 12; n++) {
        blas_matrix U = cholesky_upper_integers(&r, n, 2), A = blas_new(n, n, 2);
        cholesky_product(&U, &A);
        CHECK_SIZE(blni_potrf_ref(n, A.at, A.ld), n);
        CHECK(!memcmp(A.block, U.block, A.size*sizeof(double)));
        /* may round: the two are compared within the bound for x near 1, growth of at most 2^n (2 + 1)^n < 8^n */
        double x[2][12];
        for (size_t i = 0; i < n; i++) x[0][i] = x[1][i] = (double)i - 3.7;
        bln_trsm(BLN_TRANS, n, 1, U.at, U.ld, x[0], 1);
        blni_trsv_ref(BLN_TRANS, n, U.at, U.ld, x[1]);
        for (size_t i = 0; i < n; i++) CHECK_NEAR(x[1][i], x[0][i], pow(8.0, (double)n)*DBL_EPSILON*10.0);
        free(U.block);
        free(A.block);
    }
}

TEST(cholesky, jitter_is_not_added_without_need)
{
    test_random r = test_random_new(9);
    const size_t n = 37;
    blas_matrix U = cholesky_upper(&r, n, 2), A = blas_new(n, n, 2);
    double diag[37], tau = 9.0;
    size_t wrong = 0;
    cholesky_product(&U, &A);
    blas_matrix A0 = blas_copy(&A), B = blas_copy(&A);
    CHECK_OK(bln_potrf(n, B.at, B.ld, NULL));
    CHECK_OK(blni_potrf_jitter(n, A.at, A.ld, diag, &tau));
    CHECK(tau == 0.0);
    for (size_t i = 0; i < n; i++) {
        wrong += diag[i] != A0.at[i*A0.ld + i];
        for (size_t j = i; j < n; j++) wrong += A.at[i*A.ld + j] != B.at[i*B.ld + j];            /* the plain factor */
        for (size_t j = i + 1; j < n; j++) wrong += A.at[j*A.ld + i] != A0.at[i*A0.ld + j];      /* the input, below */
    }
    CHECK_SIZE(wrong, 0);
    free(U.block);
    free(A.block);
    free(A0.block);
    free(B.block);
}

/* All ones: pivot 1 is exactly 0. The first try adds n eps max A_ii, and the factor is that of the matrix so lifted. */
TEST(cholesky, jitter_of_a_singular_matrix)
{
    static const size_t sizes[] = { 2, 3, 9, 40, 70 };
    for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++)
        BLAS_LEVELS(level) {
            const size_t n = sizes[s];
            blas_matrix A = blas_new(n, n, 1);
            double diag[70], tau = 0.0, worst = 0.0;
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) A.at[i*A.ld + j] = 4.0;
            CHECK_OK(blni_potrf_jitter(n, A.at, A.ld, diag, &tau));
            CHECK(tau >= (double)n*DBL_EPSILON*4.0 && tau <= 10.0*(double)n*DBL_EPSILON*4.0);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) {
                    double sum = 0.0, bound = 0.0;
                    for (size_t p = 0; p <= i; p++) {
                        sum += cholesky_u(&A, p, i)*cholesky_u(&A, p, j);
                        bound += fabs(cholesky_u(&A, p, i)*cholesky_u(&A, p, j));
                    }
                    cholesky_worse(&worst, sum - 4.0 - (i == j ? tau : 0.0), BLAS_GAMMA(n)*bound);
                }
            CHECK_LE(worst, 1.0);
            free(A.block);
        }
    bln_cpu_level_force(-1);
}

/* diag(1, -x) needs tau > x: the steps are 2 eps 10^k, k = 0..6. */
TEST(cholesky, jitter_grows_tenfold_and_gives_up)
{
    for (int k = -1; k <= 6; k++) {
        double A[4], diag[2], tau, step = 2.0*DBL_EPSILON;
        for (int i = 0; i < k; i++) step *= 10.0;
        A[0] = 1.0;
        A[1] = 0.0;
        A[2] = BLAS_NAN;
        A[3] = k < 0 ? 0.0 : -0.5*step;
        CHECK_OK(blni_potrf_jitter(2, A, 2, diag, &tau));
        CHECK_REL(tau, step, 8.0*DBL_EPSILON);
        CHECK_REL(A[3], sqrt(step - (k < 0 ? 0.0 : 0.5*step)), 16.0*DBL_EPSILON);
        CHECK(A[2] == 0.0 && diag[0] == 1.0 && diag[1] == (k < 0 ? 0.0 : -0.5*step));
    }
    double A[4] = { 1.0, 0.0, 0.0, -1e-8 }, diag[2], tau;
    CHECK_STATUS(blni_potrf_jitter(2, A, 2, diag, &tau), BLN_ENOTPD);             /* the largest tau is 4.4e-10 */
    CHECK_REL(tau, 2e6*DBL_EPSILON, 8.0*DBL_EPSILON);
    A[0] = -1.0;
    A[3] = -2.0;
    CHECK_STATUS(blni_potrf_jitter(2, A, 2, diag, &tau), BLN_ENOTPD);             /* nothing positive to scale it by */
    CHECK(tau == 0.0);
    A[0] = A[3] = 1.0;
    A[1] = BLAS_NAN;
    CHECK_STATUS(blni_potrf_jitter(2, A, 2, diag, &tau), BLN_ENOTPD);
    A[1] = 0.0;
    A[0] = (double)INFINITY;
    A[3] = 1.0;
    CHECK_STATUS(blni_potrf_jitter(2, A, 2, diag, &tau), BLN_ENOTPD);
    CHECK_OK(blni_potrf_jitter(0, A, 2, diag, &tau));
    CHECK(tau == 0.0);
}

TEST(cholesky, diagonal_figures)
{
    const double U[9] = { 2.0, 7.0, 7.0, BLAS_NAN, 0.5, 7.0, BLAS_NAN, BLAS_NAN, 8.0 };
    CHECK_REL(bln_logdet_factor(3, U, 3), 2.0*log(8.0), 4.0*DBL_EPSILON);
    CHECK_NEAR(blni_condition_factor(3, U, 3), 256.0, 0.0);
    CHECK_NEAR(bln_logdet_factor(0, U, 3), 0.0, 0.0);
    CHECK_NEAR(blni_condition_factor(0, U, 3), 1.0, 0.0);
    CHECK_NEAR(blni_condition_factor(1, U, 3), 1.0, 0.0);
}

/* Few columns are solved where they are, many in a copy, and how many there are depends on the number of threads: the same bits. */
TEST(cholesky, a_copy_changes_no_bit)
{
    enum { N = 100, M = 24 };
    test_random r = test_random_new(6);
    double *A = test_doubles(N*N), *U = test_doubles(N*N), *X = test_doubles(2*N*M);
    test_fill_normal(&r, N*N, A);
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (size_t n = 17; n <= N && n <= BLNI_LEAF; n += 6)
            for (int op = 0; op < 2; op++) {
                memset(U, 0, (size_t)N*N*sizeof(double));
                for (size_t i = 0; i < n; i++) U[i*n + i] = 1.0;
                bln_syrk(BLN_TRANS, n, n, 1.0, A, n, 1.0, U, n);
                CHECK_OK(bln_potrf(n, U, n, NULL));
                test_fill_normal(&r, N*M, X);
                memcpy(X + N*M, X, (size_t)N*M*sizeof(double));
                blni_trsm_leaf(op ? BLN_TRANS : BLN_NOTRANS, n, M - n % 5, U, n, X, M);
                blni_trsm_copied(op ? BLN_TRANS : BLN_NOTRANS, n, M - n % 5, U, n, X + N*M, M);
                CHECK(!memcmp(X, X + N*M, (size_t)N*M*sizeof(double)));
            }
    }
    bln_cpu_level_force(-1);
    free(A);
    free(U);
    free(X);
}

#ifdef _OPENMP
/* Factor, solves and inverse by several threads: the bits of one. */
TEST(cholesky, threads_give_the_same_bits)
{
    enum { N = 300, M = 301 };
    const int before = omp_get_max_threads();
    test_random r = test_random_new(5);
    double *A = test_doubles(N*N), *B = test_doubles(N*M), *U[2], *X[2];
    test_fill_normal(&r, N*N, A);
    test_fill_normal(&r, N*M, B);
    for (int threads = 2; threads <= 5; threads++)
        for (int op = 0; op < 2; op++) {
            for (int k = 0; k < 2; k++) {
                omp_set_num_threads(k ? threads : 1);
                U[k] = test_doubles(N*N);
                X[k] = test_doubles(N*M);
                memset(U[k], 0, (size_t)N*N*sizeof(double));
                memcpy(X[k], B, (size_t)N*M*sizeof(double));
                for (size_t i = 0; i < N; i++) U[k][i*N + i] = 1.0;
                bln_syrk(BLN_TRANS, N, N, 1.0, A, N, 1.0, U[k], N);
                CHECK_OK(bln_potrf(N, U[k], N, NULL));
                bln_trsm(op ? BLN_TRANS : BLN_NOTRANS, N, M, U[k], N, X[k], M);
                if (op) bln_trtri(N, U[k], N);
            }
            CHECK(!memcmp(U[0], U[1], (size_t)N*N*sizeof(double)) && !memcmp(X[0], X[1], (size_t)N*M*sizeof(double)));
            for (int k = 0; k < 2; k++) { free(U[k]); free(X[k]); }
        }
    omp_set_num_threads(before);
    free(A);
    free(B);
}
#endif

SUITE_BEGIN(cholesky)
SUITE_TEST(cholesky, a_copy_changes_no_bit)
#ifdef _OPENMP
    SUITE_TEST(cholesky, threads_give_the_same_bits)
#endif
    SUITE_TEST(cholesky, potrf_residual)
    SUITE_TEST(cholesky, potrf_is_exact_on_integers)
    SUITE_TEST(cholesky, potrf_names_the_failing_pivot)
    SUITE_TEST(cholesky, trsm_residual)
    SUITE_TEST(cholesky, trsm_is_exact_on_integers)
    SUITE_TEST(cholesky, trsv_and_potrs_residual)
    SUITE_TEST(cholesky, trtri_and_lauum_residual)
    SUITE_TEST(cholesky, inverse_of_the_difference_matrix)
    SUITE_TEST(cholesky, definitions_are_exact_on_integers)
    SUITE_TEST(cholesky, jitter_is_not_added_without_need)
    SUITE_TEST(cholesky, jitter_of_a_singular_matrix)
    SUITE_TEST(cholesky, jitter_grows_tenfold_and_gives_up)
    SUITE_TEST(cholesky, diagonal_figures)
SUITE_END(cholesky)
