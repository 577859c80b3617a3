#ifndef BLN_MATH_BLAS_PRIVATE_H
#define BLN_MATH_BLAS_PRIVATE_H
/* blas_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "blas.h"
#include "cpu_private.h"

/* Default stacks of threads: 8 MiB with glibc, 1 MiB on Windows, 512 KiB on macOS, 128 KiB with musl; WebAssembly has 64 KiB in
 * all. */
#ifndef BAYESLIN_STACK
#if defined(__GLIBC__) || defined(_WIN32)
#define BAYESLIN_STACK 524288
#elif defined(__APPLE__)
#define BAYESLIN_STACK 262144
#else
#define BAYESLIN_STACK 36864
#endif
#endif

/* Under BAYESLIN_USE_CBLAS the products of matrices and the solves call a BLAS library at every level, unless a size exceeds its
 * int: blni_cblas(largest size) is 1 if none does. */
#ifdef BAYESLIN_USE_CBLAS
#ifdef BAYESLIN_REPRODUCIBLE
#error "bayeslin: BAYESLIN_USE_CBLAS and BAYESLIN_REPRODUCIBLE exclude each other"
#endif
#include <cblas.h>
#include <limits.h>
#define BLNI_CBLAS_OP(op) ((op) == BLN_NOTRANS ? CblasNoTrans : CblasTrans)
BLNI_INLINE int blni_cblas(size_t largest) { return largest <= INT_MAX; }
#endif

/* c[i*ldc + v*lanes + j] (=, if set; else +=) alpha sum_p a[i*ra + p*ca] b[p*rb + v*vb + j],   i < rows, p < k, j < lanes. rows,
 * columns and k are at least 1, rows and columns at most the level's. The vectors v of a row of b lie vb apart. set =
 * BLNI_STREAMED: rows of c begin at cache lines and are written by streaming stores. BLNI_WHOLE: as 1, into a buffer of whole
 * vectors, where levels above 0 store whole vectors, and what is stored from `columns` on means nothing. */
enum { BLNI_STREAMED = 2, BLNI_WHOLE = 3 };

typedef void (*blni_tile_fn)(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                             const double *b, ptrdiff_t rb, ptrdiff_t vb, double alpha, int set, double *c, ptrdiff_t ldc);

/* c <- T^-1 (c - s). T is lower triangular: t[i*R + p] = T_ip for p < i, t[i*R + i] = 1/T_ii, with R the level's number of rows;
 * the rows of t from `rows` on are rows of the identity. Rows of s are `lds` apart, and hold whole vectors. Strides are signed,
 * here and above, so that rows may be taken from the last to the first. */
typedef void (*blni_triangle_fn)(size_t rows, size_t columns, const double *t, const double *s, size_t lds, double *c,
                                 ptrdiff_t ldc);

typedef struct blni_kernels {
    size_t rows, columns, lanes;      /* rows and columns of a tile; doubles of a vector                                         */
    size_t room;                      /* doubles for packing: half of the usual second-level cache                               */
    blni_tile_fn tile[3];             /* [v - 1]: for tiles of v vectors of columns (blni_vectors)                               */
    blni_triangle_fn triangle;
    void (*copy)(size_t w, size_t k, size_t panels, const double *b, ptrdiff_t rb, double *to, ptrdiff_t rt, size_t apart);
                                      /* to[q apart + p rt + j] = b[p rb + q w + j],   p < k, q < panels, j < w, lanes divide w   */
    /* y_i += alpha a_i'x for each of m rows a_i of a, of n numbers each; y += alpha sum_i x_i a_i. m is a multiple of 4.     */
    void (*dots)(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double *y);
    void (*axpys)(size_t m, size_t n, double alpha, const double *x, const double *a, size_t lda, double *y);
    void (*fence)(void);              /* after set = BLNI_STREAMED: makes c visible to other threads                             */
    double (*dot)(size_t n, const double *x, const double *y);
    void (*axpy)(size_t n, double t, const double *x, double *y);
} blni_kernels;

/* The largest tile over the levels that are compiled, and the lanes of their widest vector. */
#if BLNI_LEVELS > 1
enum { BLNI_TILE_ROWS = 8, BLNI_TILE_COLUMNS = 24, BLNI_TILE_LANES = 8 };
#elif BLNI_LEVELS > 0 && defined(BLNI_NEON)
enum { BLNI_TILE_ROWS = 8, BLNI_TILE_COLUMNS = 6, BLNI_TILE_LANES = 2 };
#elif BLNI_LEVELS > 0
enum { BLNI_TILE_ROWS = 4, BLNI_TILE_COLUMNS = 12, BLNI_TILE_LANES = 4 };
#else
enum { BLNI_TILE_ROWS = 4, BLNI_TILE_COLUMNS = 4, BLNI_TILE_LANES = 4 };
#endif

/* blas_kernels */
BLNI_PRIV size_t blni_vectors(const blni_kernels *kernel, size_t columns);
BLNI_PRIV const blni_kernels *blni_kernels_now(void);

/* The inner index is split into blocks of at most BLNI_KC, whatever the level and the memory, so that an entry's sum has the same
 * order everywhere. BLNI_ROOM.. are doubles on the stack for packing: of products of more than BLNI_LARGE multiplications, of all
 * others (SMALL), and of those whose inner index is at most BLNI_SHORT. They hold the columns and the rows of a tile, or on a small
 * stack the columns of one vector and the rows. 4 KiB of BAYESLIN_STACK are left for the frames of the callers. */
enum {
    BLNI_KC = 264, BLNI_SHORT = 64, BLNI_DIRECT = 128, BLNI_LARGE = 1 << 20,
    BLNI_MEMORY = 3 << 19,                         /* numbers of C, 12 MiB, from which on it is written by streaming stores */
    BLNI_ROOM_WIDTH = BLNI_TILE_ROWS + (BAYESLIN_STACK >= 73728 ? (int)BLNI_TILE_COLUMNS : (int)BLNI_TILE_LANES),
    BLNI_ROOM_SMALL = BLNI_KC*BLNI_ROOM_WIDTH + 64, BLNI_ROOM_SHORT = BLNI_SHORT*BLNI_ROOM_WIDTH + 64,
    BLNI_ROOM = BAYESLIN_STACK >= 8192 ? BAYESLIN_STACK/8 - 512 : 512,
    BLNI_GROUP = 48,                               /* columns of A' that are packed at once: whole tiles, whole cache lines  */
    BLNI_ROOM_GROUP = BLNI_KC*(BLNI_TILE_COLUMNS + BLNI_GROUP) + 128             /* a tile's columns beside these */
};

/* C = alpha A B + C, or without "+ C" if set, for A and B by the strides of their row and column index: A_ip = A[i*ra + p*ca].
 * Columns first, first + 1, ..., n - 1; `upper`: only the entries of C with column >= row. */
typedef struct blni_product {
    size_t m, n, k, first;
    double alpha;
    const double *A;
    size_t ra, ca;
    const double *B;
    size_t rb, cb;
    int set;
    double *C;
    size_t ldc;
    int upper;
} blni_product;

/* A sum over k rows that come a few at a time: panels collect them, and hold `have` rows now; at kc they enter the product. */
typedef struct blni_gatherer {
    blni_product whole;
    size_t k, each, kc, have, pieces;
    double *panels;
    const double *from;            /* the rows that are packed now: `rows` of them */
    size_t lda, rows;
} blni_gatherer;

/* blas */
BLNI_PRIV double *blni_line(double *x);
BLNI_PRIV size_t blni_panels_room(size_t k, size_t n);
BLNI_PRIV size_t blni_gather_room(size_t n, size_t k);
BLNI_PRIV int blni_gather_in_parts(size_t n);
BLNI_PRIV void blni_gather_begin(blni_gatherer *g, size_t n, size_t k, double alpha, double *C, size_t ldc, double *room);
BLNI_PRIV void blni_gather_rows(blni_gatherer *g, size_t m, const double *A, size_t lda);
BLNI_PRIV void blni_panels_of(size_t k, size_t n, const double *B, size_t ldb, double *room);
BLNI_PRIV void blni_panels_gemm(size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda, double *room, double *C,
                                size_t ldc);

#endif /* BLN_MATH_BLAS_PRIVATE_H */
