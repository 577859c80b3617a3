/* slm_loo: rows, groups and features left out, from the posterior of all rows                    [spec/slm.md S39, S40, S33, S34]
 *
 * Everything follows from P = Phi_I C Phi_I' and from I - H, H = Omega^1/2 P Omega^1/2/sigma^2. Below, a = sqrt(omega) S phi/sigma
 * is a row of A = Omega^1/2 Phi S/sigma, and r~ = Omega^1/2 r/sigma.
 *
 * Factor form: P = Z'Z with Z = U^-T S Phi', and I - H by subtraction. A group of more than D/2 rows is rather taken out of B:
 * U_-I'U_-I = B_-I = U'U - A_I'A_I. Then everything is an ordinary prediction from m_-I = m - S B_-I^-1 A_I'r~, and the log density
 * is the difference of two evidences, whose quadratic part |r~|^2 + |U_-I^-T A_I'r~|^2 has only positive terms.
 *
 * Where features leave variance R out, the covariance of f_I is S + R, S = P + P Omega^1/2 (I - H)^-1 Omega^1/2 P/sigma^2. Since
 * (I - H)^-1 = I + Omega^1/2 S Omega^1/2/sigma^2 (S40), the density of all copies is that of the errors of the means with K = I +
 * Omega^1/2 (S + R) Omega^1/2/sigma^2, whose eigenvalues are >= 1. It takes R, so such groups are never taken out of B.
 *
 * Low-rank form: V = L^-1 A with K_s = I + A A' = L L', and I - H = (K_s^-1)_II. Column n of V A' is
 *     V a_n = L^-1 (K_s - I) e_n = L'e_n - L^-1 e_n,
 * and L' is upper, L^-1 lower triangular: below place n stands -L^-1 e_n, at n stands t = L_nn - 1/L_nn. So V a_n gives the column
 *     x_n = L^-1 e_n:   0 above n,   1/L_nn = 2/(t + sqrt(t^2 + 4)) at n,   -(V a_n)_i below,
 * and (I - H)_nm = (K_s^-1)_nm = x_n'x_m, without the cancellation of 1 - (|a|^2 - |V a|^2), whose error eps |a|^2 swamps 1 - h for
 * any smooth function with little noise. The sum of squares errs by eps |a|^2 (1 - h): rounding in K_s, d of size eps |a|^2,
 * changes K_s^-1 by K_s^-1 d K_s^-1, and all eigenvalues of K_s^-1 are <= 1; rounding in V a counts 2 eps |a| sqrt(1 - h), which is
 * less, since 1 - h >= 1/(1 + |a|^2). For |a| <= 1 the difference is the better one (h may be tiny), and it needs no place. */
#include "slm_loo.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/posterior_private.h"
#include "../posterior/predict_private.h"
#include "slm_private.h"

/* Estimated relative error of 1 - h above which a result counts as lost. */
#define BLNI_LOO_LOST 1e-5

/* The constants of one call, and what is summed up. */
typedef struct blni_loo {
    const bln_slm      *slm;
    const bln_gaussian *g;     /* base: everything below is in units of its noise variance */
    size_t  P;
    double  sigma;             /* its root                                          */
    double  N;                 /* weight so far                                     */
    double  score;
    size_t  undefined;         /* first row whose prediction is lost, or BLN_NONE   */
} blni_loo;

BLNI_PRIV blni_loo blni_loo_of(const bln_slm *slm)
{
    blni_loo l;
    l.slm = slm;
    l.g = &slm->result.base;
    l.P = slm->result.P;
    l.sigma = sqrt(slm->result.hyper.noise_var);
    l.N = l.score = 0.0;
    l.undefined = BLN_NONE;
    return l;
}

BLNI_PRIV int blni_loo_lowrank(const blni_loo *l) { return l->g->form == BLN_GAUSSIAN_LOWRANK; }

/* Is too little left of 1 - h (or of a pivot of I - H) to have digits? a2: largest |a|^2 of the rows (low-rank form). */
BLNI_PRIV int blni_loo_lost(const blni_loo *l, double left, double a2)
{
    return !(left > 0.0) || DBL_EPSILON*(blni_loo_lowrank(l) ? a2 : 1.0/left) > BLNI_LOO_LOST;
}

BLNI_PRIV bln_status blni_loo_begin(const bln_slm *slm, size_t d, bln_report *report)
{
    if (!blni_slm_fitted(slm)) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: leave-out before fit");
    if (!blni_basis_fits(bln_slm_basis(slm), d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    if (!(slm->result.hyper.noise_var > 0.0))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a perfect fit has no leave-out prediction");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_rows(const blni_loo *l, size_t n, bln_report *report)
{
    if (blni_loo_lowrank(l) && n != l->g->k)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: other rows than the fit's: their number differs");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_weight(const blni_loo *l, bln_report *report)
{
    const double N = bln_slm_rows(l->slm);
    if (!(fabs(l->N - N) <= 1e-9*N))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: other rows than the fit's: their total weight differs");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_end(const blni_loo *l, bln_report *report)
{
    if (l->undefined == BLN_NONE) return BLN_OK;
    return blni_fail(report, BLN_EUNDEFINED, l->undefined, BLN_NONE,
                     "slm: only what is left out determines a direction of the weights; its prediction is lost in rounding");
}

/* ---- several outputs */

/* out (P x P) <- factor U of Sigma/sigma^2 = U'U, *logdet <- log|Sigma/sigma^2|; 0: it has none (an output is fitted perfectly). */
BLNI_PRIV int blni_loo_sigma(const bln_slm *slm, double *U, double *logdet)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) U[p*P + q] = blni_result_ratio(r, p, q);
    if (bln_potrf(P, U, P, NULL) != BLN_OK) return 0;
    *logdet = bln_logdet_factor(P, U, P);
    return 1;
}

/* z (n x P) <- z U^-1, row by row: sum of squares of a row is then r Sigma^-1 r' sigma^2. */
BLNI_PRIV void blni_loo_whiten(size_t P, const double *U, size_t n, double *z)
{
    for (size_t i = 0; i < n; i++) {
        if (P == 1) z[i] /= U[0];
        else bln_trsv(BLN_TRANS, P, U, P, z + i*P);
    }
}

/* ---- low-rank form: the column x_n = L^-1 e_n of a row */

/* x (k) from z = V S phi and scale = sqrt(omega)/sigma; n: the row's place in the fit. */
BLNI_PRIV void blni_loo_column(const bln_gaussian *g, size_t n, double scale, const double *z, double *x)
{
    const double t = scale*z[n];
    for (size_t i = 0; i < n; i++) x[i] = 0.0;
    x[n] = 2.0/(t + sqrt(t*t + 4.0));
    for (size_t i = n + 1; i < g->k; i++) x[i] = -scale*z[i];
}

/* A row in another place than in the fit shows in 1 - |x|^2, which is not |a|^2 - |Va|^2 then. */
BLNI_PRIV int blni_loo_in_place(double left, double a2, double h)
{
    return fabs(1.0 - left - h) <= 1.5e-8*(1.0 + a2);            /* sqrt(eps): far above rounding */
}

/* ---- leave-one-out */

typedef struct blni_loo_pieces {
    blni_predict_pieces p;
    double *f, *v, *x;         /* block x P: means; block: variances; k   */
    double *rest;              /* block: variance that features leave out */
    double *U, *e, logdet;     /* Sigma = sigma^2 U'U; P: errors of a row */
} blni_loo_pieces;

BLNI_PRIV blni_loo_pieces blni_loo_carve(blni_arena *a, const bln_slm *slm)
{
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    blni_loo_pieces w;
    w.p = blni_predict_carve(a, bln_slm_basis(slm), g, slm->desc.block);
    w.f = blni_carve_doubles(a, blni_mul(slm->desc.block, P));
    w.U = blni_carve_doubles(a, blni_mul(P, P));
    w.e = blni_carve_doubles(a, P);
    w.logdet = 0.0;
    w.v = blni_carve_doubles(a, slm->desc.block);
    w.rest = blni_carve_doubles(a, slm->desc.block);
    w.x = blni_carve_doubles(a, g->k);
    return w;
}

BLN_API size_t bln_slm_loo_work(const bln_slm *slm)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!blni_slm_fitted(slm)) return 0;
    blni_loo_carve(&a, slm);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* 1 - h of row i of a block in low-rank form, n its place; v_f is corrected where 1 - h knows it better. *a2: |a|^2. */
BLNI_PRIV double blni_loo_left(const blni_loo *l, const blni_loo_pieces *w, size_t rows, size_t i, size_t n, double scale,
                               double *a2, int *misplaced)
{
    const bln_gaussian *g = l->g;
    const double *p = w->p.project + i*g->D, *z = blni_lowrank_product(g, rows, w->p.project) + i*g->k;
    const double h = scale*scale*w->v[i];
    *a2 = scale*scale*bln_dot(g->D, p, p);
    if (!(*a2 > 1.0)) return 1.0 - h;
    blni_loo_column(g, n, scale, z, w->x);
    const double left = bln_dot(g->k - n, w->x + n, w->x + n);
    if (!blni_loo_in_place(left, *a2, h)) *misplaced = 1;
    w->v[i] = left < 1.0 ? (1.0 - left)/(scale*scale) : 0.0;
    return left;
}

/* Row i without itself, with h and 1 - h = left: means and variances of its outputs, and its score. 0: overflow. */
BLNI_PRIV int blni_loo_row(blni_loo *l, const blni_loo_pieces *w, const bln_data *rows, size_t i, double h, double left,
                           double *mean, double *var)
{
    const size_t P = l->P;
    const double weight = rows->weight ? rows->weight[i] : 1.0;
    const double v = l->sigma*l->sigma*(rows->noise_var ? rows->noise_var[i] : 1.0) + w->v[i]/left + w->rest[i];
    int finite = blni_finite(v);
    for (size_t p = 0; p < P; p++) {
        const double f = w->f[i*P + p], r = blni_row_target(rows, i, p) - f, m = f + blni_offset(rows, i, p) - r*h/left;
        w->e[p] = blni_y(rows, i, p) - m;
        finite = finite && blni_finite(m);
        if (mean) mean[i*P + p] = m;
        if (var)  var[i*P + p] = blni_result_ratio(&l->slm->result, p, p)*v;
    }
    if (weight > 0.0) {
        blni_loo_whiten(P, w->U, 1, w->e);
        l->score -= 0.5*weight*((double)P*(BLNI_LOG_2PI + log(v)) + w->logdet + bln_dot(P, w->e, w->e)/v);
    }
    return finite || left != left;
}

/* One block; `first`: rows before it. Outputs are those of the block. */
BLNI_PRIV bln_status blni_loo_block(blni_loo *l, const blni_loo_pieces *w, const bln_data *rows, size_t first, double *mean,
                                    double *var, double *leverage, bln_report *report)
{
    const bln_basis *b = bln_slm_basis(l->slm);
    bln_basis_features(b, bln_slm_theta(l->slm), rows->n, rows->X, blni_ldx(rows), w->p.Phi, b->D, w->p.basis);
    bln_gaussian_project(l->g, rows->n, w->p.Phi, b->D, NULL, w->v, w->p.project);
    for (size_t i = 0; i < rows->n; i++) w->rest[i] = 0.0;
    blni_left_out_add(b, l->g, rows->n, w->p.Phi, b->D, w->rest);
    blni_slm_means(&l->slm->result, rows->n, w->p.Phi, w->f);
    for (size_t i = 0; i < rows->n; i++) {
        const double scale = sqrt(blni_row_omega(rows, i))/l->sigma;
        double left, a2 = 0.0;
        int misplaced = 0;
        if (!blni_all_finite(l->P, w->f + i*l->P) || !blni_finite(scale*scale*w->v[i]))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "slm: the leave-one-out prediction overflows");
        if (blni_loo_lowrank(l)) left = blni_loo_left(l, w, rows->n, i, first + i, scale, &a2, &misplaced);
        else                     left = 1.0 - scale*scale*w->v[i];
        if (misplaced) return blni_fail(report, BLN_EINVAL, first + i, BLN_NONE, "slm: not the rows of the fit in their order");
        const double h = scale*scale*w->v[i];
        if (blni_loo_lost(l, left, a2)) {
            if (l->undefined == BLN_NONE) l->undefined = first + i;
            left = BLNI_NAN;
        }
        if (!blni_loo_row(l, w, rows, i, h, left, mean, var))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "slm: the leave-one-out prediction overflows");
        if (leverage) leverage[i] = left == left ? h : BLNI_NAN;
        l->N += rows->weight ? rows->weight[i] : 1.0;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_pass(blni_loo *l, const blni_loo_pieces *w, const bln_source *source, size_t room, double *mean,
                                   double *var, double *leverage, bln_report *report)
{
    const int any = mean || var || leverage;
    size_t at = 0;
    bln_data rows;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK && (status = blni_source_next(source, l->slm->desc.block, l->P, &rows, report)) == BLN_OK && rows.n) {
        if (any && rows.n > room - at)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: the source has more rows than the outputs");
        if (blni_loo_lowrank(l) && rows.n > l->g->k - at) return blni_loo_rows(l, blni_add(at, rows.n), report);
        status = blni_data_check_from(&rows, 1, at, report);
        if (status == BLN_OK)
            status = blni_loo_block(l, w, &rows, at, mean ? mean + at*l->P : NULL, var ? var + at*l->P : NULL,
                                    leverage ? leverage + at : NULL, report);
        at += rows.n;
    }
    if (status == BLN_OK) status = blni_loo_rows(l, at, report);
    return status == BLN_OK ? blni_loo_weight(l, report) : status;
}

BLN_API bln_status bln_slm_loo_source(const bln_slm *slm, const bln_source *source, size_t room, double *mean, double *var,
                                      double *leverage, double *score, double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !source) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_loo_begin(slm, source->d, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_slm_loo_work(slm), sizeof(double));
    double *own = NULL;
    if (!work) {
        if (bytes == (size_t)-1)
            return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
        work = own = (double *)blni_alloc(&slm->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for leave-one-out");
    }
    blni_arena a = blni_arena_over(work, bytes);
    blni_loo_pieces w = blni_loo_carve(&a, slm);
    blni_loo l = blni_loo_of(slm);
    status = blni_loo_sigma(slm, w.U, &w.logdet) ? blni_loo_pass(&l, &w, source, room, mean, var, leverage, report)
           : blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a perfect fit has no leave-one-out prediction");
    blni_release(&slm->alloc, own, bytes);
    if (status != BLN_OK) return status;
    if (score) *score = l.score;
    return blni_loo_end(&l, report);
}

BLN_API bln_status bln_slm_loo(const bln_slm *slm, const bln_data *data, double *mean, double *var, double *leverage, double *score,
                               double *work, bln_report *report)
{
    bln_data_reader reader;
    bln_report_clear(report);
    if (!data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    const bln_source source = bln_source_of(data, &reader);
    return bln_slm_loo_source(slm, &source, data->n, mean, var, leverage, score, work, report);
}

/* ---- groups */

/* Workspace for the largest group. Rows of a group are gathered; cap of them stand in memory at a time. */
typedef struct blni_group {
    blni_loo        l;
    const bln_data *data;
    size_t  cap;
    size_t  small;                /* rows of the largest group that goes by I - H, or 0               */
    int     large;                /* is there a group that is taken out of B?                        */
    double *X, *Phi, *project, *basis;
    double *f, *v, *root, *r;     /* cap (x P: f, r): mean and variance of y; sqrt(omega)/sigma; sqrt(omega) r/sigma */
    double *U, logdet;            /* Sigma = sigma^2 U'U, P x P                                      */
    double *P, *H, *T, *x;        /* small x small each; x: small x k (low-rank)                      */
    double *B, *Bm, *m, *u;       /* large groups: D x D each: U'U, and without the group; P x D; D x P */
    double *z;                    /* room for small x P, or D x P                                    */
    int     leaves;               /* do features leave variance out?                                 */
    double  logp;
} blni_group;

BLNI_PRIV void blni_group_carve(blni_arena *a, blni_group *w)
{
    const bln_basis *b = bln_slm_basis(w->l.slm);
    const bln_gaussian *g = w->l.g;
    const size_t cap = w->cap, square = blni_mul(w->small, w->small), D2 = w->large ? blni_mul(g->D, g->D) : 0, P = w->l.P;
    const size_t DP = w->large ? blni_mul(g->D, P) : 0;
    w->X       = blni_carve_doubles(a, blni_mul(cap, b->d));
    w->Phi     = blni_carve_doubles(a, blni_mul(cap, b->D));
    w->project = blni_carve_doubles(a, bln_gaussian_project_work(g, cap));
    w->basis   = blni_carve_doubles(a, bln_basis_work(b, cap));
    w->f       = blni_carve_doubles(a, blni_mul(cap, P));
    w->v       = blni_carve_doubles(a, cap);
    w->root    = blni_carve_doubles(a, cap);
    w->r       = blni_carve_doubles(a, blni_mul(cap, P));
    w->U       = blni_carve_doubles(a, blni_mul(P, P));
    w->P       = blni_carve_doubles(a, square);
    w->H       = blni_carve_doubles(a, square);
    w->T       = blni_carve_doubles(a, square);
    w->x       = blni_carve_doubles(a, blni_loo_lowrank(&w->l) ? blni_mul(w->small, g->k) : 0);
    w->B       = blni_carve_doubles(a, D2);
    w->Bm      = blni_carve_doubles(a, D2);
    w->m       = blni_carve_doubles(a, DP);
    w->u       = blni_carve_doubles(a, DP);
    w->z       = blni_carve_doubles(a, blni_max(DP, blni_mul(w->small, P)));
}

/* Is a group of m rows better taken out of B? Not if its covariance is wanted, which is m x m anyway. */
BLNI_PRIV int blni_group_is_large(const blni_group *w, size_t m, int cov)
{
    return !cov && !w->leaves && !blni_loo_lowrank(&w->l) && m > w->l.g->D/2;
}

/* Features of m gathered rows, and what depends on nothing else: root, and r with the residuals of the fit. */
BLNI_PRIV void blni_group_gather(blni_group *w, size_t m, const size_t *rows)
{
    const bln_slm *slm = w->l.slm;
    const bln_basis *b = bln_slm_basis(slm);
    const size_t d = b->d;
    for (size_t i = 0; i < m && d; i++) memcpy(w->X + i*d, w->data->X + rows[i]*blni_ldx(w->data), d*sizeof *w->X);
    bln_basis_features(b, bln_slm_theta(slm), m, w->X, d, w->Phi, b->D, w->basis);
    for (size_t i = 0; i < m; i++) w->root[i] = sqrt(blni_row_omega(w->data, rows[i]))/w->l.sigma;
}

BLNI_PRIV void blni_group_residuals(blni_group *w, size_t m, const size_t *rows)
{
    const size_t P = w->l.P;
    blni_slm_means(&w->l.slm->result, m, w->Phi, w->f);
    for (size_t i = 0; i < m; i++)
        for (size_t p = 0; p < P; p++) w->r[i*P + p] = w->root[i]*(blni_row_target(w->data, rows[i], p) - w->f[i*P + p]);
}

/* tr(C^-1 x'x) for x: n x P, C = U'U; x is copied to room. */
BLNI_PRIV double blni_group_square(const blni_group *w, size_t n, const double *x, double *room)
{
    const size_t P = w->l.P;
    memcpy(room, x, n*P*sizeof *x);
    blni_loo_whiten(P, w->U, n, room);
    return bln_dot(n*P, room, room);
}

/* -1/2 [P (N_I log(2 pi sigma^2) - ld_I) + N_I log|C| + ...] over the rows of a group. */
BLNI_PRIV double blni_group_constant(const blni_group *w, size_t m, const size_t *rows)
{
    const double P = (double)w->l.P;
    double sum = 0.0;
    for (size_t i = 0; i < m; i++) {
        const bln_data *data = w->data;
        const double k = data->weight ? data->weight[rows[i]] : 1.0, v = data->noise_var ? data->noise_var[rows[i]] : 1.0;
        if (k > 0.0) sum -= 0.5*k*(P*(BLNI_LOG_2PI + 2.0*log(w->l.sigma) + log(v)) + w->logdet);
    }
    return sum;
}

/* From latent to observed: offset and noise. */
BLNI_PRIV void blni_group_observe(const blni_group *w, size_t m, const size_t *rows, double *mean, double *var, size_t step)
{
    const double noise = w->l.sigma*w->l.sigma;
    const size_t P = w->l.P;
    for (size_t i = 0; i < m; i++) {
        for (size_t p = 0; p < P; p++) mean[i*P + p] += blni_offset(w->data, rows[i], p);
        var[i*step] += noise*(w->data->noise_var ? w->data->noise_var[rows[i]] : 1.0);
    }
}

/* P and I - H, upper triangles; *a2: largest |a|^2 (low-rank form). 0 if a row is not in its place. */
BLNI_PRIV int blni_group_matrices(blni_group *w, size_t m, const size_t *rows, double *a2, size_t *misplaced)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, k = g->k;
    *a2 = 0.0;
    if (!blni_loo_lowrank(&w->l)) {
        blni_whiten_factor(g, m, w->Phi, D, w->project);
        bln_syrk(BLN_TRANS, m, D, 1.0, w->project, m, 0.0, w->P, m);
        for (size_t i = 0; i < m; i++)
            for (size_t j = i; j < m; j++) w->H[i*m + j] = (i == j) - w->root[i]*w->root[j]*w->P[i*m + j];
        return 1;
    }
    const double *p = w->project, *z;
    blni_whiten_lowrank(g, m, w->Phi, D, w->project);
    z = blni_lowrank_product(g, m, w->project);
    for (size_t i = 0; i < m; i++) blni_loo_column(g, rows[i], w->root[i], z + i*k, w->x + i*k);
    bln_syrk(BLN_NOTRANS, m, k, 1.0, w->x, k, 0.0, w->H, m);
    bln_syrk(BLN_NOTRANS, m, D, 1.0, p, D, 0.0, w->P, m);
    for (size_t i = 0; i < m; i++) w->T[i] = w->root[i]*w->root[i]*w->P[i*m + i];                 /* |a_i|^2 */
    bln_syrk(BLN_NOTRANS, m, k, -1.0, z, k, 1.0, w->P, m);
    for (size_t i = 0; i < m; i++) {
        if (w->T[i] > 1.0 && !blni_loo_in_place(w->H[i*m + i], w->T[i], w->root[i]*w->root[i]*w->P[i*m + i])) {
            *misplaced = rows[i];
            return 0;
        }
        if (w->T[i] > *a2) *a2 = w->T[i];
        for (size_t j = i; j < m; j++) {
            const double scale = w->root[i]*w->root[j];
            if (w->T[i] > 1.0 && w->T[j] > 1.0) w->P[i*m + j] = ((i == j) - w->H[i*m + j])/scale;
            else                                w->H[i*m + j] = (i == j) - scale*w->P[i*m + j];
        }
    }
    return 1;
}

/* Factorises I - H in place; 0 if too little is left of it. */
BLNI_PRIV int blni_group_factor(const blni_group *w, size_t m, double a2)
{
    if (bln_potrf(m, w->H, m, NULL) != BLN_OK) return 0;
    for (size_t i = 0; i < m; i++)
        if (blni_loo_lost(&w->l, w->H[i*m + i]*w->H[i*m + i], a2)) return 0;
    return 1;
}

/* P += R, and the log density with it; mean in f, covariance of f in P. */
BLNI_PRIV void blni_group_left_out(blni_group *w, size_t m, const size_t *rows)
{
    const bln_slm *slm = w->l.slm;
    const bln_basis *b = bln_slm_basis(slm);
    const size_t P = w->l.P;
    blni_left_out_covariance(b, bln_slm_theta(slm), w->l.g, m, w->X, b->d, w->Phi, b->D, w->P, m, w->z, w->v, w->basis);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = i; j < m; j++) w->H[i*m + j] = (i == j) + w->root[i]*w->root[j]*w->P[i*m + j];
        for (size_t p = 0; p < P; p++) w->r[i*P + p] = w->root[i]*(blni_row_target(w->data, rows[i], p) - w->f[i*P + p]);
    }
    if (bln_potrf(m, w->H, m, NULL) != BLN_OK) { w->logp = BLNI_NAN; return; }               /* an overflow */
    blni_sigma_solve(BLN_TRANS, m, P, w->H, m, w->r);
    w->logp = blni_group_constant(w, m, rows) - 0.5*((double)P*bln_logdet_factor(m, w->H, m) + blni_group_square(w, m, w->r, w->z));
}

/* By I - H = U'U: mean into f, covariance of y into the upper triangle of P, log density. *defined = 0: lost. */
BLNI_PRIV bln_status blni_group_small(blni_group *w, size_t m, const size_t *rows, int *defined, bln_report *report)
{
    const size_t P = w->l.P;
    double a2;
    size_t misplaced;
    blni_group_gather(w, m, rows);
    blni_group_residuals(w, m, rows);
    if (!blni_group_matrices(w, m, rows, &a2, &misplaced))
        return blni_fail(report, BLN_EINVAL, misplaced, BLN_NONE, "slm: not the rows of the fit in their order");
    for (size_t i = 0; i < m; i++)
        if (!blni_all_finite(P, w->f + i*P) || !blni_finite(w->P[i*m + i]) || !blni_all_finite(P, w->r + i*P))
            return blni_fail(report, BLN_ENUMERIC, rows[i], BLN_NONE, "slm: the leave-out prediction overflows");
    *defined = blni_group_factor(w, m, a2);
    if (!*defined) return BLN_OK;

    /* r <- U^-T r gives the quadratic form, then r <- (I - H)^-1 r the means. */
    w->logp = blni_group_constant(w, m, rows) + 0.5*(double)P*bln_logdet_factor(m, w->H, m);
    blni_sigma_solve(BLN_TRANS, m, P, w->H, m, w->r);
    w->logp -= 0.5*blni_group_square(w, m, w->r, w->z);
    blni_sigma_solve(BLN_NOTRANS, m, P, w->H, m, w->r);
    bln_symmetrise(m, w->P, m);
    for (size_t i = 0; i < m; i++) bln_scal(P, w->root[i], w->r + i*P);
    if (P == 1) bln_gemv(BLN_NOTRANS, m, m, -1.0, w->P, m, w->r, 1.0, w->f);
    else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, P, m, -1.0, w->P, m, w->r, P, 1.0, w->f, P);

    /* P + T'T with T = U^-T Omega^1/2 P/sigma. */
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) w->T[i*m + j] = w->root[i]*w->P[i*m + j];
    bln_trsm(BLN_TRANS, m, m, w->H, m, w->T, m);
    bln_syrk(BLN_TRANS, m, m, 1.0, w->T, m, 1.0, w->P, m);
    if (w->leaves) blni_group_left_out(w, m, rows);
    blni_group_observe(w, m, rows, w->f, w->P, m + 1);
    return BLN_OK;
}

/* Out of B: A'A and A'r~ of the group, block by block. Returns tr(C^-1 r~'r~). */
BLNI_PRIV double blni_group_subtract(blni_group *w, size_t m, const size_t *rows)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, P = w->l.P;
    double square = 0.0;
    for (size_t i = 0; i < D; i++) memcpy(w->Bm + i*D + i, w->B + i*D + i, (D - i)*sizeof *w->B);
    for (size_t i = 0; i < D*P; i++) w->u[i] = 0.0;
    for (size_t at = 0; at < m; at += w->cap) {
        const size_t now = blni_min(w->cap, m - at);
        blni_group_gather(w, now, rows + at);
        blni_group_residuals(w, now, rows + at);
        for (size_t i = 0; i < now; i++)
            for (size_t j = 0; j < D; j++) w->Phi[i*D + j] *= w->root[i]*g->s[j];
        bln_syrk(BLN_TRANS, D, now, -1.0, w->Phi, D, 1.0, w->Bm, D);
        if (P == 1) bln_gemv(BLN_TRANS, now, D, 1.0, w->Phi, D, w->r, 1.0, w->u);
        else bln_gemm(BLN_TRANS, BLN_NOTRANS, D, P, now, 1.0, w->Phi, D, w->r, P, 1.0, w->u, P);
        blni_loo_whiten(P, w->U, now, w->r);
        square += bln_dot(now*P, w->r, w->r);
    }
    return square;
}

/* The posterior without the group, and its log density. *defined = 0: lost. Its predictions are made by the caller. */
BLNI_PRIV void blni_group_large(blni_group *w, size_t m, const size_t *rows, bln_gaussian *without, int *defined)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, P = w->l.P;
    const double square = blni_group_subtract(w, m, rows);
    *defined = bln_potrf(D, w->Bm, D, NULL) == BLN_OK;
    for (size_t i = 0; i < D && *defined; i++) {
        const double ratio = w->Bm[i*D + i]/g->R[i*g->ldr + i];
        if (blni_loo_lost(&w->l, ratio*ratio, 0.0)) *defined = 0;
    }
    if (!*defined) return;
    w->logp = blni_group_constant(w, m, rows)
            + 0.5*(double)P*(bln_logdet_factor(D, w->Bm, D) - bln_logdet_factor(D, g->R, g->ldr));
    blni_sigma_solve(BLN_TRANS, D, P, w->Bm, D, w->u);
    w->logp -= 0.5*(square + blni_group_square(w, D, w->u, w->z));
    blni_sigma_solve(BLN_NOTRANS, D, P, w->Bm, D, w->u);
    for (size_t p = 0; p < P; p++)
        for (size_t j = 0; j < D; j++) w->m[p*D + j] = w->l.slm->result.m[p*D + j] - g->s[j]*w->u[j*P + p];
    *without = *g;
    without->m = w->m;
    without->R = w->Bm;
    without->ldr = D;
}

/* Opens the workspace: l, data, cap, large and small are set. */
BLNI_PRIV bln_status blni_group_open(blni_group *w, void **block, size_t *bytes, bln_report *report)
{
    const bln_slm *slm = w->l.slm;
    const bln_gaussian *g = w->l.g;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_group_carve(&a, w);
    *bytes = a.used;
    if (*bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *block = blni_alloc(&slm->alloc, *bytes);
    if (!*block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the largest group");
    a = blni_arena_over(*block, *bytes);
    blni_group_carve(&a, w);
    if (!blni_loo_sigma(slm, w->U, &w->logdet))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a perfect fit has no leave-out prediction");
    for (size_t i = 0; i < g->D && w->large; i++) {                                     /* B = U'U, row by row */
        for (size_t j = i; j < g->D; j++) w->B[i*g->D + j] = 0.0;
        for (size_t r = 0; r <= i; r++) bln_axpy(g->D - i, g->R[r*g->ldr + i], g->R + r*g->ldr + i, w->B + i*g->D + i);
    }
    return BLN_OK;
}

/* What both calls check of model and data. */
BLNI_PRIV bln_status blni_group_check(const bln_slm *slm, const bln_data *data, blni_loo *l, bln_report *report)
{
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_loo_begin(slm, data->d, report);
    if (status == BLN_OK && blni_outputs(data) != slm->desc.n_outputs)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of outputs (p) than n_outputs");
    if (status == BLN_OK) status = blni_data_check_from(data, 1, 0, report);
    if (status != BLN_OK) return status;
    *l = blni_loo_of(slm);
    for (size_t i = 0; i < data->n; i++) l->N += data->weight ? data->weight[i] : 1.0;
    status = blni_loo_rows(l, data->n, report);
    return status == BLN_OK ? blni_loo_weight(l, report) : status;
}

/* Where the results of a group go; each may be NULL. by_row: entry rows[i] of mean and var; else entry i. */
typedef struct blni_group_out { double *mean, *var, *cov; size_t ldc; int by_row; } blni_group_out;

/* Rows at .. at + now - 1 of a group of m. */
BLNI_PRIV bln_status blni_group_write(const blni_group *w, size_t m, const size_t *rows, size_t at, size_t now, int defined,
                                      const double *var, size_t step, const blni_group_out *out, bln_report *report)
{
    const blni_slm_result *r = &w->l.slm->result;
    const size_t P = r->P;
    for (size_t i = 0; i < now; i++) {
        const size_t to = out->by_row ? rows[at + i] : at + i;
        if (defined && (!blni_all_finite(P, w->f + i*P) || !blni_finite(var[i*step]) || !blni_finite(w->logp)))
            return blni_fail(report, BLN_ENUMERIC, rows[at + i], BLN_NONE, "slm: the leave-out prediction overflows");
        for (size_t p = 0; p < P; p++) {
            if (out->mean) out->mean[to*P + p] = defined ? w->f[i*P + p] : BLNI_NAN;
            if (out->var)  out->var[to*P + p] = defined ? blni_result_ratio(r, p, p)*var[i*step] : BLNI_NAN;
        }
        for (size_t j = 0; j < m && out->cov; j++)
            out->cov[to*out->ldc + j] = !defined ? BLNI_NAN : blni_result_ratio(r, 0, 0)*w->P[i <= j ? i*m + j : j*m + i];
    }
    return BLN_OK;
}

/* One group of m > 0 rows; its log density into w->logp. */
BLNI_PRIV bln_status blni_group_leave(blni_group *w, size_t m, const size_t *rows, const blni_group_out *out, bln_report *report)
{
    const int large = blni_group_is_large(w, m, out->cov != NULL);
    bln_gaussian without = *w->l.g;
    bln_status status = BLN_OK;
    int defined = 1;
    if (large) blni_group_large(w, m, rows, &without, &defined);
    else status = blni_group_small(w, m, rows, &defined, report);
    if (!defined) {
        w->logp = BLNI_NAN;
        for (size_t i = 0; i < m; i++) w->l.undefined = blni_min(w->l.undefined, rows[i]);
    }
    for (size_t at = 0; at < m && status == BLN_OK; at += w->cap) {
        const size_t now = blni_min(w->cap, m - at);
        if (large && defined) {
            blni_group_gather(w, now, rows + at);
            bln_gaussian_project(&without, now, w->Phi, w->l.g->D, NULL, w->v, w->project);
            blni_slm_means_by(w->l.P, w->l.g->D, w->m, now, w->Phi, w->f);
            blni_group_observe(w, now, rows + at, w->f, w->v, 1);
        }
        status = large ? blni_group_write(w, m, rows, at, now, defined, w->v, 1, out, report)
                       : blni_group_write(w, m, rows, at, now, defined, w->P, m + 1, out, report);
    }
    return status;
}

/* BLN_EINVAL for an index that is out of range or stands twice; seen: n bytes. */
BLNI_PRIV bln_status blni_group_indices(size_t n, size_t m, const size_t *rows, unsigned char *seen, bln_report *report)
{
    memset(seen, 0, n);
    for (size_t i = 0; i < m; i++) {
        if (rows[i] >= n) return blni_fail(report, BLN_EINVAL, i, BLN_NONE, "slm: an index beyond the data");
        if (seen[rows[i]]) return blni_fail(report, BLN_EINVAL, i, BLN_NONE, "slm: an index stands twice");
        seen[rows[i]] = 1;
    }
    return BLN_OK;
}

BLN_API bln_status bln_slm_leave_out(const bln_slm *slm, const bln_data *data, size_t m, const size_t *rows, double *mean,
                                     double *cov, size_t ldc, double *logp, bln_report *report)
{
    blni_group w;
    blni_group_out out;
    void *block = NULL;
    size_t bytes = 0;
    memset(&w, 0, sizeof w);
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.cov = cov;
    out.ldc = ldc ? ldc : m;
    bln_report_clear(report);
    if (m && !rows) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: rows is NULL");
    if (out.ldc < m) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of cov below m");
    bln_status status = blni_group_check(slm, data, &w.l, report);
    if (status != BLN_OK) return status;
    if (m == 0) {
        if (logp) *logp = 0.0;
        return BLN_OK;
    }
    unsigned char *seen = (unsigned char *)blni_alloc(&slm->alloc, data->n);
    if (!seen) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for leave-out");
    status = blni_group_indices(data->n, m, rows, seen, report);
    blni_release(&slm->alloc, seen, data->n);
    if (status != BLN_OK) return status;

    w.data = data;
    w.leaves = blni_leaves_out(bln_slm_basis(slm), w.l.g);
    w.large = blni_group_is_large(&w, m, cov != NULL);
    w.small = w.large ? 0 : m;
    w.cap = w.large ? blni_min(m, slm->desc.block) : m;
    status = blni_group_open(&w, &block, &bytes, report);
    if (status == BLN_OK) status = blni_group_leave(&w, m, rows, &out, report);
    blni_release(&slm->alloc, block, bytes);
    if (status != BLN_OK) return status;
    if (logp) *logp = w.logp;
    return blni_loo_end(&w.l, report);
}

/* ---- all groups */

BLNI_PRIV bln_status blni_group_all(blni_group *w, size_t n_groups, const size_t *order, const size_t *start,
                                    const blni_group_out *out, double *logp, bln_report *report)
{
    const bln_slm *slm = w->l.slm;
    void *block = NULL;
    size_t bytes = 0;
    for (size_t s = 0; s < n_groups; s++) {
        const size_t m = start[s + 1] - start[s];
        const int large = blni_group_is_large(w, m, 0);
        if (large) w->large = 1;
        else       w->small = blni_max(w->small, m);
        w->cap = blni_max(w->cap, large ? blni_min(m, slm->desc.block) : m);
    }
    bln_status status = blni_group_open(w, &block, &bytes, report);
    for (size_t s = 0; s < n_groups && status == BLN_OK; s++) {
        const size_t m = start[s + 1] - start[s];
        w->logp = 0.0;
        if (m) status = blni_group_leave(w, m, order + start[s], out, report);
        if (logp && status == BLN_OK) logp[s] = w->logp;
    }
    blni_release(&slm->alloc, block, bytes);
    return status;
}

BLN_API bln_status bln_slm_leave_groups_out(const bln_slm *slm, const bln_data *data, const size_t *group, size_t n_groups,
                                            double *mean, double *var, double *logp, bln_report *report)
{
    blni_group w;
    blni_group_out out;
    memset(&w, 0, sizeof w);
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.var = var;
    out.by_row = 1;
    bln_report_clear(report);
    if (!group) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: group is NULL");
    bln_status status = blni_group_check(slm, data, &w.l, report);
    if (status != BLN_OK) return status;
    w.data = data;
    w.leaves = blni_leaves_out(bln_slm_basis(slm), w.l.g);
    const size_t bytes = blni_mul(blni_add(blni_add(data->n, n_groups), 1), sizeof(size_t));
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    size_t *order = (size_t *)blni_alloc(&slm->alloc, bytes);
    if (!order) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the groups");
    status = blni_group_sort(data->n, group, n_groups, order, order + data->n, report);
    if (status == BLN_OK) status = blni_group_all(&w, n_groups, order, order + data->n, &out, logp, report);
    blni_release(&slm->alloc, order, bytes);
    return status == BLN_OK ? blni_loo_end(&w.l, report) : status;
}

/* ---- features */

BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report)
{
    bln_report_clear(report);
    if (!slm) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model is NULL");
    if (!blni_slm_fitted(slm)) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: relevance before fit");
    const bln_gaussian *g = &slm->result.base;
    const size_t D = g->D, P = slm->result.P;
    const int lowrank = g->form == BLN_GAUSSIAN_LOWRANK;
    const size_t bytes = blni_mul(blni_add(blni_add(lowrank ? 0 : blni_mul(D, D), blni_mul(2, D)), blni_mul(P, blni_add(P, 1))),
                                  sizeof(double));
    double *left = (double *)blni_alloc(&slm->alloc, bytes);
    if (!left) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the relevance");
    double *well = left + D, *U = well + D, *w = U + P*P;  /* 1 - gamma, gamma, Sigma's factor, P numbers, and room for U^-1 */
    double logdet;
    bln_gaussian whitened = *g;
    for (size_t i = 0; i < D; i++) well[i] = 1.0;
    whitened.s = well;                                                                    /* C = S B^-1 S with S = I */
    bln_gaussian_variances(&whitened, left, lowrank ? NULL : w + P);
    for (size_t i = 0; i < D; i++) well[i] = lowrank || left[i] > 1.0 ? 0.0 : 1.0 - left[i];
    for (size_t r = 0; r < g->k && lowrank; r++)
        for (size_t i = 0; i < D; i++) well[i] += g->R[r*g->ldr + i]*g->R[r*g->ldr + i];

    bln_status status = BLN_OK;
    if (loss && !blni_loo_sigma(slm, U, &logdet))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: the loss of evidence of a perfect fit");
    for (size_t i = 0; i < D; i++) {
        if (blni_slm_next_flat(slm, i) == i) {                 /* s is any scale there: C_ii = s^2 left */
            const double C = g->s[i]*g->s[i]*left[i];
            const double flat = 0.5*(BLNI_LOG_2PI + log(C) + g->m[i]*(g->m[i]/C));
            if (gamma) gamma[i] = 1.0;
            if (loss) loss[i] = flat;
            if (loss && status == BLN_OK && !blni_finite(flat))
                status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
            continue;
        }
        const int in = g->s[i] > 0.0, lost = lowrank && left[i] < DBL_EPSILON/BLNI_LOO_LOST;
        double value = 0.0;
        for (size_t p = 0; p < P; p++) w[p] = in ? slm->result.m[p*D + i]/g->s[i] : 0.0;
        if (loss && in && status == BLN_OK) {
            blni_loo_whiten(P, U, 1, w);
            value = 0.5*((double)P*log(left[i]) + bln_dot(P, w, w)/left[i]);
        }
        if (gamma) gamma[i] = in ? well[i] : 0.0;
        if (!loss) continue;
        loss[i] = value;
        if (in && status == BLN_OK && (lost || !blni_finite(value)))
            status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
    }
    blni_release(&slm->alloc, left, bytes);
    return status;
}
