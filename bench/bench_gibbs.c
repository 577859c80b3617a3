/* bench_gibbs.c - what a sweep of the method `gibbs` costs, and its effective draws beside those of `nuts`
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_gibbs.c -o build/bench_gibbs -lm
 *     build/bench_gibbs                          a sweep beside one bln_syrk of the same size, taken by turns
 *     build/bench_gibbs FAMILY TABLE.csv [SD]    last column y; inputs standardised; `linear`; the prior sd SD is held, or learnt
 *     build/bench_gibbs FAMILY TABLE.csv SD DRAWS.csv [ETA ...]      writes the draws of `gibbs` of the first round too, and
 *                                                holds the parameters of the likelihood at ETA, or learns them
 *
 * The second prints for both methods, taken by turns in one run of two rounds each: user seconds of a fit with 4 chains of 1000
 * draws (its search and warm-up included), the least and the median effective sample size of the weights (bulk), per second, the
 * largest R-hat, and the largest difference of their means in posterior standard deviations. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "table.h"
#include <stdio.h>
#include <time.h>

static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

/* A sweep, and syrk, by turns: the least of ten. */
static void sweep(size_t n, size_t D, int learn)
{
    double *X = (double *)malloc(n*D*sizeof *X), *y = (double *)malloc(n*sizeof *y), *G = (double *)malloc(D*D*sizeof *G);
    double best[2] = { HUGE_VAL, HUGE_VAL };
    static const double one = 1.0;
    bln_rng rng;
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *linear = NULL;
    bln_glm *glm = NULL;
    bln_report report;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, n*(D - 1), X);
    for (size_t i = 0; i < n; i++) y[i] = bln_rng_uniform(&rng) < 1.0/(1.0 + exp(-0.5*X[i*(D - 1)]));
    data.n = n;
    data.d = D - 1;
    data.X = X;
    data.y = y;
    spec.text = "linear";
    spec.d = D - 1;
    must(bln_basis_parse(&spec, &linear, &report), &report);
    desc.basis = linear;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.prior_var = &one;
    desc.fix_prior_var = !learn;
    own.chains = 1;
    own.slice_moves = BLN_NONE;
    desc.method = bln_glm_gibbs(&own);
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_init(glm, &data, &report), &report);
    blni_gibbs *t = (blni_gibbs *)glm->fit->state;
    while (!t->keep.sampling) must(bln_glm_step(glm, &report), &report);
    for (int round = 0; round < 10; round++) {
        double from = seconds();
        blni_gibbs_sweep(t, t->chain);
        const double swept = seconds() - from;
        from = seconds();
        bln_syrk(BLN_TRANS, D, n, 1.0, t->rows->Phi, D, 0.0, G, D);
        const double product = seconds() - from;
        best[0] = swept < best[0] ? swept : best[0];
        best[1] = product < best[1] ? product : best[1];
    }
    printf("%zu rows, %zu weights%s: a sweep %.3f ms, bln_syrk %.3f ms, ratio %.3f\n", n, D, learn ? ", prior variance drawn" : "",
           1e3*best[0], 1e3*best[1], best[0]/best[1]);
    bln_glm_free(glm);
    bln_basis_free(linear);
    free(X);
    free(y);
    free(G);
}

static int by_size(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

static bln_status to_file(void *file, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)file) == n ? BLN_OK : BLN_EIO;
}

static void write_draws(const bln_chains *chains, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file) {
        bln_writer w = bln_writer_over(to_file, file);
        const bln_status status = bln_chains_write_csv(chains, &w);
        if (fclose(file) == 0 && status == BLN_OK) return;
    }
    printf("cannot write %s\n", path);
    exit(1);
}

/* draws: where those of the first round of gibbs go, or NULL. eta: as many as the likelihood has, or NULL. */
static void beside(const char *family, const char *path, double sd, const char *draws, size_t n_eta, const double *eta)
{
    static const char *const names[2] = { "gibbs", "nuts" };
    static double mean[2][INPUTS + 1], spread[INPUTS + 1], ess[INPUTS + 1];
    const double variance = sd*sd;
    const bln_load all = bln_builtin();
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *linear = NULL;
    bln_report report;
    double worst = 0.0;
    read_rows(path, 0, 0, &data);
    spec.text = "linear";
    spec.d = data.d;
    must(bln_basis_parse(&spec, &linear, &report), &report);
    desc.basis = linear;
    for (size_t i = 0; i < all.n_likelihoods; i++)
        if (!strcmp(all.likelihoods[i].ops->name, family)) desc.likelihood = all.likelihoods[i];
    if (!desc.likelihood.ops) { printf("no family %s\n", family); exit(1); }
    if (n_eta && n_eta != desc.likelihood.n_theta) { printf("%s has %zu parameters\n", family, desc.likelihood.n_theta); exit(1); }
    desc.likelihood_theta = n_eta ? eta : NULL;
    desc.fix_likelihood = n_eta > 0;
    if (!desc.likelihood.ops->discrete) standardise(y, data.n, 1);
    desc.prior_var = sd > 0.0 ? &variance : NULL;
    desc.fix_prior_var = sd > 0.0;
    const size_t D = linear->D;
    for (int round = 0; round < 4; round++) {
        const int way = round % 2;
        bln_glm_gibbs_desc gibbs = BLN_ZERO;
        bln_glm_nuts_desc nuts = BLN_ZERO;
        bln_glm *glm = NULL;
        double rhat = 0.0;
        desc.seed = (uint64_t)round;
        desc.method = way ? bln_glm_nuts(&nuts) : bln_glm_gibbs(&gibbs);
        const double from = seconds();
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        const double took = seconds() - from;
        for (size_t k = 0; k < D; k++) {
            bln_summary s;
            must(bln_chains_summary(bln_glm_chains(glm), k, &s, &report), &report);
            mean[way][k] = s.mean;
            spread[k] = s.sd;
            ess[k] = s.ess_bulk;
            rhat = s.rhat > rhat ? s.rhat : rhat;
        }
        qsort(ess, D, sizeof *ess, by_size);
        printf("%-6s %.3f s: ESS least %.0f, median %.0f; a second %.0f, %.0f; R-hat %.4f%s%s\n", names[way], took, ess[0],
               ess[D/2], ess[0]/took, ess[D/2]/took, rhat, report.text[0] ? "; " : "", report.text);
        if (draws && round == 0) write_draws(bln_glm_chains(glm), draws);
        bln_glm_free(glm);
    }
    for (size_t k = 0; k < D; k++) worst = fmax(worst, fabs(mean[0][k] - mean[1][k])/spread[k]);
    printf("%zu rows, %zu weights; means differ by %.3f standard deviations at most\n", data.n, D, worst);
    bln_basis_free(linear);
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        double eta[BLN_LIKELIHOOD_THETA];
        size_t n_eta = 0;
        for (int i = 5; i < argc && n_eta < BLN_LIKELIHOOD_THETA; i++) eta[n_eta++] = atof(argv[i]);
        beside(argv[1], argv[2], argc > 3 ? atof(argv[3]) : 0.0, argc > 4 ? argv[4] : NULL, n_eta, eta);
        return 0;
    }
    sweep(10000, 256, 0);
    sweep(10000, 256, 1);
    sweep(1000, 49, 0);
    sweep(1000, 49, 1);
    return 0;
}
