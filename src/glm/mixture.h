#ifndef BLN_GLM_MIXTURE_H
#define BLN_GLM_MIXTURE_H
#include "../posterior/mixture.h"
#include "method.h"
/* >>glm_mixture - a mixture of Gaussians without correlations, by a bound of the evidence
 *
 *     1/K sum_k N(m_k, diag psi_k): m, psi, lambda, eta and theta maximise the bound
 *         L = sum_n 1/K sum_k E_{f ~ N(mu_kn, v_kn)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y)
 *
 * together, by L-BFGS. 8 n K D flops an evaluation and the expectations; memory O(K D + block D), and 20 vectors of 2 K D of the
 * search: nothing is D x D. With a batch, by stochastic gradient steps instead, after 20 steps at most of the search for the mode,
 * over all rows.                              [variational 2-15; Opper & Archambeau 2009; Gershman, Hoffman & Blei 2012]
 *
 * With `natural` = r, m and psi take natural-gradient steps instead of the method's,                            [Khan & Lin 2017]
 *     1/psi_ki <- 1/psi_ki - 2 r K dL/dpsi_ki,   m_ki <- m_ki + r K psi_ki dL/dm_ki,   psi the new one,         [variational 29]
 * which need no scale and remember no gradients: for K = 1 1/psi is (1-r)/psi + r (1/lambda - 2 sum_n dE_n/dv_n phi_ni^2). 1/psi
 * becomes no less than half of what it was, nor than 1/(10 lambda); r falls as the rate does. Where weights are correlated r must
 * be below 2 over the greatest eigenvalue of the correlation matrix that C^-1 has, D at most, or the steps swing ever wider. */

/* What the steps of a stochastic variational fit take for E log p(y_n | f); each is unbiased, and so are its gradients.
 *     BLN_GLM_EXPECT_RULE     the expectation, by closed form or quadrature (`nodes`): only the choice of rows is random
 *     BLN_GLM_EXPECT_LOCAL    the mean over `draws` of f for each row and component, f = mu + sqrt v e          [variational 24]
 *     BLN_GLM_EXPECT_WEIGHTS  the mean over `draws` of w for each component, the same for all rows of the batch: for comparison
 *                             with other programs, or where nothing but log p and its slope at f is to be had. [variational 23]
 * bench/README.md has the variances of the three. The last bound, the posterior's, is by BLN_GLM_EXPECT_RULE with any of them. */
typedef enum bln_glm_expectation { BLN_GLM_EXPECT_RULE, BLN_GLM_EXPECT_LOCAL, BLN_GLM_EXPECT_WEIGHTS } bln_glm_expectation;

/* Where the search for a mixture begins.
 *     BLN_GLM_START_MODE      one component at the mode, psi_i = 1/(1/lambda_i - sum_n d2_n phi_ni^2); others 2 sqrt psi N(0, I)
 *                             off it                                                                   [variational 31]
 *     BLN_GLM_START_RANDOM    m ~ N(0, lambda), psi = lambda/2 times a Gamma(2) variate, without a search for the mode:
 *                             for comparison
 * Of several `starts` the one with the greatest bound goes on: all by all rows and the same rule, so that the best is the best and
 * not the luckiest with its batch. A single component at the mode has no second one. */
typedef enum bln_glm_start { BLN_GLM_START_MODE, BLN_GLM_START_RANDOM } bln_glm_start;

typedef struct bln_glm_mixture_desc {
    size_t              components;    /* K                                                      (0: 1)                  */
    bln_entropy_kind    entropy;       /* the bound of it; exact if K = 1                        (0: pairs)              */
    size_t              nodes;         /* of Gauss-Hermite rules, at most 256, whose sums are differentiated as they stand
                                                                                    (0: to an accuracy of 1e-10) */
    bln_glm_start       start;         /*                                                        (0: the mode)           */
    size_t              starts;        /* to choose from                                         (0: 1)                  */
    bln_glm_expectation expectation;   /* what steps by batches take for E log p                 (0: the rule)           */
    size_t              draws;         /* of f or w, if that                                     (0: 1)                  */
    bln_glm_stochastic  steps;         /*                                                        (zero: L-BFGS)          */
} bln_glm_mixture_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_mixture(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_mixture_card(void);

#endif /* BLN_GLM_MIXTURE_H */
