#ifndef BAYESLIN_CLI_SHEET_H
#define BAYESLIN_CLI_SHEET_H
#include "csv.h"
#include "json.h"
#include "options.h"
#include <stdio.h>
/* sheet - output for rows of a table, built column by column: as CSV, as JSON, or as numbers for NumPy
 *
 * Line i is about row row[i] of the table, and has the number value[at[i]*stride] of each column; at[i] == SHEET_MISSING: its
 * numbers are missing (NA, null, NaN). Columns borrow their values. */
#define SHEET_MISSING ((size_t)-1)

typedef struct sheet_column {
    char         *name;                /* owned                                              */
    const double *value;               /* NULL: the cells of column `cell` of the table      */
    size_t        stride, cell;
    char *const  *label;               /* name of value k; NULL: values are numbers          */
    size_t        n_labels;
} sheet_column;

typedef struct sheet {
    const csv_table *table;
    size_t           n, *row, *at;     /* both owned                                         */
    size_t           n_columns, n_kept, room;
    sheet_column    *column;
} sheet;

/* A sheet of n lines; the caller fills row and at. */
void sheet_begin(sheet *out, const csv_table *table, size_t n);
void sheet_free(sheet *s);                                        /* a zeroed one is fine too */

/* Adds a column, whose name is copied. */
void sheet_numbers(sheet *s, const char *name, const double *value, size_t stride);
void sheet_labels(sheet *s, const char *name, const double *value, size_t stride, size_t n_labels, char *const *label);

/* Adds the columns of --keep, cells of the table, by name; call it before the others. */
int sheet_keep(sheet *s, const options *o, cli_why *why);

/* Fails if two columns have the same name: checks those of --keep, or all if all names come from a table or go to JSON. */
int sheet_check(const sheet *s, const options *o, cli_why *why);

/* Writes the sheet. A file whose name ends in .npy has version 1.0 of NumPy's format, float64 in C order, labels as their numbers,
 * and a note says which column is which; any other file, or standard output, is CSV. JSON has the array `key`, an object for each
 * line; if the lines go to a file, it has the member "output" with its name instead. */
int sheet_write(const sheet *s, const options *o, const char *key, cli_why *why);

/* Does the name end in .npy? */
int sheet_is_npy(const char *path);

#endif /* BAYESLIN_CLI_SHEET_H */
