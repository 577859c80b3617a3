/* polya_gamma: three ways to draw PG(b, c), chosen by b and c
 *
 * Ways 1 and 2 use x = 4 omega and z = |c|/2.  [samplers 17-20]
 *
 * 1. The density is an alternating series of inverse Gaussians,
 *        f(x) = (1 + e^-2z)^b sum_n (-1)^n C(b + n - 1, n) e^{-2nz} IG(x; (b + 2n)/z, (b + 2n)^2)
 *             = (1 + e^-2z)^b IG(x; b/z, b^2) S(x),
 *        S = sum_n (-1)^n r_n,   r_0 = 1,   r_n = (2n + b)/n prod_{1 <= j < n} (1 + b/j) e^{-2n(n + b)/x}
 *    [Polson, Scott & Windle 2013, section 4.1]. S falls from 1 to 0 as x grows (for b = 1 it is the ratio of the densities of the
 *    hitting times of {-1, 1} and of 1; for other b this was checked in 33 digits). So a draw from IG(b/z, b^2) is accepted with
 *    probability S(x). As soon as terms fall, partial sums bound S from both sides, because r_{n+1}/r_n falls with n. One of
 *    (1 + e^-2z)^b draws is accepted, which is efficient for b <= 1, and for every b where b e^-c is small.
 * 2. b = 1, c < 2 [Devroye 2009]: x < t = 0.64 is drawn from the Levy density below t times e^{-z^2 x/2} by rejection; x > t from
 *    an exponential. Each side has its own form of S, which needs a second term in 6 of 1000 draws. PG(b + b', c) is a sum of
 *    independent PG(b, c) and PG(b', c), so other small b are sums of draws with b = 1 and one draw by way 1 with b < 1.
 * 3. omega = sum_k w_k Gamma(b), w_k = 2/((2k - 1)^2 pi^2 + c^2). The first K terms are drawn. The sum of the others is replaced by
 *    x_1 Gamma(b a_1) + x_2 Gamma(b a_2) + a constant >= 0 with the same cumulants up to the fifth: x_1, x_2 are the nodes of the
 *    Gauss rule for a measure on the points w_k with masses w_k^2. The integral of |phi - phi~|/|t| over t > 0, divided by pi, phi
 *    and phi~ the characteristic functions of omega and of its replacement, bounds the error of the distribution function: 2e-9 for
 *    K = 2, b >= 3; 6e-10 for K = 1, b >= 10; 7e-9 for K = 0, b >= 200, wherever way 1 is not taken. */
#include "polya_gamma_private.h"
#include "distributions.h"

BLNI_PRIV double blni_polya_gamma_mean(double b, double c)
{
    c = fabs(c);
    if (c < 1e-2) { const double s = c*c; return b*(0.25 - s*(1.0/48.0 - s*(1.0/480.0 - s*(17.0/80640.0)))); }
    const double e = expm1(-c);
    return 0.5*b*(e/(-2.0 - e)/c);
}

/* Is v below S(x)?  x > 0. */
BLNI_PRIV int blni_polya_gamma_below(double v, double b, double x)
{
    const double scale = -2.0/x, last = exp(scale*(1.0 + b)), step = exp(2.0*scale);
    double term = (2.0 + b)*last, sum = 1.0 - term, product = 1.0, power = last, factor = last*step;
    if (v < sum) return 1;
    if (x > 40.0 + 20.0*b) return 0;                               /* S < 1e-20 */
    for (double n = 2.0; n < 500.0; n += 1.0, factor *= step) {
        const double before = term;
        product *= 1.0 + b/(n - 1.0);
        power *= factor;
        term = (2.0*n + b)/n*product*power;
        const int odd = (int)n & 1;
        sum += odd ? -term : term;
        if (term < before && (odd ? v < sum : v >= sum)) return odd;
    }
    return 0;
}

/* Way 1. */
BLNI_PRIV double blni_polya_gamma_inverse(bln_rng *rng, double b, double z)
{
    for (;;) {
        double x;
        if (z < 1e-8) {                                             /* z^2 x/2 < 1e-14 wherever S is not 0 */
            const double root = b/bln_rng_normal(rng);
            x = root*root;
        } else if (b > 1e300/z) return 0.25*b/z;                    /* sd/mean = 1/sqrt(b z) */
        else x = b/z*bln_rng_inverse_gaussian(rng, 1.0, b*z);
        if (!(x > 0.0)) return 0.0;                                 /* of a b below 1e-150 or so */
        if (blni_polya_gamma_below(bln_rng_uniform(rng), b, x)) return 0.25*x;
    }
}

/* Is v below sum_n (-1)^n (2n + 1) q^{n(n + 1)/2}?  q < 0.002. */
BLNI_PRIV int blni_polya_gamma_theta(double v, double q)
{
    double sum = 1.0, power = 1.0, factor = 1.0;
    for (double n = 1.0;; n += 1.0) {                              /* from n = 6 on the sum stands still: one of the tests holds */
        const int odd = (int)n & 1;
        factor *= q;
        power *= factor;
        sum += (odd ? -1.0 : 1.0)*(2.0*n + 1.0)*power;
        if (odd ? v < sum : v >= sum) return odd;
    }
}

/* Way 2. */
BLNI_PRIV double blni_polya_gamma_one(bln_rng *rng, double z)
{
    const double t = 0.64, left = 0.42259909466742096, K = 0.125*BLNI_PI*BLNI_PI + 0.5*z*z;  /* left: 4 P(N > 1/sqrt t) */
    const double right = 0.5*BLNI_PI/K*exp(-K*t), part = left/(left + right);
    for (;;) {
        double x;
        if (bln_rng_uniform(rng) < part) {
            double y, u;                                                /* y = N^2 > 1/t: exponential times y^{-1/2} */
            do {
                y = 1.0/t + 2.0*bln_rng_exponential(rng);
                u = bln_rng_uniform(rng);
            } while (u*u*y*t > 1.0);
            x = 1.0/y;
            if (bln_rng_exponential(rng) < 0.5*z*z*x) continue;
        } else x = t + bln_rng_exponential(rng)/K;
        const double v = bln_rng_uniform(rng);
        if (v < 0.994 || blni_polya_gamma_theta(v, x < t ? exp(-4.0/x) : exp(-BLNI_PI*BLNI_PI*x))) return 0.25*x;
    }
}

/* Way 3. sum_{k > K} w_k^j at power[j - 1], j <= 5; e = e^-c. All of them by the derivatives of log cosh, with T = tanh(c/2),
 * r = 1/2c and S = 1 - T^2; below c = 1.4, where digits cancel, those from k = 2 on by their series in c^2, of convergence radius
 * 9 pi^2. Errors in the worst place, relative: 2e-13 in the first, the mean, 1e-9 in the second, 1e-5 in the fifth. */
BLNI_PRIV void blni_polya_gamma_rest(double c, double e, size_t K, double *power)
{
    static const double series[5][6] = {      /* (-1)^m 2^j C(j + m - 1, m) sum_{k >= 2} ((2k - 1) pi)^{-2(j + m)} */
        { 0.047357632715324442, -0.00030136882396460953, 3.0103867416287416e-06, -3.270875650473084e-08, 3.6394486599793178e-10,
          -4.0807345323606573e-12 },
        { 0.00060273764792921907, -1.2041546966514967e-05, 1.9625253902838505e-07, -2.9115589279834542e-09, 4.0807345323606573e-11,
          -5.5050188831363614e-13 },
        { 1.2041546966514967e-05, -3.9250507805677011e-07, 8.7346767839503631e-09, -1.6322938129442629e-10, 2.7525094415681805e-12,
          -4.3360503641344366e-14 },
        { 2.6167005203784672e-07, -1.1646235711933817e-08, 3.2645876258885258e-10, -7.3400251775151475e-12, 1.4453501213781455e-13,
          -2.602986557884447e-15 },
        { 5.8231178559669085e-09, -3.2645876258885258e-10, 1.1010037766272722e-11, -2.8907002427562911e-13, 6.5074663947111174e-15,
          -1.3186024321778229e-16 } };
    const double square = c*c;
    const size_t first = c < 1.4 ? 2 : 1;
    if (c < 1.4) {
        for (size_t j = 0; j < 5; j++) {
            const double *a = series[j];
            power[j] = a[0] + square*(a[1] + square*(a[2] + square*(a[3] + square*(a[4] + square*a[5]))));
        }
    } else {
        const double d = 1.0/(1.0 + e), T = (1.0 - e)*d, S = 4.0*e*d*d, r = 0.5/c, r2 = r*r, r4 = r2*r2;
        power[0] = T*r;
        power[1] = r2*(4.0*T*r - S);
        power[2] = 0.5*r2*r*(48.0*T*r2 - 12.0*S*r - 2.0*T*S);
        power[3] = (1.0/6.0)*r4*(960.0*T*r2*r - 240.0*S*r2 - 48.0*T*S*r - S*(4.0 - 6.0*S));
        power[4] = (1.0/24.0)*r4*r*(26880.0*T*r4 - 6720.0*S*r2*r - 1440.0*T*S*r2 + S*(240.0*S - 160.0)*r
                                    + 8.0*T*S*(3.0*S - 1.0));
    }
    for (size_t k = blni_min(first, K + 1); k < blni_max(first, K + 1); k++) {
        const double odd = 2.0*(double)k - 1.0, w = (k > K ? 2.0 : -2.0)/(odd*odd*BLNI_PI*BLNI_PI + square);
        double p = w;
        for (size_t j = 0; j < 5; j++, p *= fabs(w)) power[j] += p;
    }
}

BLNI_PRIV double blni_polya_gamma_sum(bln_rng *rng, double b, double c, double e, size_t K)
{
    double p[5], sum = 0.0;
    blni_polya_gamma_rest(c, e, K, p);
    /* The nodes are the roots of x^2 - add x + product, which is orthogonal to 1 and x; what they weigh over their squares. */
    const double det = 1.0/(p[1]*p[3] - p[2]*p[2]), half = 0.5*(p[1]*p[4] - p[2]*p[3])*det, product = (p[2]*p[4] - p[3]*p[3])*det;
    const double root = sqrt(half*half - product), x1 = half + root, x2 = product/x1, scale = 0.5/(root*product*product);
    const double a1 = (p[2] - p[1]*x2)*x2*x2*scale, a2 = (p[1]*x1 - p[2])*x1*x1*scale;
    for (size_t k = 1; k <= K; k++) {
        const double odd = 2.0*(double)k - 1.0;
        sum += 2.0/(odd*odd*BLNI_PI*BLNI_PI + c*c)*bln_rng_gamma(rng, b);
    }
    return sum + x1*bln_rng_gamma(rng, b*a1) + x2*bln_rng_gamma(rng, b*a2) + b*(p[0] - a1*x1 - a2*x2);
}

BLN_API double bln_rng_polya_gamma(bln_rng *rng, double b, double c)
{
    double sum = 0.0;
    c = fabs(c);
    if (!(b >= 0.0 && blni_finite(b) && blni_finite(c))) return BLNI_NAN;
    if (b == 0.0) return 0.0;
    if (b == 1.0 && c < 2.0) return blni_polya_gamma_one(rng, 0.5*c);
    if (b <= 1.0) return blni_polya_gamma_inverse(rng, b, 0.5*c);
    const double e = exp(-c);
    if (b*e < 0.8) return blni_polya_gamma_inverse(rng, b, 0.5*c);
    if (b > 3.0 && b != 4.0 && b != 5.0) return blni_polya_gamma_sum(rng, b, c, e, b < 10.0 ? 2 : b < 200.0 ? 1 : 0);
    for (; b >= 1.0; b -= 1.0) sum += blni_polya_gamma_one(rng, 0.5*c);
    return b > 0.0 ? sum + blni_polya_gamma_inverse(rng, b, 0.5*c) : sum;
}
