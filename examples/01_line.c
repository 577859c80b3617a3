/* 01_line.c - a straight line with its uncertainty: coefficients with intervals, noise, predictions
 *
 *     cc -I. examples/01_line.c -o 01_line -lm && ./01_line
 *
 * The data are NIST's set "Norris", an ozone monitor (y) against a reference (x). The least-squares fit is certified to many
 * digits, so one can see how close the Bayesian line is to it, and why it is not the same: its prior, whose variance is learnt too,
 * shrinks the intercept a little towards 0. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>

enum { N = 36 };
static const double x[N] = {
    0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6,
    556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5
};
static const double y[N] = {
    0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8,
    557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2
};

/* Every failure has a reason in words. */
static int failed(const char *where, bln_status status, const bln_report *report)
{
    if (status != BLN_OK) fprintf(stderr, "%s: %s: %s\n", where, bln_status_text(status), report->text);
    return status != BLN_OK;
}

int main(void)
{
    static const double certified[2] = { -0.262323073774029, 1.00211681802045 };
    static const double certified_sd[2] = { 0.232818234301152, 0.000429796848199937 };
    static const double x_new[4] = { -100.0, 0.0, 500.0, 2000.0 };
    const double z = bln_norm_quantile(0.975);
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *line = NULL;
    bln_slm *model = NULL;

    data.n = N;
    data.d = 1;
    data.X = x;
    data.y = y;
    if (failed("basis", bln_linear_create(NULL, 1, 1, &line), &report)) return 1;       /* features 1 and x */
    desc.basis = line;
    if (failed("model", bln_slm_create(&desc, &model, &report), &report)) return 1;
    if (failed("fit", bln_slm_fit(model, &data, &report), &report)) return 1;
    printf("log evidence  %.2f nats\n", bln_slm_evidence(model));
    printf("noise sd      %.3f   (least squares: 0.885)\n\n", sqrt(bln_slm_noise_var(model)));

    /* The posterior over the two weights. */
    double mean[2], sd[2];
    if (failed("coefficients", bln_posterior_coefficients(bln_slm_posterior(model), mean, sd, 0, NULL, NULL, NULL, &report),
               &report)) return 1;
    printf("coefficient      mean        sd    95%% interval             least squares        se\n");
    for (size_t j = 0; j < 2; j++) {
        char name[32];
        bln_basis_feature_name(line, j, NULL, name, sizeof name);
        printf("%-11s %9.5f %9.5f  %9.5f .. %9.5f       %9.5f %9.5f\n", name, mean[j], sd[j], mean[j] - z*sd[j], mean[j] + z*sd[j],
               certified[j], certified_sd[j]);
    }

    /* Predictions: the line is uncertain (model), and readings are noisy too (noise). The first grows away from the data. */
    double f[4], model_var[4], noise_var[4], lower[4], upper[4];
    query.n = 4;
    query.d = 1;
    query.X = x_new;
    if (failed("predict", bln_slm_predict(model, &query, f, model_var, noise_var, NULL, &report), &report)) return 1;
    if (failed("intervals", bln_posterior_intervals(bln_slm_posterior(model), &query, BLN_OF_Y, 0.95, lower, upper, NULL, &report),
               &report)) return 1;
    printf("\n       x      mean   sd of line   sd of reading   95%% interval of a reading\n");
    for (size_t i = 0; i < 4; i++)
        printf("%8.0f %9.2f %12.3f %15.3f   %9.2f .. %9.2f\n", x_new[i], f[i], sqrt(model_var[i]),
               sqrt(model_var[i] + noise_var[i]), lower[i], upper[i]);

    bln_slm_free(model);
    bln_basis_free(line);
    return 0;
}
