/* 27_differential_equation.c - a differential equation as a node of your own: hares, lynxes and the rates of their cycle
 *
 *     cc -O2 -I. examples/27_differential_equation.c -o 27_equation -lm && ./27_equation lynx.svg      (at the top of the project)
 *
 * Pelts of hares and lynxes that the Hudson's Bay Company bought each year from 1900 to 1920, in thousands (Hewitt 1921). Hares u
 * multiply and are eaten; lynxes v live on them and die (Lotka 1925, Volterra 1926). S are the derivatives of (u, v) by a, b, c, d
 * and by u and v of 1900 (forward sensitivities); pelts are lognormal around its u or v:
 *
 *     du/dt = a u - b u v,   dv/dt = d u v - c v,   dS/dt = d(slopes)/d(u, v) S + d(slopes)/d(a, ..., v_1900)
 *
 * The method of Runge & Kutta solves all at once, and its S is the exact derivative of its u and v. bln_v_custom makes a node of
 * it, bln_density_check compares the derivatives with differences, and the no-U-turn sampler draws the unknowns. Priors and
 * published posterior means are those of Carpenter (2018), Predator-prey population dynamics: the Lotka-Volterra model in Stan.
 * Chains begin where the cycle takes ten years, 2 pi/sqrt(a c), and where its means, c/d and a/b, are those of the pelts: from
 * random places some would end in poor local modes. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "../tools/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { YEARS = 21, STEPS = 5, PAR = 6, STATE = 2*(1 + PAR), KINDS = 2 };        /* STEPS: of Runge-Kutta in a year */
static const double pelts[KINDS][YEARS] = {
    { 30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1, 40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7 },
    {  4.0,  6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4, 8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6 } };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* The state s: u, v, the derivatives of u by a, b, c, d, u_1900, v_1900, and those of v. */
static void slopes(const double *rate, const double *s, double *out)
{
    const double u = s[0], v = s[1], a = rate[0], b = rate[1], c = rate[2], d = rate[3];
    out[0] = a*u - b*u*v;
    out[1] = -c*v + d*u*v;
    for (int k = 0; k < PAR; k++) {
        const double du = s[2 + k], dv = s[2 + PAR + k];
        out[2 + k] = (a - b*v)*du - b*u*dv + (k == 0 ? u : k == 1 ? -u*v : 0.0);
        out[2 + PAR + k] = d*v*du + (d*u - c)*dv + (k == 2 ? -v : k == 3 ? u*v : 0.0);
    }
}

static void step(const double *rate, double h, double *s)
{
    static const double part[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0/6.0, 1.0/3.0, 1.0/3.0, 1.0/6.0 };
    double k[STATE] = { 0.0 }, at[STATE], next[STATE];
    memcpy(next, s, sizeof next);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < STATE; i++) at[i] = s[i] + h*part[stage]*k[i];
        slopes(rate, at, k);
        for (int i = 0; i < STATE; i++) next[i] += h*weight[stage]*k[i];
    }
    memcpy(s, next, sizeof next);
}

/* in: rates; u and v of 1900. out: u of each year, then v of each year; aux: their derivatives, or NULL. */
static void forward(void *user, const double *const *in, double *out, double *aux)
{
    double s[STATE] = { in[1][0], in[1][1], 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 };
    (void)user;
    for (int i = 0; i < YEARS; i++) {
        for (int k = 0; k < STEPS && i; k++) step(in[0], 1.0/(double)STEPS, s);
        for (int kind = 0; kind < KINDS; kind++) {
            out[kind*YEARS + i] = s[kind];
            for (int k = 0; k < PAR && aux; k++) aux[(kind*YEARS + i)*PAR + k] = s[2 + kind*PAR + k];
        }
    }
}
static void pullback(void *user, const double *const *in, const double *out, const double *aux, const double *out_bar,
                     double *const *in_bar)
{
    (void)user; (void)in; (void)out;
    for (int i = 0; i < KINDS*YEARS; i++) for (int k = 0; k < PAR; k++) in_bar[k/4][k % 4] += out_bar[i]*aux[i*PAR + k];
}
static const bln_custom_node solution = { "solution", forward, pullback, KINDS*YEARS*PAR };

static bln_status model(bln_tape *t, const bln_var *p, void *user)               /* p: rates, first, sigma */
{
    static const double middle[4] = { 1.0, 0.05, 1.0, 0.05 }, sd[4] = { 0.5, 0.05, 0.5, 0.05 };
    const bln_var one = bln_c_num(t, 1.0), curve = bln_v_log(t, bln_v_custom(t, &solution, p, 2, KINDS*YEARS, user));
    bln_lp_normal(t, p[0], bln_c_vec(t, middle, 4), bln_c_vec(t, sd, 4));
    bln_lp_lognormal(t, p[1], bln_c_num(t, log(10.0)), one);
    bln_lp_lognormal(t, p[2], bln_c_num(t, -1.0), one);
    for (size_t k = 0; k < KINDS; k++)
        bln_lp_lognormal(t, bln_c_vec(t, pelts[k], YEARS), bln_v_slice(t, curve, k*YEARS, YEARS), bln_v_elem(t, p[2], k));
    return BLN_OK;
}
static void curves(const double *const *p, bln_rng *rng, void *user, double *out) { (void)rng; forward(user, p, out, NULL); }

static int picture(const char *path, const bln_summary *x)
{
    static const char *const name[2] = { "hares", "lynxes" }, *const line[2] = { "#1f4e8c", "#b0522a" };
    double year[YEARS], lower[YEARS], upper[YEARS], middle[YEARS];
    plot_figure p;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    plot_begin(&p, f, "Hares and lynxes, and 90 % of the curves", "year", "thousands of pelts", 1900.0, 1920.0, 0.0, 100.0);
    for (int kind = 0; kind < KINDS; kind++, x += YEARS) {
        for (int i = 0; i < YEARS; i++)
            year[i] = 1900.0 + i, lower[i] = x[i].q05, upper[i] = x[i].q95, middle[i] = x[i].median;
        plot_band(&p, YEARS, year, lower, upper, kind ? "#f3d9cf" : "#cfe0f3", NULL);
        plot_line(&p, YEARS, year, middle, line[kind], name[kind]);
        plot_points(&p, YEARS, year, pelts[kind], line[kind], NULL);
    }
    plot_end(&p);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static const double rates[4] = { 0.63, 0.63/20.2, 0.63, 0.63/34.1 }, first[2] = { 30.0, 4.0 }, sigma[2] = { 0.3, 0.3 };
    static const double published[8] = { 0.55, 0.028, 0.80, 0.024, 34.0, 5.9, 0.25, 0.25 };
    static const bln_program_parameter parameters[3] = {
        { "rate", 4, 1, BLN_CONSTRAINT_POSITIVE, 0.0, 0.0, rates, 0, 0 },
        { "first", 2, 1, BLN_CONSTRAINT_POSITIVE, 0.0, 0.0, first, 0, 0 },
        { "sigma", 2, 1, BLN_CONSTRAINT_POSITIVE, 0.0, 0.0, sigma, 0, 0 } };
    bln_program_desc desc = BLN_ZERO;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_diagnosis diagnosis;
    bln_summary x[8 + KINDS*YEARS];
    bln_report report;
    desc.model = model;        desc.parameters = parameters;       desc.n_parameters = 3;
    desc.generate = curves;    desc.n_generate = KINDS*YEARS;
    must(bln_program_create(&desc, &program, &report), &report);
    hmc.density = bln_program_density(program);
    hmc.start = bln_program_start(program);
    must(bln_density_check(&hmc.density, hmc.start, NULL, &report), &report);
    hmc.warmup = hmc.draws = 400;
    must(bln_hmc_sample(&hmc, &draws, &report), &report);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("largest R-hat %.2f\n\n                mean      sd      5 %%     95 %%  published mean\n", diagnosis.rhat);
    for (size_t k = 0; k < 8 + KINDS*YEARS; k++) {
        must(bln_chains_summary(draws, k, x + k, &report), &report);
        if (k < 8) printf("%-10s %9.3f %7.3f %8.3f %8.3f %15.3f\n", bln_chains_name(draws, k), x[k].mean, x[k].sd, x[k].q05,
                          x[k].q95, published[k]);
    }
    if (argc > 1 && !picture(argv[1], x + 8)) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    bln_chains_free(draws);
    bln_program_free(program);
    return 0;
}
