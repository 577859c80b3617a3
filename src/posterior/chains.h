#ifndef BLN_POSTERIOR_CHAINS_H
#define BLN_POSTERIOR_CHAINS_H
#include "../core/load.h"
#include "../core/status.h"
/* >>chains - draws of several chains, with names: the result of samplers, or tables of draws from elsewhere
 *
 * A table of numbers: one row for each draw of each chain, one column for each quantity. The rows of draw 0 of all chains come
 * first, then those of draw 1: row i*chains + c is draw i of chain c. Columns that hold the weights of a model can therefore serve
 * as the points of a bln_group (>>kind_point) without a copy: w = bln_chains_table(c) + column, ld = bln_chains_columns(c), and
 * K = chains times draws.
 *
 * Columns whose name ends with two underscores belong to the sampler, as in the files that Stan writes:
 *
 *     lp__              log density               stepsize__      step of the integrator
 *     accept_stat__     mean acceptance           n_leapfrog__    evaluations of the draw
 *     energy__          -lp__ + kinetic energy    treedepth__     doublings of the trajectory
 *     divergent__       1 if the integrator failed on the way, else 0
 *
 * bln_chains_diagnose (>>diagnosis) reads them; the other columns are parameters. */
typedef struct bln_chains bln_chains;

typedef struct bln_chains_desc {
    size_t chains;                 /*                                                                       (0: 1)               */
    size_t draws;                  /* most draws of each chain                                              (required, >= 1)     */
    size_t columns;                /*                                                                       (required, >= 1)     */
    const char *const *names;      /* columns names of 1 to 255 bytes without line ends, copied             (NULL: "q[1]", ...)  */
    bln_allocator alloc;           /*                                                                       (zero: malloc)       */
} bln_chains_desc;

/* Makes a table without draws. Everything is allocated here, in one block.
 * BLN_EINVAL: no desc or out, no draws or columns, a name that is NULL, empty, too long or has a line end, half an allocator.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_chains_create(const bln_chains_desc *desc, bln_chains **out, bln_report *report);
BLN_API void       bln_chains_free(bln_chains *chains);                    /* NULL is fine */

/* Adds one draw of each chain: chains x columns numbers, row c for chain c.
 * BLN_EINVAL: NULL.  BLN_ESTATE: the table has desc->draws draws already. */
BLN_API bln_status bln_chains_add(bln_chains *chains, const double *rows, bln_report *report);

/* The number of chains; of draws of each so far; of columns; of columns that are parameters. 0 for NULL. */
BLN_API size_t bln_chains_count(const bln_chains *chains);
BLN_API size_t bln_chains_draws(const bln_chains *chains);
BLN_API size_t bln_chains_columns(const bln_chains *chains);
BLN_API size_t bln_chains_parameters(const bln_chains *chains);

/* The name of a column, NULL if there is no such column; the first column of a name, or BLN_NONE; is a column a parameter? */
BLN_API const char *bln_chains_name(const bln_chains *chains, size_t column);
BLN_API size_t      bln_chains_find(const bln_chains *chains, const char *name);
BLN_API int         bln_chains_is_parameter(const bln_chains *chains, size_t column);

/* The numbers: (draws x chains) x columns, as above, valid until the next draw is added. NULL for NULL. */
BLN_API const double *bln_chains_table(const bln_chains *chains);

/* As text, CSV: a line of names, then a line for each draw of each chain, the chains one after the other, with the columns chain
 * and draw in front, both from 1. Numbers read back to the same bits. Returns w's status; BLN_EINVAL: NULL. */
BLN_API bln_status bln_chains_write_csv(const bln_chains *chains, bln_writer *w);

/* Reads `size` bytes of CSV, such as _write_csv, R, Python or CmdStan write. Empty lines and lines that begin with # are skipped;
 * cells may be in double quotes. A column `chain`, `.chain` or `chain__` has the number of the chain; the numbers are consecutive.
 * Without such a column, each repetition of the first line, as in files joined one after the other, begins another chain. The
 * columns `draw`, `iteration` and `iter` (also with a point before or __ after) and a first column without a name are left out;
 * draws are in the order of the lines. nan, NA and inf are numbers.
 * BLN_EINVAL: NULL.  BLN_EFORMAT: no names or no draws, a cell that is no number, a line of another length, a quote that is not
 * closed.  BLN_ESHAPE: chains of different length, or a gap in their numbers.  BLN_ENOMEM, BLN_EOVERFLOW. The text of the
 * report names the line from 1; its row is that of the draw, its column that of the file, from 0. */
BLN_API bln_status bln_chains_read_csv(const bln_allocator *alloc, const char *text, size_t size, bln_chains **out,
                                       bln_report *report);

/* As bytes (>>bytes), the same on every machine: u64 x 4: chains, draws, columns, bytes of all names, each with a 0; str x columns:
 * the names; f64: the table.
 * _save returns w's status; BLN_EINVAL: NULL. _load: BLN_EINVAL: NULL.  BLN_EFORMAT: damaged, or no chains.  BLN_ENOMEM,
 * BLN_EOVERFLOW, BLN_EIO; the reader's report gets the reason. context: its allocator (NULL: malloc). */
BLN_API bln_status bln_chains_save(const bln_chains *chains, bln_writer *w);
BLN_API bln_status bln_chains_load(const bln_load *context, bln_reader *r, bln_chains **out);

#endif /* BLN_POSTERIOR_CHAINS_H */
