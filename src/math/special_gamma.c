/* special_gamma: log Gamma, its derivatives and its differences, for positive arguments
 *
 * Large arguments use Stirling's series with log x as a pair. Small ones are brought to [1, 2], or up to 10, by the recurrence,
 * whose products are pairs: Gamma(x) = (x-1)(x-2)...(1+u) Gamma(1+u), log Gamma(1+u) = u (u-1) q(u) with a table of polynomials for
 * q, so that the roots at 1 and 2 are exact factors. Differences of log Gamma at large arguments are formed term by term, because
 * two values would cancel. The C library's lgamma is not used because it writes the global signgam. */
#include "special_private.h"
#include "special_tables_private.h"

/* log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2] = 1/12x - 1/360x^3 + ..., x >= 8.                  [DLMF 5.11.1] */
BLNI_PRIV double blni_stirling(double x)
{
    const double u = 1.0/x;
    return u*blni_horner(10, blni_stirling_table, u*u);
}

/* stirling(x + d) - stirling(x), relative to d as well: the divided difference of the polynomial in u = 1/x and v = 1/(x + d),
 * times v - u = -d u v. Horner's scheme for p(v) gives on its way that for (p(u) - p(v))/(u - v). */
BLNI_PRIV double blni_stirling_difference(double x, double d)
{
    const double u = 1.0/x, v = 1.0/(x + d), u2 = u*u, v2 = v*v;
    double p = 0.0, slope = 0.0;                                  /* of p(w), w = u^2 */
    for (size_t k = 10; k-- > 0;) { slope = slope*u2 + p; p = p*v2 + blni_stirling_table[k]; }
    /* v p(v^2) - u p(u^2) = (v - u)(p(v^2) + u (u + v) slope) */
    return -d*u*v*(p + u*(u + v)*slope);
}

/* log Gamma(1 + u), 0 <= u <= 1. */
BLNI_PRIV blni_pair blni_lgamma_unit(blni_pair u)
{
    const size_t i = u.hi < 1.0 ? (size_t)(8.0*u.hi) : 7;
    const double t = 16.0*((u.hi - 0.125*((double)i + 0.5)) + u.lo);
    return blni_pair_mul(blni_pair_mul(u, blni_pair_plus(u, -1.0)), blni_pair_polynomial(12, blni_lgamma_table[i], t));
}

/* log Gamma(x), 0 < x <= 2.556e305. */
BLNI_PRIV blni_pair blni_lgamma_double(double x)
{
    if (x >= 8.0) {
        const blni_pair main = blni_pair_mul(blni_pair_log(blni_pair_make(x, 0.0)), blni_pair_sum(x, -0.5));
        const double series = x < 1e17 ? blni_stirling(x) : 0.0;
        return blni_pair_add(blni_pair_plus(main, -x), blni_pair_plus(blni_pair_const(blni_half_log_2pi), series));
    }
    if (x < 1.0) return blni_pair_sub(blni_lgamma_unit(blni_pair_make(x, 0.0)), blni_pair_log(blni_pair_make(x, 0.0)));
    if (x <= 2.0) return blni_lgamma_unit(blni_pair_make(x - 1.0, 0.0));
    blni_pair product = blni_pair_make(1.0, 0.0);
    for (; x > 2.0; x -= 1.0) product = blni_pair_times(product, x - 1.0);           /* x - 1 is exact */
    return blni_pair_add(blni_pair_log(product), blni_lgamma_unit(blni_pair_make(x - 1.0, 0.0)));
}

BLN_API double bln_lgamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? (double)INFINITY : BLNI_NAN;
    return x > 2.556e305 ? x*(log(x) - 1.0) : blni_lgamma_double(x).hi;
}

/* sum_{k < n} 1/(x + k)^power, power 1 or 2; x in [7.5e-155, 10]. */
BLNI_PRIV blni_pair blni_reciprocals(double x, int n, int power)
{
    blni_pair sum = blni_pair_make(0.0, 0.0);
    while (n-- > 0) {
        blni_pair term = blni_pair_div(blni_pair_make(1.0, 0.0), blni_pair_sum((double)n, x));
        if (power == 2) term = blni_pair_mul(term, term);
        sum = blni_pair_add(sum, term);
    }
    return sum;
}

/* The steps that bring x up to 10. */
BLNI_PRIV int blni_steps_to_10(double x) { return x < 10.0 ? (int)ceil(10.0 - x) : 0; }

/* psi(x) = log y - 1/2y - sum B_2k/(2k y^2k) - sum_{k<n} 1/(x + k), y = x + n >= 10.                     [DLMF 5.5.2, 5.11.2] */
BLNI_PRIV blni_pair blni_digamma(double x)                         /* x > 0, finite */
{
    if (x < 1e-250) return blni_pair_make(-1.0/x, 0.0);
    if (x < 1e-150) return blni_pair_div(blni_pair_make(-1.0, 0.0), blni_pair_make(x, 0.0));
    if (x > 1e25) return blni_pair_log(blni_pair_make(x, 0.0));
    const int n = blni_steps_to_10(x);
    const blni_pair y = blni_pair_sum((double)n, x), u = blni_pair_div(blni_pair_make(0.5, 0.0), y);
    const double w = 1.0/(y.hi*y.hi), series = w*blni_horner(9, blni_digamma_table, w);
    const blni_pair top = blni_pair_plus(blni_pair_sub(blni_pair_log(y), u), -series);
    return blni_pair_sub(top, blni_reciprocals(x, n, 1));
}

BLN_API double bln_digamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    return x == (double)INFINITY ? x : blni_digamma(x).hi;
}

/* psi'(x) = 1/y + 1/2y^2 + sum B_2k/y^(2k+1) + sum_{k<n} 1/(x + k)^2.                                    [DLMF 5.15.5, 5.15.8] */
BLN_API double bln_trigamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? (double)INFINITY : BLNI_NAN;
    if (x < 7.5e-155) return 1.0/x/x;                             /* infinite, or the last before */
    if (x > 1e17) return 1.0/x;
    const int n = blni_steps_to_10(x);
    const blni_pair y = blni_pair_sum((double)n, x), u = blni_pair_div(blni_pair_make(1.0, 0.0), y);
    const double w = u.hi*u.hi, series = w*(0.5 + u.hi*blni_horner(10, blni_trigamma_table, w));
    return blni_pair_add(blni_pair_plus(u, series), blni_reciprocals(x, n, 2)).hi;
}

/* log Gamma(x), x > 0 a pair: that of the double, and the rest times the slope. */
BLNI_PRIV blni_pair blni_lgamma_pair(blni_pair x)
{
    const blni_pair f = blni_lgamma_double(x.hi);
    return x.lo == 0.0 ? f : blni_pair_add(f, blni_pair_times(blni_digamma(x.hi), x.lo));
}

/* log Gamma(a + x) - log Gamma(a), a >= 10, x >= 0, relative for small x too (at 8 the series would miss 4e-18 x):
 * x log(a + x) + (a - 1/2) log(1 + x/a) - x + the difference of Stirling's series. */
BLNI_PRIV blni_pair blni_log_rising_large(blni_pair a, double x)
{
    const blni_pair b = blni_pair_plus(a, x), ratio = blni_pair_div(blni_pair_make(x, 0.0), a);
    const blni_pair first = blni_pair_times(blni_pair_log(b), x);
    const blni_pair second = blni_pair_mul(blni_pair_plus(a, -0.5), blni_pair_log1p(ratio));
    const double series = a.hi < 1e17 ? blni_stirling_difference(a.hi, x) : 0.0;
    return blni_pair_add(first, blni_pair_plus(blni_pair_plus(second, -x), series));
}

/* The same for a < 1e-250, x < 1: log Gamma(1 + x) - log(1 + x/a), as a itself is nothing; x/a of scaled numbers, or as a
 * difference of logarithms where it may overflow. */
BLNI_PRIV blni_pair blni_log_rising_tiny(double a, double x)
{
    const blni_pair A = blni_pair_make(a, 0.0), X = blni_pair_make(x, 0.0), unit = blni_lgamma_unit(X);
    if (x > 1e-50) return blni_pair_sub(unit, blni_pair_sub(blni_pair_log(X), blni_pair_log(A)));
    const blni_pair ratio = blni_pair_div(blni_pair_scale(X, ldexp(1.0, 160)), blni_pair_scale(A, ldexp(1.0, 160)));
    return blni_pair_sub(unit, blni_pair_log1p(ratio));
}

/* The same for a > 0. Where x is as good as infinitesimal, x psi(a): the next term is x/a of it, and x/a may underflow. Below 10,
 * x < 1: the recurrence down from a + n, prod (a + x + k)/(a + k) = 1 + e with e built up from positive terms, so that it is
 * relative to x; x >= 1: nothing cancels. */
BLNI_PRIV blni_pair blni_log_rising(blni_pair a, double x)
{
    if (a.hi < 1e-250 && x < 1.0) return blni_log_rising_tiny(a.hi, x);
    if (x <= 1e-21*a.hi) return blni_pair_times(blni_digamma(a.hi), x);
    if (a.hi >= 10.0) return blni_log_rising_large(a, x);
    if (x >= 1.0) return blni_pair_sub(blni_lgamma_pair(blni_pair_plus(a, x)), blni_lgamma_pair(a));
    blni_pair e = blni_pair_make(0.0, 0.0);
    for (; a.hi < 10.0; a = blni_pair_plus(a, 1.0)) {
        const blni_pair t = blni_pair_div(blni_pair_make(x, 0.0), a);
        e = blni_pair_add(e, blni_pair_add(t, blni_pair_mul(e, t)));
    }
    return blni_pair_sub(blni_log_rising_large(a, x), blni_pair_log1p(e));
}

BLNI_PRIV double blni_log_rising_double(double a, double x)
{
    if (!(a > 0.0 && x >= 0.0)) return BLNI_NAN;
    if (x == 0.0) return 0.0;
    if (x == (double)INFINITY || a == (double)INFINITY) return (double)INFINITY;
    if (a + x > 2.556e305 && x > 1e-21*a) return x*log(a + x) + (a > 1e280 ? (a - 0.5)*log1p(x/a) - x : -x);
    return blni_log_rising(blni_pair_make(a, 0.0), x).hi;
}

BLNI_PRIV double blni_lgamma_half_diff(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    return x > 1e300 ? 0.5*log(x) : blni_log_rising(blni_pair_make(x, 0.0), 0.5).hi;
}

/* log Gamma(n + 1)/Gamma(n - k + 1) - log Gamma(k + 1), with the smaller of k and n - k. */
BLN_API double bln_log_choose(double n, double k)
{
    static const double most = 1e300;                             /* an object: a literal may be wider than a double */
    if (!(k >= 0.0 && k <= n && n <= most)) return BLNI_NAN;
    blni_pair rest = blni_pair_sum(n, -k), small = blni_pair_make(k, 0.0);
    if (rest.hi < k) { const blni_pair t = rest; rest = small; small = t; }
    if (small.hi == 0.0) return 0.0;                              /* small is exact: n - k < k means n/2 < k <= n */
    const blni_pair up = blni_log_rising(blni_pair_plus(rest, 1.0), small.hi), down = blni_lgamma_pair(blni_pair_plus(small, 1.0));
    return blni_pair_sub(up, down).hi;
}
