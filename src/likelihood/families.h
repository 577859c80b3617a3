#ifndef BLN_LIKELIHOOD_FAMILIES_H
#define BLN_LIKELIHOOD_FAMILIES_H
#include "likelihood.h"
/* >>families - the likelihoods of the house by name, for files and command lines */

/* The names in use: gaussian, student_t, laplace, binomial_logit, binomial_probit, binomial_cloglog, poisson_log, poisson_softplus,
 * negative_binomial, zero_inflated_poisson, ordinal. NULL for i beyond the last. */
BLN_API const char *bln_likelihood_name(size_t i);

/* *out = the likelihood of that name; n_theta, its number of parameters, tells the ordinal ones apart (categories - 1) and must be
 * right for the others too.   BLN_EUNKNOWN: no such name.  BLN_ESHAPE: not with so many parameters.  BLN_EINVAL: NULL. */
BLN_API bln_status bln_likelihood_find(const char *name, size_t n_theta, bln_likelihood *out);

#endif /* BLN_LIKELIHOOD_FAMILIES_H */
