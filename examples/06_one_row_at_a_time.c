/* 06_one_row_at_a_time.c - rows as they come: the exact posterior after each, and an honest score of every forecast
 *
 *     cc -O2 -I. examples/06_one_row_at_a_time.c -o 06_rows -lm && ./06_rows          (at the top of the project)
 *
 * Carbon dioxide in the air above Mauna Loa, monthly since 1959. Each model learns its hyper-parameters from the first ten years.
 * Then each month of the next 29 years is forecast from those before it, scored, and added, at a cost of D^2. No row is set aside
 * for testing: each row is a test before it is a training row. The sum of a model's scores is the log probability density that it
 * gave to all these months, and the difference of two such sums is the log Bayes factor so far.
 *
 * After ten years the parabola is ahead of the line by 5 nats, six years later by more than 200: the line is certain and wrong. In
 * 1991 the growth slows down for a while, and the parabola is wrong too. Models that forget, with an effective memory of a year and
 * a half, use less data each month, but need to be right only for a short time; their intervals cover nearly as often as they
 * should. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>

enum { MONTHS = 468, LEARN = 120, COLUMNS = 5, MODELS = 4 };

static double X[MONTHS*COLUMNS], y[MONTHS], year[MONTHS];

/* Columns: years since 1959 in tens, and two harmonics of the year. Target: ppm above 315. */
static int read_months(const char *path)
{
    const double two_pi = 6.283185307179586;
    char line[128];
    FILE *f = fopen(path, "r");
    int good = f && fgets(line, sizeof line, f);
    for (size_t i = 0; good && i < MONTHS; i++) {
        double *x = X + i*COLUMNS;
        good = fscanf(f, "%lf,%lf", &year[i], &y[i]) == 2;
        x[0] = (year[i] - 1959.0)/10.0;
        x[1] = sin(two_pi*year[i]);
        x[2] = cos(two_pi*year[i]);
        x[3] = sin(2.0*two_pi*year[i]);
        x[4] = cos(2.0*two_pi*year[i]);
        y[i] -= 315.0;
    }
    if (f) fclose(f);
    return good;
}

/* A model with the hyper-parameters that maximise the evidence of the first ten years, and with these rows added. */
static bln_sequential *learn(const bln_basis *basis, const bln_data *past, bln_report *report)
{
    bln_slm_desc desc = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_sequential *model = NULL;
    desc.basis = basis;
    desc.tolerance = 1e-10;
    if (bln_slm_create(&desc, &slm, report) == BLN_OK && bln_slm_fit(slm, past, report) == BLN_OK
        && bln_sequential_create_from(slm, &model, report) == BLN_OK
        && bln_sequential_add(model, past, NULL, NULL, NULL, report) != BLN_OK) {
        bln_sequential_free(model);
        model = NULL;
    }
    if (model) printf("  noise sd %.3f ppm, log evidence of the ten years %.2f\n", sqrt(bln_slm_noise_var(slm)),
                      bln_sequential_evidence(model));
    bln_slm_free(slm);
    return model;
}

int main(void)
{
    static const char *const names[COLUMNS] = { "t", "s1", "c1", "s2", "c2" };
    static const char *const specs[MODELS] = {
        "linear", "polynomial:degree=2,cols=t+linear:cols=s1;c1;s2;c2",
        "linear", "polynomial:degree=2,cols=t+linear:cols=s1;c1;s2;c2"
    };
    static const char *const titles[MODELS] = { "line", "parabola", "forgetful line", "forgetful parab." };
    static const double kappa[MODELS] = { 1.0, 1.0, 1.0 - 1.0/18.0, 1.0 - 1.0/18.0 };
    bln_basis *basis[MODELS] = { NULL };
    bln_sequential *model[MODELS] = { NULL };
    double score[MODELS] = { 0.0 }, squares[MODELS] = { 0.0 }, inside[MODELS] = { 0.0 };
    bln_data data = BLN_ZERO;
    bln_report report = BLN_ZERO;

    if (!read_months("examples/data/co2.csv")) { fputs("cannot read examples/data/co2.csv\n", stderr); return 1; }
    data.n = MONTHS;
    data.d = COLUMNS;
    data.X = X;
    data.y = y;
    const bln_data past = bln_data_rows(&data, 0, LEARN);
    for (size_t k = 0; k < MODELS; k++) {
        bln_spec_desc spec = BLN_ZERO;
        spec.text = specs[k];
        spec.d = COLUMNS;
        spec.names = names;
        printf("%s + season\n", titles[k]);
        if (bln_basis_parse(&spec, &basis[k], &report) != BLN_OK || !(model[k] = learn(basis[k], &past, &report))) {
            fprintf(stderr, "%s: %s\n", titles[k], report.text);
            return 1;
        }
    }

    printf("\nsum of the log scores, in nats\n   until");
    for (size_t k = 0; k < MODELS; k++) printf(" %17s", titles[k]);
    putchar('\n');
    for (size_t i = LEARN; i < MONTHS; i++) {
        const bln_data month = bln_data_rows(&data, i, 1);
        for (size_t k = 0; k < MODELS; k++) {
            double mean, var, logp;
            if (bln_sequential_forget(model[k], kappa[k], &report) != BLN_OK
                || bln_sequential_add(model[k], &month, &mean, &var, &logp, &report) != BLN_OK) {
                fprintf(stderr, "%s: %s\n", titles[k], report.text);
                return 1;
            }
            score[k] += logp;
            squares[k] += (y[i] - mean)*(y[i] - mean);
            inside[k] += fabs(y[i] - mean) <= 1.959964*sqrt(var);
        }
        if (i % 48 != 47 && i + 1 != MONTHS) continue;
        printf("%8.2f", year[i]);
        for (size_t k = 0; k < MODELS; k++) printf(" %17.1f", score[k]);
        putchar('\n');
    }
    printf("\n                     rmse of the forecasts   inside their 95%% interval\n");
    for (size_t k = 0; k < MODELS; k++)
        printf("%-17s %18.3f ppm %20.1f %%\n", titles[k], sqrt(squares[k]/(MONTHS - LEARN)), 100.0*inside[k]/(MONTHS - LEARN));

    for (size_t k = 0; k < MODELS; k++) {
        bln_sequential_free(model[k]);
        bln_basis_free(basis[k]);
    }
    return 0;
}
