#ifndef BAYESLIN_CLI_NUMBER_H
#define BAYESLIN_CLI_NUMBER_H
#include <stddef.h>
#include <stdint.h>
/* number - reads numbers from text and prepares them for printing */

typedef enum number_kind {
    NUMBER_VALUE,        /* a decimal number: digits with an optional sign, point and exponent */
    NUMBER_MISSING,      /* empty, NA, or NaN in any case                                      */
    NUMBER_WORD,         /* anything else, also hexadecimal numbers                            */
    NUMBER_RANGE,        /* a number too large for a double                                    */
    NUMBER_INFINITE      /* inf or infinity, in any case                                       */
} number_kind;

/* Blanks around the text are ignored. *value is written for NUMBER_VALUE only (too small a number gives 0). The decimal mark is
 * the point: the program never calls setlocale. */
number_kind number_read(const char *text, double *value);

/* An unsigned integer of at most 64 bits, digits only; returns 0 if the text is not one. */
int number_integer(const char *text, uint64_t *out);

/* A count: such an integer from 1 on, of which twice as many fit into a size_t. */
int number_count(const char *text, size_t *out);

/* Would the text be a number if its commas were points or absent, as in "3,14" and "1,234,567"? It is not read as one, because
 * which of the two was meant cannot be known. */
int number_has_comma(const char *text);

/* The number for printing: a NaN without its sign, which some C libraries would print. */
double number_plain(double value);

#endif /* BAYESLIN_CLI_NUMBER_H */
