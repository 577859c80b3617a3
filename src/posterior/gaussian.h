#ifndef BLN_POSTERIOR_GAUSSIAN_H
#define BLN_POSTERIOR_GAUSSIAN_H
#include "../core/config.h"
/* >>gaussian - how a Gaussian over the weights is written down
 *
 *     w ~ N(m, C),  in one of two forms, with S = diag(s), s_i = sqrt(lambda_i) the prior standard deviations:
 *
 *     BLN_GAUSSIAN_FACTOR     C = S (U'U)^-1 S       U: D x D upper (k = D), the factor of B = I + S G S / sigma^2    [linear 3, 4]
 *     BLN_GAUSSIAN_LOWRANK    C = S (I - V'V) S      V: k x D with k <= D, the dual form                           [linear 9, 10]
 *
 * The second form subtracts: a variance v = |S phi|^2 - |V S phi|^2 carries an absolute error of about eps |S phi|^2, which is
 * relative to the prior variance of f, and is cut off at 0.                                                     [linear 3, 9] */
typedef enum bln_gaussian_form { BLN_GAUSSIAN_FACTOR, BLN_GAUSSIAN_LOWRANK } bln_gaussian_form;

#endif /* BLN_POSTERIOR_GAUSSIAN_H */
