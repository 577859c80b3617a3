/* kind_product: one latent after the other, by the kernels of >>gaussian */
#include "kind_product_private.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../math/blas.h"
#include "sample_private.h"

BLNI_PRIV size_t blni_latentwise_factors(const bln_posterior *q)
{
    size_t sum = 0;
    for (size_t j = 0; j < blni_posterior_J(q); j++) {
        const size_t D = blni_posterior_basis(q, j)->D;
        sum = blni_add(sum, blni_mul(D, D));
    }
    return sum;
}

/* The largest D. */
BLNI_PRIV size_t blni_latentwise_side(const bln_posterior *q)
{
    size_t most = 0;
    for (size_t j = 0; j < blni_posterior_J(q); j++) most = blni_max(most, blni_posterior_basis(q, j)->D);
    return most;
}

/* Latent 0 of component k; then the next one. */
BLNI_PRIV blni_gaussian blni_latentwise_first(BLNI_OF_GROUP, size_t k)
{
    const bln_products *v = (const bln_products *)g->view;
    const size_t n_w = blni_posterior_weights(q);
    blni_gaussian one;
    one.form = BLN_GAUSSIAN_FACTOR;
    one.D = one.k = one.ldr = blni_posterior_basis(q, 0)->D;
    one.m = v->m + k*n_w;
    one.s = v->s + k*n_w;
    one.R = v->U + k*blni_latentwise_factors(q);
    return one;
}

BLNI_PRIV void blni_latentwise_next(const bln_posterior *q, size_t j, blni_gaussian *one)
{
    one->m += one->D;
    one->s += one->D;
    one->R += one->D*one->D;
    if (j + 1 < blni_posterior_J(q)) one->D = one->k = one->ldr = blni_posterior_basis(q, j + 1)->D;
}

/* Latent j of component k. */
BLNI_PRIV blni_gaussian blni_latentwise_at(BLNI_OF_GROUP, size_t k, size_t j)
{
    blni_gaussian one = blni_latentwise_first(q, g, k);
    for (size_t i = 0; i < j; i++) blni_latentwise_next(q, i, &one);
    return one;
}

BLNI_PRIV const char *blni_latentwise_check(BLNI_OF_GROUP)
{
    const bln_products *v = (const bln_products *)g->view;
    if (!v->m || !v->s || !v->U) return "product: m, s or U is NULL";
    return q->dof != 0.0 ? "product: normals have no degrees of freedom" : NULL;
}

/* Factors of one size are triangles with pivots; of several sizes they are numbers, of which none may make a prediction that is not
 * finite. */
BLNI_PRIV size_t blni_latentwise_arrays(BLNI_OF_GROUP, blni_array *out)
{
    const size_t n_w = blni_posterior_weights(q), K = blni_group_K(g), D = blni_posterior_basis(q, 0)->D;
    const int same = blni_posterior_bases(q) == 1;
    out[0] = blni_array_of(offsetof(bln_products, m), K, n_w, BLNI_FINITE);
    out[1] = blni_array_of(offsetof(bln_products, s), K, n_w, BLNI_AT_LEAST_ZERO);
    out[2] = same ? blni_array_of(offsetof(bln_products, U), blni_mul(K, n_w), D, BLNI_PIVOTS)
                  : blni_array_of(offsetof(bln_products, U), K, blni_latentwise_factors(q), BLNI_FINITE);
    out[2].upper = same ? D : 0;
    return 3;
}

/* Moments of a latent, then its products. */
BLNI_PRIV size_t blni_latentwise_work(BLNI_OF_GROUP, size_t n)
{
    return blni_add(blni_pad(n), blni_mul(n, blni_latentwise_side(q)));
}

BLNI_PRIV void blni_latentwise_project(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work)
{
    const bln_posterior *q = x->q;
    const size_t J = out->J, n = x->n;
    double *row = work, *project = work + blni_pad(n);
    for (size_t k = 0; k < blni_group_K(g); k++) {
        blni_gaussian one = blni_latentwise_first(q, g, k);
        for (size_t j = 0, to = (at + k)*J; j < J; blni_latentwise_next(q, j, &one), j++, to++) {
            const double *Phi = x->Phi + blni_posterior_column(q, j);
            if (out->mean) {
                blni_gaussian_project(&one, n, Phi, x->ld, row, NULL, project);
                blni_scatter(n, row, out->mean + to, out->ld);
            }
            if (!out->var) continue;
            blni_gaussian_project(&one, n, Phi, x->ld, NULL, row, project);
            blni_scatter(n, row, out->var + to, out->ld);
            for (size_t i = 0; i < n && out->cov; i++)
                for (size_t l = j; l < J; l++) out->cov[((i*out->K + at + k)*J + j)*J + l] = l == j ? row[i] : 0.0;
        }
    }
}

/* Rows of features, which become C phi, and products of them. */
BLNI_PRIV size_t blni_latentwise_pullback_work(BLNI_OF_GROUP, size_t n)
{
    return blni_mul(2, blni_pad(blni_mul(n, blni_latentwise_side(q))));
}

BLNI_PRIV void blni_latentwise_pullback(const bln_group *g, const blni_features *x, size_t j, const double *a, const double *b,
                                        size_t lda, double *F, size_t ldf, double *work)
{
    const double *Phi = x->Phi + blni_posterior_column(x->q, j);
    for (size_t k = 0; k < blni_group_K(g); k++) {
        const blni_gaussian one = blni_latentwise_at(x->q, g, k, j);
        double *C = work, *project = work + blni_pad(x->n*one.D);
        for (size_t i = 0; i < x->n && a; i++) bln_axpy(one.D, a[i*lda + k], one.m, F + i*ldf);
        if (!b) continue;
        blni_gaussian_multiply(&one, x->n, Phi, x->ld, C, one.D, project);
        for (size_t i = 0; i < x->n; i++) bln_axpy(one.D, 2.0*b[i*lda + k], C + i*one.D, F + i*ldf);
    }
}

BLNI_TABLE const blni_slope_ops blni_latentwise_slopes = { blni_latentwise_pullback_work, blni_latentwise_pullback };

/* ---- weights. Room: variances of all latents, or a covariance; the inverse of a factor. */

BLNI_PRIV size_t blni_latentwise_weights_work(BLNI_OF_GROUP, int whole)
{
    const size_t D = blni_latentwise_side(q), square = blni_mul(D, D);
    return blni_add(blni_pad(blni_max(blni_posterior_weights(q), square)), square);
}

BLNI_PRIV void blni_latentwise_marginal(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work)
{
    const size_t n_w = blni_posterior_weights(q), D = blni_latentwise_side(q);
    double *inverse = work + blni_pad(blni_max(n_w, D*D));
    for (size_t k = 0; k < blni_group_K(g); k++) {
        blni_gaussian one = blni_latentwise_first(q, g, k);
        blni_scatter(n, one.m + first, mean + k, ld);
        if (!var) continue;
        for (size_t j = 0, to = 0; j < blni_posterior_J(q); to += one.D, blni_latentwise_next(q, j, &one), j++)
            if (to < first + n && to + one.D > first) blni_gaussian_variances(&one, work + to, inverse);
        blni_scatter(n, work + first, var + k, ld);
    }
}

BLNI_PRIV void blni_latentwise_covariance(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work)
{
    const size_t n_w = blni_posterior_weights(q), D = blni_latentwise_side(q);
    double *inverse = work + blni_pad(blni_max(n_w, D*D));
    blni_gaussian one = blni_latentwise_first(q, g, k);
    for (size_t j = 0, to = 0; j < blni_posterior_J(q); to += one.D, blni_latentwise_next(q, j, &one), j++) {
        blni_gaussian_covariance(&one, work, one.D, inverse);
        for (size_t i = 0; i < one.D; i++) bln_axpy(one.D - i, share, work + i*one.D + i, C + (to + i)*ldc + to + i);
    }
}

BLNI_TABLE const blni_weight_ops blni_latentwise_weights = {
    blni_latentwise_weights_work, blni_latentwise_marginal, blni_latentwise_covariance
};

/* ---- draws: each latent with a seed of its own. Room: Q of the prior paths of all latents; its diagonal; that of a sample. */

BLNI_PRIV size_t blni_latentwise_draw_room(BLNI_OF_GROUP, int prior)
{
    size_t most = 0;
    for (size_t j = 0; j < blni_posterior_J(q); j++) {
        const blni_gaussian one = blni_latentwise_at(q, g, 0, j);
        most = blni_max(most, blni_gaussian_sample_work(&one));
    }
    return blni_add(blni_pad(prior ? blni_latentwise_factors(q) : 0), blni_add(blni_pad(blni_latentwise_side(q)), most));
}

BLNI_ONCE BLNI_PRIV bln_status blni_latentwise_prepare(BLNI_OF_GROUP, size_t k, int prior, double *room, bln_report *report)
{
    blni_gaussian one = blni_latentwise_first(q, g, k);
    double *diag = room + blni_pad(blni_latentwise_factors(q)), tau = 0.0;
    for (size_t j = 0; j < blni_posterior_J(q) && prior; room += one.D*one.D, blni_latentwise_next(q, j, &one), j++) {
        const bln_status status = blni_gaussian_path_factor(&one, room, diag, &tau);
        if (status != BLN_OK) return blni_refuse(report, status, "posterior: a component is not finite; scale the data");
        if (report && tau > report->jitter) report->jitter = tau;
    }
    return BLN_OK;
}

BLNI_PRIV void blni_latentwise_draw(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread,
                                    double *W, double *prior, size_t ldw, double *room)
{
    blni_gaussian one = blni_latentwise_first(q, g, k);
    const double *Q = prior ? room : NULL;
    double *sample = room + blni_pad(prior ? blni_latentwise_factors(q) : 0) + blni_pad(blni_latentwise_side(q));
    for (size_t j = 0; j < blni_posterior_J(q); j++) {
        const size_t D = one.D;
        blni_gaussian_sample(&one, Q, n, blni_draw_key(seed, j), stream, W, prior, ldw, sample);
        blni_latentwise_next(q, j, &one);
        W += D;
        if (prior) prior += D;
        if (Q) Q += D*D;
    }
}

BLNI_TABLE const blni_draw_ops blni_latentwise_draws = { blni_latentwise_draw_room, blni_latentwise_prepare, blni_latentwise_draw };

BLNI_TABLE const struct bln_component_ops blni_latentwise_ops = {
    "product", BLNI_PRODUCTS, NULL, 0, blni_latentwise_check, sizeof(bln_products), 0, blni_latentwise_arrays, NULL, NULL,
    blni_latentwise_work, blni_latentwise_project
};

BLN_API const struct bln_component_ops *bln_kind_product(void) { return &blni_latentwise_ops; }
