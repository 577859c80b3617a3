/* mode: the mode of log p(y, w) by Newton's method                                                     [spec/glm.md G34, G35]
 *
 * With S = diag(s) the matrix is B = P + S Phi'W Phi S, W = diag(-d2), P = diag(1, or 0 where the prior is flat), s_i =
 * sqrt lambda_i, or for a flat weight 1/sqrt((Phi'W Phi)_ii), a scale that leaves the determinant again.
 *
 * Where log p is not concave some W_n are negative. Newton's step takes them as they are while B is positive definite, which keeps
 * the convergence quadratic, and as 0 where it is not. In the evidence and the posterior they count as 0: a row that the mode has
 * given up says nothing, and log|B| >= 0 cannot run away. How the mode moves is the true matrix's: H. */
#include "mode_private.h"
#include "../likelihood/likelihood_private.h"
#include "../core/status_private.h"
#include "../posterior/prior_private.h"

enum { BLNI_MODE_STEPS = 200, BLNI_MODE_HALVINGS = 40 };

BLNI_PRIV blni_gaussian blni_mode_gaussian(const blni_mode *e)
{
    blni_gaussian g;
    g.form = BLN_GAUSSIAN_FACTOR;
    g.D = g.k = g.ldr = e->D;
    g.m = e->w;
    g.s = e->s;
    g.R = e->B;
    return g;
}

/* The rows are carved; matrices: 1, or 2 for what stands on the mode. */
BLNI_PRIV void blni_mode_carve(blni_arena *a, blni_glm_rows *rows, size_t matrices, blni_mode *e)
{
    double **const vectors[] = { &e->w, &e->trial, &e->dw, &e->g, &e->s, &e->penalty, &e->precision, &e->a, &e->u, &e->spare,
                                 &e->diag };
    e->rows = rows;
    const size_t D = e->D = rows->reduced.n ? rows->reduced.n : rows->D;
    for (size_t i = 0; i < sizeof vectors/sizeof *vectors; i++) *vectors[i] = blni_carve_doubles(a, D);
    e->b = blni_carve_doubles(a, blni_mul(rows->desc->likelihood.n_theta, D));
    e->B = blni_carve_doubles(a, blni_mul(D, D));
    e->H = blni_carve_doubles(a, matrices > 1 ? blni_mul(D, D) : 0);
    const blni_gaussian g = blni_mode_gaussian(e);
    e->work = blni_carve_doubles(a, blni_gaussian_project_work(&g, e->rows->block));
}

BLNI_PRIV void blni_mode_prior(blni_mode *e, const blni_glm_hyper *h)
{
    const bln_glm_desc *d = e->rows->desc;
    e->n_flat = 0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const int flat = blni_flat(h->prior_var[s]);
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++) {
            e->n_flat += (size_t)flat;
            e->penalty[i] = flat ? 0.0 : 1.0;
            e->precision[i] = flat ? 0.0 : 1.0/h->prior_var[s];
            e->s[i] = flat ? 1.0 : sqrt(h->prior_var[s]);
        }
    }
}

/* The prior at h, and with fewer rows than features the features of their space. */
BLNI_PRIV bln_status blni_mode_enter(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    if (!e->rows->reduced.n) { blni_mode_prior(e, h); return BLN_OK; }
    e->n_flat = 0;
    for (size_t i = 0; i < e->D; i++) e->penalty[i] = e->precision[i] = e->s[i] = 1.0;
    return blni_reduce(e->rows, h, report);
}

/* B += sign Phi'|W|Phi (D x D, upper) over the rows with W of that sign. */
BLNI_PRIV void blni_mode_gram(blni_mode *e, double *B, size_t n, double sign, const double *W)
{
    const size_t D = e->D;
    blni_glm_rows *r = e->rows;
    for (size_t i = 0; i < n; i++) {
        const double root = sign*W[i] > 0.0 ? sqrt(sign*W[i]) : 0.0;
        for (size_t j = 0; j < D; j++) r->F[i*D + j] = root > 0.0 ? root*r->Phi[i*D + j] : 0.0;
    }
    bln_syrk(BLN_TRANS, D, n, sign, r->F, D, 1.0, B, D);
}

BLNI_PRIV void blni_mode_clear(blni_mode *e)
{
    for (size_t i = 0; i < e->D*e->D; i++) e->B[i] = 0.0;
    for (size_t i = 0; i < e->D; i++) e->g[i] = 0.0;
    e->J = e->curvature = 0.0;
    e->negative = 0;
}

/* W of a block into r->d2, curvature and count of negative ones, and their part of e->B. */
BLNI_PRIV void blni_mode_weights(blni_mode *e, size_t n, int clip)
{
    double *W = e->rows->d2;
    size_t negative = 0;
    for (size_t i = 0; i < n; i++) {
        W[i] = -W[i];
        if (W[i] > 0.0) e->curvature += W[i];
        negative += W[i] < 0.0;
    }
    blni_mode_gram(e, e->B, n, 1.0, W);
    if (negative && !clip) blni_mode_gram(e, e->B, n, -1.0, W);
    e->negative += negative;
}

/* J, g = Phi'd1 and, in e->B, Phi'W Phi at w; clip: negative W_n count as 0. */
BLNI_PRIV bln_status blni_mode_pass(blni_mode *e, const blni_glm_hyper *h, const double *w, int clip, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, h->theta, report);
    blni_mode_clear(e);
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        blni_glm_eval(r, h->eta, rows.n, &t, w);
        for (size_t i = 0; i < rows.n; i++) e->J += r->lp[i];
        bln_gemv(BLN_TRANS, rows.n, e->D, 1.0, r->Phi, e->D, r->d1, 1.0, e->g);
        for (size_t i = 0; i < rows.n; i++)
            r->c[i] = r->d1[i] - r->d2[i]*(r->f[i] - (rows.offset ? blni_offset(&rows, i, 0) : 0.0));
        blni_mode_weights(e, rows.n, clip);
        blni_reduced_keep(r, rows.n);
    }
    for (size_t i = 0; i < e->D; i++) e->J -= 0.5*e->precision[i]*w[i]*w[i];
    return status;
}

/* Where the first step begins: f at which each y would be about its mean. e->g <- Phi'(d1 + W (f - offset)), e->B <- Phi'W Phi, of
 * which the step to the weights that fit these f best follows (McCullagh & Nelder 1989, 2.5). */
BLNI_PRIV bln_status blni_mode_pass_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, h->theta, report);
    blni_mode_clear(e);
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        memcpy(r->c, r->f, rows.n*sizeof *r->c);
        blni_likelihood_start(&r->desc->likelihood, h->eta, rows.n, &t, r->f);
        blni_glm_eval(r, h->eta, rows.n, &t, NULL);
        blni_mode_weights(e, rows.n, 1);
        for (size_t i = 0; i < rows.n; i++)
            if (r->d2[i] > 0.0) r->d1[i] += r->d2[i]*(r->f[i] - r->c[i]);
        bln_gemv(BLN_TRANS, rows.n, e->D, 1.0, r->Phi, e->D, r->d1, 1.0, e->g);
    }
    return status;
}

/* Scales of flat weights from the diagonal of Phi'W Phi in A: 1/sqrt. 0 if one is not > 0, which *bad then is. */
BLNI_PRIV int blni_mode_scale(blni_mode *e, const double *A, size_t *bad)
{
    e->log_scale = 0.0;
    for (size_t i = 0; i < e->D; i++) {
        if (e->penalty[i] > 0.0) continue;
        *bad = i;
        if (!(A[i*e->D + i] > 0.0) || !blni_finite(A[i*e->D + i])) return 0;
        e->s[i] = 1.0/sqrt(A[i*e->D + i]);
        e->log_scale += log(e->s[i]);
    }
    return 1;
}

/* A <- factor of P + S A S; 0 if it is not positive definite. */
BLNI_PRIV int blni_mode_factor(const blni_mode *e, double *A, size_t *bad)
{
    const size_t D = e->D;
    for (size_t i = 0; i < D; i++) {
        for (size_t j = i; j < D; j++) A[i*D + j] *= e->s[i]*e->s[j];
        A[i*D + i] += e->penalty[i];
    }
    return bln_potrf(D, A, D, bad) == BLN_OK;
}

/* x <- S (U'U)^-1 S x */
BLNI_PRIV void blni_mode_solve(const blni_mode *e, const double *U, double *x)
{
    for (size_t i = 0; i < e->D; i++) x[i] *= e->s[i];
    bln_potrs(e->D, U, e->D, x);
    for (size_t i = 0; i < e->D; i++) x[i] *= e->s[i];
}

BLNI_PRIV bln_status blni_mode_none(bln_report *report)
{
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                     "glm: with flat priors the likelihood has no maximum (separable classes, all counts zero); give prior "
                     "variances");
}

BLNI_PRIV bln_status blni_mode_not_found(const blni_mode *e, bln_report *report)
{
    return e->n_flat ? blni_mode_none(report)
                     : blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: no mode found; scale the data");
}

/* The first weights, and whether flat ones are determined at all: later the W_n of separable data vanish. */
BLNI_PRIV bln_status blni_mode_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    const size_t D = e->D;
    size_t bad = 0;
    const bln_status status = blni_mode_pass_start(e, h, report);
    if (status != BLN_OK) return status;
    if (!(e->curvature > 0.0))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                         "glm: log p of this likelihood has no curvature for Laplace's method; use variational inference");
    if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad)
        || (e->n_flat && (bad = blni_flat_dependent(D, e->B, D, e->penalty, blni_gram_noise((double)e->rows->n), e->spare,
                                                    e->diag)) < D)) {
        if (!blni_finite(e->curvature) || !e->n_flat)
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: features or targets overflow; scale the data");
        return blni_fail(report, BLN_ENOTPD, BLN_NONE, bad,
                         "glm: a feature with a flat prior depends on those before it; give it a prior variance or drop it, "
                         "feature");
    }
    memcpy(e->w, e->g, D*sizeof *e->w);
    blni_mode_solve(e, e->B, e->w);
    return BLN_OK;
}

/* B <- Phi'W Phi and b <- Phi'b of what the rows of rows_reduce said last. */
BLNI_PRIV void blni_mode_recall(blni_mode *e, double *B, double *b)
{
    blni_glm_rows *r = e->rows;
    const blni_glm_reduced *z = &r->reduced;
    const size_t D = e->D;
    for (size_t i = 0; i < D*D; i++) B[i] = 0.0;
    for (size_t i = 0; i < D; i++) b[i] = 0.0;
    for (r->first = 0; r->first < z->n; r->first += r->block) {
        const size_t n = blni_min(r->block, z->n - r->first);
        blni_glm_features(r, n, NULL);
        bln_gemv(BLN_TRANS, n, D, 1.0, r->Phi, D, z->b + r->first, 1.0, b);
        blni_mode_gram(e, B, n, 1.0, z->W + r->first);
        blni_mode_gram(e, B, n, -1.0, z->W + r->first);
    }
}

/* w <- where that is: of other hyper-parameters, before this prior. 0 if it is nowhere. */
BLNI_PRIV int blni_mode_resume(blni_mode *e)
{
    size_t bad;
    if (!e->rows->reduced.n) return 1;
    blni_mode_recall(e, e->B, e->trial);
    if (!blni_mode_factor(e, e->B, &bad)) return 0;
    blni_mode_solve(e, e->B, e->trial);
    memcpy(e->w, e->trial, e->D*sizeof *e->w);
    return blni_all_finite(e->D, e->w);
}

/* A pass at a first point with finite J: that of the search before, that of _start, or 0. */
BLNI_PRIV bln_status blni_mode_begin(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    bln_status status = BLN_OK;
    e->decrement = HUGE_VAL;
    e->slow = 0;
    if (e->started && blni_mode_resume(e)) {
        status = blni_mode_pass(e, h, e->w, 0, report);
        if (status != BLN_OK || blni_finite(e->J)) return status;
    }
    status = blni_mode_start(e, h, report);
    if (status == BLN_OK && blni_all_finite(e->D, e->w)) status = blni_mode_pass(e, h, e->w, 0, report);
    else e->J = BLNI_NAN;
    if (status != BLN_OK || blni_finite(e->J)) return status;
    for (size_t i = 0; i < e->D; i++) e->w[i] = 0.0;
    status = blni_mode_pass(e, h, e->w, 0, report);
    if (status == BLN_OK && !blni_finite(e->J))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: log p is not finite at the start; scale the data");
    return status;
}

/* dw from g and Phi'W Phi at w, and *decrement = (grad J)'dw, twice what the step should gain. */
BLNI_PRIV bln_status blni_mode_direction(blni_mode *e, const blni_glm_hyper *h, double *decrement, bln_report *report)
{
    const size_t D = e->D;
    size_t bad;
    if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad)) {
        const bln_status status = blni_mode_pass(e, h, e->w, 1, report);
        if (status != BLN_OK) return status;
        if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad))
            return e->n_flat ? blni_mode_none(report)
                             : blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: features overflow; scale the data");
    }
    for (size_t i = 0; i < D; i++) e->dw[i] = e->spare[i] = e->g[i] - e->precision[i]*e->w[i];
    blni_mode_solve(e, e->B, e->dw);
    *decrement = bln_dot(D, e->spare, e->dw);
    if (!blni_finite(*decrement))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: Newton's step overflows; scale the data");
    return BLN_OK;
}

/* w <- w + t dw with the first t = 1, 1/2, ... at which J does not fall, and a pass there. *found = 0: there is none; the pass is
 * then at w again. */
BLNI_PRIV bln_status blni_mode_search(blni_mode *e, const blni_glm_hyper *h, int *found, bln_report *report)
{
    const size_t D = e->D;
    const double least = e->J - 1e-12*(1.0 + fabs(e->J));
    double t = 1.0;
    *found = 1;
    for (int halving = 0; halving < BLNI_MODE_HALVINGS; halving++, t *= 0.5) {
        for (size_t i = 0; i < D; i++) e->trial[i] = e->w[i] + t*e->dw[i];
        if (!blni_all_finite(D, e->trial)) continue;
        const bln_status status = blni_mode_pass(e, h, e->trial, 0, report);
        if (status != BLN_OK) return status;
        if (!(e->J >= least) || !blni_finite(e->J)) continue;
        memcpy(e->w, e->trial, D*sizeof *e->w);
        return BLN_OK;
    }
    *found = 0;
    return blni_mode_pass(e, h, e->w, 0, report);
}

/* One step from w, a pass there included. *done: the decrement is below 1e-12; convergence is quadratic, so that what is left after
 * this step is rounding; or J cannot rise any more. Where there is no maximum, the decrement falls by a factor e at each step, for
 * every likelihood that goes to its supremum exponentially: a sign that f is on its way to infinity. */
BLNI_PRIV bln_status blni_mode_step(blni_mode *e, const blni_glm_hyper *h, int *done, bln_report *report)
{
    const double J = e->J;
    double decrement = 0.0;
    int found;
    bln_status status = blni_mode_direction(e, h, &decrement, report);
    if (status != BLN_OK) return status;
    e->slow = decrement > 0.05*e->decrement ? e->slow + 1 : 0;
    e->decrement = decrement;
    if (decrement <= 1e-12 && e->slow > 2 && e->n_flat) return blni_mode_none(report);
    e->J = J;
    status = blni_mode_search(e, h, &found, report);
    *done = decrement <= 1e-12 || (!found && decrement <= 1e-6*(1.0 + fabs(J)));           /* the rounding floor of J */
    if (status != BLN_OK || found || *done) return status;
    return blni_mode_not_found(e, report);
}

/* max_i |dJ/dw_i| s_i, after a pass at w. */
BLNI_PRIV double blni_mode_slope(const blni_mode *e)
{
    double most = 0.0;
    for (size_t i = 0; i < e->D; i++) {
        const double slope = e->s[i]*fabs(e->g[i] - e->precision[i]*e->w[i]);
        most = slope > most ? slope : most;
    }
    return most;
}

/* w^, with a pass there. */
BLNI_PRIV bln_status blni_mode_newton(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    int done = 0;
    bln_status status = blni_mode_begin(e, h, report);
    for (int step = 0; status == BLN_OK && !done && step < BLNI_MODE_STEPS; step++) status = blni_mode_step(e, h, &done, report);
    return status == BLN_OK && !done ? blni_mode_not_found(e, report) : status;
}

/* N(w, C) and e->evidence into *r, for methods whose state begins with a blni_mode; at a mode W_n < 0 count as 0. */
BLNI_PRIV bln_status blni_mode_component(blni_glm_fit *f, void *state, blni_glm_result *r, bln_report *report)
{
    blni_mode *e = (blni_mode *)state;
    const int positive = f->method->sites == BLN_SITES_MODE;
    const size_t D = e->D;
    r->objective = e->evidence;
    if (e->rows->reduced.n) return blni_reduced_result(e->rows, &f->hyper, e->w, positive, r->m, r->s, r->R, report);
    memcpy(r->m, e->w, D*sizeof *r->m);
    memcpy(r->s, e->s, D*sizeof *r->s);
    for (size_t i = 0; i < D; i++) {
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
        memcpy(r->R + i*D + i, e->B + i*D + i, (D - i)*sizeof *r->R);
    }
    return BLN_OK;
}
