/* slm_integrated_file: a fitted model as bytes. Content of the section "INTG" of a model file, version 3: its posterior (>>record),
 * then
 *
 *     f64 x 3    scale of the half-Cauchy prior;  a, b of the inverse gamma prior of sigma^2
 *     f64        log evidence
 *     f64 x P    for each slice the ratio: 0 integrated, infinity flat, else fixed;   f64 x P  h_s */
#include "slm_integrated_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../posterior/kind_student.h"
#include "../posterior/observe_noise.h"
#include "../posterior/prior_private.h"
#include "../posterior/record_private.h"

BLN_API bln_status bln_slm_integrated_save(const bln_slm_integrated *m, bln_writer *w)
{
    if (!m || !w) return blni_writer_fail(w, BLN_EINVAL);
    BLNI_TRY(bln_posterior_save(&m->posterior, w));
    bln_put_double(w, m->desc.prior_scale);
    bln_put_double(w, m->desc.noise_a);
    bln_put_double(w, m->desc.noise_b);
    bln_put_double(w, m->evidence);
    bln_put_doubles(w, m->desc.basis->n_slices, m->desc.ratio);
    bln_put_doubles(w, m->desc.basis->n_slices, m->unit);
    return w->status;
}

/* The model whose posterior this is, without it. */
BLNI_PRIV bln_status blni_integrated_read(bln_reader *r, const bln_posterior *q, bln_slm_integrated **out)
{
    const size_t slices = q->bases[0]->n_slices, bytes = blni_mul(slices, sizeof(double));
    bln_slm_integrated_desc desc = BLN_ZERO;
    desc.basis = q->bases[0];
    desc.alloc = q->alloc;
    desc.prior_scale = bln_get_double(r);
    desc.noise_a = bln_get_double(r);
    desc.noise_b = bln_get_double(r);
    const double evidence = bln_get_double(r);
    double *ratio = (double *)blni_alloc(&q->alloc, bytes);
    if (!ratio) return bln_reader_fail(r, BLN_ENOMEM, "integrated model: out of memory");
    bln_get_doubles(r, slices, ratio);
    desc.ratio = ratio;
    desc.theta = q->groups->theta;
    const char *why = bln_slm_integrated_check(&desc);
    const size_t flat = blni_flat_weights(desc.basis, 0, ratio, NULL);
    const double nu = q->rows - (double)flat + 2.0*desc.noise_a;
    const int told = fabs(q->dof - nu) <= 1e-9*nu && flat == ((const bln_students *)q->groups->view)->n_flat;
    if (!why && (!told || !(q->rows > 0.0) || q->n_groups != 1 || !q->groups->weight || !(desc.prior_scale > 0.0)
                 || evidence != evidence))
        why = "integrated model: a number is outside its range";
    if (r->status == BLN_OK && why) bln_reader_fail(r, BLN_EFORMAT, why);
    if (r->status == BLN_OK) {
        const bln_status status = bln_slm_integrated_create(&desc, out, NULL);
        if (status == BLN_OK) (*out)->evidence = evidence;
        else bln_reader_fail(r, status, "integrated model: cannot be made");
    }
    blni_release(&q->alloc, ratio, bytes);
    return r->status;
}

BLNI_ONCE BLN_API bln_status bln_slm_integrated_load(const bln_load *context, bln_reader *r, bln_slm_integrated **out)
{
    const struct bln_component_ops *kind = bln_kind_student();
    const struct bln_observe_ops *noise = bln_observe_noise(1).ops;
    bln_load mine;
    blni_store *store = NULL;
    bln_slm_integrated *m = NULL;
    int good = 1;
    if (!r || !out) return BLN_EINVAL;
    blni_load_of(context, &kind, 1, &noise, 1, &mine);
    BLNI_TRY(blni_record_load(&mine, r, &store));
    bln_status status = blni_integrated_read(r, &store->q, &m);
    if (status != BLN_OK) { blni_store_free(store); return status; }
    m->store = store;
    m->owned = blni_store_basis(store);
    bln_get_doubles(r, m->desc.basis->n_slices, m->unit);
    for (size_t s = 0; s < m->desc.basis->n_slices; s++) good = good && m->unit[s] > 0.0 && blni_finite(m->unit[s]);
    status = good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "integrated model: a number is outside its range");
    blni_integrated_show(m);
    if (status == BLN_OK) *out = m;
    else bln_slm_integrated_free(m);
    return status;
}

BLNI_MODEL_KIND(slm_integrated, "INTG", BLNI_RECORD_VERSION, BLNI_RECORD_VERSION, load)
BLN_API const bln_model_kind *bln_slm_integrated_file_kind(void) { return &blni_slm_integrated_kind; }
