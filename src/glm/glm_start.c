/* glm_start: where a search begins.
 *
 * That for a mixture first looks for the mode at the starts of the hyper-parameters, by L-BFGS on w_i/sqrt(lambda_i), which forms
 * no matrix; there psi_i = 1/(1/lambda_i - sum_n d2_n phi_ni^2), scale_i = sqrt(psi_i), and further components stand around it
 * (G31): equal ones would never part. */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../optim/transform_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

/* norm[s] = mean |phi_s|^2, and the mean square of the f at which each y would be about its mean, less the offsets. */
BLNI_PRIV bln_status blni_glm_sizes(blni_glm_fit *f, double *square, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    blni_glm_rows *r = blni_glm_fit_rows(f);
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, f->hyper.theta, report);
    *square = 0.0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) f->norm[s] = 0.0;
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        bln_likelihood_start(&d->likelihood, f->hyper.eta, rows.n, &t, r->c);
        for (size_t i = 0; i < rows.n; i++) {
            const double delta = r->c[i] - r->f[i];
            if (r->k[i] > 0.0) *square += r->k[i]*delta*delta/f->scan.N;
            for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
                const size_t first = blni_prior_first(d->basis, d->per_weight, s);
                const double *phi = r->Phi + i*r->D + first;
                const size_t count = blni_prior_first(d->basis, d->per_weight, s + 1) - first;
                f->norm[s] += r->k[i]*bln_dot(count, phi, phi)/f->scan.N;
            }
        }
    }
    if (status == BLN_OK && !(*square > 0.0 && blni_finite(*square))) *square = 1.0;
    return status;
}

BLNI_PRIV bln_status blni_glm_starts_of(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const size_t n_theta = d->basis->n_theta, n_eta = d->likelihood.n_theta;
    bln_param *theta = f->param + f->n_hyper - (d->fix_theta ? 0 : n_theta), *eta = theta - (d->fix_likelihood ? 0 : n_eta);
    bln_moments moments;
    bln_param p;
    moments.n = f->scan.n;
    moments.d = f->scan.d;
    moments.mean = f->scan.mean;
    moments.sd = f->scan.sd;
    for (size_t k = 0; k < n_eta; k++) {
        bln_likelihood_param(&d->likelihood, k, f->scan.y_mean, f->scan.y_sd, &p);
        if (d->likelihood_theta) p.start = d->likelihood_theta[k];
        if (p.kind == BLN_PARAM_LOG) p = blni_log_param(p.start, p.lo, p.hi);
        f->hyper.eta[k] = p.start;
        if (d->fix_likelihood) continue;
        const bln_status status = bln_param_check(&p, report);
        if (status != BLN_OK) return status;
        eta[k] = p;
    }
    if (n_theta && f->scan.d && !d->fix_theta) {
        const bln_status status = blni_moments_check(&moments, report);
        if (status != BLN_OK) return status;
    }
    for (size_t k = 0; k < n_theta; k++) {
        bln_basis_param(d->basis, k, f->scan.d ? &moments : NULL, &p);
        if (d->theta) p.start = d->theta[k];
        f->hyper.theta[k] = p.start;
        if (d->fix_theta) continue;
        const bln_status status = bln_param_check(&p, report);
        if (status != BLN_OK) return status;
        theta[k] = p;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_glm_starts(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const size_t priors = blni_priors(d->basis, d->per_weight);
    double square, *u = f->x0 + f->n_q;
    size_t k = 0;
    bln_status status = blni_glm_starts_of(f, report);
    if (status == BLN_OK) status = blni_glm_sizes(f, &square, report);
    if (status != BLN_OK) return status;
    for (size_t s = 0; s < priors; s++) {
        const double start = square/((f->norm[s] > 0.0 ? f->norm[s] : 1.0)*(double)priors);
        if (!blni_finite(f->norm[s]) || !(start > 0.0))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: squares of features overflow; scale the inputs");
        f->hyper.prior_var[s] = d->prior_var && d->prior_var[s] > 0.0 ? d->prior_var[s] : start;
        if (blni_glm_learns_prior(d, s)) f->param[k++] = blni_log_param(f->hyper.prior_var[s], 1e-12*start, 1e24*start);
    }
    k = 0;
    for (size_t s = 0; s < priors; s++)
        if (blni_glm_learns_prior(d, s)) { u[k] = bln_param_free(f->param + k, f->hyper.prior_var[s]); k++; }
    for (size_t j = 0; j < d->likelihood.n_theta && !d->fix_likelihood; j++, k++)
        u[k] = bln_param_free(f->param + k, f->hyper.eta[j]);
    for (size_t j = 0; j < d->basis->n_theta && !d->fix_theta; j++, k++) u[k] = bln_param_free(f->param + k, f->hyper.theta[j]);
    return BLN_OK;
}

/* ---- the mode by gradients alone, in x_i = w_i/sqrt(lambda_i) */

BLNI_PRIV void blni_glm_mode_weights(blni_glm_fit *f, const double *x)
{
    for (size_t i = 0; i < f->desc.basis->D; i++) f->m[i] = x ? f->root[i]*x[i] : 0.0;
}

/* At f->m, its first D entries. */
BLNI_PRIV bln_status blni_glm_mode_pass(blni_glm_fit *f, double *J, double *curvature, bln_report *report)
{
    return blni_map_pass(blni_glm_fit_rows(f), &f->hyper, f->root, f->m, J, f->gradient, curvature, report);
}

BLNI_PRIV bln_status blni_glm_mode_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                             bln_report *report)
{
    blni_glm_fit *f = (blni_glm_fit *)user;
    blni_glm_mode_weights(f, x);
    const bln_status status = blni_glm_mode_pass(f, value, NULL, report);
    *value = -*value;
    for (size_t i = 0; i < n && gradient; i++) gradient[i] = -f->gradient[i];
    f->evaluations++;
    return status;
}

/* With as few vectors as the search after it. */
BLNI_PRIV bln_lbfgs_desc blni_glm_mode_search(const bln_glm_desc *d, blni_glm_fit *f)
{
    bln_lbfgs_desc search;
    memset(&search, 0, sizeof search);
    search.n = d->basis->D;
    search.max_iterations = d->batch ? BLNI_GLM_MODE_STEPS_BATCH : BLNI_GLM_MODE_STEPS;
    search.memory = search.n > BLNI_GLM_VECTORS ? BLNI_GLM_VECTORS : 0;
    search.progress_tol = 1e-6;
    search.objective = blni_glm_mode_objective;
    search.user = f;
    return search;
}

/* A search's first point, whose failure is told in words of the model. */
BLNI_PRIV bln_status blni_glm_search_open(blni_glm_fit *f, bln_lbfgs *opt, const double *x, bln_report *report)
{
    const bln_status status = bln_lbfgs_init(opt, x, report);
    if (status != BLN_ENUMERIC || blni_glm_fit_rows(f)->source_failed) return status;
    return blni_fail(report, status, BLN_NONE, BLN_NONE, "glm: log p is not finite at the start; scale the data");
}

BLNI_PRIV bln_status blni_glm_mode_open(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    bln_lbfgs_desc search = blni_glm_mode_search(d, f);
    search.alloc = blni_lender(f->mode_room);
    blni_map_roots(d, &f->hyper, f->root);
    for (size_t i = 0; i < search.n; i++) f->x[i] = 0.0;
    const bln_status status = bln_lbfgs_create(&search, &f->opt_mode, report);
    return status == BLN_OK ? blni_glm_search_open(f, f->opt_mode, f->x, report) : status;
}

/* Start number s into f->x, in which all but the components is there, and with START_MODE the first of these too. */
BLNI_PRIV void blni_glm_candidate(blni_glm_fit *f, size_t s)
{
    const size_t D = f->desc.basis->D, first = f->desc.start == BLN_GLM_START_MODE;
    bln_rng rng;
    bln_rng_seed(&rng, f->desc.seed, s ? UINT64_MAX - s : 0);
    for (size_t j = first*D; j < f->KD; j++) {
        const double e = bln_rng_normal(&rng);
        f->x[j] = first ? f->x[j % D] + 2.0*e : e;
        f->x[f->KD + j] = 2.0*log(f->scale[j % D]);
        if (!first) f->x[f->KD + j] += log(0.5*(bln_rng_exponential(&rng) + bln_rng_exponential(&rng)));
    }
}

/* f->x0 <- the best start, and the search from there. */
BLNI_PRIV bln_status blni_glm_start_search(blni_glm_fit *f, bln_report *report)
{
    const size_t starts = f->desc.start == BLN_GLM_START_MODE && f->desc.components == 1 ? 1 : f->desc.starts;
    double best = HUGE_VAL;
    for (size_t s = 0; s < starts; s++) {
        double value = best;
        memcpy(f->x, f->x0, f->n_free*sizeof *f->x);
        blni_glm_candidate(f, s);
        if (starts > 1) {
            blni_glm_natural(f, f->x);
            const bln_status status = blni_glm_value_at(f, &value, report);
            if (status != BLN_OK) return status;
            f->evaluations++;
        }
        if (s && !(value < best)) continue;
        best = value;
        memcpy(f->x0, f->x, f->n_free*sizeof *f->x);
    }
    f->evaluated = 0;
    if (f->sgd) return bln_sgd_init(f->sgd, f->x0, report);
    f->refused = 1;
    const bln_status status = blni_glm_search_open(f, f->opt, f->x0, report);
    f->refused = 0;
    return status;
}

/* Without a search for the mode: in units of sqrt lambda. */
BLNI_PRIV bln_status blni_glm_random_open(blni_glm_fit *f, bln_report *report)
{
    blni_map_roots(&f->desc, &f->hyper, f->root);
    memcpy(f->scale, f->root, f->desc.basis->D*sizeof *f->scale);
    return blni_glm_start_search(f, report);
}

/* From the mode to the first mixture, and the search from there. */
BLNI_PRIV bln_status blni_glm_mode_close(blni_glm_fit *f, bln_report *report)
{
    const size_t D = f->desc.basis->D;
    double J, *curvature = f->q.dpsi;
    blni_glm_mode_weights(f, bln_lbfgs_x(f->opt_mode));
    bln_status status = blni_glm_mode_pass(f, &J, curvature, report);
    if (status != BLN_OK) return status;
    f->opt_mode = NULL;
    for (size_t i = 0; i < D; i++) {
        f->scale[i] = 1.0/sqrt(1.0/(f->root[i]*f->root[i]) + curvature[i]);
        f->x0[i] = f->m[i]/f->scale[i];
        f->x0[f->KD + i] = 2.0*log(f->scale[i]);
    }
    return blni_glm_start_search(f, report);
}
