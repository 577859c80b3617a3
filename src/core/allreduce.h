#ifndef BLN_CORE_ALLREDUCE_H
#define BLN_CORE_ALLREDUCE_H
#include "status.h"
/* >>allreduce - one fit over the rows of several processes
 *
 * Each process has rows of its own, calls the same functions in the same order with the same desc, and ends with the same model: a
 * callback in the desc adds up over the processes whatever is a sum over rows. With MPI it is
 *
 *     bln_status sum(void *user, double *buf, size_t n)
 *     {
 *         MPI_Comm *comm = (MPI_Comm *)user;
 *         return MPI_Allreduce(MPI_IN_PLACE, buf, (int)n, MPI_DOUBLE, MPI_SUM, *comm) ? BLN_EIO : BLN_OK;
 *     }
 *
 * buf[i] becomes the sum of buf[i] over all processes, with the same bits in each of them; n is at most 2^20. A status other than
 * BLN_OK ends the fit and is returned to its caller.
 *
 * Every process takes each decision by itself, from the same numbers. So all must run the same program on the same kind of
 * processor (on different kinds: with BAYESLIN_REPRODUCIBLE). Before each sum a sum of four numbers tells whether a process has
 * failed, and whether all are about to do the same step at the same point. If not, all return: the one that failed with its own
 * status and reason, the others with BLN_EPEER. No process is left waiting, unless another never makes the call: see to it that all
 * make it, or none.
 *
 * The result differs from that of one process with all rows by the order of the sums: by rounding in double arithmetic, not at all
 * in exact arithmetic (whose sums travel as fixed-point pieces that add up without error). */
typedef bln_status (*bln_allreduce)(void *user, double *buf, size_t n);

#endif /* BLN_CORE_ALLREDUCE_H */
