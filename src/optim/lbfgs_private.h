#ifndef BLN_OPTIM_LBFGS_PRIVATE_H
#define BLN_OPTIM_LBFGS_PRIVATE_H
#include "../core/memory.h"
#include "../core/status.h"
#include "../core/config_private.h"
/* lbfgs: minimisation of a smooth function by limited-memory BFGS                     [optimisation 21-28; Nocedal & Wright 2006]
 *
 * Two-loop recursion, strong-Wolfe line search (bracket and zoom, cubic interpolation) with the approximate Wolfe test of Hager &
 * Zhang (2005) near the rounding floor. A value that is not finite counts as +infinity: the search steps back. */

/* The objective: *value = f(x) and, if gradient is not NULL, gradient[n]. The line search asks for the value first and, if it is
 * good enough, for the gradient at the same x right after: keep what the second call can use. A status other than BLN_OK ends the
 * call that asked and is returned; a value or gradient of NaN or infinity does not. x is always finite. */
typedef bln_status (*blni_objective)(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report);

typedef struct blni_lbfgs_desc {
    size_t        n;                 /* parameters                                              (required, >= 1)     */
    size_t        memory;            /* pairs kept                                  (0: 100; 100000/n, at least 10, for n > 1000) */
    size_t        max_iterations;    /*                                                         (0: 1000)            */
    double        gradient_tol;      /* stop when max |g_i| <= gradient_tol max(1, sqrt|f|)     (0: 1e-6)            */
    double        progress_tol;      /* or relative decrease below it twice in a row            (0: 1e-9; < 0: never) */
    double        c2;                /* curvature constant of the Wolfe conditions, in (1e-4,1) (0: 0.5)             */
    double        first_step;        /* length of the first trial step    (0: min(1, 1/|g|_1), >= 1e-8 max(1, max |x_i|)) */
    double        max_step;          /* no coordinate moves further in one iteration            (0: 100 max(1, max |x_i|)) */
    blni_objective objective;         /*                                                         (required)           */
    void         *user;
    bln_allocator alloc;             /*                                                         (zero: malloc)       */
} blni_lbfgs_desc;

typedef struct blni_lbfgs blni_lbfgs;

/* _defaults: the desc with defaults, except those of first_step and max_step, which depend on the point. _check: NULL, or why the
 * desc cannot be used. _size: bytes of the object, one block of about 8 (2 memory + 7) n; SIZE_MAX: overflow. */
BLNI_PRIV blni_lbfgs_desc blni_lbfgs_defaults(const blni_lbfgs_desc *desc);
BLNI_PRIV const char *blni_lbfgs_check(const blni_lbfgs_desc *desc);
BLNI_PRIV size_t blni_lbfgs_size(const blni_lbfgs_desc *desc);

/* An optimiser, to be started by _init.   BLN_EINVAL: what _check says.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLNI_PRIV bln_status blni_lbfgs_create(const blni_lbfgs_desc *desc, blni_lbfgs **out, bln_report *report);
BLNI_PRIV void blni_lbfgs_free(blni_lbfgs *opt);

/* Starts (again) at x[n], which may be the present point: evaluates value and gradient there, forgets the pairs, counts from 0.
 * After a failure the object is as it was before the call.
 * BLN_EINVAL: an x that is not finite (its index is the report's column).  BLN_ENUMERIC: value or gradient at the start not finite.
 * Else what the objective returns. */
BLNI_PRIV bln_status blni_lbfgs_init(blni_lbfgs *opt, const double *x, bln_report *report);

/* One iteration: a direction and a line search along it. Does nothing once converged. The value never rises above the
 * lowest so far by more than 1e-10 |f|, the rounding floor of [optimisation 26]. After a failure the point is as it was, and the
 * call may be repeated. The report's iterations, evaluations (points at which the objective was asked), objective, gradient_norm
 * and stop are filled. O(memory n) and the objective: one to three evaluations as a rule, at most 120.
 * BLN_ESTATE: no _init before.  Else what the objective returns. */
BLNI_PRIV bln_status blni_lbfgs_step(blni_lbfgs *opt, bln_report *report);

/* 0 while running, else 1 with the reason in stop (may be NULL); 1 and BLN_STOP_NONE before _init. */
BLNI_PRIV int blni_lbfgs_converged(const blni_lbfgs *opt, bln_stop *stop);

/* The present point and its gradient (n doubles each), valid until the next call, and its value. Before _init the point is NULL,
 * the value NaN, and the gradient means nothing. */
BLNI_PRIV const double *blni_lbfgs_x(const blni_lbfgs *opt);
BLNI_PRIV const double *blni_lbfgs_gradient(const blni_lbfgs *opt);
BLNI_PRIV double blni_lbfgs_value(const blni_lbfgs *opt);

#endif /* BLN_OPTIM_LBFGS_PRIVATE_H */
