#ifndef BLN_GLM_NUTS_H
#define BLN_GLM_NUTS_H
#include "method.h"
/* >>glm_nuts - draws of weights and hyper-parameters by the no-U-turn sampler: the posterior itself, but for chance
 *
 *     p(w, lambda, eta, theta | y),  as in >>glm_density: the priors of >>glm, and no Gaussian in the place of anything
 *
 * The other methods are judged by this one, which takes some hundred times as long as >>glm_full. That comes first: its
 * hyper-parameters and its Gaussian say where chains begin, and in which coordinates the sampler (>>hmc) moves: such that weights
 * do not narrow or move where their prior variance does, so that a draw takes few steps, the warm-up is short, and few transitions
 * diverge.                                                                 [Papaspiliopoulos, Roberts & Skold 2007]
 *
 * The posterior that is left has a component for each draw, a point with its own eta and prior variances (>>kind_point): `keep`
 * draws, evenly spaced in all chains. If theta is learnt, each has its own too, for which features are made anew at rows to
 * predict: then they are fewer. What the model tells of lambda, eta and theta is that of the draw nearest to their middle, the
 * first component. The objective is the bound of `full` at the hyper-parameters where the chains began, for draws give none. Rows
 * are left out by reweighting draws (>>psis).
 *
 * All draws stay in the model and in its file (bln_glm_chains): w, as far as they are learnt prior_var, the likelihood's own and
 * theta, in natural units, then the sampler's columns. The report of a fit has text if bln_chains_diagnose finds fault with them,
 * its first sentences. Transitions that diverged want a greater `accept`, an R-hat or effective sample size that is not good more
 * draws. Length scales that the rows hardly know may take both and more, for with each of them all features move under the
 * weights.
 *
 * Draws depend on the desc and the seed alone, not on the number of threads; with OpenMP chains run side by side. One latent, a
 * data set. Cost: a draw takes 5 to 20 gradients, each two passes over the rows (one where eta and theta are fixed) and 4 D^2
 * flops. Memory beside what `full` takes, bln_glm_size and bln_glm_fit_size tell: all draws, chains x draws x (D + hyper-parameters
 * + 7) numbers, and for each chain what >>hmc and >>glm_density say. Priors must be proper: neither flat nor switched off, and no
 * theta that has none (frequencies or places that are learnt). The first cut of ordered categories has none, and is only known if
 * there are rows in the first category and in another one. */

typedef struct bln_glm_nuts_desc {
    size_t chains;                     /*                                                        (0: 4)                  */
    size_t warmup;                     /* transitions of each that learn and are not kept        (0: 300)                */
    size_t draws;                      /* of each chain                                          (0: 1000)               */
    double accept;                     /* as of >>hmc, in (0, 1)                                 (0: 0.8)                */
    size_t keep;                       /* components, rounded down to a multiple of `chains`; with basis parameters of their own
                                          256 at most                                            (0: 1000, and then 256) */
} bln_glm_nuts_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_nuts(const bln_glm_nuts_desc *own);
BLN_API const bln_glm_card *bln_glm_nuts_card(void);

#endif /* BLN_GLM_NUTS_H */
