/* 20_programs.c - models of your own as C functions: no gradient by hand, parameters in their own domains
 *
 *     cc -O2 -I. examples/20_programs.c -o 20_programs -lm && ./20_programs      (at the top)
 *
 * A model is a table of parameters and a function that adds up its log density. The library differentiates the function as it runs
 * and maps parameters to their domains; the no-U-turn sampler does the rest.
 *
 * First come the eight schools of 17_eight_schools.c, where the gradient was written by hand: theta_j ~ N(mu, tau), for which the
 * sampler warns of divergences, and theta_j = mu + tau eta_j. Then votes: a logistic regression in which each of 20 states has its
 * own intercept, alpha + tau z_j, so that states with few answers borrow strength from the others (simulated data: alpha 0.3, tau
 * 0.8, beta 1 and -0.5). */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* ---- eight schools */

static const double y[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };

static void schools_prior(bln_tape *t, bln_var mu, bln_var tau)
{
    bln_lp_normal(t, mu, bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_cauchy(t, tau, bln_c_num(t, 5));
}

static bln_status centred(bln_tape *t, const bln_var *p, void *user)           /* p: mu, tau, theta[8] */
{
    (void)user;
    schools_prior(t, p[0], p[1]);
    bln_lp_normal(t, p[2], p[0], p[1]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, y, 8), p[2], bln_c_vec(t, s, 8));
    return BLN_OK;
}

static bln_status non_centred(bln_tape *t, const bln_var *p, void *user)       /* p: mu, tau, eta[8] */
{
    const bln_var theta = bln_v_fma(t, p[1], p[2], p[0]);                      /* tau eta + mu */
    (void)user;
    schools_prior(t, p[0], p[1]);
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, y, 8), theta, bln_c_vec(t, s, 8));
    return BLN_OK;
}

/* Computes theta from a draw of mu, tau, eta. */
static void theta(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng;
    (void)user;
    for (int j = 0; j < 8; j++) out[j] = p[0][0] + p[1][0]*p[2][j];
}

/* ---- votes */

enum { STATES = 20, PEOPLE = 600 };
struct votes { double vote[PEOPLE], x[PEOPLE][2]; uint32_t state[PEOPLE]; };

static bln_status votes_model(bln_tape *t, const bln_var *p, void *user)       /* p: alpha, tau, z[20], beta[2] */
{
    const struct votes *v = (const struct votes *)user;
    const bln_var state = bln_v_fma(t, p[1], p[2], p[0]);
    const bln_var slopes = bln_v_gemv(t, bln_c_mat(t, v->x[0], PEOPLE, 2), p[3]);
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_normal(t, p[1], bln_c_num(t, 2));
    bln_lp_std_normal(t, p[2]);
    bln_lp_normal(t, p[3], bln_c_num(t, 0), bln_c_num(t, 2));
    bln_data_term(t);
    bln_lp_bernoulli_logit(t, bln_c_vec(t, v->vote, PEOPLE), bln_v_add(t, bln_v_gather(t, state, v->state, PEOPLE), slopes));
    return BLN_OK;
}

/* Simulates answers; the first states have the most. */
static void make_votes(struct votes *v)
{
    double intercept[STATES];
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    for (int j = 0; j < STATES; j++) intercept[j] = 0.3 + 0.8*bln_rng_normal(&rng);
    for (int i = 0; i < PEOPLE; i++) {
        const double u = bln_rng_uniform(&rng);
        v->state[i] = (uint32_t)((double)STATES*u*u);
        for (int k = 0; k < 2; k++) v->x[i][k] = bln_rng_normal(&rng);
        v->vote[i] = bln_rng_uniform(&rng) < bln_sigmoid(intercept[v->state[i]] + v->x[i][0] - 0.5*v->x[i][1]);
    }
}

/* ---- both */

static bln_chains *sample(const bln_program_desc *model, size_t draws_each, double accept, bln_elpd *left_out)
{
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    must(bln_program_create(model, &program, &report), &report);
    hmc.density = bln_program_density(program);
    hmc.accept = accept;
    hmc.draws = draws_each;
    must(bln_hmc_sample(&hmc, &draws, &report), &report);
    if (left_out) must(bln_program_loo(program, draws, NULL, NULL, left_out, &report), &report);
    bln_program_free(program);
    return draws;
}

static void line(const bln_chains *draws, const char *name)
{
    bln_summary x;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(draws, bln_chains_find(draws, name), &x, &report), &report);
    printf("%-10s %9.2f %7.2f %8.2f %8.2f\n", name, x.mean, x.sd, x.q05, x.q95);
}

int main(void)
{
    static const bln_program_parameter schools[2][3] = {
        { BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("theta", 8, 1, FREE) },
        { BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE) } };
    static const bln_program_parameter polls[] = {
        BLN_PARAMETER("alpha", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("z", STATES, 1, FREE),
        BLN_PARAMETER("beta", 2, 1, FREE) };
    static const char *const names[8] = {
        "theta[1]", "theta[2]", "theta[3]", "theta[4]", "theta[5]", "theta[6]", "theta[7]", "theta[8]" };
    static struct votes v;
    bln_program_desc model = BLN_ZERO;
    bln_diagnosis diagnosis;
    bln_elpd left_out;
    bln_report report = BLN_ZERO;

    model.model = centred;
    model.parameters = schools[0];
    model.n_parameters = 3;
    bln_chains *draws = sample(&model, 4000, 0.8, NULL);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("centred:      %s\n", diagnosis.divergent > 20 ? "many transitions diverged" : "few transitions diverged");
    bln_chains_free(draws);

    model.model = non_centred;
    model.parameters = schools[1];
    model.generate = theta;
    model.n_generate = 8;
    model.generate_names = names;
    model.n_rows = 8;
    draws = sample(&model, 4000, 0.99, &left_out);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("non-centred:  %s\n\n                mean      sd      5 %%     95 %%\n",
           diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
    line(draws, "mu");
    line(draws, "tau");
    for (int j = 0; j < 8; j++) line(draws, names[j]);
    printf("\na school left out: log density %.1f in all\n\n", left_out.elpd);
    bln_chains_free(draws);

    make_votes(&v);
    memset(&model, 0, sizeof model);
    model.model = votes_model;
    model.user = &v;
    model.parameters = polls;
    model.n_parameters = 4;
    draws = sample(&model, 1000, 0.8, NULL);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    printf("votes:        %s\n\n                mean      sd      5 %%     95 %%\n",
           diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
    line(draws, "alpha");
    line(draws, "tau");
    line(draws, "beta[1]");
    line(draws, "beta[2]");
    bln_chains_free(draws);
    return 0;
}
