#ifndef BAYESLIN_CLI_TERMS_H
#define BAYESLIN_CLI_TERMS_H
#include "columns.h"
/* terms - converts the column names of a SPEC to input numbers
 *
 * In  rbf:cols=colour;2+linear  each item of cols= is a column of the file ("colour": all of its indicators), one indicator
 * ("colour=red"), the number of a column from 0, the target not counted, or something made of columns (made.h). The library gets
 * input numbers only, so names may contain anything but , ; and +. The column that by= names holds groups, whatever its cells are:
 * see columns.h. */

/* Does by= in the SPEC (NULL: none) mean input column i? As everywhere in a SPEC, a text is a column's name if there is such a
 * column, and else a number. Only the names of c are used. */
int terms_is_group(const char *spec, const cli_columns *c, size_t i);

/* use[i] <- how the SPEC (NULL: not chosen yet) uses column i of these n names: TERMS_READ if a term reads it, with TERMS_NAMED if
 * by its name and TERMS_GROUP if as groups. If the SPEC has a number, or a name that is not among them, all are read. */
enum { TERMS_READ = 1, TERMS_NAMED = 2, TERMS_GROUP = 4 };
void terms_uses(const char *spec, size_t n, const char *const *names, unsigned char *use);

/* The next item of a cols= from *at on, as text that the caller frees; NULL at the end. */
char *terms_next_item(const char **at);

/* Which inputs the terms linear, polynomial and legendre leave out. useless: d flags of inputs that are the same in all rows; NULL:
 * none. flat: is the prior flat? Then a column of words beside the constant loses the indicator of its reference, and so does a
 * factor of a product if the product of the other factors is there too, as in R. left_out: texts of these references, which the
 * caller frees, or NULL. */
typedef struct terms_coding { int flat; const char *useless; char *left_out; } terms_coding;

/* *out <- the SPEC with input numbers, which the caller frees. Fails on a name or number that does not exist. Terms without cols=
 * take the inputs of all columns. coding: NULL, or which inputs are left out; its left_out is set. */
int terms_resolve(const char *spec, const cli_columns *c, terms_coding *coding, char **out, cli_why *why);

/* The word with which others are compared: the first that is not useless; among numbers the smallest. */
size_t terms_reference(const cli_columns *c, size_t column, const char *useless);

/* *out <- a SPEC from terms_resolve with the constant in a term of its own, which the caller frees: "linear+rbf" becomes
 * "linear:ones=0+rbf+bias". Returns whether it has that term: if the SPEC had a constant, or if `always`. */
int terms_intercept_apart(const char *spec, int always, char **out);

#endif /* BAYESLIN_CLI_TERMS_H */
