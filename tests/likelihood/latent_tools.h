/* latent_tools.h - mixtures in one dimension, row by row: of latent j; or, with v, of y = f + e with Var e = v_i eta_k,jj */
#ifndef BLN_TESTS_LATENT_TOOLS_H
#define BLN_TESTS_LATENT_TOOLS_H
#include "../test.h"

static TEST_UNUSED void latent_moments(const bln_latent *f, size_t n, size_t j, const double *v, double *mean, double *var)
{
    for (size_t i = 0; i < n; i++) {
        const blni_mix m = blni_mix_of(f, i, j, v ? v[i] : 0.0);
        blni_mix_moments(&m, mean ? mean + i : NULL, var ? var + i : NULL);
    }
}

static TEST_UNUSED void latent_cdfs(const bln_latent *f, size_t n, size_t j, const double *v, const double *x, double *lower,
                                    double *upper)
{
    for (size_t i = 0; i < n; i++) {
        const blni_mix m = blni_mix_of(f, i, j, v ? v[i] : 0.0);
        const double at = x[i];
        if (lower) lower[i] = blni_mix_tail(&m, at, 0);
        if (upper) upper[i] = blni_mix_tail(&m, at, 1);
    }
}

static TEST_UNUSED void latent_logdensities(const bln_latent *f, size_t n, size_t j, const double *v, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const blni_mix m = blni_mix_of(f, i, j, v ? v[i] : 0.0);
        out[i] = blni_mix_logdensity(&m, x[i]);
    }
}

static TEST_UNUSED void latent_quantiles(const bln_latent *f, size_t n, size_t j, const double *v, size_t n_p, const double *p,
                                         double *out)
{
    for (size_t i = 0; i < n; i++) {
        const blni_mix m = blni_mix_of(f, i, j, v ? v[i] : 0.0);
        for (size_t k = 0; k < n_p; k++) out[i*n_p + k] = blni_mix_quantile(&m, p[k], 1.0 - p[k]);
    }
}

#endif
