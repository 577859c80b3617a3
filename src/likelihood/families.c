/* families: one list of all the likelihoods that are built in */
#include "families.h"
#include "../core/config_private.h"
#include "location.h"
#include "binomial.h"
#include "counts.h"
#include "ordinal.h"

enum { BLNI_FAMILIES = 11 };

/* Family i; an ordinal one has n_theta + 1 categories. */
BLNI_PRIV bln_likelihood blni_family(size_t i, size_t n_theta)
{
    switch (i) {
    case 0:  return bln_likelihood_gaussian();
    case 1:  return bln_likelihood_student_t();
    case 2:  return bln_likelihood_laplace();
    case 3:  return bln_likelihood_binomial(BLN_LINK_LOGIT);
    case 4:  return bln_likelihood_binomial(BLN_LINK_PROBIT);
    case 5:  return bln_likelihood_binomial(BLN_LINK_CLOGLOG);
    case 6:  return bln_likelihood_poisson(BLN_LINK_LOG);
    case 7:  return bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    case 8:  return bln_likelihood_negative_binomial();
    case 9:  return bln_likelihood_zero_inflated_poisson();
    default: return bln_likelihood_ordinal(n_theta + 1);
    }
}

BLN_API const char *bln_likelihood_name(size_t i) { return i < BLNI_FAMILIES ? blni_family(i, 1).ops->name : NULL; }

BLN_API bln_status bln_likelihood_find(const char *name, size_t n_theta, bln_likelihood *out)
{
    if (!name || !out) return BLN_EINVAL;
    for (size_t i = 0; i < BLNI_FAMILIES; i++) {
        if (strcmp(name, bln_likelihood_name(i))) continue;
        const bln_likelihood l = n_theta < BLN_LIKELIHOOD_THETA + 1 ? blni_family(i, n_theta) : blni_family(i, 0);
        if (!l.ops || l.n_theta != n_theta) return BLN_ESHAPE;
        *out = l;
        return BLN_OK;
    }
    return BLN_EUNKNOWN;
}
