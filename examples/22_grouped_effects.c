/* 22_grouped_effects.c - an effect for each group: (1 + days || subject), and (1 | herd) of a binomial model
 *
 *     cc -O2 -I. examples/22_grouped_effects.c -o 22_grouped_effects -lm && ./22_grouped_effects      (at the top of the project)
 *
 * sleepstudy (Belenky et al. 2003): reaction times of 18 subjects on 10 days with little sleep. A line for all subjects has a flat
 * prior, as in least squares; each subject adds its own intercept and slope, whose prior variances are learnt. This maximises the
 * restricted likelihood: lme4's lmer(Reaction ~ Days + (Days || Subject)) has the same sds, 25.05, 5.988 and 25.57. A subject is
 * shrunk towards the others by as much as its own ten rows leave uncertain (partial pooling). An unseen subject gets the
 * population's line, with the variance between subjects added.
 *
 * cbpp (Lesnoff et al. 2004): cases of lung sickness among the cattle of 15 herds, in four periods. The logit of the share depends
 * on the period and on (1 | herd). Hyper-parameters are averaged over, so that the herds' standard deviation has a distribution. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 200 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Reads rows of four numbers (or three); returns how many. */
static size_t read_rows(const char *path, double (*row)[4])
{
    char line[128];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && n < ROWS && fgets(line, sizeof line, f))
        if (sscanf(line, "%lf,%lf,%lf,%lf", row[n], row[n] + 1, row[n] + 2, row[n] + 3) >= 3) n++;
    if (f) fclose(f);
    return n;
}

static bln_basis *parse(const char *text, const char *const *names, const bln_data *rows)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    spec.text = text;
    spec.d = rows->d;
    spec.names = names;
    spec.rows = rows;                                              /* the levels of the groups come from these */
    must(bln_basis_parse(&spec, &basis, &report), &report);
    return basis;
}

static void sleep_study(const double (*row)[4], size_t n)
{
    static const char *const names[] = { "days", "subject" };
    static const double prior_var[] = { HUGE_VAL, 0.0, 0.0 };     /* flat; learnt, learnt */
    static const double X[] = { 9, 308,   9, 335,   9, 999,   9, BLN_GROUP_NONE };
    static const char *const who[] = { "subject 308", "subject 335", "a new subject", "the population" };
    double x[2*ROWS], y[ROWS], f[4], model[4], noise[4], w[64], sd[64];
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_report report = BLN_ZERO;
    for (size_t i = 0; i < n; i++) { y[i] = row[i][0]; x[2*i] = row[i][1]; x[2*i + 1] = row[i][2]; }
    data.n = n;   data.d = 2;   data.X = x;   data.y = y;
    bln_basis *basis = parse("linear+group:by=subject,cols=days", names, &data);
    desc.basis = basis;
    desc.prior_var = prior_var;
    must(bln_slm_create(&desc, &slm, &report), &report);
    must(bln_slm_fit(slm, &data, &report), &report);
    printf("sleepstudy: noise sd %.2f, evidence %.2f\n", sqrt(bln_slm_noise_cov(slm)[0]), bln_slm_evidence(slm));
    for (size_t s = 1; s < basis->n_slices; s++) {
        char name[32];
        bln_basis_slice_name(basis, s, names, name, sizeof name);
        printf("  sd of %-14s %6.3f\n", name, sqrt(bln_slm_prior_var(slm)[s]));
    }
    must(bln_posterior_coefficients(bln_slm_posterior(slm), w, sd, 0, NULL, NULL, NULL, &report), &report);
    for (size_t j = 0; j < basis->D; j++) {
        char name[32];
        bln_basis_feature_name(basis, j, names, name, sizeof name);
        if (j < 4 || j == bln_basis_slice(basis, 2) - 1) printf("  %-16s %8.3f, sd %6.3f\n", name, w[j], sd[j]);
    }
    query.n = 4;   query.d = 2;   query.X = X;
    must(bln_slm_predict(slm, &query, f, model, noise, NULL, &report), &report);
    for (size_t i = 0; i < 4; i++) printf("  day 9 of %-15s %.1f, sd %.1f\n", who[i], f[i], sqrt(model[i]));
    bln_slm_free(slm);
    bln_basis_free(basis);
}

static void herds(const double (*row)[4], size_t n)
{
    static const char *const names[] = { "period 2", "period 3", "period 4", "herd" };
    double x[4*ROWS], y[ROWS], size[ROWS], w[64], sd[64], mean[2], model[2], noise[2];
    static const double X[] = { 0, 0, 0, 8,   0, 0, 0, 99 }, one[] = { 1, 1 };
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_glm *glm = NULL;
    bln_report report = BLN_ZERO;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) x[4*i + (size_t)k] = row[i][1] == k + 2.0;
        x[4*i + 3] = row[i][0];
        y[i] = row[i][2];
        size[i] = row[i][3];
    }
    data.n = n;   data.d = 4;   data.X = x;   data.y = y;   data.trials = size;
    bln_basis *basis = parse("linear+group:by=herd", names, &data);
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.method = bln_glm_integrated(NULL);
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, &data, &report), &report);
    must(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, &report), &report);
    puts("cbpp: log odds of a case");
    for (size_t j = 0; j < basis->D; j++) {
        char name[32];
        bln_basis_feature_name(basis, j, names, name, sizeof name);
        if (j < 4 || j == 11 || j + 1 == basis->D) printf("  %-16s %6.2f, sd %.2f\n", name, w[j], sd[j]);
    }
    query.n = 2;   query.d = 4;   query.X = X;   query.trials = one;
    must(bln_glm_predict(glm, &query, mean, model, noise, NULL, &report), &report);
    printf("  first period: %.3f of herd 8, %.3f of a herd that was not seen\n", mean[0], mean[1]);
    bln_glm_free(glm);
    bln_basis_free(basis);
}

int main(void)
{
    static double row[ROWS][4];
    size_t n = read_rows("examples/data/sleepstudy.csv", row);
    if (n != 180) return fputs("examples/data/sleepstudy.csv: not here; run this at the top of the project\n", stderr), 1;
    sleep_study((const double (*)[4])row, n);
    n = read_rows("examples/data/cbpp.csv", row);
    if (n != 56) return fputs("examples/data/cbpp.csv: not here\n", stderr), 1;
    herds((const double (*)[4])row, n);
    return 0;
}
