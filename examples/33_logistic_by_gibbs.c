/* 33_logistic_by_gibbs.c - logistic regression by Gibbs sampling, with R-hat, effective sample sizes and traces of the chains
 *
 *     cc -O2 -I. examples/33_logistic_by_gibbs.c -o 33_logistic_by_gibbs -lm && ./33_logistic_by_gibbs traces.svg     (at the top)
 *
 * Versicolor or virginica, by all four measurements of a flower (Fisher 1936), each standardised. The two kinds hardly overlap, so
 * weights may be large as well as small: their posterior is wide, and skewed towards the large ones. `full` has the Gaussian with
 * the greatest lower bound of the evidence, whose intervals are symmetric. `gibbs` draws from the posterior itself: given a random
 * Polya-Gamma number for each flower the likelihood is Gaussian in the weights, so a sweep draws these numbers, then all weights at
 * once [Polson, Scott & Windle 2013]. Its intervals of the petals reach further up. The prior standard deviation of each weight is
 * 3, held.
 *
 * Draws have to be checked before they are believed. Four chains begin at different weights. R-hat is near 1 if they agree. The
 * effective sample size (ESS) says how many independent draws the 4000 are worth, in the middle of the distribution (bulk) and at
 * its ends (tail). The picture has the traces of the weight with the lowest ESS: chains that agree lie on top of each other and do
 * not drift. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWERS = 100, INPUTS = 4, WEIGHTS = INPUTS + 1, CHAINS = 4, DRAWS = 1000 };

static const char *const names[WEIGHTS] = { "constant", "sepal length", "sepal width", "petal length", "petal width" };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static int read_flowers(const char *path, double *X, double *virginica)
{
    char line[128], species[32];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) && n < FLOWERS) {
        double *x = X + INPUTS*n;
        if (sscanf(line, "%lf,%lf,%lf,%lf,%31s", x, x + 1, x + 2, x + 3, species) != 5 || !strcmp(species, "setosa")) continue;
        virginica[n++] = !strcmp(species, "virginica");
    }
    if (f) fclose(f);
    return n == FLOWERS;
}

static bln_glm *learn(const bln_basis *basis, bln_glm_method method, const bln_data *data)
{
    static const double prior_var[2] = { 9.0, 9.0 };          /* of the constant, and of the other weights */
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.method = method;
    desc.prior_var = prior_var;
    desc.fix_prior_var = 1;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

/* The traces of a column: row i CHAINS + c of the table is draw i of chain c. */
static int picture(const char *path, const bln_chains *chains, size_t column, const char *name)
{
    static double x[DRAWS], trace[CHAINS][DRAWS];
    static const char *const colour[CHAINS] = { "#1f4e8c", "#b3400f", "#14794a", "#8a3aa5" };
    static const char *const chain[CHAINS] = { "chain 1", "chain 2", "chain 3", "chain 4" };
    const double *table = bln_chains_table(chains);
    double low = table[column], high = low;
    char title[100];
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t k = 0; k < (size_t)CHAINS*DRAWS; k++) {
        const double w = table[k*bln_chains_columns(chains) + column];
        x[k/CHAINS] = (double)(k/CHAINS + 1);
        trace[k % CHAINS][k/CHAINS] = w;
        low = w < low ? w : low;
        high = w > high ? w : high;
    }
    snprintf(title, sizeof title, "Traces of the weight with the lowest effective sample size: %s", name);
    plot_begin(&p, f, title, "draw", "weight", 0.0, DRAWS, low - 0.03*(high - low), high + 0.03*(high - low));
    p.stroke = 0.7;
    for (size_t c = 0; c < CHAINS; c++) plot_line(&p, DRAWS, x, trace[c], colour[c], chain[c]);
    plot_end(&p);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static const double ends[2] = { 0.025, 0.975 };
    static double flowers[FLOWERS*INPUTS], X[FLOWERS*INPUTS], y[FLOWERS];
    double by_full[2*WEIGHTS], by_gibbs[2*WEIGHTS], lowest = HUGE_VAL;
    size_t slowest = 0;
    bln_data data = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_glm_gibbs_desc four = BLN_ZERO;
    bln_scaler *scaler = NULL;
    bln_basis *basis = NULL;
    bln_diagnosis diagnosis;

    if (!read_flowers("examples/data/iris.csv", flowers, y)) { fputs("cannot read examples/data/iris.csv\n", stderr); return 1; }
    data.n = FLOWERS;
    data.d = INPUTS;
    data.X = flowers;
    must(bln_scaler_create(NULL, &data, &scaler, &report), &report);
    bln_scaler_inputs(scaler, FLOWERS, flowers, INPUTS, X, INPUTS);
    data.X = X;
    data.y = y;
    spec.text = "bias+linear:ones=0";
    spec.d = INPUTS;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    four.chains = CHAINS;
    four.draws = DRAWS;
    bln_glm *const full = learn(basis, bln_glm_full(NULL), &data), *const gibbs = learn(basis, bln_glm_gibbs(&four), &data);
    must(bln_posterior_coefficients(bln_glm_posterior(full), NULL, NULL, 2, ends, by_full, NULL, &report), &report);

    /* All draws: the posterior keeps a thousand of them as its components. */
    const bln_chains *chains = bln_glm_chains(gibbs);
    must(bln_chains_diagnose(chains, NULL, &diagnosis, &report), &report);
    printf("%d draws, %s\n\n", (int)diagnosis.draws, diagnosis.text[0] ? diagnosis.text : "of which there is nothing to complain");
    puts("                 95 % by full     95 % by gibbs   R-hat   ESS in 1000: bulk  tail");
    for (size_t j = 0; j < WEIGHTS; j++) {
        char name[16];
        bln_summary s;
        snprintf(name, sizeof name, "w[%d]", (int)j + 1);
        const size_t column = bln_chains_find(chains, name);
        const bln_series draws = bln_chains_series(chains, column);
        double *work = (double *)malloc(bln_series_work(&draws)*sizeof *work);
        if (!work) return 1;
        must(bln_series_summary(&draws, &s, work, &report), &report);
        for (size_t k = 0; k < 2; k++)
            must(bln_series_quantile(&draws, ends[k], by_gibbs + 2*j + k, NULL, NULL, work, &report), &report);
        free(work);
        printf("%-14s %6.1f .. %5.1f   %6.1f .. %5.1f   %5.2f %18.1f %5.1f\n", names[j], by_full[2*j], by_full[2*j + 1],
               by_gibbs[2*j], by_gibbs[2*j + 1], s.rhat, s.ess_bulk/1000.0, s.ess_tail/1000.0);
        if (s.ess_bulk < lowest) { lowest = s.ess_bulk; slowest = j; }
        if (j + 1 < WEIGHTS) continue;
        snprintf(name, sizeof name, "w[%d]", (int)slowest + 1);
        if (argc > 1 && !picture(argv[1], chains, bln_chains_find(chains, name), names[slowest])) {
            fprintf(stderr, "cannot write %s\n", argv[1]);
            return 1;
        }
    }
    bln_glm_free(full);
    bln_glm_free(gibbs);
    bln_basis_free(basis);
    bln_scaler_free(scaler);
    return 0;
}
