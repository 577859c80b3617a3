/* distributions: the gamma family, what is made of it, and rejection samplers of one variable
 *
 * Marsaglia & Tsang (2000), ACM TOMS 26(3): for shape a >= 1, d = a - 1/3 and c = 1/sqrt(9 d), the variable d (1 + c N)^3 has
 * nearly the gamma density; a quick bound accepts 92 of 100 draws, for the others the logarithm decides. Student-t and chi-square
 * are functions of gammas. Draws of small shapes leave the range of doubles, but their logarithms do not, so logs are used. */
#include "distributions.h"
#include "../core/config_private.h"

/* shape >= 1 */
BLNI_PRIV double blni_gamma_large(bln_rng *rng, double shape)
{
    const double d = shape - 1.0/3.0, c = 1.0/(3.0*sqrt(d));
    for (;;) {
        const double x = bln_rng_normal(rng), t = 1.0 + c*x, v = t*t*t;
        if (t <= 0.0) continue;
        const double u = bln_rng_uniform(rng), square = x*x;
        if (u < 1.0 - 0.0331*square*square) return d*v;
        if (log(u) < 0.5*square + d*(1.0 - v + log(v))) return d*v;
    }
}

BLN_API double bln_rng_log_gamma(bln_rng *rng, double shape)
{
    if (!(shape > 0.0)) return BLNI_NAN;
    if (shape >= 1.0) return log(blni_gamma_large(rng, shape));
    const double larger = log(blni_gamma_large(rng, shape + 1.0));
    return larger + log(bln_rng_uniform(rng))/shape;
}

BLN_API double bln_rng_gamma(bln_rng *rng, double shape)
{
    return shape >= 1.0 ? blni_gamma_large(rng, shape) : exp(bln_rng_log_gamma(rng, shape));
}

BLN_API double bln_rng_chi2(bln_rng *rng, double nu) { return 2.0*bln_rng_gamma(rng, 0.5*nu); }

/* sqrt(nu/chi2_nu), of a normal, makes a Student-t. */
BLN_API double bln_rng_student_t(bln_rng *rng, double nu)
{
    const double shape = 0.5*nu;
    if (!(nu > 0.0)) return BLNI_NAN;
    const double x = bln_rng_normal(rng);
    if (!blni_finite(nu)) return x;
    return shape >= 1.0 ? x*sqrt(shape/blni_gamma_large(rng, shape)) : x*exp(0.5*(log(shape) - bln_rng_log_gamma(rng, shape)));
}

BLN_API double bln_rng_laplace(bln_rng *rng)
{
    const double sign = 1.0 - 2.0*(double)(bln_rng_next(rng) >> 63);
    return sign*bln_rng_exponential(rng);
}

/* ---- inverse Gaussian
 *
 * With y = N^2 and w = mu y/(2 lambda), the two roots of lambda (x - mu)^2 = mu^2 x y are mu/t and mu t with
 * t = 1 + w + sqrt(w (w + 2)). The smaller is taken with probability t/(1 + t). [Michael, Schucany & Haas 1976, The American
 * Statistician 30(2)] The textbook form of mu/t subtracts nearly equal numbers when w is large. */
BLN_API double bln_rng_inverse_gaussian(bln_rng *rng, double mu, double lambda)
{
    if (!(mu >= 0.0 && lambda >= 0.0)) return BLNI_NAN;
    if (mu == 0.0 || lambda == 0.0) return 0.0;
    if (!blni_finite(lambda)) return mu;
    const double x = bln_rng_normal(rng), y = x*x, ratio = mu/lambda;
    /* mu/t = lambda/y (1 + O(1/w)) with w > 1e100 for every y that can come; the other root has a chance of 1/w. */
    if (ratio > 1e150) return lambda/y;
    const double w = 0.5*ratio*y, t = 1.0 + w + sqrt(w*(w + 2.0));
    return bln_rng_uniform(rng)*(1.0 + t) < t ? mu/t : mu*t;
}

/* ---- truncated normal
 *
 * Robert (1995), Statistics and Computing 5(2). On a half line x > a far out: a + E/alpha with alpha = (a + sqrt(a^2 + 4))/2,
 * accepted with probability e^{-(x - alpha)^2/2}. As alpha - a = 1/alpha, x - alpha = (E - 1)/alpha: no square of a, which may
 * overflow, and no difference of large numbers. */

/* x > a >= 0 */
BLNI_PRIV double blni_normal_above(bln_rng *rng, double a)
{
    if (a <= 0.45) {
        for (;;) {
            const double x = fabs(bln_rng_normal(rng));             /* the half normal: a >= 0 */
            if (x > a) return x;
        }
    }
    const double alpha = 0.5*a + 0.5*hypot(a, 2.0);
    for (;;) {
        const double e = bln_rng_exponential(rng), z = (e - 1.0)/alpha;
        if (bln_rng_exponential(rng) >= 0.5*z*z) return a + e/alpha;
    }
}

/* 0 <= a < b: uniform proposals where the interval is short on the scale of the density, else from the half line. The bound is
 * where both accept equally often. */
BLNI_PRIV double blni_normal_right(bln_rng *rng, double a, double b)
{
    const double alpha = 0.5*a + 0.5*hypot(a, 2.0);
    if (b - a < exp(0.5 - 0.5*a/alpha)/alpha) {
        for (;;) {
            const double above = (b - a)*bln_rng_uniform(rng);
            if (bln_rng_exponential(rng) >= above*(a + 0.5*above)) return a + above < b ? a + above : b;
        }
    }
    for (;;) {
        const double x = blni_normal_above(rng, a);
        if (x <= b) return x;
    }
}

/* a < 0 < b */
BLNI_PRIV double blni_normal_around(bln_rng *rng, double a, double b)
{
    if (b - a > 2.50662827463100050242) {                           /* sqrt(2 pi): both accept equally often */
        for (;;) {
            const double x = bln_rng_normal(rng);
            if (a <= x && x <= b) return x;
        }
    }
    for (;;) {
        const double x = a + (b - a)*bln_rng_uniform(rng);
        if (bln_rng_exponential(rng) >= 0.5*x*x) return x;          /* a <= x <= b, rounded: u <= 1 - 2^-53 */
    }
}

BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b)
{
    if (!(a <= b)) return BLNI_NAN;
    if (a == b) return a;
    if (a >= 0.0) return blni_normal_right(rng, a, b);
    return b <= 0.0 ? -blni_normal_right(rng, -b, -a) : blni_normal_around(rng, a, b);
}
