/* 21_approximations.c - a Gaussian in place of the posterior: fast, and with a diagnosis whether to believe it
 *
 *     cc -O2 -I. examples/21_approximations.c -o 21_approximations -lm && ./21_approximations      (at the top)
 *
 * The eight schools of 20_programs.c, whose evidence and moments are known by quadrature: log p(y) = -31.311, mean (sd) of mu 4.40
 * (3.32), of tau 3.60 (3.22). First a Gaussian is found by optimisation (>>advi), with independent coordinates and then with all
 * correlations; it gives a bound of the evidence, k-hat of its importance weights, and the posterior from its weighted draws. In
 * the centred form, theta_j ~ N(mu, tau), the same model is far from a Gaussian, which k-hat shows. Then the draws of Pathfinder
 * start the no-U-turn sampler, which needs a warm-up of 150 instead of 1000 transitions. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <stdlib.h>

static const double y[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* p: mu, tau, and eta with theta = mu + tau eta, or theta itself if *centred. */
static bln_status schools(bln_tape *t, const bln_var *p, void *centred)
{
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_cauchy(t, p[1], bln_c_num(t, 5));
    if (*(int *)centred) bln_lp_normal(t, p[2], p[0], p[1]);
    else bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, y, 8), *(int *)centred ? p[2] : bln_v_fma(t, p[1], p[2], p[0]), bln_c_vec(t, s, 8));
    return BLN_OK;
}

static bln_program *model(int *centred)
{
    static const bln_program_parameter parameters[] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE) };
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report = BLN_ZERO;
    desc.model = schools;
    desc.user = centred;
    desc.parameters = parameters;
    desc.n_parameters = 3;
    must(bln_program_create(&desc, &program, &report), &report);
    return program;
}

static void line(const bln_chains *draws, const char *name)
{
    bln_summary x;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(draws, bln_chains_find(draws, name), &x, &report), &report);
    printf("    %-5s mean %5.2f, sd %5.2f\n", name, x.mean, x.sd);
}

static void gaussian(const char *what, bln_program *program, bln_advi_family family)
{
    bln_advi_desc desc = BLN_ZERO;
    bln_advi *advi = NULL;
    bln_chains *weighted = NULL;
    bln_report report = BLN_ZERO;
    desc.density = bln_program_density(program);
    desc.family = family;
    desc.draws = 20000;
    desc.seed = 1;
    must(bln_advi_fit(&desc, &advi, &report), &report);
    const bln_approximation *q = bln_advi_result(advi);
    printf("%s: ELBO %.2f, log evidence %.2f\n", what, q->importance.elbo, q->importance.log_evidence);
    printf("    %s\n", q->importance.good ? "believe its draws with their weights" : "do not believe it");
    if (q->importance.good) {
        must(bln_chains_resample(q->draws, 4000, 0, 0, &weighted, &report), &report);
        line(weighted, "mu");
        line(weighted, "tau");
    }
    bln_chains_free(weighted);
    bln_advi_free(advi);
}

int main(void)
{
    int is_centred = 1, is_not = 0;
    bln_program *centred = model(&is_centred), *non_centred = model(&is_not);
    bln_pathfinder_desc path = BLN_ZERO;
    bln_pathfinder *found = NULL;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_chains *draws = NULL;
    bln_diagnosis diagnosis;
    bln_report report = BLN_ZERO;

    gaussian("mean field", non_centred, BLN_ADVI_MEAN_FIELD);
    gaussian("full", non_centred, BLN_ADVI_FULL);
    gaussian("full, centred", centred, BLN_ADVI_FULL);

    path.density = bln_program_density(non_centred);
    must(bln_pathfinder_fit(&path, &found, &report), &report);
    const bln_approximation *q = bln_pathfinder_result(found);
    hmc.density = path.density;
    hmc.start = q->starts;
    hmc.n_starts = q->n_starts;
    hmc.inverse_metric = q->variance;
    hmc.warmup = 150;
    hmc.draws = 4000;
    hmc.accept = 0.95;
    must(bln_hmc_sample(&hmc, &draws, &report), &report);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("no-U-turn sampler from Pathfinder's draws: R-hat %s\n", diagnosis.rhat <= 1.01 ? "at most 1.01" : "too large");
    line(draws, "mu");
    line(draws, "tau");

    bln_chains_free(draws);
    bln_pathfinder_free(found);
    bln_program_free(centred);
    bln_program_free(non_centred);
    return 0;
}
