/* kind_student: one row after the other; the part of the flat weights is computed once for all components */
#include "kind_student_private.h"
#include "../core/memory_private.h"
#include "../math/special.h"
#include "../math/cholesky.h"
#include "../random/rng_private.h"

BLNI_PRIV const char *blni_students_check(BLNI_OF_GROUP)
{
    const bln_students *v = (const bln_students *)g->view;
    if (blni_posterior_J(q) != 1) return "student: one latent only";
    if (!(q->dof > 0.0)) return "student: degrees of freedom are missing";
    if (q->observe.n_eta != 1) return "student: eta must be the squared scale of the noise";
    if (v->n_flat + v->n_free != q->bases[0]->D) return "student: another number of weights than the basis has";
    if (v->n_flat && (!v->flat || !v->Uf || !v->zf || (v->n_free && !v->W))) return "student: flat, Uf, zf or W is NULL";
    return v->n_free && (!v->other || !v->scale || !v->R || !v->t) ? "student: other, scale, R or t is NULL" : NULL;
}

BLNI_PRIV size_t blni_students_arrays(BLNI_OF_GROUP, blni_array *out)
{
    const bln_students *v = (const bln_students *)g->view;
    const size_t f = v->n_flat, p = v->n_free, K = blni_group_K(g);
    out[0] = blni_array_of(offsetof(bln_students, flat), 1, f, BLNI_INDICES);
    out[1] = blni_array_of(offsetof(bln_students, other), 1, p, BLNI_OTHER_INDICES);
    out[2] = blni_array_of(offsetof(bln_students, Uf), f, f, BLNI_PIVOTS);
    out[3] = blni_array_of(offsetof(bln_students, zf), 1, f, BLNI_FINITE);
    out[4] = blni_array_of(offsetof(bln_students, W), f, p, BLNI_FINITE);
    out[5] = blni_array_of(offsetof(bln_students, scale), K, p, BLNI_AT_LEAST_ZERO);
    out[6] = blni_array_of(offsetof(bln_students, R), blni_mul(K, p), p, BLNI_PIVOTS);
    out[7] = blni_array_of(offsetof(bln_students, t), K, p, BLNI_FINITE);
    out[0].upper = out[1].upper = blni_add(f, p);
    out[2].upper = f;
    out[6].upper = p;
    return 8;
}

BLNI_PRIV void blni_students_count(const void *view, uint64_t *counts)
{
    const bln_students *v = (const bln_students *)view;
    counts[0] = v->n_flat;
    counts[1] = v->n_free;
}

BLNI_PRIV int blni_students_shape(const uint64_t *counts, void *view)
{
    bln_students *v = (bln_students *)view;
    v->n_flat = (size_t)counts[0];
    v->n_free = (size_t)counts[1];
    return 1;
}

BLNI_PRIV size_t blni_students_work(BLNI_OF_GROUP, size_t n)
{
    const bln_students *v = (const bln_students *)g->view;
    return blni_add(v->n_flat, blni_mul(2, v->n_free));
}

/* What is the same for all components: f = U_f^-T phi_flat and g = phi_free - W'f. */
BLNI_ONCE BLNI_PRIV void blni_students_common(const bln_students *v, const double *phi, double *f, double *g)
{
    const size_t p = v->n_free, nf = v->n_flat;
    for (size_t i = 0; i < nf; i++) f[i] = phi[v->flat[i]];
    for (size_t j = 0; j < p; j++) g[j] = phi[v->other[j]];
    if (nf) {
        bln_trsv(BLN_TRANS, nf, v->Uf, nf, f);
        if (p) bln_gemv(BLN_TRANS, nf, p, -1.0, v->W, p, f, 1.0, g);
    }
}

/* x = R_k^-T diag(scale_k) g */
BLNI_PRIV void blni_students_own(const bln_students *v, size_t k, const double *g, double *x)
{
    const size_t p = v->n_free;
    for (size_t j = 0; j < p; j++) x[j] = g[j]*v->scale[k*p + j];
    if (p) bln_trsv(BLN_TRANS, p, v->R + k*p*p, p, x);
}

/* One row: locations and squared scales of all components, either may be NULL. f: n_flat, then g and x: n_free each. */
BLNI_PRIV void blni_students_row(const bln_group *group, const double *phi, double *mean, double *var, double *f)
{
    const bln_students *v = (const bln_students *)group->view;
    const size_t p = v->n_free, nf = v->n_flat;
    double *g = f + nf, *x = g + p;
    blni_students_common(v, phi, f, g);
    const double at0 = bln_dot(nf, f, v->zf), v0 = bln_dot(nf, f, f);
    for (size_t k = 0; k < blni_group_K(group); k++) {
        blni_students_own(v, k, g, x);
        if (mean) mean[k] = at0 + bln_dot(p, x, v->t + k*p);
        if (var) var[k] = group->eta[k*group->ldeta]*(v0 + bln_dot(p, x, x));
    }
}

BLNI_PRIV void blni_students_project(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work)
{
    for (size_t i = 0; i < x->n; i++) {
        double *mean = out->mean ? out->mean + i*out->ld + at : NULL, *var = out->var ? out->var + i*out->ld + at : NULL;
        blni_students_row(g, x->Phi + i*x->ld, mean, var, work);
        for (size_t k = 0; k < blni_group_K(g) && out->cov; k++) out->cov[i*out->K + at + k] = var[k];
    }
}

/* Room: that of a row, then slopes in f and in g. */
BLNI_PRIV size_t blni_students_pullback_work(BLNI_OF_GROUP, size_t n)
{
    return blni_add(blni_students_work(q, g, n), q->bases[0]->D);
}

/* Backwards through a row: dL/dx_k = a_k t_k + 2 b_k eta_k x_k and dL/df = sum_k a_k z + 2 b_k eta_k f, then
 * dL/dphi_free = dL/dg = sum_k diag(scale_k) R_k^-1 dL/dx_k and dL/dphi_flat = U_f^-1 (dL/df - W dL/dg). */
BLNI_PRIV void blni_students_pullback(const bln_group *group, const blni_features *x, size_t j, const double *a, const double *b,
                                      size_t lda, double *F, size_t ldf, double *work)
{
    const bln_students *v = (const bln_students *)group->view;
    const size_t nf = v->n_flat, p = v->n_free;
    double *f = work, *g = f + nf, *own = g + p, *df = own + p, *dg = df + nf;
    for (size_t i = 0; i < x->n; i++) {
        double along = 0.0, twice = 0.0;
        blni_students_common(v, x->Phi + i*x->ld, f, g);
        for (size_t l = 0; l < p; l++) dg[l] = 0.0;
        for (size_t k = 0; k < blni_group_K(group); k++) {
            const double ak = a ? a[i*lda + k] : 0.0, bk = b ? 2.0*b[i*lda + k]*group->eta[k*group->ldeta] : 0.0;
            along += ak;
            twice += bk;
            if (p == 0) continue;
            blni_students_own(v, k, g, own);
            for (size_t l = 0; l < p; l++) own[l] = ak*v->t[k*p + l] + bk*own[l];
            bln_trsv(BLN_NOTRANS, p, v->R + k*p*p, p, own);
            for (size_t l = 0; l < p; l++) dg[l] += v->scale[k*p + l]*own[l];
        }
        for (size_t l = 0; l < nf; l++) df[l] = along*v->zf[l] + twice*f[l];
        if (nf && p) bln_gemv(BLN_NOTRANS, nf, p, -1.0, v->W, p, dg, 1.0, df);
        if (nf) bln_trsv(BLN_NOTRANS, nf, v->Uf, nf, df);
        for (size_t l = 0; l < nf; l++) F[i*ldf + v->flat[l]] += df[l];
        for (size_t l = 0; l < p; l++) F[i*ldf + v->other[l]] += dg[l];
    }
}

BLNI_TABLE const blni_slope_ops blni_students_slopes = { blni_students_pullback_work, blni_students_pullback };

/* ---- weights, as the rows that are unit vectors */

/* Room: a unit vector, then that of a row; for a covariance all f and x, D x n_flat and D x n_free. */
BLNI_PRIV size_t blni_students_weights_work(BLNI_OF_GROUP, int whole)
{
    const size_t D = q->bases[0]->D;
    return blni_add(blni_add(D, blni_students_work(q, g, 1)), whole ? blni_mul(D, D) : 0);
}

BLNI_PRIV double *blni_students_unit(size_t D, size_t i, double *work)
{
    for (size_t j = 0; j < D; j++) work[j] = 0.0;
    work[i] = 1.0;
    return work + D;
}

BLNI_PRIV void blni_students_marginal(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work)
{
    for (size_t i = 0; i < n; i++) {
        double *room = blni_students_unit(q->bases[0]->D, first + i, work);
        blni_students_row(g, work, mean + i*ld, var ? var + i*ld : NULL, room);
    }
}

BLNI_PRIV void blni_students_covariance(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work)
{
    const bln_students *v = (const bln_students *)g->view;
    const size_t D = q->bases[0]->D, nf = v->n_flat, p = v->n_free;
    double *F = work + D + blni_students_work(q, g, 1), *X = F + D*nf;
    for (size_t i = 0; i < D; i++) {
        double *f = blni_students_unit(D, i, work), *h = f + nf;
        blni_students_common(v, work, f, h);
        memcpy(F + i*nf, f, nf*sizeof *F);
        blni_students_own(v, k, h, X + i*p);
    }
    const double scale = share*g->eta[k*g->ldeta];
    if (nf) bln_syrk(BLN_NOTRANS, D, nf, scale, F, nf, 1.0, C, ldc);
    if (p)  bln_syrk(BLN_NOTRANS, D, p, scale, X, p, 1.0, C, ldc);
}

BLNI_TABLE const blni_weight_ops blni_students_weights = {
    blni_students_weights_work, blni_students_marginal, blni_students_covariance
};

/* ---- draws */

/* Room for the normals, first those of flat weights, then the others. */
BLNI_PRIV size_t blni_students_draw_room(BLNI_OF_GROUP, int prior) { return q->bases[0]->D; }

/* w_free = diag(scale_k) R_k^-1 (t_k + c b) and w_flat = U_f^-1 (z + c a - W w_free), a and b standard normal: c of them is a t. */
BLNI_PRIV void blni_students_draw(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread,
                                  double *W, double *prior, size_t ldw, double *room)
{
    const bln_students *v = (const bln_students *)g->view;
    const size_t nf = v->n_flat, p = v->n_free;
    double *a = room, *b = room + nf;
    for (size_t i = 0; i < n; i++) {
        const double c = spread[i]*sqrt(g->eta[k*g->ldeta]);
        bln_rng rng = blni_rng_of(seed, stream + i);
        bln_rng_normals(&rng, nf + p, room);
        for (size_t l = 0; l < nf; l++) a[l] = v->zf[l] + c*a[l];
        for (size_t l = 0; l < p; l++) b[l] = v->t[k*p + l] + c*b[l];
        if (p) bln_trsv(BLN_NOTRANS, p, v->R + k*p*p, p, b);
        for (size_t l = 0; l < p; l++) b[l] *= v->scale[k*p + l];
        if (nf && p) bln_gemv(BLN_NOTRANS, nf, p, -1.0, v->W, p, b, 1.0, a);
        if (nf) bln_trsv(BLN_NOTRANS, nf, v->Uf, nf, a);
        for (size_t l = 0; l < nf; l++) W[i*ldw + v->flat[l]] = a[l];
        for (size_t l = 0; l < p; l++) W[i*ldw + v->other[l]] = b[l];
    }
}

BLNI_TABLE const blni_draw_ops blni_students_draws = { blni_students_draw_room, NULL, blni_students_draw };

static const bln_law blni_student_law = { bln_student_cdf, bln_student_pdf, bln_student_logpdf, bln_student_quantile };

BLNI_TABLE const struct bln_component_ops blni_students_ops = {
    "student", BLNI_STUDENTS, &blni_student_law, 0, blni_students_check, sizeof(bln_students), 2, blni_students_arrays,
    blni_students_count, blni_students_shape, blni_students_work, blni_students_project
};

BLN_API const struct bln_component_ops *bln_kind_student(void) { return &blni_students_ops; }
