/* coefficients: the weights by name, as slopes in the units of the data where they are slopes
 *
 * A feature that equals input i at every point is a slope: target units for one unit of the input. If there is nothing but slopes
 * and constants, the constants together are the intercept, f at inputs 0, which the model itself predicts. Other weights belong to
 * standardised inputs and are in units of the standardised target. */
#include "summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURE_OTHER = -2, FEATURE_CONSTANT = -1, PROBES = 2, SMALL_MODEL = 40, NAME = 200 };

/* kind[j]: the input that feature j is, or one of the constants above; found by looking at the features of two random rows. */
static void coefficients_kinds(const model *m, long *kind)
{
    const bln_basis *b = bln_slm_basis(m->slm);
    const size_t d = m->cols.d, D = b->D;
    bln_rng rng;
    double *X = (double *)cli_memory(PROBES*(d + 1), sizeof *X), *Phi = (double *)cli_memory(PROBES*D, sizeof *Phi);
    double *room = (double *)cli_memory(bln_basis_work(b, PROBES) + 8, sizeof *room), *work = room;
    while ((uintptr_t)work % 64) work++;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, PROBES*d, X);
    bln_basis_features(b, bln_slm_theta(m->slm), PROBES, X, d, Phi, D, work);
    for (size_t j = 0; j < D; j++) {
        kind[j] = Phi[j] == 1.0 && Phi[D + j] == 1.0 ? FEATURE_CONSTANT : FEATURE_OTHER;
        for (size_t i = 0; i < d; i++) if (Phi[j] == X[i] && Phi[D + j] == X[d + i]) kind[j] = (long)i;
    }
    free(X);
    free(Phi);
    free(room);
}

/* Least squares are worth all their digits. */
static int coefficients_digits(const model *m) { return model_least_squares(m) ? 15 : 5; }
static int coefficients_width(const model *m)  { return model_least_squares(m) ? 23 : 12; }

static void coefficients_row(const model *m, FILE *file, const char *name, double mean, double sd, double z, const char *units)
{
    const int width = coefficients_width(m), digits = coefficients_digits(m);
    cli_shown shown;
    fprintf(file, "  %-24s %*.*g %*.*g %*.*g %*.*g  %s\n", cli_show(&shown, name), width, digits, mean, width, digits, sd,
            width, digits, mean - z*sd, width, digits, mean + z*sd, units);
}

static int coefficients_intercept(const model *m, double z, FILE *file, cli_why *why)
{
    double mean, latent, var, *zero = (double *)cli_memory(m->cols.d, sizeof *zero);
    bln_data rows;
    memset(&rows, 0, sizeof rows);
    rows.n = 1;
    rows.d = m->cols.d;
    rows.X = zero;
    const int status = model_predict(m, &rows, &mean, &latent, &var, why);
    free(zero);
    if (!status) coefficients_row(m, file, "(intercept)", mean, sqrt(latent), z, "data");
    return status;
}

/* only_lines: nothing but slopes and constants; written: the intercept is. */
static void coefficients_rows(const model *m, const long *kind, const double *sd, int only_lines, int written, int all, double z,
                              FILE *file)
{
    const size_t D = bln_slm_basis(m->slm)->D, d = m->cols.d;
    const double *mean = bln_slm_posterior(m->slm)->m;
    char name[NAME];
    for (size_t j = 0; j < D; j++) {
        double unit = 1.0;
        if (kind[j] == FEATURE_OTHER && !all && D > SMALL_MODEL) continue;
        if (kind[j] == FEATURE_CONSTANT && written) continue;
        if (kind[j] >= 0) unit = bln_scaler_sd(m->scaler, d)/bln_scaler_sd(m->scaler, (size_t)kind[j]);
        bln_basis_feature_name(bln_slm_basis(m->slm), j, (const char *const *)m->cols.inputs, name, sizeof name);
        coefficients_row(m, file, kind[j] == FEATURE_CONSTANT && only_lines ? "(intercept)" : name, unit*mean[j], unit*sd[j], z,
                         kind[j] >= 0 || !m->scaled ? "data" : "standardised");
    }
}

int summary_coefficients(const model *m, double interval, int all, FILE *file, cli_why *why)
{
    const size_t D = bln_slm_basis(m->slm)->D;
    long *kind = (long *)cli_memory(D, sizeof *kind);
    double *sd = (double *)cli_memory(D, sizeof *sd), z = bln_norm_quantile(0.5 + 0.5*interval);
    size_t lines = 0, constants = 0;
    int status = CLI_GOOD;
    coefficients_kinds(m, kind);
    for (size_t j = 0; j < D; j++) {
        lines += kind[j] >= 0;
        constants += kind[j] == FEATURE_CONSTANT;
    }
    const int only_lines = lines + constants == D;
    /* The weight of a single constant is the intercept, unless the inputs are standardised. */
    const int computed = only_lines && (constants > 1 || (constants == 1 && m->scaled));
    const size_t shown = all || D <= SMALL_MODEL ? D : lines + constants;
    const bln_status got = bln_slm_coefficient_sd(m->slm, sd);
    if (got != BLN_OK) status = cli_fail(why, "coefficients: %s", bln_status_text(got));
    if (!status && shown < D)
        fprintf(file, "coefficients, %lu of %lu (--all shows the others too)\n", (unsigned long)shown, (unsigned long)D);
    else if (!status) fprintf(file, "coefficients\n");
    if (!status && shown) {
        const int width = coefficients_width(m);
        fprintf(file, "  %-24s %*s %*s %*s %*s  units\n", "name", width, "mean", width, "sd", width, "lower", width, "upper");
        if (computed) status = coefficients_intercept(m, z, file, why);
    }
    if (!status) coefficients_rows(m, kind, sd, only_lines, computed, all, z, file);
    free(kind);
    free(sd);
    return status;
}
