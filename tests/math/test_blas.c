/* test_blas - the dense kernels against their definitions at every level that the machine has
 *
 * All sizes around the edges of the tiles (4, 8, 12, 24 and the next) and of the blocks (264 terms, as many columns as there is
 * room for), odd strides and unaligned starts, all operations. What is not the kernel's must not be read (it is NaN here) nor
 * written (its bits are compared).
 *
 * Tolerance: whatever the order, each product a b of a sum of k terms meets at most k + 3 roundings (itself, the additions, alpha),
 * beta C at most k + 3 as well; so |C - exact| <= gamma_{k+3} (|alpha| |A| |B| + |beta| |C0|), gamma_n = n u/(1 - n u), u = eps/2
 * [Higham 2002, (3.5)]. The sum it is compared with is formed in long double, which may be no longer than double: twice that bound.
 * Data of small integers need no tolerance: all sums are exact in every order. */
#include "../test.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include "blas_matrix.h"

#define BLAS_COUNT(array) (sizeof (array)/sizeof *(array))

/* C = alpha op(A) op(B) + beta C0 within the bound, entry by entry; one check for each matrix, with its worst entry. */
static void blas_check(const blas_matrix *C, const blas_matrix *C0, bln_trans opa, bln_trans opb, size_t k, double alpha,
                       const blas_matrix *A, const blas_matrix *B, double beta, int upper)
{
    double worst = 0.0;
    for (size_t i = 0; i < C->rows; i++)
        for (size_t j = upper ? i : 0; j < C->columns; j++) {
            long double sum = 0.0L, bound = 0.0L;
            for (size_t p = 0; p < k; p++) {
                const double a = blas_entry(opa, A, i, p), b = blas_entry(opb, B, p, j);
                sum += (long double)a*b;
                bound += fabs(a)*fabs(b);
            }
            const double c0 = C0->at[i*C->ld + j], c = C->at[i*C->ld + j];
            const double want = (double)((alpha == 0.0 ? 0.0L : alpha*sum) + (beta == 0.0 ? 0.0L : (long double)beta*c0));
            const double limit = BLAS_GAMMA(k)*(fabs(alpha)*(double)bound + (beta == 0.0 ? 0.0 : fabs(beta*c0)));
            const double off = limit > 0.0 ? fabs(c - want)/limit : c == want ? 0.0 : 2.0;
            if (!(off <= worst)) worst = off;                                    /* NaN sticks */
        }
    CHECK_LE(worst, 1.0);
    CHECK(blas_rest_kept(C, C0, upper));
}

static const double blas_scalars[] = { 0.0, 1.0, -1.0, 2.385 };

static void blas_one_gemm(test_random *r, bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, double beta)
{
    blas_matrix A = opa == BLN_NOTRANS ? blas_random(r, m, k, 3) : blas_random(r, k, m, 1);
    blas_matrix B = opb == BLN_NOTRANS ? blas_random(r, k, n, 2) : blas_random(r, n, k, 5);
    blas_matrix C0 = beta == 0.0 ? blas_new(m, n, 3) : blas_random(r, m, n, 3);  /* beta = 0: C starts as NaN */
    BLAS_LEVELS(level) {
        blas_matrix C = blas_copy(&C0);
        bln_gemm(opa, opb, m, n, k, alpha, A.at, A.ld, B.at, B.ld, beta, C.at, C.ld);
        blas_check(&C, &C0, opa, opb, k, alpha, &A, &B, beta, 0);
        free(C.block);
    }
    free(A.block);
    free(B.block);
    free(C0.block);
}

TEST(blas, gemm_agrees_with_definition)
{
    static const size_t edges[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 25, 41 }, inner[] = { 0, 1, 2, 3, 7, 8, 17 };
    test_random r = test_random_new(1);
    size_t turn = 0;
    for (size_t a = 0; a < BLAS_COUNT(edges); a++)
        for (size_t b = 0; b < BLAS_COUNT(edges); b++)
            for (size_t c = 0; c < BLAS_COUNT(inner); c++, turn++)               /* operations and scalars take turns */
                blas_one_gemm(&r, turn & 1 ? BLN_TRANS : BLN_NOTRANS, turn & 2 ? BLN_TRANS : BLN_NOTRANS, edges[a], edges[b],
                              inner[c], blas_scalars[turn/4 % 4], blas_scalars[turn/16 % 4]);
    bln_cpu_level_force(-1);
}

TEST(blas, gemm_every_operation_and_scalar)
{
    test_random r = test_random_new(2);
    for (int op = 0; op < 4; op++)
        for (size_t a = 0; a < 4; a++)
            for (size_t b = 0; b < 4; b++)
                blas_one_gemm(&r, op & 1 ? BLN_TRANS : BLN_NOTRANS, op & 2 ? BLN_TRANS : BLN_NOTRANS, 27, 29, 11, blas_scalars[a],
                              blas_scalars[b]);
    for (size_t s = 0; s <= 50; s++)                                             /* every size once in each place */
        for (int op = 0; op < 4; op++) {
            const bln_trans opa = op & 1 ? BLN_TRANS : BLN_NOTRANS, opb = op & 2 ? BLN_TRANS : BLN_NOTRANS;
            blas_one_gemm(&r, opa, opb, s, 13, 5, 1.0, 1.0);
            blas_one_gemm(&r, opa, opb, 9, s, 7, -1.0, 0.0);
            blas_one_gemm(&r, opa, opb, 5, 26, s, 2.385, 1.0);
        }
    bln_cpu_level_force(-1);
}

/* Integers up to 9: sums below 2^53, so every order gives the same bits. Shapes on both sides of each block. */
TEST(blas, gemm_is_exact_on_integers_across_blocks)
{
    static const size_t shapes[][3] = {
        { 17, 30, 263 }, { 17, 30, 264 }, { 17, 30, 265 }, { 9, 26, 400 }, { 345, 25, 20 }, { 345, 23, 195 }, { 60, 70, 300 },
        { 127, 50, 20 }, { 128, 50, 20 }, { 129, 50, 20 }, { 31, 345, 3 }, { 1, 1, 1000 }, { 1, 200, 200 }, { 700, 1, 13 },
        { 345, 100, 40 }, { 40, 256, 9 }, { 26, 300, 265 }, { 130, 300, 30 }, { 5, 300, 268 }
    };
    test_random r = test_random_new(3);
    for (size_t s = 0; s < BLAS_COUNT(shapes); s++)
        for (int op = 0; op < 4; op++) {
            const bln_trans opa = op & 1 ? BLN_TRANS : BLN_NOTRANS, opb = op & 2 ? BLN_TRANS : BLN_NOTRANS;
            const size_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
            blas_matrix A = opa == BLN_NOTRANS ? blas_integers(&r, m, k, 1) : blas_integers(&r, k, m, 4);
            blas_matrix B = opb == BLN_NOTRANS ? blas_integers(&r, k, n, 3) : blas_integers(&r, n, k, 0);
            blas_matrix C0 = blas_integers(&r, m, n, 2), D = blas_copy(&C0);
            blas_gemm_ref(opa, opb, m, n, k, -2.0, A.at, A.ld, B.at, B.ld, 3.0, D.at, D.ld, 0);
            BLAS_LEVELS(level) {
                blas_matrix C = blas_copy(&C0);
                bln_gemm(opa, opb, m, n, k, -2.0, A.at, A.ld, B.at, B.ld, 3.0, C.at, C.ld);
                CHECK(!memcmp(C.block, D.block, C.size*sizeof(double)));
                free(C.block);
            }
            free(A.block);
            free(B.block);
            free(C0.block);
            free(D.block);
        }
    bln_cpu_level_force(-1);
}

/* The same sums whatever the room, from the least that the driver is given on, with A transposed and not; nothing behind the room
 * is written. */
TEST(blas, room_for_packing_changes_no_bit)
{
    const size_t m = 53, n = 61, k = BLNI_KC + 5, most = BLNI_ROOM_GROUP + 4*BLNI_KC;
    test_random r = test_random_new(12);
    double *A = test_doubles(m*k), *B = test_doubles(k*n), *C = test_doubles(m*n), *D = test_doubles(m*n);
    double *block = test_doubles(most + 16), *room = blni_line(block);
    test_fill_normal(&r, m*k, A);
    test_fill_normal(&r, k*n, B);
    BLAS_LEVELS(level)
        for (int trans = 0; trans < 2; trans++) {
            const blni_product p = blni_product_of(m, n, k, 1.0, A, trans ? 1 : k, trans ? m : 1, B, n, 1, 1, C, n, 0);
            blni_multiply(m, n, k, 1.0, A, trans ? 1 : k, trans ? m : 1, B, n, 1, 1, D, n, 0);
            for (size_t size = BLNI_ROOM_SMALL; size <= most; size += 4*BLNI_KC - 1) {
                for (size_t i = 0; i < m*n; i++) C[i] = BLNI_NAN;
                room[size] = 2.385;
                blni_multiply_packed(&p, room, size);
                CHECK(!memcmp(C, D, m*n*sizeof *C));
                CHECK(room[size] == 2.385);
            }
        }
    free(A); free(B); free(C); free(D); free(block);
    bln_cpu_level_force(-1);
}

#ifndef BAYESLIN_USE_CBLAS
/* A product that is written past the cache, because it is that large and its rows begin at lines of it, has the bits of one whose
 * rows do not; what stands beside its rows stays. Packed, and as B lies; whole tiles and parts of them; in two blocks of k, where
 * it is not. */
TEST(blas, large_product_written_past_the_cache)
{
    static const size_t sizes[][3] = {
        { 1573, 1000, 3 }, { 1573, 1000, 1 }, { 100, 15736, 2 }, { 8, 196613, 2 }, { 21, 75001, 265 }
    };
    test_random r = test_random_new(13);
    for (size_t c = 0; c < BLAS_COUNT(sizes); c += TEST_MANY(1, 3)) {
        const size_t m = sizes[c][0], n = sizes[c][1], k = sizes[c][2], ld = (n + 7)/8*8 + 8;
        double *A = test_doubles(m*k), *B = test_doubles(k*n), *C = test_doubles(m*ld + 8), *D = test_doubles(m*(ld + 1));
        double *lines = blni_line(C);
        test_fill_normal(&r, m*k, A);
        test_fill_normal(&r, k*n, B);
        BLAS_LEVELS(level) {
            const blni_product p = blni_product_of(m, n, k, 0.7, A, k, 1, B, n, 1, 1, lines, ld, 0);
            size_t wrong = 0;
            CHECK(blni_streams(&p) == (k <= BLNI_KC));
            for (size_t i = 0; i < m*ld; i++) lines[i] = 2.385;
            bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, k, 0.7, A, k, B, n, 0.0, lines, ld);
            bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, k, 0.7, A, k, B, n, 0.0, D, ld + 1);
            for (size_t i = 0; i < m; i++) {
                wrong += memcmp(lines + i*ld, D + i*(ld + 1), n*sizeof *D) != 0;
                for (size_t j = n; j < ld; j++) wrong += lines[i*ld + j] != 2.385;
            }
            CHECK(wrong == 0);
        }
        free(A); free(B); free(C); free(D);
    }
    bln_cpu_level_force(-1);
}
#endif

/* The definition itself against numbers worked out by hand. */
TEST(blas, definitions_by_hand)
{
    const double A[6] = { 1, 2, 3, 4, 5, 6 }, B[6] = { 1, -1, 2, 0, -3, 1 };     /* A: 2 x 3 or 3 x 2 */
    double C[4] = { 10, 20, 30, 40 }, y[2] = { 1, 1 };
    blas_gemm_ref(BLN_NOTRANS, BLN_NOTRANS, 2, 2, 3, 1.0, A, 3, B, 2, 1.0, C, 2, 0);
    CHECK(C[0] == 6 && C[1] == 22 && C[2] == 26 && C[3] == 42);                  /* A B = [-4 2; -4 2] */
    blas_gemm_ref(BLN_TRANS, BLN_TRANS, 2, 2, 3, 2.0, A, 2, B, 3, 0.0, C, 2, 0);
    CHECK(C[0] == 2*(1 - 3 + 10) && C[1] == 2*(0 - 9 + 5) && C[2] == 2*(2 - 4 + 12) && C[3] == 2*(0 - 12 + 6));
    blas_gemv_ref(BLN_NOTRANS, 2, 3, 1.0, A, 3, B, -1.0, y);
    CHECK(y[0] == 4 && y[1] == 10);                                              /* [1-2+6, 4-5+12] - 1 */
    blas_gemv_ref(BLN_TRANS, 3, 2, 1.0, A, 2, B, 0.0, y);
    CHECK(y[0] == 8 && y[1] == 10);                                              /* [1-3+10, 2-4+12] */
}

static void blas_one_syrk(test_random *r, bln_trans op, size_t n, size_t k, double alpha, double beta)
{
    blas_matrix A = op == BLN_NOTRANS ? blas_random(r, n, k, 3) : blas_random(r, k, n, 1);
    blas_matrix C0 = blas_random(r, n, n, 3);
    /* the lower triangle, and with beta = 0 all, is NaN */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) if (j < i || beta == 0.0) C0.at[i*C0.ld + j] = BLAS_NAN;
    BLAS_LEVELS(level) {
        blas_matrix C = blas_copy(&C0);
        bln_syrk(op, n, k, alpha, A.at, A.ld, beta, C.at, C.ld);
        blas_check(&C, &C0, op, op == BLN_NOTRANS ? BLN_TRANS : BLN_NOTRANS, k, alpha, &A, &A, beta, 1);
        free(C.block);
    }
    free(A.block);
    free(C0.block);
}

TEST(blas, syrk_agrees_with_definition)
{
    static const size_t inner[] = { 0, 1, 3, 8, 17 }, large[] = { 96, 97, 193, 337, 361 };
    test_random r = test_random_new(4);
    size_t turn = 0;
    for (size_t n = 0; n <= 50; n++)
        for (size_t c = 0; c < BLAS_COUNT(inner); c++, turn++)
            for (int op = 0; op < 2; op++)
                blas_one_syrk(&r, op ? BLN_TRANS : BLN_NOTRANS, n, inner[c], blas_scalars[turn % 4], blas_scalars[turn/4 % 4]);
    for (size_t a = 0; a < 16; a++)
        for (int op = 0; op < 2; op++) blas_one_syrk(&r, op ? BLN_TRANS : BLN_NOTRANS, 29, 11, blas_scalars[a % 4],
                                                     blas_scalars[a/4]);
    for (size_t s = 0; s < BLAS_COUNT(large); s++)
        for (int op = 0; op < 2; op++) {
            blas_one_syrk(&r, op ? BLN_TRANS : BLN_NOTRANS, large[s], 5, -1.0, 1.0);
            blas_one_syrk(&r, op ? BLN_TRANS : BLN_NOTRANS, 30, large[s] + 96, 1.0, 0.0);
        }
    bln_cpu_level_force(-1);
}

/* The same across blocks, by integers. */
TEST(blas, syrk_is_exact_on_integers_across_blocks)
{
    const size_t n = 251, k = 265;
    test_random r = test_random_new(8);
    for (int op = 0; op < 2; op++) {
        const bln_trans op1 = op ? BLN_TRANS : BLN_NOTRANS, op2 = op ? BLN_NOTRANS : BLN_TRANS;
        blas_matrix A = op ? blas_integers(&r, k, n, 2) : blas_integers(&r, n, k, 2), C0 = blas_integers(&r, n, n, 1);
        blas_matrix D = blas_copy(&C0);
        blas_gemm_ref(op1, op2, n, n, k, -1.0, A.at, A.ld, A.at, A.ld, 2.0, D.at, D.ld, 1);
        BLAS_LEVELS(level) {
            blas_matrix C = blas_copy(&C0);
            bln_syrk(op1, n, k, -1.0, A.at, A.ld, 2.0, C.at, C.ld);
            CHECK(!memcmp(C.block, D.block, C.size*sizeof(double)));
            free(C.block);
        }
        free(A.block);
        free(C0.block);
        free(D.block);
    }
    bln_cpu_level_force(-1);
}

/* A part of a product is the same bits as in the whole, wherever it lies. (A BLAS does not promise that.) */
#ifndef BAYESLIN_USE_CBLAS
TEST(blas, gemm_of_a_part_is_part_of_gemm)
{
    static const size_t parts[][4] = { { 0, 1, 0, 1 }, { 3, 50, 7, 90 }, { 11, 12, 30, 61 }, { 20, 150, 1, 25 }, { 8, 9, 0, 131 } };
    const size_t m = 150, n = 131, k = 270;
    test_random r = test_random_new(9);
    for (int op = 0; op < 4; op++) {
        const bln_trans opa = op & 1 ? BLN_TRANS : BLN_NOTRANS, opb = op & 2 ? BLN_TRANS : BLN_NOTRANS;
        blas_matrix A = op & 1 ? blas_random(&r, k, m, 1) : blas_random(&r, m, k, 1);
        blas_matrix B = op & 2 ? blas_random(&r, n, k, 2) : blas_random(&r, k, n, 2);
        BLAS_LEVELS(level) {
            blas_matrix C = blas_new(m, n, 0);
            bln_gemm(opa, opb, m, n, k, 1.0, A.at, A.ld, B.at, B.ld, 0.0, C.at, C.ld);
            for (size_t q = 0; q < BLAS_COUNT(parts); q++) {
                const size_t i0 = parts[q][0], i1 = parts[q][1], j0 = parts[q][2], j1 = parts[q][3];
                blas_matrix D = blas_new(i1 - i0, j1 - j0, 3);
                size_t wrong = 0;
                bln_gemm(opa, opb, i1 - i0, j1 - j0, k, 1.0, A.at + (op & 1 ? i0 : i0*A.ld), A.ld,
                         B.at + (op & 2 ? j0*B.ld : j0), B.ld, 0.0, D.at, D.ld);
                for (size_t i = i0; i < i1; i++)
                    for (size_t j = j0; j < j1; j++) wrong += C.at[i*C.ld + j] != D.at[(i - i0)*D.ld + j - j0];
                CHECK_SIZE(wrong, 0);
                free(D.block);
            }
            free(C.block);
        }
        free(A.block);
        free(B.block);
    }
    bln_cpu_level_force(-1);
}
#endif

TEST(blas, gemv_agrees_with_definition)
{
    test_random r = test_random_new(5);
    size_t turn = 0;
    for (size_t m = 0; m <= 41; m++)
        for (size_t n = 0; n <= 70; n += n < 41 ? 1 : 13, turn++)
            for (int op = 0; op < 2; op++) {
                /* y as a matrix of one column, so that the checks of gemm serve: y = alpha op(A) x + beta y */
                const double alpha = blas_scalars[turn % 4], beta = blas_scalars[turn/4 % 4];
                const size_t in = op ? m : n, out = op ? n : m;
                blas_matrix A = blas_random(&r, m, n, 3), x = blas_random(&r, in, 1, 0), y0 = blas_random(&r, out, 1, 0);
                if (beta == 0.0) for (size_t i = 0; i < out; i++) y0.at[i] = BLAS_NAN;
                BLAS_LEVELS(level) {
                    blas_matrix y = blas_copy(&y0);
                    bln_gemv(op ? BLN_TRANS : BLN_NOTRANS, m, n, alpha, A.at, A.ld, x.at, beta, y.at);
                    blas_check(&y, &y0, op ? BLN_TRANS : BLN_NOTRANS, BLN_NOTRANS, in, alpha, &A, &x, beta, 0);
                    free(y.block);
                }
                free(A.block);
                free(x.block);
                free(y0.block);
            }
    bln_cpu_level_force(-1);
}

TEST(blas, vectors_agree_with_definition)
{
    test_random r = test_random_new(6);
    for (size_t n = 0; n <= 300; n += n < 80 ? 1 : 37) {
        blas_matrix x = blas_random(&r, n, 1, 0), y0 = blas_random(&r, n, 1, 0);
        BLAS_LEVELS(level) {
            long double sum = 0.0L;
            double bound = 0.0, worst = 0.0;
            blas_matrix y = blas_copy(&y0), z = blas_copy(&y0);
            for (size_t i = 0; i < n; i++) {
                sum += (long double)x.at[i]*y.at[i];
                bound += fabs(x.at[i]*y.at[i]);
            }
            CHECK_NEAR(bln_dot(n, x.at, y.at), (double)sum, BLAS_GAMMA(n)*bound);
            bln_axpy(n, 2.385, x.at, y.at);                                      /* two roundings, or one fused */
            bln_scal(n, -0.3, z.at);
            for (size_t i = 0; i < n; i++) {
                const double d = fabs(y.at[i] - (y0.at[i] + 2.385*x.at[i]))/(DBL_EPSILON*(fabs(y0.at[i])
                                                                                          + 2.0*2.385*fabs(x.at[i])));
                if (!(d <= worst)) worst = d;
                if (!(z.at[i] == -0.3*y0.at[i])) worst = 9.0;
            }
            CHECK_LE(worst, 1.0);
            CHECK(blas_rest_kept(&y, &y0, 0) && blas_rest_kept(&z, &y0, 0));
            free(y.block);
            free(z.block);
        }
        free(x.block);
        free(y0.block);
    }
    bln_cpu_level_force(-1);
}

/* The bits of bln_syrk, around the sizes of panels and blocks, with no more room than asked for, for these rows or for more, and
 * whether rows come at once or a few at a time (all at once where parts are refused). */
TEST(blas, gathered_product_is_syrk_to_the_bit)
{
    static const size_t sizes[][3] = {                            /* columns, rows, rows that room was asked for */
        { 7, 30, 30 }, { 257, 1, 1 }, { 264, 264, 264 }, { 265, 265, 265 }, { 300, 100, 100 }, { 521, 600, 600 }, { 264, 264, 265 },
        { 312, 264, 512 }, { 312, 792, 1000 }
    };
    test_random r = test_random_new(11);
    for (size_t c = 0; c < BLAS_COUNT(sizes); c++) {
        const size_t n = sizes[c][0], k = sizes[c][1], lda = n + 1, ldc = n + 3, size = blni_gather_room(n, sizes[c][2]);
        double *A = test_doubles(k*lda), *C0 = test_doubles(n*ldc), *C1 = test_doubles(n*ldc), *C2 = test_doubles(n*ldc);
        double *room = test_doubles(size + 1);
        room[size] = 2.385;
        test_fill_normal(&r, k*lda, A);
        test_fill_normal(&r, n*ldc, C0);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < ldc; j++) if (j < i || j >= n) C0[i*ldc + j] = BLNI_NAN;
        BLAS_LEVELS(level) {
            memcpy(C1, C0, n*ldc*sizeof *C1);
            for (size_t i = 0; i < size; i++) room[i] = BLNI_NAN;
            bln_syrk(BLN_TRANS, n, k, -0.7, A, lda, 1.0, C1, ldc);
            const size_t parts[] = { k, 37, 1 };
            for (size_t s = 0; s < (blni_gather_in_parts(n) ? 3 : 1); s++) {
                memcpy(C2, C0, n*ldc*sizeof *C2);
                blni_gatherer sums;
                blni_gather_begin(&sums, n, k, -0.7, C2, ldc, room);
                for (size_t i = 0; i < k; i += parts[s])
                    blni_gather_rows(&sums, parts[s] < k - i ? parts[s] : k - i, A + i*lda, lda);
                CHECK(!memcmp(C1, C2, n*ldc*sizeof *C1));
                CHECK(room[size] == 2.385);
            }
        }
        free(A); free(C0); free(C1); free(C2); free(room);
    }
    bln_cpu_level_force(-1);
}

/* A matrix in panels gives the bits of bln_gemm, with no more room than asked for. */
TEST(blas, panels_are_gemm_to_the_bit)
{
    static const size_t sizes[][3] = { { 1, 1, 1 }, { 9, 30, 7 }, { 200, 73, 264 }, { 70, 265, 265 }, { 131, 24, 1 } };
    test_random r = test_random_new(12);
    for (size_t c = 0; c < BLAS_COUNT(sizes); c++) {
        const size_t m = sizes[c][0], n = sizes[c][1], k = sizes[c][2], lda = k + 1, ldb = n + 2, ldc = n + 3;
        double *A = test_doubles(m*lda), *B = test_doubles(k*ldb), *C1 = test_doubles(m*ldc), *C2 = test_doubles(m*ldc);
        double *room = test_doubles(blni_panels_room(k, n));
        test_fill_normal(&r, m*lda, A);
        test_fill_normal(&r, k*ldb, B);
        BLAS_LEVELS(level) {
            for (size_t i = 0; i < m*ldc; i++) C1[i] = C2[i] = BLNI_NAN;
            for (size_t i = 0; i < blni_panels_room(k, n); i++) room[i] = BLNI_NAN;
            bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, k, -0.7, A, lda, B, ldb, 0.0, C1, ldc);
            blni_panels_of(k, n, B, ldb, room);
            blni_panels_gemm(m, n, k, -0.7, A, lda, room, C2, ldc);
            CHECK(!memcmp(C1, C2, m*ldc*sizeof *C1));
        }
        free(A); free(B); free(C1); free(C2); free(room);
    }
    bln_cpu_level_force(-1);
}

/* alpha = 0 and k = 0 leave beta C, and do not look at A and B. */
TEST(blas, nothing_to_add)
{
    blas_matrix A = blas_new(9, 9, 0);                                           /* all NaN */
    double C[81], y[9];
    BLAS_LEVELS(level) {
        for (int i = 0; i < 81; i++) C[i] = 2.0;
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, 9, 9, 9, 0.0, A.at, 9, A.at, 9, 0.5, C, 9);
        for (int i = 0; i < 81; i++) CHECK(C[i] == 1.0);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, 9, 9, 0, 1.0, A.at, 9, A.at, 9, -3.0, C, 9);
        for (int i = 0; i < 81; i++) CHECK(C[i] == -3.0);
        bln_syrk(BLN_TRANS, 9, 0, 1.0, A.at, 9, 0.0, C, 9);
        for (int i = 0; i < 81; i++) CHECK(C[i] == (i % 9 >= i/9 ? 0.0 : -3.0));
        for (int i = 0; i < 9; i++) y[i] = 2.0;
        bln_gemv(BLN_TRANS, 9, 9, 0.0, A.at, 9, A.at, 2.0, y);
        for (int i = 0; i < 9; i++) CHECK(y[i] == 4.0);
    }
    free(A.block);
    bln_cpu_level_force(-1);
}

TEST(blas, symmetrise_copies_the_upper_triangle)
{
    test_random r = test_random_new(7);
    for (size_t n = 0; n <= 70; n++) {
        blas_matrix A = blas_random(&r, n, n, 3), B = blas_copy(&A);
        size_t wrong = 0;
        bln_symmetrise(n, A.at, A.ld);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) wrong += A.at[i*A.ld + j] != B.at[(i < j ? i : j)*B.ld + (i < j ? j : i)];
        CHECK_SIZE(wrong, 0);
        CHECK(blas_rest_kept(&A, &B, 0));
        free(A.block);
        free(B.block);
    }
}

#ifdef _OPENMP
/* More threads than processors, sizes that do not divide, each way a product is shared out: by rows, by columns, a triangle; large
 * enough for all of them. The bits of one thread. */
TEST(blas, threads_give_the_same_bits)
{
    static const size_t sizes[][3] = { { 257, 519, 301 }, { 801, 37, 268 }, { 130, 700, 70 }, { 2001, 11, 300 } };
    const int before = omp_get_max_threads();
    for (size_t c = 0; c < BLAS_COUNT(sizes); c++) {
        const size_t m = sizes[c][0], n = sizes[c][1], k = sizes[c][2], largest = m > n ? m : n;
        test_random r = test_random_new(c);
        double *A = test_doubles(largest*k), *B = test_doubles(n*k), *one = test_doubles(largest*largest);
        double *many = test_doubles(largest*largest);
        test_fill_normal(&r, largest*k, A);
        test_fill_normal(&r, n*k, B);
        for (int op = 0; op < 4; op++)
            for (int threads = 2; threads <= 5; threads++) {
                const bln_trans opa = op & 1 ? BLN_TRANS : BLN_NOTRANS, opb = op & 2 ? BLN_TRANS : BLN_NOTRANS;
                for (size_t i = 0; i < largest*largest; i++) one[i] = many[i] = 1.0;
                omp_set_num_threads(1);
                bln_gemm(opa, opb, m, n, k, 0.7, A, op & 1 ? m : k, B, op & 2 ? k : n, 1.0, one, n);
                omp_set_num_threads(threads);
                CHECK(blni_pieces((double)m*(double)n*(double)k, 100) > 1);
                bln_gemm(opa, opb, m, n, k, 0.7, A, op & 1 ? m : k, B, op & 2 ? k : n, 1.0, many, n);
                CHECK(!memcmp(one, many, largest*largest*sizeof *one));
                omp_set_num_threads(1);
                bln_syrk(opa, m, k, -1.0, A, op & 1 ? m : k, 1.0, one, m);
                omp_set_num_threads(threads);
                bln_syrk(opa, m, k, -1.0, A, op & 1 ? m : k, 1.0, many, m);
                CHECK(!memcmp(one, many, largest*largest*sizeof *one));
            }
        free(A); free(B); free(one); free(many);
    }
    omp_set_num_threads(before);
}
#endif

/* Rows that lie 256 numbers apart meet in few sets of the cache, and are packed. */
TEST(blas, strides_of_pages)
{
    static const size_t ms[3] = { 3, 12, 40 };
    test_random r = test_random_new(77);
    for (size_t i = 0; i < 3; i++)
        for (int op = 0; op < 2; op++) {
            const size_t m = ms[i], n = 40, k = 11;
            const bln_trans opa = op ? BLN_TRANS : BLN_NOTRANS;
            blas_matrix A = op ? blas_random(&r, k, m, 256 - m) : blas_random(&r, m, k, 256 - k);
            blas_matrix B = blas_random(&r, k, n, 256 - n), C0 = blas_random(&r, m, n, 3);
            BLAS_LEVELS(level) {
                blas_matrix C = blas_copy(&C0);
                bln_gemm(opa, BLN_NOTRANS, m, n, k, 2.385, A.at, A.ld, B.at, B.ld, 1.0, C.at, C.ld);
                blas_check(&C, &C0, opa, BLN_NOTRANS, k, 2.385, &A, &B, 1.0, 0);
                free(C.block);
            }
            free(A.block);
            free(B.block);
            free(C0.block);
        }
    bln_cpu_level_force(-1);
}

/* The shares of several threads, one after the other, are the product: wide, tall, and an upper triangle. */
TEST(blas, shares)
{
    enum { K = 9 };
    static const size_t sizes[3][2] = { { 20, 70 }, { 70, 20 }, { 70, 70 } };
    test_random r = test_random_new(78);
    for (size_t c = 0; c < 3; c++) {
        const size_t m = sizes[c][0], n = sizes[c][1];
        blas_matrix A = blas_random(&r, m, K, 2), B = blas_random(&r, K, n, 3), C0 = blas_random(&r, m, n, 1);
        BLAS_LEVELS(level) {
            blas_matrix C = blas_copy(&C0);
            const blni_product p = blni_product_of(m, n, K, 1.5, A.at, A.ld, 1, B.at, B.ld, 1, 0, C.at, C.ld, c == 2);
            blni_shares s;
            s.whole = &p;
            s.pieces = 3;
            s.direct = 0;
            for (size_t k = 0; k < 3; k++) blni_multiply_share(&s, k);
            blas_check(&C, &C0, BLN_NOTRANS, BLN_NOTRANS, K, 1.5, &A, &B, 1.0, c == 2);
            free(C.block);
        }
        free(A.block);
        free(B.block);
        free(C0.block);
    }
    bln_cpu_level_force(-1);
}

/* Blocks of columns where no tile fits, or no columns; panels as wide as the widest vectors; a C that no cache line begins. */
TEST(blas, sizes_of_blocks)
{
    const blni_kernels *kernel = blni_kernels_now();
    double b[2*11], panel[16], c[9];
    CHECK_SIZE(blni_block_columns(kernel, 100, BLNI_KC, 1), kernel->lanes);
    CHECK_SIZE(blni_block_columns(kernel, 0, BLNI_KC, 1), kernel->lanes);
    CHECK_SIZE(blni_block_columns(kernel, 5, 1, 1 << 16), 6);
    for (size_t i = 0; i < 22; i++) b[i] = (double)i;
    blni_pack_columns(8, 2, 8, b, 11, 1, panel);
    for (size_t i = 0; i < 16; i++) CHECK(panel[i] == b[i/8*11 + i % 8]);
    blni_product p = blni_product_of(4096, 4096, 8, 1.0, b, 1, 1, b, 1, 1, 1, blni_line(c), 4096, 0);
    CHECK(blni_streams(&p));
    p.C++;
    CHECK(!blni_streams(&p));
}

SUITE_BEGIN(blas)
#ifdef _OPENMP
    SUITE_TEST(blas, threads_give_the_same_bits)
#endif
    SUITE_TEST(blas, definitions_by_hand)
    SUITE_TEST(blas, vectors_agree_with_definition)
    SUITE_TEST(blas, gemv_agrees_with_definition)
    SUITE_TEST(blas, gemm_agrees_with_definition)
    SUITE_TEST(blas, gemm_every_operation_and_scalar)
    SUITE_TEST(blas, gemm_is_exact_on_integers_across_blocks)
    SUITE_TEST(blas, room_for_packing_changes_no_bit)
#ifndef BAYESLIN_USE_CBLAS
    SUITE_TEST(blas, large_product_written_past_the_cache)
#endif
    SUITE_TEST(blas, syrk_agrees_with_definition)
    SUITE_TEST(blas, syrk_is_exact_on_integers_across_blocks)
#ifndef BAYESLIN_USE_CBLAS
    SUITE_TEST(blas, gemm_of_a_part_is_part_of_gemm)
#endif
    SUITE_TEST(blas, gathered_product_is_syrk_to_the_bit)
    SUITE_TEST(blas, panels_are_gemm_to_the_bit)
    SUITE_TEST(blas, nothing_to_add)
    SUITE_TEST(blas, symmetrise_copies_the_upper_triangle)
SUITE_TEST(blas, strides_of_pages)
SUITE_TEST(blas, shares)
SUITE_TEST(blas, sizes_of_blocks)
SUITE_END(blas)
