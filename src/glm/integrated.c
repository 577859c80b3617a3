/* integrated: nodes over hyper-parameters, each with the full Gaussian there                                        [laplace 42-47]
 *
 * A point is u = u0 + U^-1 (scale z): u0 is the mode in the free coordinates of the hyper-parameters that are integrated, U'U minus
 * the Hessian there. After the search come three stages, each of many steps: CURVE evaluates two gradients for each coordinate;
 * SIDES finds how fast the density falls on either side of each axis, which sets scale; NODES evaluates each node. finish turns
 * these values into weights, and component makes the Gaussians of the nodes that are kept, again: to evaluate a node twice costs
 * less than to store a D x D matrix for each. */
#include "integrated.h"
#include "../core/status_private.h"
#include "../math/cholesky.h"
#include "../math/special.h"
#include "../random/qmc.h"
#include "full_private.h"
#include "result_private.h"
#include "search_private.h"

enum {
    BLNI_NODES_COORDINATES = 8,          /* that are integrated at most                    */
    BLNI_NODES_LATTICE = 2,              /* up to so many by a lattice                     */
    BLNI_NODES_REACH = 24,               /* of the lattice, to each side                   */
    BLNI_NODES_LISTED = 1024,            /* nodes of a lattice at most                     */
    BLNI_NODES_MOST = 256,               /* components                                     */
    BLNI_NODES_APART = 64                /* of own theta                                   */
};
#define BLNI_NODES_DROP   8.0            /* nats below the mode at which the lattice ends  */
#define BLNI_NODES_LEAST  1e-4           /* weight of a node that is kept                  */
#define BLNI_NODES_DELTA  0.1            /* of the differences                             */
#define BLNI_NODES_FLAT   0.02           /* least curvature: an sd of 7 in log x           */
#define BLNI_NODES_DOF    4.0
#define BLNI_NODES_LOOK   1.5            /* |z| at which SIDES looks                       */

typedef enum blni_nodes_stage { BLNI_NODES_SEARCH, BLNI_NODES_CURVE, BLNI_NODES_SIDES, BLNI_NODES_VALUES } blni_nodes_stage;

typedef struct blni_nodes {
    void    *inner;                      /* of full                                                           */
    blni_nodes_stage stage;
    bln_stop stop;                       /* why the search ended                                              */
    size_t   m, n;                       /* coordinates: integrated, in all                                   */
    size_t   at, listed, room;           /* place in the stage; nodes, and room for them                      */
    size_t   kept, most;                 /* components                                                        */
    double  *u0, *u, *up, *down;         /* n each: the mode, a point, two gradients                          */
    double  *U;                          /* m x m: minus the Hessian, then its factor                         */
    double  *scale, *side;               /* m x 2: below and above; as they are found                         */
    double  *z;                          /* room x m                                                          */
    double  *share;                      /* room: log density, then log weight                                */
    double   top, volume;                /* log density of the mode; log |U^-1| and of a lattice's cell       */
    size_t  *order;                      /* most: nodes that are kept                                         */
    unsigned char *seen;                 /* places of the lattice that are listed                             */
    double  *gap;                        /* room                                                              */
} blni_nodes;

/* ---- how many there are */

BLNI_PRIV size_t blni_nodes_coordinates(const bln_glm_desc *d)
{
    const size_t n = blni_glm_count_hyper(d);
    return n > BLNI_NODES_COORDINATES && !d->fix_theta ? n - blni_glm_thetas(d) : n;
}

BLNI_PRIV void blni_nodes_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape)
{
    const size_t nodes = ((const bln_glm_integrated_desc *)own)->nodes;
    shape->apart = !d->fix_theta && blni_glm_thetas(d) && blni_glm_count_hyper(d) <= BLNI_NODES_COORDINATES;
    shape->K = nodes ? nodes : shape->apart ? (size_t)BLNI_NODES_APART : 2*(size_t)BLNI_NODES_APART;
}

BLNI_ONCE BLNI_PRIV const char *blni_nodes_check(const bln_glm_desc *d, const void *own)
{
    blni_glm_shape shape;
    blni_nodes_shape(d, own, &shape);
    if (shape.K > (shape.apart ? (size_t)BLNI_NODES_APART : (size_t)BLNI_NODES_MOST))
        return "glm: at most 256 nodes, or 64 with basis parameters of their own";
    if (blni_nodes_coordinates(d) > BLNI_NODES_COORDINATES)
        return "glm: integrated takes at most 8 prior variances and parameters of the likelihood; fix some, or use full";
    if (d->no_hyper_prior && !(d->fix_prior_var && d->fix_likelihood))
        return "glm: hyper-parameters cannot be integrated without their priors (no_hyper_prior)";
    if (!d->fix_theta && blni_glm_thetas(d) && d->theta_sd > DBL_MAX)
        return "glm: theta cannot be integrated without its prior (theta_sd)";
    return NULL;
}

BLNI_ONCE BLNI_PRIV void *blni_nodes_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_nodes counted, *carved = (blni_nodes *)blni_carve(a, 1, sizeof *carved), *t = carved ? carved : &counted;
    const bln_glm_full_desc full = { 0, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
    blni_glm_shape shape;
    blni_nodes_shape(&f->desc, own, &shape);
    memset(t, 0, sizeof *t);
    f->search.integrated = 1;
    t->n = f->search.n_hyper;
    t->m = blni_nodes_coordinates(&f->desc);
    t->most = shape.K;
    t->room = t->m > BLNI_NODES_LATTICE ? shape.K : t->m ? (size_t)BLNI_NODES_LISTED : 1;
    BLNI_CARVE4(a, t->n, t->u0, t->u, t->up, t->down);
    t->U     = blni_carve_doubles(a, t->m*t->m);
    BLNI_CARVE2(a, 2*t->m, t->scale, t->side);
    t->z     = blni_carve_doubles(a, t->room*t->m);
    t->share = blni_carve_doubles(a, t->room);
    t->order = (size_t *)blni_carve(a, t->room, sizeof *t->order);
    t->seen  = (unsigned char *)blni_carve(a, (2*BLNI_NODES_REACH + 1)*(2*BLNI_NODES_REACH + 1), 1);
    t->inner = blni_full_carve(a, f, &full);
    t->gap   = blni_carve_doubles(a, blni_full_gap_room(&f->rows));
    return carved;
}

/* ---- the density */

/* The log density at t->u, all coordinates: the bound, and about what it lacks, which is less under narrow priors. */
BLNI_PRIV bln_status blni_nodes_density(blni_glm_fit *f, blni_nodes *t, double *log_p, bln_report *report)
{
    double value, gap;
    bln_status status = blni_glm_search_objective(f, t->n, t->u, &value, NULL, report);
    if (status == BLN_OK) status = blni_full_gap(f, t->inner, t->gap, &gap, report);
    if (status == BLN_OK) *log_p = gap - value;
    return status;
}

/* t->u <- the point z; what is not integrated is at the mode. */
BLNI_PRIV void blni_nodes_point(blni_nodes *t, const double *z)
{
    memcpy(t->u, t->u0, t->n*sizeof *t->u);
    for (size_t j = 0; j < t->m; j++) t->down[j] = z[j]*t->scale[2*j + (z[j] > 0.0)];
    bln_trsv(BLN_NOTRANS, t->m, t->U, t->m, t->down);
    for (size_t j = 0; j < t->m; j++) t->u[j] += t->down[j];
}

BLNI_PRIV bln_status blni_nodes_value(blni_glm_fit *f, blni_nodes *t, const double *z, double *log_p, bln_report *report)
{
    blni_nodes_point(t, z);
    return blni_nodes_density(f, t, log_p, report);
}

/* ---- the stages after the search */

/* Row t->at of minus the Hessian, by a difference of gradients. */
BLNI_PRIV bln_status blni_nodes_curve(blni_glm_fit *f, blni_nodes *t, bln_report *report)
{
    double unused;
    const size_t j = t->at;
    memcpy(t->u, t->u0, t->n*sizeof *t->u);
    t->u[j] = t->u0[j] + BLNI_NODES_DELTA;
    bln_status status = blni_glm_search_objective(f, t->n, t->u, &unused, t->up, report);
    t->u[j] = t->u0[j] - BLNI_NODES_DELTA;
    if (status == BLN_OK) status = blni_glm_search_objective(f, t->n, t->u, &unused, t->down, report);
    for (size_t k = 0; k < t->m; k++) t->U[j*t->m + k] = (t->up[k] - t->down[k])/(2.0*BLNI_NODES_DELTA);
    return status;
}

/* Its factor. Where it is not a maximum, or all but flat, the least ridge that makes it one, of twice the one before. */
BLNI_PRIV void blni_nodes_factor(blni_nodes *t)
{
    const size_t m = t->m;
    size_t bad;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++) {
            const double mean = 0.5*(t->U[i*m + j] + t->U[j*m + i]);
            t->U[j*m + i] = blni_finite(mean) ? mean : i == j ? 1.0 : 0.0;           /* the lower triangle stays */
        }
    for (double ridge = 0.0; ; ridge = ridge > 0.0 ? 2.0*ridge : BLNI_NODES_FLAT) {
        int good;
        for (size_t i = 0; i < m; i++) {
            for (size_t j = i + 1; j < m; j++) t->U[i*m + j] = t->U[j*m + i];
            t->up[i] = t->U[i*m + i];
            t->U[i*m + i] += ridge;
        }
        good = bln_potrf(m, t->U, m, &bad) == BLN_OK;
        for (size_t i = 0; i < m && good; i++) good = t->U[i*m + i]*t->U[i*m + i] > 0.5*BLNI_NODES_FLAT;
        if (good) break;
        for (size_t i = 0; i < m; i++) t->U[i*m + i] = t->up[i];
    }
    for (size_t i = 0; i < m; i++) {
        t->volume -= log(t->U[i*m + i]);
        t->scale[2*i] = t->scale[2*i + 1] = 1.0;
    }
}

/* The scale of one side of an axis: where a normal density would have fallen as far as this one has. */
BLNI_PRIV bln_status blni_nodes_side(blni_glm_fit *f, blni_nodes *t, bln_report *report)
{
    double z[BLNI_NODES_COORDINATES], log_p;
    for (size_t j = 0; j < t->m; j++) z[j] = 0.0;
    z[t->at/2] = t->at % 2 ? BLNI_NODES_LOOK : -BLNI_NODES_LOOK;
    BLNI_TRY(blni_nodes_value(f, t, z, &log_p, report));
    const double drop = (t->top - log_p)/(0.5*BLNI_NODES_LOOK*BLNI_NODES_LOOK);
    t->side[t->at] = drop > 0.1 ? (drop < 25.0 ? 1.0/sqrt(drop) : 0.2) : 3.2;
    return BLN_OK;
}

/* A lattice needs one scale for both sides of an axis, or the trapezoidal rule loses its order at the mode. */
BLNI_PRIV void blni_nodes_sides_done(blni_nodes *t)
{
    const int lattice = t->m <= BLNI_NODES_LATTICE;
    for (size_t j = 0; j < t->m; j++) {
        const double below = t->side[2*j], above = t->side[2*j + 1], mean = sqrt(below*above);
        const double step = (t->m == 1 ? 0.5 : 1.0)*mean;
        t->scale[2*j]     = lattice ? step : below;
        t->scale[2*j + 1] = lattice ? step : above;
        if (lattice) t->volume += log(step);
    }
}

/* ---- nodes */

/* Lists the place of the lattice if it is none that was seen, while there is room. */
BLNI_PRIV void blni_nodes_list(blni_nodes *t, const double *z)
{
    size_t place = 0;
    for (size_t j = 0; j < t->m; j++) {
        if (fabs(z[j]) > (double)BLNI_NODES_REACH) return;
        place = place*(2*BLNI_NODES_REACH + 1) + (size_t)(z[j] + (double)BLNI_NODES_REACH);
    }
    if (t->seen[place] || t->listed == t->room) return;
    t->seen[place] = 1;
    memcpy(t->z + t->listed*t->m, z, t->m*sizeof *z);
    t->listed++;
}

/* Neighbours of a place where there is still something. */
BLNI_PRIV void blni_nodes_spread(blni_nodes *t, const double *z)
{
    double next[BLNI_NODES_LATTICE];
    for (size_t j = 0; j < t->m; j++)
        for (int side = -1; side < 2; side += 2) {
            memcpy(next, z, t->m*sizeof *z);
            next[j] += side;
            blni_nodes_list(t, next);
        }
}

/* All points of the importance rule, with minus the log of their density in z, for as yet unknown share. */
BLNI_PRIV void blni_nodes_draw(const blni_glm_fit *f, blni_nodes *t)
{
    (void)bln_qmc_sobol(t->m, f->desc.seed, 0, t->room, t->z, t->m);        /* which has 8 dimensions and 256 points */
    t->listed = t->room;
    for (size_t i = 0; i < t->listed; i++) {
        t->share[i] = -log((double)t->listed);
        for (size_t j = 0; j < t->m; j++) {
            double *z = t->z + i*t->m + j;
            const double below = t->scale[2*j], above = t->scale[2*j + 1], part = below/(below + above);
            const double p = *z < part ? 0.5*(*z/part) : 0.5 + 0.5*((*z - part)/(1.0 - part));
            *z = bln_student_quantile(BLNI_NODES_DOF, p);
            t->share[i] -= bln_student_logpdf(BLNI_NODES_DOF, *z) - log(0.5*(below + above));
        }
    }
}

/* Of one node. */
BLNI_PRIV bln_status blni_nodes_node(blni_glm_fit *f, blni_nodes *t, bln_report *report)
{
    const double *z = t->z + t->at*t->m;
    double log_p;
    BLNI_TRY(blni_nodes_value(f, t, z, &log_p, report));
    if (t->m > BLNI_NODES_LATTICE) t->share[t->at] += log_p;
    else {
        t->share[t->at] = log_p;
        if (log_p > t->top - BLNI_NODES_DROP) blni_nodes_spread(t, z);
    }
    return BLN_OK;
}

/* ---- the method; its state is a blni_nodes, that of the search is full's */

BLNI_PRIV bln_status blni_nodes_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    return blni_full_open(f, ((blni_nodes *)state)->inner, report);
}

/* From the search to the mode. */
BLNI_PRIV bln_status blni_nodes_arrive(blni_glm_fit *f, blni_nodes *t, bln_report *report)
{
    t->stop = f->stop;
    f->stop = BLN_STOP_NONE;
    memcpy(t->u0, blni_glm_search_last(f), t->n*sizeof *t->u0);
    memcpy(t->u, t->u0, t->n*sizeof *t->u);
    return blni_nodes_density(f, t, &t->top, report);
}

/* The next stage, when this one has done its part `at`. */
BLNI_PRIV void blni_nodes_advance(blni_glm_fit *f, blni_nodes *t)
{
    const double origin[BLNI_NODES_LATTICE] = { 0.0, 0.0 };
    const int sides = t->stage == BLNI_NODES_SIDES;
    t->at++;
    if (t->stage == BLNI_NODES_VALUES) {
        f->done = t->at == t->listed;
        if (f->done) f->stop = t->stop;
        return;
    }
    if (t->at < (sides ? 2*t->m : t->m)) return;
    t->at = 0;
    t->stage = sides ? BLNI_NODES_VALUES : BLNI_NODES_SIDES;
    if (!sides) { blni_nodes_factor(t); return; }
    blni_nodes_sides_done(t);
    if (t->m > BLNI_NODES_LATTICE) blni_nodes_draw(f, t);
    else                           blni_nodes_list(t, origin);
}

BLNI_ONCE BLNI_PRIV bln_status blni_nodes_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_nodes *t = (blni_nodes *)state;
    bln_status status;
    if (t->stage == BLNI_NODES_SEARCH) {
        status = blni_glm_search_step(f, t->inner, report);
        if (status != BLN_OK || !f->done || !t->m) return status;
        f->done = 0;
        t->stage = BLNI_NODES_CURVE;
        return blni_nodes_arrive(f, t, report);
    }
    status = t->stage == BLNI_NODES_CURVE ? blni_nodes_curve(f, t, report)
           : t->stage == BLNI_NODES_SIDES ? blni_nodes_side(f, t, report) : blni_nodes_node(f, t, report);
    f->progress.iteration++;
    if (status == BLN_OK) blni_nodes_advance(f, t);
    return status;
}

/* Log weights in place of log densities; the nodes to keep, heaviest first, but the most probable before all. A point far out that
 * the rule has few of may weigh more than all others: importance weights are cut at sqrt n times their mean [Ionides 2008]. */
BLNI_PRIV void blni_nodes_weigh(blni_nodes *t, double *log_sum)
{
    double sum = bln_logsumexp(t->listed, t->share);
    size_t n = 0, best = 0;
    if (t->m > BLNI_NODES_LATTICE) {
        const double most = sum - 0.5*log((double)t->listed);
        for (size_t i = 0; i < t->listed; i++) if (t->share[i] > most) t->share[i] = most;
        sum = bln_logsumexp(t->listed, t->share);
    }
    *log_sum = sum + t->volume;
    for (size_t i = 0; i < t->listed; i++) {
        size_t k;
        t->share[i] -= sum;
        if (!(t->share[i] >= log(BLNI_NODES_LEAST))) continue;
        for (k = n; k > 0 && t->share[t->order[k - 1]] < t->share[i]; k--) t->order[k] = t->order[k - 1];
        t->order[k] = i;
        n++;
    }
    t->kept = blni_min(n, t->most);
    if (t->m > BLNI_NODES_LATTICE) {                         /* whose weights have the rule in them: the one nearest to the mode */
        double least = HUGE_VAL;
        for (size_t k = 0; k < t->kept; k++) {
            const double square = bln_dot(t->m, t->z + t->order[k]*t->m, t->z + t->order[k]*t->m);
            if (square < least) { least = square; best = k; }
        }
        const size_t swap = t->order[0];
        t->order[0] = t->order[best];
        t->order[best] = swap;
    }
}

/* Without nodes, as where the monitor has stopped the search, there is the last point. */
BLNI_ONCE BLNI_PRIV bln_status blni_nodes_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_nodes *t = (blni_nodes *)state;
    double log_sum = 0.0;
    blni_full_exactly(f, t->inner);
    t->listed = t->stage == BLNI_NODES_VALUES ? t->at : 0;
    if (!t->listed) { t->kept = 0; return blni_glm_search_settle(f, t->inner, report); }
    blni_nodes_weigh(t, &log_sum);
    if (!blni_finite(log_sum))                               /* else the heaviest of at most 1024 is one to keep */
        return blni_refuse(report, BLN_ENUMERIC, "glm: no hyper-parameters with a finite bound; scale the data");
    f->search.value = -log_sum;
    return BLN_OK;
}

BLNI_PRIV size_t blni_nodes_kept(const blni_glm_fit *f, const void *state)
{
    const size_t kept = ((const blni_nodes *)state)->kept;
    return kept ? kept : 1;
}

/* f->hyper at a node. */
BLNI_PRIV void blni_nodes_go(blni_glm_fit *f, blni_nodes *t, size_t node)
{
    blni_nodes_point(t, t->z + node*t->m);
    blni_glm_search_natural(f, t->u);
}

/* Component k, of node t->order[k], with its weight. */
BLNI_PRIV bln_status blni_nodes_one(blni_glm_fit *f, blni_nodes *t, blni_glm_result *out, size_t k, bln_report *report)
{
    const bln_glm_desc *d = &f->desc;
    double value;
    blni_nodes_go(f, t, t->order[k]);
    bln_status status = blni_full_bound(f, t->inner, t->u, &value, report);
    f->progress.evaluations++;
    blni_glm_result_at(out, k);
    if (status == BLN_OK) status = blni_mode_component(f, t->inner, out, report);
    *out->weight = exp(t->share[t->order[k]]);
    memcpy(out->eta, f->hyper.eta, d->likelihood.n_theta*sizeof *out->eta);
    if (out->shape.apart) memcpy(out->theta, f->hyper.theta, blni_glm_thetas(d)*sizeof *out->theta);
    return status;
}

/* Component k as the first one, and without weight. */
BLNI_PRIV void blni_nodes_none(const blni_glm_fit *f, blni_glm_result *out, size_t k)
{
    const size_t D = blni_glm_weights(&f->desc);
    blni_glm_result_at(out, 0);
    const double *m = out->m, *s = out->s, *R = out->R;
    blni_glm_result_at(out, k);
    memcpy(out->m, m, D*sizeof *m);
    memcpy(out->s, s, D*sizeof *s);
    memcpy(out->R, R, D*D*sizeof *R);
    *out->weight = 0.0;
}

/* A node other than the first whose bound had a value, but whose top is not found to the last digit, is left out. In the end
 * f->hyper is at the first. */
BLNI_PRIV bln_status blni_nodes_component(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report)
{
    blni_nodes *t = (blni_nodes *)state;
    double sum = 0.0;
    if (!t->kept) { *out->weight = 1.0; return blni_mode_component(f, t->inner, out, report); }
    for (size_t k = 0; k < t->kept; k++) {
        const bln_status status = blni_nodes_one(f, t, out, k, report);
        if (status != BLN_OK && (k == 0 || f->rows.source_failed)) return status;
        if (status != BLN_OK) { bln_report_clear(report); blni_nodes_none(f, out, k); }
        sum += *out->weight;
    }
    for (size_t k = 0; k < t->kept; k++) { blni_glm_result_at(out, k); *out->weight /= sum; }
    blni_nodes_go(f, t, t->order[0]);
    out->objective = -f->search.value;
    return BLN_OK;
}

BLNI_TABLE const bln_glm_method_ops blni_nodes_ops = {
    "integrated", sizeof(bln_glm_integrated_desc), BLN_NONE,
    BLNI_CAN_SOURCE | BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_INTEGRATE, 0, BLNI_GLM_FACTOR, BLNI_GLM_FACTOR, BLN_SITES_MEAN,
    300, 1e-5, blni_nodes_shape, NULL, blni_nodes_check, blni_nodes_carve, blni_nodes_begin, blni_nodes_step, blni_nodes_finish,
    blni_nodes_component, blni_full_bound, blni_full_slopes, NULL, blni_nodes_kept, NULL
};

BLN_API bln_glm_method bln_glm_integrated(const bln_glm_integrated_desc *own) { return blni_glm_method(&blni_nodes_ops, own); }

BLNI_TABLE const bln_option blni_nodes_options[] = {
    { "nodes", BLN_OPTION_COUNT, offsetof(bln_glm_integrated_desc, nodes), NULL, NULL,
      "components at most (default 128; with basis parameters of their own 64)" }
};

BLNI_TABLE const bln_glm_card blni_nodes_card = {
    &blni_nodes_ops, "integrated", "hyper-parameters integrated", "hyper-parameters integrated",
    "as full, averaged over prior variances, length scales and the likelihood's\n"
    "parameters in place of their best values: wider where rows are few",
    0, BLNI_GLM_OWN(bln_glm_integrated_desc, blni_nodes_options)
};

BLN_API const bln_glm_card *bln_glm_integrated_card(void) { return &blni_nodes_card; }
