/* full_differences: the bound for several latents where log p depends on their differences only
 *
 * With one prior for all latents, write w_j = u_j + c, sum_j u_j = 0. The rows say nothing of c: its posterior is its prior
 * N(0, Lambda/J). So q is a distribution of the u alone, that which the product of Gaussians N(m_j, C_j) gives them. Its bound
 * leaves out the Kullback-Leibler divergence of c, which can be tens of nats; it has (J-1)/J of the trace, and one determinant more
 * [Schur's complement of sum_j u_j]:
 *
 *     L + 1/2J sum_j tr Lambda^-1 C_j + 1/2 log|Lambda P/J| - D/2,   P = sum_j C_j^-1,                             [variational 63]
 *     2 dL/dC_j = C_j^-1 - C_j^-1 P^-1 C_j^-1 - N_j,   N_j = Phi'W_j Phi + (J-1)/J Lambda^-1.
 *
 * For two classes it is the bound of the binomial likelihood, whose latent is their difference. Predictions depend on differences
 * too, whose variances are those of the product.
 *
 * Given the W_j, the best C_j maximise
 *     F = 1/2 log|P| - 1/2 sum_j log|C_j^-1| - 1/2 sum_j tr N_j C_j,                                               [variational 64]
 * which is concave, since the covariance of the differences is linear in the C_j and F has the log of its determinant. As a
 * function of C_j alone it is 1/2 log|C_j + Q_j^-1| - 1/2 tr N_j C_j, Q_j = P - C_j^-1, and is greatest at C_j = N_j^-1 - Q_j^-1.
 * First all C_j move (J-1)/J of the way there at once, which is exact if they are equal; then one after the other, in two sweeps.
 * Where only two classes matter, F hardly changes with C_j - C_k, and such directions converge slowly, but F and the variances of
 * the differences are right long before. The rate sum_j tr dL/dC_j (step of C_j) is about twice the distance of F from its
 * maximum. */
#include "../math/cholesky.h"
#include "full_differences_private.h"

enum { BLNI_DIFFERENCES_SWEEPS = 2 };

BLNI_PRIV void blni_differences_carve(blni_arena *a, size_t J, size_t D, blni_differences *z)
{
    const size_t one = blni_mul(D, D), all = blni_mul(J, one);
    z->J = J;
    z->D = D;
    BLNI_CARVE3(a, all, z->B, z->C, z->N);
    BLNI_CARVE3(a, one, z->P, z->X, z->Y);
    z->rate = 0.0;
}

/* The upper triangle of U, with zeros below. */
BLNI_PRIV void blni_differences_upper(size_t D, const double *U, double *X)
{
    for (size_t i = 0; i < D; i++)
        for (size_t k = 0; k < D; k++) X[i*D + k] = k < i ? 0.0 : U[i*D + k];
}

/* X <- (U'U)^-1, X = U. */
BLNI_PRIV void blni_differences_invert(size_t D, double *X)
{
    bln_trtri(D, X, D);
    bln_lauum(D, X, D, X, D);
}

/* The sum of two symmetric matrices' products, by their upper triangles. */
BLNI_PRIV double blni_differences_trace(size_t D, const double *A, const double *B)
{
    double sum = 0.0;
    for (size_t i = 0; i < D; i++) sum += 2.0*bln_dot(D - i, A + i*D + i, B + i*D + i) - A[i*D + i]*B[i*D + i];
    return sum;
}

/* y += sign A x, A symmetric, by its upper triangle. */
BLNI_PRIV void blni_differences_product(size_t D, const double *A, double sign, const double *x, double *y)
{
    for (size_t i = 0; i < D; i++) {
        const double *row = A + i*D;
        y[i] += sign*bln_dot(D - i, row + i, x + i);
        bln_axpy(D - i - 1, sign*x[i], row + i + 1, y + i + 1);
    }
}

/* C_j goes r of the way, or a part of that, to where F is greatest; X: the factor of the new C_j. 0: it stays. */
BLNI_PRIV int blni_differences_move(blni_differences *z, size_t j, double r)
{
    const size_t D = z->D, DD = D*D;
    double *C = z->C + j*DD, *X = z->X, *Y = z->Y;
    size_t bad;
    for (size_t i = 0; i < DD; i++) Y[i] = 0.0;
    for (size_t k = 0; k < z->J; k++)
        if (k != j) bln_axpy(DD, 1.0, z->B + k*DD, Y);
    if (bln_potrf(D, Y, D, &bad) != BLN_OK) return 0;
    blni_differences_invert(D, Y);
    for (size_t i = 0; i < DD; i++) Y[i] = z->N[j*DD + i] - Y[i] - C[i];
    for (; r > 1e-3; r *= 0.5) {
        memcpy(X, C, DD*sizeof *X);
        bln_axpy(DD, r, Y, X);
        if (bln_potrf(D, X, D, &bad) != BLN_OK) continue;
        bln_axpy(DD, r, Y, C);
        return 1;
    }
    return 0;
}

/* B_j of X, C_j's factor. */
BLNI_PRIV void blni_differences_follow(blni_differences *z, size_t j)
{
    const size_t DD = z->D*z->D;
    blni_differences_invert(z->D, z->X);
    memcpy(z->B + j*DD, z->X, DD*sizeof *z->X);
}

BLNI_PRIV void blni_differences_climb(blni_differences *z)
{
    const size_t D = z->D, DD = D*D;
    const double r = 1.0 - 1.0/(double)z->J;
    size_t bad;
    for (size_t j = 0; j < z->J; j++) (void)blni_differences_move(z, j, r);
    for (size_t j = 0; j < z->J; j++) {
        memcpy(z->X, z->C + j*DD, DD*sizeof *z->X);
        if (bln_potrf(D, z->X, D, &bad) == BLN_OK) blni_differences_follow(z, j);
    }
    for (int sweep = 0; sweep < BLNI_DIFFERENCES_SWEEPS && z->J > 2; sweep++)
        for (size_t j = 0; j < z->J; j++)
            if (blni_differences_move(z, j, 1.0)) blni_differences_follow(z, j);
}

/* In units of the prior: B_j and C_j of the factors of e->B, P's factor, and of T_j = Phi'W_j Phi N_j^-1, and dL/dC_j into T. */
BLNI_PRIV int blni_differences_begin(blni_differences *z, const blni_mode *e, double *T)
{
    const size_t J = z->J, D = z->D, DD = D*D;
    const double part = 1.0 - 1.0/(double)J;
    size_t bad;
    for (size_t i = 0; i < DD; i++) z->P[i] = 0.0;
    for (size_t j = 0; j < J; j++) {
        double *C = z->C + j*DD;
        blni_differences_upper(D, e->B + j*DD, C);
        for (size_t i = 0; i < DD; i++) z->B[j*DD + i] = 0.0;
        bln_syrk(BLN_TRANS, D, D, 1.0, C, D, 0.0, z->B + j*DD, D);
        bln_axpy(DD, 1.0, z->B + j*DD, z->P);
        blni_differences_invert(D, C);
    }
    if (bln_potrf(D, z->P, D, &bad) != BLN_OK) return 0;
    for (size_t j = 0; j < J; j++) {
        const double *s = e->s + j*D, *B = z->B + j*DD;
        double *N = z->N + j*DD, *G = T + j*DD;
        memcpy(z->X, B, DD*sizeof *B);
        bln_symmetrise(D, z->X, D);
        bln_trsm(BLN_TRANS, D, D, z->P, D, z->X, D);
        bln_syrk(BLN_TRANS, D, D, 1.0, z->X, D, 0.0, z->Y, D);
        for (size_t i = 0; i < D; i++)
            for (size_t k = 0; k < D; k++) {
                const size_t at = i*D + k;
                N[at] = k < i ? 0.0 : s[i]*s[k]*G[at] + (i == k ? part : 0.0);
                G[at] = k < i ? 0.0 : 0.5*(B[at] - z->Y[at] - N[at]);
            }
        if (bln_potrf(D, N, D, &bad) != BLN_OK) return 0;
        blni_differences_invert(D, N);
    }
    return 1;
}

/* What this bound has more than the product's, at N(m, C of e->B), of which e->diag are the variances. T and t are what the rows
 * ask for, and become what they ask for by this bound. NaN: P has no inverse. */
BLNI_PRIV double blni_differences_bound(blni_differences *z, const blni_mode *e, const double *m, double *T, double *t)
{
    const size_t J = z->J, D = z->D, DD = D*D;
    double more = -0.5*(double)D*(1.0 + log((double)J));
    for (size_t j = 0; j < J; j++) {
        for (size_t i = j*D; i < (j + 1)*D; i++) more += 0.5*e->precision[i]*e->diag[i]/(double)J;
        blni_differences_product(D, T + j*DD, -1.0, m + j*D, t + j*D);
    }
    if (!blni_differences_begin(z, e, T)) return BLNI_NAN;
    more += 0.5*bln_logdet_factor(D, z->P, D);
    blni_differences_climb(z);
    z->rate = 0.0;
    for (size_t j = 0; j < J; j++) {
        const double *s = e->s + j*D;
        blni_differences_upper(D, e->B + j*DD, z->X);
        blni_differences_invert(D, z->X);
        for (size_t i = 0; i < DD; i++) z->X[i] = z->C[j*DD + i] - z->X[i];
        z->rate += blni_differences_trace(D, T + j*DD, z->X);
        for (size_t i = 0; i < D; i++)
            for (size_t k = i; k < D; k++) T[j*DD + i*D + k] = (z->B[j*DD + i*D + k] - (i == k ? 1.0 : 0.0))/(s[i]*s[k]);
        blni_differences_product(D, T + j*DD, 1.0, m + j*D, t + j*D);
    }
    return more;
}
