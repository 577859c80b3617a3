/* blas_kernels: the few inner loops of the dense kernels
 *
 * A product C += alpha A B is cut into tiles of `rows` x `columns` entries of C that stay in registers while the inner index p
 * runs. Of B the tile reads rows of consecutive numbers: from a packed panel, or from B itself. Of A it reads one number for each
 * row and p, from anywhere (two strides), so A is used as it lies, transposed or not. A triangular solve is such a
 * product, then a solve with the small triangle of the tile's own rows (BLNI_TRIANGLE). All else (blocking, packing, triangles of
 * matrices) is done once, in blas.c and cholesky.c, whatever the level.
 *
 * Each level has the same kernels, for any number of rows and columns up to its own. An entry of C is the same sum in the same
 * order wherever it is in a tile.
 */
#include "blas_private.h"
#include "cpu_private.h"

/* The index of the narrowest tile that holds so many columns. */
BLNI_PRIV size_t blni_vectors(const blni_kernels *kernel, size_t columns)
{
    return columns == kernel->columns ? 2 : (columns - 1)/kernel->lanes;
}

/* ---- level 0: plain C
 *
 * 4 x 4: sixteen sums, and eight loads for 32 flops. Compilers keep the sums in registers, and pair them, when they are named one
 * by one. */

/* Fewer columns than four: one after the other. */
BLNI_PRIV void blni_tile0_edge(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                               const double *b, ptrdiff_t rb, double alpha, int set, double *c, ptrdiff_t ldc)
{
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) {
            const double *x = a + (ptrdiff_t)i*ra, *y = b + j;
            double sum = 0.0, *to = c + (ptrdiff_t)i*ldc + j;
            for (size_t p = 0; p < k; p++, x += ca, y += rb) sum += *x * *y;
            *to = set ? alpha*sum : *to + alpha*sum;
        }
}

BLNI_PRIV void blni_tile0(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                          const double *b, ptrdiff_t rb, ptrdiff_t vb, double alpha, int set, double *c, ptrdiff_t ldc)
{
    (void)vb;                                                     /* one vector */
    if (columns < 4) { blni_tile0_edge(rows, columns, k, a, ra, ca, b, rb, alpha, set, c, ldc); return; }
    const double *a0 = a, *a1 = a + (rows > 1 ? ra : 0), *a2 = rows > 2 ? a + 2*ra : a1, *a3 = rows > 3 ? a + 3*ra : a2;
    double c00 = 0, c01 = 0, c02 = 0, c03 = 0, c10 = 0, c11 = 0, c12 = 0, c13 = 0;
    double c20 = 0, c21 = 0, c22 = 0, c23 = 0, c30 = 0, c31 = 0, c32 = 0, c33 = 0;
    ptrdiff_t at = 0;
    for (size_t p = 0; p < k; p++, at += ca, b += rb) {
        const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
        double t;
        t = a0[at]; c00 += t*b0; c01 += t*b1; c02 += t*b2; c03 += t*b3;
        t = a1[at]; c10 += t*b0; c11 += t*b1; c12 += t*b2; c13 += t*b3;
        t = a2[at]; c20 += t*b0; c21 += t*b1; c22 += t*b2; c23 += t*b3;
        t = a3[at]; c30 += t*b0; c31 += t*b1; c32 += t*b2; c33 += t*b3;
    }
#define BLNI_TILE0_ROW(x0, x1, x2, x3) \
    if (set) { c[0] = alpha*x0; c[1] = alpha*x1; c[2] = alpha*x2; c[3] = alpha*x3; } \
    else { c[0] += alpha*x0; c[1] += alpha*x1; c[2] += alpha*x2; c[3] += alpha*x3; } \
    c += ldc;
    BLNI_TILE0_ROW(c00, c01, c02, c03)
    if (rows == 1) return;
    BLNI_TILE0_ROW(c10, c11, c12, c13)
    if (rows == 2) return;
    BLNI_TILE0_ROW(c20, c21, c22, c23)
    if (rows == 3) return;
    BLNI_TILE0_ROW(c30, c31, c32, c33)
#undef BLNI_TILE0_ROW
}

/* Column by column. Missing rows are zeros on the stack. */
BLNI_PRIV void blni_triangle0(size_t rows, size_t columns, const double *t, const double *s, size_t lds, double *c, ptrdiff_t ldc)
{
    double none[4] = { 0 };
    double *c1 = rows > 1 ? c + ldc : none, *c2 = rows > 2 ? c + 2*ldc : none, *c3 = rows > 3 ? c + 3*ldc : none;
    const double *s1 = rows > 1 ? s + lds : none, *s2 = rows > 2 ? s + 2*lds : none, *s3 = rows > 3 ? s + 3*lds : none;
    for (size_t j = 0; j < columns; j++) {
        const double x0 = (c[j] - s[j])*t[0], x1 = (c1[j] - s1[j] - t[4]*x0)*t[5];
        const double x2 = (c2[j] - s2[j] - t[8]*x0 - t[9]*x1)*t[10];
        const double x3 = (c3[j] - s3[j] - t[12]*x0 - t[13]*x1 - t[14]*x2)*t[15];
        c[j] = x0;
        c1[j] = x1;
        c2[j] = x2;
        c3[j] = x3;
    }
}

BLNI_PRIV void blni_copy0(size_t w, size_t k, size_t panels, const double *b, ptrdiff_t rb, double *to, ptrdiff_t rt, size_t apart)
{
    for (size_t p = 0; p < k; p++, b += rb, to += rt)
        for (size_t q = 0; q < panels; q++)
            for (size_t j = 0; j < w; j++) to[q*apart + j] = b[q*w + j];
}

BLNI_PRIV void blni_written0(void) { }

BLNI_PRIV void blni_dots0(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double *y)
{
    for (size_t i = 0; i < m; i += 4, a += 4*lda) {
        const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda;
        double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
        for (size_t j = 0; j < n; j++) {
            const double t = x[j];
            s0 += a[j]*t;
            s1 += a1[j]*t;
            s2 += a2[j]*t;
            s3 += a3[j]*t;
        }
        y[i] += alpha*s0;
        y[i + 1] += alpha*s1;
        y[i + 2] += alpha*s2;
        y[i + 3] += alpha*s3;
    }
}

BLNI_PRIV void blni_axpys0(size_t m, size_t n, double alpha, const double *x, const double *BLNI_RESTRICT a, size_t lda,
                           double *BLNI_RESTRICT y)
{
    for (size_t i = 0; i < m; i += 4, a += 4*lda) {
        const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda;
        const double t0 = alpha*x[i], t1 = alpha*x[i + 1], t2 = alpha*x[i + 2], t3 = alpha*x[i + 3];
        for (size_t j = 0; j < n; j++) y[j] += (t0*a[j] + t1*a1[j]) + (t2*a2[j] + t3*a3[j]);
    }
}

/* Four sums, because each addition waits for the one before it. */
BLNI_PRIV double blni_dot0(size_t n, const double *x, const double *y)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i]*y[i];
        s1 += x[i + 1]*y[i + 1];
        s2 += x[i + 2]*y[i + 2];
        s3 += x[i + 3]*y[i + 3];
    }
    for (; i < n; i++) s0 += x[i]*y[i];
    return (s0 + s1) + (s2 + s3);
}

BLNI_PRIV void blni_axpy0(size_t n, double t, const double *BLNI_RESTRICT x, double *BLNI_RESTRICT y)
{
    for (size_t i = 0; i < n; i++) y[i] += t*x[i];
}

static const blni_kernels blni_kernels0 = {
    4, 4, 4, 16384, { blni_tile0, blni_tile0, blni_tile0 }, blni_triangle0, blni_copy0, blni_dots0, blni_axpys0, blni_written0,
    blni_dot0, blni_axpy0
};

/* ---- the levels above 0
 *
 * L is the level, R the number of rows of the tile, N that of vectors in one; c##i##j is the vector j of row i. Of the last vector
 * only the lanes of `mask` count: X stands for a whole vector, Y for the last one. */
#define BLNI_COLUMNS1(X, Y, L, i) Y(L, i, 0)
#define BLNI_COLUMNS2(X, Y, L, i) X(L, i, 0) Y(L, i, 1)
#define BLNI_COLUMNS3(X, Y, L, i) X(L, i, 0) X(L, i, 1) Y(L, i, 2)
#define BLNI_ROWS4(X, L, N) X(L, N, 0) X(L, N, 1) X(L, N, 2) X(L, N, 3)
#define BLNI_ROWS8(X, L, N) BLNI_ROWS4(X, L, N) X(L, N, 4) X(L, N, 5) X(L, N, 6) X(L, N, 7)
#define BLNI_HALF4(X, L, N) X(L, N, 0) X(L, N, 1)
#define BLNI_HALF8(X, L, N) BLNI_ROWS4(X, L, N)

#define BLNI_ZERO(L, i, j)       BLNI_VEC##L c##i##j = zero;
#define BLNI_B(L, i, j)          const BLNI_VEC##L b##j = BLNI_LOAD##L(b + j*vb);
#define BLNI_B_MASKED(L, i, j)   const BLNI_VEC##L b##j = BLNI_LOAD_MASKED##L(b + j*vb, mask);
#define BLNI_PLUS(L, i, j)       c##i##j = BLNI_FMA##L(t, b##j, c##i##j);
#define BLNI_FETCH_C(L, i, j)    if (j*BLNI_LANES##L % 8 == 0) __builtin_prefetch(c + i*ldc + j*BLNI_LANES##L, 1);
#define BLNI_SET(L, i, j)        BLNI_STORE##L(c + j*BLNI_LANES##L, BLNI_MUL##L(t, c##i##j));
#define BLNI_SET_STREAM(L, i, j) BLNI_STREAM##L(c + j*BLNI_LANES##L, BLNI_MUL##L(t, c##i##j));
#define BLNI_SET_MASKED(L, i, j) BLNI_STORE_MASKED##L(c + j*BLNI_LANES##L, mask, BLNI_MUL##L(t, c##i##j));
#define BLNI_ADD(L, i, j)        BLNI_STORE##L(c + j*BLNI_LANES##L, BLNI_FMA##L(t, c##i##j, BLNI_LOAD##L(c + j*BLNI_LANES##L)));
#define BLNI_ADD_MASKED(L, i, j) \
    BLNI_STORE_MASKED##L(c + j*BLNI_LANES##L, mask, BLNI_FMA##L(t, c##i##j, BLNI_LOAD_MASKED##L(c + j*BLNI_LANES##L, mask)));

#define BLNI_A_ROW(i)            const double *a##i = a + (ptrdiff_t)(i < rows ? i : rows - 1)*ra;
#define BLNI_ZERO_ROW(L, N, i)   BLNI_A_ROW(i) BLNI_COLUMNS##N(BLNI_ZERO, BLNI_ZERO, L, i)
#define BLNI_FETCH_ROW(L, N, i)  BLNI_COLUMNS##N(BLNI_FETCH_C, BLNI_FETCH_C, L, i) \
                                 __builtin_prefetch(c + i*ldc + N*BLNI_LANES##L - 1, 1);
#define BLNI_PLUS_ROW(L, N, i)   { const BLNI_VEC##L t = BLNI_SPLAT##L(a##i[at]); BLNI_COLUMNS##N(BLNI_PLUS, BLNI_PLUS, L, i) }
#define BLNI_PLUS_SIDE(L, N, i)  { const BLNI_VEC##L t = BLNI_SPLAT##L(a[at + i]); BLNI_COLUMNS##N(BLNI_PLUS, BLNI_PLUS, L, i) }
#define BLNI_SET_ROW(L, N, i)    if (i < rows) { BLNI_COLUMNS##N(BLNI_SET, BLNI_SET_MASKED, L, i) c += ldc; }
#define BLNI_STREAM_ROW(L, N, i) if (i < rows) { BLNI_COLUMNS##N(BLNI_SET_STREAM, BLNI_SET_STREAM, L, i) c += ldc; }
#define BLNI_ADD_ROW(L, N, i)    if (i < rows) { BLNI_COLUMNS##N(BLNI_ADD, BLNI_ADD_MASKED, L, i) c += ldc; }

/* The loop that takes the time: ROWS x N sums in registers, N vectors of b and one number of a at a time. LAST is how the last
 * vector of b is read. */
#define BLNI_TILE_LOOP(L, ROWS, N, LAST, PLUS_ROW) \
    do { \
        BLNI_COLUMNS##N(BLNI_B, LAST, L, 0) \
        ROWS(PLUS_ROW, L, N) \
        at += ca; \
        b += rb; \
    } while (--k);

/* Rows beyond the last are computed from it and thrown away, but for whole halves of a tile: no branch in the loop. Rows of a that
 * lie side by side, as in a strip, need one pointer, not eight; a tile of fewer than three vectors has registers for eight. Sums
 * start from a zero that the compiler does not know to be one: else it makes all zeros anew before each of the loops. */
#define BLNI_TILE(L, R, N, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca, \
                                   const double *b, ptrdiff_t rb, ptrdiff_t vb, double alpha, int set, double *c, \
                                   ptrdiff_t ldc) \
{ \
    BLNI_LANE_MASK##L mask = BLNI_FIRST_LANES##L(columns - (N - 1)*BLNI_LANES##L); \
    ptrdiff_t at = 0; \
    BLNI_VEC##L zero = BLNI_SPLAT##L(0.0); \
    BLNI_APART##L(zero) \
    BLNI_ROWS##R(BLNI_ZERO_ROW, L, N) \
    if (k >= 32 && set < BLNI_STREAMED) { BLNI_ROWS##R(BLNI_FETCH_ROW, L, N) } \
    if (rows <= R/2) { BLNI_TILE_LOOP(L, BLNI_HALF##R, N, BLNI_B_MASKED, BLNI_PLUS_ROW) } \
    else if (columns < N*BLNI_LANES##L) { BLNI_TILE_LOOP(L, BLNI_ROWS##R, N, BLNI_B_MASKED, BLNI_PLUS_ROW) } \
    else if (N == 3 && rows == R && ra == 1) { BLNI_TILE_LOOP(L, BLNI_ROWS##R, N, BLNI_B, BLNI_PLUS_SIDE) } \
    else { BLNI_TILE_LOOP(L, BLNI_ROWS##R, N, BLNI_B, BLNI_PLUS_ROW) } \
    const BLNI_VEC##L t = BLNI_SPLAT##L(alpha); \
    if (set == BLNI_WHOLE) mask = BLNI_FIRST_LANES##L(BLNI_LANES##L); \
    if (N == 3 && set == BLNI_STREAMED && columns == N*BLNI_LANES##L) { BLNI_ROWS##R(BLNI_STREAM_ROW, L, N) } \
    else if (set) { BLNI_ROWS##R(BLNI_SET_ROW, L, N) } \
    else { BLNI_ROWS##R(BLNI_ADD_ROW, L, N) } \
}

/* The triangle of a solve, one vector of columns after the other: row i is solved, then taken out of the rows r below it. Rows
 * beyond the last are computed from it and thrown away. */
#define BLNI_AT_ROW(i, ld)      (ptrdiff_t)(i < rows ? i : rows - 1)*(ptrdiff_t)(ld)
#define BLNI_GET(L, N, i)       BLNI_VEC##L c##i = BLNI_SUB##L(BLNI_LOAD_MASKED##L(c + BLNI_AT_ROW(i, ldc), mask), \
                                                               BLNI_LOAD##L(s + BLNI_AT_ROW(i, lds)));
#define BLNI_PUT(L, N, i)       if (i < rows) { BLNI_STORE##L(c + i*ldc, c##i); }
#define BLNI_PUT_MASKED(L, N, i)   if (i < rows) { BLNI_STORE_MASKED##L(c + i*ldc, mask, c##i); }
#define BLNI_S(L, R, i)         c##i = BLNI_MUL##L(BLNI_SPLAT##L(t[i*R + i]), c##i);
#define BLNI_O(L, R, i, r)      c##r = BLNI_FNMA##L(BLNI_SPLAT##L(t[r*R + i]), c##i, c##r);
#define BLNI_O4(L, R, i)        BLNI_O(L, R, i, 4) BLNI_O(L, R, i, 5) BLNI_O(L, R, i, 6) BLNI_O(L, R, i, 7)
#define BLNI_SOLVE4(L, R) \
    BLNI_S(L, R, 0) BLNI_O(L, R, 0, 1) BLNI_O(L, R, 0, 2) BLNI_O(L, R, 0, 3) \
    BLNI_S(L, R, 1) BLNI_O(L, R, 1, 2) BLNI_O(L, R, 1, 3) BLNI_S(L, R, 2) BLNI_O(L, R, 2, 3) BLNI_S(L, R, 3)
#define BLNI_SOLVE8(L, R) \
    BLNI_SOLVE4(L, R) BLNI_O4(L, R, 0) BLNI_O4(L, R, 1) BLNI_O4(L, R, 2) BLNI_O4(L, R, 3) \
    BLNI_S(L, R, 4) BLNI_O(L, R, 4, 5) BLNI_O(L, R, 4, 6) BLNI_O(L, R, 4, 7) \
    BLNI_S(L, R, 5) BLNI_O(L, R, 5, 6) BLNI_O(L, R, 5, 7) BLNI_S(L, R, 6) BLNI_O(L, R, 6, 7) BLNI_S(L, R, 7)

#define BLNI_TRIANGLE(L, R, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t columns, const double *t, const double *s, size_t lds, double *c, \
                                   ptrdiff_t ldc) \
{ \
    for (;; columns -= BLNI_LANES##L, s += BLNI_LANES##L, c += BLNI_LANES##L) { \
        const BLNI_LANE_MASK##L mask = BLNI_FIRST_LANES##L(blni_min(columns, BLNI_LANES##L)); \
        BLNI_ROWS##R(BLNI_GET, L, 1) \
        BLNI_SOLVE##R(L, R) \
        if (columns >= BLNI_LANES##L) { BLNI_ROWS##R(BLNI_PUT, L, 1) } \
        else { BLNI_ROWS##R(BLNI_PUT_MASKED, L, 1) } \
        if (columns <= BLNI_LANES##L) return; \
    } \
}

/* One, two and three vectors wide. */
#define BLNI_TILES(L, R, NAME) BLNI_TILE(L, R, 1, NAME##_1) BLNI_TILE(L, R, 2, NAME##_2) BLNI_TILE(L, R, 3, NAME##_3)

/* Eight rows of b at a time, to all panels: rows of b lie pages apart, and so do panels. What the next panels need of each row is
 * prefetched, because no processor foresees it. */
#define BLNI_COPY_ROW(L, p)    BLNI_STORE##L(at, BLNI_LOAD##L(from)); from += rb; at += rt;
#define BLNI_TIMES8(X, L)      X(L, 0) X(L, 1) X(L, 2) X(L, 3) X(L, 4) X(L, 5) X(L, 6) X(L, 7)
#define BLNI_COPY(L, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t w, size_t k, size_t panels, const double *b, ptrdiff_t rb, double *to, ptrdiff_t rt, \
                                   size_t apart) \
{ \
    for (; k >= 8; k -= 8, to += 8*rt) { \
        for (size_t q = 0; q < panels; q++) \
            for (size_t j = 0; j < w; j += BLNI_LANES##L) { \
                const double *from = b + q*w + j; \
                double *at = to + q*apart + j; \
                BLNI_TIMES8(BLNI_COPY_ROW, L) \
            } \
        for (int p = 0; p < 8; p++, b += rb) __builtin_prefetch(b + (ptrdiff_t)(panels*w)); \
    } \
    for (; k; k--, b += rb, to += rt) \
        for (size_t q = 0; q < panels; q++) \
            for (size_t j = 0; j < w; j += BLNI_LANES##L) BLNI_STORE##L(to + q*apart + j, BLNI_LOAD##L(b + q*w + j)); \
}

/* The sum of 2, 4 or 8 lanes, in pairs: one after the other they would take as long as the products of a short row. */
BLNI_ALWAYS_INLINE double blni_four_sum(const double *v) { return (v[0] + v[1]) + (v[2] + v[3]); }
#define BLNI_LANES_SUM(lanes, v) \
    ((lanes) == 2 ? (v)[0] + (v)[1] : (lanes) == 4 ? blni_four_sum(v) : blni_four_sum(v) + blni_four_sum((v) + 4))

/* Sums and updates along rows. The numbers that do not fill a vector are handled here: see BLNI_CALLED. */
#define BLNI_VECTORS(L, DOTS, AXPYS, DOT, AXPY) \
BLNI_TARGET##L BLNI_PRIV void DOTS(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double *y) \
{ \
    for (size_t i = 0; i < m; i += 4, a += 4*lda) { \
        const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda; \
        BLNI_VEC##L s0 = BLNI_SPLAT##L(0.0), s1 = s0, s2 = s0, s3 = s0; \
        double v[4][BLNI_LANES##L], sum[4]; \
        BLNI_FOR_VECTORS(L, j, n) { \
            const BLNI_VEC##L t = BLNI_LOAD##L(x + j); \
            s0 = BLNI_FMA##L(t, BLNI_LOAD##L(a + j), s0); \
            s1 = BLNI_FMA##L(t, BLNI_LOAD##L(a1 + j), s1); \
            s2 = BLNI_FMA##L(t, BLNI_LOAD##L(a2 + j), s2); \
            s3 = BLNI_FMA##L(t, BLNI_LOAD##L(a3 + j), s3); \
        } \
        BLNI_STORE##L(v[0], s0); BLNI_STORE##L(v[1], s1); BLNI_STORE##L(v[2], s2); BLNI_STORE##L(v[3], s3); \
        for (size_t k = 0; k < 4; k++) sum[k] = BLNI_LANES_SUM(BLNI_LANES##L, v[k]); \
        for (; j < n; j++) { sum[0] += a[j]*x[j]; sum[1] += a1[j]*x[j]; sum[2] += a2[j]*x[j]; sum[3] += a3[j]*x[j]; } \
        for (size_t k = 0; k < 4; k++) y[i + k] += alpha*sum[k]; \
    } \
} \
BLNI_TARGET##L BLNI_PRIV void AXPYS(size_t m, size_t n, double alpha, const double *x, const double *a, size_t lda, double *y) \
{ \
    for (size_t i = 0; i < m; i += 4, a += 4*lda) { \
        const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda; \
        const double x0 = alpha*x[i], x1 = alpha*x[i + 1], x2 = alpha*x[i + 2], x3 = alpha*x[i + 3]; \
        const BLNI_VEC##L t0 = BLNI_SPLAT##L(x0), t1 = BLNI_SPLAT##L(x1), t2 = BLNI_SPLAT##L(x2), t3 = BLNI_SPLAT##L(x3); \
        BLNI_FOR_VECTORS(L, j, n) { \
            const BLNI_VEC##L u = BLNI_FMA##L(t0, BLNI_LOAD##L(a + j), BLNI_LOAD##L(y + j)); \
            const BLNI_VEC##L v = BLNI_MUL##L(t1, BLNI_LOAD##L(a1 + j)); \
            BLNI_STORE##L(y + j, BLNI_ADD##L(BLNI_FMA##L(t2, BLNI_LOAD##L(a2 + j), u), BLNI_FMA##L(t3, BLNI_LOAD##L(a3 + j), v))); \
        } \
        for (; j < n; j++) y[j] += (x0*a[j] + x1*a1[j]) + (x2*a2[j] + x3*a3[j]); \
    } \
} \
BLNI_TARGET##L BLNI_PRIV double DOT(size_t n, const double *x, const double *y) \
{ \
    BLNI_VEC##L s0 = BLNI_SPLAT##L(0.0), s1 = s0, s2 = s0, s3 = s0; \
    double v[BLNI_LANES##L], sum; \
    size_t j = 0; \
    for (; j + 4*BLNI_LANES##L <= n; j += 4*BLNI_LANES##L) { \
        s0 = BLNI_FMA##L(BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j), s0); \
        s1 = BLNI_FMA##L(BLNI_LOAD##L(x + j + BLNI_LANES##L), BLNI_LOAD##L(y + j + BLNI_LANES##L), s1); \
        s2 = BLNI_FMA##L(BLNI_LOAD##L(x + j + 2*BLNI_LANES##L), BLNI_LOAD##L(y + j + 2*BLNI_LANES##L), s2); \
        s3 = BLNI_FMA##L(BLNI_LOAD##L(x + j + 3*BLNI_LANES##L), BLNI_LOAD##L(y + j + 3*BLNI_LANES##L), s3); \
    } \
    for (; j + BLNI_LANES##L <= n; j += BLNI_LANES##L) s0 = BLNI_FMA##L(BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j), s0); \
    BLNI_STORE##L(v, BLNI_ADD##L(BLNI_ADD##L(s0, s1), BLNI_ADD##L(s2, s3))); \
    sum = BLNI_LANES_SUM(BLNI_LANES##L, v); \
    for (; j < n; j++) sum += x[j]*y[j]; \
    return sum; \
} \
BLNI_TARGET##L BLNI_PRIV void AXPY(size_t n, double t, const double *x, double *y) \
{ \
    const BLNI_VEC##L u = BLNI_SPLAT##L(t); \
    BLNI_FOR_VECTORS(L, j, n) \
        BLNI_STORE##L(y + j, BLNI_FMA##L(u, BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j))); \
    for (; j < n; j++) y[j] += t*x[j]; \
}

/* ---- the shapes: rows, and the doubles for packing
 *
 * Three vectors in a row. 4 rows where there are 16 registers (12 sums, 3 of B, 1 of A), 8 where there are 32: AVX2 4 x 12, NEON
 * 8 x 6, AVX-512 8 x 24. */
#ifdef BLNI_NEON
#define BLNI_ROWS_AT1          8
#else
#define BLNI_ROWS_AT1          4
#endif
#define BLNI_ROOM_AT1          28672
#define BLNI_ROWS_AT2          8
#define BLNI_ROOM_AT2          40960

#define BLNI_KERNELS_OF(L, R, ROOM) \
    BLNI_TILES(L, R, blni_tile##L) BLNI_TRIANGLE(L, R, blni_triangle##L) BLNI_COPY(L, blni_copy##L) \
    BLNI_VECTORS(L, blni_dots##L, blni_axpys##L, blni_dot##L, blni_axpy##L) \
    BLNI_TARGET##L BLNI_PRIV void blni_stream_fence##L(void) { BLNI_STREAM_FENCE##L() } \
    static const blni_kernels blni_kernels##L = { \
        R, 3*BLNI_LANES##L, BLNI_LANES##L, ROOM, { blni_tile##L##_1, blni_tile##L##_2, blni_tile##L##_3 }, \
        blni_triangle##L, blni_copy##L, blni_dots##L, blni_axpys##L, blni_stream_fence##L, blni_dot##L, blni_axpy##L \
    };
#define BLNI_KERNELS(L) BLNI_KERNELS_OF(L, BLNI_ROWS_AT##L, BLNI_ROOM_AT##L)
BLNI_FOR_LEVELS(BLNI_KERNELS)

BLNI_PRIV const blni_kernels *blni_kernels_now(void)
{
    BLNI_AT_LEVEL(bln_cpu_level(), return &, blni_kernels, )
}
