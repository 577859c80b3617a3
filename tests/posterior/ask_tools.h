/* ask_tools.h - all questions of >>ask in one call */
#ifndef BLN_TESTS_ASK_TOOLS_H
#define BLN_TESTS_ASK_TOOLS_H
#include "posterior_tools.h"

enum { ASK_N = 43, ASK_OUTPUTS = 17, ASK_P = 2 };          /* rows; answers of all questions; probabilities */
static const double ask_p[ASK_P] TEST_UNUSED = { 0.1, 0.7 };

/* Output o of every question, of a posterior with at most three outputs or latents: n*3*ASK_P doubles are enough. */
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

/* Asked again with a workspace of exactly the size that is said, behind which a mark must stay, and no memory to be had: the same
 * bits. Then with memory, of which nothing may be left; and without both. */
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

#endif /* BLN_TESTS_ASK_TOOLS_H */
