/* laplace: Laplace's approximation of the evidence at the mode, its gradient, and the method              [laplace 34-37, 39] */
#include "laplace_private.h"
#include "../likelihood/likelihood_private.h"
#include "../core/status_private.h"
#include "../posterior/prior_private.h"
#include "search_private.h"

enum { BLNI_LAPLACE_WEIGHTS = 2048 };

/* log Z, with the mode, the factor of B there, and that of H if it differs. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_laplace_value(blni_glm_fit *f, void *state, const double *q, double *value,
                                                      bln_report *report)
{
    blni_mode *e = (blni_mode *)state;
    const blni_glm_hyper *h = &f->hyper;
    const size_t D = e->D;
    size_t bad;
    bln_status status = blni_mode_enter(e, h, report);
    if (status == BLN_OK) status = blni_mode_newton(e, h, report);
    e->started = 0;
    if (status != BLN_OK) return status;
    const double negative = e->negative;
    if (negative > 0.0) {
        memcpy(e->H, e->B, D*D*sizeof *e->H);
        BLNI_TRY(blni_mode_pass(e, h, e->w, 1, report));
    }
    if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad))
        return blni_mode_not_found(e, report);
    if (negative > 0.0 && !blni_mode_factor(e, e->H, &bad)) memcpy(e->H, e->B, D*D*sizeof *e->H);
    e->negative = negative;
    f->condition = blni_mode_condition(e);
    *value = e->evidence = e->J - 0.5*blni_mode_logdet(e) + e->log_scale + 0.5*(double)e->n_flat*BLNI_LOG_2PI;
    e->started = 1;
    return BLN_OK;
}

/* ---- the gradient, after _value at the same point */

/* What a block adds to a = 1/2 Phi'(d3 o c), to d_eta and to b_k = Phi' dd1/d eta_k, c being the variances of its f. */
BLNI_PRIV void blni_glm_laplace_block(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *d_eta)
{
    blni_glm_rows *r = e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    const blni_gaussian g = blni_mode_gaussian(e, 0, e->w);
    const size_t D = e->D;
    blni_gaussian_project(&g, n, r->Phi, D, NULL, r->c, e->work);
    for (size_t i = 0; i < n; i++) if (r->d2[i] > 0.0) r->c[i] = 0.0;            /* there B has W_n = 0 */
    for (size_t k = 0; d_eta && k < l->n_theta; k++) {
        blni_likelihood_eval_param(l, h->eta, k, n, t, r->f, r->t0, r->t1, r->t2);
        for (size_t i = 0; i < n; i++) {
            const double weight = r->k[i];
            r->t1[i] = weight > 0.0 ? weight*r->t1[i] : 0.0;
            if (weight > 0.0) d_eta[k] += weight*(r->t0[i] + (r->c[i] > 0.0 ? 0.5*r->c[i]*r->t2[i] : 0.0));
        }
        bln_gemv(BLN_TRANS, n, D, 1.0, r->Phi, D, r->t1, 1.0, e->b + k*D);
    }
    for (size_t i = 0; i < n; i++) r->c[i] *= 0.5*r->d3[i];
    bln_gemv(BLN_TRANS, n, D, 1.0, r->Phi, D, r->c, 1.0, e->a);
}

/* The pass that gives a and, unless NULL, d_eta; then u = C a, by the true matrix. */
BLNI_PRIV bln_status blni_glm_laplace_movement(blni_mode *e, const blni_glm_hyper *h, double *d_eta, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    const size_t D = e->D, n_eta = l->n_theta;
    blni_glm_sums(r, D, e->a);
    blni_glm_sums(r, n_eta*D, e->b);
    blni_glm_sums(r, n_eta, d_eta);
    if (l->ops->latents) blni_latents_covariance(e);
    BLNI_PASS(r, h->theta, e->w) {
        blni_glm_eval(r, h->eta, rows.n, &t, e->w);
        if (l->ops->latents) blni_latents_block(e, h, rows.n, &t, d_eta);
        else                 blni_glm_laplace_block(e, h, rows.n, &t, d_eta);
    }
    if (l->ops->latents) bln_scal(D, -0.5, e->a);
    memcpy(e->u, e->a, D*sizeof *e->u);
    blni_mode_solve(e, e->negative > 0.0 ? e->H : e->B, e->u);
    for (size_t k = 0; d_eta && k < n_eta; k++) d_eta[k] += bln_dot(D, e->b + k*D, e->u);
    return status;
}

/* Rows of F = (d1 + 1/2 d3 c + d2 phi'u) w + d2 C phi + d1 u, with c = 0 and without the second term where B has W_n = 0. */
BLNI_PRIV void blni_glm_laplace_features(blni_mode *e, size_t n)
{
    blni_glm_rows *r = e->rows;
    const blni_gaussian g = blni_mode_gaussian(e, 0, e->w);
    const size_t D = e->D;
    blni_gaussian_multiply(&g, n, r->Phi, D, r->F, D, e->work);
    for (size_t i = 0; i < n; i++) {
        const double *phi = r->Phi + i*D;
        double *F = r->F + i*D;
        const double curved = r->d2[i] > 0.0 ? 0.0 : 1.0, c = curved*bln_dot(D, phi, F);
        const double along = r->d1[i] + 0.5*r->d3[i]*c + r->d2[i]*bln_dot(D, phi, e->u);
        for (size_t j = 0; j < D; j++) F[j] = along*e->w[j] + curved*r->d2[i]*F[j] + r->d1[i]*e->u[j];
    }
}

/* d_theta may be NULL: the slopes in features are wanted by themselves with fewer rows than features. */
BLNI_PRIV bln_status blni_glm_laplace_pullback(blni_mode *e, const blni_glm_hyper *h, double *d_theta, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    blni_glm_sums(r, blni_glm_thetas(r->desc), d_theta);
    blni_reduced_clear(r);
    BLNI_PASS(r, h->theta, e->w) {
        blni_glm_eval(r, h->eta, rows.n, &t, e->w);
        if (r->desc->likelihood.ops->latents) blni_latents_features(e, h, rows.n, &t);
        else                                  blni_glm_laplace_features(e, rows.n);
        blni_reduced_expand(r, &rows);
        if (d_theta) blni_glm_pullback(r, &rows, d_theta);
    }
    return status;
}

/* var_i = C_ii, by blocks of unit vectors: needs no matrix more. Overwrites r->Phi. */
BLNI_PRIV void blni_glm_laplace_variances(blni_mode *e, double *var)
{
    const blni_gaussian g = blni_mode_gaussian(e, 0, e->w);
    const size_t D = e->D, block = e->rows->block;
    for (size_t first = 0; first < D; first += block) {
        const size_t n = blni_min(block, D - first);
        for (size_t i = 0; i < n*D; i++) e->rows->Phi[i] = 0.0;
        for (size_t i = 0; i < n; i++) e->rows->Phi[i*D + first + i] = 1.0;
        blni_gaussian_project(&g, n, e->rows->Phi, D, NULL, var + first, e->work);
    }
}

BLNI_ONCE BLNI_PRIV bln_status blni_glm_laplace_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report)
{
    blni_mode *e = (blni_mode *)state;
    const blni_glm_hyper *h = &f->hyper;
    const bln_glm_desc *d = e->rows->desc;
    const int latents = d->likelihood.ops->latents != NULL;
    double *d_prior = f->slope.prior_var, *d_theta = f->slope.theta;
    bln_status status = blni_glm_laplace_movement(e, h, f->slope.eta, report);
    const blni_glm_rows *r = e->rows;
    const size_t reduced = r->reduced.n;
    if (status == BLN_OK && (d_theta || (d_prior && reduced)))
        status = blni_glm_laplace_pullback(e, h, d_theta, report);
    if (status != BLN_OK || !d_prior) return status;
    if (reduced) {
        memcpy(d_prior, r->reduced.d_prior, blni_glm_priors(d)*sizeof *d_prior);
        return BLN_OK;
    }
    if (latents) blni_latents_diagonal(e, e->spare);
    else         blni_glm_laplace_variances(e, e->spare);
    for (size_t s = 0; s < blni_glm_priors(d); s++) d_prior[s] = 0.0;
    for (size_t t = 0; t < r->n_slices; t++) {
        const size_t s = r->slice[t].prior;
        for (size_t i = r->slice[t].first; i < r->slice[t].end && !blni_flat(h->prior_var[s]); i++)
            d_prior[s] += 0.5*((e->w[i]*e->w[i] + e->spare[i])/h->prior_var[s] - 1.0) + e->u[i]*e->w[i]/h->prior_var[s];
    }
    return BLN_OK;
}

/* ---- how far the mean is from the mode */

/* What a block adds to sum_n k_n (phi_n'u)^2/v_n. */
BLNI_PRIV double blni_glm_laplace_shift_of(blni_mode *e, size_t n)
{
    const blni_gaussian g = blni_mode_gaussian(e, 0, e->w);
    blni_glm_rows *r = e->rows;
    double sum = 0.0;
    blni_gaussian_project(&g, n, r->Phi, e->D, NULL, r->c, e->work);
    bln_gemv(BLN_NOTRANS, n, e->D, 1.0, r->Phi, e->D, e->u, 0.0, r->t0);
    for (size_t i = 0; i < n; i++) if (r->c[i] > 0.0 && r->k[i] > 0.0) sum += r->k[i]*r->t0[i]*r->t0[i]/r->c[i];
    return sum;
}

/* To first order the mean lies u = C a from the mode [Tierney & Kadane 1986]: two passes more. */
BLNI_ONCE BLNI_PRIV bln_status blni_glm_laplace_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_mode *e = (blni_mode *)state;
    const int latents = e->rows->desc->likelihood.ops->latents != NULL;
    double sum = 0.0;
    BLNI_TRY(blni_glm_search_settle(f, state, report));
    BLNI_TRY(blni_glm_laplace_movement(e, &f->hyper, NULL, report));
    blni_glm_sums(e->rows, 1, &sum);
    BLNI_PASS(e->rows, f->hyper.theta, e->w)
        sum += latents ? blni_latents_shift_of(e, rows.n)/(double)e->rows->J : blni_glm_laplace_shift_of(e, rows.n);
    if (status == BLN_OK) f->mean_shift = sqrt(sum/f->scan.N);
    return status;
}

/* ---- the method; its state is a blni_mode */

/* Several latents are one Gaussian: n_w^2 numbers, and n_w^3 operations for each step. */
BLNI_PRIV const char *blni_glm_laplace_check(const bln_glm_desc *d, const void *own)
{
    const bln_latents_ops *latents = d->likelihood.ops->latents;
    if (latents && !latents->curve) return "glm: this likelihood has no curve for Laplace's method";
    if (latents && blni_glm_weights(d) > BLNI_LAPLACE_WEIGHTS)
        return "glm: Laplace's method takes at most 2048 weights of several latents together; use full or map";
    return NULL;
}

BLNI_PRIV void *blni_glm_laplace_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_mode counted, *e = (blni_mode *)blni_carve(a, 1, sizeof *e);
    blni_mode_carve(a, &f->rows, 2, 0, e ? e : &counted);
    blni_glm_search_carve(a, f, 0);
    return e;
}

BLNI_TABLE const bln_glm_method_ops blni_glm_laplace_ops = {
    "laplace", 0, BLN_NONE, BLNI_CAN_FLAT | BLNI_CAN_SOURCE | BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_EVIDENCE
    | BLNI_CAN_LATENTS | BLNI_CAN_SHARE, 0, BLNI_GLM_FACTOR, BLNI_GLM_FACTOR, BLN_SITES_MODE, 300, 1e-6, NULL, NULL,
    blni_glm_laplace_check, blni_glm_laplace_carve, blni_glm_search_begin, blni_glm_search_step, blni_glm_laplace_finish,
    blni_mode_component, blni_glm_laplace_value, blni_glm_laplace_slopes, NULL, NULL, NULL
};

BLN_API bln_glm_method bln_glm_laplace(void) { return blni_glm_method(&blni_glm_laplace_ops, NULL); }

BLNI_TABLE const bln_glm_card blni_glm_laplace_card = {
    &blni_glm_laplace_ops, "laplace", "Laplace's method", "Laplace",
    "a Gaussian around the most probable weights; prior variances, length scales\n"
    "and the likelihood's parameters maximise Laplace's evidence",
    BLN_GLM_TAKES_FLAT | BLN_GLM_NEEDS_CURVATURE, 0, 0, NULL
};

BLN_API const bln_glm_card *bln_glm_laplace_card(void) { return &blni_glm_laplace_card; }
