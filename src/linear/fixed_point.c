/* fixed_point: the three updates, each in one line */
#include "fixed_point.h"
#include "../core/config_private.h"

BLN_API double bln_fixed_point_noise_var(bln_fixed_point rule, double noise_var, double N, double rss, double gamma)
{
    if (rule == BLN_FIXED_POINT_EM) return (rss + noise_var*gamma)/N;
    const double mackay = N > gamma ? rss/(N - gamma) : noise_var;
    return rule == BLN_FIXED_POINT_MM ? sqrt(mackay)*sqrt(noise_var) : mackay;
}

BLN_API double bln_fixed_point_prior_var(bln_fixed_point rule, double prior_var, size_t n, double mm, double gamma)
{
    if (rule == BLN_FIXED_POINT_EM) return (mm + prior_var*((double)n - gamma))/(double)n;
    const double mackay = gamma > 0.0 ? mm/gamma : 0.0;
    return rule == BLN_FIXED_POINT_MM ? sqrt(mackay)*sqrt(prior_var) : mackay;
}
