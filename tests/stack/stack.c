/* stack.c - how much stack the library takes: each way through it runs in a thread whose stack was painted before
 *
 *     cc -O2 -Ibuild/include tests/stack/stack.c -lm -lpthread && ./a.out [bytes [part of a name]]
 *
 * Prints the bytes that each took beyond a thread that does nothing; ends with `N passed, N failed`: those that took more than
 * `bytes`, and with a part of a name only the ways that have it. Threads are as POSIX has them, of THREAD_STACK bytes, and nothing
 * else here is in need of an operating system. What a way needs is fitted before, by the main thread, so that fits and questions
 * are told apart. With -DNO_THREADS all run on the one stack there is, without a figure: it is enough, or they crash. */
#define _GNU_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef NO_THREADS
#include <pthread.h>
#endif
#ifndef THREAD_STACK
#define THREAD_STACK 8388608
#endif

enum { ROWS = 120, INPUTS = 2, LARGE = 700, FILE_BYTES = 1 << 22 };

static double inputs[ROWS*INPUTS], numbers[ROWS], counts[ROWS], classes[ROWS], flags[ROWS], out[8][ROWS*16];
static double *matrix[3];
static unsigned char file[FILE_BYTES];
static size_t file_size, file_at;
static int wrong;

static bln_data rows_of(const double *y)
{
    bln_data d = BLN_ZERO;
    d.n = ROWS;
    d.d = INPUTS;
    d.X = inputs;
    d.y = y;
    return d;
}

static void fill(void)
{
    bln_rng rng;
    bln_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < ROWS; i++) {
        double f = 0.3;
        for (size_t j = 0; j < INPUTS; j++) {
            inputs[INPUTS*i + j] = bln_rng_normal(&rng);
            f += inputs[INPUTS*i + j]*(j ? 0.5 : 1.0);
        }
        numbers[i] = f + 0.3*bln_rng_normal(&rng);
        counts[i] = bln_rng_poisson(&rng, exp(0.5*f));
        flags[i] = bln_rng_uniform(&rng) < 1.0/(1.0 + exp(-f));
        classes[i] = f < -0.4 ? 0.0 : f < 0.8 ? 1.0 : 2.0;
        if (bln_rng_uniform(&rng) < 0.2) classes[i] = (double)(i % 3);
    }
    for (size_t k = 0; k < 3; k++) {
        matrix[k] = (double *)malloc(sizeof(double)*LARGE*LARGE);
        for (size_t i = 0; i < (size_t)LARGE*LARGE; i++)
            matrix[k][i] = 0.01*bln_rng_normal(&rng) + (i % (LARGE + 1) == 0 ? 9.0 : 0.0);
    }
}

static void good(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    wrong++;
    printf("    status %d: %s\n", (int)status, report ? report->text : "");
}

/* ---- what is measured: a function of an argument */

typedef struct way { const char *name; void (*run)(const void *of); const void *of; } way;

static void nothing(const void *of) { (void)of; }

static void kernel_gemm(const void *of)
{
    const int how = *(const int *)of;
    bln_gemm(how & 1 ? BLN_TRANS : BLN_NOTRANS, how & 2 ? BLN_TRANS : BLN_NOTRANS, LARGE, LARGE, LARGE, 1.0, matrix[0], LARGE,
             matrix[1], LARGE, 0.0, matrix[2], LARGE);
}
static void kernel_cholesky(const void *of)
{
    (void)of;
    for (size_t i = 0; i < (size_t)LARGE*LARGE; i++) matrix[2][i] = matrix[0][i];
    bln_syrk(BLN_TRANS, LARGE, LARGE, 1.0, matrix[0], LARGE, 0.0, matrix[2], LARGE);
    good(bln_potrf(LARGE, matrix[2], LARGE, NULL), NULL);
    memcpy(matrix[1], matrix[0], sizeof(double)*LARGE*LARGE);
    bln_trsm(BLN_TRANS, LARGE, LARGE, matrix[2], LARGE, matrix[1], LARGE);
    bln_trsm(BLN_NOTRANS, LARGE, LARGE, matrix[2], LARGE, matrix[1], LARGE);
    bln_potrs(LARGE, matrix[2], LARGE, matrix[1]);
    bln_trtri(LARGE, matrix[2], LARGE);
    bln_lauum(LARGE, matrix[2], LARGE, matrix[1], LARGE);
}

static bln_basis *parsed(const char *text, const double *y)
{
    bln_basis *b = NULL;
    bln_report report;
    const bln_data rows = rows_of(y);
    bln_spec_desc spec = BLN_ZERO;
    spec.text = text;
    spec.d = INPUTS;
    spec.rows = &rows;
    good(bln_basis_parse(&spec, &b, &report), &report);
    return b;
}

typedef struct line {
    const char *basis;
    bln_slm_form form;
    bln_slm_arithmetic arithmetic;
    int per_weight;
    bln_slm *slm;
    bln_basis *b;
} line;
static void line_fit(const void *of)
{
    line *l = (line *)(size_t)of;
    bln_report report = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    const bln_data rows = rows_of(numbers);
    l->b = parsed(l->basis, numbers);
    desc.basis = l->b;
    desc.form = l->form;
    desc.arithmetic = l->arithmetic;
    desc.per_weight = l->per_weight;
    good(bln_slm_create(&desc, &l->slm, &report), &report);
    good(bln_slm_fit(l->slm, &rows, &report), &report);
}
static void integrated_fit(const void *of)
{
    bln_slm_integrated *m = NULL;
    bln_report report = BLN_ZERO;
    bln_slm_integrated_desc desc = BLN_ZERO;
    const bln_data rows = rows_of(numbers);
    bln_basis *b = parsed((const char *)of, numbers);
    desc.basis = b;
    good(bln_slm_integrated_create(&desc, &m, &report), &report);
    good(bln_slm_integrated_fit(m, &rows, &report), &report);
    good(bln_slm_integrated_predict(m, &rows, out[0], out[1], out[2], NULL, &report), &report);
    good(bln_posterior_intervals(bln_slm_integrated_posterior(m), &rows, BLN_OF_Y, 0.9, out[0], out[1], NULL, &report), &report);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

typedef struct curve {
    const char *basis;
    bln_likelihood likelihood;
    bln_glm_method method;
    const double *y;
    size_t n, iterations;
    bln_glm *glm;
    bln_basis *b;
} curve;
static bln_data rows_of_curve(const curve *c)
{
    bln_data rows = rows_of(c->y);
    if (c->n) rows.n = c->n;
    return rows;
}
static void curve_fit(const void *of)
{
    curve *c = (curve *)(size_t)of;
    bln_report report = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    const bln_data rows = rows_of_curve(c);
    c->b = parsed(c->basis, c->y);
    desc.basis = c->b;
    desc.likelihood = c->likelihood;
    desc.method = c->method;
    desc.max_iterations = c->iterations;
    good(bln_glm_create(&desc, &c->glm, &report), &report);
    good(bln_glm_fit(c->glm, &rows, &report), &report);
}

/* What is asked of a posterior. */
typedef struct question { const bln_posterior *q; bln_data rows; int is_class, reweigh, weights; } question;
static void ask_moments(const void *of)
{
    const question *a = (const question *)of;
    bln_report report;
    good(bln_posterior_predict(a->q, &a->rows, out[0], out[1], out[2], NULL, &report), &report);
    good(bln_posterior_latent(a->q, &a->rows, out[0], out[1], NULL, &report), &report);
    good(bln_posterior_logdensities(a->q, &a->rows, out[0], NULL, &report), &report);
}
static void ask_quantiles(const void *of)
{
    const question *a = (const question *)of;
    const double p[3] = { 0.001, 0.5, 0.999 };
    bln_report report;
    if (!a->is_class) {
        good(bln_posterior_cdfs(a->q, &a->rows, out[0], out[1], NULL, &report), &report);
        good(bln_posterior_pits(a->q, &a->rows, 1, out[0], NULL, &report), &report);
        good(bln_posterior_quantiles(a->q, &a->rows, BLN_OF_Y, 3, p, out[3], NULL, &report), &report);
        good(bln_posterior_intervals(a->q, &a->rows, BLN_OF_Y, 0.9, out[0], out[1], NULL, &report), &report);
    }
    good(bln_posterior_intervals(a->q, &a->rows, BLN_OF_F, 0.9, out[0], out[1], NULL, &report), &report);
}
static void ask_left_out(const void *of)
{
    const question *a = (const question *)of;
    bln_loo_outputs o = BLN_ZERO;
    bln_report report;
    o.logdensity = out[0];
    o.mean = out[1];
    o.var_model = out[2];
    o.var_noise = out[3];
    if (!a->is_class) { o.lower = out[4]; o.upper = out[5]; }
    good(bln_posterior_loo(a->q, &a->rows, NULL, &o, &report), &report);
}
static void ask_draws(const void *of)
{
    const question *a = (const question *)of;
    bln_draw_desc desc = BLN_ZERO;
    bln_report report;
    desc.n = 4;
    desc.noise = 1;
    good(bln_posterior_draws(a->q, &a->rows, &desc, out[0], NULL, 0, NULL, &report), &report);
    if (a->weights) good(bln_posterior_draw_weights(a->q, &desc, matrix[2], NULL, 0, NULL, &report), &report);
}
static void ask_slopes(const void *of)
{
    const question *a = (const question *)of;
    bln_report report;
    good(bln_posterior_slopes(a->q, &a->rows, out[0], out[4], 0, NULL, &report), &report);
}
static void ask_weights(const void *of)
{
    const question *a = (const question *)of;
    bln_report report;
    const double p[2] = { 0.1, 0.9 };
    if (!a->weights) return;
    good(bln_posterior_coefficients(a->q, matrix[0], matrix[1], 2, p, matrix[2], NULL, &report), &report);
    good(bln_posterior_covariance(a->q, matrix[2], 0, NULL, &report), &report);
}

/* ---- files, and what else there is */

static bln_status put(void *user, const void *bytes, size_t n)
{
    (void)user;
    if (n > FILE_BYTES - file_size) return BLN_EIO;
    memcpy(file + file_size, bytes, n);
    file_size += n;
    return BLN_OK;
}
static bln_status get(void *user, void *bytes, size_t n)
{
    (void)user;
    if (n > file_size - file_at) return BLN_EIO;
    memcpy(bytes, file + file_at, n);
    file_at += n;
    return BLN_OK;
}
static void file_model(const void *of)
{
    bln_modelfile m = BLN_ZERO, back = BLN_ZERO;
    bln_report report = BLN_ZERO;
    const bln_load all = bln_builtin();
    m.glm = (bln_glm *)(size_t)((const curve *)of)->glm;
    file_size = file_at = 0;
    good(bln_modelfile_write(put, NULL, &all, &m, &report), &report);
    good(bln_modelfile_read(get, NULL, file_size, &all, &back, &report), &report);
    bln_modelfile_free(&back);
}
static void file_path(const void *of)
{
    bln_modelfile m = BLN_ZERO, back = BLN_ZERO;
    bln_report report = BLN_ZERO;
    const bln_load all = bln_builtin();
    const char *path = "build/stack.bln";
    m.glm = (bln_glm *)(size_t)((const curve *)of)->glm;
    good(bln_modelfile_save(path, &all, &m, &report), &report);
    good(bln_modelfile_load(path, &all, &back, &report), &report);
    bln_modelfile_free(&back);
    remove(path);
}
static void choose_basis(const void *of)
{
    static bln_auto_basis chosen;
    bln_report report;
    bln_slm_desc slm = BLN_ZERO;
    bln_glm_desc glm = BLN_ZERO;
    bln_auto_basis_desc desc = BLN_ZERO;
    bln_data rows = rows_of(of ? counts : numbers);
    rows.n = 40;
    desc.budget = 1e9;
    glm.likelihood = bln_likelihood_poisson(BLN_LINK_DEFAULT);
    if (of) good(bln_auto_basis_glm(&glm, &desc, &rows, &chosen, &report), &report);
    else good(bln_auto_basis_slm(&slm, &desc, &rows, &chosen, &report), &report);
}
static void sequential(const void *of)
{
    bln_sequential_desc desc = BLN_ZERO;
    bln_sequential *t = NULL;
    const double prior[2] = { 1.0, 1.0 };
    bln_report report = BLN_ZERO;
    const bln_data rows = rows_of(numbers);
    bln_basis *b = parsed("polynomial:degree=3", numbers);
    (void)of;
    desc.basis = b;
    desc.noise_var = 0.1;
    desc.prior_var = prior;
    good(bln_sequential_create(&desc, &t, &report), &report);
    good(bln_sequential_add(t, &rows, out[0], out[1], out[2], &report), &report);
    good(bln_sequential_predict(t, &rows, out[0], out[1], out[2], NULL, &report), &report);
    good(bln_sequential_remove(t, &rows, &report), &report);
    bln_sequential_free(t);
    bln_basis_free(b);
}
static void score(const void *of)
{
    bln_scaler *s = NULL;
    bln_report report;
    double k_hat;
    const bln_data rows = rows_of(numbers);
    (void)of;
    good(bln_scaler_create(NULL, &rows, &s, &report), &report);
    bln_scaler_free(s);
    memcpy(out[0], numbers, sizeof numbers);
    good(bln_psis(ROWS, out[0], 1.0, &k_hat, matrix[0], &report), &report);
}
static void decimal(const void *of)
{
    (void)of;
    char text[BLN_DECIMAL_TEXT];
    double x;
    const char digits[] = "8.5304e-307";
    bln_decimal_write(1.0/3.0, 17, text);
    if (!bln_decimal_read(digits, digits + sizeof digits - 1, &x)) wrong++;
}

/* ---- threads with painted stacks */

#ifdef NO_THREADS
static size_t depth(const way *w) { w->run(w->of); return 0; }
#else
static const way *running;
static void *inside(void *unused) { running->run(running->of); return unused; }

/* Bytes of stack that w took. */
static size_t depth(const way *w)
{
    static unsigned char *stack;
    pthread_attr_t attr;
    pthread_t thread;
    size_t i = 0;
    if (!stack && posix_memalign((void **)&stack, 4096, THREAD_STACK) != 0) exit(1);
    memset(stack, 0xA5, THREAD_STACK);
    running = w;
    pthread_attr_init(&attr);
    if (pthread_attr_setstack(&attr, stack, THREAD_STACK) != 0 || pthread_create(&thread, &attr, inside, NULL) != 0) exit(1);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    while (i < THREAD_STACK && stack[i] == 0xA5) i++;
    if (i == 0) { printf("more than %d bytes\n", THREAD_STACK); exit(1); }
    return THREAD_STACK - i;
}
#endif

static size_t base, limit, passed, failed;
static const char *asked_for = "";

static void measure(const char *of, const char *name, void (*run)(const void *), const void *argument)
{
    char whole[80];
    way w;
    snprintf(whole, sizeof whole, "%s %s", of, name);
    w.name = whole;
    w.run = run;
    w.of = argument;
    if (!strstr(whole, asked_for)) return;
    const size_t bytes = depth(&w) - base;
    printf("%-44s %8lu\n", whole, (unsigned long)bytes);
    if (wrong || (limit && bytes > limit)) { failed++; printf("FAIL %s\n", whole); } else passed++;
    wrong = 0;
}

/* leaves: can rows be left out? */
static void ask(const char *of, const bln_posterior *q, bln_data rows, int is_class, int leaves, int weights)
{
    question a = BLN_ZERO;
    a.q = q;
    a.rows = rows;
    a.is_class = is_class;
    a.weights = weights;
    measure(of, "moments", ask_moments, &a);
    measure(of, "quantiles", ask_quantiles, &a);
    if (leaves) measure(of, "left out", ask_left_out, &a);
    measure(of, "draws", ask_draws, &a);
    if (!is_class) measure(of, "slopes", ask_slopes, &a);
    measure(of, "weights", ask_weights, &a);
}

int main(int argc, char **argv)
{
    const way none = { "", nothing, NULL };
    const int how[4] = { 0, 1, 2, 3 };
    static line lines[] = {
        { "linear", BLN_SLM_AUTO, BLN_SLM_ARITHMETIC_AUTO, 0, NULL, NULL },
        { "linear", BLN_SLM_AUTO, BLN_SLM_QR, 0, NULL, NULL },
        { "polynomial:degree=3", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 1, NULL, NULL },
        { "rbf:n=150,ard+linear", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "matern:n=40", BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "gp:kernel=matern32,ard", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "rbf:n=32,draws=fastfood", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "spectral:n=20,q=2", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "radial:n=12", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "inducing:m=20,learn", BLN_SLM_AUTO, BLN_SLM_DOUBLE, 0, NULL, NULL },
        { "legendre", BLN_SLM_AUTO, BLN_SLM_EXACT, 0, NULL, NULL }
    };
    enum { CURVES = 22 };
    static curve curves[CURVES];
    static char names[CURVES][40];
    size_t n = 0;
    if (argc > 1) limit = strtoul(argv[1], NULL, 10);
    if (argc > 2) asked_for = argv[2];
    fill();
    base = depth(&none);
    printf("%-44s %8s\n", "", "bytes");
    for (size_t k = 0; k < 4; k++)
        measure("product", k == 0 ? "AB" : k == 1 ? "A'B" : k == 2 ? "AB'" : "A'B'", kernel_gemm, how + k);
    measure("cholesky", "", kernel_cholesky, NULL);
    for (size_t k = 0; k < sizeof lines/sizeof *lines; k++) {
        measure(lines[k].basis, "slm fit", line_fit, lines + k);
        if (!lines[k].slm) line_fit(lines + k);
        ask(lines[k].basis, bln_slm_posterior(lines[k].slm), rows_of(numbers), 0, 1, 1);
    }
    measure("linear", "slm_integrated", integrated_fit, "linear");

#define CURVE(what, text, l, m, target, rows, most) \
    snprintf(names[n], sizeof *names, "%s", what); curves[n].basis = text; curves[n].likelihood = l; curves[n].method = m; \
    curves[n].y = target; curves[n].n = rows; curves[n].iterations = most; n++;
    const bln_glm_method ordinary = BLN_ZERO;
    static bln_glm_nuts_desc nuts;
    static bln_glm_integrated_desc nodes;
    nuts.warmup = nuts.draws = 60;
    nuts.chains = 2;
    CURVE("bernoulli", "rbf:n=20", bln_likelihood_binomial(BLN_LINK_DEFAULT), ordinary, flags, 0, 0)
    CURVE("bernoulli probit", "linear", bln_likelihood_binomial(BLN_LINK_PROBIT), ordinary, flags, 0, 0)
    CURVE("bernoulli laplace", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_laplace(), flags, 0, 0)
    CURVE("bernoulli map", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_map(NULL), flags, 0, 0)
    CURVE("bernoulli mixture", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_mixture(NULL), flags, 0, 20)
    CURVE("bernoulli npv", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_npv(NULL), flags, 0, 20)
    CURVE("bernoulli sgvi", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_sgvi(NULL), flags, 0, 20)
    CURVE("bernoulli integrated", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_integrated(&nodes), flags, 0, 0)
    CURVE("bernoulli nuts", "linear", bln_likelihood_binomial(BLN_LINK_DEFAULT), bln_glm_nuts(&nuts), flags, 0, 0)
    CURVE("bernoulli gp", "gp", bln_likelihood_binomial(BLN_LINK_DEFAULT), ordinary, flags, 0, 0)
    CURVE("poisson", "rbf:n=20", bln_likelihood_poisson(BLN_LINK_DEFAULT), ordinary, counts, 0, 0)
    CURVE("poisson softplus", "linear", bln_likelihood_poisson(BLN_LINK_SOFTPLUS), ordinary, counts, 0, 0)
    CURVE("negative binomial", "linear", bln_likelihood_negative_binomial(), ordinary, counts, 0, 0)
    CURVE("zero-inflated", "linear", bln_likelihood_zero_inflated_poisson(), ordinary, counts, 0, 0)
    CURVE("student_t", "linear", bln_likelihood_student_t(), bln_glm_full(NULL), numbers, 0, 0)
    CURVE("laplace", "linear", bln_likelihood_laplace(), bln_glm_full(NULL), numbers, 0, 0)
    CURVE("gaussian", "rbf:n=20", bln_likelihood_gaussian(), ordinary, numbers, 0, 0)
    CURVE("ordinal", "linear", bln_likelihood_ordinal(3), ordinary, classes, 0, 0)
    CURVE("categorical", "rbf:n=20", bln_likelihood_categorical(3), ordinary, classes, 0, 0)
    CURVE("categorical laplace", "linear", bln_likelihood_categorical(3), bln_glm_laplace(), classes, 0, 0)
    CURVE("gaussian_scale", "rbf:n=8", bln_likelihood_gaussian_scale(), ordinary, numbers, 0, 0)
    for (size_t k = 0; k < n; k++) {
        curve *c = curves + k;
        const int is_class = !strncmp(names[k], "categorical", 11), one = !is_class && !strstr(names[k], "scale");
        measure(names[k], "fit", curve_fit, c);
        if (!c->glm) curve_fit(c);
        ask(names[k], bln_glm_posterior(c->glm), rows_of_curve(c), is_class, one && !strstr(names[k], "map"), one || is_class);
        measure(names[k], "file", file_model, c);
    }
    measure("file", "by its path", file_path, curves);
    measure("auto_basis", "slm", choose_basis, NULL);
    measure("auto_basis", "glm", choose_basis, "");
    measure("sequential", "", sequential, NULL);
    measure("scores", "", score, NULL);
    measure("decimal", "", decimal, NULL);
    printf("%lu passed, %lu failed\n", (unsigned long)passed, (unsigned long)failed);
    return failed > 0;
}
