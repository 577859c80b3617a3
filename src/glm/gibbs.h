#ifndef BLN_GLM_GIBBS_H
#define BLN_GLM_GIBBS_H
#include "method.h"
/* >>glm_gibbs - draws of weights and hyper-parameters by data augmentation: the posterior itself, without gradients or steps
 *
 *     p(w, lambda, eta | y)  at theta that stays as >>glm_full learnt it, or p(w, lambda, eta, theta | y), with the priors of >>glm
 *
 * For likelihoods that are Gaussian in f once a random number is added to each row: binomial (logit, and probit with whole
 * weights), negative binomial, Poisson with a logistic rate, Gaussian, Student-t, Laplace, asymmetric Laplace; with several latents
 * the heteroscedastic normal and Student-t, and logistic_softmax; and scale mixtures of your own (bln_mixture_ops) that can draw
 * theirs. A sweep draws these numbers, then prior variances and theta with the weights integrated out, then all weights at once.
 * eta is drawn by slice sampling with these numbers integrated out. So are all weights, along ellipses of the Gaussian of `full`,
 * and the slowest by themselves, if the warm-up finds some that mix slowly, as with rare or nearly separable classes; and prior
 * variances together with the size of their weights, if it finds one of them slow. Nothing is rejected, there is no step size, and
 * the report says if the draws are too few. [Polson, Scott & Windle 2013; Galy-Fajou, Wenzel & Opper 2020; Neal 2003; Johndrow,
 * Smith, Pillai & Dunson 2019; Yu & Meng 2011]
 *
 * A fit by `full` comes first, of a logistic softmax one by the sweeps of `cavi`. Its theta is taken, and chains begin at draws
 * from its Gaussian with doubled standard deviations, at its hyper-parameters. The posterior, the learnt values, the report and
 * the chains are as of >>glm_nuts, but components have their own theta only if it is drawn; otherwise the uncertainty of length
 * scales is not included. The sampler's column is lp__.
 *
 * The prior variance d_n that features of row n miss (inducing points) is in all predictions. `missed` says how the sampler treats
 * it: each choice has the posterior of a model of its own, and where d_n is small they agree [sparse 4, 5].
 *
 * Draws depend on the desc and the seed alone, not on the number of threads; with OpenMP chains run side by side. The data must
 * be a data set, not a source. If a monitor stops the fit, the draws so far are kept. Cost of a sweep: n D^2 + D^3/3 flops for
 * the weights, and 6 times D^3/3 for the prior variance of each slice; with n < D rows n^3 replaces D^3, and 6 n D is added; for
 * each element of theta that is drawn, 6 times all of these and the features; with ellipses 2 n D + D^2 once and for each of up to
 * 8, where one prior variance is slow 2 n D for all, and for each of these moves some 4 log likelihoods. With per_weight a prior
 * variance is drawn given the weight: almost free (with n < D another 2 n^2 D), it mixes more slowly. A warm-up of fewer than 80
 * sweeps learns nothing. Memory beyond that of `full`, which bln_glm_size and bln_glm_fit_size are: the features, n D numbers (and
 * n^2 for each slice, if n < D), all draws, and for each chain twice the smaller of D^2 and n^2; with what features miss n numbers
 * for each slice, and for each chain and latent n, or with _DRAWN 4 n.
 *
 * Refused: likelihoods without such random numbers, with the reason; probit with weights that are not whole, or with more than a
 * million trials (weights counted), as each trial is a draw of its own; your mixture with weights that are not whole or above a
 * million, as each copy is one; flat priors, whose posterior need not be proper; hyper-parameters without their priors; theta of
 * latents that share a basis but are not drawn together (heteroscedastic); per_weight with `missed` other than ignored where the
 * basis misses something, for the function has no prior variance then. */

/* f_n = phi_n'w + e_n, e_n ~ N(0, d_n). _BOUND: the best q(w, random numbers) p(f | w), of which `cavi` finds the best Gaussian
 * product; moves of slow weights and of eta take a slower log likelihood. _DRAWN: rows have the variance of the process; some
 * 6 n D^2 flops more for each prior variance that is drawn. */
typedef enum bln_gibbs_missed {
    BLN_GIBBS_MISSED_IGNORED,          /* e_n = 0: the model of the features themselves                                         */
    BLN_GIBBS_MISSED_BOUND,            /* e_n is averaged out of log p(y_n, random numbers | f_n) [Titsias 2009], as in the bound
                                          of `cavi`; lp__ has that bound in place of log p. Hensman, Matthews, Filippone &
                                          Ghahramani 2015 have E log p there, which is above it                                 */
    BLN_GIBBS_MISSED_DRAWN             /* e_n is drawn too: the posterior of FITC [Snelson & Ghahramani 2006]. A row's copies by
                                          weight share e_n. lp__ is given the e_n                                               */
} bln_gibbs_missed;

typedef struct bln_glm_gibbs_desc {
    size_t chains;                     /*                                                        (0: 4)                  */
    size_t warmup;                     /* sweeps of each that learn and are not kept             (0: 300)                */
    size_t draws;                      /* of each chain; with target_ess, at most                (0: 1000, or 8000)      */
    double target_ess;                 /* the chains end when all columns have as large a bulk and tail ESS, over all chains, and
                                          an R-hat of at most 1.01. They are looked at after some 100 draws of each, and again
                                          when there are half as many more. Memory is taken for `draws`. Below 100 for each
                                          chain the report says that the draws are few  (0: after `draws`) */
    size_t keep;                       /* components, rounded down to a multiple of `chains`     (0: 1000)               */
    int    draw_theta;                 /* theta moves too                                        (0: stays as it was learnt) */
    size_t slice_moves;                /* slow weights that move by themselves, at most, up to 16. BLN_NONE: nor are there ellipses,
                                          nor do prior variances move with their weights         (0: 4)                  */
    bln_gibbs_missed missed;           /* prior variance that features miss                      (0: ignored)            */
    size_t replicas;                   /* with _DRAWN: copies of e_n that share a row's random number. 1 is FITC; the more, the
                                          nearer to _BOUND                                       (0: 1)                  */
} bln_glm_gibbs_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_gibbs(const bln_glm_gibbs_desc *own);
BLN_API const bln_glm_card *bln_glm_gibbs_card(void);

#endif /* BLN_GLM_GIBBS_H */
