/* hyper_prior: the priors of hyper-parameters. Without them the evidence may have no maximum: if no row has an event, it rises as
 * the prior variance grows; without overdispersion, as the size of a negative binomial grows. These priors are wide beside what
 * rows usually say, and end such searches at sensible values. All are listed here:
 *
 *     prior sd of a slice, times the root mean square of its features     half-Student-t, 3 degrees of freedom, scale 2.5 of f
 *     a scale in units of y, or its square                                the same, scale 2.5 sd(y)
 *     any other positive parameter: degrees of freedom, a gap, a size     log x ~ N(log start, 1.5^2), of a size N(log 10, 1.5^2)
 *     a probability                                                       logit x ~ N(-2, 1.5^2)
 *
 * The mean square is over the features that are not 0 in a row (bln_basis_active).
 *
 * The unit of f is that of y where f is the mean of a real y, else 1: a step of 2.5 in log odds or in the log of a rate is large
 * [Gelman et al. 2008, for coefficients]. Half-Student-t: [Gelman 2006; variational 66].
 *
 * A search maximises the density of log sd, log x or logit x, which does not depend on the coordinates of the search. The density
 * of sd itself is greatest at 0, where a search with few rows would often end, although most of the posterior of sd is elsewhere;
 * all weights of the slice would then be exactly 0. The mode of log sd is never at 0 [Chung et al. 2013]. Where each weight has a
 * prior variance of its own, most of them should end at 0, and the density of sd is used. */
#include "hyper_prior_private.h"

#define BLNI_HYPER_SCALE   2.5
#define BLNI_HYPER_WIDTH   1.5
#define BLNI_HYPER_DOF     3.0
#define BLNI_HYPER_LOGIT (-2.0)
#define BLNI_HYPER_TOP (-1.0008888496235095)    /* log density of that t at 0: log(2/(pi sqrt 3)) */

BLNI_PRIV blni_hyper_prior blni_hyper_make(blni_hyper_form form, double at, double power)
{
    blni_hyper_prior p;
    p.form = form;
    p.at = at;
    p.power = power;
    p.sparse = 0;
    return p;
}

/* sd: the unit of f over the root mean square of the features of the slice. */
BLNI_PRIV blni_hyper_prior blni_hyper_of_prior_var(double sd, int per_weight)
{
    blni_hyper_prior p = blni_hyper_make(BLNI_HYPER_HALF_T, BLNI_HYPER_SCALE*sd, 2.0);
    p.sparse = per_weight;
    return p;
}

/* Of a likelihood's own parameter. Of one that may have either sign nothing is known. */
BLNI_PRIV blni_hyper_prior blni_hyper_of_param(const bln_param *p, double y_sd)
{
    if (p->y_power) return blni_hyper_make(BLNI_HYPER_HALF_T, BLNI_HYPER_SCALE*y_sd, (double)p->y_power);
    if (p->kind == BLN_PARAM_LOG || p->kind == BLN_PARAM_POSITIVE)
        return blni_hyper_make(BLNI_HYPER_LOG_NORMAL, p->centre > 0.0 ? p->centre : p->start, 1.0);
    if (p->kind == BLN_PARAM_INTERVAL && p->lo >= 0.0 && p->hi <= 1.0)
        return blni_hyper_make(BLNI_HYPER_LOGIT_NORMAL, BLNI_HYPER_LOGIT, 1.0);
    return blni_hyper_make(BLNI_HYPER_FLAT, 0.0, 1.0);
}

/* The log density up to a constant, and its slope in x. */
BLNI_PRIV double blni_hyper_logp(const blni_hyper_prior *p, double x, double *slope)
{
    const double jacobian = p->sparse ? 0.0 : 1.0;
    double z = 0.0;
    *slope = 0.0;
    switch (p->form) {
    default:                                         /* BLNI_HYPER_FLAT */
        break;
    case BLNI_HYPER_HALF_T:                          /* the sd over its scale, squared, over the degrees of freedom */
        z = (p->power < 2.0 ? x*x : x)/(p->at*p->at)/BLNI_HYPER_DOF;
        *slope = (jacobian - (BLNI_HYPER_DOF + 1.0)*z/(1.0 + z))/p->power/x;
        return -0.5*(BLNI_HYPER_DOF + 1.0)*log1p(z) + jacobian*log(x)/p->power;
    case BLNI_HYPER_LOG_NORMAL:
        z = log(x/p->at)/BLNI_HYPER_WIDTH;
        *slope = -z/BLNI_HYPER_WIDTH/x;
        break;
    case BLNI_HYPER_LOGIT_NORMAL:
        z = (log(x/(1.0 - x)) - p->at)/BLNI_HYPER_WIDTH;
        *slope = -z/BLNI_HYPER_WIDTH/(x*(1.0 - x));
        break;
    }
    return -0.5*z*z;
}

/* The log density of x itself, which integrates to 1, and its slope; nothing is known of FLAT. */
BLNI_PRIV double blni_hyper_density(const blni_hyper_prior *p, double x, double *slope)
{
    const double log_width = log(BLNI_HYPER_WIDTH) + 0.5*BLNI_LOG_2PI;
    const double logp = blni_hyper_logp(p, x, slope), root = 1.0/p->power, rest = (p->sparse ? root : 0.0) - 1.0;
    switch (p->form) {
    default:                                         /* BLNI_HYPER_FLAT */
        break;
    case BLNI_HYPER_HALF_T:                          /* of t = x^(1/power), twice that of a Student-t */
        *slope += rest/x;
        return logp + BLNI_HYPER_TOP + log(2.0*root/p->at) + rest*log(x);
    case BLNI_HYPER_LOG_NORMAL:
        *slope -= 1.0/x;
        return logp - log_width - log(x);
    case BLNI_HYPER_LOGIT_NORMAL:
        *slope -= (1.0 - 2.0*x)/(x*(1.0 - x));
        return logp - log_width - log(x*(1.0 - x));
    }
    return logp;
}
