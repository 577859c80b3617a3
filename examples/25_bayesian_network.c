/* 25_bayesian_network.c - a neural network whose weights have distributions, compared with a linear model
 *
 *     cc -O2 -I. examples/25_bayesian_network.c -o 25_bayesian_network -lm && ./25_bayesian_network      (at the top)
 *
 * Boston housing (506 rows, 13 inputs, in units of their standard deviations): 50 hidden units, y = tanh(x'W1 + b1) w2 + b2 and
 * noise. The prior of a weight is N(0, 1/inputs of its layer), so that sums have a variance of 1. In the posterior each weight has
 * its own Gaussian, found by stochastic steps over minibatches of 100 rows; the noise is a point. Each layer is a scope, whose
 * divergence tells how much it has learnt from the data (Graves 2011; Blundell, Cornebise, Kavukcuoglu & Wierstra 2015).
 *
 * A fifth of the rows is for the test: the error of the mean over the weights, the mean log density, and how many prices are inside
 * 95 % intervals. The linear model is bln_slm. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 506, D = 13, HIDDEN = 50, TEST = 101, LEARN = ROWS - TEST, DRAWS = 500 };
enum { W1, B1, W2, B2, SD, PARAMETERS };

static double learn_x[LEARN*D], learn_y[LEARN], test_x[TEST*D], test_y[TEST], unit_y;

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Each fifth row is for the test. Columns are scaled to mean 0 and standard deviation 1 over the training rows. */
static int read_table(const char *path)
{
    static double table[ROWS][D + 1];
    char line[400];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && n < ROWS && fgets(line, sizeof line, f)) {
        char *at = line, *end = line;
        for (size_t j = 0; j <= D; j++, at = end + (*end == ',')) {
            table[n][j] = strtod(at, &end);
            if (end == at) break;
        }
        n += end != at || *end == '\n';
        if (n && table[n - 1][D] == 0.0) n--;                    /* the header */
    }
    if (f) fclose(f);
    for (size_t j = 0; j <= D && n == ROWS; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < ROWS; i++) if (i % 5 != 4) mean += table[i][j]/(double)LEARN;
        for (size_t i = 0; i < ROWS; i++) if (i % 5 != 4) square += (table[i][j] - mean)*(table[i][j] - mean)/(double)LEARN;
        unit_y = sqrt(square);
        for (size_t i = 0; i < ROWS; i++) {
            const size_t row = i % 5 == 4 ? i/5 : i - i/5;
            const double z = (table[i][j] - mean)/unit_y;
            if (j == D) (i % 5 == 4 ? test_y : learn_y)[row] = z;
            else (i % 5 == 4 ? test_x : learn_x)[row*D + j] = z;
        }
    }
    return n == ROWS;
}

/* ---- the network */

/* One layer, whose weights and biases belong to one scope. */
static bln_var layer(bln_tape *t, bln_var x, bln_var W, bln_var b, double inputs, size_t scope)
{
    bln_scope(t, scope);
    bln_lp_normal(t, W, bln_c_num(t, 0), bln_c_num(t, 1.0/sqrt(inputs)));
    bln_lp_std_normal(t, b);
    return bln_v_affine(t, x, W, b);
}

static bln_status network(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *rows = bln_batch(t);
    const bln_var x = bln_c_mat(t, rows->X, rows->n, D);
    const bln_var hidden = bln_v_tanh(t, layer(t, x, p[W1], p[B1], D, 2));
    const bln_var f = layer(t, hidden, p[W2], p[B2], HIDDEN, 3);
    (void)user;
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, rows->y, rows->n), f, p[SD]);
    return BLN_OK;
}

/* f of each test row by one draw of the weights. */
static void predict(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng;
    (void)user;
    for (size_t i = 0; i < TEST; i++) {
        double hidden[HIDDEN];
        memcpy(hidden, p[B1], sizeof hidden);
        bln_gemv(BLN_TRANS, D, HIDDEN, 1.0, p[W1], HIDDEN, test_x + i*D, 1.0, hidden);
        for (size_t j = 0; j < HIDDEN; j++) hidden[j] = tanh(hidden[j]);
        out[i] = p[B2][0] + bln_dot(HIDDEN, hidden, p[W2]);
    }
}

/* ---- how good is it */

typedef struct score { double square, log_p; int inside; } score;

static void add(score *s, double y, double mean, double sd, double log_p)
{
    s->square += (y - mean)*(y - mean)/(double)TEST;
    s->log_p += (log_p - log(unit_y))/(double)TEST;                      /* of the price in $1000 */
    s->inside += fabs(y - mean) < 1.96*sd;
}

static void show(const char *what, const score *s)
{
    printf("%-8s error %.2f, log density %.2f, %d of %d inside of 95 %%\n", what, unit_y*sqrt(s->square), s->log_p, s->inside,
           TEST);
}

static bln_data view(const double *X, const double *y, size_t n)
{
    bln_data d = BLN_ZERO;
    d.n = n;
    d.d = D;
    d.X = X;
    d.y = y;
    return d;
}

static void line(void)
{
    const bln_data learn = view(learn_x, learn_y, LEARN), test = view(test_x, test_y, TEST);
    double mean[TEST], of_f[TEST], noise[TEST];
    bln_slm_desc desc = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    bln_report report;
    score s = BLN_ZERO;
    must(bln_linear_create(NULL, D, 1, &basis), &report);
    desc.basis = basis;
    must(bln_slm_create(&desc, &slm, &report), &report);
    must(bln_slm_fit(slm, &learn, &report), &report);
    must(bln_slm_predict(slm, &test, mean, of_f, noise, NULL, &report), &report);
    for (size_t i = 0; i < TEST; i++) {
        const double sd = sqrt(of_f[i] + noise[i]);
        add(&s, test_y[i], mean[i], sd, bln_norm_logpdf((test_y[i] - mean[i])/sd) - log(sd));
    }
    show("line", &s);
    bln_slm_free(slm);
    bln_basis_free(basis);
}

/* The mean over draws, the variance from draws and noise, and the mean of the densities of the draws. */
static void judge(const bln_approximation *q)
{
    const double *table = bln_chains_table(q->draws);
    const size_t columns = bln_chains_columns(q->draws), first = bln_chains_find(q->draws, "generated[1]");
    const size_t of_sd = bln_chains_find(q->draws, "sd");
    score s = BLN_ZERO;
    for (size_t i = 0; i < TEST; i++) {
        double log_p[DRAWS], mean = 0.0, square = 0.0, sd = 0.0;
        for (size_t k = 0; k < DRAWS; k++) {
            const double f = table[k*columns + first + i];
            sd = table[k*columns + of_sd];
            log_p[k] = bln_norm_logpdf((test_y[i] - f)/sd) - log(sd);
            mean += f/(double)DRAWS;
            square += f*f/(double)DRAWS;
        }
        add(&s, test_y[i], mean, sqrt(square - mean*mean + sd*sd), bln_logsumexp(DRAWS, log_p) - log((double)DRAWS));
    }
    show("network", &s);
}

int main(void)
{
    static bln_program_parameter parameters[PARAMETERS] = {
        BLN_PARAMETER("W1", D, HIDDEN, FREE), BLN_PARAMETER("b1", HIDDEN, 1, FREE), BLN_PARAMETER("w2", HIDDEN, 1, FREE),
        BLN_PARAMETER("b2", 1, 1, FREE), BLN_PARAMETER("sd", 1, 1, POSITIVE) };
    static double start[D*HIDDEN + HIDDEN];
    bln_data learn;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_advi_desc fit = BLN_ZERO;
    bln_advi *advi = NULL;
    bln_report report;
    bln_rng rng;
    if (!read_table("examples/data/boston.csv")) { fputs("cannot read examples/data/boston.csv\n", stderr); return 1; }
    line();
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, D*HIDDEN + HIDDEN, start);
    bln_scal(D*HIDDEN, 1.0/sqrt((double)D), start);
    bln_scal(HIDDEN, 1.0/sqrt((double)HIDDEN), start + D*HIDDEN);
    parameters[W1].start = start;
    parameters[W2].start = start + D*HIDDEN;
    parameters[W1].scope = parameters[B1].scope = 2;
    parameters[W2].scope = parameters[B2].scope = 3;
    parameters[SD].point = 1;
    learn = view(learn_x, learn_y, LEARN);
    desc.model = network;
    desc.parameters = parameters;
    desc.n_parameters = PARAMETERS;
    desc.generate = predict;
    desc.n_generate = TEST;
    desc.data = &learn;
    must(bln_program_create(&desc, &program, &report), &report);
    fit.density = bln_program_density(program);
    fit.start = bln_program_start(program);
    fit.scale = 0.02;
    fit.batch = 100;
    fit.max_iterations = 6000;
    fit.draws = DRAWS;
    must(bln_advi_fit(&fit, &advi, &report), &report);
    const bln_approximation *q = bln_advi_result(advi);
    judge(q);
    printf("divergence of the first layer %.0f nats, of the second %.0f\n", q->scopes[2].kl, q->scopes[3].kl);
    bln_advi_free(advi);
    bln_program_free(program);
    return 0;
}
