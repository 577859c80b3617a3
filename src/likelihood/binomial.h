#ifndef BLN_LIKELIHOOD_BINOMIAL_H
#define BLN_LIKELIHOOD_BINOMIAL_H
#include "likelihood.h"
/* >>binomial - successes in trials, and yes or no                                                           [likelihoods 14-19, 46]
 *
 *     log p = log n!/(y! (n - y)!) + y log P + (n - y) log(1 - P),    n = trials of the row (1 without that column: Bernoulli)
 *
 *     link              P(f)                  1 - P
 *     BLN_LINK_LOGIT    1/(1 + e^-f)          1/(1 + e^f)        f: log odds                                       (the default)
 *     BLN_LINK_PROBIT   Phi(f)                Phi(-f)            f: a threshold in a standard normal
 *     BLN_LINK_CLOGLOG  1 - exp(-e^f)         exp(-e^f)          f: log of a rate; grouped survival times
 *
 * Neither P nor 1 - P, nor their logarithms and derivatives, come from subtraction: all are good in both tails. log p is concave in
 * f. n = 0 is allowed: such a row says nothing. The names are binomial_logit, binomial_probit, binomial_cloglog.
 * An unknown link, or that of another likelihood, gives a likelihood without functions, which bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_binomial(bln_link link);

#endif /* BLN_LIKELIHOOD_BINOMIAL_H */
