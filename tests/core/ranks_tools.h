/* ranks_tools.h - several processes of a fit (ranks), simulated in one process, one after the other
 *
 * A rank cannot wait in its callback for ranks that have not run yet. So each rank runs again from the start for every sum: it gets
 * the sums that are known, adds its part to the next one, and is stopped there. When all ranks have done so, that sum is known too.
 * A rank that ends without asking for a sum for which others wait would leave them waiting for ever: the test then fails. */
#ifndef BLN_TESTS_RANKS_TOOLS_H
#define BLN_TESTS_RANKS_TOOLS_H
#include "../test.h"

enum { RANKS_MOST = 4, RANKS_STOPPED = BLN_STATUS_COUNT };      /* a status that no code of the library returns */

typedef struct ranks_fake {
    size_t  at, known, *length;        /* sums asked for in this run; known sums and their lengths  */
    double **sum, *mine;               /* mine: what this run adds to the first unknown one          */
    size_t  mine_n;
    int     asked;                     /* did it ask for that one?                                   */
} ranks_fake;

static TEST_UNUSED bln_status ranks_sum(void *user, double *buf, size_t n)
{
    ranks_fake *f = (ranks_fake *)user;
    if (f->at < f->known) {
        if (n != f->length[f->at]) { CHECK_SIZE(n, f->length[f->at]); return BLN_EINVAL; }
        memcpy(buf, f->sum[f->at++], n*sizeof *buf);
        return BLN_OK;
    }
    CHECK(!f->asked);                  /* a rank must not ask again after a failure */
    f->asked = 1;
    f->mine_n = n;
    f->mine = test_doubles(n);
    memcpy(f->mine, buf, n*sizeof *buf);
    return (bln_status)RANKS_STOPPED;
}

/* Runs all K ranks to their ends; run(world, rank, fake) runs one of them from the start. Returns the number of sums, or BLN_NONE
 * if some ranks wait for ever. */
static TEST_UNUSED size_t ranks_run(size_t K, void (*run)(void *world, size_t rank, ranks_fake *fake), void *world)
{
    ranks_fake f;
    size_t room = 64, asked = K, sums = 0;
    memset(&f, 0, sizeof f);
    f.sum = (double **)malloc(room*sizeof *f.sum);
    f.length = (size_t *)malloc(room*sizeof *f.length);
    if (!f.sum || !f.length) exit(2);
    for (;;) {
        double *total = NULL;
        asked = 0;
        for (size_t r = 0; r < K; r++) {
            f.at = 0;
            f.asked = 0;
            f.mine = NULL;
            run(world, r, &f);
            if (!f.asked) continue;
            asked++;
            if (!total) { total = f.mine; f.length[f.known] = f.mine_n; continue; }
            CHECK_SIZE(f.mine_n, f.length[f.known]);
            for (size_t i = 0; i < f.mine_n && f.mine_n == f.length[f.known]; i++) total[i] += f.mine[i];
            free(f.mine);
        }
        if (asked < K || f.known > 5000) { free(total); break; }
        f.sum[f.known++] = total;
        if (f.known < room) continue;
        room *= 2;
        f.sum = (double **)realloc(f.sum, room*sizeof *f.sum);
        f.length = (size_t *)realloc(f.length, room*sizeof *f.length);
        if (!f.sum || !f.length) exit(2);
    }
    sums = asked ? BLN_NONE : f.known;
    CHECK_SIZE(asked, 0);              /* else these ranks wait for one that has ended */
    for (size_t k = 0; k < f.known; k++) free(f.sum[k]);
    free(f.sum);
    free(f.length);
    return sums;
}

#endif /* BLN_TESTS_RANKS_TOOLS_H */
