/* 09_proportions.c - successes among trials: doses that kill beetles, and rings that fail in the cold
 *
 *     cc -O2 -I. examples/09_proportions.c -o 09_proportions -lm && ./09_proportions rings.svg      (at the top of the project)
 *
 * A binomial target is a number of successes in a number of trials, which the column `trials` holds. The link relates its
 * probability to the line f = w0 + w1 x, and the data tell which link is right. Bliss's beetles (1935) die with a probability that
 * rises slowly at low doses and fast at high ones: an asymmetric curve, like that of the complementary log-log link, and the
 * evidence prefers it. The sum of the log probabilities of the deaths at each dose by a model of the other doses leads to the same
 * choice.
 *
 * Before the launch of the Challenger in 1986 at 31 F, each of 23 flights had shown how many of its 6 O-rings were eroded (Dalal et
 * al. 1989), none of them below 53 F. The logistic line predicts that most of them will fail. How certain is that? The interval of
 * the probability is wide, but even at its low end the risk is too high to fly. The picture shows this. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOSES = 8, FLIGHTS = 23, GRID = 111 };

static const double log_dose[DOSES] = { 1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839 };
static const double beetles[DOSES] = { 59, 60, 62, 56, 63, 59, 62, 60 }, killed[DOSES] = { 6, 13, 18, 28, 52, 53, 61, 60 };

static const double fahrenheit[FLIGHTS] = { 66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 58,
                                            76 };
static const double eroded[FLIGHTS] = { 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 1, 0 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Lines w0 + w1 x; each weight has its own prior variance, which is learnt. x should be of order 1. */
static bln_glm *learn(const bln_basis *line, bln_link link, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = line;
    desc.likelihood = bln_likelihood_binomial(link);
    desc.per_weight = 1;
    desc.tolerance = 1e-9;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

static bln_data binomial(size_t n, const double *x, const double *y, const double *trials)
{
    bln_data data = BLN_ZERO;
    data.n = n;
    data.d = 1;
    data.X = x;
    data.y = y;
    data.trials = trials;
    return data;
}

static void three_links(const bln_basis *line)
{
    static const bln_link links[3] = { BLN_LINK_LOGIT, BLN_LINK_PROBIT, BLN_LINK_CLOGLOG };
    static const char *const names[3] = { "logit", "probit", "complementary log-log" };
    const double half[3] = { 0.0, 0.0, log(log(2.0)) };                  /* f where the probability is 1/2 */
    double x[DOSES], w[2];
    for (size_t i = 0; i < DOSES; i++) x[i] = (log_dose[i] - 1.8)/0.1;
    const bln_data data = binomial(DOSES, x, killed, beetles);
    puts("Bliss's beetles                log evidence   left out   dose that kills half");
    for (size_t k = 0; k < 3; k++) {
        bln_loo_outputs out = BLN_ZERO;
        bln_elpd left_out;
        bln_report report = BLN_ZERO;
        bln_glm *glm = learn(line, links[k], &data);
        out.total = &left_out;
        must(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &report), &report);
        must(bln_posterior_coefficients(bln_glm_posterior(glm), w, NULL, 0, NULL, NULL, NULL, NULL), &report);
        printf("  %-24s %14.2f %12.2f %14.1f mg/l\n", names[k], bln_glm_objective(glm), left_out.elpd,
               pow(10.0, 1.8 + 0.1*(half[k] - w[0])/w[1]));
        bln_glm_free(glm);
    }
}

/* ---- O-rings ---- */

static double sigmoid(double f) { return 1.0/(1.0 + exp(-f)); }

/* Probabilities at temperatures, and their central 95 % intervals: quantiles of the normal f, mapped by the link. */
static void probabilities(const bln_glm *glm, size_t n, const double *temperature, double *mean, double *lower, double *upper)
{
    double x[GRID], f[GRID], var[GRID];
    bln_report report = BLN_ZERO;
    for (size_t i = 0; i < n; i++) x[i] = (temperature[i] - 70.0)/10.0;
    const bln_data query = binomial(n, x, NULL, NULL);                  /* no trials: one ring */
    must(bln_glm_predict(glm, &query, mean, NULL, NULL, NULL, &report), &report);
    must(bln_posterior_latent(bln_glm_posterior(glm), &query, f, var, NULL, &report), &report);
    for (size_t i = 0; i < n; i++) {
        lower[i] = sigmoid(f[i] - 1.96*sqrt(var[i]));
        upper[i] = sigmoid(f[i] + 1.96*sqrt(var[i]));
    }
}

static int picture(const char *path, const bln_glm *glm)
{
    static double t[GRID], mean[GRID], lower[GRID], upper[GRID], share[FLIGHTS];
    FILE *f = fopen(path, "w");
    plot_figure p;
    if (!f) return 0;
    for (size_t i = 0; i < GRID; i++) t[i] = 29.0 + 0.5*(double)i;
    for (size_t i = 0; i < FLIGHTS; i++) share[i] = eroded[i]/6.0;
    probabilities(glm, GRID, t, mean, lower, upper);
    plot_begin(&p, f, "O-rings of the space shuttle before the Challenger", "temperature at the launch, F",
               "share of the 6 rings that erode", 29.0, 84.0, -0.03, 1.0);
    plot_band(&p, GRID, t, lower, upper, "#cfe0f3", "95 % of the probability");
    plot_line(&p, GRID, t, mean, "#1f4e8c", "probability of a ring");
    plot_points(&p, FLIGHTS, fahrenheit, share, "#222222", "23 flights");
    plot_end(&p);
    return fclose(f) == 0;
}

static void rings(const bln_basis *line, const char *path)
{
    const double cold[3] = { 31.0, 53.0, 70.0 }, six[3] = { 6, 6, 6 }, none[3] = { 0, 0, 0 };
    double trials[FLIGHTS], x[FLIGHTS], p[3], lower[3], upper[3], fine[3], low[3], high[3];
    bln_report report = BLN_ZERO;
    for (size_t i = 0; i < FLIGHTS; i++) { x[i] = (fahrenheit[i] - 70.0)/10.0; trials[i] = 6.0; }
    const bln_data data = binomial(FLIGHTS, x, eroded, trials);
    bln_glm *glm = learn(line, BLN_LINK_LOGIT, &data);
    probabilities(glm, 3, cold, p, lower, upper);
    for (size_t i = 0; i < 3; i++) x[i] = (cold[i] - 70.0)/10.0;
    const bln_data query = binomial(3, x, none, six);
    must(bln_posterior_logdensities(bln_glm_posterior(glm), &query, fine, NULL, &report), &report);
    must(bln_posterior_intervals(bln_glm_posterior(glm), &query, BLN_OF_Y, 0.95, low, high, NULL, &report), &report);
    puts("\nO-rings     a ring erodes (95 % interval)     of 6, 95 %     at least one");
    for (size_t i = 0; i < 3; i++)
        printf("  at %.0f F      %.3f (%.3f to %.3f) %12.0f to %.0f %14.3f\n", cold[i], p[i], lower[i], upper[i], low[i], high[i],
               1.0 - exp(fine[i]));
    if (path && !picture(path, glm)) { fprintf(stderr, "cannot write %s\n", path); exit(1); }
    bln_glm_free(glm);
}

int main(int argc, char **argv)
{
    bln_basis *line = NULL;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    three_links(line);
    rings(line, argc > 1 ? argv[1] : NULL);
    bln_basis_free(line);
    return 0;
}
