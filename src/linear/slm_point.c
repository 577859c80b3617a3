/* slm_point: the evidence and its gradients at any point, without a fit */
#include "slm_private.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

/* What is asked for, and where. */
typedef struct blni_point {
    double        noise_var;                  /* absolute: sigma^2; ratios: Sigma = noise_var I if there is no cov          */
    const double *cov, *prior_var, *theta;    /* Sigma                                                                      */
    int           profile;                    /* the best Sigma                                                             */
    double       *evidence, *d_noise, *d_prior, *d_theta, *sigma, *d_cov;       /* each may be NULL                         */
} blni_point;

BLNI_PRIV bln_status blni_point_check(const bln_slm *slm, const bln_data *data, const blni_point *p, bln_report *report)
{
    const bln_basis *b = slm->desc.basis;
    if (!data || !p->prior_var || (!p->theta && b->n_theta)) return blni_refuse(report, BLN_EINVAL, "slm: NULL argument");
    if (!blni_theta_usable(b, p->theta)) return blni_refuse(report, BLN_EDOMAIN, "slm: theta outside its domain");
    if (p->d_theta && b->n_theta && !b->ops->pullback)
        return blni_refuse(report, BLN_EINVAL, "slm: the basis has no pullback, so no gradient by theta");
    if (!(p->noise_var > 0.0) || !blni_finite(p->noise_var))
        return blni_refuse(report, BLN_EDOMAIN, "slm: noise_var must be finite and > 0");
    for (size_t s = 0; s < blni_priors(b, slm->desc.per_weight); s++)
        if (!(p->prior_var[s] >= 0.0)) return blni_refuse(report, BLN_EDOMAIN, "slm: prior variances must be >= 0");
    if (!blni_basis_fits(b, data->d))
        return blni_refuse_columns(report, "slm", data->d, b->d);
    return BLN_OK;
}

/* With the workspace open. */
BLNI_PRIV bln_status blni_point_evaluate(const bln_slm *slm, blni_evidence *e, const blni_point *p, bln_report *report)
{
    const int relative = slm->desc.relative_prior;
    const size_t P = e->P;
    double value;
    blni_hyper h;
    h.noise_var = relative ? 1.0 : p->noise_var;
    h.prior_var = (double *)p->prior_var;      /* read only from here on */
    h.theta = (double *)p->theta;
    if (!blni_sigma_fix(&e->sigma, p->cov, relative ? p->noise_var : 1.0))
        return blni_refuse(report, BLN_EDOMAIN, "slm: noise_cov must be positive definite");
    e->sigma.profile = p->profile;
    BLNI_TRY(blni_slm_value(e, &h, &value, report));
    if (!blni_finite(value)) return BLN_ENUMERIC;
    if (p->d_noise || p->d_prior || p->d_theta) BLNI_TRY(blni_slm_gradient(e, &h, p->d_noise, p->d_prior, p->d_theta, report));
    const double freedom = blni_evidence_freedom(e);
    if (p->d_noise && relative) *p->d_noise = 0.5*(e->q - freedom*(double)P);
    if (p->sigma) memcpy(p->sigma, e->sigma.C, P*P*sizeof *p->sigma);
    if (p->d_cov) blni_sigma_gradient(&e->sigma, freedom, p->d_cov);
    if (p->evidence) *p->evidence = value;
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_point_run_processes(const bln_slm *slm, const bln_data *data, const blni_point *p,
                                                        blni_processes *processes, bln_report *report)
{
    BLNI_TRY(blni_point_check(slm, data, p, report));
    bln_data_reader reader;
    const bln_source source = bln_source_of(data, &reader);
    blni_slm_scan scan;
    blni_evidence e;
    void *block = NULL;
    size_t bytes = 0;
    BLNI_TRY(blni_scan(slm, &source, processes, &scan, report));
    bln_slm_desc at = slm->desc;
    at.prior_var = p->prior_var;
    at.fix_theta = p->d_theta == NULL;
    bln_status status = blni_evidence_open(slm, &source, &at, scan.n, &scan, &e, &block, &bytes, report);
    if (status == BLN_OK) status = blni_point_evaluate(slm, &e, p, report);
    if (status == BLN_ENUMERIC || (status == BLN_ENOTPD && e.n_flat == 0)) status = blni_evidence_overflow(&e, p->theta, report);
    blni_release(&slm->alloc, block, bytes);
    blni_scan_free(&slm->alloc, &scan);
    return status;
}

BLNI_PRIV bln_status blni_point_run(const bln_slm *slm, const bln_data *data, const blni_point *p, bln_report *report)
{
    blni_processes processes = blni_processes_of(slm->desc.allreduce, slm->desc.allreduce_user);
    const bln_status status = blni_point_run_processes(slm, data, p, &processes, report);
    if (status != BLN_OK) blni_processes_leave(&processes);
    return status;
}

BLN_API bln_status bln_slm_evidence_at(const bln_slm *slm, const bln_data *data, double noise_var, const double *prior_var,
                                       const double *theta, double *evidence, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report)
{
    blni_point p = BLN_ZERO;
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: NULL argument"));
    p.noise_var = noise_var;
    p.prior_var = prior_var;
    p.theta = theta;
    p.evidence = evidence;
    p.d_noise = d_noise;
    p.d_prior = d_prior;
    p.d_theta = d_theta;
    return blni_point_run(slm, data, &p, report);
}

BLN_API bln_status bln_slm_evidence_outputs(const bln_slm *slm, const bln_data *data, const double *noise_cov,
                                            const double *prior_var, const double *theta, double *evidence, double *sigma,
                                            double *d_cov, double *d_prior, double *d_theta, bln_report *report)
{
    blni_point p = BLN_ZERO;
    BLNI_TRY(blni_begin(report, slm != NULL, "slm: NULL argument"));
    if (!slm->desc.relative_prior)
        return blni_refuse(report, BLN_EINVAL, "slm: prior_var are no ratios in this model; see relative_prior");
    const size_t P = slm->desc.n_outputs;
    for (size_t k = 0; k < P*P && noise_cov; k++)
        if (k/P <= k%P && (!blni_finite(noise_cov[k]) || (k/P == k%P && !(noise_cov[k] > 0.0))))
            return blni_refuse(report, BLN_EDOMAIN, "slm: noise_cov must be positive definite");
    p.noise_var = 1.0;
    p.cov = noise_cov;
    p.profile = noise_cov == NULL;
    p.prior_var = prior_var;
    p.theta = theta;
    p.evidence = evidence;
    p.sigma = sigma;
    p.d_cov = d_cov;
    p.d_prior = d_prior;
    p.d_theta = d_theta;
    return blni_point_run(slm, data, &p, report);
}
