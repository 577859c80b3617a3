/* bench_sampling.c - what the no-U-turn sampler costs beside the gradients, and what its draws are worth
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_sampling.c -o build/bench_sampling -lm && build/bench_sampling
 *     build/bench_sampling data FOLDER && Rscript bench/rstan.R FOLDER             the same models by rstan, where it is there
 *     build/bench_sampling programs                          only the lines of programs
 *     build/bench_sampling starts                            a short warm-up from Pathfinder's and ADVI's draws and variances
 *     Rscript bench/rstan.R FOLDER vb && build/bench_sampling vb FOLDER            mean-field Gaussians: bln_advi beside rstan's vb
 *
 * First a leapfrog step without its gradient: standard normals in D dimensions, whose gradient costs next to nothing, with a step
 * so small that trajectories are long; the time of the gradients, called as often, is taken off. Then effective draws for each 1000
 * gradients after the warm-up, and for each second after it and of all, the least of all parameters, mean of five seeds (4 chains
 * one after the other, 1000 + 1000, accept 0.8): eight schools (non-centred), a logistic regression of 1000 rows and 24 columns,
 * 1000 groups of 10 rows, each with its gradient by hand and as a program; normals of correlation 0.95, and 100 normals with random
 * directions. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "schools.h"
#include <stdio.h>

enum { ROWS = 1000, COLUMNS = 24, GROUPS = 1000, EACH = 10, MANY = 100, SEEDS = 5 };
static double X[ROWS*COLUMNS], by_column[COLUMNS*ROWS], y[ROWS], grouped[GROUPS*EACH], precision[MANY*MANY];

static bln_status normals(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const size_t D = *(size_t *)user;
    (void)report;
    *value = -0.5*bln_dot(D, q, q);
    for (size_t i = 0; i < D && gradient; i++) gradient[i] = -q[i];
    return BLN_OK;
}

/* Standard deviations 1, 2, ..., 10, 1, ... */
static bln_status scaled(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)report;
    *value = 0.0;
    for (size_t i = 0; i < *(size_t *)user; i++) {
        const double s = 1.0 + (double)(i % 10);
        *value -= 0.5*q[i]*q[i]/(s*s);
        if (gradient) gradient[i] = -q[i]/(s*s);
    }
    return BLN_OK;
}

static bln_status schools(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static const double t[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };
    const double mu = q[0], tau = exp(q[1]), *e = q + 2;
    double d_mu = -mu/25.0, d_tau = 0.0;
    (void)user; (void)report;
    *value = -0.5*mu*mu/25.0 - log1p(tau*tau/25.0) + q[1];
    for (size_t j = 0; j < 8; j++) {
        const double z = (t[j] - mu - tau*e[j])/s[j];
        *value -= 0.5*z*z + 0.5*e[j]*e[j];
        d_mu += z/s[j];
        d_tau += z/s[j]*e[j];
        if (gradient) gradient[2 + j] = tau*z/s[j] - e[j];
    }
    if (gradient) { gradient[0] = d_mu; gradient[1] = tau*d_tau - 2.0*tau*tau/(25.0 + tau*tau) + 1.0; }
    return BLN_OK;
}

/* Intercept ~ N(0, 5), slopes ~ N(0, 2). */
/* By columns, which are long: each product is then a few of long vectors. */
static bln_status logistic(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static double f[ROWS], a[ROWS];
    double d = -q[0]/25.0;
    (void)user; (void)report;
    *value = -0.5*q[0]*q[0]/25.0 - bln_dot(COLUMNS, q + 1, q + 1)/8.0;
    for (size_t i = 0; i < ROWS; i++) f[i] = q[0];
    bln_gemv(BLN_TRANS, COLUMNS, ROWS, 1.0, by_column, ROWS, q + 1, 1.0, f);
    bln_vec_log1pexp(ROWS, f, a);
    for (size_t i = 0; i < ROWS; i++) *value += y[i]*f[i] - a[i];
    if (!gradient) return BLN_OK;
    for (size_t i = 0; i < ROWS; i++) a[i] = f[i] - a[i];                           /* log sigma(f) */
    bln_vec_exp(ROWS, a, a);
    for (size_t i = 0; i < ROWS; i++) { a[i] = y[i] - a[i]; d += a[i]; }
    for (size_t j = 0; j < COLUMNS; j++) gradient[1 + j] = -0.25*q[1 + j];
    bln_gemv(BLN_NOTRANS, COLUMNS, ROWS, 1.0, by_column, ROWS, a, 1.0, gradient + 1);
    gradient[0] = d;
    return BLN_OK;
}

static bln_status correlated(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double r = 0.95, w = 1.0/(1.0 - r*r);
    (void)user; (void)report;
    *value = -0.5*w*(q[0]*q[0] + q[1]*q[1] - 2.0*r*q[0]*q[1]);
    if (gradient) { gradient[0] = -w*(q[0] - r*q[1]); gradient[1] = -w*(q[1] - r*q[0]); }
    return BLN_OK;
}

/* y ~ N(mu + tau z_g, sigma), mu ~ N(0, 5), tau and sigma ~ half-N(0, 2), by their logarithms, z ~ N(0, 1). */
static bln_status groups(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double mu = q[0], tau = exp(q[1]), sigma = exp(q[2]), w = 1.0/(sigma*sigma), *z = q + 3;
    double squares = 0.0, d_mu = 0.0, d_tau = 0.0;
    (void)user; (void)report;
    for (size_t i = 0; i < GROUPS; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < EACH; j++) {
            const double r = grouped[i*EACH + j] - mu - tau*z[i];
            squares += r*r;
            sum += r;
        }
        d_mu += w*sum;
        d_tau += w*sum*z[i];
        if (gradient) gradient[3 + i] = w*tau*sum - z[i];
    }
    *value = -mu*mu/50.0 - 0.5*bln_dot(GROUPS, z, z) + q[1] + q[2] - (tau*tau + sigma*sigma)/8.0 - 0.5*w*squares - GROUPS*EACH*q[2];
    if (!gradient) return BLN_OK;
    gradient[0] = d_mu - mu/25.0;
    gradient[1] = tau*(d_tau - tau/4.0) + 1.0;
    gradient[2] = w*squares - GROUPS*EACH + 1.0 - sigma*sigma/4.0;
    return BLN_OK;
}

/* N(0, P^-1), P = A'A/200 + I/10 of 100 normal rows A: standard deviations of directions from 0.7 to 3.2. */
static bln_status turned(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    double g[MANY];
    (void)user; (void)report;
    bln_gemv(BLN_NOTRANS, MANY, MANY, -1.0, precision, MANY, q, 0.0, g);
    *value = 0.5*bln_dot(MANY, q, g);
    if (gradient) memcpy(gradient, g, sizeof g);
    return BLN_OK;
}

/* ---- the first three as programs */

static bln_status logistic_program(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_normal(t, p[1], bln_c_num(t, 0), bln_c_num(t, 2));
    bln_lp_bernoulli_logit(t, bln_c_vec(t, y, ROWS), bln_v_affine(t, bln_c_mat(t, X, ROWS, COLUMNS), p[1], p[0]));
    return BLN_OK;
}

static bln_status groups_program(bln_tape *t, const bln_var *p, void *user)
{
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_normal(t, p[1], bln_c_num(t, 2));
    bln_lp_half_normal(t, p[2], bln_c_num(t, 2));
    bln_lp_std_normal(t, p[3]);
    const bln_var level = bln_v_gather(t, bln_v_fma(t, p[1], p[3], p[0]), (const uint32_t *)user, GROUPS*EACH);
    bln_lp_normal(t, bln_c_vec(t, grouped, GROUPS*EACH), level, p[2]);
    return BLN_OK;
}

static bln_program *as_program(bln_program_model model, const bln_program_parameter *parameters, size_t n)
{
    static uint32_t group[GROUPS*EACH];
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    for (uint32_t i = 0; i < GROUPS*EACH; i++) group[i] = i/EACH;
    desc.model = model;
    desc.user = group;
    desc.parameters = parameters;
    desc.n_parameters = n;
    if (bln_program_create(&desc, &program, &report)) { puts(report.text); exit(1); }
    return program;
}

static void overhead(size_t D, bln_metric metric)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_hmc *hmc = NULL;
    bln_report report;
    bln_hmc_chain state;
    double *q = (double *)calloc(2*D, sizeof *q), best = 1e9, value, sum = 0.0;
    desc.density.dim = D;
    desc.density.eval = normals;
    desc.density.user = &D;
    desc.chains = 1;
    desc.metric = metric;
    desc.fixed = 1;
    desc.step = 0.02;
    desc.max_depth = 7;
    desc.draws = 2000000/128/(metric == BLN_METRIC_DENSE ? D*D/8 + 1 : D/4 + 1) + 10;
    if (bln_hmc_create(&desc, &hmc, &report)) { puts(report.text); exit(1); }
    for (int k = 0; k < 5; k++) {
        double t = seconds();
        if (bln_hmc_run(hmc, &report)) { puts(report.text); exit(1); }
        t = seconds() - t;
        bln_hmc_chain_state(hmc, 0, &state);
        double g = seconds();
        for (uint64_t i = 0; i < state.evaluations; i++) { normals(&D, q, &value, q + D, NULL); sum += value; }
        g = seconds() - g;
        if ((t - g)/(double)state.evaluations < best) best = (t - g)/(double)state.evaluations;
    }
    printf("%6d %9s %12.1f %12.2f%s\n", (int)D, metric == BLN_METRIC_DENSE ? "dense" : "diagonal", 1e9*best, 1e9*best/(double)D,
           sum > 0.0 ? "!" : "");
    bln_hmc_free(hmc);
    free(q);
}

static void worth_of(const char *name, const bln_density *density, bln_metric metric)
{
    double bulk = 0.0, tail = 0.0, divergent = 0.0, rate = 0.0, all = 0.0, gradients = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bln_hmc_desc desc = BLN_ZERO;
        bln_hmc *hmc = NULL;
        bln_report report = BLN_ZERO;
        bln_diagnosis d;
        double leapfrogs = 0.0, least = 1e9, least_tail = 1e9, begin = seconds(), kept = begin;
        desc.density = *density;
        desc.metric = metric;
        desc.seed = seed;
        if (bln_hmc_create(&desc, &hmc, &report) || bln_hmc_init(hmc, &report)) { puts(report.text); exit(1); }
        while (!bln_hmc_converged(hmc)) {
            if (bln_hmc_step(hmc, &report)) { puts(report.text); exit(1); }
            if (bln_chains_draws(bln_hmc_chains(hmc)) == 0) kept = seconds();
        }
        const double end = seconds();
        const bln_chains *c = bln_hmc_chains(hmc);
        bln_chains_diagnose(c, NULL, &d, NULL);
        for (size_t i = 0; i < 4000; i++)
            leapfrogs += bln_chains_table(c)[i*bln_chains_columns(c) + bln_chains_find(c, "n_leapfrog__")];
        for (size_t k = 0; k < density->dim; k++) {
            bln_summary s;
            bln_chains_summary(c, k, &s, NULL);
            least = fmin(least, s.ess_bulk);
            least_tail = fmin(least_tail, s.ess_tail);
        }
        bulk += 1000.0/SEEDS*least/leapfrogs;
        tail += 1000.0/SEEDS*least_tail/leapfrogs;
        rate += least/(end - kept)/SEEDS;
        all += least/(end - begin)/SEEDS;
        gradients += leapfrogs/SEEDS;
        divergent += (double)d.divergent/SEEDS;
        bln_hmc_free(hmc);
    }
    printf("%-24s %9s %7.1f %7.1f %10.0f %10.0f %10.0f %9.1f\n", name, metric == BLN_METRIC_DENSE ? "dense" : "diagonal", bulk,
           tail, gradients, rate, all, divergent);
    fflush(stdout);
}

static void worth(const char *name, size_t D, bln_status (*eval)(void *, const double *, double *, double *, bln_report *),
                  bln_metric metric)
{
    bln_density density = BLN_ZERO;
    density.dim = D;
    density.eval = eval;
    worth_of(name, &density, metric);
}

static void worth_as_program(const char *name, bln_program_model model, const bln_program_parameter *parameters, size_t n)
{
    bln_program *program = as_program(model, parameters, n);
    const bln_density density = bln_program_density(program);
    worth_of(name, &density, BLN_METRIC_DIAGONAL);
    bln_program_free(program);
}

/* Least bulk ESS of all parameters and thousands of gradients of the chains, warm-up counted in, mean of five seeds; from 0: alone,
 * 1: from Pathfinder, 2: from ADVI. */
static void started(const char *name, size_t D, bln_status (*eval)(void *, const double *, double *, double *, bln_report *),
                    size_t from, size_t warmup)
{
    double bulk = 0.0, gradients = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bln_hmc_desc hmc = BLN_ZERO;
        bln_pathfinder_desc path = BLN_ZERO;
        bln_advi_desc advi = BLN_ZERO;
        bln_pathfinder *found = NULL;
        bln_advi *v = NULL;
        bln_hmc *h = NULL;
        bln_report report = BLN_ZERO;
        bln_diagnosis d;
        bln_hmc_chain state;
        const bln_approximation *q = NULL;
        hmc.density.dim = D;
        hmc.density.eval = eval;
        hmc.density.user = &D;
        path.density = advi.density = hmc.density;
        hmc.seed = path.seed = advi.seed = seed;
        hmc.warmup = warmup;
        bln_status status = from == 1 ? bln_pathfinder_fit(&path, &found, &report)
                          : from == 2 ? bln_advi_fit(&advi, &v, &report) : BLN_OK;
        if (from) q = from == 1 ? bln_pathfinder_result(found) : bln_advi_result(v);
        if (q) { hmc.start = q->starts; hmc.n_starts = q->n_starts; hmc.inverse_metric = q->variance; }
        if (status == BLN_OK) status = bln_hmc_create(&hmc, &h, &report);
        if (status == BLN_OK) status = bln_hmc_run(h, &report);
        if (status == BLN_OK) status = bln_chains_diagnose(bln_hmc_chains(h), NULL, &d, &report);
        if (status != BLN_OK) { puts(report.text); exit(1); }
        bulk += d.ess_bulk/SEEDS;
        for (size_t c = 0; c < 4; c++) {
            bln_hmc_chain_state(h, c, &state);
            gradients += (double)state.evaluations/1000.0/SEEDS;
        }
        bln_hmc_free(h);
        bln_pathfinder_free(found);
        bln_advi_free(v);
    }
    printf("%-20s %-11s %4d  %5.0f for %3.0f\n", name, from == 0 ? "alone" : from == 1 ? "Pathfinder" : "ADVI", (int)warmup, bulk,
           gradients);
    fflush(stdout);
}

/* E log p - E log q of a mean-field Gaussian, over the draws that all of them get, one by one to l. */
enum { FRESH = 20000 };
static double bound(size_t D, bln_status (*eval)(void *, const double *, double *, double *, bln_report *), const double *mean,
                    const double *sd, double *l)
{
    double *q = (double *)malloc(D*sizeof *q), sum = 0.0;
    bln_rng r;
    bln_rng_seed(&r, 99, 0);
    for (size_t i = 0; i < FRESH; i++) {
        double log_q = 0.0;
        for (size_t k = 0; k < D; k++) {
            const double e = bln_rng_normal(&r);
            q[k] = mean[k] + sd[k]*e;
            log_q -= 0.5*(e*e + BLNI_LOG_2PI) + log(sd[k]);
        }
        eval(NULL, q, l + i, NULL, NULL);
        sum += l[i] -= log_q;
    }
    free(q);
    return sum/FRESH;
}

/* Five seeds of each. A file of rstan.R: seconds, then mean and sd of each coordinate. */
static void approximated(const char *name, const char *folder, const char *file, size_t D,
                         bln_status (*eval)(void *, const double *, double *, double *, bln_report *))
{
    static double ours[FRESH], theirs[FRESH];
    double *mean = (double *)malloc(2*D*sizeof *mean), *sd = mean + D;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bln_advi_desc desc = BLN_ZERO;
        bln_advi *advi = NULL;
        bln_report report = BLN_ZERO;
        char path[1000];
        double took, difference = 0.0, square = 0.0;
        desc.density.dim = D;
        desc.density.eval = eval;
        desc.seed = seed;
        double own = seconds();
        if (bln_advi_fit(&desc, &advi, &report)) { puts(report.text); exit(1); }
        own = seconds() - own;
        const bln_approximation *q = bln_advi_result(advi);
        const double elbo = bound(D, eval, q->mean, q->scale, ours);
        printf("%-20s %5d %10.3f %8.2f %8.3f", name, (int)seed + 1, elbo, q->importance.k_hat, own);
        bln_advi_free(advi);
        snprintf(path, sizeof path, "%s/vb_%s_%d.txt", folder, file, (int)seed + 1);
        FILE *f = fopen(path, "r");
        int read = f && fscanf(f, "%lf", &took) == 1;
        for (size_t k = 0; k < D && read; k++) read = fscanf(f, "%lf %lf", mean + k, sd + k) == 2;
        if (f) fclose(f);
        if (!read) { puts("   Stan's failed"); continue; }
        const double peer = bound(D, eval, mean, sd, theirs);
        for (size_t i = 0; i < FRESH; i++) difference += (ours[i] - theirs[i])/FRESH;
        for (size_t i = 0; i < FRESH; i++) square += pow(ours[i] - theirs[i] - difference, 2.0)/FRESH/FRESH;
        printf(" %10.3f %8.3f %10.3f +- %.3f\n", peer, took, difference, sqrt(square));
        fflush(stdout);
    }
    free(mean);
}

static void make(void)
{
    static double A[MANY*MANY];
    bln_rng r;
    bln_rng_seed(&r, 1, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        double f = 0.3;
        for (size_t j = 0; j < COLUMNS; j++) {
            X[i*COLUMNS + j] = by_column[j*ROWS + i] = bln_rng_normal(&r);
            f += X[i*COLUMNS + j]*((double)(j % 5) - 2.0)*0.2;
        }
        y[i] = bln_rng_uniform(&r) < bln_sigmoid(f);
    }
    bln_rng_seed(&r, 2, 0);
    for (size_t i = 0; i < GROUPS; i++) {
        const double mean = 1.0 + 0.7*bln_rng_normal(&r);
        for (size_t j = 0; j < EACH; j++) grouped[i*EACH + j] = mean + 1.5*bln_rng_normal(&r);
    }
    bln_rng_seed(&r, 3, 0);
    bln_rng_normals(&r, MANY*MANY, A);
    bln_syrk(BLN_TRANS, MANY, MANY, 1.0/(2.0*MANY), A, MANY, 0.0, precision, MANY);
    for (size_t i = 0; i < MANY; i++) precision[i*MANY + i] += 0.1;
    bln_symmetrise(MANY, precision, MANY);
}

/* n numbers, `columns` in a line. */
static void dump(const char *folder, const char *name, size_t n, size_t columns, const double *x)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) { perror(path); exit(1); }
    for (size_t i = 0; i < n; i++) fprintf(f, "%.17g%c", x[i], (i + 1) % columns ? ',' : '\n');
    fclose(f);
}

int main(int argc, char **argv)
{
    static const size_t dims[] = { 1, 2, 10, 30, 100, 1000 };
    static const bln_program_parameter of_schools[] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE) };
    static const bln_program_parameter of_logistic[] = {
        BLN_PARAMETER("alpha", 1, 1, FREE), BLN_PARAMETER("beta", COLUMNS, 1, FREE) };
    static const bln_program_parameter of_groups[] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("sigma", 1, 1, POSITIVE),
        BLN_PARAMETER("z", GROUPS, 1, FREE) };
    make();
    if (argc == 2 && !strcmp(argv[1], "starts")) {
        static const size_t from[] = { 0, 1, 1, 2, 0 }, warmup[] = { 1000, 300, 150, 150, 300 };
        for (size_t k = 0; k < 5; k++) {
            started("eight schools", 10, schools, from[k], warmup[k]);
            started("100 normals", 100, scaled, from[k], warmup[k]);
            started("logistic 1000 x 24", 1 + COLUMNS, logistic, from[k], warmup[k]);
        }
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "vb")) {
        puts("mean field            seed       ELBO    k-hat  seconds     Stan's  seconds difference");
        approximated("eight schools", argv[2], "schools", 10, schools);
        approximated("logistic 1000 x 24", argv[2], "logistic", 1 + COLUMNS, logistic);
        approximated("1000 groups", argv[2], "groups", 3 + GROUPS, groups);
        return 0;
    }
    if (argc == 3) {
        dump(argv[2], "logistic_x.csv", ROWS*COLUMNS, COLUMNS, X);
        dump(argv[2], "logistic_y.csv", ROWS, 1, y);
        dump(argv[2], "groups_y.csv", GROUPS*EACH, 1, grouped);
        return 0;
    }
    if (argc == 1) {
        puts("     D    metric   ns a step   ns a step and dimension");
        for (size_t k = 0; k < 6; k++) overhead(dims[k], BLN_METRIC_DIAGONAL);
        for (size_t k = 2; k < 5; k++) overhead(dims[k], BLN_METRIC_DENSE);
    }
    puts("\neffective draws for 1000 gradients        bulk    tail  gradients   a second  with warm-up  divergent");
    worth_as_program("eight schools, program", schools_arrays, of_schools, 3);
    worth_as_program("logistic, program", logistic_program, of_logistic, 2);
    worth_as_program("1000 groups, program", groups_program, of_groups, 4);
    if (argc == 2) return 0;                                     /* programs */
    worth("eight schools", 10, schools, BLN_METRIC_DIAGONAL);
    worth("eight schools", 10, schools, BLN_METRIC_DENSE);
    worth("logistic 1000 x 24", 1 + COLUMNS, logistic, BLN_METRIC_DIAGONAL);
    worth("1000 groups", 3 + GROUPS, groups, BLN_METRIC_DIAGONAL);
    worth("correlation 0.95", 2, correlated, BLN_METRIC_DIAGONAL);
    worth("correlation 0.95", 2, correlated, BLN_METRIC_DENSE);
    worth("100 normals", MANY, turned, BLN_METRIC_DIAGONAL);
    worth("100 normals", MANY, turned, BLN_METRIC_DENSE);
    return 0;
}
