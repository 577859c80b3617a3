/* glm_point: the objective of a method at any hyper-parameters, without fitting */
#include "../core/status_private.h"
#include "../posterior/gaussian_private.h"
#include "glm_private.h"
#include "result_private.h"

/* Mean and covariance of the Gaussian that the method has there. */
BLNI_PRIV bln_status blni_glm_moments_at(const bln_glm *glm, blni_glm_fit *f, double *mean, double *C, bln_report *report)
{
    const size_t D = f->rows.n_w, bytes = blni_mul(blni_mul(D, D), sizeof(double));
    const blni_glm_shape shape = blni_glm_shape_of(&f->desc, &f->own);
    const int product = shape.form == BLNI_GLM_PRODUCT;
    blni_glm_result r;
    BLNI_TRY(blni_glm_result_create(&glm->alloc, &f->desc, &shape, &r, report));
    double *work = (double *)blni_alloc(&glm->alloc, bytes);
    bln_status status = work ? f->method->component(f, f->state, &r, report)
                             : blni_refuse(report, BLN_ENOMEM, "glm: out of memory for a covariance");
    if (status == BLN_OK && mean) memcpy(mean, r.m, D*sizeof *mean);
    for (size_t i = 0; status == BLN_OK && C && i < D*D && product; i++) C[i] = 0.0;
    for (size_t j = 0, at = 0, from = 0; status == BLN_OK && C && j < (product ? f->rows.J : 1); j++) {
        const size_t one = product ? blni_glm_basis_of(&f->desc, j)->D : D;
        const blni_gaussian g = { BLN_GAUSSIAN_FACTOR, one, one, r.m + at, r.s + at, r.R + from, one };
        blni_gaussian_covariance(&g, C + at*D + at, D, work);
        at += one;
        from += one*one;
    }
    blni_release(&glm->alloc, work, bytes);
    blni_store_free(r.store);
    return status;
}

BLNI_ONCE BLN_API bln_status bln_glm_objective_at(const bln_glm *glm, bln_glm_method method, const bln_data *data,
                                                  const double *prior_var, const double *likelihood_theta, const double *theta,
                                                  double *value, double *mean, double *C, double *d_prior, double *d_likelihood,
                                                  double *d_theta, bln_report *report)
{
    blni_glm_fit *f = NULL;
    double objective = 0.0;
    bln_status status = BLN_OK;
    BLNI_TRY(blni_begin(report, glm != NULL, "glm: NULL argument"));
    bln_glm_desc d = glm->desc;
    blni_processes processes = blni_processes_of(d.allreduce, d.allreduce_user);
    d.method = method;
    if (!method.ops) d.method = blni_glm_method_of(&d);
    blni_glm_own own;
    blni_glm_own_of(d.method, &own);
    const int can = blni_glm_can(d.method.ops, &own, BLNI_CAN_EVIDENCE | (d.allreduce ? BLNI_CAN_SHARE : 0));
    if (!data || !prior_var || !value) status = blni_refuse(report, BLN_EINVAL, "glm: NULL argument");
    else if (!can) status = blni_refuse(report, BLN_EINVAL, "glm: this method has no objective of the hyper-parameters alone");
    if (status != BLN_OK) { blni_processes_leave(&processes); return status; }
    status = blni_glm_open(&glm->alloc, &d, &own, NULL, NULL, data, 1, &f, report);
    if (status == BLN_OK) status = blni_glm_point(f, prior_var, likelihood_theta, theta, report);
    if (status == BLN_OK) status = f->method->value(f, f->state, NULL, &objective, report);
    if (status == BLN_OK && (d_prior || d_likelihood || d_theta)) {
        f->slope.prior_var = d_prior;
        f->slope.eta = d_likelihood;
        f->slope.theta = d_theta;
        status = f->method->slopes(f, f->state, NULL, report);
    }
    if (status == BLN_OK && (mean || C)) status = blni_glm_moments_at(glm, f, mean, C, report);
    if (f) status = blni_processes_agree(&f->processes, status, 'e', 1, &objective, report);
    if (status == BLN_OK) { f->processes.over = 1; *value = objective; }
    blni_glm_close(&glm->alloc, f);
    return status;
}
