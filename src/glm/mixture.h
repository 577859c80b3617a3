#ifndef BLN_GLM_MIXTURE_H
#define BLN_GLM_MIXTURE_H
#include "../posterior/mixture.h"
#include "method.h"
/* >>glm_mixture - a mixture of Gaussians without correlations, by a bound of the evidence
 *
 *     q(w) = 1/K sum_k N(m_k, diag psi_k), with the m, psi, lambda, eta and theta that together maximise
 *         L = sum_n 1/K sum_k E_{f ~ N(mu_kn, v_kn)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y)         [variational 2-15]
 *
 * and the priors of >>glm. mu_kn and v_kn are the mean and the variance of f_n under component k, H(q) is the entropy of q. The
 * search is L-BFGS. An evaluation takes 8 n K D flops and the expectations. Memory is O(K D + block D), with up to 20 vectors of
 * 2 K D numbers for the search; no matrix is D x D. With a batch, stochastic gradient steps replace L-BFGS; before them at most 20
 * steps over all rows look for the mode.                       [Opper & Archambeau 2009; Gershman, Hoffman & Blei 2012]
 *
 * With `natural` = r, m and psi take natural-gradient steps instead of those of `method`:                       [Khan & Lin 2017]
 *     1/psi_ki <- 1/psi_ki - 2 r K dL/dpsi_ki,   then m_ki <- m_ki + r K psi_ki dL/dm_ki with the new psi.      [variational 29]
 * They need no scale for each parameter and no memory of past gradients. No step lowers 1/psi_ki to less than half of what it was,
 * nor below 1/(10 lambda_i) [variational 30]. r falls with the rate. Correlated weights need a small r: below 2 over the largest
 * eigenvalue of the correlation matrix of C^-1 (at most D), or the steps diverge. */

/* How the steps by batches estimate E log p(y_n | f). Each estimate is unbiased, and so are its gradients.
 *     BLN_GLM_EXPECT_RULE     the expectation itself, by closed form or quadrature (`nodes`): only the choice of rows is random
 *     BLN_GLM_EXPECT_LOCAL    the mean over `draws` of f for each row and component, f = mu + sqrt(v) e         [variational 24]
 *     BLN_GLM_EXPECT_WEIGHTS  the mean over `draws` of w for each component, the same for all rows of the batch: for comparison
 *                             with other programs, or if the likelihood gives only log p and its slope        [variational 23]
 * bench/README.md compares their variances. The last bound, which the posterior reports, is always by BLN_GLM_EXPECT_RULE. */
typedef enum bln_glm_expectation { BLN_GLM_EXPECT_RULE, BLN_GLM_EXPECT_LOCAL, BLN_GLM_EXPECT_WEIGHTS } bln_glm_expectation;

/* Where the search for a mixture begins.
 *     BLN_GLM_START_MODE      the first component at the mode, with psi_i = 1/(1/lambda_i - sum_n min(d2_n, 0) phi_ni^2), d2_n the
 *                             second derivative of log p(y_n | f); the others at the mode + 2 sqrt(psi) N(0, I)  [variational 31]
 *     BLN_GLM_START_RANDOM    m ~ N(0, lambda), psi = lambda/2 times a Gamma(2) variate, without a search for the mode:
 *                             for comparison
 * The search starts from that of `starts` such mixtures with the greatest bound over all rows (a single one at the mode: one). */
typedef enum bln_glm_start { BLN_GLM_START_MODE, BLN_GLM_START_RANDOM } bln_glm_start;

typedef struct bln_glm_mixture_desc {
    size_t              components;    /* K                                                      (0: 1)                  */
    bln_entropy_kind    entropy;       /* the lower bound of H(q), >>mixture; exact if K = 1     (0: pairs)              */
    size_t              nodes;         /* Gauss-Hermite nodes of each expectation, at most 256; L and its gradient are then those
                                          of the rule           (0: as many as an error of 1e-10 needs, or a closed form) */
    bln_glm_start       start;         /* where the search begins                                (0: the mode)           */
    size_t              starts;        /* starts to choose the best from                         (0: 1)                  */
    bln_glm_expectation expectation;   /* how steps by batches estimate E log p                  (0: the rule)           */
    size_t              draws;         /* draws of f or w in each estimate                       (0: 1)                  */
    bln_glm_stochastic  steps;         /* steps by batches                                       (zero: L-BFGS)          */
} bln_glm_mixture_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_mixture(const bln_glm_mixture_desc *own);
BLN_API const bln_glm_card *bln_glm_mixture_card(void);

#endif /* BLN_GLM_MIXTURE_H */
