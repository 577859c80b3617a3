/* mode_point: log p(y, w) and its gradient without a matrix, in x_i = w_i/sqrt lambda_i, whose prior is N(0, I): the objective of a
 * stochastic search for the mode, and of the search with which a fit of a mixture begins                          [laplace 34] */
#include "mode_private.h"
#include "../posterior/prior_private.h"

/* J = sum_n log p(y_n | f_n) - 1/2 w'Lambda^-1 w, and its gradient in x; with curvature the diagonal of -Phi'd2 Phi, negative rows
 * as 0, of one latent only. */
BLNI_PRIV bln_status blni_map_pass(blni_glm_rows *r, const blni_glm_hyper *h, const double *root, const double *w, double *J,
                                   double *gradient, double *curvature, bln_report *report)
{
    const size_t D = r->n_w;
    *J = 0.0;
    for (size_t i = 0; i < D; i++) gradient[i] = 0.0;
    for (size_t i = 0; i < D && curvature; i++) curvature[i] = 0.0;
    BLNI_PASS(r, h->theta, NULL) {
        blni_glm_eval(r, h->eta, rows.n, &t, w);
        for (size_t i = 0; i < rows.n; i++) *J += r->lp[i];
        blni_glm_gather(r, rows.n, r->d1, gradient);
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
BLNI_PRIV double blni_map_constant(const blni_glm_rows *r, const blni_glm_hyper *h)
{
    double sum = 0.0;
    for (size_t t = 0; t < r->n_slices; t++) {
        const double lambda = h->prior_var[r->slice[t].prior];
        if (!blni_flat(lambda)) sum -= 0.5*(double)(r->slice[t].end - r->slice[t].first)*(BLNI_LOG_2PI + log(lambda));
    }
    return sum;
}
