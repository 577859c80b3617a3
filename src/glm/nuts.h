#ifndef BLN_GLM_NUTS_H
#define BLN_GLM_NUTS_H
#include "method.h"
/* >>glm_nuts - draws of weights and hyper-parameters by the no-U-turn sampler: the posterior itself, but for chance
 *
 *     p(w, lambda, eta, theta | y),  as in >>glm_density: the priors of >>glm, and no Gaussian in the place of anything
 *
 * The other methods are judged by this one, which takes some hundred times as long as >>glm_full. A fit by `full` comes first: its
 * hyper-parameters and its Gaussian give the start of the chains and the coordinates of the sampler (>>hmc). In these coordinates
 * the scale and place of the weights do not depend on the prior variances, so that a draw takes few steps, the warm-up is short,
 * and few transitions diverge. [Papaspiliopoulos, Roberts & Skold 2007]
 *
 * The posterior has a component for each of `keep` draws, evenly spaced in all chains: a point with its own eta and prior variances
 * (>>kind_point). If theta is learnt, each component has its own theta too, and predictions compute the features anew for each, so
 * that fewer draws are kept. The functions that return lambda, eta and theta give those of the first component, the draw nearest to
 * the middle of all. The objective is the bound of `full` at the hyper-parameters where the chains began, as draws give none. Rows
 * are left out by reweighting draws (>>psis).
 *
 * All draws stay in the model and in its file (bln_glm_chains): w, the learnt ones of prior_var, the likelihood's parameters and
 * theta, all in natural units, then the sampler's columns. If bln_chains_diagnose finds fault with the draws, the report of a fit
 * has its first sentences as text. Divergent transitions call for a greater `accept`, a poor R-hat or effective sample size for
 * more draws. Length scales of which the rows say little may need both, because all features change with each of them.
 *
 * Draws depend on the desc and the seed alone, not on the number of threads; with OpenMP chains run side by side. Needs one latent,
 * and a data set, not a source. Cost: a draw takes 5 to 20 gradients, each two passes over the rows (one where eta and theta are
 * fixed) and 4 D^2 flops. Memory beyond that of `full`, which bln_glm_size and bln_glm_fit_size are: all draws, chains x draws x
 * (D + hyper-parameters + 7) numbers, and for each chain what >>hmc and >>glm_density say. Priors must be proper: neither flat nor
 * switched off, and theta that is learnt must have one (frequencies and places have none). The first cut point of ordered
 * categories has no prior: only rows in the first category and in another one make its posterior proper. */

typedef struct bln_glm_nuts_desc {
    size_t chains;                     /*                                                        (0: 4)                  */
    size_t warmup;                     /* transitions of each that learn and are not kept        (0: 300)                */
    size_t draws;                      /* of each chain; with target_ess, at most                (0: 1000, or 8000)      */
    double target_ess;                 /* as of >>glm_gibbs                                      (0: after `draws`)      */
    double accept;                     /* as of >>hmc, in (0, 1)                                 (0: 0.8)                */
    size_t keep;                       /* components, rounded down to a multiple of `chains`; with basis parameters of their own
                                          256 at most                                            (0: 1000, and then 256) */
} bln_glm_nuts_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_nuts(const bln_glm_nuts_desc *own);
BLN_API const bln_glm_card *bln_glm_nuts_card(void);

#endif /* BLN_GLM_NUTS_H */
