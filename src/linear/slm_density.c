/* slm_density: the evidence as a density: a fit that never searches, whose coordinates and slopes are those of all fits */
#include "slm_density.h"
#include "slm_private.h"
#include "../core/data_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../optim/transform_private.h"
#include "../posterior/hyper_prior_private.h"
#include "../posterior/prior_private.h"
#include "../posterior/sample_private.h"

#define BLNI_MARGINAL_STREAM (UINT64_C(5) << 60)         /* of weights: none of the sampler's */

struct bln_slm_density {
    bln_allocator    alloc;
    size_t           bytes;
    const bln_slm   *of;
    bln_slm         *model;                  /* its fit is open as long as this is                        */
    bln_data         data;
    blni_slm_result  r;                      /* the posterior of w at the last draw                       */
    size_t           dim, n_theta;           /* coordinates, and those of theta, which are the last       */
    blni_hyper_prior *prior;                 /* of the others                                             */
    double          *start, *work;
};

/* log prior of the coordinates q; adds its slopes to g unless NULL. */
BLNI_PRIV double blni_marginal_prior(const bln_slm_density *d, const double *q, double *g)
{
    const blni_slm_fit *f = d->model->fit;
    const double precision = 1.0/(f->desc.theta_sd*f->desc.theta_sd);      /* 0 for HUGE_VAL */
    double sum = 0.0;
    for (size_t k = 0; k < d->dim; k++) {
        const bln_param *p = f->param + k;
        const double rise = bln_param_slope(p, q[k]), delta = q[k] - f->x0[k];
        if (k + d->n_theta >= d->dim && (p->kind == BLN_PARAM_LOG || p->kind == BLN_PARAM_POSITIVE)) {
            sum -= 0.5*precision*delta*delta;
            if (precision > 0.0) sum += 0.5*(log(precision) - BLNI_LOG_2PI);
            if (g) g[k] -= precision*delta;
            continue;
        }
        double slope = 0.0;
        if (k + d->n_theta < d->dim) sum += blni_hyper_density(d->prior + k, bln_param_natural(p, q[k]), &slope);
        sum += log(rise);
        if (g) g[k] += slope*rise + blni_param_bend(p, q[k]);
    }
    return sum;
}

BLNI_PRIV bln_status blni_marginal_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const bln_slm_density *d = (const bln_slm_density *)user;
    blni_slm_fit *f = d->model->fit;
    bln_status status = blni_fit_evaluate(f, q, value, report);
    *value = -HUGE_VAL;
    /* Rows that lie in memory cannot fail, and B that has no factor is no failure here. */
    if (BLNI_NEVER(status != BLN_OK) || !f->evaluated) return status;
    const double evidence = f->evidence;
    if (gradient) status = blni_fit_slope(f, gradient, report);
    if (BLNI_NEVER(status != BLN_OK)) return status;
    if (gradient) bln_scal(d->dim, -1.0, gradient);
    *value = evidence + blni_marginal_prior(d, q, gradient);
    return BLN_OK;
}

BLNI_PRIV void blni_marginal_output(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    bln_slm_density *d = (bln_slm_density *)user;
    blni_slm_fit *f = d->model->fit;
    const size_t D = f->desc.basis->D;
    blni_gaussian g = BLN_ZERO;
    f->evaluated = 0;                                            /* the point last evaluated is another one */
    memcpy(f->best_x, q, d->dim*sizeof *q);
    const int good = blni_fit_posterior(f, &d->r, NULL) == BLN_OK;
    g.form = BLN_GAUSSIAN_FACTOR;
    g.D = g.k = g.ldr = D;
    g.m = d->r.m;
    g.s = d->r.s;
    g.R = d->r.R;
    if (good) blni_gaussian_sample(&g, NULL, 1, seed, BLNI_MARGINAL_STREAM + draw, out, NULL, D, d->work);
    for (size_t i = 0; i < D && !good; i++) out[i] = BLNI_NAN;
    for (size_t k = 0; k < d->dim; k++) out[D + k] = bln_param_natural(f->param + k, q[k]);
}

/* "w[3]", "noise variance", "prior_var[1]", "theta[2]" */
BLNI_PRIV void blni_marginal_name(void *user, size_t k, char *text, size_t size)
{
    const bln_slm_density *d = (const bln_slm_density *)user;
    const blni_slm_fit *f = d->model->fit;
    const size_t D = f->desc.basis->D, first = D + (size_t)(f->free_noise != 0), theta = D + d->dim - d->n_theta;
    text[0] = '\0';
    if (k == D && f->free_noise) { blni_cat(text, size, "noise variance"); return; }
    size_t number = k < D ? k : k < theta ? BLN_NONE : k - theta;
    for (size_t s = 0, at = first; number == BLN_NONE; s++)      /* those that are learnt keep their number */
        if (blni_learns_prior(&f->desc, s) && at++ == k) number = s;
    blni_cat(text, size, k < D ? "w[" : k < theta ? "prior_var[" : "theta[");
    blni_cat_size(text, size, 1 + number);
    blni_cat(text, size, "]");
}

BLNI_PRIV bln_status blni_marginal_clone(void *user, const bln_allocator *alloc, void **out)
{
    const bln_slm_density *d = (const bln_slm_density *)user;
    bln_slm_density *copy = NULL;
    (void)alloc;                                                 /* that of the model */
    const bln_status status = bln_slm_density_create(d->of, &d->data, &copy, NULL);
    *out = copy;
    return status;
}

BLNI_PRIV void blni_marginal_release(void *user) { bln_slm_density_free((bln_slm_density *)user); }

/* The priors, right after the first start, when d_prior holds the mean squares of the features. */
BLNI_PRIV void blni_marginal_priors(bln_slm_density *d)
{
    const blni_slm_fit *f = d->model->fit;
    const bln_slm_desc *desc = &f->desc;
    const double var = f->scan.y_var[0], unit = var > 0.0 ? sqrt(var) : 1.0;
    size_t k = 0;
    bln_param noise = BLN_ZERO;
    noise.y_power = 2;
    if (f->free_noise) d->prior[k++] = blni_hyper_of_param(&noise, unit);
    for (size_t s = 0; s < blni_priors(desc->basis, desc->per_weight); s++) {
        const double square = f->d_prior[s]/(double)blni_prior_active(desc->basis, desc->per_weight, s);
        if (blni_learns_prior(desc, s))
            d->prior[k++] = blni_hyper_of_prior_var(square > 0.0 ? unit/sqrt(square) : unit, desc->per_weight);
    }
}

BLNI_PRIV void blni_marginal_starts(bln_slm_density *d)
{
    const blni_slm_fit *f = d->model->fit;
    const bln_slm *slm = d->of;
    size_t k = 0;
    memcpy(d->start, f->base, d->dim*sizeof *d->start);
    if (!blni_slm_fitted(slm)) return;
    if (f->free_noise) { d->start[k] = bln_param_free(f->param + k, bln_slm_noise_var(slm)); k++; }
    for (size_t s = 0; s < blni_priors(f->desc.basis, f->desc.per_weight); s++)
        if (blni_learns_prior(&f->desc, s)) { d->start[k] = bln_param_free(f->param + k, slm->prior_var[s]); k++; }
    for (size_t t = 0; t < d->n_theta; t++, k++) d->start[k] = bln_param_free(f->param + k, bln_slm_theta(slm)[t]);
}

/* The model with its rows at hand. */
BLNI_PRIV bln_status blni_marginal_open(bln_slm_density *d, bln_report *report)
{
    bln_slm_desc desc = d->of->desc;
    desc.form = BLN_SLM_PRIMAL;
    desc.arithmetic = BLN_SLM_DOUBLE;
    BLNI_TRY(bln_slm_create(&desc, &d->model, report));
    BLNI_TRY(blni_fit_open(d->model, NULL, &d->data, report));
    BLNI_TRY(blni_fit_check_targets(d->model->fit, report));
    BLNI_TRY(blni_fit_first_start(d->model->fit, report));
    return blni_fit_room(d->model, &d->r, report);
}

BLNI_ONCE BLN_API bln_status bln_slm_density_create(const bln_slm *slm, const bln_data *data, bln_slm_density **out,
                                                    bln_report *report)
{
    void *block;
    blni_gaussian sized = BLN_ZERO;
    BLNI_TRY(blni_begin(report, slm && data && out, "slm_density: NULL argument"));
    const bln_slm_desc *desc = &slm->desc;
    const size_t dim = blni_fit_count_free(desc);
    if (desc->n_outputs > 1 || desc->relative_prior || desc->allreduce || dim == 0)
        return blni_refuse(report, BLN_EINVAL, "slm_density: of one output, absolute prior variances and one process, with "
                                               "something to learn");
    if (!desc->fix_theta && desc->basis->n_theta && desc->theta_sd > DBL_MAX)
        return blni_refuse(report, BLN_EINVAL, "slm_density: theta cannot be sampled without its prior (theta_sd)");
    sized.form = BLN_GAUSSIAN_FACTOR;
    sized.D = sized.k = desc->basis->D;
    const size_t work = blni_gaussian_sample_work(&sized), priors = blni_mul(dim, sizeof *(*out)->prior);
    const size_t bytes = blni_add(sizeof **out, blni_add(priors, blni_mul(blni_add(dim, work), sizeof(double))));
    BLNI_TRY(blni_take(&slm->alloc, bytes, "slm_density", &block, report));
    bln_slm_density *d = (bln_slm_density *)memset(block, 0, bytes);
    d->alloc = slm->alloc;
    d->bytes = bytes;
    d->of = slm;
    d->data = *data;
    d->dim = dim;
    d->n_theta = desc->fix_theta ? 0 : desc->basis->n_theta;
    d->prior = (blni_hyper_prior *)(void *)(d + 1);
    d->start = (double *)(void *)(d->prior + dim);
    d->work = d->start + dim;
    bln_status status = blni_marginal_open(d, report);
    if (status == BLN_OK) {
        blni_marginal_priors(d);
        blni_marginal_starts(d);
        *out = d;
    } else bln_slm_density_free(d);
    return status;
}

BLN_API void bln_slm_density_free(bln_slm_density *density)
{
    if (!density) return;
    blni_store_free(density->r.store);
    bln_slm_free(density->model);
    blni_release(&density->alloc, density, density->bytes);
}

BLN_API bln_density bln_slm_density_of(bln_slm_density *density)
{
    bln_density d = BLN_ZERO;
    if (!density) return d;
    d.dim = density->dim;
    d.n_out = density->model->desc.basis->D + density->dim;
    d.eval = blni_marginal_eval;
    d.user = density;
    d.clone = blni_marginal_clone;
    d.release = blni_marginal_release;
    d.output = blni_marginal_output;
    d.name = blni_marginal_name;
    return d;
}

BLN_API const double *bln_slm_density_start(const bln_slm_density *density) { return density ? density->start : NULL; }
