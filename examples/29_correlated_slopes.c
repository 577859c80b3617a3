/* 29_correlated_slopes.c - an intercept and a slope for each subject, which may go together: (days | subject)
 *
 *     cc -O2 -I. examples/29_correlated_slopes.c -o 29_correlated_slopes -lm && ./29_correlated_slopes      (at the top)
 *
 * sleepstudy (Belenky et al. 2003): reaction times of 18 subjects on 10 days with little sleep. 22_grouped_effects.c gives each
 * subject an intercept and a slope that are independent a priori. Here their correlation is a parameter too: is who reacts slowly
 * on the first day also slowed down more by each day? The pair of a subject is
 *
 *     (b_1, b_2) + (tau_1 z_1, tau_2 (U_12 z_1 + U_22 z_2)),    z standard normal,    U'U = [1 rho; rho 1]
 *
 * with U under the density of Lewandowski, Kurowicka & Joe. lme4's lmer(reaction ~ days + (days | subject)) has the restricted
 * likelihood's maximum at 251.41, 10.47, sds 24.74, 5.92 and 25.59, correlation 0.07: near the middle of what is printed, but
 * it does not say how little the rows know of the correlation. Stan with these priors (rstan 2.21, 20,000 draws) has means 251.48,
 * 10.44, 26.90, 6.55 and 25.91, correlation 0.083 with sd 0.300. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 180, SUBJECTS = 18 };
struct study { size_t n, subjects; double reaction[ROWS], day[ROWS]; uint32_t subject[ROWS]; };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Reads the table, whose subjects stand together; 0 if it is not there. */
static int read_study(const char *path, struct study *s)
{
    char line[128];
    double last = -1.0, who;
    FILE *f = fopen(path, "r");
    while (f && s->n < ROWS && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lf,%lf,%lf", s->reaction + s->n, s->day + s->n, &who) != 3) continue;
        if (who > last || who < last) s->subjects++;
        last = who;
        s->subject[s->n++] = (uint32_t)(s->subjects - 1);
    }
    if (f) fclose(f);
    return s->n == ROWS && s->subjects == SUBJECTS;
}

static bln_status model(bln_tape *t, const bln_var *p, void *user)     /* p: b[2], tau[2], U, z1[18], z2[18], sigma */
{
    const struct study *s = (const struct study *)user;
    const bln_var b = p[0], tau = p[1], U = p[2], z1 = p[3], z2 = p[4], sigma = p[5];
    const bln_var together = bln_v_fma(t, bln_v_elem(t, U, 1), z1, bln_v_mul(t, bln_v_elem(t, U, 3), z2));
    const bln_var intercept = bln_v_fma(t, bln_v_elem(t, tau, 0), z1, bln_v_elem(t, b, 0));
    const bln_var slope = bln_v_fma(t, bln_v_elem(t, tau, 1), together, bln_v_elem(t, b, 1));
    static const double middle[2] = { 250, 0 }, wide[2] = { 100, 50 }, sds[2] = { 50, 20 };
    bln_lp_normal(t, b, bln_c_vec(t, middle, 2), bln_c_vec(t, wide, 2));
    bln_lp_half_normal(t, tau, bln_c_vec(t, sds, 2));
    bln_lp_lkj_factor(t, U, bln_c_num(t, 1));                          /* 1: all correlations are equally likely */
    bln_lp_std_normal(t, z1);
    bln_lp_std_normal(t, z2);
    bln_lp_half_normal(t, sigma, bln_c_num(t, 50));
    bln_data_term(t);
    const bln_var f = bln_v_fma(t, bln_v_gather(t, slope, s->subject, s->n), bln_c_vec(t, s->day, s->n),
                                bln_v_gather(t, intercept, s->subject, s->n));
    bln_lp_normal(t, bln_c_vec(t, s->reaction, s->n), f, sigma);
    return BLN_OK;
}

/* rho = U_12, as the columns of U have length 1. */
static void correlation(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng;
    (void)user;
    out[0] = p[2][1];
}

static void line(const bln_chains *draws, const char *name, const char *what)
{
    bln_summary x;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(draws, bln_chains_find(draws, name), &x, &report), &report);
    printf("%-28s %8.2f %7.2f %8.2f %8.2f\n", what, x.mean, x.sd, x.q05, x.q95);
}

int main(void)
{
    static const bln_program_parameter parameters[] = {
        BLN_PARAMETER("b", 2, 1, FREE), BLN_PARAMETER("tau", 2, 1, POSITIVE), BLN_PARAMETER("U", 2, 2, CORRELATION_FACTOR),
        BLN_PARAMETER("z1", SUBJECTS, 1, FREE), BLN_PARAMETER("z2", SUBJECTS, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
    static const char *const names[] = { "rho" };
    static struct study s;
    bln_program_desc desc = BLN_ZERO;
    bln_hmc_desc nuts = BLN_ZERO;
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_diagnosis diagnosis;
    bln_elpd left_out;
    bln_report report = BLN_ZERO;

    if (!read_study("examples/data/sleepstudy.csv", &s)) { puts("run this at the top of the project"); return 1; }
    desc.model = model;
    desc.user = &s;
    desc.parameters = parameters;
    desc.n_parameters = 6;
    desc.generate = correlation;
    desc.n_generate = 1;
    desc.generate_names = names;
    desc.n_rows = s.n;
    must(bln_program_create(&desc, &program, &report), &report);
    nuts.density = bln_program_density(program);
    nuts.accept = 0.9;
    nuts.draws = 2000;
    must(bln_hmc_sample(&nuts, &draws, &report), &report);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    must(bln_program_loo(program, draws, NULL, NULL, &left_out, &report), &report);
    puts(diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
    puts("                                 mean      sd      5 %     95 %");
    line(draws, "b[1]", "intercept of all");
    line(draws, "b[2]", "slope of all, ms a day");
    line(draws, "tau[1]", "sd of intercepts");
    line(draws, "tau[2]", "sd of slopes");
    line(draws, "rho", "correlation of the two");
    line(draws, "sigma", "sd of a reaction");
    printf("\na reaction left out: log density %.1f in all\n", left_out.elpd);
    bln_chains_free(draws);
    bln_program_free(program);
    return 0;
}
