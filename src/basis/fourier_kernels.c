/* fourier_kernels: the distributions of the kernels' frequencies
 *
 * The radial kernels are scale mixtures, z = sqrt(s) g with g normal and one s for each frequency [bases 15]:
 *     rbf  s = 1        Matern  s = nu / Gamma(nu)        rational quadratic  s = Gamma(alpha) / alpha        Cauchy  s = 2 Exp(1)
 * where Gamma(a) is a gamma variate of rate 1. Product kernels have independent coordinates: Cauchy for Laplace L1, double
 * exponential for the product of Cauchy kernels [bases 16]. Each can be drawn from generators or as a quantile of a uniform.
 */
#include "fourier_private.h"
#include "../core/memory_private.h"
#include "../math/special.h"
#include "../math/blas.h"
#include "../random/distributions.h"
#include "../random/qmc.h"
#include "../random/rng_private.h"
#include "kernel_private.h"

BLNI_PRIV int blni_has_scale(bln_kernel kernel) { return kernel != BLN_KERNEL_RBF && !blni_kernel_find(kernel)->product; }

/* Numbers that a frequency takes while it is drawn: quasi-random points have a coordinate for the scale. */
BLNI_PRIV size_t blni_draws_stride(const bln_fourier_desc *desc)
{
    const int quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    return blni_add(desc->d, quasi && blni_has_scale(desc->kernel) ? 1 : 0);
}

BLNI_PRIV blni_draws blni_draws_begun(const bln_fourier_desc *desc)
{
    const double nu = blni_kernel_find(desc->kernel)->nu, shape = nu > 0.0 ? nu : blni_kernel_shape(desc->shape);
    const int quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    const blni_draws w = { desc->kernel, desc->draws, shape, desc->d, blni_draws_stride(desc), quasi, desc->seed, 0,
                           blni_rng_of(desc->seed, 0), blni_rng_of(desc->seed, 1) };
    return w;
}

/* s of one frequency. */
BLNI_PRIV double blni_scale_draw(blni_draws *w)
{
    switch (w->kernel) {
    case BLN_KERNEL_MATERN12:
    case BLN_KERNEL_MATERN32:
    case BLN_KERNEL_MATERN52: return 2.0*w->shape/bln_rng_chi2(&w->scales, 2.0*w->shape);
    case BLN_KERNEL_MATERN:   return exp(log(w->shape) - bln_rng_log_gamma(&w->scales, w->shape));
    case BLN_KERNEL_RQ:       return bln_rng_gamma(&w->scales, w->shape)/w->shape;
    case BLN_KERNEL_CAUCHY:   return 2.0*bln_rng_exponential(&w->scales);
    default:                  return 1.0;
    }
}

BLNI_PRIV double blni_scale_quantile(const blni_draws *w, double u)
{
    if (w->kernel == BLN_KERNEL_CAUCHY) return -2.0*log1p(-u);
    const double gamma = bln_gamma_p_inv(w->shape, u);
    return w->kernel == BLN_KERNEL_RQ ? gamma/w->shape : w->shape/gamma;
}

/* One coordinate of a product from u in (0,1): Cauchy, tan(pi (u - 1/2)), whose two halves keep their digits in the tails; or
 * double exponential. */
BLNI_PRIV double blni_product_quantile(bln_kernel kernel, double u)
{
    const double tail = u < 0.5 ? u : 1.0 - u, sign = u < 0.5 ? -1.0 : 1.0;
    if (kernel == BLN_KERNEL_LAPLACE1) return tail > 0.25 ? tan(BLNI_PI*(u - 0.5)) : sign/tan(BLNI_PI*tail);
    return -sign*log(2.0*tail);
}

/* The rows of G (n x d, n <= d) to an orthonormal basis of the same nested spans, times their former norms. Gram-Schmidt twice is
 * orthogonal to rounding (Giraud et al. 2005). */
BLNI_PRIV void blni_orthogonalise(size_t n, size_t d, double *G)
{
    for (size_t j = 0; j < n; j++) {
        double *g = G + j*d;
        const double norm = sqrt(bln_dot(d, g, g));
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < j; k++) {
                const double *q = G + k*d;
                bln_axpy(d, -bln_dot(d, q, g)/bln_dot(d, q, q), q, g);
            }
        bln_scal(d, norm/sqrt(bln_dot(d, g, g)), g);
    }
}

/* The next n frequencies as the first d entries of the rows of G (stride w->stride); n <= d where draws are orthogonal. */
BLNI_PRIV void blni_draws_next(blni_draws *w, size_t n, double *G)
{
    const size_t d = w->d, ld = w->stride;
    const int product = blni_kernel_find(w->kernel)->product, quasi = w->quasi;
    if (w->draws == BLN_DRAWS_SOBOL) bln_qmc_sobol(ld, w->seed, w->next, n, G, ld);
    if (w->draws == BLN_DRAWS_HALTON) bln_qmc_halton(ld, w->seed, w->next, n, G, ld);
    w->next += (uint64_t)n;
    for (size_t j = 0; j < n && !quasi; j++) {
        if (product) bln_rng_uniforms(&w->normals, d, G + j*d); else bln_rng_normals(&w->normals, d, G + j*d);
    }
    if (w->draws == BLN_DRAWS_ORTHOGONAL) blni_orthogonalise(n, d, G);
    for (size_t j = 0; j < n; j++) {
        double *g = G + j*ld;
        for (size_t i = 0; i < d; i++) {
            if (product) g[i] = blni_product_quantile(w->kernel, g[i]);
            else if (quasi) g[i] = bln_norm_quantile(g[i]);
        }
        if (blni_has_scale(w->kernel)) bln_scal(d, sqrt(quasi ? blni_scale_quantile(w, g[d]) : blni_scale_draw(w)), g);
    }
}
