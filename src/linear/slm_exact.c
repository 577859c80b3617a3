/* slm_exact: the primal form in three doubles, for a few features, however ill-conditioned                              [linear 49]
 *
 * With B^ = S G S + sigma^2 diag(penalty) = U'U (that is, sigma^2 B, which spares a division):
 *     u = U^-T S b,  w = U^-1 u,  m = S w,  sigma^2 q = c - u'u,  RSS = sigma^2 (q - sum penalty_i w_i^2),
 *     log|B| = log|B^| - D log sigma^2,  gamma_i = 1 - penalty_i sigma^2 (B^-1)_ii,  C = S (sigma U^-1)(sigma U^-1)' S.
 * Subtractions that cancel are made in three doubles; each result is rounded once. A difference below 1e-40 of its terms is 0. */
#include "slm_private.h"
#include "../core/status_private.h"

/* The factor and the solution; U stays in B3. */
BLNI_PRIV bln_status blni_exact_solve(blni_evidence *e, bln_report *report)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t i = 0; i < D; i++) {
        for (size_t j = i; j < D; j++) {
            blni_exact *B = e->B3 + i*D + j;
            *B = blni_exact_of(e->s[i]);
            blni_exact_scale(B, e->s[j]);
            blni_exact_mul(B, e->gram.G3 + i*D1 + j);
        }
        blni_exact_plus(e->B3 + i*D + i, e->penalty[i]*e->noise_var);
        for (size_t p = 0; p < P; p++) {
            e->u3[p*D + i] = blni_exact_of(e->s[i]);
            blni_exact_mul(e->u3 + p*D + i, e->gram.G3 + i*D1 + D + p);
        }
    }
    const size_t bad = blni_exact_potrf(D, e->B3, D, BLNI_EXACT_DEPENDENT);
    if (bad < D) return e->n_flat ? blni_fail(report, BLN_ENOTPD, BLN_NONE, bad, BLNI_COLLINEAR) : BLN_ENOTPD;
    for (size_t p = 0; p < P; p++) {
        blni_exact_trsv(1, D, e->B3, D, e->u3 + p*D);
        memcpy(e->w3 + p*D, e->u3 + p*D, D*sizeof *e->w3);
        blni_exact_trsv(0, D, e->B3, D, e->w3 + p*D);
        for (size_t i = 0; i < D; i++) {
            blni_exact m = blni_exact_of(e->s[i]);
            blni_exact_mul(&m, e->w3 + p*D + i);
            e->w[i*P + p] = blni_exact_double(e->w3 + p*D + i);
            e->m[i*P + p] = blni_exact_double(&m);
        }
    }
    return BLN_OK;
}

/* Q = (c - u'u)/sigma^2 and RSS = c - u'u - sigma^2 shrinkage, entry by entry. An output that is fitted perfectly has no covariance
 * either. */
BLNI_PRIV void blni_exact_differences(blni_evidence *e)
{
    const blni_exact noise = blni_exact_of(e->noise_var);
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t k = 0; k < P; k++)
        for (size_t p = 0; p + k < P; p++) {                     /* the diagonal first */
            const size_t q = p + k;
            const blni_exact *c = e->gram.G3 + (D + p)*D1 + D + q, *u = e->u3 + p*D, *v = e->u3 + q*D;
            blni_exact uu = blni_exact_of(0.0), Q = *c;
            for (size_t i = 0; i < D; i++) blni_exact_gain(&uu, u + i, v + i);
            blni_exact_sub(&Q, &uu);
            if (k == 0 && !(Q.v[0] > BLNI_EXACT_ZERO*c->v[0])) Q = blni_exact_of(0.0);
            blni_exact RSS = Q;
            for (size_t i = 0; i < D; i++) {
                blni_exact ww = e->w3[p*D + i];
                blni_exact_mul(&ww, e->w3 + q*D + i);
                if (e->penalty[i] > 0.0) blni_exact_lose(&RSS, &noise, &ww);
            }
            if (k == 0 && !(RSS.v[0] > BLNI_EXACT_ZERO*c->v[0])) RSS = blni_exact_of(0.0);
            const double *diagonal = e->sigma.Q;
            const int none = k && (!(diagonal[p*P + p] > 0.0) || !(diagonal[q*P + q] > 0.0));
            if (e->noise_var > 0.0) blni_exact_div(&Q, &noise); else Q = blni_exact_of(0.0);
            e->sigma.Q[p*P + q] = none ? 0.0 : blni_exact_double(&Q);
            e->sigma.RSS[p*P + q] = none ? 0.0 : blni_exact_double(&RSS);
        }
}

BLNI_ONCE BLNI_PRIV bln_status blni_exact_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t D = e->D;
    BLNI_TRY(blni_primal_statistics(e, h->theta, report));
    blni_evidence_at(e, h);
    BLNI_TRY(blni_exact_solve(e, report));

    blni_exact_differences(e);
    double smallest = HUGE_VAL, largest = 0.0;
    e->logdet = -(double)D*(h->noise_var > 0.0 ? log(h->noise_var) : 0.0);
    for (size_t i = 0; i < D; i++) {
        const double pivot = e->B3[i*D + i].v[0];
        e->logdet += 2.0*log(pivot);
        if (pivot < smallest) smallest = pivot;
        if (pivot > largest) largest = pivot;
    }
    e->tau = 0.0;
    e->condition = largest/smallest*(largest/smallest);
    return blni_evidence_settle(e, report);
}

/* After _value: B3 <- U^-1, gamma. */
BLNI_PRIV void blni_exact_invert(blni_evidence *e)
{
    const size_t D = e->D;
    blni_exact_trtri(D, e->B3, D);
    for (size_t i = 0; i < D; i++) {
        const blni_exact part = blni_exact_of(e->penalty[i]*e->noise_var);
        blni_exact s = blni_exact_of(0.0), gamma = blni_exact_of(1.0);
        for (size_t j = i; j < D; j++) blni_exact_gain(&s, e->B3 + i*D + j, e->B3 + i*D + j);
        blni_exact_lose(&gamma, &part, &s);
        e->gamma[i] = blni_exact_double(&gamma);
    }
}

/* Posterior at h into r: U/sigma, and the standard deviations of the weights before they are rounded: from a rounded U of
 * condition kappa only eps kappa would be left of them. A perfect fit (sigma = 0) has C = 0: s = 0. */
BLNI_ONCE BLNI_PRIV bln_status blni_exact_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t D = e->D, P = e->P;
    BLNI_TRY(blni_exact_value(e, h, report));
    blni_exact sigma = blni_exact_of(h->noise_var);
    blni_exact_sqrt(&sigma);
    const int perfect = !(h->noise_var > 0.0);
    blni_evidence_result(e, r);
    for (size_t i = 0; i < D; i++) {
        if (perfect) r->s[i] = 0.0;
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
        for (size_t j = i; j < D; j++) {
            blni_exact R = e->B3[i*D + j];
            if (!perfect) blni_exact_div(&R, &sigma);
            r->R[i*D + j] = blni_exact_double(&R);
        }
    }
    blni_exact_invert(e);
    for (size_t i = 0; i < D; i++) {
        blni_exact root = blni_exact_of(0.0), sd = sigma;
        for (size_t j = i; j < D; j++) blni_exact_gain(&root, e->B3 + i*D + j, e->B3 + i*D + j);
        blni_exact_sqrt(&root);
        blni_exact_scale(&sd, e->s[i]);
        blni_exact_mul(&sd, &root);
        for (size_t p = 0; p < P; p++) {
            blni_exact scale = blni_exact_of(e->sigma.C[p*P + p]), of = sd;
            blni_exact_sqrt(&scale);
            blni_exact_mul(&of, &scale);
            r->sd[p*D + i] = fabs(blni_exact_double(&of));
        }
    }
    r->has_sd = 1;
    return BLN_OK;
}
