#ifndef BAYESLIN_CLI_ROWS_H
#define BAYESLIN_CLI_ROWS_H
#include "columns.h"
/* rows - the numbers of some rows of a table, as a view in the units of the data */
typedef struct cli_rows {
    bln_data data;                 /* X and the other arrays that the table has; the rest are NULL     */
    double  *room;                 /* the memory of these arrays                                     */
    size_t  *group, n_groups;      /* the group of each row; NULL: no groups                         */
    size_t  *line;                 /* the line of each row in the file                               */
} cli_rows;

/* Reads the columns whose places are in `at` (columns_places(c), see columns.h), for n rows without a missing cell. Fails as
 * columns_encode and role_value do; rows_free may then be called too. */
int  rows_read(const cli_columns *c, const csv_table *table, const size_t *at, size_t n, const size_t *rows, int unseen,
               cli_rows *out, cli_why *why);
void rows_free(cli_rows *rows);

#endif /* BAYESLIN_CLI_ROWS_H */
