/* tape_density: the code that all log densities share. A density is a function that computes values and slopes of a block of
 * elements. This room decides what is needed (the sum, its elements, those of each row; no slopes of constants, one slope of a
 * scalar). */
#include "tape_density_private.h"
#include "../math/special.h"
#include "../math/vecmath.h"

/* ---- domains */

/* The first of n numbers that is outside, or n. Not of REAL: callers ask only where something can be outside. */
BLNI_PRIV size_t blni_lp_domain_first(blni_lp_domain domain, size_t n, const double *x)
{
    size_t i = 0;
    switch (domain) {
    case BLNI_IS_ABOVE_0:    while (i < n && x[i] > 0.0) i++; return i;
    case BLNI_IS_FROM_0:     while (i < n && x[i] >= 0.0) i++; return i;
    case BLNI_IS_WITHIN_0_1: while (i < n && x[i] > 0.0 && x[i] < 1.0) i++; return i;
    case BLNI_IS_COUNT:      while (i < n && x[i] >= 0.0 && x[i] == floor(x[i])) i++; return i;
    default:              while (i < n && (x[i] == 0.0 || x[i] == 1.0)) i++; return i;
    }
}

static const char *const blni_lp_domain_names[] = {
    "real", "> 0", ">= 0", "in (0, 1)", "a whole number >= 0", "0 or 1"
};

/* "bln_lp_normal (call 5): sd must be > 0, element 3 is -1" */
BLNI_COLD BLNI_PRIV void blni_lp_outside(bln_tape *t, const char *call, const char *argument, int constant, size_t row,
                                         double value, const char *domain)
{
    t->constant_fault |= constant;
    blni_tape_fail(t, BLN_EDOMAIN, call, argument);
    t->report.row = row;
    blni_tape_say(t, " must be ");
    blni_tape_say(t, domain);
    blni_tape_say_with(t, ", element ", row);
    blni_tape_say(t, " is ");
    blni_tape_say_number(t, value);
}

/* ---- a block */

/* y_i = f(x_i), n >= 1: by the function of one number where one is enough, else by that of many, else one by one. */
BLNI_PRIV void blni_lp_map(double (*one_by_one)(double), void (*many)(size_t, const double *, double *), int one, size_t n,
                        const double *x, double *y)
{
    if (one || n == 1) {
        const double v = one_by_one(*x);
        for (size_t i = 0; i < n; i++) y[i] = v;
    } else if (many) many(n, x, y);
    else for (size_t i = 0; i < n; i++) y[i] = one_by_one(x[i]);
}
BLNI_PRIV double blni_log_of(double x) { return log(x); }
BLNI_PRIV void blni_log_block(size_t n, const double *x, int one,
                              double *y) { blni_lp_map(blni_log_of, bln_vec_log, one, n, x, y); }
BLNI_PRIV void blni_lgamma_block(size_t n, const double *x, int one,
                                 double *y) { blni_lp_map(bln_lgamma, bln_vec_lgamma, one, n, x, y); }
BLNI_PRIV void blni_digamma_block(size_t n, const double *x, int one, double *y) { blni_lp_map(bln_digamma, NULL, one, n, x, y); }

/* ---- the driver */

/* A sum that was added to a term of the target, or elements. */
BLNI_PRIV void blni_lp_reverse(bln_tape *t, const blni_cell *c)
{
    if (c->out < BLNI_FIRST_PLACE) blni_sum_reverse(t, c);
    else blni_elements_reverse(t, c);
}

/* All that a call is about. */
typedef struct blni_lp_call {
    const blni_lpdf *f;
    size_t           n, size[BLNI_OPERANDS], all;                /* all: of all sizes, the sum */
    int              one[BLNI_OPERANDS], variable[BLNI_OPERANDS], slopes[BLNI_OPERANDS];
    const double    *x[BLNI_OPERANDS];
    uint32_t         aux[BLNI_OPERANDS];
} blni_lp_call;

/* Elements i to i + m - 1: lp, and slopes into aux or, of a scalar's, their sum. */
BLNI_PRIV int blni_lp_block(bln_tape *t, blni_lp_call *c, size_t i, size_t m, double (*same)[BLNI_LP_BLOCK],
                            double (*own)[BLNI_LP_BLOCK], double *lp)
{
    const blni_lpdf *f = c->f;
    const double *x[BLNI_OPERANDS] = { NULL, NULL, NULL, NULL };
    double *d[BLNI_OPERANDS] = { NULL, NULL, NULL, NULL };
    for (size_t j = 0; j < f->k; j++) {
        x[j] = c->one[j] ? same[j] : c->x[j] + i;
        const size_t known = c->one[j] ? 1 : m;
        if (f->domain[j] != BLNI_IS_REAL && (c->variable[j] || t->checking)) {
            const size_t bad = blni_lp_domain_first(f->domain[j], known, x[j]);
            if (bad < known) {
                blni_lp_outside(t, f->kind.name, f->argument[j], !c->variable[j], c->one[j] ? 0 : i + bad, x[j][bad],
                                blni_lp_domain_names[f->domain[j]]);
                return 0;
            }
        }
        if (c->slopes[j]) d[j] = c->one[j] && !t->elements ? own[j] : t->aux + c->aux[j] + i;
    }
    f->block(m, x, c->one, lp, d);
    for (size_t j = 0; j < f->k; j++)
        if (c->slopes[j] && c->one[j] && !t->elements) t->aux[c->aux[j]] += blni_tape_sum(m, d[j]);
    return 1;
}

/* Scalars with at most two variables among them: one cell, and the slopes in val. 0: they are not, or something is wrong, which the
 * slow way will find. */
BLNI_PRIV int blni_lp_scalars(bln_tape *t, const blni_lpdf *f, const bln_var *in)
{
    static const int one[BLNI_OPERANDS] = { 1, 1, 1, 1 };
    const double *x[BLNI_OPERANDS] = { NULL, NULL, NULL, NULL };
    double slope[BLNI_OPERANDS], lp, *d[BLNI_OPERANDS] = { NULL, NULL, NULL, NULL };
    uint32_t place[2] = { 0, 0 };
    size_t k = 0, of[2] = { 0, 0 };
    if (t->elements || t->naming || t->checking || !blni_tape_room(t, 2, 0, 1)) return 0;
    for (size_t j = 0; j < f->k; j++) {
        if (!blni_is_scalar(t, in[j])) return 0;
        x[j] = t->val + (in[j].at & BLNI_PLACE);
        if (blni_is_constant(in[j])) continue;
        if (k == 2 || (f->domain[j] != BLNI_IS_REAL && !blni_lp_domain_first(f->domain[j], 1, x[j]))) return 0;
        if (f->domain[j] >= BLNI_IS_COUNT) return 0;
        place[k] = in[j].at;
        of[k++] = j;
        if (t->gradient) d[j] = slope + j;
    }
    t->calls++;
    if (f->single) lp = f->single(x, slope);
    else f->block(1, x, one, &lp, d);
    if (t->pointwise) blni_tape_keep_rows(t, 1, &lp);
    t->target[t->term] += lp;
    if (!t->gradient || k == 0) return 1;
    blni_lp_cell(t, place[0], slope[of[0]], place[1], k == 2 ? slope[of[1]] : 0.0);
    return 1;
}

/* The arguments' sizes and domains of what is discrete. */
BLNI_PRIV int blni_lp_begin(bln_tape *t, blni_lp_call *c, const blni_lpdf *f, const bln_var *in)
{
    c->f = f;
    c->all = 0;
    if (!blni_tape_broadcast(t, f->kind.name, f->k, f->argument, in, &c->n)) return 0;
    for (size_t j = 0; j < f->k; j++) {
        c->size[j] = blni_size(t, in[j]);
        c->all += c->size[j];
        c->one[j] = c->size[j] == 1;
        c->variable[j] = !blni_is_constant(in[j]);
        c->slopes[j] = c->variable[j] && t->gradient;
        if (c->variable[j] && f->domain[j] >= BLNI_IS_COUNT) {
            blni_tape_fail(t, BLN_EINVAL, f->kind.name, f->argument[j]);
            blni_tape_say(t, " is discrete, and must be a constant");
            return 0;
        }
    }
    return 1;
}

/* Adds the sum of the elements to the target; or makes them a node. */
BLNI_PRIV void blni_lp(bln_tape *t, const blni_lpdf *f, const bln_var *in)
{
    blni_lp_call c;
    double same[BLNI_OPERANDS][BLNI_LP_BLOCK], own[BLNI_OPERANDS][BLNI_LP_BLOCK], lp[BLNI_LP_BLOCK], total = 0.0;
    uint32_t at = 0;
    t->made = blni_var(BLNI_CONSTANT, 1);
    if (blni_lp_scalars(t, f, in) || !blni_lp_begin(t, &c, f, in)) return;
    const size_t n = c.n, aux = t->elements ? blni_mul(f->k, n) : c.all;
    if (!blni_tape_room(t, t->elements ? n : 0, aux, f->k + 2)) return;
    for (size_t j = 0; j < f->k; j++) c.x[j] = blni_values(t, in[j]);
    for (size_t j = 0; j < f->k; j++) {
        if (c.slopes[j]) c.aux[j] = blni_tape_take_aux(t, t->elements ? n : c.size[j]);
        else c.aux[j] = 0;
        if (c.slopes[j] && c.one[j] && !t->elements) t->aux[c.aux[j]] = 0.0;
        for (size_t i = 0; c.one[j] && i < blni_min(n, BLNI_LP_BLOCK); i++) same[j][i] = *c.x[j];
    }
    if (t->elements) at = blni_tape_take(t, n);
    for (size_t i = 0; i < n; i += BLNI_LP_BLOCK) {
        const size_t m = blni_min(BLNI_LP_BLOCK, n - i);
        double *to = t->elements ? t->val + at + i : lp;
        if (!blni_lp_block(t, &c, i, m, same, own, to)) return;
        for (size_t j = 0; j < m && t->naming; j++)
            if (!blni_finite(to[j])) { blni_tape_not_finite(t, f->kind.name, i + j, f->k, in); return; }
        if (t->elements) continue;
        total += blni_tape_sum(m, to);
        blni_tape_keep_rows(t, m, to);
        if (t->status != BLN_OK) return;
    }
    if (t->elements) {
        t->made = blni_tape_node(t, &f->kind, f->k, in, blni_like(t, at, f->k, in), 0, 0, c.aux);
        return;
    }
    t->target[t->term] += total;
    blni_tape_node(t, &f->kind, f->k, in, blni_var(1 + t->term, 1), 0, 0, c.aux);
}

BLNI_PRIV void blni_lp2(bln_tape *t, const blni_lpdf *f, bln_var x, bln_var a)
{
    bln_var in[2] = { x, a };
    blni_lp(t, f, in);
}

BLNI_PRIV void blni_lp3(bln_tape *t, const blni_lpdf *f, bln_var x, bln_var a, bln_var b)
{
    bln_var in[3] = { x, a, b };
    blni_lp(t, f, in);
}

/* Before and after the call of a density whose elements are wanted: `made` has no shape until it is made. */
BLNI_PRIV void blni_lpdf_begin(bln_tape *t)
{
    t->elements = 1;
    blni_tape_fit(t);
    t->made = blni_var(BLNI_CONSTANT, 0);
}
BLNI_PRIV bln_var blni_lpdf_end(bln_tape *t)
{
    t->elements = 0;
    blni_tape_fit(t);
    if (t->made.at == BLNI_CONSTANT && t->made.n == 0 && t->status == BLN_OK)
        return blni_tape_fail(t, BLN_EINVAL, "bln_v_lpdf", "this density has no elements");
    return t->made;
}

BLN_API bln_var bln_v_lpdf1(bln_tape *t, void (*f)(bln_tape *, bln_var), bln_var x)
{
    blni_lpdf_begin(t);
    if (f) f(t, x);
    return blni_lpdf_end(t);
}

BLN_API bln_var bln_v_lpdf2(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var), bln_var x, bln_var a)
{
    blni_lpdf_begin(t);
    if (f) f(t, x, a);
    return blni_lpdf_end(t);
}

BLN_API bln_var bln_v_lpdf3(bln_tape *t, void (*f)(bln_tape *, bln_var, bln_var, bln_var), bln_var x, bln_var a, bln_var b)
{
    blni_lpdf_begin(t);
    if (f) f(t, x, a, b);
    return blni_lpdf_end(t);
}
