/* bench_coverage.c - how often 95 % predictive intervals hold the new y beside a straight line
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_coverage.c -o build/bench_coverage -lm && build/bench_coverage [replications]
 *
 * y = 0.7 + slope x + e, x and e standard normal, so slopes are in standardised units; new rows at x = 0, 1 (inside) and 2.5
 * (outside). Flat intercept. t: >>slm_integrated with its default prior of the slope; plug-in: >>slm, mean +- 1.96 sd. Each
 * line of data serves its three points. The standard error of a percentage is 0.4 at 3000 replications. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>

enum { POINTS = 3, MOST = 50 };
static const double points[POINTS] = { 0.0, 1.0, 2.5 };

typedef struct tally { size_t t[POINTS], plug[POINTS]; double width_t, width_plug; } tally;

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    printf("%s: %s\n", bln_status_name(status), report->text);
    exit(1);
}

static void once(bln_slm_integrated *m, bln_slm *slm, bln_rng *rng, size_t n, double slope, int widths, tally *sum)
{
    static const double level[2] = { 0.025, 0.975 };
    double x[MOST], y[MOST], new_y[POINTS], cdf[POINTS], mean[POINTS], var[POINTS], noise[POINTS], q[2*POINTS];
    bln_report report;
    bln_data data, at;
    memset(&data, 0, sizeof data);
    bln_rng_normals(rng, n, x);
    bln_rng_normals(rng, n, y);
    bln_rng_normals(rng, POINTS, new_y);
    for (size_t i = 0; i < n; i++) y[i] += 0.7 + slope*x[i];
    for (size_t i = 0; i < POINTS; i++) new_y[i] += 0.7 + slope*points[i];
    data.d = 1;
    at = data;
    data.n = n;
    data.X = x;
    data.y = y;
    at.n = POINTS;
    at.X = points;
    at.y = new_y;
    must(bln_slm_integrated_fit(m, &data, &report), &report);
    must(bln_posterior_cdfs(bln_slm_integrated_posterior(m), &at, cdf, NULL, NULL, &report), &report);
    if (widths)
        must(bln_posterior_quantiles(bln_slm_integrated_posterior(m), &at, BLN_OF_Y, 2, level, q, NULL, &report), &report);
    must(bln_slm_fit(slm, &data, &report), &report);
    must(bln_slm_predict(slm, &at, mean, var, noise, NULL, &report), &report);
    for (size_t i = 0; i < POINTS; i++) var[i] += noise[i];
    for (size_t i = 0; i < POINTS; i++) {
        sum->t[i] += cdf[i] >= 0.025 && cdf[i] <= 0.975;
        sum->plug[i] += fabs(new_y[i] - mean[i]) <= 1.959963984540054*sqrt(var[i]);
        if (widths) { sum->width_t += q[2*i + 1] - q[2*i]; sum->width_plug += 2.0*1.959963984540054*sqrt(var[i]); }
    }
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = { 5, 8, 12, 20, 50 };
    static const double slopes[] = { 0.0, 0.5, 1.0, 2.0, 5.0 };
    const double ratio[2] = { HUGE_VAL, 0.0 }, prior_var[2] = { HUGE_VAL, 0.0 };
    const size_t times = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 3000;
    bln_basis *part[2], *b;
    bln_report report;
    bln_slm_integrated_desc d;
    bln_slm_desc s;
    bln_slm_integrated *m;
    bln_slm *slm;
    bln_rng rng;
    bln_report_clear(&report);
    memset(&d, 0, sizeof d);
    memset(&s, 0, sizeof s);
    must(bln_bias_create(NULL, &part[0]), &report);
    must(bln_linear_create(NULL, 1, 0, &part[1]), &report);
    must(bln_basis_sum(NULL, 2, part, &b, &report), &report);
    d.basis = b;
    d.ratio = ratio;
    d.nodes = 32;
    s.basis = b;
    s.prior_var = prior_var;
    must(bln_slm_integrated_create(&d, &m, &report), &report);
    must(bln_slm_create(&s, &slm, &report), &report);
    bln_rng_seed(&rng, 1, 0);
    printf("coverage in %%, %lu replications          t, integrated                 plug-in           width of both\n"
           "   n  slope        x = 0      1    2.5  mean         0      1    2.5  mean         t  plug-in\n", (unsigned long)times);
    for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof slopes/sizeof *slopes; k++) {
            tally sum;
            const size_t widths = times < 200 ? times : 200;
            const double percent = 100.0/(double)times;
            memset(&sum, 0, sizeof sum);
            for (size_t r = 0; r < times; r++) once(m, slm, &rng, sizes[i], slopes[k], r < widths, &sum);
            printf("%4lu  %5.1f      ", (unsigned long)sizes[i], slopes[k]);
            for (int plug = 0; plug < 2; plug++) {
                const size_t *hits = plug ? sum.plug : sum.t;
                size_t all = 0;
                for (size_t p = 0; p < POINTS; p++) { printf(" %6.1f", percent*(double)hits[p]); all += hits[p]; }
                printf("  %5.1f   ", percent*(double)all/POINTS);
            }
            printf("  %6.2f   %6.2f\n", sum.width_t/(double)(widths*POINTS), sum.width_plug/(double)(widths*POINTS));
            fflush(stdout);
        }
    bln_slm_free(slm);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
    return 0;
}
