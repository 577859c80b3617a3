#ifndef BLN_SAMPLING_HMC_H
#define BLN_SAMPLING_HMC_H
#include "../posterior/chains.h"
#include "density.h"
/* >>hmc - draws from a log density by Hamiltonian Monte Carlo: the no-U-turn sampler, or trajectories of a fixed length
 *
 *     bln_density density = BLN_ZERO;
 *     bln_hmc_desc desc = BLN_ZERO;
 *     density.dim = 2;      density.eval = my_density;
 *     desc.density = density;
 *     if (bln_density_check(&density, NULL, NULL, &report)) ...         is the gradient right?
 *     if (bln_hmc_sample(&desc, &draws, &report)) ...                   4 chains of 1000 draws, after 1000 of warm-up
 *     bln_chains_diagnose(draws, NULL, &diagnosis, &report);            may they be believed? What to do if not
 *
 * In a transition a chain moves as a particle with the potential -log p: it draws a momentum, follows a trajectory of small steps,
 * and takes a point of it. The no-U-turn sampler follows the trajectory until it would turn back, and draws one of its points with
 * probability proportional to e^-H, H the total energy [Hoffman & Gelman 2014; Betancourt 2017]. The warm-up learns the step and
 * the metric (a variance for each coordinate, or a covariance), by Stan's schedule.
 *
 * Draws depend only on density, desc and seed, not on the number of threads nor on the calls of _step: transition t of chain c has
 * its own random stream. Compiled with OpenMP, chains run side by side if the density allows it (parallel, or clone). */
typedef enum bln_hmc_method {
    BLN_HMC_NUTS,                  /* the no-U-turn sampler                                                         */
    BLN_HMC_STATIC                 /* `leapfrogs` steps in each transition: for teaching, or if the right number is known */
} bln_hmc_method;

typedef enum bln_metric { BLN_METRIC_DIAGONAL, BLN_METRIC_DENSE, BLN_METRIC_UNIT } bln_metric;

/* What a monitor sees after each step of bln_hmc_run. */
typedef struct bln_hmc_progress {
    size_t   transition, warmup, transitions;   /* transitions of each chain: so far, of the warm-up, in all */
    size_t   divergent;                         /* transitions after the warm-up that diverged, all chains   */
    uint64_t evaluations;                       /* of the density, by all chains                       */
    const bln_chains *chains;                   /* the draws so far                                    */
} bln_hmc_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was drawn. Anything else: fail with it. */
typedef bln_status (*bln_hmc_monitor)(void *user, const bln_hmc_progress *progress);

typedef struct bln_hmc_desc {
    bln_density    density;        /*                                                                     (required)           */
    size_t         chains;         /*                                                                     (0: 4)               */
    size_t         warmup;         /* transitions of each chain that learn and are not kept               (0: 1000)            */
    size_t         draws;          /* draws kept of each chain                                            (0: 1000)            */
    size_t         thin;           /* the last of each `thin` transitions is kept                         (0: 1)               */
    bln_hmc_method method;         /*                                                                     (0: NUTS)            */
    bln_metric     metric;         /* dense: D x D for each chain, D^2 flops a step                       (0: diagonal)        */
    double         accept;         /* mean acceptance that the step aims at, in (0, 1); 0.95 or 0.99 where transitions diverge
                                                                                                          (0: 0.8)             */
    size_t         max_depth;      /* of NUTS: at most 2^max_depth steps a transition; 30 at most         (0: 10)              */
    size_t         leapfrogs;      /* of STATIC: steps a transition                                       (0: 20)              */
    double         jitter;         /* of STATIC: the step varies at random by this part of itself, < 1    (0: 0.1; < 0: none)  */
    double         step;           /* first step of the integrator                                        (0: 1)               */
    const double  *inverse_metric; /* first M^-1: D variances, or if dense D x D, upper triangle          (NULL: identity)     */
    int            fixed;          /* keep step and inverse_metric as given, without a warm-up            (0: they are learnt) */
    const double  *start;          /* n_starts x dim                                                      (NULL: random)       */
    size_t         n_starts;       /* chain c begins at row c modulo n_starts                             (0: 1)               */
    double         radius;         /* random starts are uniform in [-radius, radius], each coordinate     (0: 2)               */
    uint64_t       seed;           /*                                                                     (0: seed 0)          */
    size_t         block;          /* transitions of each chain in one _step                              (0: 50)              */
    bln_hmc_monitor monitor;       /* after each step of _run                                             (NULL: none)         */
    void          *monitor_user;
    bln_allocator  alloc;          /*                                                                     (zero: malloc)       */
} bln_hmc_desc;

typedef struct bln_hmc bln_hmc;

BLN_API bln_hmc_desc bln_hmc_defaults(const bln_hmc_desc *desc);
BLN_API const char  *bln_hmc_check(const bln_hmc_desc *desc);

/* Bytes that _create allocates, without clones of the density: the draws, about 20 D + 4 D max_depth doubles for each chain, and
 * 2 D^2 with a dense metric. SIZE_MAX: too many, or the desc cannot be used. */
BLN_API size_t bln_hmc_size(const bln_hmc_desc *desc);

/* A sampler, to be started by _init. The desc is copied, but not what it points to. Nothing is allocated afterwards.
 * BLN_EINVAL: _check refuses the desc, an inverse_metric or start that is not finite, variances not > 0, a name of more than 255
 * bytes or with a line end.  BLN_ENOTPD: a dense inverse_metric is not.  BLN_ENOMEM, BLN_EOVERFLOW. Any status of clone. */
BLN_API bln_status bln_hmc_create(const bln_hmc_desc *desc, bln_hmc **out, bln_report *report);
BLN_API void       bln_hmc_free(bln_hmc *hmc);                             /* NULL is fine */

/* Starts, or starts again: finds where each chain begins, and drops all former draws.
 * BLN_EINVAL: NULL.  BLN_ENUMERIC: the density is 0 or NaN at a start, or at 100 random ones; the report's row is the chain, its
 * text is that of the density.  Any other status of eval. */
BLN_API bln_status bln_hmc_init(bln_hmc *hmc, bln_report *report);

/* `block` more transitions of each chain. The report gets iterations (transitions of all chains so far) and evaluations.
 * BLN_EINVAL: NULL.  BLN_ESTATE: no _init before.  Any status of eval that ends the run: the draws before it stay, the report's row
 * is the chain, and the call may be repeated.  BLN_EUNDEFINED: no chain moves in the warm-up; or, in a warm-up of 500 or more, all
 * chains go ever farther, as if the density had no integral. */
BLN_API bln_status bln_hmc_step(bln_hmc *hmc, bln_report *report);
BLN_API int        bln_hmc_converged(const bln_hmc *hmc);                  /* are all draws made? */

/* _init, and _step to the end, with the monitor called after each. If the monitor stops it, the status is BLN_OK and the report's
 * stop BLN_STOP_MONITOR. Errors: those of _init and _step, and any status of the monitor. */
BLN_API bln_status bln_hmc_run(bln_hmc *hmc, bln_report *report);

/* The draws so far, which the sampler owns. NULL for NULL. */
BLN_API const bln_chains *bln_hmc_chains(const bln_hmc *hmc);

/* The state of a chain. */
typedef struct bln_hmc_chain {
    double   step, accept;         /* step of the integrator; mean acceptance after the warm-up                 */
    size_t   divergent, saturated; /* transitions after the warm-up that diverged; that reached max_depth       */
    uint64_t evaluations, rejected;         /* evaluations of the density; those where it was 0                 */
    const double *scale;           /* D standard deviations, the roots of a diagonal M^-1; NULL: it is not diagonal */
    const double *factor;          /* D x D upper U, M^-1 = U'U, of a dense one; else NULL                      */
} bln_hmc_chain;

/* BLN_EINVAL: NULL, or no such chain. */
BLN_API bln_status bln_hmc_chain_state(const bln_hmc *hmc, size_t chain, bln_hmc_chain *out);

/* _create, _run and _free; the caller frees the draws by bln_chains_free. Errors: those of _create and _run. */
BLN_API bln_status bln_hmc_sample(const bln_hmc_desc *desc, bln_chains **out, bln_report *report);

#endif /* BLN_SAMPLING_HMC_H */
