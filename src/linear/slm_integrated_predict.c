/* slm_integrated_predict: what was learnt, and the posterior as others see it */
#include "slm_integrated_private.h"
#include "../posterior/kind_student.h"
#include "../posterior/observe_noise.h"

BLNI_PRIV int blni_int_ready(const bln_slm_integrated *m) { return m && m->store; }

BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *m) { return m ? m->desc.basis : NULL; }
BLN_API const double *bln_slm_integrated_theta(const bln_slm_integrated *m)
{
    return blni_int_ready(m) ? m->posterior.groups->theta : NULL;
}
BLN_API size_t bln_slm_integrated_nodes(const bln_slm_integrated *m)    { return blni_int_ready(m) ? m->posterior.groups->K : 0; }
BLN_API double bln_slm_integrated_rows(const bln_slm_integrated *m)     { return blni_int_ready(m) ? m->posterior.rows : BLNI_NAN; }
BLN_API double bln_slm_integrated_dof(const bln_slm_integrated *m)      { return blni_int_ready(m) ? m->posterior.dof : BLNI_NAN; }
BLN_API double bln_slm_integrated_evidence(const bln_slm_integrated *m) { return blni_int_ready(m) ? m->evidence : BLNI_NAN; }

BLN_API double bln_slm_integrated_unit(const bln_slm_integrated *m, size_t slice)
{
    return blni_int_ready(m) && slice < m->desc.basis->n_slices ? m->unit[slice] : BLNI_NAN;
}

BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *m, size_t k, double *weight, double *ratio, double *noise_var)
{
    if (!m || !weight || !noise_var) return BLN_EINVAL;
    if (!m->store) return BLN_ESTATE;
    const bln_group *g = m->posterior.groups;
    const bln_students *v = (const bln_students *)g->view;
    if (k >= g->K) return BLN_EINVAL;
    *weight = g->weight[k];
    *noise_var = g->eta[k];
    for (size_t s = 0, j = 0; ratio && s < m->desc.basis->n_slices; s++) {
        const size_t end = bln_basis_slice(m->desc.basis, s + 1);
        ratio[s] = m->desc.ratio[s];
        /* All features of a slice have its ratio: that of its first is the square of its scale. */
        if (ratio[s] == 0.0 && j < v->n_free) ratio[s] = v->scale[k*v->n_free + j]*v->scale[k*v->n_free + j];
        while (j < v->n_free && v->other[j] < end) j++;
    }
    return BLN_OK;
}

/* The posterior, a t for each node, or one that says that there is none. */
BLNI_PRIV void blni_int_show(bln_slm_integrated *m)
{
    bln_posterior *q = &m->posterior;
    memset(q, 0, sizeof *q);
    if (m->store) *q = m->store->q;
    q->status = m->store ? BLN_OK : BLN_ESTATE;
    q->bases = &m->desc.basis;
    q->observe = bln_observe_noise(1);
    q->block = m->desc.block;
    q->alloc = m->alloc;
}

BLN_API const bln_posterior *bln_slm_integrated_posterior(const bln_slm_integrated *m) { return m ? &m->posterior : NULL; }

BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *m, const bln_data *data, double *mean, double *var_model,
                                              double *var_noise, double *work, bln_report *report)
{
    return bln_posterior_predict(bln_slm_integrated_posterior(m), data, mean, var_model, var_noise, work, report);
}
