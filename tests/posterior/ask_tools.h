/* ask_tools.h - all questions of >>predict in one call */
#ifndef BLN_TESTS_ASK_TOOLS_H
#define BLN_TESTS_ASK_TOOLS_H
#include "posterior_tools.h"

enum { ASK_N = 43, ASK_OUTPUTS = 17, ASK_P = 2 };          /* rows; answers of all questions; probabilities */
static const double ask_p[ASK_P] TEST_UNUSED = { 0.1, 0.7 };

/* Output o of all questions to a posterior with at most three outputs or latents: n*3*ASK_P doubles are enough. */
typedef struct ask_answers { size_t each; double *x[ASK_OUTPUTS]; } ask_answers;

static TEST_UNUSED ask_answers ask_all(const bln_posterior *q, const bln_data *data, int with_y, double *work)
{
    ask_answers a;
    a.each = data->n*3*ASK_P;
    double *x = test_doubles(ASK_OUTPUTS*a.each);
    for (size_t i = 0; i < ASK_OUTPUTS*a.each; i++) x[i] = 2.385;
    for (size_t o = 0; o < ASK_OUTPUTS; o++) a.x[o] = x + o*a.each;
    CHECK_OK(bln_posterior_predict(q, data, a.x[0], a.x[1], a.x[2], work, NULL));
    CHECK_OK(bln_posterior_latent(q, data, a.x[3], a.x[4], work, NULL));
    if (with_y) {
        CHECK_OK(bln_posterior_logdensities(q, data, a.x[5], work, NULL));
        CHECK_OK(bln_posterior_cdfs(q, data, a.x[6], a.x[7], work, NULL));
        CHECK_OK(bln_posterior_pits(q, data, 7, a.x[8], work, NULL));
    }
    CHECK_OK(bln_posterior_quantiles(q, data, BLN_OF_Y, ASK_P, ask_p, a.x[9], work, NULL));
    CHECK_OK(bln_posterior_quantiles(q, data, BLN_OF_F, ASK_P, ask_p, a.x[10], work, NULL));
    CHECK_OK(bln_posterior_intervals(q, data, BLN_OF_Y, 0.9, a.x[11], a.x[12], work, NULL));
    CHECK_OK(bln_posterior_intervals(q, data, BLN_OF_F, 0.9, a.x[13], a.x[14], work, NULL));
    CHECK_OK(bln_posterior_predict(q, data, NULL, NULL, a.x[15], work, NULL));
    CHECK_OK(bln_posterior_latent(q, data, NULL, a.x[16], work, NULL));
    return a;
}
static TEST_UNUSED void ask_free(ask_answers *a) { free(a->x[0]); }

/* Asks again with a workspace of exactly the stated size, after which a mark must stay, and no other memory: the same bits. Then
 * with memory, which must all be released; then with neither. */
static TEST_UNUSED void ask_check_work(bln_posterior *q, const bln_data *data, int with_y)
{
    test_heap heap;
    const size_t doubles = bln_posterior_work(q);
    double *work = test_doubles(doubles + 1);
    q->alloc = test_heap_allocator(&heap);
    ask_answers a = ask_all(q, data, with_y, NULL);
    CHECK_SIZE(heap.live, 0);
    CHECK(heap.calls > 0);
    heap.calls = heap.fail_at = 0;
    work[doubles] = 2.385;
    ask_answers b = ask_all(q, data, with_y, work);
    CHECK_SIZE(heap.calls, 0);
    CHECK(work[doubles] == 2.385);
    CHECK(!memcmp(a.x[0], b.x[0], ASK_OUTPUTS*a.each*sizeof(double)));
    bln_report report;
    CHECK_STATUS(bln_posterior_predict(q, data, a.x[0], NULL, NULL, NULL, &report), BLN_ENOMEM);
    memset(&q->alloc, 0, sizeof q->alloc);
    ask_free(&a);
    ask_free(&b);
    free(work);
}

/* Groups of all kinds but t's, some of which share theta, with weights, their own noise and residuals of an inducing basis; and
 * rows with offsets and noise variances. */
enum { ASK_K = 8, ASK_M = 4 };

typedef struct ask_world {
    bln_basis *basis;                                   /* a constant and 4 inducing points, of kernel variance 1             */
    const bln_basis *view[1];
    double theta[2], weight[ASK_K], eta[ASK_K], residual[ASK_K*2], point[3*(ASK_M + 1)], diag[2*2*(ASK_M + 1)];
    bln_gaussians gaussians;
    bln_diagonals diagonals;
    bln_points points;
    bln_group g[4];
    bln_posterior q;
    bln_data data;
} ask_world;

static TEST_UNUSED void ask_world_new(ask_world *w)
{
    static const double at[2*ASK_M] = { 0.1, -0.2, 1.3, 0.4, -0.9, 0.8, 0.5, -1.1 };
    bln_inducing_desc desc;
    bln_basis *parts[2];
    double total = 0.0;
    test_random r = test_random_new(120);
    memset(w, 0, sizeof *w);
    memset(&desc, 0, sizeof desc);
    desc.d = 2;
    desc.n = ASK_M;
    desc.points = at;
    CHECK_OK(bln_inducing_create(&desc, &parts[1], NULL));
    CHECK_OK(bln_bias_create(NULL, &parts[0]));
    CHECK_OK(bln_basis_sum(NULL, 2, parts, &w->basis, NULL));
    w->view[0] = w->basis;
    w->theta[0] = 1.1;
    w->theta[1] = 0.6;
    for (size_t k = 0; k < ASK_K; k++) total += w->weight[k] = 0.2 + test_uniform(&r);
    for (size_t k = 0; k < ASK_K; k++) {
        w->weight[k] /= total;
        w->eta[k] = 0.1 + test_uniform(&r);
        w->residual[2*k + 1] = 0.4 + test_uniform(&r);
    }
    test_fill_normal(&r, 3*(ASK_M + 1), w->point);
    test_fill_normal(&r, 2*2*(ASK_M + 1), w->diag);
    for (size_t i = 0; i < 2*(ASK_M + 1); i++) w->diag[2*(ASK_M + 1) + i] = 0.2 + test_uniform(&r);
    w->gaussians = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 2, ASK_M + 1, ASK_M + 1, ASK_M + 1, 121);
    w->diagonals.m = w->diag;
    w->diagonals.psi = w->diag + 2*(ASK_M + 1);
    w->points.w = w->point;
    w->g[0] = posterior_group(bln_kind_gaussian(), &w->gaussians, 2, w->eta);
    w->g[1] = posterior_group(bln_kind_diagonal(), &w->diagonals, 2, w->eta + 2);
    w->g[2] = posterior_group(bln_kind_point(), &w->points, 3, w->eta + 4);
    w->g[3] = posterior_group(bln_kind_point(), &w->points, 1, w->eta + 7);
    for (size_t g = 0, k = 0; g < 4; k += w->g[g].K, g++) {
        w->g[g].weight = w->weight + k;
        w->g[g].theta = w->theta + (g == 2 || g == 1);
        w->g[g].ldeta = 1;
        if (g != 2) w->g[g].residual = w->residual + 2*k;
        w->g[g].ldresidual = 2;
    }
    w->q = posterior_of(w->view, 1, 1, bln_observe_noise(1), w->g, 4);
    w->data = slm_make(ASK_N, 2, 122, 1);
}
static TEST_UNUSED void ask_world_free(ask_world *w)
{
    slm_free_data(&w->data);
    posterior_gaussians_free(&w->gaussians);
    bln_basis_free(w->basis);
}

#endif /* BLN_TESTS_ASK_TOOLS_H */
