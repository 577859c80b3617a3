/* search: the search over a method's own coordinates and the hyper-parameters that are learnt, by L-BFGS or by stochastic steps
 *
 * The free coordinates are those of the method, q, then [log lambda_s | eta | theta], each through its bln_param. The function that
 * is minimised is -(the method's objective + the log priors of the hyper-parameters). */
#include "../core/status_private.h"
#include "../optim/transform_private.h"
#include "search_private.h"

/* ---- options */

BLNI_PRIV const char *blni_glm_search_check(const bln_glm_stochastic *steps)
{
    if ((unsigned)steps->method > (unsigned)BLN_SGD_NESTEROV) return "glm: unknown method of the steps";
    if (!(steps->rate >= 0.0) || !blni_finite(steps->rate)) return "glm: rate must be >= 0 and finite";
    if (!(steps->natural >= 0.0 && steps->natural <= 1.0)) return "glm: natural must lie between 0 and 1";
    return steps->natural > 0.0 && !steps->batch ? "glm: the rate of natural-gradient steps needs batches" : NULL;
}

/* ---- the optimisers, in a piece of the fit's block */

/* Batches differ by their rows far more than by the progress of a few epochs, epochs do not: so each step is told the mean of the
 * epoch before, and the rule that ends the run compares windows of five epochs, in which a standard error is that of 5 numbers, not
 * 5 times the batches. */
BLNI_PRIV blni_sgd_desc blni_glm_search_steps(const bln_glm_desc *d, const blni_glm_search *s, uint64_t batches)
{
    blni_sgd_desc steps = BLN_ZERO;
    steps.n = s->n ? s->n : 1;                           /* a full Gaussian may have nothing to learn but itself */
    steps.method = s->steps->method;
    steps.rate = s->steps->rate > 0.0 || s->steps->method != BLN_SGD_ADAM ? s->steps->rate : 0.03;
    steps.plain = s->steps->natural > 0.0 ? s->n_q : 0;
    steps.average = 1;
    steps.max_steps = d->max_iterations < UINT64_MAX/batches ? d->max_iterations*batches : UINT64_MAX;
    steps.window = (size_t)(5*batches);
    steps.patience = 3;
    steps.significance = sqrt((double)batches);
    return steps;
}

BLNI_PRIV blni_lbfgs_desc blni_glm_search_lbfgs(blni_glm_fit *f)
{
    const blni_glm_search *s = &f->search;
    blni_lbfgs_desc search = BLN_ZERO;
    search.n = s->n;
    search.max_iterations = f->desc.max_iterations;
    search.memory = s->n_q && s->n > BLNI_GLM_VECTORS ? BLNI_GLM_VECTORS : 0;
    search.progress_tol = f->desc.tolerance;
    search.gradient_tol = f->desc.tolerance < 1e-6 ? f->desc.tolerance : 1e-6;
    if (!s->n_q) search.first_step = 1.0;            /* logarithms of hyper-parameters, whose starts are rough */
    search.objective = blni_glm_search_objective;
    search.user = f;
    return search;
}

/* n_q: coordinates of the method's own. */
BLNI_PRIV void blni_glm_search_carve(blni_arena *a, blni_glm_fit *f, size_t n_q)
{
    blni_glm_search *s = &f->search;
    s->n_q = n_q;
    s->n = blni_add(n_q, s->n_hyper);
    BLNI_CARVE3(a, s->n, s->x0, s->x, s->gradient);
    if (f->at_point) return;
    if (s->steps) {
        const blni_sgd_desc steps = blni_glm_search_steps(&f->desc, s, 1);
        blni_glm_batches_carve(a, &f->desc, f->scan.d, &f->batches);
        s->room = blni_carve(a, 1, blni_sgd_size(&steps));
    } else if (s->n) {
        const blni_lbfgs_desc search = blni_glm_search_lbfgs(f);
        s->room = blni_carve(a, 1, blni_lbfgs_size(&search));
    }
}

/* ---- coordinates */

/* Into f->hyper. */
BLNI_PRIV void blni_glm_search_natural(blni_glm_fit *f, const double *x)
{
    blni_glm_search *s = &f->search;
    for (size_t k = 0; k < s->n_hyper; k++) *s->at[k] = bln_param_natural(s->param + k, x[s->n_q + k]);
}

/* The coordinates of f->hyper into u. */
BLNI_PRIV void blni_glm_search_free(const blni_glm_fit *f, double *u)
{
    for (size_t k = 0; k < f->search.n_hyper; k++) u[k] = bln_param_free(f->search.param + k, *f->search.at[k]);
}

/* Adds to sum and gradient minus log dx/du of coordinate k. */
BLNI_PRIV void blni_glm_search_bend(blni_glm_search *s, size_t k, double *sum)
{
    const double u = s->x[s->n_q + k];
    *sum -= log(bln_param_slope(s->param + k, u));
    s->gradient[s->n_q + k] -= blni_param_bend(s->param + k, u);
}

/* -log prior of the hyper-parameters at search.x and f->hyper; adds its gradient to search.gradient. Up to its constant that of log
 * sd, log x or logit x (hyper_prior), or, if they are integrated, their log density in the free coordinates. That of theta is as
 * in slm: (x_k - x0_k)^2/(2 theta_sd^2) for what is learnt on a log scale; of anything else nothing is known. */
BLNI_ONCE BLNI_PRIV double blni_glm_search_penalty(blni_glm_fit *f)
{
    const bln_glm_desc *d = &f->desc;
    blni_glm_search *s = &f->search;
    const size_t n_theta = d->fix_theta ? 0 : blni_glm_thetas(d), others = s->n_hyper - n_theta;
    const double precision = 1.0/(d->theta_sd*d->theta_sd);
    double sum = 0.0;
    for (size_t k = 0; k < others && !d->no_hyper_prior; k++) {
        const double u = s->x[s->n_q + k], x = bln_param_natural(s->param + k, u), rise = bln_param_slope(s->param + k, u);
        double slope;
        sum -= (s->integrated ? blni_hyper_density : blni_hyper_logp)(s->prior + k, x, &slope);
        s->gradient[s->n_q + k] -= slope*rise;
        if (s->integrated) blni_glm_search_bend(s, k, &sum);
    }
    for (size_t k = others; k < s->n_hyper; k++) {
        const double delta = s->x[s->n_q + k] - s->x0[s->n_q + k];
        if (s->param[k].kind != BLN_PARAM_LOG && s->param[k].kind != BLN_PARAM_POSITIVE) {
            if (s->integrated) blni_glm_search_bend(s, k, &sum);
            continue;
        }
        sum += 0.5*precision*delta*delta;
        if (s->integrated) sum += 0.5*BLNI_LOG_2PI - 0.5*log(precision);
        s->gradient[s->n_q + k] += precision*delta;
    }
    return sum;
}

/* The gradient in the hyper-parameters' coordinates at search.x from f->slope, and the penalty, which is returned. */
BLNI_ONCE BLNI_PRIV double blni_glm_search_chain(blni_glm_fit *f)
{
    blni_glm_search *s = &f->search;
    for (size_t k = 0; k < s->n_hyper; k++) {
        double *g = s->gradient + s->n_q + k;
        *g = -*s->slope[k]*bln_param_slope(s->param + k, s->x[s->n_q + k]);
        if (k < s->n_prior) *g /= *s->at[k];             /* whose slope is that in its log */
    }
    return blni_glm_search_penalty(f);
}

/* What the optimiser minimises. A point at which there is none is a bad one, not a failure, unless it is the first. */
BLNI_PRIV bln_status blni_glm_search_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                           bln_report *report)
{
    blni_glm_fit *f = (blni_glm_fit *)user;
    blni_glm_search *s = &f->search;
    bln_status status = BLN_OK;
    if (!s->evaluated || memcmp(s->x, x, n*sizeof *x)) {
        double objective = 0.0;
        memcpy(s->x, x, n*sizeof *x);
        blni_glm_search_natural(f, x);
        status = f->method->value(f, s->state, x, &objective, report);
        s->value = -objective;
        s->evaluated = status == BLN_OK && blni_finite(s->value);
        f->progress.evaluations++;
        if (status != BLN_OK && (s->first || f->rows.source_failed)) return status;
        if (status != BLN_OK) { bln_report_clear(report); s->value = HUGE_VAL; }
    }
    *value = s->evaluated ? s->value : HUGE_VAL;
    if (!s->evaluated) {
        for (size_t k = 0; k < n && gradient; k++) gradient[k] = BLNI_NAN;
        return BLN_OK;
    }
    if (!gradient) { *value += blni_glm_search_penalty(f); return BLN_OK; }
    BLNI_TRY(f->method->slopes(f, s->state, s->gradient, report));
    for (size_t k = 0; k < s->n_q; k++) s->gradient[k] = -s->gradient[k];
    *value += blni_glm_search_chain(f);
    if (gradient != s->gradient) memcpy(gradient, s->gradient, n*sizeof *gradient);
    return BLN_OK;
}

/* ---- init, step, settle */

/* The optimiser, and the coordinates of the hyper-parameters' start in search.x0. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_search_open(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_search *s = &f->search;
    const bln_allocator room = blni_lender(s->room);
    s->state = state;
    s->began = HUGE_VAL;
    blni_glm_search_free(f, s->x0 + s->n_q);
    if (s->steps) {
        blni_glm_batches_open(&f->batches, &f->desc, f->data, s->steps->batch);
        blni_sgd_desc steps = blni_glm_search_steps(&f->desc, s, blni_minibatch_count(&f->batches.order));
        s->rate = blni_sgd_defaults(&steps).rate;
        steps.alloc = room;
        return blni_sgd_create(&steps, &s->sgd, report);
    }
    if (!s->n) return BLN_OK;
    blni_lbfgs_desc search = blni_glm_search_lbfgs(f);
    search.alloc = room;
    return blni_lbfgs_create(&search, &s->lbfgs, report);
}

/* The first point, search.x0; without a coordinate the last one too. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_search_init(blni_glm_fit *f, bln_report *report)
{
    blni_glm_search *s = &f->search;
    const double nothing = 0.0;
    double objective = 0.0;
    bln_status status;
    s->evaluated = 0;
    if (s->sgd) return blni_sgd_init(s->sgd, s->n ? s->x0 : &nothing, report);
    s->first = 1;
    if (s->n) status = blni_lbfgs_init(s->lbfgs, s->x0, report);
    else {
        status = f->method->value(f, s->state, s->x0, &objective, report);
        f->progress.evaluations++;
        f->done = 1;
    }
    s->first = 0;
    return status;
}

BLNI_PRIV bln_status blni_glm_search_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    const bln_status status = blni_glm_search_open(f, state, report);
    return status == BLN_OK ? blni_glm_search_init(f, report) : status;
}

/* The objective's estimate at x by batch number t, and its gradient. */
BLNI_PRIV bln_status blni_glm_search_estimate(blni_glm_fit *f, uint64_t t, const double *x, double *value, bln_report *report)
{
    blni_glm_search *s = &f->search;
    blni_glm_batch_take(&f->batches, t, &f->rows);
    s->evaluated = 0;
    const bln_status status = f->method->estimate ? f->method->estimate(f, s->state, t, x, value, report)
                                                  : blni_glm_search_objective(f, s->n, x, value, s->gradient, report);
    s->evaluated = 0;
    blni_glm_batch_done(&f->batches, &f->rows);
    return status;
}

/* An epoch of steps, or what is left of the run. */
BLNI_PRIV bln_status blni_glm_search_epoch(blni_glm_fit *f, bln_report *report)
{
    blni_glm_search *s = &f->search;
    const uint64_t batches = blni_minibatch_count(&f->batches.order);
    bln_status status = BLN_OK;
    for (uint64_t b = 0; b < batches && status == BLN_OK && !blni_sgd_converged(s->sgd, NULL); b++) {
        const double nothing = 0.0;
        double value;
        BLNI_TRY(blni_glm_search_estimate(f, s->batch, blni_sgd_x(s->sgd), &value, report));
        s->sum += value*(double)f->batches.n/(double)f->scan.n;
        status = blni_sgd_step(s->sgd, s->n ? s->gradient : &nothing, s->batch < batches ? value : s->mean, report);
        s->batch++;
    }
    s->mean = s->sum;
    s->sum = 0.0;
    return status;
}

BLNI_ONCE BLNI_PRIV bln_status blni_glm_search_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_search *s = &f->search;
    bln_report inner;
    bln_report_clear(&inner);
    if (s->sgd && s->batch == 0) f->progress.iteration = 0;               /* from here on they are epochs */
    const bln_status status = s->sgd ? blni_glm_search_epoch(f, &inner) : blni_lbfgs_step(s->lbfgs, &inner);
    if (status != BLN_OK) { if (report) *report = inner; return status; }
    f->progress.iteration++;
    f->progress.objective = s->sgd ? -blni_sgd_objective(s->sgd) : -blni_lbfgs_value(s->lbfgs);
    f->progress.gradient_norm = inner.gradient_norm;
    f->done = s->sgd ? blni_sgd_converged(s->sgd, &f->stop) : blni_lbfgs_converged(s->lbfgs, &f->stop);
    if (f->progress.iteration >= f->desc.max_iterations && !f->done && !s->sgd) { f->done = 1; f->stop = BLN_STOP_LIMIT; }
    return BLN_OK;
}

/* The last point; NULL before the first. */
BLNI_PRIV const double *blni_glm_search_last(const blni_glm_fit *f)
{
    const blni_glm_search *s = &f->search;
    return s->sgd ? blni_sgd_average(s->sgd) : s->lbfgs ? blni_lbfgs_x(s->lbfgs) : NULL;
}

/* f->hyper, the method's state and search.value are those of the last point, if that is one to end at. */
BLNI_PRIV bln_status blni_glm_search_settle(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_search *s = &f->search;
    double objective = 0.0;
    bln_status status = BLN_OK;
    if (s->sgd && f->done && s->n_q) {                     /* coordinates of the method's own began at x0 */
        s->evaluated = 0;
        blni_glm_search_natural(f, s->x0);
        BLNI_TRY(f->method->value(f, s->state, s->x0, &objective, report));
        s->began = -objective;
    }
    const double *last = s->n ? blni_glm_search_last(f) : s->x0;
    if (s->n) blni_glm_search_natural(f, last);
    if (!s->evaluated || memcmp(s->x, last, s->n*sizeof *last)) {
        status = f->method->value(f, state, last, &objective, report);
        s->value = -objective;
    }
    if (status == BLN_OK && !blni_finite(s->value))
        status = blni_refuse(report, BLN_ENUMERIC, "glm: the objective is not finite; scale the data");
    if (status == BLN_OK && s->value > s->began + f->scan.N)
        status = blni_refuse(report, BLN_ENUMERIC,
                             "glm: the steps ended far below where they began; lower the rate, or scale the data");
    return status;
}
