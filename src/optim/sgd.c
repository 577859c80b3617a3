/* sgd: stochastic gradient steps, one at a time
 *
 * A method is a loop over the elements with one to three vectors of state; the average of the points is updated after it. What
 * depends on t alone (rate, bias corrections) is computed before the loop.
 *
 * Of the objectives only the running mean and scatter of two windows are kept, no history. */
#include "sgd_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../math/vecmath_private.h"
#include "../math/blas.h"

enum { BLNI_SGD_LOST = 100, BLNI_SGD_STATES = 3 };      /* bad gradients in a row that are an error; vectors of state at most */

struct blni_sgd {
    blni_sgd_desc desc;             /* resolved                                                                         */
    void    *block;
    size_t   bytes;
    double  *x;                    /* point                                                                            */
    double  *a[BLNI_SGD_STATES];   /* what the method remembers; NULL where it has less                                */
    double  *average;              /* NULL: none                                                                       */
    uint64_t t, skipped, lost;     /* steps; gradients passed over, altogether and in a row                            */
    uint64_t hold, end;            /* where the way down begins (BLNI_SCHEDULE_HOLD), and where the run ends            */
    int      started, stalled;     /* _init has succeeded; the stopping rule has spoken                                */
    int      windows, slow;        /* was there a whole window; windows in a row without progress                      */
    blni_running now, before;      /* objectives of this window and of the last whole one                              */
    bln_stop stop;
};

/* ---- the object */

/* Of each method: vectors of state, and the defaults of rate, decay and epsilon. */
typedef struct blni_sgd_kind { int states; double rate, decay, epsilon; } blni_sgd_kind;
static const blni_sgd_kind blni_sgd_kinds[] = {
    { 2, 0.01, 0.999, 1e-8 },     { 3, 0.01, 0.999, 1e-8 },       /* Adam, AMSGrad      */
    { 1, 0.001, 0.9, 1e-8 },      { 1, 0.1, 0.999, 1e-8 },        /* RMSProp, AdaGrad   */
    { 2, 1.0, 0.95, 1e-6 },       { 0, 0.01, 0.999, 1e-8 },       /* AdaDelta, plain    */
    { 1, 0.01, 0.999, 1e-8 },     { 1, 0.01, 0.999, 1e-8 }        /* momentum, Nesterov */
};

/* Adam's for a number that is no method. */
BLNI_PRIV const blni_sgd_kind *blni_sgd_kind_of(bln_sgd_method method)
{
    return blni_sgd_kinds + ((unsigned)method <= (unsigned)BLN_SGD_NESTEROV ? (int)method : 0);
}

/* x, or what 0 stands for, or none where it is negative. */
BLNI_PRIV double blni_sgd_choice(double x, double standard) { return x == 0.0 ? standard : x < 0.0 ? -1.0 : x; }

/* Negative numbers mean "none" and stay, so that defaults of defaults are the same; blni_none reads them. */
BLNI_PRIV double blni_none(double x) { return x < 0.0 ? 0.0 : x; }

BLNI_ONCE BLNI_PRIV blni_sgd_desc blni_sgd_defaults(const blni_sgd_desc *desc)
{
    blni_sgd_desc d = BLN_ZERO;
    if (desc) d = *desc;
    const blni_sgd_kind *kind = blni_sgd_kind_of(d.method);
    if (d.rate == 0.0) d.rate = kind->rate;
    d.momentum = blni_sgd_choice(d.momentum, 0.9);
    d.decay = blni_sgd_choice(d.decay, kind->decay);
    if (d.epsilon == 0.0) d.epsilon = kind->epsilon;
    if (d.max_steps == 0) d.max_steps = 10000;
    d.rate_floor = blni_sgd_choice(d.rate_floor, 0.01);
    if (d.average_start == 0) d.average_start = d.max_steps/2;
    if (d.window == 0) d.window = 100;
    if (d.patience == 0) d.patience = 3;
    d.significance = blni_sgd_choice(d.significance, 1.0);
    return d;
}

BLNI_PRIV int blni_sgd_positive(double x) { return x > 0.0 && blni_finite(x); }

BLNI_PRIV const char *blni_sgd_check(const blni_sgd_desc *desc)
{
    if (!desc) return "sgd: no desc";
    const blni_sgd_desc d = blni_sgd_defaults(desc);
    if (d.n == 0) return "sgd: n must be at least 1";
    if ((unsigned)d.method > (unsigned)BLN_SGD_NESTEROV) return "sgd: unknown method";
    if ((unsigned)d.schedule > (unsigned)BLNI_SCHEDULE_CONSTANT) return "sgd: unknown schedule";
    if (!blni_sgd_positive(d.rate)) return "sgd: rate must be positive and finite";
    if (!(d.momentum < 1.0)) return "sgd: momentum must be below 1";
    if (!(d.decay < 1.0)) return "sgd: decay must be below 1";
    if (!blni_sgd_positive(d.epsilon)) return "sgd: epsilon must be positive and finite";
    if (!(d.rate_floor <= 1.0)) return "sgd: rate_floor must be at most 1";
    if (d.plain > d.n) return "sgd: plain must be at most n";
    if (d.window < 2) return "sgd: window must be at least 2";
    if (!blni_finite(d.significance)) return "sgd: significance must be finite";
    return blni_allocator_ok(&d.alloc) ? NULL : "sgd: the allocator lacks alloc or release";
}

/* The object, or NULL where the arena only counts. */
BLNI_PRIV blni_sgd *blni_sgd_carve(blni_arena *a, const blni_sgd_desc *d)
{
    blni_sgd *self = (blni_sgd *)blni_carve(a, 1, sizeof *self), counted, *o = self ? self : &counted;
    const int states = blni_sgd_kind_of(d->method)->states;
    memset(o, 0, sizeof *o);
    o->desc = *d;
    o->block = a->base;
    o->bytes = a->size;
    o->x       = blni_carve_doubles(a, d->n);
    for (int k = 0; k < BLNI_SGD_STATES; k++) o->a[k] = k < states ? blni_carve_doubles(a, d->n) : NULL;
    o->average = d->average ? blni_carve_doubles(a, d->n) : NULL;
    return self;
}

BLNI_PRIV size_t blni_sgd_size(const blni_sgd_desc *desc)
{
    const blni_sgd_desc d = blni_sgd_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_sgd_carve(&a, &d);
    return a.used;
}

BLNI_PRIV bln_status blni_sgd_create(const blni_sgd_desc *desc, blni_sgd **out, bln_report *report)
{
    const char *why = out ? blni_sgd_check(desc) : "sgd: nowhere to put the object";
    BLNI_TRY(blni_begin(report, !why, why));
    const blni_sgd_desc d = blni_sgd_defaults(desc);
    blni_arena a;
    BLNI_TRY(blni_arena_take(&d.alloc, blni_sgd_size(&d), "sgd", &a, report));
    *out = blni_sgd_carve(&a, &d);
    return BLN_OK;
}

BLNI_PRIV void blni_sgd_free(blni_sgd *opt) { if (opt) blni_release(&opt->desc.alloc, opt->block, opt->bytes); }

BLNI_PRIV int blni_sgd_converged(const blni_sgd *opt, bln_stop *stop)
{
    if (stop) *stop = opt->stop;
    return !opt->started || opt->stop != BLN_STOP_NONE;
}

/* Has the average begun? */
BLNI_PRIV int blni_sgd_averages(const blni_sgd *o) { return o->average && o->t > o->desc.average_start; }

BLNI_PRIV const double *blni_sgd_x(const blni_sgd *opt) { return opt->started ? opt->x : NULL; }
BLNI_PRIV const double *blni_sgd_average(const blni_sgd *opt)
{
    return opt->started && blni_sgd_averages(opt) ? opt->average : blni_sgd_x(opt);
}

BLNI_PRIV double blni_sgd_objective(const blni_sgd *opt)
{
    if (opt->windows) return opt->before.mean;
    return opt->now.weight > 0.0 ? opt->now.mean : BLNI_NAN;
}

/* ---- schedule and average */

/* r_t [optimisation 12] */
BLNI_PRIV double blni_sgd_rate_at(const blni_sgd *o, uint64_t t)
{
    const blni_sgd_desc *d = &o->desc;
    if (d->schedule == BLNI_SCHEDULE_CONSTANT || t <= o->hold) return d->rate;
    const double floor = blni_none(d->rate_floor), part = (double)(t - o->hold)/(double)(o->end - o->hold);
    return d->rate*(floor + 0.5*(1.0 - floor)*(1.0 + cos(BLNI_PI*(part < 1.0 ? part : 1.0))));
}

BLNI_PRIV double blni_sgd_rate(const blni_sgd *opt) { return opt->started ? blni_sgd_rate_at(opt, opt->t + 1) : BLNI_NAN; }

/* Whole vectors of what takes most of a long step's time; returns how many numbers it has done. */
#define BLNI_SGD_ADAM_ONE(L, k) \
    const BLNI_VEC##L g##k = BLNI_LOAD##L(g + i + k*BLNI_LANES##L); \
    const BLNI_VEC##L m##k = BLNI_FMA##L(keep1, BLNI_LOAD##L(m + i + k*BLNI_LANES##L), BLNI_MUL##L(part1, g##k)); \
    const BLNI_VEC##L square##k = BLNI_MUL##L(g##k, g##k); \
    const BLNI_VEC##L v##k = BLNI_FMA##L(keep2, BLNI_LOAD##L(v + i + k*BLNI_LANES##L), BLNI_MUL##L(part2, square##k)); \
    BLNI_STORE##L(m + i + k*BLNI_LANES##L, m##k); \
    BLNI_STORE##L(v + i + k*BLNI_LANES##L, v##k); \
    const BLNI_VEC##L step##k = BLNI_DIV##L(BLNI_MUL##L(rate, m##k), BLNI_ADD##L(BLNI_SQRT##L(v##k), least)); \
    BLNI_STORE##L(x + i + k*BLNI_LANES##L, BLNI_SUB##L(BLNI_LOAD##L(x + i + k*BLNI_LANES##L), step##k));
#define BLNI_SGD_FNS(L) \
BLNI_TARGET##L BLNI_PRIV size_t blni_sgd_adam##L(size_t n, double r, double b1, double b2, double e, const double *g, double *m, \
                                                 double *v, double *x) \
{ \
    const BLNI_VEC##L rate = BLNI_SPLAT##L(r), least = BLNI_SPLAT##L(e), keep1 = BLNI_SPLAT##L(b1), keep2 = BLNI_SPLAT##L(b2); \
    const BLNI_VEC##L part1 = BLNI_SPLAT##L(1.0 - b1), part2 = BLNI_SPLAT##L(1.0 - b2); \
    size_t i = 0; \
    for (; i + 2*BLNI_LANES##L <= n; i += 2*BLNI_LANES##L) { BLNI_SGD_ADAM_ONE(L, 0) BLNI_SGD_ADAM_ONE(L, 1) } \
    return i; \
}
BLNI_FOR_LEVELS(BLNI_SGD_FNS)

/* 1 - b^t without cancellation; b = 0 gives 1. */
BLNI_PRIV double blni_sgd_correction(double b, uint64_t t) { return b > 0.0 ? -expm1((double)t*log(b)) : 1.0; }

BLNI_PRIV void blni_sgd_add_average(blni_sgd *o)
{
    const size_t n = o->desc.n;
    const double *BLNI_RESTRICT x = o->x;
    double *BLNI_RESTRICT average = o->average;
    if (!blni_sgd_averages(o)) return;
    const double w = 1.0/(double)(o->t - o->desc.average_start);
    for (size_t i = 0; i < n; i++) average[i] += w*(x[i] - average[i]);
}

/* ---- the methods: x moves by the gradient g at the rate r */

BLNI_PRIV void blni_sgd_plain(size_t n, double r, const double *BLNI_RESTRICT g, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) x[i] -= r*g[i];
}

/* u <- b u - r g, and then x <- x + ahead u - look g: momentum (1, 0), Nesterov (b, r). */
BLNI_PRIV void blni_sgd_momentum(size_t n, double r, double b, double ahead, double look, const double *BLNI_RESTRICT g,
                                 double *BLNI_RESTRICT u, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) { u[i] = b*u[i] - r*g[i]; x[i] += ahead*u[i] - look*g[i]; }
}

/* v <- keep v + part g^2: AdaGrad (1, 1) and RMSProp (b2, 1 - b2). */
BLNI_PRIV void blni_sgd_scaled(size_t n, double r, double keep, double part, double e, const double *BLNI_RESTRICT g,
                               double *BLNI_RESTRICT v, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) {
        v[i] = keep*v[i] + part*(g[i]*g[i]);
        x[i] -= r*g[i]/(sqrt(v[i]) + e);
    }
}

BLNI_PRIV void blni_sgd_adadelta(size_t n, double r, double b, double e, const double *BLNI_RESTRICT g, double *BLNI_RESTRICT v,
                                 double *BLNI_RESTRICT u, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) {
        v[i] = b*v[i] + (1.0 - b)*(g[i]*g[i]);
        const double step = sqrt(u[i] + e)/sqrt(v[i] + e)*g[i];
        u[i] = b*u[i] + (1.0 - b)*(step*step);
        x[i] -= r*step;
    }
}

/* m^/(sqrt v^ + e) = m/(1-b1^t) sqrt(1-b2^t)/(sqrt v + e sqrt(1-b2^t)): corrections in rate and epsilon  [optimisation 9] */
BLNI_PRIV void blni_sgd_adam(size_t n, double r, double b1, double b2, double e, const double *BLNI_RESTRICT g,
                             double *BLNI_RESTRICT m, double *BLNI_RESTRICT v, double *BLNI_RESTRICT x)
{
    size_t i = 0;
    BLNI_ABOVE0(bln_cpu_level(), i =, blni_sgd_adam, (n, r, b1, b2, e, g, m, v, x))
    for (; i < n; i++) {
        m[i] = b1*m[i] + (1.0 - b1)*g[i];
        v[i] = b2*v[i] + (1.0 - b2)*(g[i]*g[i]);
        x[i] -= r*m[i]/(sqrt(v[i]) + e);
    }
}

BLNI_PRIV void blni_sgd_amsgrad(size_t n, double r, double b1, double b2, double e, const double *BLNI_RESTRICT g,
                                double *BLNI_RESTRICT m, double *BLNI_RESTRICT v, double *BLNI_RESTRICT w, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) {
        m[i] = b1*m[i] + (1.0 - b1)*g[i];
        v[i] = b2*v[i] + (1.0 - b2)*(g[i]*g[i]);
        w[i] = w[i] > v[i] ? w[i] : v[i];
        x[i] -= r*m[i]/(sqrt(w[i]) + e);
    }
}

BLNI_PRIV void blni_sgd_move(blni_sgd *o, const double *gradient)
{
    const blni_sgd_desc *d = &o->desc;
    const size_t p = d->plain, n = d->n - p;
    const double r = blni_sgd_rate_at(o, o->t), b1 = blni_none(d->momentum), b2 = blni_none(d->decay), e = d->epsilon;
    const double second = sqrt(blni_sgd_correction(b2, o->t));
    double *a[BLNI_SGD_STATES], *x = o->x + p;
    const double *g = gradient + p;
    for (int k = 0; k < BLNI_SGD_STATES; k++) a[k] = o->a[k] ? o->a[k] + p : NULL;
    blni_sgd_plain(p, r, gradient, o->x);
    switch (d->method) {
    case BLN_SGD_PLAIN:    blni_sgd_plain(n, r, g, x); break;
    case BLN_SGD_MOMENTUM: blni_sgd_momentum(n, r, b1, 1.0, 0.0, g, a[0], x); break;
    case BLN_SGD_NESTEROV: blni_sgd_momentum(n, r, b1, b1, r, g, a[0], x); break;
    case BLN_SGD_ADAGRAD:  blni_sgd_scaled(n, r, 1.0, 1.0, e, g, a[0], x); break;
    case BLN_SGD_RMSPROP:  blni_sgd_scaled(n, r, b2, 1.0 - b2, e, g, a[0], x); break;
    case BLN_SGD_ADADELTA: blni_sgd_adadelta(n, r, b2, e, g, a[0], a[1], x); break;
    case BLN_SGD_AMSGRAD:  blni_sgd_amsgrad(n, r, b1, b2, e, g, a[0], a[1], a[2], x); break;
    default:
        blni_sgd_adam(n, r*second/blni_sgd_correction(b1, o->t), b1, b2, e*second, g, a[0], a[1], x);
    }
}

/* ---- around them */

/* The run has stalled: it ends, or goes down from its plateau. */
BLNI_PRIV void blni_sgd_stall(blni_sgd *o)
{
    o->stalled = 1;
    if (o->desc.schedule != BLNI_SCHEDULE_HOLD) { o->end = o->t; return; }
    const uint64_t more = o->t/3 + o->t/3 + 1;
    o->hold = o->t;
    if (o->end - o->t > more) o->end = o->t + more;
}

BLNI_PRIV void blni_sgd_afresh(blni_sgd *opt)
{
    memset(&opt->now, 0, sizeof opt->now);
    opt->windows = opt->slow = 0;
}

/* [optimisation 15]. Once the rate falls, every window shows progress or none for that reason: the rule has nothing more to say. */
BLNI_PRIV void blni_sgd_watch(blni_sgd *o, double objective)
{
    const double W = (double)o->desc.window;
    const int down = o->stalled || (o->desc.schedule == BLNI_SCHEDULE_HOLD && o->t >= o->hold);
    if (!blni_finite(objective)) return;
    blni_running_add(&o->now, 1.0, objective);
    if (o->now.weight < W) return;
    const double error = sqrt((o->before.scatter + o->now.scatter)/(W - 1.0)/W);
    const int slow = o->windows && o->now.mean - o->before.mean >= -blni_none(o->desc.significance)*error;
    o->slow = slow ? o->slow + 1 : 0;
    o->before = o->now;
    memset(&o->now, 0, sizeof o->now);
    o->windows = 1;
    if (o->desc.patience > 0 && o->slow >= o->desc.patience && !down) blni_sgd_stall(o);
}

BLNI_PRIV bln_status blni_sgd_report(const blni_sgd *o, const double *gradient, bln_status status, bln_report *report)
{
    if (report) {
        report->iterations = (size_t)o->t;
        report->evaluations = (size_t)(o->t + o->skipped);
        report->objective = blni_sgd_objective(o);
        report->gradient_norm = gradient ? blni_max_abs(o->desc.n, gradient) : BLNI_NAN;
        report->stop = o->stop;
    }
    return status;
}

BLNI_PRIV bln_status blni_sgd_init(blni_sgd *opt, const double *x, bln_report *report)
{
    BLNI_TRY(blni_begin(report, opt && x, "sgd: init without an object or a start"));
    const size_t n = opt->desc.n;
    for (size_t i = 0; i < n; i++)
        if (!blni_finite(x[i])) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sgd: start is not finite");
    if (x != opt->x) memmove(opt->x, x, n*sizeof *x);
    if (opt->average) memcpy(opt->average, opt->x, n*sizeof *x);
    for (int k = 0; k < BLNI_SGD_STATES; k++)
        for (size_t i = 0; i < n && opt->a[k]; i++) opt->a[k][i] = 0.0;
    memset(&opt->now, 0, sizeof opt->now);
    memset(&opt->before, 0, sizeof opt->before);
    opt->t = opt->skipped = opt->lost = 0;
    opt->end = opt->desc.max_steps;
    opt->hold = opt->end - (opt->end/5*2 + opt->end%5*2/5);          /* 60 % */
    opt->windows = opt->slow = opt->stalled = 0;
    opt->stop = BLN_STOP_NONE;
    opt->started = 1;
    return blni_sgd_report(opt, NULL, BLN_OK, report);
}

BLNI_PRIV bln_status blni_sgd_step(blni_sgd *opt, const double *gradient, double objective, bln_report *report)
{
    BLNI_TRY(blni_begin(report, opt && gradient, "sgd: step without an object or a gradient"));
    if (!opt->started) return blni_refuse(report, BLN_ESTATE, "sgd: step before init");
    if (opt->stop != BLN_STOP_NONE) return blni_sgd_report(opt, NULL, BLN_OK, report);
    if (!blni_finite(bln_dot(opt->desc.n, gradient, gradient))) {      /* a finite g'g has finite terms */
        opt->skipped++;
        if (++opt->lost < BLNI_SGD_LOST) return blni_sgd_report(opt, gradient, BLN_OK, report);
        blni_refuse(report, BLN_ENUMERIC, "sgd: too many gradients in a row are not finite, or too large");
        return blni_sgd_report(opt, gradient, BLN_ENUMERIC, report);
    }
    opt->lost = 0;
    opt->t++;
    blni_sgd_move(opt, gradient);
    blni_sgd_add_average(opt);
    blni_sgd_watch(opt, objective);
    if (opt->t >= opt->end) opt->stop = opt->stalled ? BLN_STOP_PROGRESS : BLN_STOP_LIMIT;
    return blni_sgd_report(opt, gradient, BLN_OK, report);
}
