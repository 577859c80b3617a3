/* bench_glm.c - stochastic fits of the generalised linear model: cost of a step, noise of its gradient, and how far a budget goes
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_glm.c -o build/bench_glm -lm && build/bench_glm [step|noise|budget|fit ...]
 *
 * Two classes by a logit, random frequencies with a length scale to learn. Seconds of processor time, the least of several. Lines
 * of `step` are read by revrand.py. */
#define _POSIX_C_SOURCE 199309L
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include <stdio.h>

enum { INPUTS = 8 };

static const char *const kinds[] = { "rule", "local", "weights" };

/* n rows whose log odds are a wave in the first inputs and a line in the others. */
static bln_data bench_rows(size_t n)
{
    bln_data data = BLN_ZERO;
    double *X = (double *)malloc(n*(INPUTS + 1)*sizeof *X);
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    data.n = n;
    data.d = INPUTS;
    data.X = X;
    data.y = X + n*INPUTS;
    if (!X) exit(1);
    bln_rng_normals(&rng, n*INPUTS, X);
    for (size_t i = 0; i < n; i++) {
        double f = 0.0;
        for (size_t j = 0; j < INPUTS; j++) f += j < 2 ? 1.5*sin(1.5*X[i*INPUTS + j]) : 0.4*X[i*INPUTS + j];
        X[n*INPUTS + i] = bln_rng_uniform(&rng) < 1.0/(1.0 + exp(-f));
    }
    return data;
}

static bln_basis *bench_basis(size_t frequencies)
{
    char spec[64];
    bln_spec_desc desc = BLN_ZERO;
    bln_basis *basis = NULL;
    snprintf(spec, sizeof spec, "rbf:n=%lu", (unsigned long)frequencies);
    desc.text = spec;
    desc.d = INPUTS;
    desc.seed = 1;
    if (bln_basis_parse(&desc, &basis, NULL) != BLN_OK) exit(1);
    return basis;
}

static bln_glm *bench_model(const bln_glm_desc *desc)
{
    bln_glm *glm = NULL;
    bln_report report;
    if (bln_glm_create(desc, &glm, &report) != BLN_OK) { puts(report.text); exit(1); }
    return glm;
}

static bln_glm_desc bench_desc(const bln_basis *basis, size_t K, size_t batch, bln_glm_mixture_desc *own)
{
    bln_glm_desc d = BLN_ZERO;
    memset(own, 0, sizeof *own);
    d.basis = basis;
    d.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    own->components = K;
    own->steps.batch = batch;
    d.method = bln_glm_mixture(own);
    d.block = batch < 256 ? batch : 256;
    return d;
}

/* A fit at the point where its steps begin. */
static blni_glm_fit *bench_begin(bln_glm *glm, const bln_data *data)
{
    if (bln_glm_init(glm, data, NULL) != BLN_OK) exit(1);
    while (((const blni_glm_mixture *)glm->fit->state)->mode) if (bln_glm_step(glm, NULL) != BLN_OK) exit(1);
    return glm->fit;
}

/* Microseconds of a step, learning everything: the least of 25 epochs of twenty, or of five where there are many draws. */
static void step(size_t K, size_t frequencies, size_t batch, bln_glm_expectation kind, size_t draws)
{
    bln_basis *basis = bench_basis(frequencies);
    const bln_data data = bench_rows(20*batch);
    bln_glm_mixture_desc own;
    bln_glm_desc desc = bench_desc(basis, K, batch, &own);
    double best = 1e9;
    own.expectation = kind;
    own.draws = draws;
    own.start = BLN_GLM_START_RANDOM;
    bln_glm *glm = bench_model(&desc);
    bench_begin(glm, &data);
    for (int k = 0; k < (draws > 1 ? 5 : 25); k++) {
        const double start = seconds();
        if (bln_glm_step(glm, NULL) != BLN_OK) exit(1);
        const double used = seconds() - start;
        best = used < best ? used : best;
    }
    printf("step  K %3lu  D %5lu  batch %4lu  %-8s draws %3lu  %10.1f us\n", (unsigned long)K, (unsigned long)basis->D,
           (unsigned long)batch, kinds[kind], (unsigned long)draws, 1e6*best/20.0);
    fflush(stdout);
    bln_glm_free(glm);
    bln_basis_free(basis);
    free((void *)data.X);
}

static void steps(void)
{
    static const size_t batches[] = { 10, 100, 256 };
    for (size_t i = 0; i < 3; i++) {
        step(10, 800, batches[i], BLN_GLM_EXPECT_RULE, 1);
        step(10, 800, batches[i], BLN_GLM_EXPECT_LOCAL, 1);
        step(10, 800, batches[i], BLN_GLM_EXPECT_WEIGHTS, 1);
        step(10, 800, batches[i], BLN_GLM_EXPECT_WEIGHTS, 50);
    }
}

/* The noise of the draws in one batch's gradient, over the norm of that gradient: sqrt(sum var_i)/sqrt(sum mean_i^2) of the
 * coordinates of means and of log variances; and of the choice of rows, by the rule. */
static void noise(const bln_data *data, const bln_basis *basis, bln_glm_expectation kind, size_t draws, int rows)
{
    enum { TIMES = 400 };
    bln_glm_mixture_desc own;
    bln_glm_desc desc = bench_desc(basis, 1, 100, &own);
    own.expectation = kind;
    own.draws = draws;
    bln_glm *glm = bench_model(&desc);
    blni_glm_fit *f = bench_begin(glm, data);
    blni_glm_search *search = &f->search;
    blni_bound *bound = &((blni_glm_mixture *)f->state)->q;
    const size_t n = search->n_q, KD = n/2;
    double *sum = (double *)calloc(2*search->n, sizeof *sum), *square = sum + n, value, part[2][2] = { { 0, 0 }, { 0, 0 } };
    if (!sum) exit(1);
    for (uint64_t t = 0; t < TIMES; t++) {
        /* the batch of step 0 with the draws of step t, or the batches of steps t without any */
        blni_glm_batch_take(&f->batches, rows ? t : 0, &f->rows);
        search->evaluated = 0;
        blni_bound_draw(bound, 1, t);
        blni_glm_search_objective(f, search->n, search->x0, &value, search->gradient, NULL);
        blni_glm_batch_done(&f->batches, &f->rows);
        for (size_t i = 0; i < n; i++) {
            sum[i] += search->gradient[i]/TIMES;
            square[i] += search->gradient[i]*search->gradient[i]/TIMES;
        }
    }
    for (size_t i = 0; i < n; i++) {
        part[i >= KD][0] += square[i] - sum[i]*sum[i];
        part[i >= KD][1] += sum[i]*sum[i];
    }
    printf("noise %-8s draws %3lu  %-12s of means %9.3f  of log variances %9.3f\n", kinds[kind], (unsigned long)draws,
           rows ? "and rows" : "alone", sqrt(part[0][0]), sqrt(part[1][0]));
    fflush(stdout);
    free(sum);
    bln_glm_free(glm);
}

static void noises(void)
{
    bln_basis *basis = bench_basis(50);
    const bln_data data = bench_rows(2000);
    puts("(root of the sum of variances; the coordinates are of one posterior standard deviation; batches of 100 of 2000 rows)");
    noise(&data, basis, BLN_GLM_EXPECT_RULE, 1, 1);
    for (size_t draws = 1; draws <= 50; draws = draws == 1 ? 10 : 5*draws) noise(&data, basis, BLN_GLM_EXPECT_LOCAL, draws, 0);
    for (size_t draws = 1; draws <= 50; draws = draws == 1 ? 10 : 5*draws) noise(&data, basis, BLN_GLM_EXPECT_WEIGHTS, draws, 0);
    bln_basis_free(basis);
    free((void *)data.X);
}

/* The bound after so many epochs below the greatest: Adam with its rates, then natural-gradient steps with theirs, from the same
 * start, length scale held. A full Gaussian has the latter only. */
static void budget(int full)
{
    static const double diagonal[] = { 0.0, 0.005, 0.01, 0.02, 0.05 }, whole[] = { 0.0, 0.003, 0.01, 0.03, 0.1 };
    static const size_t epochs[] = { 1, 3, 10, 30, 100 };
    const double *natural = full ? whole : diagonal;
    bln_basis *basis = bench_basis(50);
    const bln_data data = bench_rows(5000);
    bln_glm_mixture_desc own;
    bln_glm_full_desc own_full = BLN_ZERO;
    bln_glm_desc desc = bench_desc(basis, 1, 0, &own);
    bln_glm_stochastic *steps = full ? &own_full.steps : &own.steps;
    if (full) desc.method = bln_glm_full(&own_full);
    desc.block = 256;
    desc.fix_theta = 1;
    desc.tolerance = 1e-12;
    bln_glm *glm = bench_model(&desc);
    if (bln_glm_fit(glm, &data, NULL) != BLN_OK) exit(1);
    const double top = bln_glm_objective(glm);
    printf("budget, %s: nats below the greatest bound, %.2f, of %lu rows and %lu features, after epochs of batches of 100\n",
           full ? "full" : "diagonal", top, (unsigned long)data.n, (unsigned long)basis->D);
    bln_glm_free(glm);
    steps->batch = 100;
    for (size_t j = full ? 2 : 0; j < 7; j++) {
        static const double rates[] = { 0.01, 0.03, 0.1 };
        const size_t k = j < 3 ? 0 : j - 2;
        steps->natural = natural[k];
        steps->rate = j < 3 && !full ? rates[j] : 0.0;
        if (j < 3 && full) printf("natural default");
        else printf("%s %-7g", j < 3 ? "Adam   " : "natural", j < 3 ? rates[j] : natural[k]);
        for (size_t e = 0; e < 5; e++) {
            desc.max_iterations = epochs[e];
            glm = bench_model(&desc);
            if (bln_glm_fit(glm, &data, NULL) != BLN_OK) exit(1);
            printf("  %4lu: %8.3f", (unsigned long)epochs[e], top - bln_glm_objective(glm));
            fflush(stdout);
            bln_glm_free(glm);
        }
        putchar('\n');
    }
    bln_basis_free(basis);
    free((void *)data.X);
}

/* A full fit, everything learnt: seconds, and the bound, by epochs of batches, and by L-BFGS. */
static void fit(size_t n, size_t frequencies, size_t K, size_t batch, size_t epochs)
{
    bln_basis *basis = bench_basis(frequencies);
    const bln_data data = bench_rows(n);
    bln_glm_mixture_desc own;
    bln_glm_desc desc = bench_desc(basis, K, batch, &own);
    desc.max_iterations = batch ? epochs : 0;
    desc.block = batch && batch < 256 ? batch : 256;
    bln_glm *glm = bench_model(&desc);
    const double start = seconds();
    if (bln_glm_fit(glm, &data, NULL) != BLN_OK) exit(1);
    printf("fit  n %lu  K %lu  D %lu  batch %lu  epochs %lu  %8.3f s  bound %.3f\n", (unsigned long)n, (unsigned long)K,
           (unsigned long)basis->D, (unsigned long)batch, (unsigned long)epochs, seconds() - start, bln_glm_objective(glm));
    fflush(stdout);
    bln_glm_free(glm);
    bln_basis_free(basis);
    free((void *)data.X);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc || i == 1; i++) {
        const char *what = argc > 1 ? argv[i] : "";
        if (!*what || !strcmp(what, "step")) steps();
        if (!*what || !strcmp(what, "noise")) noises();
        if (!*what || !strcmp(what, "budget")) { budget(0); budget(1); }
        if (!*what || !strcmp(what, "fit")) { fit(2000, 100, 2, 10, 20); fit(2000, 100, 2, 0, 0); }
    }
    return 0;
}
