/* special_erf: the error function and the normal distribution
 *
 * All functions use two approximations: erf(x)/x on [0, 1/2], and erfcx(x) = e^(x^2) erfc(x) on [1/2, oo), which does not
 * underflow; e^(-x^2) is computed as a pair and multiplied in at the end. The plan is that of [Cody 1969], with pieces of
 * polynomials in place of his rational functions: on a piece the function differs little from its value in the middle, which is
 * stored in two doubles, so that only the last rounding matters. The argument is a pair too: x/sqrt(2) in the normal distribution
 * is not a double, and its rounding alone would cost x^2 ulp. The largest error measured of any public function is 0.62 ulp. */
#include "special_private.h"
#include "special_tables_private.h"

/* erf(x), |x| <= 1/2. */
BLNI_PRIV blni_pair blni_erf_centre(blni_pair x)
{
    return blni_pair_mul(x, blni_pair_polynomial(10, blni_erf_table[0], 8.0*x.hi*x.hi - 1.0));
}

/* erfcx(x), x >= 1/2. Beyond 7 a polynomial in 1/x^2 times 1/(sqrt(pi) x). */
BLNI_PRIV blni_pair blni_erfcx_right(blni_pair x)
{
    if (x.hi >= 7.0) {
        const double w = 7.0/x.hi;
        return blni_pair_mul(blni_pair_polynomial(9, blni_erfcx_far_table[0], 2.0*w*w - 1.0),
                             blni_pair_div(blni_pair_const(blni_inv_sqrt_pi), x));
    }
    const double base = x.hi < 1.0 ? 1.0 : x.hi < 3.0 ? 2.0 : 4.0, from = x.hi - (base - 1.0);
    const size_t first = x.hi < 1.0 ? 0 : x.hi < 3.0 ? 8 : 16, i = (size_t)(8.0*from/base);
    const double middle = base*0.125*((double)i + 0.5);
    return blni_pair_polynomial(11, blni_erfcx_table[first + i - 4], ((from - middle) + x.lo)*16.0/base);
}

/* erfc(x) = m 2^*k, 1/2 <= x < 100. */
BLNI_PRIV blni_pair blni_erfc_right(blni_pair x, int *k)
{
    return blni_pair_mul(blni_pair_exp(blni_pair_negate(blni_pair_mul(x, x)), k), blni_erfcx_right(x));
}

/* The same as one pair where it is not tiny, 1/2 <= x <= 9. */
BLNI_PRIV blni_pair blni_erfc_near(blni_pair x)
{
    int k;
    const blni_pair m = blni_erfc_right(x, &k);
    return blni_pair_scale(m, ldexp(1.0, k));
}

/* erfc(x)/2 rounded. Any x, as a pair; .hi may be infinite but not NaN. */
BLNI_PRIV double blni_erfc_half(blni_pair x)
{
    if (x.hi >= 0.5) {
        int k;
        if (x.hi > 28.0) return 0.0;
        const blni_pair m = blni_erfc_right(x, &k);
        return blni_pair_round(blni_pair_scale(m, 0.5), k);
    }
    if (x.hi < -7.0) return 1.0;
    const blni_pair rest = x.hi > -0.5 ? blni_pair_negate(blni_erf_centre(x)) : blni_pair_sub(blni_pair_make(1.0, 0.0),
                                                                                             blni_erfc_near(blni_pair_negate(x)));
    return 0.5*blni_pair_plus(rest, 1.0).hi;
}

BLNI_PRIV double blni_erf(double x)
{
    const double y = fabs(x);
    double f;
    if (x != x) return x;
    if (y < 1e-300) return 1.12837916709551257390*x;
    if (y <= 0.5) return blni_erf_centre(blni_pair_make(x, 0.0)).hi;
    f = y >= 7.0 ? 1.0 : blni_pair_sub(blni_pair_make(1.0, 0.0), blni_erfc_near(blni_pair_make(y, 0.0))).hi;
    return x < 0.0 ? -f : f;
}

/* x/sqrt(2). */
BLNI_PRIV blni_pair blni_over_sqrt2(double x) { return blni_pair_times(blni_pair_const(blni_sqrt1_2), x); }

BLN_API double bln_norm_pdf(double x)
{
    int k;
    if (!(fabs(x) < 40.0)) return x != x ? x : 0.0;                    /* e^-800 is below the smallest double */
    const blni_pair m = blni_pair_exp(blni_pair_scale(blni_pair_product(x, x), -0.5), &k);
    return blni_pair_round(blni_pair_mul(m, blni_pair_const(blni_inv_sqrt_2pi)), k);
}

BLN_API double bln_norm_logpdf(double x)
{
    if (!(fabs(x) < 1e150)) return fabs(x) > 1e155 ? -HUGE_VAL : -0.5*x*x;
    return -blni_pair_add(blni_pair_scale(blni_pair_product(x, x), 0.5), blni_pair_const(blni_half_log_2pi)).hi;
}

BLN_API double bln_norm_sf(double x)
{
    if (!(fabs(x) < 40.0)) return x != x ? x : x > 0.0 ? 0.0 : 1.0;
    return blni_erfc_half(blni_over_sqrt2(x));
}

BLN_API double bln_norm_cdf(double x) { return bln_norm_sf(-x); }

/* log Phi(x): to the left -x^2/2 + log(erfcx(-x/sqrt 2)/2); in the centre log((1 + erf)/2); to the right log(1 - erfc/2). */
BLN_API double bln_norm_logcdf(double x)
{
    if (x != x) return x;
    if (x > 40.0) return 0.0;
    if (x < -1e150) return -0.5*x*x;
    const blni_pair z = blni_over_sqrt2(-x);
    if (z.hi >= 0.5) {
        const blni_pair tail = blni_pair_log(blni_pair_scale(blni_erfcx_right(z), 0.5));
        return blni_pair_sub(tail, blni_pair_scale(blni_pair_product(x, x), 0.5)).hi;
    }
    if (z.hi > -0.5) return blni_pair_log(blni_pair_scale(blni_pair_plus(blni_pair_negate(blni_erf_centre(z)), 1.0), 0.5)).hi;
    if (z.hi > -9.0) return blni_pair_log1p(blni_pair_scale(blni_erfc_near(blni_pair_negate(z)), -0.5)).hi;
    return -blni_erfc_half(blni_pair_negate(z));
}

/* N(x)/Phi(x): to the left sqrt(2/pi)/erfcx(-x/sqrt 2), in which nothing can underflow. */
BLN_API double bln_norm_mills(double x)
{
    int k;
    if (!(fabs(x) < 1e150)) return x != x ? x : x < 0.0 ? -x : 0.0;
    if (x > 40.0) return 0.0;
    const blni_pair z = blni_over_sqrt2(-x), c = blni_pair_const(blni_inv_sqrt_2pi);
    if (z.hi >= 0.5) return blni_pair_div(blni_pair_scale(c, 2.0), blni_erfcx_right(z)).hi;
    blni_pair erf = blni_pair_make(1.0, 0.0);                      /* of x/sqrt 2 */
    if (z.hi > -0.5) erf = blni_pair_negate(blni_erf_centre(z));
    else if (z.hi > -9.0) erf = blni_pair_sub(erf, blni_erfc_near(blni_pair_negate(z)));
    const blni_pair cdf = blni_pair_scale(blni_pair_plus(erf, 1.0), 0.5);
    const blni_pair m = blni_pair_exp(blni_pair_scale(blni_pair_product(x, x), -0.5), &k);
    return blni_pair_round(blni_pair_div(blni_pair_mul(m, c), cdf), k);
}

/* Wichura (1988), AS241 PPND16: the quantile of (1 + y)/2, 0 <= y < 1, and c = 1 - y, by one of three rational approximations, each
 * good to about 1e-16: in the centre, in the tail, far out. */
BLNI_PRIV double blni_quantile_start(double y, double c)
{
    static const double up[3][8] = {
        { 3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
          45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727 },
        { 1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
          1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4 },
        { 6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
          0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7 }
    };
    static const double down[3][8] = {
        { 1.0, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
          21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852545925 },
        { 1.0, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
          0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9 },
        { 1.0, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
          7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15 }
    };
    const int centre = y <= 0.85;
    const double q = 0.5*y, r = centre ? 0.180625 - q*q : sqrt(0.69314718055994530942 - log(c));
    const int k = centre ? 0 : r <= 5.0 ? 1 : 2;
    const double at = centre ? r : r - (k == 1 ? 1.6 : 5.0), f = blni_horner(8, up[k], at);
    return (centre ? q*f : f)/blni_horner(8, down[k], at);
}

/* sqrt(2) z with erf(z) = y, 0 <= y < 1, and erfc(z) = c = 1 - y, of which both are given as they are known best. AS241 for a
 * start, good to some 4 ulp, then one step of Newton's method with the residual in pairs, which squares the error: what remains is
 * the rounding of the result. In the tail the residual is that of erfcx, as c itself may be subnormal. */
BLNI_PRIV double blni_erf_inverse(double y, double c)
{
    const double x = blni_quantile_start(y, c);
    const blni_pair z = blni_over_sqrt2(x), inv_sqrt_pi = blni_pair_const(blni_inv_sqrt_pi);
    int k;
    double residual;                                              /* (erf(z) - y)/(erf'(z) sqrt(pi)/2) */
    const blni_pair m = blni_pair_exp(blni_pair_negate(blni_pair_mul(z, z)), &k);
    if (z.hi < 0.5) {
        const blni_pair f = blni_erf_centre(z);                   /* the smaller of y and c is exact */
        residual = (y <= c ? blni_pair_plus(f, -y) : blni_pair_plus(blni_pair_plus(f, -1.0), c)).hi/blni_pair_round(m, k);
    }
    else residual = blni_pair_sub(blni_pair_div(blni_pair_make(ldexp(c, -k), 0.0), m), blni_erfcx_right(z)).hi;
    return x - residual*(0.5/inv_sqrt_pi.hi)*(2.0*BLNI_SQRT1_2);
}

BLN_API double bln_norm_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -(double)INFINITY : (double)INFINITY;
    /* 2p - 1 and 2 - 2p are exact where they are used. */
    return p < 0.5 ? -blni_erf_inverse(1.0 - 2.0*p, 2.0*p) : blni_erf_inverse(2.0*p - 1.0, 2.0 - 2.0*p);
}
