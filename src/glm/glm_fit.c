/* glm_fit: learning in steps: init, step, finish, and the loop over them */
#include "glm_private.h"
#include "result_private.h"
#include "../core/status_private.h"
#include "../math/blas.h"
#include "../posterior/loo.h"
#include "search_private.h"

BLN_API void bln_glm_abandon(bln_glm *glm)
{
    if (!glm || !glm->fit) return;
    glm->parted = glm->fit->processes.over;
    blni_glm_close(&glm->alloc, glm->fit);
    glm->fit = NULL;
}

/* Of a real y whose noise is a latent the likelihood may have no limit: the mean passes exactly through rows, and their noise goes
 * to nothing. The sign is a log p of some row that a noise of sd(y) times `least` does not reach. */
BLNI_PRIV int blni_glm_unbounded(const blni_glm_fit *f, double least)
{
    const bln_likelihood_ops *ops = f->desc.likelihood.ops;
    return ops->latents && !ops->discrete && f->rows.top > -0.5*BLNI_LOG_2PI - log(least*blni_glm_y_unit(f));
}

BLNI_PRIV bln_status blni_glm_no_limit(bln_report *report)
{
    return blni_refuse(report, BLN_EUNDEFINED,
                       "glm: the likelihood has no limit: the mean passes exactly through rows, and their noise goes to nothing; "
                       "take heteroscedastic, whose least noise has a prior, gaussian, or fewer features");
}

/* A failure of arithmetic in these words, if the last pass was below the range of all scales of likelihoods, 1e-5 sd(y). */
BLNI_PRIV bln_status blni_glm_why(const blni_glm_fit *f, bln_status status, bln_report *report)
{
    const int arithmetic = (status == BLN_ENUMERIC || status == BLN_EUNDEFINED) && !f->rows.source_failed;
    return arithmetic && blni_glm_unbounded(f, 1e-5) ? blni_glm_no_limit(report) : status;
}

/* Refuses weights w at which the noise of a row is close to the rounding of y. */
BLNI_PRIV bln_status blni_glm_bounded(blni_glm_fit *f, const double *w, bln_report *report)
{
    BLNI_PASS(&f->rows, f->hyper.theta, w)
        blni_glm_eval(&f->rows, f->hyper.eta, rows.n, &t, w);
    double unbounded = blni_glm_unbounded(f, 1e-12);                                   /* processes that have such a row */
    if (status == BLN_OK) status = blni_processes_sum(&f->processes, 1, &unbounded, report);
    return status == BLN_OK && unbounded > 0.0 ? blni_glm_no_limit(report) : status;
}

BLNI_PRIV bln_status blni_glm_enter(blni_glm_fit *f, bln_report *report)
{
    BLNI_TRY(blni_glm_starts(f, report));
    return f->method->begin ? f->method->begin(f, f->state, report) : BLN_OK;
}

/* From the end of the stage before into the next one, with what it learnt. */
BLNI_PRIV bln_status blni_glm_change(blni_glm_fit *f, bln_report *report)
{
    const double *last = f->search.n ? blni_glm_search_last(f) : NULL;
    if (last) blni_glm_search_natural(f, last);               /* else nothing is learnt: f->hyper is what it began with */
    blni_glm_follow(f);
    return f->failed = blni_glm_enter(f, report);
}

BLNI_ONCE BLNI_PRIV bln_status blni_glm_begin(bln_glm *glm, const bln_source *source, const bln_data *data, bln_report *report)
{
    BLNI_TRY(blni_begin(report, glm != NULL, "glm: model or data is NULL"));
    bln_glm_abandon(glm);
    glm->parted = 1;
    if (!glm->desc.method.ops)
        return blni_refuse(report, BLN_ESTATE, "glm: a model from a file is fitted after bln_glm_set_method");
    blni_glm_stage first, second;
    const int stages = blni_glm_stages(&glm->given, &first, &second);
    bln_status status = blni_glm_open(&glm->alloc, &first.desc, &first.own, stages > 1 ? &second : NULL, source, data, 0, &glm->fit,
                                      report);
    if (status == BLN_OK) status = blni_glm_why(glm->fit, blni_glm_enter(glm->fit, report), report);
    if (status != BLN_OK) bln_glm_abandon(glm);
    return status;
}

BLN_API bln_status bln_glm_init(bln_glm *glm, const bln_data *data, bln_report *report)
{
    return blni_glm_begin(glm, NULL, data, report);
}

BLN_API bln_status bln_glm_init_source(bln_glm *glm, const bln_source *source, bln_report *report)
{
    return blni_glm_begin(glm, source, NULL, report);
}

BLNI_PRIV void blni_glm_report(const blni_glm_fit *f, bln_report *report)
{
    if (!report) return;
    bln_report_clear(report);
    report->iterations = f->iterations + f->progress.iteration;
    report->evaluations = f->evaluations + f->progress.evaluations;
    report->objective = f->progress.objective;
    report->gradient_norm = f->progress.gradient_norm;
    report->condition = f->condition;
    report->mean_shift = f->mean_shift;
    report->stop = f->stop == BLN_STOP_NONE ? f->stopped : f->stop;
    if (f->said) blni_say(report, f->said);
}

BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report)
{
    bln_status status = BLN_OK;
    BLNI_TRY(blni_begin(report, glm != NULL, "glm: model is NULL"));
    blni_glm_fit *f = glm->fit;
    if (!f) return blni_refuse(report, BLN_ESTATE, "glm: step without init");
    if (f->failed != BLN_OK) return blni_refuse(report, f->failed, "glm: an earlier step failed");
    if (f->done && f->then.desc.method.ops) status = blni_glm_change(f, report);
    if (status == BLN_OK && !f->done) status = f->method->step(f, f->state, report);
    if (f->done && f->then.desc.method.ops) { f->stopped = f->stop; f->stop = BLN_STOP_NONE; }
    /* Draws up to where a chain fails are not draws of the posterior: it fails in some places and not in others. */
    if (status != BLN_OK && f->progress.phase == BLN_GLM_SAMPLE) f->failed = status;
    status = blni_glm_why(f, status, report);
    if (status == BLN_OK) blni_glm_report(f, report);
    return status;
}

BLN_API int bln_glm_converged(const bln_glm *glm)
{
    return !glm || !glm->fit || (glm->fit->done && !glm->fit->then.desc.method.ops);
}

/* The posterior at the last point into r. */
BLNI_PRIV bln_status blni_glm_settle(const bln_glm *glm, blni_glm_result *r, bln_report *report)
{
    blni_glm_fit *f = glm->fit;
    BLNI_TRY(f->method->component(f, f->state, r, report));
    if (f->desc.likelihood.ops->latents && r->shape.K == 1) BLNI_TRY(blni_glm_bounded(f, r->m, report));
    blni_glm_result_at(r, 0);
    for (size_t k = 0; k < f->desc.likelihood.n_theta; k++) r->eta[k] = f->hyper.eta[k];
    for (size_t k = 0; k < blni_glm_thetas(&f->desc); k++) r->theta[k] = f->hyper.theta[k];
    r->store->q.rows = f->scan.N;
    blni_glm_complete(glm, r);
    return BLN_OK;
}

/* logp <- log p(y_i | the other rows) of this result, and the log priors of its prior variances. */
BLNI_PRIV bln_status blni_glm_left_out(const bln_glm *glm, const blni_glm_result *r, double *logp, double *priors,
                                       bln_report *report)
{
    const blni_glm_fit *f = glm->fit;
    bln_loo_outputs out = BLN_ZERO;
    bln_posterior q;
    double slope;
    blni_glm_show(glm, r->store, &q);
    out.logdensity = logp;
    *priors = 0.0;
    for (size_t s = 0; s < blni_glm_priors(&f->desc) && !f->desc.no_hyper_prior; s++) {
        const blni_hyper_prior prior = blni_glm_prior_of(f, s);
        *priors += blni_hyper_logp(&prior, f->hyper.prior_var[s], &slope);
    }
    return bln_posterior_loo(&q, f->data, NULL, &out, report);
}

/* Is `now` better than `before`: by a nat with the log priors, and by three standard errors of a difference that were none? */
BLNI_PRIV int blni_glm_predicts(const bln_data *rows, const double *now, const double *before, double priors)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < rows->n; i++) {
        const double gain = now[i] - before[i];
        sum += blni_row_weight(rows, i)*gain;
        squares += blni_row_weight(rows, i)*gain*gain;
    }
    return sum + priors >= 1.0 && sum >= 3.0*sqrt(squares);
}

/* Laplace's evidence lacks the more, the more the rows say of each f: where features are many and classes apart, prior variances by
 * it are far too small. Of digits 3 and 5, 767 rows, it has an sd of f of 14, where draws from the posterior have 86. So all are
 * doubled as long as that predicts each row better from the others, beyond doubt.          [Rasmussen & Williams 2006, 5.4.2] */
BLNI_PRIV bln_status blni_glm_widen(const bln_glm *glm, blni_glm_result *r, bln_report *report)
{
    blni_glm_fit *f = glm->fit;
    const size_t n = f->data->n, bytes = 2*n*sizeof(double), slices = blni_glm_priors(&f->desc);
    double *const before = (double *)blni_alloc(&glm->alloc, bytes), *const now = before ? before + n : NULL, priors = 0.0, wider;
    bln_status status = before ? BLN_OK : blni_refuse(report, BLN_ENOMEM, "glm: out of memory for rows left out");
    if (status == BLN_OK) status = blni_glm_left_out(glm, r, before, &priors, report);
    for (int better = status == BLN_OK; better;) {
        blni_glm_result next;
        const double condition = f->condition;
        status = blni_glm_result_create(&glm->alloc, &f->desc, &r->shape, &next, report);
        if (status != BLN_OK) break;
        bln_scal(slices, 2.0, f->hyper.prior_var);
        status = f->method->finish(f, f->state, report);
        if (status == BLN_OK) status = blni_glm_settle(glm, &next, report);
        if (status == BLN_OK) status = blni_glm_left_out(glm, &next, now, &wider, report);
        better = status == BLN_OK && blni_glm_predicts(f->data, now, before, wider - priors);
        blni_store_free(better ? r->store : next.store);
        if (better) { *r = next; priors = wider; memcpy(before, now, n*sizeof *now); }
        else        { bln_scal(slices, 0.5, f->hyper.prior_var); f->condition = condition; }
    }
    blni_release(&glm->alloc, before, bytes);
    if (status == BLN_ENOMEM) return status;
    bln_report_clear(report);                                  /* a prior without an answer is no better one */
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_glm_finish(bln_glm *glm, bln_report *report)
{
    blni_glm_result r;
    BLNI_TRY(blni_begin(report, glm != NULL, "glm: model is NULL"));
    blni_glm_fit *f = glm->fit;
    if (!f) return blni_refuse(report, BLN_ESTATE, "glm: finish without init");
    const bln_stop stop = f->stop;
    bln_status status = f->failed != BLN_OK ? blni_refuse(report, f->failed, "glm: an earlier step failed")
                      : f->then.desc.method.ops ? blni_glm_change(f, report) : BLN_OK;
    if (status == BLN_OK && stop == BLN_STOP_MONITOR) f->stop = stop;
    blni_glm_shape shape = blni_glm_shape_of(&f->desc, &f->own);
    if (status == BLN_OK && f->method->finish) status = f->method->finish(f, f->state, report);
    else if (status == BLN_OK)                 status = blni_glm_search_settle(f, f->state, report);
    status = blni_glm_why(f, status, report);
    if (status == BLN_OK && f->method->kept) shape.K = f->method->kept(f, f->state);
    if (status == BLN_OK) status = blni_glm_result_create(&glm->alloc, &f->desc, &shape, &r, report);
    const int made = status == BLN_OK;
    if (made) status = blni_glm_settle(glm, &r, report);
    const int widens = f->held && f->reduced && stop != BLN_STOP_MONITOR && shape.sites == BLN_SITES_MEAN;
    if (made && status == BLN_OK && widens && !shape.weighted) status = blni_glm_widen(glm, &r, report);
    status = blni_processes_agree(&f->processes, status, 'e', 1, &r.objective, report);
    if (made && status != BLN_OK) { blni_store_free(r.store); bln_chains_free(r.chains); }
    if (status == BLN_OK) {
        f->processes.over = 1;
        f->progress.objective = r.objective;
        blni_glm_report(f, report);
        memset(glm->method, 0, sizeof glm->method);
        memcpy(glm->method, f->method->name, blni_min(strlen(f->method->name), sizeof glm->method - 1));
        memcpy(glm->prior_var, f->hyper.prior_var, blni_glm_priors(&f->desc)*sizeof *glm->prior_var);
        blni_glm_keep(glm, &r);
    }
    bln_glm_abandon(glm);
    return status;
}

/* ---- the loop over them */

BLNI_ONCE BLNI_PRIV bln_status blni_glm_run(bln_glm *glm, bln_status status, bln_report *report)
{
    while (status == BLN_OK && !bln_glm_converged(glm)) {
        status = bln_glm_step(glm, report);
        if (status != BLN_OK) break;
        const bln_glm_progress *p = &glm->fit->progress;
        status = glm->desc.monitor ? glm->desc.monitor(glm->desc.monitor_user, p) : BLN_OK;
        status = blni_processes_watch(&glm->fit->processes, status, p->objective, "glm: the monitor returned an error", report);
        if (status == BLN_ESTOPPED) {
            status = BLN_OK;
            glm->fit->stop = BLN_STOP_MONITOR;
            break;
        }
    }
    if (status == BLN_OK) status = bln_glm_finish(glm, report);
    if (status != BLN_OK) bln_glm_abandon(glm);
    return status;
}

/* Where the default's first stage, or what it leads to, has no answer, the method alone: hyper-parameters by its own objective. */
BLNI_PRIV bln_status blni_glm_fit_to(bln_glm *glm, const bln_source *source, const bln_data *data, bln_report *report)
{
    bln_status status = blni_glm_begin(glm, source, data, report);
    if (!glm) return status;
    status = blni_glm_run(glm, status, report);
    if (!glm->chose_hyper || !glm->given.hyper.ops || glm->parted) return status;
    if (status != BLN_ENUMERIC && status != BLN_EUNDEFINED) return status;
    const bln_glm_method hyper = glm->given.hyper;
    glm->given.hyper = blni_glm_method(NULL, NULL);
    status = blni_glm_run(glm, blni_glm_begin(glm, source, data, report), report);
    glm->given.hyper = hyper;
    return status;
}

BLN_API bln_status bln_glm_fit(bln_glm *glm, const bln_data *data, bln_report *report)
{
    return blni_glm_fit_to(glm, NULL, data, report);
}

BLN_API bln_status bln_glm_fit_source(bln_glm *glm, const bln_source *source, bln_report *report)
{
    return blni_glm_fit_to(glm, source, NULL, report);
}

BLNI_ONCE BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc, size_t n)
{
    blni_glm_stage first, second;
    if (bln_glm_check(desc)) return (size_t)-1;
    const int stages = blni_glm_stages(desc, &first, &second);
    return blni_add(blni_glm_fit_bytes(&first, stages > 1 ? &second : NULL, n), bln_glm_size(desc, n));
}
