/* sample: draws of weights by Matheron's rule, without the data                                               [linear 37, 38]
 *
 * Whitened, with A = Omega^1/2 Phi S/sigma (n x D), e ~ N(0, I_D), d ~ N(0, I_n) the noise over its standard deviation, Matheron's
 * rule reads
 *     w = m + S [e - A' K_s^-1 (A e + d)],     K_s = I + A A' = L L'.                                                [linear 38]
 *
 * Low-rank form: V = L^-1 A is all that is kept, and all that is needed. A' K_s^-1 A = V'V, and A' K_s^-1 d = V' (L^-1 d), where
 * L^-1 d has covariance
 *     L^-1 L^-T = L^-1 (K_s - A A') L^-T = I - V V'.
 * L^-1 is lower triangular with a positive diagonal, so it is the Cholesky factor of I - V V': L^-1 = Q'. Hence
 *     w = m + S [e - V' (V e + Q' d)].
 * Check: the covariance of the bracket is (I - V'V)^2 + V'(I - VV')V = I - V'V, and its covariance with e is I - V'V.
 * The differences I - VV' lose digits where the data pin the weights down; what is lost is eps relative to the prior
 * variance, as everywhere in this form.
 *
 * Factor form: K_s may be larger than memory, but with B = I + A'A = U'U the rule is w = m + S B^-1 (e - A'd), and A'd has the
 * distribution N(0, B - I) whatever n. In terms of U:  B^-1 e = U^-1 (U^-T e), and U^-1 x has the covariance B^-1 (B - I) B^-1
 * of B^-1 A'd if
 *     Cov x = U B^-1 (B - I) B^-1 U' = I - (U U')^-1 = Q'Q.      So      w = m + S U^-1 (U^-T e - Q' d),  d ~ N(0, I_D).
 * Rounding in Q'Q is relative to I here, and so relative to the posterior covariance itself. */
#include "sample_private.h"
#include "../random/rng_private.h"
#include "../core/memory_private.h"
#include "../math/cholesky_private.h"

enum { BLNI_SAMPLE_PANEL = 32 };      /* draws made together, for the matrix kernels */

/* I - M M' >= 0, which rounding may leave a little below: entries of M M' are at most 1, so what is missing is of size k eps,
 * however small the difference itself is [linear 20]. */
BLNI_ONCE BLNI_PRIV bln_status blni_gaussian_path_factor(const blni_gaussian *g, double *Q, double *diag, double *tau)
{
    const size_t k = g->k;
    if (g->form == BLN_GAUSSIAN_LOWRANK) bln_syrk(BLN_NOTRANS, k, g->D, -1.0, g->R, g->ldr, 0.0, Q, k);
    else {
        /* (U U')^-1 = X'X with X = U^-1, upper triangular: (X'X)_ij = sum over r <= min(i, j). Rows from the last one upwards, so
         * that X can be overwritten: row i of the product needs rows 0..i of X only. */
        for (size_t i = 0; i < k; i++) memcpy(Q + i*k + i, g->R + i*g->ldr + i, (k - i)*sizeof *Q);
        bln_trtri(k, Q, k);
        for (size_t i = k; i-- > 0;) {
            const double x = -Q[i*k + i];
            bln_scal(k - i, x, Q + i*k + i);
            for (size_t r = 0; r < i; r++) bln_axpy(k - i, -Q[r*k + i], Q + r*k + i, Q + i*k + i);
        }
    }
    for (size_t i = 0; i < k; i++) Q[i*k + i] += 1.0;
    double added;
    const bln_status status = blni_potrf_jitter_of(1.0, k, Q, k, diag, &added);
    if (tau) *tau = added;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++) Q[i*k + j] = 0.0;
    return status;
}

/* Three panels: normals by rows, their image, and the other normals. k <= D. */
BLNI_PRIV size_t blni_gaussian_sample_work(const blni_gaussian *g) { return blni_mul(3*(size_t)BLNI_SAMPLE_PANEL, g->D); }

/* Row c of E <- the normals e of draw `first` + c, and of d (n_d of them; 0: not wanted) those that follow in the same stream. */
BLNI_PRIV void blni_sample_normals(uint64_t seed, uint64_t first, size_t n, size_t D, double *E, size_t n_d, double *d)
{
    for (size_t c = 0; c < n; c++) {
        bln_rng rng = blni_rng_of(seed, first + c);
        bln_rng_normals(&rng, D, E + c*D);
        if (n_d) bln_rng_normals(&rng, n_d, d + c*n_d);
    }
}

/* out <- S E, row by row; + m unless NULL. */
BLNI_PRIV void blni_sample_scale(const blni_gaussian *g, const double *m, size_t n, const double *E, double *out, size_t ld)
{
    for (size_t c = 0; c < n; c++)
        for (size_t j = 0; j < g->D; j++) out[c*ld + j] = (m ? m[j] : 0.0) + g->s[j]*E[c*g->D + j];
}

/* E <- E - (E V' + d Q) V */
BLNI_PRIV void blni_sample_lowrank(const blni_gaussian *g, const double *Q, size_t n, double *E, const double *d, double *z)
{
    const size_t D = g->D, k = g->k;
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, k, D, 1.0, E, D, g->R, g->ldr, 0.0, z, k);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, k, k, 1.0, d, k, Q, k, 1.0, z, k);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D, k, -1.0, z, k, g->R, g->ldr, 1.0, E, D);
}

/* E <- rows U^-1 e, or U^-1 (U^-T e - Q'd). T: D x n, the same transposed, for the triangular solves. */
BLNI_PRIV void blni_sample_factor(const blni_gaussian *g, const double *Q, size_t n, double *E, const double *d, double *T)
{
    const size_t D = g->D;
    for (size_t j = 0; j < D; j++)
        for (size_t c = 0; c < n; c++) T[j*n + c] = E[c*D + j];
    if (Q) {
        bln_trsm(BLN_TRANS, D, n, g->R, g->ldr, T, n);
        bln_gemm(BLN_TRANS, BLN_TRANS, D, n, D, -1.0, Q, D, d, D, 1.0, T, n);
    }
    bln_trsm(BLN_NOTRANS, D, n, g->R, g->ldr, T, n);
    for (size_t c = 0; c < n; c++)
        for (size_t j = 0; j < D; j++) E[c*D + j] = T[j*n + c];
}

BLNI_PRIV void blni_gaussian_sample(const blni_gaussian *g, const double *Q, size_t n, uint64_t seed, uint64_t stream, double *W,
                                 double *prior, size_t ldw, double *work)
{
    const size_t D = g->D, panel = (size_t)BLNI_SAMPLE_PANEL*D;
    double *E = work, *d = work + panel, *T = work + 2*panel;
    for (size_t i = 0; i < n; i += BLNI_SAMPLE_PANEL) {
        const size_t now = blni_min(BLNI_SAMPLE_PANEL, n - i);
        blni_sample_normals(seed, stream + i, now, D, E, Q ? g->k : 0, d);
        if (prior) blni_sample_scale(g, NULL, now, E, prior + i*ldw, ldw);
        if (g->form == BLN_GAUSSIAN_LOWRANK) blni_sample_lowrank(g, Q, now, E, d, T);
        else                                 blni_sample_factor(g, Q, now, E, d, T);
        blni_sample_scale(g, g->m, now, E, W + i*ldw, ldw);
    }
}

BLNI_PRIV bln_draw_desc blni_draws_defaults(const bln_draw_desc *draws)
{
    bln_draw_desc d = *draws;
    if (!d.n) d.n = 1;
    return d;
}

/* The seed of latent or output j. */
BLNI_PRIV uint64_t blni_draw_key(uint64_t seed, size_t j)
{
    if (j == 0) return seed;
    bln_rng rng = blni_rng_of(seed, ~(uint64_t)j);
    return bln_rng_next(&rng);
}

/* What lies behind the normals of the weights of a draw: the seeds of its noise and of what features miss. */
BLNI_PRIV uint64_t blni_draw_behind(uint64_t seed, uint64_t stream, int missed)
{
    double none[1];
    bln_rng rng = blni_rng_of(seed, stream);
    bln_rng_normals(&rng, 0, none);               /* where the normals of the weights are */
    bln_rng_normals(&rng, 0, none);
    const uint64_t noise = bln_rng_next(&rng);
    return missed ? bln_rng_next(&rng) : noise;
}
