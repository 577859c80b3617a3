#ifndef BLN_GLM_CAVI_H
#define BLN_GLM_CAVI_H
#include "method.h"
/* >>glm_cavi - coordinate ascent by data augmentation: a Gaussian over the weights in closed form, sweep by sweep
 *
 * With a random number Omega_n added to each row the likelihood is Gaussian in f (those that >>glm_gibbs takes; weights need not be
 * whole, and your mixture needs no draw_omega). Then the best q(w) q(Omega) is found by two updates in turn:
 * q(Omega) given the mean and the variance of each f, and q(w) = N(m, C) given one Gaussian factor of each row. Every sweep raises
 *
 *     L- = sum_n ell(phi_n'm, phi_n'C phi_n) - KL(q(w) | p(w))  <=  L of >>glm_full  <=  log p(y),      ell <= E log p(y | f),
 *
 * without quadrature, and without a step size [Jaakkola & Jordan 2000; Galy-Fajou, Wenzel & Opper 2020]. Plain sweeps converge
 * slowly where classes are nearly separable. So each is combined with the five before [Anderson 1965; Walker & Ni 2011], and a
 * combination that lowers the bound is undone. With several latents q is a product of Gaussians, which move together. Given Omega
 * the latents of classes are independent; a mean and its noise are not, so that a sweep may lower their bound. Then the step is
 * halved, unless sweeps are plain. L- of several latents may have more than one top.
 *
 * BLN_CAVI_TIGHT: the sweeps are only a start, at the first prior variances, eta and theta. Then the steps of >>glm_full maximise
 * L: their sites are the slopes of E log p instead of those of ell. Prior variances, eta and theta are learnt by L. The answer is
 * that of >>glm_full. BLN_CAVI_COLLAPSED: all that is learnt maximises L-. Its variances are too small, because the gap between E
 * log p and ell grows with the variance of f. It serves comparisons, or q at hyper-parameters that another method has learnt
 * (desc.hyper = bln_glm_full(NULL)). Its sites cannot be used to leave rows out. Of a logistic softmax it is the quick way:
 * E log p, which TIGHT needs, is an integral of integrals, and ell has a closed form. Iris takes 0.01 s in place of 7.
 *
 * A step of the fit is a sweep, and the progress reports its bound; steps of the search follow, counted from 0 again. If a monitor
 * stops the fit during the sweeps, q is that of the last sweep (with n <= D of the one after it). If nothing is to be learnt,
 * max_iterations limits the sweeps. A sweep is a pass over the rows, 2 n D^2 flops, and 3 D^3; memory is fifteen D x D. With n <= D
 * both are as of >>glm_full, with n in place of D.
 *
 * With a batch the steps are natural-gradient steps of size r_t = (t + 1)^-0.7, t = 0, 1, ..., towards the optimum given the batch,
 * whose sums are multiplied by n/|B| [Hoffman et al. 2013]. The slopes are those of E log p, or of ell (COLLAPSED).
 * Hyper-parameters are learnt along with them as in >>glm_full. A step of size 1 with all rows is a sweep.
 *
 * Refused: likelihoods without such random numbers, with the reason. */

typedef enum bln_glm_cavi_bound  { BLN_CAVI_TIGHT, BLN_CAVI_COLLAPSED } bln_glm_cavi_bound;
typedef enum bln_glm_cavi_sweeps { BLN_CAVI_ACCELERATED, BLN_CAVI_PLAIN } bln_glm_cavi_sweeps;

typedef struct bln_glm_cavi_desc {
    bln_glm_cavi_bound  bound;         /* what is climbed in the end                             (0: tight)              */
    bln_glm_cavi_sweeps sweeps;        /* plain: one after the other, for teaching               (0: accelerated)        */
    bln_glm_stochastic  steps;         /* natural: as in >>glm_full, in place of r_t             (zero: none)            */
} bln_glm_cavi_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_cavi(const bln_glm_cavi_desc *own);
BLN_API const bln_glm_card *bln_glm_cavi_card(void);

#endif /* BLN_GLM_CAVI_H */
