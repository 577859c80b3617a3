/* kind_gaussian: the components of a group one after the other, by the kernels of >>gaussian */
#include "kind_gaussian_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "gaussian_private.h"
#include "sample_private.h"

enum { BLNI_JOINT_ROWS = 16 };         /* rows at a time whose latents have a joint covariance */

BLNI_PRIV blni_gaussian blni_gaussians_at(const bln_gaussians *v, size_t n_w, size_t k)
{
    blni_gaussian g;
    g.form = v->form;
    g.D = v->n;
    g.k = v->k;
    g.ldr = v->ldr ? v->ldr : v->n;
    g.m = v->m + k*n_w;
    g.s = v->s + k*v->n;
    g.R = v->R + k*v->k*g.ldr;
    return g;
}

BLNI_ONCE BLNI_PRIV const char *blni_gaussians_check(BLNI_OF_GROUP)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    if (!v->m || !v->s || (v->k && !v->R)) return "gaussian: m, s or R is NULL";
    if (v->form != BLN_GAUSSIAN_FACTOR && v->form != BLN_GAUSSIAN_LOWRANK) return "gaussian: no such form";
    if (v->T && blni_posterior_bases(q) > 1) return "gaussian: latents with one factor for all (T) need one basis for all";
    if (v->n != (v->T ? q->bases[0]->D : blni_posterior_weights(q))) return "gaussian: n is not the number of weights";
    if (v->ldr && v->ldr < v->n) return "gaussian: the stride of R is below n";
    if (v->form == BLN_GAUSSIAN_FACTOR && v->k != v->n) return "gaussian: the factor is not square";
    if (v->n_flat && !v->flat) return "gaussian: flat is NULL";
    return q->dof != 0.0 ? "gaussian: normals have no degrees of freedom" : NULL;
}

BLNI_ONCE BLNI_PRIV size_t blni_gaussians_arrays(BLNI_OF_GROUP, blni_array *out)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const size_t n_w = blni_posterior_weights(q), J = blni_posterior_J(q), K = blni_group_K(g);
    const int triangle = v->form == BLN_GAUSSIAN_FACTOR;
    out[0] = blni_array_of(offsetof(bln_gaussians, m), K, n_w, BLNI_FINITE);
    out[1] = blni_array_of(offsetof(bln_gaussians, s), K, v->n, BLNI_AT_LEAST_ZERO);
    out[2] = blni_array_of(offsetof(bln_gaussians, R), blni_mul(K, v->k), v->n, triangle ? BLNI_PIVOTS : BLNI_FINITE);
    out[2].upper = triangle ? v->n : 0;
    if (v->ldr) out[2].ld = v->ldr;
    out[3] = blni_array_of(offsetof(bln_gaussians, flat), 1, v->n_flat, BLNI_INDICES);
    out[3].upper = v->n;
    out[4] = blni_array_of(offsetof(bln_gaussians, T), J, J, BLNI_VARIANCES);
    out[5] = blni_array_of(offsetof(bln_gaussians, sd), K, n_w, BLNI_AT_LEAST_ZERO);
    out[4].optional = out[5].optional = 1;
    return 6;
}

BLNI_PRIV void blni_gaussians_count(const void *view, uint64_t *counts)
{
    const bln_gaussians *v = (const bln_gaussians *)view;
    counts[0] = v->form == BLN_GAUSSIAN_LOWRANK;
    counts[1] = v->n;
    counts[2] = v->k;
    counts[3] = v->n_flat;
}

BLNI_PRIV int blni_gaussians_shape(const uint64_t *counts, void *view)
{
    bln_gaussians *v = (bln_gaussians *)view;
    v->form = counts[0] ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
    v->n = (size_t)counts[1];
    v->k = (size_t)counts[2];
    v->n_flat = (size_t)counts[3];
    return counts[0] < 2 && (counts[0] || v->k == v->n);
}

/* Do the latents have a covariance of their own? */
BLNI_PRIV int blni_gaussians_joint(const bln_posterior *q, const bln_gaussians *v) { return !v->T && blni_posterior_J(q) > 1; }

/* Room: numbers of a component at the rows; rows of latents among zeros; products of them. */
typedef struct blni_gaussians_pieces { double *row, *spread, *project; } blni_gaussians_pieces;

BLNI_PRIV blni_gaussians_pieces blni_gaussians_carve(blni_arena *a, const bln_posterior *q, const bln_gaussians *v, size_t n)
{
    const int joint = blni_gaussians_joint(q, v);
    const size_t rows = joint ? blni_mul(blni_min(n, BLNI_JOINT_ROWS), blni_posterior_J(q)) : n;
    const size_t side = v->form == BLN_GAUSSIAN_FACTOR ? v->n : blni_add(v->n, v->k);
    blni_gaussians_pieces p;
    p.row     = blni_carve_doubles(a, n);
    p.spread  = blni_carve_doubles(a, joint ? blni_mul(rows, v->n) : 0);
    p.project = blni_carve_doubles(a, blni_mul(rows, side));
    return p;
}

BLNI_PRIV size_t blni_gaussians_work(BLNI_OF_GROUP, size_t n)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_gaussians_carve(&a, q, (const bln_gaussians *)g->view, n);
    return blni_arena_doubles(&a);
}

/* Means of latents with one basis for all: one product; where they lie together, as a matrix times a vector. */
BLNI_PRIV void blni_gaussians_means(const blni_gaussian *g, size_t J, const blni_features *x, double *mean, size_t ld)
{
    if (J == 1 && ld == 1) bln_gemv(BLN_NOTRANS, x->n, g->D, 1.0, x->Phi, x->ld, g->m, 0.0, mean);
    else bln_gemm(BLN_NOTRANS, BLN_TRANS, x->n, J, g->D, 1.0, x->Phi, x->ld, g->m, g->D, 0.0, mean, ld);
}

/* var_j = T_jj v, cov_jl = T_jl v with the one variance v of each row; without T there is one latent. */
BLNI_HOT BLNI_PRIV void blni_gaussians_shared(const blni_gaussian *g, const double *T, const blni_features *x,
                                              const blni_latents *out, size_t at, const blni_gaussians_pieces *p)
{
    const size_t J = out->J;
    if (!T && out->ld == 1) {
        blni_gaussian_project(g, x->n, x->Phi, x->ld, NULL, out->var, p->project);
        return;
    }
    blni_gaussian_project(g, x->n, x->Phi, x->ld, NULL, p->row, p->project);
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < J; j++) {
            out->var[i*out->ld + at*J + j] = T ? T[j*(J + 1)]*p->row[i] : p->row[i];
            for (size_t l = j; l < J && out->cov; l++)
                out->cov[((i*out->K + at)*J + j)*J + l] = T ? T[j*J + l]*p->row[i] : p->row[i];
        }
}

/* ---- jointly */

/* Means of latents that have weights, and perhaps bases, of their own. */
BLNI_PRIV void blni_joint_means(const blni_gaussian *g, const blni_features *x, const blni_latents *out, size_t at, double *row)
{
    for (size_t j = 0; j < out->J; j++) {
        const double *Phi = x->Phi + blni_posterior_column(x->q, j), *m = g->m + blni_posterior_offset(x->q, j);
        bln_gemv(BLN_NOTRANS, x->n, blni_posterior_basis(x->q, j)->D, 1.0, Phi, x->ld, m, 0.0, row);
        blni_scatter(x->n, row, out->mean + at*out->J + j, out->ld);
    }
}

/* E (rows J x n) <- the rows of all latents among zeros, from row `first` on. */
BLNI_PRIV void blni_joint_spread(const blni_features *x, size_t J, size_t first, size_t rows, size_t n, double *E)
{
    for (size_t i = 0; i < rows; i++) {
        size_t column = 0, offset = 0;
        for (size_t j = 0; j < J; j++) {
            const size_t D = blni_posterior_basis(x->q, j)->D;
            double *e = E + (i*J + j)*n;
            for (size_t l = 0; l < n; l++) e[l] = 0.0;
            memcpy(e + offset, x->Phi + (first + i)*x->ld + column, D*sizeof *e);
            offset += D;
            if (blni_posterior_bases(x->q) > 1) column += D;
        }
    }
}

/* e_a'C e_b of two of the n_e rows that have been whitened into work. */
BLNI_HOT BLNI_PRIV double blni_joint_product(const blni_gaussian *g, size_t n_e, const double *work, size_t a, size_t b)
{
    double sum = 0.0;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        for (size_t l = 0; l < g->D; l++) sum += work[l*n_e + a]*work[l*n_e + b];
        return sum;
    }
    const double *V = work + n_e*g->D;
    return bln_dot(g->D, work + a*g->D, work + b*g->D) - bln_dot(g->k, V + a*g->k, V + b*g->k);
}

/* var_j = e_j'C e_j and cov_jl = e_j'C e_l. */
BLNI_PRIV void blni_joint_variances(const blni_gaussian *g, const blni_features *x, const blni_latents *out, size_t at,
                                    const blni_gaussians_pieces *p)
{
    const size_t J = out->J;
    for (size_t first = 0; first < x->n; first += BLNI_JOINT_ROWS) {
        const size_t rows = blni_min(BLNI_JOINT_ROWS, x->n - first), n_e = rows*J;
        blni_joint_spread(x, J, first, rows, g->D, p->spread);
        if (g->form == BLN_GAUSSIAN_FACTOR) blni_whiten_factor(g, n_e, p->spread, g->D, p->project);
        else                                blni_whiten_lowrank(g, n_e, p->spread, g->D, p->project);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < J; j++)
                for (size_t l = j; l < (out->cov ? J : j + 1); l++) {
                    const double c = blni_joint_product(g, n_e, p->project, i*J + j, i*J + l), cut = c < 0.0 && l == j ? 0.0 : c;
                    if (out->cov) out->cov[(((first + i)*out->K + at)*J + j)*J + l] = cut;
                    if (l == j) out->var[(first + i)*out->ld + at*J + j] = cut;
                }
    }
}

BLNI_ONCE BLNI_PRIV void blni_gaussians_project(const bln_group *group, const blni_features *x, const blni_latents *out, size_t at,
                                                double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)group->view;
    const size_t n_w = blni_posterior_weights(x->q), J = out->J;
    const int joint = blni_gaussians_joint(x->q, v);
    blni_arena a = blni_arena_over(work, 0);
    const blni_gaussians_pieces p = blni_gaussians_carve(&a, x->q, v, x->n);
    for (size_t k = 0; k < blni_group_K(group); k++) {
        const blni_gaussian g = blni_gaussians_at(v, n_w, k);
        if (out->mean && joint) blni_joint_means(&g, x, out, at + k, p.row);
        else if (out->mean)     blni_gaussians_means(&g, J, x, out->mean + (at + k)*J, out->ld);
        if (!out->var) continue;
        if (joint) blni_joint_variances(&g, x, out, at + k, &p);
        else       blni_gaussians_shared(&g, v->T, x, out, at + k, &p);
    }
}

/* Room: rows of features among zeros, then C times them, and products of them. */
BLNI_PRIV size_t blni_gaussians_pullback_work(BLNI_OF_GROUP, size_t n)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const size_t side = v->form == BLN_GAUSSIAN_FACTOR ? v->n : blni_add(v->n, v->k);
    return blni_add(blni_pad(blni_mul(n, v->n)), blni_mul(n, side));
}

/* dmean/dphi_j = m_j, dvar/dphi_j = 2 (C e_j)_j with the row e_j that has phi_j in its place; T_jj C for C with T. */
BLNI_PRIV void blni_gaussians_pullback(const bln_group *group, const blni_features *x, size_t j, const double *a, const double *b,
                                       size_t lda, double *F, size_t ldf, double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)group->view;
    const size_t n_w = blni_posterior_weights(x->q), D = blni_posterior_basis(x->q, j)->D, n = x->n;
    const size_t offset = blni_posterior_offset(x->q, j), at = blni_gaussians_joint(x->q, v) ? offset : 0;
    const double *Phi = x->Phi + blni_posterior_column(x->q, j), T = v->T ? v->T[j*(blni_posterior_J(x->q) + 1)] : 1.0;
    double *E = work, *project = work + blni_pad(n*v->n);
    for (size_t k = 0; k < blni_group_K(group); k++) {
        const blni_gaussian g = blni_gaussians_at(v, n_w, k);
        for (size_t i = 0; i < n && a; i++) bln_axpy(D, a[i*lda + k], g.m + offset, F + i*ldf);
        if (!b) continue;
        for (size_t i = 0; i < n*v->n; i++) E[i] = 0.0;
        for (size_t i = 0; i < n; i++) memcpy(E + i*v->n + at, Phi + i*x->ld, D*sizeof *E);
        blni_gaussian_multiply(&g, n, E, v->n, E, v->n, project);
        for (size_t i = 0; i < n; i++) bln_axpy(D, 2.0*b[i*lda + k]*T, E + i*v->n + at, F + i*ldf);
    }
}

BLNI_TABLE const blni_slope_ops blni_gaussians_slopes = { blni_gaussians_pullback_work, blni_gaussians_pullback };

/* ---- weights */

/* Room: variances, or a whole covariance, of side n; the inverse of a factor. Few rows with many features have no factor of that
 * side: their table of coefficients takes n numbers, not n^2. */
typedef struct blni_gaussians_room { double *C, *inverse; } blni_gaussians_room;

BLNI_PRIV blni_gaussians_room blni_gaussians_room_carve(blni_arena *a, const bln_gaussians *v, int whole)
{
    blni_gaussians_room r;
    r.C       = blni_carve_doubles(a, whole ? blni_mul(v->n, v->n) : v->n);
    r.inverse = blni_carve_doubles(a, v->form == BLN_GAUSSIAN_FACTOR ? blni_mul(v->n, v->n) : 0);
    return r;
}

BLNI_PRIV size_t blni_gaussians_weights_work(BLNI_OF_GROUP, int whole)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_gaussians_room_carve(&a, (const bln_gaussians *)g->view, whole);
    return blni_arena_doubles(&a);
}

/* Weight i is weight i % n of latent i/n where latents share a factor. */
BLNI_PRIV void blni_gaussians_marginal(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const size_t n_w = blni_posterior_weights(q), J = blni_posterior_J(q);
    blni_arena a = blni_arena_over(work, 0);
    const blni_gaussians_room r = blni_gaussians_room_carve(&a, v, 0);
    for (size_t k = 0; k < blni_group_K(g); k++) {
        const blni_gaussian one = blni_gaussians_at(v, n_w, k);
        blni_scatter(n, one.m + first, mean + k, ld);
        if (!var) continue;
        if (!v->sd) blni_gaussian_variances(&one, r.C, r.inverse);
        for (size_t i = 0; i < n; i++) {
            const size_t at = first + i;
            const double sd = v->sd ? v->sd[k*n_w + at] : 0.0;
            var[i*ld + k] = v->sd ? sd*sd : (v->T ? v->T[at/v->n*(J + 1)] : 1.0)*r.C[at % v->n];
        }
    }
}

BLNI_PRIV void blni_gaussians_covariance(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const size_t n_w = blni_posterior_weights(q), J = blni_posterior_J(q), n = v->n;
    blni_arena a = blni_arena_over(work, 0);
    const blni_gaussians_room r = blni_gaussians_room_carve(&a, v, 1);
    const blni_gaussian one = blni_gaussians_at(v, n_w, k);
    blni_gaussian_covariance(&one, r.C, n, r.inverse);
    bln_symmetrise(n, r.C, n);
    for (size_t i = 0; i < n_w; i++)
        for (size_t j = i; j < n_w; j++) {
            const double T = v->T ? v->T[i/n*J + j/n] : 1.0, sd = v->sd ? v->sd[k*n_w + i] : 0.0;
            C[i*ldc + j] += share*(v->sd && i == j ? sd*sd : T*r.C[i%n*n + j%n]);
        }
}

BLNI_TABLE const blni_weight_ops blni_gaussians_weights = {
    blni_gaussians_weights_work, blni_gaussians_marginal, blni_gaussians_covariance
};

/* ---- draws
 *
 * Latents that share a factor have Cov(w_jp, w_kq) = (U'U)_pq C_jk with T = U'U: from draws Z of mean 0, independent for each
 * latent and each with a seed of its own, m_q + sum_p U_pq z_p. */

/* Q of pathwise draws, U, and room. */
typedef struct blni_gaussians_paths { double *Q, *diag, *U, *sample; } blni_gaussians_paths;

BLNI_PRIV blni_gaussians_paths blni_gaussians_paths_carve(blni_arena *a, const bln_posterior *q, const bln_gaussians *v, int prior)
{
    const blni_gaussian one = blni_gaussians_at(v, 0, 0);
    const size_t J = blni_posterior_J(q), k = prior || v->form == BLN_GAUSSIAN_LOWRANK ? v->k : 0;
    blni_gaussians_paths p;
    p.Q      = blni_carve_doubles(a, blni_mul(k, k));
    p.diag   = blni_carve_doubles(a, k);
    p.U      = blni_carve_doubles(a, v->T ? blni_mul(J, J) : 0);
    p.sample = blni_carve_doubles(a, blni_gaussian_sample_work(&one));
    if (k == 0) p.Q = NULL;
    return p;
}

BLNI_PRIV size_t blni_gaussians_draw_room(BLNI_OF_GROUP, int prior)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_gaussians_paths_carve(&a, q, (const bln_gaussians *)g->view, prior);
    return blni_arena_doubles(&a);
}

/* U with U'U = T; a latent without variance has a row and a column of zeros. */
BLNI_PRIV bln_status blni_gaussians_mixing(size_t J, const double *T, double *U)
{
    for (size_t p = 0; p < J; p++)
        for (size_t q = p; q < J; q++) U[p*J + q] = T[p*(J + 1)] > 0.0 ? T[p*J + q] : (double)(p == q);
    const bln_status status = bln_potrf(J, U, J, NULL);
    for (size_t p = 0; p < J; p++) if (!(T[p*(J + 1)] > 0.0)) U[p*(J + 1)] = 0.0;
    return status;
}

BLNI_ONCE BLNI_PRIV bln_status blni_gaussians_prepare(BLNI_OF_GROUP, size_t k, int prior, double *room, bln_report *report)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const blni_gaussian one = blni_gaussians_at(v, blni_posterior_weights(q), k);
    blni_arena a = blni_arena_over(room, 0);
    const blni_gaussians_paths p = blni_gaussians_paths_carve(&a, q, v, prior);
    double tau = 0.0;
    if (prior && v->n_flat)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, v->flat[0],
                         "posterior: there are no prior paths with a flat prior, feature");
    if (v->T && blni_gaussians_mixing(blni_posterior_J(q), v->T, p.U) != BLN_OK)
        return blni_refuse(report, BLN_ENOTPD, "posterior: T, of latents, is not positive definite");
    const bln_status status = p.Q ? blni_gaussian_path_factor(&one, p.Q, p.diag, &tau) : BLN_OK;
    if (status != BLN_OK) return blni_refuse(report, status, "posterior: a component is not finite; scale the data");
    if (report && tau > report->jitter) report->jitter = tau;
    return BLN_OK;
}

/* X (J x n) <- M + U'X, last latent first; M may be NULL. */
BLNI_PRIV void blni_gaussians_mix(size_t J, size_t n, const double *U, const double *M, double *X)
{
    for (size_t q = J; q-- > 0;) {
        double *x = X + q*n;
        bln_scal(n, U[q*J + q], x);
        for (size_t p = 0; p < q; p++) bln_axpy(n, U[p*J + q], X + p*n, x);
        if (M) bln_axpy(n, 1.0, M + q*n, x);
    }
}

BLNI_PRIV void blni_gaussians_draw(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread,
                                   double *W, double *prior, size_t ldw, double *room)
{
    const bln_gaussians *v = (const bln_gaussians *)g->view;
    const size_t J = blni_posterior_J(q);
    blni_gaussian one = blni_gaussians_at(v, blni_posterior_weights(q), k);
    const double *m = one.m;
    blni_arena a = blni_arena_over(room, 0);
    const blni_gaussians_paths p = blni_gaussians_paths_carve(&a, q, v, prior != NULL);
    if (!v->T) { blni_gaussian_sample(&one, p.Q, n, seed, stream, W, prior, ldw, p.sample); return; }
    one.m = NULL;
    for (size_t j = 0; j < J; j++)
        blni_gaussian_sample(&one, p.Q, n, blni_draw_key(seed, j), stream, W + j*v->n, prior ? prior + j*v->n : NULL, ldw,
                             p.sample);
    for (size_t i = 0; i < n; i++) {
        blni_gaussians_mix(J, v->n, p.U, m, W + i*ldw);
        if (prior) blni_gaussians_mix(J, v->n, p.U, NULL, prior + i*ldw);
    }
}

BLNI_TABLE const blni_draw_ops blni_gaussians_draws = {
    blni_gaussians_draw_room, blni_gaussians_prepare, blni_gaussians_draw
};

BLNI_TABLE const struct bln_component_ops blni_gaussians_ops = {
    "gaussian", BLNI_GAUSSIANS, NULL, 1, blni_gaussians_check, sizeof(bln_gaussians), 4, blni_gaussians_arrays,
        blni_gaussians_count,
    blni_gaussians_shape, blni_gaussians_work, blni_gaussians_project
};

BLN_API const struct bln_component_ops *bln_kind_gaussian(void) { return &blni_gaussians_ops; }
