/* store: allocates a posterior and its numbers as one block */
#include "store_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"

/* Group i of the shape with room of its own, but for what it shares with `before`, which is the last that was made. */
BLNI_PRIV bln_group blni_store_group(blni_arena *a, const bln_posterior *shape, size_t i, const bln_group *before)
{
    const bln_group *g = shape->groups + i, *last = i ? g - 1 : NULL;
    const size_t K = blni_group_K(g), n_eta = shape->observe.n_eta, n_lambda = blni_posterior_residuals(shape);
    blni_array list[BLNI_ARRAYS_MOST];
    uint64_t counts[BLNI_VIEW_COUNTS];
    const size_t arrays = g->ops->arrays(shape, g, list);
    const int eta = g->ldeta || !last || g->eta != last->eta, lambda = g->ldresidual || !last || g->residual != last->residual;
    char *view = (char *)blni_carve(a, 1, g->ops->view_size);
    bln_group own = *g;
    own.K = K;
    own.view = view;
    own.ldeta = g->ldeta ? n_eta : 0;
    own.ldresidual = g->ldresidual ? n_lambda : 0;
    if (g->weight) own.weight = blni_carve_doubles(a, K);
    own.theta = last && g->theta == last->theta ? before->theta : blni_carve_doubles(a, blni_posterior_theta(shape));
    own.eta = eta ? blni_carve_doubles(a, blni_mul(g->ldeta ? K : 1, n_eta)) : before->eta;
    if (g->residual) own.residual = lambda ? blni_carve_doubles(a, blni_mul(g->ldresidual ? K : 1, n_lambda)) : before->residual;
    if (view) memset(view, 0, g->ops->view_size);
    if (view && g->ops->n_counts) { g->ops->count(g->view, counts); g->ops->shape(counts, view); }
    for (size_t k = 0; k < arrays; k++) {
        const void *there;
        memcpy(&there, (const char *)g->view + list[k].offset, sizeof there);
        if (list[k].optional && !there) continue;
        const size_t unit = list[k].domain >= BLNI_INDICES ? sizeof(size_t) : sizeof(double);
        void *room = blni_carve(a, blni_mul(list[k].rows, list[k].cols), unit);
        if (view) memcpy(view + list[k].offset, &room, sizeof room);
    }
    return own;
}

BLNI_ONCE BLNI_PRIV blni_store *blni_store_carve(blni_arena *a, const bln_posterior *shape)
{
    const size_t n_bases = blni_posterior_bases(shape);
    blni_store *s = (blni_store *)blni_carve(a, 1, sizeof *s);
    const bln_basis **bases = (const bln_basis **)blni_carve(a, n_bases, sizeof *bases);
    bln_group *groups = (bln_group *)blni_carve(a, shape->n_groups, sizeof *groups), before;
    const size_t kept = shape->observe.ops->kept;
    void *likelihood = blni_carve(a, 1, kept);
    memset(&before, 0, sizeof before);
    if (s) {
        memset(s, 0, sizeof *s);
        s->q = *shape;
        s->q.bases = bases;
        s->q.groups = groups;
        if (kept) s->q.observe.likelihood = (const struct bln_likelihood *)memcpy(likelihood, shape->observe.likelihood, kept);
        for (size_t b = 0; b < n_bases; b++) bases[b] = shape->bases[b];
    }
    for (size_t i = 0; i < shape->n_groups; i++) {
        before = blni_store_group(a, shape, i, &before);
        if (s) groups[i] = before;
    }
    return s;
}

BLNI_PRIV size_t blni_store_size(const bln_posterior *shape)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_store_carve(&a, shape);
    return a.used;
}

BLNI_PRIV bln_status blni_store_create(const bln_allocator *alloc, const bln_posterior *shape, const char *who, blni_store **out,
                                       bln_report *report)
{
    blni_arena a;
    BLNI_TRY(blni_arena_take(alloc, blni_store_size(shape), who, &a, report));
    *out = blni_store_carve(&a, shape);
    (*out)->alloc = (*out)->q.alloc = *alloc;
    (*out)->block = a.base;
    (*out)->bytes = a.size;
    return BLN_OK;
}

BLNI_PRIV void blni_store_free(blni_store *s)
{
    if (!s) return;
    for (size_t b = 0; b < blni_posterior_bases(&s->q) && s->owns_bases; b++) bln_basis_free((bln_basis *)(uintptr_t)s->q.bases[b]);
    blni_release(&s->alloc, s->block, s->bytes);
}

BLNI_PRIV bln_basis *blni_store_basis(blni_store *s)
{
    s->owns_bases = 0;
    return (bln_basis *)(uintptr_t)s->q.bases[0];
}
