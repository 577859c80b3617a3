/* slm_predict: what is asked of a fitted model: predictions, standard deviations of the weights */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/predict_private.h"

BLN_API size_t bln_slm_predict_work(const bln_slm *slm)
{
    return blni_slm_fitted(slm) ? bln_predict_work(slm->desc.basis, &slm->result.base, slm->desc.block) : 0;
}

/* out (n x P) <- Phi m' for m: P x D. */
BLNI_PRIV void blni_slm_means_by(size_t P, size_t D, const double *m, size_t n, const double *Phi, double *out)
{
    if (P == 1) bln_gemv(BLN_NOTRANS, n, D, 1.0, Phi, D, m, 0.0, out);
    else bln_gemm(BLN_NOTRANS, BLN_TRANS, n, P, D, 1.0, Phi, D, m, D, 0.0, out, P);
}

BLNI_PRIV void blni_slm_means(const blni_slm_result *r, size_t n, const double *Phi, double *out)
{
    blni_slm_means_by(r->P, r->base.D, r->m, n, Phi, out);
}

/* From the variances of base in the first n places of latent or total to those of P outputs, last row first. */
BLNI_PRIV void blni_predict_variances(const blni_slm_result *r, const bln_data *rows, double *latent, double *total)
{
    const size_t P = r->P;
    for (size_t i = rows->n; i-- > 0;) {
        const double base = latent ? latent[i] : total[i], v = rows->noise_var ? rows->noise_var[i] : 1.0;
        for (size_t p = P; p-- > 0;) {
            const double f = blni_result_ratio(r, p, p)*base;
            if (latent) latent[i*P + p] = f;
            if (total) total[i*P + p] = f + r->cov[p*P + p]*v;
        }
    }
}

/* All outputs: features once for all, then one product for the means and one solve for the variances of a block. */
BLNI_PRIV void blni_predict_outputs(const bln_basis *b, const blni_slm_result *r, size_t block, const bln_data *data, double *mean,
                                    double *latent, double *total, double *work)
{
    const size_t D = b->D, P = r->P;
    blni_arena a = blni_arena_over(work, 0);
    const blni_predict_pieces w = blni_predict_carve(&a, b, &r->base, block);
    const bln_basis *at = data->n ? bln_basis_bind(b, r->hyper.theta, w.room) : b;
    for (size_t i = 0; i < data->n; i += block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(block, data->n - i));
        double *l = latent ? latent + i*P : NULL, *t = total ? total + i*P : NULL;
        bln_basis_features(at, r->hyper.theta, rows.n, rows.X, blni_ldx(&rows), w.Phi, D, w.basis);
        if (mean) blni_slm_means(r, rows.n, w.Phi, mean + i*P);
        for (size_t k = 0; k < rows.n*P && mean && rows.offset; k++) mean[i*P + k] += blni_offset(&rows, k/P, k%P);
        if (!l && !t) continue;
        bln_gaussian_project(&r->base, rows.n, w.Phi, D, NULL, l ? l : t, w.project);
        blni_left_out_add(b, &r->base, rows.n, w.Phi, D, l ? l : t);
        blni_predict_variances(r, &rows, l, t);
    }
}

/* Rows to predict at: numbers, and offsets for the right number of outputs. */
BLNI_PRIV bln_status blni_slm_check_rows(size_t P, const bln_data *data, bln_report *report)
{
    if (data->offset && blni_outputs(data) != P)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "predict: offsets of another number of outputs (p)");
    return blni_data_check_from(data, 0, 0, report);
}

/* What a posterior says at the rows of data, whoever holds it: the checks of bln_slm_predict, workspace, and numbers at the end. */
BLNI_PRIV bln_status blni_predict_rows(const bln_basis *b, const blni_slm_result *r, size_t block, const bln_allocator *alloc,
                                       const bln_data *data, double *mean, double *var_latent, double *var_total, double *work,
                                       bln_report *report)
{
    if (!blni_basis_fits(b, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "predict: data have another number of columns than the basis");
    const bln_status status = blni_slm_check_rows(r->P, data, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_predict_work(b, &r->base, block), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "predict: out of memory");
    }
    blni_predict_outputs(b, r, block, data, mean, var_latent, var_total, work);
    blni_release(alloc, own, bytes);
    for (size_t k = 0; k < data->n*r->P; k++)
        if ((mean && !blni_finite(mean[k])) || (var_latent && !blni_finite(var_latent[k]))
            || (var_total && !blni_finite(var_total[k])))
            return blni_fail(report, BLN_ENUMERIC, k/r->P, BLN_NONE, "predict: the prediction overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_latent, double *var_total,
                                   double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    if (!slm->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: predict before fit");
    return blni_predict_rows(slm->desc.basis, &slm->result, slm->desc.block, &slm->alloc, data, mean, var_latent, var_total, work,
                             report);
}

BLN_API bln_status bln_slm_coefficient_sd(const bln_slm *slm, double *sd)
{
    if (!slm || !sd) return BLN_EINVAL;
    if (!slm->fitted) return BLN_ESTATE;
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    if (slm->result.has_sd) {
        memcpy(sd, slm->result.sd, P*g->D*sizeof *sd);
        return BLN_OK;
    }
    const size_t bytes = g->form == BLN_GAUSSIAN_FACTOR ? g->D*g->D*sizeof(double) : 0;      /* R itself had this size */
    double *work = NULL;
    if (bytes && !(work = (double *)blni_alloc(&slm->alloc, bytes))) return BLN_ENOMEM;
    bln_gaussian_variances(g, sd, work);
    for (size_t p = P; p-- > 0;)                                                  /* base is where output 0 will be */
        for (size_t j = 0; j < g->D; j++) sd[p*g->D + j] = sqrt(blni_result_ratio(&slm->result, p, p)*sd[j]);
    blni_release(&slm->alloc, work, bytes);
    return BLN_OK;
}
