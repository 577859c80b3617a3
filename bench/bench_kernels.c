/* bench_kernels.c - how close random Fourier features come to their kernels, by each way of drawing the frequencies
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_kernels.c -o build/bench_kernels -lm && build/bench_kernels [repetitions]
 *
 * All random kernels (nu = 1 for Matern, alpha = 1 for the rational quadratic), each by every way that is valid for it: orthogonal
 * draws need a radial one. Root mean square error of phi(x)'phi(x') from the closed form k, over repetitions with other seeds and over
 * random pairs of points with |x - x'|^2 around 2, relative to the exact standard deviation of independent draws,
 * sqrt((1 + k(2 tau) - 2 k(tau)^2)/(2J)), which is the column `error` (spec/bases.md B17, B20). The column `independent` should be 1 to
 * a few percent. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>

enum { PAIRS = 40, WIDEST = 16 };

static const struct { bln_kernel kernel; double shape; } kernels[] = {
    { BLN_KERNEL_RBF, 0.0 }, { BLN_KERNEL_MATERN12, 0.0 }, { BLN_KERNEL_MATERN32, 0.0 }, { BLN_KERNEL_MATERN52, 0.0 },
    { BLN_KERNEL_MATERN, 1.0 }, { BLN_KERNEL_RQ, 1.0 }, { BLN_KERNEL_CAUCHY, 0.0 }, { BLN_KERNEL_LAPLACE1, 0.0 },
    { BLN_KERNEL_CAUCHY_PRODUCT, 0.0 }
};

/* Differences of pairs: a random direction, the squared length between 1 and 3. */
static void make_pairs(size_t d, double tau[PAIRS][WIDEST])
{
    bln_rng rng;
    bln_rng_seed(&rng, d, 7);
    for (size_t p = 0; p < PAIRS; p++) {
        double square = 0.0;
        for (size_t i = 0; i < d; i++) { tau[p][i] = bln_rng_normal(&rng); square += tau[p][i]*tau[p][i]; }
        const double scale = sqrt((1.0 + 2.0*bln_rng_uniform(&rng))/square);
        for (size_t i = 0; i < d; i++) tau[p][i] *= scale;
    }
}

/* phi(x)'phi(x') = mean of cos z'(x - x'). */
static double estimate(const double *z, size_t d, size_t J, const double *tau)
{
    double sum = 0.0;
    for (size_t j = 0; j < J; j++) {
        double phase = 0.0;
        for (size_t i = 0; i < d; i++) phase += z[i*J + j]*tau[i];
        sum += cos(phase);
    }
    return sum/(double)J;
}

static double relative_error(bln_fourier_desc desc, double tau[PAIRS][WIDEST], size_t repetitions, double *typical)
{
    double sum = 0.0;
    *typical = 0.0;
    for (size_t m = 0; m < repetitions; m++) {
        bln_basis *b = NULL;
        desc.seed = m;
        if (bln_fourier_create(&desc, &b, NULL)) return -1.0;
        for (size_t p = 0; p < PAIRS; p++) {
            double twice[WIDEST];
            for (size_t i = 0; i < desc.d; i++) twice[i] = 2.0*tau[p][i];
            const double k = bln_kernel_at(desc.kernel, desc.shape, desc.d, tau[p]);
            const double k2 = bln_kernel_at(desc.kernel, desc.shape, desc.d, twice);
            const double variance = (1.0 + k2 - 2.0*k*k)/(2.0*(double)desc.n);
            const double error = estimate(bln_fourier_frequencies(b), desc.d, desc.n, tau[p]) - k;
            sum += error*error/variance;
            *typical += sqrt(variance);
        }
        bln_basis_free(b);
    }
    *typical /= (double)(repetitions*PAIRS);
    return sqrt(sum/(double)(repetitions*PAIRS));
}

int main(int argc, char **argv)
{
    static const size_t dims[] = { 2, 4, 8, 16 }, sizes[] = { 256, 1024 };
    static const bln_draws ways[] = { BLN_DRAWS_INDEPENDENT, BLN_DRAWS_ORTHOGONAL, BLN_DRAWS_SOBOL, BLN_DRAWS_HALTON };
    const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
    const size_t repetitions = asked > 0 ? (size_t)asked : 1;
    printf("kernel              J   d     error  independent  orthogonal  Sobol  Halton\n");
    for (size_t k = 0; k < sizeof kernels/sizeof *kernels; k++)
        for (size_t s = 0; s < 2; s++)
            for (size_t i = 0; i < 4; i++) {
                double tau[PAIRS][WIDEST], typical, ratio[4];
                bln_fourier_desc desc;
                memset(&desc, 0, sizeof desc);
                desc.d = dims[i];
                desc.n = sizes[s];
                desc.kernel = kernels[k].kernel;
                desc.shape = kernels[k].shape;
                make_pairs(desc.d, tau);
                for (size_t w = 4; w-- > 0;) {
                    desc.draws = ways[w];
                    ratio[w] = relative_error(desc, tau, repetitions, &typical);
                }
                char name[32];
                snprintf(name, sizeof name, desc.shape > 0.0 ? "%s, %g" : "%s", bln_kernel_name(desc.kernel), desc.shape);
                printf("%-15s %5lu  %2lu  %8.5f  %11.2f", name, (unsigned long)desc.n, (unsigned long)desc.d, typical, ratio[0]);
                if (ratio[1] < 0.0) printf("           -");
                else printf("  %10.2f", ratio[1]);
                printf("  %5.2f  %6.2f\n", ratio[2], ratio[3]);
            }
    return 0;
}
