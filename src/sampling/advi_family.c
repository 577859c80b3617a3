/* advi_family: Gaussians by their parameters, and gradients of the ELBO with respect to these                   [programs 1-4, 31]
 *
 * z = mean + L e, where L has the diagonal e^x, or z = mean + delta o e + B h; points have z = mean and no x. With a factor c the
 * gradient g at z pulls back to c g, c g o e o diag and c g e' (or c g h'). The entropy adds 1 to the slope in each log diagonal of
 * L, and with P = delta^-2 B, M = I + B'P
 *     d/d log delta = 1 - delta^2 diag(P M^-1 P'),   d/dB = P M^-1,   precision = diag(delta^-2) - P M^-1 P'. */
#include "advi_private.h"
#include "../math/cholesky.h"

BLNI_PRIV size_t blni_q_parameters(size_t D, size_t points, size_t rank, int full)
{
    return blni_add(blni_mul(2, D) - points, full ? blni_mul(D, D - 1)/2 : blni_mul(D, rank));
}

/* Coordinates with a variance, and where number j of them is. */
BLNI_PRIV size_t blni_q_wide(const blni_q *q) { return q->D - q->points; }
BLNI_PRIV size_t blni_q_at(const blni_q *q, size_t j) { return q->points ? q->wide[j] : j; }

/* Standard normals that a draw takes. */
BLNI_PRIV size_t blni_q_noise(const blni_q *q) { return blni_q_wide(q) + q->rank; }

BLNI_PRIV void blni_q_carve(blni_arena *a, blni_q *q)
{
    q->diag = blni_carve_doubles(a, blni_q_wide(q));
    q->d = blni_carve_doubles(a, blni_q_wide(q));
    q->wide = (size_t *)blni_carve(a, q->points ? blni_q_wide(q) : 0, sizeof *q->wide);
    q->P = blni_carve_doubles(a, blni_mul(q->D, q->rank));
    q->M = blni_carve_doubles(a, blni_mul(q->rank, q->rank));
    q->v = blni_carve_doubles(a, blni_mul(2, q->rank));
}

/* Row i of L left of the diagonal, or of B. */
BLNI_PRIV size_t blni_q_row(const blni_q *q, size_t i) { return 2*q->D + (q->full ? i*(i - (i > 0))/2 : i*q->rank); }
BLNI_PRIV size_t blni_q_columns(const blni_q *q, size_t i) { return q->full ? i : q->rank; }

/* M >= I has lost its smallest eigenvalues to rounding where the largest are 1e16 times as large: here six digits are left. */
#define BLNI_Q_STEEPEST 1e10

/* To the parameters x, which stay where they are. 0: they are none of a Gaussian, or of one whose delta is so small beside B that
 * its density cannot be worked out. */
BLNI_PRIV int blni_q_set(blni_q *q, const double *x)
{
    const size_t D = q->D, r = q->rank;
    double sum = 0.0;
    q->x = x;
    for (size_t j = 0; j < blni_q_wide(q); j++) {
        q->diag[j] = exp(x[D + j]);
        sum += x[D + j];
    }
    q->half_logdet = sum;
    if (r) {
        const double *B = x + 2*D;
        for (size_t i = 0; i < D; i++)
            for (size_t k = 0; k < r; k++) q->P[i*r + k] = B[i*r + k]/q->diag[i]/q->diag[i];
        bln_gemm(BLN_TRANS, BLN_NOTRANS, r, r, D, 1.0, B, r, q->P, r, 0.0, q->M, r);
        double trace = 0.0;
        for (size_t k = 0; k < r; k++) trace += q->M[k*r + k] += 1.0;
        /* M >= I with such a trace has pivots of 1 but for rounding, of r 1e10 eps. */
        if (!(trace <= BLNI_Q_STEEPEST) || BLNI_NEVER(bln_potrf(r, q->M, r, NULL) != BLN_OK)) return 0;
        q->half_logdet += 0.5*bln_logdet_factor(r, q->M, r);
    }
    return blni_finite(q->half_logdet);
}

BLNI_PRIV void blni_q_place(const blni_q *q, const double *u, double *z)
{
    const double *of_row = q->full ? u : u + q->D;
    if (q->points) memcpy(z, q->x, q->D*sizeof *z);
    for (size_t j = 0; j < blni_q_wide(q); j++) {
        const size_t i = blni_q_at(q, j);
        z[i] = q->x[i] + q->diag[j]*u[j] + bln_dot(blni_q_columns(q, j), q->x + blni_q_row(q, j), of_row);
    }
}

/* With t = M^-1 (B'(e/delta) - h), of which nothing cancels however small delta is beside B: q->d <- e - B t/delta, q->v <- h + t.
 * Then precision (z - mean) = d/delta, and (z - mean)' precision (z - mean) = d'd + v'v. */
BLNI_PRIV void blni_q_whiten(const blni_q *q, const double *u)
{
    const size_t D = q->D, r = q->rank;
    double *t = q->v + r;
    for (size_t i = 0; i < D; i++) q->d[i] = u[i]*q->diag[i];
    memcpy(t, u + D, r*sizeof *t);
    bln_gemv(BLN_TRANS, D, r, 1.0, q->P, r, q->d, -1.0, t);
    bln_potrs(r, q->M, r, t);
    for (size_t k = 0; k < r; k++) q->v[k] = u[D + k] + t[k];
    for (size_t i = 0; i < D; i++) q->d[i] = u[i] - q->diag[i]*bln_dot(r, q->P + i*r, t);
}

/* w += precision (z - mean), for the z of u. */
BLNI_PRIV void blni_q_precision(const blni_q *q, const double *u, double *w)
{
    const size_t W = blni_q_wide(q);
    if (q->rank) blni_q_whiten(q, u);
    else if (W) memcpy(q->d, u, W*sizeof *u);
    for (size_t i = W; i-- > 0;) {                               /* FULL: L'd = u */
        q->d[i] /= q->diag[i];
        if (q->full) bln_axpy(i, -q->d[i], q->x + blni_q_row(q, i), q->d);
        w[blni_q_at(q, i)] += q->d[i];
    }
}

/* log q at the z of u. */
BLNI_PRIV double blni_q_log(const blni_q *q, const double *u)
{
    double square = q->rank ? 0.0 : bln_dot(blni_q_wide(q), u, u);
    if (q->rank) {
        blni_q_whiten(q, u);
        square = bln_dot(q->D, q->d, q->d) + bln_dot(q->rank, q->v, q->v);
    }
    return -0.5*(square + (double)blni_q_wide(q)*BLNI_LOG_2PI) - q->half_logdet;
}

/* gradient += c times that of w'z, z as a function of the parameters. */
BLNI_PRIV void blni_q_pull(const blni_q *q, const double *u, const double *w, double c, double *gradient)
{
    const double *of_row = q->full ? u : u + q->D;
    bln_axpy(q->D, c, w, gradient);
    for (size_t j = 0; j < blni_q_wide(q); j++) {
        const double slope = c*w[blni_q_at(q, j)];
        gradient[q->D + j] += slope*u[j]*q->diag[j];
        bln_axpy(blni_q_columns(q, j), slope, of_row, gradient + blni_q_row(q, j));
    }
}

/* gradient += c times that of the entropy. */
BLNI_PRIV void blni_q_entropy(const blni_q *q, double c, double *gradient)
{
    const size_t D = q->D, r = q->rank;
    for (size_t i = 0; i < blni_q_wide(q); i++) {
        gradient[D + i] += c;
        if (r == 0) continue;
        memcpy(q->v, q->P + i*r, r*sizeof *q->v);
        bln_potrs(r, q->M, r, q->v);
        gradient[D + i] -= c*q->diag[i]*q->diag[i]*bln_dot(r, q->v, q->P + i*r);
        bln_axpy(r, c, q->v, gradient + 2*D + i*r);
    }
}
