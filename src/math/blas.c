/* blas: dense kernels by tiles
 *
 * Each kernel stands below its definition (_ref), which the tests trust. Matrix products share one driver. It packs a few columns
 * of B, one block of at most BLNI_KC x BLNI_TILE_COLUMNS, into a buffer on the stack that stays in the first-level cache, and runs
 * over the rows of A, of which a block of BLNI_MC x BLNI_KC stays in the second. Nothing is allocated. */
#include "blas.h"

/* Under BAYESLIN_USE_CBLAS the products of matrices and the solves go to a BLAS, whatever the level, unless a number is too large
 * for its int. blni_cblas(largest number) says whether. */
#ifdef BAYESLIN_USE_CBLAS
#ifdef BAYESLIN_REPRODUCIBLE
#error "bayeslin: BAYESLIN_USE_CBLAS and BAYESLIN_REPRODUCIBLE exclude each other"
#endif
#include <cblas.h>
#include <limits.h>
#define BLNI_CBLAS_OP(op) ((op) == BLN_NOTRANS ? CblasNoTrans : CblasTrans)
BLNI_PRIV int blni_cblas(size_t largest) { return largest <= INT_MAX; }
#endif

enum { BLNI_KC = 192, BLNI_MC = 336, BLNI_DIRECT = 128, BLNI_PANEL = BLNI_KC*BLNI_TILE_COLUMNS };

/* ---- vectors */

BLN_API double bln_dot(size_t n, const double *x, const double *y) { return blni_kernels_now()->dot(n, x, y); }

BLN_API void bln_axpy(size_t n, double alpha, const double *x, double *y) { blni_kernels_now()->axpy(n, alpha, x, y); }

BLN_API void bln_scal(size_t n, double alpha, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] *= alpha;
}

/* y = beta y, where beta = 0 does not look at y. */
BLNI_PRIV void blni_scale(size_t n, double beta, double *y)
{
    if (beta == 0.0) for (size_t i = 0; i < n; i++) y[i] = 0.0;
    else if (!(beta == 1.0)) bln_scal(n, beta, y);
}

/* ---- matrix times vector */

BLNI_PRIV void blni_gemv_ref(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                             double beta, double *y)
{
    const size_t rows = op == BLN_NOTRANS ? m : n, k = op == BLN_NOTRANS ? n : m;
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < k; p++) sum += (op == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*x[p];
        y[i] = (beta == 0.0 ? 0.0 : beta*y[i]) + alpha*sum;
    }
}

/* Four rows at a time: each number of x (or y, transposed) is loaded once for four products. */
BLN_API void bln_gemv(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                      double beta, double *y)
{
    const blni_kernels *kernel = blni_kernels_now();
    size_t i = 0;
    double t[4];
    blni_scale(op == BLN_NOTRANS ? m : n, beta, y);
    if (alpha == 0.0 || m == 0 || n == 0) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(m, lda))) {
        cblas_dgemv(CblasRowMajor, BLNI_CBLAS_OP(op), (int)m, (int)n, alpha, A, (int)lda, x, 1, 1.0, y, 1);
        return;
    }
#endif
    if (op == BLN_NOTRANS) {
        for (; i + 4 <= m; i += 4) {
            kernel->dots(n, A + i*lda, lda, x, t);
            for (size_t q = 0; q < 4; q++) y[i + q] += alpha*t[q];
        }
        for (; i < m; i++) y[i] += alpha*kernel->dot(n, A + i*lda, x);
    } else {
        for (; i + 4 <= m; i += 4) {
            for (size_t q = 0; q < 4; q++) t[q] = alpha*x[i + q];
            kernel->axpys(n, t, A + i*lda, lda, y);
        }
        for (; i < m; i++) kernel->axpy(n, alpha*x[i], A + i*lda, y);
    }
}

/* ---- matrix times matrix */

/* C = alpha op(A) op(B) + beta C by the definition; `upper`: only the entries with column >= row. */
BLNI_PRIV void blni_gemm_ref(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                             const double *B, size_t ldb, double beta, double *C, size_t ldc, int upper)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = upper ? i : 0; j < n; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < k; p++)
                sum += (opa == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*(opb == BLN_NOTRANS ? B[p*ldb + j] : B[j*ldb + p]);
            C[i*ldc + j] = (beta == 0.0 ? 0.0 : beta*C[i*ldc + j]) + alpha*sum;
        }
}

/* k rows and n columns of a matrix, given by the strides of its row and column index, into panels of w columns, zeros
 * filling the last:   panel[(j/w)*k*w + p*w + j%w] = b[p*rb + j*cb]. */
BLNI_PRIV void blni_pack(size_t w, size_t k, size_t n, const double *b, size_t rb, size_t cb, double *panel)
{
    for (size_t j = 0; j < n; j += w, b += w*cb, panel += k*w) {
        const size_t width = blni_min(w, n - j), fours = width/4*4;
        if (cb == 1) {                                            /* along the rows */
            for (size_t p = 0; p < k; p++) {
                const double *from = b + p*rb;
                double *to = panel + p*w;
                for (size_t q = 0; q < fours; q += 4) {
                    to[q] = from[q];
                    to[q + 1] = from[q + 1];
                    to[q + 2] = from[q + 2];
                    to[q + 3] = from[q + 3];
                }
                for (size_t q = fours; q < width; q++) to[q] = from[q];
            }
        } else {                                                  /* down the columns, which lie in rows: four at a time */
            for (size_t q = 0; q < fours; q += 4) {
                const double *b0 = b + q*cb, *b1 = b0 + cb, *b2 = b1 + cb, *b3 = b2 + cb;
                double *to = panel + q;
                for (size_t p = 0, at = 0; p < k; p++, at += rb, to += w) {
                    to[0] = b0[at];
                    to[1] = b1[at];
                    to[2] = b2[at];
                    to[3] = b3[at];
                }
            }
            for (size_t q = fours; q < width; q++)
                for (size_t p = 0; p < k; p++) panel[p*w + q] = b[q*cb + p*rb];
        }
        for (size_t p = 0; width < w && p < k; p++)
            for (size_t q = width; q < w; q++) panel[p*w + q] = 0.0;
    }
}

/* A tile at the right edge of C, or across its diagonal (`upper`: entries with row > column are not C's). Whole vectors of columns
 * go to C; what has to be cut goes into a buffer, and from there what is C's. */
BLNI_PRIV void blni_tile_edge(const blni_kernels *kernel, size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra,
                              ptrdiff_t ca, const double *b, ptrdiff_t rb, double alpha, int set, double *c, size_t ldc,
                              size_t row, size_t column, int upper)
{
    double tile[BLNI_TILE_ROWS*BLNI_TILE_COLUMNS];
    const size_t w = kernel->columns, lanes = kernel->lanes;
    const int across = upper && column + 1 < row + rows;
    size_t done = 0;
    for (; !across && done + lanes <= columns; done += lanes)
        kernel->narrow(rows, k, a, ra, ca, b + done, rb, alpha, set, c + done, (ptrdiff_t)ldc);
    if (done == columns) return;
    (across ? kernel->tile : kernel->narrow)(rows, k, a, ra, ca, b + done, rb, alpha, 1, tile + done, (ptrdiff_t)w);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = across && row + i > column ? row + i - column : done; j < columns; j++)
            c[i*ldc + j] = set ? tile[i*w + j] : c[i*ldc + j] + tile[i*w + j];
}

/* C = alpha A B + C, or without "+ C" if set, for A and B by the strides of their row and column index. B is packed, but for whole
 * panels that few rows of A will use. (Rows a multiple of 2 KiB apart fall into the same few lines of the first-level cache: packed
 * all the same.) */
BLNI_PRIV void blni_multiply(size_t m, size_t n, size_t k, double alpha, const double *A, size_t ra, size_t ca,
                             const double *B, size_t rb, size_t cb, int set, double *C, size_t ldc, int upper)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t mr = kernel->rows, w = kernel->columns;
    const int direct = cb == 1 && (m <= mr || (m <= BLNI_DIRECT && rb % 256 != 0));
    double panel[BLNI_PANEL];
    for (size_t p0 = 0; p0 < k; p0 += BLNI_KC) {
        const size_t kc = blni_min(BLNI_KC, k - p0), nc = BLNI_PANEL/(kc*w)*w;
        const int first = set && p0 == 0;
        for (size_t i0 = 0; i0 < m; i0 += BLNI_MC)
            for (size_t j0 = upper ? i0/w*w : 0; j0 < n; j0 += nc) {
                const size_t i1 = blni_min(m, i0 + BLNI_MC), j1 = blni_min(n, j0 + nc);
                const size_t packed = direct ? j0 + (j1 - j0)/w*w : j0;      /* columns from here on are packed */
                blni_pack(w, kc, j1 - packed, B + p0*rb + packed*cb, rb, cb, panel);
                for (size_t i = i0; i < i1; i += mr)
                    for (size_t j = upper && i > j0 ? j0 + (i - j0)/w*w : j0; j < j1; j += w) {
                        const double *a = A + i*ra + p0*ca, *b = j < packed ? B + p0*rb + j : panel + (j - packed)*kc;
                        const size_t rows = blni_min(mr, i1 - i), columns = blni_min(w, j1 - j), step = j < packed ? rb : w;
                        double *c = C + i*ldc + j;
                        if (columns == w && !(upper && j + 1 < i + rows))
                            kernel->tile(rows, kc, a, (ptrdiff_t)ra, (ptrdiff_t)ca, b, (ptrdiff_t)step, alpha, first, c,
                                         (ptrdiff_t)ldc);
                        else blni_tile_edge(kernel, rows, columns, kc, a, (ptrdiff_t)ra, (ptrdiff_t)ca, b, (ptrdiff_t)step,
                                            alpha, first, c, ldc, i, j, upper);
                    }
            }
    }
}

/* What comes before the product: beta. Returns 1 when nothing is left to do. */
BLNI_PRIV int blni_before(size_t m, size_t n, size_t k, double alpha, double beta, double *C, size_t ldc, int upper)
{
    const int nothing = alpha == 0.0 || k == 0;
    if (beta == 1.0 || (beta == 0.0 && !nothing)) return nothing;
    for (size_t i = 0; i < m; i++) blni_scale(n - (upper ? i : 0), beta, C + i*ldc + (upper ? i : 0));
    return nothing;
}

BLN_API void bln_gemm(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      const double *B, size_t ldb, double beta, double *C, size_t ldc)
{
    const size_t ra = opa == BLN_NOTRANS ? lda : 1, ca = opa == BLN_NOTRANS ? 1 : lda;
    const size_t rb = opb == BLN_NOTRANS ? ldb : 1, cb = opb == BLN_NOTRANS ? 1 : ldb;
    if (m == 0 || n == 0 || blni_before(m, n, k, alpha, beta, C, ldc, 0)) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(blni_max(m, k), blni_max(lda, blni_max(ldb, ldc))))) {
        cblas_dgemm(CblasRowMajor, BLNI_CBLAS_OP(opa), BLNI_CBLAS_OP(opb), (int)m, (int)n, (int)k, alpha, A, (int)lda, B, (int)ldb,
                    beta == 0.0 ? 0.0 : 1.0, C, (int)ldc);
        return;
    }
#endif
    blni_multiply(m, n, k, alpha, A, ra, ca, B, rb, cb, beta == 0.0, C, ldc, 0);
}

BLN_API void bln_syrk(bln_trans op, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      double beta, double *C, size_t ldc)
{
    const size_t ra = op == BLN_NOTRANS ? lda : 1, ca = op == BLN_NOTRANS ? 1 : lda;
    if (n == 0 || blni_before(n, n, k, alpha, beta, C, ldc, 1)) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(k, blni_max(lda, ldc)))) {
        cblas_dsyrk(CblasRowMajor, CblasUpper, BLNI_CBLAS_OP(op), (int)n, (int)k, alpha, A, (int)lda, beta == 0.0 ? 0.0 : 1.0, C,
                    (int)ldc);
        return;
    }
#endif
    blni_multiply(n, n, k, alpha, A, ra, ca, A, ca, ra, beta == 0.0, C, ldc, 1);
}

BLN_API void bln_symmetrise(size_t n, double *A, size_t lda)
{
    /* In squares of 16 x 16: one side of the copy walks down a column, and would miss the cache at each step. */
    for (size_t i0 = 0; i0 < n; i0 += 16)
        for (size_t j0 = 0; j0 <= i0; j0 += 16)
            for (size_t i = i0; i < blni_min(n, i0 + 16); i++)
                for (size_t j = j0; j < blni_min(i, j0 + 16); j++) A[i*lda + j] = A[j*lda + i];
}
