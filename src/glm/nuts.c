/* nuts: the joint density of >>glm_density, sampled in coordinates in which it is about a standard normal
 *
 * A weight that the rows determine does not move with its prior variance lambda; one of which they say nothing scales with
 * sqrt lambda; and a slice may have directions of both kinds. So coordinates are made from the full Gaussian N(m0, C0) at the best
 * hyper-parameters. For each slice, with x = w/sqrt(lambda0) and C its covariance given the slices behind it in z,
 *
 *     C^-1 = I + Q diag(a) Q',   nu = lambda0/lambda,   rho = sigma0^2/sigma^2 (1 where the likelihood has no unit of y),
 *     y_j = b_j rho/p_j + t_j/sqrt(p_j),   p_j = nu + a_j rho,   b = (1 + a) Q'm0,   x = Q y,
 *     t = R_kk^-1 (z - sum_l R_kl (y_l - Q_l'm0_l)),   R the factor of C0^-1 in the coordinates Q'x, l: the slices behind,
 *
 * R_kk scaled by 1/sqrt(1 + a), which makes it about I. With normal noise and one slice z | lambda, sigma is N(0, I) exactly, and
 * with several slices it is so for any prior variances of all but the first in z. Each direction is thus put at its own best place
 * between centred and non-centred coordinates [Papaspiliopoulos, Roberts & Skold 2007, who do so for each weight; samplers 51].
 *
 * The search of the method full comes first; after it each step makes a few transitions of each chain. The sampler and its density
 * are objects outside the fit's block: begin makes them, so that steps allocate nothing (but for a look at the draws, if
 * there is a target), and close releases them. */
#include "nuts.h"
#include "../random/rng_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../math/cholesky.h"
#include "../optim/transform.h"
#include "../sampling/hmc_private.h"
#include "full_private.h"
#include "glm_density_private.h"
#include "keep_private.h"
#include "search_private.h"

enum {
    BLNI_DRAWN_BLOCK = 10,               /* transitions of each chain in a step                 */
    BLNI_DRAWN_HALVINGS = 20,            /* of the way to a start that is impossible            */
    BLNI_DRAWN_TURNED = 512,             /* slices of so many weights are turned                */
    BLNI_DRAWN_SWEEPS = 6
};
#define BLNI_DRAWN_STREAM (UINT64_C(4) << 60)        /* of starts: none of the sampler's         */
#define BLNI_DRAWN_DELTA  0.1                        /* of the differences that give scales      */
#define BLNI_DRAWN_ANGLE  1e-3                       /* cosine of rows that need no turn         */

typedef struct blni_drawn blni_drawn;

/* The density of one chain. */
typedef struct blni_drift {
    bln_allocator    alloc;
    size_t           bytes;
    const blni_drawn *of;
    bln_glm_density *joint;
    double          *q, *g;              /* dim each: coordinates of joint, slopes there                               */
    double          *t, *y, *p, *off;    /* D each: as in the first comment                                            */
} blni_drift;

struct blni_drawn {
    blni_keep        keep;
    bln_glm_nuts_desc own;
    const blni_glm_fit *f;
    size_t           D, n, dim;          /* weights, hyper-parameters, both                                            */
    size_t           noise;              /* the hyper-parameter in units of y, or BLN_NONE                             */
    double           power;              /* sigma^2 is it to this power                                                */
    double          *u0, *natural0;      /* n each                                                                     */
    double          *a, *b;              /* D each                                                                     */
    size_t          *place, *order;      /* of each slice: where its weights stand in z; slices by that                */
    double          *Q, *R;              /* D x D: in blocks of a slice Q', whose rows are directions; the factor       */
    double          *s, *slope, *room;   /* D, dim, D x D: U of the Gaussian, C0^-1                                     */
    double          *variance, *start;   /* dim; chains x dim                                                          */
    blni_drift      *drift;
    bln_hmc         *hmc;
    size_t           evaluations;        /* of the sampler so far                                                      */
};

/* ---- the density */

/* log x/x0 of hyper-parameter k at to->q; *slope: its derivative. */
BLNI_PRIV double blni_drift_log(const blni_drift *to, size_t k, double *slope)
{
    const blni_drawn *t = to->of;
    const bln_param *p = t->f->search.param + k;
    const double u = to->q[t->D + k], x = bln_param_natural(p, u);
    *slope = bln_param_slope(p, u)/x;
    return log(x/t->natural0[k]);
}

/* nu and rho of a slice, and the derivatives of their logarithms in the coordinates. */
typedef struct blni_stretch { double nu, rho, of_nu, of_rho; } blni_stretch;

BLNI_PRIV blni_stretch blni_drift_stretch(const blni_drift *to, const blni_glm_slice *slice)
{
    const blni_drawn *t = to->of;
    blni_stretch e = { 1.0, 1.0, 0.0, 0.0 };
    if (t->f->slope.prior_var) e.nu = exp(-blni_drift_log(to, slice->prior, &e.of_nu));
    if (t->noise != BLN_NONE) e.rho = exp(-t->power*blni_drift_log(to, t->noise, &e.of_rho));
    e.of_nu = -e.of_nu;
    e.of_rho *= -t->power;
    return e;
}

/* to->q <- the coordinates of the joint density, w in units of its prior standard deviations; returns log |dq/dz|. */
BLNI_PRIV double blni_drift_move(const blni_drift *to, const double *z)
{
    const blni_drawn *t = to->of;
    const size_t D = t->D;
    double sum = 0.0;
    memcpy(to->t, z, D*sizeof *z);
    for (size_t k = 0; k < t->n; k++) to->q[D + k] = t->u0[k] + z[D + k];
    for (size_t l = t->f->rows.n_slices; l-- > 0;) {
        const size_t k = t->order[l], at = t->place[k];
        const blni_glm_slice *slice = t->f->rows.slice + k;
        const blni_stretch e = blni_drift_stretch(to, slice);
        const size_t first = slice->first, n = slice->end - first, end = at + n;
        double *own = to->t + at, *y = to->y + first;
        if (end < D) bln_gemv(BLN_NOTRANS, n, D - end, -1.0, t->R + at*D + end, D, to->off + end, 1.0, own);
        bln_trsv(BLN_NOTRANS, n, t->R + at*D + at, D, own);
        for (size_t j = 0; j < n; j++) {
            const double a = t->a[first + j], p = e.nu + a*e.rho;
            to->p[first + j] = p;
            y[j] = t->b[first + j]*e.rho/p + own[j]/sqrt(p);
            to->off[at + j] = y[j] - t->b[first + j]/(1.0 + a);
            sum += 0.5*log(e.nu/p);
        }
        bln_gemv(BLN_TRANS, n, n, 1.0, t->Q + first*D + first, D, y, 0.0, to->q + first);
        bln_scal(n, sqrt(e.nu), to->q + first);
    }
    return sum;
}

/* The slopes of slice k, from those of the joint density, to->g, and what the slices before it have left in gradient; to->g is
 * lost. */
BLNI_PRIV void blni_drift_chain(const blni_drift *to, size_t k, double *gradient)
{
    const blni_drawn *t = to->of;
    const blni_glm_slice *slice = t->f->rows.slice + k;
    const size_t D = t->D, first = slice->first, n = slice->end - first, at = t->place[k], end = at + n;
    const blni_stretch e = blni_drift_stretch(to, slice);
    double in_nu = 0.0, in_rho = 0.0, *own = gradient + at;      /* slopes in log nu, log rho; in y, then t, then z */
    for (size_t i = first; i < slice->end; i++) in_nu += 0.5*(to->g[i]*to->q[i] + 1.0);
    bln_scal(n, sqrt(e.nu), to->g + first);
    bln_gemv(BLN_NOTRANS, n, n, 1.0, t->Q + first*D + first, D, to->g + first, 1.0, own);
    for (size_t j = 0; j < n; j++) {
        const double p = to->p[first + j], root = sqrt(p), centre = t->b[first + j]*e.rho/p;
        const double in_p = -(own[j]*(centre + 0.5*to->t[at + j]/root) + 0.5)/p;
        in_nu += in_p*e.nu;
        in_rho += in_p*t->a[first + j]*e.rho + own[j]*centre;
        own[j] /= root;
    }
    bln_trsv(BLN_TRANS, n, t->R + at*D + at, D, own);
    if (end < D) bln_gemv(BLN_TRANS, n, D - end, -1.0, t->R + at*D + end, D, own, 1.0, gradient + end);
    if (t->f->slope.prior_var) gradient[D + slice->prior] += in_nu*e.of_nu;
    if (t->noise != BLN_NONE) gradient[D + t->noise] += in_rho*e.of_rho;
}

BLNI_PRIV bln_status blni_drift_eval(void *user, const double *z, double *value, double *gradient, bln_report *report)
{
    const blni_drift *to = (const blni_drift *)user;
    const blni_drawn *t = to->of;
    const double bent = blni_drift_move(to, z);
    *value = -HUGE_VAL;
    if (!blni_finite(bent) || !blni_all_finite(t->dim, to->q)) return BLN_OK;
    const bln_status status = blni_joint_eval(to->joint, to->q, value, gradient ? to->g : NULL, report);
    *value += bent;
    if (status != BLN_OK || !gradient) return status;
    memset(gradient, 0, t->D*sizeof *gradient);
    memcpy(gradient + t->D, to->g + t->D, t->n*sizeof *gradient);
    for (size_t l = 0; l < t->f->rows.n_slices; l++) blni_drift_chain(to, t->order[l], gradient);
    return BLN_OK;
}

BLNI_PRIV void blni_drift_output(void *user, const double *z, uint64_t seed, uint64_t draw, double *out)
{
    const blni_drift *to = (const blni_drift *)user;
    blni_drift_move(to, z);
    blni_joint_output(to->joint, to->q, seed, draw, out);
}

BLNI_PRIV void blni_drift_name(void *user, size_t k, char *text, size_t size)
{
    blni_keep_name(((const blni_drift *)user)->of->f, k, text, size);
}

BLNI_PRIV void blni_drift_free(void *user)
{
    blni_drift *to = (blni_drift *)user;
    if (!to) return;
    bln_glm_density_free(to->joint);
    blni_release(&to->alloc, to, to->bytes);
}

BLNI_PRIV bln_status blni_drift_make(const blni_drawn *t, blni_drift **out, bln_report *report)
{
    const blni_glm_fit *f = t->f;
    void *block;
    const size_t numbers = blni_mul(6, t->dim), bytes = blni_add(sizeof(blni_drift), blni_mul(numbers, sizeof(double)));
    BLNI_TRY(blni_take(&f->desc.alloc, bytes, "glm", &block, report));
    blni_drift *to = (blni_drift *)memset(block, 0, bytes);
    double **const parts[] = { &to->q, &to->g, &to->t, &to->y, &to->p, &to->off };
    to->alloc = f->desc.alloc;
    to->bytes = bytes;
    to->of = t;
    for (size_t i = 0; i < sizeof parts/sizeof *parts; i++) *parts[i] = (double *)(void *)(to + 1) + i*t->dim;
    bln_status status = blni_joint_make(&to->alloc, &f->desc, f->data, &to->joint, report);
    if (status == BLN_OK) *out = to;
    else blni_drift_free(to);
    return status;
}

BLNI_PRIV bln_status blni_drift_clone(void *user, const bln_allocator *alloc, void **out)
{
    blni_drift *copy = NULL;
    (void)alloc;                                                 /* that of the model */
    const bln_status status = blni_drift_make(((const blni_drift *)user)->of, &copy, NULL);
    *out = copy;
    return status;
}

BLNI_PRIV bln_density blni_drift_density(blni_drift *to)
{
    bln_density d = BLN_ZERO;
    d.dim = d.n_out = to->of->dim;
    d.eval = blni_drift_eval;
    d.user = to;
    d.clone = blni_drift_clone;
    d.release = blni_drift_free;
    d.output = blni_drift_output;
    d.name = blni_drift_name;
    return d;
}

/* ---- the method */

BLNI_PRIV void blni_drawn_defaults(void *own)
{
    bln_glm_nuts_desc *o = (bln_glm_nuts_desc *)own;
    if (!o->chains) o->chains = 4;
    if (!o->warmup) o->warmup = 300;
    if (!o->draws)  o->draws = o->target_ess > 0.0 ? BLNI_KEEP_DRAWS_MOST : BLNI_KEEP_DRAWS;
    if (!(o->accept != 0.0)) o->accept = 0.8;
}

BLNI_PRIV blni_keep blni_drawn_asked(const bln_glm_desc *d, const void *own)
{
    const bln_glm_nuts_desc *o = (const bln_glm_nuts_desc *)own;
    blni_keep k = BLN_ZERO;
    k.chains = o->chains;
    k.keep = o->keep;
    k.draws = o->draws;
    k.target = o->target_ess;
    k.apart = !d->fix_theta && blni_glm_thetas(d) > 0;
    k.n = blni_glm_count_hyper(d);
    return k;
}

BLNI_PRIV void blni_drawn_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape)
{
    const blni_keep k = blni_drawn_asked(d, own);
    shape->apart = k.apart;
    shape->K = blni_keep_most(&k);
}

BLNI_PRIV const char *blni_drawn_check(const bln_glm_desc *d, const void *own)
{
    const double accept = ((const bln_glm_nuts_desc *)own)->accept;
    const blni_keep k = blni_drawn_asked(d, own);
    const char *why = blni_keep_check(&k, d);
    if (why) return why;
    return accept > 0.0 && accept < 1.0 ? NULL : "glm: accept must be in (0, 1)";
}

BLNI_PRIV void *blni_drawn_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_drawn counted, *carved = (blni_drawn *)blni_carve(a, 1, sizeof *carved), *t = carved ? carved : &counted;
    const bln_glm_full_desc full = { 0, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
    memset(t, 0, sizeof *t);
    memcpy(&t->own, own, sizeof t->own);
    t->keep = blni_drawn_asked(&f->desc, own);
    f->search.integrated = 1;
    t->D = f->rows.n_w;
    t->n = f->search.n_hyper;
    t->dim = blni_add(t->D, t->n);
    BLNI_CARVE2(a, t->n, t->u0, t->natural0);
    BLNI_CARVE2(a, t->D, t->a, t->b);
    t->place    = (size_t *)blni_carve(a, f->rows.n_slices, sizeof *t->place);
    t->order    = (size_t *)blni_carve(a, f->rows.n_slices, sizeof *t->order);
    BLNI_CARVE2(a, blni_mul(t->D, t->D), t->Q, t->R);
    t->s        = blni_carve_doubles(a, t->D);
    t->slope    = blni_carve_doubles(a, t->dim);
    t->room     = blni_carve_doubles(a, blni_mul(t->D, t->D));
    t->variance = blni_carve_doubles(a, t->dim);
    t->start    = blni_carve_doubles(a, blni_mul(t->own.chains, t->dim));
    t->keep.mean = t->u0;
    t->keep.square = t->variance;
    t->keep.root = t->s;
    t->keep.inner = blni_full_carve(a, f, &full);
    return carved;
}

BLNI_PRIV void blni_drawn_close(void *state)
{
    blni_drawn *t = (blni_drawn *)state;
    bln_hmc_free(t->hmc);
    blni_drift_free(t->drift);
    t->hmc = NULL;
    t->drift = NULL;
}

/* The sampler, whose starts and scales are found later. */
BLNI_PRIV bln_status blni_drawn_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_drawn *t = (blni_drawn *)state;
    bln_hmc_desc d;
    t->f = f;
    t->noise = BLN_NONE;
    const size_t eta = f->slope.prior_var ? blni_glm_priors(&f->desc) : 0;
    for (size_t k = 0; k < f->desc.likelihood.n_theta && !f->desc.fix_likelihood; k++) {
        const int power = f->search.param[eta + k].y_power;
        if (power && t->noise == BLN_NONE) { t->noise = eta + k; t->power = 2.0/power; }
    }
    BLNI_TRY(blni_drift_make(t, &t->drift, report));
    for (size_t i = 0; i < t->dim; i++) t->variance[i] = 1.0;
    memset(&d, 0, sizeof d);
    d.density = blni_drift_density(t->drift);
    d.chains = d.n_starts = t->own.chains;
    d.warmup = t->own.warmup;
    d.draws = t->own.draws;
    d.accept = t->own.accept;
    d.inverse_metric = t->variance;
    d.start = t->start;
    d.seed = f->desc.seed;
    d.block = BLNI_DRAWN_BLOCK;
    d.alloc = f->desc.alloc;
    bln_status status = bln_hmc_create(&d, &t->hmc, report);
    if (status == BLN_OK) status = blni_full_open(f, t->keep.inner, report);
    if (t->hmc) t->keep.all = &t->hmc->chains;
    f->done = 0;                                                 /* where nothing is learnt the search is over already */
    return status;
}

/* Variances of the hyper-parameters, by the curvature along each axis. */
BLNI_PRIV bln_status blni_drawn_scales(blni_drawn *t, bln_report *report)
{
    double *z = t->start, value;
    for (size_t k = t->D; k < t->dim; k++) {
        double curvature = 0.0;
        for (size_t i = 0; i < t->dim; i++) z[i] = 0.0;
        for (int side = -1; side < 2; side += 2) {
            z[k] = side*BLNI_DRAWN_DELTA;
            BLNI_TRY(blni_drift_eval(t->drift, z, &value, t->slope, report));
            curvature -= side*t->slope[k]/(2.0*BLNI_DRAWN_DELTA);
        }
        if (curvature > 1.0) t->variance[k] = 1.0/fmin(curvature, 1e12);
    }
    return BLN_OK;
}

/* Chain c begins at a draw of the Gaussian, or where that is impossible nearer to its middle. */
BLNI_PRIV bln_status blni_drawn_start(blni_drawn *t, size_t c, bln_report *report)
{
    double *z = t->start + c*t->dim, value = -HUGE_VAL;
    bln_rng rng = blni_rng_of(t->f->desc.seed, BLNI_DRAWN_STREAM + c);
    bln_rng_normals(&rng, t->dim, z);
    for (size_t k = t->D; k < t->dim; k++) z[k] *= sqrt(t->variance[k]);
    for (int n = 0; n < BLNI_DRAWN_HALVINGS; n++) {
        BLNI_TRY(blni_drift_eval(t->drift, z, &value, t->slope, report));
        if (value > -HUGE_VAL && blni_all_finite(t->dim, t->slope)) break;
        for (size_t k = 0; k < t->dim; k++) z[k] *= 0.5;
    }
    return BLN_OK;
}

/* Rotates n rows of T until they are all but orthogonal, and those of Q as well [one-sided Jacobi: Hestenes 1958]. Any rotation is
 * allowed, the right one makes the sampler quick: a few sweeps are enough. */
BLNI_PRIV void blni_drawn_turn(size_t n, double *T, double *Q, size_t ld)
{
    double worst = 1.0;
    for (int sweep = 0; sweep < BLNI_DRAWN_SWEEPS && worst > BLNI_DRAWN_ANGLE; sweep++) {
        worst = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                double *row[2][2];
                row[0][0] = T + i*ld;
                row[0][1] = T + j*ld;
                row[1][0] = Q + i*ld;
                row[1][1] = Q + j*ld;
                const double xx = bln_dot(n, row[0][0], row[0][0]), yy = bln_dot(n, row[0][1], row[0][1]);
                const double xy = bln_dot(n, row[0][0], row[0][1]), angle = fabs(xy)/sqrt(xx*yy);
                if (!(angle > BLNI_DRAWN_ANGLE)) continue;
                worst = angle > worst ? angle : worst;
                const double tau = (yy - xx)/(2.0*xy), tangent = (tau < 0.0 ? -1.0 : 1.0)/(fabs(tau) + sqrt(1.0 + tau*tau));
                const double c = 1.0/sqrt(1.0 + tangent*tangent), s = c*tangent;
                for (int of = 0; of < 2; of++)
                    for (size_t k = 0; k < n; k++) {
                        const double x = row[of][0][k], y = row[of][1][k];
                        row[of][0][k] = c*x - s*y;
                        row[of][1][k] = s*x + c*y;
                    }
            }
    }
}

/* R <- the factor of Q'PQ in the order of z, P = t->room. Is it positive definite? */
BLNI_PRIV int blni_drawn_factor(blni_drawn *t)
{
    const size_t D = t->D, n_slices = t->f->rows.n_slices;
    for (size_t k = 0; k < n_slices; k++)
        for (size_t l = 0; l < n_slices; l++) {
            const blni_glm_slice *row = t->f->rows.slice + k, *column = t->f->rows.slice + l;
            const size_t n = row->end - row->first, m = column->end - column->first;
            if (t->place[k] > t->place[l]) continue;
            for (size_t i = 0; i < n; i++) {
                bln_gemv(BLN_TRANS, n, m, 1.0, t->room + row->first*D + column->first, D, t->Q + (row->first + i)*D + row->first,
                         0.0, t->slope);
                bln_gemv(BLN_NOTRANS, m, m, 1.0, t->Q + column->first*D + column->first, D, t->slope, 0.0,
                         t->R + (t->place[k] + i)*D + t->place[l]);
            }
        }
    return bln_potrf(D, t->R, D, NULL) == BLN_OK;
}

/* The place of each slice in z: the more weights it has, the earlier. */
BLNI_PRIV void blni_drawn_places(blni_drawn *t)
{
    const blni_glm_slice *slice = t->f->rows.slice;
    for (size_t k = 0; k < t->f->rows.n_slices; k++) {
        const size_t n = slice[k].end - slice[k].first;
        size_t before = 0;
        t->place[k] = 0;
        for (size_t l = 0; l < t->f->rows.n_slices; l++) {
            const size_t m = slice[l].end - slice[l].first;
            if (m > n || (m == n && l < k)) { t->place[k] += m; before++; }
        }
        t->order[before] = k;
    }
}

/* The directions of each slice, and its a and b, from the R of Q = I, which is lost. */
BLNI_PRIV void blni_drawn_turns(const blni_glm_fit *f, blni_drawn *t, const double *x)
{
    const size_t D = t->D;
    for (size_t k = 0; k < f->rows.n_slices; k++) {
        const size_t first = f->rows.slice[k].first, n = f->rows.slice[k].end - first;
        double *T = t->R + t->place[k]*D + t->place[k];
        for (size_t i = 0; i < n; i++)                           /* the block of R, transposed in place */
            for (size_t j = i; j < n; j++) { T[j*D + i] = T[i*D + j]; if (j > i) T[i*D + j] = 0.0; }
        if (n <= BLNI_DRAWN_TURNED && f->slope.prior_var) blni_drawn_turn(n, T, t->Q + first*D + first, D);
        for (size_t j = 0; j < n; j++) {
            const double square = bln_dot(n, T + j*D, T + j*D), y = bln_dot(n, t->Q + (first + j)*D + first, x + first);
            t->a[first + j] = square > 1.0 ? square - 1.0 : 0.0;
            t->b[first + j] = y*(1.0 + t->a[first + j]);
        }
    }
}

/* a, b, Q and R from the Gaussian of full: its mean is x, which becomes one in prior standard deviations, its U is in t->room. */
BLNI_PRIV bln_status blni_drawn_directions(blni_glm_fit *f, blni_drawn *t, double *x, bln_report *report)
{
    const size_t D = t->D;
    for (size_t i = 0; i < D; i++) x[i] /= t->s[i];
    memcpy(t->R, t->room, D*D*sizeof *t->R);
    bln_syrk(BLN_TRANS, D, D, 1.0, t->R, D, 0.0, t->room, D);
    bln_symmetrise(D, t->room, D);
    memset(t->Q, 0, D*D*sizeof *t->Q);
    for (size_t i = 0; i < D; i++) t->Q[i*D + i] = 1.0;
    for (int turned = 0; turned < 2; turned++) {
        if (!blni_drawn_factor(t))
            return blni_refuse(report, BLN_ENUMERIC, "glm: the Gaussian that nuts begins with is not positive definite");
        if (!turned) blni_drawn_turns(f, t, x);
    }
    for (size_t k = 0; k < f->rows.n_slices; k++)                /* of t = sqrt(1 + a) y in blocks of a slice, and nearly I there */
        for (size_t j = 0, first = f->rows.slice[k].first, at = t->place[k]; j < f->rows.slice[k].end - first; j++)
            for (size_t i = at; i <= at + j; i++) t->R[i*D + at + j] /= sqrt(1.0 + t->a[first + j]);
    return BLN_OK;
}

/* From the end of the search to the first transition. */
BLNI_PRIV bln_status blni_drawn_arrive(blni_glm_fit *f, blni_drawn *t, bln_report *report)
{
    blni_glm_result r = BLN_ZERO;
    r.m = t->variance;
    r.s = t->s;
    r.R = t->room;
    blni_drawn_places(t);
    bln_status status = blni_keep_begin(&t->keep, f, &r, report);
    if (status == BLN_OK) status = blni_drawn_directions(f, t, r.m, report);
    if (status != BLN_OK) return status;
    blni_glm_search_free(f, t->u0);
    for (size_t k = 0; k < t->n; k++) t->natural0[k] = bln_param_natural(f->search.param + k, t->u0[k]);
    for (size_t i = 0; i < t->dim; i++) t->variance[i] = 1.0;
    status = blni_drawn_scales(t, report);
    for (size_t c = 0; c < t->own.chains && status == BLN_OK; c++) status = blni_drawn_start(t, c, report);
    if (status == BLN_OK) status = bln_hmc_init(t->hmc, report);
    if (status != BLN_OK && report) report->row = BLN_NONE;      /* a chain */
    f->stop = BLN_STOP_NONE;
    t->keep.sampling = 1;
    return status;
}

BLNI_PRIV bln_status blni_drawn_sample(blni_glm_fit *f, blni_drawn *t, bln_report *report)
{
    bln_report inner;
    const size_t before = f->progress.evaluations;
    bln_report_clear(&inner);
    f->progress.phase = BLN_GLM_SAMPLE;
    const bln_status status = bln_hmc_step(t->hmc, &inner);
    if (status != BLN_OK) {
        if (report) { *report = inner; report->row = BLN_NONE; }
        return status;
    }
    f->progress.iteration = inner.iterations/t->own.chains;
    f->progress.transitions = t->hmc->transitions;
    f->progress.evaluations = before + inner.evaluations - t->evaluations;
    t->evaluations = inner.evaluations;
    f->progress.objective = t->keep.bound;
    f->progress.divergent = 0;
    for (size_t c = 0; c < t->own.chains; c++) f->progress.divergent += t->hmc->chain[c].divergent;
    f->done = bln_hmc_converged(t->hmc);
    blni_keep_enough(&t->keep, f);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_drawn_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_drawn *t = (blni_drawn *)state;
    if (t->keep.sampling) return blni_drawn_sample(f, t, report);
    const bln_status status = f->search.n ? blni_glm_search_step(f, t->keep.inner, report) : BLN_OK;
    if (status != BLN_OK || (f->search.n && !f->done)) return status;
    f->done = 0;
    return blni_drawn_arrive(f, t, report);
}

BLNI_TABLE const bln_glm_method_ops blni_drawn_ops = {
    "nuts", sizeof(bln_glm_nuts_desc), BLN_NONE, BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_INTEGRATE, 0, BLNI_GLM_POINT,
    BLNI_GLM_POINT, BLN_SITES_NONE, 300, 1e-4, blni_drawn_shape, blni_drawn_defaults, blni_drawn_check, blni_drawn_carve,
    blni_drawn_begin, blni_drawn_step, blni_keep_finish, blni_keep_components, blni_full_bound, blni_full_slopes, NULL,
    blni_keep_count, blni_drawn_close
};

BLN_API bln_glm_method bln_glm_nuts(const bln_glm_nuts_desc *own) { return blni_glm_method(&blni_drawn_ops, own); }

BLNI_TABLE const bln_option blni_drawn_options[] = {
    BLNI_KEEP_OPTIONS(bln_glm_nuts_desc),
    { "accept", BLN_OPTION_POSITIVE, offsetof(bln_glm_nuts_desc, accept), NULL, NULL,
      "mean acceptance, below 1 (default 0.8); 0.95 where transitions diverge" },
    { "keep", BLN_OPTION_COUNT, offsetof(bln_glm_nuts_desc, keep), NULL, NULL,
      "draws that the model keeps (default 1000; of nuts, where basis\nparameters are learnt, 256, which is the most)" }
};

BLNI_TABLE const bln_glm_card blni_drawn_card = {
    &blni_drawn_ops, "nuts", "draws by the no-U-turn sampler", "lower bound, where they began",
    "draws from the posterior itself, of weights and hyper-parameters: slow, and\n"
    "what the others are judged by",
    BLN_GLM_IS_DRAWS, BLNI_GLM_OWN(bln_glm_nuts_desc, blni_drawn_options)
};

BLN_API const bln_glm_card *bln_glm_nuts_card(void) { return &blni_drawn_card; }
