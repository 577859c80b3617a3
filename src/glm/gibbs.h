#ifndef BLN_GLM_GIBBS_H
#define BLN_GLM_GIBBS_H
#include "method.h"
/* >>glm_gibbs - draws of weights and hyper-parameters by data augmentation: the posterior itself, without gradients or steps
 *
 *     p(w, lambda, eta | y)  at theta that stays as >>glm_full learnt it, or p(w, lambda, eta, theta | y), with the priors of >>glm
 *
 * For likelihoods that are Gaussian in f once a random number is added to each row: binomial (logit, and probit of whole weights),
 * negative binomial, Poisson with a logistic rate, Gaussian, Student-t, Laplace, asymmetric Laplace; of several latents
 * heteroscedastic normal and Student-t, and logistic_softmax. A sweep draws these numbers, then prior variances and theta with the
 * weights integrated out, then all weights at once; eta, and the weights that the warm-up has found to be slowest, move with the
 * random numbers integrated out, by slices. Nothing is rejected, and there is no step to choose: draws of one sweep and the next
 * are alike only as far as the random numbers know f, which is much where classes are rare or nearly apart: the report says if the
 * draws are too few. [Polson, Scott & Windle 2013; Galy-Fajou, Wenzel & Opper 2020; Neal 2003; Johndrow, Smith, Pillai & Dunson
 * 2019]
 *
 * The fit of `full` comes first: it says where chains begin, at draws from its Gaussian with twice its standard deviations (the
 * hyper-parameters at its own), and theta. The posterior that is left, what the model tells, the report and the chains are as
 * of >>glm_nuts, but that components have theta of their own only if it is drawn: else what is not known of length scales is left
 * out. Prior variance that features miss is left out while sampling. The sampler's column is lp__.
 *
 * Draws depend on the desc and the seed alone, not on the number of threads; with OpenMP chains run side by side. A data set. A
 * monitor may stop it: what is drawn stays. Cost of a sweep: n D^2 + D^3/3 flops for the weights, 6 times D^3/3 for each prior
 * variance of a slice; of n < D rows n^3 in place of D^3, and 6 n D; 6 times all of these and the features for each number of theta
 * that is drawn. One of a single weight (per_weight) moves given the weight,
 * which costs next to nothing (with n < D another 2 n^2 D) and is slower to mix. A warm-up of less than 80 learns nothing. Memory
 * beside what `full` takes, bln_glm_size and bln_glm_fit_size tell: the features, n D numbers (and n^2 for each slice, if n < D),
 * all draws, and for each chain twice the smaller of D^2 and n^2.
 *
 * Refused: likelihoods without such random numbers, with the reason; probit with weights that are not whole, or with more than a
 * million trials, weights counted, each of which is a draw of a sweep; flat priors, which have no proper posterior to draw from;
 * hyper-parameters without their priors; theta of latents that share a basis and are not drawn at once (heteroscedastic). */

typedef struct bln_glm_gibbs_desc {
    size_t chains;                     /*                                                        (0: 4)                  */
    size_t warmup;                     /* sweeps of each that learn and are not kept             (0: 300)                */
    size_t draws;                      /* of each chain                                          (0: 1000)               */
    size_t keep;                       /* components, rounded down to a multiple of `chains`     (0: 1000)               */
    int    draw_theta;                 /* theta moves too                                        (0: stays as it was learnt) */
    size_t slice_moves;                /* slow weights that move by themselves, at most, up to 16 (0: 4; BLN_NONE: none) */
} bln_glm_gibbs_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_gibbs(const bln_glm_gibbs_desc *own);
BLN_API const bln_glm_card *bln_glm_gibbs_card(void);

#endif /* BLN_GLM_GIBBS_H */
