#ifndef BLN_SAMPLING_ADVI_H
#define BLN_SAMPLING_ADVI_H
#include "approximation.h"
#include "density.h"
#include "../optim/sgd.h"
/* >>advi - a Gaussian in place of a log density, found by optimisation: automatic differentiation variational inference
 *
 *     desc.density = density;                                           by hand, bln_program_density, bln_glm_density_of
 *     if (bln_advi_fit(&desc, &advi, &report)) ...
 *     const bln_approximation *q = bln_advi_result(advi);
 *     puts(q->importance.text);                                         may it be believed?
 *
 * Maximises ELBO(q) = E_q log p(z) + entropy of q over Gaussians q: z = mean + noise, with e and h vectors of standard normals:
 *                                                   [Kucukelbir, Tran, Ranganath, Gelman & Blei 2017; programs 1-4]
 *
 *     BLN_ADVI_MEAN_FIELD  diag(s) e                   2 D parameters: uncorrelated; if p is correlated its variances are too small
 *     BLN_ADVI_FULL        U'e                         D (D + 3)/2: all correlations
 *     BLN_ADVI_LOW_RANK    diag(delta) e + B h         (2 + rank) D: the largest correlations of many coordinates
 *
 *     BLN_ADVI_FIXED_NOISE   the mean of the ELBO over S draws of the noise, kept fixed, is a smooth function: L-BFGS finds its
 *         maximum. Draws come in pairs (e, -e), scaled to variance 1; if S is at least four times the numbers of a draw, all their
 *         second moments are those of e, which is exact for Gaussian p. The maximum overfits the draws: while its ELBO differs
 *         from that of 1000 new draws by more than 0.02 sqrt(D) + 2 standard errors, S is multiplied by 4, up to 6400
 *                                                                             [Burroni, Domke & Sheldon 2024; programs 18, 30]
 *     BLN_ADVI_STOCHASTIC    new draws at each step, and steps of >>sgd. The gradients leave out the score, so that they vanish for
 *         each single draw if q = p. When the ELBO of 100 steps no longer rises, the rate falls to 1 %, and q is the mean of the
 *         points from there on                                                    [Roeder, Wu & Duvenaud 2017; programs 20, 31]
 *
 * BLN_ADVI_AUTO is STOCHASTIC above 1000 coordinates, with a batch, and for programs with bln_c_noise.
 * A parameter of a program may be a point: q has no noise in it, and the fit finds where the ELBO is largest. Each STOCHASTIC step
 * may use a minibatch of the program's rows. Each of several processes takes `batch` of its own rows; the steps have the least
 * noise where all have about as many. Where a monitor changes the powers of scopes, STOCHASTIC judges progress anew from there, and
 * FIXED_NOISE ends with BLN_ESTATE.                                                                                [programs 5, 32]
 *
 * Results depend only on the desc, not on how many iterations _step takes at a time. ELBO, evidence and k_hat of the result come
 * from draws that were not used in the fit. */
typedef enum bln_advi_family { BLN_ADVI_MEAN_FIELD, BLN_ADVI_FULL, BLN_ADVI_LOW_RANK } bln_advi_family;
typedef enum bln_advi_method { BLN_ADVI_AUTO, BLN_ADVI_FIXED_NOISE, BLN_ADVI_STOCHASTIC } bln_advi_method;

/* What a monitor sees after each step of bln_advi_run but the last. */
typedef struct bln_advi_progress {
    size_t        iteration, noise;         /* iterations so far; S                                               */
    double        elbo;                     /* the optimiser's estimate: too high (fixed noise), or noisy         */
    uint64_t      evaluations;              /* of the density                                                     */
    const double *mean;                     /* D: the present mean of q                                           */
} bln_advi_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, q is what it is. Anything else: fail with it. */
typedef bln_status (*bln_advi_monitor)(void *user, const bln_advi_progress *progress);

typedef struct bln_advi_desc {
    bln_density     density;       /*                                                                     (required)           */
    bln_advi_family family;        /*                                                                     (0: mean field)      */
    size_t          rank;          /* of LOW_RANK, at most D                                              (0: min(5, D))       */
    bln_advi_method method;        /*                                                     (0: fixed noise up to D = 1000)      */
    size_t          noise;         /* first S, or draws of each step; even    (0: 100, at least 4 D of FULL; STOCHASTIC 10)    */
    size_t          batch;         /* rows of a step: the density is a program with data or source; STOCHASTIC. Then S is 2,
                                      or 1 where all parameters are points                               (0: all rows)         */
    size_t          max_iterations;/* of L-BFGS for each S, or stochastic steps                (0: 1000; STOCHASTIC 10000)     */
    bln_sgd_method  steps;         /* of STOCHASTIC                                                       (0: Adam)            */
    double          rate;          /* first rate of these steps                                           (0: >>sgd's)         */
    const double   *start;         /* first mean, dim numbers                   (NULL: 0, or random if the density is 0 there) */
    double          scale;         /* first standard deviations                                           (0: 1/e)             */
    size_t          draws;         /* of the result, over all rows   (0: FIXED_NOISE 4000, STOCHASTIC 1000, all points 1)     */
    uint64_t        seed;          /*                                                                     (0: seed 0)          */
    size_t          block;         /* iterations in one _step                                             (0: 50)              */
    bln_advi_monitor monitor;      /* after each step of _run                                             (NULL: none)         */
    void           *monitor_user;
    bln_allocator   alloc;         /*                                                                     (zero: malloc)       */
} bln_advi_desc;

typedef struct bln_advi bln_advi;

BLN_API bln_advi_desc bln_advi_defaults(const bln_advi_desc *desc);
BLN_API const char   *bln_advi_check(const bln_advi_desc *desc);

/* Bytes that _create allocates: the optimiser (n parameters: some 200 n numbers, 20 n for n > 10000, 5 n for STOCHASTIC), noise of
 * up to 3200 D numbers, the draws. SIZE_MAX: too many, or the desc cannot be used. */
BLN_API size_t bln_advi_size(const bln_advi_desc *desc);

/* An optimiser, to be started by _init. The desc is copied, what it points to must stay. Nothing is allocated afterwards.
 * BLN_EINVAL: what _check says, a start that is not finite, a name of more than 255 bytes or with a line end.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_advi_create(const bln_advi_desc *desc, bln_advi **out, bln_report *report);
BLN_API void       bln_advi_free(bln_advi *advi);                          /* NULL is fine */

/* Starts, or starts again; the former result is dropped, also on failure.
 * BLN_EINVAL: NULL.  BLN_ENUMERIC: the density is 0 or NaN at `start` (without one: at 0 and at 100 random places); or, with fixed
 * noise, at draws around it, even with `scale` reduced to scale/8000.  Any status of eval. */
BLN_API bln_status bln_advi_init(bln_advi *advi, bln_report *report);

/* `block` more iterations; after the last one the result is there. The report gets iterations, evaluations, objective (as the
 * optimiser sees the ELBO) and, at the end, stop: BLN_STOP_LIMIT if max_iterations ended it, if no S up to 6400 was enough, or if
 * one of more draws was impossible.
 * BLN_EINVAL: NULL.  BLN_ESTATE: no _init before.  Any status of eval; the call may be repeated.  BLN_EUNDEFINED: q grows or
 * shrinks without limit, as where p has no integral, or an infinite peak (if it does so slowly there is a result, and k_hat may
 * look good: `good` is 0 where p is flat along a coordinate, but of a ridge nothing tells); or p is 0 at all draws of the result.
 * BLN_ENUMERIC: in 100 steps in a row p was 0 at the draws, or the gradient was not finite. */
BLN_API bln_status bln_advi_step(bln_advi *advi, bln_report *report);
BLN_API int        bln_advi_converged(const bln_advi *advi);               /* is the result there? */

/* _init, and _step to the end, with the monitor called between them. If the monitor stops it, the status is BLN_OK, the report's
 * stop is BLN_STOP_MONITOR, and there is a result. Errors: those of _init and _step, and any status that the monitor returned. */
BLN_API bln_status bln_advi_run(bln_advi *advi, bln_report *report);

/* NULL before the end. */
BLN_API const bln_approximation *bln_advi_result(const bln_advi *advi);

/* _create and _run; the result lives in *out, which bln_advi_free releases. Errors as of these two. */
BLN_API bln_status bln_advi_fit(const bln_advi_desc *desc, bln_advi **out, bln_report *report);

#endif /* BLN_SAMPLING_ADVI_H */
