#ifndef BAYESLIN_CLI_FRAME_H
#define BAYESLIN_CLI_FRAME_H
#include "columns.h"
#include "options.h"
/* frame - a table and the rows of it that can be used: those without a missing value in the columns that matter */
typedef struct frame {
    csv_table table;
    reading  *how;                 /* of a table for learning: how it is written; else NULL             */
    size_t    n_at, *at;           /* the columns that matter, or COLUMNS_NOWHERE: inputs, then targets and roles (see columns.h) */
    size_t    n, *rows;            /* the rows without a missing value, >= 1                            */
    size_t    dropped;             /* the others; 0 unless --missing drop                               */
} frame;

/* For learning: the columns of the file that a term reads, but unnamed ones, those of --ignore and those that are the same in all
 * rows; the last ones are the targets, and COLUMNS_OTHERS for the roles and the group. Notes on standard error say what was left
 * out. */
int frame_for_training(const options *o, frame *out, cli_why *why);

/* How many of a frame for learning are inputs. */
size_t frame_inputs(const options *o, const frame *f);

/* The columns of a frame for learning, as n_rows of its rows have them, and its classes: see columns_learn. */
int frame_learn(const options *o, const frame *f, size_t n_rows, const size_t *rows, cli_columns *out, cli_why *why);

/* For a model: what columns_find finds. A note says when the noise variances, or numbers of trials, of a model that has some are
 * not there. */
int frame_for_model(const options *o, const cli_columns *c, columns_use use, frame *out, cli_why *why);

/* Columns at[0..n_at-1] (copied) of a table, which is taken over. */
int frame_of(const options *o, csv_table *table, size_t n_at, const size_t *at, frame *out, cli_why *why);

/* The parts of these, for tables in blocks. Columns for learning, to free; how: NULL, or after it has settled, without those that
 * it drops, and without notes. Rows without a missing value, room for t->n_rows of
 * them: returns how many; the others go to gaps. After the last block, whether there may be so many gaps among n_rows rows. */
enum { FRAME_LINES = 8 };              /* lines that a message lists */
typedef struct frame_gaps {
    size_t    count;
    csv_place place;                   /* of the first, and its column */
    cli_shown column;
    char      lines[16*FRAME_LINES];
} frame_gaps;
int    frame_choose(const options *o, const csv_table *t, const reading *how, size_t **at, size_t *n_at, cli_why *why);
size_t frame_select(const csv_table *t, size_t n_at, const size_t *at, size_t *rows, frame_gaps *gaps);
int    frame_check(const options *o, const char *file, size_t n_rows, const frame_gaps *gaps, cli_why *why);

/* A note on standard error if rows were dropped; what: "are left out". Another if cells were filled, in so many of n rows. */
void frame_note_dropped(const frame *f, const char *what);
void frame_note_filled(const char *file, size_t filled, size_t n);

/* Fails where the words of a column are a name for each row. */
int frame_check_names(const reading *how, const cli_columns *c, const char *file, cli_why *why);

void frame_free(frame *f);

#endif /* BAYESLIN_CLI_FRAME_H */
