#ifndef BLN_CORE_ALLREDUCE_PRIVATE_H
#define BLN_CORE_ALLREDUCE_PRIVATE_H
/* allreduce_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "allreduce.h"
#include "data_private.h"

/* The processes taking part in one fit. sum NULL: there is only this one. */
typedef struct blni_ranks {
    bln_allreduce sum;
    void         *user;
    int           over;            /* no sums any more: the processes have agreed to stop, or the fit is done */
} blni_ranks;

/* allreduce */
BLNI_PRIV blni_ranks blni_ranks_of(bln_allreduce sum, void *user);
BLNI_PRIV int blni_ranks_many(const blni_ranks *r);
BLNI_PRIV bln_status blni_ranks_agree(blni_ranks *r, bln_status own, unsigned char step, size_t n, const double *x,
                                      bln_report *report);
BLNI_PRIV void blni_ranks_leave(blni_ranks *r);
BLNI_PRIV bln_status blni_ranks_sum(blni_ranks *r, size_t n, double *buf, bln_report *report);
BLNI_PRIV bln_status blni_ranks_running(blni_ranks *r, size_t n, blni_running *x, bln_report *report);

#endif /* BLN_CORE_ALLREDUCE_PRIVATE_H */
