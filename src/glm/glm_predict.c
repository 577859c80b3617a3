/* glm_predict: what is asked of a fitted model at new rows: the moments of f under the posterior, a block at a time, and from them
 * >>predictive */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../likelihood/likelihood_private.h"
#include "../posterior/predict_private.h"

BLNI_PRIV blni_glm_pieces blni_glm_predict_carve(blni_arena *a, const bln_glm *glm)
{
    const bln_glm_desc *d = &glm->desc;
    const size_t block = d->block, K = glm->result.shape.K, D = d->basis->D;
    blni_glm_pieces p;
    p.Phi     = blni_carve_doubles(a, blni_mul(block, D));
    p.mu      = blni_carve_doubles(a, blni_mul(block, K));
    p.v       = blni_carve_doubles(a, blni_mul(block, K));
    p.rest    = blni_carve_doubles(a, block);
    p.mean    = blni_carve_doubles(a, blni_mul(block, K));
    p.var     = blni_carve_doubles(a, blni_mul(block, K));
    p.y       = blni_carve_doubles(a, block);
    p.project = blni_carve_doubles(a, blni_glm_gaussian(glm) ? bln_gaussian_project_work(&glm->result.gaussian, block)
                                                             : bln_mixture_work(&glm->result.mixture, block));
    p.basis   = blni_carve_doubles(a, bln_basis_work(d->basis, block));
    p.room    = blni_carve_doubles(a, bln_basis_room(d->basis));
    return p;
}

BLN_API size_t bln_glm_predict_work(const bln_glm *glm)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!blni_glm_fitted(glm)) return 0;
    blni_glm_predict_carve(&a, glm);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* f of a block of rows whose features are in p->Phi, as >>predictive takes it. */
BLNI_PRIV bln_latent blni_glm_latent_of(const bln_glm *glm, const bln_data *rows, const blni_glm_pieces *p)
{
    const blni_glm_result *r = &glm->result;
    const size_t n = rows->n, K = glm->result.shape.K, D = glm->desc.basis->D;
    bln_latent f;
    if (blni_glm_gaussian(glm)) bln_gaussian_project(&r->gaussian, n, p->Phi, D, p->mu, p->v, p->project);
    else bln_mixture_project(&r->mixture, n, p->Phi, D, p->mu, p->v, n, p->project);
    for (size_t i = 0; i < n; i++) p->rest[i] = 0.0;
    if (glm->result.shape.form != BLNI_GLM_POINT) blni_left_out_add(glm->desc.basis, &r->gaussian, n, p->Phi, D, p->rest);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < K; k++) {
            p->mean[i*K + k] = p->mu[k*n + i] + (rows->offset ? blni_offset(rows, i, 0) : 0.0);
            p->var[i*K + k] = p->v[k*n + i] + p->rest[i];
        }
    memset(&f, 0, sizeof f);
    f.K = K;
    f.mean = p->mean;
    f.var = p->var;
    f.eta = r->hyper.eta;
    return f;
}

/* The first row of the block whose f overflows, n: none does. */
BLNI_PRIV size_t blni_glm_overflow(size_t n, const bln_latent *f)
{
    for (size_t i = 0; i < n*f->K; i++) if (!blni_finite(f->mean[i]) || !blni_finite(f->var[i])) return i/f->K;
    return n;
}

/* What a likelihood reads of the block; y: room for as many. */
BLNI_PRIV bln_targets blni_glm_targets(const bln_data *rows, double *y)
{
    bln_targets t;
    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < rows->n; i++) y[i] = rows->y ? blni_y(rows, i, 0) : 0.0;
    t.y = y;
    t.trials = rows->trials;
    t.noise_var = rows->noise_var;
    return t;
}

/* Mean and variance of f itself. */
BLNI_PRIV void blni_glm_latent_moments(size_t n, const bln_latent *f, double *mean, double *var)
{
    for (size_t i = 0; i < n; i++) {
        const double *mu = f->mean + i*f->K, *v = f->var + i*f->K;
        double m = 0.0, s = 0.0;
        for (size_t k = 0; k < f->K; k++) m += mu[k]/(double)f->K;
        for (size_t k = 0; k < f->K; k++) s += (v[k] + (mu[k] - m)*(mu[k] - m))/(double)f->K;
        if (mean) mean[i] = m;
        if (var) var[i] = s;
    }
}

/* One block; out: the ask's arrays from its first row on. */
BLNI_PRIV void blni_glm_answer(const bln_glm *glm, const blni_glm_ask *ask, const bln_data *rows, const bln_latent *f, double *y,
                               double *const out[3])
{
    const bln_likelihood *l = &glm->desc.likelihood;
    const bln_targets t = blni_glm_targets(rows, y);
    switch (ask->what) {
    case BLNI_GLM_LATENT:   blni_glm_latent_moments(rows->n, f, out[0], out[1]); break;
    case BLNI_GLM_MOMENTS:  bln_predictive_moments(l, rows->n, &t, f, out[0], out[1], out[2]); break;
    case BLNI_GLM_DENSITY:  bln_predictive_logdensity(l, rows->n, &t, f, out[0]); break;
    case BLNI_GLM_CDF:      bln_predictive_cdf(l, rows->n, &t, f, out[0], out[1]); break;
    case BLNI_GLM_PIT:      bln_predictive_pit(l, rows->n, &t, f, out[0], out[0]); break;
    case BLNI_GLM_QUANTILE: bln_predictive_quantile(l, rows->n, &t, f, ask->p, out[0]); break;
    case BLNI_GLM_INTERVAL: bln_predictive_interval(l, rows->n, &t, f, ask->p, out[0], out[1]); break;
    }
}

/* Rows to predict at. Densities ask for targets in the domain, distribution functions for any. */
BLNI_PRIV bln_status blni_glm_check_rows(const bln_glm *glm, const blni_glm_ask *ask, const bln_data *data, bln_report *report)
{
    const bln_likelihood *l = &glm->desc.likelihood;
    if (!blni_basis_fits(glm->desc.basis, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "glm: data have another number of columns than the basis");
    if (blni_outputs(data) != 1) return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "glm: only one output (p) is there");
    if (ask->what == BLNI_GLM_DENSITY) return blni_likelihood_check_from(l, data, 0, report);
    if (data->trials && (!l->ops->discrete || !l->ops->domain))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: this likelihood has no trials");
    return blni_data_check_from(data, ask->what == BLNI_GLM_CDF || ask->what == BLNI_GLM_PIT, 0, report);
}

BLNI_PRIV bln_status blni_glm_ask_rows(const bln_glm *glm, const blni_glm_ask *ask, const bln_data *data, double *work,
                                       bln_report *report)
{
    bln_report_clear(report);
    if (!glm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: model or data is NULL");
    if (!glm->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: predict before fit");
    bln_status status = blni_glm_check_rows(glm, ask, data, report);
    if (status != BLN_OK) return status;
    const bln_basis *b = glm->desc.basis;
    const size_t bytes = blni_mul(bln_glm_predict_work(glm), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(&glm->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for predictions");
    }
    blni_arena a = blni_arena_over(work, bytes);
    const blni_glm_pieces p = blni_glm_predict_carve(&a, glm);
    const bln_basis *at = data->n ? bln_basis_bind(b, glm->result.hyper.theta, p.room) : b;
    for (size_t i = 0; i < data->n && status == BLN_OK; i += glm->desc.block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(glm->desc.block, data->n - i));
        double *out[3];
        for (size_t j = 0; j < 3; j++) out[j] = ask->out[j] ? ask->out[j] + i : NULL;
        bln_basis_features(at, glm->result.hyper.theta, rows.n, rows.X, blni_ldx(&rows), p.Phi, b->D, p.basis);
        const bln_latent f = blni_glm_latent_of(glm, &rows, &p);
        const size_t bad = blni_glm_overflow(rows.n, &f);
        if (bad < rows.n) status = blni_fail(report, BLN_ENUMERIC, i + bad, BLN_NONE, "predict: the prediction overflows");
        else blni_glm_answer(glm, ask, &rows, &f, p.y, out);
    }
    blni_release(&glm->alloc, own, bytes);
    return status;
}

BLNI_PRIV bln_status blni_glm_asked(const bln_glm *glm, const bln_data *data, blni_glm_question what, double p, double *out0,
                                    double *out1, double *out2, double *work, bln_report *report)
{
    blni_glm_ask ask;
    ask.what = what;
    ask.p = p;
    ask.out[0] = out0;
    ask.out[1] = out1;
    ask.out[2] = out2;
    return blni_glm_ask_rows(glm, &ask, data, work, report);
}

/* An output that has to be there. */
BLNI_PRIV bln_status blni_glm_no_output(bln_report *report)
{
    bln_report_clear(report);
    return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: an output is NULL");
}

BLN_API bln_status bln_glm_latent(const bln_glm *glm, const bln_data *data, double *mean, double *var, double *work,
                                  bln_report *report)
{
    return blni_glm_asked(glm, data, BLNI_GLM_LATENT, 0.0, mean, var, NULL, work, report);
}

BLN_API bln_status bln_glm_predict(const bln_glm *glm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report)
{
    return blni_glm_asked(glm, data, BLNI_GLM_MOMENTS, 0.0, mean, var_model, var_noise, work, report);
}

BLN_API bln_status bln_glm_logdensities(const bln_glm *glm, const bln_data *data, double *out, double *work, bln_report *report)
{
    if (!out) return blni_glm_no_output(report);
    return blni_glm_asked(glm, data, BLNI_GLM_DENSITY, 0.0, out, NULL, NULL, work, report);
}

BLN_API bln_status bln_glm_cdfs(const bln_glm *glm, const bln_data *data, double *lower, double *upper, double *work,
                                bln_report *report)
{
    return blni_glm_asked(glm, data, BLNI_GLM_CDF, 0.0, lower, upper, NULL, work, report);
}

BLN_API bln_status bln_glm_pits(const bln_glm *glm, const bln_data *data, uint64_t seed, double *out, double *work,
                                bln_report *report)
{
    if (!out) return blni_glm_no_output(report);
    for (size_t i = 0; data && i < data->n; i++) {
        bln_rng rng;
        bln_rng_seed(&rng, seed, i);
        out[i] = bln_rng_uniform(&rng);
    }
    return blni_glm_asked(glm, data, BLNI_GLM_PIT, 0.0, out, NULL, NULL, work, report);
}

BLN_API bln_status bln_glm_quantiles(const bln_glm *glm, const bln_data *data, double p, double *out, double *work,
                                     bln_report *report)
{
    if (!out) return blni_glm_no_output(report);
    return blni_glm_asked(glm, data, BLNI_GLM_QUANTILE, p, out, NULL, NULL, work, report);
}

BLN_API bln_status bln_glm_intervals(const bln_glm *glm, const bln_data *data, double level, double *lower, double *upper,
                                     double *work, bln_report *report)
{
    if (!lower || !upper) return blni_glm_no_output(report);
    return blni_glm_asked(glm, data, BLNI_GLM_INTERVAL, level, lower, upper, NULL, work, report);
}
