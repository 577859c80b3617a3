/* slm_integrated_predict: what was learnt, and the posterior as others see it */
#include "slm_integrated_private.h"
#include "../posterior/observe_noise.h"

BLNI_PRIV int blni_int_ready(const bln_slm_integrated *m) { return m && m->fitted; }

BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *m) { return m ? m->desc.basis : NULL; }
BLN_API const double *bln_slm_integrated_theta(const bln_slm_integrated *m) { return blni_int_ready(m) ? m->result.theta : NULL; }
BLN_API size_t bln_slm_integrated_nodes(const bln_slm_integrated *m)    { return blni_int_ready(m) ? m->result.n_nodes : 0; }
BLN_API double bln_slm_integrated_rows(const bln_slm_integrated *m)     { return blni_int_ready(m) ? m->result.N : BLNI_NAN; }
BLN_API double bln_slm_integrated_dof(const bln_slm_integrated *m)      { return blni_int_ready(m) ? m->result.nu : BLNI_NAN; }
BLN_API double bln_slm_integrated_evidence(const bln_slm_integrated *m)
{
    return blni_int_ready(m) ? m->result.evidence : BLNI_NAN;
}

BLN_API double bln_slm_integrated_unit(const bln_slm_integrated *m, size_t slice)
{
    return blni_int_ready(m) && slice < m->desc.basis->n_slices ? m->result.unit[slice] : BLNI_NAN;
}

BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *m, size_t k, double *weight, double *ratio, double *noise_var)
{
    if (!m || !weight || !noise_var) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const blni_int_result *r = &m->result;
    if (k >= r->n_nodes) return BLN_EINVAL;
    *weight = r->weight[k];
    *noise_var = (r->q[k] + 2.0*m->desc.noise_b)/r->nu;
    for (size_t s = 0; ratio && s < m->desc.basis->n_slices; s++) ratio[s] = m->desc.ratio[s];
    for (size_t s = 0; ratio && s < r->dims; s++) {
        const double root = r->tau[k*r->dims + s]/r->unit[r->dim[s]];
        ratio[r->dim[s]] = root*root;
    }
    return BLN_OK;
}

/* The posterior of the result, a t for each node, or one that says that there is none. */
BLNI_PRIV void blni_int_settle(bln_slm_integrated *m)
{
    const bln_basis *b = m->desc.basis;
    blni_int_result *r = &m->result;
    bln_posterior *q = &m->posterior;
    bln_group *g = &m->group;
    bln_students *v = &m->students;
    int missed = 0;
    memset(q, 0, sizeof *q);
    memset(g, 0, sizeof *g);
    q->status = m->fitted ? BLN_OK : BLN_ESTATE;
    q->bases = &m->desc.basis;
    q->observe = bln_observe_noise(1);
    q->n_groups = 1;
    q->groups = g;
    q->block = m->desc.block;
    q->alloc = m->alloc;
    g->ops = bln_kind_student();
    g->view = v;
    if (!m->fitted) return;
    for (size_t k = 0; k < r->n_nodes; k++) {
        const double *tau = r->tau + k*r->dims;
        r->eta[k] = (r->q[k] + 2.0*m->desc.noise_b)/r->nu;
        for (size_t j = 0; j < r->p; j++) r->scale[k*r->p + j] = blni_int_tau(r, tau, j)/r->h[j];
        for (size_t s = 0; s < b->n_slices; s++) {
            const int misses = bln_basis_variance(b, s) > 0.0;
            r->lambda[k*b->n_slices + s] = misses ? r->eta[k]*blni_int_ratio(r, tau, s) : 0.0;
            missed |= misses;
        }
    }
    q->dof = r->nu;
    q->law = bln_law_student();
    q->rows = r->N;
    g->K = r->n_nodes;
    g->weight = r->weight;
    g->theta = r->theta;
    g->eta = r->eta;
    g->ldeta = 1;
    g->residual = missed ? r->lambda : NULL;
    g->ldresidual = missed ? b->n_slices : 0;
    v->n_flat = r->n_flat;
    v->n_free = r->p;
    v->flat = r->flat;
    v->other = r->free_;
    v->Uf = r->Uf;
    v->zf = r->zf;
    v->W = r->W;
    v->scale = r->scale;
    v->R = r->R;
    v->t = r->rhs;
}

BLN_API const bln_posterior *bln_slm_integrated_posterior(const bln_slm_integrated *m) { return m ? &m->posterior : NULL; }

BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *m, const bln_data *data, double *mean, double *var_model,
                                              double *var_noise, double *work, bln_report *report)
{
    return bln_posterior_predict(bln_slm_integrated_posterior(m), data, mean, var_model, var_noise, work, report);
}
