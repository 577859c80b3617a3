/* glm_file: a fitted model as bytes. Content of the section "GLM " of a model file, version 3: its posterior (>>record), then
 *
 *     u64        P prior variances, one for each slice, or D;   str  the method's name
 *     f64        log Z, or the bound, or log p(y, w);   f64 x P  prior variances (infinity: flat)
 *
 * Numbers and names that the model does not have (what the search was told, its tolerance) are not kept. */
#include "glm_private.h"
#include "../core/bytes_private.h"
#include "../core/data_private.h"
#include "../core/load_private.h"
#include "../posterior/kind_diagonal.h"
#include "../posterior/kind_gaussian.h"
#include "../posterior/kind_point.h"
#include "../posterior/observe_likelihood.h"
#include "../posterior/prior_private.h"
#include "../posterior/record_private.h"

BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w)
{
    if (!glm || !w) return blni_writer_fail(w, BLN_EINVAL);
    const bln_status status = bln_posterior_save(&glm->posterior, w);
    if (status != BLN_OK) return status;
    const size_t priors = blni_priors(glm->desc.basis, glm->desc.per_weight);
    bln_put_u64(w, priors);
    bln_put_string(w, glm->method);
    bln_put_double(w, glm->objective);
    bln_put_doubles(w, priors, glm->prior_var);
    return w->status;
}

/* The model whose posterior this is, without it. */
BLNI_PRIV bln_status blni_glm_read(bln_reader *r, const bln_posterior *q, bln_glm **out)
{
    const bln_basis *b = q->bases[0];
    const struct bln_component_ops *kind = q->groups->ops;
    const size_t priors = bln_get_count(r, sizeof(double), (size_t)-1);
    bln_glm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.likelihood = *q->observe.likelihood;
    desc.alloc = q->alloc;
    desc.per_weight = priors != b->n_slices;
    desc.fix_theta = !b->ops->pullback;
    if (r->status != BLN_OK) return r->status;
    if (q->J != 1 || q->n_groups != 1 || q->groups->weight || !(q->rows > 0.0) || (q->groups->K > 1 && kind != bln_kind_diagonal())
        || priors != blni_priors(b, desc.per_weight))
        return bln_reader_fail(r, BLN_EFORMAT, "model: not the posterior of a generalised linear model");
    const bln_status status = blni_glm_make(&desc, out, r->report);
    if (status != BLN_OK) return bln_reader_fail(r, status, "model: cannot be made");
    bln_glm *glm = *out;
    glm->desc = glm->given;
    blni_glm_common_defaults(&glm->desc, kind == bln_kind_diagonal() ? BLNI_GLM_DIAGONAL : BLNI_GLM_FACTOR);
    bln_get_string(r, glm->method, sizeof glm->method);
    glm->objective = bln_get_double(r);
    bln_get_doubles(r, priors, glm->prior_var);
    const int flat = kind == bln_kind_point() || q->sites == BLN_SITES_MODE;
    int good = glm->objective == glm->objective && (flat || blni_all_finite(priors, glm->prior_var));
    for (size_t i = 0; i < priors; i++) good = good && glm->prior_var[i] > 0.0;
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
}

BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out)
{
    const struct bln_component_ops *kinds[3];
    bln_load mine;
    blni_store *store = NULL;
    bln_glm *glm = NULL;
    if (!r || !out) return BLN_EINVAL;
    const struct bln_observe_ops *observe = bln_observe_likelihood(NULL).ops;
    kinds[0] = bln_kind_gaussian();
    kinds[1] = bln_kind_diagonal();
    kinds[2] = bln_kind_point();
    blni_load_of(context, kinds, &observe, 3, &mine);
    bln_status status = blni_record_load(&mine, r, &store);
    if (status != BLN_OK) return status;
    status = blni_glm_read(r, &store->q, &glm);
    if (!glm) {
        blni_store_free(store);
        return status;
    }
    glm->store = store;
    glm->owned = blni_store_basis(store);
    blni_glm_show(glm);
    if (status == BLN_OK) *out = glm;
    else bln_glm_free(glm);
    return status;
}

BLNI_MODEL_KIND(glm, "GLM ", BLNI_RECORD_VERSION, BLNI_RECORD_VERSION, load)
BLN_API const bln_model_kind *bln_glm_file_kind(void) { return &blni_glm_kind; }
