/* kernel: stationary kernels in closed form */
#include "kernel.h"

/* What a kernel is, beside its formula. nu of the Matern kernels that have one of their own. */
typedef struct blni_kernel_facts { const char *name; int product, shaped; double nu; } blni_kernel_facts;
static const blni_kernel_facts blni_kernel_table[] = {
    { "rbf", 0, 0, 0.0 }, { "matern12", 0, 0, 0.5 }, { "matern32", 0, 0, 1.5 }, { "matern52", 0, 0, 2.5 }, { "matern", 0, 1, 0.0 },
    { "rq", 0, 1, 0.0 }, { "cauchy", 0, 0, 0.0 }, { "laplace1", 1, 0, 0.0 }, { "cauchy_product", 1, 0, 0.0 }
};
enum { BLNI_N_KERNELS = sizeof blni_kernel_table/sizeof *blni_kernel_table };

/* NULL for a number that is no kernel. */
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel)
{
    return (int)kernel >= 0 && (int)kernel < BLNI_N_KERNELS ? &blni_kernel_table[(int)kernel] : NULL;
}

/* 0 stands for 2, also where there is none. */
BLNI_PRIV double blni_kernel_shape(double shape) { return shape == 0.0 ? 2.0 : shape; }
BLNI_PRIV int blni_shape_ok(double shape) { return shape == 0.0 || (shape >= 0.1 && shape <= 1e4); }

BLN_API const char *bln_kernel_name(bln_kernel kernel)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    return facts ? facts->name : "unknown";
}

/* ---- Matern kernels of any nu ---- */

/* log of the integrand below. Near 0 the two terms lose their leading parts to each other or to 1, and are written without them;
 * far out, cosh - sinh does. */
BLNI_PRIV double blni_bessel_exponent(double nu, double excess, double t)
{
    if (fabs(t) > 1.0) return nu*t + nu + excess - (nu + 0.5*excess)*exp(t) - 0.5*excess*exp(-t);
    const double half = sinh(0.5*t), t2 = t*t;
    double s = 1.0;                                          /* sinh t - t = t^3/6 (1 + t^2/(4 5) (1 + t^2/(6 7) (...))) */
    for (int k = 16; k >= 4; k -= 2) s = 1.0 + t2/(double)(k*(k + 1))*s;
    return -2.0*(nu + excess)*half*half - nu*t*t2/6.0*s;
}

/* int exp(-R (cosh t - 1) - nu (sinh t - t)) dt over the whole line, R = nu + excess. The integrand is analytic and falls
 * exponentially on both sides: the trapezoidal rule errs by less than 1e-16 if its step resolves the width 1/sqrt(R) of the peak
 * and the strip |Im t| < pi/2 in which the integrand stays bounded (Trefethen & Weideman 2014). */
BLNI_PRIV double blni_bessel_integral(double nu, double excess)
{
    const double h = fmin(0.2, 0.45/sqrt(nu + excess));
    double sum = 1.0;
    for (int side = -1; side <= 1; side += 2)
        for (double t = h; ; t += h) {
            const double e = blni_bessel_exponent(nu, excess, side*t);
            if (!(e > -45.0)) { sum += e != e ? e : 0.0; break; }
            sum += exp(e);
        }
    return h*sum;
}

/* K_nu(z) = 1/2 int exp(nu t - z cosh t) dt (Watson 1944, 6.22) around the maximum of its integrand, and Gamma(nu) = int exp(nu t -
 * e^t) dt around the maximum of its own: with q = sqrt(1 + 2 r^2/nu) both are the integral above, and what stands in front of it,
 * powers included, combines to
 *     k(r) = exp(nu (log((1+q)/2) - (q-1))) I(nu q, nu) / I(nu, nu),
 * which neither overflows nor cancels, whatever nu and r. */
BLNI_PRIV double blni_matern_value(double nu, double r)
{
    const double ratio = 2.0*r*r/nu, w = ratio/(1.0 + sqrt(1.0 + ratio));
    return exp(nu*(log1p(0.5*w) - w))*blni_bessel_integral(nu, nu*w)/blni_bessel_integral(nu, 0.0);
}

/* ---- values ---- */

BLNI_PRIV double blni_radial_value(bln_kernel kernel, double shape, double r)
{
    const double a = fabs(r), r3 = sqrt(3.0)*a, r5 = sqrt(5.0)*a;
    if (kernel == BLN_KERNEL_CAUCHY) return 1.0/(1.0 + a*a);
    if (kernel == BLN_KERNEL_RQ) return exp(-shape*log1p(0.5*a*a/shape));
    if (a > 1e4) return 0.0;                             /* all others underflow there; (1 + r) exp(-r) at infinity would be NaN */
    switch (kernel) {
    case BLN_KERNEL_RBF:      return exp(-0.5*a*a);
    case BLN_KERNEL_MATERN12: return exp(-a);
    case BLN_KERNEL_MATERN32: return (1.0 + r3)*exp(-r3);
    case BLN_KERNEL_MATERN52: return (1.0 + r5 + r5*r5/3.0)*exp(-r5);
    default:                  return blni_matern_value(shape, a);
    }
}

BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    double sum = 0.0, value = 1.0;
    if (!facts || !blni_shape_ok(shape)) return BLNI_NAN;
    if (!facts->product) {
        for (size_t i = 0; i < d; i++) sum = hypot(sum, tau[i]);
        return blni_radial_value(kernel, blni_kernel_shape(shape), sum);
    }
    for (size_t i = 0; i < d; i++) {
        sum += fabs(tau[i]);
        value /= 1.0 + tau[i]*tau[i];
    }
    return kernel == BLN_KERNEL_LAPLACE1 ? exp(-sum) : value;
}

BLN_API double bln_kernel_value(bln_kernel kernel, double r) { return bln_kernel_at(kernel, 0.0, 1, &r); }
