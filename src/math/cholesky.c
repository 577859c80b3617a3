/* cholesky: factorisations and triangular solves by halving
 *
 * Each routine splits its triangle  U = [U1 X; 0 U2]  in two, calls itself on both halves and couples them by one product, down to
 * leaves. So nearly all the work is in bln_gemm and bln_syrk, whatever the sizes of the caches, without a block size to tune.
 * [Gustavson 1997, IBM J. Res. Dev. 41(6); Elmroth et al. 2004, SIAM Review 46(1)]
 * The leaves of solves and factorisations run in solve tiles; those of the inverse are products with a small square on the stack.
 * The functions _ref compute the rest of a leaf by the definition. */
#include "cholesky_private.h"
#include "../core/threads_private.h"
#include "blas_private.h"

/* The largest leaf, whose square fits into BAYESLIN_STACK bytes; the largest matrix factorised in place; the leaves of the inverse.
 * The order of sums depends on the first, which is therefore the same everywhere under BAYESLIN_REPRODUCIBLE. */
#ifdef BAYESLIN_REPRODUCIBLE
enum { BLNI_LEAF = 64 };
#else
enum { BLNI_LEAF = BLNI_ROOM >= 61440 ? 240 : BLNI_ROOM >= 30720 ? 168 : 64 };
#endif
enum { BLNI_LEAF_HERE = 64, BLNI_SQUARE = 32, BLNI_SQUARE_ROWS = 8, BLNI_SPLIT = 8 };

/* The size of the first half: a multiple of the rows of any tile. n > 16. */
BLNI_PRIV size_t blni_half(size_t n) { return (n/2 + BLNI_SPLIT - 1)/BLNI_SPLIT*BLNI_SPLIT; }

/* As blni_half, but minimises the number of leaves and balances them. n > BLNI_LEAF. */
BLNI_PRIV size_t blni_half_of_leaves(size_t n)
{
    const size_t leaves = n/BLNI_LEAF + (n % BLNI_LEAF != 0), each = n/leaves + (n % leaves != 0);
    return (each + BLNI_SPLIT - 1)/BLNI_SPLIT*BLNI_SPLIT*(leaves/2);
}

/* ---- triangular solves
 *
 * U'X = B is solved from the first row down, U X = B from the last row up. In the order of solving both are lower triangular, T =
 * U' or T = U read backwards. A solve tile handles R rows of T, given the rows solved before. */

/* A solve tile, c <- T^-1 (c - a b): a product of k terms, then the triangle. */
BLNI_PRIV void blni_solve(const blni_kernels *kernel, size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra,
                          ptrdiff_t ca, const double *b, ptrdiff_t ldb, const double *t, double *c)
{
    static const double zeros[BLNI_TILE_COLUMNS] = { 0.0 };
    double room[BLNI_TILE_ROWS*BLNI_TILE_COLUMNS + 8], *const s = blni_line(room);
    if (!k) { kernel->triangle(rows, columns, t, zeros, 0, c, ldb); return; }
    kernel->tile[blni_vectors(kernel, columns)](rows, columns, k, a, ra, ca, b, ldb, (ptrdiff_t)kernel->lanes, 1.0, BLNI_WHOLE, s,
                                                BLNI_TILE_COLUMNS);
    kernel->triangle(rows, columns, t, s, BLNI_TILE_COLUMNS, c, ldb);
}

/* The R x R triangle of a solve tile: n rows of T, T_ip = t[i*ri + p*rp]; the rest is the identity. */
BLNI_PRIV void blni_triangle(size_t R, size_t n, const double *t, ptrdiff_t ri, ptrdiff_t rp, double *out)
{
    for (size_t i = 0; i < R; i++, out += R) {
        const double *row = t + (i < n ? (ptrdiff_t)i*ri : 0);
        for (size_t p = 0; p < i; p++) out[p] = i < n ? row[(ptrdiff_t)p*rp] : 0.0;
        out[i] = i < n ? 1.0/row[(ptrdiff_t)i*rp] : 1.0;
    }
}

/* T_ip = t[i*ri + p*rp] for p <= i; the first row that is solved is row `first` of B, the next one lies rb behind it. */
typedef struct blni_order { const double *t; ptrdiff_t ri, rp, rb; size_t first; } blni_order;

BLNI_PRIV blni_order blni_order_of(bln_trans op, size_t n, const double *U, size_t ldu, size_t ldb)
{
    const ptrdiff_t lu = (ptrdiff_t)ldu, lb = (ptrdiff_t)ldb, last = (ptrdiff_t)n - 1;
    const blni_order down = { U, 1, lu, lb, 0 }, up = { U + last*(lu + 1), -lu, -1, -lb, (size_t)last };
    return op == BLN_TRANS ? down : up;
}

/* The triangles in the order of solving, then each tile's columns from the first row that is solved to the last. n <= BLNI_LEAF. */
BLNI_HOT BLNI_PRIV void blni_trsm_leaf(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t R = kernel->rows, w = kernel->columns;
    if (n == 0) return;
    const blni_order o = blni_order_of(op, n, U, ldu, ldb);
    double t[(size_t)BLNI_LEAF*BLNI_TILE_ROWS];
    B += o.first*ldb;
    for (size_t k = 0; k < n; k += R)
        blni_triangle(R, blni_min(R, n - k), o.t + (ptrdiff_t)k*(o.ri + o.rp), o.ri, o.rp, t + k*R);
    for (size_t j = 0; j < m; j += w)
        for (size_t k = 0; k < n; k += R)                         /* k rows are solved */
            blni_solve(kernel, blni_min(R, n - k), blni_min(w, m - j), k, o.t + (ptrdiff_t)k*o.ri, o.ri, o.rp, B + j, o.rb,
                       t + k*R, B + (ptrdiff_t)k*o.rb + j);
}

/* blni_trsm_leaf for many columns, with the same bits. T, in the order of solving, is copied in strips of R rows without their
 * triangle, t[p*R + i] = T_k+i,p for p < k. Then panels of B are solved in a copy, where all rows of a panel share a few pages. */
BLNI_HOT BLNI_PRIV void blni_trsm_copied(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t R = kernel->rows, w = kernel->columns;
    const blni_order o = blni_order_of(op, n, U, ldu, ldb);
    double strips[BLNI_LEAF*BLNI_LEAF/2 + 8], triangles[(size_t)BLNI_LEAF*BLNI_TILE_ROWS];
    double panel[(size_t)BLNI_LEAF*BLNI_TILE_COLUMNS + 8], *const T = blni_line(strips), *const x = blni_line(panel);
    for (size_t k = 0; k < n; k += R) {
        const size_t rows = blni_min(R, n - k);
        const double *from = o.t + (ptrdiff_t)k*o.ri;
        double *t = T + (k ? k*(k - R)/2 : 0);
        for (size_t p = 0; p < k; p++, t += R, from += o.rp)
            for (size_t i = 0; i < rows; i++) t[i] = from[(ptrdiff_t)i*o.ri];
        blni_triangle(R, rows, from, o.ri, o.rp, triangles + k*R);
    }
    for (size_t j = 0; j < m; j += w) {
        const size_t columns = blni_min(w, m - j);
        double *b = B + o.first*ldb + j;
        if (columns == w) kernel->copy(w, n, 1, b, o.rb, x, (ptrdiff_t)w, 0);
        else for (size_t r = 0; r < n; r++) memcpy(x + r*w, b + (ptrdiff_t)r*o.rb, columns*sizeof *x);
        for (size_t k = 0; k < n; k += R)
            blni_solve(kernel, blni_min(R, n - k), columns, k, T + (k ? k*(k - R)/2 : 0), 1, (ptrdiff_t)R, x, (ptrdiff_t)w,
                       triangles + k*R, x + k*w);
        if (columns == w) kernel->copy(w, n, 1, x, (ptrdiff_t)w, b, o.rb, 0);
        else for (size_t r = 0; r < n; r++) memcpy(b + (ptrdiff_t)r*o.rb, x + r*w, columns*sizeof *x);
    }
}

BLNI_ONCE BLNI_PRIV void blni_trsm(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    if (n <= BLNI_LEAF) {
        if (n <= 2*BLNI_TILE_ROWS || m <= BLNI_TILE_COLUMNS) blni_trsm_leaf(op, n, m, U, ldu, B, ldb);
        else blni_trsm_copied(op, n, m, U, ldu, B, ldb);
        return;
    }
    const size_t h = blni_half_of_leaves(n);
    const double *X = U + h, *U2 = U + h*ldu + h;
    double *B2 = B + h*ldb;
    if (op == BLN_NOTRANS) {                                      /* U2 x2 = b2;  U1 x1 = b1 - X x2 */
        blni_trsm(op, n - h, m, U2, ldu, B2, ldb);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, h, m, n - h, -1.0, X, ldu, B2, ldb, 1.0, B, ldb);
        blni_trsm(op, h, m, U, ldu, B, ldb);
    } else {                                                      /* U1'x1 = b1;  U2'x2 = b2 - X'x1 */
        blni_trsm(op, h, m, U, ldu, B, ldb);
        bln_gemm(BLN_TRANS, BLN_NOTRANS, n - h, m, h, -1.0, X, ldu, B, ldb, 1.0, B2, ldb);
        blni_trsm(op, n - h, m, U2, ldu, B2, ldb);
    }
}

/* The shares of the threads: columns of B, which are independent. */
typedef struct blni_solve_shares {
    bln_trans op;
    size_t n, m;
    const double *U;
    size_t ldu;
    double *B;
    size_t ldb, pieces;
} blni_solve_shares;

BLNI_PRIV void blni_trsm_share(const void *job, size_t k)
{
    const blni_solve_shares *s = (const blni_solve_shares *)job;
    const size_t w = blni_kernels_now()->columns, j = blni_piece_begin(s->m, w, k, s->pieces);
    blni_trsm(s->op, s->n, blni_piece_begin(s->m, w, k + 1, s->pieces) - j, s->U, s->ldu, s->B + j, s->ldb);
}

BLN_API void bln_trsm(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    if (n == 0 || m == 0) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(m, blni_max(ldu, ldb)))) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, BLNI_CBLAS_OP(op), CblasNonUnit, (int)n, (int)m, 1.0, U, (int)ldu, B,
                    (int)ldb);
        return;
    }
#endif
    const size_t pieces = blni_pieces((double)n*(double)n*(double)m, m/blni_kernels_now()->columns);
    const blni_solve_shares s = { op, n, m, U, ldu, B, ldb, pieces };
    blni_run_pieces(pieces, blni_trsm_share, &s);
}

/* op(U) x = b by the definition, along the rows of U: U'x = b subtracts what is solved from the rest, U x = b sums over what is
 * solved. */
BLNI_PRIV void blni_trsv_ref(bln_trans op, size_t n, const double *U, size_t ldu, double *x)
{
    for (size_t r = 0; r < n; r++) {
        const size_t i = op == BLN_NOTRANS ? n - 1 - r : r;
        const double *u = U + i*ldu;
        if (op == BLN_NOTRANS) {
            double sum = 0.0;
            for (size_t j = i + 1; j < n; j++) sum += u[j]*x[j];
            x[i] = (x[i] - sum)/u[i];
        } else {
            x[i] /= u[i];
            for (size_t j = i + 1; j < n; j++) x[j] -= x[i]*u[j];
        }
    }
}

/* Eight rows at a time: what is right of their triangle by a product. */
BLNI_ONCE BLN_API void bln_trsv(bln_trans op, size_t n, const double *U, size_t ldu, double *x)
{
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(ldu)) {
        if (n) cblas_dtrsv(CblasRowMajor, CblasUpper, BLNI_CBLAS_OP(op), CblasNonUnit, (int)n, U, (int)ldu, x, 1);
        return;
    }
#endif
    for (size_t done = 0; done < n; done += 8) {
        const size_t rows = blni_min(8, n - done), i = op == BLN_NOTRANS ? n - done - rows : done, right = n - i - rows;
        const double *u = U + i*ldu + i;
        if (op == BLN_NOTRANS) bln_gemv(op, rows, right, -1.0, u + rows, ldu, x + i + rows, 1.0, x + i);
        blni_trsv_ref(op, rows, u, ldu, x + i);
        if (op == BLN_TRANS) bln_gemv(op, rows, right, -1.0, u + rows, ldu, x + i, 1.0, x + i + rows);
    }
}

BLN_API void bln_potrs(size_t n, const double *U, size_t ldu, double *x)
{
    bln_trsv(BLN_TRANS, n, U, ldu, x);
    bln_trsv(BLN_NOTRANS, n, U, ldu, x);
}

/* ---- factorisation */

/* Row i of U is row i of the remaining matrix over the root of its diagonal entry; then its outer product is subtracted. Returns n,
 * or the first pivot that is not > 0 and finite. */
BLNI_HOT BLNI_PRIV size_t blni_potrf_ref(size_t n, double *A, size_t lda)
{
    for (size_t i = 0; i < n; i++) {
        double *a = A + i*lda;
        if (!(a[i] > 0.0) || !blni_finite(a[i])) return i;
        a[i] = sqrt(a[i]);
        for (size_t j = i + 1; j < n; j++) a[j] /= a[i];
        for (size_t r = i + 1; r < n; r++)
            for (size_t j = r; j < n; j++) A[r*lda + j] -= a[r]*a[j];
    }
    return n;
}

/* blni_potrf_ref for R rows at a time, R dividing n: factorises the R x R block on the diagonal by the definition; solve tiles do
 * what lies right of it. Then the products of the rows so far are subtracted from the next block. */
BLNI_HOT BLNI_PRIV size_t blni_potrf_leaf(const blni_kernels *kernel, size_t n, double *A, size_t lda)
{
    const size_t R = kernel->rows, w = kernel->columns;
    const ptrdiff_t ld = (ptrdiff_t)lda;
    double t[BLNI_TILE_ROWS*BLNI_TILE_ROWS], *a = A;
    for (size_t k = 0;;) {
        const size_t good = blni_potrf_ref(R, a, lda);
        if (good < R) return k + good;
        blni_triangle(R, R, a, 1, ld, t);
        for (size_t j = k + R; j < n; j += w)
            blni_solve(kernel, R, blni_min(w, n - j), k, A + k, 1, ld, A + j, ld, t, A + k*lda + j);
        k += R;
        if (k == n) return n;
        a = A + k*lda + k;
        for (size_t j = 0; j < R; j += w) {
            const size_t columns = blni_min(w, R - j);
            kernel->tile[blni_vectors(kernel, columns)](R, columns, k, A + k, 1, ld, A + k + j, ld, (ptrdiff_t)kernel->lanes, 1.0,
                                                        1, t + j, (ptrdiff_t)R);
        }
        for (size_t i = 0; i < R; i++)
            for (size_t j = i; j < R; j++) a[i*lda + j] -= t[i*R + j];
    }
}

/* The leaf in a copy whose row stride is an odd number of cache lines, so that rows do not map to the same cache sets. n <=
 * BLNI_LEAF. */
BLNI_HOT BLNI_PRIV size_t blni_potrf_copied(const blni_kernels *kernel, size_t n, double *A, size_t lda)
{
    double room[BLNI_LEAF*(BLNI_LEAF + 8) + 8], *const S = blni_line(room);
    const size_t lds = ((n + 7)/8 | 1)*8;
    for (size_t i = 0; i < n; i++) memcpy(S + i*lds + i, A + i*lda + i, (n - i)*sizeof *A);
    const size_t good = blni_potrf_leaf(kernel, n, S, lds);
    for (size_t i = 0; i < n; i++) memcpy(A + i*lda + i, S + i*lds + i, (n - i)*sizeof *A);
    return good;
}

/* U1'U1 = A1;  U1'X = A12;  U2'U2 = A2 - X'X. */
BLNI_ONCE BLNI_PRIV size_t blni_potrf(size_t n, double *A, size_t lda)
{
    const blni_kernels *kernel = blni_kernels_now();
    if (n < kernel->rows) return blni_potrf_ref(n, A, lda);
    if (n <= BLNI_LEAF_HERE && n % kernel->rows == 0) return blni_potrf_leaf(kernel, n, A, lda);
    if (n <= BLNI_LEAF && n % kernel->rows == 0) return blni_potrf_copied(kernel, n, A, lda);
    const size_t h = n <= BLNI_LEAF ? n/kernel->rows*kernel->rows : blni_half_of_leaves(n);
    double *X = A + h, *A2 = A + h*lda + h;
    const size_t good = blni_potrf(h, A, lda);
    if (good < h) return good;
    bln_trsm(BLN_TRANS, h, n - h, A, lda, X, lda);
    bln_syrk(BLN_TRANS, n - h, h, -1.0, X, lda, 1.0, A2, lda);
    return h + blni_potrf(n - h, A2, lda);
}

BLN_API bln_status bln_potrf(size_t n, double *A, size_t lda, size_t *bad)
{
    if (!A && n) return BLN_EINVAL;
    const size_t good = blni_potrf(n, A, lda);
    if (good == n) return BLN_OK;
    if (bad) *bad = good;
    return BLN_ENOTPD;
}

/* blni_potrf_jitter for an A that is the difference of matrices with entries of size `size`, to which its rounding errors are
 * proportional. */
BLNI_PRIV bln_status blni_potrf_jitter_of(double size, size_t n, double *A, size_t lda, double *diag, double *tau)
{
    double largest = size, step;
    for (size_t i = 0; i < n; i++) {
        diag[i] = A[i*lda + i];
        if (diag[i] > largest) largest = diag[i];
    }
    bln_symmetrise(n, A, lda);                                    /* below the diagonal it stays */
    *tau = 0.0;
    if (bln_potrf(n, A, lda, NULL) == BLN_OK) return BLN_OK;
    step = (double)n*DBL_EPSILON*largest;
    if (!blni_finite(step)) return BLN_ENOTPD;
    for (int k = 0; k <= 6; k++, step *= 10.0) {
        *tau = step;
        for (size_t i = 0; i < n; i++) {
            A[i*lda + i] = diag[i] + step;
            for (size_t j = i + 1; j < n; j++) A[i*lda + j] = A[j*lda + i];
        }
        if (bln_potrf(n, A, lda, NULL) == BLN_OK) return BLN_OK;
    }
    return BLN_ENOTPD;
}

BLNI_PRIV bln_status blni_potrf_jitter(size_t n, double *A, size_t lda, double *diag, double *tau)
{
    return blni_potrf_jitter_of(0.0, n, A, lda, diag, tau);
}

/* ---- inverse */

/* The upper triangle of V as a full n x n square, zeros below. */
BLNI_ONCE BLNI_PRIV void blni_square(size_t n, const double *V, size_t ldv, double *S)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) S[i*n + j] = 0.0;
        memcpy(S + i*n + i, V + i*ldv + i, (n - i)*sizeof *S);
    }
}

/* A leaf of X <- X op(V): some rows of X at a time, copied, times the full square. Leaves are functions of their own, so that the
 * recursive functions have no squares on the stack. */
BLNI_HOT BLNI_PRIV void blni_trmm_leaf(bln_trans op, size_t m, size_t n, const double *V, size_t ldv, double *X, size_t ldx)
{
    double S[BLNI_SQUARE*BLNI_SQUARE], Y[BLNI_SQUARE_ROWS*BLNI_SQUARE];
    blni_square(n, V, ldv, S);
    for (size_t i0 = 0; i0 < m; i0 += BLNI_SQUARE_ROWS) {
        const size_t rows = blni_min(BLNI_SQUARE_ROWS, m - i0);
        for (size_t i = 0; i < rows; i++) memcpy(Y + i*n, X + (i0 + i)*ldx, n*sizeof *Y);
        bln_gemm(BLN_NOTRANS, op, rows, n, n, 1.0, Y, n, S, n, 0.0, X + i0*ldx, ldx);
    }
}

/* X <- X op(V) in place, X: m x n, V: n x n upper. */
BLNI_ONCE BLNI_PRIV void blni_trmm_right(bln_trans op, size_t m, size_t n, const double *V, size_t ldv, double *X, size_t ldx)
{
    if (n <= BLNI_SQUARE) { blni_trmm_leaf(op, m, n, V, ldv, X, ldx); return; }
    const size_t h = blni_half(n);
    const double *Y = V + h, *V2 = V + h*ldv + h;
    if (op == BLN_NOTRANS) {                                      /* [x1 x2] [V1 Y; 0 V2] */
        blni_trmm_right(op, m, n - h, V2, ldv, X + h, ldx);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n - h, h, 1.0, X, ldx, Y, ldv, 1.0, X + h, ldx);
        blni_trmm_right(op, m, h, V, ldv, X, ldx);
    } else {                                                      /* [x1 x2] [V1' 0; Y' V2'] */
        blni_trmm_right(op, m, h, V, ldv, X, ldx);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, m, h, n - h, 1.0, X + h, ldx, Y, ldv, 1.0, X, ldx);
        blni_trmm_right(op, m, n - h, V2, ldv, X + h, ldx);
    }
}

/* A leaf of the inverse solves for the identity. */
BLNI_HOT BLNI_PRIV void blni_trtri_leaf(size_t n, double *U, size_t ldu)
{
    double S[BLNI_SQUARE*BLNI_SQUARE];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) S[i*n + j] = i == j ? 1.0 : 0.0;
    blni_trsm_leaf(BLN_NOTRANS, n, n, U, ldu, S, n);
    for (size_t i = 0; i < n; i++) memcpy(U + i*ldu + i, S + i*n + i, (n - i)*sizeof *S);
}

/* [U1 X; 0 U2]^-1 = [V1  -V1 X V2; 0 V2]. */
BLN_API void bln_trtri(size_t n, double *U, size_t ldu)
{
    if (n <= BLNI_SQUARE) { blni_trtri_leaf(n, U, ldu); return; }
    const size_t h = blni_half(n);
    double *X = U + h, *U2 = U + h*ldu + h;
    bln_trtri(n - h, U2, ldu);
    blni_trmm_right(BLN_NOTRANS, h, n - h, U2, ldu, X, ldu);
    bln_trsm(BLN_NOTRANS, h, n - h, U, ldu, X, ldu);
    for (size_t i = 0; i < h; i++)
        for (size_t j = 0; j < n - h; j++) X[i*ldu + j] = -X[i*ldu + j];
    bln_trtri(h, U, ldu);
}

BLNI_HOT BLNI_PRIV void blni_lauum_leaf(size_t n, double *V, size_t ldv)
{
    double S[BLNI_SQUARE*BLNI_SQUARE];
    blni_square(n, V, ldv, S);
    bln_syrk(BLN_NOTRANS, n, n, 1.0, S, n, 0.0, V, ldv);
}

/* [V1 X; 0 V2] times its transpose = [V1 V1' + X X',  X V2'; ., V2 V2']. */
BLNI_ONCE BLNI_PRIV void blni_lauum(size_t n, double *V, size_t ldv)
{
    if (n <= BLNI_SQUARE) { blni_lauum_leaf(n, V, ldv); return; }
    const size_t h = blni_half(n);
    double *X = V + h, *V2 = V + h*ldv + h;
    blni_lauum(h, V, ldv);
    bln_syrk(BLN_NOTRANS, h, n - h, 1.0, X, ldv, 1.0, V, ldv);
    blni_trmm_right(BLN_TRANS, h, n - h, V2, ldv, X, ldv);
    blni_lauum(n - h, V2, ldv);
}

BLN_API void bln_lauum(size_t n, const double *V, size_t ldv, double *C, size_t ldc)
{
    if (C != V)
        for (size_t i = 0; i < n; i++) memcpy(C + i*ldc + i, V + i*ldv + i, (n - i)*sizeof *C);
    blni_lauum(n, C, ldc);
}

/* ---- what the diagonal says */

BLN_API double bln_logdet_factor(size_t n, const double *U, size_t ldu)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += log(U[i*ldu + i]);
    return 2.0*sum;
}

BLNI_PRIV double blni_condition_factor(size_t n, const double *U, size_t ldu)
{
    double low, high, ratio;
    if (n == 0) return 1.0;
    low = high = U[0];
    for (size_t i = 1; i < n; i++) {
        const double u = U[i*ldu + i];
        if (u < low) low = u;
        if (u > high) high = u;
    }
    ratio = high/low;
    return ratio*ratio;
}
