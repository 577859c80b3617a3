#ifndef BAYESLIN_CLI_ROWS_H
#define BAYESLIN_CLI_ROWS_H
#include "columns.h"
/* rows - the numbers of some rows of a table, as a view in the units of the data */
typedef struct cli_rows {
    bln_data data;                 /* X, and what else the table has for the model; the rest is NULL */
    double  *room;                 /* what they point into                                           */
    size_t  *group, n_groups;      /* of each row; NULL: there are none                              */
    size_t  *line;                 /* of the file, where each row stands                             */
} cli_rows;

/* Reads whatever `at` (columns_places(c), see columns.h) finds, of n rows without a missing cell. Fails as columns_encode and
 * role_value do; rows_free is then fine too. */
int  rows_read(const cli_columns *c, const csv_table *table, const size_t *at, size_t n, const size_t *rows, int unseen,
               cli_rows *out, cli_why *why);
void rows_free(cli_rows *rows);

#endif /* BAYESLIN_CLI_ROWS_H */
