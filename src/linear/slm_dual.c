/* slm_dual: the evidence in n x n form, for fewer rows than features                                             [spec/slm.md,
 * sections 3, 5]
 *
 * With A = Omega^1/2 Phi S/sigma (n x D): K_s = I + A A' = U'U, and everything comes from V = U^-T A:
 *     gamma_i = |V_i|^2 (column norms: no cancellation),   B^-1 = I - V'V,   K^-1 Phi Lambda = Omega^1/2 U^-1 V S/sigma.
 * A, V and U^-1 V take turns in e->F. */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"

/* The rows as arrays: inputs, targets, sqrt(omega). */
BLNI_PRIV bln_status blni_dual_gather(blni_evidence *e, bln_report *report)
{
    const size_t d = e->basis->d;
    size_t at = 0;
    bln_data rows;
    bln_status status = e->source->reset(e->source->user, report);
    while (status == BLN_OK && (status = blni_source_next(e->source, e->block, e->P, &rows, report)) == BLN_OK && rows.n) {
        if (rows.n > e->n - at)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: more rows than in the first pass");
        for (size_t i = 0; i < rows.n; i++, at++) {
            if (d) memcpy(e->X + at*d, rows.X + i*blni_ldx(&rows), d*sizeof *e->X);
            for (size_t p = 0; p < e->P; p++) e->y[at*e->P + p] = blni_row_target(&rows, i, p);
            e->root[at] = sqrt(blni_row_omega(&rows, i));
        }
    }
    if (status == BLN_OK && at != e->n)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: fewer rows than in the first pass");
    return status;
}

BLNI_PRIV void blni_dual_features(blni_evidence *e, const double *theta)
{
    const size_t d = e->basis->d;
    if (blni_evidence_same_theta(e, theta)) return;
    for (size_t i = 0; i < e->n; i += e->block)
        bln_basis_features(e->at, theta, blni_min(e->block, e->n - i), e->X + i*d, d, e->Phi + i*e->D, e->D, e->basis_work);
}

BLNI_PRIV bln_status blni_dual_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t n = e->n, D = e->D, P = e->P;
    const double sigma = sqrt(h->noise_var);
    blni_dual_features(e, h->theta);
    e->noise_var = h->noise_var;
    blni_evidence_prior(e, h->prior_var);
    for (size_t i = 0; i < n; i++) {
        const double f = e->root[i]/sigma, *phi = e->Phi + i*D;
        for (size_t j = 0; j < D; j++) e->F[i*D + j] = f*e->s[j]*phi[j];
    }
    bln_syrk(BLN_NOTRANS, n, D, 1.0, e->F, D, 0.0, e->K, n);
    for (size_t i = 0; i < n; i++) e->K[i*n + i] += 1.0;
    const bln_status status = blni_potrf_jitter(n, e->K, n, e->diag, &e->tau);
    if (status != BLN_OK) return status;
    e->logdet = bln_logdet_factor(n, e->K, n);
    e->condition = blni_condition_factor(n, e->K, n);

    /* t = U^-T Omega^1/2 Y,  Q = t't/sigma^2,  alpha~ = U^-1 t,  w = A'alpha~/sigma,  m = S w.   (S9, S10) */
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < P; p++) e->alpha[i*P + p] = e->root[i]*e->y[i*P + p];
    blni_sigma_solve(BLN_TRANS, n, P, e->K, n, e->alpha);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.Q);
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) e->sigma.Q[p*P + q] /= h->noise_var;
    blni_sigma_solve(BLN_NOTRANS, n, P, e->K, n, e->alpha);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.RSS);   /* Omega^1/2 (Y - Phi m) = alpha~ */
    if (P == 1) bln_gemv(BLN_TRANS, n, D, 1.0/sigma, e->F, D, e->alpha, 0.0, e->w);
    else bln_gemm(BLN_TRANS, BLN_NOTRANS, D, P, n, 1.0/sigma, e->F, D, e->alpha, P, 0.0, e->w, P);
    for (size_t j = 0; j < D; j++)
        for (size_t p = 0; p < P; p++) e->m[j*P + p] = e->s[j]*e->w[j*P + p];
    return blni_evidence_settle(e, report);
}

/* F <- V = U^-T A, and gamma. */
BLNI_PRIV void blni_dual_whiten(blni_evidence *e)
{
    const size_t n = e->n, D = e->D;
    bln_trsm(BLN_TRANS, n, D, e->K, n, e->F, D);
    for (size_t j = 0; j < D; j++) e->gamma[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++) e->gamma[j] += e->F[i*D + j]*e->F[i*D + j];
}

/* F += P omega lambda/sigma^2 phi where features miss variance. */
BLNI_PRIV void blni_dual_missed(blni_evidence *e)
{
    size_t first, end;
    for (size_t s = 0; s < e->basis->n_slices; s++)
        if (blni_evidence_misses(e, s, &first, &end))
            for (size_t i = 0; i < e->n; i++) {
                const double a = e->root[i]*e->s[first];
                bln_axpy(end - first, (double)e->P*a*a/e->noise_var, e->Phi + i*e->D + first, e->F + i*e->D + first);
            }
}

/* After _value at the same point. */
BLNI_PRIV bln_status blni_dual_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta)
{
    const size_t n = e->n, D = e->D, P = e->P, d = e->basis->d;
    const double sigma = sqrt(h->noise_var);
    blni_dual_whiten(e);
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    if (!d_theta) return BLN_OK;

    /* F = alpha C_Y^-1 m' - P K^-1 Phi Lambda,  alpha = Omega^1/2 alpha~/sigma^2.   (S15) */
    bln_trsm(BLN_NOTRANS, n, D, e->K, n, e->F, D);
    blni_evidence_mean_over_sigma(e);
    for (size_t i = 0; i < n; i++) {
        const double b = -(double)P*e->root[i]/sigma;
        for (size_t j = 0; j < D; j++) e->F[i*D + j] *= b*e->s[j];
        for (size_t p = 0; p < P; p++) e->r[i*P + p] = e->root[i]*e->alpha[i*P + p]/h->noise_var;
    }
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, D, P, 1.0, e->r, P, e->mC, P, 1.0, e->F, D);
    blni_dual_missed(e);
    for (size_t k = 0; k < e->basis->n_theta; k++) d_theta[k] = 0.0;
    for (size_t i = 0; i < n; i += e->block)
        bln_basis_pullback(e->at, h->theta, blni_min(e->block, n - i), e->X + i*d, d, e->Phi + i*D, D, e->F + i*D, D, d_theta,
                           NULL, 0, e->basis_work);
    bln_basis_settle(e->at, h->theta, d_theta);
    return BLN_OK;
}

/* Posterior at h into r: low rank with k = n rows when n < D; else the factor of B = I + A'A. */
BLNI_PRIV bln_status blni_dual_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t n = e->n, D = e->D;
    bln_status status = blni_dual_value(e, h, report);
    if (status != BLN_OK) return status;
    blni_evidence_result(e, r);
    if (r->lowrank) {
        blni_dual_whiten(e);
        memcpy(r->R, e->F, n*D*sizeof *r->R);
        return BLN_OK;
    }
    bln_syrk(BLN_TRANS, D, n, 1.0, e->F, D, 0.0, r->R, D);
    for (size_t i = 0; i < D; i++) r->R[i*D + i] += 1.0;
    status = blni_potrf_jitter(D, r->R, D, e->diag, &e->tau);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
    return status;
}
