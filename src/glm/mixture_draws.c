/* mixture_draws: two kinds of draws that a stochastic fit may use in place of exact expectations
 *
 *     in weight space     w = m_k + sqrt psi_k o e, one e ~ N(0, I) for each of L draws of a component, f_n = phi_n'w for all rows
 *                         of the batch; dL/dm = Phi'd1, dL/dpsi = 1/2 (Phi'd1) o e/sqrt psi, dL/dPhi = d1 w', means over the draws
 *                                                        [variational 23; Titsias & Lazaro-Gredilla 2014; Kingma & Welling 2014]
 *     of each row's f     f_n = mu_n + sqrt v_n e_n with e_n of its own, which is a rule of expect whose nodes are drawn: the noise
 *                         of rows does not add up                  [variational 24, 25; Kingma, Salimans & Welling 2015]
 *
 * The latter is a part of expected.c. */
#include "../math/blas.h"
#include "../likelihood/likelihood_private.h"
#include "mixture_private.h"

BLNI_PRIV void blni_glm_draws_carve(blni_arena *a, size_t D, size_t K, size_t L, size_t block, blni_glm_draws *e)
{
    e->L  = L;
    e->KL = blni_mul(K, e->L);
    BLNI_CARVE2(a, blni_mul(e->KL, D), e->W, e->G);
    BLNI_CARVE2(a, blni_mul(e->KL, block), e->f, e->slope);
}

/* Weights of the next pass. */
BLNI_PRIV void blni_glm_draws_open(blni_glm_draws *e, const blni_mixture *q, bln_rng *rng)
{
    bln_rng_normals(rng, e->KL*q->D, e->W);
    for (size_t j = 0; j < e->KL; j++) {
        const double *m = q->m + j/e->L*q->D, *psi = q->psi + j/e->L*q->D;
        double *w = e->W + j*q->D;
        for (size_t i = 0; i < q->D; i++) w[i] = m[i] + sqrt(psi[i])*w[i];
    }
    for (size_t i = 0; i < e->KL*q->D; i++) e->G[i] = 0.0;
}

/* Where features miss prior variance, f has it all the same: noise e of each row for draw j, and its slope in that variance.
 * x->v holds the latter. */
BLNI_PRIV void blni_glm_draws_missed(blni_glm_draws *e, blni_glm_expected *x, size_t n, size_t j, int back)
{
    const size_t ld = x->rows->block;
    double *f = e->f + j*ld, *slope = e->slope + j*ld, *noise = x->mu + j/e->L*ld, *ev = x->ev + j/e->L*ld;
    const double *missed = x->v + j/e->L*ld;
    if (!back) bln_rng_normals(&x->rng, n, noise);
    for (size_t i = 0; i < n; i++) {
        if (!(missed[i] > 0.0)) continue;
        if (!back) f[i] += sqrt(missed[i])*noise[i];
        else ev[i] += 0.5*slope[i]*noise[i]/sqrt(missed[i]);
    }
}

/* Draw j: f of a block, whose W'Phi is there, the likelihood at it, times weight/KL, and its part of d_eta. */
BLNI_PRIV double blni_glm_draws_row(blni_glm_draws *e, blni_glm_expected *x, const blni_glm_hyper *h, size_t n,
                                    const bln_targets *t, size_t j)
{
    blni_glm_rows *r = x->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    double *f = e->f + j*r->block, *slope = e->slope + j*r->block, sum = 0.0;
    for (size_t i = 0; i < n; i++) f[i] += r->f[i];
    if (x->misses) blni_glm_draws_missed(e, x, n, j, 0);
    bln_likelihood_eval(l, h->eta, n, t, f, r->lp, slope, NULL, NULL);
    for (size_t i = 0; i < n; i++) {
        const double weight = r->k[i]/(double)e->KL;
        sum += weight > 0.0 ? weight*r->lp[i] : 0.0;
        slope[i] = weight > 0.0 ? weight*slope[i] : 0.0;
    }
    if (x->misses) blni_glm_draws_missed(e, x, n, j, 1);
    for (size_t k = 0; k < l->n_theta; k++) {
        blni_likelihood_eval_param(l, h->eta, k, n, t, f, r->t0, NULL, NULL);
        for (size_t i = 0; i < n; i++) if (r->k[i] > 0.0) x->d_eta[k] += r->k[i]/(double)e->KL*r->t0[i];
    }
    return sum;
}

/* What blni_glm_expected_sum is for draws: the sum over a block, with what it adds to e->G and, if features, dL/dPhi into r->F. */
BLNI_PRIV double blni_glm_draws_sum(blni_glm_draws *e, blni_glm_expected *x, const blni_glm_hyper *h, size_t n,
                                    const bln_targets *t, int features)
{
    const blni_glm_rows *r = x->rows;
    const size_t D = r->D, ld = r->block;
    double sum = 0.0;
    for (size_t i = 0; i < x->K*ld; i++) x->v[i] = x->ev[i] = 0.0;
    blni_glm_expected_add_missed(x, h, n);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, e->KL, n, D, 1.0, e->W, D, r->Phi, D, 0.0, e->f, ld);
    for (size_t j = 0; j < e->KL; j++) sum += blni_glm_draws_row(e, x, h, n, t, j);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, e->KL, D, n, 1.0, e->slope, ld, r->Phi, D, 1.0, e->G, D);
    if (features) bln_gemm(BLN_TRANS, BLN_NOTRANS, n, D, e->KL, 1.0, e->slope, ld, e->W, D, 0.0, r->F, D);
    return sum;
}

/* From the slopes in the draws to those in m and psi, K x D each. */
BLNI_PRIV void blni_glm_draws_close(const blni_glm_draws *e, const blni_mixture *q, double *dm, double *dpsi)
{
    for (size_t j = 0; j < e->KL; j++)
        for (size_t i = 0; i < q->D; i++) {
            const size_t at = j/e->L*q->D + i;
            dm[at] += e->G[j*q->D + i];
            dpsi[at] += 0.5*e->G[j*q->D + i]*(e->W[j*q->D + i] - q->m[at])/q->psi[at];
        }
}
