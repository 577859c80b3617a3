/* bench_integrated.c - the methods `integrated` and `nuts` beside long runs of the sampler in other coordinates
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_integrated.c -o build/bench_integrated -lm
 *     build/bench_integrated FAMILY TABLE.csv [DRAWS]
 *
 * The last column is y, of the binomial the one before it has the trials, others are inputs.
 *
 * `linear` on standardised inputs (a real y is standardised too). Printed: how far the means of the weights are from the
 * sampler's (4 chains of DRAWS, 20000 if none are given, of weights and hyper-parameters with the priors of >>glm), in its standard
 * deviations, the least and the greatest ratio of standard deviations to its, R-hat and Monte Carlo error of the worst weight, and
 * user seconds. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "table.h"
#include <time.h>

enum { WAYS = 4 };
static const char *const ways[WAYS] = { "full", "integrated", "nuts", "sampler" };

static void sample(bln_glm *glm, const bln_data *data, size_t D, size_t draws, double *mean, double *sd)
{
    bln_glm_density *joint = NULL;
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *chains = NULL;
    bln_report report;
    double rhat = 0.0, error = 0.0;
    must(bln_glm_density_create(glm, data, &joint, &report), &report);
    desc.density = bln_glm_density_of(joint);
    desc.start = bln_glm_density_start(joint);
    desc.draws = draws;
    desc.accept = 0.9;
    must(bln_hmc_sample(&desc, &chains, &report), &report);
    for (size_t j = 0; j < D; j++) {
        bln_summary summary;
        must(bln_chains_summary(chains, j, &summary, &report), &report);
        mean[j] = summary.mean;
        sd[j] = summary.sd;
        rhat = fmax(rhat, summary.rhat);
        error = fmax(error, summary.mcse_mean/summary.sd);
    }
    printf("    sampler: R-hat %.4f, Monte Carlo error %.4f sd\n", rhat, error);
    bln_chains_free(chains);
    bln_glm_density_free(joint);
}

int main(int argc, char **argv)
{
    double seconds[WAYS], mean[WAYS][INPUTS + 1], sd[WAYS][INPUTS + 1];
    bln_likelihood l;
    bln_data data = BLN_ZERO;
    bln_basis *b;
    bln_report report;
    const bln_load all = bln_builtin();
    if (argc < 3) return 2;
    memset(&l, 0, sizeof l);
    for (size_t i = 0; i < all.n_likelihoods; i++) if (!strcmp(all.likelihoods[i].ops->name, argv[1])) l = all.likelihoods[i];
    if (!l.ops) { printf("no likelihood %s\n", argv[1]); return 2; }
    read_rows(argv[2], 0, !strcmp(argv[1], "binomial_probit"), &data);
    const size_t D = data.d + 1;
    if (!l.ops->discrete) standardise(y, data.n, 1);
    must(bln_linear_create(NULL, data.d, 1, &b), &report);
    printf("%s, %s: %lu rows, %lu weights\n", argv[2], argv[1], (unsigned long)data.n, (unsigned long)D);
    for (int k = 0; k < WAYS; k++) {
        bln_glm_desc desc = BLN_ZERO;
        bln_glm *glm = NULL;
        const clock_t began = clock();
        desc.basis = b;
        desc.likelihood = l;
        if (k == 1) desc.method = bln_glm_integrated(NULL);
        if (k == 2) desc.method = bln_glm_nuts(NULL);
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        if (k == 2) printf("    nuts: %s\n", report.text[0] ? report.text : "nothing to complain of");
        if (k < 3) must(bln_posterior_coefficients(bln_glm_posterior(glm), mean[k], sd[k], 0, NULL, NULL, NULL, &report), &report);
        else sample(glm, &data, D, argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 20000, mean[k], sd[k]);
        seconds[k] = (double)(clock() - began)/CLOCKS_PER_SEC;
        bln_glm_free(glm);
    }
    for (int k = 0; k < WAYS; k++) {
        double off = 0.0, least = HUGE_VAL, most = 0.0;
        for (size_t j = 0; j < D; j++) {
            off = fmax(off, fabs(mean[k][j] - mean[3][j])/sd[3][j]);
            least = fmin(least, sd[k][j]/sd[3][j]);
            most = fmax(most, sd[k][j]/sd[3][j]);
        }
        printf("    %-10s means off by up to %.3f sd; sds %.3f to %.3f; %.3f s\n", ways[k], off, least, most, seconds[k]);
    }
    bln_basis_free(b);
    return 0;
}
