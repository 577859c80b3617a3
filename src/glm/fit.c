/* fit: the workspace of a fit, for a method and some rows: its block, the scan of the rows, and where hyper-parameters start */
#include "../math/blas.h"
#include "../likelihood/likelihood_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../optim/transform_private.h"
#include "../posterior/prior_private.h"
#include "fit_private.h"

BLNI_PRIV bln_glm_method blni_glm_method(const bln_glm_method_ops *ops, const void *own)
{
    const bln_glm_method m = { ops, own };
    return m;
}

/* ---- the options of a method */

/* The stochastic steps among them; NULL: it takes none. */
BLNI_PRIV const bln_glm_stochastic *blni_glm_steps_of(const bln_glm_method_ops *ops, const blni_glm_own *own)
{
    return ops->steps_at == BLN_NONE ? NULL : (const bln_glm_stochastic *)(const void *)((const char *)own + ops->steps_at);
}

/* A copy of what it brings along, or zeros, with every default filled in. */
BLNI_ONCE BLNI_PRIV void blni_glm_own_of(bln_glm_method method, blni_glm_own *own)
{
    blni_glm_own copy;                                   /* method.own may be *own */
    memset(&copy, 0, sizeof copy);
    if (method.own) memcpy(&copy, method.own, method.ops->own_size);
    if (method.ops->defaults) method.ops->defaults(&copy);
    memcpy(own, &copy, sizeof *own);
}

BLNI_PRIV int blni_glm_by_batches(const bln_glm_method_ops *ops, const blni_glm_own *own)
{
    const bln_glm_stochastic *steps = blni_glm_steps_of(ops, own);
    return steps && steps->batch;
}

BLNI_PRIV int blni_glm_can(const bln_glm_method_ops *ops, const blni_glm_own *own, unsigned what)
{
    return ((blni_glm_by_batches(ops, own) ? ops->can_by_batches : ops->can) & what) == what;
}

/* Rows of several latents cannot be left out by their curvature. */
BLNI_PRIV blni_glm_shape blni_glm_shape_of(const bln_glm_desc *d, const blni_glm_own *own)
{
    const bln_glm_method_ops *ops = d->method.ops;
    const int several = d->likelihood.ops->latents != NULL;
    blni_glm_shape shape;
    shape.form = several ? ops->of_several : ops->form;
    shape.sites = several ? BLN_SITES_NONE : ops->sites;
    shape.K = 1;
    shape.weighted = blni_glm_can(ops, own, BLNI_CAN_INTEGRATE);
    shape.apart = 0;
    if (ops->shape) ops->shape(d, own, &shape);
    return shape;
}

BLNI_PRIV int blni_glm_learns_prior(const bln_glm_desc *d, size_t s)
{
    return !d->fix_prior_var && !(d->prior_var && blni_flat(d->prior_var[s]));
}

BLNI_PRIV size_t blni_glm_count_hyper(const bln_glm_desc *d)
{
    size_t n = (d->fix_likelihood ? 0 : d->likelihood.n_theta) + (d->fix_theta ? 0 : blni_glm_thetas(d));
    for (size_t s = 0; s < blni_glm_priors(d); s++) n += (size_t)blni_glm_learns_prior(d, s);
    return n;
}

/* ---- the block */

/* For a method with its options and so many rows (0: not counted before) of so many inputs. */
BLNI_ONCE BLNI_PRIV blni_glm_fit blni_glm_plan(const bln_glm_desc *d, const blni_glm_own *own, size_t n_inputs, size_t n,
                                               int at_point)
{
    blni_glm_fit f = BLN_ZERO;
    f.desc = *d;
    f.own = *own;
    f.method = d->method.ops;
    f.at_point = at_point;
    f.scan.d = n_inputs;
    int reduces = n > 0 && !d->likelihood.ops->latents && n <= blni_glm_weights(d) && !at_point
        && blni_glm_can(f.method, own, BLNI_CAN_REDUCE);
    for (size_t s = 0; d->prior_var && s < blni_glm_priors(d); s++)
        if (blni_flat(d->prior_var[s])) reduces = 0;
    f.reduced = reduces && !d->allreduce ? n : 0;
    return f;
}

/* What the stages of a fit have in common, of the same size in all. The struct first; its arrays go into the carved one, or, in the
 * counting pass, which has none, into *plan. */
BLNI_PRIV blni_glm_fit *blni_glm_kept_carve(blni_arena *a, blni_glm_fit *plan)
{
    blni_glm_fit *carved = (blni_glm_fit *)blni_carve(a, 1, sizeof *carved), *f = carved ? carved : plan;
    if (carved) *carved = *plan;
    blni_glm_scan_carve(a, &f->scan);
    blni_glm_hyper_carve(a, &f->desc, &f->hyper);
    return carved;
}

BLNI_ONCE BLNI_PRIV blni_glm_fit *blni_glm_fit_carve(blni_arena *a, blni_glm_fit *plan)
{
    blni_glm_fit *carved = blni_glm_kept_carve(a, plan), *f = carved ? carved : plan;
    const bln_glm_desc *d = &f->desc;
    const size_t priors = blni_glm_priors(d), n_theta = blni_glm_thetas(d);
    f->search.n_hyper = blni_glm_count_hyper(d);
    f->search.steps = blni_glm_by_batches(f->method, &f->own) ? blni_glm_steps_of(f->method, &f->own) : NULL;
    blni_glm_rows_carve(a, d, f->reduced, &f->rows);
    f->norm            = blni_carve_doubles(a, blni_glm_slices(d));
    f->search.param    = (bln_param *)blni_carve(a, f->search.n_hyper, sizeof(bln_param));
    f->search.prior    = (blni_hyper_prior *)blni_carve(a, f->search.n_hyper, sizeof(blni_hyper_prior));
    f->search.at       = (double **)blni_carve(a, f->search.n_hyper, sizeof(double *));
    f->search.slope    = (double **)blni_carve(a, f->search.n_hyper, sizeof(double *));
    f->slope.prior_var = d->fix_prior_var ? NULL : blni_carve_doubles(a, priors);
    f->slope.eta       = d->fix_likelihood ? NULL : blni_carve_doubles(a, d->likelihood.n_theta);
    f->slope.theta     = d->fix_theta || !n_theta ? NULL : blni_carve_doubles(a, n_theta);
    f->state = f->method->carve ? f->method->carve(a, f, &f->own) : NULL;
    return carved;
}

/* The rows are those that were scanned. */
BLNI_PRIV void blni_glm_aim(blni_glm_fit *f)
{
    f->rows.source = &f->source;
    f->rows.scan = &f->scan;
    f->rows.n = f->scan.here;
    f->rows.processes = &f->processes;
}

/* The next stage over the same block: in place of the one before but for the rows, their scan and f->hyper. */
BLNI_ONCE BLNI_PRIV void blni_glm_follow(blni_glm_fit *f)
{
    const size_t n = f->data ? f->data->n : 0;
    blni_arena a = blni_arena_over(f->block, f->bytes);
    if (f->method->close) f->method->close(f->state);
    bln_glm_desc d = f->then.desc;
    d.prior_var = f->hyper.prior_var;
    d.likelihood_theta = f->hyper.eta;
    d.theta = f->hyper.theta;
    d.fix_prior_var = d.fix_theta = 1;                   /* prior variances and theta stay as they are */
    blni_glm_fit plan = blni_glm_plan(&d, &f->then.own, f->scan.d, n, 0);
    plan.block = f->block;
    plan.bytes = f->bytes;
    plan.data = f->data;
    plan.reader = f->reader;
    plan.source = f->source;
    plan.scan = f->scan;
    plan.processes = f->processes;
    plan.held = !f->then.desc.fix_prior_var && !d.per_weight;
    plan.progress.phase = BLN_GLM_SEARCH;
    plan.iterations = f->progress.iteration;
    plan.evaluations = f->progress.evaluations;
    plan.stopped = f->stopped;
    blni_glm_kept_carve(&a, &plan);
    memset(a.base + a.used, 0, a.size - a.used);
    a = blni_arena_over(plan.block, plan.bytes);
    blni_glm_fit_carve(&a, &plan);
    blni_glm_aim(f);
}

BLNI_PRIV size_t blni_glm_plan_bytes(const blni_glm_fit *plan)
{
    blni_glm_fit numbers = *plan;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_fit_carve(&a, &numbers);
    return a.used;
}

/* Of all stages; then: NULL if there is one. */
BLNI_ONCE BLNI_PRIV size_t blni_glm_bytes(const blni_glm_fit *plan, const blni_glm_stage *then, size_t n)
{
    const size_t bytes = blni_glm_plan_bytes(plan);
    if (!then) return bytes;
    bln_glm_desc d = then->desc;
    d.fix_prior_var = d.fix_theta = 1;
    const blni_glm_fit next = blni_glm_plan(&d, &then->own, plan->scan.d, n, 0);
    return blni_max(bytes, blni_glm_plan_bytes(&next));
}

/* For so many rows, 0: a source. */
BLNI_PRIV size_t blni_glm_fit_bytes(const blni_glm_stage *stage, const blni_glm_stage *then, size_t n)
{
    size_t n_inputs = 0;
    for (size_t v = 0; v < blni_glm_views(&stage->desc); v++) n_inputs = blni_max(n_inputs, blni_glm_basis_of(&stage->desc, v)->d);
    const blni_glm_fit plan = blni_glm_plan(&stage->desc, &stage->own, n_inputs, n, 0);
    return blni_glm_bytes(&plan, then, n);
}

BLNI_PRIV void blni_glm_close(const bln_allocator *alloc, blni_glm_fit *f)
{
    if (!f) return;
    blni_processes_leave(&f->processes);
    if (f->method->close) f->method->close(f->state);
    blni_release(alloc, f->block, f->bytes);
}

BLNI_PRIV bln_status blni_glm_allocate(const bln_allocator *alloc, blni_glm_fit *plan, size_t bytes, blni_glm_fit **out,
                                       bln_report *report)
{
    blni_arena a;
    BLNI_TRY(blni_arena_take(alloc, bytes, "glm", &a, report));
    memset(a.base, 0, bytes);
    *out = blni_glm_fit_carve(&a, plan);
    (*out)->block = a.base;
    (*out)->bytes = bytes;
    return BLN_OK;
}

/* BLN_OK, or what is wrong with the rows before they are read; own and last: the options of the two stages. */
BLNI_PRIV bln_status blni_glm_open_check(const bln_glm_desc *d, const blni_glm_own *own, const bln_glm_desc *last,
                                         const blni_glm_own *last_own, const bln_source *source, const bln_data *data,
                                         bln_report *report)
{
    if (!source && !data) return blni_refuse(report, BLN_EINVAL, "glm: model or data is NULL");
    if (source && (!source->reset || !source->next)) return blni_refuse(report, BLN_EINVAL, "source: reset or next is NULL");
    for (size_t v = 0; v < blni_glm_views(d); v++)
        if (!blni_basis_fits(blni_glm_basis_of(d, v), data ? data->d : source->d))
            return blni_refuse_columns(report, "glm", data ? data->d : source->d, blni_glm_basis_of(d, v)->d);
    if (data || (blni_glm_can(d->method.ops, own, BLNI_CAN_SOURCE) && blni_glm_can(last->method.ops, last_own, BLNI_CAN_SOURCE)))
        return BLN_OK;
    return blni_refuse(report, BLN_EINVAL,
                       "glm: batches, nuts and gibbs need a data set: rows of a source come one after the other");
}

/* A workspace for these rows, scanned. then: the stage that follows, or NULL. at_point: for hyper-parameters that are given, and
 * without a search. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_open(const bln_allocator *alloc, const bln_glm_desc *d, const blni_glm_own *own,
                                             const blni_glm_stage *then, const bln_source *source, const bln_data *data,
                                             int at_point, blni_glm_fit **out, bln_report *report)
{
    const size_t n = data ? data->n : 0;
    blni_processes processes = blni_processes_of(d->allreduce, d->allreduce_user);
    bln_status status = blni_glm_open_check(d, own, then ? &then->desc : d, then ? &then->own : own, source, data, report);
    if (status == BLN_OK) {
        blni_glm_fit plan = blni_glm_plan(d, own, data ? data->d : source->d, n, at_point);
        if (then) plan.then = *then;
        plan.progress.phase = then ? BLN_GLM_BEFORE : BLN_GLM_SEARCH;
        plan.processes = processes;
        status = blni_glm_allocate(alloc, &plan, blni_glm_bytes(&plan, then, n), out, report);
    }
    if (status != BLN_OK) { blni_processes_leave(&processes); return status; }
    blni_glm_fit *f = *out;
    f->data = data;
    f->source = data ? bln_source_of(data, &f->reader) : *source;
    status = blni_glm_scan_rows(d, &f->source, &f->processes, &f->scan, report);
    if (status == BLN_OK) { blni_glm_aim(f); return BLN_OK; }
    blni_glm_close(alloc, f);
    *out = NULL;
    return status;
}

/* ---- hyper-parameters */

/* norm[t] = mean |phi_t|^2 of each slice, and of each latent the mean square of the f at which y would be about its mean, less the
 * offset. */
BLNI_PRIV bln_status blni_glm_sizes(blni_glm_fit *f, double *square, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const bln_latents_ops *latents = d->likelihood.ops->latents;
    blni_glm_rows *r = &f->rows;
    blni_glm_sums(r, r->J, square);
    blni_glm_sums(r, r->n_slices, f->norm);
    BLNI_PASS(r, f->hyper.theta, NULL) {
        if (latents) blni_glm_start_latents(r, f->hyper.eta, rows.n, &t, r->d1);
        else         blni_likelihood_start(&d->likelihood, f->hyper.eta, rows.n, &t, r->d1);
        for (size_t i = 0; i < rows.n; i++) {
            for (size_t j = 0; j < r->J; j++) {
                const double delta = r->d1[j*r->block + i] - r->f[j*r->block + i];
                if (r->k[i] > 0.0) square[j] += r->k[i]*delta*delta/f->scan.N;
            }
            for (size_t s = 0; s < r->n_slices; s++) {
                const blni_glm_slice *one = r->slice + s;
                const double *phi = blni_glm_rows_phi(r, one->latent) + i*r->D + one->at;
                f->norm[s] += r->k[i]*bln_dot(one->end - one->first, phi, phi)/f->scan.N;
            }
        }
    }
    for (size_t j = 0; j < r->J && status == BLN_OK; j++)
        if (!(square[j] > 0.0 && blni_finite(square[j]))) square[j] = 1.0;
    return status;
}

/* The standard deviation of y, or 1 if it has none. */
BLNI_PRIV double blni_glm_y_unit(const blni_glm_fit *f)
{
    return f->scan.y_sd > 0.0 && blni_finite(f->scan.y_sd) ? f->scan.y_sd : 1.0;
}

/* eta and theta, with how the search moves what it learns of them. */
BLNI_PRIV bln_status blni_glm_start_rest(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const size_t n_theta = blni_glm_thetas(d), n_eta = d->likelihood.n_theta;
    blni_glm_search *s = &f->search;
    size_t at = s->n_prior = s->n_hyper - (d->fix_theta ? 0 : n_theta) - (d->fix_likelihood ? 0 : n_eta);
    const bln_moments moments = { f->scan.n, f->scan.d, f->scan.mean, f->scan.sd };
    bln_param p;
    for (size_t k = 0; k < n_eta; k++) {
        bln_likelihood_param(&d->likelihood, k, f->scan.y_mean, f->scan.y_sd, &p);
        if (p.per_trial) {
            p.lo /= f->scan.trials;
            p.start /= f->scan.trials;
            p.hi /= f->scan.trials;
        }
        if (!d->fix_likelihood) s->prior[at] = blni_hyper_of_param(&p, blni_glm_y_unit(f));
        if (d->likelihood_theta) p.start = d->likelihood_theta[k];
        const bln_param wide = blni_log_param(p.start, p.lo, p.hi);
        if (p.kind == BLN_PARAM_LOG) { p.lo = wide.lo; p.hi = wide.hi; }
        f->hyper.eta[k] = p.start;
        if (d->fix_likelihood) continue;
        BLNI_TRY(bln_param_check(&p, report));
        s->at[at] = f->hyper.eta + k;
        s->slope[at] = f->slope.eta + k;
        s->param[at++] = p;
    }
    if (n_theta && f->scan.d && !d->fix_theta) BLNI_TRY(blni_moments_check(&moments, report));
    for (size_t k = 0, v = 0, of = 0; k < n_theta; k++, of++) {
        while (of == blni_glm_basis_of(d, v)->n_theta) { v++; of = 0; }
        bln_basis_param(blni_glm_basis_of(d, v), of, f->scan.d ? &moments : NULL, &p);
        if (d->theta) p.start = d->theta[k];
        f->hyper.theta[k] = p.start;
        if (d->fix_theta) continue;
        BLNI_TRY(bln_param_check(&p, report));
        s->at[at] = f->hyper.theta + k;
        s->slope[at] = f->slope.theta + k;
        s->param[at++] = p;
    }
    return BLN_OK;
}

/* Where the prior variance of slice t would start by itself. */
BLNI_PRIV double blni_glm_start_prior(const blni_glm_fit *f, const double *square, size_t t)
{
    const size_t j = f->rows.slice[t].latent, slices = blni_priors(blni_glm_basis_of(&f->desc, j), f->desc.per_weight);
    const double start = square[j]/((f->norm[t] > 0.0 ? f->norm[t] : 1.0)*(double)slices);
    return blni_finite(f->norm[t]) ? start : BLNI_NAN;
}

/* Of the prior variance of slice t. The first latent of a real y is its mean. */
BLNI_PRIV blni_hyper_prior blni_glm_prior_of(const blni_glm_fit *f, size_t t)
{
    const blni_glm_slice *slice = f->rows.slice + t;
    const double unit = !f->desc.likelihood.ops->discrete && slice->latent == 0 ? blni_glm_y_unit(f) : 1.0;
    const size_t active = blni_prior_active(blni_glm_basis_of(&f->desc, slice->latent), f->desc.per_weight, slice->slice);
    const double square = f->norm[t]/(double)active;
    return blni_hyper_of_prior_var(square > 0.0 ? unit/sqrt(square) : unit, f->desc.per_weight);
}

/* f->hyper where it starts, and search.param. Latents that share a prior variance start at the mean of theirs. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_starts(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const size_t priors = blni_glm_priors(d), slices = blni_glm_slices(d), share = slices/blni_max(priors, 1);
    double square[BLN_LATENTS];
    size_t k = 0;
    BLNI_TRY(blni_glm_start_rest(f, report));
    BLNI_TRY(blni_glm_sizes(f, square, report));
    for (size_t s = 0; s < priors; s++) {
        double start = 0.0;
        for (size_t t = s; t < slices; t += share > 1 ? priors : slices) start += blni_glm_start_prior(f, square, t);
        if (share > 1) start /= (double)share;
        if (!(start > 0.0)) return blni_refuse(report, BLN_ENUMERIC, "glm: squares of features overflow; scale the inputs");
        f->hyper.prior_var[s] = d->prior_var && d->prior_var[s] > 0.0 ? d->prior_var[s] : start;
        if (!blni_glm_learns_prior(d, s)) continue;
        f->search.at[k] = f->hyper.prior_var + s;
        f->search.slope[k] = f->slope.prior_var + s;
        f->search.param[k] = blni_log_param(f->hyper.prior_var[s], 1e-12*start, 1e24*start);
        f->search.prior[k++] = blni_glm_prior_of(f, s);
    }
    return BLN_OK;
}

/* f->hyper at a point that is given. */
BLNI_PRIV bln_status blni_glm_point(blni_glm_fit *f, const double *prior_var, const double *eta, const double *theta,
                                    bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const int flat_ok = blni_glm_can(f->method, &f->own, BLNI_CAN_FLAT);
    for (size_t s = 0; s < blni_glm_priors(d); s++) {
        if (!(prior_var[s] > 0.0) || (!flat_ok && blni_flat(prior_var[s])))
            return blni_refuse(report, BLN_EDOMAIN,
                               flat_ok ? "glm: prior variances must be > 0" : "glm: prior variances must be > 0, and not flat");
        f->hyper.prior_var[s] = prior_var[s];
    }
    if (d->likelihood.n_theta) {
        if (!eta || !blni_eta_usable(&d->likelihood, eta))
            return blni_refuse(report, BLN_EDOMAIN, "glm: likelihood_theta outside its domain, or NULL");
        memcpy(f->hyper.eta, eta, d->likelihood.n_theta*sizeof *eta);
    }
    if (blni_glm_thetas(d)) {
        if (!theta || !blni_glm_theta_usable(d, theta))
            return blni_refuse(report, BLN_EDOMAIN, "glm: theta outside its domain, or NULL");
        memcpy(f->hyper.theta, theta, blni_glm_thetas(d)*sizeof *theta);
    }
    return BLN_OK;
}
