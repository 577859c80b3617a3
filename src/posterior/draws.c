/* draws: first the component of each draw is drawn; then the weights, component by component; then f is computed, theta by theta
 * and block by block, and the observation draws y from it */
#include "draws_private.h"
#include "../random/rng_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"
#include "../core/data_private.h"
#include "../random/distributions.h"
#include "sample_private.h"
#include "predict_private.h"
#include "kind_gaussian_private.h"
#include "kind_student_private.h"
#if BLNI_GLM
#include "kind_diagonal_private.h"
#include "kind_point_private.h"
#include "kind_product_private.h"
#endif
#include "observe_noise_private.h"
#include "weights_private.h"

enum { BLNI_DRAWS_TURNS = 64 };         /* components of equal weight from which on they are taken in turn */

/* Of each kind, in the order of blni_kind. */
BLNI_PRIV const blni_draw_ops *blni_draws_kind(const bln_group *g)
{
    static const blni_draw_ops *const kinds[] = {
        &blni_gaussians_draws, &blni_students_draws,
#if BLNI_GLM
        &blni_diagonals_draws, &blni_points_draws, &blni_latentwise_draws
#endif
    };
    return kinds[g->ops->kind];
}

/* For each draw: `which` component, the factor `spread` of a t, weights W and prior path. Workspace of the kind and the
 * observation; residual variances of a block (missed); eta of a draw of t's; f of a draw where y has other columns than f. With
 * joint residuals: features Phi of all rows, the factor R of what they miss, three vectors of rows, the factor C of the correlation
 * of latents, and the sizes `by` of their residuals. */
typedef struct blni_draws_pieces {
    blni_ask_pieces ask;
    size_t *which;
    double *spread, *W, *prior, *kind, *observe, *missed, *eta, *f, *Phi, *R, *e, *line, *diag, *C, *by, *basis;
} blni_draws_pieces;

typedef struct blni_drawing {
    const bln_posterior *q;
    const bln_data      *data;
    bln_draw_desc     d;                /* with defaults                  */
    blni_ask_sizes    s;
    blni_draws_pieces p;
    size_t            n_w, ldo, ldp, ldf, width;   /* width: numbers of a row of out                                           */
    double           *out, *prior;      /* f or y, and f of prior paths   */
    double           *f;                /* f: in out, or in workspace that begins with the present block */
} blni_drawing;

/* Are y asked for that cannot stand where their f are? */
BLNI_PRIV int blni_draws_apart(const blni_drawing *x) { return x->d.noise && x->q->observe.n_y != blni_posterior_J(x->q); }

/* rows: of the data, jointly. */
BLNI_ONCE BLNI_PRIV void blni_draws_carve(blni_arena *a, blni_drawing *x, size_t rows, int prior)
{
    const bln_posterior *q = x->q;
    const size_t n = x->d.n, J = blni_posterior_J(q), joint = x->d.residual == BLN_RESIDUAL_JOINT ? rows : 0;
    blni_draws_pieces *p = &x->p;
    size_t kind = 0, D = 0, basis = 0;
    x->n_w = blni_posterior_weights(q);
    x->s = blni_ask_sizes_of(q, (size_t)-1);
    x->s.panel = 0;                                                            /* no moments are asked for */
    for (size_t g = 0; g < q->n_groups; g++) {
        const blni_draw_ops *ops = blni_draws_kind(q->groups + g);
        if (ops->room) kind = blni_max(kind, ops->room(q, q->groups + g, prior));
    }
    for (size_t b = 0; b < blni_posterior_bases(q); b++) {
        D = blni_max(D, q->bases[b]->D);
        basis = blni_max(basis, joint ? bln_basis_work(q->bases[b], joint) : 0);
    }
    p->ask     = blni_ask_carve(a, q, &x->s);
    p->which   = (size_t *)blni_carve(a, n, sizeof *p->which);
    p->spread  = blni_carve_doubles(a, n);
    p->W       = blni_carve_doubles(a, blni_mul(n, x->n_w));
    p->prior   = blni_carve_doubles(a, prior ? blni_mul(n, x->n_w) : 0);
    p->kind    = blni_carve_doubles(a, kind);
    p->observe = blni_carve_doubles(a, q->observe.ops->work(&q->observe, blni_max(x->s.block, joint)));
    p->missed  = blni_carve_doubles(a, blni_mul(x->s.block, J));
    p->eta     = blni_carve_doubles(a, q->observe.n_eta);
    p->f       = blni_carve_doubles(a, blni_draws_apart(x) ? blni_mul(n, blni_mul(blni_max(x->s.block, joint), J)) : 0);
    p->Phi     = blni_carve_doubles(a, blni_mul(joint, D));
    p->R       = blni_carve_doubles(a, blni_mul(joint, joint));
    BLNI_CARVE3(a, joint, p->e, p->line, p->diag);
    p->C       = blni_carve_doubles(a, blni_mul(J, J));
    p->by      = blni_carve_doubles(a, J);
    p->basis   = blni_carve_doubles(a, basis);
}

BLN_API size_t bln_posterior_draws_work(const bln_posterior *q, const bln_draw_desc *desc, size_t rows, int prior)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_drawing x;
    if (!q || !desc || q->status != BLN_OK) return 0;
    x.q = q;
    x.d = blni_draws_defaults(desc);
    blni_draws_carve(&a, &x, rows, prior);
    return blni_arena_doubles(&a);
}

/* Carves x's pieces from work, or from memory of our own. */
BLNI_PRIV bln_status blni_draws_open(blni_drawing *x, size_t rows, int prior, double *work, blni_arena *a, bln_report *report)
{
    const size_t bytes = blni_mul(bln_posterior_draws_work(x->q, &x->d, rows, prior), sizeof(double));
    BLNI_TRY(blni_arena_open(&x->q->alloc, work, bytes, "posterior", a, report));
    blni_draws_carve(a, x, rows, prior);
    return BLN_OK;
}

/* ---- weights */

/* The component that belongs to u in (0, 1), with weights. */
BLNI_PRIV size_t blni_draws_by_weight(const bln_posterior *q, double u)
{
    size_t at = 0, last = 0;
    for (size_t g = 0; g < q->n_groups; g++)
        for (size_t k = 0; k < blni_group_K(q->groups + g); k++, at++) {
            const double w = q->groups[g].weight[k];
            if (!(w > 0.0)) continue;
            last = at;
            if (u < w) return at;
            u -= w;
        }
    return last;
}

/* The same of any weights, or the one whose turn it is. */
BLNI_PRIV size_t blni_draws_component(const bln_posterior *q, size_t K, uint64_t stream, double u)
{
    if (q->groups->weight) return blni_draws_by_weight(q, u);
    return K >= BLNI_DRAWS_TURNS ? (size_t)(stream % K) : blni_min((size_t)(u*(double)K), K - 1);
}

/* Components, and of t's the sqrt(dof/chi^2) that weights and noise of a draw have in common. */
BLNI_PRIV void blni_draws_choose(const blni_drawing *x)
{
    bln_rng rng = blni_rng_of(x->d.seed, ~(uint64_t)0);
    const uint64_t key = bln_rng_next(&rng);
    for (size_t i = 0; i < x->d.n; i++) {
        bln_rng_seed(&rng, key, x->d.stream + i);
        x->p.which[i] = blni_draws_component(x->q, x->s.K, x->d.stream + i, bln_rng_uniform(&rng));
        x->p.spread[i] = x->q->dof > 0.0 ? sqrt(x->q->dof/bln_rng_chi2(&rng, x->q->dof)) : 1.0;
    }
}

/* The draws from i on that have (or have not) one of the components first .. first + K - 1 as draw i has. */
BLNI_PRIV size_t blni_draws_run(const blni_drawing *x, size_t i, size_t first, size_t K, int *have)
{
    size_t end = i;
    *have = x->p.which[i] - first < K;
    while (end < x->d.n && (x->p.which[end] - first < K) == *have) end++;
    return end;
}

/* All draws of component k of group g, number c of all. */
BLNI_PRIV bln_status blni_draws_of(const blni_drawing *x, const bln_group *g, size_t k, size_t c, double *W, double *prior,
                                   size_t ldw, bln_report *report)
{
    const blni_draw_ops *ops = blni_draws_kind(g);
    int ready = 0, have;
    for (size_t i = 0, end; i < x->d.n; i = end) {
        end = blni_draws_run(x, i, c, 1, &have);
        if (!have) continue;
        if (prior && !ops->prepare)
            return blni_refuse(report, BLN_EUNDEFINED, "posterior: this kind of component has no prior paths");
        if (!ready && ops->prepare) BLNI_TRY(ops->prepare(x->q, g, k, prior != NULL, x->p.kind, report));
        ready = 1;
        ops->draw(x->q, g, k, end - i, x->d.seed, x->d.stream + i, x->p.spread + i, W + i*ldw, prior ? prior + i*ldw : NULL, ldw,
                  x->p.kind);
    }
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_draws_weights(const blni_drawing *x, double *W, double *prior, size_t ldw, bln_report *report)
{
    size_t c = 0;
    blni_draws_choose(x);
    for (size_t g = 0; g < x->q->n_groups; g++)
        for (size_t k = 0; k < blni_group_K(x->q->groups + g); k++, c++)
            BLNI_TRY(blni_draws_of(x, x->q->groups + g, k, c, W, prior, ldw, report));
    for (size_t i = 0; i < x->d.n; i++)
        if (!blni_all_finite(x->n_w, W + i*ldw) || (prior && !blni_all_finite(x->n_w, prior + i*ldw)))
            return blni_refuse(report, BLN_ENUMERIC, "posterior: a draw of the weights overflows");
    return BLN_OK;
}

BLN_API bln_status bln_posterior_draw_weights(const bln_posterior *q, const bln_draw_desc *desc, double *W, double *prior,
                                              size_t ldw, double *work, bln_report *report)
{
    blni_drawing x = BLN_ZERO;
    blni_arena a;
    BLNI_TRY(blni_begin(report, desc && W, "posterior: desc or an output is NULL"));
    BLNI_TRY(blni_weights_check(q, report));
    x.q = q;
    x.d = blni_draws_defaults(desc);
    if (ldw == 0) ldw = blni_posterior_weights(q);
    if (ldw < blni_posterior_weights(q)) return blni_refuse(report, BLN_EINVAL, "posterior: row stride of the draws below n_w");
    BLNI_TRY(blni_draws_open(&x, 0, prior != NULL, work, &a, report));
    bln_status status = blni_draws_weights(&x, W, prior, ldw, report);
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return status;
}

/* ---- f */

/* The group of component c, which becomes the number of the component in it. */
BLNI_PRIV const bln_group *blni_draws_group(const bln_posterior *q, size_t *c)
{
    const bln_group *g = q->groups;
    for (; *c >= blni_group_K(g); g++) *c -= blni_group_K(g);
    return g;
}

/* n draws at a block of rows, from weights: out is n x rows J, stride ldo. */
BLNI_PRIV void blni_draws_values(const blni_drawing *x, const bln_data *rows, size_t n, const double *W, double *out, size_t ldo)
{
    const bln_posterior *q = x->q;
    const size_t J = x->s.J, ld = x->s.D;
    const double *Phi = x->p.ask.Phi;
    if (J == 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, n, rows->n, ld, 1.0, W, ld, Phi, ld, 0.0, out, ldo);
    for (size_t r = 0; r < n; r++) {
        double *f = out + r*ldo;
        const double *w = W + r*x->n_w;
        if (J > 1 && q->n_bases <= 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, rows->n, J, ld, 1.0, Phi, ld, w, ld, 0.0, f, J);
        for (size_t j = 0, at = 0; j < J && q->n_bases > 1; at += q->bases[j++]->D)
            bln_gemm(BLN_NOTRANS, BLN_TRANS, rows->n, 1, q->bases[j]->D, 1.0, Phi + at, ld, w + at, x->n_w, 0.0, f + j, J);
        for (size_t i = 0; i < rows->n && rows->offset; i++)
            for (size_t j = 0; j < J; j++) f[i*J + j] += blni_offset(rows, i, j);
    }
}

/* What the observation adds to f of draw r at rows from `first` of the data on: residuals of their own, and the noise. */
BLNI_ONCE BLNI_PRIV bln_status blni_draws_observe(const blni_drawing *x, size_t r, const bln_data *rows, size_t first, int missed,
                                                  double *f, double *y, bln_report *report)
{
    const bln_observe *o = &x->q->observe;
    const double by = x->p.spread[r];
    size_t k = x->p.which[r];
    bln_group g = *blni_draws_group(x->q, &k);
    const double *eta = g.eta ? g.eta + k*g.ldeta : NULL;
    missed = missed && g.residual;
    if (!missed && !x->d.noise) return BLN_OK;
    if (missed) {
        const blni_latents one = { 1, x->s.J, x->s.J, NULL, x->p.missed, NULL };
        for (size_t i = 0; i < rows->n*one.J; i++) one.var[i] = 0.0;
        g.residual += k*g.ldresidual;
        g.K = 1;
        blni_ask_residual(x->q, &g, rows->n, x->p.ask.missed, &one, 0);
        if (by != 1.0) bln_scal(rows->n*one.J, by*by, one.var);
    }
    for (size_t i = 0; i < o->n_eta && by != 1.0; i++) x->p.eta[i] = by*by*eta[i];
    const bln_status status = (o->ops->draw ? o->ops->draw : blni_noise_draw)
        (o, rows, by != 1.0 ? x->p.eta : eta, missed ? x->p.missed : NULL, x->d.noise, x->d.seed, x->d.stream + r,
         x->d.first_row + first, f, y, x->p.observe);
    return status == BLN_OK ? status
         : blni_refuse(report, status, "posterior: the noise covariance is not positive definite");
}

/* ---- jointly, what features miss */

/* Is lambda of latent j a multiple of `of`, that of a latent with the same basis? *by: of which size; 0: it vanishes. */
BLNI_PRIV int blni_draws_multiple(const bln_basis *b, const double *of, const double *lambda, double *by)
{
    int same = 1;
    *by = -1.0;
    for (size_t s = 0; s < b->n_slices; s++) if (of[s] > 0.0 && *by < 0.0) *by = lambda[s]/of[s];
    for (size_t s = 0; s < b->n_slices; s++) same = same && fabs(lambda[s] - *by*of[s]) <= 4.0*DBL_EPSILON*lambda[s];
    return same && *by >= 0.0;
}

/* R <- its factor for one basis; *any: does it not vanish? */
BLNI_PRIV bln_status blni_draws_factor(const blni_drawing *x, const bln_basis *b, const double *theta, const double *lambda,
                                       int *any, bln_report *report)
{
    const blni_draws_pieces *p = &x->p;
    const size_t n = x->data->n;
    double tau = 0.0, size = 0.0;                  /* k(x, x), of which features leave a rest that may be rounding alone */
    *any = 0;
    for (size_t s = 0; s < b->n_slices; s++) size += lambda[s]*bln_basis_variance(b, s);
    bln_basis_features(b, theta, n, x->data->X, blni_ldx(x->data), p->Phi, b->D, p->basis);
    for (size_t i = 0; i < n*n; i++) p->R[i] = 0.0;
    blni_ask_residual_joint(b, theta, lambda, x->data, p->Phi, b->D, p->R, n, p->line, p->diag, p->basis);
    for (size_t i = 0; i < n; i++) *any = *any || !(p->R[i*n + i] == 0.0);
    if (*any && blni_potrf_jitter_of(size, n, p->R, n, p->diag, &tau) != BLN_OK)
        return blni_refuse(report, BLN_ENOTPD, "posterior: what features miss has no covariance");
    if (report && tau > report->jitter) report->jitter = tau;
    return BLN_OK;
}

/* Draw r: f_j += by_j^1/2 sum_p C_pj R'e_p for latents j in [from, end), which share R. */
BLNI_PRIV void blni_draws_joint(const blni_drawing *x, size_t r, size_t from, size_t end)
{
    const size_t n = x->data->n, J = x->s.J;
    const blni_draws_pieces *p = &x->p;
    for (size_t l = 0; l < end; l++) {
        bln_rng rng = blni_rng_of(blni_draw_behind(blni_draw_key(x->d.seed, l), x->d.stream + r, 1), 0);
        bln_rng_normals(&rng, n, p->e);
        for (size_t k = n; k-- > 0;) {                                              /* e <- R'e, last entry first */
            const double e = p->e[k];
            p->e[k] = 0.0;
            bln_axpy(n - k, e, p->R + k*n + k, p->e + k);
        }
        for (size_t j = blni_max(from, l); j < end; j++) {
            const double c = p->C[l*J + j]*p->spread[r]*sqrt(p->by[j]);
            for (size_t i = 0; i < n && c != 0.0; i++) x->f[r*x->ldf + i*J + j] += c*p->e[i];
        }
    }
}

/* All draws of the groups [g, end), which share theta; their components begin with number c. */
BLNI_PRIV bln_status blni_draws_residuals(const blni_drawing *x, size_t g, size_t end, size_t c, bln_report *report)
{
    const bln_posterior *q = x->q;
    const size_t J = x->s.J;
    const bln_basis *basis = NULL;                                                      /* of the factor in hand, and its lambda */
    const double *of = NULL, *theta = q->groups[g].theta;
    bln_status status = BLN_OK;
    int any = 0;
    for (; g < end; g++)
        for (size_t k = 0; k < blni_group_K(q->groups + g); k++, c++) {
            const bln_group *group = q->groups + g;
            const double *lambda = group->residual ? group->residual + k*group->ldresidual : NULL, *at = theta;
            size_t first = 0;
            while (first < x->d.n && x->p.which[first] != c) first++;
            if (!lambda || first == x->d.n) continue;
            for (size_t i = 0; i < J*J; i++) x->p.C[i] = i % (J + 1) ? 0.0 : 1.0;
            if (!q->observe.ops->draw) status = blni_noise_factors(J, group->eta + k*group->ldeta, x->p.C, x->p.C);
            if (status != BLN_OK) return blni_refuse(report, status, "posterior: the noise covariance is not positive definite");
            for (size_t j = 0, to; j < J; j = to) {
                const bln_basis *b = blni_posterior_basis(q, j);
                if (b != basis || !blni_draws_multiple(b, of, lambda, x->p.by + j)) {
                    BLNI_TRY(blni_draws_factor(x, b, at, lambda, &any, report));
                    basis = b;
                    of = lambda;
                    x->p.by[j] = 1.0;
                }
                lambda += b->n_slices;
                for (to = j + 1; to < J && q->n_bases <= 1 && blni_draws_multiple(b, of, lambda, x->p.by + to); to++)
                    lambda += b->n_slices;
                for (size_t r = first; r < x->d.n && any; r++) if (x->p.which[r] == c) blni_draws_joint(x, r, j, to);
                if (q->n_bases > 1 && at) at += b->n_theta;
            }
        }
    return BLN_OK;
}

/* ---- all of it */

/* A block of rows of the draws whose components are first .. first + K - 1, with the features at their theta. */
BLNI_PRIV bln_status blni_draws_block(const blni_drawing *x, const bln_data *rows, size_t at, size_t first, size_t K,
                                      bln_report *report)
{
    const size_t J = x->s.J, ldw = x->n_w, f_at = x->f == x->out || x->d.residual == BLN_RESIDUAL_JOINT ? at*J : 0;
    int have;
    for (size_t r = 0, end; r < x->d.n; r = end) {
        end = blni_draws_run(x, r, first, K, &have);
        if (!have) continue;
        blni_draws_values(x, rows, end - r, x->p.W + r*ldw, x->f + r*x->ldf + f_at, x->ldf);
        if (x->prior) blni_draws_values(x, rows, end - r, x->p.prior + r*ldw, x->prior + r*x->ldp + at*J, x->ldp);
        for (size_t i = r; i < end && x->d.residual != BLN_RESIDUAL_JOINT; i++)
            BLNI_TRY(blni_draws_observe(x, i, rows, at, x->d.residual == BLN_RESIDUAL_ROWS,
                                        x->f + i*x->ldf + f_at, x->out + i*x->ldo + at*x->width, report));
    }
    return BLN_OK;
}

/* The groups [g, end), which share theta. */
BLNI_PRIV bln_status blni_draws_theta(const blni_drawing *x, size_t g, size_t end, size_t first, size_t K, bln_report *report)
{
    const bln_posterior *q = x->q;
    const double *theta = q->groups[g].theta;
    blni_ask_bind(q, theta, &x->p.ask);
    for (size_t i = 0; i < x->data->n; i += x->s.block) {
        const bln_data rows = bln_data_rows(x->data, i, blni_min(x->s.block, x->data->n - i));
        blni_ask_features(q, theta, &rows, &x->s, &x->p.ask);
        BLNI_TRY(blni_draws_block(x, &rows, i, first, K, report));
    }
    if (x->d.residual != BLN_RESIDUAL_JOINT) return BLN_OK;
    BLNI_TRY(blni_draws_residuals(x, g, end, first, report));
    for (size_t r = 0; r < x->d.n; r++)
        if (x->p.which[r] - first < K)
            BLNI_TRY(blni_draws_observe(x, r, x->data, 0, 0, x->f + r*x->ldf, x->out + r*x->ldo, report));
    return BLN_OK;
}

BLNI_PRIV bln_status blni_draws_all(const blni_drawing *x, bln_report *report)
{
    const bln_posterior *q = x->q;
    BLNI_TRY(blni_draws_weights(x, x->p.W, x->prior ? x->p.prior : NULL, x->n_w, report));
    for (size_t g = 0, end, first = 0, K; g < q->n_groups && x->data->n; g = end, first += K) {
        K = 0;
        for (end = g; end < q->n_groups && q->groups[end].theta == q->groups[g].theta; end++) K += blni_group_K(q->groups + end);
        size_t r = 0;
        while (r < x->d.n && x->p.which[r] - first >= K) r++;
        if (r < x->d.n) BLNI_TRY(blni_draws_theta(x, g, end, first, K, report));
    }
    return BLN_OK;
}

/* The first row at which f, or y of a number of its own, is not finite. */
BLNI_PRIV size_t blni_draws_overflow(const blni_drawing *x)
{
    const int of_out = !x->d.noise || x->q->observe.ops->identity;
    const size_t J = x->s.J, width = x->data->n*J;
    size_t row = x->data->n;
    for (size_t r = 0; width && r < x->d.n; r++) {
        const double *out = x->out + r*x->ldo, *prior = x->prior ? x->prior + r*x->ldp : NULL;
        if ((!of_out || blni_all_finite(width, out)) && (!prior || blni_all_finite(width, prior))) continue;
        for (size_t i = 0; i < width; i++)
            if ((of_out && !blni_finite(out[i])) || (prior && !blni_finite(prior[i]))) row = blni_min(row, i/J);
    }
    return row;
}

BLNI_ONCE BLN_API bln_status bln_posterior_draws(const bln_posterior *q, const bln_data *data, const bln_draw_desc *desc,
                                                 double *out, double *prior, size_t ldo, double *work, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    blni_drawing x = BLN_ZERO;
    blni_arena a;
    bln_report_clear(report);
    ask.what = BLNI_ASK_LATENT;
    BLNI_TRY(blni_ask_check(q, &ask, data, report));
    if (!desc || (!out && data->n)) return blni_refuse(report, BLN_EINVAL, "posterior: desc or an output is NULL");
    x.width = desc->noise ? q->observe.n_y : blni_posterior_J(q);
    const size_t width = blni_mul(data->n, x.width), paths = blni_mul(data->n, blni_posterior_J(q));
    if (ldo && (ldo < width || (prior && ldo < paths)))
        return blni_refuse(report, BLN_EINVAL, "posterior: row stride of the draws below n J");
    x.q = q;
    x.data = data;
    x.d = blni_draws_defaults(desc);
    x.out = out;
    x.prior = prior;
    x.ldo = ldo ? ldo : width;
    x.ldp = ldo ? ldo : paths;
    BLNI_TRY(blni_draws_open(&x, data->n, prior != NULL, work, &a, report));
    x.f = blni_draws_apart(&x) ? x.p.f : out;
    x.ldf = x.f == out ? x.ldo : blni_mul(x.d.residual == BLN_RESIDUAL_JOINT ? data->n : x.s.block, x.s.J);
    bln_status status = blni_draws_all(&x, report);
    const size_t bad = status == BLN_OK ? blni_draws_overflow(&x) : data->n;
    if (bad < data->n) status = blni_fail(report, BLN_ENUMERIC, bad, BLN_NONE, "posterior: a draw overflows");
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return status;
}
