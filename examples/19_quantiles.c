/* 19_quantiles.c - curves below which 1, 5 or 9 of 10 points lie: quantile regression
 *
 *     cc -O2 -I. examples/19_quantiles.c -o 19_quantiles -lm && ./19_quantiles quantiles.svg      (at the top of the project)
 *
 * The motorcycle data a third time (03_mcycle.c, 16_mean_and_noise.c), without a model of the noise: for each level tau the curve f
 * has the least loss, which is tau r for a point at a distance r above it and (1 - tau) r for one at r below. As a likelihood this
 * is an asymmetric Laplace distribution around f. So f is the tau-quantile of the acceleration at each time, and its posterior
 * tells how well the data determine it. Where they scatter more, after the impact, the curves move apart by themselves.
 *
 * Are they quantiles of new points too? Ten times a tenth of the rows is held back: how many of these lie below the curve of the
 * others, and what is the mean loss, compared with the quantiles of a process with normal, constant noise? The curves are fitted
 * one by one, and where they are closer than their uncertainty, as before the impact, they may cross. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 133, FOLDS = 10, GRID = 231, LEVELS = 3 };
static const double levels[LEVELS] = { 0.1, 0.5, 0.9 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static int read_rows(const char *path, double *times, double *accel)
{
    char header[64];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    if (fgets(header, sizeof header, f))
        while (n < ROWS && fscanf(f, "%lf,%lf", &times[n], &accel[n]) == 2) n++;
    fclose(f);
    return n == ROWS;
}

static bln_data table(size_t n, const double *X, const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = n;
    data.d = 1;
    data.X = X;
    data.y = y;
    return data;
}

static bln_glm *learn(const bln_basis *basis, bln_likelihood likelihood, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = likelihood;
    desc.tolerance = 1e-7;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

/* The mean loss of held-back points, and how many lie below the curve; if `normal`, by the quantile of normal noise. */
static void held_back(const bln_basis *basis, double tau, int normal, const double *t, const double *y, double *loss,
                      double *below)
{
    *loss = *below = 0.0;
    for (size_t fold = 0; fold < FOLDS; fold++) {
        double t_learn[ROWS], y_learn[ROWS], t_test[ROWS], y_test[ROWS], f[ROWS], var[ROWS];
        size_t n = 0, k = 0;
        bln_report report = BLN_ZERO;
        for (size_t i = 0; i < ROWS; i++) {
            if (i % FOLDS == fold) { t_test[k] = t[i]; y_test[k++] = y[i]; }
            else                   { t_learn[n] = t[i]; y_learn[n++] = y[i]; }
        }
        const bln_data data = table(n, t_learn, y_learn), test = table(k, t_test, NULL);
        bln_glm *glm = learn(basis, normal ? bln_likelihood_gaussian() : bln_likelihood_asymmetric_laplace(tau), &data);
        if (normal) must(bln_posterior_quantiles(bln_glm_posterior(glm), &test, BLN_OF_Y, 1, &tau, f, NULL, &report), &report);
        else must(bln_posterior_latent(bln_glm_posterior(glm), &test, f, var, NULL, &report), &report);
        for (size_t i = 0; i < k; i++) {
            const double r = y_test[i] - f[i];
            *loss += (r < 0.0 ? (tau - 1.0)*r : tau*r)/(double)ROWS;
            *below += (r < 0.0)/(double)ROWS;
        }
        bln_glm_free(glm);
    }
}

static int picture(const char *path, const bln_data *data, const bln_data *grid, double curve[LEVELS][GRID],
                   double sd[LEVELS][GRID])
{
    static const char *const colour[LEVELS] = { "#1f4e8c", "#222222", "#b03a2e" }, *const pale[LEVELS] = { "#cfe0f3", "#dddddd",
                                                                                                       "#f3d5d0" },
                      *const name[LEVELS] = { "1 in 10 below", "half below", "9 in 10 below" };
    static double lower[GRID], upper[GRID];
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    plot_begin(&p, f, "Quantiles of the acceleration", "time after impact, ms", "acceleration, g", 0.0, 60.0, -150.0, 100.0);
    for (int k = 0; k < LEVELS; k++) {
        for (size_t i = 0; i < GRID; i++) {
            lower[i] = curve[k][i] - 1.96*sd[k][i];
            upper[i] = curve[k][i] + 1.96*sd[k][i];
        }
        plot_band(&p, GRID, grid->X, lower, upper, pale[k], "95 % of the curve");
    }
    for (int k = 0; k < LEVELS; k++) plot_line(&p, GRID, grid->X, curve[k], colour[k], name[k]);
    plot_points(&p, data->n, data->X, data->y, "#222222", "data");
    plot_end(&p);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static double times[ROWS], accel[ROWS], t[GRID], curve[LEVELS][GRID], sd[LEVELS][GRID];
    bln_spec_desc spec = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    if (!read_rows("examples/data/mcycle.csv", times, accel)) { fputs("cannot read mcycle.csv\n", stderr); return 1; }
    spec.text = "bias+matern32:n=20,length=5";
    spec.d = 1;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    const bln_data data = table(ROWS, times, accel), grid = table(GRID, t, NULL);
    for (size_t i = 0; i < GRID; i++) t[i] = 2.0 + 0.25*(double)i;

    for (int k = 0; k < LEVELS; k++) {
        double f[ROWS], var[ROWS];
        size_t below = 0;
        bln_glm *glm = learn(basis, bln_likelihood_asymmetric_laplace(levels[k]), &data);
        must(bln_posterior_latent(bln_glm_posterior(glm), &grid, curve[k], sd[k], NULL, &report), &report);
        for (size_t i = 0; i < GRID; i++) sd[k][i] = sqrt(sd[k][i]);
        must(bln_posterior_latent(bln_glm_posterior(glm), &data, f, var, NULL, &report), &report);
        for (size_t i = 0; i < ROWS; i++) below += accel[i] < f[i];
        printf("tau %.1f: %3.0f %% of the points lie below\n", levels[k], 100.0*(double)below/(double)ROWS);
        bln_glm_free(glm);
    }
    puts("\n    ms        0.1        0.5        0.9     (and the sd of each curve)");
    for (size_t i = 0; i < GRID; i += 20)
        printf("%6.1f %10.1f %10.1f %10.1f     %5.1f %5.1f %5.1f\n", t[i], curve[0][i], curve[1][i], curve[2][i], sd[0][i],
               sd[1][i], sd[2][i]);
    puts("\nheld back        below     loss     below     loss");
    puts("                 quantile curves     normal, constant noise");
    for (int k = 0; k < LEVELS; k++) {
        double loss[2], below[2];
        for (int normal = 0; normal < 2; normal++)
            held_back(basis, levels[k], normal, times, accel, &loss[normal], &below[normal]);
        printf("tau %.1f %14.0f %% %8.2f %7.0f %% %8.2f\n", levels[k], 100.0*below[0], loss[0], 100.0*below[1], loss[1]);
    }
    if (argc > 1 && !picture(argv[1], &data, &grid, curve, sd)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_basis_free(basis);
    return 0;
}
