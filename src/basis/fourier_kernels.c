/* fourier_kernels: the frequencies of the kernels
 *
 * The radial kernels are scale mixtures, z = sqrt(s) g with g normal and one s for each frequency (B15):
 *     rbf  s = 1        Matern  s = nu / Gamma(nu)        rational quadratic  s = Gamma(alpha) / alpha        Cauchy  s = 2 Exp(1)
 * where Gamma(a) is a gamma variate of rate 1. The products have independent coordinates: Cauchy for Laplace (L1), double
 * exponential for the product of Cauchy kernels (B16). Each exists as a draw from generators and as a quantile of points in (0,1).
 */
#include "fourier_private.h"
#include "../core/memory_private.h"
#include "../math/special.h"
#include "../math/blas.h"
#include "../random/distributions.h"
#include "../random/qmc.h"
#include "kernel_private.h"

/* ---- the kernels ---- */

/* s of one frequency by generators, and its quantile; matern: those with a nu of their own. */
BLNI_PRIV double blni_matern_nu_draw(blni_draws *w) { return 2.0*w->shape/bln_rng_chi2(&w->scales, 2.0*w->shape); }
BLNI_PRIV double blni_matern_draw(blni_draws *w) { return exp(log(w->shape) - bln_rng_log_gamma(&w->scales, w->shape)); }
BLNI_PRIV double blni_matern_quantile(const blni_draws *w, double u) { return w->shape/bln_gamma_p_inv(w->shape, u); }
BLNI_PRIV double blni_rq_draw(blni_draws *w) { return bln_rng_gamma(&w->scales, w->shape)/w->shape; }
BLNI_PRIV double blni_rq_quantile(const blni_draws *w, double u) { return bln_gamma_p_inv(w->shape, u)/w->shape; }
BLNI_PRIV double blni_cauchy_draw(blni_draws *w) { return 2.0*bln_rng_exponential(&w->scales); }
BLNI_PRIV double blni_cauchy_quantile(const blni_draws *w, double u) { (void)w; return -2.0*log1p(-u); }

/* One coordinate of a product from u in (0,1): Cauchy, tan(pi (u - 1/2)), whose two halves keep their digits in the tails; or
 * double exponential. */
BLNI_PRIV double blni_cauchy_coordinate(double u)
{
    const double tail = u < 0.5 ? u : 1.0 - u, sign = u < 0.5 ? -1.0 : 1.0;
    return tail > 0.25 ? tan(BLNI_PI*(u - 0.5)) : sign/tan(BLNI_PI*tail);
}

BLNI_PRIV double blni_exponential_coordinate(double u)
{
    const double tail = u < 0.5 ? u : 1.0 - u, sign = u < 0.5 ? -1.0 : 1.0;
    return -sign*log(2.0*tail);
}

/* In the order of bln_kernel. No draw: s = 1, as of rbf, or, with a coordinate, a product. */
typedef struct blni_frequencies {
    double (*draw)(blni_draws *w);
    double (*quantile)(const blni_draws *w, double u);
    double (*coordinate)(double u);
} blni_frequencies;
static const blni_frequencies blni_frequency_table[BLNI_N_KERNELS] = {
    { NULL, NULL, NULL },                                                    /* rbf            */
    { blni_matern_nu_draw, blni_matern_quantile, NULL },                     /* matern12       */
    { blni_matern_nu_draw, blni_matern_quantile, NULL },                     /* matern32       */
    { blni_matern_nu_draw, blni_matern_quantile, NULL },                     /* matern52       */
    { blni_matern_draw, blni_matern_quantile, NULL },                        /* matern         */
    { blni_rq_draw, blni_rq_quantile, NULL },                                /* rq             */
    { blni_cauchy_draw, blni_cauchy_quantile, NULL },                        /* cauchy         */
    { NULL, NULL, blni_cauchy_coordinate },                                  /* laplace1       */
    { NULL, NULL, blni_exponential_coordinate }                              /* cauchy_product */
};

BLNI_PRIV int blni_has_scale(bln_kernel kernel) { return blni_frequency_table[(int)kernel].draw != NULL; }

/* ---- draws ---- */

/* Numbers that a frequency takes while it is drawn: quasi-random points have a coordinate for the scale. */
BLNI_PRIV size_t blni_draws_stride(const bln_fourier_desc *desc)
{
    const int quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    return blni_add(desc->d, quasi && blni_has_scale(desc->kernel) ? 1 : 0);
}

BLNI_PRIV void blni_draws_begin(blni_draws *w, const bln_fourier_desc *desc)
{
    const double nu = blni_kernel_find(desc->kernel)->nu;
    w->kernel = desc->kernel;
    w->draws = desc->draws;
    w->shape = nu > 0.0 ? nu : blni_kernel_shape(desc->shape);
    w->d = desc->d;
    w->quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    w->stride = blni_draws_stride(desc);
    w->seed = desc->seed;
    w->next = 0;
    bln_rng_seed(&w->normals, desc->seed, 0);
    bln_rng_seed(&w->scales, desc->seed, 1);
}

/* s of one frequency. */
BLNI_PRIV double blni_scale_draw(blni_draws *w)
{
    return blni_has_scale(w->kernel) ? blni_frequency_table[(int)w->kernel].draw(w) : 1.0;
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
    const blni_frequencies *of = &blni_frequency_table[(int)w->kernel];
    const int product = of->coordinate != NULL, quasi = w->quasi;
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
            if (product) g[i] = of->coordinate(g[i]);
            else if (quasi) g[i] = bln_norm_quantile(g[i]);
        }
        if (of->draw) bln_scal(d, sqrt(quasi ? of->quantile(w, g[d]) : of->draw(w)), g);
    }
}
