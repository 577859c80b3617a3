#ifndef BAYESLIN_CLI_COLUMNS_H
#define BAYESLIN_CLI_COLUMNS_H
#include "csv.h"
#include "options.h"
#include "reading.h"
#include "library.h"
/* columns - from the columns of a table to the inputs of a model
 *
 * A column of numbers is one input. A column of words becomes one indicator (0 or 1) for EACH of its words, named "colour=red":
 * with a Gaussian prior on the weights no word has to be left out as the base, and all words are treated alike. The words are
 * sorted by their bytes, so that the order of the rows does not matter. Where at least half of the cells are numbers, a word is an
 * error.
 *
 * Where the table says so (csv_table.as_words), numbers are words too; equal numbers are one word.
 *
 * A column that by= of the SPEC names holds groups: every cell is a word, and the column is one input, the index of the word. Equal
 * numbers are one group, whether written as 1 or as 1.0. */

typedef struct cli_column {
    char   *name;
    char  **words;            /* n_words, sorted; NULL for a column of numbers  */
    size_t  n_words;
    size_t  first;            /* index of its first input                       */
    size_t  values;           /* cells that are not empty in the rows that it was learnt from; 0 in a model that was loaded */
    int     group;            /* is its only input the index of the word?       */
} cli_column;

typedef struct cli_columns {
    size_t  n;                /* columns                                        */
    cli_column *column;
    size_t  d;                /* inputs, >= n                                   */
    size_t  base, n_made;     /* inputs of columns, and made ones: base + n_made = d */
    struct cli_made *made;    /* see made.h                                      */
    char  **inputs;           /* d names                                        */
    size_t  n_targets;        /* >= 1                                           */
    char  **targets;
    char   *role[ROLE_COUNT]; /* the column of each role; NULL: none            */
    size_t  n_classes;        /* values of a target of classes; 0: the target is a number            */
    char  **classes;          /* n_classes: those values as text: sorted words, or ascending numbers */
    double *class_value;      /* n_classes: the numbers; NULL: they are words                        */
    reading *how;             /* how the training table was written; NULL: in the plain way          */
} cli_columns;

/* Places of columns in a table: at[i] is that of input column i, i < c->n; at[c->n + k] that of target k. From
 * at[c->n + c->n_targets] on come COLUMNS_OTHERS more: the column of each role; at COLUMNS_GROUP of these that of --loo-group; at
 * COLUMNS_SECOND the second column of trials that are a sum (role.h). COLUMNS_NOWHERE: not in this table, or not wanted. */
enum { COLUMNS_GROUP = ROLE_COUNT, COLUMNS_SECOND, COLUMNS_OTHERS };
#define COLUMNS_NOWHERE ((size_t)-1)
size_t columns_places(const cli_columns *c);               /* the length of `at` */

/* The number of inputs of a column. */
size_t columns_width(const cli_column *one);

/* Sets the groups in n rows of inputs: to a new one; or to those of the rows `from`. */
void columns_set_groups(const cli_columns *c, size_t n, double *X);
void columns_keep_groups(const cli_columns *c, size_t n, const double *from, size_t ldx, double *X);

/* Learns kinds and words from the given rows of table columns used[0..n_used-1]; missing cells are skipped. targets: n_targets
 * names; roles: ROLE_COUNT names or NULLs. classes: the most classes of the only target, which may be words or numbers. 0: it is a
 * number. COLUMNS_TWO: two classes; 0 and 1 stand for themselves and need no names. More: classes that all have names. basis: the
 * SPEC, whose groups are columns of words; NULL: none. The classes are those of the rows `all`, so that each fold has names for all
 * of them. Fails on a stray word, a number that is not finite or too large, a column without values, more than COLUMNS_WORDS words,
 * more classes than allowed, and a single class that is neither 0 nor 1. */
enum { COLUMNS_WORDS = 1000, COLUMNS_TWO = 2 };
int columns_learn(const csv_table *table, size_t n_targets, const char *const *targets, size_t classes, const char *const *roles,
                  const char *basis, size_t n_used, const size_t *used, size_t n_rows, const size_t *rows, size_t n_all,
                  const size_t *all, cli_columns *out, cli_why *why);
void columns_free(cli_columns *c);

/* The same in pieces: begin, then the rows of each block (whose columns are at the same places as in the first), then end, which
 * also frees the learner. After a failure end writes no reason and returns CLI_FAILED. */
typedef struct columns_learner columns_learner;
columns_learner *columns_learn_begin(const csv_table *table, size_t n_targets, const char *const *targets, size_t classes,
                                     const char *const *roles, const char *basis, size_t n_used, const size_t *used);
int columns_learn_rows(columns_learner *l, const csv_table *table, size_t n_rows, const size_t *rows, cli_why *why);
int columns_learn_end(columns_learner *l, const csv_table *table, cli_columns *out, cli_why *why);

/* For using a model: fills at (columns_places(c)) by name. The table must have inputs and an offset, and for scores trials; it may
 * have noise variances; weights are ignored. COLUMNS_WEIGH is COLUMNS_SCORE with the weights that the table may have. For leaving
 * out rows of the training table it must have all. group: name, or NULL. */
typedef enum columns_use { COLUMNS_PREDICT, COLUMNS_SCORE, COLUMNS_WEIGH, COLUMNS_LEAVE_OUT } columns_use;
int columns_find(const cli_columns *c, const csv_table *table, columns_use use, const char *group, size_t *at, cli_why *why);

/* X (n_rows x d) of the given rows; y (n_rows x n_targets) if not NULL. No cell may be missing. unseen: 0, an unknown word fails;
 * above 0, all its indicators are 0, and as a group it is none (COLUMNS_ZERO) or a new one (COLUMNS_NEW). COLUMNS_TRAIN: like 0,
 * for rows to learn from. */
enum { COLUMNS_TRAIN = -1, COLUMNS_ZERO = 1, COLUMNS_NEW = 2 };
int columns_encode(const cli_columns *c, const csv_table *table, const size_t *at, size_t n_rows, const size_t *rows,
                   int unseen, double *X, double *y, cli_why *why);

/* The number in one cell; fails with its place on anything else. `name` is that of the column, for the message. */
int columns_number(const csv_table *table, size_t row, size_t at, const char *name, double *out, cli_why *why);

/* The same of target k, where a class gives its index 0, 1, .... */
int columns_target(const cli_columns *c, const csv_table *table, size_t row, size_t at, size_t k, double *out, cli_why *why);

/* Fails with the message FILE:LINE:COLUMN: column "name": "text of the cell" what */
int columns_complain(const csv_table *table, const csv_cell *cell, const char *name, const char *what, cli_why *why);

/* Notes for each column of groups how many of these rows have a group that was not learnt; returns the number of notes. */
size_t columns_note_unseen(const cli_columns *c, const char *file, size_t n, const double *X);

/* group[i] <- an index from 0 for the text in column `at` of row i, the same for equal texts or numbers. Returns how many there
 * are. */
size_t columns_groups(const csv_table *table, size_t at, size_t n_rows, const size_t *rows, size_t *group);

/* Parts of a model file. columns_save: all but the roles, the classes and the targets after the first. _roles: the roles but
 * trials. _targets: those targets. _classes: trials and classes. A failed columns_load does not change *out; the others leave a *c
 * that columns_free takes. */
void columns_save(const cli_columns *c, bln_writer *w);
bln_status columns_load(bln_reader *r, cli_columns *out);
void columns_save_roles(const cli_columns *c, bln_writer *w);
bln_status columns_load_roles(bln_reader *r, cli_columns *c);
void columns_save_targets(const cli_columns *c, bln_writer *w);
bln_status columns_load_targets(bln_reader *r, cli_columns *c);
void columns_save_classes(const cli_columns *c, bln_writer *w);
bln_status columns_load_classes(bln_reader *r, cli_columns *c);

/* Reads a str of any length, u32 and bytes, into memory that the caller frees; NULL after a failure. */
char *columns_load_text(bln_reader *r);

#endif /* BAYESLIN_CLI_COLUMNS_H */
