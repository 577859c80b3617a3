/* glm_fit: learning in steps: the searches, init, step, finish, and the loop over them. */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"

/* ---- stochastic */

/* Batches differ by their rows far more than by the progress of a few epochs, epochs do not: so each step is told the mean of the
 * epoch before, and the rule that ends the run compares windows of five epochs, in which a standard error is that of 5 numbers, not
 * 5 times the batches. */
BLNI_PRIV bln_sgd_desc blni_glm_steps(const bln_glm_desc *d, size_t n, uint64_t batches)
{
    bln_sgd_desc s;
    memset(&s, 0, sizeof s);
    s.n = n ? n : 1;                                     /* a full Gaussian may have nothing to learn but itself */
    s.method = d->method;
    s.rate = d->rate;
    s.plain = d->natural > 0.0 && blni_glm_by_mixture(d) ? 2*d->components*d->basis->D : 0;
    s.average = BLN_AVERAGE_TAIL;
    s.max_steps = d->max_iterations < UINT64_MAX/batches ? d->max_iterations*batches : UINT64_MAX;
    s.window = (size_t)(5*batches);
    s.patience = 3;
    s.significance = sqrt((double)batches);
    return s;
}

/* Back from a batch to all rows. */
BLNI_PRIV void blni_glm_all_rows(blni_glm_fit *f)
{
    blni_glm_rows *r = blni_glm_fit_rows(f);
    r->source = &f->source;
    r->n = f->scan.n;
    r->scale = 1.0;
}

/* f->gradient of m and log psi becomes what a plain step at the rate r takes to the end of a natural-gradient one (G29). */
BLNI_PRIV void blni_glm_natural_step(blni_glm_fit *f, double r)
{
    const double part = f->desc.natural*r/f->sgd_rate, K = (double)f->desc.components;
    for (size_t j = 0; j < f->KD; j++) {
        const size_t i = j % f->desc.basis->D;
        const double old = 1.0/f->psi[j], least = 0.1/f->q.lambda[i];
        double precision = old - 2.0*part*K*f->q.dpsi[j];
        precision = precision > 0.5*old ? precision : 0.5*old;
        precision = precision > least ? precision : least;
        f->gradient[j] = -part*K*f->q.dm[j]/(precision*f->scale[i]*r);
        f->gradient[f->KD + j] = log(precision*f->psi[j])/r;
    }
}

/* The objective's estimate at x by batch number t, and its gradient. */
BLNI_PRIV bln_status blni_glm_estimate(blni_glm_fit *f, uint64_t t, const double *x, double *value, bln_report *report)
{
    blni_glm_batch_take(&f->batches, t, blni_glm_fit_rows(f));
    f->evaluated = 0;
    if (blni_glm_is_mixture(f)) blni_bound_draw(&f->q, f->desc.seed, t);
    const bln_status status = blni_glm_objective(f, f->n_free, x, value, f->gradient, report);
    f->evaluated = 0;
    blni_bound_exact(&f->q);
    blni_glm_all_rows(f);
    return status;
}

/* The same of the full Gaussian, which then steps. At a size r of the steps the noise of rows keeps the mean off by a variance of
 * r/2 (n/|B| - 1) of its own: a quarter by default, until r falls. */
BLNI_PRIV bln_status blni_glm_full_step(blni_glm_fit *f, uint64_t t, const double *x, double *value, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const double others = (double)f->scan.n/(double)f->batches.order.size - 1.0;        /* batches of an epoch but one */
    const double natural = d->natural > 0.0 ? d->natural : others > 0.5 ? 0.5/others : 1.0;
    double bound = 0.0;
    if (f->n_free) memcpy(f->x, x, f->n_free*sizeof *f->x);
    blni_glm_natural(f, f->x);
    blni_glm_batch_take(&f->batches, t, blni_glm_fit_rows(f));
    f->full.expected.tolerance = 1e-6;
    const bln_status status = blni_full_estimate(&f->full, &f->hyper, &bound, f->d_prior, f->d_eta,
                                                 d->fix_theta || !d->basis->n_theta ? NULL : f->d_theta, report);
    f->full.expected.tolerance = 0.0;
    f->evaluations++;
    blni_glm_all_rows(f);
    if (status != BLN_OK) return status;
    for (size_t k = 0; k < f->n_free; k++) f->gradient[k] = 0.0;
    blni_glm_chain(f, f->d_prior, f->d_eta, f->d_theta);
    *value = blni_glm_penalty(f, f->x, f->gradient) - bound;
    if (blni_finite(bound)) blni_full_natural(&f->full, natural*bln_sgd_rate(f->sgd)/f->sgd_rate);
    return BLN_OK;
}

/* An epoch of steps, or what is left of the run. */
BLNI_PRIV bln_status blni_glm_epoch(blni_glm_fit *f, bln_report *report)
{
    const uint64_t batches = bln_minibatch_count(&f->batches.order);
    bln_status status = BLN_OK;
    for (uint64_t b = 0; b < batches && status == BLN_OK && !bln_sgd_converged(f->sgd, NULL); b++) {
        const double nothing = 0.0, *x = bln_sgd_x(f->sgd);
        double value;
        status = blni_glm_is_full(f) ? blni_glm_full_step(f, f->batch, x, &value, report)
                                     : blni_glm_estimate(f, f->batch, x, &value, report);
        if (status != BLN_OK) return status;
        f->sum += value*(double)f->batches.n/(double)f->scan.n;
        if (blni_glm_is_mixture(f) && f->desc.natural > 0.0 && blni_finite(value))
            blni_glm_natural_step(f, bln_sgd_rate(f->sgd));
        status = bln_sgd_step(f->sgd, f->n_free ? f->gradient : &nothing, f->batch < batches ? value : f->mean, report);
        f->batch++;
    }
    f->mean = f->sum;
    f->sum = 0.0;
    return status;
}

/* ---- init, step, finish */

/* The last point of the search. */
BLNI_PRIV const double *blni_glm_last(const blni_glm_fit *f) { return f->sgd ? bln_sgd_average(f->sgd) : bln_lbfgs_x(f->opt); }

BLNI_PRIV bln_lbfgs_desc blni_glm_search(const bln_glm_desc *d, size_t n, blni_glm_fit *f)
{
    bln_lbfgs_desc s;
    memset(&s, 0, sizeof s);
    s.n = n;
    s.max_iterations = d->max_iterations;
    s.memory = blni_glm_by_mixture(d) && n > BLNI_GLM_VECTORS ? BLNI_GLM_VECTORS : 0;
    s.progress_tol = d->tolerance;
    s.gradient_tol = d->tolerance < 1e-6 ? d->tolerance : 1e-6;
    if (!blni_glm_by_mixture(d)) s.first_step = 1.0;         /* logarithms of hyper-parameters, whose starts are rough */
    s.objective = blni_glm_objective;
    s.user = f;
    return s;
}

/* Room for the optimisers, which are made when the rows are known. */
BLNI_PRIV void blni_glm_optimisers_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_fit *f)
{
    const bln_sgd_desc steps = blni_glm_steps(d, f->n_free, 1);
    const bln_lbfgs_desc search = blni_glm_search(d, f->n_free, NULL), mode = blni_glm_mode_search(d, NULL);
    f->opt_room = blni_carve(a, d->batch || f->n_free, d->batch ? bln_sgd_size(&steps) : bln_lbfgs_size(&search));
    f->mode_room = blni_carve(a, blni_glm_by_mixture(d), bln_lbfgs_size(&mode));
}

/* The search for the mode, at w = 0 by batches, else where Newton's method begins. */
BLNI_PRIV bln_status blni_glm_map_open(blni_glm_fit *f, bln_report *report)
{
    if (!f->sgd) {
        blni_mode_prior(&f->mode, &f->hyper);
        f->evaluations++;
        return blni_mode_begin(&f->mode, &f->hyper, report);
    }
    blni_map_roots(&f->desc, &f->hyper, f->root);
    memcpy(f->scale, f->root, f->KD*sizeof *f->scale);
    for (size_t i = 0; i < f->KD; i++) f->x0[i] = 0.0;
    return bln_sgd_init(f->sgd, f->x0, report);
}

/* The full Gaussian's first point is that of its search by all rows. */
BLNI_PRIV bln_status blni_glm_full_open(blni_glm_fit *f, bln_report *report)
{
    const double nothing = 0.0;
    const bln_status status = blni_full_begin(&f->full, &f->hyper, report);
    f->evaluations++;
    return status == BLN_OK ? bln_sgd_init(f->sgd, f->n_free ? f->x0 : &nothing, report) : status;
}

/* Everything after the scan: starts, and the first evaluation. */
BLNI_PRIV bln_status blni_glm_begin_search(blni_glm_fit *f, bln_report *report)
{
    bln_status status = blni_glm_starts(f, report);
    if (status == BLN_OK && f->desc.batch) {
        bln_sgd_desc steps = blni_glm_steps(&f->desc, f->n_free, bln_minibatch_count(&f->batches.order));
        f->sgd_rate = bln_sgd_defaults(&steps).rate;
        steps.alloc = blni_lender(f->opt_room);
        status = bln_sgd_create(&steps, &f->sgd, report);
    } else if (status == BLN_OK && f->n_free) {
        bln_lbfgs_desc search = blni_glm_search(&f->desc, f->n_free, f);
        search.alloc = blni_lender(f->opt_room);
        status = bln_lbfgs_create(&search, &f->opt, report);
    }
    if (status != BLN_OK) return status;
    if (f->n_free && 1e-4*f->desc.tolerance > BLNI_FULL_LEAST) {
        f->full.least = 1e-4*f->desc.tolerance;
        f->full.part = 1e-4;
    }
    if (blni_glm_is_mixture(f))
        return f->desc.start == BLN_GLM_START_MODE ? blni_glm_mode_open(f, report) : blni_glm_random_open(f, report);
    if (blni_glm_is_map(f)) return blni_glm_map_open(f, report);
    if (f->sgd) return blni_glm_full_open(f, report);
    f->done = f->n_free == 0;
    f->refused = 1;
    if (f->n_free) status = bln_lbfgs_init(f->opt, f->x0, report);
    else { status = blni_glm_value_at(f, &f->value, report); f->evaluations++; }
    f->refused = 0;
    return status;
}

/* A workspace for these rows, scanned. reduce: with fewer rows than features in their space, if the inference has that. */
BLNI_PRIV bln_status blni_glm_open(const bln_glm *glm, const bln_glm_desc *d, const bln_source *source, const bln_data *data,
                                   int reduce, blni_glm_fit **out, bln_report *report)
{
    const size_t n_inputs = data ? data->d : source->d, reduced = reduce && data && blni_glm_reduces(d, data->n) ? data->n : 0;
    if (source && (!source->reset || !source->next))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "source: reset or next is NULL");
    if (!blni_basis_fits(d->basis, n_inputs))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "glm: data have another number of columns than the basis");
    if (d->batch && !data)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE,
                         "glm: batches need a data set: rows of a source come in no random order");
    bln_status status = blni_glm_fit_create(&glm->alloc, d, n_inputs, reduced, out, report);
    if (status != BLN_OK) return status;
    blni_glm_fit *f = *out;
    f->source = data ? bln_source_of(data, &f->reader) : *source;
    status = blni_glm_scan_rows(d, &f->source, &f->scan, report);
    if (status != BLN_OK) {
        blni_glm_fit_free(&glm->alloc, f);
        *out = NULL;
        return status;
    }
    blni_glm_all_rows(f);
    if (d->batch && data) blni_glm_batches_open(&f->batches, d, data);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_glm_begin(bln_glm *glm, const bln_source *source, const bln_data *data, bln_report *report)
{
    bln_report_clear(report);
    if (!glm || (!source && !data)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: model or data is NULL");
    bln_glm_abandon(glm);
    bln_status status = blni_glm_open(glm, &glm->desc, source, data, 1, &glm->fit, report);
    if (status == BLN_OK) status = blni_glm_begin_search(glm->fit, report);
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

BLNI_PRIV void blni_glm_report(blni_glm_fit *f, bln_report *report)
{
    if (!report) return;
    bln_report_clear(report);
    report->iterations = f->iterations;
    report->evaluations = f->evaluations;
    report->objective = f->objective;
    report->gradient_norm = f->gradient_norm;
    report->condition = blni_glm_is_mixture(f) || blni_glm_is_map(f) ? 0.0 : blni_glm_fit_mode(f)->condition;
    report->stop = f->stop;
}

/* A step of Newton's method to the mode. */
BLNI_PRIV bln_status blni_glm_map_step(blni_glm_fit *f, bln_report *report)
{
    const double J = f->mode.J;
    const bln_status status = blni_mode_step(&f->mode, &f->hyper, &f->done, report);
    if (status != BLN_OK) { f->mode.J = J; return status; }
    f->iterations++;
    f->evaluations++;
    f->objective = f->mode.J;
    f->gradient_norm = blni_mode_slope(&f->mode);
    if (f->done) f->stop = BLN_STOP_GRADIENT;
    else if (f->iterations >= f->desc.max_iterations) { f->done = 1; f->stop = BLN_STOP_LIMIT; }
    blni_glm_report(f, report);
    return BLN_OK;
}

BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report)
{
    bln_report inner;
    bln_report_clear(report);
    bln_report_clear(&inner);
    blni_glm_fit *f = glm ? glm->fit : NULL;
    if (!f) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: step without init");
    if (f->done) { blni_glm_report(f, report); return BLN_OK; }
    if (blni_glm_is_map(f) && !f->sgd) return blni_glm_map_step(f, report);
    const int stochastic = f->sgd && !f->opt_mode;
    if (stochastic && f->batch == 0) f->iterations = 0;               /* from here on they are epochs */
    bln_lbfgs *opt = f->opt_mode ? f->opt_mode : f->opt;
    bln_status status = stochastic ? blni_glm_epoch(f, &inner) : bln_lbfgs_step(opt, &inner);
    if (status != BLN_OK) { if (report) *report = inner; return status; }
    f->iterations++;
    f->objective = stochastic ? -bln_sgd_objective(f->sgd) : -bln_lbfgs_value(opt);
    f->gradient_norm = inner.gradient_norm;
    if (stochastic ? bln_sgd_converged(f->sgd, &f->stop) : bln_lbfgs_converged(opt, &f->stop)) {
        if (f->opt_mode) {
            f->stop = BLN_STOP_NONE;
            status = blni_glm_mode_close(f, report);
            if (status != BLN_OK) return status;
        } else f->done = 1;
    }
    if (f->iterations >= f->desc.max_iterations && !f->done && !f->sgd) { f->done = 1; f->stop = BLN_STOP_LIMIT; }
    blni_glm_report(f, report);
    return BLN_OK;
}

BLN_API int bln_glm_converged(const bln_glm *glm) { return !glm || !glm->fit || glm->fit->done; }

/* The mode, as a mixture of one component without variance. */
BLNI_PRIV void blni_glm_map_result(const blni_glm_fit *f, blni_glm_result *r)
{
    const bln_glm_desc *d = &f->desc;
    r->objective = (f->sgd ? -f->value : f->mode.J) + blni_map_constant(d, &f->hyper);
    memcpy(r->m, f->sgd ? f->m : f->mode.w, d->basis->D*sizeof *r->m);
    for (size_t i = 0; i < d->basis->D; i++) r->s[i] = f->sgd ? f->root[i] : f->mode.penalty[i] > 0.0 ? f->mode.s[i] : 0.0;
}

/* Has the sum of the d2_n phi_ni^2 of a weight become positive, so that its variance, and that of its prior, grow without end? */
BLNI_PRIV int blni_glm_runs_away(const blni_glm_fit *f)
{
    for (size_t i = 0; i < f->KD; i++) {
        const double start = f->scale[i % f->desc.basis->D];
        if (!(f->psi[i] < 1e12*start*start)) return 1;
    }
    return 0;
}

/* Of NPV, whose objective at the last point is f->q.bound: is it at most a tenth of a nat a row above the bound that it stands for?
 * A convention: fits whose rows are near their parabolas were seen below 0.05, runaway ones from 0.25 on. */
BLNI_PRIV bln_status blni_glm_check_taylor(blni_glm_fit *f, bln_report *report)
{
    const bln_mixture q = blni_bound_mixture(&f->q, f->m, f->psi);
    const double objective = f->q.bound;
    f->q.expected.taylor = 0;
    const bln_status status = blni_bound_value(&f->q, &f->hyper, &q, 0, report);
    const double bound = f->q.bound;
    f->q.expected.taylor = 1;
    f->q.bound = objective;
    if (status != BLN_OK || objective - bound <= 0.1*f->scan.N) return status;
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                     "glm: variances are too wide for NPV, its objective is far above the bound; use a variational bound");
}

/* Of batches that have run their course: what is minimised at their first point, by all rows. */
BLNI_PRIV bln_status blni_glm_began(blni_glm_fit *f, double *value, bln_report *report)
{
    *value = HUGE_VAL;
    if (!f->sgd || !f->done || blni_glm_is_full(f)) return BLN_OK;
    f->evaluated = 0;
    blni_glm_natural(f, f->x0);
    return blni_glm_value_at(f, value, report);
}

/* The posterior at the last point into r. */
BLNI_PRIV bln_status blni_glm_settle(blni_glm_fit *f, blni_glm_result *r, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    bln_status status = f->opt_mode ? blni_glm_mode_close(f, report) : BLN_OK;
    double began = HUGE_VAL;
    if (status == BLN_OK) status = blni_glm_began(f, &began, report);
    if (status != BLN_OK) return status;
    if (f->n_free) blni_glm_natural(f, blni_glm_last(f));
    f->full.part = 0.0;
    if (blni_glm_is_map(f) && !f->sgd) f->value = -f->mode.J;
    else if (!f->evaluated || !f->n_free || blni_glm_is_full(f) || memcmp(f->x, blni_glm_last(f), f->n_free*sizeof *f->x))
        status = blni_glm_value_at(f, &f->value, report);
    if (status == BLN_OK && d->inference == BLN_GLM_NPV && blni_glm_runs_away(f))
        status = blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                           "glm: NPV's objective has no top here: variances grow without end; use a variational bound");
    if (status == BLN_OK && !blni_finite(f->value))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: the objective is not finite; scale the data");
    if (status == BLN_OK && f->value > began + f->scan.N)
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE,
                           "glm: the steps ended far below where they began; lower the rate, or scale the data");
    if (status == BLN_OK && d->inference == BLN_GLM_NPV) status = blni_glm_check_taylor(f, report);
    if (status != BLN_OK) return status;
    blni_glm_hyper_copy(d, &r->hyper, &f->hyper);
    r->rows = f->scan.N;
    if (blni_glm_is_map(f)) { blni_glm_map_result(f, r); return BLN_OK; }
    if (!blni_glm_is_mixture(f))
        return blni_mode_result(blni_glm_fit_mode(f), &f->hyper, !blni_glm_is_full(f), r, report);
    r->objective = f->q.bound;
    memcpy(r->m, f->m, f->KD*sizeof *r->m);
    memcpy(r->psi, f->psi, f->KD*sizeof *r->psi);
    for (size_t i = 0; i < d->basis->D; i++) r->s[i] = sqrt(f->q.lambda[i]);
    return BLN_OK;
}

BLN_API bln_status bln_glm_finish(bln_glm *glm, bln_report *report)
{
    blni_glm_fit *f = glm ? glm->fit : NULL;
    blni_glm_result r;
    bln_report_clear(report);
    if (!f) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: finish without init");
    bln_status status = blni_glm_result_create(&glm->alloc, &glm->desc, &r, report);
    if (status == BLN_OK) {
        status = blni_glm_settle(f, &r, report);
        if (status != BLN_OK) blni_glm_result_free(&glm->alloc, &r);
    }
    if (status == BLN_OK) {
        f->objective = r.objective;
        blni_glm_report(f, report);
        blni_glm_result_free(&glm->alloc, &glm->result);
        glm->result = r;
        glm->fitted = 1;
    }
    bln_glm_abandon(glm);
    return status;
}

/* ---- the loop over them */

BLNI_PRIV bln_status blni_glm_watch(const bln_glm *glm)
{
    const blni_glm_fit *f = glm->fit;
    bln_glm_progress p;
    if (!glm->desc.monitor) return BLN_OK;
    p.iteration = f->iterations;
    p.evaluations = f->evaluations;
    p.objective = f->objective;
    p.gradient_norm = f->gradient_norm;
    return glm->desc.monitor(glm->desc.monitor_user, &p);
}

BLNI_PRIV bln_status blni_glm_run(bln_glm *glm, bln_status status, bln_report *report)
{
    while (status == BLN_OK && !bln_glm_converged(glm)) {
        status = bln_glm_step(glm, report);
        if (status != BLN_OK) break;
        status = blni_glm_watch(glm);
        if (status == BLN_ESTOPPED) {
            status = BLN_OK;
            glm->fit->stop = BLN_STOP_MONITOR;
            break;
        }
        if (status != BLN_OK) blni_fail(report, status, BLN_NONE, BLN_NONE, "glm: the monitor returned an error");
    }
    if (status == BLN_OK) status = bln_glm_finish(glm, report);
    if (status != BLN_OK) bln_glm_abandon(glm);
    return status;
}

BLN_API bln_status bln_glm_fit(bln_glm *glm, const bln_data *data, bln_report *report)
{
    const bln_status status = bln_glm_init(glm, data, report);
    return glm ? blni_glm_run(glm, status, report) : status;
}

BLN_API bln_status bln_glm_fit_source(bln_glm *glm, const bln_source *source, bln_report *report)
{
    const bln_status status = bln_glm_init_source(glm, source, report);
    return glm ? blni_glm_run(glm, status, report) : status;
}

BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc, size_t n)
{
    if (bln_glm_check(desc)) return (size_t)-1;
    const bln_glm_desc d = bln_glm_defaults(desc);
    blni_glm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_fit_carve(&a, &d, d.basis->d, blni_glm_reduces(&d, n) ? n : 0, &sizes);
    return blni_add(a.used, bln_glm_size(&d));
}
