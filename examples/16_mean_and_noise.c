/* 16_mean_and_noise.c - noise that is not the same everywhere: the mean and the size of the noise are both learnt functions
 *
 *     cc -O2 -I. examples/16_mean_and_noise.c -o 16_mean_and_noise -lm && ./16_mean_and_noise noise.svg      (at the top)
 *
 * The motorcycle data again (03_mcycle.c): before the impact the dummy's head hardly moves, afterwards the measurements scatter by
 * some 20 g. Here y is N(f_0(t), s^2 e^(2 f_1(t))): each row has two latent values, each with a basis, and the mean's basis has
 * more features. The method full has two Gaussians, one for the weights of each latent, with the greatest bound of the evidence;
 * Laplace's method has one Gaussian for all weights.
 *
 * Are predictions better? Ten times a tenth of the rows is held back and predicted from the others: by how much is their log
 * density higher than that of a process with constant noise? */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 133, FOLDS = 10, GRID = 231 };

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

static bln_basis *parse(const char *text)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    spec.text = text;
    spec.d = 1;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    return basis;
}

/* The bases of the mean and of the noise, which the three models share. */
static const bln_basis *bases[2];

static bln_glm *learn(bln_glm_method method, int constant, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.likelihood = constant ? bln_likelihood_gaussian() : bln_likelihood_gaussian_scale();
    desc.basis = bases[0];
    if (!constant) desc.bases = bases;
    desc.method = method;
    desc.tolerance = 1e-3;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

/* log p of each row by a model that has not seen it. */
static void held_back(bln_glm_method method, int constant, const double *t, const double *y, double *out)
{
    for (size_t fold = 0; fold < FOLDS; fold++) {
        double t_learn[ROWS], y_learn[ROWS], t_test[ROWS], y_test[ROWS], density[ROWS];
        size_t n = 0, k = 0;
        bln_report report = BLN_ZERO;
        for (size_t i = 0; i < ROWS; i++) {
            if (i % FOLDS == fold) { t_test[k] = t[i]; y_test[k++] = y[i]; }
            else                   { t_learn[n] = t[i]; y_learn[n++] = y[i]; }
        }
        const bln_data data = table(n, t_learn, y_learn), test = table(k, t_test, y_test);
        bln_glm *glm = learn(method, constant, &data);
        must(bln_posterior_logdensities(bln_glm_posterior(glm), &test, density, NULL, &report), &report);
        for (size_t i = 0; i < k; i++) out[fold + i*FOLDS] = density[i];
        bln_glm_free(glm);
    }
}

static void compare(const double *t, const double *y)
{
    static const char *const name[3] = { "constant noise", "mean and noise, full", "mean and noise, Laplace" };
    const double rows = (double)ROWS;
    double density[3][ROWS];
    puts("                             log density of a held-back point   more than with constant noise");
    for (int k = 0; k < 3; k++) {
        double mean = 0.0, more = 0.0, square = 0.0;
        held_back(k == 1 ? bln_glm_full(NULL) : bln_glm_laplace(), k == 0, t, y, density[k]);
        for (size_t i = 0; i < ROWS; i++) {
            const double d = density[k][i] - density[0][i];
            mean += density[k][i]/rows;
            more += d/rows;
            square += d*d;
        }
        printf("%-24s %22.3f", name[k], mean);
        if (k) printf(" %27.3f +- %.3f", more, sqrt((square - rows*more*more)/(rows - 1.0)/rows));
        putchar('\n');
    }
}

/* ---- the picture ---- */

static double px(double t) { return 50.0 + 11.0*t; }
static double py(double a) { return 20.0 + 1.3*(140.0 - a); }

static void band(FILE *f, const bln_glm *glm, const bln_data *grid, double level, const char *colour)
{
    static double lower[GRID], upper[GRID];
    bln_report report = BLN_ZERO;
    must(bln_posterior_intervals(bln_glm_posterior(glm), grid, BLN_OF_Y, level, lower, upper, NULL, &report), &report);
    fprintf(f, "<polygon fill=\"%s\" points=\"", colour);
    for (size_t i = 0; i < GRID; i++) fprintf(f, "%.1f,%.1f ", px(grid->X[i]), py(upper[i]));
    for (size_t i = GRID; i-- > 0;) fprintf(f, "%.1f,%.1f ", px(grid->X[i]), py(lower[i]));
    fputs("\"/>\n", f);
}

static int picture(const char *path, const bln_glm *glm, const bln_data *data, const bln_data *grid, const double *mean)
{
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 730 500\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"730\" height=\"500\" fill=\"white\"/>\n", f);
    band(f, glm, grid, 0.95, "#dbe7f5");
    band(f, glm, grid, 0.5, "#9fc0e6");
    fputs("<polyline fill=\"none\" stroke=\"#1f4e8c\" stroke-width=\"2\" points=\"", f);
    for (size_t i = 0; i < GRID; i++) fprintf(f, "%.1f,%.1f ", px(grid->X[i]), py(mean[i]));
    fputs("\"/>\n", f);
    for (size_t i = 0; i < data->n; i++)
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>\n", px(data->X[i]), py(data->y[i]));
    for (int ms = 0; ms <= 60; ms += 10)
        fprintf(f, "<text x=\"%.1f\" y=\"470\" text-anchor=\"middle\">%d</text>\n", px(ms), ms);
    for (int g = -150; g <= 100; g += 50)
        fprintf(f, "<text x=\"40\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", py(g) + 4.0, g);
    fputs("<text x=\"380\" y=\"490\" text-anchor=\"middle\">time after impact, ms; bands of 50 and 95 % of new points</text>\n"
          "<text x=\"55\" y=\"15\">acceleration, g</text>\n</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static double times[ROWS], accel[ROWS], t[GRID], mean[GRID], latent[GRID], noise[GRID];
    bln_report report = BLN_ZERO;
    if (!read_rows("examples/data/mcycle.csv", times, accel)) { fputs("cannot read examples/data/mcycle.csv\n", stderr); return 1; }
    bln_basis *of_mean = parse("bias+matern32:n=20,length=5"), *of_noise = parse("bias+rbf:n=6,length=10");
    bases[0] = of_mean;
    bases[1] = of_noise;
    const bln_data data = table(ROWS, times, accel), grid = table(GRID, t, NULL);
    bln_glm *glm = learn(bln_glm_full(NULL), 0, &data);
    for (size_t i = 0; i < GRID; i++) t[i] = 2.0 + 0.25*(double)i;
    must(bln_glm_predict(glm, &grid, mean, latent, noise, NULL, &report), &report);
    printf("the evidence is above %.2f\n\n    ms       mean   sd of curve   sd of noise\n", bln_glm_objective(glm));
    for (size_t i = 0; i < GRID; i += 20) printf("%6.1f %10.1f %13.1f %13.1f\n", t[i], mean[i], sqrt(latent[i]), sqrt(noise[i]));
    putchar('\n');
    compare(times, accel);
    if (argc > 1 && !picture(argv[1], glm, &data, &grid, mean)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_glm_free(glm);
    bln_basis_free(of_noise);
    bln_basis_free(of_mean);
    return 0;
}
