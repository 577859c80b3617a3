/* glm_point: the objectives at any point, without fitting */
#include "glm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

/* What both ask of their arguments; h <- copies of the hyper-parameters in the workspace. */
BLNI_PRIV bln_status blni_glm_point(blni_glm_fit *f, int flat_ok, const double *prior_var, const double *eta, const double *theta,
                                    bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        if (!(prior_var[s] > 0.0) || (!flat_ok && blni_flat(prior_var[s])))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE,
                             flat_ok ? "glm: prior variances must be > 0" : "glm: prior variances must be > 0, and not flat");
        f->hyper.prior_var[s] = prior_var[s];
    }
    if (d->likelihood.n_theta) {
        if (!eta || !blni_eta_usable(&d->likelihood, eta))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "glm: likelihood_theta outside its domain, or NULL");
        memcpy(f->hyper.eta, eta, d->likelihood.n_theta*sizeof *eta);
    }
    if (d->basis->n_theta) {
        if (!theta || !blni_theta_usable(d->basis, theta))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "glm: theta outside its domain, or NULL");
        memcpy(f->hyper.theta, theta, d->basis->n_theta*sizeof *theta);
    }
    return BLN_OK;
}

BLNI_PRIV void blni_glm_give(double *out, const double *in, size_t n) { if (out && n) memcpy(out, in, n*sizeof *out); }

/* log Z or the full bound, whichever d says, its mean and gradient; the workspace goes to *out, which the caller frees. */
BLNI_PRIV bln_status blni_glm_gaussian_at(const bln_glm *glm, bln_glm_inference inference, const bln_data *data,
                                          const double *prior_var, const double *eta, const double *theta, double *value,
                                          double *d_prior, double *d_eta, double *d_theta, blni_glm_fit **out,
                                          bln_report *report)
{
    *out = NULL;
    bln_report_clear(report);
    if (!glm || !data || !prior_var || !value)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: NULL argument");
    bln_glm_desc d = glm->desc;
    d.inference = inference;
    d.components = 1;
    bln_status status = blni_glm_open(glm, &d, NULL, data, 0, out, report);
    if (status != BLN_OK) return status;
    blni_glm_fit *f = *out;
    double objective = 0.0;
    status = blni_glm_point(f, inference == BLN_GLM_LAPLACE, prior_var, eta, theta, report);
    if (status == BLN_OK) status = blni_glm_value_at(f, &objective, report);
    if (status == BLN_OK && (d_prior || d_eta || d_theta)) status = blni_glm_slopes(f, d_prior, d_eta, d_theta, report);
    if (status == BLN_OK) *value = -objective;
    return status;
}

BLN_API bln_status bln_glm_evidence_at(const bln_glm *glm, const bln_data *data, const double *prior_var,
                                       const double *likelihood_theta, const double *theta, double *evidence, double *mode,
                                       double *d_prior, double *d_likelihood, double *d_theta, bln_report *report)
{
    blni_glm_fit *f;
    const bln_status status = blni_glm_gaussian_at(glm, BLN_GLM_LAPLACE, data, prior_var, likelihood_theta, theta, evidence,
                                                   d_prior, d_likelihood, d_theta, &f, report);
    if (status == BLN_OK) blni_glm_give(mode, f->mode.w, f->mode.D);
    if (f) blni_glm_fit_free(&glm->alloc, f);
    return status;
}

BLN_API bln_status bln_glm_full_at(const bln_glm *glm, const bln_data *data, const double *prior_var,
                                   const double *likelihood_theta, const double *theta, double *bound, double *mean, double *C,
                                   double *d_prior, double *d_likelihood, double *d_theta, bln_report *report)
{
    blni_glm_fit *f;
    const bln_status status = blni_glm_gaussian_at(glm, BLN_GLM_FULL, data, prior_var, likelihood_theta, theta, bound,
                                                   d_prior, d_likelihood, d_theta, &f, report);
    if (status == BLN_OK) {
        const bln_gaussian g = blni_mode_gaussian(&f->full.e);
        blni_glm_give(mean, g.m, g.D);
        if (C) bln_gaussian_covariance(&g, C, g.D, f->full.next);
    }
    if (f) blni_glm_fit_free(&glm->alloc, f);
    return status;
}

BLN_API bln_status bln_glm_bound_at(const bln_glm *glm, const bln_data *data, const bln_mixture *q, const double *prior_var,
                                    const double *likelihood_theta, const double *theta, double *bound, double *dm, double *dpsi,
                                    double *d_prior, double *d_likelihood, double *d_theta, bln_report *report)
{
    blni_glm_fit *f;
    bln_report_clear(report);
    if (!glm || !data || !prior_var || !bound || (!dm) != (!dpsi))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: NULL argument");
    bln_status status = bln_mixture_check(q, report);
    if (status != BLN_OK) return status;
    if (q->D != glm->desc.basis->D)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "glm: the mixture has another number of weights than the basis");
    bln_glm_desc d = glm->desc;
    d.inference = d.inference == BLN_GLM_NPV ? BLN_GLM_NPV : BLN_GLM_VARIATIONAL;
    d.components = q->K;
    status = blni_glm_open(glm, &d, NULL, data, 0, &f, report);
    if (status != BLN_OK) return status;
    status = blni_glm_point(f, 0, prior_var, likelihood_theta, theta, report);
    if (status == BLN_OK) status = blni_bound_value(&f->q, &f->hyper, q, d_theta && d.basis->n_theta, report);
    if (status == BLN_OK) {
        *bound = f->q.bound;
        blni_glm_give(dm, f->q.dm, q->K*q->D);
        blni_glm_give(dpsi, f->q.dpsi, q->K*q->D);
        blni_glm_give(d_prior, f->q.d_prior, blni_priors(d.basis, d.per_weight));
        blni_glm_give(d_likelihood, f->q.expected.d_eta, d.likelihood.n_theta);
        blni_glm_give(d_theta, f->q.d_theta, d.basis->n_theta);
    }
    blni_glm_fit_free(&glm->alloc, f);
    return status;
}
