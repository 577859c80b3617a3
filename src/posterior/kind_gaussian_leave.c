/* kind_gaussian_leave: rows left out of Gaussians. v = phi'C phi and I - H, H = W^1/2 Phi C Phi' W^1/2, with W in units of C
 * [linear 39, 40; laplace 48, 49]
 *
 * By itself, low rank: V holds all rows, and so K_s = I + A A', A = W^1/2 Phi S, is known: 1 - h_n = (K_s^-1)_nn, and the residual
 * is W^1/2 r = K_s^-1 W^1/2 y, with no difference in either [Rasmussen & Williams 2006, 5.12]. With hardly any noise both are tiny,
 * and few of their digits would survive in 1 - (|a|^2 - |V a|^2), whose rounding is eps |a|^2, and in y - Phi m. Rounding in K_s, d
 * of size eps |a|^2, changes K_s^-1 by K_s^-1 d K_s^-1; the eigenvalues of K_s^-1 are at most 1 and at most its trace.
 *
 * By itself, factor form: 1 - h is a difference. Rounding in B = U'U, d_ij of size eps (B_ii B_jj)^1/2, changes h by
 * eps sum_i B_ii b_i^2 with b = U^-1 U^-T a, |b|^2 = (K_s^-1 - K_s^-2)_nn <= 1 - h. This is negligible while eps max B_ii is small;
 * else another solve gives b.
 *
 * Together, low rank: V = L^-1 A with A of all rows of the fit and K_s = L L', and I - H = (K_s^-1)_II. Column n of V A' is V a_n =
 * L^-1 (K_s - I) e_n = L'e_n - L^-1 e_n, and L' is upper, L^-1 lower triangular: below place n stands -L^-1 e_n, at n stands t =
 * L_nn - 1/L_nn. So V a_n gives x_n = L^-1 e_n: 0 above n, 1/L_nn = 2/(t + sqrt(t^2 + 4)) at n, -(V a_n)_i below, and
 * (I - H)_nm = x_n'x_m, without the cancellation of 1 - (|a|^2 - |V a|^2), whose error eps |a|^2 swamps 1 - h for any smooth
 * function with little noise. The sum of squares errs by eps |a|^2 (1 - h): rounding in K_s, d of size eps |a|^2, changes K_s^-1 by
 * K_s^-1 d K_s^-1, and all eigenvalues of K_s^-1 are <= 1. For |a| <= 1 the difference is more accurate (h may be tiny), and it
 * needs no place.
 *
 * Together, factor form: with z_i = U^-T S phi_i the covariance without the rows is C' = S U^-1 T^-1 U^-T S, T = I - sum W_i z_i
 * z_i' = F'F, whatever the signs of W; for few rows it is cheaper to compute P' = P + P W^1/2 (I - H)^-1 W^1/2 P for their f. */
#include "kind_gaussian_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "gaussian_private.h"

BLNI_PRIV int blni_gaussians_leaves(BLNI_OF_GROUP) { return !blni_gaussians_joint(q, (const bln_gaussians *)g->view); }

/* For n rows, in the same place for both ways: products of them, variances. Then roots, |a|^2, columns x, slopes in units of C;
 * together squares of n or of D. */
typedef struct blni_leave_pieces { double *project, *v, *root, *a2, *x, *b, *P, *H, *T, *U; } blni_leave_pieces;

BLNI_ONCE BLNI_PRIV blni_leave_pieces blni_leave_carve(blni_arena *a, const bln_posterior *q, const bln_gaussians *v, size_t n,
                                                       int together)
{
    const int low = v->form == BLN_GAUSSIAN_LOWRANK;
    const size_t J = blni_posterior_J(q), m = low || n <= v->n/2 ? n : v->n, square = together ? blni_mul(m, m) : 0;
    blni_leave_pieces p;
    p.project = blni_carve_doubles(a, blni_mul(n, low ? blni_add(v->n, v->k) : v->n));
    BLNI_CARVE3(a, n, p.v, p.root, p.a2);
    p.x       = blni_carve_doubles(a, low && together ? blni_mul(n, v->k) : 0);
    p.b       = blni_carve_doubles(a, together ? blni_mul(2, blni_mul(blni_max(n, v->n), J)) : low ? blni_mul(n, J) : 0);
    p.P       = blni_carve_doubles(a, square);
    p.H       = blni_carve_doubles(a, together ? blni_max(square, blni_mul(v->n, blni_max(v->n, J))) : low ? blni_mul(n, n) : 0);
    p.T       = blni_carve_doubles(a, together ? blni_max(square, blni_mul(n, blni_max(v->n, J))) : 0);
    p.U       = blni_carve_doubles(a, blni_mul(J, J));
    return p;
}

BLNI_PRIV size_t blni_gaussians_leave_work(BLNI_OF_GROUP, size_t n, int together)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_leave_carve(&a, q, (const bln_gaussians *)g->view, n, together);
    return blni_arena_doubles(&a);
}

BLNI_PRIV void blni_gaussians_leave_variances(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l, double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)group->view;
    const size_t n = l->x.n, J = blni_posterior_J(q);
    const blni_gaussian g = blni_gaussians_at(v, blni_posterior_weights(q), k);
    blni_arena a = blni_arena_over(work, 0);
    const blni_leave_pieces p = blni_leave_carve(&a, q, v, n, 0);
    blni_gaussian_project(&g, n, l->x.Phi, l->x.ld, NULL, p.v, p.project);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < J; j++) l->with[i*l->ld + j] = (v->T ? v->T[j*(J + 1)] : 1.0)*p.v[i];
}

/* x (k) of the row at place n of the fit from z = V S phi and root = W^1/2. */
BLNI_PRIV void blni_leave_column(const blni_gaussian *g, size_t n, double root, const double *z, double *x)
{
    const double t = root*z[n];
    for (size_t i = 0; i < n; i++) x[i] = 0.0;
    x[n] = 2.0/(t + sqrt(t*t + 4.0));
    for (size_t i = n + 1; i < g->k; i++) x[i] = -root*z[i];
}

/* A row in another place than in the fit shows in 1 - |x|^2, which is not |a|^2 - |Va|^2 then: far above rounding. */
BLNI_PRIV int blni_leave_in_place(double left, double a2, double h) { return fabs(1.0 - left - h) <= 1.5e-8*(1.0 + a2); }

#define BLNI_LEAVE_FINE 1e-7              /* relative error of 1 - h below which it need not be known better */

BLNI_PRIV double blni_leave_diagonal(const blni_gaussian *g, size_t j)                                              /* B_jj */
{
    double sum = 0.0;
    for (size_t i = 0; i <= j; i++) sum += g->R[i*g->ldr + j]*g->R[i*g->ldr + j];
    return sum;
}

/* left and lost of n rows by a factor; U^-T S phi' (D x n) in project may become U^-1 of it. */
BLNI_PRIV void blni_leave_by_factor(const blni_gaussian *g, double T, blni_leave *l, const blni_leave_pieces *p)
{
    const size_t n = l->x.n;
    double largest = 0.0;
    for (size_t j = 0; j < g->D; j++) {
        const double b = blni_leave_diagonal(g, j);
        largest = b > largest ? b : largest;
    }
    const int fine = DBL_EPSILON*largest <= BLNI_LEAVE_FINE;
    for (size_t i = 0; i < n; i++) {
        l->left[i] = 1.0 - T*l->W[i*l->ld]*p->v[i];
        p->a2[i] = l->left[i] != 0.0 ? fabs(1.0/l->left[i]) : HUGE_VAL;
        l->lost[i] = DBL_EPSILON*((fine ? largest : 0.0) + p->a2[i]);
    }
    if (fine) return;
    bln_trsm(BLN_NOTRANS, g->D, n, g->R, g->ldr, p->project, n);
    for (size_t j = 0; j < g->D; j++) {
        const double b = DBL_EPSILON*T*blni_leave_diagonal(g, j), *z = p->project + j*n;
        for (size_t i = 0; i < n; i++) l->lost[i] += b*fabs(l->W[i*l->ld])*z[i]*z[i]*p->a2[i];
    }
}

/* Of all rows in low-rank form: left and lost, v, and the shift of those with |a| > 1. Without a factor nothing is left. */
BLNI_PRIV bln_status blni_leave_by_rows(const blni_gaussian *g, size_t J, double T, blni_leave *l, const blni_leave_pieces *p)
{
    const size_t n = l->x.n, D = g->D;
    double *A = p->project, *U = p->H, *y = p->b, trace = 0.0;
    for (size_t i = 0; i < n; i++) {
        p->root[i] = sqrt(T*l->W[i*l->ld]);
        for (size_t j = 0; j < D; j++) A[i*D + j] *= p->root[i];
        p->a2[i] = bln_dot(D, A + i*D, A + i*D);
    }
    bln_syrk(BLN_NOTRANS, n, D, 1.0, A, D, 0.0, U, n);
    for (size_t i = 0; i < n; i++) U[i*(n + 1)] += 1.0;
    const int whole = bln_potrf(n, U, n, NULL) == BLN_OK;
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, J, D, 1.0, l->x.Phi, l->x.ld, g->m, D, 0.0, y, J);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < J; j++)
            y[i*J + j] = l->W[i*l->ld + j] > 0.0 ? p->root[i]*(y[i*J + j] + l->slope[i*l->ld + j]/l->W[i*l->ld + j]) : 0.0;
    if (whole) {
        bln_trsm(BLN_TRANS, n, J, U, n, y, J);
        bln_trsm(BLN_NOTRANS, n, J, U, n, y, J);
        bln_trtri(n, U, n);
    }
    for (size_t i = 0; i < n; i++) {
        l->left[i] = whole ? bln_dot(n - i, U + i*(n + 1), U + i*(n + 1)) : 0.0;
        trace += l->left[i];
    }
    for (size_t i = 0; i < n; i++) {
        const double h = p->root[i]*p->root[i]*p->v[i];
        l->lost[i] = DBL_EPSILON*p->a2[i]*(trace < 1.0 ? trace : 1.0);
        if (!(p->a2[i] > 1.0)) { l->left[i] = 1.0 - h; continue; }
        l->bad = l->place[i];
        if (whole && !blni_leave_in_place(l->left[i], p->a2[i], h)) return BLN_EINVAL;
        p->v[i] = l->left[i] < 1.0 ? (1.0 - l->left[i])/(p->root[i]*p->root[i]) : 0.0;
        for (size_t j = 0; j < J; j++)
            l->shift[i*l->ld + j] = y[i*J + j]/p->root[i] - l->left[i]*l->slope[i*l->ld + j]/l->W[i*l->ld + j];
    }
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_gaussians_leave(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                                    double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)group->view;
    const size_t n = l->x.n, J = blni_posterior_J(q);
    const double T = v->T ? v->T[0] : 1.0;
    const blni_gaussian g = blni_gaussians_at(v, blni_posterior_weights(q), k);
    const int low = g.form == BLN_GAUSSIAN_LOWRANK;
    blni_arena a = blni_arena_over(work, 0);
    const blni_leave_pieces p = blni_leave_carve(&a, q, v, n, 0);
    if (low && l->rows != g.k) return BLN_ESHAPE;
    if (low) BLNI_TRY(blni_leave_by_rows(&g, J, T, l, &p));
    else blni_leave_by_factor(&g, T, l, &p);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < J; j++) {
            l->var[i*l->ld + j] = (v->T ? v->T[j*(J + 1)] : 1.0)*p.v[i];
            if (!low || !(p.a2[i] > 1.0)) l->shift[i*l->ld + j] = l->var[i*l->ld + j]*l->slope[i*l->ld + j];
        }
    return BLN_OK;
}

/* P and I - H, upper triangles. */
BLNI_PRIV bln_status blni_leave_matrices(const blni_gaussian *g, blni_leave *l, const blni_leave_pieces *p)
{
    const size_t m = l->x.n, D = g->D, k = g->k;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        bln_syrk(BLN_TRANS, m, D, 1.0, p->project, m, 0.0, p->P, m);
        for (size_t i = 0; i < m; i++)
            for (size_t j = i; j < m; j++) p->H[i*m + j] = (i == j) - p->root[i]*p->root[j]*p->P[i*m + j];
        return BLN_OK;
    }
    const double *z = blni_lowrank_product(g, m, p->project);
    for (size_t i = 0; i < m; i++) blni_leave_column(g, l->place[i], p->root[i], z + i*k, p->x + i*k);
    bln_syrk(BLN_NOTRANS, m, k, 1.0, p->x, k, 0.0, p->H, m);
    bln_syrk(BLN_NOTRANS, m, D, 1.0, p->project, D, 0.0, p->P, m);
    for (size_t i = 0; i < m; i++) p->a2[i] = p->root[i]*p->root[i]*p->P[i*m + i];
    bln_syrk(BLN_NOTRANS, m, k, -1.0, z, k, 1.0, p->P, m);
    for (size_t i = 0; i < m; i++) {
        l->bad = l->place[i];
        if (p->a2[i] > 1.0 && !blni_leave_in_place(p->H[i*m + i], p->a2[i], p->root[i]*p->root[i]*p->P[i*m + i])) return BLN_EINVAL;
        for (size_t j = i; j < m; j++) {
            const double scale = p->root[i]*p->root[j];
            if (p->a2[i] > 1.0 && p->a2[j] > 1.0) p->P[i*m + j] = ((i == j) - p->H[i*m + j])/scale;
            else                                  p->H[i*m + j] = (i == j) - scale*p->P[i*m + j];
        }
    }
    return BLN_OK;
}

/* U (n x n) <- its factor; its logarithm and what it has lost. 0: all. a2: NULL, or what the error of its pivots is measured by. */
BLNI_PRIV int blni_leave_factor(blni_leave *l, size_t n, double *U, size_t m, const double *a2)
{
    l->error = HUGE_VAL;
    if (bln_potrf(n, U, n, NULL) != BLN_OK) return 0;
    l->error = 0.0;
    for (size_t i = 0; i < n && !a2; i++) {
        const double pivot = U[i*(n + 1)]*U[i*(n + 1)];
        if (!(DBL_EPSILON/pivot <= l->error)) l->error = DBL_EPSILON/pivot;
    }
    for (size_t i = 0; i < m && a2; i++) if (!(DBL_EPSILON*a2[i] <= l->error)) l->error = DBL_EPSILON*a2[i];
    l->logdet = bln_logdet_factor(n, U, n);
    return 1;
}

/* By m x m matrices: P <- P', both triangles. */
BLNI_PRIV bln_status blni_leave_few(const blni_gaussian *g, blni_leave *l, const blni_leave_pieces *p)
{
    const size_t m = l->x.n;
    BLNI_TRY(blni_leave_matrices(g, l, p));
    if (!blni_leave_factor(l, m, p->H, m, g->form == BLN_GAUSSIAN_LOWRANK ? p->a2 : NULL)) return BLN_OK;
    bln_symmetrise(m, p->P, m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) p->T[i*m + j] = p->root[i]*p->P[i*m + j];
    bln_trsm(BLN_TRANS, m, m, p->H, m, p->T, m);
    bln_syrk(BLN_TRANS, m, m, 1.0, p->T, m, 1.0, p->P, m);
    bln_symmetrise(m, p->P, m);
    return BLN_OK;
}

/* H <- T - sum of W z z' over the rows whose W has this sign. */
BLNI_PRIV void blni_leave_subtract(size_t D, const blni_leave *l, const blni_leave_pieces *p, double by)
{
    const size_t m = l->x.n;
    double any = 0.0;
    for (size_t i = 0; i < m; i++) {
        p->root[i] = by*l->W[i*l->ld] > 0.0 ? sqrt(by*l->W[i*l->ld]) : 0.0;
        any += p->root[i];
    }
    if (!(any > 0.0)) return;
    for (size_t j = 0; j < D; j++)
        for (size_t i = 0; i < m; i++) p->T[j*m + i] = p->root[i]*p->project[j*m + i];
    bln_syrk(BLN_NOTRANS, D, m, by > 0.0 ? -1.0 : 1.0, p->T, m, 1.0, p->H, D);
}

/* Slopes of row i in units of C, and *quad; shift and var of row i are there. */
BLNI_PRIV void blni_leave_quad(const bln_gaussians *v, size_t J, blni_leave *l, const blni_leave_pieces *p, const double *shift)
{
    double *b = p->b + l->x.n*J;
    l->quad = 0.0;
    if (v->T && blni_gaussians_mixing(J, v->T, p->U) != BLN_OK) l->quad = BLNI_NAN;
    for (size_t i = 0; i < l->x.n; i++) {
        memcpy(b, shift + i*J, J*sizeof *b);
        if (v->T) bln_potrs(J, p->U, J, b);
        l->quad += bln_dot(J, b, p->b + i*J);
        for (size_t j = 0; j < J; j++) l->shift[i*l->ld + j] = shift[i*J + j];
    }
}

BLNI_ONCE BLNI_PRIV bln_status blni_gaussians_leave_rows(const bln_posterior *q, const bln_group *group, size_t k, blni_leave *l,
                                                         double *work)
{
    const bln_gaussians *v = (const bln_gaussians *)group->view;
    const size_t m = l->x.n, J = blni_posterior_J(q), D = v->n;
    const blni_gaussian g = blni_gaussians_at(v, blni_posterior_weights(q), k);
    const double T = v->T ? v->T[0] : 1.0;
    int few = g.form == BLN_GAUSSIAN_LOWRANK || m <= D/2;
    if (g.form == BLN_GAUSSIAN_LOWRANK && l->rows != g.k) return BLN_ESHAPE;
    blni_arena a = blni_arena_over(work, 0);
    const blni_leave_pieces p = blni_leave_carve(&a, q, v, m, 1);
    for (size_t i = 0; i < m; i++) {
        l->bad = l->place[i];
        if (l->W[i*l->ld] < 0.0 && g.form == BLN_GAUSSIAN_LOWRANK) return BLN_EINVAL;     /* no row of I + A A' */
        if (l->W[i*l->ld] < 0.0) few = 0;
        p.root[i] = sqrt(fabs(l->W[i*l->ld])*T);
        for (size_t j = 0; j < J; j++) p.b[i*J + j] = l->slope[i*l->ld + j]*(v->T ? v->T[j*(J + 1)] : 1.0);
    }
    if (few) {
        const bln_status status = blni_leave_few(&g, l, &p);
        if (status != BLN_OK || !(l->error < HUGE_VAL)) return status;
        for (size_t i = 0; i < m; i++) p.v[i] = p.P[i*(m + 1)];
        for (size_t i = 0; i < m && l->cov; i++)
            for (size_t j = i; j < m; j++) l->cov[i*m + j] = T*p.P[i*m + j];
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, J, m, 1.0, p.P, m, p.b, J, 0.0, p.T, J);
    } else {
        for (size_t i = 0; i < D*D; i++) p.H[i] = i/D == i%D ? 1.0 : 0.0;
        blni_leave_subtract(D, l, &p, T);
        blni_leave_subtract(D, l, &p, -T);
        if (!blni_leave_factor(l, D, p.H, 0, NULL)) return BLN_OK;
        bln_trsm(BLN_TRANS, D, m, p.H, D, p.project, m);
        for (size_t i = 0; i < m; i++) p.v[i] = 0.0;
        for (size_t r = 0; r < D; r++)
            for (size_t i = 0; i < m; i++) p.v[i] += p.project[r*m + i]*p.project[r*m + i];
        if (l->cov) bln_syrk(BLN_TRANS, m, D, T, p.project, m, 0.0, l->cov, m);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, D, J, m, 1.0, p.project, m, p.b, J, 0.0, p.H, J);
        bln_gemm(BLN_TRANS, BLN_NOTRANS, m, J, D, 1.0, p.project, m, p.H, J, 0.0, p.T, J);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < J; j++) l->var[i*l->ld + j] = (v->T ? v->T[j*(J + 1)] : 1.0)*p.v[i];
    blni_leave_quad(v, J, l, &p, p.T);
    return BLN_OK;
}
