/* special: exponentials and logarithms of sums and odds
 *
 * All but sigmoid use the C library's exp, expm1, log and log1p (at most an ulp each in glibc, musl and the BSDs), in forms that
 * neither overflow nor cancel. Other functions are in special_erf, special_gamma and special_incomplete, which use special_pair
 * (arithmetic in twice the precision) and special_tables. */
#include "special_private.h"

BLN_API double bln_log1pexp(double x)
{
    /* x > 0: x + log(1 + e^-x), so that e^x cannot overflow. */
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Of the two forms the one whose inner function stays away from 1.                                              [Maechler 2012] */
BLN_API double bln_log1mexp(double a)
{
    if (!(a >= 0.0)) return BLNI_NAN;
    return a <= 0.69314718055994530942 ? log(-expm1(-a)) : log1p(-exp(-a));
}

/* 1/(1 + t) or t/(1 + t), t = e^-|x|. In doubles it has three roundings of half a unit each, which may add up to 3 ulp where the
 * result is just below a power of two. */
BLN_API double bln_sigmoid(double x)
{
    int k;
    if (x != x) return x;
    const blni_pair m = blni_pair_exp(blni_pair_make(-fabs(x), 0.0), &k);
    if (fabs(x) > 40.0) return x < 0.0 ? blni_pair_round(m, k) : 1.0;
    const blni_pair t = blni_pair_scale(m, ldexp(1.0, k)), one = blni_pair_make(1.0, 0.0);
    return blni_pair_div(x < 0.0 ? t : one, blni_pair_plus(t, 1.0)).hi;
}

/* Near 1/2, where the result has its root, 1 - 2p is exact and so is the smaller of p and 1 - p; elsewhere the logarithm is away
 * from 0. */
BLN_API double bln_logit(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (p < 0.25 || p > 0.75) return log(p) - log1p(-p);
    return p < 0.5 ? -log1p((1.0 - 2.0*p)/p) : log1p((2.0*p - 1.0)/(1.0 - p));
}

BLN_API double bln_logsumexp(size_t n, const double *x)
{
    size_t top = 0;
    double sum = 0.0;
    if (n == 0) return -(double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != x[i]) return x[i];
        if (x[i] > x[top]) top = i;
    }
    if (!blni_finite(x[top])) return x[top];
    /* The largest term is the 1 of log1p: nothing cancels when the result is near 0. */
    for (size_t i = 0; i < n; i++)
        if (i != top) sum += exp(x[i] - x[top]);
    return x[top] + log1p(sum);
}
