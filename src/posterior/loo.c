/* loo: some rows at a time, a block or a group. First the moments of f under all components, theta by theta, and those without the
 * row or without the group; then the answers: by a mixture, whose weights change too, or by draws */
#include "loo.h"
#include "../random/rng_private.h"
#include "../core/status_private.h"
#include "../math/cholesky.h"
#include "../math/special.h"
#include "../random/distributions.h"
#include "../optim/minibatch_private.h"
#include "../likelihood/latent_private.h"
#include "psis_private.h"
#include "predict_private.h"
#include "kind_gaussian_private.h"
#include "observe_noise_private.h"
#include "draws_private.h"

#define BLNI_WITHOUT_LOST 1e-5         /* estimated relative error of 1 - h above which a result counts as lost */
enum { BLNI_WITHOUT_DRAWS = 2000 };

/* n rows: f of K J columns with mean, variance v of the weights, of what features miss, and both, then without the rows; slopes and
 * curvatures of sites. Log p_k of what leaves, and weights without it, n x K. Answers, n each or as wide as they are. The
 * targets of a row. Draws, S each. Together: covariance, residuals. */
typedef struct blni_without_pieces {
    blni_ask_pieces ask;
    double *mean, *v, *rest, *var, *mean1, *v1, *var1, *slope, *W, *shift, *left, *lost, *leaves, *weight, *log_k;
    double *density, *full, *measure, *out[5], *logp, *kind;
    double *y, *f, *spread, *l, *share, *room, *eta;
    double *cov, *R, *line, *diag, *e;
    size_t *place;
} blni_without_pieces;

typedef struct blni_without {
    const bln_posterior *q;
    const bln_data   *data;
    bln_loo_desc      d;                /* resolved                                                      */
    bln_loo_outputs   out;
    blni_ask_sizes    s;
    blni_without_pieces p;
    blni_arena        room;             /* together: behind them, for the rows of a group                */
    bln_latent        f;                /* weights and eta of all components                             */
    size_t            cap, bound, undefined;
    int               psis, together, joint, lost;      /* joint: has logp a part that features miss?    */
    double            log_group;        /* log density of a group                                        */
    blni_elpd         sum;
} blni_without;

BLNI_ONCE BLNI_PRIV void blni_without_carve(blni_arena *a, blni_without *x)
{
    const bln_posterior *q = x->q;
    const size_t n = x->cap, K = blni_posterior_K(q), J = blni_posterior_J(q), all = blni_mul(n, blni_mul(K, J)), S = x->d.draws;
    const size_t square = x->joint ? blni_mul(n, n) : 0, most = blni_max(n, 1);
    blni_without_pieces *p = &x->p;
    double **const columns[] = { &p->mean, &p->v, &p->rest, &p->var, &p->mean1, &p->v1, &p->var1, &p->slope, &p->W, &p->shift };
    double **const rows[] = { &p->left, &p->lost, &p->density, &p->full, &p->measure };
    double **const draws[] = { &p->f, &p->spread, &p->l, &p->share };
    size_t kind = 0, basis = 0;
    x->s = blni_ask_sizes_of(q, (size_t)-1);
    x->s.block = n;
    x->s.panel = 0;
    for (size_t g = 0; g < q->n_groups && !x->psis; g++)
        kind = blni_max(kind, blni_gaussians_leave_work(q, q->groups + g, n, x->together));
    for (size_t b = 0; b < blni_posterior_bases(q); b++) basis = blni_max(basis, bln_basis_work(q->bases[b], n));
    p->ask = blni_ask_carve(a, q, &x->s);
    for (size_t i = 0; i < sizeof columns/sizeof *columns; i++) *columns[i] = blni_carve_doubles(a, all);
    for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) *rows[i] = blni_carve_doubles(a, n);
    BLNI_CARVE2(a, blni_mul(n, K), p->leaves, p->weight);
    p->log_k  = blni_carve_doubles(a, blni_mul(2, K));
    for (size_t i = 0; i < 5; i++) p->out[i] = blni_carve_doubles(a, blni_mul(n, i < 3 ? q->observe.n_moments : q->observe.n_y));
    p->logp      = blni_carve_doubles(a, blni_max(q->observe.ops->work(&q->observe, most),
                                                  (q->observe.ops->logp_work ? q->observe.ops->logp_work : blni_noise_logp_work)
                                                  (&q->observe, most)));
    p->kind      = blni_carve_doubles(a, kind);
    p->y         = blni_carve_doubles(a, q->observe.n_y);
    for (size_t i = 0; i < sizeof draws/sizeof *draws; i++) *draws[i] = blni_carve_doubles(a, S);
    p->room  = blni_carve_doubles(a, S ? bln_psis_work(S) : 0);
    p->eta   = blni_carve_doubles(a, blni_mul(S, q->observe.n_eta));
    BLNI_CARVE2(a, square, p->cov, p->R);
    BLNI_CARVE2(a, x->joint ? n : 0, p->line, p->diag);
    p->e     = blni_carve_doubles(a, x->joint ? blni_add(blni_mul(n, J), basis) : 0);
    p->place = (size_t *)blni_carve(a, n, sizeof *p->place);
}

/* *a is one over NULL. */
BLNI_PRIV bln_status blni_without_open(blni_without *x, blni_arena *a, bln_report *report)
{
    blni_without_carve(a, x);
    if (x->together) blni_minibatch_gather(a, x->data, x->cap, NULL);
    BLNI_TRY(blni_arena_take(&x->q->alloc, a->used, "posterior", a, report));
    blni_without_carve(a, x);
    x->room = *a;
    x->f.K = x->s.K;
    x->f.J = x->s.J;
    x->f.dof = x->q->dof;
    x->f.law = blni_posterior_law(x->q);
    x->bound = BLN_NONE;
    blni_ask_gather(x->q, &x->p.ask, &x->f);
    return BLN_OK;
}

BLNI_PRIV double blni_without_copies(const bln_data *rows, size_t i) { return rows->weight ? rows->weight[i] : 1.0; }
BLNI_PRIV double blni_without_share(const blni_without *x, size_t k) { return x->f.weight ? x->f.weight[k] : 1.0/(double)x->s.K; }
BLNI_PRIV const double *blni_without_eta(const blni_without *x, size_t k) { return x->f.eta ? x->f.eta + k*x->f.ldeta : NULL; }

BLNI_PRIV void blni_without_logp_at(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest,
                                    size_t S, const double *f, double *out, double *work)
{
    (o->ops->logp ? o->ops->logp : blni_noise_logp)(o, row, eta, ldeta, rest, S, f, out, work);
}

/* log p of all outputs of row i, at f. */
BLNI_PRIV double blni_without_logp(const blni_without *x, const bln_data *rows, size_t i, const double *eta, const double *f)
{
    const bln_data row = bln_data_rows(rows, i, 1);
    double l;
    blni_without_logp_at(&x->q->observe, &row, eta, 0, 0.0, 1, f, &l, x->p.logp);
    return l;
}

/* ---- rows of which f is a mixture */

/* log p(y_i), outputs together. */
BLNI_PRIV void blni_without_density(const blni_without *x, const bln_data *rows, const bln_latent *f, double *out)
{
    const bln_observe *o = &x->q->observe;
    if (o->n_y == 1) blni_ask_logdensity(o, rows, f, out, x->p.logp);
    else             blni_noise_together(o, rows, f, out, x->p.logp);
}

/* The answers for rows from number `at` of those in hand on: density, and into out what is wanted. */
BLNI_PRIV void blni_without_answer(const blni_without *x, const bln_data *rows, size_t at, const bln_latent *f)
{
    const bln_observe *o = &x->q->observe;
    const blni_without_pieces *p = &x->p;
    const size_t n_m = o->n_moments, n_y = o->n_y, J = x->s.J;
    const double low = 0.5*(1.0 - x->d.level), high = 1.0 - low;
    if (x->out.logdensity || x->out.total) blni_without_density(x, rows, f, p->density + at);
    if (x->out.mean || x->out.var_model || x->out.var_noise)
        o->ops->moments(o, rows, f, x->out.mean ? p->out[0] + at*n_m : NULL, x->out.var_model ? p->out[1] + at*n_m : NULL,
                        x->out.var_noise ? p->out[2] + at*n_m : NULL, p->logp);
    if (x->out.lower) blni_ask_quantile(o, rows, f, 1, &low, &high, p->out[3] + at*n_y, p->logp);
    if (x->out.upper) blni_ask_quantile(o, rows, f, 1, &high, &low, p->out[4] + at*n_y, p->logp);
    for (size_t i = 0; i < rows->n && (x->out.latent_mean || x->out.latent_var); i++)
        for (size_t j = 0; j < J; j++) {
            const blni_mix m = blni_mix_of(f, i, j, 0.0);
            const size_t to = p->place[at + i]*J + j;
            blni_mix_moments(&m, x->out.latent_mean ? x->out.latent_mean + to : NULL,
                             x->out.latent_var ? x->out.latent_var + to : NULL);
        }
}

BLNI_PRIV void blni_without_scatter(size_t n, size_t width, const size_t *place, const double *from, double *to)
{
    for (size_t i = 0; i < n && to; i++)
        for (size_t j = 0; j < width; j++) to[place[i]*width + j] = from[i*width + j];
}

/* Answers to where they belong, and the sum. */
BLNI_PRIV void blni_without_give(blni_without *x, const bln_data *rows)
{
    const blni_without_pieces *p = &x->p;
    const size_t n = rows->n, n_m = x->q->observe.n_moments, n_y = x->q->observe.n_y;
    const double limit = x->psis ? bln_psis_limit(x->d.draws) : 0.7;
    double *const to[] = { x->out.mean, x->out.var_model, x->out.var_noise, x->out.lower, x->out.upper };
    for (size_t i = 0; i < 5; i++) blni_without_scatter(n, i < 3 ? n_m : n_y, p->place, p->out[i], to[i]);
    blni_without_scatter(n, 1, p->place, p->density, x->out.logdensity);
    blni_without_scatter(n, 1, p->place, p->measure, x->out.influence);
    for (size_t i = 0; i < n; i++) {
        if (p->measure[i] != p->measure[i]) x->undefined = blni_min(x->undefined, p->place[i]);
        else if (x->out.total)
            blni_elpd_add(&x->sum, p->place[i], blni_without_copies(rows, i), p->density[i], p->full[i], p->measure[i], limit);
    }
}

/* ---- cavity */

/* log p_k of all copies of row i given the others, in column c of component k: the residuals of features have no part in it. */
BLNI_PRIV double blni_without_leaving(const blni_without *x, const bln_data *rows, size_t i, size_t k, double left)
{
    const bln_observe *o = &x->q->observe;
    const size_t J = x->s.J, c = (i*x->s.K + k)*J;
    const double copies = blni_without_copies(rows, i), *m = x->p.mean + c, *eta = blni_without_eta(x, k);
    double quad = x->p.v1[c]/left*x->p.slope[c]*x->p.slope[c];
    if (!(copies > 0.0)) return 0.0;
    if (!o->ops->identity && copies == 1.0) {
        const bln_data row = bln_data_rows(rows, i, 1);
        const double v = x->p.v1[c]/left;
        bln_latent f = BLN_ZERO;
        double l;
        f.mean = x->p.mean1 + c;
        f.var = &v;
        f.eta = eta;
        blni_ask_logdensity(o, &row, &f, &l, x->p.logp);
        return l;
    }
    const double l = blni_without_logp(x, rows, i, eta, m);
    if (J > 1) {                                                                     /* omega r'Sigma^-1 r h/(1 - h) */
        for (size_t j = 0; j < J; j++) x->p.y[j] = blni_y(rows, i, j);
        quad = 2.0*copies*(blni_without_logp(x, rows, i, eta, x->p.y) - l)*x->p.W[c]*x->p.v1[c]/left;
    }
    return copies*l - 0.5*quad + 0.5*(double)J*log(left);
}

/* The log density of all copies of a group with mean1 and the covariance of latent 0, R included, in p->cov: of errors e with K = I
 * + Omega^1/2 (S + R) Omega^1/2/sigma^2, whose eigenvalues are >= 1. */
BLNI_PRIV double blni_without_residual_density(const blni_without *x, const bln_data *rows, size_t k)
{
    const size_t m = rows->n, J = x->s.J, ld = x->s.K*J;
    const double *eta = blni_without_eta(x, k);
    const blni_without_pieces *p = &x->p;
    double none, sum = 0.0;
    bln_data one = BLN_ZERO;
    one.n = 1;
    one.p = J;
    one.y = p->shift;
    for (size_t j = 0; j < J; j++) p->shift[j] = 0.0;
    none = blni_without_logp(x, &one, 0, eta, p->shift);                                       /* the constant of a copy */
    for (size_t i = 0; i < m; i++) {
        const double v = rows->noise_var ? rows->noise_var[i] : 1.0, root = sqrt(blni_without_copies(rows, i)/v);
        sum += blni_without_copies(rows, i)*(none - 0.5*(double)J*log(v));
        p->line[i] = root;
        for (size_t j = 0; j < J; j++) p->e[i*J + j] = root*(blni_y(rows, i, j) - p->mean1[i*ld + k*J + j]);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++) p->R[i*m + j] = (i == j) + p->line[i]*p->line[j]*p->cov[i*m + j]/eta[0];
    if (bln_potrf(m, p->R, m, NULL) != BLN_OK) return BLNI_NAN;
    bln_trsm(BLN_TRANS, m, J, p->R, m, p->e, J);
    for (size_t i = 0; i < m; i++) sum += blni_without_logp(x, &one, 0, eta, p->e + i*J) - none;
    return sum - 0.5*(double)J*bln_logdet_factor(m, p->R, m);
}

/* Together, component k of all, with the covariance of latent 0 in p->cov: log p of the group. */
BLNI_PRIV void blni_without_group(blni_without *x, const bln_data *rows, const bln_group *g, size_t own, size_t k,
                                  const blni_leave *l)
{
    const blni_without_pieces *p = &x->p;
    const size_t m = rows->n, J = x->s.J, ld = x->s.K*J;
    const double *eta = blni_without_eta(x, k);
    double sum = 0.5*(double)J*l->logdet - 0.5*l->quad;
    for (size_t i = 0; i < m; i++) {
        const double copies = blni_without_copies(rows, i);
        if (copies > 0.0) sum += copies*blni_without_logp(x, rows, i, eta, p->mean + i*ld + k*J);
    }
    p->log_k[k] = p->log_k[x->s.K + k] = sum;
    if (!x->joint || !g->residual) return;
    blni_ask_residual_joint(x->q->bases[0], g->theta, g->residual + own*g->ldresidual, rows, p->ask.Phi, x->s.D, p->cov, m,
                            p->line, p->diag, p->e + m*J);
    p->log_k[x->s.K + k] = blni_without_residual_density(x, rows, k);
}

/* var <- v and what features miss, of components first .. first + K - 1. */
BLNI_PRIV void blni_without_sum(const blni_without *x, size_t n, size_t first, size_t K)
{
    const size_t J = x->s.J, ld = x->s.K*J;
    for (size_t i = 0; i < n; i++)
        for (size_t c = i*ld + first*J; c < i*ld + (first + K)*J; c++) x->p.var[c] = x->p.v[c] + x->p.rest[c];
}

/* v of component k of all, number `own` of its group, and its sites. */
BLNI_PRIV void blni_without_sites(const blni_without *x, const bln_data *rows, const bln_group *g, size_t own, size_t k,
                                  blni_leave *l)
{
    const size_t J = x->s.J;
    bln_latent f = BLN_ZERO;
    blni_gaussians_leave_variances(x->q, g, own, l, x->p.kind);
    blni_without_sum(x, rows->n, k, 1);
    f.K = 1;
    f.J = J;
    f.ld = x->s.K*J;
    f.mean = x->p.mean + k*J;
    f.var = x->p.var + k*J;
    f.eta = blni_without_eta(x, k);
    (x->q->observe.ops->sites ? x->q->observe.ops->sites : blni_noise_sites)
        (&x->q->observe, rows, &f, x->q->sites, x->p.slope + k*J, x->p.W + k*J, x->p.logp);
}

/* Component k of all, number `own` of its group: v, mean1 and var1 of its columns, leaves and measure. */
BLNI_PRIV bln_status blni_without_component(blni_without *x, const bln_data *rows, const bln_group *g, size_t own, size_t k,
                                            const blni_features *at, bln_report *report)
{
    const blni_without_pieces *p = &x->p;
    const size_t n = rows->n, J = x->s.J, K = x->s.K;
    blni_leave l = BLN_ZERO;
    l.x = *at;
    l.rows = x->data->n;
    l.place = p->place;
    l.W = p->W + k*J;
    l.slope = p->slope + k*J;
    l.ld = K*J;
    l.var = p->v1 + k*J;
    l.shift = p->shift + k*J;
    l.left = p->left;
    l.lost = p->lost;
    l.cov = x->joint ? p->cov : NULL;
    l.with = p->v + k*J;
    blni_without_sites(x, rows, g, own, k, &l);
    for (size_t i = 0; i < n; i++) {
        const double *W = p->W + (i*K + k)*J;
        if (x->q->observe.ops->identity && !blni_all_finite(J, W))
            return blni_fail(report, BLN_ENUMERIC, p->place[i], BLN_NONE,
                             "posterior: a perfect fit has no noise, and no prediction without a row");
        if (!blni_finite(*W*p->v[(i*K + k)*J]) || !blni_all_finite(J, p->mean + (i*K + k)*J)
            || !blni_all_finite(J, p->slope + (i*K + k)*J))
            return blni_fail(report, BLN_ENUMERIC, p->place[i], BLN_NONE, "posterior: what is left out overflows");
    }
    const bln_status status = (x->together ? blni_gaussians_leave_rows : blni_gaussians_leave)(x->q, g, own, &l, p->kind);
    if (status != BLN_OK)
        return blni_fail(report, status, status == BLN_ESHAPE ? BLN_NONE : l.bad, BLN_NONE,
                         "posterior: not the rows of the fit in their order");
    const int lost = x->together && !(l.error <= BLNI_WITHOUT_LOST);
    x->lost |= lost;
    for (size_t i = 0; i < n; i++) {
        const size_t c = (i*K + k)*J;
        double left = x->together ? 1.0 : p->left[i];
        if (lost || (!x->together && (!(left > 0.0) || p->lost[i] > BLNI_WITHOUT_LOST))) left = BLNI_NAN;
        const double share = K > 1 ? blni_without_share(x, k) : 1.0, h = left == left ? p->W[c]*p->v1[c] : left;
        for (size_t j = 0; j < J; j++) {
            if (left != left) { p->mean1[c + j] = p->var1[c + j] = left; continue; }           /* shift and v1 may not be set */
            const double v = p->v1[c + j]/left;
            p->mean1[c + j] = p->mean[c + j] - l.shift[i*l.ld + j]/left;
            p->var1[c + j] = v + p->rest[c + j];
            if (!blni_finite(p->mean1[c + j]) || !blni_finite(p->var1[c + j]))
                return blni_fail(report, BLN_ENUMERIC, p->place[i], BLN_NONE, "posterior: f without what is left out overflows");
        }
        p->measure[i] += left != left ? left : share*(!x->together ? h : p->v1[c] > 0.0 ? 1.0 - p->v[c]/p->v1[c] : 0.0);
        if (K > 1 && !x->together) p->leaves[i*K + k] = left == left ? blni_without_leaving(x, rows, i, k, left) : left;
    }
    if (lost) p->log_k[k] = p->log_k[K + k] = BLNI_NAN;
    else if (x->together) blni_without_group(x, rows, g, own, k, &l);
    return BLN_OK;
}

/* Weights of components without each row, or without them all: weight_k/p_k, and then the density of the group. */
BLNI_PRIV void blni_without_reweight(blni_without *x, size_t n)
{
    const size_t K = x->s.K;
    const blni_without_pieces *p = &x->p;
    for (size_t i = 0; i < n; i++) {
        double *w = p->weight + i*K;
        if (K == 1) { w[0] = 1.0; continue; }
        for (size_t k = 0; k < K; k++) w[k] = log(blni_without_share(x, k)) - (x->together ? p->log_k[k] : p->leaves[i*K + k]);
        const double sum = bln_logsumexp(K, w);
        for (size_t k = 0; k < K; k++) w[k] = exp(w[k] - sum);
    }
    if (!x->together) return;
    for (size_t k = 0; k < K; k++) p->log_k[k] = log(p->weight[k]) + p->log_k[K + k];
    x->log_group = x->lost ? BLNI_NAN : bln_logsumexp(K, p->log_k);
}

/* ---- draws */

/* Draws of f at row i of those in hand, with variances var, into p->f; eta of each, n_eta apart unless all are the same. */
BLNI_PRIV void blni_without_draw(const blni_without *x, size_t i, const double *var, uint64_t seed, int points, size_t *ldeta)
{
    const blni_without_pieces *p = &x->p;
    const size_t K = x->s.K, S = x->d.draws, n_eta = x->q->observe.n_eta;
    const double *mean = p->mean + i*K, dof = x->q->dof;
    *ldeta = K > 1 || dof > 0.0 ? n_eta : 0;
    bln_rng rng = blni_rng_of(seed, p->place[i]);
    if (!points) bln_rng_normals(&rng, S, p->f);
    for (size_t s = 0; s < S; s++) {
        const size_t k = points ? s : K == 1 ? 0 : !x->f.weight ? (size_t)bln_rng_below(&rng, K)
                       : blni_draws_by_weight(x->q, bln_rng_uniform(&rng));
        const double c = dof > 0.0 ? sqrt(dof/bln_rng_chi2(&rng, dof)) : 1.0, *eta = blni_without_eta(x, k);
        p->f[s] = points ? mean[k] : mean[k] + sqrt(var[i*K + k])*c*p->f[s];
        p->spread[s] = c*c*p->rest[i*K + k];
        for (size_t e = 0; e < n_eta && (s == 0 || *ldeta); e++) p->eta[s*n_eta + e] = c*c*eta[e];
    }
}

BLNI_PRIV int blni_without_points(const bln_posterior *q)
{
    int points = 1;
    for (size_t g = 0; g < q->n_groups; g++) points = points && q->groups[g].ops->kind == BLNI_POINTS;
    return points;
}

/* log p of row i at the draws; bound: E log p over what features miss. */
BLNI_PRIV void blni_without_logps(const blni_without *x, const bln_data *rows, size_t i, int bound, size_t ldeta)
{
    const bln_observe *o = &x->q->observe;
    const blni_without_pieces *p = &x->p;
    const bln_data row = bln_data_rows(rows, i, 1);
    int same = 1;
    for (size_t s = 1; s < x->d.draws; s++) same = same && p->spread[s] == p->spread[0];
    if (!bound || same)
        blni_without_logp_at(o, &row, p->eta, ldeta, bound ? p->spread[0] : 0.0, x->d.draws, p->f, p->l, p->logp);
    else for (size_t s = 0; s < x->d.draws; s++)
        blni_without_logp_at(o, &row, p->eta + s*ldeta, 0, p->spread[s], 1, p->f + s, p->l + s, p->logp);
}

/* Row i by draws of what the weights alone say. */
BLNI_PRIV void blni_without_weighted(blni_without *x, const bln_data *rows, size_t i)
{
    const blni_without_pieces *p = &x->p;
    const size_t S = x->d.draws;
    const int points = blni_without_points(x->q), bound = !x->q->observe.ops->identity && x->q->sites != BLN_SITES_MODE;
    const bln_data row = bln_data_rows(rows, i, 1);
    const double copies = blni_without_copies(rows, i);
    size_t ldeta;
    bln_latent f = BLN_ZERO;
    int misses = 0;
    blni_without_draw(x, i, p->v, x->d.seed, points, &ldeta);
    blni_without_logps(x, rows, i, bound, ldeta);
    for (size_t s = 0; s < S; s++) {
        p->share[s] = copies > 0.0 ? -copies*p->l[s] : 0.0;
        if (points && x->f.weight) p->share[s] += log(x->f.weight[s]);
        misses = misses || p->spread[s] > 0.0;
    }
    blni_psis(S, p->share, 0.0, p->measure + i, p->room);
    for (size_t s = 0; s < S; s++) p->share[s] = exp(p->share[s]);
    f.K = S;
    f.weight = p->share;
    f.mean = p->f;
    f.var = misses ? p->spread : NULL;
    f.eta = p->eta;
    f.ldeta = ldeta;
    blni_without_answer(x, &row, i, &f);
}

/* ---- rows in hand, all of it */

/* f of the rows under all components, and without them where there is a cavity. */
BLNI_ONCE BLNI_PRIV bln_status blni_without_latents(blni_without *x, const bln_data *rows, bln_report *report)
{
    const bln_posterior *q = x->q;
    const blni_without_pieces *p = &x->p;
    const size_t K = x->s.K, J = x->s.J, n = rows->n;
    const blni_latents f = { K, J, K*J, p->mean, x->psis ? p->v : NULL, NULL };      /* else each component brings its own var */
    const blni_latents rest = { K, J, K*J, NULL, p->rest, NULL };
    const blni_features at = { q, n, x->s.D, p->ask.Phi };
    x->lost = 0;
    for (size_t i = 0; i < n*K*J; i++) p->rest[i] = 0.0;
    for (size_t i = 0; i < n; i++) p->measure[i] = 0.0;
    for (size_t g = 0, first = 0; g < q->n_groups; first += blni_group_K(q->groups + g), g++) {
        const bln_group *group = q->groups + g;
        if (g == 0 || group->theta != q->groups[g - 1].theta) {
            if (x->bound == BLN_NONE || q->groups[x->bound].theta != group->theta) blni_ask_bind(q, group->theta, &p->ask);
            x->bound = g;
            blni_ask_features(q, group->theta, rows, &x->s, &p->ask);
        }
        group->ops->project(group, &at, &f, first, p->ask.project);
        if (group->residual) blni_ask_residual(q, group, n, p->ask.missed, &rest, first);
        for (size_t i = 0; i < n && rows->offset; i++)
            for (size_t c = first*J; c < (first + blni_group_K(group))*J; c++) p->mean[i*f.ld + c] += blni_offset(rows, i, c % J);
        for (size_t k = 0; k < blni_group_K(group) && !x->psis; k++)
            BLNI_TRY(blni_without_component(x, rows, group, k, first + k, &at, report));
        if (x->psis) blni_without_sum(x, n, first, blni_group_K(group));
    }
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_without_take(blni_without *x, const bln_data *rows, bln_report *report)
{
    const blni_without_pieces *p = &x->p;
    const size_t K = x->s.K, J = x->s.J;
    BLNI_TRY(blni_without_latents(x, rows, report));
    bln_latent f = x->f;
    if (!x->psis) blni_without_reweight(x, rows->n);
    f.mean = p->mean;
    f.var = p->var;
    if (x->out.total) blni_without_density(x, rows, &f, p->full);
    f.mean = p->mean1;
    f.var = p->var1;
    if (!x->psis && (K == 1 || x->together)) {
        if (K > 1) f.weight = p->weight;
        blni_without_answer(x, rows, 0, &f);
    }
    for (size_t i = 0; i < rows->n && (x->psis || (K > 1 && !x->together)); i++) {
        const bln_data row = bln_data_rows(rows, i, 1);
        if (x->psis) { blni_without_weighted(x, rows, i); continue; }
        f.weight = p->weight + i*K;
        f.mean = p->mean1 + i*K*J;
        f.var = p->var1 + i*K*J;
        blni_without_answer(x, &row, i, &f);
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (p->measure[i] == p->measure[i]) continue;                                         /* all of it is lost */
        p->density[i] = BLNI_NAN;
        for (size_t o = 0; o < 5; o++)
            for (size_t j = 0; j < (o < 3 ? x->q->observe.n_moments : J); j++)
                p->out[o][i*(o < 3 ? x->q->observe.n_moments : J) + j] = BLNI_NAN;
    }
    blni_without_give(x, rows);
    return BLN_OK;
}

/* ---- questions */

/* Can all components forget rows? Gaussians can. */
BLNI_PRIV int blni_without_cavity(const bln_posterior *q)
{
    int can = q->sites != BLN_SITES_NONE;
    for (size_t g = 0; g < q->n_groups; g++)
        can = can && q->groups[g].ops->kind == BLNI_GAUSSIANS && blni_gaussians_leaves(q, q->groups + g);
    return can;
}

/* Do some of the components, all Gaussians, need all rows at once? */
BLNI_PRIV int blni_without_lowrank(const bln_posterior *q)
{
    int low = 0;
    for (size_t g = 0; g < q->n_groups; g++) low |= ((const bln_gaussians *)q->groups[g].view)->form == BLN_GAUSSIAN_LOWRANK;
    return low;
}

BLNI_PRIV bln_status blni_without_check(const bln_posterior *q, const bln_data *data, int of_fit, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    double N = 0.0;
    ask.what = BLNI_ASK_DENSITY;
    BLNI_TRY(blni_ask_check(q, &ask, data, report));
    if (!q->observe.ops->identity && !q->observe.ops->sites)
        return blni_refuse(report, BLN_EINVAL, "posterior: rows of several latents are not left out");
    for (size_t i = 0; i < data->n; i++) N += blni_without_copies(data, i);
    if (!of_fit || q->rows == 0.0 || fabs(N - q->rows) <= 1e-9*q->rows) return BLN_OK;
    return blni_refuse(report, BLN_EINVAL, "posterior: other rows than the fit's: their total weight differs");
}

/* S draws can be had: of one latent; of points as many as they are, and more than one. */
BLNI_PRIV bln_status blni_without_draws(const bln_posterior *q, size_t S, bln_report *report)
{
    if (blni_posterior_J(q) > 1)
        return blni_refuse(report, BLN_EINVAL, "posterior: rows of several latents are not left out by draws");
    if (blni_without_points(q) && blni_posterior_K(q) != S)
        return blni_refuse(report, BLN_EINVAL, "posterior: points have as many draws as they are");
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_without_begin(blni_without *x, const bln_posterior *q, const bln_data *data,
                                                  const bln_loo_desc *desc, const bln_loo_outputs *out, bln_report *report)
{
    memset(x, 0, sizeof *x);
    BLNI_TRY(blni_without_check(q, data, 1, report));
    if (desc) x->d = *desc;
    if (x->d.level == 0.0) x->d.level = 0.95;
    if (!(x->d.level > 0.0 && x->d.level < 1.0)) return blni_refuse(report, BLN_EINVAL, "posterior: level must be in (0, 1)");
    x->psis = x->d.psis || !blni_without_cavity(q);
    if (!x->psis) x->d.draws = 0;
    else if (blni_without_points(q)) x->d.draws = blni_posterior_K(q);
    else if (!x->d.draws) x->d.draws = BLNI_WITHOUT_DRAWS;
    if (x->psis && blni_without_points(q) && x->d.draws == 1)
        return blni_refuse(report, BLN_EINVAL, "posterior: a single point is no posterior to leave a row out of");
    x->q = q;
    x->data = data;
    if (out) x->out = *out;
    x->undefined = BLN_NONE;
    x->sum = blni_elpd_start();
    return x->psis ? blni_without_draws(q, x->d.draws, report) : BLN_OK;
}

/* The total, and the first row that is lost. */
BLNI_ONCE BLNI_PRIV bln_status blni_without_end(const blni_without *x, bln_report *report)
{
    if (x->out.total) *x->out.total = blni_elpd_end(&x->sum);
    if (x->undefined == BLN_NONE) return BLN_OK;
    return blni_fail(report, BLN_EUNDEFINED, x->undefined, BLN_NONE,
                     "posterior: only what is left out determines a direction of the weights; its prediction is lost in rounding");
}

BLN_API bln_status bln_posterior_loo(const bln_posterior *q, const bln_data *data, const bln_loo_desc *desc,
                                     const bln_loo_outputs *out, bln_report *report)
{
    blni_without x;
    blni_arena a = blni_arena_over(NULL, 0);
    bln_report_clear(report);
    BLNI_TRY(blni_without_begin(&x, q, data, desc, out, report));
    if (!out) return blni_refuse(report, BLN_EINVAL, "posterior: outputs are NULL");
    x.cap = !x.psis && blni_without_lowrank(q) ? blni_max(data->n, 1)
          : blni_min(blni_ask_sizes_of(q, (size_t)-1).block, blni_max(data->n, 1));
    bln_status status = blni_without_open(&x, &a, report);
    for (size_t i = 0; i < data->n && status == BLN_OK; i += x.cap) {
        const bln_data rows = bln_data_rows(data, i, blni_min(x.cap, data->n - i));
        for (size_t r = 0; r < rows.n; r++) x.p.place[r] = i + r;
        status = blni_without_take(&x, &rows, report);
    }
    blni_release(&q->alloc, a.base, a.size);
    return status == BLN_OK ? blni_without_end(&x, report) : status;
}

/* Copies rows index[0..m-1] of the data, and takes them. */
BLNI_PRIV bln_status blni_without_gather(blni_without *x, size_t m, const size_t *index, bln_report *report)
{
    blni_arena room = x->room;
    const bln_data rows = blni_minibatch_gather(&room, x->data, m, index);
    memcpy(x->p.place, index, m*sizeof *index);
    return blni_without_take(x, &rows, report);
}

BLNI_ONCE BLN_API bln_status bln_posterior_loo_groups(const bln_posterior *q, const bln_data *data, const size_t *group,
                                                      size_t n_groups, const bln_loo_desc *desc, const bln_loo_outputs *out,
                                                      double *logp, bln_report *report)
{
    blni_without x;
    blni_arena a = blni_arena_over(NULL, 0);
    size_t largest = 0;
    void *block;
    bln_report_clear(report);
    BLNI_TRY(blni_without_begin(&x, q, data, desc, out, report));
    if (!group || (!out && !logp)) return blni_refuse(report, BLN_EINVAL, "posterior: group or outputs are NULL");
    if (x.psis) return blni_refuse(report, BLN_EINVAL, "posterior: groups of rows are not left out by draws");
    const size_t indices = blni_mul(blni_add(blni_add(data->n, n_groups), 1), sizeof(size_t));
    BLNI_TRY(blni_take(&q->alloc, indices, "posterior", &block, report));
    size_t *order = (size_t *)block, *start = order + data->n;
    bln_status status = blni_group_sort(data->n, group, n_groups, order, start, report);
    for (size_t s = 0; s < n_groups && status == BLN_OK; s++) largest = blni_max(largest, start[s + 1] - start[s]);
    x.together = 1;
    x.joint = logp && q->observe.ops->identity && blni_ask_sizes_of(q, (size_t)-1).residual;
    x.cap = blni_max(largest, 1);
    if (status == BLN_OK) status = blni_without_open(&x, &a, report);
    for (size_t s = 0; s < n_groups && status == BLN_OK; s++) {
        x.log_group = 0.0;
        if (start[s + 1] > start[s]) status = blni_without_gather(&x, start[s + 1] - start[s], order + start[s], report);
        if (logp) logp[s] = x.log_group;
    }
    blni_release(&q->alloc, a.base, a.size);
    blni_release(&q->alloc, order, indices);
    return status == BLN_OK ? blni_without_end(&x, report) : status;
}

/* ---- log p of all rows under draws: the table, or what WAIC takes of it */

typedef struct blni_without_table { double *log_p; size_t ld; double *elpd, *v; blni_elpd sum; } blni_without_table;

BLNI_ONCE BLNI_PRIV bln_status blni_without_tabulate(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed,
                                                     blni_without_table *t, bln_report *report)
{
    blni_without x = BLN_ZERO;
    blni_arena a = blni_arena_over(NULL, 0);
    size_t ldeta;
    BLNI_TRY(blni_without_draws(q, S, report));
    x.q = q;
    x.data = data;
    x.d.draws = S;
    x.psis = 1;
    x.cap = blni_min(blni_ask_sizes_of(q, (size_t)-1).block, blni_max(data->n, 1));
    bln_status status = blni_without_open(&x, &a, report);
    for (size_t first = 0; first < data->n && status == BLN_OK; first += x.cap) {
        const bln_data rows = bln_data_rows(data, first, blni_min(x.cap, data->n - first));
        for (size_t i = 0; i < rows.n; i++) x.p.place[i] = first + i;
        status = blni_without_latents(&x, &rows, report);
        for (size_t i = 0; i < rows.n; i++) {
            const size_t row = first + i;
            double full, var;
            blni_without_draw(&x, i, x.p.var, seed, blni_without_points(q), &ldeta);
            blni_without_logps(&x, &rows, i, 0, ldeta);
            for (size_t s = 0; s < S && t->log_p; s++) t->log_p[s*t->ld + row] = x.p.l[s];
            if (t->log_p) continue;
            blni_waic_row(S, x.p.l, &full, &var);
            if (t->elpd) t->elpd[row] = full - var;
            if (t->v) t->v[row] = var;
            blni_elpd_add(&t->sum, row, blni_without_copies(data, row), full - var, full, var, 0.4);
        }
    }
    blni_release(&q->alloc, a.base, a.size);
    return status;
}

BLN_API bln_status bln_posterior_loglikelihoods(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *out,
                                                size_t ld, bln_report *report)
{
    blni_without_table t = BLN_ZERO;
    bln_report_clear(report);
    BLNI_TRY(blni_without_check(q, data, 0, report));
    if (!out || S == 0 || ld < data->n) return blni_refuse(report, BLN_EINVAL, "posterior: no draws, a NULL, or a stride below n");
    t.log_p = out;
    t.ld = ld;
    return blni_without_tabulate(q, data, S, seed, &t, report);
}

BLNI_ONCE BLN_API bln_status bln_posterior_waic(const bln_posterior *q, const bln_data *data, size_t S, uint64_t seed, double *elpd,
                                                double *v, bln_elpd *total, bln_report *report)
{
    blni_without_table t = BLN_ZERO;
    bln_report_clear(report);
    BLNI_TRY(blni_without_check(q, data, 1, report));
    if (!total || S < 2) return blni_refuse(report, BLN_EINVAL, "posterior: fewer than two draws, or total is NULL");
    t.elpd = elpd;
    t.v = v;
    t.sum = blni_elpd_start();
    bln_status status = blni_without_tabulate(q, data, S, seed, &t, report);
    if (status == BLN_OK) *total = blni_elpd_end(&t.sum);
    return status;
}
