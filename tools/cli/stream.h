#ifndef BAYESLIN_CLI_STREAM_H
#define BAYESLIN_CLI_STREAM_H
#include "model.h"
/* stream - the rows of a table that need not fit into memory
 *
 * The text is read twice, a megabyte at a time: first to learn the columns and which rows are complete; then the numbers are
 * written to an unnamed file of doubles, 8 bytes a number, in the folder of -o ($TMPDIR if it is set). Every later pass reads that
 * file. It disappears when the program ends, however it ends. */
typedef struct stream {
    cli_columns cols;             /* the columns of the table, for the model; empty if they were known */
    size_t      n, dropped;       /* complete rows; incomplete rows                                   */
    double      weight;           /* sum of the rows' weights                                         */
    bln_data    some;             /* evenly spaced raw rows in memory: all if they are few; or none   */
    size_t      d, P, width;      /* inputs, targets, numbers of a row                                */
    size_t      role[ROLE_COUNT]; /* place of each role in a row; 0: none                             */
    int         file;
    double     *room;             /* the memory of `some`                                             */
    size_t      most;             /* most rows of `some`                                              */
    const model *view;            /* rows of this pass are in its units; NULL: raw, less the offset   */
    size_t      at;               /* rows of this pass so far                                         */
    double     *block;            /* STREAM_BLOCK rows, and the same converted                        */
    progress   *p;
} stream;

enum { STREAM_BLOCK = 1024, STREAM_SOME = 20000, STREAM_MOST = 10000000 };

/* Reads the table. known: columns of a model, which the table must have by name; NULL: learns them. most: most rows of `some`; 0:
 * none. */
int  stream_open(const options *o, const cli_columns *known, size_t most, progress *p, stream *out, cli_why *why);
void stream_close(stream *s);                                     /* a zeroed one is fine too */

/* The rows as a source, which is valid until the next call. view: NULL, or a model with a scaler, for rows in its units (see
 * model_view). */
bln_source stream_source(stream *s, const model *view);

/* Like model_fit (model.h). If basis parameters are learnt, there are more rows than in s->some, and --sample is not 0, all starts
 * search on those, and the best goes on from there over all rows. The model owns s->cols from then on. */
int stream_fit(const options *o, stream *s, progress *p, model *out, cli_why *why);

#endif /* BAYESLIN_CLI_STREAM_H */
