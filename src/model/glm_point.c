/* glm_point: the objectives at any point, without fitting */
#include "glm.h"

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

BLN_API bln_status bln_glm_evidence_at(const bln_glm *glm, const bln_data *data, const double *prior_var,
                                       const double *likelihood_theta, const double *theta, double *evidence, double *mode,
                                       double *d_prior, double *d_likelihood, double *d_theta, bln_report *report)
{
    blni_glm_fit *f;
    bln_report_clear(report);
    if (!glm || !data || !prior_var || !evidence)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: NULL argument");
    bln_glm_desc d = glm->desc;
    d.inference = BLN_GLM_LAPLACE;
    d.components = 1;
    bln_status status = blni_glm_open(glm, &d, NULL, data, &f, report);
    if (status != BLN_OK) return status;
    status = blni_glm_point(f, 1, prior_var, likelihood_theta, theta, report);
    if (status == BLN_OK) status = blni_mode_value(&f->mode, &f->hyper, report);
    if (status == BLN_OK && (d_prior || d_likelihood || d_theta))
        status = blni_mode_gradient(&f->mode, &f->hyper, d_prior, d_likelihood, d_theta, report);
    if (status == BLN_OK) {
        *evidence = f->mode.evidence;
        blni_glm_give(mode, f->mode.w, d.basis->D);
    }
    blni_glm_fit_free(&glm->alloc, f);
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
    d.inference = BLN_GLM_VARIATIONAL;
    d.components = q->K;
    status = blni_glm_open(glm, &d, NULL, data, &f, report);
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
