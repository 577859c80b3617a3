#ifndef BLN_CORE_THREADS_H
#define BLN_CORE_THREADS_H
#include "config.h"
/* >>threads - more than one processor
 *
 * There is no global mutable state: distinct objects may be used in distinct threads, and many threads may read one fitted model.
 *
 * Where the implementation is compiled with OpenMP (-fopenmp), these use its threads: large products, factorisations and solves of
 * >>blas and >>cholesky, the sums and the gradient of >>slm and >>statistics, the features of >>fourier and >>fastfood, the
 * matrices of >>kernel. OMP_NUM_THREADS or omp_set_num_threads say how many; inside a parallel region of the caller's it is one.
 * Each number of a result is written by one thread, with the same operations whichever thread it is: the bits of a result do not
 * depend on the number of threads, nor on OpenMP. Callbacks are called from the caller's thread only; but chains of >>hmc run side
 * by side if their density allows it. */

#endif /* BLN_CORE_THREADS_H */
