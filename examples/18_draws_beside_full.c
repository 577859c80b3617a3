/* 18_draws_beside_full.c - draws from the posterior compared with Gaussian approximations: ships again
 *
 *     cc -O2 -I. examples/18_draws_beside_full.c -o 18_draws_beside_full -lm && ./18_draws_beside_full draws.csv     (at the top)
 *
 * The counts of 08_counts, 34 rows and 9 weights, by three methods that differ in one word: `full`, a Gaussian at the best prior
 * variance; `integrated`, such Gaussians averaged over it; `nuts`, draws of weights and prior variance, which are exact up to Monte
 * Carlo error, and judge the others. How far are the others' means off, in standard deviations of the draws, and how wide are they
 * beside these? Then comes the diagnosis of the draws, and a question that needs them: the probability that a rate is twice as
 * high.
 *
 * With a file name the draws are written as a table that R, Python and other programs read; with one more word the program prints
 * the time of each method: less than a millisecond for `full`, some hundred times that for draws. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 34, COLUMNS = 8, WEIGHTS = COLUMNS + 1, WAYS = 3 };

static const char *const names[WEIGHTS] = { "constant", "type B", "type C", "type D", "type E", "built 1965-69",
                                            "built 1970-74", "built 1975-79", "operated 1975-79" };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Indicators; the reference is a ship of type A, built 1960-64 and operated 1960-74. */
static void read_ships(const char *path, double *X, double *service, double *incidents)
{
    char line[128], type;
    int built, operated;
    FILE *f = fopen(path, "r");
    int good = f && fgets(line, sizeof line, f);
    for (size_t i = 0; good && i < ROWS; i++, X += COLUMNS) {
        good = fgets(line, sizeof line, f)
            && sscanf(line, "%c,%4d-%*d,%4d-%*d,%lf,%lf", &type, &built, &operated, &service[i], &incidents[i]) == 5;
        memset(X, 0, COLUMNS*sizeof *X);
        if (good && type > 'A') X[type - 'B'] = 1.0;
        if (good && built > 1960) X[4 + (built - 1965)/5] = 1.0;
        X[7] = good && operated == 1975;
    }
    if (f) fclose(f);
    if (!good) { fprintf(stderr, "cannot read %s\n", path); exit(1); }
}

static bln_status to_file(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

int main(int argc, char **argv)
{
    static double X[ROWS*COLUMNS], service[ROWS], incidents[ROWS];
    static const char *const ways[WAYS] = { "full", "integrated", "nuts" };
    double mean[WAYS][WEIGHTS], sd[WAYS][WEIGHTS];
    bln_glm *glm = NULL;
    bln_glm_desc desc = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_diagnosis diagnosis;
    bln_report report = BLN_ZERO;
    size_t twice = 0;

    read_ships("examples/data/ships.csv", X, service, incidents);
    data.n = ROWS;
    data.d = COLUMNS;
    data.X = X;
    data.y = incidents;
    data.trials = service;
    must(bln_linear_create(NULL, COLUMNS, 1, &basis), &report);
    desc.basis = basis;
    desc.likelihood = bln_likelihood_poisson(BLN_LINK_LOG);
    for (int k = 0; k < WAYS; k++) {
        const clock_t began = clock();
        desc.method = k == 0 ? bln_glm_full(NULL) : k == 1 ? bln_glm_integrated(NULL) : bln_glm_nuts(NULL);
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        if (argc > 2) fprintf(stderr, "%-10s %7.1f ms  %s\n", ways[k], 1e3*(double)(clock() - began)/CLOCKS_PER_SEC, report.text);
        must(bln_posterior_coefficients(bln_glm_posterior(glm), mean[k], sd[k], 0, NULL, NULL, NULL, &report), &report);
        if (k + 1 < WAYS) bln_glm_free(glm);
    }
    const bln_chains *draws = bln_glm_chains(glm);       /* all draws; a thousand of them are the posterior's components */

    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("%d draws, %s\n\n", (int)diagnosis.draws, diagnosis.text[0] ? diagnosis.text : "of which there is nothing to complain");
    puts("                       draws             full             integrated");
    puts("                     mean     sd    mean off  sd over   mean off  sd over");
    for (size_t j = 0; j < WEIGHTS; j++)
        printf("%-17s %7.2f %6.2f %9.2f %8.2f %10.2f %8.2f\n", names[j], mean[2][j], sd[2][j], (mean[0][j] - mean[2][j])/sd[2][j],
               sd[0][j]/sd[2][j], (mean[1][j] - mean[2][j])/sd[2][j], sd[1][j]/sd[2][j]);

    const double *table = bln_chains_table(draws);
    const size_t columns = bln_chains_columns(draws), weight = bln_chains_find(draws, "w[7]");
    for (size_t i = 0; i < diagnosis.draws; i++) twice += table[i*columns + weight] > log(2.0);
    printf("\nships built 1970-74 have twice the incidents of those of 1960-64 with probability %.2f\n",
           (double)twice/(double)diagnosis.draws);
    if (argc > 1) {
        FILE *f = fopen(argv[1], "wb");
        bln_writer w = bln_writer_over(to_file, f);
        if (!f || bln_chains_write_csv(draws, &w) || fclose(f)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    }
    bln_glm_free(glm);
    bln_basis_free(basis);
    return 0;
}
