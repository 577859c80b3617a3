/* glm_objective: the workspace of a fit, its coordinates, and what a search minimises in them.
 *
 * Free coordinates: those of q, which for a mixture are [m_ki/scale_i | log psi_ki], for a stochastic search for the mode
 * w_i/sqrt(lambda_i), and else none; then for all kinds [log lambda_s | eta | theta], each through its bln_param. MAP by Newton's
 * method has none at all, and its steps are glm_laplace's. */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../math/vecmath_private.h"
#include "../posterior/prior_private.h"

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

/* reduced: rows, to fit in their space, or 0. The struct first; its arrays go into *f, which the counting pass does not have and
 * lends from its caller. */
BLNI_PRIV blni_glm_fit *blni_glm_fit_carve(blni_arena *a, const bln_glm_desc *d, size_t n_inputs, size_t reduced,
                                           blni_glm_fit *f)
{
    const int mixture = blni_glm_by_mixture(d), point = d->inference == BLN_GLM_MAP && d->batch;
    blni_glm_fit *carved = (blni_glm_fit *)blni_carve(a, 1, sizeof *f);
    if (carved) f = carved;
    f->scan.d = n_inputs;
    f->KD = mixture || point ? blni_mul(d->components, d->basis->D) : 0;
    f->n_q = mixture ? blni_mul(2, f->KD) : f->KD;
    f->n_hyper = blni_glm_count_hyper(d);
    f->n_free = blni_add(f->n_q, f->n_hyper);
    blni_glm_scan_carve(a, &f->scan);
    blni_glm_batches_carve(a, d, n_inputs, &f->batches);
    if (mixture) blni_bound_carve(a, d, d->components, &f->q);
    else if (point) blni_glm_rows_carve(a, d, 0, &f->rows);
    else if (d->inference == BLN_GLM_FULL) blni_full_carve(a, d, reduced, &f->full);
    else blni_mode_carve(a, d, reduced, &f->mode);
    f->param    = (bln_param *)blni_carve(a, f->n_hyper, sizeof(bln_param));
    f->x0       = blni_carve_doubles(a, f->n_free);
    f->x        = blni_carve_doubles(a, f->n_free);
    f->gradient = blni_carve_doubles(a, f->n_free);
    f->d_prior  = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    f->d_eta    = blni_carve_doubles(a, d->likelihood.n_theta);
    f->d_theta  = blni_carve_doubles(a, d->basis->n_theta);
    f->m        = blni_carve_doubles(a, f->KD);
    f->psi      = blni_carve_doubles(a, mixture ? f->KD : 0);
    f->slope    = blni_carve_doubles(a, point ? f->KD : 0);
    f->scale    = blni_carve_doubles(a, d->basis->D);
    f->root     = blni_carve_doubles(a, f->KD ? d->basis->D : 0);
    f->norm     = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    blni_glm_hyper_carve(a, d, &f->hyper);
    blni_glm_optimisers_carve(a, d, f);
    return carved;
}

BLNI_PRIV int blni_glm_is_mixture(const blni_glm_fit *f) { return blni_glm_by_mixture(&f->desc); }
BLNI_PRIV int blni_glm_is_map(const blni_glm_fit *f) { return f->desc.inference == BLN_GLM_MAP; }
BLNI_PRIV int blni_glm_is_point(const blni_glm_fit *f) { return blni_glm_is_map(f) && f->desc.batch; }
BLNI_PRIV int blni_glm_is_full(const blni_glm_fit *f) { return f->desc.inference == BLN_GLM_FULL; }

/* What holds the Gaussian, for Laplace and full, and the mode. */
BLNI_PRIV blni_mode *blni_glm_fit_mode(blni_glm_fit *f) { return blni_glm_is_full(f) ? &f->full.e : &f->mode; }
BLNI_PRIV blni_glm_rows *blni_glm_fit_rows(blni_glm_fit *f)
{
    return blni_glm_is_mixture(f) ? &f->q.rows : blni_glm_is_point(f) ? &f->rows : &blni_glm_fit_mode(f)->rows;
}

BLNI_PRIV bln_status blni_glm_fit_create(const bln_allocator *alloc, const bln_glm_desc *d, size_t n_inputs, size_t reduced,
                                         blni_glm_fit **out, bln_report *report)
{
    blni_glm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_fit_carve(&a, d, n_inputs, reduced, &sizes);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    void *block = blni_alloc(alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for the fit");
    memset(block, 0, bytes);
    a = blni_arena_over(block, bytes);
    blni_glm_fit *f = blni_glm_fit_carve(&a, d, n_inputs, reduced, NULL);
    f->block = block;
    f->bytes = bytes;
    f->desc = *d;
    blni_glm_fit_rows(f)->desc = &f->desc;
    if (blni_glm_by_mixture(d)) blni_glm_expected_rule(&f->q.expected);
    if (d->inference == BLN_GLM_FULL) blni_glm_expected_rule(&f->full.expected);
    *out = f;
    return BLN_OK;
}

BLNI_PRIV void blni_glm_fit_free(const bln_allocator *alloc, blni_glm_fit *f)
{
    if (!f) return;
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
    const double *u = x + f->n_q;
    size_t k = 0;
    for (size_t j = 0; j < f->KD; j += d->basis->D) blni_vec_product(d->basis->D, 1.0, f->scale, x + j, f->m + j);
    bln_vec_exp(f->n_q - f->KD, x + f->KD, f->psi);
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
        const double delta = x[f->n_q + k] - f->x0[f->n_q + k];
        if (f->param[k].kind != BLN_PARAM_LOG && f->param[k].kind != BLN_PARAM_POSITIVE) continue;
        sum += 0.5*precision*delta*delta;
        g[f->n_q + k] += precision*delta;
    }
    return sum;
}

BLNI_PRIV void blni_glm_chain_mixture(blni_glm_fit *f)
{
    const size_t D = f->desc.basis->D;
    double *m = f->gradient, *psi = m + f->KD;
    for (size_t j = 0; j < f->KD; j += D) blni_vec_product(D, -1.0, f->q.dm + j, f->scale, m + j);
    blni_vec_product(f->KD, -1.0, f->q.dpsi, f->psi, psi);
}

/* Minus the gradient in x of the objective, of which the natural gradients are given, into f->gradient. */
BLNI_PRIV void blni_glm_chain(blni_glm_fit *f, const double *d_prior, const double *d_eta, const double *d_theta)
{
    const bln_glm_desc *d = &f->desc;
    const double *u = f->x + f->n_q;
    double *g = f->gradient + f->n_q;
    size_t k = 0;
    if (blni_glm_is_mixture(f)) blni_glm_chain_mixture(f);
    else for (size_t i = 0; i < f->KD; i++) f->gradient[i] = -f->slope[i];
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++)
        if (blni_glm_learns_prior(d, s)) {
            g[k] = -d_prior[s]*bln_param_slope(f->param + k, u[k])/f->hyper.prior_var[s];
            k++;
        }
    for (size_t j = 0; j < d->likelihood.n_theta && !d->fix_likelihood; j++, k++)
        g[k] = -d_eta[j]*bln_param_slope(f->param + k, u[k]);
    for (size_t j = 0; j < d->basis->n_theta && !d->fix_theta; j++, k++) g[k] = -d_theta[j]*bln_param_slope(f->param + k, u[k]);
}

/* Are all means and variances of q ones that can be worked with? */
BLNI_PRIV int blni_glm_moments_ok(const blni_glm_fit *f)
{
    double low, high;
    if (!blni_vec_range(f->KD, f->m, &low, &high)) return 0;
    return f->n_q == f->KD || (blni_vec_range(f->KD, f->psi, &low, &high) && low > DBL_MIN && high < 1e300);
}

BLNI_PRIV bln_status blni_glm_value_at(blni_glm_fit *f, double *value, bln_report *report)
{
    bln_status status;
    if (!blni_glm_is_mixture(f) && !blni_glm_is_point(f)) {
        status = !blni_glm_is_full(f) ? blni_mode_value(&f->mode, &f->hyper, report)
               : f->sgd ? blni_full_here(&f->full, &f->hyper, report) : blni_full_value(&f->full, &f->hyper, report);
        *value = -blni_glm_fit_mode(f)->evidence;
        return status;
    }
    *value = HUGE_VAL;
    if (!blni_glm_moments_ok(f)) return BLN_OK;
    if (blni_glm_is_point(f)) {
        double J;
        status = blni_map_pass(&f->rows, &f->hyper, f->root, f->m, &J, f->slope, NULL, report);
        *value = -J;
        return status;
    }
    const bln_mixture q = blni_bound_mixture(&f->q, f->m, f->psi);
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
    if (!f->evaluated) {
        for (size_t k = 0; k < n && gradient; k++) gradient[k] = BLNI_NAN;
        return BLN_OK;
    }
    for (size_t k = gradient ? f->n_q : 0; k < n; k++) f->gradient[k] = 0.0;
    if (gradient && !blni_glm_is_mixture(f) && !blni_glm_is_point(f)) {
        const bln_glm_desc *d = &f->desc;
        status = blni_glm_slopes(f, d->fix_prior_var ? NULL : f->d_prior, d->fix_likelihood ? NULL : f->d_eta,
                                 d->fix_theta || !d->basis->n_theta ? NULL : f->d_theta, report);
        if (status != BLN_OK) return status;
        blni_glm_chain(f, f->d_prior, f->d_eta, f->d_theta);
    } else if (gradient) blni_glm_chain(f, f->q.d_prior, f->q.expected.d_eta, f->q.d_theta);
    *value += blni_glm_penalty(f, x, f->gradient);
    if (gradient && gradient != f->gradient) memcpy(gradient, f->gradient, n*sizeof *gradient);
    return BLN_OK;
}
