#ifndef BLN_PROGRAM_PROGRAM_PRIVATE_H
#define BLN_PROGRAM_PROGRAM_PRIVATE_H
/* program_private: private declarations, for the files of this room; comments stand at the definitions */
#include "program.h"
#include "constrain_private.h"
#include "../core/allreduce_private.h"
#include "../optim/minibatch_private.h"
#include "../sampling/density_private.h"

/* The rows of a program, and those that an evaluation uses. */
typedef struct blni_program_rows {
    bln_allocator  alloc;
    bln_data       all, now;         /* the user's view; the rows of the present evaluation                                */
    const bln_source *source;        /* NULL: rows are those of `all`                                                      */
    uint64_t       seed;
    size_t         block;            /* rows of a block in a pass over the source                                          */
    size_t         n;                /* rows of an epoch                                                                   */
    size_t         size;             /* rows of a minibatch, about; 0: evaluations use all rows                            */
    size_t         count, counted;   /* batches of an epoch; the size for which they were counted                          */
    size_t         at;               /* of the source: the number of the next batch, BLN_NONE after a pass over all rows   */
    uint64_t       step;             /* the step whose minibatch is in `now`; UINT64_MAX: none                             */
    blni_minibatch order;
    size_t        *index;            /* row numbers of a minibatch, at the head of a block that also holds its rows        */
    size_t         bytes, sized;     /* of that block: its size, and the rows of a minibatch that it holds                 */
} blni_program_rows;

struct bln_program {
    bln_program_desc desc;
    void            *block;                    /* holds this struct and what it points to                                */
    size_t           bytes, dim, n_out;        /* dim: free coordinates; n_out: numbers of all parameters                */
    bln_tape         tape;
    blni_space      *space;                    /* the domain of each parameter                                           */
    bln_var         *var;                      /* the handle of each parameter                                           */
    const double   **place;                    /* where the numbers of each parameter are, for generate                  */
    double          *start, *gradient, *out, *work;
    unsigned char   *scope, *point;            /* of each free coordinate                                                */
    blni_program_rows rows;
    blni_processes   processes;
    uint64_t         noise;                    /* number of the draw whose noise bln_c_noise gives; 0: the fixed one     */
    double           share;                    /* factor of prior terms in this process: 1/(number of processes)         */
    double           term[BLNI_TERMS];         /* terms of the target in the last evaluation, over all rows, without powers */
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
