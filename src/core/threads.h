#ifndef BLN_CORE_THREADS_H
#define BLN_CORE_THREADS_H
#include "config.h"
/* >>threads - more than one processor
 *
 * There is no global mutable state: distinct objects may be used in distinct threads, and a fitted model read by many.
 *
 * Where the implementation is compiled with OpenMP (-fopenmp), large products, factorisations and solves of >>blas and >>cholesky,
 * the sums and the gradient's pass of >>slm and >>statistics, features of >>fourier and >>fastfood and matrices of >>kernel use its
 * threads: as many as OMP_NUM_THREADS or omp_set_num_threads say, and one when called from a
 * parallel region of the caller's. Only work is shared out whose pieces write to different numbers, each by the same operations
 * wherever it falls: the bits of a result do not depend on the number of threads, nor on whether there are any. Callbacks are
 * called from the caller's thread only; but chains of >>hmc run side by side if their density says that it may be. */

#endif /* BLN_CORE_THREADS_H */
