#ifndef BLN_PROGRAM_TAPE_PRIVATE_H
#define BLN_PROGRAM_TAPE_PRIVATE_H
/* tape_private: private declarations, for the rooms of this floor; comments stand at the definitions */
#include "tape.h"
#include "../sampling/density.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"

/* Bits of a handle (bln_var). at: place in val and adj; with CONSTANT it has no adjoint; with OUTSIDE it is an index of `outside`,
 * an array that the user holds, and n is not 1. n: length; with MATRIX an index of `shape`. A handle has 8 bytes because gcc passes
 * these in a register, but 12 through the stack, which makes recording four times as slow. */
#define BLNI_CONSTANT 0x80000000u
#define BLNI_OUTSIDE  0x40000000u
#define BLNI_PLACE    0x3fffffffu
#define BLNI_MATRIX   0x80000000u

/* An operation. A cell of scalars holds the operation, the place of the result and the operands. LIN1, LIN2: the slopes of the
 * result follow it in val. FMA: a b + z, with z at op >> 8. LP: `out` is the place of the slopes of a log density, and op >> 8 the
 * term of the target to which it was added. Everything else is a NODE of k + 2 cells: one for each operand { at, length, place of
 * its slopes in aux, n of the handle }; then { pointer to its blni_node_kind, extra, call }; last the main cell
 * { NODE | (k + 1) << 8, place of the result, its length, place in aux }. */
typedef enum blni_op {
    BLNI_OP_ADD, BLNI_OP_SUB, BLNI_OP_MUL, BLNI_OP_DIV, BLNI_OP_SHIFT, BLNI_OP_AXPY, BLNI_OP_LIN1, BLNI_OP_LIN2, BLNI_OP_FMA,
    BLNI_OP_LP, BLNI_OP_NODE
} blni_op;
typedef struct blni_cell { uint32_t op, out, a, b; } blni_cell;

/* A kind of node: the name of its call; reverse: adj of its operands += adj of its result times the slopes. c: its main cell. */
typedef struct blni_node_kind { const char *name; void (*reverse)(bln_tape *t, const blni_cell *c); } blni_node_kind;

typedef struct blni_shape   { uint32_t rows, cols; } blni_shape;
typedef struct blni_outside { const double *x; uint32_t n; } blni_outside;

/* Terms of the target: that of the rows, and one for each scope. Place 0 of val is what failed calls return; after it comes a place
 * for each term, whose adjoint is the weight of the term. */
enum { BLNI_TERM_ROWS, BLNI_TERM_PRIOR, BLNI_TERMS = 1 + BLN_SCOPES, BLNI_FIRST_PLACE = 1 + BLNI_TERMS, BLNI_OPERANDS = 4 };

struct bln_tape {
    double       *val, *adj, *aux;
    blni_cell    *cell;
    uint32_t      len, n_cell, n_aux;                /* in use                                                             */
    uint32_t      fits, quick;     /* len below which there is room for a scalar and two slopes; 0: all are to be nodes. quick: 0
                                    * also where a density must do more than to add to the target                              */
    uint32_t      calls, term;
    int           gradient;        /* are cells and slopes recorded?                                                       */
    size_t        cell_room, val_room, adj_room, aux_room, outside_room, shape_room;
    blni_outside *outside;
    blni_shape   *shape;
    uint32_t      n_outside, n_shape;
    int           after_prior;     /* was bln_data_term called?                                                            */
    unsigned char used[BLNI_TERMS];      /* of each scope: 1, it has terms of the prior; 2, it has terms of rows           */
    const bln_data *rows;          /* of this evaluation; NULL: the program has none                                       */
    uint64_t      seed, noise;     /* of bln_c_noise: seed of the program, number of this evaluation's noise               */
    int           noisy, in_row;   /* was bln_c_noise ever called? is a row of bln_lp_rows being recorded?                 */
    int           checking;        /* are constants checked?                                                               */
    int           naming;          /* are all operations recorded as nodes, which have names?                              */
    int           elements;        /* does a density return its elements (in `made`) instead of adding their sum?          */
    bln_var       made;
    double        target[BLNI_TERMS];
    double       *pointwise;       /* n_rows: log densities of rows; NULL: not wanted                                      */
    size_t        n_rows, n_pointwise;       /* n_pointwise: those added so far                                            */
    bln_status    status;          /* the first failure; only then has report something to say                             */
    int           constant_fault;  /* is a constant at fault, so that no other point can succeed?                          */
    struct { double sd, inverse, log; } scale[32];       /* standard deviations that normals of scalars had, by their bits   */
    bln_report    report;
    bln_allocator alloc;
};

BLNI_PRIV void blni_tape_reset(bln_tape *t, int gradient);
BLNI_PRIV void blni_tape_release(bln_tape *t);
BLNI_PRIV int blni_tape_enlarge(bln_tape *t, size_t val, size_t aux, size_t cells);
BLNI_PRIV void blni_tape_fit(bln_tape *t);
BLNI_PRIV int blni_scalar_more(bln_tape *t);
BLNI_PRIV bln_var blni_tape_fail(bln_tape *t, bln_status status, const char *call, const char *reason);
BLNI_PRIV void blni_tape_say(bln_tape *t, const char *text);
BLNI_PRIV void blni_tape_say_size(bln_tape *t, size_t value);
BLNI_PRIV void blni_tape_say_with(bln_tape *t, const char *text, size_t value);
BLNI_PRIV void blni_tape_say_number(bln_tape *t, double value);
BLNI_PRIV bln_var blni_tape_number(bln_tape *t, double x);
BLNI_PRIV bln_var blni_tape_outside(bln_tape *t, const char *call, const double *x, size_t rows, size_t cols);
BLNI_PRIV void blni_tape_keep_rows(bln_tape *t, size_t n, const double *log_p);
BLNI_PRIV int blni_tape_known(bln_tape *t, bln_var x);
BLNI_PRIV int blni_tape_ready(bln_tape *t, const char *call, size_t k, const bln_var *in);
BLNI_PRIV int blni_tape_broadcast(bln_tape *t, const char *call, size_t k, const char *const *names, const bln_var *in, size_t *n);
BLNI_PRIV bln_var blni_tape_matrix(bln_tape *t, uint32_t at, size_t rows, size_t cols);
BLNI_PRIV int blni_tape_look(bln_tape *t, const char *call, const double *x, size_t rows, size_t cols);
BLNI_PRIV void blni_tape_not_finite(bln_tape *t, const char *call, size_t i, size_t k, const bln_var *in);
BLNI_PRIV bln_var blni_tape_node(bln_tape *t, const blni_node_kind *kind, size_t k, const bln_var *in, bln_var out, uint32_t aux,
                                 uint32_t extra, const uint32_t *slopes);
BLNI_PRIV int blni_tape_reads(const bln_tape *t, uint32_t at, size_t n);
BLNI_PRIV void blni_tape_sweep(bln_tape *t, uint32_t first, uint32_t first_cell, const double *weight);

/* Makes room for this many more doubles in val and aux, and cells; 0 after a failure. */
BLNI_INLINE int blni_tape_room(bln_tape *t, size_t val, size_t aux, size_t cells)
{
    if (t->status == BLN_OK && val <= t->val_room - t->len && aux <= t->aux_room - t->n_aux && cells <= t->cell_room - t->n_cell)
        return 1;
    return blni_tape_enlarge(t, val, aux, cells);
}

/* Takes n doubles at the end of val, of aux, for which there must be room. */
BLNI_INLINE uint32_t blni_tape_take(bln_tape *t, size_t n) { const uint32_t at = t->len; t->len += (uint32_t)n; return at; }
BLNI_INLINE uint32_t blni_tape_take_aux(bln_tape *t, size_t n) { const uint32_t at = t->n_aux; t->n_aux += (uint32_t)n; return at; }
BLNI_INLINE bln_var blni_var(uint32_t at, uint32_t n) { bln_var v; v.at = at; v.n = n; return v; }
BLNI_INLINE int blni_is_constant(bln_var x) { return (x.at & BLNI_CONSTANT) != 0; }
BLNI_INLINE size_t blni_rows(const bln_tape *t, bln_var x) { return x.n & BLNI_MATRIX ? t->shape[x.n & ~BLNI_MATRIX].rows : x.n; }
BLNI_INLINE size_t blni_cols(const bln_tape *t, bln_var x) { return x.n & BLNI_MATRIX ? t->shape[x.n & ~BLNI_MATRIX].cols : 1; }
BLNI_INLINE size_t blni_size(const bln_tape *t, bln_var x)
{
    return x.n & BLNI_MATRIX ? (size_t)t->shape[x.n & ~BLNI_MATRIX].rows*t->shape[x.n & ~BLNI_MATRIX].cols : x.n;
}
BLNI_INLINE const double *blni_values(const bln_tape *t, bln_var x)
{
    return x.at & BLNI_OUTSIDE ? t->outside[x.at & BLNI_PLACE].x : t->val + (x.at & BLNI_PLACE);
}

/* Operand i of a node, and the handle of operand i; c: its main cell. */
BLNI_INLINE const blni_cell *blni_operand(const blni_cell *c, size_t i) { return c - (c->op >> 8) + i; }
BLNI_INLINE bln_var blni_operand_var(const blni_cell *c, size_t i)
{
    const blni_cell *o = blni_operand(c, i);
    return blni_var(o->op, o->b);
}

/* Is there room for a result and two slopes, and need it be no node? The second makes room. */
BLNI_INLINE int blni_scalar_fits(const bln_tape *t) { return t->len < t->fits && t->n_cell < t->cell_room; }
BLNI_ALWAYS_INLINE int blni_scalar_room(bln_tape *t) { return blni_scalar_fits(t) || blni_scalar_more(t); }

/* A scalar of this evaluation, not outside. */
BLNI_INLINE int blni_is_scalar(const bln_tape *t, bln_var x) { return x.n == 1 && (x.at & ~BLNI_CONSTANT) < t->len; }

/* Are both valid scalars, with such room? If not, the slow path decides and makes room: no call here, no stack frame there. */
BLNI_ALWAYS_INLINE int blni_scalars(bln_tape *t, bln_var x, bln_var y)
{
    if (!blni_is_scalar(t, x) || !blni_is_scalar(t, y) || !blni_scalar_fits(t)) return 0;
    t->calls++;
    return 1;
}

/* Completes the scalar that was just written at `at`, with its slopes after it: records its cell and returns its handle. The count
 * is raised between the stores, as gcc would make one vector of them, which takes longer. */
BLNI_ALWAYS_INLINE bln_var blni_scalar(bln_tape *t, uint32_t op, uint32_t at, uint32_t slopes, uint32_t x, uint32_t y)
{
    const uint32_t constant = x & y & BLNI_CONSTANT;
    t->len = at + 1 + slopes;
    if (t->gradient && !constant) {
        blni_cell *c = t->cell + t->n_cell;
        c->op = op;
        c->a = x & BLNI_PLACE;
        t->n_cell++;
        c->b = y & BLNI_PLACE;
        c->out = at;
    }
    return blni_var(at | constant, 1);
}

#endif /* BLN_PROGRAM_TAPE_PRIVATE_H */
