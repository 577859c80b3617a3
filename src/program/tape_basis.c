/* tape_basis: blocks of features, made for the value and again on the way back, so that the tape keeps none       [programs 39] */
#include "tape_basis.h"
#include "tape_matrix_private.h"
#include "../core/data_private.h"
#include "../basis/basis_private.h"
#include "../math/blas.h"

enum { BLNI_BASIS_ROWS = 64 };

/* Room for a block: the basis bound to theta, its workspace, Phi and dL/dPhi. */
typedef struct blni_basis_block { size_t rows; double *room, *work, *Phi, *F; } blni_basis_block;

BLNI_PRIV blni_basis_block blni_basis_carve(blni_arena *a, const bln_basis *b, size_t n)
{
    blni_basis_block k;
    k.rows = blni_min(n, BLNI_BASIS_ROWS);
    k.room = blni_carve_doubles(a, bln_basis_room(b));
    k.work = blni_carve_doubles(a, bln_basis_work(b, k.rows));
    BLNI_CARVE2(a, blni_mul(k.rows, b->D), k.Phi, k.F);
    return k;
}

/* The same in aux of the node at `aux`, behind the pointer to its basis. */
BLNI_PRIV blni_basis_block blni_basis_block_at(bln_tape *t, uint32_t aux, const bln_basis *b, size_t n)
{
    blni_arena a = blni_arena_over(t->aux + aux + 1, 0);
    return blni_basis_carve(&a, b, n);
}

BLNI_PRIV void blni_basis_reverse(bln_tape *t, const blni_cell *c)
{
    const bln_var X = blni_operand_var(c, 1), W = blni_operand_var(c, 2);
    const size_t n = blni_rows(t, X), d = blni_cols(t, X), m = blni_cols(t, W);
    const double *theta = blni_values(t, blni_operand_var(c, 0)), *x = blni_values(t, X), *w = blni_values(t, W);
    const double *g = t->adj + c->out;
    double *dtheta = blni_matrix_adjoint(t, c, 0), *dx = blni_matrix_adjoint(t, c, 1), *dw = blni_matrix_adjoint(t, c, 2);
    const bln_basis *b;
    memcpy(&b, t->aux + c->b, sizeof b);
    const blni_basis_block k = blni_basis_block_at(t, c->b, b, n);
    const bln_basis *at = bln_basis_bind(b, theta, k.room);
    for (size_t i = 0; i < n; i += k.rows) {
        const size_t r = blni_min(k.rows, n - i);
        bln_basis_features(at, theta, r, x + i*d, d, k.Phi, b->D, k.work);
        if (dw && m == 1) bln_gemv(BLN_TRANS, r, b->D, 1.0, k.Phi, b->D, g + i, 1.0, dw);
        else if (dw) bln_gemm(BLN_TRANS, BLN_NOTRANS, b->D, m, r, 1.0, k.Phi, b->D, g + i*m, m, 1.0, dw, m);
        if (!dtheta && !dx) continue;
        bln_gemm(BLN_NOTRANS, BLN_TRANS, r, b->D, m, 1.0, g + i*m, m, w, m, 0.0, k.F, b->D);
        bln_basis_pullback(at, theta, r, x + i*d, d, k.Phi, b->D, k.F, b->D, dtheta, dx ? dx + i*d : NULL, d, k.work);
    }
    bln_basis_settle(at, theta, dtheta);
}

BLNI_TABLE const blni_node_kind blni_basis_kind = { "bln_v_basis", blni_basis_reverse };

/* Why not, or NULL. */
BLNI_PRIV const char *blni_basis_node_refused(bln_tape *t, const bln_basis *b, const bln_var *in, bln_status *status)
{
    *status = BLN_EINVAL;
    const char *why = b ? bln_basis_check(b) : "basis is NULL";
    if (why) return why;
    if (!blni_is_constant(in[1]) && !blni_basis_has_slope(b)) return "the basis has no slopes in its inputs";
    if (!blni_is_constant(in[0]) && b->n_theta && !b->ops->pullback) return "the basis has no pullback, so no slopes in theta";
    *status = BLN_ESHAPE;
    if (blni_size(t, in[0]) != b->n_theta) return "theta has not the basis's number of parameters";
    if (!blni_basis_fits(b, blni_cols(t, in[1]))) return "X has not the basis's number of inputs";
    if (blni_rows(t, in[2]) != b->D) return "W has not a row for each feature";
    *status = BLN_EDOMAIN;
    if (!blni_theta_usable(b, blni_values(t, in[0]))) return "theta is outside of its domain";
    return blni_is_constant(in[1]) || blni_all_finite(blni_size(t, in[1]), blni_values(t, in[1])) ? NULL : "X is not finite";
}

BLN_API bln_var bln_v_basis(bln_tape *t, const bln_basis *basis, bln_var theta, bln_var X, bln_var W)
{
    const bln_var none = blni_var(BLNI_CONSTANT, 1);
    blni_arena count = blni_arena_over(NULL, 0);
    bln_status status;
    bln_var in[3] = { theta, X, W };
    if (!blni_tape_ready(t, blni_basis_kind.name, 3, in)) return none;
    const char *why = blni_basis_node_refused(t, basis, in, &status);
    if (why) {
        t->constant_fault |= status == BLN_EDOMAIN && blni_is_constant(theta) && blni_is_constant(X);
        return blni_tape_fail(t, status, blni_basis_kind.name, why);
    }
    const size_t n = blni_rows(t, X), d = blni_cols(t, X), m = blni_cols(t, W), D = basis->D;
    blni_basis_carve(&count, basis, n);
    const size_t doubles = blni_add(1, blni_doubles(count.used));
    if (!blni_tape_room(t, blni_mul(n, m), doubles, 5)) return none;
    const uint32_t at = blni_tape_take(t, n*m), aux = blni_tape_take_aux(t, doubles);
    memcpy(t->aux + aux, &basis, sizeof basis);
    const blni_basis_block k = blni_basis_block_at(t, aux, basis, n);
    const double *eta = blni_values(t, theta), *x = blni_values(t, X), *w = blni_values(t, W);
    const bln_basis *bound = bln_basis_bind(basis, eta, k.room);
    double *f = t->val + at;
    for (size_t i = 0; i < n; i += k.rows) {
        const size_t r = blni_min(k.rows, n - i);
        bln_basis_features(bound, eta, r, x + i*d, d, k.Phi, D, k.work);
        if (m == 1) bln_gemv(BLN_NOTRANS, r, D, 1.0, k.Phi, D, w, 0.0, f + i);
        else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, r, m, D, 1.0, k.Phi, D, w, m, 0.0, f + i*m, m);
    }
    bln_basis_settle(bound, eta, NULL);
    return blni_tape_node(t, &blni_basis_kind, 3, in, blni_matrix_of(t, at, n, m), aux, 0, NULL);
}
