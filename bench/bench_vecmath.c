/* bench_vecmath.c - elementary functions over arrays and normals by the block, at every level that the machine has, beside the
 * scalar functions that they replace
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_vecmath.c -o build/bench_vecmath -lm && build/bench_vecmath [rounds]
 *
 * Nanoseconds of processor time for an element (for sine and cosine: for the pair), the smallest of all rounds. The levels and the
 * scalar functions take turns in each round, so that a busy machine spoils none of them alone; the ratios are what to look at. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { N = 1024, CALLS = 200, COLUMNS = 4 };      /* in the first-level cache; long enough for clock() */

static double x[N], y[N], z[N];
static bln_rng rng;

/* What is timed: N elements at the level in use, or with the C library's (normals: this one's) scalar function. */
static void sincos_levels(void)    { bln_sincos_quarter(N, x, y, z); }
static void exp_levels(void)       { bln_vec_exp(N, x, y); }
static void log_levels(void)       { bln_vec_log(N, x, y); }
static void log1pexp_levels(void)  { bln_vec_log1pexp(N, x, y); }
static void lgamma_levels(void)    { bln_vec_lgamma(N, x, y); }
static void normals_levels(void)   { bln_rng_normals(&rng, N, y); }

static void sincos_scalar(void)    { for (int i = 0; i < N; i++) { y[i] = sin(x[i]); z[i] = cos(x[i]); } }
static void exp_scalar(void)       { for (int i = 0; i < N; i++) y[i] = exp(x[i]); }
static void log_scalar(void)       { for (int i = 0; i < N; i++) y[i] = log(x[i]); }
static void log1pexp_scalar(void)  { for (int i = 0; i < N; i++) y[i] = (x[i] > 0.0 ? x[i] : 0.0) + log1p(exp(-fabs(x[i]))); }
static void lgamma_scalar(void)    { for (int i = 0; i < N; i++) y[i] = lgamma(x[i]); }
static void normals_scalar(void)   { for (int i = 0; i < N; i++) y[i] = bln_rng_normal(&rng); }

static const struct { const char *name; double from, to; void (*levels)(void), (*scalar)(void); } rows[] = {
    { "sin + cos", -20.0, 20.0, sincos_levels, sincos_scalar },
    { "exp", -20.0, 20.0, exp_levels, exp_scalar },
    { "log", 0.01, 100.0, log_levels, log_scalar },
    { "log1pexp", -20.0, 20.0, log1pexp_levels, log1pexp_scalar },
    { "lgamma", 0.01, 30.0, lgamma_levels, lgamma_scalar },
    { "normals", 0.0, 1.0, normals_levels, normals_scalar }
};

static double nanoseconds(void (*run)(void))
{
    const clock_t start = clock();
    for (int i = 0; i < CALLS; i++) run();
    return (double)(clock() - start)/CLOCKS_PER_SEC*1e9/((double)N*CALLS);
}

int main(int argc, char **argv)
{
    const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
    const long rounds = asked > 0 ? asked : 1;
    const int best = bln_cpu_level_force(-1);
    double sum = 0.0;
    bln_rng_seed(&rng, 1, 0);
    printf("ns an element    level 0    level 1    level 2     scalar   (of the C library, which takes radians)\n");
    for (size_t r = 0; r < sizeof rows/sizeof *rows; r++) {
        double least[COLUMNS] = { 1e9, 1e9, 1e9, 1e9 };
        bln_rng_uniforms(&rng, N, x);
        for (int i = 0; i < N; i++) x[i] = rows[r].from + (rows[r].to - rows[r].from)*x[i];
        for (long round = 0; round < rounds; round++)
            for (int c = 0; c < COLUMNS; c++) {
                if (c < 3 && c > best) continue;
                bln_cpu_level_force(c < 3 ? c : -1);
                const double t = nanoseconds(c < 3 ? rows[r].levels : rows[r].scalar);
                if (t < least[c]) least[c] = t;
                sum += y[round % N];
            }
        printf("%-14s", rows[r].name);
        for (int c = 0; c < COLUMNS; c++) {
            if (least[c] < 1e9) printf(" %10.2f", least[c]);
            else printf("          -");
        }
        printf("\n");
    }
    return sum == 2.385;            /* so that nothing is left out */
}
