/* relevance: how much each feature matters, from the posterior                                               [linear 8, 33, 34] */
#include "relevance.h"
#include "../core/status_private.h"
#include "../posterior/kind_gaussian_private.h"
#include "../posterior/posterior_private.h"
#include "slm_private.h"

/* Estimated relative error of 1 - gamma above which it counts as lost. */
#define BLNI_RELEVANCE_LOST 1e-5

BLNI_ONCE BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report)
{
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: model is NULL"));
    if (!blni_slm_fitted(slm)) return blni_refuse(report, BLN_ESTATE, "slm: relevance before fit");
    const bln_gaussians *v = (const bln_gaussians *)slm->posterior.groups->view;
    const blni_gaussian all = blni_gaussians_at(v, blni_posterior_weights(&slm->posterior), 0), *g = &all;
    const size_t D = g->D, P = slm->posterior.J;
    const int lowrank = g->form == BLN_GAUSSIAN_LOWRANK;
    const size_t bytes = blni_mul(blni_add(blni_add(lowrank ? 0 : blni_mul(D, D), blni_mul(2, D)), blni_mul(P, blni_add(P, 1))),
                                  sizeof(double));
    double *left = (double *)blni_alloc(&slm->alloc, bytes);
    if (!left) return blni_refuse(report, BLN_ENOMEM, "slm: out of memory for the relevance");
    double *well = left + D, *U = well + D, *w = U + P*P;  /* 1 - gamma, gamma, Sigma's factor, P numbers, and room for U^-1 */
    blni_gaussian whitened = *g;
    for (size_t i = 0; i < D; i++) well[i] = 1.0;
    whitened.s = well;                                                                    /* C = S B^-1 S with S = I */
    blni_gaussian_variances(&whitened, left, lowrank ? NULL : w + P);
    for (size_t i = 0; i < D; i++) well[i] = lowrank || left[i] > 1.0 ? 0.0 : 1.0 - left[i];
    for (size_t r = 0; r < g->k && lowrank; r++)
        for (size_t i = 0; i < D; i++) well[i] += g->R[r*g->ldr + i]*g->R[r*g->ldr + i];

    bln_status status = BLN_OK;
    U[0] = 1.0;
    if (v->T) memcpy(U, v->T, P*P*sizeof *U);
    if (loss && bln_potrf(P, U, P, NULL) != BLN_OK)             /* an output is fitted perfectly */
        status = blni_refuse(report, BLN_ENUMERIC, "slm: the loss of evidence of a perfect fit");
    for (size_t i = 0, flats = 0; i < D; i++) {
        if (flats < v->n_flat && v->flat[flats] == i) {    /* s is any scale there: C_ii = s^2 left */
            flats++;
            const double C = g->s[i]*g->s[i]*left[i];
            const double flat = 0.5*(BLNI_LOG_2PI + log(C) + g->m[i]*(g->m[i]/C));
            if (gamma) gamma[i] = 1.0;
            if (loss) loss[i] = flat;
            if (loss && status == BLN_OK && !blni_finite(flat))
                status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
            continue;
        }
        const int in = g->s[i] > 0.0, lost = lowrank && left[i] < DBL_EPSILON/BLNI_RELEVANCE_LOST;
        double value = 0.0;
        for (size_t p = 0; p < P; p++) w[p] = in ? v->m[p*D + i]/g->s[i] : 0.0;
        if (loss && in && status == BLN_OK) {
            bln_trsv(BLN_TRANS, P, U, P, w);                    /* its squares sum to those of w Sigma^-1/2 sigma */
            value = 0.5*((double)P*log(left[i]) + bln_dot(P, w, w)/left[i]);
        }
        if (gamma) gamma[i] = in ? well[i] : 0.0;
        if (!loss) continue;
        loss[i] = value;
        if (in && status == BLN_OK && (lost || !blni_finite(value)))
            status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
    }
    blni_release(&slm->alloc, left, bytes);
    return status;
}
