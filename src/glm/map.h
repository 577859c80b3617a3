#ifndef BLN_GLM_MAP_H
#define BLN_GLM_MAP_H
#include "method.h"
/* >>glm_map - the most probable weights alone
 *
 * The posterior is one point, the mode w^ that maximises log p(y, w). It is found by Newton's method, without the last passes and
 * the second D x D matrix of >>glm_laplace; or, with a batch, by stochastic gradient steps from w = 0 without any matrix. lambda,
 * eta and theta stay as given, or at their starts: log p(y, w) has no maximum in them (as lambda and w go to 0 together it grows
 * without bound). Predictions take w^ as known: the variance of f and the standard deviations of the weights are 0. For comparison,
 * or as penalised likelihood with penalties from elsewhere (cross-validation, or the fit of desc.hyper). Without batches it takes
 * flat priors as >>glm_laplace does.                                             [laplace 34, 35; McCullagh & Nelder 1989] */

typedef struct bln_glm_map_desc {
    bln_glm_stochastic steps;          /* steps by batches; natural must be 0                    (zero: Newton's method) */
} bln_glm_map_desc;

/* The method (own: NULL for all defaults), and its card. */
BLN_API bln_glm_method bln_glm_map(const bln_glm_map_desc *own);
BLN_API const bln_glm_card *bln_glm_map_card(void);

#endif /* BLN_GLM_MAP_H */
