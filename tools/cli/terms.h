#ifndef BAYESLIN_CLI_TERMS_H
#define BAYESLIN_CLI_TERMS_H
#include "columns.h"
/* terms - the columns that a SPEC names, as the inputs that they became
 *
 * In  rbf:cols=colour;2+linear  each item of cols= is a column of the file ("colour": all of its indicators), one indicator
 * ("colour=red"), the number of a column from 0, the target not counted, or something made of columns (made.h).
 * The library sees only the inputs' numbers, so that
 * names may hold anything but , ; and +. What by= names is a column of groups, whatever it holds: see columns.h. */

/* Does by= in the SPEC (NULL: none) stand for input column i? As elsewhere in a SPEC, a name is one of a column if there is such a
 * column, and else a number. Of c only the names are looked at. */
int terms_is_group(const char *spec, const cli_columns *c, size_t i);

/* The same where columns have no numbers yet. */
int terms_names_group(const char *spec, const char *name);

/* What the SPEC (NULL: not chosen yet) does with each of n columns of these names, into use: TERMS_READ, if a term reads it; of
 * these TERMS_NAMED, by its name, and TERMS_GROUP, as groups. Where the SPEC has a name that is none of these, or a number, all are
 * read. */
enum { TERMS_READ = 1, TERMS_NAMED = 2, TERMS_GROUP = 4 };
void terms_uses(const char *spec, size_t n, const char *const *names, unsigned char *use);

/* The next item of a cols= behind *at, as text to free; NULL: there is none more. */
char *terms_next_item(const char **at);

/* Which inputs lines and powers (linear, polynomial, legendre) do without. useless: d, not 0 for inputs that are the same in all
 * rows; NULL: none. flat: nothing keeps weights small, so that a column of words beside the constant loses the indicator of its
 * reference, and so does a factor of a product where the product of the others is there too, as in R; left_out: texts of these
 * references, to free, or NULL. */
typedef struct terms_coding { int flat; const char *useless; char *left_out; } terms_coding;

/* *out: the SPEC with numbers of inputs, to free. Fails on a name or number that is none. Terms without cols= are of all inputs
 * that are columns. coding: NULL, or what is left out, whose last field is filled in. */
int terms_resolve(const char *spec, const cli_columns *c, terms_coding *coding, char **out, cli_why *why);

/* The word that others are compared with: the first that is not useless; of numbers the smallest. */
size_t terms_reference(const cli_columns *c, size_t column, const char *useless);

/* A SPEC that terms_resolve made, with its constants in a term of their own: "linear+rbf" becomes "linear:ones=0+rbf+bias". *out:
 * to free. Returns whether there is one: if the SPEC had a constant, or if `always`. */
int terms_intercept_apart(const char *spec, int always, char **out);

#endif /* BAYESLIN_CLI_TERMS_H */
