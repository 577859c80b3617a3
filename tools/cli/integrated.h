#ifndef BAYESLIN_CLI_INTEGRATED_H
#define BAYESLIN_CLI_INTEGRATED_H
#include "model.h"
/* integrated - quantiles of the variances that --integrate integrates out, from the nodes of its quadrature */

/* Quantile p of the noise's standard deviation, in units of the target, for a row of noise variance 1; relative error 1e-6. */
double integrated_noise_quantile(const model *m, double p);

/* Quantile p of the ratio of the prior standard deviation of the weights of slice s to that of the noise, both of scaled data;
 * relative error 1 %. NaN for a perfect fit, which has no noise. */
double integrated_prior_quantile(const model *m, size_t s, double p);

#endif /* BAYESLIN_CLI_INTEGRATED_H */
