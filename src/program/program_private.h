#ifndef BLN_PROGRAM_PROGRAM_PRIVATE_H
#define BLN_PROGRAM_PROGRAM_PRIVATE_H
/* program_private: what its files share and no user sees; comments stand at the definitions */
#include "program.h"
#include "constrain_private.h"
#include "../core/allreduce_private.h"
#include "../optim/minibatch_private.h"
#include "../sampling/density_private.h"

/* The rows of a program, and which of them an evaluation is about. */
typedef struct blni_program_rows {
    bln_allocator  alloc;
    bln_data       all, now;         /* the view; the rows of the present evaluation                                       */
    const bln_source *source;
    uint64_t       seed;
    size_t         block;            /* of a pass over the source                                                          */
    size_t         n;                /* rows of an epoch                                                                   */
    size_t         size;             /* of a minibatch; 0: all rows                                                        */
    size_t         count, counted;   /* batches of an epoch, and the size for which they were counted                      */
    size_t         at;               /* of the source: the number of the next batch, BLN_NONE after a pass over all rows   */
    uint64_t       step;             /* whose minibatch is in `now`; UINT64_MAX: none                                      */
    blni_minibatch order;
    size_t        *index;            /* in a block of `bytes` bytes, before the gathered rows                              */
    size_t         bytes, sized;     /* sized: for batches of so many rows                                                 */
} blni_program_rows;

struct bln_program {
    bln_program_desc desc;
    void            *block;                    /* holds this struct and what it points to                                */
    size_t           bytes, dim, n_out;        /* free coordinates; numbers of all parameters                            */
    bln_tape         tape;
    blni_space      *space;                    /* of each parameter                                                      */
    bln_var         *var;
    const double   **place;                    /* where the values of each are, for generate                             */
    double          *start, *gradient, *out, *work;
    unsigned char   *scope, *point;            /* of each free coordinate                                                */
    blni_program_rows rows;
    blni_processes   processes;
    uint64_t         noise;                    /* of a minibatch                                                         */
    double           share;                    /* of the prior in this process's sum: 1 over their number                */
    double           term[BLNI_TERMS];         /* of the last evaluation, over all rows, without powers                  */
    blni_density_parts       parts;
};

/* program_rows */
BLNI_PRIV const char *blni_program_rows_reason(const bln_program_desc *d);
BLNI_PRIV bln_status blni_program_rows_open(blni_program_rows *r, const bln_program_desc *d, bln_report *report);
BLNI_PRIV void blni_program_rows_close(blni_program_rows *r);
BLNI_PRIV bln_status blni_program_rows_mark(blni_program_rows *r, uint64_t *mark, bln_report *report);
BLNI_PRIV bln_status blni_program_rows_take(blni_program_rows *r, size_t part, int *there, bln_report *report);
BLNI_PRIV bln_status blni_program_rows_batch(blni_program_rows *r, size_t size, uint64_t step, bln_report *report);
BLNI_PRIV bln_status blni_program_reduce(bln_program *p, const double *q, double *value, double *gradient);

#endif /* BLN_PROGRAM_PROGRAM_PRIVATE_H */
