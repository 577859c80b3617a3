/* 03_mcycle.c - Gaussian-process regression of the motorcycle data, with a picture
 *
 *     cc -O2 -I. examples/03_mcycle.c -o 03_mcycle -lm && ./03_mcycle mcycle.svg      (at the top of the project)
 *
 * Acceleration of a dummy's head in the milliseconds after an impact (Silverman 1985). 200 random Fourier features approximate a
 * Gaussian process with a Matern 3/2 kernel, whose length scale and variance are learnt together with the noise; a constant feature
 * models the mean. The picture shows the mean, and 95 % bands of the curve (where is f?) and of the data (where would a new point
 * be?). The model has the same noise variance at all times, but these data hardly scatter before the impact: the picture shows what
 * a Gaussian likelihood with constant noise looks like when it is wrong. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>

enum { MAX_ROWS = 200, GRID = 231 };

/* Picture coordinates: x in 0..60 ms, y in -160..110 g. */
static double px(double t) { return 50.0 + 11.0*t; }
static double py(double a) { return 20.0 + 1.6*(110.0 - a); }

static void band(FILE *f, const double *t, const double *lower, const double *upper, const char *colour)
{
    fprintf(f, "<polygon fill=\"%s\" points=\"", colour);
    for (size_t i = 0; i < GRID; i++) fprintf(f, "%.1f,%.1f ", px(t[i]), py(upper[i]));
    for (size_t i = GRID; i-- > 0;) fprintf(f, "%.1f,%.1f ", px(t[i]), py(lower[i]));
    fputs("\"/>\n", f);
}

static int picture(const char *path, const bln_data *data, const bln_slm *model, const bln_data *grid, const double *mean)
{
    static double lower[GRID], upper[GRID];
    const bln_posterior *q = bln_slm_posterior(model);
    const double *t = grid->X;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 730 500\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"730\" height=\"500\" fill=\"white\"/>\n", f);
    if (bln_posterior_intervals(q, grid, BLN_OF_Y, 0.95, lower, upper, NULL, NULL)) return 0;         /* of a new point */
    band(f, t, lower, upper, "#dbe7f5");
    if (bln_posterior_intervals(q, grid, BLN_OF_F, 0.95, lower, upper, NULL, NULL)) return 0;         /* of the curve */
    band(f, t, lower, upper, "#9fc0e6");
    fputs("<polyline fill=\"none\" stroke=\"#1f4e8c\" stroke-width=\"2\" points=\"", f);
    for (size_t i = 0; i < GRID; i++) fprintf(f, "%.1f,%.1f ", px(t[i]), py(mean[i]));
    fputs("\"/>\n", f);
    for (size_t i = 0; i < data->n; i++)
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>\n", px(data->X[i]), py(data->y[i]));
    for (int ms = 0; ms <= 60; ms += 10)
        fprintf(f, "<text x=\"%.1f\" y=\"470\" text-anchor=\"middle\">%d</text>\n", px(ms), ms);
    for (int g = -150; g <= 100; g += 50)
        fprintf(f, "<text x=\"40\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", py(g) + 4.0, g);
    fputs("<text x=\"380\" y=\"490\" text-anchor=\"middle\">time after impact, ms</text>\n"
          "<text x=\"55\" y=\"15\">acceleration, g</text>\n</svg>\n", f);
    return fclose(f) == 0;
}

static int failed(const char *what, const bln_report *report)
{
    fprintf(stderr, "%s: %s\n", what, report->text);
    return 1;
}

int main(int argc, char **argv)
{
    static double times[MAX_ROWS], accel[MAX_ROWS], t[GRID], mean[GRID], latent[GRID], noise[GRID], total[GRID];
    bln_data data = BLN_ZERO, grid = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_slm *model = NULL;

    char header[64];
    FILE *f = fopen("examples/data/mcycle.csv", "r");
    if (!f || !fgets(header, sizeof header, f)) { fputs("cannot read examples/data/mcycle.csv\n", stderr); return 1; }
    while (data.n < MAX_ROWS && fscanf(f, "%lf,%lf", &times[data.n], &accel[data.n]) == 2) data.n++;
    fclose(f);
    data.d = 1;
    data.X = times;
    data.y = accel;

    spec.text = "matern32:n=100+bias";
    spec.d = 1;
    desc.starts = 3;                     /* the evidence often has several maxima in a length scale       */
    desc.tolerance = 1e-9;
    if (bln_basis_parse(&spec, &basis, &report)) return failed("basis", &report);
    desc.basis = basis;
    if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)) return failed("fit", &report);
    printf("%lu points, %lu features\n", (unsigned long)data.n, (unsigned long)basis->D);
    printf("log evidence   %8.2f nats\n", bln_slm_evidence(model));
    printf("length scale   %8.2f ms\n", bln_slm_theta(model)[0]);
    printf("sd of curve    %8.2f g\n", sqrt(bln_slm_prior_var(model)[0]));
    printf("sd of noise    %8.2f g\n\n", sqrt(bln_slm_noise_var(model)));

    for (size_t i = 0; i < GRID; i++) t[i] = 2.0 + 0.25*(double)i;
    grid.n = GRID;
    grid.d = 1;
    grid.X = t;
    if (bln_slm_predict(model, &grid, mean, latent, noise, NULL, &report)) return failed("predict", &report);
    for (size_t i = 0; i < GRID; i++) total[i] = latent[i] + noise[i];
    printf("    ms       mean   sd of curve   sd of a new point\n");
    for (size_t i = 0; i < GRID; i += 20) printf("%6.1f %10.1f %13.1f %19.1f\n", t[i], mean[i], sqrt(latent[i]), sqrt(total[i]));

    /* Counts the points inside their own 95 % intervals. */
    static double lower[MAX_ROWS], upper[MAX_ROWS];
    double coverage = 0.0;
    if (bln_posterior_intervals(bln_slm_posterior(model), &data, BLN_OF_Y, 0.95, lower, upper, NULL, &report))
        return failed("intervals", &report);
    if (bln_coverage(data.n, accel, lower, upper, &coverage, &report)) return failed("coverage", &report);
    printf("\npoints within their 95 %% interval: %.0f %%\n", 100.0*coverage);

    if (argc > 1 && !picture(argv[1], &data, model, &grid, mean)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_slm_free(model);
    bln_basis_free(basis);
    return 0;
}
