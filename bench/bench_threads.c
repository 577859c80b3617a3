/* bench_threads.c - what two threads gain
 *
 *     cc -std=c99 -O2 -fopenmp -Ibuild/include bench/bench_threads.c -o build/bench_threads -lm
 *     OMP_WAIT_POLICY=passive build/bench_threads [THREADS]
 *
 * One thread and THREADS (default: 2) take turns; of each the least of several, in seconds of the clock on the wall, and in
 * processor seconds of the thread that used most: the first says something only where that many processors are free, the second
 * what they would gain, less what it takes to wake threads. The bits must be the same, or this says so. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { N = 10000, INPUTS = 21, J = 512, SIDE = 1024, ROUNDS = 7, MOST = 64 };

static double *A, *B, *C, *X, *y, *Phi, *work;
static bln_basis *fourier, *fastfood, *inducing;
static bln_slm *slm;
static double theta[INPUTS], out[1 + INPUTS];

/* Each leaves its result where *result says. */
static void gemm(const double **result, size_t *n)
{
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, SIDE, SIDE, SIDE, 1.0, A, SIDE, B, SIDE, 0.0, C, SIDE);
    *result = C;
    *n = (size_t)SIDE*SIDE;
}

static void potrf(const double **result, size_t *n)
{
    memcpy(C, B, sizeof(double)*SIDE*SIDE);
    if (bln_potrf(SIDE, C, SIDE, NULL) != BLN_OK) puts("potrf failed");
    *result = C;
    *n = (size_t)SIDE*SIDE;
}

static bln_data rows(void)
{
    bln_data data = BLN_ZERO;
    data.n = N;
    data.d = INPUTS;
    data.X = X;
    data.y = y;
    return data;
}

static void statistics(const double **result, size_t *n)
{
    const bln_data data = rows();
    bln_statistics_desc desc = BLN_ZERO;
    bln_statistics *t = NULL;
    desc.basis = fourier;
    desc.theta = theta;
    if (bln_statistics_create(&desc, &t, NULL) != BLN_OK || bln_statistics_add(t, &data, NULL) != BLN_OK) puts("statistics failed");
    memcpy(C, t->gram.G, sizeof(double)*SIDE*SIDE);
    bln_statistics_free(t);
    *result = C;
    *n = (size_t)SIDE*SIDE;
}

static void gradient(const double **result, size_t *n)
{
    const bln_data data = rows();
    const double prior = 1.0;
    double d_noise, d_prior;
    if (bln_slm_evidence_at(slm, &data, 0.01, &prior, theta, out, &d_noise, &d_prior, out + 1, NULL) != BLN_OK) puts("failed");
    *result = out;
    *n = 1 + INPUTS;
}

static void features(const bln_basis *b, const double **result, size_t *n)
{
    bln_basis_features(b, theta, SIDE, X, INPUTS, Phi, b->D, work);
    *result = Phi;
    *n = SIDE*b->D;
}
static void features_fourier(const double **result, size_t *n)  { features(fourier, result, n); }
static void features_fastfood(const double **result, size_t *n) { features(fastfood, result, n); }
static void features_inducing(const double **result, size_t *n) { features(inducing, result, n); }

static double *doubles(size_t n, bln_rng *rng)
{
    double *x = (double *)malloc(n*sizeof *x);
    if (!x) { puts("out of memory"); exit(1); }
    bln_rng_normals(rng, n, x);
    return x;
}

static void set_up(void)
{
    bln_fourier_desc f = BLN_ZERO;
    bln_inducing_desc g = BLN_ZERO;
    bln_slm_desc s = BLN_ZERO;
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    A = doubles((size_t)SIDE*SIDE, &rng);
    B = doubles((size_t)SIDE*SIDE, &rng);
    C = doubles((size_t)SIDE*SIDE, &rng);
    X = doubles((size_t)N*INPUTS, &rng);
    y = doubles(N, &rng);
    Phi = doubles((size_t)SIDE*2*J, &rng);
    for (size_t i = 0; i < SIDE; i++) B[i*SIDE + i] = 100.0;
    for (size_t i = 0; i < INPUTS; i++) theta[i] = 1.5 + 0.1*(double)i;
    f.d = g.d = INPUTS;
    f.n = g.n = J;
    f.ard = g.ard = 1;
    f.draws = BLN_DRAWS_INDEPENDENT;
    g.points = X;
    s.form = BLN_SLM_PRIMAL;
    int good = bln_fourier_create(&f, &fourier, NULL) == BLN_OK && bln_inducing_create(&g, &inducing, NULL) == BLN_OK;
    f.draws = BLN_DRAWS_FASTFOOD;
    good = good && bln_fastfood_create(&f, &fastfood, NULL) == BLN_OK;
    s.basis = fourier;
    if (!good || bln_slm_create(&s, &slm, NULL) != BLN_OK) { puts("out of memory"); exit(1); }
    work = doubles(bln_basis_work(fourier, SIDE) + bln_basis_work(fastfood, SIDE) + bln_basis_work(inducing, SIDE), &rng);
}

/* Processor seconds of each of the threads so far; those that sleep use none. */
static void used(double *seconds)
{
#pragma omp parallel
    {
        struct timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        seconds[omp_get_thread_num()] = (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
    }
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*run)(const double **, size_t *); } jobs[] = {
        { "gemm, n = 1024", gemm }, { "potrf, n = 1024", potrf }, { "statistics, N = 10000, D = 1024", statistics },
        { "evidence and gradient", gradient }, { "features, 1024 rows", features_fourier },
        { "features of Fastfood", features_fastfood }, { "features of 512 points", features_inducing }
    };
    const int asked = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2, threads = asked < 1 ? 1 : asked > MOST ? MOST : asked;
    set_up();
    printf("%-34s %10s %10s %7s   %10s %10s %7s\n", "", "wall: one", "threads", "ratio", "busy: one", "threads", "ratio");
    for (size_t k = 0; k < sizeof jobs/sizeof *jobs; k++) {
        double best[2] = { HUGE_VAL, HUGE_VAL }, busy[2] = { HUGE_VAL, HUGE_VAL }, *kept = NULL;
        int same = 1;
        for (int i = 0; i < 2*ROUNDS; i++) {
            const double *result = NULL;
            size_t n = 0;
            omp_set_num_threads(i % 2 ? threads : 1);
            double before[MOST] = { 0.0 }, after[MOST] = { 0.0 }, most = 0.0;
            used(before);
            const double t = omp_get_wtime();
            jobs[k].run(&result, &n);
            best[i % 2] = fmin(best[i % 2], omp_get_wtime() - t);
            used(after);
            for (int q = 0; q < threads; q++) most = fmax(most, after[q] - before[q]);
            busy[i % 2] = fmin(busy[i % 2], most);
            if (!kept) {
                kept = (double *)malloc(n*sizeof *kept);
                if (!kept) return 1;
                memcpy(kept, result, n*sizeof *kept);
            }
            same = same && !memcmp(kept, result, n*sizeof *kept);
        }
        free(kept);
        printf("%-34s %10.5f %10.5f %7.2f   %10.5f %10.5f %7.2f%s\n", jobs[k].name, best[0], best[1], best[0]/best[1], busy[0],
               busy[1], busy[0]/busy[1], same ? "" : "   DIFFERENT BITS");
    }
    return 0;
}
