/* tape_matrix: each node keeps in aux what its reverse needs, so that the reverse allocates nothing          [programs 23] */
#include "tape_matrix_private.h"
#include "tape_array_private.h"
#include "../basis/kernel_private.h"
#include "../math/cholesky.h"

/* ---- sizes */

/* "bln_v_gemv (call 3): A is 8 x 2, x is 3 x 1" */
BLNI_COLD BLNI_PRIV void blni_matrix_misfit(bln_tape *t, const char *call, const char *a, bln_var A, const char *b, bln_var B)
{
    const size_t size[4] = { blni_rows(t, A), blni_cols(t, A), blni_rows(t, B), blni_cols(t, B) };
    blni_tape_fail(t, BLN_ESHAPE, call, a);
    for (int i = 0; i < 4; i++) {
        if (i == 2) { blni_tape_say(t, ", "); blni_tape_say(t, b); }
        blni_tape_say_with(t, i % 2 ? " x " : " is ", size[i]);
    }
}

/* Is it square? */
BLNI_PRIV int blni_matrix_square(bln_tape *t, const char *call, const char *name, bln_var A)
{
    if (blni_rows(t, A) == blni_cols(t, A)) return 1;
    blni_tape_fail(t, BLN_ESHAPE, call, name);
    blni_tape_say_with(t, " must be square: it is ", blni_rows(t, A));
    blni_tape_say_with(t, " x ", blni_cols(t, A));
    return 0;
}

BLNI_PRIV bln_var blni_matrix_of(bln_tape *t, uint32_t at, size_t rows, size_t cols)
{
    return cols == 1 ? blni_var(at, (uint32_t)rows) : blni_tape_matrix(t, at, rows, cols);
}

/* The adjoint of operand i, or NULL of a constant. */
BLNI_PRIV double *blni_matrix_adjoint(bln_tape *t, const blni_cell *c, size_t i)
{
    const blni_cell *o = blni_operand(c, i);
    return o->op & BLNI_CONSTANT ? NULL : t->adj + o->op;
}

/* ---- products */

/* extra: opa, and 2 times opb. */
BLNI_PRIV void blni_gemm_reverse(bln_tape *t, const blni_cell *c)
{
    const bln_var A = blni_operand_var(c, 0), B = blni_operand_var(c, 1);
    const bln_trans opa = (bln_trans)(c[-1].a & 1), opb = (bln_trans)(c[-1].a >> 1);
    const size_t lda = blni_cols(t, A), ldb = blni_cols(t, B), m = opa ? lda : blni_rows(t, A), k = opa ? blni_rows(t, A) : lda;
    const size_t n = opb ? blni_rows(t, B) : ldb;
    const double *g = t->adj + c->out, *a = blni_values(t, A), *b = blni_values(t, B);
    double *dA = blni_matrix_adjoint(t, c, 0), *dB = blni_matrix_adjoint(t, c, 1);
    const bln_trans no = BLN_NOTRANS, yes = BLN_TRANS;
    if (dA && !opa) bln_gemm(no, opb ? no : yes, m, k, n, 1.0, g, n, b, ldb, 1.0, dA, lda);
    if (dA && opa) bln_gemm(opb ? yes : no, yes, k, m, n, 1.0, b, ldb, g, n, 1.0, dA, lda);
    if (dB && n == 1) bln_gemv(opa ? no : yes, blni_rows(t, A), lda, 1.0, a, lda, g, 1.0, dB);
    else if (dB && !opb) bln_gemm(opa ? no : yes, no, k, n, m, 1.0, a, lda, g, n, 1.0, dB, ldb);
    else if (dB) bln_gemm(yes, opa ? yes : no, n, k, m, 1.0, g, n, a, lda, 1.0, dB, ldb);
}
BLNI_TABLE const blni_node_kind blni_gemm_kind = { "bln_v_gemm", blni_gemm_reverse };
BLNI_TABLE const blni_node_kind blni_gemv_kind = { "bln_v_gemv", blni_gemm_reverse };

BLNI_PRIV bln_var blni_matrix_product(bln_tape *t, const blni_node_kind *kind, bln_trans opa, bln_var A, bln_trans opb, bln_var B)
{
    bln_var in[2] = { A, B };
    if (!blni_tape_ready(t, kind->name, 2, in)) return blni_var(BLNI_CONSTANT, 1);
    const size_t ra = blni_rows(t, A), ca = blni_cols(t, A), rb = blni_rows(t, B), cb = blni_cols(t, B);
    const size_t m = opa ? ca : ra, k = opa ? ra : ca, n = opb ? rb : cb;
    if ((opb ? cb : rb) != k) {
        blni_matrix_misfit(t, kind->name, "A", A, kind == &blni_gemv_kind ? "x" : "B", B);
        return blni_var(BLNI_CONSTANT, 1);
    }
    if (!blni_tape_room(t, blni_mul(m, n), 0, 4)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, m*n);
    if (n == 1) bln_gemv(opa, ra, ca, 1.0, blni_values(t, A), ca, blni_values(t, B), 0.0, t->val + at);
    else bln_gemm(opa, opb, m, n, k, 1.0, blni_values(t, A), ca, blni_values(t, B), cb, 0.0, t->val + at, n);
    return blni_tape_node(t, kind, 2, in, blni_matrix_of(t, at, m, n), 0, (uint32_t)opa | (uint32_t)opb << 1, NULL);
}

BLN_API bln_var bln_v_gemm(bln_tape *t, bln_trans opa, bln_var A, bln_trans opb, bln_var B)
{
    return blni_matrix_product(t, &blni_gemm_kind, opa, A, opb, B);
}
BLN_API bln_var bln_v_gemv(bln_tape *t, bln_var A, bln_var x)
{
    return blni_matrix_product(t, &blni_gemv_kind, BLN_NOTRANS, A, BLN_NOTRANS, x);
}

/* b gets the sums of columns.                                                                                [programs 35] */
BLNI_PRIV void blni_affine_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t n = blni_rows(t, blni_operand_var(c, 0)), m = blni_cols(t, blni_operand_var(c, 1));
    const double *g = t->adj + c->out;
    double *db = blni_matrix_adjoint(t, c, 2);
    blni_gemm_reverse(t, c);                                     /* extra: 0 */
    if (db && m == 1) *db += blni_tape_sum(n, g);
    else for (size_t i = 0; i < n && db; i++) bln_axpy(m, 1.0, g + i*m, db);
}
BLNI_TABLE const blni_node_kind blni_affine_kind = { "bln_v_affine", blni_affine_reverse };

BLN_API bln_var bln_v_affine(bln_tape *t, bln_var X, bln_var W, bln_var b)
{
    static const char *const name = "bln_v_affine";
    bln_var in[3] = { X, W, b };
    if (!blni_tape_ready(t, name, 3, in)) return blni_var(BLNI_CONSTANT, 1);
    const size_t n = blni_rows(t, X), k = blni_cols(t, X), m = blni_cols(t, W);
    if (blni_rows(t, W) != k) { blni_matrix_misfit(t, name, "X", X, "W", W); return blni_var(BLNI_CONSTANT, 1); }
    if (blni_size(t, b) != m) { blni_matrix_misfit(t, name, "W", W, "b", b); return blni_var(BLNI_CONSTANT, 1); }
    if (!blni_tape_room(t, blni_mul(n, m), 0, 5)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n*m);
    const double *bias = blni_values(t, b);
    double *y = t->val + at;
    if (m == 1) for (size_t i = 0; i < n; i++) y[i] = *bias;
    else for (size_t i = 0; i < n; i++) memcpy(y + i*m, bias, m*sizeof *y);
    if (m == 1) bln_gemv(BLN_NOTRANS, n, k, 1.0, blni_values(t, X), k, blni_values(t, W), 1.0, y);
    else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, m, k, 1.0, blni_values(t, X), k, blni_values(t, W), m, 1.0, y, m);
    return blni_tape_node(t, &blni_affine_kind, 3, in, blni_matrix_of(t, at, n, m), 0, 0, NULL);
}

BLNI_PRIV void blni_diagonal_reverse(bln_tape *t, const blni_cell *c)
{
    const double *g = t->adj + c->out;
    double *dA = blni_matrix_adjoint(t, c, 0), *dx = blni_matrix_adjoint(t, c, 1);
    const size_t n = blni_rows(t, blni_operand_var(c, 0)), step = blni_operand(c, 1)->out != 1;
    if (dA) bln_axpy(c->a, 1.0, g, dA);
    for (size_t i = 0; i < n && dx; i++) dx[i*step] += g[i*n + i];
}
BLNI_TABLE const blni_node_kind blni_diagonal_kind = { "bln_v_add_diagonal", blni_diagonal_reverse };

BLN_API bln_var bln_v_add_diagonal(bln_tape *t, bln_var A, bln_var x)
{
    static const char *const name = "bln_v_add_diagonal";
    bln_var in[2] = { A, x };
    if (!blni_tape_ready(t, name, 2, in) || !blni_matrix_square(t, name, "A", A)) return blni_var(BLNI_CONSTANT, 1);
    const size_t n = blni_rows(t, A), m = blni_size(t, x);
    if (m != n && m != 1) { blni_matrix_misfit(t, name, "A", A, "x", x); return blni_var(BLNI_CONSTANT, 1); }
    if (!blni_tape_room(t, n*n, 0, 4)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n*n);
    const double *d = blni_values(t, x);
    if (n) memcpy(t->val + at, blni_values(t, A), n*n*sizeof(double));
    for (size_t i = 0; i < n; i++) t->val[at + i*n + i] += d[m == 1 ? 0 : i];
    return blni_tape_node(t, &blni_diagonal_kind, 2, in, blni_matrix_of(t, at, n, n), 0, 0, NULL);
}

/* ---- factors */

/* dA += of a factor: with P the lower triangle of U dU', its diagonal halved, S = U^-1 P U^-T, the upper triangle of S + S', its
 * diagonal halved; by products and solves of the whole matrix, in 2 n^2 numbers of aux.                      [Murray 2016] */
BLNI_PRIV void blni_cholesky_reverse(bln_tape *t, const blni_cell *c)
{
    const size_t n = blni_rows(t, blni_operand_var(c, 0));
    const double *U = t->val + c->out, *g = t->adj + c->out;
    double *P = t->aux + c->b, *Q = P + n*n, *dA = t->adj + blni_operand(c, 0)->op;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) Q[i*n + j] = j < i ? 0.0 : g[i*n + j];
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, n, n, 1.0, U, n, Q, n, 0.0, P, n);
    for (size_t i = 0; i < n; i++) {
        P[i*n + i] *= 0.5;
        for (size_t j = i + 1; j < n; j++) P[i*n + j] = 0.0;
    }
    bln_trsm(BLN_NOTRANS, n, n, U, n, P, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) Q[j*n + i] = P[i*n + j];
    bln_trsm(BLN_NOTRANS, n, n, U, n, Q, n);
    for (size_t i = 0; i < n; i++) {
        dA[i*n + i] += Q[i*n + i];
        for (size_t j = i + 1; j < n; j++) dA[i*n + j] += Q[i*n + j] + Q[j*n + i];
    }
}
BLNI_TABLE const blni_node_kind blni_cholesky_kind = { "bln_v_cholesky", blni_cholesky_reverse };

/* U <- the factor of the upper triangle of A; 0, and the tape has failed, where there is none. */
BLNI_PRIV int blni_matrix_factor(bln_tape *t, const char *call, size_t n, const double *A, double *U, int constant)
{
    size_t bad = 0;
    if (n) memcpy(U, A, n*n*sizeof *U);
    for (size_t i = 1; i < n; i++) memset(U + i*n, 0, i*sizeof *U);
    if (bln_potrf(n, U, n, &bad) == BLN_OK) return 1;
    t->constant_fault |= constant;
    blni_tape_fail(t, BLN_ENOTPD, call, "the matrix is not positive definite, pivot ");
    blni_tape_say_size(t, bad);
    return 0;
}

BLN_API bln_var bln_v_cholesky(bln_tape *t, bln_var A)
{
    static const char *const name = "bln_v_cholesky";
    if (!blni_tape_ready(t, name, 1, &A) || !blni_matrix_square(t, name, "A", A)) return blni_var(BLNI_CONSTANT, 1);
    const size_t n = blni_rows(t, A), work = t->gradient ? 2*n*n : 0;
    if (!blni_tape_room(t, n*n, work, 3)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n*n), aux = blni_tape_take_aux(t, work);
    if (!blni_matrix_factor(t, name, n, blni_values(t, A), t->val + at, blni_is_constant(A))) return blni_var(BLNI_CONSTANT, 1);
    return blni_tape_node(t, &blni_cholesky_kind, 1, &A, blni_matrix_of(t, at, n, n), aux, 0, NULL);
}

/* X = op(U)^-1 B: dB = op(U)^-T dX, dU -= dB X' or, of the transpose, X dB', upper.   extra: op */
BLNI_PRIV void blni_solve_reverse(bln_tape *t, const blni_cell *c)
{
    const bln_var U = blni_operand_var(c, 0);
    const bln_trans op = (bln_trans)c[-1].a;
    const size_t n = blni_rows(t, U), m = c->a/blni_max(n, 1);
    double *W = t->aux + c->b, *dU = blni_matrix_adjoint(t, c, 0), *dB = blni_matrix_adjoint(t, c, 1);
    const double *X = t->val + c->out;
    if (c->a == 0) return;
    memcpy(W, t->adj + c->out, c->a*sizeof *W);
    bln_trsm(op == BLN_TRANS ? BLN_NOTRANS : BLN_TRANS, n, m, blni_values(t, U), n, W, m);
    if (dB) bln_axpy(c->a, 1.0, W, dB);
    for (size_t i = 0; i < n && dU; i++)
        for (size_t j = i; j < n; j++)
            dU[i*n + j] -= op == BLN_TRANS ? bln_dot(m, X + i*m, W + j*m) : bln_dot(m, W + i*m, X + j*m);
}
BLNI_TABLE const blni_node_kind blni_solve_kind = { "bln_v_solve_factor", blni_solve_reverse };

BLN_API bln_var bln_v_solve_factor(bln_tape *t, bln_trans op, bln_var U, bln_var B)
{
    static const char *const name = "bln_v_solve_factor";
    bln_var in[2] = { U, B };
    if (!blni_tape_ready(t, name, 2, in) || !blni_matrix_square(t, name, "U", U)) return blni_var(BLNI_CONSTANT, 1);
    const size_t n = blni_rows(t, U), m = blni_cols(t, B);
    if (blni_rows(t, B) != n) { blni_matrix_misfit(t, name, "U", U, "B", B); return blni_var(BLNI_CONSTANT, 1); }
    if (!blni_tape_room(t, n*m, n*m, 4)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n*m), aux = blni_tape_take_aux(t, n*m);
    const size_t size = n*m;
    if (size) memcpy(t->val + at, blni_values(t, B), size*sizeof(double));
    bln_trsm(op, n, m, blni_values(t, U), n, t->val + at, m);
    return blni_tape_node(t, &blni_solve_kind, 2, in, blni_matrix_of(t, at, n, m), aux, (uint32_t)op, NULL);
}

BLNI_PRIV void blni_logdet_reverse(bln_tape *t, const blni_cell *c)
{
    const bln_var U = blni_operand_var(c, 0);
    const size_t n = blni_rows(t, U);
    for (size_t i = 0; i < n; i++) t->adj[U.at + i*n + i] += 2.0*t->adj[c->out]/t->val[U.at + i*n + i];
}
BLNI_TABLE const blni_node_kind blni_logdet_kind = { "bln_v_logdet_factor", blni_logdet_reverse };

BLN_API bln_var bln_v_logdet_factor(bln_tape *t, bln_var U)
{
    static const char *const name = "bln_v_logdet_factor";
    if (!blni_tape_ready(t, name, 1, &U) || !blni_matrix_square(t, name, "U", U) || !blni_tape_room(t, 1, 0, 3))
        return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, 1);
    t->val[at] = bln_logdet_factor(blni_rows(t, U), blni_values(t, U), blni_rows(t, U));
    return blni_tape_node(t, &blni_logdet_kind, 1, &U, blni_var(at, 1), 0, 0, NULL);
}

/* ---- kernels */

/* What the way back needs, at the beginning of aux; d length scales, G and work follow. */
typedef struct blni_kernel_note { blni_kernel_desc desc; const double *X; size_t n; } blni_kernel_note;
enum { BLNI_KERNEL_NOTE = (sizeof(blni_kernel_note) + sizeof(double) - 1)/sizeof(double) };

BLNI_PRIV void blni_kernel_reverse(bln_tape *t, const blni_cell *c)
{
    blni_kernel_note k;
    double *length = t->aux + c->b + BLNI_KERNEL_NOTE, *dsd = blni_matrix_adjoint(t, c, 0), *dl = blni_matrix_adjoint(t, c, 1);
    memcpy(&k, t->aux + c->b, sizeof k);
    double *sums = length + k.desc.d, *G = sums + k.desc.d, along = 0.0;
    const double *g = t->adj + c->out, *K = t->val + c->out, sd = blni_values(t, blni_operand_var(c, 0))[0];
    k.desc.length_scale = length;
    for (size_t i = 0; i < k.n; i++)
        for (size_t j = i; j < k.n; j++) {
            const double both = g[i*k.n + j] + (i == j ? 0.0 : g[j*k.n + i]);
            along += both*K[i*k.n + j];
            G[i*k.n + j] = both*sd*sd;
        }
    if (dsd && sd != 0.0) *dsd += 2.0*along/sd;
    if (!dl) return;
    for (size_t i = 0; i < k.desc.d; i++) sums[i] = 0.0;
    blni_kernel_pairs_pullback(&k.desc, k.n, k.X, k.desc.d, G, k.n, sums, G + k.n*k.n);
    for (size_t i = 0; i < k.desc.d; i++) dl[blni_operand(c, 1)->out == 1 ? 0 : i] += sums[i];
}
BLNI_TABLE const blni_node_kind blni_kernel_kind = { "bln_v_kernel", blni_kernel_reverse };

BLN_API bln_var bln_v_kernel(bln_tape *t, bln_kernel kernel, double shape, const double *X, size_t n, size_t d, bln_var sd,
                             bln_var length)
{
    static const char *const name = "bln_v_kernel";
    blni_kernel_note k;
    bln_var in[2] = { sd, length };
    if (!blni_tape_ready(t, name, 2, in)) return blni_var(BLNI_CONSTANT, 1);
    memset(&k, 0, sizeof k);
    k.desc.kernel = kernel;
    k.desc.shape = blni_kernel_shape_of(kernel, shape);
    k.desc.d = d;
    k.X = X;
    k.n = n;
    const char *why = !X || d == 0 ? "X is NULL, or has no columns" : blni_kernel_check(kernel, shape, 1.0);
    const size_t lengths = blni_size(t, length), work = blni_add(blni_kernel_work(&k.desc, n), blni_mul(n, n));
    if (why) return blni_tape_fail(t, BLN_EINVAL, name, why);
    if (blni_size(t, sd) != 1) return blni_tape_fail(t, BLN_ESHAPE, name, "sd is no scalar");
    if (!blni_tape_look(t, name, X, n, d)) return blni_var(BLNI_CONSTANT, 1);
    if (lengths != d && lengths != 1) return blni_tape_fail(t, BLN_ESHAPE, name,
                                                            "length is neither one number nor one for each input");
    if (!blni_tape_room(t, blni_mul(n, n), blni_add(blni_add(BLNI_KERNEL_NOTE, blni_mul(2, d)), work), 4))
        return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n*n), aux = blni_tape_take_aux(t, BLNI_KERNEL_NOTE + 2*d + work);
    double *l = t->aux + aux + BLNI_KERNEL_NOTE, *K = t->val + at;
    const double scale = blni_values(t, sd)[0];
    for (size_t i = 0; i < d; i++) {
        l[i] = blni_values(t, length)[lengths == 1 ? 0 : i];
        if (l[i] > 0.0) continue;
        t->constant_fault |= blni_is_constant(length);
        return blni_tape_fail(t, BLN_EDOMAIN, name, "length must be > 0");
    }
    memcpy(t->aux + aux, &k, sizeof k);
    k.desc.length_scale = l;
    blni_kernel_pairs(&k.desc, n, X, d, K, n, l + 2*d + n*n);
    for (size_t i = 0; i < n; i++) bln_scal(n - i, scale*scale, K + i*n + i);
    bln_symmetrise(n, K, n);
    return blni_tape_node(t, &blni_kernel_kind, 2, in, blni_matrix_of(t, at, n, n), aux, 0, NULL);
}

/* ---- the normal distribution */

BLNI_TABLE const blni_node_kind blni_multi_normal_kind = { "bln_lp_multi_normal", blni_sum_reverse };
BLNI_TABLE const blni_node_kind blni_multi_factor_kind = { "bln_lp_multi_normal_factor", blni_sum_reverse };

/* The slope of the log density of m rows in K: the upper triangle of sum a a' - m K^-1, its diagonal halved, in place of the factor
 * W. a: m x n, K^-1 (x - mean). */
BLNI_PRIV void blni_covariance_slope(size_t n, size_t m, const double *a, double *W)
{
    bln_trtri(n, W, n);
    bln_lauum(n, W, n, W, n);
    bln_syrk(BLN_TRANS, n, m, 1.0, a, n, -(double)m, W, n);
    for (size_t i = 0; i < n; i++) W[i*n + i] *= 0.5;
}

/* d log p/dU += z w' - diag 1/U_ii, upper; z = U^-T (x - mean), w = U^-1 z, a row each. */
BLNI_PRIV void blni_factor_slope(size_t n, const double *z, const double *w, const double *U, double *dU)
{
    for (size_t i = 0; i < n; i++) {
        bln_axpy(n - i, z[i], w + i, dU + i*n + i);
        dU[i*n + i] -= 1.0/U[i*n + i];
    }
}

/* M: the covariance, or its factor. */
BLNI_PRIV void blni_multi_normal(bln_tape *t, const blni_node_kind *kind, bln_var x, bln_var mean, bln_var M)
{
    const int of_factor = kind == &blni_multi_factor_kind;
    bln_var in[3] = { x, mean, M };
    uint32_t aux[3] = { 0, 0, 0 };
    double total = 0.0;
    if (!blni_tape_ready(t, kind->name, 3, in) || !blni_matrix_square(t, kind->name, of_factor ? "U" : "K", M)) return;
    const size_t n = blni_rows(t, M), means = blni_size(t, mean), all = blni_size(t, x);
    const size_t m = blni_cols(t, x) == n ? blni_rows(t, x) : 1;
    if (all != m*n) { blni_matrix_misfit(t, kind->name, "x", x, of_factor ? "U" : "K", M); return; }
    if (means != n && means != 1) { blni_matrix_misfit(t, kind->name, "mean", mean, of_factor ? "U" : "K", M); return; }
    if (!blni_tape_room(t, 0, blni_add(n*n + 2*n, blni_add(all, means)), 5)) return;
    aux[2] = blni_tape_take_aux(t, n*n);                         /* the factor, and then the slopes of M */
    aux[1] = blni_tape_take_aux(t, means);
    aux[0] = blni_tape_take_aux(t, all);                         /* x - mean, K^-1 of it, and minus that */
    const double *v = blni_values(t, x), *mu = blni_values(t, mean), *U = blni_values(t, M);
    double *a = t->aux + aux[0], *dmean = t->aux + aux[1], *W = t->aux + aux[2], *z = t->aux + blni_tape_take_aux(t, 2*n);
    if (!of_factor && !blni_matrix_factor(t, kind->name, n, U, W, blni_is_constant(M))) return;
    if (of_factor) memset(W, 0, n*n*sizeof *W);
    else U = W;
    const double constant = -0.5*(bln_logdet_factor(n, U, n) + (double)n*BLNI_LOG_2PI);
    for (size_t i = 0; i < means; i++) dmean[i] = 0.0;
    for (size_t r = 0; r < m; r++, a += n) {
        for (size_t i = 0; i < n; i++) z[i] = v[r*n + i] - mu[means == 1 ? 0 : i];
        bln_trsv(BLN_TRANS, n, U, n, z);
        const double lp = constant - 0.5*bln_dot(n, z, z);
        blni_tape_keep_rows(t, 1, &lp);
        total += lp;
        if (!t->gradient) continue;
        memcpy(a, z, n*sizeof *a);
        bln_trsv(BLN_NOTRANS, n, U, n, a);
        for (size_t i = 0; i < n; i++) dmean[means == 1 ? 0 : i] += a[i];
        if (of_factor && !blni_is_constant(M)) blni_factor_slope(n, z, a, U, W);
    }
    t->target[t->term] += total;
    if (!t->gradient) return;
    a = t->aux + aux[0];
    if (!of_factor && !blni_is_constant(M)) blni_covariance_slope(n, m, a, W);
    bln_scal(all, -1.0, a);
    blni_tape_node(t, kind, 3, in, blni_var(1 + t->term, 1), 0, 0, aux);
}

BLN_API void bln_lp_multi_normal(bln_tape *t, bln_var x, bln_var mean, bln_var K)
{
    blni_multi_normal(t, &blni_multi_normal_kind, x, mean, K);
}
BLN_API void bln_lp_multi_normal_factor(bln_tape *t, bln_var x, bln_var mean, bln_var U)
{
    blni_multi_normal(t, &blni_multi_factor_kind, x, mean, U);
}
