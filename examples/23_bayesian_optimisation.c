/* 23_bayesian_optimisation.c - the minimum of a function that is expensive to evaluate, in ten evaluations
 *
 *     cc -O2 -I. examples/23_bayesian_optimisation.c -o 23_optimisation -lm && ./23_optimisation picture.svg      (at the top)
 *
 * A Gaussian process given the values so far, f(x) ~ N(m, s^2), tells where the function may be lower. Rules for the next point:
 *
 *     expected improvement    E max(best - f, 0) = (best - m) P(Z <= z) + s p(z),  z = (best - m)/s
 *                                                                                            [Jones, Schonlau & Welch 1998]
 *     lower confidence bound  the point with the least m - 2 s
 *
 * The first is compared with its definition as an integral. The function is that of Forrester, Sobester & Keane 2008, (6 x - 2)^2
 * sin(12 x - 4) on [0, 1], with a flat valley beside the deep one: its minimum is -6.0207 at 0.7572. Each round fits anew: the
 * length scale and the variance by the evidence, with a fixed noise of nearly 0. */
#define BAYESLIN_WITH_LINEAR
#define BAYESLIN_WITH_SCORES
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { START = 4, MOST = 15, GRID = 401 };

typedef struct search {
    double x[MOST], y[MOST];
    size_t n;
    double at[GRID], mean[GRID], sd[GRID], wish[GRID];          /* of the last round; wish: the next point maximises it */
} search;

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static double expensive(double x) { return (6.0*x - 2.0)*(6.0*x - 2.0)*sin(12.0*x - 4.0); }

static void ask(search *s, double x)
{
    s->x[s->n] = x;
    s->y[s->n++] = expensive(x);
}

static size_t lowest(const search *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++) if (s->y[i] < s->y[best]) best = i;
    return best;
}

static double expected_improvement(double best, double m, double s)
{
    const double z = (best - m)/s;
    return s > 0.0 ? (best - m)*bln_norm_cdf(z) + s*bln_norm_pdf(z) : best > m ? best - m : 0.0;
}

/* Expected improvement by its definition, the integral of (best - f) p(f) over f < best, from 12 sd below the mean: Simpson's
 * rule. */
static double improvement_integral(double best, double m, double s)
{
    enum { STEPS = 4000 };
    const double low = m - 12.0*s, h = (best - low)/(double)STEPS;
    double sum = 0.0;
    for (int k = 0; k <= STEPS && best > low; k++) {
        const double f = low + h*k;
        sum += (k == 0 || k == STEPS ? 1.0 : k % 2 ? 4.0 : 2.0)*(best - f)*bln_norm_pdf((f - m)/s)/s;
    }
    return sum*h/3.0;
}

/* The Gaussian process given all values so far, on the grid. */
static void learn(search *s)
{
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_scaler *scaler = NULL;
    bln_basis *basis = NULL;
    bln_slm *model = NULL;
    double y[MOST];
    data.n = s->n;
    data.d = query.d = 1;
    data.X = s->x;
    data.y = s->y;
    query.n = GRID;
    query.X = s->at;
    must(bln_scaler_create(NULL, &data, &scaler, &report), &report);
    bln_scaler_targets(scaler, s->n, s->y, y);
    data.y = y;
    spec.text = "gp:kernel=matern52+bias";
    spec.d = 1;
    spec.rows = &data;                                          /* an inducing point on each row */
    must(bln_basis_parse(&spec, &basis, &report), &report);
    desc.basis = basis;
    desc.noise_var = 1e-8;
    desc.fix_noise_var = 1;
    must(bln_slm_create(&desc, &model, &report), &report);
    must(bln_slm_fit(model, &data, &report), &report);
    must(bln_slm_predict(model, &query, s->mean, s->sd, NULL, NULL, &report), &report);
    bln_scaler_means_back(scaler, GRID, s->mean, s->mean);
    for (size_t i = 0; i < GRID; i++) s->sd[i] = sqrt(s->sd[i])*bln_scaler_sd(scaler, 1);
    bln_slm_free(model);
    bln_basis_free(basis);
    bln_scaler_free(scaler);
}

/* Evaluates where the wish is greatest, round by round; by_bound: by the lower confidence bound. */
static double run(search *s, int by_bound)
{
    double worst = 0.0;
    s->n = 0;
    for (size_t i = 0; i < GRID; i++) s->at[i] = (double)i/(GRID - 1);
    for (size_t i = 0; i < START; i++) ask(s, (double)i/(START - 1));
    printf("%s\n  asked        x          f       best   improvement expected there\n", by_bound ? "lower confidence bound"
                                                                                              : "expected improvement");
    while (s->n < MOST) {
        const double best = s->y[lowest(s)];
        size_t next = 0;
        learn(s);
        for (size_t i = 0; i < GRID; i++) {
            const double gain = expected_improvement(best, s->mean[i], s->sd[i]);
            if (s->sd[i] > 1e-3) {
                const double difference = fabs(gain - improvement_integral(best, s->mean[i], s->sd[i]))/s->sd[i];
                if (difference > worst) worst = difference;
            }
            s->wish[i] = by_bound ? 2.0*s->sd[i] - s->mean[i] : gain;
            if (s->wish[i] > s->wish[next]) next = i;
        }
        const double gain = expected_improvement(best, s->mean[next], s->sd[next]);
        if (gain < 1e-3 || s->n + 1 == MOST) break;             /* no gain is expected, or the last round, which only fits */
        ask(s, s->at[next]);
        printf("  %5lu   %.4f   %8.4f   %8.4f   %.2g\n", (unsigned long)s->n, s->x[s->n - 1], s->y[s->n - 1], s->y[lowest(s)],
               gain);
    }
    printf("  the lowest of %lu: f(%.4f) = %.4f\n\n", (unsigned long)s->n, s->x[lowest(s)], s->y[lowest(s)]);
    return worst;
}

static int draw(const char *path, const search *s)
{
    double truth[GRID], lower[GRID], upper[GRID];
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t i = 0; i < GRID; i++) {
        truth[i] = expensive(s->at[i]);
        lower[i] = s->mean[i] - 2.0*s->sd[i];
        upper[i] = s->mean[i] + 2.0*s->sd[i];
    }
    plot_begin(&p, f, "Where to ask next: the last round of expected improvement", "x", "f", 0.0, 1.0, -10.0, 18.0);
    plot_band(&p, GRID, s->at, lower, upper, "#cfe0f3", "mean -+ 2 sd");
    plot_line(&p, GRID, s->at, truth, "#999999", "the function");
    plot_line(&p, GRID, s->at, s->mean, "#1f4e8c", "mean");
    plot_points(&p, s->n, s->x, s->y, "#222222", "asked");
    plot_end(&p);
    const int good = !ferror(f);
    return !fclose(f) && good;
}

int main(int argc, char **argv)
{
    static search s;
    const double worst = run(&s, 1), other = run(&s, 0);
    printf("closed form and integral differ by less than 1e-10 sd: %s\n", worst < 1e-10 && other < 1e-10 ? "yes" : "no");
    if (argc > 1 && !draw(argv[1], &s)) {
        fprintf(stderr, "cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
