/* auto_slm: fits of the linear model for a choice of its basis */
#include "auto_slm.h"
#include "auto_basis_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../posterior/loo.h"

/* Where a row cannot be left out, as there is next to no noise, or as weights span too many decades, errors are not known. */
BLNI_PRIV bln_status blni_auto_slm_errors(const bln_posterior *q, const bln_data *rows, double *errors, bln_report *report)
{
    bln_loo_outputs out = BLN_ZERO;
    out.mean = errors;
    const bln_status status = bln_posterior_loo(q, rows, NULL, &out, NULL);
    if (status == BLN_ENOMEM) return blni_refuse(report, status, "auto_basis: out of memory for rows left out");
    for (size_t i = 0; i < rows->n; i++) {
        const double e = status == BLN_OK ? rows->y[i*blni_ldy(rows)] - errors[i] : BLNI_NAN;
        errors[i] = e*e/(rows->noise_var ? rows->noise_var[i] : 1.0);
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_auto_slm_fit(const blni_auto_model *m, const bln_basis *basis, const bln_data *rows,
                                       const bln_data *left_out, double *score, double *errors, bln_report *report)
{
    bln_slm_desc desc = *(const bln_slm_desc *)m->desc;
    bln_slm *slm = NULL;
    desc.basis = basis;
    bln_status status = bln_slm_create(&desc, &slm, report);
    if (status == BLN_OK) status = bln_slm_fit(slm, rows, report);
    if (status == BLN_OK)
        status = blni_auto_score(bln_slm_posterior(slm), bln_slm_evidence(slm), left_out, &desc.alloc, score, report);
    if (status == BLN_OK && errors && report->stop != BLN_STOP_MONITOR)
        status = blni_auto_slm_errors(bln_slm_posterior(slm), rows, errors, report);
    bln_slm_free(slm);
    return status;
}

BLNI_PRIV double blni_auto_slm_features(const blni_auto_model *m, double n, double D) { return 3.0*n*D*D + D*D*D; }

BLNI_PRIV double blni_auto_slm_exact(const blni_auto_model *m, double n) { return n*n*n; }

/* What a model says that another basis could not take, or NULL. */
BLNI_PRIV const char *blni_auto_slm_check(const bln_slm_desc *d)
{
    if (d->theta || d->prior_var || d->per_weight || d->fix_theta || d->fix_prior_var || d->warm_start)
        return "auto_basis: theta, prior variances and a warm start are those of a basis, which is not chosen yet";
    if (d->form != BLN_SLM_AUTO || (d->arithmetic != BLN_SLM_ARITHMETIC_AUTO && d->arithmetic != BLN_SLM_DOUBLE)
        || d->optimiser != BLN_SLM_LBFGS || d->residual != BLN_SLM_VARIATIONAL || d->allreduce)
        return "auto_basis: form, arithmetic, optimiser, residual and allreduce would leave out some of the bases";
    return NULL;
}

BLN_API bln_status bln_auto_basis_slm(const bln_slm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report)
{
    blni_auto_model m = BLN_ZERO;
    bln_slm_desc own = BLN_ZERO;
    BLNI_TRY(blni_begin(report, data && out, "auto_basis: data or out is NULL"));
    if (model) own = *model;
    const char *why = blni_auto_slm_check(&own);
    if (why) return blni_refuse(report, BLN_EINVAL, why);
    m.desc = &own;
    m.latents = 1;
    m.errors = own.n_outputs < 2;
    m.fit = blni_auto_slm_fit;
    m.features = blni_auto_slm_features;
    m.exact = blni_auto_slm_exact;
    return blni_auto_choose(&m, desc, data, out, report);
}
