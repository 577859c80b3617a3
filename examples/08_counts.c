/* 08_counts.c - counts with an exposure: damage to ships by waves, and how certain a rate is
 *
 *     cc -O2 -I. examples/08_counts.c -o 08_counts -lm && ./08_counts          (at the top of the project)
 *
 * Damage incidents of cargo ships by type, years of construction and years of operation (McCullagh & Nelder 1989, 6.3.2). The
 * months of service are the exposure: a ship at sea twice as long has twice the incidents. First the textbook's fit, with flat
 * priors: the estimates are those of maximum likelihood, and their standard deviations the classical standard errors.
 *
 * Then priors are learnt, with two likelihoods. The Poisson has a variance equal to its mean; the negative binomial has a parameter
 * for a larger variance. The evidence balances the better fit against the extra parameter. Last comes a prediction for a type and
 * age of ship with hardly any data: an interval for the rate, which more data would narrow, and one for the number of incidents,
 * which more data cannot narrow below the scatter of a count. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 34, COLUMNS = 8 };

static const char *const names[COLUMNS + 1] = { "constant", "type B", "type C", "type D", "type E", "built 1965-69",
                                                "built 1970-74", "built 1975-79", "operated 1975-79" };

/* Indicators; the reference is a ship of type A, built 1960-64 and operated 1960-74. */
static void indicators(char type, int built, int operated, double *x)
{
    memset(x, 0, COLUMNS*sizeof *x);
    if (type > 'A') x[type - 'B'] = 1.0;
    if (built > 1960) x[4 + (built - 1965)/5] = 1.0;
    x[7] = operated == 1975;
}

static int read_ships(const char *path, double *X, double *service, double *incidents)
{
    char line[128], type;
    int built, operated, good;
    FILE *f = fopen(path, "r");
    good = f && fgets(line, sizeof line, f);
    for (size_t i = 0; good && i < ROWS; i++) {
        good = fgets(line, sizeof line, f)
            && sscanf(line, "%c,%4d-%*d,%4d-%*d,%lf,%lf", &type, &built, &operated, &service[i], &incidents[i]) == 5;
        if (good) indicators(type, built, operated, X + i*COLUMNS);
    }
    if (f) fclose(f);
    return good;
}

static bln_glm *learn(const bln_basis *basis, bln_likelihood likelihood, const double *prior_var, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = likelihood;
    desc.prior_var = prior_var;
    desc.tolerance = 1e-10;
    if (bln_glm_create(&desc, &glm, &report) || bln_glm_fit(glm, data, &report)) {
        fprintf(stderr, "fit: %s\n", report.text);
        exit(1);
    }
    return glm;
}

/* A ship of type E built 1975-79, in 1000 months of service from 1975 on. */
static void forecast(const bln_glm *glm)
{
    const double months = 1000.0;
    const bln_posterior *q = bln_glm_posterior(glm);
    double x[COLUMNS], mean, model, noise, f[2], low, high;
    bln_data query = BLN_ZERO;
    indicators('E', 1975, 1975, x);
    query.n = 1;
    query.d = COLUMNS;
    query.X = x;
    query.trials = &months;
    if (bln_posterior_predict(q, &query, &mean, &model, &noise, NULL, NULL)
        || bln_posterior_intervals(q, &query, BLN_OF_F, 0.9, f, f + 1, NULL, NULL)
        || bln_posterior_intervals(q, &query, BLN_OF_Y, 0.9, &low, &high, NULL, NULL)) exit(1);
    printf("  incidents in 1000 months: mean %.2f, sd %.2f of the rate and %.2f in all\n", mean, sqrt(model), sqrt(model + noise));
    printf("  90 %% intervals: rate %.2f to %.2f, incidents %.0f to %.0f\n", months*exp(f[0]), months*exp(f[1]), low, high);
}

int main(void)
{
    static double X[ROWS*COLUMNS], service[ROWS], incidents[ROWS];
    double mean[COLUMNS + 1], sd[COLUMNS + 1];
    const double flat = HUGE_VAL;
    bln_data data = BLN_ZERO;
    bln_basis *basis = NULL;
    if (!read_ships("examples/data/ships.csv", X, service, incidents)) {
        fputs("cannot read examples/data/ships.csv\n", stderr);
        return 1;
    }
    data.n = ROWS;
    data.d = COLUMNS;
    data.X = X;
    data.y = incidents;
    data.trials = service;
    if (bln_linear_create(NULL, COLUMNS, 1, &basis)) return 1;

    bln_glm *glm = learn(basis, bln_likelihood_poisson(BLN_LINK_LOG), &flat, &data);
    if (bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, NULL)) return 1;
    printf("maximum likelihood of a Poisson rate: logarithms of factors\n");
    for (size_t j = 0; j <= COLUMNS; j++) printf("  %-18s %8.4f  standard error %.4f\n", names[j], mean[j], sd[j]);
    forecast(glm);
    bln_glm_free(glm);

    for (int k = 0; k < 2; k++) {
        glm = learn(basis, k ? bln_likelihood_negative_binomial() : bln_likelihood_poisson(BLN_LINK_LOG), NULL, &data);
        printf("%s: log evidence above %.2f, prior sd of the factors' logarithms %.2f\n", bln_glm_likelihood(glm)->ops->name,
               bln_glm_objective(glm), sqrt(bln_glm_prior_var(glm)[0]));
        if (k) printf("  at a mean of 10 the variance is %.1f\n", 10.0 + 100.0/bln_glm_likelihood_theta(glm)[0]);
        forecast(glm);
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    return 0;
}
