/* glm: the model object: what it holds between calls, and the options it was given.
 *
 * Of the rooms before this one, rows passes over the data, fit makes the workspace of a fit, and search runs the optimisers for a
 * method; each method has a room of its own. glm_fit runs the method that the desc names; glm_file saves and loads the model. */
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"
#include "../likelihood/likelihood_private.h"
#include "glm_private.h"
#include "full.h"
#include "laplace.h"
#include "result_private.h"
#include "search_private.h"

/* The default: of flat priors Laplace's method, which takes them, else a full Gaussian. */
BLNI_PRIV bln_glm_method blni_glm_method_of(const bln_glm_desc *d)
{
    if (d->method.ops) return d->method;
    for (size_t s = 0; d->prior_var && s < blni_glm_priors(d); s++)
        if (blni_flat(d->prior_var[s])) return bln_glm_laplace();
    return bln_glm_full(NULL);
}

/* Has log p of one latent any curvature in f? Laplace's method has nothing to go by where it has none. */
BLNI_PRIV int blni_glm_curves(const bln_likelihood *l)
{
    enum { POINTS = 5 };
    const double f[POINTS] = { -3.0, -0.7, 0.4, 1.6, 4.0 }, y[POINTS] = { 1.0, 1.0, 1.0, 1.0, 1.0 };
    double eta[BLN_LIKELIHOOD_THETA], logp[POINTS], d1[POINTS], d2[POINTS], d3[POINTS];
    bln_targets t = BLN_ZERO;
    bln_param p;
    int curves = 0;
    t.y = y;
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_likelihood_param(l, k, 1.0, 1.0, &p);
        eta[k] = p.start;
    }
    bln_likelihood_eval(l, eta, POINTS, &t, f, logp, d1, d2, d3);
    for (size_t i = 0; i < POINTS; i++) curves |= d2[i] != 0.0;
    return curves;
}

/* Whose fit comes first. That of the default is Laplace's, if it learns anything that is then held, of one latent without an order
 * of classes: where a classifier of several classes is all but sure, Laplace's evidence is not to be trusted. */
BLNI_PRIV bln_glm_method blni_glm_hyper_of(const bln_glm_desc *d)
{
    const bln_likelihood *l = &d->likelihood;
    if (d->hyper.ops || d->method.ops || blni_glm_method_of(d).ops == bln_glm_laplace().ops) return d->hyper;
    const int learns = !d->fix_prior_var || (!d->fix_theta && d->basis && blni_glm_thetas(d));
    return learns && l->ops && !l->ops->latents && !l->ops->sized && blni_glm_curves(l) ? bln_glm_laplace() : d->hyper;
}

/* What all methods share. */
BLNI_PRIV void blni_glm_common_defaults(bln_glm_desc *d, blni_glm_form form)
{
    if (!d->block)            d->block = form == BLNI_GLM_DIAGONAL ? 64 : 256;
    if (!(d->theta_sd > 0.0)) d->theta_sd = 1.0;
}

/* Every default filled in, of the method's options too. A method that cannot learn hyper-parameters holds them. */
BLNI_ONCE BLNI_PRIV void blni_glm_resolve(const bln_glm_desc *desc, bln_glm_desc *d, blni_glm_own *own)
{
    *d = *desc;
    d->method = blni_glm_method_of(desc);
    d->hyper = blni_glm_hyper_of(desc);
    const bln_glm_method_ops *ops = d->method.ops;
    blni_glm_own_of(d->method, own);
    if (!blni_glm_can(ops, own, BLNI_CAN_LEARN)) d->fix_prior_var = d->fix_likelihood = d->fix_theta = 1;
    if (!d->max_iterations)    d->max_iterations = blni_glm_by_batches(ops, own) ? 200 : ops->iterations;
    if (!(d->tolerance > 0.0)) d->tolerance = ops->tolerance;
    blni_glm_common_defaults(d, ops->form);
}

/* The method alone, or first that of the hyper-parameters: how many stages there are. */
BLNI_ONCE BLNI_PRIV int blni_glm_stages(const bln_glm_desc *desc, blni_glm_stage *first, blni_glm_stage *second)
{
    bln_glm_desc d = *desc;
    const bln_glm_method hyper = blni_glm_hyper_of(desc);
    if (hyper.ops) d.method = hyper;
    blni_glm_resolve(&d, &first->desc, &first->own);
    if (!hyper.ops) return 1;
    blni_glm_resolve(desc, &second->desc, &second->own);
    return 2;
}

/* Of the method that is to choose them. */
BLNI_PRIV const char *blni_glm_check_hyper(const bln_glm_desc *desc)
{
    bln_glm_desc d = *desc;
    d.hyper = blni_glm_hyper_of(desc);
    if (!d.hyper.ops) return NULL;
    blni_glm_own own;
    blni_glm_own_of(d.hyper, &own);
    if (!blni_glm_can(d.hyper.ops, &own, BLNI_CAN_LEARN)) return "glm: the method of hyper learns no hyper-parameters";
    d.method = d.hyper;
    d.hyper = blni_glm_method(NULL, NULL);
    return bln_glm_check(&d);
}

BLNI_ONCE BLN_API bln_glm_desc bln_glm_defaults(const bln_glm_desc *desc)
{
    bln_glm_desc none = BLN_ZERO, d;
    blni_glm_own own = BLN_ZERO;
    blni_glm_resolve(desc ? desc : &none, &d, &own);
    return d;
}

/* What cannot learn holds the prior variances from the data too. */
BLNI_PRIV const char *blni_glm_check_priors(const bln_glm_desc *d, const bln_glm_method_ops *ops, const blni_glm_own *own)
{
    const int fixed = d->fix_prior_var && blni_glm_can(ops, own, BLNI_CAN_LEARN), flat = blni_glm_can(ops, own, BLNI_CAN_FLAT);
    if (fixed && !d->prior_var) return "glm: fix_prior_var needs prior_var";
    for (size_t s = 0; d->prior_var && s < blni_glm_priors(d); s++) {
        if (!(d->prior_var[s] >= 0.0)) return "glm: prior variances must be >= 0";
        if (blni_flat(d->prior_var[s]) && !flat) return "glm: no flat prior for this method (Laplace's takes it)";
        if (blni_flat(d->prior_var[s]) && bln_likelihood_classes(&d->likelihood) == blni_glm_latents(d))
            return "glm: with a flat prior classes need one for reference (bln_likelihood_categorical_reference)";
        if (fixed && !(d->prior_var[s] > 0.0)) return "glm: fixed prior variances must be > 0";
    }
    return NULL;
}

BLNI_PRIV const char *blni_glm_check_bases(const bln_glm_desc *desc)
{
    if (desc->bases && !desc->likelihood.ops->latents) return "glm: bases are for likelihoods of several latents";
    for (size_t j = 0; j < blni_glm_latents(desc); j++) {
        const bln_basis *b = blni_glm_basis_of(desc, j);
        const char *why = b ? bln_basis_check(b) : "glm: basis is NULL";
        if (why) return why;
    }
    return NULL;
}

BLNI_ONCE BLN_API const char *bln_glm_check(const bln_glm_desc *desc)
{
    if (!desc) return "glm: desc is NULL";
    const char *why = bln_likelihood_check(&desc->likelihood);
    if (!why) why = blni_glm_check_bases(desc);
    if (why) return why;
    const bln_glm_method method = blni_glm_method_of(desc);
    const bln_glm_method_ops *ops = method.ops;
    if (ops->own_size > sizeof(blni_glm_own)) return "glm: the options of the method are too many";
    blni_glm_own own;
    blni_glm_own_of(method, &own);
    if (desc->likelihood.ops->latents && !blni_glm_can(ops, &own, BLNI_CAN_LATENTS))
        return "glm: this method takes one latent only (laplace, full, map and, of some likelihoods, gibbs and cavi take several)";
    if (desc->allreduce && !blni_glm_can(ops, &own, BLNI_CAN_SHARE))
        return "glm: of several processes only laplace, full, cavi and map, without batches, can add up the rows";
    const bln_glm_stochastic *steps = blni_glm_steps_of(ops, &own);
    if (steps) why = blni_glm_search_check(steps);
    if (!why && ops->check) why = ops->check(desc, &own);
    if (!why) why = blni_glm_check_priors(desc, ops, &own);
    if (!why) why = blni_glm_check_hyper(desc);
    if (why) return why;
    if (desc->theta && !blni_glm_theta_usable(desc, desc->theta)) return "glm: theta outside its domain, or not finite";
    if (desc->likelihood_theta && !blni_eta_usable(&desc->likelihood, desc->likelihood_theta))
        return "glm: likelihood_theta outside its domain, or not finite";
    if (!(desc->theta_sd >= 0.0)) return "glm: theta_sd must be >= 0";
    if (!(desc->tolerance >= 0.0)) return "glm: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "glm: allocator needs both alloc and release, or neither";
    for (size_t v = 0; v < blni_glm_views(desc) && !desc->fix_theta; v++) {
        const bln_basis *b = blni_glm_basis_of(desc, v);
        if (b->n_theta && !b->ops->pullback) return "glm: the basis has no pullback; set fix_theta";
    }
    return NULL;
}

/* Weights whose prior is flat, ascending: how many. */
BLNI_PRIV size_t blni_glm_flat(const bln_glm_desc *d, const double *prior_var, size_t *flat)
{
    size_t n = 0;
    for (size_t t = 0; t < blni_glm_slices(d); t++) {
        const blni_glm_slice s = blni_glm_slice_at(d, t);
        for (size_t i = s.first; i < s.end && blni_flat(prior_var[s.prior]); i++) flat[n++] = i;
    }
    return n;
}

/* A posterior of the model's, or one that says that there is none. */
BLNI_ONCE BLNI_PRIV void blni_glm_show(const bln_glm *glm, const blni_store *store, bln_posterior *q)
{
    memset(q, 0, sizeof *q);
    if (store) *q = store->q;
    else q->observe = blni_glm_observe(&glm->desc.likelihood);
    q->status = store ? BLN_OK : BLN_ESTATE;
    q->bases = glm->bases;
    q->block = glm->desc.block;
    q->alloc = glm->alloc;
}

/* What a result with its arrays set still lacks: what features miss, and which weights are flat. */
BLNI_PRIV void blni_glm_complete(const bln_glm *glm, blni_glm_result *r)
{
    bln_group *g = (bln_group *)(uintptr_t)r->store->q.groups;
    for (size_t k = 0; r->s && k < (r->shape.weighted ? r->shape.K : 1); k++) {
        blni_glm_result_at(r, k);
        r->misses |= blni_glm_misses(&glm->desc, r->s, r->lambda);
    }
    for (size_t k = 0; k < r->store->q.n_groups; k++) {
        bln_gaussians *v = (bln_gaussians *)(uintptr_t)g[k].view;
        const int flat = r->shape.form == BLNI_GLM_FACTOR && !r->shape.weighted;
        if (r->shape.form == BLNI_GLM_FACTOR) v->n_flat = flat ? blni_glm_flat(&glm->desc, glm->fit->hyper.prior_var, r->flat) : 0;
        if (!r->misses) g[k].residual = NULL;
    }
}

/* The model's posterior from now on. */
BLNI_PRIV void blni_glm_keep(bln_glm *glm, const blni_glm_result *r)
{
    blni_store_free(glm->store);
    bln_chains_free(glm->chains);
    glm->store = r->store;
    glm->chains = r->chains;
    glm->objective = r->objective;
    blni_glm_show(glm, glm->store, &glm->posterior);
}

/* The object and the caller's starts, copied so that the desc need not outlive _create. */
BLNI_ONCE BLNI_PRIV bln_glm *blni_glm_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *starts)
{
    bln_glm *glm = (bln_glm *)blni_carve(a, 1, sizeof(bln_glm));
    double *learnt = blni_carve_doubles(a, blni_glm_priors(d));
    const bln_basis **bases = (const bln_basis **)blni_carve(a, blni_glm_latents(d), sizeof *bases);
    blni_glm_hyper_carve(a, d, starts);
    if (glm) {
        memset(glm, 0, sizeof *glm);
        glm->prior_var = learnt;
        glm->bases = bases;
        for (size_t j = 0; j < blni_glm_latents(d); j++) bases[j] = blni_glm_basis_of(d, j);
    }
    return glm;
}

BLN_API size_t bln_glm_size(const bln_glm_desc *desc, size_t n)
{
    if (bln_glm_check(desc)) return (size_t)-1;
    bln_glm_desc d;
    blni_glm_own own;
    blni_glm_hyper starts;
    blni_glm_sized sized;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_resolve(desc, &d, &own);
    const blni_glm_shape shape = blni_glm_shape_of(&d, &own);
    blni_glm_size_of(&d, &shape, &sized);
    blni_glm_carve(&a, &d, &starts);
    return blni_add(a.used, blni_store_size(&sized.q));
}

/* An object with copies of what the desc points to, but no method yet. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_make(const bln_glm_desc *desc, bln_glm **out, bln_report *report)
{
    blni_glm_hyper starts;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_carve(&a, desc, &starts);
    BLNI_TRY(blni_arena_take(&desc->alloc, a.used, "glm", &a, report));
    bln_glm *glm = blni_glm_carve(&a, desc, &starts);
    glm->given = *desc;
    glm->given.basis = glm->bases[0];
    glm->given.bases = desc->likelihood.ops->latents ? glm->bases : NULL;
    glm->alloc = desc->alloc;
    glm->block = a.base;
    glm->bytes = a.size;
    if (desc->prior_var) {
        memcpy(starts.prior_var, desc->prior_var, blni_glm_priors(desc)*sizeof(double));
        glm->given.prior_var = starts.prior_var;
    }
    if (desc->likelihood_theta) {
        memcpy(starts.eta, desc->likelihood_theta, desc->likelihood.n_theta*sizeof(double));
        glm->given.likelihood_theta = starts.eta;
    }
    if (desc->theta) {
        memcpy(starts.theta, desc->theta, blni_glm_thetas(desc)*sizeof(double));
        glm->given.theta = starts.theta;
    }
    *out = glm;
    return BLN_OK;
}

/* As it was told, with another method. */
BLNI_ONCE BLNI_PRIV bln_glm_desc blni_glm_told(const bln_glm *glm, bln_glm_method method)
{
    bln_glm_desc d = glm->given;
    d.method = method;
    if (glm->chose_hyper) d.hyper = blni_glm_method(NULL, NULL);
    return d;
}

/* The method, with a copy of what it brings along, and that of desc.hyper. */
BLNI_ONCE BLNI_PRIV void blni_glm_adopt(bln_glm *glm, bln_glm_method method)
{
    bln_glm_desc *d = &glm->given;
    blni_glm_own own;
    *d = blni_glm_told(glm, method);
    glm->chose_hyper = !d->hyper.ops;
    d->hyper = blni_glm_hyper_of(d);
    d->method = blni_glm_method_of(d);
    blni_glm_own_of(d->method, &glm->own);
    d->method.own = &glm->own;
    if (d->hyper.ops) { blni_glm_own_of(d->hyper, &glm->before); d->hyper.own = &glm->before; }
    blni_glm_resolve(d, &glm->desc, &own);
    blni_glm_show(glm, glm->store, &glm->posterior);
}

BLN_API bln_status bln_glm_create(const bln_glm_desc *desc, bln_glm **out, bln_report *report)
{
    const char *why = out ? bln_glm_check(desc) : "glm: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const bln_status status = blni_glm_make(desc, out, report);
    if (status == BLN_OK) blni_glm_adopt(*out, desc->method);
    return status;
}

BLN_API bln_status bln_glm_set_method(bln_glm *glm, bln_glm_method method, bln_report *report)
{
    BLNI_TRY(blni_begin(report, glm != NULL, "glm: model is NULL"));
    const bln_glm_desc desc = blni_glm_told(glm, method);
    const char *why = bln_glm_check(&desc);
    if (why) return blni_refuse(report, BLN_EINVAL, why);
    bln_glm_abandon(glm);
    blni_glm_adopt(glm, method);
    return BLN_OK;
}

BLNI_ONCE BLN_API void bln_glm_free(bln_glm *glm)
{
    if (!glm) return;
    bln_glm_abandon(glm);
    for (size_t j = 0; j < glm->n_owned; j++) bln_basis_free((bln_basis *)(uintptr_t)glm->bases[j]);
    blni_store_free(glm->store);
    bln_chains_free(glm->chains);
    blni_release(&glm->alloc, glm->block, glm->bytes);
}

BLNI_PRIV int blni_glm_fitted(const bln_glm *glm) { return glm && glm->store; }

BLN_API const bln_posterior  *bln_glm_posterior(const bln_glm *glm)  { return glm ? &glm->posterior : NULL; }
BLN_API const bln_chains     *bln_glm_chains(const bln_glm *glm)     { return glm ? glm->chains : NULL; }
BLN_API const bln_basis      *bln_glm_basis(const bln_glm *glm)      { return glm ? glm->desc.basis : NULL; }
BLN_API const bln_likelihood *bln_glm_likelihood(const bln_glm *glm) { return glm ? &glm->desc.likelihood : NULL; }
BLN_API const double *bln_glm_likelihood_theta(const bln_glm *glm)
{
    return blni_glm_fitted(glm) ? glm->posterior.groups->eta : NULL;
}
BLN_API const double *bln_glm_theta(const bln_glm *glm)     { return blni_glm_fitted(glm) ? glm->posterior.groups->theta : NULL; }
BLN_API const double *bln_glm_prior_var(const bln_glm *glm) { return blni_glm_fitted(glm) ? glm->prior_var : NULL; }
BLN_API const char *bln_glm_method_name(const bln_glm *glm)
{
    return !glm ? NULL : glm->store ? glm->method : glm->desc.method.ops->name;
}
BLN_API double bln_glm_objective(const bln_glm *glm)        { return blni_glm_fitted(glm) ? glm->objective : BLNI_NAN; }
BLN_API double bln_glm_rows(const bln_glm *glm)             { return blni_glm_fitted(glm) ? glm->posterior.rows : BLNI_NAN; }

BLN_API bln_status bln_glm_predict(const bln_glm *glm, const bln_data *data, double *mean, double *var_model, double *var_noise,
                                   double *work, bln_report *report)
{
    return bln_posterior_predict(bln_glm_posterior(glm), data, mean, var_model, var_noise, work, report);
}

BLN_API bln_status bln_glm_unbounded(const bln_glm *glm, const bln_data *data, int *unbounded, bln_report *report)
{
    double most = -HUGE_VAL, largest = -HUGE_VAL;
    void *block;
    BLNI_TRY(blni_begin(report, blni_glm_fitted(glm) && unbounded, "glm: unbounded: not fitted, or no place for the answer"));
    BLNI_TRY(bln_data_check(data, 1, report));
    *unbounded = 0;
    if (glm->posterior.observe.n_moments != 1) return BLN_OK;
    const size_t n = data->n, bytes = blni_mul(n, 3*sizeof(double));
    BLNI_TRY(blni_take(&glm->alloc, bytes, "glm", &block, report));
    double *mean = (double *)block, *lower = mean + n, *upper = lower + n;
    bln_status status = bln_glm_predict(glm, data, mean, NULL, NULL, NULL, report);
    for (size_t i = 0; i < n && status == BLN_OK; i++) { most = fmax(most, blni_y(data, i, 0)); largest = fmax(largest, mean[i]); }
    if (status == BLN_OK && largest > most + 1.0)
        status = bln_posterior_intervals(&glm->posterior, data, BLN_OF_Y, 0.95, lower, upper, NULL, report);
    for (size_t i = 0; i < n && status == BLN_OK; i++) *unbounded |= mean[i] > most + 1.0 && mean[i] > upper[i] + 1.0;
    blni_release(&glm->alloc, block, bytes);
    return status;
}
