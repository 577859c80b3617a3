/* bench_autocorrelation.c - what each sampler's draws are worth: Student-t regression on Boston housing
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_autocorrelation.c -o build/bench_autocorrelation -lm
 *     build/bench_autocorrelation [PICTURE.svg]           from the top of the project; docs/autocorrelation.md shows the figures
 *
 *     y_n ~ t of 3 degrees of freedom, location phi(x_n)'w, scale 0.3,      w_i ~ N(0, 0.1),      phi(x) = (1, x)
 *
 * on standardised columns. The hyper-parameters are held, so that samplers differ in nothing but how they move w. 4 chains one
 * after the other, 1000 + 1000 transitions from random starts. Autocorrelations are those of the weight with the least bulk ESS;
 * seconds are of one thread, warm-up included. A sampler is a row of `ways`. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "../tools/plot.h"
#include <stdio.h>

enum { ROWS = 506, COLUMNS = 13, CHAINS = 4, DRAWS = 1000, LAGS = 121, WAYS = 4 };

typedef struct way { const char *name, *color; bln_hmc_method method; size_t leapfrogs; } way;
static const way ways[WAYS] = {
    { "NUTS", "#1f4e8c", BLN_HMC_NUTS, 0 },
    { "HMC, 5 steps", "#e08214", BLN_HMC_STATIC, 5 },
    { "HMC, 20 steps", "#2a8a57", BLN_HMC_STATIC, 20 },
    { "HMC, 100 steps", "#8e4fa8", BLN_HMC_STATIC, 100 }
};

typedef struct outcome { double correlation[LAGS], ess, tail, gradients, spent; } outcome;

static double X[ROWS*COLUMNS], y[ROWS];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s\n", report->text);
    exit(1);
}

/* The table, each column with mean 0 and standard deviation 1. */
static void boston(void)
{
    char line[1000];
    FILE *f = fopen("examples/data/boston.csv", "r");
    if (!f || !fgets(line, sizeof line, f)) { fputs("examples/data/boston.csv: cannot be read\n", stderr); exit(1); }
    for (size_t i = 0; i < ROWS && fgets(line, sizeof line, f); i++) {
        char *at = line;
        for (size_t j = 0; j <= COLUMNS; j++, at++) *(j < COLUMNS ? X + i*COLUMNS + j : y + i) = strtod(at, &at);
    }
    fclose(f);
    for (size_t j = 0; j <= COLUMNS; j++) {
        double *x = j < COLUMNS ? X + j : y, mean = 0.0, square = 0.0;
        const size_t ld = j < COLUMNS ? COLUMNS : 1;
        for (size_t i = 0; i < ROWS; i++) mean += x[i*ld]/ROWS;
        for (size_t i = 0; i < ROWS; i++) square += (x[i*ld] - mean)*(x[i*ld] - mean)/ROWS;
        for (size_t i = 0; i < ROWS; i++) x[i*ld] = (x[i*ld] - mean)/sqrt(square);
    }
}

static void sample(const way *w, bln_glm_density *density, outcome *out)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report = BLN_ZERO;
    bln_summary s;
    size_t worst = 0;
    desc.density = bln_glm_density_of(density);
    desc.method = w->method;
    desc.leapfrogs = w->leapfrogs;
    desc.seed = 1;
    const double begin = seconds();
    must(bln_hmc_sample(&desc, &c, &report), &report);
    out->spent = seconds() - begin;
    out->ess = out->tail = 1e9;
    out->gradients = 0.0;
    for (size_t k = 0; k < desc.density.dim; k++) {
        must(bln_chains_summary(c, k, &s, &report), &report);
        if (s.ess_bulk < out->ess) { out->ess = s.ess_bulk; worst = k; }
        out->tail = fmin(out->tail, s.ess_tail);
    }
    for (size_t i = 0; i < CHAINS*DRAWS; i++)
        out->gradients += bln_chains_table(c)[i*bln_chains_columns(c) + bln_chains_find(c, "n_leapfrog__")];
    const bln_series x = bln_chains_series(c, worst);
    double *work = (double *)malloc(bln_series_work(&x)*sizeof *work);
    must(bln_series_autocorrelation(&x, LAGS, out->correlation, work, &report), &report);
    free(work);
    bln_chains_free(c);
}

/* Its density, all of whose hyper-parameters are held. */
static bln_glm_density *model(const bln_data *data, bln_basis **basis, bln_glm **glm)
{
    static const double scale_and_freedom[2] = { 0.3, 3.0 }, prior_var = 0.1;
    bln_glm_desc d = BLN_ZERO;
    bln_glm_density *density = NULL;
    bln_report report = BLN_ZERO;
    must(bln_linear_create(NULL, COLUMNS, 1, basis), &report);
    d.basis = *basis;
    d.likelihood = bln_likelihood_student_t();
    d.likelihood_theta = scale_and_freedom;
    d.prior_var = &prior_var;
    d.fix_likelihood = d.fix_prior_var = d.fix_theta = 1;
    must(bln_glm_create(&d, glm, &report), &report);
    must(bln_glm_density_create(*glm, data, &density, &report), &report);
    return density;
}

/* On the left by draws, on the right by the gradients that they took. */
static void picture(FILE *file, const outcome *o)
{
    enum { WIDTH = 520, HEIGHT = 340 };
    plot_sheet(file, 2*WIDTH, HEIGHT);
    for (int right = 0; right < 2; right++) {
        plot_figure p;
        double x[LAGS];
        const double end = right ? 600.0 : 30.0;
        plot_panel(&p, file, right, right*WIDTH, 0, WIDTH, HEIGHT, 86, right ? "by gradients" : "by draws",
                   right ? "lag, in gradients" : "lag, in draws", "autocorrelation", 0.0, end, -0.5, 1.0);
        for (size_t k = 0; k < WAYS; k++) {
            size_t n = 0;
            for (; n < LAGS && (n == 0 || x[n - 1] < end); n++) x[n] = (double)n*(right ? o[k].gradients/(CHAINS*DRAWS) : 1.0);
            plot_line(&p, n, x, o[k].correlation, ways[k].color, ways[k].name);
        }
        plot_panel_end(&p);
    }
    plot_sheet_end(file);
}

int main(int argc, char **argv)
{
    static outcome o[WAYS];
    bln_data data = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    boston();
    data.n = ROWS;
    data.d = COLUMNS;
    data.X = X;
    data.y = y;
    bln_glm_density *density = model(&data, &basis, &glm);
    puts("| sampler | gradients a draw | autocorrelation at lag 1 | at lag 5 | bulk ESS | tail ESS | bulk ESS for 1000 gradients"
         " | bulk ESS a second | seconds |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t k = 0; k < WAYS; k++) {
        sample(ways + k, density, o + k);
        printf("| %s | %.1f | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %.2f |\n", ways[k].name, o[k].gradients/(CHAINS*DRAWS),
               o[k].correlation[1], o[k].correlation[5], o[k].ess, o[k].tail, 1000.0*o[k].ess/o[k].gradients, o[k].ess/o[k].spent,
               o[k].spent);
        fflush(stdout);
    }
    bln_glm_density_free(density);
    bln_glm_free(glm);
    bln_basis_free(basis);
    if (argc < 2) return 0;
    FILE *file = fopen(argv[1], "w");
    if (!file) { perror(argv[1]); return 1; }
    picture(file, o);
    return fclose(file) != 0;
}
