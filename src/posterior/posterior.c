/* posterior: the sizes of a posterior and its check */
#include "posterior_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/blas.h"

BLNI_PRIV size_t blni_posterior_K(const bln_posterior *q)
{
    size_t K = 0;
    for (size_t i = 0; i < q->n_groups; i++) K = blni_add(K, blni_group_K(q->groups + i));
    return K;
}

BLNI_NOINLINE BLNI_PRIV blni_totals blni_posterior_totals(const bln_posterior *q, size_t n)
{
    blni_totals t = { 0, 0, 0 };
    if (q->n_bases < 2) {
        t.features = blni_mul(n, q->bases[0]->D);
        t.theta = blni_mul(n, q->bases[0]->n_theta);
        t.slices = blni_mul(n, q->bases[0]->n_slices);
        return t;
    }
    for (size_t j = 0; j < n; j++) {
        const bln_basis *b = q->bases[j];
        t.features = blni_add(t.features, b->D);
        t.theta = blni_add(t.theta, b->n_theta);
        t.slices = blni_add(t.slices, b->n_slices);
    }
    return t;
}

BLNI_PRIV void blni_scatter(size_t n, const double *from, double *to, size_t ld)
{
    for (size_t i = 0; i < n; i++) to[i*ld] = from[i];
}

/* ---- check */

BLNI_PRIV const char *blni_posterior_reason(const bln_posterior *q)
{
    const size_t J = blni_posterior_J(q), n = blni_posterior_bases(q);
    if (!q->bases || !q->groups || q->n_groups == 0 || !q->observe.ops) return "posterior: bases, groups or observe are missing";
    if (n != 1 && n != J) return "posterior: neither one basis for all latents, nor one for each";
    for (size_t b = 0; b < n; b++) {
        const char *reason = bln_basis_check(q->bases[b]);
        if (reason) return reason;
    }
    return blni_allocator_ok(&q->alloc) ? q->observe.ops->check(&q->observe, J, q->dof) : "posterior: half an allocator";
}

BLNI_ONCE BLNI_PRIV const char *blni_group_reason(BLNI_OF_GROUP)
{
    const size_t residuals = blni_posterior_residuals(q);
    if (!g->ops || !g->view) return "posterior: a group without ops or view";
    if (!g->theta && blni_posterior_theta(q)) return "posterior: theta is NULL";
    if (!g->eta && q->observe.n_eta) return "posterior: eta is NULL";
    if (!g->weight != !q->groups->weight) return "posterior: weights in one group and not in another";
    if (g->ldeta && g->ldeta < q->observe.n_eta) return "posterior: stride of eta below its width";
    return g->ldresidual && g->ldresidual < residuals ? "posterior: stride of residual below its width" : g->ops->check(q, g);
}

BLN_API bln_status bln_posterior_check(const bln_posterior *q, bln_report *report)
{
    double sum = 0.0;
    BLNI_TRY(blni_begin(report, q != NULL, "posterior: NULL"));
    if (!(q->dof >= 0.0 && blni_finite(q->dof)))
        return blni_refuse(report, BLN_EDOMAIN, "posterior: degrees of freedom must be finite and >= 0");
    const char *reason = blni_posterior_reason(q);
    if (reason) return blni_refuse(report, BLN_EINVAL, reason);
    for (size_t i = 0; i < q->n_groups; i++) {
        const bln_group *g = q->groups + i;
        reason = blni_group_reason(q, g);
        if (reason) return blni_fail(report, BLN_EINVAL, i, BLN_NONE, reason);
        for (size_t k = 0; k < blni_group_K(g) && g->weight; k++) {
            if (!(g->weight[k] >= 0.0)) return blni_fail(report, BLN_EDOMAIN, i, k, "posterior: a weight is negative or NaN");
            sum += g->weight[k];
        }
    }
    if (q->groups->weight && !(fabs(sum - 1.0) <= 1e-6))
        return blni_refuse(report, BLN_EDOMAIN, "posterior: weights do not sum to 1");
    return BLN_OK;
}

/* ---- arrays and their size */

BLNI_ONCE BLNI_PRIV size_t blni_group_parts(const bln_posterior *q, size_t i, blni_array *out)
{
    const bln_group *g = q->groups + i, *before = i ? g - 1 : NULL;
    const size_t K = blni_group_K(g);
    blni_array list[BLNI_ARRAYS_MOST];
    size_t n = 0;
    if (g->weight) { out[n] = blni_array_of(BLN_NONE, 1, K, BLNI_FINITE); out[n++].at = g->weight; }
    if (!before || g->theta != before->theta) {
        out[n] = blni_array_of(BLN_NONE, 1, blni_posterior_theta(q), BLNI_FINITE);
        out[n++].at = g->theta;
    }
    if (!before || g->ldeta || g->eta != before->eta) {
        out[n] = blni_array_of(BLN_NONE, g->ldeta ? K : 1, q->observe.n_eta, BLNI_FINITE);
        if (g->ldeta) out[n].ld = g->ldeta;
        out[n++].at = g->eta;
    }
    if (g->residual && (!before || g->ldresidual || g->residual != before->residual)) {
        out[n] = blni_array_of(BLN_NONE, g->ldresidual ? K : 1, blni_posterior_residuals(q), BLNI_AT_LEAST_ZERO);
        if (g->ldresidual) out[n].ld = g->ldresidual;
        out[n++].at = g->residual;
    }
    const size_t arrays = g->ops->arrays(q, g, list);
    for (size_t k = 0; k < arrays; k++) {
        memcpy(&list[k].at, (const char *)g->view + list[k].offset, sizeof list[k].at);
        if (list[k].at || !list[k].optional) out[n++] = list[k];
    }
    return n;
}

/* Bytes of all arrays; of triangles all or, of a file, half. SIZE_MAX: too many. */
BLNI_PRIV size_t blni_posterior_bytes(const bln_posterior *q, int half)
{
    blni_array part[BLNI_PARTS_MOST];
    size_t sum = 0;
    for (size_t i = 0; i < q->n_groups; i++) {
        const size_t n = blni_group_parts(q, i, part);
        for (size_t k = 0; k < n; k++) {
            const int indices = part[k].domain >= BLNI_INDICES;
            const size_t bytes = blni_mul(blni_mul(part[k].rows, part[k].cols), indices ? sizeof(size_t) : sizeof(double));
            sum = blni_add(sum, half && part[k].upper && !indices && bytes < (size_t)-1 ? bytes/2 : bytes);
        }
    }
    return sum;
}

BLN_API size_t bln_posterior_size(const bln_posterior *q)
{
    return q && q->bases && q->groups ? blni_posterior_bytes(q, 0) : 0;
}

BLNI_ONCE BLNI_PRIV int blni_residual_of(const bln_basis *b, const double *s, size_t J, const double *T, double *lambda)
{
    int any = 0;
    for (size_t k = 0; k < b->n_slices; k++) {
        const size_t first = bln_basis_slice(b, k), end = bln_basis_slice(b, k + 1);
        int common = bln_basis_variance(b, k) > 0.0;
        for (size_t i = first + 1; i < end && common; i++) common = s[i] == s[first];
        for (size_t j = 0; j < J; j++) {
            lambda[j*b->n_slices + k] = common ? (T ? T[j*(J + 1)] : 1.0)*(s[first]*s[first]) : 0.0;
            any |= lambda[j*b->n_slices + k] > 0.0;
        }
    }
    return any;
}

BLNI_PRIV void blni_missed(const bln_basis *b, size_t s, size_t n, const double *Phi, size_t ld, double *out)
{
    const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
    const double variance = bln_basis_variance(b, s);
    for (size_t i = 0; i < n; i++) {
        const double *phi = Phi + i*ld + first, left = variance > 0.0 ? variance - bln_dot(count, phi, phi) : 0.0;
        out[i] = left < 0.0 ? 0.0 : left;
    }
}
