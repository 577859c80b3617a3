/* bench_cavi.c - sweeps of the method `cavi`, plain and accelerated, and what it gains beside `full`
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_cavi.c -o build/bench_cavi -lm
 *     build/bench_cavi TABLE.csv SD [FAMILY [raw]]     last column y; inputs standardised (raw: as they are)
 *
 * Of `bias + linear`, prior standard deviations 2 SD and SD, held, and then learnt: the bound, and CPU milliseconds of a fit, the
 * least of five; sweeps (passes over the rows, those of combinations that were taken back among them) until the bound is within
 * 1e-6 nats of its greatest, by what the gap falls in a plain sweep beside the spectral radius of the sweep's Jacobian; standard
 * deviations of the weights over those of 40,000 draws of `gibbs`. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "table.h"
#include "sweeps.h"
#include <stdio.h>
#include <time.h>

static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

/* Of held hyper-parameters: sweeps plain or accelerated until 1e-6 nats are missing, and, plain, by what the gap falls. */
static void count_sweeps(const bln_glm_desc *desc, const bln_data *data, bln_glm_cavi_sweeps sweeps)
{
    static trace t;
    bln_glm *glm = NULL;
    fixed_point end;
    double fell = 0.0, of_bound, of_m;
    blni_full *q = sweeps_open(desc, data, BLN_CAVI_ACCELERATED, &glm);
    sweep_to_the_end(q, glm);
    fixed_point_of(q, &end);
    double *u = (double *)malloc(end.n*sizeof *u);
    const double rho = sweeps == BLN_CAVI_PLAIN ? radius(q, glm, &end, u) : 0.0;
    bln_glm_free(glm);
    q = sweeps_open(desc, data, sweeps, &glm);
    sweeps_follow(q, glm, &end, &t);
    for (size_t i = 1; i < t.steps; i++) fell = fmax(fell, t.bound[i - 1] - t.bound[i]);
    rates(&t, end.bound, 1e-2, 1e-7, &of_bound, &of_m);
    printf(", sweeps to 1e-6 nats: %d, fell by %.1e at most", (int)passes_to(&t, end.bound, 1e-6), fell);
    if (sweeps == BLN_CAVI_PLAIN)
        printf("; the gap falls by %.4f a sweep, square of the spectral radius %.4f", of_bound, rho*rho);
    bln_glm_free(glm);
    fixed_point_free(&end);
    free(u);
}

static double fit(const bln_glm_desc *desc, const bln_data *data, bln_glm **out)
{
    double best = HUGE_VAL;
    bln_report report;
    for (int round = 0; round < 5; round++) {
        if (round) bln_glm_free(*out);
        const double from = seconds();
        must(bln_glm_create(desc, out, &report), &report);
        must(bln_glm_fit(*out, data, &report), &report);
        best = fmin(best, seconds() - from);
    }
    return best;
}

static int by_size(const void *a, const void *b)
{
    const double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* Standard deviations of the weights, and the ratio of others to those of draws. */
static void spread(const bln_glm *glm, double *sd)
{
    static double mean[INPUTS + 1];
    bln_report report;
    must(bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, &report), &report);
}

static void ratio(const char *name, size_t D, const double *sd, const double *draws)
{
    static double r[INPUTS + 1];
    for (size_t j = 0; j < D; j++) r[j] = sd[j]/draws[j];
    qsort(r, D, sizeof *r, by_size);
    printf("sds over those of gibbs, %s: least %.2f, median %.2f, most %.2f\n", name, r[0], r[D/2], r[D - 1]);
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "plain sweeps", "accelerated", "cavi", "full" };
    static double sds[4][INPUTS + 1], draws[INPUTS + 1];
    const double sd = argc > 2 ? atof(argv[2]) : 1.0, prior_var[] = { 4.0*sd*sd, sd*sd };
    const bln_load all = bln_builtin();
    const char *family = argc > 3 ? argv[3] : "binomial_logit";
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_glm_cavi_desc own = BLN_ZERO;
    bln_glm_gibbs_desc gibbs = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    bln_report report;
    if (argc < 2) return 1;
    read_rows(argv[1], argc > 4, 0, &data);
    spec.text = "bias + linear:ones=0";
    spec.d = data.d;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    desc.basis = basis;
    for (size_t i = 0; i < all.n_likelihoods; i++)
        if (!strcmp(all.likelihoods[i].ops->name, family)) desc.likelihood = all.likelihoods[i];
    if (!desc.likelihood.ops) { printf("no family %s\n", family); return 1; }
    if (!desc.likelihood.ops->discrete) standardise(y, data.n, 1);
    for (int learn = 0; learn < 2; learn++)
        for (int way = 0; way < 4; way++) {
            desc.prior_var = learn ? NULL : prior_var;
            desc.fix_prior_var = desc.fix_likelihood = !learn;
            own.bound = way < 2 ? BLN_CAVI_COLLAPSED : BLN_CAVI_TIGHT;
            own.sweeps = way ? BLN_CAVI_ACCELERATED : BLN_CAVI_PLAIN;
            desc.method = way < 3 ? bln_glm_cavi(&own) : bln_glm_full(NULL);
            if (learn && way == 0) continue;
            const double took = fit(&desc, &data, &glm);
            printf("%-8s%-13s bound %.6f, %.3f ms", learn ? "learnt" : "held", names[way], bln_glm_objective(glm), 1e3*took);
            if (!learn) spread(glm, sds[way]);
            if (!learn && way < 2) count_sweeps(&desc, &data, own.sweeps);
            printf("\n");
            bln_glm_free(glm);
        }
    desc.prior_var = prior_var;
    desc.fix_prior_var = desc.fix_likelihood = 1;
    gibbs.draws = 10000;
    gibbs.keep = 40000;
    desc.method = bln_glm_gibbs(&gibbs);
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, &data, &report), &report);
    for (size_t j = 0; j < basis->D; j++) {
        bln_summary one;
        must(bln_chains_summary(bln_glm_chains(glm), j, &one, &report), &report);
        draws[j] = one.sd;
    }
    ratio("sweeps alone", basis->D, sds[1], draws);
    ratio("tight", basis->D, sds[2], draws);
    bln_glm_free(glm);
    bln_basis_free(basis);
    return 0;
}
