/* auto_glm: fits of the generalised linear model for a choice of its basis, by the objective that learns prior variances and length
 * scales by default: Laplace's method, or the variational bound where that method does not hold. Laplace's probabilities of rows
 * left out are too timid: those are of the default, and count the rows of the fit too, each left out by itself (one latent). */
#include "auto_glm.h"
#include "auto_basis_private.h"
#include "../core/status_private.h"
#include "../glm/full.h"
#include "../glm/glm_private.h"
#include "../glm/laplace.h"
#include "../posterior/loo.h"

BLNI_PRIV bln_status blni_auto_glm_fit(const blni_auto_model *m, const bln_basis *basis, const bln_data *rows,
                                       const bln_data *left_out, double *score, double *errors, bln_report *report)
{
    bln_glm_desc desc = *(const bln_glm_desc *)m->desc;
    bln_glm *glm = NULL;
    bln_loo_outputs out = BLN_ZERO;
    bln_elpd total = BLN_ZERO;
    (void)errors;
    desc.basis = basis;
    if (left_out) memset(&desc.method, 0, sizeof desc.method);
    bln_status status = bln_glm_create(&desc, &glm, report);
    if (status == BLN_OK) status = bln_glm_fit(glm, rows, report);
    if (status == BLN_OK)
        status = blni_auto_score(bln_glm_posterior(glm), bln_glm_objective(glm), left_out, &desc.alloc, score, report);
    out.total = &total;
    if (status == BLN_OK && left_out && m->latents == 1) status = bln_posterior_loo(bln_glm_posterior(glm), rows, NULL, &out, NULL);
    *score += total.elpd;
    bln_glm_free(glm);
    return status;
}

/* Of several latents rows cost more than matrices: their expectations are sums over many points. */
BLNI_PRIV double blni_auto_glm_features(const blni_auto_model *m, double n, double D)
{
    const double J = (double)m->latents, matrices = n*D*D + D*D*D;
    return J > 1.0 ? J*(60.0*matrices + 1e6*n) : 10.0*matrices;
}

BLNI_PRIV double blni_auto_glm_exact(const blni_auto_model *m, double n)
{
    const double J = (double)m->latents;
    return J > 1.0 ? J*(400.0*n*n*n + 1e6*n) : 30.0*n*n*n;
}

BLN_API bln_status bln_auto_basis_glm(const bln_glm_desc *model, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report)
{
    blni_auto_model m = BLN_ZERO;
    BLNI_TRY(blni_begin(report, model && data && out, "auto_basis: model, data or out is NULL"));
    const bln_likelihood *l = &model->likelihood;
    if (!l->ops) return blni_refuse(report, BLN_EINVAL, "auto_basis: the model has no likelihood");
    if (model->bases || model->theta || model->prior_var || model->per_weight || model->fix_theta || model->fix_prior_var
        || model->allreduce)
        return blni_refuse(report, BLN_EINVAL,
                           "auto_basis: theta and prior variances are those of a basis, which is not chosen yet");
    bln_glm_desc own = *model;
    const int curved = !l->ops->latents && !l->ops->sized && blni_glm_curves(l);
    own.basis = NULL;
    own.method = curved ? bln_glm_laplace() : bln_glm_full(NULL);
    memset(&own.hyper, 0, sizeof own.hyper);
    m.desc = &own;
    m.latents = blni_glm_latents(&own);
    m.fit = blni_auto_glm_fit;
    m.features = blni_auto_glm_features;
    m.exact = blni_auto_glm_exact;
    return blni_auto_choose(&m, desc, data, out, report);
}
