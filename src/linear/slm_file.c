/* slm_file: a fitted model as bytes. Content of the section "SLM " of a model file, version 3: its posterior (>>record), then
 *
 *     u64 x 3    P prior variances, one for each slice, or D;  kind of Sigma (0 diagonal, 1 full, 2 shared);  relative_prior
 *     f64        log evidence;   f64 x P  prior variances */
#include "../posterior/observe_noise.h"
#include "../core/status_private.h"
#include "slm_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../posterior/prior_private.h"
#include "../posterior/record_private.h"

BLNI_ONCE BLN_API bln_status bln_slm_save(const bln_slm *slm, bln_writer *w)
{
    if (!slm || !w) return blni_writer_fail(w, BLN_EINVAL);
    BLNI_TRY(bln_posterior_save(&slm->posterior, w));
    bln_put_u64(w, bln_slm_priors(slm));
    bln_put_u64(w, (uint64_t)slm->desc.sigma);
    bln_put_u64(w, slm->desc.relative_prior != 0);
    bln_put_double(w, slm->evidence);
    bln_put_doubles(w, bln_slm_priors(slm), slm->prior_var);
    return w->status;
}

/* The desc of the model whose posterior this is. */
BLNI_PRIV bln_status blni_slm_read_desc(bln_reader *r, const bln_posterior *q, bln_slm_desc *desc)
{
    const bln_basis *b = q->bases[0];
    const size_t priors = bln_get_count(r, sizeof(double), (size_t)-1);
    const uint64_t sigma = bln_get_u64(r), relative = bln_get_u64(r);
    if (r->status != BLN_OK) return r->status;
    memset(desc, 0, sizeof *desc);
    desc->basis = b;
    desc->alloc = q->alloc;
    desc->n_outputs = q->J;
    desc->per_weight = priors != b->n_slices;
    desc->fix_theta = !b->ops->pullback;
    const int one = q->n_bases == 1 && q->n_groups == 1 && q->groups->K == 1 && !q->groups->weight
                 && q->rows > 0.0;
    const int known = sigma <= 2 && relative <= 1 && (relative || q->J == 1 || sigma == BLN_SLM_SHARED);
    const int shared = ((const bln_gaussians *)q->groups->view)->T != NULL;
    if (one && known && shared == (q->J > 1) && priors == blni_priors(b, desc->per_weight)) {
        desc->sigma = (bln_slm_sigma)sigma;
        desc->relative_prior = (int)relative;
        return BLN_OK;
    }
    return bln_reader_fail(r, BLN_EFORMAT, "model: not the posterior of a linear model");
}

BLNI_ONCE BLN_API bln_status bln_slm_load(const bln_load *context, bln_reader *r, bln_slm **out)
{
    const struct bln_component_ops *kind = bln_kind_gaussian();
    const struct bln_observe_ops *noise = bln_observe_noise(1).ops;
    bln_load mine;
    blni_store *store = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    if (!r || !out) return BLN_EINVAL;
    blni_load_of(context, &kind, 1, &noise, 1, &mine);
    BLNI_TRY(blni_record_load(&mine, r, &store));
    bln_status status = blni_slm_read_desc(r, &store->q, &desc);
    if (status == BLN_OK) {
        status = bln_slm_create(&desc, &slm, r->report);
        if (status != BLN_OK) bln_reader_fail(r, status, "model: cannot be made");
    }
    if (status != BLN_OK) { blni_store_free(store); return status; }
    slm->store = store;
    slm->owned = blni_store_basis(store);
    slm->evidence = bln_get_double(r);
    bln_get_doubles(r, bln_slm_priors(slm), slm->prior_var);
    /* A perfect fit has an infinite evidence; a flat prior an infinite variance. */
    int good = slm->evidence == slm->evidence;
    for (size_t i = 0; i < bln_slm_priors(slm); i++) good = good && slm->prior_var[i] >= 0.0;
    status = good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
    blni_slm_show(slm);
    if (status == BLN_OK) *out = slm;
    else bln_slm_free(slm);
    return status;
}

BLNI_MODEL_KIND(slm, "SLM ", BLNI_RECORD_VERSION, BLNI_RECORD_VERSION, load)
BLN_API const bln_model_kind *bln_slm_file_kind(void) { return &blni_slm_kind; }
