#ifndef BLN_LINEAR_RELEVANCE_H
#define BLN_LINEAR_RELEVANCE_H
#include "slm.h"
/* >>relevance - what each feature of a fitted linear model is worth
 *
 * From the posterior alone, without the rows and without fitting again.                                     [linear 8, 33, 34] */

/* Relevance of the features, D entries each; either may be NULL:
 *     gamma[i] = 1 - C_ii/lambda_i, in [0, 1]: how far the data determine w_i; 0 leaves it at its prior           [linear 8]
 *     loss[i]  = log p(y) - log p(y | lambda_i = 0) = 1/2 [log(1 - gamma_i) + (m_i^2/lambda_i)/(1 - gamma_i)]       [linear 33, 34]
 *                (with several outputs P log(1 - gamma_i), and m_i Sigma^-1 m_i'/r_i, at the same Sigma):
 *                the evidence lost, in nats, when feature i is removed and all else stays; below 0 the model is better without it
 * A feature with a flat prior has gamma = 1, and its loss is relative to the prior density 1 (>>slm), so it depends on the units of
 * w_i:
 *     loss[i]  = 1/2 [log(2 pi C_ii) + m_i^2/C_ii]
 * The evidence is that of the features; the prior variance they miss (inducing points) is not counted. A feature with lambda_i = 0
 * has 0 and 0. gamma has an absolute error of about D eps, in low-rank form a relative one. loss is [linear 33] with s_i and q_i
 * written out: 1 + lambda_i s_i = 1/(1 - gamma_i).
 *     D^3/3 flops, or D k for a factor of rank k
 * BLN_EINVAL: slm is NULL. BLN_ESTATE: not fitted. BLN_ENUMERIC: 1 - gamma_i is lost in rounding, or a loss overflows (the report's
 * column is i). BLN_ENOMEM. */
BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report);

#endif /* BLN_LINEAR_RELEVANCE_H */
