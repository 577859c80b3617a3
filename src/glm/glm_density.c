/* glm_density: the joint density, made as the objective of a method that never searches, so that coordinates, priors and chain rule
 * are those of all methods                                                                                     [samplers 50] */
#include "glm_density_private.h"
#include "glm_private.h"
#include "keep_private.h"
#include "mode_private.h"
#include "search_private.h"
#include "../core/status_private.h"
#include "../likelihood/likelihood_private.h"
#include "../math/vecmath_private.h"
#include "../posterior/prior_private.h"
#include "../posterior/weights.h"

/* ---- the method: q is v */

typedef struct blni_joint { double *root, *w, *slope; } blni_joint;

BLNI_PRIV void *blni_joint_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    const size_t D = f->rows.n_w;
    blni_joint counted, *s = (blni_joint *)blni_carve(a, 1, sizeof *s), *to = s ? s : &counted;
    BLNI_CARVE3(a, D, to->root, to->w, to->slope);
    f->search.integrated = 1;
    blni_glm_search_carve(a, f, D);
    return s;
}

BLNI_PRIV bln_status blni_joint_value(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report)
{
    blni_joint *s = (blni_joint *)state;
    double low, high;
    blni_glm_roots(&f->rows, &f->hyper, s->root);
    blni_vec_product(f->rows.n_w, 1.0, s->root, q, s->w);
    *value = -HUGE_VAL;
    if (!blni_vec_range(f->rows.n_w, s->w, &low, &high)) return BLN_OK;
    return blni_map_pass(&f->rows, &f->hyper, s->root, s->w, value, s->slope, NULL, report);
}

/* With eta and theta in a second pass: d/d eta_k = sum_n k_n dlog p_n, and F = d1 w' is pulled back to theta. */
BLNI_PRIV bln_status blni_joint_rest(blni_glm_fit *f, const double *w, bln_report *report)
{
    blni_glm_rows *r = &f->rows;
    const bln_likelihood *l = &f->desc.likelihood;
    for (size_t k = 0; k < l->n_theta && f->slope.eta; k++) f->slope.eta[k] = 0.0;
    for (size_t k = 0; k < blni_glm_thetas(&f->desc) && f->slope.theta; k++) f->slope.theta[k] = 0.0;
    BLNI_PASS(r, f->hyper.theta, NULL) {
        blni_glm_eval(r, f->hyper.eta, rows.n, &t, w);
        for (size_t k = 0; k < l->n_theta && f->slope.eta; k++) {
            blni_likelihood_eval_param(l, f->hyper.eta, k, rows.n, &t, r->f, r->t0, NULL, NULL);
            for (size_t i = 0; i < rows.n; i++) if (r->k[i] > 0.0) f->slope.eta[k] += r->k[i]*r->t0[i];
        }
        if (!f->slope.theta) continue;
        for (size_t i = 0; i < rows.n; i++)
            for (size_t j = 0; j < r->D; j++) r->F[i*r->D + j] = r->d1[i]*w[j];
        blni_glm_pullback(r, &rows, f->slope.theta);
    }
    return status;
}

/* w_i = e^(log lambda/2) v_i, so that d/d log lambda is half the sum of w_i d/dw_i, without the prior of v. */
BLNI_ONCE BLNI_PRIV bln_status blni_joint_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report)
{
    const blni_joint *s = (const blni_joint *)state;
    memcpy(dq, s->slope, f->rows.n_w*sizeof *dq);
    for (size_t k = 0; k < blni_glm_priors(&f->desc) && f->slope.prior_var; k++) f->slope.prior_var[k] = 0.0;
    for (size_t t = 0; t < f->rows.n_slices && f->slope.prior_var; t++)
        for (size_t i = f->rows.slice[t].first; i < f->rows.slice[t].end; i++) {
            const double v = s->w[i]/s->root[i];
            f->slope.prior_var[f->rows.slice[t].prior] += 0.5*v*(s->slope[i] + v);
        }
    return f->slope.eta || f->slope.theta ? blni_joint_rest(f, s->w, report) : BLN_OK;
}

BLNI_TABLE const bln_glm_method_ops blni_joint_ops = {
    "joint", 0, BLN_NONE, BLNI_CAN_LEARN, 0, BLNI_GLM_POINT, BLNI_GLM_POINT, BLN_SITES_NONE, 1, 1.0, NULL, NULL, NULL,
    blni_joint_carve, NULL, NULL, NULL, NULL, blni_joint_value, blni_joint_slopes, NULL, NULL, NULL
};

/* ---- the density */

struct bln_glm_density {
    bln_allocator  alloc;
    size_t         bytes;
    bln_glm_desc   desc;
    bln_data       data;
    blni_glm_fit  *f;
    double        *start;
};

BLNI_PRIV bln_status blni_joint_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    blni_glm_fit *f = ((bln_glm_density *)user)->f;
    blni_glm_search *s = &f->search;
    double objective;
    BLNI_TRY(blni_glm_search_objective(f, s->n, q, &objective, gradient, report));
    *value = -objective;
    for (size_t k = 0; k < s->n && gradient; k++) gradient[k] = -gradient[k];
    return BLN_OK;
}

BLNI_PRIV void blni_joint_output(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    blni_glm_fit *f = ((bln_glm_density *)user)->f;
    const blni_glm_search *s = &f->search;
    blni_joint *state = (blni_joint *)f->state;
    blni_glm_search_natural(f, q);
    f->search.evaluated = 0;                                     /* the point last evaluated is another one */
    blni_glm_roots(&f->rows, &f->hyper, state->root);
    blni_vec_product(s->n_q, 1.0, state->root, q, out);
    for (size_t k = 0; k < s->n_hyper; k++) out[s->n_q + k] = bln_param_natural(s->param + k, q[s->n_q + k]);
}

BLNI_PRIV void blni_joint_name(void *user, size_t k, char *text, size_t size)
{
    blni_keep_name(((const bln_glm_density *)user)->f, k, text, size);
}

/* For a desc with its defaults, of whatever method. What it points to must stay, as must the rows. There is no start yet. */
BLNI_ONCE BLNI_PRIV bln_status blni_joint_make(const bln_allocator *alloc, const bln_glm_desc *desc, const bln_data *data,
                                               bln_glm_density **out, bln_report *report)
{
    void *block;
    blni_glm_own own = BLN_ZERO;
    const size_t dim = blni_add(blni_glm_weights(desc), blni_glm_count_hyper(desc));
    const size_t bytes = blni_add(sizeof(bln_glm_density), blni_mul(dim, sizeof(double)));
    BLNI_TRY(blni_take(alloc, bytes, "glm_density", &block, report));
    bln_glm_density *d = (bln_glm_density *)memset(block, 0, bytes);
    d->alloc = *alloc;
    d->bytes = bytes;
    d->desc = *desc;
    d->desc.method = blni_glm_method(&blni_joint_ops, NULL);
    d->data = *data;
    d->start = (double *)(void *)(d + 1);
    bln_status status = blni_glm_open(&d->alloc, &d->desc, &own, NULL, NULL, &d->data, 1, &d->f, report);
    if (status == BLN_OK) status = blni_glm_starts(d->f, report);
    if (status == BLN_OK) {
        d->f->search.state = d->f->state;
        blni_glm_search_free(d->f, d->f->search.x0 + d->f->search.n_q);      /* about which theta has its prior */
        *out = d;
    } else bln_glm_density_free(d);
    return status;
}

BLNI_PRIV bln_status blni_joint_clone(void *user, const bln_allocator *alloc, void **out)
{
    const bln_glm_density *d = (const bln_glm_density *)user;
    bln_glm_density *copy = NULL;
    (void)alloc;                                                 /* that of the model */
    const bln_status status = blni_joint_make(&d->alloc, &d->desc, &d->data, &copy, NULL);
    *out = copy;
    return status;
}

BLNI_ONCE BLNI_PRIV void blni_joint_release(void *user) { bln_glm_density_free((bln_glm_density *)user); }

/* start <- the mean of the posterior of a fitted model, in these coordinates. */
BLNI_PRIV void blni_joint_starts(bln_glm_density *d, const bln_glm *glm)
{
    blni_glm_fit *f = d->f;
    const size_t D = f->search.n_q;
    const bln_posterior *q = bln_glm_posterior(glm);
    const blni_joint *state = (const blni_joint *)f->state;
    if (q->status == BLN_OK && bln_posterior_coefficients(q, d->start, NULL, 0, NULL, NULL, NULL, NULL) == BLN_OK) {
        memcpy(f->hyper.prior_var, glm->prior_var, blni_glm_priors(&f->desc)*sizeof(double));
        const double *eta = bln_glm_likelihood_theta(glm), *theta = bln_glm_theta(glm);
        if (f->desc.likelihood.n_theta) memcpy(f->hyper.eta, eta, f->desc.likelihood.n_theta*sizeof *eta);
        if (blni_glm_thetas(&f->desc)) memcpy(f->hyper.theta, theta, blni_glm_thetas(&f->desc)*sizeof *theta);
    } else for (size_t i = 0; i < D; i++) d->start[i] = 0.0;
    blni_glm_roots(&f->rows, &f->hyper, state->root);
    for (size_t i = 0; i < D; i++) d->start[i] /= state->root[i];
    blni_glm_search_free(f, d->start + D);
}

BLNI_PRIV bln_status blni_joint_refused(const bln_glm *glm, bln_report *report)
{
    const bln_glm_desc *d = &glm->desc;
    const char *why = NULL;
    if (blni_glm_latents(d) > 1) why = "glm_density: of one latent only";
    if (d->allreduce) why = "glm_density: rows of several processes are not added up";
    for (size_t s = 0; d->prior_var && s < blni_glm_priors(d); s++)
        if (blni_flat(d->prior_var[s])) why = "glm_density: a flat prior of weights has no such coordinates";
    if (d->no_hyper_prior && blni_glm_count_hyper(d)) why = "glm_density: without priors there may be no density";
    return why ? blni_refuse(report, BLN_EINVAL, why) : BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_glm_density_create(const bln_glm *glm, const bln_data *data, bln_glm_density **out,
                                                    bln_report *report)
{
    BLNI_TRY(blni_begin(report, glm && data && out, "glm_density: NULL argument"));
    bln_status status = blni_joint_refused(glm, report);
    if (status == BLN_OK) status = blni_joint_make(&glm->alloc, &glm->desc, data, out, report);
    if (status == BLN_OK) blni_joint_starts(*out, glm);
    return status;
}

BLNI_ONCE BLN_API void bln_glm_density_free(bln_glm_density *density)
{
    if (!density) return;
    blni_glm_close(&density->alloc, density->f);
    blni_release(&density->alloc, density, density->bytes);
}

BLN_API bln_density bln_glm_density_of(bln_glm_density *density)
{
    bln_density d = BLN_ZERO;
    if (!density) return d;
    d.dim = d.n_out = density->f->search.n;
    d.eval = blni_joint_eval;
    d.user = density;
    d.clone = blni_joint_clone;
    d.release = blni_joint_release;
    d.output = blni_joint_output;
    d.name = blni_joint_name;
    return d;
}

BLN_API const double *bln_glm_density_start(const bln_glm_density *density) { return density ? density->start : NULL; }
