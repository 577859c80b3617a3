/* test_qr - orthogonal factorisation and its updates: residuals, orthogonality, closed forms, exact scaling, NIST's problems
 *
 * At every level, at all sizes around the edges of the panels (32) and tiles, with odd strides and unaligned starts; what is not
 * the matrix is NaN and keeps its bits.
 *
 * Bounds: r reflections of length m change a column by at most r gamma'_m |column| in the 2-norm [Higham 2002, Lemma 19.3],
 * gamma'_m = c m eps. With c = 1, r (m + 8) eps: far above what is seen, since errors grow like roots, and far below what a wrong
 * entry makes. Twice that for two factorisations compared, or for the residual of Q (which is itself applied with an error) and
 * R. */
#include "../test.h"
#include "../golden/nist_golden.h"
#include "blas_matrix.h"

static double qr_bound(size_t m, size_t r) { return 2.0*(double)(r + 1)*(double)(m + 8)*DBL_EPSILON; }

static const size_t qr_sizes[] = { 1, 2, 3, 4, 5, 7, 9, 16, 31, 32, 33, 40, 65, 97 };
#define QR_SIZES(n) for (size_t n##_at = 0, n; n##_at < sizeof qr_sizes/sizeof *qr_sizes && (n = qr_sizes[n##_at], 1); n##_at++)

static double qr_column_norm(const blas_matrix *A, size_t c)
{
    double sum = 0.0;
    for (size_t i = 0; i < A->rows; i++) sum = hypot(sum, A->at[i*A->ld + c]);
    return sum;
}

/* |x - y| of column c, over |y| of it; the rows of x that it lacks count as 0. */
static double qr_column_error(const blas_matrix *x, const blas_matrix *y, size_t c)
{
    const double norm = qr_column_norm(y, c);
    double sum = 0.0;
    for (size_t i = 0; i < y->rows; i++) sum = hypot(sum, (i < x->rows ? x->at[i*x->ld + c] : 0.0) - y->at[i*y->ld + c]);
    return norm > 0.0 ? sum/norm : sum == 0.0 ? 0.0 : 1.0;
}

/* The R of a factorised matrix, min(m, n) x n, with its zeros. */
static blas_matrix qr_triangle(const blas_matrix *A)
{
    blas_matrix R = blas_new(A->rows < A->columns ? A->rows : A->columns, A->columns, 0);
    for (size_t i = 0; i < R.rows; i++)
        for (size_t j = 0; j < R.columns; j++) R.at[i*R.ld + j] = j < i ? 0.0 : A->at[i*A->ld + j];
    return R;
}

/* The largest |R'R - A'A|_ij/(|A_i||A_j|) over the first n columns; R upper. If R is the exact factor of A + E with |E_j| <= b
 * |A_j| this is at most 2 b + b^2, whatever the condition. The sums themselves round by m eps. */
static double qr_gram_error(size_t n, const blas_matrix *R, const blas_matrix *A)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0.0, ii = 0.0, jj = 0.0;
            for (size_t p = 0; p < A->rows; p++) {
                const double a = A->at[p*A->ld + i], b = A->at[p*A->ld + j];
                sum += a*b;
                ii += a*a;
                jj += b*b;
            }
            for (size_t p = 0; p <= i; p++) sum -= R->at[p*R->ld + i]*R->at[p*R->ld + j];
            worst = fmax(worst, fabs(sum)/sqrt(ii*jj));
        }
    return worst;
}

static blas_matrix qr_identity(size_t n, size_t pad)
{
    blas_matrix E = blas_new(n, n, pad);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) E.at[i*E.ld + j] = i == j ? 1.0 : 0.0;
    return E;
}

/* Factorises a copy of A0 and checks all that can be said of it: Q R = A0, Q'Q = I, Q'A0 = R, a diagonal >= 0, padding kept. */
static void qr_check(const blas_matrix *A0)
{
    const size_t m = A0->rows, n = A0->columns, k = m < n ? m : n;
    const double bound = qr_bound(m, k);
    double *tau = test_doubles(k), *work = test_doubles(blni_geqrf_work(m, n) + 1), worst = 0.0, rounding = 0.0;
    double *apply = test_doubles(blni_ormqr_work(m, m > n ? m : n, k) + 1);
    blas_matrix A = blas_copy(A0), Q = qr_identity(m, 1);
    blni_geqrf(m, n, A.at, A.ld, tau, work);
    CHECK(blas_rest_kept(&A, A0, 0));
    blas_matrix R = qr_triangle(&A), QR = blas_new(m, n, 2), QtA = blas_copy(A0);
    for (size_t j = 0; j < k; j++) CHECK(R.at[j*R.ld + j] >= 0.0 && fabs(tau[j]) <= 2.0);

    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) QR.at[i*QR.ld + j] = i < k ? R.at[i*R.ld + j] : 0.0;
    blni_ormqr(BLN_NOTRANS, m, n, k, A.at, A.ld, tau, QR.at, QR.ld, apply);
    blni_ormqr(BLN_TRANS, m, n, k, A.at, A.ld, tau, QtA.at, QtA.ld, apply);
    CHECK(blas_rest_kept(&QtA, A0, 0));
    for (size_t c = 0; c < n; c++) {
        worst = fmax(worst, qr_column_error(&QR, A0, c));
        double sum = 0.0;
        for (size_t i = 0; i < m; i++) sum = hypot(sum, QtA.at[i*QtA.ld + c] - (i < k ? R.at[i*R.ld + c] : 0.0));
        rounding = fmax(rounding, sum - bound*qr_column_norm(A0, c));
    }
    CHECK_LE(worst, bound);
    CHECK_LE(rounding, 0.0);

    blni_ormqr(BLN_NOTRANS, m, m, k, A.at, A.ld, tau, Q.at, Q.ld, apply);
    worst = 0.0;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = a == b ? -1.0 : 0.0;
            for (size_t i = 0; i < m; i++) sum += Q.at[i*Q.ld + a]*Q.at[i*Q.ld + b];
            worst = fmax(worst, fabs(sum));
        }
    CHECK_LE(worst, 2.0*bound);
    free(A.block); free(Q.block); free(R.block); free(QR.block); free(QtA.block); free(tau); free(work); free(apply);
}

TEST(qr, residual_and_orthogonality)
{
    test_random r = test_random_new(1);
    QR_SIZES(m) QR_SIZES(n) {
        if (m*n > 33*97 && (m + n) % 3) continue;
        blas_matrix A = blas_random(&r, m, n, (m + n) % 4);
        const int level = (int)((m + 2*n) % (TEST_TOP_LEVEL + 1));
        bln_cpu_level_force(level);
        qr_check(&A);
        free(A.block);
    }
    bln_cpu_level_force(-1);
}

/* Columns of sizes 1e-12 to 1e12, in order and mixed; columns that are zero, twice the same, sums of others; all zero; a rank of 3.
 * The bounds hold column by column. */
TEST(qr, graded_and_deficient)
{
    static const size_t shapes[][2] = { { 8, 5 }, { 40, 33 }, { 70, 66 }, { 33, 40 }, { 1, 4 }, { 4, 1 } };
    test_random r = test_random_new(2);
    for (size_t s = 0; s < sizeof shapes/sizeof *shapes; s++)
        for (int kind = 0; kind < 6; kind++) {
            const size_t m = shapes[s][0], n = shapes[s][1];
            blas_matrix A = blas_random(&r, m, n, 1), L = blas_random(&r, m, 3, 0), M = blas_random(&r, 3, n, 0);
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < n; j++) {
                    double *a = A.at + i*A.ld + j;
                    const double at = (double)j/(double)n;
                    if (kind == 0) *a *= pow(10.0, 24.0*at - 12.0);
                    if (kind == 1) *a *= pow(10.0, 24.0*fmod(7.3*at, 1.0) - 12.0);
                    if (kind == 2) *a *= pow(10.0, -14.0*(double)i/(double)m);                 /* graded rows */
                    if (kind == 3 && j % 3 == 1) *a = 0.0;
                    if (kind == 4 && j % 2 == 1) *a = j % 4 == 1 ? a[-1] : a[-1] + A.at[i*A.ld];
                    if (kind == 5) *a = s == 1 ? 0.0 : L.at[3*i]*M.at[j] + L.at[3*i + 1]*M.at[n + j] + L.at[3*i + 2]*M.at[2*n + j];
                }
            qr_check(&A);
            free(A.block); free(L.block); free(M.block);
        }
}

/* [3 1; 4 2] = [.6 -.8; .8 .6] [5 2.2; 0 .4];  the orthogonal H/2 of Hadamard's 4 x 4 has R = I;  -I has R = I and Q = -I;  one
 * row and one column. R is unique, so of a matrix X of full rank it is the Cholesky factor of X'X. */
TEST(qr, closed_forms)
{
    double A[16] = { 3, 1, 4, 2 }, tau[4], work[256], C[2] = { 1, 0 };
    blni_geqrf(2, 2, A, 2, tau, work);
    CHECK_NEAR(A[0], 5.0, 4*DBL_EPSILON*5);
    CHECK_NEAR(A[1], 2.2, 4*DBL_EPSILON*5);
    CHECK_NEAR(A[3], 0.4, 4*DBL_EPSILON*5);
    blni_ormqr(BLN_NOTRANS, 2, 1, 2, A, 2, tau, C, 1, work);
    CHECK_NEAR(C[0], 0.6, 4*DBL_EPSILON);
    CHECK_NEAR(C[1], 0.8, 4*DBL_EPSILON);
    for (int minus = 0; minus < 2; minus++) {
        for (size_t i = 0; i < 16; i++) {
            const size_t bits = (i/4) & (i % 4);
            A[i] = minus ? i % 5 == 0 ? -1.0 : 0.0 : (bits == 1 || bits == 2) ? -0.5 : 0.5;
        }
        blni_geqrf(4, 4, A, 4, tau, work);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = i; j < 4; j++) CHECK_NEAR(A[4*i + j], i == j ? 1.0 : 0.0, minus ? 0.0 : 8*DBL_EPSILON);
    }
    double row[3] = { -2, 3, -4 }, column[3] = { -2, 3, -6 };
    blni_geqrf(1, 3, row, 3, tau, work);
    CHECK(row[0] == 2.0 && row[1] == -3.0 && row[2] == 4.0);
    blni_geqrf(3, 1, column, 1, tau, work);
    CHECK_NEAR(column[0], 7.0, 4*DBL_EPSILON*7);
    blni_geqrf(0, 3, NULL, 3, NULL, NULL);
    blni_geqrf(3, 0, NULL, 0, NULL, NULL);
    blni_ormqr(BLN_TRANS, 3, 1, 0, NULL, 0, NULL, column, 1, NULL);

    test_random r = test_random_new(3);
    blas_matrix X = blas_random(&r, 120, 40, 0), U = blas_new(40, 40, 0), R = blas_copy(&X);
    double *t = test_doubles(40), *w = test_doubles(blni_geqrf_work(120, 40));
    bln_syrk(BLN_TRANS, 40, 120, 1.0, X.at, 40, 0.0, U.at, 40);
    CHECK_OK(bln_potrf(40, U.at, 40, NULL));
    blni_geqrf(120, 40, R.at, 40, t, w);
    /* The Gram matrix of this one has condition below 20: 100 eps of its largest entry, 10. */
    for (size_t i = 0; i < 40; i++)
        for (size_t j = i; j < 40; j++) CHECK_NEAR(R.at[40*i + j], U.at[40*i + j], 20*100*DBL_EPSILON*10);
    free(X.block); free(U.block); free(R.block); free(t); free(w);
}

/* By powers of two nothing rounds: R of A times 2^e is 2^e R bit by bit, for the whole and column by column, from 2^-1000 to 2^1000
 * where squares would long have overflowed; tau stays. So it is with 1e+-150 and 1e+-200 to rounding. */
TEST(qr, scaling_is_exact)
{
    test_random r = test_random_new(4);
    const size_t m = 50, n = 37;
    blas_matrix A = blas_random(&r, m, n, 1);
    double *tau0 = test_doubles(n), *tau = test_doubles(n), *work = test_doubles(blni_geqrf_work(m, n));
    blas_matrix R = blas_copy(&A);
    blni_geqrf(m, n, R.at, R.ld, tau0, work);
    for (int e = -1000; e <= 1000; e += 250)
        for (int each = 0; each < 2; each++) {
            blas_matrix B = blas_copy(&A);
            int same = 1;
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < n; j++) B.at[i*B.ld + j] = ldexp(B.at[i*B.ld + j], each && j % 2 ? -e : e);
            blni_geqrf(m, n, B.at, B.ld, tau, work);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) same = same && B.at[i*B.ld + j] == ldexp(R.at[i*R.ld + j], each && j % 2 ? -e : e);
            CHECK(same && !memcmp(tau, tau0, n*sizeof *tau));
            free(B.block);
        }
    for (int k = 0; k < 4; k++) {
        static const double scales[4] = { 1e-200, 1e-150, 1e150, 1e200 };
        const double scale = scales[k];
        double t[2], v[4] = { 3*scale, -4*scale, 12*scale, 0.0 }, w[32];
        blni_geqrf(3, 1, v, 1, t, w);
        CHECK_REL(v[0], 13*scale, 8*DBL_EPSILON);
        double T[3] = { 5*scale, 0, 0 }, x[2] = { 12*scale, 0 };
        blni_chud(1, 0, T, 1, x);
        CHECK_REL(T[0], 13*scale, 4*DBL_EPSILON);
        x[0] = 12*scale;
        CHECK_OK(blni_chdd(1, 0, T, 1, x, 0.0, t, w));
        CHECK_REL(T[0], 5*scale, 64*DBL_EPSILON);
        x[0] = 12*scale;
        blni_tpqrt(1, 1, T, 1, x, 1, w);
        CHECK_REL(T[0], 13*scale, 72*DBL_EPSILON);
    }
    free(A.block); free(R.block); free(tau); free(tau0); free(work);
}

/* By blocks and one reflection after the other the same, and the same reflections. */
TEST(qr, agrees_with_definition)
{
    test_random r = test_random_new(5);
    QR_SIZES(n) {
        const size_t m = n + 11;
        blas_matrix A = blas_random(&r, m, n, 1), B = blas_copy(&A);
        double *tau = test_doubles(n), *tau_b = test_doubles(n), *work = test_doubles(blni_geqrf_work(m, n));
        double *t = test_doubles(m*n), worst = 0.0;
        blni_geqrf(m, n, A.at, A.ld, tau, work);
        blni_qr_leaf(m, n, B.at, B.ld, tau_b, t);
        blni_qr_signs(n, n, tau_b, B.at, B.ld);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) worst = fmax(worst, fabs(A.at[i*A.ld + j] - B.at[i*B.ld + j]));
        for (size_t j = 0; j < n; j++) CHECK(tau[j]*tau_b[j] > 0.0 || fabs(tau[j] - tau_b[j]) < 1e-3);
        CHECK_LE(worst, qr_bound(m, n)*sqrt((double)m));          /* of columns of norm sqrt(m) */
        free(A.block); free(B.block); free(tau); free(tau_b); free(work); free(t);
    }
}

/* Least squares: the X with the smallest |B_c - A X_c| takes the place of the first n rows of B (m x p), and A that of its
 * factorisation. residual[c] = |B_c - A X_c| */
static void qr_solve(size_t m, size_t n, size_t p, double *A, double *B, double *residual)
{
    double *tau = test_doubles(n), *work = test_doubles(blni_geqrf_work(m, n) + blni_ormqr_work(m, p, n));
    blni_geqrf(m, n, A, n, tau, work);
    blni_ormqr(BLN_TRANS, m, p, n, A, n, tau, B, p, work);
    for (size_t c = 0; c < p; c++) residual[c] = blni_qr_norm(m - n, B + n*p + c, p);
    bln_trsm(BLN_NOTRANS, n, p, A, n, B, p);
    free(tau); free(work);
}

/* NIST's certified regressions: relative error of X within eps times the condition of A, columns scaled (the bounds are
 * column by column), and its square times the residual over the size of A x (Theorem 20.1). Filip has 5e9: its Gram matrix, 3e19,
 * has no factor in double. */
TEST(qr, nist)
{
    double hardest = 0.0;
    for (size_t k = 0; k < sizeof golden_nist/sizeof *golden_nist; k++) {
        const golden_nist_set *s = golden_nist + k;
        double *A = test_doubles(s->n*s->p), *y = test_doubles(s->n), *V = test_doubles(s->p*s->p);
        double e, size = 0.0, error = 0.0, condition = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            const double *row = s->data + i*(s->d + 1);
            double power = s->degree && s->p == s->degree ? row[0] : 1.0;
            y[i] = row[s->d];
            for (size_t j = 0; j < s->p; j++) {
                A[i*s->p + j] = s->degree ? power : j ? row[j - 1] : 1.0;
                power *= row[0];
            }
        }
        qr_solve(s->n, s->p, 1, A, y, &e);
        for (size_t j = 0; j < s->p; j++) {                       /* columns of norm 1: |R|_F = sqrt(p), and 1/|R_j| scales X_j */
            double norm = 0.0;
            for (size_t i = 0; i <= j; i++) norm = hypot(norm, A[i*s->p + j]);
            for (size_t i = 0; i <= j; i++) V[i*s->p + j] = A[i*s->p + j]/norm;
            size = hypot(size, norm*s->exact_given[j]);
            error = hypot(error, norm*(y[j] - s->exact_given[j]));
        }
        bln_trtri(s->p, V, s->p);
        for (size_t i = 0; i < s->p; i++)
            for (size_t j = i; j < s->p; j++) condition = hypot(condition, V[i*s->p + j]);
        condition *= sqrt((double)s->p);
        CHECK_LE(error/size, 8*DBL_EPSILON*condition*(1.0 + condition*e/size));
        hardest = fmax(hardest, condition);
        free(A); free(y); free(V);
    }
    CHECK_LE(1e9, hardest);
}

/* Rows below a triangle, in pieces: R'R is A'A of all rows; below the diagonal and beside it nothing changes. */
TEST(qr, rows_added)
{
    test_random r = test_random_new(7);
    QR_SIZES(n) for (size_t c = 0; c < 4; c++) {
        static const size_t pieces[] = { 1, 3, 20, 70 };
        const size_t k = pieces[c], m = n + 5 + 2*k;
        blas_matrix A = blas_random(&r, m, n, 1), F = blas_copy(&A), R = blas_new(n, n, 2);
        double *add = test_doubles(blni_tpqrt_work(n, n + k + 5));
        bln_cpu_level_force((int)((n + c) % (TEST_TOP_LEVEL + 1)));
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) R.at[i*R.ld + j] = 0.0;
        blas_matrix R0 = blas_copy(&R);
        blni_tpqrt(n, n + 5, R.at, R.ld, F.at, F.ld, add);
        for (size_t h = 0; h < 2; h++) blni_tpqrt(n, k, R.at, R.ld, F.at + (n + 5 + h*k)*F.ld, F.ld, add);
        CHECK(blas_rest_kept(&R, &R0, 1) && blas_rest_kept(&F, &A, 0));
        for (size_t j = 0; j < n; j++) CHECK(R.at[j*R.ld + j] >= 0.0);
        CHECK_LE(qr_gram_error(n, &R, &A), 3.0*qr_bound(m, n));            /* each row goes through n reflections once, R thrice */
        free(A.block); free(F.block); free(R.block); free(R0.block); free(add);
    }
    bln_cpu_level_force(-1);
    double R[4] = { 1, 2, 0, 3 }, work[64];
    blni_tpqrt(2, 0, R, 2, NULL, 2, work);                          /* no rows */
    CHECK(R[0] == 1.0 && R[1] == 2.0 && R[3] == 3.0);
    blni_tpqrt(0, 3, NULL, 0, NULL, 0, work);
}

/* A triangle below a triangle: R'R is the Gram matrix of the rows of both. The second keeps what it holds, junk below its diagonal
 * too. */
TEST(qr, triangles_merged)
{
    test_random r = test_random_new(12);
    QR_SIZES(n) {
        const size_t k = n + 7, m = 2*k;
        blas_matrix A = blas_random(&r, m, n, 1), F = blas_copy(&A), R[2], T;
        double *add = test_doubles(blni_tpqrt_work(n, k)), *work = test_doubles(blni_ttqrt_work(n));
        bln_cpu_level_force((int)(n % (TEST_TOP_LEVEL + 1)));
        for (size_t h = 0; h < 2; h++) {
            R[h] = blas_new(n, n, 1 + h);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++) R[h].at[i*R[h].ld + j] = 0.0;
            blni_tpqrt(n, k, R[h].at, R[h].ld, F.at + h*k*F.ld, F.ld, add);
        }
        T = blas_copy(&R[1]);
        blas_matrix R0 = blas_copy(&R[0]);
        blni_ttqrt(n, R[0].at, R[0].ld, R[1].at, R[1].ld, work);
        CHECK(blas_rest_kept(&R[0], &R0, 1) && blas_rest_kept(&R[1], &T, 0));
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) CHECK(R[1].at[i*T.ld + j] == T.at[i*T.ld + j]);
        for (size_t j = 0; j < n; j++) CHECK(R[0].at[j*R[0].ld + j] >= 0.0);
        CHECK_LE(qr_gram_error(n, &R[0], &A), 2.0*qr_bound(m, n));         /* as above, R twice */
        free(A.block); free(F.block); free(R[0].block); free(R[1].block); free(R0.block); free(T.block); free(add); free(work);
    }
    bln_cpu_level_force(-1);
    blni_ttqrt(0, NULL, 0, NULL, 0, NULL);
    CHECK_SIZE(blni_ttqrt_work((size_t)-5), (size_t)-1);
}

/* One row at a time by rotations, from R = 0: R'R is A'A, targets beside it too; the norm of what is left of each target is that of
 * its residual, which least squares gives; only rows of R that x reaches change.
 * m n rotations of rows that each change by 6 eps or so: within m + n reflections of length 8. */
TEST(qr, one_row)
{
    test_random r = test_random_new(8);
    QR_SIZES(n) {
        const size_t m = n + 20, w = n + 2;
        blas_matrix A = blas_random(&r, m, w, 1), F = blas_new(m, n, 0), R = blas_new(n, w, 1), Y = blas_new(m, 2, 0), R0;
        double *x = test_doubles(w);
        double rest[2] = { 0.0, 0.0 }, e[2], worst = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < w; j++) R.at[i*R.ld + j] = 0.0;
        R0 = blas_copy(&R);
        for (size_t i = 0; i < m; i++) {
            memcpy(x, A.at + i*A.ld, w*sizeof *x);
            memcpy(F.at + n*i, x, n*sizeof *x);
            memcpy(Y.at + 2*i, x + n, 2*sizeof *x);
            blni_chud(n, 2, R.at, R.ld, x);
            for (size_t c = 0; c < 2; c++) rest[c] = hypot(rest[c], x[n + c]);
        }
        for (size_t i = 0; i < n; i++) {
            CHECK(R.at[i*R.ld + i] >= 0.0);
            memcpy(R0.at + i*R0.ld + i, R.at + i*R.ld + i, (w - i)*sizeof *x);
        }
        CHECK(blas_rest_kept(&R, &R0, 1));
        CHECK_LE(qr_gram_error(n, &R, &A), 3.0*qr_bound(8, m + n));
        qr_solve(m, n, 2, F.at, Y.at, e);
        for (size_t c = 0; c < 2; c++) CHECK_NEAR(rest[c], e[c], qr_bound(m, m)*sqrt((double)m));
        bln_trsm(BLN_NOTRANS, n, 2, R.at, R.ld, R.at + n, R.ld);              /* R^-1 z: the same solutions */
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 2; c++) worst = fmax(worst, fabs(R.at[i*R.ld + n + c] - Y.at[2*i + c]));
        CHECK_LE(worst, 10*qr_bound(m, m));                                   /* condition of m x n normal numbers below 10 */
        for (size_t j = 0; j < w; j++) x[j] = j + 1 < n ? 0.0 : 1.0;
        blni_chud(n, 2, R0.at, R0.ld, x);
        for (size_t i = 0; i + 1 < n; i++) CHECK(!memcmp(R.at + i*R.ld + i, R0.at + i*R0.ld + i, (n - i)*sizeof(double)));
        free(A.block); free(F.block); free(R.block); free(R0.block); free(Y.block); free(x);
    }
    double R[1] = { -3 }, x[1] = { 0 };                                          /* signs are put right on the way */
    blni_chud(1, 0, R, 1, x);
    CHECK_NEAR(R[0], 3.0, 0.0);
}

/* A row taken out again: what was there before, to the bound of rounding over what was left (1 - p'p); the targets too. A row of
 * leverage 1 - 1e-10 is refused at 1e-8 and R keeps its bits; so is a row that was never there. */
TEST(qr, row_taken_out)
{
    test_random r = test_random_new(9);
    QR_SIZES(n) for (int wide = 0; wide < 3; wide++) {
        const size_t w = n + 2;
        blas_matrix R = blas_random(&r, n, w, 1);
        double *x = test_doubles(w), *kept = test_doubles(w), *work = test_doubles(2*n), left = -1.0, worst = 0.0;
        const double size = wide == 0 ? 1.0 : wide == 1 ? 1e3 : 1e5;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++) R.at[i*R.ld + j] = BLAS_NAN;
            for (size_t j = i + 1; j < n; j++) R.at[i*R.ld + j] /= sqrt((double)n);      /* condition of a few tens */
            R.at[i*R.ld + i] = 1.0 + test_uniform(&r);
        }
        blas_matrix R0 = blas_copy(&R);
        for (size_t j = 0; j < w; j++) kept[j] = x[j] = size*test_normal(&r);
        blni_chud(n, 2, R.at, R.ld, x);
        const double rest[2] = { x[n], x[n + 1] };
        blas_matrix R1 = blas_copy(&R);

        memcpy(x, kept, w*sizeof *x);
        const bln_status status = blni_chdd(n, 2, R.at, R.ld, x, 1e-8, &left, work);
        CHECK(blas_rest_kept(&R, &R0, 1));
        if (status == BLN_OK) {
            CHECK_LE(1e-8, left);
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < w; j++) worst = fmax(worst, fabs(R.at[i*R.ld + j] - R0.at[i*R0.ld + j])/(1.0 + size));
            CHECK_LE(worst, 10*qr_bound(n, 1)*sqrt((double)n)/left);
            for (size_t c = 0; c < 2; c++)
                CHECK_NEAR(fabs(x[n + c]), fabs(rest[c]), 10*qr_bound(n, 1)*sqrt((double)n)/left*(1.0 + size));
            /* What is taken out and what is left make what was, however little is left. */
            blas_matrix A = blas_new(n + 1, n, 0);
            for (size_t i = 0; i <= n; i++)
                for (size_t j = 0; j < n; j++) A.at[i*n + j] = i == n ? kept[j] : j < i ? 0.0 : R.at[i*R.ld + j];
            CHECK_LE(qr_gram_error(n, &R1, &A), 2.0*qr_bound(n, 1));
            free(A.block);
        } else {
            CHECK_STATUS(status, BLN_ENOTPD);
            CHECK(left <= 1e-8 && wide == 2);
            CHECK(!memcmp(R.block, R1.block, R.size*sizeof(double)));
        }
        for (size_t j = 0; j < w; j++) x[j] = 1e3*kept[j];
        CHECK_STATUS(blni_chdd(n, 2, R.at, R.ld, x, 0.0, NULL, work), BLN_ENOTPD);
        free(R.block); free(R0.block); free(R1.block); free(x); free(kept); free(work);
    }
    double R[1] = { 0 }, x[1] = { 1 }, work[2], left;
    CHECK_STATUS(blni_chdd(1, 0, R, 1, x, 0.0, &left, work), BLN_ENOTPD);
    R[0] = 1.0;
    x[0] = BLAS_NAN;
    CHECK_STATUS(blni_chdd(1, 0, R, 1, x, 0.0, &left, work), BLN_ENOTPD);
    CHECK_NEAR(R[0], 1.0, 0.0);
}

/* NaN and infinity spread instead of stopping anything. */
TEST(qr, not_finite)
{
    for (int which = 0; which < 2; which++) {
        double A[6] = { 1, 2, 3, 4, 5, 6 }, tau[2], work[64];
        A[2] = which ? (double)INFINITY : BLAS_NAN;
        blni_geqrf(3, 2, A, 2, tau, work);
        CHECK(A[0] - A[0] != 0.0);
    }
    CHECK_SIZE(blni_geqrf_work((size_t)-1, 2), (size_t)-1);
    CHECK_SIZE(blni_tpqrt_work(1000, (size_t)-5), (size_t)-1);
}

TEST(qr, scales)
{
    CHECK(blni_qr_scale(DBL_MAX) == ldexp(1.0, -1021) && blni_qr_scale(4.9e-324) == ldexp(1.0, 1021));
    CHECK(blni_qr_scale(0.0) == 1.0 && blni_qr_scale(HUGE_VAL) == 1.0 && blni_qr_scale(3.0) == 0.25);
}

SUITE_BEGIN(qr)
SUITE_TEST(qr, residual_and_orthogonality)
SUITE_TEST(qr, graded_and_deficient)
SUITE_TEST(qr, closed_forms)
SUITE_TEST(qr, scaling_is_exact)
SUITE_TEST(qr, agrees_with_definition)
SUITE_TEST(qr, nist)
SUITE_TEST(qr, rows_added)
SUITE_TEST(qr, triangles_merged)
SUITE_TEST(qr, one_row)
SUITE_TEST(qr, row_taken_out)
SUITE_TEST(qr, not_finite)
SUITE_TEST(qr, scales)
SUITE_END(qr)
