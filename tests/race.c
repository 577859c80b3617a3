/* race.c - what threads may do at once, for a sanitizer of threads to look at; ends with `N passed, N failed`
 *
 *     clang -O1 -g -fsanitize=thread -Ibuild/include tests/race.c -o race -lpthread -lm && ./race
 *
 * The manual: different threads may use different objects, and read the same fitted model. Several threads, begun before anything
 * else was called, find out about the processor, fit models of their own on rows of all, ask models of all, save to one path, and
 * load from it. All must have the same answers; that none writes where another one reads or writes is what the sanitizer sees. */
#define _POSIX_C_SOURCE 200809L
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RACE_THREADS = 4, RACE_N = 40, RACE_D = 2, RACE_ASKED = 5, RACE_FIGURES = 4*RACE_ASKED };

typedef struct race_models { bln_basis *basis; bln_slm *slm; bln_glm *glm; } race_models;
typedef struct race_thread { pthread_t thread; int failed; double figures[2*RACE_FIGURES]; } race_thread;

static double race_X[RACE_N*RACE_D], race_real[RACE_N], race_coin[RACE_N];
static race_models race_all;                                            /* which every thread asks */
static const char *race_path;

static bln_data race_rows(size_t n, const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = n;
    data.d = RACE_D;
    data.X = race_X;
    data.y = y;
    return data;
}

static bln_status race_fit(race_models *m)
{
    const bln_data real = race_rows(RACE_N, race_real), coin = race_rows(RACE_N, race_coin);
    static const char *const names[RACE_D] = { "a", "b" };
    bln_spec_desc spec = BLN_ZERO;
    bln_slm_desc slm = BLN_ZERO;
    bln_glm_desc glm = BLN_ZERO;
    spec.text = "rbf:n=6,ard+linear";
    spec.d = RACE_D;
    spec.names = names;
    bln_status status = bln_basis_parse(&spec, &m->basis, NULL);
    slm.basis = glm.basis = m->basis;
    slm.max_iterations = 5;
    glm.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    glm.method = bln_glm_laplace();
    glm.max_iterations = 5;
    if (status == BLN_OK) status = bln_slm_create(&slm, &m->slm, NULL);
    if (status == BLN_OK) status = bln_slm_fit(m->slm, &real, NULL);
    if (status == BLN_OK) status = bln_glm_create(&glm, &m->glm, NULL);
    if (status == BLN_OK) status = bln_glm_fit(m->glm, &coin, NULL);
    return status;
}

static void race_free(race_models *m)
{
    bln_slm_free(m->slm);
    bln_glm_free(m->glm);
    bln_basis_free(m->basis);
}

/* Moments and intervals of y by both models. */
static bln_status race_ask(const race_models *m, double *out)
{
    const bln_data rows = race_rows(RACE_ASKED, NULL);
    const bln_posterior *of[2];
    bln_status status = BLN_OK;
    of[0] = bln_slm_posterior(m->slm);
    of[1] = bln_glm_posterior(m->glm);
    for (int k = 0; k < 2 && status == BLN_OK; k++) {
        double *x = out + k*RACE_FIGURES, noise[RACE_ASKED];
        status = bln_posterior_predict(of[k], &rows, x, x + RACE_ASKED, noise, NULL, NULL);
        if (status == BLN_OK)
            status = bln_posterior_intervals(of[k], &rows, BLN_OF_Y, 0.9, x + 2*RACE_ASKED, x + 3*RACE_ASKED, NULL, NULL);
    }
    return status;
}

static void *race_begin(void *user)
{
    race_thread *t = (race_thread *)user;
    race_models mine = { NULL, NULL, NULL };
    t->failed = bln_cpu_level() < 0 || race_fit(&mine) != BLN_OK;
    race_free(&mine);
    return NULL;
}

static void *race_run(void *user)
{
    race_thread *t = (race_thread *)user;
    const bln_load all = bln_builtin();
    double own[2*RACE_FIGURES];
    race_models mine = { NULL, NULL, NULL };
    t->failed = race_fit(&mine) != BLN_OK || race_ask(&mine, own) != BLN_OK;
    for (int k = 0; k < 5 && !t->failed; k++) {
        bln_modelfile file, back;
        memset(&file, 0, sizeof file);
        memset(&back, 0, sizeof back);
        file.slm = race_all.slm;
        t->failed = race_ask(&race_all, t->figures) != BLN_OK || memcmp(own, t->figures, sizeof own) != 0
                 || bln_modelfile_save(race_path, &all, &file, NULL) != BLN_OK
                 || bln_modelfile_load(race_path, &all, &back, NULL) != BLN_OK;
        bln_modelfile_free(&back);
    }
    race_free(&mine);
    return NULL;
}

int main(int argc, char **argv)
{
    static race_thread threads[RACE_THREADS];
    int failed = 0;
    race_path = argc > 1 ? argv[1] : "race.bln";
    for (size_t i = 0; i < RACE_N; i++) {
        for (size_t j = 0; j < RACE_D; j++) race_X[i*RACE_D + j] = (double)((i*(7 + 4*j) + 3) % 11)/11.0;
        race_real[i] = race_X[i*RACE_D] - 2.0*race_X[i*RACE_D + 1] + (double)(i*5 % 7)/70.0;
        race_coin[i] = i*5 % 7 < 3;
    }
    /* First threads that fit only, with nothing called before; then all of it. */
    for (int round = 0; round < 2; round++) {
        if (round == 1 && race_fit(&race_all) != BLN_OK) return 2;
        for (size_t k = 0; k < RACE_THREADS; k++)
            if (pthread_create(&threads[k].thread, NULL, round ? race_run : race_begin, threads + k)) return 2;
        for (size_t k = 0; k < RACE_THREADS; k++) {
            pthread_join(threads[k].thread, NULL);
            failed += threads[k].failed;
        }
    }
    race_free(&race_all);
    remove(race_path);
    printf("%d passed, %d failed\n", 2*RACE_THREADS - failed, failed);
    return failed != 0;
}
