/* tape_custom: custom nodes, likelihoods, and rows. A row of bln_lp_rows is recorded at the end of the tape, after copies of its
 * inputs, so that one sweep over that end gives the row's gradient. */
#include "tape_custom.h"
#include "tape_array_private.h"
#include "../likelihood/likelihood_private.h"
#include "../math/blas.h"

/* ---- custom nodes: aux has pointers to the table and to user, and then the node's own */

typedef struct blni_custom_note { const bln_custom_node *f; void *user; } blni_custom_note;
enum { BLNI_CUSTOM_NOTE = (sizeof(blni_custom_note) + sizeof(double) - 1)/sizeof(double) };

BLNI_PRIV void blni_custom_reverse(bln_tape *t, const blni_cell *c)
{
    blni_custom_note note;
    const double *in[BLN_CUSTOM_INPUTS];
    double *bar[BLN_CUSTOM_INPUTS];
    const size_t k = (c->op >> 8) - 1;
    memcpy(&note, t->aux + c->b, sizeof note);
    for (size_t i = 0; i < k; i++) {
        const bln_var x = blni_operand_var(c, i);
        in[i] = blni_values(t, x);
        bar[i] = blni_is_constant(x) ? NULL : t->adj + x.at;
    }
    note.f->pullback(note.user, in, t->val + c->out, t->aux + c->b + BLNI_CUSTOM_NOTE, t->adj + c->out, bar);
}
BLNI_TABLE const blni_node_kind blni_custom_kind = { "bln_v_custom", blni_custom_reverse };

BLN_API bln_var bln_v_custom(bln_tape *t, const bln_custom_node *f, const bln_var *in, size_t n_in, size_t n_out, void *user)
{
    const char *const name = f && f->name ? f->name : "bln_v_custom";
    const blni_custom_note note = { f, user };
    const double *values[BLN_CUSTOM_INPUTS];
    if (!f || !f->forward || !f->pullback || !in || n_in == 0 || n_in > BLN_CUSTOM_INPUTS)
        return blni_tape_fail(t, BLN_EINVAL, name, "NULL, or not 1 to 16 inputs");
    if (!blni_tape_ready(t, name, n_in, in) || !blni_tape_room(t, n_out, blni_add(BLNI_CUSTOM_NOTE, f->n_aux), n_in + 2))
        return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n_out), aux = blni_tape_take_aux(t, BLNI_CUSTOM_NOTE + f->n_aux);
    memcpy(t->aux + aux, &note, sizeof note);
    for (size_t i = 0; i < n_in; i++) values[i] = blni_values(t, in[i]);
    f->forward(user, values, t->val + at, t->aux + aux + BLNI_CUSTOM_NOTE);
    return blni_tape_node(t, &blni_custom_kind, n_in, in, blni_var(at, (uint32_t)n_out), aux, 0, NULL);
}

/* ---- likelihoods */

BLNI_TABLE const blni_node_kind blni_likelihood_kind = { "bln_lp_likelihood", blni_sum_reverse };

/* The targets as data, whose domain the likelihood knows. */
BLNI_PRIV int blni_likelihood_node_checks(bln_tape *t, const bln_likelihood *l, const bln_targets *y, size_t n)
{
    bln_data data = BLN_ZERO;
    bln_report report;
    data.n = n;
    data.y = y->y;
    data.trials = y->trials;
    data.noise_var = y->noise_var;
    const bln_status status = n ? bln_likelihood_check_data(l, &data, &report) : BLN_OK;
    if (status == BLN_OK) return 1;
    t->constant_fault = 1;
    blni_tape_fail(t, status, "bln_lp_likelihood", report.text);
    t->report.row = report.row;
    return 0;
}

BLN_API void bln_lp_likelihood(bln_tape *t, const bln_likelihood *l, bln_var theta, const bln_targets *y, bln_var f)
{
    static const char *const name = "bln_lp_likelihood";
    bln_var in[2] = { f, theta };
    uint32_t aux[2] = { 0, 0 };
    double total = 0.0, logp[BLN_LIKELIHOOD_BLOCK], own[BLN_LIKELIHOOD_BLOCK];
    if (!blni_tape_ready(t, name, 2, in)) return;
    const char *why = !l || !y || !y->y ? "NULL" : bln_likelihood_check(l);
    if (why) { blni_tape_fail(t, BLN_EINVAL, name, why); return; }
    const size_t n = blni_size(t, f), k = l->n_theta;
    if (bln_likelihood_latents(l) > 1) { blni_tape_fail(t, BLN_ESHAPE, name, "of one latent only"); return; }
    if (blni_size(t, theta) != k) { blni_tape_fail(t, BLN_ESHAPE, name,
                                                   "theta has not the likelihood's number of parameters"); return; }
    if ((t->checking && !blni_likelihood_node_checks(t, l, y, n)) || !blni_tape_room(t, 0, n + k, 4)) return;
    aux[0] = blni_tape_take_aux(t, n);
    aux[1] = blni_tape_take_aux(t, k);
    const double *value = blni_values(t, f), *eta = blni_values(t, theta);
    double *slope = t->aux + aux[0], *d_eta = t->aux + aux[1];
    for (size_t j = 0; j < k; j++) d_eta[j] = 0.0;
    for (size_t i = 0; i < n; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t m = blni_min(n - i, BLN_LIKELIHOOD_BLOCK);
        const bln_targets rows = blni_targets_from(y, i);
        bln_likelihood_eval(l, eta, m, &rows, value + i, logp, slope + i, NULL, NULL);        /* logp alone may round otherwise */
        total += blni_tape_sum(m, logp);
        blni_tape_keep_rows(t, m, logp);
        for (size_t j = 0; j < k && t->gradient && !blni_is_constant(theta); j++) {
            blni_likelihood_eval_param(l, eta, j, m, &rows, value + i, own, NULL, NULL);
            d_eta[j] += blni_tape_sum(m, own);
        }
    }
    t->target[t->term] += total;
    if (t->naming && !blni_finite(total)) { blni_tape_not_finite(t, name, 0, 2, in); return; }
    blni_tape_node(t, &blni_likelihood_kind, 2, in, blni_var(1 + t->term, 1), 0, 0, aux);
}

/* ---- rows */

BLNI_TABLE const blni_node_kind blni_rows_kind = { "bln_lp_rows", blni_sum_reverse };

/* Where the tape ends. */
typedef struct blni_tape_end { uint32_t len, n_cell, n_outside, n_shape, n_aux; } blni_tape_end;
BLNI_PRIV blni_tape_end blni_tape_end_of(const bln_tape *t)
{
    const blni_tape_end e = { t->len, t->n_cell, t->n_outside, t->n_shape, t->n_aux };
    return e;
}
BLNI_PRIV void blni_tape_back_to(bln_tape *t, const blni_tape_end *e)
{
    t->len = e->len;
    t->n_cell = e->n_cell;
    t->n_outside = e->n_outside;
    t->n_shape = e->n_shape;
    t->n_aux = e->n_aux;
}

/* Row i over the copies, which begin at place `base`; its gradient to adj. Returns what it added. */
BLNI_PRIV double blni_row(bln_tape *t, size_t i, bln_program_row row, const bln_var *copy, void *user, uint32_t base,
                          uint32_t first_cell)
{
    double *const pointwise = t->pointwise;
    const uint32_t term = t->term;
    const double before = t->target[term];
    t->target[term] = 0.0;
    t->pointwise = NULL;
    blni_tape_fit(t);
    t->in_row = 1;
    const bln_status status = row(t, i, copy, user);
    t->in_row = 0;
    t->pointwise = pointwise;
    blni_tape_fit(t);
    const double added = t->target[term];
    t->target[term] = before + added;
    if (status != BLN_OK && t->status == BLN_OK) {
        blni_tape_fail(t, status, "bln_lp_rows", bln_status_name(status));
        blni_tape_say_with(t, " of row ", t->report.row = i);
    }
    if (t->status == BLN_OK) blni_tape_keep_rows(t, 1, &added);
    if (!t->gradient) return added;
    if (t->checking && t->adj) for (uint32_t k = BLNI_FIRST_PLACE; k < base && k < t->adj_room; k++) t->adj[k] = 0.0;
    blni_tape_sweep(t, base, first_cell, NULL);
    for (uint32_t k = BLNI_FIRST_PLACE; t->checking && t->status == BLN_OK && k < base; k++)
        if (t->adj[k] != 0.0) blni_tape_fail(t, BLN_EINVAL, "bln_lp_rows", "a row uses a handle that is not among its inputs");
    return added;
}

BLN_API void bln_lp_rows(bln_tape *t, size_t n, bln_program_row row, const bln_var *in, size_t n_in, void *user)
{
    static const char *const name = "bln_lp_rows";
    bln_var copy[BLN_CUSTOM_INPUTS];
    uint32_t aux[BLN_CUSTOM_INPUTS] = { 0 };
    size_t all = 0;
    if (!row || !in || n_in == 0 || n_in > BLN_CUSTOM_INPUTS) {
        blni_tape_fail(t, BLN_EINVAL, name, "NULL, or not 1 to 16 inputs");
        return;
    }
    if (!blni_tape_ready(t, name, n_in, in)) return;
    for (size_t j = 0; j < n_in; j++) all = blni_add(all, blni_size(t, in[j]));
    if (!blni_tape_room(t, all, all, n_in + 2)) return;
    for (size_t j = 0; j < n_in; j++) aux[j] = blni_tape_take_aux(t, blni_size(t, in[j]));
    memset(t->aux + aux[0], 0, all*sizeof *t->aux);
    const blni_tape_end end = blni_tape_end_of(t);
    for (size_t j = 0; j < n_in; j++) {
        const size_t size = blni_size(t, in[j]);
        copy[j] = in[j];
        if (in[j].at & BLNI_OUTSIDE) continue;
        if (size) memcpy(t->val + t->len, blni_values(t, in[j]), size*sizeof(double));
        copy[j].at = blni_tape_take(t, size) | (in[j].at & BLNI_CONSTANT);
    }
    const blni_tape_end begin = blni_tape_end_of(t);
    for (size_t i = 0; i < n; i++) {
        blni_row(t, i, row, copy, user, end.len, end.n_cell);
        if (t->status != BLN_OK) return;
        for (size_t j = 0; j < n_in && t->gradient; j++)
            if (!blni_is_constant(in[j])) bln_axpy(blni_size(t, in[j]), 1.0, t->adj + copy[j].at, t->aux + aux[j]);
        blni_tape_back_to(t, &begin);
    }
    blni_tape_back_to(t, &end);
    blni_tape_node(t, &blni_rows_kind, n_in, in, blni_var(1 + t->term, 1), 0, 0, aux);
}
