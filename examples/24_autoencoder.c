/* 24_autoencoder.c - a variational auto-encoder: digits from a few numbers each, learnt in minibatches
 *
 *     cc -O2 -I. examples/24_autoencoder.c -o 24_autoencoder -lm && ./24_autoencoder digits.svg      (at the top of the project)
 *
 * 1797 handwritten digits of 8 x 8 pixels (Alpaydin & Kaynak 1998), black or white. Each has 7 local variables z ~ N(0, 1). A
 * network, the decoder, computes from them the probability of each pixel being black; another one, the encoder, computes a Gaussian
 * q(z) from the pixels. The weights of both are found by stochastic steps on the bound (Kingma & Welling 2014)
 *
 *     sum over digits of  E_q log p(pixels | z) - KL(q(z) || p(z))
 *
 * over minibatches of 100 digits. Pixels are the data term; the divergence of each variable is a scope of its own, whose value
 * tells how much information the variable has about a digit. Where it is near 0 the decoder ignores the variable: it has collapsed.
 * In the first fit the power of these scopes rises from 0.1 to 1, and all variables are used; in the second it is 2, and some
 * collapse.
 *
 * Test digits are judged by the bound, and by the importance-weighted one (Burda, Grosse & Salakhutdinov 2016)
 *
 *     log 1/K sum_k p(pixels | z_k) p(z_k)/q(z_k),     z_1, ..., z_K from q,
 *
 * which is larger on average and tends to log p(pixels) as K grows. The picture shows ten of them, their reproductions by the
 * networks, and digits that the decoder makes from random z. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 1797, PIXELS = 64, HIDDEN = 100, LATENT = BLN_SCOPES - 1, TEST = DIGITS/6, LEARN = DIGITS - TEST,
       WEIGHTED = 100, STEPS = 2000 };
enum { W1, B1, WM, BM, WL, BL, W3, B3, W4, B4, LAYERS };

static double learn_x[LEARN*PIXELS], test_x[TEST*PIXELS], many_x[WEIGHTED*PIXELS];
static double weights[2*PIXELS*HIDDEN + 3*LATENT*HIDDEN + 2*HIDDEN + 2*LATENT + PIXELS];
static const double *part[LAYERS];             /* where each array of weights begins      */
static double power[BLN_SCOPES];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* Each sixth digit is for the test. */
static int read_digits(const char *path)
{
    static const char grey[] = "0123456789abcdefg";
    char line[200], pixels[80];
    size_t n = 0, learn = 0, test = 0;
    int which;
    FILE *f = fopen(path, "r");
    while (f && n < DIGITS && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%d,%79s", &which, pixels) != 2 || strspn(pixels, grey) != PIXELS) continue;
        double *x = n++ % 6 == 5 ? test_x + PIXELS*test++ : learn_x + PIXELS*learn++;
        for (size_t j = 0; j < PIXELS; j++) x[j] = strchr(grey, pixels[j]) - grey >= 8;
    }
    if (f) fclose(f);
    return n == DIGITS;
}

/* ---- the model */

static const bln_program_parameter layers[LAYERS] = {
    BLN_PARAMETER("W1", PIXELS, HIDDEN, FREE), BLN_PARAMETER("b1", HIDDEN, 1, FREE),      /* encoder: hidden units             */
    BLN_PARAMETER("Wm", HIDDEN, LATENT, FREE), BLN_PARAMETER("bm", LATENT, 1, FREE),      /* mean of q(z)                      */
    BLN_PARAMETER("Wl", HIDDEN, LATENT, FREE), BLN_PARAMETER("bl", LATENT, 1, FREE),      /* log of its standard deviation    */
    BLN_PARAMETER("W3", LATENT, HIDDEN, FREE), BLN_PARAMETER("b3", HIDDEN, 1, FREE),      /* decoder                           */
    BLN_PARAMETER("W4", HIDDEN, PIXELS, FREE), BLN_PARAMETER("b4", PIXELS, 1, FREE) };

typedef struct coded { bln_var x, m, log_sd, sd, noise, z, f; } coded;
static coded code(bln_tape *t, const bln_var *p)
{
    const bln_data *digits = bln_batch(t);
    coded c;
    c.x = bln_c_mat(t, digits->X, digits->n, digits->d);
    const bln_var hidden = bln_v_tanh(t, bln_v_affine(t, c.x, p[W1], p[B1]));
    c.m = bln_v_affine(t, hidden, p[WM], p[BM]);
    c.log_sd = bln_v_affine(t, hidden, p[WL], p[BL]);
    c.sd = bln_v_exp(t, c.log_sd);
    c.noise = bln_c_noise(t, digits->n, LATENT);
    c.z = bln_v_fma(t, c.sd, c.noise, c.m);
    c.f = bln_v_affine(t, bln_v_tanh(t, bln_v_affine(t, c.z, p[W3], p[B3])), p[W4], p[B4]);
    return c;
}

/* A vector of n ones. */
static bln_var column(bln_tape *t, size_t n)
{
    static double ones[LEARN];
    for (size_t i = 0; i < LEARN; i++) ones[i] = 1.0;
    return bln_c_vec(t, ones, n);
}

/* The bound. KL of a variable: (m^2 + sd^2 - 1)/2 - log sd, summed over the digits by a product with ones. */
static bln_status bound(bln_tape *t, const bln_var *p, void *user)
{
    const coded c = code(t, p);
    const bln_var squares = bln_v_add(t, bln_v_square(t, c.m), bln_v_square(t, c.sd));
    const bln_var kl = bln_v_axpy(t, 0.5, bln_v_shift(t, squares, -1.0), bln_v_scale(t, -1.0, c.log_sd));
    const bln_var each = bln_v_gemm(t, BLN_TRANS, kl, BLN_NOTRANS, column(t, bln_batch(t)->n));
    (void)user;
    bln_data_term(t);
    bln_lp_bernoulli_logit(t, c.x, c.f);
    for (size_t j = 0; j < LATENT; j++) {
        bln_scope(t, 2 + j);
        bln_lp_add(t, bln_v_scale(t, -1.0, bln_v_elem(t, each, j)));
    }
    return BLN_OK;
}

/* log p(x | z) + log p(z) - log q(z) of each digit, by products with ones. */
static bln_status weight(bln_tape *t, const bln_var *p, void *user)
{
    const coded c = code(t, p);
    const bln_var of_z = bln_v_axpy(t, 0.5, bln_v_sub(t, bln_v_square(t, c.noise), bln_v_square(t, c.z)), c.log_sd);
    const bln_var of_x = bln_v_lpdf2(t, bln_lp_bernoulli_logit, c.x, c.f);
    (void)user;
    bln_data_term(t);
    bln_lp_add(t, bln_v_add(t, bln_v_gemv(t, of_x, column(t, PIXELS)), bln_v_gemv(t, of_z, column(t, LATENT))));
    return BLN_OK;
}

static bln_program *program(bln_program_model model, const double *X, size_t n, size_t n_rows)
{
    bln_program_parameter parameters[LAYERS];
    bln_program_desc desc = BLN_ZERO;
    bln_program *made = NULL;
    bln_data digits = BLN_ZERO;
    bln_report report;
    for (size_t k = 0; k < LAYERS; k++) {
        parameters[k] = layers[k];
        parameters[k].start = part[k];
        parameters[k].point = 1;
    }
    digits.n = n;
    digits.d = PIXELS;
    digits.X = X;
    desc.model = model;
    desc.parameters = parameters;
    desc.n_parameters = LAYERS;
    desc.data = &digits;
    desc.n_rows = n_rows;
    desc.power = power;
    must(bln_program_create(&desc, &made, &report), &report);
    return made;
}

/* ---- learning */

/* Random weights whose sums have a variance near 1 [Glorot & Bengio 2010]; biases of 0. */
static void begin(void)
{
    size_t at = 0;
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    for (size_t k = 0; k < LAYERS; k++) {
        const size_t rows = layers[k].rows, cols = layers[k].cols;
        part[k] = weights + at;
        for (size_t i = 0; i < rows*cols; i++)
            weights[at++] = cols == 1 ? 0.0 : sqrt(2.0/(double)(rows + cols))*bln_rng_normal(&rng);
    }
}

/* The power rises from 0.1 to 1 in the first third of the steps. */
static void set_power(double x) { for (size_t m = 1; m < BLN_SCOPES; m++) power[m] = x; }
static bln_status anneal(void *user, const bln_advi_progress *progress)
{
    const double p = 0.1 + 0.9*3.0*(double)progress->iteration/(double)STEPS;
    (void)user;
    set_power(p < 1.0 ? p : 1.0);
    return BLN_OK;
}

static void learn(const char *what, double first_power, bln_advi_monitor monitor)
{
    begin();
    set_power(first_power);
    bln_program *digits = program(bound, learn_x, LEARN, 0);
    bln_advi_desc desc = BLN_ZERO;
    bln_advi *advi = NULL;
    bln_report report;
    desc.density = bln_program_density(digits);
    desc.start = bln_program_start(digits);
    desc.batch = 100;
    desc.rate = 3e-3;
    desc.max_iterations = STEPS;
    desc.monitor = monitor;
    must(bln_advi_fit(&desc, &advi, &report), &report);
    const bln_approximation *q = bln_advi_result(advi);
    double total = q->scopes[0].log_p;
    for (int m = 2; m <= BLN_SCOPES; m++) total += q->scopes[m].log_p;
    printf("%s\n    of a digit learnt from: log p(pixels | z) %.1f, bound %.1f\n    KL of each variable:", what,
           q->scopes[0].log_p/(double)LEARN, total/(double)LEARN);
    for (int m = 2; m <= BLN_SCOPES; m++) printf(" %.2f", q->scopes[m].kl/(double)LEARN);
    puts("");
    memcpy(weights, q->mean, sizeof weights);
    bln_advi_free(advi);
    bln_program_free(digits);
}

/* ---- the test digits */

static void judge(void)
{
    double scope[1 + BLN_SCOPES], log_w[WEIGHTED], elbo = 0.0, weighted = 0.0;
    bln_program *digits = program(bound, test_x, TEST, 0);
    bln_report report;
    must(bln_program_scopes(digits, weights, scope, &report), &report);
    for (int m = 0; m <= BLN_SCOPES; m++) elbo += scope[m]/(double)TEST;
    bln_program_free(digits);
    bln_program *one = program(weight, many_x, WEIGHTED, WEIGHTED);            /* one digit, repeated        */
    for (size_t i = 0; i < TEST; i++) {
        for (size_t k = 0; k < WEIGHTED; k++) memcpy(many_x + k*PIXELS, test_x + i*PIXELS, PIXELS*sizeof(double));
        must(bln_program_pointwise(one, weights, log_w, &report), &report);
        weighted += (bln_logsumexp(WEIGHTED, log_w) - log((double)WEIGHTED))/(double)TEST;
    }
    bln_program_free(one);
    printf("    of a digit not learnt from: bound %.1f, importance-weighted %.1f\n", elbo, weighted);
}

/* ---- the picture */

/* out[cols] = in W + b, W and b as they are stored in the weights. */
static void layer(const double *in, int w, int hidden, double *out)
{
    const size_t rows = layers[w].rows, cols = layers[w].cols;
    memcpy(out, part[w + 1], cols*sizeof *out);
    bln_gemv(BLN_TRANS, rows, cols, 1.0, part[w], cols, in, 1.0, out);
    for (size_t j = 0; j < cols && hidden; j++) out[j] = tanh(out[j]);
}

static void draw(FILE *f, int row, int column_of, const double *black)
{
    for (int j = 0; j < PIXELS; j++) {
        const int grey = (int)(255.0*(1.0 - black[j]));
        fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"5\" height=\"5\" fill=\"#%02x%02x%02x\"/>\n", 10 + 50*column_of + 5*(j % 8),
                10 + 50*row + 10*(row > 0) + 10*(row > 1) + 5*(j/8), (unsigned)grey, (unsigned)grey, (unsigned)grey);
    }
}

static void decode(const double *z, double *black)
{
    double hidden[HIDDEN];
    layer(z, W3, 1, hidden);
    layer(hidden, W4, 0, black);
    for (int j = 0; j < PIXELS; j++) black[j] = bln_sigmoid(black[j]);
}

static int picture(const char *path)
{
    double hidden[HIDDEN], z[LATENT], black[PIXELS];
    bln_rng rng;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    bln_rng_seed(&rng, 2, 0);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 510 430\">\n"
          "<rect width=\"510\" height=\"430\" fill=\"#c8d8e8\"/>\n", f);
    for (int i = 0; i < 10; i++) {
        const double *x = test_x + 3*i*PIXELS;
        draw(f, 0, i, x);
        layer(x, W1, 1, hidden);
        layer(hidden, WM, 0, z);
        decode(z, black);
        draw(f, 1, i, black);
    }
    for (int row = 2; row < 8; row++)
        for (int i = 0; i < 10; i++) {
            bln_rng_normals(&rng, LATENT, z);
            decode(z, black);
            draw(f, row, i, black);
        }
    fputs("</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    if (!read_digits("examples/data/digits.csv")) { fputs("cannot read examples/data/digits.csv\n", stderr); return 1; }
    power[0] = 1.0;
    learn("power of the divergences rising to 1", 0.1, anneal);
    judge();
    if (argc > 1 && !picture(argv[1])) { fprintf(stderr, "cannot write %s\n", argv[1]); return 1; }
    learn("power 2", 2.0, NULL);
    return 0;
}
