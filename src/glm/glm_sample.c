/* glm_sample: weights by posterior/sample or posterior/mixture, then the rows a block at a time.
 *
 * Draw i has its weights from stream `stream` + i of the seed. The same stream of the seed's complement gives a seed for what is
 * drawn of its rows, of which each has a stream of its own, its number: neither blocks nor parts change it. */
#include "glm_sample.h"
#include "../core/status_private.h"
#include "../posterior/predict_private.h"
#include "../posterior/sample_private.h"
#include "glm_private.h"

typedef struct blni_glm_drawn { double *W, *Phi, *rest, *sample, *basis, *room; } blni_glm_drawn;

/* rows: of a block; 0: weights alone, which go elsewhere. */
BLNI_PRIV blni_glm_drawn blni_glm_drawn_carve(blni_arena *a, const bln_glm *glm, size_t draws, size_t rows)
{
    const bln_basis *b = glm->desc.basis;
    blni_glm_drawn w;
    w.sample = blni_carve_doubles(a, blni_glm_gaussian(glm) ? bln_gaussian_sample_work(&glm->result.gaussian) : 0);
    w.W      = blni_carve_doubles(a, rows ? blni_mul(draws, b->D) : 0);
    w.Phi    = blni_carve_doubles(a, blni_mul(rows, b->D));
    w.rest   = blni_carve_doubles(a, rows);
    w.basis  = blni_carve_doubles(a, rows ? bln_basis_work(b, rows) : 0);
    w.room   = blni_carve_doubles(a, rows ? bln_basis_room(b) : 0);
    return w;
}

/* Room for these, which the caller releases. */
BLNI_PRIV bln_status blni_glm_drawn_alloc(const bln_glm *glm, size_t draws, size_t rows, blni_glm_drawn *w, void **block,
                                          size_t *bytes, bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    *w = blni_glm_drawn_carve(&a, glm, draws, rows);
    *bytes = a.used;
    if (a.used == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    *block = blni_alloc(&glm->alloc, *bytes);
    if (!*block && *bytes) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for draws");
    a = blni_arena_over(*block, *bytes);
    *w = blni_glm_drawn_carve(&a, glm, draws, rows);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_glm_draw_weights(const bln_glm *glm, const bln_draw_desc *d, double *W, size_t ldw, double *work,
                                           bln_report *report)
{
    const size_t D = glm->desc.basis->D;
    if (blni_glm_gaussian(glm)) bln_gaussian_sample(&glm->result.gaussian, NULL, d->n, d->seed, d->stream, W, NULL, ldw, work);
    else                        bln_mixture_sample(&glm->result.mixture, d->n, d->seed, d->stream, W, ldw, NULL);
    for (size_t r = 0; r < d->n; r++)
        if (!blni_all_finite(D, W + r*ldw))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: a draw of the weights overflows");
    return BLN_OK;
}

/* From phi'w of draw r at a block of rows, the first of them number `first`, to f or y. */
BLNI_PRIV void blni_glm_draw_rows(const bln_glm *glm, const bln_draw_desc *d, size_t r, const bln_data *rows, size_t first,
                                  const double *rest, double *out)
{
    bln_rng rng;
    bln_targets all;
    memset(&all, 0, sizeof all);
    all.trials = rows->trials;
    all.noise_var = rows->noise_var;
    bln_rng_seed(&rng, ~d->seed, d->stream + r);
    const uint64_t seed = bln_rng_next(&rng);
    for (size_t i = 0; i < rows->n; i++) {
        const bln_targets t = bln_targets_from(&all, i);
        double f = out[i] + (rows->offset ? blni_offset(rows, i, 0) : 0.0);
        bln_rng_seed(&rng, seed, first + i);
        const double e = bln_rng_normal(&rng);
        if (rest[i] > 0.0) f += sqrt(rest[i])*e;
        if (d->noise) bln_likelihood_draw(&glm->desc.likelihood, glm->result.hyper.eta, 1, &t, &f, &rng, out + i);
        else          out[i] = f;
    }
}

BLNI_PRIV void blni_glm_draw_block(const bln_glm *glm, const bln_basis *at, const bln_draw_desc *d, const bln_data *rows,
                                   size_t first, const blni_glm_drawn *w, double *out, size_t ldo)
{
    const size_t D = at->D;
    bln_basis_features(at, glm->result.hyper.theta, rows->n, rows->X, blni_ldx(rows), w->Phi, D, w->basis);
    for (size_t i = 0; i < rows->n; i++) w->rest[i] = 0.0;
    if (glm->result.shape.form != BLNI_GLM_POINT)
        blni_left_out_add(glm->desc.basis, &glm->result.gaussian, rows->n, w->Phi, D, w->rest);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, d->n, rows->n, D, 1.0, w->W, D, w->Phi, D, 0.0, out, ldo);
    for (size_t r = 0; r < d->n; r++) blni_glm_draw_rows(glm, d, r, rows, first, w->rest, out + r*ldo);
}

BLNI_PRIV bln_status blni_glm_draws_ready(const bln_glm *glm, const bln_draw_desc *draws, bln_report *report)
{
    bln_report_clear(report);
    if (!glm || !draws) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: NULL argument");
    return glm->fitted ? BLN_OK : blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: draws before fit");
}

BLN_API bln_status bln_glm_sample_weights(const bln_glm *glm, const bln_draw_desc *draws, double *W, size_t ldw, bln_report *report)
{
    blni_glm_drawn w;
    void *block = NULL;
    size_t bytes = 0;
    bln_status status = blni_glm_draws_ready(glm, draws, report);
    if (status != BLN_OK) return status;
    if (!W) return blni_glm_no_output(report);
    if (ldw == 0) ldw = glm->desc.basis->D;
    if (ldw < glm->desc.basis->D) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: row stride of W below D");
    const bln_draw_desc d = blni_draws_defaults(draws);
    status = blni_glm_drawn_alloc(glm, d.n, 0, &w, &block, &bytes, report);
    if (status == BLN_OK) status = blni_glm_draw_weights(glm, &d, W, ldw, w.sample, report);
    blni_release(&glm->alloc, block, bytes);
    return status;
}

BLN_API bln_status bln_glm_sample(const bln_glm *glm, const bln_draw_desc *draws, const bln_data *data, double *out, size_t ldo,
                                  bln_report *report)
{
    blni_glm_ask ask;
    blni_glm_drawn w;
    void *block = NULL;
    size_t bytes = 0;
    bln_status status = blni_glm_draws_ready(glm, draws, report);
    if (status != BLN_OK) return status;
    if (!data || (!out && data->n)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: data or the output is NULL");
    if (ldo == 0) ldo = data->n;
    if (ldo < data->n) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: row stride of the draws below n");
    memset(&ask, 0, sizeof ask);
    ask.what = BLNI_GLM_LATENT;
    status = blni_glm_check_rows(glm, &ask, data, report);
    if (status != BLN_OK) return status;
    const bln_draw_desc d = blni_draws_defaults(draws);
    status = blni_glm_drawn_alloc(glm, d.n, glm->desc.block, &w, &block, &bytes, report);
    if (status != BLN_OK) return status;
    status = blni_glm_draw_weights(glm, &d, w.W, glm->desc.basis->D, w.sample, report);
    const bln_basis *at = data->n ? bln_basis_bind(glm->desc.basis, glm->result.hyper.theta, w.room) : glm->desc.basis;
    for (size_t i = 0; i < data->n && status == BLN_OK; i += glm->desc.block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(glm->desc.block, data->n - i));
        blni_glm_draw_block(glm, at, &d, &rows, d.first_row + i, &w, out + i, ldo);
    }
    blni_release(&glm->alloc, block, bytes);
    return status;
}
