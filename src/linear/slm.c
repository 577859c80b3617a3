/* slm: the model object: what it holds between calls, and what can be asked of it.
 *
 * Other files make the fit: slm_primal (with slm_qr and slm_exact for other arithmetics) and slm_dual evaluate the evidence, its
 * gradient and the posterior at given hyper-parameters; slm_fit searches for the best ones; slm_file saves and loads the model. */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"
#include "../posterior/posterior_private.h"
#include "../posterior/observe_noise.h"

/* P, and whether prior variances are ratios to the noise: with different noise variances there is nothing else they could be. */
BLNI_PRIV size_t blni_slm_outputs(const bln_slm_desc *d) { return d->n_outputs ? d->n_outputs : 1; }
BLNI_PRIV int blni_relative(const bln_slm_desc *d) { return d->relative_prior || (d->n_outputs > 1 && d->sigma != BLN_SLM_SHARED); }

BLNI_ONCE BLN_API bln_slm_desc bln_slm_defaults(const bln_slm_desc *desc)
{
    bln_slm_desc d = BLN_ZERO;
    if (desc) d = *desc;
    if (!d.n_outputs)      d.n_outputs = 1;
    d.relative_prior = blni_relative(&d);
    if (!d.starts)         d.starts = 1;
    if (!d.max_iterations) d.max_iterations = BLNI_SLM_ITERATIONS;
    if (!(d.tolerance > 0.0)) d.tolerance = 1e-6;
    if (!d.block)          d.block = BLNI_SLM_BLOCK;
    if (!(d.theta_sd > 0.0)) d.theta_sd = 1.0;
    return d;
}

/* Arithmetics that the dual form does not have. */
BLNI_PRIV int blni_slm_primal_only(const bln_slm_desc *d) { return d->arithmetic == BLN_SLM_EXACT || d->arithmetic == BLN_SLM_QR; }

BLNI_PRIV const char *blni_slm_check_noise(const bln_slm_desc *d)
{
    const size_t P = blni_slm_outputs(d);
    if (d->sigma != BLN_SLM_DIAGONAL && d->sigma != BLN_SLM_CORRELATED && d->sigma != BLN_SLM_SHARED) return "slm: unknown sigma";
    if (!(d->noise_var >= 0.0) || !blni_finite(d->noise_var)) return "slm: noise_var must be finite and >= 0";
    if (d->fix_noise_var && !(d->noise_var > 0.0) && !d->noise_cov) return "slm: fix_noise_var needs a noise_var > 0, or noise_cov";
    if (!d->noise_cov) return NULL;
    if (!d->fix_noise_var) return "slm: noise_cov needs fix_noise_var: the best one is found without a start";
    if (!blni_relative(d)) return "slm: noise_cov needs prior variances that are ratios; here noise_var does";
    for (size_t p = 0; p < P; p++) {
        if (!(d->noise_cov[p*P + p] > 0.0)) return "slm: variances in noise_cov must be > 0";
        for (size_t q = p; q < P; q++) if (!blni_finite(d->noise_cov[p*P + q])) return "slm: noise_cov must be finite";
    }
    return NULL;
}

BLNI_ONCE BLN_API const char *bln_slm_check(const bln_slm_desc *desc)
{
    const char *why;
    if (!desc) return "slm: desc is NULL";
    if (!desc->basis) return "slm: basis is NULL";
    why = bln_basis_check(desc->basis);
    if (!why) why = blni_slm_check_noise(desc);
    if (why) return why;
    if (desc->form != BLN_SLM_AUTO && desc->form != BLN_SLM_PRIMAL && desc->form != BLN_SLM_DUAL) return "slm: unknown form";
    if ((desc->fix_prior_var || desc->fix_given_var) && !desc->prior_var)
        return "slm: fix_prior_var and fix_given_var need prior_var";
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++) {
        if (!(desc->prior_var[s] >= 0.0)) return "slm: prior variances must be >= 0";
        if (blni_flat(desc->prior_var[s]) && desc->form == BLN_SLM_DUAL) return "slm: a flat prior needs the primal form";
    }
    if (desc->arithmetic != BLN_SLM_ARITHMETIC_AUTO && desc->arithmetic != BLN_SLM_DOUBLE && !blni_slm_primal_only(desc))
        return "slm: unknown arithmetic";
    if (desc->relevance != BLN_SLM_RELEVANCE_AUTO && desc->relevance != BLN_SLM_RELEVANCE_NONE
        && desc->relevance != BLN_SLM_RELEVANCE_HALF_CAUCHY) return "slm: unknown relevance";
    if (desc->relevance == BLN_SLM_RELEVANCE_HALF_CAUCHY && (!desc->per_weight || desc->optimiser != BLN_SLM_LBFGS))
        return "slm: the half-Cauchy prior is one of a prior variance for each weight, learnt by L-BFGS";
    if (desc->residual != BLN_SLM_VARIATIONAL && desc->residual != BLN_SLM_IGNORED) return "slm: unknown residual";
    if (blni_slm_primal_only(desc) && desc->form == BLN_SLM_DUAL) return "slm: exact arithmetic and QR need the primal form";
    if (desc->allreduce && desc->form == BLN_SLM_DUAL) return "slm: rows of several processes need the primal form";
    if (desc->allreduce && desc->arithmetic == BLN_SLM_QR) return "slm: QR makes no sums that several processes could add up";
    if (desc->prior_var && blni_flat_misses(desc->basis, desc->prior_var, desc->per_weight)) return "slm: " BLNI_FLAT_MISSES;
    const int from_noise = desc->noise_var > 0.0 || blni_relative(desc);
    if (desc->warm_start && (!from_noise || !desc->prior_var || (!desc->theta && desc->basis->n_theta)))
        return "slm: warm_start needs noise_var, prior_var and theta to begin with";
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "slm: theta outside its domain, or not finite";
    if (!(desc->theta_sd >= 0.0)) return "slm: theta_sd must be >= 0";
    if (desc->tolerance != desc->tolerance || desc->tolerance < 0.0) return "slm: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "slm: allocator needs both alloc and release, or neither";
    if (desc->optimiser != BLN_SLM_LBFGS && desc->optimiser != BLN_SLM_MACKAY && desc->optimiser != BLN_SLM_EM
        && desc->optimiser != BLN_SLM_MM) return "slm: unknown optimiser";
    if (!desc->fix_theta && desc->basis->n_theta && desc->optimiser != BLN_SLM_LBFGS)
        return "slm: fixed-point updates do not learn theta; set fix_theta, or take L-BFGS";
    for (size_t k = 0; desc->optimiser != BLN_SLM_LBFGS && k < desc->basis->n_slices; k++)
        if (desc->residual == BLN_SLM_VARIATIONAL && !desc->per_weight && bln_basis_variance(desc->basis, k) > 0.0)
            return "slm: with the bound of features that miss variance (residual) fixed-point updates may fall; take L-BFGS";
    if (!desc->fix_theta && desc->basis->n_theta && !desc->basis->ops->pullback)
        return "slm: the basis has no pullback; set fix_theta";
    return NULL;
}

/* May n rows be the points of a part, for which the dual form needs no features? */
BLNI_PRIV int blni_slm_kernels(const bln_slm_desc *desc, size_t n)
{
    blni_sum_at at;
    for (const bln_basis *p = blni_part_first(desc->basis, &at); p && !desc->per_weight; p = blni_part_next(desc->basis, &at))
        if (blni_basis_gram(p, NULL, n, NULL, 0, NULL, 0, NULL)) return 1;
    return 0;
}

/* The form for n rows; n = BLN_NONE for a source of unknown length. With more rows than features K_s = I + A A' has n - D
 * eigenvalues of 1 beside some of the size of 1/sigma^2. The rounding of these, eps/sigma^2, is all that is left of the former
 * when sigma is small: log|K_s| and the residuals lose the digits that I + A'A keeps. */
BLNI_PRIV bln_slm_form blni_slm_form_for(const bln_slm_desc *desc, size_t n)
{
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++)
        if (blni_flat(desc->prior_var[s])) return BLN_SLM_PRIMAL;
    if (desc->form == BLN_SLM_PRIMAL || (desc->form == BLN_SLM_DUAL && n > desc->basis->D)) return BLN_SLM_PRIMAL;
    if (desc->form == BLN_SLM_DUAL) return BLN_SLM_DUAL;
    if (blni_slm_primal_only(desc) || desc->allreduce) return BLN_SLM_PRIMAL;
    if (n == BLN_NONE) return BLN_SLM_PRIMAL;
    return n < desc->basis->D || blni_slm_kernels(desc, n) ? BLN_SLM_DUAL : BLN_SLM_PRIMAL;
}

/* What is computed with. Three doubles: asked for, or cheap: few features that do not change during the fit. */
BLNI_PRIV bln_slm_arithmetic blni_slm_arithmetic(const bln_slm_desc *desc, bln_slm_form form)
{
    const int learns_theta = !desc->fix_theta && desc->basis->n_theta > 0;
    if (form != BLN_SLM_PRIMAL) return BLN_SLM_DOUBLE;
    if (desc->arithmetic == BLN_SLM_QR) return BLN_SLM_QR;
    if (learns_theta || desc->arithmetic == BLN_SLM_DOUBLE) return BLN_SLM_DOUBLE;
    const int exact = desc->arithmetic == BLN_SLM_EXACT || desc->basis->D <= BLNI_SLM_EXACT_FEATURES;
    return (exact & blni_exact_available()) ? BLN_SLM_EXACT : BLN_SLM_DOUBLE;
}

/* The posterior's matrix R is D x D, or n x D, in low-rank form, of the dual form, which has n <= D: with n = D too 1 - h of a row
 * left out is then no difference. flat and sd are as large as they can be. */
BLNI_PRIV void blni_slm_shape_of(const bln_basis *const *b, size_t P, int lowrank, size_t n, blni_slm_shape *out)
{
    bln_posterior *q = &out->q;
    memset(out, 0, sizeof *out);
    q->J = P;
    q->bases = b;
    q->n_bases = 1;
    q->observe = bln_observe_noise(P);
    q->n_groups = 1;
    q->groups = &out->group;
    q->sites = BLN_SITES_MODE;
    out->group.ops = bln_kind_gaussian();
    out->group.view = &out->gaussians;
    out->group.residual = &out->there;
    out->gaussians.form = lowrank ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
    out->gaussians.n = out->gaussians.n_flat = b[0]->D;
    out->gaussians.k = lowrank ? n : b[0]->D;
    out->gaussians.T = P > 1 ? &out->there : NULL;
    out->gaussians.sd = &out->there;
}

/* The object and the caller's starts, copied so that the desc need not outlive _create. */
BLNI_ONCE BLNI_PRIV bln_slm *blni_slm_carve(blni_arena *a, const bln_slm_desc *desc, double **prior_var, double **theta,
                                            double **noise_cov)
{
    const size_t P = blni_slm_outputs(desc);
    bln_slm *slm = (bln_slm *)blni_carve(a, 1, sizeof(bln_slm));
    *noise_cov = blni_carve_doubles(a, desc->noise_cov ? blni_mul(P, P) : 0);
    *prior_var = blni_carve_doubles(a, desc->prior_var ? blni_priors(desc->basis, desc->per_weight) : 0);
    *theta     = blni_carve_doubles(a, desc->theta ? desc->basis->n_theta : 0);
    double *learnt = blni_carve_doubles(a, blni_priors(desc->basis, desc->per_weight));
    if (slm) { memset(slm, 0, sizeof *slm); slm->prior_var = learnt; }
    return slm;
}

BLNI_PRIV size_t blni_slm_object_size(const bln_slm_desc *desc)
{
    double *prior_var, *theta, *noise_cov;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_slm_carve(&a, desc, &prior_var, &theta, &noise_cov);
    return a.used;
}

BLN_API size_t bln_slm_size(const bln_slm_desc *desc, size_t n)
{
    if (!desc || !desc->basis) return (size_t)-1;
    blni_slm_shape shape;
    const int lowrank = blni_slm_form_for(desc, n) == BLN_SLM_DUAL;
    blni_slm_shape_of(&desc->basis, blni_slm_outputs(desc), lowrank, n, &shape);
    return blni_add(blni_slm_object_size(desc), blni_store_size(&shape.q));
}

/* out <- noise_cov; is what is read of it positive definite? */
BLNI_PRIV int blni_noise_cov_copy(const bln_slm_desc *desc, double *out)
{
    const size_t P = blni_slm_outputs(desc), bytes = P*P*sizeof *out;
    memcpy(out, desc->noise_cov, bytes);
    const int good = desc->sigma != BLN_SLM_CORRELATED || bln_potrf(P, out, P, NULL) == BLN_OK;
    memcpy(out, desc->noise_cov, bytes);
    return good;
}

/* The posterior, or one that says that there is none. */
BLNI_ONCE BLNI_PRIV void blni_slm_show(bln_slm *slm)
{
    bln_posterior *q = &slm->posterior;
    memset(q, 0, sizeof *q);
    q->J = slm->desc.n_outputs;
    q->observe = bln_observe_noise(q->J);
    if (slm->store) *q = slm->store->q;
    q->status = slm->store ? BLN_OK : BLN_ESTATE;
    q->bases = &slm->desc.basis;
    q->block = slm->desc.block;
    q->alloc = slm->alloc;
}

BLNI_ONCE BLN_API bln_status bln_slm_create(const bln_slm_desc *desc, bln_slm **out, bln_report *report)
{
    const char *why = out ? bln_slm_check(desc) : "slm: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));

    double *prior_var, *theta, *noise_cov;
    blni_arena a;
    BLNI_TRY(blni_arena_take(&desc->alloc, blni_slm_object_size(desc), "slm", &a, report));
    bln_slm *slm = blni_slm_carve(&a, desc, &prior_var, &theta, &noise_cov);
    if (desc->noise_cov && !blni_noise_cov_copy(desc, noise_cov)) {
        blni_release(&desc->alloc, a.base, a.size);
        return blni_refuse(report, BLN_EINVAL, "slm: noise_cov must be positive definite");
    }
    slm->desc = bln_slm_defaults(desc);
    slm->alloc = desc->alloc;
    slm->bytes = a.size;
    if (desc->noise_cov) slm->desc.noise_cov = noise_cov;
    if (desc->prior_var) {
        memcpy(prior_var, desc->prior_var, blni_priors(desc->basis, desc->per_weight)*sizeof *prior_var);
        slm->desc.prior_var = prior_var;
    }
    if (desc->theta) {
        memcpy(theta, desc->theta, desc->basis->n_theta*sizeof *theta);
        slm->desc.theta = theta;
    }
    slm->block = a.base;
    blni_slm_show(slm);
    *out = slm;
    return BLN_OK;
}

BLN_API void bln_slm_free(bln_slm *slm)
{
    if (!slm) return;
    if (slm->fit) slm->abandon(slm);
    blni_store_free(slm->store);
    bln_basis_free(slm->owned);
    blni_release(&slm->alloc, slm->block, slm->bytes);
}

BLNI_PRIV int blni_slm_fitted(const bln_slm *slm) { return slm && slm->store; }

BLN_API const bln_basis    *bln_slm_basis(const bln_slm *slm)     { return slm ? slm->desc.basis : NULL; }
BLN_API size_t              bln_slm_outputs(const bln_slm *slm)   { return slm ? slm->desc.n_outputs : 0; }
BLN_API const bln_posterior *bln_slm_posterior(const bln_slm *slm) { return slm ? &slm->posterior : NULL; }
BLN_API const double *bln_slm_theta(const bln_slm *slm)     { return blni_slm_fitted(slm) ? slm->posterior.groups->theta : NULL; }
BLN_API const double *bln_slm_prior_var(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->prior_var : NULL; }
BLN_API size_t bln_slm_priors(const bln_slm *slm) { return slm ? blni_priors(slm->desc.basis, slm->desc.per_weight) : 0; }
BLN_API const double *bln_slm_noise_cov(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->posterior.groups->eta : NULL; }
BLN_API double bln_slm_evidence(const bln_slm *slm)  { return blni_slm_fitted(slm) ? slm->evidence : BLNI_NAN; }
BLN_API double bln_slm_rows(const bln_slm *slm)      { return blni_slm_fitted(slm) ? slm->posterior.rows : BLNI_NAN; }

BLN_API double bln_slm_noise_var(const bln_slm *slm)
{
    const int one = blni_slm_fitted(slm) && (slm->desc.n_outputs == 1 || slm->desc.sigma == BLN_SLM_SHARED);
    return one ? slm->posterior.groups->eta[0] : BLNI_NAN;
}

BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report)
{
    return bln_posterior_predict(bln_slm_posterior(slm), data, mean, var_model, var_noise, work, report);
}
