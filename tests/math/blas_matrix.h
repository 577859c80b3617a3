/* blas_matrix.h - matrices for the tests of blas and cholesky: at every level, with odd strides, unaligned, and NaN wherever a
 * kernel must not read */
#ifndef BLN_TESTS_BLAS_MATRIX_H
#define BLN_TESTS_BLAS_MATRIX_H

/* Slightly more than 2 gamma_{n+4}: see test_blas.c. */
#define BLAS_GAMMA(k) (((double)(k) + 4.0)*DBL_EPSILON)
#define BLAS_NAN ((double)NAN)

/* loops over the levels of this machine */
#define BLAS_LEVELS(level) for (int level = 0; level <= TEST_TOP_LEVEL; level++) if (bln_cpu_level_force(level) == level)

/* ---- what the kernels compute, by the definition */

/* y = alpha op(A) x + beta y */
static TEST_UNUSED void blas_gemv_ref(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                                      double beta, double *y)
{
    const size_t rows = op == BLN_NOTRANS ? m : n, k = op == BLN_NOTRANS ? n : m;
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < k; p++) sum += (op == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*x[p];
        y[i] = (beta == 0.0 ? 0.0 : beta*y[i]) + alpha*sum;
    }
}

/* C = alpha op(A) op(B) + beta C by the definition; `upper`: only the entries with column >= row. */
static TEST_UNUSED void blas_gemm_ref(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A,
                                      size_t lda, const double *B, size_t ldb, double beta, double *C, size_t ldc, int upper)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = upper ? i : 0; j < n; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < k; p++)
                sum += (opa == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*(opb == BLN_NOTRANS ? B[p*ldb + j] : B[j*ldb + p]);
            C[i*ldc + j] = (beta == 0.0 ? 0.0 : beta*C[i*ldc + j]) + alpha*sum;
        }
}

/* ---- matrices */

typedef struct blas_matrix { size_t rows, columns, ld, size; double *block, *at; } blas_matrix;

/* rows x columns with a padding of `pad` doubles after each row; all but the entries is NaN. It starts an odd number of doubles
 * into the block, so that it is not aligned to a vector, and ends near the end of the block, so that a sanitizer finds reads beyond
 * it. */
static TEST_UNUSED blas_matrix blas_new(size_t rows, size_t columns, size_t pad)
{
    blas_matrix m;
    m.rows = rows;
    m.columns = columns;
    m.ld = columns + pad;
    m.size = 33 + rows*m.ld + 1;
    m.block = test_doubles(m.size);
    m.at = m.block + 33;
    for (size_t i = 0; i < m.size; i++) m.block[i] = BLAS_NAN;
    return m;
}

static TEST_UNUSED blas_matrix blas_random(test_random *r, size_t rows, size_t columns, size_t pad)
{
    blas_matrix m = blas_new(rows, columns, pad);
    for (size_t i = 0; i < rows; i++) test_fill_normal(r, columns, m.at + i*m.ld);
    return m;
}

static TEST_UNUSED blas_matrix blas_integers(test_random *r, size_t rows, size_t columns, size_t pad)
{
    blas_matrix m = blas_new(rows, columns, pad);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) m.at[i*m.ld + j] = floor(19.0*test_uniform(r)) - 9.0;
    return m;
}

static TEST_UNUSED blas_matrix blas_copy(const blas_matrix *m)
{
    blas_matrix c = *m;
    c.block = test_doubles(c.size);
    c.at = c.block + 33;
    memcpy(c.block, m->block, c.size*sizeof(double));
    return c;
}

static TEST_UNUSED double blas_entry(bln_trans op, const blas_matrix *m, size_t i, size_t j)
{
    return op == BLN_NOTRANS ? m->at[i*m->ld + j] : m->at[j*m->ld + i];
}

/* Have all doubles of the block that are not entries (upper: not entries of the upper triangle) the same bits in both? */
static TEST_UNUSED int blas_rest_kept(const blas_matrix *now, const blas_matrix *before, int upper)
{
    blas_matrix a = blas_copy(now), b = blas_copy(before);
    for (size_t i = 0; i < a.rows; i++)
        for (size_t j = upper ? i : 0; j < a.columns; j++) a.at[i*a.ld + j] = b.at[i*a.ld + j] = 0.0;
    const int same = !memcmp(a.block, b.block, a.size*sizeof(double));
    free(a.block);
    free(b.block);
    return same;
}

#endif
