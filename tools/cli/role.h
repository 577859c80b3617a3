#ifndef BAYESLIN_CLI_ROLE_H
#define BAYESLIN_CLI_ROLE_H
#include "columns.h"
/* role - what stands for the column of a role: a column, log(COLUMN), sqrt(COLUMN) or exp(COLUMN) of an offset, A+B of trials
 *
 * A column whose own name is that text is that column. */
typedef struct role_place { size_t first, second; int function; } role_place;         /* COLUMNS_NOWHERE: there is none */

/* Where it is in the table; COLUMNS_NOWHERE for both if a column is not there. */
role_place role_find(const csv_table *t, cli_role role, const char *text);

/* Is that column a part of it? */
int        role_uses(cli_role role, const char *text, const char *name);

/* The value in one row, in the domain of the role; fails with the place on anything else. */
int        role_value(const csv_table *t, cli_role role, const role_place *place, size_t row, double *out, cli_why *why);

#endif /* BAYESLIN_CLI_ROLE_H */
