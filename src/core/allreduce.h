#ifndef BLN_CORE_ALLREDUCE_H
#define BLN_CORE_ALLREDUCE_H
#include "status.h"
/* >>allreduce - one fit over the rows of several processes
 *
 * Each process (rank) has rows of its own, calls the same functions in the same order with the same desc, and ends with the same
 * model: what is a sum over rows becomes a sum over ranks by one callback in the desc. With MPI it is
 *
 *     bln_status sum(void *user, double *buf, size_t n)
 *     {
 *         MPI_Comm *comm = (MPI_Comm *)user;
 *         return MPI_Allreduce(MPI_IN_PLACE, buf, (int)n, MPI_DOUBLE, MPI_SUM, *comm) ? BLN_EIO : BLN_OK;
 *     }
 *
 * buf[i] becomes the sum of buf[i] over all ranks, the same bits on each of them; n is 2^20 at most. A status other than BLN_OK
 * ends the fit and is handed to its caller.
 *
 * Every rank takes every decision by itself, from the same numbers. So all must run the same program on the same kind of processor
 * (BAYESLIN_REPRODUCIBLE where that is mixed). Before each sum they agree, by a sum of four numbers: whether one of them has
 * failed, and whether all are about to do the same at the same point. If not, all of them return: that which failed with its own
 * status and reason, the others with BLN_EPEER. None is left waiting, unless a rank never gets as far as to call: see to it that
 * all do, or none.
 *
 * What differs from one process with all rows is the order of the sums: rounding in double, nothing in exact arithmetic (its sums
 * go in fixed-point pieces that add up without error). */
typedef bln_status (*bln_allreduce)(void *user, double *buf, size_t n);

#endif /* BLN_CORE_ALLREDUCE_H */
