#ifndef BLN_POSTERIOR_DIAGNOSIS_H
#define BLN_POSTERIOR_DIAGNOSIS_H
#include "chains.h"
#include "convergence.h"
/* >>diagnosis - may these draws be believed, and what to do if not
 *
 * Looks at all columns of a table of draws, whoever made it (>>chains): R-hat and effective sample sizes of the parameters and of
 * lp__ (>>convergence), and, where a Hamiltonian sampler made it, what its own columns tell. */

/* The draws of a column, all zero for NULL or a column that is not there; and their summary, whose workspace comes from the table's
 * allocator.  BLN_EINVAL: NULL, no such column, no draws.  BLN_ENOMEM. */
BLN_API bln_series bln_chains_series(const bln_chains *chains, size_t column);
BLN_API bln_status bln_chains_summary(const bln_chains *chains, size_t column, bln_summary *out, bln_report *report);

/* What is enough. */
typedef struct bln_diagnosis_desc {
    double rhat;                   /* R-hat at most                                                               (0: 1.01)     */
    double ess;                    /* bulk and tail ESS at least, for each chain                                  (0: 100)      */
    double ebfmi;                  /* E-BFMI at least                                                             (0: 0.3)      */
    size_t max_depth;              /* of the sampler: deeper trajectories were cut off                            (0: 10)       */
} bln_diagnosis_desc;

typedef struct bln_diagnosis {
    double rhat, ess_bulk, ess_tail;                           /* the worst of all columns; NaN: not known                     */
    size_t rhat_column, ess_bulk_column, ess_tail_column;      /* whose; BLN_NONE                                              */
    double ebfmi;                                              /* the lowest of all chains                                     */
    size_t ebfmi_chain;
    size_t draws, divergent, saturated;                        /* of all chains                                                */
    size_t constant;                                           /* parameters that are the same number in all draws, but for 0
                                                                  and 1 in a matrix (name[i,j]), as factors have them         */
    size_t unknown;                                            /* parameters with a draw that is not finite, or all if the
                                                                  chains have fewer than 6 draws                               */
    size_t doubts;                                             /* findings of `text` that make the draws doubtful: all but cut
                                                                  off trajectories and constant parameters                     */
    char   text[1200];                                         /* "", or a line for each finding: what is wrong, what it means
                                                                  and what to do                                               */
} bln_diagnosis;

/* BLN_OK whatever it finds.  BLN_EINVAL: NULL, no draws, a limit that is negative or NaN.  BLN_ENOMEM. */
BLN_API bln_status bln_chains_diagnose(const bln_chains *chains, const bln_diagnosis_desc *desc, bln_diagnosis *out,
                                       bln_report *report);

#endif /* BLN_POSTERIOR_DIAGNOSIS_H */
