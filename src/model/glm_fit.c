/* glm_fit: learning in steps.
 *
 * Free coordinates: for a variational fit [m_ki/scale_i | log psi_ki], then for all kinds [log lambda_s | eta | theta], each
 * through its bln_param. A variational fit first looks for the mode at the starts of the hyper-parameters, by L-BFGS on
 * w_i/sqrt(lambda_i), which forms no matrix; there psi_i = 1/(1/lambda_i - sum_n d2_n phi_ni^2), scale_i = sqrt(psi_i), and further
 * components stand around it (G31): equal ones would never part. */
#include "glm.h"

enum { BLNI_GLM_VECTORS = 20, BLNI_GLM_MODE_STEPS = 200, BLNI_GLM_MODE_STEPS_BATCH = 20 };

typedef struct blni_glm_fit {
    void           *block;                 /* this struct and its arrays                              */
    size_t          bytes;
    bln_data_reader reader;                /* the caller's view as a source                           */
    bln_source      source;
    bln_glm_desc    desc;
    blni_glm_scan   scan;
    blni_mode       mode;                  /* Laplace                                                 */
    blni_full       full;                  /* full                                                    */
    blni_bound      q;                     /* variational                                             */
    size_t          KD, n_free, n_hyper;   /* n_free = 2 KD + n_hyper (variational, else KD = 0)            */
    bln_param      *param;                 /* n_hyper                                                 */
    double         *x0, *x, *gradient;     /* n_free each: start; last evaluated; gradient there      */
    double         *d_prior, *d_eta, *d_theta;
    double         *m, *psi, *scale;       /* K x D, K x D, D                                         */
    double         *norm;                  /* priors: mean |phi_s|^2                                  */
    blni_glm_hyper  hyper;
    int             evaluated, refused;    /* hyper (m, psi) and value belong to x; the first point's failure is one */
    double          value;                 /* of the objective to be minimised, at x                  */
    bln_lbfgs      *opt, *opt_mode;        /* opt_mode: NULL but while the mode is looked for          */
    bln_sgd        *sgd;                   /* in place of opt if stochastic                            */
    blni_glm_batches batches;
    uint64_t        batch;                 /* number of the next one                                   */
    double          sum, mean;             /* of estimates of this epoch; of the one before            */
    size_t          iterations, evaluations;
    double          objective, gradient_norm;
    bln_stop        stop;
    int             done;
} blni_glm_fit;

BLNI_PRIV int blni_glm_learns_prior(const bln_glm_desc *d, size_t s)
{
    return !d->fix_prior_var && !(d->prior_var && blni_flat(d->prior_var[s]));
}

BLNI_PRIV size_t blni_glm_count_hyper(const bln_glm_desc *d)
{
    size_t n = (d->fix_likelihood ? 0 : d->likelihood.n_theta) + (d->fix_theta ? 0 : d->basis->n_theta);
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) n += (size_t)blni_glm_learns_prior(d, s);
    return n;
}

/* The struct first; its arrays go into *f, which the counting pass does not have and lends from its caller. */
BLNI_PRIV blni_glm_fit *blni_glm_fit_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, blni_glm_fit *f)
{
    const int variational = d->inference == BLN_GLM_VARIATIONAL;
    blni_glm_fit *carved = (blni_glm_fit *)blni_carve(a, 1, sizeof *f);
    if (carved) f = carved;
    f->scan.d = n_inputs;
    f->KD = variational ? blni_mul(d->components, d->basis->D) : 0;
    f->n_hyper = blni_glm_count_hyper(d);
    f->n_free = blni_add(blni_mul(2, f->KD), f->n_hyper);
    blni_glm_scan_carve(a, &f->scan);
    blni_glm_batches_carve(a, d, n_inputs, &f->batches);
    if (variational) blni_bound_carve(a, d, d->components, &f->q);
    else if (d->inference == BLN_GLM_FULL) blni_full_carve(a, d, &f->full);
    else blni_mode_carve(a, d, &f->mode);
    f->param    = (bln_param *)blni_carve(a, f->n_hyper, sizeof(bln_param));
    f->x0       = blni_carve_doubles(a, f->n_free);
    f->x        = blni_carve_doubles(a, f->n_free);
    f->gradient = blni_carve_doubles(a, f->n_free);
    f->d_prior  = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    f->d_eta    = blni_carve_doubles(a, d->likelihood.n_theta);
    f->d_theta  = blni_carve_doubles(a, d->basis->n_theta);
    f->m        = blni_carve_doubles(a, f->KD);
    f->psi      = blni_carve_doubles(a, f->KD);
    f->scale    = blni_carve_doubles(a, d->basis->D);
    f->norm     = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    blni_glm_hyper_carve(a, d, &f->hyper);
    return carved;
}

BLNI_PRIV int blni_glm_is_variational(const blni_glm_fit *f) { return f->desc.inference == BLN_GLM_VARIATIONAL; }
BLNI_PRIV int blni_glm_is_full(const blni_glm_fit *f) { return f->desc.inference == BLN_GLM_FULL; }

/* What holds the Gaussian, for Laplace and full. */
BLNI_PRIV blni_mode *blni_glm_fit_mode(blni_glm_fit *f) { return blni_glm_is_full(f) ? &f->full.e : &f->mode; }
BLNI_PRIV blni_glm_rows *blni_glm_fit_rows(blni_glm_fit *f)
{
    return blni_glm_is_variational(f) ? &f->q.rows : &blni_glm_fit_mode(f)->rows;
}

BLNI_PRIV bln_status blni_glm_fit_create(const bln_allocator *alloc, const bln_glm_desc *d, size_t n_inputs, blni_glm_fit **out,
                                         bln_report *report)
{
    blni_glm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_fit_carve(&a, d, n_inputs, &sizes);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    void *block = blni_alloc(alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for the fit");
    memset(block, 0, bytes);
    a = blni_arena_over(block, bytes);
    blni_glm_fit *f = blni_glm_fit_carve(&a, d, n_inputs, NULL);
    f->block = block;
    f->bytes = bytes;
    f->desc = *d;
    blni_glm_fit_rows(f)->desc = &f->desc;
    if (d->inference == BLN_GLM_VARIATIONAL) blni_glm_expected_rule(&f->q.expected);
    if (d->inference == BLN_GLM_FULL) blni_glm_expected_rule(&f->full.expected);
    *out = f;
    return BLN_OK;
}

BLNI_PRIV void blni_glm_fit_free(const bln_allocator *alloc, blni_glm_fit *f)
{
    if (!f) return;
    bln_lbfgs_free(f->opt);
    bln_lbfgs_free(f->opt_mode);
    bln_sgd_free(f->sgd);
    blni_release(alloc, f->block, f->bytes);
}

BLN_API void bln_glm_abandon(bln_glm *glm)
{
    if (!glm) return;
    blni_glm_fit_free(&glm->alloc, glm->fit);
    glm->fit = NULL;
}

/* ---- coordinates */

BLNI_PRIV void blni_glm_natural(blni_glm_fit *f, const double *x)
{
    const bln_glm_desc *d = &f->desc;
    const double *u = x + 2*f->KD;
    size_t k = 0;
    for (size_t i = 0; i < f->KD; i++) {
        f->m[i] = f->scale[i % d->basis->D]*x[i];
        f->psi[i] = exp(x[f->KD + i]);
    }
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++)
        if (blni_glm_learns_prior(d, s)) { f->hyper.prior_var[s] = bln_param_natural(f->param + k, u[k]); k++; }
    for (size_t j = 0; j < d->likelihood.n_theta && !d->fix_likelihood; j++, k++)
        f->hyper.eta[j] = bln_param_natural(f->param + k, u[k]);
    for (size_t j = 0; j < d->basis->n_theta && !d->fix_theta; j++, k++)
        f->hyper.theta[j] = bln_param_natural(f->param + k, u[k]);
}

/* -log prior(theta) up to its constant; adds its gradient to g. As in slm: (x_k - x0_k)^2/(2 theta_sd^2) for what is learnt on a
 * log scale. */
BLNI_PRIV double blni_glm_penalty(const blni_glm_fit *f, const double *x, double *g)
{
    const bln_glm_desc *d = &f->desc;
    const size_t n_theta = d->fix_theta ? 0 : d->basis->n_theta;
    const double precision = 1.0/(d->theta_sd*d->theta_sd);
    double sum = 0.0;
    for (size_t k = f->n_hyper - n_theta; k < f->n_hyper; k++) {
        const double delta = x[2*f->KD + k] - f->x0[2*f->KD + k];
        if (f->param[k].kind != BLN_PARAM_LOG && f->param[k].kind != BLN_PARAM_POSITIVE) continue;
        sum += 0.5*precision*delta*delta;
        g[2*f->KD + k] += precision*delta;
    }
    return sum;
}

/* Minus the gradient in x of the objective, of which the natural gradients are given, into f->gradient. */
BLNI_PRIV void blni_glm_chain(blni_glm_fit *f, const double *d_prior, const double *d_eta, const double *d_theta)
{
    const bln_glm_desc *d = &f->desc;
    const double *u = f->x + 2*f->KD;
    double *g = f->gradient + 2*f->KD;
    size_t k = 0;
    for (size_t i = 0; i < f->KD; i++) {
        f->gradient[i] = -f->q.dm[i]*f->scale[i % d->basis->D];
        f->gradient[f->KD + i] = -f->q.dpsi[i]*f->psi[i];
    }
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++)
        if (blni_glm_learns_prior(d, s)) {
            g[k] = -d_prior[s]*bln_param_slope(f->param + k, u[k])/f->hyper.prior_var[s];
            k++;
        }
    for (size_t j = 0; j < d->likelihood.n_theta && !d->fix_likelihood; j++, k++)
        g[k] = -d_eta[j]*bln_param_slope(f->param + k, u[k]);
    for (size_t j = 0; j < d->basis->n_theta && !d->fix_theta; j++, k++) g[k] = -d_theta[j]*bln_param_slope(f->param + k, u[k]);
}

/* Are all variances of the mixture ones that can be worked with? */
BLNI_PRIV int blni_glm_variances_ok(const blni_glm_fit *f)
{
    for (size_t i = 0; i < f->KD; i++) if (!(f->psi[i] > DBL_MIN && f->psi[i] < 1e300) || !blni_finite(f->m[i])) return 0;
    return 1;
}

BLNI_PRIV bln_status blni_glm_value_at(blni_glm_fit *f, double *value, bln_report *report)
{
    bln_status status;
    if (!blni_glm_is_variational(f)) {
        status = blni_glm_is_full(f) ? blni_full_value(&f->full, &f->hyper, report)
                                     : blni_mode_value(&f->mode, &f->hyper, report);
        *value = -blni_glm_fit_mode(f)->evidence;
        return status;
    }
    const bln_mixture q = blni_bound_mixture(&f->q, f->m, f->psi);
    *value = HUGE_VAL;
    if (!blni_glm_variances_ok(f)) return BLN_OK;
    status = blni_bound_value(&f->q, &f->hyper, &q, !f->desc.fix_theta && f->desc.basis->n_theta, report);
    *value = -f->q.bound;
    return status;
}

/* Of Laplace's evidence or the full bound, after _value_at the same point; each output may be NULL. */
BLNI_PRIV bln_status blni_glm_slopes(blni_glm_fit *f, double *d_prior, double *d_eta, double *d_theta, bln_report *report)
{
    return blni_glm_is_full(f) ? blni_full_gradient(&f->full, &f->hyper, d_prior, d_eta, d_theta, report)
                               : blni_mode_gradient(&f->mode, &f->hyper, d_prior, d_eta, d_theta, report);
}

/* What the optimiser minimises. A point at which there is no mode is a bad one, not a failure, unless it is the first. */
BLNI_PRIV bln_status blni_glm_objective(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report)
{
    blni_glm_fit *f = (blni_glm_fit *)user;
    bln_status status = BLN_OK;
    if (!f->evaluated || memcmp(f->x, x, n*sizeof *x)) {
        memcpy(f->x, x, n*sizeof *x);
        blni_glm_natural(f, x);
        status = blni_glm_value_at(f, &f->value, report);
        f->evaluated = status == BLN_OK && blni_finite(f->value);
        f->evaluations++;
        if (status != BLN_OK && (f->refused || blni_glm_fit_rows(f)->source_failed)) return status;
        if (status != BLN_OK) { bln_report_clear(report); f->value = HUGE_VAL; }
    }
    *value = f->evaluated ? f->value : HUGE_VAL;
    for (size_t k = 0; k < n && gradient; k++) gradient[k] = BLNI_NAN;
    if (!f->evaluated) return BLN_OK;
    for (size_t k = 0; k < n; k++) f->gradient[k] = 0.0;
    if (gradient && !blni_glm_is_variational(f)) {
        const bln_glm_desc *d = &f->desc;
        status = blni_glm_slopes(f, d->fix_prior_var ? NULL : f->d_prior, d->fix_likelihood ? NULL : f->d_eta,
                                 d->fix_theta || !d->basis->n_theta ? NULL : f->d_theta, report);
        if (status != BLN_OK) return status;
        blni_glm_chain(f, f->d_prior, f->d_eta, f->d_theta);
    } else if (gradient) blni_glm_chain(f, f->q.d_prior, f->q.expected.d_eta, f->q.d_theta);
    *value += blni_glm_penalty(f, x, f->gradient);
    if (gradient) memcpy(gradient, f->gradient, n*sizeof *gradient);
    return BLN_OK;
}

/* ---- starts */

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
    double square, *u = f->x0 + 2*f->KD;
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
    const size_t D = f->desc.basis->D;
    for (size_t i = 0; i < D; i++) f->m[i] = x ? f->q.root[i]*x[i] : 0.0;
}

/* J and its gradient at f->m (its first D entries), and with curvature the diagonal of -Phi'd2 Phi, negative rows as 0. */
BLNI_PRIV bln_status blni_glm_mode_pass(blni_glm_fit *f, double *J, double *gradient, double *curvature, bln_report *report)
{
    blni_glm_rows *r = &f->q.rows;
    const size_t D = r->D;
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, f->hyper.theta, report);
    *J = 0.0;
    for (size_t i = 0; i < D; i++) gradient[i] = 0.0;
    for (size_t i = 0; i < D && curvature; i++) curvature[i] = 0.0;
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        blni_glm_eval(r, f->hyper.eta, rows.n, &t, f->m);
        for (size_t i = 0; i < rows.n; i++) *J += r->lp[i];
        bln_gemv(BLN_TRANS, rows.n, D, 1.0, r->Phi, D, r->d1, 1.0, gradient);
        for (size_t i = 0; i < rows.n && curvature; i++)
            for (size_t j = 0; j < D && r->d2[i] < 0.0; j++) curvature[j] -= r->d2[i]*r->Phi[i*D + j]*r->Phi[i*D + j];
    }
    for (size_t i = 0; i < D; i++) {
        const double x = f->m[i]/f->q.root[i];
        *J -= 0.5*x*x;
        gradient[i] = f->q.root[i]*gradient[i] - x;
    }
    return status;
}

BLNI_PRIV bln_status blni_glm_mode_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                             bln_report *report)
{
    blni_glm_fit *f = (blni_glm_fit *)user;
    blni_glm_mode_weights(f, x);
    const bln_status status = blni_glm_mode_pass(f, value, f->gradient, NULL, report);
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
    search.alloc = d->alloc;
    return search;
}

/* A search's first point, whose failure is told in words of the model. */
BLNI_PRIV bln_status blni_glm_search_open(const blni_glm_fit *f, bln_lbfgs *opt, const double *x, bln_report *report)
{
    const bln_status status = bln_lbfgs_init(opt, x, report);
    if (status != BLN_ENUMERIC || f->q.rows.source_failed) return status;
    return blni_fail(report, status, BLN_NONE, BLN_NONE, "glm: log p is not finite at the start; scale the data");
}

BLNI_PRIV bln_status blni_glm_mode_open(blni_glm_fit *f, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    const bln_lbfgs_desc search = blni_glm_mode_search(d, f);
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++) f->q.root[i] = sqrt(f->hyper.prior_var[s]);
    }
    for (size_t i = 0; i < search.n; i++) f->x[i] = 0.0;
    const bln_status status = bln_lbfgs_create(&search, &f->opt_mode, report);
    return status == BLN_OK ? blni_glm_search_open(f, f->opt_mode, f->x, report) : status;
}

/* From the mode to the first mixture, and the search from there. */
BLNI_PRIV bln_status blni_glm_mode_close(blni_glm_fit *f, bln_report *report)
{
    const size_t D = f->desc.basis->D, K = f->desc.components;
    double J, *curvature = f->q.dpsi;
    bln_rng rng;
    blni_glm_mode_weights(f, bln_lbfgs_x(f->opt_mode));
    bln_status status = blni_glm_mode_pass(f, &J, f->gradient, curvature, report);
    if (status != BLN_OK) return status;
    bln_lbfgs_free(f->opt_mode);
    f->opt_mode = NULL;
    bln_rng_seed(&rng, f->desc.seed, 0);
    for (size_t i = 0; i < D; i++) f->scale[i] = 1.0/sqrt(1.0/(f->q.root[i]*f->q.root[i]) + curvature[i]);
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < D; i++) {
            f->x0[k*D + i] = f->m[i]/f->scale[i] + (k ? 2.0*bln_rng_normal(&rng) : 0.0);
            f->x0[f->KD + k*D + i] = 2.0*log(f->scale[i]);
        }
    if (f->sgd) return bln_sgd_init(f->sgd, f->x0, report);
    f->refused = 1;
    status = blni_glm_search_open(f, f->opt, f->x0, report);
    f->refused = 0;
    return status;
}

/* ---- stochastic */

/* Batches differ by their rows far more than by the progress of a few epochs, epochs do not: so each step is told the mean of the
 * epoch before, and the rule that ends the run compares windows of five epochs, in which a standard error is that of 5 numbers, not
 * 5 times the batches. */
BLNI_PRIV bln_sgd_desc blni_glm_steps(const bln_glm_desc *d, size_t n, uint64_t batches)
{
    bln_sgd_desc s;
    memset(&s, 0, sizeof s);
    s.n = n;
    s.method = d->method;
    s.rate = d->rate;
    s.average = BLN_AVERAGE_TAIL;
    s.max_steps = d->max_iterations < UINT64_MAX/batches ? d->max_iterations*batches : UINT64_MAX;
    s.window = (size_t)(5*batches);
    s.patience = 3;
    s.significance = sqrt((double)batches);
    s.alloc = d->alloc;
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

/* The objective's estimate at x by batch number t, and its gradient. */
BLNI_PRIV bln_status blni_glm_estimate(blni_glm_fit *f, uint64_t t, const double *x, double *value, bln_report *report)
{
    blni_glm_batch_take(&f->batches, t, &f->q.rows);
    f->evaluated = 0;
    const bln_status status = blni_glm_objective(f, f->n_free, x, value, f->gradient, report);
    f->evaluated = 0;
    blni_glm_all_rows(f);
    return status;
}

/* An epoch of steps, or what is left of the run. */
BLNI_PRIV bln_status blni_glm_epoch(blni_glm_fit *f, bln_report *report)
{
    const uint64_t batches = bln_minibatch_count(&f->batches.order);
    bln_status status = BLN_OK;
    for (uint64_t b = 0; b < batches && status == BLN_OK && !bln_sgd_converged(f->sgd, NULL); b++) {
        double value;
        status = blni_glm_estimate(f, f->batch, bln_sgd_x(f->sgd), &value, report);
        if (status != BLN_OK) return status;
        f->sum += value*(double)f->batches.n/(double)f->scan.n;
        status = bln_sgd_step(f->sgd, f->gradient, f->batch < batches ? value : f->mean, report);
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
    s.memory = d->inference == BLN_GLM_VARIATIONAL && n > BLNI_GLM_VECTORS ? BLNI_GLM_VECTORS : 0;
    s.progress_tol = d->tolerance;
    s.gradient_tol = d->tolerance < 1e-6 ? d->tolerance : 1e-6;
    s.objective = blni_glm_objective;
    s.user = f;
    s.alloc = d->alloc;
    return s;
}

/* Everything after the scan: starts, and the first evaluation. */
BLNI_PRIV bln_status blni_glm_begin_search(blni_glm_fit *f, bln_report *report)
{
    bln_status status = blni_glm_starts(f, report);
    if (status == BLN_OK && f->desc.batch) {
        const bln_sgd_desc steps = blni_glm_steps(&f->desc, f->n_free, bln_minibatch_count(&f->batches.order));
        status = bln_sgd_create(&steps, &f->sgd, report);
    } else if (status == BLN_OK && f->n_free) {
        const bln_lbfgs_desc search = blni_glm_search(&f->desc, f->n_free, f);
        status = bln_lbfgs_create(&search, &f->opt, report);
    }
    if (status != BLN_OK) return status;
    if (f->n_free && 1e-4*f->desc.tolerance > BLNI_FULL_LEAST) f->full.least = 1e-4*f->desc.tolerance;
    if (blni_glm_is_variational(f)) return blni_glm_mode_open(f, report);
    f->done = f->n_free == 0;
    f->refused = 1;
    if (f->n_free) status = bln_lbfgs_init(f->opt, f->x0, report);
    else { status = blni_glm_value_at(f, &f->value, report); f->evaluations++; }
    f->refused = 0;
    return status;
}

/* A workspace for these rows, scanned. */
BLNI_PRIV bln_status blni_glm_open(const bln_glm *glm, const bln_glm_desc *d, const bln_source *source, const bln_data *data,
                                   blni_glm_fit **out, bln_report *report)
{
    const size_t n_inputs = data ? data->d : source->d;
    if (source && (!source->reset || !source->next))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "source: reset or next is NULL");
    if (!blni_slm_fits(d->basis, n_inputs))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "glm: data have another number of columns than the basis");
    if (d->batch && !data)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE,
                         "glm: batches need a data set: rows of a source come in no random order");
    bln_status status = blni_glm_fit_create(&glm->alloc, d, n_inputs, out, report);
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
    bln_status status = blni_glm_open(glm, &glm->desc, source, data, &glm->fit, report);
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
    report->condition = blni_glm_is_variational(f) ? 0.0 : blni_glm_fit_mode(f)->condition;
    report->stop = f->stop;
}

BLN_API bln_status bln_glm_step(bln_glm *glm, bln_report *report)
{
    bln_report inner;
    bln_report_clear(report);
    bln_report_clear(&inner);
    blni_glm_fit *f = glm ? glm->fit : NULL;
    if (!f) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "glm: step without init");
    if (f->done) { blni_glm_report(f, report); return BLN_OK; }
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

/* The posterior at the last point into r. */
BLNI_PRIV bln_status blni_glm_settle(blni_glm_fit *f, blni_glm_result *r, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    bln_status status = f->opt_mode ? blni_glm_mode_close(f, report) : BLN_OK;
    if (status != BLN_OK) return status;
    if (f->n_free) blni_glm_natural(f, blni_glm_last(f));
    if (!f->evaluated || !f->n_free || memcmp(f->x, blni_glm_last(f), f->n_free*sizeof *f->x))
        status = blni_glm_value_at(f, &f->value, report);
    if (status == BLN_OK && !blni_finite(f->value))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: the objective is not finite; scale the data");
    if (status != BLN_OK) return status;
    blni_glm_hyper_copy(d, &r->hyper, &f->hyper);
    r->rows = f->scan.N;
    if (!blni_glm_is_variational(f)) { blni_mode_result(blni_glm_fit_mode(f), r); return BLN_OK; }
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

BLN_API size_t bln_glm_fit_size(const bln_glm_desc *desc)
{
    if (bln_glm_check(desc)) return (size_t)-1;
    const bln_glm_desc d = bln_glm_defaults(desc);
    blni_glm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_fit_carve(&a, &d, d.basis->d, &sizes);
    const bln_sgd_desc steps = blni_glm_steps(&d, sizes.n_free, 1);
    const bln_lbfgs_desc search = blni_glm_search(&d, sizes.n_free, NULL), mode = blni_glm_mode_search(&d, NULL);
    size_t bytes = blni_add(a.used, bln_glm_size(&d));
    if (sizes.n_free) bytes = blni_add(bytes, d.batch ? bln_sgd_size(&steps) : bln_lbfgs_size(&search));
    return d.inference == BLN_GLM_VARIATIONAL ? blni_add(bytes, bln_lbfgs_size(&mode)) : bytes;
}
