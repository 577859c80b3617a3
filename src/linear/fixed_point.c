/* fixed_point: the three updates, each in one line */
#include "fixed_point_private.h"

BLNI_PRIV double blni_fixed_point_noise_var(blni_fixed_rule rule, double noise_var, double N, double rss, double gamma)
{
    if (rule == BLNI_FIXED_POINT_EM) return (rss + noise_var*gamma)/N;
    const double mackay = N > gamma ? rss/(N - gamma) : noise_var;
    return rule == BLNI_FIXED_POINT_MM ? sqrt(mackay)*sqrt(noise_var) : mackay;
}

BLNI_PRIV double blni_fixed_point_prior_var(blni_fixed_rule rule, double prior_var, size_t n, double mm, double gamma)
{
    if (rule == BLNI_FIXED_POINT_EM) return (mm + prior_var*((double)n - gamma))/(double)n;
    const double mackay = gamma > 0.0 ? mm/gamma : 0.0;
    return rule == BLNI_FIXED_POINT_MM ? sqrt(mackay)*sqrt(prior_var) : mackay;
}
