/* latents_predictive: row by row and component by component: directly where f is known, else by a formula or by points */
#include "latents_predictive_private.h"
#include "expect_private.h"
#include "../core/memory_private.h"
#include "../math/special.h"
#include "../random/qmc.h"
#include "latent_private.h"

enum { BLNI_LATENT_HALF = BLNI_LATENT_POINTS/2 };
typedef char blni_latent_half_is_whole[(int)BLNI_LATENT_HALF % (int)BLN_LIKELIHOOD_BLOCK == 0 ? 1 : -1];

/* One component's m, v and pairs of C; the lower factor L, LL' = C; its means and variances of the columns; the normals z of the
 * points, made when first needed; f of a block of points, and what the likelihood makes of them. */
typedef struct blni_latents_room { double *m, *v, *cov, *L, *mean, *model, *noise, *z, *f, *values; int drawn; } blni_latents_room;

/* A row under a component, with as many copies of its targets as there are points in a block. */
typedef struct blni_latents_row {
    const bln_likelihood *l;
    const double *theta;
    size_t        J, columns;
    int           known;                /* is f known?                                       */
    const double *cov;                  /* that of the room, or NULL: the f_j are independent */
    blni_row_set  g;
} blni_latents_row;

BLNI_ONCE BLNI_PRIV blni_latents_room blni_latents_carve(blni_arena *a, const bln_likelihood *l)
{
    const size_t J = bln_likelihood_latents(l), columns = blni_likelihood_columns(l), block = BLN_LIKELIHOOD_BLOCK;
    blni_latents_room r;
    BLNI_CARVE2(a, J, r.m, r.v);
    r.cov    = blni_carve_doubles(a, blni_latent_pairs(J));
    r.L      = blni_carve_doubles(a, J*J);
    BLNI_CARVE3(a, columns, r.mean, r.model, r.noise);
    r.z      = blni_carve_doubles(a, BLNI_LATENT_HALF*J);
    r.f      = blni_carve_doubles(a, block*J);
    r.values = blni_carve_doubles(a, 2*block*columns);
    r.drawn  = 0;
    return r;
}

BLNI_PRIV size_t blni_latents_work(const bln_likelihood *l)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_latents_carve(&a, l);
    return a.used/sizeof(double) + 1;
}

BLNI_PRIV void blni_latents_targets(blni_latents_row *r, const bln_likelihood *l, const bln_targets *t, size_t i)
{
    r->l = l;
    r->J = bln_likelihood_latents(l);
    r->columns = blni_likelihood_columns(l);
    blni_row_set_of(&r->g, l, t, i);
}

/* Row i under component k. */
BLNI_PRIV void blni_latents_component(blni_latents_row *r, const bln_latent *f, size_t i, size_t k, blni_latents_room *room)
{
    const size_t J = r->J, at = i*blni_latent_ld(f) + k*J;
    const double *C = f->cov ? f->cov + (i*blni_latent_K(f) + k)*J*J : NULL;
    r->theta = blni_latent_eta(f, k);
    r->known = 1;
    r->cov = NULL;
    for (size_t j = 0; j < J; j++) {
        room->m[j] = f->mean[at + j];
        room->v[j] = f->var ? f->var[at + j] : 0.0;
        if (!(room->v[j] <= 0.0)) r->known = 0;                          /* NaN is none, and gives NaN */
        for (size_t c = j; c < J; c++) room->cov[blni_latent_pair(J, j, c)] = c == j ? room->v[j] : C ? C[j*J + c] : 0.0;
        for (size_t c = j + 1; c < J && C; c++) if (C[j*J + c] != 0.0) r->cov = room->cov;
    }
}

/* ---- points */

/* The factor of C, whose pivots of 0 have columns of 0, and the normals. */
BLNI_PRIV void blni_latents_points_begin(const blni_latents_row *r, blni_latents_room *room)
{
    const size_t J = r->J;
    double *L = room->L;
    for (size_t k = 0; k < J; k++) {
        double pivot = room->cov[blni_latent_pair(J, k, k)];
        for (size_t c = 0; c < k; c++) pivot -= L[k*J + c]*L[k*J + c];
        const double root = pivot <= 1e-15*room->v[k] ? 0.0 : sqrt(pivot);
        for (size_t j = k; j < J; j++) {
            double sum = room->cov[blni_latent_pair(J, k, j)];
            for (size_t c = 0; c < k; c++) sum -= L[j*J + c]*L[k*J + c];
            L[j*J + k] = root == 0.0 ? 0.0 : j == k ? root : sum/root;
        }
    }
    if (room->drawn) return;
    bln_qmc_sobol(J, 1, 0, BLNI_LATENT_HALF, room->z, J);
    for (size_t c = 0; c < BLNI_LATENT_HALF*J; c++) room->z[c] = bln_norm_quantile(room->z[c]);
    room->drawn = 1;
}

/* Into room->f: block b of the points, of which every other one has the other sign. */
BLNI_PRIV void blni_latents_points_block(const blni_latents_row *r, size_t b, const blni_latents_room *room)
{
    const size_t J = r->J, n = BLN_LIKELIHOOD_BLOCK, first = b/2*n;
    const double sign = b % 2 ? -1.0 : 1.0;
    for (size_t j = 0; j < J; j++)
        for (size_t s = 0; s < n; s++) {
            double sum = 0.0;
            for (size_t c = 0; c <= j; c++) sum += room->L[j*J + c]*room->z[(first + s)*J + c];
            room->f[j*n + s] = room->m[j] + sign*sum;
        }
}

enum { BLNI_LATENT_BLOCKS = (int)BLNI_LATENT_POINTS/(int)BLN_LIKELIHOOD_BLOCK };

/* Into room->mean, model and noise. */
BLNI_PRIV void blni_latents_points_moments(const blni_latents_row *r, blni_latents_room *room)
{
    const size_t columns = r->columns, n = BLN_LIKELIHOOD_BLOCK;
    double *mean = room->values, *var = mean + n*columns;
    for (size_t c = 0; c < columns; c++) room->mean[c] = room->model[c] = room->noise[c] = 0.0;
    blni_latents_points_begin(r, room);
    for (size_t b = 0, seen = 0; b < BLNI_LATENT_BLOCKS; b++) {
        blni_latents_points_block(r, b, room);
        r->l->ops->latents->moments(r->l, r->theta, n, &r->g.t, room->f, n, mean, var);
        for (size_t s = 0; s < n; s++, seen++)
            for (size_t c = 0; c < columns; c++) {
                const double delta = mean[s*columns + c] - room->mean[c];
                room->mean[c] += delta/(double)(seen + 1);
                room->model[c] += delta*(mean[s*columns + c] - room->mean[c])/(double)BLNI_LATENT_POINTS;
                room->noise[c] += var[s*columns + c]/(double)BLNI_LATENT_POINTS;
            }
    }
}

BLNI_PRIV double blni_latents_points_logp(const blni_latents_row *r, blni_latents_room *room)
{
    const size_t n = BLN_LIKELIHOOD_BLOCK;
    double both[2] = { -BLNI_INFINITY, 0.0 };
    blni_latents_points_begin(r, room);
    for (size_t b = 0; b < BLNI_LATENT_BLOCKS; b++) {
        blni_latents_points_block(r, b, room);
        r->l->ops->latents->logp(r->l, r->theta, n, &r->g.t, room->f, n, room->values);
        both[1] = bln_logsumexp(n, room->values);
        both[0] = bln_logsumexp(2, both);
    }
    return both[0] - log((double)BLNI_LATENT_POINTS);
}

BLNI_PRIV void blni_latents_points_cdf(const blni_latents_row *r, blni_latents_room *room, double *lower, double *upper)
{
    const size_t n = BLN_LIKELIHOOD_BLOCK;
    double *low = room->values, *up = low + n;
    *lower = *upper = 0.0;
    blni_latents_points_begin(r, room);
    for (size_t b = 0; b < BLNI_LATENT_BLOCKS; b++) {
        blni_latents_points_block(r, b, room);
        r->l->ops->latents->cdf(r->l, r->theta, n, &r->g.t, room->f, n, low, up);
        for (size_t s = 0; s < n; s++) {
            *lower += low[s]/(double)BLNI_LATENT_POINTS;
            *upper += up[s]/(double)BLNI_LATENT_POINTS;
        }
    }
}

/* ---- a row under a component */

BLNI_PRIV void blni_latents_one_moments(const blni_latents_row *r, blni_latents_room *room)
{
    const bln_latents_ops *ops = r->l->ops->latents;
    room->mean[0] = BLNI_NAN;
    if (r->known) {
        ops->moments(r->l, r->theta, 1, &r->g.t, room->m, 1, room->mean, room->noise);
        for (size_t c = 0; c < r->columns; c++) room->model[c] = 0.0;
        return;
    }
    if (ops->normal_moments)
        ops->normal_moments(r->l, r->theta, 1, &r->g.t, room->m, room->v, r->cov, 1, room->mean, room->model, room->noise);
    if (room->mean[0] != room->mean[0]) blni_latents_points_moments(r, room);
}

BLNI_PRIV double blni_latents_one_logp(const blni_latents_row *r, blni_latents_room *room)
{
    const bln_latents_ops *ops = r->l->ops->latents;
    double logp = BLNI_NAN;
    if (r->known) { ops->logp(r->l, r->theta, 1, &r->g.t, room->m, 1, &logp); return logp; }
    if (ops->normal_logp) ops->normal_logp(r->l, r->theta, 1, &r->g.t, room->m, room->v, r->cov, 1, &logp);
    return logp == logp ? logp : blni_latents_points_logp(r, room);
}

BLNI_PRIV void blni_latents_one_cdf(const blni_latents_row *r, blni_latents_room *room, double *lower, double *upper)
{
    const bln_latents_ops *ops = r->l->ops->latents;
    *lower = BLNI_NAN;
    if (r->known) { ops->cdf(r->l, r->theta, 1, &r->g.t, room->m, 1, lower, upper); return; }
    if (ops->normal_cdf) ops->normal_cdf(r->l, r->theta, 1, &r->g.t, room->m, room->v, r->cov, 1, lower, upper);
    if (*lower != *lower) blni_latents_points_cdf(r, room, lower, upper);
}

/* ---- all components */

/* Means of variances, and of means the variance between components, by one pass. */
BLNI_PRIV void blni_latents_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                    double *model, double *noise, double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_latents_room room = blni_latents_carve(&a, l);
    blni_latents_row r;
    const size_t columns = blni_likelihood_columns(l);
    double at[BLN_LATENTS], within[BLN_LATENTS], noisy[BLN_LATENTS];
    for (size_t i = 0; i < n; i++) {
        double seen = 0.0;
        for (size_t c = 0; c < columns; c++) at[c] = within[c] = noisy[c] = 0.0;
        blni_latents_targets(&r, l, t, i);
        for (size_t k = 0; k < blni_latent_K(f); k++) {
            const double w = blni_latent_weight(f, k), before = seen;
            if (!(w > 0.0)) continue;
            seen += w;
            blni_latents_component(&r, f, i, k, &room);
            blni_latents_one_moments(&r, &room);
            for (size_t c = 0; c < columns; c++) {
                const double delta = room.mean[c] - at[c];
                at[c] += delta*(w/seen);
                within[c] += w*room.model[c] + delta*delta*(before*w/seen);
                noisy[c] += w*room.noise[c];
            }
        }
        for (size_t c = 0; c < columns; c++) {
            if (mean) mean[i*columns + c] = at[c];
            if (model) model[i*columns + c] = within[c];
            if (noise) noise[i*columns + c] = noisy[c];
        }
    }
}

BLNI_PRIV void blni_latents_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *out,
                                       double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_latents_room room = blni_latents_carve(&a, l);
    blni_latents_row r;
    for (size_t i = 0; i < n; i++) {
        double both[2] = { -BLNI_INFINITY, 0.0 };
        blni_latents_targets(&r, l, t, i);
        for (size_t k = 0; k < blni_latent_K(f); k++) {
            blni_latents_component(&r, f, i, k, &room);
            both[1] = blni_latents_one_logp(&r, &room) + log(blni_latent_weight(f, k));
            both[0] = bln_logsumexp(2, both);
        }
        out[i] = both[0];
    }
}

BLNI_PRIV void blni_latents_row_cdf(blni_latents_row *r, const bln_latent *f, size_t i, blni_latents_room *room, double *lower,
                                    double *upper)
{
    *lower = *upper = 0.0;
    for (size_t k = 0; k < blni_latent_K(f); k++) {
        double low, up;
        blni_latents_component(r, f, i, k, room);
        blni_latents_one_cdf(r, room, &low, &up);
        *lower += blni_latent_weight(f, k)*low;
        *upper += blni_latent_weight(f, k)*up;
    }
}

BLNI_PRIV void blni_latents_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                double *upper, double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_latents_room room = blni_latents_carve(&a, l);
    blni_latents_row r;
    for (size_t i = 0; i < n; i++) {
        double low, up;
        blni_latents_targets(&r, l, t, i);
        blni_latents_row_cdf(&r, f, i, &room, &low, &up);
        if (lower) lower[i] = low;
        if (upper) upper[i] = up;
    }
}

typedef struct blni_latents_search {
    blni_latents_row  r;
    blni_latents_room room;
    const bln_latent *f;
    size_t            i;
} blni_latents_search;

BLNI_PRIV void blni_latents_tails(void *user, double y, double *lower, double *upper)
{
    blni_latents_search *s = (blni_latents_search *)user;
    for (size_t k = 0; k < BLN_LIKELIHOOD_BLOCK; k++) s->r.g.y[k] = y;
    blni_latents_row_cdf(&s->r, s->f, s->i, &s->room, lower, upper);
}

BLNI_PRIV double blni_latents_quantile(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double p,
                                       double q, double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_latents_search s;
    double low, high, mean, noise;
    s.room = blni_latents_carve(&a, l);
    s.f = f;
    s.i = i;
    blni_latents_targets(&s.r, l, t, i);
    blni_support(l, blni_trials(&s.r.g.t, 0), &low, &high);
    blni_latents_component(&s.r, f, i, 0, &s.room);
    blni_latents_one_moments(&s.r, &s.room);
    mean = s.room.mean[0];
    noise = sqrt(s.room.model[0] + s.room.noise[0]);
    if (!blni_finite(mean) || !(noise > 0.0) || !blni_finite(noise)) { mean = s.room.m[0]; noise = 1.0; }
    s.r.g.t.y = s.r.g.y;
    return blni_search_quantile(blni_latents_tails, &s, p, q, l->ops->discrete, low, high, mean + noise*bln_norm_quantile(p),
                                mean + noise*(bln_norm_quantile(p) + 0.1));
}
