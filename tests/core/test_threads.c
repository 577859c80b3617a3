/* threads: pieces cover the work once each, whatever their number, and run where OpenMP is in the order of nobody */
#include "../test.h"
#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct threads_job { size_t count, step, pieces; unsigned char *seen; } threads_job;

static void threads_mark(const void *job, size_t k)
{
    const threads_job *j = (const threads_job *)job;
    const size_t end = blni_piece_begin(j->count, j->step, k + 1, j->pieces);
    for (size_t i = blni_piece_begin(j->count, j->step, k, j->pieces); i < end; i++) j->seen[i]++;
}

TEST(threads, pieces_cover_the_work_once)
{
    unsigned char seen[300];
    for (size_t count = 0; count < 200; count += 1 + count/20)
        for (size_t step = 1; step <= 24; step += 7)
            for (size_t n = 1; n <= 9; n++) {
                threads_job job;
                memset(seen, 0, sizeof seen);
                job.count = count;
                job.step = step;
                job.pieces = n;
                job.seen = seen;
                blni_run_pieces(n, threads_mark, &job);
                for (size_t i = 0; i < sizeof seen; i++) CHECK(seen[i] == (i < count));
                size_t least = count, most = 0;
                for (size_t k = 0; k < n; k++) {
                    const size_t begin = blni_piece_begin(count, step, k, n), end = blni_piece_begin(count, step, k + 1, n);
                    CHECK(begin <= end && (begin % step == 0 || begin == count));
                    least = end - begin < least ? end - begin : least;
                    most = end - begin > most ? end - begin : most;
                }
                CHECK(most - least <= 2*step);                           /* a step, and what is left of the last */
            }
}

TEST(threads, little_work_is_one_piece)
{
    CHECK_SIZE(blni_pieces(0.0, 100), 1);
    CHECK_SIZE(blni_pieces(1e5, 100), 1);
    CHECK_SIZE(blni_pieces(1e12, 1), 1);
    CHECK_SIZE(blni_pieces(1e12, 0), 1);
#ifdef _OPENMP
    const int before = omp_get_max_threads();
    omp_set_num_threads(3);
    CHECK_SIZE(blni_pieces(1e12, 100), 3);
    CHECK_SIZE(blni_pieces(1e12, 2), 2);
    size_t inside = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        inside += blni_pieces(1e12, 100);
    }
    CHECK_SIZE(inside, 2);                                               /* one for each of the two */
    omp_set_num_threads(before);
#else
    CHECK_SIZE(blni_pieces(1e12, 100), 1);
#endif
}

SUITE_BEGIN(threads)
    SUITE_TEST(threads, pieces_cover_the_work_once)
    SUITE_TEST(threads, little_work_is_one_piece)
SUITE_END(threads)
