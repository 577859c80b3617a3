/* bench_softmax.c - rows held out, of several classes: softmax and the three forms of the logistic softmax
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_softmax.c -o build/bench_softmax -lm
 *     build/bench_softmax TABLE.csv FORM METHOD [SPLITS]
 *
 * bench/softmax.py makes the table, runs this program and prints what docs/several_classes.md shows. TABLE.csv: ten columns,
 * one for each split, with 1 for a row held out; inputs; the class, from 0. FORM: softmax, over, bijective or scaled; METHOD: full,
 * laplace, sweeps (cavi with the bound of its sweeps) or gibbs (4 chains of 1000 draws after 500; its fit begins at what Laplace's
 * evidence learns). `linear` on inputs
 * standardised by the training rows, one prior variance for all weights, learnt. A line for each split: log loss and error rate of
 * the rows held out, processor seconds of the fit, and of draws the largest R-hat (else 0); nan and the reason where the fit is
 * refused. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "table.h"

enum { SPLITS = 10, CLASSES = 16 };

static bln_likelihood form_of(const char *name, size_t classes)
{
    static const char *const forms[] = { "over", "bijective", "scaled" };
    for (int k = 0; k < 3; k++) if (!strcmp(name, forms[k])) return bln_likelihood_logistic_softmax(classes, (bln_softmax)k);
    return bln_likelihood_categorical(classes);
}

static bln_glm_method method_of(const char *name)
{
    static bln_glm_gibbs_desc draws;                               /* the method points to it */
    static bln_glm_cavi_desc sweeps;
    draws.warmup = 500;
    sweeps.bound = BLN_CAVI_COLLAPSED;
    if (!strcmp(name, "gibbs")) return bln_glm_gibbs(&draws);
    if (!strcmp(name, "sweeps")) return bln_glm_cavi(&sweeps);
    return strcmp(name, "laplace") ? bln_glm_full(NULL) : bln_glm_laplace();
}

/* The rows that split k holds out, or learns from. */
static void gather(const bln_data *all, size_t k, double out, double *inputs, double *targets, bln_data *part)
{
    const size_t d = all->d - SPLITS;
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const double *row = all->X + i*all->d;
        if (row[k] != out) continue;
        memcpy(inputs + n*d, row + SPLITS, d*sizeof *inputs);
        targets[n++] = all->y[i];
    }
    part->n = n;
    part->d = d;
    part->X = inputs;
    part->y = targets;
}

static void standardise_both(size_t d, size_t learn, double *a, size_t held, double *b)
{
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < learn; i++) mean += a[i*d + j]/(double)learn;
        for (size_t i = 0; i < learn; i++) square += (a[i*d + j] - mean)*(a[i*d + j] - mean)/(double)learn;
        const double sd = square > 0.0 ? sqrt(square) : 1.0;
        for (size_t i = 0; i < learn; i++) a[i*d + j] = (a[i*d + j] - mean)/sd;
        for (size_t i = 0; i < held; i++) b[i*d + j] = (b[i*d + j] - mean)/sd;
    }
}

static double worst_hat(const bln_chains *c)
{
    double worst = 0.0;
    bln_report report;
    bln_summary s;
    for (size_t k = 0; c && k < bln_chains_columns(c); k++) {
        must(bln_chains_summary(c, k, &s, &report), &report);
        if (s.rhat > worst) worst = s.rhat;
    }
    return worst;
}

static void one(bln_glm *glm, const bln_data *all, size_t k, size_t classes)
{
    static double a[ROWS*INPUTS], b[ROWS*INPUTS], ya[ROWS], yb[ROWS], p[ROWS*CLASSES];
    bln_data learn = BLN_ZERO, held = BLN_ZERO;
    bln_report report;
    double loss, errors;
    gather(all, k, 0.0, a, ya, &learn);
    gather(all, k, 1.0, b, yb, &held);
    standardise_both(learn.d, learn.n, a, held.n, b);
    const double from = seconds();
    const bln_status status = bln_glm_fit(glm, &learn, &report);
    const double took = seconds() - from;
    if (status != BLN_OK) {
        printf("nan nan %.3f nan %s\n", took, report.text);
        fflush(stdout);
        return;
    }
    must(bln_glm_predict(glm, &held, p, NULL, NULL, NULL, &report), &report);
    must(bln_log_loss(held.n, classes, yb, p, &loss, &report), &report);
    must(bln_error_rate(held.n, classes, yb, p, &errors, &report), &report);
    printf("%.6f %.6f %.3f %.3f\n", loss, errors, took, worst_hat(bln_glm_chains(glm)));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bln_data all = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    bln_report report;
    size_t classes = 0;
    if (argc < 4) return 1;
    read_rows(argv[1], 1, 0, &all);
    for (size_t i = 0; i < all.n; i++) if ((size_t)all.y[i] >= classes) classes = (size_t)all.y[i] + 1;
    spec.text = "linear";
    spec.d = all.d - SPLITS;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    desc.basis = basis;
    desc.likelihood = form_of(argv[2], classes);
    desc.method = method_of(argv[3]);
    if (!strcmp(argv[3], "gibbs")) desc.hyper = bln_glm_laplace();
    must(bln_glm_create(&desc, &glm, &report), &report);
    for (size_t k = 0; k < (argc > 4 ? (size_t)atoi(argv[4]) : SPLITS); k++) one(glm, &all, k, classes);
    bln_glm_free(glm);
    bln_basis_free(basis);
    return 0;
}
