/* bench_slm.c - the linear model on random Fourier features: statistics, evidence, and its gradient by every length scale
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_slm.c -o build/bench_slm -lm && build/bench_slm [N d FREQUENCIES]
 *
 * Seconds of processor time, the least of several, and the fraction of the peak of bench/peak.h in the same run, on the N D^2 flops
 * of the statistics, and the 3 N D^2 + D^3 of evidence and gradient; then evidence and gradient of the Gaussian process itself
 * (gp:kernel=matern32,ard) on 500, 1000 and 2000 rows, and the fraction on its n^3 flops: those of the kernel matrix and its chain
 * rule are not counted. bench_slm.py builds this as a shared library and asks it and
 * numpy, scikit-learn and torch in turn for the same work. */
#define _DEFAULT_SOURCE                                       /* clocks and large pages, even as strict C */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include <stdio.h>

double bench_peak(void) { return 1e-9*peak_rate(50); }

/* A model of J frequencies with a length scale for each input, everything fixed. NULL: out of memory. */
typedef struct bench { bln_basis *basis; bln_slm *slm; bln_statistics *statistics; double theta[64]; size_t d; } bench;

bench *bench_new(size_t d, size_t J)
{
    bln_fourier_desc f = BLN_ZERO;
    bln_slm_desc s = BLN_ZERO;
    bln_statistics_desc t = BLN_ZERO;
    bench *b = (bench *)calloc(1, sizeof *b);
    if (!b || d > 64) return NULL;
    b->d = d;
    for (size_t i = 0; i < d; i++) b->theta[i] = 1.5 + 0.1*(double)i;
    f.d = d;
    f.n = J;
    f.ard = 1;
    f.draws = BLN_DRAWS_INDEPENDENT;
    if (bln_fourier_create(&f, &b->basis, NULL) != BLN_OK) return NULL;
    s.basis = t.basis = b->basis;
    s.theta = t.theta = b->theta;
    s.form = BLN_SLM_PRIMAL;
    if (bln_slm_create(&s, &b->slm, NULL) != BLN_OK || bln_statistics_create(&t, &b->statistics, NULL) != BLN_OK) return NULL;
    return b;
}

void bench_free(bench *b)
{
    if (!b) return;
    bln_statistics_free(b->statistics);
    bln_slm_free(b->slm);
    bln_basis_free(b->basis);
    free(b);
}

const double *bench_frequencies(const bench *b) { return bln_fourier_frequencies(b->basis); }

static bln_data bench_data(const bench *b, size_t N, const double *X, const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = N;
    data.d = b->d;
    data.X = X;
    data.y = y;
    return data;
}

/* Processor seconds of the statistics; those of what was there are doubled, which changes nothing of the work. */
double bench_statistics(bench *b, size_t N, const double *X, const double *y)
{
    const bln_data data = bench_data(b, N, X, y);
    const double t = seconds();
    if (bln_statistics_add(b->statistics, &data, NULL) != BLN_OK) return BLNI_NAN;
    return seconds() - t;
}

/* Processor seconds of the evidence at sigma^2 = 0.01 and prior variance 1, of its gradient too if out != NULL: evidence, then d
 * derivatives by the length scales. */
double bench_evidence(bench *b, size_t N, const double *X, const double *y, int gradient, double *out)
{
    const bln_data data = bench_data(b, N, X, y);
    const double prior = 1.0, t = seconds();
    double d_noise, d_prior;
    if (bln_slm_evidence_at(b->slm, &data, 0.01, &prior, b->theta, out, gradient ? &d_noise : NULL, gradient ? &d_prior : NULL,
                            gradient ? out + 1 : NULL, NULL) != BLN_OK) return BLNI_NAN;
    return seconds() - t;
}

void bench_fill(size_t N, size_t d, double *X, double *y)
{
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_uniforms(&rng, N*d, X);
    bln_rng_normals(&rng, N, y);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < d; k++) X[i*d + k] = 2.0*X[i*d + k] - 1.0;
        y[i] = sin(3.0*X[i*d]) + (d > 1 ? X[i*d + 1]*X[i*d + 1] : 0.0) + 0.1*y[i];
    }
}

/* Least seconds of five for evidence and gradient of the Gaussian process itself on the first n rows. */
static double bench_process(size_t n, size_t d, const double *X, const double *y)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    double theta[64], slopes[66], prior = 1.0, evidence, best = HUGE_VAL;
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    spec.text = "gp:kernel=matern32,ard";
    spec.d = d;
    spec.rows = &data;
    for (size_t i = 0; i < d; i++) theta[i] = 1.5 + 0.1*(double)i;
    if (bln_basis_parse(&spec, &basis, NULL) != BLN_OK) return BLNI_NAN;
    desc.basis = basis;
    if (bln_slm_create(&desc, &slm, NULL) != BLN_OK) return BLNI_NAN;
    for (int i = 0; i < 5; i++) {
        const double t = seconds();
        if (bln_slm_evidence_at(slm, &data, 0.01, &prior, theta, &evidence, slopes, slopes + 1, slopes + 2, NULL) != BLN_OK)
            return BLNI_NAN;
        best = fmin(best, seconds() - t);
    }
    bln_slm_free(slm);
    bln_basis_free(basis);
    return best;
}

int main(int argc, char **argv)
{
    const size_t N = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000, d = argc > 2 ? strtoul(argv[2], NULL, 10) : 21;
    const size_t J = argc > 3 ? strtoul(argv[3], NULL, 10) : 512, D = 2*J;
    const int top = bln_cpu_level_force(-1);
    double *X = (double *)malloc(N*d*sizeof *X), *y = (double *)malloc(N*sizeof *y), out[65];
    bench *b = bench_new(d, J);
    if (!X || !y || !b) return 1;
    bench_fill(N, d, X, y);
    printf("N = %lu, d = %lu, D = %lu\n%-8s %12s %12s %20s %20s\n", (unsigned long)N, (unsigned long)d, (unsigned long)D, "level",
           "peak GF/s", "statistics", "evidence", "and gradient");
    for (int level = 0; level <= top; level++) {
        double best[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
        const double Nd = (double)N, Dd = (double)D, flops[3] = { Nd*Dd*Dd, Nd*Dd*Dd + Dd*Dd*Dd/3, 3*Nd*Dd*Dd + Dd*Dd*Dd };
        bln_cpu_level_force(level);
        const double peak = bench_peak();
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 3; k++) {
                const double t = k == 0 ? bench_statistics(b, N, X, y) : bench_evidence(b, N, X, y, k == 2, out);
                if (t < best[k]) best[k] = t;
            }
        }
        printf("%-8d %12.1f", level, peak);
        for (int k = 0; k < 3; k++) printf(" %11.4f (%.2f)", best[k], flops[k]/best[k]*1e-9/peak);
        putchar('\n');
        for (size_t n = 500; n <= 2000 && n <= N; n *= 2) {
            const double t = bench_process(n, d, X, y), nd = (double)n;
            printf("gp of %-4lu rows %57s %11.4f (%.2f)\n", (unsigned long)n, "", t, nd*nd*nd/t*1e-9/peak);
        }
    }
    bench_free(b);
    free(X);
    free(y);
    return 0;
}
