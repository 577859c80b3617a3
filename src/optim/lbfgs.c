/* lbfgs: limited-memory BFGS, one iteration at a time
 *
 * An iteration is a direction d = -H g from the stored pairs (two-loop recursion), then a search along phi(a) = f(x + a d): a
 * bracket that grows from the first trial, and a zoom into it [optimisation 24]. The search works with scalars. Three points with
 * their gradients are kept: the present one, the trial, and the low end of the bracket. They change places by swapping pointers,
 * and the present one changes only when the iteration has succeeded, so that a failing objective leaves everything as it was.
 *
 * Near the minimum the differences phi(a) - phi(0) drown in the rounding of f while the slopes are still good. A trial whose value
 * lies within 1e-10 |f| of the lowest is therefore judged by its slope alone [optimisation 26]: the bracket then encloses a change
 * of sign of the slope. */
#include "lbfgs_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/vecmath_private.h"
#include "../math/blas.h"
#include "transform_private.h"

#define BLNI_LBFGS_C1    1e-4      /* sufficient decrease                                        [optimisation 23] */
#define BLNI_LBFGS_DELTA 0.1       /* the same test in slopes: phi' <= (1 - 2 delta) |phi'(0)|   [optimisation 26] */
#define BLNI_LBFGS_FLOOR 1e-10     /* differences of f below this part of |f| mean nothing       [optimisation 26] */
#define BLNI_LBFGS_PAIR  1e-10     /* a pair needs s'y above this times |s||y|                   [optimisation 22] */
#define BLNI_LBFGS_ANGLE 1e-12     /* a direction needs -d'g above this times |d||g|             [optimisation 22] */
enum { BLNI_LBFGS_TRIALS = 30 };   /* evaluations in each of bracket and zoom                    [optimisation 24] */

struct blni_lbfgs {
    blni_lbfgs_desc desc;           /* resolved                                                                     */
    void    *block;                /* what the allocator gave, and how much                                        */
    size_t   bytes;
    double  *x, *g;                /* present point and gradient                                                   */
    double  *xt, *gt;              /* trial                                                                        */
    double  *xl, *gl;              /* low end of the bracket                                                       */
    double  *d;                    /* direction                                                                    */
    double  *S, *Y, *rho, *work;   /* memory x n, memory x n, memory, memory: a ring                               */
    size_t   newest, pairs;        /* index of the newest pair, number of pairs held                               */
    double   gamma;                /* s'y/y'y of the newest pair: the scale of H where the pairs say nothing       */
    double   value, lowest;        /* at x; over all accepted points                                               */
    double   length;               /* of the last step, |s|; 0 before the first                                    */
    size_t   iterations, evaluations;
    int      started, slow;        /* _init has succeeded; steps in a row with too little progress                 */
    bln_stop stop;
};

/* phi at a. slope is known only if the gradient was asked for. */
typedef struct blni_probe { double a, value, slope; int sloped; } blni_probe;

/* The verdict on a trial: a new high end, a new low end, or the end of the search; or indistinguishable from the low end. */
typedef enum blni_verdict { BLNI_HIGH, BLNI_LOW, BLNI_ACCEPT, BLNI_STUCK } blni_verdict;

/* |x|_2 without overflow or underflow; not finite only if x is not, or the norm itself is too large. */
BLNI_PRIV double blni_norm(size_t n, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != x[i]) return x[i];
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    if (largest == 0.0 || !blni_finite(largest)) return largest;
    for (size_t i = 0; i < n; i++) sum += (x[i]/largest)*(x[i]/largest);
    return largest*sqrt(sum);
}

BLNI_PRIV void blni_swap(double **a, double **b) { double *c = *a; *a = *b; *b = c; }

/* ---- the object */

/* The defaults for memory and c2 are not the customary n and 0.9: on quadratics of condition 1e6 in 30 unknowns from random starts
 * these take more than 1000 iterations, memory 100 with c2 = 0.9 takes 210, with c2 = 0.5 60; well-conditioned problems pay a tenth
 * more evaluations for 0.5. Pairs beyond n still help because the recursion is exact BFGS only while it remembers all of them. */
BLNI_PRIV blni_lbfgs_desc blni_lbfgs_defaults(const blni_lbfgs_desc *desc)
{
    blni_lbfgs_desc d = *desc;
    if (d.memory == 0) d.memory = d.n <= 1000 ? 100 : blni_max(100000/d.n, 10);
    if (d.max_iterations == 0) d.max_iterations = 1000;
    if (d.gradient_tol == 0.0) d.gradient_tol = 1e-6;
    if (d.progress_tol == 0.0) d.progress_tol = 1e-9;
    if (d.c2 == 0.0) d.c2 = 0.5;
    return d;
}

BLNI_PRIV const char *blni_lbfgs_check(const blni_lbfgs_desc *desc)
{
    if (!desc) return "lbfgs: no desc";
    const blni_lbfgs_desc d = blni_lbfgs_defaults(desc);
    if (d.n == 0) return "lbfgs: n must be at least 1";
    if (!d.objective) return "lbfgs: no objective";
    if (!(d.gradient_tol > 0.0) || !blni_finite(d.gradient_tol)) return "lbfgs: gradient_tol must be positive and finite";
    if (!blni_finite(d.progress_tol)) return "lbfgs: progress_tol must be finite";
    if (!(d.c2 > BLNI_LBFGS_C1 && d.c2 < 1.0)) return "lbfgs: c2 must lie between 1e-4 and 1";
    if (!(d.first_step >= 0.0) || !blni_finite(d.first_step)) return "lbfgs: first_step must be >= 0 and finite";
    if (!(d.max_step >= 0.0) || !blni_finite(d.max_step)) return "lbfgs: max_step must be >= 0 and finite";
    return blni_allocator_ok(&d.alloc) ? NULL : "lbfgs: the allocator lacks alloc or release";
}

/* The object, or NULL where the arena only counts. */
BLNI_PRIV blni_lbfgs *blni_lbfgs_carve(blni_arena *a, const blni_lbfgs_desc *d)
{
    blni_lbfgs *self = (blni_lbfgs *)blni_carve(a, 1, sizeof *self), counted, *o = self ? self : &counted;
    memset(o, 0, sizeof *o);
    o->desc = *d;
    o->block = a->base;
    o->bytes = a->size;
    BLNI_CARVE4(a, d->n, o->x, o->g, o->xt, o->gt);
    BLNI_CARVE3(a, d->n, o->xl, o->gl, o->d);
    BLNI_CARVE2(a, blni_mul(d->memory, d->n), o->S, o->Y);
    BLNI_CARVE2(a, d->memory, o->rho, o->work);
    return self;
}

BLNI_PRIV size_t blni_lbfgs_size(const blni_lbfgs_desc *desc)
{
    const blni_lbfgs_desc d = blni_lbfgs_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_lbfgs_carve(&a, &d);
    return a.used;
}

BLNI_ONCE BLNI_PRIV bln_status blni_lbfgs_create(const blni_lbfgs_desc *desc, blni_lbfgs **out, bln_report *report)
{
    const char *why = out ? blni_lbfgs_check(desc) : "lbfgs: nowhere to put the object";
    BLNI_TRY(blni_begin(report, !why, why));
    const blni_lbfgs_desc d = blni_lbfgs_defaults(desc);
    blni_arena a;
    BLNI_TRY(blni_arena_take(&d.alloc, blni_lbfgs_size(&d), "lbfgs", &a, report));
    *out = blni_lbfgs_carve(&a, &d);
    return BLN_OK;
}

BLNI_PRIV void blni_lbfgs_free(blni_lbfgs *opt) { if (opt) blni_release(&opt->desc.alloc, opt->block, opt->bytes); }

BLNI_PRIV int blni_lbfgs_converged(const blni_lbfgs *opt, bln_stop *stop)
{
    if (stop) *stop = opt->stop;
    return !opt->started || opt->stop != BLN_STOP_NONE;
}

BLNI_PRIV const double *blni_lbfgs_x(const blni_lbfgs *opt)     { return opt->started ? opt->x : NULL; }
BLNI_PRIV const double *blni_lbfgs_gradient(const blni_lbfgs *opt) { return opt->g; }
BLNI_PRIV double        blni_lbfgs_value(const blni_lbfgs *opt) { return opt->started ? opt->value : BLNI_NAN; }

/* ---- direction */

/* Keeps the pair s = x_new - x, y = g_new - g if the curvature along it is positive beyond rounding [optimisation 22]; over- and
 * underflow of the products drops it too. s and y are formed in the slot after the newest, which is free or holds the
 * oldest pair: once overwritten the oldest is lost either way, so a dropped pair in a full ring costs that one. */
BLNI_PRIV void blni_lbfgs_push(blni_lbfgs *o, const double *x, const double *g, const double *x_new, const double *g_new)
{
    const size_t n = o->desc.n, memory = o->desc.memory, slot = o->pairs ? (o->newest + 1)%memory : 0;
    double *s = o->S + slot*n, *y = o->Y + slot*n;
    for (size_t i = 0; i < n; i++) { s[i] = x_new[i] - x[i]; y[i] = g_new[i] - g[i]; }
    const double sy = bln_dot(n, s, y), y_norm = blni_norm(n, y), gamma = sy/y_norm/y_norm;
    const int good = sy > BLNI_LBFGS_PAIR*blni_norm(n, s)*y_norm && blni_finite(1.0/sy) && gamma > 0.0 && blni_finite(gamma);
    if (good) {
        o->rho[slot] = 1.0/sy;
        o->gamma = gamma;
        o->newest = slot;
        if (o->pairs < memory) o->pairs++;
    } else if (o->pairs == memory) o->pairs--;
}

/* d = -H g by the two-loop recursion [optimisation 21]. At least one pair.   4 pairs n flops */
BLNI_PRIV void blni_lbfgs_two_loop(blni_lbfgs *o, const double *g, double *d)
{
    const size_t n = o->desc.n, memory = o->desc.memory;
    for (size_t i = 0; i < n; i++) d[i] = -g[i];
    for (size_t k = 0; k < o->pairs; k++) {                                         /* newest to oldest */
        const size_t p = (o->newest + memory - k)%memory;
        o->work[p] = o->rho[p]*bln_dot(n, o->S + p*n, d);
        bln_axpy(n, -o->work[p], o->Y + p*n, d);
    }
    bln_scal(n, o->gamma, d);
    for (size_t k = o->pairs; k-- > 0;) {                                           /* oldest to newest */
        const size_t p = (o->newest + memory - k)%memory;
        bln_axpy(n, o->work[p] - o->rho[p]*bln_dot(n, o->Y + p*n, d), o->S + p*n, d);
    }
}

/* The direction d, its slope phi'(0) < 0 and the first trial a. Without pairs, or when what they give is no descent:
 * d = -g/|g|, so that a is a length; that of the last step, if there was one, bounds it. Returns 0 if not even that descends:
 * g = 0. */
BLNI_PRIV int blni_lbfgs_direction(blni_lbfgs *o, double *slope, double *a)
{
    const size_t n = o->desc.n;
    const double g_norm = blni_norm(n, o->g);
    if (o->pairs) {
        blni_lbfgs_two_loop(o, o->g, o->d);
        *slope = bln_dot(n, o->g, o->d);
        *a = 1.0;
        if (blni_finite(*slope) && *slope < -BLNI_LBFGS_ANGLE*blni_norm(n, o->d)*g_norm) return 1;
        o->pairs = 0;
    }
    double g_one = 0.0;
    for (size_t i = 0; i < n; i++) { o->d[i] = -o->g[i]/g_norm; g_one += fabs(o->g[i]); }
    *slope = bln_dot(n, o->g, o->d);
    const double size = blni_max_abs(n, o->x), least = 1e-8*(size > 1.0 ? size : 1.0);
    *a = g_one > 1.0 ? 1.0/g_one : 1.0;
    if (*a < least) *a = least;
    if (o->desc.first_step > 0.0) *a = o->desc.first_step;
    if (o->length > 0.0 && *a > o->length) *a = o->length;
    return *slope < 0.0;
}

/* ---- line search */

/* The minimiser of the cubic through (a1, f1, g1) and (a2, f2, g2) [optimisation 25], or the middle if there is none. */
BLNI_PRIV double blni_cubic(double a1, double f1, double g1, double a2, double f2, double g2)
{
    const double middle = 0.5*(a1 + a2), e = g1 + g2 - 3.0*(f1 - f2)/(a1 - a2), square = e*e - g1*g2;
    if (!(square >= 0.0)) return middle;
    const double r = a2 > a1 ? sqrt(square) : -sqrt(square), slope = g2 - g1 + 2.0*r;
    const double a = slope != 0.0 ? a2 - (a2 - a1)*(g2 + r - e)/slope : middle;
    return blni_finite(a) ? a : middle;
}

/* Evaluates the trial at a and judges it against start = phi(0) and the low end so far. The gradient is asked for only
 * where the verdict needs it. On BLN_OK, *p and *verdict are set, and the trial's vectors if the verdict is LOW or ACCEPT. */
BLNI_PRIV bln_status blni_lbfgs_try(blni_lbfgs *o, const blni_probe *start, const blni_probe *low, double a, blni_probe *p,
                                    blni_verdict *verdict, bln_report *report)
{
    const size_t n = o->desc.n;
    const blni_probe nothing = { a, HUGE_VAL, 0.0, 0 };
    int finite = 1, moved = 0;
    *p = nothing;
    for (size_t i = 0; i < n; i++) {
        o->xt[i] = o->x[i] + a*o->d[i];
        if (!blni_finite(o->xt[i])) finite = 0;
        if (o->xt[i] != (low->a > 0.0 ? o->xl[i] : o->x[i])) moved = 1;
    }
    *verdict = moved ? BLNI_HIGH : BLNI_STUCK;
    if (!moved || !finite) return BLN_OK;

    double value = BLNI_NAN, again = BLNI_NAN;
    o->evaluations++;
    bln_status status = o->desc.objective(o->desc.user, n, o->xt, &value, NULL, report);
    if (status != BLN_OK || !blni_finite(value)) return status;
    p->value = value;
    const double least = low->value < o->lowest ? low->value : o->lowest;
    const int decreased = value <= start->value + BLNI_LBFGS_C1*a*start->slope && value < low->value;
    if (!decreased && !(value <= least + BLNI_LBFGS_FLOOR*fabs(least))) return BLN_OK;

    BLNI_TRY(o->desc.objective(o->desc.user, n, o->xt, &again, o->gt, report));
    const double slope = bln_dot(n, o->gt, o->d), limit = -start->slope, strict = (1.0 - 2.0*BLNI_LBFGS_DELTA)*limit;
    if (!blni_finite(again) || !blni_finite(slope)) { p->value = HUGE_VAL; return BLN_OK; }
    p->slope = slope;
    p->sloped = 1;
    if (!decreased && !(slope <= strict)) return BLN_OK;
    *verdict = fabs(slope) <= o->desc.c2*limit && (decreased || fabs(slope) <= strict) ? BLNI_ACCEPT : BLNI_LOW;
    return BLN_OK;
}

/* The trial has become the low end of the bracket. */
BLNI_PRIV void blni_lbfgs_keep(blni_lbfgs *o, blni_probe *low, const blni_probe *p)
{
    *low = *p;
    blni_swap(&o->xl, &o->xt);
    blni_swap(&o->gl, &o->gt);
}

/* The next trial inside the bracket: by the minimiser of what is known about its ends, within the middle 80 %. */
BLNI_PRIV double blni_lbfgs_inside(const blni_probe *low, const blni_probe *high)
{
    const double width = high->a - low->a, rise = high->value - low->value;
    double a = low->a + 0.5*width;
    if (blni_finite(rise)) {
        if (!high->sloped)                                              /* parabola through both values and the low slope */
            a = low->a - 0.5*low->slope*width*width/(rise - low->slope*width);
        else
            a = blni_cubic(low->a, low->value, low->slope, high->a, high->value, high->slope);
    }
    const double from = low->a + 0.1*width, to = low->a + 0.9*width;
    if (!blni_finite(a)) return low->a + 0.5*width;
    return width > 0.0 ? blni_clip(a, from, to) : blni_clip(a, to, from);
}

/* Shrinks the bracket between low, which has the least value and a slope towards high, and high, until a trial is accepted.
 * *found: the trial is the answer; else the low end is the best there is. When two trials have not taken a third of the
 * width away, the next bisects (More & Thuente 1994). */
BLNI_PRIV bln_status blni_lbfgs_zoom(blni_lbfgs *o, const blni_probe *start, blni_probe *low, blni_probe *high, blni_probe *p,
                                     int *found, bln_report *report)
{
    double before = HUGE_VAL, last = HUGE_VAL;                          /* widths two trials and one trial ago */
    blni_verdict verdict;
    for (int k = 0; k < BLNI_LBFGS_TRIALS; k++) {
        const double width = fabs(high->a - low->a);
        const double a = width > 0.66*before ? low->a + 0.5*(high->a - low->a) : blni_lbfgs_inside(low, high);
        before = last;
        last = width;
        BLNI_TRY(blni_lbfgs_try(o, start, low, a, p, &verdict, report));
        if (verdict == BLNI_ACCEPT) *found = 1;
        if (verdict == BLNI_ACCEPT || verdict == BLNI_STUCK) return BLN_OK;
        if (verdict == BLNI_HIGH) { *high = *p; continue; }
        if (p->slope*(high->a - low->a) >= 0.0) *high = *low;
        blni_lbfgs_keep(o, low, p);
    }
    return BLN_OK;
}

/* [optimisation 24] along d from a first trial a. On BLN_OK, *found tells whether the trial vectors hold a better point, p being
 * its phi. The step never exceeds a_max; that end is taken as it is when f still falls there. */
BLNI_PRIV bln_status blni_lbfgs_search(blni_lbfgs *o, double slope, double a, double a_max, blni_probe *p, int *found,
                                       bln_report *report)
{
    const blni_probe start = { 0.0, o->value, slope, 1 };
    blni_probe low = start, high = start;
    blni_verdict verdict;
    int bracketed = 0;
    *found = 0;
    if (a > a_max) a = a_max;
    for (int k = 0; k < BLNI_LBFGS_TRIALS && !bracketed; k++) {
        BLNI_TRY(blni_lbfgs_try(o, &start, &low, a, p, &verdict, report));
        if (verdict == BLNI_ACCEPT) { *found = 1; return BLN_OK; }
        if (verdict == BLNI_HIGH) { high = *p; bracketed = 1; continue; }
        /* Further out: where the cubic has its minimum, but twice to ten times as far. A step lost in the rounding of x
         * tells nothing. */
        double guess = HUGE_VAL;
        if (verdict == BLNI_LOW) {
            if (p->slope >= 0.0) { high = low; bracketed = 1; }
            guess = blni_cubic(low.a, low.value, low.slope, p->a, p->value, p->slope);
            blni_lbfgs_keep(o, &low, p);
        }
        if (a >= a_max) break;
        a = blni_clip(guess, 2.0*a, 10.0*a);
        if (a > a_max) a = a_max;
    }
    if (bracketed) {
        const bln_status status = blni_lbfgs_zoom(o, &start, &low, &high, p, found, report);
        if (status != BLN_OK || *found) return status;
    }
    if (low.a > 0.0 && low.value < start.value) {
        blni_lbfgs_keep(o, p, &low);                                    /* swaps the low end into the trial */
        *found = 1;
    }
    return BLN_OK;
}

/* ---- iterations */

BLNI_PRIV bln_status blni_lbfgs_report(const blni_lbfgs *o, bln_status status, bln_report *report)
{
    if (report) {
        report->iterations = o->iterations;
        report->evaluations = o->evaluations;
        report->objective = o->value;
        report->gradient_norm = blni_max_abs(o->desc.n, o->g);
        report->stop = o->stop;
    }
    return status;
}

/* [optimisation 28] first part. */
BLNI_PRIV int blni_lbfgs_flat(const blni_lbfgs *o)
{
    const double scale = sqrt(fabs(o->value));
    return blni_max_abs(o->desc.n, o->g) <= o->desc.gradient_tol*(scale > 1.0 ? scale : 1.0);
}

BLNI_ONCE BLNI_PRIV bln_status blni_lbfgs_init(blni_lbfgs *opt, const double *x, bln_report *report)
{
    BLNI_TRY(blni_begin(report, opt && x, "lbfgs: init without an object or a start"));
    const size_t n = opt->desc.n;
    double value = BLNI_NAN, again = BLNI_NAN;
    for (size_t i = 0; i < n; i++) {
        if (!blni_finite(x[i])) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "lbfgs: start is not finite");
        opt->xt[i] = x[i];
    }
    BLNI_TRY(opt->desc.objective(opt->desc.user, n, opt->xt, &value, NULL, report));
    if (!blni_finite(value)) return blni_refuse(report, BLN_ENUMERIC, "lbfgs: value at the start not finite");
    BLNI_TRY(opt->desc.objective(opt->desc.user, n, opt->xt, &again, opt->gt, report));
    for (size_t i = 0; i < n; i++)
        if (!blni_finite(opt->gt[i]))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "lbfgs: gradient at the start not finite");

    blni_swap(&opt->x, &opt->xt);
    blni_swap(&opt->g, &opt->gt);
    opt->value = opt->lowest = value;
    opt->newest = opt->pairs = 0;
    opt->length = 0.0;
    opt->iterations = 0;
    opt->evaluations = 1;
    opt->slow = 0;
    opt->started = 1;
    opt->stop = blni_lbfgs_flat(opt) ? BLN_STOP_GRADIENT : BLN_STOP_NONE;
    return blni_lbfgs_report(opt, BLN_OK, report);
}

/* The trial becomes the present point, and the tests of [optimisation 28] are made. */
BLNI_PRIV void blni_lbfgs_advance(blni_lbfgs *o, const blni_probe *p)
{
    const double gain = o->value - p->value;
    double scale = fabs(o->value) > fabs(p->value) ? fabs(o->value) : fabs(p->value);
    if (scale < 1.0) scale = 1.0;
    blni_lbfgs_push(o, o->x, o->g, o->xt, o->gt);
    blni_swap(&o->x, &o->xt);
    blni_swap(&o->g, &o->gt);
    o->length = p->a*blni_norm(o->desc.n, o->d);
    o->value = p->value;
    if (o->value < o->lowest) o->lowest = o->value;
    o->iterations++;
    o->slow = gain <= o->desc.progress_tol*scale && o->desc.progress_tol > 0.0 ? o->slow + 1 : 0;
    if (blni_lbfgs_flat(o)) o->stop = BLN_STOP_GRADIENT;
    else if (o->slow >= 2) o->stop = BLN_STOP_PROGRESS;
    else if (o->iterations >= o->desc.max_iterations) o->stop = BLN_STOP_LIMIT;
}

BLNI_ONCE BLNI_PRIV bln_status blni_lbfgs_step(blni_lbfgs *opt, bln_report *report)
{
    BLNI_TRY(blni_begin(report, opt != NULL, "lbfgs: step without an object"));
    if (!opt->started) return blni_refuse(report, BLN_ESTATE, "lbfgs: step before init");
    if (opt->stop != BLN_STOP_NONE) return blni_lbfgs_report(opt, BLN_OK, report);

    /* A search that fails with pairs may have been misled by them: once more down the gradient. If that fails too, rounding has the
     * last word. */
    for (int found = 0; !found;) {
        double slope, a, reach = opt->desc.max_step;
        blni_probe p;
        if (!(reach > 0.0)) {
            const double size = blni_max_abs(opt->desc.n, opt->x);
            reach = 100.0*(size > 1.0 ? size : 1.0);
        }
        if (blni_lbfgs_direction(opt, &slope, &a)) {
            const bln_status status = blni_lbfgs_search(opt, slope, a, reach/blni_max_abs(opt->desc.n, opt->d), &p, &found, report);
            if (status != BLN_OK) return blni_lbfgs_report(opt, status, report);
        }
        if (found) blni_lbfgs_advance(opt, &p);
        else if (opt->pairs) opt->pairs = 0;
        else { opt->stop = BLN_STOP_LINESEARCH; break; }
    }
    return blni_lbfgs_report(opt, BLN_OK, report);
}
