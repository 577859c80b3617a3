#ifndef BAYESLIN_CLI_ROLE_H
#define BAYESLIN_CLI_ROLE_H
#include "columns.h"
/* role - the column of a role: a column; for an offset also log(COLUMN), sqrt(COLUMN) or exp(COLUMN); for trials also A+B
 *
 * If a column has that text as its name, it is that column. */
typedef struct role_place { size_t first, second; int function; } role_place;         /* COLUMNS_NOWHERE: there is none */

/* The option of a role: "--weights", .... */
const char *role_option(cli_role role);

/* Its place in the table; COLUMNS_NOWHERE for both if a column is missing. */
role_place role_find(const csv_table *t, cli_role role, const char *text);

/* Does the role use that column? */
int        role_uses(cli_role role, const char *text, const char *name);

/* The option whose role, of these ROLE_COUNT, uses that column, as "--weights"; NULL: none does. */
const char *role_of(char *const *roles, const char *name);

/* The value in one row, in the domain of the role; fails with the place on anything else. */
int        role_value(const csv_table *t, cli_role role, const role_place *place, size_t row, double *out, cli_why *why);

#endif /* BAYESLIN_CLI_ROLE_H */
