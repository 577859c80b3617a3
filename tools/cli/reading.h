#ifndef BAYESLIN_CLI_READING_H
#define BAYESLIN_CLI_READING_H
#include "cell.h"
#include "csv.h"
#include "options.h"
#include "library.h"
/* reading - how the columns of a table are written: learned from the training rows, kept in the model, and used on every table
 *
 * It converts cells to what number_read reads: numbers with a decimal point and nothing around them, dates as days since the first
 * one of the training rows, missing cells empty or filled. columns.h then learns what the columns are.
 *
 * The decimal mark belongs to a whole table, and each table has its own; the rest belongs to a column: percentages (5% is 5), the
 * currency, the order of day and month, the first day, what fills missing cells. */

typedef enum reading_kind { READING_FREE, READING_NUMBER, READING_DATE, READING_WORDS } reading_kind;

/* How a column that is not in the file was made from one that is. */
typedef enum reading_piece { PIECE_NONE, PIECE_YEAR, PIECE_MONTH, PIECE_WEEKDAY, PIECE_MISSING, PIECE_COUNT } reading_piece;

/* What a column is used for. TEXT: groups and classes, whose text is not changed. */
typedef enum reading_use { USE_INPUT, USE_NUMBER, USE_TEXT } reading_use;

typedef struct reading_evidence reading_evidence;

/* The number of cells with each kind of decimal mark, and the first such cell: in the columns in use, and in the others, which
 * decide if the former do not. odd: the first cell in use that is not a plain number with a point. */
typedef struct reading_mark { size_t count; uint32_t line; cli_shown text, column; } reading_mark;
typedef struct reading_marks { reading_mark used[MARK_COUNT], aside[MARK_COUNT], odd; } reading_marks;

typedef struct reading_column {
    char    *name;
    uint32_t kind, percent, order, piece, fill;        /* fill: do missing cells get fill_text? */
    char     currency[4];
    size_t   of;                                       /* index of the column it is made from */
    int64_t  first;                                    /* the first day of dates              */
    char     fill_text[40];
    reading_evidence *e;                               /* during learning; else NULL          */
} reading_column;

typedef struct reading {
    size_t   users;                                    /* reference count                     */
    char     decimal;                                  /* of the training table: '.' or ','   */
    uint32_t missing;                                  /* a cli_missing                       */
    size_t   n, n_na;
    reading_column *column;
    char   **na;                                       /* n_na texts of --na, which are missing */
    size_t   dropped;                                  /* number of columns that are left out */
    int      active;                                   /* does the training table need conversion? */
    char     guess;                                    /* during learning: the decimal mark of 1.234 in --na */
    size_t   n_aside;                                  /* during learning: columns that are not in use       */
    reading_evidence **aside;
} reading;

/* Learning, in this order. _begin: adds to the table the columns that --date makes. _watch: names the columns to learn,
 * at[0..n_at-1] of the table, of which the first n_inputs are inputs. _look: reads all rows of a block. _settle: decides, and
 * writes notes about what was found. Then, if ->active, each block is converted, summed for means (--missing mean), and filled. */
int  reading_begin(const options *o, csv_table *t, reading **out, cli_why *why);
void reading_watch(reading *how, const options *o, const csv_table *t, size_t n_inputs, size_t n_at, const size_t *at);
void reading_look(reading *how, const csv_table *t);
int  reading_settle(reading *how, const options *o, csv_table *t, cli_why *why);
void reading_means_add(reading *how, const csv_table *t);
void reading_means_end(reading *how);

/* Is a column left out because it is constant? */
int  reading_drops(const reading *how, const char *name);

/* The number of cells of that column that have values. Only during learning. */
size_t reading_values(const reading *how, const char *name);

/* Is it a column of --factor? */
int  reading_is_factor(const reading *how, const char *name);

/* Is the text missing by --na: 1 by its text, or by its number, read with this decimal mark; 2 by the number alone, which is not
 * written plainly. */
int  reading_is_na(const reading *how, const char *text, char decimal);

/* Adds to a table the columns that are made from others, and marks columns of --factor. how may be NULL. */
void reading_extend(const reading *how, csv_table *t);

/* The name of the column of the file that this one is, or is made from. */
const char *reading_source(const reading *how, const char *name);

/* _convert: cells become what number_read reads, missing ones empty, in the columns at[0..n_at-1] of the table, some of which may
 * be COLUMNS_NOWHERE; at NULL: in all. _fill: fills missing cells, or, with values 0, only the columns that mark them as missing.
 * t->filled: the number of rows with filled cells. */
int  reading_convert(const reading *how, char decimal, size_t n_at, const size_t *at, csv_table *t, cli_why *why);
void reading_fill(const reading *how, int values, csv_table *t);

/* The decimal mark of a table for a model. _count_marks: counts marks block after block, from zeros. _decimal: decides.
 * _note_decimal: writes a note about it. learning: are the rows those of the fit? Then no other table can decide what they leave
 * open. */
void reading_count_marks(const reading *how, const options *o, size_t n_at, const size_t *at, const csv_table *t,
                         reading_marks *marks);
int  reading_decimal(const reading *how, const options *o, const char *file, const reading_marks *marks, int learning,
                     char *decimal, cli_why *why);
void reading_note_decimal(const options *o, const char *file, const reading_marks *marks, char decimal, int learning);

/* All these steps for a table in memory and a model, once the table is extended; how may be NULL. */
int  reading_apply(const reading *how, const options *o, size_t n_at, const size_t *at, csv_table *t, cli_why *why);

/* Does the column hold dates? *day <- the day from which its numbers count, for cell_date. */
int  reading_first_day(const reading *how, const char *name, long *day);

/* Was that cell filled? */
int  reading_is_filled(const reading *how, const csv_cell *cell);

reading *reading_share(reading *how);
void     reading_free(reading *how);                   /* NULL is fine too */

/* Does a number in this column mean the same in both: are dates days since the same day? */
int reading_alike(const reading *a, const reading *b, const char *name);

void reading_print(const reading *how, const cli_answer *to);

/* In a model file; `same`: what must be the same in statistics that merge. Load: NULL after a failure. */
void     reading_save(const reading *how, int same, bln_writer *w);
reading *reading_load(bln_reader *r);

#endif /* BAYESLIN_CLI_READING_H */
