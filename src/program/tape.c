/* tape: recorded anew in each evaluation, which costs no more than replaying and lets models branch. Values, adjoints, slopes and
 * operations lie in four arrays, which grow during the first evaluations and then keep their size. The sweep goes through the
 * operations from the last to the first and only adds to adjoints.
 *
 * A density computes its slopes in the forward pass, where all that they need is at hand; its reverse is a sum. The adjoint of a
 * constant scalar is written and never read, which is cheaper than a test.                                   [programs 22, 23] */
#include "tape_private.h"
#include "../core/data_private.h"
#include "../math/decimal.h"
#include "../random/rng_private.h"

/* ---- failures */

/* The first failure stays. No place is known from then on (len = 0), so that all calls go the slow way, which returns. */
BLNI_COLD BLNI_PRIV bln_var blni_tape_fail(bln_tape *t, bln_status status, const char *call, const char *reason)
{
    if (t->status == BLN_OK) {
        t->status = status;
        blni_refuse(&t->report, status, call);
        blni_say(&t->report, " (call ");
        blni_say_size(&t->report, t->calls);
        blni_say(&t->report, "): ");
        blni_say(&t->report, reason);
    }
    t->len = 0;
    return blni_var(BLNI_CONSTANT, 1);
}

/* More words on the failure that was just noted. */
BLNI_COLD BLNI_PRIV void blni_tape_say(bln_tape *t, const char *text) { blni_say(&t->report, text); }
BLNI_COLD BLNI_PRIV void blni_tape_say_size(bln_tape *t, size_t value) { blni_say_size(&t->report, value); }
BLNI_COLD BLNI_PRIV void blni_tape_say_with(bln_tape *t, const char *text, size_t value)
{
    blni_say(&t->report, text);
    blni_say_size(&t->report, value);
}
BLNI_COLD BLNI_PRIV void blni_tape_say_number(bln_tape *t, double value)
{
    char text[BLN_DECIMAL_TEXT];
    bln_decimal_write(value, 6, text);
    blni_say(&t->report, text);
}

/* ---- memory */

/* `old` in a block with room for more than `need`, or NULL, and the tape has failed. */
BLNI_COLD BLNI_PRIV void *blni_tape_grow(bln_tape *t, void *old, size_t used, size_t *room, size_t need, size_t unit)
{
    const size_t more = blni_max(need, blni_min(blni_max(64, blni_add(*room, *room/2)), BLNI_PLACE));
    void *block = NULL;
    if (need > BLNI_PLACE) {
        blni_tape_fail(t, BLN_EOVERFLOW, "tape", "more than 2^30 numbers or operations: use arrays, or bln_lp_rows");
        return NULL;
    }
    const bln_status status = blni_take(&t->alloc, blni_mul(more, unit), "tape", &block, t->status == BLN_OK ? &t->report : NULL);
    if (status != BLN_OK) {
        if (t->status == BLN_OK) t->status = status;
        t->len = 0;
        return NULL;
    }
    if (used) memcpy(block, old, used*unit);
    blni_release(&t->alloc, old, *room*unit);
    *room = more;
    return block;
}

/* fits and quick, when an evaluation begins and whenever room, pointwise or elements change in it. */
BLNI_PRIV void blni_tape_fit(bln_tape *t)
{
    t->fits = t->naming ? 0 : (uint32_t)t->val_room - 2;
    t->quick = t->pointwise || t->elements || t->checking ? 0 : t->fits;
}

/* Takes memory, so that there is room for so much more. */
BLNI_COLD BLNI_PRIV int blni_tape_enlarge(bln_tape *t, size_t val, size_t aux, size_t cells)
{
    void *p;
    if (t->status != BLN_OK) return 0;
    val = blni_add(val, t->len);
    aux = blni_add(aux, t->n_aux);
    cells = blni_add(cells, t->n_cell);
    if (val > t->val_room) {
        if (!(p = blni_tape_grow(t, t->val, t->len, &t->val_room, val, sizeof *t->val))) return 0;
        t->val = (double *)p;
    }
    if (aux > t->aux_room) {
        if (!(p = blni_tape_grow(t, t->aux, t->n_aux, &t->aux_room, aux, sizeof *t->aux))) return 0;
        t->aux = (double *)p;
    }
    if (cells > t->cell_room) {
        if (!(p = blni_tape_grow(t, t->cell, t->n_cell, &t->cell_room, cells, sizeof *t->cell))) return 0;
        t->cell = (blni_cell *)p;
    }
    blni_tape_fit(t);
    return 1;
}

/* For a result and two slopes. Not cold: gcc would take all that follows such a call to be cold too. */
BLNI_NOINLINE BLNI_PRIV int blni_scalar_more(bln_tape *t) { return blni_tape_enlarge(t, 3, 0, 1); }

/* Begins an evaluation. */
BLNI_PRIV void blni_tape_reset(bln_tape *t, int gradient)
{
    t->len = t->n_cell = t->n_outside = t->n_shape = t->n_aux = t->calls = 0;
    t->term = BLNI_TERM_PRIOR;
    t->after_prior = 0;
    memset(t->used, 0, sizeof t->used);
    t->used[BLNI_TERM_PRIOR] = 1;
    t->gradient = gradient;
    t->elements = t->constant_fault = 0;
    t->n_pointwise = 0;
    t->status = BLN_OK;
    memset(t->target, 0, sizeof t->target);
    if (!blni_tape_room(t, BLNI_FIRST_PLACE, 1, 0)) return;                      /* aux is never NULL, which takes no offset */
    blni_tape_fit(t);
    t->len = BLNI_FIRST_PLACE;
    memset(t->val, 0, BLNI_FIRST_PLACE*sizeof *t->val);
}

BLNI_PRIV void blni_tape_release(bln_tape *t)
{
    blni_release(&t->alloc, t->val, t->val_room*sizeof *t->val);
    blni_release(&t->alloc, t->adj, t->adj_room*sizeof *t->adj);
    blni_release(&t->alloc, t->aux, t->aux_room*sizeof *t->aux);
    blni_release(&t->alloc, t->cell, t->cell_room*sizeof *t->cell);
    blni_release(&t->alloc, t->outside, t->outside_room*sizeof *t->outside);
    blni_release(&t->alloc, t->shape, t->shape_room*sizeof *t->shape);
}

/* ---- handles */

BLNI_PRIV int blni_tape_known(bln_tape *t, bln_var x)
{
    const size_t place = x.at & BLNI_PLACE;
    if (x.n & BLNI_MATRIX && (x.n & ~BLNI_MATRIX) >= t->n_shape) return 0;
    const size_t n = blni_size(t, x);
    if (x.at & BLNI_OUTSIDE) return place < t->n_outside && n <= t->outside[place].n && x.at & BLNI_CONSTANT;
    return place >= BLNI_FIRST_PLACE && n <= t->len && place <= t->len - n;
}

/* The slow way begins: no failure so far, and handles of this evaluation? */
BLNI_PRIV int blni_tape_ready(bln_tape *t, const char *call, size_t k, const bln_var *in)
{
    t->calls++;
    for (size_t i = 0; i < k && t->status == BLN_OK; i++)
        if (!blni_tape_known(t, in[i])) {
            blni_tape_fail(t, BLN_EINVAL, call, "argument ");
            blni_tape_say_size(t, i + 1);
            blni_tape_say(t, " is no handle of this evaluation");
        }
    return t->status == BLN_OK;
}

/* The same of operands that are all of one size n, or scalars. */
BLNI_PRIV int blni_tape_broadcast(bln_tape *t, const char *call, size_t k, const char *const *names, const bln_var *in, size_t *n)
{
    size_t first = 0;
    if (!blni_tape_ready(t, call, k, in)) return 0;
    for (size_t i = 1; i < k; i++) {
        const size_t a = blni_size(t, in[first]), b = blni_size(t, in[i]);
        if (a == b || b == 1) continue;
        if (a == 1) { first = i; continue; }
        blni_tape_fail(t, BLN_ESHAPE, call, names ? names[first] : first ? "y" : "x");
        blni_tape_say_with(t, " has ", a);
        blni_tape_say(t, " elements, ");
        blni_tape_say(t, names ? names[i] : i == 1 ? "y" : "z");
        blni_tape_say_with(t, " has ", b);
        return 0;
    }
    *n = blni_size(t, in[first]);
    return 1;
}

BLNI_PRIV bln_var blni_tape_matrix(bln_tape *t, uint32_t at, size_t rows, size_t cols)
{
    if (t->n_shape == t->shape_room) {
        void *p = blni_tape_grow(t, t->shape, t->n_shape, &t->shape_room, (size_t)t->n_shape + 1, sizeof *t->shape);
        if (!p) return blni_var(BLNI_CONSTANT, 1);
        t->shape = (blni_shape *)p;
    }
    t->shape[t->n_shape].rows = (uint32_t)rows;
    t->shape[t->n_shape].cols = (uint32_t)cols;
    return blni_var(at, BLNI_MATRIX | t->n_shape++);
}

/* ---- constants and values */

BLNI_PRIV bln_var blni_tape_number(bln_tape *t, double x)
{
    if (!blni_tape_room(t, 1, 0, 0)) return blni_var(BLNI_CONSTANT, 1);
    t->val[t->len] = x;
    return blni_var(t->len++ | BLNI_CONSTANT, 1);
}

BLN_API bln_var bln_c_num(bln_tape *t, double x)
{
    t->calls++;
    if (t->checking && !blni_finite(x)) {
        t->constant_fault = 1;
        return blni_tape_fail(t, BLN_EDATA, "bln_c_num", "NaN or infinity");
    }
    return blni_tape_number(t, x);
}

/* Are these numbers that never change? Where they are looked at, in the first evaluation, the tape fails if one is none. */
BLNI_PRIV int blni_tape_look(bln_tape *t, const char *call, const double *x, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows*cols && t->checking; i++) {
        if (blni_finite(x[i])) continue;
        t->constant_fault = 1;
        blni_tape_fail(t, BLN_EDATA, call, "NaN or infinity, row ");
        t->report.row = i/cols;
        blni_tape_say_size(t, i/cols);
        if (cols == 1) return 0;
        t->report.column = i % cols;
        blni_tape_say_with(t, ", column ", i % cols);
        return 0;
    }
    return 1;
}

/* What lies outside has more than one number, or none: scalars are all in val, where the sweep need not ask. */
BLNI_PRIV bln_var blni_tape_outside(bln_tape *t, const char *call, const double *x, size_t rows, size_t cols)
{
    const uint64_t n = (uint64_t)rows*cols;
    if (t->status != BLN_OK) return blni_var(BLNI_CONSTANT, 1);
    if (!x && rows && cols) return blni_tape_fail(t, BLN_EINVAL, call, "NULL");
    if (n > BLNI_PLACE || rows > BLNI_PLACE || cols > BLNI_PLACE) return blni_tape_fail(t, BLN_EOVERFLOW, call, "too many numbers");
    if (!blni_tape_look(t, call, x, rows, cols)) return blni_var(BLNI_CONSTANT, 1);
    if (t->n_outside == t->outside_room) {
        void *p = blni_tape_grow(t, t->outside, t->n_outside, &t->outside_room, (size_t)t->n_outside + 1, sizeof *t->outside);
        if (!p) return blni_var(BLNI_CONSTANT, 1);
        t->outside = (blni_outside *)p;
    }
    t->outside[t->n_outside].x = x;
    t->outside[t->n_outside].n = (uint32_t)n;
    return blni_var(t->n_outside++ | BLNI_CONSTANT | BLNI_OUTSIDE, (uint32_t)rows);
}

BLN_API bln_var bln_c_vec(bln_tape *t, const double *x, size_t n)
{
    if (n == 1 && x) return bln_c_num(t, *x);
    t->calls++;
    return blni_tape_outside(t, "bln_c_vec", x, n, 1);
}

BLN_API bln_var bln_c_mat(bln_tape *t, const double *X, size_t rows, size_t cols)
{
    t->calls++;
    if (rows == 1 && cols == 1 && X && !blni_tape_look(t, "bln_c_mat", X, 1, 1)) return blni_var(BLNI_CONSTANT, 1);
    const bln_var x = rows == 1 && cols == 1 && X ? blni_tape_number(t, *X) : blni_tape_outside(t, "bln_c_mat", X, rows, cols);
    return t->status == BLN_OK ? blni_tape_matrix(t, x.at, rows, cols) : x;
}

BLN_API size_t bln_v_size(bln_tape *t, bln_var x) { return t->status == BLN_OK && blni_tape_known(t, x) ? blni_size(t, x) : 0; }
BLN_API const double *bln_v_values(bln_tape *t, bln_var x)
{
    return t->status == BLN_OK && blni_tape_known(t, x) ? blni_values(t, x) : NULL;
}
BLN_API double bln_v_value(bln_tape *t, bln_var x) { return bln_v_size(t, x) ? *blni_values(t, x) : BLNI_NAN; }

BLN_API void bln_data_term(bln_tape *t)
{
    if (t->in_row) { blni_tape_fail(t, BLN_EINVAL, "bln_lp_rows", "bln_data_term in a row"); return; }
    t->term = BLNI_TERM_ROWS;
    t->after_prior = 1;
}

/* A scope's terms are multiplied by one number, so all are of the prior, or all of rows. */
BLN_API void bln_scope(bln_tape *t, size_t m)
{
    const unsigned char kind = t->after_prior ? 2 : 1;
    t->calls++;
    if (t->in_row) { blni_tape_fail(t, BLN_EINVAL, "bln_lp_rows", "bln_scope in a row"); return; }
    if (m == 0 || m > BLN_SCOPES) {
        blni_tape_fail(t, BLN_EINVAL, "bln_scope", "scopes are 1 to 8");
        return;
    }
    if (t->used[m] & (3 - kind)) {
        blni_tape_fail(t, BLN_EINVAL, "bln_scope", "terms before and after bln_data_term, in scope ");
        blni_tape_say_size(t, m);
        return;
    }
    t->used[m] = kind;
    t->term = (uint32_t)m;
}

BLN_API const bln_data *bln_batch(bln_tape *t) { return t->rows; }

/* Each call of an evaluation has a stream of its own. */
BLN_API bln_var bln_c_noise(bln_tape *t, size_t rows, size_t cols)
{
    const size_t n = blni_mul(rows, cols);
    bln_rng rng;
    t->calls++;
    t->noisy = 1;
    if (n == 0) return blni_tape_fail(t, BLN_ESHAPE, "bln_c_noise", "no numbers");
    if (n > BLNI_PLACE) return blni_tape_fail(t, BLN_EOVERFLOW, "bln_c_noise", "too many numbers");
    if (!blni_tape_room(t, n, 0, 0)) return blni_var(BLNI_CONSTANT, 1);
    bln_rng_seed(&rng, t->seed ^ blni_mix64(t->noise + UINT64_C(0x6e6f697365)), t->calls);
    const uint32_t at = blni_tape_take(t, n) | BLNI_CONSTANT;
    bln_rng_normals(&rng, n, t->val + (at & BLNI_PLACE));
    return cols == 1 ? blni_var(at, (uint32_t)n) : blni_tape_matrix(t, at, rows, cols);
}

/* n log densities that are about to be added to the target: if they are of rows, and those are asked for. */
BLNI_PRIV void blni_tape_keep_rows(bln_tape *t, size_t n, const double *log_p)
{
    if (!t->pointwise || t->term != BLNI_TERM_ROWS || t->status != BLN_OK) return;
    if (n > t->n_rows - t->n_pointwise) {
        blni_tape_fail(t, BLN_ESHAPE, "bln_data_term", "more log densities of rows than n_rows");
        return;
    }
    if (n) memcpy(t->pointwise + t->n_pointwise, log_p, n*sizeof *log_p);
    t->n_pointwise += n;
}

/* ---- nodes */

/* "bln_v_log (call 7): the result is not finite: argument 1 is -1". i: which element. */
BLNI_COLD BLNI_PRIV void blni_tape_not_finite(bln_tape *t, const char *call, size_t i, size_t k, const bln_var *in)
{
    double value[BLNI_OPERANDS];
    int is[BLNI_OPERANDS];
    for (size_t j = 0; j < k && j < BLNI_OPERANDS; j++) {
        const size_t n = blni_size(t, in[j]);
        is[j] = n == 1 || i < n;
        if (is[j]) value[j] = blni_values(t, in[j])[n == 1 ? 0 : i];
    }
    blni_tape_fail(t, BLN_ENUMERIC, call, "the result is not finite");
    for (size_t j = 0; j < k && j < BLNI_OPERANDS; j++) {
        if (!is[j]) continue;
        blni_tape_say_with(t, ", argument ", j + 1);
        blni_tape_say(t, " is ");
        blni_tape_say_number(t, value[j]);
    }
}

/* Notes the operation that gave `out`, whose values are there, from k operands; room for k + 2 cells has been asked for. slopes:
 * where in aux those of each operand are; NULL: nowhere. Returns out, as a constant if no operand is a variable. */
BLNI_PRIV bln_var blni_tape_node(bln_tape *t, const blni_node_kind *kind, size_t k, const bln_var *in, bln_var out, uint32_t aux,
                                 uint32_t extra, const uint32_t *slopes)
{
    const size_t n = out.at < BLNI_FIRST_PLACE ? 1 : blni_size(t, out);
    uint32_t constant = BLNI_CONSTANT;
    blni_cell *c = t->cell + t->n_cell;
    for (size_t i = 0; i < k; i++, c++) {
        constant &= in[i].at;
        c->op = in[i].at;
        c->out = (uint32_t)blni_size(t, in[i]);
        c->a = slopes ? slopes[i] : 0;
        c->b = in[i].n;
    }
    for (size_t i = 0; t->naming && i < n; i++)
        if (!blni_finite(blni_values(t, out)[i])) {
            blni_tape_not_finite(t, kind->name, i, k, in);
            return blni_var(BLNI_CONSTANT, 1);
        }
    out.at |= constant;
    if (constant || !t->gradient) return out;
    t->n_cell += (uint32_t)k + 2;
    memcpy(c, &kind, sizeof kind);                               /* 4 or 8 bytes: op, and out */
    c->a = extra;
    c->b = t->calls;
    c++;
    c->op = BLNI_OP_NODE | ((uint32_t)k + 1) << 8;
    c->out = out.at;
    c->a = (uint32_t)n;
    c->b = aux;
    return out;
}

/* Where an adjoint stops being finite on the way back, by name. */
BLNI_COLD BLNI_PRIV void blni_tape_check_adjoints(bln_tape *t, const blni_cell *c, const blni_node_kind *kind)
{
    const size_t k = (c->op >> 8) - 1;
    for (size_t i = 0; i < k; i++) {
        const blni_cell *o = blni_operand(c, i);
        if (o->op & BLNI_CONSTANT || blni_all_finite(o->out, t->adj + o->op)) continue;
        t->calls = c[-1].b;
        blni_tape_fail(t, BLN_ENUMERIC, kind->name, "the gradient is not finite with respect to argument ");
        blni_tape_say_size(t, i + 1);
        return;
    }
}

/* Does an operation read one of the n numbers at `at`? */
BLNI_PRIV int blni_tape_reads(const bln_tape *t, uint32_t at, size_t n)
{
    for (uint32_t i = t->n_cell; i-- > 0;) {
        const blni_cell *c = t->cell + i;
        const int node = (c->op & 255) == BLNI_OP_NODE;
        const size_t k = node ? (c->op >> 8) - 1 : (c->op & 255) == BLNI_OP_FMA ? 3 : 2;
        for (size_t j = 0; j < k; j++) {
            const uint32_t from = node ? blni_operand(c, j)->op : j == 0 ? c->a : j == 1 ? c->b : c->op >> 8;
            if (from < at + n && at < from + (node ? blni_operand(c, j)->out : 1)) return 1;
        }
        if (node) i -= (uint32_t)k + 1;
    }
    return 0;
}

/* Back through operations from the last to `first_cell`, over adjoints from place `first` on. weight: of each term (NULL: 1). */
BLNI_PRIV void blni_tape_sweep(bln_tape *t, uint32_t first, uint32_t first_cell, const double *weight)
{
    if (t->status != BLN_OK) return;
    if (t->adj_room < t->val_room) {
        const size_t old = t->adj_room;
        void *p = blni_tape_grow(t, t->adj, old, &t->adj_room, t->val_room, sizeof *t->adj);
        if (!p) return;
        t->adj = (double *)p;
        memset(t->adj + old, 0, (t->adj_room - old)*sizeof *t->adj);             /* sweeps of rows add below what they set to 0 */
    }
    double *A = t->adj, h = 0.0;                 /* h is A[last]: sums are chains, and what was just stored is slow to load */
    const double *v = t->val;
    uint32_t last = 0;
    memset(A + first, 0, (t->len - first)*sizeof *A);
    for (size_t k = 0; k < BLNI_TERMS; k++) A[1 + k] = weight ? weight[k] : 1.0;
    for (uint32_t i = t->n_cell; i > first_cell;) {
        const blni_cell *c = t->cell + --i;
        const uint32_t a = c->a, b = c->b, o = c->out;
        const double g = o == last ? h : A[o];
        last = 0;
        switch (c->op & 255) {
        case BLNI_OP_ADD:   A[b] += g; h = A[a] + g; A[a] = h; last = a; break;
        case BLNI_OP_SUB:   A[a] += g; A[b] -= g; break;
        case BLNI_OP_MUL:   { const double x = v[a], y = v[b]; A[a] += g*y; A[b] += g*x; break; }
        case BLNI_OP_DIV:   { const double r = g/v[b]; A[a] += r; A[b] -= r*v[o]; break; }
        case BLNI_OP_SHIFT: A[a] += g; break;
        case BLNI_OP_AXPY:                                          /* a sum of products is a chain of these */
            for (h = g;; c--, i--) {
                A[c->a] += h*v[c->out + 1];
                last = c->b;
                h += A[last];
                A[last] = h;
                if (i == first_cell || c[-1].op != BLNI_OP_AXPY || c[-1].out != last) break;
            }
            break;
        case BLNI_OP_LIN1:  A[a] += g*v[o + 1]; break;
        case BLNI_OP_LIN2:  A[a] += g*v[o + 1]; A[b] += g*v[o + 2]; break;
        case BLNI_OP_FMA:   { const double x = v[a], y = v[b]; A[a] += g*y; A[b] += g*x; }
                            last = c->op >> 8; h = A[last] + g; A[last] = h; break;
        case BLNI_OP_LP:                                            /* these come in runs */
            for (;; c--, i--) {
                const double w = A[1 + (c->op >> 8)];
                A[c->a] += w*v[c->out];
                A[c->b] += w*v[c->out + 1];
                if (i == first_cell || (c[-1].op & 255) != BLNI_OP_LP) break;
            }
            break;
        default: {
            const blni_node_kind *kind;
            memcpy(&kind, c - 1, sizeof kind);
            kind->reverse(t, c);
            if (t->naming) blni_tape_check_adjoints(t, c, kind);
            if (t->status != BLN_OK) return;
            i -= c->op >> 8;
        } }
    }
}
