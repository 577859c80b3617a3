/* 07_logistic.c - two classes: probabilities that are uncertain where there were no data, with a picture
 *
 *     cc -O2 -I. examples/07_logistic.c -o 07_logistic -lm && ./07_logistic iris.svg      (at the top of the project)
 *
 * Fisher's irises (1936): is a flower versicolor or virginica, by length and width of its petals? Logistic regression on the two
 * inputs, and on random features of a Gaussian process, with the default inference: hyper-parameters maximise Laplace's evidence,
 * and the posterior is the Gaussian with the greatest lower bound of the evidence. The bound tells which of the two models fits
 * better.
 *
 * For a new flower the probability is averaged over the posterior of the weights. Near the data this is nearly the probability at
 * the most probable weights. Far away the process is uncertain: the average returns to a half, while the linear model, and the most
 * probable weights, are certain. The picture shows the process: colour is the probability of virginica, and the lines
 * are where it is 0.1, 0.5 and 0.9. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWERS = 100, WIDE = 64, HIGH = 48, CELLS = WIDE*HIGH };

/* The picture's range, in cm. */
static const double left = 0.5, right = 9.5, low = 0.0, high = 3.6;

static int read_flowers(const char *path, double *petals, double *virginica)
{
    char line[128], species[32];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) && n < FLOWERS) {
        if (sscanf(line, "%*f,%*f,%lf,%lf,%31s", petals + 2*n, petals + 2*n + 1, species) != 3) continue;
        if (!strcmp(species, "setosa")) continue;
        virginica[n++] = !strcmp(species, "virginica");
    }
    if (f) fclose(f);
    return n == FLOWERS;
}

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static bln_glm *learn(const bln_basis *basis, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.tolerance = 1e-9;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

/* P(virginica) of flowers, averaged over the posterior, and at its mode. */
static void ask(const bln_glm *glm, const bln_scaler *scaler, size_t n, const double *petals, double *average, double *mode)
{
    bln_data query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    double *X = (double *)malloc(2*n*sizeof *X);
    if (!X) exit(1);
    bln_scaler_inputs(scaler, n, petals, 2, X, 2);
    query.n = n;
    query.d = 2;
    query.X = X;
    must(bln_glm_predict(glm, &query, average, NULL, NULL, NULL, &report), &report);
    if (mode) must(bln_posterior_latent(bln_glm_posterior(glm), &query, mode, NULL, NULL, &report), &report);
    for (size_t i = 0; mode && i < n; i++) mode[i] = 1.0/(1.0 + exp(-mode[i]));
    free(X);
}

static void tell(const bln_glm *glm, const bln_scaler *scaler, const bln_data *data, const double *petals)
{
    static const double flower[8] = { 4.0, 1.2, 4.9, 1.65, 6.0, 2.2, 9.0, 0.3 };
    double p[FLOWERS], mode[4], loss, errors;
    bln_report report = BLN_ZERO;
    ask(glm, scaler, FLOWERS, petals, p, NULL);
    must(bln_log_loss(FLOWERS, 1, data->y, p, &loss, &report), &report);
    must(bln_error_rate(FLOWERS, 1, data->y, p, &errors, &report), &report);
    printf("  log evidence above %.2f, log loss of these flowers %.3f, %.0f of %d wrong\n", bln_glm_objective(glm), loss,
           errors*(double)FLOWERS, (int)FLOWERS);
    ask(glm, scaler, 4, flower, p, mode);
    for (size_t i = 0; i < 4; i++)
        printf("  petal %.1f x %.2f cm: P(virginica) = %.3f  (most probable weights: %.3f)\n", flower[2*i], flower[2*i + 1], p[i],
               mode[i]);
}

/* ---- the picture ---- */

static double px(double x) { return 50.0 + 640.0*(x - left)/(right - left); }
static double py(double y) { return 460.0 - 440.0*(y - low)/(high - low); }

/* Blue, white, red. */
static void colour(double p, int *rgb)
{
    const double t = 2.0*p - 1.0;
    rgb[0] = (int)(255.0 - (t < 0.0 ? -160.0*t : 25.0*t));
    rgb[1] = (int)(255.0 - 150.0*fabs(t));
    rgb[2] = (int)(255.0 - (t > 0.0 ? 160.0*t : -25.0*t));
}

/* Contour line of a level, cell by cell, between the edges of the grid that it crosses. */
static void line(FILE *f, const double *x, const double *p, double level)
{
    fputs("<path fill=\"none\" stroke=\"#222\" d=\"", f);
    for (size_t j = 0; j + 1 < HIGH; j++)
        for (size_t i = 0; i + 1 < WIDE; i++) {
            const size_t corner[5] = { j*WIDE + i, j*WIDE + i + 1, (j + 1)*WIDE + i + 1, (j + 1)*WIDE + i, j*WIDE + i };
            int met = 0;
            for (size_t k = 0; k < 4; k++) {
                const size_t a = corner[k], b = corner[k + 1];
                if ((p[a] < level) == (p[b] < level)) continue;
                const double share = (level - p[a])/(p[b] - p[a]);
                fprintf(f, "%c%.1f,%.1f", met++ % 2 ? 'L' : 'M', px(x[2*a] + share*(x[2*b] - x[2*a])),
                        py(x[2*a + 1] + share*(x[2*b + 1] - x[2*a + 1])));
            }
        }
    fputs("\"/>\n", f);
}

static int picture(const char *path, const bln_glm *glm, const bln_scaler *scaler, const bln_data *data, const double *petals)
{
    static double x[2*CELLS], p[CELLS];
    const double w = 640.0/(double)WIDE, h = 440.0/(double)HIGH;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t k = 0; k < CELLS; k++) {
        x[2*k] = left + (right - left)*((double)(k % WIDE) + 0.5)/(double)WIDE;
        x[2*k + 1] = low + (high - low)*((double)(k/WIDE) + 0.5)/(double)HIGH;
    }
    ask(glm, scaler, CELLS, x, p, NULL);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 510\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"720\" height=\"510\" fill=\"white\"/>\n", f);
    for (size_t k = 0; k < CELLS; k++) {
        int rgb[3];
        colour(p[k], rgb);
        fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>\n", px(x[2*k]) - 0.5*w,
                py(x[2*k + 1]) - 0.5*h, w + 0.2, h + 0.2, (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
    }
    for (int k = 1; k <= 9; k += 4) line(f, x, p, 0.1*k);
    for (size_t i = 0; i < data->n; i++)
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" stroke=\"white\" stroke-width=\"0.7\"/>\n", px(petals[2*i]),
                py(petals[2*i + 1]), data->y[i] > 0.5 ? "#a01020" : "#1030a0");
    for (int cm = 1; cm <= 9; cm++) fprintf(f, "<text x=\"%.1f\" y=\"478\" text-anchor=\"middle\">%d</text>\n", px(cm), cm);
    for (int cm = 0; cm <= 3; cm++) fprintf(f, "<text x=\"42\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", py(cm) + 4.0, cm);
    fputs("<text x=\"370\" y=\"500\" text-anchor=\"middle\">petal length, cm: versicolor blue, virginica red</text>\n"
          "<text x=\"55\" y=\"14\">petal width, cm</text>\n</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static const char *const specs[2] = { "bias+linear:ones=0", "bias+rbf:n=64" };
    static double petals[2*FLOWERS], X[2*FLOWERS], y[FLOWERS];
    bln_data data = BLN_ZERO, raw = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_scaler *scaler = NULL;
    if (!read_flowers("examples/data/iris.csv", petals, y)) { fputs("cannot read examples/data/iris.csv\n", stderr); return 1; }
    raw.n = FLOWERS;
    raw.d = 2;
    raw.X = petals;
    must(bln_scaler_create(NULL, &raw, &scaler, &report), &report);
    bln_scaler_inputs(scaler, FLOWERS, petals, 2, X, 2);
    data = raw;
    data.X = X;
    data.y = y;
    for (size_t k = 0; k < 2; k++) {
        bln_spec_desc spec = BLN_ZERO;
        bln_basis *basis = NULL;
        spec.text = specs[k];
        spec.d = 2;
        must(bln_basis_parse(&spec, &basis, &report), &report);
        bln_glm *glm = learn(basis, &data);
        puts(k ? "a Gaussian process" : "straight lines");
        tell(glm, scaler, &data, petals);
        if (k && argc > 1 && !picture(argv[1], glm, scaler, &data, petals)) {
            fputs("cannot write the picture\n", stderr);
            return 1;
        }
        bln_glm_free(glm);
        bln_basis_free(basis);
    }
    bln_scaler_free(scaler);
    return 0;
}
