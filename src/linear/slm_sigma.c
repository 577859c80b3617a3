/* slm_sigma: the noise covariance Sigma of the outputs, given or the best one at each point                     [linear 23, 41, 42]
 *
 * With K = v Omega^-1 + Phi Lambda Phi' (v: the evidence's noise_var), Sigma = v C, Q = Y'K^-1 Y, N' = N - p_f:
 *     log p(Y) = -1/2 [N' P log 2 pi + P (N log v - ld + log|B|) + N' log|C| + tr(C^-1 Q)]
 * and the rest of the evidence uses C^-1 only. Where prior variances are absolute, C = I. */
#include "slm_private.h"
#include "../core/status_private.h"

/* A variance given the outputs before it that is smaller than this part of the variance is rounding. */
#define BLNI_SIGMA_DEPENDENT 1e-13

BLNI_PRIV void blni_sigma_carve(blni_arena *a, blni_slm_noise *s)
{
    const size_t square = blni_mul(s->P, s->P);
    BLNI_CARVE4(a, square, s->C, s->inverse, s->Q, s->RSS);
    s->work    = blni_carve_doubles(a, square);
    s->floor   = blni_carve_doubles(a, s->P);
}

/* C^-1 and log|C|. *lost: an output that follows from those before it, or has less than its least variance; else P. */
BLNI_ONCE BLNI_PRIV void blni_sigma_invert(blni_slm_noise *s, size_t *lost)
{
    const size_t P = s->P;
    *lost = P;
    s->logdet = 0.0;
    if (s->kind != BLN_SLM_CORRELATED || P == 1) {
        for (size_t p = 0; p < P*P; p++) s->inverse[p] = 0.0;
        for (size_t p = 0; p < P; p++) {
            const double c = s->C[p*P + p];
            s->inverse[p*P + p] = c > 0.0 ? 1.0/c : 0.0;            /* 0: a perfect fit, with Q_pp = 0 */
            s->logdet += c > 0.0 ? log(c) : -HUGE_VAL;
        }
        return;
    }
    memcpy(s->inverse, s->C, P*P*sizeof *s->C);
    if (bln_potrf(P, s->inverse, P, lost) != BLN_OK) return;
    *lost = P;
    s->margin = HUGE_VAL;
    for (size_t p = P; p-- > 0;) {
        const double left = s->inverse[p*P + p]*s->inverse[p*P + p], margin = s->floor[p] > 0.0 ? left/s->floor[p] : HUGE_VAL;
        if (!(left > BLNI_SIGMA_DEPENDENT*s->C[p*P + p]) || !(margin >= 1.0)) *lost = p;
        if (margin <= s->margin) { s->margin = margin; s->nearest = p; }
    }
    s->logdet = bln_logdet_factor(P, s->inverse, P);
    bln_trtri(P, s->inverse, P);
    bln_lauum(P, s->inverse, P, s->inverse, P);
    bln_symmetrise(P, s->inverse, P);
}

/* C <- its best value Q/N', within its kind. */
BLNI_PRIV void blni_sigma_best(blni_slm_noise *s, double freedom)
{
    const size_t P = s->P;
    double mean = 0.0, least = 0.0;
    s->bounded = 0;
    for (size_t p = 0; p < P; p++) {
        mean += s->Q[p*P + p]/freedom/(double)P;
        least += s->floor[p]/(double)P;
        for (size_t q = p; q < P; q++) s->C[p*P + q] = p == q || s->kind == BLN_SLM_CORRELATED ? s->Q[p*P + q]/freedom : 0.0;
    }
    for (size_t p = 0; p < P; p++) {
        double *c = &s->C[p*P + p];
        const double floor = s->kind == BLN_SLM_SHARED ? least : s->floor[p];
        if (s->kind == BLN_SLM_SHARED) *c = mean;
        if ((s->kind == BLN_SLM_CORRELATED && P > 1) || *c >= floor) continue;
        *c = floor;
        s->bounded = 1;
    }
    bln_symmetrise(P, s->C, P);
}

BLNI_PRIV bln_status blni_sigma_dependent(size_t column, bln_report *report)
{
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, column,
                     "data: an output follows from those before it, or is fitted perfectly: a full Sigma is not defined");
}

/* At one point, with Q at hand: C, C^-1, log|C|. N' = freedom. column: that of the first output, for the report.
 * BLN_EUNDEFINED: no freedom; an output without noise of its own (a perfect fit counts as one only in exact arithmetic). */
BLNI_PRIV bln_status blni_sigma_settle(blni_slm_noise *s, double freedom, int exact, size_t column, bln_report *report)
{
    const size_t P = s->P;
    size_t lost;
    if (!s->profile) return BLN_OK;
    if (!(freedom > 0.0))
        return blni_refuse(report, BLN_EUNDEFINED,
                           "data: no more rows than weights with flat priors, so the noise variance cannot be learnt; fix it");
    blni_sigma_best(s, freedom);
    blni_sigma_invert(s, &lost);
    for (size_t p = 0; p < P && !exact; p++)
        if (!(s->C[p*P + p] > 0.0))
            return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, column + p,
                             "data: a perfect fit as far as doubles can see; fix the noise variance, or use exact arithmetic");
    return lost == P ? BLN_OK : blni_sigma_dependent(column + lost, report);
}

/* C <- scale I, or cov/v, once and for all. 0: it has no inverse. */
BLNI_PRIV int blni_sigma_fix(blni_slm_noise *s, const double *cov, double scale)
{
    const size_t P = s->P;
    size_t lost;
    s->profile = 0;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) {
            const int read = cov && (p == q || s->kind == BLN_SLM_CORRELATED);
            s->C[p*P + q] = read ? cov[p*P + q] : !cov && p == q ? scale : 0.0;
        }
    for (size_t p = 0; p < P; p++) s->floor[p] = 0.0;
    bln_symmetrise(P, s->C, P);
    blni_sigma_invert(s, &lost);
    return lost == P;
}

/* x'C^-1 x for P numbers. */
BLNI_PRIV double blni_sigma_norm(const blni_slm_noise *s, const double *x)
{
    const size_t P = s->P;
    double sum = 0.0;
    for (size_t p = 0; p < P; p++) {
        if (s->kind != BLN_SLM_CORRELATED) { sum += x[p]*s->inverse[p*P + p]*x[p]; continue; }
        sum += x[p]*bln_dot(P, s->inverse + p*P, x);
    }
    return sum;
}

/* tr(C^-1 A), A in its upper triangle. */
BLNI_PRIV double blni_sigma_trace(const blni_slm_noise *s, const double *A)
{
    const size_t P = s->P;
    double sum = 0.0;
    for (size_t p = 0; p < P; p++) {
        sum += s->inverse[p*P + p]*A[p*P + p];
        for (size_t q = p + 1; q < P; q++) sum += 2.0*s->inverse[p*P + q]*A[p*P + q];
    }
    return sum;
}

/* d log p/dC_pq = 1/2 (C^-1 Q C^-1 - N' C^-1), both triangles, in a P x P array. */
BLNI_PRIV void blni_sigma_gradient(blni_slm_noise *s, double freedom, double *d_cov)
{
    const size_t P = s->P;
    bln_symmetrise(P, s->Q, P);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, P, P, P, 1.0, s->inverse, P, s->Q, P, 0.0, d_cov, P);
    memcpy(s->work, d_cov, P*P*sizeof *d_cov);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, P, P, P, 0.5, s->work, P, s->inverse, P, 0.0, d_cov, P);
    for (size_t p = 0; p < P*P; p++) d_cov[p] -= 0.5*freedom*s->inverse[p];
}

/* C = alpha A'A + beta C (upper triangle) for A: n x P without gaps; the product of one column with itself needs no blocks. */
BLNI_PRIV void blni_sigma_cross(size_t n, size_t P, double alpha, const double *A, double beta, double *C)
{
    if (P == 1) *C = alpha*bln_dot(n, A, A) + (beta == 0.0 ? 0.0 : beta**C);      /* 0: as in >>blas, C may start as anything */
    else bln_syrk(BLN_TRANS, P, n, alpha, A, P, beta, C, P);
}

/* op(U) X = B in place for P columns. */
BLNI_PRIV void blni_sigma_solve(bln_trans op, size_t n, size_t P, const double *U, size_t ldu, double *X)
{
    if (P == 1) bln_trsv(op, n, U, ldu, X);
    else bln_trsm(op, n, P, U, ldu, X, P);
}
