/* gibbs_chain: one chain. The steps of a sweep, whose order matters [augmentation 9, 34; Polson, Scott & Windle 2013]:
 *
 *     all weights; slow ones one at a time; prior variances with their weights | y    slice sampling of the posterior itself
 *     eta | w, y                                slice sampling
 *     auxiliary variables | w, eta, y           they make each row a Gaussian factor of its f; no step reads their old values
 *     prior variances of slices | factors       slice sampling, with the weights integrated out (sites)
 *     theta, if it is drawn | factors, these    slice sampling, with the weights integrated out
 *     w | factors, prior variances, theta       one Gaussian
 *     residuals of f | factors, all of these    where they are drawn; the three steps above have them integrated out
 *     prior variances of single weights | w     slice sampling
 *
 * With several latents the last six steps are made for one latent after the other, with new auxiliary variables for each; or for
 * all at once, where the auxiliary variables make the latents independent, which may then share prior variances.
 *
 * A step that integrates a variable out must come before that variable is drawn anew, with no step between that uses its old value.
 * Random streams are numbered by the chain, the sweep and the block of 128 rows. */
#include "gibbs_private.h"
#include "../posterior/posterior_private.h"
#include "../random/rng_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../math/cholesky.h"
#include "../random/slice_private.h"
#include "../random/distributions.h"

enum { BLNI_GIBBS_HALVINGS = 20, BLNI_GIBBS_WINDOW = 20, BLNI_GIBBS_TURNS = 8 };
#define BLNI_GIBBS_STREAM (UINT64_C(5) << 60)
#define BLNI_GIBBS_SLOW   3.0            /* sweeps of autocorrelation above which a weight or a prior variance is slow */
#define BLNI_GIBBS_SPREAD 2.0            /* starts have so many standard deviations of full's Gaussian   */

/* Room for the features of each latent, and what is made of them; latents of one basis share it. rows: t->rows, or a chain's. */
BLNI_PRIV void blni_gibbs_rows_carve(blni_arena *a, const blni_gibbs *t, blni_sites_rows *rows)
{
    for (size_t j = 0; j < t->J; j++) {
        const blni_glm_slice *slice = t->rows[j].slice;
        const int moving = t->priors && !t->f->desc.per_weight;
        blni_sites_rows one, *to = rows ? rows + j : &one;
        if (j == 0 || t->f->rows.n_views > 1)
            blni_sites_rows_carve(a, t->N, t->first[j + 1] - t->first[j], t->rows[j].n_slices, moving, t->missing, t->share, to);
        else if (rows) *to = rows[0];
        to->slice = slice;
    }
}

BLNI_PRIV void blni_gibbs_chain_carve(blni_arena *a, const blni_gibbs *t, blni_gibbs_chain *c)
{
    double **const numbers[] = { &c->window.origin, &c->window.last, &c->window.sum, &c->window.square, &c->window.product,
                                 &c->around, &c->across, &c->z, &c->zeta };
    memset(c, 0, sizeof *c);
    c->rows = t->rows;
    if (t->theta_at < t->n) {
        size_t room = 0, work = 0;
        for (size_t v = 0; v < t->f->rows.n_views; v++) {
            room = blni_max(room, bln_basis_room(t->f->rows.view[v].basis));
            work = blni_max(work, bln_basis_work(t->f->rows.view[v].basis, t->f->rows.block));
        }
        c->rows = (blni_sites_rows *)blni_carve(a, t->J, sizeof *c->rows);
        c->room = blni_carve_doubles(a, room);
        c->work = blni_carve_doubles(a, work);
        blni_gibbs_rows_carve(a, t, c->rows);
    }
    c->sites = (blni_sites *)blni_carve(a, t->J, sizeof *c->sites);
    for (size_t j = 0; j < t->J; j++) {
        blni_sites one;
        blni_sites_carve(a, (c->rows ? c->rows : t->rows) + j, c->sites ? c->sites + j : &one);
    }
    for (size_t i = 0; i < sizeof numbers/sizeof *numbers; i++) *numbers[i] = blni_carve_doubles(a, blni_add(t->D, t->n));
    BLNI_CARVE2(a, blni_mul(t->J, t->N), c->f, c->trial);
    BLNI_CARVE2(a, t->N, c->column, c->lp);
    BLNI_CARVE2(a, blni_mul(t->J, t->N), c->near, c->far);
    c->v         = blni_carve_doubles(a, t->missing ? blni_mul(t->J, t->N) : 0);
    c->h         = blni_carve_doubles(a, t->augmentation->latents ? blni_mul(2*t->J, t->N) : 0);
    c->evidence  = blni_carve_doubles(a, t->J);
    c->w         = blni_carve_doubles(a, t->D);
    c->prior_var = blni_carve_doubles(a, blni_glm_priors(&t->f->desc));
    c->eta       = blni_carve_doubles(a, t->f->desc.likelihood.n_theta);
    c->theta     = blni_carve_doubles(a, blni_glm_thetas(&t->f->desc));
    BLNI_CARVE2(a, t->n, c->u, c->width);
}

/* out <- beta out + Phi w, of latents from..end-1 */
BLNI_PRIV void blni_gibbs_product(const blni_gibbs *t, const blni_gibbs_chain *c, size_t from, size_t end, const double *w,
                                  double beta, double *out)
{
    for (size_t j = from; j < end; j++)
        bln_gemv(BLN_NOTRANS, t->N, c->rows[j].D, 1.0, c->rows[j].Phi, c->rows[j].D, w + t->first[j], beta, out + j*t->N);
}

/* f <- offset + Phi w, of latents from..end-1 */
BLNI_PRIV void blni_gibbs_latent(const blni_gibbs *t, blni_gibbs_chain *c, size_t from, size_t end)
{
    memcpy(c->f + from*t->N, t->offset + from*t->N, (end - from)*t->N*sizeof *c->f);
    blni_gibbs_product(t, c, from, end, c->w, 1.0, c->f);
}

/* After _latent: v = d; or f becomes the mean of replicas given the sites, and v their variance about it (without rng, f stays).
 * [sparse 8] */
BLNI_PRIV void blni_gibbs_residuals(const blni_gibbs *t, blni_gibbs_chain *c, size_t from, size_t end, bln_rng *rng)
{
    for (size_t j = from; j < end && t->missing; j++) {
        const blni_sites *s = c->sites + j;
        double *f = c->f + j*t->N, *v = c->v + j*t->N;
        if (!(t->share > 0.0)) memcpy(v, s->d, t->N*sizeof *v);
        if (!(t->share > 0.0) || !rng) continue;
        bln_rng_normals(rng, t->N, c->lp);
        for (size_t i = 0; i < t->N; i++) {
            const double theta = s->site_precision[i], square = t->share*s->d[i]/(1.0 + t->share*s->d[i]*theta);
            v[i] = t->share < 1.0 ? square*2.0*bln_rng_gamma(rng, 0.5/t->share - 0.5) : 0.0;
            f[i] += square*(s->site_h[i] - theta*(f[i] - t->offset[j*t->N + i])) + sqrt(square)*c->lp[i];
        }
    }
}

/* After the features of view v: what is made of them. */
BLNI_PRIV void blni_gibbs_ready(const blni_gibbs *t, blni_sites_rows *rows, size_t v)
{
    const blni_sites_rows *r = rows + v;
    blni_sites_rows_ready(rows + v);
    for (size_t k = 0; k < r->n_slices && r->missing; k++)
        blni_missed(t->f->rows.view[v].basis, r->slice[k].slice, r->n, r->Phi, r->D, r->missed + k*r->n);
}

/* The features of view v at the chain's theta. */
BLNI_PRIV void blni_gibbs_features(const blni_gibbs *t, blni_gibbs_chain *c, size_t v)
{
    const blni_glm_view *view = t->f->rows.view + v;
    const bln_data *data = t->f->data;
    const size_t ldx = blni_ldx(data), block = t->f->rows.block;
    const double *theta = c->theta + view->theta_at;
    const bln_basis *at = bln_basis_bind(view->basis, theta, c->room);
    for (size_t i = 0; i < t->N; i += block)
        bln_basis_features(at, theta, blni_min(block, t->N - i), data->X + i*ldx, ldx, c->rows[v].Phi + i*c->rows[v].D,
                           c->rows[v].D, c->work);
    blni_gibbs_ready(t, c->rows, v);
}

/* sqrt lambda of a weight, and its latent. */
BLNI_PRIV double blni_gibbs_root(const blni_gibbs *t, const blni_gibbs_chain *c, size_t i, size_t *latent)
{
    size_t j = 0;
    while (i >= t->first[j + 1]) j++;
    *latent = j;
    return c->sites[j].root[i - t->first[j]];
}

/* The log likelihood at f, or what v leaves of it [sparse 5]; rows of weight 0 count as 0. */
BLNI_PRIV double blni_gibbs_value(const blni_gibbs *t, blni_gibbs_chain *c, const double *f)
{
    double sum = 0.0;
    const bln_likelihood *l = &t->f->desc.likelihood;
    if (!t->missing) bln_latents_logp(l, c->eta, t->N, &t->targets, f, t->N, c->lp);
    else if (t->augmentation->latents)
        t->augmentation->latents(l, c->eta, 0, t->N, &t->targets, t->weight, f, c->v, t->N, NULL, c->lp, c->h, c->h + t->J*t->N,
                                 NULL, 0);
    else t->augmentation->collapsed(l, c->eta, t->N, &t->targets, t->weight, f, c->v, c->lp, NULL, NULL, NULL, 0);
    for (size_t i = 0; i < t->N && t->missing; i++) sum += c->lp[i];
    for (size_t i = 0; i < t->N && !t->missing; i++) if (t->weight[i] > 0.0) sum += t->weight[i]*c->lp[i];
    return sum;
}

/* The log density of free coordinate k before the data. */
BLNI_PRIV double blni_gibbs_prior(const blni_gibbs *t, size_t k, double u)
{
    const blni_glm_search *s = &t->f->search;
    const bln_param_kind kind = s->param[k].kind;
    double slope;
    if (k >= t->theta_at && (kind == BLN_PARAM_LOG || kind == BLN_PARAM_POSITIVE)) {       /* as in a search */
        const double z = (u - s->x0[s->n_q + k])/t->f->desc.theta_sd;
        return -0.5*(z*z + BLNI_LOG_2PI) - log(t->f->desc.theta_sd);
    }
    if (k >= t->theta_at) return log(bln_param_slope(s->param + k, u));
    return blni_hyper_density(s->prior + k, bln_param_natural(s->param + k, u), &slope) + log(bln_param_slope(s->param + k, u));
}

/* Where hyper-parameter k is: prior variances of all priors come first if they are drawn, then eta. */
BLNI_PRIV double *blni_gibbs_natural(const blni_gibbs *t, const blni_gibbs_chain *c, size_t k)
{
    return k < t->priors ? c->prior_var + k : k < t->theta_at ? c->eta + (k - t->priors) : c->theta + (k - t->theta_at);
}

/* ---- lines along which slices are taken */

typedef struct blni_gibbs_line {
    const blni_gibbs *t;
    blni_gibbs_chain *c;
    size_t k;                                /* the coordinate, or the weight                                */
    size_t from, end;                        /* the latents that it has to do with                           */
    double root;                             /* of a weight: sqrt lambda                                     */
    double count, square;                    /* of a prior variance by itself: its weights, their squares    */
} blni_gibbs_line;

/* w_k by `step` more. */
BLNI_PRIV double blni_gibbs_weight_line(void *user, double step)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    blni_gibbs_chain *c = l->c;
    const double x = (c->w[l->k] + step)/l->root;
    memcpy(c->trial, c->f, l->t->J*l->t->N*sizeof *c->trial);
    bln_axpy(l->t->N, step, c->column, c->trial + l->from*l->t->N);
    return blni_gibbs_value(l->t, c, c->trial) - 0.5*x*x;
}

/* The log prior less the log density of the Gaussian of full, at a point of the ellipse and up to a constant. */
BLNI_PRIV double blni_gibbs_beside(const blni_gibbs *t, const blni_gibbs_chain *c, double along, double side)
{
    double sum = 0.0;
    for (size_t i = 0, latent; i < t->D; i++) {
        const double x = (t->m[i] + along*c->around[i] + side*c->across[i])/blni_gibbs_root(t, c, i, &latent);
        const double z = along*c->z[i] + side*c->zeta[i];
        sum += 0.5*(z*z - x*x);
    }
    return sum;
}

/* All weights to the point of the ellipse at this angle from w. */
BLNI_PRIV double blni_gibbs_ellipse_line(void *user, double angle)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    blni_gibbs_chain *c = l->c;
    const double along = cos(angle), side = sin(angle);
    for (size_t i = 0; i < l->t->J*l->t->N; i++) c->trial[i] = c->f[i] + ((along - 1.0)*c->near[i] + side*c->far[i]);
    return blni_gibbs_value(l->t, c, c->trial) + blni_gibbs_beside(l->t, c, along, side);
}

/* lambda_k, with the weights of its slice in units of sqrt lambda_k held; far is their part of f. */
BLNI_PRIV double blni_gibbs_scale_line(void *user, double u)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    blni_gibbs_chain *c = l->c;
    const double more = sqrt(bln_param_natural(l->t->f->search.param + l->k, u)/c->prior_var[l->k]) - 1.0;
    for (size_t i = 0; i < l->t->J*l->t->N; i++) c->trial[i] = c->f[i] + more*c->far[i];
    return blni_gibbs_value(l->t, c, c->trial) + blni_gibbs_prior(l->t, l->k, u);
}

BLNI_PRIV double blni_gibbs_eta_line(void *user, double u)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    *blni_gibbs_natural(l->t, l->c, l->k) = bln_param_natural(l->t->f->search.param + l->k, u);
    return blni_gibbs_value(l->t, l->c, l->c->f) + blni_gibbs_prior(l->t, l->k, u);
}

/* What the sites of these latents are worth. */
BLNI_PRIV double blni_gibbs_evidence(blni_gibbs_chain *c, size_t from, size_t end)
{
    double sum = 0.0;
    for (size_t j = from; j < end; j++) sum += c->evidence[j] = blni_sites_evidence(c->sites + j);
    return sum;
}

/* lambda_k, the weights integrated out; or of single weights, given these. */
BLNI_PRIV double blni_gibbs_slice_line(void *user, double u)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    l->c->prior_var[l->k] = bln_param_natural(l->t->f->search.param + l->k, u);
    for (size_t j = l->from; j < l->end; j++) blni_sites_prior(l->c->sites + j, l->c->prior_var);
    return blni_gibbs_evidence(l->c, l->from, l->end) + blni_gibbs_prior(l->t, l->k, u);
}

/* theta_k of latents with one basis, the weights integrated out. */
BLNI_PRIV double blni_gibbs_theta_line(void *user, double u)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    *blni_gibbs_natural(l->t, l->c, l->k) = bln_param_natural(l->t->f->search.param + l->k, u);
    blni_gibbs_features(l->t, l->c, l->from);
    for (size_t j = l->from; j < l->end; j++) {
        blni_sites_prior(l->c->sites + j, l->c->prior_var);
        if (!(l->t->share > 0.0)) blni_sites_gather(l->c->sites + j);
    }
    return blni_gibbs_evidence(l->c, l->from, l->end) + blni_gibbs_prior(l->t, l->k, u);
}

BLNI_PRIV double blni_gibbs_single_line(void *user, double u)
{
    const blni_gibbs_line *l = (const blni_gibbs_line *)user;
    const double lambda = bln_param_natural(l->t->f->search.param + l->k, u);
    l->c->prior_var[l->k] = lambda;
    return -0.5*(l->count*log(lambda) + l->square/lambda) + blni_gibbs_prior(l->t, l->k, u);
}

/* Coordinate k to a point of the slice; f there at the moment is *value. */
BLNI_PRIV void blni_gibbs_move(blni_gibbs_line *line, double *value, blni_line_fn f, bln_rng *rng)
{
    blni_gibbs_chain *c = line->c;
    *value += blni_gibbs_prior(line->t, line->k, c->u[line->k]);
    c->u[line->k] = blni_slice(rng, c->u[line->k], value, c->width[line->k], BLNI_SLICE_OUT, f, line);
    *value -= blni_gibbs_prior(line->t, line->k, c->u[line->k]);
}

/* ---- the steps of a sweep */

/* w <- S R^-1 w: from standard normals, a draw of the Gaussian of full less its mean. */
BLNI_PRIV void blni_gibbs_spread(const blni_gibbs *t, double *w)
{
    const double *R = t->R;
    for (size_t j = 0; j < t->J; R += t->rows[j].D*t->rows[j].D, j++)
        bln_trsv(BLN_NOTRANS, t->rows[j].D, R, t->rows[j].D, w + t->first[j]);
    for (size_t i = 0; i < t->D; i++) w[i] *= t->s[i];
}

/* The posterior is the Gaussian of full times a rest. A turn keeps the Gaussian, and its angle is a slice of the rest; z and zeta
 * are around and across, whitened by the Gaussian. [augmentation 37; Murray, Adams & MacKay 2010] */
BLNI_PRIV void blni_gibbs_ellipses(const blni_gibbs *t, blni_gibbs_chain *c, bln_rng *rng)
{
    blni_gibbs_line line = { t, c, 0, 0, t->J, 0.0, 0.0, 0.0 };
    const double *R = t->R;
    for (size_t i = 0; i < t->D; i++) c->across[i] = (c->around[i] = c->w[i] - t->m[i])/t->s[i];
    for (size_t j = 0; j < t->J; j++)
        for (size_t i = t->first[j]; i < t->first[j + 1]; i++, R += t->rows[j].D)
            c->z[i] = bln_dot(t->first[j + 1] - i, R + i - t->first[j], c->across + i);
    blni_gibbs_product(t, c, 0, t->J, c->around, 0.0, c->near);
    for (size_t turn = 0; turn < c->turns; turn++, c->turned++) {
        bln_rng_normals(rng, t->D, c->zeta);
        memcpy(c->across, c->zeta, t->D*sizeof *c->across);
        blni_gibbs_spread(t, c->across);
        blni_gibbs_product(t, c, 0, t->J, c->across, 0.0, c->far);
        double value = c->value + blni_gibbs_beside(t, c, 1.0, 0.0);
        const double angle = blni_slice(rng, 0.0, &value, 2.0*BLNI_PI, 1, blni_gibbs_ellipse_line, &line);
        const double along = cos(angle), side = sin(angle);
        c->value = value - blni_gibbs_beside(t, c, along, side);
        memcpy(c->f, c->trial, t->J*t->N*sizeof *c->f);
        for (size_t i = 0; i < t->J*t->N; i++) c->near[i] = along*c->near[i] + side*c->far[i];
        for (size_t i = 0; i < t->D; i++) {
            c->around[i] = along*c->around[i] + side*c->across[i];
            c->z[i] = along*c->z[i] + side*c->zeta[i];
            c->w[i] = t->m[i] + c->around[i];
        }
        c->cosine += along;
    }
}

/* Prior variances, and with them the weights. [augmentation 38] */
BLNI_PRIV void blni_gibbs_scales(const blni_gibbs *t, blni_gibbs_chain *c, bln_rng *rng)
{
    for (size_t k = 0; k < t->priors; k++) {
        blni_gibbs_line line = { t, c, k, 0, t->J, 0.0, 0.0, 0.0 };
        const double old = c->prior_var[k];
        memset(c->across, 0, t->D*sizeof *c->across);
        memset(c->far, 0, t->J*t->N*sizeof *c->far);
        for (size_t j = 0; j < t->J; j++)
            for (size_t s = 0; s < t->rows[j].n_slices; s++) {
                const blni_glm_slice *slice = t->rows[j].slice + s;
                const size_t weights = slice->end - slice->first, at = t->first[j] + slice->first;
                if (slice->prior != k) continue;
                memcpy(c->across + at, c->w + at, weights*sizeof *c->w);
                bln_gemv(BLN_NOTRANS, t->N, weights, 1.0, c->rows[j].Phi + slice->first, c->rows[j].D, c->w + at, 1.0,
                         c->far + j*t->N);
            }
        blni_gibbs_move(&line, &c->value, blni_gibbs_scale_line, rng);
        c->prior_var[k] = bln_param_natural(t->f->search.param + k, c->u[k]);
        const double more = sqrt(c->prior_var[k]/old) - 1.0;
        bln_axpy(t->D, more, c->across, c->w);
        bln_axpy(t->J*t->N, more, c->far, c->f);
    }
    for (size_t j = 0; j < t->J; j++) blni_sites_prior(c->sites + j, c->prior_var);
}

BLNI_PRIV void blni_gibbs_slow_weights(const blni_gibbs *t, blni_gibbs_chain *c, bln_rng *rng)
{
    for (size_t i = 0; i < c->moves; i++) {
        size_t latent;
        const double root = blni_gibbs_root(t, c, c->move[i], &latent), x = c->w[c->move[i]]/root;
        const blni_sites_rows *rows = c->rows + latent;
        blni_gibbs_line line = { t, c, c->move[i], latent, latent + 1, root, 0.0, 0.0 };
        double value = c->value - 0.5*x*x;
        for (size_t r = 0; r < t->N; r++) c->column[r] = rows->Phi[r*rows->D + line.k - t->first[latent]];
        const double step = blni_slice(rng, 0.0, &value, c->reach[i], BLNI_SLICE_OUT, blni_gibbs_weight_line, &line);
        c->w[line.k] += step;
        bln_axpy(t->N, step, c->column, c->f + latent*t->N);
        const double now = c->w[line.k]/root;
        c->value = value + 0.5*now*now;
    }
}

/* The auxiliary variables, and the Gaussian factors that they make of the rows for Phi w alone, of latents from..end-1. */
BLNI_PRIV void blni_gibbs_factors(const blni_gibbs *t, blni_gibbs_chain *c, size_t from, size_t end, uint64_t seed)
{
    const bln_likelihood *l = &t->f->desc.likelihood;
    const size_t n = t->N;
    for (size_t i = 0, block = 1; i < n; i += BLN_LIKELIHOOD_BLOCK, block++) {
        const size_t rows = blni_min(n - i, BLN_LIKELIHOOD_BLOCK);
        const bln_targets b = blni_targets_from(&t->targets, i);
        const double *v = t->missing ? c->v + i : NULL;
        bln_rng rng = blni_rng_of(seed, (uint64_t)(block*t->J + from));
        if (t->augmentation->latents)
            t->augmentation->latents(l, c->eta, from, rows, &b, t->weight + i, c->f + i, v, n, &rng, NULL, c->h + i,
                                     c->h + t->J*n + i, NULL, 0);
        else t->augmentation->draw(l, c->eta, rows, &b, t->weight + i, c->f + i, v, &rng, c->sites->site_h + i,
                                   c->sites->site_precision + i);
    }
    for (size_t j = from; j < end; j++) {
        blni_sites *s = c->sites + j;
        if (t->augmentation->latents) {
            memcpy(s->site_h, c->h + j*n, n*sizeof *s->h);
            memcpy(s->site_precision, c->h + (t->J + j)*n, n*sizeof *s->h);
        }
        for (size_t i = 0; i < n; i++) s->site_h[i] -= s->site_precision[i]*t->offset[j*n + i];
        blni_sites_gather(s);
    }
}

/* Prior variance k by its weights. */
BLNI_PRIV void blni_gibbs_single(const blni_gibbs *t, blni_gibbs_chain *c, size_t k, size_t from, size_t end, bln_rng *rng)
{
    blni_gibbs_line line = { t, c, k, from, end, 0.0, 0.0, 0.0 };
    for (size_t j = from; j < end; j++) {
        const size_t at = k - t->rows[j].slice->prior;           /* each weight is a slice */
        const double w = c->w[t->first[j] + at];
        line.count += 1.0;
        line.square += w*w;
    }
    double value = -0.5*(line.count*log(c->prior_var[k]) + line.square/c->prior_var[k]);
    blni_gibbs_move(&line, &value, blni_gibbs_single_line, rng);
}

/* theta of the bases of latents from..end-1, given the factors; latents that share a basis are all among these. */
BLNI_PRIV void blni_gibbs_theta(const blni_gibbs *t, blni_gibbs_chain *c, size_t from, size_t end, bln_rng *rng)
{
    const size_t views = t->f->rows.n_views;
    for (size_t v = from; v < blni_min(end, views) && t->theta_at < t->n; v++) {
        const size_t stop = views > 1 ? v + 1 : end, at = t->theta_at + t->f->rows.view[v].theta_at;
        double value = 0.0;
        for (size_t j = v; j < stop; j++) value += c->evidence[j];
        for (size_t k = at; k < at + t->f->rows.view[v].basis->n_theta; k++) {
            blni_gibbs_line line = { t, c, k, v, stop, 0.0, 0.0, 0.0 };
            blni_gibbs_move(&line, &value, blni_gibbs_theta_line, rng);
        }
    }
}

/* Prior variances, theta and weights of latents from..end-1, given the factors. Latents share their prior variances, or each has
 * its own. */
BLNI_PRIV void blni_gibbs_weights(const blni_gibbs *t, blni_gibbs_chain *c, size_t from, size_t end, bln_rng *rng)
{
    const int single = t->f->desc.per_weight, shared = blni_glm_shares_priors(&t->f->desc);
    if (!blni_finite(blni_gibbs_evidence(c, from, end))) { c->status = BLN_ENUMERIC; return; }
    for (size_t j = from; j < (shared ? from + 1 : end) && t->priors && !single; j++) {
        const size_t stop = shared ? end : j + 1, first = t->rows[j].slice->prior;
        double value = 0.0;
        for (size_t i = j; i < stop; i++) value += c->evidence[i];
        for (size_t k = first; k < first + t->rows[j].n_slices; k++) {
            blni_gibbs_line line = { t, c, k, j, stop, 0.0, 0.0, 0.0 };
            blni_gibbs_move(&line, &value, blni_gibbs_slice_line, rng);
        }
    }
    blni_gibbs_theta(t, c, from, end, rng);
    for (size_t j = from; j < end; j++) blni_sites_weights(c->sites + j, rng, c->w + t->first[j]);
    for (size_t j = from; j < (shared ? from + 1 : end) && t->priors && single; j++) {
        const size_t first = t->rows[j].slice->prior;
        for (size_t k = first; k < first + t->rows[j].n_slices; k++) blni_gibbs_single(t, c, k, j, shared ? end : j + 1, rng);
    }
    for (size_t j = from; j < end && t->priors && single; j++) blni_sites_prior(c->sites + j, c->prior_var);
    blni_gibbs_latent(t, c, from, end);
    blni_gibbs_residuals(t, c, from, end, rng);
}

/* ---- the warm-up */

BLNI_PRIV void blni_gibbs_watch(const blni_gibbs *t, blni_gibbs_chain *c)
{
    blni_gibbs_window *v = &c->window;
    for (size_t i = 0; i < t->D + t->n; i++) {
        const double x = i < t->D ? c->w[i] : c->u[i - t->D];
        if (v->count == 0) { v->origin[i] = x; v->last[i] = v->sum[i] = v->square[i] = v->product[i] = 0.0; continue; }
        const double d = x - v->origin[i];
        v->sum[i] += d;
        v->square[i] += d*d;
        v->product[i] += d*v->last[i];
        v->last[i] = d;
    }
    v->count++;
}

/* The variance in the window, and how many sweeps draws are alike, as of an autoregression of first order. */
BLNI_PRIV double blni_gibbs_variance(const blni_gibbs_window *v, size_t i, double *time)
{
    const double n = (double)v->count, mean = v->sum[i]/n, variance = v->square[i]/n - mean*mean;
    const double alike = variance > 0.0 ? (v->product[i]/n - mean*mean)/variance : 0.0;
    *time = alike < 1.0 ? (1.0 + alike)/(1.0 - alike) : HUGE_VAL;
    return variance > 0.0 && blni_finite(variance) ? variance : 0.0;
}

/* At the end of a window: widths, scales, turns, and the slowest weights that are none yet, as long as there is room. */
BLNI_PRIV void blni_gibbs_choose(const blni_gibbs *t, blni_gibbs_chain *c)
{
    blni_gibbs_window *v = &c->window;
    const int may = t->own.slice_moves != BLN_NONE, scaled = may && !t->missing && !t->f->desc.per_weight;
    double time;
    for (size_t k = 0; k < t->n; k++) {
        const double variance = blni_gibbs_variance(v, t->D + k, &time);
        if (!(variance > 0.0)) continue;
        c->width[k] = 2.0*sqrt(variance);
        if (scaled && k < t->priors && time > BLNI_GIBBS_SLOW) c->scales = 1;
    }
    for (size_t i = 0; i < c->moves; i++) {
        const double variance = blni_gibbs_variance(v, c->move[i], &time);
        if (variance > 0.0) c->reach[i] = 2.0*sqrt(variance);
    }
    if (c->turned) {                                             /* as many as bring the cosines' product to a half */
        const double cosine = c->cosine/(double)c->turned;
        double left = cosine;
        for (c->turns = 1; c->turns < BLNI_GIBBS_TURNS && left > 0.5; c->turns++) left *= cosine;
        if (left > 0.9) c->turns = 0;
    }
    while (may && c->moves < t->own.slice_moves) {
        double slowest = BLNI_GIBBS_SLOW, reach = 0.0;
        size_t which = 0;
        for (size_t j = 0; j < t->D; j++) {
            const double variance = blni_gibbs_variance(v, j, &time);
            int there = 0;
            for (size_t i = 0; i < c->moves; i++) there |= c->move[i] == j;
            if (there || !(time > slowest) || !(variance > 0.0)) continue;
            slowest = time;
            reach = 2.0*sqrt(variance);
            which = j;
        }
        const int wait = reach > 0.0 && !c->turned && c->t < 3*(t->own.warmup/4);
        if (wait) c->turns = 1;                                  /* turns may make it fast: the next window tells */
        if (wait || !(reach > 0.0)) break;
        c->move[c->moves] = which;
        c->reach[c->moves++] = reach;
    }
    v->count = 0;
}

/* A quarter of the warm-up is a window, if that is enough of it. */
BLNI_PRIV void blni_gibbs_learn(const blni_gibbs *t, blni_gibbs_chain *c)
{
    const size_t window = t->own.warmup/4;
    if (window < BLNI_GIBBS_WINDOW || c->t > 3*window) return;
    blni_gibbs_watch(t, c);
    if (c->t % window == 0) blni_gibbs_choose(t, c);
}

/* ---- the chain */

/* At a draw of the Gaussian of full that is twice as wide, or where the likelihood is 0 there nearer to its middle. */
BLNI_PRIV void blni_gibbs_begin(const blni_gibbs *t, size_t chain)
{
    blni_gibbs_chain *c = t->chain + chain;
    const blni_glm_fit *f = t->f;
    bln_rng rng = blni_rng_of(f->desc.seed, BLNI_GIBBS_STREAM + chain);
    c->seed = bln_rng_next(&rng);
    c->t = c->moves = c->turns = c->turned = c->window.count = 0;
    c->scales = 0;
    c->cosine = 0.0;
    c->status = BLN_OK;
    memcpy(c->prior_var, f->hyper.prior_var, blni_glm_priors(&f->desc)*sizeof *c->prior_var);
    memcpy(c->eta, f->hyper.eta, f->desc.likelihood.n_theta*sizeof *c->eta);
    memcpy(c->theta, f->hyper.theta, blni_glm_thetas(&f->desc)*sizeof *c->theta);
    for (size_t v = 0; v < f->rows.n_views && t->theta_at < t->n; v++) blni_gibbs_features(t, c, v);
    for (size_t k = 0; k < t->n; k++) {
        c->u[k] = bln_param_free(f->search.param + k, *blni_gibbs_natural(t, c, k));
        c->width[k] = 1.0;
    }
    bln_rng_normals(&rng, t->D, c->w);
    blni_gibbs_spread(t, c->w);
    for (size_t j = 0; j < t->J; j++) blni_sites_prior(c->sites + j, c->prior_var);
    for (size_t j = 0; j < t->D; j++) c->w[j] = t->m[j] + BLNI_GIBBS_SPREAD*c->w[j];
    for (int n = 0; n <= BLNI_GIBBS_HALVINGS; n++) {
        blni_gibbs_latent(t, c, 0, t->J);
        blni_gibbs_residuals(t, c, 0, t->J, NULL);
        c->value = blni_gibbs_value(t, c, c->f);
        if (blni_finite(c->value)) return;
        for (size_t j = 0; j < t->D; j++) c->w[j] += 0.5*(t->m[j] - c->w[j]);
    }
    c->status = BLN_ENUMERIC;
}

BLNI_PRIV void blni_gibbs_sweep(const blni_gibbs *t, blni_gibbs_chain *c)
{
    const size_t group = t->augmentation->simultaneous ? t->J : 1;
    bln_rng rng = blni_rng_of(c->seed, (uint64_t)c->t);
    const uint64_t seed = bln_rng_next(&rng);
    bln_rng_seed(&rng, seed, 0);
    c->t++;
    if (c->turns) blni_gibbs_ellipses(t, c, &rng);
    blni_gibbs_slow_weights(t, c, &rng);
    if (c->scales) blni_gibbs_scales(t, c, &rng);
    for (size_t k = t->priors; k < t->theta_at; k++) {
        blni_gibbs_line line = { t, c, k, 0, t->J, 0.0, 0.0, 0.0 };
        blni_gibbs_move(&line, &c->value, blni_gibbs_eta_line, &rng);
    }
    for (size_t j = 0; j < t->J && c->status == BLN_OK; j += group) {
        blni_gibbs_factors(t, c, j, j + group, seed);
        blni_gibbs_weights(t, c, j, j + group, &rng);
    }
    if (c->status != BLN_OK) return;
    c->value = blni_gibbs_value(t, c, c->f);
    if (!blni_finite(c->value)) c->status = BLN_ENUMERIC;
    else if (c->t <= t->own.warmup) blni_gibbs_learn(t, c);
}

/* A row of all draws: w, hyper-parameters that are drawn, and the log density of these and of y. */
BLNI_PRIV void blni_gibbs_draw(const blni_gibbs *t, const blni_gibbs_chain *c, double *row)
{
    double lp = c->value;
    for (size_t i = 0; i < t->D; i++) {
        size_t latent;
        const double root = blni_gibbs_root(t, c, i, &latent), x = c->w[i]/root;
        lp -= 0.5*(x*x + BLNI_LOG_2PI) + log(root);
    }
    memcpy(row, c->w, t->D*sizeof *row);
    for (size_t k = 0; k < t->n; k++) {
        lp += blni_gibbs_prior(t, k, c->u[k]);
        row[t->D + k] = *blni_gibbs_natural(t, c, k);
    }
    row[t->D + t->n] = lp;
}
