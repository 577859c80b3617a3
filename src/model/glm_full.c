/* glm_full: the Gaussian q = N(m, C), C not diagonal, whose bound
 *
 *     L = sum_n E_{f ~ N(mu_n, v_n)} log p(y_n | f) - 1/2 m'Lambda^-1 m - 1/2 tr B^-1 - 1/2 log|B| + D/2
 *
 * is greatest, mu_n = phi_n'm, v_n = phi_n'C phi_n, C = S B^-1 S, S^2 = Lambda: sum E log p(y | f) + E_q log p(w) + H(q), all
 * exact. With g_n = dL/dmu_n, W_n = -2 dL/dv_n its slopes are
 *
 *     dL/dm = Phi'g - Lambda^-1 m,   dL/dC = 1/2 (C^-1 - Lambda^-1 - Phi'W Phi)
 *
 * so that at the top C^-1 = Lambda^-1 + Phi'W Phi: n numbers W are behind the D(D+1)/2 of C [Opper & Archambeau 2009]. A point of
 * the search is (m, A), C^-1 = Lambda^-1 + A, B = I + S A S; a natural-gradient step of size r is             [Khan & Lin 2017]
 *
 *     A <- (1-r) A + r T,  T = Phi'W Phi at (m, A);   m <- m + r C dL/dm, C that of the new A.
 *
 * r = 1 is exact for a Gaussian likelihood, and Newton's step where W does not depend on v. L rises along the step at the rate
 *     Delta = (dL/dm)'C(dL/dm) + 1/2 tr [C (T - A)]^2 >= 0,
 * and r is halved until L has risen by r Delta/4 at least: which bounds |contraction| on the side of overshooting, where errors
 * of C alternate. Near the top, where L cannot be measured so finely, r is halved when Delta rises. Convergence is linear,
 * at a rate of 0.04 (many rows for each weight) to 0.6; Delta is twice the missing height, so that 1e-17 leaves q right to 1e-8 of
 * its standard deviations, and the slopes in hyper-parameters, which at the top are those at fixed q, likewise. A search over
 * these that stops at a relative progress of `tolerance` is content with 1e-4 of that as Delta: with the default 1e-6, q is right
 * to 1e-5 of its standard deviations, in little more than half the steps.
 *
 * W_n < 0 is fine where log p is not concave: at the top the sum is positive definite, and on the way a step to a matrix that is
 * not is halved. D x D whatever n is: with fewer rows than features an n x n form would be faster, but right is this one too. */
#include "glm.h"

enum { BLNI_FULL_STEPS = 200 };
#define BLNI_FULL_LEAST 1e-17                    /* Delta at the end of a search */

typedef struct blni_full {
    blni_mode e;                 /* its rows, prior and matrices: w = m; of the last trial: trial = m, g = dL/dm, diag = C_ii and
                                    the factor B of I + S A S                                           */
    blni_glm_expected expected;
    double *A, *T;               /* D x D: of the point, upper triangles                                */
    double *next;                /* D x D: T of the last trial, else room; starts as e.H                */
    double *slope;               /* D: dL/dm of the point                                               */
    double  bound, trial_bound;
    double  rate;                /* Delta of the point                                                  */
    double  r;                   /* size of the last step                                               */
    double  least;               /* Delta at which a search ends                                        */
    int     good;                /* steps in a row that went well at once                               */
} blni_full;

BLNI_PRIV void blni_full_carve(blni_arena *a, const bln_glm_desc *d, blni_full *q)
{
    blni_mode_carve(a, d, &q->e);
    blni_glm_expected_carve(a, d, 1, &q->e.rows, &q->expected);
    const size_t D = q->e.D, DD = blni_mul(D, D);
    q->A     = blni_carve_doubles(a, DD);
    q->T     = blni_carve_doubles(a, DD);
    q->slope = blni_carve_doubles(a, D);
    q->next  = q->e.H;
    q->least = BLNI_FULL_LEAST;
}

/* N(mean, C) with the C of e->B. */
BLNI_PRIV bln_gaussian blni_full_gaussian(const blni_full *q, const double *mean)
{
    bln_gaussian g = blni_mode_gaussian(&q->e);
    g.m = mean;
    return g;
}

/* What a block adds to e->g and q->next, or with d_theta to that. */
BLNI_PRIV void blni_full_block(blni_full *q, const blni_glm_hyper *h, const bln_gaussian *g, const bln_data *rows, double *d_theta)
{
    blni_mode *e = &q->e;
    blni_glm_rows *r = &e->rows;
    blni_glm_expected *x = &q->expected;
    const size_t D = e->D;
    if (!d_theta) {
        size_t negative = 0;
        for (size_t i = 0; i < rows->n; i++) {
            r->d2[i] = -2.0*x->ev[i];
            negative += r->d2[i] < 0.0;
        }
        bln_gemv(BLN_TRANS, rows->n, D, 1.0, r->Phi, D, x->em, 1.0, e->g);
        blni_mode_gram(e, q->next, rows->n, 1.0, r->d2);
        if (negative) blni_mode_gram(e, q->next, rows->n, -1.0, r->d2);
    } else {
        bln_gaussian_multiply(g, rows->n, r->Phi, D, r->F, D, e->work);
        for (size_t i = 0; i < rows->n; i++)
            for (size_t j = 0; j < D; j++) r->F[i*D + j] = x->em[i]*g->m[j] + 2.0*x->ev[i]*r->F[i*D + j];
    }
    blni_glm_expected_pull_left(x, h, rows->n, d_theta != NULL);
    if (d_theta) blni_glm_pullback(r, rows, d_theta);
}

/* A pass at N(mean, C of e->B): *sum = sum_n E log p, slopes in eta and by what features leave out, and _block's. */
BLNI_PRIV bln_status blni_full_pass(blni_full *q, const blni_glm_hyper *h, const double *mean, double *sum, double *d_theta,
                                    bln_report *report)
{
    blni_mode *e = &q->e;
    blni_glm_rows *r = &e->rows;
    const bln_gaussian g = blni_full_gaussian(q, mean);
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, h->theta, report);
    *sum = 0.0;
    blni_glm_expected_clear(&q->expected);
    for (size_t i = 0; i < e->D*e->D && !d_theta; i++) q->next[i] = 0.0;
    for (size_t i = 0; i < e->D; i++) e->g[i] = -e->precision[i]*mean[i];
    for (size_t k = 0; k < r->basis->n_theta && d_theta; k++) d_theta[k] = 0.0;
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        bln_gaussian_project(&g, rows.n, r->Phi, e->D, q->expected.mu, q->expected.v, e->work);
        *sum += blni_glm_expected_sum(&q->expected, h, rows.n, &t);
        blni_full_block(q, h, &g, &rows, d_theta);
    }
    bln_basis_settle(r->at, h->theta, d_theta && status == BLN_OK ? d_theta : NULL);
    return status;
}

/* The trial A + r (T - A), m + r C dL/dm into e->B (its factor) and e->trial; 0 if it has no C. */
BLNI_PRIV int blni_full_move(blni_full *q, double r)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    size_t bad;
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++)
            e->B[i*D + j] = r > 0.0 ? (1.0 - r)*q->A[i*D + j] + r*q->T[i*D + j] : q->A[i*D + j];
    if (!blni_mode_factor(e, e->B, &bad)) return 0;
    memcpy(e->trial, e->w, D*sizeof *e->trial);
    if (r > 0.0) {
        memcpy(e->dw, q->slope, D*sizeof *e->dw);
        blni_mode_solve(e, e->B, e->dw);
        bln_axpy(D, r, e->dw, e->trial);
    }
    return blni_all_finite(D, e->trial);
}

/* q->trial_bound there, NaN or -infinity where it has none, with e->diag, e->g and q->next. */
BLNI_PRIV bln_status blni_full_try(blni_full *q, const blni_glm_hyper *h, double r, bln_report *report)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    q->trial_bound = BLNI_NAN;
    if (!blni_full_move(q, r)) return BLN_OK;
    const bln_gaussian g = blni_full_gaussian(q, e->trial);
    bln_gaussian_variances(&g, e->diag, q->next);
    const bln_status status = blni_full_pass(q, h, e->trial, &q->trial_bound, NULL, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < D; i++)
        q->trial_bound -= 0.5*e->precision[i]*(e->trial[i]*e->trial[i] + e->diag[i]) - 0.5;
    q->trial_bound -= 0.5*bln_logdet_factor(D, e->B, D);
    if (!blni_all_finite(D, e->g)) q->trial_bound = BLNI_NAN;
    return BLN_OK;
}

/* 1/2 tr [C (T - A)]^2 = 1/2 |U^-T S (T - A) S U^-1|^2 by the factor in e->B, with q->next for room. */
BLNI_PRIV double blni_full_rate_of_C(blni_full *q)
{
    const blni_mode *e = &q->e;
    const size_t D = e->D;
    double *M = q->next, sum = 0.0;
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++) M[i*D + j] = e->s[i]*(q->T[i*D + j] - q->A[i*D + j])*e->s[j];
    bln_symmetrise(D, M, D);
    bln_trsm(BLN_TRANS, D, D, e->B, D, M, D);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < i; j++) {
            const double swap = M[i*D + j];
            M[i*D + j] = M[j*D + i];
            M[j*D + i] = swap;
        }
    bln_trsm(BLN_TRANS, D, D, e->B, D, M, D);
    for (size_t i = 0; i < D*D; i++) sum += M[i]*M[i];
    return 0.5*sum;
}

/* The trial, taken with r, becomes the point. */
BLNI_PRIV void blni_full_accept(blni_full *q, double r)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    double *T = q->next;
    for (size_t i = 0; i < D && r > 0.0; i++)
        for (size_t j = i; j < D; j++) q->A[i*D + j] = (1.0 - r)*q->A[i*D + j] + r*q->T[i*D + j];
    q->next = q->T;
    q->T = T;
    memcpy(e->w, e->trial, D*sizeof *e->w);
    memcpy(q->slope, e->g, D*sizeof *q->slope);
    q->bound = q->trial_bound;
    memcpy(e->dw, q->slope, D*sizeof *e->dw);
    blni_mode_solve(e, e->B, e->dw);
    q->rate = bln_dot(D, q->slope, e->dw) + blni_full_rate_of_C(q);
}

/* Where the search begins without a point before it: A and m of the first step of a search for the mode, whose W count as 0 where
 * they are negative: with A = 0 the v_n might be too large for exp. If that m has no bound, m = 0. */
BLNI_PRIV bln_status blni_full_start(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    size_t bad;
    bln_status status = blni_mode_pass_start(e, h, report);
    if (status != BLN_OK) return status;
    memcpy(q->A, e->B, D*D*sizeof *q->A);
    memcpy(e->w, e->g, D*sizeof *e->w);
    const int solved = blni_mode_factor(e, e->B, &bad);
    if (solved) {
        blni_mode_solve(e, e->B, e->w);
        status = blni_full_try(q, h, 0.0, report);
        if (status != BLN_OK || blni_finite(q->trial_bound)) return status;
    }
    for (size_t i = 0; i < D; i++) e->w[i] = 0.0;
    if (solved) status = blni_full_try(q, h, 0.0, report);
    if (status == BLN_OK && !blni_finite(q->trial_bound))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: the bound is not finite at the start; scale the data");
    return status;
}

/* The first point: that of the search before, if it has a bound here, or a new one. */
BLNI_PRIV bln_status blni_full_begin(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    bln_status status = BLN_OK;
    blni_mode_prior(&q->e, h);
    q->trial_bound = BLNI_NAN;
    if (q->e.started) status = blni_full_try(q, h, 0.0, report);
    q->e.started = 0;
    if (status == BLN_OK && !blni_finite(q->trial_bound)) status = blni_full_start(q, h, report);
    if (status != BLN_OK) return status;
    blni_full_accept(q, 0.0);
    q->r = 1.0;
    q->good = 0;
    return BLN_OK;
}

/* A step. *found = 0: none was found that rises; the point is then where it was. Where the rise is below what the bound's sums can
 * show, the step is taken, and the next is shorter if Delta has not fallen. */
BLNI_PRIV bln_status blni_full_step(blni_full *q, const blni_glm_hyper *h, int *found, bln_report *report)
{
    const double bound = q->bound, rate = q->rate, unseen = 1e-8*(1.0 + fabs(bound));
    double r = q->good > 1 && q->r < 1.0 ? 2.0*q->r : q->r;
    q->good++;
    for (; r > 1e-6; r *= 0.5, q->good = 0) {
        const bln_status status = blni_full_try(q, h, r, report);
        const int seen = r*rate > unseen;
        if (status != BLN_OK) return status;
        if (!blni_finite(q->trial_bound) || !(q->trial_bound >= bound + (seen ? 0.25*r*rate : -unseen))) continue;
        blni_full_accept(q, r);
        q->r = r;
        if (!seen && !(q->rate <= rate)) { q->r = r > 0.1 ? 0.5*r : r; q->good = 0; }
        *found = 1;
        return BLN_OK;
    }
    *found = 0;
    const bln_status status = blni_full_try(q, h, 0.0, report);
    if (status == BLN_OK) blni_full_accept(q, 0.0);
    return status;
}

/* q at h, and its bound. The end is at Delta = q->least, or where the accuracy of the expectations keeps it from falling: with
 * v_n far beyond the width of log p (hardly any prior, and rows that bear on few of the weights) that may be much earlier. */
BLNI_PRIV bln_status blni_full_value(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    blni_mode *e = &q->e;
    int found = 1, stalled = 0;
    bln_status status = blni_full_begin(q, h, report);
    double lowest = q->rate;
    for (int step = 0; status == BLN_OK && step < BLNI_FULL_STEPS && found && q->rate > q->least && stalled < 12; step++) {
        status = blni_full_step(q, h, &found, report);
        if (q->rate <= 0.5*lowest) { lowest = q->rate; stalled = 0; }
        else if (q->rate <= 1e-8*(1.0 + fabs(q->bound))) stalled++;
    }
    if (status != BLN_OK) return status;
    if (!(q->rate <= 1e-4*(1.0 + fabs(q->bound))))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: the bound's top was not found; scale the data");
    e->condition = bln_condition_factor(e->D, e->B, e->D);
    e->evidence = q->bound;
    e->started = 1;
    return BLN_OK;
}

/* The gradient, after _value at the same point; each output may be NULL. F_n = g_n m - W_n C phi_n, as in (G14). */
BLNI_PRIV bln_status blni_full_gradient(blni_full *q, const blni_glm_hyper *h, double *d_prior, double *d_eta, double *d_theta,
                                        bln_report *report)
{
    const blni_mode *e = &q->e;
    const bln_glm_desc *d = e->rows.desc;
    double sum;
    const bln_status status = d_theta ? blni_full_pass(q, h, e->w, &sum, d_theta, report) : BLN_OK;
    if (status != BLN_OK) return status;
    if (d_eta && d->likelihood.n_theta) memcpy(d_eta, q->expected.d_eta, d->likelihood.n_theta*sizeof *d_eta);
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight) && d_prior; s++) {
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        d_prior[s] = d->per_weight ? 0.0 : q->expected.d_left[s];
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++)
            d_prior[s] += 0.5*((e->w[i]*e->w[i] + e->diag[i])/h->prior_var[s] - 1.0);
    }
    return BLN_OK;
}
