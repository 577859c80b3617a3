/* allreduce: agreements and sums among processes */
#include "allreduce_private.h"
#include "status_private.h"
#include "bytes_private.h"

enum { BLNI_PROCESSES_MOST = 1 << 20 };        /* doubles in a call */

BLNI_PRIV blni_processes blni_processes_of(bln_allreduce sum, void *user)
{
    const blni_processes r = { sum, user, 0 };
    return r;
}

BLNI_PRIV int blni_processes_many(const blni_processes *r) { return r && r->sum; }

/* Ends the sums of this fit for good. */
BLNI_PRIV bln_status blni_processes_end(blni_processes *r, bln_status own, bln_status status, const char *why, bln_report *report)
{
    r->over = 1;
    return own != BLN_OK ? own : blni_refuse(report, status, why);
}

/* Has every process arrived here with BLN_OK, about to do the same step at the same point x? own: the status of this one. After
 * anything but BLN_OK no process calls the others again. With a hash h < 2^16 of step and x, the sums of 1, h and h^2 over K
 * processes are exact up to K = 2^21, and all h are equal if and only if the sums are K, K h and K h^2: their variance is 0. If
 * they differ, every process finds so. */
BLNI_PRIV bln_status blni_processes_agree(blni_processes *r, bln_status own, unsigned char step, size_t n, const double *x,
                                      bln_report *report)
{
    double buf[4];
    if (!blni_processes_many(r)) return own;
    if (r->over) return blni_processes_end(r, own, BLN_EPEER, "allreduce: a process has ended this fit", report);
    uint64_t hash = blni_fnv(BLNI_FNV_START, &step, 1);
    if (own == BLN_OK && n) hash = blni_fnv(hash, (const unsigned char *)x, n*sizeof *x);
    hash ^= hash >> 32;
    hash ^= hash >> 16;
    const double h = (double)(hash & 0xffff);
    buf[0] = own == BLN_OK ? 0.0 : 1.0;
    buf[1] = 1.0;
    buf[2] = h;
    buf[3] = h*h;
    const bln_status status = r->sum(r->user, buf, 4);
    if (status != BLN_OK) return blni_processes_end(r, own, status, "allreduce: the callback failed", report);
    if (buf[0] != 0.0) return blni_processes_end(r, own, BLN_EPEER, "allreduce: another process failed, and says why", report);
    if (!(buf[1] >= 1.0) || buf[2] != buf[1]*h || buf[3] != buf[1]*h*h)
        return blni_processes_end(r, own, BLN_EPEER, "allreduce: the processes are out of step: other options or columns, another "
                              "program, or another kind of processor", report);
    return BLN_OK;
}

/* Tells the other processes, at their next agreement, that this one does not go on. */
BLNI_PRIV void blni_processes_leave(blni_processes *r)
{
    if (!blni_processes_many(r) || r->over) return;
    blni_processes_agree(r, BLN_ESTOPPED, 0, 0, NULL, NULL);
    r->over = 1;
}

/* buf <- its sum over the processes, after an agreement. */
BLNI_PRIV bln_status blni_processes_sum(blni_processes *r, size_t n, double *buf, bln_report *report)
{
    for (size_t i = 0; i < n && blni_processes_many(r); i += BLNI_PROCESSES_MOST) {
        const bln_status status = r->sum(r->user, buf + i, blni_min(n - i, BLNI_PROCESSES_MOST));
        if (status != BLN_OK) return blni_processes_end(r, BLN_OK, status, "allreduce: the callback failed", report);
    }
    return BLN_OK;
}

/* own: what the monitor of this process returned, at this objective. If one stops, all get BLN_ESTOPPED. why: what to say of a
 * monitor that failed. */
BLNI_PRIV bln_status blni_processes_watch(blni_processes *r, bln_status own, double objective, const char *why, bln_report *report)
{
    double stop = own == BLN_ESTOPPED;
    if (own != BLN_OK && own != BLN_ESTOPPED) blni_refuse(report, own, why);
    bln_status status = blni_processes_agree(r, own == BLN_ESTOPPED ? BLN_OK : own, 'm', 1, &objective, report);
    if (status == BLN_OK) status = blni_processes_sum(r, 1, &stop, report);
    return status == BLN_OK && stop > 0.0 ? BLN_ESTOPPED : status;
}

/* Weighted means and scatters of the rows of all processes together. A column that is the same everywhere keeps its mean to the bit
 * and its scatter of 0: means are summed as differences from a first guess.        [Chan, Golub & LeVeque 1983] */
BLNI_PRIV bln_status blni_processes_running(blni_processes *r, size_t n, blni_running *x, bln_report *report)
{
    for (size_t i = 0; i < n && blni_processes_many(r); i++) {
        const double w = x[i].weight, mean = w > 0.0 ? x[i].mean : 0.0;
        double first[2], second, scatter;
        first[0] = w;
        first[1] = w*mean;
        BLNI_TRY(blni_processes_sum(r, 2, first, report));
        const double total = first[0], guess = total > 0.0 ? first[1]/total : 0.0;
        second = w*(mean - guess);
        BLNI_TRY(blni_processes_sum(r, 1, &second, report));
        const double all = guess + (total > 0.0 ? second/total : 0.0), off = mean - all;
        scatter = x[i].scatter + w*off*off;
        BLNI_TRY(blni_processes_sum(r, 1, &scatter, report));
        x[i].weight = total;
        x[i].mean = all;
        x[i].scatter = scatter;
    }
    return BLN_OK;
}
