#ifndef BAYESLIN_CLI_MADE_H
#define BAYESLIN_CLI_MADE_H
#include "columns.h"
/* made - inputs that are made from columns: products, powers and functions of them, as cols= of the SPEC names them
 *
 *     linear:cols=dose;zone+linear:ones=0,cols=dose*zone        log(dose)  sqrt(dose)  exp(dose)  dose^2  factor(code)
 *
 * An item is one factor, or several with * between them. A factor is a column, one indicator (zone=a), a power of a column or of a
 * function of it, or factor(COLUMN): a column whose numbers are names. A column of words in a product gives an input for each of
 * its words. Made inputs come after those of the columns, in the order of the SPEC, so that the SPEC of a model file reproduces
 * them. A name of an item that is also the name of a column means that column. */

typedef enum made_function { MADE_ITSELF, MADE_LOG, MADE_SQRT, MADE_EXP, MADE_FUNCTIONS } made_function;

/* function(input)^power; input: one of a column. */
typedef struct made_part { size_t input; int function, power; } made_part;

enum { MADE_PARTS = 6, MADE_MOST = 100000 };

/* One made input: the product of its parts. */
typedef struct cli_made {
    char     *item;                /* its text in the SPEC, without blanks at the ends  */
    size_t    n;
    made_part part[MADE_PARTS];
} cli_made;

/* One factor of an item: `count` inputs from `first` on; column: the index of its column, or c->n for one indicator. */
typedef struct made_factor { size_t first, count, column; int function, power; } made_factor;

/* Parses an item into at most MADE_PARTS factors and returns their number; 0: it is not an item, and `wrong` (300 bytes) says
 * why. */
size_t made_parse(const cli_columns *c, const char *item, made_factor *out, char *wrong);

/* *first <- the index of the first input that is made of an item; returns how many there are; 0: no such item. */
size_t made_find(const cli_columns *c, const char *item, size_t *first);

/* Does the SPEC (NULL: none) name the column as factor(NAME)? */
int made_is_factor(const char *spec, const char *name);

/* Adds the made inputs of a SPEC to columns that have none. Bad items are skipped, as terms_resolve reports them. Fails if there
 * are more than MADE_MOST. */
int made_add(cli_columns *c, const char *spec, cli_why *why);
void made_free(cli_columns *c);

/* The parts of input i; returns how many. An input of a column is one part. */
size_t made_parts(const cli_columns *c, size_t i, made_part *out);

/* Is this input of a column an indicator? If so, *column and *word say of what. */
int made_indicator(const cli_columns *c, size_t input, size_t *column, size_t *word);

/* Fills the made inputs in n raw rows (n x d) from the others. Returns n, or the first row in which one has no value; *bad is then
 * the part without a value, and *input the input of that part. */
size_t made_fill(const cli_columns *c, size_t n, double *X, made_part *bad, size_t *input);

/* Writes the name of a part, such as "log(dose)". */
void made_name(const cli_columns *c, const made_part *part, char *out, size_t size);

/* The name of slice s of the basis, with the names of columns and items in place of their inputs, each once: "linear of wool,
 * wool*tension". */
void made_slice_name(const cli_columns *c, const bln_basis *basis, size_t s, char *out, size_t size);

/* Why a number has no value of this part: "has no logarithm: ...". */
const char *made_reason(const made_part *bad);

#endif /* BAYESLIN_CLI_MADE_H */
