/* nuts: trajectories that double, forwards or backwards in time at random, until they would turn back
 *                                                                 [Hoffman & Gelman 2014; Betancourt 2017; samplers 35, 36]
 *
 * A doubling adds a subtree of 2^depth steps at one end. The draw of a subtree is one of its points, with probabilities
 * proportional to e^-H; the draw of the trajectory then moves there with probability min(1, weight of the subtree/weight of the
 * rest), which favours distant points. A subtree that turns back within itself, or loses the trajectory, is dropped and ends the
 * transition.
 *
 * A stretch of points a..b turns back unless rho'r_a > 0 and rho'r_b > 0, rho = r_a + .. + r_b. This is checked for a subtree and
 * for each of its halves, quarters, ..., and, where two halves a..m and m+1..b meet, for a..m+1 and m..b as well: otherwise a
 * trajectory may go round in a circle whose halves do not show it.
 *
 * There is no recursion. Points of a subtree come in the order of time; with running sums, rho of a stretch is the sum up to b less
 * the sum before a. After point n the stretches of 2^k points that end with it are complete, for each k up to the number of zeros
 * at the end of n + 1 in binary. Point a was kept in first[number of zeros at the end of a], and so was m+1; m was kept in last[k -
 * 1]. None of these is overwritten before its last use. So memory is 6 D numbers for each level. */
#include "nuts_private.h"
#include "../core/status_private.h"
#include "../math/blas.h"

BLNI_PRIV void blni_nuts_carve_passed(blni_arena *a, size_t D, blni_passed *p) { BLNI_CARVE3(a, D, p->r, p->sum, p->before); }

BLNI_PRIV void blni_nuts_carve(blni_arena *a, size_t D, size_t max_depth, blni_nuts *w)
{
    blni_phase_carve(a, D, &w->left);
    blni_phase_carve(a, D, &w->right);
    blni_phase_carve(a, D, &w->chosen);
    BLNI_CARVE4(a, D, w->all, w->sum, w->before, w->near);
    for (size_t k = 0; k <= max_depth; k++) {
        blni_nuts_carve_passed(a, D, w->first + k);
        blni_nuts_carve_passed(a, D, w->last + k);
    }
}

/* sum of e^(log weights), as size e^top. */
typedef struct blni_weight { double top, size; } blni_weight;

/* Adds e^d; returns e^d in units of e^top. */
BLNI_PRIV double blni_weight_add(blni_weight *w, double d)
{
    if (d > w->top) {
        w->size = w->size*exp(w->top - d) + 1.0;
        w->top = d;
        return 1.0;
    }
    const double x = exp(d - w->top);
    w->size += x;
    return x;
}

BLNI_PRIV double blni_weight_ratio(const blni_weight *a, const blni_weight *b) { return a->size/b->size*exp(a->top - b->top); }

BLNI_PRIV void blni_weight_join(blni_weight *to, const blni_weight *from)
{
    blni_weight low = *from, high = *to;
    if (low.top > high.top) { low = *to; high = *from; }
    to->top = high.top;
    to->size = high.size + low.size*exp(low.top - high.top);
}

/* What one transition shares. */
typedef struct blni_trajectory {
    blni_system     *s;
    blni_nuts       *w;
    bln_rng         *rng;
    double           H0, chosen_energy;
    blni_transition *out;
} blni_trajectory;

/* Do the momenta a and b, at the ends of a stretch, still part? rho = x + sign y. */
BLNI_PRIV int blni_nuts_parts(size_t D, const double *x, double sign, const double *y, const double *a, const double *b)
{
    return bln_dot(D, x, a) + sign*bln_dot(D, y, a) > 0.0 && bln_dot(D, x, b) + sign*bln_dot(D, y, b) > 0.0;
}

/* The same of the stretch from a to b, both within one subtree. */
BLNI_PRIV int blni_nuts_stretch(size_t D, const blni_passed *a, const blni_passed *b)
{
    return blni_nuts_parts(D, b->sum, -1.0, a->before, a->r, b->r);
}

BLNI_PRIV void blni_nuts_keep(size_t D, const blni_passed *from, const blni_passed *to)
{
    memcpy(to->r, from->r, D*sizeof *to->r);
    memcpy(to->sum, from->sum, D*sizeof *to->sum);
    memcpy(to->before, from->before, D*sizeof *to->before);
}

/* Zeros at the end of n > 0. */
BLNI_PRIV size_t blni_zeros(size_t n)
{
    size_t k = 0;
    while (!(n >> k & 1)) k++;
    return k;
}

/* Point n of a subtree is there: keeps it as far as it is needed, and tells whether all stretches that it completes part. */
BLNI_PRIV int blni_nuts_passed(size_t D, blni_nuts *w, size_t n, size_t depth, const blni_passed *now)
{
    if (n % 2 == 0) { blni_nuts_keep(D, now, w->first + (n ? blni_zeros(n) : depth)); return 1; }
    const size_t most = blni_zeros(n + 1);
    for (size_t k = 1; k <= most; k++) {
        const size_t a = n + 1 - ((size_t)1 << k);
        const blni_passed *begin = w->first + (a ? blni_zeros(a) : depth);
        if (!blni_nuts_stretch(D, begin, now)) return 0;
        if (k == 1) continue;                                    /* two points: the halves are one each */
        if (!blni_nuts_stretch(D, begin, w->first + k - 1) || !blni_nuts_stretch(D, w->last + k - 1, now)) return 0;
    }
    blni_nuts_keep(D, now, w->last + most);
    return 1;
}

/* 2^depth steps of size e on from z. w->chosen: one of these points; w->sum: the sum of their momenta; *good: does it count? */
BLNI_PRIV bln_status blni_nuts_subtree(blni_trajectory *t, size_t depth, double e, blni_phase *z, blni_weight *weight, int *good)
{
    blni_nuts *w = t->w;
    const size_t D = t->s->D, points = (size_t)1 << depth;
    const blni_passed now = { z->r, w->sum, w->before };
    *good = 0;
    weight->top = -HUGE_VAL;
    weight->size = 0.0;
    memset(w->sum, 0, D*sizeof *w->sum);
    for (size_t n = 0; n < points; n++) {
        BLNI_TRY(blni_leapfrog(t->s, z, e));
        const double H = blni_system_energy(t->s, z), d = t->H0 - H;
        t->out->leapfrogs++;
        t->out->accept += d > 0.0 ? 1.0 : exp(d);
        t->out->divergent = !(-d <= BLNI_DIVERGENCE);
        if (t->out->divergent) return BLN_OK;
        memcpy(w->before, w->sum, D*sizeof *w->sum);
        bln_axpy(D, 1.0, z->r, w->sum);
        const double mine = blni_weight_add(weight, d);
        if (n == 0 || bln_rng_uniform(t->rng)*weight->size < mine) {
            blni_phase_copy(D, z, &w->chosen);
            t->chosen_energy = H;
        }
        if (!blni_nuts_passed(D, w, n, depth, &now)) return BLN_OK;
    }
    *good = 1;
    return BLN_OK;
}

/* Does the trajectory that the subtree prolongs still part? far, other: its ends; near: where the subtree began. */
BLNI_PRIV int blni_nuts_goes_on(size_t D, const blni_nuts *w, size_t depth, const double *other, const double *far)
{
    const double *next = w->first[depth].r;
    return blni_nuts_parts(D, w->all, 1.0, w->sum, other, far) && blni_nuts_parts(D, w->all, 1.0, next, other, next)
        && blni_nuts_parts(D, w->near, 1.0, w->sum, w->near, far);
}

/* at: position and slope, which stay; next: the draw. */
BLNI_PRIV bln_status blni_nuts_transition(blni_system *s, bln_rng *rng, double step, size_t max_depth, blni_nuts *w,
                                          const blni_phase *at, blni_phase *next, blni_transition *out)
{
    const size_t D = s->D, bytes = D*sizeof(double);
    blni_trajectory t = { s, w, rng, 0.0, 0.0, out };
    blni_weight all = { 0.0, 1.0 };
    memset(out, 0, sizeof *out);
    blni_phase_copy(D, at, &w->left);
    bln_rng_normals(rng, D, w->left.r);
    blni_phase_copy(D, at, &w->right);
    memcpy(w->right.r, w->left.r, bytes);
    memcpy(w->all, w->left.r, bytes);
    blni_phase_copy(D, at, next);
    t.H0 = out->energy = blni_system_energy(s, &w->left);
    for (int goes_on = 1; goes_on && out->depth < max_depth;) {
        const int forward = (int)(bln_rng_next(rng) >> 63);
        blni_phase *far = forward ? &w->right : &w->left;
        const double *other = forward ? w->left.r : w->right.r;
        blni_weight weight;
        int good;
        memcpy(w->near, far->r, bytes);
        BLNI_TRY(blni_nuts_subtree(&t, out->depth, forward ? step : -step, far, &weight, &good));
        if (!good) break;
        if (bln_rng_uniform(rng) < blni_weight_ratio(&weight, &all)) {
            blni_phase_copy(D, &w->chosen, next);
            out->energy = t.chosen_energy;
        }
        blni_weight_join(&all, &weight);
        goes_on = blni_nuts_goes_on(D, w, out->depth++, other, far->r);
        bln_axpy(D, 1.0, w->sum, w->all);
    }
    out->accept /= (double)out->leapfrogs;
    return BLN_OK;
}
