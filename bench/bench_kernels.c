/* bench_kernels.c - how close random Fourier features come to their kernels, by each way of drawing the frequencies
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_kernels.c -o build/bench_kernels -lm && build/bench_kernels [repetitions]
 *
 * All random kernels (nu = 1 for Matern, alpha = 1 for the rational quadratic), each by every way that is valid for it: orthogonal
 * draws and Fastfood need a radial one. Root mean square error of phi(x)'phi(x') from the closed form, over repetitions with other
 * seeds and over random pairs of points with |x - x'|^2 around 2, relative to the exact standard deviation of independent draws,
 * sqrt((1 + k(2 tau) - 2 k(tau)^2)/(2J)), which is the column `error` [bases 17, 20]. The column `independent` should be
 * 1 to a few percent. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>

enum { PAIRS = 40, WIDEST = 16, LARGEST = 1024, WAYS = 5 };

static const struct { bln_kernel kernel; double shape; } kernels[] = {
    { BLN_KERNEL_RBF, 0.0 }, { BLN_KERNEL_MATERN12, 0.0 }, { BLN_KERNEL_MATERN32, 0.0 }, { BLN_KERNEL_MATERN52, 0.0 },
    { BLN_KERNEL_MATERN, 1.0 }, { BLN_KERNEL_RQ, 1.0 }, { BLN_KERNEL_CAUCHY, 0.0 }, { BLN_KERNEL_LAPLACE1, 0.0 },
    { BLN_KERNEL_CAUCHY_PRODUCT, 0.0 }
};

static const struct { const char *name; bln_draws draws; } ways[WAYS] = {
    { "independent", BLN_DRAWS_INDEPENDENT }, { "orthogonal", BLN_DRAWS_ORTHOGONAL }, { "Fastfood", BLN_DRAWS_FASTFOOD },
    { "Sobol", BLN_DRAWS_SOBOL }, { "Halton", BLN_DRAWS_HALTON }
};

/* phi(x)'phi(0) of all pairs, x = tau. Row 0 of X is 0. */
static bln_status estimates(const bln_fourier_desc *desc, double tau[PAIRS][WIDEST], double k[PAIRS])
{
    static double X[PAIRS + 1][WIDEST], Phi[PAIRS + 1][2*LARGEST];
    const double length_scale = 1.0;
    bln_basis *b = NULL;
    const bln_status status = desc->draws == BLN_DRAWS_FASTFOOD ? bln_fastfood_create(desc, &b, NULL)
                                                                : bln_fourier_create(desc, &b, NULL);
    if (status) return status;
    double *room = (double *)malloc((bln_basis_work(b, PAIRS + 1) + 8)*sizeof *room);
    if (!room) { bln_basis_free(b); return BLN_ENOMEM; }
    double *work = room + (64 - (uintptr_t)room % 64)/sizeof *room;                /* the work of a basis is aligned to 64 bytes */
    memcpy(X[1], tau, PAIRS*sizeof X[0]);
    bln_basis_features(b, &length_scale, PAIRS + 1, X[0], WIDEST, Phi[0], 2*LARGEST, work);
    for (size_t p = 0; p < PAIRS; p++) {
        k[p] = 0.0;
        for (size_t j = 0; j < 2*desc->n; j++) k[p] += Phi[0][j]*Phi[p + 1][j];
    }
    free(room);
    bln_basis_free(b);
    return BLN_OK;
}

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

/* The closed form, and the variance of an estimate from independent draws. */
static void expected(const bln_fourier_desc *desc, double tau[PAIRS][WIDEST], double k[PAIRS], double var[PAIRS])
{
    for (size_t p = 0; p < PAIRS; p++) {
        double twice[WIDEST];
        for (size_t i = 0; i < desc->d; i++) twice[i] = 2.0*tau[p][i];
        k[p] = bln_kernel_at(desc->kernel, desc->shape, desc->d, tau[p]);
        var[p] = (1.0 + bln_kernel_at(desc->kernel, desc->shape, desc->d, twice) - 2.0*k[p]*k[p])/(2.0*(double)desc->n);
    }
}

/* One line: the error of independent draws by the formula, and relative to it what each way has; "-" where it is not valid. */
static void line(bln_fourier_desc desc, size_t repetitions)
{
    double tau[PAIRS][WIDEST], k[PAIRS], var[PAIRS], got[PAIRS], typical = 0.0;
    char name[32];
    make_pairs(desc.d, tau);
    expected(&desc, tau, k, var);
    for (size_t p = 0; p < PAIRS; p++) typical += sqrt(var[p])/PAIRS;
    snprintf(name, sizeof name, desc.shape > 0.0 ? "%s, %g" : "%s", bln_kernel_name(desc.kernel), desc.shape);
    printf("%-15s %5lu  %2lu  %8.5f", name, (unsigned long)desc.n, (unsigned long)desc.d, typical);
    for (size_t w = 0; w < WAYS; w++) {
        double sum = 0.0;
        bln_status status = BLN_OK;
        desc.draws = ways[w].draws;
        for (desc.seed = 0; desc.seed < repetitions && !status; desc.seed++) {
            status = estimates(&desc, tau, got);
            for (size_t p = 0; p < PAIRS && !status; p++) sum += (got[p] - k[p])*(got[p] - k[p])/var[p];
        }
        if (status) printf("  %11s", "-");
        else printf("  %11.2f", sqrt(sum/(double)(repetitions*PAIRS)));
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const size_t dims[] = { 2, 4, 8, WIDEST }, sizes[] = { 256, LARGEST };
    const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
    printf("kernel              J   d     error");
    for (size_t w = 0; w < WAYS; w++) printf("  %11s", ways[w].name);
    printf("\n");
    for (size_t k = 0; k < sizeof kernels/sizeof *kernels; k++)
        for (size_t s = 0; s < 2; s++)
            for (size_t i = 0; i < 4; i++) {
                bln_fourier_desc desc;
                memset(&desc, 0, sizeof desc);
                desc.d = dims[i];
                desc.n = sizes[s];
                desc.kernel = kernels[k].kernel;
                desc.shape = kernels[k].shape;
                line(desc, asked > 0 ? (size_t)asked : 1);
            }
    return 0;
}
