/* 10_outliers.c - a line through data of which some are wrong
 *
 *     cc -O2 -I. examples/10_outliers.c -o 10_outliers -lm && ./10_outliers outliers.svg      (at the top of the project)
 *
 * 40 points lie around the line 1 + 2 x with noise of 0.3, but at the right end an instrument stuck, and 5 of them are 0. For
 * normal noise a point ten standard deviations off is nearly impossible, so the line tilts towards such points and the noise grows
 * until all points are plausible. Student's t has heavy tails, which allow a few distant points: the line stays, and the degrees of
 * freedom, learnt with everything else, tell how heavy the tails are (30 is nearly normal).
 *
 * The data also tell which of the two is right: by the evidence (here its lower bound, with the full Gaussian posterior), and by
 * the density of each point in a model of the others. Where log p is not concave, as with Student's t, Laplace's method uses only
 * the curvature at the mode; the full Gaussian averages over the region around it. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 40, STUCK = 5, GRID = 61 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static bln_glm *learn(const bln_basis *line, bln_likelihood noise, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = line;
    desc.likelihood = noise;
    desc.method = bln_glm_full(NULL);
    desc.tolerance = 1e-9;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

static void tell(const bln_glm *glm, const bln_data *data)
{
    double w[2], sd[2];
    bln_report report = BLN_ZERO;
    bln_elpd left_out;
    bln_loo_outputs out = BLN_ZERO;
    out.total = &left_out;
    must(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, NULL), &report);
    must(bln_posterior_loo(bln_glm_posterior(glm), data, NULL, &out, &report), &report);
    printf("%s\n", bln_glm_likelihood(glm)->ops->name);
    printf("  line        %.2f +- %.2f,  %.2f +- %.2f x        (the truth: 1, 2)\n", w[0], sd[0], w[1], sd[1]);
    for (size_t k = 0; k < bln_glm_likelihood(glm)->n_theta; k++)
        printf("  %-18s %.2f\n", bln_likelihood_param_name(bln_glm_likelihood(glm), k), bln_glm_likelihood_theta(glm)[k]);
    printf("  evidence (bound)   %.1f\n  points left out    %.1f +- %.1f\n", bln_glm_objective(glm), left_out.elpd, left_out.se);
}

static int picture(const char *path, const bln_data *data, const bln_glm *normal, const bln_glm *student)
{
    static double x[GRID], mean[GRID], lower[GRID], upper[GRID], bent[GRID];
    bln_data query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t i = 0; i < GRID; i++) x[i] = -1.65 + 0.055*(double)i;
    query.n = GRID;
    query.d = 1;
    query.X = x;
    must(bln_posterior_latent(bln_glm_posterior(normal), &query, bent, NULL, NULL, &report), &report);
    must(bln_posterior_latent(bln_glm_posterior(student), &query, mean, NULL, NULL, &report), &report);
    must(bln_posterior_intervals(bln_glm_posterior(student), &query, BLN_OF_F, 0.95, lower, upper, NULL, &report), &report);
    plot_begin(&p, f, "A line, and an instrument that stuck", "x", "y", -1.65, 1.65, -3.0, 5.0);
    plot_band(&p, GRID, x, lower, upper, "#cfe0f3", "95 % of the line");
    plot_line(&p, GRID, x, mean, "#1f4e8c", "Student's t");
    plot_line(&p, GRID, x, bent, "#b03030", "normal noise");
    plot_points(&p, data->n, data->X, data->y, "#222222", "data");
    plot_end(&p);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    double x[POINTS], y[POINTS];
    bln_data data = BLN_ZERO;
    bln_basis *line = NULL;
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = -1.5 + 3.0*(double)i/(POINTS - 1);
        y[i] = i < POINTS - STUCK ? 1.0 + 2.0*x[i] + 0.3*bln_rng_normal(&rng) : 0.0;
    }
    data.n = POINTS;
    data.d = 1;
    data.X = x;
    data.y = y;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    bln_glm *normal = learn(line, bln_likelihood_gaussian(), &data), *student = learn(line, bln_likelihood_student_t(), &data);
    tell(normal, &data);
    tell(student, &data);
    if (argc > 1 && !picture(argv[1], &data, normal, student)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_glm_free(normal);
    bln_glm_free(student);
    bln_basis_free(line);
    return 0;
}
