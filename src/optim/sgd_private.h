#ifndef BLN_OPTIM_SGD_PRIVATE_H
#define BLN_OPTIM_SGD_PRIVATE_H
#include "sgd.h"
#include "../core/memory.h"
#include "../core/status.h"
#include "../core/config_private.h"

/* How the rate falls: r_t/rate, with T = max_steps and l = rate_floor.                                   [optimisation 12]
 *     BLNI_SCHEDULE_HOLD          1 for t <= h = 0.6 T, then down the cosine to l at T: l + (1-l)/2 (1 + cos(pi (t-h)/(T-h))). When
 *                                the objective stalls before h, the way down begins at once: h = t, T = 5/3 t at most
 *     BLNI_SCHEDULE_CONSTANT      1 */
typedef enum blni_sgd_schedule { BLNI_SCHEDULE_HOLD, BLNI_SCHEDULE_CONSTANT } blni_sgd_schedule;

typedef struct blni_sgd_desc {
    size_t           n;                /* parameters                                                  (required, >= 1)         */
    bln_sgd_method   method;           /*                                                             (0: Adam)                */
    double           rate;             /*                                                             (0: the table's)         */
    double           momentum;         /* b1, below 1                                                 (0: 0.9; < 0: none)      */
    double           decay;            /* b2, below 1     (0: 0.999; RMSProp 0.9, AdaDelta 0.95; < 0: none)                    */
    double           epsilon;          /* e > 0                                                       (0: 1e-8; AdaDelta 1e-6) */
    blni_sgd_schedule schedule;        /*                                                             (0: HOLD)                */
    double           rate_floor;       /* l, at most 1                                                (0: 0.01; < 0: 0)        */
    int              average;          /* is the result the mean of all points after step average_start, if there are any, or
                                          the last point?        [Polyak & Juditsky 1992; optimisation 14]  (0: the last point) */
    uint64_t         average_start;    /* steps that are not averaged                                 (0: max_steps/2)         */
    uint64_t         max_steps;        /* T                                                           (0: 10000)               */
    size_t           window;           /* objectives of a window of the stopping rule, >= 2, at least an epoch     (0: 100)    */
    int              patience;         /* windows in a row without progress                           (0: 3; < 0: never stops) */
    double           significance;     /* standard errors that count as progress                      (0: 1; < 0: 0)           */
    size_t           plain;            /* this many first parameters take steps of BLN_SGD_PLAIN, whatever the method  (0: none) */
    bln_allocator    alloc;            /*                                                             (zero: malloc)           */
} blni_sgd_desc;

typedef struct blni_sgd blni_sgd;

/* _defaults: the desc with defaults, in which 0 means "none". _check: NULL, or why the desc cannot be used. _size: bytes of the
 * object, one block of about 8 n times 1 to 5; SIZE_MAX: overflow. */
BLNI_PRIV blni_sgd_desc blni_sgd_defaults(const blni_sgd_desc *desc);
BLNI_PRIV const char *blni_sgd_check(const blni_sgd_desc *desc);
BLNI_PRIV size_t blni_sgd_size(const blni_sgd_desc *desc);

/* An optimiser, to be started by _init, which forgets what was learnt and may be given the present point.
 * BLN_EINVAL: what _check says; an x that is not finite (the report's column).  BLN_ENOMEM, BLN_EOVERFLOW. */
BLNI_PRIV bln_status blni_sgd_create(const blni_sgd_desc *desc, blni_sgd **out, bln_report *report);
BLNI_PRIV void blni_sgd_free(blni_sgd *opt);
BLNI_PRIV bln_status blni_sgd_init(blni_sgd *opt, const double *x, bln_report *report);

/* From now on the objective is another function: the stopping rule forgets the values so far. */
BLNI_PRIV void blni_sgd_afresh(blni_sgd *opt);

/* One step with gradient[n], an unbiased estimate at the present point, and an estimate of the objective there, or NaN if it is not
 * known: then only max_steps ends the run. gradient may not be the memory of _x or _average. Does nothing once converged.
 * The stopping rule [optimisation 15] compares windows of the objective: A, then B; if mean_B - mean_A is not below -significance
 * times the standard error of that difference (Welch's test), B is a window without progress. `patience` of them in a row end the
 * run with BLN_STOP_PROGRESS; under BLNI_SCHEDULE_HOLD the rate falls to its floor first.
 * The report gets: iterations (steps t), evaluations (gradients; more than t by those passed over), objective (mean of the last
 * whole window, until there is one of the objectives so far; NaN: none), gradient_norm (largest |g_i| of the gradient given; NaN
 * once converged) and stop.
 * BLN_ESTATE: no _init before.  BLN_ENUMERIC: 100 gradients in a row that are not finite, and each one more. */
BLNI_PRIV bln_status blni_sgd_step(blni_sgd *opt, const double *gradient, double objective, bln_report *report);

/* 0 while running, else 1 with the reason in stop (may be NULL): BLN_STOP_PROGRESS or BLN_STOP_LIMIT; NONE before _init. */
BLNI_PRIV int blni_sgd_converged(const blni_sgd *opt, bln_stop *stop);

/* The present point; the average of points, or the present point if there is none (yet); both valid until the next call. The rate
 * of the next step. The objective as in the report. NULL or NaN before _init. */
BLNI_PRIV const double *blni_sgd_x(const blni_sgd *opt);
BLNI_PRIV const double *blni_sgd_average(const blni_sgd *opt);
BLNI_PRIV double blni_sgd_rate(const blni_sgd *opt);
BLNI_PRIV double blni_sgd_objective(const blni_sgd *opt);

#endif /* BLN_OPTIM_SGD_PRIVATE_H */
