/* slopes: a block of rows at a time. First the moments of f under each component, if there are several; then, for each theta, the
 * features again, and for each latent dL/dPhi of its kinds and of what features miss, pulled back to the inputs. */
#include "slopes.h"
#include "../core/status_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../basis/basis_private.h"
#include "../likelihood/latent_private.h"
#include "predict_private.h"
#include "kind_gaussian_private.h"
#include "kind_student_private.h"
#if BLNI_GLM
#include "kind_diagonal_private.h"
#include "kind_point_private.h"
#include "kind_product_private.h"
#endif

/* Of each kind, in the order of blni_kind. */
BLNI_PRIV const blni_slope_ops *blni_slopes_of(const bln_group *g)
{
    static const blni_slope_ops *const kinds[] = {
        &blni_gaussians_slopes, &blni_students_slopes,
#if BLNI_GLM
        &blni_diagonals_slopes, &blni_points_slopes, &blni_latentwise_slopes
#endif
    };
    return kinds[g->ops->kind];
}

/* Beside those of >>predict: dL/dPhi of a latent; dL/dmean and dL/dvar of each component; what kinds need. */
typedef struct blni_slopes_pieces { blni_ask_pieces ask; double *F, *a, *b, *kind; } blni_slopes_pieces;

/* Blocks are panels here. */
BLNI_PRIV blni_ask_sizes blni_slopes_sizes(const bln_posterior *q)
{
    blni_ask_sizes s = blni_ask_sizes_of(q, (size_t)-1);
    s.panel = s.block;
    return s;
}

BLNI_ONCE BLNI_PRIV blni_slopes_pieces blni_slopes_carve(blni_arena *a, const bln_posterior *q, const blni_ask_sizes *s)
{
    blni_slopes_pieces p;
    size_t kind = 0, D = 0;
    for (size_t b = 0; b < blni_posterior_bases(q); b++) D = blni_max(D, q->bases[b]->D);
    for (size_t g = 0; g < q->n_groups; g++) {
        const blni_slope_ops *ops = blni_slopes_of(q->groups + g);
        if (ops->work) kind = blni_max(kind, ops->work(q, q->groups + g, s->block));
    }
    p.ask  = blni_ask_carve(a, q, s);
    p.F    = blni_carve_doubles(a, blni_mul(s->block, D));
    BLNI_CARVE2(a, blni_mul(s->block, s->K), p.a, p.b);
    p.kind = blni_carve_doubles(a, kind);
    return p;
}

BLN_API size_t bln_posterior_slopes_work(const bln_posterior *q)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!q || q->status != BLN_OK) return 0;
    const blni_ask_sizes s = blni_slopes_sizes(q);
    blni_slopes_carve(&a, q, &s);
    return blni_arena_doubles(&a);
}

/* a and b of each row and component: of the mean w_k, 0; of the variance 2 w_k (m_k - m), w_k; of t's b times dof/(dof - 2). */
BLNI_PRIV void blni_slopes_weights(const bln_posterior *q, const blni_ask_sizes *s, const blni_slopes_pieces *p,
                                   const bln_latent *f, size_t n, size_t j, int of_variance)
{
    const double dof = q->dof, nan = BLNI_NAN;
    const double exists = !(dof > 0.0) || dof > 1.0 ? 1.0 : nan, within = !(dof > 0.0) ? 1.0 : dof > 2.0 ? dof/(dof - 2.0) : nan;
    for (size_t i = 0; i < n; i++) {
        double centre = 0.0;
        if (of_variance && s->K > 1) {
            const blni_mix m = blni_mix_of(f, i, j, 0.0);
            double between, inside;
            centre = blni_mix_centre(&m, &between, &inside);
        }
        for (size_t k = 0; k < s->K; k++) {
            const double w = f->weight ? f->weight[k] : 1.0/(double)s->K;
            const double apart = of_variance && s->K > 1 ? f->mean[(i*s->K + k)*s->J + j] - centre : 0.0;
            p->a[i*s->K + k] = of_variance ? 2.0*w*apart : w*exists;
            p->b[i*s->K + k] = w*within;
        }
    }
}

/* F -= 2 sum_k b_k lambda_ks phi_s: what features miss shrinks where they grow. */
BLNI_PRIV void blni_slopes_residual(BLNI_OF_GROUP, size_t n, size_t j, const double *Phi, size_t ld, const double *b, size_t lda,
                                    double *F)
{
    const bln_basis *basis = blni_posterior_basis(q, j);
    size_t slice = 0;
    for (size_t l = 0; l < j; l++) slice += blni_posterior_basis(q, l)->n_slices;
    for (size_t s = 0; s < basis->n_slices; s++) {
        const size_t first = bln_basis_slice(basis, s), count = bln_basis_slice(basis, s + 1) - first;
        if (!(bln_basis_variance(basis, s) > 0.0)) continue;
        for (size_t i = 0; i < n; i++) {
            double lambda = 0.0;
            for (size_t k = 0; k < blni_group_K(g); k++) lambda += b[i*lda + k]*g->residual[k*g->ldresidual + slice + s];
            if (lambda != 0.0) bln_axpy(count, -2.0*lambda, Phi + i*ld + first, F + i*basis->D + first);
        }
    }
}

/* dX += what one theta's groups, [g, end), add to the slopes of latent j; their components begin with number `at`. */
BLNI_PRIV void blni_slopes_add(const bln_posterior *q, const bln_data *rows, const blni_ask_sizes *s, const blni_slopes_pieces *p,
                               size_t g, size_t end, size_t at, size_t j, int of_variance, double *dX, size_t lddx)
{
    const size_t D = blni_posterior_basis(q, j)->D, which = q->n_bases > 1 ? j : 0;
    const double *Phi = p->ask.Phi + blni_posterior_column(q, j), *theta = q->groups[g].theta;
    const blni_features x = { q, rows->n, s->D, p->ask.Phi };
    for (size_t i = 0; i < rows->n*D; i++) p->F[i] = 0.0;
    for (size_t h = g; h < end; h++) {
        const bln_group *group = q->groups + h;
        const double *a = of_variance && s->K == 1 ? NULL : p->a + at, *b = of_variance ? p->b + at : NULL;
        blni_slopes_of(group)->pullback(group, &x, j, a, b, s->K, p->F, D, p->kind);
        if (b && group->residual) blni_slopes_residual(q, group, rows->n, j, Phi, s->D, b, s->K, p->F);
        at += blni_group_K(group);
    }
    for (size_t b = 0; b < which && theta; b++) theta += q->bases[b]->n_theta;
    if (q->bases[which]->d)
        bln_basis_pullback(p->ask.at[which], theta, rows->n, rows->X, blni_ldx(rows), Phi, s->D, p->F, D, NULL, dX, lddx,
                           p->ask.basis);
}

/* One block. f: weights of components, and room for their means. */
BLNI_PRIV void blni_slopes_block(const bln_posterior *q, const bln_data *rows, const blni_ask_sizes *s, const blni_slopes_pieces *p,
                                 const bln_latent *f, size_t *bound, double *const out[2], size_t lddx)
{
    const size_t d = rows->d, J = s->J;
    const blni_latents columns = { s->K, J, s->K*J, p->ask.mean, NULL, NULL };
    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < rows->n && out[v]; i++)
            for (size_t c = 0; c < J*d; c++) out[v][i*lddx + c] = 0.0;
    if (out[1] && s->K > 1) blni_ask_project(q, rows, s, &p->ask, &columns, bound);
    for (size_t g = 0, end, at = 0; g < q->n_groups; g = end) {
        size_t K = 0;
        for (end = g; end < q->n_groups && q->groups[end].theta == q->groups[g].theta; end++) K += blni_group_K(q->groups + end);
        if (*bound != g) blni_ask_bind(q, q->groups[g].theta, &p->ask);
        *bound = g;
        blni_ask_features(q, q->groups[g].theta, rows, s, &p->ask);
        for (size_t j = 0; j < J; j++)
            for (int v = 0; v < 2; v++) {
                if (!out[v]) continue;
                blni_slopes_weights(q, s, p, f, rows->n, j, v);
                blni_slopes_add(q, rows, s, p, g, end, at, j, v, out[v] + j*d, lddx);
            }
        at += K;
    }
}

BLNI_PRIV bln_status blni_slopes_check(const bln_posterior *q, const bln_data *data, size_t lddx, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    ask.what = BLNI_ASK_LATENT;
    BLNI_TRY(blni_ask_check(q, &ask, data, report));
    if (lddx && lddx < blni_posterior_J(q)*data->d)
        return blni_refuse(report, BLN_EINVAL, "posterior: row stride of the slopes below J d");
    for (size_t b = 0; b < blni_posterior_bases(q); b++)
        if (!blni_basis_has_slope(q->bases[b]))
            return blni_refuse(report, BLN_EINVAL, "posterior: the basis, or a part of it, has no pullback to its inputs");
    return BLN_OK;
}

/* The first row with a slope that is not finite. */
BLNI_PRIV size_t blni_slopes_bad(size_t n, size_t width, size_t lddx, double *const out[2])
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++)
            if ((out[0] && !blni_finite(out[0][i*lddx + c])) || (out[1] && !blni_finite(out[1][i*lddx + c]))) return i;
    return n;
}

BLNI_ONCE BLN_API bln_status bln_posterior_slopes(const bln_posterior *q, const bln_data *data, double *dmean, double *dvar,
                                                  size_t lddx, double *work, bln_report *report)
{
    size_t bound = BLN_NONE;
    blni_arena a;
    bln_report_clear(report);
    BLNI_TRY(blni_slopes_check(q, data, lddx, report));
    const blni_ask_sizes s = blni_slopes_sizes(q);
    const size_t width = s.J*data->d;
    if (lddx == 0) lddx = width;
    BLNI_TRY(blni_arena_open(&q->alloc, work, blni_mul(bln_posterior_slopes_work(q), sizeof(double)), "posterior", &a, report));
    const blni_slopes_pieces p = blni_slopes_carve(&a, q, &s);
    bln_status status = BLN_OK;
    bln_latent f = BLN_ZERO;
    f.K = s.K;
    f.J = s.J;
    f.mean = p.ask.mean;
    blni_ask_gather(q, &p.ask, &f);
    for (size_t i = 0; i < data->n && status == BLN_OK; i += s.block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(s.block, data->n - i));
        double *out[2];
        out[0] = dmean ? dmean + i*lddx : NULL;
        out[1] = dvar ? dvar + i*lddx : NULL;
        blni_slopes_block(q, &rows, &s, &p, &f, &bound, out, lddx);
        const size_t bad = blni_slopes_bad(rows.n, q->dof > 0.0 ? 0 : width, lddx, out);
        if (bad < rows.n) status = blni_fail(report, BLN_ENUMERIC, i + bad, BLN_NONE, "posterior: a slope overflows");
    }
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return status;
}
