#ifndef BAYESLIN_CLI_STREAM_H
#define BAYESLIN_CLI_STREAM_H
#include "model.h"
/* stream - the rows of a table that need not fit into memory
 *
 * The text is read twice, a megabyte at a time: first what the columns are, and which rows are complete; then the numbers, which go
 * to a file of doubles without a name in the folder of -o ($TMPDIR if it is set): 8 bytes a number. Every later pass reads that
 * file. It is gone when the program ends, however it ends. */
typedef struct stream {
    cli_columns cols;             /* of the table, to be taken over; empty if they were known before  */
    size_t      n, dropped;       /* complete rows, and others                                        */
    double      weight;           /* sum of the rows' weights                                         */
    bln_data    some;             /* evenly spaced rows in memory, raw: all if they are few; or none  */
    size_t      d, P, width;      /* inputs, targets, numbers of a row                                */
    size_t      role[ROLE_COUNT]; /* where they stand in a row; 0: nowhere                            */
    int         file;
    double     *room;             /* of some, and for how many of them                                */
    size_t      most;
    const model *view;            /* the present pass: as it sees the rows; NULL: raw, less the offset */
    size_t      at;               /* rows of this pass so far                                         */
    double     *block;            /* STREAM_BLOCK rows, and what comes of them                        */
    progress   *p;
} stream;

enum { STREAM_BLOCK = 1024, STREAM_SOME = 20000, STREAM_MOST = 10000000 };

/* Reads the table. known: the columns of a model that the table must have by name, or NULL to learn them; unseen as in
 * columns.h. most: of some; 0: none. */
int  stream_open(const options *o, const cli_columns *known, size_t most, progress *p, stream *out, cli_why *why);
void stream_close(stream *s);                                     /* a zeroed one is fine too */

/* The rows as a source, to be used before the next call of this. view: NULL, or a model with a scaler, for rows as it sees them
 * (see model_view). */
bln_source stream_source(stream *s, const model *view);

/* As model_fit (model.h). With basis parameters to learn, more rows than s->some, and unless --sample is 0: all starts search on
 * those, and the best goes on over all rows from there. Takes s->cols over. */
int stream_fit(const options *o, stream *s, progress *p, model *out, cli_why *why);

#endif /* BAYESLIN_CLI_STREAM_H */
