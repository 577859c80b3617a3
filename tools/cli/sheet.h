#ifndef BAYESLIN_CLI_SHEET_H
#define BAYESLIN_CLI_SHEET_H
#include "csv.h"
#include "json.h"
#include "options.h"
#include <stdio.h>
/* sheet - what is written for rows of a table, column by column: as CSV, as JSON, or as numbers for NumPy
 *
 * Line i is about row row[i] of the table, and its numbers are those of value[at[i]*stride]; at[i] == SHEET_MISSING: they are
 * missing (NA, null, NaN). Columns point to what they show. */
#define SHEET_MISSING ((size_t)-1)

typedef struct sheet_column {
    char         *name;                /* owned                                              */
    const double *value;               /* NULL: the cells of column `cell` of the table      */
    size_t        stride, cell;
    char *const  *label;               /* what value k is called; NULL: values are numbers   */
    size_t        n_labels;
} sheet_column;

typedef struct sheet {
    const csv_table *table;
    size_t           n, *row, *at;     /* both owned                                         */
    size_t           n_columns, n_kept, room;
    sheet_column    *column;
} sheet;

/* n lines, row and at yet to be filled. */
void sheet_begin(sheet *out, const csv_table *table, size_t n);
void sheet_free(sheet *s);                                        /* a zeroed one is fine too */

/* Adds a column, whose name is copied. */
void sheet_numbers(sheet *s, const char *name, const double *value, size_t stride);
void sheet_labels(sheet *s, const char *name, const double *value, size_t stride, size_t n_labels, char *const *label);

/* --keep: columns of the table, by name, as they stand there; to be asked for first. */
int sheet_keep(sheet *s, const options *o, cli_why *why);

/* Have two columns the same name? Fails for those of --keep, and, where all names come from a table or go to JSON, for all. */
int sheet_check(const sheet *s, const options *o, cli_why *why);

/* A file whose name ends in .npy gets version 1.0 of NumPy's format, float64 in C order, labels as their numbers, and a note says
 * which column is which; any other, or standard output, CSV. In JSON the array `key`, an object for each line, unless the lines go
 * to a file, whose name is then the member "output". */
int sheet_write(const sheet *s, const options *o, const char *key, cli_why *why);

/* Is this the name of such a file? */
int sheet_is_npy(const char *path);

#endif /* BAYESLIN_CLI_SHEET_H */
