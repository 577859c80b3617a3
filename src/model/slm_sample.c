/* slm_sample: draws of weights, functions and observations; slopes of predictions. The work is done in posterior/sample and
 * posterior/predict; here are the features, the offset, the noise, and the checks.
 *
 * Noise is keyed by (seed, stream, row): the generator of a draw gives, behind the two fills that the weights may take, a seed for
 * its noise, of which every 256 rows have a stream of their own. So neither blocks nor parts change it.   [spec/samplers.md R3] */
#include "slm_sample.h"

enum { BLNI_NOISE_CHUNK = 256 };

typedef struct blni_draw_pieces { double *Q, *diag, *W, *prior, *Phi, *sample, *basis; } blni_draw_pieces;

BLNI_PRIV blni_draw_pieces blni_draw_carve(blni_arena *a, const bln_slm *slm, size_t n, int with_prior)
{
    const bln_basis *b = bln_slm_basis(slm);
    const bln_gaussian *g = bln_slm_posterior(slm);
    const size_t k = with_prior || g->form == BLN_GAUSSIAN_LOWRANK ? g->k : 0;
    blni_draw_pieces w;
    w.Q      = blni_carve_doubles(a, blni_mul(k, k));
    w.diag   = blni_carve_doubles(a, k);
    w.W      = blni_carve_doubles(a, blni_mul(n, g->D));
    w.prior  = blni_carve_doubles(a, with_prior ? blni_mul(n, g->D) : 0);
    w.Phi    = blni_carve_doubles(a, blni_mul(slm->desc.block, g->D));
    w.sample = blni_carve_doubles(a, bln_gaussian_sample_work(g));
    w.basis  = blni_carve_doubles(a, bln_basis_work(b, slm->desc.block));
    if (k == 0) w.Q = NULL;
    if (!with_prior) w.prior = NULL;
    return w;
}

BLNI_PRIV bln_slm_draws blni_draws_defaults(const bln_slm_draws *draws)
{
    bln_slm_draws d = *draws;
    if (!d.n) d.n = 1;
    return d;
}

BLN_API size_t bln_slm_sample_work(const bln_slm *slm, const bln_slm_draws *draws, int with_prior)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!bln_slm_posterior(slm)) return 0;
    blni_draw_carve(&a, slm, blni_draws_defaults(draws).n, with_prior);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* The workspace of a call: the caller's, or one of our own, which *own then holds. */
BLNI_PRIV bln_status blni_draw_workspace(const bln_slm *slm, size_t doubles, double **work, double **own, bln_report *report)
{
    *own = NULL;
    if (*work) return BLN_OK;
    const size_t bytes = blni_mul(doubles, sizeof(double));
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *work = *own = (double *)blni_alloc(&slm->alloc, bytes);
    return *own ? BLN_OK : blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the workspace");
}

BLNI_PRIV bln_status blni_draw_ready(const bln_slm *slm, bln_report *report)
{
    return bln_slm_posterior(slm) ? BLN_OK : blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: not fitted");
}

/* A flat prior has no paths. */
BLNI_PRIV bln_status blni_draw_proper(const bln_slm *slm, const double *prior, bln_report *report)
{
    const size_t flat = prior ? blni_slm_next_flat(slm, 0) : BLN_NONE;
    return flat < bln_slm_posterior(slm)->D
        ? blni_fail(report, BLN_EUNDEFINED, BLN_NONE, flat, "slm: there are no prior paths with a flat prior, feature") : BLN_OK;
}

/* Draws into W, prior paths unless prior is NULL. */
BLNI_PRIV bln_status blni_draw_weights(const bln_slm *slm, const bln_slm_draws *d, const blni_draw_pieces *w, double *W,
                                       double *prior, size_t ldw, bln_report *report)
{
    const bln_gaussian *g = bln_slm_posterior(slm);
    bln_status status = BLN_OK;
    double tau = 0.0;
    if (w->Q) status = bln_gaussian_path_factor(g, w->Q, w->diag, &tau);
    if (status != BLN_OK) return blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the posterior is not finite; scale the data");
    if (report) report->jitter = tau;
    bln_gaussian_sample(g, w->Q, d->n, d->seed, d->stream, W, prior, ldw, w->sample);
    for (size_t r = 0; r < d->n; r++)
        for (size_t j = 0; j < g->D; j++)
            if (!blni_finite(W[r*ldw + j]) || (prior && !blni_finite(prior[r*ldw + j])))
                return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a draw of the weights overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_sample_weights(const bln_slm *slm, const bln_slm_draws *draws, double *W, double *prior, size_t ldw,
                                          double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !draws || !W) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    bln_status status = blni_draw_ready(slm, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    const bln_slm_draws d = blni_draws_defaults(draws);
    if (ldw == 0) ldw = bln_slm_posterior(slm)->D;
    if (ldw < bln_slm_posterior(slm)->D) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of W below D");
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, W, prior, ldw, report);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    return status;
}

/* out (n_draws x rows) <- W Phi' + offset */
BLNI_PRIV void blni_draw_functions(const bln_slm *slm, const bln_data *data, const blni_draw_pieces *w, size_t n, double *out,
                                   double *prior, size_t ldo)
{
    const bln_basis *b = bln_slm_basis(slm);
    const size_t D = b->D, block = slm->desc.block;
    for (size_t i = 0; i < data->n; i += block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(block, data->n - i));
        bln_basis_features(b, bln_slm_theta(slm), rows.n, rows.X, blni_ldx(data), w->Phi, D, w->basis);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, n, rows.n, D, 1.0, w->W, D, w->Phi, D, 0.0, out + i, ldo);
        if (prior) bln_gemm(BLN_NOTRANS, BLN_TRANS, n, rows.n, D, 1.0, w->prior, D, w->Phi, D, 0.0, prior + i, ldo);
        for (size_t r = 0; r < n && rows.offset; r++)
            for (size_t j = 0; j < rows.n; j++) {
                out[r*ldo + i + j] += rows.offset[j];
                if (prior) prior[r*ldo + i + j] += rows.offset[j];
            }
    }
}

/* y += sigma sqrt(v) e for one draw; e of row i is keyed to first + i. */
BLNI_PRIV void blni_draw_noise(const bln_data *data, double sigma, uint64_t seed, uint64_t stream, size_t first, double *y)
{
    double e[BLNI_NOISE_CHUNK];
    bln_rng rng;
    bln_rng_seed(&rng, seed, stream);
    bln_rng_normals(&rng, 0, e);                  /* where the normals of the weights are */
    bln_rng_normals(&rng, 0, e);
    const uint64_t noise = bln_rng_next(&rng);
    for (size_t i = 0; i < data->n;) {
        const size_t chunk = (first + i)/BLNI_NOISE_CHUNK, skip = (first + i)%BLNI_NOISE_CHUNK;
        const size_t now = blni_min(BLNI_NOISE_CHUNK - skip, data->n - i);
        bln_rng_seed(&rng, noise, chunk);
        bln_rng_normals(&rng, skip + now, e);
        for (size_t j = 0; j < now; j++, i++) y[i] += sigma*sqrt(data->noise_var ? data->noise_var[i] : 1.0)*e[skip + j];
    }
}

BLN_API bln_status bln_slm_sample(const bln_slm *slm, const bln_slm_draws *draws, const bln_data *data, double *out, double *prior,
                                  size_t ldo, double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !draws || !data || (!out && data->n))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    bln_status status = blni_draw_ready(slm, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    if (!blni_slm_fits(bln_slm_basis(slm), data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    if (ldo == 0) ldo = data->n;
    if (ldo < data->n) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of the draws below n");
    status = blni_data_check_from(data, 0, 0, report);
    if (status != BLN_OK) return status;
    const bln_slm_draws d = blni_draws_defaults(draws);
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, w.W, w.prior, bln_slm_posterior(slm)->D, report);
    if (status == BLN_OK) blni_draw_functions(slm, data, &w, d.n, out, prior, ldo);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    if (status != BLN_OK) return status;
    for (size_t r = 0; r < d.n && d.noise && data->n; r++)
        blni_draw_noise(data, sqrt(bln_slm_noise_var(slm)), d.seed, d.stream + r, d.first_row, out + r*ldo);
    for (size_t r = 0; r < d.n; r++)
        for (size_t i = 0; i < data->n; i++)
            if (!blni_finite(out[r*ldo + i]) || (prior && !blni_finite(prior[r*ldo + i])))
                return blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "slm: a draw overflows");
    return BLN_OK;
}

BLN_API size_t bln_slm_predict_gradient_work(const bln_slm *slm)
{
    const bln_gaussian *g = bln_slm_posterior(slm);
    return g ? bln_predict_gradient_work(bln_slm_basis(slm), g, slm->desc.block) : 0;
}

BLN_API bln_status bln_slm_predict_gradient(const bln_slm *slm, const bln_data *data, double *dmean, double *dvar, size_t lddx,
                                            double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_draw_ready(slm, report);
    if (status != BLN_OK) return status;
    const bln_basis *b = bln_slm_basis(slm);
    const size_t d = data->d;
    if (!blni_slm_fits(b, d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    if (lddx == 0) lddx = d;
    if (lddx < d) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of the gradients below d");
    status = blni_data_check_from(data, 0, 0, report);
    if (status != BLN_OK) return status;
    const size_t doubles = bln_slm_predict_gradient_work(slm);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    status = bln_predict_gradient(b, bln_slm_theta(slm), bln_slm_posterior(slm), data->n, data->X, blni_ldx(data), slm->desc.block,
                                  dmean, dvar, lddx, work);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    if (status != BLN_OK)
        return blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the basis, or a part of it, has no pullback to its inputs");
    for (size_t i = 0; i < data->n; i++)
        for (size_t j = 0; j < d; j++) {
            if (b->d == 0 && dmean) dmean[i*lddx + j] = 0.0;                 /* features that read no inputs */
            if (b->d == 0 && dvar)  dvar[i*lddx + j] = 0.0;
            if ((dmean && !blni_finite(dmean[i*lddx + j])) || (dvar && !blni_finite(dvar[i*lddx + j])))
                return blni_fail(report, BLN_ENUMERIC, i, j, "slm: a slope overflows");
        }
    return BLN_OK;
}
