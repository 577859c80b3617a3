/* gaussian: Gaussian posteriors in whitened form. A variance is the sum of squares of a triangular solve (factor form), or one such
 * sum less another (low-rank form), never a difference of two rounded covariances. */
#include "gaussian_private.h"
#include "../core/memory_private.h"

/* A row block of Phi is needed transposed (D x n) for the factor form, scaled (n x D) and multiplied (n x k) for the other. */
BLNI_PRIV size_t blni_gaussian_project_work(const blni_gaussian *g, size_t n)
{
    return blni_mul(n, g->form == BLN_GAUSSIAN_FACTOR ? g->D : blni_add(g->D, g->k));
}

/* work <- U^-T S Phi' (D x n): n right-hand sides at once. */
BLNI_HOT BLNI_PRIV void blni_whiten_factor(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work)
{
    for (size_t j = 0; j < g->D; j++)
        for (size_t i = 0; i < n; i++) work[j*n + i] = g->s[j]*Phi[i*ldphi + j];
    if (n == 1) bln_trsv(BLN_TRANS, g->D, g->R, g->ldr, work);
    else        bln_trsm(BLN_TRANS, g->D, n, g->R, g->ldr, work, n);
}

/* work <- Phi S (n x D), and behind it Phi S V' (n x k), at _product. */
BLNI_PRIV double *blni_lowrank_product(const blni_gaussian *g, size_t n, double *work) { return work + n*g->D; }

BLNI_HOT BLNI_PRIV void blni_whiten_lowrank(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < g->D; j++) work[i*g->D + j] = g->s[j]*Phi[i*ldphi + j];
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, g->k, g->D, 1.0, work, g->D, g->R, g->ldr, 0.0, blni_lowrank_product(g, n, work), g->k);
}

/* var_i = |U^-T S phi_i|^2 */
BLNI_HOT BLNI_PRIV void blni_project_factor(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var,
                                            double *work)
{
    blni_whiten_factor(g, n, Phi, ldphi, work);
    for (size_t i = 0; i < n; i++) var[i] = 0.0;
    for (size_t j = 0; j < g->D; j++)
        for (size_t i = 0; i < n; i++) var[i] += work[j*n + i]*work[j*n + i];
}

/* var_i = |S phi_i|^2 - |V S phi_i|^2, cut off at 0 where the data pin f down to rounding. */
BLNI_HOT BLNI_PRIV void blni_project_lowrank(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var,
                                             double *work)
{
    blni_whiten_lowrank(g, n, Phi, ldphi, work);
    for (size_t i = 0; i < n; i++) {
        const double *a = work + i*g->D, *b = blni_lowrank_product(g, n, work) + i*g->k;
        const double v = bln_dot(g->D, a, a) - bln_dot(g->k, b, b);
        var[i] = v > 0.0 ? v : 0.0;
    }
}

BLNI_PRIV void blni_gaussian_project(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                  double *work)
{
    if (n == 0) return;
    if (mean) bln_gemv(BLN_NOTRANS, n, g->D, 1.0, Phi, ldphi, g->m, 0.0, mean);
    if (!var) return;
    if (g->form == BLN_GAUSSIAN_FACTOR) blni_project_factor(g, n, Phi, ldphi, var, work);
    else                                blni_project_lowrank(g, n, Phi, ldphi, var, work);
}

/* C phi = S U^-1 U^-T S phi,  or  S (p - V'(V p)) with p = S phi. */
BLNI_PRIV void blni_gaussian_multiply(const blni_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *out, size_t ldo,
                                   double *work)
{
    const size_t D = g->D;
    if (n == 0) return;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        blni_whiten_factor(g, n, Phi, ldphi, work);
        bln_trsm(BLN_NOTRANS, D, n, g->R, g->ldr, work, n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < D; j++) out[i*ldo + j] = g->s[j]*work[j*n + i];
    } else {
        blni_whiten_lowrank(g, n, Phi, ldphi, work);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D, g->k, -1.0, blni_lowrank_product(g, n, work), g->k, g->R, g->ldr, 1.0, work, D);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < D; j++) out[i*ldo + j] = g->s[j]*work[i*D + j];
    }
}

/* work <- U^-1, upper triangle, stride D. */
BLNI_PRIV void blni_gaussian_inverse_factor(const blni_gaussian *g, double *work)
{
    for (size_t i = 0; i < g->D; i++) memcpy(work + i*g->D + i, g->R + i*g->ldr + i, (g->D - i)*sizeof *work);
    bln_trtri(g->D, work, g->D);
}

BLNI_PRIV void blni_gaussian_variances(const blni_gaussian *g, double *var, double *work)
{
    const size_t D = g->D;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        /* (U'U)^-1 = U^-1 U^-T: its diagonal is the squared norms of the rows of U^-1. */
        blni_gaussian_inverse_factor(g, work);
        for (size_t i = 0; i < D; i++) var[i] = g->s[i]*g->s[i]*bln_dot(D - i, work + i*D + i, work + i*D + i);
        return;
    }
    for (size_t j = 0; j < D; j++) var[j] = 1.0;
    for (size_t i = 0; i < g->k; i++)
        for (size_t j = 0; j < D; j++) var[j] -= g->R[i*g->ldr + j]*g->R[i*g->ldr + j];
    for (size_t j = 0; j < D; j++) var[j] = var[j] > 0.0 ? var[j]*g->s[j]*g->s[j] : 0.0;
}

BLNI_PRIV void blni_gaussian_covariance(const blni_gaussian *g, double *C, size_t ldc, double *work)
{
    const size_t D = g->D;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        blni_gaussian_inverse_factor(g, work);
        bln_lauum(D, work, D, C, ldc);
    } else {
        bln_syrk(BLN_TRANS, D, g->k, -1.0, g->R, g->ldr, 0.0, C, ldc);
        for (size_t i = 0; i < D; i++) C[i*ldc + i] += 1.0;
    }
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++) C[i*ldc + j] *= g->s[i]*g->s[j];
}
