/* full_batch: the full Gaussian by stochastic natural-gradient steps. A step is that of full.c with sums over a batch in
 * place of those over all rows, each n/|B| times, which leaves it unbiased in T and t,
 *
 *     A <- (1-r) A + r n/|B| Phi_B'W Phi_B,   b <- (1-r) b + r n/|B| Phi_B'(g + W mu),  [Khan & Lin 2017; Hoffman et al. 2013]
 *
 * so that (A, b) is a mean over the last |B|/r rows or so. L cannot be measured by a batch; r is halved only where C would not be
 * there, as it may where log p is not concave. The slopes in the hyper-parameters are those at this q, by the same batch. */
#include "full_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"

/* The factor of B, m and C_ii at the point under this prior. Where some W are negative, a wider prior may leave no C: then A goes
 * towards 0 until there is one. 0: not even then. */
BLNI_PRIV int blni_full_stand(blni_full *q, const blni_glm_hyper *h)
{
    const size_t D = q->e.D;
    int tries = 0;
    blni_mode_prior(&q->e, h);
    for (; tries < 100 && !blni_full_move(q, 1.0, NULL, 0); tries++) bln_scal(D*D, 0.9, q->A);
    if (tries == 100) return 0;
    memcpy(q->e.w, q->e.trial, D*sizeof *q->e.w);
    const blni_gaussian g = blni_full_gaussian(q, q->e.w);
    blni_gaussian_variances(&g, q->e.diag, q->next);
    return 1;
}

/* L by the rows of e.rows at the point, T and t into q->next and q->next_t; d_prior, d_eta, d_theta as blni_full_gradient's. */
BLNI_PRIV bln_status blni_full_estimate(blni_full *q, const blni_glm_hyper *h, double *bound, double *d_prior, double *d_eta,
                                        double *d_theta, bln_report *report)
{
    blni_mode *e = &q->e;
    double sum;
    bln_status status = BLN_OK;
    if (!blni_full_stand(q, h))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "glm: features overflow; scale the data");
    if (d_theta) status = blni_full_pass(q, h, e->w, &sum, 1, d_theta, report);
    if (status == BLN_OK) status = blni_full_pass(q, h, e->w, &sum, 0, NULL, report);
    if (status == BLN_OK) status = blni_full_gradient(q, h, d_prior, d_eta, NULL, report);
    if (status != BLN_OK) return status;
    *bound = sum - 0.5*bln_logdet_factor(e->D, e->B, e->D);
    for (size_t i = 0; i < e->D; i++) *bound -= 0.5*e->precision[i]*(e->w[i]*e->w[i] + e->diag[i]) - 0.5;
    return BLN_OK;
}

/* The step of size r from there, if it leads anywhere. */
BLNI_PRIV void blni_full_natural(blni_full *q, double r)
{
    blni_full_aim *aim = &q->aim[0];
    double *T = q->next, *t = q->next_t;
    q->next = aim->T;
    q->next_t = aim->t;
    aim->T = T;
    aim->t = t;
    for (; r > 1e-6; r *= 0.5) {
        if (!blni_full_move(q, 1.0 - r, &r, 1)) continue;
        blni_full_combine(q, 1.0 - r, &r, 1, q->A, q->b);
        return;
    }
}

/* The bound at the point, by all rows, and what a result needs. */
BLNI_PRIV bln_status blni_full_here(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    blni_mode *e = &q->e;
    blni_mode_prior(e, h);
    const bln_status status = blni_full_try(q, h, 1.0, NULL, 0, report);
    if (status != BLN_OK) return status;
    memcpy(e->w, e->trial, e->D*sizeof *e->w);
    e->evidence = q->trial_bound;
    e->condition = blni_condition_factor(e->D, e->B, e->D);
    return BLN_OK;
}
