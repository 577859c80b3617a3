/* slm_fit: learning hyper-parameters in steps.
 *
 * The first start goes through stages. Where no theta is learnt: fixed-point steps (see below), which cost one factorisation and no
 * line search. Where parameters form groups: a search with each group tied, in which a prior of relevance keeps the noise fixed.
 * Last comes the full search by L-BFGS. Further starts have this stage only. Where fixed-point steps are the chosen optimiser, they
 * are the only stage of every start. Each stage begins where the one before ended; the steps of all count towards one limit. */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../math/vecmath_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

enum { BLNI_FIXED_STEPS = 100 };

BLNI_PRIV size_t blni_fit_count_free(const bln_slm_desc *d)
{
    const size_t theta = d->fix_theta ? 0 : d->basis->n_theta;
    size_t prior = 0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) prior += (size_t)blni_learns_prior(d, s);
    return blni_add(d->fix_noise_var || d->relative_prior ? 0 : 1, blni_add(prior, theta));
}

/* Fixed-point steps to the end. */
BLNI_PRIV int blni_fit_by_fixed_points(const blni_slm_fit *f) { return f->desc.optimiser != BLN_SLM_LBFGS; }

/* The first stage only has to find the neighbourhood. */
BLNI_PRIV blni_lbfgs_desc blni_fit_search(const bln_slm_desc *d, size_t n, int tied, blni_slm_fit *f)
{
    blni_lbfgs_desc s = BLN_ZERO;
    s.n = n;
    s.max_iterations = tied ? blni_min(d->max_iterations, 30) : d->max_iterations;
    s.progress_tol = tied ? (d->tolerance > 1e-4 ? d->tolerance : 1e-4) : d->tolerance;
    s.gradient_tol = d->tolerance < 1e-6 ? d->tolerance : 1e-6;      /* a variance on its way to 0 has yet to gain its gradient */
    s.objective = blni_fit_objective;
    s.user = f;
    s.alloc = d->alloc;
    return s;
}

/* Carves the struct first, then its arrays. The sizing pass has no block, so the caller supplies *f. */
BLNI_PRIV blni_slm_fit *blni_fit_carve(blni_arena *a, const bln_slm_desc *d, blni_slm_fit *f)
{
    const size_t n_free = blni_fit_count_free(d), n_theta = d->basis->n_theta, priors = blni_priors(d->basis, d->per_weight);
    blni_slm_fit *carved = (blni_slm_fit *)blni_carve(a, 1, sizeof *f);
    if (carved) f = carved;
    f->param = (bln_param *)blni_carve(a, n_free, sizeof(bln_param));
    BLNI_CARVE4(a, n_free, f->x0, f->x, f->base, f->best_x);
    BLNI_CARVE2(a, n_free, f->trial, f->zero);
    f->tie = (size_t *)blni_carve(a, n_free, sizeof(size_t));
    f->natural = (double **)blni_carve(a, n_free, sizeof(double *));
    f->d_prior = blni_carve_doubles(a, priors);
    f->d_theta = blni_carve_doubles(a, n_theta);
    f->square = blni_carve_doubles(a, d->per_weight ? priors : 0);
    f->hyper.prior_var = blni_carve_doubles(a, priors);
    f->hyper.theta = blni_carve_doubles(a, n_theta);
    return carved;
}

BLNI_ONCE BLNI_PRIV bln_status blni_fit_create(const bln_allocator *alloc, const bln_slm_desc *desc, blni_slm_fit **out,
                                               bln_report *report)
{
    blni_slm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_fit_carve(&a, desc, &sizes);
    BLNI_TRY(blni_arena_take(alloc, a.used, "slm", &a, report));
    memset(a.base, 0, a.size);
    blni_slm_fit *f = *out = blni_fit_carve(&a, desc, NULL);
    f->block = a.base;
    f->bytes = a.size;
    f->desc = *desc;
    f->n_free = blni_fit_count_free(desc);
    f->free_noise = !desc->fix_noise_var && !desc->relative_prior;
    f->free_theta = !desc->fix_theta && desc->basis->n_theta > 0;
    f->best = -HUGE_VAL;
    f->processes = blni_processes_of(desc->allreduce, desc->allreduce_user);
    return BLN_OK;
}

BLNI_ONCE BLN_API void bln_slm_abandon(bln_slm *slm)
{
    blni_slm_fit *f = slm ? slm->fit : NULL;
    if (!f) return;
    blni_processes_leave(&f->processes);
    slm->fit = NULL;
    blni_lbfgs_free(f->opt);
    blni_lbfgs_free(f->opt_tied);
    blni_scan_free(&slm->alloc, &f->scan);
    blni_release(&slm->alloc, f->rows_block, f->rows_bytes);
    blni_release(&slm->alloc, f->block, f->bytes);
}

BLNI_PRIV bln_status blni_fit_search_from_base(blni_slm_fit *f, int tied, bln_report *report)
{
    f->tied = tied;
    return blni_lbfgs_init(tied ? f->opt_tied : f->opt, f->zero, report);
}

/* Flat weights only: RSS does not depend on sigma^2, and the evidence is largest at RSS/(N - p). */
BLNI_PRIV bln_status blni_fit_least_squares(blni_slm_fit *f, bln_report *report)
{
    double value;
    const double freedom = (f->scan.N - (double)f->e.D)*(double)f->e.P, square = blni_mean_of(f->scan.P, f->scan.y_square);
    if (!(freedom > 0.0))
        return blni_refuse(report, BLN_EUNDEFINED,
                           "data: no more rows than weights with flat priors, so the noise variance cannot be learnt; fix it");
    f->hyper.noise_var = square > 0.0 ? square : 1.0;
    BLNI_TRY(blni_slm_value(&f->e, &f->hyper, &value, report));
    if (!(f->e.rss > 0.0) && !f->e.gram.exact)
        return blni_refuse(report, BLN_EUNDEFINED,
                           "data: a perfect fit as far as doubles can see; fix the noise variance, or use exact arithmetic");
    f->hyper.noise_var = f->e.rss > 0.0 ? f->e.rss/freedom : 0.0;
    f->evaluations++;
    f->n_free = 0;
    f->free_noise = 0;
    f->done = 1;
    return BLN_OK;
}

/* Is there a variance in every output whose noise is to be learnt? With flat priors only, a constant is no problem. A variance
 * below DBL_MIN has lost digits: of targets that differ by less than 1e-154 or so. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_check_targets(const blni_slm_fit *f, bln_report *report)
{
    const blni_slm_scan *s = &f->scan;
    const char *why = "data: all targets are equal, or differ so little that squares underflow (by 1e-154), so the noise variance "
                      "cannot be learnt; fix it, or scale y";
    const int shared = f->desc.sigma == BLN_SLM_SHARED || s->P == 1;
    if ((!f->free_noise && !f->e.sigma.profile) || blni_all_flat(&f->desc)) return BLN_OK;
    if (shared && blni_mean_of(s->P, s->y_var) >= DBL_MIN) return BLN_OK;
    if (shared) return blni_refuse(report, BLN_EUNDEFINED, why);
    for (size_t p = 0; p < s->P; p++)
        if (!(s->y_var[p] >= DBL_MIN)) return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, s->d + p, why);
    return BLN_OK;
}

/* Everything after rows or statistics are at hand: first start, closed form or optimiser. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_start(blni_slm_fit *f, bln_report *report)
{
    const int least_squares = f->free_noise && f->n_free == 1 && blni_all_flat(&f->desc);
    bln_status status = blni_fit_check_targets(f, report);
    if (status == BLN_OK) status = blni_fit_first_start(f, report);
    if (status == BLN_OK && least_squares) return blni_fit_least_squares(f, report);
    if (status == BLN_OK && f->e.form == BLN_SLM_PRIMAL && (f->desc.prior_var || f->e.sigma.profile)) {
        /* Dependent features with flat priors, and dependent outputs, fail wherever the search goes; say so before it begins. */
        double value;
        status = blni_slm_value(&f->e, &f->hyper, &value, report);
        if (status == BLN_ENOTPD && f->e.n_flat == 0) status = BLN_OK;
    }
    if (status != BLN_OK) return status;
    if (f->n_free == 0) { f->done = 1; return BLN_OK; }
    if (!blni_fit_by_fixed_points(f)) {
        const blni_lbfgs_desc search = blni_fit_search(&f->desc, f->n_free, 0, f);
        const blni_lbfgs_desc search_tied = blni_fit_search(&f->desc, f->n_tied, 1, f);
        status = blni_lbfgs_create(&search, &f->opt, report);
        if (status == BLN_OK && f->n_tied < f->n_free) status = blni_lbfgs_create(&search_tied, &f->opt_tied, report);
        if (status != BLN_OK) return status;
    }
    if (!f->desc.warm_start) {
        BLNI_TRY(blni_fit_scan_scales(f, report));
        memcpy(f->base, f->x0, f->n_free*sizeof *f->base);
    }
    f->fixed_point = blni_fit_by_fixed_points(f) || (!f->free_theta && !f->relevance);   /* their steps know no prior */
    return f->fixed_point ? BLN_OK : blni_fit_search_from_base(f, f->opt_tied && !f->desc.warm_start, report);
}

/* A fresh fit in slm->fit, with the model's desc or that of a fit from statistics. */
BLNI_PRIV bln_status blni_fit_new(bln_slm *slm, const bln_slm_desc *desc, bln_report *report)
{
    bln_slm_abandon(slm);
    slm->abandon = bln_slm_abandon;
    return blni_fit_create(&slm->alloc, desc, &slm->fit, report);
}

BLNI_PRIV bln_status blni_fit_check(const bln_slm *slm, const bln_source *source, const bln_data *data, bln_report *report)
{
    if (!source && !data) return blni_refuse(report, BLN_EINVAL, "slm: model or data is NULL");
    if (source && (!source->reset || !source->next)) return blni_refuse(report, BLN_EINVAL, "source: reset or next is NULL");
    if (!blni_basis_fits(slm->desc.basis, data ? data->d : source->d))
        return blni_refuse_columns(report, "slm", data ? data->d : source->d, slm->desc.basis->d);
    return BLN_OK;
}

/* A fit with the rows at hand, which is nowhere yet. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_open(bln_slm *slm, const bln_source *source, const bln_data *data, bln_report *report)
{
    bln_status status = blni_fit_check(slm, source, data, report);
    if (status == BLN_OK) status = blni_fit_new(slm, &slm->desc, report);
    if (status != BLN_OK) {                                  /* before there is a fit that could say so */
        blni_processes processes = blni_processes_of(slm->desc.allreduce, slm->desc.allreduce_user);
        blni_processes_leave(&processes);
        return status;
    }
    blni_slm_fit *f = slm->fit;
    f->source = data ? bln_source_of(data, &f->reader) : *source;
    BLNI_TRY(blni_scan(slm, &f->source, &f->processes, &f->scan, report));
    const int counted = data || f->desc.form == BLN_SLM_DUAL;          /* else a source is read once more, not gathered */
    return blni_evidence_open(slm, &f->source, &f->desc, counted ? f->scan.n : BLN_NONE, &f->scan, &f->e, &f->rows_block,
                              &f->rows_bytes, report);
}

BLNI_PRIV bln_status blni_fit_begin(bln_slm *slm, const bln_source *source, const bln_data *data, bln_report *report)
{
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: model or data is NULL"));
    bln_status status = blni_fit_open(slm, source, data, report);
    if (status == BLN_OK) status = blni_fit_start(slm->fit, report);
    if (status != BLN_OK) bln_slm_abandon(slm);
    return status;
}

/* The scan that rows with these statistics would have given, as far as a fit at fixed theta asks: moments of the inputs do not
 * count there. */
BLNI_PRIV bln_status blni_scan_of(const bln_slm *slm, const bln_statistics *t, blni_slm_scan *s, bln_report *report)
{
    const blni_gram *g = &t->gram;
    BLNI_TRY(blni_scan_create(&slm->alloc, 0, g->P, s, report));
    s->mean = s->sd = NULL;
    s->d = t->basis->d;
    s->N = g->N;
    s->ld = g->ld;
    s->omega = g->omega;
    for (size_t p = 0; p < g->P; p++) {
        s->y_square[p] = g->omega > 0.0 ? blni_gram_square(g, g->D + p)/g->omega : 0.0;
        s->y_var[p] = blni_gram_target_variance(g, p);
    }
    return BLN_OK;
}

/* The workspace of a fit without rows: the Gram matrix is the statistics' own. */
BLNI_PRIV bln_status blni_evidence_lend(bln_slm *slm, const bln_statistics *t, blni_slm_fit *f, bln_report *report)
{
    blni_evidence_for(&f->desc, NULL, &f->scan, &f->e);
    f->e.form = BLN_SLM_PRIMAL;
    f->e.block = 1;
    f->e.gram = t->gram;
    f->e.lent = 1;
    BLNI_TRY(blni_evidence_room(&slm->alloc, &f->e, &f->rows_block, &f->rows_bytes, report));
    blni_evidence_same_theta(&f->e, t->theta);
    return blni_evidence_sigma(&f->e, &f->desc, report);
}

BLN_API bln_status bln_slm_init(bln_slm *slm, const bln_data *data, bln_report *report)
{
    return blni_fit_begin(slm, NULL, data, report);
}

BLN_API bln_status bln_slm_init_source(bln_slm *slm, const bln_source *source, bln_report *report)
{
    return blni_fit_begin(slm, source, NULL, report);
}

BLNI_NOINLINE BLNI_PRIV void blni_fit_report(const blni_slm_fit *f, bln_report *report)
{
    if (!report) return;
    bln_report_clear(report);                               /* of what a point was refused for on the way */
    report->iterations = f->iterations;
    report->evaluations = f->evaluations;
    report->objective = f->best;
    report->gradient_norm = f->best_gradient;
    report->jitter = f->e.tau;
    report->condition = f->e.condition;
    report->stop = f->stop;
}

/* ---- fixed-point steps: updates of the noise and prior variances, without gradients or a line search
 *
 * From the posterior N(m, C) at the old values: RSS = sum omega_n (y_n - phi_n'm)^2, gamma_i = 1 - C_ii/lambda_i (how far the data
 * determine weight i), gamma their sum, and for a slice s of D_s weights m_s'm_s and gamma_s:                 [linear 30-32]
 *
 *     MACKAY   sigma^2 <- RSS/(N - gamma),             lambda_s <- m_s'm_s/gamma_s
 *     EM       sigma^2 <- (RSS + sigma^2 gamma)/N,     lambda_s <- (m_s'm_s + sum_s C_ii)/D_s
 *     MM       the geometric means of the old values and MacKay's
 *
 * All have the zeros of the evidence's gradient as their fixed points. MacKay's is fast, but no proof says that the
 * evidence rises; with EM and MM it cannot fall, all variances updated together or only some. EM is slow, and never gets to 0.
 *     [MacKay 1992; Bishop 2006, (3.92), (3.95), (9.62), (9.63); after Wipf & Nagarajan 2007, NIPS 20] */

/* The new sigma^2. N: sum of the weights of the rows, > 0. Where nothing is left to learn it from, N - gamma <= 0, it stays
 * (MacKay, MM). */
BLNI_PRIV double blni_fixed_point_noise_var(bln_slm_optimiser rule, double noise_var, double N, double rss, double gamma)
{
    if (rule == BLN_SLM_EM) return (rss + noise_var*gamma)/N;
    const double mackay = N > gamma ? rss/(N - gamma) : noise_var;
    return rule == BLN_SLM_MM ? sqrt(mackay)*sqrt(noise_var) : mackay;
}

/* The new lambda_s of a slice of n >= 1 weights, lambda_s finite. mm: sum of their m_i^2; gamma: of their gamma_i [linear 8],
 * not 0 by rounding; sum C_ii = lambda_s (n - gamma). gamma <= 0 switches the slice off: 0 (MacKay, MM). */
BLNI_PRIV double blni_fixed_point_prior_var(bln_slm_optimiser rule, double prior_var, size_t n, double mm, double gamma)
{
    if (rule == BLN_SLM_EM) return (mm + prior_var*((double)n - gamma))/(double)n;
    const double mackay = gamma > 0.0 ? mm/gamma : 0.0;
    return rule == BLN_SLM_MM ? sqrt(mackay)*sqrt(prior_var) : mackay;
}

/* One fixed-point step of all variances together, from the gamma_i and RSS of the present point; P outputs count as P N rows, with
 * m_i C^-1 m_i' for m_i^2. What features miss, which goes with lambda_s/sigma^2, adds to the residuals, and to what is
 * determined of a slice. */
BLNI_PRIV void blni_fixed_point(const blni_slm_fit *f, bln_slm_optimiser rule, const blni_hyper *from, double *x)
{
    const blni_evidence *e = &f->e;
    const double P = (double)e->P;
    const double rss = e->rss + 2.0*P*e->missed_sum*from->noise_var;
    double gamma = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < e->D; i++) gamma += e->gamma[i];
    if (f->free_noise) {
        x[k] = bln_param_free(f->param + k, blni_fixed_point_noise_var(rule, from->noise_var, P*e->scan->N, rss, P*gamma));
        k++;
    }
    for (size_t s = 0; s < blni_priors(e->basis, e->per_weight); s++) {
        const size_t first = blni_prior_first(e->basis, e->per_weight, s), end = blni_prior_first(e->basis, e->per_weight, s + 1);
        double mm = 0.0, determined = e->per_weight ? 0.0 : 2.0*P*e->missed[s];
        if (!blni_learns_prior(&f->desc, s)) continue;
        for (size_t i = first; i < end; i++) {
            mm += blni_sigma_norm(&e->sigma, e->m + i*e->P);
            determined += P*e->gamma[i];
        }
        const double v = blni_fixed_point_prior_var(rule, from->prior_var[s], (end - first)*e->P, mm, determined);
        x[k] = bln_param_free(f->param + k, v);
        k++;
    }
}

/* x is where a step of the present start has ended, with this objective: the best so far? */
BLNI_PRIV void blni_fit_keep(blni_slm_fit *f, const double *x, double objective, double gradient_norm)
{
    f->last.objective = objective;
    f->last.gradient_norm = gradient_norm;
    if (!(objective >= f->best)) return;
    f->best = objective;
    f->best_gradient = gradient_norm;
    f->best_start = f->start;
    memcpy(f->best_x, x, f->n_free*sizeof *x);
}

/* Value and gamma_i at x, with its slope in trial: what a fixed-point step starts from. f->sloped is 0 if x is not usable. */
BLNI_PRIV bln_status blni_fit_fixed_base(blni_slm_fit *f, const double *x, bln_report *report)
{
    bln_status status = blni_fit_evaluate(f, x, &f->base_value, report);
    f->sloped = status == BLN_OK && f->evaluated;
    if (f->sloped) status = blni_fit_slope(f, f->trial, report);
    return status;
}

/* Has a search by fixed-point steps alone ended, at base? The tests of blni_lbfgs; a step of a slow rule gains little far from the
 * end, so that what the steps to come would gain at the present rate counts too: gain (r + r^2 + ...), r = gain/the one before. */
BLNI_PRIV bln_stop blni_fit_fixed_stop(blni_slm_fit *f, double gain, double gradient)
{
    const blni_lbfgs_desc test = blni_fit_search(&f->desc, f->n_free, 0, f);
    const double size = fabs(f->base_value) > 1.0 ? fabs(f->base_value) : 1.0;
    const double rate = f->gain > 0.0 ? gain/f->gain : 1.0, left = rate < 1.0 ? gain/(1.0 - rate) : HUGE_VAL;
    f->slow = left <= test.progress_tol*size ? f->slow + 1 : 0;
    f->gain = gain;
    return gradient <= test.gradient_tol*sqrt(size) ? BLN_STOP_GRADIENT : f->slow >= 2 ? BLN_STOP_PROGRESS : BLN_STOP_NONE;
}

/* EM takes a slice that the evidence wants at 0 there by steps like 1/k, so that all the rest waits for it. Where steps have become
 * slow, the slices of which the data say little (gamma below a twentieth) and that want to be smaller (f->trial is the slope) are
 * tried at the lower end of their range, all at once, and stay there if that is uphill: *value is the new one then. (EM has no way
 * back from there; of 6000 fits to 25 rows with four slices none wanted one.) */
BLNI_PRIV bln_status blni_fit_switch_off(blni_slm_fit *f, double *value, bln_report *report)
{
    const blni_evidence *e = &f->e;
    size_t k = (size_t)(f->free_noise != 0);
    double there = HUGE_VAL;
    int any = 0;
    for (size_t i = 0; i < k; i++) f->trial[i] = f->base[i];
    for (size_t s = 0; s < blni_priors(e->basis, e->per_weight); s++) {
        const size_t first = blni_prior_first(e->basis, e->per_weight, s), end = blni_prior_first(e->basis, e->per_weight, s + 1);
        double determined = 0.0;
        if (!blni_learns_prior(&f->desc, s)) continue;
        const double low = bln_param_free(f->param + k, 0.0);
        for (size_t i = first; i < end; i++) determined += e->gamma[i];
        const int off = f->base[k] > low && f->trial[k] > 0.0 && determined < 0.05*(double)(end - first);
        f->trial[k] = off ? low : f->base[k];
        any = any || off;
        k++;
    }
    if (!any) return BLN_OK;
    BLNI_TRY(blni_fit_evaluate(f, f->trial, &there, report));
    if (there < *value) {
        *value = there;
        memcpy(f->base, f->x, f->n_free*sizeof *f->base);
        f->gain = 0.0;
        f->slow = 0;
    }
    return blni_fit_fixed_base(f, f->base, report);
}

/* After a step of a search by fixed-point steps alone to f->base, from `old` to *value: has it ended? EM tries to switch slices off
 * at its steps 8, 16, 32, ..., as long as a step gains nearly as much as the one before. */
BLNI_PRIV bln_status blni_fit_fixed_end(blni_slm_fit *f, double old, double *value, double *gradient, bln_stop *stop,
                                        bln_report *report)
{
    const size_t step = f->steps + 1;
    const int slow = old - *value > 0.8*f->gain;
    const bln_status status = blni_fit_fixed_base(f, f->base, report);
    if (BLNI_NEVER(status != BLN_OK)) return status;         /* base was evaluated last, and without theta no slope asks for rows */
    *stop = blni_fit_fixed_stop(f, old - *value, blni_max_abs(f->n_free, f->trial));
    if (*stop == BLN_STOP_NONE && f->desc.optimiser == BLN_SLM_EM && slow && step >= 8 && (step & (step - 1)) == 0)
        BLNI_TRY(blni_fit_switch_off(f, value, report));
    *gradient = blni_max_abs(f->n_free, f->trial);
    return BLN_OK;
}

/* A fixed-point step from f->base: MacKay's, or where the evidence falls the cautious MM; or the one of the optimiser. As a first
 * stage it ends when little is gained. *stop: as in the step of L-BFGS. */
BLNI_PRIV bln_status blni_fit_fixed_step(blni_slm_fit *f, bln_stop *stop, bln_report *report)
{
    const int alone = blni_fit_by_fixed_points(f), rules = f->desc.optimiser <= BLN_SLM_MACKAY ? 2 : 1;
    double value = HUGE_VAL, gradient = BLNI_NAN;
    if (!f->sloped) BLNI_TRY(blni_fit_fixed_base(f, f->base, report));
    *stop = BLN_STOP_PROGRESS;
    if (!f->sloped) return alone ? blni_evidence_overflow(&f->e, f->hyper.theta, report) : BLN_OK;     /* else L-BFGS reports it */
    const double old = f->base_value;
    if (f->gain == 0.0) blni_fit_keep(f, f->base, -old - f->unit, alone ? blni_max_abs(f->n_free, f->trial) : BLNI_NAN);
    for (int k = 0; k < rules && !(value < old); k++) {
        const bln_slm_optimiser rule = k ? BLN_SLM_MM : alone ? f->desc.optimiser : BLN_SLM_MACKAY;
        if (k) BLNI_TRY(blni_fit_fixed_base(f, f->base, report));      /* the first try has overwritten it */
        blni_fixed_point(f, rule, &f->hyper, f->trial);
        BLNI_TRY(blni_fit_evaluate(f, f->trial, &value, report));
    }
    f->sloped = 0;
    if (!(value < old)) return BLN_OK;
    memcpy(f->base, f->x, f->n_free*sizeof *f->base);
    if (alone) {
        BLNI_TRY(blni_fit_fixed_end(f, old, &value, &gradient, stop, report));
    } else {
        const int ended = old - value <= 1e-4*(fabs(value) > 1.0 ? fabs(value) : 1.0) || ++f->fixed_steps >= BLNI_FIXED_STEPS;
        f->gain = old - value;
        *stop = ended ? BLN_STOP_PROGRESS : BLN_STOP_NONE;
    }
    blni_fit_keep(f, f->base, -value - f->unit, gradient);
    return BLN_OK;
}

/* The present start has ended: on to the next that is usable. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_next_start(blni_slm_fit *f, bln_stop stop, bln_report *report)
{
    if (f->best_start == f->start) f->stop = stop;
    f->tied = 0;
    f->fixed_point = blni_fit_by_fixed_points(f);
    f->sloped = 0;
    f->gain = 0.0;
    f->steps = f->slow = 0;
    while (++f->start < f->desc.starts) {
        bln_status status = blni_fit_random_start(f, report);
        if (status == BLN_OK && !f->fixed_point) status = blni_fit_search_from_base(f, 0, report);
        if (status == BLN_OK) return BLN_OK;
        if (status != BLN_ENUMERIC || f->e.source_failed) return status;
    }
    f->done = 1;
    return BLN_OK;
}

/* A step of L-BFGS. *stop: why the stage has ended, BLN_STOP_NONE if it has not. */
BLNI_PRIV bln_status blni_fit_search_step(blni_slm_fit *f, bln_stop *stop, bln_report *report)
{
    bln_report inner;
    bln_report_clear(&inner);
    blni_lbfgs *opt = f->tied ? f->opt_tied : f->opt;
    f->walled = 0;
    const bln_status status = blni_lbfgs_step(opt, &inner);
    if (status != BLN_OK) { if (report) *report = inner; return status; }
    blni_lbfgs_converged(opt, stop);
    blni_fit_expand(f, blni_lbfgs_x(opt), f->trial);
    blni_fit_keep(f, f->trial, -blni_lbfgs_value(opt) - f->unit, inner.gradient_norm);
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_slm_step(bln_slm *slm, bln_report *report)
{
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: model is NULL"));
    blni_slm_fit *f = slm->fit;
    if (!f) return blni_refuse(report, BLN_ESTATE, "slm: step without init");
    if (f->done) { blni_fit_report(f, report); return BLN_OK; }
    if (f->processes.over) return blni_refuse(report, BLN_EPEER, "slm: a process has ended this fit; abandon it");

    const int first_stage = f->tied || (f->fixed_point && !blni_fit_by_fixed_points(f));
    bln_stop stop = BLN_STOP_NONE;
    bln_status status = f->fixed_point ? blni_fit_fixed_step(f, &stop, report) : blni_fit_search_step(f, &stop, report);
    if (status != BLN_OK) { blni_processes_leave(&f->processes); return status; }
    f->iterations++;
    f->steps++;
    f->last.start = f->start;
    f->last.iteration = f->iterations;
    f->last.evaluations = f->evaluations;
    f->last.best = f->best;
    const int ended = stop != BLN_STOP_NONE;
    if (f->steps >= f->desc.max_iterations && (first_stage || !ended)) status = blni_fit_next_start(f, BLN_STOP_LIMIT, report);
    else if (ended && first_stage) {
        if (f->tied) memcpy(f->base, f->trial, f->n_free*sizeof *f->base);
        f->fixed_point = 0;
        status = blni_fit_search_from_base(f, 0, report);
    } else if (ended) status = blni_fit_next_start(f, stop, report);
    if (status == BLN_OK) blni_fit_report(f, report);
    else blni_processes_leave(&f->processes);
    return status;
}

BLN_API int bln_slm_converged(const bln_slm *slm) { return !slm || !slm->fit || slm->fit->done; }

/* Did the search climb towards a full Sigma that is not defined, where the evidence has no end? Its last step then met points where
 * there was none, and its best point is near them. */
BLNI_PRIV int blni_fit_lost(const blni_slm_fit *f)
{
    const blni_slm_noise *s = &f->e.sigma;
    return s->profile && s->kind == BLN_SLM_CORRELATED && s->P > 1 && f->walled && s->margin < 1e3;
}

/* The posterior at the best point so far, in all processes or in none. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_posterior(blni_slm_fit *f, blni_slm_result *r, bln_report *report)
{
    blni_fit_natural(f, f->best_x);
    bln_status status = f->e.form == BLN_SLM_DUAL ? blni_dual_posterior(&f->e, &f->hyper, r, report)
                      : f->e.gram.exact ? blni_exact_posterior(&f->e, &f->hyper, r, report)
                                        : blni_primal_posterior(&f->e, &f->hyper, r, report);
    if (status == BLN_OK && blni_fit_lost(f)) status = blni_sigma_dependent(f->scan.d + f->e.sigma.nearest, report);
    if (status == BLN_OK && !blni_evidence_perfect(&f->e) && !blni_finite(blni_evidence_total(&f->e))) status = BLN_ENUMERIC;
    if (status != BLN_OK && report && !report->text[0])
        blni_refuse(report, status, "slm: the posterior overflows at these hyper-parameters; scale the data");
    r->evidence = blni_evidence_total(&f->e);
    return blni_processes_agree(&f->processes, status, 'e', 1, &r->evidence, report);
}

/* Room for the posterior, and its arrays. */
BLNI_PRIV bln_status blni_fit_room(bln_slm *slm, blni_slm_result *r, bln_report *report)
{
    const blni_evidence *e = &slm->fit->e;
    blni_slm_shape shape;
    memset(r, 0, sizeof *r);
    r->P = e->P;
    blni_slm_shape_of(&slm->desc.basis, r->P, e->form == BLN_SLM_DUAL, e->n, &shape);
    BLNI_TRY(blni_store_create(&slm->alloc, &shape.q, "slm", &r->store, report));
    const bln_group *g = r->store->q.groups;
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    r->theta = blni_store_own(g->theta);
    r->cov = blni_store_own(g->eta);
    r->lambda = blni_store_own(g->residual);
    r->m = blni_store_own(v->m);
    r->s = blni_store_own(v->s);
    r->R = blni_store_own(v->R);
    r->T = blni_store_own(v->T);
    r->sd = blni_store_own(v->sd);
    r->flat = (size_t *)(uintptr_t)v->flat;
    return BLN_OK;
}

/* Sigma_pq over the noise variance of m, s and R; a perfect fit of one output has 0/0. */
BLNI_PRIV double blni_fit_ratio(const blni_slm_result *r, double noise_var, size_t p, size_t q)
{
    return noise_var > 0.0 ? r->cov[blni_min(p, q)*r->P + blni_max(p, q)]/noise_var : (double)(p == q);
}

/* The model's posterior from now on: one output has its noise in s, several share s and have it in T. */
BLNI_PRIV void blni_fit_settle(bln_slm *slm, const blni_slm_result *r)
{
    const blni_slm_fit *f = slm->fit;
    const bln_basis *b = slm->desc.basis;
    bln_posterior *q = &r->store->q;
    bln_group *g = (bln_group *)(uintptr_t)q->groups;
    bln_gaussians *v = (bln_gaussians *)(uintptr_t)g->view;
    const double one = blni_fit_ratio(r, f->hyper.noise_var, 0, 0);
    for (size_t i = 0; i < r->P*r->P && r->T; i++) r->T[i] = blni_fit_ratio(r, f->hyper.noise_var, i/r->P, i % r->P);
    if (!blni_residual_of(b, r->s, r->P, r->T ? r->T : &one, r->lambda)) g->residual = NULL;
    for (size_t i = 0; i < b->D && !r->T; i++) r->s[i] *= sqrt(one);
    for (size_t i = 0; i < b->n_theta; i++) r->theta[i] = f->hyper.theta[i];
    for (size_t i = 0; i < bln_slm_priors(slm); i++) slm->prior_var[i] = f->hyper.prior_var[i];
    v->n_flat = blni_flat_weights(b, slm->desc.per_weight, slm->prior_var, r->flat);
    if (!r->has_sd) v->sd = NULL;
    q->rows = f->scan.N;
    blni_store_free(slm->store);
    slm->store = r->store;
    slm->evidence = r->evidence;
    blni_slm_show(slm);
}

/* Did v end at the lower (-1) or upper end (1) of its range, as far as a search gets there? */
BLNI_PRIV int blni_fit_end(const bln_param *p, double v)
{
    if (p->kind == BLN_PARAM_LOG) return v < 1.001*p->lo ? -1 : v > p->hi/1.001;
    const double near_end = 1e-6*(p->hi - p->lo);
    return p->kind != BLN_PARAM_INTERVAL ? 0 : v - p->lo < near_end ? -1 : p->hi - v < near_end;
}

/* Is the noise at an end of its range? The reason is put into `out`. */
BLNI_PRIV int blni_fit_noise_end(const blni_slm_fit *f, bln_report *out)
{
    const int end = f->free_noise ? blni_fit_end(f->param, f->hyper.noise_var) : 0;
    const int low = end < 0 || (f->e.sigma.profile && f->e.sigma.bounded);
    if (!low && end == 0) return 0;
    blni_refuse(out, BLN_OK, low
              ? "slm: the noise variance ended at the lower end of its range, 1e-10 of the variance of y: the fit is perfect, "
                "or its weights fit the noise, and its intervals mean nothing; fix the noise variance, or give it fewer features"
              : "slm: the noise variance ended at the upper end of its range, 100 times the variance of y: look for what is "
                "wrong with the start or the weights of rows");
    return 1;
}

/* A prior variance at its upper end, or an element of theta at either, likewise. One at its lower end is switched off, which is a
 * result. */
BLNI_PRIV int blni_fit_other_end(const blni_slm_fit *f, bln_report *out)
{
    const bln_basis *b = f->desc.basis;
    char name[64];
    size_t k = (size_t)(f->free_noise != 0);
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight) && f->n_free; s++) {
        if (!blni_learns_prior(&f->desc, s)) continue;
        if (blni_fit_end(f->param + k++, f->hyper.prior_var[s]) <= 0) continue;
        bln_basis_feature_name(b, blni_prior_first(b, f->desc.per_weight, s), NULL, name, sizeof name);
        blni_refuse(out, BLN_OK, "slm: the prior variance of ");
        blni_say(out, name);
        blni_say(out, f->desc.per_weight ? "" : " and the weights after it");
        blni_say(out, " ended at the upper end of its range: nothing holds them; give them a flat prior, or scale the features");
        return 1;
    }
    for (size_t t = 0; t < b->n_theta && f->free_theta; t++, k++) {
        const int end = blni_fit_end(f->param + k, f->hyper.theta[t]);
        if (!end) continue;
        bln_basis_param_name(b, t, NULL, name, sizeof name);
        blni_refuse(out, BLN_OK, "slm: the basis parameter ");
        blni_say(out, name);
        blni_say(out, end < 0 ? " ended at the lower end of its range: the rows would have it smaller"
                              : " ended at the upper end of its range: the rows would have it larger");
        blni_say(out, "; give it another start, a smaller theta_sd, or leave its input out");
        return 1;
    }
    return 0;
}

BLNI_ONCE BLN_API bln_status bln_slm_finish(bln_slm *slm, bln_report *report)
{
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: model is NULL"));
    blni_slm_fit *f = slm->fit;
    if (!f) return blni_refuse(report, BLN_ESTATE, "slm: finish without init");
    if (f->processes.over) return blni_refuse(report, BLN_EPEER, "slm: a process has ended this fit; abandon it");
    blni_slm_result r;
    bln_status status = blni_fit_room(slm, &r, report);
    if (status == BLN_OK) status = blni_fit_posterior(f, &r, report);
    if (status != BLN_OK) {
        blni_store_free(r.store);
        blni_processes_leave(&f->processes);
        return status;
    }
    f->processes.over = 1;
    f->best = r.evidence - blni_fit_penalty(f, f->best_x, NULL);
    blni_fit_report(f, report);
    const int ended = f->stop != BLN_STOP_MONITOR
                   && (blni_fit_noise_end(f, report) || (f->stop != BLN_STOP_LIMIT && blni_fit_other_end(f, report)));
    if (ended && report) report->stop = BLN_STOP_BOUND;
    blni_fit_settle(slm, &r);
    bln_slm_abandon(slm);
    return BLN_OK;
}

/* ---- the loop over them */

BLNI_PRIV bln_status blni_fit_watch(const bln_slm *slm, bln_report *report)
{
    blni_slm_fit *f = slm->fit;
    bln_slm_progress p = f->last;
    p.starts = f->desc.starts;
    const bln_status own = slm->desc.monitor ? slm->desc.monitor(slm->desc.monitor_user, &p) : BLN_OK;
    return blni_processes_watch(&f->processes, own, p.objective, "slm: the monitor returned an error", report);
}

BLNI_PRIV bln_status blni_fit_run(bln_slm *slm, bln_status status, bln_report *report)
{
    while (status == BLN_OK && !bln_slm_converged(slm)) {
        status = bln_slm_step(slm, report);
        if (status != BLN_OK) break;
        status = blni_fit_watch(slm, report);
        if (status == BLN_ESTOPPED) {
            status = BLN_OK;
            slm->fit->stop = BLN_STOP_MONITOR;
            break;
        }
    }
    if (status == BLN_OK) status = bln_slm_finish(slm, report);
    if (status != BLN_OK) bln_slm_abandon(slm);
    return status;
}

BLNI_NOINLINE BLN_API bln_status bln_slm_fit(bln_slm *slm, const bln_data *data, bln_report *report)
{
    const bln_status status = bln_slm_init(slm, data, report);
    return slm ? blni_fit_run(slm, status, report) : status;
}

BLN_API bln_status bln_slm_fit_source(bln_slm *slm, const bln_source *source, bln_report *report)
{
    const bln_status status = bln_slm_init_source(slm, source, report);
    return slm ? blni_fit_run(slm, status, report) : status;
}

BLNI_ONCE BLN_API bln_status bln_slm_fit_statistics(bln_slm *slm, const bln_statistics *t, bln_report *report)
{
    BLNI_TRY(blni_begin(report, slm && t, "slm: model or statistics is NULL"));
    if (slm->desc.form == BLN_SLM_DUAL) return blni_refuse(report, BLN_EINVAL, "slm: statistics need the primal form");
    if (!blni_statistics_of(t, slm->desc.basis)) return blni_refuse(report, BLN_ESHAPE, "slm: the statistics are of another basis");
    if (slm->desc.n_outputs != t->gram.P)
        return blni_refuse(report, BLN_ESHAPE, "slm: the statistics have another number of outputs");
    if (!(t->gram.N > 0.0)) return blni_refuse(report, BLN_EINVAL, "slm: the statistics hold no rows");
    bln_slm_desc desc = slm->desc;
    desc.form = BLN_SLM_PRIMAL;
    desc.theta = t->theta;
    desc.fix_theta = 1;
    desc.allreduce = NULL;                                   /* the statistics are of all rows already */
    BLNI_TRY(blni_fit_new(slm, &desc, report));
    bln_status status = blni_scan_of(slm, t, &slm->fit->scan, report);
    if (status == BLN_OK) status = blni_evidence_lend(slm, t, slm->fit, report);
    if (status == BLN_OK) status = blni_fit_start(slm->fit, report);
    return blni_fit_run(slm, status, report);
}

BLN_API size_t bln_slm_fit_size(const bln_slm_desc *desc, size_t n)
{
    const bln_slm_desc d = bln_slm_defaults(desc);
    if (!d.basis) return (size_t)-1;
    const size_t n_free = blni_fit_count_free(&d);
    const blni_lbfgs_desc search = blni_fit_search(&d, n_free, 0, NULL);      /* twice: tied coordinates are at most as many */
    blni_slm_scan scan = BLN_ZERO;
    blni_arena a = blni_arena_over(NULL, 0);
    scan.n = n;
    scan.d = d.basis->d;
    scan.P = d.n_outputs;
    blni_scan_carve(&a, &scan);
    blni_evidence e;
    blni_evidence_for(&d, NULL, &scan, &e);
    blni_evidence_take(&e, &d, n);
    blni_evidence_carve(&a, &e);
    blni_slm_fit sizes;
    blni_fit_carve(&a, &d, &sizes);
    const size_t searches = n_free && d.optimiser == BLN_SLM_LBFGS ? blni_mul(2, blni_lbfgs_size(&search)) : 0;
    return blni_add(blni_add(a.used, searches), bln_slm_size(&d, n));
}
