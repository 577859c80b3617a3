/* multivariate: normal and Student-t vectors through a triangular factor, and Dirichlet vectors
 *
 * Draws are rows, so that the factor comes from the right: X = E U for a covariance and X U' = E for a precision, in place.
 * Both go by halving the triangle, U = [U1 V; 0 U2], X = [X1 X2], so that nearly all the work is in bln_gemm (as in
 * >>cholesky):
 *
 *     E U:      X2 <- X2 U2, then X2 += X1 V, then X1 <- X1 U1
 *     X U' = E: X2 <- X2 U2^-T, then X1 -= X2 V', then X1 <- X1 U1^-T
 *
 * The draws are made in chunks of rows: these stay in the cache, and the chunk's t factors fit on the stack. The normals come
 * one by one, not by bln_rng_normals, so that neither n nor the chunk shows in them. */
#include "multivariate.h"
#include "../math/special.h"
#include "../math/cholesky.h"
#include "distributions_private.h"

enum { BLNI_DRAWS = 64, BLNI_DRAW_LEAF = 16 };

typedef enum blni_factor_of { BLNI_COVARIANCE, BLNI_PRECISION } blni_factor_of;

/* x <- x U for a row x. Row i of U has its effect once x_i is no more needed: from the last one up. */
BLNI_PRIV void blni_row_times_factor(size_t D, const double *U, size_t ldu, double *x)
{
    for (size_t i = D; i-- > 0;) {
        const double *row = U + i*ldu;
        const double e = x[i];
        x[i] = e*row[i];
        for (size_t j = i + 1; j < D; j++) x[j] += e*row[j];
    }
}

/* X <- X U or X <- X U^-T; X: n x D. */
BLNI_PRIV void blni_rows_by_factor(blni_factor_of which, size_t n, size_t D, const double *U, size_t ldu, double *X, size_t ldx)
{
    if (D <= BLNI_DRAW_LEAF) {
        for (size_t i = 0; i < n; i++) {
            if (which == BLNI_COVARIANCE) blni_row_times_factor(D, U, ldu, X + i*ldx);
            else bln_trsv(BLN_NOTRANS, D, U, ldu, X + i*ldx);
        }
        return;
    }
    const size_t h = D/2;
    const double *V = U + h, *U2 = U + h*ldu + h;
    blni_rows_by_factor(which, n, D - h, U2, ldu, X + h, ldx);
    if (which == BLNI_COVARIANCE) bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D - h, h, 1.0, X, ldx, V, ldu, 1.0, X + h, ldx);
    else bln_gemm(BLN_NOTRANS, BLN_TRANS, n, h, D - h, -1.0, X + h, ldx, V, ldu, 1.0, X, ldx);
    blni_rows_by_factor(which, n, h, U, ldu, X, ldx);
}

/* Student-t vectors from either factor; nu = inf for the normal, which draws no gamma. */
BLNI_PRIV bln_status blni_mvt(bln_rng *rng, blni_factor_of which, size_t n, size_t D, double nu, const double *mean,
                              const double *U, size_t ldu, double *X, size_t ldx)
{
    if (!rng || !U || (!X && n)) return BLN_EINVAL;
    if (ldu < D || ldx < D) return BLN_EINVAL;
    if (!(nu > 0.0)) return BLN_EDOMAIN;
    for (size_t j = 0; j < D; j++) {
        const double pivot = U[j*ldu + j];
        if (!blni_finite(pivot) || (which == BLNI_PRECISION && pivot == 0.0)) return BLN_ENOTPD;
    }
    for (size_t first = 0; first < n; first += BLNI_DRAWS, X += BLNI_DRAWS*ldx) {
        const size_t rows = blni_min(BLNI_DRAWS, n - first);
        double factor[BLNI_DRAWS];
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < D; j++) X[i*ldx + j] = bln_rng_normal(rng);
            factor[i] = blni_student_factor(rng, nu);
        }
        blni_rows_by_factor(which, rows, D, U, ldu, X, ldx);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < D; j++) X[i*ldx + j] = (mean ? mean[j] : 0.0) + factor[i]*X[i*ldx + j];
    }
    return BLN_OK;
}

BLN_API bln_status bln_rng_mvnormal(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                    double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_COVARIANCE, n, D, (double)INFINITY, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvnormal_precision(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                              double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_PRECISION, n, D, (double)INFINITY, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvt(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                               double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_COVARIANCE, n, D, nu, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvt_precision(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U,
                                         size_t ldu, double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_PRECISION, n, D, nu, mean, U, ldu, X, ldx);
}

/* ---- Dirichlet */

BLN_API bln_status bln_rng_log_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx)
{
    if (!rng || !alpha || (!X && n)) return BLN_EINVAL;
    double largest = 0.0;
    for (size_t k = 0; k < D; k++) {
        if (!(alpha[k] >= 0.0 && blni_finite(alpha[k]))) return BLN_EDOMAIN;
        if (alpha[k] > largest) largest = alpha[k];
    }
    if (largest == 0.0) return BLN_EDOMAIN;
    if (ldx < D) return BLN_EINVAL;
    for (size_t i = 0; i < n; i++) {
        double *x = X + i*ldx;
        for (size_t k = 0; k < D; k++) x[k] = blni_log_gamma_share(rng, alpha[k]);
        const double log_sum = bln_logsumexp(D, x);
        for (size_t k = 0; k < D; k++) x[k] -= log_sum;
    }
    return BLN_OK;
}

BLN_API bln_status bln_rng_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx)
{
    const bln_status status = bln_rng_log_dirichlet(rng, n, D, alpha, X, ldx);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < D; k++) X[i*ldx + k] = exp(X[i*ldx + k]);
    return BLN_OK;
}
