/* kind_point: f of all points at all rows is one matrix product for each latent */
#include "kind_point_private.h"
#include "../core/memory_private.h"
#include "../math/blas.h"

BLNI_PRIV const char *blni_points_check(BLNI_OF_GROUP)
{
    const bln_points *v = (const bln_points *)g->view;
    if (!v->w) return "point: w is NULL";
    if (v->ld && v->ld < blni_posterior_weights(q)) return "point: row stride below the number of weights";
    return q->dof != 0.0 ? "point: points have no degrees of freedom" : NULL;
}

BLNI_PRIV size_t blni_points_arrays(BLNI_OF_GROUP, blni_array *out)
{
    const bln_points *v = (const bln_points *)g->view;
    out[0] = blni_array_of(offsetof(bln_points, w), blni_group_K(g), blni_posterior_weights(q), BLNI_FINITE);
    if (v->ld) out[0].ld = v->ld;
    return 1;
}

/* Room for the values of one of several latents. */
BLNI_PRIV size_t blni_points_work(BLNI_OF_GROUP, size_t n) { return blni_posterior_J(q) > 1 ? blni_mul(n, blni_group_K(g)) : 0; }

BLNI_PRIV void blni_points_means(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work)
{
    const bln_points *v = (const bln_points *)g->view;
    const size_t n = x->n, K = blni_group_K(g), J = out->J, ld = v->ld ? v->ld : blni_posterior_weights(x->q);
    for (size_t j = 0; j < J; j++) {
        const size_t D = blni_posterior_basis(x->q, j)->D, column = blni_posterior_column(x->q, j);
        const double *w = v->w + blni_posterior_offset(x->q, j);
        double *to = J == 1 ? out->mean + at : work;
        bln_gemm(BLN_NOTRANS, BLN_TRANS, n, K, D, 1.0, x->Phi + column, x->ld, w, ld, 0.0, to, J == 1 ? out->ld : K);
        for (size_t i = 0; i < n && J > 1; i++)
            for (size_t k = 0; k < K; k++) out->mean[i*out->ld + (at + k)*J + j] = work[i*K + k];
    }
}

BLNI_PRIV void blni_points_project(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work)
{
    const size_t J = out->J, all = blni_group_K(g)*J;
    if (out->mean) blni_points_means(g, x, out, at, work);
    for (size_t i = 0; i < x->n; i++) {
        for (size_t c = 0; c < all && out->var; c++) out->var[i*out->ld + at*J + c] = 0.0;
        for (size_t c = 0; c < all*J && out->cov; c++) out->cov[(i*out->K + at)*J*J + c] = 0.0;
    }
}

BLNI_PRIV void blni_points_pullback(const bln_group *g, const blni_features *x, size_t j, const double *a, const double *b,
                                    size_t lda, double *F, size_t ldf, double *work)
{
    const bln_points *v = (const bln_points *)g->view;
    const size_t D = blni_posterior_basis(x->q, j)->D, ld = v->ld ? v->ld : blni_posterior_weights(x->q);
    const double *w = v->w + blni_posterior_offset(x->q, j);
    (void)b, (void)work;                                                                     /* no variance has a slope */
    if (a) bln_gemm(BLN_NOTRANS, BLN_NOTRANS, x->n, D, blni_group_K(g), 1.0, a, lda, w, ld, 1.0, F, ldf);
}

BLNI_TABLE const blni_slope_ops blni_points_slopes = { NULL, blni_points_pullback };

/* ---- weights */

BLNI_PRIV const double *blni_points_at(BLNI_OF_GROUP, size_t k)
{
    const bln_points *v = (const bln_points *)g->view;
    return v->w + k*(v->ld ? v->ld : blni_posterior_weights(q));
}

BLNI_PRIV void blni_points_marginal(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work)
{
    for (size_t k = 0; k < blni_group_K(g); k++) {
        blni_scatter(n, blni_points_at(q, g, k) + first, mean + k, ld);
        for (size_t i = 0; i < n && var; i++) var[i*ld + k] = 0.0;
    }
}

/* There is none. */
BLNI_PRIV void blni_points_covariance(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work) { }

BLNI_TABLE const blni_weight_ops blni_points_weights = { NULL, blni_points_marginal, blni_points_covariance };

/* ---- draws */

BLNI_PRIV void blni_points_draw(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread, double *W,
                                double *prior, size_t ldw, double *room)
{
    for (size_t i = 0; i < n; i++) memcpy(W + i*ldw, blni_points_at(q, g, k), blni_posterior_weights(q)*sizeof *W);
}

BLNI_TABLE const blni_draw_ops blni_points_draws = { NULL, NULL, blni_points_draw };

BLNI_TABLE const struct bln_component_ops blni_points_ops = {
    "point", BLNI_POINTS, NULL, 0, blni_points_check, sizeof(bln_points), 0, blni_points_arrays, NULL, NULL,
    blni_points_work, blni_points_project
};

BLN_API const struct bln_component_ops *bln_kind_point(void) { return &blni_points_ops; }
