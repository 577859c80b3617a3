/* bench_noise.c - noise that changes, on the motorcycle data: held-out log density and what 95 % bands hold
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_noise.c -o build/bench_noise -lm && build/bench_noise        (at the top)
 *
 * Ten folds of every tenth row. Of each model: the mean log density of held-back rows, how much more that is than with constant
 * noise (paired, with its standard error), and of the held-back rows the share that the 95 % band for y holds, of all and in each
 * third of the time axis. Noise begins about 14 ms after the impact, within the first third. So of that third the rows before and
 * after are counted as well, the times of rows outside of the band are listed, and how many times as wide the band has to be for
 * all of the third to lie in it. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { ROWS = 133, FOLDS = 10, MODELS = 7 };
#define START 14.0                                               /* ms */

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    printf("%s: %s\n", bln_status_name(status), report->text);
    exit(1);
}

typedef struct model { const char *name; bln_likelihood likelihood; bln_glm_method method; } model;

static const bln_basis *bases[2];

/* out_by: how far y is from the middle of its band, in halves of the band's width. */
static void folds(const model *m, const double *t, const double *y, double *density, double *out_by)
{
    for (size_t fold = 0; fold < FOLDS; fold++) {
        double t_learn[ROWS], y_learn[ROWS], t_test[ROWS], y_test[ROWS], out[ROWS], lower[ROWS], upper[ROWS];
        bln_data data = BLN_ZERO, test = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_report report;
        bln_glm *glm = NULL;
        for (size_t i = 0; i < ROWS; i++) {
            double *const X = i % FOLDS == fold ? t_test : t_learn, *const Y = i % FOLDS == fold ? y_test : y_learn;
            size_t *n = i % FOLDS == fold ? &test.n : &data.n;
            X[*n] = t[i];
            Y[(*n)++] = y[i];
        }
        data.d = test.d = 1;
        data.X = t_learn;
        data.y = y_learn;
        test.X = t_test;
        test.y = y_test;
        desc.basis = bases[0];
        if (bln_likelihood_latents(&m->likelihood) > 1) desc.bases = bases;
        desc.likelihood = m->likelihood;
        desc.method = m->method;
        desc.tolerance = 1e-3;
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        must(bln_posterior_logdensities(bln_glm_posterior(glm), &test, out, NULL, &report), &report);
        must(bln_posterior_intervals(bln_glm_posterior(glm), &test, BLN_OF_Y, 0.95, lower, upper, NULL, &report), &report);
        for (size_t i = 0; i < test.n; i++) {
            density[fold + FOLDS*i] = out[i];
            out_by[fold + FOLDS*i] = fabs(2.0*y_test[i] - lower[i] - upper[i])/(upper[i] - lower[i]);
        }
        bln_glm_free(glm);
    }
}

int main(void)
{
    static double t[ROWS], y[ROWS], density[MODELS][ROWS];
    static double out_by[MODELS][ROWS];
    const bln_glm_gibbs_desc own = { .chains = 4, .warmup = 500, .draws = 1000 };
    bln_basis *basis[2] = { NULL, NULL };
    bln_report report;
    char header[64];
    FILE *f = fopen("examples/data/mcycle.csv", "r");
    if (!f || !fgets(header, sizeof header, f)) { puts("no examples/data/mcycle.csv here"); return 1; }
    for (size_t i = 0; i < ROWS; i++) if (fscanf(f, "%lf,%lf", t + i, y + i) != 2) { puts("mcycle.csv has 133 rows"); return 1; }
    fclose(f);
    for (size_t j = 0; j < 2; j++) {
        bln_spec_desc spec = BLN_ZERO;
        spec.text = j ? "bias+rbf:n=6,length=10" : "bias+matern32:n=20,length=5";
        spec.d = 1;
        must(bln_basis_parse(&spec, basis + j, &report), &report);
        bases[j] = basis[j];
    }
    const model models[MODELS] = {
        { "constant noise, laplace", bln_likelihood_gaussian(), bln_glm_laplace() },
        { "constant noise, gibbs", bln_likelihood_gaussian(), bln_glm_gibbs(&own) },
        { "gaussian_scale, full", bln_likelihood_gaussian_scale(), bln_glm_full(NULL) },
        { "heteroscedastic, full", bln_likelihood_heteroscedastic(), bln_glm_full(NULL) },
        { "heteroscedastic, laplace", bln_likelihood_heteroscedastic(), bln_glm_laplace() },
        { "heteroscedastic, gibbs", bln_likelihood_heteroscedastic(), bln_glm_gibbs(&own) },
        { "heteroscedastic_t, gibbs", bln_likelihood_heteroscedastic_t(), bln_glm_gibbs(&own) }
    };
    puts("                            log density   more than constant   95 % band holds: all   thirds of the time axis   seconds");
    for (size_t k = 0; k < MODELS; k++) {
        const clock_t begin = clock();
        double mean = 0.0, more = 0.0, square = 0.0, in[6] = { 0.0 }, n[6] = { 0.0 }, wide = 0.0;
        folds(models + k, t, y, density[k], out_by[k]);
        for (size_t i = 0; i < ROWS; i++) {
            const double d = density[k][i] - density[k < 1 ? 0 : 1][i];
            const size_t third = 1 + (size_t)fmin(2.0, 3.0*(t[i] - t[0])/(t[ROWS - 1] - t[0]));
            mean += density[k][i]/ROWS;
            more += d/ROWS;
            square += d*d;
            const double held = out_by[k][i] <= 1.0;
            in[0] += held;
            n[0] += 1.0;
            in[third] += held;
            n[third] += 1.0;
            if (third > 1) continue;
            wide = fmax(wide, out_by[k][i]);
            in[t[i] < START ? 4 : 5] += held;
            n[t[i] < START ? 4 : 5] += 1.0;
        }
        printf("%-26s %12.3f", models[k].name, mean);
        if (k > 1) printf("   %7.3f +- %.3f", more, sqrt((square - ROWS*more*more)/(ROWS - 1.0)/ROWS));
        else       printf("%19s", "");
        printf("   %18.1f   %9.1f %6.1f %6.1f   %7.1f\n", 100.0*in[0]/n[0], 100.0*in[1]/n[1], 100.0*in[2]/n[2], 100.0*in[3]/n[3],
               (double)(clock() - begin)/CLOCKS_PER_SEC);
        printf("    first third: %.0f of %.0f, before %.0f ms %.0f of %.0f, after %.0f of %.0f; outside, ms:", in[1], n[1], START,
               in[4], n[4], in[5], n[5]);
        for (size_t i = 0; i < ROWS; i++) if (out_by[k][i] > 1.0 && 3.0*(t[i] - t[0]) < t[ROWS - 1] - t[0]) printf(" %.1f", t[i]);
        printf("; %.2f times the width\n", wide);
        fflush(stdout);
    }
    bln_basis_free(basis[0]);
    bln_basis_free(basis[1]);
    return 0;
}
