#ifndef BAYESLIN_CLI_FORMULA_H
#define BAYESLIN_CLI_FORMULA_H
#include "csv.h"
#include "options.h"
/* formula - --formula 'y ~ a*b + log(x) + gp(t) + (1 | g) + offset(log(n))', as users of R write it, as options of the tool
 *
 * sum    terms with + between them; - removes one; 1, 0, -1 say whether there is a constant
 * term   a, a:b (products), a*b (a + b + a:b), of columns and log(x), sqrt(x), exp(x), I(x^2), factor(x); poly(x, 3), gp(x), s(x),
 *        (1 | g), (x || g), offset(x), and . for all other columns
 * left   a column, or cbind(successes, failures)
 *
 * Columns that a formula without . does not name are not used. A text that is not understood is an error, with a mark below its
 * place. */
typedef struct formula formula;

/* Sets target or outputs, basis, offset and trials of the options. CLI_USAGE: a bad formula, or an option that it replaces. */
int  formula_read(options *o, cli_why *why);
void formula_free(formula *f);

/* Is the column used? Without a formula, and with a dot in it, all are. */
int  formula_uses(const options *o, const char *name);

/* Fails with the place of a column that the table does not have. */
int  formula_check(const options *o, const csv_table *t, cli_why *why);

/* Prints the options that it stands for, "--target y --basis 'linear:cols=x'": `fit` on standard output, other verbs in a note. */
void formula_tell(const options *o);

#endif /* BAYESLIN_CLI_FORMULA_H */
