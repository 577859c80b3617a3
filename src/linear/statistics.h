#ifndef BLN_LINEAR_STATISTICS_H
#define BLN_LINEAR_STATISTICS_H
#include "../basis/basis.h"
#include "../core/data.h"
/* >>statistics - sufficient statistics of the linear model, to which rows are added, merged, taken out or discounted
 *
 *     N = sum of weights,  ld = sum w_n log(1/v_n),  [G b; b' c] = [Phi Y]' Omega [Phi Y],  omega_n = w_n/v_n,
 *     w_n the weight and v_n the noise_var of row n, Y (n x P) with its offset subtracted                [linear 2, 41]
 *
 * At fixed basis parameters a fit needs nothing else (bln_slm_fit_statistics). Rows can be added as they come, parts of the data
 * merged in any order, rows taken out again and old ones discounted; the posterior is exactly that of the rows that remain. In
 * three doubles (exact) this holds to the last digit in any order; in double up to rounding errors, which grow when most of what
 * was added is taken out again. With `qr` the statistics are the triangle R with R'R = [Phi Y]' Omega [Phi Y]. Householder
 * reflections add rows: however they are divided into blocks and parts, errors are a few eps of each column, and the condition
 * number of Phi is never squared (BLN_SLM_QR).                          [linear 19, 24, 28, 29; Demmel et al. 2012]
 * Memory: some (D+P)^2 numbers (three doubles each if exact) and a block of features. */
typedef struct bln_statistics bln_statistics;

typedef struct bln_statistics_desc {
    const bln_basis *basis;        /* borrowed; must outlive the statistics             (required)                        */
    const double    *theta;        /* n_theta basis parameters, copied                  (NULL: the basis's own starts)    */
    size_t           n_outputs;    /* P, columns of y                                   (0: 1)                            */
    int              exact;        /* each sum in three doubles                         (0: double)                       */
    int              qr;           /* the triangle R; not with exact                    (0: sums)                         */
    size_t           block;        /* rows of a block                                   (0: 256)                          */
    bln_allocator    alloc;        /*                                                   (zero: malloc)                    */
} bln_statistics_desc;

/* Statistics of no rows. BLN_EINVAL: NULL, a basis that bln_basis_check refuses, theta not finite, exact with qr, an allocator
 * without alloc or release. BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_statistics_create(const bln_statistics_desc *desc, bln_statistics **out, bln_report *report);
BLN_API void       bln_statistics_free(bln_statistics *t);                       /* NULL is fine */

/* Adds rows, or takes out rows that were added before. Rows cannot be taken out of a triangle, which would lose digits unnoticed
 * (bln_sequential can take rows out, and refuses where too many digits would go). n (D+P)^2 flops; about 100 times if exact; 2 n
 * (D+P)^2 with qr. BLN_EINVAL, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit. BLN_ENUMERIC: squares overflow. BLN_EDOMAIN:
 * taking out more weight than there is. BLN_EINVAL: taking rows out of a triangle. Nothing changes on failure. */
BLN_API bln_status bln_statistics_add   (bln_statistics *t, const bln_data *data, bln_report *report);
BLN_API bln_status bln_statistics_remove(bln_statistics *t, const bln_data *data, bln_report *report);

/* t <- t + other [linear 24]: the statistics of both sets of rows. other may be t; its rows then count twice.   2 (D+P)^3/3 flops
 * with qr   BLN_EINVAL: NULL.  BLN_ESHAPE: another basis (by a hash of what it saves), theta, n_outputs or arithmetic. */
BLN_API bln_status bln_statistics_merge(bln_statistics *t, const bln_statistics *other, bln_report *report);

/* Multiplies all statistics by kappa in (0, 1] [linear 29], so that earlier rows count less. Called before each new row, it keeps
 * an effective memory of 1/(1 - kappa) rows. The prior is not discounted. BLN_EINVAL: NULL. BLN_EDOMAIN: kappa outside (0, 1]. */
BLN_API bln_status bln_statistics_forget(bln_statistics *t, double kappa, bln_report *report);

/* N, the sum of the weights; NaN for NULL. */
BLN_API double bln_statistics_rows(const bln_statistics *t);

/* Writes the statistics as bytes, for example to another process, and adds saved ones to t. The basis is not written: t must have
 * the same basis, theta, n_outputs and arithmetic. BLN_EINVAL: NULL. load: BLN_ESHAPE as merge; BLN_EFORMAT: damaged; BLN_ENOMEM.
 * Any status of the reader or writer. Nothing changes on failure. */
BLN_API bln_status bln_statistics_save(const bln_statistics *t, bln_writer *w);
BLN_API bln_status bln_statistics_load(bln_statistics *t, bln_reader *r);

#endif /* BLN_LINEAR_STATISTICS_H */
