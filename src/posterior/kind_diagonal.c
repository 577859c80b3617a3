/* kind_diagonal: all components at once, one latent after the other, by the kernels of >>mixture */
#include "kind_diagonal_private.h"
#include "../core/memory_private.h"
#include "../math/blas.h"
#include "../random/rng_private.h"

BLNI_PRIV const char *blni_diagonals_check(BLNI_OF_GROUP)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    if (!v->m || !v->psi) return "diagonal: m or psi is NULL";
    if (v->ld && v->ld < blni_posterior_weights(q)) return "diagonal: row stride below the number of weights";
    return q->dof != 0.0 ? "diagonal: normals have no degrees of freedom" : NULL;
}

BLNI_PRIV size_t blni_diagonals_arrays(BLNI_OF_GROUP, blni_array *out)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    const size_t n_w = blni_posterior_weights(q), K = blni_group_K(g);
    out[0] = blni_array_of(offsetof(bln_diagonals, m), K, n_w, BLNI_FINITE);
    out[1] = blni_array_of(offsetof(bln_diagonals, psi), K, n_w, BLNI_AT_LEAST_ZERO);
    if (v->ld) out[0].ld = out[1].ld = v->ld;
    return 2;
}

BLNI_PRIV blni_mixture blni_diagonals_of(BLNI_OF_GROUP, size_t j, size_t offset)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    blni_mixture m;
    m.K = blni_group_K(g);
    m.D = blni_posterior_basis(q, j)->D;
    m.m = v->m + offset;
    m.psi = v->psi + offset;
    m.ld = v->ld ? v->ld : blni_posterior_weights(q);
    return m;
}

/* Moments component by component, then the largest of the kernel's workspaces. */
BLNI_PRIV size_t blni_diagonals_work(BLNI_OF_GROUP, size_t n)
{
    size_t most = 0;
    for (size_t j = 0; j < blni_posterior_bases(q); j++) {
        const blni_mixture m = blni_diagonals_of(q, g, j, 0);
        most = blni_max(most, blni_mixture_work(&m, n));
    }
    return blni_add(blni_mul(blni_mul(2, n), blni_group_K(g)), most);
}

BLNI_PRIV void blni_diagonals_project(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work)
{
    const size_t n = x->n, K = blni_group_K(g), J = out->J;
    const int direct = out->ld == 1;                                     /* one component, one latent, where it is to be */
    for (size_t j = 0; j < J; j++) {
        const blni_mixture m = blni_diagonals_of(x->q, g, j, blni_posterior_offset(x->q, j));
        const double *Phi = x->Phi + blni_posterior_column(x->q, j);
        double *mean = direct ? out->mean : out->mean ? work : NULL, *var = direct ? out->var : out->var ? work + n*K : NULL;
        blni_mixture_project(&m, n, Phi, x->ld, mean, var, n, work + 2*n*K);
        for (size_t k = 0; k < K && !direct; k++) {
            if (mean) blni_scatter(n, mean + k*n, out->mean + (at + k)*J + j, out->ld);
            if (var) blni_scatter(n, var + k*n, out->var + (at + k)*J + j, out->ld);
        }
        for (size_t i = 0; i < n && out->cov; i++)
            for (size_t k = 0; k < K; k++)
                for (size_t l = j; l < J; l++) out->cov[((i*out->K + at + k)*J + j)*J + l] = l == j ? var[k*n + i] : 0.0;
    }
}

BLNI_PRIV void blni_diagonals_pullback(const bln_group *g, const blni_features *x, size_t j, const double *a, const double *b,
                                       size_t lda, double *F, size_t ldf, double *work)
{
    const blni_mixture m = blni_diagonals_of(x->q, g, j, blni_posterior_offset(x->q, j));
    const double *Phi = x->Phi + blni_posterior_column(x->q, j);
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < m.K; k++) {
            if (a) bln_axpy(m.D, a[i*lda + k], m.m + k*m.ld, F + i*ldf);
            for (size_t l = 0; l < m.D && b; l++) F[i*ldf + l] += 2.0*b[i*lda + k]*m.psi[k*m.ld + l]*Phi[i*x->ld + l];
        }
}

BLNI_TABLE const blni_slope_ops blni_diagonals_slopes = { NULL, blni_diagonals_pullback };

/* ---- weights */

BLNI_PRIV size_t blni_diagonals_ld(const bln_posterior *q, const bln_diagonals *v)
{
    return v->ld ? v->ld : blni_posterior_weights(q);
}

BLNI_PRIV void blni_diagonals_marginal(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    for (size_t k = 0; k < blni_group_K(g); k++) {
        blni_scatter(n, v->m + k*blni_diagonals_ld(q, v) + first, mean + k, ld);
        if (var) blni_scatter(n, v->psi + k*blni_diagonals_ld(q, v) + first, var + k, ld);
    }
}

BLNI_PRIV void blni_diagonals_covariance(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    const double *psi = v->psi + k*blni_diagonals_ld(q, v);
    for (size_t i = 0; i < blni_posterior_weights(q); i++) C[i*ldc + i] += share*psi[i];
}

BLNI_TABLE const blni_weight_ops blni_diagonals_weights = { NULL, blni_diagonals_marginal, blni_diagonals_covariance };

/* ---- draws */

BLNI_PRIV void blni_diagonals_draw(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread,
                                   double *W, double *prior, size_t ldw, double *room)
{
    const bln_diagonals *v = (const bln_diagonals *)g->view;
    const size_t n_w = blni_posterior_weights(q);
    const double *m = v->m + k*blni_diagonals_ld(q, v), *psi = v->psi + k*blni_diagonals_ld(q, v);
    for (size_t i = 0; i < n; i++) {
        bln_rng rng = blni_rng_of(seed, stream + i);
        bln_rng_normals(&rng, n_w, W + i*ldw);
        for (size_t l = 0; l < n_w; l++) W[i*ldw + l] = m[l] + sqrt(psi[l])*W[i*ldw + l];
    }
}

BLNI_TABLE const blni_draw_ops blni_diagonals_draws = { NULL, NULL, blni_diagonals_draw };

BLNI_TABLE const struct bln_component_ops blni_diagonals_ops = {
    "diagonal", BLNI_DIAGONALS, NULL, 0, blni_diagonals_check, sizeof(bln_diagonals), 0, blni_diagonals_arrays, NULL, NULL,
    blni_diagonals_work, blni_diagonals_project
};

BLN_API const struct bln_component_ops *bln_kind_diagonal(void) { return &blni_diagonals_ops; }
