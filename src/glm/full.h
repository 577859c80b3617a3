#ifndef BLN_GLM_FULL_H
#define BLN_GLM_FULL_H
#include "method.h"
/* >>glm_full - the Gaussian with the greatest bound of the evidence
 *
 *     N(m, C), m and C those with the greatest bound of the evidence
 *         L = sum_n E_{f ~ N(phi_n'm, phi_n'C phi_n)} log p(y_n | f) + E_q log p(w) + H(q)  <=  log p(y),
 *
 * found by natural-gradient steps; lambda, eta and theta maximise it (and the prior of theta) by its exact gradients. Where
 * Laplace's curvature at the mode misleads (few counts, outliers, no curvature at all) this one is nearer to the mean and the
 * variance of each f. 4 to 12 passes over the rows for each point of the search, 2 n D^2 + 3 D^3 flops each and the expectations;
 * memory as Laplace's, nine D x D in place of two. With n <= D as Laplace, 5 n^3 flops and nine n x n. The last bound is found to
 * about 1e-4 `tolerance`, those on the way to 1e-5 of themselves, without a search to rounding.
 *                                                         [Opper & Archambeau 2009; Khan & Lin 2017; Walker & Ni 2011]
 *
 * Several latents have a Gaussian each, independent of the others. Classes see their differences alone: where the latents share
 * their prior (>>glm), the bound is that of the differences, nearer to the evidence by the divergence of what they have in common.
 * A pass then costs some 12 J D^3 flops more, and memory is 3 J + 3 matrices more.
 *
 * With a batch, by natural-gradient steps alone, which correlations of weights do not disturb,
 *     A <- (1-r) A + r Phi'W Phi,   m <- m + r C dL/dm,   C^-1 = Lambda^-1 + A,
 * sums by the batch; each costs some D^3 flops. They are not averaged, and the last point is the answer (>>glm). */

typedef struct bln_glm_full_desc {
    size_t             nodes;          /* of Gauss-Hermite rules, at most 256, whose sums are differentiated as they stand
                                                                                    (0: to an accuracy of 1e-10) */
    bln_glm_stochastic steps;          /* natural: 0 means 1/(2 (n/batch - 1)), at most 1        (zero: none)            */
} bln_glm_full_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_full(const bln_glm_full_desc *own);
BLN_API const bln_glm_card *bln_glm_full_card(void);

#endif /* BLN_GLM_FULL_H */
