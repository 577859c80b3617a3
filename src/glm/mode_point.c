/* mode_point: log p(y, w) and its gradient without a matrix, in x_i = w_i/sqrt lambda_i, in which a prior has no scale: what a
 * stochastic search for the mode goes by, and the beginning of the search for a mixture                      [spec/glm.md G34] */
#include "mode_private.h"
#include "../posterior/prior_private.h"

/* root_i = sqrt lambda_i */
BLNI_PRIV void blni_map_roots(const bln_glm_desc *d, const blni_glm_hyper *h, double *root)
{
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++) root[i] = sqrt(h->prior_var[s]);
    }
}

/* J = sum_n log p(y_n | f_n) - 1/2 w'Lambda^-1 w, and its gradient in x; with curvature the diagonal of -Phi'd2 Phi, negative rows
 * as 0. */
BLNI_PRIV bln_status blni_map_pass(blni_glm_rows *r, const blni_glm_hyper *h, const double *root, const double *w, double *J,
                                   double *gradient, double *curvature, bln_report *report)
{
    const size_t D = r->D;
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, h->theta, report);
    *J = 0.0;
    for (size_t i = 0; i < D; i++) gradient[i] = 0.0;
    for (size_t i = 0; i < D && curvature; i++) curvature[i] = 0.0;
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        blni_glm_eval(r, h->eta, rows.n, &t, w);
        for (size_t i = 0; i < rows.n; i++) *J += r->lp[i];
        bln_gemv(BLN_TRANS, rows.n, D, 1.0, r->Phi, D, r->d1, 1.0, gradient);
        for (size_t i = 0; i < rows.n && curvature; i++)
            for (size_t j = 0; j < D && r->d2[i] < 0.0; j++) curvature[j] -= r->d2[i]*r->Phi[i*D + j]*r->Phi[i*D + j];
    }
    for (size_t i = 0; i < D; i++) {
        const double x = w[i]/root[i];
        *J -= 0.5*x*x;
        gradient[i] = root[i]*gradient[i] - x;
    }
    return status;
}

/* log N(w | 0, Lambda) + 1/2 w'Lambda^-1 w: what J leaves out; a flat prior has the density 1. */
BLNI_PRIV double blni_map_constant(const bln_glm_desc *d, const blni_glm_hyper *h)
{
    double sum = 0.0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const size_t count = blni_prior_first(d->basis, d->per_weight, s + 1) - blni_prior_first(d->basis, d->per_weight, s);
        if (!blni_flat(h->prior_var[s])) sum -= 0.5*(double)count*(BLNI_LOG_2PI + log(h->prior_var[s]));
    }
    return sum;
}
