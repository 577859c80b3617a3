/* slm_dual: the evidence in n x n form, for no more rows than features                                   [linear 9, 10, 13-16, 48]
 *
 * With A = Omega^1/2 Phi S/sigma (n x D) and K_s = I + A A' = U'U, everything follows from V = U^-T A:
 *     gamma_i = |V_i|^2 (column norms: no cancellation),   B^-1 = I - V'V,   K^-1 Phi Lambda = Omega^1/2 U^-1 V S/sigma.
 * A, V and U^-1 V take turns in e->F.
 *
 * Where the rows are the points of a part of the basis (ops->gram: a Gaussian process with a point on every row), its features
 * enter only through their products, which are a kernel matrix. Then the features of that part are not computed: its n x n matrix
 * K_s takes their columns of Phi, and with x = Omega^1/2 alpha~, Z = Omega^1/2 (U'U)^-1 Omega^1/2
 *     sum_i m_i^2/lambda_i = lambda_s x'K_s x/sigma^4,   sum_i gamma_i = lambda_s tr(Z K_s)/sigma^2,
 *     d log p/dK_s = lambda_s/(2 sigma^2) (x x'/sigma^2 - Z)                                      [Rasmussen & Williams 2006, 5.9]
 * The sums are stored in w and gamma of the slice's first weights; the others are 0. Value and gradient cost n^3 flops. Only the
 * posterior at the end needs the features. */
#include "slm_private.h"
#include "../basis/basis_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"
#include "../math/vecmath_private.h"

/* Which slices have their rows as points? The sums of a slice take its first P of n weights. */
BLNI_PRIV void blni_dual_find_kernels(blni_evidence *e)
{
    blni_sum_at at;
    e->kernels = 0;
    for (size_t s = 0; s < e->basis->n_slices; s++) e->kernel[s] = 0;
    if (e->per_weight || e->P > e->n) return;
    for (const bln_basis *p = blni_part_first(e->basis, &at); p; p = blni_part_next(e->basis, &at)) {
        if (!blni_basis_gram(p, NULL, e->n, e->X, e->basis->d, NULL, 0, e->room)) continue;
        e->kernel[at.slice] = e->kernels = 1;
    }
}

/* The rows as arrays: inputs, targets, sqrt(omega). */
BLNI_PRIV bln_status blni_dual_gather(blni_evidence *e, bln_report *report)
{
    const size_t d = e->basis->d;
    size_t at = 0;
    bln_data rows;
    bln_status status = e->source->reset(e->source->user, report);
    while (status == BLN_OK && (status = blni_source_next(e->source, e->block, e->P, &rows, report)) == BLN_OK && rows.n) {
        if (rows.n > e->n - at) return blni_refuse(report, BLN_ESHAPE, "source: more rows than in the first pass");
        for (size_t i = 0; i < rows.n; i++, at++) {
            if (d) memcpy(e->X + at*d, rows.X + i*blni_ldx(&rows), d*sizeof *e->X);
            for (size_t p = 0; p < e->P; p++) e->y[at*e->P + p] = blni_row_target(&rows, i, p);
            e->root[at] = sqrt(blni_row_omega(&rows, i));
        }
    }
    if (status == BLN_OK && at != e->n) return blni_refuse(report, BLN_ESHAPE, "source: fewer rows than in the first pass");
    if (status == BLN_OK) blni_dual_find_kernels(e);
    return status;
}

/* A walk over the parts that are treated apart: those of a sum if one of them is a kernel, else the whole. *theta becomes the
 * part's own. */
BLNI_PRIV const bln_basis *blni_dual_part(const blni_evidence *e, const bln_basis *part, blni_sum_at *at)
{
    if (e->kernels) return part ? blni_part_next(e->basis, at) : blni_part_first(e->basis, at);
    memset(at, 0, sizeof *at);
    return part ? NULL : e->basis;
}

BLNI_PRIV int blni_dual_is_kernel(const blni_evidence *e, const blni_sum_at *at) { return e->kernels && e->kernel[at->slice]; }

/* A part that is no kernel, bound to theta: one after the other they take the same room. */
BLNI_PRIV const bln_basis *blni_dual_bind(const blni_evidence *e, const bln_basis *part, const double *theta)
{
    return e->kernels ? bln_basis_bind(part, theta, e->room) : e->at;
}

/* Features of the bound part from column `first` of Phi on. */
BLNI_PRIV void blni_dual_make(blni_evidence *e, const bln_basis *bound, const double *theta, size_t first)
{
    const size_t d = e->basis->d, D = e->D;
    for (size_t i = 0; i < e->n; i += e->block)
        bln_basis_features(bound, theta, blni_min(e->block, e->n - i), e->X + i*d, d, e->Phi + i*D + first, D, e->basis_work);
}

BLNI_PRIV void blni_dual_features(blni_evidence *e, const double *theta)
{
    blni_sum_at at;
    if (blni_evidence_same_theta(e, theta)) return;
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p; p = blni_dual_part(e, p, &at)) {
        const double *own = p->n_theta ? theta + at.theta : NULL;
        if (blni_dual_is_kernel(e, &at)) blni_basis_gram(p, own, e->n, e->X, e->basis->d, e->Phi + at.D, e->D, e->room);
        else blni_dual_make(e, blni_dual_bind(e, p, own), own, at.D);
    }
}

/* Columns first .. end - 1 of F <- those of A. */
BLNI_PRIV void blni_dual_scale(blni_evidence *e, size_t first, size_t end)
{
    const double sigma = sqrt(e->noise_var);
    for (size_t i = 0; i < e->n; i++) {
        const double f = e->root[i]/sigma, *phi = e->Phi + i*e->D;
        for (size_t j = first; j < end; j++) e->F[i*e->D + j] = f*e->s[j]*phi[j];
    }
}

/* K <- K_s, the sum over the parts. */
BLNI_ONCE BLNI_PRIV void blni_dual_covariance(blni_evidence *e)
{
    const size_t n = e->n, D = e->D;
    double beta = 0.0;
    blni_sum_at at;
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p; p = blni_dual_part(e, p, &at), beta = 1.0) {
        if (!blni_dual_is_kernel(e, &at)) {
            blni_dual_scale(e, at.D, at.D + p->D);
            bln_syrk(BLN_NOTRANS, n, p->D, 1.0, e->F + at.D, D, beta, e->K, n);
            continue;
        }
        const double ratio = e->s[at.D]*e->s[at.D]/e->noise_var;
        for (size_t i = 0; i < n; i++) {
            const double f = ratio*e->root[i], *BLNI_RESTRICT k = e->Phi + i*D + at.D, *BLNI_RESTRICT root = e->root;
            double *BLNI_RESTRICT to = e->K + i*n;
            if (beta > 0.0) for (size_t j = i; j < n; j++) to[j] += f*root[j]*k[j];
            else blni_vec_product(n - i, f, root + i, k + i, to + i);
        }
    }
    for (size_t i = 0; i < n; i++) e->K[i*n + i] += 1.0;
}

/* The first P weights of a kernel: w'w = lambda X'K_s X/sigma^4 with X = Omega^1/2 alpha~ (n x P), as a triangle; a pivot of 0 ends
 * its row. */
BLNI_PRIV void blni_dual_kernel_mean(blni_evidence *e, size_t first)
{
    const size_t n = e->n, P = e->P;
    const double f = e->s[first]/e->noise_var;
    double *x = e->mC, *w = e->w + first*P;                     /* x: P x n */
    for (size_t p = 0; p < P; p++)
        for (size_t i = 0; i < n; i++) x[p*n + i] = f*e->root[i]*e->alpha[i*P + p];
    for (size_t j = 0; j < n*P; j++) w[j] = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double *k = e->Phi + i*e->D + first;
        for (size_t p = 0; p < P; p++) {
            const double right = 0.5*k[i]*x[p*n + i] + bln_dot(n - i - 1, k + i + 1, x + p*n + i + 1);
            for (size_t q = 0; q < P; q++) w[blni_min(p, q)*P + blni_max(p, q)] += (p == q ? 2.0 : 1.0)*right*x[q*n + i];
        }
    }
    for (size_t p = 0; p < P; p++) {
        const double root = w[p*P + p] > 0.0 ? sqrt(w[p*P + p]) : 0.0;
        for (size_t q = p; q < P; q++) w[p*P + q] = root > 0.0 ? w[p*P + q]/root : 0.0;
        for (size_t q = p + 1; q < P; q++)
            for (size_t r = q; r < P; r++) w[q*P + r] -= w[p*P + q]*w[p*P + r];
    }
}

/* w of columns first .. end - 1, from their A and alpha~. */
BLNI_PRIV void blni_dual_mean(blni_evidence *e, size_t first, size_t end)
{
    const double f = 1.0/sqrt(e->noise_var), *A = e->F + first;
    const size_t n = e->n, D = e->D, P = e->P;
    if (P == 1) bln_gemv(BLN_TRANS, n, end - first, f, A, D, e->alpha, 0.0, e->w + first);
    else bln_gemm(BLN_TRANS, BLN_NOTRANS, end - first, P, n, f, A, D, e->alpha, P, 0.0, e->w + first*P, P);
}

/* m = S w */
BLNI_PRIV void blni_dual_scale_mean(blni_evidence *e)
{
    for (size_t j = 0; j < e->D; j++)
        for (size_t p = 0; p < e->P; p++) e->m[j*e->P + p] = e->s[j]*e->w[j*e->P + p];
}

/* alpha <- t = U^-T Omega^1/2 Y */
BLNI_PRIV void blni_dual_whiten_targets(blni_evidence *e)
{
    const size_t n = e->n, P = e->P;
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < P; p++) e->alpha[i*P + p] = e->root[i]*e->y[i*P + p];
    blni_sigma_solve(BLN_TRANS, n, P, e->K, n, e->alpha);
}

BLNI_ONCE BLNI_PRIV bln_status blni_dual_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t n = e->n, P = e->P;
    blni_sum_at at;
    blni_dual_features(e, h->theta);
    blni_evidence_at(e, h);
    blni_dual_covariance(e);
    BLNI_TRY(blni_potrf_jitter(n, e->K, n, e->diag, &e->tau));
    e->logdet = bln_logdet_factor(n, e->K, n);
    e->condition = blni_condition_factor(n, e->K, n);

    /* Q = t't/sigma^2,  alpha~ = U^-1 t,  w = A'alpha~/sigma,  m = S w.  [linear 9, 10] */
    blni_dual_whiten_targets(e);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.Q);
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) e->sigma.Q[p*P + q] /= h->noise_var;
    blni_sigma_solve(BLN_NOTRANS, n, P, e->K, n, e->alpha);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.RSS);   /* Omega^1/2 (Y - Phi m) = alpha~ */
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p; p = blni_dual_part(e, p, &at)) {
        if (blni_dual_is_kernel(e, &at)) blni_dual_kernel_mean(e, at.D);
        else blni_dual_mean(e, at.D, at.D + p->D);
    }
    blni_dual_scale_mean(e);
    return blni_evidence_settle(e, report);
}

/* Columns first .. end - 1 of F <- V = U^-T A, and their gamma. */
BLNI_PRIV void blni_dual_whiten(blni_evidence *e, size_t first, size_t end)
{
    const size_t n = e->n, D = e->D;
    bln_trsm(BLN_TRANS, n, end - first, e->K, n, e->F + first, D);
    for (size_t j = first; j < end; j++) e->gamma[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = first; j < end; j++) e->gamma[j] += e->F[i*D + j]*e->F[i*D + j];
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

/* Columns first .. end - 1 of F, from V to alpha C_Y^-1 m' - P K^-1 Phi Lambda,  alpha = Omega^1/2 alpha~/sigma^2.  [linear 15] */
BLNI_PRIV void blni_dual_slopes(blni_evidence *e, size_t first, size_t end)
{
    const size_t n = e->n, D = e->D, P = e->P;
    const double sigma = sqrt(e->noise_var);
    bln_trsm(BLN_NOTRANS, n, end - first, e->K, n, e->F + first, D);
    for (size_t i = 0; i < n; i++) {
        const double b = -(double)P*e->root[i]/sigma;
        for (size_t j = first; j < end; j++) e->F[i*D + j] *= b*e->s[j];
        for (size_t p = 0; p < P; p++) e->r[i*P + p] = e->root[i]*e->alpha[i*P + p]/e->noise_var;
    }
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, end - first, P, 1.0, e->r, P, e->mC + first*P, P, 1.0, e->F + first, D);
}

/* dtheta of a part that is no kernel += what its columns of F say. */
BLNI_PRIV void blni_dual_pull(blni_evidence *e, const bln_basis *part, const blni_sum_at *at, const double *theta, double *dtheta)
{
    const size_t d = e->basis->d, D = e->D;
    if (part->n_theta == 0) return;
    const bln_basis *bound = blni_dual_bind(e, part, theta + at->theta);
    for (size_t i = 0; i < e->n; i += e->block)
        bln_basis_pullback(bound, theta + at->theta, blni_min(e->block, e->n - i), e->X + i*d, d, e->Phi + i*D + at->D, D,
                           e->F + i*D + at->D, D, dtheta + at->theta, NULL, 0, e->basis_work);
    bln_basis_settle(bound, theta + at->theta, dtheta + at->theta);
}

/* gamma of a kernel, from (U'U)^-1 in K, and its dtheta unless NULL: twice d log p/dK_s goes to F, for each pair is there once. The
 * rows of r are Omega^1/2 alpha~ Sigma^-1/sigma^2, an output each, so that they are added in one piece. */
BLNI_PRIV void blni_dual_kernel(blni_evidence *e, const bln_basis *part, const blni_sum_at *at, const double *theta, double *dtheta)
{
    const size_t n = e->n, P = e->P, D = e->D;
    const double ratio = e->s[at->D]*e->s[at->D]/e->noise_var, c = dtheta ? -(double)P : 1.0, *BLNI_RESTRICT root = e->root;
    double gamma = 0.0;
    if (dtheta) bln_gemm(BLN_TRANS, BLN_TRANS, P, n, P, 1.0/e->noise_var, e->sigma.inverse, P, e->alpha, P, 0.0, e->r, n);
    for (size_t p = 0; p < P && dtheta; p++) for (size_t j = 0; j < n; j++) e->r[p*n + j] *= root[j];
    for (size_t i = 0; i < n; i++) {
        const double f = ratio*root[i], cf = c*f, *BLNI_RESTRICT z = e->K + i*n;
        double *BLNI_RESTRICT G = dtheta ? e->F + i*D + at->D : e->diag;
        blni_vec_product(n - i, cf, root + i, z + i, G + i);
        G[i] *= 0.5;
        gamma += 2.0/c*bln_dot(n - i, G + i, e->Phi + i*D + at->D + i);
        for (size_t p = 0; p < P && dtheta; p++) bln_axpy(n - i, f*e->alpha[i*P + p], e->r + p*n + i, G + i);
    }
    for (size_t j = at->D; j < at->D + n; j++) e->gamma[j] = 0.0;
    e->gamma[at->D] = gamma;
    if (dtheta)
        part->ops->gram_pullback(part, theta + at->theta, n, e->X, e->basis->d, e->F + at->D, D, dtheta + at->theta, e->room);
}

/* After _value at the same point. Kernels come last: they take the place of the factor. */
BLNI_PRIV bln_status blni_dual_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta)
{
    const size_t n = e->n;
    blni_sum_at at;
    if (d_theta) blni_evidence_mean_over_sigma(e);
    for (size_t k = 0; k < e->basis->n_theta && d_theta; k++) d_theta[k] = 0.0;
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p; p = blni_dual_part(e, p, &at)) {
        if (blni_dual_is_kernel(e, &at)) continue;
        blni_dual_whiten(e, at.D, at.D + p->D);
        if (d_theta) blni_dual_slopes(e, at.D, at.D + p->D);
    }
    if (d_theta) blni_dual_missed(e);
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p && d_theta; p = blni_dual_part(e, p, &at))
        if (!blni_dual_is_kernel(e, &at)) blni_dual_pull(e, p, &at, h->theta, d_theta);
    if (e->kernels) { bln_trtri(n, e->K, n); bln_lauum(n, e->K, n, e->K, n); }
    for (const bln_basis *p = blni_dual_part(e, NULL, &at); p; p = blni_dual_part(e, p, &at))
        if (blni_dual_is_kernel(e, &at)) blni_dual_kernel(e, p, &at, h->theta, p->n_theta ? d_theta : NULL);
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    return BLN_OK;
}

/* Features of all parts in the place of kernels: A, K_s, w and m. What the evidence is made of stays. V = U^-T A needs the U of the
 * very products A A': tau of the features, 1e-13 n lambda, may be far more than the noise, and V V' = I - K_s^-1 is what says how
 * well a row is known by the others. */
BLNI_PRIV bln_status blni_dual_expand(blni_evidence *e, const double *theta)
{
    double tau;
    e->at = bln_basis_bind(e->basis, theta, e->room);
    e->have_features = 0;
    e->kernels = 0;
    blni_dual_make(e, e->at, theta, 0);
    blni_dual_covariance(e);
    BLNI_TRY(blni_potrf_jitter(e->n, e->K, e->n, e->diag, &tau));
    e->tau = tau > e->tau ? tau : e->tau;
    blni_dual_whiten_targets(e);
    blni_sigma_solve(BLN_NOTRANS, e->n, e->P, e->K, e->n, e->alpha);
    blni_dual_mean(e, 0, e->D);
    blni_dual_scale_mean(e);
    return BLN_OK;
}

/* Posterior at h into r: of low rank, V with k = n rows. */
BLNI_PRIV bln_status blni_dual_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t n = e->n, D = e->D;
    bln_status status = blni_dual_value(e, h, report);
    if (status != BLN_OK) return status;
    const int kernels = e->kernels;
    if (kernels) status = blni_dual_expand(e, h->theta);
    e->kernels = kernels;
    if (status != BLN_OK) return status;
    blni_evidence_result(e, r);
    blni_dual_whiten(e, 0, D);
    memcpy(r->R, e->F, n*D*sizeof *r->R);
    return BLN_OK;
}
