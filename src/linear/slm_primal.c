/* slm_primal: the evidence in D x D form: two streaming passes, memory O(D^2 + block D)                     [linear 3-8, 13-17]
 *
 * Pass 1 accumulates G, b, c [linear 2] as one symmetric product [Phi Y]' Omega [Phi Y]. Pass 2 is made only for the
 * gradient in basis parameters: it computes Phi again, and gives F = (Omega/sigma^2)(R C_Y^-1 M' - P Phi C) to the basis block by
 * block [linear 15-17]. Here R are the n x P residuals, and C_Y is the C of slm_sigma. */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../math/vecmath_private.h"
#include "../math/blas_private.h"
#include "../math/cholesky_private.h"
#include "../posterior/prior_private.h"

/* The status of what rows or other processes were asked for: a failure of it is none of the arithmetic. */
BLNI_PRIV bln_status blni_primal_asked(blni_evidence *e, bln_status status)
{
    e->source_failed = status != BLN_OK;
    return status;
}

BLNI_PRIV bln_status blni_primal_rewind(blni_evidence *e, bln_report *report)
{
    e->seen = 0;
    return blni_primal_asked(e, e->source->reset(e->source->user, report));
}

/* The rows of the next block. rows->n = 0 at the end, which must come after as many rows as in the scan. */
BLNI_PRIV bln_status blni_primal_rows(blni_evidence *e, bln_data *rows, bln_report *report)
{
    bln_status status = blni_source_next(e->source, e->block, e->P, rows, report);
    e->seen += status == BLN_OK ? rows->n : 0;
    if (status == BLN_OK && (e->seen > e->n || (rows->n == 0 && e->seen != e->n)))
        status = blni_refuse(report, BLN_ESHAPE, "source: another number of rows than in the first pass");
    return blni_primal_asked(e, status);
}

/* And their features in e->Phi, rows of blni_gram_stride. */
BLNI_PRIV bln_status blni_primal_block(blni_evidence *e, const double *theta, bln_data *rows, bln_report *report)
{
    const bln_status status = blni_primal_rows(e, rows, report);
    if (status == BLN_OK && rows->n)
        bln_basis_features(e->at, theta, rows->n, rows->X, blni_ldx(rows), e->Phi, blni_gram_stride(&e->gram), e->basis_work);
    return status;
}

/* The end of a pass: go on? Only if the rows of no process failed. x: the point that it was at. */
BLNI_PRIV bln_status blni_primal_agree(blni_evidence *e, bln_status status, unsigned char step, size_t n, const double *x,
                                       bln_report *report)
{
    return blni_primal_asked(e, blni_processes_agree(e->scan->processes, status, step, n, x, report));
}

/* Sums over rows, made sums over the rows of all processes. */
BLNI_PRIV bln_status blni_primal_allreduce(blni_evidence *e, size_t n, double *sums, bln_report *report)
{
    return blni_primal_asked(e, blni_processes_sum(e->scan->processes, n, sums, report));
}

/* Pass 1: G <- [Phi Y]' Omega [Phi Y], or R with R'R = G. */
BLNI_PRIV bln_status blni_primal_statistics(blni_evidence *e, const double *theta, bln_report *report)
{
    bln_data rows;
    if (blni_evidence_same_theta(e, theta)) return BLN_OK;
    blni_gram_clear(&e->gram);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_rows(e, &rows, report)) == BLN_OK && rows.n)
        blni_gram_add(&e->gram, 1.0, e->basis, e->at, theta, &rows, 0, e->Phi, e->basis_work);
    status = blni_primal_agree(e, status, 'g', e->basis->n_theta, theta, report);
    if (status == BLN_OK) status = blni_primal_asked(e, blni_gram_allreduce(&e->gram, e->scan->processes, report));
    if (status != BLN_OK) e->have_features = 0;
    return status;
}

/* e->r <- Y - Phi m of a block whose features are in e->Phi; RSS += r' Omega r. */
BLNI_PRIV void blni_primal_residuals(blni_evidence *e, const bln_data *rows)
{
    const size_t D = e->D, P = e->P, ld = blni_gram_stride(&e->gram);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t p = 0; p < P; p++) e->r[i*P + p] = blni_row_target(rows, i, p);
    if (P == 1) bln_gemv(BLN_NOTRANS, rows->n, D, -1.0, e->Phi, ld, e->m, 1.0, e->r);
    else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, rows->n, P, D, -1.0, e->Phi, ld, e->m, P, 1.0, e->r, P);
    for (size_t i = 0; i < rows->n; i++) {
        const double *r = e->r + i*P, omega = blni_row_omega(rows, i);
        for (size_t p = 0; p < P; p++)
            for (size_t q = p; q < P; q++) e->sigma.RSS[p*P + q] += omega*r[p]*r[q];
    }
}

BLNI_PRIV void blni_primal_clear_rss(blni_evidence *e) { for (size_t p = 0; p < e->P*e->P; p++) e->sigma.RSS[p] = 0.0; }

/* RSS over the rows themselves, for when its difference from the statistics has no digits left [linear 18]. */
BLNI_PRIV bln_status blni_primal_rss(blni_evidence *e, const double *theta, bln_report *report)
{
    bln_data rows;
    blni_primal_clear_rss(e);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_block(e, theta, &rows, report)) == BLN_OK && rows.n)
        blni_primal_residuals(e, &rows);
    status = blni_primal_agree(e, status, 'r', e->D*e->P, e->m, report);
    return status == BLN_OK ? blni_primal_allreduce(e, e->P*e->P, e->sigma.RSS, report) : status;
}

/* B and S b/sigma^2. */
BLNI_PRIV void blni_primal_form(blni_evidence *e)
{
    const size_t D = e->D, P = e->P, ld = blni_gram_stride(&e->gram);
    for (size_t i = 0; i < D; i++) {
        const double f = e->s[i]/e->noise_var;
        for (size_t j = i; j < D; j++) e->B[i*D + j] = f*e->s[j]*e->gram.G[i*ld + j];
        e->B[i*D + i] += e->penalty[i];
        for (size_t p = 0; p < P; p++) e->u[i*P + p] = f*e->gram.G[i*ld + D + p];
    }
}

/* The factor of B with flat weights. Jitter would be a prior by the back door, so there is none. A pivot that is not positive may
 * come late: those before it are looked at too. */
BLNI_PRIV bln_status blni_primal_factor_flat(blni_evidence *e, double *log_scale, bln_report *report)
{
    const size_t D = e->D;
    size_t n = D, bad = 0;
    BLNI_TRY(blni_flat_scales(e, log_scale, report));
    blni_primal_form(e);
    while (bln_potrf(n, e->B, D, &bad) != BLN_OK) { n = bad; blni_primal_form(e); }
    bad = blni_flat_dependent(n, e->B, D, e->penalty, blni_gram_noise(e->scan->N), e->w, e->diag);
    return bad == D ? BLN_OK : blni_fail(report, BLN_ENOTPD, BLN_NONE, bad, BLNI_COLLINEAR);
}

/* B = diag(penalty) + S G S/sigma^2 = U'U,  u = U^-T S b/sigma^2,  w = U^-1 u,  m = S w.  [linear 3, 4] */
BLNI_PRIV bln_status blni_primal_solve(blni_evidence *e, bln_report *report)
{
    const size_t D = e->D;
    bln_status status;
    double log_scale = 0.0;
    e->tau = 0.0;
    if (e->n_flat) status = blni_primal_factor_flat(e, &log_scale, report);
    else { blni_primal_form(e); status = blni_potrf_jitter(D, e->B, D, e->diag, &e->tau); }
    if (status != BLN_OK) return status;
    blni_sigma_solve(BLN_TRANS, D, e->P, e->B, D, e->u);
    blni_evidence_mean(e, log_scale);
    return BLN_OK;
}

/* Q = c/sigma^2 - u'u and RSS = sigma^2 (Q - shrinkage). Are six digits lost in the differences, in that of RSS too, which is the
 * smaller one, or in what is left of an output given those before it? */
BLNI_PRIV int blni_primal_differences(blni_evidence *e)
{
    const size_t D = e->D, P = e->P, ld = blni_gram_stride(&e->gram);
    double *Q = e->sigma.Q, *RSS = e->sigma.RSS;
    int lost = 0;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) Q[p*P + q] = e->gram.G[(D + p)*ld + D + q]/e->noise_var;
    blni_sigma_cross(D, P, -1.0, e->u, 1.0, Q);
    blni_evidence_shrinkage(e, RSS);
    for (size_t p = 0; p < P; p++) {
        const double c = e->gram.G[(D + p)*ld + D + p];
        for (size_t q = p; q < P; q++) RSS[p*P + q] = (Q[p*P + q] - RSS[p*P + q])*e->noise_var;
        lost = lost || !(Q[p*P + p] > 1e-6*c/e->noise_var) || !(RSS[p*P + p] > 1e-6*c);
    }
    if (lost || e->sigma.kind != BLN_SLM_CORRELATED || P == 1) return lost;
    memcpy(e->sigma.work, Q, P*P*sizeof *Q);
    if (bln_potrf(P, e->sigma.work, P, NULL) != BLN_OK) return 1;
    for (size_t p = 0; p < P; p++) {
        const double left = e->sigma.work[p*P + p];
        lost |= !(left*left > 1e-6*e->gram.G[(D + p)*ld + D + p]/e->noise_var);
    }
    return lost;
}

BLNI_ONCE BLNI_PRIV bln_status blni_primal_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t P = e->P;
    bln_status status = blni_primal_statistics(e, h->theta, report);
    if (status != BLN_OK) return status;
    blni_evidence_at(e, h);
    BLNI_TRY(e->gram.qr ? blni_triangle_solve(e, report) : blni_primal_solve(e, report));
    if (e->gram.qr) blni_triangle_squares(e);
    else if (blni_primal_differences(e) && !e->lent) {                 /* then the rows are asked again */
        status = blni_primal_rss(e, h->theta, report);
        blni_evidence_shrinkage(e, e->sigma.Q);
        for (size_t p = 0; p < P*P; p++) e->sigma.Q[p] += e->sigma.RSS[p]/h->noise_var;
    }
    return status == BLN_OK ? blni_evidence_settle(e, report) : status;
}

/* gamma_i = sum_j (S G S/sigma^2)_ij (B^-1)_ij, which keeps its digits where 1 - (B^-1)_ii does not [linear 8]. B: upper triangle
 * of B^-1. */
BLNI_PRIV void blni_primal_gamma(blni_evidence *e)
{
    const size_t D = e->D, ld = blni_gram_stride(&e->gram);
    for (size_t i = 0; i < D; i++) e->gamma[i] = 0.0;
    for (size_t i = 0; i < D; i++) {
        const double f = e->s[i]/e->noise_var, *g = e->gram.G + i*ld, *b = e->B + i*D;
        e->gamma[i] += f*e->s[i]*g[i]*b[i];
        for (size_t j = i + 1; j < D; j++) {
            const double t = f*e->s[j]*g[j]*b[j];
            e->gamma[i] += t;
            e->gamma[j] += t;
        }
    }
}

/* Pass 2: F = (Omega/sigma^2)(R C_Y^-1 M' - P Phi C), C in both triangles of B, as one product [Phi R] [-P C; C_Y^-1 M']; d_theta
 * and RSS. */
BLNI_PRIV bln_status blni_primal_pullback(blni_evidence *e, const double *theta, double *d_theta, bln_report *report)
{
    const size_t D = e->D, P = e->P, D1 = D + P, ld = blni_gram_stride(&e->gram);
    bln_data rows;
    blni_primal_clear_rss(e);
    blni_evidence_mean_over_sigma(e);
    for (size_t i = 0; i < D; i++)
        for (size_t p = 0; p < P; p++) e->B[(D + p)*D + i] = e->mC[i*P + p]/-(double)P;
    blni_panels_of(D1, D, e->B, D, e->panels);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_block(e, theta, &rows, report)) == BLN_OK && rows.n) {
        blni_primal_residuals(e, &rows);
        for (size_t i = 0; i < rows.n; i++) memcpy(e->Phi + i*ld + D, e->r + i*P, P*sizeof *e->r);
        blni_panels_gemm(rows.n, D, D1, -(double)P/e->noise_var, e->Phi, ld, e->panels, e->F, D);
        for (size_t i = 0; i < rows.n && (rows.weight || rows.noise_var); i++) bln_scal(D, blni_row_omega(&rows, i), e->F + i*D);
        bln_basis_pullback(e->at, theta, rows.n, rows.X, blni_ldx(&rows), e->Phi, ld, e->F, D, d_theta, NULL, 0, e->basis_work);
    }
    bln_basis_settle(e->at, theta, status == BLN_OK ? d_theta : NULL);
    status = blni_primal_agree(e, status, 'p', D*P, e->m, report);
    if (status == BLN_OK) status = blni_primal_allreduce(e, P*P, e->sigma.RSS, report);
    if (status == BLN_OK) status = blni_primal_allreduce(e, e->basis->n_theta, d_theta, report);
    e->rss = blni_sigma_trace(&e->sigma, e->sigma.RSS);
    return status;
}

/* C - Lambda for C in B where features miss variance: d/dphi of -lambda/(2 sigma^2) (k - |phi|^2) is lambda/sigma^2 phi. */
BLNI_PRIV void blni_primal_missed(blni_evidence *e)
{
    size_t i, end;
    for (size_t s = 0; s < e->basis->n_slices; s++)
        if (blni_evidence_misses(e, s, &i, &end))
            for (; i < end; i++) e->B[i*e->D + i] -= e->s[i]*e->s[i];
}

/* After _value at the same point. Overwrites the factor in B. */
BLNI_PRIV bln_status blni_primal_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta,
                                          bln_report *report)
{
    const size_t D = e->D;
    bln_trtri(D, e->B, D);
    bln_lauum(D, e->B, D, e->B, D);
    if (e->gram.qr) blni_triangle_gamma(e);
    else blni_primal_gamma(e);
    if (d_theta) {
        for (size_t k = 0; k < e->basis->n_theta; k++) d_theta[k] = 0.0;
        for (size_t i = 0; i < D; i++) blni_vec_product(D - i, e->s[i], e->s + i, e->B + i*D + i, e->B + i*D + i);
        bln_symmetrise(D, e->B, D);
        blni_primal_missed(e);
        BLNI_TRY(blni_primal_pullback(e, h->theta, d_theta, report));
    }
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    return BLN_OK;
}

/* Posterior at h into r (room for D rows). */
BLNI_PRIV bln_status blni_primal_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t D = e->D;
    BLNI_TRY(blni_primal_value(e, h, report));
    blni_evidence_result(e, r);
    for (size_t i = 0; i < D; i++) {
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
        memcpy(r->R + i*D + i, e->B + i*D + i, (D - i)*sizeof *r->R);
    }
    return BLN_OK;
}
