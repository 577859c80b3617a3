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
 * A chain moves as a particle on the surface -log p: a momentum by chance, then a trajectory of small steps, then a point of it.
 * The no-U-turn sampler follows the trajectory until it would turn back, and draws one of its points with probability proportional
 * to e^-H [Hoffman & Gelman 2014; Betancourt 2017]. In the warm-up step and metric (a variance for each coordinate, or a
 * covariance) are learnt, in the schedule that Stan uses.
 *
 * What is drawn depends on density, desc and seed alone, not on the number of threads, nor on how many steps _step takes at a time:
 * transition t of chain c has a random stream of its own. Compiled with OpenMP, chains run side by side if the density can. */
typedef enum bln_hmc_method {
    BLN_HMC_NUTS,                  /* the no-U-turn sampler                                                         */
    BLN_HMC_STATIC                 /* `leapfrogs` steps a transition: for teaching, and where one knows the length  */
} bln_hmc_method;

typedef enum bln_metric { BLN_METRIC_DIAGONAL, BLN_METRIC_DENSE, BLN_METRIC_UNIT } bln_metric;

/* After each step of bln_hmc_run. */
typedef struct bln_hmc_progress {
    size_t   transition, warmup, transitions;   /* of each chain: so far, those of the warm-up, in all */
    size_t   divergent;                         /* of all chains, after the warm-up                    */
    uint64_t evaluations;                       /* of all chains                                       */
    const bln_chains *chains;                   /* what is drawn so far                                */
} bln_hmc_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was drawn. Anything else: fail with it. */
typedef bln_status (*bln_hmc_monitor)(void *user, const bln_hmc_progress *progress);

typedef struct bln_hmc_desc {
    bln_density    density;        /*                                                                     (required)           */
    size_t         chains;         /*                                                                     (0: 4)               */
    size_t         warmup;         /* transitions that learn and are not kept                             (0: 1000)            */
    size_t         draws;          /* of each chain                                                       (0: 1000)            */
    size_t         thin;           /* of so many transitions the last one is kept                         (0: 1)               */
    bln_hmc_method method;         /*                                                                     (0: NUTS)            */
    bln_metric     metric;         /* dense: D x D for each chain, D^2 flops a step                       (0: diagonal)        */
    double         accept;         /* mean acceptance that the step aims at, in (0, 1); 0.95 or 0.99 where transitions diverge
                                                                                                          (0: 0.8)             */
    size_t         max_depth;      /* of NUTS: at most 2^max_depth steps a transition; 30 at most         (0: 10)              */
    size_t         leapfrogs;      /* of STATIC: steps a transition                                       (0: 20)              */
    double         jitter;         /* of STATIC: by so much of itself the step varies, below 1            (0: 0.1; < 0: not)   */
    double         step;           /* where the search for the step begins                                (0: 1)               */
    const double  *inverse_metric; /* M^-1 to begin with: D variances, or dense D x D, of which the upper triangle is read
                                                                                                          (NULL: all 1)        */
    int            fixed;          /* step and metric stay as they are given, and there is no warm-up     (0: they are learnt) */
    const double  *start;          /* dim numbers, or n_starts rows of them                               (NULL: random)       */
    size_t         n_starts;       /* chain c begins at row c modulo n_starts                             (0: 1)               */
    double         radius;         /* random starts are uniform within this of 0, in each coordinate      (0: 2)               */
    uint64_t       seed;           /*                                                                     (0: 0)               */
    size_t         block;          /* transitions of each chain in one _step                              (0: 50)              */
    bln_hmc_monitor monitor;       /* after each step of _run                                             (NULL: none)         */
    void          *monitor_user;
    bln_allocator  alloc;          /*                                                                     (zero: malloc)       */
} bln_hmc_desc;

typedef struct bln_hmc bln_hmc;

BLN_API bln_hmc_desc bln_hmc_defaults(const bln_hmc_desc *desc);
BLN_API const char  *bln_hmc_check(const bln_hmc_desc *desc);

/* Bytes that _create allocates, but for clones of the density: the draws, some 20 D and 4 D max_depth numbers for each chain, and
 * 2 D^2 of a dense metric. SIZE_MAX: too many, or the desc cannot be used. */
BLN_API size_t bln_hmc_size(const bln_hmc_desc *desc);

/* A sampler, to be started by _init. The desc is copied, what it points to must stay. Nothing is allocated afterwards.
 * BLN_EINVAL: what _check says, an inverse_metric or start that is not finite, variances not > 0, a name of more than 255 bytes or
 * with a line end.  BLN_ENOTPD: a dense inverse_metric.  BLN_ENOMEM, BLN_EOVERFLOW. What clone returned. */
BLN_API bln_status bln_hmc_create(const bln_hmc_desc *desc, bln_hmc **out, bln_report *report);
BLN_API void       bln_hmc_free(bln_hmc *hmc);                             /* NULL is fine */

/* Starts (again): finds where each chain begins, and forgets what was drawn.
 * BLN_EINVAL: NULL.  BLN_ENUMERIC: the density is 0 or NaN at a start, or at 100 random ones; the report's row is the chain, its
 * text has the density's own words.  What eval returned. */
BLN_API bln_status bln_hmc_init(bln_hmc *hmc, bln_report *report);

/* `block` more transitions of each chain. The report gets iterations (transitions of all chains so far) and evaluations. Where
 * eval fails with a status that ends the run, that is returned and the draws before it stay; the call may be repeated.
 * BLN_EINVAL: NULL.  BLN_ESTATE: no _init before.  What eval returned; the report's row is the chain.  BLN_EUNDEFINED: in the
 * warm-up, no chain moves, or, which takes a warm-up of 500 to see, all go ever farther, as where the density has no integral. */
BLN_API bln_status bln_hmc_step(bln_hmc *hmc, bln_report *report);
BLN_API int        bln_hmc_converged(const bln_hmc *hmc);                  /* are all draws there? */

/* init, and steps to the end, with the monitor after each. What the monitor stops is BLN_OK with BLN_STOP_MONITOR in the report.
 * Errors of these, and what the monitor returned. */
BLN_API bln_status bln_hmc_run(bln_hmc *hmc, bln_report *report);

/* The draws so far, which the sampler owns. NULL for NULL. */
BLN_API const bln_chains *bln_hmc_chains(const bln_hmc *hmc);

/* What a chain has learnt and met. */
typedef struct bln_hmc_chain {
    double   step, accept;         /* of the integrator; mean acceptance after the warm-up                      */
    size_t   divergent, saturated; /* transitions after the warm-up that diverged, that reached max_depth       */
    uint64_t evaluations, rejected;         /* of the density; those where it was impossible                    */
    const double *scale;           /* D standard deviations, the roots of a diagonal M^-1; NULL: it is not diagonal */
    const double *factor;          /* D x D upper U, M^-1 = U'U, of a dense one; else NULL                      */
} bln_hmc_chain;

/* BLN_EINVAL: NULL, or no such chain. */
BLN_API bln_status bln_hmc_chain_state(const bln_hmc *hmc, size_t chain, bln_hmc_chain *out);

/* create, run and free; the draws are the caller's, to be given to bln_chains_free. Errors of these. */
BLN_API bln_status bln_hmc_sample(const bln_hmc_desc *desc, bln_chains **out, bln_report *report);

#endif /* BLN_SAMPLING_HMC_H */
