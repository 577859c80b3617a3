#ifndef BLN_OPTIM_SGD_H
#define BLN_OPTIM_SGD_H
#include "lbfgs.h"
/* >>sgd - minimisation of a noisy function by stochastic gradient steps: Adam and its kin          [spec/optimisers.md O3-O20]
 *
 * The caller evaluates, the object steps:
 *
 *     bln_sgd_init(opt, x0, &report);
 *     while (!bln_sgd_converged(opt, NULL)) {
 *         value = f(bln_sgd_x(opt), gradient);              an estimate, from some of the rows or from all
 *         if (bln_sgd_step(opt, gradient, value, &report)) break;
 *     }
 *     x = bln_sgd_average(opt);
 *
 *     method               step at t = 1, 2, ... with the rate r = r_t, elementwise                       default rate
 *     BLN_SGD_ADAM         m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;                                         0.01
 *                          x <- x - r m^/(sqrt v^ + e),  m^ = m/(1-b1^t), v^ = v/(1-b2^t)           (O9)
 *     BLN_SGD_AMSGRAD      the same m and v;  w <- max(w, v);  x <- x - r m/(sqrt w + e)           (O10)          0.01
 *     BLN_SGD_RMSPROP      v <- b2 v + (1-b2) g^2;  x <- x - r g/(sqrt v + e)                       (O7)         0.001
 *     BLN_SGD_ADAGRAD      v <- v + g^2;  x <- x - r g/(sqrt v + e)                                 (O6)           0.1
 *     BLN_SGD_ADADELTA     v <- b2 v + (1-b2) g^2;  d = sqrt(u+e)/sqrt(v+e) g;  x <- x - r d;       (O8)             1
 *                          u <- b2 u + (1-b2) d^2
 *     BLN_SGD_PLAIN        x <- x - r g                                                             (O3)          0.01
 *     BLN_SGD_MOMENTUM     u <- b1 u - r g;  x <- x + u                                             (O4)          0.01
 *     BLN_SGD_NESTEROV     u <- b1 u - r g;  x <- x + b1 u - r g: the gradient is asked for at the look-ahead point, which is what
 *                          x is                                                                     (O5)          0.01
 *
 * A gradient that is not finite (or whose square is not) is passed over: no step, and the step's number t stays. */
typedef enum bln_sgd_method {
    BLN_SGD_ADAM, BLN_SGD_AMSGRAD, BLN_SGD_RMSPROP, BLN_SGD_ADAGRAD, BLN_SGD_ADADELTA, BLN_SGD_PLAIN, BLN_SGD_MOMENTUM,
    BLN_SGD_NESTEROV
} bln_sgd_method;

/* r_t/rate, with T = max_steps and l = rate_floor.                                                                   (O12)
 *     BLN_SCHEDULE_HOLD          1 for t <= h = 0.6 T, then down the cosine to l at T: l + (1-l)/2 (1 + cos(pi (t-h)/(T-h))). When
 *                                the objective stalls before h, the way down begins at once: h = t, T = 5/3 t at most
 *     BLN_SCHEDULE_CONSTANT      1 */
typedef enum bln_sgd_schedule { BLN_SCHEDULE_HOLD, BLN_SCHEDULE_CONSTANT } bln_sgd_schedule;

/* The average of the points x_t.                                                                                      (O14)
 *     BLN_AVERAGE_NONE           the last point
 *     BLN_AVERAGE_TAIL           of all since average_start; before, the last point             [Polyak & Juditsky 1992] */
typedef enum bln_sgd_average_kind { BLN_AVERAGE_NONE, BLN_AVERAGE_TAIL } bln_sgd_average_kind;

typedef struct bln_sgd_desc {
    size_t           n;                /* parameters                                                  (required, >= 1)         */
    bln_sgd_method   method;           /*                                                             (0: Adam)                */
    double           rate;             /*                                                             (0: the table's)         */
    double           momentum;         /* b1, below 1                                                 (0: 0.9; < 0: none)      */
    double           decay;            /* b2, below 1     (0: 0.999; RMSProp 0.9, AdaDelta 0.95; < 0: none)                    */
    double           epsilon;          /* e > 0                                                       (0: 1e-8; AdaDelta 1e-6) */
    bln_sgd_schedule schedule;         /*                                                             (0: HOLD)                */
    double           rate_floor;       /* l, at most 1                                                (0: 0.01; < 0: 0)        */
    bln_sgd_average_kind average;      /*                                                             (0: none)                */
    uint64_t         average_start;    /* of the tail: steps that do not count                        (0: max_steps/2)         */
    uint64_t         max_steps;        /* T                                                           (0: 10000)               */
    size_t           window;           /* of the stopping rule: objectives, at least an epoch of them and >= 2     (0: 100)    */
    int              patience;         /* windows in a row without progress                           (0: 3; < 0: never stops) */
    double           significance;     /* standard errors that count as progress                      (0: 1; < 0: 0)           */
    size_t           plain;            /* the first so many parameters take BLN_SGD_PLAIN's steps, whatever the method (0: none) */
    bln_allocator    alloc;            /*                                                             (zero: malloc)           */
} bln_sgd_desc;

typedef struct bln_sgd bln_sgd;

/* The desc with every default filled in; none is then 0 but those that mean "none". */
BLN_API bln_sgd_desc bln_sgd_defaults(const bln_sgd_desc *desc);
BLN_API const char *bln_sgd_check(const bln_sgd_desc *desc);

/* Bytes of the one block that _create takes: 8 n times 1 to 5 and a little; SIZE_MAX on overflow. */
BLN_API size_t bln_sgd_size(const bln_sgd_desc *desc);

/* An optimiser, to be started by _init; the desc is copied.
 * BLN_EINVAL: what _check says, or out is NULL.  BLN_ENOMEM.  BLN_EOVERFLOW. */
BLN_API bln_status bln_sgd_create(const bln_sgd_desc *desc, bln_sgd **out, bln_report *report);
BLN_API void       bln_sgd_free(bln_sgd *opt);                           /* NULL is fine */

/* Start (again) at x[n], which may be the present point; everything that was learnt is forgotten.
 * BLN_EINVAL: opt or x NULL, or an x that is not finite (its index is the report's column); opt stays as it was. */
BLN_API bln_status bln_sgd_init(bln_sgd *opt, const double *x, bln_report *report);

/* One step with gradient[n], an unbiased estimate at the present point (and not in the memory of that, or of the average), and the
 * objective estimated there, or NaN if it is not known: then nothing but max_steps ends the run. Does nothing once converged.
 * The stopping rule (O15) compares windows of the objective: A, then B; if mean_B - mean_A is not below -significance times the
 * standard error of that difference (Welch's test) it is a window without progress. patience of them in a row end the run with
 * BLN_STOP_PROGRESS, under BLN_SCHEDULE_HOLD after its way down.
 * The report gets: iterations (steps t), evaluations (gradients; more than t by those passed over), objective (mean of the last
 * whole window, until there is one of the objectives so far; NaN: none), gradient_norm (largest |g_i| of the gradient given, which
 * is that at the point before the step; NaN in g_i does not count; NaN once converged) and stop.
 * A few ns an element; n = 1e5 makes it wait for memory.
 * BLN_EINVAL: NULL.  BLN_ESTATE: no _init before.  BLN_ENUMERIC: 100 gradients in a row that are not finite, and each one more. */
BLN_API bln_status bln_sgd_step(bln_sgd *opt, const double *gradient, double objective, bln_report *report);

/* 0 while running, else 1 with the reason in stop (may be NULL): BLN_STOP_PROGRESS or BLN_STOP_LIMIT; 1 and BLN_STOP_NONE before
 * _init. */
BLN_API int bln_sgd_converged(const bln_sgd *opt, bln_stop *stop);

/* The present point, and the average of points, or the present one where there is none (yet): n doubles each, valid until the next
 * call. NULL before _init. */
BLN_API const double *bln_sgd_x(const bln_sgd *opt);
BLN_API const double *bln_sgd_average(const bln_sgd *opt);

/* Steps taken; the rate of the next step; the objective as in the report.  0, or NaN, for NULL. */
BLN_API uint64_t bln_sgd_steps(const bln_sgd *opt);
BLN_API double   bln_sgd_rate(const bln_sgd *opt);
BLN_API double   bln_sgd_objective(const bln_sgd *opt);

/* The whole of it: create, init, steps until converged with objective(user, n, x, value, gradient, report), which is asked for both
 * at once and may be noisy; x[n] in: start, out: the average of points as above (unchanged on failure); *value (may be NULL) the
 * objective as in the report. Not to have converged is no failure: see report->stop. Fails as these do, and as the objective. */
BLN_API bln_status bln_sgd_minimise(const bln_sgd_desc *desc, bln_objective objective, void *user, double *x, double *value,
                                    bln_report *report);

#endif /* BLN_OPTIM_SGD_H */
