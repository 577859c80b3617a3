#ifndef BLN_GLM_MAP_H
#define BLN_GLM_MAP_H
#include "method.h"
/* >>glm_map - the most probable weights alone
 *
 * The mode w^, a point, which maximises log p(y, w): by Newton's method, but without Laplace's last passes and second D x D; or
 * with a batch by stochastic gradient steps from w = 0, without a matrix. lambda, eta and theta stay what they are given as, or
 * where they start: log p(y, w) has no maximum in them (as lambda goes to 0 with w it grows without end). Predictions are those of
 * f = phi'w^, as if w^ were known: the variance of f is 0, and standard deviations of the weights are 0. For comparison, and as a
 * penalised likelihood whose penalties come from elsewhere (cross-validation, or the fit of desc.hyper). Takes flat priors as
 * >>glm_laplace does, without batches.                                          [laplace 34, 35; McCullagh & Nelder 1989] */

typedef struct bln_glm_map_desc {
    bln_glm_stochastic steps;          /*                                                        (zero: Newton's method) */
} bln_glm_map_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_map(const bln_glm_map_desc *own);
BLN_API const bln_glm_card *bln_glm_map_card(void);

#endif /* BLN_GLM_MAP_H */
