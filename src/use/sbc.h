#ifndef BLN_USE_SBC_H
#define BLN_USE_SBC_H
#include "../core/memory.h"
#include "../core/status.h"
#include "../random/rng.h"
/* >>sbc - is an inference right? Simulation-based calibration
 *
 * Draw a truth from the prior, data from the truth, and L draws from the posterior of these data; over and over again. If model,
 * code and sampler are right, the rank of the truth among the draws is uniform on 0..L, whatever the model [Cook, Gelman & Rubin
 * 2006; Talts et al. 2018; samplers 46]. Where it is not, the shape says what is wrong:
 *
 *     high, or low       the draws lie too low, or too high
 *     at both ends       the draws are too narrow, or correlated
 *     in the middle      the draws are too wide
 *
 * What is ranked may be any quantity of truth and data: each parameter, and log p(data | parameters), which sees what single
 * parameters do not, such as a sampler that forgets the data [Modrak et al. 2023].
 *
 * Uniform ranks need independent draws. Let `thin` pass over draws until `correlation` is small; burn-in is for `infer` to do. */
typedef struct bln_sbc_desc {
    size_t quantities;             /* Q, what is ranked                                                  (required, >= 1)      */
    size_t replicates;             /* R                                                                  (0: 1000)             */
    size_t draws;                  /* L                                                                  (0: 63)               */
    size_t thin;                   /* of so many draws the last one is ranked                            (0: 1)                */
    /* truth[Q]: from the prior; keeps the data that it simulates from it for infer, in user.            (required)            */
    bln_status (*simulate)(void *user, bln_rng *rng, double *truth, bln_report *report);
    /* draws[n x Q]: n = L thin draws from the posterior of these data, in the order of the chain. A sampler that takes a seed
     * gets bln_rng_next(rng).                                                                           (required)            */
    bln_status (*infer)(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report);
    void         *user;
    const char *const *names;      /* Q names, for the text                                              (NULL: "q[1]", ...)   */
    double        level;           /* p below which ranks are not uniform                                (0: 0.001)            */
    uint64_t      seed;            /* replicate r has its stream r, for both functions                   (0: 0)                */
    bln_allocator alloc;           /*                                                                    (zero: malloc)        */
} bln_sbc_desc;

/* Of one quantity. */
typedef struct bln_sbc_rank {
    double p;                      /* that uniform ranks leave the band which these just touch                                 */
    double shift;                  /* N(0, 1) if they are uniform: > 0 where ranks are high and the draws too low              */
    double spread;                 /* the same: > 0 where ranks are at the ends and the draws too narrow, or correlated        */
    double correlation;            /* of a ranked draw with the next, over all replicates; NaN where draws never differ        */
} bln_sbc_rank;

typedef struct bln_sbc {
    double p;                      /* the least of all times Q [Bonferroni], 1 at most                                         */
    size_t worst;                  /* whose                                                                                    */
    int    uniform;                /* p >= level: nothing is wrong, as far as so many replicates can tell                      */
    char   text[600];              /* the verdict in a sentence or two, each with a line end                                   */
} bln_sbc;

/* Runs all replicates, one after the other. out: the verdict; of (may be NULL): Q, each quantity's; ranks (may be NULL): R x Q, to
 * make histograms of. Ties are broken by chance, so that counts and classes may be ranked too.
 *
 * p is exact: at each rank k the number of truths below it is binomial (R, k/(L + 1)); the band is the one whose binomial tails are
 * all as small as the smallest of these, and a recursion over k gives the chance to stay inside [Saeilynoja, Buerkner & Vehtari
 * 2022]; below 1e-12 an upper bound.
 * BLN_EINVAL: NULL, no quantities or functions, a level outside (0, 1), a name that is NULL, half an allocator.  BLN_EDATA: a truth
 * or a draw is not finite; the report's row is the replicate, its column the quantity.  BLN_ENOMEM, BLN_EOVERFLOW. What a function
 * returned; the row is the replicate.   L thin Q doubles; the band takes O(R L) operations for each quantity */
BLN_API bln_status bln_sbc_run(const bln_sbc_desc *desc, bln_sbc *out, bln_sbc_rank *of, size_t *ranks, bln_report *report);

#endif /* BLN_USE_SBC_H */
