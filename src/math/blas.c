/* blas: dense kernels by tiles
 *
 * Matrix products share one driver, blni_multiply. It packs a block of B, some 256 rows and as many columns as there is room for,
 * into a buffer on the stack that stays in the second-level cache. Then it runs down A and C in strips, each as high as a tile; a
 * strip of A stays in the first-level cache. Large products are limited by how often C and A come from memory: once for each block.
 * If A has few rows, B is used as it lies. The definitions stand in the tests. */
#include "blas_private.h"
#include "../core/memory_private.h"
#include "../core/threads_private.h"

/* Splits k evenly into ceil(k/BLNI_KC) blocks; each costs one more pass over C. BLNI_KC is a little more than 256, so that a column
 * or two beside 1024 need no block of their own. */
BLNI_PRIV size_t blni_block_rows(size_t k)
{
    const size_t blocks = k/BLNI_KC + (k % BLNI_KC != 0);
    return blocks < 2 ? blni_max(k, 1) : k/blocks + (k % blocks != 0);
}

/* ---- vectors */

BLN_API double bln_dot(size_t n, const double *x, const double *y) { return blni_kernels_now()->dot(n, x, y); }

BLN_API void bln_axpy(size_t n, double alpha, const double *x, double *y) { blni_kernels_now()->axpy(n, alpha, x, y); }

BLNI_NOINLINE BLN_API void bln_scal(size_t n, double alpha, double *x) { for (size_t i = 0; i < n; i++) x[i] *= alpha; }

/* y = beta y; beta = 0 does not read y. */
BLNI_PRIV void blni_scale(size_t n, double beta, double *y)
{
    if (beta == 0.0) for (size_t i = 0; i < n; i++) y[i] = 0.0;
    else if (!(beta == 1.0)) bln_scal(n, beta, y);
}

/* ---- matrix times vector */

/* Four rows at a time, by kernels that run over all fours: each number of x (or y, transposed) is loaded once for four products. */
BLNI_NOINLINE BLN_API void bln_gemv(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                                    double beta, double *y)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t whole = m/4*4;
    size_t i = whole;
    blni_scale(op == BLN_NOTRANS ? m : n, beta, y);
    if (alpha == 0.0 || m == 0 || n == 0) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(m, lda))) {
        cblas_dgemv(CblasRowMajor, BLNI_CBLAS_OP(op), (int)m, (int)n, alpha, A, (int)lda, x, 1, 1.0, y, 1);
        return;
    }
#endif
    if (op == BLN_NOTRANS) {
        kernel->dots(whole, n, alpha, A, lda, x, y);
        for (; i < m; i++) y[i] += alpha*kernel->dot(n, A + i*lda, x);
    } else {
        kernel->axpys(whole, n, alpha, x, A, lda, y);
        for (; i < m; i++) kernel->axpy(n, alpha*x[i], A + i*lda, y);
    }
}

/* ---- matrix times matrix */

/* k rows and n <= w columns of a matrix, given by the strides of its row and column index, into one panel of w columns:
 * panel[p*w + j] = b[p*rb + j*cb]. */
BLNI_HOT BLNI_PRIV void blni_pack_columns(size_t w, size_t k, size_t n, const double *b, size_t rb, size_t cb, double *panel)
{
    size_t j = 0;
    if (cb == 1)                                                  /* along the rows */
        for (size_t p = 0; p < k; p++)
            for (j = 0; j + 8 <= n; j += 8) {
                BLNI_PREFETCH(b + p*rb + j + w);                  /* the next panel's first */
                memcpy(panel + p*w + j, b + p*rb + j, 8*sizeof *b);
            }
    for (; j + 4 <= n; j += 4) {
        const double *b0 = b + j*cb, *b1 = b0 + cb, *b2 = b1 + cb, *b3 = b2 + cb;
        double *to = panel + j;
        for (size_t p = 0, at = 0; p < k; p++, at += rb, to += w) {
            to[0] = b0[at];
            to[1] = b1[at];
            to[2] = b2[at];
            to[3] = b3[at];
        }
    }
    for (; j < n; j++)
        for (size_t p = 0; p < k; p++) panel[p*w + j] = b[p*rb + j*cb];
}

/* Distance between packed strips: one cache line more than a strip has, so that the strips of a tile do not map to the same cache
 * sets. */
BLNI_PRIV size_t blni_apart(size_t width, size_t rows) { return width*rows + 8; }

/* Packs n columns into strips as wide as a vector, `apart` from each other. */
BLNI_PRIV void blni_pack(const blni_kernels *kernel, size_t k, size_t n, const double *b, size_t rb, size_t cb, double *strips,
                         size_t apart)
{
    const size_t w = kernel->lanes, whole = cb == 1 ? n/w : 0;
    if (whole) kernel->copy(w, k, whole, b, (ptrdiff_t)rb, strips, (ptrdiff_t)w, apart);
    for (size_t j = whole*w; j < n; j += w) blni_pack_columns(w, k, blni_min(w, n - j), b + j*cb, rb, cb, strips + j/w*apart);
}

/* Packs n contiguous columns into strips as wide as a tile has rows. */
BLNI_PRIV void blni_pack_rows(const blni_kernels *kernel, size_t k, size_t n, const double *b, size_t rb, double *strips)
{
    const size_t w = kernel->rows, whole = n/w, apart = blni_apart(w, k);
    kernel->copy(w, k, whole, b, (ptrdiff_t)rb, strips, (ptrdiff_t)w, apart);
    if (whole*w < n) blni_pack_columns(w, k, n - whole*w, b + whole*w, rb, 1, strips + whole*apart);
}

/* How many of n columns a block of kc rows takes that fits into `size` doubles: blocks of about equal size, of whole tiles, or of
 * one vector where no tile fits. More than n where all fit: that avoids a division, which would show in a small product. */
BLNI_PRIV size_t blni_block_columns(const blni_kernels *kernel, size_t n, size_t kc, size_t size)
{
    if (n < size && (n + kernel->columns)*blni_apart(1, kc) <= size) return n + 1;
    const size_t vector = blni_apart(kernel->lanes, kc), tile = kernel->columns/kernel->lanes*vector;
    const size_t w = size < tile ? kernel->lanes : kernel->columns;
    const size_t most = blni_max(size/(w/kernel->lanes*vector), 1);
    const size_t tiles = (n + w - 1)/w, blocks = (tiles + most - 1)/most;
    return blocks ? (tiles + blocks - 1)/blocks*w : w;
}

/* A tile on the diagonal of C, its first entry at row i and column j. It is computed into a buffer, from which the upper triangle
 * is added to C. */
BLNI_PRIV void blni_tile_across(const blni_kernels *kernel, size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra,
                                ptrdiff_t ca, const double *b, ptrdiff_t rb, ptrdiff_t vb, double alpha, int set, double *c,
                                size_t ldc, size_t i, size_t j)
{
    double tile[BLNI_TILE_ROWS*BLNI_TILE_ROWS];
    kernel->tile[blni_vectors(kernel, columns)](rows, columns, k, a, ra, ca, b, rb, vb, alpha, 1, tile, BLNI_TILE_ROWS);
    for (size_t r = 0; r < rows; r++)
        for (size_t q = i + r > j ? i + r - j : 0; q < columns; q++)
            c[r*ldc + q] = set ? tile[r*BLNI_TILE_ROWS + q] : c[r*ldc + q] + tile[r*BLNI_TILE_ROWS + q];
}

/* Rows i, i + 1, ... of C, as many as a tile has, columns j0 to j1. a: these rows of A, k columns; b: k rows of B, whose vectors
 * lie vb apart. The square on the diagonal of a triangle is a tile of its own. The last four vectors go as two and two, because a
 * tile of one vector has too few sums to keep the processor busy. */
BLNI_PRIV void blni_strip(const blni_kernels *kernel, const blni_product *p, size_t i, size_t j0, size_t j1, size_t k, int set,
                          const double *a, size_t ra, size_t ca, const double *b, size_t rb, size_t vb)
{
    const size_t w = kernel->columns, lanes = kernel->lanes, rows = blni_min(kernel->rows, p->m - i);
    const size_t four = lanes < w ? w + lanes : 0, square = p->upper ? blni_min(i + kernel->rows, j1) : 0;
    size_t columns = w;
    for (size_t j = p->upper && i > j0 ? i : j0; j < j1; j += columns) {
        const size_t left = (j < square ? square : j1) - j;
        const double *at = b + (j - j0)/lanes*vb;
        double *c = p->C + i*p->ldc + j;
        columns = left < w ? left : w < left && left <= four ? w - lanes : w;
        if (j < square)
            blni_tile_across(kernel, rows, columns, k, a, (ptrdiff_t)ra, (ptrdiff_t)ca, at, (ptrdiff_t)rb, (ptrdiff_t)vb, p->alpha,
                             set, c, p->ldc, i, j);
        else kernel->tile[blni_vectors(kernel, columns)](rows, columns, k, a, (ptrdiff_t)ra, (ptrdiff_t)ca, at, (ptrdiff_t)rb,
                                                         (ptrdiff_t)vb, p->alpha, set, c, (ptrdiff_t)p->ldc);
    }
}

/* Uses B as it lies, without packing; but a block at a time, so that it is still in the cache for the next strip. */
BLNI_PRIV void blni_multiply_direct(const blni_product *p)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t each = blni_block_rows(p->k);
    for (size_t p0 = 0; p0 < p->k; p0 += each) {
        const size_t kc = blni_min(each, p->k - p0), nc = blni_block_columns(kernel, p->n - p->first, kc, kernel->room);
        for (size_t j0 = p->first; j0 < p->n; j0 += nc)
            for (size_t i = 0; i < p->m; i += kernel->rows)
                blni_strip(kernel, p, i, j0, blni_min(p->n, j0 + nc), kc, p0 == 0 ? p->set : 0, p->A + i*p->ra + p0*p->ca, p->ra,
                           p->ca, p->B + p0*p->rb + j0, p->rb, kernel->lanes);
    }
}

/* Packed blocks start at a line of the cache. */
BLNI_PRIV double *blni_line(double *x) { return x + (64 - (uintptr_t)x % 64) % 64/sizeof *x; }

/* Packs B into `room`, which has `size` >= BLNI_ROOM_SMALL doubles (BLNI_ROOM_SHORT if k allows). Where A lies transposed and is
 * not small it is packed as well, some strips at a time: what a strip reads of it would lie pages apart. */
BLNI_NOINLINE BLNI_ONCE BLNI_PRIV void blni_multiply_packed(const blni_product *p, double *room, size_t size)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t lanes = kernel->lanes, R = kernel->rows, group = size < BLNI_ROOM_GROUP ? R : (size_t)BLNI_GROUP;
    const size_t each = blni_block_rows(p->k);
    const int pack = p->ca != 1 && p->n > 2*kernel->columns && (p->m > BLNI_DIRECT || p->ca % 256 == 0);
    double *const block = room + (pack ? group/R*blni_apart(R, each) : 0);
    size = blni_min(size - (size_t)(block - room), kernel->room);
    for (size_t p0 = 0; p0 < p->k; p0 += each) {
        const size_t kc = blni_min(each, p->k - p0), nc = blni_block_columns(kernel, p->n - p->first, kc, size);
        const size_t apart = blni_apart(lanes, kc);
        for (size_t j0 = p->first; j0 < p->n; j0 += nc) {
            const size_t j1 = blni_min(p->n, j0 + nc), end = p->upper ? j1 : p->m;
            blni_pack(kernel, kc, j1 - j0, p->B + p0*p->rb + j0*p->cb, p->rb, p->cb, block, apart);
            for (size_t i = 0; i < end; i += R) {
                const double *a = p->A + i*p->ra + p0*p->ca;
                if (pack && i % group == 0) blni_pack_rows(kernel, kc, blni_min(group, p->m - i), a, p->ca, room);
                blni_strip(kernel, p, i, j0, j1, kc, p0 == 0 ? p->set : 0, pack ? room + i % group/R*blni_apart(R, kc) : a,
                           pack ? 1 : p->ra, pack ? R : p->ca, block, lanes, apart);
            }
        }
    }
}

BLNI_NOINLINE BLNI_PRIV void blni_multiply_short(const blni_product *p)
{
    double room[BLNI_ROOM_SHORT + 8];
    blni_multiply_packed(p, blni_line(room), BLNI_ROOM_SHORT);
}

BLNI_NOINLINE BLNI_PRIV void blni_multiply_small(const blni_product *p)
{
    double room[BLNI_ROOM_SMALL + 8];
    blni_multiply_packed(p, blni_line(room), BLNI_ROOM_SMALL);
}

BLNI_NOINLINE BLNI_PRIV void blni_multiply_large(const blni_product *p)
{
    double room[BLNI_ROOM + 8];
    blni_multiply_packed(p, blni_line(room), BLNI_ROOM);
}

/* The shares of the threads: rows or columns of C, whichever are more. A triangle is split by columns, piece k beginning at n
 * sqrt(k/pieces). Each entry is the same sum as in one piece. */
typedef struct blni_shares { const blni_product *whole; size_t pieces; int direct; } blni_shares;

BLNI_PRIV size_t blni_share_column(const blni_product *whole, size_t k, size_t pieces)
{
    const size_t n = whole->n, w = blni_kernels_now()->columns;
    if (!whole->upper || k == pieces) return blni_piece_begin(n, w, k, pieces);
    return (size_t)((double)n*sqrt((double)k/(double)pieces))/w*w;
}

BLNI_PRIV void blni_multiply_here(const blni_product *p, int direct)
{
    if (direct) blni_multiply_direct(p);
    else if (p->k <= BLNI_SHORT) blni_multiply_short(p);
    else if (BLNI_ROOM <= BLNI_ROOM_SMALL || (double)p->m*(double)p->n*(double)p->k <= (double)BLNI_LARGE) blni_multiply_small(p);
    else blni_multiply_large(p);
    if (p->set == BLNI_STREAMED) blni_kernels_now()->fence();
}

BLNI_PRIV void blni_multiply_share(const void *job, size_t k)
{
    const blni_shares *s = (const blni_shares *)job;
    blni_product p = *s->whole;
    if (p.upper || p.n >= p.m) {
        p.first = blni_share_column(s->whole, k, s->pieces);
        p.n = blni_share_column(s->whole, k + 1, s->pieces);
    } else {
        const size_t row = blni_piece_begin(p.m, blni_kernels_now()->rows, k, s->pieces);
        p.m = blni_piece_begin(p.m, blni_kernels_now()->rows, k + 1, s->pieces) - row;
        p.A += row*p.ra;
        p.C += row*p.ldc;
    }
    blni_multiply_here(&p, s->direct);
}

/* Does C pay for streaming stores: is it written once, and so large that most of it leaves the cache before it is used? An ordinary
 * store reads the cache line first, which takes most of the time where k is small. */
BLNI_PRIV int blni_streams(const blni_product *p)
{
    return p->set && !p->upper && p->k <= BLNI_KC && (double)p->m*(double)p->n >= (double)BLNI_MEMORY && p->ldc % 8 == 0
        && (uintptr_t)p->C % 64 == 0;
}

BLNI_PRIV blni_product blni_product_of(size_t m, size_t n, size_t k, double alpha, const double *A, size_t ra, size_t ca,
                                       const double *B, size_t rb, size_t cb, int set, double *C, size_t ldc, int upper)
{
    blni_product p;
    p.m = m;        p.n = n;        p.k = k;        p.alpha = alpha;    p.first = 0;
    p.A = A;        p.ra = ra;      p.ca = ca;      p.B = B;         p.rb = rb;      p.cb = cb;
    p.set = set;    p.C = C;        p.ldc = ldc;    p.upper = upper;
    return p;
}

BLNI_PRIV void blni_multiply(size_t m, size_t n, size_t k, double alpha, const double *A, size_t ra, size_t ca,
                             const double *B, size_t rb, size_t cb, int set, double *C, size_t ldc, int upper)
{
    blni_product p = blni_product_of(m, n, k, alpha, A, ra, ca, B, rb, cb, set, C, ldc, upper);
    const blni_kernels *kernel = blni_kernels_now();
    const size_t strips = upper || n >= m ? n/kernel->columns : m/kernel->rows;
    blni_shares s;
    if (blni_streams(&p)) p.set = BLNI_STREAMED;
    s.whole = &p;
    s.direct = cb == 1 && (m <= kernel->rows || (m <= BLNI_DIRECT && rb % 256 != 0));
    s.pieces = blni_pieces((upper ? 1.0 : 2.0)*(double)m*(double)n*(double)k, strips/2);
    if (BLNI_SPLIT(s.pieces)) blni_run_pieces(s.pieces, blni_multiply_share, &s);
    else blni_multiply_here(&p, s.direct);
}

/* Applies beta. Returns 1 when nothing is left to do. */
BLNI_NOINLINE BLNI_PRIV int blni_before(size_t m, size_t n, size_t k, double alpha, double beta, double *C, size_t ldc, int upper)
{
    const int nothing = alpha == 0.0 || k == 0;
    if (beta == 1.0 || (beta == 0.0 && !nothing)) return nothing;
    for (size_t i = 0; i < m; i++) blni_scale(n - (upper ? i : 0), beta, C + i*ldc + (upper ? i : 0));
    return nothing;
}

BLNI_NOINLINE BLN_API void bln_gemm(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A,
                                    size_t lda, const double *B, size_t ldb, double beta, double *C, size_t ldc)
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

BLNI_NOINLINE BLN_API void bln_syrk(bln_trans op, size_t n, size_t k, double alpha, const double *A, size_t lda,
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

/* ---- the product that a stream of rows is summed up in
 *
 * bln_syrk for rows that come a few at a time: C += alpha A'A. A block of A is packed once into panels, while its rows are still in
 * the cache, and serves both as A and as B. */

/* Up to this many columns gathering gains nothing: they are one or two blocks of the packed product, which packs A as often. */
enum { BLNI_GATHER = 256 };

/* Doubles of room for a k x n matrix in strips of any level, in blocks of rows. The cache lines between strips take at most 4 n
 * more. */
BLNI_PRIV size_t blni_panels_room(size_t k, size_t n)
{
    const size_t columns = blni_mul(blni_add(n, BLNI_TILE_COLUMNS - 1)/BLNI_TILE_COLUMNS, BLNI_TILE_COLUMNS);
    return blni_add(blni_mul(blni_add(k, 4*(k/BLNI_KC + 1)), columns), 8);
}

/* Doubles of room for k rows of n columns or fewer, whose blocks may be larger; 0 where no room is used. */
BLNI_PRIV size_t blni_gather_room(size_t n, size_t k) { return n <= BLNI_GATHER ? 0 : blni_panels_room(blni_min(k, BLNI_KC), n); }

/* Can a sum over rows of n columns take them a few at a time? Else it takes all at once. */
BLNI_PRIV int blni_gather_in_parts(size_t n)
{
#ifdef BAYESLIN_USE_CBLAS
    return 0;
#else
    const blni_kernels *kernel = blni_kernels_now();
    return (n > BLNI_GATHER) & (kernel->lanes == kernel->rows);       /* else strips of A cannot serve as B */
#endif
}

/* Begins such a sum, in room[blni_gather_room(n, k)]. */
BLNI_PRIV void blni_gather_begin(blni_gatherer *g, size_t n, size_t k, double alpha, double *C, size_t ldc, double *room)
{
    g->whole = blni_product_of(n, n, k, alpha, NULL, 1, n, NULL, n, 1, 0, C, ldc, 1);
    g->k = k;
    g->each = blni_block_rows(k);
    g->kc = blni_min(g->each, k);
    g->have = 0;
    g->pieces = blni_pieces((double)n*(double)n*(double)g->kc, n/blni_kernels_now()->columns/2);
    g->panels = blni_line(room);
}

BLNI_PRIV void blni_gather_pack(const void *job, size_t k)
{
    const blni_gatherer *g = (const blni_gatherer *)job;
    const blni_kernels *kernel = blni_kernels_now();
    const size_t n = g->whole.n, w = kernel->lanes, j = blni_piece_begin(n, w, k, g->pieces), apart = blni_apart(w, g->kc);
    blni_pack(kernel, g->rows, blni_piece_begin(n, w, k + 1, g->pieces) - j, g->from + j, g->lda, 1,
              g->panels + j/w*apart + g->have*w, apart);
}

BLNI_PRIV void blni_gather_multiply(const void *job, size_t k)
{
    const blni_gatherer *g = (const blni_gatherer *)job;
    const blni_kernels *kernel = blni_kernels_now();
    const size_t w = kernel->lanes, kc = g->kc, apart = blni_apart(w, kc);
    const size_t begin = blni_share_column(&g->whole, k, g->pieces), end = blni_share_column(&g->whole, k + 1, g->pieces);
    const size_t nc = blni_block_columns(kernel, end - begin, kc, kernel->room);
    for (size_t j0 = begin; j0 < end; j0 += nc)
        for (size_t j1 = blni_min(end, j0 + nc), i = 0; i < j1; i += w)
            blni_strip(kernel, &g->whole, i, j0, j1, kc, 0, g->panels + i/w*apart, 1, w, g->panels + j0/w*apart, w, apart);
}

/* The next m rows. When all k have come, C is what bln_syrk(BLN_TRANS, n, k, alpha, A, lda, 1, C, ldc) makes of it, to the bit. */
BLNI_PRIV void blni_gather_rows(blni_gatherer *g, size_t m, const double *A, size_t lda)
{
    if (!blni_gather_in_parts(g->whole.n)) {
        bln_syrk(BLN_TRANS, g->whole.n, m, g->whole.alpha, A, lda, 1.0, g->whole.C, g->whole.ldc);
        return;
    }
    for (size_t done = 0; done < m; done += g->rows) {
        g->from = A + done*lda;
        g->lda = lda;
        g->rows = blni_min(m - done, g->kc - g->have);
        blni_run_pieces(g->pieces, blni_gather_pack, g);
        g->have += g->rows;
        if (g->have < g->kc) continue;
        blni_run_pieces(g->pieces, blni_gather_multiply, g);
        g->k -= g->kc;
        g->kc = blni_min(g->each, g->k);
        g->have = 0;
    }
}

/* ---- one matrix B in many products: it is packed once */

/* Packs B (k x n), a block of rows at a time, into room[blni_panels_room(k, n)]. */
BLNI_PRIV void blni_panels_of(size_t k, size_t n, const double *B, size_t ldb, double *room)
{
#ifdef BAYESLIN_USE_CBLAS
    for (size_t p = 0; p < k; p++) memcpy(blni_line(room) + p*n, B + p*ldb, n*sizeof *B);
#else
    const blni_kernels *kernel = blni_kernels_now();
    const size_t each = blni_block_rows(k);
    double *to = blni_line(room);
    for (size_t p0 = 0; p0 < k; p0 += each) {
        const size_t kc = blni_min(each, k - p0), apart = blni_apart(kernel->lanes, kc);
        blni_pack(kernel, kc, n, B + p0*ldb, ldb, 1, to, apart);
        to += (n + kernel->lanes - 1)/kernel->lanes*apart;
    }
#endif
}

#ifndef BAYESLIN_USE_CBLAS
typedef struct blni_panels_shares { const blni_product *whole; const double *panels; size_t pieces; } blni_panels_shares;

BLNI_PRIV void blni_panels_share(const void *job, size_t k)
{
    const blni_panels_shares *s = (const blni_panels_shares *)job;
    const blni_product *p = s->whole;
    const blni_kernels *kernel = blni_kernels_now();
    const size_t w = kernel->lanes, begin = blni_share_column(p, k, s->pieces), end = blni_share_column(p, k + 1, s->pieces);
    const size_t each = blni_block_rows(p->k);
    const double *from = s->panels;
    for (size_t p0 = 0; p0 < p->k; p0 += each) {
        const size_t kc = blni_min(each, p->k - p0), apart = blni_apart(w, kc);
        const size_t nc = blni_block_columns(kernel, end - begin, kc, kernel->room);
        for (size_t j0 = begin; j0 < end; j0 += nc)
            for (size_t i = 0; i < p->m; i += kernel->rows)
                blni_strip(kernel, p, i, j0, blni_min(end, j0 + nc), kc, p0 == 0 ? p->set : 0, p->A + i*p->ra + p0, p->ra, 1,
                           from + j0/w*apart, w, apart);
        from += (p->n + w - 1)/w*apart;
    }
}
#endif

/* bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, k, alpha, A, lda, B, ldb, 0, C, ldc), to the bit, for a B that blni_panels_of saw. */
BLNI_PRIV void blni_panels_gemm(size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda, double *room,
                                double *C, size_t ldc)
{
#ifdef BAYESLIN_USE_CBLAS
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, k, alpha, A, lda, blni_line(room), n, 0.0, C, ldc);
#else
    const blni_product p = blni_product_of(m, n, k, alpha, A, lda, 1, NULL, 0, 1, 1, C, ldc, 0);
    const size_t pieces = blni_pieces(2.0*(double)m*(double)n*(double)k, n/blni_kernels_now()->columns/2);
    const blni_panels_shares s = { &p, blni_line(room), pieces };
    blni_run_pieces(pieces, blni_panels_share, &s);
#endif
}

BLN_API void bln_symmetrise(size_t n, double *A, size_t lda)
{
    /* In squares of 16 x 16: one side of the copy walks down a column, and would miss the cache at each step. */
    for (size_t i0 = 0; i0 < n; i0 += 16)
        for (size_t j0 = 0; j0 <= i0; j0 += 16)
            for (size_t i = i0; i < blni_min(n, i0 + 16); i++)
                for (size_t j = j0; j < blni_min(i, j0 + 16); j++) A[i*lda + j] = A[j*lda + i];
}
