#ifndef BLN_CORE_ALLREDUCE_PRIVATE_H
#define BLN_CORE_ALLREDUCE_PRIVATE_H
/* allreduce_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "allreduce.h"
#include "data_private.h"

/* The processes taking part in one fit. sum NULL: there is only this one. */
typedef struct blni_processes {
    bln_allreduce sum;
    void         *user;
    int           over;            /* no more sums follow: the processes agreed to stop, or the fit is done */
} blni_processes;

/* allreduce */
BLNI_PRIV blni_processes blni_processes_of(bln_allreduce sum, void *user);
BLNI_PRIV int blni_processes_many(const blni_processes *r);
BLNI_PRIV bln_status blni_processes_agree(blni_processes *r, bln_status own, unsigned char step, size_t n, const double *x,
                                           bln_report *report);
BLNI_PRIV void blni_processes_leave(blni_processes *r);
BLNI_PRIV bln_status blni_processes_sum(blni_processes *r, size_t n, double *buf, bln_report *report);
BLNI_PRIV bln_status blni_processes_watch(blni_processes *r, bln_status own, double objective, const char *why, bln_report *report);
BLNI_PRIV bln_status blni_processes_running(blni_processes *r, size_t n, blni_running *x, bln_report *report);

#endif /* BLN_CORE_ALLREDUCE_PRIVATE_H */
