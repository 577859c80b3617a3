#ifndef BAYESLIN_CLI_GRID_H
#define BAYESLIN_CLI_GRID_H
#include "model.h"
/* grid - rows that no table has, to ask a model at: typical ones, in which one or two columns take values of their own
 *
 * A typical row has each number at its mean over the training rows, each column of words at its most frequent word, and groups are
 * new ones: a row that could be. All in the units of the data. */
void grid_typical(const model *m, double *x);

/* The number of column i, or its word or group k, in a row, and what is made of it; is there a value of all that is made? */
int grid_number(const model *m, size_t i, double value, double *x);
void grid_word(const model *m, size_t i, size_t k, double *x);

/* The least number from low on, in hundredths of the way to high, of which all that is made has a value: logarithms of columns. */
double grid_low(const model *m, size_t i, double low, double high);

/* n numbers from low to high, ends included. */
void grid_line(double low, double high, size_t n, double *at);

/* Widens a range by n values that are finite; and by a share of its width on either side, or, where it has none, by something. */
void grid_range(size_t n, const double *v, double *low, double *high);
void grid_pad(double share, double *low, double *high);

/* What stays as it is while `varied` columns change, for a title: "" where the model has no other columns. */
const char *grid_others(const model *m, size_t varied);

#endif /* BAYESLIN_CLI_GRID_H */
