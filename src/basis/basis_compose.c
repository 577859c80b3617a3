/* basis_compose: sums of bases and selections of columns, which are bases themselves
 *
 * They own their parts, pass each call on to them and combine the results. They use their parts only through the interface that a
 * user's basis has too. */
#include "basis_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"

/* ---- concatenation [bases 10] ---- */

BLNI_ONCE BLNI_PRIV void blni_sum_release(bln_basis *b)
{
    blni_sum *sum = (blni_sum *)b;
    for (size_t i = 0; i < sum->n; i++) bln_basis_free((bln_basis *)sum->parts[i]);          /* what it was given */
    blni_basis_release(b);
}

/* Recognised by a function that no other table has: naming the table would link all that sums can do into programs without
 * sums. */
BLNI_PRIV int blni_is_sum(const bln_basis *b) { return b->ops->release == blni_sum_release; }

/* The parts of a sum, one after the other; a basis that is no sum is its only part. NULL at the end. */
BLNI_PRIV const bln_basis *blni_part_first(const bln_basis *b, blni_sum_at *at)
{
    memset(at, 0, sizeof *at);
    return blni_is_sum(b) ? ((const blni_sum *)b)->parts[0] : b;
}

BLNI_PRIV const bln_basis *blni_part_next(const bln_basis *b, blni_sum_at *at)
{
    const blni_sum *sum = (const blni_sum *)b;
    if (!blni_is_sum(b)) return NULL;
    const bln_basis *p = sum->parts[at->i];
    at->D += p->D;
    at->theta += p->n_theta;
    at->slice += p->n_slices;
    return ++at->i < sum->n ? sum->parts[at->i] : NULL;
}

/* The part that has feature, parameter or slice k, which is its own k - at->D, k - at->theta or k - at->slice; NULL: none. */
typedef enum blni_sum_of { BLNI_SUM_FEATURE, BLNI_SUM_PARAM, BLNI_SUM_SLICE } blni_sum_of;

BLNI_PRIV const bln_basis *blni_sum_find(const bln_basis *b, blni_sum_of what, size_t k, blni_sum_at *at)
{
    for (const bln_basis *p = blni_part_first(b, at); p; p = blni_part_next(b, at)) {
        const size_t first = what == BLNI_SUM_FEATURE ? at->D : what == BLNI_SUM_PARAM ? at->theta : at->slice;
        if (k - first < (what == BLNI_SUM_FEATURE ? p->D : what == BLNI_SUM_PARAM ? p->n_theta : p->n_slices)) return p;
    }
    return NULL;
}

BLNI_PRIV void blni_sum_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    blni_sum_at at;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at))
        bln_basis_features(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, work);
}

BLNI_PRIV void blni_sum_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    blni_sum_at at;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at))
        bln_basis_pullback(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, F + at.D, ldf,
                           dtheta && p->n_theta ? dtheta + at.theta : NULL, dX, lddx, work);
}

BLNI_PRIV size_t blni_sum_work(const bln_basis *b, size_t n)
{
    const blni_sum *sum = (const blni_sum *)b;
    size_t most = 0;
    for (size_t i = 0; i < sum->n; i++) most = blni_max(most, bln_basis_work(sum->parts[i], n));
    return most;
}

BLNI_PRIV void blni_sum_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_PARAM, k, &at);
    if (!p) return;
    p->ops->param(p, k - at.theta, inputs, out);
    if (out->group) out->group += at.theta;              /* groups of different parts stay apart */
}

BLNI_PRIV size_t blni_sum_slice(const bln_basis *b, size_t s)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_SLICE, s, &at);
    return at.D + bln_basis_slice(p, s - at.slice);
}

/* " [2]" behind the names of the second part, if another part has the same name. */
BLNI_ONCE BLNI_PRIV void blni_sum_number(const blni_sum *sum, size_t i, const bln_inputs *inputs, char *out, size_t size)
{
    char mine[BLNI_BASIS_NAME], other[BLNI_BASIS_NAME];
    int same = 0;
    blni_slice_name(sum->parts[i], 0, inputs, mine, sizeof mine);
    for (size_t k = 0; k < sum->n && !same; k++) {
        blni_slice_name(sum->parts[k], 0, inputs, other, sizeof other);
        same = k != i && !strcmp(mine, other);
    }
    if (!same) return;
    blni_cat(out, size, " [");
    blni_cat_size(out, size, i + 1);
    blni_cat(out, size, "]");
}

BLNI_ONCE BLNI_PRIV void blni_sum_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_FEATURE, j, &at);
    if (!p) return;
    blni_feature_name(p, j - at.D, inputs, out, size);
    blni_sum_number((const blni_sum *)b, at.i, inputs, out, size);
}

BLNI_ONCE BLNI_PRIV void blni_sum_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    blni_sum_at at;
    char slice[BLNI_BASIS_NAME];
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_PARAM, k, &at);
    if (!p) return;
    blni_param_name(p, k - at.theta, inputs, out, size);
    if (p->n_theta == b->n_theta) return;
    blni_slice_name(p, 0, inputs, slice, sizeof slice);
    blni_cat(out, size, " (");
    blni_cat(out, size, slice);
    blni_sum_number((const blni_sum *)b, at.i, inputs, out, size);
    blni_cat(out, size, ")");
}

BLNI_PRIV void blni_sum_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_SLICE, s, &at);
    if (!p) return;
    blni_slice_name(p, s - at.slice, inputs, out, size);
    blni_sum_number((const blni_sum *)b, at.i, inputs, out, size);
}

BLNI_ONCE BLNI_PRIV void blni_sum_save(const bln_basis *b, bln_writer *w)
{
    const blni_sum *sum = (const blni_sum *)b;
    bln_put_u64(w, sum->n);
    for (size_t i = 0; i < sum->n; i++) bln_basis_save(sum->parts[i], w);
}

BLNI_PRIV bln_status blni_sum_load(const bln_load *context, bln_reader *r, bln_basis **out);

/* All parts are asked first. */
BLNI_PRIV int blni_sum_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (size_t i = 0; i < sum->n; i++)
        if (!blni_basis_features_low(sum->parts[i], NULL, 0, NULL, ldx, NULL, ldphi, NULL, ldlow, NULL)) return 0;
    if (n == 0) return 1;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at))
        blni_basis_features_low(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, Low + at.D, ldlow, work);
    return 1;
}

/* Bound: a copy of the struct, the list of bound parts, then their rooms. Nothing if no part has anything to bind. */
BLNI_PRIV size_t blni_sum_room_head(size_t n)
{
    return blni_pad(blni_doubles(sizeof(blni_sum))) + blni_pad(blni_doubles(n*sizeof(bln_basis *)));
}

BLNI_PRIV size_t blni_sum_room(const bln_basis *b)
{
    const blni_sum *sum = (const blni_sum *)b;
    size_t room = 0;
    for (size_t i = 0; i < sum->n; i++) room = blni_add(room, blni_pad(bln_basis_room(sum->parts[i])));
    return room ? blni_add(room, blni_sum_room_head(sum->n)) : 0;
}

BLNI_PRIV const bln_basis *blni_sum_bind(const bln_basis *b, const double *theta, double *room)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum *bound = (blni_sum *)(void *)room;
    blni_sum_at at;
    *bound = *sum;
    bound->parts = (const bln_basis **)(void *)(room + blni_pad(blni_doubles(sizeof *bound)));
    room += blni_sum_room_head(sum->n);
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at)) {
        bound->parts[at.i] = bln_basis_bind(p, p->n_theta ? theta + at.theta : NULL, room);
        room += blni_pad(bln_basis_room(p));
    }
    return &bound->own.base;
}

BLNI_PRIV void blni_sum_settle(const bln_basis *b, const double *theta, double *dtheta)
{
    blni_sum_at at;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at))
        bln_basis_settle(p, p->n_theta ? theta + at.theta : NULL, dtheta && p->n_theta ? dtheta + at.theta : NULL);
}

BLNI_PRIV double blni_sum_variance(const bln_basis *b, size_t s)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_SLICE, s, &at);
    return bln_basis_variance(p, s - at.slice);
}

BLNI_PRIV int blni_sum_kernel(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X,
                              size_t ldx, double *k, double *work)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_SLICE, s, &at);
    return blni_basis_kernel(p, s - at.slice, p->n_theta ? theta + at.theta : NULL, x, n, X, ldx, k, work);
}

BLNI_PRIV size_t blni_sum_active(const bln_basis *b, size_t s)
{
    blni_sum_at at;
    const bln_basis *p = blni_sum_find(b, BLNI_SUM_SLICE, s, &at);
    return bln_basis_active(p, s - at.slice);
}

/* The largest preferred block height of the parts. */
BLNI_PRIV size_t blni_sum_preferred(const bln_basis *b)
{
    const blni_sum *sum = (const blni_sum *)b;
    size_t most = 0;
    for (size_t i = 0; i < sum->n; i++) {
        const size_t rows = blni_basis_preferred_rows(sum->parts[i]);
        if (rows == 0) return 0;
        most = blni_max(most, rows);
    }
    return most;
}

BLNI_PRIV double blni_sum_bound(BLNI_INPUTS, double *work)
{
    double most = 0.0;
    blni_sum_at at;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at)) {
        const double bound = blni_basis_bound(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, work);
        most = bound <= most ? most : bound;
    }
    return most;
}

BLNI_TABLE const bln_basis_ops blni_sum_ops = {
    "sum", blni_sum_features, blni_sum_pullback, blni_sum_work, blni_sum_param, blni_sum_slice, blni_sum_feature_name,
    blni_sum_param_name, blni_sum_slice_name, blni_sum_save, blni_sum_load, blni_sum_release, blni_sum_low,
    blni_sum_room, blni_sum_bind, blni_sum_settle, blni_sum_variance, blni_sum_kernel, blni_sum_preferred, blni_sum_bound,
    NULL, NULL, blni_sum_active
};

/* ---- column selection [bases 11] ---- */

typedef struct blni_columns { blni_owned own; size_t k; const size_t *columns; const bln_basis *part; } blni_columns;

/* work: the gathered block (n x k), the same for its gradient, then what the part needs. */
BLNI_PRIV size_t blni_columns_block(const blni_columns *c, size_t n) { return blni_pad(blni_mul(n, c->k)); }

BLNI_PRIV void blni_columns_gather(const blni_columns *c, size_t n, const double *X, size_t ldx, double *x)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c->k; j++) x[i*c->k + j] = X[i*ldx + c->columns[j]];
}

BLNI_PRIV void blni_columns_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    blni_columns_gather(c, n, X, ldx, work);
    bln_basis_features(c->part, theta, n, work, c->k, Phi, ldphi, work + 2*blni_columns_block(c, n));
}

BLNI_PRIV void blni_columns_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_columns *c = (const blni_columns *)b;
    const size_t k = c->k, block = blni_columns_block(c, n);
    double *x = work, *dx = dX ? work + block : NULL;
    blni_columns_gather(c, n, X, ldx, x);
    if (dx) for (size_t i = 0; i < n*k; i++) dx[i] = 0.0;
    bln_basis_pullback(c->part, theta, n, x, k, Phi, ldphi, F, ldf, dtheta, dx, k, work + 2*block);
    if (dx)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < k; j++) dX[i*lddx + c->columns[j]] += dx[i*k + j];
}

BLNI_PRIV size_t blni_columns_work(const bln_basis *b, size_t n)
{
    const blni_columns *c = (const blni_columns *)b;
    return blni_add(blni_mul(2, blni_columns_block(c, n)), bln_basis_work(c->part, n));
}

BLNI_PRIV bln_inputs blni_columns_view(const blni_columns *c, const bln_inputs *inputs)
{
    const bln_inputs view = { NULL, NULL, c->columns, inputs };
    return view;
}

BLNI_PRIV void blni_columns_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    c->part->ops->param(c->part, k, &view, out);
}

BLNI_PRIV size_t blni_columns_slice(const bln_basis *b, size_t s) { return bln_basis_slice(((const blni_columns *)b)->part, s); }

BLNI_PRIV void blni_columns_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    blni_feature_name(c->part, j, &view, out, size);
}

BLNI_PRIV void blni_columns_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    blni_param_name(c->part, k, &view, out, size);
}

/* "rbf of lat, lon". Slices of indicators say themselves what they are of. */
BLNI_PRIV void blni_columns_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    const int says = bln_basis_active(c->part, s) < bln_basis_slice(c->part, s + 1) - bln_basis_slice(c->part, s);
    blni_slice_name(c->part, s, &view, out, size);
    for (size_t j = 0; j < c->k && !says; j++) {
        const size_t at = strlen(out);
        blni_cat(out, size, j ? ", " : " of ");
        if (strlen(out) + 1 >= size) { out[at] = '\0'; return; }
        bln_input_name(&view, j, out + strlen(out), size - strlen(out));
    }
}

BLNI_ONCE BLNI_PRIV void blni_columns_save(const bln_basis *b, bln_writer *w)
{
    const blni_columns *c = (const blni_columns *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, c->k);
    for (size_t j = 0; j < c->k; j++) bln_put_u64(w, c->columns[j]);
    bln_basis_save(c->part, w);
}

BLNI_PRIV bln_status blni_columns_load(const bln_load *context, bln_reader *r, bln_basis **out);

BLNI_ONCE BLNI_PRIV void blni_columns_release(bln_basis *b)
{
    bln_basis_free((bln_basis *)((blni_columns *)b)->part);                                  /* what it was given */
    blni_basis_release(b);
}

BLNI_PRIV int blni_columns_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    const int there = blni_basis_features_low(c->part, NULL, 0, NULL, c->k, NULL, ldphi, NULL, ldlow, NULL);
    if (n == 0 || !there) return there;
    blni_columns_gather(c, n, X, ldx, work);
    return blni_basis_features_low(c->part, theta, n, work, c->k, Phi, ldphi, Low, ldlow, work + 2*blni_columns_block(c, n));
}

/* Bound: a copy of the struct, then the room of the part. Gram: that room, then the gathered rows, as many as features. */
BLNI_PRIV size_t blni_columns_room(const bln_basis *b)
{
    const blni_columns *c = (const blni_columns *)b;
    size_t room = blni_pad(bln_basis_room(c->part));
    if (c->part->ops->gram) room = blni_add(room, blni_columns_block(c, b->D));
    return room ? blni_add(room, blni_pad(blni_doubles(sizeof(blni_columns)))) : 0;
}

BLNI_PRIV const bln_basis *blni_columns_bind(const bln_basis *b, const double *theta, double *room)
{
    blni_columns *bound = (blni_columns *)(void *)room;
    *bound = *(const blni_columns *)b;
    bound->part = bln_basis_bind(bound->part, theta, room + blni_pad(blni_doubles(sizeof *bound)));
    return &bound->own.base;
}

BLNI_PRIV void blni_columns_settle(const bln_basis *b, const double *theta, double *dtheta)
{
    bln_basis_settle(((const blni_columns *)b)->part, theta, dtheta);
}

BLNI_PRIV double blni_columns_variance(const bln_basis *b, size_t s)
{
    return bln_basis_variance(((const blni_columns *)b)->part, s);
}

BLNI_PRIV int blni_columns_kernel(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X,
                                  size_t ldx, double *k, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    const size_t block = blni_columns_block(c, n);
    blni_columns_gather(c, 1, x, ldx, work + block);
    blni_columns_gather(c, n, X, ldx, work);
    return blni_basis_kernel(c->part, s, theta, work + block, n, work, c->k, k, work + 2*block);
}

BLNI_PRIV size_t blni_columns_preferred(const bln_basis *b) { return blni_basis_preferred_rows(((const blni_columns *)b)->part); }

BLNI_PRIV double blni_columns_bound(BLNI_INPUTS, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    blni_columns_gather(c, n, X, ldx, work);
    return blni_basis_bound(c->part, theta, n, work, c->k, work + 2*blni_columns_block(c, n));
}

BLNI_PRIV int blni_columns_gram(BLNI_INPUTS, double *K, size_t ldk, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    double *x = X ? work + blni_pad(bln_basis_room(c->part)) : NULL;
    if (!blni_basis_gram(c->part, theta, n, NULL, c->k, NULL, ldk, work)) return 0;
    if (x) blni_columns_gather(c, n, X, ldx, x);
    return blni_basis_gram(c->part, theta, n, x, c->k, K, ldk, work);
}

BLNI_PRIV void blni_columns_gram_pullback(BLNI_INPUTS, const double *G, size_t ldg, double *dtheta, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    double *x = work + blni_pad(bln_basis_room(c->part));
    blni_columns_gather(c, n, X, ldx, x);
    c->part->ops->gram_pullback(c->part, theta, n, x, c->k, G, ldg, dtheta, work);
}

BLNI_PRIV size_t blni_columns_active(const bln_basis *b, size_t s) { return bln_basis_active(((const blni_columns *)b)->part, s); }

BLNI_TABLE const bln_basis_ops blni_columns_ops = {
    "columns", blni_columns_features, blni_columns_pullback, blni_columns_work, blni_columns_param, blni_columns_slice,
    blni_columns_feature_name, blni_columns_param_name, blni_columns_slice_name, blni_columns_save, blni_columns_load,
    blni_columns_release, blni_columns_low, blni_columns_room, blni_columns_bind, blni_columns_settle, blni_columns_variance,
    blni_columns_kernel, blni_columns_preferred, blni_columns_bound, blni_columns_gram, blni_columns_gram_pullback,
    blni_columns_active
};

/* ---- what both have ---- */

BLNI_PRIV int blni_is_columns(const bln_basis *b) { return b->ops->release == blni_columns_release; }

/* 64 bits that tell bases apart: a hash (FNV-1a) of what the basis would save, frequencies and centres included. A user's basis
 * without save is hashed by its name and sizes, a sum or selection by its parts. Equal bases have equal hashes on any machine;
 * different bases have equal ones with probability 2^-64. 0 for NULL. Frequencies drawn from one seed on machines with different C
 * libraries may differ in their last bits, and then so does this: hand on the saved basis. */
BLNI_ONCE BLNI_PRIV uint64_t blni_basis_fingerprint(const bln_basis *b)
{
    bln_writer w = bln_writer_over(NULL, NULL);
    if (!b) return 0;
    bln_put_string(&w, b->ops->name);
    bln_put_u64(&w, b->d);
    bln_put_u64(&w, b->D);
    bln_put_u64(&w, b->n_theta);
    bln_put_u64(&w, b->n_slices);
    if (blni_is_sum(b)) {
        const blni_sum *sum = (const blni_sum *)b;
        for (size_t i = 0; i < sum->n; i++) bln_put_u64(&w, blni_basis_fingerprint(sum->parts[i]));
    } else if (blni_is_columns(b)) {
        const blni_columns *c = (const blni_columns *)b;
        for (size_t j = 0; j < c->k; j++) bln_put_u64(&w, c->columns[j]);
        bln_put_u64(&w, blni_basis_fingerprint(c->part));
    } else if (b->ops->save) b->ops->save(b, &w);
    return w.checksum;
}

/* Can all of a basis be pulled back to its inputs? A sum or a selection has a pullback whatever its parts have; a part without
 * one adds nothing, which would be a wrong slope. */
BLNI_PRIV int blni_basis_has_slope(const bln_basis *b)
{
    blni_sum_at at;
    if (b->d == 0) return 1;
    if (!b->ops->pullback) return 0;
    if (blni_is_columns(b)) return blni_basis_has_slope(((const blni_columns *)b)->part);
    if (!blni_is_sum(b)) return 1;
    for (const bln_basis *p = blni_part_first(b, &at); p; p = blni_part_next(b, &at))
        if (!blni_basis_has_slope(p)) return 0;
    return 1;
}

/* ---- making them ---- */

/* A user's basis counts as one without parts: what it nests is its own business. */
BLNI_PRIV size_t blni_basis_depth(const bln_basis *b)
{
    return blni_is_sum(b) || blni_is_columns(b) ? ((const blni_owned *)b)->depth : 0;
}

BLN_API bln_status bln_basis_sum(const bln_allocator *alloc, size_t n, bln_basis *const *parts, bln_basis **out, bln_report *report)
{
    size_t d = 0, D = 0, n_theta = 0, n_slices = 0, depth = 0;
    blni_owned *own = NULL;
    BLNI_TRY(blni_begin(report, n > 0 && parts, "sum of bases: no parts"));
    if (!out) return blni_refuse(report, BLN_EINVAL, "sum of bases: out is NULL");
    if (n > BLNI_BASIS_PARTS) return blni_refuse(report, BLN_EOVERFLOW, "sum of bases: more than 4096 parts");
    for (size_t i = 0; i < n; i++) {
        const bln_basis *p = parts[i];
        if (!p) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sum of bases: a part is NULL");
        for (size_t k = 0; k < i; k++)
            if (parts[k] == p) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sum of bases: a part stands twice");
        if (d && p->d && p->d != d)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, i, "sum of bases: a part reads another number of inputs");
        if (p->d) d = p->d;
        D = blni_add(D, p->D);
        n_theta = blni_add(n_theta, p->n_theta);
        n_slices = blni_add(n_slices, p->n_slices);
        depth = blni_max(depth, blni_basis_depth(p));
    }
    if (depth >= BLNI_BASIS_DEPTH) return blni_refuse(report, BLN_EINVAL, "sum of bases: nested deeper than 16");
    BLNI_TRY(blni_basis_new(alloc, &blni_sum_ops, d, D, n_theta, sizeof(blni_sum), blni_mul(n, sizeof *parts), &own, report));
    blni_sum *sum = (blni_sum *)own;
    own->base.n_slices = n_slices;
    own->depth = depth + 1;
    sum->n = n;
    sum->parts = (const bln_basis **)own->tail;
    for (size_t i = 0; i < n; i++) sum->parts[i] = parts[i];
    *out = &own->base;
    return BLN_OK;
}

BLNI_PRIV int blni_compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

BLNI_ONCE BLN_API bln_status bln_basis_columns(const bln_allocator *alloc, size_t d, size_t k, const size_t *columns,
                                               bln_basis *part, bln_basis **out, bln_report *report)
{
    blni_owned *own = NULL;
    bln_report_clear(report);
    if (!part || !out)
        return blni_refuse(report, BLN_EINVAL, part ? "column selection: out is NULL" : "column selection: the basis is NULL");
    if (k && !columns) return blni_refuse(report, BLN_EINVAL, "column selection: columns is NULL");
    for (size_t j = 0; j < k; j++)
        if (columns[j] >= d)
            return blni_fail(report, BLN_EINVAL, BLN_NONE, columns[j], "column selection: there is no such column");
    if (part->d != k) return blni_refuse(report, BLN_ESHAPE, "column selection: the basis reads another number of inputs");
    if (blni_basis_depth(part) >= BLNI_BASIS_DEPTH)
        return blni_refuse(report, BLN_EINVAL, "column selection: nested deeper than 16");
    BLNI_TRY(blni_basis_new(alloc, &blni_columns_ops, d, part->D, part->n_theta, sizeof(blni_columns), blni_mul(k, sizeof *columns),
                            &own, report));

    /* Sorted, equal columns are neighbours: a list of a million columns takes no longer than it must. */
    size_t *sorted = (size_t *)own->tail;
    for (size_t j = 0; j < k; j++) sorted[j] = columns[j];
    if (k > 1) qsort(sorted, k, sizeof *sorted, blni_compare_sizes);
    for (size_t j = 1; j < k; j++)
        if (sorted[j] == sorted[j - 1]) {
            const size_t twice = sorted[j];
            blni_basis_release(&own->base);
            return blni_fail(report, BLN_EINVAL, BLN_NONE, twice, "column selection: a column stands twice");
        }
    for (size_t j = 0; j < k; j++) sorted[j] = columns[j];

    blni_columns *c = (blni_columns *)own;
    own->base.n_slices = part->n_slices;
    own->depth = blni_basis_depth(part) + 1;
    c->k = k;
    c->columns = sorted;
    c->part = part;
    *out = &own->base;
    return BLN_OK;
}

/* ---- reading them ---- */

/* The status of a step of a loader. The reader keeps the reason of its first failure. */
BLNI_PRIV bln_status blni_load_fail(bln_reader *r, bln_status status)
{
    const char *why = "out of memory";
    if (status == BLN_OK) return status;
    if (status == BLN_EINVAL || status == BLN_ESHAPE) { status = BLN_EFORMAT; why = "a basis whose pieces do not fit together"; }
    if (status == BLN_EOVERFLOW) { status = BLN_EFORMAT; why = "a basis too large for this machine"; }
    return bln_reader_fail(r, status, why);
}

/* A flag is 0 or 1: anything else is damage. */
BLNI_PRIV int blni_load_flag(bln_reader *r)
{
    const uint32_t v = bln_get_u32(r);
    if (v > 1) bln_reader_fail(r, BLN_EFORMAT, "a flag that is neither 0 nor 1");
    return v == 1;
}

/* The table of that name, or NULL. */
BLNI_PRIV const bln_basis_ops *blni_ops_named(const bln_load *context, const char *name)
{
    for (size_t i = 0; i < context->n_bases; i++)
        if (context->bases[i]->load && !strcmp(name, context->bases[i]->name)) return context->bases[i];
    return NULL;
}

BLN_API bln_status bln_basis_load_any(const bln_load *context, bln_reader *r, bln_basis **out)
{
    char name[32];
    bln_basis *b = NULL;
    bln_load none = BLN_ZERO;
    if (!r || !out) return BLN_EINVAL;
    if (!context) context = &none;
    if (context->depth > BLNI_BASIS_DEPTH) return bln_reader_fail(r, BLN_EFORMAT, "bases nested deeper than 16");
    bln_get_string(r, name, sizeof name);
    if (r->status != BLN_OK) return r->status;
    const bln_basis_ops *ops = blni_ops_named(context, name);
    if (!ops) return blni_reader_fail_name(r, "unknown basis", name);
    bln_status status = ops->load(context, r, &b);
    if (status != BLN_OK) return bln_reader_fail(r, status, "a basis could not be read");
    if (r->status == BLN_OK) {
        const char *why = bln_basis_check(b);
        if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    }
    if (r->status != BLN_OK) { bln_basis_free(b); return r->status; }
    *out = b;
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_sum_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    bln_load inner = *context;
    const size_t n = bln_get_count(r, 5, BLNI_BASIS_PARTS);            /* a part is at least a name of one character */
    size_t done = 0;
    if (r->status == BLN_OK && n == 0) bln_reader_fail(r, BLN_EFORMAT, "a sum of no bases");
    if (r->status != BLN_OK) return r->status;
    bln_basis **parts = (bln_basis **)blni_alloc(&context->alloc, n*sizeof *parts);
    bln_status status = parts ? BLN_OK : blni_load_fail(r, BLN_ENOMEM);
    inner.depth++;
    while (status == BLN_OK && done < n) {
        status = bln_basis_load_any(&inner, r, &parts[done]);
        if (status == BLN_OK) done++;
    }
    if (status == BLN_OK) status = blni_load_fail(r, bln_basis_sum(&context->alloc, n, parts, out, NULL));
    if (status != BLN_OK) while (done) bln_basis_free(parts[--done]);
    blni_release(&context->alloc, parts, n*sizeof *parts);
    return status;
}

/* A block of n 64-bit words, or NULL, in memory that grows as they arrive, so that a damaged count never becomes a large
 * allocation. */
BLNI_PRIV uint64_t *blni_load_words(const bln_allocator *alloc, bln_reader *r, size_t n)
{
    size_t have = 0, room = blni_min(n, 4096);
    uint64_t *words = (uint64_t *)blni_alloc(alloc, room*sizeof *words);
    while (words && have < n && r->status == BLN_OK) {
        if (have == room) {
            const size_t more = n - room < room ? n : 2*room;
            uint64_t *bigger = (uint64_t *)blni_alloc(alloc, more*sizeof *words);
            if (bigger) memcpy(bigger, words, have*sizeof *words);
            blni_release(alloc, words, room*sizeof *words);
            words = bigger;
            room = more;
            if (!words) break;
        }
        for (; have < room; have++) words[have] = bln_get_u64(r);
    }
    if (!words) blni_load_fail(r, BLN_ENOMEM);
    if (r->status != BLN_OK) { blni_release(alloc, words, room*sizeof *words); words = NULL; }
    return words;
}

BLNI_ONCE BLNI_PRIV bln_status blni_columns_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    bln_load inner = *context;
    bln_basis *part = NULL;
    const size_t d = bln_get_count(r, 0, (size_t)-1/sizeof(double)), k = bln_get_count(r, 8, d);
    if (r->status != BLN_OK) return r->status;
    uint64_t *words = blni_load_words(&context->alloc, r, k);
    if (!words) return r->status;
    inner.depth++;
    bln_status status = bln_basis_load_any(&inner, r, &part);
    if (status == BLN_OK) {
        /* In place: a size_t is no larger than a word, and entry j is written after word j was read. */
        size_t *columns = (size_t *)(void *)words;
        for (size_t j = 0; j < k; j++) {
            uint64_t word;
            memcpy(&word, words + j, sizeof word);
            const size_t column = word < d ? (size_t)word : d;
            memcpy(columns + j, &column, sizeof column);
        }
        status = blni_load_fail(r, bln_basis_columns(&context->alloc, d, k, columns, part, out, NULL));
        if (status != BLN_OK) bln_basis_free(part);
    }
    blni_release(&context->alloc, words, k*sizeof *words);
    return status;
}

BLN_API const bln_basis_ops *bln_sum_ops(void)     { return &blni_sum_ops; }
BLN_API const bln_basis_ops *bln_columns_ops(void) { return &blni_columns_ops; }
