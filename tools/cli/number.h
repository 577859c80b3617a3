#ifndef BAYESLIN_CLI_NUMBER_H
#define BAYESLIN_CLI_NUMBER_H
#include <stdint.h>
/* number - what the text of a cell is, and numbers as text */

typedef enum number_kind {
    NUMBER_VALUE,        /* a decimal number: digits with an optional sign, point and exponent */
    NUMBER_MISSING,      /* empty, NA, or NaN in any case                                      */
    NUMBER_WORD,         /* anything else, hexadecimal numbers among it                        */
    NUMBER_RANGE,        /* a number too large for a double                                    */
    NUMBER_INFINITE      /* inf or infinity, in any case                                       */
} number_kind;

/* Blanks around the text do not count. *value is written for NUMBER_VALUE only (too small a number gives 0). The decimal mark is
 * the point: the program never calls setlocale. */
number_kind number_read(const char *text, double *value);

/* An unsigned integer of at most 64 bits, digits only: 0 if it is none. */
int number_integer(const char *text, uint64_t *out);

/* Would the text be a number if its commas were written as a point or not at all, as in "3,14" and "1,234,567"? A sign of another
 * country's numbers, which are not read: which of the two was meant cannot be known. */
int number_has_comma(const char *text);

/* The number as it is to be printed: a NaN has a sign, which some C libraries print, and loses it here. */
double number_plain(double value);

#endif /* BAYESLIN_CLI_NUMBER_H */
