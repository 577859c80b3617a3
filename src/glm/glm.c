/* glm: the model object: what it holds between calls, and what it was told.
 *
 * The parts after this one: glm_rows passes over the data; glm_laplace, glm_full, glm_bound and glm_map evaluate the objectives,
 * their gradients and posteriors at given hyper-parameters; glm_objective is what a search goes by, glm_start where it begins,
 * glm_fit how it goes on; glm_predict asks the result; glm_file keeps it. */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

/* Is its posterior a mixture? */
BLNI_PRIV int blni_glm_by_mixture(const bln_glm_desc *d)
{
    return d->inference == BLN_GLM_VARIATIONAL || d->inference == BLN_GLM_SGVI || d->inference == BLN_GLM_NPV;
}

BLN_API bln_glm_desc bln_glm_defaults(const bln_glm_desc *desc)
{
    bln_glm_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    const int mixture = blni_glm_by_mixture(&d);
    if (d.inference == BLN_GLM_MAP) d.fix_prior_var = d.fix_likelihood = d.fix_theta = 1;
    if (d.inference == BLN_GLM_SGVI) {
        d.expectation = BLN_GLM_EXPECT_WEIGHTS;
        if (!d.batch) d.batch = 10;
    }
    if (!d.components)        d.components = 1;
    if (!d.draws)             d.draws = 1;
    if (!d.starts)            d.starts = 1;
    if (d.batch && !(d.rate > 0.0) && d.method == BLN_SGD_ADAM) d.rate = 0.03;
    if (!d.max_iterations)    d.max_iterations = d.batch ? 200 : mixture ? 2000 : d.inference == BLN_GLM_MAP ? 200 : 300;
    if (!(d.tolerance > 0.0)) d.tolerance = mixture ? 1e-8 : 1e-6;
    if (!d.block)             d.block = mixture ? 64 : 256;
    if (!(d.theta_sd > 0.0))  d.theta_sd = 1.0;
    return d;
}

/* Is each parameter of the likelihood in the domain of its kind? As with a basis's, the ends of searches do not count. */
BLNI_PRIV int blni_eta_usable(const bln_likelihood *l, const double *eta)
{
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p;
        bln_likelihood_param(l, k, 0.0, 1.0, &p);
        const int positive = p.kind == BLN_PARAM_POSITIVE || p.kind == BLN_PARAM_LOG;
        if (!blni_finite(eta[k]) || (positive && !(eta[k] > 0.0))) return 0;
        if (p.kind == BLN_PARAM_INTERVAL && !(eta[k] > p.lo && eta[k] < p.hi)) return 0;
    }
    return 1;
}

/* MAP holds all of them, those from the data too. */
BLNI_PRIV const char *blni_glm_check_priors(const bln_glm_desc *d)
{
    const int map = d->inference == BLN_GLM_MAP, fixed = d->fix_prior_var && !map;
    if (fixed && !d->prior_var) return "glm: fix_prior_var needs prior_var";
    for (size_t s = 0; d->prior_var && s < blni_priors(d->basis, d->per_weight); s++) {
        if (!(d->prior_var[s] >= 0.0)) return "glm: prior variances must be >= 0";
        if (blni_flat(d->prior_var[s]) && d->inference != BLN_GLM_LAPLACE && !(map && !d->batch))
            return "glm: a flat prior needs Laplace, or MAP without batches";
        if (fixed && !(d->prior_var[s] > 0.0)) return "glm: fixed prior variances must be > 0";
    }
    return NULL;
}

BLN_API const char *bln_glm_check(const bln_glm_desc *desc)
{
    if (!desc) return "glm: desc is NULL";
    if (!desc->basis) return "glm: basis is NULL";
    const char *why = bln_basis_check(desc->basis);
    if (!why) why = bln_likelihood_check(&desc->likelihood);
    if (why) return why;
    if ((int)desc->inference < 0 || desc->inference > BLN_GLM_NPV) return "glm: unknown inference";
    if (desc->entropy != BLN_ENTROPY_PAIRS && desc->entropy != BLN_ENTROPY_JENSEN) return "glm: unknown entropy";
    if ((int)desc->expectation < 0 || desc->expectation > BLN_GLM_EXPECT_WEIGHTS) return "glm: unknown expectation";
    if (desc->components > 1 && (!blni_glm_by_mixture(desc) || desc->inference == BLN_GLM_SGVI))
        return "glm: components need variational inference";
    if (desc->inference == BLN_GLM_NPV && desc->nodes) return "glm: NPV takes no expectations, and so no nodes";
    if (desc->expectation && !(desc->inference == BLN_GLM_VARIATIONAL && desc->batch) && desc->inference != BLN_GLM_SGVI)
        return "glm: draws need variational inference by batches";
    if (desc->inference == BLN_GLM_SGVI && (desc->expectation == BLN_GLM_EXPECT_LOCAL || desc->draws > 1))
        return "glm: SGVI takes one draw of the weights for a step";
    if (desc->batch && desc->inference == BLN_GLM_LAPLACE) return "glm: batches need variational inference, or MAP";
    if ((int)desc->method < 0 || desc->method > BLN_SGD_NESTEROV) return "glm: unknown method";
    if (!(desc->rate >= 0.0) || !blni_finite(desc->rate)) return "glm: rate must be >= 0 and finite";
    if (desc->start != BLN_GLM_START_MODE && desc->start != BLN_GLM_START_RANDOM) return "glm: unknown start";
    if ((desc->start || desc->starts > 1) && !blni_glm_by_mixture(desc)) return "glm: only mixtures have starts to choose from";
    if (!(desc->natural >= 0.0 && desc->natural <= 1.0)) return "glm: natural must lie between 0 and 1";
    if (desc->natural > 0.0 && ((!blni_glm_by_mixture(desc) && desc->inference != BLN_GLM_FULL)
                                || (!desc->batch && desc->inference != BLN_GLM_SGVI)))
        return "glm: the rate of natural-gradient steps needs variational inference by batches";
    if (desc->nodes > 256) return "glm: at most 256 nodes";
    if ((why = blni_glm_check_priors(desc)) != NULL) return why;
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "glm: theta outside its domain, or not finite";
    if (desc->likelihood_theta && !blni_eta_usable(&desc->likelihood, desc->likelihood_theta))
        return "glm: likelihood_theta outside its domain, or not finite";
    if (!(desc->theta_sd >= 0.0)) return "glm: theta_sd must be >= 0";
    if (!(desc->tolerance >= 0.0)) return "glm: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "glm: allocator needs both alloc and release, or neither";
    if (!desc->fix_theta && desc->basis->n_theta && !desc->basis->ops->pullback)
        return "glm: the basis has no pullback; set fix_theta";
    return NULL;
}

BLNI_PRIV void blni_glm_hyper_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *h)
{
    h->prior_var = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    h->eta       = blni_carve_doubles(a, d->likelihood.n_theta);
    h->theta     = blni_carve_doubles(a, d->basis->n_theta);
}

BLNI_PRIV void blni_glm_hyper_copy(const bln_glm_desc *d, blni_glm_hyper *to, const blni_glm_hyper *from)
{
    memcpy(to->prior_var, from->prior_var, blni_priors(d->basis, d->per_weight)*sizeof(double));
    if (d->likelihood.n_theta) memcpy(to->eta, from->eta, d->likelihood.n_theta*sizeof(double));
    if (d->basis->n_theta) memcpy(to->theta, from->theta, d->basis->n_theta*sizeof(double));
}

BLNI_PRIV void blni_glm_result_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_result *r)
{
    const size_t D = d->basis->D, KD = blni_mul(d->components, D);
    const int matrix = d->inference == BLN_GLM_LAPLACE || d->inference == BLN_GLM_FULL;
    blni_glm_hyper_carve(a, d, &r->hyper);
    r->m   = blni_carve_doubles(a, KD);
    r->s   = blni_carve_doubles(a, D);
    r->psi = blni_carve_doubles(a, matrix ? 0 : KD);
    r->R   = blni_carve_doubles(a, matrix ? blni_mul(D, D) : 0);
}

/* The views of the arrays. */
BLNI_PRIV void blni_glm_result_link(const bln_glm_desc *d, blni_glm_result *r)
{
    const size_t D = d->basis->D;
    r->gaussian.form = BLN_GAUSSIAN_FACTOR;
    r->gaussian.D = r->gaussian.k = r->gaussian.ldr = D;
    r->gaussian.m = r->m;
    r->gaussian.s = r->s;
    r->gaussian.R = r->R;
    r->mixture.K = d->components;
    r->mixture.D = r->mixture.ld = D;
    r->mixture.m = r->m;
    r->mixture.psi = r->psi;
}

BLNI_PRIV bln_status blni_glm_result_create(const bln_allocator *alloc, const bln_glm_desc *d, blni_glm_result *r,
                                             bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    memset(r, 0, sizeof *r);
    blni_glm_result_carve(&a, d, r);
    r->bytes = a.used;
    if (r->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: posterior too large for this machine");
    r->block = blni_alloc(alloc, r->bytes);
    if (!r->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for the posterior");
    a = blni_arena_over(r->block, r->bytes);
    blni_glm_result_carve(&a, d, r);
    blni_glm_result_link(d, r);
    for (size_t i = 0; i < d->basis->D && d->inference == BLN_GLM_MAP; i++) r->psi[i] = 0.0;
    return BLN_OK;
}

BLNI_PRIV void blni_glm_result_free(const bln_allocator *alloc, blni_glm_result *r)
{
    blni_release(alloc, r->block, r->bytes);
    memset(r, 0, sizeof *r);
}

/* The object and the caller's starts, copied so that the desc need not outlive _create. */
BLNI_PRIV bln_glm *blni_glm_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *starts)
{
    bln_glm *glm = (bln_glm *)blni_carve(a, 1, sizeof(bln_glm));
    blni_glm_hyper_carve(a, d, starts);
    return glm;
}

BLN_API size_t bln_glm_size(const bln_glm_desc *desc)
{
    if (bln_glm_check(desc)) return (size_t)-1;
    const bln_glm_desc d = bln_glm_defaults(desc);
    blni_glm_hyper starts;
    blni_glm_result r;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_carve(&a, &d, &starts);
    blni_glm_result_carve(&a, &d, &r);
    return a.used;
}

BLN_API bln_status bln_glm_create(const bln_glm_desc *desc, bln_glm **out, bln_report *report)
{
    const char *why = out ? bln_glm_check(desc) : "glm: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    blni_glm_hyper starts;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_carve(&a, desc, &starts);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    void *block = blni_alloc(&desc->alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory");
    a = blni_arena_over(block, bytes);
    bln_glm *glm = blni_glm_carve(&a, desc, &starts);
    memset(glm, 0, sizeof *glm);
    glm->desc = bln_glm_defaults(desc);
    glm->alloc = desc->alloc;
    glm->block = block;
    glm->bytes = bytes;
    if (desc->prior_var) {
        memcpy(starts.prior_var, desc->prior_var, blni_priors(desc->basis, desc->per_weight)*sizeof(double));
        glm->desc.prior_var = starts.prior_var;
    }
    if (desc->likelihood_theta) {
        memcpy(starts.eta, desc->likelihood_theta, desc->likelihood.n_theta*sizeof(double));
        glm->desc.likelihood_theta = starts.eta;
    }
    if (desc->theta) {
        memcpy(starts.theta, desc->theta, desc->basis->n_theta*sizeof(double));
        glm->desc.theta = starts.theta;
    }
    *out = glm;
    return BLN_OK;
}

BLN_API void bln_glm_free(bln_glm *glm)
{
    if (!glm) return;
    const bln_allocator alloc = glm->alloc;
    bln_glm_abandon(glm);
    bln_basis_free(glm->owned);
    blni_glm_result_free(&alloc, &glm->result);
    blni_release(&alloc, glm->block, glm->bytes);
}

BLNI_PRIV int blni_glm_fitted(const bln_glm *glm) { return glm && glm->fitted; }
/* Is what it learnt in result.gaussian, rather than in result.mixture? */
BLNI_PRIV int blni_glm_gaussian(const bln_glm *glm)
{
    return glm->desc.inference == BLN_GLM_LAPLACE || glm->desc.inference == BLN_GLM_FULL;
}

BLN_API const bln_gaussian *bln_glm_posterior(const bln_glm *glm)
{
    return blni_glm_fitted(glm) && blni_glm_gaussian(glm) ? &glm->result.gaussian : NULL;
}
BLN_API const bln_mixture *bln_glm_mixture(const bln_glm *glm)
{
    return blni_glm_fitted(glm) && blni_glm_by_mixture(&glm->desc) ? &glm->result.mixture : NULL;
}
BLN_API const bln_basis      *bln_glm_basis(const bln_glm *glm)      { return glm ? glm->desc.basis : NULL; }
BLN_API const bln_likelihood *bln_glm_likelihood(const bln_glm *glm) { return glm ? &glm->desc.likelihood : NULL; }
BLN_API const double *bln_glm_likelihood_theta(const bln_glm *glm) { return blni_glm_fitted(glm) ? glm->result.hyper.eta : NULL; }
BLN_API const double *bln_glm_theta(const bln_glm *glm)            { return blni_glm_fitted(glm) ? glm->result.hyper.theta : NULL; }
BLN_API const double *bln_glm_prior_var(const bln_glm *glm) { return blni_glm_fitted(glm) ? glm->result.hyper.prior_var : NULL; }
BLN_API bln_glm_inference bln_glm_kind(const bln_glm *glm)  { return glm ? glm->desc.inference : BLN_GLM_LAPLACE; }
BLN_API double bln_glm_objective(const bln_glm *glm)        { return blni_glm_fitted(glm) ? glm->result.objective : BLNI_NAN; }
BLN_API double bln_glm_rows(const bln_glm *glm)             { return blni_glm_fitted(glm) ? glm->result.rows : BLNI_NAN; }

BLN_API bln_status bln_glm_coefficients(const bln_glm *glm, double *mean, double *sd)
{
    if (!glm) return BLN_EINVAL;
    if (!glm->fitted) return BLN_ESTATE;
    const size_t D = glm->desc.basis->D, bytes = blni_glm_gaussian(glm) ? D*D*sizeof(double) : 0;
    if (!sd && !mean) return BLN_OK;
    if (!blni_glm_gaussian(glm)) bln_mixture_moments(&glm->result.mixture, mean, sd);
    else {
        double *work = sd ? (double *)blni_alloc(&glm->alloc, bytes) : NULL;
        if (sd && !work) return BLN_ENOMEM;
        if (sd) bln_gaussian_variances(&glm->result.gaussian, sd, work);
        if (mean) memcpy(mean, glm->result.m, D*sizeof *mean);
        blni_release(&glm->alloc, work, bytes);
    }
    for (size_t j = 0; sd && j < D; j++) sd[j] = sqrt(sd[j]);
    return BLN_OK;
}
