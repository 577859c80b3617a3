#ifndef BAYESLIN_CLI_COLUMNS_H
#define BAYESLIN_CLI_COLUMNS_H
#include "csv.h"
#include "options.h"
#include "reading.h"
#include "library.h"
/* columns - from the columns of a table to the inputs of a model
 *
 * A column of numbers is one input. A column of words becomes one indicator (0 or 1) for EACH of its words, named "colour=red":
 * with a Gaussian prior on the weights no word has to be left out as the base, and none is treated differently from the others. The
 * words are sorted by their bytes, so that the order of the rows does not matter. Where at least half of the cells are numbers, a
 * word is a mistake.
 *
 * Words they are too, be they numbers or not, where the table says so (csv_table.as_words); numbers that are the same are one.
 *
 * A column that by= of the SPEC names holds groups: whatever stands in it is a word, and it is one input, the number of the
 * word. Groups that are the same number are one, written as 1 or as 1.0. */

typedef struct cli_column {
    char   *name;
    char  **words;            /* n_words, sorted; NULL for a column of numbers  */
    size_t  n_words;
    size_t  first;            /* its first input                                */
    int     group;            /* is the number of the word the only one?        */
} cli_column;

typedef struct cli_columns {
    size_t  n;                /* columns                                        */
    cli_column *column;
    size_t  d;                /* inputs, >= n                                   */
    size_t  base, n_made;     /* of columns, and made of them: base + n_made = d */
    struct cli_made *made;    /* see made.h                                      */
    char  **inputs;           /* d names                                        */
    size_t  n_targets;        /* >= 1                                           */
    char  **targets;
    char   *role[ROLE_COUNT]; /* names of columns that are no inputs; NULL: none */
    size_t  n_classes;        /* what in the target stands for 0, 1, ...; 0: the target is a number */
    char  **classes;          /* as text: words, sorted, or numbers in their order                  */
    double *class_value;      /* these numbers; NULL: they are words                                */
    reading *how;             /* how the training table was written; NULL: with nothing to say of it  */
} cli_columns;

/* Where things are in a table: at[i] is input column i, i < c->n; at[c->n + k] target k; then, from at[c->n + c->n_targets] on,
 * COLUMNS_OTHERS more: the column of each role, at COLUMNS_GROUP of them that of --loo-group, and at COLUMNS_SECOND the second
 * column of trials that are a sum (role.h). COLUMNS_NOWHERE: not in this
 * table, or not wanted. */
enum { COLUMNS_GROUP = ROLE_COUNT, COLUMNS_SECOND, COLUMNS_OTHERS };
#define COLUMNS_NOWHERE ((size_t)-1)
size_t columns_places(const cli_columns *c);               /* of all of them */

/* How many inputs a column is. */
size_t columns_width(const cli_column *one);

/* In n rows of inputs: each group a new one, or (none) no group at all; or as it is in the rows `from`. */
void columns_set_groups(const cli_columns *c, int none, size_t n, double *X);
void columns_keep_groups(const cli_columns *c, size_t n, const double *from, size_t ldx, double *X);

/* Learns kinds and words from the given rows of table columns used[0..n_used-1]; cells that are missing are passed over. targets:
 * n_targets names; roles: ROLE_COUNT names or NULLs; classes: how many the only target may hold, as words or as numbers. 0: it is a
 * number. COLUMNS_TWO: two, of which 0 and 1 stand for themselves and need no names. More: so many at most, which all have names.
 * basis: the SPEC, whose groups are columns of words; NULL: none. Which classes there are is what the rows `all` say: no fold is
 * without a name for one of them.
 * Fails on a stray word, a number that is none or too large, a column without values, more than COLUMNS_WORDS words, other numbers
 * of classes, and a single class that is neither 0 nor 1. */
enum { COLUMNS_WORDS = 1000, COLUMNS_TWO = 2 };
int columns_learn(const csv_table *table, size_t n_targets, const char *const *targets, size_t classes, const char *const *roles,
                  const char *basis, size_t n_used, const size_t *used, size_t n_rows, const size_t *rows, size_t n_all,
                  const size_t *all, cli_columns *out, cli_why *why);
void columns_free(cli_columns *c);

/* The same in pieces: begin, then the rows of one block after the other (the columns of each stand where they stood in the first),
 * then end, which also frees the learner. After a failure end has nothing to say and gives CLI_FAILED. */
typedef struct columns_learner columns_learner;
columns_learner *columns_learn_begin(const csv_table *table, size_t n_targets, const char *const *targets, size_t classes,
                                     const char *const *roles, const char *basis, size_t n_used, const size_t *used);
int columns_learn_rows(columns_learner *l, const csv_table *table, size_t n_rows, const size_t *rows, cli_why *why);
int columns_learn_end(columns_learner *l, const csv_table *table, cli_columns *out, cli_why *why);

/* For using a model: fills at (columns_places(c)) by name. Inputs and an offset must be there. Noise variances may, numbers of
 * trials must for scores, and weights are not looked for; but for leaving out rows of the training table all must be there.
 * group: name, or NULL. */
typedef enum columns_use { COLUMNS_PREDICT, COLUMNS_SCORE, COLUMNS_LEAVE_OUT } columns_use;
int columns_find(const cli_columns *c, const csv_table *table, columns_use use, const char *group, size_t *at, cli_why *why);

/* X (n_rows x d) of the given rows; y (n_rows x n_targets) if not NULL. No cell may be missing. An unknown word fails, or, if
 * unseen is above 0, has all indicators 0; as a group it is then none (COLUMNS_ZERO) or a new one (COLUMNS_NEW). COLUMNS_TRAIN: as
 * 0, of rows to learn from. */
enum { COLUMNS_TRAIN = -1, COLUMNS_ZERO = 1, COLUMNS_NEW = 2 };
int columns_encode(const cli_columns *c, const csv_table *table, const size_t *at, size_t n_rows, const size_t *rows,
                   int unseen, double *X, double *y, cli_why *why);

/* The number in one cell; fails with its place on anything else. `column` is the name for the message. */
int columns_number(const csv_table *table, size_t row, size_t at, const char *name, double *out, cli_why *why);

/* The same of target k, in which classes stand for 0, 1, .... */
int columns_target(const cli_columns *c, const csv_table *table, size_t row, size_t at, size_t k, double *out, cli_why *why);

/* Fails: FILE:LINE:COLUMN: column "name": "what stands in the cell" what */
int columns_complain(const csv_table *table, const csv_cell *cell, const char *name, const char *what, cli_why *why);

/* A note for each column of groups, of how many of these rows are of none that was learnt; how many notes. */
size_t columns_note_unseen(const cli_columns *c, const char *file, size_t n, const double *X);

/* group[i]: a number for the text in column `at` of row i, from 0, the same for the same text or number. Returns how
 * many there are. */
size_t columns_groups(const csv_table *table, size_t at, size_t n_rows, const size_t *rows, size_t *group);

/* In a model file: all but the roles, the classes and the targets after the first; the roles but trials; these targets; trials and
 * classes. A failed load of the first leaves *out alone, of the others what columns_free takes. */
void columns_save(const cli_columns *c, bln_writer *w);
bln_status columns_load(bln_reader *r, cli_columns *out);
void columns_save_roles(const cli_columns *c, bln_writer *w);
bln_status columns_load_roles(bln_reader *r, cli_columns *c);
void columns_save_targets(const cli_columns *c, bln_writer *w);
bln_status columns_load_targets(bln_reader *r, cli_columns *c);
void columns_save_classes(const cli_columns *c, bln_writer *w);
bln_status columns_load_classes(bln_reader *r, cli_columns *c);

/* A str of any length, u32 and bytes, in memory to free; NULL after a failure. */
char *columns_load_text(bln_reader *r);

#endif /* BAYESLIN_CLI_COLUMNS_H */
