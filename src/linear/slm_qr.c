/* slm_qr: the primal form from the triangle R of [Phi Y], R'R = [Phi Y]' Omega [Phi Y], without squaring the condition of Phi
 *     [linear 19; Demmel et al. 2012]
 *
 * With A = R_Phi S/sigma, J the identity with 0 on the diagonal for flat weights, and one more QR,
 *     [ J  0         ]       [ U  u ]
 *     [ A  R_Y/sigma ]  = Q  [ 0  V ],    B = U'U,  w = U^-1 u,  m = S w,  log|B| = 2 sum log U_ii,  Y'K^-1 Y = V'V,
 *     [ 0  R_YY/sigma]       [ 0  0 ]
 *     RSS = (R_Y - R_Phi m)'(R_Y - R_Phi m) + R_YY'R_YY.
 * All are sums of squares, with no difference of nearly equal numbers. J stands above A, so that the reflection of a column (1, a)
 * with |a| << 1, a feature that the fit is switching off, keeps the digits of the small row that it makes; with J below A these
 * digits would be differences of large numbers. What follows from U (C, the second pass for theta) is shared with slm_primal. */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../math/qr_private.h"
#include "../posterior/prior_private.h"

/* T <- [U u; 0 V], a block of the rows of R at a time. */
BLNI_PRIV void blni_triangle_form(blni_evidence *e)
{
    enum { ROWS = 32 };
    const size_t D = e->D, D1 = D + e->P;
    const double sigma = sqrt(e->noise_var);
    for (size_t i = 0; i < D1*D1; i++) e->T[i] = 0.0;
    for (size_t i = 0; i < D; i++) e->T[i*D1 + i] = e->penalty[i];
    for (size_t i = 0; i < D1; i += ROWS) {
        const size_t k = blni_min(ROWS, D1 - i), n = D1 - i;
        double *rows = e->qr_work;
        for (size_t r = 0; r < k; r++)
            for (size_t j = 0; j < n; j++) rows[r*n + j] = e->gram.R[(i + r)*D1 + i + j]*((i + j < D ? e->s[i + j] : 1.0)/sigma);
        blni_tpqrt(n, k, e->T + i*D1 + i, D1, rows, n, rows + k*n);
    }
}

/* The noise of U'U for blni_flat_dependent: errors E in the columns, |E_i| <= c eps |A_i|, change U_jj by c eps (sum v_i^2
 * B_ii)^1/2. Each block of rows adds to them with a sign of its own: of exactly dependent features (the kinds and sizes of
 * blni_gram_noise) U_jj is up to 0.8 sqrt(N) times eps (sum v_i^2 B_ii)^1/2 when the rows come one at a time, 9 times in blocks of
 * 256. How they came, a triangle does not tell: c = 12 + sqrt(N). */
BLNI_PRIV double blni_triangle_noise(double N)
{
    const double c = (12.0 + sqrt(N))*DBL_EPSILON;
    return c*c;
}

/* Factor and solution. */
BLNI_PRIV bln_status blni_triangle_solve(blni_evidence *e, bln_report *report)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    double log_scale = 0.0;
    e->tau = 0.0;
    if (e->n_flat) BLNI_TRY(blni_flat_scales(e, &log_scale, report));
    blni_triangle_form(e);
    for (size_t i = 0; i < D; i++) {
        memcpy(e->B + i*D + i, e->T + i*D1 + i, (D - i)*sizeof *e->B);
        memcpy(e->u + i*P, e->T + i*D1 + D, P*sizeof *e->u);
    }
    if (e->n_flat) {
        const size_t bad = blni_flat_dependent(D, e->B, D, e->penalty, blni_triangle_noise(e->scan->N), e->w, e->diag);
        if (bad < D) return blni_fail(report, BLN_ENOTPD, BLN_NONE, bad, BLNI_COLLINEAR);
    }
    for (size_t i = 0; i < D; i++)
        if (!(e->B[i*D + i] <= DBL_MAX)) return BLN_ENOTPD;    /* overflow, or NaN after one: else it is 1 at least */
    blni_evidence_mean(e, log_scale);
    return BLN_OK;
}

/* Q and RSS. Below their diagonals R and T are 0. */
BLNI_PRIV void blni_triangle_squares(blni_evidence *e)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t i = 0; i < D; i++) memcpy(e->mC + i*P, e->gram.R + i*D1 + D, P*sizeof *e->mC);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, D, P, D, -1.0, e->gram.R, D1, e->m, P, 1.0, e->mC, P);
    blni_sigma_cross(D, P, 1.0, e->mC, 0.0, e->sigma.RSS);
    bln_syrk(BLN_TRANS, P, P, 1.0, e->gram.R + D*D1 + D, D1, 1.0, e->sigma.RSS, P);
    bln_syrk(BLN_TRANS, P, P, 1.0, e->T + D*D1 + D, D1, 0.0, e->sigma.Q, P);
}

/* gamma_i = 1 - (B^-1)_ii, 1 for a flat weight, or where that would cancel, from b = B^-1 e_i and (A'A + J)b = e_i:
 *     b_i = b'(A'A + J) b,   b_i (1 - b_i) = |A b|^2 + sum of b_j^2, j != i and not flat.
 * B: upper triangle of B^-1. */
BLNI_PRIV void blni_triangle_gamma(blni_evidence *e)
{
    const size_t D = e->D, D1 = D + e->P;
    const double sigma = sqrt(e->noise_var);
    double *b = e->diag;
    for (size_t i = 0; i < D; i++) {
        const double b_i = e->B[i*D + i];
        double sum = 0.0;
        e->gamma[i] = 1.0 - e->penalty[i]*b_i;
        if (e->gamma[i] > 0.5) continue;
        for (size_t j = 0; j < D; j++) {
            b[j] = j < i ? e->B[j*D + i] : e->B[i*D + j];
            if (j != i && e->penalty[j] > 0.0) sum += b[j]*b[j];
            b[j] *= e->s[j]/sigma;
        }
        for (size_t k = 0; k < D; k++) {
            const double t = bln_dot(D - k, e->gram.R + k*D1 + k, b + k);
            sum += t*t;
        }
        e->gamma[i] = sum/b_i;
    }
}
