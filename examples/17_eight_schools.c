/* 17_eight_schools.c - a model of your own: its log density and gradient as a C function, sampled by the no-U-turn sampler
 *
 *     cc -O2 -I. examples/17_eight_schools.c -o 17_eight_schools -lm && ./17_eight_schools draws.csv      (at the top)
 *
 * Eight schools coached pupils for a test; school j gained y_j points, with a standard error s_j [Rubin 1981]. How much does
 * coaching help, and how much do schools differ?
 *
 *     y_j ~ N(theta_j, s_j),   theta_j ~ N(mu, tau),   mu ~ N(0, 5),   tau ~ half-Cauchy(5)
 *
 * tau > 0 is sampled as log tau, so log |d tau/d log tau| = log tau is added to the log density. Where tau is small the theta_j lie
 * close together: a funnel which a sampler with one step size cannot enter. Divergent transitions show this. The cure is another
 * parametrisation of the same model, theta_j = mu + tau e_j with e_j ~ N(0, 1) (non-centred), and a slightly smaller step. The
 * exact answer, by quadrature over log tau: E mu 4.397, E tau 3.598. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCHOOLS = 8, DIM = 2 + SCHOOLS };
static const double y[SCHOOLS] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s[SCHOOLS] = { 15, 10, 16, 11, 9, 11, 10, 18 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Log density of mu ~ N(0, 5), tau ~ half-Cauchy(5) in q = (mu, log tau), and its gradient. */
static double priors(const double *q, double *slope)
{
    const double mu = q[0], tau = exp(q[1]);
    slope[0] = -mu/25.0;
    slope[1] = 1.0 - 2.0*tau*tau/(25.0 + tau*tau);
    return -0.5*mu*mu/25.0 - log1p(tau*tau/25.0) + q[1];
}

/* q = (mu, log tau, theta_1, ..., theta_8) */
static bln_status centred(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double mu = q[0], tau = exp(q[1]), *theta = q + 2;
    double slope[DIM];
    (void)user; (void)report;
    *value = priors(q, slope);
    for (int j = 0; j < SCHOOLS; j++) {
        const double d = (theta[j] - mu)/tau, e = (y[j] - theta[j])/s[j];
        *value += -0.5*d*d - q[1] - 0.5*e*e;
        slope[0] += d/tau;
        slope[1] += d*d - 1.0;
        slope[2 + j] = -d/tau + e/s[j];
    }
    for (int k = 0; k < DIM && gradient; k++) gradient[k] = slope[k];
    return BLN_OK;
}

/* q = (mu, log tau, e_1, ..., e_8) */
static bln_status non_centred(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double mu = q[0], tau = exp(q[1]), *e = q + 2;
    double slope[DIM];
    (void)user; (void)report;
    *value = priors(q, slope);
    for (int j = 0; j < SCHOOLS; j++) {
        const double r = (y[j] - mu - tau*e[j])/s[j];
        *value += -0.5*e[j]*e[j] - 0.5*r*r;
        slope[0] += r/s[j];
        slope[1] += r/s[j]*tau*e[j];
        slope[2 + j] = -e[j] + r/s[j]*tau;
    }
    for (int k = 0; k < DIM && gradient; k++) gradient[k] = slope[k];
    return BLN_OK;
}

/* The numbers kept for a draw: mu, tau and theta in both parametrisations. */
static void keep_centred(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    (void)user; (void)seed; (void)draw;
    for (int k = 0; k < DIM; k++) out[k] = k == 1 ? exp(q[1]) : q[k];
}
static void keep_non_centred(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    (void)user; (void)seed; (void)draw;
    out[0] = q[0];
    out[1] = exp(q[1]);
    for (int j = 0; j < SCHOOLS; j++) out[2 + j] = out[0] + out[1]*q[2 + j];
}
static void name(void *user, size_t k, char *text, size_t size)
{
    (void)user;
    if (k < 2) snprintf(text, size, "%s", k ? "tau" : "mu");
    else snprintf(text, size, "theta[%d]", (int)k - 1);
}

static bln_chains *sample(bln_density density, double accept)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_chains *draws = NULL;
    density.dim = density.n_out = DIM;
    density.name = name;
    density.parallel = 1;                                /* no state: chains may run in parallel  */
    must(bln_density_check(&density, NULL, NULL, &report), &report);
    desc.density = density;
    desc.accept = accept;
    desc.draws = 4000;
    must(bln_hmc_sample(&desc, &draws, &report), &report);
    return draws;
}

static void table(const bln_chains *draws)
{
    bln_report report = BLN_ZERO;
    puts("                mean      sd      5 %     95 %");
    for (size_t k = 0; k < DIM; k++) {
        bln_summary x;
        must(bln_chains_summary(draws, k, &x, &report), &report);
        printf("%-10s %9.2f %7.2f %8.2f %8.2f\n", bln_chains_name(draws, k), x.mean, x.sd, x.q05, x.q95);
    }
}

static bln_status to_file(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

int main(int argc, char **argv)
{
    bln_density density = BLN_ZERO;
    bln_diagnosis diagnosis;
    bln_report report = BLN_ZERO;

    density.eval = centred;
    density.output = keep_centred;
    bln_chains *draws = sample(density, 0.8);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("centred:      %s\n", diagnosis.divergent > 20 ? "many transitions diverged" : "few transitions diverged");
    printf("              %s\n\n", diagnosis.ess_bulk < 2000.0 ? "the draws are worth few independent ones" : "the draws are many");
    bln_chains_free(draws);

    density.eval = non_centred;
    density.output = keep_non_centred;
    draws = sample(density, 0.99);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("non-centred:  %s\n\n", diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
    table(draws);
    if (argc > 1) {                                      /* for R, Python, a spreadsheet */
        FILE *f = fopen(argv[1], "w");
        bln_writer w = bln_writer_over(to_file, f);
        if (!f || bln_chains_write_csv(draws, &w) || fclose(f)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    }
    bln_chains_free(draws);
    return 0;
}
