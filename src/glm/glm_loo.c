/* glm_loo: a block of rows at a time: f of each without itself, as a normal or as weighted draws, and then >>predictive */
#include "glm_loo_private.h"
#include "../core/status_private.h"
#include "../likelihood/predictive_private.h"

BLNI_PRIV int blni_glm_loo_psis(const blni_glm_loo *o) { return o->d.method == BLN_GLM_LOO_PSIS; }

BLNI_PRIV void blni_glm_loo_carve(blni_arena *a, blni_glm_loo *o)
{
    double **const rows[] = { &o->g, &o->W, &o->measure, &o->density, &o->full, &o->spare };
    const size_t block = o->glm->desc.block, S = o->d.draws;
    o->p = blni_glm_predict_carve(a, o->glm);
    for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) *rows[i] = blni_carve_doubles(a, block);
    o->f      = blni_carve_doubles(a, S);
    o->v      = blni_carve_doubles(a, S);
    o->l      = blni_carve_doubles(a, S);
    o->weight = blni_carve_doubles(a, S);
    o->room   = blni_carve_doubles(a, bln_psis_work(S));
}

BLNI_PRIV double *blni_glm_loo_from(double *x, size_t first) { return x ? x + first : NULL; }

/* ---- what is asked of f without the row */

/* n rows from row `at` of the block on, which begins with row `first` of the data. */
BLNI_PRIV void blni_glm_loo_answer(const blni_glm_loo *o, size_t first, size_t at, size_t n, const bln_targets *block,
                                   const bln_latent *f)
{
    const bln_likelihood *l = &o->glm->desc.likelihood;
    const bln_glm_loo_outputs *out = &o->out;
    const bln_targets t = bln_targets_from(block, at);
    const size_t row = first + at;
    bln_predictive_logdensity(l, n, &t, f, o->density + at);
    if (out->log_density) memcpy(out->log_density + row, o->density + at, n*sizeof *out->log_density);
    if (out->mean || out->model || out->noise)
        bln_predictive_moments(l, n, &t, f, blni_glm_loo_from(out->mean, row), blni_glm_loo_from(out->model, row),
                               blni_glm_loo_from(out->noise, row));
    if (out->lower || out->upper)
        bln_predictive_interval(l, n, &t, f, o->d.level, out->lower ? out->lower + row : o->spare,
                                out->upper ? out->upper + row : o->spare);
}

/* ---- cavity */

/* g and W of a block under f, N(mean, var) of all rows, without the weights. */
BLNI_PRIV void blni_glm_loo_slopes(blni_glm_loo *o, size_t n, const bln_targets *t, const bln_latent *f)
{
    const bln_likelihood *l = &o->glm->desc.likelihood;
    const double *eta = o->glm->result.hyper.eta;
    if (o->glm->result.shape.sites == BLNI_GLM_SITES_MODE) {
        bln_likelihood_eval(l, eta, n, t, f->mean, o->spare, o->g, o->W, NULL);
        for (size_t i = 0; i < n; i++) o->W[i] = o->W[i] < 0.0 ? -o->W[i] : 0.0;       /* as in the posterior */
    } else {
        bln_likelihood_expect(l, eta, n, t, f->mean, f->var, 0.0, o->spare, o->g, o->W, NULL, 0);
        for (size_t i = 0; i < n; i++) o->W[i] *= -2.0;
    }
}

/* Turns the normals of f into those without each row. */
BLNI_PRIV void blni_glm_loo_cavity(blni_glm_loo *o, const bln_data *rows, size_t first, const bln_targets *t, const bln_latent *f)
{
    blni_glm_loo_slopes(o, rows->n, t, f);
    for (size_t i = 0; i < rows->n; i++) {
        const double k = blni_row_weight(rows, i), v = o->p.v[i], h = k > 0.0 ? k*o->W[i]*v : 0.0;
        double left = 1.0 - h;
        if (!(left > DBL_EPSILON/BLNI_GLM_LOO_LOST)) {
            if (o->undefined == BLN_NONE) o->undefined = first + i;
            left = BLNI_NAN;
        }
        o->p.mean[i] -= k > 0.0 ? v/left*k*o->g[i] : 0.0;
        o->p.var[i] = v/left + o->p.rest[i];
        o->measure[i] = left == left ? h : left;
    }
    if (o->out.latent_mean) memcpy(o->out.latent_mean + first, f->mean, rows->n*sizeof *f->mean);
    if (o->out.latent_var) memcpy(o->out.latent_var + first, f->var, rows->n*sizeof *f->var);
    blni_glm_loo_answer(o, first, 0, rows->n, t, f);
}

/* ---- draws */

/* S draws of a mixture of K normals with these means, and variances v[k*ldv]. */
BLNI_PRIV void blni_glm_loo_draw(size_t S, uint64_t seed, uint64_t stream, size_t K, const double *mean, const double *v,
                                 size_t ldv, double *f)
{
    bln_rng rng;
    bln_rng_seed(&rng, seed, stream);
    bln_rng_normals(&rng, S, f);
    for (size_t s = 0; s < S; s++) {
        const size_t k = K > 1 ? (size_t)bln_rng_below(&rng, K) : 0;
        f[s] = mean[k] + sqrt(v[k*ldv])*f[s];
    }
}

/* l[s] = log p(y_i | f_s), or with rest > 0 its expectation under N(f_s, rest). v: S, for room. */
BLNI_PRIV void blni_glm_loo_logp(const bln_glm *glm, const bln_targets *t, size_t i, size_t S, const double *f, double rest,
                                 double *v, double *l)
{
    const bln_likelihood *like = &glm->desc.likelihood;
    const double *eta = glm->result.hyper.eta;
    blni_predict_row r;
    blni_predict_row_of(&r, like, eta, t, i, 1);
    for (size_t s = 0; s < S && rest > 0.0; s++) v[s] = rest;
    for (size_t s = 0; s < S; s += BLN_LIKELIHOOD_BLOCK) {
        const size_t n = blni_min(S - s, BLN_LIKELIHOOD_BLOCK);
        if (rest > 0.0) bln_likelihood_expect(like, eta, n, &r.g.t, f + s, v + s, 0.0, l + s, NULL, NULL, NULL, 0);
        else            bln_likelihood_logp(like, eta, n, &r.g.t, f + s, l + s);
    }
}

/* Moments of f under the weights. */
BLNI_PRIV void blni_glm_loo_moments(const blni_glm_loo *o, size_t row, double rest)
{
    blni_running all = { 0.0, 0.0, 0.0 };
    for (size_t s = 0; s < o->d.draws; s++) blni_running_add(&all, o->weight[s], o->f[s]);
    if (o->out.latent_mean) o->out.latent_mean[row] = all.mean;
    if (o->out.latent_var) o->out.latent_var[row] = blni_running_variance(&all) + rest;
}

/* Row i of the block, by draws of what the weights alone say. */
BLNI_PRIV void blni_glm_loo_weighted(blni_glm_loo *o, const bln_data *rows, size_t first, size_t i, const bln_targets *t)
{
    const size_t S = o->d.draws, K = o->glm->result.shape.K;
    const double k = blni_row_weight(rows, i), rest = o->p.rest[i];
    bln_latent f;
    memset(&f, 0, sizeof f);
    blni_glm_loo_draw(S, o->d.seed, first + i, K, o->p.mean + i*K, o->p.v + i, rows->n, o->f);
    blni_glm_loo_logp(o->glm, t, i, S, o->f, o->glm->result.shape.sites == BLNI_GLM_SITES_MODE ? 0.0 : rest, o->v, o->l);
    for (size_t s = 0; s < S; s++) o->weight[s] = k > 0.0 ? -k*o->l[s] : 0.0;
    blni_psis(S, o->weight, 0.0, o->measure + i, o->room);
    for (size_t s = 0; s < S; s++) {
        o->weight[s] = exp(o->weight[s]);
        o->v[s] = rest;
    }
    f.K = S;
    f.weight = o->weight;
    f.mean = o->f;
    f.var = rest > 0.0 ? o->v : NULL;
    f.eta = o->glm->result.hyper.eta;
    blni_glm_loo_moments(o, first + i, rest);
    blni_glm_loo_answer(o, first, i, 1, t, &f);
}

/* ---- a block, all of them */

BLNI_PRIV void blni_glm_loo_block(blni_glm_loo *o, const bln_data *rows, size_t first)
{
    const bln_glm *glm = o->glm;
    const bln_basis *b = glm->desc.basis;
    const double limit = blni_glm_loo_psis(o) ? bln_psis_limit(o->d.draws) : 0.7;
    const bln_targets t = blni_glm_targets(rows, o->p.y);
    bln_basis_features(o->at, glm->result.hyper.theta, rows->n, rows->X, blni_ldx(rows), o->p.Phi, b->D, o->p.basis);
    const bln_latent f = blni_glm_latent_of(glm, rows, &o->p);
    if (o->out.total) bln_predictive_logdensity(&glm->desc.likelihood, rows->n, &t, &f, o->full);
    if (!blni_glm_loo_psis(o)) blni_glm_loo_cavity(o, rows, first, &t, &f);
    for (size_t i = 0; i < rows->n && blni_glm_loo_psis(o); i++) blni_glm_loo_weighted(o, rows, first, i, &t);
    for (size_t i = 0; i < rows->n; i++) {
        if (o->out.influence) o->out.influence[first + i] = o->measure[i];
        if (o->out.total && o->measure[i] == o->measure[i])
            blni_elpd_add(&o->sum, first + i, blni_row_weight(rows, i), o->density[i], o->full[i], o->measure[i], limit);
    }
}

BLNI_PRIV bln_status blni_glm_loo_check(const bln_glm *glm, const bln_data *data, bln_report *report)
{
    blni_glm_ask ask;
    if (!glm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: model or data is NULL");
    if (!glm->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: leave-out before fit");
    memset(&ask, 0, sizeof ask);
    ask.what = BLNI_GLM_DENSITY;
    return blni_glm_check_rows(glm, &ask, data, report);
}

/* The same, and are these the rows of the fit? */
BLNI_PRIV bln_status blni_glm_loo_check_fit(const bln_glm *glm, const bln_data *data, bln_report *report)
{
    const bln_status status = blni_glm_loo_check(glm, data, report);
    double N = 0.0;
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < data->n; i++) N += blni_row_weight(data, i);
    if (fabs(N - glm->result.rows) <= 1e-9*glm->result.rows) return BLN_OK;
    return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: other rows than the fit's: their total weight differs");
}

BLNI_PRIV bln_status blni_glm_loo_begin(blni_glm_loo *o, const bln_glm *glm, const bln_data *data, const bln_glm_loo_desc *desc,
                                        const bln_glm_loo_outputs *out, bln_report *report)
{
    memset(o, 0, sizeof *o);
    const bln_status status = blni_glm_loo_check_fit(glm, data, report);
    if (status != BLN_OK) return status;
    if (!out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: outputs are NULL");
    if (glm->result.shape.form == BLNI_GLM_POINT)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: MAP has no posterior that a row could be left out of");
    if (desc) o->d = *desc;
    if (!o->d.method) o->d.method = blni_glm_gaussian(glm) ? BLN_GLM_LOO_CAVITY : BLN_GLM_LOO_PSIS;
    if (!blni_glm_loo_psis(o) && (o->d.method != BLN_GLM_LOO_CAVITY || !blni_glm_gaussian(glm)))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: leaving rows out of a mixture goes by PSIS only");
    if (o->d.level == 0.0) o->d.level = 0.95;
    if (!(o->d.level > 0.0 && o->d.level < 1.0))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: level must be in (0, 1)");
    if (!blni_glm_loo_psis(o)) o->d.draws = 0;
    else if (!o->d.draws) o->d.draws = 2000;
    o->glm = glm;
    o->out = *out;
    o->undefined = BLN_NONE;
    o->sum = blni_elpd_start();
    return BLN_OK;
}

/* Room for o's arrays, *bytes of it; the basis is bound. */
BLNI_PRIV bln_status blni_glm_loo_room(blni_glm_loo *o, const bln_data *data, void **block, size_t *bytes, bln_report *report)
{
    const bln_glm *glm = o->glm;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_loo_carve(&a, o);
    *bytes = a.used;
    if (a.used == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    *block = blni_alloc(&glm->alloc, *bytes);
    if (!*block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for leave-one-out");
    a = blni_arena_over(*block, *bytes);
    blni_glm_loo_carve(&a, o);
    o->at = data->n ? bln_basis_bind(glm->desc.basis, glm->result.hyper.theta, o->p.room) : glm->desc.basis;
    return BLN_OK;
}

/* The total, and the first row that is lost. */
BLNI_PRIV bln_status blni_glm_loo_end(const blni_glm_loo *o, bln_report *report)
{
    if (o->out.total) *o->out.total = blni_elpd_end(&o->sum);
    if (o->undefined == BLN_NONE) return BLN_OK;
    return blni_fail(report, BLN_EUNDEFINED, o->undefined, BLN_NONE,
                     "glm: only what is left out determines a direction of the weights; its prediction is lost in rounding");
}

BLN_API bln_status bln_glm_loo(const bln_glm *glm, const bln_data *data, const bln_glm_loo_desc *desc,
                               const bln_glm_loo_outputs *out, bln_report *report)
{
    blni_glm_loo o;
    void *block = NULL;
    size_t bytes = 0;
    bln_report_clear(report);
    bln_status status = blni_glm_loo_begin(&o, glm, data, desc, out, report);
    if (status == BLN_OK) status = blni_glm_loo_room(&o, data, &block, &bytes, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < data->n; i += glm->desc.block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(glm->desc.block, data->n - i));
        blni_glm_loo_block(&o, &rows, i);
    }
    blni_release(&glm->alloc, block, bytes);
    return blni_glm_loo_end(&o, report);
}

/* ---- log p of all rows under draws of the posterior: the table, or what WAIC takes of it */

typedef struct blni_glm_table {
    double   *log_p;                        /* S x n, stride ld; NULL: not wanted                             */
    size_t    ld;
    double   *elpd, *v;                     /* n each, or NULL                                                */
    blni_elpd sum;
} blni_glm_table;

/* Row i, whose S log densities are l. */
BLNI_PRIV void blni_glm_table_take(blni_glm_table *t, size_t i, double weight, size_t S, const double *l)
{
    double full, var;
    for (size_t s = 0; s < S && t->log_p; s++) t->log_p[s*t->ld + i] = l[s];
    if (t->log_p) return;
    blni_waic_row(S, l, &full, &var);
    if (t->elpd) t->elpd[i] = full - var;
    if (t->v) t->v[i] = var;
    blni_elpd_add(&t->sum, i, weight, full - var, full, var, 0.4);
}

BLNI_PRIV bln_status blni_glm_table_draw(const bln_glm *glm, const bln_data *data, size_t S, uint64_t seed, blni_glm_table *table,
                                         bln_report *report)
{
    const bln_basis *b = glm->desc.basis;
    const size_t K = glm->result.shape.K;
    blni_glm_loo o;
    void *block = NULL;
    size_t bytes = 0;
    memset(&o, 0, sizeof o);
    o.glm = glm;
    o.d.draws = S;
    const bln_status status = blni_glm_loo_room(&o, data, &block, &bytes, report);
    if (status != BLN_OK) return status;
    for (size_t first = 0; first < data->n; first += glm->desc.block) {
        const bln_data rows = bln_data_rows(data, first, blni_min(glm->desc.block, data->n - first));
        const bln_targets t = blni_glm_targets(&rows, o.p.y);
        bln_basis_features(o.at, glm->result.hyper.theta, rows.n, rows.X, blni_ldx(&rows), o.p.Phi, b->D, o.p.basis);
        blni_glm_latent_of(glm, &rows, &o.p);
        for (size_t i = 0; i < rows.n; i++) {
            blni_glm_loo_draw(S, seed, first + i, K, o.p.mean + i*K, o.p.var + i*K, 1, o.f);
            blni_glm_loo_logp(glm, &t, i, S, o.f, 0.0, o.v, o.l);
            blni_glm_table_take(table, first + i, blni_row_weight(&rows, i), S, o.l);
        }
    }
    blni_release(&glm->alloc, block, bytes);
    return BLN_OK;
}

BLN_API bln_status bln_glm_log_likelihoods(const bln_glm *glm, const bln_data *data, size_t S, uint64_t seed, double *out,
                                           size_t ld, bln_report *report)
{
    blni_glm_table table;
    bln_report_clear(report);
    bln_status status = blni_glm_loo_check(glm, data, report);
    if (status == BLN_OK && (!out || S == 0 || ld < data->n))
        status = blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: no draws, a NULL, or a stride below the number of rows");
    if (status != BLN_OK) return status;
    memset(&table, 0, sizeof table);
    table.log_p = out;
    table.ld = ld;
    return blni_glm_table_draw(glm, data, S, seed, &table, report);
}

BLN_API bln_status bln_glm_waic(const bln_glm *glm, const bln_data *data, size_t S, uint64_t seed, double *elpd, double *v,
                                bln_elpd *total, bln_report *report)
{
    blni_glm_table table;
    bln_report_clear(report);
    bln_status status = blni_glm_loo_check_fit(glm, data, report);
    if (status == BLN_OK && (!total || S < 2))
        status = blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: fewer than two draws, or total is NULL");
    if (status == BLN_OK && glm->result.shape.form == BLNI_GLM_POINT)
        status = blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: MAP has no posterior to average over");
    if (status != BLN_OK) return status;
    memset(&table, 0, sizeof table);
    table.elpd = elpd;
    table.v = v;
    table.sum = blni_elpd_start();
    status = blni_glm_table_draw(glm, data, S, seed, &table, report);
    if (status == BLN_OK) *total = blni_elpd_end(&table.sum);
    return status;
}
