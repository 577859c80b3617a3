#ifndef BAYESLIN_CLI_NUMBER_H
#define BAYESLIN_CLI_NUMBER_H
/* number - what the text of a cell is */

typedef enum number_kind {
    NUMBER_VALUE,        /* a decimal number: digits with an optional sign, point and exponent */
    NUMBER_MISSING,      /* empty, NA, or NaN in any case                                      */
    NUMBER_WORD,         /* anything else, hexadecimal numbers among it                        */
    NUMBER_RANGE         /* a number too large for a double, or an infinity                    */
} number_kind;

/* Blanks around the text do not count. *value is written for NUMBER_VALUE only (too small a number gives 0). The decimal mark is
 * the point: the program never calls setlocale. */
number_kind number_read(const char *text, double *value);

#endif /* BAYESLIN_CLI_NUMBER_H */
