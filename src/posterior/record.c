/* record: a posterior as bytes. All sizes stand before the numbers, so that a damaged file is refused before anything is made. */
#include "record_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"
#include "../core/data_private.h"
#include "../core/load_private.h"
#include "../basis/basis_private.h"

/* What a group shares with the one before, and what it has; then its kind's optional arrays, a bit each. */
enum { BLNI_SAME_THETA = 1, BLNI_SAME_ETA = 2, BLNI_SAME_RESIDUAL = 4, BLNI_RESIDUAL = 8, BLNI_OWN_ETA = 16, BLNI_OWN_RESIDUAL = 32,
       BLNI_FIRST_OPTION = 64, BLNI_GROUP_BYTES = 28, BLNI_VIEW_DOUBLES = 16, BLNI_KEPT_DOUBLES = 8 };

/* ---- writing */

BLNI_PRIV uint64_t blni_group_flags(const bln_posterior *q, size_t i)
{
    const bln_group *g = q->groups + i, *before = i ? g - 1 : NULL;
    blni_array list[BLNI_ARRAYS_MOST];
    const size_t arrays = g->ops->arrays(q, g, list);
    uint64_t flags = 0, bit = BLNI_FIRST_OPTION;
    if (before && g->theta == before->theta) flags |= BLNI_SAME_THETA;
    if (before && g->eta == before->eta && !g->ldeta) flags |= BLNI_SAME_ETA;
    if (before && g->residual && g->residual == before->residual && !g->ldresidual) flags |= BLNI_SAME_RESIDUAL;
    if (g->residual) flags |= BLNI_RESIDUAL;
    if (g->ldeta) flags |= BLNI_OWN_ETA;
    if (g->residual && g->ldresidual) flags |= BLNI_OWN_RESIDUAL;
    for (size_t k = 0; k < arrays; k++) {
        const void *at;
        if (!list[k].optional) continue;
        memcpy(&at, (const char *)g->view + list[k].offset, sizeof at);
        if (at) flags |= bit;
        bit *= 2;
    }
    return flags;
}

/* Are the numbers of row i, from `first` on, in their domain? */
BLNI_PRIV int blni_record_row_good(const blni_array *a, size_t i, const double *row, size_t first)
{
    int good = blni_all_finite(a->cols - first, row + first);
    for (size_t j = first; j < a->cols && a->domain == BLNI_AT_LEAST_ZERO; j++) good = good && row[j] >= 0.0;
    if (a->domain == BLNI_PIVOTS) good = good && row[first] > 0.0;
    return good && (a->domain != BLNI_VARIANCES || row[i] >= 0.0);
}

/* Indices must ascend and lie below a->upper. None may be among the n `others`, which ascend as well. */
BLNI_PRIV int blni_record_indices_good(const blni_array *a, const size_t *others, size_t n)
{
    const size_t *index = (const size_t *)a->at;
    for (size_t j = 0, k = 0; j < a->cols; j++) {
        if (index[j] >= a->upper || (j && index[j] <= index[j - 1])) return 0;
        while (k < n && others[k] < index[j]) k++;
        if (k < n && others[k] == index[j]) return 0;
    }
    return 1;
}

/* Are all numbers of an array in its domain? `before` is the array in front of it, which OTHER_INDICES are compared with. */
BLNI_ONCE BLNI_PRIV int blni_record_good(const blni_array *a, const blni_array *before)
{
    int good = 1;
    if (a->domain == BLNI_INDICES) return blni_record_indices_good(a, NULL, 0);
    if (a->domain == BLNI_OTHER_INDICES) return blni_record_indices_good(a, (const size_t *)before->at, before->cols);
    for (size_t i = 0; i < a->rows && a->cols && good; i++)
        good = blni_record_row_good(a, i, (const double *)a->at + i*a->ld, a->upper ? i % a->upper : 0);
    return good;
}

BLNI_PRIV int blni_are_indices(const blni_array *a) { return a->domain == BLNI_INDICES || a->domain == BLNI_OTHER_INDICES; }

BLNI_PRIV void blni_record_put_array(bln_writer *w, const blni_array *a)
{
    for (size_t i = 0; i < a->rows && a->cols; i++) {
        const size_t first = a->upper && !blni_are_indices(a) ? i % a->upper : 0;
        if (!blni_are_indices(a)) bln_put_doubles(w, a->cols - first, (const double *)a->at + i*a->ld + first);
        else for (size_t j = 0; j < a->cols; j++) bln_put_u64(w, ((const size_t *)a->at)[i*a->ld + j]);
    }
}

BLNI_ONCE BLN_API bln_status bln_posterior_save(const bln_posterior *q, bln_writer *w)
{
    uint64_t counts[BLNI_VIEW_COUNTS];
    blni_array part[BLNI_PARTS_MOST];
    char likelihood[BLNI_TOLD_TEXT] = "";
    if (!q || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (q->status != BLN_OK) return blni_writer_fail(w, q->status);
    if (bln_posterior_check(q, NULL) != BLN_OK) return blni_writer_fail(w, BLN_EINVAL);
    if (q->observe.ops->told && !q->observe.ops->told(&q->observe, likelihood))
        return blni_writer_fail(w, BLN_EUNKNOWN);                          /* its name and sizes are all that is kept */
    bln_put_u64(w, blni_posterior_J(q));
    bln_put_u64(w, blni_posterior_bases(q));
    for (size_t b = 0; b < blni_posterior_bases(q); b++) bln_basis_save(q->bases[b], w);
    bln_put_string(w, q->observe.ops->name);
    bln_put_string(w, likelihood);
    bln_put_u64(w, q->observe.n_eta);
    bln_put_u64(w, q->observe.n_y);
    bln_put_u64(w, q->observe.n_moments);
    bln_put_double(w, q->dof);
    bln_put_double(w, q->rows);
    bln_put_u64(w, (uint64_t)q->sites);
    bln_put_u64(w, q->n_groups);
    bln_put_u64(w, q->groups->weight != NULL);
    for (size_t i = 0; i < q->n_groups; i++) {
        const bln_group *g = q->groups + i;
        bln_put_string(w, g->ops->name);
        bln_put_u64(w, blni_group_K(g));
        bln_put_u64(w, blni_group_flags(q, i));
        if (g->ops->n_counts) g->ops->count(g->view, counts);
        for (size_t k = 0; k < g->ops->n_counts; k++) bln_put_u64(w, counts[k]);
    }
    for (size_t i = 0; i < q->n_groups; i++) {
        const size_t n = blni_group_parts(q, i, part);
        for (size_t k = 0; k < n; k++) {
            if (!blni_record_good(part + k, k ? part + k - 1 : NULL)) return blni_writer_fail(w, BLN_EDOMAIN);
            blni_record_put_array(w, part + k);
        }
    }
    return w->status;
}

/* ---- reading */

/* What is told before the numbers: a posterior of which only the sizes count, and pointers as far as they are NULL or the same. */
typedef struct blni_told {
    const bln_load   *context;
    bln_posterior     q;
    const bln_basis **bases;
    void             *block;                /* holds views and groups                              */
    double           *views;                /* BLNI_VIEW_DOUBLES for each group                    */
    bln_group        *groups;
    double            there[2];             /* what pointers lead to that are not NULL             */
    double            likelihood[BLNI_KEPT_DOUBLES];
} blni_told;

BLNI_PRIV size_t blni_told_groups_bytes(const bln_posterior *q)
{
    return blni_mul(q->n_groups, sizeof(bln_group) + BLNI_VIEW_DOUBLES*sizeof(double));
}

BLNI_PRIV void blni_told_free(blni_told *t, int bases)
{
    for (size_t b = 0; b < t->q.n_bases && bases; b++) bln_basis_free((bln_basis *)(uintptr_t)t->bases[b]);
    blni_release(&t->context->alloc, t->bases, blni_mul(t->q.n_bases, sizeof *t->bases));
    blni_release(&t->context->alloc, t->block, blni_told_groups_bytes(&t->q));
}

BLNI_PRIV bln_status blni_told_bases(bln_reader *r, blni_told *t)
{
    bln_posterior *q = &t->q;
    const size_t J = bln_get_count(r, 1, (size_t)-1), n = bln_get_count(r, 4, (size_t)-1);
    if (r->status != BLN_OK) return r->status;
    if (J == 0 || (n != 1 && n != J))
        return bln_reader_fail(r, BLN_EFORMAT, "posterior: neither one basis for all latents, nor one for each");
    q->J = J;
    t->bases = (const bln_basis **)blni_alloc(&t->context->alloc, blni_mul(n, sizeof *t->bases));
    if (!t->bases) return bln_reader_fail(r, BLN_ENOMEM, "posterior: out of memory for its bases");
    memset(t->bases, 0, n*sizeof *t->bases);
    q->bases = t->bases;
    q->n_bases = n;
    for (size_t b = 0; b < n; b++) {
        bln_basis *basis = NULL;
        const bln_status status = bln_basis_load_any(t->context, r, &basis);
        if (status != BLN_OK) return bln_reader_fail(r, status, "posterior: its basis cannot be loaded");
        t->bases[b] = basis;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_told_observe(bln_reader *r, blni_told *t)
{
    char name[32], likelihood[BLNI_TOLD_TEXT];
    bln_observe *o = &t->q.observe;
    bln_get_string(r, name, sizeof name);
    bln_get_string(r, likelihood, sizeof likelihood);
    o->n_eta = bln_get_count(r, sizeof(double), (size_t)-1);
    o->n_y = bln_get_count(r, 1, (size_t)-1);
    o->n_moments = bln_get_count(r, 1, (size_t)-1);
    if (r->status != BLN_OK) return r->status;
    for (size_t i = 0; i < t->context->n_observes && !o->ops; i++)
        if (!strcmp(name, t->context->observes[i]->name)) o->ops = t->context->observes[i];
    if (!o->ops) return blni_reader_fail_name(r, "posterior: unknown observation", name);
    if (!o->ops->kept) return BLN_OK;
    if (BLNI_NEVER(o->ops->kept > sizeof t->likelihood))                 /* it is 0 or the size of a bln_likelihood, six words */
        return bln_reader_fail(r, BLN_EFORMAT, "posterior: its likelihood is too large");
    o->likelihood = (const struct bln_likelihood *)(void *)t->likelihood;
    const bln_status found = o->ops->find(t->context, likelihood, o->n_eta, t->q.J, t->likelihood);
    if (found == BLN_EUNKNOWN) return blni_reader_fail_name(r, "posterior: unknown likelihood", likelihood);
    return found == BLN_OK ? BLN_OK : bln_reader_fail(r, BLN_EFORMAT, "posterior: sizes are not those of its likelihood");
}

/* A pointer that is not NULL: that of the group before, or another. */
BLNI_PRIV const double *blni_told_pointer(const blni_told *t, int same, const double *before)
{
    return same ? before : before == t->there ? t->there + 1 : t->there;
}

/* Sets in g what the flags say that it has, and what it shares with the group before. 0: flags that contradict each other. */
BLNI_PRIV int blni_told_flags(const blni_told *t, uint64_t flags, const bln_group *before, bln_group *g, double *view)
{
    bln_group none = BLN_ZERO;
    const uint64_t same = BLNI_SAME_THETA | BLNI_SAME_ETA | BLNI_SAME_RESIDUAL;
    const double *there = t->there;
    blni_array list[BLNI_ARRAYS_MOST];
    uint64_t bit = BLNI_FIRST_OPTION;
    if (!before && (flags & same)) return 0;
    if ((flags & BLNI_OWN_ETA) && ((flags & BLNI_SAME_ETA) || !t->q.observe.n_eta)) return 0;
    if ((flags & BLNI_SAME_RESIDUAL) && (flags & BLNI_OWN_RESIDUAL)) return 0;
    if (!(flags & BLNI_RESIDUAL) && (flags & (BLNI_SAME_RESIDUAL | BLNI_OWN_RESIDUAL))) return 0;
    if (!before) before = &none;
    g->theta = blni_told_pointer(t, (flags & BLNI_SAME_THETA) != 0, before->theta);
    g->eta = blni_told_pointer(t, (flags & BLNI_SAME_ETA) != 0, before->eta);
    if (flags & BLNI_RESIDUAL) {
        g->residual = blni_told_pointer(t, (flags & BLNI_SAME_RESIDUAL) != 0, before->residual);
        if (!g->residual) return 0;
    }
    g->ldeta = flags & BLNI_OWN_ETA ? t->q.observe.n_eta : 0;
    g->ldresidual = flags & BLNI_OWN_RESIDUAL ? blni_posterior_residuals(&t->q) : 0;
    const size_t arrays = g->ops->arrays(&t->q, g, list);
    for (size_t k = 0; k < arrays; k++) {
        if (!list[k].optional) continue;
        if (flags & bit) memcpy((char *)view + list[k].offset, &there, sizeof there);
        bit *= 2;
    }
    return flags < bit;
}

BLNI_PRIV bln_status blni_told_group(bln_reader *r, int weighted, size_t i, blni_told *t)
{
    char name[32];
    uint64_t counts[BLNI_VIEW_COUNTS];
    bln_group *g = t->groups + i;
    double *view = t->views + i*BLNI_VIEW_DOUBLES;
    bln_get_string(r, name, sizeof name);
    g->K = bln_get_count(r, 1, (size_t)-1);                /* each component takes a byte at least */
    const uint64_t flags = bln_get_u64(r);
    if (r->status != BLN_OK) return r->status;
    for (size_t k = 0; k < t->context->n_components && !g->ops; k++)
        if (!strcmp(name, t->context->components[k]->name)) g->ops = t->context->components[k];
    if (!g->ops) return blni_reader_fail_name(r, "posterior: unknown kind of components", name);
    /* The largest view, that of t's, has ten words. */
    if (g->K == 0 || BLNI_NEVER(g->ops->view_size > BLNI_VIEW_DOUBLES*sizeof *view))
        return bln_reader_fail(r, BLN_EFORMAT, "posterior: a group without components");
    for (size_t k = 0; k < g->ops->n_counts; k++) counts[k] = bln_get_count(r, 0, (size_t)-1/2);
    if (r->status != BLN_OK) return r->status;
    if (g->ops->n_counts && !g->ops->shape(counts, view)) return bln_reader_fail(r, BLN_EFORMAT, "posterior: unknown form");
    g->view = view;
    g->weight = weighted ? t->there : NULL;
    if (blni_told_flags(t, flags, i ? g - 1 : NULL, g, view)) return BLN_OK;
    return bln_reader_fail(r, BLN_EFORMAT, "posterior: flags of a group contradict each other");
}

BLNI_PRIV bln_status blni_told_groups(bln_reader *r, blni_told *t)
{
    bln_posterior *q = &t->q;
    q->dof = bln_get_double(r);
    q->rows = bln_get_double(r);
    const uint64_t sites = bln_get_u64(r);
    const size_t n = bln_get_count(r, BLNI_GROUP_BYTES, (size_t)-1);
    const uint64_t weighted = bln_get_u64(r);
    if (r->status != BLN_OK) return r->status;
    if (sites > BLN_SITES_MEAN || n == 0 || weighted > 1 || !(q->rows >= 0.0) || !blni_finite(q->rows))
        return bln_reader_fail(r, BLN_EFORMAT, "posterior: no groups, or a number is outside its range");
    q->sites = (bln_sites)sites;
    if (q->observe.ops->check(&q->observe, q->J, q->dof))
        return bln_reader_fail(r, BLN_EFORMAT, "posterior: sizes are not those of its observation");
    q->n_groups = n;
    const size_t bytes = blni_told_groups_bytes(q);
    t->block = blni_alloc(&t->context->alloc, bytes);
    if (!t->block) {
        q->n_groups = 0;
        return bln_reader_fail(r, BLN_ENOMEM, "posterior: out of memory for its groups");
    }
    memset(t->block, 0, bytes);
    t->views = (double *)(void *)t->block;
    t->groups = (bln_group *)(void *)(t->views + n*BLNI_VIEW_DOUBLES);
    q->groups = t->groups;
    for (size_t i = 0; i < n && r->status == BLN_OK; i++) blni_told_group(r, weighted != 0, i, t);
    return r->status;
}

/* An array into a store. */
BLNI_PRIV void blni_record_get_array(bln_reader *r, const blni_array *a)
{
    for (size_t i = 0; i < a->rows && a->cols && r->status == BLN_OK; i++) {
        if (blni_are_indices(a)) {
            size_t *index = (size_t *)(uintptr_t)a->at + i*a->cols;
            for (size_t j = 0; j < a->cols; j++) index[j] = bln_get_count(r, 0, (size_t)-1);
            continue;
        }
        const size_t first = a->upper ? i % a->upper : 0;
        double *row = (double *)(uintptr_t)a->at + i*a->cols;
        for (size_t j = 0; j < first; j++) row[j] = 0.0;
        bln_get_doubles(r, a->cols - first, row + first);
    }
}

/* The numbers, each group by group. */
BLNI_PRIV bln_status blni_record_numbers(bln_reader *r, const bln_posterior *q)
{
    blni_array part[BLNI_PARTS_MOST];
    int good = 1;
    for (size_t i = 0; i < q->n_groups; i++) {
        const bln_group *g = q->groups + i;
        const size_t n = blni_group_parts(q, i, part), etas = g->ldeta ? g->K : 1;
        for (size_t k = 0; k < n && good && r->status == BLN_OK; k++) {
            blni_record_get_array(r, part + k);
            good = r->status != BLN_OK || blni_record_good(part + k, k ? part + k - 1 : NULL);
        }
        if (!good || r->status != BLN_OK) break;
        for (size_t k = 0; k < etas; k++) good = good && q->observe.ops->usable(&q->observe, g->eta + k*g->ldeta);
        for (size_t b = 0, at = 0; b < q->n_bases; at += q->bases[b]->n_theta, b++)
            good = good && blni_theta_usable(q->bases[b], g->theta + at);
    }
    if (!good) bln_reader_fail(r, BLN_EFORMAT, "posterior: a number is outside its range");
    return r->status;
}

/* The store of what was told. */
BLNI_PRIV bln_status blni_told_store(bln_reader *r, blni_told *t, blni_store **out)
{
    if (blni_posterior_bytes(&t->q, 1) > blni_reader_left(r)) return bln_reader_fail(r, BLN_EFORMAT, "posterior: truncated");
    const bln_status status = blni_store_create(&t->context->alloc, &t->q, "posterior", out, NULL);
    if (status != BLN_OK) return bln_reader_fail(r, status, "posterior: out of memory for its numbers");
    blni_store *s = *out;
    const char *wrong = blni_posterior_reason(&s->q);
    for (size_t i = 0; i < s->q.n_groups && !wrong; i++) wrong = blni_group_reason(&s->q, s->q.groups + i);
    if (wrong) return bln_reader_fail(r, BLN_EFORMAT, wrong);
    if (blni_record_numbers(r, &s->q) == BLN_OK && bln_posterior_check(&s->q, NULL) != BLN_OK)
        bln_reader_fail(r, BLN_EFORMAT, "posterior: its parts do not fit each other");
    return r->status;
}

BLNI_ONCE BLNI_PRIV bln_status blni_record_load(const bln_load *context, bln_reader *r, blni_store **out)
{
    bln_load none = BLN_ZERO;
    blni_told t = BLN_ZERO;
    blni_store *s = NULL;
    t.context = context ? context : &none;
    bln_status status = blni_told_bases(r, &t);
    if (status == BLN_OK) status = blni_told_observe(r, &t);
    if (status == BLN_OK) status = blni_told_groups(r, &t);
    if (status == BLN_OK) status = blni_told_store(r, &t, &s);
    blni_told_free(&t, status != BLN_OK);
    if (status != BLN_OK) blni_store_free(s);
    else { s->owns_bases = 1; *out = s; }
    return status;
}

BLNI_PRIV void blni_load_of(const bln_load *context, const struct bln_component_ops *const *kinds, size_t n_kinds,
                            const struct bln_observe_ops *const *observes, size_t n_observes, bln_load *out)
{
    memset(out, 0, sizeof *out);
    if (context) *out = *context;
    out->components = kinds;
    out->n_components = n_kinds;
    out->observes = observes;
    out->n_observes = n_observes;
}

BLN_API bln_status bln_posterior_load(const bln_load *context, bln_reader *r, bln_posterior **out)
{
    blni_store *s = NULL;
    if (!r || !out) return BLN_EINVAL;
    const bln_status status = blni_record_load(context, r, &s);
    if (status == BLN_OK) *out = &s->q;
    return status;
}

BLN_API void bln_posterior_free(bln_posterior *q) { blni_store_free((blni_store *)(void *)q); }

BLNI_MODEL_KIND(posterior, "POST", BLNI_RECORD_VERSION, BLNI_RECORD_VERSION, load)
BLN_API const bln_model_kind *bln_posterior_file_kind(void) { return &blni_posterior_kind; }
