/* 28_own_likelihood.c - a likelihood of your own: motors that were still running when the test ended
 *
 *     cc -O2 -I. examples/28_own_likelihood.c -o 28_own_likelihood -lm && ./28_own_likelihood motors.svg    (top of the project)
 *
 * 40 motors ran at four temperatures until their insulation failed. Hot ones fail within weeks, so that one learns in months what
 * normal use does in years: log10 of the hours to failure is a line in 1000/T, T in kelvin (Arrhenius). But when the test ended 23
 * motors had not failed; all that is known of them is that they would have lasted longer. To leave them out, or to take the end of
 * the test for a failure, makes motors look worse than they are.
 *
 * A likelihood is a table of functions. This one is normal, and where a row's y is only a lower bound its probability is that of a
 * larger y:
 *
 *     log p = log N(y; f, sigma^2)          of a failure,  trials = 1
 *     log p = log Phi((f - y)/sigma)        of a motor that still ran after y,  trials = 2
 *
 * The library hands the column `trials` to a likelihood that has a `domain`, and leaves its meaning to it. A name, logp and, for
 * sigma, `param` are all that is required: derivatives are taken by differences, moments and intervals by quadrature.
 * `singularity` says on which scale log p varies; `moments` and `cdf` make predictions fast.
 *
 * Data: Nelson & Hahn (1972), Technometrics 14(2). x is 1000/T less its value at 180 C, where the intercept is then log10 of the
 * median life. Maximum likelihood gives 3.494 + 4.311 x, sigma 0.259 (survreg of R's package survival). With flat priors sigma
 * is learnt with the weights integrated out, which is why it is larger here. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOTORS = 40, GRID = 41 };
static const double FAILED = 1.0, RUNNING = 2.0;
static const double celsius[4] = { 150, 170, 190, 220 };
static const double hours[MOTORS] = {
    8064, 8064, 8064, 8064, 8064, 8064, 8064, 8064, 8064, 8064, 1764, 2772, 3444, 3542, 3780, 4860, 5196, 5448, 5448, 5448,
    408,  408,  1344, 1344, 1440, 1680, 1680, 1680, 1680, 1680, 408,  408,  504,  504,  504,  528,  528,  528,  528,  528
};
static const int failures[4] = { 0, 7, 5, 5 };                       /* of ten each: they come first */

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* ---- the likelihood: theta[0] is sigma */

static double log_p(double sigma, double y, int running, double f)
{
    return running ? bln_norm_logcdf((f - y)/sigma) : bln_norm_logpdf((y - f)/sigma) - log(sigma);
}

static void life_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp)
{
    (void)l;
    for (size_t i = 0; i < n; i++) logp[i] = log_p(theta[0], t->y[i], t->trials && t->trials[i] > FAILED, f[i]);
}

static const char *life_domain(const bln_likelihood *l, double y, double trials)
{
    (void)l; (void)y;
    return trials == FAILED || trials == RUNNING ? NULL : "trials must be 1 (failed) or 2 (still running)";
}

/* sigma has the units of y: its search begins at the standard deviation of the targets, and its prior is as wide there. */
static void life_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    (void)l; (void)k; (void)mean;
    out->kind = BLN_PARAM_POSITIVE;
    out->start = sd;
    out->y_power = 1;
}
static const char *life_param_name(const bln_likelihood *l, size_t k) { (void)l; (void)k; return "sigma"; }

/* Phi(z) is 0 nearest to the real axis at z = -1.9 +- 2.8 i. */
static void life_singularity(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre,
                             double *width)
{
    (void)l;
    for (size_t i = 0; i < n; i++) { centre[i] = t->y[i] - 1.9*theta[0]; width[i] = 2.8*theta[0]; }
}

/* Of a new motor, which will run until it fails: mean and variance, and P(Y <= y), P(Y > y). */
static void life_moments(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                         double *mean, double *var)
{
    (void)l; (void)t;
    for (size_t i = 0; i < n; i++) {
        if (mean) mean[i] = f[i];
        if (var) var[i] = theta[0]*theta[0];
    }
}
static void life_cdf(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *lower,
                     double *upper)
{
    (void)l;
    for (size_t i = 0; i < n; i++) {
        const double z = (t->y[i] - f[i])/theta[0];
        if (lower) lower[i] = bln_norm_cdf(z);
        if (upper) upper[i] = bln_norm_sf(z);
    }
}

static bln_likelihood life(void)
{
    static bln_likelihood_ops ops;                          /* zero: the library's way, for all that is not given */
    bln_likelihood l = BLN_ZERO;
    ops.name = "my_life";
    ops.logp = life_logp;
    ops.domain = life_domain;
    ops.param = life_param;
    ops.param_name = life_param_name;
    ops.singularity = life_singularity;
    ops.moments = life_moments;
    ops.cdf = life_cdf;
    l.ops = &ops;
    l.n_theta = 1;
    return l;
}

/* ---- what is learnt with it */

static double arrhenius(double t) { return 1000.0/(t + 273.2) - 1000.0/(180.0 + 273.2); }

static bln_glm *learn(const char *what, const bln_basis *line, const bln_data *data, int flat)
{
    static const double both[] = { HUGE_VAL, HUGE_VAL };
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    double w[2], sd[2];
    desc.basis = line;
    desc.likelihood = life();
    if (flat) desc.prior_var = both;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    must(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, NULL), &report);
    printf("%-34s %.3f +- %.3f   %.3f +- %.3f   sigma %.3f\n", what, w[0], sd[0], w[1], sd[1], bln_glm_likelihood_theta(glm)[0]);
    return glm;
}

static int picture(const char *path, const bln_glm *glm, const double *x, const double *y)
{
    double grid[GRID], median[GRID], lower[GRID], upper[GRID], failed_x[MOTORS], failed_y[MOTORS], run_x[MOTORS], run_y[MOTORS];
    size_t failed = 0, run = 0;
    bln_data query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t i = 0; i < GRID; i++) grid[i] = -0.22 + 0.55*(double)i/(GRID - 1);
    query.n = GRID;
    query.d = 1;
    query.X = grid;
    must(bln_posterior_latent(bln_glm_posterior(glm), &query, median, NULL, NULL, &report), &report);
    must(bln_posterior_intervals(bln_glm_posterior(glm), &query, BLN_OF_Y, 0.95, lower, upper, NULL, &report), &report);
    for (size_t i = 0; i < MOTORS; i++) {
        if ((int)(i % 10) < failures[i/10]) { failed_x[failed] = x[i]; failed_y[failed++] = y[i]; }
        else { run_x[run] = x[i]; run_y[run++] = y[i]; }
    }
    plot_begin(&p, f, "Hours to failure", "1000/T (1/K), less that of 180 C", "log10 hours", -0.22, 0.33, 2.0, 6.0);
    plot_band(&p, GRID, grid, lower, upper, "#cfe0f3", "95 % of new motors");
    plot_line(&p, GRID, grid, median, "#1f4e8c", "their median");
    plot_points(&p, failed, failed_x, failed_y, "#222222", "failed");
    plot_points(&p, run, run_x, run_y, "#d08020", "still running");
    plot_end(&p);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    double x[MOTORS], y[MOTORS], state[MOTORS], lower[2], upper[2], median[2];
    const double use[2] = { arrhenius(130), arrhenius(150) };
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *line = NULL;
    const bln_likelihood mine = life();
    if (bln_likelihood_check(&mine)) { puts(bln_likelihood_check(&mine)); return 1; }
    for (size_t i = 0; i < MOTORS; i++) {
        x[i] = arrhenius(celsius[i/10]);
        y[i] = log10(hours[i]);
        state[i] = (int)(i % 10) < failures[i/10] ? FAILED : RUNNING;
    }
    data.n = MOTORS;
    data.d = 1;
    data.X = x;
    data.y = y;
    must(bln_linear_create(NULL, 1, 1, &line), &report);
    bln_glm_free(learn("the end of the test as a failure", line, &data, 1));
    data.trials = state;
    bln_glm_free(learn("as it is, flat priors", line, &data, 1));
    bln_glm *glm = learn("as it is, by default", line, &data, 0);
    query.n = 2;
    query.d = 1;
    query.X = use;
    must(bln_posterior_latent(bln_glm_posterior(glm), &query, median, NULL, NULL, &report), &report);
    must(bln_posterior_intervals(bln_glm_posterior(glm), &query, BLN_OF_Y, 0.95, lower, upper, NULL, &report), &report);
    for (int k = 0; k < 2; k++)
        printf("at %d C half of the motors last %.1f years, and 95 %% of them %.1f to %.0f years\n", k ? 150 : 130,
               pow(10.0, median[k])/8766.0, pow(10.0, lower[k])/8766.0, pow(10.0, upper[k])/8766.0);
    if (argc > 1 && !picture(argv[1], glm, x, y)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_glm_free(glm);
    bln_basis_free(line);
    return 0;
}
