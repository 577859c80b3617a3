/* threads: work in pieces, which run at the same time where the program is compiled with OpenMP */
#include "threads_private.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* Minimum operations for each extra thread; below it, starting and waiting dominate. */
enum { BLNI_PIECE = 1 << 19 };

/* The number of pieces, 1 to `most`, into which to split work of so many operations. */
BLNI_PRIV size_t blni_pieces(double operations, size_t most)
{
#ifdef _OPENMP
    if (operations < 2.0*BLNI_PIECE || most < 2 || omp_in_parallel()) return 1;
    const double worth = operations/BLNI_PIECE;
    const size_t threads = (size_t)omp_get_max_threads(), n = threads < most ? threads : most;
    return worth < (double)n ? (size_t)worth : n;
#else
    return 1;
#endif
}

/* piece(job, k) for k < n, in any order. */
BLNI_PRIV void blni_run_pieces(size_t n, void (*piece)(const void *job, size_t k), const void *job)
{
#ifdef _OPENMP
    if (n > 1) {
#pragma omp parallel for schedule(static, 1) num_threads((int)n)
        for (int k = 0; k < (int)n; k++) piece(job, (size_t)k);
        return;
    }
#endif
    for (size_t k = 0; k < n; k++) piece(job, k);
}

/* The first element of piece k when `count` elements are split into n pieces at multiples of `step`; `count` for k = n. */
BLNI_PRIV size_t blni_piece_begin(size_t count, size_t step, size_t k, size_t n)
{
    const size_t steps = count/step + (count % step != 0), whole = steps/n, rest = steps % n;
    const size_t begin = (whole*k + (k < rest ? k : rest))*step;
    return begin < count ? begin : count;
}
