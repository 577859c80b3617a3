#ifndef BAYESLIN_CLI_DRAWS_H
#define BAYESLIN_CLI_DRAWS_H
#include "model.h"
/* draws - new targets that the model holds possible, in the units of the data
 *
 * Draw s of all rows belongs together: one function, whose noise is drawn for each row. */

/* S draws at n raw rows, with their offsets, trials and noise variances if they have some: S x (n P), the P targets of a row
 * together. */
int draws_make(const model *m, const bln_data *rows, size_t S, uint64_t seed, double *out, cli_why *why);

#endif /* BAYESLIN_CLI_DRAWS_H */
