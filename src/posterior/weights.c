/* weights: treats a block of weights as rows whose f is the weight, so that likelihood/latent answers */
#include "weights_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/blas.h"
#include "../likelihood/latent_private.h"
#include "kind_gaussian_private.h"
#include "kind_student_private.h"
#if BLNI_GLM
#include "kind_diagonal_private.h"
#include "kind_point_private.h"
#include "kind_product_private.h"
#endif

enum { BLNI_WEIGHTS_NUMBERS = 1 << 18, BLNI_WEIGHTS_ROWS = 16 };      /* means of a block; but never fewer weights */

/* Of each kind, in the order of blni_kind. */
BLNI_PRIV const blni_weight_ops *blni_weights_of(const bln_group *g)
{
    static const blni_weight_ops *const kinds[] = {
        &blni_gaussians_weights, &blni_students_weights,
#if BLNI_GLM
        &blni_diagonals_weights, &blni_points_weights, &blni_latentwise_weights
#endif
    };
    return kinds[g->ops->kind];
}

/* Moments of a block of weights under each component, or for a whole covariance means of all weights; weights of components; what
 * kinds need. */
typedef struct blni_weights_pieces {
    size_t K, n_w, block;
    double *mean, *var, *weight, *kind;
} blni_weights_pieces;

BLNI_ONCE BLNI_PRIV blni_weights_pieces blni_weights_carve(blni_arena *a, const bln_posterior *q, int whole)
{
    blni_weights_pieces p;
    size_t kind = 0;
    p.K = blni_posterior_K(q);
    p.n_w = blni_posterior_weights(q);
    p.block = whole ? p.n_w : blni_min(p.n_w, blni_max(BLNI_WEIGHTS_NUMBERS/p.K, BLNI_WEIGHTS_ROWS));
    for (size_t g = 0; g < q->n_groups; g++) {
        const blni_weight_ops *ops = blni_weights_of(q->groups + g);
        if (ops->work) kind = blni_max(kind, ops->work(q, q->groups + g, whole));
    }
    p.mean   = blni_carve_doubles(a, blni_mul(p.block, p.K));
    p.var    = blni_carve_doubles(a, whole ? 0 : blni_mul(p.block, p.K));
    p.weight = blni_carve_doubles(a, p.K);
    p.kind   = blni_carve_doubles(a, kind);
    return p;
}

BLNI_PRIV size_t blni_weights_work(const bln_posterior *q, int whole)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_weights_carve(&a, q, whole);
    return blni_arena_doubles(&a);
}

BLN_API size_t bln_posterior_weights_work(const bln_posterior *q)
{
    return q && q->status == BLN_OK ? blni_max(blni_weights_work(q, 0), blni_weights_work(q, 1)) : 0;
}

BLNI_PRIV bln_status blni_weights_check(const bln_posterior *q, bln_report *report)
{
    if (!q) return blni_refuse(report, BLN_EINVAL, "posterior: NULL");
    if (q->status != BLN_OK) return blni_refuse(report, q->status, "posterior: not fitted, or not determined by the data");
    const size_t n = blni_posterior_theta(q);
    for (size_t g = 1; g < q->n_groups && n; g++)
        if (q->groups[g].theta != q->groups->theta && memcmp(q->groups[g].theta, q->groups->theta, n*sizeof(double)))
            return blni_refuse(report, BLN_EUNDEFINED,
                               "posterior: the weights belong to features that differ from component to component (theta)");
    return BLN_OK;
}

/* Weights of all components. */
BLNI_PRIV void blni_weights_gather(const bln_posterior *q, const blni_weights_pieces *p)
{
    size_t at = 0;
    for (size_t g = 0; g < q->n_groups; g++)
        for (size_t k = 0; k < blni_group_K(q->groups + g); k++)
            p->weight[at++] = q->groups[g].weight ? q->groups[g].weight[k] : 1.0/(double)p->K;
}

BLNI_PRIV void blni_weights_table(const bln_posterior *q, const blni_weights_pieces *w, double *mean, double *sd, size_t n_p,
                                  const double *p, double *quantile)
{
    bln_latent f = BLN_ZERO;
    f.K = w->K;
    f.weight = w->weight;
    f.mean = w->mean;
    f.var = w->var;
    f.dof = q->dof;
    f.law = blni_posterior_law(q);
    for (size_t first = 0; first < w->n_w; first += w->block) {
        const size_t n = blni_min(w->block, w->n_w - first);
        for (size_t g = 0, at = 0; g < q->n_groups; at += blni_group_K(q->groups + g), g++)
            blni_weights_of(q->groups + g)->marginal(q, q->groups + g, first, n, w->mean + at, w->var + at, w->K, w->kind);
        for (size_t i = 0; i < n; i++) {
            const blni_mix m = blni_mix_of(&f, i, 0, 0.0);
            double var;
            blni_mix_moments(&m, mean ? mean + first + i : NULL, &var);
            if (sd) sd[first + i] = sqrt(var);
            for (size_t k = 0; k < n_p && quantile; k++) quantile[(first + i)*n_p + k] = blni_mix_quantile(&m, p[k], 1.0 - p[k]);
        }
    }
}

BLNI_ONCE BLN_API bln_status bln_posterior_coefficients(const bln_posterior *q, double *mean, double *sd, size_t n_p,
                                                        const double *p, double *quantile, double *work, bln_report *report)
{
    blni_arena a;
    bln_report_clear(report);
    BLNI_TRY(blni_weights_check(q, report));
    if (quantile && n_p && !p) return blni_refuse(report, BLN_EINVAL, "posterior: p is NULL");
    for (size_t k = 0; quantile && k < n_p; k++)
        if (!(p[k] >= 0.0 && p[k] <= 1.0)) return blni_refuse(report, BLN_EDOMAIN, "posterior: a probability is outside [0, 1]");
    BLNI_TRY(blni_arena_open(&q->alloc, work, blni_mul(blni_weights_work(q, 0), sizeof(double)), "posterior", &a, report));
    const blni_weights_pieces w = blni_weights_carve(&a, q, 0);
    blni_weights_gather(q, &w);
    blni_weights_table(q, &w, mean, sd, n_p, p, quantile);
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return BLN_OK;
}

/* C += sum_k weight_k (m_k - m)(m_k - m)', with m = sum_k weight_k m_k. */
BLNI_PRIV void blni_weights_spread(const bln_posterior *q, const blni_weights_pieces *w, double *C, size_t ldc)
{
    for (size_t g = 0, at = 0; g < q->n_groups; at += blni_group_K(q->groups + g), g++)
        blni_weights_of(q->groups + g)->marginal(q, q->groups + g, 0, w->n_w, w->mean + at, NULL, w->K, w->kind);
    for (size_t i = 0; i < w->n_w; i++) {
        double *m = w->mean + i*w->K;
        const double centre = bln_dot(w->K, w->weight, m);
        for (size_t k = 0; k < w->K; k++) m[k] = sqrt(w->weight[k])*(m[k] - centre);
    }
    bln_syrk(BLN_NOTRANS, w->n_w, w->K, 1.0, w->mean, w->K, 1.0, C, ldc);
}

BLNI_ONCE BLN_API bln_status bln_posterior_covariance(const bln_posterior *q, double *C, size_t ldc, double *work,
                                                      bln_report *report)
{
    blni_arena a;
    bln_report_clear(report);
    BLNI_TRY(blni_weights_check(q, report));
    const size_t n_w = blni_posterior_weights(q);
    const double factor = q->dof > 0.0 ? q->dof/(q->dof - 2.0) : 1.0;
    if (ldc == 0) ldc = n_w;
    if (!C || ldc < n_w) return blni_refuse(report, BLN_EINVAL, "posterior: C is NULL, or its stride below n_w");
    if (q->dof > 0.0 && !(q->dof > 2.0))
        return blni_refuse(report, BLN_EUNDEFINED, "posterior: t's with so few degrees of freedom have no covariance");
    BLNI_TRY(blni_arena_open(&q->alloc, work, blni_mul(blni_weights_work(q, 1), sizeof(double)), "posterior", &a, report));
    const blni_weights_pieces w = blni_weights_carve(&a, q, 1);
    blni_weights_gather(q, &w);
    for (size_t i = 0; i < n_w; i++)
        for (size_t j = i; j < n_w; j++) C[i*ldc + j] = 0.0;
    for (size_t g = 0, at = 0; g < q->n_groups; g++)
        for (size_t k = 0; k < blni_group_K(q->groups + g); k++, at++)
            blni_weights_of(q->groups + g)->covariance(q, q->groups + g, k, w.weight[at]*factor, C, ldc, w.kind);
    if (w.K > 1) blni_weights_spread(q, &w, C, ldc);
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return BLN_OK;
}
