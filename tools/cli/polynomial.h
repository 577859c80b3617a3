#ifndef BAYESLIN_CLI_POLYNOMIAL_H
#define BAYESLIN_CLI_POLYNOMIAL_H
#include "made.h"
/* polynomial - polynomials in the inputs of columns and their functions, for the coefficients of effects.h
 *
 * An indicator's square is itself, and the product of two words of one column is 0. */
enum { MONOMIAL_PARTS = 10 };

typedef struct monomial { size_t n; made_part part[MONOMIAL_PARTS]; } monomial;             /* sorted; n = 0: the constant */

typedef struct polynomial { size_t n; monomial *term; double *coef; int lost; } polynomial;  /* lost: too many parts        */

polynomial polynomial_constant(double value);
void       polynomial_free(polynomial *p);

/* (input - mean)/sd, of any input. */
polynomial polynomial_input(const cli_columns *c, size_t input, double mean, double sd);

/* p times q, which is one input; both are unchanged. */
polynomial polynomial_times(const cli_columns *c, const polynomial *p, const polynomial *q);

/* In place: replaces the indicator of word reference[i] of column i, if that is one of its words, by 1 less the other
 * indicators. */
void       polynomial_refer(const cli_columns *c, const size_t *reference, polynomial *p);

int        monomial_compare(const monomial *a, const monomial *b);

#endif /* BAYESLIN_CLI_POLYNOMIAL_H */
