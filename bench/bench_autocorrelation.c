/* bench_autocorrelation.c - what each sampler's draws are worth: Student-t regression on Boston housing
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_autocorrelation.c -o build/bench_autocorrelation -lm
 *     build/bench_autocorrelation [PICTURE.svg]           from the top of the project; docs/autocorrelation.md shows the figures
 *
 *     y_n ~ t of 3 degrees of freedom, location phi(x_n)'w, scale 0.3,      w_i ~ N(0, 0.1),      phi(x) = (1, x)
 *
 * on standardised columns. The hyper-parameters are held, so that samplers differ in nothing but how they move w. A t is a normal
 * whose precision is tau_n/0.3^2, tau_n ~ Gamma(3/2, 3/2): on the augmented density w and log tau are sampled together, by Gibbs w
 * given tau and tau given w. 4 chains one after the other, 1000 + 1000 transitions from random starts (Gibbs 300 + 1000, from a
 * Gaussian). Autocorrelations are those of the weight with the least bulk ESS; seconds are of one thread, warm-up included. A
 * sampler is a row of `ways`. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "../tools/plot.h"
#include <stdio.h>

enum { ROWS = 506, COLUMNS = 13, CHAINS = 4, DRAWS = 1000, LAGS = 121, WEIGHTS = COLUMNS + 1 };

enum { PLAIN, AUGMENTED, GIBBS };
typedef struct way { const char *name, *color; int density; bln_hmc_method method; size_t leapfrogs; } way;
static const way ways[] = {
    { "NUTS", "#1f4e8c", PLAIN, BLN_HMC_NUTS, 0 },
    { "HMC, 5 steps", NULL, PLAIN, BLN_HMC_STATIC, 5 },
    { "HMC, 20 steps", "#2a8a57", PLAIN, BLN_HMC_STATIC, 20 },
    { "HMC, 100 steps", NULL, PLAIN, BLN_HMC_STATIC, 100 },
    { "NUTS, augmented", "#e08214", AUGMENTED, BLN_HMC_NUTS, 0 },
    { "HMC, 20 steps, augmented", NULL, AUGMENTED, BLN_HMC_STATIC, 20 },
    { "Gibbs, sweeps alone", "#c51b7d", GIBBS, BLN_HMC_NUTS, BLN_NONE },
    { "Gibbs", "#8e4fa8", GIBBS, BLN_HMC_NUTS, 0 }
};
enum { WAYS = sizeof ways/sizeof *ways };

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

/* What the draws are worth. */
static void judge(const bln_chains *c, outcome *out)
{
    bln_report report = BLN_ZERO;
    bln_summary s;
    size_t worst = 0;
    out->ess = out->tail = 1e9;
    for (size_t k = 0; k < WEIGHTS; k++) {
        must(bln_chains_summary(c, k, &s, &report), &report);
        if (s.ess_bulk < out->ess) { out->ess = s.ess_bulk; worst = k; }
        out->tail = fmin(out->tail, s.ess_tail);
    }
    const bln_series x = bln_chains_series(c, worst);
    double *work = (double *)malloc(bln_series_work(&x)*sizeof *work);
    must(bln_series_autocorrelation(&x, LAGS, out->correlation, work, &report), &report);
    free(work);
}

static void sample(const way *w, bln_density density, outcome *out)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report = BLN_ZERO;
    desc.density = density;
    desc.method = w->method;
    desc.leapfrogs = w->leapfrogs;
    desc.seed = 1;
    const double begin = seconds();
    must(bln_hmc_sample(&desc, &c, &report), &report);
    out->spent = seconds() - begin;
    out->gradients = 0.0;
    for (size_t i = 0; i < CHAINS*DRAWS; i++)
        out->gradients += bln_chains_table(c)[i*bln_chains_columns(c) + bln_chains_find(c, "n_leapfrog__")];
    judge(c, out);
    bln_chains_free(c);
}

/* moves: beside the sweeps, BLN_NONE or 0 for what the warm-up finds worth it. */
static void gibbs(bln_glm *glm, const bln_data *data, size_t moves, outcome *out)
{
    bln_report report = BLN_ZERO;
    bln_glm_gibbs_desc own = BLN_ZERO;
    own.slice_moves = moves;
    must(bln_glm_set_method(glm, bln_glm_gibbs(&own), &report), &report);
    const double begin = seconds();
    must(bln_glm_fit(glm, data, &report), &report);
    out->spent = seconds() - begin;
    out->gradients = NAN;
    judge(bln_glm_chains(glm), out);
}

/* w/sqrt 0.1 and log tau. */
static bln_status augmented(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static double f[ROWS], pull[ROWS];
    const double root = sqrt(0.1), precision = 1.0/0.09, *log_tau = q + WEIGHTS;
    (void)user; (void)report;
    *value = -0.5*bln_dot(WEIGHTS, q, q);
    for (size_t i = 0; i < ROWS; i++) f[i] = root*q[0];
    bln_gemv(BLN_NOTRANS, ROWS, COLUMNS, root, X, COLUMNS, q + 1, 1.0, f);
    for (size_t i = 0; i < ROWS; i++) {
        const double tau = exp(log_tau[i]), e = y[i] - f[i];
        *value += 2.0*log_tau[i] - 0.5*precision*tau*e*e - 1.5*tau;
        pull[i] = precision*tau*e;
        if (gradient) gradient[WEIGHTS + i] = 2.0 - 0.5*precision*tau*e*e - 1.5*tau;
    }
    if (!gradient) return BLN_OK;
    gradient[0] = -q[0];
    for (size_t i = 0; i < ROWS; i++) gradient[0] += root*pull[i];
    for (size_t j = 0; j < COLUMNS; j++) gradient[1 + j] = -q[1 + j];
    bln_gemv(BLN_TRANS, ROWS, COLUMNS, root, X, COLUMNS, pull, 1.0, gradient + 1);
    return BLN_OK;
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
            if (!ways[k].color || (right && ways[k].density == GIBBS)) continue;
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
    bln_density whole = BLN_ZERO;
    whole.dim = WEIGHTS + ROWS;
    whole.eval = augmented;
    puts("| sampler | gradients a draw | autocorrelation at lag 1 | at lag 5 | bulk ESS | tail ESS | bulk ESS for 1000 gradients"
         " | bulk ESS a second | seconds |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t k = 0; k < WAYS; k++) {
        if (ways[k].density == GIBBS) gibbs(glm, &data, ways[k].leapfrogs, o + k);
        else sample(ways + k, ways[k].density == PLAIN ? bln_glm_density_of(density) : whole, o + k);
        printf("| %s | ", ways[k].name);
        if (ways[k].density == GIBBS) printf("- |"); else printf("%.1f |", o[k].gradients/(CHAINS*DRAWS));
        printf(" %.2f | %.2f | %.0f | %.0f |", o[k].correlation[1], o[k].correlation[5], o[k].ess, o[k].tail);
        if (ways[k].density == GIBBS) printf(" - |"); else printf(" %.0f |", 1000.0*o[k].ess/o[k].gradients);
        printf(" %.0f | %.2f |\n", o[k].ess/o[k].spent, o[k].spent);
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
