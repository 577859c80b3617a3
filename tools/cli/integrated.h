#ifndef BAYESLIN_CLI_INTEGRATED_H
#define BAYESLIN_CLI_INTEGRATED_H
#include "model.h"
/* integrated - quantiles of what --integrate integrates out, from the nodes of its quadrature */

/* Of the noise's standard deviation, in units of the target, for a row of noise variance 1: to 1e-6 of it. */
double integrated_noise_quantile(const model *m, double p);

/* Of the prior standard deviation of the weights of slice s over that of the noise, both of scaled data: to a per cent. NaN for
 * a perfect fit, which has no noise. */
double integrated_prior_quantile(const model *m, size_t s, double p);

#endif /* BAYESLIN_CLI_INTEGRATED_H */
