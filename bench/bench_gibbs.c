/* bench_gibbs.c - what a sweep of the method `gibbs` costs, and its effective draws beside those of `nuts`
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_gibbs.c -o build/bench_gibbs -lm
 *     build/bench_gibbs                          a sweep, its parts and what it is compared with, taken by turns
 *     build/bench_gibbs FAMILY TABLE.csv [SD]    last column y; inputs standardised; `linear`; the prior sd SD is held, or learnt
 *     build/bench_gibbs FAMILY TABLE.csv SD DRAWS.csv [ETA ...]      writes the draws of `gibbs` of the first round too, and
 *                                                holds the parameters of the likelihood at ETA, or learns them
 *
 * The first prints a row for each size: rows, weights, is the prior variance held or drawn; then medians of 41 rounds in ms: a
 * sweep; its peer, which is one bln_syrk of all rows or, with fewer rows than weights, one bln_potrf of their n x n matrix and two
 * bln_gemv; their ratio, and that of the least of each; the parts of a sweep, which are the draws of the auxiliary variables, the
 * sums over rows, one J [augmentation 6], the slices of prior variances, the draw of the weights, Phi w and log p(y | f); and how
 * many J a sweep needs on average.
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

static int by_size(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

enum { ROUNDS = 41 };
enum { SWEEP, PEER, SITES, GATHER, EVIDENCE, SLICES, DRAW, PRODUCT, LIKELIHOOD, TIMES };

static double median(double *x)
{
    qsort(x, ROUNDS, sizeof *x, by_size);
    return x[ROUNDS/2];
}

/* What a sweep is beside: bln_syrk of all rows, or, with fewer rows than weights, bln_potrf of their matrix and two bln_gemv. */
static double peer(const blni_sites *s, const double *positive, double *G, double *w, double *f)
{
    const size_t n = s->of->n, D = s->of->D;
    const double *Phi = s->of->Phi;
    size_t bad;
    if (s->of->dual) memcpy(G, positive, n*n*sizeof *G);
    const double from = seconds();
    if (s->of->dual) {
        bln_potrf(n, G, n, &bad);
        bln_gemv(BLN_NOTRANS, n, D, 1.0, Phi, D, w, 0.0, f);
        bln_gemv(BLN_TRANS, n, D, 1.0, Phi, D, f, 0.0, w);
    } else bln_syrk(BLN_TRANS, D, n, 1.0, Phi, D, 0.0, G, D);
    return seconds() - from;
}

static size_t evidences;                                          /* that slices have asked for */

static double counted_line(void *user, double u)
{
    evidences++;
    return blni_gibbs_slice_line(user, u);
}

/* The parts of a sweep by themselves, after it: seconds. */
static void parts(blni_gibbs *t, bln_rng *rng, double *w, double (*took)[ROUNDS], int round)
{
    blni_gibbs_chain *c = t->chain;
    double from = seconds();
    blni_gibbs_factors(t, c, 0, 1, 1);
    took[SITES][round] = seconds() - from;
    from = seconds();
    blni_sites_gather(c->sites);
    took[GATHER][round] = seconds() - from;
    took[SITES][round] -= took[GATHER][round];
    from = seconds();
    double value = blni_gibbs_evidence(c, 0, 1);
    took[EVIDENCE][round] = seconds() - from;
    from = seconds();
    for (size_t k = 0; k < t->priors; k++) {
        blni_gibbs_line line = { t, c, k, 0, 1, 0.0, 0.0, 0.0 };
        blni_gibbs_move(&line, &value, counted_line, rng);
    }
    took[SLICES][round] = seconds() - from;
    from = seconds();
    blni_sites_weights(c->sites, rng, w);
    took[DRAW][round] = seconds() - from;
    from = seconds();
    blni_gibbs_product(t, c, 0, 1, w, 0.0, c->trial);
    took[PRODUCT][round] = seconds() - from;
    from = seconds();
    blni_gibbs_value(t, c, c->f);
    took[LIKELIHOOD][round] = seconds() - from;
}

/* A sweep, its parts and what it is beside, by turns: a row of the table, medians; and the ratio of the least. */
static void sweep(size_t n, size_t D, int learn)
{
    double *X = (double *)malloc(n*D*sizeof *X), *y = (double *)malloc(n*sizeof *y), *w = (double *)malloc(D*sizeof *w);
    const size_t m = n < D ? n : D;
    double *G = (double *)malloc(2*m*m*sizeof *G), *f = (double *)malloc(n*sizeof *f), least[2] = { HUGE_VAL, HUGE_VAL };
    static double took[TIMES][ROUNDS];
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
    for (size_t i = 0; i < m*m && n < D; i++) G[m*m + i] = t->chain->sites->G[i] + (i % (m + 1) ? 0.0 : 4.0);
    for (int round = 0; round < ROUNDS; round++) {
        const double from = seconds();
        blni_gibbs_sweep(t, t->chain);
        took[SWEEP][round] = seconds() - from;
        parts(t, &rng, w, took, round);
        took[PEER][round] = peer(t->chain->sites, G + m*m, G, w, f);
        for (int k = SWEEP; k <= PEER; k++) least[k] = fmin(least[k], took[k][round]);
    }
    double ms[TIMES];
    for (int k = 0; k < TIMES; k++) ms[k] = 1e3*median(took[k]);
    printf("%6zu %5zu  %-5s %8.3f %8.3f  %6.2f %6.2f  ", n, D, learn ? "drawn" : "held", ms[SWEEP], ms[PEER], ms[SWEEP]/ms[PEER],
           least[SWEEP]/least[PEER]);
    for (int k = SITES; k < TIMES; k++) printf(" %7.3f", ms[k]);
    printf("  %5.1f\n", 1.0 + (double)evidences/ROUNDS);
    evidences = 0;
    bln_glm_free(glm);
    bln_basis_free(linear);
    free(X);
    free(y);
    free(w);
    free(G);
    free(f);
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
    static const size_t sizes[][2] = { { 10000, 256 }, { 1000, 49 }, { 256, 1000 }, { 500, 2000 }, { 1000, 2000 } };
    puts("  rows     D  prior    sweep     peer   ratio, least    omega  gather       J  slices  draw w   Phi w    logp  Js");
    for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++)
        for (int learn = 0; learn < 2; learn++) sweep(sizes[i][0], sizes[i][1], learn);
    return 0;
}
