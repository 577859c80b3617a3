/* 30_hidden_states.c - counts that follow states which nobody sees: earthquakes of magnitude 7 and above, 1900 to 2006
 *
 *     cc -O2 -I. examples/30_hidden_states.c -o 30_hidden_states -lm && ./30_hidden_states      (at the top of the project)
 *
 * A Poisson distribution of one rate does not fit: years with many quakes follow each other. In a hidden Markov model each year is
 * in one of K states, with a rate of its own and the probabilities of where the next year is. The states of all years are summed
 * over exactly (bln_lp_hidden_markov), so that rates and moves can be sampled; what comes next is computed from each draw. The data
 * are those of Zucchini & MacDonald (Hidden Markov Models for Time Series, 2009), whose maximum likelihood has rates 15.5 and 26.1
 * for two states, 13.1, 19.7 and 29.7 for three. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double quakes[] = {
    13, 14, 8, 10, 16, 26, 32, 27, 18, 32, 36, 24, 22, 23, 22, 18, 25, 21, 21, 14, 8, 11, 14, 23, 18, 17, 19, 20, 22, 19, 13, 26,
    13, 14, 22, 24, 21, 22, 26, 21, 23, 24, 27, 41, 31, 27, 35, 26, 28, 36, 39, 21, 17, 22, 17, 19, 15, 34, 10, 15, 22, 18, 15, 20,
    15, 22, 19, 16, 30, 27, 29, 23, 20, 16, 21, 21, 25, 16, 18, 15, 18, 14, 10, 15, 8, 15, 6, 11, 8, 7, 18, 16, 13, 12, 13, 20, 15,
    16, 12, 18, 15, 16, 13, 15, 16, 11, 11 };
enum { YEARS = sizeof quakes/sizeof *quakes, MOST = 3 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* p: rate[K], increasing; then K rows of the matrix of moves. */
static bln_status model(bln_tape *t, const bln_var *p, void *user)
{
    const size_t K = *(const size_t *)user;
    static const double start[MOST] = { 0 };         /* all alike; their sum is a constant factor */
    const bln_var log_rate = bln_v_log(t, p[0]);
    bln_var log_p[MOST];
    bln_lp_gamma(t, p[0], bln_c_num(t, 4), bln_c_num(t, 0.2));                         /* mean 20, sd 10 */
    for (size_t k = 0; k < K; k++) {
        bln_lp_dirichlet(t, p[1 + k], bln_c_num(t, 1));
        log_p[k] = bln_v_lpdf2(t, bln_lp_poisson_log, bln_c_vec(t, quakes, YEARS), bln_v_elem(t, log_rate, k));
    }
    const bln_var move = bln_v_reshape(t, bln_v_log(t, bln_v_concat(t, p + 1, K)), K, K);
    bln_data_term(t);
    bln_lp_hidden_markov(t, bln_c_vec(t, start, K), move, bln_v_reshape(t, bln_v_concat(t, log_p, K), K, YEARS));
    return BLN_OK;
}

/* What to expect in 2007: the probabilities of the states, year after year, as a plain recursion. */
static void next_year(const double *const *p, bln_rng *rng, void *user, double *out)
{
    const size_t K = *(const size_t *)user;
    double now[MOST];
    (void)rng;
    for (size_t k = 0; k < K; k++) now[k] = 1.0/(double)K;
    for (int i = 0; i < YEARS; i++) {
        double next[MOST] = { 0 }, sum = 0;
        for (size_t k = 0; k < K; k++) sum += now[k] *= exp(quakes[i]*log(p[0][k]/20) - p[0][k]);    /* no overflow */
        for (size_t j = 0; j < K; j++)
            for (size_t k = 0; k < K; k++) next[k] += now[j]/sum*p[1 + j][k];
        for (size_t k = 0; k < K; k++) now[k] = next[k];
    }
    out[0] = 0;
    for (size_t k = 0; k < K; k++) out[0] += now[k]*p[0][k];
}

static void line(const bln_chains *draws, const char *name)
{
    bln_summary x;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(draws, bln_chains_find(draws, name), &x, &report), &report);
    printf("  %-10s %8.2f %7.2f %8.2f %8.2f\n", name, x.mean, x.sd, x.q05, x.q95);
}

int main(void)
{
    static const char *const rates[] = { "rate[1]", "rate[2]", "rate[3]" }, *const stays[] = { "from1[1]", "from2[2]", "from3[3]" };
    static const char *const names[] = { "in 2007" };
    for (size_t K = 2; K <= MOST; K++) {
        const bln_program_parameter parameters[] = {
            BLN_PARAMETER("rate", K, 1, POSITIVE_ORDERED), BLN_PARAMETER("from1", K, 1, SIMPLEX),
            BLN_PARAMETER("from2", K, 1, SIMPLEX), BLN_PARAMETER("from3", K, 1, SIMPLEX) };
        bln_program_desc desc = BLN_ZERO;
        bln_hmc_desc nuts = BLN_ZERO;
        bln_program *program = NULL;
        bln_chains *draws = NULL;
        bln_diagnosis diagnosis;
        bln_report report = BLN_ZERO;
        desc.model = model;
        desc.user = &K;
        desc.parameters = parameters;
        desc.n_parameters = 1 + K;
        desc.generate = next_year;
        desc.n_generate = 1;
        desc.generate_names = names;
        must(bln_program_create(&desc, &program, &report), &report);
        nuts.density = bln_program_density(program);
        nuts.accept = 0.9;
        must(bln_hmc_sample(&nuts, &draws, &report), &report);
        must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
        printf("%s%lu states: %s\n", K > 2 ? "\n" : "", (unsigned long)K,
               diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
        puts("                 mean      sd      5 %     95 %");
        for (size_t k = 0; k < K; k++) line(draws, rates[k]);
        for (size_t k = 0; k < K; k++) line(draws, stays[k]);
        line(draws, "in 2007");
        bln_chains_free(draws);
        bln_program_free(program);
    }
    return 0;
}
