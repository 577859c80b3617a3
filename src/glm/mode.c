/* mode: the mode of log p(y, w) by Newton's method                                                       [laplace 34, 35, 40]
 *
 * With S = diag(s) the matrix is B = P + S Phi'W Phi S, W = diag(-d2), P = diag(1, or 0 where the prior is flat), s_i =
 * sqrt lambda_i, or for a flat weight 1/sqrt((Phi'W Phi)_ii), a scale whose log the evidence takes out again.
 *
 * Where log p is not concave some W_n are negative. Newton's step uses them as they are while B is positive definite, which keeps
 * the convergence quadratic, and as 0 where it is not. In the evidence and the posterior they count as 0: an outlier that the mode
 * ignores says nothing, and without flat priors log|B| >= 0. How the mode moves with hyper-parameters follows from H, with all
 * W_n. */
#include "mode_private.h"
#include "../likelihood/likelihood_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"
#include "../posterior/prior_private.h"

enum { BLNI_MODE_STEPS = 200, BLNI_MODE_HALVINGS = 40 };

BLNI_PRIV blni_mode_part blni_mode_part_of(const blni_mode *e, size_t p)
{
    blni_mode_part part;
    part.D = e->parts > 1 ? blni_glm_rows_basis(e->rows, 0)->D : e->D;
    part.first = part.at = 0;
    for (size_t j = 1; j <= p; j++) {
        part.first += part.D;
        part.at += part.D*part.D;
        part.D = blni_glm_rows_basis(e->rows, j)->D;
    }
    return part;
}

/* N(mean, C) of part p, with the C of e->B; mean: of all weights. */
BLNI_PRIV blni_gaussian blni_mode_gaussian(const blni_mode *e, size_t p, const double *mean)
{
    const blni_mode_part part = blni_mode_part_of(e, p);
    const blni_gaussian g = { BLN_GAUSSIAN_FACTOR, part.D, part.D, mean ? mean + part.first : NULL, e->s + part.first,
                              e->B + part.at, part.D };
    return g;
}

/* The rows are carved; matrices: 1, or 2 for what stands on the mode. */
BLNI_ONCE BLNI_PRIV void blni_mode_carve(blni_arena *a, blni_glm_rows *rows, size_t matrices, int independent, blni_mode *e)
{
    double **const vectors[] = { &e->w, &e->trial, &e->dw, &e->g, &e->s, &e->penalty, &e->precision, &e->a, &e->u, &e->spare,
                                 &e->diag };
    const bln_glm_desc *d = rows->desc;
    size_t work = 0;
    e->rows = rows;
    const size_t D = e->D = rows->reduced.n ? rows->reduced.n : rows->n_w;
    e->parts = independent ? rows->J : 1;
    e->size = e->parts > 1 ? blni_glm_squares(d) : blni_mul(D, D);
    for (size_t i = 0; i < sizeof vectors/sizeof *vectors; i++) *vectors[i] = blni_carve_doubles(a, D);
    e->b = blni_carve_doubles(a, blni_mul(d->likelihood.n_theta, D));
    e->B = blni_carve_doubles(a, e->size);
    e->H = blni_carve_doubles(a, matrices > 1 ? e->size : 0);
    e->C = blni_carve_doubles(a, matrices > 1 && e->parts == 1 && rows->J > 1 ? blni_mul(2, e->size) : 0);
    for (size_t j = 0; j < (e->parts > 1 ? rows->J : 1); j++) {
        const size_t one = e->parts > 1 ? blni_glm_basis_of(d, j)->D : D;
        const blni_gaussian g = { BLN_GAUSSIAN_FACTOR, one, one, NULL, NULL, NULL, one };
        work = blni_max(work, blni_gaussian_project_work(&g, rows->J > 1 && e->parts == 1 ? 1 : rows->block));
    }
    e->work = blni_carve_doubles(a, work);
}

/* log|B| from its factors; the largest condition of a part. */
BLNI_PRIV double blni_mode_logdet(const blni_mode *e)
{
    double sum = 0.0;
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        sum += bln_logdet_factor(part.D, e->B + part.at, part.D);
    }
    return sum;
}

BLNI_PRIV double blni_mode_condition(const blni_mode *e)
{
    double most = 0.0;
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        const double one = blni_condition_factor(part.D, e->B + part.at, part.D);
        if (!(one <= most)) most = one;
    }
    return most;
}

BLNI_PRIV void blni_mode_prior(blni_mode *e, const blni_glm_hyper *h)
{
    const blni_glm_rows *r = e->rows;
    e->n_flat = 0;
    for (size_t t = 0; t < r->n_slices; t++) {
        const double lambda = h->prior_var[r->slice[t].prior];
        const int flat = blni_flat(lambda);
        for (size_t i = r->slice[t].first; i < r->slice[t].end; i++) {
            e->n_flat += (size_t)flat;
            e->penalty[i] = flat ? 0.0 : 1.0;
            e->precision[i] = flat ? 0.0 : 1.0/lambda;
            e->s[i] = flat ? 1.0 : sqrt(lambda);
        }
    }
}

/* The prior at h, and with fewer rows than features the features of their space. */
BLNI_ONCE BLNI_PRIV bln_status blni_mode_enter(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
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

/* The same of several latents: B_jk += Phi_j' diag(W_jk) Phi_k, of independent ones for j = k alone. W: pairs. */
BLNI_PRIV void blni_mode_gram_latents(blni_mode *e, double *B, size_t n, const double *W)
{
    blni_glm_rows *r = e->rows;
    size_t row = 0;
    for (size_t j = 0; j < r->J; j++) {
        const size_t Dj = blni_glm_rows_basis(r, j)->D;
        const blni_mode_part part = blni_mode_part_of(e, e->parts > 1 ? j : 0);
        for (size_t k = j, column = row; k < (e->parts > 1 ? j + 1 : r->J); k++) {
            const size_t Dk = blni_glm_rows_basis(r, k)->D;
            const double *w = W + blni_latent_pair(r->J, j, k)*r->block, *Phi = blni_glm_rows_phi(r, k);
            double *to = e->parts > 1 ? B + part.at : B + row*e->D + column;
            for (size_t i = 0; i < n; i++)
                for (size_t c = 0; c < Dk; c++) r->F[i*Dk + c] = w[i]*Phi[i*r->D + c];
            bln_gemm(BLN_TRANS, BLN_NOTRANS, Dj, Dk, n, 1.0, blni_glm_rows_phi(r, j), r->D, r->F, Dk, 1.0, to, part.D);
            column += Dk;
        }
        row += Dj;
    }
}

BLNI_PRIV void blni_mode_sums(blni_mode *e)
{
    blni_glm_sums(e->rows, e->size, e->B);
    blni_glm_sums(e->rows, e->D, e->g);
    blni_glm_sums(e->rows, 1, &e->J);
    blni_glm_sums(e->rows, 1, &e->curvature);
    blni_glm_sums(e->rows, 1, &e->negative);
}

/* W of a block of several latents, times the weights of the rows: with `own` that of the likelihood, where it has one, else -d2. */
BLNI_PRIV void blni_mode_information(const blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, int own, double *W)
{
    const bln_likelihood *l = &r->desc->likelihood;
    const size_t pairs = blni_latent_pairs(r->J);
    if (own && l->ops->latents->information) {
        BLNI_BY_BLOCKS(l->ops->latents->information(l, eta, rows, &b, r->f + i, r->block, W + i))
        blni_glm_weigh(r, n, pairs, W);
    } else for (size_t c = 0; c < pairs; c++)
        for (size_t i = 0; i < n; i++) W[c*r->block + i] = -r->d2[c*r->block + i];
}

/* The same of several latents. Where log p is not concave, `clip` takes the likelihood's own W, and every row counts as one that
 * may be negative. */
BLNI_PRIV void blni_mode_weights_latents(blni_mode *e, const double *eta, size_t n, const bln_targets *t, int clip)
{
    blni_glm_rows *r = e->rows;
    if (r->desc->likelihood.ops->latents->information) e->negative += (double)n;
    blni_mode_information(r, eta, n, t, clip, r->d2);
    for (size_t j = 0; j < r->J; j++)
        for (size_t i = 0; i < n; i++) e->curvature += r->d2[blni_latent_pair(r->J, j, j)*r->block + i];
    blni_mode_gram_latents(e, e->B, n, r->d2);
}

/* W of a block into r->d2, curvature and count of negative ones, and their part of e->B. */
BLNI_PRIV void blni_mode_weights(blni_mode *e, const double *eta, size_t n, const bln_targets *t, int clip)
{
    if (e->rows->desc->likelihood.ops->latents) { blni_mode_weights_latents(e, eta, n, t, clip); return; }
    double *W = e->rows->d2;
    size_t negative = 0;
    for (size_t i = 0; i < n; i++) {
        W[i] = -W[i];
        if (W[i] > 0.0) e->curvature += W[i];
        negative += W[i] < 0.0;
    }
    blni_mode_gram(e, e->B, n, 1.0, W);
    if (negative && !clip) blni_mode_gram(e, e->B, n, -1.0, W);
    e->negative += (double)negative;
}

/* J, g = Phi'd1 and, in e->B, Phi'W Phi at w; clip: negative W_n count as 0. */
BLNI_PRIV bln_status blni_mode_pass(blni_mode *e, const blni_glm_hyper *h, const double *w, int clip, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    blni_mode_sums(e);
    BLNI_PASS(r, h->theta, w) {
        blni_glm_eval(r, h->eta, rows.n, &t, w);
        for (size_t i = 0; i < rows.n; i++) e->J += r->lp[i];
        blni_glm_gather(r, rows.n, r->d1, e->g);
        for (size_t i = 0; i < rows.n && r->reduced.n; i++)
            r->c[i] = r->d1[i] - r->d2[i]*(r->f[i] - (rows.offset ? blni_offset(&rows, i, 0) : 0.0));
        blni_mode_weights(e, h->eta, rows.n, &t, clip);
        blni_reduced_keep(r, rows.n);
    }
    for (size_t i = 0; i < e->D; i++) e->J -= 0.5*e->precision[i]*w[i]*w[i];
    return status;
}

/* d1 += W (f - offset), the offsets in r->t1; of independent latents by the diagonal of W. */
BLNI_PRIV void blni_mode_aim(blni_mode *e, size_t n)
{
    blni_glm_rows *r = e->rows;
    for (size_t i = 0; i < n && r->J == 1; i++)
        if (r->d2[i] > 0.0) r->d1[i] += r->d2[i]*(r->f[i] - r->t1[i]);
    for (size_t j = 0; j < r->J && r->J > 1; j++)
        for (size_t k = e->parts > 1 ? j : 0; k < (e->parts > 1 ? j + 1 : r->J); k++) {
            const double *W = r->d2 + (j < k ? blni_latent_pair(r->J, j, k) : blni_latent_pair(r->J, k, j))*r->block;
            for (size_t i = 0; i < n; i++) r->d1[j*r->block + i] += W[i]*(r->f[k*r->block + i] - r->t1[k*r->block + i]);
        }
}

/* Where the first step begins: f at which each y would be about its mean. e->g <- Phi'(d1 + W (f - offset)), e->B <- Phi'W Phi, of
 * which the step to the weights that fit these f best follows (McCullagh & Nelder 1989, 2.5). */
BLNI_PRIV bln_status blni_mode_pass_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    blni_glm_rows *r = e->rows;
    blni_mode_sums(e);
    BLNI_PASS(r, h->theta, NULL) {
        for (size_t j = 0; j < r->J; j++) memcpy(r->t1 + j*r->block, r->f + j*r->block, rows.n*sizeof *r->f);
        if (r->desc->likelihood.ops->latents) blni_glm_start_latents(r, h->eta, rows.n, &t, r->f);
        else                                  blni_likelihood_start(&r->desc->likelihood, h->eta, rows.n, &t, r->f);
        blni_glm_eval(r, h->eta, rows.n, &t, NULL);
        blni_mode_weights(e, h->eta, rows.n, &t, 1);
        blni_mode_aim(e, rows.n);
        blni_glm_gather(r, rows.n, r->d1, e->g);
    }
    return status;
}

/* Scales of flat weights from the diagonal of Phi'W Phi in A: 1/sqrt. 0 if one is not > 0, which *bad then is. */
BLNI_PRIV int blni_mode_scale(blni_mode *e, const double *A, size_t *bad)
{
    e->log_scale = 0.0;
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        for (size_t i = 0; i < part.D; i++) {
            const double diagonal = A[part.at + i*part.D + i];
            if (e->penalty[part.first + i] > 0.0) continue;
            *bad = part.first + i;
            if (!(diagonal > 0.0) || !blni_finite(diagonal)) return 0;
            e->s[part.first + i] = 1.0/sqrt(diagonal);
            e->log_scale += log(e->s[part.first + i]);
        }
    }
    return 1;
}

/* A <- factor of P + S A S; 0 if it is not positive definite. */
BLNI_PRIV int blni_mode_factor(const blni_mode *e, double *A, size_t *bad)
{
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        const double *s = e->s + part.first;
        double *M = A + part.at;
        for (size_t i = 0; i < part.D; i++) {
            for (size_t j = i; j < part.D; j++) M[i*part.D + j] *= s[i]*s[j];
            M[i*part.D + i] += e->penalty[part.first + i];
        }
        if (bln_potrf(part.D, M, part.D, bad) != BLN_OK) { *bad += part.first; return 0; }
    }
    return 1;
}

/* x <- S (U'U)^-1 S x */
BLNI_PRIV void blni_mode_solve(const blni_mode *e, const double *U, double *x)
{
    for (size_t i = 0; i < e->D; i++) x[i] *= e->s[i];
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        bln_potrs(part.D, U + part.at, part.D, x + part.first);
    }
    for (size_t i = 0; i < e->D; i++) x[i] *= e->s[i];
}

BLNI_PRIV bln_status blni_mode_none(const blni_mode *e, bln_report *report)
{
    const bln_likelihood_ops *ops = e->rows->desc->likelihood.ops;
    return blni_refuse(report, BLN_EUNDEFINED,
                       ops->latents && !ops->discrete
                       ? "glm: with flat priors the likelihood has no maximum (the noise of some rows goes to nothing, or to its "
                         "least value); give prior variances"
                       : "glm: with flat priors the likelihood has no maximum (separable classes, all counts zero); give prior "
                         "variances");
}

BLNI_PRIV bln_status blni_mode_not_found(const blni_mode *e, bln_report *report)
{
    return e->n_flat ? blni_mode_none(e, report)
                     : blni_refuse(report, BLN_ENUMERIC, "glm: no mode found; scale the data");
}

/* The first weights, and whether flat ones are determined at all: later the W_n of separable data vanish. */
BLNI_PRIV bln_status blni_mode_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    const size_t D = e->D;
    size_t bad = 0;
    BLNI_TRY(blni_mode_pass_start(e, h, report));
    if (!(e->curvature > 0.0))
        return blni_refuse(report, BLN_EUNDEFINED,
                           "glm: log p of this likelihood has no curvature for Laplace's method; use variational inference");
    if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad)
        || (e->n_flat && (bad = blni_flat_dependent(D, e->B, D, e->penalty, blni_gram_noise((double)e->rows->scan->n), e->spare,
                                                    e->diag)) < D)) {
        if (!blni_finite(e->curvature) || !e->n_flat)
            return blni_refuse(report, BLN_ENUMERIC, "glm: features or targets overflow; scale the data");
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
BLNI_ONCE BLNI_PRIV bln_status blni_mode_begin(blni_mode *e, const blni_glm_hyper *h, bln_report *report)
{
    e->decrement = HUGE_VAL;
    e->slow = 0;
    if (e->started && blni_mode_resume(e)) {
        const bln_status status = blni_mode_pass(e, h, e->w, 0, report);
        if (status != BLN_OK || blni_finite(e->J)) return status;
    }
    BLNI_TRY(blni_mode_start(e, h, report));
    for (int zero = 0; zero < 2; zero++) {
        BLNI_TRY(blni_mode_pass(e, h, e->w, 0, report));
        if (blni_finite(e->J)) return BLN_OK;
        memset(e->w, 0, e->D*sizeof *e->w);
    }
    return blni_refuse(report, BLN_ENUMERIC, "glm: log p is not finite at the start; scale the data");
}

/* dw from g and Phi'W Phi at w, and *decrement = (grad J)'dw, twice what the step should gain. */
BLNI_PRIV bln_status blni_mode_direction(blni_mode *e, const blni_glm_hyper *h, double *decrement, bln_report *report)
{
    const size_t D = e->D;
    size_t bad;
    if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad)) {
        BLNI_TRY(blni_mode_pass(e, h, e->w, 1, report));
        if (!blni_mode_scale(e, e->B, &bad) || !blni_mode_factor(e, e->B, &bad))
            return blni_mode_not_found(e, report);
    }
    for (size_t i = 0; i < D; i++) e->dw[i] = e->spare[i] = e->g[i] - e->precision[i]*e->w[i];
    blni_mode_solve(e, e->B, e->dw);
    *decrement = bln_dot(D, e->spare, e->dw);
    if (!blni_finite(*decrement)) return blni_refuse(report, BLN_ENUMERIC, "glm: Newton's step overflows; scale the data");
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
        BLNI_TRY(blni_mode_pass(e, h, e->trial, 0, report));
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
    BLNI_TRY(blni_mode_direction(e, h, &decrement, report));
    e->slow = decrement > 0.05*e->decrement ? e->slow + 1 : 0;
    e->decrement = decrement;
    if (decrement <= 1e-12 && e->slow > 2 && e->n_flat) return blni_mode_none(e, report);
    e->J = J;
    bln_status status = blni_mode_search(e, h, &found, report);
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
BLNI_ONCE BLNI_PRIV bln_status blni_mode_component(blni_glm_fit *f, void *state, blni_glm_result *r, bln_report *report)
{
    blni_mode *e = (blni_mode *)state;
    const int positive = f->method->sites == BLN_SITES_MODE;
    r->objective = e->evidence;
    if (e->rows->reduced.n) return blni_reduced_result(e->rows, &f->hyper, e->w, positive, r->m, r->s, r->R, report);
    memcpy(r->m, e->w, e->D*sizeof *r->m);
    memcpy(r->s, e->s, e->D*sizeof *r->s);
    for (size_t p = 0; p < e->parts; p++) {
        const blni_mode_part part = blni_mode_part_of(e, p);
        const size_t D = part.D;
        for (size_t i = 0; i < D; i++) {
            for (size_t j = 0; j < i; j++) r->R[part.at + i*D + j] = 0.0;
            memcpy(r->R + part.at + i*D + i, e->B + part.at + i*D + i, (D - i)*sizeof *r->R);
        }
    }
    return BLN_OK;
}
