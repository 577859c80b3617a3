#ifndef BLN_GLM_FULL_H
#define BLN_GLM_FULL_H
#include "method.h"
/* >>glm_full - the Gaussian with the greatest bound of the evidence
 *
 *     q(w) = N(m, C), with the m and C that maximise
 *         L = sum_n E_{f ~ N(phi_n'm, phi_n'C phi_n)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y)        [variational 51-57]
 *
 * H(q) is the entropy of q. m and C are found by natural-gradient steps; lambda, eta and theta maximise L and their priors (>>glm)
 * by exact gradients. Where Laplace's curvature at the mode misleads (few counts, outliers, log p without curvature), the mean and
 * the variance of each f are closer to the exact ones than Laplace's. Each point of the search takes 4 to 12 passes over the rows,
 * of 2 n D^2 + 3 D^3 flops each and the expectations. Memory is nine D x D matrices (Laplace: two). With n <= D rows of a data set
 * a pass takes 5 n^3 flops, and memory is nine n x n. The last bound lacks about 1e-4 `tolerance` nats of its maximum; the bounds
 * on the way lack at most 1e-5 of their own size.            [Opper & Archambeau 2009; Khan & Lin 2017; Walker & Ni 2011]
 *
 * Several latents have a Gaussian each, independent of the others. A likelihood of classes depends only on differences of the
 * latents. Where the latents also share their prior (>>glm), the bound is that of the differences: nearer to the evidence by the
 * divergence between q and p of what all latents have in common. This takes 12 J D^3 flops a pass and 3 J + 3 matrices more.
 *
 * With a batch the steps are natural-gradient steps of size r, which correlated weights do not slow down:
 *     A <- (1-r) A + r Phi'W Phi,   m <- m + r C dL/dm,   C^-1 = Lambda^-1 + A,   W_n = -2 dL/dv_n,  v_n the variance of f_n.
 * The sums are estimated from the batch; a step takes about D^3 flops. One more step, by all rows, makes m and C (>>glm). */

typedef struct bln_glm_full_desc {
    size_t             nodes;          /* Gauss-Hermite nodes of each expectation, at most 256; L and its gradient are then those
                                          of the rule           (0: as many as an error of 1e-10 needs, or a closed form) */
    bln_glm_stochastic steps;          /* steps by batches; natural: 0 means 1/(2 (n/batch - 1)), at most 1  (zero: none) */
} bln_glm_full_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_full(const bln_glm_full_desc *own);
BLN_API const bln_glm_card *bln_glm_full_card(void);

#endif /* BLN_GLM_FULL_H */
