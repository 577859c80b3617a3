/* result: the posterior that a fit writes, before the model takes it */
#include "result_private.h"
#include "../posterior/observe_latents.h"
#include "../posterior/observe_likelihood.h"

BLNI_PRIV bln_observe blni_glm_observe(const bln_likelihood *l)
{
    return l->ops->latents ? bln_observe_latents(l) : bln_observe_likelihood(l);
}

BLNI_ONCE BLNI_PRIV void blni_glm_size_of(const bln_glm_desc *d, const blni_glm_shape *shape, blni_glm_sized *out)
{
    bln_posterior *q = &out->q;
    bln_group *g = out->group;
    memset(out, 0, sizeof *out);
    q->J = blni_glm_latents(d);
    q->n_bases = blni_glm_views(d);
    q->n_groups = 1;
    q->bases = out->bases;
    for (size_t j = 0; j < q->J; j++) out->bases[j] = blni_glm_basis_of(d, j);
    q->observe = blni_glm_observe(&d->likelihood);
    q->groups = g;
    q->sites = shape->sites;
    g->K = shape->K;
    g->residual = shape->form == BLNI_GLM_POINT && !shape->weighted ? NULL : &out->there;
    switch (shape->form) {
    case BLNI_GLM_FACTOR:
        g->ops = bln_kind_gaussian();
        g->view = &out->gaussians;
        out->gaussians.form = BLN_GAUSSIAN_FACTOR;
        out->gaussians.n = out->gaussians.k = blni_glm_weights(d);
        out->gaussians.n_flat = shape->weighted ? 0 : out->gaussians.n;
        break;
    case BLNI_GLM_DIAGONAL:
        g->ops = bln_kind_diagonal();
        g->view = &out->diagonals;
        break;
    case BLNI_GLM_POINT:
        g->ops = bln_kind_point();
        g->view = &out->points;
        break;
    default:                                             /* BLNI_GLM_PRODUCT */
        g->ops = bln_kind_product();
        g->view = &out->products;
        break;
    }
    if (shape->weighted) {
        g->weight = &out->there;
        g->ldeta = q->observe.n_eta;
        g->ldresidual = blni_glm_slices(d);
    }
    if (!shape->apart) return;
    q->n_groups = shape->K;
    g->K = 1;
    for (size_t k = 0; k < q->n_groups; k++) { out->group[k] = *g; out->group[k].theta = out->own + k; }
}

/* The arrays of component k of the store into r. */
BLNI_PRIV void blni_glm_result_at(blni_glm_result *r, size_t k)
{
    const bln_posterior *q = &r->store->q;
    const bln_group *g = q->groups + (r->shape.apart ? k : 0);
    const size_t at = r->shape.apart || !r->shape.weighted ? 0 : k, D = blni_posterior_weights(q);
    const bln_gaussians *full = (const bln_gaussians *)g->view;
    const bln_diagonals *diagonal = (const bln_diagonals *)g->view;
    const bln_points *point = (const bln_points *)g->view;
    const bln_products *product = (const bln_products *)g->view;
    r->weight = g->weight ? blni_store_own(g->weight) + at : NULL;
    r->eta = blni_store_own(g->eta) + at*g->ldeta;
    r->theta = blni_store_own(g->theta);
    r->lambda = g->residual ? blni_store_own(g->residual) + at*g->ldresidual : NULL;
    switch (r->shape.form) {
    case BLNI_GLM_FACTOR:
        r->m = blni_store_own(full->m) + at*D;
        r->s = blni_store_own(full->s) + at*D;
        r->R = blni_store_own(full->R) + at*D*D;
        r->flat = (size_t *)(uintptr_t)full->flat;
        break;
    case BLNI_GLM_DIAGONAL:
        r->m = blni_store_own(diagonal->m);
        r->psi = blni_store_own(diagonal->psi);
        break;
    case BLNI_GLM_POINT:
        r->m = blni_store_own(point->w) + at*D;
        break;
    default:                                             /* BLNI_GLM_PRODUCT */
        r->m = blni_store_own(product->m);
        r->s = blni_store_own(product->s);
        r->R = blni_store_own(product->U);
        break;
    }
}

BLNI_PRIV bln_status blni_glm_result_create(const bln_allocator *alloc, const bln_glm_desc *d, const blni_glm_shape *shape,
                                            blni_glm_result *r, bln_report *report)
{
    blni_glm_sized sized;
    memset(r, 0, sizeof *r);
    r->shape = *shape;
    blni_glm_size_of(d, shape, &sized);
    const bln_status room = blni_store_create(alloc, &sized.q, "glm", &r->store, report);
    if (room == BLN_OK) blni_glm_result_at(r, 0);
    return room;
}

/* What the features of all latents miss: is there any? */
BLNI_PRIV int blni_glm_misses(const bln_glm_desc *d, const double *s, double *lambda)
{
    int any = 0;
    for (size_t j = 0; j < blni_glm_latents(d); j++) {
        const bln_basis *b = blni_glm_basis_of(d, j);
        any |= blni_residual_of(b, s, 1, NULL, lambda);
        s += b->D;
        lambda += b->n_slices;
    }
    return any;
}
