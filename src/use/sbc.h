#ifndef BLN_USE_SBC_H
#define BLN_USE_SBC_H
#include "../core/memory.h"
#include "../core/status.h"
#include "../random/rng.h"
/* >>sbc - is an inference right? Simulation-based calibration
 *
 * Each replicate draws a truth from the prior, data given the truth, and L draws from the posterior given the data. If model, code
 * and sampler are right, the rank of the truth, the number of draws below it, is uniform on 0..L for every model [Cook, Gelman &
 * Rubin 2006; Talts et al. 2018; samplers 46]. If the ranks are not uniform, their histogram shows what is wrong:
 *
 *     mostly high, or low    the draws are too low, or too high
 *     mostly at both ends    the draws are too narrow, or correlated
 *     mostly in the middle   the draws are too wide
 *
 * Any quantity of truth and data can be ranked: each parameter, and log p(data | parameters), which finds errors that no single
 * parameter shows, such as a sampler that ignores the data [Modrak et al. 2023].
 *
 * Uniform ranks need independent draws: raise `thin` until `correlation` is small. `infer` must itself drop the burn-in. */
typedef struct bln_sbc_desc {
    size_t quantities;             /* Q, how many are ranked                                             (required, >= 1)      */
    size_t replicates;             /* R                                                                  (0: 1000)             */
    size_t draws;                  /* L                                                                  (0: 63)               */
    size_t thin;                   /* the last of each `thin` successive draws is ranked                 (0: 1)                */
    /* Draws the quantities truth[Q] from the prior, and data given them, which it keeps in user for infer.     (required)     */
    bln_status (*simulate)(void *user, bln_rng *rng, double *truth, bln_report *report);
    /* draws[n x Q] <- n = L thin draws from the posterior given these data, in the order of the chain. A sampler that takes a
     * seed gets bln_rng_next(rng).                                                                      (required)            */
    bln_status (*infer)(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report);
    void         *user;
    const char *const *names;      /* Q names of the quantities, for the text                            (NULL: "q[1]", ...)   */
    double        level;           /* ranks with p below this are called not uniform                     (0: 0.001)            */
    uint64_t      seed;            /* both functions of replicate r draw from stream r of this seed      (0: seed 0)           */
    bln_allocator alloc;           /*                                                                    (zero: malloc)        */
} bln_sbc_desc;

/* The ranks of one quantity. */
typedef struct bln_sbc_rank {
    double p;                      /* p-value: the probability that uniform ranks differ from uniform by as much as these      */
    double shift;                  /* N(0, 1) if the ranks are uniform; > 0: ranks are high, the draws too low                 */
    double spread;                 /* N(0, 1) if the ranks are uniform; > 0: ranks are at the ends, the draws too narrow or
                                      correlated                                                                               */
    double correlation;            /* of successive ranked draws, over all replicates; NaN where draws never differ            */
} bln_sbc_rank;

typedef struct bln_sbc {
    double p;                      /* Q times the smallest p of the quantities (Bonferroni), at most 1                         */
    size_t worst;                  /* the quantity with the smallest p                                                         */
    int    uniform;                /* p >= level: no error is seen with this number of replicates                              */
    char   text[600];              /* the verdict in a sentence or two, each with a line end                                   */
} bln_sbc;

/* Runs all replicates, one after the other. out: the verdict; of: Q results, one for each quantity, or NULL; ranks: R x Q, for
 * histograms, or NULL. Ties between truth and draws are broken at random, so counts and classes may be ranked too.
 *
 * p is exact. For each k in 1..L the number of ranks below k is binomial (R, k/(L + 1)) if ranks are uniform. p is the probability
 * that any of these numbers has a tail probability as small as the smallest one found, by a recursion over k [Saeilynoja, Buerkner
 * & Vehtari 2022]. Below 1e-12 it is an upper bound.
 * BLN_EINVAL: NULL, no quantities or functions, a level outside (0, 1), a name that is NULL, an allocator without alloc or release.
 * BLN_EDATA: a truth or a draw is not finite; the report's row is the replicate, its column the quantity.  BLN_ENOMEM,
 * BLN_EOVERFLOW. Any status of a function; the row is the replicate.   L thin Q doubles, and O(R L) operations for each quantity */
BLN_API bln_status bln_sbc_run(const bln_sbc_desc *desc, bln_sbc *out, bln_sbc_rank *of, size_t *ranks, bln_report *report);

#endif /* BLN_USE_SBC_H */
