/* sgd: stochastic gradient steps, one at a time
 *
 * A method is a loop over the elements with one to three vectors of state; what all have in common is done around it: the gradient
 * is copied, stripped of what leads out of the bounds, measured and clipped before; the point is put back into its bounds and
 * averaged after. Whatever depends on t alone (rate, bias corrections) is one number by then.
 *
 * The objectives are looked at in windows, by their running mean and scatter: no history is kept. */
#include "sgd.h"
#include "../core/status_private.h"
#include "../core/bytes_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../math/cpu_private.h"
#include "../math/blas.h"
#include "lbfgs_private.h"

enum { BLNI_SGD_LOST = 100, BLNI_SGD_STATES = 3 };      /* bad gradients in a row that are an error; vectors of state at most */

struct bln_sgd {
    bln_sgd_desc desc;             /* resolved; lower and upper are the copies in the block                            */
    void    *block;
    size_t   bytes;
    double  *x, *g;                /* point; gradient as it is used; NULL: the caller's                                 */
    double  *a[BLNI_SGD_STATES];   /* what the method remembers; NULL where it has less                                */
    double  *average;              /* NULL: none                                                                       */
    double  *lower, *upper;        /* NULL: none                                                                       */
    uint64_t t, skipped, lost;     /* steps; gradients passed over, altogether and in a row                            */
    uint64_t from;                 /* where the average of the tail begins                                             */
    uint64_t hold, end;            /* where the way down begins (BLN_SCHEDULE_HOLD), and where the run ends            */
    int      started, stalled;     /* _init has succeeded; the stopping rule has spoken                                */
    int      windows, slow;        /* was there a whole window; windows in a row without progress                      */
    blni_running now, before;      /* objectives of this window and of the last whole one                              */
    bln_stop stop;
};

/* ---- the object */

BLNI_PRIV int blni_sgd_states(bln_sgd_method method)
{
    switch (method) {
    case BLN_SGD_PLAIN:   return 0;
    case BLN_SGD_AMSGRAD: return 3;
    case BLN_SGD_ADAM:
    case BLN_SGD_ADADELTA: return 2;
    default:              return 1;
    }
}

BLNI_PRIV double blni_sgd_default_rate(bln_sgd_method method)
{
    switch (method) {
    case BLN_SGD_RMSPROP:  return 0.001;
    case BLN_SGD_ADAGRAD:  return 0.1;
    case BLN_SGD_ADADELTA: return 1.0;
    default:               return 0.01;
    }
}

/* x, or what 0 stands for, or none where it is negative. */
BLNI_PRIV double blni_sgd_choice(double x, double standard) { return x == 0.0 ? standard : x < 0.0 ? -1.0 : x; }

/* Negative numbers mean "none" and stay, so that defaults of defaults are the same; blni_none reads them. */
BLNI_PRIV double blni_none(double x) { return x < 0.0 ? 0.0 : x; }

BLN_API bln_sgd_desc bln_sgd_defaults(const bln_sgd_desc *desc)
{
    bln_sgd_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    const int delta = d.method == BLN_SGD_ADADELTA, root = d.method == BLN_SGD_RMSPROP;
    if (d.rate == 0.0) d.rate = blni_sgd_default_rate(d.method);
    d.momentum = blni_sgd_choice(d.momentum, 0.9);
    d.decay = blni_sgd_choice(d.decay, delta ? 0.95 : root ? 0.9 : 0.999);
    if (d.epsilon == 0.0) d.epsilon = delta ? 1e-6 : 1e-8;
    if (d.max_steps == 0) d.max_steps = 10000;
    if (d.schedule_time == 0.0) d.schedule_time = 0.1*(double)d.max_steps;
    if (d.schedule_factor == 0.0) d.schedule_factor = d.schedule == BLN_SCHEDULE_INVERSE ? 0.75 : 0.5;
    d.rate_floor = blni_sgd_choice(d.rate_floor, 0.01);
    if (d.average_start == 0) d.average_start = d.max_steps/2;
    if (d.average_decay == 0.0) d.average_decay = 0.999;
    if (d.window == 0) d.window = 100;
    if (d.patience == 0) d.patience = 3;
    d.significance = blni_sgd_choice(d.significance, 1.0);
    return d;
}

BLNI_PRIV int blni_sgd_positive(double x) { return x > 0.0 && blni_finite(x); }

BLNI_PRIV const char *blni_sgd_check_bounds(const bln_sgd_desc *d)
{
    for (size_t i = 0; i < d->n && (d->lower || d->upper); i++) {
        const double lo = d->lower ? d->lower[i] : -HUGE_VAL, hi = d->upper ? d->upper[i] : HUGE_VAL;
        if (!(lo <= hi) || lo > DBL_MAX || hi < -DBL_MAX) return "sgd: a lower bound is above the upper one, or none";
    }
    return NULL;
}

BLN_API const char *bln_sgd_check(const bln_sgd_desc *desc)
{
    if (!desc) return "sgd: no desc";
    const bln_sgd_desc d = bln_sgd_defaults(desc);
    if (d.n == 0) return "sgd: n must be at least 1";
    if ((int)d.method < 0 || d.method > BLN_SGD_NESTEROV) return "sgd: unknown method";
    if ((int)d.schedule < 0 || d.schedule > BLN_SCHEDULE_COSINE) return "sgd: unknown schedule";
    if ((int)d.average < 0 || d.average > BLN_AVERAGE_EXPONENTIAL) return "sgd: unknown kind of average";
    if (!blni_sgd_positive(d.rate)) return "sgd: rate must be positive and finite";
    if (!(d.momentum < 1.0)) return "sgd: momentum must be below 1";
    if (!(d.decay < 1.0)) return "sgd: decay must be below 1";
    if (!blni_sgd_positive(d.epsilon)) return "sgd: epsilon must be positive and finite";
    if (!blni_sgd_positive(d.schedule_time)) return "sgd: schedule_time must be positive and finite";
    if (!blni_sgd_positive(d.schedule_factor)) return "sgd: schedule_factor must be positive and finite";
    if (!(d.rate_floor <= 1.0)) return "sgd: rate_floor must be at most 1";
    if (!(d.clip >= 0.0) || !blni_finite(d.clip)) return "sgd: clip must be >= 0 and finite";
    if (!(d.average_decay > 0.0 && d.average_decay < 1.0)) return "sgd: average_decay must lie between 0 and 1";
    if (d.plain > d.n) return "sgd: plain must be at most n";
    if (d.window < 2) return "sgd: window must be at least 2";
    if (!blni_finite(d.significance)) return "sgd: significance must be finite";
    if (!blni_allocator_ok(&d.alloc)) return "sgd: the allocator lacks alloc or release";
    return blni_sgd_check_bounds(&d);
}

/* May the gradient that is used be another than the caller's? */
BLNI_PRIV int blni_sgd_changes(const bln_sgd_desc *d) { return d->lower || d->upper || d->clip > 0.0; }

/* The object and its vectors; o is where their addresses go, which is not the block yet while sizes are only counted. */
BLNI_PRIV void *blni_sgd_carve(blni_arena *a, const bln_sgd_desc *d, bln_sgd *o)
{
    void *self = blni_carve(a, 1, sizeof *o);
    const int states = blni_sgd_states(d->method);
    o->x       = blni_carve_doubles(a, d->n);
    o->g       = blni_sgd_changes(d) ? blni_carve_doubles(a, d->n) : NULL;
    for (int k = 0; k < BLNI_SGD_STATES; k++) o->a[k] = k < states ? blni_carve_doubles(a, d->n) : NULL;
    o->average = d->average != BLN_AVERAGE_NONE ? blni_carve_doubles(a, d->n) : NULL;
    o->lower   = d->lower ? blni_carve_doubles(a, d->n) : NULL;
    o->upper   = d->upper ? blni_carve_doubles(a, d->n) : NULL;
    return self;
}

BLN_API size_t bln_sgd_size(const bln_sgd_desc *desc)
{
    const bln_sgd_desc d = bln_sgd_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    bln_sgd counted;
    blni_sgd_carve(&a, &d, &counted);
    return a.used;
}

BLN_API bln_status bln_sgd_create(const bln_sgd_desc *desc, bln_sgd **out, bln_report *report)
{
    bln_report_clear(report);
    if (!out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sgd: nowhere to put the object");
    const char *reason = bln_sgd_check(desc);
    if (reason) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, reason);
    const bln_sgd_desc d = bln_sgd_defaults(desc);
    const size_t bytes = bln_sgd_size(&d);
    void *block;
    const bln_status room = blni_take(&d.alloc, bytes, "sgd", &block, report);
    if (room != BLN_OK) return room;

    blni_arena a = blni_arena_over(block, bytes);
    bln_sgd fresh;
    memset(&fresh, 0, sizeof fresh);
    bln_sgd *o = (bln_sgd *)blni_sgd_carve(&a, &d, &fresh);
    fresh.desc = d;
    fresh.block = block;
    fresh.bytes = bytes;
    if (fresh.lower) memcpy(fresh.lower, d.lower, d.n*sizeof(double));
    if (fresh.upper) memcpy(fresh.upper, d.upper, d.n*sizeof(double));
    fresh.desc.lower = fresh.lower;
    fresh.desc.upper = fresh.upper;
    *o = fresh;
    *out = o;
    return BLN_OK;
}

BLN_API void bln_sgd_free(bln_sgd *opt)
{
    if (!opt) return;
    const bln_allocator alloc = opt->desc.alloc;      /* a copy: the original lies in the block */
    blni_release(&alloc, opt->block, opt->bytes);
}

BLN_API int bln_sgd_converged(const bln_sgd *opt, bln_stop *stop)
{
    if (stop) *stop = opt ? opt->stop : BLN_STOP_NONE;
    return !opt || !opt->started || opt->stop != BLN_STOP_NONE;
}

/* Has the average begun? */
BLNI_PRIV int blni_sgd_averages(const bln_sgd *o)
{
    return o->average && o->t > (o->desc.average == BLN_AVERAGE_TAIL ? o->from : 0);
}

BLN_API const double *bln_sgd_x(const bln_sgd *opt) { return opt && opt->started ? opt->x : NULL; }
BLN_API const double *bln_sgd_average(const bln_sgd *opt)
{
    return opt && opt->started && blni_sgd_averages(opt) ? opt->average : bln_sgd_x(opt);
}

BLN_API uint64_t bln_sgd_steps(const bln_sgd *opt)   { return opt ? opt->t : 0; }
BLN_API uint64_t bln_sgd_skipped(const bln_sgd *opt) { return opt ? opt->skipped : 0; }

BLN_API double bln_sgd_objective(const bln_sgd *opt)
{
    if (opt && opt->windows) return opt->before.mean;
    return opt && opt->now.weight > 0.0 ? opt->now.mean : BLNI_NAN;
}

/* ---- schedule and average */

BLNI_PRIV double blni_sgd_cosine(const bln_sgd *o, double part)
{
    const double floor = blni_none(o->desc.rate_floor);
    return floor + 0.5*(1.0 - floor)*(1.0 + cos(BLNI_PI*(part < 1.0 ? part : 1.0)));
}

/* r_t (O12) */
BLNI_PRIV double blni_sgd_rate_at(const bln_sgd *o, uint64_t t)
{
    const bln_sgd_desc *d = &o->desc;
    const double time = (double)t;
    double r = d->rate;
    if (t < d->warmup) r *= time/(double)d->warmup;
    switch (d->schedule) {
    case BLN_SCHEDULE_HOLD:        return t <= o->hold ? r : r*blni_sgd_cosine(o, (double)(t - o->hold)/(double)(o->end - o->hold));
    case BLN_SCHEDULE_INVERSE:     return r*pow(1.0 + time/d->schedule_time, -d->schedule_factor);
    case BLN_SCHEDULE_EXPONENTIAL: return r*pow(d->schedule_factor, time/d->schedule_time);
    case BLN_SCHEDULE_COSINE:      return r*blni_sgd_cosine(o, time/(double)d->max_steps);
    default:                       return r;
    }
}

BLN_API double bln_sgd_rate(const bln_sgd *opt) { return opt && opt->started ? blni_sgd_rate_at(opt, opt->t + 1) : BLNI_NAN; }

/* Whole vectors of what takes most of a long step's time; each returns how many numbers it has done. */
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
} \
BLNI_TARGET##L BLNI_PRIV size_t blni_sgd_average##L(size_t n, double w, const double *x, double *average) \
{ \
    const BLNI_VEC##L part = BLNI_SPLAT##L(w); \
    BLNI_FOR_VECTORS(L, i, n) { \
        const BLNI_VEC##L a = BLNI_LOAD##L(average + i); \
        BLNI_STORE##L(average + i, BLNI_FMA##L(part, BLNI_SUB##L(BLNI_LOAD##L(x + i), a), a)); \
    } \
    return i; \
}
BLNI_FOR_LEVELS(BLNI_SGD_FNS)

/* 1 - b^t without cancellation; b = 0 gives 1. */
BLNI_PRIV double blni_sgd_correction(double b, uint64_t t) { return b > 0.0 ? -expm1((double)t*log(b)) : 1.0; }

BLNI_PRIV void blni_sgd_add_average(bln_sgd *o)
{
    const bln_sgd_desc *d = &o->desc;
    const double *BLNI_RESTRICT x = o->x, b = d->average_decay;
    double *BLNI_RESTRICT average = o->average, w = 1.0;
    if (!blni_sgd_averages(o)) return;
    if (d->average == BLN_AVERAGE_TAIL) w = 1.0/(double)(o->t - o->from);
    else if (d->average == BLN_AVERAGE_GROWING) w = 4.0/((double)o->t + 3.0);
    else w = (1.0 - b)/blni_sgd_correction(b, o->t);
    size_t i = 0;
    BLNI_ABOVE0(bln_cpu_level(), i =, blni_sgd_average, (d->n, w, x, average))
    for (; i < d->n; i++) average[i] += w*(x[i] - average[i]);
}

/* ---- the methods: x moves by the gradient o->g at the rate r */

BLNI_PRIV void blni_sgd_plain(size_t n, double r, const double *BLNI_RESTRICT g, double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) x[i] -= r*g[i];
}

BLNI_PRIV void blni_sgd_momentum(size_t n, double r, double b, const double *BLNI_RESTRICT g, double *BLNI_RESTRICT u,
                                 double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) {
        u[i] = b*u[i] - r*g[i];
        x[i] += u[i];
    }
}

BLNI_PRIV void blni_sgd_nesterov(size_t n, double r, double b, const double *BLNI_RESTRICT g, double *BLNI_RESTRICT u,
                                 double *BLNI_RESTRICT x)
{
    for (size_t i = 0; i < n; i++) {
        u[i] = b*u[i] - r*g[i];
        x[i] += b*u[i] - r*g[i];
    }
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

/* With the corrections moved into rate and epsilon:  m^/(sqrt v^ + e) = m/(1-b1^t) sqrt(1-b2^t)/(sqrt v + e sqrt(1-b2^t)). (O9) */
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

BLNI_PRIV void blni_sgd_move(bln_sgd *o, const double *gradient)
{
    const bln_sgd_desc *d = &o->desc;
    const size_t p = d->plain, n = d->n - p;
    const double r = blni_sgd_rate_at(o, o->t), b1 = blni_none(d->momentum), b2 = blni_none(d->decay), e = d->epsilon;
    const double second = sqrt(blni_sgd_correction(b2, o->t));
    double *a[BLNI_SGD_STATES], *x = o->x + p;
    const double *g = gradient + p;
    for (int k = 0; k < BLNI_SGD_STATES; k++) a[k] = o->a[k] ? o->a[k] + p : NULL;
    blni_sgd_plain(p, r, gradient, o->x);
    switch (d->method) {
    case BLN_SGD_PLAIN:    blni_sgd_plain(n, r, g, x); break;
    case BLN_SGD_MOMENTUM: blni_sgd_momentum(n, r, b1, g, a[0], x); break;
    case BLN_SGD_NESTEROV: blni_sgd_nesterov(n, r, b1, g, a[0], x); break;
    case BLN_SGD_ADAGRAD:  blni_sgd_scaled(n, r, 1.0, 1.0, e, g, a[0], x); break;
    case BLN_SGD_RMSPROP:  blni_sgd_scaled(n, r, b2, 1.0 - b2, e, g, a[0], x); break;
    case BLN_SGD_ADADELTA: blni_sgd_adadelta(n, r, b2, e, g, a[0], a[1], x); break;
    case BLN_SGD_AMSGRAD:  blni_sgd_amsgrad(n, r, b1, b2, e, g, a[0], a[1], a[2], x); break;
    default:
        blni_sgd_adam(n, r*second/blni_sgd_correction(b1, o->t), b1, b2, e*second, g, a[0], a[1], x);
    }
}

/* ---- around them */

BLNI_PRIV void blni_sgd_into_bounds(bln_sgd *o)
{
    for (size_t i = 0; i < o->desc.n && o->lower; i++) o->x[i] = o->x[i] < o->lower[i] ? o->lower[i] : o->x[i];
    for (size_t i = 0; i < o->desc.n && o->upper; i++) o->x[i] = o->x[i] > o->upper[i] ? o->upper[i] : o->x[i];
}

/* The gradient as it is used (O20, O13), itself or in o->g; NULL: it is not to be used. A finite g'g has finite terms; only where
 * it is not, it takes a closer look, as a long gradient may be clipped. */
BLNI_PRIV const double *blni_sgd_take(bln_sgd *o, const double *gradient)
{
    const size_t n = o->desc.n;
    const double clip = o->desc.clip;
    double *g = o->g;
    const double *used = g ? g : gradient;
    if (g) memcpy(g, gradient, n*sizeof *g);
    for (size_t i = 0; i < n && o->lower; i++) g[i] = o->x[i] <= o->lower[i] && g[i] > 0.0 ? 0.0 : g[i];
    for (size_t i = 0; i < n && o->upper; i++) g[i] = o->x[i] >= o->upper[i] && g[i] < 0.0 ? 0.0 : g[i];
    const double square = bln_dot(n, used, used);
    const double norm = blni_finite(square) ? sqrt(square) : clip > 0.0 ? blni_norm(n, used) : BLNI_NAN;
    if (!blni_finite(norm)) return NULL;
    if (clip > 0.0 && norm > clip) bln_scal(n, clip/norm, g);
    return used;
}

/* The run has stalled: it ends, or goes down from its plateau. */
BLNI_PRIV void blni_sgd_stall(bln_sgd *o)
{
    o->stalled = 1;
    if (o->desc.schedule != BLN_SCHEDULE_HOLD) { o->end = o->t; return; }
    const uint64_t more = o->t/3 + o->t/3 + 1;
    o->hold = o->t;
    if (o->end - o->t > more) o->end = o->t + more;
}

/* (O15). Once the rate falls, every window shows progress or none for that reason: the rule has nothing more to say. */
BLNI_PRIV void blni_sgd_watch(bln_sgd *o, double objective)
{
    const double W = (double)o->desc.window;
    const int down = o->stalled || (o->desc.schedule == BLN_SCHEDULE_HOLD && o->t >= o->hold);
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

BLNI_PRIV bln_status blni_sgd_report(const bln_sgd *o, const double *gradient, bln_status status, bln_report *report)
{
    if (report) {
        report->iterations = (size_t)o->t;
        report->evaluations = (size_t)(o->t + o->skipped);
        report->objective = bln_sgd_objective(o);
        report->gradient_norm = gradient ? blni_max_abs(o->desc.n, gradient) : BLNI_NAN;
        report->stop = o->stop;
    }
    return status;
}

BLNI_PRIV void blni_sgd_plan(bln_sgd *o)
{
    o->end = o->desc.max_steps;
    o->hold = o->end - (o->end/5*2 + o->end%5*2/5);          /* 60 % */
}

BLN_API bln_status bln_sgd_init(bln_sgd *opt, const double *x, bln_report *report)
{
    bln_report_clear(report);
    if (!opt || !x) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sgd: init without an object or a start");
    const size_t n = opt->desc.n;
    for (size_t i = 0; i < n; i++)
        if (!blni_finite(x[i])) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sgd: start is not finite");
    if (x != opt->x) memmove(opt->x, x, n*sizeof *x);
    blni_sgd_into_bounds(opt);
    if (opt->average) memcpy(opt->average, opt->x, n*sizeof *x);
    for (int k = 0; k < BLNI_SGD_STATES; k++)
        for (size_t i = 0; i < n && opt->a[k]; i++) opt->a[k][i] = 0.0;
    memset(&opt->now, 0, sizeof opt->now);
    memset(&opt->before, 0, sizeof opt->before);
    opt->t = opt->skipped = opt->lost = 0;
    opt->from = opt->desc.average_start;
    blni_sgd_plan(opt);
    opt->windows = opt->slow = opt->stalled = 0;
    opt->stop = BLN_STOP_NONE;
    opt->started = 1;
    return blni_sgd_report(opt, NULL, BLN_OK, report);
}

BLN_API bln_status bln_sgd_step(bln_sgd *opt, const double *gradient, double objective, bln_report *report)
{
    bln_report_clear(report);
    if (!opt || !gradient) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sgd: step without an object or a gradient");
    if (!opt->started) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "sgd: step before init");
    if (opt->stop != BLN_STOP_NONE) return blni_sgd_report(opt, NULL, BLN_OK, report);
    const double *used = blni_sgd_take(opt, gradient);
    if (!used) {
        opt->skipped++;
        if (++opt->lost < BLNI_SGD_LOST) return blni_sgd_report(opt, gradient, BLN_OK, report);
        blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "sgd: too many gradients in a row are not finite, or too large");
        return blni_sgd_report(opt, gradient, BLN_ENUMERIC, report);
    }
    opt->lost = 0;
    opt->t++;
    blni_sgd_move(opt, used);
    blni_sgd_into_bounds(opt);
    blni_sgd_add_average(opt);
    blni_sgd_watch(opt, objective);
    if (opt->t >= opt->end) opt->stop = opt->stalled ? BLN_STOP_PROGRESS : BLN_STOP_LIMIT;
    return blni_sgd_report(opt, gradient, BLN_OK, report);
}

/* ---- the state as bytes: n, method, average; counters; windows; vectors */

BLN_API bln_status bln_sgd_save(const bln_sgd *opt, bln_writer *w)
{
    if (!opt || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (!opt->started) return blni_writer_fail(w, BLN_ESTATE);
    const size_t n = opt->desc.n;
    const blni_running *windows[2] = { &opt->now, &opt->before };
    bln_put_u64(w, n);
    bln_put_u32(w, (uint32_t)opt->desc.method);
    bln_put_u32(w, (uint32_t)opt->desc.average);
    bln_put_u64(w, opt->t);
    bln_put_u64(w, opt->skipped);
    bln_put_u64(w, opt->lost);
    bln_put_u64(w, opt->from);
    bln_put_u64(w, opt->hold);
    bln_put_u64(w, opt->end);
    bln_put_u32(w, (uint32_t)opt->stalled);
    bln_put_u32(w, (uint32_t)opt->windows);
    bln_put_u32(w, (uint32_t)opt->slow);
    for (int k = 0; k < 2; k++) {
        bln_put_double(w, windows[k]->weight);
        bln_put_double(w, windows[k]->mean);
        bln_put_double(w, windows[k]->scatter);
    }
    bln_put_doubles(w, n, opt->x);
    for (int k = 0; k < BLNI_SGD_STATES; k++) if (opt->a[k]) bln_put_doubles(w, n, opt->a[k]);
    if (opt->average) bln_put_doubles(w, n, opt->average);
    return w->status;
}

BLNI_PRIV int blni_sgd_all_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n && x; i++) if (!blni_finite(x[i])) return 0;
    return 1;
}

/* Into a fresh object of the same desc. */
BLNI_PRIV bln_status blni_sgd_read(bln_sgd *o, bln_reader *r)
{
    const size_t n = o->desc.n;
    blni_running *windows[2] = { &o->now, &o->before };
    const int same = bln_get_u64(r) == n && bln_get_u32(r) == (uint32_t)o->desc.method
                   && bln_get_u32(r) == (uint32_t)o->desc.average;
    if (r->status == BLN_OK && !same) bln_reader_fail(r, BLN_ESHAPE, "sgd: another number of parameters, method or average");
    o->t = bln_get_u64(r);
    o->skipped = bln_get_u64(r);
    o->lost = bln_get_u64(r);
    o->from = bln_get_u64(r);
    o->hold = bln_get_u64(r);
    o->end = bln_get_u64(r);
    o->stalled = bln_get_u32(r) != 0;
    o->windows = bln_get_u32(r) != 0;
    o->slow = (int)(bln_get_u32(r) & 0xffff);
    for (int k = 0; k < 2; k++) {
        windows[k]->weight = bln_get_double(r);
        windows[k]->mean = bln_get_double(r);
        windows[k]->scatter = bln_get_double(r);
    }
    bln_get_doubles(r, n, o->x);
    for (int k = 0; k < BLNI_SGD_STATES; k++) if (o->a[k]) bln_get_doubles(r, n, o->a[k]);
    if (o->average) bln_get_doubles(r, n, o->average);
    if (r->status != BLN_OK) return r->status;

    int good = o->t <= o->end && o->t <= UINT64_MAX/2 && o->hold <= o->end && blni_sgd_all_finite(n, o->x)
            && blni_sgd_all_finite(n, o->average);
    for (int k = 0; k < BLNI_SGD_STATES; k++) good = good && blni_sgd_all_finite(n, o->a[k]);
    for (int k = 0; k < 2; k++)
        good = good && windows[k]->weight >= 0.0 && windows[k]->scatter >= 0.0 && blni_finite(windows[k]->weight)
            && blni_finite(windows[k]->mean) && blni_finite(windows[k]->scatter);
    return good ? BLN_OK : bln_reader_fail(r, BLN_EFORMAT, "sgd: a state that no run has");
}

BLN_API bln_status bln_sgd_load(bln_sgd *opt, bln_reader *r)
{
    bln_sgd *read = NULL;
    if (!opt || !r) return BLN_EINVAL;
    bln_status status = bln_sgd_create(&opt->desc, &read, r->report);
    if (status != BLN_OK) return bln_reader_fail(r, status, "sgd: out of memory");
    status = blni_sgd_read(read, r);
    if (status == BLN_OK) {
        const size_t bytes = opt->desc.n*sizeof(double);
        memcpy(opt->x, read->x, bytes);
        for (int k = 0; k < BLNI_SGD_STATES; k++) if (opt->a[k]) memcpy(opt->a[k], read->a[k], bytes);
        if (opt->average) memcpy(opt->average, read->average, bytes);
        opt->t = read->t;
        opt->skipped = read->skipped;
        opt->lost = read->lost;
        opt->from = read->from;
        opt->stalled = read->stalled;
        if (read->stalled) { opt->hold = read->hold; opt->end = read->end; }
        else blni_sgd_plan(opt);
        opt->windows = read->windows;
        opt->slow = read->slow;
        opt->now = read->now;
        opt->before = read->before;
        opt->started = 1;
        opt->stop = opt->t < opt->end ? BLN_STOP_NONE : opt->stalled ? BLN_STOP_PROGRESS : BLN_STOP_LIMIT;
        blni_sgd_into_bounds(opt);
    }
    bln_sgd_free(read);
    return status;
}

BLN_API bln_status bln_sgd_minimise(const bln_sgd_desc *desc, bln_objective objective, void *user, double *x, double *value,
                                    bln_report *report)
{
    bln_sgd *opt = NULL;
    bln_report_clear(report);
    if (!objective || !x) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sgd: no objective, or no start");
    bln_status status = bln_sgd_create(desc, &opt, report);
    if (status != BLN_OK) return status;
    const size_t n = opt->desc.n;
    double *gradient = (double *)blni_alloc(&opt->desc.alloc, n*sizeof *gradient);
    if (!gradient) status = blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "sgd: no memory for the gradient");
    else status = bln_sgd_init(opt, x, report);
    while (status == BLN_OK && !bln_sgd_converged(opt, NULL)) {
        double f = BLNI_NAN;
        status = objective(user, n, opt->x, &f, gradient, report);
        if (status == BLN_OK) status = bln_sgd_step(opt, gradient, f, report);
    }
    if (status == BLN_OK) {
        memcpy(x, bln_sgd_average(opt), n*sizeof *x);
        if (value) *value = bln_sgd_objective(opt);
    }
    blni_release(&opt->desc.alloc, gradient, n*sizeof *gradient);
    bln_sgd_free(opt);
    return status;
}
