/* 02_basis_and_evidence.c - which basis? Ask the evidence
 *
 *     cc -O2 -I. examples/02_basis_and_evidence.c -o 02_evidence -lm && ./02_evidence          (at the top of the project)
 *
 * Boston housing: the value of homes from two columns, the share of poor households (lstat) and the number of rooms (rm). Each
 * basis is a line of text. A sum of terms is a sum of functions, each with its own prior variance. The log evidence of the training
 * rows penalises a basis for data that it could also have explained. It ranks the bases much as the log density of held-out rows
 * does, but needs no held-out rows. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 14, RM = 5, LSTAT = 12, MEDV = 13, MAX_ROWS = 600 };

static double X[2][2*MAX_ROWS], y[2][MAX_ROWS];      /* training rows, test rows */
static size_t n[2];

/* Reads the data file; rows marked 1 in the first column of the folds are for testing. */
static int read_boston(const char *data_path, const char *folds_path)
{
    char line[1024];
    FILE *data = fopen(data_path, "r"), *folds = fopen(folds_path, "r");
    int good = data && folds && fgets(line, sizeof line, data) && fgets(line, sizeof line, folds);
    double v[COLUMNS];
    while (good && fscanf(data, "%lf", &v[0]) == 1) {
        int test;
        for (size_t j = 1; good && j < COLUMNS; j++) good = fscanf(data, ",%lf", &v[j]) == 1;
        good = good && fscanf(folds, "%d%*[^\n]", &test) == 1 && n[test != 0] < MAX_ROWS;
        if (!good) break;
        const size_t part = test != 0, i = n[part]++;
        X[part][2*i] = v[LSTAT];
        X[part][2*i + 1] = v[RM];
        y[part][i] = v[MEDV];
    }
    if (data) fclose(data);
    if (folds) fclose(folds);
    return good;
}

int main(void)
{
    static const char *const specs[] = {
        "bias", "linear:cols=lstat", "linear",
        "polynomial:degree=2", "polynomial:degree=2,interactions", "polynomial:degree=3,interactions",
        "rbf:n=60,cols=lstat+linear:cols=rm", "rbf:n=60,cols=lstat+rbf:n=60,cols=rm",
        "rbf:n=120,ard+linear", "matern32:n=120,ard+linear"
    };
    static const char *const names[2] = { "lstat", "rm" };
    bln_data train = BLN_ZERO, test = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_scaler *scaler = NULL;

    if (!read_boston("examples/data/boston.csv", "examples/data/boston_folds.csv")) {
        fputs("cannot read examples/data\n", stderr);
        return 1;
    }
    train.n = n[0];
    test.n = n[1];
    train.d = test.d = 2;
    train.X = X[0];
    train.y = y[0];
    test.X = X[1];
    test.y = y[1];

    /* Length scales start from the spread of the data, but powers and priors need inputs and targets of unit scale. */
    if (bln_scaler_create(NULL, &train, &scaler, &report)) { fputs(report.text, stderr); return 1; }
    for (size_t part = 0; part < 2; part++) {
        bln_scaler_inputs(scaler, n[part], X[part], 2, X[part], 2);
        bln_scaler_targets(scaler, n[part], y[part], y[part]);
    }
    printf("%lu training rows, %lu test rows\n\n", (unsigned long)n[0], (unsigned long)n[1]);
    printf("basis                                 features   log evidence   test log density       rmse\n");
    for (size_t k = 0; k < sizeof specs/sizeof *specs; k++) {
        static double mean[MAX_ROWS], var[MAX_ROWS], noise[MAX_ROWS];
        bln_spec_desc spec = BLN_ZERO;
        bln_slm_desc desc = BLN_ZERO;
        bln_basis *basis = NULL;
        bln_slm *model = NULL;
        double mll = 0.0, rmse = 0.0;

        spec.text = specs[k];
        spec.d = 2;
        spec.names = names;
        if (bln_basis_parse(&spec, &basis, &report)) { fprintf(stderr, "%s: %s\n", specs[k], report.text); return 1; }
        desc.basis = basis;
        desc.tolerance = 1e-9;
        if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &train, &report)
            || bln_slm_predict(model, &test, mean, var, noise, NULL, &report)) {
            fprintf(stderr, "%s: %s\n", specs[k], report.text);
            return 1;
        }
        for (size_t i = 0; i < n[1]; i++) var[i] += noise[i];              /* the variance of a new price */
        if (bln_mll(n[1], y[1], mean, var, &mll, &report) || bln_rmse(n[1], y[1], mean, &rmse, &report)) {
            fprintf(stderr, "%s: %s\n", specs[k], report.text);
            return 1;
        }
        /* Converts to thousands of dollars: the density of n targets scales with sd^-n. */
        const double evidence = bln_scaler_logp_back(scaler, (double)n[0], bln_slm_evidence(model));
        const double density = bln_scaler_logp_back(scaler, (double)n[1], -mll*(double)n[1])/(double)n[1];
        printf("%-38s %7lu %14.1f %18.3f %10.2f\n", specs[k], (unsigned long)basis->D, evidence, density,
               rmse*bln_scaler_sd(scaler, 2));
        bln_slm_free(model);
        bln_basis_free(basis);
    }
    bln_scaler_free(scaler);
    return 0;
}
