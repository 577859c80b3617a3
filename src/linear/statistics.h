#ifndef BLN_LINEAR_STATISTICS_H
#define BLN_LINEAR_STATISTICS_H
#include "../basis/basis.h"
#include "../core/data.h"
/* >>statistics - sufficient statistics of the linear model, which merge, shrink and forget
 *
 *     N = sum of weights,  ld = sum w_n log(1/v_n),  [G b; b' c] = [Phi Y]' Omega [Phi Y],  omega_n = w_n/v_n,  Y less its
 *     offset, n x P  [linear 2, 41]
 *
 * At fixed basis parameters they are all that a fit needs (bln_slm_fit_statistics): rows can be added as they come, shards
 * merged in any order, rows taken out again, old ones forgotten, and the posterior is exactly that of the rows that remain. In
 * three doubles (exact) that holds to the last digit whatever the order; in double to rounding, which grows when most of
 * what was added is taken out again.
 * As a triangle (qr) they are R with R'R = [Phi Y]' Omega [Phi Y]; rows go below it by Householder reflections, in whatever blocks
 * and shards with errors of some eps of each column, and the condition of Phi is never squared: see BLN_SLM_QR.
 *     [linear 19, 24, 28, 29; Demmel et al. 2012]
 * Memory: some (D+P)^2 numbers (three doubles each if exact) and a block of features. */
typedef struct bln_statistics bln_statistics;

typedef struct bln_statistics_desc {
    const bln_basis *basis;        /* borrowed; must outlive the statistics             (required)                        */
    const double    *theta;        /* n_theta basis parameters, copied                  (NULL: the basis's own starts)    */
    size_t           n_outputs;    /* P, columns of y                                   (0: 1)                            */
    int              exact;        /* three doubles                                     (0: double)                       */
    int              qr;           /* the triangle; not with exact                      (0: sums)                         */
    size_t           block;        /* rows of a block                                   (0: 256)                          */
    bln_allocator    alloc;        /*                                                   (zero: malloc)                    */
} bln_statistics_desc;

/* Of no rows.   BLN_EINVAL: no basis, an unusable one, theta not finite, exact and qr, half an allocator.  BLN_ENOMEM,
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_statistics_create(const bln_statistics_desc *desc, bln_statistics **out, bln_report *report);
BLN_API void       bln_statistics_free(bln_statistics *t);                       /* NULL is fine */

/* Adds rows, or takes out rows that were added before, but not of a triangle, whose digits would go with them (a bln_sequential
 * can, and refuses where they would be too many). n (D+P)^2 flops (about 100 times that if exact; 2 n (D+P)^2 with qr).
 * BLN_EINVAL, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit; BLN_ENUMERIC: squares overflow; taking out more weight than
 * there is: BLN_EDOMAIN; out of a triangle: BLN_EINVAL. Nothing changes then. */
BLN_API bln_status bln_statistics_add   (bln_statistics *t, const bln_data *data, bln_report *report);
BLN_API bln_status bln_statistics_remove(bln_statistics *t, const bln_data *data, bln_report *report);

/* t <- t + other [linear 24]: the statistics of both sets of rows; t itself counts twice.   2 (D+P)^3/3 flops with qr
 * BLN_ESHAPE: of another basis (by a hash of what it saves), other arithmetic or another theta. */
BLN_API bln_status bln_statistics_merge(bln_statistics *t, const bln_statistics *other, bln_report *report);

/* All that was added so far counts kappa in (0, 1] times as much [linear 29]: before each new row for an effective memory of 1/(1 -
 * kappa) rows. The prior is not forgotten. BLN_EDOMAIN: kappa outside (0, 1]. */
BLN_API bln_status bln_statistics_forget(bln_statistics *t, double kappa, bln_report *report);

/* N = sum of weights. */
BLN_API double bln_statistics_rows(const bln_statistics *t);

/* As bytes, to travel between processes. The basis does not travel: load adds what was saved to t, which must have the same
 * basis and theta. load: BLN_ESHAPE as merge; what the reader says; nothing changes on failure.  BLN_ENOMEM. */
BLN_API bln_status bln_statistics_save(const bln_statistics *t, bln_writer *w);
BLN_API bln_status bln_statistics_load(bln_statistics *t, bln_reader *r);

#endif /* BLN_LINEAR_STATISTICS_H */
