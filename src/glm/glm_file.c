/* glm_file: a fitted model as bytes. Content of the section "GLM " of a model file, version 4: its posterior (>>record), then
 *
 *     u64        P, the number of prior variances (blni_glm_priors)
 *     u64        with several latents only: per_weight + 2 per_latent;   str  the method's name
 *     f64        log Z, or the bound, or log p(y, w);   f64 x P  prior variances (infinity: flat)
 *     u64        only if the components are draws: 1 if the table of all draws follows, else 0;   that table (>>chains)
 *
 * Numbers and names that the model does not have (what the search was told, its tolerance) are not kept. */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../core/bytes_private.h"
#include "../core/data_private.h"
#include "../core/load_private.h"
#include "../posterior/kind_diagonal.h"
#include "../posterior/kind_gaussian.h"
#include "../posterior/kind_point.h"
#include "../posterior/kind_product.h"
#include "../posterior/observe_latents.h"
#include "../posterior/observe_likelihood.h"
#include "../posterior/record_private.h"

/* Are the components draws? */
BLNI_PRIV int blni_glm_drawn(const bln_posterior *q) { return q->groups->weight && q->groups->ops == bln_kind_point(); }

BLNI_ONCE BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w)
{
    if (!glm || !w) return blni_writer_fail(w, BLN_EINVAL);
    BLNI_TRY(bln_posterior_save(&glm->posterior, w));
    const size_t priors = blni_glm_priors(&glm->desc);
    bln_put_u64(w, priors);
    if (glm->desc.likelihood.ops->latents) bln_put_u64(w, (glm->desc.per_weight ? 1u : 0u) + (glm->desc.per_latent ? 2u : 0u));
    bln_put_string(w, glm->method);
    bln_put_double(w, glm->objective);
    bln_put_doubles(w, priors, glm->prior_var);
    if (blni_glm_drawn(&glm->posterior)) bln_put_u64(w, glm->chains != NULL);
    return glm->chains ? bln_chains_save(glm->chains, w) : w->status;
}

/* One group, of several components only if they are diagonal; or Gaussians or points with weights, of one group or several. */
BLNI_PRIV int blni_glm_has_form(const bln_posterior *q)
{
    const struct bln_component_ops *kind = q->groups->ops;
    for (size_t i = 0; i < q->n_groups && q->groups->weight; i++)
        if (q->groups[i].ops != kind || (kind != bln_kind_gaussian() && kind != bln_kind_point())) return 0;
    return q->groups->weight || (q->n_groups == 1 && (blni_group_K(q->groups) == 1 || q->groups->ops == bln_kind_diagonal()));
}

/* The model whose posterior this is, without it. */
BLNI_PRIV bln_status blni_glm_read(const bln_load *context, bln_reader *r, const bln_posterior *q, bln_glm **out)
{
    const bln_basis *b = q->bases[0];
    const struct bln_component_ops *kind = q->groups->ops;
    const size_t priors = bln_get_count(r, sizeof(double), (size_t)-1);
    bln_glm_desc desc = BLN_ZERO;
    desc.basis = b;
    desc.likelihood = *q->observe.likelihood;
    if (q->n_bases > 1) desc.bases = q->bases;
    desc.alloc = q->alloc;
    const uint64_t form = desc.likelihood.ops->latents ? bln_get_u64(r) : priors != b->n_slices;
    desc.per_weight = (form & 1) != 0;
    desc.per_latent = (form & 2) != 0;
    for (size_t k = 0; k < q->n_bases; k++) desc.fix_theta |= !q->bases[k]->ops->pullback;
    if (r->status != BLN_OK) return r->status;
    if (form > 3 || !(q->rows > 0.0) || !blni_glm_has_form(q) || priors != blni_glm_priors(&desc))
        return bln_reader_fail(r, BLN_EFORMAT, "model: not the posterior of a generalised linear model");
    const bln_status status = blni_glm_make(&desc, out, r->report);
    if (status != BLN_OK) return bln_reader_fail(r, status, "model: cannot be made");
    bln_glm *glm = *out;
    glm->desc = glm->given;
    blni_glm_common_defaults(&glm->desc, kind == bln_kind_diagonal() ? BLNI_GLM_DIAGONAL : BLNI_GLM_FACTOR);
    bln_get_string(r, glm->method, sizeof glm->method);
    glm->objective = bln_get_double(r);
    bln_get_doubles(r, priors, glm->prior_var);
    const int flat = kind == bln_kind_point() || q->sites == BLN_SITES_MODE
                  || (kind == bln_kind_gaussian() && desc.likelihood.ops->latents);
    int good = glm->objective == glm->objective && (flat || blni_all_finite(priors, glm->prior_var));
    for (size_t i = 0; i < priors; i++) good = good && glm->prior_var[i] > 0.0;
    const uint64_t drawn = blni_glm_drawn(q) ? bln_get_u64(r) : 0;
    if (r->status == BLN_OK && (!good || drawn > 1)) return bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
    if (r->status != BLN_OK || !drawn) return r->status;
    const bln_status chains = bln_chains_load(context, r, &glm->chains);
    if (chains == BLN_OK && bln_chains_parameters(glm->chains) < blni_posterior_weights(q))
        return bln_reader_fail(r, BLN_EFORMAT, "model: draws of fewer numbers than it has weights");
    return chains;
}

BLNI_ONCE BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out)
{
    const struct bln_component_ops *kinds[] = { bln_kind_gaussian(), bln_kind_diagonal(), bln_kind_point(), bln_kind_product() };
    const struct bln_observe_ops *observes[] = { bln_observe_likelihood(NULL).ops, bln_observe_latents(NULL).ops };
    bln_load mine;
    blni_store *store = NULL;
    bln_glm *glm = NULL;
    if (!r || !out) return BLN_EINVAL;
    blni_load_of(context, kinds, 4, observes, 2, &mine);
    BLNI_TRY(blni_record_load(&mine, r, &store));
    bln_status status = blni_glm_read(&mine, r, &store->q, &glm);
    if (!glm) { blni_store_free(store); return status; }
    glm->store = store;
    blni_store_basis(store);
    glm->n_owned = blni_posterior_bases(&store->q);
    blni_glm_show(glm, glm->store, &glm->posterior);
    if (status == BLN_OK) *out = glm;
    else bln_glm_free(glm);
    return status;
}

BLNI_MODEL_KIND(glm, "GLM ", BLNI_GLM_VERSION, BLNI_GLM_VERSION, load)
BLN_API const bln_model_kind *bln_glm_file_kind(void) { return &blni_glm_kind; }
