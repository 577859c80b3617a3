#ifndef BLN_GLM_INTEGRATED_H
#define BLN_GLM_INTEGRATED_H
#include "method.h"
/* >>glm_integrated - hyper-parameters integrated over instead of set to their best values
 *
 *     p(w | y) = int p(w | y, h) p(h | y) dh  ~  sum_k weight_k N(w; m_k, C_k),   weight_k = const rule_k e^E(h_k) p(h_k),
 *     h = (lambda, eta, theta) as far as they are learnt
 *
 * With few rows several prior variances, noises or length scales explain them nearly as well, and a single one claims too much:
 * the fewer the rows, the more intervals widen here. N(m_k, C_k) is the Gaussian of >>glm_full at h_k, p(h) the priors that >>glm
 * lists and that of theta [Rue, Martino & Chopin 2009; laplace 42]. E is its bound L plus, if the rows fit one block, about what L
 * lacks, from the skewness of the posterior [Opper, Paquet & Winther 2013; laplace 46]. The bound is tighter under narrow priors,
 * which L alone would therefore weigh too much.
 *
 * A search looks for the mode of e^L p(h) in the free coordinates of >>transform; differences of gradients there give its
 * curvature, and with it coordinates z in which it is about a standard normal. Nodes are
 *     up to 2 coordinates   a lattice around the mode, of spacing 1/2 (one) or 1 (two), as far as e^E p(h) is within e^-8 of the
 *                           mode: the trapezoidal rule, whose error falls faster than any power of the spacing
 *     3 to 8                quasi-random points of Student's t, 4 degrees of freedom, as wide on each side of each axis as the
 *                           density there; rule_k is the inverse of their density (importance weights, cut at sqrt n times
 *                           their mean [Ionides 2008])
 * With more than 8, theta stays at its mode; lambda and eta are then at most 8. Nodes of less than 1e-4 of all weight are dropped,
 * and the lightest until `nodes` are left. Those with theta of their own are groups of one component each (>>posterior).
 *
 * The objective is log p(y), as far as E goes: log of the integral. What the model tells of lambda, eta and theta is that
 * of the most probable node. Cost: the search of `full`, 4 evaluations for each coordinate, and one for each node, two for those
 * that are kept; memory in the end nodes (D^2 + 2 D) doubles. Priors must be proper: neither flat nor switched off. One latent. */

typedef struct bln_glm_integrated_desc {
    size_t nodes;                      /* components, at most 256, of own theta at most 64; points beyond two coordinates
                                                                                    (0: 128, of own theta 64)            */
} bln_glm_integrated_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_integrated(const bln_glm_integrated_desc *own);
BLN_API const bln_glm_card *bln_glm_integrated_card(void);

#endif /* BLN_GLM_INTEGRATED_H */
