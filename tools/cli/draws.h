#ifndef BAYESLIN_CLI_DRAWS_H
#define BAYESLIN_CLI_DRAWS_H
#include "model.h"
/* draws - targets drawn from the model's predictive distribution, in the units of the data
 *
 * Draw s is one function at all rows, with noise drawn for each row. */

/* S draws at n raw rows, with the offsets, trials and noise variances that they have: S x (n P), the P targets of a row
 * together. */
int draws_make(const model *m, const bln_data *rows, size_t S, uint64_t seed, double *out, cli_why *why);

#endif /* BAYESLIN_CLI_DRAWS_H */
