#ifndef BAYESLIN_CLI_READING_H
#define BAYESLIN_CLI_READING_H
#include "cell.h"
#include "csv.h"
#include "options.h"
#include "library.h"
/* reading - how the columns of a table are written: learned from the training rows, kept in the model, and used on every table
 *
 * After it a table holds what number_read takes: numbers with a point for decimals and nothing around them, dates as days since
 * the first one of the training rows, missing cells empty or filled. What the columns then are, columns.h says.
 *
 * Decimals are those of a whole table, which each table says for itself; the rest is that of a column: percentages (5% is 5),
 * the currency, the order of day and month, the first day, what fills missing cells. */

typedef enum reading_kind { READING_FREE, READING_NUMBER, READING_DATE, READING_WORDS } reading_kind;

/* What a column that is not in the file was made of. */
typedef enum reading_piece { PIECE_NONE, PIECE_YEAR, PIECE_MONTH, PIECE_WEEKDAY, PIECE_MISSING, PIECE_COUNT } reading_piece;

/* What the table has a column for; TEXT: groups and classes, whose text stays. */
typedef enum reading_use { USE_INPUT, USE_NUMBER, USE_TEXT } reading_use;

typedef struct reading_evidence reading_evidence;

/* Cells whose number has a decimal mark of each kind, and the first of them: in the columns in use, and in the others of the table,
 * which are asked where the former leave it open. odd: the first one in use that is not a plain number with a point. */
typedef struct reading_mark { size_t count; uint32_t line; cli_shown text, column; } reading_mark;
typedef struct reading_marks { reading_mark used[MARK_COUNT], aside[MARK_COUNT], odd; } reading_marks;

typedef struct reading_column {
    char    *name;
    uint32_t kind, percent, order, piece, fill;        /* fill: missing cells get fill_text */
    char     currency[4];
    size_t   of;                                       /* the column that this is a piece of  */
    int64_t  first;                                    /* of dates: the first day             */
    char     fill_text[40];
    reading_evidence *e;                               /* while it is learned                 */
} reading_column;

typedef struct reading {
    size_t   users;                                    /* how many free it                    */
    char     decimal;                                  /* of the training table: '.' or ','   */
    uint32_t missing;                                  /* a cli_missing                       */
    size_t   n, n_na;
    reading_column *column;
    char   **na;                                       /* what --na says is missing           */
    size_t   dropped;                                  /* how many are left out               */
    int      active;                                   /* does the training table need any of it? */
    char     guess;                                    /* while it is learned: the decimal mark of 1.234 in --na */
    size_t   n_aside;                                  /* while it is learned: columns that are not in use       */
    reading_evidence **aside;
} reading;

/* Learning. Begin: adds to the table the columns that --date asks for. Watch: the columns at[0..n_at-1] of the table, inputs
 * first, of which there are so many. Look: at all rows of a block. Settle: says in notes what was found. Then, if ->active, each
 * block is converted, looked at for means (--missing mean), and filled. */
int  reading_begin(const options *o, csv_table *t, reading **out, cli_why *why);
void reading_watch(reading *how, const options *o, const csv_table *t, size_t n_inputs, size_t n_at, const size_t *at);
void reading_look(reading *how, const csv_table *t);
int  reading_settle(reading *how, const options *o, csv_table *t, cli_why *why);
void reading_means_add(reading *how, const csv_table *t);
void reading_means_end(reading *how);

/* Is a column left out, as it is the same in all rows? */
int  reading_drops(const reading *how, const char *name);

/* How many cells of that column have values; and of how many rows. Only while it was just learned. */
size_t reading_values(const reading *how, const char *name);

/* Did --factor name it? */
int  reading_is_factor(const reading *how, const char *name);

/* Is that what --na says is missing: the text, or the number where 1.234 is read with this decimal mark? 2: by the number alone,
 * and it is not plain. */
int  reading_is_na(const reading *how, const char *text, char decimal);

/* Adds to a table the columns that are made of those it has, and marks columns of --factor. how may be NULL. */
void reading_extend(const reading *how, csv_table *t);

/* The column of the file that this one is, or is made of. */
const char *reading_source(const reading *how, const char *name);

/* Cells as number_read takes them, missing ones empty; then missing ones filled (values 0: not, but what says that
 * they are missing is). t->filled: of how many rows. Of the columns
 * at[0..n_at-1] of the table, some of which may be COLUMNS_NOWHERE; at NULL: of all. */
int  reading_convert(const reading *how, char decimal, size_t n_at, const size_t *at, csv_table *t, cli_why *why);
void reading_fill(const reading *how, int values, csv_table *t);

/* The decimal mark of a table for a model, from the rows at hand: block after block into marks (zeroed). What is said of it.
 * learning: the rows are those of the fit, and where they leave it open, nothing else tells. */
void reading_count_marks(const reading *how, const options *o, size_t n_at, const size_t *at, const csv_table *t,
                         reading_marks *marks);
int  reading_decimal(const reading *how, const options *o, const char *file, const reading_marks *marks, int learning,
                     char *decimal, cli_why *why);
void reading_note_decimal(const options *o, const char *file, const reading_marks *marks, char decimal, int learning);

/* All of it for a table in memory and a model, once the table is extended; how may be NULL. */
int  reading_apply(const reading *how, const options *o, size_t n_at, const size_t *at, csv_table *t, cli_why *why);

/* Does the column hold dates? Then the day that its numbers count from, as cell_date takes it. */
int  reading_first_day(const reading *how, const char *name, long *day);

/* Was that cell filled? */
int  reading_is_filled(const reading *how, const csv_cell *cell);

reading *reading_share(reading *how);
void     reading_free(reading *how);                   /* NULL is fine too */

/* What `info` shows. */
/* Does a number in this column stand for the same in both: dates are days since the same one? */
int reading_alike(const reading *a, const reading *b, const char *name);

void reading_print(const reading *how, const cli_answer *to);

/* In a model file; `same`: what must be the same in statistics that merge. Load: NULL after a failure. */
void     reading_save(const reading *how, int same, bln_writer *w);
reading *reading_load(bln_reader *r);

#endif /* BAYESLIN_CLI_READING_H */
