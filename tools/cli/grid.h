#ifndef BAYESLIN_CLI_GRID_H
#define BAYESLIN_CLI_GRID_H
#include "model.h"
/* grid - rows made for predictions: typical rows, in which one or two columns vary
 *
 * A typical row has the mean over the training rows in each column of numbers, the most frequent word in each column of words, and
 * a new group in each column of groups. All is in the units of the data. */
void grid_typical(const model *m, double *x);

/* Sets column i of a row to a number, or to word or group k, with the inputs that are made of it. grid_number returns whether all
 * of these have a value. */
int grid_number(const model *m, size_t i, double value, double *x);
void grid_word(const model *m, size_t i, size_t k, double *x);

/* The least number from low on, in hundredths of the way to high, at which all made inputs, such as logarithms, have a value. */
double grid_low(const model *m, size_t i, double low, double high);

/* n numbers from low to high, ends included. */
void grid_line(double low, double high, size_t n, double *at);

/* grid_range: widens a range to hold n values, finite ones only. grid_pad: widens it by a share of its width on either side; a
 * range of one value by half that value, or by 0.5 around 0. */
void grid_range(size_t n, const double *v, double *low, double *high);
void grid_pad(double share, double *low, double *high);

/* For a title: which values other columns have while `varied` columns change; "" if the model has no other columns. */
const char *grid_others(const model *m, size_t varied);

#endif /* BAYESLIN_CLI_GRID_H */
