/* bench_coarse.c - what coarse to fine gains when length scales are learnt
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_coarse.c -o build/bench_coarse -lm
 *     build/bench_coarse SEEDS [-o PICTURE.svg] TABLE.csv ...
 *
 * Of each table, numbers with a header and the target last, all standardised, `rbf:n=128,ard+linear`, three searches with the
 * same frequencies: as it is; from a start whose coordinates are moved by normal draws of sd 0.01 (logarithms: by 1 %); and coarse
 * to fine: the stage with ties and 20 steps without on every fourth row, then all rows from there (warm_start), with the pairs of
 * L-BFGS, whose changes of the gradient are times four, as the rows. evaluations: of the objective, those with a quarter of the
 * rows as a quarter; nats: of the objective (log evidence + log prior) that a search ends above the first. The picture: nats below
 * the best of the three against seconds, of the last table's last seed. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <stdio.h>
#include <time.h>

enum { MOST_INPUTS = 64, MOST_ROWS = 20000, MOST_STEPS = 700, COARSE_STEPS = 20, FRACTION = 4 };

typedef struct path { size_t n; double seconds[MOST_STEPS], objective[MOST_STEPS], evaluations; } path;

static double now(void) { return (double)clock()/CLOCKS_PER_SEC; }

/* Columns of a table; the number of inputs, 0: no table. */
static size_t table(const char *name, double *x, double *y, size_t *n)
{
    FILE *f = fopen(name, "r");
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

/* A fit at its start, moved by `moved`; where there is a coarse one, at the best point of that and with its pairs. */
static bln_slm *begin(const bln_basis *b, const bln_data *data, bln_slm *coarse, double moved)
{
    bln_slm_desc desc = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_rng rng;
    desc.basis = b;
    if (coarse) {
        blni_fit_natural(coarse->fit, coarse->fit->best_x);
        desc.noise_var = coarse->fit->hyper.noise_var;
        desc.prior_var = coarse->fit->hyper.prior_var;
        desc.theta = coarse->fit->hyper.theta;
        desc.warm_start = 1;
    }
    if (bln_slm_create(&desc, &slm, NULL) != BLN_OK || bln_slm_init(slm, data, NULL) != BLN_OK) exit(1);
    blni_slm_fit *f = slm->fit;
    bln_rng_seed(&rng, 1, 0);
    for (size_t k = 0; k < f->n_free; k++) f->base[k] += moved*bln_rng_normal(&rng);
    if (moved > 0.0 && blni_fit_search_from_base(f, f->opt_tied != NULL, NULL) != BLN_OK) exit(1);
    if (!coarse) return slm;
    blni_lbfgs *to = f->opt;
    const blni_lbfgs *from = coarse->fit->opt;
    const double ratio = f->scan.N/coarse->fit->scan.N;
    memcpy(to->S, from->S, from->desc.n*from->desc.memory*sizeof(double));
    for (size_t i = 0; i < from->desc.n*from->desc.memory; i++) to->Y[i] = ratio*from->Y[i];
    for (size_t i = 0; i < from->desc.memory; i++) to->rho[i] = from->rho[i]/ratio;
    to->gamma = from->gamma/ratio;
    to->newest = from->newest;
    to->pairs = from->pairs;
    return slm;
}

/* Steps to the end, or `most` without ties. Objectives on the way are those of all rows: a coarse search adds none. */
static void steps(bln_slm *slm, size_t most, double began, double weight, path *p)
{
    blni_slm_fit *f = slm->fit;
    while (!f->done && (f->tied || blni_lbfgs_converged(f->opt, NULL) == 0) && (f->tied || f->opt->iterations < most)) {
        if (bln_slm_step(slm, NULL) != BLN_OK) exit(1);
        if (weight < 1.0 || p->n == MOST_STEPS) continue;
        p->seconds[p->n] = now() - began;
        p->objective[p->n++] = f->best;
    }
    p->evaluations += weight*(double)f->evaluations;
}

static void search(const bln_basis *b, const bln_data *data, int coarse, double moved, path *p)
{
    const double began = now();
    bln_slm *first = NULL;
    p->n = 0;
    p->evaluations = 0.0;
    if (coarse) {
        bln_data rows = *data;
        rows.n = data->n/FRACTION;
        rows.ldx = FRACTION*data->d;
        rows.ldy = FRACTION;
        first = begin(b, &rows, NULL, 0.0);
        steps(first, COARSE_STEPS, began, 1.0/FRACTION, p);
    }
    bln_slm *slm = begin(b, data, first, moved);
    steps(slm, MOST_STEPS, began, 1.0, p);
    bln_slm_free(slm);
    bln_slm_free(first);
}

static void picture(const char *name, const char *title, const path *p)
{
    static const char *const words[3] = { "as it is", "from a start moved by 1 %", "coarse to fine" };
    static const char *const colour[3] = { "#123f7a", "#8db4dc", "#c0392b" };
    static double y[MOST_STEPS];
    double best = -HUGE_VAL, end = 0.0;
    plot_figure figure;
    FILE *file = fopen(name, "w");
    if (!file) exit(1);
    for (int k = 0; k < 3; k++) {
        if (p[k].objective[p[k].n - 1] > best) best = p[k].objective[p[k].n - 1];
        if (p[k].seconds[p[k].n - 1] > end) end = p[k].seconds[p[k].n - 1];
    }
    plot_begin(&figure, file, title, "seconds of processor", "nats below the best end, log10", 0.0, 1.05*end, -2.0, 4.0);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < p[k].n; i++) y[i] = log10(fmax(best - p[k].objective[i], 0.01));
        plot_line(&figure, p[k].n, p[k].seconds, y, colour[k], words[k]);
    }
    plot_end(&figure);
    fclose(file);
}

int main(int argc, char **argv)
{
    static double x[(size_t)MOST_ROWS*MOST_INPUTS], y[MOST_ROWS], row[MOST_INPUTS];
    static path p[3];
    const size_t seeds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1;
    const int drawn = argc > 4 && !strcmp(argv[2], "-o");
    const char *name = "";
    printf("%-14s %6s %4s  evaluations  moved coarse  ratio   seconds  moved coarse  ratio   nats, moved   coarse\n",
           "table", "rows", "seed");
    for (int a = drawn ? 4 : 2; a < argc; a++) {
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
        name = strrchr(argv[a], '/') ? strrchr(argv[a], '/') + 1 : argv[a];
        for (uint64_t seed = 0; seed < seeds; seed++) {
            bln_spec_desc spec = BLN_ZERO;
            bln_data data = BLN_ZERO;
            bln_basis *b = NULL;
            data.n = n;
            data.d = d;
            data.X = x;
            data.y = y;
            spec.text = "rbf:n=128,ard+linear";
            spec.d = d;
            spec.seed = seed;
            if (bln_basis_parse(&spec, &b, NULL) != BLN_OK) return 1;
            for (int k = 0; k < 3; k++) search(b, &data, k == 2, k == 1 ? 0.01 : 0.0, p + k);
            const double s[3] = { p[0].seconds[p[0].n - 1], p[1].seconds[p[1].n - 1], p[2].seconds[p[2].n - 1] };
            const double from = p[0].objective[p[0].n - 1];
            printf("%-14s %6lu %4lu        %5.0f  %5.0f  %5.0f  %5.2f    %6.2f %6.2f %6.2f  %5.2f       %7.2f  %7.2f\n", name,
                   (unsigned long)n, (unsigned long)seed, p[0].evaluations, p[1].evaluations, p[2].evaluations,
                   p[0].evaluations/p[2].evaluations, s[0], s[1], s[2], s[0]/s[2], p[1].objective[p[1].n - 1] - from,
                   p[2].objective[p[2].n - 1] - from);
            fflush(stdout);
            bln_basis_free(b);
        }
    }
    if (drawn) picture(argv[3], name, p);
    return 0;
}
