#ifndef BAYESLIN_CLI_FRAME_H
#define BAYESLIN_CLI_FRAME_H
#include "columns.h"
#include "options.h"
/* frame - a table, and its rows without a missing value in the columns that are used */
typedef struct frame {
    csv_table table;
    reading  *how;                 /* how a table for learning is written; else NULL                    */
    size_t    n_at, *at;           /* columns that are used, or COLUMNS_NOWHERE: inputs, then targets and roles (columns.h) */
    size_t    n, *rows;            /* the rows without a missing value, >= 1                            */
    size_t    dropped;             /* the number of other rows; 0 unless --missing drop                 */
} frame;

/* For learning: the columns of the file that a term reads, except unnamed ones, those of --ignore and constant ones; after them the
 * targets, and COLUMNS_OTHERS for the roles and the group. Notes on standard error say what was left out. */
int frame_for_training(const options *o, frame *out, cli_why *why);

/* The number of columns of a frame for learning that are inputs. */
size_t frame_inputs(const options *o, const frame *f);

/* Learns the columns and classes of a frame from n_rows of its rows; see columns_learn. */
int frame_learn(const options *o, const frame *f, size_t n_rows, const size_t *rows, cli_columns *out, cli_why *why);

/* For a model: the columns that columns_find finds. A note says if the table lacks the noise variances or trials of the model,
 * or with COLUMNS_WEIGH its weights. */
int frame_for_model(const options *o, const cli_columns *c, columns_use use, frame *out, cli_why *why);

/* A frame of columns at[0..n_at-1] (copied) of a table, which the frame owns from then on. */
int frame_of(const options *o, csv_table *table, size_t n_at, const size_t *at, frame *out, cli_why *why);

/* The parts of these, for tables in blocks. frame_choose: the columns for learning, which the caller frees; how: NULL, or a reading
 * that has settled, whose dropped columns are then left out, without notes. frame_select: the rows without a missing value, room
 * for t->n_rows of them; returns how many, and adds the others to gaps. frame_check: after the last block, fails if there may not
 * be that many gaps among n_rows rows. */
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

/* A note on standard error if rows were dropped, what: "are left out"; if cells were filled, in `filled` of n rows. */
void frame_note_dropped(const frame *f, const char *what);
void frame_note_filled(const char *file, size_t filled, size_t n);

/* The name by which --keep takes a column: its own, or, of the first column that has none, as R writes row names, "rowname" if no
 * column is called so; else "". */
const char *frame_kept_name(const csv_table *t, size_t column);

/* Fails if the words of a column are a different name for each of the rows that were learnt from. */
int frame_check_names(const reading *how, const cli_columns *c, const char *file, cli_why *why);

void frame_free(frame *f);

#endif /* BAYESLIN_CLI_FRAME_H */
