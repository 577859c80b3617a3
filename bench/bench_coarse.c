/* bench_coarse.c - what coarse to fine gains when length scales are learnt
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_coarse.c -o build/bench_coarse -lm && build/bench_coarse SEEDS TABLE.csv ...
 *
 * Of each table, numbers with a header and the target last, all standardised, `rbf:n=256,ard+linear`: the search as it is, and
 * one that begins with an eighth of the rows (500 at least) and 64 frequencies, goes on with half of them and 128, and ends with
 * all, each from the one before (warm_start). evaluations: of the objective with all rows; seconds: of all levels; nats: of the
 * objective (log evidence + log prior) that the second ends above the first. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { MOST_INPUTS = 64, MOST_ROWS = 20000 };

typedef struct found { double noise, prior[8], theta[MOST_INPUTS], objective, seconds; size_t evaluations; int good; } found;

static double now(void) { return (double)clock()/CLOCKS_PER_SEC; }

/* Columns of a table; the number of inputs, 0: no table. */
static size_t table(const char *path, double *x, double *y, size_t *n)
{
    FILE *f = fopen(path, "r");
    static char line[8192];
    size_t d = 0;
    *n = 0;
    if (!f || !fgets(line, sizeof line, f)) return 0;
    for (const char *s = line; *s; s++) d += *s == ',';
    while (*n < MOST_ROWS && d <= MOST_INPUTS && fgets(line, sizeof line, f)) {
        char *s = line;
        for (size_t j = 0; j <= d; j++, s += *s == ',') (j < d ? x + *n*d + j : y + *n)[0] = strtod(s, &s);
        ++*n;
    }
    fclose(f);
    return d <= MOST_INPUTS ? d : 0;
}

static void standardise(double *x, size_t n, size_t stride)
{
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) mean += x[i*stride]/(double)n;
    for (size_t i = 0; i < n; i++) square += (x[i*stride] - mean)*(x[i*stride] - mean)/(double)n;
    for (size_t i = 0; i < n; i++) x[i*stride] = (x[i*stride] - mean)/(square > 0.0 ? sqrt(square) : 1.0);
}

static found search(const bln_data *data, size_t frequencies, uint64_t seed, const found *from)
{
    found out = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_basis *b = NULL;
    bln_report report;
    char text[64];
    const double begin = now();
    sprintf(text, "rbf:n=%lu,ard+linear", (unsigned long)frequencies);
    spec.text = text;
    spec.d = data->d;
    spec.seed = seed;
    if (bln_basis_parse(&spec, &b, NULL) != BLN_OK) return out;
    desc.basis = b;
    if (from) {
        desc.noise_var = from->noise;
        desc.prior_var = from->prior;
        desc.theta = from->theta;
        desc.warm_start = 1;
    }
    out.good = bln_slm_create(&desc, &slm, NULL) == BLN_OK && bln_slm_fit(slm, data, &report) == BLN_OK;
    if (out.good) {
        out.noise = bln_slm_noise_var(slm);
        memcpy(out.prior, bln_slm_prior_var(slm), bln_slm_priors(slm)*sizeof *out.prior);
        memcpy(out.theta, bln_slm_theta(slm), b->n_theta*sizeof *out.theta);
        out.objective = report.objective;
        out.evaluations = report.evaluations;
    }
    bln_slm_free(slm);
    bln_basis_free(b);
    out.seconds = now() - begin;
    return out;
}

int main(int argc, char **argv)
{
    static double x[(size_t)MOST_ROWS*MOST_INPUTS], y[MOST_ROWS], row[MOST_INPUTS];
    const size_t seeds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1;
    printf("%-28s %6s %4s  evaluations, coarse  seconds, coarse  ratio    nats\n", "table", "rows", "seed");
    for (int a = 2; a < argc; a++) {
        size_t n;
        const size_t d = table(argv[a], x, y, &n);
        bln_rng rng;
        if (d == 0) return 1;
        bln_rng_seed(&rng, 1, 0);
        for (size_t i = n; i-- > 1;) {                                                            /* rows in any order */
            const size_t k = (size_t)bln_rng_below(&rng, i + 1);
            const double t = y[i];
            memcpy(row, x + i*d, d*sizeof *x);
            memmove(x + i*d, x + k*d, d*sizeof *x);
            memcpy(x + k*d, row, d*sizeof *x);
            y[i] = y[k];
            y[k] = t;
        }
        for (size_t j = 0; j < d; j++) standardise(x + j, n, d);
        standardise(y, n, 1);
        for (uint64_t seed = 0; seed < seeds; seed++) {
            const size_t least = n < 500 ? n : 500, rows[3] = { n/8 > least ? n/8 : least, n/2 > least ? n/2 : least, n };
            found at[3] = BLN_ZERO;
            bln_data data = BLN_ZERO;
            data.n = n;
            data.d = d;
            data.X = x;
            data.y = y;
            const found cold = search(&data, 256, seed, NULL);
            for (int level = 0; level < 3; level++) {
                data.n = rows[level];
                at[level] = search(&data, (size_t)64 << level, seed, level ? at + level - 1 : NULL);
            }
            const double seconds = at[0].seconds + at[1].seconds + at[2].seconds;
            if (!cold.good || !at[2].good) return 1;
            const char *slash = strrchr(argv[a], '/');
            printf("%-28s %6lu %4lu       %6lu %6lu   %6.2f  %6.2f  %5.2f %7.2f\n", slash ? slash + 1 : argv[a],
                   (unsigned long)n, (unsigned long)seed, (unsigned long)cold.evaluations, (unsigned long)at[2].evaluations,
                   cold.seconds, seconds, cold.seconds/seconds, at[2].objective - cold.objective);
            fflush(stdout);
        }
    }
    return 0;
}
