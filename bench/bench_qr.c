/* bench_qr.c - the linear model by QR beside sums of squares: rows into statistics, and a fit from these
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_qr.c -o build/bench_qr -lm && build/bench_qr [repetitions]
 *
 * N rows of D inputs that are the features. `rows`: bln_statistics_add, N (D+1)^2 flops of sums and 2 N (D+1)^2 of reflections;
 * `fit`: two evaluations and a posterior at given variances, bln_slm_fit_statistics. CPU seconds, the least of the repetitions, and
 * the ratio of QR to sums. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

static const struct { size_t D, N; } sizes[] = { { 20, 20000 }, { 100, 20000 }, { 400, 8000 }, { 1000, 3000 } };

static double seconds(clock_t since) { return (double)(clock() - since)/CLOCKS_PER_SEC; }

/* seconds[0]: rows, [1]: fit; less than they are. */
static bln_status once(const bln_data *data, const bln_basis *b, int qr, double *least)
{
    const double prior = 1.0;
    bln_statistics_desc sd = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_statistics *t = NULL;
    bln_slm *slm = NULL;
    sd.basis = desc.basis = b;
    sd.qr = qr;
    desc.noise_var = 1.0;
    desc.prior_var = &prior;
    desc.fix_noise_var = desc.fix_prior_var = 1;
    bln_status status = bln_statistics_create(&sd, &t, NULL);
    if (status == BLN_OK) status = bln_slm_create(&desc, &slm, NULL);
    for (int step = 0; status == BLN_OK && step < 2; step++) {
        const clock_t begin = clock();
        status = step ? bln_slm_fit_statistics(slm, t, NULL) : bln_statistics_add(t, data, NULL);
        const double taken = seconds(begin);
        if (taken < least[step]) least[step] = taken;
    }
    bln_slm_free(slm);
    bln_statistics_free(t);
    return status;
}

int main(int argc, char **argv)
{
    const int repetitions = argc > 1 ? atoi(argv[1]) : 5;
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    printf("    D      N    rows: sums       QR  ratio     fit: sums       QR  ratio\n");
    for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
        const size_t D = sizes[k].D, N = sizes[k].N;
        double *X = (double *)malloc(N*D*sizeof *X), *y = (double *)malloc(N*sizeof *y);
        double least[2][2] = { { 1e9, 1e9 }, { 1e9, 1e9 } };
        bln_basis *b = NULL;
        bln_data data = BLN_ZERO;
        if (!X || !y || bln_linear_create(NULL, D, 0, &b)) return 1;
        for (size_t i = 0; i < N*D; i++) X[i] = bln_rng_normal(&rng);
        for (size_t i = 0; i < N; i++) y[i] = bln_rng_normal(&rng);
        data.n = N;
        data.d = D;
        data.X = X;
        data.y = y;
        for (int r = 0; r < repetitions; r++)
            for (int qr = 0; qr < 2; qr++) if (once(&data, b, qr, least[qr])) return 1;
        printf("%5lu %6lu %13.4f %8.4f %6.2f %13.5f %8.5f %6.2f\n", (unsigned long)D, (unsigned long)N, least[0][0], least[1][0],
               least[1][0]/least[0][0], least[0][1], least[1][1], least[1][1]/least[0][1]);
        bln_basis_free(b);
        free(X);
        free(y);
    }
    return 0;
}
