/* distributions: the gamma family, what is made of it, and rejection samplers of one variable
 *
 * Marsaglia & Tsang (2000), ACM TOMS 26(3): for shape a >= 1, d = a - 1/3 and c = 1/sqrt(9 d), the variable d (1 + c N)^3 has
 * nearly the gamma density; a quick bound accepts 92 of 100 draws, for the others the logarithm decides. Beta, Student-t,
 * inverse gamma and chi-square are functions of gammas. Small shapes leave the range of doubles, their logarithms do not:
 * whatever can be said in logs is. */
#include "distributions_private.h"
#include "../math/special.h"

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

BLN_API double bln_rng_inverse_gamma(bln_rng *rng, double shape, double scale)
{
    if (!(shape > 0.0 && blni_finite(shape) && scale >= 0.0 && blni_finite(scale))) return BLNI_NAN;
    if (scale == 0.0) return 0.0;
    if (shape >= 1.0) return scale/blni_gamma_large(rng, shape);
    return exp(log(scale) - bln_rng_log_gamma(rng, shape));
}

/* ---- beta */

BLNI_PRIV int blni_beta_shapes_ok(double a, double b)
{
    return a >= 0.0 && b >= 0.0 && (a > 0.0 || b > 0.0) && blni_finite(a) && blni_finite(b);
}

/* log Gamma(shape) for shape >= 0, as a summand of beta and Dirichlet: -inf for shape 0, else finite. */
BLNI_PRIV double blni_log_gamma_share(bln_rng *rng, double shape)
{
    if (shape == 0.0) return -(double)INFINITY;
    return bln_rng_log_gamma(rng, shape > 1e-300 ? shape : 1e-300);
}

/* log(x/(1 - x)) of a draw; infinite where a shape is 0. */
BLNI_PRIV double blni_random_beta_logit(bln_rng *rng, double a, double b)
{
    const double log_g = blni_log_gamma_share(rng, a), log_h = blni_log_gamma_share(rng, b);
    return log_g - log_h;
}

BLN_API double bln_rng_beta(bln_rng *rng, double a, double b)
{
    if (!blni_beta_shapes_ok(a, b)) return BLNI_NAN;
    if (a >= 1.0 && b >= 1.0) {
        const double g = blni_gamma_large(rng, a), h = blni_gamma_large(rng, b);
        return 1.0/(1.0 + h/g);
    }
    const double logit = blni_random_beta_logit(rng, a, b), e = exp(-fabs(logit));
    return logit < 0.0 ? e/(1.0 + e) : 1.0/(1.0 + e);
}

BLN_API void bln_rng_log_beta(bln_rng *rng, double a, double b, double *log_x, double *log_1mx)
{
    const double logit = blni_beta_shapes_ok(a, b) ? blni_random_beta_logit(rng, a, b) : BLNI_NAN;
    *log_x = -bln_log1pexp(-logit);
    *log_1mx = -bln_log1pexp(logit);
}

/* ---- symmetric distributions with heavy tails */

/* sqrt(nu/chi2_nu): what makes a Student-t of a normal. nu > 0; 1 for nu = inf. */
BLNI_PRIV double blni_student_factor(bln_rng *rng, double nu)
{
    const double shape = 0.5*nu;
    if (!blni_finite(nu)) return 1.0;
    if (shape >= 1.0) return sqrt(shape/blni_gamma_large(rng, shape));
    return exp(0.5*(log(shape) - bln_rng_log_gamma(rng, shape)));
}

BLN_API double bln_rng_student_t(bln_rng *rng, double nu)
{
    if (!(nu > 0.0)) return BLNI_NAN;
    const double x = bln_rng_normal(rng);
    return x*blni_student_factor(rng, nu);
}

/* tan(pi v), |v| < 1/2, as cot(pi (1/2 - |v|)) towards the poles, where 1/2 - |v| is exact and pi v is not. */
BLN_API double bln_rng_cauchy(bln_rng *rng)
{
    const double v = bln_rng_uniform(rng) - 0.5;
    if (fabs(v) <= 0.25) return tan(BLNI_PI*v);
    const double x = 1.0/tan(BLNI_PI*(0.5 - fabs(v)));
    return v < 0.0 ? -x : x;
}

BLN_API double bln_rng_half_cauchy(bln_rng *rng)
{
    const double u = bln_rng_uniform(rng);
    return u <= 0.5 ? tan(0.5*BLNI_PI*u) : 1.0/tan(0.5*BLNI_PI*(1.0 - u));
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
        if (bln_rng_exponential(rng) >= 0.5*x*x) return x < a ? a : x < b ? x : b;
    }
}

BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b)
{
    if (!(a <= b)) return BLNI_NAN;
    if (a == b) return a;
    if (a >= 0.0) return blni_normal_right(rng, a, b);
    if (b <= 0.0) return -blni_normal_right(rng, -b, -a);
    return blni_normal_around(rng, a, b);
}
