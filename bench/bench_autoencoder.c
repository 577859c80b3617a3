/* bench_autoencoder.c - a stochastic step of a variational auto-encoder: milliseconds of processor time
 *
 *     cc -O2 -I. bench/bench_autoencoder.c -o build/bench_autoencoder -lm && build/bench_autoencoder 256
 *
 * The least and the median of 60 times 5 steps. Pixels (256 or what is said) - 200 tanh - 20 latents - 200 tanh - pixels, batches
 * of 100 of 1000 rows, Adam. autoencoder.py takes it in turns with the same network in torch. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HIDDEN = 200, LATENT = 20, ROWS = 1000, LAYERS = 10, TIMES = 60 };

static bln_status bound(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *r = bln_batch(t);
    const bln_var x = bln_c_mat(t, r->X, r->n, r->d), a = bln_v_tanh(t, bln_v_affine(t, x, p[0], p[1]));
    const bln_var m = bln_v_affine(t, a, p[2], p[3]), l = bln_v_affine(t, a, p[4], p[5]), sd = bln_v_exp(t, l);
    const bln_var z = bln_v_fma(t, sd, bln_c_noise(t, r->n, LATENT), m), b = bln_v_tanh(t, bln_v_affine(t, z, p[6], p[7]));
    const bln_var squares = bln_v_add(t, bln_v_square(t, m), bln_v_square(t, sd));
    (void)user;
    bln_data_term(t);
    bln_lp_bernoulli_logit(t, x, bln_v_affine(t, b, p[8], p[9]));
    bln_scope(t, 2);
    bln_lp_add(t, bln_v_axpy(t, -0.5, bln_v_shift(t, squares, -1.0), l));
    return BLN_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    const size_t pixels = argc > 1 ? (size_t)atoi(argv[1]) : 256;
    bln_program_parameter layer[LAYERS] = {
        BLN_PARAMETER("W1", 0, HIDDEN, FREE), BLN_PARAMETER("b1", HIDDEN, 1, FREE), BLN_PARAMETER("Wm", HIDDEN, LATENT, FREE),
        BLN_PARAMETER("bm", LATENT, 1, FREE), BLN_PARAMETER("Wl", HIDDEN, LATENT, FREE), BLN_PARAMETER("bl", LATENT, 1, FREE),
        BLN_PARAMETER("W3", LATENT, HIDDEN, FREE), BLN_PARAMETER("b3", HIDDEN, 1, FREE), BLN_PARAMETER("W4", HIDDEN, 1, FREE),
        BLN_PARAMETER("b4", 0, 1, FREE) };
    double times[TIMES], *start = (double *)malloc((pixels + 1)*HIDDEN*sizeof *start), *X = (double *)malloc(ROWS*pixels*sizeof *X);
    bln_data data = BLN_ZERO;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_advi_desc fit = BLN_ZERO;
    bln_advi *advi = NULL;
    bln_report report;
    bln_rng rng;
    if (!start || !X) return 1;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, (pixels + 1)*HIDDEN, start);
    bln_scal((pixels + 1)*HIDDEN, 0.05, start);
    for (size_t i = 0; i < ROWS*pixels; i++) X[i] = bln_rng_uniform(&rng) < 0.5;
    layer[0].rows = layer[8].cols = layer[9].rows = pixels;
    for (size_t k = 0; k < LAYERS; k++) { layer[k].point = 1; layer[k].start = start; }
    data.n = ROWS;
    data.d = pixels;
    data.X = X;
    desc.model = bound;
    desc.parameters = layer;
    desc.n_parameters = LAYERS;
    desc.data = &data;
    if (bln_program_create(&desc, &program, &report)) { puts(report.text); return 1; }
    fit.density = bln_program_density(program);
    fit.start = bln_program_start(program);
    fit.batch = 100;
    fit.rate = 1e-3;
    fit.block = 5;
    fit.max_iterations = 100000;
    if (bln_advi_create(&fit, &advi, &report) || bln_advi_init(advi, &report)) { puts(report.text); return 1; }
    for (int k = -4; k < TIMES; k++) {
        const clock_t from = clock();
        if (bln_advi_step(advi, &report)) { puts(report.text); return 1; }
        if (k >= 0) times[k] = 1e3*(double)(clock() - from)/CLOCKS_PER_SEC/5.0;
    }
    qsort(times, TIMES, sizeof *times, ascending);
    printf("%.3f %.3f\n", times[0], times[TIMES/2]);
    bln_advi_free(advi);
    bln_program_free(program);
    free(start);
    free(X);
    return 0;
}
